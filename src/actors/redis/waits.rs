//! `WAIT`: a client waits until replicas have what it wrote last.

use super::api::{RedisError, Reply, RequestId, Text};
use super::commands::{self, Answer};
use super::replication::{AGAIN, History, PeerMessage, Role, send};
use super::{Node, RedisTimer};
use crate::actors::{Actor, Timer};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Span;
use serde::Serialize;

/// A `WAIT` that waits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Waiting {
    client: NodeId,
    request: RequestId,
    /// How far the replicas have to be.
    offset: u64,
    /// How many of them.
    wanted: i64,
}

impl Node {
    pub(super) fn on_ack(
        &mut self,
        from: NodeId,
        history: History,
        offset: u64,
        out: &mut Out<Actor>,
    ) {
        let Role::Primary(primary) = &mut self.role else { return };
        // What it had of an older history says nothing of this one.
        if history != primary.history {
            return;
        }
        let acked = primary.replicas.entry(from).or_insert(None);
        *acked = Some(offset).max(*acked);
        let enough = |wait: &Waiting| primary.count(wait.offset) >= wait.wanted;
        let (over, waits): (Vec<Waiting>, Vec<Waiting>) = self.waits.drain(..).partition(enough);
        self.waits = waits;
        self.mind_waits(out);
        for Waiting { client, request, offset, .. } in over {
            out.cancel_timer(Timer::Redis(RedisTimer::Wait { client, request }));
            self.tell_count(client, request, offset, out);
        }
    }

    fn tell_count(&self, client: NodeId, request: RequestId, offset: u64, out: &mut Out<Actor>) {
        let Role::Primary(primary) = &self.role else { return };
        self.reply(client, request, "wait", Ok(Reply::Int(primary.count(offset))), out);
    }

    /// Asks the replicas how far they are, and again as long as somebody waits for them.
    pub(super) fn ask_how_far(&self, now: Now, out: &mut Out<Actor>) {
        let Role::Primary(primary) = &self.role else { return };
        let (history, offset) = (primary.history, primary.offset);
        for replica in primary.replicas.keys() {
            send(*replica, PeerMessage::GetAck { history, offset }, out);
        }
        out.set_timer(Timer::Redis(RedisTimer::AckAgain), now.mono + AGAIN);
    }

    fn mind_waits(&self, out: &mut Out<Actor>) {
        if self.waits.is_empty() {
            out.cancel_timer(Timer::Redis(RedisTimer::AckAgain));
        }
    }

    /// A replica's process has ended, or it closed its connection: it is not counted
    /// until it says how far it is.
    pub(super) fn replica_closed(&mut self, replica: NodeId) {
        if let Role::Primary(primary) = &mut self.role
            && let Some(acked) = primary.replicas.get_mut(&replica)
        {
            *acked = None;
        }
    }

    /// `WAIT`: until so many replicas have what this client wrote last, or time is up.
    pub(super) fn wait(
        &mut self,
        client: NodeId,
        request: RequestId,
        words: &[Text],
        now: Now,
        out: &mut Out<Actor>,
    ) -> Option<Answer> {
        let Role::Primary(primary) = &self.role else {
            return Some(Err(RedisError::WaitAtReplica));
        };
        let (wanted, timeout_ms) = match wait_of(words) {
            Ok(both) => both,
            Err(error) => return Some(Err(error)),
        };
        let offset = self.written.get(&client).copied().unwrap_or(0);
        let count = primary.count(offset);
        if count >= wanted {
            return Some(Ok(Reply::Int(count)));
        }
        self.waits.push(Waiting { client, request, offset, wanted });
        self.ask_how_far(now, out);
        if timeout_ms > 0 {
            let timer = Timer::Redis(RedisTimer::Wait { client, request });
            out.set_timer(timer, now.mono + Span::from_ms(timeout_ms));
        }
        None
    }

    pub(super) fn wait_is_over(
        &mut self,
        client: NodeId,
        request: RequestId,
        out: &mut Out<Actor>,
    ) {
        let is_it = |wait: &Waiting| (wait.client, wait.request) == (client, request);
        let Some(place) = self.waits.iter().position(is_it) else { return };
        let offset = self.waits.remove(place).offset;
        self.mind_waits(out);
        self.tell_count(client, request, offset, out);
    }

    pub(super) fn end_waits(&mut self, out: &mut Out<Actor>) {
        for Waiting { client, request, .. } in std::mem::take(&mut self.waits) {
            out.cancel_timer(Timer::Redis(RedisTimer::Wait { client, request }));
            self.reply(client, request, "wait", Err(RedisError::Unblocked), out);
        }
        self.mind_waits(out);
        self.written.clear();
    }
}

fn wait_of(words: &[Text]) -> Result<(i64, i64), RedisError> {
    let wanted = commands::whole(&words[1])?;
    let timeout_ms = commands::whole(&words[2]).map_err(|_| RedisError::Timeout)?;
    if timeout_ms < 0 { Err(RedisError::NegativeTimeout) } else { Ok((wanted, timeout_ms)) }
}
