//! Traces of real servers, replayed against the engine's own: what is called etcd answers
//! as etcd does, what is called Redis as Redis does, what is called PostgreSQL as PostgreSQL
//! does, and the object store as an emulator of S3 does. `traces/etcd/README.md` and those
//! beside it say what a trace is.

mod args;
pub mod etcd;
mod names;
pub mod outcome;
pub mod postgres;
mod postgres_tests;
pub mod redis;
mod redis_tests;
pub mod s3;
mod s3_tests;
pub mod zookeeper;
mod zookeeper_tests;

use etcd::replay;
use outcome::Replayed;
use serde_json::{Value, json};

const TRACES: [(&str, &str); 10] = [
    ("etcd-01", include_str!("traces/etcd/etcd-01.json")),
    ("etcd-02", include_str!("traces/etcd/etcd-02.json")),
    ("etcd-03", include_str!("traces/etcd/etcd-03.json")),
    ("etcd-07", include_str!("traces/etcd/etcd-07.json")),
    ("etcd-10", include_str!("traces/etcd/etcd-10.json")),
    ("etcd-11", include_str!("traces/etcd/etcd-11.json")),
    ("etcd-12", include_str!("traces/etcd/etcd-12.json")),
    ("etcd-13", include_str!("traces/etcd/etcd-13.json")),
    ("etcd-14", include_str!("traces/etcd/etcd-14.json")),
    ("etcd-15", include_str!("traces/etcd/etcd-15.json")),
];

/// What came of a trace of etcd: what differs, or what is outside the model.
fn told(trace: &Value) -> Result<String, String> {
    replay(trace).map(|replayed| replayed.told())
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("a trace is JSON")
}

#[test]
fn a_member_answers_as_etcd_did() {
    for (id, text) in TRACES {
        assert_eq!(told(&parse(text)).as_deref(), Ok(""), "{id}");
    }
}

/// Where the leaves of a value are, as JSON pointers.
fn leaves(value: &Value, at: &str, into: &mut Vec<String>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                leaves(field, &format!("{at}/{name}"), into);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (place, item) in items.iter().enumerate() {
                leaves(item, &format!("{at}/{place}"), into);
            }
        }
        _ => into.push(at.to_owned()),
    }
}

fn changed(value: &Value) -> Value {
    match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_i64().unwrap_or_default() + 1),
        Value::String(text) => json!(format!("{text}1")),
        Value::Array(_) => json!(["more"]),
        Value::Object(_) => json!({"more": 1}),
        Value::Null => json!(0),
    }
}

/// Tells of the trace with each field of each reply changed: the step from 1, and where.
fn each_change(trace: &Value, check: impl Fn(&Value, usize, &str)) {
    let steps = trace["steps"].as_array().map_or(0, Vec::len);
    for step in 0..steps {
        let at = format!("/steps/{step}/reply");
        let mut places = Vec::new();
        leaves(trace.pointer(&at).expect("a step has a reply"), &at, &mut places);
        for place in places {
            let mut wrong = trace.clone();
            let leaf = wrong.pointer_mut(&place).expect("the leaf was just found");
            *leaf = changed(leaf);
            check(&wrong, step + 1, &place);
        }
    }
}

#[test]
fn a_change_of_any_field_of_any_reply_is_found() {
    for (id, text) in TRACES {
        each_change(&parse(text), |wrong, step, place| {
            // What is read too, as the time within which it is ready, is an error.
            let told = told(wrong).unwrap_or_else(|error| error);
            let own = format!("step {step}:");
            assert!(told.starts_with(&own), "{id}, {place}: {told}");
            assert_eq!(told.trim_end().lines().count(), 1, "{id}, {place}: {told}");
        });
    }
}

#[test]
fn a_field_more_or_less_is_found() {
    let (_, text) = TRACES[0];
    let mut more = parse(text);
    more["steps"][0]["reply"]["ok"]["more"] = json!(1);
    assert!(differs(&more));
    let mut less = parse(text);
    let fields = less["steps"][3]["reply"]["ok"]["responses"][0]["range"]["kvs"][0].as_object_mut();
    fields.expect("a key has fields").remove("version");
    assert!(differs(&less));
}

fn differs(trace: &Value) -> bool {
    matches!(replay(trace), Ok(Replayed::Compared(compared)) if !compared.differences.is_empty())
}

#[test]
fn what_the_driver_does_not_know_is_outside_and_not_passed_over() {
    let (_, text) = TRACES[0];
    let mut argument = parse(text);
    argument["steps"][0]["args"]["colour"] = json!("red");
    let said = "step 1: `lease_grant`: `colour` is not known";
    assert_eq!(told(&argument).as_deref(), Ok(said));
    let mut operation = parse(text);
    operation["steps"][0]["op"] = json!("defragment");
    let said = "step 1: `defragment`: the operation `defragment` is not known";
    assert_eq!(told(&operation).as_deref(), Ok(said));
    let mut members = parse(text);
    members["setup"]["members"] = json!(3);
    assert_eq!(told(&members).as_deref(), Ok("step null: a cluster of 3 members"));
}
