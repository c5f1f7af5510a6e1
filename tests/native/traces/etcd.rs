//! Replays a trace of etcd: the same calls at the same moments, to the engine's member. A
//! trace that needs what the model does not have is told by the operation.

use super::args::{Args, op, watch_number};
use super::names::Names;
use super::outcome::{Compared, Difference, Problem, Replayed, weight};
use crate::etcd_party::{Cluster, Party, Sent, member, run};
use fencepost::actors::Message;
use fencepost::actors::etcd::Part;
use fencepost::actors::etcd::api::{EtcdError, Op, Reply, RequestId, Response};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;
use serde_json::{Value, json};

const SERVER: NodeId = NodeId(0);
const CLIENT: NodeId = NodeId(1);
/// An election wait that lies within what trace 12 allows for.
const SEED: u64 = 1;

/// When a reply that did not come at once may come, from its nominal time on.
const LATE_MS: (i64, i64) = (-30, 350);

/// A trace that is being replayed. The world is made anew with one more call at every
/// step, since a call's arguments may name what an earlier reply brought.
struct Replay {
    names: Names,
    calls: Vec<(Span, NodeId, Op)>,
    clicks: Vec<Click<Party>>,
    /// How many events each watch has been polled for.
    polled: Vec<(u32, usize)>,
    /// Steps whose reply did not come at once, with their calls.
    blocked: Vec<(Value, RequestId, Op)>,
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

    fn step(&mut self, step: &Value, next_ms: i64) -> Result<Value, Problem> {
        let at_ms = step["at_ms"].as_i64().ok_or("a step has a time".to_owned())?;
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
                let op = op(step, &self.names).map_err(|why| {
                    Problem::Outside(format!("`{}`: {why}", step["op"].as_str().unwrap_or("")))
                })?;
                self.calls.push((at - TrueTime(0), SERVER, op.clone()));
                let id = RequestId(self.calls.len() as u32 - 1);
                let events = self.run_to(next_ms - 1);
                let since = events.iter().filter(|event| event.at >= at);
                let reply = since.filter_map(|event| answer(event, id)).next();
                if step["blocks"] == json!(true) {
                    self.blocked.push((step.clone(), id, op));
                    return match reply {
                        Some(_) => Ok(json!("a reply at once")),
                        None => Ok(step["reply"].clone()),
                    };
                }
                let Some(reply) = reply else { return Ok(json!("no reply before the next step")) };
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

    /// What a step was answered that blocked, if it was when the real server did.
    fn late_reply(&mut self, step: &Value, id: RequestId, op: &Op) -> Result<Value, String> {
        let due = step["replied_at_ms"].as_i64().ok_or("a step that blocks says until when")?;
        let events = self.run_to(due + LATE_MS.1);
        let mut replies = events.iter().filter_map(|event| Some((event.at, answer(event, id)??)));
        Ok(match replies.next() {
            None => json!("no reply in time"),
            Some((at, _)) if at < TrueTime((due + LATE_MS.0) * 1_000) => {
                json!("a reply before its time")
            }
            Some((_, result)) => self.names.reply(&result, op),
        })
    }

    /// The restarted member has to lead within the time for which the replies hold.
    fn check_readiness(&self, within: &Value, at_ms: i64) -> Result<(), String> {
        if within.is_null() {
            return Ok(());
        }
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
                let prevs = told.prev_kvs.into_iter().chain(std::iter::repeat(None));
                all.extend(told.events.into_iter().zip(prevs));
            }
        }
        if !self.polled.iter().any(|(of, _)| *of == watch) {
            self.polled.push((watch, 0));
        }
        let polled = self.polled.iter_mut().find(|(of, _)| *of == watch);
        let before = polled.map_or(0, |(_, count)| std::mem::replace(count, all.len()));
        let fresh: Vec<Value> = all[before..]
            .iter()
            .map(|(event, prev)| self.names.watch_event(event, prev.as_ref()))
            .collect();
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

fn compare(compared: &mut Compared, n: &Value, model: &Value, server: &Value) {
    if model != server {
        let what = format!("answered {model}, but the server {server}");
        let weight = weight(model, server);
        compared.differences.push(Difference { step: n.clone(), what, weight });
    }
}

/// Replays a trace.
///
/// # Errors
/// When the file is not what a trace is.
pub fn replay(trace: &Value) -> Result<Replayed, String> {
    let outside = |step: &Value, operation: String| {
        Ok(Replayed::Outside { step: step["n"].clone(), operation })
    };
    let steps = trace["steps"].as_array().ok_or("a trace has steps")?;
    let members = &trace["setup"]["members"];
    if *members != json!(1) {
        return outside(&Value::Null, format!("a cluster of {members} members"));
    }
    let rev_base = trace["setup"]["rev_base"].as_i64().ok_or("`rev_base` is no number")?;
    let mut replay = Replay {
        names: Names { rev_base, leases: Vec::new() },
        calls: Vec::new(),
        clicks: Vec::new(),
        polled: Vec::new(),
        blocked: Vec::new(),
    };
    let mut compared = Compared::default();
    for (place, step) in steps.iter().enumerate() {
        let n = &step["n"];
        let at_ms = step["at_ms"].as_i64().ok_or(format!("step {n} has no time"))?;
        let next_ms = steps.get(place + 1).and_then(|next| next["at_ms"].as_i64());
        let (model, server) = match replay.step(step, next_ms.unwrap_or(at_ms + 100)) {
            Ok(reply) => (reply, &step["reply"]),
            Err(Problem::Outside(operation)) => return outside(step, operation),
            Err(Problem::Wrong(wrong)) => return Err(format!("step {n}: {wrong}")),
        };
        compared.operations += 1;
        compare(&mut compared, n, &model, server);
    }
    for (step, id, op) in std::mem::take(&mut replay.blocked) {
        let model = replay.late_reply(&step, id, &op)?;
        compare(&mut compared, &step["n"], &model, &step["reply"]);
    }
    Ok(Replayed::Compared(compared))
}
