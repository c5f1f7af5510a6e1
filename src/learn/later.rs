//! Texts that are no part of the program: files of the site, fetched when they are first
//! needed. Pure: what they are called, and whether what has come is what was meant.
//!
//! The program knows each file by a number that stands for what is in it. It stands in the
//! address too, so that a browser that has kept another version asks for this one; and what
//! comes is compared with it, so that a text of another version is never read.

use super::quiz;

/// Texts that are fetched together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// The questions of the quiz.
    Quiz,
    /// The lessons of a chapter, by its place from 0.
    Chapter(usize),
}

/// Which time texts are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing is known against what a browser has kept of them.
    First,
    /// The last attempt failed, perhaps because of what a browser or somebody on the way has
    /// kept: that is not to be the answer again.
    Again,
}

/// A file as the program knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its path in the folder of lessons.
    pub name: &'static str,
    /// Stands for what is in it.
    pub stamp: u64,
}

impl Wanted {
    /// Its address, relative to the page's.
    pub fn url(&self) -> String {
        format!("lessons/en/{}?{:016x}", self.name, self.stamp)
    }
}

/// That a file is not there, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its path in the folder of lessons.
    pub file: &'static str,
    /// Why.
    pub why: Why,
}

/// Why a file is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing came.
    Unreached,
    /// The server answered with this status.
    Refused(u16),
    /// What came is of another version than the program.
    Other,
}

/// A file's path in the folder of lessons, and what stands in it.
pub(super) type Text = (&'static str, &'static str);

/// Reads files at build time.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/static/lessons/en/", $name
        )))),*]
    };
}
pub(super) use files;

/// What the program has of files that it does not hold.
pub(super) const fn wanted<const N: usize>(files: &[Text; N]) -> [Wanted; N] {
    let mut all = [Wanted { name: "", stamp: 0 }; N];
    let mut place = 0;
    while place < N {
        let (name, text) = files[place];
        all[place] = Wanted { name, stamp: stamp(text) };
        place += 1;
    }
    all
}

/// The hash FNV-1a, for which no table and no crate is needed at build time. It tells
/// versions apart, and protects from nobody.
const fn stamp(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut place = 0;
    while place < bytes.len() {
        hash = (hash ^ bytes[place] as u64).wrapping_mul(0x0100_0000_01b3);
        place += 1;
    }
    hash
}

impl Later {
    /// The files, in their order.
    pub fn files(self) -> &'static [Wanted] {
        match self {
            Later::Quiz => &quiz::WANTED,
            Later::Chapter(place) => super::files_of(place),
        }
    }

    /// What stands in them, for tests and for programs that have no site. The page calls
    /// this nowhere, so that its program does not hold the texts.
    pub fn built_in(self) -> Vec<String> {
        let files: &[Text] = match self {
            Later::Quiz => &quiz::ENGLISH,
            Later::Chapter(place) => super::texts(place),
        };
        files.iter().map(|(_, text)| (*text).to_owned()).collect()
    }

    /// Makes sure that what has come is what was meant.
    ///
    /// # Errors
    /// When a text is of another version, or is missing.
    pub fn check(self, texts: &[String]) -> Result<(), Failure> {
        let mut came = texts.iter();
        let mut is_meant =
            |file: &&Wanted| came.next().is_some_and(|text| stamp(text) == file.stamp);
        match self.files().iter().find(|file| !is_meant(file)) {
            Some(file) => Err(Failure { file: file.name, why: Why::Other }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(change: impl Fn(&mut Vec<String>), expected: Option<&'static str>) {
        let mut texts = Later::Quiz.built_in();
        change(&mut texts);
        let found = Later::Quiz.check(&texts);
        assert_eq!(found.err().map(|failure| failure.file), expected);
    }

    #[test]
    fn a_text_of_another_version_is_named() {
        check(|_| {}, None);
        check(|texts| texts[1].push(' '), Some("quiz/leases.toml"));
        check(|texts| texts.swap(0, 3), Some("quiz/tokens.toml"));
        let last = Later::Quiz.files().last().map(|file| file.name);
        check(|texts| drop(texts.pop()), last);
    }

    #[test]
    fn an_address_says_which_version_is_meant() {
        let [first, second, ..] = Later::Quiz.files() else { panic!("files") };
        let (first, second) = (first.url(), second.url());
        assert!(first.starts_with("lessons/en/quiz/tokens.toml?"), "{first}");
        assert_ne!(first.split_once('?').map(|it| it.1), second.split_once('?').map(|it| it.1));
        // What the authors of the hash publish for these two.
        assert_eq!((stamp(""), stamp("a")), (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c));
    }
}
