//! The best and the worst that players can do: what each position is worth, and which entry makes it so.

use super::Task;
use super::answer::{Args, Query};
use super::cycles::MOST;
use super::graph::*;
use crate::base::Code;
use crate::machine::{Fault, State};
use crate::value::*;
use std::collections::HashMap;

/// One line of a policy: what is done at a decision.
#[derive(Clone, Debug)]
pub struct Row {
    /// The position at which it is asked.
    pub state: State,
    /// The choice.
    pub site: SiteId,
    /// Whose choice it is: subject and player, packed.
    pub who: crate::machine::Who,
    /// True for the greatest objective, false for the least.
    pub best: bool,
    /// The menu, and which of it is taken.
    pub menu: Vec<String>,
    /// The place of the entry that is taken.
    pub taken: usize,
    /// Places of all entries that are as good.
    pub ties: Vec<usize>,
    /// What the position is worth.
    pub worth: Fraction,
    /// How often it is reached.
    pub reached: Fraction,
}

impl Graph<'_> {
    /// Looks for the best line of play by the objective of the options; from then on the graph follows it. Of entries
    /// that are as good the first is taken.
    pub fn optimise(&mut self) -> Result<(), Fault> {
        if self.decisions.is_empty() {
            return Ok(());
        }
        let (Some(piece), Task::Plan(scenario)) = (self.options.objective, self.task) else {
            return Err(Fault::new(Code::NeedsOdds, "`best` and `worst` need an `objective`"));
        };
        let func = scenario.pieces[piece.0].func;
        self.optimise_for(Query { func, args: Args::Rounds })
    }

    /// The same for any objective.
    pub fn optimise_for(&mut self, objective: Query<'_>) -> Result<(), Fault> {
        let ends = self.end_worths(objective)?;
        let mut decisions: Vec<Node> = self.decisions.keys().copied().collect();
        decisions.sort_unstable();
        let first = |n: &Node| (*n, self.edges_of(*n).start as u32);
        self.policy = Some(decisions.iter().map(first).collect());
        // the worst side answers each policy of the best side
        let best: Vec<Node> = decisions.iter().copied().filter(|n| self.decisions[n].best).collect();
        let worst: Vec<Node> = decisions.iter().copied().filter(|n| !self.decisions[n].best).collect();
        let rounds = 64 + 4 * decisions.len();
        for _ in 0..rounds {
            let mut worths = self.worths(&ends)?;
            let mut inner = 0;
            while self.improve(&worst, &worths) {
                worths = self.worths(&ends)?;
                inner += 1;
                if inner > rounds {
                    return Err(endless());
                }
            }
            if !self.improve(&best, &worths) {
                self.settle_ties(&worths);
                return Ok(());
            }
        }
        Err(endless())
    }

    /// Takes a better entry wherever there is one; false if nothing changed.
    fn improve(&mut self, decisions: &[Node], worths: &[Fraction]) -> bool {
        let mut changed = Vec::new();
        for node in decisions {
            let best = self.decisions[node].best;
            let worth = |edge: usize| self.worth_of(self.to[edge], worths);
            let mut taken = self.taken(*node).start;
            for edge in self.edges_of(*node) {
                let (new, old) = (worth(edge), worth(taken));
                if if best { new > old } else { new < old } {
                    taken = edge;
                }
            }
            if taken != self.taken(*node).start {
                changed.push((*node, taken as u32));
            }
        }
        let some = !changed.is_empty();
        if let Some(policy) = &mut self.policy {
            policy.extend(changed);
        }
        some
    }

    /// Of entries as good as the taken one the first is taken, where nothing comes back to the decision.
    fn settle_ties(&mut self, worths: &[Fraction]) {
        let policy = self.policy.take();
        let parts = self.parts();
        self.policy = policy;
        for part in parts.iter().filter(|p| p.len() == 1) {
            let node = part[0];
            if !self.decisions.contains_key(&node) {
                continue;
            }
            let now = self.worth_of(self.to[self.taken(node).start], worths);
            let first = self.edges_of(node).find(|e| self.worth_of(self.to[*e], worths) == now);
            if let (Some(first), Some(policy)) = (first, &mut self.policy) {
                policy.insert(node, first as u32);
            }
        }
    }

    fn worth_of(&self, node: Node, worths: &[Fraction]) -> Fraction {
        worths.get(node as usize).cloned().unwrap_or_else(Fraction::zero)
    }

    /// What each end is worth.
    fn end_worths(&self, objective: Query<'_>) -> Result<HashMap<Node, Fraction>, Fault> {
        let mut found = HashMap::new();
        for node in self.end_nodes() {
            let Sort::End(store) = self.nodes[node as usize] else { continue };
            let mut worth = Fraction::zero();
            for (value, part, whole) in self.parts_of(store, objective, None) {
                let value = match value?[..] {
                    [NONE, ..] | [] => {
                        return Err(Fault::new(Code::Missing, "the objective is missing at an end of the run"));
                    }
                    [num, den] => Fraction::from(Ratio::new(num, den).unwrap_or(Ratio::ZERO)),
                    [n, ..] => Fraction::whole(n),
                };
                worth += &(&value * &Fraction::of(part.big(), whole.big()));
            }
            found.insert(node, worth);
        }
        Ok(found)
    }

    /// What each node is worth if the taken edges are followed. Errors and what was not explored count 0.
    pub(super) fn worths(&self, ends: &HashMap<Node, Fraction>) -> Result<Vec<Fraction>, Fault> {
        let mut worths = vec![Fraction::zero(); self.nodes.len()];
        for part in self.parts() {
            let alone = part.len() == 1 && !self.taken(part[0]).any(|e| self.to[e] == part[0]);
            if alone {
                let node = part[0];
                let mut worth = ends.get(&node).cloned().unwrap_or_else(Fraction::zero);
                for edge in self.taken(node) {
                    worth += &(&self.worth_of(self.to[edge], &worths) * &self.chance_of(node, edge));
                }
                worths[node as usize] = worth;
                continue;
            }
            let leaves = |n: &Node| self.taken(*n).any(|e| part.binary_search(&self.to[e]).is_err());
            if !part.iter().any(leaves) {
                part.iter().for_each(|n| worths[*n as usize] = self.options.never.clone());
                continue;
            }
            if part.len() > MOST {
                return Err(Fault::new(
                    Code::Fuel,
                    format!("{} positions come back to each other; {MOST} are solved at most", part.len()),
                ));
            }
            let mut direct = Vec::with_capacity(part.len());
            for node in &part {
                let mut worth = Fraction::zero();
                for edge in self.taken(*node).filter(|e| part.binary_search(&self.to[*e]).is_err()) {
                    worth += &(&self.worth_of(self.to[edge], &worths) * &self.chance_of(*node, edge));
                }
                direct.push(worth);
            }
            let found = self.cycle(&part, &|_| true).solve().worth(direct);
            part.iter().zip(found).for_each(|(n, worth)| worths[*n as usize] = worth);
        }
        Ok(worths)
    }

    /// The line of play that was found: every decision that it reaches.
    pub fn policy(&self, objective: Query<'_>) -> Result<Vec<Row>, Fault> {
        let worths = self.worths(&self.end_worths(objective)?)?;
        let masses = self.masses(|_| true);
        let mut rows = Vec::new();
        let mut decisions: Vec<(&Node, &Decision)> = self.decisions.iter().collect();
        decisions.sort_unstable_by_key(|(node, _)| **node);
        for (node, decision) in decisions {
            let Sort::Position(store) = self.nodes[*node as usize] else { continue };
            if masses.is_zero(*node) {
                continue;
            }
            let edges = self.edges_of(*node);
            let taken = self.taken(*node).start;
            let worth = self.worth_of(self.to[taken], &worths);
            let ties = edges.clone().filter(|e| self.worth_of(self.to[*e], &worths) == worth);
            rows.push(Row {
                state: self.position(store).0,
                site: decision.site,
                who: decision.who,
                best: decision.best,
                menu: decision.names.clone(),
                taken: taken - edges.start,
                ties: ties.map(|e| e - edges.start).collect(),
                worth,
                reached: masses.of(*node),
            });
        }
        Ok(rows)
    }
}

fn endless() -> Fault {
    Fault::new(Code::Fuel, "the best and the worst line of play chase each other in a circle; a limit would end it")
}
