//! A scenario bound to its rules, its texts taken from a library: with other rules, settings, figures and players than it says.

use grognard_base::{Code, Diagnostic, Follows, Source, Sources, Span, did_you_mean};
use grognard_program::Detail;
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_rules::{self as rules, Library, OUTSIDE};
use grognard_scenario::{self as scenario, Document, Over, Uncompiled};

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
    /// Rules that it is also run with are read only where it cannot be bound without them.
    pub spares: bool,
}

/// The text of a scenario, and where what it names is found.
pub struct SceneTexts<'t> {
    /// Its path below the folder of `own`.
    pub name: &'t str,
    /// Its text.
    pub text: String,
    /// Where its bases are.
    pub own: &'t dyn Library,
    /// Where the rules are.
    pub root: &'t dyn Library,
}

/// Binds a scenario whose params and readings stay open, and leaves it to be compiled. `over` is for a sweep:
/// what it turns, or an empty list if the scenario says so itself. `adjust` has a word before what is asked is put in.
pub fn bind(
    texts: SceneTexts<'_>,
    wanted: Option<String>,
    wish: Wanted<'_>,
    over: Option<&[Over]>,
    adjust: impl FnOnce(&mut Document, &mut Sources),
    detail: Detail,
    sources: &mut Sources,
) -> Result<Result<Uncompiled, Vec<Diagnostic>>, String> {
    let SceneTexts { name, text, own, root } = texts;
    let mut document = match scenario::read(name, text, own, sources) {
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
    let load = |(name, span): (String, Span), sources: &mut Sources| {
        let loaded = rules::load(&name, root, sources).sound();
        loaded.map_err(|found| if span == whole { found } else { unread(&name, span, found, root, sources) })
    };
    let mut names = names.into_iter().skip(sets.len());
    for name in names.by_ref().take(if wish.spares { 1 - sets.len() } else { usize::MAX }) {
        match load(name, sources) {
            Ok(set) => sets.push(set),
            Err(found) => return Ok(Err(found)),
        }
    }
    let mut first = sets.remove(0);
    let turned = over.unwrap_or_default().iter().map(|over| over.name.0.as_str()).collect();
    once(wish.set, turned)?;
    for setting in wish.set {
        put(&mut document, setting, &first, sources)?;
    }
    if let Some(over) = over {
        document.sweep(over);
    }
    for answers in wish.decide {
        let Some((side, source)) = answers.split_once('=') else {
            return Err(format!("`--decide {answers}` is not of the form side=source"));
        };
        let file = sources.add(Source::new("--decide", answers.as_str()));
        document.decide(side.trim(), source.trim(), file, answers.len() - source.trim_start().len());
    }
    if let Some(objective) = wish.objective {
        let file = sources.add(Source::new("--objective", objective));
        document.objective(objective, file);
    }
    adjust(&mut document, sources);
    if !wish.of.is_empty() {
        let place = wish.of_place.unwrap_or("--of");
        let figures = wish.of.iter().map(|text| (text.clone(), sources.add(Source::new(place, text.as_str()))));
        document.ask(&figures.collect::<Vec<_>>());
    }
    // what the others know is only asked where something is unknown, and read of one after the other
    let mut alone = wish.rules.is_some();
    let mut unknown = None;
    loop {
        let others = if std::mem::take(&mut alone) { &[][..] } else { sets.as_slice() };
        let last = names.len() == 0 && others.len() == sets.len();
        let rules = if last { std::mem::take(&mut first) } else { first.clone() };
        let found = match scenario::bind(&document, rules, others, sources, detail) {
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

/// What is said of rules that a scenario names and that cannot be used. Where there are none, what was found in them is
/// of no use to anybody.
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
            let message = format!(
                "there are no rules `{name}`: no folder from that of the scenario upward has {name}.rules{near}"
            );
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
            // the file of the first error, which is often a base of these rules
            let first = found.iter().find(|one| one.is_error()).and_then(|one| one.placed(sources).span);
            let cause = first.map_or(span.file, |at| at.file);
            let unread = say(format!("the rules {name} have errors"), "mend what is found in them");
            found.push(unread.following(Follows::Rules(cause)));
            found
        }
    }
}

/// That each setting is said once, and none that a sweep turns.
fn once(set: &[String], turned: Vec<&str>) -> Result<(), String> {
    let name = |setting: &str| setting.split_once('=').map_or(String::new(), |(name, _)| name.trim().to_string());
    for (at, setting) in set.iter().enumerate() {
        let name = name(setting);
        if turned.contains(&name.as_str()) {
            return Err(format!(
                "`{name}` is turned by `--over`, and has one value by `--set {setting}`; keep one of them"
            ));
        }
        if let Some(first) = set[..at].iter().find(|first| first.split_once('=').is_some_and(|(n, _)| n.trim() == name))
        {
            return Err(format!("`{name}` is set twice, by `{first}` and by `{setting}`; keep one of them"));
        }
    }
    Ok(())
}

/// Puts `name=value` in.
fn put(document: &mut Document, setting: &str, rules: &Ruleset, sources: &mut Sources) -> Result<(), String> {
    let Some((name, value)) = setting.split_once('=') else {
        return Err(format!("`{setting}` is not of the form name=value"));
    };
    let (name, trimmed) = (name.trim(), value.trim());
    let reading = match rules.names.values.get(name) {
        Some(ValueName::Setting(id)) => !rules.settings[id.at()].alternatives.is_empty(),
        _ => {
            let near = did_you_mean(name, rules.settings.iter().map(|s| s.name.as_str()));
            let scene = if near.is_empty() && name.contains('.') {
                "; what things begin with stands in the scenario"
            } else {
                ""
            };
            return Err(format!("the rules have no param or reading `{name}`{near}{scene}"));
        }
    };
    if trimmed.contains(',') && !trimmed.starts_with('"') && !trimmed.contains(['(', '[', '{']) {
        return Err(format!("`{setting}` gives `{name}` several values; `sweep --over {setting}` measures with each"));
    }
    let start = setting.len() - value.trim_start().len();
    let file = sources.add(Source::new("--set", setting));
    document.set(reading, name, trimmed, file, start);
    Ok(())
}
