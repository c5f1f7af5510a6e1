//! Which event taught whom what: the memory behind the causes in the trace.
//!
//! None of it is part of the state, and nothing here may influence a step.

use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::event::{EventId, What};
use crate::sim::process::{NodeId, Noted, Process};
use litemap::LiteMap;

/// The last event of each kind that later ones may rest on.
#[derive(Clone, Debug)]
pub struct Provenance<P: Process> {
    facts: LiteMap<(NodeId, P::Fact), EventId>,
    silenced: Vec<Option<EventId>>,
    /// What stopped a machine or its process that has not gone on since.
    stopped: Vec<Option<EventId>>,
    wall_set: Vec<Option<EventId>>,
    /// What made a machine's clock run at the wrong rate that it has still, and the rate.
    wrong_rate: Vec<Option<(EventId, i64)>>,
    woke: Vec<Option<EventId>>,
    cut: LiteMap<(NodeId, NodeId), EventId>,
    lost: LiteMap<(NodeId, NodeId), EventId>,
}

impl<P: Process> Provenance<P> {
    pub(super) fn new(nodes: usize) -> Provenance<P> {
        Provenance {
            facts: LiteMap::new(),
            silenced: vec![None; nodes],
            stopped: vec![None; nodes],
            wall_set: vec![None; nodes],
            wrong_rate: vec![None; nodes],
            woke: vec![None; nodes],
            cut: LiteMap::new(),
            lost: LiteMap::new(),
        }
    }

    pub(super) fn record(&mut self, id: EventId, node: NodeId, what: &What<P>) {
        match what {
            What::Paused | What::Suspended | What::Crashed | What::Exited => {
                self.silenced[node.index()] = Some(id);
                self.stopped[node.index()] = Some(id);
            }
            What::Started => self.stopped[node.index()] = None,
            What::Clicked { action, .. } => self.record_click(id, action),
            What::Resumed | What::Woke => {
                self.woke[node.index()] = Some(id);
                self.stopped[node.index()] = None;
            }
            What::LinkCut { to } => {
                self.cut.insert((node, *to), id);
            }
            What::Lost { message, .. } => {
                self.lost.insert((message.from, message.to), id);
            }
            _ => {}
        }
    }

    fn record_click(&mut self, id: EventId, action: &crate::sim::click::Action<P>) {
        use crate::sim::click::Action;
        if let Action::SetRate { node, rate_ppm } = action {
            let wrong = Some((id, *rate_ppm)).filter(|(_, rate)| *rate != RIGHT_RATE_PPM);
            self.wrong_rate[node.index()] = wrong;
        }
        match action {
            // A blocked heartbeat and a slow clock are silence too.
            Action::Set { node, .. } | Action::SetRate { node, .. } => {
                self.silenced[node.index()] = Some(id);
            }
            Action::StepWall { node, .. } | Action::SetWall { node, .. } => {
                self.wall_set[node.index()] = Some(id);
            }
            Action::Hold { message, .. } | Action::Delay { message, .. } => {
                self.lost.insert((message.from, message.to), id);
            }
            _ => {}
        }
    }

    /// What last stopped a machine or its process.
    pub(super) fn silenced(&self, node: NodeId) -> Option<EventId> {
        self.silenced[node.index()]
    }

    /// What last cut a link.
    pub(super) fn cut(&self, from: NodeId, to: NodeId) -> Option<EventId> {
        self.cut.get(&(from, to)).copied()
    }

    /// The last waking of a machine, if it came after `event`.
    pub(super) fn woke_after(&self, node: NodeId, event: EventId) -> Option<EventId> {
        self.woke[node.index()].filter(|woke| *woke > event)
    }

    pub(super) fn teach(&mut self, node: NodeId, fact: P::Fact, event: EventId) {
        self.facts.insert((node, fact), event);
    }

    /// The causes that a note names: what taught its facts, what has silenced its peers
    /// since then, and what made the clocks wrong that it goes by. `home` is under whose name
    /// the facts are kept.
    pub(super) fn of(&self, home: NodeId, node: NodeId, noted: &Noted<P>) -> Vec<EventId> {
        let taught = |fact: &P::Fact| self.facts.get(&(home, fact.clone())).copied();
        let mut causes: Vec<EventId> = noted.because.iter().filter_map(taught).collect();
        let since = match &noted.silent_since {
            Some(fact) => taught(fact),
            None => causes.iter().max().copied(),
        };
        for &peer in &noted.silence_of {
            // One whose clock is slow says everything late.
            let is_slow = |(_, rate): &(EventId, i64)| *rate < RIGHT_RATE_PPM;
            let slow = self.wrong_rate[peer.index()].filter(is_slow).map(|(event, _)| event);
            causes.extend(slow.filter(|_| peer != node));
            let links = [(peer, node), (node, peer)];
            let of_links = links.iter().flat_map(|pair| [self.cut.get(pair), self.lost.get(pair)]);
            // Whose own clock was set has missed something by it.
            let set = self.wall_set[peer.index()].filter(|_| peer == node);
            let events = of_links.flatten().copied().chain(self.silenced(peer)).chain(set);
            // Who stands still since before what was heard last has said it before that.
            let lasts = |event: &EventId| self.stopped[peer.index()] == Some(*event);
            let is_later = |event: &EventId| since.is_none_or(|since| *event > since);
            causes.extend(events.filter(|event| is_later(event) || lasts(event)));
        }
        causes.extend(noted.wall_of.iter().filter_map(|of| self.wall_set[of.index()]));
        // Whoever finds another silent has measured it by the own clock.
        let measured_by = Some(&node).filter(|_| !noted.silence_of.is_empty());
        let by_rate = noted.rate_of.iter().chain(measured_by);
        causes.extend(by_rate.filter_map(|of| Some(self.wrong_rate[of.index()]?.0)));
        causes
    }
}
