//! Help and conventions of all commands: two examples each, completions, man pages, the version, and the next useful step.

use super::options::{Form, Told};
use super::out::{Out, Product, Stop};
use super::{Cli, Command, FINE, shipped};
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

/// Two lines to try for each command: they run in a project that `grognard new` has begun, the first before the second.
/// Tests run them all.
const EXAMPLES: &[(&str, [&str; 2])] = &[
    ("new", ["grognard new my-game", "grognard new house-rules --template warstrike"]),
    ("books", ["grognard books", "grognard books warstrike/core"]),
    ("check", ["grognard check", "grognard check rules --format short"]),
    ("fmt", ["grognard fmt --check rules", "grognard fmt rules/game.rules"]),
    ("run", ["grognard run scenarios/first.toml", "grognard run scenarios/first.toml --set hit_on=3 --trace full"]),
    (
        "play",
        [
            "grognard play scenarios/first.toml",
            "grognard play scenarios/first.toml --do 'auto all' --do 'save scenarios/by-hand.toml'",
        ],
    ),
    (
        "simulate",
        [
            "grognard simulate scenarios/first.toml",
            "grognard simulate scenarios/first.toml --of raiders.men --runs 500",
        ],
    ),
    ("odds", ["grognard odds 'total(highest(3, 10 of d6))'", "grognard odds scenarios/first.toml --of raiders.men"]),
    (
        "compare",
        [
            "grognard compare :hit_on=3 scenarios/first.toml",
            "grognard compare :hit_on=3 scenarios/first.toml --first-difference",
        ],
    ),
    ("why", ["grognard why scenarios/first.toml raiders.men", "grognard why scenarios/first.toml raiders.men --all"]),
    ("test", ["grognard test", "grognard test rules --filter hits --format junit"]),
    ("watch", ["grognard watch --saves 0", "grognard watch scenarios --saves 0 --format json"]),
    ("review", ["grognard review --accept-all", "grognard review --list"]),
    ("restate", ["grognard restate rules/game.rules", "grognard restate rules/game.rules --write"]),
    ("coverage", ["grognard coverage", "grognard coverage rules --format json"]),
    ("mutants", ["grognard mutants rules --list", "grognard mutants rules --sample 3"]),
    ("holes", ["grognard holes", "grognard holes rules --only gap --format json"]),
    ("explain", ["grognard explain", "grognard explain R0501"]),
    (
        "diff",
        [
            "grognard diff warstrike/leadership.rules warstrike/every-hit.rules",
            "grognard diff warstrike/action-phase.rules edits/dig-in.rules --format json",
        ],
    ),
    (
        "book",
        ["grognard book rules/game.rules -o book", "grognard book warstrike/leadership --no-odds -o leadership-book"],
    ),
    ("readings", ["grognard readings", "grognard readings scenarios/first.toml"]),
    (
        "sweep",
        [
            "grognard sweep scenarios/first.toml --over hit_on --runs 500",
            "grognard sweep scenarios/first.toml --over hit_on=3,4 --over save_on --mode exact --format csv",
        ],
    ),
    (
        "merge",
        [
            "grognard sweep scenarios/first.toml --over hit_on --runs 500 --journal all.journal",
            "grognard merge all.journal",
        ],
    ),
    ("replay", ["grognard odds 2d6 --receipt odds.receipt.toml", "grognard replay odds.receipt.toml"]),
    (
        "dump",
        ["grognard dump --stage rules rules/game.rules", "grognard dump --stage program warstrike/leadership.rules"],
    ),
    ("studio", ["grognard studio --no-open", "grognard studio --port 8080 --no-open"]),
    ("lsp", ["grognard man lsp", "grognard lsp"]),
    ("completions", ["grognard completions bash", "grognard completions zsh"]),
    ("man", ["grognard man", "grognard man run"]),
    ("version", ["grognard version", "grognard version --format json"]),
];

/// The commands, with examples at the end of the help of each.
pub fn with_examples(mut command: clap::Command) -> clap::Command {
    for (name, lines) in EXAMPLES {
        command = command.mut_subcommand(name, |sub| {
            let examples = format!("Examples:\n  {}\n  {}", lines[0], lines[1]);
            let long = sub.get_after_long_help().map(|above| format!("{}\n\n{examples}", above.to_string().trim_end()));
            let sub = sub.after_help(examples);
            match long {
                Some(long) => sub.after_long_help(long),
                None => sub,
            }
        });
    }
    command
}

/// For which shell.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints what a shell reads to complete commands and options.
pub fn completions(args: &CompletionsArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grognard", &mut text);
    out.product(&Product::new(String::from_utf8_lossy(&text)))?;
    Ok(FINE)
}

/// Of which command.
#[derive(clap::Args)]
pub struct ManArgs {
    /// A command; without it, the page of the program itself.
    command: Option<String>,
}

/// Prints a man page (roff).
pub fn man(args: &ManArgs, out: &mut Out) -> Result<u8, Stop> {
    let all = with_examples(Cli::command());
    let page = match &args.command {
        None => all,
        Some(name) => {
            let names = all.get_subcommands().map(clap::Command::get_name);
            let near = grognard_base::did_you_mean(name, names);
            let one = all.get_subcommands().find(|sub| sub.get_name() == name).cloned();
            let one = one.ok_or_else(|| Stop::failed(format!("there is no command `{name}`{near}")))?;
            let title: &'static str = format!("grognard-{name}").leak();
            one.name(title).bin_name(format!("grognard {name}"))
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(|why| Stop::failed(format!("the page cannot be made: {why}")))?;
    out.product(&Product::new(String::from_utf8_lossy(&text)))?;
    Ok(FINE)
}

/// How it is told.
#[derive(clap::Args)]
pub struct VersionArgs {
    #[command(flatten)]
    told: Told,
}

/// Prints the version, and what is shipped with it.
pub fn version(args: &VersionArgs, out: &mut Out) -> Result<u8, Stop> {
    let (version, parquet) = (env!("CARGO_PKG_VERSION"), cfg!(feature = "parquet"));
    match args.told.form {
        Form::Human => out.line(&format!("grognard {version}"))?,
        Form::Json => out.json(&json!({
            "schema": 1,
            "name": "grognard",
            "version": version,
            "parquet": parquet,
            "books": shipped::books(),
        }))?,
    }
    Ok(FINE)
}

/// What is useful after a command that found nothing wrong, and after one that did.
pub fn next(command: &Command, code: u8) -> Option<&'static str> {
    let (fine, found) = match command {
        Command::Check(_) => ("grognard test", "grognard explain CODE tells what a message means"),
        Command::Fmt(_) => ("grognard check", "grognard fmt lays the files out"),
        Command::Run(_) => {
            ("grognard odds SCENARIO works out every way the dice can fall", "grognard run SCENARIO --trace full")
        }
        Command::Play(_) => ("grognard run FILE plays again what was saved", "grognard check"),
        Command::Simulate(_) => {
            ("grognard compare :NAME=VALUE SCENARIO shows what a change does", "grognard run SCENARIO --run NUMBER")
        }
        Command::Odds(_) => ("--why tells which rolls decide it", "grognard simulate takes runs instead"),
        Command::Compare(_) => ("--first-difference shows where the two part", "--runs takes more runs"),
        Command::Restate(_) => ("grognard test", "--write writes what is shown"),
        Command::Coverage(_) => {
            ("grognard mutants finds what no test notices", "write an example for each clause that is not run")
        }
        Command::Readings(_) => ("grognard readings SCENARIO measures what each changes", "grognard check"),
        Command::Sweep(_) => ("--report FILE.html draws it", "grognard check"),
        _ => return None,
    };
    Some(if code == FINE { fine } else { found })
}
