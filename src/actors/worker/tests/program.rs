//! The steps, and what ends them.

use super::*;
use crate::actors::note::{BeliefEnd, CheckOutcome};
use crate::actors::store::api::{JobKey, Refusal, StoreOp, Write};

/// The writes sent, whole or in two calls.
fn writes(rig: &Rig) -> Vec<(&'static str, Write)> {
    let writes = rig.sent.iter().filter_map(|(.., message)| match message {
        Message::Store(request) => match &request.op {
            StoreOp::Put(write) | StoreOp::Begin(write) | StoreOp::Complete(write) => {
                Some((request.op.kind(), write.clone()))
            }
            _ => None,
        },
        _ => None,
    });
    writes.collect()
}

fn first_write() -> Write {
    Write {
        token: 2,
        owner: LeaseId(0xa1),
        sequence: 1,
        read_version: 0,
        job: "monday".into(),
        amount: 7,
        object: "".into(),
    }
}

#[test]
fn a_program_runs_from_its_first_step_to_its_end() {
    let rig = Rig::at(config(), 10_000);
    rig.check_notes(&[
        "Began",
        "acquire",
        "SessionOpened",
        "Believes",
        "claim",
        "DataRead",
        "compute",
        "write",
        "Writes",
        "WriteAcknowledged",
        "release",
        "Releases",
        "BelievesNoMore",
        "SessionClosed",
        "Finished",
    ]);
    assert_eq!(writes(&rig), [("report", first_write())]);
    rig.check_at_rest(Status::Finished);
    assert_eq!(rig.worker.step_index(), rig.worker.program().len());
}

#[test]
fn a_program_begins_after_its_span() {
    let begins = Begins::After(Span::from_s(3));
    let rig = Rig::at(WorkerConfig { begins, ..config() }, 5_000);
    assert_eq!(rig.noted_at(&WorkerNote::Began), Some(3_000));
    assert_eq!(rig.sent_at("lease-grant"), [3_000]);
}

#[test]
fn a_claim_carries_the_token_and_the_acquisition() {
    let rig = Rig::at(config(), 1_000);
    let Message::Store(request) = &rig.sent_of("claim")[0].2 else { panic!("a store's") };
    assert_eq!(request.op, StoreOp::Claim { token: 2, owner: LeaseId(0xa1), object: "".into() });
}

#[test]
fn a_job_that_is_done_is_not_done_again() {
    for step in [Step::Claim, Step::Read] {
        let program = vec![Step::Acquire, step, Step::Compute, Step::Write, Step::Release];
        let mut rig = Rig::new(WorkerConfig { program, ..config() });
        rig.store.jobs_done = vec![done("sunday", ""), done("monday", "")];
        rig.run_to(10_000);
        assert_eq!(writes(&rig), []);
        assert_eq!(rig.noted_at(&WorkerNote::FoundDone { job: "monday".into() }), Some(60));
        assert_eq!(rig.etcd.keys, [], "the lock is free");
        rig.check_at_rest(Status::Finished);
    }
}

fn done(job: &str, object: &str) -> JobKey {
    JobKey::new(&job.into(), &object.into())
}

/// A program that claims and writes two objects under one job.
fn of_two_objects() -> WorkerConfig {
    let program = vec![
        Step::Acquire,
        Step::Claim,
        Step::Claim,
        Step::Compute,
        Step::Write,
        Step::Write,
        Step::Release,
    ];
    WorkerConfig { program, objects: vec!["fees".into(), "bills".into()], ..config() }
}

#[test]
fn a_job_is_done_when_it_is_done_to_all_that_the_program_writes() {
    let writes_of = |jobs_done| {
        let mut rig = Rig::new(of_two_objects());
        rig.store.jobs_done = jobs_done;
        rig.run_to(10_000);
        rig.check_at_rest(Status::Finished);
        writes(&rig).len()
    };
    assert_eq!(writes_of(vec![done("monday", "fees")]), 2);
    assert_eq!(writes_of(vec![done("monday", "fees"), done("monday", "")]), 2);
    assert_eq!(writes_of(vec![done("monday", "bills"), done("monday", "fees")]), 0);
}

#[test]
fn of_several_objects_one_to_which_the_job_is_done_keeps_none_from_the_others() {
    let mut rig = Rig::new(of_two_objects());
    rig.store.refuses = Some(("report", Refusal::JobDone));
    rig.run_to(10_000);
    let objects: Vec<Text> = writes(&rig).into_iter().map(|(_, write)| write.object).collect();
    assert_eq!(objects, ["fees", "bills"].map(Text::from));
    rig.check_at_rest(Status::Finished);
}

#[test]
fn a_try_that_went_unanswered_is_made_again_with_the_same_token_and_sequence() {
    let mut rig = Rig::new(config());
    rig.store.version = 4;
    rig.fault("report", None, Fate::AnswerLost);
    rig.run_to(8_000);
    rig.faults.clear();
    rig.run_to(20_000);
    let write = Write { read_version: 4, ..first_write() };
    assert_eq!(writes(&rig), vec![("report", write); 3]);
    let reports = rig.sent_of("report");
    assert_eq!(reports[0].2, reports[2].2, "the request number too");
    assert_eq!(rig.sent_at("report"), [5_060, 7_060, 9_060]);
    let third = WorkerNote::Writes { token: 2, sequence: 1, attempt: 3 };
    assert_eq!(rig.noted_at(&third), Some(9_060));
    rig.check_at_rest(Status::Finished);
}

#[test]
fn an_answer_to_an_earlier_try_counts() {
    let config = config();
    let mut rig = Rig::new(config);
    rig.fault("report", None, Fate::AnswerLost);
    rig.run_to(8_000);
    let Message::Store(request) = rig.sent_of("report")[0].2.clone() else { panic!() };
    let late = rig.store.answer(&request);
    rig.give(Input::Message { from: STORE, message: late.clone() });
    rig.give(Input::Message { from: STORE, message: late });
    let acknowledged = |note: &WorkerNote| matches!(note, WorkerNote::WriteAcknowledged { .. });
    assert_eq!(rig.notes.iter().filter(|(_, note)| acknowledged(note)).count(), 1);
    rig.run_to(20_000);
    assert_eq!(rig.sent_at("report").len(), 2);
}

#[test]
fn a_store_that_never_answers_stops_the_worker_and_frees_the_lock() {
    let mut rig = Rig::new(config());
    rig.fault("report", None, Fate::Lost);
    rig.run_to(20_000);
    assert_eq!(rig.sent_at("report"), [5_060, 7_060, 9_060]);
    assert_eq!(rig.belief_end(), Some((11_060, BeliefEnd::Unanswered)));
    assert_eq!(rig.etcd.keys, []);
    rig.check_at_rest(Status::Stopped(StopReason::Unanswered));
}

#[test]
fn a_store_that_does_not_run_is_tried_again_every_half_second() {
    let mut rig = Rig::at(config(), 5_000);
    rig.fault("report", None, Fate::Down);
    rig.run_to(6_000);
    rig.faults.clear();
    rig.run_to(10_000);
    assert_eq!(rig.sent_at("report"), [5_060, 5_580, 6_100]);
    rig.check_at_rest(Status::Finished);
}

#[track_caller]
fn check_refused(kind: &'static str, program: &[Step], step: Step) {
    let mut rig = Rig::new(WorkerConfig { program: program.to_vec(), ..config() });
    let refusal = Refusal::Token { mark: 34 };
    rig.store.refuses = Some((kind, refusal));
    rig.run_to(30_000);
    assert_eq!(rig.sent_at(kind).len(), 1, "it is not sent again");
    let at = rig.noted_at(&WorkerNote::Refused { step, refusal }).expect("it is noted");
    assert_eq!(rig.belief_end(), Some((at, BeliefEnd::Refused)));
    assert_eq!(rig.etcd.keys, [], "others are not blocked");
    rig.check_at_rest(Status::Stopped(StopReason::Refused));
}

#[test]
fn a_refused_worker_stops_and_frees_the_lock() {
    let slow = [Step::Acquire, Step::Read, Step::SlowWrite, Step::Release];
    check_refused("claim", &PROGRAM, Step::Claim);
    check_refused("report", &PROGRAM, Step::Write);
    check_refused("begin", &slow, Step::SlowWrite);
    check_refused("complete", &slow, Step::SlowWrite);
}

#[test]
fn a_refused_worker_that_starts_over_reads_again_under_a_new_lease() {
    let mut config = config();
    config.policies.start_over = StartOver::Yes;
    let mut rig = Rig::new(config);
    rig.store.refuses = Some(("report", Refusal::Token { mark: 34 }));
    rig.run_to(5_080);
    rig.store.refuses = None;
    rig.store.version = 3;
    rig.run_to(20_000);
    let again = Write { token: 4, owner: LeaseId(0xa2), read_version: 3, ..first_write() };
    assert_eq!(writes(&rig), [("report", first_write()), ("report", again)]);
    assert_eq!(rig.sent_at("claim"), [40, 5_120]);
    rig.check_at_rest(Status::Finished);
}

#[test]
fn a_slow_write_begins_uploads_and_completes_under_one_sequence() {
    let program = vec![Step::Acquire, Step::Read, Step::SlowWrite, Step::Release];
    let rig = Rig::at(WorkerConfig { program, ..config() }, 10_000);
    assert_eq!(writes(&rig), [("begin", first_write()), ("complete", first_write())]);
    assert_eq!((rig.sent_at("begin"), rig.sent_at("complete")), (vec![60], vec![3_080]));
    let writes = WorkerNote::Writes { token: 2, sequence: 1, attempt: 1 };
    assert_eq!(rig.noted_at(&writes), Some(3_080));
    rig.check_at_rest(Status::Finished);
}

#[test]
fn each_write_of_an_acquisition_has_the_next_sequence_and_the_version_of_the_last() {
    let program = vec![Step::Acquire, Step::Claim, Step::Write, Step::Write, Step::Release];
    let rig = Rig::at(WorkerConfig { program, ..config() }, 10_000);
    let second = Write { sequence: 2, read_version: 1, ..first_write() };
    assert_eq!(writes(&rig), [("report", first_write()), ("report", second)]);
}

#[test]
fn a_number_drawn_before_the_lock_is_the_token() {
    let mut program = PROGRAM.to_vec();
    program.insert(0, Step::DrawNumber);
    let mut rig = Rig::new(WorkerConfig { program, ..config() });
    rig.store.next_number = 40;
    rig.run_to(10_000);
    assert_eq!(rig.noted_at(&WorkerNote::DrewToken { token: 41 }), Some(20));
    assert_eq!(writes(&rig), [("report", Write { token: 41, ..first_write() })]);
}

const CHECKED: [Step; 5] = [Step::Acquire, Step::Compute, Step::Check, Step::Write, Step::Release];

/// Computes to `ms` in a lock of 30 s whose renewals are lost from 1 s on, then
/// checks and writes.
#[track_caller]
fn check_a_check(ms: i64, expected: CheckOutcome) {
    let compute = Span::from_ms(ms - 40);
    let mut rig = Rig::at(WorkerConfig { program: CHECKED.to_vec(), compute, ..config() }, 1_000);
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(60_000);
    assert_eq!(rig.noted_at(&WorkerNote::Checked { outcome: expected }), Some(ms));
    if expected == CheckOutcome::StillMine {
        assert_eq!(rig.sent_at("report"), [ms + 20], "a check takes 20 ms");
        return rig.check_at_rest(Status::Finished);
    }
    assert!(rig.sent_of("report").is_empty());
    assert_eq!(rig.belief_end(), Some((ms, BeliefEnd::CheckFailed)));
    rig.check_at_rest(Status::Stopped(StopReason::CheckFailed));
}

#[test]
fn a_check_looks_at_the_session_and_at_the_own_deadline() {
    check_a_check(30_030, CheckOutcome::StillMine);
    check_a_check(30_040, CheckOutcome::DeadlinePassed);
    check_a_check(31_000, CheckOutcome::DeadlinePassed);
    check_a_check(31_030, CheckOutcome::SessionOver);
}

#[test]
fn a_pause_between_the_check_and_the_write_is_seen_by_nobody() {
    let mut rig = Rig::at(WorkerConfig { program: CHECKED.to_vec(), ..config() }, 5_050);
    assert!(rig.noted_at(&WorkerNote::Checked { outcome: CheckOutcome::StillMine }).is_some());
    rig.pause_to(60_000);
    rig.run_to(60_010);
    assert_eq!(rig.sent_at("report"), [60_010]);
}

#[test]
fn the_work_of_a_paused_worker_goes_on_where_it_stood() {
    let mut rig = Rig::at(config(), 2_000);
    rig.pause_to(7_000);
    rig.run_to(20_000);
    assert_eq!(rig.sent_at("report"), [10_060]);
}

#[test]
fn a_program_without_a_lock_carries_no_token_and_a_name_for_each_try() {
    let program = vec![Step::Read, Step::Write];
    let rig = Rig::at(WorkerConfig { program, ..config() }, 1_000);
    let [("report", write)] = &writes(&rig)[..] else { panic!("one report") };
    let owner = write.owner;
    assert_eq!(*write, Write { token: 0, owner, ..first_write() });
    assert!(owner.0 > 1 << 56, "no lease has such a number: {owner:?}");
    rig.check_at_rest(Status::Finished);
}

#[test]
fn a_program_that_forgets_to_release_closes_its_session_at_its_end() {
    let program = vec![Step::Acquire, Step::Claim, Step::Write];
    let rig = Rig::at(WorkerConfig { program, ..config() }, 1_000);
    assert_eq!(rig.belief_end(), Some((80, BeliefEnd::Released)));
    assert_eq!(rig.sent_at("lease-revoke"), [80]);
    rig.check_at_rest(Status::Finished);
}

#[test]
fn a_policy_switched_while_a_release_is_repeated_does_not_change_the_request() {
    let mut rig = Rig::new(config());
    rig.run_to(5_070);
    rig.fault("txn", Some(MEMBERS[0]), Fate::Lost);
    rig.run_to(6_000);
    rig.set(Setting::Release(ReleaseCheck::NameOnly));
    rig.run_to(10_000);
    let releases = &rig.sent_of("txn")[1..];
    assert_eq!(releases.len(), 2);
    assert_eq!(releases[0].2, releases[1].2);
}

#[test]
fn renewals_and_looks_are_routine_and_calls_are_not() {
    let mut rig = Rig::at(long_holder(|_| {}), 1_000);
    assert!(rig.timers.iter().all(|(_, timer)| timer.is_routine()), "{:?}", rig.timers);
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(11_000);
    assert!(rig.timers.iter().any(|(_, timer)| !timer.is_routine()), "a renewal is in doubt");
}
