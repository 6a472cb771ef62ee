//! `grognard diff`: lists the differences between two rulesets, item by item.

use super::files::Root;
use super::options::{Form, FormatArg, ReceiptFile};
use super::out::{Out, Stop};
use super::{FINE, FOUND, UNUSABLE};
use grognard_base::{Diagnostic, Sources};
use grognard_report as report;
use grognard_rules as rules;
use grognard_syntax as syntax;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `grognard diff`.
#[derive(clap::Args)]
pub struct DiffArgs {
    /// Rules file of the old version
    old: PathBuf,
    /// Rules file of the new version, or of a variant of the old one
    new: PathBuf,
    #[command(flatten)]
    rendered: FormatArg,
    #[command(flatten)]
    pub receipt: ReceiptFile,
}

/// Compares the rulesets and prints the differences. The exit code is 1 if there are any.
pub fn run(args: &DiffArgs, out: &mut Out) -> Result<u8, Stop> {
    let mut sources = Sources::default();
    let mut problems = Vec::new();
    let (old, new) = (items(&args.old, &mut sources, &mut problems), items(&args.new, &mut sources, &mut problems));
    let (old, new) = match (old, new) {
        (Err(Stop::Failed(a)), Err(Stop::Failed(b))) if a != b => return Err(Stop::failed(format!("{a}; {b}"))),
        (old, new) => (old?, new?),
    };
    if !problems.is_empty() {
        return Err(Stop::Found(problems, sources, UNUSABLE));
    }
    let changes = grognard_lab::diff::diff(&old, &new, &sources);
    let found = report::diff::finding(&changes);
    match args.rendered.form {
        Form::Human => out.text(&found.text())?,
        Form::Json => out.json(&found.json())?,
        Form::Csv => out.text(&found.csv())?,
    }
    Ok(if changes.is_empty() { FINE } else { FOUND })
}

fn items(
    file: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Result<Vec<Arc<syntax::tree::Item>>, Stop> {
    let (root, name) = Root::of_rules(file)?;
    problems.extend(rules::load(&name, &root, sources).problems.into_iter().filter(Diagnostic::is_error));
    Ok(rules::merged(&name, &root, sources))
}
