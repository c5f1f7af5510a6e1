//! Progress on this device: read when the page opens, and written as it grows, while the
//! reader wants it and the browser lets the page.

use crate::app::handle::LabHandle;
use crate::host::storage;
use crate::lab::quiz::{Keeping, QuizMsg};
use crate::lab::{Lab, Msg};
use crate::learn::progress::Progress;

/// The name under which it is kept.
const NAME: &str = "fencepost-progress";

/// What is kept.
#[derive(Default)]
pub struct Kept {
    written: Option<String>,
}

impl Kept {
    /// Reads what is kept, and tells the lab.
    pub fn open(lab: &mut Lab) -> Kept {
        match storage::read(NAME) {
            Ok(Some(text)) => lab.update(Msg::Quiz(QuizMsg::Restore { text })),
            Ok(None) => {}
            Err(storage::Denied) => lab.update(Msg::Quiz(QuizMsg::Keep(Keeping::Denied))),
        }
        Kept::default()
    }

    /// Keeps what has changed, or deletes what is not to be kept any more.
    pub fn follow(&mut self, handle: &LabHandle) {
        let keeping = handle.lab().quiz().keeping();
        match keeping {
            Keeping::Yes => self.keep(handle),
            Keeping::No if self.written.take().is_some() => {
                // What could be written a moment ago can be deleted; if it cannot, there
                // is nothing that the page could do.
                let _ = storage::delete(NAME);
            }
            Keeping::No | Keeping::Denied => {}
        }
    }

    fn keep(&mut self, handle: &LabHandle) {
        let mut progress = handle.lab().quiz().progress().clone();
        let text = progress.text();
        if self.written.as_ref() == Some(&text) {
            return;
        }
        // Another window may have written since.
        let there = storage::read(NAME).ok().flatten();
        if let Some((there, _)) = there.and_then(|there| Progress::from_text(&there).ok()) {
            progress.merge(there);
        }
        match storage::write(NAME, &progress.text()) {
            Ok(()) => self.written = Some(text),
            Err(storage::Denied) => handle.send(Msg::Quiz(QuizMsg::Keep(Keeping::Denied))),
        }
    }
}
