//! `grognard play`: a run that a person plays by hand, with commands in lines of text.

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

/// What to play, and how.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(after_long_help = "\
Each command is one line of input, and `help` lists the commands. Decisions and dice that are not given by hand are \
those of `grognard run` with the same seed.")]
pub struct PlayArgs {
    /// A scenario file.
    pub scenario: PathBuf,
    /// Another rules file to play it with.
    #[arg(long)]
    pub rules: Option<String>,
    /// Another seed for dice that are not given.
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: Option<u64>,
    /// Which of the runs of a seed, as a sample numbers them, from 0.
    #[arg(long, value_name = "NUMBER")]
    pub run: Option<u64>,
    /// A param or reading; may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// A player whose decisions are yours; the others play as the scenario says. May be given again; without it all are.
    #[arg(long = "as", value_name = "SIDE")]
    pub sides: Vec<String>,
    /// Waits before each roll too, so that dice can be given by hand.
    #[arg(long)]
    pub by_hand: bool,
    /// A command to begin with, as it would be typed; may be given again. Then nothing more is read; the
    /// program ends with 1 if one of them was refused.
    #[arg(long = "do", value_name = "COMMAND", allow_hyphen_values = true)]
    pub commands: Vec<String>,
    #[command(flatten)]
    pub cost: CostArgs,
}

/// Plays.
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

/// What the first line of the trace says.
fn about_of(args: &PlayArgs, scenario: &Scenario) -> grognard_play::record::About {
    let mut about = about(&args.scenario, scenario, args.seed, args.run);
    about.command = about.command.replacen("run", "play", 1);
    about
}

/// The scenario as it is played, maybe with other figures in its report.
fn load(args: &PlayArgs, of: &[String], sources: &mut Sources) -> Result<Scenario, Stop> {
    let wish = scenes::Wanted {
        rules: args.rules.as_deref(),
        set: &args.set,
        of,
        of_place: Some("the question"),
        ..scenes::Wanted::default()
    };
    scenes::load_as(&args.scenario, wish, Detail::Traced, sources).map(playable)
}

/// Those for whom the person decides.
fn sides(args: &PlayArgs, scenario: &Scenario) -> Result<Option<Vec<i64>>, Stop> {
    if args.sides.is_empty() {
        return Ok(None);
    }
    let game = &scenario.game;
    let mut found = Vec::new();
    for side in &args.sides {
        let Some((kind, thing)) = game.thing(side) else {
            let near = did_you_mean(side, game.names.iter().flatten().map(String::as_str));
            return Err(Stop::failed(format!("`--as {side}`: there is no `{side}` on the table{near}")));
        };
        if let Some(owner) = game.program.schema.kinds[kind.at()].owner {
            let field = &game.program.schema.fields[owner.at()].name;
            return Err(Stop::failed(format!("`--as {side}`: `{side}` is no player: its `{field}` decides for it")));
        }
        found.push(pack_thing(kind, thing));
    }
    Ok(Some(found))
}
