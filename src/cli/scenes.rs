//! Scenarios from files, bound to their rules.

use super::files::{Root, canonical, peek, read_text};
use super::out::Stop;
use super::{project, shipped};
use crate::base::{Code, Diagnostic, Source, Sources, Span};
use crate::program::Detail;
use crate::rules::ruleset::{Ruleset, ValueName};
use crate::rules::{self, Library, OUTSIDE};
use crate::scenario::{self, Document, Over, Prepared, Scenario};
use std::path::{Path, PathBuf};

/// What is wanted otherwise than the scenario says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'w> {
    /// Other rules: a rules file, or the name of a ruleset such as `game/edition`.
    pub rules: Option<&'w str>,
    /// Rules it is also run with: what they know is no unknown key. Those that are not found do not matter.
    pub beside: &'w [String],
    /// Params and readings as `name=value`.
    pub set: &'w [String],
    /// Other figures than those of its report.
    pub of: &'w [String],
    /// What findings call the place of these figures; `--of` if nothing is said.
    pub of_place: Option<&'w str>,
    /// Who answers for players, as `side=source`.
    pub decide: &'w [String],
    /// What players who look for the best or the worst look at.
    pub objective: Option<&'w str>,
    /// These rules in place of those that are named, which are not read.
    pub instead: Option<&'w Ruleset>,
}

/// Reads a scenario; what is wrong with it or its rules is given instead. `rules` is another rules file to run it with,
/// `set` are params and readings as `name=value`.
pub fn load(
    file: &Path,
    rules: Option<&Path>,
    set: &[String],
    detail: Detail,
    sources: &mut Sources,
) -> Result<Result<Scenario, Vec<Diagnostic>>, Stop> {
    let rules = rules.map(|path| path.to_string_lossy().into_owned());
    load_as(file, Wanted { rules: rules.as_deref(), set, ..Wanted::default() }, detail, sources)
}

/// The same of one of several files: one that was `found` in a folder and cannot be read keeps no other from being
/// looked at.
pub fn load_found(
    file: &Path,
    found: bool,
    detail: Detail,
    sources: &mut Sources,
) -> Result<Result<Scenario, Vec<Diagnostic>>, Stop> {
    match load(file, None, &[], detail, sources) {
        Err(Stop::Failed(why)) if found => Ok(Err(vec![Diagnostic::general(Code::Unreadable, why)])),
        other => other,
    }
}

/// Reads a scenario as it is wanted.
pub fn load_as(
    file: &Path,
    wish: Wanted<'_>,
    detail: Detail,
    sources: &mut Sources,
) -> Result<Result<Scenario, Vec<Diagnostic>>, Stop> {
    Ok(prepare_as(file, wish, None, detail, sources)?.and_then(Prepared::settle))
}

/// Reads a scenario whose params and readings stay open. `over` is for a sweep: what it turns, or an empty list if the
/// scenario says so itself.
pub fn prepare_as(
    file: &Path,
    wish: Wanted<'_>,
    over: Option<&[Over]>,
    detail: Detail,
    sources: &mut Sources,
) -> Result<Result<Prepared, Vec<Diagnostic>>, Stop> {
    let text = read_text(file).map_err(|why| Stop::failed(format!("{} cannot be read: {why}", file.display())))?;
    let (root, own, name, wanted) = match wish.rules {
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
    let mut document = match scenario::read(&name, text, own.as_ref().unwrap_or(&root) as &dyn Library, sources) {
        Ok(document) => document,
        Err(found) => return Ok(Err(found)),
    };
    // what was not named by the scenario has no place in it
    let whole = Span::new(document.file, 0, 0);
    let mut names = match scenario::rulesets(&document) {
        Ok(names) => names,
        Err(found) if wanted.is_none() => return Ok(Err(found)),
        Err(_) => Vec::new(),
    };
    if let Some(wanted) = wanted {
        names.retain(|(name, _)| *name != wanted.trim_end_matches(".rules"));
        names.insert(0, (wanted.trim_end_matches(".rules").to_string(), whole));
    }
    for name in wish.beside.iter().map(|name| name.trim_end_matches(".rules")) {
        let there = root.read(&format!("{name}.rules")).is_ok_and(|text| text.is_some());
        if there && names.iter().all(|(known, _)| known != name) {
            names.push((name.to_string(), whole));
        }
    }
    let mut sets: Vec<Ruleset> = wish.instead.into_iter().cloned().collect();
    for (name, span) in names.into_iter().skip(sets.len()) {
        let loaded = rules::load(&name, &root, sources);
        match loaded.ruleset {
            Some(set) => sets.push(set),
            None => {
                let mut found: Vec<Diagnostic> = loaded.problems.into_iter().filter(Diagnostic::is_error).collect();
                if span != whole {
                    found = unread(&name, span, found, root.read(&format!("{name}.rules")));
                }
                return Ok(Err(found));
            }
        }
    }
    let first = sets.remove(0);
    for setting in wish.set {
        put(&mut document, setting, &first, sources)?;
    }
    if let Some(over) = over {
        document.sweep(over);
    }
    for answers in wish.decide {
        let Some((side, source)) = answers.split_once('=') else {
            return Err(Stop::failed(format!("`--decide {answers}` is not of the form side=source")));
        };
        let file = sources.add(Source::new("--decide", answers.as_str()));
        document.decide(side.trim(), source.trim(), file, answers.len() - source.trim_start().len());
    }
    if let Some(objective) = wish.objective {
        let file = sources.add(Source::new("--objective", objective));
        document.objective(objective, file);
    }
    if let Some(project) = project::current().filter(|own| canonical(file).is_ok_and(|full| own.holds(&full))) {
        project.players(&mut document, sources);
    }
    if !wish.of.is_empty() {
        let place = wish.of_place.unwrap_or("--of");
        let figures = wish.of.iter().map(|text| (text.clone(), sources.add(Source::new(place, text.as_str()))));
        document.ask(&figures.collect::<Vec<_>>());
    }
    Ok(scenario::prepare(&document, first, &sets, sources, detail))
}

/// What is said of rules that a scenario names and that cannot be used. Where there are none, what was found in them is
/// of no use to anybody.
fn unread(name: &str, span: Span, mut found: Vec<Diagnostic>, file: Result<Option<String>, String>) -> Vec<Diagnostic> {
    let say = |message: String, help: &str| Diagnostic::new(Code::ReadRules, span, message).help(help);
    match file {
        Ok(None) => {
            let message =
                format!("there are no rules `{name}`: no folder from that of the scenario upward has {name}.rules");
            vec![say(
                message,
                "name folder and file without `.rules`, as in `game/edition`, from a folder above, or from `rulesets` there",
            )]
        }
        Err(why) if why == OUTSIDE => {
            let message = format!("`{name}` is no name of rules");
            vec![say(
                message,
                "name folder and file without `.rules`, as in `game/edition`; `--rules FILE` takes any path",
            )]
        }
        _ => {
            found.push(say(format!("the rules {name} have errors"), "mend what is found in them"));
            found
        }
    }
}

/// The folder from which the rules of a scenario are named.
pub fn root(file: &Path) -> Result<Root, Stop> {
    Ok(home(file, None)?.0)
}

/// The folder from which the rules are named that a scenario is run with, its own or others, and their name.
pub fn home(file: &Path, rules: Option<&str>) -> Result<(Root, String), Stop> {
    match rules {
        Some(rules) if is_name(rules) => Ok((Root::of_scenario(file, rules)?.0, rules.to_string())),
        Some(rules) => Root::of_rules(Path::new(rules)),
        None => {
            let text =
                read_text(file).map_err(|why| Stop::failed(format!("{} cannot be read: {why}", file.display())))?;
            let rules = rules_of(file, &text);
            Ok((Root::of_scenario(file, &rules)?.0, rules))
        }
    }
}

/// True for the name of a ruleset, such as `game/edition`; others are files.
fn is_name(rules: &str) -> bool {
    !rules.ends_with(".rules") && !Path::new(rules).is_file()
}

/// Scenarios that may stand on each other while one looks for the rules of the topmost.
const MOST_BASES: usize = 16;

/// What the `rules` line of a scenario or of its base says, read roughly: only to find the folder in which the rules are.
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

/// The text of a scenario that is named from the rules root.
fn by_name(file: &mut PathBuf, named: PathBuf) -> Option<String> {
    let own = project::current().map(|project| project.rules().join(&named)).filter(|path| path.is_file());
    *file = own.unwrap_or_else(|| shipped::place(&named.to_string_lossy()));
    peek(file)
}

/// The text of a key that stands before the first table.
fn value_of(key: &str, text: &str) -> Option<String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_start);
    let mut values = lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('=').map(str::trim_start));
    let value = values.next()?.strip_prefix(['"', '\''])?;
    Some(value.split(['"', '\'']).next().unwrap_or_default().to_string())
}

/// True if a text names its `rules` or its `base` as a scenario does.
pub fn is_scene(text: &str) -> bool {
    ["rules", "base"].iter().any(|key| value_of(key, text).is_some())
}

/// Puts `name=value` in.
fn put(document: &mut Document, setting: &str, rules: &Ruleset, sources: &mut Sources) -> Result<(), Stop> {
    let Some((name, value)) = setting.split_once('=') else {
        return Err(Stop::failed(format!("`{setting}` is not of the form name=value")));
    };
    let (name, trimmed) = (name.trim(), value.trim());
    let reading = match rules.names.values.get(name) {
        Some(ValueName::Setting(id)) => !rules.settings[id.at()].alternatives.is_empty(),
        _ => {
            let near = crate::base::did_you_mean(name, rules.settings.iter().map(|s| s.name.as_str()));
            return Err(Stop::failed(format!("the rules have no param or reading `{name}`{near}")));
        }
    };
    let start = setting.len() - value.trim_start().len();
    let file = sources.add(Source::new("--set", setting));
    document.set(reading, name, trimmed, file, start);
    Ok(())
}
