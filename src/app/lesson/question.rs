//! A prediction: asked, kept, and met by what happened.

use super::rich::with_code;
use crate::app::guide::ToNext;
use crate::app::handle::LabHandle;
use crate::lab::Msg;
use crate::learn::{Asked, Choice, Met, Question};
use crate::text::ui::ui;
use yew::prelude::*;

/// A question as it stands.
pub fn question(handle: &LabHandle, question: &Question, asked: Asked) -> Html {
    match asked {
        Asked::NotYet => html! {},
        Asked::Open(chosen) => open(handle, question, chosen),
        Asked::Met(met) => self::met(handle, question, &met),
    }
}

fn open(handle: &LabHandle, question: &Question, chosen: Option<&Choice>) -> Html {
    let text = &ui().lesson;
    let hint = format!("{}-hint", question.id);
    let option = |option: &Choice| {
        let is_chosen = chosen.is_some_and(|chosen| chosen.id == option.id);
        let msg = Msg::Predict { question: question.id.clone(), option: option.id.clone() };
        html! {
            <label key={option.id.clone()} class={classes!("option", is_chosen.then_some("chosen"))}>
                <input
                    type="radio" name={question.id.clone()}
                    id={format!("{}-{}", question.id, option.id)}
                    checked={is_chosen} onchange={handle.on(msg)}
                />
                <span>{ with_code(&option.text) }</span>
            </label>
        }
    };
    html! {
        <fieldset key={question.id.clone()} class="quiz" id={question.id.clone()} aria-describedby={hint.clone()}>
            <legend>
                <span class="eyebrow">{ text.predict }</span>{ " " }
                <strong>{ with_code(&question.text) }</strong>
            </legend>
            { for question.options.iter().map(option) }
            <p id={hint} class="hint">
                { if chosen.is_some() { text.kept } else { text.optional } }
            </p>
            <ToNext lab={handle.clone()} id={format!("{}-next", question.id)} />
        </fieldset>
    }
}

fn met(handle: &LabHandle, question: &Question, met: &Met) -> Html {
    let text = &ui().lesson;
    let is_right = met.chosen.is_some_and(|chosen| chosen.id == met.right.id);
    html! {
        <section key={question.id.clone()} class="quiz" id={question.id.clone()}>
            <strong>{ with_code(&question.text) }</strong>
            if let Some(chosen) = met.chosen {
                <p><span class="eyebrow">{ text.predicted }</span><br />{ with_code(&chosen.text) }</p>
                <p class={if is_right { "met right" } else { "met wrong" }}>
                    <b>{ if is_right { text.right } else { text.wrong } }</b>{ " " }
                    { with_code(if is_right { &chosen.right } else { &chosen.wrong }) }
                </p>
            }
            if !is_right { { happened(met) } }
            <button type="button" class="quiet" onclick={show(handle, met)}>{ text.show }</button>
        </section>
    }
}

/// What came true, for who predicted another thing or nothing.
fn happened(met: &Met) -> Html {
    html! {
        <p class="met">
            <span class="eyebrow">{ ui().lesson.happened }</span><br />
            <b>{ with_code(&met.right.text) }</b>
            if met.chosen.is_none() { { " " }{ with_code(&met.right.right) } }
        </p>
    }
}

/// Goes to the run and to the event that decided it.
fn show(handle: &LabHandle, met: &Met) -> Callback<MouseEvent> {
    let (handle, run, event) = (handle.clone(), met.run, met.event);
    Callback::from(move |_| {
        if handle.lab().active() != run {
            handle.send(Msg::Show { run });
        }
        handle.send(Msg::JumpTo(event));
    })
}
