//! Signals for people, and for machines as JSON Lines.

use super::amounts::{moment, span};
use crate::actors::store::api::Token;
use crate::properties::signals::{Answer, Record, Signal};
use crate::scenario::names::Names;
use serde::Serialize;

/// A signal in a sentence: "W2 waits for the lock, 30 s by now".
pub fn sentence(signal: &Signal, names: &Names) -> String {
    match signal {
        Signal::Asks { node } => format!("{} asks for the lock", names.of(*node)),
        Signal::AsksNoMore { node } => {
            format!("{} asks no more: its process has ended", names.of(*node))
        }
        Signal::Acquired { node, waited } => {
            format!("{} has the lock after {}", names.of(*node), span(*waited))
        }
        Signal::WaitsLong { node, waited } => {
            format!("{} waits for the lock, {} by now", names.of(*node), span(*waited))
        }
        Signal::TimedOut { node, waited } => {
            format!("{} gave up waiting after {}", names.of(*node), span(*waited))
        }
        Signal::RenewalMissed { node, in_a_row: 1 } => {
            format!("a renewal of {} is overdue", names.of(*node))
        }
        Signal::RenewalMissed { node, in_a_row } => {
            format!("{in_a_row} renewals of {} in a row are overdue", names.of(*node))
        }
        Signal::Refused { token } => format!("the store refused {}", what_came_with(*token)),
        Signal::OutOfOrder { token, highest, answer } => {
            let did = match answer {
                Answer::Accepted => "accepted",
                Answer::Refused => "refused",
            };
            let highest = crate::text::service::token(*highest);
            format!("{} came after {highest}, and was {did}", what_came_with(*token))
        }
        Signal::NoHolder => "nobody holds the lock, and somebody waits".to_owned(),
        Signal::HolderAgain { after } => {
            format!("the lock was without a holder for {}", span(*after))
        }
        Signal::Believe { count: 0 } => "nobody believes to hold the lock".to_owned(),
        Signal::Believe { count: 1 } => "one believes to hold the lock".to_owned(),
        Signal::Believe { count } => format!("{count} believe to hold the lock"),
        Signal::WaitsForPool { node } => {
            format!("{} waits for a connection of the pool", names.of(*node))
        }
    }
}

/// What the store was asked with; 0 stands for no token.
fn what_came_with(token: Token) -> String {
    match token {
        0 => "what came without a token".to_owned(),
        _ => format!("token {}", crate::text::service::token(token)),
    }
}

/// A line of the JSON Lines. What does not belong to its signal is left out.
#[derive(Debug, Default, Serialize)]
struct Line<'a> {
    at_us: i64,
    signal: &'static str,
    alarm: bool,
    event: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    worker: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waited_us: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    in_a_row: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    without_holder_us: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    believers: Option<usize>,
}

/// The signals as JSON Lines, one a record. `docs/signals.md` tells their fields.
pub fn json_lines(records: &[Record], names: &Names) -> String {
    let mut text = String::new();
    for record in records {
        let line = serde_json::to_string(&line(record, names)).expect("numbers and names");
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn line<'a>(record: &Record, names: &'a Names) -> Line<'a> {
    let plain = Line {
        at_us: record.at.0,
        alarm: record.signal.is_alarm(),
        event: record.event.0,
        ..Line::default()
    };
    let given = |token: Token| (token != 0).then_some(token);
    let waits = |signal, node, waited: crate::sim::time::Span| Line {
        signal,
        worker: Some(names.of(node)),
        waited_us: Some(waited.us()),
        ..Line::default()
    };
    let asks = |signal, node| Line { signal, worker: Some(names.of(node)), ..Line::default() };
    let of_signal = match record.signal {
        Signal::Asks { node } => asks("asks", node),
        Signal::AsksNoMore { node } => asks("asks-no-more", node),
        Signal::Acquired { node, waited } => waits("acquired", node, waited),
        Signal::WaitsLong { node, waited } => waits("waits-long", node, waited),
        Signal::TimedOut { node, waited } => waits("timed-out", node, waited),
        Signal::RenewalMissed { node, in_a_row } => Line {
            signal: "renewal-missed",
            worker: Some(names.of(node)),
            in_a_row: Some(in_a_row),
            ..Line::default()
        },
        Signal::Refused { token } => {
            Line { signal: "refused", token: given(token), ..Line::default() }
        }
        Signal::OutOfOrder { token, highest, answer } => Line {
            signal: "out-of-order",
            token: given(token),
            highest: Some(highest),
            accepted: Some(answer == Answer::Accepted),
            ..Line::default()
        },
        Signal::NoHolder => Line { signal: "no-holder", ..Line::default() },
        Signal::HolderAgain { after } => {
            Line { signal: "holder-again", without_holder_us: Some(after.us()), ..Line::default() }
        }
        Signal::Believe { count } => {
            Line { signal: "believe", believers: Some(count), ..Line::default() }
        }
        Signal::WaitsForPool { node } => asks("waits-for-pool", node),
    };
    Line { at_us: plain.at_us, alarm: plain.alarm, event: plain.event, ..of_signal }
}

/// A record in a line: "51.6 s  W2 has the lock after 51.6 s".
pub fn told(record: &Record, names: &Names) -> String {
    let mark = if record.signal.is_alarm() { "! " } else { "  " };
    format!("{mark}{:>8}  {}", moment(record.at), sentence(&record.signal, names))
}
