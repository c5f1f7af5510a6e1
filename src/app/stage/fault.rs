//! A small form with which one fault is made: a button, and beside it what of the
//! fault one can choose. Not a `<form>`: in a sandboxed frame those never submit.

use crate::app::guide::WHY;
use crate::app::list::{List, option};
use crate::lab::Msg;
use crate::lab::faults::{Amount, Choice, Fault, amount, with_amount};
use crate::scenario::clicks::Do;
use crate::sim::clock::MAX_RATE_PPM;
use crate::text::entry;
use crate::text::ui::ui;
use std::mem::Discriminant;
use yew::prelude::*;

/// How much of a form is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Extent {
    /// All of it.
    #[default]
    Whole,
    /// Its button, with the preset in its words: the whole form is in the list of faults.
    Button,
}

/// A fault and what it is done to.
#[derive(Clone, PartialEq, Properties)]
pub struct FaultProps {
    /// Names it among all of the page.
    pub id: AttrValue,
    /// What it is done to.
    pub thing: AttrValue,
    /// The fault.
    pub fault: Fault,
    /// How much of it is shown.
    #[prop_or_default]
    pub extent: Extent,
    /// Whether it is the one thing to do next.
    #[prop_or_default]
    pub is_marked: bool,
    /// Takes the click.
    pub send: Callback<Msg>,
}

/// What has been chosen and typed, and for which fault: when that turns into its
/// undoing, what was typed is let go.
#[derive(Clone, Debug, PartialEq)]
struct Draft {
    basis: Basis,
    chosen: usize,
    typed: AttrValue,
    /// Whether it lasts until it is undone.
    is_open_ended: bool,
    problem: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq)]
struct Basis {
    kind: Discriminant<Do>,
    amount: Option<Amount>,
    in_force: Option<usize>,
}

impl Basis {
    fn of(fault: &Fault) -> Basis {
        let first = &fault.choices[0].action;
        let kind = std::mem::discriminant(first);
        Basis { kind, amount: amount(first), in_force: fault.in_force }
    }
}

/// A time that takes the place of one that is not given.
const TIME_MS: i64 = 10_000;

impl Draft {
    fn new(fault: &Fault) -> Draft {
        let basis = Basis::of(fault);
        let typed = match basis.amount {
            None => String::new(),
            Some(Amount::Lasting(ms)) => entry::from_ms(ms.unwrap_or(TIME_MS)),
            Some(Amount::Time(ms) | Amount::Shift(ms)) => entry::from_ms(ms),
            Some(Amount::Rate(rate_ppm)) => entry::from_ppm(rate_ppm),
        };
        Draft {
            is_open_ended: basis.amount == Some(Amount::Lasting(None)),
            basis,
            chosen: fault.chosen,
            typed: typed.into(),
            problem: None,
        }
    }

    fn choice<'a>(&self, fault: &'a Fault) -> &'a Choice {
        fault.choices.get(self.chosen).unwrap_or(&fault.choices[0])
    }

    /// The click, or what is wrong with what was typed.
    fn action(&self, fault: &Fault) -> Result<Do, &'static str> {
        let text = &ui().faults;
        let action = self.choice(fault).action.clone();
        let time = || entry::seconds(&self.typed).ok_or(text.no_time);
        let length = || time().and_then(|ms| if ms < 0 { Err(text.negative_time) } else { Ok(ms) });
        let amount = match self.basis.amount {
            None => return Ok(action),
            Some(Amount::Lasting(_)) if self.is_open_ended => Amount::Lasting(None),
            Some(Amount::Lasting(_)) => {
                let length =
                    length().and_then(|ms| if ms == 0 { Err(text.no_length) } else { Ok(ms) });
                Amount::Lasting(Some(length?))
            }
            Some(Amount::Time(_)) => Amount::Time(length()?),
            Some(Amount::Shift(_)) => Amount::Shift(time()?),
            Some(Amount::Rate(_)) => {
                let rate = entry::rate_ppm(&self.typed);
                let fits = |rate: &i64| (1..=MAX_RATE_PPM).contains(rate);
                Amount::Rate(rate.filter(fits).ok_or(text.no_rate)?)
            }
        };
        Ok(with_amount(action, amount))
    }
}

/// The form.
#[component]
pub fn FaultForm(props: &FaultProps) -> Html {
    let FaultProps { id, thing, fault, extent, is_marked, send } = props;
    let text = &ui().faults;
    let state = use_state(|| Draft::new(fault));
    let draft = if state.basis == Basis::of(fault) { (*state).clone() } else { Draft::new(fault) };
    let choice = draft.choice(fault);
    let is_in_force = fault.in_force == Some(draft.chosen);
    let why_not = match choice.why_not {
        Some(why) => Some((text.why_not)(why)),
        None => is_in_force.then(|| text.in_force.to_owned()),
    };
    let act = {
        let (state, draft, fault) = (state.setter(), draft.clone(), fault.clone());
        let (send, is_off) = (send.clone(), why_not.is_some());
        Callback::from(move |()| match draft.action(&fault) {
            _ if is_off => {}
            Ok(action) => {
                state.set(Draft { problem: None, ..draft.clone() });
                send.emit(Msg::Click(action));
            }
            Err(problem) => state.set(Draft { problem: Some(problem), ..draft.clone() }),
        })
    };
    let said = draft.problem.map(str::to_owned).or(why_not.clone());
    let note_id = said.as_ref().map(|_| format!("{id}-note"));
    let marked_why = is_marked.then_some(WHY);
    let describes = marked_why.map(str::to_owned).into_iter().chain(note_id.clone());
    let describes = Some(describes.collect::<Vec<_>>().join(" ")).filter(|ids| !ids.is_empty());
    let edit = state.setter();
    let is_whole = *extent == Extent::Whole;
    let (shown, label) = match (is_whole, amount(&choice.action)) {
        (false, Some(Amount::Lasting(Some(ms)))) => {
            let shown = (text.button_for)(&choice.action, ms);
            (shown.clone(), format!("{shown}, {thing}"))
        }
        _ => ((text.button)(&choice.action).to_owned(), (text.button_on)(&choice.action, thing)),
    };
    html! {
        <div class="fault" role="group" aria-labelledby={format!("{id}-do")}>
            <button
                type="button" id={format!("{id}-do")} class={classes!(is_marked.then_some("primary"))}
                aria-label={label}
                aria-disabled={why_not.is_some().then_some("true")}
                aria-describedby={describes} onclick={act.reform(|_: MouseEvent| ())}
            >
                { shown }
            </button>
            if is_whole && fault.choices.len() > 1 { { ways(id, fault, &draft, &edit) } }
            if is_whole && choice.why_not.is_none() { { amounts(id, &choice.action, &draft, &edit, &act) } }
            if let Some(said) = said {
                <span class="note" id={note_id} role={draft.problem.map(|_| "alert")}>{ said }</span>
            }
        </div>
    }
}

type Edit = UseStateSetter<Draft>;

fn ways(id: &str, fault: &Fault, draft: &Draft, edit: &Edit) -> Html {
    let text = &ui().faults;
    let label = (text.ways)(&fault.choices[0].action);
    let class = label.is_none().then_some("unseen");
    // Another way may be open where the one that is chosen is not.
    let is_off = fault
        .choices
        .iter()
        .enumerate()
        .all(|(place, choice)| choice.why_not.is_some() || fault.in_force == Some(place));
    let option =
        |(place, choice): (usize, &Choice)| option(place.to_string(), (text.way)(&choice.action));
    let on = on_choice(draft, edit, |draft, value| {
        draft.chosen = value.parse().unwrap_or(draft.chosen);
    });
    html! {
        <label class={classes!("field", is_off.then_some("off"))}>
            <span id={format!("{id}-way")} {class}>{ label.unwrap_or(text.to) }</span>
            <List
                labelled_by={format!("{id}-do {id}-way")} chosen={draft.chosen.to_string()}
                {is_off} {on}
            >
                { for fault.choices.iter().enumerate().map(option) }
            </List>
        </label>
    }
}

fn amounts(id: &str, action: &Do, draft: &Draft, edit: &Edit, act: &Callback<()>) -> Html {
    let text = &ui().faults;
    match &draft.basis.amount {
        None => html! {},
        Some(Amount::Lasting(_)) => html! {
            <>
                { how_long(id, action, draft, edit) }
                if !draft.is_open_ended { { number(id, None, text.seconds, draft, edit, act) } }
            </>
        },
        Some(Amount::Time(_) | Amount::Shift(_)) => {
            number(id, Some((text.amount)(action)), text.seconds, draft, edit, act)
        }
        Some(Amount::Rate(_)) => {
            number(id, Some((text.amount)(action)), text.times, draft, edit, act)
        }
    }
}

fn how_long(id: &str, action: &Do, draft: &Draft, edit: &Edit) -> Html {
    let text = &ui().faults;
    let on = on_choice(draft, edit, |draft, value| draft.is_open_ended = value == "until");
    let chosen = if draft.is_open_ended { "until" } else { "for" };
    html! {
        <>
            <span class="unseen" id={format!("{id}-long")}>{ text.how_long }</span>
            <List labelled_by={format!("{id}-do {id}-long")} {chosen} {on}>
                { option("for", (text.lasting)(action)) }
                { option("until", (text.until)(action)) }
            </List>
        </>
    }
}

fn number(
    id: &str,
    label: Option<&'static str>,
    unit: &'static str,
    draft: &Draft,
    edit: &Edit,
    act: &Callback<()>,
) -> Html {
    let oninput = {
        let (draft, edit) = (draft.clone(), edit.clone());
        Callback::from(move |event: InputEvent| {
            let input = event.target_dyn_into::<web_sys::HtmlInputElement>();
            let typed = input.map(|input| input.value()).unwrap_or_default();
            edit.set(Draft { typed: typed.into(), problem: None, ..draft.clone() });
        })
    };
    let onkeydown = {
        let act = act.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                act.emit(());
            }
        })
    };
    html! {
        <label class="field">
            if let Some(label) = label { <span id={format!("{id}-label")}>{ label }</span> }
            <input
                type="number" step="any" inputmode="decimal" value={draft.typed.clone()}
                aria-labelledby={format!("{id}-do {id}-long {id}-label {id}-unit")}
                aria-invalid={draft.problem.map(|_| "true")}
                aria-describedby={draft.problem.map(|_| format!("{id}-note"))}
                {oninput} {onkeydown}
            />
            <span id={format!("{id}-unit")}>{ unit }</span>
        </label>
    }
}

fn on_choice(draft: &Draft, edit: &Edit, change: fn(&mut Draft, &str)) -> Callback<String> {
    let (draft, edit) = (draft.clone(), edit.clone());
    Callback::from(move |value: String| {
        let mut draft = Draft { problem: None, ..draft.clone() };
        change(&mut draft, &value);
        edit.set(draft);
    })
}
