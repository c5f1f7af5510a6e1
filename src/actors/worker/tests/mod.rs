//! A worker alone with a small stand-in for its peers: three etcd members that
//! share one store of keys, a fenced store that does as it is told, and an
//! orchestrator. Every message takes 10 ms. Nothing expires by itself.

mod lock_object;
mod peers;
mod program;
mod recipe;
mod session;
mod vectors;
mod whole;

use super::config::{
    Begins, DeadlineFrom, OnRenewalFailure, Policies, Recipe, ReleaseCheck, RenewWithoutProgress,
    RenewalCheck, StartOver, Step, WorkerConfig,
};
use super::*;
use crate::actors::Note;
use crate::actors::etcd::api::{EtcdError, Op, Response};
use crate::sim::process::{Command, Draws, Message as _};
use crate::sim::time::{Span, Wall};
use peers::{Etcd, Store};

const MEMBERS: [NodeId; 3] = [NodeId(0), NodeId(1), NodeId(2)];
const STORE: NodeId = NodeId(3);
const ORCHESTRATOR: NodeId = NodeId(4);
const WORKER: NodeId = NodeId(5);
const LATENCY: Span = Span::from_ms(10);

/// What happens to a request that a peer is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// It does not arrive.
    Lost,
    /// It is carried out, and its answer does not arrive.
    AnswerLost,
    /// No process runs there.
    Down,
    /// A member answers so.
    Error(EtcdError),
}

/// What happens to requests of a kind ("" for all), to one machine or to all.
#[derive(Clone, Debug)]
struct Fault {
    kind: &'static str,
    to: Option<NodeId>,
    fate: Fate,
}

struct Rig {
    worker: Worker,
    now: Mono,
    draws: Draws,
    timers: Vec<(Mono, WorkerTimer)>,
    /// When the work begun is done.
    work: Option<Mono>,
    inbox: Vec<(Mono, Input<Actor>)>,
    /// After a pause, timers and messages are taken up not before.
    woke: (Mono, Mono),
    faults: Vec<Fault>,
    etcd: Etcd,
    store: Store,
    notes: Vec<(Mono, WorkerNote)>,
    sent: Vec<(Mono, NodeId, Message)>,
    exited: bool,
}

/// The program of most tests: the first write is at 5.1 s.
const PROGRAM: [Step; 5] = [Step::Acquire, Step::Claim, Step::Compute, Step::Write, Step::Release];

fn config() -> WorkerConfig {
    WorkerConfig {
        members: MEMBERS.to_vec(),
        store: STORE,
        puts: None,
        guard: None,
        arrivals: None,
        partner: None,
        orchestrator: Some(ORCHESTRATOR),
        begins: Begins::After(Span::ZERO),
        recipe: Recipe::Queue,
        token_from: crate::actors::worker::config::TokenFrom::Czxid,
        lock: "lock".into(),
        ttl_s: 30,
        retry: Span::from_s(1),
        redlock: Default::default(),
        wait_for_replica: None,
        postgres: None,
        consul: None,
        lock_objects: None,
        program: PROGRAM.to_vec(),
        compute: Span::from_s(5),
        check: Span::from_ms(20),
        upload: Span::from_s(3),
        job: "monday".into(),
        amount: 7,
        objects: Vec::new(),
        policies: Policies {
            renew_interval: None,
            renew_without_progress: RenewWithoutProgress::Always,
            progress: Span::from_s(4),
            on_renewal_failure: OnRenewalFailure::CarryOn,
            renewal_unanswered: None,
            renewal: RenewalCheck::Owner,
            deadline_from: DeadlineFrom::Answer,
            release: ReleaseCheck::Owner,
            retries: 2,
            request_timeout: Span::from_s(2),
            start_over: StartOver::No,
            stops_at: crate::actors::worker::config::StopsAt::Suspended,
        },
    }
}

/// A holder that computes for 100 s.
fn long_holder(policies: impl FnOnce(&mut Policies)) -> WorkerConfig {
    let mut config = WorkerConfig { compute: Span::from_s(100), ..config() };
    policies(&mut config.policies);
    config
}

impl Rig {
    fn new(config: WorkerConfig) -> Rig {
        let mut rig = Rig {
            worker: Worker::new(config),
            now: Mono(0),
            draws: Draws::new(1),
            timers: Vec::new(),
            work: None,
            inbox: Vec::new(),
            woke: (Mono(0), Mono(0)),
            faults: Vec::new(),
            etcd: Etcd::new(),
            store: Store::default(),
            notes: Vec::new(),
            sent: Vec::new(),
            exited: false,
        };
        rig.give(Input::Start);
        rig
    }

    /// A worker that has run for so long.
    fn at(config: WorkerConfig, ms: i64) -> Rig {
        let mut rig = Rig::new(config);
        rig.run_to(ms);
        rig
    }

    fn fault(&mut self, kind: &'static str, to: Option<NodeId>, fate: Fate) {
        self.faults.push(Fault { kind, to, fate });
    }

    /// From now on nothing reaches the etcd members.
    fn cut_etcd(&mut self) {
        for member in MEMBERS {
            self.fault("", Some(member), Fate::Lost);
        }
    }

    fn set(&mut self, setting: Setting) {
        self.give(Input::Set(setting));
    }

    fn give(&mut self, input: Input<Actor>) {
        let now = Now { mono: self.now, wall: Wall(0) };
        let mut out = Out::new(WORKER, now, &mut self.draws);
        self.worker.handle(input, now, &mut out);
        for command in out.into_commands() {
            assert!(!self.exited, "nothing follows an exit: {command:?}");
            match command {
                Command::Send { to, message } => self.send(to, message),
                Command::SetTimer { timer: Timer::Worker(timer), at } => {
                    self.timers.retain(|(_, set)| *set != timer);
                    self.timers.push((at, timer));
                }
                Command::CancelTimer(Timer::Worker(timer)) => {
                    self.timers.retain(|(_, set)| *set != timer);
                }
                Command::SetTimer { timer, .. }
                | Command::SetWallTimer { timer, .. }
                | Command::CancelTimer(timer) => {
                    panic!("not a worker's timer: {timer:?}")
                }
                Command::Work(span) => self.work = Some(self.now + span),
                Command::StopWork => self.work = None,
                Command::Note(noted) => {
                    let Note::Worker(note) = noted.note else { panic!("not a worker's note") };
                    self.notes.push((self.now, note));
                }
                Command::Exit => {
                    self.exited = true;
                    self.crash();
                }
            }
        }
    }

    fn crash(&mut self) {
        self.worker.crash();
        self.timers.clear();
        self.work = None;
    }

    fn send(&mut self, to: NodeId, message: Message) {
        self.sent.push((self.now, to, message.clone()));
        let kind = message.kind();
        let fault = self.faults.iter().find(|fault| {
            (fault.kind.is_empty() || fault.kind == kind) && fault.to.is_none_or(|n| n == to)
        });
        let at = self.now + LATENCY + LATENCY;
        match fault.map(|fault| fault.fate) {
            None => {
                for answer in self.answer(&message) {
                    self.inbox.push((at, Input::Message { from: to, message: answer }));
                }
            }
            Some(Fate::Lost) => {}
            Some(Fate::AnswerLost) => drop(self.answer(&message)),
            Some(Fate::Down) => self.inbox.push((at, Input::Unreachable { to, message })),
            Some(Fate::Error(error)) => {
                let Message::Etcd(request) = message else { panic!("only etcd errs so") };
                let answer = Response { id: request.id, result: Err(error) };
                let message = Message::EtcdAnswer(answer);
                self.inbox.push((at, Input::Message { from: to, message }));
            }
        }
    }

    fn answer(&mut self, message: &Message) -> Vec<Message> {
        match message {
            Message::Etcd(request) => self.etcd.answer(request),
            Message::Store(request) => vec![self.store.answer(request)],
            // A test answers by itself.
            Message::Objects(_) => Vec::new(),
            Message::Exited | Message::HangsUp(_) => Vec::new(),
            other => panic!("nobody takes this: {other:?}"),
        }
    }

    /// Somebody else deletes a key; whoever watches is told.
    fn delete(&mut self, key: &str) {
        let at = self.now + LATENCY;
        for message in self.etcd.delete(key) {
            self.inbox.push((at, Input::Message { from: MEMBERS[0], message }));
        }
    }

    /// What happens next, at the earliest instant: timers, then work, then messages.
    fn next(&self) -> Option<(Mono, u8, usize)> {
        let timers = self.timers.iter().enumerate();
        let timers = timers.map(|(place, (at, _))| (self.woke.0.max(*at), 0, place));
        let inbox = self.inbox.iter().enumerate();
        let inbox = inbox.map(|(place, (at, _))| (self.woke.1.max(*at), 2, place));
        timers.chain(self.work.map(|at| (at, 1, 0))).chain(inbox).min()
    }

    fn run_to(&mut self, ms: i64) {
        let end = Mono(0) + Span::from_ms(ms);
        while let Some((at, kind, place)) = self.next().filter(|next| next.0 <= end) {
            self.now = self.now.max(at);
            let input = match kind {
                0 => Input::Timer(Timer::Worker(self.timers.remove(place).1)),
                1 => {
                    self.work = None;
                    Input::WorkDone
                }
                _ => self.inbox.remove(place).1,
            };
            if !self.exited {
                self.give(input);
            }
        }
        self.now = end;
    }

    /// Pauses the process until then; its work goes on first, timers and messages
    /// follow.
    fn pause_to(&mut self, ms: i64) {
        let end = Mono(0) + Span::from_ms(ms);
        self.work = self.work.map(|at| at + (end - self.now));
        self.now = end;
        self.woke = (end + Span::from_ms(1), end + Span::from_ms(2));
    }

    /// When messages of a kind were sent, in milliseconds.
    fn sent_at(&self, kind: &str) -> Vec<i64> {
        self.sent_of(kind).iter().map(|(at, ..)| at.0 / 1_000).collect()
    }

    fn sent_of(&self, kind: &str) -> Vec<&(Mono, NodeId, Message)> {
        self.sent.iter().filter(|(.., message)| message.kind() == kind).collect()
    }

    /// The operations sent to etcd, keepalives apart.
    fn etcd_ops(&self) -> Vec<&Op> {
        let ops = self.sent.iter().filter_map(|(.., message)| match message {
            Message::Etcd(request) => Some(&request.op),
            _ => None,
        });
        ops.filter(|op| !op.is_routine()).collect()
    }

    fn noted_at(&self, note: &WorkerNote) -> Option<i64> {
        self.notes.iter().find(|(_, n)| n == note).map(|(at, _)| at.0 / 1_000)
    }

    /// When a belief ended, in milliseconds, and why.
    fn belief_end(&self) -> Option<(i64, crate::actors::note::BeliefEnd)> {
        self.notes.iter().find_map(|(at, note)| match note {
            WorkerNote::BelievesNoMore { why, .. } => Some((at.0 / 1_000, *why)),
            _ => None,
        })
    }

    /// That nothing is left: no timer, no work, no session, no belief.
    #[track_caller]
    fn check_at_rest(&self, status: Status) {
        assert_eq!(self.worker.status(), status);
        assert_eq!(self.timers, []);
        assert_eq!(self.work, None);
        assert_eq!(self.worker.session(), None);
        assert_eq!(self.worker.belief(), None);
    }

    /// The kinds of notes from `from` on, renewals apart.
    #[track_caller]
    fn check_notes(&self, expected: &[&str]) {
        let kinds: Vec<String> = self
            .notes
            .iter()
            .filter(|(_, note)| !matches!(note, WorkerNote::Renewed { .. }))
            .map(|(_, note)| format!("{note:?}").replace([' ', '{', '}'], " "))
            .map(|text| match text.strip_prefix("Step(") {
                Some(step) => step.trim_end_matches(')').to_lowercase(),
                None => text.split(' ').next().unwrap_or_default().to_owned(),
            })
            .collect();
        assert_eq!(kinds, expected);
    }
}
