//! `grognard odds`: exact chances of a scenario, of one call of the rules, or of bare dice.

mod call;
mod expression;
mod said;
mod scenario;

pub use scenario::all;

use super::FOUND;
use super::files::misnamed;
use super::mode::{CostArgs, ModeArg, OpenQuestion};
use super::out::{Out, Stop};
use super::run::verdict;
use super::simulate::{ReportForm, shown_with};
use grognard_ask::OddsReport;
use grognard_base::{Diagnostic, Reading, Sources};
use grognard_program::Detail;
use grognard_report::finding::Finding;
use grognard_report::odds::{self as told, Odds};
use std::path::{Path, PathBuf};

/// What is asked.
#[derive(clap::Args)]
#[command(after_long_help = "\
Three things can be asked about:

  grognard odds duel.toml --of 'red.losses' --given 'blue.gone'      a scenario
  grognard odds core.rules 'Check(u)' --with 'u.ld = 2, u.nv = 3'    one test, proc, phase or event of the rules
  grognard odds core.rules '2d6 + bonus'                             dice among values of the rules
  grognard odds 'total(highest(3, 10 of d6))'                        bare dice

A test tells whether it passed, its grade, or its fields; `--of` asks for anything else. Answers are fractions, and say \
whether they are exact or bounded by what was not explored.")]
pub struct OddsArgs {
    /// A scenario (.toml); or rules (.rules) and a call; or an expression with dice.
    #[arg(required = true, num_args = 1..=2, value_name = "FILE | EXPRESSION")]
    what: Vec<String>,
    /// What is asked at the end: a condition, a number, any value; may be given again. Without it, what the scenario
    /// reports or the test gives.
    #[arg(long, value_name = "EXPR")]
    of: Vec<String>,
    /// Only among ends at which this holds.
    #[arg(long, value_name = "CONDITION")]
    given: Option<String>,
    /// Who answers for a player of the scenario: `red=policy:Bold`, best, worst, random, prefer or first; may be given
    /// again.
    #[arg(long, value_name = "SIDE=SOURCE")]
    decide: Vec<String>,
    /// What players who look for the best or the worst look at. Without it the `objective` of the scenario, or the first
    /// `--of`.
    #[arg(long, value_name = "EXPR")]
    objective: Option<String>,
    /// A param or reading; may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Figures of the things that a call names: `u.ld = 2, u.nv = 3`; may be given again.
    #[arg(long, value_name = "GIVEN")]
    with: Vec<String>,
    /// Faces of rolls of a call: `aim = [5, 1]`; may be given again.
    #[arg(long, value_name = "FACES")]
    rolling: Vec<String>,
    /// Decisions in a call: `heart = h`; may be given again.
    #[arg(long, value_name = "ANSWERS")]
    choosing: Vec<String>,
    /// Other rules for a scenario: a file, or a name such as game/edition.
    #[arg(long)]
    rules: Option<String>,
    #[command(flatten)]
    cost: CostArgs,
    /// Works the best line of play out in fractions, however many positions come back to each other and however long that
    /// takes; without it that of many is told between bounds.
    #[arg(long)]
    exact: bool,
    /// Prints the best line of play: each decision that it reaches.
    #[arg(long)]
    table: bool,
    /// Tells in how many different positions a scenario can end, and which these are with their chances. Fields, lists and
    /// statuses of all things count, whether they are in play or not.
    #[arg(long)]
    ends: bool,
    /// Tells where it is decided: how far each roll moves the answer, and which clauses and readings it leans on.
    #[arg(long)]
    why: bool,
    /// How it is told.
    #[arg(long, value_enum, default_value_t = ReportForm::Human)]
    format: ReportForm,
    #[command(flatten)]
    page: super::page::ReportFile,
}

impl OddsArgs {
    /// What the code keeps: clauses are marked only where they are told.
    fn detail(&self) -> Detail {
        if self.why { Detail::Covered } else { Detail::Plain }
    }

    /// The question is asked.
    fn question(&self) -> Result<OpenQuestion, Stop> {
        self.cost.question(ModeArg::Exact)
    }

    /// What a receipt has of the answers.
    fn facts(&self, answer: &OddsReport) -> Vec<(&'static str, toml::Value)> {
        let Reading { states, work, limit } = answer.cost;
        let mut facts = vec![
            ("budget", super::out::count(self.cost.states(ModeArg::Exact))),
            ("positions", super::out::count(states as u64)),
            ("work", super::out::count(work)),
            ("found", told::label(answer.label()).into()),
        ];
        facts.extend(limit.map(|limit| ("ended_by", limit.word().into())));
        facts
    }
}

/// Asks and tells.
pub fn run(args: &OddsArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, ReportForm::Human);
    for (name, asked) in [("--why", args.why), ("--table", args.table), ("--ends", args.ends)] {
        if asked && args.format == ReportForm::Csv {
            let message = format!("`{name}` is told in words or with `--format json`; a row of CSV has no room for it");
            return Err(Stop::failed(message));
        }
    }
    args.page.ready()?;
    let (first, second) = (args.what[0].as_str(), args.what.get(1).map(String::as_str));
    let ends = |ending: &str| Path::new(first).extension().is_some_and(|e| e == ending);
    match second {
        None if ends("toml") => scenario::run(args, &PathBuf::from(first), out),
        Some(_) if ends("toml") => {
            Err(Stop::failed("a scenario is asked by `--of`: `grognard odds FILE.toml --of EXPR`"))
        }
        None if ends("rules") => {
            Err(Stop::failed(format!("say what to ask of the rules, such as `grognard odds {first} 'Test(u)'`")))
        }
        None => misnamed(first).map_or_else(|| call::run(args, None, first, out), Err),
        Some(second) if !ends("rules") && first.contains(['(', ' ']) => Err(Stop::failed(format!(
            "one question is asked at a time: first `grognard odds '{first}'`, then `grognard odds '{second}'`"
        ))),
        Some(asked) => call::run(args, Some(Path::new(first)), asked, out),
    }
}

/// What is told in a form: long fractions are written out for programs alone.
fn finding(form: ReportForm, name: &str, odds: &Odds<'_>, line: Option<&[told::Decision]>) -> Finding {
    let told = if form == ReportForm::Human { told::in_words } else { told::finding };
    told(name, odds, line)
}

/// Findings that end the command.
pub fn findings(sources: &Sources) -> impl Fn(Vec<Diagnostic>) -> Stop {
    |found| judged(Stop::found(sources, FOUND)(found))
}

/// Limits that were hit have an exit code of their own.
pub fn judged(stop: Stop) -> Stop {
    stop.with_code(|found| verdict(found, false).max(FOUND))
}

/// Prints what was found, then what is wrong with it, and gives the exit code.
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
