//! The four scripts. Each command of a script is carried out as one that is sent; what
//! was done before one is refused stays done.

use super::api::{Call, RedisError, Reply, Script, Text};
use super::commands::{self, Answer, whole};
use super::keys::Db;

/// Carries a script out.
///
/// # Errors
/// What the first of its commands that is refused says.
pub fn run(call: &Call, db: &mut Db) -> Answer {
    let answer = match call.script {
        Script::CompareAndDelete => compare_and_delete(call, db),
        Script::CompareAndPexpire => compare_and_pexpire(call, db),
        Script::AcquireWithToken => acquire_with_token(call, db),
        Script::FencedSet => fenced_set(call, db),
    };
    answer.map_err(|error| RedisError::InScript(Box::new(error)))
}

fn given(list: &[Text], place: usize) -> Result<&str, RedisError> {
    list.get(place).map(|text| &**text).ok_or(RedisError::ScriptArgument)
}

fn do_it(words: &[&str], db: &mut Db) -> Answer {
    let words: Vec<Text> = words.iter().map(|word| Text::from(*word)).collect();
    commands::run(&words, db)
}

/// Whether the first key has the first argument for its value.
fn is_own(call: &Call, db: &mut Db) -> Result<bool, RedisError> {
    let value = do_it(&["get", given(&call.keys, 0)?], db)?;
    Ok(call.argv.first().is_some_and(|own| value == Reply::Bulk(own.clone())))
}

fn compare_and_delete(call: &Call, db: &mut Db) -> Answer {
    if !is_own(call, db)? {
        return Ok(Reply::Int(0));
    }
    do_it(&["del", given(&call.keys, 0)?], db)
}

fn compare_and_pexpire(call: &Call, db: &mut Db) -> Answer {
    if !is_own(call, db)? {
        return Ok(Reply::Int(0));
    }
    do_it(&["pexpire", given(&call.keys, 0)?, given(&call.argv, 1)?], db)
}

fn acquire_with_token(call: &Call, db: &mut Db) -> Answer {
    let lock = given(&call.keys, 0)?;
    if do_it(&["exists", lock], db)? == Reply::Int(1) {
        return Ok(Reply::Nil);
    }
    let token = do_it(&["incr", given(&call.keys, 1)?], db)?;
    do_it(&["set", lock, given(&call.argv, 0)?, "px", given(&call.argv, 1)?], db)?;
    Ok(token)
}

/// Numbers are whole here, while Lua's need not be.
fn fenced_set(call: &Call, db: &mut Db) -> Answer {
    let number = |text: &str| whole(text).map_err(|_| RedisError::ScriptArgument);
    let last = match do_it(&["get", given(&call.keys, 1)?], db)? {
        Reply::Bulk(last) => number(&last)?,
        _ => 0,
    };
    let token = given(&call.argv, 0)?;
    if number(token)? < last {
        return Ok(Reply::Int(0));
    }
    do_it(&["set", given(&call.keys, 1)?, token], db)?;
    do_it(&["set", given(&call.keys, 0)?, given(&call.argv, 1)?], db)?;
    Ok(Reply::Int(1))
}
