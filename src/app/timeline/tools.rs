//! The buttons over the diagram, and the keys in it: each does what a gesture does.

use super::{Timeline, ViewMsg};
use crate::lab::diagram::camera::Move;
use crate::lab::diagram::view::Step;
use crate::text::ui::ui;
use yew::html::Scope;
use yew::prelude::*;

/// What the buttons tell, and whether there is something to go to.
#[derive(Clone, Properties)]
pub struct ToolsProps {
    /// It stays the same as long as the diagram lives.
    pub link: Scope<Timeline>,
    /// Whether an event is selected.
    pub has_selection: bool,
}

impl PartialEq for ToolsProps {
    fn eq(&self, other: &ToolsProps) -> bool {
        self.has_selection == other.has_selection
    }
}

/// The buttons.
#[component]
pub fn Tools(props: &ToolsProps) -> Html {
    let text = &ui().timeline;
    let on = |msg: ViewMsg| props.link.callback(move |_: MouseEvent| msg.clone());
    let icon = |id: &'static str, label: &'static str, msg: ViewMsg, path: &'static str| {
        html! {
            <button type="button" id={id} class="icon" aria-label={label} title={label} onclick={on(msg)}>
                <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                    <path d={path} />
                </svg>
            </button>
        }
    };
    let step = |step: Step| ViewMsg::Move(Move::Step(step));
    let surroundings =
        if props.has_selection { on(ViewMsg::Surroundings) } else { Callback::noop() };
    html! {
        <div class="diagram-tools" role="group" aria-label={text.tools}>
            { icon("zoom-out", text.zoom_out, step(Step::Out), "M3 8h10") }
            { icon("zoom-in", text.zoom_in, step(Step::In), "M3 8h10M8 3v10") }
            <button type="button" id="zoom-fit" onclick={on(ViewMsg::Move(Move::Fit))}>
                { text.fit }
            </button>
            <button type="button" id="to-now" onclick={on(ViewMsg::ToNow)}>{ text.to_now }</button>
            <button
                type="button" id="surroundings" title={text.surroundings_of}
                aria-disabled={(!props.has_selection).then_some("true")} onclick={surroundings}
            >
                { text.surroundings }
            </button>
            <span class="hint">{ text.gestures }</span>
        </div>
    }
}

/// What keys do in the diagram.
pub fn keys(ctx: &Context<Timeline>, width: i64) -> Callback<KeyboardEvent> {
    let link = ctx.link().clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let movement = match event.key().as_str() {
            "ArrowLeft" => Move::Pan(-width / 8),
            "ArrowRight" => Move::Pan(width / 8),
            "PageUp" => Move::Pan(-width),
            "PageDown" => Move::Pan(width),
            "Home" => Move::To(0),
            "End" => Move::To(i64::MAX / 2),
            "+" | "=" => Move::Step(Step::In),
            "-" => Move::Step(Step::Out),
            "0" => Move::Fit,
            "Enter" => {
                event.prevent_default();
                return link.send_message(ViewMsg::Surroundings);
            }
            _ => return,
        };
        event.prevent_default();
        link.send_message(ViewMsg::Move(movement));
    })
}
