//! Finds actions and options that no menu offered, and rules that no run reached. The findings are based on the runs
//! that were played, and report their number.

use super::census::Census;
use super::{Hole, HoleSort, Share, item_words};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{OrdSet, Sources};
use grognard_play::coverage::{SourceLine, place};
use grognard_rules::ruleset::{Item, Ruleset, Trigger};

/// Minimum number of menus without an action for a finding.
const FEWEST: u64 = 20;

/// Finds actions and options that were on no menu.
pub fn unoffered(census: &Census, rules: &Ruleset, sources: &Sources) -> Vec<Hole> {
    let mut found = Vec::new();
    for (id, menus) in census.actions.iter().filter(|(_, m)| m.offered == 0 && m.came >= FEWEST) {
        let action = &rules.actions[id.at()];
        let item = &rules.items[action.item.at()];
        let mut refused: Vec<(&String, &u64)> = menus.refused.iter().collect();
        order::sort_by_key(&mut refused, |(why, times)| (std::cmp::Reverse(**times), (*why).clone()));
        let lines = refused.iter().take(4).map(|(why, times)| format!("kept away by `{why}` on {times}")).collect();
        found.push(Hole {
            says: format!("{} was on none of {} menus that could have had it", action.name, menus.came),
            lines: if menus.refused.is_empty() {
                vec!["there was nothing that its header could choose".into()]
            } else {
                lines
            },
            weight: Some(Share { hit: 0, of: menus.came }),
            ..Hole::of(HoleSort::Unoffered, rules, item, sources)
        });
    }
    for (site, (asked, names)) in census.options.iter().filter(|(_, (asked, _))| *asked >= FEWEST) {
        let site = &rules.sites[site.at()];
        let item = &rules.items[rules.functions[site.func.at()].item.at()];
        for name in site.options.iter().filter(|name| !names.contains(*name)) {
            found.push(Hole {
                at: place(sources, site.span),
                says: format!("`{name}` of the choice `{}` was never available in {asked} times", site.name),
                weight: Some(Share { hit: 0, of: *asked }),
                ..Hole::of(HoleSort::Unoffered, rules, item, sources)
            });
        }
    }
    found
}

/// Finds rules that did not run. `looked_at` are the items of which any code ran.
pub fn unreached(census: &Census, rules: &Ruleset, sources: &Sources, looked_at: &OrdSet<ItemId>) -> Vec<Hole> {
    let silent = rules.rules.iter().filter(|rule| !census.entered.contains_key(&rule.func));
    let rendered = silent.map(|rule| {
        let item = &rules.items[rule.item.at()];
        let judged = looked_at.contains(&rule.item);
        let says = match (rule.guard.is_some() && judged, rule.on) {
            (true, _) => format!("{} never ran: its condition `{}` never held", rule.name, rule.guard_text),
            (false, Trigger::Event(event)) => {
                format!("{} never ran: {} was never announced to it", rule.name, rules.events[event.at()].name)
            }
            (false, _) => format!("{} never ran: its trigger never occurred", rule.name),
        };
        let weight = Some(Share { hit: 0, of: census.runs });
        Hole { says, weight, ..Hole::of(HoleSort::Unreached, rules, item, sources) }
    });
    rendered.collect()
}

/// Returns the source lines and names of items that ran or were offered. Such an item is not a hole of another ruleset
/// with the same files.
pub fn reached(census: &Census, rules: &Ruleset, sources: &Sources) -> OrdSet<(SourceLine, String)> {
    let rendered = |item: &Item| (place(sources, item.span), item_words(item));
    let ran = rules.rules.iter().filter(|rule| census.entered.contains_key(&rule.func));
    let had = census.actions.iter().filter(|(_, menus)| menus.offered > 0).map(|(id, _)| rules.actions[id.at()].item);
    ran.map(|rule| rule.item).chain(had).map(|item| rendered(&rules.items[item.at()])).collect()
}
