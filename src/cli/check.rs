//! `grognard check`: every finding in rules and scenarios.

use super::files::{Root, collect};
use super::out::{Out, Stop};
use super::{FINE, FOUND, Findings, scenes};
use crate::base::{Diagnostic, Severity, Sources};
use crate::program::Detail;
use crate::report;
use crate::rules;
use std::path::{Path, PathBuf};

/// What to check.
#[derive(clap::Args)]
pub struct Args {
    /// Files and folders; this folder if none is named.
    paths: Vec<PathBuf>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Findings::Human)]
    format: Findings,
    /// Shows remarks too.
    #[arg(long)]
    verbose: bool,
}

/// Checks and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let mut found: Vec<Diagnostic> = Vec::new();
    let (mut files, mut scenarios, mut rules_count) = (0, 0, 0);
    for path in collect(&args.paths, &["rules", "toml"])? {
        if path.extension().is_some_and(|e| e == "toml") {
            if !is_scenario(&path, &args.paths) {
                continue;
            }
            scenarios += 1;
            let in_folder = !args.paths.contains(&path);
            if let Err(problems) = scenes::load_found(&path, in_folder, Detail::Plain, &mut sources)? {
                found.extend(problems);
            }
            continue;
        }
        files += 1;
        let (root, name) = Root::of_rules(&path)?;
        let loaded = rules::load(&name, &root, &mut sources);
        found.extend(loaded.problems);
        if let Some(set) = loaded.ruleset {
            let last = set.chain.len().saturating_sub(1);
            rules_count += set.items.iter().filter(|i| i.word == "rule" && i.from == last).count();
        }
    }
    found.sort_by_key(|d| (d.span, d.code));
    found.dedup();
    let problems = found.iter().filter(|d| d.severity > Severity::Info).count();
    if !args.verbose && args.format != Findings::Json {
        found.retain(|d| d.severity > Severity::Info);
    }
    out.text(&report::render(&found, &sources, args.format.format(colour)))?;
    if args.format != Findings::Json {
        if args.format == Findings::Human && !found.is_empty() {
            out.line("")?;
        }
        let scenes = if scenarios > 0 { format!("{}, ", counted(scenarios, "scenario")) } else { String::new() };
        let summary = format!(
            "{}, {scenes}{}, {}",
            counted(files, "rule file"),
            counted(rules_count, "rule"),
            counted(problems, "problem")
        );
        out.line(&summary)?;
    }
    Ok(if problems > 0 { FOUND } else { FINE })
}

/// `1 rule`, `2 rules`.
pub fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// True for what is named itself, or lies in a folder `scenarios`.
pub fn is_scenario(path: &Path, named: &[PathBuf]) -> bool {
    let folder = std::fs::canonicalize(path).ok().and_then(|p| Some(p.parent()?.file_name()?.to_os_string()));
    named.iter().any(|n| n == path) || folder.is_some_and(|f| f == "scenarios")
}
