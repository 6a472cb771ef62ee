//! `grognard coverage`: reports for each clause of each register what cites it and what executes it.

use super::check::is_scenario;
use super::files::{Root, collect, text_of};
use super::mode::question;
use super::options::{Form, FormatArg};
use super::out::{Out, Stop};
use super::{FINE, FOUND, UNUSABLE, scenes};
use grognard_base::{Source, Sources};
use grognard_play::coverage::Coverage;
use grognard_program::{Built, Detail};
use grognard_report as report;
use grognard_rules as rules;
use std::path::{Path, PathBuf};

/// The arguments of `grognard coverage`.
#[derive(clap::Args)]
pub struct CoverageArgs {
    /// Files and folders [default: the project, or this folder]
    #[arg(value_parser = super::named::parser())]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rendered: FormatArg,
}

/// Measures the coverage and prints it.
pub fn run(args: &CoverageArgs, out: &mut Out) -> Result<u8, Stop> {
    out.is_for(args.rendered.form, Form::Human);
    let coverage = measure(&args.paths)?;
    if coverage.books().next().is_none() {
        return Err(Stop::failed("no `clauses.toml`, and no paragraph with a clause, found in the given paths"));
    }
    let found = report::coverage(&coverage);
    match args.rendered.form {
        Form::Human => out.text(&found.text())?,
        Form::Json => out.json(&found.json())?,
        Form::Csv => out.text(&found.csv())?,
    }
    Ok(if coverage.missing().next().is_some() { FOUND } else { FINE })
}

/// Reads registers, rules and scenarios, and runs the examples and scenarios.
pub fn measure(paths: &[PathBuf]) -> Result<Coverage, Stop> {
    let mut coverage = Coverage::default();
    let is_rules = |path: &Path| path.extension().is_some_and(|e| e == "rules");
    let is_register = |path: &Path| path.file_name().is_some_and(|n| n == "clauses.toml");
    let files = collect(paths, &["rules", "toml"])?.readable();
    let mut registers: Vec<PathBuf> = files.iter().filter(|p| is_register(p)).cloned().collect();
    let beside = files.iter().filter(|p| is_rules(p)).map(|p| p.with_file_name("clauses.toml"));
    registers.extend(beside.filter(|p| p.is_file()));
    for path in registers {
        register(&path, &mut coverage)?;
    }
    for path in files {
        if is_rules(&path) {
            ruleset(&path, &mut coverage)?;
        } else if !is_register(&path) && is_scenario(&path, paths) {
            scenario(&path, &mut coverage)?;
        }
    }
    Ok(coverage)
}

fn register(path: &Path, coverage: &mut Coverage) -> Result<(), Stop> {
    let text = text_of(path)?;
    let (root, name) = Root::above(path)?;
    let mut sources = Sources::default();
    let file = sources.add(Source::new(name.clone(), text.clone()));
    let mut registers = rules::Registers::default();
    let found = rules::read_register(file, &text, &mut registers);
    if !found.is_empty() {
        return Err(Stop::Found(found, sources, UNUSABLE));
    }
    coverage.add_book(&root.folder(), &name, &registers.clauses);
    Ok(())
}

fn ruleset(path: &Path, coverage: &mut Coverage) -> Result<(), Stop> {
    let mut sources = Sources::default();
    let (root, name) = Root::of_rules(path)?;
    let set = rules::load(&name, &root, &mut sources).sound().map_err(Stop::found(&sources, UNUSABLE))?;
    let folder = root.folder();
    coverage.add_paragraphs(&folder, &set, &sources, |file| root.has(file));
    coverage.add_cites(&folder, &set, &sources);
    // the rulesets above fill in the open items and run these examples
    if set.open.is_empty() && !set.examples.is_empty() {
        let question = question()?;
        coverage.run_examples(&folder, &Built::new(set, Detail::Covered), &sources, question.budget);
    }
    Ok(())
}

fn scenario(path: &Path, coverage: &mut Coverage) -> Result<(), Stop> {
    let mut sources = Sources::default();
    let scenario = scenes::load(path, None, &[], Detail::Covered, &mut sources);
    let scenario = scenario.map_err(|stop| stop.with_code(|_| UNUSABLE))?;
    let root = scenes::root(path)?.folder();
    let question = question()?;
    coverage.run_scenario(&root, &path.display().to_string(), &scenario, &sources, question.budget);
    Ok(())
}
