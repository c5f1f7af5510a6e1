//! Who takes part: etcd members, Redis nodes, ZooKeeper servers, PostgreSQL servers, Consul
//! servers, workers, stores, the orchestrator, relays and a partner, one folder or file each.
//! They talk only by
//! [`Message`]s and are told time only by their own clocks; what they say of themselves are
//! [`Note`]s.
//!
//! To add an actor: a folder here, a variant in [`Actor`], and variants in the
//! enums below for what is new about it.

pub mod consul;
pub mod etcd;
pub mod fact;
pub mod note;
pub mod objects;
pub mod orchestrator;
pub mod partner;
pub mod postgres;
pub mod redis;
pub mod relay;
pub mod store;
pub mod worker;
pub mod zookeeper;

pub use fact::Fact;
pub use note::Note;

use crate::sim::process::{self, Input, NodeId, Now, Out, Process};
use serde::Serialize;

/// A process of any kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Actor {
    /// A member of the etcd cluster.
    Etcd(Box<etcd::Member>),
    /// A worker with its etcd client.
    Worker(Box<worker::Worker>),
    /// A store that may check tokens.
    Store(Box<store::Store>),
    /// Starts a clean worker when one exits.
    Orchestrator(orchestrator::Orchestrator),
    /// A Redis node.
    Redis(Box<redis::Node>),
    /// A ZooKeeper server.
    Zk(Box<zookeeper::Server>),
    /// An object store with conditional puts, in the store's place.
    Objects(Box<objects::Objects>),
    /// A PostgreSQL server.
    Postgres(Box<postgres::Server>),
    /// A Consul server.
    Consul(Box<consul::Server>),
    /// Books what it is told to.
    Partner(partner::Partner),
    /// Sends what stands in an outbox.
    Relay(relay::Relay),
}

/// All that is sent between processes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Message {
    /// Client to etcd.
    Etcd(etcd::api::Request),
    /// etcd to client.
    EtcdAnswer(etcd::api::Response),
    /// etcd to a watching client.
    EtcdWatch(etcd::api::WatchEvents),
    /// Between etcd members, or Consul servers, who agree alike.
    Peer(etcd::PeerMessage),
    /// Worker or relay to store or partner.
    Store(store::api::StoreRequest),
    /// Store or partner to worker or relay.
    StoreAnswer(store::api::StoreResponse),
    /// A worker's machine to the orchestrator: the process has ended.
    Exited,
    /// The orchestrator to a waiting machine: begin.
    Begin,
    /// A machine to a client of its process, which has ended: the connection is closed.
    Closed,
    /// A client and a ZooKeeper server to each other, or a machine whose process has ended:
    /// the connection is closed that this call began, or over which it came.
    ZkClosed(etcd::api::RequestId),
    /// A client, or its machine when its process has ended, to a store: it waits for
    /// nothing more of what it asked up to this request, and completes nothing of it.
    HangsUp(etcd::api::RequestId),
    /// Client to Redis.
    Redis(redis::api::Request),
    /// Redis to client.
    RedisReply(redis::api::Response),
    /// Between Redis nodes.
    RedisPeer(redis::PeerMessage),
    /// Client to ZooKeeper.
    Zk(zookeeper::api::Request),
    /// ZooKeeper to client.
    ZkReply(zookeeper::api::Response),
    /// ZooKeeper to a client that left a watch.
    ZkEvent(zookeeper::api::Event),
    /// Between ZooKeeper servers.
    ZkPeer(zookeeper::PeerMessage),
    /// Worker to object store.
    Objects(objects::api::Request),
    /// Object store to worker.
    ObjectsAnswer(objects::api::Response),
    /// Client to PostgreSQL.
    Postgres(postgres::api::Request),
    /// PostgreSQL to client.
    PostgresAnswer(postgres::api::Response),
    /// PostgreSQL to client: the connection is closed.
    PostgresFatal(postgres::api::Fatal),
    /// Client to Consul.
    Consul(consul::api::Request),
    /// Consul to client.
    ConsulAnswer(consul::api::Response),
    /// Between PostgreSQL servers.
    PostgresPeer(postgres::PeerMessage),
}

/// Every kind of message, as a click names it; a test holds it against the actors.
pub const MESSAGE_KINDS: &[&str] = &[
    "lease-grant",
    "keepalive",
    "lease-revoke",
    "time-to-live",
    "put",
    "range",
    "delete",
    "txn",
    "watch",
    "watch-cancel",
    "etcd-error",
    "lease-answer",
    "lease-revoked",
    "time-to-live-answer",
    "put-answer",
    "range-answer",
    "delete-answer",
    "txn-answer",
    "watch-created",
    "watch-events",
    "append",
    "append-ack",
    "commit",
    "snapshot",
    "catch-up",
    "not-leading",
    "vote",
    "vote-ack",
    "forward",
    "forward-answer",
    "claim",
    "read",
    "report",
    "begin",
    "complete",
    "next-number",
    "data",
    "accepted",
    "refusal",
    "begun",
    "number",
    "connection-closed",
    "hang-up",
    "exited",
    "begin-program",
    "set",
    "setnx",
    "expire",
    "pexpire",
    "del",
    "wait",
    "pexpire-if-own",
    "del-if-own",
    "set-and-count",
    "command",
    "redis-reply",
    "psync",
    "full-sync",
    "replicate",
    "get-ack",
    "replica-ack",
    "follow",
    "connect",
    "ping",
    "close-session",
    "sync",
    "multi",
    "create",
    "get-data",
    "exists",
    "get-children",
    "connected",
    "pong",
    "zk-reply",
    "zk-error",
    "watch-event",
    "look-for-leader",
    "leader-is",
    "follow-leader",
    "propose",
    "ack",
    "touch",
    "get-object",
    "head-object",
    "put-object",
    "object",
    "object-head",
    "object-stored",
    "object-error",
    "disconnect",
    "sql-begin",
    "sql-commit",
    "advisory-lock",
    "try-advisory-lock",
    "advisory-unlock",
    "select-for-update",
    "raise-token",
    "nextval",
    "take-row",
    "renew-row",
    "free-row",
    "statement",
    "sql-answer",
    "fatal",
    "session-create",
    "session-renew",
    "session-destroy",
    "session-info",
    "kv-get",
    "kv-put",
    "kv-cas",
    "kv-acquire",
    "kv-release",
    "kv-delete",
    "consul-txn",
    "session-renewed",
    "consul-reply",
    "consul-error",
    "start-replication",
    "wal",
    "wal-received",
    "next-row",
    "mark-sent",
    "book",
    "row",
    "marked",
    "booked",
    "delete-object",
    "object-deleted",
];

/// Timers of all kinds of processes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Timer {
    /// An etcd member's, or a Consul server's as one that agrees with others.
    Etcd(etcd::EtcdTimer),
    /// A worker's.
    Worker(worker::WorkerTimer),
    /// A store's.
    Store(store::StoreTimer),
    /// The orchestrator's: start the next replacement.
    Replace,
    /// A Redis node's.
    Redis(redis::RedisTimer),
    /// A ZooKeeper server's.
    Zk(zookeeper::ZkTimer),
    /// A PostgreSQL server's.
    Postgres(postgres::PostgresTimer),
    /// A Consul server's.
    Consul(consul::ConsulTimer),
    /// A relay's.
    Relay(relay::RelayTimer),
}

/// What can be switched in the middle of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Setting {
    /// A store's rule.
    Rule(store::api::Rule),
    /// Whether a worker's heartbeat runs.
    Heartbeat(worker::Heartbeat),
    /// What a worker does when renewing fails.
    OnRenewalFailure(worker::config::OnRenewalFailure),
    /// What a worker's deadline is counted from.
    DeadlineFrom(worker::config::DeadlineFrom),
    /// How a worker releases.
    Release(worker::config::ReleaseCheck),
    /// A Redis node's part in the replication, or a PostgreSQL server's that is promoted.
    Replication(redis::Replication),
    /// What a PostgreSQL server's operator has it do.
    Postgres(postgres::Order),
}

impl process::Message for Message {
    fn kind(&self) -> &'static str {
        match self {
            Message::Etcd(request) => request.op.kind(),
            Message::EtcdAnswer(response) => response.kind(),
            Message::EtcdWatch(_) => "watch-events",
            Message::Peer(peer) => peer.kind(),
            Message::Store(request) => request.op.kind(),
            Message::StoreAnswer(response) => response.kind(),
            Message::Closed | Message::ZkClosed(_) => "connection-closed",
            Message::HangsUp(_) => "hang-up",
            Message::Exited => "exited",
            Message::Begin => "begin-program",
            Message::Redis(request) => request.ask.kind(),
            Message::RedisReply(response) => response.kind(),
            Message::RedisPeer(peer) => peer.kind(),
            Message::Zk(request) => request.ask.kind(),
            Message::ZkReply(response) => response.kind(),
            Message::ZkEvent(_) => "watch-event",
            Message::ZkPeer(peer) => peer.kind(),
            Message::Objects(request) => request.op.kind(),
            Message::ObjectsAnswer(response) => response.kind(),
            Message::Postgres(request) => request.ask.kind(),
            Message::PostgresAnswer(_) => "sql-answer",
            Message::PostgresFatal(_) => "fatal",
            Message::Consul(request) => request.ask.kind(),
            Message::ConsulAnswer(response) => response.kind(),
            Message::PostgresPeer(peer) => peer.kind(),
        }
    }

    fn is_routine(&self) -> bool {
        match self {
            Message::Etcd(request) => request.op.is_routine(),
            Message::EtcdAnswer(response) => response.is_routine(),
            Message::Peer(peer) => peer.is_routine(),
            Message::Redis(request) => request.ask.is_routine(),
            Message::RedisReply(response) => response.is_routine(),
            Message::Zk(request) => request.ask.is_routine(),
            Message::ZkReply(response) => response.is_routine(),
            Message::ZkPeer(peer) => peer.is_routine(),
            Message::Postgres(request) => request.ask.is_routine(),
            Message::PostgresAnswer(response) => response.is_routine(),
            Message::Consul(request) => request.ask.is_routine(),
            Message::ConsulAnswer(response) => response.is_routine(),
            _ => false,
        }
    }
}

impl Process for Actor {
    type Message = Message;
    type Timer = Timer;
    type Setting = Setting;
    type Note = Note;
    type Fact = Fact;

    fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match self {
            Actor::Etcd(member) => member.handle(input, now, out),
            Actor::Worker(worker) => worker.handle(input, now, out),
            Actor::Store(store) => store.handle(input, now, out),
            Actor::Orchestrator(orchestrator) => orchestrator.handle(input, now, out),
            Actor::Redis(node) => node.handle(input, now, out),
            Actor::Zk(server) => server.handle(input, now, out),
            Actor::Objects(objects) => objects.handle(input, now, out),
            Actor::Postgres(server) => server.handle(input, now, out),
            Actor::Consul(server) => server.handle(input, now, out),
            Actor::Partner(partner) => partner.handle(input, out),
            Actor::Relay(relay) => relay.handle(input, now, out),
        }
    }

    fn crash(&mut self) {
        match self {
            Actor::Etcd(member) => member.crash(),
            Actor::Worker(worker) => worker.crash(),
            Actor::Store(store) => store.crash(),
            Actor::Orchestrator(orchestrator) => orchestrator.crash(),
            Actor::Redis(node) => node.crash(),
            Actor::Zk(server) => server.crash(),
            Actor::Objects(objects) => objects.crash(),
            Actor::Postgres(server) => server.crash(),
            Actor::Consul(server) => server.crash(),
            Actor::Partner(_) => {}
            Actor::Relay(relay) => relay.crash(),
        }
    }

    fn last_words(&self) -> Vec<(NodeId, Message)> {
        match self {
            Actor::Etcd(member) => member.last_words(),
            Actor::Worker(worker) => worker.last_words(),
            Actor::Store(store) => store.last_words(),
            Actor::Redis(node) => node.last_words(),
            Actor::Zk(server) => server.last_words(),
            Actor::Objects(objects) => objects.last_words(),
            Actor::Postgres(server) => server.last_words(),
            Actor::Consul(server) => server.last_words(),
            Actor::Orchestrator(_) | Actor::Partner(_) | Actor::Relay(_) => Vec::new(),
        }
    }

    fn listens_to(&self) -> &[NodeId] {
        match self {
            Actor::Etcd(member) => member.peers(),
            Actor::Redis(node) => node.peers(),
            Actor::Zk(server) => server.peers(),
            Actor::Consul(server) => server.peers(),
            Actor::Postgres(server) => server.peers(),
            _ => &[],
        }
    }

    fn keeps_facts_as(&self, own: NodeId) -> NodeId {
        // What is replicated, all members know; and of two Redis nodes that both answer for a
        // lock, the one's doings tell how the other came to its own.
        self.listens_to().iter().copied().chain([own]).min().unwrap_or(own)
    }

    fn is_routine_timer(timer: &Timer) -> bool {
        match timer {
            Timer::Worker(timer) => timer.is_routine(),
            // A scan for overdue leases is set only while there is one to be found overdue,
            // and by it a lock changes hands.
            Timer::Etcd(_) | Timer::Store(_) | Timer::Replace => false,
            Timer::Redis(timer) => timer.is_routine(),
            Timer::Zk(timer) => timer.is_routine(),
            Timer::Postgres(timer) => timer.is_routine(),
            Timer::Consul(timer) => timer.is_routine(),
            Timer::Relay(timer) => *timer == relay::RelayTimer::Look,
        }
    }
}
