//! Every trace of ZooKeeper that is here is replayed.

use super::zookeeper::replay;
use super::{each_change, parse};
use serde_json::json;

const TRACES: [(&str, &str); 11] = [
    ("zk-01", include_str!("zookeeper/zk-01.json")),
    ("zk-03", include_str!("zookeeper/zk-03.json")),
    ("zk-04", include_str!("zookeeper/zk-04.json")),
    ("zk-06", include_str!("zookeeper/zk-06.json")),
    ("zk-07", include_str!("zookeeper/zk-07.json")),
    ("zk-08", include_str!("zookeeper/zk-08.json")),
    ("zk-09", include_str!("zookeeper/zk-09.json")),
    ("zk-12", include_str!("zookeeper/zk-12.json")),
    ("zk-13", include_str!("zookeeper/zk-13.json")),
    ("zk-15", include_str!("zookeeper/zk-15.json")),
    ("zk-16", include_str!("zookeeper/zk-16.json")),
];

fn told(trace: &serde_json::Value) -> String {
    replay(trace).expect("a trace is one").told()
}

#[test]
fn a_server_answers_as_zookeeper_did() {
    for (id, text) in TRACES {
        assert_eq!(told(&parse(text)), "", "{id}");
    }
}

#[test]
fn a_change_of_any_field_of_any_reply_is_found() {
    for (id, text) in TRACES {
        each_change(&parse(text), |wrong, step, place| {
            if place.contains("/raw_order") {
                return;
            }
            let told = told(wrong);
            let own = format!("step {step}: ");
            let is_one = told.starts_with(&own) && told.lines().count() == 1;
            assert!(is_one, "{id}, {place}: {told}");
        });
    }
}

#[test]
fn what_the_driver_does_not_know_is_an_error_and_not_passed_over() {
    let (_, text) = TRACES[0];
    let mut argument = parse(text);
    argument["steps"][3]["args"]["colour"] = json!("red");
    assert!(replay(&argument).is_err_and(|error| error.contains("colour")));
    let mut operation = parse(text);
    operation["steps"][3]["op"] = json!("reconfig");
    assert_eq!(told(&operation), "step 4: `reconfig`");
    let mut servers = parse(text);
    servers["setup"]["servers"] = json!(3);
    assert_eq!(told(&servers), "step null: an ensemble of 3 servers");
}
