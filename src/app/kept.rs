//! Progress on this device: read when the page opens, and written as it grows, while the
//! reader wants it and the browser lets the page.

use crate::app::handle::LabHandle;
use crate::host::storage;
use crate::lab::quiz::{Keeping, QuizMsg};
use crate::lab::{Lab, Msg};

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
        let text = handle.lab().quiz().progress().text();
        if self.written.as_ref() == Some(&text) {
            return;
        }
        match storage::write(NAME, &text) {
            Ok(()) => self.written = Some(text),
            Err(storage::Denied) => handle.send(Msg::Quiz(QuizMsg::Keep(Keeping::Denied))),
        }
    }
}
