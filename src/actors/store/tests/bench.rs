//! A store asked and answering, in a notation of its own. A line is what is done,
//! `=>`, and all that the store says to it:
//!
//! ```text
//!   A claim 33                => A data 0       the version there is
//!   A write 33.1 from 0       => A ok 1         token.sequence; the version made
//!   B write 34.1 from 1 job a for 20 => ...     job and amount, when they matter
//!   A claim 33 of x           => A data 0       one of several objects; so is a write
//!   A begin 33.2 from 1       => A begun
//!   A complete 33.2 from 1    => A mark 34      refused, with the mark
//!   until 13s                 => A ok 1, B ok 2 what falls due up to then
//!   A hangs up                => A rolled back  nothing is said if nothing is undone
//!   store restarts            => mark lost
//!   rule none                 => -              nothing is said
//!   total                     => version 2, booked 30, refused 1
//! ```

use super::super::api::*;
use super::super::*;
use crate::actors::Note;
use crate::actors::etcd::api::{LeaseId, RequestId};
use crate::content::Choice;
use crate::sim::process::{Command, Draws, Noted};
use crate::sim::time::{Mono, Wall};

/// A store with `rule` that stores at once and keeps its mark with the data.
pub fn with(rule: Rule) -> StoreConfig {
    let (mark, scope) = (MarkKept::Durable, MarkScope::Store);
    let effects = Effects::InStep;
    StoreConfig { rule, mark, scope, write: Span::ZERO, first_number: 1, effects }
}

/// The same, with a mark for each object.
pub fn by_object(rule: Rule) -> StoreConfig {
    StoreConfig { scope: MarkScope::Object, ..with(rule) }
}

/// The same, but a write takes two seconds.
pub fn slowly(rule: Rule) -> StoreConfig {
    StoreConfig { write: Span::from_s(2), ..with(rule) }
}

/// Does what the script says and compares what the store says.
#[track_caller]
pub fn check(config: StoreConfig, script: &str) {
    let mut bench = Bench::new(config);
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (done, expected) = line.split_once("=>").expect("a line has a =>");
        assert_eq!(bench.take(done), expected.trim(), "after {done:?}");
    }
}

pub struct Bench {
    pub store: Store,
    now: Mono,
    draws: Draws,
    timers: Vec<(Mono, Timer)>,
    pub notes: Vec<Noted<Actor>>,
}

impl Bench {
    pub fn new(config: StoreConfig) -> Bench {
        let mut bench = Bench {
            store: Store::new(config),
            now: Mono(0),
            draws: Draws::new(0),
            timers: Vec::new(),
            notes: Vec::new(),
        };
        assert_eq!(bench.give(Input::Start), Vec::<String>::new());
        bench
    }

    pub fn take(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let said = match words[..] {
            ["until", time] => self.run_until(seconds(time)),
            ["store", "restarts"] => {
                self.store.crash();
                self.timers.clear();
                self.give(Input::Start)
            }
            ["rule", rule] => {
                let rule = Rule::named(rule).expect("a rule");
                self.give(Input::Set(Setting::Rule(rule)))
            }
            [who, "hangs", "up"] => {
                let message = Message::HangsUp(RequestId(7));
                self.give(Input::Message { from: NodeId(number_of(who) as u8), message })
            }
            ["total"] => vec![
                format!("version {}", self.store.version()),
                format!("booked {}", self.store.booked()),
                format!("refused {}", self.store.refused()),
            ],
            [who, ..] => {
                let request = StoreRequest { id: RequestId(7), op: op(who, &words[1..]) };
                let message = Message::Store(request);
                self.give(Input::Message { from: NodeId(number_of(who) as u8), message })
            }
            [] => unreachable!("empty lines are left out"),
        };
        if said.is_empty() { "-".into() } else { said.join(", ") }
    }

    fn run_until(&mut self, end: Mono) -> Vec<String> {
        let mut said = Vec::new();
        while let Some(due) = self.timers.iter().map(|(at, _)| *at).min().filter(|at| *at <= end) {
            let place = self.timers.iter().position(|(at, _)| *at == due).expect("just found");
            let (at, timer) = self.timers.remove(place);
            self.now = at;
            said.extend(self.give(Input::Timer(timer)));
        }
        self.now = end;
        said
    }

    fn give(&mut self, input: Input<Actor>) -> Vec<String> {
        let now = Now { mono: self.now, wall: Wall(0) };
        let mut out = Out::new(NodeId(0), now, &mut self.draws);
        self.store.handle(input, now, &mut out);
        let mut said = Vec::new();
        let mut repeated = false;
        for command in out.into_commands() {
            match command {
                Command::Note(noted) => {
                    repeated = matches!(noted.note, Note::Store(StoreNote::Repeated { .. }));
                    said.extend(aloud(&noted.note));
                    self.notes.push(noted);
                }
                Command::SetTimer { timer, at } => self.timers.push((at, timer)),
                Command::Send { to, message: Message::StoreAnswer(answer) } => {
                    assert_eq!(answer.id, RequestId(7));
                    said.push(format!("{} {}", name_of(to.0), answer_in_words(&answer, repeated)));
                }
                other => panic!("a store has no business with {other:?}"),
            }
        }
        said
    }
}

fn aloud(note: &Note) -> Option<String> {
    match note {
        Note::Store(StoreNote::MarkLost) => Some("mark lost".into()),
        Note::Store(StoreNote::ClaimWaits { owner, .. } | StoreNote::WriteWaits { owner, .. }) => {
            Some(format!("{} waits", name_of(owner.0 as u8)))
        }
        Note::Store(StoreNote::RolledBack { owner, .. }) => {
            Some(format!("{} rolled back", name_of(owner.0 as u8)))
        }
        _ => None,
    }
}

fn answer_in_words(answer: &StoreResponse, repeated: bool) -> String {
    match &answer.result {
        Ok(StoreReply::Data { version, .. }) => format!("data {version}"),
        Ok(StoreReply::Accepted { version }) if repeated => format!("again {version}"),
        Ok(StoreReply::Accepted { version }) => format!("ok {version}"),
        Ok(StoreReply::Begun) => "begun".into(),
        Ok(StoreReply::Number(number)) => format!("number {number}"),
        Ok(StoreReply::Row(row)) => format!("row {}", row.row),
        Ok(StoreReply::Marked | StoreReply::Booked) => unreachable!("no script asks for it"),
        Err(Refusal::Token { mark }) => format!("mark {mark}"),
        Err(Refusal::Version { current }) => format!("version {current}"),
        Err(Refusal::JobDone) => "job done".into(),
        Err(Refusal::NotBegun) => "not begun".into(),
        Err(Refusal::Condition(_) | Refusal::Compare) => {
            unreachable!("a fenced store has no conditions")
        }
    }
}

fn op(who: &str, words: &[&str]) -> StoreOp {
    let owner = LeaseId(number_of(who));
    match words {
        ["claim", token, of @ ..] => {
            let object = of.get(1).copied().unwrap_or_default().into();
            StoreOp::Claim { token: token.parse().expect("a token"), owner, object }
        }
        ["read"] => StoreOp::Read,
        ["number"] => StoreOp::NextNumber,
        ["write", rest @ ..] => StoreOp::Put(write(who, rest)),
        ["begin", rest @ ..] => StoreOp::Begin(write(who, rest)),
        ["complete", rest @ ..] => StoreOp::Complete(write(who, rest)),
        _ => panic!("what is {words:?}?"),
    }
}

fn write(who: &str, words: &[&str]) -> Write {
    let (token, sequence) = words[0].split_once('.').expect("token.sequence");
    let mut write = Write {
        token: token.parse().expect("a token"),
        owner: LeaseId(number_of(who)),
        sequence: sequence.parse().expect("a sequence"),
        read_version: 0,
        job: format!("{who}{sequence}").into(),
        amount: 10,
        object: "".into(),
    };
    for pair in words[1..].chunks(2) {
        match pair {
            ["from", version] => write.read_version = version.parse().expect("a version"),
            ["of", object] => write.object = (*object).into(),
            ["job", job] => write.job = (*job).into(),
            ["for", amount] => write.amount = amount.parse().expect("an amount"),
            _ => panic!("what is {pair:?}?"),
        }
    }
    write
}

fn seconds(time: &str) -> Mono {
    let seconds = time.strip_suffix('s').and_then(|number| number.parse().ok());
    Mono(0) + Span::from_s(seconds.expect("seconds"))
}

/// A is 1, B is 2: as a lease and as a node.
fn number_of(who: &str) -> u64 {
    u64::from(who.as_bytes()[0] - b'A' + 1)
}

fn name_of(number: u8) -> char {
    char::from(b'A' + number - 1)
}
