//! Names of scenarios: the scenarios of the project and of the shipped books, without folder and extension.

use super::out::{Out, Stop};
use super::{FINE, files, project, receipt, shipped};
use clap::builder::{PathBufValueParser, TypedValueParser};
use grognard_base::order;
use std::path::{Path, PathBuf};

/// A scenario with the name by which commands find it.
struct NamedScenario {
    /// The path below its folder of scenarios, without extension. A shipped scenario begins with its book.
    name: String,
    /// The path as the user can type it.
    path: PathBuf,
}

/// The arguments of `grognard scenarios`.
#[derive(clap::Args)]
pub struct ScenariosArgs {
    /// List only names that contain this text
    filter: Option<String>,
}

/// Lists the scenarios of the project, or the shipped ones outside of projects, each with its name and its path.
pub fn run(args: &ScenariosArgs, out: &mut Out) -> Result<u8, Stop> {
    let own = of_project();
    let mut all = if project::current().is_some() { own } else { of_books() };
    all.retain(|one| args.filter.as_ref().is_none_or(|text| one.name.contains(text.as_str())));
    let wide = all.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    for one in &all {
        out.line(&format!("{:wide$}  {}", one.name, one.path.display()))?;
    }
    if all.is_empty() {
        return Err(Stop::failed("no scenario found; `scenarios` in grognard.toml names the folders of a project"));
    }
    Ok(FINE)
}

/// Parses a path or the name of a scenario.
pub fn parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path: PathBuf| match path.to_str().map(resolved) {
        Some(Ok(Some(found))) => Ok(found),
        Some(Err(why)) => Err(why),
        Some(Ok(None)) | None => Ok(path),
    })
}

/// Returns the scenario with a name. Returns `None` if the text is an existing path, or if no scenario has this name.
///
/// # Errors
///
/// If several scenarios have the name.
pub fn resolved(text: &str) -> Result<Option<PathBuf>, String> {
    let path = Path::new(text);
    let has_form = files::plain(path).as_deref() == Some(text) && path.extension().is_none();
    if !has_form || path.exists() || shipped::named(path).is_some() {
        return Ok(None);
    }
    for mut all in [of_project(), of_books()] {
        all.retain(|one| one.name == text || one.name.ends_with(&format!("/{text}")));
        match all.as_slice() {
            [] => {}
            [one] => return Ok(Some(one.path.clone())),
            several => {
                let names: Vec<String> = several.iter().map(|one| one.path.display().to_string()).collect();
                return Err(format!("several scenarios have this name: {}", names.join(", ")));
            }
        }
    }
    Ok(None)
}

/// Returns the names of scenarios, for a suggestion after an unknown name.
pub fn names() -> Vec<String> {
    let stem = |one: NamedScenario| one.name.rsplit('/').next().map(str::to_string);
    of_project().into_iter().chain(of_books()).filter_map(stem).collect()
}

/// Returns the scenarios in the scenario folders of the project.
fn of_project() -> Vec<NamedScenario> {
    let (Some(project), Ok(here)) = (project::current(), files::here()) else { return Vec::new() };
    let mut all = Vec::new();
    for folder in project.scenario_folders() {
        let Ok(found) = files::collect(std::slice::from_ref(&folder), &["toml"]) else { continue };
        let named = found.files.iter().filter_map(|full| {
            let name = files::plain(full.strip_prefix(&folder).ok()?)?.trim_end_matches(".toml").to_string();
            let path = PathBuf::from(receipt::from(full, &here));
            (name != "clauses").then_some(NamedScenario { name, path })
        });
        all.extend(named);
    }
    order::sort_by(&mut all, |a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    all.dedup_by(|a, b| a.path == b.path);
    all
}

/// Returns the scenarios of the shipped books.
fn of_books() -> Vec<NamedScenario> {
    let scenario = |(file, _): &(&str, &str)| {
        let (book, rest) = file.strip_suffix(".toml")?.split_once("/scenarios/")?;
        let path = PathBuf::from(format!("{}{file}", shipped::MARK));
        Some(NamedScenario { name: format!("{book}/{rest}"), path })
    };
    shipped::all().iter().filter_map(scenario).collect()
}
