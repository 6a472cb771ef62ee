//! The clock, the median and the rows of the table that the bench `ratios` prints.

#![allow(clippy::float_arithmetic, clippy::print_stdout)] // it measures, and prints what it measured

use cpu_time::ThreadTime;

/// The median of the rounds.
pub fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Nanoseconds of the processor that a unit of `work` takes, which does `units` of them.
pub fn time(units: u64, work: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    work();
    start.elapsed().as_nanos() as f64 / units as f64
}

/// One row of the table: a workload in one of the ways to run it, against plain Rust.
pub struct Row {
    /// The workload.
    pub name: &'static str,
    /// How it is run, or which twin.
    pub how: &'static str,
    /// Nanoseconds.
    pub rules: f64,
    /// The same.
    pub hand: f64,
    /// The ratio wanted.
    pub most: Option<f64>,
}

impl Row {
    /// Returns how many times as long as plain Rust it takes.
    pub fn ratio(&self) -> f64 {
        self.rules / self.hand
    }

    /// Prints a line of the table.
    pub fn print(&self) {
        let most = self.most.map_or("     -".to_string(), |most| format!("{most:6.2}"));
        println!("{:16} {:28} {:14.1} {:14.1} {:8.2} {most}", self.name, self.how, self.rules, self.hand, self.ratio());
    }

    /// Returns the row as an object of JSON.
    pub fn json(&self) -> String {
        let Row { name, how, rules, hand, most } = self;
        let most = most.map_or("null".to_string(), |most| most.to_string());
        let ratio = self.ratio();
        format!(
            r#"{{"workload":"{name}","how":"{how}","rules_ns":{rules:.1},"hand_ns":{hand:.1},"ratio":{ratio:.3},"wanted":{most}}}"#
        )
    }
}
