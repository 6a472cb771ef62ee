//! Expected visits of each state: strongly connected components in topological order.

use super::Precision;
use super::cycles::{Cycle, Scalar};
use super::fractions::{Exact, Wholes};
use super::graph::*;
use super::interval::{self, Interval};
use super::num::Num;
use super::proven::Proven;
use grognard_base::value::Fraction;
use num_bigint::{BigInt, BigUint, Sign};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Number of states between two checks of the meter.
const WATCHED: usize = 256;

/// The numbers in which probabilities are carried along the edges: fractions or intervals.
pub(super) trait Flow: Sized {
    /// The probability of a node, or its expected visits.
    type Mass: Clone;
    /// A mass whose parts are sent to several nodes.
    type Parted;

    fn zero(&mut self) -> Self::Mass;
    fn one(&mut self) -> Self::Mass;
    fn is_zero(mass: &Self::Mass) -> bool;
    /// Returns the product of a mass with the quotient of two numbers.
    fn times(&mut self, mass: &Self::Mass, num: &Num, den: &Num) -> Self::Mass;
    /// Adds a mass to those that wait at a node.
    fn add(&mut self, to: usize, mass: &Self::Mass);
    /// Divides a mass by the sum of the weights with which [`Flow::send`] sends its parts.
    fn part(&mut self, mass: &Self::Mass, whole: &Num) -> Self::Parted;
    /// Adds a part of a mass to those that wait at a node.
    fn send(&mut self, to: usize, parted: &Self::Parted, weight: Num);
    /// Returns the sum of what waits at a node, and clears it.
    fn take(&mut self, node: usize) -> Self::Mass;
    /// Charges the cost of a mass. Returns `false` if these numbers are too expensive.
    fn affords(&mut self, mass: &Self::Mass) -> bool;
    /// Solves a component with cycles: sends what leaves it to the next nodes, and returns the visits of its nodes. Returns `None` if
    /// these numbers are too expensive for it.
    fn solve(&mut self, component: &Component<'_>, entered: Vec<Self::Mass>) -> Option<Vec<Self::Mass>>;

    /// Sends what leaves a component whose visits are known to the next nodes.
    fn leave(&mut self, component: &Component<'_>, visits: &[Self::Mass]) {
        for (row, visits) in component.rows.iter().zip(visits) {
            let parted = self.part(visits, &row.whole);
            for (to, weight) in &row.edges {
                if let Target::Outside(to) = to {
                    self.send(*to, &parted, weight.clone());
                }
            }
        }
    }
}

/// A component with cycles.
pub(super) struct Component<'a> {
    pub nodes: &'a [Node],
    pub rows: Vec<ComponentRow>,
}

/// A node of a component: its edges with their weights, and the sum of the weights.
pub(super) struct ComponentRow {
    pub whole: Num,
    pub edges: Vec<(Target, Num)>,
}

/// The target of an edge of a component.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// A node of the component, by its index there.
    Inside(usize),
    /// Another node, or one of the places after all nodes.
    Outside(usize),
}

impl Component<'_> {
    /// Returns the component as a Markov chain.
    pub fn chain<N: Scalar>(&self, ratio: impl Fn(&Num, &Num) -> N) -> Cycle<N> {
        let mut chain = Cycle { rows: Vec::with_capacity(self.rows.len()), out: Vec::with_capacity(self.rows.len()) };
        for row in &self.rows {
            let (mut inside, mut leave) = (BTreeMap::new(), N::zero());
            for (to, weight) in &row.edges {
                let chance = ratio(weight, &row.whole);
                match to {
                    Target::Inside(at) => inside.entry(*at).or_insert_with(N::zero).add(&chance),
                    Target::Outside(_) => leave.add(&chance),
                }
            }
            chain.rows.push(inside);
            chain.out.push(leave);
        }
        chain
    }
}

/// The probability of each node to be visited; in a cycle its expected visits.
pub struct Masses {
    numbers: Numbers,
    /// The probability of the unexplored part, and of all that lower bounds leave out.
    pub unexplored: Fraction,
    /// An upper bound of the probability of the unexplored part.
    pub beyond: Fraction,
    /// The bounds of the probability of an infinite run.
    pub never: [Fraction; 2],
    /// Whether the visits of the states of some cycle have no upper bounds.
    pub rough: bool,
}

enum Numbers {
    Exact(RefCell<Wholes>, Vec<(Num, u32)>),
    Proven(Vec<Interval>),
}

/// The result of a flow: the masses of the nodes, and of the three places after them.
struct Flowed<F: Flow> {
    flow: F,
    masses: Vec<F::Mass>,
    /// The unexplored part, infinite runs, and edges that are not followed.
    outside: [F::Mass; 3],
    /// Whether the meter ended it.
    stopped: bool,
}

impl Masses {
    /// Returns the expected visits of a node, or a lower bound.
    pub fn of(&self, node: Node) -> Fraction {
        match &self.numbers {
            Numbers::Exact(wholes, masses) => wholes.borrow().fraction(&masses[node as usize]),
            Numbers::Proven(masses) => Fraction::of_float(masses[node as usize].low),
        }
    }

    /// Returns the expected visits of a node, or an upper bound.
    pub fn most(&self, node: Node) -> Fraction {
        match &self.numbers {
            Numbers::Exact(..) => self.of(node),
            Numbers::Proven(masses) => Fraction::of_float(masses[node as usize].high.min(f64::MAX)),
        }
    }

    /// Returns whether a node is never visited.
    pub fn is_zero(&self, node: Node) -> bool {
        match &self.numbers {
            Numbers::Exact(_, masses) => masses[node as usize].0.is_zero(),
            Numbers::Proven(masses) => masses[node as usize].is_zero(),
        }
    }

    /// Returns the probabilities of nodes over one denominator, and the denominator. Each is a lower bound and the distance to the
    /// upper bound.
    pub fn over_one(&self, nodes: &[Node]) -> (Vec<[BigUint; 2]>, BigUint) {
        match &self.numbers {
            Numbers::Exact(wholes, masses) => {
                let (weights, whole) = wholes.borrow_mut().over_one(nodes.iter().map(|n| &masses[*n as usize]));
                (weights.into_iter().map(|weight| [weight, BigUint::ZERO]).collect(), whole)
            }
            Numbers::Proven(masses) => {
                let shares = nodes.iter().map(|n| masses[*n as usize].share());
                let (ends, whole) =
                    interval::over_one(&shares.flat_map(|mass| [mass.low, mass.high]).collect::<Vec<_>>());
                (ends.chunks_exact(2).map(|ends| [ends[0].clone(), &ends[1] - &ends[0]]).collect(), whole)
            }
        }
    }

    /// Returns the bounds of a sum over nodes: the visits of each, times a number, divided by another. Returns `None` if there is no
    /// upper bound.
    pub fn sum(&self, terms: &[(Node, BigInt, Num)]) -> Option<[Fraction; 2]> {
        match &self.numbers {
            Numbers::Exact(wholes, masses) => {
                let sum =
                    wholes.borrow_mut().sum(terms.iter().map(|(n, times, over)| (&masses[*n as usize], times, over)));
                Some([sum.clone(), sum])
            }
            Numbers::Proven(masses) => {
                let [mut more, mut less] = [Interval::ZERO; 2];
                for (node, times, over) in terms {
                    let share = Interval::quotient(times.magnitude(), &over.big());
                    let sum = if times.sign() == Sign::Minus { &mut less } else { &mut more };
                    *sum = *sum + masses[*node as usize] * share;
                }
                let ([low, high], [least, most]) = (more.ends()?, less.ends()?);
                Some([&low - &most, &high - &least])
            }
        }
    }
}

impl Graph<'_> {
    /// Returns the expected visits of each node along the edges that `open` accepts; the rest of the probability is dropped. With
    /// `stops`, the computation ends when the meter stops it. The remaining probability is then unexplored.
    pub(super) fn masses(&self, open: impl Fn(usize) -> bool, stops: bool, precision: Precision) -> Masses {
        let exact = match precision {
            Precision::Proven => None,
            Precision::Quick | Precision::Fractions => self.flow(Exact::new(self, precision), &open, stops),
        };
        let (numbers, outside, [stopped, rough]) = match exact {
            Some(Flowed { flow, masses, outside, stopped }) => {
                let wholes = flow.finish();
                let outside = outside.map(|mass| wholes.fraction(&mass)).map(|mass| [mass.clone(), mass]);
                (Numbers::Exact(RefCell::new(wholes), masses), outside, [stopped, false])
            }
            None => {
                let nothing = || Flowed {
                    flow: Proven::new(self),
                    masses: vec![Interval::ZERO; self.nodes.len()],
                    outside: [Interval::ONE, Interval::ZERO, Interval::ZERO],
                    stopped: true,
                };
                let flowed = self.flow(Proven::new(self), &open, stops).unwrap_or_else(nothing);
                let Flowed { flow, masses, outside, stopped } = flowed;
                let all = [Fraction::zero(), Fraction::one()];
                let outside = outside.map(|mass| mass.share().ends().unwrap_or_else(|| all.clone()));
                (Numbers::Proven(masses), outside, [stopped, flow.rough])
            }
        };
        let [[_, beyond], never, [closed, _]] = outside;
        let mut masses = Masses { numbers, unexplored: beyond.clone(), beyond, never, rough };
        if stopped || matches!(masses.numbers, Numbers::Proven(_)) {
            let (ends, whole) = masses.over_one(&self.end_nodes());
            let ends = Fraction::of(ends.iter().map(|[low, _]| low).sum(), whole);
            masses.unexplored = &(&(&Fraction::one() - &ends) - &masses.never[0]) - &closed;
        }
        if stopped {
            masses.beyond = masses.unexplored.clone();
        }
        masses
    }

    fn flow<F: Flow>(&self, mut flow: F, open: &impl Fn(usize) -> bool, stops: bool) -> Option<Flowed<F>> {
        let count = self.nodes.len();
        let (beyond, never, closed) = (count, count + 1, count + 2);
        let place = |edge: usize| match self.to[edge] {
            _ if !open(edge) => closed,
            UNEXPLORED => beyond,
            to => to as usize,
        };
        let mut masses = vec![flow.zero(); count];
        let one = flow.one();
        flow.add(0, &one);
        let (mut done, mut stopped, meter) = (0, false, &self.splitter.meter);
        for part in self.parts().iter().rev() {
            done += part.len();
            if done % WATCHED < part.len() {
                meter.doing(|| format!("probabilities of the states: {done} of {count}"));
                stopped = stops && meter.stopped();
                if stopped {
                    break;
                }
            }
            if let [node] = *part {
                let entered = flow.take(node as usize);
                if F::is_zero(&entered) {
                    continue;
                }
                if !flow.affords(&entered) {
                    return None;
                }
                let edges = self.taken(node);
                if edges.is_empty() {
                    if !self.explored(node) {
                        flow.add(beyond, &entered);
                    }
                    masses[node as usize] = entered;
                    continue;
                }
                let (whole, mut leaving) = (self.whole(node), self.whole(node));
                // A node with an edge to itself is visited again until it is left.
                let stays = |edge: &usize| place(*edge) == node as usize;
                edges.clone().filter(stays).for_each(|edge| leaving.saturating_sub(&self.weight(edge)));
                if leaving.is_zero() {
                    flow.add(never, &entered);
                    continue;
                }
                let parted = flow.part(&entered, &leaving);
                for edge in edges.filter(|edge| !stays(edge)) {
                    flow.send(place(edge), &parted, self.weight(edge));
                }
                masses[node as usize] = if leaving == whole { entered } else { flow.times(&entered, &whole, &leaving) };
                continue;
            }
            let entered: Vec<F::Mass> = part.iter().map(|n| flow.take(*n as usize)).collect();
            if entered.iter().all(F::is_zero) {
                continue;
            }
            let target = |edge: usize| match part.binary_search(&self.to[edge]) {
                Ok(at) if open(edge) => Target::Inside(at),
                _ => Target::Outside(place(edge)),
            };
            let row = |node: &Node| ComponentRow {
                whole: self.whole(*node),
                edges: self.taken(*node).map(|edge| (target(edge), self.weight(edge))).collect(),
            };
            let component = Component { nodes: part, rows: part.iter().map(row).collect() };
            let outside = |(to, _): &(Target, Num)| matches!(to, Target::Outside(_));
            if !component.rows.iter().any(|row| row.edges.iter().any(outside)) {
                entered.iter().for_each(|mass| flow.add(never, mass));
                continue;
            }
            let visits = flow.solve(&component, entered)?;
            part.iter().zip(visits).for_each(|(node, visits)| masses[*node as usize] = visits);
        }
        let outside = [beyond, never, closed].map(|place| flow.take(place));
        Some(Flowed { flow, masses, outside, stopped })
    }

    /// Returns a component with cycles as a Markov chain.
    pub(super) fn cycle(&self, part: &[Node], open: &impl Fn(usize) -> bool) -> Cycle<Fraction> {
        let mut rows = Vec::with_capacity(part.len());
        let mut out = Vec::with_capacity(part.len());
        for node in part {
            let mut row: BTreeMap<usize, Fraction> = BTreeMap::new();
            let mut leave = Fraction::zero();
            for edge in self.taken(*node) {
                let chance = self.chance_of(*node, edge);
                match part.binary_search(&self.to[edge]) {
                    Ok(at) if open(edge) => *row.entry(at).or_insert_with(Fraction::zero) += &chance,
                    _ => leave += &chance,
                }
            }
            rows.push(row);
            out.push(leave);
        }
        Cycle { rows, out }
    }

    /// Returns the probability of an edge, given its node.
    pub(super) fn chance_of(&self, node: Node, edge: usize) -> Fraction {
        Fraction::of(self.weight(edge).big(), self.whole(node).big())
    }
}
