//! The world's state as bytes: see [`crate::sim::encode`].

use super::{At, Node, Scheduled, Wake, Work, World};
use crate::sim::click::Action;
use crate::sim::encode::{Encoder, Frame};
use crate::sim::event::MessageRef;
use crate::sim::order;
use crate::sim::process::{NodeId, Process};
use crate::sim::time::Mono;
use serde::Serialize;

/// A message as a click to come names it, told so that the number of messages sent
/// before does not count.
#[derive(Serialize)]
enum Named {
    /// In flight, at this place in the list.
    InFlight(u64),
    /// The message so many ahead of those sent so far.
    Ahead(i64),
    /// Sent, and no longer in flight.
    Gone,
}

impl<P: Process> World<P> {
    /// Writes the state. Two worlds with equal states go on alike for ever; ids of
    /// events and causes are not in it.
    pub fn encode(&self, encoder: &mut Encoder) {
        let frame = |mono| Frame { now: self.now, mono, wall: self.right_wall() };
        for (place, node) in self.nodes.iter().enumerate() {
            encoder.set_frame(frame(node.clock.mono(self.now)));
            self.encode_node(NodeId(place as u8), node, encoder);
        }
        encoder.set_frame(frame(Mono(0)));
        encoder.put(&self.links);
        encoder.put(&self.flights);
        let mut scheduled: Vec<&Scheduled> = self.scheduled.iter().collect();
        order::by_key(&mut scheduled, |s| s.at);
        // With their numbers, or one list could run on into the next.
        encoder.put(&(scheduled.len() as u64, self.clicks.len() as u64));
        for Scheduled { at, ending, message, .. } in scheduled {
            encoder.put(&(at, ending, message.as_ref().map(|name| self.named(name))));
        }
        for (_, click) in &self.clicks {
            encoder.put(&(click.at, click.action.message().map(|name| self.named(name))));
            self.encode_action(&click.action, encoder);
        }
        encoder.put(&(&self.draws, self.told));
    }

    fn encode_node(&self, id: NodeId, node: &Node<P>, encoder: &mut Encoder) {
        encoder.put(&node.process);
        encoder.put(&node.status);
        let clocks = node.clock.read(self.now);
        encoder.put(&(node.clock.rate_ppm(), node.clock.remainder(self.now), clocks.wall));
        encoder.put(&node.wake_first);
        let work = node.work.as_ref().map(|work| match work {
            Work::Running { done, .. } => (true, *done - self.now),
            Work::Stopped { left, .. } => (false, *left),
        });
        encoder.put(&work);
        encoder.put(&node.wake.map(|Wake { timers_at, messages_at }| (timers_at, messages_at)));
        let mut told = node.told.clone();
        order::by(&mut told, Ord::cmp);
        encoder.put(&told);
        let timers: Vec<_> = self.timers.iter().filter(|t| t.node == id).collect();
        encoder.put(&(timers.len() as u64));
        for timer in timers {
            // The timer's own name says by which clock it goes.
            match timer.at {
                At::Mono(at) => encoder.put(&at),
                At::Wall(at) => encoder.put(&at),
            }
            encoder.put(&timer.timer);
        }
    }

    fn named(&self, name: &MessageRef) -> Named {
        let in_flight = self.flights.iter().position(|flight| flight.name == *name);
        match in_flight {
            Some(place) => Named::InFlight(place as u64),
            None => {
                let key = (name.from, name.to, name.kind);
                let sent = self.sent.get(&key).copied().unwrap_or(0);
                match i64::from(name.nth) - i64::from(sent) {
                    ahead if ahead > 0 => Named::Ahead(ahead),
                    _ => Named::Gone,
                }
            }
        }
    }

    /// An action without the count in a message's name.
    fn encode_action(&self, action: &Action<P>, encoder: &mut Encoder) {
        let mut action = action.clone();
        if let Action::Hold { message, .. }
        | Action::Release { message }
        | Action::Drop { message }
        | Action::Delay { message, .. }
        | Action::Duplicate { message, .. } = &mut action
        {
            message.nth = 0;
        }
        encoder.put(&action);
    }

    /// The state as bytes.
    pub fn state(&self) -> Vec<u8> {
        let mut encoder = Encoder::new(Frame::default());
        self.encode(&mut encoder);
        encoder.into_bytes()
    }
}
