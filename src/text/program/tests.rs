//! Programs as they are spelled.

use super::*;
use crate::actors::Actor;
use crate::scenario::Scenario;
use crate::sim::time::TrueTime;

/// The lines of the first worker at a moment, with how it stands.
#[track_caller]
fn check(id: &str, at_s: i64, expected: &[&str]) {
    let scenario = Scenario::built_in(id).expect("built in");
    let mut replay = scenario.run().replay().expect("a run");
    replay.seek(TrueTime(at_s * 1_000_000));
    let world = &replay.moment().world;
    let node = world.node(scenario.names().find("W1").expect("a worker"));
    let Actor::Worker(worker) = &node.process else { panic!("W1 is a worker") };
    let mut lines = lines(worker.config(), Language::Rust);
    let standing = standing(worker, node.status);
    match place(worker) {
        Place::At(at) => lines[at].push_str(&format!(" <- {standing}")),
        Place::Before => lines.insert(0, format!("<- {standing}")),
        Place::After => lines.push(format!("<- {standing}")),
    }
    assert_eq!(lines, expected);
}

#[test]
fn a_program_is_shown_as_it_is_with_the_line_where_it_stands() {
    check(
        "reconcile",
        60,
        &[
            "let lock = etcd.acquire(key)?;",
            "let seen = store.claim(lock.token)?;",
            "let report = scan(seen);  // 28 s <- is paused here",
            "store.put(report, lock.token)?;",
            "lock.release()?;",
        ],
    );
    check(
        "reconcile",
        100,
        &[
            "let lock = etcd.acquire(key)?;",
            "let seen = store.claim(lock.token)?;",
            "let report = scan(seen);  // 28 s",
            "store.put(report, lock.token)?; <- has stopped here",
            "lock.release()?;",
        ],
    );
}

/// The lines of W1's program in one language.
#[track_caller]
fn check_spelled(id: &str, language: Language, expected: &[&str]) {
    let scenario = Scenario::built_in(id).expect("built in");
    assert_eq!(spelled(&scenario, language), expected);
}

fn spelled(scenario: &Scenario, language: Language) -> Vec<String> {
    let replay = scenario.run().replay().expect("a run");
    let node = scenario.names().find("W1").expect("a worker");
    let Actor::Worker(worker) = &replay.moment().world.node(node).process else {
        panic!("W1 is a worker")
    };
    lines(worker.config(), language)
}

#[test]
fn one_program_is_spelled_in_four_languages() {
    check_spelled(
        "check-then-put",
        Language::Java,
        &[
            "var lock = etcd.acquire(key);",
            "var seen = store.claim(lock.token());",
            "var report = scan(seen);  // 28 s",
            "store.putSlowly(report, lock.token());  // 30 s",
            "lock.release();",
        ],
    );
    check_spelled(
        "separate-counter",
        Language::Go,
        &[
            "number := must(counter.Next(ctx))",
            "lock := must(etcd.Acquire(ctx, key))",
            "seen := must(store.Claim(ctx, number))",
            "report := scan(seen)  // 28 s",
            "check(store.Put(ctx, report, number))",
            "check(lock.Release(ctx))",
        ],
    );
    check_spelled(
        "slow-clock",
        Language::Python,
        &[
            "lock = etcd.acquire(key)",
            "seen = store.claim(lock.token)",
            "report = scan(seen)  # 40 s",
            "session.check()",
            "store.put(report, lock.token)",
            "lock.release()",
        ],
    );
}

#[test]
fn a_call_names_its_object_where_there_are_several() {
    let claim = |language, expected: [&str; 2]| {
        let scenario = Scenario::built_in("mark-scopes").expect("built in");
        let replay = scenario.run().replay().expect("a run");
        let node = scenario.names().find("W2").expect("a worker");
        let Actor::Worker(worker) = &replay.moment().world.node(node).process else {
            panic!("W2 is a worker")
        };
        let mut config = worker.config().clone();
        config.objects = vec!["fees".into(), "invoices".into()];
        config.program.insert(2, Step::Read);
        assert_eq!(lines(&config, language)[1..3], expected);
    };
    claim(
        Language::Rust,
        ["let seen = store.claim(\"fees\", lock.token)?;", "let seen = store.read(\"invoices\")?;"],
    );
    claim(
        Language::Go,
        [
            "seen := must(store.Claim(ctx, \"fees\", lock.Token))",
            "seen := must(store.Read(ctx, \"invoices\"))",
        ],
    );
}

#[test]
fn a_lock_of_redis_is_spelled_with_its_own_calls_and_without_a_token_where_there_is_none() {
    let program = |language, lines: [&str; 5]| check_spelled("batch-incident", language, &lines);
    program(
        Language::Rust,
        [
            "let lock = redis.set_nx(key)?;",
            "let seen = store.read()?;",
            "let report = scan(seen);  // 40 s",
            "store.put(report)?;",
            "redis.delete(key)?;",
        ],
    );
    program(
        Language::Java,
        [
            "var lock = redis.setNx(key);",
            "var seen = store.read();",
            "var report = scan(seen);  // 40 s",
            "store.put(report);",
            "redis.delete(key);",
        ],
    );
    program(
        Language::Go,
        [
            "lock := must(redis.SetNX(ctx, key))",
            "seen := must(store.Read(ctx))",
            "report := scan(seen)  // 40 s",
            "check(store.Put(ctx, report))",
            "check(redis.Delete(ctx, key))",
        ],
    );
    program(
        Language::Python,
        [
            "lock = redis.set_nx(key)",
            "seen = store.read()",
            "report = scan(seen)  # 40 s",
            "store.put(report)",
            "redis.delete(key)",
        ],
    );
    check_spelled(
        "redis-failover",
        Language::Rust,
        &[
            "let lock = redis.set_and_count(key)?;",
            "let seen = store.claim(lock.token)?;",
            "let report = scan(seen);  // 40 s",
            "store.put(report, lock.token)?;",
            "lock.release()?;",
        ],
    );
}

#[test]
fn data_in_etcd_is_written_by_a_transaction_that_looks_at_the_lock() {
    check_spelled(
        "guarded-write",
        Language::Rust,
        &[
            "let lock = etcd.acquire(key)?;",
            "let seen = etcd.get(data)?;",
            "let report = scan(seen);  // 28 s",
            "etcd.txn(create_revision(lock.key) == lock.token, [put(data, report)])?;",
            "lock.release()?;",
        ],
    );
    let write = |language: Language| {
        let run = Scenario::built_in("guarded-write").expect("built in").run();
        let replay = run.replay().expect("a run");
        let node = run.scenario.names().find("W1").expect("a worker");
        let Actor::Worker(worker) = &replay.moment().world.node(node).process else {
            panic!("W1 is a worker")
        };
        lines(worker.config(), language).swap_remove(3)
    };
    assert_eq!(
        [Language::Java, Language::Go, Language::Python].map(write),
        [
            "etcd.txn(createRevision(lock.key()) == lock.token(), put(data, report));",
            "must(etcd.Txn(ctx, CreateRevision(lock.Key) == lock.Token, Put(data, report)))",
            "etcd.txn(create_revision(lock.key) == lock.token, [put(data, report)])",
        ]
    );
}

#[test]
fn no_spelling_leaves_a_gap_unfilled() {
    for (id, run) in crate::scenario::library::runs().expect("built in") {
        let replay = run.replay().expect("a run");
        let names = run.scenario.names();
        for node in names.with(crate::scenario::names::Role::Worker) {
            let Actor::Worker(worker) = &replay.moment().world.node(node).process else {
                panic!("a worker is a worker")
            };
            for language in Language::ALL {
                let lines = lines(worker.config(), language);
                assert_eq!(lines.len(), worker.config().program.len());
                let is_whole = |line: &String| !line.contains('{') && !line.contains('}');
                assert!(lines.iter().all(is_whole), "{id}, {language:?}: {lines:?}");
            }
        }
    }
}

/// Whose object it is, nobody asks; whether it stays is the release's.
#[test]
fn a_release_by_name_of_an_object_is_spelled_as_what_becomes_of_it() {
    let released = |recipe: &str, release: &str, language| {
        let settings = [
            ("lock.recipe", recipe),
            ("objects.release", release),
            ("worker.W1.release", "name-only"),
        ];
        let settings = settings.map(|(path, value)| (path.to_owned(), value.to_owned()));
        let scenario = Scenario::built_in("object-lock").expect("built in");
        let scenario = scenario.with(&settings).expect("they can be set");
        spelled(&scenario, language).pop().expect("a release")
    };
    let leased = |release, language| released("object-lease", release, language);
    assert_eq!(leased("free", Language::Rust), "bucket.free(key)?;");
    assert_eq!(leased("delete", Language::Rust), "bucket.delete(key)?;");
    assert_eq!(leased("free", Language::Go), "check(bucket.Free(ctx, key))");
    assert_eq!(leased("delete", Language::Go), "check(bucket.Delete(ctx, key))");
    let created = released("object-create", "free", Language::Python);
    assert_eq!(created, "bucket.delete(key)", "one without a lease is deleted");
}
