//! `grognard why`: explains a value of a run, or why an action was unavailable.

use super::mode::{CostArgs, ModeArg};
use super::out::{Out, Stop, complain_of};
use super::run::about;
use super::{FINE, FOUND, scenes};
use grognard_ask::Why;
use grognard_base::{Code, Sources};
use grognard_play::Options;
use grognard_play::record::Recorder;
use grognard_play::why::{self, HeadCondition, Provenance, Stood, Wanted, head_conditions, lenders, menus, provenance};
use grognard_program::Detail;
use grognard_report::why as report;
use grognard_scenario::{Mode, Scenario};
use std::path::PathBuf;

/// The arguments of `grognard why`.
#[derive(clap::Args)]
pub struct WhyArgs {
    /// Scenario file or name
    #[arg(value_parser = super::named::parser())]
    scenario: PathBuf,
    /// Value or condition; or `not` and an action
    ///
    /// A value or a condition is written as in an expectation: `laans.markers`, `laans has GoneToGround`. After `not`, it
    /// is a condition that does not hold, or an action that was unavailable: not 'IssueOrder(voss, laans)'.
    #[arg(required = true, num_args = 1..=2, value_name = "QUESTION")]
    question: Vec<String>,
    /// Rules to use instead: a file or a ruleset name
    #[arg(long)]
    rules: Option<String>,
    /// Seed for dice that are not given
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=super::mode::MOST_SEED))]
    seed: Option<u64>,
    /// Run to show, counted from 0
    ///
    /// A sample numbers its runs in the same way.
    #[arg(long, value_name = "N")]
    run: Option<u64>,
    /// Set a param or reading (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Show every change, not only the last three
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = WhyForm::Human)]
    format: WhyForm,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum WhyForm {
    /// Human-readable text
    Human,
    /// One JSON document
    Json,
    /// One row per cause of each change
    Csv,
}

/// Maximum number of conditions of a header that are evaluated.
const MOST_HEADS: usize = 8;
/// Maximum number of values that other things can lend.
const MOST_LENDERS: usize = 500;

/// Runs the scenario and prints the explanation.
pub fn run(args: &WhyArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.format, WhyForm::Human);
    let (not, question) = match args.question.as_slice() {
        [not, question] if not == "not" => (true, question.trim()),
        [question] => match question.trim().strip_prefix("not ") {
            Some(rest) if Wanted::read(rest).is_some() => (true, rest.trim()),
            _ => (false, question.trim()),
        },
        _ => {
            let message = "give one question at a time, in quotes: `grognard why SCENARIO 'a.markers > 1'`";
            return Err(Stop::failed(message));
        }
    };
    let mut sources = Sources::default();
    let wanted = Wanted::read(question);
    let of: Vec<String> = if wanted.is_some() { Vec::new() } else { vec![question.to_string()] };
    let odds_options = scenes::Wanted {
        rules: args.rules.as_deref(),
        set: &args.set,
        of: &of,
        of_place: Some("the question"),
        ..scenes::Wanted::default()
    };
    let scenario = scenes::load_as(&args.scenario, odds_options, Detail::Traced, &mut sources)?;
    // the values that other things can lend to a test are evaluated too
    let lent = if wanted.is_some() { Vec::new() } else { lenders(&scenario) };
    let scenario = match lent.is_empty() || lent.len() > MOST_LENDERS {
        true => scenario,
        false => {
            let of: Vec<String> = of.iter().cloned().chain(lent).collect();
            let mut others = Sources::default();
            match scenes::load_as(
                &args.scenario,
                scenes::Wanted { of: &of, ..odds_options },
                Detail::Traced,
                &mut others,
            ) {
                Ok(with) => {
                    sources = others;
                    with
                }
                Err(Stop::Found(..)) => scenario,
                Err(stop) => return Err(stop),
            }
        }
    };
    // the conditions of the header of an action are evaluated at each menu
    let (scenario, heads) = match &wanted {
        Some(wanted) => with_heads(args, odds_options, scenario, head_conditions(&sources, wanted))?,
        None => (scenario, Vec::new()),
    };
    if scenario.plan.mode == Mode::Exact && !scenario.plan.dice.is_empty() {
        return Err(Stop::failed("an exact scenario has no single run; set its `mode` to \"scripted\" or \"sampled\""));
    }
    let recorder =
        Recorder::new(&scenario.game, &about(&args.scenario, &scenario, args.seed, args.run), Some(&sources));
    let options = Options { seed: args.seed, run: args.run, ..Options::default() };
    let (outcome, found, unmet) = match heads.as_slice() {
        [] => {
            let (outcome, found) = provenance(&scenario, 0, options, recorder);
            (outcome, found, Vec::new())
        }
        heads => why::heads(&scenario, heads, options, recorder),
    };
    let rendered = match &wanted {
        Some(wanted) => {
            if let Some(unknown) = wanted.unknown(&scenario) {
                return Err(Stop::failed(unknown));
            }
            let phases = wanted.phases(&scenario);
            let mut menus = menus(&found.events, wanted, &phases);
            for menu in menus.iter_mut().filter(|menu| matches!(menu.stood, Stood::NoSuchChoice)) {
                let own = unmet.iter().find(|(at, _)| *at == menu.at);
                menu.unmet = own.map(|(_, unmet)| unmet.clone()).unwrap_or_default();
            }
            report::WhyAnswer::Action { text: question, menus, phases }
        }
        None => near(&scenario, &found, question, not)?,
    };
    match args.format {
        WhyForm::Human => out.text(&report::human(&found, &rendered, args.all))?,
        WhyForm::Json => out.json(&report::json(&found, &rendered))?,
        WhyForm::Csv => out.text(&report::csv(&found, &rendered))?,
    }
    let faults: Vec<_> = outcome.problems.into_iter().filter(|p| p.is_error() && p.code != Code::Expectation).collect();
    if !faults.is_empty() {
        complain_of(&faults, &sources);
        return Ok(FOUND);
    }
    Ok(FINE)
}

/// Returns the scenario with the conditions of a header as its report, and those conditions. Conditions that depend on names of
/// the header are omitted.
fn with_heads(
    args: &WhyArgs,
    odds_options: scenes::Wanted<'_>,
    plain: Scenario,
    mut heads: Vec<HeadCondition>,
) -> Result<(Scenario, Vec<HeadCondition>), Stop> {
    heads.truncate(MOST_HEADS);
    let load = |heads: &[HeadCondition]| {
        let of: Vec<String> = heads.iter().flat_map(|one| one.asked.clone()).collect();
        match scenes::load_as(
            &args.scenario,
            scenes::Wanted { of: &of, ..odds_options },
            Detail::Traced,
            &mut Sources::default(),
        ) {
            Ok(scenario) => Ok(Some(scenario).filter(|with| with.plan.report.len() == of.len())),
            Err(Stop::Found(..)) => Ok(None),
            Err(stop) => Err(stop),
        }
    };
    let mut can = Vec::new();
    for one in heads {
        let alone = one.alone();
        if load(std::slice::from_ref(&one))?.is_some() {
            can.push(one);
        } else if load(std::slice::from_ref(&alone))?.is_some() {
            can.push(alone);
        }
    }
    match if can.is_empty() { None } else { load(&can)? } {
        Some(with) => Ok((with, can)),
        None => Ok((plain, Vec::new())),
    }
}

/// Returns the causes of a value, with a progress display.
pub fn near<'q>(
    scenario: &Scenario,
    found: &Provenance,
    question: &'q str,
    not: bool,
) -> Result<report::WhyAnswer<'q>, Stop> {
    let open = CostArgs::default().question(ModeArg::Auto)?;
    Ok(Why { question, not, budget: open.budget }.answer(scenario, found))
}
