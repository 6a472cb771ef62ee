//! `grognard simulate`: estimates chances and means of a scenario from many runs, on all cores.

use super::mode::question;
use super::options::{ReceiptFile, Seed, Threads};
use super::out::{Out, Stop, complain, count, rendered as noted};
use super::progress::Progress;
use super::run::verdict;
use super::scenes::{self, Wanted};
use super::{FINE, LIMIT};
use clap::ValueEnum;
use grognard_ask::{Refused, Runs, Simulate};
use grognard_base::{Diagnostic, Effort, Sources};
use grognard_play::Person;
use grognard_program::Detail;
use grognard_report::finding::Finding;
use grognard_report::sampled as rendered;
use grognard_scenario::Scenario;
use grognard_stats::stats::{LEVELS, Level};
use grognard_stats::{End, Sample, Settings, Until, sample};
use std::path::{Path, PathBuf};

/// Maximum number of runs of a sample.
pub const MOST_RUNS: u64 = Effort::MOST_RUNS;

/// The arguments of `grognard simulate`.
#[derive(clap::Args)]
pub struct SimulateArgs {
    /// Scenario file or name
    #[arg(value_parser = super::named::parser())]
    scenario: PathBuf,
    /// Number of runs; with --until, the maximum
    ///
    /// The default is the number in the scenario, or else 10000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    runs: Option<u64>,
    /// Measure this expression at the end (repeatable)
    ///
    /// The default is the report of the scenario.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Keep only outcomes where this holds
    #[arg(long, value_name = "CONDITION", requires = "of")]
    given: Option<String>,
    /// Stop when every interval is within this half-width
    ///
    /// For example `0.1%` for conditions, or `0.05` for means.
    #[arg(long, value_name = "HALF", allow_hyphen_values = true)]
    until: Option<String>,
    /// Confidence level in percent
    #[arg(long, value_name = "PERCENT", default_value = "95", value_parser = LEVELS.map(|l| l.name))]
    level: String,
    /// Draw values from exact odds instead of playing
    ///
    /// The values of each measure are drawn separately. This is much faster, and it requires that the exact odds of the
    /// scenario can be computed.
    #[arg(long)]
    drawn: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    seed: Seed,
    /// Set a param or reading (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Rules to use instead: a file or a ruleset name
    #[arg(long)]
    rules: Option<String>,
    /// Print the statistical method
    #[arg(long)]
    explain: bool,
    /// Print which rules prevented batching
    #[arg(long)]
    explain_speed: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
    #[command(flatten)]
    pub receipt: ReceiptFile,
}

/// The format of estimates.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// Human-readable text, with short fractions
    Human,
    /// One JSON document, with all fractions in full
    Json,
    /// One row per estimate, with all fractions in full
    Csv,
}

/// Runs the sample and prints the estimates.
pub fn run(args: &SimulateArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    let until = args.until.as_deref().map(half).transpose()?;
    let mut sources = Sources::default();
    let given = |of: &String| args.given.as_ref().map_or(of.clone(), |given| format!("{of} given {given}"));
    let of: Vec<String> = args.of.iter().map(given).collect();
    let wanted = Wanted { rules: args.rules.as_deref(), beside: &[], set: &args.set, of: &of, ..Wanted::default() };
    let scenario = scenes::load_as(&args.scenario, wanted, Detail::Plain, &mut sources)?;
    let runs = Runs {
        seed: args.seed.seed,
        runs: args.runs,
        effort: Effort::Usual,
        level: Level::of(&args.level).unwrap_or(Level::USUAL),
        threads: args.threads.count(),
    };
    let question = if args.drawn { Some(question()?) } else { None };
    let asked = Simulate { runs, until, drawn: question.as_ref().map(|question| question.budget.clone()) };
    asked.check(&scenario).map_err(refused)?;
    args.page.ready()?;
    let long = Progress::begin(asked.settings(&scenario.plan).runs)?;
    let sample = asked.answer(&scenario, &|runs| long.more(runs));
    drop((question, long));
    let sample = match sample {
        Ok(sample) => sample,
        Err(why) => {
            complain(&format!("{}: cannot draw from exact odds: {why}", args.scenario.display()));
            return Ok(LIMIT);
        }
    };
    let found = rendered::sample(&args.scenario.display().to_string(), &scenario, &sample);
    let code = tell(&args.scenario, &scenario, &sample, &found, args.format, &sources, out)?;
    if args.explain && args.format == ReportForm::Human {
        out.text(&rendered::method(&sample.estimates(&scenario)))?;
    }
    if args.explain_speed && args.format == ReportForm::Human {
        out.text(&rendered::speed(&sample, &sources))?;
    }
    args.page.put(out, || found)?;
    Ok(code)
}

/// Reads `0.1%`, `±0.1%`, `+-0.1%` or `0.05`.
fn half(text: &str) -> Result<Until, Stop> {
    let text = text.trim();
    let bare = ["±", "+-"].iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text).trim_start();
    let (number, share) = bare.strip_suffix('%').map_or((bare, false), |n| (n.trim_end(), true));
    match number.parse::<f64>() {
        Ok(n) if n.is_finite() && n > 0.0 => Ok(if share { Until::Share(hundredth(n)) } else { Until::Mean(n) }),
        _ => Err(Stop::failed(format!(
            "`--until {text}` is not a half-width; write `0.1%` for conditions, `0.05` for means"
        ))),
    }
}

/// Returns a percentage as a share.
#[allow(clippy::float_arithmetic)] // a width from the command line
pub fn hundredth(percent: f64) -> f64 {
    percent / 100.0
}

/// Returns the message for a question that is refused, with the options that help.
fn refused(why: Refused) -> Stop {
    let help = match &why {
        Refused::Empty => "; name a measure with `--of EXPR`",
        Refused::Person => ", or use `grognard run`",
        Refused::Seeks(_) => "; use `grognard odds`, draw from exact odds with `--drawn`, or give the player a policy",
        Refused::NoConditions | Refused::NoMeans => return Stop::failed(format!("`--until`: {why}")),
        _ => "",
    };
    Stop::failed(format!("{why}{help}"))
}

/// Runs a sample with a progress bar. Ctrl-C ends it.
pub fn sampled<'a>(
    scenario: &'a Scenario,
    settings: Settings,
    person: Option<&'a mut dyn Person>,
) -> Result<Sample, Stop> {
    let long = Progress::begin(settings.runs)?;
    Ok(sample(scenario, settings, person, &|runs| long.more(runs)))
}

pub fn shown(form: ReportForm, found: &Finding, out: &mut Out) -> Result<(), Stop> {
    match form {
        ReportForm::Human => out.text(&found.text()),
        ReportForm::Json => out.json(&found.json()),
        ReportForm::Csv => out.text(&found.csv()),
    }
}

/// Prints a finding, and then its problems.
pub fn shown_with(
    form: ReportForm,
    found: &Finding,
    problems: &[Diagnostic],
    sources: &Sources,
    out: &mut Out,
) -> Result<(), Stop> {
    shown(form, found, out)?;
    if form == ReportForm::Human && !problems.is_empty() {
        out.line("")?;
    }
    out.errors(problems, sources)
}

/// Prints a sample and returns the exit code.
pub fn tell(
    path: &Path,
    scenario: &Scenario,
    sample: &Sample,
    found: &Finding,
    form: ReportForm,
    sources: &Sources,
    out: &mut Out,
) -> Result<u8, Stop> {
    let problems = sample.problems(scenario);
    let own = [("seed", count(sample.settings.seed)), ("runs", count(sample.runs))];
    let level = [
        ("level", sample.settings.level.name.into()),
        ("found", if sample.drawn { "drawn" } else { "sampled" }.into()),
    ];
    let method = [("method", rendered::method(&sample.estimates(scenario)).trim_end().into())];
    out.note(noted(path, scenario).into_iter().chain(own).chain(level).chain(method));
    shown_with(form, found, &problems, sources, out)?;
    if let Some((run, _)) = sample.first_fault {
        let replay = format!(
            "run {run} is the first that ended in an error; to see it, run `grognard run {} --seed {} --run {run}`",
            super::stdin::typed(path).display(),
            sample.settings.seed
        );
        out.say(&replay)?;
    }
    let code = verdict(&problems, sample.end == End::Gone);
    let wide = sample.end == End::Done && sample.settings.until.is_some();
    Ok(if code == FINE && wide { LIMIT } else { code })
}
