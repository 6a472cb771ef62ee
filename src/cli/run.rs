//! `grognard run`: one scenario, played and told.

use super::out::{Out, Stop, complain};
use super::{FINE, FOUND, Findings, LIMIT, UNUSABLE, map, scenes};
use crate::base::{Code, Sources};
use crate::machine::NoTrace;
use crate::play::record::{self, About, Recorder};
use crate::play::{self, Options, Outcome, Person, Terminal, Told};
use crate::program::Detail;
use crate::report;
use crate::scenario::{Answerer, FigureSort, Mode, Scenario};
use crate::value::Type;
use clap::ValueEnum;
use std::path::PathBuf;

/// What to run.
#[derive(clap::Args)]
pub struct Args {
    /// A scenario file.
    scenario: PathBuf,
    /// Another rules file to run it with.
    #[arg(long)]
    rules: Option<PathBuf>,
    /// Another seed.
    #[arg(long)]
    seed: Option<u64>,
    /// Another number of runs of a sample.
    #[arg(long)]
    runs: Option<u64>,
    /// A param or reading for this run; may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// How much of the run is told.
    #[arg(long, value_enum, default_value_t = Much::Brief)]
    trace: Much,
    /// How it is told.
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
    #[command(flatten)]
    map: map::Args,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Much {
    /// Decisions, dice, writes and what was refused.
    Brief,
    /// Everything.
    Full,
    /// Only the end.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Human,
    /// One JSON object a line.
    Jsonl,
}

/// Runs and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let silent = args.trace == Much::None && args.format == Form::Human;
    let detail = if silent && !args.map.wanted() { Detail::Plain } else { Detail::Traced };
    let scenario = match scenes::load(&args.scenario, args.rules.as_deref(), &args.set, detail, &mut sources)? {
        Ok(scenario) => scenario,
        Err(found) => {
            out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?;
            return Ok(FOUND);
        }
    };
    let map = args.map.start(&args.scenario, &scenario)?;
    let mut terminal = Terminal::new(std::io::stdin().lock(), std::io::stderr());
    let asked = scenario.plan.players.iter().any(|(_, list)| list.contains(&Answerer::Prompt));
    let person: Option<&mut dyn Person> = if asked { Some(&mut terminal) } else { None };
    let options = Options { seed: args.seed, runs: args.runs, person };
    let told = scenario.plan.mode == Mode::Scripted && detail == Detail::Traced;
    let outcome = match scenario.plan.mode {
        Mode::Scripted if told => {
            let recorder = Recorder::new(&scenario.game, &about(args, &scenario), Some(&sources));
            let (outcome, recorder) = play::play(&scenario, options, recorder);
            let events = recorder.finish();
            match (args.format, args.trace) {
                (Form::Jsonl, _) => out.text(&record::to_jsonl(&events))?,
                (Form::Human, Much::None) => {}
                (Form::Human, Much::Full) => out.text(&record::render(&events, record::Detail::Full))?,
                (Form::Human, _) => out.text(&record::render(&events, record::Detail::Brief))?,
            }
            if let Some(map) = map {
                args.map.draw(map, &events)?;
            }
            outcome
        }
        _ => {
            let (outcome, _) = play::play(&scenario, options, NoTrace);
            if args.format == Form::Jsonl {
                out.line(&json(&outcome))?;
            }
            outcome
        }
    };
    if args.format == Form::Human {
        summary(&outcome, told && !silent, out)?;
        if !outcome.problems.is_empty() {
            out.line("")?;
            out.text(&report::render(&outcome.problems, &sources, Findings::Human.format(colour)))?;
        }
    } else {
        for problem in report::render(&outcome.problems, &sources, report::Format::Short).lines() {
            complain(problem);
        }
    }
    Ok(verdict(&outcome))
}

/// The exit code of an outcome.
pub fn verdict(outcome: &Outcome) -> u8 {
    if outcome.gone {
        UNUSABLE
    } else if outcome.limited() || outcome.problems.iter().any(|d| d.code == Code::NeedsOdds) {
        LIMIT
    } else if outcome.sound() {
        FINE
    } else {
        FOUND
    }
}

fn about(args: &Args, scenario: &Scenario) -> About {
    let name = args.scenario.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let seed = args.seed.unwrap_or(scenario.plan.seed);
    let dice = if scenario.plan.dice.is_empty() { format!("seed {seed}") } else { "scripted".to_string() };
    let word = |a: &Answerer| match a {
        Answerer::Script => "script".to_string(),
        Answerer::Policy(id) => format!("policy:{}", scenario.game.program.rules.policies[id.at()].name),
        Answerer::Prefer => "prefer".into(),
        Answerer::Random => "random".into(),
        Answerer::First => "first".into(),
        Answerer::Prompt => "prompt".into(),
        Answerer::Best => "best".into(),
        Answerer::Worst => "worst".into(),
    };
    let players = scenario.plan.players.iter();
    let players = players
        .map(|(who, list)| (scenario.game.packed_name(*who), list.iter().map(word).collect::<Vec<_>>().join(", ")));
    About { command: format!("run {name}"), dice, players: players.collect() }
}

/// What came of it, for people; a trace that was `told` has counted the expectations already.
fn summary(outcome: &Outcome, told: bool, out: &mut Out) -> Result<(), Stop> {
    if outcome.mode == Mode::Sampled {
        out.line(&format!("{} runs, seed {}, {} ended in an error", outcome.runs, outcome.seed, outcome.faults))?;
    }
    for told in &outcome.figures {
        out.text(&figure(told))?;
    }
    let (hold, looked) = outcome.count();
    if looked > 0 && !told {
        out.line(&format!("{hold} of {looked} expectations hold"))?;
    }
    match outcome.waiting() {
        0 => Ok(()),
        1 => out.line("1 expectation waits for exact odds"),
        n => out.line(&format!("{n} expectations wait for exact odds")),
    }
}

fn figure(told: &Told) -> String {
    match told.sort {
        FigureSort::Chance => format!("chance {}: {} of {}\n", told.text, told.held, told.counted),
        FigureSort::Mean => {
            let mean = told.mean();
            let inches = if told.ty == Type::Length { " thousandths of an inch" } else { "" };
            let shown = mean.map_or("not known".to_string(), |m| {
                if m.is_whole() { m.to_string() } else { format!("{m}, about {}", decimal(m)) }
            });
            format!("mean {}: {shown}{inches} over {} runs\n", told.text, told.counted)
        }
        FigureSort::Hist => {
            let mut text = format!("hist {}:\n", told.text);
            for (value, times) in &told.values {
                text += &format!("  {value}: {times} of {}\n", told.counted);
            }
            text
        }
    }
}

/// Two digits after the point, cut.
fn decimal(ratio: crate::value::Ratio) -> String {
    let hundredths = i128::from(ratio.num()) * 100 / i128::from(ratio.den());
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

/// A sample as one JSON object.
fn json(outcome: &Outcome) -> String {
    let figures: Vec<serde_json::Value> = outcome
        .figures
        .iter()
        .map(|f| match f.sort {
            FigureSort::Chance => serde_json::json!({ "chance": f.text, "held": f.held, "counted": f.counted }),
            FigureSort::Mean => {
                serde_json::json!({ "mean": f.text, "value": f.mean().map(|m| m.to_string()), "counted": f.counted })
            }
            FigureSort::Hist => serde_json::json!({ "hist": f.text, "values": f.values, "counted": f.counted }),
        })
        .collect();
    let (hold, looked) = outcome.count();
    serde_json::json!({
        "schema": 1,
        "runs": outcome.runs,
        "seed": outcome.seed,
        "faults": outcome.faults,
        "hold": hold,
        "expected": looked,
        "waiting": outcome.waiting(),
        "figures": figures,
    })
    .to_string()
}
