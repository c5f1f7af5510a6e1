//! The clicks of the run as flags over its diagram. Each is a button: a mouse or a finger
//! moves it along the axis, and so do the arrow keys; Delete takes the click away.

use crate::lab::diagram::Window;
use crate::lab::diagram::flags::{self, Flag, SIZE, edit, moved};
use crate::lab::{Open, bench::Edit};
use crate::sim::time::TrueTime;
use crate::text::amounts::fine_moment;
use crate::text::ui::ui;
use std::rc::Rc;
use yew::prelude::*;

/// From a button's left edge to the flag's pole.
const POLE: i64 = 5;

/// What somebody does with a flag.
#[derive(Clone, Debug, PartialEq)]
pub enum Flagged {
    /// Presses it.
    Press(usize),
    /// Holds it so far from its place, by its click.
    Hold(usize, i64),
    /// Lets go of it there.
    Drop(usize, i64),
    /// Lets it go back to its place.
    GiveUp,
    /// Changes the run by a key.
    Edit(Edit),
}

/// The flags of a run, worked out again only when they can be others.
pub struct Flags {
    /// It stays the same as long as the diagram lives.
    on: Callback<Flagged>,
    of: Option<Of>,
    laid: Rc<flags::Strip>,
    /// The flag that is held, and how far from its place.
    held: Option<(usize, i64)>,
}

/// What flags depend on: the run, how many clicks it has, and what is in view.
type Of = (u32, usize, (i64, i64, i64));

impl Flags {
    /// None yet.
    pub fn new(on: Callback<Flagged>) -> Flags {
        Flags { on, of: None, laid: Rc::default(), held: None }
    }

    /// Those of a run in a window.
    pub fn keep(&mut self, open: &Open, window: &Window) {
        let view = (window.left, window.width, window.us_per_px);
        let of = (open.number(), open.run().clicks.len(), view);
        if self.of != Some(of) {
            (self.of, self.laid) = (Some(of), Rc::new(flags::strip(open.run(), window)));
        }
    }

    /// One of them.
    pub fn of_click(&self, click: usize) -> Option<&Flag> {
        self.laid.flags.iter().find(|flag| flag.click == click)
    }

    /// Holds one so far from its place, or none. Whether that is new.
    pub fn hold(&mut self, held: Option<(usize, i64)>) -> bool {
        std::mem::replace(&mut self.held, held) != held
    }

    /// Where the one that is held would be put, and how it is to be changed for it.
    pub fn dropped(&self, window: &Window, click: usize, by: i64) -> Option<Edit> {
        let at = moved(self.of_click(click)?, by, window);
        Some(Edit::MoveClick { click, at })
    }

    /// The name of the strip, as high as the strip.
    pub fn name(&self) -> Html {
        let high = self.laid.height;
        if high == 0 {
            return html! {};
        }
        html! {
            <svg class="lanes lane-names" width={super::picture::NAMES.to_string()} height={high.to_string()} aria-hidden="true">
                <text class="strip-name" x="10" y="16">{ ui().timeline.clicks }</text>
            </svg>
        }
    }

    /// The strip.
    pub fn strip(&self, window: &Window) -> Html {
        if self.laid.height == 0 {
            return html! {};
        }
        let held = self.held.and_then(|(click, by)| {
            let at = moved(self.of_click(click)?, by, window);
            Some((click, at, window.x(at)))
        });
        html! {
            <Strip
                laid={self.laid.clone()} {held} width={window.whole()}
                on={self.on.clone()}
            />
        }
    }
}

#[derive(Clone, PartialEq, Properties)]
struct StripProps {
    laid: Rc<flags::Strip>,
    /// The click that is held, where it would be made, and where its flag stands.
    held: Option<(usize, TrueTime, i64)>,
    width: i64,
    on: Callback<Flagged>,
}

#[component]
fn Strip(props: &StripProps) -> Html {
    let flag = |flag: &Flag| {
        let held = props.held.filter(|(click, ..)| *click == flag.click);
        let (at, x) = held.map_or((flag.at, flag.x), |(_, at, x)| (at, x));
        let y = SIZE * flag.row as i64;
        html! {
            <g key={flag.click} class={classes!("click-flag", held.map(|_| "held"))}>
                <foreignObject
                    x={(x - POLE).to_string()} y={y.to_string()} width={SIZE.to_string()}
                    height={SIZE.to_string()}
                >
                    { button(flag, at, &props.on) }
                </foreignObject>
                if held.is_some() {
                    <text x={(x + SIZE).to_string()} y={(y + 16).to_string()}>
                        { fine_moment(at) }
                    </text>
                }
            </g>
        }
    };
    html! {
        <svg
            class="lanes strip" role="group" aria-label={ui().timeline.clicks_how}
            width={props.width.to_string()} height={props.laid.height.to_string()}
        >
            { for props.laid.flags.iter().map(flag) }
        </svg>
    }
}

fn button(flag: &Flag, at: TrueTime, on: &Callback<Flagged>) -> Html {
    let click = flag.click;
    let says = (ui().timeline.click)(&flag.says, &fine_moment(at));
    let onclick = on.reform(move |_: MouseEvent| Flagged::Press(click));
    let onkeydown = {
        let (on, flag) = (on.clone(), flag.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
                return;
            }
            let key = event.key();
            // The box that it stands in has keys of its own.
            event.stop_propagation();
            if key == "Escape" {
                return on.emit(Flagged::GiveUp);
            }
            if let Some(edit) = edit(&flag, &key, event.shift_key()) {
                event.prevent_default();
                on.emit(Flagged::Edit(edit));
            }
        })
    };
    let handle = click.to_string();
    html! {
        // Said, because what stands in an SVG would be taken for a part of the drawing.
        <button
            xmlns="http://www.w3.org/1999/xhtml" type="button" id={format!("flag-{click}")} data-handle={handle} title={says.clone()}
            aria-label={says} {onclick} {onkeydown}
        >
            <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
                <path d="M5 3v21M5 4h13l-4 4 4 4H5" />
            </svg>
        </button>
    }
}
