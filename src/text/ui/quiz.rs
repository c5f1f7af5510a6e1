//! The quiz.

use crate::learn::progress::Confidence;
use crate::learn::quiz::{Kind, Topic, Unit, Untyped};
use crate::sim::time::{Span, TrueTime};
use crate::text::amounts;

/// The quiz.
#[derive(Debug)]
pub struct Quiz {
    /// The panel with the lesson and the quiz.
    pub side: &'static str,
    /// The buttons that show one or the other.
    pub lesson: &'static str,
    /// The same.
    pub quiz: &'static str,
    /// Where a round is chosen.
    pub start: Start,
    /// A question.
    pub ask: Ask,
    /// What is said to an answer.
    pub met: Met,
    /// The end of a round.
    pub end: End,
    /// Progress on this device.
    pub keep: Keep,
    /// The name of a topic.
    pub topic: fn(topic: Topic) -> &'static str,
}

/// Where a round is chosen.
#[derive(Debug)]
pub struct Start {
    /// The heading.
    pub title: &'static str,
    /// What it is.
    pub about: fn(all: usize) -> String,
    /// The list of rounds.
    pub rounds: &'static str,
    /// Some of every topic.
    pub mixed: fn(count: usize) -> String,
    /// Every question.
    pub all: fn(count: usize) -> String,
    /// Those of a topic.
    pub of: fn(topic: Topic, count: usize) -> String,
    /// Those missed.
    pub missed: fn(count: usize) -> String,
    /// That missed ones come first.
    pub first: &'static str,
}

/// A question.
#[derive(Debug)]
pub struct Ask {
    /// Which of how many.
    pub place: fn(nth: usize, all: usize, topic: Topic) -> String,
    /// The score so far.
    pub score: fn(right: usize, all: usize) -> String,
    /// How a question of a kind is answered.
    pub how: fn(kind: Kind) -> &'static str,
    /// Moves an item of an order up.
    pub up: fn(place: usize, item: &str) -> String,
    /// Moves it down.
    pub down: fn(place: usize, item: &str) -> String,
    /// The field of a number.
    pub number: fn(unit: Option<Unit>) -> &'static str,
    /// What stands behind the field.
    pub unit: fn(unit: Option<Unit>) -> &'static str,
    /// How near to the right number counts as right.
    pub within: fn(unit: Option<Unit>, within: i64) -> String,
    /// The run is not looked at.
    pub other_run: &'static str,
    /// Opens it.
    pub open_run: &'static str,
    /// No event is selected.
    pub no_event: &'static str,
    /// Before the event that is selected.
    pub selected: &'static str,
    /// How sure one is.
    pub sure: &'static str,
    /// An answer to that.
    pub so_sure: fn(confidence: Confidence) -> &'static str,
    /// No answer to that.
    pub unsaid: &'static str,
    /// Checks the answer.
    pub check: &'static str,
    /// The same, of an event.
    pub check_event: &'static str,
    /// Ends the round.
    pub end: &'static str,
    /// Goes from the diagram to the question.
    pub back: &'static str,
    /// Nothing is chosen.
    pub nothing_chosen: &'static str,
    /// What is typed is no number of the kind asked for.
    pub untyped: fn(unit: Option<Unit>, why: Untyped) -> &'static str,
}

/// What is said to an answer.
#[derive(Debug)]
pub struct Met {
    /// It is right.
    pub right: &'static str,
    /// It is not.
    pub wrong: &'static str,
    /// Marks an option that was chosen.
    pub yours: &'static str,
    /// Marks one that is right.
    pub is_right: &'static str,
    /// Marks one that was chosen and is right.
    pub both: &'static str,
    /// Before what was answered.
    pub answered: &'static str,
    /// Before what is right.
    pub solution: &'static str,
    /// Before an order that is right.
    pub order: &'static str,
    /// Where an item was put.
    pub placed: fn(place: usize) -> String,
    /// Before what is said to everybody.
    pub why: &'static str,
    /// Goes to the moment in the lab.
    pub see: &'static str,
    /// Before another run.
    pub changed: &'static str,
    /// Opens that.
    pub see_changed: &'static str,
    /// Before what is right in it.
    pub then: &'static str,
    /// A moment, for one that is no event.
    pub at: fn(moment: &str) -> String,
    /// The next question.
    pub next: &'static str,
    /// The end of the round.
    pub finish: &'static str,
    /// For a screen reader: whether it was right, and the score.
    pub told: fn(is_right: bool, right: usize, all: usize) -> String,
}

/// The end of a round.
#[derive(Debug)]
pub struct End {
    /// The heading.
    pub title: &'static str,
    /// The score.
    pub score: fn(right: usize, all: usize) -> String,
    /// What was missed.
    pub missed: &'static str,
    /// Nothing was.
    pub none_missed: &'static str,
    /// A round of those.
    pub again: fn(count: usize) -> String,
    /// Of another.
    pub other: &'static str,
    /// How sure one was, and how often right.
    pub calibration: &'static str,
    /// Of the answers of which one was so sure, so many were right.
    pub sure: fn(confidence: Confidence, all: usize, right: usize) -> String,
}

/// Progress on this device.
#[derive(Debug)]
pub struct Keep {
    /// The box to tick.
    pub keep: &'static str,
    /// What that means.
    pub about: &'static str,
    /// The browser does not let the page.
    pub denied: &'static str,
    /// What was kept cannot be read, or not all of it.
    pub unread: fn(why: &str, is_kept: bool) -> String,
}

/// A number that was answered, as fine as it is.
pub fn given_number(unit: Option<Unit>, number: i64) -> String {
    match unit {
        Some(Unit::Seconds) => amounts::fine_moment(TrueTime(Span::from_ms(number).us())),
        Some(Unit::Money) if number % 100_000 == 0 => amounts::money(number),
        Some(Unit::Money) | None => amounts::whole(number),
    }
}

/// A number that is right, as fine as it matters.
pub fn right_number(unit: Option<Unit>, number: i64) -> String {
    match unit {
        Some(Unit::Seconds) => amounts::moment(TrueTime(Span::from_ms(number).us())),
        Some(Unit::Money) => amounts::money(number),
        None => amounts::whole(number),
    }
}

fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Tokens => "Tokens",
        Topic::Leases => "Leases and clocks",
        Topic::Renewals => "Renewals",
        Topic::Store => "The store",
        Topic::Effects => "Messages and effects",
        Topic::Redis => "Locks in Redis",
        Topic::Redlock => "Redlock",
        Topic::ZooKeeper => "Locks in ZooKeeper",
        Topic::Postgres => "Locks in PostgreSQL",
        Topic::Consul => "Locks in Consul",
        Topic::Etcd => "Data in etcd",
        Topic::NoLock => "Without a lock",
        Topic::Objects => "Objects as locks",
    }
}

/// English.
pub const ENGLISH: Quiz = Quiz {
    side: "Lesson and quiz",
    lesson: "Lesson",
    quiz: "Quiz",
    start: START,
    ask: ASK,
    met: MET,
    end: END,
    keep: KEEP,
    topic,
};

const START: Start = Start {
    title: "Can you tell the safe design from the unsafe one?",
    about: |all| {
        format!(
            "{all} questions, each about a run that the lab can play. The lab finds what is \
             right by running it, and you can watch it happen afterwards."
        )
    },
    rounds: "Choose a round",
    mixed: |count| format!("{count} mixed questions"),
    all: |count| format!("All {count} questions"),
    of: |of, count| format!("{}: {count} questions", topic(of)),
    missed: |count| match count {
        1 => "The question you missed".to_owned(),
        count => format!("The {count} questions you missed"),
    },
    first: "Questions you missed before come first in each round.",
};

const ASK: Ask = Ask {
    place: |nth, all, of| format!("Question {nth} of {all} · {}", topic(of)),
    score: |right, all| format!("{right} of {all} right so far"),
    how: |kind| match kind {
        Kind::Choice => "Choose one.",
        Kind::Several => "Choose all that are right.",
        Kind::Order => "Put the first at the top.",
        Kind::Number => "Type a number.",
        Kind::Event => "Pick the event in the diagram or in the list of events.",
        Kind::Line => "Choose a line of the program.",
    },
    up: |place, item| format!("Move up from place {place}: {item}"),
    down: |place, item| format!("Move down from place {place}: {item}"),
    number: |unit| match unit {
        Some(Unit::Seconds) => "Your answer in seconds",
        Some(Unit::Money) => "Your answer as an amount",
        None => "Your answer",
    },
    unit: |unit| match unit {
        Some(Unit::Seconds) => "s",
        Some(Unit::Money) | None => "",
    },
    within: |unit, within| match (within, unit) {
        (0, _) => "Only the exact number counts as right.".to_owned(),
        (ms, Some(Unit::Seconds)) => {
            format!("What is at most {} off counts as right.", amounts::span(Span::from_ms(ms)))
        }
        (other, Some(Unit::Money) | None) => {
            format!("What is at most {} off counts as right.", amounts::whole(other))
        }
    },
    other_run: "You are not looking at the run that this question is about. It opens beside \
                yours, which stay as they are.",
    open_run: "Open the run",
    no_event: "No event is selected yet. The run is open, from its start to its end.",
    selected: "Selected now",
    sure: "How sure are you? You can leave this out.",
    so_sure: |confidence| match confidence {
        Confidence::NotSure => "Not sure",
        Confidence::Fairly => "Fairly sure",
        Confidence::Sure => "Sure",
    },
    unsaid: "Not said",
    check: "Check",
    check_event: "Answer with this event",
    end: "End this round",
    back: "Back to the question",
    nothing_chosen: "Nothing is chosen yet. Choose an answer, then check it.",
    untyped: |unit, why| match (why, unit) {
        (Untyped::Empty, _) => "Nothing is typed yet. Type a number, then check it.",
        (Untyped::Negative, _) => "This is below zero, and the answer is not.",
        (Untyped::TooLarge, _) => "This number is too large to be compared.",
        (Untyped::TooFine, _) => "This is finer than a millisecond. Leave some places out.",
        (Untyped::NotWhole, _) => {
            "The answer is a whole number. Leave out what is behind the point."
        }
        (Untyped::NoNumber, Some(Unit::Seconds)) => {
            "This is not read as a number. Type seconds, such as 12 or 12.5."
        }
        (Untyped::NoNumber, Some(Unit::Money)) => {
            "This is not read as an amount. Type it such as 1,500,000 or 1.5 M."
        }
        (Untyped::NoNumber, None) => "This is not read as a number. Type digits, such as 12.",
    },
};

const MET: Met = Met {
    right: "Right.",
    wrong: "Not right.",
    yours: "your answer",
    is_right: "right",
    both: "your answer, right",
    answered: "You answered",
    solution: "Right is",
    order: "The order in this run",
    placed: |place| format!("you put it at place {place}"),
    why: "Why",
    see: "See it happen",
    changed: "What if…",
    see_changed: "See that run",
    then: "Then it is",
    at: |moment| format!("what happens at {moment}"),
    next: "Next question",
    finish: "To the end of the round",
    told: |is_right, right, all| {
        let word = if is_right { "Right" } else { "Not right" };
        format!("{word}. {right} of {all} right so far.")
    },
};

const END: End = End {
    title: "The round is over",
    score: |right, all| match (right, all) {
        (right, all) if right == all => match all {
            1 => "The one answer was right.".to_owned(),
            all => format!("All {all} answers were right."),
        },
        (0, 1) => "The one answer was not right.".to_owned(),
        (0, all) => format!("None of {all} answers was right."),
        (1, all) => format!("1 of {all} answers was right."),
        (right, all) => format!("{right} of {all} answers were right."),
    },
    missed: "Missed",
    none_missed: "Nothing was missed.",
    again: |count| match count {
        1 => "Again with the missed one".to_owned(),
        count => format!("Again with the {count} missed ones"),
    },
    other: "Choose another round",
    calibration: "How sure you were",
    sure: |confidence, all, right| {
        let how = match confidence {
            Confidence::NotSure => "not sure",
            Confidence::Fairly => "fairly sure",
            Confidence::Sure => "sure",
        };
        let were = if right == 1 { "was" } else { "were" };
        match all {
            1 if right == 1 => format!("The one answer that you were {how} of was right."),
            1 => format!("The one answer that you were {how} of was not right."),
            _ => format!("Of {all} answers that you were {how} of, {right} {were} right."),
        }
    },
};

const KEEP: Keep = Keep {
    keep: "Keep my progress on this device",
    about: "Whether each answer was right and how sure you were, the lessons you finished, and \
            how many rounds you began. Untick it, and it is deleted.",
    denied: "Progress is not kept here: the browser does not let this page keep anything. The \
             quiz works all the same.",
    unread: |why, is_kept| {
        if is_kept {
            format!("Of the progress kept on this device, {why}. All else was taken over.")
        } else {
            format!(
                "The progress kept on this device cannot be read: {why}. It stays as it is \
                 until you tick the box."
            )
        }
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_shown_as_fine_as_it_was_typed() {
        let given = |unit, number| given_number(unit, number);
        assert_eq!(given(Some(Unit::Seconds), 51_552), "51.552 s");
        assert_eq!(given(Some(Unit::Seconds), 55_000), "55 s");
        assert_eq!(given(Some(Unit::Money), 2_000_000), "2.0 M");
        assert_eq!(given(Some(Unit::Money), 2_000_001), "2,000,001");
        assert_eq!(given(None, 43), "43");
        assert_eq!(right_number(Some(Unit::Seconds), 51_502), "51.5 s");
    }

    /// What is said is what is graded, not rounded.
    #[test]
    fn how_near_a_number_has_to_be_is_said_of_every_question() {
        let seconds = Some(Unit::Seconds);
        for (within, unit, told) in [
            (600, seconds, "What is at most 0.6 s off counts as right."),
            (1_500, seconds, "What is at most 1.5 s off counts as right."),
            (20, seconds, "What is at most 20 ms off counts as right."),
            (0, None, "Only the exact number counts as right."),
        ] {
            assert_eq!((ASK.within)(unit, within), told);
        }
        let questions = crate::learn::quiz::quiz().expect("the files are right").questions;
        let numbers = questions.iter().filter(|question| question.kind == Kind::Number);
        let is_round = |within: i64| within < 100 || within % 100 == 0;
        assert!(numbers.into_iter().all(|question| is_round(question.within)));
    }

    #[test]
    fn scores_and_sureness_are_said_in_sentences() {
        assert_eq!((END.score)(7, 10), "7 of 10 answers were right.");
        assert_eq!((END.score)(10, 10), "All 10 answers were right.");
        assert_eq!((END.score)(0, 3), "None of 3 answers was right.");
        assert_eq!((END.score)(1, 1), "The one answer was right.");
        let sure = |all, right| (END.sure)(Confidence::Sure, all, right);
        assert_eq!(sure(9, 7), "Of 9 answers that you were sure of, 7 were right.");
        assert_eq!(sure(2, 1), "Of 2 answers that you were sure of, 1 was right.");
        assert_eq!(sure(1, 0), "The one answer that you were sure of was not right.");
    }
}
