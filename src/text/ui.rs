//! The interface's text: one table a language, a section a region of the page.
//!
//! Every section is a struct in a file of its own under `ui/`, with one value a
//! language. To translate, write a value of each section and a [`Ui`] of them; no
//! component changes. What is said of events, rules and properties stands in
//! [`crate::text::en`].

pub mod bench;
mod bench_objects;
mod bench_words;
pub mod compare;
pub mod embed;
pub mod events;
pub mod faults;
pub mod frame;
pub mod guide;
pub mod keys;
pub mod later;
pub mod lesson;
pub mod load;
pub mod quiz;
pub mod services;
pub mod share;
pub mod signals;
pub mod stage;
pub mod timeline;
pub mod transport;
pub mod verdict;
pub mod why;

use bench::Bench;
use compare::Compare;
use embed::Embed;
use events::Events;
use faults::Faults;
use frame::Frame;
use guide::Guide;
use keys::Keys;
use later::Later;
use lesson::Lesson;
use load::Load;
use quiz::Quiz;
use services::Services;
use share::Share;
use signals::Signals;
use stage::Stage;
use timeline::Timeline;
use transport::Transport;
use verdict::Verdict;
use why::Why;

/// All sections in one language.
#[derive(Debug)]
pub struct Ui {
    /// Header, panels, notices.
    pub frame: Frame,
    /// What to do next.
    pub guide: Guide,
    /// The machines, their links, messages in flight.
    pub stage: Stage,
    /// What can be done to them.
    pub faults: Faults,
    /// How the run stands.
    pub verdict: Verdict,
    /// Playing, stepping, open runs.
    pub transport: Transport,
    /// The help on keys.
    pub keys: Keys,
    /// The space-time diagram.
    pub timeline: Timeline,
    /// The list of events.
    pub events: Events,
    /// The causes of an event.
    pub why: Why,
    /// Texts that come later.
    pub later: Later,
    /// The lesson.
    pub lesson: Lesson,
    /// Links to runs.
    pub share: Share,
    /// What an operator would see.
    pub signals: Signals,
    /// Throughput and latency under a load.
    pub load: Load,
    /// The comparison of lock services.
    pub services: Services,
    /// The lab's bench.
    pub bench: Bench,
    /// The quiz.
    pub quiz: Quiz,
    /// Two runs beside each other.
    pub compare: Compare,
    /// The page in a frame of another.
    pub embed: Embed,
    // Further sections below, one line each.
}

static ENGLISH: Ui = Ui {
    frame: frame::ENGLISH,
    guide: guide::ENGLISH,
    stage: stage::ENGLISH,
    faults: faults::ENGLISH,
    verdict: verdict::ENGLISH,
    transport: transport::ENGLISH,
    keys: keys::ENGLISH,
    timeline: timeline::ENGLISH,
    events: events::ENGLISH,
    why: why::ENGLISH,
    later: later::ENGLISH,
    lesson: lesson::ENGLISH,
    share: share::ENGLISH,
    signals: signals::ENGLISH,
    load: load::ENGLISH,
    services: services::ENGLISH,
    bench: bench::ENGLISH,
    quiz: quiz::ENGLISH,
    compare: compare::ENGLISH,
    embed: embed::ENGLISH,
};

/// The text in the language in use.
pub fn ui() -> &'static Ui {
    &ENGLISH
}
