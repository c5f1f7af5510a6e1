//! Every trace of PostgreSQL that is here is replayed, or told to be outside the model.

use super::postgres::replay;
use super::{each_change, parse};
use serde_json::{Value, json};

/// The traces, each with the operation that the model does not have, if it needs one.
const TRACES: [(&str, &str, Option<&str>); 14] = [
    ("pg-02", include_str!("postgres/pg-02.json"), None),
    ("pg-03", include_str!("postgres/pg-03.json"), Some("step 10: `savepoint`")),
    ("pg-04", include_str!("postgres/pg-04.json"), None),
    ("pg-05", include_str!("postgres/pg-05.json"), None),
    ("pg-07", include_str!("postgres/pg-07.json"), None),
    ("pg-08", include_str!("postgres/pg-08.json"), None),
    ("pg-09", include_str!("postgres/pg-09.json"), None),
    ("pg-10", include_str!("postgres/pg-10.json"), None),
    ("pg-11", include_str!("postgres/pg-11.json"), None),
    ("pg-12", include_str!("postgres/pg-12.json"), None),
    ("pg-13", include_str!("postgres/pg-13.json"), None),
    ("pg-14", include_str!("postgres/pg-14.json"), Some("step 1: isolation \"repeatable read\"")),
    ("pg-16", include_str!("postgres/pg-16.json"), None),
    ("pg-17", include_str!("postgres/pg-17.json"), None),
];

/// What came of a trace: what differs, or what is outside the model.
fn told(trace: &Value) -> String {
    replay(trace).expect("a trace is one").told()
}

#[test]
fn a_server_answers_as_postgresql_did() {
    for (id, text, outside) in TRACES {
        assert_eq!(told(&parse(text)), outside.unwrap_or(""), "{id}");
    }
}

fn text_of(id: &str) -> &'static str {
    TRACES.iter().find(|(known, ..)| *known == id).map(|(_, text, _)| *text).expect("it is here")
}

#[test]
fn what_lies_within_the_model_of_a_trace_that_needs_more_agrees_too() {
    let mut trace = parse(text_of("pg-03"));
    let steps = trace["steps"].as_array_mut().expect("a trace has steps");
    // The savepoint, and what is taken after it and given back with it.
    steps.retain(|step| !(10..=12).contains(&step["n"].as_i64().expect("a step has a number")));
    assert_eq!(told(&trace), "");
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
    let mut late = parse(text_of("pg-08"));
    late["steps"][4]["replied_at_ms"] = json!(700);
    assert!(told(&late).starts_with("step 5: answered at 1101 ms"), "{}", told(&late));
    let mut early = parse(text_of("pg-08"));
    early["steps"][4]["replied_at_ms"] = json!(1_500);
    assert!(told(&early).starts_with("step 5: answered at 1101 ms"), "{}", told(&early));
}

#[test]
fn what_the_driver_does_not_know_is_an_error_and_not_passed_over() {
    let mut argument = parse(text_of("pg-12"));
    argument["steps"][1]["args"]["colour"] = json!("red");
    assert!(replay(&argument).is_err_and(|error| error.contains("colour")));
    let mut operation = parse(text_of("pg-12"));
    operation["steps"][0]["op"] = json!("vacuum");
    assert_eq!(told(&operation), "step 1: `vacuum`");
    let mut schema = parse(text_of("pg-12"));
    schema["setup"]["ddl"][5] = json!("CREATE SEQUENCE fence INCREMENT BY 2");
    assert_eq!(told(&schema), "step null: another schema");
}
