//! One server of two, message by message, with its timers.

use super::*;
use crate::actors::postgres::PostgresConfig;
use crate::sim::encode::{Encoder, Frame};
use crate::sim::process::{Command, Draws, Input};
use crate::sim::time::{Mono, Wall};

const BOTH: [NodeId; 2] = [NodeId(0), NodeId(1)];

struct Bench {
    server: Server,
    own: NodeId,
    other: NodeId,
    now: Mono,
    draws: Draws,
    timers: Vec<(Timer, Mono)>,
    /// What it has said, and in which second.
    said: Vec<(i64, &'static str)>,
}

impl Bench {
    fn new(part: Part) -> Bench {
        let (own, other) = match part {
            Part::Primary => (BOTH[0], BOTH[1]),
            Part::Standby => (BOTH[1], BOTH[0]),
        };
        let config = PostgresConfig { servers: BOTH.to_vec(), ..PostgresConfig::new(own) };
        let mut bench = Bench {
            server: Server::new(config),
            own,
            other,
            now: Mono(0),
            draws: Draws::new(1),
            timers: Vec::new(),
            said: Vec::new(),
        };
        bench.give(Input::Start);
        bench
    }

    fn give(&mut self, input: Input<Actor>) {
        let now = Now { mono: self.now, wall: Wall(self.now.0) };
        let mut out = Out::new(self.own, now, &mut self.draws);
        self.server.handle(input, now, &mut out);
        for command in out.into_commands() {
            match command {
                Command::Send { message: Message::PostgresPeer(message), .. } => {
                    self.said.push((self.now.0 / 1_000_000, message.kind()));
                }
                Command::SetTimer { timer, at } => {
                    self.timers.retain(|(other, _)| *other != timer);
                    self.timers.push((timer, at));
                }
                Command::CancelTimer(timer) => self.timers.retain(|(other, _)| *other != timer),
                _ => {}
            }
        }
    }

    /// Lets time pass up to a second.
    fn at(&mut self, second: i64) -> &mut Bench {
        let until = Mono(second * 1_000_000);
        while let Some((timer, at)) =
            self.timers.iter().filter(|(_, at)| *at <= until).min_by_key(|(_, at)| *at).cloned()
        {
            self.timers.retain(|(other, _)| *other != timer);
            self.now = at;
            self.give(Input::Timer(timer));
        }
        self.now = until;
        self
    }

    fn hear(&mut self, hearing: Hearing) -> &mut Bench {
        self.give(Input::Hears { peer: self.other, hearing });
        self
    }

    fn tell(&mut self, message: PeerMessage) -> &mut Bench {
        self.give(Input::Message { from: self.other, message: Message::PostgresPeer(message) });
        self
    }

    /// What its primary sends it.
    fn wal(&mut self) -> &mut Bench {
        let tables = self.server.replica.as_ref().expect("one of two").tables.clone();
        self.tell(PeerMessage::Wal { timeline: 1, written: 0, tables })
    }

    /// Its state and its timers.
    fn encoded(&self) -> Vec<u8> {
        let frame = Frame { mono: self.now, wall: Wall(self.now.0), ..Frame::default() };
        let mut encoder = Encoder::new(frame);
        encoder.put(&(&self.server, &self.timers));
        encoder.into_bytes()
    }

    /// In which seconds it has said this.
    fn times(&self, kind: &str) -> Vec<i64> {
        self.said.iter().filter(|(_, said)| *said == kind).map(|(second, _)| *second).collect()
    }
}

#[test]
fn a_primary_that_has_given_its_standby_up_is_in_one_state_however_long_ago_that_was() {
    let silent = || {
        let mut bench = Bench::new(Part::Primary);
        bench.hear(Hearing::Silent);
        bench
    };
    // It hears it, and no answer.
    let unanswered = || {
        let mut bench = Bench::new(Part::Primary);
        bench.tell(PeerMessage::Start);
        bench
    };
    for bench in [silent, unanswered] {
        assert_ne!(bench().at(40).encoded(), bench().at(41).encoded());
        let ended = bench().at(200).encoded();
        assert_eq!(ended, bench().at(201).encoded());
        assert_eq!(ended, bench().at(100_000).encoded());
    }
}

#[test]
fn a_standby_that_does_not_hear_its_primary_is_in_one_state_and_asks_once_it_does() {
    let mut bench = Bench::new(Part::Standby);
    let at_first = bench.wal().hear(Hearing::Silent).encoded();
    assert_eq!(bench.at(30).encoded(), at_first);
    assert_eq!(bench.at(90).encoded(), at_first);
    bench.hear(Hearing::Heard);
    assert_eq!(bench.times("start-replication"), [0, 90]);
}

#[test]
fn what_is_not_answered_is_said_again_for_as_long_as_a_connection_lives_and_then_its_end() {
    let mut bench = Bench::new(Part::Primary);
    bench.tell(PeerMessage::Start).at(1_000);
    assert_eq!(bench.times("wal"), [0, 1, 3, 7, 15, 31]);
    assert_eq!(bench.times("connection-closed"), [60, 61, 63, 67, 75, 91]);
    bench.tell(PeerMessage::Start).tell(PeerMessage::Received { written: 0 }).at(2_000);
    assert_eq!(bench.times("wal").last(), Some(&1_000));
    assert_eq!(bench.times("connection-closed").len(), 6);
}

#[test]
fn a_standby_whose_connection_is_ended_asks_anew_by_itself_though_it_has_always_heard_its_primary()
{
    let mut bench = Bench::new(Part::Standby);
    bench.wal().at(70).tell(PeerMessage::Ended).at(71).tell(PeerMessage::Ended);
    assert_eq!(bench.at(74).times("start-replication"), [0]);
    assert_eq!(bench.at(75).times("start-replication"), [0, 75]);
    // What was said before it asked.
    bench.tell(PeerMessage::Ended).wal().at(1_000);
    assert_eq!(bench.times("start-replication"), [0, 75]);
}

#[test]
fn a_standby_that_is_not_answered_asks_anew_as_long_as_it_hears_its_primary() {
    let mut bench = Bench::new(Part::Standby);
    bench.at(70);
    assert_eq!(bench.times("start-replication"), [0, 1, 3, 7, 15, 31, 65, 66, 68]);
    let rest = |at| Bench::new(Part::Standby).at(at).encoded();
    assert_eq!(rest(104), rest(104 + 65), "it does the same again and again");
    bench.hear(Hearing::Silent).at(1_000);
    assert_eq!(bench.times("start-replication").len(), 9);
}

#[test]
fn what_comes_on_a_connection_that_is_ended_is_not_taken_for_an_answer() {
    let mut bench = Bench::new(Part::Standby);
    bench.wal().at(70).tell(PeerMessage::Ended).at(71).wal();
    assert_eq!(bench.at(75).times("start-replication"), [0, 75]);
}

#[test]
fn after_an_answer_to_an_older_write_the_newer_one_is_sent_again() {
    let mut bench = Bench::new(Part::Primary);
    bench.server.replica.as_mut().expect("one of two").written = 2;
    // All tries were made, and the standby was paused.
    bench.tell(PeerMessage::Start).at(40).tell(PeerMessage::Received { written: 1 });
    bench.at(42);
    assert_eq!(bench.times("wal"), [0, 1, 3, 7, 15, 31, 41]);
}
