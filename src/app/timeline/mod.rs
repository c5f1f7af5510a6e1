//! The space-time diagram in a box of its own that scrolls, with its zoom.
//!
//! The picture is one image to a screen reader, and the list of events its twin in
//! words: what can be pressed in it by a pointer (marks, bars, arrows) is there a
//! button each, in order and with its sentence. Dozens of stops for the tab key in an
//! order that only the picture explains would say less and cost more. The box takes
//! the focus and keys for moving and zooming.

mod drawn;
mod flags;
mod picture;
mod pieces;
mod shapes;
mod tools;

use crate::app::bench;
use crate::app::handle::LabHandle;
use crate::host::extent::{Extent, Size};
use crate::host::focus;
use crate::host::pointers::{Heard, Listener, Taken};
use crate::lab::bench::Edit;
use crate::lab::compare::Which;
use crate::lab::diagram::camera::{Camera, Move};
use crate::lab::diagram::flags::pressed;
use crate::lab::diagram::pointers::{Deed, Hand, Pointers};
use crate::lab::diagram::view::axis_end;
use crate::lab::diagram::{Window, near};
use crate::lab::{Lab, Open};
use crate::sim::event::EventId;
use crate::sim::time::TrueTime;
use crate::text::ui::ui;
use drawn::Drawn;
use flags::{Flagged, Flags};
use picture::{Legend, Presses};
use std::cell::RefCell;
use std::rc::Rc;
use tools::Tools;
use web_sys::Element;
use yew::prelude::*;

/// The id of what holds the diagram and moves it by keys.
pub const BOX: &str = "diagram-box";

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct TimelineProps {
    /// The lab.
    pub lab: LabHandle,
}

/// What is done to the view; what is done to the run goes to the lab.
#[derive(Clone)]
pub enum ViewMsg {
    /// It is moved or zoomed.
    Move(Move),
    /// The box was scrolled by the browser.
    Scrolled,
    /// To the present moment.
    ToNow,
    /// To what lies around the event selected.
    Surroundings,
    /// Something is done with the flag of a click.
    Flag(Flagged),
}

/// The diagram.
pub struct Timeline {
    drawn: Drawn,
    /// The run beside it, if there is one.
    beside: Option<Drawn>,
    now: TrueTime,
    selected: Option<EventId>,
    camera: Camera,
    /// The box is to be scrolled once this has been drawn.
    scroll: bool,
    scroll_box: NodeRef,
    pointers: Rc<RefCell<Pointers>>,
    flags: Flags,
    /// The next run is this one with a click moved here: the view stays.
    stays: bool,
    /// Why a click could not be moved.
    refused: Option<String>,
    watched: Option<(Option<Extent>, Listener)>,
}

impl Component for Timeline {
    type Message = ViewMsg;
    type Properties = TimelineProps;

    fn create(ctx: &Context<Timeline>) -> Timeline {
        let lab = ctx.props().lab.lab();
        let mut timeline = Timeline {
            drawn: Drawn::of(lab.open()),
            beside: lab.beside().map(Drawn::of),
            now: lab.open().now(),
            selected: lab.selected(),
            camera: Camera::new(900),
            scroll: false,
            scroll_box: NodeRef::default(),
            pointers: Rc::default(),
            flags: Flags::new(ctx.link().callback(ViewMsg::Flag)),
            stays: false,
            refused: None,
            watched: None,
        };
        timeline.keep_flags(&lab);
        timeline
    }

    fn changed(&mut self, ctx: &Context<Timeline>, _old: &TimelineProps) -> bool {
        let lab = ctx.props().lab.lab();
        let is_other = !self.drawn.is_of(lab.open());
        self.drawn.keep(lab.open());
        self.beside = lab.beside().map(|open| match self.beside.take() {
            Some(mut drawn) => {
                drawn.keep(open);
                drawn
            }
            None => Drawn::of(open),
        });
        self.follow(&lab, is_other);
        self.keep_flags(&lab);
        true
    }

    fn update(&mut self, ctx: &Context<Timeline>, msg: ViewMsg) -> bool {
        let lab = ctx.props().lab.lab();
        let before = self.camera;
        match msg {
            ViewMsg::Move(movement) => self.go(movement, &lab),
            ViewMsg::Scrolled => {
                self.camera.take(Move::Scrolled(self.scrolled()), until(&lab), None);
            }
            ViewMsg::ToNow => {
                let x = self.window(&lab).x(lab.open().now());
                self.go(Move::To(x - self.camera.width / 2), &lab);
            }
            ViewMsg::Surroundings => self.show_surroundings(&lab),
            ViewMsg::Flag(flagged) => {
                drop(lab);
                return self.flagged(&ctx.props().lab, flagged);
            }
        }
        self.keep_flags(&lab);
        before != self.camera
    }

    fn view(&self, ctx: &Context<Timeline>) -> Html {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        let window = self.window(&lab);
        let presses = Presses::Select(handle, &self.pointers);
        html! {
            <div class="diagram" onkeydown={bench::on_keys(handle)}>
                <Tools link={ctx.link().clone()} has_selection={lab.selected().is_some()} />
                if let Some(refused) = &self.refused {
                    <p class="note diagram-note" role="alert">{ refused }</p>
                }
                <div class="diagram-row">
                    <div class="diagram-names">
                        { caption(&lab, Which::Here) }
                        { self.flags.name() }
                        { self.drawn.names() }
                        if let Some(beside) = &self.beside {
                            { caption(&lab, Which::Beside) }
                            { beside.names() }
                        }
                    </div>
                    <div
                        class="diagram-box" id={BOX} tabindex="0" role="group"
                        aria-label={ui().timeline.scrolls}
                        ref={&self.scroll_box}
                        onscroll={ctx.link().callback(|_: Event| ViewMsg::Scrolled)}
                        onkeydown={tools::keys(ctx, self.camera.width)}
                    >
                        if self.beside.is_some() {
                            <p class="diagram-caption" aria-hidden="true"></p>
                        }
                        { self.flags.strip(&window) }
                        { self.drawn.picture(&lab, (Which::Here, lab.open()), &window, presses) }
                        { self.picture_beside(&lab, window) }
                    </div>
                </div>
                <Legend compares={self.beside.is_some()} />
            </div>
        }
    }

    fn rendered(&mut self, ctx: &Context<Timeline>, first: bool) {
        let Some(element) = self.scroll_box.cast::<Element>() else { return };
        if first {
            let link = ctx.link().clone();
            let call = move |size: Size| {
                link.send_message(ViewMsg::Move(Move::Width(i64::from(size.width_px))));
            };
            let extent = Extent::watch(&element, call);
            self.watched = Some((extent, listen(ctx, &element, self.pointers.clone())));
        }
        if std::mem::take(&mut self.scroll) {
            element.set_scroll_left(self.camera.left as i32);
        }
    }
}

/// Which run a picture is of, where there are two: as high as in the box beside it.
fn caption(lab: &Lab, which: Which) -> Html {
    let open = match which {
        Which::Here => Some(lab.open()).filter(|_| lab.beside().is_some()),
        Which::Beside => lab.beside(),
    };
    let Some(open) = open else { return html! {} };
    html! { <p class="diagram-caption">{ (ui().timeline.caption)(open.number()) }</p> }
}

/// Hands on what a mouse, fingers and a wheel do in the box.
fn listen(ctx: &Context<Timeline>, element: &Element, pointers: Rc<RefCell<Pointers>>) -> Listener {
    let link = ctx.link().clone();
    Listener::on(element, move |heard| {
        let mut pointers = pointers.borrow_mut();
        let deed = match heard {
            Heard::MouseDown(id, place, handle) => pointers.down(id, Hand::Mouse, place, handle),
            Heard::FingerDown(id, place, handle) => pointers.down(id, Hand::Finger, place, handle),
            Heard::Moved(id, place) => pointers.moved(id, place),
            Heard::Zoomed(turn, at) => Some(Deed::View(Move::Wheel { turn, at })),
            Heard::Up(id) => pointers.up(id),
            Heard::Cancelled(id) => pointers.cancel(id),
            Heard::FingersMove => None,
        };
        let is_taken = match heard {
            Heard::Moved(..) => {
                matches!(deed, Some(Deed::View(Move::Drag(_)) | Deed::Hold { .. }))
            }
            Heard::Zoomed(..) => true,
            Heard::FingersMove => pointers.is_busy(),
            Heard::MouseDown(..) | Heard::FingerDown(..) | Heard::Up(_) | Heard::Cancelled(_) => {
                false
            }
        };
        match deed {
            Some(Deed::View(movement)) => link.send_message(ViewMsg::Move(movement)),
            Some(Deed::Hold { handle, by }) => {
                link.send_message(ViewMsg::Flag(Flagged::Hold(handle, by)));
            }
            Some(Deed::Drop { handle, by }) => {
                link.send_message(ViewMsg::Flag(Flagged::Drop(handle, by)));
            }
            Some(Deed::LetGo) => link.send_message(ViewMsg::Flag(Flagged::GiveUp)),
            None => {}
        }
        if is_taken { Taken::Yes } else { Taken::No }
    })
}

/// Where the axis ends: no click lies beyond. Of two runs, that of the longer one.
fn until(lab: &Lab) -> TrueTime {
    let end = |open: &Open| {
        let clicks = open.run().clicks.iter().map(|click| TrueTime(click.at_us));
        let shown = clicks.chain(open.waits_at()).max();
        axis_end(open.seen_until(), shown)
    };
    end(lab.open()).max(lab.beside().map_or(TrueTime(0), end))
}

impl Timeline {
    fn window(&self, lab: &Lab) -> Window {
        let open = lab.open();
        let until = until(lab);
        let selected = lab.selected().map(|id| {
            let event = &open.replay().trace()[id.index()];
            (id, event.at, self.drawn.history().lanes().of(event.node))
        });
        Window {
            left: self.camera.left,
            width: self.camera.width,
            us_per_px: self.camera.us_per_px(until),
            until,
            now: open.now(),
            first_ahead: EventId(open.past().len() as u32),
            seen_until: open.seen_until(),
            routine: lab.routine(),
            selected,
        }
    }

    fn keep_flags(&mut self, lab: &Lab) {
        let window = self.window(lab);
        self.flags.keep(lab.open(), &window);
    }

    /// What is done with a flag; whether that is to be drawn.
    fn flagged(&mut self, handle: &LabHandle, flagged: Flagged) -> bool {
        let edit = match flagged {
            Flagged::Hold(click, by) => return self.flags.hold(Some((click, by))),
            Flagged::GiveUp => {
                self.pointers.borrow_mut().let_go();
                return self.flags.hold(None);
            }
            Flagged::Press(click) => {
                let ends_drag = self.pointers.borrow_mut().ends_drag();
                let flag = self.flags.of_click(click).filter(|_| !ends_drag);
                let msg = flag.map(|flag| pressed(handle.lab().open(), flag));
                msg.into_iter().for_each(|msg| handle.send(msg));
                return false;
            }
            Flagged::Drop(click, by) => {
                self.flags.hold(None);
                let window = self.window(&handle.lab());
                self.flags.dropped(&window, click, by)
            }
            Flagged::Edit(edit) => {
                if let Edit::MoveClick { at, .. } = edit {
                    let lab = handle.lab();
                    self.go(Move::Show(at), &lab);
                }
                if let Edit::DeleteClick { click } = edit {
                    // The last flag gives the focus to the one before; else the next one
                    // takes its place.
                    let count = handle.lab().open().run().clicks.len();
                    if click > 0 && click + 1 == count {
                        focus::on(&format!("flag-{}", click - 1));
                    }
                }
                Some(edit)
            }
        };
        self.refused = edit.and_then(|edit| handle.edit(edit));
        self.stays = self.refused.is_none();
        true
    }

    /// The run beside it, under the same window, but for where that run stands.
    fn picture_beside(&self, lab: &Lab, first: Window) -> Html {
        let Some((drawn, open)) = self.beside.as_ref().zip(lab.beside()) else { return html! {} };
        let window = Window {
            now: open.now(),
            first_ahead: EventId(open.past().len() as u32),
            seen_until: open.seen_until(),
            selected: None,
            ..first
        };
        html! {
            <>
                <p class="diagram-caption" aria-hidden="true"></p>
                { drawn.picture(lab, (Which::Beside, open), &window, Presses::Nothing) }
            </>
        }
    }

    fn scrolled(&self) -> i64 {
        let element = self.scroll_box.cast::<Element>();
        element.map_or(self.camera.left, |element| i64::from(element.scroll_left()))
    }

    /// Moves the view. A zoom keeps the event selected where it is, if that is in view,
    /// or else the present moment.
    fn go(&mut self, movement: Move, lab: &Lab) {
        let before = self.camera;
        let (now, until) = (lab.open().now(), until(lab));
        let selected = self.window(lab).selected.map(|(_, at, _)| at);
        let fixed = selected.filter(|at| self.camera.sees(*at, until)).or(Some(now));
        self.camera.take(movement, until, fixed);
        // To scroll makes the browser lay the page out at once.
        self.scroll |= (before.left, before.zoom) != (self.camera.left, self.camera.zoom);
    }

    /// So near that what lies around the event selected can be told apart.
    fn show_surroundings(&mut self, lab: &Lab) {
        let Some((id, at, _)) = self.window(lab).selected else { return };
        let around = near::around(lab.open().replay().trace(), id, lab.routine());
        self.go(Move::Frame(at, around), lab);
    }

    /// Keeps the present moment in view while it moves, unless the reader has moved
    /// away from it; goes to what was selected, and nearer to it where it is one among
    /// many in its place.
    fn follow(&mut self, lab: &Lab, is_other_run: bool) {
        let stays = std::mem::take(&mut self.stays);
        let window = self.window(lab);
        let was_in_view = self.camera.sees(self.now, window.until);
        let stands = lab.playing() == crate::lab::Playing::No;
        let moved = lab.open().now() != self.now;
        let selection = window.selected.filter(|(id, ..)| self.selected != Some(*id));
        (self.now, self.selected) = (lab.open().now(), lab.selected());
        match selection {
            Some(_) if self.drawn.history().is_crowded(&window) => self.show_surroundings(lab),
            Some((_, at, _)) => self.go(Move::Show(at), lab),
            None if (moved && (was_in_view || stands) || is_other_run) && !stays => {
                self.go(Move::Show(self.now), lab);
            }
            // The run may be another, and shorter.
            None => self.go(Move::Pan(0), lab),
        }
    }
}
