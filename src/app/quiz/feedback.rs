//! What is said to an answer, and the runs in which it can be seen.

use super::FEEDBACK;
use crate::app::handle::LabHandle;
use crate::app::lesson::with_code;
use crate::lab::Msg;
use crate::lab::quiz::{Asking, Checked, Line, QuizMsg, Round, Sight};
use crate::learn::quiz::{Answer, Choice, Given, Kind, Question, Solution};
use crate::sim::time::{Span, TrueTime};
use crate::text::amounts;
use crate::text::ui::quiz::{given_number, right_number};
use crate::text::ui::ui;
use yew::prelude::*;

/// The question, whether the answer is right, and why.
pub fn met(
    handle: &LabHandle,
    question: &Question,
    asking: &Asking,
    checked: &Checked,
    round: &Round,
) -> Html {
    let text = &ui().quiz.met;
    let on = |msg: QuizMsg| handle.on(Msg::Quiz(msg));
    let (class, word, icon) = match checked.right {
        true => ("met right", text.right, "M2.5 8.500l3.500 3.500 7.500-8"),
        false => ("met wrong", text.wrong, "M3.5 3.500l9 9M12.500 3.500l-9 9"),
    };
    let is_last = round.done.len() == round.order.len();
    html! {
        <>
            <section
                key={question.id.clone()} class="quiz" id={FEEDBACK} tabindex="-1"
                aria-labelledby="quiz-word"
            >
                <p class={class}>
                    <svg width="18" height="18" viewBox="0 0 16 16" aria-hidden="true">
                        <path d={icon} />
                    </svg>
                    <b id="quiz-word">{ word }</b>
                </p>
                <strong>{ with_code(&question.text) }</strong>
                { told(question, asking, checked) }
                <p class="quiz-why"><b>{ text.why }</b>{ ": " }{ with_code(&question.why) }</p>
                <button type="button" id="quiz-see" onclick={on(QuizMsg::See(Sight::Asked))}>
                    { text.see }
                </button>
            </section>
            { changed(handle, question, asking) }
            <button type="button" id="quiz-next" class="quiz-main" onclick={on(QuizMsg::Next)}>
                { if is_last { text.finish } else { text.next } }
            </button>
            if !is_last {
                <button type="button" id="quiz-leave" class="quiet" onclick={on(QuizMsg::End)}>
                    { ui().quiz.ask.end }
                </button>
            }
        </>
    }
}

/// What was answered, what is right, and what is said to each.
fn told(question: &Question, asking: &Asking, checked: &Checked) -> Html {
    match (&checked.given, &checked.solution) {
        (Given::Options(given), Solution::Options(right)) if question.kind == Kind::Order => {
            order(question, given, right)
        }
        (Given::Options(given), Solution::Options(right)) => {
            let row = |option: &Choice| {
                let was = (given.contains(&option.id), right.contains(&option.id));
                (option.id.clone(), row(option, question.kind, was))
            };
            if question.kind == Kind::Line {
                return program(question, &asking.program, row);
            }
            let rows = question.options.iter().map(row);
            html! {
                <ul class="quiz-options">
                    { for rows.map(|(id, row)| html! { <li key={id}>{ row }</li> }) }
                </ul>
            }
        }
        _ => compared(question, checked),
    }
}

/// An option: whether it was chosen, whether it is right, and what is said to it if it
/// was either.
fn row(option: &Choice, kind: Kind, (is_chosen, is_right): (bool, bool)) -> Html {
    let text = &ui().quiz.met;
    let (class, tag) = match (is_chosen, is_right) {
        (true, true) => ("row right", Some(text.both)),
        (true, false) => ("row wrong", Some(text.yours)),
        (false, true) => ("row right", Some(text.is_right)),
        (false, false) => ("row", None),
    };
    let is_told = is_chosen || is_right || kind == Kind::Several;
    html! {
        <div class={class}>
            <span class="said">{ with_code(&option.text) }</span>
            if let Some(tag) = tag {
                { " " }
                <b class="tag">{ if is_right { "✓ " } else { "✗ " } }{ tag }</b>
            }
            if is_told { <p>{ with_code(&option.why) }</p> }
        </div>
    }
}

fn program(question: &Question, program: &[Line], row: impl Fn(&Choice) -> (String, Html)) -> Html {
    let line = |(at, line): (usize, &Line)| match line {
        Line::Option(place) => html! { <li key={at}>{ row(&question.options[*place]).1 }</li> },
        Line::Plain(line) => {
            html! { <li key={at} class="plain"><code>{ line.clone() }</code></li> }
        }
    };
    html! { <ol class="quiz-program">{ for program.iter().enumerate().map(line) }</ol> }
}

/// The order that is right, and where each item was put.
fn order(question: &Question, given: &[String], right: &[String]) -> Html {
    let text = &ui().quiz.met;
    let item = |(at, id): (usize, &String)| {
        let put = given.iter().position(|other| other == id);
        let is_there = put == Some(at);
        let (said, why) = question.option(id).map_or(("", ""), |o| (&o.text, &o.why));
        html! {
            <li key={id.clone()}>
                <div class={if is_there { "row right" } else { "row wrong" }}>
                    <span class="said">{ at + 1 }{ ". " }{ with_code(said) }</span>
                    if let Some(put) = put.filter(|_| !is_there) {
                        { " " }<b class="tag">{ "✗ " }{ (text.placed)(put + 1) }</b>
                    }
                    <p>{ with_code(why) }</p>
                </div>
            </li>
        }
    };
    html! {
        <>
            <p class="eyebrow">{ text.order }</p>
            <ol class="quiz-options">{ for right.iter().enumerate().map(item) }</ol>
        </>
    }
}

/// A number or an event beside the one that is right.
fn compared(question: &Question, checked: &Checked) -> Html {
    let text = &ui().quiz.met;
    let (given, right) = match (&checked.given, &checked.solution, &checked.events) {
        (_, _, Some((given, right))) => (given.clone(), right.clone()),
        (Given::Number(given), Solution::Number(right), None) => {
            (given_number(question.unit, *given), right_number(question.unit, *right))
        }
        _ => return html! {},
    };
    let whys = checked.chosen.iter().filter_map(|id| question.option(id));
    // What is said to the number that is right, for who answered another.
    let right_why = match checked.solution {
        Solution::Number(right) => {
            question.grade(&Given::Number(right), &checked.solution).chosen.first().copied()
        }
        _ => None,
    };
    html! {
        <dl class="quiz-compared">
            <div class={if checked.right { "row right" } else { "row wrong" }}>
                <dt class="eyebrow">{ text.answered }</dt>
                <dd>{ given }</dd>
                { for whys.map(|option| html! { <dd key={option.id.clone()}>{ with_code(&option.why) }</dd> }) }
            </div>
            if !checked.right {
                <div class="row right">
                    <dt class="eyebrow">{ text.solution }</dt>
                    <dd>{ right }</dd>
                    if let Some(option) = right_why { <dd>{ with_code(&option.why) }</dd> }
                </div>
            }
        </dl>
    }
}

/// Another run, in which another answer is right; which, is told when it is opened.
fn changed(handle: &LabHandle, question: &Question, asking: &Asking) -> Html {
    let text = &ui().quiz.met;
    let see = handle.on(Msg::Quiz(QuizMsg::See(Sight::Changed)));
    html! {
        <section class="quiz" aria-labelledby="quiz-changed">
            <b id="quiz-changed">{ text.changed }</b>
            <p>{ with_code(&question.changed.text) }</p>
            <button type="button" id="quiz-see-changed" onclick={see}>{ text.see_changed }</button>
            <div id="quiz-then" role="status">
                if asking.has_changed {
                    <p class="eyebrow">{ text.then }</p>
                    { answer(question) }
                }
            </div>
        </section>
    }
}

/// What is right in the changed run.
fn answer(question: &Question) -> Html {
    let text = &ui().quiz.met;
    match &question.changed.answer {
        Answer::Options(ids) => {
            let said = |id: &String| question.option(id).map(|option| with_code(&option.text));
            let items =
                ids.iter().filter_map(|id| Some(html! { <li key={id.clone()}>{ said(id)? }</li> }));
            match question.kind {
                Kind::Order => html! { <ol>{ for items }</ol> },
                _ => html! { <ul>{ for items }</ul> },
            }
        }
        Answer::Number(ms) if question.kind == Kind::Event => {
            let at = TrueTime(Span::from_ms(*ms).us());
            html! { <p>{ (text.at)(&amounts::exact_moment(at)) }</p> }
        }
        Answer::Number(number) => html! { <p>{ right_number(question.unit, *number) }</p> },
    }
}
