//! `grognard readings`: lists ambiguities of books with their readings, and measures the effect of each reading on a scenario.

use super::check::is_scenario;
use super::compare::margin;
use super::files::{Root, collect};
use super::mode::{CostArgs, ModeArg};
use super::odds::{findings, judged};
use super::options::{ReceiptFile, Seed, Threads};
use super::out::{Out, Stop, complain, count, rendered as noted};
use super::progress::Progress;
use super::scenes::{self, Wanted};
use super::simulate::{MOST_RUNS, ReportForm};
use super::{FINE, FOUND, LIMIT, UNUSABLE};
use grognard_ask::{self as ask, NoReadings, Refused, Runs};
use grognard_base::value::Type;
use grognard_base::{Effort, Sources};
use grognard_play::open_points::Holes;
use grognard_program::Detail;
use grognard_report::{open_points as listed, readings as rendered};
use grognard_rules as rules;
use grognard_scenario::Prepared;
use grognard_stats::readings::{Outcome, Readings};
use grognard_stats::stats::Level;
use std::path::{Path, PathBuf};

/// The arguments of `grognard readings`.
#[derive(clap::Args)]
#[command(after_long_help = "\
Each hole with its readings, and the rules that depend on them:
  grognard readings rulesets/warstrike
The effect of each reading on the report of a scenario:
  grognard readings firefight.toml
  grognard readings duel.toml --of red.gone --rules warstrike/leadership")]
pub struct ReadingsArgs {
    /// Rules and folders of them; or one scenario
    ///
    /// A scenario of the project or of a shipped book can be named without its folder and extension. The default is the
    /// project, or this folder.
    #[arg(value_name = "PATHS | SCENARIO", value_parser = super::named::parser())]
    paths: Vec<PathBuf>,
    /// Measure this expression at the end (repeatable)
    ///
    /// The expression is a condition or a number. The default is the report of the scenario.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Report only this reading (repeatable)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Rules to use instead: a file or a ruleset name
    #[arg(long)]
    rules: Option<String>,
    /// Set a param or reading (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// How to compute results
    #[arg(long, value_name = "MODE", value_enum, default_value_t = ModeArg::Auto)]
    mode: ModeArg,
    #[command(flatten)]
    cost: CostArgs,
    /// Number of pairs of runs for each sampled reading
    ///
    /// The default is the number of runs in the scenario, or else 10000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    runs: Option<u64>,
    /// Largest difference that counts as the same
    ///
    /// It applies to the first measure of a sampled reading: `1%` of all runs for a condition, `0.1` for a number. The
    /// default is a hundredth of the range of the values.
    #[arg(long, value_name = "D")]
    within: Option<String>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
    /// Print the statistical method
    #[arg(long)]
    explain: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
    #[command(flatten)]
    pub receipt: ReceiptFile,
}

impl ReadingsArgs {
    /// Returns a given option that needs a scenario.
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

/// Lists the readings, or measures their effects on a scenario.
pub fn run(args: &ReadingsArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    let scene = |path: &&PathBuf| {
        let register = path.file_name().is_some_and(|name| name == "clauses.toml");
        path.extension().is_some_and(|e| e == "toml") && !register && is_scenario(path, &args.paths)
    };
    match (args.paths.iter().find(scene), args.paths.len()) {
        (None, _) => match args.measuring() {
            Some(option) => Err(Stop::failed(format!("`{option}` needs a scenario; name one"))),
            None => list(args, out),
        },
        (Some(path), 1) => measure(args, path, out),
        (Some(_), _) => Err(Stop::failed("name one scenario at a time to measure readings")),
    }
}

/// Lists the holes and readings of all rules in the given paths.
fn list(args: &ReadingsArgs, out: &mut Out) -> Result<u8, Stop> {
    let files = collect(&args.paths, &["rules"])?.readable();
    if files.is_empty() {
        return Err(Stop::failed("no rules found in the given paths"));
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

/// Measures the effects on a scenario.
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
        let found = asked.answer(question.budget.clone(), within, &watch, (&[], &mut |_| ()));
        drop((question, long));
        match found.map_err(|misfit| asked.leave_out(misfit)) {
            Ok(found) => break found,
            Err(Ok(why)) => out.say(&format!("{name}: omitted: {why}"))?,
            Err(Err(why)) => return unanswered(why, &name, &sources),
        }
    };
    let (table, seed) = (asked.table(), asked.settings().map_or(0, |sampled| sampled.seed));
    note(args, path, table, &found, seed, out);
    let shown = rendered::ReadingsTable { scenario: &name, rules: table.rules(), seed, found: &found };
    let mut shown = rendered::finding(&shown);
    if args.explain {
        shown.say(rendered::METHOD);
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
        NoReadings::Refused(why @ Refused::NoMean) => {
            Stop::failed(format!("{name}: {why}; name a measure with `--of EXPR`"))
        }
        NoReadings::Refused(why) => Stop::failed(why.to_string()),
        NoReadings::Unknown(why) => Stop::failed(why),
        NoReadings::Unset(found) => findings(sources)(found),
        NoReadings::Unfit(why) => Stop::failed(format!("{name}: {why}")),
        NoReadings::Beyond(why) => {
            complain(&format!("{name}: {why}; use a larger --budget or --time, or --mode auto"));
            return Ok(LIMIT);
        }
    })
}

/// Notes the settings for the receipt.
fn note(args: &ReadingsArgs, path: &Path, table: &Prepared, found: &Readings, seed: u64, out: &mut Out) {
    let Ok(scenario) = table.clone().settle() else { return };
    let own = [("mode", args.mode.word().into()), ("budget", count(args.cost.states(args.mode)))];
    let sampled = [("seed", count(seed)), ("pairs", count(found.runs))];
    out.note(noted(path, &scenario).into_iter().chain(own).chain(sampled));
}

/// Returns 1 if a reading cannot be run, and 3 if a result is missing or the scenario reads none of them.
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
