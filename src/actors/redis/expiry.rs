//! `EXPIRE` and its relatives, `TTL` and its.

use super::api::{RedisError, Reply, Text};
use super::commands::{Answer, lower, whole};
use super::keys::{Db, after};
use crate::sim::time::Wall;

/// On which condition an end is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Conditions {
    /// There is none.
    absent: bool,
    /// There is one.
    there: bool,
    /// The new one is later; none is the latest.
    greater: bool,
    /// The new one is earlier.
    less: bool,
}

impl Conditions {
    fn of(words: &[Text]) -> Result<Conditions, RedisError> {
        let mut all = Conditions::default();
        for word in words {
            match &*lower(word) {
                "nx" => all.absent = true,
                "xx" => all.there = true,
                "gt" => all.greater = true,
                "lt" => all.less = true,
                _ => return Err(RedisError::Unsupported { option: word.clone() }),
            }
        }
        if all.absent && (all.there || all.greater || all.less) {
            return Err(RedisError::ExpireConditions);
        }
        if all.greater && all.less {
            return Err(RedisError::GreaterAndLess);
        }
        Ok(all)
    }

    fn hold(self, now: Option<Wall>, then: Wall) -> bool {
        let refused = (self.absent && now.is_some())
            || (self.there && now.is_none())
            || (self.greater && now.is_none_or(|now| then <= now))
            || (self.less && now.is_some_and(|now| then >= now));
        !refused
    }
}

/// `EXPIRE`, `PEXPIRE`, `EXPIREAT`, `PEXPIREAT`: a time counted from `base`, in so many
/// milliseconds. One that has passed deletes the key.
pub fn expire(words: &[Text], base: Wall, unit: i64, db: &mut Db) -> Answer {
    let conditions = Conditions::of(&words[3..])?;
    let wrong = || RedisError::ExpireTime { command: lower(&words[0]) };
    let given = whole(&words[2])?.checked_mul(unit).ok_or_else(wrong)?;
    given.checked_add(base.0 / 1_000).ok_or_else(wrong)?;
    let at = after(base, given);
    let key = &words[1];
    let Some(entry) = db.get(key) else { return Ok(Reply::Int(0)) };
    if !conditions.hold(entry.expires, at) {
        return Ok(Reply::Int(0));
    }
    if at <= db.now {
        db.delete(key);
    } else {
        db.put(key, entry.value, Some(at));
    }
    Ok(Reply::Int(1))
}

/// `TTL` and the like: the end of a key from `base` on; -1 without one, -2 without a key.
pub fn left(key: &str, base: Wall, unit: i64, db: &mut Db) -> Answer {
    let Some(entry) = db.get(key) else { return Ok(Reply::Int(-2)) };
    let Some(expires) = entry.expires else { return Ok(Reply::Int(-1)) };
    let ms = ((expires - base).us().max(0) + 500) / 1_000;
    Ok(Reply::Int(if unit == 1 { ms } else { (ms + unit / 2) / unit }))
}

/// `PERSIST`.
pub fn persist(words: &[Text], db: &mut Db) -> Answer {
    match db.get(&words[1]) {
        Some(entry) if entry.expires.is_some() => {
            db.put(&words[1], entry.value, None);
            Ok(Reply::Int(1))
        }
        _ => Ok(Reply::Int(0)),
    }
}
