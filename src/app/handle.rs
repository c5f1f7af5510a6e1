//! The lab as components see it: to read from, and to send messages to.

use crate::lab::bench::{Edit, edited, shown};
use crate::lab::{Lab, Msg};
use std::cell::{Ref, RefCell};
use std::rc::Rc;
use yew::Callback;

/// The lab at one revision. Two handles are equal when nothing has changed between
/// them, so a component that gets one is drawn anew only after a change.
#[derive(Clone)]
pub struct LabHandle {
    lab: Rc<RefCell<Lab>>,
    revision: u64,
    send: Callback<Msg>,
}

impl LabHandle {
    /// A handle; `revision` has to rise with every change of the lab.
    pub fn new(lab: Rc<RefCell<Lab>>, revision: u64, send: Callback<Msg>) -> LabHandle {
        LabHandle { lab, revision, send }
    }

    /// The lab, to read from while drawing.
    pub fn lab(&self) -> Ref<'_, Lab> {
        self.lab.borrow()
    }

    /// Tells the lab what somebody does.
    pub fn send(&self, msg: Msg) {
        self.send.emit(msg);
    }

    /// Edits the run one looks at, or answers why it cannot be, and nothing is changed.
    pub fn edit(&self, edit: Edit) -> Option<String> {
        let refused = edited(self.lab().open().run(), &edit).err();
        match refused {
            Some(error) => Some(shown::refused(&error)),
            None => {
                self.send(Msg::Edit(edit));
                None
            }
        }
    }

    /// What takes messages; it stays the same as long as the page lives.
    pub fn sender(&self) -> Callback<Msg> {
        self.send.clone()
    }

    /// Sends `msg` whenever an event comes.
    pub fn on<E>(&self, msg: Msg) -> Callback<E> {
        self.send.reform(move |_| msg.clone())
    }
}

impl PartialEq for LabHandle {
    fn eq(&self, other: &LabHandle) -> bool {
        self.revision == other.revision && Rc::ptr_eq(&self.lab, &other.lab)
    }
}
