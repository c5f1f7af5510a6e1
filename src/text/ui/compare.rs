//! Two runs beside each other.

use crate::actors::store::api::MarkScope;
use crate::actors::worker::config::{
    ConsulToken, LeaseUntil, ObjectRelease, PgToken, Recipe, Settle, StopsAt, TokenFrom,
};
use crate::scenario::Change;
use crate::scenario::change::FirstCall;
use crate::scenario::promise::{Promise, Tried};
use crate::text::{en, objects};

/// The comparison of two runs.
#[derive(Debug)]
pub struct Compare {
    /// Before the list of changes.
    pub choose: &'static str,
    /// The list's first entry: nothing chosen.
    pub nothing: &'static str,
    /// What is changed, by kind.
    pub kind: fn(Change) -> &'static str,
    /// To what it is changed.
    pub change: fn(Change) -> String,
    /// Runs that are open already.
    pub open_runs: &'static str,
    /// One of them, by number.
    pub run: fn(number: u32) -> String,
    /// The button that begins.
    pub begin: &'static str,
    /// A click that the second run cannot take, and why: the comparison has ended.
    pub not_both: fn(why: &str) -> String,
    /// The button that ends it.
    pub end: &'static str,
    /// The heading: the numbers of both runs.
    pub title: fn(here: u32, there: u32) -> String,
    /// The verdicts' heading.
    pub verdicts: &'static str,
    /// The column of what is compared.
    pub what: &'static str,
    /// Writes under an old grant accepted after the new one was heard of.
    pub stale: &'static str,
    /// Writes under an old grant accepted before that.
    pub late: &'static str,
    /// What the partner has booked.
    pub booked: &'static str,
    /// How a promise stands.
    pub promise: fn(Promise) -> &'static str,
    /// A run, by number, that broke nothing: what that is worth.
    pub tried: fn(number: u32, Tried) -> String,
    /// Before the button that opens a run in which other clicks break a promise.
    pub elsewhere: &'static str,
    /// In a row in which the runs differ.
    pub differs: &'static str,
    /// The differences' heading.
    pub differences: &'static str,
    /// One of the two, or both, has not been run.
    pub not_begun: &'static str,
    /// Nothing differs until then.
    pub none_yet: fn(moment: &str) -> String,
    /// Where they part, and how much is different, until then.
    pub first: fn(moment: &str, count: usize, until: &str) -> String,
    /// In place of an event that only the other run has.
    pub not_here: &'static str,
    /// More differences than are listed.
    pub more: fn(count: usize) -> String,
}

/// English.
pub const ENGLISH: Compare = Compare {
    choose: "Compare with the same clicks, but",
    nothing: "choose what is different",
    kind: |change| match change {
        Change::Rule(_) => "What the store does",
        Change::FirstCall(_) => "What a new holder does first",
        Change::Recipe(_) => "How the lock is taken",
        Change::OnRenewalFailure(_) => "When a renewal fails",
        Change::Release(_) => "How the lock is given back",
        Change::TtlS(_) => "How long the lease lasts",
        Change::PgToken(_) => "What number is drawn under the lock",
        Change::Token(_) | Change::ConsulToken(_) => "What is the token",
        Change::StopsAt(_) => "When a renewal has failed",
        Change::Puts(_) => "How a worker puts the object",
        Change::Guard(_) => "How a worker guards its write",
        Change::Scope(_) => "For what the store keeps one mark",
        Change::ConsulServers(_) => "How many Consul servers there are",
        Change::LockDelayS(_) => "How long the lock-delay is",
        Change::LeaseUntil(_) => "When another’s lease is over",
        Change::ObjectRelease(_) => "What a release makes of the object",
        Change::Settle(_) => "What a worker makes of a 412 or 409",
    },
    change: |change| match change {
        Change::Rule(rule) => format!("the store {}", en::rule(rule)),
        Change::FirstCall(FirstCall::Claims) => "it claims with its token".to_owned(),
        Change::FirstCall(FirstCall::Reads) => "it only reads".to_owned(),
        Change::Recipe(Recipe::Queue) => "by a queue of keys".to_owned(),
        Change::Recipe(Recipe::CreateIfAbsent) => "one key, created if absent".to_owned(),
        Change::Recipe(Recipe::GetThenPut) => "one key, read and then put (wrong)".to_owned(),
        Change::Recipe(Recipe::SetNx) => "set if absent, with an end".to_owned(),
        Change::Recipe(Recipe::SetnxExpire) => {
            "set if absent, then given an end (wrong)".to_owned()
        }
        Change::Recipe(Recipe::SetAndCount) => "a script that also counts".to_owned(),
        Change::Recipe(Recipe::Redlock) => "Redlock".to_owned(),
        Change::Recipe(Recipe::RedlockAndCount) => "Redlock with counters (wrong)".to_owned(),
        Change::Recipe(Recipe::EphemeralSequential) => "by ephemeral sequential nodes".to_owned(),
        Change::Recipe(Recipe::Advisory) => "by an advisory lock, in a queue".to_owned(),
        Change::Recipe(Recipe::TryAdvisory) => "by an advisory lock, tried again".to_owned(),
        Change::Recipe(Recipe::AdvisoryXact) => "by an advisory lock of a transaction".to_owned(),
        Change::Recipe(Recipe::RowLock) => "by SELECT … FOR UPDATE".to_owned(),
        Change::Recipe(Recipe::LockRow) => "by a row with an end".to_owned(),
        Change::Recipe(Recipe::KvAcquire) => "by a session that acquires a key".to_owned(),
        Change::Recipe(Recipe::Election) => "by an election".to_owned(),
        Change::Recipe(Recipe::ObjectCreate) => "an object created if absent".to_owned(),
        Change::Recipe(Recipe::ObjectLease) => "an object with a lease and an epoch".to_owned(),
        Change::LeaseUntil(LeaseUntil::Timestamp) => {
            "a lease is over at the time that stands in its object".to_owned()
        }
        Change::LeaseUntil(LeaseUntil::Unchanged) => {
            "a lease is over when its ETag has stayed for a whole one".to_owned()
        }
        Change::ObjectRelease(ObjectRelease::Free) => {
            "a release sets the object free, with its epoch".to_owned()
        }
        Change::ObjectRelease(ObjectRelease::Delete) => {
            "a release deletes the object (wrong: its epoch begins again)".to_owned()
        }
        Change::Settle(Settle::Look) => {
            "after a 412 or 409 a worker looks for its own nonce".to_owned()
        }
        Change::Settle(Settle::Never) => {
            "after a 412 or 409 a worker takes the object for another’s (wrong)".to_owned()
        }
        Change::OnRenewalFailure(policy) => {
            format!("the worker {}", en::on_renewal_failure(policy))
        }
        Change::Release(check) => en::release_check(check).to_owned(),
        Change::TtlS(ttl_s) => format!("a TTL of {ttl_s} s"),
        Change::Token(TokenFrom::Czxid) => "the czxid of its own znode".to_owned(),
        Change::Token(TokenFrom::Suffix) => "the suffix of its own znode (wrong)".to_owned(),
        Change::Token(TokenFrom::Version) => "the version of a znode that stays".to_owned(),
        Change::ConsulToken(ConsulToken::ModifyIndex) => "the key’s ModifyIndex".to_owned(),
        Change::ConsulToken(ConsulToken::LockIndex) => {
            "the key’s LockIndex (wrong where keys are deleted)".to_owned()
        }
        Change::ConsulToken(ConsulToken::None) => "none: there is no token".to_owned(),
        Change::PgToken(PgToken::None) => "none: there is no token".to_owned(),
        Change::PgToken(PgToken::FenceColumn) => "a column raised".to_owned(),
        Change::PgToken(PgToken::Sequence) => "a sequence".to_owned(),
        Change::StopsAt(StopsAt::Suspended) => "at SUSPENDED".to_owned(),
        Change::StopsAt(StopsAt::Lost) => "at LOST (late)".to_owned(),
        Change::Puts(puts) => format!("the worker {}", objects::puts(puts)),
        Change::Guard(guard) => format!("the worker {}", objects::guard(guard)),
        Change::Scope(MarkScope::Store) => "one highest token for all data".to_owned(),
        Change::Scope(MarkScope::Object) => "one highest token for each object".to_owned(),
        Change::ConsulServers(1) => "one server".to_owned(),
        Change::ConsulServers(servers) => format!("{servers} servers"),
        Change::LockDelayS(0) => "no lock-delay".to_owned(),
        Change::LockDelayS(delay_s) => format!("a lock-delay of {delay_s} s"),
    },
    open_runs: "A run that is open",
    run: |number| format!("run {number}"),
    begin: "Compare",
    not_both: |why| {
        format!(
            "The run beside it cannot be given the same click ({why}): the comparison has ended."
        )
    },
    end: "End the comparison",
    title: |here, there| format!("Run {here} above, run {there} below, at the same moment"),
    verdicts: "Verdicts",
    what: "So far",
    stale: "Stale writes accepted",
    late: "Late writes accepted",
    booked: "Booked, of what is owed",
    promise: |promise| match promise {
        Promise::Kept => "kept",
        Promise::Broken => "broken",
        Promise::NotPromised => "not promised",
    },
    tried: |number, tried| match tried {
        Tried::NoPromise => {
            format!("Run {number} promises nothing, so nothing was put to the test.")
        }
        Tried::NoClick => format!(
            "Run {number} breaks no promise so far, and nothing was done to it: that does not show \
             that it is safe."
        ),
        Tried::TheseClicks => format!(
            "Run {number} breaks no promise so far, with these clicks. That does not show that it \
             is safe: others, or the same at other moments, were not tried."
        ),
    },
    elsewhere: "It is not: other clicks break a promise with the same settings, in",
    differs: "differs",
    differences: "Where they differ",
    not_begun: "Not both have been run yet. They run together: play, and where they differ is told \
                here.",
    none_yet: |moment| format!("No turn of events differs until {moment}."),
    first: |moment, count, until| match count {
        1 => format!("They part at {moment}: one difference until {until}."),
        count => format!("They part at {moment}: {count} differences until {until}."),
    },
    not_here: "nothing of the kind",
    more: |count| format!("{count} more differences are not listed."),
};
