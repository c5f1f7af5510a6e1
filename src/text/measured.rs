//! English: what a measure of a run comes to.

use super::amounts::{fine_moment, money, whole};
use super::ui::ui;
use crate::learn::quiz::measure::Happening;
use crate::learn::quiz::{Expected, Measure};
use crate::sim::time::{Span, TrueTime};

/// What a measure comes to, as a file says it: "4.0 M booked". None where it is an event.
pub fn came_to(measure: &Measure, value: &Expected) -> Option<String> {
    let word = |value: &Expected| match value {
        Expected::Word(word) => word.clone(),
        Expected::Number(number) => whole(*number),
    };
    Some(match (measure, value) {
        (Measure::Write { of }, Expected::Word(is)) => match is.as_str() {
            "accepted" => format!("what {of} writes is accepted"),
            "refused" => format!("what {of} writes is refused"),
            _ => format!("{of} writes nothing"),
        },
        (Measure::Verdict { property }, Expected::Word(is)) => {
            let happened = (ui().verdict.happened)(*property);
            match is.as_str() {
                "broken" => happened.to_owned(),
                _ => format!("not once that {happened}"),
            }
        }
        (Measure::Safe {}, Expected::Word(is)) => match is.as_str() {
            "kept" => "every promise is kept".to_owned(),
            _ => "a promise is broken".to_owned(),
        },
        (Measure::Booked {}, Expected::Number(amount)) => format!("{} booked", money(*amount)),
        (Measure::Count { of, what }, Expected::Number(count)) => {
            let often = match count {
                0 => "never".to_owned(),
                1 => "once".to_owned(),
                count => format!("{count} times"),
            };
            format!("{of} {}: {often}", happens(*what))
        }
        (Measure::Moment { of, what, .. }, Expected::Number(ms)) => {
            let at = fine_moment(TrueTime(Span::from_ms(*ms).us()));
            format!("{of} {}: at {at}", happens(*what))
        }
        (Measure::Moment { of, what, .. }, value) => {
            format!("{of} {}: {}", happens(*what), word(value))
        }
        (Measure::Token { of, .. }, value) => format!("{of} has token {}", word(value)),
        (Measure::First { what }, value) => format!("{} {} first", word(value), happens(*what)),
        (Measure::Holder { of, what, .. }, value) => {
            format!("when {of} {}, the lock is held by {}", happens(*what), word(value))
        }
        _ => return None,
    })
}

/// What happens to a worker, behind its name.
fn happens(what: Happening) -> &'static str {
    match what {
        Happening::Begins => "begins",
        Happening::Queues => "queues",
        Happening::Granted => "is granted the lock",
        Happening::Believes => "believes that it holds the lock",
        Happening::SessionOver => "finds its session over",
        Happening::Renewed => "has its lease renewed",
        Happening::Expires => "has its lease expire",
        Happening::Revoked => "has its lease revoked",
        Happening::Claims => "has its claim accepted",
        Happening::Writes => "sends what it writes",
        Happening::Accepted => "has its write accepted",
        Happening::Refused => "has its write refused",
        Happening::Wakes => "wakes",
        Happening::Exits => "exits",
        Happening::Stops => "stops",
        Happening::Finishes => "finishes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Condition, Lesson, chapters};

    /// What every run of the reader's own is asked to come to.
    #[test]
    fn all_that_a_lesson_asks_a_run_to_come_to_has_words() {
        let all = chapters().expect("a test reads every chapter");
        let lessons: Vec<&Lesson> = all.iter().flat_map(|chapter| &chapter.lessons).collect();
        let asked = lessons.iter().flat_map(|lesson| &lesson.steps);
        let mut told = Vec::new();
        for step in asked.filter(|step| step.own_run.is_some()) {
            let Condition::Found(found) = &step.done else { panic!("{step:?}") };
            let words = |claim: &crate::learn::told::Claim| came_to(&claim.asks, &claim.is);
            told.extend(found.so.iter().map(|claim| words(claim).expect("it has words")));
        }
        told.sort();
        told.dedup();
        let expected = [
            "100,000 booked",
            "4.0 M booked",
            "450 booked",
            "W1 exits: once",
            "W1 has its lease revoked: once",
            "W1 writes nothing",
            "every promise is kept",
            "not once that two believed that they held the lock",
            "two believed that they held the lock",
            "what W1 writes is accepted",
            "what W1 writes is refused",
        ];
        assert_eq!(told, expected);
    }
}
