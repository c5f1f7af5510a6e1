//! The interface's text: one table a language, a section a region of the page.
//!
//! Every section is a struct in a file of its own under `ui/`, with one value a
//! language. To translate, write a value of each section and a [`Ui`] of them; no
//! component changes. What is said of events, rules and properties stands in
//! [`crate::text::en`].

pub mod frame;

use frame::Frame;

/// All sections in one language.
#[derive(Debug)]
pub struct Ui {
    /// Header, panels, keyboard help.
    pub frame: Frame,
    // Further sections below, one line each.
}

static ENGLISH: Ui = Ui { frame: frame::ENGLISH };

/// The text in the language in use.
pub fn ui() -> &'static Ui {
    &ENGLISH
}
