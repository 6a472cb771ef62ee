//! `grognard test`: examples of rules, and expectations of scenarios.

use super::check::{counted, is_scenario};
use super::files::{Root, collect};
use super::out::{Out, Stop};
use super::{FINE, FOUND, Findings, LIMIT, run, scenes};
use crate::base::{Diagnostic, Sources};
use crate::machine::NoTrace;
use crate::play::examples::{Verdict, run_examples};
use crate::play::{self, Options};
use crate::program::{self, Detail};
use crate::scenario::Mode;
use crate::{report, rules};
use std::path::PathBuf;

/// What to test.
#[derive(clap::Args)]
pub struct Args {
    /// Files and folders; this folder if none is named.
    paths: Vec<PathBuf>,
    /// Only those whose path holds this.
    #[arg(long)]
    filter: Option<String>,
}

/// Runs of a sample in a test, at most.
const MOST_RUNS: u64 = 200;

/// Tests and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let code = examples(args, colour, out)?;
    Ok(code.max(scenarios(args, colour, out)?))
}

/// Examples of rules files, those of the files below them too.
fn examples(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let mut code = FINE;
    let (mut good, mut bad, mut waiting) = (0, 0, 0);
    for path in collect(&args.paths, &["rules"])? {
        let name = report::clean(&path.display().to_string());
        let mut sources = Sources::default();
        let (root, file) = Root::of_rules(&path)?;
        let loaded = rules::load(&file, &root, &mut sources);
        let Some(ruleset) = loaded.ruleset else {
            bad += 1;
            code = FOUND;
            let found: Vec<_> = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
            out.line(&format!("FAILED {name}: the rules have errors"))?;
            out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
            continue;
        };
        let program = program::compile(ruleset, Detail::Plain);
        for result in run_examples(&program, &sources) {
            let title = format!("{name}: \"{}\"", report::clean(&result.title));
            if args.filter.as_ref().is_some_and(|f| !title.contains(f.as_str())) {
                continue;
            }
            match result.verdict {
                Verdict::Holds => good += 1,
                Verdict::Waits => waiting += 1,
                Verdict::Fails => {
                    bad += 1;
                    code = FOUND;
                    out.line(&format!("FAILED {title}"))?;
                    out.text(&report::render(&result.problems, &sources, Findings::Human.format(colour)))?;
                }
            }
        }
    }
    if good + bad + waiting > 0 {
        out.line(&format!(
            "{}, {good} good, {bad} failed, {waiting} waiting",
            counted(good + bad + waiting, "example")
        ))?;
    }
    Ok(code)
}

/// Scenarios that are named, or lie in a folder `scenarios`.
fn scenarios(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let mut code = FINE;
    let (mut good, mut bad, mut waiting) = (0, 0, 0);
    for path in collect(&args.paths, &["toml"])? {
        let name = path.display().to_string();
        if !is_scenario(&path, &args.paths) || args.filter.as_ref().is_some_and(|f| !name.contains(f.as_str())) {
            continue;
        }
        let name = report::clean(&name);
        let mut sources = Sources::default();
        let scenario = match scenes::load(&path, None, &[], Detail::Plain, &mut sources)? {
            Ok(scenario) => scenario,
            Err(found) => {
                bad += 1;
                code = code.max(FOUND);
                out.line(&format!("FAILED {name}"))?;
                out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
                continue;
            }
        };
        if scenario.plan.mode == Mode::Exact {
            waiting += 1;
            out.line(&format!("waits  {name}: needs exact odds"))?;
            continue;
        }
        let runs = Some(scenario.plan.runs.min(MOST_RUNS));
        let (outcome, _) = play::play(&scenario, Options { runs, ..Options::default() }, NoTrace);
        let (hold, looked) = outcome.count();
        let wait =
            if outcome.waiting() > 0 { format!(", {} wait for exact odds", outcome.waiting()) } else { String::new() };
        if outcome.sound() {
            good += 1;
            out.line(&format!("ok     {name}: {hold} of {looked} hold{wait}"))?;
        } else {
            bad += 1;
            let verdict = run::verdict(&outcome);
            code = if verdict == LIMIT { LIMIT } else { code.max(FOUND) };
            out.line(&format!("FAILED {name}: {hold} of {looked} hold{wait}"))?;
            out.text(&report::render(&outcome.problems, &sources, Findings::Human.format(colour)))?;
        }
    }
    if good + bad + waiting > 0 {
        out.line(&format!(
            "{}, {good} good, {bad} failed, {waiting} waiting",
            counted(good + bad + waiting, "scenario")
        ))?;
    }
    Ok(code)
}
