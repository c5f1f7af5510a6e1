//! The measurements of `cargo xtask bench`, in a program of their own so that they
//! are built for speed. Each line compares two ways in the same run.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use fencepost::lab::Lab;
use fencepost::scenario::clicks::{ClickSpec, Do};
use fencepost::scenario::{Run, Scenario, ScenarioError};
use fencepost::search::{Kind, Merging, Sweep};
use fencepost::sim::time::{Span, TrueTime};

/// The named model of the sweep.
const SWEPT: &str = "reconcile";
/// Events of the long run.
const LONG_RUN: usize = 100_000;
/// Runs of scenario (a) with a random pause.
const RUNS: u32 = 2_000;

fn main() -> ExitCode {
    match seek().and_then(|()| sweep()).and_then(|()| runs()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
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

fn seek() -> Result<(), ScenarioError> {
    let run = long_run()?;
    let mut replay = run.replay()?;
    let from_start = Instant::now();
    while replay.trace().len() < LONG_RUN && replay.step() {}
    let from_start = from_start.elapsed();
    let (events, end) = (replay.trace().len(), replay.now().0);
    let mut longest = Duration::ZERO;
    let mut whole = Duration::ZERO;
    const SEEKS: i64 = 1_000;
    for turn in 0..SEEKS {
        // A stride that is prime to the number of seeks visits the run in no order.
        let to = TrueTime(end / SEEKS * (turn * 619 % SEEKS));
        let began = Instant::now();
        replay.seek(to);
        let took = began.elapsed();
        longest = longest.max(took);
        whole += took;
    }
    let mean = whole / SEEKS as u32;
    println!(
        "seek, native, a run of {events} events: mean {mean:.1?}, longest {longest:.1?}; \
         running to the end {from_start:.1?}, {:.0} times the longest seek (target 16 ms in the page)",
        from_start.as_secs_f64() / longest.as_secs_f64()
    );
    Ok(())
}

fn sweep() -> Result<(), ScenarioError> {
    let scenario = Scenario::built_in(SWEPT)?;
    let timed = |merging| -> Result<_, ScenarioError> {
        let began = Instant::now();
        let tally = Sweep::new(&scenario, &Kind::ALL, merging)?.finish();
        Ok((tally, began.elapsed()))
    };
    let (merged, merged_took) = timed(Merging::Equal)?;
    let (whole, whole_took) = timed(Merging::None)?;
    let a_second = |count: u64, took: Duration| count as f64 / took.as_secs_f64();
    println!(
        "every single click, native, one thread, `{SWEPT}`: {:.0} steps a second without merging; \
         with merging {:.0} steps a second, {} states kept, {} of {} runs merged, {:.2} times the time",
        a_second(whole.steps, whole_took),
        a_second(merged.steps, merged_took),
        merged.states,
        merged.merged,
        merged.runs,
        merged_took.as_secs_f64() / whole_took.as_secs_f64()
    );
    Ok(())
}

fn runs() -> Result<(), ScenarioError> {
    let scenario = Scenario::built_in(SWEPT)?;
    let mut run = scenario.run_without_clicks();
    let began = Instant::now();
    let mut events = 0;
    for turn in 0..RUNS {
        let at_us = i64::from(turn) * 7_919_000 % 80_000_000;
        let pause = Do::Pause {
            node: "W1".to_owned(),
            for_ms: Some(1_000 + i64::from(turn) * 31 % 60_000),
        };
        run.clicks = vec![ClickSpec { at_us, r#do: pause }];
        events += run.to_end()?.trace().len();
    }
    let headless = began.elapsed();
    let began = Instant::now();
    let mut lab = Lab::on(&scenario)?;
    lab.update(fencepost::lab::Msg::Play);
    let mut frames = 0_u32;
    while lab.playing() != fencepost::lab::Playing::No {
        lab.update(fencepost::lab::Msg::Tick { elapsed: Span::from_ms(16) });
        frames += 1;
    }
    let played = began.elapsed() / frames;
    println!(
        "runs of `{SWEPT}` with a pause, native: {:.0} runs a second of {} events each \
         (target 20,000 in the page); a frame of the lab while it plays, without drawing: {played:.1?}",
        f64::from(RUNS) / headless.as_secs_f64(),
        events as u32 / RUNS
    );
    Ok(())
}
