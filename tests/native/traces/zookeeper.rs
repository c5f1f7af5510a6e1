//! Replays a trace of ZooKeeper: the same calls at the same moments, to the engine's
//! server, by clients that keep their connections as the engine's own do.

use super::outcome::{Compared, Difference, Problem, Replayed, weight};
use crate::zk_party::{Act, Answer, Ensemble, Party, client};
use fencepost::actors::Message;
use fencepost::actors::zookeeper::api::{
    Ask, Event, EventKind, Mode, Op, Read, Reply, Response, SessionId, Stat, Text, Watch, What,
    Write, ZkError, Zxid,
};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event as Happened, What as Happens};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;
use serde_json::{Value, json};

const SERVER: NodeId = NodeId(0);

/// What a step asks for.
enum Asked {
    /// A client's act: whose, which of its acts, and what.
    Act(usize, u32, Act),
    /// What a client knows.
    State(usize),
    /// What a client's watches told since the last time.
    Poll(usize),
    /// A fault or its end: nothing is answered but that it was done.
    Done,
}

#[derive(Default)]
struct Plan {
    clients: Vec<String>,
    acts: Vec<Vec<(Span, Act)>>,
    killed: Vec<usize>,
    clicks: Vec<Click<Party>>,
    /// The sessions by name, in the order of their opening, with their passwords.
    sessions: Vec<(SessionId, u64)>,
}

/// Takes fields out of `args`; what is left is not known.
struct Args(serde_json::Map<String, Value>);

impl Args {
    fn of(value: &Value) -> Result<Args, String> {
        value.as_object().cloned().map(Args).ok_or(format!("{value} is no table"))
    }

    fn text(&mut self, name: &str) -> Result<Text, String> {
        let value = self.0.remove(name).unwrap_or_default();
        value.as_str().map(Text::from).ok_or(format!("`{name}` is no text"))
    }

    fn number(&mut self, name: &str) -> Result<i64, String> {
        let value = self.0.remove(name).unwrap_or_default();
        value.as_i64().ok_or(format!("`{name}` is no number"))
    }

    fn flag(&mut self, name: &str) -> bool {
        self.0.remove(name).and_then(|value| value.as_bool()).unwrap_or(false)
    }

    fn done<T>(self, value: T) -> Result<T, String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("the argument `{name}` is not known")),
            None => Ok(value),
        }
    }
}

fn write(op: &str, args: &Value) -> Result<Write, String> {
    let mut args = Args::of(args)?;
    let path = args.text("path")?;
    let version = |args: &mut Args| Ok::<i32, String>(args.number("version")? as i32);
    let write = match op {
        "create" => {
            let mode = match (args.flag("ephemeral"), args.flag("sequence")) {
                (false, false) => Mode::Persistent,
                (false, true) => Mode::PersistentSequential,
                (true, false) => Mode::Ephemeral,
                (true, true) => Mode::EphemeralSequential,
            };
            Write::Create { path, data: args.text("data")?, mode }
        }
        "delete" => Write::Delete { path, version: version(&mut args)? },
        "set" => Write::Set { path, data: args.text("data")?, version: version(&mut args)? },
        _ => Write::Check { path, version: version(&mut args)? },
    };
    args.done(write)
}

fn read(what: What, args: &Value) -> Result<Read, String> {
    let mut args = Args::of(args)?;
    let watch = if args.0.remove("watch").is_some() { Watch::Yes } else { Watch::No };
    let path = args.text("path")?;
    args.done(Read { what, path, watch })
}

fn multi(args: &Value) -> Result<Op, String> {
    let ops = args["ops"].as_array().ok_or("`ops` is no list")?;
    let one = |op: &Value| {
        let fields = op.as_object().ok_or(format!("{op} is no operation"))?;
        match fields.iter().next() {
            Some((name, args)) if ["create", "delete", "set", "check"].contains(&name.as_str()) => {
                write(name, args)
            }
            _ => Err(format!("{op} is no operation of a multi")),
        }
    };
    ops.iter().map(one).collect::<Result<_, _>>().map(Op::Multi)
}

impl Plan {
    fn client(&mut self, name: &str) -> usize {
        let known = self.clients.iter().position(|other| other == name);
        known.unwrap_or_else(|| {
            self.clients.push(name.to_owned());
            self.acts.push(Vec::new());
            self.clients.len() - 1
        })
    }

    fn step(&mut self, step: &Value) -> Result<Asked, Problem> {
        let at_ms = step["at_ms"].as_i64().ok_or("a step has a time".to_owned())?;
        let (op, args) = (step["op"].as_str().unwrap_or_default(), &step["args"]);
        let at = TrueTime(at_ms * 1_000);
        let mut fault = |action| self.clicks.push(Click { at, action });
        match op {
            "server_stop" => fault(Action::Crash { node: SERVER, restart_after: None }),
            "server_start" => fault(Action::Restart { node: SERVER }),
            _ => return self.of_client(op, args, step, at),
        }
        Ok(Asked::Done)
    }

    fn of_client(
        &mut self,
        op: &str,
        args: &Value,
        step: &Value,
        at: TrueTime,
    ) -> Result<Asked, Problem> {
        let name = step["client"].as_str().ok_or("a step has a client".to_owned())?.to_owned();
        let client = self.client(&name);
        let node = NodeId(1 + client as u8);
        let act = match op {
            "connect" => self.connect(args)?,
            "close" => Act::Call(Ask::Close),
            "create" | "set" | "delete" => Act::Call(Ask::Op(Op::Write(write(op, args)?))),
            "multi" => Act::Call(Ask::Op(multi(args)?)),
            "get" => Act::Call(Ask::Op(Op::Read(read(What::Data, args)?))),
            "exists" => Act::Call(Ask::Op(Op::Read(read(What::Exists, args)?))),
            "children" => Act::Call(Ask::Op(Op::Read(read(What::Children, args)?))),
            "session_state" => return Ok(Asked::State(client)),
            "watch_poll" => return Ok(Asked::Poll(client)),
            "client_pause" => {
                self.clicks.push(Click { at, action: Action::Pause { node, lasting: None } });
                return Ok(Asked::Done);
            }
            "client_resume" => {
                self.clicks.push(Click { at, action: Action::Resume { node } });
                return Ok(Asked::Done);
            }
            "client_kill" => {
                self.clicks.push(Click { at, action: Action::Crash { node, restart_after: None } });
                self.killed.push(client);
                return Ok(Asked::Done);
            }
            other => return Err(Problem::Outside(format!("`{other}`"))),
        };
        if self.killed.contains(&client) {
            self.killed.retain(|other| *other != client);
            let at = at - Span::from_ms(1);
            self.clicks.push(Click { at, action: Action::Restart { node } });
        }
        self.acts[client].push((at - TrueTime(0), act.clone()));
        Ok(Asked::Act(client, self.acts[client].len() as u32 - 1, act))
    }

    fn connect(&self, args: &Value) -> Result<Act, String> {
        let mut args = Args::of(args)?;
        let timeout = Span::from_ms(args.number("timeout_ms")?);
        let session = match args.0.remove("session") {
            None => None,
            Some(name) => {
                let place = name.as_str().and_then(|name| name.strip_prefix('S')?.parse().ok());
                let place: usize = place.ok_or(format!("{name} names no session"))?;
                let wrong = u64::from(&*args.text("password")? == "bad");
                // Not known yet when the world is made for the first time.
                let known = self.sessions.get(place - 1);
                known.map(|(session, password)| (*session, password + wrong))
            }
        };
        args.done(Act::Connect(timeout, session))
    }

    fn world(&self, setup: &Value) -> Result<World<Party>, String> {
        let tick = setup["tick_ms"].as_i64().ok_or("`tick_ms` is no number")?;
        let (acts, clicks) = (self.acts.clone(), self.clicks.clone());
        let ensemble = Ensemble::new(1, Span::from_ms(tick), acts);
        Ok(Ensemble { clicks, ..ensemble }.world())
    }
}

/// Names for what is random, and replies in the traces' own form.
struct Names<'a>(&'a [(SessionId, u64)]);

impl Names<'_> {
    fn zxid(&self, zxid: Zxid) -> Value {
        json!(format!("z+{}", zxid.0))
    }

    fn session(&self, session: SessionId) -> Value {
        match self.0.iter().position(|(known, _)| *known == session) {
            Some(place) => json!(format!("S{}", place + 1)),
            None => json!(0),
        }
    }

    fn stat(&self, stat: &Stat) -> Value {
        json!({
            "czxid": self.zxid(stat.czxid),
            "mzxid": self.zxid(stat.mzxid),
            "pzxid": self.zxid(stat.pzxid),
            "version": stat.version,
            "cversion": stat.cversion,
            "aversion": 0,
            "ephemeralOwner": self.session(stat.owner),
            "dataLength": stat.data_length,
            "numChildren": stat.children,
        })
    }

    fn reply(&self, reply: &Reply) -> Value {
        match reply {
            Reply::Created { path, .. } => json!({"path": &**path}),
            Reply::Done | Reply::Closed => json!({}),
            Reply::Stat(stat) => json!({"stat": stat.map(|stat| self.stat(&stat))}),
            Reply::Data(data, stat) => json!({"data": &**data, "stat": self.stat(stat)}),
            Reply::Children(names) => {
                json!({"children": names.iter().map(|name| &**name).collect::<Vec<_>>()})
            }
            Reply::Connected { .. } | Reply::Pong | Reply::Multi(_) => {
                unreachable!("told elsewhere, or never asked for by a trace")
            }
        }
    }

    fn answer(&self, answer: &Answer, act: &Act) -> Value {
        let error = |error: ZkError| {
            let message_class = format!("KeeperErrorCode {}", error.code());
            json!({"code": format!("{error:?}"), "message_class": message_class})
        };
        let Response { zxid, result, .. } = match answer {
            Answer::Connected(session, timeout) => {
                let timeout = timeout.ms();
                let session = self.session(*session);
                return json!({"ok": {"session": session, "negotiated_timeout_ms": timeout}});
            }
            Answer::Own(own) => return json!({"error": error(*own)}),
            Answer::Of(response) => response,
        };
        let zxid = self.zxid(*zxid);
        match (result, act) {
            (Ok(Reply::Multi(replies)), Act::Call(Ask::Op(Op::Multi(writes)))) => {
                let one = |(reply, write): (&Reply, &Write)| {
                    let kind = Ask::Op(Op::Write(write.clone())).kind();
                    json!({ kind: self.reply(reply) })
                };
                let results: Vec<Value> = replies.iter().zip(writes).map(one).collect();
                json!({"ok": {"results": results, "zxid": zxid}})
            }
            (Ok(reply), _) => {
                let mut fields = self.reply(reply);
                if *reply != Reply::Closed {
                    fields["zxid"] = zxid;
                }
                json!({"ok": fields})
            }
            (Err(failure), _) => {
                let mut fields = error(failure.error);
                fields["zxid"] = zxid;
                if !failure.results.is_empty() {
                    let name = |error: &ZkError| json!({"error": format!("{error:?}")});
                    fields["results"] = failure.results.iter().map(name).collect();
                }
                json!({"error": fields})
            }
        }
    }
}

/// The watches of the clients by name: a client tells its own watchers of what it hears.
#[derive(Default)]
struct Watches {
    left: Vec<(usize, Text, What, String)>,
    polled: Vec<(usize, usize)>,
}

impl Watches {
    /// A read was answered well: its watch is left.
    fn leave(&mut self, client: usize, step: &Value, act: &Act, reply: &Value) {
        let Act::Call(Ask::Op(Op::Read(read))) = act else { return };
        if let (Some(name), true) = (step["args"]["watch"].as_str(), reply["ok"].is_object()) {
            self.left.push((client, read.path.clone(), read.what, name.to_owned()));
        }
    }

    fn told(&mut self, client: usize, event: &Event) -> Vec<Value> {
        let fits = |what: What| match event.kind {
            EventKind::Created | EventKind::Changed => what != What::Children,
            EventKind::Child => what == What::Children,
            EventKind::Deleted => true,
        };
        let (told, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.left)
            .into_iter()
            .partition(|(of, path, what, _)| *of == client && *path == event.path && fits(*what));
        self.left = left;
        let mut names: Vec<String> = told.into_iter().map(|(.., name)| name).collect();
        names.sort();
        let kind = format!("{:?}", event.kind).to_uppercase();
        let path = &*event.path;
        let one = |name: &String| json!({"watch": name, "type": kind, "path": path, "state": "CONNECTED"});
        names.iter().map(one).collect()
    }

    fn poll(&mut self, client: usize, all: &[Event]) -> Value {
        if !self.polled.iter().any(|(of, _)| *of == client) {
            self.polled.push((client, 0));
        }
        let polled = self.polled.iter_mut().find(|(of, _)| *of == client);
        let before = polled.map_or(0, |(_, count)| std::mem::replace(count, all.len()));
        let events: Vec<Value> =
            all[before..].iter().flat_map(|event| self.told(client, event)).collect();
        json!({"ok": {"events": events}})
    }
}

/// What a step is answered in the world that has come to the next one.
fn answer(
    asked: &Asked,
    step: &Value,
    world: &World<Party>,
    names: &Names,
    watches: &mut Watches,
) -> Value {
    let calls = |of: &usize| client(world, NodeId(1 + *of as u8));
    match asked {
        Asked::Done => json!({"ok": {}}),
        Asked::State(of) => {
            let calls = calls(of);
            json!({"ok": {"expired": calls.expired, "connected": calls.is_connected()}})
        }
        Asked::Poll(of) => watches.poll(*of, &calls(of).told),
        Asked::Act(of, place, act) => {
            match calls(of).answers.iter().find(|(known, _)| known == place) {
                Some((_, answer)) => {
                    let reply = names.answer(answer, act);
                    watches.leave(*of, step, act, &reply);
                    reply
                }
                None => json!("no reply before the next step"),
            }
        }
    }
}

/// The sessions in the order of their opening: those of all clients, as a first run has
/// them.
fn sessions(world: &mut World<Party>, until: TrueTime) -> Vec<(SessionId, u64)> {
    let mut all = Vec::new();
    world.run_until(until, &mut |event: Happened<Party>| {
        if let Happens::Delivered { body, .. } = event.what
            && let Message::ZkReply(response) = body.0
            && let Ok(Reply::Connected { session, password, .. }) = response.result
            && !all.contains(&(session, password))
        {
            all.push((session, password));
        }
    });
    all
}

type Planned = Result<(Plan, Vec<Asked>), (Value, Problem)>;

fn planned(steps: &[Value], sessions: Vec<(SessionId, u64)>) -> Planned {
    let mut plan = Plan { sessions, ..Plan::default() };
    let mut asked = Vec::new();
    for step in steps {
        asked.push(plan.step(step).map_err(|problem| (step["n"].clone(), problem))?);
    }
    Ok((plan, asked))
}

/// Replays a trace.
///
/// # Errors
/// When the file is not what a trace is.
pub fn replay(trace: &Value) -> Result<Replayed, String> {
    let setup = &trace["setup"];
    let steps = trace["steps"].as_array().ok_or("a trace has steps")?;
    if setup["servers"] != json!(1) {
        let operation = format!("an ensemble of {} servers", setup["servers"]);
        return Ok(Replayed::Outside { step: Value::Null, operation });
    }
    let ends = |step: &Value| step["at_ms"].as_i64().unwrap_or(0) + 100;
    let end = TrueTime(steps.last().map_or(0, ends) * 1_000);
    let mut known = Vec::new();
    let (plan, asked) = loop {
        let (plan, asked) = match planned(steps, known.clone()) {
            Ok(planned) => planned,
            Err((step, Problem::Outside(operation))) => {
                return Ok(Replayed::Outside { step, operation });
            }
            Err((step, Problem::Wrong(wrong))) => return Err(format!("step {step}: {wrong}")),
        };
        let found = sessions(&mut plan.world(setup)?, end);
        if found == known {
            break (plan, asked);
        }
        known = found;
    };
    let mut world = plan.world(setup)?;
    let (names, mut watches) = (Names(&plan.sessions), Watches::default());
    let mut compared = Compared::default();
    for (place, (step, asked)) in steps.iter().zip(&asked).enumerate() {
        let until = match (asked, steps.get(place + 1)) {
            // What a client knows, it knows when it is asked.
            (Asked::State(_) | Asked::Poll(_), _) => step["at_ms"].as_i64(),
            (_, Some(next)) => next["at_ms"].as_i64().map(|ms| ms - 1),
            (_, None) => Some(ends(step)),
        };
        let until = until.ok_or(format!("step {} or the next has no time", step["n"]))?;
        world.run_until(TrueTime(until * 1_000), &mut |_| {});
        let model = answer(asked, step, &world, &names, &mut watches);
        let mut server = step["reply"].clone();
        // No order is promised.
        if let Some(ok) = server.get_mut("ok").and_then(Value::as_object_mut) {
            ok.remove("raw_order");
        }
        compared.operations += 1;
        if model != server {
            let what = format!("answered {model}, but the server {server}");
            let weight = weight(&model, &server);
            compared.differences.push(Difference { step: step["n"].clone(), what, weight });
        }
    }
    Ok(Replayed::Compared(compared))
}
