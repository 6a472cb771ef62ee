//! Speed as ratios measured side by side in one run: each workload as rules text, and written by hand in plain Rust.
//!
//! `cargo bench --bench ratios` prints one table, and behind it the same as lines of JSON. Times are those of
//! the processor, medians of interleaved rounds.
//! What is sampled has to fit the exact odds, and what is exact has to agree with the twin as fractions, or the bench fails.
//! With `--features scripts` what is sampled is compared with scripts in Rhai and in Lua too (LuaJIT, which is built from C).
//! `-- --quick` takes fewer and shorter rounds, `-- W1 E4` only the workloads named so, and `-- --count=100 "E3 10"` asks an
//! exact one so often and measures nothing: for whoever counts instructions from outside. `-- loading`, `-- threads`,
//! `-- shipped`, `-- growth`, `-- fall`, `-- lsp` and `-- watch` measure other things: reading rules, two threads against one,
//! shipped scenarios, how time grows with size, a fall back, how long an editor waits, and what a save costs.

mod exact;
mod files;
mod growth;
mod hand;
mod loading;
mod lsp;
mod sampled;
#[cfg(feature = "scripts")]
mod scripts;
mod shipped;
mod table;
mod threads;
mod twins;
mod watch;
mod world;

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
    fn ratio(&self) -> f64 {
        self.rules / self.hand
    }

    fn print(&self) {
        let most = self.most.map_or("     -".to_string(), |most| format!("{most:6.2}"));
        println!("{:4} {:28} {:14.1} {:14.1} {:8.2} {most}", self.name, self.how, self.rules, self.hand, self.ratio());
    }

    fn json(&self) -> String {
        let Row { name, how, rules, hand, most } = self;
        let most = most.map_or("null".to_string(), |most| most.to_string());
        let ratio = self.ratio();
        format!(
            r#"{{"workload":"{name}","how":"{how}","rules_ns":{rules:.1},"hand_ns":{hand:.1},"ratio":{ratio:.3},"wanted":{most}}}"#
        )
    }
}

/// What was asked for on the command line.
pub struct Asked {
    /// Fewer and shorter rounds.
    pub quick: bool,
    /// How often an exact workload is asked, where nothing is measured.
    pub count: Option<u32>,
    names: Vec<String>,
}

impl Asked {
    /// True for a workload that is to be measured.
    pub fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| name.starts_with(n.as_str()))
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // the test runner asks for nothing
    if args.iter().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let quick = args.iter().any(|a| a == "--quick");
    let count = args.iter().find_map(|a| a.strip_prefix("--count=")?.parse().ok());
    let names = args.into_iter().filter(|a| !a.starts_with('-')).collect();
    let mut asked = Asked { quick, count, names };
    let others: [(&str, fn()); 7] = [
        ("loading", loading::print),
        ("lsp", lsp::print),
        ("threads", threads::print),
        ("shipped", shipped::print),
        ("growth", growth::print),
        ("fall", table::fall_back),
        ("watch", watch::print),
    ];
    for (name, part) in others {
        let named = asked.names.len();
        asked.names.retain(|n| n != name);
        if asked.names.len() < named {
            part();
            if asked.names.is_empty() {
                return;
            }
        }
    }
    if asked.count.is_some() {
        return exact::measure(&asked, &mut |_| ());
    }
    let mut rows = Vec::new();
    let mut take = |row: Row| {
        if rows.is_empty() {
            head();
        }
        row.print();
        rows.push(row);
    };
    sampled::measure(&asked, &mut take);
    exact::measure(&asked, &mut take);
    if rows.is_empty() {
        let parts = others.map(|(name, _)| name).join(", ");
        println!("nothing is called {}: there are W1 to W4, E1 to E5, {parts}", asked.names.join(", "));
        std::process::exit(2);
    }
    rows.iter().for_each(|row| println!("{}", row.json()));
}

fn head() {
    println!(
        "{:4} {:28} {:>14} {:>14} {:>8} {:>6}",
        "", "nanoseconds each", "rules text", "by hand", "ratio", "wanted"
    );
}
