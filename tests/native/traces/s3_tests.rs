//! Every trace of an object store that is here is replayed, or told to be outside the model.

use super::s3::replay;
use super::{each_change, parse};
use serde_json::{Value, json};

/// The traces, each with the operation that the model does not have, if it needs one.
const TRACES: [(&str, &str, Option<&str>); 8] = [
    ("s3-01", include_str!("s3/s3-01.json"), None),
    ("s3-03", include_str!("s3/s3-03.json"), None),
    ("s3-05", include_str!("s3/s3-05.json"), None),
    ("s3-07", include_str!("s3/s3-07.json"), Some("step 1: the bucket `versioned`")),
    ("s3-09", include_str!("s3/s3-09.json"), None),
    ("s3-10", include_str!("s3/s3-10.json"), None),
    ("s3-11", include_str!("s3/s3-11.json"), Some("step 1: `upload_start`")),
    ("s3-13", include_str!("s3/s3-13.json"), None),
];

/// What came of a trace: what differs, or what is outside the model.
fn told(trace: &Value) -> String {
    replay(trace).map_or_else(|error| error, |replayed| replayed.told())
}

#[test]
fn the_object_store_answers_as_the_emulator_of_s3_did() {
    for (id, text, outside) in TRACES {
        assert_eq!(told(&parse(text)), outside.unwrap_or(""), "{id}");
    }
}

#[test]
fn a_change_of_any_field_of_any_reply_of_the_emulator_is_found() {
    for (id, text, _) in TRACES.into_iter().filter(|(.., outside)| outside.is_none()) {
        each_change(&parse(text), |wrong, step, place| {
            let told = told(wrong);
            assert!(told.starts_with(&format!("step {step}:")), "{id}, {place}: {told}");
            assert_eq!(told.trim_end().lines().count(), 1, "{id}, {place}: {told}");
        });
    }
}

#[test]
fn what_the_driver_of_the_object_store_does_not_know_is_named() {
    let with = |step: usize, field: &str, value: &str| {
        let mut trace = parse(TRACES[0].1);
        trace["steps"][step]["args"][field] = json!(value);
        told(&trace)
    };
    assert_eq!(with(0, "version", "V1"), "step 1: `put` with `version`");
    assert_eq!(with(0, "if_match", "none"), "step 1: `put` with two conditions");
    assert_eq!(with(1, "if_none_match", "E1"), "step 2: `put` with an ETag in `if_none_match`");
    assert_eq!(with(4, "if_match", "E9"), "step 5: `E9` names no ETag that was seen");
}
