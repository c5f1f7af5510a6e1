//! The page keeps to its Content-Security-Policy: everything that it loads is a file of
//! its own, and nothing stands in the page itself.

use super::source::Source;

/// What is wrong with one HTML file.
pub fn problems(source: &Source) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        if let Some(what) = inline(line) {
            let name = &source.name;
            problems.push(format!("{name}:{}: {what} stands in the page itself", number + 1));
        }
    }
    if source.name == "index.html" && !has_policy(&source.text) {
        problems.push("index.html: no Content-Security-Policy that begins with nothing".to_owned());
    }
    problems
}

fn has_policy(text: &str) -> bool {
    let policy = text.lines().find(|line| line.contains("http-equiv=\"Content-Security-Policy\""));
    policy.is_some_and(|line| line.contains("default-src 'none'") && !line.contains("'unsafe-"))
}

fn inline(line: &str) -> Option<&'static str> {
    let line = line.to_ascii_lowercase();
    let script = line.find("<script").is_some_and(|at| !line[at..].contains(" src="));
    if script {
        return Some("a script");
    }
    if line.contains("<style") || line.contains(" style=") {
        return Some("a style");
    }
    let handler = line.split(' ').filter_map(|word| word.split_once("=")).any(|(name, _)| {
        name.len() > 2
            && name.starts_with("on")
            && name.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    handler.then_some("an event handler")
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn the_pages_of_this_repository_hold_nothing_inline() {
        let files = source::files(&["html"]).expect("read");
        let found: Vec<String> = files.iter().flat_map(problems).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn what_stands_in_the_page_itself_is_found() {
        for line in [
            "<script>go()</script>",
            "<script type=\"module\">",
            "<style>a {}</style>",
            "<p style=\"color: red\">",
            "<button onclick=\"go()\">",
        ] {
            assert_eq!(problems(&Source::new("a.html", line)).len(), 1, "{line}");
        }
        assert!(problems(&Source::new("a.html", "<script src=\"a.js\"></script>")).is_empty());
    }

    #[test]
    fn the_page_has_a_policy_without_exceptions() {
        let policy = |rule: &str| {
            format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{rule}\">")
        };
        for (text, wrong) in [
            (String::new(), 1),
            (policy("default-src 'none'"), 0),
            (policy("default-src 'none'; style-src 'unsafe-inline'"), 1),
        ] {
            assert_eq!(problems(&Source::new("index.html", &text)).len(), wrong, "{text}");
        }
    }
}
