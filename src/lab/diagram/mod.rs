//! The space-time diagram as numbers: from a run's events and a window to bars,
//! arrows, marks and words with their places in pixels.
//!
//! ```text
//!   events ──► History (time) ──┐
//!   Window (zoom, scroll, now) ─┴──► Diagram (pixels)
//! ```
//!
//! Only what is in view is drawn, and what falls together once (`pile`). What lies after the present moment is there only
//! where it has been run, and [`Diagram::ahead`] says where it begins.

mod axis;
pub mod camera;
mod draw;
pub mod flags;
pub mod history;
pub mod lanes;
#[cfg(test)]
mod lots;
pub mod near;
pub mod parts;
mod pile;
pub mod pointers;
#[cfg(test)]
mod tests;
pub mod view;
#[cfg(test)]
mod whose;
mod words;

pub use history::{History, Shape};
pub use view::Window;

use crate::sim::event::EventId;
use crate::text::short::{Extent, Still};
use lanes::Lane;
use std::rc::Rc;

/// The middle of the first lane.
const FIRST_LANE: i64 = 42;
/// From lane to lane.
const PITCH: i64 = 60;
/// Half a bar's height.
const HALF_BAR: i64 = 9;
/// Half the height of what says that a machine stands still.
const HALF_STILL: i64 = 15;
/// From the last lane to the words of the axis.
const AXIS: i64 = 54;

/// Where a lane's middle lies.
pub fn lane_y(lane: Lane) -> i64 {
    FIRST_LANE + PITCH * lane as i64
}

/// What a diagram is made of, in pixels. `x` counts from the start of the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The whole diagram's width, in view or not.
    pub width: i64,
    /// Its height.
    pub height: i64,
    /// The axis.
    pub ticks: Rc<Vec<Tick>>,
    /// Where lanes are drawn: not where no process runs.
    pub lines: Rc<Vec<Line>>,
    /// Who holds, believes, waits.
    pub bars: Rc<Vec<Bar>>,
    /// Messages.
    pub arrows: Rc<Vec<Path>>,
    /// What happens at one moment.
    pub marks: Rc<Vec<Mark>>,
    /// Words that have found a place.
    pub words: Rc<Vec<Word>>,
    /// The present moment.
    pub now: i64,
    /// Where what lies ahead ends, if there is any.
    pub ahead: Option<i64>,
    /// The event selected.
    pub selected: Option<(i64, i64)>,
}

/// A moment of the axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Where.
    pub x: i64,
    /// What it says.
    pub label: String,
}

/// A piece of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which lane.
    pub lane: Lane,
    /// From where.
    pub from: i64,
    /// To where.
    pub to: i64,
}

/// Something that holds for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// On which lane.
    pub lane: Lane,
    /// Its left end.
    pub x: i64,
    /// How wide it is.
    pub width: i64,
    /// How it looks.
    pub look: Look,
    /// The event it began with.
    pub event: EventId,
    /// How many it stands for.
    pub count: usize,
}

/// How a bar looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// Waiting: a dotted outline.
    Queued,
    /// Believed and true: solid.
    Holds,
    /// Believed and true no longer: dashed.
    Outdated,
    /// True and not believed: an open outline.
    Unaware,
    /// It may end at any time: an outline of long dashes.
    MayEnd,
    /// It stands still: a shade, or a gap where no process runs.
    Still(Still),
    /// A link is cut: a line under the lane.
    Cut(Extent),
}

impl Look {
    /// Another number for what looks otherwise.
    fn rank(self) -> u32 {
        match self {
            Look::Queued => 0,
            Look::Holds => 1,
            Look::Outdated => 2,
            Look::Unaware => 3,
            Look::Still(why) => 4 + why as u32,
            Look::Cut(extent) => 8 + extent as u32,
            Look::MayEnd => 10,
        }
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// From end to end.
    pub points: Vec<(i64, i64)>,
    /// What it is to the run.
    pub kind: history::ArrowKind,
    /// The sender's lane: a claim has its colour.
    pub lane: Lane,
    /// How it ends.
    pub tip: Tip,
    /// The event of its sending.
    pub event: EventId,
    /// How many it stands for.
    pub count: usize,
}

/// How an arrow ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tip {
    /// At its receiver.
    Head,
    /// It was lost: a cross.
    Cross,
    /// It is on its way.
    Open,
}

/// A mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Where.
    pub x: i64,
    /// On which lane.
    pub lane: Lane,
    /// How it looks.
    pub shape: Shape,
    /// Which event it is.
    pub event: EventId,
    /// How many it stands for.
    pub count: usize,
}

impl Mark {
    /// The height of its middle.
    pub fn y(&self) -> i64 {
        lane_y(self.lane) + pile::rise(self.shape)
    }
}

/// Words at a place that no other words take. Their left end stands at `x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Their left end.
    pub x: i64,
    /// Their line.
    pub y: i64,
    /// What they say.
    pub text: String,
    /// What they belong to.
    pub of: Of,
    /// The event they tell of.
    pub event: EventId,
    /// Whether that has happened.
    pub when: When,
    /// What they stand at.
    pub beside: Beside,
}

impl Word {
    /// The line that leads from their mark to them, where they would be read as another's
    /// without it.
    pub fn leader(&self) -> Option<[(i64, i64); 3]> {
        let Beside::Led(x, y) = self.beside else { return None };
        Some(words::leader((x, y), (self.x, self.y), words::width(&self.text)))
    }

    /// What keeps messages from crossing words on a bar of which there is only an outline:
    /// its left and upper edge, and how wide and high it is. Those who wait ask again and
    /// again.
    pub fn plate(&self) -> Option<(i64, i64, i64, i64)> {
        let Beside::Bar(Look::Queued | Look::Unaware | Look::MayEnd) = self.beside else {
            return None;
        };
        Some(words::plate((self.x, self.y), &self.text))
    }
}

/// What words stand at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// What lasts and looks like this: they have its ground behind them.
    Bar(Look),
    /// The mark whose middle this is: no other one is as near.
    Mark(i64, i64),
    /// The same, and a line leads to it: others are near.
    Led(i64, i64),
}

/// Whether something has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// By the present moment.
    Happened,
    /// It lies ahead, and has been run before.
    Ahead,
}

/// What words belong to: they have its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Whosever lane it is.
    Lane(Lane),
    /// A shade.
    Shade,
    /// What is wrong.
    Bad,
    /// Nothing in particular.
    Plain,
}
