//! What a person can do to a run: interventions, as data.

use super::event::MessageRef;
use super::process::{NodeId, Process};
use super::time::{Span, TrueTime};
use serde::Serialize;

/// An intervention at a moment. At one instant clicks come after timers and
/// deliveries, in the order in which the run lists them.
#[derive(Clone, Debug, PartialEq)]
pub struct Click<P: Process> {
    /// When, in true time.
    pub at: TrueTime,
    /// What.
    pub action: Action<P>,
}

/// What can be done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Action<P: Process> {
    /// Stop a process while its clocks run; messages wait for it.
    Pause {
        /// Which.
        node: NodeId,
        /// For how long; none is until it is resumed.
        lasting: Option<Span>,
    },
    /// Let a paused process go on.
    Resume {
        /// Which.
        node: NodeId,
    },
    /// Stop a machine with its monotonic clock; messages to it are lost.
    Suspend {
        /// Which.
        node: NodeId,
        /// For how long; none is until it is woken.
        lasting: Option<Span>,
        /// What its wall clock shows on waking.
        wall: WallOnWake,
    },
    /// Wake a suspended machine.
    Wake {
        /// Which.
        node: NodeId,
    },
    /// End a process without a word.
    Crash {
        /// Which.
        node: NodeId,
        /// When it starts again; none is not by itself.
        restart_after: Option<Span>,
    },
    /// Start a process that has ended.
    Restart {
        /// Which.
        node: NodeId,
    },
    /// Step a wall clock.
    StepWall {
        /// Whose.
        node: NodeId,
        /// By how much.
        by: Span,
    },
    /// Set a wall clock so far from the right time.
    SetWall {
        /// Whose.
        node: NodeId,
        /// How far ahead of the right time.
        ahead: Span,
    },
    /// Let a machine's clocks run at another rate.
    SetRate {
        /// Whose.
        node: NodeId,
        /// Parts per million; 1,000,000 is right.
        rate_ppm: i64,
    },
    /// Cut a one-way link: messages on it vanish.
    Cut {
        /// From this machine.
        from: NodeId,
        /// To that one.
        to: NodeId,
        /// For how long; none is until it is healed.
        lasting: Option<Span>,
    },
    /// Heal a one-way link.
    Heal {
        /// From this machine.
        from: NodeId,
        /// To that one.
        to: NodeId,
    },
    /// Hold a message in flight.
    Hold {
        /// Which.
        message: MessageRef,
        /// For how long; none is until it is released.
        lasting: Option<Span>,
    },
    /// Let a held message arrive now.
    Release {
        /// Which.
        message: MessageRef,
    },
    /// Lose a message in flight.
    Drop {
        /// Which.
        message: MessageRef,
    },
    /// Let a message in flight arrive later.
    Delay {
        /// Which.
        message: MessageRef,
        /// By how much.
        by: Span,
    },
    /// Let a message in flight arrive twice.
    Duplicate {
        /// Which.
        message: MessageRef,
        /// How long after the first the second arrives.
        after: Span,
    },
    /// Switch a rule or a policy.
    Set {
        /// Whose.
        node: NodeId,
        /// To what.
        setting: P::Setting,
    },
}

/// What a machine's wall clock shows when it wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WallOnWake {
    /// The right time, as after a sleep: a battery kept the clock going.
    Right,
    /// The time at which it fell asleep, as after a snapshot.
    Behind,
}
