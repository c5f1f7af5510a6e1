//! Free work: every setting of the run, its workers and its clicks, as forms. Closed, it
//! is a heading; all of it is reached from [`Bench`].
//!
//! A form hands over an [`Edit`] when what was typed is left or a choice is made. What
//! cannot be is said beside the field, and nothing is changed.

mod add;
mod clicks;
mod field;
mod steps;
mod workers;

use crate::app::handle::LabHandle;
use crate::app::list::{List, option};
use crate::host::rest::LATER;
use crate::lab::bench::shown::{self, ShownGroup};
use crate::lab::bench::{Edit, scenarios};
use crate::lab::{Lab, Msg};
use crate::text::ui::ui;
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// Makes an edit, or answers why it cannot be.
pub type Commit = Callback<Edit, Option<String>>;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct BenchProps {
    /// The lab.
    pub lab: LabHandle,
}

/// The bench, with the button that opens it.
#[component]
pub fn Bench(props: &BenchProps) -> Html {
    let text = &ui().bench;
    let opened = use_state(|| false);
    let onclick = {
        let opened = opened.clone();
        Callback::from(move |_: MouseEvent| opened.set(!*opened))
    };
    // The handle's lab and sender stay the same as long as the page lives.
    let commit = use_callback((), {
        let handle = props.lab.clone();
        move |edit: Edit, ()| handle.edit(edit)
    });
    let is_open = if *opened { "true" } else { "false" };
    html! {
        <div class="bench" onkeydown={on_keys(&props.lab)}>
            <h2>
                <button type="button" id="bench-open" class="quiet" data-later={LATER} aria-expanded={is_open} {onclick}>
                    { text.title }
                </button>
            </h2>
            if *opened { { body(&props.lab, &commit) } }
        </div>
    }
}

/// Undo and redo, wherever no text has the focus: there the browser's own are at home.
pub fn on_keys(lab: &LabHandle) -> Callback<KeyboardEvent> {
    let lab = lab.clone();
    Callback::from(move |event: KeyboardEvent| {
        let is_text = event
            .target_dyn_into::<Element>()
            .is_some_and(|on| on.matches("input:not([type=checkbox])").unwrap_or_default());
        let is_ours = (event.ctrl_key() || event.meta_key()) && !event.alt_key() && !is_text;
        if is_ours && event.key().eq_ignore_ascii_case("z") {
            event.prevent_default();
            lab.send(if event.shift_key() { Msg::Redo } else { Msg::Undo });
        }
    })
}

#[inline(never)]
fn body(handle: &LabHandle, commit: &Commit) -> Html {
    let text = &ui().bench;
    let lab = handle.lab();
    let shown = shown::bench(lab.open());
    let send = handle.sender();
    html! {
        <div class="bench-body">
            <p>{ text.about }</p>
            <div class="acts">
                { act("bench-undo", text.undo, Msg::Undo, shown.can_undo, &send) }
                { act("bench-redo", text.redo, Msg::Redo, shown.can_redo, &send) }
                { act("bench-copy", text.copy, Msg::Copy, true, &send) }
            </div>
            <Choosers
                scenario={shown.scenario} goal={shown.goal} variants={shown.variants}
                variant={shown.variant} commit={commit.clone()}
            />
            <div class="acts">
                <span>{ (text.changed)(shown.changed) }</span>
                if shown.changed > 0 {
                    { act("bench-reset", text.reset_all, Msg::Edit(Edit::ResetAll), true, &send) }
                }
            </div>
            <clicks::Clicks
                rows={Rc::new(shown.clicks)} has_own={shown.has_own_clicks}
                lost={Rc::new(shown.lost_clicks)} lab={handle.clone()} commit={commit.clone()}
            />
            { for shown.groups.into_iter().map(|group| self::group(group, None, commit)) }
            <workers::Workers
                workers={Rc::new(shown.workers)} has_room={shown.has_room} commit={commit.clone()}
            />
        </div>
    }
}

/// A button that says it when there is nothing to do.
fn act(id: &'static str, label: &str, msg: Msg, can: bool, send: &Callback<Msg>) -> Html {
    let onclick = send.reform(move |_: MouseEvent| msg.clone());
    html! {
        <button
            type="button" {id} aria-disabled={(!can).then_some("true")} {onclick}
        >
            { label.to_owned() }
        </button>
    }
}

/// A group of fields under a heading that opens it, with how many differ.
fn group(group: ShownGroup, worker: Option<AttrValue>, commit: &Commit) -> Html {
    let text = &ui().bench;
    let changed = group.fields.iter().filter(|shown| shown.was.is_some()).count();
    html! {
        <details key={group.id}>
            <summary>
                { (text.group)(group.id) }
                if changed > 0 { { " " }<span class="tag">{ (text.changed_short)(changed) }</span> }
            </summary>
            <div class="bench-fields">
                { for group.fields.iter().map(|shown| html! {
                    <field::FieldRow
                        key={shown.path.clone()} shown={shown.clone()} worker={worker.clone()}
                        commit={commit.clone()}
                    />
                }) }
            </div>
        </details>
    }
}

/// Which scenario and which variant it is.
#[derive(Clone, PartialEq, Properties)]
struct ChoosersProps {
    scenario: String,
    goal: String,
    variants: Vec<(String, String)>,
    variant: Option<String>,
    commit: Commit,
}

#[component]
fn Choosers(props: &ChoosersProps) -> Html {
    let text = &ui().bench;
    let all = use_memo((), |()| scenarios());
    let ChoosersProps { scenario, goal, variants, variant, commit } = props;
    let options = all.iter().map(|(id, title)| option(*id, title.clone()));
    let on_variant =
        commit.reform(|id: String| Edit::Variant(Some(id).filter(|id| !id.is_empty())));
    let on_scenario = commit.reform(|id: String| Edit::Scenario { id });
    let on =
        |on: Callback<String, Option<String>>| Callback::from(move |id: String| drop(on.emit(id)));
    html! {
        <div class="bench-choosers">
            <label class="field">
                <span>{ text.scenario }</span>
                <List chosen={scenario.clone()} on={on(on_scenario)}>{ for options }</List>
            </label>
            <p class="note">{ goal }</p>
            if !variants.is_empty() {
                <label class="field">
                    <span>{ text.variant }</span>
                    <List chosen={variant.clone().unwrap_or_default()} on={on(on_variant)}>
                        { option("", text.no_variant) }
                        { for variants.iter().map(|(id, title)| {
                            option(id.clone(), title.clone())
                        }) }
                    </List>
                </label>
            }
        </div>
    }
}

/// What was typed.
fn typed(event: &Event) -> String {
    let input = event.target_dyn_into::<HtmlInputElement>();
    input.map(|input| input.value()).unwrap_or_default()
}

/// The moment one looks at.
fn now(lab: &LabHandle) -> crate::sim::time::TrueTime {
    let lab: &Lab = &lab.lab();
    lab.open().now()
}
