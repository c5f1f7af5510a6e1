//! What `cargo xtask bench` measures: the same code natively and in the page, with a
//! clock of the place. Each line compares two ways in the same run.

use fencepost::lab::{Lab, Msg, Playing};
use fencepost::scenario::clicks::{ClickSpec, Do};
use fencepost::scenario::{Run, Scenario, ScenarioError};
use fencepost::search::{Kind, Merging, Sweep};
use fencepost::sim::time::{Span, TrueTime};

/// The named model of the sweep.
const SWEPT: &str = "reconcile";
/// Events of the long run.
const LONG_RUN: usize = 100_000;
/// Seeks in it.
const SEEKS: i64 = 1_000;
/// Runs of scenario (a) with a pause.
const RUNS: u32 = 2_000;

/// Where it is measured, and by which clock.
pub struct Place {
    /// As in "native".
    pub name: &'static str,
    /// Milliseconds since some moment.
    pub now_ms: fn() -> f64,
}

/// A measurement.
pub type Measurement = fn(&Place) -> Result<String, ScenarioError>;

/// All of them, in the order in which they are printed.
pub const ALL: [Measurement; 3] = [seek, sweep, runs];

impl Place {
    /// What something comes to, and how long it took in milliseconds.
    fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let began = (self.now_ms)();
        let done = work();
        (done, (self.now_ms)() - began)
    }
}

/// One worker with a lease of 2 s that computes for hours: renewals without end.
fn long_run() -> Result<Run, ScenarioError> {
    let scenario = Scenario::built_in(SWEPT)?;
    let set = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    let scenario = scenario.with(&[
        set("lock.ttl_s", "2"),
        set("worker.W1.compute_ms", "80_000_000"),
        set("worker.W2.compute_ms", "80_000_000"),
    ])?;
    Ok(scenario.run_without_clicks())
}

/// Any point of a long run, against running to its end.
fn seek(place: &Place) -> Result<String, ScenarioError> {
    let mut replay = long_run()?.replay()?;
    let ((), from_start) =
        place.timed(|| while replay.trace().len() < LONG_RUN && replay.step() {});
    let (events, end) = (replay.trace().len(), replay.now().0);
    let (mut longest, mut whole) = (0.0_f64, 0.0);
    for turn in 0..SEEKS {
        // A stride that is prime to the number of seeks visits the run in no order.
        let to = TrueTime(end / SEEKS * (turn * 619 % SEEKS));
        let ((), took) = place.timed(|| replay.seek(to));
        longest = longest.max(took);
        whole += took;
    }
    Ok(format!(
        "seek, {}, a run of {events} events: mean {:.2} ms, longest {longest:.1} ms; running to \
         the end {from_start:.0} ms, {:.0} times the longest seek (target 16 ms in the page)",
        place.name,
        whole / SEEKS as f64,
        from_start / longest
    ))
}

/// Every single click, with and without merging equal states.
fn sweep(place: &Place) -> Result<String, ScenarioError> {
    let scenario = Scenario::built_in(SWEPT)?;
    let swept = |merging| -> Result<_, ScenarioError> {
        let sweep = Sweep::new(&scenario, &Kind::ALL, merging)?;
        let (tally, took) = place.timed(|| sweep.finish());
        Ok((tally?, took))
    };
    let (merged, merged_ms) = swept(Merging::Equal)?;
    let (whole, whole_ms) = swept(Merging::None)?;
    let a_second = |count: u64, ms: f64| count as f64 * 1_000.0 / ms;
    Ok(format!(
        "every single click, {}, one thread, `{SWEPT}`: {:.0} steps a second without merging; with \
         merging {:.0} steps a second, {} states kept, {} of {} runs merged, {:.2} times the time",
        place.name,
        a_second(whole.steps, whole_ms),
        a_second(merged.steps, merged_ms),
        merged.states,
        merged.merged,
        merged.runs,
        merged_ms / whole_ms
    ))
}

/// Runs of scenario (a), each with another pause, against a frame of the lab.
fn runs(place: &Place) -> Result<String, ScenarioError> {
    let scenario = Scenario::built_in(SWEPT)?;
    let mut run = scenario.run_without_clicks();
    let mut events = 0;
    let (done, headless_ms) = place.timed(|| -> Result<(), ScenarioError> {
        for turn in 0..RUNS {
            let at_us = i64::from(turn) * 7_919_000 % 80_000_000;
            let for_ms = Some(1_000 + i64::from(turn) * 31 % 60_000);
            let pause = Do::Pause { node: "W1".to_owned(), for_ms };
            run.clicks = vec![ClickSpec { at_us, r#do: pause }];
            events += run.to_end()?.trace().len();
        }
        Ok(())
    });
    done?;
    let mut lab = Lab::on(&scenario)?;
    lab.update(Msg::Play);
    let mut frames = 0_u32;
    let ((), played_ms) = place.timed(|| {
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(16) });
            frames += 1;
        }
    });
    Ok(format!(
        "runs of `{SWEPT}` with a pause, {}: {:.0} runs a second of {} events each (target 20,000 \
         in the page); a frame of the lab while it plays, without drawing: {:.3} ms",
        place.name,
        f64::from(RUNS) * 1_000.0 / headless_ms,
        events as u32 / RUNS,
        played_ms / f64::from(frames)
    ))
}
