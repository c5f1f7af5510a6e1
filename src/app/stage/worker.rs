//! A worker's card: what it believes beside what is true, its clocks, its program.

use super::Tools;
use super::cards::{self, Looks, Tone, clock, fact, machine_tag, tag, tenths};
use super::fault::{Extent, FaultForm};
use super::more::{Opened, more};
use crate::actors::worker::config::Step;
use crate::actors::worker::{Heartbeat, SessionState, Status};
use crate::app::identity::Identity;
use crate::lab::facts::{Holds, Lock, Machine, WorkerFacts};
use crate::lab::faults::Fault;
use crate::lab::filter::Place;
use crate::scenario::names::Service;
use crate::sim::time::Span;
use crate::text::en;
use crate::text::ui::ui;
use yew::prelude::*;

/// A worker and what can be done to it.
#[derive(Clone, PartialEq, Properties)]
pub struct WorkerProps {
    /// Names the card on the page.
    pub id: AttrValue,
    /// What people call it.
    pub name: AttrValue,
    /// How it stands.
    pub facts: WorkerFacts,
    /// Pause or resume it.
    pub pause: Fault,
    /// How much of that form there is room for.
    pub extent: Extent,
    /// Whether pausing it is the one thing to do next.
    pub is_marked: bool,
    /// Whether the event selected happened on it.
    pub is_selected: bool,
    /// All else that can be done to it, if that is shown.
    pub opened: Opened,
    /// To act.
    pub tools: Tools,
}

/// The card.
#[component]
pub fn WorkerCard(props: &WorkerProps) -> Html {
    let WorkerProps { id, name, facts, pause, extent, is_marked, is_selected, opened, tools } =
        props;
    let who = Identity::Worker(facts.place);
    let name_id = format!("{id}-name");
    let looks = Looks { is_selected: *is_selected, is_open: opened.is_some() };
    html! {
        <article class={cards::class(who.class(), looks)} aria-labelledby={name_id.clone()}>
            <h3>
                { who.shape() }
                <span id={name_id}>{ name }</span>
                { belief(facts) }
                { machine_tag(facts.machine) }
                if facts.heartbeat == Heartbeat::Blocked {
                    { tag(Tone::Plain, ui().stage.heartbeat_blocked) }
                }
                { cards::selected_here(*is_selected) }
            </h3>
            <p class="facts">{ for rows(facts) }</p>
            if facts.lock == Lock::Taken {
                { lease(facts) }
            }
            <div class="acts">
                <FaultForm
                    id={format!("{id}-pause")} thing={name.clone()} fault={pause.clone()}
                    is_marked={*is_marked} extent={*extent} send={tools.send.clone()}
                />
                { more(id, name, opened, tools) }
                { cards::its_events(Place::Machine(facts.id), name, tools) }
            </div>
        </article>
    }
}

/// What it believes, against what is true.
fn belief(facts: &WorkerFacts) -> Html {
    let text = &ui().stage;
    match (facts.holds, facts.program) {
        (Holds::Rightly, _) => tag(Tone::Good, text.holds),
        (Holds::Wrongly, _) => tag(Tone::Bad, text.holds_wrongly),
        // It knows well, and has let it go; the service is yet to hear of it.
        (Holds::Unknowing, _) if facts.step == Some(Step::Release) => {
            tag(Tone::Plain, text.gives_back)
        }
        (Holds::Unknowing, _) => tag(Tone::Plain, text.holds_unknowing),
        (Holds::Not, Status::Waiting) => tag(Tone::Plain, (text.waits)(facts.service)),
        // Its process forgets all when it ends, also how far it was.
        (Holds::Not, Status::NotBegun) if facts.machine == Machine::Down => {
            tag(Tone::Plain, text.ended)
        }
        (Holds::Not, Status::NotBegun) => tag(Tone::Plain, text.not_begun),
        (Holds::Not, Status::Running) if facts.lock == Lock::None => {
            tag(Tone::Plain, text.needs_no_lock)
        }
        (Holds::Not, Status::Running) => tag(Tone::Plain, text.without),
        (Holds::Not, Status::Finished) => tag(Tone::Plain, text.finished),
        (Holds::Not, Status::Stopped(why)) => tag(Tone::Plain, (text.stopped)(why, facts.service)),
        (Holds::Not, Status::Exited) => tag(Tone::Plain, text.exited),
    }
}

fn rows(facts: &WorkerFacts) -> impl Iterator<Item = Html> {
    let text = &ui().stage;
    let token = facts.token.map_or(text.none.to_owned(), crate::text::service::token);
    let at = match (facts.step.filter(|_| is_under_way(facts.program)), facts.work_left) {
        (None, _) => text.nowhere.to_owned(),
        (Some(step), None) => en::step(step).to_owned(),
        (Some(step), Some(left)) => {
            format!("{}, {}", en::step(step), (text.work_left)(&tenths(left)))
        }
    };
    let session = match facts.session {
        None => text.session_none,
        Some(SessionState::Asked) => text.session_asked,
        Some(SessionState::Open) if facts.service == Service::ZooKeeper => text.session_connected,
        Some(SessionState::Open) => (text.session_open)(facts.service),
        Some(SessionState::Suspended) => text.session_suspended,
        Some(SessionState::Closed(end)) => (text.session_over)(facts.service, end),
    };
    let of_lock = facts.lock != Lock::None;
    let token = of_lock.then(|| fact(text.token, token));
    let session = of_lock.then(|| fact((text.session)(facts.service), session));
    let [clock, at] = [fact(text.clock, clock(facts.clock)), fact(text.at, at)];
    [token, Some(clock), Some(at), session].into_iter().flatten()
}

fn is_under_way(program: Status) -> bool {
    matches!(program, Status::Running | Status::Waiting)
}

/// What is left of its lease, as a bar and in words.
fn lease(facts: &WorkerFacts) -> Html {
    let text = &ui().stage;
    let (left, label) = (facts.lease_left, (text.lease_left)(facts.service));
    let said = match left {
        None => text.none.to_owned(),
        Some(left) if left < Span::ZERO => (text.lease_passed)(&tenths(Span::ZERO - left)),
        Some(left) => tenths(left),
    };
    let class = left.filter(|left| *left >= Span::ZERO).map(|_| "counts");
    html! {
        <div class="lease">
            <span>{ label }{ " " }<b {class}>{ said.clone() }</b></span>
            { bar((left.unwrap_or(Span::ZERO), facts.ttl), label, said) }
        </div>
    }
}

/// How much of a length of time is left. No `progress`: to style one and to lay it out
/// takes a browser longer than all else on a card.
fn bar((left, whole): (Span, Span), label: &'static str, said: String) -> Html {
    let tenths_of = |span: Span| (span.us() / 100_000).max(0);
    let max = tenths_of(whole).max(1);
    let (now, max) = (tenths_of(left).min(max).to_string(), max.to_string());
    html! {
        <svg
            class="left" role="progressbar" aria-label={label} aria-valuemin="0"
            aria-valuemax={max.clone()} aria-valuenow={now.clone()} aria-valuetext={said}
            viewBox={format!("0 0 {max} 1")} preserveAspectRatio="none"
        >
            <rect width={now} height="1" />
        </svg>
    }
}
