//! Dominated choices: actions of one menu whose exact worth is compared over a grid of positions (the scenarios at hand, each with
//! the values its params are declared to be tried at). One that is nowhere better than another and somewhere worse is dominated,
//! on that grid and by what the scenario calls good.

use super::tables::{Scene, players};
use super::{Basis, Hole, Sort};
use crate::base::{Budget, Sources};
use crate::exact::Label;
use crate::machine::{Game, Happening, State, Trace};
use crate::play::coverage::place;
use crate::play::odds::{Wish, report};
use crate::play::{self, Options, Watch};
use crate::program::schema::SiteSort;
use crate::rules::ruleset::Ruleset;
use crate::rules::telling;
use crate::scenario::{Answerer, Good, Scenario};
use crate::value::*;
use std::collections::{BTreeMap, BTreeSet};

/// Instances of one action that are tried at a position.
const INSTANCES: usize = 6;
/// Positions of the grid of one scenario, at most.
const POINTS: usize = 16;
/// Positions at which two actions have to meet before anything is said.
const FEWEST: usize = 2;

/// Worths of actions at one position.
struct Position {
    told: String,
    worth: BTreeMap<String, Fraction>,
}

/// Actions that are never better than another; and how many scenarios say what is good.
pub fn dominated(rules: &Ruleset, scenes: &[Scene<'_>], sources: &Sources, budget: Budget) -> (Vec<Hole>, usize) {
    let mut judged = 0;
    let mut positions: BTreeMap<(String, bool), Vec<Position>> = BTreeMap::new();
    for scene in scenes {
        let Some((figure, more)) = aim(&scene.scenario) else { continue };
        judged += 1;
        let points = grid(rules, scene).into_iter();
        let found: Vec<Position> = points.filter_map(|at| position(scene, &at, &figure, more, budget)).collect();
        positions.entry((figure, more)).or_default().extend(found);
    }
    let holes = positions.iter().flat_map(|((figure, more), all)| judge(rules, sources, figure, *more, all));
    (holes.collect(), judged)
}

/// What a scenario calls good: the first figure of its report of which it says that there should be more, or less.
fn aim(scenario: &Scenario) -> Option<(String, bool)> {
    let good = scenario.plan.report.iter().find_map(|f| Some((f.text.clone(), f.good? == Good::More)));
    good.or_else(|| scenario.plan.objective.as_ref().map(|(text, _)| (text.clone(), true)))
}

/// The table as it stands, and with each value that each param is to be tried at.
fn grid(rules: &Ruleset, scene: &Scene<'_>) -> Vec<String> {
    let turned = rules.settings.iter().filter(|s| s.alternatives.is_empty()).flat_map(|setting| {
        let values = setting.sweep.iter().filter(|value| value.len() == 1 && **value != setting.value);
        let told = values.filter_map(|value| telling::constant(rules, value[0], &setting.ty));
        told.map(|value| format!("[params]\n{} = {}\n", setting.name, bare(&value))).collect::<Vec<String>>()
    });
    let reached = crate::program::settings_reached(&scene.scenario.game.program);
    let read =
        |text: &String| {
            rules.settings.iter().enumerate().any(|(n, s)| {
                reached.contains(SettingId::from(n)) && text.starts_with(&format!("[params]\n{} = ", s.name))
            })
        };
    std::iter::once(String::new()).chain(turned.filter(read)).take(POINTS).collect()
}

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

fn position(scene: &Scene<'_>, point: &str, figure: &str, more: bool, budget: Budget) -> Option<Position> {
    let base = format!("base = \"{}\"\n", scene.file());
    let table = (scene.bind)(&format!("{base}{point}"))?;
    // what a script takes is no choice
    if table.plan.decides.iter().any(|d| d.name == "action") || table.plan.always.iter().any(|d| d.name == "action") {
        return None;
    }
    let eye = play::play(&table, Options::default(), Eye::default()).1;
    let mut worth: BTreeMap<String, Fraction> = BTreeMap::new();
    let mut tried: BTreeMap<String, usize> = BTreeMap::new();
    for (name, pick) in eye.menu? {
        let times = tried.entry(name.clone()).or_default();
        *times += 1;
        if *times > INSTANCES {
            continue;
        }
        let sides = sources_of(&table);
        let decide = format!("[[decide]]\nchoice = \"action\"\npick = '{pick}'\n");
        let found = mean(&(scene.bind)(&format!("{base}{point}{sides}{decide}"))?, figure, budget)?;
        match worth.get(&name) {
            Some(known) if (found > *known) != more || found == *known => {}
            _ => drop(worth.insert(name, found)),
        }
    }
    let told = point.lines().nth(1).map_or(scene.path.clone(), |turned| format!("{}, {turned}", scene.path));
    (worth.len() > 1).then_some(Position { told, worth })
}

/// Players as they are, who look at the script first.
fn sources_of(table: &Scenario) -> String {
    let word = |source: &Answerer| match source {
        Answerer::Policy(id) => {
            table.rules.policies.get(id.at()).map_or("prefer".to_string(), |policy| format!("policy:{}", policy.name))
        }
        Answerer::Random => "random".into(),
        Answerer::First => "first".into(),
        Answerer::Best => "best".into(),
        Answerer::Worst => "worst".into(),
        Answerer::Script | Answerer::Prefer | Answerer::Prompt => "prefer".into(),
    };
    let lines = players(table).into_iter().map(|who| {
        let own = table.plan.players.iter().find(|(player, _)| *player == who);
        let own = own.and_then(|(_, list)| list.iter().find(|s| **s != Answerer::Script));
        let source = own.map_or("prefer".to_string(), word);
        format!("{} = [\"script\", \"{source}\"]\n", table.game.packed_name(who))
    });
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("[players]\n{lines}") }
}

fn mean(scenario: &Scenario, figure: &str, budget: Budget) -> Option<Fraction> {
    let mut scenario = scenario.clone();
    let mut own = scenario.plan.report.iter().filter(|f| f.is_written(figure)).cloned();
    let only = own.next().or_else(|| {
        // an objective that no figure tells
        let (text, asked) = scenario.plan.objective.clone()?;
        let first = scenario.plan.report.first().cloned()?;
        Some(crate::scenario::Figure { text, asked, good: None, bounds: None, ..first })
    })?;
    scenario.plan.report = vec![only];
    let found = report(&scenario, &Wish::plain(budget)).ok()?;
    let answer = found.answers.into_iter().next()?.ok()?;
    answer.mean.filter(|_| answer.label == Label::Exact)
}

fn judge(rules: &Ruleset, sources: &Sources, figure: &str, more: bool, all: &[Position]) -> Vec<Hole> {
    let names: BTreeSet<&String> = all.iter().flat_map(|p| p.worth.keys()).collect();
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
            let Some((name, item)) = rules.actions.iter().find(|a| a.name == **worse).map(|a| (&a.name, a.item)) else {
                continue;
            };
            let item = &rules.items[item.at()];
            let shown = both.iter().filter(|(_, a, b)| a != b).take(4);
            let mut lines: Vec<String> = shown
                .map(|(p, a, b)| format!("{}: {worse} {}, {better} {}", p.told, a.decimal(3), b.decimal(3)))
                .collect();
            let aim = if more { "more" } else { "less" };
            lines.insert(0, format!("worth: {figure}, {aim} is better; all else is played as the scenarios say"));
            found.push(Hole {
                sort: Sort::Dominated,
                rules: rules.path.clone(),
                at: place(sources, item.span),
                item: format!("{} {}", item.word, item.name),
                says: format!(
                    "{name} is never better than {better} at the {} positions that have both, and worse at {lost}",
                    both.len()
                ),
                lines,
                excuse: None,
                basis: Basis::Exact,
                weight: None,
                replay: None,
            });
        }
    }
    found
}

/// Keeps the first menu that somebody is asked about.
#[derive(Default)]
struct Eye {
    menu: Option<Vec<(String, String)>>,
}

impl Trace for Eye {
    const ON: bool = true;

    fn happen(&mut self, game: &Game, _: &State, what: &Happening<'_>) {
        if let Happening::Decided { site, menu, source, .. } = what
            && self.menu.is_none()
            && !source.is_empty()
            && game.program.schema.sites[site.at()].sort == SiteSort::Menu
        {
            let named = menu.iter().map(|value| match value {
                Value::Action { name, .. } => (name.clone(), value.to_string()),
                other => (other.to_string(), other.to_string()),
            });
            self.menu = Some(named.collect());
        }
    }
}

impl Watch for Eye {}
