//! Expected visits of each state: strongly connected components in topological order.

use super::cycles::{Cycle, MOST};
use super::graph::*;
use super::num::Num;
use grognard_base::value::Fraction;
use grognard_base::{Limit, Meter};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum number of denominators that are searched linearly.
const FEW: usize = 8;

/// Size of a denominator in bytes above which probabilities are rounded down, if they are rounded.
const LONG: usize = 128;
/// Number of states between two checks of the meter.
const WATCHED: usize = 256;
/// Number of binary places of rounded probabilities.
const PLACES: usize = 192;

/// Interned denominators, with cached products and common multiples.
#[derive(Default)]
struct Wholes {
    list: Vec<Num>,
    /// The indices of the denominators, once the list is long.
    known: FxHashMap<BigUint, u32>,
    /// The last product.
    last: Option<((u32, u64), u32)>,
    products: FxHashMap<(u32, u64), u32>,
    joins: FxHashMap<(u32, u32), (u32, Num, Num)>,
}

impl Wholes {
    fn number(&mut self, whole: Num) -> u32 {
        if self.list.len() < FEW {
            let known = self.list.iter().position(|known| *known == whole);
            return known.unwrap_or_else(|| {
                self.list.push(whole);
                self.list.len() - 1
            }) as u32;
        }
        if self.known.is_empty() {
            self.known = self.list.iter().map(Num::big).zip(0..).collect();
        }
        *self.known.entry(whole.big()).or_insert_with(|| {
            self.list.push(whole);
            self.list.len() as u32 - 1
        })
    }

    fn product(&mut self, a: u32, stored: u64, b: &Num) -> u32 {
        let factors = (a, stored);
        if let Some((known, n)) = self.last {
            if known == factors {
                return n;
            }
            self.products.insert(known, n);
        }
        let n = match self.products.get(&factors) {
            Some(known) => *known,
            None => {
                let product = self.list[a as usize].mul(b);
                self.number(product)
            }
        };
        self.last = Some((factors, n));
        n
    }

    /// Returns the least common multiple, and the factor of each side.
    fn join(&mut self, a: u32, b: u32) -> (u32, Num, Num) {
        if a == b {
            return (a, Num::Narrow(1), Num::Narrow(1));
        }
        if let Some(known) = self.joins.get(&(a, b)) {
            return known.clone();
        }
        let (x, y) = (self.list[a as usize].clone(), self.list[b as usize].clone());
        let (joint, first, second) = x.join(&y);
        let found = (self.number(joint), first, second);
        self.joins.insert((a, b), found.clone());
        found
    }
}

/// The probability of each node to be visited; in a cycle its expected visits.
pub struct Masses {
    wholes: Wholes,
    masses: Vec<(Num, u32)>,
    /// The probability of the unexplored part, including cycles that were not solved exactly.
    pub unexplored: Fraction,
    /// The probability of an infinite run.
    pub never: Fraction,
    /// Whether a cycle was not solved exactly: the visits of its states are lower bounds.
    pub rough: bool,
}

impl Masses {
    /// Returns the expected visits of a node.
    pub fn of(&self, node: Node) -> Fraction {
        let (num, whole) = &self.masses[node as usize];
        Fraction::of(num.big(), self.wholes.list[*whole as usize].big())
    }

    /// Returns whether a node is never visited.
    pub fn is_zero(&self, node: Node) -> bool {
        self.masses[node as usize].0.is_zero()
    }

    /// Returns the visits of nodes over one denominator.
    pub fn over_one(&mut self, nodes: &[Node]) -> (Vec<BigUint>, BigUint) {
        self.numbers(nodes, |num| num.clone())
    }

    /// Moves the visits of nodes out, over one denominator. The nodes have none afterwards.
    pub fn take_over_one(&mut self, nodes: &[Node]) -> (Vec<BigUint>, BigUint) {
        self.numbers(nodes, |num| std::mem::replace(num, Num::Narrow(0)))
    }

    fn numbers(&mut self, nodes: &[Node], get: impl Fn(&mut Num) -> Num) -> (Vec<BigUint>, BigUint) {
        let mut whole = self.wholes.number(Num::Narrow(1));
        for node in nodes {
            whole = self.wholes.join(whole, self.masses[*node as usize].1).0;
        }
        let mut numbers = Vec::with_capacity(nodes.len());
        for node in nodes {
            let (num, own) = &mut self.masses[*node as usize];
            let (num, own) = (get(num), *own);
            numbers.push(if own == whole {
                num.into_big()
            } else {
                num.mul(&self.wholes.join(whole, own).2).into_big()
            });
        }
        (numbers, self.wholes.list[whole as usize].big())
    }
}

/// Incoming probabilities of each node before its turn, mostly over one denominator.
struct Flowing {
    wholes: Wholes,
    waiting: Vec<Option<(u32, Num)>>,
    more: FxHashMap<usize, Vec<(u32, Num)>>,
    meter: Rc<Meter>,
    /// Buffer for products.
    product: Num,
    /// Whether long numbers are rounded down, because a part is unexplored or memory is short.
    rounds: bool,
    /// Whether any number was rounded.
    rounded: bool,
}

impl Flowing {
    /// Charges the memory of a probability, or rounds it down if it is too long.
    fn kept(&mut self, (num, whole): (Num, u32)) -> (Num, u32) {
        let bytes = self.wholes.list[whole as usize].bytes();
        if bytes <= LONG {
            return (num, whole);
        }
        if !self.rounds {
            let words = bytes as u64 / 8;
            // The number with its denominator, and the cached factors to common multiples.
            let room = self.meter.hold(4 * bytes);
            if room && self.meter.words(words * words / 4) {
                return (num, whole);
            }
            self.meter.note(Limit::Memory);
            self.rounds = true;
        }
        self.rounded = true;
        (Num::Big(self.places(&(num, whole))), self.wholes.number(Num::Big(BigUint::one() << PLACES)))
    }

    /// Returns a probability in binary places, rounded down.
    fn places(&self, (num, whole): &(Num, u32)) -> BigUint {
        (num.big() << PLACES) / self.wholes.list[*whole as usize].big()
    }

    fn as_fraction(&self, (num, whole): &(Num, u32)) -> Fraction {
        Fraction::of(num.big(), self.wholes.list[*whole as usize].big())
    }

    /// Adds a product. Large numbers use a common buffer instead of an allocation.
    fn add_product(&mut self, to: usize, whole: u32, num: &Num, weight: Num) {
        self.meter.words(1 + num.bytes() as u64 / 8);
        if num.is_one() {
            return self.add(to, whole, weight);
        }
        match (&mut self.waiting[to], num, &weight) {
            (Some((known, Num::Big(sum))), Num::Big(_), Num::Narrow(by)) if *known == whole => {
                self.product.clone_from(num);
                self.product.times(*by);
                if let Num::Big(product) = &self.product {
                    *sum += product;
                }
            }
            _ => self.add(to, whole, num.mul(&weight)),
        }
    }

    fn add(&mut self, to: usize, whole: u32, num: Num) {
        match &mut self.waiting[to] {
            None => self.waiting[to] = Some((whole, num)),
            Some((known, sum)) if *known == whole => sum.add(&num),
            Some(_) => {
                let more = self.more.entry(to).or_default();
                match more.iter_mut().find(|(known, _)| *known == whole) {
                    Some((_, sum)) => sum.add(&num),
                    None => more.push((whole, num)),
                }
            }
        }
    }

    fn add_fraction(&mut self, to: usize, fraction: &Fraction) {
        let whole = self.wholes.number(Num::Big(fraction.den().clone()));
        self.add(to, whole, Num::Big(fraction.num().magnitude().clone()));
    }

    /// Returns the sum of the incoming probabilities.
    fn take(&mut self, node: usize) -> (Num, u32) {
        let Some((mut all, mut sum)) = self.waiting[node].take() else {
            return (Num::Narrow(0), self.wholes.number(Num::Narrow(1)));
        };
        let more = if self.more.is_empty() { None } else { self.more.remove(&node) };
        for (whole, num) in more.into_iter().flatten() {
            let (joint, a, b) = self.wholes.join(all, whole);
            if !a.is_one() {
                sum = sum.mul(&a);
            }
            sum.add(&num.mul(&b));
            all = joint;
        }
        (sum, all)
    }

    fn fraction(&mut self, node: usize) -> Fraction {
        if self.waiting[node].is_none() {
            return Fraction::zero();
        }
        let taken = self.take(node);
        self.as_fraction(&taken)
    }
}

impl Graph<'_> {
    /// Returns the expected visits of each node along the edges that `open` accepts; the rest of the probability is dropped. With
    /// `stops`, the computation ends when the meter stops it. The remaining probability is then unexplored.
    pub(super) fn masses(&self, open: impl Fn(usize) -> bool, stops: bool) -> Masses {
        let count = self.nodes.len();
        let mut flow = Flowing {
            wholes: Wholes::default(),
            waiting: vec![None; count + 3],
            more: FxHashMap::default(),
            meter: Rc::clone(&self.splitter.meter),
            product: Num::Narrow(0),
            rounds: self.cut_short(),
            rounded: false,
        };
        let (beyond, never, closed) = (count, count + 1, count + 2);
        let mut masses: Vec<(Num, u32)> = vec![(Num::Narrow(0), 0); count];
        let one = flow.wholes.number(Num::Narrow(1));
        flow.add(0, one, Num::one(self.options.width));
        let mut rough = false;
        let (mut done, meter) = (0, &self.splitter.meter);
        for part in self.parts().iter().rev() {
            done += part.len();
            if done % WATCHED < part.len() {
                meter.doing(|| format!("probabilities of the states: {done} of {count}"));
                if stops && meter.stopped() {
                    flow.rounded = true;
                    break;
                }
            }
            if let [node] = *part
                && !self.taken(node).any(|e| self.to[e] == node)
            {
                let taken = flow.take(node as usize);
                let (num, whole) = flow.kept(taken);
                if !num.is_zero() && !self.explored(node) {
                    flow.add(beyond, whole, num.clone());
                } else if !num.is_zero() && !self.edges_of(node).is_empty() {
                    let edges = self.taken(node);
                    let next = flow.wholes.product(whole, self.wholes[node as usize], &self.whole(node));
                    for edge in edges {
                        let to = match self.to[edge] {
                            _ if !open(edge) => closed,
                            UNEXPLORED => beyond,
                            to => to as usize,
                        };
                        flow.add_product(to, next, &num, self.weight(edge));
                    }
                }
                masses[node as usize] = (num, whole);
                continue;
            }
            let entered: Vec<(Num, u32)> = part.iter().map(|n| flow.take(*n as usize)).collect();
            if entered.iter().all(|(num, _)| num.is_zero()) {
                continue;
            }
            let fractions = |flow: &Flowing| entered.iter().map(|e| flow.as_fraction(e)).collect::<Vec<Fraction>>();
            let leaves =
                part.iter().any(|n| self.taken(*n).any(|e| !open(e) || part.binary_search(&self.to[e]).is_err()));
            if !leaves {
                fractions(&flow).iter().for_each(|e| flow.add_fraction(never, e));
                continue;
            }
            if part.len() > MOST || self.enclosure.is_some() {
                rough = true;
                self.go_round(part, &entered, &open, &mut flow, (beyond, &mut masses));
                continue;
            }
            let Some(solved) = self.cycle(part, &open).solve(&self.splitter.meter) else {
                rough = true;
                self.go_round(part, &entered, &open, &mut flow, (beyond, &mut masses));
                continue;
            };
            let visits = solved.visits(fractions(&flow));
            for (node, visits) in part.iter().zip(&visits) {
                let whole = flow.wholes.number(Num::Big(visits.den().clone()));
                let num = Num::Big(visits.num().magnitude().clone());
                let (num, whole) = flow.kept((num, whole));
                let next = flow.wholes.product(whole, self.wholes[*node as usize], &self.whole(*node));
                for edge in self.taken(*node).filter(|e| open(*e)) {
                    if part.binary_search(&self.to[edge]).is_ok() {
                        continue;
                    }
                    let to = if self.to[edge] == UNEXPLORED { beyond } else { self.to[edge] as usize };
                    flow.add_product(to, next, &num, self.weight(edge));
                }
                masses[*node as usize] = (num, whole);
            }
        }
        let (mut unexplored, never, closed) = (flow.fraction(beyond), flow.fraction(never), flow.fraction(closed));
        let rounded = flow.rounded;
        let mut masses = Masses { wholes: flow.wholes, masses, unexplored: Fraction::zero(), never, rough };
        if rounded {
            // The probability that rounding removed is unexplored.
            let (ends, whole) = masses.over_one(&self.end_nodes());
            let ends = Fraction::of(ends.iter().sum(), whole);
            unexplored = &(&(&Fraction::one() - &ends) - &masses.never) - &closed;
        }
        masses.unexplored = unexplored;
        masses
    }

    /// Returns a component with cycles as a Markov chain.
    pub(super) fn cycle(&self, part: &[Node], open: &impl Fn(usize) -> bool) -> Cycle {
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

    /// Iterates a component that is too large until almost no probability is left, always rounded down.
    fn go_round(
        &self,
        part: &[Node],
        entered: &[(Num, u32)],
        open: &impl Fn(usize) -> bool,
        flow: &mut Flowing,
        (beyond, masses): (usize, &mut [(Num, u32)]),
    ) {
        const UNIT: u32 = 62;
        const ROUNDS: usize = 100_000;
        let entered: Vec<BigUint> = entered.iter().map(|e| flow.places(e)).collect();
        let all: BigUint = entered.iter().sum();
        if all.is_zero() {
            (flow.rounds, flow.rounded) = (true, true);
            return;
        }
        let all = Num::Big(all);
        let mut now: Vec<u64> = entered.into_iter().map(|e| Num::Big(e).share(&all, UNIT)).collect();
        // For each edge its target inside the component, or `None` if it leaves, and its probability.
        let mut edges: Vec<(usize, Option<usize>, u64)> = Vec::new();
        let mut ends = Vec::with_capacity(part.len());
        for node in part {
            let whole = self.whole(*node);
            for edge in self.taken(*node).filter(|e| open(*e)) {
                let inside = part.binary_search(&self.to[edge]).ok();
                edges.push((edge, inside, self.weight(edge).share(&whole, UNIT)));
            }
            ends.push(edges.len());
        }
        let mut left = vec![0u64; edges.len()];
        let mut visits = vec![0u128; part.len()];
        for round in 0..ROUNDS {
            let meter = &self.splitter.meter;
            meter.doing(|| format!("{} states in a cycle, round {round}", part.len()));
            // The first rounds run even without budget, so that there is a result.
            if !meter.words(edges.len() as u64 / 8) && round > 500 {
                break;
            }
            let mut from = 0;
            for (node, end) in ends.iter().enumerate() {
                // Probability that moves to a later state moves on in the same round.
                let mass = std::mem::take(&mut now[node]);
                visits[node] += u128::from(mass);
                for at in if mass > 0 { from..*end } else { 0..0 } {
                    let (_, inside, chance) = edges[at];
                    let share = ((u128::from(mass) * u128::from(chance)) >> UNIT) as u64;
                    match inside {
                        Some(to) => now[to] += share,
                        None => left[at] += share,
                    }
                }
                from = *end;
            }
            if now.iter().sum::<u64>() < 1 << 12 {
                break;
            }
        }
        // One common denominator, rounded down: the lost probability is unexplored.
        let unit = flow.wholes.number(Num::Big(BigUint::one() << PLACES));
        let all = all.big();
        for ((edge, ..), mass) in edges.iter().zip(left).filter(|(_, mass)| *mass > 0) {
            let to = if self.to[*edge] == UNEXPLORED { beyond } else { self.to[*edge] as usize };
            flow.add(to, unit, Num::Big((&all * mass) >> UNIT));
        }
        for (node, visits) in part.iter().zip(visits) {
            masses[*node as usize] = (Num::Big((&all * visits) >> UNIT), unit);
        }
        (flow.rounds, flow.rounded) = (true, true);
        self.splitter.meter.note(Limit::Rounded);
    }
}
