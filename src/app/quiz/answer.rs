//! How a question is answered: a way for each kind.

use crate::app::handle::LabHandle;
use crate::app::lesson::with_code;
use crate::lab::quiz::{Draft, Line, Picked, Problem, QuizMsg, Way};
use crate::lab::{Lab, Msg};
use crate::learn::quiz::{Choice, Kind, Question};
use crate::text::ui::ui;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The id of the sentence that says why an answer cannot be checked yet.
pub const PROBLEM: &str = "quiz-problem";

/// The id of the sentence that says how near to the right number counts as right.
const WITHIN: &str = "quiz-within";

/// A question's options; one is chosen, or several are.
pub fn options(handle: &LabHandle, question: &Question, chosen: &[String]) -> Html {
    question.options.iter().map(|one| option(handle, question, one, chosen)).collect()
}

fn option(handle: &LabHandle, question: &Question, option: &Choice, chosen: &[String]) -> Html {
    let is_chosen = chosen.contains(&option.id);
    let kind = if question.kind == Kind::Several { "checkbox" } else { "radio" };
    let msg = Msg::Quiz(QuizMsg::Choose { option: option.id.clone() });
    html! {
        <label key={option.id.clone()} class={classes!("option", is_chosen.then_some("chosen"))}>
            <input
                type={kind} name={format!("quiz-{}", question.id)}
                id={format!("quiz-{}-{}", question.id, option.id)}
                checked={is_chosen} onchange={handle.on(msg)}
            />
            <span>{ with_code(&option.text) }</span>
        </label>
    }
}

/// The program of a question for a line: lines that can be answered, among the others.
pub fn lines(handle: &LabHandle, question: &Question, program: &[Line], chosen: &[String]) -> Html {
    let line = |(at, line): (usize, &Line)| match line {
        Line::Option(place) => html! {
            <li key={at}>{ option(handle, question, &question.options[*place], chosen) }</li>
        },
        Line::Plain(line) => {
            html! { <li key={at} class="plain"><code>{ line.clone() }</code></li> }
        }
    };
    html! { <ol class="quiz-program">{ for program.iter().enumerate().map(line) }</ol> }
}

/// Items to be put into an order, by a button up and a button down for each.
pub fn order(handle: &LabHandle, question: &Question, ids: &[String]) -> Html {
    let text = &ui().quiz.ask;
    let button = |id: &String, way: Way, name: String, path: &'static str, is_off: bool| {
        let msg = Msg::Quiz(QuizMsg::Move { option: id.clone(), way });
        let onclick = if is_off { Callback::noop() } else { handle.on(msg) };
        html! {
            <button
                type="button" class="icon" aria-label={name.clone()} title={name}
                aria-disabled={is_off.then_some("true")} {onclick}
            >
                <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
                    <path d={path} />
                </svg>
            </button>
        }
    };
    let item = |(at, id): (usize, &String)| {
        let said = question.option(id).map_or("", |option| &option.text);
        let (up, down) = ((text.up)(at + 1, said), (text.down)(at + 1, said));
        html! {
            <li key={id.clone()} class="option">
                <span class="nth" aria-hidden="true">{ at + 1 }</span>
                <span class="grow">{ with_code(said) }</span>
                { button(id, Way::Up, up, "M8 13V3M3.5 7.5L8 3l4.500 4.500", at == 0) }
                { button(id, Way::Down, down, "M8 3v10M3.5 8.500L8 13l4.500-4.500", at + 1 == ids.len()) }
            </li>
        }
    };
    html! { <ol class="quiz-order">{ for ids.iter().enumerate().map(item) }</ol> }
}

/// A field for a number with its unit. Enter checks it.
pub fn number(
    handle: &LabHandle,
    question: &Question,
    typed: &str,
    problem: Option<Problem>,
) -> Html {
    let text = &ui().quiz.ask;
    let oninput = {
        let handle = handle.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                handle.send(Msg::Quiz(QuizMsg::Type { text: input.value() }));
            }
        })
    };
    let onkeydown = {
        let handle = handle.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                event.prevent_default();
                handle.send(Msg::Quiz(QuizMsg::Check));
            }
        })
    };
    html! {
        <div class="quiz-number">
            <label for="quiz-number">{ (text.number)(question.unit) }</label>
            <input
                type="text" id="quiz-number" inputmode="decimal" autocomplete="off"
                aria-label={(text.number)(question.unit)} aria-describedby={format!("{WITHIN} {PROBLEM}")}
                aria-invalid={problem.map(|_| "true")} value={typed.to_owned()}
                {oninput} {onkeydown}
            />
            <span>{ (text.unit)(question.unit) }</span>
            <p class="hint" id={WITHIN}>{ (text.within)(question.unit, question.within) }</p>
        </div>
    }
}

/// The event that is selected in the lab, or what is missing for one.
pub fn event(handle: &LabHandle, lab: &Lab) -> Html {
    let text = &ui().quiz.ask;
    match lab.picked() {
        Picked::OtherRun => html! {
            <>
                <p>{ text.other_run }</p>
                <button
                    type="button" id="quiz-open-run" class="quiz-main"
                    onclick={handle.on(Msg::Quiz(QuizMsg::OpenRun))}
                >
                    { text.open_run }
                </button>
            </>
        },
        Picked::Nothing => html! { <p id="quiz-picked">{ text.no_event }</p> },
        Picked::Event(_, said) => html! {
            <p id="quiz-picked" class="picked">
                <span class="eyebrow">{ text.selected }</span><br />
                { said }
            </p>
        },
    }
}

/// A question's kind of answer as it is put together.
pub fn draft(handle: &LabHandle, lab: &Lab, question: &Question) -> Html {
    let Some((_, _, asking)) = lab.quiz().asked() else { return html! {} };
    match &asking.draft {
        Draft::Options(ids) => match question.kind {
            Kind::Order => order(handle, question, ids),
            Kind::Line => lines(handle, question, &asking.program, ids),
            _ => options(handle, question, ids),
        },
        Draft::Number(typed) => number(handle, question, typed, asking.problem),
        Draft::Event => event(handle, lab),
    }
}
