//! The box by which progress is kept on this device, and how that stands.

use crate::app::handle::LabHandle;
use crate::lab::Msg;
use crate::lab::quiz::{Keeping, QuizMsg};
use crate::text::ui::ui;
use yew::prelude::*;

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
