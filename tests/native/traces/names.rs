//! Names for what is random on a server, and replies in the traces' own form.

use fencepost::actors::etcd::api::{
    Body, EtcdError, KeyValue, Keys, LeaseId, Op, RangeReply, Reply, TxnReply, WatchEvent,
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
            Body::Revoked | Body::Put => json!({}),
            Body::TimeToLive { lease, ttl_s, granted_ttl_s, keys } => {
                let lease = self.lease(*lease);
                let mut body = json!({"lease": lease, "ttl": ttl_s, "granted_ttl": granted_ttl_s});
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

    pub fn watch_event(&mut self, event: &WatchEvent) -> Value {
        match event {
            WatchEvent::Put(kv) => json!({"type": "PUT", "kv": self.kv(kv)}),
            WatchEvent::Delete { key, mod_revision } => {
                let mod_revision = self.revision(*mod_revision);
                json!({"type": "DELETE", "key": &**key, "mod_revision": mod_revision})
            }
        }
    }
}
