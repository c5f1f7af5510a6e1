//! What can be done to the run.

use crate::actors::worker::Heartbeat;
use crate::scenario::clicks::{Do, Way};
use crate::scenario::names::Service;
use crate::sim::click::WallOnWake;
use crate::sim::event::Missed;
use crate::sim::time::Span;
use crate::text::{amounts, en};

/// What can be done to the run.
#[derive(Debug)]
pub struct Faults {
    /// The disclosure on a thing.
    pub more: &'static str,
    /// Its accessible name: on which thing.
    pub more_on: fn(thing: &str) -> String,
    /// Closes it.
    pub close: &'static str,
    /// The button of an action.
    pub button: fn(&Do) -> &'static str,
    /// The accessible name of it, with the thing: begins with the button's words.
    pub button_on: fn(&Do, thing: &str) -> String,
    /// The button of an action that lasts so many milliseconds, with that in its words.
    pub button_for: fn(&Do, ms: i64) -> String,
    /// One of several ways of doing it.
    pub way: fn(&Do) -> String,
    /// The label of the list of ways, where they do not speak for themselves.
    pub ways: fn(&Do) -> Option<&'static str>,
    /// For screen readers, where they do.
    pub to: &'static str,
    /// The label of its amount.
    pub amount: fn(&Do) -> &'static str,
    /// For so long.
    pub lasting: fn(&Do) -> &'static str,
    /// Or until it is undone.
    pub until: fn(&Do) -> &'static str,
    /// The label of that choice.
    pub how_long: &'static str,
    /// The unit of a time.
    pub seconds: &'static str,
    /// The unit of a rate.
    pub times: &'static str,
    /// No time was typed.
    pub no_time: &'static str,
    /// What lasts no time was to be made.
    pub no_length: &'static str,
    /// A time before now was typed.
    pub negative_time: &'static str,
    /// No rate was typed.
    pub no_rate: &'static str,
    /// Why it cannot be done.
    pub why_not: fn(Missed) -> String,
    /// It is in force already.
    pub in_force: &'static str,
    /// The groups of faults on a thing.
    pub process: &'static str,
    /// Its clocks.
    pub clocks: &'static str,
    /// Its program.
    pub program: &'static str,
    /// What it checks.
    pub rule: &'static str,
    /// Which part it has.
    pub replication: &'static str,
    /// Sessions at a PostgreSQL server.
    pub sessions: &'static str,
    /// A link.
    pub link: &'static str,
    /// A message.
    pub message: &'static str,
    /// Stop the member that leads.
    pub stop_leader: fn(Service, leader: &str) -> String,
    /// There is none.
    pub no_leader: fn(Service) -> &'static str,
    /// Start a member.
    pub start_member: fn(member: &str) -> String,
    /// Switch the token check on, from here on.
    pub check_on: &'static str,
    /// Switch it off, from here on.
    pub check_off: &'static str,
    /// Run again with it on.
    pub again_on: &'static str,
    /// Run again with it off.
    pub again_off: &'static str,
}

/// English.
pub const ENGLISH: Faults = Faults {
    more: "More faults…",
    more_on: |thing| format!("More faults… on {thing}"),
    close: "Close",
    button,
    button_on: |action, thing| match action {
        Do::Rule { .. } => format!("Switch the rule of {thing}"),
        Do::OnRenewalFailure { .. } => format!("Switch what {thing} does when it cannot renew"),
        Do::DeadlineFrom { .. } => format!("Switch what {thing} counts its deadline from"),
        Do::ReleaseCheck { .. } => format!("Switch how {thing} releases"),
        Do::Promote { .. } | Do::Follow { .. } => format!("Switch the part of {thing}"),
        Do::Terminate { .. } | Do::ShutDown { .. } => format!("End sessions at {thing}"),
        other => format!("{} {thing}", button(other)),
    },
    button_for: |action, ms| format!("{} {}", button(action), amounts::span(Span::from_ms(ms))),
    way,
    ways: |action| match action {
        Do::Suspend { .. } => Some("wall clock on waking"),
        Do::Cut { .. } => Some("which way to cut"),
        Do::Heal { .. } => Some("which way to heal"),
        _ => None,
    },
    to: "to",
    amount: |action| match action {
        Do::SetWall { .. } => "ahead of the right time by",
        Do::SetRate { .. } => "at",
        Do::Duplicate { .. } => "the second after",
        _ => "by",
    },
    lasting: |action| match action {
        Do::Crash { .. } => "start again after",
        _ => "for",
    },
    until: |action| match action {
        Do::Pause { .. } => "until resumed",
        Do::Suspend { .. } => "until woken",
        Do::Crash { .. } => "until started",
        Do::Cut { .. } => "until healed",
        _ => "until released",
    },
    how_long: "how long",
    seconds: "s",
    times: "× the right rate",
    no_time: "Give a time in seconds, as in 45 or 0.5.",
    no_length: "Give more than 0 s: what lasts no time does nothing.",
    negative_time: "Give a time of zero seconds or more.",
    no_rate: "Give a rate above 0 and up to 100, as in 0.2 or 1.5.",
    why_not: |why| {
        let text = en::missed(why);
        format!("Not now: {text}.")
    },
    in_force: "In force.",
    process: "Process",
    clocks: "Clocks",
    program: "Program",
    rule: "What it checks",
    replication: "Replication",
    sessions: "Sessions",
    link: "Link",
    message: "Message",
    stop_leader: |service, leader| match service {
        Service::Etcd | Service::ZooKeeper | Service::Consul => format!("Stop leader {leader}"),
        Service::Postgres | Service::Objects => format!("Stop server {leader}"),
        Service::Redis => format!("Stop primary {leader}"),
        Service::Redlock => format!("Stop node {leader}"),
    },
    no_leader: |service| match service {
        Service::Etcd | Service::ZooKeeper | Service::Consul => "Nobody leads.",
        Service::Postgres | Service::Objects => "The server does not run.",
        Service::Redis => "No node takes writes.",
        Service::Redlock => "No node runs.",
    },
    start_member: |member| format!("Start {member}"),
    check_on: "Check tokens from here on",
    check_off: "Check off from here on",
    again_on: "Run again with the check on",
    again_off: "Run again with the check off",
};

fn button(action: &Do) -> &'static str {
    match action {
        Do::Pause { .. } => "Pause",
        Do::Resume { .. } => "Resume",
        Do::Suspend { .. } => "Suspend",
        Do::Wake { .. } => "Wake",
        Do::Crash { .. } => "Crash",
        Do::Restart { .. } => "Start",
        Do::StepWall { .. } => "Step wall clock",
        Do::SetWall { .. } => "Set wall clock",
        Do::SetRate { .. } => "Run clocks",
        Do::Cut { .. } => "Cut",
        Do::Heal { .. } => "Heal",
        Do::Hold { .. } => "Hold",
        Do::Release { .. } => "Release",
        Do::Drop { .. } => "Drop",
        Do::Delay { .. } => "Delay",
        Do::Duplicate { .. } => "Double",
        Do::Heartbeat { is: Heartbeat::Blocked, .. } => "Block heartbeat",
        Do::Heartbeat { is: Heartbeat::Runs, .. } => "Unblock heartbeat",
        Do::Rule { .. }
        | Do::OnRenewalFailure { .. }
        | Do::DeadlineFrom { .. }
        | Do::ReleaseCheck { .. }
        | Do::Promote { .. }
        | Do::Follow { .. } => "Switch",
        Do::Terminate { .. } | Do::ShutDown { .. } => "End",
    }
}

fn way(action: &Do) -> String {
    match action {
        Do::Suspend { wall: WallOnWake::Right, .. } => "right, as after sleep".to_owned(),
        Do::Suspend { wall: WallOnWake::Behind, .. } => "behind, as after a snapshot".to_owned(),
        Do::Cut { from, to, way: Way::Both, .. } | Do::Heal { from, to, way: Way::Both } => {
            format!("{from} and {to}, both ways")
        }
        Do::Cut { from, to, .. } | Do::Heal { from, to, .. } => format!("{from} to {to} only"),
        Do::Rule { is, .. } => en::rule(*is).to_owned(),
        Do::OnRenewalFailure { is, .. } => en::on_renewal_failure(*is).to_owned(),
        Do::DeadlineFrom { is, .. } => en::deadline_from(*is).to_owned(),
        Do::ReleaseCheck { is, .. } => en::release_check(*is).to_owned(),
        Do::Promote { .. } => "takes writes".to_owned(),
        Do::Follow { primary, .. } => format!("follows {primary} and gives up what it has"),
        Do::Terminate { client, .. } => format!("the session of {client} (pg_terminate_backend)"),
        Do::ShutDown { .. } => "all sessions, then the server (fast shutdown)".to_owned(),
        other => button(other).to_owned(),
    }
}
