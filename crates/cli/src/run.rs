//! `grognard run`: runs a scenario and prints its trace.

use super::mode::question;
use super::options::{ReceiptFile, Seed};
use super::out::{Out, Stop, count, rendered as noted};
use super::progress::threads;
use super::simulate::{self, ReportForm};
use super::{FINE, FOUND, LIMIT, UNUSABLE, map, odds, pinned, scenes, stdin};
use clap::ValueEnum;
use grognard_ask::{Runs, asks_person};
use grognard_base::{Code, Diagnostic, Effort, Sources};
use grognard_play::record::{self, About, Event, Recorder};
use grognard_play::{self as play, Options, Outcome, Person, Terminal, Verdict, is_limit};
use grognard_program::Detail;
use grognard_report as report;
use grognard_report::story::Story;
use grognard_scenario::{Expected, Figure, Mode, Scenario};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The arguments of `grognard run`.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Scenario file or name; `-` reads standard input
    #[arg(value_parser = super::named::parser())]
    scenario: PathBuf,
    /// Rules to use instead: a file or a ruleset name
    #[arg(long)]
    rules: Option<PathBuf>,
    #[command(flatten)]
    seed: Seed,
    /// Number of runs of a sampled scenario
    ///
    /// The default is the number in the scenario, or else 10000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=simulate::MOST_RUNS), conflicts_with = "run")]
    runs: Option<u64>,
    /// Run to show, counted from 0
    ///
    /// A sample numbers its runs in the same way.
    #[arg(long, value_name = "N")]
    run: Option<u64>,
    /// Set a param or reading (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Trace detail [default: story]
    ///
    /// With `--format jsonl`, `story` prints one object for each line of the story. All other machine-readable traces are full.
    #[arg(long, value_name = "LEVEL", value_enum)]
    trace: Option<TraceArg>,
    /// Show the full trace of a line of the story
    #[arg(long, value_name = "LINE", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["trace", "format"])]
    at: Option<u32>,
    /// Show the actions that each menu refused
    #[arg(long, conflicts_with = "at")]
    refused: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = RunForm::Human)]
    format: RunForm,
    #[command(flatten)]
    map: map::Pictures,
    #[command(flatten)]
    pub receipt: ReceiptFile,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TraceArg {
    /// Show rolls, decisions, moves and changes that the book names
    Story,
    /// Decisions, dice, writes and refused actions
    Brief,
    /// Every event
    Full,
    /// No trace, but the result
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RunForm {
    /// Human-readable text
    Human,
    /// One JSON document
    Json,
    /// One row per event
    Csv,
    /// One JSON object per line
    Jsonl,
}

impl RunForm {
    /// Returns the format for the estimates of a sampled scenario, and for the odds of an exact one.
    fn report(self) -> ReportForm {
        match self {
            RunForm::Human => ReportForm::Human,
            RunForm::Json | RunForm::Jsonl => ReportForm::Json,
            RunForm::Csv => ReportForm::Csv,
        }
    }
}

impl RunArgs {
    /// Returns whether an option changes the scenario. Its pinned trace does not apply then.
    fn otherwise(&self) -> bool {
        self.rules.is_some() || self.seed.seed.is_some() || self.run.is_some() || !self.set.is_empty()
    }

    fn story(&self, events: &[Event]) -> Story {
        if self.refused { Story::with_refusals(events) } else { Story::of(events) }
    }
}

/// Runs the scenario and prints the result.
pub fn run(args: &RunArgs, out: &mut Out) -> Result<u8, Stop> {
    if stdin::is_named(&args.scenario) {
        out.once_only("the scenario comes from standard input")?;
        return of_file(args, &stdin::read()?, out);
    }
    of_file(args, &args.scenario, out)
}

fn of_file(args: &RunArgs, file: &Path, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, RunForm::Human);
    let mut sources = Sources::default();
    let silent = args.trace == Some(TraceArg::None) && args.format == RunForm::Human;
    let detail = if silent && !args.map.wanted() { Detail::Plain } else { Detail::Traced };
    let scenario = scenes::load(file, args.rules.as_deref(), &args.set, detail, &mut sources)?;
    let form = args.format.report();
    args.map.ready()?;
    let map = args.map.start(file, &scenario)?;
    let plan = &scenario.plan;
    let mut terminal = Terminal::new(std::io::BufReader::new(std::io::stdin()), std::io::stderr());
    let asked = asks_person(plan);
    if asked {
        out.once_only("a person answers in this run")?;
        if stdin::is_named(&args.scenario) {
            let message =
                "a person answers in this run, so the scenario cannot come from standard input; name its file";
            return Err(Stop::failed(message));
        }
    }
    if args.map.wanted() {
        out.once_only("this run draws pictures")?;
    }
    let person: Option<&mut dyn Person> = if asked { Some(&mut terminal) } else { None };
    if plan.mode == Mode::Sampled && args.run.is_none() {
        let runs = Runs { seed: args.seed.seed, runs: args.runs, threads: threads(None), ..Runs::of(Effort::Usual) };
        let sample = simulate::sampled(&scenario, runs.settings(plan), person)?;
        let found = grognard_report::sampled::sample(&file.display().to_string(), &scenario, &sample);
        let code = simulate::tell(file, &scenario, &sample, &found, form, &sources, out)?;
        let problems = play::odds::judge(&scenario, question()?.budget, &mut play::checked(plan, &[]));
        out.errors(&problems, &sources)?;
        return Ok(if code == FINE { verdict(&problems, false) } else { code });
    }
    if plan.mode == Mode::Exact && args.run.is_none() {
        return odds::all(file, &scenario, &sources, form, out);
    }
    let seed = [("seed", count(args.seed.seed.unwrap_or(plan.seed))), ("run", count(args.run.unwrap_or(0)))];
    out.note(noted(file, &scenario).into_iter().chain(seed).chain([("found", "one run".into())]));
    let options = Options { seed: args.seed.seed, run: args.run, person, dice: None };
    let rendered = detail != Detail::Plain;
    // a single run of a sample cannot judge a claim about all runs
    let judge = |outcome: &mut Outcome| -> Result<(), Stop> {
        if args.run.is_none() {
            let question = question()?;
            outcome.problems.extend(play::odds::judge(&scenario, question.budget, &mut outcome.checks));
        }
        Ok(())
    };
    let mut pinned = Vec::new();
    let mut outcome = if rendered {
        let recorder = Recorder::new(&scenario.game, &about(file, &scenario, args.seed.seed, args.run), Some(&sources));
        let (mut outcome, events) = play::record(&scenario, options, recorder);
        judge(&mut outcome)?;
        if let Some(map) = map {
            args.map.draw(map, &events)?;
        }
        if !args.otherwise() {
            pinned = pinned::check(file, &scenario, &events)?;
        }
        if args.format == RunForm::Human && !asked {
            out.paged()?;
        }
        match (args.format, args.trace) {
            (RunForm::Jsonl, Some(TraceArg::Story)) => out.text(&args.story(&events).jsonl())?,
            (RunForm::Jsonl, _) => out.text(&record::to_jsonl(&events))?,
            (RunForm::Json, _) => out.json(&document(file, &scenario, &outcome, &events))?,
            (RunForm::Csv, _) => out.text(&report::table::listed(&report::table::EVENT_COLUMNS, &json!(events)))?,
            (RunForm::Human, Some(TraceArg::None)) => {}
            (RunForm::Human, None | Some(TraceArg::Story)) => {
                let text = story(args, &events, out.colour())?;
                out.text(&text)?;
            }
            (RunForm::Human, Some(TraceArg::Full)) => out.text(&record::render(&events, record::TraceDetail::Full))?,
            (RunForm::Human, Some(TraceArg::Brief)) => {
                out.text(&record::render(&events, record::TraceDetail::Brief))?;
            }
        }
        outcome
    } else {
        let mut outcome = play::play(&scenario, options);
        judge(&mut outcome)?;
        outcome
    };
    outcome.problems.append(&mut pinned);
    if args.format == RunForm::Human {
        out.text(&summary(&scenario, &outcome, rendered && !silent))?;
        if !rendered && !plan.traces.is_empty() && !args.otherwise() {
            out.line("the pinned trace is not compared, because no trace is printed")?;
        }
        if !outcome.problems.is_empty() {
            out.line("")?;
        }
    }
    out.errors(&outcome.problems, &sources)?;
    Ok(verdict(&outcome.problems, outcome.gone))
}

/// Returns the story of a run, or the full trace of the line that `--at` names.
fn story(args: &RunArgs, events: &[Event], colored: bool) -> Result<String, Stop> {
    let story = args.story(events);
    let Some(line) = args.at else { return Ok(if colored { story.colored() } else { story.text() }) };
    story.unfolded(events, line as usize).ok_or_else(|| {
        Stop::failed(format!("the story has no line {line}; it has {} lines", story.text().lines().count()))
    })
}

/// Returns a run as one JSON document: the events of its trace, and the values of its report.
fn document(file: &Path, scenario: &Scenario, outcome: &Outcome, events: &[Event]) -> Value {
    let measure = |(figure, cells): (&Figure, &Option<Vec<i64>>)| {
        let value = cells.as_ref().map(|cells| report::sampled::value_text(&scenario.game, &figure.asked.ty, cells));
        json!({ "measure": figure.text, "value": value })
    };
    let (hold, expected) = outcome.count();
    json!({
        "schema": 1,
        "scenario": file.display().to_string().replace('\\', "/"),
        "rules": scenario.game.program.schema.path,
        "report": scenario.plan.report.iter().zip(&outcome.figures).map(measure).collect::<Vec<Value>>(),
        "hold": hold,
        "expected": expected,
        "events": events,
    })
}

/// Returns the exit code for `problems`. `gone` is whether the input of a human player ended.
pub fn verdict(problems: &[Diagnostic], gone: bool) -> u8 {
    if gone {
        UNUSABLE
    } else if problems.iter().any(|d| is_limit(d.code) || matches!(d.code, Code::NeedsOdds | Code::Astray)) {
        LIMIT
    } else if problems.iter().any(Diagnostic::is_error) {
        FOUND
    } else {
        FINE
    }
}

/// Returns the first line of a trace.
pub fn about(file: &Path, scenario: &Scenario, seed: Option<u64>, run: Option<u64>) -> About {
    let name = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    About::of(&name, scenario, seed, run)
}

/// Returns the result as text. A printed trace (`rendered`) has counted the expectations already.
fn summary(scenario: &Scenario, outcome: &Outcome, rendered: bool) -> String {
    let mut lines = Vec::new();
    for (figure, cells) in scenario.plan.report.iter().zip(&outcome.figures) {
        let Some(cells) = cells else { continue };
        let value = report::sampled::value_text(&scenario.game, &figure.asked.ty, cells);
        lines.push(report::clean(&format!("{} = {value} in this run", figure.text)));
    }
    let (hold, looked) = outcome.count();
    if looked > 0 && !rendered {
        lines.push(format!("{hold} of {looked} expectations hold"));
    }
    // a trace does not contain claims about all runs
    let ends = &outcome.checks[outcome.checks.len() - scenario.plan.expects.len()..];
    let claims = scenario.plan.expects.iter().zip(ends).filter(|(e, _)| matches!(e.what, Expected::Odds(_)));
    let verdicts: Vec<Verdict> = claims.map(|(_, check)| check.verdict).collect();
    if rendered && !verdicts.is_empty() && outcome.waiting() == 0 {
        let hold = verdicts.iter().filter(|v| **v == Verdict::Holds).count();
        lines.push(format!("{hold} of {} expectations on all outcomes hold (exact)", verdicts.len()));
    }
    lines.into_iter().map(|line| line + "\n").collect()
}
