//! `grognard fmt`: formats rules files and the TOML files of projects.

use super::check::is_scenario;
use super::files::{Collected, collect, read_input, read_text, rules_wanted};
use super::out::{Out, Product, Stop};
use super::outputs::replace;
use super::{FINE, FOUND, project, stdin};
use grognard_base::{Code, Diagnostic, Source, Sources};
use grognard_report as report;
use grognard_rules::rules_of;
use grognard_scenario as scenario;
use grognard_syntax as syntax;
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use std::path::{Path, PathBuf};

/// The arguments of `grognard fmt`.
#[derive(clap::Args)]
pub struct FmtArgs {
    /// Files and folders [default: the project, or this folder]
    ///
    /// In folders, the command formats rules, scenarios, `grognard.toml` and `clauses.toml`. `-` formats standard input.
    paths: Vec<PathBuf>,
    /// List files that would change; write nothing
    #[arg(long)]
    check: bool,
    /// Print the changes; write nothing
    #[arg(long)]
    diff: bool,
}

/// Formats the files and lists those that changed.
pub fn run(args: &FmtArgs, out: &mut Out) -> Result<u8, Stop> {
    if args.paths == [PathBuf::from("-")] {
        return one(args, Path::new("-"), read_input()?, out);
    }
    let mut code = FINE;
    let Collected { files, examples, mut problems, .. } = collect(&args.paths, &["rules", "toml"])?;
    // the rules next to a given file of examples were not given
    let beside: Vec<PathBuf> = args.paths.iter().filter_map(|path| Some(rules_of(path.to_str()?)?.into())).collect();
    let given = |path: &PathBuf| args.paths.contains(path) || is_own(path) && !beside.contains(path);
    let files: Vec<PathBuf> = files.into_iter().filter(given).chain(examples).collect();
    if files.is_empty() && problems.is_empty() {
        return Err(Stop::failed("no rules or scenarios found in the given paths"));
    }
    for path in files {
        if !is_toml(&path) {
            rules_wanted(&path, &path)?;
        }
        let unread = |why| format!("{} cannot be read: {why}", path.display());
        match read_text(&path).map_err(unread) {
            Ok(text) => code = code.max(one(args, &path, text, out)?),
            // a file of a folder that cannot be read does not stop the others
            Err(why) if !args.paths.contains(&path) => problems.push(Diagnostic::general(Code::Unreadable, why)),
            Err(why) => return Err(Stop::failed(why)),
        }
    }
    out.errors(&problems, &Sources::default())?;
    Ok(if problems.is_empty() { code } else { FOUND })
}

/// Returns whether a path names a TOML file.
fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "toml")
}

/// Returns whether a file of a folder belongs to the rules. TOML files of other programs do not.
fn is_own(path: &Path) -> bool {
    let is = |name: &str| path.file_name().is_some_and(|own| own == name);
    !is_toml(path) || is(project::FILE) || is("clauses.toml") || is_scenario(path, &[])
}

fn one(args: &FmtArgs, path: &Path, text: String, out: &mut Out) -> Result<u8, Stop> {
    let name = path.display().to_string();
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name.clone(), text));
    let Some(source) = sources.get(file) else { return Ok(FINE) };
    let toml = is_toml(path) || path == Path::new("-") && stdin::is_scenario(&source.text);
    let after = match toml {
        true => scenario::format(file, &source.text).map_err(|why| vec![why]),
        false => syntax::format(file, source),
    };
    let after = match after {
        Ok(after) => Product::new(after),
        Err(found) => return out.errors(&found, &sources).map(|()| FOUND),
    };
    let same = after.is(&source.text);
    if path == Path::new("-") && !args.check && !args.diff {
        out.product(&after)?;
        return Ok(FINE);
    }
    if same {
        return Ok(FINE);
    }
    if args.diff {
        out.text(&after.difference(&name, &source.text))?;
    } else if args.check {
        out.line(&format!("{} would be reformatted", report::clean(&name)))?;
    } else {
        replace(path, &after)?;
        out.line(&format!("{} formatted", report::clean(&name)))?;
        return Ok(FINE);
    }
    Ok(FOUND)
}

/// Returns a unified diff of two versions of a file.
pub fn difference(name: &str, old: &str, new: &str) -> String {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let printer = BasicLineDiffPrinter(&input.interner);
    let hunks = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input);
    let name = report::clean(name);
    format!("--- {name}\n+++ {name}\n{hunks}")
}
