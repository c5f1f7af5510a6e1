//! The page in a frame: the host is told how high it is, and what was answered.

use crate::host::extent::Extent;
use crate::host::parent::{self, Ear};
use crate::share::host_page::{Sizing, ready};
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;

/// What is agreed with the host, as long as this lives.
pub struct Embedded {
    _extent: Option<Extent>,
    _ear: Option<Ear>,
}

impl Embedded {
    /// Begins to tell the host how high an element is.
    pub fn watch(element: &Element) -> Embedded {
        let sizing = Rc::new(RefCell::new(Sizing::default()));
        let heard = sizing.clone();
        // Before anything is said: the host may answer at once.
        let ear = Ear::listen(move |context, action| {
            parent::send(&heard.borrow_mut().heard(&context, &action));
        });
        parent::send(&ready());
        let extent = Extent::watch(element, move |size| {
            parent::send(&sizing.borrow_mut().measured(i64::from(size.height_px)));
        });
        Embedded { _extent: extent, _ear: ear }
    }
}
