//! A small server of static files on 127.0.0.1, for `serve` and for the tests.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tiny_http::{Header, Method, Request, Response};

use crate::error::{Error, Result};

/// What is served, and how.
#[derive(Clone, Debug)]
pub struct Site {
    /// The folder that is served.
    pub folder: PathBuf,
    /// The path it is served under: `/`, or one like `/a/b/` that ends in a slash.
    pub prefix: String,
    /// Pages of any origin may read the files, as a sandboxed frame needs.
    pub open_to_all_origins: bool,
}

impl Site {
    pub fn at_root(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), prefix: "/".to_owned(), open_to_all_origins: false }
    }
}

/// Serves until it is dropped.
pub struct Server {
    listener: Arc<tiny_http::Server>,
    threads: Vec<JoinHandle<()>>,
    address: SocketAddr,
    prefix: String,
}

/// A browser asks for a handful of files at once.
const THREADS: usize = 4;

impl Server {
    /// Listens on this port of 127.0.0.1, or on any free one for 0.
    pub fn start(site: Site, port: u16) -> Result<Self> {
        let listener = tiny_http::Server::http(("127.0.0.1", port))
            .map_err(|error| Error::Port(error.to_string()))?;
        let address = listener
            .server_addr()
            .to_ip()
            .ok_or_else(|| Error::Port("it is no internet address".to_owned()))?;
        let listener = Arc::new(listener);
        let prefix = site.prefix.clone();
        let site = Arc::new(site);
        let threads = (0..THREADS)
            .map(|_| {
                let (listener, site) = (Arc::clone(&listener), Arc::clone(&site));
                thread::spawn(move || answer_all(&listener, &site))
            })
            .collect();
        Ok(Self { listener, threads, address, prefix })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.prefix)
    }

    /// Serves for as long as the process lives.
    pub fn wait(mut self) {
        for thread in self.threads.drain(..) {
            // A thread ends only with the listener.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for _ in &self.threads {
            self.listener.unblock();
        }
    }
}

fn answer_all(listener: &tiny_http::Server, site: &Site) {
    for request in listener.incoming_requests() {
        // The browser may have left: there is no one to tell.
        let _ = answer(request, site);
    }
}

fn answer(request: Request, site: &Site) -> io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(plain(405, "Only GET and HEAD"));
    }
    match find(request.url(), site) {
        Found::File(path) => send(request, site, &path),
        Found::Elsewhere(path) => {
            let response = plain(302, "Elsewhere").with_header(header("Location", &path));
            request.respond(response)
        }
        Found::Nothing => request.respond(plain(404, "Not found")),
    }
}

fn send(request: Request, site: &Site, path: &Path) -> io::Result<()> {
    let Ok(bytes) = fs::read(path) else {
        return request.respond(plain(404, "Not found"));
    };
    let mut response = Response::from_data(bytes)
        .with_header(header("Content-Type", content_type(path)))
        .with_header(header("Cache-Control", "no-cache"))
        .with_header(header("X-Content-Type-Options", "nosniff"));
    if site.open_to_all_origins {
        response.add_header(header("Access-Control-Allow-Origin", "*"));
    }
    request.respond(response)
}

fn plain(status: u16, text: &str) -> Response<io::Cursor<Vec<u8>>> {
    Response::from_string(text).with_status_code(status)
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("names and values here are plain ASCII")
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    File(PathBuf),
    Elsewhere(String),
    Nothing,
}

fn find(url: &str, site: &Site) -> Found {
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
    if file.is_dir() {
        return Found::File(file.join("index.html"));
    }
    Found::File(file)
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

fn content_type(path: &Path) -> &'static str {
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
    use std::io::{Read, Write};
    use std::net::TcpStream;

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

    #[test]
    fn a_started_server_answers_and_a_dropped_one_does_not_hold_its_port() {
        let mut site = site("/");
        site.open_to_all_origins = true;
        let server = Server::start(site, 0).expect("started");
        let mut stream = TcpStream::connect(server.address).expect("connected");
        write!(stream, "GET /Cargo.toml HTTP/1.0\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("read");
        assert!(answer.contains(" 200 "), "{answer}");
        assert!(answer.contains("Access-Control-Allow-Origin: *"), "{answer}");
        assert!(answer.contains("name = \"xtask\""), "{answer}");
    }
}
