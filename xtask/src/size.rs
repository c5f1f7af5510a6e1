//! `cargo xtask size`: what a first visit loads, compressed as a server would, and what
//! comes later, when something is opened.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::{Error, Result};
use crate::page;
use crate::parts;
use crate::split::Names;
use crate::workspace;

/// What a first visit may load, in bytes after compression.
pub const TARGET: u64 = 244_000;

/// Builds the page and prints the table. Over the target is told, and is no error.
pub fn run() -> Result<()> {
    page::build(Names::Dropped)?;
    let dist = workspace::dist();
    print!("{}{}", table(&measure(&dist)?), later(&measure_later(&dist)?));
    Ok(())
}

struct Line {
    name: String,
    plain: u64,
    compressed: u64,
}

fn measure(dist: &Path) -> Result<Vec<Line>> {
    let page = dist.join("index.html");
    let text = workspace::read(&page)?;
    let mut paths = vec![page];
    paths.extend(loaded_by(&text, &files_in(dist)?));
    let rest = parts::rest_in(&text).map(OsStr::new);
    paths.retain(|path| rest.is_none() || path.file_name() != rest);
    paths.iter().map(|path| measure_file(path)).collect()
}

/// The folder of what the program fetches by itself, with a folder for what is fetched
/// together.
const LATER: &str = "lessons/en";

fn measure_later(dist: &Path) -> Result<Vec<Line>> {
    let page = workspace::read(&dist.join("index.html"))?;
    let rest = parts::rest_in(&page).map(|name| measure_file(&dist.join(name)));
    let folders = files_in(&dist.join(LATER))?;
    let texts = folders.iter().map(|folder| measure_folder(folder));
    rest.into_iter().chain(texts).collect()
}

fn measure_folder(folder: &Path) -> Result<Line> {
    let files = files_in(folder)?;
    let lines: Vec<Line> = files.iter().map(|file| measure_file(file)).collect::<Result<_>>()?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    Ok(Line {
        name: format!("{name} ({} files)", lines.len()),
        plain: lines.iter().map(|line| line.plain).sum(),
        compressed: lines.iter().map(|line| line.compressed).sum(),
    })
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(Error::file(folder, "read"))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// The files that the page names: what a first visit fetches.
fn loaded_by(page: &str, files: &[PathBuf]) -> Vec<PathBuf> {
    let named = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        page.contains(name.as_ref())
    };
    files.iter().filter(named).cloned().collect()
}

fn measure_file(path: &Path) -> Result<Line> {
    let bytes = fs::read(path).map_err(Error::file(path, "read"))?;
    Ok(Line {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        plain: bytes.len() as u64,
        compressed: compressed_length(&bytes).map_err(Error::file(path, "compressed"))?,
    })
}

fn compressed_length(bytes: &[u8]) -> std::io::Result<u64> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len() as u64)
}

fn kilobytes(bytes: u64) -> String {
    format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100)
}

fn row(name: &str, plain: u64, compressed: u64) -> String {
    format!("{name:<44} {:>12} {:>12}\n", kilobytes(plain), kilobytes(compressed))
}

fn later(lines: &[Line]) -> String {
    let mut table = "\nlater, once the page stands or when something is opened\n".to_owned();
    for line in lines {
        table += &row(&line.name, line.plain, line.compressed);
    }
    table
}

fn table(lines: &[Line]) -> String {
    let mut table = format!("{:<44} {:>12} {:>12}\n", "first visit", "plain", "gzip");
    for line in lines {
        table += &row(&line.name, line.plain, line.compressed);
    }
    let compressed: u64 = lines.iter().map(|line| line.compressed).sum();
    table += &row("all", lines.iter().map(|line| line.plain).sum(), compressed);
    let verdict = if compressed <= TARGET { "within" } else { "OVER" };
    table + &format!("{:<57} {:>12} ({verdict})\n", "target", kilobytes(TARGET))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(compressed: u64) -> Line {
        Line { name: "a.wasm".to_owned(), plain: 500_000, compressed }
    }

    #[test]
    fn the_table_tells_whether_the_target_is_met() {
        assert!(table(&[line(TARGET)]).contains("244.0 kB (within)"));
        assert!(table(&[line(TARGET), line(1)]).contains("(OVER)"));
    }

    #[test]
    fn what_comes_later_stands_below_and_does_not_count() {
        let told = later(&[line(29_400)]);
        assert!(told.starts_with("\nlater") && told.contains("29.4 kB"), "{told}");
        assert!(!told.contains("OVER") && !told.contains("within"), "{told}");
    }

    #[test]
    fn only_what_the_page_names_counts() {
        let files = [PathBuf::from("d/a.js"), PathBuf::from("d/b.js")];
        assert_eq!(loaded_by("<script src=./a.js>", &files), [PathBuf::from("d/a.js")]);
    }

    #[test]
    fn text_that_repeats_itself_is_compressed() {
        assert!(compressed_length(&[b'a'; 10_000]).expect("in memory") < 100);
    }
}
