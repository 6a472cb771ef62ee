//! Finds arguments for which a changed `let` or table returns another value. They form the missing example.

use super::suite::{ProjectScene, Suite};
use super::version::MutantVersion;
use super::{Book, Mutation, Witness};
use grognard_base::value::*;
use grognard_play as play;
use grognard_program::Detail;
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_scenario as scenario;

/// Maximum number of calls that are tried.
const MOST: usize = 48;
/// Maximum number of values of one parameter.
const EACH: usize = 12;
/// Maximum number of readings that are tried in addition to the current ones.
const READINGS: usize = 4;

/// Searches for arguments that distinguish the two versions of a `let` or a table.
pub(super) fn find(
    suite: &Suite<'_>,
    version: &mut MutantVersion,
    book: &Book,
    change: &Mutation,
    readings: &[(String, String)],
) -> Option<Witness> {
    let (word, name) = change.item.split_once(' ')?;
    if !matches!(word, "let" | "table") {
        return None;
    }
    let rules = suite.closed(book).next()?.clone();
    let set = version.ruleset(&suite.project, &rules).ok()?;
    let calls = calls(&set, name, &suite.numbers(change))?;
    let scene = ProjectScene {
        path: String::new(),
        own: (rules.0, String::new()),
        root: rules.0,
        rules: vec![rules.1],
        document: suite.nothing.clone(),
    };
    let none = std::iter::once(None);
    none.chain(readings.iter().take(READINGS).map(Some)).find_map(|reading| {
        let mut base = suite.base.clone();
        let old = given(suite, &mut base, &scene, &calls, reading)?;
        let new = given(suite, version, &scene, &calls, reading)?;
        let at = (0..calls.len()).find(|n| old.get(*n) != new.get(*n))?;
        let (call, rendered) = (calls.get(at)?, [old.get(at)?.clone(), new.get(at)?.clone()]);
        let under = reading.map_or(String::new(), |(name, value)| format!(" under {name} = {value}"));
        let played = format!("{call}{under}");
        let test = format!("example \"{}\"{under} {{ {call} = {} }}\n", played.replace('"', " inch"), rendered[0]);
        Some(Witness { played, rendered, test })
    })
}

/// Returns the result of each call, or `None` if any result is an error.
fn given(
    suite: &Suite<'_>,
    version: &mut MutantVersion,
    scene: &ProjectScene,
    calls: &[String],
    reading: Option<&(String, String)>,
) -> Option<Vec<String>> {
    let quoted: Vec<String> = calls.iter().map(|call| format!("'{call}'")).collect();
    let mut text = format!(
        "rules = {:?}\n[report]\nhist = [{}]\n[[step]]\ndo = \"if no {{ }}\"\n",
        scene.rules.first()?,
        quoted.join(", ")
    );
    if let Some((name, value)) = reading {
        text += &super::witness::set(name, value);
    }
    let library = suite.project.libraries.get(scene.root)?;
    let document = scenario::read("missing-example.toml", text, library, &mut version.sources).ok()?;
    let scenario = version.scenario(&suite.project, scene, &document, Detail::Plain).ok()?;
    let outcome = play::play(&scenario, play::Options::default());
    let figures = scenario.plan.report.iter().zip(&outcome.figures);
    let rendered =
        figures.map(|(figure, cells)| Some(scenario.game.tell(&outcome.state, &figure.asked.ty, cells.as_ref()?)));
    rendered.collect::<Option<Vec<String>>>().filter(|rendered| rendered.len() == calls.len())
}

/// Returns calls with combinations of values, up to the limit. Returns `None` if a parameter or the result is not a
/// plain value.
fn calls(rules: &Ruleset, name: &str, numbers: &[i64]) -> Option<Vec<String>> {
    let Some(ValueName::Let(id)) = rules.names.values.get(name) else { return None };
    let function = rules.functions.get(id.at())?;
    let plain = matches!(function.result, Type::Int(_) | Type::Flag | Type::Length | Type::Enum(_) | Type::Ratio);
    let params: Option<Vec<Vec<String>>> =
        function.locals.iter().take(function.params).map(|local| values(rules, &local.ty, numbers)).collect();
    let mut mixes: Vec<Vec<String>> = vec![Vec::new()];
    for values in params.filter(|_| plain)? {
        let longer = |mix: &Vec<String>| {
            let mix = mix.clone();
            values.iter().map(move |value| [mix.as_slice(), std::slice::from_ref(value)].concat()).collect::<Vec<_>>()
        };
        mixes = mixes.iter().flat_map(longer).collect();
        // evenly spaced combinations, if there are too many
        let step = mixes.len().div_ceil(MOST).max(1);
        mixes = mixes.into_iter().step_by(step).collect();
    }
    let brackets = |mix: Vec<String>| if mix.is_empty() { String::new() } else { format!("({})", mix.join(", ")) };
    Some(mixes.into_iter().map(|mix| format!("{name}{}", brackets(mix))).collect())
}

/// Returns values of a type: all values of a small type, otherwise those near the numbers in the item.
fn values(rules: &Ruleset, ty: &Type, numbers: &[i64]) -> Option<Vec<String>> {
    let near = || {
        let near = numbers.iter().flat_map(|n| [n - 1, *n, n + 1]).chain([0, 1, 2, 3, 4, 6, 10, -1]);
        let mut seen = Vec::new();
        near.for_each(|n| {
            if !seen.contains(&n) {
                seen.push(n)
            }
        });
        seen
    };
    let all: Vec<String> = match ty {
        Type::Int(range) => {
            near().into_iter().filter(|n| (range.low..=range.high).contains(n)).map(|n| n.to_string()).collect()
        }
        Type::Length => near().into_iter().filter(|n| *n >= 0).map(|n| format!("{n}\"")).collect(),
        Type::Ratio => {
            let usual = ["0/1", "1/4", "1/3", "1/2", "2/3", "3/4", "1/1"].map(str::to_string);
            let near = numbers.iter().flat_map(|n| [n - 1, *n, n + 1]).filter(|n| *n > 0).map(|n| format!("{n}/100"));
            near.chain(usual).collect()
        }
        Type::Flag => vec!["yes".to_string(), "no".to_string()],
        Type::Enum(id) => {
            let found = rules.enums.get(id.at())?;
            found.cases.iter().map(|case| format!("{}.{case}", found.name)).collect()
        }
        _ => return None,
    };
    Some(all.into_iter().take(EACH).collect())
}
