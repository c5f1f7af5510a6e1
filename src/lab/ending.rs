//! How a run ended: what is broken, what never came to its end, and what could still
//! be done about it.

use super::facts::{self, Machine, WorkerFacts};
use super::{Lab, Open, faults, guide};
use crate::actors::worker::Status;
use crate::properties::PropertyId;
use crate::scenario::clicks::Do;
use crate::sim::process::NodeId;
use crate::sim::time::TrueTime;
use crate::text::amounts::{money, span};
use crate::text::ui::guide::Until;
use crate::text::ui::ui;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The promises that are broken.
    pub broken: Vec<PropertyId>,
    /// The workers whose programs have not come to an end.
    pub unfinished: Vec<Stuck>,
    /// The run's limit, when it was reached.
    pub limit: Option<TrueTime>,
    /// What the partner has booked.
    pub booked: i64,
    /// What the partner ought to book in all.
    pub owed: i64,
}

/// A worker whose program has not come to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Stuck {
    /// Which.
    pub id: NodeId,
    /// Whether it runs: if it does, it waits for others.
    pub machine: Machine,
    /// What would let it go on, where it stands still.
    pub undo: Option<Do>,
}

impl Ended {
    /// How a run ended, at its end.
    pub fn of(open: &Open) -> Ended {
        let verdict = facts::verdict(open);
        let workers: Vec<_> = facts::workers(open).collect();
        let at_limit = open.now() >= open.scenario().limit() && !open.replay().is_over();
        Ended {
            broken: verdict.broken.iter().map(|(id, _)| *id).collect(),
            unfinished: workers.iter().filter(|w| !is_done(w)).map(|w| stuck(open, w)).collect(),
            limit: at_limit.then(|| open.scenario().limit()),
            booked: verdict.booked,
            owed: verdict.owed,
        }
    }

    /// What would let the run go on, if something would.
    pub fn undo(&self) -> Option<&Do> {
        self.unfinished
            .iter()
            .find_map(|stuck| stuck.undo.as_ref())
            .filter(|_| self.limit.is_none())
    }
}

/// How it ended, in sentences: what is broken, or else that nothing is; who is
/// stuck, and on what. That all was well is said only when it was.
pub fn sentences(open: &Open, ended: &Ended) -> Vec<String> {
    let text = &ui().guide;
    let name = |stuck: &Stuck| open.scenario().names().of(stuck.id).to_owned();
    let all: Vec<String> = ended.unfinished.iter().map(name).collect();
    let all = all.join(", ");
    let mut said = Vec::new();
    if !ended.broken.is_empty() {
        said.push((text.broken)(&happened(&ended.broken)));
    }
    let booked = (ui().verdict.of)(&money(ended.booked), &money(ended.owed));
    match (ended.limit, ended.unfinished.first()) {
        (_, None) if !ended.broken.is_empty() => {}
        (_, None) if ended.booked < ended.owed => said.push((text.not_done)(&booked)),
        (_, None) => said.push(text.kept.to_owned()),
        (Some(limit), Some(_)) => {
            said.push((text.cut_short)(&span(limit - TrueTime(0)), &all, &booked));
        }
        (None, Some(_)) => {
            let still = ended.unfinished.iter().filter(|stuck| stuck.undo.is_some());
            let stuck = still.map(|stuck| (text.stuck)(&name(stuck), until(stuck.machine)));
            // What stands still at a story's end may be what it tells of.
            if ended.broken.is_empty() && guide::whose(open) == guide::Whose::Story {
                said.push(text.unbroken.to_owned());
            }
            let before = said.len();
            said.extend(stuck);
            if said.len() == before {
                said.push((text.unfinished)(&all));
            }
        }
    }
    said
}

/// What happened that was promised not to, one after the other.
pub fn happened(broken: &[PropertyId]) -> String {
    let all: Vec<&str> = broken.iter().map(|id| (ui().verdict.happened)(*id)).collect();
    all.join(", ")
}

fn until(machine: Machine) -> Until {
    match machine {
        Machine::Runs | Machine::Paused => Until::Resumed,
        Machine::Suspended => Until::Woken,
        Machine::Down => Until::Started,
    }
}

impl Lab {
    /// How the run that one looks at ended, while one looks at its end.
    pub fn ended(&self) -> Option<&Ended> {
        self.open().ended().filter(|_| self.open().is_at_end())
    }
}

/// A process that ended itself has been replaced, or was meant not to be.
fn is_done(worker: &WorkerFacts) -> bool {
    matches!(worker.program, Status::Finished | Status::Stopped(_) | Status::Exited)
}

fn stuck(open: &Open, worker: &WorkerFacts) -> Stuck {
    let undo = (worker.machine != Machine::Runs).then(|| faults::pause(open, worker.id));
    let undo = undo.map(|fault| fault.choices[0].clone()).filter(|undo| undo.why_not.is_none());
    Stuck { id: worker.id, machine: worker.machine, undo: undo.map(|undo| undo.action) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::lab::guide::{Next, next};

    /// A run in which this is done at a moment, at its end.
    fn ended(at_s: i64, all: &[Do]) -> Lab {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Seek(TrueTime(at_s * 1_000_000)));
        for action in all {
            lab.update(Msg::Click(action.clone()));
        }
        lab.update(Msg::ToEnd);
        lab
    }

    fn pause(node: &str, for_ms: Option<i64>) -> Do {
        Do::Pause { node: node.to_owned(), for_ms }
    }

    /// The workers that have not finished, each with whether something would undo it;
    /// the limit, if it was reached; what is booked.
    #[track_caller]
    fn check(lab: &Lab, unfinished: &[(&str, bool)], limit_s: Option<i64>, booked: i64) {
        let ended = lab.ended().expect("it is at its end");
        let names = lab.open().scenario().names();
        let found: Vec<(&str, bool)> = ended
            .unfinished
            .iter()
            .map(|stuck| (names.of(stuck.id), stuck.undo.is_some()))
            .collect();
        assert_eq!(found, unfinished);
        assert_eq!(ended.limit, limit_s.map(|s| TrueTime(s * 1_000_000)));
        assert_eq!(ended.booked, booked);
    }

    #[test]
    fn a_worker_that_stands_still_for_good_is_named_with_what_lets_it_go_on() {
        let mut lab = ended(25, &[pause("W1", None)]);
        check(&lab, &[("W1", true)], None, 2_000_000);
        let resume = Do::Resume { node: "W1".to_owned() };
        assert_eq!(next(&lab), Next::Undo(resume.clone()));
        lab.update(Msg::Click(resume));
        assert_eq!(lab.runs().len(), 1, "the same run goes on");
        lab.update(Msg::ToEnd);
        check(&lab, &[], None, 4_000_000);
    }

    #[test]
    fn two_that_stand_still_are_both_named() {
        let lab = ended(25, &[pause("W1", None), pause("W2", None)]);
        check(&lab, &[("W1", true), ("W2", true)], None, 0);
    }

    #[test]
    fn a_run_cut_short_by_its_limit_says_so() {
        let crash = |node: &str| Do::Crash { node: node.to_owned(), restart_after_ms: None };
        let lab = ended(0, &[crash("M1"), crash("M2"), crash("M3")]);
        check(&lab, &[("W1", false), ("W2", false)], Some(180), 0);
        assert_eq!(next(&lab), Next::Anew);
    }

    #[track_caller]
    fn check_said(lab: &Lab, expected: &[&str]) {
        let said = sentences(lab.open(), lab.ended().expect("it is at its end"));
        assert_eq!(said, expected);
    }

    #[test]
    fn that_all_was_well_is_said_only_when_it_was() {
        check_said(&ended(25, &[]), &["Every promise was kept."]);
        let stands = "Nothing more happens by itself: W1 stands still until you resume it.";
        check_said(&ended(25, &[pause("W1", None)]), &[stands]);
        let crash = |node: &str| Do::Crash { node: node.to_owned(), restart_after_ms: None };
        let cut = "A run is cut off at 180 s. Until then these had not finished: W1, W2. Booked: \
                   0 of 2.0 M.";
        check_said(&ended(0, &[crash("M1"), crash("M2"), crash("M3")]), &[cut]);
        let stale = "Broken: a stale write was accepted, an acknowledged write was lost, work was \
                     done twice.";
        check_said(&ended(25, &[pause("W1", Some(45_000))]), &[stale]);
        let down = "Nothing more happens by itself: W2 does not run until you start it.";
        check_said(&ended(10, &[crash("W2")]), &[down]);
    }

    #[test]
    fn how_a_run_ended_is_known_at_every_moment_of_it() {
        let mut lab = ended(25, &[pause("W1", Some(45_000))]);
        lab.update(Msg::ToStart);
        assert_eq!(lab.ended(), None, "one does not look at its end");
        let broken = &lab.open().ended().expect("it has ended").broken;
        assert!(broken.contains(&PropertyId::StaleWriteAccepted));
        lab.update(Msg::Seek(TrueTime(30_000_000)));
        lab.update(Msg::Click(pause("W2", None)));
        assert_eq!(lab.open().ended(), None, "another run, of which that is not known");
    }
}
