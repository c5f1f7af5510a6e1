//! The PostgreSQL server by itself: what the recorded traces do not come to.

use crate::postgres_party::{Came, Client, Does, Party, SERVER, client, run, server, world};
use fencepost::actors::etcd::api::LeaseId;
use fencepost::actors::note::{GrantEnd, LockNote, PostgresNote};
use fencepost::actors::postgres::api::{
    Advisory, Clock, Database, Key, Level, OnConflict, Outcome, Sequence, Statement, Strength,
    Timeout, Wait, key_of,
};
use fencepost::actors::postgres::{Order, PostgresConfig, owner_of};
use fencepost::actors::{Message, Note};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;

const LOCK: Statement = Statement::Advisory(Advisory {
    key: Key::One(7),
    strength: Strength::Update,
    level: Level::Session,
});
const TRY: Statement = Statement::TryAdvisory(Advisory {
    key: Key::One(7),
    strength: Strength::Update,
    level: Level::Session,
});
const UNLOCK: Statement = Statement::AdvisoryUnlock(Key::One(7), Strength::Update);

fn update(id: i64, value: &str) -> Statement {
    use fencepost::actors::postgres::api::Condition::Always;
    Statement::Update { id, value: value.into(), when: Always }
}

/// A client that connects at once, and what it runs at which millisecond.
fn runs(statements: &[(i64, Statement)]) -> Vec<(i64, Does)> {
    let run = |(at, statement): &(i64, Statement)| (*at, Does::Run(statement.clone()));
    statements.iter().map(run).collect()
}

struct Ran {
    world: World<Party>,
    events: Vec<Event<Party>>,
}

/// Lets clients do what they are told to, and a minute pass.
fn play(config: PostgresConfig, does: &[Vec<(i64, Does)>], clicks: &[(i64, Action<Party>)]) -> Ran {
    let connect = || (Span::from_ms(1), Does::Connect(Database::Main));
    let all = does.iter().zip(1..).map(|(does, number)| {
        let does = does.iter().map(|(at, does)| (Span::from_ms(*at), does.clone()));
        let mut client = Client::new([connect()].into_iter().chain(does).collect());
        client.application = LeaseId(number);
        client
    });
    let click = |(at, action): &(i64, Action<Party>)| Click {
        at: TrueTime(at * 1_000),
        action: action.clone(),
    };
    let mut world = world(config, all.collect(), clicks.iter().map(click).collect());
    let events = run(&mut world, TrueTime(60_000_000));
    Ran { world, events }
}

impl Ran {
    /// What came of a client's doings, its connecting aside: when, in milliseconds, and what.
    fn of(&self, number: u8) -> Vec<(i64, String)> {
        let log = client(&self.world, NodeId(number)).log.iter();
        log.filter(|(place, ..)| *place > 0).map(|(_, at, came)| (at.ms(), told(came))).collect()
    }

    fn notes(&self) -> Vec<Note> {
        let note = |event: &Event<Party>| match &event.what {
            What::Note(note) => Some(note.clone()),
            _ => None,
        };
        self.events.iter().filter_map(note).collect()
    }
}

fn told(came: &Came) -> String {
    match came {
        Came::Done => "done".to_owned(),
        Came::Closed(None) => "connection lost".to_owned(),
        Came::Closed(Some(error)) => format!("closed {}", error.code()),
        Came::Answer(answer) => match &answer.result {
            Err(error) => error.code().to_owned(),
            Ok(reply) => match &reply.outcome {
                Outcome::Flag(None) => "void".to_owned(),
                Outcome::Flag(Some(flag)) => flag.to_string(),
                Outcome::Number(number) => number.to_string(),
                Outcome::Returned(token) => format!("returned {token:?}"),
                Outcome::Changed(command, rows) => format!("{command} {rows}"),
                Outcome::Row(row) => {
                    row.as_ref().map_or("no row".to_owned(), |row| row.value.to_string())
                }
                Outcome::Done(tag) => (*tag).to_owned(),
                other => format!("{other:?}"),
            },
        },
    }
}

fn plain() -> PostgresConfig {
    PostgresConfig { lock: Some(("lock".into(), Key::One(7))), ..PostgresConfig::new(SERVER) }
}

/// Clients send each kind of request once, and the server all of its own. No worker is one
/// of them yet.
pub fn clients_ask_for_everything() -> Vec<Event<Party>> {
    let owner: fencepost::actors::postgres::api::Text = owner_of(LeaseId(1));
    let renew = Statement::LeaseRenew {
        owner: owner.clone(),
        token: 1,
        ttl: Span::from_s(1),
        clock: Clock::Database,
    };
    let mut does = runs(&[
        (10, LOCK),
        (20, TRY),
        (30, UNLOCK),
        (40, Statement::Begin),
        (50, Statement::SelectFor(1, Strength::Update, Wait::Wait)),
        (60, Statement::RaiseToken(1)),
        (70, Statement::Commit),
        (80, Statement::Nextval(Sequence::Fence)),
        (90, acquire(1, 1_000, Clock::Database)),
        (100, renew),
        (110, Statement::LeaseRelease { whose: Some((owner, 1)) }),
        (120, Statement::AdvisoryLocks),
    ]);
    does.push((130, Does::Close));
    let ends = runs(&[(140, Statement::TerminateBackend(NodeId(3)))]);
    play(plain(), &[does, ends, Vec::new()], &[]).events
}

/// What each client is told, in order.
#[track_caller]
fn check(config: PostgresConfig, does: &[Vec<(i64, Does)>], expected: &[&[&str]]) -> Ran {
    let ran = play(config, does, &[]);
    for (number, expected) in (1..).zip(expected) {
        let told: Vec<String> = ran.of(number).into_iter().map(|(_, told)| told).collect();
        assert_eq!(told, *expected, "client {number}");
    }
    ran
}

#[test]
fn a_paused_holder_keeps_its_lock_for_ever_and_one_whose_process_ends_gives_it_up_at_once() {
    let does = [runs(&[(10, LOCK)]), runs(&[(20, LOCK)])];
    let pause = Action::Pause { node: NodeId(1), lasting: None };
    let ran = play(plain(), &does, &[(30, pause)]);
    assert_eq!(ran.of(2), []);
    let mut closes = does;
    closes[0].push((50_000, Does::Close));
    let ran = play(plain(), &closes, &[]);
    assert_eq!(ran.of(2), [(50_001, "void".to_owned())]);
}

#[test]
fn a_server_that_waits_for_a_lock_does_not_look_whether_its_client_is_there() {
    let does = [
        runs(&[(10, LOCK), (1_000, UNLOCK)]),
        vec![(20, Does::Run(LOCK)), (30, Does::Close)],
        runs(&[(40, LOCK)]),
        runs(&[(500, Statement::AdvisoryLocks)]),
    ];
    let ran = play(plain(), &does, &[]);
    // The second waits still at 500 ms, is granted the lock when it is its turn, and ends.
    assert!(ran.of(4)[0].1.matches("granted: false").count() == 2, "{:?}", ran.of(4));
    assert_eq!(ran.of(3), [(1_001, "void".to_owned())]);
    let granted = |note: &&Note| matches!(note, Note::Lock(LockNote::Granted { .. }));
    assert_eq!(ran.notes().iter().filter(granted).count(), 3);
}

#[test]
fn idle_in_transaction_ends_the_session_and_its_client_learns_at_its_next_statement() {
    let begins = [
        (10, Statement::Set(Timeout::IdleInTransaction, Span::from_s(60))),
        (20, Statement::Begin),
        (30, update(1, "half")),
    ];
    let mut one = runs(&begins);
    one.push((59_900, Does::Run(Statement::Commit)));
    check(plain(), &[one.clone()], &[&["SET", "BEGIN", "UPDATE 1", "COMMIT"]]);
    one[0].1 = Does::Run(Statement::Set(Timeout::IdleInTransaction, Span::from_s(30)));
    let two = runs(&[(29_000, Statement::Read(1)), (40_000, Statement::Read(1))]);
    check(
        plain(),
        &[one, two],
        &[&["SET", "BEGIN", "UPDATE 1", "closed 25P03"], &["init", "init"]],
    );
}

#[test]
fn an_idle_session_ends_only_outside_of_a_transaction() {
    let set = Statement::Set(Timeout::IdleSession, Span::from_s(1));
    let idle = runs(&[(10, set.clone()), (20, LOCK), (5_000, UNLOCK), (5_100, UNLOCK)]);
    let open = runs(&[(10, set), (20, Statement::Begin), (5_000, Statement::Commit)]);
    let asks = runs(&[(1_000, TRY), (1_100, TRY)]);
    check(
        plain(),
        &[idle, open, asks],
        &[
            &["SET", "void", "closed 57P05", "connection lost"],
            &["SET", "BEGIN", "COMMIT"],
            &["false", "true"],
        ],
    );
}

#[test]
fn a_statement_that_takes_too_long_is_cancelled_and_leaves_the_queue() {
    let set = Statement::Set(Timeout::Statement, Span::from_s(1));
    let ran = play(
        plain(),
        &[
            runs(&[(10, LOCK), (3_000, UNLOCK)]),
            runs(&[(10, set), (20, LOCK)]),
            runs(&[(30, LOCK)]),
        ],
        &[],
    );
    assert_eq!(ran.of(2)[1], (1_021, "57014".to_owned()));
    assert_eq!(ran.of(3), [(3_001, "void".to_owned())]);
}

#[test]
fn a_circle_of_an_advisory_lock_and_a_row_is_a_deadlock_too() {
    let one = [(10, Statement::Begin), (20, LOCK), (30, update(1, "one"))];
    let two = [(10, Statement::Begin), (15, update(1, "two")), (40, LOCK)];
    let ran = play(plain(), &[runs(&one), runs(&two)], &[]);
    assert_eq!(ran.of(1)[2], (1_031, "40P01".to_owned()));
    // What is of the session is not let go with the transaction.
    assert_eq!(ran.of(2).len(), 2, "{:?}", ran.of(2));
}

#[test]
fn a_rollback_takes_back_rows_and_settings_and_no_number_of_a_sequence() {
    let lower = Statement::Set(Timeout::Lock, Span::from_ms(50));
    let once = Statement::InsertOnce("k".into(), "a".into(), OnConflict::Error);
    let does = runs(&[
        (10, Statement::Begin),
        (20, lower),
        (30, update(1, "gone")),
        (40, Statement::Nextval(Sequence::Fence)),
        (50, Statement::RaiseToken(2)),
        (60, once.clone()),
        (70, Statement::Rollback),
        (80, Statement::Read(1)),
        (90, Statement::Nextval(Sequence::Fence)),
        (100, Statement::Currval(Sequence::Fence)),
        (110, Statement::Currval(Sequence::Cached)),
        (120, Statement::RaiseToken(2)),
        (130, once),
        (200, LOCK),
    ]);
    let other = runs(&[(5, LOCK), (1_000, UNLOCK)]);
    check(
        plain(),
        &[does, other],
        &[&[
            "BEGIN",
            "SET",
            "UPDATE 1",
            "1",
            "returned Some(1)",
            "INSERT 0 1",
            "ROLLBACK",
            "init",
            "2",
            "2",
            "55000",
            "returned Some(1)",
            "INSERT 0 1",
            "void",
        ]],
    );
}

#[test]
fn a_fast_shutdown_tells_everybody_and_keeps_what_is_committed() {
    let does = [
        runs(&[
            (10, update(1, "kept")),
            (20, Statement::Nextval(Sequence::Fence)),
            (30, LOCK),
            (2_000, UNLOCK),
            (2_100, UNLOCK),
        ]),
        vec![
            (40, Does::Run(LOCK)),
            (3_000, Does::Connect(Database::Main)),
            (3_100, Does::Run(TRY)),
            (3_200, Does::Run(Statement::Read(1))),
            (3_300, Does::Run(Statement::Nextval(Sequence::Fence))),
        ],
    ];
    let stop = Action::Set { node: SERVER, setting: Order::ShutDown };
    let start = Action::Restart { node: SERVER };
    let ran = play(plain(), &does, &[(1_000, stop), (2_500, start)]);
    let told = |number| ran.of(number).into_iter().map(|(_, told)| told).collect::<Vec<_>>();
    assert_eq!(told(1)[2..], ["void", "closed 57P01", "connection lost"]);
    assert_eq!(told(2)[0], "closed 57P01");
    assert_eq!(told(2)[2..], ["true", "kept", "2"]);
}

#[test]
fn behind_a_pooler_a_session_lock_is_shared_and_its_unlock_may_not_find_it() {
    let pooled = || PostgresConfig { pool: Some(2), ..plain() };
    // The same session serves both, one after the other: both are told that they have it.
    let ran = check(
        pooled(),
        &[runs(&[(10, TRY), (100, UNLOCK)]), runs(&[(20, TRY), (110, UNLOCK), (120, UNLOCK)])],
        &[&["true", "true"], &["true", "true", "false"]],
    );
    let counted =
        |note: &Note| matches!(note, Note::Postgres(PostgresNote::Counted { held: 2, .. }));
    assert!(ran.notes().iter().any(counted), "{:?}", ran.notes());
    // While a transaction keeps that session, the other one of the pool serves.
    check(
        pooled(),
        &[
            runs(&[(10, TRY), (100, UNLOCK)]),
            runs(&[(20, Statement::Begin), (200, Statement::Commit)]),
        ],
        &[&["true", "false"], &["BEGIN", "COMMIT"]],
    );
    // Closing the connection to the pooler closes no session.
    let closes = vec![(10, Does::Run(TRY)), (20, Does::Close)];
    let ran = check(pooled(), &[closes], &[&["true", "done"]]);
    assert_eq!(server(&ran.world).sessions()[0].holds_for, [LeaseId(1)]);
}

#[test]
fn a_transaction_lock_is_safe_behind_a_pooler_and_who_finds_the_pool_full_waits() {
    let lock = Statement::Advisory(Advisory {
        key: Key::One(7),
        strength: Strength::Update,
        level: Level::Transaction,
    });
    let one = [(10, Statement::Begin), (20, lock.clone()), (500, Statement::Commit)];
    let two = [(30, Statement::Begin), (40, lock), (900, Statement::Commit)];
    let does = [runs(&one), runs(&two), runs(&[(50, Statement::Read(1))])];
    let ran = play(PostgresConfig { pool: Some(2), ..plain() }, &does, &[]);
    assert_eq!(ran.of(2)[1], (501, "void".to_owned()));
    assert_eq!(ran.of(3), [(501, "init".to_owned())]);
}

#[test]
fn what_is_sent_again_is_answered_again_and_not_done_again() {
    let double = Action::Duplicate {
        message: fencepost::sim::event::MessageRef {
            from: NodeId(1),
            to: SERVER,
            kind: "try-advisory-lock",
            nth: 1,
        },
        after: Span::from_ms(5),
    };
    let does = [runs(&[(10, TRY), (100, UNLOCK), (110, UNLOCK)])];
    let ran = play(plain(), &does, &[(10, double)]);
    let told: Vec<String> = ran.of(1).into_iter().map(|(_, told)| told).collect();
    assert_eq!(told, ["true", "true", "false"]);
    let answers = |event: &&Event<Party>| {
        matches!(&event.what, What::Sent { body, .. }
            if matches!(&body.0, Message::PostgresAnswer(answer) if answer.to == "try-advisory-lock"))
    };
    assert_eq!(ran.events.iter().filter(answers).count(), 2);
}

fn acquire(owner: u64, ttl_ms: i64, clock: Clock) -> Statement {
    Statement::LeaseAcquire { owner: owner_of(LeaseId(owner)), ttl: Span::from_ms(ttl_ms), clock }
}

/// How the first grant of the lock ended.
fn first_end(ran: &Ran) -> Option<GrantEnd> {
    ran.notes().iter().find_map(|note| match note {
        Note::Lock(LockNote::Ended { how, .. }) => Some(*how),
        _ => None,
    })
}

#[test]
fn a_row_by_the_databases_clock_is_over_for_everybody_at_once() {
    let does = [
        runs(&[(10, acquire(1, 1_000, Clock::Database))]),
        runs(&[
            (1_009, acquire(2, 1_000, Clock::Database)),
            (1_011, acquire(2, 1_000, Clock::Database)),
        ]),
    ];
    let ran =
        check(plain(), &does, &[&["returned Some(1)"], &["returned None", "returned Some(2)"]]);
    assert_eq!(first_end(&ran), Some(GrantEnd::KeyExpired));
}

#[test]
fn a_row_by_the_clients_clock_is_taken_before_its_time_by_one_whose_clock_is_ahead() {
    let at = |ms: i64| Clock::Client(crate::postgres_party::START + Span::from_ms(ms));
    let does = [
        runs(&[(10, acquire(1, 1_000, at(10)))]),
        runs(&[(500, acquire(2, 1_000, at(500))), (600, acquire(2, 1_000, at(1_200)))]),
    ];
    let ran =
        check(plain(), &does, &[&["returned Some(1)"], &["returned None", "returned Some(2)"]]);
    assert_eq!(first_end(&ran), Some(GrantEnd::Overwritten { by: NodeId(2) }));
}

#[test]
fn a_statement_that_fails_ends_its_transactions_locks_and_not_its_session() {
    let (key, strength, level) = (Key::One(7), Strength::Update, Level::Transaction);
    let of_transaction = Statement::Advisory(Advisory { key, strength, level });
    let ends = |first: &Statement, last: Statement| {
        let does = runs(&[(10, Statement::Begin), (20, first.clone()), (30, last)]);
        first_end(&play(plain(), &[does], &[]))
    };
    let fails = Statement::Currval(Sequence::Fence);
    assert_eq!(ends(&of_transaction, fails.clone()), Some(GrantEnd::Transaction));
    assert_eq!(ends(&LOCK, fails), None);
    let given_back = Some(GrantEnd::Deleted { by: NodeId(1) });
    assert_eq!(ends(&of_transaction, Statement::Rollback), given_back);
    assert_eq!(ends(&LOCK, Statement::AdvisoryUnlockAll), given_back);
}

#[test]
fn a_row_lock_lets_weaker_ones_pass_and_keeps_a_later_one_behind_an_earlier() {
    let lock = |strength| Statement::SelectFor(1, strength, Wait::Wait);
    let at_once = |strength| Statement::SelectFor(1, strength, Wait::Nowait);
    let ran = play(
        plain(),
        &[
            runs(&[(10, Statement::Begin), (20, lock(Strength::Share)), (500, Statement::Commit)]),
            runs(&[(30, Statement::Begin), (40, update(1, "two")), (700, Statement::Commit)]),
            // It would fit beside the first, but not beside the second, which came before.
            runs(&[(50, lock(Strength::Share))]),
            runs(&[(60, at_once(Strength::KeyShare)), (70, at_once(Strength::Share))]),
        ],
        &[],
    );
    assert_eq!(ran.of(2)[1], (501, "UPDATE 1".to_owned()));
    assert_eq!(ran.of(3), [(701, "two".to_owned())]);
    let told: Vec<String> = ran.of(4).into_iter().map(|(_, told)| told).collect();
    assert_eq!(told, ["init", "55P03"]);
}

#[test]
fn a_name_makes_a_key_that_is_its_own() {
    assert_eq!(key_of("shard-7"), key_of("shard-7"));
    assert_ne!(key_of("shard-7"), key_of("shard-8"));
}
