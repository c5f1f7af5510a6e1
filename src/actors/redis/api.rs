//! What a client can ask of a Redis node and what it is answered, in the parts that
//! locks use: commands on string keys, expiry, `WAIT`, `REPLICAOF`, `SAVE`, and four
//! scripts. A command is what goes over the wire: its words.

pub use crate::actors::etcd::api::{RequestId, Text};

use super::commands;
use serde::Serialize;
use std::fmt;

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// Repeated in the answer.
    pub id: RequestId,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Ask {
    /// A command: its name and its arguments.
    Command(Vec<Text>),
    /// `EVAL`: a script with its text.
    Eval(Call),
    /// `EVALSHA`: a script by its hash, which the node has to know.
    EvalSha(Call),
}

/// A script with its keys and arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// Which.
    pub script: Script,
    /// `KEYS`.
    pub keys: Vec<Text>,
    /// `ARGV`.
    pub argv: Vec<Text>,
}

/// The scripts that the model knows: it has no Lua. Each is the one that its name says
/// in libraries' source and in Redis's own documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Script {
    /// Deletes the key if its value is the argument.
    CompareAndDelete,
    /// Sets the key's time to live if its value is the argument.
    CompareAndPexpire,
    /// Takes a lock that is free, and counts up: the count is the token.
    AcquireWithToken,
    /// Sets a value unless a higher token has been seen.
    FencedSet,
}

impl Script {
    /// All of them.
    pub const ALL: [Script; 4] = [
        Script::CompareAndDelete,
        Script::CompareAndPexpire,
        Script::AcquireWithToken,
        Script::FencedSet,
    ];
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The call's number.
    pub id: RequestId,
    /// The kind of call that it answers: on a connection answers come in order.
    pub to: &'static str,
    /// What is answered.
    pub reply: Reply,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Reply {
    /// A word, as `OK`.
    Status(&'static str),
    /// A value.
    Bulk(Text),
    /// A number.
    Int(i64),
    /// Nothing.
    Nil,
    /// Several.
    Array(Vec<Reply>),
    /// A refusal.
    Error(RedisError),
}

impl Reply {
    /// What most commands say when they have done what was asked.
    pub const OK: Reply = Reply::Status("OK");
}

/// A refusal, which says in its first word of what kind it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum RedisError {
    /// A command of another form.
    Syntax,
    /// A number was wanted.
    NotAnInteger,
    /// A number would leave its range.
    Overflow,
    /// The same of `DECRBY`, whose number cannot be turned round.
    DecrementOverflow,
    /// A time at which, or a length of time after which, nothing can end.
    ExpireTime {
        /// The command's name in lower case.
        command: Text,
    },
    /// Too few arguments or too many.
    Arguments {
        /// The command's name in lower case.
        command: Text,
    },
    /// No such command.
    Unknown {
        /// Its name as sent.
        command: Text,
        /// How its arguments begin.
        arguments: Text,
    },
    /// Conditions on an expiry that exclude each other.
    ExpireConditions,
    /// Both greater and less.
    GreaterAndLess,
    /// A condition on an expiry that there is not.
    Unsupported {
        /// As sent.
        option: Text,
    },
    /// `WAIT` for a time that is no number.
    Timeout,
    /// `WAIT` for a time below zero.
    NegativeTimeout,
    /// `WAIT` at a replica.
    WaitAtReplica,
    /// A write at a replica.
    ReadOnly,
    /// A script's hash that the node does not know.
    NoScript,
    /// The node has become a replica while the client waited.
    Unblocked,
    /// What a script was stopped by.
    InScript(Box<RedisError>),
    /// A script was given too little, or something that is no number.
    ScriptArgument,
}

impl RedisError {
    /// Its first word.
    pub fn code(&self) -> &'static str {
        match self {
            RedisError::ReadOnly => "READONLY",
            RedisError::NoScript => "NOSCRIPT",
            RedisError::Unblocked => "UNBLOCKED",
            RedisError::InScript(error) => error.code(),
            _ => "ERR",
        }
    }
}

impl fmt::Display for RedisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = match self {
            RedisError::Syntax => "ERR syntax error",
            RedisError::NotAnInteger => "ERR value is not an integer or out of range",
            RedisError::Overflow => "ERR increment or decrement would overflow",
            RedisError::DecrementOverflow => "ERR decrement would overflow",
            RedisError::ExpireConditions => {
                "ERR NX and XX, GT or LT options at the same time are not compatible"
            }
            RedisError::GreaterAndLess => {
                "ERR GT and LT options at the same time are not compatible"
            }
            RedisError::Timeout => "ERR timeout is not an integer or out of range",
            RedisError::NegativeTimeout => "ERR timeout is negative",
            RedisError::WaitAtReplica => {
                "ERR WAIT cannot be used with replica instances. Please also note that since \
                 Redis 4.0 if a replica is configured to be writable (which is not the default) \
                 writes to replicas are just local and are not propagated."
            }
            RedisError::ReadOnly => "READONLY You can't write against a read only replica.",
            RedisError::NoScript => "NOSCRIPT No matching script. Please use EVAL.",
            RedisError::Unblocked => {
                "UNBLOCKED force unblock from blocking operation, instance state changed \
                 (master -> replica?)"
            }
            RedisError::ScriptArgument => {
                "ERR Lua redis lib command arguments must be strings or integers"
            }
            RedisError::ExpireTime { command } => {
                return write!(f, "ERR invalid expire time in '{command}' command");
            }
            RedisError::Arguments { command } => {
                return write!(f, "ERR wrong number of arguments for '{command}' command");
            }
            RedisError::Unknown { command, arguments } => {
                return write!(
                    f,
                    "ERR unknown command '{command}', with args beginning with: {arguments}"
                );
            }
            RedisError::Unsupported { option } => {
                return write!(f, "ERR Unsupported option {option}");
            }
            RedisError::InScript(error) => return error.fmt(f),
        };
        f.write_str(plain)
    }
}

impl std::error::Error for RedisError {}

/// Whether the model knows a command of this name.
pub fn is_known(name: &str) -> bool {
    commands::find(name).is_some()
}

impl Ask {
    /// A command from its words.
    pub fn command(words: &[&str]) -> Ask {
        Ask::Command(words.iter().map(|word| Text::from(*word)).collect())
    }

    /// The kind of call, as people name it in a click. Those that no worker makes have
    /// one name together.
    pub fn kind(&self) -> &'static str {
        let words = match self {
            Ask::Command(words) => words,
            Ask::Eval(call) | Ask::EvalSha(call) => {
                return match call.script {
                    Script::CompareAndPexpire => "pexpire-if-own",
                    Script::CompareAndDelete => "del-if-own",
                    Script::AcquireWithToken => "set-and-count",
                    Script::FencedSet => "command",
                };
            }
        };
        let first = words.first().map_or("", |word| word);
        let named = ["set", "setnx", "expire", "pexpire", "del", "wait"];
        let found = named.into_iter().find(|kind| kind.eq_ignore_ascii_case(first));
        found.unwrap_or("command")
    }

    /// Whether it only renews.
    pub fn is_routine(&self) -> bool {
        is_routine(self.kind())
    }
}

impl Response {
    /// The kind of message.
    pub fn kind(&self) -> &'static str {
        "redis-reply"
    }

    /// Whether it answers what only renews.
    pub fn is_routine(&self) -> bool {
        is_routine(self.to)
    }
}

fn is_routine(kind: &str) -> bool {
    matches!(kind, "pexpire" | "pexpire-if-own")
}
