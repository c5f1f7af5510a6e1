//! The page: what is shown, and what the shown things do. A folder a region.
//!
//! ```text
//!   App ── owns ──► Lab ◄── messages ── regions (stage, transport, timeline, ...)
//!    └── LabHandle, at each change ──────►┘
//! ```
//!
//! [`App`] lets time pass while a run plays; regions get a [`LabHandle`] and send
//! messages. Nothing here decides what happens in a run.
//!
//! While it plays, what moves (clock, scrubber, diagram) is drawn in one frame and all
//! else in the next, so that no frame has to draw everything. Components get what they
//! show as properties, and are drawn anew only when that has changed.

pub mod events;
mod guide;
pub mod handle;
pub mod identity;
mod keys;
mod layout;
pub mod lesson;
mod stage;
mod status;
pub mod timeline;
mod transport;
mod verdict;
pub mod why;

use crate::host::focus::Keeper;
use crate::host::frames::{Beat, Frames};
use crate::lab::{Lab, Msg, Playing};
use crate::sim::time::Span;
use handle::LabHandle;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// What lets time pass while a run plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ticks {
    /// The browser's frames.
    #[default]
    EachFrame,
    /// Nothing but [`Msg::Tick`]: for tests.
    ByHand,
}

/// What the page can be told when it is mounted.
#[derive(Clone, Debug, Default, PartialEq, Properties)]
pub struct AppProps {
    /// What lets time pass.
    #[prop_or_default]
    pub ticks: Ticks,
    /// Called when the page is first drawn and after each change.
    #[prop_or_default]
    pub on_change: Callback<LabHandle>,
}

/// What the page is told.
pub enum AppMsg {
    /// What somebody does, or that time has passed.
    Lab(Msg),
    /// There is time to show what has not been shown of it.
    ShowAll,
}

/// The whole page, to be mounted on an element of its own.
pub struct App {
    lab: Rc<RefCell<Lab>>,
    revision: u64,
    /// What the regions show that do not move with every step in time.
    shown: u64,
    send: Callback<Msg>,
    /// Only while a run plays: dropping it stops the ticks.
    frames: Option<Frames>,
    regions: NodeRef,
    /// Since the page is there: no control that goes away takes the focus with it.
    keeper: Option<Keeper>,
}

impl App {
    fn handle(&self) -> LabHandle {
        LabHandle::new(self.lab.clone(), self.revision, self.send.clone())
    }

    fn handle_at_rest(&self) -> LabHandle {
        LabHandle::new(self.lab.clone(), self.shown, self.send.clone())
    }

    /// The browser's frames while a run plays, and none while it stands.
    fn let_time_pass(&mut self, ctx: &Context<App>) {
        if self.lab.borrow().playing() == Playing::No {
            self.frames = None;
        } else if self.frames.is_none() && ctx.props().ticks == Ticks::EachFrame {
            let tell = ctx.link().callback(|msg: AppMsg| msg);
            self.frames = Some(Frames::new(move |beat| {
                tell.emit(match beat {
                    Beat::Between => AppMsg::ShowAll,
                    Beat::Passed(ms) => {
                        AppMsg::Lab(Msg::Tick { elapsed: Span::from_ms(i64::from(ms)) })
                    }
                });
            }));
        }
    }
}

impl Component for App {
    type Message = AppMsg;
    type Properties = AppProps;

    fn create(ctx: &Context<App>) -> App {
        let lab = Lab::new().expect("a test reads every built-in scenario");
        let send = ctx.link().callback(AppMsg::Lab);
        App {
            lab: Rc::new(RefCell::new(lab)),
            revision: 0,
            shown: 0,
            send,
            frames: None,
            regions: NodeRef::default(),
            keeper: None,
        }
    }

    fn update(&mut self, ctx: &Context<App>, msg: AppMsg) -> bool {
        let AppMsg::Lab(msg) = msg else {
            let is_behind = self.shown != self.revision;
            self.shown = self.revision;
            return is_behind;
        };
        let is_tick = matches!(msg, Msg::Tick { .. });
        self.lab.borrow_mut().update(msg);
        self.revision += 1;
        self.let_time_pass(ctx);
        // With no frames to come there is none between them.
        if !is_tick || self.frames.is_none() {
            self.shown = self.revision;
        }
        true
    }

    fn view(&self, _ctx: &Context<App>) -> Html {
        layout::page(&self.handle(), &self.handle_at_rest(), &self.regions)
    }

    fn rendered(&mut self, ctx: &Context<App>, first: bool) {
        if first {
            let regions = self.regions.cast::<web_sys::Element>();
            self.keeper = regions.and_then(|regions| Keeper::watch(&regions));
        }
        ctx.props().on_change.emit(self.handle());
    }
}
