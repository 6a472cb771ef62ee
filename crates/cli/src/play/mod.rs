//! `grognard play`: a run that a person plays by hand, with commands as lines of text.

mod commands;
mod keep;
mod plain;

use super::mode::{CostArgs, MOST_SEED};
use super::out::{Out, Stop};
use super::run::about;
use super::scenes;
use commands::{Desk, Said};
use grognard_base::value::pack_thing;
use grognard_base::{Sources, did_you_mean};
use grognard_play::session::{Session, Start, playable};
use grognard_program::Detail;
use grognard_scenario::Scenario;
use std::path::PathBuf;

/// The arguments of `grognard play`.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(after_long_help = "\
Each command is one line of input. The command `help` lists them. Decisions and dice that you do not give are \
those of `grognard run` with the same seed.")]
pub struct PlayArgs {
    /// Scenario file or name
    #[arg(value_parser = super::named::parser())]
    pub scenario: PathBuf,
    /// Rules to use instead: a file or a ruleset name
    #[arg(long)]
    pub rules: Option<String>,
    /// Seed for dice that are not given
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: Option<u64>,
    /// Run to show, counted from 0
    ///
    /// A sample numbers its runs in the same way.
    #[arg(long, value_name = "N")]
    pub run: Option<u64>,
    /// Set a param or reading (repeatable)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Side you decide for (repeatable) [default: all]
    ///
    /// The scenario decides for the other players.
    #[arg(long = "as", value_name = "SIDE")]
    pub sides: Vec<String>,
    /// Stop before each roll, to enter the dice
    #[arg(long)]
    pub by_hand: bool,
    /// Run this command first (repeatable), then exit
    ///
    /// The exit code is 1 if a command was refused.
    #[arg(long = "do", value_name = "COMMAND", allow_hyphen_values = true)]
    pub commands: Vec<String>,
    #[command(flatten)]
    pub cost: CostArgs,
}

pub fn run(args: &PlayArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let scenario = load(args, &[], &mut sources)?;
    let start = Start {
        about: about_of(args, &scenario),
        seed: args.seed.unwrap_or(scenario.plan.seed),
        run: args.run.unwrap_or(0),
        sides: sides(args, &scenario)?,
    };
    let mut session = Session::new(&scenario, &sources, start);
    session.by_hand = args.by_hand;
    let mut desk = Desk::new(session, args);
    plain::run(&mut desk, out)
}

/// Returns the facts in the first line of the trace.
fn about_of(args: &PlayArgs, scenario: &Scenario) -> grognard_play::record::About {
    let mut about = about(&args.scenario, scenario, args.seed, args.run);
    about.command = about.command.replacen("run", "play", 1);
    about
}

/// Returns the scenario for a session. `of` replaces its report.
fn load(args: &PlayArgs, of: &[String], sources: &mut Sources) -> Result<Scenario, Stop> {
    let odds_options = scenes::Wanted {
        rules: args.rules.as_deref(),
        set: &args.set,
        of,
        of_place: Some("the question"),
        ..scenes::Wanted::default()
    };
    scenes::load_as(&args.scenario, odds_options, Detail::Traced, sources).map(playable)
}

/// Returns the players for whom the person decides, or `None` for all.
fn sides(args: &PlayArgs, scenario: &Scenario) -> Result<Option<Vec<i64>>, Stop> {
    if args.sides.is_empty() {
        return Ok(None);
    }
    let game = &scenario.game;
    let mut found = Vec::new();
    for side in &args.sides {
        let Some((kind, thing)) = game.thing(side) else {
            let near = did_you_mean(side, game.names.iter().flatten().map(String::as_str));
            return Err(Stop::failed(format!("`--as {side}`: `{side}` is not on the table{near}")));
        };
        if let Some(owner) = game.program.schema.kinds[kind.at()].owner {
            let field = &game.program.schema.fields[owner.at()].name;
            return Err(Stop::failed(format!(
                "`--as {side}`: `{side}` is not a player, because its `{field}` decides for it"
            )));
        }
        found.push(pack_thing(kind, thing));
    }
    Ok(Some(found))
}
