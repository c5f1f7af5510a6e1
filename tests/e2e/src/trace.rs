//! How long a page's main thread works for each frame, read from a browser's trace.

use serde_json::Value;

/// The main thread's work for each frame, milliseconds of its own time, in order.
///
/// A frame is all that the thread does from one call of the page's frame callbacks to the
/// next. Where none comes for so long that nothing plays, there is no frame.
pub fn work_by_frame(events: &[Value]) -> Vec<f64> {
    let Some(first) = events.iter().find(|event| is(event, "FireAnimationFrame")) else {
        return Vec::new();
    };
    let is_of_thread = |event: &&Value| {
        event["pid"] == first["pid"] && event["tid"] == first["tid"] && event["ph"] == "X"
    };
    let on_thread: Vec<&Value> = events.iter().filter(is_of_thread).collect();
    let mut frames: Vec<f64> =
        on_thread.iter().filter(|e| is(e, "FireAnimationFrame")).map(|e| time(e, "ts")).collect();
    frames.sort_by(f64::total_cmp);
    let tasks = outermost(&on_thread);
    let work = |from: f64, to: f64| {
        let ends_there = tasks.iter().filter(|(ends, _)| (from..to).contains(ends));
        ends_there.map(|(_, own)| own / 1_000.0).sum::<f64>()
    };
    const STANDS_US: f64 = 400_000.0;
    let pairs = frames.windows(2).filter(|pair| pair[1] - pair[0] < STANDS_US);
    pairs.map(|pair| work(pair[0], pair[1])).collect()
}

/// When each task ended, and how much of the thread's own time it took.
fn outermost(events: &[&Value]) -> Vec<(f64, f64)> {
    let is_task =
        |event: &&&Value| event["name"].as_str().is_some_and(|name| name.ends_with("RunTask"));
    let mut tasks: Vec<&Value> = events.iter().filter(is_task).copied().collect();
    tasks.sort_by(|one, other| time(one, "ts").total_cmp(&time(other, "ts")));
    let mut ended = 0.0;
    let mut found = Vec::new();
    for task in tasks {
        let begins = time(task, "ts");
        if begins >= ended {
            ended = begins + time(task, "dur");
            found.push((ended, time(task, "tdur")));
        }
    }
    found
}

fn is(event: &Value, name: &str) -> bool {
    event["name"] == name
}

fn time(event: &Value, field: &str) -> f64 {
    event[field].as_f64().unwrap_or_default()
}

/// The value below which so much of them lies, in hundredths.
///
/// # Panics
///
/// If there are none.
pub fn percentile(values: &[f64], hundredths: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() * hundredths / 100).min(sorted.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(name: &str, ts: i64, dur: i64, tdur: i64) -> Value {
        json!({ "ph": "X", "pid": 1, "tid": 2, "name": name, "ts": ts, "dur": dur, "tdur": tdur })
    }

    #[test]
    fn a_frame_has_the_tasks_that_end_in_it_once_each() {
        let task = "ThreadControllerImpl::RunTask";
        let mut other = event(task, 1_100, 9_000, 9_000);
        other["tid"] = json!(3);
        let events = [
            event(task, 1_000, 4_000, 3_000),
            event("FireAnimationFrame", 2_000, 1_000, 1_000),
            event(task, 2_500, 500, 500),
            event(task, 8_000, 2_000, 2_000),
            other,
            event("FireAnimationFrame", 20_000, 100, 100),
            event("FireAnimationFrame", 900_000, 100, 100),
        ];
        assert_eq!(work_by_frame(&events), [5.0]);
        assert_eq!(work_by_frame(&[]), Vec::<f64>::new());
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (0..200).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 95), 190.0);
        assert_eq!(percentile(&[7.0], 95), 7.0);
    }
}
