//! The head of the list: how many there are, and what it is narrowed to.

use crate::app::list::{List, option};
use crate::lab::filter::{Filter, Kind, Place};
use crate::lab::{Msg, Playing, Routine};
use crate::scenario::names::Names;
use crate::text::ui::ui;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Names the list of machines on the page.
pub const PLACES: &str = "events-place";

/// What the head says.
#[derive(Clone, PartialEq, Properties)]
pub struct HeadProps {
    /// Whom to tell.
    pub send: Callback<Msg>,
    /// The machines.
    pub names: Names,
    /// Whether routine events are shown.
    pub routine: Routine,
    /// What the list is narrowed to.
    pub filter: Filter,
    /// Whether the run plays.
    pub playing: Playing,
    /// How many of those listed have happened.
    pub happened: usize,
    /// How many are listed.
    pub all: usize,
    /// How many would be without the filter.
    pub unfiltered: usize,
    /// Whether the event selected is not listed.
    pub hides_selected: bool,
}

/// The head.
#[component]
pub fn Head(props: &HeadProps) -> Html {
    let text = &ui().events;
    let is_narrowed = !props.filter.is_empty();
    let count = match is_narrowed {
        true => (text.matches)(props.all, props.unfiltered),
        false => (text.count)(props.happened, props.all),
    };
    html! {
        <div class="events-head" role="search" aria-label={text.narrow}>
            <h2>{ text.title }</h2>
            <span class="eyebrow" id="events-count">{ count.clone() }</span>
            // Said when one looks for something, and not of every event that comes.
            <span class="unseen" aria-live="polite">
                { if is_narrowed && props.playing == Playing::No { count } else { String::new() } }
            </span>
            <span class="grow"></span>
            { routine(props) }
            <Choose
                send={props.send.clone()} names={props.names.clone()}
                filter={props.filter.clone()}
            />
            if props.hides_selected { <p class="hint" id="events-hidden">{ text.hides_selected }</p> }
        </div>
    }
}

/// What the list is narrowed to, which changes more seldom than how many there are.
#[derive(Clone, PartialEq, Properties)]
struct ChooseProps {
    send: Callback<Msg>,
    names: Names,
    filter: Filter,
}

#[component]
fn Choose(props: &ChooseProps) -> Html {
    let clear = props.send.reform(|_: MouseEvent| Msg::ShowEvents(Filter::default()));
    html! {
        <div class="events-filter">
            { places(props) }
            { kinds(props) }
            { words(props) }
            if !props.filter.is_empty() {
                <button type="button" id="events-clear" onclick={clear}>{ ui().events.clear }</button>
            }
        </div>
    }
}

fn routine(props: &HeadProps) -> Html {
    let text = &ui().events;
    let is_shown = props.routine == Routine::Shown;
    let other = if is_shown { Routine::Hidden } else { Routine::Shown };
    html! {
        <>
            <label class="field">
                <input
                    type="checkbox" id="events-routine" checked={is_shown}
                    aria-describedby="events-routine-does"
                    onchange={props.send.reform(move |_: Event| Msg::ShowRoutine(other))}
                />
                <span>{ text.routine }</span>
            </label>
            <span class="hint" id="events-routine-does">{ text.routine_does }</span>
        </>
    }
}

fn places(props: &ChooseProps) -> Html {
    let text = &ui().events;
    let all = Filter::places(&props.names);
    let label = |place: Place| match place {
        Place::Any => text.any_place.to_owned(),
        Place::Service => text.any_member.to_owned(),
        Place::Machine(id) => props.names.of(id).to_owned(),
    };
    let labels = all.iter().map(|place| label(*place)).collect();
    let chosen = all.iter().position(|place| *place == props.filter.place);
    let (send, filter) = (props.send.clone(), props.filter.clone());
    let choose = Callback::from(move |at: usize| {
        send.emit(Msg::ShowEvents(Filter { place: all[at], ..filter.clone() }));
    });
    list(PLACES, text.place, labels, chosen, choose)
}

fn kinds(props: &ChooseProps) -> Html {
    let text = &ui().events;
    let labels = text.kinds.iter().map(|label| (*label).to_owned()).collect();
    let chosen = Kind::ALL.iter().position(|kind| *kind == props.filter.kind);
    let (send, filter) = (props.send.clone(), props.filter.clone());
    let choose = Callback::from(move |at: usize| {
        send.emit(Msg::ShowEvents(Filter { kind: Kind::ALL[at], ..filter.clone() }));
    });
    list("events-kind", text.kind, labels, chosen, choose)
}

/// A list to choose from.
fn list(
    id: &'static str,
    label: &'static str,
    labels: Vec<String>,
    chosen: Option<usize>,
    choose: Callback<usize>,
) -> Html {
    let on = Callback::from(move |value: String| {
        if let Ok(at) = value.parse() {
            choose.emit(at);
        }
    });
    let chosen = chosen.map(|place| place.to_string()).unwrap_or_default();
    html! {
        <label class="field">
            <span>{ label }</span>
            <List {id} {chosen} {on}>
                { for labels.into_iter().enumerate().map(|(place, label)| {
                    option(place.to_string(), label)
                }) }
            </List>
        </label>
    }
}

fn words(props: &ChooseProps) -> Html {
    let text = &ui().events;
    let (send, filter) = (props.send.clone(), props.filter.clone());
    let oninput = Callback::from(move |event: InputEvent| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            send.emit(Msg::ShowEvents(Filter { words: input.value(), ..filter.clone() }));
        }
    });
    html! {
        <label class="field search">
            <span>{ text.words }</span>
            <input
                type="search" id="events-words" autocomplete="off" spellcheck="false"
                value={props.filter.words.clone()} {oninput}
            />
        </label>
    }
}
