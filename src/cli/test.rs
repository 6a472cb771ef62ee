//! `grognard test`: examples of rules and expectations of scenarios.

use super::check::{counted, is_scenario};
use super::files::{Collected, collect};
use super::mode::{Cost, Mode as How};
use super::out::{Out, Stop};
use super::{FINE, FOUND, Findings, LIMIT, pinned, run, scenes, simulate};
use crate::base::{Diagnostic, Sources};
use crate::machine::NoTrace;
use crate::play::examples::Verdict;
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
    #[command(flatten)]
    cost: Cost,
}

/// Runs of a sample in a test, at most.
const MOST_RUNS: u64 = 200;

/// Tests and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let mut code = FINE;
    let (mut good, mut bad) = (0, 0);
    let Collected { files, problems } = collect(&args.paths, &["rules", "toml"])?;
    if !problems.is_empty() {
        code = FOUND;
        out.text(&report::render(&problems, &Sources::default(), Findings::Human.format(colour)))?;
    }
    let (rules, scenarios): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|p| p.extension().is_some_and(|e| e == "rules"));
    let (examples, unread) = super::examples::run(&rules, args.filter.as_deref(), args.cost, colour, out)?;
    if unread > 0 || examples.iter().any(|example| example.verdict == Verdict::Fails) {
        code = FOUND;
    }
    for path in scenarios {
        let name = path.display().to_string();
        if !is_scenario(&path, &args.paths) || args.filter.as_ref().is_some_and(|f| !name.contains(f.as_str())) {
            continue;
        }
        let name = report::clean(&name);
        let mut sources = Sources::default();
        let in_folder = !args.paths.contains(&path);
        let scenario = match scenes::load_found(&path, in_folder, Detail::Plain, &mut sources)? {
            Ok(scenario) => scenario,
            Err(found) => {
                bad += 1;
                code = code.max(FOUND);
                out.line(&format!("FAILED {name}"))?;
                out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
                continue;
            }
        };
        let (mut checks, mut problems) = match scenario.plan.mode {
            Mode::Sampled => {
                let settings = simulate::of_plan(&scenario, Some(scenario.plan.runs.min(MOST_RUNS)));
                let sample = sample::sample(&scenario, settings, None, &|_| true);
                let problems = sample.problems(&scenario);
                (sample.checks, problems)
            }
            Mode::Scripted if !scenario.plan.traces.is_empty() => told(&path, args.cost, &mut sources)?,
            Mode::Scripted => {
                let (outcome, _) = play::play(&scenario, Options::default(), NoTrace);
                (outcome.checks, outcome.problems)
            }
            Mode::Exact => (play::checked(&scenario.plan, &[]), Vec::new()),
        };
        if play::waiting(&checks) > 0 || scenario.plan.mode == Mode::Exact {
            let question = args.cost.question(How::Exact)?;
            problems.extend(play::odds::judge(&scenario, question.budget, &mut checks));
        }
        let (hold, looked) = play::count(&checks);
        let verdict = run::verdict(&problems, false);
        if verdict == FINE {
            good += 1;
            out.line(&format!("ok     {name}: {hold} of {looked} hold"))?;
        } else {
            bad += 1;
            code = if verdict == LIMIT { LIMIT } else { code.max(FOUND) };
            out.line(&format!("FAILED {name}: {hold} of {looked} hold"))?;
            out.text(&report::render(&problems, &sources, Findings::Human.format(colour)))?;
        }
    }
    if code == FINE && examples.is_empty() && good == 0 {
        let filter = args.filter.as_ref().map_or(String::new(), |f| format!(" with `{f}` in its path"));
        return Err(Stop::failed(format!("there is no example and no scenario in what is named{filter}")));
    }
    let files = (unread > 0).then(|| format!("{} with errors", counted(unread, "rules file")));
    let examples = (!examples.is_empty()).then(|| play::examples::summary(&examples));
    let scenarios = format!("{}, {good} good, {bad} failed", counted(good + bad, "scenario"));
    let told: Vec<String> = files.into_iter().chain(examples).chain([scenarios]).collect();
    out.line(&told.join("; "))?;
    Ok(code)
}

/// Plays a scenario that names pinned traces, and compares.
fn told(path: &Path, cost: Cost, sources: &mut Sources) -> Result<(Vec<Checked>, Vec<Diagnostic>), Stop> {
    let scenario = match scenes::load(path, None, &[], Detail::Traced, sources)? {
        Ok(scenario) => scenario,
        Err(found) => return Ok((Vec::new(), found)),
    };
    let recorder = Recorder::new(&scenario.game, &run::about(path, &scenario, None, None), Some(sources));
    let (mut outcome, recorder) = play::play(&scenario, Options::default(), recorder);
    let question = cost.question(How::Exact)?;
    outcome.problems.extend(play::odds::judge(&scenario, question.budget, &mut outcome.checks));
    drop(question);
    let found = pinned::check(path, &scenario, &recorder.finish())?;
    outcome.problems.extend(found);
    Ok((outcome.checks, outcome.problems))
}
