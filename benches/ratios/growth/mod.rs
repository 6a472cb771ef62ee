//! How time grows with what a game has more of: units, rules, turns, dice, states, runs and threads, measures and points. For each size it
//! prints the time of one piece (one unit, one rule, one turn), and how steep it grows: the exponent between neighbours,
//! which is 1 where twice as much takes twice as long.
//!
//! `cargo bench -p grognard-bench -- growth` prints every figure, those of the table of `table.rs` among them, and draws the
//! curves into `docs/images/growth.svg`.

mod picture;
mod questions;

use super::files::{game, proc, rules, scenario};
use super::table;
use grognard_bench::{median, time};
use grognard_odds::{Analysis, ExploreOptions, Prefer, Task};
use grognard_play::Play;
use grognard_program::{Detail, compile};
use grognard_scenario::Scenario;
use grognard_stats::stats::Level;
use grognard_stats::{CHUNK, Settings, sample};
use picture::picture;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// What grows, in so many sizes, and the nanoseconds that all of it takes at each.
pub struct Axis {
    pub title: &'static str,
    /// What there are so many of.
    pub piece: &'static str,
    pub points: Vec<(u64, f64)>,
    /// Why it grows faster than its pieces, where it does.
    pub reason: &'static str,
}

impl Axis {
    fn new(
        title: &'static str,
        piece: &'static str,
        reason: &'static str,
        sizes: &[u64],
        mut at: impl FnMut(u64) -> f64,
    ) -> Axis {
        let points = sizes.iter().map(|size| (*size, at(*size))).collect();
        Axis { title, piece, points, reason }
    }

    /// The exponent between a point and the one before it.
    fn steep(pair: &[(u64, f64)]) -> f64 {
        (pair[1].1 / pair[0].1).ln() / (pair[1].0 as f64 / pair[0].0 as f64).ln()
    }

    fn print(&self) {
        println!("{}", self.title);
        println!("  {:>12} {:>16} {:>18} {:>9}", self.piece, "microseconds", "ns for each", "exponent");
        for (n, (size, ns)) in self.points.iter().enumerate() {
            let steep = if n == 0 { String::new() } else { format!("{:.2}", Axis::steep(&self.points[n - 1..=n])) };
            println!("  {size:>12} {:>16.2} {:>18.2} {steep:>9}", ns / 1000.0, ns / *size as f64);
        }
        if !self.reason.is_empty() {
            println!("  {}", self.reason);
        }
    }
}

/// The median time of `work` done once, in nanoseconds of the processor.
fn once(mut work: impl FnMut()) -> f64 {
    work();
    let first = time(1, &mut work);
    // some milliseconds a round
    let times = (4e6 / first.max(1.0)).clamp(1.0, 100_000.0) as u64;
    median((0..5).map(|_| time(times, || (0..times).for_each(|_| work()))).collect())
}

fn run_once(scenario: &Scenario) -> f64 {
    let mut play = Play::new(scenario, None, None);
    let mut run = 0;
    once(|| {
        run += 1;
        play.start(1, run);
        play.once().expect("a run");
    })
}

/// Units in ranks, each 4" from the next; each looks for others near it, and tells what it saw.
fn units(count: u64) -> f64 {
    const RULES: &str = "ruleset growth
kind Unit on board { state seen : 0..99 = 0 }
phase Turn() { each u in Unit { set u.seen = min(99, count o in Unit where o != u and o within 6\" of u) } }
";
    let rank = (count as f64).sqrt().ceil() as u64;
    let width = 4 * rank + 4;
    let mut scene = format!("start = \"Turn()\"\nfuel = 100000000\n[board]\nsize = [{width}, {width}]\n");
    for n in 0..count {
        let _ = writeln!(scene, "[Unit.u{n}]\nat = [{}, {}]", 4 * (n % rank) + 2, 4 * (n / rank) + 2);
    }
    scene.push_str("[report]\nmean = \"count u in Unit where u.seen > 0\"\n");
    run_once(&scenario(RULES, &scene))
}

/// As many params, procs and rules, each with a text of its own; all rules wait on the same event.
fn book(count: u64) -> String {
    let mut text = "ruleset growth\nkind Unit { state hits : 0..9 = 0 }\nevent Hit(u: Unit, at: Int)\n".to_string();
    for n in 0..count {
        let _ = writeln!(text, "param p{n} \"Number {n}\" = {}", n % 7);
        let _ = writeln!(
            text,
            "proc act{n}(u: Unit) \"Act {n}\" {{\n  roll x = d6\n  if x >= p{n} {{ emit Hit(u, {n}) }}\n}}"
        );
        let _ = writeln!(text, "rule R{n} \"Rule {n}\" on Hit as h when h.at == {n} {{ set h.u.hits += 1 }}");
    }
    text.push_str("phase Turn(u: Unit) { do act0(u) }\n");
    text
}

/// Parses, checks and compiles a book of so many rules.
fn loading(count: u64) -> f64 {
    let text = book(count / 3);
    once(|| drop(black_box(compile(&rules(&text), Detail::Plain))))
}

fn turns(count: u64) -> String {
    format!(
        "ruleset growth
kind Squad {{
  state models : 0..20 = 20
  state markers : 0..4 = 0
}}
phase Battle(u: Squad) {{
  each turn in 1 .. {count} {{
    roll aim = 10 of d6
    let hits = count aim >= 6
    if hits >= 3 and u.markers < 4 {{ set u.markers += 1 }}
    if hits == 0 and u.markers > 0 {{ set u.markers -= 1 }}
    if u.markers == 4 {{ set u.models -= 1 }}
    if u.models == 0 {{ set u.models = 20 }}
  }}
}}
"
    )
}

const SQUAD: &str = "start = \"Battle(squad)\"\n[Squad.squad]\n[report]\nmean = \"squad.models\"\n";

fn dice(count: u64) -> String {
    format!(
        "ruleset growth
state hits : 0..9999 = 0
proc hits_of() -> Int {{
  roll dice = {count} of d6
  return count dice >= 4
}}
proc best_of() -> Int {{
  roll dice = {count} of d6
  return total(highest(3, dice))
}}
phase Throw() {{
  let n = do hits_of()
  set hits = n
}}
"
    )
}

/// Two sides that lose a man each throw: so many positions squared.
const DUEL: &str = "ruleset growth
proc duel(k: Int) -> Flag {
  var a : Int = k
  var d : Int = k
  repeat {
    roll x = d6
    if x >= 4 { set d -= 1 } else { set a -= 1 }
  } while a > 0 and d > 0
  return d == 0
}
";

/// The first question about a proc, and how many states were looked at.
fn asked(text: &str, name: &str, args: &[i64]) -> (u64, f64) {
    let game = game(text);
    let func = proc(&game, name);
    let mut states = 0;
    let time = once(|| {
        let analysis = Analysis::new(&game);
        let graph = analysis.explore(
            &game.start,
            Task::Call { func, args, keep: None },
            &mut Prefer,
            ExploreOptions::default(),
        );
        states = graph.states() as u64;
        drop(black_box(graph.results()));
    });
    (states, time)
}

fn sampled(scenario: &Scenario, runs: u64, threads: usize) {
    let settings = Settings { seed: 1, runs, threads, chunk: CHUNK, level: Level::USUAL, until: None };
    let found = sample(scenario, settings, None, &|_| true);
    assert!(found.faults == 0, "{:?}", found.first_fault);
}

/// The most memory that this process has held since it was last asked, in kilobytes, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?.trim().split(' ').next()?.parse().ok()
}

/// Runs up to a hundred million, and the memory that they take.
fn runs() -> Axis {
    let scenario = scenario(&dice(10), "start = \"Throw()\"\n[report]\nmean = \"hits\"\n");
    let mut held = Vec::new();
    let axis = Axis::new(
        "Runs sampled, one thread: ten dice counted",
        "runs",
        "",
        &[10_000, 100_000, 1_000_000, 10_000_000, 100_000_000],
        |runs| {
            peak();
            let time = time(1, || sampled(&scenario, runs, 1));
            held.extend(peak());
            time
        },
    );
    println!("Memory at the peak of each number of runs, in kilobytes: {held:?}");
    axis
}

/// Seconds on the clock for so many threads.
fn threads() {
    let scenario = scenario(&turns(6), SQUAD);
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    println!("Threads, on the clock: 2,000,000 runs of six turns");
    let mut one = 0.0;
    for threads in (0..).map(|n| 1 << n).take_while(|threads| *threads <= most) {
        let clock = |_| {
            let start = Instant::now();
            sampled(&scenario, 2_000_000, threads);
            start.elapsed().as_secs_f64()
        };
        let seconds = median((0..5).map(clock).collect());
        if threads == 1 {
            one = seconds;
        }
        println!("  {threads:>3} {seconds:>8.3} s, {:.2} times as fast as one", one / seconds);
    }
}

/// Prints and draws how everything grows.
pub fn print() {
    let tens = [10, 30, 100, 300, 1_000];
    // first, while this process holds little else
    let mut axes = vec![runs()];
    axes.extend([
        Axis::new(
            "Units on the table, each looks at all: one run",
            "units",
            "Each of n units looks at n units, so there are n squared looks.",
            &tens,
            units,
        ),
        Axis::new(
            "Rules loaded: parsed, checked, compiled",
            "rules",
            "All rules are on one event, and every proc emits it.",
            &[99, 300, 999, 3_000, 9_000],
            loading,
        ),
        Axis::new("Turns played: one run", "turns", "", &tens, |n| run_once(&scenario(&turns(n), SQUAD))),
        Axis::new(
            "Turns worked out: the exact odds after them",
            "turns",
            "Each turn has more states than the last, until all 105 are reachable; weights grow by 26 bits a turn.",
            &tens,
            |n| {
                let scenario = scenario(&turns(n), SQUAD);
                let game = scenario.game.clone();
                let func = game.program.phases[0].func;
                once(|| {
                    let analysis = Analysis::new(&game);
                    let task = Task::Call { func, args: &[0], keep: None };
                    let graph = analysis.explore(&game.start, task, &mut Prefer, ExploreOptions::default());
                    drop(black_box(graph.distribution_by(|state| state.cells.to_vec())));
                })
            },
        ),
        Axis::new("Dice thrown: one run", "dice", "", &tens, |n| {
            run_once(&scenario(&dice(n), "start = \"Throw()\"\n[report]\nmean = \"hits\"\n"))
        }),
        Axis::new(
            "Dice counted: the exact odds of how many hit",
            "dice",
            "n dice have n + 1 counts, whose weights have up to n bits times 2.6.",
            &tens,
            |n| asked(&dice(n), "hits_of", &[]).1,
        ),
        Axis::new("The best three of dice: the exact odds of their sum", "dice", "", &tens, |n| {
            asked(&dice(n), "best_of", &[]).1
        }),
    ]);
    let mut duels =
        Axis { title: "States of a duel: the exact odds of its end", piece: "states", points: Vec::new(), reason: "" };
    duels.reason = "The weights of a duel of k men have up to 2.6 bits for each of 2k throws.";
    duels.points = [5, 10, 20, 40, 80, 160].iter().map(|k| asked(DUEL, "duel", &[*k])).collect();
    axes.push(duels);
    axes.extend(questions::axes());
    axes.push(table::growth());
    axes.iter().for_each(Axis::print);
    threads();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images/growth.svg");
    std::fs::write(&file, picture(&axes)).expect("the picture is written");
    println!("drawn into docs/images/growth.svg");
}
