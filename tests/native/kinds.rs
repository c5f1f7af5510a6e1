//! Every kind of message that can be sent can be named in a click, and the other way
//! round.

use crate::etcd_party::{Cluster, run};
use crate::interventions::random_run;
use crate::varied;
use fencepost::actors::MESSAGE_KINDS;
use fencepost::actors::etcd::api::{Keys, LeaseId, Op};
use fencepost::scenario::{Run, Scenario, library};
use fencepost::sim::event::{Event, What};
use fencepost::sim::network::Link;
use fencepost::sim::process::{NodeId, Process};
use fencepost::sim::time::{Span, TrueTime};
use std::collections::BTreeSet;

type Kinds = BTreeSet<&'static str>;

fn see<P: Process>(trace: &[Event<P>], kinds: &mut Kinds) {
    kinds.extend(trace.iter().filter_map(|event| match &event.what {
        What::Sent { message, .. } => Some(message.kind),
        _ => None,
    }));
}

fn see_run(run: &Run, kinds: &mut Kinds) {
    see(run.to_end().expect("the run is right").past(), kinds);
}

/// The recipe that needs most calls, with a release that looks at nothing.
fn get_then_put() -> Run {
    let scenario = Scenario::built_in("reconcile").expect("it is built in");
    let settings = [("lock.recipe", "get-then-put"), ("worker.W1.release", "name-only")];
    let settings = settings.map(|(path, value)| (path.to_owned(), value.to_owned()));
    scenario.with(&settings).expect("the settings are right").run_without_clicks()
}

/// What no worker asks for, but etcd answers.
fn see_a_client_ask(kinds: &mut Kinds) {
    let op = Op::LeaseTimeToLive { lease: LeaseId(7), keys: Keys::Wanted };
    let mut world = Cluster {
        members: 1,
        clients: vec![vec![(Span::from_ms(1), NodeId(0), op)]],
        clicks: Vec::new(),
        link: Link::reliable(Span::from_ms(1)),
        seed: 1,
        revision: 1,
        later: Span::ZERO,
    }
    .world();
    see(&run(&mut world, TrueTime(10_000)), kinds);
}

#[test]
fn the_kinds_that_a_click_can_name_are_those_that_are_sent() {
    let mut sent = Kinds::new();
    for (_, run) in library::runs().expect("built-in scenarios are right") {
        see_run(&run, &mut sent);
    }
    see_run(&get_then_put(), &mut sent);
    for seed in 10_000..10_150 {
        see_run(&random_run(&varied::harmless(seed).0, seed), &mut sent);
    }
    see_a_client_ask(&mut sent);
    crate::redis_runs::see(&mut |run| see_run(run, &mut sent));
    see(&crate::redis_facts::a_client_pings(), &mut sent);
    see(&crate::zk_ensemble::a_client_asks_for_all(), &mut sent);
    see(&crate::consul_asks::a_client_asks_for_all(), &mut sent);
    see(&crate::postgres_server::clients_ask_for_everything(), &mut sent);
    let listed: Kinds = MESSAGE_KINDS.iter().copied().collect();
    assert_eq!(listed.len(), MESSAGE_KINDS.len(), "a kind is listed twice");
    assert_eq!(sent, listed);
}
