//! The trace: what happened, when, where, and because of what.

use super::click::Action;
use super::process::{Hearing, NodeId, Process};
use super::time::{Span, TrueTime};
use serde::Serialize;

/// An event's place in the trace, from 0. It is no part of any state and may
/// influence no step, so it cannot be serialised with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

impl EventId {
    /// The place in the trace.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One event. `causes` are earlier events; only the first event has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<P: Process> {
    /// Its place in the trace.
    pub id: EventId,
    /// When, in true time.
    pub at: TrueTime,
    /// On which machine. Of a message sent or lost: the sender's.
    pub node: NodeId,
    /// What happened.
    pub what: What<P>,
    /// Because of which earlier events; the first is the main one.
    pub causes: Vec<EventId>,
}

/// The name of a message: the `nth` of its kind that `from` sent to `to`, from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MessageRef {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// [`super::process::Message::kind`].
    pub kind: &'static str,
    /// Counts from 1.
    pub nth: u32,
}

/// What an event can be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum What<P: Process> {
    /// The run begins. The one event without a cause.
    RunBegins,
    /// A click was carried out.
    Clicked {
        /// Its place among the run's clicks.
        click: u32,
        /// What was done.
        action: Action<P>,
    },
    /// A click could not be carried out: what it was for is not there.
    ClickMissed {
        /// Its place among the run's clicks.
        click: u32,
        /// What was to be done.
        action: Action<P>,
        /// Why it was not.
        why: Missed,
    },
    /// A process started, for the first time or again.
    Started,
    /// A process was paused: its clocks run on.
    Paused,
    /// A paused process goes on.
    Resumed,
    /// A machine was suspended: its monotonic clock stands still.
    Suspended,
    /// A suspended machine woke.
    Woke,
    /// A process crashed.
    Crashed,
    /// A process ended itself.
    Exited,
    /// A one-way link was cut. The event's machine is its sender.
    LinkCut {
        /// Where it leads.
        to: NodeId,
    },
    /// A one-way link was healed. The event's machine is its sender.
    LinkHealed {
        /// Where it leads.
        to: NodeId,
    },
    /// A held message goes on.
    Released {
        /// Its name.
        message: MessageRef,
    },
    /// A message was sent.
    Sent {
        /// Its name.
        message: MessageRef,
        /// What it says.
        body: P::Message,
    },
    /// A message was taken up by its receiver.
    Delivered {
        /// Its name.
        message: MessageRef,
        /// What it says.
        body: P::Message,
    },
    /// A message arrived at a paused process and waits.
    Waits {
        /// Its name.
        message: MessageRef,
    },
    /// A message is lost.
    Lost {
        /// Its name.
        message: MessageRef,
        /// Why.
        why: Loss,
    },
    /// A message came back: no process runs there.
    Returned {
        /// Its name.
        message: MessageRef,
    },
    /// A timer fell due.
    TimerFired {
        /// Which.
        timer: P::Timer,
        /// How late by true time, when its process could not run before.
        late: Span,
    },
    /// Work was done.
    WorkDone,
    /// A peer that this process listens to fell silent or is heard again.
    Hears {
        /// The peer.
        peer: NodeId,
        /// Which.
        hearing: Hearing,
    },
    /// A process said what happened.
    Note(P::Note),
}

/// Why a message was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Loss {
    /// The link was cut.
    Cut,
    /// The link loses some messages, and lost this one.
    Chance,
    /// A click dropped it.
    Dropped,
    /// The receiving machine was suspended.
    Suspended,
    /// The receiving process crashed while it waited.
    Crashed,
}

/// Why a click could not be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Missed {
    /// The message is not in flight.
    NoSuchMessage,
    /// The message is not held.
    NotHeld,
    /// The process does not run.
    NotRunning,
    /// The process is not paused.
    NotPaused,
    /// The machine is not suspended.
    NotSuspended,
    /// The process runs already.
    RunsAlready,
    /// The link is cut already.
    CutAlready,
    /// The link is not cut.
    NotCut,
}
