//! Replays a trace of Redis: the same commands at the same moments, to the engine's nodes.
//! A trace that needs what the model does not have is told by the operation.

use super::outcome::{Compared, Difference, Problem, Replayed, Weight, weight};
use crate::redis_party::{Nodes, Party, Sent, run};
use fencepost::actors::Message;
use fencepost::actors::redis::api::{self, Ask, Call, Reply, RequestId, Script, Text};
use fencepost::actors::redis::{Persistence, RedisConfig};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use litemap::LiteMap;
use serde_json::{Value, json};

/// A reply that did not come at once came so much before or after its nominal time.
const EARLY_MS: i64 = 30;
const LATE_MS: i64 = 350;

/// The scripts that the model knows, by name and text.
const SCRIPTS: [(&str, Script, &str); 4] = [
    (
        "compare_and_delete",
        Script::CompareAndDelete,
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end \
         return 0",
    ),
    (
        "compare_and_pexpire",
        Script::CompareAndPexpire,
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], \
         ARGV[2]) end return 0",
    ),
    (
        "acquire_with_token",
        Script::AcquireWithToken,
        "if redis.call('EXISTS', KEYS[1]) == 1 then return false end local t = \
         redis.call('INCR', KEYS[2]) redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return t",
    ),
    (
        "fenced_set",
        Script::FencedSet,
        "local last = tonumber(redis.call('GET', KEYS[2]) or '0') if tonumber(ARGV[1]) < last \
         then return 0 end redis.call('SET', KEYS[2], ARGV[1]) redis.call('SET', KEYS[1], \
         ARGV[2]) return 1",
    ),
];

/// What a step asks for.
enum Asked {
    /// A client's call: whose, and which of its calls.
    Call(usize, usize),
    /// A fault or an operator's doing: nothing is answered but that it was done.
    Done,
}

/// A trace on its way to become a world.
struct Plan {
    nodes: Vec<String>,
    clients: Vec<String>,
    calls: Vec<Vec<(Span, NodeId, Ask)>>,
    clicks: Vec<Click<Party>>,
}

fn texts(value: &Value) -> Result<Vec<Text>, String> {
    let list = value.as_array().ok_or(format!("{value} is no list"))?;
    let text = |item: &Value| item.as_str().map(Text::from).ok_or(format!("{item} is no text"));
    list.iter().map(text).collect()
}

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    value[name].as_str().ok_or(format!("`{name}` is no text"))
}

fn known(args: &Value, fields: &[&str]) -> Result<(), String> {
    let args = args.as_object().ok_or("`args` is no table")?;
    match args.keys().find(|name| !fields.contains(&name.as_str())) {
        Some(name) => Err(format!("the argument `{name}` is not known")),
        None => Ok(()),
    }
}

impl Plan {
    fn node(&self, name: &str) -> Result<NodeId, String> {
        let place = self.nodes.iter().position(|node| node == name);
        place.map(|place| NodeId(place as u8)).ok_or(format!("there is no node `{name}`"))
    }

    fn step(&mut self, step: &Value, setup: &Value) -> Result<Asked, Problem> {
        let at_ms = step["at_ms"].as_i64().ok_or("a step has a time".to_owned())?;
        let args = &step["args"];
        let click = |action| Click { at: TrueTime(at_ms * 1_000), action };
        match text(step, "op")? {
            "node_stop" => {
                known(args, &["node", "crash"])?;
                let node = self.node(text(args, "node")?)?;
                self.clicks.push(click(Action::Crash { node, restart_after: None }));
            }
            "node_start" => {
                known(args, &["node"])?;
                let node = self.node(text(args, "node")?)?;
                self.clicks.push(click(Action::Restart { node }));
            }
            op @ ("link_cut" | "link_restore") => {
                known(args, &["between"])?;
                let between = texts(&args["between"])?;
                let [one, other] = &between[..] else {
                    return Err("a link has two ends".to_owned().into());
                };
                let (one, other) = (self.node(one)?, self.node(other)?);
                for (from, to) in [(one, other), (other, one)] {
                    self.clicks.push(click(match op {
                        "link_cut" => Action::Cut { from, to, lasting: None },
                        _ => Action::Heal { from, to },
                    }));
                }
            }
            op @ ("cmd" | "eval" | "evalsha") => return self.call(op, step, at_ms, setup),
            other => return Err(Problem::Outside(format!("`{other}`"))),
        }
        Ok(Asked::Done)
    }

    fn call(&mut self, op: &str, step: &Value, at: i64, setup: &Value) -> Result<Asked, Problem> {
        let args = &step["args"];
        let node = self.node(text(args, "node")?)?;
        let ask = match op {
            "cmd" => {
                known(args, &["node", "argv"])?;
                self.command(texts(&args["argv"])?)?
            }
            _ => {
                known(args, &["node", "script", "keys", "argv"])?;
                let script = script(text(args, "script")?, setup)?;
                let (keys, argv) = (texts(&args["keys"])?, texts(&args["argv"])?);
                let call = Call { script, keys, argv };
                if op == "eval" { Ask::Eval(call) } else { Ask::EvalSha(call) }
            }
        };
        let client = text(step, "client")?;
        let known = self.clients.iter().position(|other| other == client);
        let client = known.unwrap_or_else(|| {
            self.clients.push(client.to_owned());
            self.calls.push(Vec::new());
            self.clients.len() - 1
        });
        self.calls[client].push((Span::from_ms(at), node, ask));
        Ok(Asked::Call(client, self.calls[client].len() - 1))
    }

    fn command(&self, mut argv: Vec<Text>) -> Result<Ask, Problem> {
        let name = argv.first().cloned().unwrap_or_default().to_ascii_uppercase();
        if !api::is_known(&name) {
            return Err(Problem::Outside(format!("`{name}`")));
        }
        // In the model a node's number is its address.
        if ["REPLICAOF", "SLAVEOF"].contains(&name.as_str()) && argv.len() == 3 {
            let host = argv[1].trim_matches(['{', '}']).to_owned();
            if let Ok(node) = self.node(&host) {
                argv[1] = node.0.to_string().into();
                argv[2] = "6379".into();
            } else if !argv[1].eq_ignore_ascii_case("no") {
                return Err(Problem::Outside(format!("`{name}` of `{host}`, which is no node")));
            }
        }
        Ok(Ask::Command(argv))
    }

    fn world(&self, setup: &Value) -> Result<Nodes, String> {
        let persistence = match setup["persistence"].as_str() {
            Some("aof") => Persistence::Aof,
            Some("none") | None => Persistence::None,
            Some(other) => return Err(format!("the persistence `{other}` is not known")),
        };
        let all: Vec<NodeId> = (0..self.nodes.len() as u8).map(NodeId).collect();
        let is_replicated = self.nodes.iter().any(|name| name.starts_with("replica"));
        let config = |node: &NodeId| {
            let own = [*node];
            let nodes = if is_replicated { &all[..] } else { &own[..] };
            RedisConfig { persistence, ..RedisConfig::new(*node, nodes) }
        };
        Ok(Nodes {
            nodes: all.iter().map(config).collect(),
            clients: self.calls.clone(),
            clicks: self.clicks.clone(),
            latency: LiteMap::new(),
        })
    }
}

fn script(name: &str, setup: &Value) -> Result<Script, Problem> {
    let text = setup["scripts"][name].as_str();
    let found = SCRIPTS.iter().find(|(known, _, source)| *known == name && text == Some(*source));
    let outside = || Problem::Outside(format!("the script `{name}`"));
    found.map(|(_, script, _)| *script).ok_or_else(outside)
}

/// A reply in the trace's own form; the time left is rounded as it was recorded.
fn written(reply: &Reply, ask: &Ask) -> Value {
    let is_pttl = matches!(ask, Ask::Command(words) if words[0].eq_ignore_ascii_case("pttl"));
    let typed = |kind: &str, value: Value| json!({"type": kind, "value": value});
    match reply {
        Reply::Status(word) => typed("status", json!(word)),
        Reply::Bulk(text) => typed("bulk", json!(&**text)),
        Reply::Int(ms) if is_pttl && *ms > 0 => typed("int", json!((ms + 50) / 100 * 100)),
        Reply::Int(number) => typed("int", json!(number)),
        Reply::Nil => typed("nil", Value::Null),
        Reply::Array(all) => typed("array", all.iter().map(|reply| written(reply, ask)).collect()),
        Reply::Error(error) => {
            json!({"type": "error", "code": error.code(), "message_class": error.to_string()})
        }
    }
}

fn reply_of(reply: &Reply, ask: &Ask) -> Value {
    match reply {
        Reply::Error(error) => {
            json!({"error": {"code": error.code(), "message_class": error.to_string()}})
        }
        _ => json!({"ok": written(reply, ask)}),
    }
}

/// When a call was answered, and how, in the trace's own form.
fn answered(
    events: &[Event<Party>],
    client: NodeId,
    id: RequestId,
    ask: &Ask,
) -> Option<(TrueTime, Value)> {
    let own = || events.iter().filter(|event| event.node == client);
    let name = own().find_map(|event| match &event.what {
        What::Sent { message, body: Sent(Message::Redis(request)) } if request.id == id => {
            Some(message)
        }
        _ => None,
    })?;
    own().find_map(|event| match &event.what {
        What::Delivered { body: Sent(Message::RedisReply(response)), .. } => {
            (response.id == id).then(|| (event.at, reply_of(&response.reply, ask)))
        }
        What::Returned { message } => {
            let error = json!({"code": "CONNECTION", "message_class": "node down"});
            (message == name).then(|| (event.at, json!({"error": error})))
        }
        _ => None,
    })
}

/// Replays a trace.
///
/// # Errors
/// When the file is not what a trace is.
pub fn replay(trace: &Value) -> Result<Replayed, String> {
    let setup = &trace["setup"];
    let nodes = texts(&setup["nodes"])?.iter().map(|name| name.to_string()).collect();
    let mut script = Plan { nodes, clients: Vec::new(), calls: Vec::new(), clicks: Vec::new() };
    let steps = trace["steps"].as_array().ok_or("a trace has steps")?;
    let mut asked = Vec::new();
    for step in steps {
        match script.step(step, setup) {
            Ok(one) => asked.push(one),
            Err(Problem::Outside(operation)) => {
                return Ok(Replayed::Outside { step: step["n"].clone(), operation });
            }
            Err(Problem::Wrong(wrong)) => return Err(format!("step {}: {wrong}", step["n"])),
        }
    }
    let last = steps.last().and_then(|step| step["at_ms"].as_i64()).unwrap_or(0);
    let mut world = script.world(setup)?.world();
    let events = run(&mut world, TrueTime((last + 60_000) * 1_000));
    let mut compared = Compared::default();
    for (place, (step, one)) in steps.iter().zip(&asked).enumerate() {
        compared.operations += 1;
        let next = steps.get(place + 1).and_then(|next| next["at_ms"].as_i64());
        let difference = match one {
            Asked::Done => done(&step["reply"]),
            Asked::Call(client, call) => {
                let (_, _, ask) = &script.calls[*client][*call];
                let client = NodeId((script.nodes.len() + client) as u8);
                let reply = answered(&events, client, RequestId(*call as u32), ask);
                compare(step, reply, next)
            }
        };
        if let Some((what, weight)) = difference {
            compared.differences.push(Difference { step: step["n"].clone(), what, weight });
        }
    }
    Ok(Replayed::Compared(compared))
}

pub fn done(server: &Value) -> Option<(String, Weight)> {
    let model = json!({"ok": {}});
    (*server != model).then(|| (format!("done, but the server answered {server}"), Weight::Matters))
}

/// What differs of one step's reply, if something does.
pub fn compare(
    step: &Value,
    reply: Option<(TrueTime, Value)>,
    next_ms: Option<i64>,
) -> Option<(String, Weight)> {
    let server = &step["reply"];
    let matters = |what: String| Some((what, Weight::Matters));
    let Some((at, model)) = reply else {
        return matters(format!("not answered, but the server answered {server}"));
    };
    let at_ms = |name: &str| step[name].as_i64().unwrap_or_default();
    let (earliest, latest) = match step["blocks"].as_bool() {
        Some(true) => (at_ms("replied_at_ms") - EARLY_MS, at_ms("replied_at_ms") + LATE_MS),
        _ => (at_ms("at_ms"), next_ms.unwrap_or(at_ms("at_ms") + LATE_MS)),
    };
    if !(earliest * 1_000..=latest * 1_000).contains(&at.0) {
        let when = at.0 / 1_000;
        return matters(format!("answered at {when} ms, not from {earliest} to {latest} ms"));
    }
    let what = format!("answered {model}, but the server {server}");
    (model != *server).then(|| (what, weight(&model, server)))
}
