//! The simulator on processes that know nothing of locks.

use super::click::{Action, Click, WallOnWake};
use super::clock::RIGHT_RATE_PPM;
use super::event::{Event, EventId, MessageRef, Missed, What};
use super::network::Link;
use super::process::{Hearing, Input, Message, NodeId, Now, Out, Process};
use super::replay::{Blind, Replay};
use super::time::{Mono, Span, TrueTime, Wall};
use super::world::{NodeSetup, Setup, WakeFirst, World};
use serde::Serialize;
use std::rc::Rc;

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);
const LINK: Span = Span::from_ms(10);
/// A timer by the wall clock, and the setting that sets it to 10 s from then on.
const ALARM: u8 = 9;
const SET_ALARM: u32 = 99;

/// Sends a ping a second, works for 5 s, and notes what it is given.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Pinger {
    peer: [NodeId; 1],
    pings: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Ping(u32);

impl Message for Ping {
    fn kind(&self) -> &'static str {
        "ping"
    }
}

impl Process for Pinger {
    type Message = Ping;
    type Timer = u8;
    type Setting = u32;
    type Note = String;
    type Fact = u8;

    fn handle(&mut self, input: Input<Self>, now: Now, out: &mut Out<Self>) {
        match input {
            Input::Start => {
                out.work(Span::from_s(5));
                out.set_timer(0, now.mono + Span::from_s(1));
            }
            Input::Timer(ALARM) => drop(out.note("alarm".to_owned())),
            Input::Timer(timer) => {
                self.pings += 1;
                out.send(self.peer[0], Ping(self.pings));
                out.set_timer(timer, now.mono + Span::from_s(1));
            }
            Input::Message { message, .. } => drop(out.note(format!("got {}", message.0))),
            Input::Unreachable { message, .. } => drop(out.note(format!("back {}", message.0))),
            Input::WorkDone => drop(out.note("worked".to_owned())),
            Input::Hears { hearing, .. } => {
                let heard = hearing == Hearing::Heard;
                out.note(format!("hears {heard}"));
            }
            Input::Set(SET_ALARM) => out.set_wall_timer(ALARM, now.wall + Span::from_s(10)),
            Input::Set(pings) => self.pings = pings,
        }
    }

    fn crash(&mut self) {
        self.pings = 0;
    }

    fn listens_to(&self) -> &[NodeId] {
        &self.peer
    }
}

fn two(start: TrueTime, wall: Wall, clicks: Vec<Click<Pinger>>) -> World<Pinger> {
    let node = |name: &str, peer, mono| NodeSetup {
        name: Rc::from(name),
        process: Pinger { peer: [peer], pings: 0 },
        mono: Mono(mono),
        wall_ahead: Span::ZERO,
        rate_ppm: RIGHT_RATE_PPM,
        wake_first: WakeFirst::Work,
    };
    World::new(Setup {
        start,
        wall,
        nodes: vec![node("A", B, 1_000), node("B", A, 77_000)],
        links: Default::default(),
        default_link: Link::reliable(LINK),
        seed: 1,
        clicks: (0..).zip(clicks).collect(),
    })
}

fn ms(ms: i64) -> TrueTime {
    TrueTime(ms * 1_000)
}

fn click(at_ms: i64, action: Action<Pinger>) -> Click<Pinger> {
    Click { at: ms(at_ms), action }
}

fn ping(nth: u32) -> MessageRef {
    MessageRef { from: A, to: B, kind: "ping", nth }
}

/// Runs to `until` and gives back what `node` noted, as "time: note".
#[track_caller]
fn check(clicks: Vec<Click<Pinger>>, until_ms: i64, node: NodeId, expected: &[&str]) {
    let mut replay = Replay::new(two(TrueTime(0), Wall(0), clicks), Blind);
    replay.seek(ms(until_ms));
    let notes: Vec<String> = replay
        .trace()
        .iter()
        .filter(|event| event.node == node)
        .filter_map(|event| match &event.what {
            What::Note(note) => Some(format!("{}: {note}", event.at.0 / 1_000)),
            _ => None,
        })
        .collect();
    assert_eq!(notes, expected);
}

#[test]
fn messages_take_the_latency_of_their_link() {
    check(vec![], 2_500, B, &["1010: got 1", "2010: got 2"]);
}

#[test]
fn a_paused_process_works_on_where_it_stood_and_then_takes_up_what_waited() {
    let pause = Action::Pause { node: B, lasting: Some(Span::from_s(2)) };
    // 2.5 s of work are left when it wakes at 4.5 s; A it hears again, having heard
    // nothing meanwhile.
    check(
        vec![click(2_500, pause)],
        7_005,
        B,
        &[
            "1010: got 1",
            "2010: got 2",
            "4500: hears true",
            "4502: got 3",
            "4502: got 4",
            "5010: got 5",
            "6010: got 6",
            "7000: worked",
        ],
    );
}

#[test]
fn a_paused_process_fires_its_overdue_timer_once_it_wakes_and_its_clock_has_run() {
    let pause = Action::Pause { node: A, lasting: Some(Span::from_s(2)) };
    check(
        vec![click(1_500, pause)],
        4_600,
        B,
        &["1010: got 1", "1500: hears false", "3500: hears true", "3511: got 2", "4511: got 3"],
    );
}

#[test]
fn a_suspended_machine_loses_messages_and_its_monotonic_clock_stands_still() {
    let wall = WallOnWake::Right;
    let suspend = |node| Action::Suspend { node, lasting: Some(Span::from_s(2)), wall };
    check(vec![click(1_500, suspend(B))], 3_600, B, &["1010: got 1", "3500: hears true"]);
    check(
        vec![click(1_500, suspend(A))],
        4_100,
        B,
        &["1010: got 1", "1500: hears false", "3500: hears true", "4010: got 2"],
    );
}

/// When A's alarm, set for 10 s at 0.1 s, fires.
#[track_caller]
fn check_alarm(action: Action<Pinger>, expected_ms: i64) {
    let set = Action::Set { node: A, setting: SET_ALARM };
    let clicks = vec![click(100, set), click(2_000, action)];
    let mut replay = Replay::new(two(TrueTime(0), Wall(0), clicks), Blind);
    replay.seek(ms(30_000));
    let alarm = What::Note("alarm".to_owned());
    let fired = replay.trace().iter().filter(|event| event.node == A && event.what == alarm);
    assert_eq!(fired.map(|event| event.at).collect::<Vec<_>>(), [ms(expected_ms)]);
}

#[test]
fn a_timer_by_the_wall_clock_fires_when_that_clock_shows_its_time() {
    let step = |by_s| Action::StepWall { node: A, by: Span::from_s(by_s) };
    check_alarm(step(0), 10_100);
    check_alarm(step(5), 5_100);
    check_alarm(step(60), 2_000);
    check_alarm(step(-5), 15_100);
    check_alarm(Action::SetWall { node: A, ahead: Span::from_s(5) }, 5_100);
    check_alarm(Action::SetRate { node: A, rate_ppm: 2_000_000 }, 6_050);
    let lasting = Some(Span::from_s(4));
    // Asleep it fires not at all, and then in time by a clock that is right.
    let asleep = |wall| Action::Suspend { node: A, lasting, wall };
    check_alarm(asleep(WallOnWake::Right), 10_100);
    check_alarm(asleep(WallOnWake::Behind), 14_100);
    // Paused it is late; on waking timers come after the work.
    let long = Some(Span::from_s(12));
    check_alarm(Action::Pause { node: A, lasting: long }, 14_001);
}

#[test]
fn on_waking_the_wall_clock_is_right_or_behind() {
    for (wall, behind) in [(WallOnWake::Right, 0), (WallOnWake::Behind, 2)] {
        let suspend = Action::Suspend { node: A, lasting: Some(Span::from_s(2)), wall };
        let mut replay = Replay::new(two(ms(0), Wall(5), vec![click(1_000, suspend)]), Blind);
        replay.seek(ms(4_000));
        let world = &replay.moment().world;
        assert_eq!(world.right_wall() - world.clocks(A).wall, Span::from_s(behind));
        assert_eq!(world.clocks(A).mono, Mono(1_000) + Span::from_s(2));
    }
}

#[test]
fn a_crashed_process_sends_messages_back_and_starts_afresh() {
    let crash = Action::Crash { node: B, restart_after: Some(Span::from_ms(600)) };
    check(
        vec![click(1_500, crash)],
        2_200,
        A,
        &["1010: got 1", "1500: hears false", "2020: back 2", "2100: hears true"],
    );
}

#[test]
fn what_waits_at_a_paused_process_has_arrived_and_no_cut_stops_it() {
    let pause = Action::Pause { node: B, lasting: Some(Span::from_s(1)) };
    let cut = Action::Cut { from: A, to: B, lasting: None };
    check(
        vec![click(1_500, pause), click(2_200, cut)],
        2_600,
        B,
        &["1010: got 1", "2500: hears false", "2502: got 2"],
    );
}

#[test]
fn what_comes_back_to_a_paused_sender_waits_for_it_too() {
    let crash = Action::Crash { node: B, restart_after: Some(Span::from_ms(1_000)) };
    let pause = Action::Pause { node: A, lasting: Some(Span::from_ms(1_500)) };
    let clicks = vec![click(1_500, crash), click(2_015, pause)];
    check(
        clicks.clone(),
        3_600,
        A,
        &["1010: got 1", "1500: hears false", "3515: hears true", "3517: back 2", "3517: got 1"],
    );
    // Paused again before it is taken up, it waits on.
    let again = Action::Pause { node: A, lasting: Some(Span::from_ms(100)) };
    let clicks = [clicks, vec![click(3_516, again)]].concat();
    check(
        clicks,
        3_620,
        A,
        &[
            "1010: got 1",
            "1500: hears false",
            "3515: hears true",
            "3616: hears true",
            "3618: back 2",
            "3618: got 1",
        ],
    );
}

#[test]
fn a_cut_link_carries_nothing_in_its_direction() {
    let cut = Action::Cut { from: A, to: B, lasting: Some(Span::from_s(1)) };
    let clicks = vec![click(1_500, cut)];
    check(
        clicks.clone(),
        3_200,
        B,
        &["1010: got 1", "1500: hears false", "2500: hears true", "3010: got 3"],
    );
    check(clicks, 3_200, A, &["1010: got 1", "2010: got 2", "3010: got 3"]);
}

#[test]
fn single_messages_can_be_held_dropped_delayed_and_doubled() {
    let at = |second: i64, action| click(second * 1_000 + 5, action);
    let clicks = vec![
        at(1, Action::Hold { message: ping(1), lasting: Some(Span::from_ms(500)) }),
        at(2, Action::Drop { message: ping(2) }),
        at(3, Action::Delay { message: ping(3), by: Span::from_ms(100) }),
        at(4, Action::Duplicate { message: ping(4), after: Span::from_ms(200) }),
    ];
    let expected = ["1505: got 1", "3110: got 3", "4010: got 4", "4210: got 4"];
    check(clicks, 4_500, B, &expected);
}

#[test]
fn what_waits_at_a_paused_process_is_taken_up_in_the_order_of_arrival() {
    let delay = Action::Delay { message: ping(1), by: Span::from_ms(1_200) };
    let pause = Action::Pause { node: B, lasting: Some(Span::from_ms(600)) };
    // The first arrives at 2.21 s, after the second.
    let clicks = vec![click(1_005, delay), click(2_005, pause)];
    check(clicks, 2_900, B, &["2605: hears true", "2607: got 2", "2607: got 1"]);
}

#[test]
fn a_second_hold_is_not_ended_by_what_was_to_end_the_first() {
    let hold = |lasting| Action::Hold { message: ping(1), lasting };
    let second = Span::from_s(1);
    let held = vec![click(1_005, hold(Some(second))), click(1_500, hold(None))];
    check(held, 2_900, B, &["2010: got 2"]);
    let longer = vec![click(1_005, hold(Some(second))), click(1_500, hold(Some(second)))];
    check(longer, 2_900, B, &["2010: got 2", "2500: got 1"]);
    let delay = Action::Delay { message: ping(1), by: Span::from_ms(800) };
    let delayed = vec![click(1_005, hold(Some(second))), click(1_500, delay)];
    check(delayed, 2_900, B, &["2010: got 2", "2300: got 1"]);
}

#[test]
fn of_two_copies_the_one_on_its_way_is_held() {
    let hold = || Action::Hold { message: ping(1), lasting: None };
    let twice = Action::Duplicate { message: ping(1), after: Span::from_ms(100) };
    let one = vec![click(1_005, twice.clone()), click(1_006, hold())];
    check(one, 1_900, B, &["1110: got 1"]);
    let both = vec![click(1_005, twice), click(1_006, hold()), click(1_007, hold())];
    check(both, 1_900, B, &[]);
}

/// The state at a moment, and what B notes after it.
fn from_then_on(clicks: Vec<Click<Pinger>>, then_ms: i64) -> (Vec<u8>, Vec<String>) {
    let mut replay = Replay::new(two(TrueTime(0), Wall(0), clicks), Blind);
    replay.seek(ms(then_ms));
    let (state, past) = (replay.moment().world.state(), replay.past().len());
    replay.seek(ms(then_ms + 900));
    let notes = replay.trace()[past..].iter().filter_map(|event| match &event.what {
        What::Note(note) if event.node == B => Some(format!("{}: {note}", event.at.0)),
        _ => None,
    });
    (state, notes.collect())
}

#[test]
fn equal_states_go_on_alike_however_they_came_about() {
    let delay = |nth, by| Action::Delay { message: ping(nth), by: Span::from_ms(by) };
    // Due together in the end, by a click that is still to come.
    let last = || click(2_006, delay(2, 100));
    let plain = vec![click(1_005, delay(1, 1_100)), last()];
    // The first ping is a copy made after the second was sent.
    let copy = Action::Duplicate { message: ping(1), after: Span::from_ms(50) };
    let copied = vec![
        click(1_005, delay(1, 1_050)),
        click(2_002, copy),
        click(2_003, Action::Drop { message: ping(1) }),
        last(),
    ];
    let (plain, copied) = (from_then_on(plain, 2_005), from_then_on(copied, 2_005));
    assert!(plain.0 == copied.0, "the states are equal");
    assert_eq!(plain.1, copied.1);
    assert_eq!(plain.1, ["2110000: got 1", "2110000: got 2"]);
}

#[test]
fn a_slow_clock_slows_timers_but_not_work() {
    let slow = Action::SetRate { node: A, rate_ppm: 200_000 };
    check(vec![click(1_500, slow)], 6_000, B, &["1010: got 1", "4010: got 2", "5000: worked"]);
}

#[test]
fn a_click_whose_target_is_not_there_is_shown_as_missed() {
    let drop = Action::Drop { message: ping(9) };
    let mut replay = Replay::new(two(ms(0), Wall(0), vec![click(1_500, drop)]), Blind);
    replay.seek(ms(2_000));
    let missed = replay.trace().iter().find_map(|event| match event.what {
        What::ClickMissed { why, .. } => Some(why),
        _ => None,
    });
    assert_eq!(missed, Some(Missed::NoSuchMessage));
}

#[test]
fn a_run_started_later_with_all_walls_moved_has_equal_states_throughout() {
    let clicks = |shift: Span| {
        let suspend =
            Action::Suspend { node: A, lasting: Some(Span(777_777)), wall: WallOnWake::Behind };
        let mut clicks = vec![
            click(300, Action::SetRate { node: B, rate_ppm: 333_333 }),
            click(1_005, Action::Hold { message: ping(1), lasting: None }),
            click(2_000, suspend),
        ];
        clicks.iter_mut().for_each(|click| click.at = click.at + shift);
        clicks
    };
    let shift = Span(7_123_457);
    let mut early = two(TrueTime(0), Wall(0), clicks(Span::ZERO));
    let mut late = two(TrueTime(0) + shift, Wall(0) + Span::from_s(10_800), clicks(shift));
    let mut ignore = |_: Event<Pinger>| {};
    for _ in 0..60 {
        assert_eq!(early.state(), late.state(), "at {:?}", early.now());
        assert!(early.step(&mut ignore) && late.step(&mut ignore));
    }
}

#[test]
fn back_then_forward_is_the_identity() {
    let pause = Action::Pause { node: A, lasting: Some(Span::from_s(3)) };
    let mut replay = Replay::new(two(ms(0), Wall(0), vec![click(2_000, pause)]), Blind);
    let states: Vec<Vec<u8>> = (0..400)
        .map(|tenth| {
            replay.seek(TrueTime(tenth * 100_000));
            replay.moment().state()
        })
        .collect();
    for tenth in [399, 3, 200, 199, 0, 398, 17, 20, 19] {
        replay.seek(TrueTime(tenth * 100_000));
        assert_eq!(replay.moment().state(), states[tenth as usize], "at {tenth} tenths");
    }
}

#[test]
fn every_event_but_the_first_has_a_cause_and_they_lead_back_to_it() {
    let cut = Action::Cut { from: A, to: B, lasting: Some(Span::from_s(1)) };
    let mut replay = Replay::new(two(ms(0), Wall(0), vec![click(1_500, cut)]), Blind);
    replay.seek(ms(5_000));
    for event in replay.trace() {
        assert_eq!(event.causes.is_empty(), event.id == EventId(0));
        assert!(event.causes.iter().all(|cause| *cause < event.id));
    }
}

#[test]
fn a_click_added_later_leaves_the_past_as_it_was() {
    let mut replay = Replay::new(two(ms(0), Wall(0), vec![]), Blind);
    replay.seek(ms(3_000));
    replay.seek(ms(1_500));
    let past = replay.past().to_vec();
    let action = Action::Crash { node: B, restart_after: None };
    let mut other = replay.with_clicks(0, &[click(1_500, action)]);
    other.seek(ms(3_000));
    assert_eq!(other.trace()[..past.len()], past[..]);
    assert_ne!(other.trace(), replay.trace());
}
