//! Truncation of unbounded counts: once next to nothing is left of what goes on and on, exploring stops.
#![allow(clippy::float_arithmetic)] // sums, products and quotients alone: they are the same everywhere

use super::graph::{Graph, Node, UNEXPLORED};
use super::num::Num;
use num_traits::ToPrimitive;

/// Nodes that are followed in any case.
const LEAST: usize = 4096;
/// Nodes between two looks.
const LOOK: usize = 1024;
/// What is next to nothing: 2 to the power of -900.
const NOTHING: f64 = f64::from_bits((1023 - 900) << 52);

/// How likely each node is reached, as far as that is known while it is explored, and rounded.
#[derive(Default)]
pub struct Truncation {
    masses: Vec<f64>,
    /// How many nodes were looked at.
    followed: usize,
    /// What came back to nodes that had been followed before.
    back: f64,
}

impl Truncation {
    /// True if next to nothing is left of nodes from `next` on. Small graphs are not looked at.
    pub fn is_spent(&mut self, graph: &Graph<'_>, next: usize) -> bool {
        if next < LEAST || !next.is_multiple_of(LOOK) {
            return false;
        }
        for node in std::mem::replace(&mut self.followed, next)..next {
            let (node, whole) = (node as Node, float(&graph.whole(node as Node)));
            for edge in graph.edges_of(node).filter(|edge| graph.to[*edge] != UNEXPLORED) {
                self.flow(node, graph.to[edge], &graph.weight(edge), whole);
            }
        }
        if self.back > NOTHING {
            return false;
        }
        let mut left = self.back;
        self.masses.get(next..).unwrap_or_default().iter().all(|mass| {
            left += mass;
            left <= NOTHING
        })
    }

    /// An edge out of a node, and what all its edges weigh; of a decision each edge carries all.
    fn flow(&mut self, from: Node, to: Node, weight: &Num, whole: f64) {
        let (from, to) = (from as usize, to as usize);
        if self.masses.len() <= to.max(from) {
            self.masses.resize(to.max(from) + 1, 0.0);
            self.masses[0] = 1.0;
        }
        let weight = float(weight);
        // what is too large for a float carries all: then more seems to be left than there is
        let share = if weight.is_finite() && whole.is_finite() { weight / whole } else { 1.0 };
        let more = self.masses[from] * share;
        if to > from { self.masses[to] += more } else { self.back += more }
    }
}

/// About how large a number is.
fn float(n: &Num) -> f64 {
    match n {
        Num::Narrow(n) => *n as f64,
        Num::Wide(n) => *n as f64,
        Num::Big(n) => n.to_f64().unwrap_or(f64::INFINITY),
    }
}
