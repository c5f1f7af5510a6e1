//! Two runs beside each other: what is changed is chosen here; the second diagram, the
//! verdicts side by side and the list of differences stand under it.

mod told;

use crate::app::handle::LabHandle;
use crate::app::list::{List, option};
use crate::host::focus;
use crate::host::rest::LATER;
use crate::lab::compare::Comparison;
use crate::lab::facts::{VerdictFacts, verdict};
use crate::lab::{Lab, Msg, Open};
use crate::scenario::Change;
use crate::text::ui::ui;
use std::rc::Rc;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct CompareProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What is done to the form.
pub enum ChoiceMsg {
    /// This entry of the list was chosen.
    Choose(Option<Choice>),
    /// The comparison is to begin.
    Begin,
    /// It is to end.
    End,
}

/// What can be compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// The same clicks with this changed.
    Changed(Change),
    /// A run that is open, by number.
    Run(u32),
}

/// The comparison, and what can be chosen.
pub struct Compare {
    /// The number of the run that `changes` are of: another scenario is another run.
    of: u32,
    changes: Vec<Change>,
    chosen: Option<Choice>,
    outline: Outline,
    /// The number of the run beside, as it was last drawn.
    beside: Option<u32>,
    /// The comparison is begun or ended here: the focus goes to where one goes on.
    moves_focus: bool,
}

/// The id of the heading over what is told.
const TITLE: &str = "compare-title";

/// All by which what is shown differs from that of another moment.
#[derive(PartialEq)]
struct Outline {
    runs: Vec<u32>,
    active: usize,
    both: Option<(u32, Rc<Comparison>, [VerdictFacts; 2])>,
}

impl Outline {
    fn of(lab: &Lab) -> Outline {
        let both = lab.beside().zip(lab.comparison()).map(|(other, comparison)| {
            let facts = [lab.open(), other].map(verdict);
            (other.number(), comparison.clone(), facts)
        });
        Outline { runs: lab.runs().iter().map(Open::number).collect(), active: lab.active(), both }
    }
}

impl Component for Compare {
    type Message = ChoiceMsg;
    type Properties = CompareProps;

    fn create(ctx: &Context<Compare>) -> Compare {
        let lab = ctx.props().lab.lab();
        Compare {
            of: lab.open().number(),
            changes: Change::all(lab.open().scenario()),
            chosen: None,
            outline: Outline::of(&lab),
            beside: lab.beside().map(Open::number),
            moves_focus: false,
        }
    }

    fn changed(&mut self, ctx: &Context<Compare>, _old: &CompareProps) -> bool {
        let lab = ctx.props().lab.lab();
        let outline = Outline::of(&lab);
        if outline == self.outline {
            return false;
        }
        self.outline = outline;
        if self.of != lab.open().number() {
            self.of = lab.open().number();
            self.changes = Change::all(lab.open().scenario());
        }
        if self.chosen.is_some_and(|chosen| !self.choices(&lab).contains(&chosen)) {
            self.chosen = None;
        }
        true
    }

    fn update(&mut self, ctx: &Context<Compare>, msg: ChoiceMsg) -> bool {
        match msg {
            ChoiceMsg::Choose(chosen) => self.chosen = chosen,
            ChoiceMsg::End => {
                self.moves_focus = true;
                ctx.props().lab.send(Msg::EndComparison);
            }
            ChoiceMsg::Begin => {
                let handle = &ctx.props().lab;
                self.moves_focus = self.chosen.is_some();
                match self.chosen.take() {
                    Some(Choice::Changed(change)) => handle.send(Msg::Compare(change)),
                    Some(Choice::Run(run)) => handle.send(Msg::CompareWith { run }),
                    None => {}
                }
            }
        }
        true
    }

    /// Keys and screen readers go on where something new has begun, or where it ended.
    fn rendered(&mut self, ctx: &Context<Compare>, _first: bool) {
        let beside = ctx.props().lab.lab().beside().map(Open::number);
        if beside != self.beside {
            self.beside = beside;
            if std::mem::take(&mut self.moves_focus) {
                focus::on(if beside.is_some() { TITLE } else { "compare-choice" });
            }
        }
    }

    fn view(&self, ctx: &Context<Compare>) -> Html {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        let beside = lab.beside().zip(lab.comparison());
        html! {
            <div class="compare" data-later={LATER}>
                { self.form(ctx, &lab) }
                if let Some((other, comparison)) = beside {
                    { told::told(handle, &lab, other, comparison) }
                }
            </div>
        }
    }
}

impl Compare {
    /// What can be chosen, in the order of the list.
    fn choices(&self, lab: &Lab) -> Vec<Choice> {
        let changes = self.changes.iter().copied().map(Choice::Changed);
        let number = lab.open().number();
        let others = lab.runs().iter().map(Open::number).filter(|it| *it != number);
        changes.chain(others.map(Choice::Run)).collect()
    }

    fn form(&self, ctx: &Context<Compare>, lab: &Lab) -> Html {
        let text = &ui().compare;
        let choices = self.choices(lab);
        let on = {
            let choices = choices.clone();
            ctx.link().callback(move |value: String| {
                let place = value.parse::<usize>().ok();
                ChoiceMsg::Choose(place.and_then(|place| choices.get(place).copied()))
            })
        };
        let place = choices.iter().position(|choice| Some(choice) == self.chosen.as_ref());
        let chosen = place.map(|place| place.to_string()).unwrap_or_default();
        let begin = ctx.link().callback(|_: MouseEvent| ChoiceMsg::Begin);
        html! {
            <div class="compare-form">
                <label class="field">
                    <span>{ text.choose }</span>
                    <List id="compare-choice" {chosen} {on}>
                        { option("", text.nothing) }
                        { for groups(&choices) }
                    </List>
                </label>
                <button type="button" id="compare-begin" aria-disabled={self.chosen.is_none().then_some("true")} onclick={begin}>
                    { text.begin }
                </button>
                if lab.beside().is_some() {
                    <button
                        type="button" id="compare-end" class="quiet"
                        onclick={ctx.link().callback(|_: MouseEvent| ChoiceMsg::End)}
                    >
                        { text.end }
                    </button>
                }
            </div>
        }
    }
}

/// The entries by kind, each group under its name.
fn groups(choices: &[Choice]) -> Vec<Html> {
    let text = &ui().compare;
    let kind = |choice: &Choice| match choice {
        Choice::Changed(change) => (text.kind)(*change),
        Choice::Run(_) => text.open_runs,
    };
    let says = |choice: &Choice| match choice {
        Choice::Changed(change) => (text.change)(*change),
        Choice::Run(number) => (text.run)(*number),
    };
    let mut groups = Vec::new();
    let mut from = 0;
    while from < choices.len() {
        let name = kind(&choices[from]);
        let length = choices[from..].iter().take_while(|it| kind(it) == name).count();
        let options = (from..from + length).map(|place| {
            let choice = &choices[place];
            option(place.to_string(), says(choice))
        });
        groups.push(html! { <optgroup key={name} label={name}>{ for options }</optgroup> });
        from += length;
    }
    groups
}
