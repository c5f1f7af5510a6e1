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
//! While it plays, the diagram is drawn in every second frame, and in those between the
//! clock, the scrubber and of all else one part after the other, as far as it is in sight
//! ([`Shown`]): so no frame has to draw everything. Components get what they show as
//! properties, and are drawn anew only when that has changed.

mod again;
mod bench;
mod compare;
mod dialog;
mod embedded;
pub mod events;
mod guide;
pub mod handle;
pub mod identity;
mod kept;
mod keys;
mod later;
mod layout;
pub mod lesson;
mod list;
mod load;
pub mod quiz;
mod services;
mod share;
mod side;
mod signals;
mod stage;
mod status;
pub mod timeline;
mod transport;
mod verdict;
pub mod why;

use crate::host;
use crate::host::address::Fragments;
use crate::host::focus::{Hand, Keeper, MARKED};
use crate::host::frames::{Beat, Frames};
use crate::host::parent;
use crate::host::scrolling::Scrolling;
use crate::host::sight::{self, Sights};
use crate::host::site;
use crate::host::theme;
use crate::lab::arrival::{Arrival, Place, Theme};
use crate::lab::guide::{Next, next};
use crate::lab::quiz::{QuizMsg, Side};
use crate::lab::shown::{Looks, PARTS, Shown};
use crate::lab::{Lab, Msg, Playing};
use crate::learn::Asked;
use crate::learn::later::{Attempt, Later};
use crate::share::host_page::Answered;
use crate::sim::time::Span;
use embedded::Embedded;
use handle::LabHandle;
use kept::Kept;
use layout::Shows;
use std::cell::RefCell;
use std::rc::Rc;
use yew::platform::spawn_local;
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
    /// What the page's address asks for.
    #[prop_or_default]
    pub arrival: Arrival,
    /// A link to a run that is opened at once: what stands behind the `#`.
    #[prop_or_default]
    pub link: Option<AttrValue>,
    /// What was open here before the page was loaded again: it takes the place of the link.
    #[prop_or_default]
    pub before: Option<AttrValue>,
    /// Called with the texts that are wanted, in place of fetching them from the site: for
    /// tests, which answer with [`Msg::Came`].
    #[prop_or_default]
    pub on_wanted: Option<Callback<(Later, Attempt)>>,
    /// Called when the page is first drawn and after each change.
    #[prop_or_default]
    pub on_change: Callback<LabHandle>,
}

/// What the page is told.
pub enum AppMsg {
    /// What somebody does, or that time has passed.
    Lab(Msg),
    /// A frame has come.
    Beat(Beat),
}

impl AppMsg {
    /// Whether it says that time has passed, and nothing that somebody does.
    fn is_time(&self) -> bool {
        matches!(self, AppMsg::Beat(_) | AppMsg::Lab(Msg::Tick { .. }))
    }
}

/// How something is brought into sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// That is what the reader asked for.
    There,
    /// What was pressed stays in sight.
    Beside,
}

/// Of which run the diagram is worth it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Any,
    /// One with clicks.
    Clicked,
}

/// The whole page, to be mounted on an element of its own.
pub struct App {
    lab: Rc<RefCell<Lab>>,
    revision: u64,
    shown: Shown,
    sights: Sights,
    looks: Looks,
    send: Callback<Msg>,
    /// Only while a run plays: dropping it stops the ticks.
    frames: Option<Frames>,
    regions: NodeRef,
    /// Since the page is there: no control that goes away takes the focus with it.
    keeper: Option<Keeper>,
    /// What this device keeps of the reader's progress.
    kept: Kept,
    /// Only in a frame.
    embedded: Option<Embedded>,
    /// The diagram is to be brought into sight once this has been drawn.
    shows_diagram: Option<Way>,
    /// So is what to do next, once all that has changed is drawn.
    shows_next: bool,
    /// The question that was last brought into sight.
    asked: Option<String>,
    /// Since the page is there: where the reader scrolls to, it stays.
    scrolling: Option<Scrolling>,
    /// Links that are put into the address later.
    _fragments: Option<Fragments>,
}

impl App {
    fn handle(&self) -> LabHandle {
        self.handle_of(self.revision)
    }

    fn handle_of(&self, revision: u64) -> LabHandle {
        LabHandle::new(self.lab.clone(), revision, self.send.clone())
    }

    fn plays(&self) -> bool {
        self.lab.borrow().playing() != Playing::No
    }

    /// Whether what is shown there is to follow: all of it, once the run stands.
    fn is_due(&self, place: usize) -> bool {
        !self.plays() || self.sights.sees(place)
    }

    /// Draws something else than the diagram, and that too once the run stands; whether
    /// anything is to be drawn.
    fn show_rest(&mut self) -> bool {
        let mut shown = self.shown;
        let playing = self.lab.borrow().playing();
        let stands = playing == Playing::No && shown.diagram != self.revision;
        let is_due = |part| self.is_due(part as usize);
        let is_other = shown.between(self.revision, playing, is_due);
        let is_other = shown.step(self.revision, stands) || is_other;
        self.shown = shown;
        is_other
    }

    /// Whether it is done on the stage as marked: what comes next is marked elsewhere.
    fn is_marked(&self, msg: &Msg) -> bool {
        let Msg::Click(action) = msg else { return false };
        next(&self.lab.borrow()) == Next::Do(action.clone())
    }

    fn begins_to_play(&mut self) {
        self.shows_next = false;
        self.scrolling.iter().for_each(Scrolling::begin);
    }

    /// Brings into sight what is to be seen now. With keys the focus says what that is.
    fn bring_into_sight(&mut self) {
        let by_pointer = self.keeper.as_ref().is_some_and(|keeper| keeper.hand() == Hand::Pointer);
        let mut scrolls = false;
        let regions = self.regions.cast::<web_sys::Element>();
        match self.shows_diagram.take().filter(|_| by_pointer) {
            Some(Way::There) => {
                sight::bring(layout::DIAGRAM);
                scrolls = true;
            }
            Some(Way::Beside) => {
                let keeper = self.keeper.as_ref().zip(regions.as_ref());
                let pressed = keeper.and_then(|(keeper, regions)| keeper.pressed(regions));
                scrolls = sight::bring_beside(layout::DIAGRAM, pressed.as_ref());
            }
            None => {}
        }
        if self.shows_next && self.shown.is_all(self.revision) {
            self.shows_next = false;
            let is_left_alone = self.scrolling.as_ref().is_some_and(|it| !it.by_reader());
            let regions = regions.filter(|_| by_pointer && is_left_alone && !self.asks());
            let asks_first = self.asks_first();
            let (what, stands_in) = if asks_first {
                (lesson::QUESTION, lesson::QUESTION)
            } else {
                (MARKED, layout::MARKED_IN)
            };
            scrolls |= regions.is_some_and(|it| sight::bring_marked(&it, what, stands_in));
        }
        if scrolls {
            self.scrolling.iter().for_each(Scrolling::own);
        }
    }

    /// Whether the lesson asks what will happen, before that is to be seen.
    fn asks_first(&mut self) -> bool {
        let lab = self.lab.borrow();
        let lesson = lab.lesson();
        let mut open = lesson.questions.iter().filter(|(_, it)| matches!(it, Asked::Open(None)));
        let last = open.next_back().map(|(question, _)| question.id.clone());
        let is_new = last.is_some() && last != self.asked;
        self.asked = last;
        is_new && lab.ended().is_none() && lab.quiz().side() == Side::Lesson
    }

    /// Whether the quiz asks something: the way back to that is beside the diagram.
    fn asks(&self) -> bool {
        let lab = self.lab.borrow();
        lab.quiz().side() == Side::Quiz && lab.quiz().asked().is_some()
    }

    /// Fetches the texts that are needed now.
    fn fetch_wanted(&self, ctx: &Context<App>) {
        let wanted = self.lab.borrow_mut().take_wanted();
        for (what, attempt) in wanted {
            if let Some(tell) = &ctx.props().on_wanted {
                tell.emit((what, attempt));
                continue;
            }
            let send = self.send.clone();
            spawn_local(async move {
                let texts = site::texts(what, attempt).await;
                send.emit(Msg::Came { what, texts });
            });
        }
    }

    /// The browser's frames while a run plays or something is yet to be shown, and none
    /// while all stands.
    fn let_time_pass(&mut self, ctx: &Context<App>) {
        if !self.plays() && self.shown.is_all(self.revision) {
            self.frames = None;
        } else if self.frames.is_none() && ctx.props().ticks == Ticks::EachFrame {
            let tell = ctx.link().callback(AppMsg::Beat);
            self.frames = Some(Frames::new(move |beat| tell.emit(beat)));
        }
    }
}

impl Component for App {
    type Message = AppMsg;
    type Properties = AppProps;

    fn create(ctx: &Context<App>) -> App {
        let arrival = &ctx.props().arrival;
        let link = ctx.props().link.as_deref();
        let before = ctx.props().before.as_deref();
        let mut lab =
            again::arrive(arrival, link, before).expect("a test reads every built-in scenario");
        match arrival.theme {
            Theme::System => {}
            Theme::Light => theme::set("light"),
            Theme::Dark => theme::set("dark"),
        }
        let kept = Kept::open(&mut lab);
        let send = ctx.link().callback(AppMsg::Lab);
        let open = send.reform(|fragment| Msg::OpenLink { fragment });
        App {
            lab: Rc::new(RefCell::new(lab)),
            revision: 0,
            shown: Shown::default(),
            sights: Sights::of(layout::regions()),
            looks: Looks::default(),
            send,
            frames: None,
            regions: NodeRef::default(),
            keeper: None,
            kept,
            embedded: None,
            shows_diagram: None,
            shows_next: false,
            asked: None,
            scrolling: None,
            _fragments: Fragments::watch(move |fragment| open.emit(fragment)),
        }
    }

    fn update(&mut self, ctx: &Context<App>, msg: AppMsg) -> bool {
        if let Some(regions) = self.regions.cast::<web_sys::Element>() {
            match msg {
                AppMsg::Lab(_) => self.sights.look_at_all(&regions),
                AppMsg::Beat(_) if self.looks.is_turn(sight::scrolled_by()) => {
                    self.sights.look(&regions);
                }
                AppMsg::Beat(_) => {}
            }
        }
        let (played, is_time) = (self.plays(), msg.is_time());
        let is_other = match msg {
            AppMsg::Lab(msg) => {
                let way = way_to_diagram(&msg);
                if self.is_marked(&msg) {
                    self.scrolling.iter().for_each(Scrolling::begin);
                    self.shows_next = true;
                }
                self.lab.borrow_mut().update(msg);
                let answered = self.lab.borrow_mut().take_answered();
                if self.embedded.is_some() {
                    parent::send(&answered.iter().map(Answered::message).collect::<Vec<_>>());
                }
                let has_clicks = !self.lab.borrow().open().run().clicks.is_empty();
                self.shows_diagram =
                    way.filter(|(_, of)| *of == Of::Any || has_clicks).map(|it| it.0);
                self.revision += 1;
                self.shown.all(self.revision);
                true
            }
            AppMsg::Beat(Beat::Passed(ms)) if self.plays() => {
                let elapsed = Span::from_ms(i64::from(ms));
                self.lab.borrow_mut().update(Msg::Tick { elapsed });
                self.revision += 1;
                let is_due = self.is_due(PARTS);
                self.shown.step(self.revision, is_due) || self.show_rest()
            }
            AppMsg::Beat(_) => self.show_rest(),
        };
        match (played, self.plays()) {
            (false, true) => self.begins_to_play(),
            // Whoever stops it is where they want to be.
            (true, false) => self.shows_next = is_time,
            _ => {}
        }
        self.let_time_pass(ctx);
        is_other
    }

    fn view(&self, ctx: &Context<App>) -> Html {
        let arrival = &ctx.props().arrival;
        let at_side = arrival.at_side(ctx.props().link.is_some());
        let Shown { diagram, controls, parts, .. } = self.shown;
        let shows = Shows {
            diagram: self.handle_of(diagram),
            controls: self.handle_of(controls),
            parts: parts.map(|part| self.handle_of(part)),
        };
        layout::page((arrival.place, at_side), &shows, &self.regions)
    }

    fn rendered(&mut self, ctx: &Context<App>, first: bool) {
        if first {
            let regions = self.regions.cast::<web_sys::Element>();
            self.keeper = regions.as_ref().and_then(Keeper::watch);
            self.scrolling = Scrolling::watch(layout::DIAGRAM);
            let is_embedded = ctx.props().arrival.place == Place::Embedded;
            if !is_embedded {
                let lab = Rc::downgrade(&self.lab);
                host::again::at_leaving(move || again::leave(&lab));
            }
            self.embedded = regions.filter(|_| is_embedded).map(|it| Embedded::watch(&it));
        }
        self.bring_into_sight();
        if !self.plays() {
            self.kept.follow(&self.handle());
        }
        ctx.props().on_change.emit(self.handle());
        self.fetch_wanted(ctx);
    }
}

/// How a message brings the diagram into sight, and of which run. What a click does is best seen
/// there: as it plays, and where one jumps to.
fn way_to_diagram(msg: &Msg) -> Option<(Way, Of)> {
    match msg {
        Msg::Quiz(QuizMsg::OpenRun | QuizMsg::See(_)) | Msg::OpenLink { .. } => {
            Some((Way::There, Of::Any))
        }
        Msg::JumpTo(_) => Some((Way::There, Of::Clicked)),
        Msg::Play | Msg::RunAgain(_) | Msg::SameClicksIn { .. } => Some((Way::Beside, Of::Clicked)),
        _ => None,
    }
}
