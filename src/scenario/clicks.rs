//! Clicks as a scenario file, a link and the page say them: machines by name, and
//! "etcd" for all its members.

use crate::actors::store::api::Rule;
use crate::actors::worker::Heartbeat;
use crate::actors::worker::config::{DeadlineFrom, OnRenewalFailure, ReleaseCheck};
use crate::sim::click::WallOnWake;
use serde::{Deserialize, Serialize};

/// One click: one thing that a person does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClickSpec {
    /// When, in microseconds of true time since the start.
    pub at_us: i64,
    /// What.
    pub r#do: Do,
}

/// What a click does. A time that is not given means "until undone".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Do {
    /// Pause a process.
    Pause {
        /// Whose.
        node: String,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_ms: Option<i64>,
    },
    /// Resume a paused process.
    Resume {
        /// Whose.
        node: String,
    },
    /// Suspend a machine.
    Suspend {
        /// Which.
        node: String,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_ms: Option<i64>,
        /// What its wall clock shows on waking.
        #[serde(default = "right")]
        wall: WallOnWake,
    },
    /// Wake a suspended machine.
    Wake {
        /// Which.
        node: String,
    },
    /// Crash a process (stop an etcd member).
    Crash {
        /// Whose.
        node: String,
        /// When it starts again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restart_after_ms: Option<i64>,
    },
    /// Start a process that has ended (start an etcd member).
    Restart {
        /// Whose.
        node: String,
    },
    /// Step a wall clock.
    StepWall {
        /// Whose.
        node: String,
        /// By how much.
        by_ms: i64,
    },
    /// Set a wall clock so far ahead of the right time.
    SetWall {
        /// Whose.
        node: String,
        /// How far.
        ahead_ms: i64,
    },
    /// Let a machine's clocks run at another rate.
    SetRate {
        /// Whose.
        node: String,
        /// Parts per million; 1,000,000 is right.
        rate_ppm: i64,
    },
    /// Cut links.
    Cut {
        /// From this machine.
        from: String,
        /// To that one.
        to: String,
        /// Which directions.
        #[serde(default)]
        way: Way,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_ms: Option<i64>,
    },
    /// Heal links.
    Heal {
        /// From this machine.
        from: String,
        /// To that one.
        to: String,
        /// Which directions.
        #[serde(default)]
        way: Way,
    },
    /// Hold a message in flight.
    Hold {
        /// Which.
        message: MessageSpec,
        /// For how long.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_ms: Option<i64>,
    },
    /// Let a held message arrive now.
    Release {
        /// Which.
        message: MessageSpec,
    },
    /// Lose a message in flight.
    Drop {
        /// Which.
        message: MessageSpec,
    },
    /// Let a message in flight arrive later.
    Delay {
        /// Which.
        message: MessageSpec,
        /// By how much.
        by_ms: i64,
    },
    /// Let a message in flight arrive twice.
    Duplicate {
        /// Which.
        message: MessageSpec,
        /// How long after the first.
        after_ms: i64,
    },
    /// Block a worker's heartbeat or let it run.
    Heartbeat {
        /// Whose.
        node: String,
        /// Which.
        is: Heartbeat,
    },
    /// Switch the store's rule.
    Rule {
        /// Whose.
        node: String,
        /// To which.
        is: Rule,
    },
    /// Switch what a worker does when renewing fails.
    OnRenewalFailure {
        /// Whose.
        node: String,
        /// To which.
        is: OnRenewalFailure,
    },
    /// Switch what a worker counts its deadline from.
    DeadlineFrom {
        /// Whose.
        node: String,
        /// To which.
        is: DeadlineFrom,
    },
    /// Switch how a worker releases.
    ReleaseCheck {
        /// Whose.
        node: String,
        /// To which.
        is: ReleaseCheck,
    },
}

fn right() -> WallOnWake {
    WallOnWake::Right
}

/// Which directions of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Both.
    #[default]
    Both,
    /// Only the one named.
    One,
}

/// A message by name: the `nth` of its kind on its link, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageSpec {
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// Its kind, as in "report".
    pub kind: String,
    /// Counts from 1.
    pub nth: u32,
}

impl Do {
    /// The machine it is done to, with its field's name; none for links and messages.
    pub fn node(&self) -> Option<&str> {
        match self {
            Do::Pause { node, .. }
            | Do::Resume { node }
            | Do::Suspend { node, .. }
            | Do::Wake { node }
            | Do::Crash { node, .. }
            | Do::Restart { node }
            | Do::StepWall { node, .. }
            | Do::SetWall { node, .. }
            | Do::SetRate { node, .. }
            | Do::Heartbeat { node, .. }
            | Do::Rule { node, .. }
            | Do::OnRenewalFailure { node, .. }
            | Do::DeadlineFrom { node, .. }
            | Do::ReleaseCheck { node, .. } => Some(node),
            _ => None,
        }
    }
}
