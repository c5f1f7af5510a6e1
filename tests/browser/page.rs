//! The page in a test: mounted on an element of its own, looked at by role and
//! accessible name as people and screen readers find things, never by layout.
//!
//! Time passes only by [`Page::play_out`]; nothing sleeps.

use fencepost::app::handle::LabHandle;
use fencepost::app::{App, AppProps, Ticks};
use fencepost::lab::{Msg, Playing};
use fencepost::learn::later::{Attempt, Later};
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::Span;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement};

/// A mounted page. It goes away with this value.
pub struct Page {
    root: Element,
    lab: Rc<RefCell<Option<LabHandle>>>,
    draws: Rc<RefCell<u32>>,
    /// The texts that were asked for.
    wanted: Rc<RefCell<Vec<(Later, Attempt)>>>,
}

pub fn document() -> Document {
    web_sys::window().and_then(|window| window.document()).expect("a document")
}

/// Mounts the page.
pub async fn mount() -> Page {
    mount_on(None).await
}

/// Whether texts that come later come, without any network.
#[derive(Clone, Copy, PartialEq)]
pub enum Texts {
    /// As soon as they are wanted.
    AtOnce,
    /// When the test sends them.
    ByHand,
}

/// Mounts the page as it opens with a link.
pub async fn mount_on(link: Option<&str>) -> Page {
    mount_with(link, Texts::AtOnce).await
}

/// Mounts the page as it opens with a link, and with texts of the test's own.
pub async fn mount_with(link: Option<&str>, texts: Texts) -> Page {
    let root = document().create_element("div").expect("an element");
    document().body().expect("a body").append_child(&root).expect("appended");
    let lab = Rc::new(RefCell::new(None));
    let draws = Rc::new(RefCell::new(0));
    let on_change = {
        let (lab, draws) = (lab.clone(), draws.clone());
        yew::Callback::from(move |handle: LabHandle| {
            *lab.borrow_mut() = Some(handle);
            *draws.borrow_mut() += 1;
        })
    };
    let wanted: Rc<RefCell<Vec<(Later, Attempt)>>> = Rc::default();
    let on_wanted = {
        let (lab, wanted) = (lab.clone(), wanted.clone());
        Some(yew::Callback::from(move |(what, attempt)| {
            wanted.borrow_mut().push((what, attempt));
            let lab = lab.borrow();
            let handle: Option<&LabHandle> = lab.as_ref().filter(|_| texts == Texts::AtOnce);
            if let Some(handle) = handle {
                handle.send(Msg::Came { what, texts: Ok(what.built_in()) });
            }
        }))
    };
    let link = link.map(|link| link.to_owned().into());
    let ticks = Ticks::ByHand;
    let props = AppProps { ticks, link, on_change, on_wanted, ..AppProps::default() };
    yew::Renderer::<App>::with_root_and_props(root.clone(), props).render();
    let page = Page { root, lab, draws, wanted };
    page.settle().await;
    page
}

impl Drop for Page {
    fn drop(&mut self) {
        self.root.remove();
    }
}

impl Page {
    /// Lets everything be drawn that is to be drawn, and what watches the page see it.
    pub async fn settle(&self) {
        yew::scheduler::flush().await;
        a_turn().await;
    }

    /// The accessible name of what has the focus; none where nothing has it.
    pub fn focused(&self) -> Option<String> {
        let focused = document().active_element()?.dyn_into::<HtmlElement>().ok()?;
        (focused.tag_name() != "BODY").then(|| name_of(&focused))
    }

    pub fn lab(&self) -> LabHandle {
        self.lab.borrow().clone().expect("the page has been drawn")
    }

    /// The texts that were asked for since the last time.
    pub fn take_wanted(&self) -> Vec<(Later, Attempt)> {
        self.wanted.borrow_mut().drain(..).collect()
    }

    /// How often the page has been drawn.
    pub fn draws(&self) -> u32 {
        *self.draws.borrow()
    }

    pub async fn send(&self, msg: Msg) {
        self.lab().send(msg);
        self.settle().await;
    }

    /// Plays until the run stops by itself.
    pub async fn play_out(&self) {
        while self.lab().lab().playing() != Playing::No {
            self.send(Msg::Tick { elapsed: Span::from_ms(500) }).await;
        }
    }

    /// What has been done to the run.
    pub fn clicks(&self) -> Vec<Do> {
        let handle = self.lab();
        let lab = handle.lab();
        lab.open().run().clicks.iter().map(|click| click.r#do.clone()).collect()
    }

    pub fn all(&self, selector: &str) -> Vec<HtmlElement> {
        let all = self.elements(selector).into_iter();
        all.filter_map(|element| element.dyn_into().ok()).collect()
    }

    /// Also those of a drawing.
    pub fn elements(&self, selector: &str) -> Vec<Element> {
        let list = self.root.query_selector_all(selector).expect("a selector");
        let nodes = (0..list.length()).filter_map(|place| list.get(place));
        nodes.filter_map(|node| node.dyn_into().ok()).collect()
    }

    /// The one element that the selector finds and that has this accessible name.
    #[track_caller]
    pub fn find(&self, selector: &str, name: &str) -> HtmlElement {
        let all = self.all(selector);
        let mut found = all.iter().filter(|element| name_of(element) == name);
        let Some(first) = found.next() else {
            let names: Vec<String> = all.iter().map(name_of).collect();
            panic!("no `{selector}` is called “{name}”; there are {names:#?}");
        };
        assert!(found.next().is_none(), "more than one `{selector}` is called “{name}”");
        first.clone()
    }

    #[track_caller]
    pub fn button(&self, name: &str) -> HtmlElement {
        self.find("button", name)
    }

    pub fn has(&self, selector: &str, name: &str) -> bool {
        self.all(selector).iter().any(|element| name_of(element) == name)
    }

    /// What is written in the one element that the selector finds.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let all = self.all(selector);
        assert_eq!(all.len(), 1, "elements that are `{selector}`");
        all[0].text_content().unwrap_or_default()
    }

    /// Presses a button, by pointer or by keys.
    pub async fn press(&self, name: &str, by: By) {
        let button = self.button(name);
        by.activate(&button);
        self.settle().await;
    }

    /// Presses a button within what the selector finds.
    pub async fn press_in(&self, selector: &str, name: &str, by: By) {
        let button = self.find(&format!("{selector} button"), name);
        by.activate(&button);
        self.settle().await;
    }

    /// Types into a number, or chooses in a list.
    pub async fn fill(&self, name: &str, value: &str, by: By) {
        let field = self.find("input, select", name);
        by.reach(&field);
        let kind = if let Some(select) = field.dyn_ref::<web_sys::HtmlSelectElement>() {
            let option = option(select, value);
            select.set_value(&option);
            "change"
        } else {
            let input: &web_sys::HtmlInputElement = field.unchecked_ref();
            input.set_value(value);
            "input"
        };
        dispatch(&field, kind);
        self.settle().await;
    }

    /// The buttons that are marked as what to do next.
    pub fn marked(&self) -> Vec<String> {
        self.all("button.primary").iter().map(name_of).collect()
    }
}

/// How something is activated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Pointer,
    /// A key pressed by a script activates nothing, so this asserts that the control is
    /// one that the browser itself lets keys reach and activate, gives it the focus, and
    /// then activates it as the browser would.
    Keys,
}

impl By {
    #[track_caller]
    pub fn activate(self, element: &HtmlElement) {
        self.reach(element);
        element.click();
    }

    #[track_caller]
    fn reach(self, element: &HtmlElement) {
        if self == By::Pointer {
            return;
        }
        let tag = element.tag_name().to_lowercase();
        let native = ["button", "input", "select"].contains(&tag.as_str());
        assert!(native, "{tag} is no native control");
        assert_eq!(element.tab_index(), 0, "the Tab key reaches it in the page's order");
        assert!(!element.has_attribute("disabled"), "what is disabled takes no focus");
        element.focus().expect("it takes the focus");
        let focused = document().active_element().expect("something has the focus");
        assert!(focused == *element.unchecked_ref::<Element>(), "it has the focus");
    }
}

pub fn dispatch(element: &Element, kind: &str) {
    let init = web_sys::EventInit::new();
    init.set_bubbles(true);
    let event = web_sys::Event::new_with_event_init_dict(kind, &init).expect("an event");
    element.dispatch_event(&event).expect("dispatched");
}

/// Lets go of the thread once: what waits for it in a microtask comes before what
/// follows. A watcher of the page is told so of what has changed.
async fn a_turn() {
    let mut is_first = true;
    std::future::poll_fn(|context| {
        if std::mem::take(&mut is_first) {
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        } else {
            std::task::Poll::Ready(())
        }
    })
    .await;
}

/// The value of the option with this text.
#[track_caller]
fn option(select: &web_sys::HtmlSelectElement, text: &str) -> String {
    let options = (0..select.length()).filter_map(|place| select.item(place));
    let options: Vec<web_sys::HtmlOptionElement> =
        options.filter_map(|option| option.dyn_into().ok()).collect();
    let found = options.iter().find(|option| option.text() == text);
    let texts: Vec<String> = options.iter().map(web_sys::HtmlOptionElement::text).collect();
    found.unwrap_or_else(|| panic!("no option “{text}” in {texts:#?}")).value()
}

/// The accessible name, as far as this page uses what gives one.
pub fn name_of(element: &HtmlElement) -> String {
    if let Some(ids) = element.get_attribute("aria-labelledby") {
        let named = ids.split(' ').filter_map(|id| document().get_element_by_id(id));
        let names: Vec<String> =
            named.filter_map(|named| named.dyn_into().ok()).map(|named| name_of(&named)).collect();
        return names.join(" ");
    }
    if let Some(own) = element.get_attribute("aria-label") {
        return own;
    }
    let is_field = element.matches("input, select").expect("a selector");
    let label = element.closest("label").expect("a selector").filter(|_| is_field);
    text_for_readers(label.as_ref().unwrap_or(element.unchecked_ref()))
}

/// The text in an element without what is hidden from screen readers.
fn text_for_readers(element: &Element) -> String {
    let copy = element.clone_node_with_deep(true).expect("copied");
    let copy: Element = copy.unchecked_into();
    // A label is not named after what is chosen in its list.
    let hidden = copy.query_selector_all("[aria-hidden=true], label select").expect("a selector");
    for node in (0..hidden.length()).filter_map(|place| hidden.get(place)) {
        node.unchecked_into::<Element>().remove();
    }
    let text = copy.text_content().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A key pressed on an element, for what the page itself does with keys.
pub fn key(element: &HtmlElement, key: &str) {
    let init = web_sys::KeyboardEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_key(key);
    let event = web_sys::KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init);
    element.dispatch_event(&event.expect("an event")).expect("dispatched");
}

/// Ctrl and Z pressed on an element.
pub fn undo_keys(element: &HtmlElement) {
    let init = web_sys::KeyboardEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_key("z");
    init.set_ctrl_key(true);
    let event = web_sys::KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init);
    element.dispatch_event(&event.expect("an event")).expect("dispatched");
}
