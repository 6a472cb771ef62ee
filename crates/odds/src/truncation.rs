//! Truncation of unbounded counts: exploration stops when almost no probability is left in the open part.
#![allow(clippy::float_arithmetic)] // only sums, products and quotients, which are the same on every machine

use super::graph::{Graph, Node, UNEXPLORED};
use super::num::Num;
use num_traits::ToPrimitive;

/// Minimum number of expanded nodes.
const LEAST: usize = 4096;
/// Number of nodes between two checks.
const LOOK: usize = 1024;
/// Negligible probability: 2 to the power of -900.
const NOTHING: f64 = f64::from_bits((1023 - 900) << 52);

/// Rounded probabilities of the nodes, as known during the exploration.
#[derive(Default)]
pub struct Truncation {
    masses: Vec<f64>,
    /// Number of nodes whose edges are included.
    followed: usize,
    /// Probability that returned to expanded nodes.
    back: f64,
}

impl Truncation {
    /// Returns whether the nodes from `next` on have negligible probability. Small graphs are never truncated.
    pub fn is_spent(&mut self, graph: &Graph<'_>, next: usize) -> bool {
        // Probability that returned stays in the graph, so nothing ahead is negligible any more.
        if next < LEAST || !next.is_multiple_of(LOOK) || self.back > NOTHING {
            return false;
        }
        for node in std::mem::replace(&mut self.followed, next)..next {
            let (node, whole) = (node as Node, float(&graph.whole(node as Node)));
            for edge in graph.edges_of(node).filter(|edge| graph.to[*edge] != UNEXPLORED) {
                self.flow(node, graph.to[edge], &graph.weight(edge), whole);
            }
        }
        if self.back > NOTHING {
            self.masses = Vec::new();
            return false;
        }
        let mut left = self.back;
        self.masses.get(next..).unwrap_or_default().iter().all(|mass| {
            left += mass;
            left <= NOTHING
        })
    }

    /// Adds the probability of an edge, given the sum of the weights of its node. In a decision each edge carries the whole
    /// probability.
    fn flow(&mut self, from: Node, to: Node, weight: &Num, whole: f64) {
        let (from, to) = (from as usize, to as usize);
        if self.masses.len() <= to.max(from) {
            self.masses.resize(to.max(from) + 1, 0.0);
            self.masses[0] = 1.0;
        }
        let weight = float(weight);
        // A number too large for a float carries the whole probability, which overestimates the rest.
        let share = if weight.is_finite() && whole.is_finite() { weight / whole } else { 1.0 };
        let more = self.masses[from] * share;
        if to > from { self.masses[to] += more } else { self.back += more }
    }
}

/// Returns the number rounded to a float.
fn float(n: &Num) -> f64 {
    match n {
        Num::Narrow(n) => *n as f64,
        Num::Wide(n) => *n as f64,
        Num::Big(n) => n.to_f64().unwrap_or(f64::INFINITY),
    }
}
