//! How a lock is taken from ZooKeeper and given back, as Curator's `InterProcessMutex`
//! does it, and what Curator makes of a connection: SUSPENDED as soon as it is gone, LOST
//! when it has been gone for a session timeout, or when the server says so.
//!
//! ```text
//!   session ─► create <lock>/_c_<guid>-lock-, ephemeral and sequential
//!                │ ▲ └─► no such parent: create it as a container ─┐
//!                │ └───────────────────────────────────────────────┘
//!                ▼
//!            children ─► lowest suffix ─► granted
//!                ▲ └─► watch the one before ─► gone ─┐
//!                └───────────────────────────────────┘
//! ```
//!
//! A create whose connection broke may have been applied or not: the node that carries
//! the own GUID is looked for first.

use super::calls::Ask;
use super::config::TokenFrom;
use super::program::Doing;
use super::recipe::{NOTHING_HEARD, Watch};
use super::session::Session;
use super::{Outbox, Worker, WorkerTimer, cancel_timer, set_timer};
use crate::actors::Message;
use crate::actors::etcd::api::{RequestId, Text};
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::actors::zookeeper::api::{
    self, Event, EventKind, Failure as ZkFailure, Mode, Op, Read, Reply, Response, What, Write,
    ZkError,
};
use crate::actors::zookeeper::client::{Change, Client, Sends, Standing};
use crate::actors::zookeeper::suffix;
use crate::sim::in_full::InFull;
use crate::sim::order;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// GUIDs are drawn from so many.
const GUIDS: u64 = 1 << 32;

/// What is asked of ZooKeeper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum ZkAsk {
    /// A session. The connection asks for it by itself.
    Session,
    /// The own node, with the next suffix.
    Create,
    /// The lock's node with what is above it, as containers: so many levels of its path.
    Parent { levels: usize },
    /// All nodes for the lock: is the own one first?
    Children,
    /// The same, to see whether a create was applied whose answer was lost.
    Find,
    /// The numbers of the own node.
    Own,
    /// The node before the own one, and to be told when it goes.
    Watch { path: Text },
    /// The version of the node that counts the holders, one higher.
    Count,
    /// That node.
    Counter,
    /// The own node's end.
    Delete,
    /// The session's end.
    Close,
}

/// A client of ZooKeeper, with what it knows of its own node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Zk {
    pub client: Client,
    /// Names the acquisition within the lock.
    guid: u64,
    /// The own node's path, once it is known.
    own: Option<Text>,
}

impl Worker {
    pub(super) fn zk(&self) -> Option<&Zk> {
        match &self.session {
            Session::Zk(zk) => Some(zk),
            _ => None,
        }
    }

    pub(super) fn zk_mut(&mut self) -> Option<&mut Zk> {
        match &mut self.session {
            Session::Zk(zk) => Some(zk),
            _ => None,
        }
    }

    pub(super) fn zk_is_connected(&self) -> bool {
        self.zk().is_some_and(|zk| zk.client.standing() == Standing::Connected)
    }

    /// A new acquisition: a session of its own, and a GUID.
    pub(super) fn open_zk(&mut self, now: Mono, out: &mut Outbox) {
        let guid = out.draw("guid", GUIDS);
        let client = Client::new(Span::from_s(self.config.ttl_s));
        self.session = Session::Zk(Zk { client, guid, own: None });
        self.call(Ask::Zk(ZkAsk::Session), now, out);
        let members = self.config.members.clone();
        let connect = self.zk_mut().map(|zk| zk.client.connect(&members, now));
        self.zk_send(connect, out);
        self.zk_mind_wakes(out);
    }

    pub(super) fn zk_send(&mut self, sends: Option<Sends>, out: &mut Outbox) {
        match sends {
            Some(Sends::Call(to, ask)) => {
                let id = self.next_id();
                if let (api::Ask::Connect(_), Some(zk)) = (&ask, self.zk_mut()) {
                    zk.client.began(id);
                }
                out.send(to, Message::Zk(api::Request { id, ask }));
            }
            Some(Sends::Hangup(to, connection)) => out.send(to, Message::ZkClosed(connection)),
            None => {}
        }
    }

    /// Sends a call over the connection; without one it waits for the next.
    #[inline(never)]
    pub(super) fn zk_send_call(&self, ask: &ZkAsk, id: RequestId, out: &mut Outbox) {
        let Some(zk) = self.zk().filter(|_| self.zk_is_connected()) else { return };
        let ask = match ask {
            ZkAsk::Session => return,
            ZkAsk::Close => api::Ask::Close,
            ask => api::Ask::Op(self.zk_op(ask, zk)),
        };
        out.send(zk.client.server(&self.config.members), Message::Zk(api::Request { id, ask }));
    }

    fn zk_op(&self, ask: &ZkAsk, zk: &Zk) -> Op {
        let lock = &self.config.lock;
        let create = |path: Text, mode| Op::Write(Write::Create { path, data: "".into(), mode });
        let read = |what, path: Text, watch| Op::Read(Read { what, path, watch });
        let own = || zk.own.clone().unwrap_or_default();
        match ask {
            ZkAsk::Create => {
                let path = format!("{lock}/{}", own_prefix(zk.guid));
                create(path.into(), Mode::EphemeralSequential)
            }
            ZkAsk::Parent { levels } => {
                let path: Vec<&str> = lock.split('/').take(levels + 1).collect();
                create(path.join("/").into(), Mode::Container)
            }
            ZkAsk::Children | ZkAsk::Find => read(What::Children, lock.clone(), api::Watch::No),
            ZkAsk::Own => read(What::Exists, own(), api::Watch::No),
            ZkAsk::Watch { path } => read(What::Data, path.clone(), api::Watch::Yes),
            ZkAsk::Count => {
                let (path, data) = (format!("{lock}-count").into(), "".into());
                Op::Write(Write::Set { path, data, version: -1 })
            }
            ZkAsk::Counter => create(format!("{lock}-count").into(), Mode::Persistent),
            ZkAsk::Delete => Op::Write(Write::Delete { path: own(), version: -1 }),
            ZkAsk::Session | ZkAsk::Close => unreachable!("they are no operations on the tree"),
        }
    }

    /// A server answered something.
    pub(super) fn zk_answered(
        &mut self,
        from: NodeId,
        response: Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        let members = self.config.members.clone();
        let Some(zk) = self.zk_mut() else { return };
        let change = zk.client.answered(from, &response, &members, now);
        let is_in_use = zk.client.server(&members) == from;
        let lease = zk.client.session();
        match (change, lease) {
            (Some(Change::Opened), Some(lease)) => {
                out.note(WorkerNote::SessionOpened { lease }).sets(Fact::Session).sets(Fact::Call);
                self.zk_ask(ZkAsk::Create, now, out);
            }
            (Some(Change::Reattached), Some(lease)) => {
                cancel_timer(out, WorkerTimer::Lost);
                out.note(WorkerNote::Reconnected { lease }).sets(Fact::Session);
                self.zk_goes_on(now, out);
            }
            (Some(Change::Disconnected), _) => self.suspended(&[], now, out),
            (Some(Change::Expired), _) => self.zk_over(SessionEnd::LeaseGone, now, out),
            _ if !is_in_use => {}
            (_, Some(lease)) if response.result == Ok(Reply::Pong) => {
                out.note(WorkerNote::Renewed { lease }).sets(Fact::Session);
            }
            _ => {
                if let Some(Ask::Zk(ask)) = self.answered(response.id, out) {
                    self.zk_replied(ask, response.id, response.result, now, out);
                }
            }
        }
        self.zk_mind_wakes(out);
    }

    fn zk_ask(&mut self, ask: ZkAsk, now: Mono, out: &mut Outbox) {
        self.call(Ask::Zk(ask), now, out);
        self.zk_sends(now, out);
    }

    /// The connection is there again: what was asked is asked again, and what was
    /// watched is read again.
    fn zk_goes_on(&mut self, now: Mono, out: &mut Outbox) {
        let ask = match &self.program.doing {
            Doing::Calls(call) => match &call.ask {
                Ask::Zk(ZkAsk::Create) => ZkAsk::Find,
                Ask::Zk(ask) => ask.clone(),
                _ => return,
            },
            Doing::Waits(_) => ZkAsk::Children,
            _ => return,
        };
        cancel_timer(out, WorkerTimer::LookAgain);
        self.zk_ask(ask, now, out);
    }

    fn zk_replied(
        &mut self,
        ask: ZkAsk,
        id: RequestId,
        result: Result<Reply, ZkFailure>,
        now: Mono,
        out: &mut Outbox,
    ) {
        let is_absent = |failure: &ZkFailure| failure.error == ZkError::NoNode;
        match (ask, result) {
            (ZkAsk::Create, Ok(Reply::Created { path, stat })) => {
                self.zk_own(path, stat.czxid.0);
                self.zk_ask(ZkAsk::Children, now, out);
            }
            (ZkAsk::Create, Err(failure)) if is_absent(&failure) => {
                self.zk_ask(ZkAsk::Parent { levels: 1 }, now, out);
            }
            // Another may have created it meanwhile.
            (ZkAsk::Parent { levels }, _) => {
                let ask = match self.config.lock.split('/').nth(levels + 1) {
                    Some(_) => ZkAsk::Parent { levels: levels + 1 },
                    None => ZkAsk::Create,
                };
                self.zk_ask(ask, now, out);
            }
            (ZkAsk::Children, Ok(Reply::Children(names))) => self.zk_queued(&names, now, out),
            (ZkAsk::Find, Ok(Reply::Children(names))) => self.zk_found(&names, now, out),
            (ZkAsk::Own, Ok(Reply::Stat(Some(stat)))) => {
                self.program.key_revision = stat.czxid.0;
                self.zk_ask(ZkAsk::Children, now, out);
            }
            (ZkAsk::Children | ZkAsk::Find | ZkAsk::Own, _) => {
                self.zk_ask(ZkAsk::Create, now, out);
            }
            (ZkAsk::Watch { path }, Ok(_)) => {
                let member = self.zk().map(|zk| zk.client.server(&self.config.members));
                let member = member.expect("an answer came over a connection");
                self.program.doing = Doing::Waits(Watch { number: id, member, key: path });
                set_timer(out, WorkerTimer::LookAgain, now + NOTHING_HEARD);
                self.main_thread_moves(now, out);
            }
            (ZkAsk::Watch { .. }, Err(_)) => self.zk_ask(ZkAsk::Children, now, out),
            (ZkAsk::Count, Ok(Reply::Stat(Some(stat)))) => {
                self.granted(i64::from(stat.version), now, out);
            }
            (ZkAsk::Count, _) => self.zk_ask(ZkAsk::Counter, now, out),
            (ZkAsk::Counter, _) => self.zk_ask(ZkAsk::Count, now, out),
            // Gone is gone.
            (ZkAsk::Delete, _) => self.close_session(now, out),
            (ZkAsk::Close, Ok(Reply::Closed)) => {
                self.session_closes(SessionEnd::Closed, &[], out);
                self.session_is_closed(now, out);
            }
            (ask, result) => {
                unreachable!("ZooKeeper does not answer {} with {}", InFull(&ask), InFull(&result))
            }
        }
    }

    fn zk_own(&mut self, path: Text, czxid: i64) {
        self.program.key_revision = czxid;
        if let Some(zk) = self.zk_mut() {
            zk.own = Some(path);
        }
    }

    /// The node that a create made whose answer was lost, if it made one.
    fn zk_found(&mut self, names: &[Text], now: Mono, out: &mut Outbox) {
        let prefix = own_prefix(self.zk().map_or(0, |zk| zk.guid));
        let Some(name) = names.iter().find(|name| name.starts_with(&prefix)) else {
            return self.zk_ask(ZkAsk::Create, now, out);
        };
        let path = format!("{}/{name}", self.config.lock).into();
        self.zk_own(path, 0);
        self.zk_ask(ZkAsk::Own, now, out);
    }

    /// Whose turn it is, by the suffixes.
    fn zk_queued(&mut self, names: &[Text], now: Mono, out: &mut Outbox) {
        let own = self.zk().and_then(|zk| zk.own.clone()).unwrap_or_default();
        let mut queue: Vec<(i32, &Text)> =
            names.iter().filter_map(|name| Some((suffix(name)?, name))).collect();
        order::by_key(&mut queue, |(suffix, _)| *suffix);
        let place = queue.iter().position(|(_, name)| own.ends_with(&***name));
        match place {
            // Somebody deleted it: anybody can.
            None => self.zk_ask(ZkAsk::Create, now, out),
            Some(0) => self.zk_first(queue[0].0, now, out),
            Some(place) => {
                let create_revision = self.program.key_revision;
                out.note(WorkerNote::Waits { create_revision }).sets(Fact::Call);
                let path = format!("{}/{}", self.config.lock, queue[place - 1].1).into();
                self.zk_ask(ZkAsk::Watch { path }, now, out);
            }
        }
    }

    /// The lock is its own: with which token?
    fn zk_first(&mut self, suffix: i32, now: Mono, out: &mut Outbox) {
        match self.config.token_from {
            TokenFrom::Czxid => self.granted(self.program.key_revision, now, out),
            // 0 stands for no token.
            TokenFrom::Suffix => self.granted(i64::from(suffix) + 1, now, out),
            TokenFrom::Version => self.zk_ask(ZkAsk::Count, now, out),
        }
    }

    /// A watch told something; it can overtake the answer to the read that left it.
    pub(super) fn zk_told(&mut self, from: NodeId, event: &Event, now: Mono, out: &mut Outbox) {
        let members = self.config.members.clone();
        let is_in_use = self.zk_mut().is_some_and(|zk| zk.client.hears(from, &members, now));
        if !is_in_use || event.kind != EventKind::Deleted {
            return self.zk_mind_wakes(out);
        }
        let waits = match &self.program.doing {
            Doing::Waits(watch) => watch.key == event.path,
            Doing::Calls(call) => match &call.ask {
                Ask::Zk(ZkAsk::Watch { path }) => *path == event.path,
                _ => false,
            },
            _ => false,
        };
        if waits {
            self.zk_look_again(now, out);
        }
        self.zk_mind_wakes(out);
    }

    /// Looks again whose turn it is.
    pub(super) fn zk_look_again(&mut self, now: Mono, out: &mut Outbox) {
        cancel_timer(out, WorkerTimer::LookAgain);
        self.zk_ask(ZkAsk::Children, now, out);
    }

    /// Closes the session and waits for the answer.
    pub(super) fn close_zk(&mut self, now: Mono, out: &mut Outbox) {
        match self.zk().and_then(|zk| zk.client.session()) {
            Some(_) => self.zk_ask(ZkAsk::Close, now, out),
            // One that the client gave up on ends by itself.
            None => {
                self.forget_zk(out);
                self.session_is_closed(now, out);
            }
        }
    }

    /// Deletes the own node, and closes the session then.
    pub(super) fn release_zk(&mut self, now: Mono, out: &mut Outbox) {
        match self.zk() {
            Some(_) => self.zk_ask(ZkAsk::Delete, now, out),
            None => self.close_zk(now, out),
        }
    }

    /// Closes the session without waiting for an answer, if it is connected.
    pub(super) fn give_up_zk(&mut self, out: &mut Outbox) {
        let connected = self.zk_is_connected();
        if let Some(zk) = self.zk().filter(|zk| zk.client.session().is_some()) {
            let server = zk.client.server(&self.config.members);
            let how = if connected { SessionEnd::Closed } else { SessionEnd::GivenUp };
            self.session_closes(how, &[], out);
            if connected {
                self.zk_send(Some(Sends::Call(server, api::Ask::Close)), out);
            }
        }
        self.forget_zk(out);
        self.session = Session::None;
    }

    fn forget_zk(&self, out: &mut Outbox) {
        for timer in [WorkerTimer::Keepalive, WorkerTimer::Connect, WorkerTimer::Lost] {
            cancel_timer(out, timer);
        }
    }
}

/// What the names of an acquisition's nodes begin with.
fn own_prefix(guid: u64) -> String {
    format!("_c_{guid:08x}-lock-")
}
