//! Who is primary: an operator's word, or what stands for a Sentinel. Where one is
//! declared, a replica that has not heard its primary for long is promoted, parts are
//! written into configurations, and who was replaced is told to follow.

use super::replication::{AGAIN, History, PeerMessage, Primary, Replication, Role, send};
use super::{Node, RedisTimer};
use crate::actors::note::RedisNote;
use crate::actors::{Actor, Fact, Timer};
use crate::sim::process::{Hearing, NodeId, Now, Out};

impl Node {
    /// Is given a part, by an operator or its own patience. That is counted, for who was
    /// given another part later is right.
    pub(super) fn take_part(&mut self, part: Replication, now: Now, out: &mut Out<Actor>) {
        if self.has_sentinel() && self.part_now() != part {
            self.disk.epoch += 1;
        }
        self.change_part(part, now, out);
    }

    fn part_now(&self) -> Replication {
        match &self.role {
            Role::Primary(_) => Replication::Primary,
            Role::Replica(following) => Replication::Of(following.of),
        }
    }

    /// Whether somebody watches over the parts and writes them into configurations.
    fn has_sentinel(&self) -> bool {
        self.config.promote_after.is_some()
    }

    /// Is told by another, or by whoever speaks for it, to follow it.
    pub(super) fn on_follow(
        &mut self,
        from: NodeId,
        history: History,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        match &self.role {
            // It is told again because what it asked for was not heard.
            Role::Replica(following) if following.of == from => {
                return self.ask_for_all(now, out);
            }
            Role::Replica(_) if history.epoch < self.disk.epoch => return,
            // The other has not heard of the later promotion. Where two count the same,
            // somebody has to give way.
            Role::Primary(own) if (history.epoch, from) < (self.disk.epoch, self.config.place) => {
                return send(from, PeerMessage::Follow { history: own.history }, out);
            }
            Role::Replica(_) | Role::Primary(_) => {}
        }
        self.disk.epoch = history.epoch.max(self.disk.epoch);
        self.change_part(Replication::Of(from), now, out);
    }

    fn change_part(&mut self, part: Replication, now: Now, out: &mut Out<Actor>) {
        if self.has_sentinel() && self.part_now() != part {
            self.disk.part = Some(part);
        }
        match (part, &self.role) {
            (Replication::Primary, Role::Primary(_)) => {}
            (Replication::Primary, Role::Replica(following)) => {
                let before = following.of;
                let history = self.next_history();
                self.role = Role::Primary(Primary::new(history));
                out.cancel_timer(Timer::Redis(RedisTimer::Failover));
                out.cancel_timer(Timer::Redis(RedisTimer::SyncAgain));
                out.note(RedisNote::Promoted).sets(Fact::Leadership).silence_of(before);
                self.tell_taken_over(now.wall, out);
                self.sweep(now, out);
                self.tell_untold(now, out);
            }
            (Replication::Of(other), Role::Replica(following)) if following.of == other => {}
            (Replication::Of(other), _) => {
                out.note(RedisNote::Follows { primary: other }).sets(Fact::Leadership);
                if let Role::Primary(_) = self.role {
                    self.tell_handed_over(out);
                }
                self.end_waits(out);
                self.role = Role::following(other);
                self.mind_untold(out);
                self.ask_for_all(now, out);
                self.mind_silence(now, out);
            }
        }
        self.mind_expiry(out);
    }

    pub(super) fn on_hears(
        &mut self,
        peer: NodeId,
        hearing: Hearing,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        self.silent.retain(|silent| *silent != peer);
        if hearing == Hearing::Silent {
            self.silent.push(peer);
        }
        match &self.role {
            Role::Replica(following) if following.of == peer => {
                if hearing == Hearing::Heard {
                    self.ask_for_all(now, out);
                }
                self.mind_silence(now, out);
            }
            Role::Replica(_) => {}
            Role::Primary(_) => self.tell_untold(now, out),
        }
    }

    /// Is patient with a primary that it does not hear.
    fn mind_silence(&self, now: Now, out: &mut Out<Actor>) {
        let Role::Replica(following) = &self.role else { return };
        let timer = Timer::Redis(RedisTimer::Failover);
        match self.config.promote_after {
            Some(after) if self.silent.contains(&following.of) => {
                out.set_timer(timer, now.mono + after);
            }
            _ => out.cancel_timer(timer),
        }
    }

    /// Those in whose stead it was promoted and who have not asked it for anything yet,
    /// among those who run.
    fn untold(&self) -> Vec<NodeId> {
        let promoted = self.has_sentinel() && self.disk.part == Some(Replication::Primary);
        match &self.role {
            Role::Primary(primary) if promoted => {
                let is_untold = |peer: &&NodeId| {
                    !primary.replicas.contains_key(*peer) && !self.silent.contains(*peer)
                };
                self.peers.iter().filter(is_untold).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Tells them to follow, and again until they ask: one way to them may be cut.
    pub(super) fn tell_untold(&self, now: Now, out: &mut Out<Actor>) {
        let Role::Primary(Primary { history, .. }) = self.role else { return };
        for peer in self.untold() {
            send(peer, PeerMessage::Follow { history }, out);
            out.set_timer(Timer::Redis(RedisTimer::FollowAgain), now.mono + AGAIN);
        }
        self.mind_untold(out);
    }

    /// Has started again: who follows will ask by itself, and whoever does not is told.
    pub(super) fn mind_to_tell(&self, now: Now, out: &mut Out<Actor>) {
        if !self.untold().is_empty() {
            out.set_timer(Timer::Redis(RedisTimer::FollowAgain), now.mono + AGAIN);
        }
    }

    /// Where nobody is left to be told, nobody is told again.
    pub(super) fn mind_untold(&self, out: &mut Out<Actor>) {
        if self.untold().is_empty() {
            out.cancel_timer(Timer::Redis(RedisTimer::FollowAgain));
        }
    }

    pub(super) fn fail_over(&mut self, now: Now, out: &mut Out<Actor>) {
        self.take_part(Replication::Primary, now, out);
    }
}
