//! Why: the causes of the event selected, or else of the last turn; beside them the
//! program of the worker whose doing it was, and the state that the event met.

mod program;

use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::why::{Reason, Why as Told};
use crate::lab::{Lab, Msg, Playing};
use crate::sim::event::EventId;
use crate::text::program::Language;
use crate::text::ui::ui;
use crate::text::{amounts, en, questions, state};
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct WhyProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What is done to the chain.
pub enum ChainMsg {
    /// Show all of it, or only its end.
    Turn,
}

/// How much of the chain is shown.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    End,
    All,
}

/// The causes of an event.
pub struct Why {
    run: u32,
    told: Option<Told>,
    reason: Option<Reason>,
    selected: Option<EventId>,
    language: Language,
    extent: Extent,
}

impl Component for Why {
    type Message = ChainMsg;
    type Properties = WhyProps;

    fn create(ctx: &Context<Why>) -> Why {
        let lab = ctx.props().lab.lab();
        let (event, reason) = lab.told().unzip();
        let told = event.map(|event| lab.why(event));
        let (run, selected) = (lab.open().number(), lab.selected());
        Why { run, told, reason, selected, language: lab.language(), extent: Extent::End }
    }

    /// Told anew only when another event is told of; of the last turn not while turns
    /// come faster than anyone could read of them.
    fn changed(&mut self, ctx: &Context<Why>, _old: &WhyProps) -> bool {
        let lab = ctx.props().lab.lab();
        let is_same_run = self.run == lab.open().number();
        let past = lab.open().past().len();
        let has_happened = self.told.as_ref().is_some_and(|told| told.event.index() < past);
        let is_respelled = self.language != lab.language();
        self.language = lab.language();
        let stays = is_same_run && has_happened && lab.selected() == self.selected;
        if stays && lab.playing() != Playing::No {
            return is_respelled;
        }
        let (event, reason) = lab.told().unzip();
        let before = (self.run, self.told.as_ref().map(|told| told.event), self.reason);
        let now = (lab.open().number(), event, reason);
        self.selected = lab.selected();
        if now == before {
            return is_respelled;
        }
        if (now.0, now.1) != (before.0, before.1) {
            self.told = event.map(|event| lab.why(event));
            self.extent = Extent::End;
        }
        (self.run, self.reason) = (now.0, now.2);
        true
    }

    fn update(&mut self, _ctx: &Context<Why>, _msg: ChainMsg) -> bool {
        self.extent = match self.extent {
            Extent::End => Extent::All,
            Extent::All => Extent::End,
        };
        true
    }

    fn view(&self, ctx: &Context<Why>) -> Html {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        let Some(told) = &self.told else {
            return html! { <div class="why"><p>{ ui().why.none }</p></div> };
        };
        html! {
            <div class="why">
                <div class="why-chain">
                    { self.title(handle, &lab, told) }
                    { self.chain(ctx, &lab, told) }
                </div>
                <div class="why-program">
                    { program::program(handle, &lab, told) }
                    { met(&lab, told) }
                </div>
            </div>
        }
    }
}

impl Why {
    fn title(&self, handle: &LabHandle, lab: &Lab, told: &Told) -> Html {
        let text = &ui().why;
        let open = lab.open();
        let event = &open.replay().trace()[told.event.index()];
        let of = match self.reason {
            Some(Reason::Selected) => text.selected,
            Some(Reason::Broke) => text.broke,
            Some(Reason::Refused) => text.refused,
            Some(Reason::Last) | None => text.last,
        };
        html! {
            <>
                <div class="why-head">
                    <span class="eyebrow">{ of }</span>
                    if self.selected.is_some() {
                        <button
                            type="button" class="quiet" id="deselect"
                            onclick={handle.on(Msg::Select(None))}
                        >
                            { text.deselect }
                        </button>
                    }
                </div>
                <h2 id="why-question">{ questions::why(event, open.who()) }</h2>
            </>
        }
    }

    fn chain(&self, ctx: &Context<Why>, lab: &Lab, told: &Told) -> Html {
        let text = &ui().why;
        let length = told.chain.len();
        let first = told.told_first(lab.open().replay().trace());
        let is_long = first.len() < length;
        let is_folded = is_long && self.extent == Extent::End;
        let words = if is_folded { (text.all)(length) } else { text.fewer.to_owned() };
        let shown = if is_folded { first } else { (0..length).collect() };
        let handle = &ctx.props().lab;
        html! {
            <>
                if is_long {
                    <button
                        type="button" id="chain-turn" class="quiet"
                        aria-expanded={if is_folded { "false" } else { "true" }}
                        onclick={ctx.link().callback(|_: MouseEvent| ChainMsg::Turn)}
                    >
                        { words }
                    </button>
                }
                <ol aria-labelledby="why-question">
                    { for shown.into_iter().map(|place| link(handle, lab, told, place)) }
                </ol>
            </>
        }
    }
}

/// One cause: a press selects it.
fn link(handle: &LabHandle, lab: &Lab, told: &Told, place: usize) -> Html {
    let (open, id) = (lab.open(), told.chain[place]);
    let event = &open.replay().trace()[id.index()];
    let names = open.scenario().names();
    let is_itself = id == told.event;
    html! {
        <li key={id.0} value={(place + 1).to_string()} class={is_itself.then_some("itself")}>
            <button
                type="button" class="event-line" id={format!("cause-{}", id.0)}
                aria-current={is_itself.then_some("true")}
                onclick={handle.on(Msg::Select(Some(id)))}
            >
                <span class="at mono">{ amounts::moment(event.at) }</span>{ " " }
                <span class={classes!("by", Identity::of(names, event.node).class())}>
                    { names.of(event.node) }
                </span>{ " " }
                <span class="what">{ en::event(event, open.who()) }</span>
            </button>
        </li>
    }
}

/// The state that the event met, read from the moment before it.
fn met(lab: &Lab, told: &Told) -> Html {
    let open = lab.open();
    let event = &open.replay().trace()[told.event.index()];
    let node = event.node;
    let locks = &open.scenario().spec().locks();
    // What it knew, by what its clocks showed when it happened.
    let before = told.before.node(node);
    let (process, now) = (&before.process, before.clock.read(event.at));
    let facts = state::facts(process, now, locks, open.who());
    if facts.is_empty() {
        return html! {};
    }
    html! {
        <>
            <h3 class="eyebrow">{ (ui().why.met)(open.scenario().names().of(node)) }</h3>
            <dl class="met-state">
                { for facts.into_iter().map(|(name, value)| html! {
                    <div key={name}><dt>{ name }</dt><dd>{ value }</dd></div>
                }) }
            </dl>
        </>
    }
}
