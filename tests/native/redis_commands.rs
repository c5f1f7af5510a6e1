//! Commands of Redis one by one: words and answers, as Redis 7.0 gives them.

use crate::redis_facts::replies;
use fencepost::actors::redis::api::Reply;

/// Commands on one node, a tenth of a second apart, each with its answer in words.
#[track_caller]
fn check(lines: &[(&str, &str)]) {
    let words: Vec<&str> = lines.iter().map(|(words, _)| *words).collect();
    let told: Vec<String> = replies(&words).iter().map(told).collect();
    for ((words, expected), told) in lines.iter().zip(told) {
        assert_eq!(told, *expected, "{words}");
    }
}

fn told(reply: &Reply) -> String {
    match reply {
        Reply::Status(word) => (*word).to_owned(),
        Reply::Bulk(text) => format!("'{text}'"),
        Reply::Int(number) => number.to_string(),
        Reply::Nil => "nil".to_owned(),
        Reply::Array(all) => {
            format!("[{}]", all.iter().map(told).collect::<Vec<_>>().join(", "))
        }
        Reply::Error(error) => error.to_string(),
    }
}

const NO_INTEGER: &str = "ERR value is not an integer or out of range";
const SYNTAX: &str = "ERR syntax error";

#[test]
fn a_command_is_known_by_its_name_in_either_case_and_by_the_number_of_its_words() {
    check(&[
        ("GeT a", "nil"),
        ("GET", "ERR wrong number of arguments for 'get' command"),
        ("GET a b", "ERR wrong number of arguments for 'get' command"),
        ("MGET", "ERR wrong number of arguments for 'mget' command"),
        ("MSET a 1 b", "ERR wrong number of arguments for 'mset' command"),
        ("WAIT 1", "ERR wrong number of arguments for 'wait' command"),
        ("NOSUCH a b", "ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' "),
    ]);
}

#[test]
fn set_takes_its_options_in_any_order_and_refuses_those_that_exclude_each_other() {
    check(&[
        ("SET a 1 PX 5000 NX", "OK"),
        ("SET a 2 NX GET", "'1'"),
        ("SET a 2 XX KEEPTTL", "OK"),
        ("PTTL a", "4700"),
        ("SET a 3 KEEPTTL EX 5", SYNTAX),
        ("SET a 3 EX", SYNTAX),
        ("SET a 3 PERSIST", SYNTAX),
        ("SET a 3 XX NX", SYNTAX),
        ("SET a 3 PX 1.5", NO_INTEGER),
        ("SET a 3 PX +5", NO_INTEGER),
        ("SET a 3 EX 9223372036854775807", "ERR invalid expire time in 'set' command"),
        ("SET a 3 EXAT 1", "OK"),
        ("GET a", "nil"),
        ("SET b 1 XX", "nil"),
        ("SET b 1 GET", "nil"),
        ("GET b", "'1'"),
    ]);
}

#[test]
fn the_relatives_of_set_each_have_their_own_answers() {
    check(&[
        ("SETNX a 1", "1"),
        ("SETNX a 2", "0"),
        ("SETEX a 5 3", "OK"),
        ("TTL a", "5"),
        ("SETEX a 0 3", "ERR invalid expire time in 'setex' command"),
        ("PSETEX a -1 3", "ERR invalid expire time in 'psetex' command"),
        ("GETSET a 4", "'3'"),
        ("TTL a", "-1"),
        ("GETEX a EX 5", "'4'"),
        ("GETEX a PERSIST", "'4'"),
        ("TTL a", "-1"),
        ("GETEX a NX", SYNTAX),
        ("GETEX a PXAT 1", "'4'"),
        ("EXISTS a", "0"),
        ("GETEX a", "nil"),
        ("MSET a 1 b 2", "OK"),
        ("MSETNX b 3 c 3", "0"),
        ("MSETNX c 3 d 4", "1"),
        ("MGET a b c d e", "['1', '2', '3', '4', nil]"),
        ("DEL a b e", "2"),
        ("EXISTS c c e", "2"),
        ("UNLINK c d", "2"),
        ("GETDEL c", "nil"),
    ]);
}

#[test]
fn numbers_are_whole_and_keep_the_end_of_their_key() {
    check(&[
        ("SET n 5 PX 9000", "OK"),
        ("INCRBY n 10", "15"),
        ("DECR n", "14"),
        ("DECRBY n 4", "10"),
        ("PTTL n", "8600"),
        ("INCRBY n x", NO_INTEGER),
        ("SET n 05", "OK"),
        ("INCR n", NO_INTEGER),
        ("SET n 9223372036854775807", "OK"),
        ("INCR n", "ERR increment or decrement would overflow"),
        ("DECRBY n -9223372036854775808", "ERR decrement would overflow"),
        ("APPEND s ab", "2"),
        ("APPEND s c", "3"),
        ("STRLEN s", "3"),
        ("TYPE s", "string"),
        ("TYPE none", "none"),
        ("DBSIZE", "2"),
        ("FLUSHALL", "OK"),
        ("DBSIZE", "0"),
        ("PING", "PONG"),
        ("PING a", "'a'"),
        ("ECHO a", "'a'"),
    ]);
}

#[test]
fn an_end_is_set_on_conditions_and_one_that_has_passed_deletes() {
    check(&[
        ("PEXPIRE a 1000", "0"),
        ("SET a 1", "OK"),
        ("EXPIRE a 5 XX", "0"),
        ("EXPIRE a 5 GT", "0"),
        ("EXPIRE a 9 LT", "1"),
        ("EXPIRE a 20 NX", "0"),
        ("EXPIRE a 20 XX", "1"),
        ("PTTL a", "19900"),
        ("EXPIRE a 30 GT", "1"),
        ("TTL a", "30"),
        ("EXPIRE a 5 NX XX", "ERR NX and XX, GT or LT options at the same time are not compatible"),
        ("EXPIRE a 5 GT LT", "ERR GT and LT options at the same time are not compatible"),
        ("EXPIRE a 5 SOON", "ERR Unsupported option SOON"),
        ("EXPIRE a x", NO_INTEGER),
        ("EXPIRE a 9223372036854775807", "ERR invalid expire time in 'expire' command"),
        ("PERSIST a", "1"),
        ("PERSIST a", "0"),
        ("EXPIREAT a 1774980060", "1"),
        ("EXPIRETIME a", "1774980060"),
        ("PEXPIREAT a 1774980050500", "1"),
        ("PEXPIRETIME a", "1774980050500"),
        ("PEXPIREAT a 1", "1"),
        ("TTL a", "-2"),
    ]);
}
