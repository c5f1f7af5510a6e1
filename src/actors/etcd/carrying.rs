//! Carrying Consul's log: its servers agree as etcd's members do, since both do it by Raft.
//! What is replicated, what is told and who answers is Consul's own business
//! ([`crate::actors::consul`]): here is what it asks of a member, and what it is told.

use super::config::EtcdConfig;
use super::log::{Command, Origin};
use super::{Member, Replicated};
use crate::actors::Actor;
use crate::actors::consul::api::{ConsulError, Index};
use crate::actors::consul::{self, Change, Outcome, State};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Span;
use std::rc::Rc;

impl Member {
    /// A member that carries the log of a server of Consul.
    pub(in crate::actors) fn carrying(config: EtcdConfig, state: State) -> Member {
        let mut member = Member::new(config);
        let none = Replicated::new(member.config.revision);
        member.durable.state = Rc::new(Replicated { consul: Some(state), ..none });
        member
    }

    /// What Consul's log has made.
    pub(in crate::actors) fn carried(&self) -> &State {
        self.state().consul.as_ref().expect("a member that carries nothing is not asked")
    }

    fn carried_mut(&mut self) -> Option<&mut State> {
        self.durable.state.consul.as_ref()?;
        Rc::make_mut(&mut self.durable.state).consul.as_mut()
    }

    /// Whether it leads and has applied an entry of its own term; the term.
    pub(in crate::actors) fn reigns(&self) -> Option<u64> {
        self.is_primary().then_some(self.durable.term)
    }

    /// Whom it would pass a request on to: the leader that it hears.
    pub(in crate::actors) fn heard_leader(&self) -> Option<NodeId> {
        self.living_leader().filter(|leader| *leader != self.config.place)
    }

    /// A server taken for the leader does not lead.
    pub(in crate::actors) fn leads_not(&mut self, peer: NodeId, now: Now, out: &mut Out<Actor>) {
        self.believe_not_leading(peer);
        self.mind_election(now, out);
    }

    /// Appends a change to the log.
    pub(in crate::actors) fn append(
        &mut self,
        change: Change,
        origin: Option<Origin>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        self.propose(Command::Consul { change, origin }, now, out);
    }

    /// What has been applied in this step.
    pub(in crate::actors) fn take_outcomes(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.volatile.outcomes)
    }

    pub(super) fn apply_consul(
        &mut self,
        entry: u64,
        change: &Change,
        origin: Option<&Origin>,
        is_own: bool,
    ) {
        let by = origin.map_or(self.config.place, |origin| origin.client);
        let state = self.carried_mut().expect("Consul's changes are in Consul's log");
        let outcome = state.make(entry, change, by);
        let answers = origin.copied().filter(|_| is_own);
        self.volatile.outcomes.push(Outcome { answers, ..outcome });
    }

    /// A new leader's first entry has a place in Consul's log too.
    pub(super) fn count_empty(&mut self, command: &Command) {
        if let (Command::Lead, Some(state)) = (command, self.carried_mut()) {
            let _: Index = state.next_entry();
        }
    }

    /// How long a leader bears that it hears no majority: an election timeout, or Consul's
    /// lease of a leader, which is half of one.
    pub(super) fn quorum_timeout(&self) -> Span {
        match &self.state().consul {
            Some(_) => Span::from_us(self.config.election_timeout.us() / 2),
            None => self.config.election_timeout,
        }
    }

    /// It leads no more: whoever waits for a change is told so. It may still happen.
    pub(super) fn tell_lost_changes(&self, out: &mut Out<Actor>) {
        for entry in self.durable.tail.iter().filter(|entry| entry.term == self.durable.term) {
            if let Command::Consul { origin: Some(origin), .. } = &entry.command {
                let place = self.config.place;
                consul::answer(place, origin, Err(ConsulError::NoLeader), out);
            }
        }
    }
}
