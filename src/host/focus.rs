//! Where the focus is, and that it is never lost: a control that goes away while it
//! has the focus hands it on, and so does the marked one when the mark moves on.
//!
//! ```text
//!   focusin, keydown, pointerdown, click ──► who has the focus, and by what hand
//!   elements removed, classes changed    ──► has it gone? then to what is near
//! ```

use js_sys::Array;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{
    Document, Element, Event, FocusOptions, HtmlElement, KeyboardEvent, MutationObserver,
    MutationObserverInit, MutationRecord, Node,
};

/// What is marked as the one thing to do next.
pub const MARKED: &str = "button.primary";
/// The class that marks it.
const MARK: &str = "primary";
/// What takes the focus by the Tab key.
const CONTROLS: &str = "button, select, input, [tabindex='0']";
/// What takes the focus when the last control in it has gone.
const REFUGE: &str = "[tabindex='-1']";
/// The focus does not leave a region for what is merely near.
const REGION: &str = "section, main";

/// Gives the focus to the element with this id, if there is one.
pub fn on(id: &str) {
    let element = document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        give(&element, Hand::Keys);
    }
}

fn document() -> Option<Document> {
    web_sys::window().and_then(|window| window.document())
}

/// What the reader acts by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hand {
    /// Keys: what gets the focus has to be in sight.
    #[default]
    Keys,
    /// A pointer: the page stays where it is.
    Pointer,
}

fn give(element: &HtmlElement, hand: Hand) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(hand == Hand::Pointer);
    // One that cannot take it leaves it where it is.
    let _ = element.focus_with_options(&options);
}

/// Keeps the focus within an element, until it is dropped.
pub struct Keeper {
    document: Document,
    kept: Rc<Kept>,
    observer: MutationObserver,
    _on_change: Closure<dyn FnMut(Array)>,
    on_event: Closure<dyn FnMut(Event)>,
}

/// What [`Keeper`] listens to.
const EVENTS: [&str; 4] = ["focusin", "keydown", "pointerdown", "click"];

/// What is known of the focus.
#[derive(Default)]
struct Kept {
    last: RefCell<Option<HtmlElement>>,
    /// The control that was pressed last.
    pressed: RefCell<Option<Element>>,
    /// The reader pressed what was marked and had the focus.
    marked_pressed: Cell<bool>,
    hand: Cell<Hand>,
    /// A key that is still down has moved the focus: it shall not press what is there.
    moved_by_key: Cell<bool>,
    /// What is marked next shall have the focus, and is not there yet: a page may be
    /// drawn in several steps.
    is_owed: Cell<bool>,
}

/// Where the focus is to go.
enum Due {
    /// There.
    To(HtmlElement),
    /// To what is marked, as soon as that is there.
    Marked,
}

impl Keeper {
    /// Begins. None where the browser has no such thing.
    pub fn watch(watched: &Element) -> Option<Keeper> {
        let kept = Rc::new(Kept::default());
        let on_event = {
            let (kept, within) = (kept.clone(), watched.clone());
            Closure::<dyn FnMut(Event)>::new(move |event: Event| kept.hear(&event, &within))
        };
        let on_change = {
            let (kept, within) = (kept.clone(), watched.clone());
            Closure::<dyn FnMut(Array)>::new(move |records: Array| {
                let records = records.iter().filter_map(|record| record.dyn_into().ok());
                kept.see(&records.collect::<Vec<_>>(), &within);
            })
        };
        let observer = MutationObserver::new(on_change.as_ref().unchecked_ref()).ok()?;
        let what = MutationObserverInit::new();
        what.set_child_list(true);
        what.set_subtree(true);
        what.set_attribute_old_value(true);
        what.set_attribute_filter(&Array::of1(&"class".into()));
        observer.observe_with_options(watched, &what).ok()?;
        // On the document: whoever handles an event farther in may change the page at
        // once, before the next listener is told of it.
        let document = document()?;
        for kind in EVENTS {
            let listener = on_event.as_ref().unchecked_ref();
            let _ = document.add_event_listener_with_callback_and_bool(kind, listener, true);
        }
        Some(Keeper { document, kept, observer, _on_change: on_change, on_event })
    }

    /// What the reader acts by.
    pub fn hand(&self) -> Hand {
        self.kept.hand.get()
    }

    /// What the reader has pressed last, or what is marked where that has gone: one marked
    /// control takes another's place.
    pub fn pressed(&self, within: &Element) -> Option<Element> {
        let pressed = self.kept.pressed.borrow().clone();
        let is_there = |it: &Element| it.is_connected();
        pressed.filter(is_there).or_else(|| marked_in(within).map(Into::into))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.observer.disconnect();
        for kind in EVENTS {
            let listener = self.on_event.as_ref().unchecked_ref();
            let _ =
                self.document.remove_event_listener_with_callback_and_bool(kind, listener, true);
        }
    }
}

impl Kept {
    fn hear(&self, event: &Event, within: &Element) {
        match event.type_().as_str() {
            "focusin" => {
                *self.last.borrow_mut() = focused_in(within);
                self.marked_pressed.set(false);
                self.is_owed.set(false);
            }
            "pointerdown" => {
                self.hand.set(Hand::Pointer);
                // It takes the focus away, unless it gives it to something.
                *self.last.borrow_mut() = None;
                self.is_owed.set(false);
            }
            "keydown" => self.key(event),
            _ => {
                *self.last.borrow_mut() = focused_in(within);
                let pressed = event.target().and_then(|on| on.dyn_into::<Element>().ok());
                let control = pressed.as_ref().and_then(|on| on.closest(CONTROLS).ok().flatten());
                *self.pressed.borrow_mut() = control;
                let marked = pressed.and_then(|on| on.closest(MARKED).ok().flatten());
                let last = self.last.borrow();
                let has_focus = |marked: Element| {
                    last.as_ref().is_some_and(|last| *last.unchecked_ref::<Element>() == marked)
                };
                let has_focus = marked.is_some_and(has_focus);
                self.marked_pressed.set(has_focus);
            }
        }
    }

    fn key(&self, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
        self.hand.set(Hand::Keys);
        if !key.repeat() {
            self.moved_by_key.set(false);
        } else if self.moved_by_key.get() {
            event.prevent_default();
        }
    }

    /// Something was taken away or lost the mark: was it what has the focus?
    fn see(&self, records: &[MutationRecord], within: &Element) {
        let Some(last) = self.last.borrow().clone() else { return };
        let due = match focused_in(within) {
            Some(other) if other != last => None,
            _ if self.is_owed.get() => Some(Due::Marked),
            Some(_) => self.has_lost_the_mark(records, &last).then_some(Due::Marked),
            None => after_removal(records, &last),
        };
        let to = match due {
            None => return,
            Some(Due::To(to)) => Some(to),
            Some(Due::Marked) => marked_in(within),
        };
        self.is_owed.set(to.is_none());
        if let Some(to) = to {
            self.moved_by_key.set(true);
            give(&to, self.hand.get());
        }
    }

    /// The reader has pressed what was marked, and now something else is to be.
    fn has_lost_the_mark(&self, records: &[MutationRecord], last: &HtmlElement) -> bool {
        let had_it = |record: &MutationRecord| {
            let old = record.old_value().unwrap_or_default();
            let is_its = record.target().is_some_and(|of| of == *last.unchecked_ref::<Node>());
            is_its && old.split(' ').any(|class| class == MARK)
        };
        let is_marked = last.class_list().contains(MARK);
        self.marked_pressed.get() && !is_marked && records.iter().any(had_it)
    }
}

/// What has the focus, if that is within.
fn focused_in(within: &Element) -> Option<HtmlElement> {
    let focused = document()?.active_element()?;
    let inside = focused != *within && within.contains(Some(&focused));
    focused.dyn_into().ok().filter(|_| inside)
}

fn marked_in(within: &Element) -> Option<HtmlElement> {
    within.query_selector(MARKED).ok()??.dyn_into().ok()
}

/// Where the focus goes when what had it was taken away: back to it if it was only
/// moved, to the new marked control if it was the old one, or else to what is near.
fn after_removal(records: &[MutationRecord], last: &HtmlElement) -> Option<Due> {
    let is_elsewhere = document()?.active_element().is_some_and(|it| it.tag_name() != "BODY");
    let took = records.iter().find_map(|record| {
        let removed = record.removed_nodes();
        let mut nodes = (0..removed.length()).filter_map(|place| removed.get(place));
        nodes.find(|node| node.contains(Some(last))).map(|node| (record, node))
    });
    let (record, removed) = took.filter(|_| !is_elsewhere)?;
    if last.is_connected() {
        return Some(Due::To(last.clone()));
    }
    if last.class_list().contains(MARK) {
        return Some(Due::Marked);
    }
    let near = in_its_place(&removed).or_else(|| near(record));
    Some(near.map_or(Due::Marked, Due::To))
}

/// A control in what has taken the place of something: it bears its name.
fn in_its_place(removed: &Node) -> Option<HtmlElement> {
    let id = removed.dyn_ref::<Element>()?.id();
    let other = document()?.get_element_by_id(&id).filter(|_| !id.is_empty())?;
    first_control(&other)
}

/// The control nearest to what was taken away: after it, before it, or around it.
fn near(took: &MutationRecord) -> Option<HtmlElement> {
    let mut around = took.target()?;
    let (mut after, mut before) = (took.next_sibling(), took.previous_sibling());
    loop {
        let is_there = |node: &Node| node.parent_node().as_ref() == Some(&around);
        let found = first_from(after.filter(is_there), Node::next_sibling);
        let found = found.or_else(|| first_from(before.filter(is_there), Node::previous_sibling));
        if found.is_some() {
            return found;
        }
        let element = around.dyn_ref::<Element>()?;
        if element.matches(REFUGE).ok()? {
            return element.clone().dyn_into().ok();
        }
        if element.matches(REGION).ok()? {
            return None;
        }
        (after, before) = (around.next_sibling(), around.previous_sibling());
        around = around.parent_node()?;
    }
}

fn first_from(mut node: Option<Node>, on: fn(&Node) -> Option<Node>) -> Option<HtmlElement> {
    while let Some(here) = node {
        if let Some(found) = first_control(&here) {
            return Some(found);
        }
        node = on(&here);
    }
    None
}

/// A node itself, if it is a control, or the first in it.
fn first_control(node: &Node) -> Option<HtmlElement> {
    let element = node.dyn_ref::<Element>()?;
    let is_one = element.matches(CONTROLS).ok()?;
    let found =
        if is_one { Some(element.clone()) } else { element.query_selector(CONTROLS).ok()? };
    found?.dyn_into().ok()
}
