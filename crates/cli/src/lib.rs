//! The command line: the commands, their exit codes, and all access to files.

mod book;
mod books;
mod cache;
mod check;
#[doc(hidden)]
pub mod compare;
mod coverage;
mod diff;
mod dump;
mod examples;
mod explain;
mod files;
mod fmt;
mod help;
mod holes;
#[doc(hidden)]
pub mod lsp;
mod progress;
#[doc(hidden)]
mod map;
mod mode;
mod mutants;
mod named;
mod new;
mod odds;
mod once;
mod options;
mod out;
mod outputs;
mod page;
mod pager;
mod parallel;
mod pinned;
mod pins;
mod play;
mod project;
mod readings;
#[doc(hidden)]
pub mod receipt;
mod replay;
mod restate;
mod review;
mod run;
mod scenes;
mod schema;
#[doc(hidden)]
pub mod seal;
mod shipped;
mod simulate;
mod stdin;
mod studio;
mod sweep;
mod temps;
mod test;
mod watch;
mod why;
mod words;

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use grognard_base::safe;
use grognard_report::Format;
use out::{Out, Stop};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// The exit code of a command without findings.
const FINE: u8 = 0;
/// The exit code of a command with findings.
const FOUND: u8 = 1;
/// The exit code if the command line or a file is unusable.
const UNUSABLE: u8 = 2;
/// The exit code if a limit was reached, or if this version cannot compute the answer.
const LIMIT: u8 = 3;

/// Play, measure and review tabletop rules written as text
#[derive(Parser)]
#[command(name = "grognard", version, max_term_width = 80)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Color the output
    #[arg(long, global = true, value_enum, value_name = "WHEN", hide_short_help = true, default_value_t = Colour::Auto)]
    color: Colour,
    /// Print long output without a pager
    #[arg(long, global = true, hide_short_help = true)]
    no_pager: bool,
    /// Suppress progress, notes and hints
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print remarks, the project and the time taken
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Print help (`--help` for details)
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
}

#[derive(Subcommand)]
enum Command {
    /// Create a project with rules, a scenario and examples
    New(new::NewArgs),
    /// List, print or copy the shipped rulesets
    Books(books::BooksArgs),
    /// List the scenarios that commands find by name
    Scenarios(named::ScenariosArgs),
    /// Check rules and scenarios for errors
    Check(check::CheckArgs),
    /// Format rules files and scenarios
    Fmt(fmt::FmtArgs),
    /// Run a scenario and print its trace
    Run(run::RunArgs),
    /// Play a scenario by hand, with menus, odds and undo
    Play(play::PlayArgs),
    /// Estimate chances and means from many runs
    Simulate(simulate::SimulateArgs),
    /// Compute exact odds for a scenario, a test, or dice
    Odds(odds::OddsArgs),
    /// Compare two versions of the rules
    Compare(compare::CompareArgs),
    /// Explain a value, or why an action was unavailable
    Why(why::WhyArgs),
    /// Run examples, expectations and pinned results
    Test(test::TestArgs),
    /// Rerun what changed after each save
    Watch(watch::WatchArgs),
    /// Accept or reject changed traces and odds
    Review(review::ReviewArgs),
    /// Update examples that a rule change made wrong
    Restate(restate::RestateArgs),
    /// Report which clauses are cited and executed
    Coverage(coverage::CoverageArgs),
    /// Change rules one at a time and report what no test notices
    Mutants(mutants::MutantsArgs),
    /// Find gaps, conflicts and unreachable options in rules
    Holes(holes::HolesArgs),
    /// Explain a diagnostic code
    Explain(explain::ExplainArgs),
    /// List the differences between two rulesets
    Diff(diff::DiffArgs),
    /// Write a ruleset as an HTML rulebook
    Book(book::BookArgs),
    /// List ambiguities of a book and measure their effect
    Readings(readings::ReadingsArgs),
    /// Measure a scenario over a grid of params and readings
    Sweep(sweep::SweepArgs),
    /// Rerun a receipt and report differences
    Replay(replay::ReplayArgs),
    /// Print the syntax tree, the checked rules or the program
    Dump(dump::DumpArgs),
    /// Print the JSON Schema of a scenario, project file or register
    Schema(schema::SchemaArgs),
    /// Print a completion script for a shell
    Completions(help::CompletionsArgs),
    /// Print the man page of the program or of a command
    Man(help::ManArgs),
    /// Print version and build details
    Version(help::VersionArgs),
    /// Open the studio in a browser
    Studio(studio::StudioArgs),
    /// Run the language server
    Lsp(lsp::LspArgs),
    /// Show help for a command; `help --all` lists every command
    Help(help::HelpArgs),
}

impl Command {
    /// Returns the file for the receipt. Only results that depend only on files and settings have one.
    fn receipt(&self) -> Option<&Path> {
        let file = match self {
            Command::Run(args) => &args.receipt,
            Command::Simulate(args) => &args.receipt,
            Command::Odds(args) => &args.receipt,
            Command::Compare(args) => &args.receipt,
            Command::Diff(args) => &args.receipt,
            Command::Readings(args) => &args.receipt,
            Command::Sweep(args) => &args.receipt,
            _ => return None,
        };
        file.receipt.as_deref()
    }

    /// Returns whether the command works with the files of a project.
    fn needs_project(&self) -> bool {
        use Command::{Books, Completions, Explain, Help, Man, New, Schema, Version};
        let apart = matches!(self, New(_) | Books(_) | Explain(_) | Completions(_) | Man(_) | Schema(_));
        !apart && !matches!(self, Version(_) | Help(_))
    }

    /// Runs the command and returns its exit code.
    fn carry_out(&self, out: &mut Out) -> Result<u8, Stop> {
        match self.begin(out) {
            Err(Stop::Found(found, sources, code)) => out.errors(&found, &sources).map(|()| code),
            ended => ended,
        }
    }

    fn begin(&self, out: &mut Out) -> Result<u8, Stop> {
        match self {
            Command::New(args) => new::run(args, out),
            Command::Books(args) => books::run(args, out),
            Command::Scenarios(args) => named::run(args, out),
            Command::Check(args) => check::run(args, out),
            Command::Fmt(args) => fmt::run(args, out),
            Command::Run(args) => run::run(args, out),
            Command::Play(args) => play::run(args, out),
            Command::Simulate(args) => simulate::run(args, out),
            Command::Odds(args) => odds::run(args, out),
            Command::Compare(args) => compare::run(args, out),
            Command::Why(args) => why::run(args, out),
            Command::Test(args) => test::run(args, out),
            Command::Watch(args) => watch::run(args, out),
            Command::Review(args) => review::run(args, out),
            Command::Restate(args) => restate::run(args, out),
            Command::Coverage(args) => coverage::run(args, out),
            Command::Mutants(args) => mutants::run(args, out),
            Command::Holes(args) => holes::run(args, out),
            Command::Explain(args) => explain::run(args, out),
            Command::Book(args) => book::run(args, out),
            Command::Diff(args) => diff::run(args, out),
            Command::Readings(args) => readings::run(args, out),
            Command::Sweep(args) => sweep::run(args, out),
            Command::Replay(args) => replay::run(args, out),
            Command::Dump(args) => dump::run(args, out),
            Command::Schema(args) => schema::run(args, out),
            Command::Completions(args) => help::completions(args, out),
            Command::Man(args) => help::man(args, out),
            Command::Version(args) => help::version(args, out),
            Command::Studio(args) => studio::run(args, out),
            Command::Lsp(args) => lsp::run(args, out),
            Command::Help(args) => help::help(args, out),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

/// The format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Findings {
    /// Text with the lines of each finding
    Human,
    /// One line for each finding
    Short,
    /// One JSON document
    Json,
    /// GitHub annotations
    Github,
    /// SARIF 2.1.0, for programs that collect findings
    Sarif,
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
        match self {
            Findings::Human => Format::Human { colour, width: columns().unwrap_or(100).clamp(40, 200) },
            Findings::Short => Format::Short,
            Findings::Json => Format::Json,
            Findings::Github => Format::Github,
            Findings::Sarif => Format::Sarif,
        }
    }
}

/// Returns the width of the terminal, if `COLUMNS` has it.
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok())
}

/// The size of the stack of a command, in bytes. It does not depend on the stack of the process.
const STACK: usize = 16 << 20;

/// Runs the command line with the shipped books and the files of the studio page.
pub fn main(
    books: &'static [(&'static str, &'static str)],
    page: &'static [(&'static str, &'static [u8])],
) -> ExitCode {
    shipped::put(books);
    studio::put(page);
    let work = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(on_this_stack);
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        // no thread can be started: most commands need a smaller stack
        Err(_) => on_this_stack(),
    }
}

/// Parses a command line. Options that are not given take their values from the environment or the project.
fn parse<T: Into<OsString> + Clone>(words: impl IntoIterator<Item = T>) -> Result<Cli, clap::Error> {
    let command = help::commands(Cli::command());
    let command = command.mut_subcommands(|sub| {
        // `--runs -1` is a value that does not fit, not an option `-1`
        sub.mut_args(|arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg })
    });
    Cli::from_arg_matches(&project::with_settings(command).try_get_matches_from(words)?)
}

/// Returns the message for a command line that does not parse, with errors about numbers in the terms of the manual.
fn worded(fault: &clap::Error) -> String {
    [
        ("invalid digit found in string", "expected a whole number, such as 100000"),
        ("cannot parse integer from empty string", "a whole number is missing"),
        ("number too large to fit in target type", "the number is too large"),
    ]
    .iter()
    .fold(fault.render().to_string(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// Prints the help, the version, or the error about a command line that does not parse. Returns the exit code.
fn unparsed(fault: &clap::Error) -> u8 {
    let code = u8::try_from(fault.exit_code()).unwrap_or(UNUSABLE);
    if let (Some(variable), true) = (project::blamed(fault), fault.use_stderr()) {
        out::remark(&format!("the environment variable {variable} sets this value"));
    }
    // an error message repeats the input, which can contain control characters
    let printed = match fault.use_stderr() {
        true => write!(std::io::stderr(), "{}", safe::clean_output(&worded(fault), false)),
        false => fault.print(),
    };
    match printed {
        // a closed pipe is not an error
        Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => UNUSABLE,
        _ => code,
    }
}

fn on_this_stack() -> ExitCode {
    let words = words::forwarded(std::env::args_os().collect());
    let project = project::find(&words);
    let cli = match parse(&words) {
        Ok(cli) => cli,
        Err(fault) => return ExitCode::from(unparsed(&words::suggested(fault, &words))),
    };
    if let (Err(unfit), true) = (project, cli.command.needs_project()) {
        out::aside(&unfit.found);
        out::complain(&unfit.stop.to_string());
        return ExitCode::from(UNUSABLE);
    }
    let began = std::time::Instant::now();
    out::say_as_much(cli.quiet, cli.verbose);
    let mut out = Out::new(cli.color.on(), !cli.no_pager);
    let outcome = match cli.command.receipt() {
        Some(file) => with_receipt(file, &words, &mut out),
        None => cli.command.carry_out(&mut out),
    };
    let ended = out.finish();
    match outcome.and_then(|code| ended.map(|()| code)) {
        Ok(code) => {
            let code = if files::passed_over() { code.max(FOUND) } else { code };
            if cli.verbose {
                let own = project::current().map_or(String::new(), |own| format!("project {}, ", own.folder.display()));
                let files = check::counted(files::paths().len(), "file");
                out::remark(&format!("{own}{files} read, {:.1} s", began.elapsed().as_secs_f32()));
            }
            if let Some(step) = help::next(&cli.command, code) {
                out::next(step);
            }
            ExitCode::from(code)
        }
        Err(Stop::Quiet) => ExitCode::from(FINE),
        Err(stop) => {
            out::complain(&stop.to_string());
            ExitCode::from(UNUSABLE)
        }
    }
}

/// Runs a command with the relative paths of its receipt, and writes the receipt.
fn with_receipt(file: &Path, words: &[OsString], out: &mut Out) -> Result<u8, Stop> {
    outputs::ready(file)?;
    let words = receipt::portable(words)?;
    let again = std::iter::once("grognard").chain(words.iter().map(String::as_str));
    let cli = parse(again).map_err(|fault| Stop::failed(fault.to_string()))?;
    out.keep();
    let code = cli.command.carry_out(out)?;
    if progress::Progress::pressed() {
        out::complain("interrupted, so no receipt is written: a rerun cannot stop at the same point");
        return Ok(code.max(FOUND));
    }
    receipt::write(file, receipt::alone(&words), code, out)?;
    Ok(code)
}
