//! Traces of real servers, replayed against the engine's own: what is called etcd
//! answers as etcd does. `traces/etcd/README.md` says what a trace is.

mod args;
mod names;
pub mod outcome;
pub mod redis;
mod redis_tests;

use crate::etcd_party::{Cluster, Party, Sent, member, run};
use args::{Args, op, watch_number};
use fencepost::actors::Message;
use fencepost::actors::etcd::Part;
use fencepost::actors::etcd::api::{EtcdError, Op, Reply, RequestId, Response};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;
use names::Names;
use serde_json::{Value, json};

const SERVER: NodeId = NodeId(0);
const CLIENT: NodeId = NodeId(1);
/// An election wait that lies within what trace 12 allows for.
const SEED: u64 = 1;

const TRACES: [(&str, &str); 5] = [
    ("etcd-01", include_str!("traces/etcd/etcd-01.json")),
    ("etcd-02", include_str!("traces/etcd/etcd-02.json")),
    ("etcd-03", include_str!("traces/etcd/etcd-03.json")),
    ("etcd-11", include_str!("traces/etcd/etcd-11.json")),
    ("etcd-12", include_str!("traces/etcd/etcd-12.json")),
];

/// A trace that is being replayed. The world is made anew with one more call at every
/// step, since a call's arguments may name what an earlier reply brought.
struct Replay {
    names: Names,
    calls: Vec<(Span, NodeId, Op)>,
    clicks: Vec<Click<Party>>,
    /// How many events each watch has been polled for.
    polled: Vec<(u32, usize)>,
}

impl Replay {
    fn world(&self) -> World<Party> {
        Cluster {
            clicks: self.clicks.clone(),
            seed: SEED,
            revision: self.names.rev_base,
            ..Cluster::new(1, vec![self.calls.clone()])
        }
        .world()
    }

    fn run_to(&self, ms: i64) -> Vec<Event<Party>> {
        run(&mut self.world(), TrueTime(ms * 1_000))
    }

    fn step(&mut self, step: &Value, next_ms: i64) -> Result<Value, String> {
        let at_ms = step["at_ms"].as_i64().ok_or("a step has a time")?;
        let at = TrueTime(at_ms * 1_000);
        match step["op"].as_str().unwrap_or_default() {
            "server_stop" => {
                let action = Action::Crash { node: SERVER, restart_after: None };
                self.clicks.push(Click { at, action });
                Ok(json!({"ok": {}}))
            }
            "server_start" => {
                self.clicks.push(Click { at, action: Action::Restart { node: SERVER } });
                self.check_readiness(&step["ready_within_ms"], at_ms)?;
                Ok(json!({"ok": {}}))
            }
            "watch_poll" => {
                let mut args = Args::of(&step["args"])?;
                let watch = watch_number(&mut args)?;
                args.done(())?;
                Ok(self.poll(watch, at_ms))
            }
            _ => {
                let op = op(step, &self.names)?;
                self.calls.push((at - TrueTime(0), SERVER, op.clone()));
                let id = RequestId(self.calls.len() as u32 - 1);
                let events = self.run_to(next_ms - 1);
                let since = events.iter().filter(|event| event.at >= at);
                let reply = since.filter_map(|event| answer(event, id)).next();
                let reply = reply.ok_or("no reply before the next step")?;
                Ok(match reply {
                    Some(result) => self.names.reply(&result, &op),
                    None => {
                        let message_class = "server down";
                        json!({"error": {"code": "UNAVAILABLE", "message_class": message_class}})
                    }
                })
            }
        }
    }

    /// The restarted member has to lead within the time for which the replies hold.
    fn check_readiness(&self, within: &Value, at_ms: i64) -> Result<(), String> {
        let bound = |place: usize| within[place].as_i64().ok_or("`ready_within_ms` has bounds");
        let leads_at = |ms: i64| {
            let mut world = self.world();
            run(&mut world, TrueTime((at_ms + ms) * 1_000));
            member(&world, SERVER).part() == Part::Leader
        };
        match (leads_at(bound(0)? - 1), leads_at(bound(1)?)) {
            (false, true) => Ok(()),
            _ => Err(format!("the member does not lead again within {within} ms")),
        }
    }

    fn poll(&mut self, watch: u32, at_ms: i64) -> Value {
        let mut all = Vec::new();
        for event in self.run_to(at_ms) {
            if let What::Delivered { body: Sent(Message::EtcdWatch(told)), .. } = event.what
                && told.watch == watch
            {
                all.extend(told.events);
            }
        }
        if !self.polled.iter().any(|(of, _)| *of == watch) {
            self.polled.push((watch, 0));
        }
        let polled = self.polled.iter_mut().find(|(of, _)| *of == watch);
        let before = polled.map_or(0, |(_, count)| std::mem::replace(count, all.len()));
        let fresh: Vec<Value> =
            all[before..].iter().map(|event| self.names.watch_event(event)).collect();
        json!({"ok": {"events": fresh}})
    }
}

/// The answer to a call, or that nobody was there to answer.
fn answer(event: &Event<Party>, id: RequestId) -> Option<Option<Result<Reply, EtcdError>>> {
    if event.node != CLIENT {
        return None;
    }
    match &event.what {
        What::Delivered {
            body: Sent(Message::EtcdAnswer(Response { id: of, result })), ..
        } => (*of == id).then(|| Some(result.clone())),
        What::Returned { .. } => Some(None),
        _ => None,
    }
}

/// Replays a trace; says which reply first differs.
fn replay(trace: &Value) -> Result<(), String> {
    if trace["setup"]["members"] != json!(1) {
        return Err("only traces of one member are replayed".to_owned());
    }
    let rev_base = trace["setup"]["rev_base"].as_i64().ok_or("`rev_base` is no number")?;
    let mut replay = Replay {
        names: Names { rev_base, leases: Vec::new() },
        calls: Vec::new(),
        clicks: Vec::new(),
        polled: Vec::new(),
    };
    let steps = trace["steps"].as_array().ok_or("a trace has steps")?;
    for (place, step) in steps.iter().enumerate() {
        let n = &step["n"];
        let at_ms = step["at_ms"].as_i64().ok_or(format!("step {n} has no time"))?;
        let next_ms = steps.get(place + 1).and_then(|next| next["at_ms"].as_i64());
        let reply = replay.step(step, next_ms.unwrap_or(at_ms + 100));
        let reply = reply.map_err(|error| format!("step {n}: {error}"))?;
        if reply != step["reply"] {
            return Err(format!("step {n}: answered {reply}, but etcd {}", step["reply"]));
        }
    }
    Ok(())
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("a trace is JSON")
}

#[test]
fn a_member_answers_as_etcd_did() {
    for (id, text) in TRACES {
        if let Err(error) = replay(&parse(text)) {
            panic!("{id}: {error}");
        }
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

#[test]
fn a_change_of_any_field_of_any_reply_is_found() {
    for (id, text) in TRACES {
        let trace = parse(text);
        let steps = trace["steps"].as_array().map_or(0, Vec::len);
        for step in 0..steps {
            let at = format!("/steps/{step}/reply");
            let mut places = Vec::new();
            leaves(trace.pointer(&at).expect("a step has a reply"), &at, &mut places);
            for place in places {
                let mut wrong = trace.clone();
                let leaf = wrong.pointer_mut(&place).expect("the leaf was just found");
                *leaf = changed(leaf);
                let error = replay(&wrong).expect_err(&format!("{id}: {place} was changed"));
                assert!(error.starts_with(&format!("step {}:", step + 1)), "{id}: {error}");
            }
        }
    }
}

#[test]
fn a_field_more_or_less_is_found() {
    let (_, text) = TRACES[0];
    let mut more = parse(text);
    more["steps"][0]["reply"]["ok"]["more"] = json!(1);
    assert!(replay(&more).is_err());
    let mut less = parse(text);
    let fields = less["steps"][3]["reply"]["ok"]["responses"][0]["range"]["kvs"][0].as_object_mut();
    fields.expect("a key has fields").remove("version");
    assert!(replay(&less).is_err());
}

#[test]
fn what_the_driver_does_not_know_is_an_error_and_not_passed_over() {
    let (_, text) = TRACES[0];
    let mut argument = parse(text);
    argument["steps"][0]["args"]["colour"] = json!("red");
    assert!(replay(&argument).is_err_and(|error| error.contains("colour")));
    let mut operation = parse(text);
    operation["steps"][0]["op"] = json!("lock");
    assert!(replay(&operation).is_err_and(|error| error.contains("lock")));
}
