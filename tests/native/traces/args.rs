//! A step's operation, read from its arguments.

use super::names::Names;
use fencepost::actors::etcd::api::{
    Compare, CompareOp, Delete, KeyRange, Keys, LeaseId, Op, Order, Put, Range, Target, Txn, TxnOp,
    WatchCreate,
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

pub fn watch_number(args: &mut Args) -> Result<u32, String> {
    let name = args.text("watch")?;
    let number = name.strip_prefix('W').and_then(|number| number.parse().ok());
    number.ok_or(format!("`{name}` names no watch"))
}
