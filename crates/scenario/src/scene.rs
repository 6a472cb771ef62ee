//! Binds scenarios to rules, with texts from a library. Rules, settings, measures and decision sources can be overridden.

use super::{Document, Over, Uncompiled, build, document};
use grognard_base::{Code, Diagnostic, Follows, Source, Sources, Span, did_you_mean};
use grognard_program::Detail;
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_rules::{self as rules, Library, OUTSIDE};

/// The source of a question. It determines the names of options in messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asker {
    /// A person, with options of the command line.
    #[default]
    CommandLine,
    /// A program, with the functions of the library.
    Library,
}

impl Asker {
    /// Returns what messages call an option: `--with` or `with`.
    pub fn name(self, option: &'static str) -> &'static str {
        match self {
            Asker::CommandLine => option,
            Asker::Library => option.trim_start_matches('-'),
        }
    }

    /// Returns the source of a text that an option gives.
    pub fn source(self, option: &'static str, text: &str) -> Source {
        Source::new(option, text).shown_as(self.name(option).to_string())
    }

    /// Returns how an option is written with a text: `--with 'u.ld = 2'` or `with("u.ld = 2")`.
    pub fn usage(self, option: &'static str, text: &str) -> String {
        match self {
            Asker::CommandLine => format!("{option} '{text}'"),
            Asker::Library => match text.split_once('=').filter(|_| option == "--set") {
                Some((name, value)) => format!("set(\"{name}\", {value})"),
                None => format!("{}(\"{text}\")", self.name(option)),
            },
        }
    }
}

/// The overrides of a scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'w> {
    /// The rules to use: a rules file, or the name of a ruleset such as `game/edition`.
    pub rules: Option<&'w str>,
    /// Other rules that the scenario is run with. Their names are not reported as unknown keys. Rules that do not exist are
    /// ignored.
    pub beside: &'w [String],
    /// Params and readings, as `name=value`.
    pub set: &'w [String],
    /// Measures that replace those of the report.
    pub of: &'w [String],
    /// Further measures, with all their values.
    pub hist: &'w [String],
    /// The name of the source of these measures in diagnostics, if it is not `--of`.
    pub of_place: Option<&'w str>,
    /// The source of the question.
    pub asker: Asker,
    /// The decision sources of players, as `side=source`.
    pub decide: &'w [String],
    /// The expression that optimizing players maximize or minimize.
    pub objective: Option<&'w str>,
    /// Rules that replace those that the scenario names, which are then not read.
    pub instead: Option<&'w Ruleset>,
    /// Whether other rules are read only if the scenario cannot be bound without them.
    pub spares: bool,
}

/// The text of a scenario, and the libraries that it refers to.
pub struct SceneTexts<'t> {
    /// The path of the scenario in `own`.
    pub name: &'t str,
    /// The text of the scenario.
    pub text: String,
    /// The library of its base scenarios.
    pub own: &'t dyn Library,
    /// The library of the rules.
    pub root: &'t dyn Library,
}

/// Binds a scenario with open params and readings, without compiling it. For a sweep, `over` lists the varied settings, or is
/// empty if the scenario defines them. `adjust` can change the document before the measures are added.
///
/// # Errors
///
/// The outer error is a message about an invalid override. The inner error holds the diagnostics of the scenario or the rules.
pub fn bind(
    texts: SceneTexts<'_>,
    wanted: Option<String>,
    overrides: Wanted<'_>,
    over: Option<&[Over]>,
    adjust: impl FnOnce(&mut Document, &mut Sources),
    detail: Detail,
    sources: &mut Sources,
) -> Result<Result<Uncompiled, Vec<Diagnostic>>, String> {
    let SceneTexts { name, text, own, root } = texts;
    let mut document = match document::read(name, text, own, sources) {
        Ok(document) => document,
        Err(found) => return Ok(Err(found)),
    };
    // Rules that the scenario does not name have no location in it.
    let whole = Span::new(document.file, 0, 0);
    let mut names = match build::rulesets(&document) {
        Ok(names) => names,
        Err(found) if wanted.is_none() => return Ok(Err(found)),
        Err(_) => Vec::new(),
    };
    if let Some(wanted) = wanted {
        names.retain(|(name, _)| *name != wanted.trim_end_matches(".rules"));
        names.insert(0, (wanted.trim_end_matches(".rules").to_string(), whole));
    }
    for name in overrides.beside.iter().map(|name| name.trim_end_matches(".rules")) {
        let there = root.read(&format!("{name}.rules")).is_ok_and(|text| text.is_some());
        if there && names.iter().all(|(known, _)| known != name) {
            names.push((name.to_string(), whole));
        }
    }
    let mut sets: Vec<Ruleset> = overrides.instead.into_iter().cloned().collect();
    let load = |(name, span): (String, Span), sources: &mut Sources| {
        let loaded = rules::load(&name, root, sources).sound();
        loaded.map_err(|found| if span == whole { found } else { unread(&name, span, found, root, sources) })
    };
    let mut names = names.into_iter().skip(sets.len());
    for name in names.by_ref().take(if overrides.spares { 1 - sets.len() } else { usize::MAX }) {
        match load(name, sources) {
            Ok(set) => sets.push(set),
            Err(found) => return Ok(Err(found)),
        }
    }
    let mut first = sets.remove(0);
    let turned = over.unwrap_or_default().iter().map(|over| over.name.0.as_str()).collect();
    once(overrides.set, turned)?;
    for setting in overrides.set {
        put(&mut document, setting, &first, overrides.asker, sources)?;
    }
    if let Some(over) = over {
        document.sweep(over);
    }
    for answers in overrides.decide {
        let Some((side, source)) = answers.split_once('=') else {
            return Err(format!("`--decide {answers}` is not of the form side=source"));
        };
        let file = sources.add(overrides.asker.source("--decide", answers));
        document.decide(side.trim(), source.trim(), file, answers.len() - source.trim_start().len());
    }
    if let Some(objective) = overrides.objective {
        let file = sources.add(overrides.asker.source("--objective", objective));
        document.objective(objective, file);
    }
    adjust(&mut document, sources);
    if !overrides.of.is_empty() || !overrides.hist.is_empty() {
        let source = |text: &String| match overrides.of_place {
            Some(place) => Source::new(place, text.as_str()),
            None => overrides.asker.source("--of", text),
        };
        let mut figures = |texts: &[String]| -> Vec<_> {
            texts.iter().map(|text| (text.clone(), sources.add(source(text)))).collect()
        };
        document.ask(&figures(overrides.of), &figures(overrides.hist));
    }
    // Other rules are consulted only about unknown names, and are read one at a time.
    let mut alone = overrides.rules.is_some();
    let mut unknown = None;
    loop {
        let others = if std::mem::take(&mut alone) { &[][..] } else { sets.as_slice() };
        let last = names.len() == 0 && others.len() == sets.len();
        let rules = if last { std::mem::take(&mut first) } else { first.clone() };
        let found = match build::bind(&document, rules, others, sources, detail) {
            Ok(mut bound) => {
                bound.left_out = unknown.unwrap_or_default();
                return Ok(Ok(bound));
            }
            Err(found) => found,
        };
        match names.next() {
            None if last => return Ok(Err(found)),
            None => {}
            Some(name) => match load(name, sources) {
                Ok(set) => sets.push(set),
                Err(found) => return Ok(Err(found)),
            },
        }
        unknown.get_or_insert_with(|| found.into_iter().map(|problem| problem.message).collect());
    }
}

/// Returns the diagnostics for rules that a scenario names and that cannot be used. If the rules do not exist, the diagnostics of
/// the loader are replaced.
fn unread(
    name: &str,
    span: Span,
    mut found: Vec<Diagnostic>,
    root: &dyn Library,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let say = |message: String, help: &str| Diagnostic::new(Code::ReadRules, span, message).help(help);
    match root.read(&format!("{name}.rules")) {
        Ok(None) => {
            let all = root.list();
            let near = did_you_mean(name, all.iter().filter_map(|path| path.strip_suffix(".rules")));
            let message = format!("there are no rules `{name}`: no folder above the scenario has {name}.rules{near}");
            vec![say(
                message,
                "name folder and file without `.rules`, as in `game/edition`, from a folder above, or from `rulesets` there",
            )]
        }
        Err(why) if why == OUTSIDE => {
            let message = format!("`{name}` is not a name in the rules");
            vec![say(
                message,
                "name folder and file without `.rules`, as in `game/edition`; `--rules FILE` takes any path",
            )]
        }
        _ => {
            // The file of the first error is often a base of these rules.
            let first = found.iter().find(|one| one.is_error()).and_then(|one| one.placed(sources).span);
            let cause = first.map_or(span.file, |at| at.file);
            let unread = say(format!("the rules {name} have errors"), "fix the errors of the rules first");
            found.push(unread.following(Follows::Rules(cause)));
            found
        }
    }
}

/// Checks that each setting is set once, and not varied by a sweep.
///
/// # Errors
///
/// Returns a message about the first conflict.
fn once(set: &[String], turned: Vec<&str>) -> Result<(), String> {
    let name = |setting: &str| setting.split_once('=').map_or(String::new(), |(name, _)| name.trim().to_string());
    for (at, setting) in set.iter().enumerate() {
        let name = name(setting);
        if turned.contains(&name.as_str()) {
            return Err(format!(
                "`--over` varies `{name}`, and `--set {setting}` sets one value; keep one of the two options"
            ));
        }
        if let Some(first) = set[..at].iter().find(|first| first.split_once('=').is_some_and(|(n, _)| n.trim() == name))
        {
            return Err(format!("`{name}` is set twice, by `{first}` and by `{setting}`; keep one of them"));
        }
    }
    Ok(())
}

/// Sets a param or reading from `name=value`.
///
/// # Errors
///
/// Returns a message if the form is invalid or the rules have no such setting.
fn put(
    document: &mut Document,
    setting: &str,
    rules: &Ruleset,
    asker: Asker,
    sources: &mut Sources,
) -> Result<(), String> {
    let Some((name, value)) = setting.split_once('=') else {
        return Err(format!("`{setting}` is not of the form name=value"));
    };
    let (name, trimmed) = (name.trim(), value.trim());
    let reading = match rules.names.values.get(name) {
        Some(ValueName::Setting(id)) => !rules.settings[id.at()].alternatives.is_empty(),
        _ => {
            let near = did_you_mean(name, rules.settings.iter().map(|s| s.name.as_str()));
            let scene =
                if near.is_empty() && name.contains('.') { "; initial values are set in the scenario" } else { "" };
            return Err(format!("the rules have no param or reading `{name}`{near}{scene}"));
        }
    };
    if trimmed.contains(',') && !trimmed.starts_with('"') && !trimmed.contains(['(', '[', '{']) {
        let instead = match asker {
            Asker::CommandLine => format!("`sweep --over {setting}` measures with each"),
            Asker::Library => "set one at a time".to_string(),
        };
        return Err(format!("`{setting}` gives `{name}` several values; {instead}"));
    }
    let start = setting.len() - value.trim_start().len();
    let file = sources.add(asker.source("--set", setting));
    document.set(reading, name, trimmed, file, start);
    Ok(())
}

/// Returns the value of a key before the first table, without a full parse.
pub fn value_of(key: &str, text: &str) -> Option<String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_start);
    let mut values = lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('=').map(str::trim_start));
    let value = values.next()?;
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next().map(str::to_string)
}

/// Returns whether a text has `rules` or `base`, as a scenario does.
pub fn is_scene(text: &str) -> bool {
    ["rules", "base"].iter().any(|key| value_of(key, text).is_some())
}
