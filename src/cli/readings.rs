//! `grognard readings`: what books leave open, how it is read, and what each reading changes on a table.

use super::check::is_scenario;
use super::compare::margin;
use super::files::{Root, collect};
use super::mode::{CostArgs, ModeArg};
use super::odds::{findings, judged};
use super::options::{Seed, Threads};
use super::out::{Out, Stop, complain, count, told as noted};
use super::progress::Progress;
use super::scenes::{self, Wanted};
use super::simulate::{MOST_RUNS, ReportForm};
use super::{FINE, FOUND, LIMIT, UNUSABLE};
use grognard_ask::{self as ask, NoReadings, Refused, Runs};
use grognard_base::value::Type;
use grognard_base::{Effort, Sources};
use grognard_play::left_open::Holes;
use grognard_program::Detail;
use grognard_report::{left_open as listed, readings as told};
use grognard_rules as rules;
use grognard_scenario::Prepared;
use grognard_stats::readings::{Outcome, Readings};
use grognard_stats::stats::Level;
use std::path::{Path, PathBuf};

/// What to look at.
#[derive(clap::Args)]
#[command(after_long_help = "\
  grognard readings rulesets/warstrike                 each hole with its readings, and what leans on them
  grognard readings firefight.toml                     what each reading changes in what the scenario reports
  grognard readings duel.toml --of red.gone --rules warstrike/leadership")]
pub struct ReadingsArgs {
    /// Rules and folders of them; or one scenario. This folder if nothing is named.
    #[arg(value_name = "PATHS | SCENARIO")]
    paths: Vec<PathBuf>,
    /// What is measured at the end: a condition or a number; may be given again. Without it, what the scenario reports.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Only this reading; may be given again.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Other rules for the scenario: a file, or a name such as game/edition.
    #[arg(long)]
    rules: Option<String>,
    /// A param or reading of the table as it stands; may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// How effects are found.
    #[arg(long, value_enum, default_value_t = ModeArg::Auto)]
    mode: ModeArg,
    #[command(flatten)]
    cost: CostArgs,
    /// Pairs of runs for each reading that is sampled.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    runs: Option<u64>,
    /// A difference of the first measure that is too small to matter, where it is sampled: `1%` of all runs for a
    /// condition, `0.1` for a number. Without it, a hundredth of the range of its values.
    #[arg(long, value_name = "D")]
    within: Option<String>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
    /// Also tells how the numbers were found.
    #[arg(long)]
    explain: bool,
    /// How it is told.
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
}

impl ReadingsArgs {
    /// An option that was given and says how to measure.
    fn measuring(&self) -> Option<&'static str> {
        let options = [
            ("--of", !self.of.is_empty()),
            ("--rules", self.rules.is_some()),
            ("--set", !self.set.is_empty()),
            ("--budget", self.cost.budget.is_some()),
            ("--time", self.cost.time.is_some()),
            ("--runs", self.runs.is_some()),
            ("--within", self.within.is_some()),
            ("--seed", self.seed.seed.is_some()),
            ("--explain", self.explain),
            ("--report", self.page.wanted()),
        ];
        options.into_iter().find_map(|(option, given)| given.then_some(option))
    }
}

/// Looks and tells.
pub fn run(args: &ReadingsArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    let scene = |path: &&PathBuf| {
        let register = path.file_name().is_some_and(|name| name == "clauses.toml");
        path.extension().is_some_and(|e| e == "toml") && !register && is_scenario(path, &args.paths)
    };
    match (args.paths.iter().find(scene), args.paths.len()) {
        (None, _) => match args.measuring() {
            Some(option) => Err(Stop::failed(format!("`{option}` is for a scenario; name one"))),
            None => list(args, out),
        },
        (Some(path), 1) => measure(args, path, out),
        (Some(_), _) => Err(Stop::failed("readings are measured on one scenario at a time")),
    }
}

/// Lists holes and readings.
fn list(args: &ReadingsArgs, out: &mut Out) -> Result<u8, Stop> {
    let files = collect(&args.paths, &["rules"])?.readable();
    if files.is_empty() {
        return Err(Stop::failed("there are no rules in what is named"));
    }
    let mut holes = Holes::default();
    for path in files {
        let mut sources = Sources::default();
        let (root, name) = Root::of_rules(&path)?;
        let set = rules::load(&name, &root, &mut sources).sound().map_err(Stop::found(&sources, UNUSABLE))?;
        holes.add(&root.folder(), &set, &sources);
    }
    if !args.only.is_empty() {
        let names: Vec<&str> = holes.readings().map(|r| r.name.as_str()).collect();
        if let Some(name) = args.only.iter().find(|name| !names.contains(&name.as_str())) {
            return Err(Stop::failed(ask::no_reading(name, names.into_iter())));
        }
        holes.keep(&args.only);
    }
    super::simulate::shown(args.format, &listed::finding(&holes), out)?;
    Ok(FINE)
}

/// Measures on a scenario.
fn measure(args: &ReadingsArgs, path: &Path, out: &mut Out) -> Result<u8, Stop> {
    args.page.ready()?;
    let name = path.display().to_string().replace('\\', "/");
    let mut sources = Sources::default();
    let runs = Runs {
        seed: args.seed.seed,
        runs: args.runs,
        effort: Effort::Usual,
        level: Level::USUAL,
        threads: args.threads.count(),
    };
    let asked = ask::Readings { mode: args.mode.asked(), runs, of: args.of.clone(), only: args.only.clone() };
    let mut prepare = |of: &[String]| prepared(args, path, of, &mut sources);
    let mut asked = match asked.bind(&mut prepare) {
        Ok(asked) => asked,
        Err(why) => return unanswered(why, &name, &sources),
    };
    let found = loop {
        let share = asked.table().plan().report.first().is_some_and(|f| f.asked.ty == Type::Flag);
        let within = args.within.as_deref().map(|text| margin(text, share)).transpose()?;
        let long = Progress::begin(asked.settings().map_or(0, |sampled| sampled.runs))?;
        let question = args.cost.question(args.mode)?;
        let watch = |runs| {
            question.again();
            long.more(runs)
        };
        let found = asked.answer(question.budget, within, &watch, (&[], &mut |_| ()));
        drop((question, long));
        match found.map_err(|misfit| asked.leave_out(misfit)) {
            Ok(found) => break found,
            Err(Ok(why)) => out.say(&format!("{name}: left out: {why}"))?,
            Err(Err(why)) => return unanswered(why, &name, &sources),
        }
    };
    let (table, seed) = (asked.table(), asked.settings().map_or(0, |sampled| sampled.seed));
    note(args, path, table, &found, seed, out);
    let shown = told::ReadingsTable { scenario: &name, rules: table.rules(), seed, found: &found };
    let mut shown = told::finding(&shown);
    if args.explain {
        shown.say(told::METHOD);
    }
    super::simulate::shown(args.format, &shown, out)?;
    args.page.put(out, || shown)?;
    Ok(code(&found))
}

fn prepared(args: &ReadingsArgs, path: &Path, of: &[String], sources: &mut Sources) -> Result<Prepared, Stop> {
    let wanted = Wanted { rules: args.rules.as_deref(), set: &args.set, of, ..Wanted::default() };
    scenes::prepare_as(path, wanted, None, Detail::Plain, sources).map_err(judged)
}

/// Reports why there is no answer.
fn unanswered(why: NoReadings<Stop>, name: &str, sources: &Sources) -> Result<u8, Stop> {
    Err(match why {
        NoReadings::Unread(stop) => stop,
        NoReadings::Refused(why @ Refused::NoMean) => Stop::failed(format!("{name}: {why}; ask with `--of EXPR`")),
        NoReadings::Refused(why) => Stop::failed(why.to_string()),
        NoReadings::Unknown(why) => Stop::failed(why),
        NoReadings::Unset(found) => findings(sources)(found),
        NoReadings::Unfit(why) => Stop::failed(format!("{name}: {why}")),
        NoReadings::Beyond(why) => {
            complain(&format!("{name}: {why}; give a larger --budget or --time, or --mode auto"));
            return Ok(LIMIT);
        }
    })
}

/// Notes what it was made with.
fn note(args: &ReadingsArgs, path: &Path, table: &Prepared, found: &Readings, seed: u64, out: &mut Out) {
    let Ok(scenario) = table.clone().settle() else { return };
    let own = [("mode", args.mode.word().into()), ("budget", count(args.cost.states(args.mode)))];
    let sampled = [("seed", count(seed)), ("pairs", count(found.runs))];
    out.note(noted(path, &scenario).into_iter().chain(own).chain(sampled));
}

/// 1 if a reading cannot be played, 3 if not all was worked out, or if the table reads none of them.
fn code(found: &Readings) -> u8 {
    let fails = |outcome: &Outcome| match outcome {
        Outcome::Unset(_) => true,
        Outcome::Sampled(pairs) => pairs.faults > 0,
        _ => false,
    };
    let beyond = |outcome: &Outcome| matches!(outcome, Outcome::Beyond);
    let outcomes = || found.turned.iter().map(|t| &t.outcome);
    match (found.stopped || found.unread() || outcomes().any(beyond), outcomes().any(fails)) {
        (true, _) => LIMIT,
        (false, true) => FOUND,
        (false, false) => FINE,
    }
}
