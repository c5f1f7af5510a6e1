//! `SET` with its options, and its older and younger relatives.

use super::api::{RedisError, Reply, Text};
use super::commands::{Answer, arguments_of, bulk, lower, whole};
use super::keys::{Db, after};
use crate::sim::time::Wall;

/// When a key is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Never: what a plain `SET` makes of any key.
    None,
    /// As before.
    Kept,
    /// Never from now on, of `GETEX`.
    Persist,
    /// At or after a time, by its place among the words.
    At { unit: i64, from: From, word: usize },
}

/// What a time is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Now,
    Epoch,
}

/// On which condition a value is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum If {
    Always,
    Absent,
    There,
}

/// Whether the old value is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Ok,
    Old,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Options {
    end: End,
    condition: If,
    says: Says,
}

/// Which command's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Set,
    GetEx,
}

fn options(words: &[Text], first: usize, of: Of) -> Result<Options, RedisError> {
    let mut options = Options { end: End::None, condition: If::Always, says: Says::Ok };
    let mut place = first;
    while let Some(word) = words.get(place) {
        let (word, free) = (lower(word), options.end == End::None);
        let time = |unit, from| End::At { unit, from, word: place + 1 };
        match &*word {
            "nx" if of == Of::Set && options.condition != If::There => {
                options.condition = If::Absent;
            }
            "xx" if of == Of::Set && options.condition != If::Absent => {
                options.condition = If::There;
            }
            "get" if of == Of::Set => options.says = Says::Old,
            "keepttl" if of == Of::Set && (free || options.end == End::Kept) => {
                options.end = End::Kept;
            }
            "persist" if of == Of::GetEx && (free || options.end == End::Persist) => {
                options.end = End::Persist;
            }
            "ex" if free => options.end = time(1_000, From::Now),
            "px" if free => options.end = time(1, From::Now),
            "exat" if free => options.end = time(1_000, From::Epoch),
            "pxat" if free => options.end = time(1, From::Epoch),
            _ => return Err(RedisError::Syntax),
        }
        if let End::At { word, .. } = options.end
            && word == place + 1
        {
            if words.len() <= word {
                return Err(RedisError::Syntax);
            }
            place = word;
        }
        place += 1;
    }
    Ok(options)
}

/// The instant that is meant.
fn time(words: &[Text], unit: i64, from: From, word: usize, now: Wall) -> Result<Wall, RedisError> {
    let wrong = || RedisError::ExpireTime { command: lower(&words[0]) };
    let given = whole(&words[word])?;
    if given <= 0 {
        return Err(wrong());
    }
    let ms = given.checked_mul(unit).ok_or_else(wrong)?;
    let base = match from {
        From::Epoch => Wall(0),
        From::Now => now,
    };
    ms.checked_add(base.0 / 1_000).ok_or_else(wrong)?;
    Ok(after(base, ms))
}

/// `SET`.
pub fn set(words: &[Text], db: &mut Db) -> Answer {
    let Options { end, condition, says } = options(words, 3, Of::Set)?;
    let at = match end {
        End::At { unit, from, word } => Some(time(words, unit, from, word, db.now)?),
        End::None | End::Kept | End::Persist => None,
    };
    let (key, old) = (&words[1], db.get(&words[1]));
    let holds = match condition {
        If::Always => true,
        If::Absent => old.is_none(),
        If::There => old.is_some(),
    };
    let kept = old.as_ref().and_then(|entry| entry.expires);
    let old = bulk(old);
    if holds {
        db.put(key, words[2].clone(), if end == End::Kept { kept } else { at });
    }
    Ok(match (says, holds) {
        (Says::Old, _) => old,
        (Says::Ok, true) => Reply::OK,
        (Says::Ok, false) => Reply::Nil,
    })
}

/// `SETNX`.
pub fn setnx(words: &[Text], db: &mut Db) -> Answer {
    if db.get(&words[1]).is_some() {
        return Ok(Reply::Int(0));
    }
    db.put(&words[1], words[2].clone(), None);
    Ok(Reply::Int(1))
}

/// `SETEX` and `PSETEX`.
pub fn setex(words: &[Text], unit: i64, db: &mut Db) -> Answer {
    let at = time(words, unit, From::Now, 2, db.now)?;
    db.put(&words[1], words[3].clone(), Some(at));
    Ok(Reply::OK)
}

/// `GETSET`.
pub fn getset(words: &[Text], db: &mut Db) -> Answer {
    let old = bulk(db.get(&words[1]));
    db.put(&words[1], words[2].clone(), None);
    Ok(old)
}

/// `GETEX`.
pub fn getex(words: &[Text], db: &mut Db) -> Answer {
    let options = options(words, 2, Of::GetEx)?;
    let key = &words[1];
    let Some(entry) = db.get(key) else { return Ok(Reply::Nil) };
    match options.end {
        End::None | End::Kept => {}
        End::Persist => {
            if entry.expires.is_some() {
                db.put(key, entry.value.clone(), None);
            }
        }
        End::At { unit, from, word } => {
            let at = time(words, unit, from, word, db.now)?;
            if at <= db.now {
                db.delete(key);
            } else {
                db.put(key, entry.value.clone(), Some(at));
            }
        }
    }
    Ok(bulk(Some(entry)))
}

/// `GETDEL`.
pub fn getdel(words: &[Text], db: &mut Db) -> Answer {
    let Some(entry) = db.get(&words[1]) else { return Ok(Reply::Nil) };
    db.delete(&words[1]);
    Ok(bulk(Some(entry)))
}

fn pairs(words: &[Text]) -> Result<impl Iterator<Item = &[Text]>, RedisError> {
    if words.len().is_multiple_of(2) {
        return Err(arguments_of(words));
    }
    Ok(words[1..].chunks(2))
}

/// `MSET`.
pub fn mset(words: &[Text], db: &mut Db) -> Answer {
    for pair in pairs(words)? {
        db.put(&pair[0], pair[1].clone(), None);
    }
    Ok(Reply::OK)
}

/// `MSETNX`.
pub fn msetnx(words: &[Text], db: &mut Db) -> Answer {
    if pairs(words)?.any(|pair| db.get(&pair[0]).is_some()) {
        return Ok(Reply::Int(0));
    }
    mset(words, db)?;
    Ok(Reply::Int(1))
}
