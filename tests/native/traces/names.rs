//! Names for what is random on a server, and replies in the traces' own form.

use fencepost::actors::etcd::api::{
    Body, EtcdError, KeyValue, Keys, LeaderKey, LeaseId, Op, RangeReply, Reply, ServiceReply, Text,
    TxnReply, WatchEvent,
};
use serde_json::{Value, json};

/// The number of no lease that was ever granted.
const NEVER_GRANTED: LeaseId = LeaseId(7);

/// The names of a trace: what is random on a server has a name instead.
pub struct Names {
    pub rev_base: i64,
    pub leases: Vec<LeaseId>,
}

impl Names {
    fn revision(&self, revision: i64) -> Value {
        match revision {
            0 => json!(0),
            _ => json!(format!("b+{}", revision - self.rev_base)),
        }
    }

    pub fn read_revision(&self, value: &Value) -> Result<i64, String> {
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

    pub fn read_lease(&self, value: &Value) -> Result<LeaseId, String> {
        if value.as_i64() == Some(0) {
            return Ok(LeaseId::NONE);
        }
        if value.as_str() == Some("unknown") {
            return Ok(NEVER_GRANTED);
        }
        let place = value.as_str().and_then(|text| text.strip_prefix('L')?.parse::<usize>().ok());
        let known = place.and_then(|place| self.leases.get(place.checked_sub(1)?));
        known.copied().ok_or(format!("{value} names no lease that was seen"))
    }

    /// A key; `{L1}` in it stands for that lease's number in hex.
    pub fn read_key(&self, key: &str) -> Result<Text, String> {
        let Some((before, rest)) = key.split_once('{') else { return Ok(key.into()) };
        let name = rest.strip_suffix('}').ok_or(format!("`{key}` is no key"))?;
        let lease = self.read_lease(&json!(name))?;
        Ok(format!("{before}{:x}", lease.0).into())
    }

    fn key(&self, key: &str) -> Value {
        let known = (1..).zip(&self.leases).find_map(|(number, lease)| {
            let before = key.strip_suffix(&format!("/{:x}", lease.0))?;
            Some(format!("{before}/{{L{number}}}"))
        });
        json!(known.unwrap_or(key.to_owned()))
    }
}

impl Names {
    /// A reply in the trace's own form.
    pub fn reply(&mut self, result: &Result<Reply, EtcdError>, op: &Op) -> Value {
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
            Body::Revoked | Body::Compacted => json!({}),
            Body::Put(prev) => self.with_prev(json!({}), prev.as_ref()),
            Body::Leases(leases) => {
                let mut leases: Vec<Value> = leases.iter().map(|it| self.lease(*it)).collect();
                leases.sort_by_key(Value::to_string);
                json!({"leases": leases})
            }
            Body::Service(reply) => self.service(reply),
            Body::TimeToLive { lease, ttl_s, granted_ttl_s, keys } => {
                let lease = self.lease(*lease);
                let mut body = json!({"lease": lease, "ttl": ttl_s, "granted_ttl": granted_ttl_s});
                if matches!(op, Op::LeaseTimeToLive { keys: Keys::Wanted, .. }) {
                    body["keys"] = keys.iter().map(|key| self.key(key)).collect();
                }
                body
            }
            Body::Range(reply) => self.range(reply),
            Body::Deleted { deleted, prev_kvs } => self.deleted(*deleted, prev_kvs),
            Body::Txn { succeeded, responses } => {
                let responses: Vec<Value> = responses
                    .iter()
                    .map(|response| match response {
                        TxnReply::Put(prev) => {
                            json!({"put": self.with_prev(json!({}), prev.as_ref())})
                        }
                        TxnReply::Range(reply) => json!({"range": self.range(reply)}),
                        TxnReply::Deleted { deleted, prev_kvs } => {
                            json!({"delete": self.deleted(*deleted, prev_kvs)})
                        }
                    })
                    .collect();
                json!({"succeeded": succeeded, "responses": responses})
            }
            Body::WatchCreated { .. } => json!({"created": true}),
        }
    }

    fn service(&mut self, reply: &ServiceReply) -> Value {
        match reply {
            ServiceReply::Locked { key } => json!({"key": self.key(key)}),
            ServiceReply::Unlocked | ServiceReply::Proclaimed | ServiceReply::Resigned => json!({}),
            ServiceReply::Leader(kv) => json!({"kv": self.kv(kv)}),
            ServiceReply::Elected(LeaderKey { name, key, rev, lease }) => json!({"leader": {
                "name": &**name,
                "key": self.key(key),
                "rev": self.revision(*rev),
                "lease": self.lease(*lease),
            }}),
        }
    }

    fn with_prev(&mut self, mut fields: Value, prev: Option<&KeyValue>) -> Value {
        if let Some(prev) = prev {
            fields["prev_kv"] = self.kv(prev);
        }
        fields
    }

    fn deleted(&mut self, deleted: u32, prev_kvs: &[KeyValue]) -> Value {
        let mut fields = json!({"deleted": deleted});
        if !prev_kvs.is_empty() {
            fields["prev_kvs"] = prev_kvs.iter().map(|kv| self.kv(kv)).collect();
        }
        fields
    }

    fn range(&mut self, reply: &RangeReply) -> Value {
        let kvs: Vec<Value> = reply.kvs.iter().map(|kv| self.kv(kv)).collect();
        json!({"kvs": kvs, "count": reply.count})
    }

    fn kv(&mut self, kv: &KeyValue) -> Value {
        json!({
            "key": self.key(&kv.key),
            "value": &*kv.value,
            "create_revision": self.revision(kv.create_revision),
            "mod_revision": self.revision(kv.mod_revision),
            "version": kv.version,
            "lease": self.lease(kv.lease),
        })
    }

    pub fn watch_event(&mut self, event: &WatchEvent, prev: Option<&KeyValue>) -> Value {
        let told = match event {
            WatchEvent::Put(kv) => json!({"type": "PUT", "kv": self.kv(kv)}),
            WatchEvent::Delete { key, mod_revision } => {
                let mod_revision = self.revision(*mod_revision);
                json!({"type": "DELETE", "key": self.key(key), "mod_revision": mod_revision})
            }
        };
        self.with_prev(told, prev)
    }
}
