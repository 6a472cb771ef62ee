//! Words of the command line before and after it is parsed: options that run another command, and suggestions for names
//! that do not exist.

use super::{Cli, help};
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use grognard_base::near_miss;
use std::ffi::OsString;

/// Options that run another command: the command, its option, and the command that runs. All other words stay the same.
const FORWARDED: [(&str, &str, &str); 8] = [
    ("check", "--holes", "holes"),
    ("check", "--readings", "readings"),
    ("compare", "--text", "diff"),
    ("new", "--list", "books"),
    ("test", "--mutate", "mutants"),
    ("test", "--review", "review"),
    ("test", "--update", "restate"),
    ("test", "--watch", "watch"),
];

/// Returns the words with the command that an option requests, so that `test --watch rules` is `watch rules`.
pub fn forwarded(mut words: Vec<OsString>) -> Vec<OsString> {
    // `--version --format json` is `version --format json`
    if words.len() > 2 && words[1] == "--version" {
        words[1] = "version".into();
    }
    let Some(at) = command_at(&words) else { return words };
    let options = words.iter().skip(at + 1).take_while(|word| *word != "--");
    let found = options.enumerate().find_map(|(n, word)| {
        let asked = |(command, option, _): &&(&str, &str, &str)| words[at] == **command && word == *option;
        FORWARDED.iter().find(asked).map(|(.., other)| (at + 1 + n, *other))
    });
    if let Some((option, other)) = found {
        words[at] = other.into();
        words.remove(option);
    }
    words
}

/// Returns the index of the command among the words.
fn command_at(words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while words.get(at)?.as_encoded_bytes().starts_with(b"-") {
        at += if words[at] == "--color" { 2 } else { 1 };
    }
    (at < words.len()).then_some(at)
}

/// Returns whether the command of a command line without the program can have a receipt.
pub fn can_have_receipt(words: &[String]) -> bool {
    let words: Vec<OsString> =
        std::iter::once("grognard").chain(words.iter().map(String::as_str)).map(Into::into).collect();
    let all = Cli::command();
    let command = command_at(&words).and_then(|at| all.find_subcommand(&words[at]));
    command.is_some_and(|command| command.get_arguments().any(|arg| arg.get_id() == "receipt"))
}

/// Adds the nearest command or option to the error about an unknown name.
pub fn suggested(mut fault: clap::Error, words: &[OsString]) -> clap::Error {
    let (wrong, near) = match fault.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        _ => return fault,
    };
    let Some(ContextValue::String(typed)) = fault.get(wrong).cloned() else { return fault };
    let typed = typed.split('=').next().unwrap_or_default();
    let commands = help::commands(Cli::command());
    let own = command_at(words).and_then(|at| commands.find_subcommand(&words[at]));
    let options = own.into_iter().chain([&commands]).flat_map(clap::Command::get_arguments);
    let options: Vec<String> = options.filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect();
    let commands = commands.get_subcommands().map(clap::Command::get_name);
    let found = match near {
        ContextKind::SuggestedArg if typed.starts_with("--") => near_miss(typed, options.iter().map(String::as_str)),
        ContextKind::SuggestedArg => None,
        _ => near_miss(typed, commands),
    };
    match (found, near) {
        (None, _) => {}
        (Some(found), ContextKind::SuggestedArg) => {
            drop(fault.insert(near, ContextValue::String(found.to_string())));
        }
        (Some(found), _) => drop(fault.insert(near, ContextValue::Strings(vec![found.to_string()]))),
    }
    fault
}
