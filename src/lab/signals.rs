//! The signals of the run one looks at, up to the present moment.

use super::Open;
use crate::properties::signals::{Answer, Record, Signal, Signals};
use crate::sim::event::EventId;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use crate::text::signals::{json_lines, sentence};
use std::rc::Rc;

/// At most so many alarms are listed: the last ones.
const ALARMS: usize = 20;

/// The signals of an open run, taken in as it grows.
#[derive(Debug)]
pub struct Gauges {
    number: u32,
    signals: Signals,
    /// So many records as JSON Lines: nothing else of the run is in them.
    lines: (usize, Rc<str>),
}

/// How the signals stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// The longest wait for the lock.
    pub longest_wait: Span,
    /// How many gave up waiting.
    pub timeouts: usize,
    /// Renewals that were overdue.
    pub renewals_missed: usize,
    /// What the store refused.
    pub refusals: usize,
    /// What it accepted after a higher token.
    pub out_of_order: usize,
    /// How long nobody held the lock while somebody waited.
    pub without_holder: Span,
    /// How many believe that they hold it.
    pub believers: usize,
    /// How many did so at most.
    pub most_believers: usize,
    /// The last alarms, the latest first: when, what, and the event, unless only time has
    /// passed.
    pub alarms: Vec<(TrueTime, String, Option<EventId>)>,
    /// How many alarms there were in all.
    pub alarms_in_all: usize,
}

impl Gauges {
    /// Those of a run.
    pub fn of(open: &Open) -> Gauges {
        let signals = Signals::new(open.scenario().usual());
        let mut gauges = Gauges { number: open.number(), signals, lines: (0, "".into()) };
        gauges.keep(open);
        gauges
    }

    /// Takes in what has happened since, or another run.
    pub fn keep(&mut self, open: &Open) {
        let trace = open.replay().trace();
        // A click made in the past cuts off what came after it.
        if self.number != open.number() || trace.len() < self.signals.seen() {
            *self = Gauges::of(open);
        } else {
            self.signals.take_in(trace, open.seen_until());
        }
    }

    /// The records up to the present moment.
    fn records(&self, open: &Open) -> &[Record] {
        let (now, past) = (open.now(), open.past().len());
        let records = self.signals.records();
        let is_past = |it: &Record| it.at <= now && it.event.index() < past;
        &records[..records.partition_point(is_past)]
    }

    /// The records up to the present moment as JSON Lines.
    pub fn json_lines(&mut self, open: &Open) -> Rc<str> {
        let records = self.records(open);
        if self.lines.0 != records.len() {
            let lines = json_lines(records, open.scenario().names());
            self.lines = (records.len(), lines.into());
        }
        self.lines.1.clone()
    }

    /// How they stand at the present moment.
    pub fn readings(&self, open: &Open) -> Readings {
        let (records, names) = (self.records(open), open.scenario().names());
        let mut readings = Readings::default();
        let mut nobody_since = None;
        let mut asking: Vec<(NodeId, TrueTime)> = Vec::new();
        for record in records {
            match record.signal {
                Signal::Asks { node } => asking.push((node, record.at)),
                Signal::AsksNoMore { node } => asking.retain(|(it, _)| *it != node),
                Signal::WaitsLong { .. } | Signal::WaitsForPool { .. } => {}
                Signal::Acquired { node, waited } | Signal::TimedOut { node, waited } => {
                    asking.retain(|(it, _)| *it != node);
                    readings.longest_wait = readings.longest_wait.max(waited);
                    let is_timeout = matches!(record.signal, Signal::TimedOut { .. });
                    readings.timeouts += usize::from(is_timeout);
                }
                Signal::RenewalMissed { .. } => readings.renewals_missed += 1,
                Signal::Refused { .. } => readings.refusals += 1,
                Signal::OutOfOrder { answer, .. } => {
                    readings.out_of_order += usize::from(answer == Answer::Accepted);
                }
                Signal::NoHolder => nobody_since = Some(record.at),
                Signal::HolderAgain { after } => {
                    nobody_since = None;
                    readings.without_holder = readings.without_holder + after;
                }
                Signal::Believe { count } => {
                    readings.believers = count;
                    readings.most_believers = readings.most_believers.max(count);
                }
            }
            readings.alarms_in_all += usize::from(record.signal.is_alarm());
        }
        for (_, since) in asking {
            readings.longest_wait = readings.longest_wait.max(open.now() - since);
        }
        if let Some(since) = nobody_since {
            readings.without_holder = readings.without_holder + (open.now() - since);
        }
        let alarms = records.iter().rev().filter(|record| record.signal.is_alarm());
        let trace = open.replay().trace();
        let event = |it: &Record| (trace[it.event.index()].at == it.at).then_some(it.event);
        let told = |it: &Record| (it.at, sentence(&it.signal, names), event(it));
        readings.alarms = alarms.take(ALARMS).map(told).collect();
        readings
    }
}

#[cfg(test)]
#[path = "signals_tests.rs"]
mod of_runs;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Lab, Msg};
    use crate::scenario::clicks::Do;

    /// "longest wait, timeouts, missed, refusals, out of order, without, believers/most,
    /// alarms" at a moment.
    #[track_caller]
    fn check(lab: &mut Lab, gauges: &mut Gauges, at_s: i64, expected: &str) {
        lab.update(Msg::Seek(TrueTime(at_s * 1_000_000)));
        gauges.keep(lab.open());
        let it = gauges.readings(lab.open());
        let told = format!(
            "{} {} {} {} {} {} {}/{} {}",
            it.longest_wait.ms(),
            it.timeouts,
            it.renewals_missed,
            it.refusals,
            it.out_of_order,
            it.without_holder.ms(),
            it.believers,
            it.most_believers,
            it.alarms_in_all
        );
        assert_eq!(told, expected, "at {at_s} s");
    }

    #[test]
    fn gauges_are_read_at_any_moment_and_back_again() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        let mut gauges = Gauges::of(lab.open());
        check(&mut lab, &mut gauges, 30, "29900 0 0 0 0 34 1/1 0");
        check(&mut lab, &mut gauges, 47, "46900 0 2 0 0 34 1/1 2");
        check(&mut lab, &mut gauges, 80, "51456 0 2 0 1 34 0/2 4");
        check(&mut lab, &mut gauges, 30, "29900 0 0 0 0 34 1/1 0");
        let alarms = |lab: &Lab, gauges: &Gauges| gauges.readings(lab.open()).alarms;
        lab.update(Msg::ToEnd);
        gauges.keep(lab.open());
        let (_, says, event) = alarms(&lab, &gauges).remove(0);
        let event = event.expect("it is an event");
        let (_, says_first, none) = alarms(&lab, &gauges).remove(3);
        assert_eq!((says_first.as_str(), none), ("W2 waits for the lock, 30 s by now", None));
        assert_eq!(says, "token 42 came after 43, and was accepted");
        assert!(lab.open().replay().trace()[event.index()].at > TrueTime(73_000_000));
        let lines = gauges.json_lines(lab.open());
        let alarm = r#""signal":"out-of-order","alarm":true"#;
        assert!(lines.lines().any(|line| line.contains(alarm)), "{lines}");
        // Another run.
        lab.update(Msg::Load { scenario: "reconcile".to_owned() });
        gauges.keep(lab.open());
        assert_eq!(gauges.readings(lab.open()), Readings::default());
    }
}
