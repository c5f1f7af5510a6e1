//! Redis: one node, or a primary with a replica, one process each.
//!
//! ```text
//!   request ─► sweep ─► command ─► keys ─► answer
//!             (dead keys)  └─ changes ─► replica, after the answer was given
//! ```
//!
//! Kept apart: the keys, which a process that ends loses unless they are on disk; what
//! is on disk; and the part in the replication, with what only its process remembers.
//! A key ends by the wall clock of the machine that looks at it, and by nothing else.

pub mod api;
mod commands;
pub mod config;
mod expiry;
mod failover;
mod keys;
mod observe;
mod replication;
mod scripts;
mod set;
mod view;
mod waits;

pub use config::{Persistence, RedisConfig, Says};
pub use keys::{Entry, Keys};
pub use observe::{Holder, lease_of, value_of};
pub use replication::{History, PeerMessage, Replication};
pub use view::Part;

use crate::actors::{Actor, Message, Setting, Timer};
use crate::sim::process::{Input, NodeId, Now, Out};
use api::{Ask, RedisError, Reply, Request, RequestId, Response, Script, Text};
use commands::Answer;
use keys::{Access, Db};
use litemap::LiteMap;
use replication::{Primary, Role};
use serde::Serialize;
use std::rc::Rc;
use waits::Waiting;

/// A node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Node {
    config: Rc<RedisConfig>,
    /// Follows from the settings.
    #[serde(skip)]
    peers: Vec<NodeId>,
    disk: Disk,
    keys: Keys,
    role: Role,
    /// Who has a connection to it.
    clients: Vec<NodeId>,
    /// The scripts it has been sent the text of.
    scripts: Vec<Script>,
    /// How far the log was after each client's last write.
    written: LiteMap<NodeId, u64>,
    waits: Vec<Waiting>,
    /// The other nodes that it does not hear.
    silent: Vec<NodeId>,
}

/// What is there when the process starts again, besides the keys of an append-only file.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Disk {
    begun: Begun,
    /// What `SAVE` wrote last.
    saved: Option<Keys>,
    /// The part it was given while it ran, if its configuration was written anew.
    part: Option<Replication>,
    /// Counts the histories that it has begun.
    histories: u32,
    /// Counts the promotions that it knows of, where a Sentinel is declared.
    epoch: u32,
}

/// Whether the process has ever started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Begun {
    Never,
    Before,
}

/// A node's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum RedisTimer {
    /// By the wall clock: the next key is dead.
    Expiry,
    /// A `WAIT` of this client has waited long enough.
    Wait {
        /// Whose.
        client: NodeId,
        /// Which.
        request: RequestId,
    },
    /// A replica has not heard its primary for long enough.
    Failover,
    /// A replica has asked for what it has missed, and nobody answered.
    SyncAgain,
    /// A primary has asked how far its replicas are, and somebody still waits.
    AckAgain,
    /// A primary has told another to follow, and was not asked for anything.
    FollowAgain,
}

impl RedisTimer {
    /// Whether it only says again what was said.
    pub fn is_routine(&self) -> bool {
        match self {
            RedisTimer::SyncAgain | RedisTimer::AckAgain | RedisTimer::FollowAgain => true,
            RedisTimer::Expiry | RedisTimer::Wait { .. } | RedisTimer::Failover => false,
        }
    }
}

impl Node {
    /// A node that has never started. Where there are several, they have settled: the
    /// first takes writes, and the others have what it has, which is nothing.
    pub fn new(config: RedisConfig) -> Node {
        let peers: Vec<NodeId> =
            config.nodes.iter().copied().filter(|node| *node != config.place).collect();
        let disk = Disk { begun: Begun::Never, saved: None, part: None, histories: 0, epoch: 0 };
        let role = Role::settled(&config, &peers);
        Node {
            config: Rc::new(config),
            peers,
            disk,
            keys: Keys::new(),
            role,
            clients: Vec::new(),
            scripts: Vec::new(),
            written: LiteMap::new(),
            waits: Vec::new(),
            silent: Vec::new(),
        }
    }

    /// Takes one input.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Message { from, message } => match message {
                Message::Redis(request) => self.on_request(from, request, now, out),
                Message::RedisPeer(message) => self.on_peer(from, message, now, out),
                Message::Closed => self.replica_closed(from),
                _ => unreachable!("a node is sent requests and other nodes' messages"),
            },
            Input::Unreachable { to, message } => {
                // A client that is gone; what another node was to be told it asks for.
                match message {
                    Message::RedisReply(_) => self.clients.retain(|client| *client != to),
                    _ => self.replica_closed(to),
                }
            }
            Input::Timer(Timer::Redis(timer)) => self.on_timer(&timer, now, out),
            Input::Hears { peer, hearing } => self.on_hears(peer, hearing, now, out),
            Input::Set(Setting::Replication(part)) => self.take_part(part, now, out),
            Input::Timer(_) | Input::WorkDone | Input::Set(_) => {
                unreachable!("a node has timers of its own, no work, and its part to be set")
            }
        }
    }

    /// Forgets what is not on disk.
    pub fn crash(&mut self) {
        if self.config.persistence == Persistence::None {
            self.keys = self.disk.saved.clone().unwrap_or_default();
        }
        self.role = match self.part_at_start() {
            Replication::Primary => Role::Primary(Primary::new(self.next_history())),
            Replication::Of(primary) => Role::following(primary),
        };
        self.forget_clients();
    }

    fn forget_clients(&mut self) {
        self.clients.clear();
        self.scripts.clear();
        self.written.clear();
        self.waits.clear();
        self.silent.clear();
    }

    /// Its machine closes its connections when its process ends: those of its clients,
    /// and a replica's to its primary.
    #[inline(never)]
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let primary = match &self.role {
            Role::Replica(following) => Some(following.of),
            Role::Primary(_) => None,
        };
        self.clients.iter().copied().chain(primary).map(|to| (to, Message::Closed)).collect()
    }

    /// The other nodes.
    pub fn peers(&self) -> &[NodeId] {
        &self.peers
    }

    fn start(&mut self, now: Now, out: &mut Out<Actor>) {
        let begun = std::mem::replace(&mut self.disk.begun, Begun::Before);
        if begun == Begun::Before {
            match &self.role {
                Role::Primary(_) => {
                    self.sweep(now, out);
                    self.tell_loaded(now.wall, out);
                    self.mind_to_tell(now, out);
                }
                Role::Replica(_) => self.ask_for_all(now, out),
            }
        }
        self.mind_expiry(out);
    }

    fn on_timer(&mut self, timer: &RedisTimer, now: Now, out: &mut Out<Actor>) {
        match timer {
            RedisTimer::Expiry => {
                self.sweep(now, out);
                self.mind_expiry(out);
            }
            RedisTimer::Wait { client, request } => self.wait_is_over(*client, *request, out),
            RedisTimer::Failover => self.fail_over(now, out),
            RedisTimer::SyncAgain => self.ask_again(now, out),
            RedisTimer::AckAgain => self.ask_how_far(now, out),
            RedisTimer::FollowAgain => self.tell_untold(now, out),
        }
    }

    fn access(&self) -> Access {
        match self.role {
            Role::Primary(_) => Access::ReadWrite,
            Role::Replica(_) => Access::ReadOnly,
        }
    }

    /// Deletes what is dead, as a loop would within a tenth of a second and any command
    /// that looks does at once.
    fn sweep(&mut self, now: Now, out: &mut Out<Actor>) {
        if self.access() == Access::ReadOnly {
            return;
        }
        let before = self.holders();
        let mut db = self.db(now, self.config.place);
        db.delete_dead();
        let changes = db.into_changes();
        self.tell_expired(&before, out);
        self.changed(changes, out);
    }

    fn db(&mut self, now: Now, by: NodeId) -> Db<'_> {
        let access = self.access();
        Db::new(&mut self.keys, now.wall, access, by)
    }

    fn on_request(&mut self, from: NodeId, request: Request, now: Now, out: &mut Out<Actor>) {
        if !self.clients.contains(&from) {
            self.clients.push(from);
        }
        self.sweep(now, out);
        let to = request.ask.kind();
        if let Some(answer) = self.answer(from, &request, now, out) {
            self.reply(from, request.id, to, answer, out);
        }
        self.mind_expiry(out);
    }

    fn reply(
        &self,
        client: NodeId,
        id: RequestId,
        to: &'static str,
        answer: Answer,
        out: &mut Out<Actor>,
    ) {
        let reply = answer.unwrap_or_else(Reply::Error);
        out.send(client, Message::RedisReply(Response { id, to, reply }));
    }

    /// What is answered at once, if anything.
    fn answer(
        &mut self,
        from: NodeId,
        request: &Request,
        now: Now,
        out: &mut Out<Actor>,
    ) -> Option<Answer> {
        let call = match &request.ask {
            Ask::Command(words) => {
                return match commands::check(words) {
                    Ok(()) if commands::is_of_server(&words[0]) => {
                        self.of_server(from, request.id, words, now, out)
                    }
                    Ok(()) => Some(self.on_keys(from, &request.ask, now, out)),
                    Err(error) => Some(Err(error)),
                };
            }
            Ask::EvalSha(call) if !self.scripts.contains(&call.script) => {
                return Some(Err(RedisError::NoScript));
            }
            Ask::Eval(call) | Ask::EvalSha(call) => call,
        };
        if !self.scripts.contains(&call.script) {
            self.scripts.push(call.script);
        }
        Some(self.on_keys(from, &request.ask, now, out))
    }

    /// Carries out what concerns keys: tells of the lock, tells the replicas.
    fn on_keys(&mut self, from: NodeId, ask: &Ask, now: Now, out: &mut Out<Actor>) -> Answer {
        let before = self.holders();
        let mut db = self.db(now, from);
        let (answer, script) = match ask {
            Ask::Command(words) => (commands::run(words, &mut db), None),
            Ask::Eval(call) | Ask::EvalSha(call) => {
                (scripts::run(call, &mut db), Some(call.script))
            }
        };
        let changes = db.into_changes();
        if !changes.is_empty() {
            let token = match (script, &answer) {
                (Some(Script::AcquireWithToken), Ok(Reply::Int(token))) => *token,
                _ => 0,
            };
            self.tell(&before, from, (token, now.wall), out);
            self.changed(changes, out);
            if let Role::Primary(primary) = &self.role {
                self.written.insert(from, primary.offset);
            }
        }
        answer
    }

    fn of_server(
        &mut self,
        from: NodeId,
        id: RequestId,
        words: &[Text],
        now: Now,
        out: &mut Out<Actor>,
    ) -> Option<Answer> {
        match &*commands::lower(&words[0]) {
            "save" => {
                self.disk.saved = Some(self.keys.clone());
                Some(Ok(Reply::OK))
            }
            "wait" => self.wait(from, id, words, now, out),
            _ => Some(self.replicate_as_told(words, now, out)),
        }
    }

    /// `REPLICAOF`: a node's number stands for its address.
    fn replicate_as_told(&mut self, words: &[Text], now: Now, out: &mut Out<Actor>) -> Answer {
        let is = |word: &Text, name: &str| word.eq_ignore_ascii_case(name);
        let part = if is(&words[1], "no") && is(&words[2], "one") {
            Replication::Primary
        } else {
            commands::whole(&words[2])?;
            let known = |node: &&NodeId| words[1].parse() == Ok(node.0);
            Replication::Of(*self.peers.iter().find(known).ok_or(RedisError::Syntax)?)
        };
        self.take_part(part, now, out);
        Ok(Reply::OK)
    }

    /// Sets the timer to the instant at which the next key is dead.
    fn mind_expiry(&self, out: &mut Out<Actor>) {
        let next = self.keys.values().filter_map(Entry::dies).min();
        match next.filter(|_| self.access() == Access::ReadWrite) {
            Some(at) => out.set_wall_timer(Timer::Redis(RedisTimer::Expiry), at),
            None => out.cancel_timer(Timer::Redis(RedisTimer::Expiry)),
        }
    }
}
