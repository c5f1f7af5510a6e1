//! The relative links of the documents lead somewhere.

use std::path::Path;

use super::source::Source;

/// What is wrong with one document that lies under `root`.
pub fn problems(source: &Source, root: &Path) -> Vec<String> {
    let file = root.join(&source.name);
    let folder = file.parent().unwrap_or(root);
    let mut problems = Vec::new();
    for (line, target) in links(&source.text) {
        let path = target.split(['#', '?']).next().unwrap_or_default();
        if is_relative(target) && !path.is_empty() && !folder.join(path).exists() {
            let name = &source.name;
            problems.push(format!("{name}:{line}: the link `{target}` leads nowhere"));
        }
    }
    problems
}

fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:")
}

/// The targets of `[text](target)` outside code blocks, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for rest in line.split("](").skip(1) {
            let target = rest.split([')', ' ']).next().unwrap_or_default();
            found.push((number + 1, target));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;
    use crate::workspace;

    #[test]
    fn every_link_of_this_repository_leads_somewhere() {
        let root = workspace::root();
        let found: Vec<String> = source::files(&["md"])
            .expect("read")
            .iter()
            .flat_map(|file| problems(file, &root))
            .collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let text = "[a](Cargo.toml#x) [b](https://example.org/) [c](#here)\n[d](no/such.md)";
        let found = problems(&Source::new("README.md", text), &workspace::root());
        assert_eq!(found, ["README.md:2: the link `no/such.md` leads nowhere"]);
    }

    #[test]
    fn code_blocks_hold_no_links() {
        assert!(links("```\n[a](b)\n```").is_empty());
    }
}
