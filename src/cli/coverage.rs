//! `grognard coverage`: for each clause of each register, what cites it and what ran it.

use super::check::is_scenario;
use super::files::{Root, collect, text_of};
use super::mode::question;
use super::options::{Form, Told};
use super::out::{Out, Stop, complain};
use super::{FINE, FOUND, Findings, UNUSABLE, scenes};
use crate::base::{Diagnostic, Source, Sources};
use crate::play::coverage::Coverage;
use crate::program::{Built, Detail};
use crate::{report, rules};
use std::path::{Path, PathBuf};

/// What to look at.
#[derive(clap::Args)]
pub struct Args {
    /// Files and folders with registers, rules and scenarios; this folder if none is named.
    paths: Vec<PathBuf>,
    #[command(flatten)]
    told: Told,
}

/// Why nothing can be told: a file with errors.
pub type Errors = (Vec<Diagnostic>, Sources);

/// Measures and tells.
pub fn run(args: &Args, colour: bool, out: &mut Out) -> Result<u8, Stop> {
    let coverage = match measure(&args.paths)? {
        Ok(coverage) => coverage,
        Err((found, sources)) => {
            let text = report::render(&found, &sources, Findings::Short.format(colour));
            match args.told.form {
                Form::Human => out.text(&report::render(&found, &sources, Findings::Human.format(colour)))?,
                Form::Json => text.lines().for_each(complain),
            }
            return Ok(UNUSABLE);
        }
    };
    if coverage.books().next().is_none() {
        return Err(Stop::failed("there is no `clauses.toml` here, or beside the rules that are named"));
    }
    let found = report::coverage(&coverage);
    match args.told.form {
        Form::Human => out.text(&found.text())?,
        Form::Json => out.json(&found.json())?,
    }
    Ok(if coverage.missing().next().is_some() { FOUND } else { FINE })
}

/// Looks at registers, rules and scenarios, and runs them.
pub fn measure(paths: &[PathBuf]) -> Result<Result<Coverage, Errors>, Stop> {
    let mut coverage = Coverage::default();
    let is_rules = |path: &Path| path.extension().is_some_and(|e| e == "rules");
    let is_register = |path: &Path| path.file_name().is_some_and(|n| n == "clauses.toml");
    let files = collect(paths, &["rules", "toml"])?.all()?;
    let mut registers: Vec<PathBuf> = files.iter().filter(|p| is_register(p)).cloned().collect();
    let beside = files.iter().filter(|p| is_rules(p)).map(|p| p.with_file_name("clauses.toml"));
    registers.extend(beside.filter(|p| p.is_file()));
    for path in registers {
        if let Err(errors) = register(&path, &mut coverage)? {
            return Ok(Err(errors));
        }
    }
    for path in files {
        let outcome = if is_rules(&path) {
            ruleset(&path, &mut coverage)?
        } else if !is_register(&path) && is_scenario(&path, paths) {
            scenario(&path, &mut coverage)?
        } else {
            Ok(())
        };
        if let Err(errors) = outcome {
            return Ok(Err(errors));
        }
    }
    Ok(Ok(coverage))
}

fn register(path: &Path, coverage: &mut Coverage) -> Result<Result<(), Errors>, Stop> {
    let text = text_of(path)?;
    let (root, name) = Root::above(path)?;
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name.clone(), text.clone()));
    let mut registers = rules::Registers::default();
    let found = rules::read_register(file, &text, &mut registers);
    if !found.is_empty() {
        return Ok(Err((found, sources)));
    }
    coverage.add_book(&root.folder(), &name, &registers.clauses);
    Ok(Ok(()))
}

fn ruleset(path: &Path, coverage: &mut Coverage) -> Result<Result<(), Errors>, Stop> {
    let mut sources = Sources::default();
    let (root, name) = Root::of_rules(path)?;
    let loaded = rules::load(&name, &root, &mut sources);
    let Some(set) = loaded.ruleset else {
        return Ok(Err((loaded.problems.into_iter().filter(Diagnostic::is_error).collect(), sources)));
    };
    let root = root.folder();
    coverage.add_cites(&root, &set, &sources);
    // what is open is filled in by the rulesets above, which run these examples again
    if set.open.is_empty() && !set.examples.is_empty() {
        let question = question()?;
        coverage.run_examples(&root, &Built::new(set, Detail::Covered), &sources, question.budget);
    }
    Ok(Ok(()))
}

fn scenario(path: &Path, coverage: &mut Coverage) -> Result<Result<(), Errors>, Stop> {
    let mut sources = Sources::default();
    let scenario = match scenes::load(path, None, &[], Detail::Covered, &mut sources)? {
        Ok(scenario) => scenario,
        Err(found) => return Ok(Err((found, sources))),
    };
    let root = scenes::root(path)?.folder();
    let question = question()?;
    coverage.run_scenario(&root, &path.display().to_string(), &scenario, &sources, question.budget);
    Ok(Ok(()))
}
