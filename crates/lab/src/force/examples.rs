//! Finds params that a variant overrides although every example that depends on them sets them itself.

use grognard_base::Sources;
use grognard_base::value::{FuncId, SettingId};
use grognard_program::{Built, reached_with};
use grognard_rules::ruleset::Example;
use grognard_scenario::examples::{cases, prepare};

/// A param whose override is not tested by any example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldOverride {
    /// The name of the param.
    pub name: String,
    /// The ruleset that overrides it.
    pub by: String,
    /// Titles of the examples that set it with `under`.
    pub examples: Vec<String>,
}

/// Finds the params that a ruleset overrides, that examples of the extended files set with `under`, and that no other
/// example can read. Those examples hold for any override.
pub fn held_overrides(built: &Built, sources: &Sources) -> Vec<HeldOverride> {
    let rules = &built.rules;
    let mut found = Vec::new();
    for (n, setting) in rules.settings.iter().enumerate() {
        let from = rules.items[setting.item.at()].from;
        let holds = |example: &&Example| example.tree.under.iter().any(|(name, _)| name.text == setting.name);
        let below = rules.examples.iter().filter(|example| example.from < from).filter(holds);
        let examples: Vec<String> = below.map(|example| example.tree.title.text.clone()).collect();
        let free = || rules.examples.iter().filter(|example| !holds(example));
        if !examples.is_empty() && !free().any(|example| reads(built, example, SettingId::from(n), sources)) {
            let by = rules.chain.get(from).map_or(String::new(), |(path, _)| path.clone());
            found.push(HeldOverride { name: setting.name.clone(), by, examples });
        }
    }
    found
}

/// Returns whether the code of an example can read a param. Returns `true` if that is unknown.
fn reads(built: &Built, example: &Example, id: SettingId, sources: &Sources) -> bool {
    cases(&example.tree).iter().any(|case| {
        let bound = prepare(built, example, case, &[], sources).and_then(|prepared| prepared.settle());
        bound.map_or(true, |scenario| {
            let program = &scenario.game.program;
            let item = scenario.plan.call.as_ref().map(|call| program.funcs[call.func.at()].item);
            let of_call = program.funcs.iter().enumerate().filter(|(_, f)| Some(f.item) == item);
            let calls: Vec<FuncId> = of_call.map(|(n, _)| FuncId::from(n)).collect();
            let begins = |stored| scenario.plan.fixed.leaves(stored, &program.schema);
            reached_with(program, &calls, &begins).settings.contains(id)
        })
    })
}
