//! The help of the program and of its commands, completion scripts, man pages, the version, and the hint for a next step.

mod examples;

use super::options::{Form, FormatArg};
use super::out::{Out, Product, Stop};
use super::{Cli, Command, FINE, parse, shipped, unparsed};
use clap::CommandFactory;
use clap::builder::styling::Styles;
use clap_complete::Shell;
use examples::EXAMPLES;
use grognard_report::table::listed;
use serde_json::json;
use std::fmt::Write;

/// The commands in the order of use by group: those of the short list, and those that only `help --all` lists.
const GROUPS: [(&str, &[&str], &[&str]); 4] = [
    ("Everyday", &["new", "check", "run", "odds", "test", "play"], &["watch"]),
    ("Measure", &["simulate", "compare", "sweep", "why"], &["diff", "replay"]),
    ("Review", &["fmt", "holes", "readings", "review", "book"], &["coverage", "mutants", "restate"]),
    (
        "Tools",
        &["studio", "explain", "help"],
        &["books", "scenarios", "lsp", "dump", "schema", "completions", "man", "version"],
    ),
];

/// The last lines of the help of the program.
const TRAILER: &str = "\
Examples:
  grognard new my-game
  grognard odds \"total(highest(3, 10 of d6))\"

Exit codes: 0 success, 1 findings, 2 unusable input, 3 a limit was reached";

/// Returns the command line with the groups of its help and with examples for each command.
pub fn commands(command: clap::Command) -> clap::Command {
    let list = list(&command, false);
    let heading = Styles::styled();
    let heading = heading.get_header();
    let top = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{heading}Options:{heading:#}\n{{options}}{{after-help}}"
    );
    with_examples(command.override_usage("grognard <COMMAND> [OPTIONS]").help_template(top).after_help(TRAILER))
}

/// Returns the commands by group, each with its line; without `all`, those of the short list.
fn list(command: &clap::Command, all: bool) -> String {
    let names = |(_, short, more): &(&str, &'static [&'static str], &'static [&'static str])| {
        let more = if all { *more } else { &[] };
        short.iter().chain(more).copied().collect::<Vec<&str>>()
    };
    let wide = GROUPS.iter().flat_map(names).map(str::len).max().unwrap_or(0);
    let styles = Styles::styled();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    for group in &GROUPS {
        let _ = writeln!(text, "{heading}{}:{heading:#}", group.0);
        for name in names(group) {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map_or(String::new(), ToString::to_string);
            let _ = writeln!(text, "  {literal}{name:wide$}{literal:#}  {about}");
        }
        text.push('\n');
    }
    text
}

/// The arguments of `grognard help`.
#[derive(clap::Args)]
pub struct HelpArgs {
    /// Command to explain [default: the program]
    command: Option<String>,
    /// List every command
    #[arg(long, conflicts_with = "command")]
    all: bool,
}

/// Prints the help of the program or of a command, or the list of all commands.
pub fn help(args: &HelpArgs, out: &mut Out) -> Result<u8, Stop> {
    if args.all {
        let text = clap::builder::StyledStr::from(list(&Cli::command(), true));
        let text = if out.colour() { text.ansi().to_string() } else { text.to_string() };
        out.text(&format!("{}\n", text.trim_end()))?;
        return Ok(FINE);
    }
    let words = std::iter::once("grognard").chain(args.command.as_deref()).chain(["--help"]);
    // the parser returns the help of a command as an error that is printed on standard output
    Ok(parse(words).err().map_or(FINE, |fault| unparsed(&super::words::suggested(fault, &[]))))
}

/// Adds examples to the end of the help of each command.
fn with_examples(mut command: clap::Command) -> clap::Command {
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

/// The arguments of `grognard completions`.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// Shell that completes the commands
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script with which a shell completes commands and options.
pub fn completions(args: &CompletionsArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grognard", &mut text);
    out.product(&Product::new(String::from_utf8_lossy(&text)))?;
    Ok(FINE)
}

/// The arguments of `grognard man`.
#[derive(clap::Args)]
pub struct ManArgs {
    /// Command to describe [default: the program]
    command: Option<String>,
}

/// Prints a man page (roff).
pub fn man(args: &ManArgs, out: &mut Out) -> Result<u8, Stop> {
    let all = commands(Cli::command());
    let page = match &args.command {
        None => all,
        Some(name) => {
            let names = all.get_subcommands().map(clap::Command::get_name);
            let near = grognard_base::did_you_mean(name, names);
            let one = all.get_subcommands().find(|sub| sub.get_name() == name).cloned();
            let one = one.ok_or_else(|| Stop::failed(format!("`{name}` is not a command{near}")))?;
            let title: &'static str = format!("grognard-{name}").leak();
            one.name(title).bin_name(format!("grognard {name}"))
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(|why| Stop::failed(format!("the page cannot be written: {why}")))?;
    out.product(&Product::new(String::from_utf8_lossy(&text)))?;
    Ok(FINE)
}

/// The arguments of `grognard version`.
#[derive(clap::Args)]
pub struct VersionArgs {
    #[command(flatten)]
    rendered: FormatArg,
}

/// Prints the version and build details.
pub fn version(args: &VersionArgs, out: &mut Out) -> Result<u8, Stop> {
    let (version, parquet) = (env!("CARGO_PKG_VERSION"), cfg!(feature = "parquet"));
    let facts = || {
        json!({
            "schema": 1,
            "name": "grognard",
            "version": version,
            "parquet": parquet,
            "books": shipped::books(),
        })
    };
    match args.rendered.form {
        Form::Human => out.line(&format!("grognard {version}"))?,
        Form::Json => out.json(&facts())?,
        Form::Csv => out.text(&listed(&["name", "version", "parquet", "books"], &json!([facts()])))?,
    }
    Ok(FINE)
}

/// Returns a useful next step after a command without findings, or after one with findings.
pub fn next(command: &Command, code: u8) -> Option<&'static str> {
    let (fine, found) = match command {
        Command::Check(_) => ("grognard test", "grognard explain CODE explains a message"),
        Command::Fmt(_) => ("grognard check", "grognard fmt formats the files"),
        Command::Run(_) => {
            ("grognard odds SCENARIO computes the chances of all outcomes", "grognard run SCENARIO --trace full")
        }
        Command::Play(_) => ("grognard run FILE replays a saved run", "grognard check"),
        Command::Simulate(_) => {
            ("grognard compare :NAME=VALUE SCENARIO shows the effect of a change", "grognard run SCENARIO --run NUMBER")
        }
        Command::Odds(_) => ("--why reports which rolls matter most", "grognard simulate estimates from runs"),
        Command::Compare(_) => ("--first-difference shows where the versions diverge", "--runs allows more runs"),
        Command::Restate(_) => ("grognard test", "--write writes the files"),
        Command::Coverage(_) => (
            "grognard mutants finds rules that no test covers",
            "write an example for each clause that is not executed",
        ),
        Command::Readings(_) => ("grognard readings SCENARIO measures the effect of each", "grognard check"),
        Command::Sweep(_) => ("--report FILE.html plots the results", "grognard check"),
        _ => return None,
    };
    Some(if code == FINE { fine } else { found })
}
