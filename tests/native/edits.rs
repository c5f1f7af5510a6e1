//! A run built by hand: whatever is done to it, all of it is undone and done again, and
//! a link tells it.

use crate::lots::Lots;
use fencepost::content::{Tree, Value};
use fencepost::lab::bench::shown::bench;
use fencepost::lab::bench::{Edit, clicks};
use fencepost::lab::{Lab, Msg};
use fencepost::scenario::clicks::ClickSpec;
use fencepost::scenario::{Run, Scenario, library};
use fencepost::share::Link;
use fencepost::sim::time::TrueTime;

/// What somebody might type or choose.
fn typed(lots: &mut Lots, is: &str) -> String {
    let others = ["", "0", "1", "3", "0.5", "12", "-1", "acquire", "acquire compute release", "x"];
    match lots.below(3) {
        0 => is.to_owned(),
        _ => lots.of(&others).to_owned(),
    }
}

fn edit(lots: &mut Lots, lab: &Lab) -> Option<Edit> {
    let shown = bench(lab.open());
    let names: Vec<String> = shown.workers.iter().map(|worker| worker.name.clone()).collect();
    let click = lots.below(shown.clicks.len() as u64 + 1) as usize;
    let at = TrueTime(lots.below(30_000_000) as i64);
    Some(match lots.below(12) {
        0 => Edit::Scenario { id: lots.of(library::ALL).0.to_owned() },
        1 => Edit::Variant(shown.variants.first().map(|(id, _)| id.clone())),
        2 => Edit::Seed(lots.below(u64::MAX)),
        3 | 4 => Edit::AddWorker { like: lots.of(&names) },
        5 => Edit::RemoveWorker { name: lots.of(&names) },
        6 | 7 => {
            let targets = clicks::targets(lab.open().run());
            let target = lots.below(targets.len() as u64) as usize;
            let actions = &targets[target].actions;
            let action = actions[lots.below(actions.len() as u64) as usize].clone();
            Edit::AddClick(ClickSpec { at_us: at.0, r#do: action })
        }
        8 => Edit::MoveClick { click, at },
        9 => Edit::DeleteClick { click },
        _ => {
            let workers = shown.workers.iter().flat_map(|worker| &worker.groups);
            let groups = shown.groups.iter().chain(workers);
            let fields: Vec<_> = groups.flat_map(|group| group.fields.clone()).collect();
            let field = &fields[lots.below(fields.len() as u64) as usize];
            let choice = match field.field.kind {
                fencepost::lab::bench::fields::Kind::One(names) => lots.of(names).to_owned(),
                _ => typed(lots, &field.typed),
            };
            field.edit(&choice).ok()?
        }
    })
}

/// The first minute's trace, as text.
fn trace(run: &Run) -> String {
    let mut replay = run.replay().expect("it was made");
    replay.seek(TrueTime(5_000_000));
    format!("{:?}", replay.past())
}

fn check_link(run: &Run) {
    let link = Link::to(run).expect("it is of a built-in scenario");
    let read = Link::from_fragment(&link.fragment()).expect("it was written");
    assert_eq!(read.run().as_ref(), Ok(run), "{}", link.fragment());
}

#[test]
fn all_undone_and_done_again_gives_equal_runs_and_traces() {
    let mut done = 0;
    for seed in 0..12 {
        let mut lots = Lots::new(seed);
        let mut lab = Lab::new().expect("built in");
        let mut runs = vec![lab.open().run().clone()];
        for _ in 0..25 {
            let Some(edit) = edit(&mut lots, &lab) else { continue };
            lab.update(Msg::Edit(edit));
            if lab.open().run() != runs.last().expect("one is there") {
                runs.push(lab.open().run().clone());
            }
        }
        assert_eq!(lab.runs().len(), 1);
        done += runs.len();
        let (last, end) = (lab.open().run().clone(), trace(lab.open().run()));
        for run in runs.iter().rev().skip(1) {
            lab.update(Msg::Undo);
            assert_eq!(lab.open().run(), run);
        }
        assert!(!lab.open().history().can_undo());
        for run in &runs[1..] {
            lab.update(Msg::Redo);
            assert_eq!(lab.open().run(), run);
        }
        assert!(!lab.open().history().can_redo());
        assert_eq!(*lab.open().run(), last);
        assert_eq!(trace(lab.open().run()), end);
        check_link(&last);
    }
    assert!(done > 100, "most edits can be made: {done}");
}

#[test]
fn a_run_with_more_workers_and_without_an_orchestrator_has_a_link() {
    let scenario = Scenario::built_in("renewal-fails").expect("built in");
    let mut lab = Lab::on(&scenario).expect("built in");
    let nothing =
        |path: &str| Edit::Set { path: path.to_owned(), value: Tree::new(Value::Nothing) };
    let starts =
        Edit::Set { path: "worker.W2.starts_ms".to_owned(), value: Tree::new(Value::Whole(500)) };
    for edit in [
        starts,
        nothing("orchestrator.restart_after_ms"),
        nothing("worker.W1.renewal_unanswered_ms"),
        Edit::AddWorker { like: "W1".to_owned() },
    ] {
        lab.update(Msg::Edit(edit));
        assert_eq!(lab.warning(), None);
        check_link(lab.open().run());
    }
    let fragment = Link::to(lab.open().run()).expect("built in").fragment();
    assert!(fragment.contains("&set=orchestrator:&"), "{fragment}");
    for _ in 0..5 {
        lab.update(Msg::Edit(Edit::AddWorker { like: "W2".to_owned() }));
    }
    assert_eq!(lab.open().scenario().spec().workers.len(), 8);
    check_link(lab.open().run());
    let length = Link::to(lab.open().run()).expect("built in").fragment().len();
    assert!(length < 2_000, "{length} characters");
}
