//! A worker's program with the line at which it stands, and in a line where the
//! others stand.

use crate::actors::Actor;
use crate::actors::worker::Worker;
use crate::app::handle::LabHandle;
use crate::app::list::{List, option};
use crate::lab::why::Why as Told;
use crate::lab::{Lab, Msg};
use crate::scenario::names::Role;
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::world::World;
use crate::text::program::{Language, Place, lines, place, standing};
use crate::text::ui::ui;
use yew::prelude::*;

fn worker(world: &World<Actor>, id: NodeId) -> &Worker {
    match &world.node(id).process {
        Actor::Worker(worker) => worker,
        other => unreachable!("a worker is a worker: {}", InFull(&other)),
    }
}

/// The program of the event's worker, and the others.
pub fn program(handle: &LabHandle, lab: &Lab, told: &Told) -> Html {
    let text = &ui().why;
    let names = lab.open().scenario().names();
    let others = names.with(Role::Worker).filter(|id| *id != told.worker);
    let others: Vec<Html> =
        others.map(|id| in_a_line(names.of(id), &told.after, id, lab.language())).collect();
    html! {
        <>
            <div class="program-head">
                <h3 class="eyebrow">{ (text.program)(names.of(told.worker)) }</h3>
                { languages(handle, lab.language()) }
            </div>
            { code(&told.after, told.worker, lab.language()) }
            { on_error(lab.language()) }
            if !others.is_empty() {
                <h3 class="eyebrow">{ text.others }</h3>
                <ul class="others">{ for others }</ul>
            }
        </>
    }
}

fn on_error(language: Language) -> Html {
    let (code, rest) = language.on_error();
    html! {
        <p class="on-error">
            if !code.is_empty() { <code>{ code }</code> }
            { rest }
        </p>
    }
}

/// What programs are shown in, chosen once for all of them.
fn languages(handle: &LabHandle, chosen: Language) -> Html {
    let on = {
        let handle = handle.clone();
        Callback::from(move |value: String| {
            let place = value.parse::<usize>().ok();
            if let Some(language) = place.and_then(|place| Language::ALL.get(place)) {
                handle.send(Msg::SpellIn(*language));
            }
        })
    };
    let place = Language::ALL.iter().position(|language| *language == chosen);
    let chosen = place.unwrap_or_default().to_string();
    let option = |(place, language): (usize, &Language)| option(place.to_string(), language.name());
    html! {
        <label class="field">
            <span>{ ui().why.language }</span>
            <List id="language" {chosen} {on}>{ for Language::ALL.iter().enumerate().map(option) }</List>
        </label>
    }
}

/// A list of lines: where it stands is said by a word, not by colour alone.
fn code(world: &World<Actor>, id: NodeId, language: Language) -> Html {
    let text = &ui().why;
    let worker = worker(world, id);
    let (place, standing) = (place(worker), standing(worker, world.node(id).status));
    let edge = |where_: &'static str| {
        html! { <li key={where_} class="at edge" aria-current="step">{ where_ }{ ": " }{ standing }</li> }
    };
    let line = |(at, line): (usize, String)| {
        let is_here = place == Place::At(at);
        html! {
            <li key={at} class={is_here.then_some("at")} aria-current={is_here.then_some("step")}>
                <code>{ line }</code>
                if is_here { { " " }<span class="here">{ "◀ " }{ standing }</span> }
            </li>
        }
    };
    html! {
        <ol class="program">
            if place == Place::Before { { edge(text.before) } }
            { for lines(worker.config(), language).into_iter().enumerate().map(line) }
            if place == Place::After { { edge(text.after) } }
        </ol>
    }
}

fn in_a_line(name: &str, world: &World<Actor>, id: NodeId, language: Language) -> Html {
    let worker = worker(world, id);
    let line = match place(worker) {
        Place::At(at) => lines(worker.config(), language).into_iter().nth(at),
        Place::Before | Place::After => None,
    };
    html! {
        <li key={id.0}>
            { (ui().why.other)(name, standing(worker, world.node(id).status)) }
            if let Some(line) = line { { ": " }<code>{ line }</code> }
        </li>
    }
}
