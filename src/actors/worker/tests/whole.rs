//! Workers in a whole: three etcd members, a fenced store, an orchestrator, in the
//! simulator. A message takes 10 ms, between members 1 ms.

use super::*;
use crate::actors::etcd::{EtcdConfig, Member};
use crate::actors::note::BeliefEnd;
use crate::actors::orchestrator::Orchestrator;
use crate::actors::store::api::{Effects, MarkKept, MarkScope, Rule};
use crate::actors::store::{self, StoreConfig};
use crate::sim::click::{Action, Click, WallOnWake};
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::event::{Event, What};
use crate::sim::network::Link;
use crate::sim::time::TrueTime;
use crate::sim::world::{NodeSetup, Setup, WakeFirst, World};
use litemap::LiteMap;

pub(super) const W1: NodeId = NodeId(5);
pub(super) const W2: NodeId = NodeId(6);
const W3: NodeId = NodeId(7);

pub(super) struct Whole {
    world: World<Actor>,
    trace: Vec<Event<Actor>>,
}

/// Two workers that begin 1 s apart, and one that waits to be told.
fn workers(config: &WorkerConfig) -> Vec<WorkerConfig> {
    [Begins::After(Span::ZERO), Begins::After(Span::from_s(1)), Begins::WhenTold]
        .map(|begins| WorkerConfig { begins, ..config.clone() })
        .to_vec()
}

fn at(s: i64, action: Action<Actor>) -> Click<Actor> {
    Click { at: TrueTime(s * 1_000_000), action }
}

fn secs(s: i64) -> Option<Span> {
    Some(Span::from_s(s))
}

impl Whole {
    fn new(config: &WorkerConfig, rule: Rule, link: Link, clicks: Vec<Click<Actor>>) -> Whole {
        let mut actors: Vec<Actor> = MEMBERS
            .iter()
            .map(|place| {
                let mut config = EtcdConfig::new(*place, &MEMBERS);
                config.locks = vec!["lock".into()];
                Actor::Etcd(Box::new(Member::new(config)))
            })
            .collect();
        let store = StoreConfig {
            rule,
            mark: MarkKept::Durable,
            scope: MarkScope::Store,
            write: Span::ZERO,
            first_number: 1,
            effects: Effects::InStep,
        };
        actors.push(Actor::Store(Box::new(store::Store::new(store))));
        actors.push(Actor::Orchestrator(Orchestrator::new(Span::from_s(2), vec![W3])));
        let workers = workers(config).into_iter().map(|c| Actor::Worker(Box::new(Worker::new(c))));
        actors.extend(workers);
        let nodes = actors.into_iter().map(|process| NodeSetup {
            name: "".into(),
            process,
            mono: Mono(0),
            wall_ahead: Span::ZERO,
            rate_ppm: RIGHT_RATE_PPM,
            wake_first: WakeFirst::Work,
        });
        let near = Link::reliable(Span::from_ms(1));
        let pairs = MEMBERS.iter().flat_map(|a| MEMBERS.iter().map(|b| (*a, *b)));
        let world = World::new(Setup {
            start: TrueTime(0),
            wall: Wall(0),
            nodes: nodes.collect(),
            links: pairs.map(|pair| (pair, near)).collect::<LiteMap<_, _>>(),
            default_link: link,
            seed: 1,
            clicks: clicks.into_iter().map(|click| (0, click)).collect(),
        });
        Whole { world, trace: Vec::new() }
    }

    pub(super) fn run(
        config: &WorkerConfig,
        rule: Rule,
        to_s: i64,
        clicks: Vec<Click<Actor>>,
    ) -> Whole {
        let mut whole = Whole::new(config, rule, Link::reliable(LATENCY), clicks);
        whole.run_to(to_s);
        whole
    }

    fn run_to(&mut self, s: i64) {
        let Whole { world, trace } = self;
        world.run_until(TrueTime(s * 1_000_000), &mut |event| trace.push(event));
    }

    /// What workers noted.
    fn notes(&self) -> impl Iterator<Item = (&Event<Actor>, &WorkerNote)> {
        self.trace.iter().filter_map(|event| match &event.what {
            What::Note(Note::Worker(note)) => Some((event, note)),
            _ => None,
        })
    }

    fn worker(&self, id: NodeId) -> &Worker {
        match &self.world.node(id).process {
            Actor::Worker(worker) => worker,
            other => panic!("no worker: {other:?}"),
        }
    }

    fn event(&self, node: NodeId, is: impl Fn(&WorkerNote) -> bool) -> Option<&Event<Actor>> {
        self.notes().find(|(event, note)| event.node == node && is(note)).map(|found| found.0)
    }

    /// When a worker first noted such a thing, in milliseconds.
    pub(super) fn noted(&self, node: NodeId, is: impl Fn(&WorkerNote) -> bool) -> Option<i64> {
        self.event(node, is).map(|event| event.at.0 / 1_000)
    }

    /// The notes, to be read by people.
    pub(super) fn told(&self) -> Vec<String> {
        let line = |(event, note): (&Event<Actor>, &WorkerNote)| {
            format!("{} {:?} {note:?}", event.at.0 / 1_000, event.node)
        };
        self.notes().map(line).collect()
    }

    #[track_caller]
    fn check_status(&self, id: NodeId, status: Status) {
        assert_eq!(self.worker(id).status(), status, "{:#?}", self.told());
    }
}

pub(super) fn believes(note: &WorkerNote) -> bool {
    matches!(note, WorkerNote::Believes { .. })
}

#[test]
fn a_holder_renews_at_a_third_of_its_ttl_and_the_next_one_follows_its_release() {
    for recipe in [Recipe::Queue, Recipe::CreateIfAbsent, Recipe::GetThenPut] {
        let config = WorkerConfig { recipe, compute: Span::from_s(25), ..config() };
        let whole = Whole::run(&config, Rule::OwnerAndSequence, 60, Vec::new());
        let renewals = whole.trace.iter().filter(|event| match &event.what {
            What::Sent { message, .. } => (message.from, message.kind) == (W1, "keepalive"),
            _ => false,
        });
        let opened = whole.noted(W1, |n| matches!(n, WorkerNote::SessionOpened { .. }));
        let opened = opened.expect("W1 has a session");
        let since: Vec<i64> = renewals.map(|event| event.at.0 / 1_000 - opened).collect();
        assert_eq!(since, [0, 10_500, 21_000]);
        let released = whole.noted(W1, |n| matches!(n, WorkerNote::Releases { .. }));
        let granted = whole.noted(W2, believes).expect("W2 gets the lock");
        let delay = granted - released.expect("W1 releases");
        assert!((20..100).contains(&delay), "{recipe:?}: {delay} ms");
        whole.check_status(W1, Status::Finished);
        // W1 did the job.
        assert!(whole.noted(W2, |n| matches!(n, WorkerNote::FoundDone { .. })).is_some());
        whole.check_status(W2, Status::Finished);
        whole.check_status(W3, Status::NotBegun);
    }
}

#[test]
fn a_paused_holder_writes_after_its_lock_went_to_another_and_is_refused() {
    let pause = at(2, Action::Pause { node: W1, lasting: secs(60) });
    let config = WorkerConfig { compute: Span::from_s(25), ..config() };
    let whole = Whole::run(&config, Rule::OwnerAndSequence, 100, vec![pause]);
    let granted = whole.noted(W2, believes).expect("W2 gets the lock");
    assert!((30_000..31_000).contains(&granted), "{granted}");
    whole.check_status(W1, Status::Stopped(StopReason::Refused));
    whole.check_status(W2, Status::Finished);
}

#[test]
fn a_holder_whose_heartbeat_is_blocked_exits_and_another_begins_elsewhere() {
    let blocked = Setting::Heartbeat(Heartbeat::Blocked);
    let block = at(2, Action::Set { node: W1, setting: blocked });
    let mut config = WorkerConfig { compute: Span::from_s(25), ..config() };
    config.policies.on_renewal_failure = OnRenewalFailure::Exit;
    config.policies.renewal_unanswered = secs(5);
    let whole = Whole::run(&config, Rule::OwnerAndSequence, 100, vec![block]);
    let ended = |note: &WorkerNote| {
        matches!(note, WorkerNote::BelievesNoMore { why: BeliefEnd::RenewalFailed, .. })
    };
    let exits = whole.noted(W1, ended).expect("it exits");
    assert!((15_500..15_600).contains(&exits), "{exits}");
    let granted = whole.noted(W2, believes).expect("W2 gets the lock");
    assert!((20..100).contains(&(granted - exits)), "the revoked lease frees it at once");
    let begins = whole.noted(W3, |n| *n == WorkerNote::Began).expect("W3 takes over");
    assert_eq!(begins - exits, 2_020);
    whole.check_status(W1, Status::Exited);
    whole.check_status(W3, Status::Finished);
}

#[test]
fn a_waiter_gets_the_lock_in_time_although_its_member_crashed_between_two_keepalives() {
    for recipe in [Recipe::Queue, Recipe::CreateIfAbsent, Recipe::GetThenPut] {
        for restart_after in [secs(3), None] {
            let config = WorkerConfig { recipe, compute: Span::from_s(20), ..config() };
            let crash = at(13, Action::Crash { node: MEMBERS[0], restart_after });
            let whole = Whole::run(&config, Rule::OwnerAndSequence, 100, vec![crash]);
            whole.check_status(W1, Status::Finished);
            whole.check_status(W2, Status::Finished);
            let released = whole.noted(W1, |n| matches!(n, WorkerNote::Releases { .. }));
            let granted = whole.noted(W2, believes).expect("W2 gets the lock");
            let delay = granted - released.expect("W1 releases");
            assert!((20..100).contains(&delay), "{recipe:?}, {restart_after:?}: {delay} ms");
        }
    }
}

/// When and to whom a worker first sends such a message after 13 s and before 20 s:
/// between two keepalives of both workers.
fn first_sent(clicks: Vec<Click<Actor>>, worker: NodeId, kind: &str) -> Option<(i64, NodeId)> {
    let config = WorkerConfig { compute: Span::from_s(30), ..config() };
    let whole = Whole::run(&config, Rule::OwnerAndSequence, 20, clicks);
    whole.trace.iter().find_map(|event| match &event.what {
        What::Sent { message, .. }
            if event.at >= TrueTime(13_000_000)
                && (message.from, message.kind) == (worker, kind) =>
        {
            Some((event.at.0 / 1_000, message.to))
        }
        _ => None,
    })
}

#[test]
fn a_waiter_learns_of_its_members_end_but_not_of_its_pause_nor_through_a_cut_link() {
    let crash = || at(13, Action::Crash { node: MEMBERS[0], restart_after: secs(1) });
    assert_eq!(first_sent(vec![crash()], W2, "range"), Some((13_010, MEMBERS[1])));
    let pause = at(13, Action::Pause { node: MEMBERS[0], lasting: None });
    assert_eq!(first_sent(vec![pause], W2, "range"), None);
    let cut = at(12, Action::Cut { from: MEMBERS[0], to: W2, lasting: None });
    assert_eq!(first_sent(vec![cut, crash()], W2, "range"), None);
}

#[test]
fn a_member_of_which_a_holder_has_learned_that_it_ended_is_not_asked_to_renew() {
    let crash = at(13, Action::Crash { node: MEMBERS[0], restart_after: None });
    let config = WorkerConfig { compute: Span::from_s(30), ..config() };
    let whole = Whole::run(&config, Rule::OwnerAndSequence, 23, vec![crash]);
    let since = |event: &&Event<Actor>| event.at > TrueTime(13_000_000);
    let asked = whole.trace.iter().filter(since).find_map(|event| match &event.what {
        What::Sent { message, .. } if (message.from, message.kind) == (W1, "keepalive") => {
            Some((event.at.0 / 1_000_000, message.to))
        }
        _ => None,
    });
    assert_eq!(asked, Some((21, MEMBERS[1])));
}

/// A holder that uploads from 5.1 s to 25.1 s in a transaction, and what is done to it.
fn uploads(policy: OnRenewalFailure, clicks: Vec<Click<Actor>>) -> Whole {
    let program = [Step::Acquire, Step::Claim, Step::Compute, Step::SlowWrite, Step::Release];
    let mut config =
        WorkerConfig { program: program.to_vec(), upload: Span::from_s(20), ..config() };
    config.ttl_s = 5;
    config.policies.on_renewal_failure = policy;
    Whole::run(&config, Rule::SameTransaction, 100, clicks)
}

#[test]
fn a_row_held_by_a_worker_that_is_gone_is_free_for_the_next_holder() {
    let crash = at(10, Action::Crash { node: W1, restart_after: None });
    let cuts = MEMBERS.map(|to| at(10, Action::Cut { from: W1, to, lasting: None }));
    for policy in [OnRenewalFailure::StopWork, OnRenewalFailure::Exit] {
        for clicks in [vec![crash.clone()], cuts.to_vec()] {
            let whole = uploads(policy, clicks);
            whole.check_status(W2, Status::Finished);
            let waits = whole.noted(W2, |n| matches!(n, WorkerNote::Unanswered { .. }));
            assert_eq!(waits, None, "{policy:?}: {:#?}", whole.told());
        }
    }
}

#[test]
fn a_row_held_by_a_paused_worker_stays_held_and_no_claim_that_was_given_up_is_accepted() {
    let pause = at(10, Action::Pause { node: W1, lasting: secs(60) });
    let whole = uploads(OnRenewalFailure::CarryOn, vec![pause]);
    whole.check_status(W2, Status::Stopped(StopReason::Unanswered));
    let Actor::Store(store) = &whole.world.node(STORE).process else { panic!("a store") };
    assert_eq!(store.version(), 1, "W1's transaction was open all the while");
    let first = whole.event(W1, believes).map(|event| &event.what);
    let Some(What::Note(Note::Worker(WorkerNote::Believes { owner, .. }))) = first else {
        panic!("W1 believed")
    };
    assert_eq!(store.mark().map(|mark| mark.owner), Some(*owner));
}

#[test]
fn a_waiter_that_exits_as_it_wakes_leaves_unread_that_it_is_next() {
    let mut config = WorkerConfig { ttl_s: 5, ..config() };
    config.policies.on_renewal_failure = OnRenewalFailure::Exit;
    let pause = at(3, Action::Pause { node: W2, lasting: secs(20) });
    let whole = Whole::run(&config, Rule::OwnerAndSequence, 60, vec![pause]);
    assert_eq!(whole.noted(W2, believes), None);
    whole.check_status(W2, Status::Exited);
    assert_eq!(whole.noted(W2, |note| *note == WorkerNote::Exits), Some(23_001));
}

/// That the first such note has a cause of this kind.
#[track_caller]
fn check_cause(
    policies: impl FnOnce(&mut Policies),
    action: Action<Actor>,
    is: impl Fn(&WorkerNote) -> bool,
    cause: impl Fn(&What<Actor>) -> bool,
) {
    let config = long_holder(policies);
    let whole = Whole::run(&config, Rule::None, 100, vec![at(12, action)]);
    let event = whole.event(W1, is).expect("it is noted");
    let causes = event.causes.iter().map(|id| &whole.trace[id.index()].what);
    assert!(causes.clone().any(cause), "{:#?}", causes.collect::<Vec<_>>());
}

#[test]
fn what_ends_a_session_is_caused_by_what_silenced_it() {
    let over = |note: &WorkerNote| {
        matches!(note, WorkerNote::SessionClosed { why: SessionEnd::Deadline, .. })
    };
    let failed = |note: &WorkerNote| *note == WorkerNote::RenewalFailed;
    // Less than it takes to leave a silent member.
    let allowed = |p: &mut Policies| p.renewal_unanswered = secs(2);
    let pause = Action::Pause { node: W1, lasting: secs(50) };
    check_cause(|_| {}, pause, over, |what| *what == What::Paused);
    let suspend = Action::Suspend { node: MEMBERS[0], lasting: None, wall: WallOnWake::Right };
    check_cause(allowed, suspend, failed, |what| *what == What::Suspended);
    let cut = Action::Cut { from: W1, to: MEMBERS[0], lasting: None };
    check_cause(allowed, cut, failed, |what| *what == What::LinkCut { to: MEMBERS[0] });
    let heartbeat = Heartbeat::Blocked;
    let block = Action::Set { node: W1, setting: Setting::Heartbeat(heartbeat) };
    let blocked = What::Note(WorkerNote::HeartbeatSet { heartbeat }.into());
    check_cause(allowed, block, failed, |what| *what == blocked);
}

/// Numbers from a seed, one after the other.
struct Lots(u64);

impl Lots {
    fn below(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize].clone()
    }

    fn node(&mut self) -> NodeId {
        NodeId(self.below(8) as u8)
    }

    fn action(&mut self) -> Action<Actor> {
        let (node, lasting) = (self.node(), secs(1 + self.below(40) as i64));
        let worker = self.of(&[W1, W2]);
        let setting = self.of(&[
            Setting::Heartbeat(Heartbeat::Blocked),
            Setting::Heartbeat(Heartbeat::Runs),
            Setting::OnRenewalFailure(OnRenewalFailure::Exit),
            Setting::DeadlineFrom(DeadlineFrom::BeforeRequest),
            Setting::Release(ReleaseCheck::NameOnly),
        ]);
        let to = NodeId((node.0 + 1 + self.below(7) as u8) % 8);
        self.of(&[
            Action::Pause { node, lasting },
            Action::Suspend { node, lasting, wall: WallOnWake::Right },
            Action::Crash { node, restart_after: lasting },
            Action::Cut { from: node, to, lasting },
            Action::Set { node: worker, setting },
            Action::SetRate { node, rate_ppm: 1_200_000 },
        ])
    }

    fn config(&mut self) -> WorkerConfig {
        let mut config = WorkerConfig {
            recipe: self.of(&[Recipe::Queue, Recipe::CreateIfAbsent, Recipe::GetThenPut]),
            ttl_s: self.of(&[2, 5, 30]),
            program: self.of(&[
                PROGRAM.to_vec(),
                vec![Step::Acquire, Step::Claim, Step::Compute, Step::Check, Step::SlowWrite],
                vec![Step::DrawNumber, Step::Acquire, Step::Read, Step::Write, Step::Release],
            ]),
            ..config()
        };
        let policies = &mut config.policies;
        policies.on_renewal_failure = self.of(&[
            OnRenewalFailure::Exit,
            OnRenewalFailure::StopWork,
            OnRenewalFailure::CarryOn,
        ]);
        policies.renewal_unanswered = self.of(&[None, secs(5)]);
        policies.renew_without_progress =
            self.of(&[RenewWithoutProgress::Always, RenewWithoutProgress::No]);
        // With the shortest TTL and slow links a worker can start over for ever, and two
        // that overwrite each other's key can, too.
        if config.ttl_s > 2 && config.recipe != Recipe::GetThenPut {
            policies.start_over = self.of(&[StartOver::No, StartOver::Yes]);
        }
        config
    }
}

#[test]
fn whatever_is_done_to_a_run_every_worker_comes_to_an_end_once_it_is_left_alone() {
    for seed in 0..300 {
        let mut lots = Lots(seed);
        let config = lots.config();
        let mut clicks: Vec<_> =
            (0..lots.below(8)).map(|_| at(lots.below(60) as i64, lots.action())).collect();
        clicks.sort_by_key(|click| click.at);
        let link = Link {
            jitter: Span::from_ms(lots.of(&[0, 300])),
            loss_ppm: lots.of(&[0, 50_000]),
            duplicate_ppm: lots.of(&[0, 50_000]),
            ..Link::reliable(LATENCY)
        };
        let told = format!("seed {seed}: {config:#?} {clicks:#?}");
        let rule = lots.of(&[Rule::OwnerAndSequence, Rule::SameTransaction]);
        let mut whole = Whole::new(&config, rule, link, clicks);
        whole.run_to(400);
        for id in [W1, W2, W3] {
            let status = whole.worker(id).status();
            let ended = matches!(
                status,
                Status::Finished | Status::Stopped(_) | Status::Exited | Status::NotBegun
            );
            assert!(ended, "{id:?} is {status:?}, {told} {:#?}", whole.told());
        }
    }
}
