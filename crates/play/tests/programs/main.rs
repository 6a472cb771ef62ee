//! Compares the machine, the batch engine and exact odds with a reference evaluator on random programs.
//!
//! `GROGNARD_PROGRAMS` is the number of programs [default: 3000], `GROGNARD_FROM` the first seed [default: 0]. A run ends after
//! `GROGNARD_WRONG` disagreements [default: 5].

#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod compare;
mod hand;
mod make;
mod reference;
mod watch;

use compare::Compared;
use make::{FORMS, Make, OTHER_TRAPS};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

/// Each form occurs in at least one of this many programs.
const RAREST: usize = 300;

/// Counts of a run over many programs.
#[derive(Default)]
struct Found {
    same: usize,
    said: usize,
    refused: usize,
    large: usize,
    paths: usize,
    faults: usize,
    batch: usize,
    answers: usize,
    /// Number of compared programs with each form.
    forms: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Found {
    fn take(&mut self, seed: u64) {
        let (program, forms) = Make::program(seed);
        let compared = std::panic::catch_unwind(|| program.compare()).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Err(format!("panic: {}", text.unwrap_or_default()))
        });
        match compared {
            Ok(Compared::Same { paths, faults, batch, answers }) => {
                self.same += 1;
                self.paths += paths;
                self.faults += faults;
                self.batch += batch;
                self.answers += answers;
            }
            Ok(Compared::Said) => self.said += 1,
            // random code may change a thing after its destruction, which `check` refuses where it can see it
            Ok(Compared::Refused(why)) if why.starts_with("R0422") => {
                self.refused += 1;
                return;
            }
            Ok(Compared::TooLarge) => {
                self.large += 1;
                return;
            }
            Ok(Compared::Refused(how)) | Err(how) => {
                self.wrong.push(format!("======== seed {seed}\n{}\n{how}", program.whole()));
                return;
            }
        }
        for form in forms.into_keys() {
            *self.forms.entry(form).or_default() += 1;
        }
    }

    fn join(&mut self, other: Found) {
        self.same += other.same;
        self.said += other.said;
        self.large += other.large;
        self.paths += other.paths;
        self.faults += other.faults;
        self.batch += other.batch;
        self.answers += other.answers;
        self.refused += other.refused;
        other.forms.into_iter().for_each(|(form, n)| *self.forms.entry(form).or_default() += n);
        self.wrong.extend(other.wrong);
    }
}

fn run(from: u64, number: u64, most_wrong: u64) -> Found {
    let (next, wrong) = (AtomicU64::new(from), AtomicU64::new(0));
    let work = || {
        let mut found = Found::default();
        while wrong.load(Relaxed) < most_wrong {
            let seed = next.fetch_add(1, Relaxed);
            if seed >= from + number {
                break;
            }
            let before = found.wrong.len();
            found.take(seed);
            wrong.fetch_add((found.wrong.len() - before) as u64, Relaxed);
        }
        found
    };
    let mut all = Found::default();
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().for_each(|worker| all.join(worker.join().unwrap()));
    });
    all
}

#[test]
fn programs_agree() {
    let given = |name: &str, default| std::env::var(name).map_or(default, |n| n.parse().unwrap());
    let (from, number) = (given("GROGNARD_FROM", 0), given("GROGNARD_PROGRAMS", 3_000));
    let found = run(from, number, given("GROGNARD_WRONG", 5));
    println!(
        "{} programs agree on {} paths ({} end in an error), {} runs of a batch and {} answers one at a time; {} have a line that is refused, {} change something after its destruction, {} are too large",
        found.same, found.paths, found.faults, found.batch, found.answers, found.said, found.refused, found.large
    );
    for (form, n) in &found.forms {
        println!("{n:8} {form}");
    }
    assert!(found.wrong.is_empty(), "{}\n{} disagree", found.wrong.join("\n"), found.wrong.len());
    let unknown: Vec<_> = found.forms.keys().filter(|form| FORMS.iter().all(|(name, _)| name != *form)).collect();
    assert!(unknown.is_empty(), "not in the table of forms: {unknown:?}");
    if number as usize >= 3 * RAREST {
        let least = number as usize / RAREST;
        let times = |form: &str| found.forms.get(form).copied().unwrap_or_default();
        let rare: Vec<_> = FORMS.iter().map(|(form, _)| (form, times(form))).filter(|(_, n)| *n < least).collect();
        assert!(rare.is_empty(), "in fewer than {least} of {number} programs: {rare:?}");
        assert!((found.refused + found.large) * 20 < number as usize, "more than 5% of the programs were not compared");
        assert!(found.batch > 0 && found.faults > 0 && found.answers > 0);
    }
}

/// Each trap of `tests/traps` belongs to a form, so that it is compared in many contexts.
#[test]
fn each_trap_is_a_form() {
    let traps: BTreeSet<&str> = FORMS.iter().flat_map(|(_, traps)| traps.split_whitespace()).collect();
    let folder = grognard_kit::root().join("tests/traps");
    let names = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let all: BTreeSet<String> = names.filter(|name| !name.starts_with('k')).collect();
    let missing: Vec<&String> = all.iter().filter(|trap| !traps.contains(trap.as_str())).collect();
    assert_eq!(missing, OTHER_TRAPS);
}
