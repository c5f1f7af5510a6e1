//! `cargo xtask play`: a run, told as text or as JSON.

use std::path::Path;

use fencepost::properties::signals::Signals;
use fencepost::scenario::read::Setting;
use fencepost::scenario::{Run, Scenario, ScenarioError, library};
use fencepost::text::report::Report;
use fencepost::text::signals::json_lines;

use crate::error::{Error, Result};
use crate::{output, workspace};

pub const USAGE: &str = "\
Usage: cargo xtask play ID|FILE [--variant V] [--set PATH=VALUE]... [--seed N] [--no-clicks] [--json|--signals]

ID is a built-in scenario, FILE a scenario file. A variant is applied first, then the
settings in their order, as in --set store.rule=none or --set worker.W1.compute_ms=40000. With --signals
it is what monitoring would show, as JSON Lines (docs/signals.md).";

/// What is to be played, and how it is told.
#[derive(Debug, PartialEq, Eq)]
pub struct Play {
    scenario: String,
    variant: Option<String>,
    settings: Vec<Setting>,
    seed: Option<u64>,
    clicks: Clicks,
    told: Told,
}

#[derive(Debug, PartialEq, Eq)]
enum Clicks {
    AsWritten,
    None,
}

#[derive(Debug, PartialEq, Eq)]
enum Told {
    Text,
    Json,
    Signals,
}

impl Play {
    pub fn parse(words: &[&str]) -> Result<Self> {
        let mut scenario = None;
        let mut play = Self {
            scenario: String::new(),
            variant: None,
            settings: Vec::new(),
            seed: None,
            clicks: Clicks::AsWritten,
            told: Told::Text,
        };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            let (option, attached) = match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (word, None),
            };
            let mut value = |what: &str| {
                let missing = || Error::Input(format!("`{option}` needs {what} after it"));
                attached.or_else(|| words.next()).ok_or_else(missing)
            };
            match option {
                "--variant" => {
                    once(option, &mut play.variant, value("a variant's name")?.to_owned())?
                }
                "--set" => play.settings.push(setting(value("PATH=VALUE")?)?),
                "--seed" => once(option, &mut play.seed, seed(value("a whole number")?)?)?,
                "--no-clicks" if attached.is_none() => play.clicks = Clicks::None,
                "--json" if attached.is_none() => told(&mut play.told, Told::Json)?,
                "--signals" if attached.is_none() => told(&mut play.told, Told::Signals)?,
                // As people part what is the program's own from what is cargo's.
                "--" => {}
                _ if word.starts_with('-') => {
                    return Err(Error::Input(format!("`play` does not know `{word}`.\n\n{USAGE}")));
                }
                _ if scenario.is_some() => {
                    let what = "plays one scenario at a time";
                    return Err(Error::Input(format!("`play` {what}, and `{word}` is a second")));
                }
                _ => scenario = Some(word.to_owned()),
            }
        }
        play.scenario = scenario
            .ok_or_else(|| Error::Input(format!("`play` needs a scenario to play.\n\n{USAGE}")))?;
        Ok(play)
    }

    pub fn run(&self) -> Result<()> {
        output::print(&self.told()?)
    }

    /// What is printed.
    pub fn told(&self) -> Result<String> {
        let run = self.of_run()?;
        let report = || Report::of(&run).map_err(input);
        Ok(match self.told {
            Told::Text => report()?.text(),
            Told::Json => report()?.json() + "\n",
            Told::Signals => signals(&run)?,
        })
    }

    fn of_run(&self) -> Result<Run> {
        let mut scenario = read(&self.scenario)?;
        if let Some(variant) = &self.variant {
            scenario = scenario.variant(variant).map_err(input)?;
        }
        let scenario = scenario.with(&self.settings).map_err(input)?;
        let run = match self.clicks {
            Clicks::AsWritten => scenario.run(),
            Clicks::None => scenario.run_without_clicks(),
        };
        Ok(Run { seed: self.seed.unwrap_or(run.seed), ..run })
    }
}

/// What monitoring would show of a run, to its end.
fn signals(run: &Run) -> Result<String> {
    let replay = run.to_end().map_err(input)?;
    let mut signals = Signals::new(run.scenario.usual());
    signals.take_in(replay.trace(), replay.now());
    Ok(json_lines(signals.records(), run.scenario.names()))
}

/// A run is told in one way.
fn told(told: &mut Told, as_what: Told) -> Result<()> {
    match std::mem::replace(told, as_what) {
        Told::Text => Ok(()),
        Told::Json | Told::Signals => {
            Err(Error::Input("`play` takes one of `--json` and `--signals`, once".to_owned()))
        }
    }
}

/// A built-in scenario by its id, or what stands in a file.
fn read(named: &str) -> Result<Scenario> {
    let is_built_in = library::ALL.iter().any(|(id, _)| *id == named);
    let looks_like_a_file = named.contains(['/', '\\', '.']) || Path::new(named).is_file();
    if is_built_in || !looks_like_a_file {
        return Scenario::built_in(named).map_err(input);
    }
    let text =
        workspace::read(Path::new(named)).map_err(|error| Error::Input(error.to_string()))?;
    Scenario::from_text(&text).map_err(|ScenarioError { place, problem }| {
        Error::Input(format!("{named}, {place}: {problem}."))
    })
}

/// None of two can silently win.
fn once<T>(option: &str, place: &mut Option<T>, value: T) -> Result<()> {
    match place.replace(value) {
        Some(_) => Err(Error::Input(format!("`{option}` is there twice"))),
        None => Ok(()),
    }
}

fn input(error: ScenarioError) -> Error {
    Error::Input(error.to_string())
}

fn setting(text: &str) -> Result<Setting> {
    let (path, value) = text.split_once('=').ok_or_else(|| {
        Error::Input(format!("`--set` takes PATH=VALUE, and `{text}` has no `=`"))
    })?;
    Ok((path.trim().to_owned(), value.trim().to_owned()))
}

fn seed(text: &str) -> Result<u64> {
    text.parse().map_err(|_| Error::Input(format!("`{text}` is no seed: name a whole number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Play> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Play::parse(&words)
    }

    fn told(line: &str) -> String {
        parse(line).and_then(|play| play.told()).expect("a run that can be told")
    }

    /// The sentence that says what is wrong.
    #[track_caller]
    fn check_refused(line: &str, sentence: &str) {
        match parse(line).and_then(|play| play.told()) {
            Err(Error::Input(said)) => assert_eq!(said.lines().next(), Some(sentence)),
            other => panic!("`{line}` is answered with {other:?}"),
        }
    }

    #[test]
    fn options_are_understood_in_any_order_and_both_ways_of_writing() {
        let line = "--set store.rule=none refund --seed=7 --no-clicks --variant tokens-only";
        let play = parse(line).expect("right");
        let expected = Play {
            scenario: "refund".to_owned(),
            variant: Some("tokens-only".to_owned()),
            settings: vec![("store.rule".to_owned(), "none".to_owned())],
            seed: Some(7),
            clicks: Clicks::None,
            told: Told::Text,
        };
        assert_eq!(play, expected);
        let other = "--no-clicks --set=store.rule=none --variant=tokens-only --seed 7 refund";
        assert_eq!(parse(other).expect("right"), expected);
        assert_eq!(parse(&format!("-- {other}")).expect("right"), expected);
    }

    #[test]
    fn a_setting_a_seed_and_the_clicks_reach_the_run() {
        let fenced = told("reconcile");
        assert!(fenced.contains("PUT 42 refused, 412: 43 has been seen"), "{fenced}");
        let unfenced = told("reconcile --set store.rule=none");
        assert!(unfenced.contains("PUT 42 accepted"), "{unfenced}");
        assert!(!told("reconcile --no-clicks").contains("pause"));
        assert!(told("reconcile --seed 9").contains("seed 9"));
    }

    #[test]
    fn settings_are_applied_to_the_variant_and_keep_its_clicks() {
        let line = "slow-clock --variant wall-clock --set worker.W1.compute_ms=30000";
        let text = told(line);
        assert!(text.contains("step W1's wall clock by 3600 s"), "{text}");
        assert!(text.contains("30.064 s"), "{text}");
    }

    #[test]
    fn json_says_the_same() {
        let json: serde_json::Value =
            serde_json::from_str(&told("refund --json")).expect("it is JSON");
        assert_eq!(json["scenario"], "refund");
        assert_eq!(json["verdicts"][2]["property"], "work-done-twice");
        assert_eq!(json["verdicts"][2]["holds"], false);
    }

    #[test]
    fn signals_are_told_as_json_lines() {
        let lines = told("reconcile-unfenced --signals");
        let lines: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        let late = lines.iter().find(|line| line["signal"] == "out-of-order").expect("there");
        assert_eq!(late["alarm"], true);
        assert_eq!((&late["token"], &late["highest"]), (&42.into(), &43.into()));
        assert_eq!(lines.iter().filter(|line| line["alarm"] == true).count(), 4);
    }

    #[test]
    fn a_wrong_line_is_refused_with_a_sentence() {
        let there = "reconcile-unfenced, reconcile, plain-read, renewal-fails, check-then-put, \
                     slow-clock, refund, separate-counter, queue-of-eight, batch-incident, \
                     redis-failover, redlock, zookeeper-pause, conditional-puts, etag-aba, \
                     no-lock, leader-log, rising-load, schema-migrations, store-restart, \
                     consul-lock-delay, guarded-write, mark-scopes, outbox, object-lock";
        check_refused("reconcil", &format!("there is no scenario `reconcil`; there are {there}."));
        check_refused(
            "reconcile refund",
            "`play` plays one scenario at a time, and `refund` is a second",
        );
        check_refused("", "`play` needs a scenario to play.");
        check_refused("refund --fast", "`play` does not know `--fast`.");
        check_refused("refund --json=yes", "`play` does not know `--json=yes`.");
        for twice in ["refund --json --signals", "refund --json --json"] {
            check_refused(twice, "`play` takes one of `--json` and `--signals`, once");
        }
        check_refused("refund --seed", "`--seed` needs a whole number after it");
        check_refused("refund --seed 1 --seed=2", "`--seed` is there twice");
        check_refused(
            "refund --variant refund-id --variant tokens-only",
            "`--variant` is there twice",
        );
        check_refused("refund --seed -1", "`-1` is no seed: name a whole number");
        check_refused(
            "refund --set store.rule",
            "`--set` takes PATH=VALUE, and `store.rule` has no `=`",
        );
        check_refused(
            "refund --variant id",
            "there is no variant `id`; there are tokens-only, tokens-and-claim, refund-id.",
        );
        check_refused("refund --set worker.W3.amount=1", "there is no setting `worker.W3.amount`.");
    }
}
