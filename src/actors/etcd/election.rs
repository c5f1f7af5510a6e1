//! Elections. A member that hears no leader for an election timeout asks the others
//! for their votes; one that reaches a majority and whose log is not behind leads.
//!
//! etcd asks twice, first whether it would win (pre-vote). Here the candidate keeps
//! its term until it has won, and nobody votes while hearing a leader, which comes to
//! the same: a member that was cut off disturbs nobody when it returns. A candidate
//! that is told of a living leader stops asking until something changes.

use super::log::{Command, Place};
use super::peer::{PeerMessage, Vote};
use super::volatile::{Following, News, Role, Waits};
use super::{EtcdTimer, Member};
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Span;
use std::collections::BTreeSet;

impl Member {
    /// The leader that this member follows and hears, or itself.
    pub(super) fn living_leader(&self) -> Option<NodeId> {
        match &self.volatile.role {
            Role::Leader(_) => Some(self.config.place),
            Role::Follower(following) => following.leader.filter(|leader| self.hears(*leader)),
            Role::Candidate { .. } => None,
        }
    }

    fn lacks_leader(&self) -> bool {
        let vouched = match &self.volatile.role {
            Role::Follower(following) => following.vouched_by,
            _ => None,
        };
        self.living_leader().is_none() && !vouched.is_some_and(|peer| self.hears(peer))
    }

    /// Sets the election timer when this member lacks a leader and could win, and
    /// cancels it when not.
    pub(super) fn mind_election(&mut self, now: Now, out: &mut Out<Actor>) {
        match (self.lacks_leader() && self.hears_majority(), self.volatile.election) {
            (true, Waits::No) => self.wait_for_election(now, out),
            (false, Waits::Yes) => self.cancel_election(out),
            _ => {}
        }
    }

    fn cancel_election(&mut self, out: &mut Out<Actor>) {
        self.volatile.election = Waits::No;
        out.cancel_timer(Timer::Etcd(EtcdTimer::Election));
    }

    /// etcd counts 10 to 19 ticks of 100 ms: an election timeout and up to one more,
    /// less a tick. The ticks of two members have different phases; so the wait is
    /// drawn to the millisecond.
    fn wait_for_election(&mut self, now: Now, out: &mut Out<Actor>) {
        self.volatile.election = Waits::Yes;
        let timeout = self.config.election_timeout;
        let spread_ms = (timeout - self.config.heartbeat).ms() + 1;
        let more = out.draw("election", spread_ms.unsigned_abs());
        let at = now.mono + timeout + Span::from_ms(more as i64);
        out.set_timer(Timer::Etcd(EtcdTimer::Election), at);
    }

    /// The election timer fired: asks for votes.
    pub(super) fn stand(&mut self, now: Now, out: &mut Out<Actor>) {
        self.volatile.election = Waits::No;
        if !self.lacks_leader() || !self.hears_majority() {
            return;
        }
        // Not `from`, which sorts: that is compiled anew for each type.
        let mut votes = BTreeSet::new();
        votes.insert(self.config.place);
        self.volatile.role = Role::Candidate { votes, refused: BTreeSet::new() };
        let ask = PeerMessage::Vote { term: self.durable.term + 1, last: self.durable.last() };
        for peer in self.peers.iter().filter(|peer| self.hears(**peer)) {
            out.send(*peer, Message::Peer(ask.clone()));
        }
        self.count_votes(now, out);
        self.mind_election(now, out);
    }

    fn count_votes(&mut self, now: Now, out: &mut Out<Actor>) {
        let Role::Candidate { votes, .. } = &self.volatile.role else { return };
        if votes.len() < self.config.majority() {
            return;
        }
        self.durable.term += 1;
        self.durable.vote = Some(self.config.place);
        self.volatile.role = Role::Leader(self.fresh_followers(0));
        self.mind_election(now, out);
        out.cancel_timer(Timer::Etcd(EtcdTimer::CatchUp));
        self.propose(Command::Lead, now, out);
        self.mind_quorum(now, out);
    }

    pub(super) fn on_vote_asked(
        &mut self,
        from: NodeId,
        term: u64,
        last: Place,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        self.believe_not_leading(from);
        if let Role::Follower(following) = &mut self.volatile.role
            && following.vouched_by == Some(from)
        {
            following.vouched_by = None;
        }
        let vote = self.vote_for(from, term, last);
        if vote == Vote::Granted {
            self.durable.term = term;
            self.durable.vote = Some(from);
            self.volatile.role = Role::Follower(Following::default());
            // Whoever votes gives the candidate an election timeout from now.
            self.cancel_election(out);
        }
        out.send(from, Message::Peer(PeerMessage::VoteAck { term, vote }));
        if self.leading().is_some() {
            self.greet(from, now, out);
        }
        self.mind_election(now, out);
    }

    fn vote_for(&self, candidate: NodeId, term: u64, last: Place) -> Vote {
        let own = self.durable.term;
        let leader = self.living_leader();
        let voted_otherwise = term < own || (term == own && self.durable.vote != Some(candidate));
        let stands_itself = matches!(self.volatile.role, Role::Candidate { .. })
            && term == own + 1
            && !last.is_newer_than(self.durable.last());
        let is_newer = self.durable.last().is_newer_than(last);
        match leader.is_some() || voted_otherwise || stands_itself || is_newer {
            true => Vote::Refused { term: own, leader },
            false => Vote::Granted,
        }
    }

    pub(super) fn on_vote(
        &mut self,
        from: NodeId,
        term: u64,
        vote: Vote,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if term != self.durable.term + 1 {
            return;
        }
        let Role::Candidate { votes, refused } = &mut self.volatile.role else { return };
        match vote {
            Vote::Granted => {
                votes.insert(from);
                self.count_votes(now, out);
            }
            Vote::Refused { term, leader } => {
                refused.insert(from);
                self.on_refusal(from, term, leader, out);
                self.mind_election(now, out);
            }
        }
    }

    fn on_refusal(
        &mut self,
        from: NodeId,
        term: u64,
        leader: Option<NodeId>,
        out: &mut Out<Actor>,
    ) {
        if term > self.durable.term {
            self.durable.term = term;
            self.durable.vote = None;
            self.volatile.role = Role::Follower(Following::default());
        }
        if let Some(leader) = leader {
            let vouched_by = Some(from);
            let following = Following { leader: Some(leader), vouched_by, news: News::Stale };
            self.volatile.role = Role::Follower(following);
            if leader != from && self.hears(leader) {
                out.send(leader, Message::Peer(PeerMessage::CatchUp));
            }
        }
        if !self.can_win() {
            self.volatile.role = Role::Follower(Following::default());
        }
    }

    /// Whether a candidate may still reach a majority. One that may not is free to
    /// vote for another until it stands again.
    fn can_win(&self) -> bool {
        let Role::Candidate { refused, .. } = &self.volatile.role else { return true };
        let may_vote = self.config.members.iter();
        let may_vote = may_vote.filter(|member| self.hears(**member) && !refused.contains(*member));
        may_vote.count() >= self.config.majority()
    }

    /// Takes up a higher term, with or without knowing who leads in it.
    pub(super) fn adopt_term(
        &mut self,
        term: u64,
        leader: Option<NodeId>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        assert!(term >= self.durable.term, "terms only rise");
        if self.leading().is_some() {
            assert!(term > self.durable.term, "a term has one leader");
            self.give_up_leading(out);
        }
        if term > self.durable.term {
            self.durable.term = term;
            self.durable.vote = None;
        }
        let news = if leader.is_some() { News::Fresh } else { News::Stale };
        self.volatile.role = Role::Follower(Following { leader, vouched_by: None, news });
        if leader.is_some() {
            self.volatile.last_leader = leader;
        }
        self.mind_election(now, out);
    }

    /// A leader that has heard no majority for an election timeout gives up leading.
    /// Nobody hears of it as a heartbeat less; so the others are told.
    pub(super) fn check_quorum(&mut self, now: Now, out: &mut Out<Actor>) {
        if self.leading().is_none() || self.hears_majority() {
            return;
        }
        self.give_up_leading(out);
        let term = self.durable.term;
        for peer in &self.peers {
            out.send(*peer, Message::Peer(PeerMessage::NotLeading { term }));
        }
        self.mind_election(now, out);
    }

    /// Whoever asks for votes, or says so itself, does not lead.
    pub(super) fn believe_not_leading(&mut self, peer: NodeId) {
        if let Role::Follower(following) = &mut self.volatile.role
            && following.leader == Some(peer)
        {
            *following = Following::default();
        }
    }
}
