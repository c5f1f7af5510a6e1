//! Throughput and latency under a rising load.

/// Throughput and latency under a rising load.
#[derive(Debug)]
pub struct Load {
    /// The heading, which opens it.
    pub title: &'static str,
    /// The designs are being run.
    pub runs: &'static str,
    /// What it is.
    pub about: &'static str,
    /// A chart's title.
    pub throughput: &'static str,
    /// Another's.
    pub latency: &'static str,
    /// A chart for those who do not see it.
    pub chart: fn(title: &str) -> String,
    /// The table.
    pub table: &'static str,
    /// Over a step.
    pub rate: fn(rate: u32) -> String,
    /// A design in a step.
    pub cell: fn(settled: &str, median: &str, p95: &str) -> String,
}

/// English.
pub const ENGLISH: Load = Load {
    title: "Throughput and latency, design by design",
    runs: "The designs are being run…",
    about: "Each design is run to its end under the same rising load, as the scenario has it. A \
            transfer’s latency is from its arrival at its worker until the worker knows that it \
            is settled.",
    throughput: "Settled a second, by transfers arriving a second",
    latency: "95 % took at most, by transfers arriving a second",
    chart: |title| format!("{title}; the table below says the same"),
    table: "Settled a second; half took at most; 95 % took at most",
    rate: |rate| format!("{rate} a second"),
    // A number stays beside its unit.
    cell: |settled, median, p95| {
        let kept = |text: &str| text.replace(' ', "\u{a0}");
        format!("{settled}; {}; {}", kept(median), kept(p95))
    },
};
