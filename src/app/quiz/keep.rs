//! Progress on this device: read when the quiz is opened, and written as it grows, while
//! the reader wants it and the browser lets the page.

use crate::app::handle::LabHandle;
use crate::host::storage;
use crate::lab::Msg;
use crate::lab::quiz::{Keeping, QuizMsg};
use crate::text::ui::ui;
use yew::prelude::*;

/// The name under which it is kept.
const NAME: &str = "fencepost-progress";

/// What is kept.
pub struct Kept {
    written: Option<String>,
}

impl Kept {
    /// Reads what is kept, and tells the lab.
    pub fn open(handle: &LabHandle) -> Kept {
        let written = match storage::read(NAME) {
            Ok(text) => text,
            Err(storage::Denied) => {
                handle.send(Msg::Quiz(QuizMsg::Keep(Keeping::Denied)));
                None
            }
        };
        if let Some(text) = written.clone() {
            handle.send(Msg::Quiz(QuizMsg::Restore { text }));
        }
        Kept { written: None }
    }

    /// Keeps what has changed, or deletes what is not to be kept any more.
    pub fn follow(&mut self, handle: &LabHandle) {
        let lab = handle.lab();
        let (keeping, text) = (lab.quiz().keeping(), lab.quiz().progress().text());
        drop(lab);
        match keeping {
            Keeping::Yes if self.written.as_ref() != Some(&text) => {
                match storage::write(NAME, &text) {
                    Ok(()) => self.written = Some(text),
                    Err(storage::Denied) => {
                        handle.send(Msg::Quiz(QuizMsg::Keep(Keeping::Denied)));
                    }
                }
            }
            Keeping::No if self.written.take().is_some() => {
                // What could be written a moment ago can be deleted; if it cannot, there
                // is nothing that the page could do.
                let _ = storage::delete(NAME);
            }
            Keeping::Yes | Keeping::No | Keeping::Denied => {}
        }
    }
}

/// The box to tick, and how it stands.
pub fn keep(handle: &LabHandle) -> Html {
    let text = &ui().quiz.keep;
    let lab = handle.lab();
    let keeping = lab.quiz().keeping();
    let unread = lab.quiz().unread().map(|why| (text.unread)(why, keeping == Keeping::Yes));
    let is_kept = keeping == Keeping::Yes;
    let other = if is_kept { Keeping::No } else { Keeping::Yes };
    html! {
        <div class="keep">
            if keeping == Keeping::Denied {
                <p class="hint" id="quiz-denied" role="status">{ text.denied }</p>
            } else {
                <label class="field">
                    <input
                        type="checkbox" id="quiz-keep" checked={is_kept}
                        aria-describedby="quiz-keep-about"
                        onchange={handle.on(Msg::Quiz(QuizMsg::Keep(other)))}
                    />
                    <span>{ text.keep }</span>
                </label>
                <p class="hint" id="quiz-keep-about">{ text.about }</p>
            }
            if let Some(unread) = unread { <p class="hint" id="quiz-unread">{ unread }</p> }
        </div>
    }
}
