//! Which file a request means, and of which type it is.

use std::path::{Component, Path, PathBuf};

use super::Site;

#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    File(PathBuf),
    Elsewhere(String),
    Nothing,
}

pub fn find(url: &str, site: &Site) -> Found {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    if format!("{path}/") == site.prefix {
        return Found::Elsewhere(site.prefix.clone());
    }
    let Some(inside) = path.strip_prefix(site.prefix.as_str()).and_then(decode) else {
        return Found::Nothing;
    };
    let relative = Path::new(&inside);
    let stays_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    if !stays_inside {
        return Found::Nothing;
    }
    let file = site.folder.join(relative);
    if file.is_dir() { Found::File(file.join("index.html")) } else { Found::File(file) }
}

/// Undoes the percent signs of a URL.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        if byte == b'%' {
            let digits = [*rest.next()?, *rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

pub fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "toml" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(prefix: &str) -> Site {
        Site { prefix: prefix.to_owned(), ..Site::at_root(env!("CARGO_MANIFEST_DIR")) }
    }

    #[test]
    fn files_are_found_under_the_prefix_only() {
        let site = site("/a/b/");
        let file = site.folder.join("Cargo.toml");
        assert_eq!(find("/a/b/Cargo.toml?x=1", &site), Found::File(file));
        assert_eq!(find("/Cargo.toml", &site), Found::Nothing);
        assert_eq!(find("/a/b", &site), Found::Elsewhere("/a/b/".to_owned()));
    }

    #[test]
    fn a_folder_stands_for_its_index() {
        let site = site("/");
        assert_eq!(find("/src", &site), Found::File(site.folder.join("src/index.html")));
    }

    #[test]
    fn nothing_outside_the_folder_is_found() {
        let site = site("/");
        for url in ["/../Cargo.toml", "/src/%2e%2e/%2e%2e/Cargo.toml", "//etc/passwd", "/%zz"] {
            assert_eq!(find(url, &site), Found::Nothing, "{url}");
        }
    }
}
