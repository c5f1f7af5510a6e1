//! Texts that are fetched when they are first needed.

use crate::learn::later::{Failure, Later as What, Why};

/// Texts that are fetched when they are first needed.
#[derive(Debug)]
pub struct Later {
    /// They are being fetched.
    pub on_its_way: fn(what: What) -> &'static str,
    /// They are there.
    pub here: fn(what: What) -> &'static str,
    /// They are not, and why.
    pub missing: fn(what: What, why: &str) -> String,
    /// Why a file is not there.
    pub why: fn(failure: &Failure) -> String,
    /// Asks for them again.
    pub again: &'static str,
}

fn name(what: What) -> &'static str {
    match what {
        What::Quiz => "The questions",
        What::Chapter(_) => "The chapter’s lessons",
    }
}

/// English.
pub const ENGLISH: Later = Later {
    on_its_way: |what| match what {
        What::Quiz => "The questions are on their way.",
        What::Chapter(_) => "The chapter’s lessons are on their way.",
    },
    here: |what| match what {
        What::Quiz => "The questions are there.",
        What::Chapter(_) => "The chapter’s lessons are there.",
    },
    missing: |what, why| format!("{} are not there: {why} Nothing else needs them.", name(what)),
    why: |Failure { file, why }| match why {
        Why::Unreached => format!("“{file}” could not be fetched. Is there a connection?"),
        Why::Refused(status) => format!("for “{file}” the server answered {status}."),
        Why::Other => {
            format!("“{file}” is of another version than this page. Load the page again.")
        }
    },
    again: "Try again",
};
