//! Finds dominated choices: compares the exact value of the actions of one menu over a grid of states. An action that
//! is nowhere better than another and worse somewhere is dominated, on that grid and for the goal of the scenario.
//!
//! The grid consists of the given scenarios and their variants. A variant has a declared sweep value of a param, or a
//! field of a thing at an end or the middle of its range. On each, it contains the first menus of a run, for the player
//! who decides first.

use super::tables::Scene;
use super::{Hole, HoleSort};
use grognard_base::value::*;
use grognard_base::{Allowance, Limit, OrdMap, OrdSet, Sources};
use grognard_odds::Label;
use grognard_play::session::{Session, Start, playable};
use grognard_program::schema::FieldSort;
use grognard_rules::ruleset::Ruleset;
use grognard_rules::wording::constant;
use grognard_scenario::{Figure, Good, Scenario};

/// Maximum number of instances of one action that are evaluated in a state.
const INSTANCES: usize = 6;
/// Maximum number of grid scenarios for one scenario (`TABLES`), and of menus in each (`MENUS`).
const TABLES: usize = 16;
const MENUS: usize = 3;
/// Maximum number of decisions of a run that are searched for menus.
const DECISIONS: usize = 24;
/// Minimum number of tables on which an action is worse for a finding.
const FEWEST: usize = 2;

/// The values of the actions in one state.
struct Position {
    /// The scenario and its variant.
    table: String,
    rendered: String,
    worth: OrdMap<String, Fraction>,
}

/// A hole with the two actions that it concerns. An entry that is not an action, such as stopping, is replaced by the
/// other action.
type Pair = (Hole, (ActionId, ActionId));

/// The dominated actions, with the scope of the search.
pub struct Dominated {
    /// The dominated actions.
    pub pairs: Vec<Pair>,
    /// Number of scenarios that define a goal.
    pub judged: usize,
    /// Number of these scenarios that are too large for exact answers.
    pub large: usize,
}

/// Finds actions that are never better than another, within the allowance.
pub fn dominated(rules: &Ruleset, scenes: &[Scene<'_>], sources: &Sources, allowance: &Allowance) -> Dominated {
    let (mut judged, mut large) = (0, 0);
    let mut positions: OrdMap<(String, bool), Vec<Position>> = OrdMap::new();
    for scene in scenes {
        let Some((figure, more)) = aim(&scene.scenario) else { continue };
        judged += 1;
        let mut found = Vec::new();
        for at in grid(rules, scene) {
            match menus(scene, &at, (&figure, more), allowance) {
                Some(more) => found.extend(more),
                // the other variants of the scenario are equally large
                None => {
                    large += 1;
                    break;
                }
            }
        }
        positions.entry((figure, more)).or_default().extend(found);
    }
    let pairs = positions.iter().flat_map(|((figure, more), all)| judge(rules, sources, figure, *more, all));
    Dominated { pairs: pairs.collect(), judged, large }
}

/// Returns the goal of a scenario: the first measure of its report that is declared good, or its objective, and whether
/// more is better.
fn aim(scenario: &Scenario) -> Option<(String, bool)> {
    let good = scenario.plan.report.iter().find_map(|f| Some((f.expr.clone(), f.good? == Good::More)));
    good.or_else(|| scenario.plan.objective.as_ref().map(|(text, _)| (text.clone(), true)))
}

/// A variant of a scenario in the grid: the text that overrides it, and its description.
#[derive(Clone, Default)]
struct Turned {
    text: String,
    rendered: String,
}

/// Returns the scenario unchanged, with each sweep value of each param, and with other values of fields.
fn grid(rules: &Ruleset, scene: &Scene<'_>) -> Vec<Turned> {
    let reached = grognard_program::settings_reached(&scene.scenario.game.program);
    let params = rules
        .settings
        .iter()
        .enumerate()
        .filter(|(n, setting)| setting.alternatives.is_empty() && reached.contains(SettingId::from(*n)));
    let params = params.flat_map(|(_, setting)| {
        let values = setting.sweep.iter().filter(|value| value.len() == 1 && **value != setting.value);
        let rendered = values.map(|value| constant(rules, &setting.ty, value[0]).to_string());
        let turned = rendered.map(|value| Turned {
            text: format!("[params]\n{} = {}\n", setting.name, bare(&value)),
            rendered: format!("{} = {value}", setting.name),
        });
        turned.collect::<Vec<_>>()
    });
    let (params, figures) = (params.collect::<Vec<_>>(), figures(rules, &scene.scenario));
    // half of the variants are for params, unless one of the two groups needs fewer
    let half = (TABLES / 2).max(TABLES.saturating_sub(1 + figures.len())).min(params.len());
    let mut all = vec![Turned::default()];
    all.extend(spread(&params, half));
    all.extend(spread(&figures, TABLES - 1 - half));
    all
}

/// Returns at most `most` evenly spaced entries of a list.
fn spread(all: &[Turned], most: usize) -> impl Iterator<Item = Turned> {
    let count = most.min(all.len());
    (0..count).map(move |n| all[n * all.len() / count].clone())
}

/// Returns variants with fields of things at the ends and the middle of their ranges, unless they already have these
/// values.
fn figures(rules: &Ruleset, scenario: &Scenario) -> Vec<Turned> {
    let game = &scenario.game;
    let mut found = Vec::new();
    for (id, field) in rules.fields.iter().enumerate() {
        let Type::Int(range) = &field.ty else { continue };
        if field.sort != FieldSort::State || !field.keys.is_empty() || range.high - range.low > MOST_RANGE {
            continue;
        }
        let kind = &rules.kinds[field.kind.at()].name;
        for (thing, name) in game.names[field.kind.at()].iter().enumerate() {
            let now = game.start.cells.get(game.layout.field(FieldId::from(id), thing as i64, 0));
            let values: OrdSet<i64> = [range.high, i64::midpoint(range.low, range.high), range.low].into();
            let others = values.into_iter().filter(|value| now != Some(value));
            found.extend(others.map(|value| Turned {
                text: format!("[{kind}.{name}]\n{} = {value}\n", field.name),
                rendered: format!("{name}.{} = {value}", field.name),
            }));
        }
    }
    found
}

/// Maximum width of a range whose ends are tried; a game rarely reaches the ends of a wider one.
const MOST_RANGE: i64 = 100;

/// Converts a value to TOML.
fn bare(value: &str) -> String {
    match value {
        "yes" => "true".into(),
        "no" => "false".into(),
        _ => match value.strip_suffix('"') {
            Some(length) => length.to_string(),
            None if value.chars().all(|c| c.is_ascii_digit() || c == '-') => value.to_string(),
            None => format!("\"{value}\""),
        },
    }
}

/// Returns the first menus of a run with the exact value of each action, or `None` if no value can be computed within
/// the allowance.
fn menus(scene: &Scene<'_>, at: &Turned, (figure, more): (&str, bool), allowance: &Allowance) -> Option<Vec<Position>> {
    let bound = (scene.bind)(&format!("base = \"{}\"\n{}", scene.file(), at.text));
    let Some(table) = bound.and_then(|table| only(playable(table), figure)) else {
        return Some(Vec::new());
    };
    let scripted = |d: &grognard_scenario::Decision| d.name == MENU;
    // a scripted choice is not a choice
    if table.plan.decides.iter().chain(&table.plan.always).any(scripted) {
        return Some(Vec::new());
    }
    let nothing = Sources::default();
    let mut session = Session::new(&table, &nothing, Start { seed: table.plan.seed, ..Start::default() });
    let mut found = Vec::new();
    let (mut seen, mut large, mut who) = (0, 0, None);
    let _ = session.go_on();
    for _ in 0..DECISIONS {
        let Some(decision) = session.decision() else { break };
        // a result that is good for one player can be bad for another, so only the first player is examined
        let same = *who.get_or_insert(decision.player) == decision.player;
        if same && decision.question.name == MENU && decision.question.entries.len() > 1 {
            seen += 1;
            let worth = worth(&session, more, allowance).unwrap_or_else(|| {
                large += 1;
                OrdMap::new()
            });
            let table = if at.rendered.is_empty() { String::new() } else { format!(", {}", at.rendered) };
            let table = format!("{}{table}", scene.path);
            found.extend((worth.len() > 1).then_some(Position {
                rendered: format!("{table}, menu {seen}"),
                table,
                worth,
            }));
        }
        if seen == MENUS || session.auto(1).is_err() {
            break;
        }
    }
    (large == 0 || large < seen).then_some(found)
}

/// The name of the menu of actions.
const MENU: &str = "action";

/// Returns the value of each action of the current menu, which is that of its best instance. Actions without an exact
/// value are omitted. Returns `None` if the state is too large.
fn worth(session: &Session<'_>, more: bool, allowance: &Allowance) -> Option<OrdMap<String, Fraction>> {
    let mut worth: OrdMap<String, Option<Fraction>> = OrdMap::new();
    let mut tried: OrdMap<String, usize> = OrdMap::new();
    for entry in session.entries().0 {
        let name = entry.words.split('(').next().unwrap_or_default().to_string();
        let times = tried.entry(name.clone()).or_default();
        *times += 1;
        if *times > INSTANCES {
            continue;
        }
        let answer = session.odds(&entry, allowance.next()?, &mut |_| false).ok();
        if let Some(cost) = answer.as_ref().map(|found| found.cost) {
            allowance.spend(cost);
            // the states after other entries are about equally large
            if cost.limit.is_some_and(|limit| limit != Limit::Rounded) {
                return None;
            }
        }
        let answer = answer.and_then(|found| found.answers.into_iter().next()?.ok());
        let found = answer.and_then(|answer| answer.mean.filter(|_| answer.label == Label::Exact));
        let best = match (worth.remove(&name), found) {
            (None, found) => found,
            (Some(Some(known)), Some(found)) => Some(if (found > known) == more { found } else { known }),
            (Some(_), _) => None,
        };
        worth.insert(name, best);
    }
    Some(worth.into_iter().filter_map(|(name, worth)| Some((name, worth?))).collect())
}

/// Returns the scenario with only one measure in its report.
fn only(mut scenario: Scenario, figure: &str) -> Option<Scenario> {
    let mut own = scenario.plan.report.iter().filter(|f| f.is_written(figure)).cloned();
    let only = own.next().or_else(|| {
        // an objective that is not a measure of the report
        let (text, asked) = scenario.plan.objective.clone()?;
        let first = scenario.plan.report.first().cloned()?;
        Some(Figure { expr: text.clone(), text, asked, good: None, bounds: None, ..first })
    })?;
    scenario.plan.report = vec![only];
    Some(scenario)
}

fn judge(rules: &Ruleset, sources: &Sources, figure: &str, more: bool, all: &[Position]) -> Vec<Pair> {
    let names: OrdSet<&String> = all.iter().flat_map(|p| p.worth.keys()).collect();
    let mut found = Vec::new();
    for worse in &names {
        for better in &names {
            let both = all.iter().filter_map(|p| Some((p, p.worth.get(*worse)?, p.worth.get(*better)?)));
            let mut both: Vec<(&Position, &Fraction, &Fraction)> = both.collect();
            let ahead = |a: &Fraction, b: &Fraction| if more { a > b } else { a < b };
            if worse == better || both.iter().any(|(_, a, b)| ahead(a, b)) {
                continue;
            }
            // a state that several tables reach has the same values on all of them, and counts once
            let mut seen = OrdSet::new();
            both.retain(|(position, ..)| seen.insert(position.worth.iter().collect::<Vec<_>>()));
            let losses = || both.iter().filter(|(_, a, b)| ahead(b, a));
            let tables: OrdSet<&str> = losses().map(|(position, ..)| position.table.as_str()).collect();
            let lost = losses().count();
            if tables.len() < FEWEST {
                continue;
            }
            let action = |name: &str| rules.actions.iter().position(|a| a.name == name).map(ActionId::from);
            let Some(own) = action(worse) else { continue };
            let item = &rules.items[rules.actions[own.at()].item.at()];
            let shown = both.iter().filter(|(_, a, b)| a != b).take(4);
            let mut lines: Vec<String> = shown
                .map(|(p, a, b)| format!("{}: {worse} {}, {better} {}", p.rendered, a.decimal(3), b.decimal(3)))
                .collect();
            let aim = if more { "more" } else { "less" };
            lines.insert(0, format!("worth: {figure}, {aim} is better; all else is played as the scenarios say"));
            let hole = Hole {
                says: format!(
                    "{worse} is never better than {better} at the {} states that have both, and worse at {lost}",
                    both.len()
                ),
                lines,
                ..Hole::of(HoleSort::Dominated, rules, item, sources)
            };
            found.push((hole, (own, action(better).unwrap_or(own))));
        }
    }
    found
}
