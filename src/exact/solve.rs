//! How likely each position is: parts of the graph in the order in which they are reached.

use super::cycles::{Cycle, MOST};
use super::graph::*;
use super::num::Num;
use crate::base::QuickMap;
use crate::value::Fraction;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// So many denominators are looked through one by one.
const FEW: usize = 8;

/// Denominators, each once, with their products and common multiples.
#[derive(Default)]
struct Wholes {
    list: Vec<Num>,
    /// Places in the list, once they are many.
    known: QuickMap<BigUint, u32>,
    /// The last product.
    last: Option<((u32, u64), u32)>,
    products: QuickMap<(u32, u64), u32>,
    joins: QuickMap<(u32, u32), (u32, Num, Num)>,
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

    /// The common multiple, and what either side is multiplied with.
    fn join(&mut self, a: u32, b: u32) -> (u32, Num, Num) {
        if a == b {
            return (a, Num::Narrow(1), Num::Narrow(1));
        }
        if let Some(known) = self.joins.get(&(a, b)) {
            return known.clone();
        }
        let (x, y) = (self.list[a as usize].clone(), self.list[b as usize].clone());
        let joint = x.lcm(&y);
        let found = (self.number(joint.clone()), joint.over(&x), joint.over(&y));
        self.joins.insert((a, b), found.clone());
        found
    }
}

/// How likely each node is to be visited; in a cycle how often it is.
pub struct Masses {
    wholes: Wholes,
    masses: Vec<(Num, u32)>,
    /// What lies beyond the budget, or was too much to be solved.
    pub unexplored: Fraction,
    /// What goes round for ever.
    pub never: Fraction,
    /// True if a cycle was too large: how often its positions are visited is not known.
    pub rough: bool,
}

impl Masses {
    /// How likely a node is.
    pub fn of(&self, node: Node) -> Fraction {
        let (num, whole) = &self.masses[node as usize];
        Fraction::of(num.big(), self.wholes.list[*whole as usize].big())
    }

    /// True if it is never visited.
    pub fn is_zero(&self, node: Node) -> bool {
        self.masses[node as usize].0.is_zero()
    }

    /// Numbers of nodes over one denominator.
    pub fn over_one(&mut self, nodes: &[Node]) -> (Vec<BigUint>, BigUint) {
        let mut whole = self.wholes.number(Num::Narrow(1));
        for node in nodes {
            whole = self.wholes.join(whole, self.masses[*node as usize].1).0;
        }
        let numbers = nodes.iter().map(|node| {
            let (num, own) = self.masses[*node as usize].clone();
            let factor = self.wholes.join(whole, own).2;
            num.mul(&factor).big()
        });
        let numbers = numbers.collect();
        (numbers, self.wholes.list[whole as usize].big())
    }
}

/// What flows into each node before it is its turn: mostly over one denominator.
struct Flowing {
    wholes: Wholes,
    waiting: Vec<Option<(u32, Num)>>,
    more: QuickMap<usize, Vec<(u32, Num)>>,
}

impl Flowing {
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

    /// All that flowed in.
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
        let (num, whole) = self.take(node);
        Fraction::of(num.big(), self.wholes.list[whole as usize].big())
    }
}

impl Graph<'_> {
    /// How likely each node is, if only the edges for which `open` holds are taken; what the others would carry is lost.
    pub(super) fn masses(&self, open: impl Fn(usize) -> bool) -> Masses {
        let count = self.nodes.len();
        let mut flow = Flowing { wholes: Wholes::default(), waiting: vec![None; count + 2], more: QuickMap::default() };
        let (beyond, never) = (count, count + 1);
        let mut masses: Vec<(Num, u32)> = vec![(Num::Narrow(0), 0); count];
        let one = flow.wholes.number(Num::Narrow(1));
        flow.add(0, one, Num::one(self.options.width));
        let mut rough = false;
        for part in self.parts().iter().rev() {
            if let [node] = *part
                && !self.taken(node).any(|e| self.to[e] == node)
            {
                let (num, whole) = flow.take(node as usize);
                if !num.is_zero() && !self.explored(node) {
                    flow.add(beyond, whole, num.clone());
                } else if !num.is_zero() && !self.edges_of(node).is_empty() {
                    let edges = self.taken(node);
                    let stored = if self.decisions.contains_key(&node) { 1 } else { self.wholes[node as usize] };
                    let next = flow.wholes.product(whole, stored, &self.whole(node));
                    for edge in edges.filter(|e| open(*e)) {
                        let to = if self.to[edge] == UNEXPLORED { beyond } else { self.to[edge] as usize };
                        flow.add(to, next, num.mul(&self.weight(edge)));
                    }
                }
                masses[node as usize] = (num, whole);
                continue;
            }
            let entered: Vec<Fraction> = part.iter().map(|n| flow.fraction(*n as usize)).collect();
            if entered.iter().all(Fraction::is_zero) {
                continue;
            }
            let leaves =
                part.iter().any(|n| self.taken(*n).any(|e| !open(e) || part.binary_search(&self.to[e]).is_err()));
            if !leaves {
                entered.iter().for_each(|e| flow.add_fraction(never, e));
                continue;
            }
            if part.len() > MOST {
                rough = true;
                self.go_round(part, &entered, &open, &mut flow, beyond);
                continue;
            }
            let visits = self.cycle(part, &open).solve().visits(entered);
            for (node, visits) in part.iter().zip(&visits) {
                let whole = flow.wholes.number(Num::Big(visits.den().clone()));
                let num = Num::Big(visits.num().magnitude().clone());
                let stored = if self.decisions.contains_key(node) { 1 } else { self.wholes[*node as usize] };
                let next = flow.wholes.product(whole, stored, &self.whole(*node));
                for edge in self.taken(*node).filter(|e| open(*e)) {
                    if part.binary_search(&self.to[edge]).is_ok() {
                        continue;
                    }
                    let to = if self.to[edge] == UNEXPLORED { beyond } else { self.to[edge] as usize };
                    flow.add(to, next, num.mul(&self.weight(edge)));
                }
                masses[*node as usize] = (num, whole);
            }
        }
        let (unexplored, never) = (flow.fraction(beyond), flow.fraction(never));
        Masses { wholes: flow.wholes, masses, unexplored, never, rough }
    }

    /// A part with cycles as chances.
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

    /// The chance of an edge where it begins.
    pub(super) fn chance_of(&self, node: Node, edge: usize) -> Fraction {
        Fraction::of(self.weight(edge).big(), self.whole(node).big())
    }

    /// A part with too many positions: rounds are followed until next to nothing is left, always rounded down.
    fn go_round(
        &self,
        part: &[Node],
        entered: &[Fraction],
        open: &impl Fn(usize) -> bool,
        flow: &mut Flowing,
        beyond: usize,
    ) {
        const UNIT: u64 = 1 << 62;
        const ROUNDS: usize = 4000;
        let mut all = Fraction::zero();
        entered.iter().for_each(|e| all += e);
        let units = |f: &Fraction| -> u64 {
            let n = f.num().magnitude() * BigUint::from(UNIT) / f.den();
            u64::try_from(n).unwrap_or(UNIT)
        };
        let mut now: Vec<u64> = entered.iter().map(|e| units(&(e / &all))).collect();
        let edges: Vec<Vec<(usize, u64)>> =
            part.iter().map(|n| self.taken(*n).map(|e| (e, units(&self.chance_of(*n, e)))).collect()).collect();
        let mut left: BTreeMap<usize, u64> = BTreeMap::new();
        for _ in 0..ROUNDS {
            let mut next = vec![0u64; part.len()];
            for (mass, edges) in now.iter().zip(&edges).filter(|(m, _)| **m > 0) {
                for (edge, chance) in edges {
                    let part_of = (u128::from(*mass) * u128::from(*chance) / u128::from(UNIT)) as u64;
                    match part.binary_search(&self.to[*edge]) {
                        Ok(at) if open(*edge) => next[at] += part_of,
                        _ if !open(*edge) => {}
                        _ => *left.entry(*edge).or_default() += part_of,
                    }
                }
            }
            now = next;
            if now.iter().sum::<u64>() < 1 << 16 {
                break;
            }
        }
        let whole = BigUint::from(UNIT);
        let mut rest = all.clone();
        for (edge, mass) in left {
            let share = &all * &Fraction::of(BigUint::from(mass), whole.clone());
            rest = &rest - &share;
            let to = if self.to[edge] == UNEXPLORED { beyond } else { self.to[edge] as usize };
            flow.add_fraction(to, &share);
        }
        flow.add_fraction(beyond, &rest);
    }
}
