//! Why workers stop, and believe no more.

use crate::actors::note::{BeliefEnd, StopReason};
use crate::scenario::names::Service;
use crate::text::who::Who;

/// That a worker stops before its end.
pub fn stops(why: StopReason, who: &Who) -> String {
    format!("Stops before its end: {}", stop_reason(why, who.names().service()))
}

/// That it no longer believes that it holds a lock.
pub fn believes_no_more(lock: &str, why: BeliefEnd, who: &Who) -> String {
    format!("No longer believes that it holds {lock}: {}", belief_end(why, who))
}

/// A client of Redis has keys, one of an object store an object, and none a session.
const HOLD_OVER: &str = "its hold on the lock is over";

fn has_session(service: Service) -> bool {
    !service.has_keys() && service != Service::Objects
}

fn belief_end(why: BeliefEnd, who: &Who) -> &'static str {
    match why {
        BeliefEnd::SessionOver if !has_session(who.names().service()) => HOLD_OVER,
        BeliefEnd::Refused => "the store refused it",
        BeliefEnd::SessionOver => "its session is over",
        BeliefEnd::RenewalFailed => "it cannot renew",
        BeliefEnd::CheckFailed => "its check says so",
        BeliefEnd::Released => "it releases it",
        BeliefEnd::Unanswered => "nobody answers",
        BeliefEnd::FoundHigher => "a token is there that its own does not beat",
    }
}

/// Why a worker stopped before its end.
pub fn stop_reason(why: StopReason, service: Service) -> &'static str {
    match why {
        StopReason::SessionOver if !has_session(service) => HOLD_OVER,
        StopReason::Refused => "the store refused it",
        StopReason::SessionOver => "its session is over",
        StopReason::RenewalFailed => "it cannot renew",
        StopReason::CheckFailed => "its check failed",
        StopReason::Unanswered => "nobody answers",
        StopReason::FoundHigher => "a token is there that its own does not beat",
    }
}
