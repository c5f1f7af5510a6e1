//! A worker's program as a list of steps in their order.

use crate::app::list::{List, option};
use crate::host::focus;
use crate::lab::bench::shown::Shown;
use crate::text::ui::ui;
use yew::prelude::*;

/// What is done to the list.
#[derive(Clone, Copy)]
enum Change {
    Up(usize),
    Down(usize),
    Remove(usize),
}

impl Change {
    fn of(self, steps: &[String]) -> Vec<String> {
        let mut steps = steps.to_vec();
        match self {
            Change::Up(place) if place > 0 => steps.swap(place, place - 1),
            Change::Down(place) if place + 1 < steps.len() => steps.swap(place, place + 1),
            Change::Remove(place) => {
                steps.remove(place);
            }
            Change::Up(_) | Change::Down(_) => {}
        }
        steps
    }
}

/// The steps, each with buttons that move it or take it out, and a list to add one.
pub fn steps(
    shown: &Shown,
    names: &'static [&'static str],
    worker: Option<&AttrValue>,
    set: &Callback<String>,
) -> Html {
    let text = &ui().bench;
    let steps: Vec<String> = shown.typed.split_whitespace().map(str::to_owned).collect();
    let path = shown.field.path;
    let words = move |name: &str| (text.choice)(path, name).map_or("", |words| words.0);
    let id = format!("bench-{}", shown.path);
    let worker = worker.map(AttrValue::as_str).unwrap_or_default();
    let row = |(place, name): (usize, &String)| {
        let word = words(name);
        let at = |change: Change, says: String, mark: &'static str, to: usize| {
            let (steps, set) = (steps.clone(), set.clone());
            let kind = match change {
                Change::Up(_) => "up",
                Change::Down(_) => "down",
                Change::Remove(_) => "remove",
            };
            let next = format!("{id}-{to}-{kind}");
            let onclick = Callback::from(move |_: MouseEvent| {
                // What moves keeps the focus at its new place.
                focus::on(&next);
                set.emit(change.of(&steps).join(" "));
            });
            html! {
                <button
                    type="button" class="icon" id={format!("{id}-{place}-{kind}")}
                    aria-label={says.clone()} title={says} {onclick}
                >
                    { mark }
                </button>
            }
        };
        let last = steps.len() - 1;
        html! {
            <li key={place}>
                <span>{ word }</span>
                { at(Change::Up(place), (text.up)(word, place + 1), "↑", place.saturating_sub(1)) }
                { at(Change::Down(place), (text.down)(word, place + 1), "↓", last.min(place + 1)) }
                { at(Change::Remove(place), (text.remove_step)(word, place + 1), "✕", place) }
            </li>
        }
    };
    html! {
        <div class="bench-steps">
            <ol aria-label={(text.steps)(worker)}>{ for steps.iter().enumerate().map(row) }</ol>
            <AddStep {names} steps={shown.typed.clone()} worker={worker.to_owned()} set={set.clone()} />
        </div>
    }
}

/// The steps there are, the program, and what sets it.
#[derive(Clone, PartialEq, Properties)]
struct AddProps {
    names: &'static [&'static str],
    steps: String,
    worker: String,
    set: Callback<String>,
}

/// A list of steps, and the button that adds the one chosen.
#[component]
fn AddStep(props: &AddProps) -> Html {
    let text = &ui().bench;
    let AddProps { names, steps, worker, set } = props;
    let chosen_step = use_state(|| names[0].to_owned());
    let on = {
        let setter = chosen_step.setter();
        Callback::from(move |name: String| setter.set(name))
    };
    let onclick = {
        let (name, steps) = (chosen_step.clone(), steps.clone());
        set.reform(move |_: MouseEvent| {
            let mut steps: Vec<&str> = steps.split_whitespace().collect();
            // A release comes last, so what is added stands before it.
            let is_last = steps.last() == Some(&"release");
            steps.insert(steps.len() - usize::from(is_last), &name);
            steps.join(" ")
        })
    };
    let words = |name: &str| (text.choice)("program", name).map_or("", |words| words.0);
    html! {
        <div class="acts">
            <List
                label={(text.of_worker)(text.step, worker)} chosen={(*chosen_step).clone()} {on}
            >
                { for names.iter().map(|name| option(*name, words(name))) }
            </List>
            <button type="button" aria-label={(text.of_worker)(text.add_step, worker)} {onclick}>
                { text.add_step }
            </button>
        </div>
    }
}
