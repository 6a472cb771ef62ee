//! Dominated choices: actions of one menu whose exact worth is compared over a grid of positions. One that is nowhere better than
//! another and somewhere worse is dominated, on that grid and by what the scenario calls good.
//!
//! The grid: the tables at hand, each as it stands, with the values that its params are declared to be tried at, and with the
//! figures of its things at the ends and in the middle of their ranges; and on each of them the first menus of a run that the
//! player has who decides first.

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

/// Instances of one action that are tried at a position.
const INSTANCES: usize = 6;
/// Tables of the grid of one scenario, at most, and menus of each.
const TABLES: usize = 16;
const MENUS: usize = 3;
/// Decisions of a run that are looked at for menus.
const DECISIONS: usize = 24;
/// Positions at which two actions have to meet before anything is said.
const FEWEST: usize = 2;

/// Worths of actions at one position.
struct Position {
    told: String,
    worth: OrdMap<String, Fraction>,
}

/// A hole, and the two actions that it is about; one that is no action, such as to stop, is left out.
type Pair = (Hole, (ActionId, ActionId));

/// Dominated actions, and on what they were looked for.
pub struct Dominated {
    /// The actions.
    pub pairs: Vec<Pair>,
    /// Scenarios that say what is good.
    pub judged: usize,
    /// Scenarios among them that are too large for exact answers.
    pub large: usize,
}

/// Finds actions that are never better than another, as far as the allowance reaches.
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
                // the other tables of the scenario are as large
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

/// What a scenario calls good: the first figure of its report of which it says that there should be more, or less.
fn aim(scenario: &Scenario) -> Option<(String, bool)> {
    let good = scenario.plan.report.iter().find_map(|f| Some((f.text.clone(), f.good? == Good::More)));
    good.or_else(|| scenario.plan.objective.as_ref().map(|(text, _)| (text.clone(), true)))
}

/// One table of the grid: what is written over the scenario, and how it is told.
#[derive(Clone, Default)]
struct Turned {
    text: String,
    told: String,
}

/// The table as it stands; with each value that each param is to be tried at; and with other figures.
fn grid(rules: &Ruleset, scene: &Scene<'_>) -> Vec<Turned> {
    let reached = grognard_program::settings_reached(&scene.scenario.game.program);
    let params = rules
        .settings
        .iter()
        .enumerate()
        .filter(|(n, setting)| setting.alternatives.is_empty() && reached.contains(SettingId::from(*n)));
    let params = params.flat_map(|(_, setting)| {
        let values = setting.sweep.iter().filter(|value| value.len() == 1 && **value != setting.value);
        let told = values.map(|value| constant(rules, &setting.ty, value[0]).to_string());
        let turned = told.map(|value| Turned {
            text: format!("[params]\n{} = {}\n", setting.name, bare(&value)),
            told: format!("{} = {value}", setting.name),
        });
        turned.collect::<Vec<_>>()
    });
    let (params, figures) = (params.collect::<Vec<_>>(), figures(rules, &scene.scenario));
    // half of the room is for params, unless one of them needs less
    let half = (TABLES / 2).max(TABLES.saturating_sub(1 + figures.len())).min(params.len());
    let mut all = vec![Turned::default()];
    all.extend(spread(&params, half));
    all.extend(spread(&figures, TABLES - 1 - half));
    all
}

/// So many of a list, from end to end of it.
fn spread(all: &[Turned], most: usize) -> impl Iterator<Item = Turned> {
    let count = most.min(all.len());
    (0..count).map(move |n| all[n * all.len() / count].clone())
}

/// Figures of things at the ends and in the middle of their ranges, where they are not.
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
                told: format!("{name}.{} = {value}", field.name),
            }));
        }
    }
    found
}

/// Wider ranges have no ends that a table comes to.
const MOST_RANGE: i64 = 100;

/// A value as TOML has it.
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

/// Returns the first menus of a run on a table, with what each action of them is worth from there; nothing if no worth can be
/// worked out there within the allowance.
fn menus(scene: &Scene<'_>, at: &Turned, (figure, more): (&str, bool), allowance: &Allowance) -> Option<Vec<Position>> {
    let bound = (scene.bind)(&format!("base = \"{}\"\n{}", scene.file(), at.text));
    let Some(table) = bound.and_then(|table| only(playable(table), figure)) else {
        return Some(Vec::new());
    };
    let scripted = |d: &grognard_scenario::Decision| d.name == MENU;
    // what a script takes is no choice
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
        // what is good for one may be bad for another: whoever comes first is looked at
        let same = *who.get_or_insert(decision.player) == decision.player;
        if same && decision.question.name == MENU && decision.question.entries.len() > 1 {
            seen += 1;
            let worth = worth(&session, more, allowance).unwrap_or_else(|| {
                large += 1;
                OrdMap::new()
            });
            let table = if at.told.is_empty() { String::new() } else { format!(", {}", at.told) };
            let told = format!("{}{table}, menu {seen}", scene.path);
            found.extend((worth.len() > 1).then_some(Position { told, worth }));
        }
        if seen == MENUS || session.auto(1).is_err() {
            break;
        }
    }
    (large == 0 || large < seen).then_some(found)
}

/// What the menu of actions is called.
const MENU: &str = "action";

/// Returns the worth of each action where a session waits: its best instance counts. An action whose worth is not known exactly
/// is left out. Returns nothing if the position is too large.
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
            // what follows other entries is about as large
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

/// The scenario with one figure in its report.
fn only(mut scenario: Scenario, figure: &str) -> Option<Scenario> {
    let mut own = scenario.plan.report.iter().filter(|f| f.is_written(figure)).cloned();
    let only = own.next().or_else(|| {
        // an objective that no figure tells
        let (text, asked) = scenario.plan.objective.clone()?;
        let first = scenario.plan.report.first().cloned()?;
        Some(Figure { text, asked, good: None, bounds: None, ..first })
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
            let both: Vec<(&Position, &Fraction, &Fraction)> = both.collect();
            let ahead = |a: &Fraction, b: &Fraction| if more { a > b } else { a < b };
            let lost = both.iter().filter(|(_, a, b)| ahead(b, a)).count();
            if worse == better || both.len() < FEWEST || lost == 0 || both.iter().any(|(_, a, b)| ahead(a, b)) {
                continue;
            }
            let action = |name: &str| rules.actions.iter().position(|a| a.name == name).map(ActionId::from);
            let Some(own) = action(worse) else { continue };
            let item = &rules.items[rules.actions[own.at()].item.at()];
            let shown = both.iter().filter(|(_, a, b)| a != b).take(4);
            let mut lines: Vec<String> = shown
                .map(|(p, a, b)| format!("{}: {worse} {}, {better} {}", p.told, a.decimal(3), b.decimal(3)))
                .collect();
            let aim = if more { "more" } else { "less" };
            lines.insert(0, format!("worth: {figure}, {aim} is better; all else is played as the scenarios say"));
            let hole = Hole {
                says: format!(
                    "{worse} is never better than {better} at the {} positions that have both, and worse at {lost}",
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
