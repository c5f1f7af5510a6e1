//! The clicks of a run as flags over its diagram: each stands at its moment, and can be
//! moved along the axis.

use super::view::Window;
use crate::lab::bench::Edit;
use crate::lab::bench::clicks::{FAR, STEP, rows};
use crate::lab::{Msg, Open};
use crate::properties::turns;
use crate::scenario::Run;
use crate::sim::order;
use crate::sim::time::TrueTime;

/// How wide a flag is, and how high a row of them, pixels.
pub const SIZE: i64 = 24;

/// At most so many rows: what finds no place in them stands over others. A scenario makes
/// four clicks at one moment.
const ROWS: usize = 5;

/// A click in the strip.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// Its place among the run's clicks.
    pub click: usize,
    /// When it is made.
    pub at: TrueTime,
    /// Where its pole stands.
    pub x: i64,
    /// In which row.
    pub row: usize,
    /// What is done, and to what.
    pub says: String,
}

/// The clicks of a run in a window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strip {
    /// Those in view, by their place among the run's clicks: one that is moved past
    /// another keeps its place, and with it the focus.
    pub flags: Vec<Flag>,
    /// How high the strip is, wherever one looks: nothing where the run has no click.
    pub height: i64,
}

/// Lays out the clicks of a run.
pub fn strip(run: &Run, window: &Window) -> Strip {
    let mut free = [i64::MIN; ROWS];
    let mut flags = Vec::new();
    for row in rows(run) {
        let x = window.x(row.at);
        let place = free.iter().position(|from| *from <= x).unwrap_or(ROWS - 1);
        free[place] = x + SIZE;
        if window.shows(x, x + SIZE) {
            flags.push(Flag { click: row.click, at: row.at, x, row: place, says: row.says });
        }
    }
    let rows = free.iter().filter(|from| **from > i64::MIN).count();
    order::by_key(&mut flags, |flag| flag.click);
    Strip { flags, height: SIZE * rows as i64 }
}

/// Where a flag is put that is moved so many pixels: to whole hundredths of a second,
/// unless that is less than a pixel.
pub fn moved(flag: &Flag, by: i64, window: &Window) -> TrueTime {
    const HUNDREDTH_US: i64 = 10_000;
    let to = (flag.at.0 + by * window.us_per_px).max(0);
    let is_coarse = window.us_per_px >= HUNDREDTH_US / 10;
    TrueTime(if is_coarse { to / HUNDREDTH_US * HUNDREDTH_US } else { to })
}

/// What a key does to the flag that has the focus: arrows move it, further with Shift.
pub fn edit(flag: &Flag, key: &str, is_far: bool) -> Option<Edit> {
    let Flag { click, at, .. } = *flag;
    let step = if is_far { FAR } else { STEP };
    Some(match key {
        "ArrowLeft" => Edit::MoveClick { click, at: TrueTime((at.0 - step.us()).max(0)) },
        "ArrowRight" => Edit::MoveClick { click, at: at + step },
        "Delete" | "Backspace" => Edit::DeleteClick { click },
        _ => return None,
    })
}

/// What a press on a flag tells the lab: its event is selected, or gone to where it lies
/// ahead; where that has not been run, its moment is.
pub fn pressed(open: &Open, flag: &Flag) -> Msg {
    let trace = open.replay().trace();
    let is_it = |of: Option<u32>| of == u32::try_from(flag.click).ok();
    let Some(place) = trace.iter().position(|event| is_it(turns::click_of(event))) else {
        return Msg::Seek(flag.at);
    };
    let id = trace[place].id;
    if place < open.past().len() { Msg::Select(Some(id)) } else { Msg::JumpTo(id) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Routine;
    use crate::scenario::Scenario;
    use crate::scenario::clicks::{ClickSpec, Do};
    use crate::sim::event::EventId;

    const US_PER_PX: i64 = 100_000;

    fn window() -> Window {
        Window {
            left: 0,
            width: 900,
            us_per_px: US_PER_PX,
            until: TrueTime(90_000_000),
            now: TrueTime(0),
            first_ahead: EventId(0),
            seen_until: TrueTime(0),
            routine: Routine::Hidden,
            selected: None,
        }
    }

    /// The flags of clicks at these tenths of a second: "click@x row", and the height.
    fn check(tenths: &[i64], expected: &str) {
        let mut run = Scenario::built_in("reconcile").expect("built in").run_without_clicks();
        for tenth in tenths {
            let action = Do::Pause { node: "W1".to_owned(), for_ms: None };
            run.clicks.push(ClickSpec { at_us: tenth * 100_000, r#do: action });
        }
        let Strip { flags, height } = strip(&run, &window());
        let told: Vec<String> =
            flags.iter().map(|it| format!("{}@{} {}", it.click, it.x, it.row)).collect();
        assert_eq!(format!("{} | {height}", told.join(", ")), expected);
    }

    #[test]
    fn clicks_that_are_near_to_each_other_stand_in_rows() {
        check(&[100, 200], "0@114 0, 1@214 0 | 24");
        check(&[100, 110, 124], "0@114 0, 1@124 1, 2@138 0 | 48");
        check(&[100, 100, 100, 100], "0@114 0, 1@114 1, 2@114 2, 3@114 3 | 96");
        let many = "0@114 0, 1@115 1, 2@116 2, 3@117 3, 4@118 4, 5@119 4 | 120";
        check(&[100, 101, 102, 103, 104, 105], many);
    }

    #[test]
    fn the_strip_is_as_high_where_no_flag_is_in_view() {
        check(&[2_000, 2_001], " | 48");
        check(&[], " | 0");
    }

    #[test]
    fn a_click_that_is_moved_past_another_keeps_its_place() {
        check(&[200, 100], "0@214 0, 1@114 0 | 24");
    }

    #[test]
    fn a_flag_is_moved_to_hundredths_and_never_before_the_start() {
        let flag = |at| Flag { click: 0, at: TrueTime(at), x: 0, row: 0, says: String::new() };
        assert_eq!(moved(&flag(25_001_234), 3, &window()), TrueTime(25_300_000));
        assert_eq!(moved(&flag(1_000_000), -400, &window()), TrueTime(0));
        let near = Window { us_per_px: 100, ..window() };
        assert_eq!(moved(&flag(25_001_234), 3, &near), TrueTime(25_001_534));
    }
}
