//! The lock service's card: what it has granted, who leads, which members run.

use super::Tools;
use super::cards::{self, Looks, Tone, clock, fact, tag, tenths};
use super::more::{Face, Opened, disclosure, fieldset};
use crate::actors::etcd::Part;
use crate::app::identity::Identity;
use crate::lab::Msg;
use crate::lab::facts::{
    ConsulFacts, KeyFacts, LockObjectFacts, Machine, MemberFacts, ServiceFacts, leaders,
};
use crate::lab::filter::Place;
use crate::lab::wires::Way;
use crate::scenario::clicks::Do;
use crate::scenario::names::Service;
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::time::Span;
use crate::text::ui::ui;
use yew::prelude::*;

/// The lock service and what can be done to it.
#[derive(Clone, PartialEq, Properties)]
pub struct ServiceProps {
    /// How it stands.
    pub facts: ServiceFacts,
    /// Which service it is.
    pub service: Service,
    /// What people call the owners of the lock's keys, in their order.
    pub owners: Vec<Option<AttrValue>>,
    /// What people call its members, in their order.
    pub members: Vec<AttrValue>,
    /// What people call the holders, in the order of the grants.
    pub granted: Vec<Option<AttrValue>>,
    /// Those whose grants it has forgotten.
    pub forgotten: Vec<AttrValue>,
    /// Whether the event selected happened at one of them.
    pub is_selected: bool,
    /// All that can be done to each member and its links, if that is shown.
    pub opened: Vec<Opened>,
    /// To act.
    pub tools: Tools,
}

/// The card.
#[component]
pub fn ServiceCard(props: &ServiceProps) -> Html {
    let text = &ui().stage;
    let is_open = props.opened.iter().any(Option::is_some);
    let looks = Looks { is_selected: props.is_selected, is_open };
    html! {
        <article class={cards::class("of-lock", looks)} aria-labelledby="service-name">
            <h3>
                { Identity::Service.shape() }
                <span id="service-name">{ text.service }</span>
                { tag(Tone::Plain, (text.kind)(props.service)) }
                { cards::selected_here(props.is_selected) }
            </h3>
            <p class="facts">{ for rows(props) }</p>
            <div class="acts">
                { stop_leader(props) }
                { for props.facts.members.iter().zip(&props.members).map(|(facts, name)| {
                    start(facts, name, &props.tools)
                }) }
                { cards::its_events(Place::Service, text.service, &props.tools) }
            </div>
            { parts(props) }
        </article>
    }
}

fn rows(props: &ServiceProps) -> Vec<Html> {
    let text = &ui().stage;
    let facts = &props.facts;
    let runs = facts.members.iter().filter(|member| member.machine == Machine::Runs).count();
    let name = |held: &Option<AttrValue>| held.clone().unwrap_or(text.somebody.into());
    let holders: Vec<AttrValue> = props.granted.iter().map(name).collect();
    let holders = joined(&holders).unwrap_or(text.nobody.to_owned());
    let granted = match joined(&props.forgotten) {
        Some(before) => (ui().verdict.and_forgotten)(&holders, &before),
        None => holders,
    };
    let leading: Vec<AttrValue> = leaders(&facts.members).map(|id| name_of(props, id)).collect();
    let held = facts.granted.iter().filter_map(|held| held.token).map(text.token_held);
    let waiting = facts.waiting.iter().map(|token| (text.token_waits)(*token));
    let tokens: Vec<String> = held.chain(waiting).collect();
    let left = facts.lease_left.map(|left| tenths(left.max(Span::ZERO)));
    if props.service.has_keys() {
        let mut all = vec![
            fact(text.granted_to, granted),
            fact(text.nodes, (text.of)(runs, facts.members.len())),
        ];
        if props.service == Service::Redis {
            all.push(fact(text.primary, joined(&leading).unwrap_or(text.nobody.to_owned())));
        }
        all.extend(facts.keys.iter().zip(&props.owners).map(|(key, owner)| {
            let name = (text.key_at)(key.lock.as_deref(), &name_of(props, key.node));
            cards::fact_named(name, key_words(key, owner))
        }));
        if facts.keys.is_empty() {
            all.push(fact(text.key, text.none.to_owned()));
        }
        return all;
    }
    if props.service == Service::Postgres {
        let mut all = database_rows(facts, granted, &tokens);
        if facts.members.len() > 1 {
            all.push(fact(text.primary, joined(&leading).unwrap_or(text.nobody.to_owned())));
        }
        return all;
    }
    if let Some(consul) = &facts.consul {
        let mut all = consul_rows(facts, consul, granted, left);
        if facts.members.len() > 1 {
            all.push(fact(text.leader, joined(&leading).unwrap_or(text.nobody.to_owned())));
        }
        return all;
    }
    if let Some(object) = &facts.lock_object {
        return object_rows(object, granted);
    }
    let (revision, members, left_at_leader) = match props.service {
        Service::ZooKeeper => (text.zxid, text.servers, text.session_at_leader),
        _ => (text.revision, text.members, text.lease_at_leader),
    };
    vec![
        fact(text.granted_to, granted),
        fact(revision, crate::text::service::token(facts.revision)),
        fact(members, (text.of)(runs, facts.members.len())),
        fact(text.leader, joined(&leading).unwrap_or(text.nobody.to_owned())),
        fact(text.tokens, joined(&tokens).unwrap_or(text.none.to_owned())),
        fact(left_at_leader, left.unwrap_or(text.none.to_owned())),
    ]
}

/// Of PostgreSQL: its sessions, and the lock's row where there is one.
#[inline(never)]
fn database_rows(facts: &ServiceFacts, granted: String, tokens: &[String]) -> Vec<Html> {
    let text = &ui().stage;
    let mut all = vec![
        fact(text.granted_to, granted),
        fact(text.tokens, joined(tokens).unwrap_or(text.none.to_owned())),
    ];
    if let Some(row) = &facts.row {
        let left = row.left.map(|left| (left >= Span::ZERO).then(|| tenths(left)));
        let row = (text.row_is)(row.owner.as_deref(), row.token, left);
        all.push(fact(text.row, row));
    }
    all.extend(facts.sessions.iter().map(|session| {
        cards::fact_named(
            (text.session_at)(session.view.pid),
            (text.session_is)(session.client.as_deref(), &session.view),
        )
    }));
    if facts.sessions.is_empty() {
        all.push(fact(text.sessions, text.none.to_owned()));
    }
    all
}

/// Of Consul: the lock's key with its numbers, the holder's session, the lock-delay.
#[inline(never)]
fn consul_rows(
    facts: &ServiceFacts,
    consul: &ConsulFacts,
    granted: String,
    left: Option<String>,
) -> Vec<Html> {
    let text = &ui().stage;
    let key = match &consul.entry {
        Some(entry) => (text.entry_is)(entry),
        None => text.none.to_owned(),
    };
    let delay = consul.delay.map(|delay| tenths(delay.max(Span::ZERO)));
    vec![
        fact(text.granted_to, granted),
        fact(text.index, facts.revision.to_string()),
        fact(text.key, key),
        fact(text.session_at_leader, left.unwrap_or(text.none.to_owned())),
        fact(text.lock_delay, delay.unwrap_or(text.none.to_owned())),
    ]
}

/// Of an object store: what stands in the lock's object.
#[inline(never)]
fn object_rows(facts: &LockObjectFacts, granted: String) -> Vec<Html> {
    let text = &ui().stage;
    let none = || text.none.to_owned();
    let held = facts.object.map(|(_, record)| (text.record_is)(&record));
    let left = facts.left.map(|left| match left >= Span::ZERO {
        true => tenths(left),
        false => (text.lease_passed)(&tenths(Span::ZERO - left)),
    });
    vec![
        fact(text.granted_to, granted),
        fact(text.object, held.unwrap_or_else(none)),
        fact("ETag", facts.object.map_or_else(none, |(etag, _)| etag.to_string())),
        fact(text.time_in_it, left.unwrap_or_else(none)),
    ]
}

/// A lock's key: value, owner, and what is left of it.
fn key_words(key: &KeyFacts, owner: &Option<AttrValue>) -> String {
    let text = &ui().stage;
    let owner = owner.as_ref().map_or(text.somebody, |owner| owner.as_str());
    let left = key.left.map(|left| tenths(left.max(Span::ZERO)));
    (text.key_is)(&key.value, owner, left.as_deref())
}

fn joined<T: std::fmt::Display>(list: &[T]) -> Option<String> {
    let list: Vec<String> = list.iter().map(T::to_string).collect();
    (!list.is_empty()).then(|| list.join(", "))
}

fn name_of(props: &ServiceProps, id: crate::sim::process::NodeId) -> AttrValue {
    let place = props.facts.members.iter().position(|member| member.id == id);
    place.map(|place| props.members[place].clone()).unwrap_or_default()
}

fn stop_leader(props: &ServiceProps) -> Html {
    let text = &ui().faults;
    let leader = leaders(&props.facts.members).next().map(|id| name_of(props, id));
    let send = props.tools.send.clone();
    let onclick = {
        let leader = leader.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(leader) = &leader {
                let node = leader.to_string();
                send.emit(Msg::Click(Do::Crash { node, restart_after_ms: None }));
            }
        })
    };
    let is_off = leader.is_none();
    html! {
        <div class="fault" key="stop-leader">
            <button
                type="button" id="service-stop" {onclick}
                aria-disabled={is_off.then_some("true")}
                aria-describedby={is_off.then_some("service-stop-note")}
            >
                { (text.stop_leader)(props.service, &leader.unwrap_or_default()) }
            </button>
            if is_off { <span class="note" id="service-stop-note">{ (text.no_leader)(props.service) }</span> }
        </div>
    }
}

/// Starts a member that does not run.
fn start(facts: &MemberFacts, name: &AttrValue, tools: &Tools) -> Html {
    let text = &ui().faults;
    if facts.machine != Machine::Down {
        return html! {};
    }
    let node = name.to_string();
    let onclick =
        tools.send.reform(move |_: MouseEvent| Msg::Click(Do::Restart { node: node.clone() }));
    html! {
        <button type="button" key={format!("start-{name}")} id={format!("service-start-{name}")} {onclick}>
            { (text.start_member)(name) }
        </button>
    }
}

/// The members as the parts they are: each with how it stands, and all that can be done
/// to it and to its links with the others.
fn parts(props: &ServiceProps) -> Html {
    let part = |place: usize| {
        let (facts, name) = (&props.facts.members[place], &props.members[place]);
        let id = member_id(name);
        let content = props.opened[place].as_ref().map(|groups| {
            html! { { for groups.iter().map(|group| fieldset(&id, name, group, &props.tools)) } }
        });
        let button = html! {
            <span class="part">
                <b>{ name }</b>
                { " " }
                { how_it_stands(facts, props.service) }
            </span>
        };
        let class = (facts.machine != Machine::Runs).then_some("off");
        disclosure(&id, name, Face { class, ..Face::of(button) }, content, &props.tools)
    };
    html! {
        <div class="parts" role="group" tabindex="-1" aria-label={ui().stage.parts}>
            { for (0..props.members.len()).map(part) }
        </div>
    }
}

/// Names a member's list of faults on the page.
pub fn member_id(name: &str) -> String {
    format!("service-{name}")
}

fn how_it_stands(facts: &MemberFacts, service: Service) -> String {
    let text = &ui().stage;
    let part = match (facts.machine, facts.part) {
        (Machine::Down, _) => text.down,
        (Machine::Paused, _) => text.paused,
        (Machine::Suspended, _) => text.suspended,
        (Machine::Runs, Part::Leader) if service == Service::Redis => text.writes,
        (Machine::Runs, _)
            if matches!(service, Service::Redlock | Service::Postgres | Service::Objects) =>
        {
            text.runs
        }
        (Machine::Runs, Part::Leader | Part::NewLeader) => text.leads,
        (Machine::Runs, Part::Follower) => text.follows,
        (Machine::Runs, Part::Candidate) => text.stands,
    };
    let others = match facts.others {
        Way::Up => None,
        Way::Partly => Some(text.link_partly.to_owned()),
        Way::Cut => Some(text.cut_off.to_owned()),
    };
    let is_right = facts.clock.ahead == Span::ZERO && facts.clock.rate_ppm == RIGHT_RATE_PPM;
    let off = (!is_right).then(|| format!("{} {}", text.clock, clock(facts.clock)));
    let all = std::iter::once(part.to_ascii_lowercase()).chain(others).chain(off);
    all.collect::<Vec<_>>().join(", ")
}
