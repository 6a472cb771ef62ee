//! `grognard odds`: computes exact odds for a scenario, a call of the rules, or dice.

mod call;
mod scenario;

pub use scenario::all;

use super::files::misnamed;
use super::mode::{CostArgs, ModeArg, OpenQuestion};
use super::options::ReceiptFile;
use super::out::{Out, Stop, remark, verbose};
use super::run::verdict;
use super::simulate::{ReportForm, shown_with};
use super::{FOUND, named};
use grognard_ask::OddsReport;
use grognard_base::{Diagnostic, Reading, Sources};
use grognard_play::odds::{PolicyDecision, Precision};
use grognard_program::Detail;
use grognard_report::finding::Finding;
use grognard_report::odds::{self as rendered, Odds};
use std::path::{Path, PathBuf};

/// The arguments of `grognard odds`.
#[derive(clap::Args)]
#[command(after_long_help = "\
A scenario:
  grognard odds duel.toml --of 'red.losses' --given 'blue.gone'
A test, proc, phase or event of the rules:
  grognard odds core.rules 'Check(u)' --with 'u.ld = 2, u.nv = 3'
Dice and values of the rules:
  grognard odds core.rules '2d6 + bonus'
Dice:
  grognard odds 'total(highest(3, 10 of d6))'

The default measure of a test is whether it passes, its grade, or its fields. Use `--of` for other measures. Each \
result is marked: exact, a fraction; proven, a number whose printed digits are certain; or bounded, a gap between two \
bounds, if not all states were explored.")]
pub struct OddsArgs {
    /// Scenario, or rules and a call, or a dice expression
    #[arg(required = true, num_args = 1..=2, value_name = "FILE | EXPRESSION")]
    what: Vec<String>,
    /// Measure this expression at the end (repeatable)
    ///
    /// The default is the report of the scenario, or the result of the test.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Keep only outcomes where this holds
    #[arg(long, value_name = "CONDITION")]
    given: Option<String>,
    /// Set who decides for a player (repeatable)
    ///
    /// A source is a policy such as `policy:Bold`, or best, worst, random, prefer or first.
    #[arg(long, value_name = "SIDE=SOURCE")]
    decide: Vec<String>,
    /// Value that `best` and `worst` players optimize
    ///
    /// The default is the `objective` of the scenario, or else the first `--of`.
    #[arg(long, value_name = "EXPR")]
    objective: Option<String>,
    /// Set a param or reading (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Set fields of things in a call (repeatable)
    ///
    /// For example `u.ld = 2, u.nv = 3`.
    #[arg(long, value_name = "VALUES")]
    with: Vec<String>,
    /// Fix the faces of rolls in a call (repeatable)
    ///
    /// For example `aim = [5, 1]`.
    #[arg(long, value_name = "FACES")]
    rolling: Vec<String>,
    /// Fix decisions in a call (repeatable)
    ///
    /// For example `heart = h`.
    #[arg(long, value_name = "ANSWERS")]
    choosing: Vec<String>,
    /// Rules to use instead: a file or a ruleset name
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    cost: CostArgs,
    /// Compute fractions, however long
    ///
    /// By default, results are proven to some digits if their fractions are long.
    #[arg(long)]
    exact: bool,
    /// Print the best line of play
    ///
    /// The line contains each decision that the best play reaches.
    #[arg(long)]
    table: bool,
    /// List all final states and their chances
    ///
    /// Two final states differ if a field, a list or a status of any thing differs, whether it is in play or not.
    #[arg(long)]
    ends: bool,
    /// Report the rolls and clauses that matter most
    ///
    /// The report has the effect of each roll on the result, and the clauses and readings that the result depends on.
    #[arg(long)]
    why: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
    #[command(flatten)]
    pub receipt: ReceiptFile,
}

impl OddsArgs {
    /// Returns the detail of the program. Only `--why` needs marks for clauses.
    fn detail(&self) -> Detail {
        if self.why { Detail::Covered } else { Detail::Plain }
    }

    /// Returns the numbers in which answers are computed.
    fn precision(&self) -> Precision {
        if self.exact { Precision::Fractions } else { Precision::Quick }
    }

    fn question(&self) -> Result<OpenQuestion, Stop> {
        self.cost.question(ModeArg::Exact)
    }

    /// Returns the facts of the answer for a receipt.
    fn facts(&self, answer: &OddsReport) -> Vec<(&'static str, toml::Value)> {
        let Reading { states, work, limit } = answer.cost;
        let mut facts = vec![
            ("budget", super::out::count(self.cost.states(ModeArg::Exact))),
            ("positions", super::out::count(states as u64)),
            ("work", super::out::count(work)),
            ("found", rendered::label(answer.label()).into()),
        ];
        facts.extend(limit.map(|limit| ("ended_by", limit.word().into())));
        facts
    }
}

/// Returns whether a text is dice, such as `d6`, which is never the name of a scenario.
fn is_die(text: &str) -> bool {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    text.split_once('d').is_some_and(|(count, sides)| digits(count) && digits(sides))
}

/// Computes the odds and prints them.
pub fn run(args: &OddsArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    for (name, asked) in [("--why", args.why), ("--table", args.table), ("--ends", args.ends)] {
        if asked && args.format == ReportForm::Csv {
            let message = format!(
                "`{name}` needs `--format human` or `--format json`, because a row of CSV has no column for it"
            );
            return Err(Stop::failed(message));
        }
    }
    args.page.ready()?;
    let named = if args.what.len() == 1 && !is_die(&args.what[0]) { named::resolved(&args.what[0]) } else { Ok(None) };
    let named = named.map_err(|why| Stop::failed(format!("`{}`: {why}", args.what[0])))?;
    let named = named.map(|path| path.to_string_lossy().into_owned());
    let first = named.as_deref().unwrap_or(&args.what[0]);
    let second = args.what.get(1).map(String::as_str);
    let ends = |ending: &str| Path::new(first).extension().is_some_and(|e| e == ending);
    match second {
        None if ends("toml") => scenario::run(args, &PathBuf::from(first), out),
        Some(_) if ends("toml") => {
            Err(Stop::failed("use `--of` for a measure of a scenario: `grognard odds FILE.toml --of EXPR`"))
        }
        None if ends("rules") => Err(Stop::failed(format!(
            "name a call or an expression after the rules, such as `grognard odds {first} 'Test(u)'`"
        ))),
        None => misnamed(first).map_or_else(|| call::run(args, None, first, out), Err),
        Some(second) if !ends("rules") && first.contains(['(', ' ']) => Err(Stop::failed(format!(
            "give one expression at a time: first `grognard odds '{first}'`, then `grognard odds '{second}'`"
        ))),
        Some(asked) => call::run(args, Some(Path::new(first)), asked, out),
    }
}

/// Returns the finding in a format. Only machine-readable formats have long fractions in full.
fn finding(form: ReportForm, name: &str, odds: &Odds<'_>, line: Option<&[PolicyDecision]>) -> Finding {
    let rendered = if form == ReportForm::Human { rendered::in_words } else { rendered::finding };
    rendered(name, odds, line)
}

/// Names the code that distinguishes dice, if `--verbose` is set. A message about an incomplete answer names it anyway.
fn remark_many(answer: &OddsReport, sources: &Sources) {
    let many = answer.many.as_ref().filter(|_| answer.explored && verbose());
    if let Some(line) = many.and_then(|many| rendered::many_branches(many, sources)) {
        remark(&line);
    }
}

/// Returns a function that ends the command with findings.
pub fn findings(sources: &Sources) -> impl Fn(Vec<Diagnostic>) -> Stop {
    |found| judged(Stop::found(sources, FOUND)(found))
}

/// Gives reached limits their own exit code.
pub fn judged(stop: Stop) -> Stop {
    stop.with_code(|found| verdict(found, false).max(FOUND))
}

/// Prints the finding, then its problems, and returns the exit code.
fn tell(
    form: ReportForm,
    found: &Finding,
    problems: Vec<Diagnostic>,
    sources: &Sources,
    out: &mut Out,
) -> Result<u8, Stop> {
    shown_with(form, found, &problems, sources, out)?;
    Ok(verdict(&problems, false))
}
