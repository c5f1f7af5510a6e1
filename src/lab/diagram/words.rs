//! Words find places: what matters most first, each at the first of its places at
//! which it covers no other words and no mark. Words without a place are left out;
//! the list of events has them all.

use super::{Mark, Of, When, Word, lane_y};
use crate::sim::event::EventId;
use crate::sim::order;

/// How wide 12 px letters of equal width are, in tenths of a pixel: wider than those
/// of any font in the list.
const LETTER_TENTHS: i64 = 75;
/// How high a line of words is.
const LINE: i64 = 14;
/// So many words are looked at.
const MOST: usize = 300;
/// Between words.
const GAP: i64 = 4;

/// A line of a lane in which words can stand, by its distance from the lane.
pub const ABOVE: i64 = -19;
/// On the bar.
pub const INSIDE: i64 = 4;
/// Below the lane.
pub const BELOW: i64 = 28;

/// How wide a text is.
pub fn width(text: &str) -> i64 {
    (text.chars().count() as i64 * LETTER_TENTHS + 9) / 10
}

/// Words that look for a place.
pub struct Wanted {
    /// What they say.
    pub text: String,
    /// What they belong to.
    pub of: Of,
    /// The event they tell of.
    pub event: EventId,
    /// How much they matter: less is more.
    pub rank: u8,
    /// Where they would stand, the best first: left end and line.
    pub places: Vec<(i64, i64)>,
}

#[derive(Clone, Copy)]
struct Area {
    left: i64,
    right: i64,
    top: i64,
    bottom: i64,
}

impl Area {
    fn of_words(x: i64, y: i64, width: i64) -> Area {
        Area { left: x - GAP, right: x + width + GAP, top: y - LINE + 3, bottom: y + 3 }
    }

    fn of_mark(mark: &Mark) -> Area {
        let y = lane_y(mark.lane);
        Area { left: mark.x - 8, right: mark.x + 8, top: y - 8, bottom: y + 8 }
    }

    fn meets(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// Gives places to words, within `bounds`.
pub(super) fn place(
    mut wanted: Vec<Wanted>,
    marks: &[Mark],
    bounds: (i64, i64),
    first_ahead: EventId,
) -> Vec<Word> {
    order::by_key(&mut wanted, |words| (words.rank, words.event));
    // There is no room for more.
    wanted.truncate(MOST);
    let mut taken: Vec<Area> = marks.iter().map(Area::of_mark).collect();
    let mut placed = Vec::new();
    for words in wanted {
        let width = width(&words.text);
        let free = words.places.iter().find(|(x, y)| {
            let area = Area::of_words(*x, *y, width);
            *x >= bounds.0 && x + width <= bounds.1 && !taken.iter().any(|t| t.meets(&area))
        });
        if let Some(&(x, y)) = free {
            taken.push(Area::of_words(x, y, width));
            let Wanted { text, of, event, .. } = words;
            let when = if event < first_ahead { When::Happened } else { When::Ahead };
            placed.push(Word { x, y, text, of, event, when });
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &str, rank: u8, places: &[(i64, i64)]) -> Wanted {
        let text = text.to_owned();
        let places = places.to_vec();
        Wanted { text, of: Of::Plain, event: EventId(u32::from(rank)), rank, places }
    }

    #[track_caller]
    fn check(wanted: Vec<Wanted>, expected: &[(&str, i64, i64)]) {
        let placed = place(wanted, &[], (0, 1_000), EventId(99));
        let found: Vec<_> = placed.iter().map(|w| (w.text.as_str(), w.x, w.y)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_matters_more_comes_first_and_the_rest_moves_or_goes() {
        check(
            vec![
                wanted("third", 3, &[(0, 0)]),
                wanted("second", 2, &[(10, 0), (10, 40)]),
                wanted("first", 1, &[(0, 0)]),
            ],
            &[("first", 0, 0), ("second", 10, 40)],
        );
    }

    #[test]
    fn words_stay_within_bounds() {
        check(vec![wanted("words", 1, &[(-5, 0), (990, 0), (500, 0)])], &[("words", 500, 0)]);
    }

    #[test]
    fn neighbours_keep_a_gap() {
        let beside = width("one") + 2 * GAP;
        check(
            vec![wanted("one", 1, &[(0, 0)]), wanted("two", 2, &[(beside - 1, 0), (beside, 0)])],
            &[("one", 0, 0), ("two", beside, 0)],
        );
    }
}
