//! What two runs have in common and what not, in words.

use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::compare::{Comparison, Difference, proof};
use crate::lab::facts::{VerdictFacts, verdict};
use crate::lab::{Lab, Msg, Open};
use crate::sim::event::EventId;
use crate::text::ui::ui;
use crate::text::{amounts, en};
use yew::prelude::*;

/// So many differences are listed.
const LISTED: usize = 40;

/// The heading, the verdicts and the differences.
#[inline(never)]
pub fn told(handle: &LabHandle, lab: &Lab, other: &Open, comparison: &Comparison) -> Html {
    let text = &ui().compare;
    let here = lab.open();
    html! {
        <>
            <h3 id={super::TITLE} tabindex="-1" aria-describedby="compare-first">
                { (text.title)(here.number(), other.number()) }
            </h3>
            if comparison.is_begun {
                <div class="compare-told">
                    <div>
                        <h4 class="eyebrow">{ text.verdicts }</h4>
                        { verdicts(here, other) }
                        { caution(handle, other) }
                    </div>
                    <div>
                        <h4 class="eyebrow">{ text.differences }</h4>
                        { differences(handle, here, other, comparison) }
                    </div>
                </div>
            } else {
                <p id="compare-first">{ text.not_begun }</p>
            }
        </>
    }
}

/// A row of the verdicts: what, and how it stands in both.
struct Row {
    what: &'static str,
    values: [String; 2],
}

fn rows(here: &Open, other: &Open) -> Vec<Row> {
    let text = &ui().compare;
    let facts = [verdict(here), verdict(other)];
    let of = |what, value: &dyn Fn(&VerdictFacts) -> String| Row {
        what,
        values: [value(&facts[0]), value(&facts[1])],
    };
    let mut rows = vec![
        of(text.stale, &|facts| facts.stale.to_string()),
        of(text.late, &|facts| facts.late.to_string()),
        of(text.booked, &|facts| {
            (ui().verdict.of)(&amounts::money(facts.booked), &amounts::money(facts.owed))
        }),
    ];
    rows.extend(proof::promises([here, other]).into_iter().map(|(id, stand)| Row {
        what: en::property(id),
        values: stand.map(|promise| (text.promise)(promise).to_owned()),
    }));
    rows
}

/// That a run broke nothing shows nothing of other clicks, and where one is told of that did.
fn caution(handle: &LabHandle, other: &Open) -> Html {
    let text = &ui().compare;
    let Some(tried) = proof::tried(other) else { return Html::default() };
    let elsewhere = other.broken_elsewhere().map(|it| {
        let load = handle.on(Msg::Load { scenario: it.run.clone() });
        html! {
            <p>
                { text.elsewhere }{ " " }
                <button type="button" class="quiet" id="compare-elsewhere" onclick={load}>
                    { it.label.clone() }
                </button>
            </p>
        }
    });
    html! {
        <>
            <p class="hint" id="compare-caution">{ (text.tried)(other.number(), tried) }</p>
            { elsewhere }
        </>
    }
}

fn verdicts(here: &Open, other: &Open) -> Html {
    let text = &ui().compare;
    let row = |row: Row| {
        let differs = row.values[0] != row.values[1];
        let [one, two] = row.values;
        html! {
            <tr key={row.what} class={differs.then_some("differs")}>
                <th scope="row">
                    { row.what }
                    if differs { { " " }<span class="tag">{ text.differs }</span> }
                </th>
                <td>{ one }</td>
                <td>{ two }</td>
            </tr>
        }
    };
    html! {
        <table class="compare-verdicts">
            <thead>
                <tr>
                    <th scope="col">{ text.what }</th>
                    <th scope="col">{ (text.run)(here.number()) }</th>
                    <th scope="col">{ (text.run)(other.number()) }</th>
                </tr>
            </thead>
            <tbody>{ for rows(here, other).into_iter().map(row) }</tbody>
        </table>
    }
}

fn differences(handle: &LabHandle, here: &Open, other: &Open, comparison: &Comparison) -> Html {
    let text = &ui().compare;
    let until = amounts::moment(comparison.until);
    let Some(first) = comparison.first(here, other) else {
        return html! { <p id="compare-first">{ (text.none_yet)(&until) }</p> };
    };
    let count = comparison.differences.len();
    let row = |difference: &Difference| {
        html! {
            <tr key={format!("{:?}", (difference.here, difference.there))}>
                <td>{ own(handle, here, difference.here) }</td>
                <td>{ others(other, difference.there) }</td>
            </tr>
        }
    };
    html! {
        <>
            <p id="compare-first">{ (text.first)(&amounts::moment(first), count, &until) }</p>
            <table class="compare-list">
                <thead>
                    <tr>
                        <th scope="col">{ (text.run)(here.number()) }</th>
                        <th scope="col">{ (text.run)(other.number()) }</th>
                    </tr>
                </thead>
                <tbody>{ for comparison.differences.iter().take(LISTED).map(row) }</tbody>
            </table>
            if count > LISTED { <p>{ (text.more)(count - LISTED) }</p> }
        </>
    }
}

/// An event of the run one looks at: a press selects it.
fn own(handle: &LabHandle, open: &Open, id: Option<EventId>) -> Html {
    let Some(id) = id else { return others(open, None) };
    html! {
        <button type="button" class="event-line" onclick={handle.on(Msg::JumpTo(id))}>
            { line(open, id) }
        </button>
    }
}

fn others(open: &Open, id: Option<EventId>) -> Html {
    match id {
        Some(id) => html! { <span class="event-line">{ line(open, id) }</span> },
        None => html! { <span class="none">{ ui().compare.not_here }</span> },
    }
}

fn line(open: &Open, id: EventId) -> Html {
    let event = &open.replay().trace()[id.index()];
    let names = open.scenario().names();
    html! {
        <>
            <span class="at mono">{ amounts::moment(event.at) }</span>{ " " }
            <span class={classes!("by", Identity::of(names, event.node).class())}>
                { names.of(event.node) }
            </span>{ " " }
            <span class="what">{ en::event(event, open.who()) }</span>
        </>
    }
}
