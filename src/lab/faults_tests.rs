use super::*;
use crate::content::{Choice as _, Tree, Value};
use crate::lab::bench::{Edit, clicks};
use crate::lab::{Lab, Msg, wires};
use crate::scenario::clicks::ClickSpec;
use crate::scenario::library;
use crate::scenario::names::Service;
use crate::scenario::spec::StoreKind;
use crate::sim::click::Action;
use crate::sim::event::What;
use crate::sim::time::TrueTime;
use std::collections::BTreeSet;

fn kind(action: &Do) -> String {
    action.name().to_owned()
}

/// All faults of everything on the page.
fn all(open: &Open) -> Vec<Fault> {
    let mut faults = Vec::new();
    for worker in facts::workers(open) {
        faults.extend(program(open, &worker));
    }
    for id in open.scenario().names().ids() {
        faults.push(pause(open, id));
        faults.extend(process(open, id));
        faults.extend(clocks(open, id));
    }
    for member in open.scenario().names().with(Role::Member) {
        faults.extend(member_links(open, member));
        faults.extend(replication(open, member));
    }
    faults.extend(rule(open));
    for one in wires::wires(open) {
        faults.extend(wire(open, &one));
    }
    for flight in wires::in_flight(open) {
        faults.extend(message(open, &flight.name));
    }
    faults
}

/// A lab whose run has a Redis node with a replica.
fn of_redis() -> Lab {
    let mut lab = Lab::new().expect("built in");
    for (path, value) in
        [("lock.service", Value::Text("redis".to_owned())), ("redis.replicas", Value::Whole(1))]
    {
        lab.update(Msg::Edit(Edit::Set { path: path.to_owned(), value: Tree::new(value) }));
    }
    assert_eq!(lab.open().scenario().names().service(), Service::Redis);
    lab
}

/// A lab whose lock service is a PostgreSQL server.
fn of_postgres() -> Lab {
    let mut lab = Lab::new().expect("built in");
    let value = Tree::new(Value::Text("postgres".to_owned()));
    lab.update(Msg::Edit(Edit::Set { path: "lock.service".to_owned(), value }));
    assert_eq!(lab.open().scenario().names().service(), Service::Postgres);
    lab
}

#[test]
fn every_kind_of_click_is_offered_when_it_makes_sense() {
    let mut lab = Lab::new().expect("built in");
    while wires::in_flight(lab.open()).is_empty() {
        lab.update(Msg::Step);
    }
    let node = |id: &str| id.to_owned();
    let flight = wires::in_flight(lab.open()).swap_remove(0).name;
    let held = lab.open().scenario().names().message_spec(&flight);
    let mut seen = BTreeSet::new();
    let mut note = |lab: &Lab| {
        seen.extend(all(lab.open()).iter().flat_map(|fault| {
            fault.choices.iter().map(|choice| kind(&choice.action)).collect::<Vec<_>>()
        }))
    };
    note(&lab);
    let wall = WallOnWake::Right;
    for action in [
        Do::Hold { message: held, for_ms: None },
        Do::Pause { node: node("W1"), for_ms: None },
        Do::Suspend { node: node("W2"), for_ms: None, wall },
        Do::Crash { node: node("M1"), restart_after_ms: None },
    ] {
        lab.update(Msg::Click(action));
    }
    note(&lab);
    assert_eq!(lab.warning(), None);
    note(&of_redis());
    note(&of_postgres());
    let kinds: BTreeSet<String> = Do::NAMES.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(seen, kinds);
}

/// What the engine accepts to be done to a machine now.
fn accepted(open: &Open, node: &str) -> Vec<Do> {
    let node = || node.to_owned();
    let wall = WallOnWake::Right;
    let all = [
        Do::Pause { node: node(), for_ms: None },
        Do::Resume { node: node() },
        Do::Suspend { node: node(), for_ms: None, wall },
        Do::Wake { node: node() },
        Do::Crash { node: node(), restart_after_ms: None },
        Do::Restart { node: node() },
        Do::StepWall { node: node(), by_ms: 1 },
        Do::SetWall { node: node(), ahead_ms: 1 },
        Do::SetRate { node: node(), rate_ppm: 1 },
        Do::Heartbeat { node: node(), is: Heartbeat::Blocked },
        Do::Rule { node: node(), is: Rule::None },
        Do::OnRenewalFailure { node: node(), is: OnRenewalFailure::Exit },
        Do::DeadlineFrom { node: node(), is: DeadlineFrom::BeforeRequest },
        Do::ReleaseCheck { node: node(), is: ReleaseCheck::NameOnly },
    ];
    let can = |action: &Do| {
        let click = ClickSpec { at_us: open.now().0, r#do: action.clone() };
        open.scenario().actions(&click).is_ok() && open.why_not(action).is_none()
    };
    all.into_iter().filter(can).collect()
}

#[test]
fn whatever_the_engine_accepts_for_a_machine_is_offered_on_it() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Load { scenario: "queue-of-eight".to_owned() });
    lab.update(Msg::Seek(TrueTime(5_000_000)));
    for (place, action) in [
        Do::Pause { node: "W3".to_owned(), for_ms: None },
        Do::Suspend { node: "M2".to_owned(), for_ms: None, wall: WallOnWake::Right },
        Do::Crash { node: "store".to_owned(), restart_after_ms: None },
    ]
    .into_iter()
    .enumerate()
    {
        lab.update(Msg::Click(action));
        let open = lab.open();
        let offered = all(open);
        let ways: Vec<(String, Option<String>)> = offered
            .iter()
            .flat_map(|fault| &fault.choices)
            .map(|choice| (kind(&choice.action), choice.action.node().map(str::to_owned)))
            .collect();
        for id in open.scenario().names().ids() {
            let node = open.scenario().names().of(id);
            let accepted = accepted(open, node);
            assert!(accepted.len() >= 4, "{node}");
            for action in accepted {
                let way = (kind(&action), Some(node.to_owned()));
                assert!(ways.contains(&way), "{way:?} after click {}", place + 1);
            }
        }
    }
}

#[test]
fn a_member_that_is_cut_off_reaches_no_other() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    let [cut, heal] = &member_links(lab.open(), NodeId(2))[..] else { panic!("two faults") };
    let ways = (cut.choices.len(), heal.choices.len());
    assert_eq!(ways, (15, 15), "all, two members and two workers, three ways");
    lab.update(Msg::Click(cut.choices[0].action.clone()));
    let others: Vec<_> =
        facts::service(lab.open()).members.iter().map(|member| member.others).collect();
    assert_eq!(others, [wires::Way::Partly, wires::Way::Partly, wires::Way::Cut]);
}

#[test]
fn what_is_chosen_first_can_be_done_unless_nothing_can() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(Msg::Click(Do::Cut {
        from: "W1".to_owned(),
        to: "store".to_owned(),
        way: Way::One,
        for_ms: None,
    }));
    let there = &wires::wires(lab.open())[1];
    let [cut, heal] = &wire(lab.open(), there)[..] else { panic!("two faults") };
    let why: Vec<bool> = cut.choices.iter().map(|choice| choice.why_not.is_none()).collect();
    assert_eq!(why, [true, false, true], "both, there, back");
    assert_eq!(heal.choices[heal.chosen].why_not, None);
}

#[test]
fn a_fault_turns_into_its_undoing() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    let w1 = lab.open().scenario().names().find("W1").expect("there");
    let action = |lab: &Lab| pause(lab.open(), w1).choices[0].action.clone();
    assert_eq!(action(&lab), Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) });
    let click = action(&lab);
    lab.update(Msg::Click(click));
    assert_eq!(action(&lab), Do::Resume { node: "W1".to_owned() });
}

#[test]
fn an_amount_is_put_back_where_it_was_read() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Step);
    for fault in all(lab.open()) {
        for Choice { action, .. } in fault.choices {
            let same = amount(&action).map(|amount| with_amount(action.clone(), amount));
            assert_eq!(same.unwrap_or(action.clone()), action);
            let other = match amount(&action) {
                None => continue,
                Some(Amount::Lasting(_)) => Amount::Lasting(Some(7)),
                Some(Amount::Time(_)) => Amount::Time(7),
                Some(Amount::Shift(_)) => Amount::Shift(-7),
                Some(Amount::Rate(_)) => Amount::Rate(7),
            };
            assert_eq!(amount(&with_amount(action, other)), Some(other));
        }
    }
}

/// Every service with every scenario that can have it, each at some moments.
fn of_every_service(check: impl Fn(&str, &Open)) {
    for (name, run) in library::runs().expect("built in") {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: name.clone() });
        let in_etcd = run.scenario.spec().store.kind == StoreKind::Etcd;
        for service in Service::ALL.iter().filter(|it| !in_etcd || **it == Service::Etcd) {
            let settings = [("lock.service", Value::Text(service.name().to_owned()))];
            let more = match service {
                Service::Redis => Some(("redis.replicas", Value::Whole(1))),
                Service::Postgres => Some(("postgres.standbys", Value::Whole(1))),
                Service::Consul => Some(("consul.servers", Value::Whole(3))),
                Service::Etcd | Service::Redlock | Service::ZooKeeper | Service::Objects => None,
            };
            for (path, value) in settings.into_iter().chain(more) {
                lab.update(Msg::Edit(Edit::Set { path: path.to_owned(), value: Tree::new(value) }));
            }
            assert_eq!(lab.warning(), None, "{name}");
            let waits = run.scenario.waits_at().unwrap_or_default();
            for at in [TrueTime(0), waits, TrueTime(waits.0 + 30_000_000)] {
                lab.update(Msg::Seek(at));
                check(&format!("{name}, {}, {at:?}", service.name()), lab.open());
            }
        }
    }
}

#[test]
fn whatever_is_offered_can_be_a_click_of_the_run() {
    of_every_service(|name, open| {
        let offered = all(open).into_iter().flat_map(|fault| fault.choices);
        let targets = clicks::targets(open.run()).into_iter();
        let in_lab = targets.flat_map(|target| target.actions);
        for action in offered.map(|choice| choice.action).chain(in_lab) {
            let click = ClickSpec { at_us: open.now().0, r#do: action.clone() };
            let made = open.scenario().actions(&click);
            assert!(made.is_ok(), "{name}: {action:?}: {}", made.unwrap_err());
        }
    });
}

/// The links that can be cut, both ways, whatever offers it.
fn cuts(open: &Open) -> BTreeSet<(NodeId, NodeId)> {
    let offered = all(open).into_iter().flat_map(|fault| fault.choices);
    let in_lab = clicks::targets(open.run()).into_iter().flat_map(|target| target.actions);
    let actions = offered.map(|choice| choice.action).chain(in_lab);
    let cut = actions.filter(|action| matches!(action, Do::Cut { .. }));
    cut.flat_map(|action| {
        let click = ClickSpec { at_us: 0, r#do: action };
        let actions = open.scenario().actions(&click).expect("it can be");
        actions.into_iter().filter_map(|click| match click.action {
            Action::Cut { from, to, .. } => Some((from, to)),
            _ => None,
        })
    })
    .collect()
}

#[test]
fn every_link_that_carries_messages_can_be_cut_and_no_other() {
    let (mut carry, mut offered) = (BTreeSet::new(), BTreeSet::new());
    for (name, run) in library::runs().expect("built in") {
        let open = Open::new(1, run.clone()).expect("a run");
        let names = open.scenario().names();
        let cuts = cuts(&open);
        let role = |id| format!("{:?}", names.role(id));
        let of = |(from, to)| (names.service().name(), role(from), role(to));
        for event in run.to_end().expect("a run").trace() {
            if let What::Sent { message, .. } = &event.what {
                let link = (message.from, message.to);
                assert!(cuts.contains(&link), "{name}: {message:?} cannot be stopped");
                carry.insert(of(link));
            }
        }
        offered.extend(cuts.iter().map(|link| of(*link)));
    }
    assert_eq!(offered, carry);
}
