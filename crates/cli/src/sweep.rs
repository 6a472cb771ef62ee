//! `grognard sweep`: measures scenarios at every point of a grid of params and readings.

pub mod journal;
mod plan;
mod rows;

use super::check::is_scenario;
use super::files::{collect, sha256};
use super::mode::{CostArgs, ModeArg};
use super::options::{ReceiptFile, Seed, Threads};
use super::out::{Out, Stop, complain, count};
use super::page;
use super::progress::Progress;
use super::scenes::{self, Wanted};
use super::simulate::MOST_RUNS;
use super::{FINE, FOUND, LIMIT};
use clap::ValueEnum;
use grognard_ask::{self as ask, KnownAnswers, Mode, Refused, Runs};
use grognard_base::{Budget, Effort, OrdMap, Source, Sources};
use grognard_program::Detail;
use grognard_report::sweep as rendered;
use grognard_scenario::{Over, Prepared, Scenario};
use grognard_stats::Watcher;
use grognard_stats::stats::{LEVELS, Level};
use grognard_stats::sweep::{Grid, MOST_POINTS, MeasuredPoint, Point};
use journal::{Header, Journal};
use plan::Plan;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The arguments of `grognard sweep`.
#[derive(clap::Args)]
#[command(after_long_help = "\
A grid of two settings:
  grognard sweep firefight.toml --over hit_on=3,4,5 --over at_half
A plan, with a journal from which it resumes:
  grognard sweep --plan plan.toml --journal plan.journal --format csv")]
pub struct SweepArgs {
    /// Scenarios by file or name, or folders of them
    #[arg(value_name = "SCENARIO", value_parser = super::named::parser(), required_unless_present = "plan", conflicts_with = "plan")]
    what: Vec<PathBuf>,
    /// Read all settings from a TOML file
    ///
    /// Its keys are `scenarios`, `rules`, `measures`, `grid`, `mode`, `budget`, `runs`, `seed` and `level`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["over", "of", "rules", "set"])]
    plan: Option<PathBuf>,
    /// Param or reading to vary (repeatable)
    ///
    /// Without values, it takes those of its declaration: `--over hit_on=3,4 --over at_half`. The default is the `[sweep]`
    /// of the scenario.
    #[arg(long, value_name = "NAME[=VALUES]")]
    over: Vec<String>,
    /// Measure this expression at the end (repeatable)
    ///
    /// The default is the report of the scenario.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Rules to use instead: a file or name (repeatable)
    #[arg(long)]
    rules: Vec<String>,
    /// Set a param or reading everywhere (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// How to compute results [default: the plan's mode]
    ///
    /// Without a plan, the default is `exact` or `sampled` if the scenario has that mode, and otherwise `auto`.
    #[arg(long, value_name = "MODE", value_enum)]
    mode: Option<ModeArg>,
    #[command(flatten)]
    cost: CostArgs,
    /// Number of runs at each point
    ///
    /// The default is the number in the plan or in the scenario, or else 10000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    runs: Option<u64>,
    #[command(flatten)]
    seed: Seed,
    /// Confidence level in percent [default: 95]
    #[arg(long, value_name = "PERCENT", value_parser = LEVELS.map(|l| l.name))]
    level: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Save progress here and resume from it
    ///
    /// The file has a line for each finished point. The same command resumes from there.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = SweepForm::Human)]
    format: SweepForm,
    #[command(flatten)]
    out: rows::Rows,
    #[command(flatten)]
    page: page::ReportFile,
    #[command(flatten)]
    pub receipt: ReceiptFile,
}

/// The format of rows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SweepForm {
    /// Human-readable text
    Human,
    /// One row per point and measure
    Csv,
    /// One JSON document
    Json,
    /// One JSON object per line
    Jsonl,
}

/// Measures the grid and prints the rows.
pub fn run(args: &SweepArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, SweepForm::Human);
    args.page.ready()?;
    args.out.ready()?;
    let mut sources = Sources::default();
    let plan = asked(args, &mut sources)?;
    let tables = tables(&plan, &mut sources)?;
    let (names, prepared): (Vec<String>, Vec<Prepared>) = tables.into_iter().unzip();
    let Some(grid) = Grid::new(prepared) else {
        return Err(Stop::failed(format!("the sweep has more than {MOST_POINTS} points")));
    };
    let sweep = Sweep { args, plan, names, grid };
    let header = sweep.header(&sources);
    let mut journal = match &args.journal {
        None => Journal::in_memory(header)?,
        Some(file) => Journal::open(file, header, &mut sources)?,
    };
    sweep.note(out);
    sweep.measure(&mut journal)?;
    sweep.tell(&journal, out)
}

/// Returns the plan of the plan file or of the command line.
fn asked(args: &SweepArgs, sources: &mut Sources) -> Result<Plan, Stop> {
    let mut plan = match &args.plan {
        Some(file) => plan::read(file, sources)?,
        None => {
            let over = args.over.iter().map(|text| Over::read(text, sources.add(Source::new("--over", text.as_str()))));
            let over = over.collect();
            let scenarios = args.what.clone();
            Plan { scenarios, rules: args.rules.clone(), of: args.of.clone(), over, ..Plan::default() }
        }
    };
    plan.set.clone_from(&args.set);
    plan.mode = args.mode.or(plan.mode);
    plan.budget = args.cost.budget.or(plan.budget);
    plan.runs = args.runs.or(plan.runs);
    plan.seed = args.seed.seed.or(plan.seed);
    plan.level = args.level.as_deref().and_then(Level::of).or(plan.level);
    Ok(plan)
}

/// A table of the grid with its name.
type Named = (String, Prepared);

/// Returns every scenario with every ruleset.
fn tables(plan: &Plan, sources: &mut Sources) -> Result<Vec<Named>, Stop> {
    let mut found = Vec::new();
    let paths = collect(&plan.scenarios, &["toml"])?.readable();
    for path in paths.iter().filter(|path| is_scenario(path, &plan.scenarios)) {
        let name = path.strip_prefix(&plan.folder).unwrap_or(path).display().to_string().replace('\\', "/");
        let own: Vec<Option<&str>> = match plan.rules.as_slice() {
            [] => vec![None],
            rules => rules.iter().map(|r| Some(r.as_str())).collect(),
        };
        for rules in own {
            let wanted = Wanted { rules, beside: &plan.rules, set: &plan.set, of: &plan.of, ..Wanted::default() };
            let prepared = scenes::prepare_as(path, wanted, Some(&plan.over), Detail::Plain, sources)?;
            found.push((name.clone(), usable(&name, prepared)?));
        }
    }
    if found.is_empty() {
        return Err(Stop::failed("no scenario found in the given paths"));
    }
    Ok(found)
}

/// Returns the table, if it can be swept.
fn usable(name: &str, prepared: Prepared) -> Result<Prepared, Stop> {
    let plan = prepared.plan();
    let failed = |message: String| Err(Stop::failed(format!("{name}: {message}")));
    match ask::Sweep::check(plan) {
        Err(Refused::Empty) => return failed(format!("{}; name a measure with `--of EXPR`", Refused::Empty)),
        Err(why) => return failed(why.to_string()),
        Ok(()) => {}
    }
    if plan.sweep.over.is_empty() {
        let declared = prepared.rules().settings.iter();
        let declared = declared.filter(|s| !s.sweep.is_empty() || !s.alternatives.is_empty());
        let names: Vec<&str> = declared.map(|s| s.name.as_str()).collect();
        return failed(match names.as_slice() {
            [] => "the rules declare no values to vary; name a param and its values: `--over NAME=1,2`".into(),
            names => format!("no setting to vary; use `--over NAME` with one of {}", names.join(", ")),
        });
    }
    Ok(prepared)
}

/// A running sweep.
struct Sweep<'a> {
    args: &'a SweepArgs,
    plan: Plan,
    names: Vec<String>,
    grid: Grid,
}

impl Sweep<'_> {
    /// Returns the question at each point.
    fn question(&self) -> ask::Sweep {
        let level = self.plan.level.unwrap_or(Level::USUAL);
        let (seed, runs, threads) = (self.plan.seed, self.plan.runs, self.args.threads.count());
        let runs = Runs { seed, runs, effort: Effort::Usual, level, threads };
        ask::Sweep { mode: self.plan.mode.map(ModeArg::asked), runs }
    }

    /// Returns the mode for the points of a table.
    fn mode(&self, table: &Prepared) -> Mode {
        self.question().mode(table.plan())
    }

    /// Returns the limits of the exact answer at a point.
    fn cost(&self) -> CostArgs {
        CostArgs { budget: self.plan.budget, ..self.args.cost }
    }

    /// Measures a point of a table. Returns `None` if the user stops it.
    fn answer(&self, scenario: &Scenario, more: &Watcher<'_>) -> Result<Option<MeasuredPoint>, Stop> {
        let asked = self.question();
        let mode = asked.mode(&scenario.plan);
        let question = if mode.explores() { Some(self.cost().question(mode.into())?) } else { None };
        let budget = question.as_ref().map_or_else(Budget::default, |question| question.budget.clone());
        Ok(asked.answer(scenario, budget, more).map(|found| found.measured(scenario)))
    }

    /// Returns the settings that the points of a table depend on, by name: the mode, and the settings of that mode.
    fn facts(&self, table: &Prepared) -> Vec<(&'static str, Value)> {
        let (mode, settings) = (self.mode(table), self.question().settings(table.plan()));
        let mut facts = vec![("mode", json!(mode.word()))];
        if mode.explores() {
            facts.push(("budget", json!(self.cost().states(mode.into()))));
            facts.extend(self.args.cost.time.map(|seconds| ("time", json!(seconds))));
        }
        if mode.samples() {
            let own = [("seed", json!(settings.seed)), ("runs", json!(settings.runs))];
            facts.extend(own.into_iter().chain([("level", json!(settings.level.name))]));
        }
        facts
    }

    fn table(&self, number: usize) -> rendered::SweepTable<'_> {
        rendered::SweepTable { scenario: &self.names[number], prepared: &self.grid.tables()[number] }
    }

    /// Returns everything that the result depends on. Journals with the same header belong to the same sweep.
    fn header(&self, sources: &Sources) -> Header {
        // a text of the command line is not a file, and it is in the tables
        let files =
            sources.iter().filter(|(_, s)| !s.name.starts_with("--") && Some(&s.name) != self.plan.name.as_ref());
        let files: OrdMap<String, String> = files.map(|(_, s)| (s.name.clone(), sha256(s.text.as_bytes()))).collect();
        let tables = (0..self.names.len()).map(|n| {
            let (table, prepared) = (self.table(n), &self.grid.tables()[n]);
            let mut facts = json!({
                "scenario": table.scenario,
                "rules": prepared.rules().path,
                "over": table.turned(),
                "measures": prepared.plan().report.iter().map(|f| f.text.as_str()).collect::<Vec<&str>>(),
                "set": self.plan.set,
            });
            self.facts(prepared).into_iter().for_each(|(name, value)| facts[name] = value);
            facts
        });
        Header {
            sweep: journal::FORM,
            grognard: env!("CARGO_PKG_VERSION").to_string(),
            points: self.grid.points(),
            columns: rendered::columns(self.grid.tables()),
            files,
            tables: tables.collect(),
        }
    }

    /// Notes the settings for the receipt.
    fn note(&self, out: &mut Out) {
        for (n, prepared) in self.grid.tables().iter().enumerate() {
            let chain = prepared.rules().chain.iter().map(|(path, version)| format!("{path} {version}"));
            let chain = chain.map(|text| text.trim_end().into()).collect();
            let own = [("scenario", self.names[n].as_str().into()), ("rules", toml::Value::Array(chain))];
            let facts = self.facts(prepared).into_iter().map(|(name, value)| {
                (name, value.as_u64().map_or_else(|| value.as_str().unwrap_or_default().into(), count))
            });
            out.note(own.into_iter().chain(facts));
        }
    }

    /// Measures every point that the journal does not have.
    fn measure(&self, journal: &mut Journal) -> Result<(), Stop> {
        let open = (0..self.grid.points()).filter(|point| !journal.has(*point));
        let open: Vec<_> = open.filter_map(|number| self.grid.point(number)).collect();
        let runs = |point: &Point| {
            let table = &self.grid.tables()[point.table];
            if self.mode(table).explores() { 0 } else { self.question().settings(table.plan()).runs }
        };
        let runs: u64 = open.iter().map(runs).sum();
        // if the number of runs is unknown, the progress counts points
        let long = if runs > 0 { Progress::begin(runs)? } else { Progress::of(open.len() as u64, "points")? };
        let more = |done: u64| long.more(if runs > 0 { done } else { 0 });
        let mut known = KnownAnswers::default();
        for point in open {
            let table = self.table(point.table);
            let rows = match self.grid.set(&point) {
                Err(problems) => table.unset(&point, &problems),
                Ok(scenario) => {
                    let answer = known.find(&point, &scenario, || self.answer(&scenario, &more))?;
                    let Some(answer) = answer else { break };
                    table.rows(&point, &scenario, &answer)
                }
            };
            if runs == 0 {
                long.more(1);
            }
            journal.add(point.number, rows)?;
            if Progress::pressed() {
                break;
            }
        }
        journal.finish()
    }

    /// Prints the rows of the journal, and returns the exit code.
    fn tell(&self, journal: &Journal, out: &mut Out) -> Result<u8, Stop> {
        let (header, points, form) = (journal.header(), self.grid.points(), self.args.format);
        let rows: Vec<rendered::Row> = (0..points).filter_map(|n| journal.rows(n)).flatten().cloned().collect();
        let done = (0..points).filter(|n| journal.has(*n)).count();
        let stopped = if Progress::pressed() { "interrupted: " } else { "" };
        let rendered = format!("{stopped}{done} of {points} points finished");
        self.args.out.put(&header.columns, &rows)?;
        let found = rendered::finding(&header.columns, &rows, &rendered);
        match form {
            SweepForm::Human => out.text(&found.text())?,
            SweepForm::Csv => out.text(&found.csv())?,
            SweepForm::Json => out.json(&rendered::document(&header.columns, &rows, [done as u64, points]))?,
            SweepForm::Jsonl => out.text(&rendered::jsonl(&header.columns, &rows))?,
        }
        self.args.page.put(out, || found)?;
        let whole = done as u64 == points;
        if form == SweepForm::Human {
            out.line(&format!("\n{}", rendered::summary(&header.tables, &rendered)))?;
        } else if !whole {
            complain(&rendered);
        }
        let sound =
            |row: &rendered::Row| ["error", "first_fault"].iter().all(|name| row.get(*name).is_none_or(Value::is_null));
        let bounded = |row: &rendered::Row| row.get("label").is_some_and(|label| label == "bounded");
        Ok(match (whole && !rows.iter().any(bounded), rows.iter().all(sound)) {
            (false, _) => LIMIT,
            (true, false) => FOUND,
            (true, true) => FINE,
        })
    }
}

/// Returns the folder of a file.
fn beside(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_path_buf()
}
