//! `grognard test`: examples of rules files, expectations of scenarios.

use super::check::{counted, is_scenario};
use super::files::{Root, collect};
use super::out::{Out, Stop};
use super::{FINE, FOUND, Findings, LIMIT, run, scenes};
use crate::base::{Diagnostic, Sources};
use crate::machine::NoTrace;
use crate::play::examples::{self, run_examples};
use crate::play::{self, Options};
use crate::program::{Detail, compile};
use crate::report;
use crate::rules;
use crate::scenario::Mode;
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

/// Runs the examples of every ruleset that can run; true if one failed.
fn examples(args: &Args, colour: bool, out: &mut Out) -> Result<bool, Stop> {
    let mut failed = false;
    for path in collect(&args.paths, &["rules"])? {
        let (root, name) = Root::of_rules(&path)?;
        if args.filter.as_ref().is_some_and(|f| !name.contains(f.as_str())) {
            continue;
        }
        let mut sources = Sources::default();
        let loaded = rules::load(&name, &root, &mut sources);
        let Some(set) = loaded.ruleset else {
            let found: Vec<_> = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
            out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
            failed = true;
            continue;
        };
        // what is open is filled in by the rulesets above, which run these examples again
        if !set.open.is_empty() || set.examples.is_empty() {
            continue;
        }
        let results = run_examples(&compile(set, Detail::Plain), &sources);
        out.line(&report::clean(&name))?;
        out.text(&examples::report(&results, &sources))?;
        out.line(&examples::summary(&results))?;
        failed |= results.iter().any(|r| r.verdict == examples::Verdict::Fails);
    }
    Ok(failed)
}

/// Tests and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let mut code = FINE;
    let (mut good, mut bad, mut waiting) = (0, 0, 0);
    let failed = examples(args, colour, out)?;
    if failed {
        code = FOUND;
    }
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
    out.line(&format!("{}, {good} good, {bad} failed, {waiting} waiting", counted(good + bad + waiting, "scenario")))?;
    Ok(code)
}
