//! What etcd's locks and their clients are held to, by number, where it takes a worker
//! to show it. E1 and E2 are the members' own.

use super::whole::{W1, W2, Whole, believes};
use super::*;
use crate::actors::store::api::Rule;
use crate::sim::click::{Action, Click};
use crate::sim::event::MessageRef;
use crate::sim::time::TrueTime;

#[test]
fn e3_a_waiter_granted_at_revision_25_uses_the_10_at_which_it_queued() {
    let program = vec![Step::Acquire, Step::Compute, Step::Release];
    let mut rig = Rig::new(WorkerConfig { program, ..config() });
    rig.etcd.revision = 8;
    rig.etcd.put("lock/1", 1);
    rig.run_to(1_000);
    assert_eq!(rig.noted_at(&WorkerNote::Waits { create_revision: 10 }), Some(40));
    rig.etcd.revision = 24;
    rig.delete("lock/1");
    rig.run_to(2_000);
    assert_eq!(rig.etcd.revision, 25);
    assert_eq!(rig.worker.belief().map(|belief| belief.token), Some(10));
}

#[test]
fn e4_a_client_cut_off_before_its_first_renewal_believes_three_seconds_too_long() {
    let mut config = WorkerConfig { ttl_s: 2, ..long_holder(|_| {}) };
    config.policies.on_renewal_failure = OnRenewalFailure::StopWork;
    // W1 has its lease at 22 ms and the lock at 44 ms. Its first keepalive is lost on the
    // way, and then it is cut off.
    let message = MessageRef { from: W1, to: MEMBERS[0], kind: "keepalive", nth: 1 };
    let mut clicks = vec![Click { at: TrueTime(25_000), action: Action::Drop { message } }];
    for member in MEMBERS {
        for (from, to) in [(W1, member), (member, W1)] {
            let action = Action::Cut { from, to, lasting: None };
            clicks.push(Click { at: TrueTime(50_000), action });
        }
    }
    let whole = Whole::run(&config, Rule::OwnerAndSequence, 10, clicks);
    let told = format!("{:#?}", whole.told());
    let believed = whole.noted(W1, believes).expect("W1 gets the lock");
    assert!(believed < 50, "{told}");
    let next = whole.noted(W2, believes).expect("the lease ends and W2 gets the lock");
    assert!((2_000..=2_600).contains(&next), "{next}, {told}");
    let no_more = |note: &WorkerNote| matches!(note, WorkerNote::BelievesNoMore { .. });
    let ended = whole.noted(W1, no_more).expect("W1 stops in the end");
    assert!((5_000..=6_000).contains(&ended), "{ended}, {told}");
    assert!((2_400..=3_600).contains(&(ended - next)), "both believe from {next} to {ended}");
}
