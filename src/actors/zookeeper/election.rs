//! Looking for a leader: everybody tells everybody what it has, and whoever has the
//! newest log is to lead. Whether that was right is settled when a majority follows.

use super::following::Following;
use super::peer::{Newness, PeerMessage, Wants};
use super::{Role, Server, ZkTimer, cancel_timer, send, set_timer};
use crate::actors::fact::Fact;
use crate::actors::note::EtcdNote;
use crate::actors::{Actor, Message};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Span;
use litemap::LiteMap;
use serde::Serialize;

/// So long does whoever knows of a majority wait for better ones (`finalizeWait`).
const FINALIZE: Span = Span::from_ms(200);

/// What a server knows that looks for a leader.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Looking {
    /// Who else looks, and what each has.
    others: LiteMap<NodeId, Newness>,
}

impl Looking {
    pub(super) fn forget(&mut self, peer: NodeId) {
        self.others.remove(&peer);
    }
}

impl Server {
    /// Leads or follows no more: closes all connections and looks for a leader.
    pub(super) fn look(&mut self, now: Now, out: &mut Out<Actor>) {
        if self.leading().is_some_and(|leading| leading.is_established) {
            let term = u64::from(self.disk.current);
            let note = out.note(EtcdNote::SteppedDown { term }).sets(Fact::Leadership);
            self.silent.iter().fold(note, |note, peer| note.silence_of(*peer));
        }
        for peer in self.streams() {
            out.send(peer, Message::Closed);
        }
        self.close_clients(|_| true, out);
        for timer in [ZkTimer::Expiry, ZkTimer::Touch, ZkTimer::Reap, ZkTimer::Limit] {
            cancel_timer(out, timer);
        }
        cancel_timer(out, ZkTimer::Again);
        self.role = Role::Looking(Looking::default());
        if self.peers.is_empty() {
            return self.lead(now, out);
        }
        self.tell_look(&self.peers.clone(), out);
        set_timer(out, ZkTimer::Again, now.mono + self.config.tick);
    }

    /// Tells others that it looks for a leader.
    pub(super) fn tell_look(&self, peers: &[NodeId], out: &mut Out<Actor>) {
        for peer in peers {
            let newness = self.newness();
            send(*peer, PeerMessage::Look { newness, wants: Wants::Answer }, out);
        }
    }

    pub(super) fn on_look(
        &mut self,
        from: NodeId,
        newness: Newness,
        wants: Wants,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let own = self.newness();
        match &mut self.role {
            Role::Looking(looking) => {
                let is_news = looking.others.insert(from, newness) != Some(newness);
                if wants == Wants::Answer {
                    let wants = Wants::Nothing;
                    send(from, PeerMessage::Look { newness: own, wants }, out);
                }
                if is_news {
                    self.mind_decision(now, out);
                }
            }
            Role::Following(following) if following.leader == from => self.look(now, out),
            Role::Following(following) => {
                let leader = following.leader;
                if self.hears(leader) {
                    send(from, PeerMessage::LeaderIs(leader), out);
                }
            }
            Role::Leading(leading) => {
                leading.followers.remove(&from);
                self.mind_majority(now, out);
                if self.leading().is_some() {
                    send(from, PeerMessage::LeaderIs(self.config.place), out);
                }
            }
        }
    }

    /// The best of those who look, itself among them.
    fn best(&self) -> Option<NodeId> {
        let Role::Looking(looking) = &self.role else { return None };
        let heard = looking.others.iter().filter(|(peer, _)| self.hears(**peer));
        let own = self.newness();
        let all = heard.map(|(peer, newness)| (*newness, *peer));
        let all: Vec<(Newness, NodeId)> = all.chain([(own, self.config.place)]).collect();
        let is_majority = all.len() >= self.config.majority();
        all.into_iter().max().map(|(_, best)| best).filter(|_| is_majority)
    }

    fn mind_decision(&self, now: Now, out: &mut Out<Actor>) {
        if self.best().is_some() {
            set_timer(out, ZkTimer::Decide, now.mono + FINALIZE);
        }
    }

    /// It has waited long enough.
    pub(super) fn decide(&mut self, now: Now, out: &mut Out<Actor>) {
        match self.best() {
            Some(best) if best == self.config.place => {
                cancel_timer(out, ZkTimer::Again);
                self.lead(now, out);
            }
            Some(best) => self.follow(best, now, out),
            None => {}
        }
    }

    /// Another has decided earlier, and for this server.
    pub(super) fn is_chosen_by(&mut self, from: NodeId, now: Now, out: &mut Out<Actor>) {
        if self.best() == Some(self.config.place) && self.hears(from) {
            cancel_timer(out, ZkTimer::Decide);
            self.decide(now, out);
        }
    }

    pub(super) fn on_leader_is(&mut self, leader: NodeId, now: Now, out: &mut Out<Actor>) {
        let is_other = leader != self.config.place;
        if matches!(self.role, Role::Looking(_)) && is_other && self.hears(leader) {
            self.follow(leader, now, out);
        }
    }

    pub(super) fn on_not_leading(&mut self, from: NodeId, now: Now, out: &mut Out<Actor>) {
        if matches!(&self.role, Role::Following(following) if following.leader == from) {
            self.look(now, out);
        }
    }

    fn follow(&mut self, leader: NodeId, now: Now, out: &mut Out<Actor>) {
        cancel_timer(out, ZkTimer::Decide);
        cancel_timer(out, ZkTimer::Again);
        self.role = Role::Following(Following::new(leader));
        self.ask_for_state(leader, out);
        set_timer(out, ZkTimer::Limit, now.mono + self.config.ticks(self.config.init_limit));
    }

    pub(super) fn ask_for_state(&self, leader: NodeId, out: &mut Out<Actor>) {
        let (accepted, newness) = (self.disk.accepted, self.newness());
        send(leader, PeerMessage::Follow { accepted, newness }, out);
    }

    /// What was said between servers may have been lost.
    pub(super) fn say_again(&mut self, now: Now, out: &mut Out<Actor>) {
        match &self.role {
            Role::Looking(_) => {
                self.tell_look(&self.peers.clone(), out);
                set_timer(out, ZkTimer::Again, now.mono + self.config.tick);
            }
            Role::Following(_) => self.ask_again(now, out),
            Role::Leading(_) => self.tell_again(now, out),
        }
    }
}
