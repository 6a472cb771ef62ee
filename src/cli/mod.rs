//! The command line: commands, exit codes, and the one place that touches files.

mod book;
mod books;
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
mod map;
mod mode;
mod mutants;
mod new;
mod odds;
mod once;
mod options;
mod out;
mod outputs;
mod page;
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
#[doc(hidden)]
pub mod seal;
mod shipped;
mod simulate;
mod studio;
mod sweep;
mod temps;
mod test;
mod watch;
mod why;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use grognard_base::safe;
use grognard_report::Format;
use out::{Out, Stop};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
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
    /// Says nothing on the side: no progress, no notes, no next step.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Says more: with `check` remarks too, with all commands the project and the time it took.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Writes a receipt of what is printed, with which `grognard replay` makes it again: for run, simulate,
    /// odds, compare, diff, readings and sweep.
    #[arg(long, global = true, value_name = "FILE")]
    receipt: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Begins a project: rules, clauses, a scenario, an example, ready to run.
    New(new::NewArgs),
    /// Lists the rulesets that are part of the program, shows one of their files, or copies them.
    Books(books::BooksArgs),
    /// Finds errors in rules and scenarios.
    Check(check::CheckArgs),
    /// Lays rules files out.
    Fmt(fmt::FmtArgs),
    /// Runs one scenario.
    Run(run::RunArgs),
    /// Plays one scenario by hand: step by step, with menus, odds from each position, and back again.
    Play(play::PlayArgs),
    /// Runs one scenario many times, and estimates chances and means.
    Simulate(simulate::SimulateArgs),
    /// Works out exact odds: of a scenario, of one test, of dice.
    Odds(odds::OddsArgs),
    /// Sets two versions of the rules against each other on the same dice.
    Compare(compare::CompareArgs),
    /// Tells what made a value what it is in a run, or why an action was not to be had.
    Why(why::WhyArgs),
    /// Runs the examples of rules, the expectations of scenarios, and compares what is pinned of them.
    Test(test::TestArgs),
    /// Looks at files, and after each save tells what is wrong, and what it moved in runs and odds.
    Watch(watch::WatchArgs),
    /// Goes through traces and odds of scenarios that moved, one by one, to accept or reject them.
    Review(review::ReviewArgs),
    /// Writes examples anew that a change of the rules made wrong.
    Restate(restate::RestateArgs),
    /// Tells for each clause of a register what cites it and what ran it.
    Coverage(coverage::CoverageArgs),
    /// Changes the rules one small way at a time, and tells which changes no test notices.
    Mutants(mutants::MutantsArgs),
    /// Finds holes in rules: what bands leave out, what contradicts itself, what is never offered, reached or better.
    Holes(holes::HolesArgs),
    /// Explains a diagnostic code.
    Explain(explain::ExplainArgs),
    /// Tells what changed between two versions of a book.
    Diff(diff::DiffArgs),
    /// Writes a ruleset as a rulebook to read: HTML pages with prose, tables, clauses and odds.
    Book(book::BookArgs),
    /// Tells what books leave open and how it is read; with a scenario, what each reading changes there.
    Readings(readings::ReadingsArgs),
    /// Measures the same at every point of a grid of params and readings.
    Sweep(sweep::SweepArgs),
    /// Puts the parts of a sweep together.
    Merge(sweep::MergeArgs),
    /// Does what a receipt says once more, and names what differs.
    Replay(replay::ReplayArgs),
    /// Shows what a stage makes of a rules file.
    Dump(dump::DumpArgs),
    /// Prints what a shell reads to complete commands.
    Completions(help::CompletionsArgs),
    /// Prints the man page of the program or of a command.
    Man(help::ManArgs),
    /// Prints the version, and what is shipped with it.
    Version(help::VersionArgs),
    /// Serves the studio: a page with text, table and odds, for a folder on this machine.
    Studio(studio::StudioArgs),
    /// Serves an editor: findings while you type, and all that the language server protocol has.
    Lsp(lsp::LspArgs),
}

impl Command {
    /// True for those that print a result which hangs on nothing but files and settings.
    fn keeps_receipts(&self) -> bool {
        use Command::{Compare, Diff, Odds, Readings, Run, Simulate, Sweep};
        matches!(self, Run(_) | Simulate(_) | Odds(_) | Compare(_) | Diff(_) | Readings(_) | Sweep(_))
    }

    /// True for those that work with the files of a project.
    fn needs_project(&self) -> bool {
        use Command::{Books, Completions, Explain, Man, New, Version};
        !matches!(self, New(_) | Books(_) | Explain(_) | Completions(_) | Man(_) | Version(_))
    }

    /// Carries it out and gives the exit code.
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
            Command::Merge(args) => sweep::merge(args, out),
            Command::Replay(args) => replay::run(args, out),
            Command::Dump(args) => dump::run(args, out),
            Command::Completions(args) => help::completions(args, out),
            Command::Man(args) => help::man(args, out),
            Command::Version(args) => help::version(args, out),
            Command::Studio(args) => studio::run(args, out),
            Command::Lsp(args) => lsp::run(args, out),
        }
    }
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
    /// As GitHub shows them beside a change.
    Github,
    /// SARIF, for programs that collect findings.
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

/// The width of the terminal, if the environment tells it.
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok())
}

/// Bytes of the stack on which commands work, whatever that of the program is.
const STACK: usize = 16 << 20;

/// Reads the command line and carries it out, with the books that are shipped in the program, and the files of the page.
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
        // no thread can be started: nearly all work is done in less
        Err(_) => on_this_stack(),
    }
}

/// Reads a command line; what it does not say, the environment or the project does.
fn parse<T: Into<OsString> + Clone>(words: impl IntoIterator<Item = T>) -> Result<Cli, clap::Error> {
    let command = help::with_examples(Cli::command());
    let command = command.mut_subcommands(|sub| {
        // `--runs -1` is a value that does not fit, and no option `-1`
        sub.mut_args(|arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg })
    });
    Cli::from_arg_matches(&project::with_settings(command).try_get_matches_from(words)?)
}

/// What is said of a command line that does not read: numbers in the words of the manual.
fn worded(fault: &clap::Error) -> String {
    [
        ("invalid digit found in string", "a whole number in digits is wanted, such as 100000"),
        ("cannot parse integer from empty string", "a whole number is missing"),
        ("number too large to fit in target type", "the number is too large"),
    ]
    .iter()
    .fold(fault.render().to_string(), |text, (theirs, ours)| text.replace(theirs, ours))
}

fn on_this_stack() -> ExitCode {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    // `--version --format json` is `version --format json`
    if words.len() > 2 && words[1] == "--version" {
        words[1] = "version".into();
    }
    let project = project::find(&words);
    let cli = match parse(&words) {
        Ok(cli) => cli,
        Err(fault) => {
            // help and version are no faults; a pipe that is closed ends them quietly
            let code = u8::try_from(fault.exit_code()).unwrap_or(UNUSABLE);
            if let (Some(variable), true) = (project::blamed(&fault), fault.use_stderr()) {
                out::remark(&format!("this value stands in the variable {variable} of the environment"));
            }
            // a mistake repeats what was typed
            let printed = match fault.use_stderr() {
                true => write!(std::io::stderr(), "{}", safe::clean_output(&worded(&fault), false)),
                false => fault.print(),
            };
            return match printed {
                Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(UNUSABLE),
                _ => ExitCode::from(code),
            };
        }
    };
    if let (Err(unfit), true) = (project, cli.command.needs_project()) {
        out::aside(&unfit.found);
        out::complain(&unfit.stop.to_string());
        return ExitCode::from(UNUSABLE);
    }
    let began = std::time::Instant::now();
    out::say_as_much(cli.quiet, cli.verbose);
    let mut out = Out::new(cli.color.on());
    let outcome = match &cli.receipt {
        Some(file) => with_receipt(file, &cli.command, &words, &mut out),
        None => cli.command.carry_out(&mut out),
    };
    match outcome.and_then(|code| out.finish().map(|()| code)) {
        Ok(code) => {
            let code = if files::passed_over() { code.max(FOUND) } else { code };
            if cli.verbose {
                let own = project::current().map_or(String::new(), |own| format!("project {}, ", own.folder.display()));
                let files = check::counted(files::seen().len(), "file");
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

/// Carries a command out as it stands in the receipt, with relative paths, and writes the receipt.
fn with_receipt(file: &Path, command: &Command, words: &[OsString], out: &mut Out) -> Result<u8, Stop> {
    if !command.keeps_receipts() {
        return Err(Stop::failed("this command gives no result to keep a receipt of"));
    }
    outputs::ready(file)?;
    let words = receipt::portable(words)?;
    let again = std::iter::once("grognard").chain(words.iter().map(String::as_str));
    let cli = parse(again).map_err(|fault| Stop::failed(fault.to_string()))?;
    out.keep();
    let code = cli.command.carry_out(out)?;
    if progress::Progress::pressed() {
        out::complain("it was stopped by hand, and nobody can stop at the same place again, so no receipt is kept");
        return Ok(code.max(FOUND));
    }
    receipt::write(file, receipt::alone(&words), code, out)?;
    Ok(code)
}
