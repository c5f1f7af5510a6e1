//! The machines, what is between them, and every fault that can be made.
//!
//! ```text
//!   workers │ links and messages in flight, as a picture │ lock service, store
//!   links and messages in flight, as lists: the same in words, and what can be done
//! ```
//!
//! Of more workers than [`FEW`] the cards stand in rows, each with *Pause* as one button,
//! and there is no picture: its lines would cross on their way to two cards.
//!
//! At most one list of faults is open at a time; [`Stage`] knows which.

mod cards;
mod fault;
mod lists;
mod more;
mod picture;
mod service;
mod store;
mod worker;

use crate::actors::Actor;
use crate::actors::store::api::Rule;
use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::host::{focus, sight};
use crate::lab::filter::Place;
use crate::lab::guide::Next;
use crate::lab::{Msg, Open, facts, faults};
use crate::scenario::clicks::Do;
use crate::scenario::names::{Role, Service};
use crate::sim::process::NodeId;
use crate::text::ui::ui;
use crate::text::{amounts, effects};
use cards::Looks;
use fault::Extent;
use more::{At, Group, Opened};
use std::rc::Rc;
use yew::prelude::*;

/// The lab, to be looked at and to be told. Its parts may show it at moments that lie a
/// few frames apart.
#[derive(Clone, PartialEq, Properties)]
pub struct StageProps {
    /// For the first two workers.
    pub workers: LabHandle,
    /// For those after them, two by two.
    pub more_workers: [LabHandle; 3],
    /// For the lock service and the store.
    pub services: LabHandle,
    /// For what is between them.
    pub wires: LabHandle,
}

/// So many workers have a column of their own, and lines to what they speak to.
const FEW: usize = 4;

/// The id of the region.
pub const STAGE: &str = "stage";

/// What holds all of the stage, as a selector.
const REGION: &str = ".stage-region";

/// The id of the button that pauses a worker.
pub fn pause_id(worker: &str) -> String {
    format!("{}-pause-do", card_id(worker))
}

fn card_id(worker: &str) -> String {
    format!("worker-{worker}")
}

/// What every part of the stage needs to act.
#[derive(Clone, PartialEq)]
struct Tools {
    send: Callback<Msg>,
    /// Opens a list of faults by its id, or closes it.
    toggle: Callback<(AttrValue, At)>,
    /// Where the one that is open stands.
    at: At,
}

/// The stage.
#[component]
pub fn Stage(props: &StageProps) -> Html {
    // A list that was opened belongs to its run: another one has other machines.
    let run = props.workers.lab().open().number();
    let all = use_state(|| None::<(u32, AttrValue, At)>);
    let now = all.as_ref().filter(|(of, ..)| *of == run);
    let opened = now.map(|(_, id, _)| id.clone());
    let at = now.map(|(.., at)| *at).unwrap_or_default();
    let set_opened = all.setter();
    let toggle =
        use_callback((run, opened.clone()), move |(id, at): (AttrValue, At), (run, opened)| {
            let is_open = opened.as_ref() == Some(&id);
            set_opened.set((!is_open).then_some((*run, id, at)));
        });
    // A list that is opened low on the page comes into sight, and what was pressed stays there.
    use_effect_with(opened.clone(), |opened| {
        if let Some(id) = opened {
            sight::bring_beside(&more::panel_id(id), sight::find(&more::button_id(id)).as_ref());
        }
    });
    let on_escape = {
        let (opened, set_opened) = (opened.clone(), all.setter());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(id) = opened.as_ref().filter(|_| event.key() == "Escape") {
                focus::on(&more::button_id(id));
                set_opened.set(None);
            }
        })
    };
    let tools = Tools { send: props.workers.sender(), toggle, at };
    let area = |area: Area, lab: &LabHandle| {
        let (opened, tools) = (opened.clone(), tools.clone());
        html! { <StageArea {area} lab={lab.clone()} {opened} {tools} /> }
    };
    let is_few = density(props.workers.lab().open()) == Density::Few;
    let is_open = opened.as_ref().is_some_and(|id| lists::is_there(&props.wires.lab(), id));
    let class = classes!("stage-region", (!is_few).then_some("many"), is_open.then_some("is-open"));
    html! {
        <div
            {class}
            onkeydown={on_escape}>
            <div class="stage">
                <div class="col workers">
                    { area(Area::Workers(0), &props.workers) }
                    { for (1..).zip(&props.more_workers).map(|(two, lab)| area(Area::Workers(two), lab)) }
                </div>
                if is_few { { area(Area::Picture, &props.wires) } }
                { area(Area::Services, &props.services) }
            </div>
            { area(Area::Lists, &props.wires) }
        </div>
    }
}

/// How many workers have to find room.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Density {
    Few,
    Many,
}

fn density(open: &Open) -> Density {
    let workers = open.scenario().names().with(Role::Worker).count();
    if workers <= FEW { Density::Few } else { Density::Many }
}

/// A part of the stage.
#[derive(Clone, Copy, PartialEq)]
enum Area {
    /// Two of them, and which two: more cards in one frame made it a long one.
    Workers(usize),
    Picture,
    Services,
    Lists,
}

#[derive(Clone, PartialEq, Properties)]
struct AreaProps {
    area: Area,
    lab: LabHandle,
    opened: Option<AttrValue>,
    tools: Tools,
}

/// A part of the stage, drawn anew only after a change.
#[component]
fn StageArea(props: &AreaProps) -> Html {
    let lab = props.lab.lab();
    let (opened, tools) = (props.opened.as_ref(), props.tools.clone());
    let scene = Scene { lab: &props.lab, open: lab.open(), opened, tools };
    match props.area {
        Area::Workers(two) => scene.workers(2 * two),
        Area::Picture => picture::picture(&scene),
        Area::Services => html! { <div class="col services">{ scene.services() }</div> },
        Area::Lists => lists::lists(&scene),
    }
}

/// What the stage is drawn from.
struct Scene<'a> {
    lab: &'a LabHandle,
    open: &'a Open,
    opened: Option<&'a AttrValue>,
    tools: Tools,
}

impl Scene<'_> {
    fn is_open(&self, id: &str) -> bool {
        self.opened.is_some_and(|opened| opened == id)
    }

    fn name(&self, id: NodeId) -> AttrValue {
        AttrValue::from(self.open.scenario().names().of(id).to_owned())
    }

    /// What makes a list of faults, if it is the one that is open.
    fn opened(&self, id: &str, groups: impl FnOnce() -> Vec<Group>) -> Opened {
        self.is_open(id).then(|| Rc::new(groups()))
    }

    fn workers(&self, from: usize) -> Html {
        let extent = match density(self.open) {
            Density::Few => Extent::Whole,
            Density::Many => Extent::Button,
        };
        let marked = self.marked();
        let card = |facts: facts::WorkerFacts| {
            let place = facts.place;
            let name = self.name(facts.id);
            let id = card_id(&name);
            let pause = faults::pause(self.open, facts.id);
            let opened = self.opened(&id, || self.worker_faults(&facts));
            html! {
                <worker::WorkerCard
                    key={place} {id} {name} {pause} {opened}
                    is_marked={marked == Some(facts.id)} {extent}
                    is_selected={self.selected() == Some(facts.id)} {facts}
                    tools={self.tools.clone()}
                />
            }
        };
        facts::workers(self.open).skip(from).take(2).map(card).collect()
    }

    /// The machine that is to be paused, if that is the one thing to do next.
    fn marked(&self) -> Option<NodeId> {
        match crate::lab::guide::next(&self.lab.lab()) {
            Next::Do(Do::Pause { node, .. }) => self.open.scenario().names().find(&node),
            _ => None,
        }
    }

    /// The machine on which the event selected happened.
    fn selected(&self) -> Option<NodeId> {
        let event = self.lab.lab().selected()?;
        Some(self.open.replay().trace()[event.index()].node)
    }

    fn worker_faults(&self, worker: &facts::WorkerFacts) -> Vec<Group> {
        let text = &ui().faults;
        let mut groups = match density(self.open) {
            Density::Few => self.machine_faults(worker.id),
            Density::Many => self.all_faults(worker.id),
        };
        groups.push(Group::new(text.program, faults::program(self.open, worker)));
        groups
    }

    fn machine_faults(&self, id: NodeId) -> Vec<Group> {
        let text = &ui().faults;
        vec![
            Group::new(text.process, faults::process(self.open, id)),
            Group::new(text.clocks, faults::clocks(self.open, id)),
        ]
    }

    /// All that can be done to a machine that has no card with *Pause* on it.
    fn all_faults(&self, id: NodeId) -> Vec<Group> {
        let mut groups = self.machine_faults(id);
        groups[0].faults.insert(0, faults::pause(self.open, id));
        groups
    }

    /// A member's own, and its links to the others.
    fn member_faults(&self, id: NodeId) -> Vec<Group> {
        let mut groups = self.all_faults(id);
        let replication = faults::replication(self.open, id);
        if !replication.is_empty() {
            let name = match self.open.scenario().names().service() {
                Service::Postgres => ui().faults.sessions,
                _ => ui().faults.replication,
            };
            groups.push(Group::new(name, replication));
        }
        let links = faults::member_links(self.open, id);
        if !links.is_empty() {
            groups.push(Group::new(ui().faults.link, links));
        }
        groups
    }

    fn services(&self) -> Html {
        html! {
            <>
                { self.service() }
                { self.store() }
                { for self.open.scenario().names().others().map(|id| self.other(id)) }
            </>
        }
    }

    fn service(&self) -> Html {
        let facts = facts::service(self.open);
        let members: Vec<AttrValue> = facts.members.iter().map(|m| self.name(m.id)).collect();
        let opened: Vec<Opened> = facts
            .members
            .iter()
            .map(|member| {
                let id = service::member_id(self.open.scenario().names().of(member.id));
                self.opened(&id, || self.member_faults(member.id))
            })
            .collect();
        let granted: Vec<Option<AttrValue>> =
            facts.granted.iter().map(|held| held.node.map(|id| self.name(id))).collect();
        let forgotten: Vec<AttrValue> = facts.forgotten.iter().map(|id| self.name(*id)).collect();
        let is_selected = facts.members.iter().any(|member| self.selected() == Some(member.id));
        let service = self.open.scenario().names().service();
        let owners: Vec<Option<AttrValue>> =
            facts.keys.iter().map(|key| key.owner.map(|id| self.name(id))).collect();
        html! {
            <service::ServiceCard
                key="service" {service} {owners} {members} {granted} {forgotten} {opened} {is_selected} {facts}
                tools={self.tools.clone()}
            />
        }
    }

    fn store(&self) -> Html {
        let facts = facts::store(self.open);
        let spec = self.open.scenario().spec();
        let is_machine = facts.data.is_none();
        let opened = self.opened(store::ID, || {
            let mut groups = self.all_faults(facts.id);
            if let Some(rule) = faults::rule(self.open) {
                groups.insert(0, Group::new(ui().faults.rule, vec![rule]));
            }
            groups
        });
        html! {
            <store::StoreCard
                key="store" title={AttrValue::from(spec.store.title.clone())}
                node={self.name(facts.id)} began_unchecked={spec.store.rule == Rule::None}
                is_selected={is_machine && self.selected() == Some(facts.id)} {opened} {facts}
                tools={self.tools.clone()}
            />
        }
    }

    fn other(&self, id: NodeId) -> Html {
        let text = &ui().stage;
        let (name, role) = (self.name(id), self.open.scenario().names().role(id));
        let title = effects::title(&name);
        let opened = self.opened(&name, || self.all_faults(id));
        let world = &self.open.replay().moment().world;
        let is_selected = self.selected() == Some(id);
        let looks = Looks { is_selected, is_open: opened.is_some() };
        let class = cards::class("of-other", looks);
        let heading = format!("{name}-name");
        let shown = match &world.node(id).process {
            Actor::Partner(_) => {
                let facts = facts::store(self.open);
                let (booked, owed) = (amounts::money(facts.booked), amounts::money(facts.owed));
                cards::fact(text.booked, (text.booked_of)(&booked, &owed))
            }
            Actor::Relay(relay) => {
                let row = relay.row().map_or(text.none.to_owned(), |row| row.to_string());
                cards::fact(text.row_sent, row)
            }
            _ => Html::default(),
        };
        html! {
            <article key={title} {class} aria-labelledby={heading.clone()}>
                <h3 id={heading}>
                    { Identity::Other.shape() }
                    { title }
                    { cards::machine_tag(facts::machine(world, id)) }
                    { cards::selected_here(is_selected) }
                </h3>
                <p class="facts">{ effects::does(role) }</p>
                if role != Role::Orchestrator {
                    <p class="facts">{ shown }</p>
                }
                <div class="acts">
                    { more::more(&name, title, &opened, &self.tools) }
                    { cards::its_events(Place::Machine(id), title, &self.tools) }
                </div>
            </article>
        }
    }
}
