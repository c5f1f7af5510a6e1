//! Renewals, the own deadline, and what the policies make of them. The session
//! opens at 20 ms.

use super::*;
use crate::actors::note::BeliefEnd;

const LEASE: LeaseId = LeaseId(0xa1);

fn closed(why: SessionEnd) -> WorkerNote {
    WorkerNote::SessionClosed { lease: LEASE, why }
}

#[track_caller]
fn check_keepalives(rig: &Rig, expected: &[i64]) {
    assert_eq!(rig.sent_at("keepalive"), expected);
}

#[test]
fn keepalives_go_out_at_the_first_wake_up_after_a_third_of_the_ttl_since_the_answer() {
    let rig = Rig::at(long_holder(|_| {}), 40_000);
    check_keepalives(&rig, &[20, 10_520, 21_020, 31_520]);
}

#[test]
fn a_renew_interval_of_its_own_is_counted_from_the_answer_too() {
    let rig = Rig::at(long_holder(|p| p.renew_interval = Some(Span::from_s(3))), 8_000);
    check_keepalives(&rig, &[20, 3_520, 7_020]);
}

#[test]
fn an_unanswered_keepalive_is_sent_again_every_half_second_and_after_three_seconds_elsewhere() {
    let mut rig = Rig::at(long_holder(|_| {}), 10_000);
    rig.fault("keepalive", Some(MEMBERS[0]), Fate::Lost);
    rig.run_to(20_000);
    let to = |member| {
        let sent = rig.sent_of("keepalive").into_iter().filter(|(_, to, _)| *to == member);
        sent.map(|(at, ..)| at.0 / 1_000).collect::<Vec<i64>>()
    };
    assert_eq!(to(MEMBERS[0]), [20, 10_520, 11_020, 11_520, 12_020, 12_520, 13_020]);
    assert_eq!(to(MEMBERS[1]), [13_520], "and answered there");
}

#[test]
fn a_member_that_does_not_run_or_errs_is_left_at_the_next_wake_up() {
    for fate in [Fate::Down, Fate::Error(EtcdError::NoLeader)] {
        let mut rig = Rig::at(long_holder(|_| {}), 10_000);
        rig.fault("keepalive", Some(MEMBERS[0]), fate);
        rig.run_to(20_000);
        check_keepalives(&rig, &[20, 10_520, 11_020]);
        assert_eq!(rig.sent_of("keepalive")[2].1, MEMBERS[1]);
    }
}

#[track_caller]
fn check_deadline(from: DeadlineFrom, deadline_ms: i64) {
    let rig = Rig::at(long_holder(|p| p.deadline_from = from), 12_000);
    let session = rig.worker.session().expect("the session is open");
    assert_eq!(session.deadline, Some(Mono(deadline_ms * 1_000)));
    assert_eq!(session.state, SessionState::Open);
}

#[test]
fn the_deadline_counts_from_the_answer_or_from_before_the_request() {
    check_deadline(DeadlineFrom::Answer, 10_540 + 30_000);
    check_deadline(DeadlineFrom::BeforeRequest, 10_520 + 30_000);
}

#[test]
fn an_answer_counts_from_its_own_request_and_not_from_an_earlier_one() {
    let mut rig = Rig::at(long_holder(|p| p.deadline_from = DeadlineFrom::BeforeRequest), 10_000);
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(11_200);
    rig.faults.clear();
    rig.run_to(12_000);
    check_keepalives(&rig, &[20, 10_520, 11_020, 11_520]);
    let deadline = rig.worker.session().expect("it is open").deadline;
    assert_eq!(deadline, Some(Mono(41_520_000)));
}

#[test]
fn the_deadline_can_be_switched_in_the_middle_of_a_run() {
    let mut rig = Rig::at(long_holder(|_| {}), 5_000);
    rig.set(Setting::DeadlineFrom(DeadlineFrom::BeforeRequest));
    rig.run_to(12_000);
    let deadline = rig.worker.session().expect("it is open").deadline;
    assert_eq!(deadline, Some(Mono(40_520_000)));
}

#[test]
fn until_its_first_keepalive_is_answered_a_client_believes_for_five_seconds_whatever_the_ttl() {
    let stops = |p: &mut Policies| p.on_renewal_failure = OnRenewalFailure::StopWork;
    let mut rig = Rig::new(WorkerConfig { ttl_s: 2, ..long_holder(stops) });
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(4_900);
    assert!(rig.worker.belief().is_some(), "the lease of 2 s is over by now");
    rig.run_to(7_000);
    assert_eq!(rig.belief_end(), Some((5_020, BeliefEnd::SessionOver)));
    assert_eq!(rig.noted_at(&closed(SessionEnd::Deadline)), Some(5_020));
}

#[test]
fn the_deadline_is_looked_at_once_a_second() {
    let mut rig = Rig::at(long_holder(|_| {}), 10_000);
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(50_000);
    // Last answer at 40 ms; the looks are at 20 ms past each second.
    assert_eq!(rig.noted_at(&closed(SessionEnd::Deadline)), Some(31_020));
    let last = *rig.sent_at("keepalive").last().expect("there are many");
    assert_eq!(last, 30_520, "a session that is over is not renewed");
}

#[test]
fn a_keepalive_answered_with_ttl_0_closes_the_session() {
    let mut rig = Rig::at(long_holder(|_| {}), 10_000);
    rig.etcd.leases.clear();
    rig.run_to(11_000);
    assert_eq!(rig.noted_at(&closed(SessionEnd::LeaseGone)), Some(10_540));
    check_keepalives(&rig, &[20, 10_520]);
}

/// A holder with this policy, which fails to renew at 10.52 s, run to 60 s.
fn unrenewed(policy: OnRenewalFailure, allowed: Option<Span>) -> Rig {
    let mut rig = Rig::at(
        long_holder(|p| {
            p.on_renewal_failure = policy;
            p.renewal_unanswered = allowed;
        }),
        10_000,
    );
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(60_000);
    rig
}

#[test]
fn a_worker_told_to_exit_does_so_when_a_renewal_has_gone_unanswered_too_long() {
    let rig = unrenewed(OnRenewalFailure::Exit, Some(Span::from_s(5)));
    assert_eq!(rig.noted_at(&WorkerNote::RenewalFailed), Some(15_520));
    assert_eq!(rig.belief_end(), Some((15_520, BeliefEnd::RenewalFailed)));
    assert_eq!(rig.noted_at(&closed(SessionEnd::Closed)), Some(15_520));
    assert_eq!(rig.sent_at("lease-revoke"), [15_520]);
    assert_eq!(rig.noted_at(&WorkerNote::Exits), Some(15_520));
    assert_eq!(rig.sent_at("exited"), [15_520]);
    assert!(rig.exited);
    assert_eq!(rig.etcd.keys, [], "revoking the lease freed the lock");
    rig.check_at_rest(Status::Exited);
}

#[test]
fn a_worker_told_to_stop_work_does_so_and_frees_the_lock() {
    let rig = unrenewed(OnRenewalFailure::StopWork, Some(Span::from_s(5)));
    assert_eq!(rig.belief_end(), Some((15_520, BeliefEnd::RenewalFailed)));
    assert_eq!(rig.etcd.keys, []);
    assert!(!rig.exited);
    rig.check_at_rest(Status::Stopped(StopReason::RenewalFailed));
}

#[test]
fn a_worker_told_to_carry_on_believes_although_its_session_is_over() {
    let rig = unrenewed(OnRenewalFailure::CarryOn, Some(Span::from_s(5)));
    assert_eq!(rig.noted_at(&WorkerNote::RenewalFailed), Some(15_520));
    let failures = rig.notes.iter().filter(|(_, note)| *note == WorkerNote::RenewalFailed);
    assert_eq!(failures.count(), 1);
    assert_eq!(rig.noted_at(&closed(SessionEnd::Deadline)), Some(31_020));
    assert_eq!(rig.belief_end(), None);
    assert_eq!(rig.worker.belief().map(|belief| belief.owner), Some(LEASE));
    let session = rig.worker.session().expect("its end is known");
    assert_eq!(session.state, SessionState::Closed(SessionEnd::Deadline));
    assert_eq!(rig.worker.status(), Status::Running);
}

#[test]
fn without_a_policy_for_unanswered_renewals_the_deadline_decides() {
    let rig = unrenewed(OnRenewalFailure::Exit, None);
    assert_eq!(rig.noted_at(&WorkerNote::RenewalFailed), None);
    assert_eq!(rig.belief_end(), Some((31_020, BeliefEnd::SessionOver)));
    assert_eq!(rig.sent_at("lease-revoke"), [31_020], "the server may not have given up");
    rig.check_at_rest(Status::Exited);
}

#[test]
fn a_lease_that_is_gone_is_not_revoked() {
    let mut rig =
        Rig::at(long_holder(|p| p.on_renewal_failure = OnRenewalFailure::StopWork), 10_000);
    rig.etcd.leases.clear();
    rig.run_to(11_000);
    assert_eq!(rig.belief_end(), Some((10_540, BeliefEnd::SessionOver)));
    assert!(rig.sent_of("lease-revoke").is_empty());
    rig.check_at_rest(Status::Stopped(StopReason::SessionOver));
}

#[test]
fn a_renewal_answered_in_time_is_no_failure() {
    let policy = |p: &mut Policies| {
        p.on_renewal_failure = OnRenewalFailure::Exit;
        p.renewal_unanswered = Some(Span::from_s(5));
    };
    let mut rig = Rig::at(long_holder(policy), 10_000);
    rig.fault("keepalive", None, Fate::Lost);
    rig.run_to(14_900);
    rig.faults.clear();
    rig.run_to(16_000);
    assert_eq!(rig.worker.status(), Status::Running);
    assert!(rig.timers.iter().all(|(_, timer)| timer.is_routine()));
}

#[test]
fn a_blocked_heartbeat_is_a_renewal_that_goes_unanswered() {
    let policy = |p: &mut Policies| {
        p.on_renewal_failure = OnRenewalFailure::Exit;
        p.renewal_unanswered = Some(Span::from_s(5));
    };
    let mut rig = Rig::at(long_holder(policy), 2_000);
    rig.set(Setting::Heartbeat(Heartbeat::Blocked));
    rig.run_to(20_000);
    check_keepalives(&rig, &[20]);
    assert_eq!(rig.noted_at(&WorkerNote::RenewalFailed), Some(15_520));
    assert_eq!(rig.sent_at("lease-revoke"), [15_520], "other calls are not blocked");
    rig.check_at_rest(Status::Exited);
}

#[test]
fn a_heartbeat_that_runs_again_sends_what_is_due_at_its_next_wake_up() {
    let mut rig = Rig::at(long_holder(|_| {}), 2_000);
    rig.set(Setting::Heartbeat(Heartbeat::Blocked));
    rig.run_to(4_000);
    rig.set(Setting::Heartbeat(Heartbeat::Runs));
    rig.run_to(15_000);
    check_keepalives(&rig, &[20, 10_520]);
    rig.set(Setting::Heartbeat(Heartbeat::Blocked));
    rig.run_to(30_100);
    rig.set(Setting::Heartbeat(Heartbeat::Runs));
    rig.run_to(31_000);
    check_keepalives(&rig, &[20, 10_520, 30_520]);
    assert_eq!(rig.sent_of("keepalive")[2].1, MEMBERS[0], "it was not silent");
}

#[test]
fn a_heartbeat_does_not_go_on_for_a_main_thread_that_waits_too_long_for_one_answer() {
    let policy = |p: &mut Policies| {
        p.renew_without_progress = RenewWithoutProgress::No;
        p.renew_interval = Some(Span::from_s(3));
        p.request_timeout = Span::from_s(20);
    };
    let mut rig = Rig::new(WorkerConfig { compute: Span::from_s(10), ..long_holder(policy) });
    // The write is sent at 10.08 s and first answered at its second try.
    rig.fault("report", None, Fate::AnswerLost);
    rig.run_to(20_000);
    check_keepalives(&rig, &[20, 3_520, 7_020, 10_520, 14_020]);
    rig.faults.clear();
    rig.fault("txn", None, Fate::Lost);
    rig.run_to(31_000);
    // It moves at 30.1 s, and the loop wakes next.
    check_keepalives(&rig, &[20, 3_520, 7_020, 10_520, 14_020, 30_520]);
}

#[test]
fn a_paused_worker_wakes_believing_and_learns_of_its_deadline_only_then() {
    let policy = |p: &mut Policies| p.on_renewal_failure = OnRenewalFailure::StopWork;
    let mut rig = Rig::at(long_holder(policy), 12_000);
    rig.pause_to(60_000);
    assert!(rig.worker.belief().is_some());
    rig.run_to(60_010);
    assert_eq!(rig.belief_end(), Some((60_001, BeliefEnd::SessionOver)));
}

#[test]
fn a_crash_forgets_all_and_a_restart_begins_anew_at_once() {
    let mut rig = Rig::at(long_holder(|_| {}), 12_000);
    let last_id = rig.worker.last_id;
    rig.crash();
    rig.check_at_rest(Status::NotBegun);
    assert_eq!(rig.worker.step_index(), 0);
    rig.run_to(15_000);
    rig.give(Input::Start);
    assert_eq!(rig.sent_at("lease-grant"), [0, 15_000]);
    rig.run_to(16_000);
    let belief = rig.worker.session().expect("a new session");
    assert_eq!(belief.lease, LeaseId(0xa2));
    assert!(rig.worker.last_id > last_id, "late answers to old requests fit none");
}

#[test]
fn a_worker_that_has_crashed_before_it_was_told_to_begin_waits_to_be_told() {
    let mut rig = Rig::at(WorkerConfig { begins: Begins::WhenTold, ..config() }, 5_000);
    rig.crash();
    rig.give(Input::Start);
    rig.run_to(10_000);
    assert_eq!(rig.sent.len(), 0);
    rig.give(Input::Message { from: ORCHESTRATOR, message: Message::Begin });
    rig.give(Input::Message { from: ORCHESTRATOR, message: Message::Begin });
    assert_eq!(rig.sent_at("lease-grant"), [10_000]);
}
