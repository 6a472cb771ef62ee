//! Where it is decided: which rolls move an answer, what is counted on the way, what a run comes by.

use super::answer::Query;
use super::graph::*;
use crate::base::Code;
use crate::machine::Fault;
use crate::value::*;
use std::collections::{BTreeMap, HashMap};

/// How far one roll, draw or decision moves an answer.
#[derive(Clone, Debug)]
pub struct Swing {
    /// Its site.
    pub site: SiteId,
    /// How often it is made in a run, in the mean.
    pub made: Fraction,
    /// How far the answer moves when its outcome is known: the mean distance, summed over all times it is made.
    pub change: Fraction,
}

impl Graph<'_> {
    /// How far each roll moves the chance that a condition holds at the end. For the share of each roll to be its own
    /// the graph is explored with [`super::Pools::Faces`].
    pub fn swings(&self, condition: Query<'_>) -> Result<Vec<Swing>, Fault> {
        let worths = self.worths(&self.held(condition)?)?;
        let masses = self.masses(|_| true);
        if masses.rough {
            return Err(Fault::new(Code::Fuel, "too many positions come back to each other"));
        }
        let mut found: BTreeMap<u32, (Fraction, Fraction)> = BTreeMap::new();
        for node in 0..self.ends.len() as Node {
            let site = self.sites[node as usize];
            if site == NOWHERE || masses.is_zero(node) {
                continue;
            }
            let mass = masses.of(node);
            let own = &worths[node as usize];
            let mut moved = Fraction::zero();
            for edge in self.taken(node).filter(|e| self.to[*e] != UNEXPLORED) {
                let off = &worths[self.to[edge] as usize] - own;
                let off = if off < Fraction::zero() { -&off } else { off };
                moved += &(&off * &self.chance_of(node, edge));
            }
            let sums = found.entry(site).or_insert_with(|| (Fraction::zero(), Fraction::zero()));
            sums.0 += &mass;
            sums.1 += &(&mass * &moved);
        }
        let swing = |(site, (made, change))| Swing { site: SiteId(site), made, change };
        Ok(found.into_iter().map(swing).collect())
    }

    /// For each end the chance that a condition holds there.
    fn held(&self, condition: Query<'_>) -> Result<HashMap<Node, Fraction>, Fault> {
        let mut found = HashMap::new();
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

    /// The mean of a tally over all runs, or over those at whose end a condition holds. Nothing if something was not
    /// explored, or if runs may go on for ever.
    pub fn mean_tally(&self, tally: TallyId, given: Option<Query<'_>>) -> Result<Option<Fraction>, Fault> {
        self.mean_sum(tally.0, given)
    }

    /// The mean number of rounds of the start.
    pub fn mean_rounds(&self, given: Option<Query<'_>>) -> Result<Option<Fraction>, Fault> {
        self.mean_sum(self.ground.outside.rounds_at() as u32, given)
    }

    /// The chance that the n-th expectation of the steps, counted through all of them, does not hold.
    pub fn misses(&self, n: usize) -> Result<Option<Fraction>, Fault> {
        self.mean_sum((self.ground.outside.rounds_at() + 1 + n) as u32, None)
    }

    fn mean_sum(&self, sum: u32, given: Option<Query<'_>>) -> Result<Option<Fraction>, Fault> {
        let masses = self.masses(|_| true);
        if masses.rough || !masses.unexplored.is_zero() || !masses.never.is_zero() {
            return Ok(None);
        }
        let worths = given.map(|g| self.worths(&self.held(g)?)).transpose()?;
        let mut mean = Fraction::zero();
        for node in 0..self.ends.len() as Node {
            let edges = self.taken(node);
            let counts = self.sums.range((edges.start as u32, 0)..(edges.end as u32, 0));
            for ((edge, _), counted) in counts.filter(|((_, n), _)| *n == sum) {
                let to = self.to[*edge as usize];
                let mut more = &masses.of(node) * &Fraction::new(counted.clone(), self.whole(node).big());
                if let Some(worths) = &worths {
                    more = &more * &worths[to as usize];
                }
                mean += &more;
            }
        }
        match &worths {
            Some(worths) if worths[0].is_zero() => Ok(None),
            Some(worths) => Ok(Some(&mean / &worths[0])),
            None => Ok(Some(mean)),
        }
    }

    /// The chance that a run calls a function, if marks were kept.
    pub fn calls(&self, func: FuncId) -> Fraction {
        self.marked(func.at())
    }

    /// The chance that a run reads a setting, if marks were kept.
    pub fn reads(&self, id: SettingId) -> Fraction {
        self.marked(self.game.program.funcs.len() + id.at())
    }

    /// The chance that a run comes by code under a clause, by its place in the register, if marks were kept.
    pub fn comes_by(&self, clause: usize) -> Fraction {
        let rules = &self.game.program.rules;
        self.marked(self.game.program.funcs.len() + rules.settings.len() + clause)
    }

    fn marked(&self, n: usize) -> Fraction {
        let has = |set: u32| {
            set > 0 && self.mark_sets[set as usize - 1].get(n / 64).is_some_and(|w| w & (1 << (n % 64)) != 0)
        };
        let sets: Vec<bool> = (0..=self.mark_sets.len() as u32).map(has).collect();
        let masses = self.masses(|edge| !self.marks.get(edge).is_some_and(|set| sets[*set as usize]));
        let mut without = &masses.unexplored + &masses.never;
        for node in self.end_nodes() {
            without += &masses.of(node);
        }
        &Fraction::one() - &without
    }

    /// How often a run stands at a roll, draw or choice, in the mean.
    pub fn made(&self, site: SiteId) -> Fraction {
        let masses = self.masses(|_| true);
        let mut sum = Fraction::zero();
        for node in (0..self.ends.len() as Node).filter(|n| self.sites[*n as usize] == site.0) {
            sum += &masses.of(node);
        }
        sum
    }

    /// The position at each end with the chance to come there, dice still unseen included; for tests and tables.
    pub fn ends(&self) -> Vec<(crate::machine::State, Fraction)> {
        let masses = self.masses(|_| true);
        let position = |node: &Node| match self.nodes[*node as usize] {
            Sort::End(store) => Some((self.position(store).0, masses.of(*node))),
            _ => None,
        };
        self.end_nodes().iter().filter_map(position).collect()
    }
}
