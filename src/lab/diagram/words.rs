//! Words find places: what matters most first, each at the first of its places at
//! which it covers no other words and no mark. Those of a mark must not be read as
//! another's: they stand nearer to it than to any other, or a line leads to it; where
//! there is no room for all of them, for the first ones. Those of one lane are read in the
//! order of what they tell of. Words without a place are left out; the list of events has
//! them all.

use super::{Bar, Beside, Look, Mark, Of, When, Word};
use crate::sim::event::EventId;
use crate::sim::order;
use crate::text::short;

/// How wide 12 px letters of equal width are, in tenths of a pixel: wider than those
/// of any font in the list.
const LETTER_TENTHS: i64 = 75;
/// How high a line of words is, and how far it reaches over and under its letters' foot.
const LINE: i64 = 14;
const UNDER: i64 = 3;
const OVER: i64 = LINE - UNDER;
/// So many words are looked at.
const MOST: usize = 300;
/// Between words.
const GAP: i64 = 4;
/// Half of a mark, and of what is drawn of its lane's height at it.
const HALF_MARK: i64 = 8;
/// From a mark to its words, beside the line that leads to it and not across it.
const BESIDE: i64 = 8;
/// How much farther off words stand that a line leads to.
const FARTHER: [i64; 3] = [0, 30, 60];
/// Marks of a lane that are no farther apart are one to the eye.
const ONE: i64 = 5;
/// What is nearer to each other is read from above to below, and what is not from left to
/// right.
const APART: i64 = 2 * HALF_MARK;

/// A line of a lane in which words can stand, by its distance from the lane.
pub const ABOVE: i64 = -19;
/// On the bar.
pub const INSIDE: i64 = 4;
/// Below the lane: over the next lane's [`ABOVE`], and clear of what says that it
/// stands still.
pub const BELOW: i64 = 27;

/// How wide a text is.
pub fn width(text: &str) -> i64 {
    (text.chars().count() as i64 * LETTER_TENTHS + 9) / 10
}

/// The ground of a text: as high as its line, and as much wider as it keeps free.
pub(super) fn plate((x, y): (i64, i64), text: &str) -> (i64, i64, i64, i64) {
    let Area { left, right, top, bottom } = Area::of_words(x, y, width(text));
    (left, top, right - left, bottom - top)
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
    /// Where they would stand.
    pub at: Near,
}

/// Where words would stand.
pub enum Near {
    /// On a bar that looks like this, at one of these, the best first: left end and line.
    Bar(Look, Vec<(i64, i64)>),
    /// Near a mark.
    Mark(Spot),
}

impl Near {
    fn spot(&self) -> Option<&Spot> {
        match self {
            Near::Mark(spot) => Some(spot),
            Near::Bar(..) => None,
        }
    }
}

/// A mark that wants words.
#[derive(Clone, Copy)]
pub struct Spot {
    /// Its middle.
    pub x: i64,
    /// Its middle's height.
    pub y: i64,
    /// Its lane's height.
    pub lane: i64,
    /// The better line, and the other one.
    pub lines: [i64; 2],
    /// The better side of its middle.
    pub side: Side,
}

/// On which side of a mark its words stand better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// There what was before them would be.
    Right,
    /// There what comes after them would be on the other one.
    Left,
}

impl Side {
    /// The better side of two first.
    fn first(self, [right, left]: [i64; 2]) -> [i64; 2] {
        if self == Side::Right { [right, left] } else { [left, right] }
    }
}

/// Makes room at the right for what comes soon after, where nothing was soon before.
fn give_way(wanted: &mut [Wanted]) {
    let spots = wanted.iter().filter_map(|words| words.at.spot());
    let spots: Vec<(i64, i64)> = spots.map(|spot| (spot.lane, spot.x)).collect();
    let soon =
        |from: (i64, i64), to: (i64, i64)| from.0 == to.0 && (1..APART).contains(&(to.1 - from.1));
    for words in wanted {
        let Near::Mark(spot) = &mut words.at else { continue };
        let of = (spot.lane, spot.x);
        let is_before = spots.iter().any(|other| soon(of, *other));
        if is_before && !spots.iter().any(|other| soon(*other, of)) {
            spot.side = Side::Left;
        }
    }
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
        Area { left: x - GAP, right: x + width + GAP, top: y - OVER, bottom: y + UNDER }
    }

    fn of_mark((x, y): (i64, i64)) -> Area {
        let half = HALF_MARK;
        Area { left: x - half, right: x + half, top: y - half, bottom: y + half }
    }

    fn of_line((x, y): (i64, i64), (to_x, to_y): (i64, i64)) -> Area {
        let (left, right) = (x.min(to_x) - 1, x.max(to_x) + 1);
        Area { left, right, top: y.min(to_y) - 1, bottom: y.max(to_y) + 1 }
    }

    /// The ends of a bar, which words do not cross.
    fn of_ends(bar: &Bar) -> impl Iterator<Item = Area> {
        let (top, height) = bar.rise();
        let ends = bar.ends().into_iter();
        ends.map(move |x| Area { left: x - 1, right: x + 1, top, bottom: top + height })
    }

    fn meets(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// The square of how far a point lies outside.
    fn far(&self, (x, y): (i64, i64)) -> i64 {
        let across = (self.left - x).max(x - self.right).max(0);
        let down = (self.top - y).max(y - self.bottom).max(0);
        across * across + down * down
    }
}

fn is_free(taken: &[Area], area: &Area) -> bool {
    !taken.iter().any(|taken| taken.meets(area))
}

fn has_room(taken: &[Area], (left, right): (i64, i64), (x, y): (i64, i64), width: i64) -> bool {
    x >= left && x + width <= right && is_free(taken, &Area::of_words(x, y, width))
}

/// A mark's words that have found a place.
struct Placed {
    /// When that was, of marks in one place too.
    event: EventId,
    /// Its mark's middle, and its lane's height.
    of: (i64, i64),
    /// Their left and right end.
    ends: (i64, i64),
    /// Their line.
    line: i64,
}

impl Placed {
    fn new(event: EventId, of: &Spot, (x, line): (i64, i64), width: i64) -> Placed {
        Placed { event, of: (of.x, of.lane), ends: (x, x + width), line }
    }

    /// Whether these words are read before others of their lane, though what they tell of
    /// came later, or the other way round.
    fn is_reversed(&self, other: &Placed) -> bool {
        if self.of.1 != other.of.1 {
            return false;
        }
        let when = |words: &Placed| (words.of.0, words.event);
        let (first, then) = if when(self) < when(other) { (self, other) } else { (other, self) };
        if then.ends.1 <= first.ends.0 {
            return true;
        }
        let is_above = then.line < first.line && then.ends.0 < first.ends.1;
        let is_near = then.of.0 - first.of.0 < APART || then.ends.0 - first.ends.0 < APART;
        is_above && is_near
    }
}

/// What stands in the picture near to some words that look for a place.
struct Room<'a> {
    taken: Vec<Area>,
    marks: Vec<&'a Mark>,
    placed: &'a [Placed],
    event: EventId,
    bounds: (i64, i64),
}

impl Room<'_> {
    fn is_free(&self, area: &Area) -> bool {
        is_free(&self.taken, area)
    }

    fn has(&self, of: &Spot, at: (i64, i64), width: i64) -> bool {
        has_room(&self.taken, self.bounds, at, width) && self.keeps_order(of, at, width)
    }

    /// Whether words of one lane are read in the order of what they tell of.
    fn keeps_order(&self, of: &Spot, at: (i64, i64), width: i64) -> bool {
        let words = Placed::new(self.event, of, at, width);
        !self.placed.iter().any(|other| words.is_reversed(other))
    }

    /// Whether nobody would take the words there for those of another mark: the nearest
    /// one is clearly their own.
    fn is_clear(&self, of: &Spot, (x, y): (i64, i64), width: i64) -> bool {
        let words = Area { left: x, right: x + width, ..Area::of_words(x, y, width) };
        let own = words.far((of.x, of.y));
        let is_own = |mark: &Mark| (mark.x - of.x).abs() <= ONE && mark.y() == of.y;
        self.marks.iter().all(|mark| is_own(mark) || words.far((mark.x, mark.y())) > 2 * own)
    }

    /// A place for a mark's words, and how they stand to it there.
    fn near(&self, of: &Spot, width: i64) -> Option<((i64, i64), Beside)> {
        let has = |place: &(i64, i64)| self.has(of, *place, width);
        let mut straight =
            of.straight(width, self.bounds).filter(has).filter(|at| self.is_clear(of, *at, width));
        if let Some(at) = straight.next() {
            return Some((at, Beside::Mark(of.x, of.y)));
        }
        let is_led = |at: &(i64, i64)| {
            let leader = leader((of.x, of.y), *at, width);
            leader.windows(2).all(|ends| self.is_free(&Area::of_line(ends[0], ends[1])))
        };
        let led = of.led(width, self.bounds).filter(has).find(is_led);
        led.map(|at| (at, Beside::Led(of.x, of.y)))
    }
}

impl Spot {
    /// Where words are read as its own, as long as no other mark is as near.
    fn straight(&self, width: i64, bounds: (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
        let beside = self.side.first([self.x + BESIDE, self.x - BESIDE - width]);
        self.in_lines(beside).chain(self.across(width, bounds))
    }

    /// Across its own line, as near to its middle as there is room in the view and beside
    /// other marks.
    fn across(
        &self,
        width: i64,
        (left, right): (i64, i64),
    ) -> impl Iterator<Item = (i64, i64)> + use<> {
        let is_in_view = (left..=right).contains(&self.x);
        let ends = [self.x - width / 2, self.x - HALF_MARK, self.x + HALF_MARK - width];
        let lefts = ends.map(|x| x.min(right - width).max(left));
        self.in_lines(lefts).filter(move |_| is_in_view)
    }

    fn in_lines<const N: usize>(
        &self,
        lefts: [i64; N],
    ) -> impl Iterator<Item = (i64, i64)> + use<N> {
        let lane = self.lane;
        self.lines.into_iter().flat_map(move |line| lefts.map(|x| (x, lane + line)))
    }

    /// Where they are with a line that leads to it: also in the lines of the next lanes.
    fn led(&self, width: i64, bounds: (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
        const PITCH: i64 = super::PITCH;
        let lines = [self.lines[0], self.lines[1], ABOVE + PITCH, BELOW - PITCH];
        let (x, lane, side) = (self.x, self.lane, self.side);
        let beside = FARTHER.into_iter().flat_map(move |farther| {
            let sides = side.first([x + BESIDE + farther, x - BESIDE - farther - width]);
            lines.into_iter().flat_map(move |line| sides.map(|x| (x, lane + line)))
        });
        beside.chain(self.across(width, bounds))
    }
}

/// The line from a mark to its words: up or down, and then to their nearer end where they
/// do not stand just there.
pub(super) fn leader(mark: (i64, i64), words: (i64, i64), width: i64) -> [(i64, i64); 3] {
    let middle = words.1 - OVER / 2 + 1;
    let is_under = middle > mark.1;
    let from = mark.1 + if is_under { HALF_MARK + 1 } else { -HALF_MARK - 1 };
    if (words.0..=words.0 + width).contains(&mark.0) {
        let edge = if is_under { words.1 - OVER } else { words.1 + UNDER };
        return [(mark.0, from), (mark.0, edge), (mark.0, edge)];
    }
    let end = if words.0 > mark.0 { words.0 - GAP } else { words.0 + width + GAP };
    [(mark.0, from), (mark.0, middle), (end, middle)]
}

/// Gives places to words, within `bounds`.
pub(super) fn place(
    mut wanted: Vec<Wanted>,
    (marks, bars): (&[Mark], &[Bar]),
    bounds: (i64, i64),
    first_ahead: EventId,
) -> Vec<Word> {
    order::by_key(&mut wanted, |words| (words.rank, words.event));
    // There is no room for more.
    wanted.truncate(MOST);
    give_way(&mut wanted);
    let mut taken: Vec<Area> = marks.iter().map(|mark| Area::of_mark((mark.x, mark.y()))).collect();
    taken.extend(bars.iter().flat_map(Area::of_ends));
    let (mut placed, mut of_marks) = (Vec::new(), Vec::new());
    for words in wanted {
        let Wanted { text, of, event, at, .. } = words;
        let near = (marks, of_marks.as_slice(), event);
        let Some((text, (x, y), beside)) = find(text, &at, &taken, near, bounds) else {
            continue;
        };
        taken.push(Area::of_words(x, y, width(&text)));
        let spot = at.spot();
        of_marks.extend(spot.map(|spot| Placed::new(event, spot, (x, y), width(&text))));
        let when = if event < first_ahead { When::Happened } else { When::Ahead };
        let word = Word { x, y, text, of, event, when, beside };
        let leader = word.leader();
        let lines = leader.iter().flat_map(|points| points.windows(2));
        taken.extend(lines.map(|ends| Area::of_line(ends[0], ends[1])));
        placed.push(word);
    }
    placed
}

/// A place for words, or else for the first of them.
fn find(
    text: String,
    at: &Near,
    taken: &[Area],
    (marks, placed, event): (&[Mark], &[Placed], EventId),
    bounds: (i64, i64),
) -> Option<(String, (i64, i64), Beside)> {
    let wide = width(&text);
    let of = match at {
        Near::Bar(look, places) => {
            let at = places.iter().find(|place| has_room(taken, bounds, **place, wide))?;
            return Some((text, *at, Beside::Bar(*look)));
        }
        Near::Mark(spot) => spot,
    };
    // Only what is near can be in the way.
    let reach = wide + 100;
    let (left, right) = (of.x - reach, of.x + reach);
    let near = Area { left, right, top: of.lane - 75, bottom: of.lane + 75 };
    let taken = taken.iter().copied().filter(|area| area.meets(&near)).collect();
    let is_near = |mark: &&Mark| near.far((mark.x, mark.y())) == 0;
    let marks = marks.iter().filter(is_near).collect();
    let room = Room { taken, marks, placed, event, bounds };
    if let Some((at, beside)) = room.near(of, wide) {
        return Some((text, at, beside));
    }
    let begins = short::begins(&text)?;
    let (at, beside) = room.near(of, width(&begins))?;
    Some((begins, at, beside))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &str, rank: u8, places: &[(i64, i64)]) -> Wanted {
        let text = text.to_owned();
        let at = Near::Bar(Look::Holds, places.to_vec());
        Wanted { text, of: Of::Plain, event: EventId(u32::from(rank)), rank, at }
    }

    #[track_caller]
    fn check(wanted: Vec<Wanted>, expected: &[(&str, i64, i64)]) {
        let placed = place(wanted, (&[], &[]), (0, 1_000), EventId(99));
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
