//! How the run stands, in five facts that stay in sight.

use crate::app::handle::LabHandle;
use crate::lab::Msg;
use crate::lab::facts::{self, VerdictFacts};
use crate::scenario::names::Names;
use crate::text::amounts;
use crate::text::ui::ui;
use yew::prelude::*;

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
pub struct VerdictProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What the strip says, and whom of it to tell what is pressed.
#[derive(Clone, PartialEq, Properties)]
struct StripProps {
    facts: VerdictFacts,
    names: Names,
    send: Callback<Msg>,
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
    let lab = props.lab.lab();
    let open = lab.open();
    let (facts, names) = (facts::verdict(open), open.scenario().names().clone());
    html! { <Strip {facts} {names} send={props.lab.sender()} /> }
}

/// The strip, drawn anew only when it says something else.
#[component]
fn Strip(props: &StripProps) -> Html {
    let text = &ui().verdict;
    let StripProps { facts, names, send } = props;
    html! {
        <section class="verdict panel" aria-label={text.strip}>
            <dl>
                { believe(facts, names) }
                { granted(facts, names) }
                { stale(facts) }
                { booked(facts) }
                { promised(facts, send) }
            </dl>
        </section>
    }
}

/// One fact: its name, how it stands, and both in short for where there is no room.
fn cell(label: &'static str, mood: Mood, value: String, (word, short): (&str, String)) -> Html {
    cell_of(
        label,
        mood,
        html! {
            <>
                <b class="long">{ value }</b>
                <span class="short" aria-hidden="true">
                    { word }{ " " }<b>{ short }</b>
                </span>
            </>
        },
    )
}

fn cell_of(label: &'static str, mood: Mood, value: Html) -> Html {
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
                { value }
            </dd>
        </div>
    }
}

fn believe(facts: &VerdictFacts, names: &Names) -> Html {
    let text = &ui().verdict;
    let all: Vec<&str> = facts.believe.iter().map(|id| names.of(*id)).collect();
    let is_true = |id| facts.granted.iter().any(|held| held.node == Some(id));
    let is_right = facts.most_believe <= 1 && facts.believe.iter().all(|id| is_true(*id));
    let mood = if is_right { Mood::Plain } else { Mood::Bad };
    let value = if all.is_empty() { text.nobody.to_owned() } else { (text.and)(&all) };
    cell(text.believe, mood, value, (text.believe_short, short(&all)))
}

fn granted(facts: &VerdictFacts, names: &Names) -> Html {
    let text = &ui().verdict;
    let name = |held: &facts::Held| held.node.map_or(ui().stage.somebody, |id| names.of(id));
    let all: Vec<&str> = facts.granted.iter().map(name).collect();
    let (mood, value) = match &all[..] {
        [] => (Mood::Plain, text.nobody.to_owned()),
        [one] => (Mood::Plain, (text.only)(one)),
        // Of different locks.
        more if facts.most_granted == 1 => (Mood::Plain, (text.and)(more)),
        more => (Mood::Bad, (text.and)(more)),
    };
    let before: Vec<&str> = facts.forgotten.iter().map(|id| names.of(*id)).collect();
    if before.is_empty() {
        return cell(text.granted, mood, value, (text.granted_short, short(&all)));
    }
    // What is broken says that it was granted to two: by whom the other was forgotten.
    let value = (text.and_forgotten)(&short(&all), &(text.and)(&before));
    cell(text.granted, Mood::Bad, value, (text.granted_short, short(&all)))
}

fn short(names: &[&str]) -> String {
    if names.is_empty() { ui().verdict.nobody_short.to_owned() } else { names.join(", ") }
}

fn stale(facts: &VerdictFacts) -> Html {
    let text = &ui().verdict;
    let mood = match (facts.stale, facts.late) {
        (0, 0) => Mood::Good,
        // No fault of its own, and nothing to be glad of.
        (0, _) => Mood::Plain,
        _ => Mood::Bad,
    };
    let value = (text.and_late)(facts.stale, facts.late);
    let short = match facts.late {
        0 => facts.stale.to_string(),
        late => (text.late_short)(facts.stale, late),
    };
    cell(text.stale, mood, value, (text.stale_short, short))
}

fn booked(facts: &VerdictFacts) -> Html {
    let text = &ui().verdict;
    let mood = if facts.booked > facts.owed { Mood::Bad } else { Mood::Plain };
    let (booked, owed) = (amounts::money(facts.booked), amounts::money(facts.owed));
    let short = (text.of_short)(booked.trim_end_matches(" M"), &owed);
    cell(text.booked, mood, (text.of)(&booked, &owed), ("", short))
}

/// What became of the promises; a press goes to what broke the first.
fn promised(facts: &VerdictFacts, send: &Callback<Msg>) -> Html {
    let text = &ui().verdict;
    let Some((id, witness)) = facts.broken.first() else {
        let kept = text.kept.to_owned();
        return cell(text.promised, Mood::Good, kept.clone(), ("", kept));
    };
    let happened = (text.happened)(*id);
    let event = witness.event;
    let onclick = send.reform(move |_: MouseEvent| Msg::JumpTo(event));
    let value = html! {
        <button type="button" id="verdict-jump" aria-label={(text.jump)(happened)} {onclick}>
            <b class="long">{ (text.broken)(happened, facts.broken.len() - 1) }</b>
            <b class="short" aria-hidden="true">{ text.broken_short }</b>
        </button>
    };
    cell_of(text.promised, Mood::Bad, value)
}
