//! True states: how many states of small games differ in what can still happen, and how many are explored.
//!
//! Two states are equal if they ask the same decision, or lead with equal probabilities to equal states: the coarsest lumping of
//! the graph (Derisavi, Hermanns and Sanders 2003), here by refinement until nothing changes.

use super::games::Sides;
use grognard_base::value::*;
use grognard_kit::{Lab, text_of};
use grognard_odds::*;
use std::collections::BTreeMap;

/// A class of equal nodes, with what tells it from others: the value of an end, or the question and where it leads.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    End(String),
    Chance(BTreeMap<usize, String>),
    Decision(SiteId, bool, Vec<(String, usize)>),
}

/// Returns how many nodes are left of those that are states after equal ones are merged.
fn true_states(nodes: &[GameNode]) -> usize {
    let mut classes = vec![0; nodes.len()];
    let mut count = 1;
    loop {
        let mut known: BTreeMap<(usize, Class), usize> = BTreeMap::new();
        let refined = nodes.iter().zip(&classes).map(|(node, class)| {
            let class = (*class, class_of(node, &classes));
            let next = known.len();
            *known.entry(class).or_insert(next)
        });
        let refined: Vec<usize> = refined.collect();
        if known.len() == count {
            break;
        }
        (classes, count) = (refined, known.len());
    }
    // the entries of a menu are no states
    let mut states: Vec<usize> = classes.clone();
    for node in nodes {
        if let GameNode::Decision { entries, .. } = node {
            entries.iter().for_each(|(_, entry)| states[*entry] = usize::MAX);
        }
    }
    states.sort_unstable();
    states.dedup();
    states.retain(|class| *class != usize::MAX);
    states.len()
}

fn class_of(node: &GameNode, classes: &[usize]) -> Class {
    match node {
        GameNode::End(value) => Class::End(value.to_string()),
        GameNode::Chance(next) => {
            let mut sums: BTreeMap<usize, Fraction> = BTreeMap::new();
            for (to, chance) in next {
                *sums.entry(classes[*to]).or_insert_with(Fraction::zero) += chance;
            }
            Class::Chance(sums.into_iter().map(|(class, chance)| (class, chance.to_string())).collect())
        }
        GameNode::Decision { site, best, entries, .. } => {
            Class::Decision(*site, *best, entries.iter().map(|(name, to)| (name.clone(), classes[*to])).collect())
        }
    }
}

/// Returns the small games of the fixture: the name, the explored states, the true states, and the rules.
fn games(text: &str) -> Vec<(&str, [usize; 2], &str)> {
    let parts = text.split("\n== ").skip(1).filter_map(|part| {
        let (head, rules) = part.split_once('\n')?;
        let (states, head) = head.split_once(' ')?;
        let (lumps, name) = head.split_once(' ')?;
        Some((name, [states.parse().ok()?, lumps.parse().ok()?], rules))
    });
    parts.collect()
}

#[test]
fn explored_states_are_true_states() {
    let mut found = String::new();
    let mut same = true;
    let text = text_of("crates/odds/tests/fixtures/lumping.txt");
    let games = games(&text);
    assert_eq!(games.len(), 20);
    for (name, states, rules) in games {
        let lab = Lab::of(rules);
        // a phase has no result
        let task = Task::Call { func: lab.func("Game"), args: &[], keep: Some(&[]) };
        let graph = explore(&lab.game, &lab.game.start, task, &mut Sides, ExploreOptions::default());
        let nodes = graph.game_nodes(Query { func: lab.func("worth"), args: Args::Given(&[]) }).unwrap();
        let now = [graph.states(), true_states(&nodes)];
        same &= now == states;
        found += &format!("{now:?} {:.2} {} {name}\n", now[0] as f64 / now[1] as f64, graph.edges());
    }
    assert!(same, "\n{found}");
}
