//! English: what an event, a property, a refusal is called.

use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{CheckOutcome, StoreNote, WorkerNote};
use crate::actors::objects::api::ObjectError;
use crate::actors::postgres::Order;
use crate::actors::redis::Replication;
use crate::actors::store::api::{Refusal, Rule, Token};
use crate::actors::worker::Heartbeat;
use crate::actors::worker::config::{DeadlineFrom, OnRenewalFailure, Policy, ReleaseCheck, Step};
use crate::actors::{Actor, Note, Setting};
use crate::properties::PropertyId;
use crate::sim::click::{Action, WallOnWake};
use crate::sim::event::{Event, MessageRef, Missed, What};
use crate::sim::process::{Hearing, NodeId};
use crate::sim::time::Span;
use crate::text::amounts::{money, rate, span, whole};
use crate::text::kinds::kind;
use crate::text::objects::{self, status};
use crate::text::service::{self, numbered_of};
use crate::text::short;
use crate::text::who::Who;
use crate::text::{consul, effects, endings, postgres};

/// A lease's number, as etcd's tools write it.
pub fn lease(lease: LeaseId) -> String {
    format!("{:x}", lease.0)
}

/// An event in one sentence without its time and place.
pub fn event(event: &Event<Actor>, who: &Who) -> String {
    let of = |node: NodeId| who.machine(node);
    match &event.what {
        What::RunBegins => "The run begins".to_owned(),
        What::Clicked { action, .. } => format!("Click: {}", self::action(action, who)),
        What::ClickMissed { action, why, .. } => {
            format!("Click without effect: {} ({})", self::action(action, who), missed(*why))
        }
        What::Started => "Starts".to_owned(),
        What::Paused => "Is paused; its clocks run on".to_owned(),
        What::Resumed => "Wakes from its pause".to_owned(),
        What::Suspended => "Is suspended; its monotonic clock stands still".to_owned(),
        What::Woke => "Wakes from suspension".to_owned(),
        What::Crashed => "Crashes".to_owned(),
        What::Exited => "Its process has ended".to_owned(),
        What::LinkCut { to } => format!("Its link to {} is cut", of(*to)),
        What::LinkHealed { to } => format!("Its link to {} is healed", of(*to)),
        What::Released { message } => format!("{} goes on", sentence_start(message, who)),
        What::Sent { message, .. } => format!("Sends {} to {}", kind(message.kind), of(message.to)),
        What::Delivered { message, .. } => {
            format!("Takes up {} from {}", kind(message.kind), of(message.from))
        }
        What::Waits { message } => {
            format!("{} from {} waits for it to wake", kind(message.kind), of(message.from))
        }
        What::Lost { message, why } => {
            format!("{} to {} is lost: {}", kind(message.kind), of(message.to), short::loss(*why))
        }
        What::Returned { message } => {
            format!("{} comes back: nothing runs at {}", kind(message.kind), of(message.to))
        }
        What::TimerFired { late, .. } if *late > Span::ZERO => {
            format!("A timer fires, {} late", span(*late))
        }
        What::TimerFired { .. } => "A timer fires".to_owned(),
        What::WorkDone => "Its work is done".to_owned(),
        What::Hears { peer, hearing: Hearing::Heard } => format!("Hears {} again", of(*peer)),
        What::Hears { peer, hearing: Hearing::Silent } => format!("No longer hears {}", of(*peer)),
        What::Note(note) => {
            let taken =
                objects::taken_over(event, who).or_else(|| postgres::taken_over(event, who));
            taken.unwrap_or_else(|| self::note(note, event.node, who))
        }
    }
}

fn sentence_start(message: &MessageRef, who: &Who) -> String {
    format!("The held {} to {}", kind(message.kind), who.machine(message.to))
}

/// A message by name: "report 1 from W1 to store".
pub fn message(message: &MessageRef, who: &Who) -> String {
    let (from, to) = (who.machine(message.from), who.machine(message.to));
    format!("{} {} from {from} to {to}", kind(message.kind), message.nth)
}

/// An intervention: "pause W1 for 45 s".
pub fn action(action: &Action<Actor>, who: &Who) -> String {
    let of = |node: &NodeId| who.machine(*node);
    let lasting =
        |time: &Option<Span>| time.map(|t| format!(" for {}", span(t))).unwrap_or_default();
    match action {
        Action::Pause { node, lasting: time } => format!("pause {}{}", of(node), lasting(time)),
        Action::Resume { node } => format!("resume {}", of(node)),
        Action::Suspend { node, lasting: time, wall } => {
            let behind = match wall {
                WallOnWake::Right => "",
                WallOnWake::Behind => ", its wall clock staying behind",
            };
            format!("suspend {}{}{behind}", of(node), lasting(time))
        }
        Action::Wake { node } => format!("wake {}", of(node)),
        Action::Crash { node, restart_after: None } => format!("crash {}", of(node)),
        Action::Crash { node, restart_after: Some(after) } => {
            format!("crash {}, restart after {}", of(node), span(*after))
        }
        Action::Restart { node } => format!("start {}", of(node)),
        Action::StepWall { node, by } => format!("step {}'s wall clock by {}", of(node), span(*by)),
        Action::SetWall { node, ahead } => {
            format!("set {}'s wall clock {} ahead", of(node), span(*ahead))
        }
        Action::SetRate { node, rate_ppm } => {
            format!("let {}'s clock run at {}", of(node), rate(*rate_ppm))
        }
        Action::Cut { from, to, lasting: time } => {
            format!("cut {} to {}{}", of(from), of(to), lasting(time))
        }
        Action::Heal { from, to } => format!("heal {} to {}", of(from), of(to)),
        Action::Hold { message, lasting: time } => {
            format!("hold {}{}", self::message(message, who), lasting(time))
        }
        Action::Release { message } => format!("release {}", self::message(message, who)),
        Action::Drop { message } => format!("drop {}", self::message(message, who)),
        Action::Delay { message, by } => {
            format!("delay {} by {}", self::message(message, who), span(*by))
        }
        Action::Duplicate { message, after } => {
            format!("double {} after {}", self::message(message, who), span(*after))
        }
        Action::Set { node, setting: Setting::Postgres(Order::Terminate(client)) } => {
            format!("{}: pg_terminate_backend, the session of {}", of(node), of(client))
        }
        Action::Set { node, setting } => format!("{}: {}", of(node), self::setting(setting)),
    }
}

/// A rule or policy switched to.
pub fn setting(setting: &Setting) -> &'static str {
    match setting {
        Setting::Rule(rule) => self::rule(*rule),
        Setting::Heartbeat(Heartbeat::Runs) => "heartbeat runs",
        Setting::Heartbeat(Heartbeat::Blocked) => "heartbeat blocked",
        Setting::OnRenewalFailure(policy) => on_renewal_failure(*policy),
        Setting::DeadlineFrom(policy) => deadline_from(*policy),
        Setting::Release(policy) => release_check(*policy),
        Setting::Replication(Replication::Primary) => "takes writes from here on",
        Setting::Replication(Replication::Of(_)) => "follows the other node from here on",
        Setting::Postgres(Order::Terminate(_)) => "pg_terminate_backend",
        Setting::Postgres(Order::ShutDown) => "fast shutdown",
    }
}

/// What a deadline is counted from.
pub fn deadline_from(policy: DeadlineFrom) -> &'static str {
    match policy {
        DeadlineFrom::Answer => "deadline counted from the answer",
        DeadlineFrom::BeforeRequest => "deadline counted from before the request",
    }
}

/// How a lock is released.
pub fn release_check(policy: ReleaseCheck) -> &'static str {
    match policy {
        ReleaseCheck::Owner => "releases only its own lock",
        ReleaseCheck::NameOnly => "releases by name, whoever holds it",
    }
}

/// A policy on renewal failure.
pub fn on_renewal_failure(policy: OnRenewalFailure) -> &'static str {
    match policy {
        OnRenewalFailure::Exit => "exits when it cannot renew",
        OnRenewalFailure::StopWork => "stops its work when it cannot renew",
        OnRenewalFailure::CarryOn => "carries on when it cannot renew",
    }
}

/// A store's rule.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::None => "checks nothing",
        Rule::AtLeast => "refuses lower tokens",
        Rule::OwnerAndSequence => "refuses lower tokens and repeats",
        Rule::CompareAndSet => "refuses what was computed from an old version",
        Rule::DedupeKey => "refuses a job that is done",
        Rule::SameTransaction => "checks in the transaction that stores",
        Rule::StrictlyGreater => "refuses equal tokens too (wrong)",
        Rule::LastSeen => "takes only the number seen last (wrong)",
        Rule::CheckThenPut => "checks first, puts later (wrong)",
        Rule::CheckAtStart => "checks when a slow PUT begins (wrong)",
        Rule::TermAndKey => "refuses lower terms, answers known keys again",
    }
}

/// A step of a program, as the reader sees it.
pub fn step(step: Step) -> &'static str {
    match step {
        Step::DrawNumber => "draw a number",
        Step::Acquire => "acquire the lock",
        Step::Claim => "claim",
        Step::Read => "read",
        Step::Compute => "compute",
        Step::Check => "check its deadline",
        Step::Write => "send the write",
        Step::SlowWrite => "send the write slowly",
        Step::Release => "release",
        Step::Take => "take the next transfer",
        Step::Book => "ask the partner to book",
    }
}

/// Why something cannot be done.
pub fn missed(why: Missed) -> &'static str {
    match why {
        Missed::NoSuchMessage => "that message is not in flight",
        Missed::NotHeld => "that message is not held",
        Missed::NotRunning => "it does not run",
        Missed::NotPaused => "it is not paused",
        Missed::NotSuspended => "it is not suspended",
        Missed::RunsAlready => "it runs already",
        Missed::CutAlready => "the link is cut already",
        Missed::NotCut => "the link is not cut",
    }
}

/// What a process notes.
pub fn note(note: &Note, node: NodeId, who: &Who) -> String {
    match note {
        Note::Lock(note) => service::lock(note, who),
        Note::Etcd(note) => service::etcd(note, who),
        Note::Redis(note) => service::redis(note, who),
        Note::Postgres(note) => postgres::server(note, who),
        Note::Consul(note) => consul::server(note, who),
        Note::Worker(note) => worker_note(note, node, who),
        Note::Store(note) => store_note(note),
        Note::Effect(note) => effects::note(note),
        Note::Replaced { ended, begins } => {
            format!(
                "{} has ended; {} begins in its place",
                who.machine(*ended),
                who.machine(*begins)
            )
        }
    }
}

fn worker_note(note: &WorkerNote, node: NodeId, who: &Who) -> String {
    let own = service::zookeeper_client(note, who).or_else(|| postgres::client(note, who));
    let own = own.or_else(|| consul::client(note, who)).or_else(|| objects::client(note, who));
    own.unwrap_or_else(|| of_any_client(note, node, who))
}

fn of_any_client(note: &WorkerNote, node: NodeId, who: &Who) -> String {
    match note {
        WorkerNote::Began => "Its program begins".to_owned(),
        WorkerNote::Step(step) => format!("Goes to: {}", self::step(*step)),
        WorkerNote::SessionOpened { lease: id } => format!("Has a session, lease {}", lease(*id)),
        WorkerNote::SessionClosed { lease: id, why } => {
            let why = service::session_end(*why);
            format!("Its client's session (lease {}) is over: {why}", lease(*id))
        }
        WorkerNote::Renewed { lease: id } => format!("Its lease {} is renewed", lease(*id)),
        WorkerNote::DataRead { version } => format!("Has the data, version {version}"),
        WorkerNote::PolicySet { policy } => format!("From here on: {}", self::policy(*policy)),
        WorkerNote::Waits { create_revision: 0 } => "Waits for the lock".to_owned(),
        WorkerNote::Waits { create_revision } => {
            format!("Waits in the queue with create revision {create_revision}")
        }
        WorkerNote::DrewValue { .. }
        | WorkerNote::HeardVote { .. }
        | WorkerNote::Counted { .. }
        | WorkerNote::HoldOver { .. } => service::key_client(note, who),
        WorkerNote::FoundOver { lease, until } => objects::found_over(*lease, *until, node, who),
        WorkerNote::Believes { lock, token, .. } => {
            format!("Believes that it holds {lock}, {}", with_token(*token))
        }
        WorkerNote::BelievesNoMore { lock, why, .. } => endings::believes_no_more(lock, *why, who),
        WorkerNote::Checked { outcome } => match outcome {
            CheckOutcome::StillMine => "Checks its session and its deadline: both still hold",
            CheckOutcome::SessionOver => "Checks its session: it is over",
            CheckOutcome::DeadlinePassed => "Checks its deadline: it has passed",
            CheckOutcome::NoDeadline => "Checks, and goes on: it keeps no deadline to look at",
            CheckOutcome::Connected => "Checks its connection: it is there",
            CheckOutcome::NotConnected => "Checks its connection: it is gone",
            CheckOutcome::KeyIsOwn => "Is told that its key in etcd is there",
            CheckOutcome::KeyIsNotOwn => "Is told that its key in etcd is gone",
        }
        .to_owned(),
        WorkerNote::Suspended { .. } | WorkerNote::Reconnected { .. } => {
            unreachable!("only a client of ZooKeeper notes it")
        }
        WorkerNote::DrewToken { token } => format!("Draws {token} and will use it as its token"),
        WorkerNote::FoundDone { job } => format!("Finds that “{job}” is done already"),
        WorkerNote::Writes { token, attempt: 1, .. } => {
            format!("Sends its write {}", with_token(*token))
        }
        WorkerNote::Writes { token, attempt, .. } => {
            format!("Sends its write {} again, try {attempt}", with_token(*token))
        }
        WorkerNote::WriteAcknowledged { token } => {
            format!("Learns that its write {} was accepted", with_token(*token))
        }
        WorkerNote::FoundHigher { .. }
        | WorkerNote::FoundOwn { .. }
        | WorkerNote::TookTransfer { .. }
        | WorkerNote::SettledTransfer { .. } => objects::worker_note(note),
        WorkerNote::Refused { step, refusal } => {
            let (status, step) = (status(*refusal), self::step(*step));
            format!("Is told {status} to “{step}”: {}", self::refusal(*refusal))
        }
        WorkerNote::Unanswered { step, attempts } => {
            format!("Got no answer to “{}”, tries so far: {attempts}", self::step(*step))
        }
        WorkerNote::RenewalFailed => "Cannot renew its lease".to_owned(),
        WorkerNote::HeartbeatSet { heartbeat } => service::heartbeat(*heartbeat).to_owned(),
        WorkerNote::Releases { lock, .. } => format!("Releases {lock}"),
        WorkerNote::Finished => "Its program has come to its end".to_owned(),
        WorkerNote::Stopped { why } => endings::stops(*why, who),
        WorkerNote::Exits => "Exits".to_owned(),
    }
}

fn policy(policy: Policy) -> &'static str {
    setting(&match policy {
        Policy::OnRenewalFailure(policy) => Setting::OnRenewalFailure(policy),
        Policy::DeadlineFrom(from) => Setting::DeadlineFrom(from),
        Policy::Release(check) => Setting::Release(check),
    })
}

/// 0 stands for no token.
fn with_token(token: Token) -> String {
    match token {
        0 => "without a token".to_owned(),
        _ => format!("with token {}", crate::text::service::token(token)),
    }
}

/// Why a store refused.
pub fn refusal(refusal: Refusal) -> String {
    match refusal {
        // What came before had none, so what is refused has none either.
        Refusal::Token { mark: 0 } => "it has no token, and another had none either".to_owned(),
        Refusal::Token { mark } => format!("{} has been seen", service::token(mark)),
        Refusal::Version { current } => format!("the version is {current}"),
        Refusal::JobDone => "that job is done".to_owned(),
        Refusal::NotBegun => "no such PUT was begun".to_owned(),
        Refusal::Condition(ObjectError::PreconditionFailed(condition)) => {
            format!("PreconditionFailed ({})", condition.name())
        }
        Refusal::Condition(error) => error.code().to_owned(),
        Refusal::Compare => "the comparison of its key does not hold".to_owned(),
    }
}

fn store_note(note: &StoreNote) -> String {
    match note {
        StoreNote::Claimed { token, version, object, .. } => {
            let claim = numbered_of("Claim", *token, object);
            format!("{claim} accepted, version {version} read")
        }
        StoreNote::ClaimRefused { token, refusal, object, .. } => {
            let (claim, status) = (numbered_of("Claim", *token, object), status(*refusal));
            format!("{claim} refused, {status}: {}", self::refusal(*refusal))
        }
        StoreNote::Read { version } => format!("Version {version} read, no token looked at"),
        StoreNote::Accepted { token, version, amount: 0, object, .. } => {
            format!("{} accepted, version {version}", numbered_of("PUT", *token, object))
        }
        StoreNote::Accepted { token, version, amount, booked, object, .. } => format!(
            "{} accepted, version {version}; {} booked, {} in all",
            numbered_of("PUT", *token, object),
            whole(*amount),
            money(*booked)
        ),
        StoreNote::Repeated { token, sequence, object, .. } => {
            let put = numbered_of("PUT", *token, object);
            format!("{put} repeats number {sequence}: answered again, not applied")
        }
        StoreNote::Refused { token, refusal, object, .. } => {
            let (put, status) = (numbered_of("PUT", *token, object), status(*refusal));
            format!("{put} refused, {status}: {}", self::refusal(*refusal))
        }
        StoreNote::Begun { token, object, .. } => {
            format!("{} begins", numbered_of("Slow PUT", *token, object))
        }
        StoreNote::ClaimWaits { token, object, .. } => {
            format!("{} waits for the row that a PUT holds", numbered_of("Claim", *token, object))
        }
        StoreNote::WriteWaits { token, object, .. } => {
            format!("{} waits for the row that a PUT holds", numbered_of("PUT", *token, object))
        }
        StoreNote::NumberTaken { number } => format!("The separate counter gives {number}"),
        StoreNote::RuleSet { rule } => format!("From here on it {}", self::rule(*rule)),
        StoreNote::MarkLost => "Starts again without its mark".to_owned(),
        StoreNote::RolledBack { token, object, .. } => {
            let put = numbered_of("Slow PUT", *token, object);
            format!("{put} is rolled back: its client has hung up")
        }
    }
}

/// A property, as what it promises.
pub fn property(id: PropertyId) -> &'static str {
    match id {
        PropertyId::StaleWriteAccepted => "No stale write accepted",
        PropertyId::AcknowledgedWriteLost => "No acknowledged write lost",
        PropertyId::WorkDoneTwice => "No work done twice",
        PropertyId::RightfulHolderRefused => "No rightful holder refused",
        PropertyId::TwoBelieve => "Never two believe they hold it",
        PropertyId::GrantedToTwo => "Never granted to two",
        PropertyId::TokenNotRising => "Tokens rise",
        PropertyId::WrongLockReleased => "No wrong lock released",
        PropertyId::NeverReleased => "Released at the end",
        PropertyId::NeverFinished => "Finished at the end",
    }
}
