//! Every trace of Redis that is here is replayed, or told to be outside the model.

use super::redis::replay;
use super::{each_change, parse};
use serde_json::{Value, json};

/// The traces, each with the operation that the model does not have, if it needs one.
const TRACES: [(&str, &str, Option<&str>); 14] = [
    ("redis-03", include_str!("redis/redis-03.json"), None),
    ("redis-04", include_str!("redis/redis-04.json"), None),
    ("redis-05", include_str!("redis/redis-05.json"), None),
    ("redis-06", include_str!("redis/redis-06.json"), None),
    ("redis-07", include_str!("redis/redis-07.json"), None),
    ("redis-09", include_str!("redis/redis-09.json"), None),
    ("redis-10", include_str!("redis/redis-10.json"), None),
    ("redis-11", include_str!("redis/redis-11.json"), None),
    ("redis-12", include_str!("redis/redis-12.json"), Some("step 10: `CONFIG`")),
    ("redis-14", include_str!("redis/redis-14.json"), None),
    ("redis-16", include_str!("redis/redis-16.json"), Some("step 2: `WATCH`")),
    ("redis-17", include_str!("redis/redis-17.json"), Some("step 8: `LPUSH`")),
    ("redis-18", include_str!("redis/redis-18.json"), Some("step 2: `CLIENT`")),
    ("redis-20", include_str!("redis/redis-20.json"), Some("step 1: `RPUSH`")),
];

/// What came of a trace: what differs, or what is outside the model.
fn told(trace: &Value) -> String {
    replay(trace).expect("a trace is one").told()
}

#[test]
fn a_node_answers_as_redis_did() {
    for (id, text, outside) in TRACES {
        assert_eq!(told(&parse(text)), outside.unwrap_or(""), "{id}");
    }
}

/// A trace without some of its steps.
fn without(text: &str, left_out: &[i64]) -> Value {
    let mut trace = parse(text);
    let steps = trace["steps"].as_array_mut().expect("a trace has steps");
    steps.retain(|step| !left_out.contains(&step["n"].as_i64().expect("a step has a number")));
    trace
}

fn text_of(id: &str) -> &'static str {
    TRACES.iter().find(|(known, ..)| *known == id).map(|(_, text, _)| *text).expect("it is here")
}

#[test]
fn what_lies_within_the_model_of_a_trace_that_needs_more_agrees_too() {
    // A list, and EXEC without MULTI: neither changes anything.
    assert_eq!(told(&without(text_of("redis-17"), &[8, 22])), "");
    // CONFIG, and the one write that it refuses.
    assert_eq!(told(&without(text_of("redis-12"), &[10, 11])), "");
}

#[test]
fn a_change_of_any_field_of_any_reply_is_found() {
    for (id, text, outside) in TRACES {
        if outside.is_some() {
            continue;
        }
        each_change(&parse(text), |wrong, step, place| {
            let told = told(wrong);
            let own = format!("step {step}: ");
            let is_one = told.starts_with(&own) && told.lines().count() == 1;
            assert!(is_one, "{id}, {place}: {told}");
        });
    }
}

#[test]
fn a_reply_that_comes_at_another_time_is_found() {
    let mut late = without(text_of("redis-12"), &[10, 11]);
    late["steps"][6]["replied_at_ms"] = json!(1_500);
    assert!(told(&late).starts_with("step 7: answered at 1901 ms"), "{}", told(&late));
    let mut at_once = without(text_of("redis-12"), &[10, 11]);
    let step = at_once["steps"][6].as_object_mut().expect("a step is a table");
    step.remove("blocks");
    step.insert("at_ms".to_owned(), json!(1_100));
    at_once["steps"][7]["at_ms"] = json!(1_400);
    assert!(told(&at_once).starts_with("step 7: answered at 1901 ms"), "{}", told(&at_once));
}

#[test]
fn what_the_driver_does_not_know_is_an_error_and_not_passed_over() {
    let mut argument = parse(text_of("redis-03"));
    argument["steps"][0]["args"]["colour"] = json!("red");
    assert!(replay(&argument).is_err_and(|error| error.contains("colour")));
    let mut script = parse(text_of("redis-03"));
    script["setup"]["scripts"]["compare_and_delete"] = json!("return 1");
    assert_eq!(told(&script), "step 7: the script `compare_and_delete`");
    let mut operation = parse(text_of("redis-03"));
    operation["steps"][0]["op"] = json!("node_freeze");
    assert_eq!(told(&operation), "step 1: `node_freeze`");
}
