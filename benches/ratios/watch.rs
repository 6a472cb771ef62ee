//! What a save costs under `watch`, against a `check` of all that stands on the file that changed and a `run` of what the change reaches: the same
//! functions that these commands call, in memory, by the time of the processor.

use cpu_time::ProcessTime;
use grognard_base::{OrdSet, Sources};
use grognard_ide::query::watch::{Address, Change, ChangedFile, Claim, Cost, Plan, ScenarioPath, Watched};
use grognard_play::examples::{check_examples, run_example};
use grognard_play::record::{About, Recorder, TraceDetail, render};
use grognard_play::{Options, odds, record};
use grognard_program::{Built, Detail};
use grognard_report::Format;
use grognard_rules::{Library, load};
use grognard_scenario as scenario;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Positions that one exact answer may take.
const POSITIONS: usize = 2_000;
/// Saves of each sort.
const ROUNDS: usize = 6;

/// Texts that change.
struct Texts(RefCell<BTreeMap<String, String>>);

impl Library for Texts {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.0.borrow().get(path).cloned())
    }
}

/// The rules, the register and the scenarios of a shipped book, by path under their root.
fn book(name: &str) -> BTreeMap<String, String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../rulesets/");
    let mut all = BTreeMap::new();
    for folder in [name.to_string(), format!("{name}/scenarios")] {
        for file in std::fs::read_dir(format!("{root}{folder}")).expect("a shipped book").flatten() {
            if let Ok(text) = std::fs::read_to_string(file.path()) {
                all.insert(format!("{folder}/{}", file.file_name().to_string_lossy()), text);
            }
        }
    }
    all
}

/// Prints the times.
pub fn print() {
    println!("watch: what a save costs, and a check and a run of what it changed, in milliseconds of the processor");
    println!("  {:44} {:>6} {:>9} {:>9} {:>9} {:>7}", "saved", "tests", "watch", "check", "run", "ratio");
    let edits = [
        ("recoil", "recoil/results.rules", ["# ", "#  "], "a comment"),
        ("recoil", "recoil/recoil.rules", ["\"Seek cover\"", "\"Down with their heads\""], "a title"),
        ("recoil", "recoil/recoil.rules", ["\"Recoil\" {", "\"Backwards\" {"], "a title"),
        ("recoil", "recoil/scenarios/cornered.toml", ["\nname ", "\nabout = \"more\"\nname "], "a scenario"),
    ];
    let mut worst: f64 = 0.0;
    for (name, path, [old, new], rendered) in edits {
        worst = worst.max(saved(name, path, (old, new), rendered));
    }
    println!("  the worst ratio is {worst:.2}; wanted: no more than 1");
    assert!(worst <= 1.0, "a save takes longer than the commands");
}

/// The times of saves that write a text otherwise and back; gives their ratio.
fn saved(name: &str, path: &str, (old, new): (&str, &str), rendered: &str) -> f64 {
    let texts = Rc::new(Texts(RefCell::new(book(name))));
    let cost = Cost {
        claims: grognard_base::Effort::Given(POSITIONS).budget(),
        odds: grognard_base::Effort::Given(POSITIONS).budget(),
    };
    let mut watched = Watched::new(Format::Short, cost);
    watched.root(texts.clone());
    let all: Vec<String> = texts.0.borrow().keys().cloned().collect();
    let books: OrdSet<Address> = all.iter().filter(|p| p.ends_with(".rules")).map(|p| (0, p.clone())).collect();
    let place = |path: &String| ScenarioPath { name: path.clone(), own: (0, path.clone()), root: 0 };
    watched.watch(books, all.iter().filter(|path| path.contains("/scenarios/")).map(place).collect());
    let (first, _) = save(&mut watched, Vec::new());
    assert!(!first.is_empty(), "nothing was run");
    let before = texts.0.borrow()[path].clone();
    let after = before.replace(old, new);
    assert_ne!(before, after, "{path}");
    // what stands on a file is told of too, as `check` does with a folder
    let stands_on = |one: &&String| {
        let mut sources = Sources::default();
        let _ = load(one, &*texts, &mut sources);
        sources.iter().any(|(_, source)| source.name == path)
    };
    let resting: Vec<String> = match path.ends_with(".rules") {
        true => all.iter().filter(|one| one.ends_with(".rules")).filter(stands_on).cloned().collect(),
        false => vec![path.to_string()],
    };
    let (mut watch, mut check, mut run, mut tests) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for round in 0..ROUNDS {
        let text = if round % 2 == 0 { &after } else { &before };
        texts.0.borrow_mut().insert(path.to_string(), text.clone());
        let file = ChangedFile { address: (0, path.to_string()), shown: path.to_string(), change: Change::Changed };
        let (ran, took) = save(&mut watched, vec![file]);
        watch.push(took);
        tests = ran.iter().map(|(_, tests)| tests).sum();
        check.push(timed(|| resting.iter().for_each(|one| checked(&texts, one))));
        run.push(timed(|| ran.iter().for_each(|(name, tests)| again(&texts, name, *tests))));
    }
    let [watch, check, run] = [watch, check, run].map(grognard_bench::median);
    let ratio = watch / (check + run);
    println!("  {:44} {tests:6} {watch:9.2} {check:9.2} {run:9.2} {ratio:7.2}", format!("{rendered} in {path}"));
    ratio
}

fn timed(work: impl FnOnce()) -> f64 {
    let began = ProcessTime::now();
    work();
    began.elapsed().as_secs_f64() * 1e3
}

/// One save: what was run, by the file it stands in, with how many tests of it; and the time.
fn save(watched: &mut Watched, files: Vec<ChangedFile>) -> (Vec<(String, usize)>, f64) {
    let mut ran = Vec::new();
    let took = timed(|| {
        let Plan { jobs, mut saved } = watched.plan(files);
        let none = |_: &str, _: &_, _: &[_], _: &_| (Vec::<Claim>::new(), Vec::new());
        for job in &jobs {
            watched.ended(&mut saved, job.run(&none));
        }
        ran = jobs.iter().map(|job| (job.name.clone(), job.count())).collect();
        watched.done(&mut saved);
        assert_eq!(saved.errors, 0, "{}", saved.findings);
        std::hint::black_box(saved.text());
    });
    (ran, took)
}

/// What `check` does with a file.
fn checked(texts: &Rc<Texts>, path: &str) {
    let mut sources = Sources::default();
    if path.ends_with(".rules") {
        let rules = load(path, &**texts, &mut sources).ruleset.expect("a ruleset");
        if rules.open.is_empty() {
            std::hint::black_box(check_examples(&Built::new(rules, Detail::Plain)));
        }
    } else {
        std::hint::black_box(bound(texts, path, Detail::Plain, &mut sources));
    }
}

fn bound(texts: &Rc<Texts>, path: &str, detail: Detail, sources: &mut Sources) -> scenario::Scenario {
    let text = texts.0.borrow()[path].clone();
    let document = scenario::read(path, text, &**texts, sources).expect("a scenario");
    let sets = scenario::rulesets(&document).expect("its rules");
    let mut load = |name: &str| load(name, &**texts, sources).ruleset.expect("a ruleset");
    let mut sets: Vec<_> = sets.iter().map(|(name, _)| load(name)).collect();
    let first = sets.remove(0);
    scenario::build(&document, first, &sets, sources, detail).expect("a scenario")
}

/// What `run` does with a scenario, and `test` with so many examples of a file.
fn again(texts: &Rc<Texts>, path: &str, tests: usize) {
    let mut sources = Sources::default();
    let budget = grognard_base::Effort::Given(POSITIONS).budget();
    if path.ends_with(".rules") {
        let rules = load(path, &**texts, &mut sources).ruleset.expect("a ruleset");
        let built = Built::new(rules, Detail::Covered);
        for example in built.rules.examples.iter().take(tests) {
            std::hint::black_box(run_example(&built, example, &sources, budget.clone()));
        }
        return;
    }
    let scenario = bound(texts, path, Detail::Traced, &mut sources);
    let recorder = Recorder::new(&scenario.game, &About::default(), Some(&sources));
    let (mut outcome, events) = record(&scenario, Options::default(), recorder);
    outcome.problems.extend(odds::judge(&scenario, budget, &mut outcome.checks));
    std::hint::black_box(render(&events, TraceDetail::Brief));
}
