//! A field with its label, its unit, what the scenario has there, and what is wrong with
//! what was typed.

use super::{Commit, steps, typed};
use crate::app::list::{List, option};
use crate::lab::bench::fields::Kind;
use crate::lab::bench::shown::Shown;
use crate::text::ui::bench::Words;
use crate::text::ui::ui;
use yew::prelude::*;

/// A field and what it holds.
#[derive(Clone, PartialEq, Properties)]
pub struct FieldProps {
    /// Which, and what it holds.
    pub shown: Shown,
    /// Whose it is, if it is a worker's.
    pub worker: Option<AttrValue>,
    /// Sets it.
    pub commit: Commit,
}

/// What was typed and is no value, until something else is there.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    basis: String,
    typed: String,
    problem: String,
}

/// The field.
#[component]
pub fn FieldRow(props: &FieldProps) -> Html {
    let FieldProps { shown, worker, commit } = props;
    let text = &ui().bench;
    let words = (text.field)(shown.field.path);
    let state = use_state(|| None::<Draft>);
    let draft = state.as_ref().filter(|draft| draft.basis == shown.typed).cloned();
    let set: Callback<String> = {
        let (state, shown, commit) = (state.setter(), shown.clone(), commit.clone());
        Callback::from(move |typed: String| {
            let problem = match shown.edit(&typed) {
                Ok(edit) => commit.emit(edit),
                Err(problem) => Some(problem.to_owned()),
            };
            let basis = shown.typed.clone();
            state.set(problem.map(|problem| Draft { basis, typed, problem }));
        })
    };
    let label = match worker {
        Some(worker) => (text.of_worker)(words.label, worker),
        None => words.label.to_owned(),
    };
    let reset = shown.reset().map(|edit| {
        let (commit, state) = (commit.clone(), state.setter());
        let onclick = Callback::from(move |_: MouseEvent| {
            state.set(None);
            drop(commit.emit(edit.clone()));
        });
        html! {
            <button type="button" class="quiet" aria-label={(text.reset_of)(&label)} {onclick}>
                { text.reset }
            </button>
        }
    });
    let id = format!("bench-{}", shown.path);
    let problem = draft.as_ref().map(|draft| draft.problem.clone());
    let is_long = matches!(shown.field.kind, Kind::Some(_) | Kind::Steps(_))
        || matches!(shown.field.path, "title" | "goal");
    html! {
        <div class={classes!("bench-field", is_long.then_some("long"), shown.was.is_some().then_some("changed"))}>
            <span class="bench-label" id={format!("{id}-label")}>{ words.label }</span>
            { control(shown, &label, words, draft.as_ref(), &set, worker.as_ref()) }
            if let Some(problem) = problem {
                <span class="note" role="alert" id={format!("{id}-note")}>{ problem }</span>
            }
            { about(shown, words) }
            if !shown.loses.is_empty() {
                <span class="note lost" role="status">{ (text.lost_to)(&shown.loses) }</span>
            }
            if let Some(reset) = reset {
                <span class="bench-was">{ was(shown, words) }{ " " }{ reset }</span>
            }
        </div>
    }
}

fn was(shown: &Shown, words: Words) -> String {
    let text = &ui().bench;
    let was = shown.was.clone().unwrap_or_default();
    let said = match shown.field.kind {
        Kind::One(_) => {
            (text.choice)(shown.field.path, &was).map_or(was, |(label, _)| label.into())
        }
        Kind::Some(names) | Kind::Steps(names) => {
            let is_known = |name: &&str| names.contains(name);
            let said = was.split(' ').filter(is_known);
            let said = said.filter_map(|name| (text.choice)(shown.field.path, name));
            said.map(|(label, _)| label).collect::<Vec<_>>().join(", ")
        }
        _ => was,
    };
    if said.is_empty() { text.was_nothing.to_owned() } else { (text.was)(&said, words.unit) }
}

/// What it does, or what the choice made does.
fn about(shown: &Shown, words: Words) -> Html {
    let choice = match shown.field.kind {
        Kind::One(_) => (ui().bench.choice)(shown.field.path, &shown.typed),
        _ => None,
    };
    let said = choice.map_or(words.help, |(_, why)| why);
    if said.is_empty() {
        return html! {};
    }
    html! { <span class="note">{ said }</span> }
}

fn control(
    shown: &Shown,
    label: &str,
    words: Words,
    draft: Option<&Draft>,
    set: &Callback<String>,
    worker: Option<&AttrValue>,
) -> Html {
    let path = shown.field.path;
    match shown.field.kind {
        Kind::One(names) => {
            html! {
                <List label={label.to_owned()} chosen={shown.typed.clone()} on={set.clone()}>
                    { for names.iter().map(|name| {
                        let words = (ui().bench.choice)(path, name).map_or(*name, |words| words.0);
                        option(*name, words)
                    }) }
                </List>
            }
        }
        Kind::Some(names) => boxes(shown, names, set),
        Kind::Steps(names) => steps::steps(shown, names, worker, set),
        _ => input(shown, label, words, draft, set),
    }
}

fn input(
    shown: &Shown,
    label: &str,
    words: Words,
    draft: Option<&Draft>,
    set: &Callback<String>,
) -> Html {
    let value = draft.map_or(shown.typed.clone(), |draft| draft.typed.clone());
    let (mode, class) = match shown.field.kind {
        Kind::Text | Kind::Words => ("text", "wide"),
        _ => ("decimal", "narrow"),
    };
    let name = [label, words.unit].join(" ");
    html! {
        <span class="bench-input">
            <input
                type="text" inputmode={mode} {class} {value} aria-label={name.trim_end().to_owned()}
                aria-invalid={draft.map(|_| "true")}
                aria-describedby={draft.map(|_| format!("bench-{}-note", shown.path))}
                onchange={set.reform(|event: Event| typed(&event))}
            />
            if !words.unit.is_empty() { { " " }{ words.unit } }
        </span>
    }
}

/// Several of several, each in or not.
fn boxes(shown: &Shown, names: &'static [&'static str], set: &Callback<String>) -> Html {
    let is_in = |name: &str| shown.typed.split(' ').any(|other| other == name);
    let one = |name: &&'static str| {
        let name = *name;
        let (checked, typed) = (is_in(name), shown.typed.clone());
        let onchange = set.reform(move |_: Event| {
            let was = |other: &&str| typed.split(' ').any(|one| one == *other);
            let is = names.iter().copied().filter(|other| was(other) != (*other == name));
            is.collect::<Vec<_>>().join(" ")
        });
        let label = (ui().bench.choice)(shown.field.path, name).map_or(name, |words| words.0);
        html! {
            <label class="field" key={name}>
                <input type="checkbox" {checked} {onchange} />
                <span>{ label }</span>
            </label>
        }
    };
    html! {
        <div class="bench-boxes" role="group" aria-labelledby={format!("bench-{}-label", shown.path)}>
            { for names.iter().map(one) }
        </div>
    }
}
