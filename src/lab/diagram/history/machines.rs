//! Machines that stand still or end, and links that are cut.

use super::{Drawn, Layer, Shape, Span};
use crate::actors::note::ConsulNote;
use crate::actors::{Actor, Note};
use crate::lab::diagram::lanes::{Lane, Lanes, Owner};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use crate::text::short::{self, Extent, Still, Turn};
use litemap::LiteMap;

/// What is so at the end of what has been taken in.
#[derive(Debug, Default)]
pub struct Machines {
    /// Machines on which no process runs.
    down: LiteMap<NodeId, ()>,
    /// Links that are cut, by the lane that shows it and the other one.
    cut: LiteMap<(Lane, Lane), Vec<(NodeId, NodeId)>>,
}

impl Machines {
    pub(super) fn take(&mut self, event: &Event<Actor>, lanes: &Lanes, drawn: &mut Drawn) {
        match &event.what {
            What::Paused => stand(event, Some(Still::Paused), Turn::StandsStill, lanes, drawn),
            What::Suspended => {
                stand(event, Some(Still::Suspended), Turn::StandsStill, lanes, drawn);
            }
            What::Resumed | What::Woke => stand(event, None, Turn::GoesOn, lanes, drawn),
            What::Crashed | What::Exited => self.end(event, lanes, drawn),
            What::Started if self.down.remove(&event.node).is_some() => {
                stand(event, None, Turn::Starts, lanes, drawn);
                if !shares(event.node, lanes) {
                    say(event, Shape::Dot, Turn::Starts, lanes, drawn);
                }
            }
            What::Note(Note::Consul(note)) => delay(event, note, lanes, drawn),
            What::LinkCut { to } => self.link(event, *to, lanes, drawn),
            What::LinkHealed { to } => self.link(event, *to, lanes, drawn),
            _ => {}
        }
    }

    fn end(&mut self, event: &Event<Actor>, lanes: &Lanes, drawn: &mut Drawn) {
        self.down.insert(event.node, ());
        let (why, turn) = match event.what {
            What::Crashed => (Still::Crashed, Turn::Crashes),
            _ => (Still::Exited, Turn::Exits),
        };
        if shares(event.node, lanes) {
            return say(event, Shape::Crash, turn, lanes, drawn);
        }
        drawn.set(lanes.of(event.node), Layer::Still, event, Some(Span::Still(why)));
        if lanes.who(lanes.of(event.node)) == Owner::LockService {
            // A lock-delay is only in a server's memory.
            drawn.set(lanes.of(event.node), Layer::Hold, event, None);
        }
        say(event, Shape::Crash, turn, lanes, drawn);
    }

    fn link(&mut self, event: &Event<Actor>, to: NodeId, lanes: &Lanes, drawn: &mut Drawn) {
        let Some((lane, other)) = shown_on(lanes.of(event.node), lanes.of(to), lanes) else {
            return;
        };
        let cut = self.cut.entry((lane, other)).or_default();
        cut.retain(|link| *link != (event.node, to));
        if let What::LinkCut { .. } = event.what {
            cut.push((event.node, to));
        }
        let all = lanes.machines(lane) * lanes.machines(other) * 2;
        let extent = if cut.len() == all { Extent::Whole } else { Extent::Part };
        let what = (!cut.is_empty()).then_some(Span::Cut { other, extent });
        // One click cuts many links at one instant: they are one stretch.
        drawn.set(lane, Layer::Cut(other), event, what);
    }
}

/// How long nobody can acquire the lock: each server counts it by itself, so that of
/// several the next leader goes on with it.
fn delay(event: &Event<Actor>, note: &ConsulNote, lanes: &Lanes, drawn: &mut Drawn) {
    let what = match note {
        ConsulNote::DelayBegins { lasts, .. } => Some(Span::Delay(*lasts)),
        ConsulNote::DelayOver { .. } => None,
        _ => return,
    };
    drawn.set(lanes.of(event.node), Layer::Hold, event, what);
}

/// The lane that shows a cut: the worker's, or else the lock service's own.
fn shown_on(from: Lane, to: Lane, lanes: &Lanes) -> Option<(Lane, Lane)> {
    let is_worker = |lane: Lane| matches!(lanes.who(lane), Owner::Worker(_));
    let both_members = from == to && lanes.who(from) == Owner::LockService;
    match (is_worker(from), is_worker(to)) {
        (true, _) => Some((from, to)),
        (false, true) => Some((to, from)),
        (false, false) => both_members.then_some((from, to)),
    }
}

/// Whether a machine shares its lane with others.
fn shares(node: NodeId, lanes: &Lanes) -> bool {
    lanes.machines(lanes.of(node)) > 1
}

/// A lane of its own shows how long it stands still; a shared one only says so.
fn stand(event: &Event<Actor>, still: Option<Still>, turn: Turn, lanes: &Lanes, drawn: &mut Drawn) {
    if shares(event.node, lanes) {
        return say(event, Shape::Dot, turn, lanes, drawn);
    }
    drawn.set(lanes.of(event.node), Layer::Still, event, still.map(Span::Still));
}

fn say(event: &Event<Actor>, shape: Shape, turn: Turn, lanes: &Lanes, drawn: &mut Drawn) {
    let name = shares(event.node, lanes).then(|| lanes.names().of(event.node));
    drawn.mark(lanes.of(event.node), event, shape, short::turn(turn, name));
}
