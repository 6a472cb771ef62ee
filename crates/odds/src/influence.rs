//! First-order influence (Sobol 1993) of each roll on an answer, means of tallies, and the probability that a run uses a piece of
//! code.

use super::Precision;
use super::answer::Query;
use super::distribution::number;
use super::graph::*;
use super::solve::Masses;
use fixedbitset::FixedBitSet;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::Instr;
use grognard_scenario::{Counted, Counts};
use grognard_vm::{Fault, is_unseen};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap};

/// The quantity whose influences are computed.
#[derive(Clone, Copy, Debug)]
pub enum Target<'q> {
    /// A value at the end.
    Value(Query<'q>),
    /// A count along the way; its influences require an exploration with marks.
    Counted(&'q Counts),
}

/// The influence of one roll, draw or random decision on the mean of a value.
#[derive(Clone, Debug)]
pub struct Swing {
    pub site: SiteId,
    /// The subject, a packed thing, or -1.
    pub subject: i64,
    /// The expected number of times that a run makes it.
    pub made: Fraction,
    /// The expected absolute change of the mean when its outcome is known, summed over all times that it is made.
    pub change: Fraction,
    /// Its share of the variance of the value. The shares of all rolls sum to 1, or are all 0.
    pub share: Fraction,
    /// The minimum and maximum of the mean once its outcome is known. `None` for a count along the way, because it depends on the
    /// earlier counts.
    pub range: Option<(Fraction, Fraction)>,
}

/// The influences on the mean of a value.
#[derive(Clone, Debug)]
pub struct Swings {
    /// The mean of the value.
    pub mean: Fraction,
    /// The variance that comes from rolls.
    pub variance: Fraction,
    /// Every roll, draw and random decision that is made, by site and then by subject.
    pub list: Vec<Swing>,
    /// The unexplored share; all other fields are for the rest.
    pub unexplored: Fraction,
    /// The share of runs that end in an error or do not terminate; they are excluded too.
    pub lost: Fraction,
}

/// The value of each end.
type Worths = FxHashMap<Node, Fraction>;

/// The probability that a run uses something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lean {
    /// The lower bound of the probability.
    pub chance: Fraction,
    /// The upper bound of the probability.
    pub most: Fraction,
}

/// Running totals of one site: times made, changes, squares, and range.
struct Sums {
    made: Fraction,
    change: Fraction,
    square: Fraction,
    range: Option<(Fraction, Fraction)>,
}

impl<'g> Graph<'g> {
    /// Returns whether each roll is fully sampled before the next question: no interned state holds unsampled dice. This is always so
    /// with [`super::Pools::Faces`].
    pub fn looks_at_once(&self) -> bool {
        let open = |store: u32| self.position(store).0.heap.iter().any(|cell| is_unseen(*cell));
        !self.nodes.iter().any(
            |node| matches!(node, Sort::Position(store) | Sort::Choice(store, _) | Sort::End(store) if open(*store)),
        )
    }

    /// Returns the influence of each roll on the mean of a value at the end, over the ends at which `given` holds. Errors and
    /// infinite runs are excluded. Each share belongs to a single roll if marks were recorded and [`Graph::looks_at_once`] is
    /// true.
    ///
    /// # Errors
    ///
    /// Fails if a value is missing or in error, if a cycle is too large, or if no explored end counts.
    pub fn swings(&self, of: Target<'_>, given: Option<Query<'_>>) -> Result<Swings, Fault> {
        let (counted, plus, (mut sums, shares)) = match of {
            Target::Value(of) => (Vec::new(), 0, self.weighed(Some(of), given)?),
            Target::Counted(of) => (self.sums_of(of), of.plus, self.weighed(None, given)?),
        };
        let shares = self.worths(&shares, &Fraction::zero())?;
        let on_the_way =
            |edge: usize| self.counted_on(edge, &counted).map(|sum| Fraction::new(sum, self.weight(edge).big()));
        for node in 0..self.ends.len() as Node {
            for edge in self.taken(node).filter(|e| self.to[*e] != UNEXPLORED) {
                let Some(counted) = on_the_way(edge) else { continue };
                let chance = &self.chance_of(node, edge) * &shares[self.to[edge] as usize];
                *sums.entry(node).or_insert_with(Fraction::zero) += &(&chance * &counted);
            }
        }
        let sums = self.worths(&sums, &Fraction::zero())?;
        let masses = self.masses(|_| true, false, Precision::Fractions);
        if masses.rough {
            return Err(Fault::new(Code::Fuel, "too many states form cycles"));
        }
        if shares[0].is_zero() && !masses.unexplored.is_zero() {
            return Err(Fault::new(Code::Budget, "no end that counts was reached within the budget"));
        }
        if shares[0].is_zero() {
            return Err(Fault::new(
                Code::NeverGiven,
                "there is no end at which it has a value and the condition after `given` holds",
            ));
        }
        let mean = |node: Node| &sums[node as usize] / &shares[node as usize];
        let mut found: BTreeMap<(u32, i64), Sums> = BTreeMap::new();
        for node in 0..self.ends.len() as Node {
            let site = self.sites[node as usize];
            let counts = !masses.is_zero(node) && !shares[node as usize].is_zero();
            if site == NOWHERE || !counts || self.decision(node).is_some() {
                continue;
            }
            let weight = &(&masses.of(node) * &shares[node as usize]) / &shares[0];
            let before = mean(node);
            let zero = Fraction::zero;
            let sums = found.entry((site, self.subject(node))).or_insert_with(|| Sums {
                made: zero(),
                change: zero(),
                square: zero(),
                range: None,
            });
            sums.made += &weight;
            for edge in self.taken(node) {
                let to = self.to[edge];
                if to == UNEXPLORED || shares[to as usize].is_zero() {
                    continue;
                }
                let after = &mean(to) + &on_the_way(edge).unwrap_or_default();
                let chance = &(&self.chance_of(node, edge) * &shares[to as usize]) / &shares[node as usize];
                let off = &after - &before;
                let off = if off < zero() { -&off } else { off };
                let moved = &(&off * &chance) * &weight;
                sums.square += &(&moved * &off);
                sums.change += &moved;
                if !counted.is_empty() {
                    continue;
                }
                let (least, greatest) = sums.range.get_or_insert_with(|| (after.clone(), after.clone()));
                if after < *least {
                    *least = after;
                } else if after > *greatest {
                    *greatest = after;
                }
            }
        }
        let mut variance = Fraction::zero();
        found.values().for_each(|sums| variance += &sums.square);
        let swing = |((site, subject), sums): ((u32, i64), Sums)| {
            let share = if variance.is_zero() { Fraction::zero() } else { &sums.square / &variance };
            Swing { site: SiteId(site), subject, made: sums.made, change: sums.change, share, range: sums.range }
        };
        let list = found.into_iter().map(swing).collect();
        let mut lost = masses.never[0].clone();
        let failed = self.end_nodes().into_iter().filter(|n| matches!(self.nodes[*n as usize], Sort::Fault(_)));
        failed.for_each(|node| lost += &masses.of(node));
        Ok(Swings { mean: &mean(0) + &Fraction::whole(plus), variance, list, unexplored: masses.unexplored, lost })
    }

    /// Returns the subject of the question at a node, or -1.
    fn subject(&self, node: Node) -> i64 {
        let Sort::Position(store) = self.nodes[node as usize] else { return -1 };
        let state = self.position(store).0;
        let Some(Instr::Ask { at }) = self.game.program.code.get(state.pc as usize) else { return -1 };
        let subject = self.game.program.asks[*at as usize].who.subject;
        state.stack.get(state.base as usize + subject as usize).copied().unwrap_or(-1)
    }

    /// Returns for each end the value times the probability that `given` holds there, and that probability.
    fn weighed(&self, of: Option<Query<'_>>, given: Option<Query<'_>>) -> Result<(Worths, Worths), Fault> {
        let Some(of) = of else {
            let all = || self.end_nodes().into_iter().filter(|n| matches!(self.nodes[*n as usize], Sort::End(_)));
            let shares = match given {
                None => all().map(|n| (n, Fraction::one())).collect(),
                Some(given) => self.held(given)?,
            };
            return Ok((Worths::default(), shares));
        };
        self.at_ends(of, given, "value")
    }

    /// Returns both numbers for a query; `what` names the value in messages.
    pub(super) fn at_ends(
        &self,
        of: Query<'_>,
        given: Option<Query<'_>>,
        what: &str,
    ) -> Result<(Worths, Worths), Fault> {
        let (mut sums, mut shares) = (FxHashMap::default(), FxHashMap::default());
        for node in self.end_nodes() {
            let Sort::End(store) = self.nodes[node as usize] else { continue };
            let (mut sum, mut share) = (Fraction::zero(), Fraction::zero());
            for (value, part, whole) in self.parts_of(store, of, given) {
                let missing = || Fault::new(Code::Missing, format!("the {what} is missing at an end of the run"));
                let value = number(&value?).ok_or_else(missing)?;
                let chance = Fraction::of(part.big(), whole.big());
                sum += &(&value * &chance);
                share += &chance;
            }
            sums.insert(node, sum);
            shares.insert(node, share);
        }
        Ok((sums, shares))
    }

    /// Returns for each end the probability that a condition holds there.
    fn held(&self, condition: Query<'_>) -> Result<Worths, Fault> {
        let mut found = FxHashMap::default();
        for node in self.end_nodes() {
            let Sort::End(store) = self.nodes[node as usize] else { continue };
            let mut chance = Fraction::zero();
            for (value, part, whole) in self.parts_of(store, condition, None) {
                if value?.first() == Some(&1) {
                    chance += &Fraction::of(part.big(), whole.big());
                }
            }
            found.insert(node, chance);
        }
        Ok(found)
    }

    /// Returns the bounds of the mean of a count over all runs, infinite ones included, or over the runs at whose end `given` holds.
    /// They are equal if the mean is known as a fraction. Returns `None` if a part was not explored.
    ///
    /// # Errors
    ///
    /// Without `given`, fails if some runs end in an error, or count forever.
    pub fn mean_counted(&self, of: &Counts, given: Option<Query<'_>>) -> Result<Option<[Fraction; 2]>, Fault> {
        let mean = self.mean_sum(&self.sums_of(of), given)?;
        Ok(mean.map(|mean| mean.map(|end| &end + &Fraction::whole(of.plus))))
    }

    /// Returns the indices of the counted sums with their factors.
    pub(super) fn sums_of(&self, counts: &Counts) -> Vec<(u32, i64)> {
        let sum = |counted: Counted| match counted {
            Counted::Rounds => self.splitter.outside.rounds_at() as u32,
            Counted::Tally(tally) => tally.0,
        };
        counts.parts.iter().map(|(counted, times)| (sum(*counted), *times)).collect()
    }

    /// Returns the counts of these sums on an edge, times the weight of the edge.
    pub(super) fn counted_on(&self, edge: usize, sums: &[(u32, i64)]) -> Option<BigInt> {
        let counted = |(sum, times): &(u32, i64)| Some(self.sums.get(edge as u32, *sum)? * *times);
        sums.iter().filter_map(counted).reduce(|a, b| a + b)
    }

    /// Returns the bounds of the probability that expectation `n`, numbered through all steps, fails, or `None` if a part was not
    /// explored.
    pub fn misses(&self, n: usize) -> Result<Option<[Fraction; 2]>, Fault> {
        self.mean_sum(&[((self.splitter.outside.rounds_at() + 1 + n) as u32, 1)], None)
    }

    /// Returns the first error in which a run can end, and its probability.
    fn failing(&self, masses: &Masses) -> Option<(&Fault, Fraction)> {
        (0..self.nodes.len() as Node).find_map(|node| {
            if let Sort::Fault(n) = self.nodes[node as usize]
                && !masses.is_zero(node)
            {
                Some((&self.faults[n as usize], masses.of(node)))
            } else {
                None
            }
        })
    }

    fn mean_sum(&self, sums: &[(u32, i64)], given: Option<Query<'_>>) -> Result<Option<[Fraction; 2]>, Fault> {
        let masses = self.visits();
        if masses.rough || self.provisional() || !masses.beyond.is_zero() {
            return Ok(None);
        }
        if given.is_none() && !masses.never[1].is_zero() && self.counts_for_ever(sums) {
            let chance = masses.never[1].percent();
            let message =
                format!("in {chance} of all cases the run never ends and keeps counting, so there is no mean");
            return Err(Fault::new(Code::NoEnd, message));
        }
        if given.is_none()
            && let Some((fault, chance)) = self.failing(masses)
        {
            let message = format!("with a chance of {chance} the run ends in an error: {}", fault.message);
            return Err(Fault { message, ..fault.clone() });
        }
        let Some(given) = given else {
            let counted = |node: Node| {
                let counted = self.taken(node).filter_map(|edge| self.counted_on(edge, sums)).sum::<BigInt>();
                (counted != BigInt::ZERO).then(|| (node, counted, self.whole(node)))
            };
            let counted: Vec<_> = (0..self.ends.len() as Node).filter_map(counted).collect();
            return Ok(masses.sum(&counted));
        };
        let masses = self.masses(|_| true, true, Precision::Fractions);
        if masses.rough || !masses.unexplored.is_zero() {
            return Ok(None);
        }
        let worths = self.worths(&self.held(given)?, &Fraction::zero())?;
        let mut mean = Fraction::zero();
        for node in 0..self.ends.len() as Node {
            for edge in self.taken(node) {
                let Some(counted) = self.counted_on(edge, sums) else { continue };
                let more = &masses.of(node) * &Fraction::new(counted, self.whole(node).big());
                mean += &(&more * &worths[self.to[edge] as usize]);
            }
        }
        if worths[0].is_zero() {
            return Err(Fault::new(Code::NeverGiven, "the condition given is true at no end"));
        }
        let mean = &mean / &worths[0];
        Ok(Some([mean.clone(), mean]))
    }

    /// Returns whether an infinite run counts something in each round.
    fn counts_for_ever(&self, sums: &[(u32, i64)]) -> bool {
        let reached = self.reached();
        self.parts().iter().any(|part| {
            let inside = |edge: usize| part.binary_search(&self.to[edge]).is_ok();
            let edges = || part.iter().flat_map(|n| self.taken(*n));
            let closed = reached.contains(part[0] as usize) && edges().count() > 0 && edges().all(inside);
            closed && edges().any(|edge| self.counted_on(edge, sums).is_some_and(|sum| sum != BigInt::ZERO))
        })
    }

    /// Returns the nodes that the followed policy can reach.
    pub(super) fn reached(&self) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(self.nodes.len());
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if !reached.put(node as usize) {
                open.extend(self.taken(node).map(|edge| self.to[edge]).filter(|to| *to != UNEXPLORED));
            }
        }
        reached
    }

    /// Returns whether an edge decreases one of these counts.
    pub fn takes_away(&self, of: &Counts) -> bool {
        self.sums_of(of).iter().any(|(sum, _)| self.falling.contains(sum))
    }

    /// Returns the uses of code among the runs at whose end `given` holds, or among all runs.
    pub fn leans(&self, given: Option<Query<'_>>) -> Result<Leans<'_, 'g>, Fault> {
        let held = match given {
            Some(given) => Some(self.held(given)?),
            None => None,
        };
        let masses = self.masses(|_| true, false, Precision::Fractions);
        let known = self.kept(&masses, Masses::of, held.as_ref());
        Ok(Leans { graph: self, held, known, unexplored: masses.unexplored, found: HashMap::new() })
    }

    /// Returns the probability of the ends at which a condition holds; without one, of all ends, errors and infinite runs. `of` reads
    /// the lower or the upper bounds.
    fn kept(&self, masses: &Masses, of: fn(&Masses, Node) -> Fraction, held: Option<&Worths>) -> Fraction {
        let mut kept = if held.is_some() { Fraction::zero() } else { masses.never[0].clone() };
        for node in self.end_nodes() {
            match held {
                None => kept += &of(masses, node),
                Some(held) => held.get(&node).into_iter().for_each(|chance| kept += &(&of(masses, node) * chance)),
            }
        }
        kept
    }
}

/// The probabilities that runs use functions, settings and clauses, if marks were recorded.
pub struct Leans<'a, 'g> {
    graph: &'a Graph<'g>,
    held: Option<Worths>,
    /// The probability of the explored runs in question.
    known: Fraction,
    unexplored: Fraction,
    /// Computed results, by the sets of marks that they match. Many marks occur only together.
    found: HashMap<Vec<bool>, Lean>,
}

impl Leans<'_, '_> {
    /// Returns the probability of the unexplored part.
    pub fn unexplored(&self) -> &Fraction {
        &self.unexplored
    }

    /// Returns the probability that a run calls a function.
    pub fn call(&mut self, func: FuncId) -> Lean {
        self.marked(func.at())
    }

    /// Returns the probability that a run reads a setting.
    pub fn setting(&mut self, id: SettingId) -> Lean {
        self.marked(self.graph.game.program.funcs.len() + id.at())
    }

    /// Returns the probability that a run executes code under a clause, given its index in the clause register.
    pub fn clause(&mut self, at: usize) -> Lean {
        let program = &self.graph.game.program;
        self.marked(program.funcs.len() + program.schema.settings.len() + at)
    }

    fn marked(&mut self, n: usize) -> Lean {
        let graph = self.graph;
        let has = |set: &Vec<u64>| set.get(n / 64).is_some_and(|w| w & (1 << (n % 64)) != 0);
        let sets: Vec<bool> = graph.mark_sets.iter().map(has).collect();
        if let Some(lean) = self.found.get(&sets) {
            return lean.clone();
        }
        let with = if sets.contains(&true) {
            let open = |edge: usize| match graph.marks.get(edge) {
                Some(set) => *set == 0 || !sets[*set as usize - 1],
                None => true,
            };
            let masses = graph.masses(open, false, Precision::Fractions);
            let without = [Masses::of, Masses::most].map(|of| graph.kept(&masses, of, self.held.as_ref()));
            without.map(|without| (&self.known - &without).max(Fraction::zero()))
        } else {
            [Fraction::zero(), Fraction::zero()]
        };
        let whole = &self.known + &self.unexplored;
        let of = |part: &Fraction| if whole.is_zero() { Fraction::zero() } else { part / &whole };
        let [most, least] = with;
        let lean = Lean { chance: of(&least), most: of(&(&most + &self.unexplored)) };
        self.found.insert(sets, lean.clone());
        lean
    }
}
