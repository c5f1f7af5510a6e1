//! One-way links and the messages in flight on them.

use super::event::{EventId, MessageRef};
use super::process::{NodeId, Process};
use super::time::{Span, TrueTime};
use serde::Serialize;

/// A one-way link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Link {
    /// How long a message takes.
    pub latency: Span,
    /// A message takes up to so much longer, drawn for each.
    pub jitter: Span,
    /// Messages lost, parts per million.
    pub loss_ppm: u32,
    /// Messages that arrive twice, parts per million.
    pub duplicate_ppm: u32,
    /// Whether it carries anything.
    pub state: LinkState,
}

impl Link {
    /// A link that delivers every message once, after `latency`.
    pub fn reliable(latency: Span) -> Link {
        Link { latency, jitter: Span::ZERO, loss_ppm: 0, duplicate_ppm: 0, state: LinkState::Up }
    }
}

/// Whether a link carries messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LinkState {
    /// It does.
    Up,
    /// Messages vanish.
    Cut,
}

/// A message in flight, or one that waits at a paused process.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flight<P: Process> {
    /// Its name. The count in it is part of the state only where a click to come
    /// names a message; see [`super::world::World::encode`].
    #[serde(skip)]
    pub name: MessageRef,
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// Where it stands.
    pub leg: Leg,
    /// What it says.
    pub body: P::Message,
    /// What its arrival rests on: its sending first, then what held it up.
    #[serde(skip)]
    pub causes: Vec<EventId>,
}

/// Where a message stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Leg {
    /// On its way.
    Out {
        /// When it arrives.
        due: TrueTime,
    },
    /// On its way back, because no process ran where it went.
    Back {
        /// When its sender learns of it.
        due: TrueTime,
    },
    /// Held by a click.
    Held,
    /// Arrived, and waits for a process that was paused: no cut can stop it any more.
    Waiting {
        /// Where: at its receiver, or at its sender when it came back.
        at: NodeId,
    },
}

impl<P: Process> Flight<P> {
    /// Whose process takes it up next: its sender's when it comes back.
    pub fn receiver(&self) -> NodeId {
        match self.leg {
            Leg::Back { .. } => self.from,
            Leg::Waiting { at } => at,
            Leg::Out { .. } | Leg::Held => self.to,
        }
    }
}

impl Leg {
    /// When something is to be done about it, if by itself.
    pub fn due(self) -> Option<TrueTime> {
        match self {
            Leg::Out { due } | Leg::Back { due } => Some(due),
            Leg::Held | Leg::Waiting { .. } => None,
        }
    }
}
