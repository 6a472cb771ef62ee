//! The edits between two versions of a pair, and which of them can have an effect on its table.

use super::super::files::Root;
use super::super::out::Stop;
use super::super::scenes;
use super::{Pair, in_common};
use grognard_base::{OrdMap, Sources};
use grognard_lab::force::{EditOf, Standings};
use grognard_lab::mix::Edits;
use grognard_program::Detail;
use grognard_report::diff as what;
use grognard_scenario::Scenario;

/// A param or reading that the versions set differently: its name, and its value in A and in B.
pub type SetBoth = (String, [Option<String>; 2]);

/// Returns the edits of the rules, or `None` if A and B have the same rules.
pub fn of_rules(pair: &mut Pair) -> Result<Option<Edits>, Stop> {
    let home = |n: usize| -> Result<(Root, String), Stop> { scenes::home(&pair.path, pair.sides[n].rules.as_deref()) };
    let (old, new) = (home(0)?, home(1)?);
    let chain = |n: usize| &pair.scenarios[n].game.program.schema.chain;
    let other = chain(0) != chain(1) || old.0.folder() != new.0.folder();
    Ok(other.then(|| Edits::between((&old.1, &old.0), (&new.1, &new.0), &mut pair.sources)))
}

/// Returns the settings of each version on the command line.
fn set(pair: &Pair) -> [OrdMap<String, String>; 2] {
    pair.sides.each_ref().map(|side| {
        let parts = side.set.iter().filter_map(|set| set.split_once('='));
        parts.map(|(name, value)| (name.trim().to_string(), value.trim().to_string())).collect()
    })
}

/// Returns the params and readings that the command line sets differently for the two versions.
pub fn of_settings(pair: &Pair) -> Vec<SetBoth> {
    let settings = set(pair);
    let names = settings[0].keys().chain(settings[1].keys().filter(|name| !settings[0].contains_key(*name)));
    let both = names.map(|name| (name.clone(), settings.each_ref().map(|set| set.get(name).cloned())));
    both.filter(|(_, [a, b])| a != b).collect()
}

/// Returns all edits with their status on the table. Two scenarios have no edits.
pub fn standings(pair: &mut Pair) -> Result<Standings, Stop> {
    if pair.sides.iter().any(|side| side.scenario.is_some()) {
        return Ok(Standings::default());
    }
    let (mut edits, mut rendered) = (Vec::new(), Vec::new());
    for edit in of_rules(pair)?.iter().flat_map(Edits::list) {
        rendered.push(what::brief(&edit.change));
        edits.push(EditOf::Rules(edit.clone()));
    }
    for (name, [a, b]) in of_settings(pair) {
        let word = |value: Option<String>| value.unwrap_or_else(|| "the scenario's value".into());
        rendered.push(format!("{name}: {} -> {}", word(a), word(b)));
        edits.push(EditOf::Setting(name));
    }
    let [a, b] = set(pair);
    let by_hand: Vec<String> = a.into_keys().filter(|name| b.contains_key(name)).collect();
    let [a, b] = &pair.scenarios;
    Ok(Standings::new(edits, rendered, [a, b], &by_hand))
}

/// Returns both versions with coverage marks, or `None` if they cannot be built.
pub fn covered(pair: &Pair, of: &[String]) -> Option<[Scenario; 2]> {
    let mut sources = Sources::default();
    let [a, b] = &pair.sides;
    let left = a.load(&pair.path, b, of, Detail::Covered, &mut sources).ok()?;
    let mut both = [left, b.load(&pair.path, a, of, Detail::Covered, &mut sources).ok()?];
    in_common(&mut both);
    // measures that were omitted before are omitted here
    both.iter_mut().zip(&pair.scenarios).for_each(|(own, side)| own.plan.keep_measures(&side.plan));
    Some(both)
}
