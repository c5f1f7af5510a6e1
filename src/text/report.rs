//! A run told as text or as JSON: what `play` prints and golden files hold.

use crate::actors::Actor;
use crate::content::Choice;
use crate::properties::{Judge, Judged, PropertyId, Verdict, turns, why};
use crate::scenario::{Run, ScenarioError, library};
use crate::sim::encode::{self, Encoder, Frame};
use crate::sim::event::{Event, EventId};
use crate::sim::replay::Replay;
use crate::sim::time::TrueTime;
use crate::text::amounts::exact_moment;
use crate::text::{Who, en};
use serde::Serialize;

/// What came of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The scenario's id.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// The id of the scenario's variant, if it is one.
    pub variant: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The turns of events, oldest first.
    pub turns: Vec<Line>,
    /// What became of each property.
    pub verdicts: Vec<VerdictLine>,
    /// Writes accepted between the next grant and its first claim or write.
    pub late_writes: u32,
    /// What ended the run.
    pub ended_by: EndedBy,
    /// When its last event happened, in microseconds of true time.
    pub ended_us: i64,
    /// When it would have ended at the latest, in microseconds of true time.
    pub limit_us: i64,
    /// How many events there were.
    pub events: usize,
    /// A hash of the whole trace, in hex.
    pub trace_hash: String,
}

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    /// Nothing but renewals and scans was left.
    NothingLeft,
    /// The scenario's limit was reached, and something was still to come.
    Limit,
}

/// One event.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its place in the trace.
    pub event: u32,
    /// When, in microseconds of true time.
    pub at_us: i64,
    /// On which machine.
    pub node: String,
    /// What happened, in a sentence.
    pub what: String,
}

/// One property.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictLine {
    /// Which, by its name in scenario files.
    pub property: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Whether the scenario promises it.
    pub promised: bool,
    /// Whether it held.
    pub holds: bool,
    /// The turns of events that the break rests on, the break itself last.
    pub why: Vec<Line>,
}

/// A hash of a whole trace: times, machines, what happened, and causes.
pub fn trace_hash(trace: &[Event<Actor>]) -> u128 {
    let mut encoder = Encoder::new(Frame::default());
    for event in trace {
        let causes: Vec<u32> = event.causes.iter().map(|cause| cause.0).collect();
        encoder.put(&(event.id.0, event.at, event.node, &event.what, causes));
    }
    encode::hash(&encoder.into_bytes())
}

/// Steps between two states in the table of states.
const STATES_EVERY: u32 = 50;

/// Hashes of the states of every built-in run, a line each, and of its trace: what has
/// to come out the same natively and in every browser.
///
/// # Errors
/// When a built-in scenario is wrong, which a test excludes.
pub fn states() -> Result<String, ScenarioError> {
    let mut text = String::new();
    for (name, run) in library::runs()? {
        let hashes = run.state_hashes(STATES_EVERY)?;
        for (steps, hash) in hashes.every.into_iter().chain([hashes.last]) {
            text.push_str(&format!("{name} {steps} {hash:032x}\n"));
        }
        let trace = trace_hash(run.to_end()?.past());
        text.push_str(&format!("{name} trace {trace:032x}\n"));
    }
    Ok(text)
}

impl Report {
    /// Runs a run to its end and reports.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn of(run: &Run) -> Result<Report, ScenarioError> {
        Ok(Report::of_replay(run, &run.to_end()?))
    }

    /// Reports of a run that was run to its end.
    pub fn of_replay(run: &Run, replay: &Replay<Actor, Judge>) -> Report {
        let spec = run.scenario.spec();
        let trace = replay.past();
        let who = Who::of(run.scenario.names(), trace);
        let line = |id: EventId| {
            let event = &trace[id.index()];
            Line {
                event: id.0,
                at_us: event.at.0,
                node: who.machine(event.node).to_owned(),
                what: en::event(event, &who),
            }
        };
        let is_turn = |event: &&Event<Actor>| turns::is_turn(&event.what);
        let verdict = |id: PropertyId| {
            let verdict = replay.moment().observer.verdict(id, Judged::AtTheEnd);
            let chain = match verdict {
                Verdict::Holds => Vec::new(),
                Verdict::Broken { witness } => why::of_fault(trace, witness),
            };
            VerdictLine {
                property: id.name(),
                title: en::property(id),
                promised: spec.promises.contains(&id),
                holds: verdict.holds(),
                why: told(trace, chain, line),
            }
        };
        Report {
            scenario: spec.id.clone(),
            title: spec.title.clone(),
            variant: run.scenario.variant_id().map(str::to_owned),
            seed: run.seed,
            turns: told(trace, trace.iter().filter(is_turn).map(|event| event.id), line),
            verdicts: PropertyId::ALL.into_iter().map(verdict).collect(),
            late_writes: replay.moment().observer.late_writes(),
            ended_by: match replay.is_over() {
                true => EndedBy::NothingLeft,
                false => EndedBy::Limit,
            },
            ended_us: replay.now().0,
            limit_us: run.scenario.limit().0,
            events: trace.len(),
            trace_hash: format!("{:032x}", trace_hash(trace)),
        }
    }

    /// The report as text, a line an event.
    pub fn text(&self) -> String {
        let variant = self.variant.as_ref().map(|id| format!(", variant {id}"));
        let mut text = format!(
            "{} ({}{}), seed {}\n\n",
            self.title,
            self.scenario,
            variant.unwrap_or_default(),
            self.seed
        );
        for line in &self.turns {
            text.push_str(&line.text());
        }
        text.push_str(&format!("\nWrites accepted late: {}\n\n", self.late_writes));
        for verdict in &self.verdicts {
            text.push_str(&verdict.text());
        }
        for verdict in self.verdicts.iter().filter(|verdict| !verdict.holds) {
            text.push_str(&format!("\nWhy: {}\n", verdict.title));
            verdict.why.iter().for_each(|line| text.push_str(&line.text()));
        }
        let ended = exact_moment(TrueTime(self.ended_us));
        text.push_str(&format!(
            "\n{}\n{} events, the last at {ended}; trace {}\n",
            self.end(),
            self.events,
            self.trace_hash
        ));
        text
    }

    /// Why there is no more of the run.
    fn end(&self) -> String {
        match self.ended_by {
            EndedBy::NothingLeft => "Over: nothing but renewals and scans was left.".to_owned(),
            EndedBy::Limit => {
                let limit = exact_moment(TrueTime(self.limit_us));
                format!("Cut off at the limit, {limit}: something was still to come.")
            }
        }
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text and numbers")
    }
}

/// A line an event; what one click does to several links is told once.
fn told(
    trace: &[Event<Actor>],
    events: impl IntoIterator<Item = EventId>,
    line: impl Fn(EventId) -> Line,
) -> Vec<Line> {
    let told = turns::once_a_click(events.into_iter().map(|id| &trace[id.index()]));
    let with_more = |(event, more): (&Event<Actor>, usize)| {
        let mut line = line(event.id);
        if more > 0 {
            line.what.push_str(&format!(", and {more} more with the same click"));
        }
        line
    };
    told.into_iter().map(with_more).collect()
}

impl Line {
    fn text(&self) -> String {
        let at = exact_moment(TrueTime(self.at_us));
        format!("{at:>11}  {:<12}  {}\n", self.node, self.what)
    }
}

impl VerdictLine {
    fn text(&self) -> String {
        let promised = if self.promised { "promised" } else { "not promised" };
        let verdict = match (self.holds, self.promised) {
            (true, _) => "kept",
            (false, true) => "BROKEN",
            (false, false) => "broken",
        };
        format!("{verdict:<8}{:<34}{promised}\n", self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    /// The built-in scenario with another limit, told both ways.
    #[track_caller]
    fn check(limit_ms: &str, ended_by: &str, sentence: &str) {
        let scenario = Scenario::built_in("reconcile").expect("it is built in");
        let limit = ("limit_ms".to_owned(), limit_ms.to_owned());
        let run = scenario.with(&[limit]).expect("it can be set").run();
        let report = Report::of(&run).expect("a run");
        assert!(report.text().contains(&format!("\n{sentence}\n")), "{}", report.text());
        let json: serde_json::Value = serde_json::from_str(&report.json()).expect("it is JSON");
        assert_eq!(json["ended_by"], ended_by);
    }

    #[test]
    fn what_ended_a_run_is_told() {
        let over = "Over: nothing but renewals and scans was left.";
        check("180000", "nothing-left", over);
        let cut = "Cut off at the limit, 26.000 s: something was still to come.";
        check("26000", "limit", cut);
        // The last event is at 79.640 s, and a renewal may be due after it.
        check("79640", "nothing-left", over);
    }
}
