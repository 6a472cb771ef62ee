//! `grognard check`: reports the findings in rules and scenarios.

use super::files::{Collected, Root, canonical, collect, peek};
use super::out::{Out, Stop, verbose};
use super::stdin::{self, StdinRules};
use super::{FINE, FOUND, Findings, project, scenes};
use grognard_base::{Diagnostic, Severity, Sources, counts, fold, order};
use grognard_play::examples;
use grognard_program::{Built, Detail};
use grognard_report as report;
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{self as rules, Library};
use std::path::{Path, PathBuf};

/// The arguments of `grognard check`.
#[derive(clap::Args)]
pub struct CheckArgs {
    /// Files and folders [default: the project, or this folder]
    ///
    /// `-` reads rules or a scenario from standard input.
    #[arg(value_parser = super::named::parser())]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Findings::Human)]
    format: Findings,
    /// Exit with 1 on warnings
    #[arg(long)]
    strict: bool,
    /// Find gaps and conflicts; runs `grognard holes`
    #[arg(long, help_heading = "Other commands")]
    holes: bool,
    /// List ambiguities; runs `grognard readings`
    #[arg(long, help_heading = "Other commands")]
    readings: bool,
}

/// Checks the files and prints the findings. The exit code is 1 for errors and, with `--strict`, for warnings.
pub fn run(args: &CheckArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let mut found: Vec<Diagnostic> = Vec::new();
    let (mut files, mut scenarios, mut items) = (0, 0, 0);
    let input = matches!(args.paths.as_slice(), [path] if stdin::is_named(path));
    let paths = if input {
        vec![stdin::read()?]
    } else {
        let Collected { files, problems, .. } = collect(&args.paths, &["rules", "toml"])?;
        found.extend(problems);
        files
    };
    // the rulesets of folders that are checked as a whole; `None` if one of them cannot be read
    let mut folders = Some(Vec::new());
    for path in paths {
        let text = stdin::text(&path);
        if text.map_or_else(|| path.extension().is_some_and(|e| e == "toml"), stdin::is_scenario) {
            if !input && !is_scenario(&path, &args.paths) {
                continue;
            }
            scenarios += 1;
            let in_folder = !input && !args.paths.contains(&path);
            match scenes::load_found(&path, in_folder, Detail::Plain, &mut sources) {
                Err(Stop::Found(problems, ..)) => found.extend(problems),
                read => found.extend(read?.remarks()),
            }
            continue;
        }
        files += 1;
        let (root, name): (Box<dyn Library>, String) = match text {
            Some(text) => StdinRules::of(text).map(|(root, name)| (Box::new(root) as Box<dyn Library>, name))?,
            None => Root::of_rules(&path).map(|(root, name)| (Box::new(root) as Box<dyn Library>, name))?,
        };
        let loaded = rules::load(&name, &*root, &mut sources);
        found.extend(loaded.problems);
        if loaded.ruleset.is_none() {
            folders = None;
        }
        if let Some(set) = loaded.ruleset {
            if let (Some(folders), false) = (&mut folders, input || args.paths.contains(&path)) {
                folders.push((name, set.clone()));
            }
            let last = set.chain.len().saturating_sub(1);
            let is_field = |word: &str| matches!(word, "stat" | "state" | "link");
            items += set.items.iter().filter(|item| item.from == last && !is_field(item.word)).count();
            // the rulesets above a file with open items check its examples
            if set.open.is_empty() && !set.examples.is_empty() {
                found.extend(examples::check_examples(&Built::new(set, Detail::Plain)));
            }
        }
    }
    found.extend(registers(folders.unwrap_or_default(), &sources));
    if files + scenarios == 0 && found.is_empty() {
        return Err(Stop::failed("no rules or scenarios found in the given paths"));
    }
    order::sort_by_key(&mut found, |d| (d.span, d.code));
    found.dedup();
    let found = &mut fold(found, &sources);
    let (errors, warnings) = counts(found);
    let for_people = matches!(args.format, Findings::Human | Findings::Short);
    if !verbose() && args.format != Findings::Json {
        found.retain(|d| d.severity > Severity::Info);
    }
    out.text(&report::render(found, &sources, args.format.format(out.colour())))?;
    if for_people {
        if args.format == Findings::Human && !found.is_empty() {
            out.line("")?;
        }
        let looked = [(files, "rules file"), (items, "item"), (scenarios, "scenario")];
        let rendered = [(errors, "error"), (warnings, "warning")];
        let nothing = if errors + warnings == 0 { Some("no problems".to_string()) } else { None };
        let counts = looked.into_iter().chain(rendered).filter(|(n, _)| *n > 0).map(|(n, what)| counted(n, what));
        out.line(&counts.chain(nothing).collect::<Vec<String>>().join(", "))?;
    }
    Ok(if errors > 0 || args.strict && warnings > 0 { FOUND } else { FINE })
}

/// Returns the findings about clauses that no ruleset of the same folder cites. Registers of bases elsewhere do not count.
fn registers(sets: Vec<(String, Ruleset)>, sources: &Sources) -> Vec<Diagnostic> {
    let (names, sets): (Vec<String>, Vec<Ruleset>) = sets.into_iter().unzip();
    let of = |name: &String| {
        name.rsplit_once('/').map_or("clauses.toml".into(), |(folder, _)| format!("{folder}/clauses.toml"))
    };
    let own: Vec<String> = names.iter().flat_map(|name| [of(name), name.clone()]).collect();
    let mut found = rules::audit_register(&sets);
    found.retain(|one| one.span.and_then(|at| sources.get(at.file)).is_some_and(|source| own.contains(&source.name)));
    found
}

/// Formats a number with its noun, such as `1 rule` or `2 rules`.
pub fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Returns whether a TOML file is a scenario. Scenarios are given paths, files in a folder `scenarios`, and files with
/// `rules` or `base` before the first table.
pub fn is_scenario(path: &Path, named: &[PathBuf]) -> bool {
    let full = canonical(path).ok();
    let folder = full.as_ref().and_then(|p| Some(p.parent()?.file_name()?.to_os_string()));
    let own = || full.as_ref().zip(project::current()).is_some_and(|(full, project)| project.has_scenario(full));
    if path.file_name().is_some_and(|name| name == project::FILE) {
        return false;
    }
    named.iter().any(|n| n == path)
        || folder.is_some_and(|f| f == "scenarios")
        || own()
        || peek(path).is_some_and(|text| scenes::is_scene(&text))
}
