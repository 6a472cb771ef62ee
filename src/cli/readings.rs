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
use grognard_base::value::{SettingId, Type};
use grognard_base::{Effort, Sources};
use grognard_play::left_open::Holes;
use grognard_program::Detail;
use grognard_report::{left_open as listed, readings as told};
use grognard_rules as rules;
use grognard_rules::ruleset::{Setting, ValueName};
use grognard_scenario::{Answerer, Prepared};
use grognard_stats::Settings;
use grognard_stats::readings::{Misfit, Outcome, ReadingSettings, Readings, readings};
use std::path::{Path, PathBuf};

/// Runs of a scenario that does not say how many.
const USUAL_RUNS: u64 = Effort::Usual.runs();

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
            return Err(no_reading(name, names.into_iter()));
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
    let mut of = args.of.clone();
    let mut table = prepared(args, path, &of, &mut sources)?;
    if of.is_empty() {
        of = numbers(&table);
        table = prepared(args, path, &of, &mut sources)?;
    }
    if of.is_empty() {
        return Err(Stop::failed(format!("{name} reports no number and no condition; ask with `--of EXPR`")));
    }
    if table.plan().players.iter().any(|(_, list)| list.contains(&Answerer::Prompt)) {
        return Err(Stop::failed("a person answers in this scenario; give the player a policy"));
    }
    if let Some(figure) = table.plan().report.iter().find(|f| !f.asked.ty.has_mean()) {
        let told = format!("`{}` is no number and no condition; write a condition, such as `x == Case`", figure.text);
        return Err(Stop::failed(told));
    }
    let wanted = wanted(args, &table)?;
    let (how, found) = loop {
        let mut how = settings(args, &table)?;
        let pairs = how.sampled.map_or(0, |s| s.runs);
        let long = Progress::begin(pairs)?;
        let question = args.cost.question(args.mode)?;
        how.exact = (args.mode != ModeArg::Sampled).then_some(question.budget);
        let found = readings(&table, &wanted, how, &|runs| {
            question.again();
            long.more(runs)
        });
        drop((question, long));
        match found {
            Ok(found) => break (how, found),
            Err(Misfit::Table(found)) => return Err(findings(&sources)(found)),
            Err(Misfit::Beyond(why)) => {
                complain(&format!("{name}: {why}; give a larger --budget or --time, or --mode auto"));
                return Ok(LIMIT);
            }
            Err(Misfit::Measure(unfit)) if args.of.is_empty() && of.len() > 1 => {
                of.remove(unfit.at);
                out.say(&format!("{name}: left out: {}", unfit.why))?;
                table = prepared(args, path, &of, &mut sources)?;
            }
            Err(Misfit::Measure(unfit)) => return Err(Stop::failed(format!("{name}: {}", unfit.why))),
        }
    };
    let seed = how.sampled.map_or(0, |s| s.seed);
    note(args, path, &table, &found, seed, out);
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

/// What the scenario reports that is a number or a condition, each once.
fn numbers(table: &Prepared) -> Vec<String> {
    let mut of: Vec<String> = Vec::new();
    for figure in table.plan().report.iter().filter(|f| f.asked.ty.has_mean()) {
        if !of.contains(&figure.text) {
            of.push(figure.text.clone());
        }
    }
    of
}

fn no_reading<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Stop {
    let near = grognard_base::did_you_mean(name, names);
    Stop::failed(format!("the rules have no reading `{name}`{near}"))
}

/// The readings that are asked about.
fn wanted(args: &ReadingsArgs, table: &Prepared) -> Result<Vec<SettingId>, Stop> {
    let rules = table.rules();
    let is_reading = |s: &Setting| s.alternatives.len() > 1;
    let all = || rules.settings.iter().enumerate().filter(|(_, s)| is_reading(s)).map(|(n, _)| SettingId::from(n));
    let mut found = Vec::new();
    for name in &args.only {
        match rules.names.values.get(name) {
            Some(ValueName::Setting(id)) if is_reading(&rules.settings[id.at()]) => {
                if !found.contains(id) {
                    found.push(*id);
                }
            }
            _ => {
                let names = all().map(|id| rules.settings[id.at()].name.as_str());
                return Err(no_reading(name, names));
            }
        }
    }
    if args.only.is_empty() {
        found.extend(all());
    }
    Ok(found)
}

fn settings(args: &ReadingsArgs, table: &Prepared) -> Result<ReadingSettings, Stop> {
    let plan = table.plan();
    let (seed, runs) = (args.seed.seed.unwrap_or(plan.seed), args.runs.unwrap_or(plan.runs_or(USUAL_RUNS)));
    let sampled = Settings::of(seed, runs, args.threads.count());
    let share = plan.report.first().is_some_and(|f| f.asked.ty == Type::Flag);
    Ok(ReadingSettings {
        exact: None,
        sampled: (args.mode != ModeArg::Exact).then_some(sampled),
        within: args.within.as_deref().map(|text| margin(text, share)).transpose()?,
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
