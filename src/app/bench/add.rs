//! The form that adds a click: to what, what, how long, when.

use super::clicks::unit;
use super::{Commit, now, typed};
use crate::app::handle::LabHandle;
use crate::app::list::{List, option};
use crate::lab::bench::Edit;
use crate::lab::bench::clicks::{amount_text, kind, moment, moment_text, targets, with_text};
use crate::lab::faults::amount;
use crate::scenario::clicks::{ClickSpec, Do};
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, for its machines and its moment, and what makes edits.
#[derive(Clone, PartialEq, Properties)]
pub struct AddProps {
    /// The lab.
    pub lab: LabHandle,
    /// Makes edits.
    pub commit: Commit,
}

/// What has been chosen and typed; none is as proposed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    target: String,
    action: usize,
    amount: Option<String>,
    at: Option<String>,
    problem: Option<String>,
}

/// The form. Not a `<form>`: in a sandboxed frame those never submit.
#[component]
pub fn AddClick(props: &AddProps) -> Html {
    let text = &ui().bench;
    let state = use_state(Draft::default);
    let lab = props.lab.lab();
    let targets = targets(lab.open().run());
    // Workers are what most is done to.
    let first = lab.open().scenario().spec().workers[0].name.clone();
    let named = |name: &str| targets.iter().position(|target| target.name == name);
    let target = named(&state.target).or(named(&first)).unwrap_or_default();
    let actions = &targets[target].actions;
    let chosen = if state.action < actions.len() { state.action } else { 0 };
    let action = actions[chosen].clone();
    let edit = |change: fn(&mut Draft, String)| {
        let state = state.clone();
        Callback::from(move |value: String| {
            let mut draft = Draft { problem: None, ..(*state).clone() };
            change(&mut draft, value);
            state.set(draft);
        })
    };
    let on_target = edit(|draft, name| {
        *draft = Draft { target: name, at: draft.at.take(), ..Draft::default() };
    });
    let on_action = edit(|draft, place| {
        (draft.action, draft.amount) = (place.parse().unwrap_or_default(), None);
    });
    let on_amount = edit(|draft, typed| draft.amount = Some(typed));
    let on_at = edit(|draft, typed| draft.at = Some(typed));
    let onclick = on_add(props, &state, action.clone());
    let number = |label, value: String, unit, on: Callback<String>| {
        html! {
            <label class="field">
                <span>{ label }{ " " }</span>
                <input
                    type="text" class="narrow" inputmode="decimal" {value}
                    onchange={on.reform(|event: Event| typed(&event))}
                />
                <span>{ unit }</span>
            </label>
        }
    };
    let at = state.at.clone().unwrap_or_else(|| moment_text(now(&props.lab)));
    html! {
        <div class="bench-add" role="group" aria-label={text.add}>
            { list(text.what, (&on_action, chosen.to_string()), actions.iter().enumerate().map(
                |(place, one)| option(place.to_string(), kind(one))
            ).collect()) }
            { list(text.whom, (&on_target, targets[target].name.clone()), targets.iter().map(
                |one| option(one.name.clone(), one.name.clone())
            ).collect()) }
            if let Some(amount) = amount(&action) {
                { number(
                    text.amount, state.amount.clone().unwrap_or_else(|| amount_text(amount)),
                    unit(amount), on_amount,
                ) }
            }
            { number(text.moment, at, ui().faults.seconds, on_at) }
            <button type="button" id="bench-add" {onclick}>{ text.add_click }</button>
            if let Some(problem) = &state.problem {
                <span class="note" role="alert">{ problem }</span>
            }
        </div>
    }
}

/// Adds what was chosen and typed, or says what is wrong with it.
fn on_add(props: &AddProps, state: &UseStateHandle<Draft>, action: Do) -> Callback<MouseEvent> {
    let (state, commit, lab) = (state.clone(), props.commit.clone(), props.lab.clone());
    Callback::from(move |_: MouseEvent| {
        let click = || {
            let r#do = match &state.amount {
                Some(typed) => with_text(&action, typed)?,
                None => action.clone(),
            };
            let at = state.at.as_deref().map_or(Ok(now(&lab)), moment)?;
            Ok(Edit::AddClick(ClickSpec { at_us: at.0, r#do }))
        };
        let problem = match click() {
            Ok(edit) => commit.emit(edit),
            Err(problem) => Some(str::to_owned(problem)),
        };
        state.set(Draft { problem, ..(*state).clone() });
    })
}

fn list(
    label: &'static str,
    (on, chosen): (&Callback<String>, String),
    options: Vec<Html>,
) -> Html {
    html! {
        <label class="field">
            <span>{ label }</span>
            <List {chosen} on={on.clone()}>{ for options }</List>
        </label>
    }
}
