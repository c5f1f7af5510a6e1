//! Throughput and latency under a load that rises step by step, read from a run's own
//! events: when each transfer arrived, and when its worker knew that it was settled.

use crate::actors::note::WorkerNote;
use crate::actors::{Actor, Note};
use crate::scenario::{Run, Scenario, ScenarioError};
use crate::sim::event::{Event, What};
use crate::sim::order;
use crate::sim::time::Span;

/// What came of the transfers that arrived in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepFacts {
    /// The rate, in transfers a second.
    pub rate: u32,
    /// How many arrived, of those that were settled by the end of the run.
    pub arrived: u32,
    /// How many were settled while the step lasted, whenever they had arrived.
    pub settled: u32,
    /// How long half of those that arrived in it took at most.
    pub median: Span,
    /// How long nineteen of twenty took at most.
    pub p95: Span,
}

/// A design and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// What people call it.
    pub title: String,
    /// How long each step lasted.
    pub step: Span,
    /// Step by step.
    pub steps: Vec<StepFacts>,
}

impl Design {
    /// How many transfers were settled a second in a step, in tenths.
    pub fn settled_per_10_s(&self, step: &StepFacts) -> i64 {
        (i64::from(step.settled) * 10_000_000 + self.step.us() / 2) / self.step.us()
    }
}

/// What a chart is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Transfers settled a second.
    Throughput,
    /// How long nineteen of twenty took at most; each line of the grid is ten times the one
    /// below.
    Latency,
}

/// Lines over the rates, in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// For each design the places of its steps.
    pub lines: Vec<Vec<(i64, i64)>>,
    /// Where each rate stands, and the rate.
    pub rates: Vec<(i64, u32)>,
    /// Where the lines of the grid lie, each with its value: transfers a second, or
    /// microseconds.
    pub grid: Vec<(i64, i64)>,
}

/// A chart's width.
pub const WIDTH: i64 = 360;
/// Its height.
pub const HEIGHT: i64 = 220;
/// What is left free beside and below for words, and at the other two edges.
const BESIDE: i64 = 56;
const BELOW: i64 = 28;
const EDGE: i64 = 12;

/// The latencies for which there are lines: 10 ms to 100 s.
const DECADES_US: [i64; 5] = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The designs in a chart.
pub fn chart(designs: &[Design], about: About) -> Chart {
    let steps = designs.first().map_or(&[][..], |design| &design.steps[..]);
    let x = |place: usize| {
        let apart = (WIDTH - BESIDE - EDGE) / (steps.len() as i64 - 1).max(1);
        BESIDE + apart * place as i64
    };
    let top = steps.iter().map(|step| i64::from(step.rate)).max().unwrap_or(1);
    let up = |part: i64, whole: i64| {
        HEIGHT - BELOW - part.clamp(0, whole) * (HEIGHT - BELOW - EDGE) / whole
    };
    let decades = DECADES_US.len() as i64 - 1;
    let y = |design: &Design, step: &StepFacts| match about {
        About::Throughput => up(design.settled_per_10_s(step), 10 * top),
        About::Latency => up(log10(step.p95.us()) - log10(DECADES_US[0]), 1_000 * decades),
    };
    let line = |design: &Design| {
        let places = design.steps.iter().enumerate();
        places.map(|(place, step)| (x(place), y(design, step))).collect()
    };
    let grid = match about {
        About::Throughput => (0..=4).map(|nth| (up(nth, 4), top * nth / 4)).collect(),
        About::Latency => {
            (0..).zip(DECADES_US).map(|(nth, value)| (up(nth, decades), value)).collect()
        }
    };
    Chart {
        lines: designs.iter().map(line).collect(),
        rates: steps.iter().enumerate().map(|(place, step)| (x(place), step.rate)).collect(),
        grid,
    }
}

/// The logarithm to base ten, in thousandths: straight between powers of two, which is near
/// enough for a place in pixels.
fn log10(value: i64) -> i64 {
    let value = value.max(1);
    let power = i64::from(value.ilog2());
    let over = (value - (1 << power)) * 1_000 / (1 << power);
    (power * 1_000 + over) * 301 / 1_000
}

/// The scenario and its variants, of which each is a design under the same load.
///
/// # Errors
/// When a variant cannot be, which the reading of a scenario excludes.
pub fn designs(scenario: &Scenario) -> Result<Vec<Run>, ScenarioError> {
    let variants = scenario.spec().variants.iter();
    let variants = variants.map(|variant| Ok(scenario.variant(&variant.id)?.run()));
    std::iter::once(Ok(scenario.run())).chain(variants).collect()
}

/// Runs a design to its end.
///
/// # Errors
/// When it makes more events than a run may.
pub fn measure(run: &Run) -> Result<Design, ScenarioError> {
    let replay = run.to_end()?;
    let spec = run.scenario.spec();
    let variant = run.scenario.variant_id();
    let own = spec.variants.iter().find(|it| Some(it.id.as_str()) == variant);
    let title = own.map_or(&spec.title, |variant| &variant.title).clone();
    let steps = steps(&run.scenario, replay.past());
    let step = Span::from_ms(spec.load.as_ref().map_or(1, |load| load.step_ms));
    Ok(Design { title, step, steps })
}

/// What came of each step of a run's load, as far as it was run.
pub fn steps(scenario: &Scenario, trace: &[Event<Actor>]) -> Vec<StepFacts> {
    let Some(load) = &scenario.spec().load else { return Vec::new() };
    let begins = scenario.spec().workers.iter().filter_map(|worker| worker.starts_ms).min();
    let begins = Span::from_ms(begins.unwrap_or(0));
    let settled = settled(trace);
    let step = |at: Span| (at - begins).us().div_euclid(load.step_ms * 1_000);
    let of_step = |(place, rate): (usize, &u32)| {
        let place = place as i64;
        let arrived = settled.iter().filter(|(at, took)| step(*at - *took) == place);
        let mut took: Vec<Span> = arrived.map(|(_, took)| *took).collect();
        order::by_key(&mut took, |took| *took);
        let at = |percent: usize| {
            let rank = (took.len() * percent).div_ceil(100).max(1) - 1;
            took.get(rank).copied().unwrap_or_default()
        };
        StepFacts {
            rate: *rate,
            arrived: took.len() as u32,
            settled: settled.iter().filter(|(at, _)| step(*at) == place).count() as u32,
            median: at(50),
            p95: at(95),
        }
    };
    load.rates.iter().enumerate().map(of_step).collect()
}

/// When each transfer was settled, since the start, and how long it took.
fn settled(trace: &[Event<Actor>]) -> Vec<(Span, Span)> {
    let of = |event: &Event<Actor>| match event.what {
        What::Note(Note::Worker(WorkerNote::SettledTransfer { took, .. })) => {
            Some((Span::from_us(event.at.0), took))
        }
        _ => None,
    };
    trace.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn designs() -> Vec<Design> {
        let scenario = Scenario::built_in("rising-load").expect("built in");
        let runs = super::designs(&scenario).expect("right");
        runs.iter().map(|run| measure(run).expect("it ends")).collect()
    }

    #[test]
    fn a_lock_for_each_transfer_is_the_bottleneck_and_a_claim_makes_it_a_narrower_one() {
        let [lock, fenced, leader, versions, keys] = &designs()[..] else { panic!("five") };
        let at_last = |design: &Design| {
            let step = design.steps.last().expect("steps");
            (design.settled_per_10_s(step), step.median, step.p95)
        };
        // 32 transfers a second arrive in the last step.
        for (design, settled) in [(lock, 115), (fenced, 95), (leader, 315), (keys, 328)] {
            assert_eq!(at_last(design).0, settled, "{}", design.title);
        }
        let second = Span::from_s(1);
        assert!(at_last(lock).1 > second && at_last(fenced).1 > at_last(lock).1);
        assert!(at_last(leader).2 < Span::from_ms(50), "{:?}", at_last(leader));
        // Who is refused tries again: most are quick, and some are very slow.
        assert!(at_last(versions).2 > second && at_last(versions).1 < Span::from_ms(200));
        // While nobody waits, the claim costs one call: 20 ms.
        let idle = |design: &Design| design.steps[1].median;
        assert_eq!((idle(lock), idle(fenced)), (Span::from_ms(64), Span::from_ms(84)));
    }

    #[test]
    fn every_transfer_that_arrives_is_settled_once_and_booked_once() {
        let scenario = Scenario::built_in("rising-load").expect("built in");
        for run in super::designs(&scenario).expect("right") {
            let replay = run.to_end().expect("it ends");
            let settled = settled(replay.past()).len();
            let design = measure(&run).expect("it ends");
            let arrived: u32 = design.steps.iter().map(|step| step.arrived).sum();
            assert_eq!(arrived as usize, settled, "{}", design.title);
            let store = run.scenario.names().store();
            let Actor::Store(store) = &replay.moment().world.node(store).process else {
                panic!("the store is a store")
            };
            assert_eq!(store.booked(), settled as i64, "{}", design.title);
        }
    }

    #[test]
    fn charts_have_more_above_less_and_ten_times_as_much_one_line_higher() {
        let designs = designs();
        let chart = chart(&designs, About::Throughput);
        let last = |design: usize| chart.lines[design].last().expect("steps").1;
        assert!(last(2) < last(0), "the leader settles more, so its line ends higher");
        assert_eq!(chart.grid.iter().map(|line| line.1).collect::<Vec<_>>(), [0, 8, 16, 24, 32]);
        let latency = super::chart(&designs, About::Latency);
        let apart = latency.grid[0].0 - latency.grid[1].0;
        assert!(latency.grid.windows(2).all(|pair| pair[0].0 - pair[1].0 == apart));
        assert_eq!(log10(1_000_000) - log10(1_000), log10(1_000) - log10(1) + 2);
        for (_, y) in chart.lines.iter().chain(&latency.lines).flatten() {
            assert!((0..HEIGHT).contains(y));
        }
    }
}
