//! Optimistic value iteration (Hartmanns and Kaminski 2020): an enclosure of what players can reach where positions come
//! back, proven, in fixed-point numbers that are the same everywhere.
//!
//! Lower bounds rise from nothing by Bellman's equation, rounded down. An upper bound is guessed a little above them; one
//! that Bellman's operator, rounded up, does not raise is a bound of its least fixed point (Park's induction).

use super::graph::*;
use super::parts::Parts;
use crate::value::Fraction;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use std::collections::HashMap;

/// Binary places of values and chances.
const PLACES: u32 = 60;
const ONE: u64 = 1 << PLACES;
/// How far above the lower bounds the first guess of an upper bound lies.
const GUESS: u64 = 1 << 32;
/// The change in a sweep below which the lower bounds stand still.
const STILL: u64 = 1 << 12;
/// Sweeps over one part before it is given up.
const SWEEPS: usize = 200_000;
/// Sweeps in which a guess may prove to be a bound.
const TRIES: usize = 64;

/// What the start is worth at least and at most.
#[derive(Clone, Debug)]
pub struct Enclosure {
    /// The least.
    pub low: Fraction,
    /// The greatest.
    pub high: Fraction,
}

/// Bounds of the value of each node, in parts of [`ONE`] between the least and the greatest worth.
struct Bounds<'a, 'g> {
    graph: &'a Graph<'g>,
    low: Vec<u64>,
    high: Vec<u64>,
    /// The edge each decision takes.
    taken: HashMap<Node, u32>,
    /// Values are turned round: going on for ever is worth the most.
    turned: bool,
    /// Chances of edges, rounded down.
    chances: Vec<u64>,
}

impl Graph<'_> {
    /// Encloses what the start is worth under the best play, and takes that play up to the enclosure. Nothing if it
    /// cannot be done so: going on for ever is worth neither the least nor the most, or it takes too long.
    pub(super) fn enclose(
        &mut self,
        parts: &Parts,
        ends: &HashMap<Node, Fraction>,
        never: &Fraction,
    ) -> Option<Enclosure> {
        let zero = Fraction::zero();
        let least = ends.values().chain([never, &zero]).min()?.clone();
        let most = ends.values().chain([never, &zero]).max()?.clone();
        let turned = *never != least;
        if (turned && *never != most) || least == most {
            return None;
        }
        let span = &most - &least;
        let of = |worth: &Fraction| {
            let part = &(if turned { &most - worth } else { worth - &least }) / &span;
            let down = part.num().magnitude() * BigUint::from(ONE) / part.den();
            let exact = &down * part.den() == part.num().magnitude() * BigUint::from(ONE);
            let down = down.to_u64().unwrap_or(ONE);
            (down, if exact { down } else { down + 1 })
        };
        // errors, and what was not explored, count 0
        let (low, high) = of(&zero);
        let count = self.nodes.len();
        let mut bounds = Bounds {
            low: vec![low; count],
            high: vec![high; count],
            taken: self.policy.take().unwrap_or_default(),
            turned,
            chances: self.chances(),
            graph: self,
        };
        for node in 0..count {
            let Some(worth) = ends.get(&(node as Node)) else { continue };
            (bounds.low[node], bounds.high[node]) = of(worth);
        }
        let unexplored = of(&zero);
        let mut done = 0;
        for part in parts.iter() {
            bounds.part(part, unexplored)?;
            done += part.len();
            self.ground.meter.doing(|| format!("{done} of {count} positions weighed"));
        }
        let back = |value: u64| {
            let part = &span * &Fraction::of(BigUint::from(value), BigUint::one() << PLACES);
            if turned { &most - &part } else { &least + &part }
        };
        let (a, b) = (back(bounds.low[0]), back(bounds.high[0].min(ONE)));
        let taken = bounds.taken;
        self.policy = Some(taken);
        Some(if turned { Enclosure { low: b, high: a } } else { Enclosure { low: a, high: b } })
    }

    /// The chance of each edge, rounded down; one more of the last place is at least the chance.
    fn chances(&self) -> Vec<u64> {
        let mut chances = Vec::with_capacity(self.to.len());
        for node in 0..self.ends.len() as Node {
            let whole = self.whole(node);
            for edge in self.edges_of(node) {
                chances.push(self.weight(edge).share(&whole, PLACES));
            }
        }
        chances
    }
}

impl Bounds<'_, '_> {
    /// What one node is worth by what it leads to, and for a decision the edge that makes it so.
    fn look(&self, node: Node, values: &[u64], up: bool, unexplored: u64) -> (u64, Option<u32>) {
        let graph = self.graph;
        let value = |edge: usize| match graph.to[edge] {
            UNEXPLORED => unexplored,
            to => values[to as usize],
        };
        let edges = graph.edges_of(node);
        if let Some(decision) = graph.decisions.get(&node) {
            let greatest = decision.best != self.turned;
            let mut best = (value(edges.start), edges.start);
            for edge in edges.skip(1) {
                let new = value(edge);
                if if greatest { new > best.0 } else { new < best.0 } {
                    best = (new, edge);
                }
            }
            return (best.0, Some(best.1 as u32));
        }
        let mut sum: u128 = 0;
        for edge in edges.clone() {
            let whole = edges.len() == 1;
            let chance = if whole { ONE } else { self.chances[edge] + u64::from(up) };
            sum += u128::from(chance) * u128::from(value(edge));
        }
        let rounded = if up { (sum + u128::from(ONE - 1)) >> PLACES } else { sum >> PLACES };
        ((rounded as u64).min(ONE), None)
    }

    /// The bounds of one part; what it leads to is bounded.
    fn part(&mut self, part: &[Node], unexplored: (u64, u64)) -> Option<()> {
        let graph = self.graph;
        if let [node] = *part
            && !graph.edges_of(node).any(|e| graph.to[e] == node)
        {
            if !graph.edges_of(node).is_empty() {
                let (low, taken) = self.look(node, &self.low, false, unexplored.0);
                let (high, _) = self.look(node, &self.high, true, unexplored.1);
                (self.low[node as usize], self.high[node as usize]) = (low, high);
                self.taken.extend(taken.map(|edge| (node, edge)));
            }
            return Some(());
        }
        let edges: usize = part.iter().map(|n| graph.edges_of(*n).len()).sum();
        part.iter().for_each(|n| self.low[*n as usize] = 0);
        let (mut still, mut guess, mut sweeps) = (STILL, GUESS, 0);
        loop {
            // from below, until next to nothing moves
            loop {
                sweeps += 1;
                if sweeps > SWEEPS || !graph.ground.meter.words(edges as u64 / 4) {
                    return None;
                }
                let mut moved = 0;
                for node in part.iter().rev() {
                    let (new, taken) = self.look(*node, &self.low, false, unexplored.0);
                    let old = self.low[*node as usize];
                    if new > old {
                        moved = moved.max(new - old);
                        self.low[*node as usize] = new;
                        // an entry is taken only where it brings more: so nobody stays for nothing
                        self.taken.extend(taken.map(|edge| (*node, edge)));
                    }
                }
                if moved <= still {
                    break;
                }
            }
            part.iter().for_each(|n| self.high[*n as usize] = (self.low[*n as usize] + guess).min(ONE));
            if self.prove(part, edges, unexplored.1) {
                break;
            }
            if still == 0 {
                guess = guess.saturating_mul(4).min(ONE);
            }
            still /= 16;
        }
        // whoever wants the least takes what is least in the end
        for node in part {
            let Some(decision) = graph.decisions.get(node) else { continue };
            if decision.best == self.turned
                && let (_, Some(edge)) = self.look(*node, &self.low, false, unexplored.0)
            {
                self.taken.insert(*node, edge);
            }
        }
        Some(())
    }

    /// Whether the guess is an upper bound; if it is, it is lowered as far as that goes fast.
    fn prove(&mut self, part: &[Node], edges: usize, unexplored: u64) -> bool {
        let mut proven = false;
        for _ in 0..TRIES {
            self.graph.ground.meter.words(edges as u64 / 4);
            let (mut rises, mut falls) = (false, 0);
            for node in part.iter().rev() {
                let (new, _) = self.look(*node, &self.high, true, unexplored);
                let old = self.high[*node as usize];
                rises |= new > old;
                // once it is a bound, it only falls
                if new < old {
                    falls = falls.max(old - new);
                }
                self.high[*node as usize] = if proven { new.min(old) } else { new };
            }
            proven |= !rises;
            if proven && falls <= STILL {
                break;
            }
        }
        proven
    }
}
