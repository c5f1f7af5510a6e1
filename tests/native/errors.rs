//! What is wrong with a scenario is said in one sentence: what, and where.

mod of_consul;
mod of_data_in_etcd;
mod of_names;
mod of_objects;
mod of_partner;
mod of_postgres;
mod of_redis;
mod of_zookeeper;

use fencepost::scenario::Scenario;

/// A scenario in which everything is right.
const RIGHT: &str = r#"format = 1
id = "mine"
title = "Mine"
goal = "To be made wrong."
limit_ms = 60_000
promises = ["stale-write-accepted"]

[lock]
key = "/locks/mine"
recipe = "queue"
ttl_s = 10

[store]
rule = "owner-and-sequence"

[[worker]]
name = "W1"
starts_ms = 0
program = ["acquire", "claim", "compute", "write", "release"]
compute_ms = 1_000
job = "mine"
amount = 1

[[worker]]
name = "W2"
starts_ms = 100
program = ["acquire", "claim", "write", "release"]
job = "mine"
amount = 1

[[click]]
at_us = 1_000
do.pause = { node = "W1", for_ms = 10 }

[[variant]]
id = "unfenced"
title = "Unfenced"
set = { "store.rule" = "none" }
"#;

/// The sentence that a text is answered with.
#[track_caller]
fn check_text(text: &str, sentence: &str) {
    match Scenario::from_text(text) {
        Ok(_) => panic!("nothing is found wrong with\n{text}"),
        Err(error) => assert_eq!(error.to_string(), sentence),
    }
}

/// The right scenario with settings.
fn right_with(to: &[(&str, &str)], more: &[(&str, &str)]) -> Result<Scenario, String> {
    let all = to.iter().chain(more);
    let all: Vec<_> = all.map(|(path, it)| ((*path).to_owned(), (*it).to_owned())).collect();
    let scenario = Scenario::from_text(RIGHT).expect("it is right");
    scenario.with(&all).map_err(|error| error.to_string())
}

/// The right scenario with one piece of it, the first of its kind, replaced.
#[track_caller]
fn check(piece: &str, by: &str, sentence: &str) {
    assert!(RIGHT.contains(piece), "there is no `{piece}`");
    check_text(&RIGHT.replacen(piece, by, 1), sentence);
}

/// The right scenario with a setting.
#[track_caller]
fn check_setting(path: &str, value: &str, sentence: &str) {
    let scenario = Scenario::from_text(RIGHT).expect("it is right");
    match scenario.with(&[(path.to_owned(), value.to_owned())]) {
        Ok(_) => panic!("nothing is found wrong with `{path}` = `{value}`"),
        Err(error) => assert_eq!(error.to_string(), sentence),
    }
}

#[test]
fn the_scenario_itself_is_right() {
    assert!(Scenario::from_text(RIGHT).is_ok());
}

#[test]
fn what_is_no_toml_is_located() {
    check("title = \"Mine\"", "title = Mine", "line 3: a text has to stand in quotes.");
}

#[test]
fn a_missing_field_is_named_with_its_place() {
    check("goal = \"To be made wrong.\"\n", "", "the scenario: `goal` is missing.");
    check("[lock]", "[etcd]", "the scenario: `lock` is missing.");
    check("ttl_s = 10\n", "", "line 8, lock: `ttl_s` is missing.");
    check("job = \"mine\"\n", "", "line 16, worker 1: `job` is missing.");
    check("at_us = 1_000\n", "", "line 31, click 1: `at_us` is missing.");
    check("node = \"W1\", ", "", "line 33, click 1, do, pause: `node` is missing.");
    check_text("", "the scenario: `format` is missing.");
    check_text(
        "extends = \"reconcile\"\nid = \"mine\"\n[[click]]\nat_us = 3\n",
        "line 3, click 1: `do` is missing.",
    );
}

#[test]
fn an_unknown_field_is_named_with_those_there_are() {
    check(
        "recipe = \"queue\"",
        "recipe = \"queue\"\ncolour = \"red\"",
        "line 11, lock, colour: there is no field `colour` here; there are service, key, recipe, ttl_s, \
         retry_ms.",
    );
    check(
        "at_us = 1_000",
        "at_us = 1_000\nwho = \"W1\"",
        "line 33, click 1, who: there is no field `who` here; there are at_us, do.",
    );
    check(
        "for_ms",
        "for_s",
        "line 33, click 1, do, pause, for_s: there is no field `for_s` here; there are node, for_ms.",
    );
    check_text(
        "extends = \"reconcile\"\nid = \"mine\"\n[store]\nrule = \"none\"\nmarks = 3\n",
        "line 5, store, marks: there is no field `marks` here; there are title, kind, rule, mark, scope, write_ms, \
         first_number.",
    );
}

#[test]
fn an_unknown_choice_is_named_with_those_there_are() {
    check(
        "do.pause",
        "do.explode",
        "line 33, click 1, do: there is no `explode` to choose here; there are pause, resume, \
         suspend, wake, crash, restart, step-wall, set-wall, set-rate, cut, heal, hold, release, \
         drop, delay, duplicate, heartbeat, rule, on-renewal-failure, deadline-from, \
         release-check, promote, follow, terminate-backend, shut-down.",
    );
    check(
        "\"queue\"",
        "\"mutex\"",
        "line 10, lock, recipe: there is no `mutex` to choose here; there are queue, \
         create-if-absent, get-then-put, set-nx, setnx-expire, set-and-count, \
         redlock, redlock-and-count, ephemeral-sequential, advisory, try-advisory, \
         advisory-xact, row-lock, lock-row, kv-acquire, election, object-create, \
         object-lease.",
    );
    check(
        "\"compute\", ",
        "\"think\", ",
        "line 19, worker 1, program 3: there is no `think` to choose here; there are \
         draw-number, acquire, claim, read, compute, check, write, slow-write, release, \
         take, book.",
    );
    check_text(
        "extends = \"nothing\"\n",
        "line 1, extends: there is no scenario `nothing`; there are reconcile-unfenced, \
         reconcile, plain-read, renewal-fails, check-then-put, slow-clock, refund, \
         separate-counter, queue-of-eight, batch-incident, redis-failover, redlock, \
         zookeeper-pause, conditional-puts, etag-aba, no-lock, leader-log, rising-load, \
         schema-migrations, store-restart, consul-lock-delay, guarded-write, mark-scopes, \
         outbox, object-lock.",
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_told_with_the_right_kind() {
    let worker = "line 20, worker 1, compute_ms";
    let whole = "and has to be a whole number.";
    check("1_000\njob", "\"long\"\njob", &format!("{worker}: this is the text \"long\", {whole}"));
    check("1_000\njob", "1.5\njob", &format!("{worker}: this is 1.5, {whole}"));
    check("1_000\njob", "[1]\njob", &format!("{worker}: this is a list, {whole}"));
    check("\"Mine\"", "true", "line 3, title: this is true, and has to be a text in quotes.");
    check_text(
        "extends = 3\n",
        "line 1, extends: this is 3, and has to be the id of a built-in scenario.",
    );
    check_text(
        "extends = \"reconcile\"\nset = 3\n",
        "line 2, set: this is 3, and has to be a table.",
    );
}

#[test]
fn another_format_is_refused_before_all_else() {
    let sentence = "format: this is format 2, and only format 1 can be read.";
    check("format = 1", "format = 2", sentence);
    check("format = 1", "format = 2\nunheard_of = true", sentence);
    check_text("extends = \"reconcile\"\nformat = 2\n", sentence);
    check(
        "format = 1",
        "format = \"1\"",
        "line 1, format: this is the text \"1\", and has to be a whole number from 0 to \
         4,294,967,295.",
    );
}

#[test]
fn names_have_to_be_usable_and_to_name_what_is_there() {
    check(
        "\"mine\"",
        "\"My scenario\"",
        "the scenario: `My scenario` cannot be a name: it is made of lower-case letters, digits \
         and hyphens.",
    );
    check(
        "name = \"W1\"",
        "name = \"M2\"",
        "worker 1: `M2` cannot be a name: it stands for another machine.",
    );
    check(
        "name = \"W2\"",
        "name = \"W1\"",
        "worker 2: `W1` cannot be a name: another worker has it.",
    );
    check(
        "name = \"W2\"",
        "name = \"\"",
        "worker 2: an empty text cannot be a name: it is made of 1 to 20 letters, digits, hyphens \
         and underscores.",
    );
    check("\"/locks/mine\"", "\"\"", "lock: `key` is empty.");
    check(
        "node = \"W1\"",
        "node = \"W9\"",
        "click 1: `node` names `W9`, which is no machine here; there are etcd, M1, M2, M3, W1, \
         W2, store.",
    );
}

/// The right scenario with another thing done.
#[track_caller]
fn check_click(r#do: &str, sentence: &str) {
    check("pause = { node = \"W1\", for_ms = 10 }", r#do, sentence);
}

#[test]
fn a_click_has_to_be_one_thing_that_can_be_done() {
    check_click(
        "set-rate = { node = \"W1\", rate_ppm = 0 }",
        "click 1: `rate_ppm` is 0, and has to be from 1 to 100,000,000.",
    );
    check_click(
        "pause = { node = \"W1\", for_ms = -10 }",
        "click 1: `for_ms` is -10, and may not be negative.",
    );
    check_click(
        "pause = { node = \"W1\", for_ms = 4_000_000_000_000 }",
        "click 1: `for_ms` is 4000000000000 ms, and may be a hundred years at most.",
    );
    check_click("cut = { from = \"W1\", to = \"W1\" }", "click 1: `W1` has no link to itself.");
    check_click(
        "rule = { node = \"W1\", is = \"none\" }",
        "click 1: `node` has to name the store, and `W1` is not.",
    );
    check_click(
        "heartbeat = { node = \"store\", is = \"blocked\" }",
        "click 1: `node` has to name a worker, and `store` is not.",
    );
    check_click(
        "resume = { node = \"W1\" }\ndo.wake = { node = \"W1\" }",
        "line 33, click 1, do: this has to be one thing, and is 2.",
    );
    check("at_us = 1_000", "at_us = -1", "click 1: `at_us` is -1, and may not be negative.");
}

#[test]
fn a_click_after_the_end_of_every_run_is_refused() {
    let sentence = "`at_us` is 60000001, and the run ends at 60000 ms at the latest.";
    check("at_us = 1_000", "at_us = 60_000_001", &format!("click 1: {sentence}"));
    assert!(Scenario::from_text(&RIGHT.replace("at_us = 1_000", "at_us = 60_000_000")).is_ok());
}

#[test]
fn a_message_in_a_click_has_to_be_one_that_can_be_sent() {
    let drop = |from: &str, kind: &str, nth: u32| {
        format!(
            "drop.message = {{ from = {from:?}, to = \"store\", kind = {kind:?}, nth = {nth} }}"
        )
    };
    check_click(&drop("W1", "letter", 1), "click 1: there is no kind of message `letter`.");
    check_click(&drop("W1", "report", 0), "click 1: `nth` counts from 1.");
    check_click(
        &drop("etcd", "report", 1),
        "click 1: `from` has to name one machine, and `etcd` is several.",
    );
}

/// The right scenario with another program for its first worker.
#[track_caller]
fn check_program(program: &str, why: &str) {
    check(
        "[\"acquire\", \"claim\", \"compute\", \"write\", \"release\"]",
        program,
        &format!("worker 1: the program cannot be run: {why}."),
    );
}

#[test]
fn the_steps_of_a_program_have_to_fit_together() {
    check_program("[]", "it has no `acquire`");
    let long = format!("[{}\"acquire\"]", "\"draw-number\", ".repeat(50));
    check_program(&long, "it has more than 50 steps");
    check_program("[\"acquire\", \"acquire\"]", "it has more than one `acquire`");
    check_program("[\"claim\", \"acquire\"]", "only `draw-number` can stand before `acquire`");
    check_program("[\"acquire\", \"draw-number\"]", "`draw-number` has to stand before `acquire`");
    check_program(
        "[\"acquire\", \"write\", \"claim\"]",
        "a write needs a `claim` or `read` before it",
    );
    check_program("[\"acquire\", \"release\", \"compute\"]", "`release` has to be its last step");
}

#[test]
fn a_text_that_is_shown_as_one_line_is_one() {
    let not_one_line = "has to be one line, and holds a line break or another control character.";
    check("\"Mine\"", "\"Mine\\nand yours\"", &format!("the scenario: `title` {not_one_line}"));
    check("\"Unfenced\"", "\"\\u001B\"", &format!("variant 1: `title` {not_one_line}"));
    check("[store]", "[store]\ntitle = \"a\\tb\"", &format!("store: `title` {not_one_line}"));
    check("job = \"mine\"", "job = \"\"", "worker 1: `job` is empty.");
    check("job = \"mine\"", "job = \"mine\"\nobjects = [\"\"]", "worker 1: `objects` is empty.");
    check("job = \"mine\"", "job = \"mine\\r\"", &format!("worker 1: `job` {not_one_line}"));
}

#[test]
fn a_promise_is_made_once() {
    check(
        "promises = [",
        "promises = [\"work-done-twice\", \"work-done-twice\", ",
        "the scenario: `promises` names `work-done-twice` twice.",
    );
}

#[test]
fn numbers_have_to_be_within_their_bounds() {
    check("ttl_s = 10", "ttl_s = 0", "lock: `ttl_s` is 0, and has to be from 1 to 86,400.");
    for first in ["0", "-1", "9_223_372_036_854_775_806"] {
        check(
            "rule = \"owner-and-sequence\"",
            &format!("rule = \"owner-and-sequence\"\nfirst_number = {first}"),
            &format!(
                "store: `first_number` is {}, and has to be from 1 to 2^40.",
                first.replace('_', "")
            ),
        );
    }
    check(
        "[lock]",
        "[etcd]\nmembers = 2\n\n[lock]",
        "etcd: `members` is 2, and has to be 1, 3, 5 or 7.",
    );
    check(
        "amount = 1",
        "amount = 1\nrate_ppm = 100_000_001",
        "worker 1: `rate_ppm` is 100000001, and has to be from 1 to 100,000,000.",
    );
    check(
        "starts_ms = 100\n",
        "",
        "worker 2: without `starts_ms` a worker waits for an orchestrator, and there is none.",
    );
    let more = |n: u8| {
        format!(
            "[[worker]]\nname = \"W{n}\"\nstarts_ms = 0\nprogram = [\"acquire\"]\njob = \"a\"\namount = 1\n"
        )
    };
    check(
        "[[click]]",
        &((3..=9).map(more).collect::<String>() + "[[click]]"),
        "the scenario: there are 9 workers, and there have to be 1 to 8.",
    );
}

#[test]
fn a_setting_that_leads_nowhere_is_named() {
    for path in ["", "worker.W3.amount", "worker.1.amount", "store.rule.deep", "worker..amount"] {
        check_setting(path, "1", &format!("there is no setting `{path}`."));
    }
    check_setting(
        "store.rul",
        "none",
        "store, rul: there is no field `rul` here; there are title, kind, rule, mark, scope, write_ms, \
         first_number.",
    );
    check_setting(
        "lock.ttl_s",
        "ten",
        "lock, ttl_s: this is the text \"ten\", and has to be a whole number.",
    );
    check_setting(
        "etcd.members",
        "300",
        "etcd, members: this is 300, and has to be a whole number from 0 to 255.",
    );
    check_text(
        &RIGHT.replace("limit_ms = 60_000", "limit_ms = 1\nwaits_at_ms = 2"),
        "the scenario: the run waits for the reader at 2 ms (`waits_at_ms`), and `limit_ms` ends it \
         at 1 ms.",
    );
    check_setting(
        "limit_ms",
        "0",
        "the scenario: `limit_ms` is 0, and has to be from 1 to 86,400,000.",
    );
}

#[test]
fn a_variant_is_looked_at_before_it_is_asked_for() {
    check(
        "\"store.rule\" = \"none\"",
        "\"worker.W3.amount\" = 1",
        "variant 1, settings: there is no setting `worker.W3.amount`.",
    );
    check(
        "\"store.rule\" = \"none\"",
        "\"lock.recipe\" = \"mutex\"",
        "variant 1, line 38, lock, recipe: there is no `mutex` to choose here; there are queue, \
         create-if-absent, get-then-put, set-nx, setnx-expire, set-and-count, \
         redlock, redlock-and-count, ephemeral-sequential, advisory, try-advisory, \
         advisory-xact, row-lock, lock-row, kv-acquire, election, object-create, \
         object-lease.",
    );
    check(
        "title = \"Unfenced\"",
        "title = \"Unfenced\"\nclick = [{ at_us = 1, do.crash = { node = \"M9\" } }]",
        "variant 1, click 1: `node` names `M9`, which is no machine here; there are etcd, M1, \
         M2, M3, W1, W2, store.",
    );
    check(
        "[[variant]]",
        "[[variant]]\nid = \"unfenced\"\ntitle = \"The same\"\n\n[[variant]]",
        "variant 2: `unfenced` cannot be a name: another variant has it.",
    );
    let scenario = Scenario::from_text(RIGHT).expect("it is right");
    let error = scenario.variant("fenced").expect_err("there is no such variant");
    assert_eq!(error.to_string(), "there is no variant `fenced`; there are unfenced.");
}
