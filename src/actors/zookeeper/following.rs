//! Following: takes over what the leader has, and then what it proposes.

use super::api::{SessionId, Zxid};
use super::leading::TIMES;
use super::peer::{PeerMessage, Txn};
use super::{Role, Server, Tree, ZkTimer, cancel_timer, send, set_timer};
use crate::actors::Actor;
use crate::sim::process::{Hearing, NodeId, Now, Out};
use serde::Serialize;
use std::rc::Rc;

/// What a follower remembers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Following {
    pub leader: NodeId,
    /// Whether the leader has said that a majority has what it took over.
    pub is_up_to_date: bool,
    /// The sessions that were heard of since the leader was told last.
    pub touched: Vec<SessionId>,
    /// How often it has asked again for what it may have missed.
    said: u8,
}

impl Following {
    pub(super) fn new(leader: NodeId) -> Following {
        Following { leader, is_up_to_date: false, touched: Vec::new(), said: 0 }
    }

    /// At the start of everything.
    pub(super) fn settled(leader: NodeId) -> Following {
        Following { is_up_to_date: true, ..Following::new(leader) }
    }
}

impl Server {
    pub(super) fn following_mut(&mut self) -> Option<&mut Following> {
        match &mut self.role {
            Role::Following(following) => Some(following),
            _ => None,
        }
    }

    /// The leader tells all that there is.
    pub(super) fn on_state(
        &mut self,
        leader: NodeId,
        epoch: u32,
        (applied, tree, tail): (Zxid, Rc<Tree>, Vec<Rc<Txn>>),
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let disk = &mut self.disk;
        let is_promised_to_other = epoch == disk.accepted && disk.promised_to != leader;
        if epoch < disk.accepted || is_promised_to_other {
            return self.ask_for_state(leader, out);
        }
        let last = tail.last().map_or(applied, |txn| txn.zxid);
        (disk.accepted, disk.promised_to) = (epoch, leader);
        // What was said earlier in the epoch may come late, and takes nothing back that is
        // applied.
        let (is_new, own) = (disk.current != epoch, disk.applied);
        if is_new || (applied >= own && last >= self.newness().last) {
            let before = self.disk.tree.clone();
            self.disk.current = epoch;
            (self.disk.applied, self.disk.tree, self.disk.tail) = (applied, tree, tail);
            self.close_unanswered(out);
            self.tell_differences(&before, out);
        }
        self.acknowledge(now, out);
    }

    fn acknowledge(&mut self, now: Now, out: &mut Out<Actor>) {
        let (epoch, held) = (self.disk.accepted, self.newness().last);
        let wants_commit = !self.disk.tail.is_empty();
        let half_tick = self.half_tick();
        let Some(following) = self.following_mut() else { return };
        send(following.leader, PeerMessage::Ack { epoch, held }, out);
        if following.said < TIMES && (wants_commit || !following.is_up_to_date) {
            set_timer(out, ZkTimer::Again, now.mono + half_tick);
        }
    }

    /// The leader proposes changes, from the last one on that is committed.
    pub(super) fn on_proposed(
        &mut self,
        epoch: u32,
        committed: Zxid,
        tail: &[Rc<Txn>],
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if epoch != self.disk.current || !self.has(committed) {
            return self.ask_leader(out);
        }
        let last = self.newness().last;
        let news = tail.iter().filter(|txn| txn.zxid > last).cloned();
        self.disk.tail.extend(news);
        if let Some(following) = self.following_mut() {
            following.said = 0;
        }
        self.acknowledge(now, out);
        self.on_commit(epoch, committed, now, out);
    }

    fn has(&self, zxid: Zxid) -> bool {
        zxid <= self.disk.applied || self.disk.tail.iter().any(|txn| txn.zxid == zxid)
    }

    fn ask_leader(&mut self, out: &mut Out<Actor>) {
        if let Some(leader) = self.following_mut().map(|following| following.leader) {
            self.ask_for_state(leader, out);
        }
    }

    pub(super) fn on_commit(
        &mut self,
        epoch: u32,
        committed: Zxid,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if epoch != self.disk.current || !self.has(committed) {
            return self.ask_leader(out);
        }
        if let Some(following) = self.following_mut()
            && !following.is_up_to_date
        {
            following.is_up_to_date = true;
            cancel_timer(out, ZkTimer::Limit);
        }
        while self.disk.tail.first().is_some_and(|txn| txn.zxid <= committed) {
            self.apply_next(now, out);
        }
        if self.disk.tail.is_empty() {
            cancel_timer(out, ZkTimer::Again);
        }
    }

    /// It was told of changes and not that they are committed: asks for all.
    pub(super) fn ask_again(&mut self, now: Now, out: &mut Out<Actor>) {
        let half_tick = self.half_tick();
        let Some(following) = self.following_mut() else { return };
        following.said += 1;
        let (leader, said) = (following.leader, following.said);
        self.ask_for_state(leader, out);
        if said < TIMES {
            set_timer(out, ZkTimer::Again, now.mono + half_tick);
        }
    }

    /// The leader fell silent, or is heard again: it may have said anything meanwhile.
    pub(super) fn leader_heard(&mut self, hearing: Hearing, now: Now, out: &mut Out<Actor>) {
        let limit = self.config.ticks(self.config.sync_limit);
        let Some(following) = self.following_mut() else { return };
        if !following.is_up_to_date {
            return;
        }
        match hearing {
            Hearing::Silent => set_timer(out, ZkTimer::Limit, now.mono + limit),
            Hearing::Heard => {
                cancel_timer(out, ZkTimer::Limit);
                self.ask_leader(out);
            }
        }
    }

    /// Tells the leader which sessions it has heard of.
    pub(super) fn tell_touched(&mut self, out: &mut Out<Actor>) {
        let Some(following) = self.following_mut() else { return };
        let touched = std::mem::take(&mut following.touched);
        send(following.leader, PeerMessage::Touch(touched), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::note::LeaseEnd;
    use crate::actors::zookeeper::ZkConfig;
    use crate::actors::zookeeper::peer::Command;
    use crate::sim::process::Draws;
    use crate::sim::time::{Mono, Wall};

    const ENSEMBLE: [NodeId; 3] = [NodeId(0), NodeId(1), NodeId(2)];

    fn zxid(count: i64) -> Zxid {
        Zxid(Zxid::of_epoch(1).0 + count)
    }

    fn txn(count: i64) -> Rc<Txn> {
        let command = Command::Close { session: SessionId(7), why: LeaseEnd::Revoked };
        Rc::new(Txn { zxid: zxid(count), command, origin: None })
    }

    #[test]
    fn a_state_that_arrives_late_takes_nothing_back() {
        let mut follower = Server::new(ZkConfig::new(ENSEMBLE[1], &ENSEMBLE));
        let now = Now { mono: Mono(0), wall: Wall(0) };
        let mut draws = Draws::new(1);
        let mut out = Out::new(ENSEMBLE[1], now, &mut draws);
        let all = [1, 2, 3].map(txn);
        let tree = follower.disk.tree.clone();
        follower.on_proposed(1, zxid(0), &all[..2], now, &mut out);
        follower.on_commit(1, zxid(2), now, &mut out);
        assert_eq!((follower.disk.applied, follower.newness().last), (zxid(2), zxid(2)));
        // It was sent before the first change was committed, and has one change more.
        let early = |to: usize| (Zxid::of_epoch(1), tree.clone(), all[..to].to_vec());
        for to in [2, 3] {
            follower.on_state(ENSEMBLE[0], 1, early(to), now, &mut out);
            assert_eq!((follower.disk.applied, follower.newness().last), (zxid(2), zxid(2)));
        }
        follower.on_state(ENSEMBLE[0], 1, (zxid(3), tree.clone(), Vec::new()), now, &mut out);
        assert_eq!(follower.disk.applied, zxid(3));
    }
}
