//! The space-time diagram in a box of its own that scrolls, with its zoom.
//!
//! The picture is one image to a screen reader, and the list of events its twin in
//! words: what can be pressed in it by a pointer (marks, bars, arrows) is there a
//! button each, in order and with its sentence. Dozens of stops for the tab key in an
//! order that only the picture explains would say less and cost more. The box takes
//! the focus and keys for moving and zooming.

mod picture;
mod shapes;

use crate::app::handle::LabHandle;
use crate::host::extent::{Extent, Size};
use crate::lab::Lab;
use crate::lab::diagram::lanes::Lanes;
use crate::lab::diagram::view::{Step, Zoom, axis_end, scroll_to};
use crate::lab::diagram::{History, Window};
use crate::sim::event::EventId;
use crate::sim::time::TrueTime;
use crate::text::ui::ui;
use picture::{Classes, Legend, Names};
use web_sys::Element;
use yew::html::Scope;
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct TimelineProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What is done to the view; what is done to the run goes to the lab.
pub enum ViewMsg {
    /// The box is so wide.
    Width(i32),
    /// The box was scrolled.
    Scrolled,
    /// Nearer or farther.
    Zoom(Step),
    /// All of it.
    Fit,
    /// To the present moment.
    ToNow,
    /// By so many pixels.
    Pan(i64),
    /// To this pixel.
    To(i64),
}

/// The diagram.
pub struct Timeline {
    history: History,
    classes: Classes,
    run: u32,
    now: TrueTime,
    selected: Option<EventId>,
    zoom: Zoom,
    width: i64,
    left: i64,
    /// The box is to be scrolled once this has been drawn.
    scroll: bool,
    scroll_box: NodeRef,
    watched: Option<Extent>,
}

impl Component for Timeline {
    type Message = ViewMsg;
    type Properties = TimelineProps;

    fn create(ctx: &Context<Timeline>) -> Timeline {
        let lab = ctx.props().lab.lab();
        let mut timeline = Timeline {
            classes: picture::classes(empty(&lab).lanes()),
            history: empty(&lab),
            run: lab.open().number(),
            now: lab.open().now(),
            selected: lab.selected(),
            zoom: Zoom::Fit,
            width: 900,
            left: 0,
            scroll: false,
            scroll_box: NodeRef::default(),
            watched: None,
        };
        timeline.history.take_in(lab.open().replay().trace());
        timeline
    }

    fn changed(&mut self, ctx: &Context<Timeline>, _old: &TimelineProps) -> bool {
        let lab = ctx.props().lab.lab();
        let trace = lab.open().replay().trace();
        let is_other = lab.open().number() != self.run || trace.len() < self.history.seen();
        if is_other {
            self.history = empty(&lab);
            self.classes = picture::classes(self.history.lanes());
            self.run = lab.open().number();
        }
        self.history.take_in(trace);
        self.follow(&lab, is_other);
        true
    }

    fn update(&mut self, ctx: &Context<Timeline>, msg: ViewMsg) -> bool {
        let lab = ctx.props().lab.lab();
        let before = (self.zoom, self.width, self.left);
        match msg {
            ViewMsg::Width(width) => {
                self.width = i64::from(width);
                self.go_to(self.left, &lab);
            }
            ViewMsg::Scrolled => self.left = self.scrolled(),
            ViewMsg::Zoom(step) => {
                let until = until(&lab);
                self.zoom_around(self.zoom.step(step, until, self.width), &lab);
            }
            ViewMsg::Fit => self.zoom_around(Zoom::Fit, &lab),
            ViewMsg::ToNow => {
                let x = self.window(&lab).x(lab.open().now());
                self.go_to(x - self.width / 2, &lab);
            }
            ViewMsg::Pan(by) => self.go_to(self.left + by, &lab),
            ViewMsg::To(left) => self.go_to(left, &lab),
        }
        before != (self.zoom, self.width, self.left)
    }

    fn view(&self, ctx: &Context<Timeline>) -> Html {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        let diagram = self.history.draw(&self.window(&lab));
        let lanes = self.history.lanes();
        let titles: Vec<AttrValue> =
            (0..lanes.count()).map(|lane| lanes.title(lane).to_owned().into()).collect();
        html! {
            <div class="diagram">
                <Tools link={ctx.link().clone()} />
                <div class="diagram-row">
                    <Names {titles} classes={self.classes.clone()} height={diagram.height} />
                    <div
                        class="diagram-box" id="diagram-box" tabindex="0" role="group"
                        aria-label={ui().timeline.scrolls}
                        ref={&self.scroll_box}
                        onscroll={ctx.link().callback(|_: Event| ViewMsg::Scrolled)}
                        onkeydown={keys(ctx, self.width)}
                    >
                        { picture::picture(&self.classes, diagram, handle) }
                    </div>
                </div>
                <Legend />
            </div>
        }
    }

    fn rendered(&mut self, ctx: &Context<Timeline>, first: bool) {
        let Some(element) = self.scroll_box.cast::<Element>() else { return };
        if first {
            let link = ctx.link().clone();
            let call = move |size: Size| link.send_message(ViewMsg::Width(size.width_px));
            self.watched = Extent::watch(&element, call);
        }
        if std::mem::take(&mut self.scroll) {
            element.set_scroll_left(self.left as i32);
        }
    }
}

fn empty(lab: &Lab) -> History {
    let scenario = lab.open().scenario();
    History::new(Lanes::new(scenario.names(), &scenario.spec().store.title))
}

fn until(lab: &Lab) -> TrueTime {
    let waits_ms = lab.open().scenario().spec().waits_at_ms;
    axis_end(lab.open().seen_until(), waits_ms.map(|ms| TrueTime(ms * 1_000)))
}

impl Timeline {
    fn window(&self, lab: &Lab) -> Window {
        let open = lab.open();
        let until = until(lab);
        let selected = lab.selected().map(|id| {
            let event = &open.replay().trace()[id.index()];
            (id, event.at, self.history.lanes().of(event.node))
        });
        Window {
            left: self.left,
            width: self.width,
            us_per_px: self.zoom.us_per_px(until, self.width),
            until,
            now: open.now(),
            first_ahead: EventId(open.past().len() as u32),
            seen_until: open.seen_until(),
            routine: lab.routine(),
            selected,
        }
    }

    fn scrolled(&self) -> i64 {
        let element = self.scroll_box.cast::<Element>();
        element.map_or(self.left, |element| i64::from(element.scroll_left()))
    }

    fn go_to(&mut self, left: i64, lab: &Lab) {
        let whole = self.window(lab).whole();
        let left = left.min(whole - self.width).max(0);
        // To scroll makes the browser lay the page out at once.
        self.scroll |= left != self.left;
        self.left = left;
    }

    /// Keeps the present moment in view while it moves, unless the reader has moved
    /// away from it; goes to what was selected.
    fn follow(&mut self, lab: &Lab, is_other_run: bool) {
        let window = self.window(lab);
        let x_before = window.x(self.now);
        let was_in_view = (window.left..=window.right()).contains(&x_before);
        let stands = lab.playing() == crate::lab::Playing::No;
        let moved = lab.open().now() != self.now;
        let selection = window.selected.filter(|(id, ..)| self.selected != Some(*id));
        (self.now, self.selected) = (lab.open().now(), lab.selected());
        let target = match selection {
            Some((_, at, _)) => Some(window.x(at)),
            None if moved && (was_in_view || stands) || is_other_run => Some(window.x(self.now)),
            None => None,
        };
        if let Some(left) = target.and_then(|x| scroll_to(x, window.left, window.width)) {
            self.go_to(left, lab);
        } else if window.left > (window.whole() - window.width).max(0) {
            self.go_to(window.left, lab);
        }
    }

    /// Zooms; the present moment stays where it is if it is in view, or else the
    /// middle does.
    fn zoom_around(&mut self, zoom: Zoom, lab: &Lab) {
        let before = self.window(lab);
        let now = before.x(before.now);
        let in_view = (before.left..=before.right()).contains(&now);
        let offset = if in_view { now - before.left } else { self.width / 2 };
        let at = TrueTime((before.left + offset - before.x(TrueTime(0))) * before.us_per_px);
        self.zoom = zoom;
        let x = self.window(lab).x(at);
        self.go_to(x - offset, lab);
    }
}

/// What the buttons tell. It stays the same as long as the diagram lives.
#[derive(Clone, Properties)]
struct ToolsProps {
    link: Scope<Timeline>,
}

impl PartialEq for ToolsProps {
    fn eq(&self, _other: &ToolsProps) -> bool {
        true
    }
}

#[component]
fn Tools(props: &ToolsProps) -> Html {
    let text = &ui().timeline;
    let link = &props.link;
    let icon = |id: &'static str, label: &'static str, msg: fn() -> ViewMsg, path: &'static str| {
        html! {
            <button
                type="button" id={id} class="icon" aria-label={label} title={label}
                onclick={link.callback(move |_: MouseEvent| msg())}
            >
                <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                    <path d={path} />
                </svg>
            </button>
        }
    };
    let words = |id: &'static str, label: &'static str, msg: fn() -> ViewMsg| {
        html! {
            <button type="button" id={id} onclick={link.callback(move |_: MouseEvent| msg())}>
                { label }
            </button>
        }
    };
    html! {
        <div class="diagram-tools" role="group" aria-label={text.tools}>
            { icon("zoom-out", text.zoom_out, || ViewMsg::Zoom(Step::Out), "M3 8h10") }
            { icon("zoom-in", text.zoom_in, || ViewMsg::Zoom(Step::In), "M3 8h10M8 3v10") }
            { words("zoom-fit", text.fit, || ViewMsg::Fit) }
            { words("to-now", text.to_now, || ViewMsg::ToNow) }
        </div>
    }
}

fn keys(ctx: &Context<Timeline>, width: i64) -> Callback<KeyboardEvent> {
    let link = ctx.link().clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let msg = match event.key().as_str() {
            "ArrowLeft" => ViewMsg::Pan(-width / 8),
            "ArrowRight" => ViewMsg::Pan(width / 8),
            "PageUp" => ViewMsg::Pan(-width),
            "PageDown" => ViewMsg::Pan(width),
            "Home" => ViewMsg::To(0),
            "End" => ViewMsg::To(i64::MAX / 2),
            "+" | "=" => ViewMsg::Zoom(Step::In),
            "-" => ViewMsg::Zoom(Step::Out),
            _ => return,
        };
        event.prevent_default();
        link.send_message(msg);
    })
}
