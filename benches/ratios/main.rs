//! Speed as ratios measured side by side in one run: each workload as rules text, and written by hand in plain Rust.
//!
//! `cargo bench -p grognard-bench` prints one table, and behind it the same as lines of JSON. Times are those of
//! the processor, medians of interleaved rounds.
//! What is sampled has to fit the exact odds, and what is exact has to agree with the twin as fractions, or the bench fails.
//! With `--features scripts` what is sampled is compared with scripts in Rhai and in Lua too (LuaJIT, which is built from C).
//! `-- --quick` takes fewer and shorter rounds, `-- W1 E4` only the workloads named so, and `-- --count=100 "E3 10"` asks an
//! exact one so often and measures nothing: for whoever counts instructions from outside. `-- loading`, `-- threads`,
//! `-- shipped`, `-- growth`, `-- fall`, `-- lsp`, `-- watch`, `-- moves` and `-- waiting` measure other things: reading rules, two
//! threads against one, shipped scenarios, how time grows with size, a fall back, how long an editor waits, what a save costs,
//! a skirmish with moves against plain Python, and how long a user waits for a command.

#![allow(
    clippy::disallowed_methods,
    clippy::float_arithmetic,
    clippy::panic,
    clippy::print_stdout,
    clippy::type_complexity,
    clippy::unwrap_used
)]

mod exact;
mod files;
mod growth;
mod hand;
mod loading;
mod lsp;
mod moves;
mod sampled;
#[cfg(feature = "scripts")]
mod scripts;
mod shipped;
mod table;
mod threads;
mod twins;
mod waiting;
mod watch;
mod world;

use grognard_bench::Row;

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
    let others: [(&str, fn()); 9] = [
        ("loading", loading::print),
        ("moves", moves::print),
        ("lsp", lsp::print),
        ("threads", threads::print),
        ("shipped", shipped::print),
        ("growth", growth::print),
        ("fall", table::fall_back),
        ("watch", watch::print),
        ("waiting", waiting::print),
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
        "{:16} {:28} {:>14} {:>14} {:>8} {:>6}",
        "", "nanoseconds each", "rules text", "by hand", "ratio", "wanted"
    );
}
