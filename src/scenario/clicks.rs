//! Clicks as a scenario file, a link and the page say them: machines by name, and
//! "etcd" for all its members.

use crate::actors::store::api::Rule;
use crate::actors::worker::Heartbeat;
use crate::actors::worker::config::{DeadlineFrom, OnRenewalFailure, ReleaseCheck};
use crate::content::{choices, record, tagged};
use crate::sim::click::WallOnWake;

record! {
    /// One click: one thing that a person does.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ClickSpec {
        /// When, in microseconds of true time since the start.
        pub at_us: i64,
        /// What.
        pub r#do as "do": Do,
    }
}

tagged! {
    /// What a click does. A time that is not given means "until undone".
    #[derive(Clone, Debug, PartialEq)]
    pub enum Do {
        /// Pause a process.
        Pause as "pause" {
            /// Whose.
            node: String,
            /// For how long.
            for_ms: Option<i64> = None,
        },
        /// Resume a paused process.
        Resume as "resume" {
            /// Whose.
            node: String,
        },
        /// Suspend a machine.
        Suspend as "suspend" {
            /// Which.
            node: String,
            /// For how long.
            for_ms: Option<i64> = None,
            /// What its wall clock shows on waking.
            wall: WallOnWake = WallOnWake::Right,
        },
        /// Wake a suspended machine.
        Wake as "wake" {
            /// Which.
            node: String,
        },
        /// Crash a process (stop an etcd member).
        Crash as "crash" {
            /// Whose.
            node: String,
            /// When it starts again.
            restart_after_ms: Option<i64> = None,
        },
        /// Start a process that has ended (start an etcd member).
        Restart as "restart" {
            /// Whose.
            node: String,
        },
        /// Step a wall clock.
        StepWall as "step-wall" {
            /// Whose.
            node: String,
            /// By how much.
            by_ms: i64,
        },
        /// Set a wall clock so far ahead of the right time.
        SetWall as "set-wall" {
            /// Whose.
            node: String,
            /// How far.
            ahead_ms: i64,
        },
        /// Let a machine's clocks run at another rate.
        SetRate as "set-rate" {
            /// Whose.
            node: String,
            /// Parts per million; 1,000,000 is right.
            rate_ppm: i64,
        },
        /// Cut links.
        Cut as "cut" {
            /// From this machine.
            from: String,
            /// To that one.
            to: String,
            /// Which directions.
            way: Way = Way::Both,
            /// For how long.
            for_ms: Option<i64> = None,
        },
        /// Heal links.
        Heal as "heal" {
            /// From this machine.
            from: String,
            /// To that one.
            to: String,
            /// Which directions.
            way: Way = Way::Both,
        },
        /// Hold a message in flight.
        Hold as "hold" {
            /// Which.
            message: MessageSpec,
            /// For how long.
            for_ms: Option<i64> = None,
        },
        /// Let a held message arrive now.
        Release as "release" {
            /// Which.
            message: MessageSpec,
        },
        /// Lose a message in flight.
        Drop as "drop" {
            /// Which.
            message: MessageSpec,
        },
        /// Let a message in flight arrive later.
        Delay as "delay" {
            /// Which.
            message: MessageSpec,
            /// By how much.
            by_ms: i64,
        },
        /// Let a message in flight arrive twice.
        Duplicate as "duplicate" {
            /// Which.
            message: MessageSpec,
            /// How long after the first.
            after_ms: i64,
        },
        /// Block a worker's heartbeat or let it run.
        Heartbeat as "heartbeat" {
            /// Whose.
            node: String,
            /// Which.
            is: Heartbeat,
        },
        /// Switch the store's rule.
        Rule as "rule" {
            /// Whose.
            node: String,
            /// To which.
            is: Rule,
        },
        /// Switch what a worker does when renewing fails.
        OnRenewalFailure as "on-renewal-failure" {
            /// Whose.
            node: String,
            /// To which.
            is: OnRenewalFailure,
        },
        /// Switch what a worker counts its deadline from.
        DeadlineFrom as "deadline-from" {
            /// Whose.
            node: String,
            /// To which.
            is: DeadlineFrom,
        },
        /// Switch how a worker releases.
        ReleaseCheck as "release-check" {
            /// Whose.
            node: String,
            /// To which.
            is: ReleaseCheck,
        },
        /// Let a Redis node take writes: `REPLICAOF NO ONE`.
        Promote as "promote" {
            /// Which.
            node: String,
        },
        /// Let a Redis node follow another and give up what it has: `REPLICAOF`.
        Follow as "follow" {
            /// Which.
            node: String,
            /// Whom.
            primary: String,
        },
        /// End a client's session at a PostgreSQL server: `pg_terminate_backend`.
        Terminate as "terminate-backend" {
            /// At which server.
            node: String,
            /// Whose.
            client: String,
        },
        /// Shut a PostgreSQL server down, fast: it ends all sessions first.
        ShutDown as "shut-down" {
            /// Which.
            node: String,
        },
    }
}

/// Which directions of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Both.
    Both,
    /// Only the one named.
    One,
}

record! {
    /// A message by name: the `nth` of its kind on its link, from 1.
    #[derive(Clone, Debug, PartialEq, Eq)]
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
}

choices! {
    Way {
        Both = "both",
        One = "one",
    }
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
            | Do::ReleaseCheck { node, .. }
            | Do::Promote { node }
            | Do::Follow { node, .. }
            | Do::Terminate { node, .. }
            | Do::ShutDown { node } => Some(node),
            _ => None,
        }
    }
}
