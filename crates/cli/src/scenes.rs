//! Loading of scenarios with their rules.

use super::files::{Root, canonical, peek, text_of};
use super::out::{Stop, remark};
use super::{FOUND, project, shipped};
use grognard_base::{Code, Diagnostic, Sources};
use grognard_program::Detail;
use grognard_rules::Library;
use grognard_scenario::scene::{self, SceneTexts, value_of};
pub use grognard_scenario::scene::{Wanted, is_scene};
use grognard_scenario::{Document, Over, Prepared, Programs, Scenario};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The compiled rules of this command.
static PROGRAMS: LazyLock<Programs> = LazyLock::new(Programs::default);

/// Reads a scenario with its rules. `rules` replaces its rules, and `set` has params and readings as `name=value`.
///
/// # Errors
///
/// Fails with the errors of the scenario or its rules.
pub fn load(
    file: &Path,
    rules: Option<&Path>,
    set: &[String],
    detail: Detail,
    sources: &mut Sources,
) -> Result<Scenario, Stop> {
    let rules = rules.map(|path| path.to_string_lossy().into_owned());
    load_as(file, Wanted { rules: rules.as_deref(), set, ..Wanted::default() }, detail, sources)
}

/// Does the same as `load` for one of several files. If the file was `found` in a folder and cannot be read, this is a finding.
pub fn load_found(file: &Path, found: bool, detail: Detail, sources: &mut Sources) -> Result<Scenario, Stop> {
    match load(file, None, &[], detail, sources) {
        Err(Stop::Failed(why)) if found => {
            Err(Stop::found(sources, FOUND)(vec![Diagnostic::general(Code::Unreadable, why)]))
        }
        other => other,
    }
}

/// Reads a scenario with the given settings.
pub fn load_as(file: &Path, overrides: Wanted<'_>, detail: Detail, sources: &mut Sources) -> Result<Scenario, Stop> {
    prepare_as(file, overrides, None, detail, sources)?.settle().map_err(Stop::found(sources, FOUND))
}

/// Reads a scenario without binding its params and readings. `over` is for a sweep: the settings to vary, or an empty list for
/// those of the scenario.
pub fn prepare_as(
    file: &Path,
    overrides: Wanted<'_>,
    over: Option<&[Over]>,
    detail: Detail,
    sources: &mut Sources,
) -> Result<Prepared, Stop> {
    let text = text_of(file)?;
    let (root, own, name, wanted) = match overrides.rules {
        Some(rules) if is_name(rules) => {
            let (root, own, name) = Root::of_scenario(file, rules)?;
            (root, own, name, Some(rules.to_string()))
        }
        Some(rules) => {
            let (root, name) = Root::of_rules(Path::new(rules))?;
            let (own, scene) = Root::beside(file)?;
            (root, Some(own), scene, Some(name))
        }
        None => {
            let (root, own, name) = Root::of_scenario(file, &rules_of(file, &text))?;
            (root, own, name, None)
        }
    };
    let own = own.as_ref().unwrap_or(&root) as &dyn Library;
    let texts = SceneTexts { name: &name, text, own, root: &root };
    let players = |document: &mut Document, sources: &mut Sources| {
        if let Some(project) = project::current().filter(|own| canonical(file).is_ok_and(|full| own.holds(&full))) {
            project.players(document, sources);
        }
    };
    let others = overrides.rules.is_some();
    let bound = scene::bind(texts, wanted, overrides, over, players, detail, sources).map_err(Stop::failed)?;
    let prepared = bound.map_err(Stop::found(sources, FOUND))?.compile_with(&PROGRAMS);
    if others {
        tell_left_out(&prepared);
    }
    Ok(prepared)
}

/// Reports the parts of a scenario that other rules do not know.
fn tell_left_out(prepared: &Prepared) {
    let (rendered, more) = prepared.left_out.split_at(prepared.left_out.len().min(MOST_LEFT_OUT));
    if !rendered.is_empty() {
        let more = if more.is_empty() { String::new() } else { format!("; and {} more", more.len()) };
        let rules = &prepared.rules().path;
        remark(&format!("omitted from the scenario, because {rules} does not know it: {}{more}", rendered.join("; ")));
    }
}

/// Returns the root of the rules of a scenario.
pub fn root(file: &Path) -> Result<Root, Stop> {
    Ok(home(file, None)?.0)
}

/// Returns the root and the name of the rules of a scenario, or of `rules`.
pub fn home(file: &Path, rules: Option<&str>) -> Result<(Root, String), Stop> {
    match rules {
        Some(rules) if is_name(rules) => Ok((Root::of_scenario(file, rules)?.0, rules.to_string())),
        Some(rules) => Root::of_rules(Path::new(rules)),
        None => {
            let text = text_of(file)?;
            let rules = rules_of(file, &text);
            Ok((Root::of_scenario(file, &rules)?.0, rules))
        }
    }
}

/// Returns whether `rules` is the name of a ruleset, such as `game/edition`, and not a file.
fn is_name(rules: &str) -> bool {
    !rules.ends_with(".rules") && !Path::new(rules).is_file()
}

/// Maximum number of omissions in a message.
const MOST_LEFT_OUT: usize = 5;

/// Maximum number of scenarios that extend each other.
const MOST_BASES: usize = 16;

/// Returns the `rules` of a scenario or of its base without a full parse, to find the root of the rules.
pub fn rules_of(file: &Path, text: &str) -> String {
    let (mut file, mut text) = (file.to_path_buf(), text.to_string());
    for _ in 0..MOST_BASES {
        if let Some(rules) = value_of("rules", &text) {
            return rules;
        }
        let Some(base) = value_of("base", &text) else { break };
        let named = PathBuf::from(&base);
        file.set_file_name(base);
        let Some(below) = peek(&file).or_else(|| by_name(&mut file, named)) else { break };
        text = below;
    }
    String::new()
}

/// Returns the text of a scenario by its path from the rules root.
fn by_name(file: &mut PathBuf, named: PathBuf) -> Option<String> {
    let own = project::current().map(|project| project.rules().join(&named)).filter(|path| path.is_file());
    *file = own.unwrap_or_else(|| shipped::place(&named.to_string_lossy()));
    peek(file)
}
