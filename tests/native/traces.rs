//! Traces of real servers, replayed against the engine's own: what is called etcd
//! answers as etcd does. `traces/etcd/README.md` says what a trace is.

use crate::etcd_party::{Cluster, Party, Sent, member, run};
use fencepost::actors::Message;
use fencepost::actors::etcd::Part;
use fencepost::actors::etcd::api::{
    Body, Compare, CompareOp, Delete, EtcdError, KeyRange, KeyValue, Keys, LeaseId, Op, Order, Put,
    Range, RangeReply, Reply, RequestId, Response, Target, Txn, TxnOp, TxnReply, WatchCreate,
    WatchEvent,
};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;
use serde_json::{Map, Value, json};

const SERVER: NodeId = NodeId(0);
const CLIENT: NodeId = NodeId(1);
const LATENCY: Span = Span::from_us(500);
/// An election wait that lies within what trace 12 allows for.
const SEED: u64 = 1;

const TRACES: [(&str, &str); 5] = [
    ("etcd-01", include_str!("traces/etcd/etcd-01.json")),
    ("etcd-02", include_str!("traces/etcd/etcd-02.json")),
    ("etcd-03", include_str!("traces/etcd/etcd-03.json")),
    ("etcd-11", include_str!("traces/etcd/etcd-11.json")),
    ("etcd-12", include_str!("traces/etcd/etcd-12.json")),
];

/// The names of a trace: what is random on a server has a name instead.
struct Names {
    rev_base: i64,
    leases: Vec<LeaseId>,
}

type Object = Map<String, Value>;

impl Names {
    fn revision(&self, revision: i64) -> Value {
        match revision {
            0 => json!(0),
            _ => json!(format!("b+{}", revision - self.rev_base)),
        }
    }

    fn read_revision(&self, value: &Value) -> Result<i64, String> {
        match value.as_str().and_then(|text| text.strip_prefix("b+")) {
            Some(ahead) => ahead.parse().map(|n: i64| self.rev_base + n).map_err(|e| e.to_string()),
            None => value.as_i64().filter(|n| *n == 0).ok_or(format!("{value} is no revision")),
        }
    }

    /// A lease's name: the next one, if it was not seen before.
    fn lease(&mut self, lease: LeaseId) -> Value {
        if lease == LeaseId::NONE {
            return json!(0);
        }
        if !self.leases.contains(&lease) {
            self.leases.push(lease);
        }
        let place = self.leases.iter().position(|known| *known == lease);
        json!(format!("L{}", place.map_or(0, |place| place + 1)))
    }

    fn read_lease(&self, value: &Value) -> Result<LeaseId, String> {
        if value.as_i64() == Some(0) {
            return Ok(LeaseId::NONE);
        }
        let place = value.as_str().and_then(|text| text.strip_prefix('L')?.parse::<usize>().ok());
        let known = place.and_then(|place| self.leases.get(place.checked_sub(1)?));
        known.copied().ok_or(format!("{value} names no lease that was seen"))
    }
}

/// An operation's arguments; whatever is left over is an error.
struct Args(Object);

impl Args {
    fn of(value: &Value) -> Result<Args, String> {
        value.as_object().cloned().map(Args).ok_or(format!("{value} is no object"))
    }

    fn take(&mut self, name: &str) -> Result<Value, String> {
        self.0.remove(name).ok_or(format!("`{name}` is missing"))
    }

    fn text(&mut self, name: &str) -> Result<String, String> {
        let value = self.take(name)?;
        value.as_str().map(str::to_owned).ok_or(format!("`{name}` is no text"))
    }

    fn flag(&mut self, name: &str) -> Result<bool, String> {
        match self.0.remove(name) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or(format!("`{name}` is neither true nor false")),
        }
    }

    fn done<T>(self, result: T) -> Result<T, String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("`{name}` is not known")),
            None => Ok(result),
        }
    }

    fn keys(&mut self) -> Result<KeyRange, String> {
        let key = self.text("key")?.into();
        Ok(if self.flag("prefix")? { KeyRange::Prefix(key) } else { KeyRange::Key(key) })
    }

    fn put(mut self, names: &Names) -> Result<Put, String> {
        let lease = match self.0.remove("lease") {
            Some(lease) => names.read_lease(&lease)?,
            None => LeaseId::NONE,
        };
        let (key, value) = (self.text("key")?.into(), self.text("value")?.into());
        self.done(Put { key, value, lease })
    }

    fn range(mut self) -> Result<Range, String> {
        let order = match self.0.remove("sort") {
            None => Order::Key,
            Some(sort) if sort == "create_revision asc" => Order::OldestFirst,
            Some(sort) => return Err(format!("the order {sort} is not known")),
        };
        let limit = self.0.remove("limit").map_or(Some(0), |limit| limit.as_u64());
        let limit = limit.and_then(|n| u32::try_from(n).ok()).ok_or("`limit` is no number")?;
        let keys = self.keys()?;
        self.done(Range { keys, max_create_revision: 0, order, limit })
    }

    fn txn(mut self, names: &Names) -> Result<Txn, String> {
        let mut list = |name: &str| -> Result<Vec<Value>, String> {
            self.take(name)?.as_array().cloned().ok_or(format!("`{name}` is no list"))
        };
        let (compare, success, failure) = (list("compare")?, list("success")?, list("failure")?);
        let branch = |ops: Vec<Value>| -> Result<Vec<TxnOp>, String> {
            ops.iter().map(|op| txn_op(op, names)).collect()
        };
        let compare = compare.iter().map(|one| compare_one(one, names)).collect::<Result<_, _>>()?;
        let txn = Txn { compare, success: branch(success)?, failure: branch(failure)? };
        self.done(txn)
    }
}

fn txn_op(op: &Value, names: &Names) -> Result<TxnOp, String> {
    let op = Args::of(op)?;
    match op.0.iter().next().filter(|_| op.0.len() == 1) {
        Some((kind, args)) if kind == "put" => Ok(TxnOp::Put(Args::of(args)?.put(names)?)),
        Some((kind, args)) if kind == "range" => Ok(TxnOp::Range(Args::of(args)?.range()?)),
        Some((kind, args)) if kind == "delete" => {
            let mut args = Args::of(args)?;
            let keys = args.keys()?;
            args.done(TxnOp::Delete(Delete { keys }))
        }
        _ => Err(format!("{:?} is no operation of a transaction", op.0)),
    }
}

fn compare_one(compare: &Value, names: &Names) -> Result<Compare, String> {
    let mut args = Args::of(compare)?;
    let value = args.take("value")?;
    let target = match args.text("target")?.as_str() {
        "create_revision" => Target::CreateRevision(names.read_revision(&value)?),
        "mod_revision" => Target::ModRevision(names.read_revision(&value)?),
        "version" => Target::Version(value.as_i64().ok_or("a version is a number")?),
        "value" => Target::Value(value.as_str().ok_or("a value is text")?.into()),
        "lease" => Target::Lease(names.read_lease(&value)?),
        other => return Err(format!("`{other}` cannot be compared")),
    };
    let op = match args.text("op")?.as_str() {
        "=" => CompareOp::Equal,
        "!=" => CompareOp::NotEqual,
        "<" => CompareOp::Less,
        ">" => CompareOp::Greater,
        other => return Err(format!("`{other}` is no comparison")),
    };
    let key = args.text("key")?.into();
    args.done(Compare { key, target, op })
}

/// The call of a step, and whether its reply lists a lease's keys.
fn op(step: &Value, names: &Names) -> Result<Op, String> {
    let mut args = Args::of(&step["args"])?;
    match step["op"].as_str().unwrap_or_default() {
        "lease_grant" => {
            let ttl_s = args.take("ttl")?.as_i64().ok_or("`ttl` is no number")?;
            args.done(Op::LeaseGrant { ttl_s, lease: LeaseId::NONE })
        }
        kind @ ("lease_keepalive" | "lease_revoke" | "lease_time_to_live") => {
            let lease = names.read_lease(&args.take("lease")?)?;
            let keys = if args.flag("keys")? { Keys::Wanted } else { Keys::NotWanted };
            args.done(match kind {
                "lease_keepalive" => Op::LeaseKeepAlive { lease },
                "lease_revoke" => Op::LeaseRevoke { lease },
                _ => Op::LeaseTimeToLive { lease, keys },
            })
        }
        "put" => Ok(Op::Put(args.put(names)?)),
        "range" => Ok(Op::Range(args.range()?)),
        "delete" => {
            let keys = args.keys()?;
            args.done(Op::Delete(Delete { keys }))
        }
        "txn" => Ok(Op::Txn(args.txn(names)?)),
        "watch_create" => {
            let watch = watch_number(&mut args)?;
            let start = args.0.remove("start_revision").unwrap_or(json!(0));
            let (keys, start_revision) = (args.keys()?, names.read_revision(&start)?);
            args.done(Op::WatchCreate(WatchCreate { watch, keys, start_revision }))
        }
        other => Err(format!("the operation `{other}` is not known")),
    }
}

fn watch_number(args: &mut Args) -> Result<u32, String> {
    let name = args.text("watch")?;
    let number = name.strip_prefix('W').and_then(|number| number.parse().ok());
    number.ok_or(format!("`{name}` names no watch"))
}

impl Names {
    /// A reply in the trace's own form.
    fn reply(&mut self, result: &Result<Reply, EtcdError>, op: &Op) -> Value {
        match result {
            Err(error) => {
                json!({"error": {"code": error.code(), "message_class": error.to_string()}})
            }
            Ok(Reply { revision, body }) => {
                let mut fields = self.body(body, op);
                fields["revision"] = self.revision(*revision);
                json!({"ok": fields})
            }
        }
    }

    fn body(&mut self, body: &Body, op: &Op) -> Value {
        match body {
            Body::Lease { lease, ttl_s } => json!({"lease": self.lease(*lease), "ttl": ttl_s}),
            Body::Revoked | Body::Put => json!({}),
            Body::TimeToLive { lease, ttl_s, granted_ttl_s, keys } => {
                let lease = self.lease(*lease);
                let mut body =
                    json!({"lease": lease, "ttl": ttl_s, "granted_ttl": granted_ttl_s});
                if matches!(op, Op::LeaseTimeToLive { keys: Keys::Wanted, .. }) {
                    body["keys"] = keys.iter().map(|key| json!(&**key)).collect();
                }
                body
            }
            Body::Range(reply) => self.range(reply),
            Body::Deleted { deleted } => json!({"deleted": deleted}),
            Body::Txn { succeeded, responses } => {
                let responses: Vec<Value> = responses
                    .iter()
                    .map(|response| match response {
                        TxnReply::Put => json!({"put": {}}),
                        TxnReply::Range(reply) => json!({"range": self.range(reply)}),
                        TxnReply::Deleted(deleted) => json!({"delete": {"deleted": deleted}}),
                    })
                    .collect();
                json!({"succeeded": succeeded, "responses": responses})
            }
            Body::WatchCreated { .. } => json!({"created": true}),
        }
    }

    fn range(&mut self, reply: &RangeReply) -> Value {
        let kvs: Vec<Value> = reply.kvs.iter().map(|kv| self.kv(kv)).collect();
        json!({"kvs": kvs, "count": reply.count})
    }

    fn kv(&mut self, kv: &KeyValue) -> Value {
        json!({
            "key": &*kv.key,
            "value": &*kv.value,
            "create_revision": self.revision(kv.create_revision),
            "mod_revision": self.revision(kv.mod_revision),
            "version": kv.version,
            "lease": self.lease(kv.lease),
        })
    }

    fn watch_event(&mut self, event: &WatchEvent) -> Value {
        match event {
            WatchEvent::Put(kv) => json!({"type": "PUT", "kv": self.kv(kv)}),
            WatchEvent::Delete { key, mod_revision } => {
                let mod_revision = self.revision(*mod_revision);
                json!({"type": "DELETE", "key": &**key, "mod_revision": mod_revision})
            }
        }
    }
}

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
            members: 1,
            clients: vec![self.calls.clone()],
            clicks: self.clicks.clone(),
            latency: LATENCY,
            seed: SEED,
            revision: self.names.rev_base,
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
        What::Delivered { body: Sent(Message::EtcdAnswer(Response { id: of, result })), .. } => {
            (*of == id).then(|| Some(result.clone()))
        }
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
