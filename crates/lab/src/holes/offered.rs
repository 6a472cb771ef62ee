//! What no menu ever had and what no run ever came to: counted over the runs that were played, and said with their number.

use super::census::Census;
use super::{Hole, HoleSort, Share, item_words};
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{OrdSet, Sources};
use grognard_play::coverage::{SourceLine, place};
use grognard_rules::ruleset::{Item, Ruleset, Trigger};

/// Menus that have to come before it says something that an action was on none.
const FEWEST: u64 = 20;

/// Actions and options that were on no menu.
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
                says: format!("`{name}` of the choice `{}` was never to be had in {asked} times", site.name),
                weight: Some(Share { hit: 0, of: *asked }),
                ..Hole::of(HoleSort::Unoffered, rules, item, sources)
            });
        }
    }
    found
}

/// Rules that ran in no run; `looked_at` are items of which something was.
pub fn unreached(census: &Census, rules: &Ruleset, sources: &Sources, looked_at: &OrdSet<ItemId>) -> Vec<Hole> {
    let silent = rules.rules.iter().filter(|rule| !census.entered.contains_key(&rule.func));
    let told = silent.map(|rule| {
        let item = &rules.items[rule.item.at()];
        let judged = looked_at.contains(&rule.item);
        let says = match (rule.guard.is_some() && judged, rule.on) {
            (true, _) => format!("{} never ran: its condition `{}` never held", rule.name, rule.guard_text),
            (false, Trigger::Event(event)) => {
                format!("{} never ran: {} was never announced to it", rule.name, rules.events[event.at()].name)
            }
            (false, _) => format!("{} never ran: what it waits for never came", rule.name),
        };
        let weight = Some(Share { hit: 0, of: census.runs });
        Hole { says, weight, ..Hole::of(HoleSort::Unreached, rules, item, sources) }
    });
    told.collect()
}

/// Places of what ran or was offered, with its item: what another ruleset on the same files does not come to is no hole then.
pub fn reached(census: &Census, rules: &Ruleset, sources: &Sources) -> OrdSet<(SourceLine, String)> {
    let told = |item: &Item| (place(sources, item.span), item_words(item));
    let ran = rules.rules.iter().filter(|rule| census.entered.contains_key(&rule.func));
    let had = census.actions.iter().filter(|(_, menus)| menus.offered > 0).map(|(id, _)| rules.actions[id.at()].item);
    ran.map(|rule| rule.item).chain(had).map(|item| told(&rules.items[item.at()])).collect()
}
