//! The optimal value and policy of a Markov decision process: what each position is worth, and which entry makes it so.

use super::Task;
use super::answer::{Args, Query, number};
use super::cycles::MOST;
use super::graph::*;
use crate::base::Code;
use crate::machine::{Fault, State};
use crate::value::*;
use std::collections::HashMap;

/// Positions with decisions that come back to each other of which the best play is looked for in fractions; that of more
/// is enclosed.
const FEW: usize = 4000;

/// One line of a policy: what is done at a decision.
#[derive(Clone, Debug)]
pub struct Row {
    /// The position at which it is asked.
    pub state: State,
    /// Variables of what runs there, from the outermost function in: the function, which of its variables, its cells.
    pub variables: Vec<(FuncId, LocalId, Vec<i64>)>,
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
    /// that are as good the first is taken, where nothing comes back to the decision.
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
        self.policy = None;
        let parts = self.parts();
        let first = |n: &Node| (*n, self.edges_of(*n).start as u32);
        self.policy = Some(self.decisions.keys().map(first).collect());
        let comes_back = |part: &&[Node]| part.len() > 1 && part.iter().any(|n| self.decisions.contains_key(n));
        let many: usize = parts.iter().filter(comes_back).map(<[Node]>::len).sum();
        if many > FEW && !self.options.fractions {
            let never = self.options.never.clone();
            if let Some(found) = self.enclose(&parts, &ends, &never) {
                self.enclosure = Some(found);
                return Ok(());
            }
            if !self.ground.meter.open() {
                return Err(Fault::new(Code::Budget, "the best play takes more work than is allowed"));
            }
            self.policy = Some(self.decisions.keys().map(|n| (*n, self.edges_of(*n).start as u32)).collect());
        }
        let mut worths = vec![Fraction::zero(); self.nodes.len()];
        for part in parts.iter() {
            if self.alone(part, |n| self.edges_of(n)) {
                // what comes after is known: each decision is made once
                self.improve(part, None, &worths);
                self.evaluate(std::iter::once(part), &ends, &self.options.never, &mut worths)?;
            } else {
                self.improve_round(part, &ends, &mut worths)?;
            }
        }
        Ok(())
    }

    /// Decisions that come back to each other: the worst side answers each policy of the best side, until neither finds
    /// anything better.
    fn improve_round(
        &mut self,
        part: &[Node],
        ends: &HashMap<Node, Fraction>,
        worths: &mut [Fraction],
    ) -> Result<(), Fault> {
        let decisions = part.iter().filter(|n| self.decisions.contains_key(n)).count();
        let rounds = 64 + 4 * decisions;
        for _ in 0..rounds {
            let mut inner = 0;
            loop {
                let parts = self.parts_among(part.iter().copied(), |n| part.binary_search(&n).is_ok());
                self.evaluate(parts.iter(), ends, &self.options.never, worths)?;
                if !self.improve(part, Some(false), worths) && !self.stay(part, false, worths) {
                    break;
                }
                inner += 1;
                if inner > rounds {
                    return Err(endless());
                }
            }
            if !self.improve(part, Some(true), worths) && !self.stay(part, true, worths) {
                return Ok(());
            }
        }
        Err(endless())
    }

    /// Takes a better entry wherever one side, or either, has one; false if nothing changed.
    fn improve(&mut self, part: &[Node], side: Option<bool>, worths: &[Fraction]) -> bool {
        let mut changed = Vec::new();
        for node in part {
            let Some(Decision { best, .. }) = self.decisions.get(node) else { continue };
            if side.is_some_and(|side| side != *best) {
                continue;
            }
            let zero = Fraction::zero();
            let worth = |edge: usize| worths.get(self.to[edge] as usize).unwrap_or(&zero);
            let old = self.taken(*node).start;
            let mut taken = old;
            for edge in self.edges_of(*node) {
                let (new, so_far) = (worth(edge), worth(taken));
                if if *best { new > so_far } else { new < so_far } {
                    taken = edge;
                }
            }
            if taken != old {
                changed.push((*node, taken as u32));
            }
        }
        let some = !changed.is_empty();
        if let Some(policy) = &mut self.policy {
            policy.extend(changed);
        }
        some
    }

    /// Whoever can go round for ever, and gains by it, does; false if nobody does. No single step shows that gain.
    fn stay(&mut self, part: &[Node], best: bool, worths: &[Fraction]) -> bool {
        let never = &self.options.never;
        let gains = |n: &Node| {
            let worth = &worths[*n as usize];
            if best { worth < never } else { worth > never }
        };
        let mut kept: Vec<Node> = part.iter().copied().filter(gains).collect();
        loop {
            let inside = |edge: usize| kept.binary_search(&self.to[edge]).is_ok();
            let stays = |node: &Node| match self.decisions.get(node) {
                Some(decision) if decision.best == best => self.edges_of(*node).any(inside),
                // the best side has to stay whatever the other does; the worst side answers a policy
                Some(_) if best => self.edges_of(*node).all(inside),
                _ => self.taken(*node).all(inside),
            };
            let left: Vec<Node> = kept.iter().copied().filter(stays).collect();
            if left.len() == kept.len() {
                break;
            }
            kept = left;
        }
        let inside = |edge: &usize| kept.binary_search(&self.to[*edge]).is_ok();
        let own = |node: &&Node| self.decisions.get(node).is_some_and(|d| d.best == best);
        let round: Vec<(Node, u32)> = kept
            .iter()
            .filter(own)
            .filter_map(|node| Some((*node, self.edges_of(*node).find(inside)? as u32)))
            .collect();
        if let Some(policy) = &mut self.policy {
            policy.extend(round);
        }
        !kept.is_empty()
    }

    /// True for a node that does not come back to itself.
    fn alone(&self, part: &[Node], edges: impl Fn(Node) -> std::ops::Range<usize>) -> bool {
        part.len() == 1 && !edges(part[0]).any(|e| self.to[e] == part[0])
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
                let missing = || Fault::new(Code::Missing, "the objective is missing at an end of the run");
                let value = number(&value?).ok_or_else(missing)?;
                worth += &(&value * &Fraction::of(part.big(), whole.big()));
            }
            found.insert(node, worth);
        }
        Ok(found)
    }

    /// What each node is worth if the taken edges are followed, and `never` if that goes on for ever. Errors and what
    /// was not explored count 0. What is worth something by itself is an end, or a node that brings it each time.
    pub(super) fn worths(&self, ends: &HashMap<Node, Fraction>, never: &Fraction) -> Result<Vec<Fraction>, Fault> {
        let mut worths = vec![Fraction::zero(); self.nodes.len()];
        self.evaluate(self.parts().iter(), ends, never, &mut worths)?;
        Ok(worths)
    }

    /// The same for some parts, in their order; what they lead to is known.
    fn evaluate<'p>(
        &self,
        parts: impl Iterator<Item = &'p [Node]>,
        ends: &HashMap<Node, Fraction>,
        never: &Fraction,
        worths: &mut [Fraction],
    ) -> Result<(), Fault> {
        for part in parts {
            if self.alone(part, |n| self.taken(n)) {
                let node = part[0];
                let mut worth = ends.get(&node).cloned().unwrap_or_else(Fraction::zero);
                for edge in self.taken(node).filter(|e| self.to[*e] != UNEXPLORED) {
                    worth += &(&worths[self.to[edge] as usize] * &self.chance_of(node, edge));
                }
                worths[node as usize] = worth;
                continue;
            }
            let leaves = |n: &Node| self.taken(*n).any(|e| part.binary_search(&self.to[e]).is_err());
            if !part.iter().any(leaves) {
                part.iter().for_each(|n| worths[*n as usize] = never.clone());
                continue;
            }
            if part.len() > MOST {
                return Err(Fault::new(
                    Code::Fuel,
                    format!("{} positions come back to each other; {MOST} are solved at most", part.len()),
                ));
            }
            let mut direct = Vec::with_capacity(part.len());
            for node in part {
                let mut worth = ends.get(node).cloned().unwrap_or_else(Fraction::zero);
                for edge in self.taken(*node).filter(|e| part.binary_search(&self.to[*e]).is_err()) {
                    worth += &(&self.worth_of(self.to[edge], worths) * &self.chance_of(*node, edge));
                }
                direct.push(worth);
            }
            let Some(solved) = self.cycle(part, &|_| true).solve(&self.ground.meter) else {
                return Err(Fault::new(
                    Code::Budget,
                    "positions that come back to each other take too much to be solved",
                ));
            };
            let found = solved.worth(direct);
            part.iter().zip(found).for_each(|(n, worth)| worths[*n as usize] = worth);
        }
        Ok(())
    }

    /// The line of play that was found: every decision that it reaches.
    pub fn policy(&self, objective: Query<'_>) -> Result<Vec<Row>, Fault> {
        if self.enclosure.is_some() {
            let message = "the best play was enclosed between bounds; its table needs fractions";
            return Err(Fault::new(Code::Budget, message));
        }
        let worths = self.worths(&self.end_worths(objective)?, &self.options.never)?;
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
            let state = self.position(store).0;
            rows.push(Row {
                variables: self.ground.canon.borrow_mut().variables(&state, self.ground.root),
                state,
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
