//! Replays a trace of an object store: the same operations to the engine's own. A trace that
//! needs what the model does not have is told by the operation.

use super::outcome::{Compared, Difference, Problem, Replayed, Weight, weight};
use fencepost::actors::etcd::api::{RequestId, Text};
use fencepost::actors::objects::Objects;
use fencepost::actors::objects::api::{
    Condition, ETag, GetIf, Metadata, ObjectError, Op, Put, PutIf, Reply, Request,
};
use fencepost::actors::{Actor, Message};
use fencepost::sim::process::{Command, Draws, Input, NodeId, Now, Out};
use fencepost::sim::time::{Mono, Span, Wall};
use serde_json::{Value, json};

const CLIENT: NodeId = NodeId(0);
const STORE: NodeId = NodeId(1);

/// An ETag that no body has.
const NO_ETAG: ETag = ETag(0);

/// A store and the names of the ETags that were seen.
struct Replaying {
    objects: Objects,
    seen: Vec<ETag>,
    draws: Draws,
}

fn text(value: &Value, name: &str) -> Result<Text, Problem> {
    let text = value[name].as_str().map(Text::from);
    text.ok_or(Problem::Wrong(format!("`{name}` is no text")))
}

fn metadata(args: &Value) -> Result<Metadata, Problem> {
    let fields = args["metadata"].as_object().into_iter().flatten();
    fields.map(|(name, _)| Ok((name.as_str().into(), text(&args["metadata"], name)?))).collect()
}

impl Replaying {
    fn op(&self, step: &Value) -> Result<Op, Problem> {
        let (name, args) = (&*text(step, "op")?, &step["args"]);
        let known: &[&str] = match name {
            "put" => &["bucket", "key", "body", "metadata", "if_match", "if_none_match"],
            "get" => &["bucket", "key", "if_match", "if_none_match"],
            "head" => &["bucket", "key"],
            "delete" => &["bucket", "key", "if_match"],
            _ => return Err(Problem::Outside(format!("`{name}`"))),
        };
        let fields = args.as_object().ok_or("`args` is no table".to_owned())?;
        if let Some(other) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            return Err(Problem::Outside(format!("`{name}` with `{other}`")));
        }
        match &*text(args, "bucket")? {
            "plain" => {}
            other => return Err(Problem::Outside(format!("the bucket `{other}`"))),
        }
        let key = text(args, "key")?;
        let (if_match, if_none_match) = (self.etag(args, "if_match")?, &args["if_none_match"]);
        Ok(match (name, if_match, if_none_match) {
            ("head", ..) => Op::Head { key },
            ("delete", if_match, _) => Op::Delete { key, if_match },
            (_, Some(_), Value::String(_)) => {
                return Err(Problem::Outside(format!("`{name}` with two conditions")));
            }
            ("get", Some(etag), _) => Op::Get { key, only: GetIf::Match(etag) },
            ("get", None, Value::Null) => Op::Get { key, only: GetIf::Always },
            ("get", None, _) => match self.etag(args, "if_none_match")? {
                Some(etag) => Op::Get { key, only: GetIf::NoneMatch(etag) },
                None => return Err(Problem::Outside("`get` with `*`".to_owned())),
            },
            (_, if_match, _) => {
                let only = match (if_match, if_none_match.as_str()) {
                    (Some(etag), _) => PutIf::Match(etag),
                    (None, Some("*")) => PutIf::Absent,
                    (None, None) => PutIf::Always,
                    (None, Some(_)) => {
                        let what = "`put` with an ETag in `if_none_match`".to_owned();
                        return Err(Problem::Outside(what));
                    }
                };
                let (body, metadata) = (text(args, "body")?, metadata(args)?);
                Op::Put(Put { key, body, metadata, only, means: None, record: None })
            }
        })
    }

    fn etag(&self, args: &Value, name: &str) -> Result<Option<ETag>, Problem> {
        let Some(text) = args[name].as_str() else { return Ok(None) };
        if text == "*" {
            return Ok(None);
        }
        if text == "none" {
            return Ok(Some(NO_ETAG));
        }
        let place = text.strip_prefix('E').and_then(|place| place.parse::<usize>().ok());
        let etag = place.and_then(|place| self.seen.get(place.checked_sub(1)?));
        etag.copied().map(Some).ok_or(format!("`{text}` names no ETag that was seen").into())
    }

    /// An ETag's name: the next one, if it was not seen before.
    fn name(&mut self, etag: ETag) -> Value {
        if !self.seen.contains(&etag) {
            self.seen.push(etag);
        }
        let place = self.seen.iter().position(|seen| *seen == etag).unwrap_or_default();
        json!(format!("E{}", place + 1))
    }

    /// What the store answers, in the trace's own form.
    fn ask(&mut self, op: Op) -> Option<Value> {
        let is_head = matches!(op, Op::Head { .. });
        let message = Message::Objects(Request { id: RequestId(1), op });
        let now = Now { mono: Mono(0), wall: Wall(0) };
        let mut out = Out::<Actor>::new(STORE, now, &mut self.draws);
        self.objects.handle(Input::Message { from: CLIENT, message }, now, &mut out);
        let result = out.into_commands().into_iter().find_map(|command| match command {
            Command::Send { message: Message::ObjectsAnswer(response), .. } => {
                Some(response.result)
            }
            _ => None,
        })?;
        Some(match result {
            Ok(reply) => json!({"ok": self.reply(&reply)}),
            Err(error) => json!({"error": refused(error, is_head)}),
        })
    }

    fn reply(&mut self, reply: &Reply) -> Value {
        match reply {
            Reply::Object(object) => json!({
                "status": 200, "body": &*object.body, "etag": self.name(object.etag),
                "version_id": null, "metadata": written(&object.metadata),
            }),
            Reply::Head { etag, metadata, .. } => json!({
                "status": 200, "etag": self.name(*etag), "version_id": null,
                "metadata": written(metadata),
            }),
            Reply::Stored { etag, .. } => {
                json!({"status": 200, "etag": self.name(*etag), "version_id": null})
            }
            Reply::Deleted => json!({"status": 204, "version_id": null, "delete_marker": false}),
        }
    }
}

fn written(metadata: &Metadata) -> Value {
    metadata.iter().map(|(name, text)| (name.to_string(), json!(&**text))).collect()
}

/// An answer without a body, as that to a head, has no code but its status.
fn refused(error: ObjectError, is_head: bool) -> Value {
    let (status, code) = (error.status(), error.code());
    let wording = match error {
        ObjectError::NotModified => "Not Modified",
        ObjectError::NoSuchKey if is_head => "Not Found",
        ObjectError::NoSuchKey => "The specified key does not exist.",
        ObjectError::ConditionalRequestConflict => "",
        ObjectError::PreconditionFailed(_) => {
            "At least one of the pre-conditions you specified did not hold"
        }
    };
    let has_body = !is_head && error != ObjectError::NotModified;
    let code = if has_body { code.to_owned() } else { status.to_string() };
    let mut fields = json!({"code": code, "message_class": wording, "status": status});
    if let ObjectError::PreconditionFailed(condition) = error {
        fields["condition"] = json!(Condition::name(condition));
    }
    fields
}

/// Replays a trace.
///
/// # Errors
/// When the file is not what a trace is.
pub fn replay(trace: &Value) -> Result<Replayed, String> {
    let steps = trace["steps"].as_array().ok_or("a trace has steps")?;
    let objects = Objects::new(Span::ZERO);
    let mut replaying = Replaying { objects, seen: Vec::new(), draws: Draws::new(1) };
    let mut compared = Compared::default();
    for step in steps {
        let op = match replaying.op(step) {
            Ok(op) => op,
            Err(Problem::Outside(operation)) => {
                return Ok(Replayed::Outside { step: step["n"].clone(), operation });
            }
            Err(Problem::Wrong(wrong)) => return Err(format!("step {}: {wrong}", step["n"])),
        };
        compared.operations += 1;
        let (model, server) = (replaying.ask(op), &step["reply"]);
        let (what, weight) = match model {
            Some(model) if model == *server => continue,
            Some(model) => {
                let weight = weight(&model, server);
                (format!("answered {model}, but the server {server}"), weight)
            }
            None => (format!("not answered, but the server answered {server}"), Weight::Matters),
        };
        compared.differences.push(Difference { step: step["n"].clone(), what, weight });
    }
    Ok(Replayed::Compared(compared))
}
