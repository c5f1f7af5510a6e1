//! How the run stands, in five facts that stay in sight.

use crate::app::handle::LabHandle;
use crate::lab::facts::{self, VerdictFacts};
use crate::lab::{Msg, Open};
use crate::text::ui::ui;
use crate::text::{amounts, en};
use yew::prelude::*;

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
pub struct VerdictProps {
    /// The lab.
    pub lab: LabHandle,
}

/// Whether a fact is as it should be.
#[derive(Clone, Copy)]
enum Mood {
    Plain,
    Good,
    Bad,
}

/// The strip.
#[component]
pub fn Verdict(props: &VerdictProps) -> Html {
    let text = &ui().verdict;
    let lab = props.lab.lab();
    let open = lab.open();
    let facts = facts::verdict(open);
    html! {
        <section class="verdict panel" aria-label={text.strip}>
            <dl>
                { believe(&facts, open) }
                { granted(&facts, open) }
                { stale(&facts) }
                { booked(&facts) }
                { promised(&facts, &props.lab) }
            </dl>
        </section>
    }
}

/// One fact: its name, how it stands, and the word that stands for the name where
/// there is no room.
fn cell(label: &'static str, short: &'static str, mood: Mood, value: Html) -> Html {
    let class = match mood {
        Mood::Plain => "",
        Mood::Good => "good",
        Mood::Bad => "bad",
    };
    let mark = match mood {
        Mood::Plain => "",
        Mood::Good => "✓",
        Mood::Bad => "✕",
    };
    html! {
        <div key={label} {class}>
            <dt>{ label }</dt>
            <dd>
                if !mark.is_empty() { <span class="mark" aria-hidden="true">{ mark }</span> }
                <b>{ value }</b>
                <span class="short" aria-hidden="true">{ short }</span>
            </dd>
        </div>
    }
}

fn believe(facts: &VerdictFacts, open: &Open) -> Html {
    let text = &ui().verdict;
    let names = open.scenario().names();
    let all: Vec<&str> = facts.believe.iter().map(|id| names.of(*id)).collect();
    let is_true = |id| facts.granted.iter().any(|held| held.node == Some(id));
    let mood = match &facts.believe[..] {
        [] => Mood::Plain,
        [one] if is_true(*one) => Mood::Plain,
        _ => Mood::Bad,
    };
    let value = if all.is_empty() { text.nobody.to_owned() } else { (text.and)(&all) };
    cell(text.believe, text.believe_short, mood, value.into())
}

fn granted(facts: &VerdictFacts, open: &Open) -> Html {
    let text = &ui().verdict;
    let names = open.scenario().names();
    let name = |held: &facts::Held| held.node.map_or(ui().stage.somebody, |id| names.of(id));
    let all: Vec<&str> = facts.granted.iter().map(name).collect();
    let (mood, value) = match &all[..] {
        [] => (Mood::Plain, text.nobody.to_owned()),
        [one] => (Mood::Plain, (text.only)(one)),
        more => (Mood::Bad, (text.and)(more)),
    };
    cell(text.granted, text.granted_short, mood, value.into())
}

fn stale(facts: &VerdictFacts) -> Html {
    let text = &ui().verdict;
    let mood = if facts.stale > 0 { Mood::Bad } else { Mood::Good };
    let value = (text.and_late)(facts.stale, facts.late);
    cell(text.stale, text.stale_short, mood, value.into())
}

fn booked(facts: &VerdictFacts) -> Html {
    let text = &ui().verdict;
    let mood = if facts.booked > facts.owed { Mood::Bad } else { Mood::Plain };
    let value = (text.of)(&amounts::money(facts.booked), &amounts::money(facts.owed));
    cell(text.booked, text.booked_short, mood, value.into())
}

/// What became of the promises; a press goes to what broke the first.
fn promised(facts: &VerdictFacts, lab: &LabHandle) -> Html {
    let text = &ui().verdict;
    let Some((id, witness)) = facts.broken.first() else {
        return cell(text.promised, "", Mood::Good, text.kept.into());
    };
    let promise = en::property(*id);
    let value = html! {
        <button type="button" id="verdict-jump" aria-label={(text.jump)(promise)} onclick={lab.on(Msg::JumpTo(witness.event))}>
            <span class="long">{ (text.broken)(promise, facts.broken.len() - 1) }</span>
            <span class="short" aria-hidden="true">{ text.broken_short }</span>
        </button>
    };
    cell(text.promised, "", Mood::Bad, value)
}
