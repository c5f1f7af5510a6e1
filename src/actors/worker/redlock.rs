//! Redlock: the lock's key at a majority of independent Redis nodes, by the algorithm that
//! Redis's documents describe.
//!
//! ```text
//!   T1 ─► set if absent, at all nodes at once ─► all answered, or the time for a node over
//!      ─► T2: a majority, and TTL - (T2 - T1) - drift left? ─► granted for so long
//!                 └─► no: delete the own key at all nodes, wait a random time, begin anew
//! ```
//!
//! It is renewed in the same way, and given back at all nodes. What it takes for granted is
//! that clocks run at nearly the same rate and are never set; what a client does not look at
//! after the votes is a choice of its own ([`ValidityCheck`]).

use super::config::{OfService, RedisRecipe, RenewalCheck, ValidityCheck, ValidityClock};
use super::ending::Failure;
use super::program::Doing;
use super::session::{RECONNECT, Session};
use super::watchdog::{Key, Watchdog};
use super::{Heartbeat, Outbox, Worker, WorkerTimer, cancel_timer, set_timer};
use crate::actors::Message;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::{Count, Vote, WorkerNote};
use crate::actors::redis::api::{Ask, Reply, Request, Response, Script};
use crate::actors::store::api::Token;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span, Wall};
use serde::Serialize;

/// What a lock's time is cut by besides a hundredth of it: how finely Redis keeps time.
const LEAST_DRIFT: Span = Span::from_ms(2);

/// Some of the nodes, by their places in the client's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Places(u8);

impl Places {
    fn with(self, place: usize) -> Places {
        Places(self.0 | 1 << place)
    }

    fn has(self, place: usize) -> bool {
        self.0 & 1 << place != 0
    }

    fn count(self) -> u8 {
        u8::try_from(self.0.count_ones()).expect("at most eight")
    }
}

/// What the nodes are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum For {
    /// The key, if it is absent.
    Taking,
    /// The same, by one who waits.
    TakingAgain,
    /// A new end for the key.
    Renewal,
    /// The key's end.
    Release,
}

/// One question to all nodes, and what came of it so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Round {
    id: RequestId,
    pub what: For,
    /// When it began, by both clocks: T1.
    since: Mono,
    since_wall: Wall,
    /// When a node that has not answered counts as one that does not.
    until: Mono,
    yes: Places,
    no: Places,
    /// The highest count that came with a vote.
    token: Token,
}

impl Round {
    /// When it ends at the latest.
    pub(super) fn ends(self) -> Mono {
        self.until
    }

    fn has_heard(self, place: usize) -> bool {
        self.yes.has(place) || self.no.has(place)
    }

    fn hears(&mut self, place: usize, vote: Vote, token: Token) {
        match vote {
            Vote::Yes => self.yes = self.yes.with(place),
            Vote::No | Vote::Gone => self.no = self.no.with(place),
        }
        self.token = self.token.max(token);
    }
}

/// How long a lock that so much time has passed of is the client's own from now on.
pub(super) fn validity(ttl: Span, elapsed: Span) -> Span {
    let drift = ttl.us() / 100 + LEAST_DRIFT.us();
    Span::from_us(ttl.us() - elapsed.us() - drift)
}

impl Worker {
    /// Whether the lock is taken by votes.
    pub(super) fn goes_by_votes(&self) -> bool {
        self.config.recipe.goes_by_votes()
    }

    fn quorum(&self) -> u8 {
        u8::try_from(self.config.members.len() / 2 + 1).expect("at most 255 members")
    }

    /// Asks all nodes at once.
    fn round(&mut self, what: For, now: Mono, out: &mut Outbox) -> Round {
        let ask = match what {
            For::Taking | For::TakingAgain => self.vote_ask(),
            For::Renewal => match self.config.policies.renewal {
                RenewalCheck::NameOnly => {
                    Ask::command(&["PEXPIRE", &self.config.lock, &self.ttl_ms()])
                }
                _ => self.own_script(Script::CompareAndPexpire, Some(self.ttl_ms())),
            },
            For::Release => self.release_ask(),
        };
        let id = self.tell_all(&ask, out);
        Round {
            id,
            what,
            since: now,
            since_wall: out.clocks().wall,
            until: now + self.config.redlock.node_timeout,
            yes: Places::default(),
            no: Places::default(),
            token: 0,
        }
    }

    fn tell_all(&mut self, ask: &Ask, out: &mut Outbox) -> RequestId {
        let id = self.next_id();
        for node in &self.config.members {
            out.send(*node, Message::Redis(Request { id, ask: ask.clone() }));
        }
        id
    }

    fn vote_ask(&self) -> Ask {
        let ttl_ms = self.ttl_ms();
        match self.config.recipe.of_service() {
            OfService::Redis(RedisRecipe::RedlockAndCount) => {
                self.own_script(Script::AcquireWithToken, Some(ttl_ms))
            }
            _ => Ask::command(&["SET", &self.config.lock, &self.value(), "NX", "PX", &ttl_ms]),
        }
    }

    /// Asks all nodes, and the main thread waits for their answers.
    pub(super) fn ask_all(&mut self, what: For, now: Mono, out: &mut Outbox) {
        let round = self.round(what, now, out);
        set_timer(out, WorkerTimer::CallTimeout, round.until);
        self.program.doing = Doing::Votes(round);
        self.main_thread_moves(now, out);
    }

    /// The rounds that are under way: the program's, and the watchdog's.
    fn rounds_mut(&mut self) -> impl Iterator<Item = &mut Round> {
        let of_program = match &mut self.program.doing {
            Doing::Votes(round) => Some(round),
            _ => None,
        };
        let of_watchdog = match &mut self.session {
            Session::Key(Key { watchdog: Watchdog::Votes { round, .. }, .. }) => Some(round),
            _ => None,
        };
        of_program.into_iter().chain(of_watchdog)
    }

    /// The round that this answer belongs to.
    fn round_mut(&mut self, id: RequestId) -> Option<&mut Round> {
        self.rounds_mut().find(|round| round.id == id)
    }

    /// A node has answered.
    pub(super) fn vote_answered(
        &mut self,
        from: NodeId,
        response: &Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        let (vote, token) = match response.reply {
            Reply::Int(token) if token > 0 => (Vote::Yes, token),
            Reply::Status(_) => (Vote::Yes, 0),
            _ => (Vote::No, 0),
        };
        self.hears(from, response.id, (vote, token), now, out);
    }

    /// A node does not run.
    pub(super) fn vote_failed(&mut self, to: NodeId, id: RequestId, now: Mono, out: &mut Outbox) {
        self.hears(to, id, (Vote::Gone, 0), now, out);
    }

    /// A node's process has ended, and its machine says so: it answers nothing more.
    pub(super) fn votes_cut_off(&mut self, from: NodeId, now: Mono, out: &mut Outbox) {
        let ids: Vec<RequestId> = self.rounds_mut().map(|round| round.id).collect();
        for id in ids {
            self.vote_failed(from, id, now, out);
        }
    }

    fn hears(
        &mut self,
        from: NodeId,
        id: RequestId,
        (vote, token): (Vote, Token),
        now: Mono,
        out: &mut Outbox,
    ) {
        let nodes = self.config.members.len();
        let place = self.config.members.iter().position(|node| *node == from);
        let place = place.expect("only a node that was asked answers");
        let Some(round) = self.round_mut(id) else { return };
        if round.has_heard(place) {
            return;
        }
        round.hears(place, vote, token);
        let round = *round;
        if round.what != For::Release {
            out.note(WorkerNote::HeardVote { from, vote }).sets(Fact::Vote(from));
        }
        if usize::from(round.yes.count() + round.no.count()) == nodes {
            self.votes_are_in(round, now, out);
        }
    }

    /// All nodes have answered, or their time is over.
    pub(super) fn votes_are_in(&mut self, round: Round, now: Mono, out: &mut Outbox) {
        match round.what {
            For::Taking | For::TakingAgain => {
                cancel_timer(out, WorkerTimer::CallTimeout);
                self.taken_by_votes(round, now, out);
            }
            For::Renewal => self.renewed_by_votes(round, now, out),
            For::Release => {
                cancel_timer(out, WorkerTimer::CallTimeout);
                self.session_is_closed(now, out);
            }
        }
    }

    /// Counts, and looks at the clock again.
    fn count(&self, round: Round, now: Mono, out: &mut Outbox) -> (Count, Span) {
        let elapsed = match self.config.redlock.clock {
            ValidityClock::Monotonic => now - round.since,
            ValidityClock::Wall => out.clocks().wall - round.since_wall,
        };
        let validity = validity(Span::from_s(self.config.ttl_s), elapsed);
        let (votes, quorum) = (round.yes.count(), self.quorum());
        let is_over = validity <= Span::ZERO;
        let result = match self.config.redlock.check {
            _ if votes < quorum => Count::TooFew,
            ValidityCheck::AfterVotes if is_over => Count::TooLate,
            ValidityCheck::AfterVotes | ValidityCheck::None => Count::Granted,
        };
        let lease = self.session.lease().expect("a value is drawn before it is sent");
        let note = WorkerNote::Counted { lease, votes, quorum, validity, result };
        // Of those that were silent counts what came after the count before; so it does of
        // what became of the own clock meanwhile.
        let own = out.node();
        let mut note = out.note(note).since(Fact::Session).sets(Fact::Session).silence_of(own);
        if round.what != For::Renewal {
            note = note.sets(Fact::Call);
        }
        for (place, node) in self.config.members.iter().enumerate() {
            note = match round.has_heard(place) {
                true => note.because(Fact::Vote(*node)),
                false => note.silence_of(*node),
            };
        }
        (result, validity)
    }

    fn taken_by_votes(&mut self, round: Round, now: Mono, out: &mut Outbox) {
        let (result, validity) = self.count(round, now, out);
        if result != Count::Granted {
            let ask = self.own_script(Script::CompareAndDelete, None);
            self.tell_all(&ask, out);
            self.draw_value(out);
            if round.what == For::Taking {
                out.note(WorkerNote::Waits { create_revision: 0 }).sets(Fact::Call);
            }
            return self.polls_at_random(now, out);
        }
        let is_looked_at = self.config.redlock.check == ValidityCheck::AfterVotes;
        self.key_mut().expect("a vote is for a key").taken = Some(round.since);
        // Who does not look at the clock after the votes does not look at it later.
        self.watch_over(Some(now + validity).filter(|_| is_looked_at), now, out);
        self.granted(round.token, now, out);
    }

    /// Waits for a random time, so that those who split the votes do not do so again.
    fn polls_at_random(&mut self, now: Mono, out: &mut Outbox) {
        let most = u64::try_from(self.config.retry.us()).expect("a time to wait is not negative");
        let wait = i64::try_from(out.draw("retry", most) + 1).expect("it is at most the setting");
        self.program.doing = Doing::Polls;
        set_timer(out, WorkerTimer::LookAgain, now + Span::from_us(wait));
    }

    /// The watchdog is due, or the time of its round is over.
    pub(super) fn votes_for_renewal(&mut self, now: Mono, out: &mut Outbox) {
        let heartbeat = self.heartbeat;
        let due = match self.key_mut().map(|key| key.watchdog) {
            Some(Watchdog::Due(due)) => due,
            Some(Watchdog::Votes { round, .. }) => return self.votes_are_in(round, now, out),
            Some(Watchdog::Off | Watchdog::Asks(_)) | None => return,
        };
        if heartbeat == Heartbeat::Blocked {
            return;
        }
        let round = self.round(For::Renewal, now, out);
        if let Some(key) = self.key_mut() {
            key.watchdog = Watchdog::Votes { due, round };
        }
        set_timer(out, WorkerTimer::Keepalive, round.until);
    }

    fn renewed_by_votes(&mut self, round: Round, now: Mono, out: &mut Outbox) {
        let (result, validity) = self.count(round, now, out);
        let is_looked_at = self.config.redlock.check == ValidityCheck::AfterVotes;
        let (renewed, again) = (now + self.interval(), now + RECONNECT);
        let key = self.key_mut().expect("only a key is renewed");
        let lease = key.owner;
        if result == Count::Granted {
            key.watchdog = Watchdog::Due(renewed);
            set_timer(out, WorkerTimer::Keepalive, renewed);
            if is_looked_at {
                key.deadline = Some(now + validity);
                set_timer(out, WorkerTimer::Deadline, now + validity);
            }
            out.note(WorkerNote::Renewed { lease }).sets(Fact::Session);
            return;
        }
        key.watchdog = Watchdog::Due(again);
        set_timer(out, WorkerTimer::Keepalive, again);
        out.note(WorkerNote::RenewalFailed).because(Fact::Session);
        self.apply_policy(Failure::Renewal, now, out);
    }

    /// The nodes that have not answered the watchdog.
    pub(super) fn silent_in(&self, round: Round) -> Vec<NodeId> {
        let nodes = self.config.members.iter().enumerate();
        nodes.filter(|(place, _)| !round.has_heard(*place)).map(|(_, node)| *node).collect()
    }

    /// Gives the key up at all nodes without waiting for an answer.
    pub(super) fn give_up_votes(&mut self, out: &mut Outbox) {
        if let Session::Key(_) | Session::Closed { .. } = &self.session {
            let ask = self.release_ask();
            self.give_up_hold(out);
            self.tell_all(&ask, out);
        }
        self.session = Session::None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_validity(ttl_ms: i64, elapsed_ms: i64, expected_ms: i64) {
        let left = validity(Span::from_ms(ttl_ms), Span::from_ms(elapsed_ms));
        assert_eq!(left, Span::from_ms(expected_ms));
    }

    #[test]
    fn of_a_locks_time_go_what_has_passed_a_hundredth_and_two_milliseconds() {
        check_validity(10_000, 60, 9_838);
        check_validity(10_000, 9_898, 0);
        check_validity(10_000, 15_000, -5_102);
        // A clock that was set back makes it longer than it was asked for.
        check_validity(10_000, -15_000, 24_898);
    }
}
