//! The page: what is shown, and what the shown things do. A folder a region.
//!
//! [`App`] owns the [`Lab`] and lets time pass while a run plays; regions get a
//! [`LabHandle`] and send messages. Nothing here decides what happens in a run.

pub mod handle;

use crate::lab::{Lab, Msg, Playing};
use crate::sim::time::Span;
use gloo_timers::callback::Interval;
use handle::LabHandle;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

/// Between two frames of a run that plays, milliseconds.
const FRAME_MS: u32 = 33;

/// The whole page, to be mounted on an element of its own.
pub struct App {
    lab: Rc<RefCell<Lab>>,
    revision: u64,
    /// Only while a run plays: dropping it stops the ticks.
    ticks: Option<Interval>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(_ctx: &Context<App>) -> App {
        let lab = Lab::new().expect("a test reads every built-in scenario");
        App { lab: Rc::new(RefCell::new(lab)), revision: 0, ticks: None }
    }

    fn update(&mut self, ctx: &Context<App>, msg: Msg) -> bool {
        self.lab.borrow_mut().update(msg);
        self.revision += 1;
        let plays = self.lab.borrow().playing() != Playing::No;
        if plays && self.ticks.is_none() {
            let link = ctx.link().clone();
            let elapsed = Span::from_ms(i64::from(FRAME_MS));
            self.ticks = Some(Interval::new(FRAME_MS, move || {
                link.send_message(Msg::Tick { elapsed });
            }));
        } else if !plays {
            self.ticks = None;
        }
        true
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        let handle =
            LabHandle::new(self.lab.clone(), self.revision, ctx.link().callback(|msg| msg));
        let title = handle.lab().open().scenario().spec().title.clone();
        html! { <><h1>{ "Fencepost" }</h1><p>{ title }</p></> }
    }
}
