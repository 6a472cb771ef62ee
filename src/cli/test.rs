//! `grognard test`: examples of rules and expectations of scenarios.

use super::check::{counted, is_scenario};
use super::files::collect;
use super::out::{Out, Stop};
use super::{FINE, FOUND, Findings, LIMIT, pinned, run, scenes, simulate};
use crate::base::{Diagnostic, Sources};
use crate::machine::NoTrace;
use crate::play::record::Recorder;
use crate::play::{self, Checked, Options};
use crate::program::Detail;
use crate::report;
use crate::sample;
use crate::scenario::Mode;
use std::path::{Path, PathBuf};

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
    let mut code = FINE;
    let (mut good, mut bad, mut waiting) = (0, 0, 0);
    let (rules, scenarios): (Vec<PathBuf>, Vec<PathBuf>) = collect(&args.paths, &["rules", "toml"])?
        .into_iter()
        .partition(|p| p.extension().is_some_and(|e| e == "rules"));
    code = code.max(super::examples::run(&rules, args.filter.as_deref(), colour, out)?);
    for path in scenarios {
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
        let (checks, problems) = if scenario.plan.mode == Mode::Sampled {
            let settings = simulate::of_plan(&scenario, Some(scenario.plan.runs.min(MOST_RUNS)));
            let sample = sample::sample(&scenario, settings, None, &|_| true);
            let problems = sample.problems(&scenario);
            (sample.checks, problems)
        } else if scenario.plan.traces.is_empty() {
            let (outcome, _) = play::play(&scenario, Options::default(), NoTrace);
            (outcome.checks, outcome.problems)
        } else {
            told(&path, &mut sources)?
        };
        let (hold, looked) = play::count(&checks);
        let wait = match play::waiting(&checks) {
            0 => String::new(),
            n => format!(", {n} wait for exact odds"),
        };
        let verdict = run::verdict(&problems, false);
        if verdict == FINE {
            good += 1;
            out.line(&format!("ok     {name}: {hold} of {looked} hold{wait}"))?;
        } else {
            bad += 1;
            code = if verdict == LIMIT { LIMIT } else { code.max(FOUND) };
            out.line(&format!("FAILED {name}: {hold} of {looked} hold{wait}"))?;
            out.text(&report::render(&problems, &sources, Findings::Human.format(colour)))?;
        }
    }
    out.line(&format!("{}, {good} good, {bad} failed, {waiting} waiting", counted(good + bad + waiting, "scenario")))?;
    Ok(code)
}

/// Plays a scenario that names pinned traces, and compares.
fn told(path: &Path, sources: &mut Sources) -> Result<(Vec<Checked>, Vec<Diagnostic>), Stop> {
    let scenario = match scenes::load(path, None, &[], Detail::Traced, sources)? {
        Ok(scenario) => scenario,
        Err(found) => return Ok((Vec::new(), found)),
    };
    let recorder = Recorder::new(&scenario.game, &run::about(path, &scenario, None, None), Some(sources));
    let (mut outcome, recorder) = play::play(&scenario, Options::default(), recorder);
    let found = pinned::check(path, &scenario, &outcome, &recorder.finish())?;
    outcome.problems.extend(found);
    Ok((outcome.checks, outcome.problems))
}
