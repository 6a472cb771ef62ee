//! How long a user waits for a command: the time of the whole process, by the clock and by the processor.
//!
//! `cargo build --release && cargo bench -p grognard-bench -- waiting` prints the table. The program is `target/release/grognard`,
//! or the one that `GROGNARD` names. Each row is the median of several runs.

use grognard_bench::median;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

const ROUNDS: usize = 5;

/// The waits: what the user does, and the arguments of the program, from the root of the repository.
const WAITS: [(&str, &str); 12] = [
    ("the odds of an expression", "odds 4d6kh3"),
    ("one traced run of a small game", "run docs/first/volley.toml"),
    ("a small game, checked", "check rulesets/gallery/risk.rules"),
    ("a book with its scenarios, checked", "check rulesets/warstrike"),
    ("all books, checked", "check rulesets"),
    ("the exact odds of a battle to the end", "odds rulesets/gallery/scenarios/risk.toml"),
    ("best play of both sides", "odds rulesets/gallery/scenarios/reaction.toml"),
    ("10,000 runs of a small game", "simulate rulesets/gallery/scenarios/skirmish.toml --runs 10000"),
    ("10,000 runs of a firefight", "simulate rulesets/warstrike/scenarios/firefight.toml --runs 10000"),
    ("100 runs of a skirmish with moves", "simulate rulesets/recoil/scenarios/skirmish-to-the-end.toml --runs 100"),
    ("all tests of a book", "test rulesets/recoil --no-cache"),
    ("all tests of the gallery", "test rulesets/gallery --no-cache"),
];

/// Prints the table.
pub fn print() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let program =
        std::env::var_os("GROGNARD").map_or_else(|| PathBuf::from(root).join("target/release/grognard"), PathBuf::from);
    assert!(program.exists(), "build the program first: cargo build --release");
    println!("{:40} {:>12} {:>12}", "seconds of a command", "clock", "processor");
    for (what, args) in WAITS {
        let (mut clock, mut busy) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let began = Instant::now();
            // the shell's `times` tells the processor time of its children
            let output = Command::new("bash")
                .args(["-c", "\"$@\" >/dev/null 2>&1 || exit; times", "bash"])
                .arg(&program)
                .args(args.split(' '))
                .current_dir(root)
                .output()
                .expect("a shell");
            clock.push(began.elapsed().as_secs_f64());
            assert!(output.status.success(), "`grognard {args}` failed");
            busy.push(children(&String::from_utf8_lossy(&output.stdout)).expect("the times of the shell"));
        }
        println!("{what:40} {:12.3} {:12.3}", median(clock), median(busy));
    }
}

/// Returns the seconds in the second line of `times`: the user and system time of all children.
fn children(times: &str) -> Option<f64> {
    let part = |text: &str| {
        let (minutes, seconds) = text.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    times.lines().nth(1)?.split(' ').map(part).sum()
}
