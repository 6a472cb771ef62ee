//! The command line: commands, exit codes, and the one place that touches files.

mod check;
mod compare;
mod diff;
mod coverage;
mod dump;
mod examples;
mod explain;
mod files;
mod fmt;
mod odds;
mod long;
mod map;
mod out;
mod pinned;
mod page;
mod run;
mod scenes;
mod simulate;
mod test;

use crate::report::Format;
use clap::{Parser, Subcommand, ValueEnum};
use out::{Out, Stop};
use std::io::IsTerminal;
use std::process::ExitCode;

/// Everything is fine.
const FINE: u8 = 0;
/// Something was found.
const FOUND: u8 = 1;
/// The command or a file cannot be read.
const UNUSABLE: u8 = 2;
/// A limit was hit, or the answer needs what this version does not compute.
const LIMIT: u8 = 3;

/// Runs wargame rules written as text.
#[derive(Parser)]
#[command(name = "grognard", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to colour the output.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    color: Colour,
}

#[derive(Subcommand)]
enum Command {
    /// Finds errors in rules and scenarios.
    Check(check::Args),
    /// Lays rules files out.
    Fmt(fmt::Args),
    /// Runs one scenario.
    Run(run::Args),
    /// Runs one scenario many times, and estimates chances and means.
    Simulate(simulate::Args),
    /// Works out exact odds: of a scenario, of one test, of dice.
    Odds(odds::Args),
    /// Sets two versions of the rules against each other on the same dice.
    Compare(compare::Args),
    /// Runs the examples of rules and the expectations of scenarios.
    Test(test::Args),
    /// Tells for each clause of a register what cites it and what ran it.
    Coverage(coverage::Args),
    /// Explains a diagnostic code.
    Explain(explain::Args),
    /// Tells what changed between two versions of a book.
    Diff(diff::Args),
    /// Shows what a stage makes of a rules file.
    Dump(dump::Args),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Findings {
    /// With the lines they are about.
    Human,
    /// One line each.
    Short,
    /// One JSON document.
    Json,
}

impl Colour {
    fn on(self) -> bool {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto if set("NO_COLOR") => false,
            Colour::Auto if set("CLICOLOR_FORCE") => true,
            Colour::Auto => std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb"),
        }
    }
}

impl Findings {
    fn format(self, colour: bool) -> Format {
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
        match self {
            Findings::Human => Format::Human { colour, width: columns.unwrap_or(100).clamp(40, 200) },
            Findings::Short => Format::Short,
            Findings::Json => Format::Json,
        }
    }
}

/// Reads the command line and carries it out.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(fault) => {
            // help and version are no faults; a pipe that is closed ends them quietly
            let code = u8::try_from(fault.exit_code()).unwrap_or(UNUSABLE);
            return match fault.print() {
                Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(UNUSABLE),
                _ => ExitCode::from(code),
            };
        }
    };
    let colour = cli.color.on();
    let mut out = Out::new();
    let outcome = match cli.command {
        Command::Check(args) => check::run(&args, colour, &mut out),
        Command::Fmt(args) => fmt::run(&args, colour, &mut out),
        Command::Run(args) => run::run(&args, colour, &mut out),
        Command::Simulate(args) => simulate::run(&args, colour, &mut out),
        Command::Odds(args) => odds::run(&args, colour, &mut out),
        Command::Compare(args) => compare::run(&args, colour, &mut out),
        Command::Test(args) => test::run(&args, colour, &mut out),
        Command::Coverage(args) => coverage::run(&args, colour, &mut out),
        Command::Explain(args) => explain::run(&args, &mut out),
        Command::Diff(args) => diff::run(&args, colour, &mut out),
        Command::Dump(args) => dump::run(&args, colour, &mut out),
    };
    match outcome.and_then(|code| out.finish().map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        Err(Stop::Quiet) => ExitCode::from(FINE),
        Err(Stop::Failed(message)) => {
            out::complain(&message);
            ExitCode::from(UNUSABLE)
        }
    }
}
