//! A question that is asked.

use super::QUESTION;
use super::answer::{PROBLEM, draft};
use crate::app::handle::LabHandle;
use crate::app::lesson::with_code;
use crate::content::Choice;
use crate::lab::quiz::{Asking, Draft, Picked, Problem, QuizMsg, Round};
use crate::lab::{Lab, Msg};
use crate::learn::progress::Confidence;
use crate::learn::quiz::{Question, Topic};
use crate::text::ui::ui;
use yew::prelude::*;

/// Which question it is, and the score so far.
pub fn head(round: &Round, topic: Topic, asking: &Asking) -> Html {
    let text = &ui().quiz.ask;
    let done = round.done.len();
    let nth = done + usize::from(asking.checked.is_none());
    html! {
        <div class="quiz-head">
            <span class="eyebrow">{ (text.place)(nth, round.order.len(), topic) }</span>
            if done > 0 {
                <span class="eyebrow" id="quiz-score">{ (text.score)(round.right(), done) }</span>
            }
        </div>
    }
}

/// The question, and what can be answered.
pub fn question(handle: &LabHandle, lab: &Lab, question: &Question, asking: &Asking) -> Html {
    let text = &ui().quiz.ask;
    // Without its run there is nothing yet to answer an event with.
    let is_open = asking.draft != Draft::Event || lab.picked() != Picked::OtherRun;
    let check = if asking.draft == Draft::Event { text.check_event } else { text.check };
    let on = |msg: QuizMsg| handle.on(Msg::Quiz(msg));
    html! {
        <>
            <fieldset
                key={question.id.clone()} class="quiz" id={QUESTION} tabindex="-1"
                aria-describedby="quiz-how"
            >
                <legend><strong>{ with_code(&question.text) }</strong></legend>
                <p class="hint" id="quiz-how">{ (text.how)(question.kind) }</p>
                { draft(handle, lab, question) }
                <p class="quiz-problem" id={PROBLEM} role="alert">
                    if let Some(problem) = asking.problem { { said(question, problem) } }
                </p>
            </fieldset>
            if is_open {
                { sure(handle, asking) }
                <button type="button" id="quiz-check" class="quiz-main" onclick={on(QuizMsg::Check)}>
                    { check }
                </button>
            }
            <button type="button" id="quiz-leave" class="quiet" onclick={on(QuizMsg::End)}>
                { text.end }
            </button>
        </>
    }
}

fn said(question: &Question, problem: Problem) -> &'static str {
    let text = &ui().quiz.ask;
    match problem {
        Problem::NothingChosen => text.nothing_chosen,
        Problem::Number(why) => (text.untyped)(question.unit, why),
        Problem::OtherRun => text.other_run,
        Problem::NoEvent => text.no_event,
    }
}

/// How sure one is; nothing has to be said.
fn sure(handle: &LabHandle, asking: &Asking) -> Html {
    let text = &ui().quiz.ask;
    let radio = |confidence: Option<Confidence>| {
        let name = confidence.map_or(text.unsaid, text.so_sure);
        let id = confidence.map_or("unsaid", Choice::name);
        let is_chosen = asking.confidence == confidence;
        html! {
            <label key={id} class={classes!("option", is_chosen.then_some("chosen"))}>
                <input
                    type="radio" name="quiz-sure" id={format!("quiz-sure-{id}")}
                    checked={is_chosen}
                    onchange={handle.on(Msg::Quiz(QuizMsg::Sure(confidence)))}
                />
                <span>{ name }</span>
            </label>
        }
    };
    html! {
        <fieldset class="quiz-sure">
            <legend class="hint">{ text.sure }</legend>
            { radio(None) }
            { for Confidence::ALL.iter().map(|confidence| radio(Some(*confidence))) }
        </fieldset>
    }
}
