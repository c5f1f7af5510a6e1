//! What the lab can be told.

use super::bench::Edit;
use super::filter::Filter;
use super::open::Told;
use super::quiz::{QuizMsg, Side};
use super::{Routine, Speed};
use crate::actors::store::api::Rule;
use crate::learn::later::{Failure, Later};
use crate::scenario::Change;
use crate::scenario::clicks::Do;
use crate::sim::event::EventId;
use crate::sim::time::{Span, TrueTime};
use crate::text::program::Language;

/// What somebody does in the lab, or that time has passed.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// Open a scenario, without its clicks.
    Load {
        /// Its id, or that of a variant, as in "reconcile.stop-work".
        scenario: String,
    },
    /// Play: from the start to where the scenario waits, or from there to the end.
    Play,
    /// Stop playing.
    Stop,
    /// So much time has passed on the reader's clock while playing.
    Tick {
        /// How much.
        elapsed: Span,
    },
    /// Go to the start.
    ToStart,
    /// Run to the end at once.
    ToEnd,
    /// Go to the next event that is shown.
    Step,
    /// Go to the event before.
    Back,
    /// Go to a moment.
    Seek(TrueTime),
    /// Play at another speed.
    SetSpeed(Speed),
    /// Show routine events too, or only what matters.
    ShowRoutine(Routine),
    /// Narrow the list of events to these. Nothing else changes by it.
    ShowEvents(Filter),
    /// Do something to the run, now.
    Click(Do),
    /// The same clicks, with the store under another rule.
    RunAgain(Rule),
    /// Put a run beside it: the same clicks with one setting changed.
    Compare(Change),
    /// Put one of the open runs beside it.
    CompareWith {
        /// What people call it.
        run: u32,
    },
    /// Look at one run again.
    EndComparison,
    /// Look at another of the open runs.
    Show {
        /// Its place in the list.
        run: usize,
    },
    /// Close one of the open runs; the last one stays.
    Close {
        /// Its place in the list.
        run: usize,
    },
    /// Show programs in this language.
    SpellIn(Language),
    /// Select an event, or none.
    Select(Option<EventId>),
    /// Go to the moment of an event and select it.
    JumpTo(EventId),
    /// Say beforehand what will happen.
    Predict {
        /// The question's id.
        question: String,
        /// The option's.
        option: String,
    },
    /// Open the run of a link.
    OpenLink {
        /// The fragment of its address, without the `#`.
        fragment: String,
    },
    /// The same for one that has words of its own: what it is called, and what it shows.
    OpenTold {
        /// The fragment of its address, without the `#`.
        fragment: String,
        /// Its words.
        told: Told,
    },
    /// Go to a lesson.
    Lesson {
        /// Its place in the chapter, from 0.
        place: usize,
    },
    /// Go to a chapter.
    Chapter {
        /// Its place, from 0.
        place: usize,
    },
    /// The same clicks in another scenario, or a variant of one.
    SameClicksIn {
        /// Its name, as in [`Msg::Load`].
        scenario: String,
    },
    /// Begin the lesson anew: with a run of its own, as if nothing had been answered.
    Anew,
    /// Change the run one looks at.
    Edit(Edit),
    /// Back to the run before the last change.
    Undo,
    /// Forth again.
    Redo,
    /// The same run once more, in a tab of its own.
    Copy,
    /// Do something in the quiz.
    Quiz(QuizMsg),
    /// Ask for texts, again where they could not be had.
    Want(Later),
    /// Texts that were asked for have come, or have not.
    Came {
        /// Which.
        what: Later,
        /// The text of each of their files.
        texts: Result<Vec<String>, Failure>,
    },
    /// Let the warning go.
    Dismiss,
}

impl Msg {
    /// Whether the reader turns to a run or to the quiz: no lesson that is still on its way
    /// may take their place then.
    pub(super) fn turns_elsewhere(&self) -> bool {
        match self {
            Msg::Quiz(msg) => matches!(msg, QuizMsg::Show(Side::Quiz) | QuizMsg::Begin(_)),
            Msg::Tick { .. }
            | Msg::SetSpeed(_)
            | Msg::ShowRoutine(_)
            | Msg::ShowEvents(_)
            | Msg::SpellIn(_)
            | Msg::Want(_)
            | Msg::Came { .. }
            | Msg::Dismiss => false,
            _ => true,
        }
    }
}
