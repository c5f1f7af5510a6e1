//! Leading: changes are proposed, held by a majority, committed and applied.

use super::api::{Failure, Reply, ZkError, Zxid};
use super::peer::{Command, Forwarded, Newness, Origin, PeerMessage, Txn};
use super::sessions::Tracked;
use super::{Role, Server, ZkTimer, cancel_timer, send, set_timer};
use crate::actors::Actor;
use crate::actors::etcd::api::LeaseId;
use crate::actors::note::LeaseEnd;
use crate::sim::order;
use crate::sim::process::{Hearing, NodeId, Now, Out};
use litemap::LiteMap;
use serde::Serialize;
use std::rc::Rc;

/// So often is the log sent again to a follower that is heard but does not answer; after
/// that it has to ask.
pub(super) const TIMES: u8 = 3;

/// What a leader remembers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Leading {
    /// Whether a majority has its log.
    pub is_established: bool,
    /// Those who follow, and up to which change each is known to have its log.
    pub followers: LiteMap<NodeId, Option<Zxid>>,
    /// The highest epoch that one of them had promised.
    promised: u32,
    /// The sessions, with their ends.
    pub sessions: LiteMap<LeaseId, Tracked>,
    /// How often it has said again what was not answered.
    said: u8,
}

impl Leading {
    fn new() -> Leading {
        Leading {
            is_established: false,
            followers: LiteMap::new(),
            promised: 0,
            sessions: LiteMap::new(),
            said: 0,
        }
    }

    /// At the start of everything.
    pub(super) fn settled(peers: &[NodeId], held: Zxid) -> Leading {
        let followers = peers.iter().map(|peer| (*peer, Some(held))).collect();
        Leading { is_established: true, followers, ..Leading::new() }
    }
}

impl Server {
    pub(super) fn leading(&self) -> Option<&Leading> {
        match &self.role {
            Role::Leading(leading) => Some(leading),
            _ => None,
        }
    }

    pub(super) fn leading_mut(&mut self) -> Option<&mut Leading> {
        match &mut self.role {
            Role::Leading(leading) => Some(leading),
            _ => None,
        }
    }

    fn has_majority(&self) -> bool {
        self.leading().is_some_and(|l| l.followers.len() + 1 >= self.config.majority())
    }

    /// Leads, if a majority follows in time.
    pub(super) fn lead(&mut self, now: Now, out: &mut Out<Actor>) {
        self.role = Role::Leading(Leading::new());
        set_timer(out, ZkTimer::Limit, now.mono + self.config.ticks(self.config.init_limit));
        self.begin_epoch(now, out);
    }

    /// One server more follows, or one that does wants all that there is.
    pub(super) fn on_follow(
        &mut self,
        from: NodeId,
        accepted: u32,
        newness: Newness,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if let Role::Looking(_) = self.role {
            self.is_chosen_by(from, now, out);
        }
        let own = self.newness();
        let epoch = self.disk.accepted;
        let Some(leading) = self.leading_mut() else {
            return send(from, PeerMessage::NotLeading, out);
        };
        let is_too_old = match leading.is_established {
            true => accepted > epoch,
            false => newness > own,
        };
        if is_too_old {
            return self.look(now, out);
        }
        leading.followers.insert(from, None);
        leading.promised = leading.promised.max(accepted);
        if leading.is_established {
            return self.send_state(from, out);
        }
        self.begin_epoch(now, out);
    }

    /// Once a majority follows: an epoch that none of them has promised to anybody.
    fn begin_epoch(&mut self, now: Now, out: &mut Out<Actor>) {
        if !self.has_majority() {
            return;
        }
        let own = self.config.place;
        let Some(leading) = self.leading_mut() else { return };
        let promised = leading.promised;
        let followers: Vec<NodeId> = leading.followers.keys().copied().collect();
        // One alone has no epochs.
        if !followers.is_empty() && (self.disk.promised_to != own || self.disk.accepted <= promised)
        {
            self.disk.accepted = self.disk.accepted.max(promised) + 1;
            self.disk.promised_to = own;
        }
        followers.iter().for_each(|follower| self.send_state(*follower, out));
        self.establish(now, out);
    }

    fn send_state(&self, to: NodeId, out: &mut Out<Actor>) {
        let state = PeerMessage::State {
            epoch: self.disk.accepted,
            applied: self.disk.applied,
            tree: self.disk.tree.clone(),
            tail: self.disk.tail.clone(),
        };
        send(to, state, out);
    }

    /// Once a majority has its log: all of it is committed, and clients are served.
    fn establish(&mut self, now: Now, out: &mut Out<Actor>) {
        let last = self.newness().last;
        let majority = self.config.majority();
        let Some(leading) = self.leading_mut().filter(|leading| !leading.is_established) else {
            return;
        };
        let has_all = leading.followers.values().flatten().filter(|held| **held >= last).count();
        if has_all + 1 < majority {
            return;
        }
        leading.is_established = true;
        self.disk.current = self.disk.accepted;
        cancel_timer(out, ZkTimer::Limit);
        while !self.disk.tail.is_empty() {
            self.apply_next(now, out);
        }
        self.take_over_sessions(now, out);
        self.send_commit(out);
    }

    pub(super) fn on_ack(
        &mut self,
        from: NodeId,
        epoch: u32,
        held: Zxid,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if epoch != self.disk.accepted {
            return;
        }
        let applied = self.disk.applied;
        let Some(leading) = self.leading_mut() else { return };
        let was = leading.followers.insert(from, Some(held)).flatten();
        if let Some(was) = was.filter(|was| *was > held) {
            leading.followers.insert(from, Some(was));
        }
        if !leading.is_established {
            return self.establish(now, out);
        }
        if was.is_none() {
            send(from, PeerMessage::Commit { epoch, committed: applied }, out);
        }
        self.commit_what_a_majority_has(now, out);
    }

    /// Serves what a client asks for, here or at a follower.
    pub(super) fn serve(
        &mut self,
        origin: Origin,
        what: Forwarded,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let command = match what {
            Forwarded::Open { session, timeout, password } => {
                let timeout = self.config.negotiated(timeout);
                Command::Open { session, timeout, password }
            }
            Forwarded::Attach { session, password } => {
                let result = self.attach(session, password, origin.via, now, out);
                return self.answer(origin, result, now, out);
            }
            Forwarded::Op(session, op) => match self.checked(session, origin.via) {
                Err(error) => return self.answer(origin, Err(error.into()), now, out),
                Ok(()) => {
                    self.touch(session, now, out);
                    Command::Op { session, op }
                }
            },
            Forwarded::Close(session) => match self.checked(session, origin.via) {
                Err(error) => return self.answer(origin, Err(error.into()), now, out),
                Ok(()) => Command::Close { session, why: LeaseEnd::Revoked },
            },
        };
        self.propose(command, Some(origin), now, out);
    }

    fn checked(&self, session: LeaseId, via: NodeId) -> Result<(), ZkError> {
        let tracked = self.leading().and_then(|leading| leading.sessions.get(&session));
        match tracked {
            Some(tracked) if tracked.is_closing => Err(ZkError::SessionExpired),
            Some(tracked) if tracked.at.is_some_and(|at| at != via) => Err(ZkError::SessionMoved),
            Some(_) => Ok(()),
            None => Err(ZkError::SessionExpired),
        }
    }

    fn answer(
        &mut self,
        origin: Origin,
        result: Result<Reply, Failure>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let Origin { via, client, request } = origin;
        if via == self.config.place {
            return self.deliver(client, request, result, now, out);
        }
        send(via, PeerMessage::Answer { client, request, result }, out);
    }

    pub(super) fn propose(
        &mut self,
        command: Command,
        origin: Option<Origin>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let last = self.newness().last;
        let begins = Zxid::of_epoch(self.disk.accepted);
        let zxid = last.max(begins).next();
        self.disk.tail.push(Rc::new(Txn { zxid, command, origin }));
        let Some(leading) = self.leading_mut() else { unreachable!("only a leader proposes") };
        leading.said = 0;
        let has_state = |(peer, held): (&NodeId, &Option<Zxid>)| held.map(|_| *peer);
        let followers: Vec<NodeId> = leading.followers.iter().filter_map(has_state).collect();
        followers.iter().for_each(|follower| self.send_log(*follower, out));
        self.mind_unanswered(now, out);
        self.commit_what_a_majority_has(now, out);
    }

    fn send_log(&self, to: NodeId, out: &mut Out<Actor>) {
        let (epoch, committed) = (self.disk.accepted, self.disk.applied);
        send(to, PeerMessage::Propose { epoch, committed, tail: self.disk.tail.clone() }, out);
    }

    fn send_commit(&self, out: &mut Out<Actor>) {
        let (epoch, committed) = (self.disk.accepted, self.disk.applied);
        let followers = self.leading().into_iter().flat_map(|leading| &leading.followers);
        for (follower, _) in followers.filter(|(_, held)| held.is_some()) {
            send(*follower, PeerMessage::Commit { epoch, committed }, out);
        }
    }

    fn commit_what_a_majority_has(&mut self, now: Now, out: &mut Out<Actor>) {
        let (last, majority) = (self.newness().last, self.config.majority());
        let Some(leading) = self.leading().filter(|leading| leading.is_established) else { return };
        let mut held: Vec<Zxid> = leading.followers.values().flatten().copied().collect();
        held.push(last);
        if held.len() < majority {
            return;
        }
        order::by(&mut held, |one, two| two.cmp(one));
        let committed = held[majority - 1];
        if committed <= self.disk.applied {
            return;
        }
        while self.disk.tail.first().is_some_and(|txn| txn.zxid <= committed) {
            self.apply_next(now, out);
        }
        self.send_commit(out);
    }

    /// Followers that are heard and not known to have the whole log.
    fn lagging(&self) -> Vec<NodeId> {
        let last = self.newness().last;
        let followers = self.leading().into_iter().flat_map(|leading| &leading.followers);
        let lags = |(peer, held): &(&NodeId, &Option<Zxid>)| {
            self.hears(**peer) && held.is_none_or(|held| held < last)
        };
        followers.filter(lags).map(|(peer, _)| *peer).collect()
    }

    fn mind_unanswered(&self, now: Now, out: &mut Out<Actor>) {
        let said = self.leading().map_or(0, |leading| leading.said);
        if said < TIMES && !self.lagging().is_empty() {
            set_timer(out, ZkTimer::Again, now.mono + self.half_tick());
        }
    }

    /// What a follower was told, or its answer, may have been lost.
    pub(super) fn tell_again(&mut self, now: Now, out: &mut Out<Actor>) {
        for follower in self.lagging() {
            self.tell_all(follower, out);
        }
        if let Some(leading) = self.leading_mut() {
            leading.said += 1;
        }
        self.mind_unanswered(now, out);
    }

    fn tell_all(&self, follower: NodeId, out: &mut Out<Actor>) {
        match self.leading().and_then(|leading| leading.followers.get(&follower)) {
            Some(Some(_)) => self.send_log(follower, out),
            Some(None) if self.has_majority() => self.send_state(follower, out),
            Some(None) | None => {}
        }
    }

    /// A follower fell silent, or is heard again and may have missed anything.
    pub(super) fn follower_heard(
        &mut self,
        peer: NodeId,
        hearing: Hearing,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if hearing == Hearing::Heard {
            if let Some(leading) = self.leading_mut() {
                leading.said = 0;
            }
            self.tell_all(peer, out);
            self.mind_unanswered(now, out);
        }
        if !self.leading().is_some_and(|leading| leading.is_established) {
            return;
        }
        let heard = self.peers.iter().filter(|peer| self.hears(**peer)).count() + 1;
        let majority = self.config.majority();
        if heard >= majority {
            cancel_timer(out, ZkTimer::Limit);
        } else if hearing == Hearing::Silent && heard + 1 == majority {
            let limit = self.config.ticks(self.config.sync_limit);
            set_timer(out, ZkTimer::Limit, now.mono + limit);
        }
    }

    /// A leader whom no majority follows any more leads no more.
    pub(super) fn mind_majority(&mut self, now: Now, out: &mut Out<Actor>) {
        let is_established = self.leading().is_some_and(|leading| leading.is_established);
        if is_established && !self.has_majority() {
            self.look(now, out);
        }
    }
}
