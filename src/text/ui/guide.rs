//! What to do next.

use crate::scenario::clicks::Do;
use crate::scenario::names::{Names, Role};
use crate::text::amounts;
use crate::text::ui::faults;

/// What to do next: a sentence, and the words on its button.
#[derive(Debug)]
pub struct Guide {
    /// Begin; where the run stops by itself, if it does.
    pub start: &'static str,
    /// Beside it, when the run will wait: at which moment.
    pub start_waits: fn(moment: &str) -> String,
    /// Beside it, when it will not.
    pub start_plays: &'static str,
    /// The scenario's own fault is made on its thing: what is done, to whom.
    pub do_there: fn(action: &str) -> String,
    /// Another fault of the scenario's, which has its button here: the words on it.
    pub click: fn(&Do, &Names) -> String,
    /// Beside it: where else it can be made.
    pub click_why: &'static str,
    /// Goes to that thing.
    pub show: fn(thing: &str) -> String,
    /// Goes to the machines, past the lesson: seen while it has the focus.
    pub to_stage: &'static str,
    /// Goes to the next thing from where it is out of sight.
    pub to_next: &'static str,
    /// From what stops a run to where it is seen best.
    pub to_diagram: &'static str,
    /// Let the run go on after a click.
    pub just_run: &'static str,
    /// Beside it.
    pub just_run_why: &'static str,
    /// Beside it, where the reader has done the same at another moment.
    pub just_run_moment: &'static str,
    /// Beside it, where the reader has done something else than the scenario tells of.
    pub just_run_own: &'static str,
    /// Where the scenario's next click cannot be made: which, and why.
    pub impossible: fn(click: &str, why: &str) -> String,
    /// The heading over a run in which the reader does other things.
    pub own: &'static str,
    /// The heading over one that the lesson asks for, before anything was done in it.
    pub own_asked: &'static str,
    /// The heading over a run in which what its scenario tells of was not done at its moment.
    pub untouched: &'static str,
    /// The same at its end, when nothing was done: what is booked, and of what.
    pub untouched_ended: fn(booked: &str, owed: &str) -> String,
    /// The heading over the story of a scenario with a store of another rule: what that does.
    pub other_rule: fn(store_does: &str) -> String,
    /// The same at its end.
    pub other_rule_ended: fn(store_does: &str, booked: &str, owed: &str) -> String,
    /// A run of the reader's own has not come to what the lesson asks for: what was asked
    /// for, and what it came to.
    pub missed: fn(asked: &str, came: &str) -> String,
    /// The same where other things were done in it.
    pub missed_clicks: fn(asked: &str) -> String,
    /// The same where nothing was.
    pub missed_untouched: fn(asked: &str) -> String,
    /// Above a run that a question opened.
    pub of_quiz: &'static str,
    /// The same at its end: what is booked, and of what.
    pub of_quiz_ended: fn(&str, &str) -> String,
    /// The same at its end: what is booked of what is owed.
    pub own_ended: fn(booked: &str, owed: &str) -> String,
    /// Begins the lesson anew.
    pub anew: &'static str,
    /// Let the run go on.
    pub play: &'static str,
    /// Beside it.
    pub play_why: &'static str,
    /// Stop.
    pub stop: &'static str,
    /// Beside it.
    pub stop_why: &'static str,
    /// The same clicks with tokens checked.
    pub run_again: &'static str,
    /// Begins a run in which the reader looks for a click.
    pub own_run: &'static str,
    /// Beside *Play*, while the reader is to look for one.
    pub look_for: &'static str,
    /// Beside *Just run*, when the reader has made one.
    pub just_run_found: &'static str,
    /// Goes to another lesson: its title.
    pub lesson: fn(title: &str) -> String,
    /// Goes to another chapter: its title.
    pub chapter: fn(title: &str) -> String,
    /// Beside the first of these.
    pub lesson_why: &'static str,
    /// Beside *Play again*, after the last lesson.
    pub chapter_done: &'static str,
    /// The way to the quiz from there.
    pub to_quiz: &'static str,
    /// Once more from the start.
    pub play_again: &'static str,
    /// Every promise was kept, and every program came to its end.
    pub kept: &'static str,
    /// The same of a run in which somebody has not come to an end.
    pub unbroken: &'static str,
    /// Every promise was kept, but not all that is owed was booked.
    pub not_done: fn(booked: &str) -> String,
    /// Promises are broken: what happened.
    pub broken: fn(happened: &str) -> String,
    /// Nothing happens any more: who stands still until it is resumed, woken or started.
    pub stuck: fn(who: &str, until: Until) -> String,
    /// The programs of these have not come to their end, and nothing will end them.
    pub unfinished: fn(who: &str) -> String,
    /// The run was cut short at its limit while these had not finished; what is booked.
    pub cut_short: fn(limit: &str, who: &str, booked: &str) -> String,
    /// What else can be done at the end of a run.
    pub go_back: &'static str,
}

/// What a machine that stands still waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// A paused process.
    Resumed,
    /// A suspended machine.
    Woken,
    /// A process that does not run.
    Started,
}

/// English.
pub const ENGLISH: Guide = Guide {
    start: "Start",
    start_waits: |moment| format!("It runs to {moment} and waits there for you."),
    start_plays: "It runs to its end unless you stop it.",
    do_there: |action| format!("Now {action}: the button is on its card."),
    click,
    click_why: "Or do it on the stage, where the thing itself is.",
    show: |thing| format!("Show {thing}"),
    to_stage: "Skip to the machines",
    to_next: "To the next step",
    to_diagram: "To the diagram",
    just_run: "Just run",
    just_run_why: "It is done. Let the run go on and watch.",
    just_run_moment: "You did it at another moment than the lesson tells of. Let the run go on \
                      and see what comes of it.",
    just_run_own: "You did something else than the lesson tells of. Let the run go on and see \
                   what comes of it.",
    impossible: |click, why| {
        format!(
            "The scenario tells of “{click}” at this moment, and in this run that cannot be \
             done: {why}. Let the run go on without it, or do something else."
        )
    },
    own: "Your own run: see what comes of what you did.",
    own_asked: "Your own run: find in it what the lesson asks for.",
    untouched: "Nothing was done in this run so far.",
    untouched_ended: |booked, owed| {
        format!("Nothing was done in this run. It ended with {booked} of {owed} booked.")
    },
    other_rule: |store_does| format!("The same clicks, and the store {store_does}."),
    other_rule_ended: |store_does, booked, owed| {
        format!(
            "The same clicks, and the store {store_does}: the run ended with {booked} of {owed} \
             booked."
        )
    },
    missed: |asked, came| format!("That was not it yet. Asked for: {asked}. In this run: {came}."),
    missed_clicks: |asked| {
        format!(
            "That was not it yet. Asked for: {asked}. In this run something else was done than \
             the lesson asks for."
        )
    },
    missed_untouched: |asked| {
        format!("That was not it yet. Asked for: {asked}. In this run nothing was done.")
    },
    of_quiz: "The quiz’s run: see what comes of its clicks.",
    of_quiz_ended: |booked, owed| format!("The quiz’s run ended with {booked} of {owed} booked."),
    own_ended: |booked, owed| format!("Your own run ended with {booked} of {owed} booked."),
    anew: "Begin anew",
    play: "Play",
    play_why: "Or do something to a machine, a link or a message first.",
    stop: "Stop",
    stop_why: "It plays; quiet stretches pass quickly.",
    run_again: "Check tokens and run the same clicks again",
    own_run: "Begin a run of your own",
    look_for: "Your turn: do what the lesson asks for on the stage, then let it run.",
    just_run_found: "It is done. Let the run go on and see whether that was it.",
    lesson: |title| format!("Next lesson: {title}"),
    chapter: |title| format!("Next chapter: {title}"),
    lesson_why: "This lesson is done.",
    chapter_done: "This was the last lesson of the chapter.",
    to_quiz: "Go on with the quiz",
    play_again: "Play again",
    kept: "Every promise was kept.",
    unbroken: "No promise was broken.",
    not_done: |booked| {
        format!("No promise was broken, but the work is not done: {booked} is booked.")
    },
    broken: |happened| format!("Broken: {happened}."),
    stuck: |who, until| {
        let until = match until {
            Until::Resumed => "stands still until you resume it",
            Until::Woken => "sleeps until you wake it",
            Until::Started => "does not run until you start it",
        };
        format!("Nothing more happens by itself: {who} {until}.")
    },
    unfinished: |who| format!("Not finished: {who}. Nothing more happens by itself."),
    cut_short: |limit, who, booked| {
        format!(
            "A run is cut off at {limit}. Until then these had not finished: {who}. Booked: \
             {booked}."
        )
    },
    go_back: "Go back to any moment and make another fault there.",
};

fn click(action: &Do, names: &Names) -> String {
    match action {
        // A member is itself part of all of them.
        Do::Cut { from, to, .. }
            if *to == names.all_nodes()
                && names.find(from).is_some_and(|it| names.role(it) == Role::Member) =>
        {
            format!("Cut {from} off from the others")
        }
        Do::Cut { from, to, .. } => format!("Cut {from} off from {to}"),
        Do::SetRate { node, rate_ppm } => {
            format!("Let {node}'s clock run at {}", amounts::rate(*rate_ppm))
        }
        Do::Promote { node } => format!("Promote {node}"),
        other => match other.node() {
            Some(node) => (faults::ENGLISH.button_on)(other, node),
            None => (faults::ENGLISH.button)(other).to_owned(),
        },
    }
}
