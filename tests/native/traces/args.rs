//! A step's operation, read from its arguments.

use super::names::Names;
use fencepost::actors::etcd::api::{
    Compare, CompareOp, Delete, IgnoreLease, KeyRange, Keys, LeaderKey, LeaseId, Op, Order, Prev,
    Put, Range, ServiceOp, Target, Text, Txn, TxnOp, WatchCreate,
};
use serde_json::{Map, Value, json};

/// An operation's arguments; whatever is left over is an error.
pub struct Args(Map<String, Value>);

impl Args {
    pub fn of(value: &Value) -> Result<Args, String> {
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

    pub fn done<T>(self, result: T) -> Result<T, String> {
        match self.0.keys().next() {
            Some(name) => Err(format!("`{name}` is not known")),
            None => Ok(result),
        }
    }

    fn prev(&mut self) -> Result<Prev, String> {
        Ok(if self.flag("prev_kv")? { Prev::Wanted } else { Prev::NotWanted })
    }

    fn key(&mut self, names: &Names) -> Result<Text, String> {
        names.read_key(&self.text("key")?)
    }

    fn lease(&mut self, names: &Names) -> Result<LeaseId, String> {
        names.read_lease(&self.take("lease")?)
    }

    fn leader(&mut self, names: &Names) -> Result<LeaderKey, String> {
        let mut leader = Args::of(&self.take("leader")?)?;
        let rev = names.read_revision(&leader.take("rev")?)?;
        let (name, key) = (leader.text("name")?.into(), leader.key(names)?);
        let lease = leader.lease(names)?;
        leader.done(LeaderKey { name, key, rev, lease })
    }

    fn keys(&mut self, names: &Names) -> Result<KeyRange, String> {
        let key = self.key(names)?;
        Ok(if self.flag("prefix")? { KeyRange::Prefix(key) } else { KeyRange::Key(key) })
    }

    fn put(mut self, names: &Names) -> Result<Put, String> {
        let lease = match self.0.remove("lease") {
            Some(lease) => names.read_lease(&lease)?,
            None => LeaseId::NONE,
        };
        let (key, value) = (self.key(names)?, self.text("value")?.into());
        let ignore_lease =
            if self.flag("ignore_lease")? { IgnoreLease::Yes } else { IgnoreLease::No };
        let prev = self.prev()?;
        self.done(Put { key, value, lease, ignore_lease, prev })
    }

    fn delete(mut self, names: &Names) -> Result<Delete, String> {
        let (keys, prev) = (self.keys(names)?, self.prev()?);
        self.done(Delete { keys, prev })
    }

    fn range(mut self, names: &Names) -> Result<Range, String> {
        let order = match self.0.remove("sort") {
            None => Order::Key,
            Some(sort) if sort == "create_revision asc" => Order::OldestFirst,
            Some(sort) => return Err(format!("the order {sort} is not known")),
        };
        let limit = self.0.remove("limit").map_or(Some(0), |limit| limit.as_u64());
        let limit = limit.and_then(|n| u32::try_from(n).ok()).ok_or("`limit` is no number")?;
        let revision = self.0.remove("revision").unwrap_or(json!(0));
        let (keys, revision) = (self.keys(names)?, names.read_revision(&revision)?);
        self.done(Range { order, limit, revision, ..Range::of(keys) })
    }

    fn txn(mut self, names: &Names) -> Result<Txn, String> {
        let mut list = |name: &str| -> Result<Vec<Value>, String> {
            self.take(name)?.as_array().cloned().ok_or(format!("`{name}` is no list"))
        };
        let (compare, success, failure) = (list("compare")?, list("success")?, list("failure")?);
        let branch = |ops: Vec<Value>| -> Result<Vec<TxnOp>, String> {
            ops.iter().map(|op| txn_op(op, names)).collect()
        };
        let compare =
            compare.iter().map(|one| compare_one(one, names)).collect::<Result<_, _>>()?;
        let txn = Txn { compare, success: branch(success)?, failure: branch(failure)? };
        self.done(txn)
    }
}

fn txn_op(op: &Value, names: &Names) -> Result<TxnOp, String> {
    let op = Args::of(op)?;
    match op.0.iter().next().filter(|_| op.0.len() == 1) {
        Some((kind, args)) if kind == "put" => Ok(TxnOp::Put(Args::of(args)?.put(names)?)),
        Some((kind, args)) if kind == "range" => Ok(TxnOp::Range(Args::of(args)?.range(names)?)),
        Some((kind, args)) if kind == "delete" => Ok(TxnOp::Delete(Args::of(args)?.delete(names)?)),
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
    let key = args.key(names)?;
    args.done(Compare { key, target, op })
}

/// The call of a step.
pub fn op(step: &Value, names: &Names) -> Result<Op, String> {
    let mut args = Args::of(&step["args"])?;
    match step["op"].as_str().unwrap_or_default() {
        "lease_grant" => {
            let ttl_s = args.take("ttl")?.as_i64().ok_or("`ttl` is no number")?;
            let lease = match args.0.remove("lease") {
                Some(lease) => names.read_lease(&lease)?,
                None => LeaseId::NONE,
            };
            args.done(Op::LeaseGrant { ttl_s, lease })
        }
        kind @ ("lease_keepalive" | "lease_revoke" | "lease_time_to_live") => {
            let lease = args.lease(names)?;
            let keys = if args.flag("keys")? { Keys::Wanted } else { Keys::NotWanted };
            args.done(match kind {
                "lease_keepalive" => Op::LeaseKeepAlive { lease },
                "lease_revoke" => Op::LeaseRevoke { lease },
                _ => Op::LeaseTimeToLive { lease, keys },
            })
        }
        "put" => Ok(Op::Put(args.put(names)?)),
        "range" => Ok(Op::Range(args.range(names)?)),
        "delete" => Ok(Op::Delete(args.delete(names)?)),
        "lease_leases" => args.done(Op::LeaseLeases),
        "compact" => {
            let revision = names.read_revision(&args.take("revision")?)?;
            args.done(Op::Compact { revision })
        }
        "txn" => Ok(Op::Txn(args.txn(names)?)),
        "watch_create" => {
            let watch = watch_number(&mut args)?;
            let start = args.0.remove("start_revision").unwrap_or(json!(0));
            let (keys, start_revision) = (args.keys(names)?, names.read_revision(&start)?);
            let prev = args.prev()?;
            args.done(Op::WatchCreate(WatchCreate { watch, keys, start_revision, prev }))
        }
        other => service_op(other, args, names).map(Op::Service),
    }
}

/// A call to the lock or the election service.
fn service_op(op: &str, mut args: Args, names: &Names) -> Result<ServiceOp, String> {
    let op = match op {
        "lock" => ServiceOp::Lock { name: args.text("name")?.into(), lease: args.lease(names)? },
        "unlock" => ServiceOp::Unlock { key: args.key(names)? },
        "campaign" => {
            let (name, value) = (args.text("name")?.into(), args.text("value")?.into());
            ServiceOp::Campaign { name, lease: args.lease(names)?, value }
        }
        "proclaim" => {
            let value = args.text("value")?.into();
            ServiceOp::Proclaim { leader: args.leader(names)?, value }
        }
        "election_leader" => ServiceOp::Leader { name: args.text("name")?.into() },
        "resign" => ServiceOp::Resign { leader: args.leader(names)? },
        other => return Err(format!("the operation `{other}` is not known")),
    };
    args.done(op)
}

pub fn watch_number(args: &mut Args) -> Result<u32, String> {
    let name = args.text("watch")?;
    let number = name.strip_prefix('W').and_then(|number| number.parse().ok());
    number.ok_or(format!("`{name}` names no watch"))
}
