//! The commands on string keys, as `t_string.c`, `expire.c` and `db.c` of Redis 7.0 do
//! them: what is looked at first decides which of two refusals is given.

use super::api::{RedisError, Reply, Text};
use super::expiry;
use super::keys::Db;
use super::set;
use crate::sim::time::Wall;

/// A command's answer.
pub type Answer = Result<Reply, RedisError>;

/// What the server knows of a command.
pub struct Command {
    /// Its name in lower case.
    name: &'static str,
    /// So many words with the name; below zero at least so many.
    arity: i8,
    /// Whether it writes.
    effect: Effect,
    run: fn(&[Text], &mut Db) -> Answer,
}

/// Whether a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Reads,
    Writes,
}

macro_rules! commands {
    ($($name:literal $arity:literal $effect:ident $run:expr;)*) => {
        const COMMANDS: &[Command] = &[$(Command {
            name: $name,
            arity: $arity,
            effect: Effect::$effect,
            run: $run,
        }),*];
    };
}

commands! {
    "get" 2 Reads |words, db| Ok(bulk(db.get(&words[1])));
    "set" -3 Writes set::set;
    "setnx" 3 Writes set::setnx;
    "setex" 4 Writes |words, db| set::setex(words, 1_000, db);
    "psetex" 4 Writes |words, db| set::setex(words, 1, db);
    "getset" 3 Writes set::getset;
    "getex" -2 Writes set::getex;
    "getdel" 2 Writes set::getdel;
    "mget" -2 Reads mget;
    "mset" -3 Writes |words, db| set::mset(words, db);
    "msetnx" -3 Writes |words, db| set::msetnx(words, db);
    "del" -2 Writes del;
    "unlink" -2 Writes del;
    "exists" -2 Reads exists;
    "touch" -2 Reads exists;
    "type" 2 Reads kind;
    "strlen" 2 Reads strlen;
    "append" 3 Writes append;
    "incr" 2 Writes |words, db| add(&words[1], 1, db);
    "decr" 2 Writes |words, db| add(&words[1], -1, db);
    "incrby" 3 Writes |words, db| add(&words[1], whole(&words[2])?, db);
    "decrby" 3 Writes decrby;
    "expire" -3 Writes |words, db| expiry::expire(words, db.now, 1_000, db);
    "pexpire" -3 Writes |words, db| expiry::expire(words, db.now, 1, db);
    "expireat" -3 Writes |words, db| expiry::expire(words, Wall(0), 1_000, db);
    "pexpireat" -3 Writes |words, db| expiry::expire(words, Wall(0), 1, db);
    "ttl" 2 Reads |words, db| expiry::left(&words[1], db.now, 1_000, db);
    "pttl" 2 Reads |words, db| expiry::left(&words[1], db.now, 1, db);
    "expiretime" 2 Reads |words, db| expiry::left(&words[1], Wall(0), 1_000, db);
    "pexpiretime" 2 Reads |words, db| expiry::left(&words[1], Wall(0), 1, db);
    "persist" 2 Writes expiry::persist;
    "flushall" -1 Writes flush;
    "flushdb" -1 Writes flush;
    "dbsize" 1 Reads |_, db| Ok(Reply::Int(db.len() as i64));
    "ping" -1 Reads ping;
    "echo" 2 Reads |words, _| Ok(Reply::Bulk(words[1].clone()));
}

/// What the server does itself and not on keys: their arity is looked at here too.
const OF_THE_SERVER: &[(&str, i8)] = &[("wait", 3), ("replicaof", 3), ("slaveof", 3), ("save", 1)];

/// A command by its name, in either case.
pub fn find(name: &str) -> Option<i8> {
    let of_keys = COMMANDS.iter().map(|command| (command.name, command.arity));
    let mut all = of_keys.chain(OF_THE_SERVER.iter().copied());
    all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, arity)| arity)
}

/// Whether a command is the server's own, and not one on keys.
pub fn is_of_server(name: &str) -> bool {
    OF_THE_SERVER.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// Looks at a command before anything is done: its name and the number of its words.
///
/// # Errors
/// When there is no such command, or it has another number of words.
pub fn check(words: &[Text]) -> Result<(), RedisError> {
    let name = words.first().cloned().unwrap_or_default();
    let Some(arity) = find(&name) else {
        let arguments = words.iter().skip(1).map(|word| format!("'{word}' "));
        return Err(RedisError::Unknown {
            command: name,
            arguments: arguments.collect::<String>().into(),
        });
    };
    let count = i64::try_from(words.len()).unwrap_or(i64::MAX);
    let fits = if arity < 0 { count >= -i64::from(arity) } else { count == i64::from(arity) };
    if fits { Ok(()) } else { Err(arguments_of(words)) }
}

/// Carries out a command on keys; those of the server itself are unknown here.
///
/// # Errors
/// What the server refuses.
pub fn run(words: &[Text], db: &mut Db) -> Answer {
    check(words)?;
    let named = |command: &&Command| command.name.eq_ignore_ascii_case(&words[0]);
    let command = COMMANDS.iter().find(named).ok_or(RedisError::Syntax)?;
    if command.effect == Effect::Writes {
        db.check_writes()?;
    }
    (command.run)(words, db)
}

/// That a command has too few or too many words.
pub fn arguments_of(words: &[Text]) -> RedisError {
    RedisError::Arguments { command: lower(&words[0]) }
}

/// A command's name as refusals say it.
pub fn lower(word: &str) -> Text {
    word.to_ascii_lowercase().into()
}

/// A whole number as the server reads one: no plus sign, no zero before another digit.
pub fn whole(word: &str) -> Result<i64, RedisError> {
    let number: i64 = word.parse().map_err(|_| RedisError::NotAnInteger)?;
    let written = number.to_string();
    if *word == *written { Ok(number) } else { Err(RedisError::NotAnInteger) }
}

pub(super) fn bulk(entry: Option<super::keys::Entry>) -> Reply {
    entry.map_or(Reply::Nil, |entry| Reply::Bulk(entry.value))
}

fn mget(words: &[Text], db: &mut Db) -> Answer {
    Ok(Reply::Array(words[1..].iter().map(|key| bulk(db.get(key))).collect()))
}

fn del(words: &[Text], db: &mut Db) -> Answer {
    let mut deleted = 0;
    for key in &words[1..] {
        if db.get(key).is_some() {
            db.delete(key);
            deleted += 1;
        }
    }
    Ok(Reply::Int(deleted))
}

fn exists(words: &[Text], db: &mut Db) -> Answer {
    Ok(Reply::Int(words[1..].iter().filter(|key| db.get(key).is_some()).count() as i64))
}

fn kind(words: &[Text], db: &mut Db) -> Answer {
    Ok(Reply::Status(if db.get(&words[1]).is_some() { "string" } else { "none" }))
}

fn strlen(words: &[Text], db: &mut Db) -> Answer {
    Ok(Reply::Int(db.get(&words[1]).map_or(0, |entry| entry.value.len() as i64)))
}

fn append(words: &[Text], db: &mut Db) -> Answer {
    let (value, expires) = match db.get(&words[1]) {
        Some(entry) => (format!("{}{}", entry.value, words[2]), entry.expires),
        None => (words[2].to_string(), None),
    };
    let length = value.len() as i64;
    db.put(&words[1], value.into(), expires);
    Ok(Reply::Int(length))
}

fn decrby(words: &[Text], db: &mut Db) -> Answer {
    let by = whole(&words[2])?;
    add(&words[1], by.checked_neg().ok_or(RedisError::DecrementOverflow)?, db)
}

fn add(key: &Text, by: i64, db: &mut Db) -> Answer {
    let there = db.get(key);
    let expires = there.as_ref().and_then(|entry| entry.expires);
    let value = there.map_or(Ok(0), |entry| whole(&entry.value))?;
    let sum = value.checked_add(by).ok_or(RedisError::Overflow)?;
    db.put(key, sum.to_string().into(), expires);
    Ok(Reply::Int(sum))
}

fn flush(words: &[Text], db: &mut Db) -> Answer {
    match words {
        [_] => {}
        [_, how] if ["sync", "async"].iter().any(|word| how.eq_ignore_ascii_case(word)) => {}
        _ => return Err(RedisError::Syntax),
    }
    db.clear();
    Ok(Reply::OK)
}

fn ping(words: &[Text], _: &mut Db) -> Answer {
    match words {
        [_] => Ok(Reply::Status("PONG")),
        [_, word] => Ok(Reply::Bulk(word.clone())),
        _ => Err(arguments_of(words)),
    }
}
