//! The lab's bench: what can be set in a run, and its clicks.

use super::bench_objects;
use super::bench_words::{CHOICES, FIELDS, GROUPS};
use crate::scenario::clicks::MessageSpec;

/// The lab's bench.
#[derive(Debug)]
pub struct Bench {
    /// Its heading.
    pub title: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// One step back.
    pub undo: &'static str,
    /// One step forth.
    pub redo: &'static str,
    /// Opens the same run in a second tab.
    pub copy: &'static str,
    /// The list of scenarios.
    pub scenario: &'static str,
    /// The list of variants.
    pub variant: &'static str,
    /// None of them.
    pub no_variant: &'static str,
    /// How many settings differ from the scenario.
    pub changed: fn(usize) -> String,
    /// The same of a group, in short.
    pub changed_short: fn(usize) -> String,
    /// A scenario, and which variant of it.
    pub of_variant: fn(title: &str, variant: &str) -> String,
    /// The title of a scenario of which something is set otherwise.
    pub changed_title: fn(title: &str, service: Option<&str>) -> String,
    /// One thing that is set otherwise than in the scenario: of which worker, if of one, what
    /// and how.
    pub differs: fn(worker: Option<&str>, label: &str, value: &str) -> String,
    /// A title with the first of them, and how many more there are.
    pub differing: fn(title: &str, first: &str, more: usize) -> String,
    /// Behind a refusal that tells of milliseconds.
    pub in_ms: &'static str,
    /// Sets all as in the scenario.
    pub reset_all: &'static str,
    /// What the scenario has there.
    pub was: fn(was: &str, unit: &str) -> String,
    /// Where that is nothing.
    pub was_nothing: &'static str,
    /// Sets it as there.
    pub reset: &'static str,
    /// Its accessible name: which.
    pub reset_of: fn(label: &str) -> String,
    /// A group of fields: its heading, by id.
    pub group: fn(id: &str) -> &'static str,
    /// A field, by its path without the worker.
    pub field: fn(path: &str) -> Words,
    /// A choice of a field, by path and name.
    pub choice: fn(path: &str, name: &str) -> Option<(&'static str, &'static str)>,
    /// What a field can be left empty for.
    pub may_be_empty: &'static str,
    /// The field of a worker, for screen readers.
    pub of_worker: fn(label: &str, worker: &str) -> String,
    /// A worker that the scenario does not have.
    pub added: &'static str,
    /// One more.
    pub add_worker: fn(like: &str) -> String,
    /// One less.
    pub remove_worker: fn(name: &str) -> String,
    /// The steps of a program.
    pub steps: fn(worker: &str) -> String,
    /// Moves a step towards the start.
    pub up: fn(step: &str, place: usize) -> String,
    /// Moves a step towards the end.
    pub down: fn(step: &str, place: usize) -> String,
    /// Takes a step out.
    pub remove_step: fn(step: &str, place: usize) -> String,
    /// The list of steps to add.
    pub step: &'static str,
    /// Adds it.
    pub add_step: &'static str,
    /// The workers.
    pub workers: &'static str,
    /// The list of clicks.
    pub clicks: &'static str,
    /// There are none.
    pub no_clicks: &'static str,
    /// A click, with its moment in seconds.
    pub click_at: fn(says: &str, moment: &str) -> String,
    /// Of which clicks the scenario tells that cannot be made.
    pub lost_clicks: fn(clicks: &[String]) -> String,
    /// The same, with the setting to which they are lost.
    pub lost_to: fn(clicks: &[String]) -> String,
    /// Takes the scenario's.
    pub own_clicks: &'static str,
    /// What is done, and to what.
    pub on: fn(what: &str, whom: &str) -> String,
    /// The same for a message.
    pub on_message: fn(what: &str, message: &MessageSpec) -> String,
    /// The moment of a click.
    pub moment: &'static str,
    /// The same of one of them, for screen readers.
    pub moment_of: fn(click: &str) -> String,
    /// Makes it earlier.
    pub earlier: fn(click: &str) -> String,
    /// Makes it later.
    pub later: fn(click: &str) -> String,
    /// Makes it at the moment one looks at.
    pub here: fn(click: &str) -> String,
    /// The same, seen.
    pub here_short: &'static str,
    /// Takes it out.
    pub delete: fn(click: &str) -> String,
    /// The amount of a click, for screen readers.
    pub amount_of: fn(click: &str) -> String,
    /// Empty is until it is undone.
    pub until_undone: &'static str,
    /// The form that adds a click.
    pub add: &'static str,
    /// What it is done to.
    pub whom: &'static str,
    /// What is done.
    pub what: &'static str,
    /// How long, how much.
    pub amount: &'static str,
    /// Adds it.
    pub add_click: &'static str,
    /// Clicks on messages are made where these are.
    pub on_messages: &'static str,
    /// No time was typed.
    pub no_time: &'static str,
    /// No whole number was typed.
    pub no_whole: &'static str,
    /// No percentage was typed.
    pub no_percent: &'static str,
    /// No factor was typed.
    pub no_factor: &'static str,
    /// No seed was typed.
    pub no_seed: &'static str,
    /// Why an edit cannot be.
    pub refused: fn(error: &str) -> String,
}

/// The words of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Words {
    /// What it is called.
    pub label: &'static str,
    /// Its unit, if it has one.
    pub unit: &'static str,
    /// What it does, in a sentence; none where the label says it.
    pub help: &'static str,
}

/// English.
pub const ENGLISH: Bench = Bench {
    title: "Lab",
    about: "Change anything in this run. It stays in its tab; undo brings back what was.",
    undo: "Undo",
    redo: "Redo",
    copy: "Keep this and edit a copy",
    scenario: "Scenario",
    variant: "Variant",
    no_variant: "As the scenario has it",
    changed: |count| match count {
        0 => "As the scenario has it.".to_owned(),
        1 => "1 setting differs from the scenario.".to_owned(),
        count => format!("{count} settings differ from the scenario."),
    },
    of_variant: |title, variant| format!("{title} – {variant}"),
    changed_title: |title, service| match service {
        Some(service) => format!("{title} (changed, with {service})"),
        None => format!("{title} (changed)"),
    },
    changed_short: |count| format!("{count} changed"),
    differs: |worker, label, value| match worker {
        Some(worker) => format!("{worker}, {label}: {value}"),
        None => format!("{label}: {value}"),
    },
    differing: |title, first, more| match more {
        0 => format!("{title}; {first}"),
        more => format!("{title}; {first}, and {more} more"),
    },
    in_ms: "(A second is 1,000 ms.)",
    reset_all: "Reset all settings",
    was: |was, unit| format!("Scenario: {was} {unit}").trim_end().to_owned(),
    was_nothing: "Scenario: empty",
    reset: "Reset",
    reset_of: |label| format!("Reset {label}"),
    group: |id| GROUPS.iter().find(|(other, _)| *other == id).map_or("", |(_, title)| title),
    field,
    choice,
    may_be_empty: "May be empty.",
    of_worker: |label, worker| format!("{label}, {worker}"),
    added: "added",
    add_worker: |like| format!("Add a worker like {like}"),
    remove_worker: |name| format!("Remove {name}"),
    steps: |worker| format!("Program of {worker}"),
    up: |step, place| format!("Move step {place}, {step}, up"),
    down: |step, place| format!("Move step {place}, {step}, down"),
    remove_step: |step, place| format!("Remove step {place}, {step}"),
    step: "Step to add",
    add_step: "Add step",
    workers: "Workers",
    clicks: "Clicks",
    no_clicks: "None yet. Make one on the stage, or add one below.",
    click_at: |says, moment| format!("“{says}” at {moment} s"),
    lost_clicks: |clicks| {
        format!(
            "Of what the scenario tells, this cannot be done in the run: {}.",
            clicks.join(", ")
        )
    },
    lost_to: |clicks| {
        format!("With this, what the scenario tells of cannot be done: {}.", clicks.join(", "))
    },
    own_clicks: "Take the scenario’s clicks",
    on: |what, whom| format!("{what}, {whom}"),
    on_message: |what, message| {
        let MessageSpec { from, to, kind, nth } = message;
        format!("{what}, {kind} {nth}, {from} to {to}")
    },
    moment: "at",
    moment_of: |click| format!("Moment of {click}"),
    earlier: |click| format!("Half a second earlier: {click}"),
    later: |click| format!("Half a second later: {click}"),
    here: |click| format!("Now: {click}"),
    here_short: "Now",
    delete: |click| format!("Delete {click}"),
    amount_of: |click| format!("How much or how long: {click}"),
    until_undone: "empty: until undone",
    add: "Add a click",
    whom: "to",
    what: "do",
    amount: "how much",
    add_click: "Add click",
    on_messages: "Clicks on messages are made on the stage, while the message is in flight.",
    no_time: "Give a time in seconds, as in 45 or 0.5.",
    no_whole: "Give a whole number, as in 30.",
    no_percent: "Give a percentage, as in 2 or 0.5.",
    no_factor: "Give a factor, as in 0.2 or 1.5.",
    no_seed: "Give a whole number from 0 to 18,446,744,073,709,551,615.",
    refused: |error| format!("Not possible. {error}"),
};

fn choice(path: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let mut all = CHOICES.iter().chain(bench_objects::CHOICES);
    let words = all.find(|(other, _)| *other == path)?.1;
    words.iter().find(|(other, _, _)| *other == name).map(|(_, label, why)| (*label, *why))
}

fn field(path: &str) -> Words {
    let found = FIELDS.iter().find(|(other, _)| *other == path);
    found.map_or(Words { label: "", unit: "", help: "" }, |(_, words)| *words)
}
