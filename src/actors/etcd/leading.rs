//! Leading: entries are proposed, held by a majority, committed; leases get their
//! deadlines, are renewed from memory and found overdue.

use super::api::{Body, EtcdError, LeaseId, Op};
use super::log::{Command, Entry, Origin};
use super::peer::PeerMessage;
use super::volatile::{Deadline, Following, LateRenewal, Leading, Progress, Role, Waits};
use super::{EtcdTimer, Member};
use crate::actors::fact::Fact;
use crate::actors::note::EtcdNote;
use crate::actors::{Actor, Message, Timer};
use crate::sim::order;
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::{Mono, Span};
use std::rc::Rc;

/// So often is the log sent again to a follower that is heard but does not answer;
/// after that it has to ask.
const RESENDS: u8 = 3;

impl Member {
    pub(super) fn leading(&self) -> Option<&Leading> {
        match &self.volatile.role {
            Role::Leader(leading) => Some(leading),
            _ => None,
        }
    }

    pub(super) fn leading_mut(&mut self) -> Option<&mut Leading> {
        match &mut self.volatile.role {
            Role::Leader(leading) => Some(leading),
            _ => None,
        }
    }

    /// Whether this member leads and has given the leases their deadlines: it has
    /// applied an entry of its own term.
    pub(super) fn is_primary(&self) -> bool {
        self.leading().is_some() && self.durable.applied.term == self.durable.term
    }

    /// A follower's beginnings in a term: nothing is known of what it holds.
    pub(super) fn fresh_followers(&self, held: u64) -> Leading {
        let followers =
            order::map(self.peers.iter().map(|peer| (*peer, Progress { held, resent: 0 })));
        Leading { followers, ..Leading::default() }
    }

    /// Serves a client's request as the leader.
    pub(super) fn serve(&mut self, op: Op, origin: Origin, now: Now, out: &mut Out<Actor>) {
        match op {
            Op::LeaseKeepAlive { .. } | Op::LeaseTimeToLive { .. } if self.trusts_memory() => {
                self.serve_from_memory(&op, origin, now, out);
            }
            op => self.propose(Command::Client { op, origin }, now, out),
        }
    }

    /// Answers what only a leader's memory can answer.
    pub(super) fn serve_from_memory(
        &mut self,
        op: &Op,
        origin: Origin,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        match op {
            Op::LeaseKeepAlive { lease } => self.renew(*lease, origin, now, out),
            Op::LeaseTimeToLive { lease, keys } => {
                let body = self.time_to_live(*lease, *keys, now.mono);
                self.answer(&origin, Ok(body), out);
            }
            _ => unreachable!("everything else is replicated"),
        }
    }

    /// A leader that may have been deposed unawares does not answer from memory: what
    /// it knows about leases goes through the log instead, behind the entry that
    /// settles whether it leads.
    fn trusts_memory(&self) -> bool {
        self.is_primary() && self.hears_majority() && !self.is_confirming()
    }

    /// Whether it waits for a majority to settle that it leads.
    pub(super) fn is_confirming(&self) -> bool {
        self.durable.tail.iter().any(|entry| entry.command == Command::Confirm)
    }

    pub(super) fn propose(&mut self, command: Command, now: Now, out: &mut Out<Actor>) {
        assert!(self.leading().is_some(), "only a leader appends to the log");
        // A member that this one does not hear may still hear this one, and has to
        // learn that it leads.
        let to_all = command == Command::Lead;
        self.durable.tail.push(Rc::new(Entry { term: self.durable.term, command }));
        for peer in self.peers.clone() {
            self.reset_resends(peer);
            if to_all || self.hears(peer) {
                self.send_log(peer, out);
            }
        }
        self.wait_to_resend(now, out);
        self.commit_what_a_majority_holds(now, out);
    }

    /// Tells a follower the log from the last committed entry on.
    pub(super) fn send_log(&self, peer: NodeId, out: &mut Out<Actor>) {
        let append = PeerMessage::Append {
            term: self.durable.term,
            committed: self.durable.applied,
            tail: self.durable.tail.clone(),
        };
        out.send(peer, Message::Peer(append));
    }

    fn send_snapshot(&self, peer: NodeId, out: &mut Out<Actor>) {
        let snapshot = PeerMessage::Snapshot {
            term: self.durable.term,
            committed: self.durable.applied,
            state: self.durable.state.clone(),
            tail: self.durable.tail.clone(),
        };
        out.send(peer, Message::Peer(snapshot));
    }

    pub(super) fn send_commit(&self, out: &mut Out<Actor>) {
        let (term, committed) = (self.durable.term, self.durable.applied);
        for peer in self.peers.iter().filter(|peer| self.hears(**peer)) {
            out.send(*peer, Message::Peer(PeerMessage::Commit { term, committed }));
        }
    }

    pub(super) fn on_append_ack(
        &mut self,
        from: NodeId,
        term: u64,
        held: Option<u64>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if term > self.durable.term {
            return self.adopt_term(term, None, now, out);
        }
        let of_this_term = term == self.durable.term;
        let Some(leading) = self.leading_mut().filter(|_| of_this_term) else { return };
        let progress = leading.followers.get_mut(&from).expect("a follower is one of the peers");
        let Some(held) = held else { return self.send_snapshot(from, out) };
        *progress = Progress { held: progress.held.max(held), resent: 0 };
        self.commit_what_a_majority_holds(now, out);
        if self.lagging().next().is_none() {
            out.cancel_timer(Timer::Etcd(EtcdTimer::Resend));
        }
    }

    /// Followers that are heard and not known to hold the whole log.
    fn lagging(&self) -> impl Iterator<Item = (NodeId, Progress)> {
        let last = self.durable.last().index;
        let followers = self.leading().into_iter().flat_map(|leading| &leading.followers);
        followers
            .filter(move |(peer, progress)| progress.held < last && self.hears(**peer))
            .map(|(peer, progress)| (*peer, *progress))
    }

    fn reset_resends(&mut self, peer: NodeId) {
        if let Some(progress) = self.leading_mut().and_then(|l| l.followers.get_mut(&peer)) {
            progress.resent = 0;
        }
    }

    fn wait_to_resend(&self, now: Now, out: &mut Out<Actor>) {
        if self.lagging().any(|(_, progress)| progress.resent < RESENDS) {
            out.set_timer(Timer::Etcd(EtcdTimer::Resend), now.mono + self.config.heartbeat);
        }
    }

    /// A message to a follower or its answer was lost: sends the log again.
    pub(super) fn resend(&mut self, now: Now, out: &mut Out<Actor>) {
        let lagging: Vec<(NodeId, Progress)> = self.lagging().collect();
        for (peer, progress) in lagging {
            if progress.resent < RESENDS {
                self.send_log(peer, out);
                let leading = self.leading_mut().expect("only a leader has followers that lag");
                leading
                    .followers
                    .insert(peer, Progress { resent: progress.resent + 1, ..progress });
            }
        }
        self.wait_to_resend(now, out);
    }

    /// A follower is heard again, or asks: it may have missed anything.
    pub(super) fn greet(&mut self, peer: NodeId, now: Now, out: &mut Out<Actor>) {
        self.reset_resends(peer);
        self.send_log(peer, out);
        self.wait_to_resend(now, out);
    }

    fn commit_what_a_majority_holds(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(leading) = self.leading() else { return };
        let mut held: Vec<u64> = leading.followers.values().map(|p| p.held).collect();
        held.push(self.durable.last().index);
        order::by(&mut held, |a, b| b.cmp(a));
        let by_majority = held[self.config.majority() - 1];
        // Entries of earlier terms are committed only together with one of the own.
        if self.durable.term_at(by_majority) == Some(self.durable.term) {
            while self.durable.applied.index < by_majority {
                self.apply_next(now, out);
            }
        }
    }

    /// The first entry of the own term is applied: every lease gets a whole TTL and an
    /// election timeout, since nobody knows how much was left.
    pub(super) fn promote(&mut self, now: Now, out: &mut Out<Actor>) {
        let state = self.durable.state.clone();
        let extended = now.mono + self.config.election_timeout;
        let term = self.durable.term;
        let last_leader = self.volatile.last_leader.filter(|last| *last != self.config.place);
        let mut note = out.note(EtcdNote::Leads { term });
        if self.peers.is_empty() && state.consul.is_some() {
            // Nobody's silence but its own start made it lead.
            note = note.because(Fact::Leadership);
        }
        note = note.sets(Fact::Leadership);
        let sessions = state.consul.iter().flat_map(|consul| consul.sessions.keys());
        for lease in state.leases.keys().chain(sessions) {
            note = note.sets(Fact::Lease(*lease));
        }
        if let Some(last) = last_leader {
            note.silence_of(last);
        }
        self.volatile.last_leader = Some(self.config.place);
        let leading = self.leading_mut().expect("only a leader is promoted");
        leading.deadlines = state
            .leases
            .iter()
            .map(|(id, lease)| {
                let at = extended + Span::from_s(lease.ttl_s);
                (*id, Deadline { at, client: lease.granted_to })
            })
            .collect();
        self.wait_for_expiry(out);
    }

    /// Gives a lease its whole TTL from now on.
    pub(super) fn set_deadline(
        &mut self,
        lease: LeaseId,
        client: NodeId,
        now: Now,
        out: &mut Out<Actor>,
    ) -> i64 {
        let ttl_s = self.durable.state.leases[&lease].ttl_s;
        let at = now.mono + Span::from_s(ttl_s);
        let leading = self.leading_mut().expect("only a leader knows deadlines");
        leading.deadlines.insert(lease, Deadline { at, client });
        self.wait_for_expiry(out);
        ttl_s
    }

    /// Renews a lease, unless it is past its deadline: then the answer waits until it
    /// has been revoked.
    pub(super) fn renew(&mut self, lease: LeaseId, origin: Origin, now: Now, out: &mut Out<Actor>) {
        let leading = self.leading_mut().expect("only a leader renews");
        let ttl_s = match leading.deadlines.get(&lease) {
            None => 0,
            Some(deadline) if deadline.at <= now.mono => {
                return leading.late.push(LateRenewal { lease, origin });
            }
            Some(_) => {
                out.note(EtcdNote::LeaseRenewed { lease }).sets(Fact::Lease(lease));
                self.set_deadline(lease, origin.client, now, out)
            }
        };
        self.answer(&origin, Ok(Body::Lease { lease, ttl_s }), out);
    }

    /// Answers the renewals that waited for a lease's end.
    pub(super) fn answer_late_renewals(&mut self, lease: LeaseId, out: &mut Out<Actor>) {
        let Some(leading) = self.leading_mut() else { return };
        let late = std::mem::take(&mut leading.late);
        let (over, waiting) = late.into_iter().partition(|renewal| renewal.lease == lease);
        leading.late = waiting;
        let over: Vec<LateRenewal> = over;
        for renewal in over {
            self.answer(&renewal.origin, Ok(Body::Lease { lease, ttl_s: 0 }), out);
        }
    }

    /// Sets the timer to the scan that will find the next lease overdue.
    pub(super) fn wait_for_expiry(&self, out: &mut Out<Actor>) {
        let Some(leading) = self.leading() else { return };
        let awaited = leading.deadlines.iter().filter(|(lease, _)| !self.is_being_revoked(**lease));
        let timer = Timer::Etcd(EtcdTimer::Expiry);
        match awaited.map(|(_, deadline)| deadline.at).min() {
            Some(at) => {
                let scan = self.volatile.scan.expect("a process that runs has started");
                out.set_timer(timer, scan.next(at));
            }
            None => out.cancel_timer(timer),
        }
    }

    fn is_being_revoked(&self, lease: LeaseId) -> bool {
        self.durable
            .tail
            .iter()
            .any(|entry| entry.term == self.durable.term && entry.command == Command::Expire(lease))
    }

    /// The scan: leases past their deadlines are to be revoked.
    pub(super) fn scan(&mut self, now: Now, out: &mut Out<Actor>) {
        for (lease, client) in self.overdue(now.mono) {
            out.note(EtcdNote::LeaseOverdue { lease })
                .because(Fact::Lease(lease))
                .silence_of(client)
                // A clock of its own that runs fast ends leases early too.
                .silence_of(self.config.place);
            self.propose(Command::Expire(lease), now, out);
        }
        self.wait_for_expiry(out);
    }

    fn overdue(&self, now: Mono) -> Vec<(LeaseId, NodeId)> {
        let deadlines = self.leading().into_iter().flat_map(|leading| &leading.deadlines);
        deadlines
            .filter(|(lease, deadline)| deadline.at <= now && !self.is_being_revoked(**lease))
            .map(|(lease, deadline)| (*lease, deadline.client))
            .collect()
    }

    /// Watches whether a majority is heard.
    pub(super) fn mind_quorum(&mut self, now: Now, out: &mut Out<Actor>) {
        let heard = self.hears_majority();
        let at = now.mono + self.quorum_timeout();
        let Some(leading) = self.leading_mut() else { return };
        match (heard, leading.quorum) {
            (false, Waits::No) => {
                leading.quorum = Waits::Yes;
                out.set_timer(Timer::Etcd(EtcdTimer::Quorum), at);
            }
            (true, Waits::Yes) => {
                leading.quorum = Waits::No;
                out.cancel_timer(Timer::Etcd(EtcdTimer::Quorum));
            }
            _ => {}
        }
    }

    /// Leads no more: tells so whoever waits for an answer. What was asked may still
    /// happen. The term has not changed yet.
    pub(super) fn give_up_leading(&mut self, out: &mut Out<Actor>) {
        let term = self.durable.term;
        let note = out.note(EtcdNote::SteppedDown { term }).sets(Fact::Leadership);
        self.volatile.silent.iter().fold(note, |note, peer| note.silence_of(*peer));
        let leading = self.leading().expect("only a leader gives up leading");
        let asked = self.durable.tail.iter().filter(|entry| entry.term == term);
        let asked = asked.filter_map(|entry| match &entry.command {
            Command::Client { origin, .. } => Some(*origin),
            _ => None,
        });
        let late = leading.late.iter().map(|renewal| renewal.origin);
        let unanswered: Vec<Origin> = asked.chain(late).collect();
        for origin in unanswered {
            self.answer(&origin, Err(EtcdError::LeaderChanged), out);
        }
        self.tell_lost_changes(out);
        for timer in [EtcdTimer::Expiry, EtcdTimer::Quorum, EtcdTimer::Resend] {
            out.cancel_timer(Timer::Etcd(timer));
        }
        self.volatile.role = Role::Follower(Following::default());
    }
}
