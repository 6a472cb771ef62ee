//! The note on rolls that only one of two versions has.

use super::super::out::{Out, Stop};
use super::{CompareWork, Pair};
use grognard_base::OrdSet;
use grognard_rules::ruleset::SiteSort;
use grognard_scenario::Scenario;
use grognard_stats::Compared;

/// Maximum number of rolls of one version in a message.
const MOST_ROLLS: usize = 6;

/// Returns the keys of the dice of each roll.
fn rolls(scenario: &Scenario) -> OrdSet<String> {
    let rules = &scenario.rules;
    rules.sites.iter().filter(|site| site.sort == SiteSort::Roll).map(|site| rules.address(site)).collect()
}

impl CompareWork<'_> {
    /// Adds a note if most pairs differ and each version has rolls that the other one lacks: a renamed or moved roll has
    /// different dice.
    pub(super) fn renamed(&mut self, found: &Compared, pair: &Pair, out: &mut Out) -> Result<(), Stop> {
        let Compared::Sampled(found) = found else { return Ok(()) };
        let runs = found.pairs - found.faults;
        let most = found.effects.iter().map(|e| e.discordant).max().unwrap_or(0);
        let [a, b] = pair.scenarios.each_ref().map(rolls);
        let [only_a, only_b] = [a.difference(&b), b.difference(&a)].map(|only| {
            let named: Vec<String> = only.map(|roll| format!("`{roll}`")).collect();
            let rest = if named.len() > MOST_ROLLS { " .." } else { "" };
            named.into_iter().take(MOST_ROLLS).collect::<Vec<String>>().join(" ") + rest
        });
        if self.args.unpaired || 2 * most <= runs || only_a.is_empty() || only_b.is_empty() {
            return Ok(());
        }
        out.say(
            &format!(
                "{most} of {runs} pairs differ, and some rolls are in one version only: in A {only_a}, in B {only_b}. A renamed \
                 roll has different dice; give it the same key in both versions, `roll x as \"key\" = ..`, to use the same \
                 dice"
            ),
        )
    }
}
