//! What a client can ask of an object store and what it is answered, as S3 has it.
//!
//! The store looks at no number of a client's. All it offers are conditions on the ETag,
//! looked at in the step that stores.

use crate::actors::etcd::api::{RequestId, Text};
use crate::actors::note::StoreNote;
use crate::actors::store::api::{Owner, Refusal, Token, Version, Write};
use litemap::LiteMap;
use serde::Serialize;
use std::fmt;

pub use super::lock::Record;

/// What goes with an object besides its body. The ETag says nothing of it.
pub type Metadata = LiteMap<Text, Text>;

/// What an object's body comes to: equal bodies have equal ETags. S3 takes the body's MD5
/// for an upload in one part; here it is another hash of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ETag(pub u64);

impl ETag {
    /// Of a body.
    pub fn of(body: &str) -> ETag {
        ETag(xxhash_rust::xxh3::xxh3_64(body.as_bytes()))
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:08x}", self.0 >> 32)
    }
}

/// A call to the store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// Repeated in the answer; a retry has the same number.
    pub id: RequestId,
    /// What is asked.
    pub op: Op,
}

/// The store's operations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Op {
    /// PutObject.
    Put(Put),
    /// GetObject.
    Get {
        /// Which.
        key: Text,
        /// On what condition.
        only: GetIf,
    },
    /// HeadObject: as a get, without the body.
    Head {
        /// Which.
        key: Text,
    },
    /// DeleteObject.
    Delete {
        /// Which.
        key: Text,
        /// `If-Match`: only while the object has this ETag.
        if_match: Option<ETag>,
    },
}

/// An object on its way into the store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Put {
    /// Under which key.
    pub key: Text,
    /// Its content.
    pub body: Text,
    /// What goes with it.
    pub metadata: Metadata,
    /// On what condition.
    pub only: PutIf,
    /// What its client means by it. The partner goes by that once it is stored, and so
    /// does the trace; the store does not look at it.
    pub means: Option<Means>,
    /// The record in its body, where it is a lock's. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

/// What a client means by a put.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Means {
    /// The content as it was, under this token from now on.
    Claim {
        /// The token.
        token: Token,
        /// Whose it is.
        owner: Owner,
    },
    /// A report.
    Report(Write),
}

impl Means {
    /// The token under which it is done.
    pub fn token(&self) -> Token {
        match self {
            Means::Claim { token, .. } => *token,
            Means::Report(write) => write.token,
        }
    }

    /// What it came to, as it is told: at which version, and what is booked in all by then.
    pub fn told(&self, done: Result<(), Refusal>, version: Version, booked: i64) -> StoreNote {
        match (self, done) {
            (Means::Claim { token, owner }, done) => {
                // The data is one.
                let (token, owner, object) = (*token, *owner, "".into());
                match done {
                    Ok(()) => StoreNote::Claimed { token, owner, version, object },
                    Err(refusal) => StoreNote::ClaimRefused { token, owner, refusal, object },
                }
            }
            (Means::Report(write), Ok(())) => {
                StoreNote::accepted(write, version, write.amount, booked)
            }
            (Means::Report(write), Err(refusal)) => StoreNote::refused(write, refusal),
        }
    }
}

/// On what condition a put is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PutIf {
    /// Always.
    Always,
    /// `If-None-Match: *`: only when there is no such object.
    Absent,
    /// `If-Match`: only while the object has this ETag.
    Match(ETag),
}

/// On what condition a get is answered with the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum GetIf {
    /// Always.
    Always,
    /// `If-Match`: only while it has this ETag.
    Match(ETag),
    /// `If-None-Match`: only when it has another ETag.
    NoneMatch(ETag),
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The request's.
    pub id: RequestId,
    /// What came of it.
    pub result: Result<Reply, ObjectError>,
}

/// A good answer: 200, or 204 to a delete.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Reply {
    /// To a get.
    Object(Object),
    /// To a head.
    Head {
        /// The object's ETag.
        etag: ETag,
        /// What goes with it.
        metadata: Metadata,
        /// As in [`Object`].
        version: Version,
    },
    /// To a put.
    Stored {
        /// The object's ETag from now on.
        etag: ETag,
        /// As in [`Object`].
        version: Version,
    },
    /// To a delete, whether there was such an object or not.
    Deleted,
}

/// An object as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Object {
    /// Its content.
    pub body: Text,
    /// What goes with it.
    pub metadata: Metadata,
    /// Its ETag.
    pub etag: ETag,
    /// How many reports have been stored under this key. S3 says nothing of the kind, and no
    /// client decides by it: the properties ask which version a report was computed from.
    pub version: Version,
    /// The record in its body, where it is a lock's. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

/// A bad answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ObjectError {
    /// 304: the object is as the client knows it.
    NotModified,
    /// 404: there is no such object.
    NoSuchKey,
    /// 409: another operation on the key came to its end while this one was under way.
    ConditionalRequestConflict,
    /// 412: the condition does not hold.
    PreconditionFailed(Condition),
}

/// The header that did not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Condition {
    /// `If-Match`.
    IfMatch,
    /// `If-None-Match`.
    IfNoneMatch,
}

impl ObjectError {
    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            ObjectError::NotModified => 304,
            ObjectError::NoSuchKey => 404,
            ObjectError::ConditionalRequestConflict => 409,
            ObjectError::PreconditionFailed(_) => 412,
        }
    }

    /// S3's code. A 304 has no body that could say one.
    pub fn code(self) -> &'static str {
        match self {
            ObjectError::NotModified => "NotModified",
            ObjectError::NoSuchKey => "NoSuchKey",
            ObjectError::ConditionalRequestConflict => "ConditionalRequestConflict",
            ObjectError::PreconditionFailed(_) => "PreconditionFailed",
        }
    }
}

impl Condition {
    /// The header's name.
    pub fn name(self) -> &'static str {
        match self {
            Condition::IfMatch => "If-Match",
            Condition::IfNoneMatch => "If-None-Match",
        }
    }
}

impl Op {
    /// The token under which a client puts, if it puts under one.
    pub fn token(&self) -> Option<Token> {
        let Op::Put(put) = self else { return None };
        put.means.as_ref().map(Means::token)
    }

    /// The kind of call, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            Op::Put(_) => "put-object",
            Op::Get { .. } => "get-object",
            Op::Head { .. } => "head-object",
            Op::Delete { .. } => "delete-object",
        }
    }
}

impl Response {
    /// The kind of answer, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match &self.result {
            Err(_) => "object-error",
            Ok(Reply::Object(_)) => "object",
            Ok(Reply::Head { .. }) => "object-head",
            Ok(Reply::Stored { .. }) => "object-stored",
            Ok(Reply::Deleted) => "object-deleted",
        }
    }
}
