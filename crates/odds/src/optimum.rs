//! The optimal value and policy of a Markov decision process: the value of each state, and the entry that reaches it. A count
//! along the way is an expected total reward (stochastic shortest paths, Bertsekas and Tsitsiklis 1991).

use super::Precision;
use super::components::Components;
use super::cycles::MOST;
use super::enclose::Enclosed;
use super::graph::*;
use super::influence::Target;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_scenario::Counted;
use grognard_vm::{Fault, State};
use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::FxHashMap;

/// Maximum number of states in cycles with decisions for which best play is computed in fractions. The values of larger cycles
/// are enclosed.
const FEW: usize = 4000;

/// Binary logarithms of the limits of a count, tried one after the other.
const COUNTED: [u32; 3] = [10, 20, 30];

/// Binary logarithm of the value of an infinite count in fractions: more than twice the bits of any finite count.
const ENDLESS: u64 = 256;

/// One row of a policy: the decision at one state.
#[derive(Clone, Debug)]
pub struct PolicyRow {
    /// The state at which the question is asked.
    pub state: State,
    /// Variables of the running functions, from the outermost in: the function, the index of the variable, its cells.
    pub variables: Vec<(FuncId, LocalId, Vec<i64>)>,
    /// The site of the choice.
    pub site: SiteId,
    /// The subject and the player of the choice, packed.
    pub who: grognard_vm::Who,
    /// Whether the objective is maximized; otherwise it is minimized.
    pub best: bool,
    /// The entries of the menu, as text.
    pub menu: Vec<String>,
    /// The index of the chosen entry.
    pub taken: usize,
    /// The indices of all entries with the same value, or with overlapping bounds.
    pub ties: Vec<usize>,
    /// The lower and upper bound of the value; for a count, of the rest of the count.
    pub worth: (Fraction, Fraction),
    /// The expected number of visits, or `None` if it is not known.
    pub reached: Option<Fraction>,
    /// The counts that belong to the state; `true` if the count is a lower bound.
    pub counts: Vec<(Counted, i64, bool)>,
}

impl Graph<'_> {
    /// Computes the best play for an objective, whose values are within `bounds`. The graph follows that policy from then on. A
    /// count covers the whole run, infinite runs included. Ties go to the first entry, unless the decision is in a cycle.
    ///
    /// # Errors
    ///
    /// Fails if a decision can lead to an error, if the objective has no value at an end, or if the search exceeds a
    /// limit.
    pub fn optimise(&mut self, objective: Target<'_>, bounds: Option<(Fraction, Fraction)>) -> Result<(), Fault> {
        self.is_safe()?;
        let ends = self.own_worths(objective)?;
        self.policy = None;
        self.forget_visits();
        let parts = self.parts();
        self.policy = Some(self.first_entries());
        if let Target::Counted(_) = objective {
            return self.optimise_count(&parts, &ends);
        }
        let comes_back = |part: &&[Node]| part.len() > 1 && part.iter().any(|n| self.decision(*n).is_some());
        let many: usize = parts.iter().filter(comes_back).map(<[Node]>::len).sum();
        if !self.cut_short() && (many <= FEW || self.options.precision == Precision::Fractions) {
            match self.in_fractions(&parts, &ends) {
                // Bounds are cheaper than fractions.
                Err(fault) if fault.code == Code::Budget => self.policy = Some(self.first_entries()),
                done => return done.map(|_| ()),
            }
        }
        let open = match bounds {
            Some(bounds) => bounds,
            None if !self.cut_short() => (Fraction::zero(), Fraction::zero()),
            None => {
                let message = "the objective has no bounds, so the best play cannot be found from some of the states; \
                               as `min(x, 100)` it has some. A count is found without: a sum of `rounds` and of tallies \
                               that only grow, each times a whole number, all added or all subtracted";
                return Err(Fault::new(Code::Budget, message));
            }
        };
        let never = self.options.never.clone();
        self.enclosure = Some(self.enclose(&parts, &ends, Enclosed::Worths { never: &never, open: &open }));
        Ok(())
    }

    /// Computes the best play for a count. Bounds come first: they show infinite counts, and start from a policy with a finite
    /// one.
    fn optimise_count(&mut self, parts: &Components, counts: &FxHashMap<Node, Fraction>) -> Result<(), Fault> {
        if self.cut_short() {
            let message = "the best play for a count cannot be found from some of the states";
            return Err(Fault::new(Code::Budget, message));
        }
        let first = self.policy.clone();
        let falls = counts.values().any(|count| *count < Fraction::zero());
        let come_back = parts.iter().filter(|part| part.len() > 1).map(<[Node]>::len).sum::<usize>();
        let mut in_fractions = come_back <= FEW || self.options.precision == Precision::Fractions;
        for places in COUNTED {
            self.policy.clone_from(&first);
            let found = self.enclose(parts, counts, Enclosed::Counts { places, falls });
            if std::mem::take(&mut in_fractions) {
                let enclosed = self.policy.clone();
                match self.in_fractions(parts, counts) {
                    Err(fault) if fault.code == Code::Budget => self.policy = enclosed,
                    Err(fault) => return Err(fault),
                    Ok(worth) if is_large(&worth) => {
                        return Err(Fault::new(Code::NoEnd, "under this play the count grows forever"));
                    }
                    Ok(_) => return Ok(()),
                }
            }
            if found.is_bounded() {
                self.enclosure = Some(found);
                return Ok(());
            }
        }
        let message = "under this play the count has no end, or takes too long to be bounded";
        Err(Fault::new(Code::Budget, message))
    }

    /// Computes the best play in fractions, component by component, and returns its value.
    fn in_fractions(&mut self, parts: &Components, ends: &FxHashMap<Node, Fraction>) -> Result<Fraction, Fault> {
        let mut worths = vec![Fraction::zero(); self.nodes.len()];
        for part in parts.iter() {
            if self.alone(part, |n| self.edges_of(n)) {
                // The successors have values, so each decision is made once.
                self.improve(part, None, &worths);
                self.evaluate(std::iter::once(part), ends, &self.options.never, &mut worths)?;
            } else {
                self.improve_round(part, ends, &mut worths)?;
            }
        }
        Ok(self.worth_of(0, &worths))
    }

    /// Returns the policy that takes the first entry of each menu.
    fn first_entries(&self) -> Vec<u32> {
        let mut policy = vec![NO_EDGE; self.nodes.len()];
        self.choices().for_each(|(n, ..)| policy[n as usize] = self.edges_of(n).start as u32);
        policy
    }

    /// Changes the edges that these decisions take.
    fn take(&mut self, changed: Vec<(Node, u32)>) {
        let Some(policy) = &mut self.policy else { return };
        changed.into_iter().for_each(|(node, edge)| policy[node as usize] = edge);
    }

    /// Solves a component with decisions by policy iteration (Howard 1960): the minimizing side answers each policy of the
    /// maximizing side, until neither side improves.
    fn improve_round(
        &mut self,
        part: &[Node],
        ends: &FxHashMap<Node, Fraction>,
        worths: &mut [Fraction],
    ) -> Result<(), Fault> {
        let decisions = part.iter().filter(|n| self.decision(**n).is_some()).count();
        let rounds = 64 + 4 * decisions;
        for _ in 0..rounds {
            let mut inner = 0;
            loop {
                let parts = self.parts_among(part.iter().copied(), |n| part.binary_search(&n).is_ok());
                self.evaluate(parts.iter(), ends, &self.options.never, worths)?;
                if !self.improve(part, Some(false), worths) && !self.stay(part, false, ends, worths) {
                    break;
                }
                inner += 1;
                if inner > rounds {
                    return Err(endless());
                }
            }
            if !self.improve(part, Some(true), worths) && !self.stay(part, true, ends, worths) {
                return Ok(());
            }
        }
        Err(endless())
    }

    /// Takes better entries for one side, or for both if `side` is `None`. Returns whether the policy changed.
    fn improve(&mut self, part: &[Node], side: Option<bool>, worths: &[Fraction]) -> bool {
        let mut changed = Vec::new();
        for node in part {
            let Some(best) = self.decision(*node).map(|d| d.best) else { continue };
            if side.is_some_and(|side| side != best) {
                continue;
            }
            let zero = Fraction::zero();
            let worth = |edge: usize| worths.get(self.to[edge] as usize).unwrap_or(&zero);
            let old = self.taken(*node).start;
            let mut taken = old;
            for edge in self.edges_of(*node) {
                let (new, so_far) = (worth(edge), worth(taken));
                if if best { new > so_far } else { new < so_far } {
                    taken = edge;
                }
            }
            if taken != old {
                changed.push((*node, taken as u32));
            }
        }
        let some = !changed.is_empty();
        self.take(changed);
        some
    }

    /// Keeps a side in a cycle if an infinite run is better for it, which no single step shows. Returns whether there
    /// is such a cycle.
    fn stay(&mut self, part: &[Node], best: bool, ends: &FxHashMap<Node, Fraction>, worths: &[Fraction]) -> bool {
        let never = &self.options.never;
        let gains = |n: &Node| {
            let worth = &worths[*n as usize];
            !is_counted(ends, *n) && if best { worth < never } else { worth > never }
        };
        let mut kept: Vec<Node> = part.iter().copied().filter(gains).collect();
        loop {
            let inside = |edge: usize| kept.binary_search(&self.to[edge]).is_ok();
            let stays = |node: &Node| match self.decision(*node) {
                Some(decision) if decision.best == best => self.edges_of(*node).any(inside),
                // The maximizing side must be able to stay whatever the other does; the minimizing side answers a policy.
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
        let own = |node: &&Node| self.decision(**node).is_some_and(|d| d.best == best);
        let round: Vec<(Node, u32)> = kept
            .iter()
            .filter(own)
            .filter_map(|node| Some((*node, self.edges_of(*node).find(inside)? as u32)))
            .collect();
        self.take(round);
        !kept.is_empty()
    }

    /// Returns whether a component is a single node without an edge to itself.
    pub(super) fn alone(&self, part: &[Node], edges: impl Fn(Node) -> std::ops::Range<usize>) -> bool {
        part.len() == 1 && !edges(part[0]).any(|e| self.to[e] == part[0])
    }

    fn worth_of(&self, node: Node, worths: &[Fraction]) -> Fraction {
        worths.get(node as usize).cloned().unwrap_or_else(Fraction::zero)
    }

    /// Returns the value of each end, or the expected count of each node at each visit.
    pub(super) fn own_worths(&self, objective: Target<'_>) -> Result<FxHashMap<Node, Fraction>, Fault> {
        let sums = match objective {
            Target::Value(query) => return Ok(self.at_ends(query, None, "objective")?.0),
            Target::Counted(counts) => self.sums_of(counts),
        };
        let mut counts = FxHashMap::default();
        for node in 0..self.ends.len() as Node {
            for counted in self.edges_of(node).filter_map(|edge| self.counted_on(edge, &sums)) {
                let share = Fraction::new(counted, self.whole(node).big());
                *counts.entry(node).or_insert_with(Fraction::zero) += &share;
            }
        }
        Ok(counts)
    }

    /// Returns the value of each node under the followed policy, with `never` as the value of an infinite run. Errors and
    /// unexplored parts have the value 0, and no decision leads to an error. A node with a separate count adds it at each
    /// visit. An infinite count has a value above all finite counts, or below all of them.
    pub(super) fn worths(&self, ends: &FxHashMap<Node, Fraction>, never: &Fraction) -> Result<Vec<Fraction>, Fault> {
        let mut worths = vec![Fraction::zero(); self.nodes.len()];
        self.evaluate(self.parts().iter(), ends, never, &mut worths)?;
        Ok(worths)
    }

    /// Computes the values of some components, in their order; their successors have values.
    fn evaluate<'p>(
        &self,
        parts: impl Iterator<Item = &'p [Node]>,
        ends: &FxHashMap<Node, Fraction>,
        never: &Fraction,
        worths: &mut [Fraction],
    ) -> Result<(), Fault> {
        for part in parts {
            if self.alone(part, |n| self.taken(n)) {
                let node = part[0];
                let mut worth = ends.get(&node).cloned().unwrap_or_else(Fraction::zero);
                for edge in self.taken(node).filter(|e| self.to[*e] != UNEXPLORED) {
                    worth += &(&worths[self.to[edge] as usize] * &self.chance_of(node, edge));
                    let words = 1 + worth.den().bits() / 64;
                    if !self.splitter.meter.words(words * words) {
                        return Err(too_much());
                    }
                }
                worths[node as usize] = endless_if_large(worth);
                continue;
            }
            let leaves = |n: &Node| self.taken(*n).any(|e| part.binary_search(&self.to[e]).is_err());
            if !part.iter().any(leaves) {
                let counted = part.iter().filter_map(|n| ends.get(n)).find(|count| !count.is_zero());
                let worth = counted.map_or_else(|| never.clone(), without_end);
                part.iter().for_each(|n| worths[*n as usize] = worth.clone());
                continue;
            }
            if part.len() > MOST {
                return Err(Fault::new(
                    Code::Budget,
                    format!("{} states form cycles; at most {MOST} can be solved", part.len()),
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
            let Some(solved) = self.cycle(part, &|_| true).solve(&self.splitter.meter, &mut { u64::MAX }) else {
                return Err(too_much());
            };
            let found = solved.worth(direct);
            part.iter().zip(found).for_each(|(n, worth)| worths[*n as usize] = endless_if_large(worth));
        }
        Ok(())
    }

    /// Returns the policy that was computed: one row for each decision that it reaches.
    ///
    /// # Errors
    ///
    /// Fails if a query fails at an end, or if the values exceed a limit.
    pub fn policy(&self, objective: Target<'_>) -> Result<Vec<PolicyRow>, Fault> {
        let worths = match self.enclosure {
            Some(_) => Vec::new(),
            None => self.worths(&self.own_worths(objective)?, &self.options.never)?,
        };
        let worth_of = |edge: usize| match (&self.enclosure, self.to[edge]) {
            (Some(enclosure), node) => enclosure.of(node),
            (None, node) => [(); 2].map(|()| self.worth_of(node, &worths)).into(),
        };
        let masses = self.masses(|_| true, false, Precision::Fractions);
        let come_to = self.reached();
        let mut rows = Vec::new();
        for (node, store, decision) in self.choices().filter(|(node, ..)| come_to.contains(*node as usize)) {
            let edges = self.edges_of(node);
            let taken = self.taken(node).start;
            let worth = worth_of(taken);
            // Overlapping bounds do not decide which entry is better.
            let ties = edges.clone().take(decision.names.len()).filter(|e| {
                let (low, high) = worth_of(*e);
                low <= worth.1 && worth.0 <= high
            });
            let (state, outer, sums) = self.position(store);
            rows.push(PolicyRow {
                variables: self.splitter.canonical.borrow_mut().variables(&state, self.splitter.root),
                state,
                site: decision.site,
                who: decision.who,
                best: decision.best,
                menu: decision.names.clone(),
                taken: taken - edges.start,
                ties: ties.map(|e| e - edges.start).collect(),
                worth,
                reached: Some(masses.of(node)).filter(|share| !share.is_zero()),
                counts: self.splitter.outside.counts(&outer, &sums),
            });
        }
        Ok(rows)
    }
}

/// Returns the value, with a common one for all infinite counts.
fn endless_if_large(worth: Fraction) -> Fraction {
    if is_large(&worth) { without_end(&worth) } else { worth }
}

/// Returns the value of an infinite count with this sign.
fn without_end(count: &Fraction) -> Fraction {
    let endless = Fraction::of(BigUint::one() << ENDLESS, BigUint::one());
    if *count < Fraction::zero() { -&endless } else { endless }
}

/// Returns whether a value is larger than any finite one: values have 63 bits.
fn is_large(worth: &Fraction) -> bool {
    worth.num().bits() > worth.den().bits() + ENDLESS / 2
}

/// Returns whether a node counts something at each visit.
fn is_counted(own: &FxHashMap<Node, Fraction>, node: Node) -> bool {
    own.get(&node).is_some_and(|count| !count.is_zero())
}

fn too_much() -> Fault {
    Fault::new(Code::Budget, "the values of all states are too expensive to compute in fractions")
}

fn endless() -> Fault {
    Fault::new(Code::Fuel, "the best and the worst line of play chase each other in a circle; a limit would end it")
}
