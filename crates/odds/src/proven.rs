//! Probabilities as intervals. Cycles are solved in rounded numbers, and the enclosure of the result is proven afterwards: numbers
//! that the equations of the visits only raise are lower bounds, and numbers that they only lower are upper bounds, because the
//! matrix of a cycle that is left has no negative entry in its inverse.
#![allow(clippy::float_arithmetic)] // sums and products of IEEE 754, which are the same on every machine

use super::cycles::MOST;
use super::graph::Graph;
use super::interval::Interval;
use super::num::Num;
use super::solve::{Component, Flow, Target};
use grognard_base::{Limit, Meter};
use std::rc::Rc;

/// The relative distance of the first bounds that are tried, and of the last.
const NEAR: f64 = f64::from_bits((1023 - 50) << 52);
const FAR: f64 = f64::from_bits((1023 - 30) << 52);

/// Operations of an elimination after which a component is iterated instead.
const ELIMINATED: u64 = 1 << 32;

/// Probability below which a cycle that is iterated counts as left: 2 to the power of -50.
const LEFT: f64 = NEAR;
/// Maximum number of rounds of an iterated cycle.
const ROUNDS: usize = 100_000;
/// Number of rounds that are made without budget, so that there is a result.
const FREE: usize = 500;

/// Incoming probabilities of each node before its turn.
pub(super) struct Proven {
    waiting: Vec<Interval>,
    meter: Rc<Meter>,
    /// The place of unexplored parts.
    beyond: usize,
    /// Whether cycles are always iterated.
    iterates: bool,
    /// Whether the visits of some cycle have no upper bounds.
    pub rough: bool,
}

impl Proven {
    pub fn new(graph: &Graph<'_>) -> Proven {
        let count = graph.nodes.len();
        Proven {
            waiting: vec![Interval::ZERO; count + 3],
            meter: Rc::clone(&graph.splitter.meter),
            beyond: count,
            iterates: graph.enclosure.is_some(),
            rough: false,
        }
    }

    /// Solves a component by elimination, and proves bounds of the visits.
    fn eliminate(&self, component: &Component<'_>, entered: &[Interval]) -> Option<Vec<Interval>> {
        if component.rows.len() > MOST || self.iterates {
            return None;
        }
        let ratio = |weight: &Num, whole: &Num| {
            let Interval { low, high } = Interval::ratio(weight, whole);
            low / 2.0 + high / 2.0
        };
        let solved = component.chain(ratio).solve(&self.meter, &mut { ELIMINATED })?;
        let edges = Inside::of(component);
        let end = |upper: bool| {
            let entered: Vec<f64> = entered.iter().map(|mass| if upper { mass.high } else { mass.low }).collect();
            let visits = solved.visits(entered.clone());
            let distances = solved.visits(visits.clone());
            let mut near = if upper { NEAR } else { -NEAR };
            while near.abs() <= FAR {
                let tried = visits.iter().zip(&distances).map(|(visits, far)| (visits + near * far).max(0.0));
                let tried: Vec<f64> = tried.collect();
                if tried.iter().all(|visits| visits.is_finite()) && edges.bound(&entered, &tried, upper) {
                    return Some(tried);
                }
                near *= 4.0;
            }
            None
        };
        let (low, high) = (end(false)?, end(true)?);
        Some(low.into_iter().zip(high).map(|(low, high)| Interval { low, high }).collect())
    }

    /// Iterates a component until almost no probability is left in it. What is left can leave by any edge.
    fn go_round(&mut self, component: &Component<'_>, mut now: Vec<Interval>) -> Vec<Interval> {
        let chance = |row: usize, weight: &Num| Interval::ratio(weight, &component.rows[row].whole);
        let rows = component.rows.iter().enumerate();
        let edges = rows.map(|(n, row)| row.edges.iter().map(|(to, weight)| (*to, chance(n, weight))).collect());
        let edges: Vec<Vec<(Target, Interval)>> = edges.collect();
        let mut left: Vec<Vec<Interval>> = edges.iter().map(|edges| vec![Interval::ZERO; edges.len()]).collect();
        let mut visits = vec![Interval::ZERO; now.len()];
        let sum = |masses: &[Interval]| masses.iter().fold(Interval::ZERO, |sum, mass| sum + *mass).high;
        let (least, count) = (sum(&now) * LEFT, edges.iter().map(Vec::len).sum::<usize>() as u64);
        let mut rest = sum(&now);
        for round in 0..ROUNDS {
            self.meter.doing(|| format!("{} states in a cycle, round {round}", component.nodes.len()));
            if rest <= least || !self.meter.words(count / 8) && round > FREE {
                break;
            }
            for (node, edges) in edges.iter().enumerate() {
                // Probability that moves to a later state moves on in the same round.
                let mass = std::mem::take(&mut now[node]);
                if mass.is_zero() {
                    continue;
                }
                visits[node] = visits[node] + mass;
                for ((to, chance), left) in edges.iter().zip(&mut left[node]) {
                    match to {
                        Target::Inside(to) => now[*to] = now[*to] + mass * *chance,
                        Target::Outside(_) => *left = *left + mass * *chance,
                    }
                }
            }
            rest = sum(&now);
        }
        let open = Interval { low: 0.0, high: rest };
        let ended = rest <= least;
        if !ended {
            self.add(self.beyond, &open);
            self.meter.note(Limit::Rounded);
        }
        for (edges, left) in edges.iter().zip(left) {
            for ((to, _), left) in edges.iter().zip(left) {
                if let Target::Outside(to) = to {
                    self.add(*to, &if ended { left + open } else { left });
                }
            }
        }
        self.rough = true;
        visits
    }
}

/// The edges of a component between its nodes.
struct Inside {
    edges: Vec<(usize, usize, Interval)>,
}

impl Inside {
    fn of(component: &Component<'_>) -> Inside {
        let mut edges = Vec::new();
        for (from, row) in component.rows.iter().enumerate() {
            for (to, weight) in &row.edges {
                if let Target::Inside(to) = to {
                    edges.push((from, *to, Interval::ratio(weight, &row.whole)));
                }
            }
        }
        Inside { edges }
    }

    /// Returns whether these numbers are upper bounds of the visits, or lower bounds: whether one round from them does not raise
    /// them, or does not lower them.
    fn bound(&self, entered: &[f64], visits: &[f64], upper: bool) -> bool {
        let exact = |end: &f64| Interval { low: *end, high: *end };
        let mut next: Vec<Interval> = entered.iter().map(exact).collect();
        for (from, to, chance) in &self.edges {
            next[*to] = next[*to] + exact(&visits[*from]) * *chance;
        }
        next.iter().zip(visits).all(|(next, visits)| if upper { next.high <= *visits } else { next.low >= *visits })
    }
}

impl Flow for Proven {
    type Mass = Interval;
    type Parted = (Interval, Num);

    fn zero(&mut self) -> Interval {
        Interval::ZERO
    }

    fn one(&mut self) -> Interval {
        Interval::ONE
    }

    fn is_zero(mass: &Interval) -> bool {
        mass.is_zero()
    }

    fn times(&mut self, mass: &Interval, num: &Num, den: &Num) -> Interval {
        *mass * Interval::ratio(num, den)
    }

    fn add(&mut self, to: usize, mass: &Interval) {
        self.waiting[to] = self.waiting[to] + *mass;
    }

    fn part(&mut self, mass: &Interval, whole: &Num) -> (Interval, Num) {
        (*mass, whole.clone())
    }

    fn send(&mut self, to: usize, (mass, whole): &(Interval, Num), weight: Num) {
        self.meter.words(1);
        self.add(to, &(*mass * Interval::ratio(&weight, whole)));
    }

    fn take(&mut self, node: usize) -> Interval {
        std::mem::take(&mut self.waiting[node])
    }

    fn affords(&mut self, _: &Interval) -> bool {
        true
    }

    fn solve(&mut self, component: &Component<'_>, entered: Vec<Interval>) -> Option<Vec<Interval>> {
        let Some(visits) = self.eliminate(component, &entered) else { return Some(self.go_round(component, entered)) };
        self.leave(component, &visits);
        Some(visits)
    }
}
