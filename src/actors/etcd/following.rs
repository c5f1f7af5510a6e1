//! Following: taking in the leader's log, and passing clients' requests on to it.

use super::api::{Body, EtcdError, IgnoreLease, LeaseId, Op, Range, Reads, Request};
use super::log::{Command, Fit, Origin, Told};
use super::peer::PeerMessage;
use super::volatile::{News, Role};
use super::{EtcdTimer, Member};
use crate::actors::note::EtcdNote;
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Hearing, NodeId, Now, Out};

/// Whether a follower says that it has taken in what it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ack {
    /// It does, in any case.
    Always,
    /// It speaks up only when it cannot take it in.
    OnlyIfBehind,
}

/// What the others may have done while a member did not hear a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meanwhile {
    /// They had no majority without this member, so no other leads.
    NoElection,
    /// They may have elected a leader.
    PerhapsElection,
}

impl Member {
    /// A client asks something.
    pub(super) fn on_request(
        &mut self,
        client: NodeId,
        request: Request,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        self.volatile.clients.insert(client);
        let Some(mut request) = self.take_watch_request(client, request, out) else { return };
        match &mut request.op {
            Op::LeaseGrant { lease, .. } if *lease == LeaseId::NONE => {
                *lease = self.choose_lease();
            }
            Op::Txn(txn) if txn.gives_a_key_twice() => {
                return self.answer_client(client, request.id, Err(EtcdError::DuplicateKey), out);
            }
            Op::Put(put) if put.lease != LeaseId::NONE && put.ignore_lease == IgnoreLease::Yes => {
                return self.answer_client(client, request.id, Err(EtcdError::LeaseProvided), out);
            }
            Op::LeaseLeases => {
                let leases = self.state().leases.keys().copied().collect();
                return self.answer_client(client, request.id, Ok(Body::Leases(leases)), out);
            }
            Op::Range(range) if range.reads == Reads::Serializable => {
                let result = self.read_alone(range, out);
                return self.answer_client(client, request.id, result, out);
            }
            Op::Service(op) => {
                return self.begin_service(client, request.id, op.clone(), now, out);
            }
            _ => {}
        }
        self.route(client, request, now, out);
    }

    /// Reads what this member has applied. Whether the others are further it does not ask,
    /// and could not tell while it does not hear them.
    fn read_alone(&self, range: &Range, out: &mut Out<Actor>) -> Result<Body, EtcdError> {
        let note = out.note(EtcdNote::ReadAlone { revision: self.revision() });
        self.volatile.silent.iter().fold(note, |note, peer| note.silence_of(*peer));
        self.state().kv.check_revision(range.revision)?;
        Ok(Body::Range(self.state().kv.range(range)))
    }

    /// Has a request served by the leader there is.
    pub(super) fn route(
        &mut self,
        client: NodeId,
        request: Request,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let via = self.config.place;
        match self.living_leader() {
            Some(leader) if leader == via => {
                self.serve(request.op, Origin { via, client, request: request.id }, now, out);
            }
            Some(leader) => {
                out.send(leader, Message::Peer(PeerMessage::Forward { client, request }));
            }
            None => self.answer_client(client, request.id, Err(EtcdError::NoLeader), out),
        }
    }

    /// A number that no other member chooses, and this one never again: its place
    /// among the members from 1, and its count.
    fn choose_lease(&mut self) -> LeaseId {
        self.durable.leases_chosen += 1;
        let count = u64::from(self.durable.leases_chosen);
        assert!(count < 1 << 24, "a member chooses fewer than 16,777,216 leases");
        let own = self.config.place;
        let place = self.config.members.iter().position(|member| *member == own);
        let place = place.expect("a member is one of its cluster's members") as u64 + 1;
        LeaseId((place << 24) + count)
    }

    /// A member passes a client's request on, taking this one for the leader.
    pub(super) fn on_forward(
        &mut self,
        via: NodeId,
        client: NodeId,
        request: Request,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let origin = Origin { via, client, request: request.id };
        match self.leading() {
            Some(_) => self.serve(request.op, origin, now, out),
            None => self.answer(&origin, Err(EtcdError::NoLeader), out),
        }
    }

    /// The leader's news.
    pub(super) fn on_log(
        &mut self,
        from: NodeId,
        term: u64,
        told: Told,
        ack: Ack,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if term < self.durable.term {
            let deposed = PeerMessage::AppendAck { term: self.durable.term, held: None };
            return out.send(from, Message::Peer(deposed));
        }
        self.adopt_term(term, Some(from), now, out);
        let held = match self.durable.take_in(told) {
            Fit::Holds { held, committed } => {
                while self.durable.applied.index < committed {
                    self.apply_next(now, out);
                }
                self.feed_watches(out);
                Some(held)
            }
            Fit::Behind => None,
        };
        if ack == Ack::Always || held.is_none() {
            out.send(from, Message::Peer(PeerMessage::AppendAck { term, held }));
        }
        self.wait_for_commit(now, out);
    }

    /// A follower with entries that are not known to be committed expects to hear of
    /// their commitment at the next heartbeat.
    fn wait_for_commit(&self, now: Now, out: &mut Out<Actor>) {
        let timer = Timer::Etcd(EtcdTimer::CatchUp);
        match self.durable.tail.is_empty() {
            true => out.cancel_timer(timer),
            false => out.set_timer(timer, now.mono + self.config.heartbeat),
        }
    }

    /// No commitment was heard of: asks the leader.
    pub(super) fn catch_up(&self, now: Now, out: &mut Out<Actor>) {
        let leader = self.living_leader().filter(|leader| *leader != self.config.place);
        if let Some(leader) = leader.filter(|_| !self.durable.tail.is_empty()) {
            out.send(leader, Message::Peer(PeerMessage::CatchUp));
            self.wait_for_commit(now, out);
        }
    }

    pub(super) fn on_catch_up(&mut self, from: NodeId, now: Now, out: &mut Out<Actor>) {
        match self.leading() {
            Some(_) => self.greet(from, now, out),
            None => {
                let term = self.durable.term;
                out.send(from, Message::Peer(PeerMessage::NotLeading { term }));
            }
        }
    }

    pub(super) fn on_not_leading(
        &mut self,
        from: NodeId,
        term: u64,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if term >= self.durable.term {
            self.believe_not_leading(from);
            self.mind_election(now, out);
        }
    }

    /// A peer fell silent or is heard again.
    pub(super) fn on_hears(
        &mut self,
        peer: NodeId,
        hearing: Hearing,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        assert!(self.peers.contains(&peer), "a member listens to the other members");
        let heard_majority = self.hears_majority();
        if hearing == Hearing::Silent {
            self.volatile.silent.insert(peer);
            if let Role::Follower(following) = &mut self.volatile.role
                && following.leader == Some(peer)
            {
                following.news = News::Stale;
            }
        } else {
            // Heard again without having been silent: it was this process that did not
            // listen, since it was paused.
            let woke = !self.volatile.silent.remove(&peer);
            let meanwhile = match woke || !heard_majority && self.hears_majority() {
                true => Meanwhile::PerhapsElection,
                false => Meanwhile::NoElection,
            };
            self.on_heard_again(peer, meanwhile, now, out);
        }
        self.mind_quorum(now, out);
        self.mind_election(now, out);
    }

    fn on_heard_again(
        &mut self,
        peer: NodeId,
        meanwhile: Meanwhile,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        match &self.volatile.role {
            Role::Leader(_) if meanwhile == Meanwhile::PerhapsElection && !self.is_confirming() => {
                self.propose(Command::Confirm, now, out);
            }
            Role::Leader(_) => self.greet(peer, now, out),
            // It may lead by now, or no more.
            Role::Follower(following)
                if following.leader == Some(peer) || following.news == News::Stale =>
            {
                out.send(peer, Message::Peer(PeerMessage::CatchUp));
            }
            Role::Follower(_) | Role::Candidate { .. } => {}
        }
    }
}
