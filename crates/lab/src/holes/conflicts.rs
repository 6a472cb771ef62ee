//! Finds contradicting exceptions: two special rules that replace the same field, neither `over` the other, and can
//! hold at the same time. The checker rejects pairs that always hold. Pairs with a condition require a situation.

use super::figures::{Figures, Leaf};
use super::gaps::{Sought, Spot};
use super::situation::{Search, Values};
use super::{Hole, HoleSort, Replay};
use grognard_base::value::*;
use grognard_base::{Code, Sources};
use grognard_play::coverage::place;
use grognard_play::examples::ExampleResult;
use grognard_program::Built;
use grognard_rules::code::{Body, ExprKind};
use grognard_rules::ruleset::{Change, Ruleset, Trait};
use grognard_syntax::tree::TraitSort;

/// Maximum number of pairs that are examined.
const MOST: usize = 400;

/// Returns the pairs of special rules for which a situation was found in which both hold, and the spots for counting
/// them in runs. The indices of the spots refer to the returned holes.
pub fn conflicts<'b>(built: &'b Built, sources: &Sources) -> (Vec<Hole>, Vec<Spot<'b>>) {
    let rules = &built.rules;
    let changes = rules.traits.iter().enumerate();
    let changes = changes.flat_map(|(n, t)| t.changes.iter().map(move |c| (TraitId::from(n), t, c)));
    let replaces: Vec<(TraitId, &Trait, &Change)> = changes.filter(|(_, _, c)| c.op.is_none()).collect();
    let pairs = (0..replaces.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let pairs = pairs.map(|(a, b)| (replaces[a], replaces[b])).filter(|(a, b)| {
        let over = a.2.over == Some(b.0) || b.2.over == Some(a.0);
        a.0 != b.0 && a.1.on == b.1.on && a.2.field == b.2.field && !over && !same(rules, a.2.value, b.2.value)
    });
    let found = pairs.take(MOST).filter_map(|(a, b)| hole(built, sources, a, b));
    let numbered = found.enumerate().map(|(n, (hole, spot))| (hole, Spot { hole: n, ..spot }));
    numbered.unzip()
}

type Replace<'r> = (TraitId, &'r Trait, &'r Change);

fn same(rules: &Ruleset, a: FuncId, b: FuncId) -> bool {
    let value = |f: FuncId| match &rules.functions[f.at()].body {
        Body::Value(e) => {
            if let ExprKind::Const(n) = e.kind {
                Some(n)
            } else {
                None
            }
        }
        _ => None,
    };
    value(a).is_some() && value(a) == value(b)
}

fn hole<'b>(built: &'b Built, sources: &Sources, a: Replace<'b>, b: Replace<'b>) -> Option<(Hole, Spot<'b>)> {
    let rules = &built.rules;
    let field = &rules.fields[a.2.field.at()];
    if field.params > 0 || !field.keys.is_empty() {
        return None;
    }
    let search = Search::new(built, sources, b.2.value);
    let own = search.name(LocalId(0));
    // a trait or status must be granted; a condition holds by itself
    let (mut with, mut borne) = (Vec::new(), Vec::new());
    for (id, held, _) in [a, b].iter().filter(|(_, t, _)| t.sort != TraitSort::Condition) {
        if !rules.records[held.data.at()].fields.is_empty() {
            return None;
        }
        with.push(format!("{own} has {}", held.name));
        borne.push(*id);
    }
    let whens: Vec<FuncId> = [a, b].iter().flat_map(|(_, t, c)| [t.when, c.when]).flatten().collect();
    let mut conditions = Vec::new();
    let mut leaves: Vec<Leaf> = Vec::new();
    for when in whens {
        let figures = Figures::of(rules, when);
        let Body::Value(condition) = &rules.functions[when.at()].body else { return None };
        for leaf in figures.leaves(condition)? {
            if !leaves.contains(&leaf) {
                leaves.push(leaf);
            }
        }
        conditions.push((figures, condition));
    }
    let fits = |values: &Values| {
        let holds = |(figures, condition): &(Figures<'_>, &_)| {
            figures.holds(condition, &mut |leaf: &Leaf| values.get(leaf).copied()) == Some(true)
        };
        conditions.iter().all(holds)
    };
    let claim = format!("{own}.{} = {own}.{}", field.name, field.name);
    let ends = |result: &ExampleResult| {
        result.problems.iter().any(|d| d.code == Code::RunConflict || d.message.contains("two special rules"))
    };
    let title = format!("{} and {} at once", a.1.name, b.1.name);
    let text = search.example(&title, &leaves, &with, &fits, &|_| Some(vec![claim.clone()]), &ends)?;
    let item = &rules.items[b.1.item.at()];
    let says = format!(
        "{} and {} give `{}` different values, and neither is `over` the other: where both hold the run ends",
        a.1.name, b.1.name, field.name
    );
    let hole = Hole {
        says,
        lines: vec![format!("the other: {}", place(sources, rules.items[a.1.item.at()].span))],
        replay: Some(Replay::Example(text)),
        ..Hole::of(HoleSort::Conflict, rules, item, sources)
    };
    Some((hole, Spot { hole: 0, kind: a.1.on, sought: Sought::Both { borne, conditions } }))
}
