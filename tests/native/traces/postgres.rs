//! Replays a trace of PostgreSQL: the same statements at the same moments, to the engine's
//! server. A trace that needs what the model does not have is told by the operation.

use super::outcome::{Compared, Difference, Problem, Replayed};
use super::redis::{compare, done};
use crate::postgres_party::{Came, Client, Does, Party, SERVER, client, run, world};
use fencepost::actors::postgres::Order;
use fencepost::actors::postgres::PostgresConfig;
use fencepost::actors::postgres::api::{
    Advisory, Clock, Condition, Database, Key, Level, LockRow, OnConflict, Outcome, Reply,
    Sequence, Statement, Status, Strength, Timeout, Wait, Warning,
};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use serde_json::{Map, Value, json};

/// The first step comes so long after the clients have connected.
const LATER_MS: i64 = 1_000;

/// The tables and sequences that the model has.
const SCHEMA: [&str; 7] = [
    "CREATE TABLE res (id int PRIMARY KEY, value text NOT NULL, version int NOT NULL, token \
     bigint NOT NULL)",
    "INSERT INTO res VALUES (1, 'init', 1, 0), (2, 'init', 1, 0), (3, 'init', 1, 0)",
    "CREATE TABLE dedup (key text PRIMARY KEY, owner text NOT NULL)",
    "CREATE TABLE leases (name text PRIMARY KEY, owner text, token bigint NOT NULL, expires_at \
     timestamptz)",
    "INSERT INTO leases VALUES ('lock', NULL, 0, NULL)",
    "CREATE SEQUENCE fence",
    "CREATE SEQUENCE fence_cached CACHE 10",
];

/// What a step asks for.
enum Asked {
    /// A client's doing: whose, and which of its doings.
    Of(usize, usize),
    /// A fault: nothing is answered but that it was done.
    Fault,
}

/// A trace on its way to become a world.
struct Plan {
    clients: Vec<String>,
    does: Vec<Vec<(Span, Does)>>,
    clicks: Vec<Click<Party>>,
}

/// A step's arguments; whatever is left over is an error.
struct Args(Map<String, Value>);

impl Args {
    fn take(&mut self, name: &str) -> Result<Value, String> {
        self.0.remove(name).ok_or(format!("`{name}` is missing"))
    }

    fn text(&mut self, name: &str) -> Result<String, String> {
        let value = self.take(name)?;
        value.as_str().map(str::to_owned).ok_or(format!("`{name}` is no text"))
    }

    fn number(&mut self, name: &str) -> Result<i64, String> {
        self.take(name)?.as_i64().ok_or(format!("`{name}` is no number"))
    }

    fn flag(&mut self, name: &str) -> Result<bool, String> {
        match self.0.remove(name) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or(format!("`{name}` is neither true nor false")),
        }
    }

    fn ms(&mut self, name: &str) -> Result<Span, String> {
        self.number(name).map(Span::from_ms)
    }

    fn key(&mut self) -> Result<Key, String> {
        let value = self.take("key")?;
        let half = |place: usize| {
            value[place].as_i64().and_then(|half| i32::try_from(half).ok()).ok_or("half a key")
        };
        match value.as_i64() {
            Some(key) => Ok(Key::One(key)),
            None => Ok(Key::Two(half(0)?, half(1)?)),
        }
    }

    fn strength(&mut self) -> Result<Strength, String> {
        Ok(if self.flag("shared")? { Strength::Share } else { Strength::Update })
    }

    fn advisory(&mut self) -> Result<Advisory, String> {
        let level = if self.flag("xact")? { Level::Transaction } else { Level::Session };
        Ok(Advisory { key: self.key()?, strength: self.strength()?, level })
    }

    fn wait(&mut self) -> Result<Wait, String> {
        match self.text("wait")?.as_str() {
            "wait" => Ok(Wait::Wait),
            "nowait" => Ok(Wait::Nowait),
            "skip" => Ok(Wait::Skip),
            other => Err(format!("`{other}` is no way to wait")),
        }
    }

    fn sequence(&mut self) -> Result<Sequence, Problem> {
        match self.text("sequence")?.as_str() {
            "fence" => Ok(Sequence::Fence),
            "fence_cached" => Ok(Sequence::Cached),
            other => Err(Problem::Outside(format!("the sequence `{other}`"))),
        }
    }

    /// `now()` is what a lease goes by where nothing else is said.
    fn clock(&mut self) -> Result<Clock, Problem> {
        match self.0.remove("clock") {
            None => Ok(Clock::Database),
            Some(clock) if clock == "now()" => Ok(Clock::Database),
            Some(clock) => Err(Problem::Outside(format!("the clock {clock}"))),
        }
    }
}

fn statement(op: &str, args: &mut Args, clients: &[String]) -> Result<Statement, Problem> {
    Ok(match op {
        "begin" => match args.0.remove("isolation") {
            Some(isolation) if isolation != "read committed" => {
                return Err(Problem::Outside(format!("isolation {isolation}")));
            }
            _ => Statement::Begin,
        },
        "commit" => Statement::Commit,
        "rollback" => Statement::Rollback,
        "set" => {
            let timeout = match args.text("name")?.as_str() {
                "lock_timeout" => Timeout::Lock,
                "statement_timeout" => Timeout::Statement,
                "idle_in_transaction_session_timeout" => Timeout::IdleInTransaction,
                "idle_session_timeout" => Timeout::IdleSession,
                "deadlock_timeout" => Timeout::Deadlock,
                other => return Err(Problem::Outside(format!("SET `{other}`"))),
            };
            Statement::Set(timeout, args.ms("ms")?)
        }
        "try_advisory_lock" => Statement::TryAdvisory(args.advisory()?),
        "advisory_lock" => Statement::Advisory(args.advisory()?),
        "advisory_unlock" => Statement::AdvisoryUnlock(args.key()?, args.strength()?),
        "advisory_unlock_all" => Statement::AdvisoryUnlockAll,
        "advisory_locks" => Statement::AdvisoryLocks,
        "terminate_backend" => {
            let name = args.text("client")?;
            let place = clients.iter().position(|client| *client == name);
            let place = place.ok_or(format!("there is no client `{name}`"))?;
            Statement::TerminateBackend(machine(place))
        }
        _ => return on_rows(op, args),
    })
}

fn on_rows(op: &str, args: &mut Args) -> Result<Statement, Problem> {
    Ok(match op {
        "read" => Statement::Read(args.number("id")?),
        "count_value" => Statement::CountValue(args.text("value")?.into()),
        "select_for" => {
            let strength = match args.text("strength")?.as_str() {
                "update" => Strength::Update,
                "no key update" => Strength::NoKeyUpdate,
                "share" => Strength::Share,
                "key share" => Strength::KeyShare,
                other => return Err(format!("`{other}` is no strength").into()),
            };
            Statement::SelectFor(args.number("id")?, strength, args.wait()?)
        }
        "select_first_for_update" => Statement::SelectFirst(args.wait()?),
        "update" | "update_if_version" | "update_if_token" => {
            let when = match op {
                "update" => Condition::Always,
                "update_if_version" => Condition::Version(args.number("version")?),
                _ if args.flag("allow_equal")? => Condition::TokenAtMost(args.number("token")?),
                _ => Condition::TokenBelow(args.number("token")?),
            };
            let (id, value) = (args.number("id")?, args.text("value")?.into());
            Statement::Update { id, value, when }
        }
        "insert_once" => {
            let conflict = match args.text("on_conflict")?.as_str() {
                "nothing" => OnConflict::Nothing,
                "error" => OnConflict::Error,
                other => return Err(format!("`{other}` is no way out of a conflict").into()),
            };
            let (key, owner) = (args.text("key")?, args.text("owner")?);
            Statement::InsertOnce(key.into(), owner.into(), conflict)
        }
        "read_once" => Statement::ReadOnce(args.text("key")?.into()),
        "delete_once" => Statement::DeleteOnce(args.text("key")?.into()),
        "nextval" => Statement::Nextval(args.sequence()?),
        "currval" => Statement::Currval(args.sequence()?),
        "lease_acquire" => {
            let (owner, ttl) = (args.text("owner")?.into(), args.ms("ttl_ms")?);
            Statement::LeaseAcquire { owner, ttl, clock: args.clock()? }
        }
        "lease_renew" => {
            let (owner, ttl) = (args.text("owner")?.into(), args.ms("ttl_ms")?);
            let token = args.number("token")?;
            Statement::LeaseRenew { owner, token, ttl, clock: args.clock()? }
        }
        "lease_release" => {
            let whose = Some((args.text("owner")?.into(), args.number("token")?));
            Statement::LeaseRelease { whose }
        }
        "lease_read" => Statement::LeaseRead,
        other => return Err(Problem::Outside(format!("`{other}`"))),
    })
}

/// The machine of a client.
fn machine(place: usize) -> NodeId {
    NodeId(place as u8 + SERVER.0 + 1)
}

impl Plan {
    fn new(setup: &Value, steps: &[Value]) -> Result<Plan, Problem> {
        let ddl = setup["ddl"].as_array().cloned().unwrap_or_default();
        if ddl != SCHEMA {
            return Err(Problem::Outside("another schema".to_owned()));
        }
        let mut clients: Vec<String> = Vec::new();
        let mut connects_itself: Vec<bool> = Vec::new();
        for step in steps {
            let name = step["client"].as_str().ok_or("a step has a client".to_owned())?;
            if !clients.iter().any(|client| client == name) {
                clients.push(name.to_owned());
                connects_itself.push(step["op"] == "connect");
            }
        }
        let first = |connects: &bool| {
            let connect = (Span::from_ms(1), Does::Connect(Database::Main));
            if *connects { Vec::new() } else { vec![connect] }
        };
        let does = connects_itself.iter().map(first).collect();
        Ok(Plan { clients, does, clicks: Vec::new() })
    }

    fn step(&mut self, step: &Value) -> Result<Asked, Problem> {
        let at_ms = step["at_ms"].as_i64().ok_or("a step has a time".to_owned())? + LATER_MS;
        let args = step["args"].as_object().cloned().ok_or("`args` is no table".to_owned())?;
        let mut args = Args(args);
        let op = step["op"].as_str().ok_or("a step has an operation".to_owned())?;
        let fault = match op {
            "server_stop" if args.flag("crash")? => {
                Some(Action::Crash { node: SERVER, restart_after: None })
            }
            "server_stop" => Some(Action::Set { node: SERVER, setting: Order::ShutDown }),
            "server_start" => Some(Action::Restart { node: SERVER }),
            _ => None,
        };
        if let Some(action) = fault {
            self.clicks.push(Click { at: TrueTime(at_ms * 1_000), action });
            return left_over(args).map(|()| Asked::Fault);
        }
        let does = match op {
            "connect" => match args.text("database")?.as_str() {
                "fid" => Does::Connect(Database::Main),
                "other" => Does::Connect(Database::Other),
                other => return Err(Problem::Outside(format!("the database `{other}`"))),
            },
            "disconnect" | "client_kill" => Does::Close,
            _ => Does::Run(statement(op, &mut args, &self.clients)?),
        };
        left_over(args)?;
        let client = self.clients.iter().position(|client| step["client"] == **client);
        let client = client.expect("every step's client was found before");
        self.does[client].push((Span::from_ms(at_ms), does));
        Ok(Asked::Of(client, self.does[client].len() - 1))
    }
}

fn left_over(args: Args) -> Result<(), Problem> {
    match args.0.keys().next() {
        Some(name) => Err(format!("the argument `{name}` is not known").into()),
        None => Ok(()),
    }
}

/// The name of a row's only column, as the statement says it.
fn column(step: &Value) -> String {
    let sql = step["sql"].as_str().unwrap_or_default();
    let name = sql.split(" AS ").nth(1).and_then(|rest| rest.split(' ').next());
    name.unwrap_or("value").to_owned()
}

fn rows(outcome: &Outcome, step: &Value, clients: &[String]) -> Option<Vec<Value>> {
    let one =
        |value: Value| Some(vec![Value::Object([(column(step), value)].into_iter().collect())]);
    match outcome {
        Outcome::Connected | Outcome::Done(_) | Outcome::Changed(..) => None,
        Outcome::Flag(flag) => one(json!(flag)),
        Outcome::Number(number) => one(json!(number)),
        Outcome::Locks(locks) => Some(locks.iter().map(|row| lock_row(row, clients)).collect()),
        Outcome::Row(None) | Outcome::Once(None) | Outcome::Returned(None) => Some(Vec::new()),
        Outcome::Row(Some(row)) => {
            let mut fields = json!({"id": row.id, "value": &*row.value, "version": row.version});
            if step["op"] == "read" {
                fields["token"] = json!(row.token);
            }
            Some(vec![fields])
        }
        Outcome::Once(Some(owner)) => {
            Some(vec![json!({"key": step["args"]["key"], "owner": &**owner})])
        }
        Outcome::Returned(Some(token)) => Some(vec![json!({"token": token})]),
        Outcome::Lease(owner, token, live) => {
            Some(vec![json!({"owner": owner.as_deref(), "token": token, "live": live})])
        }
    }
}

fn lock_row(row: &LockRow, clients: &[String]) -> Value {
    let mode = if row.strength == Strength::Share { "ShareLock" } else { "ExclusiveLock" };
    let client = row.client.map(|node| &clients[node.index() - machine(0).index()]);
    json!({
        "classid": row.class,
        "objid": row.object,
        "objsubid": row.space,
        "mode": mode,
        "granted": row.granted,
        "client": client,
    })
}

fn notice(warning: Warning) -> Value {
    let words = match warning {
        Warning::NotOwned(Strength::Share) => "you don't own a lock of type ShareLock",
        Warning::NotOwned(_) => "you don't own a lock of type ExclusiveLock",
        Warning::InTransaction => "there is already a transaction in progress",
        Warning::NoTransaction => "there is no transaction in progress",
        Warning::NoBackend => "PID is not a PostgreSQL server process",
    };
    json!([{"severity": "WARNING", "code": warning.code(), "message_class": words}])
}

fn ok(reply: &Reply, status: Status, step: &Value, clients: &[String]) -> Value {
    let rows = rows(&reply.outcome, step, clients);
    let count = rows.as_ref().map_or(0, Vec::len);
    let tag = match &reply.outcome {
        Outcome::Connected => return json!({"ok": {}}),
        Outcome::Done(tag) => (*tag).to_owned(),
        Outcome::Changed(command, rows) => format!("{command} {rows}"),
        Outcome::Returned(_) => format!("UPDATE {count}"),
        _ => format!("SELECT {count}"),
    };
    let mut fields = json!({"tag": tag, "tx": transaction(status)});
    match &reply.outcome {
        Outcome::Changed(_, changed) => fields["rowcount"] = json!(changed),
        Outcome::Returned(_) => fields["rowcount"] = json!(count),
        _ => {}
    }
    if let Some(rows) = rows {
        fields["rows"] = json!(rows);
    }
    if let Some(warning) = reply.warning {
        fields["notices"] = notice(warning);
    }
    json!({"ok": fields})
}

fn transaction(status: Status) -> &'static str {
    match status {
        Status::Idle => "idle",
        Status::Open => "in_tx",
        Status::Failed => "failed",
    }
}

/// What came of a client's doing, in the trace's own form.
fn written(came: &Came, step: &Value, clients: &[String]) -> Value {
    let error = |code: &str, words: String, tx: &str| json!({"error": {"code": code, "message_class": words, "tx": tx}});
    match came {
        Came::Done => json!({"ok": {}}),
        Came::Answer(answer) => match &answer.result {
            Ok(reply) => ok(reply, answer.transaction, step, clients),
            Err(failed) => {
                error(failed.code(), failed.to_string(), transaction(answer.transaction))
            }
        },
        Came::Closed(None) => error("CONNECTION", "connection lost".to_owned(), "closed"),
        Came::Closed(Some(said)) => error(said.code(), said.to_string(), "closed"),
    }
}

/// Replays a trace.
///
/// # Errors
/// When the file is not what a trace is.
pub fn replay(trace: &Value) -> Result<Replayed, String> {
    let steps = trace["steps"].as_array().ok_or("a trace has steps")?;
    let outside = |step: &Value, operation| Ok(Replayed::Outside { step: step.clone(), operation });
    let mut plan = match Plan::new(&trace["setup"], steps) {
        Ok(plan) => plan,
        Err(Problem::Outside(operation)) => return outside(&Value::Null, operation),
        Err(Problem::Wrong(wrong)) => return Err(wrong),
    };
    let mut asked = Vec::new();
    for step in steps {
        match plan.step(step) {
            Ok(one) => asked.push(one),
            Err(Problem::Outside(operation)) => return outside(&step["n"], operation),
            Err(Problem::Wrong(wrong)) => return Err(format!("step {}: {wrong}", step["n"])),
        }
    }
    let last = steps.last().and_then(|step| step["at_ms"].as_i64()).unwrap_or(0);
    let clients = plan.does.iter().cloned().map(Client::new).collect();
    let mut world = world(PostgresConfig::new(SERVER), clients, plan.clicks.clone());
    run(&mut world, TrueTime((last + 60_000) * 1_000));
    let mut compared = Compared::default();
    for (place, (step, one)) in steps.iter().zip(&asked).enumerate() {
        compared.operations += 1;
        let next = steps.get(place + 1).and_then(|next| next["at_ms"].as_i64());
        let difference = match one {
            Asked::Fault => done(&step["reply"]),
            Asked::Of(whose, which) => {
                let log = &client(&world, machine(*whose)).log;
                let came = log.iter().find(|(place, ..)| *place as usize == *which);
                let reply = came.map(|(_, at, came)| {
                    let at = TrueTime(at.us() - LATER_MS * 1_000);
                    (at, written(came, step, &plan.clients))
                });
                compare(step, reply, next)
            }
        };
        if let Some((what, weight)) = difference {
            compared.differences.push(Difference { step: step["n"].clone(), what, weight });
        }
    }
    Ok(Replayed::Compared(compared))
}
