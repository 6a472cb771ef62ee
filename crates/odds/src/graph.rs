//! The state space as a graph: states, and weighted edges from one to the next.

use super::branches::Splitter;
use super::edge_sums::EdgeSums;
use super::enclose::Enclosure;
use super::interner::{Interner, Shapes};
use super::num::Num;
use super::solve::Masses;
use super::sweep::ManyBranches;
use super::{ExploreOptions, Limit, Precision, Task};
use grognard_base::Reading;
use grognard_base::value::*;
use grognard_board::motion::Path;
use grognard_program::schema::Schema;
use grognard_vm::{Answer, Fault, Game, State, Who};
use num_bigint::BigUint;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The index of a node.
pub type Node = u32;

/// The target of edges that leave the explored part.
pub const UNEXPLORED: Node = u32::MAX;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An interned state from which the run continues.
    Position(u32),
    /// An interned state at which a player searches for the best play, and the number of the decision.
    Choice(u32, u32),
    /// An entry of the menu of a node, by its index.
    Entry(Node, u32),
    /// An interned state at which the run is over.
    End(u32),
    /// An error that ended the run.
    Fault(u32),
}

/// A decision of the best or worst play. States with the same decision share one.
#[derive(Debug)]
pub struct Decision {
    /// Whether the objective is maximized; otherwise it is minimized.
    pub best: bool,
    /// The site of the choice.
    pub site: SiteId,
    /// The subject and the player of the choice.
    pub who: Who,
    /// The entries of its menu, as text.
    pub names: Vec<String>,
    /// The answers of the entries, and last the plain answer if there is one.
    pub answers: Vec<Answer>,
    /// The paths of the entries, for a move.
    pub ends: Option<Rc<[Path]>>,
}

impl Decision {
    /// Returns whether the last answer is that of plain play.
    pub fn has_plain(&self) -> bool {
        self.answers.len() > self.names.len()
    }

    /// Returns whether `other` can replace this decision.
    pub fn is(&self, other: &Decision) -> bool {
        let of = |d: &Decision| (d.site, d.best, d.who);
        let moves = self.ends.is_some() || other.ends.is_some();
        of(self) == of(other) && !moves && self.answers == other.answers && self.names == other.names
    }
}

/// The explored states of a task, with the queries on them.
pub struct Graph<'g> {
    pub(super) game: &'g Game,
    pub(super) task: Task<'g>,
    pub(super) options: ExploreOptions,
    pub(super) start: State,
    pub(super) splitter: Splitter<'g, 'g>,
    pub(super) store: Interner,
    pub(super) shapes: Shapes,
    pub(super) nodes: Vec<Sort>,
    /// For each explored node, the end of its range of edges. Nodes beyond the last one are not explored.
    pub(super) ends: Vec<u32>,
    pub(super) to: Vec<Node>,
    pub(super) weights: Vec<u64>,
    /// For each explored node, the sum of the weights of its edges.
    pub(super) wholes: Vec<u64>,
    /// Weights of 63 bits or more; an index counts down from `u64::MAX`.
    pub(super) large: Vec<Num>,
    /// The counts on the edges.
    pub(super) sums: EdgeSums,
    /// Tallies that some edge decreases.
    pub(super) falling: BTreeSet<u32>,
    pub(super) marks: Vec<u32>,
    pub(super) mark_sets: Vec<Vec<u64>>,
    pub(super) faults: Vec<Fault>,
    /// The different decisions.
    pub(super) decisions: Vec<Decision>,
    /// The site of the roll, draw or choice at each node.
    pub(super) sites: Vec<u32>,
    /// For each node the edge that its decision takes, once best play is computed; [`NO_EDGE`] for other nodes.
    pub(super) policy: Option<Vec<u32>>,
    /// Bounds of the values under the best play, if they were enclosed.
    pub(super) enclosure: Option<Enclosure>,
    /// Number of uses of pure regions, and of cache hits.
    pub(super) regions: (u32, u32),
    /// The visits of each node, computed by the first query.
    pub(super) visits: OnceCell<Masses>,
    /// The probability of each end, computed by the first query.
    pub(super) arrivals: OnceCell<Arrivals>,
}

/// The probability of each end, over one denominator.
pub(super) struct Arrivals {
    /// The ends with a positive weight: its lower bound, and the distance to its upper bound.
    pub ends: Vec<(Node, [BigUint; 2])>,
    /// The denominator of the weights.
    pub whole: BigUint,
}

/// Marks that no edge is chosen.
pub const NO_EDGE: u32 = u32::MAX;

/// Marks a node without a site.
pub const NOWHERE: u32 = u32::MAX;

impl Graph<'_> {
    /// Returns the schema of the rules.
    pub fn rules(&self) -> &Schema {
        &self.game.program.schema
    }

    /// Returns the first code that required many branches because it distinguishes the dice of a pool.
    pub fn many_branches(&self) -> Option<ManyBranches> {
        self.splitter.many
    }

    /// Returns the number of states, ends included.
    pub fn states(&self) -> usize {
        self.store.count()
    }

    /// Returns the number of edges.
    pub fn edges(&self) -> usize {
        self.to.len()
    }

    /// Returns the cost so far, queries included.
    pub fn reading(&self) -> Reading {
        self.splitter.meter.reading(self.states())
    }

    /// Returns the limit that ended the exploration, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.splitter.meter.limit()
    }

    /// Returns how often a state reached a pure region, and how often its summary was cached.
    pub fn regions(&self) -> (u32, u32) {
        self.regions
    }

    /// Returns the errors that end runs.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Sets the numbers in which answers are computed from now on.
    pub fn set_precision(&mut self, precision: Precision) {
        self.options.precision = precision;
        self.forget_visits();
    }

    /// Forgets the probabilities of the followed policy.
    pub(super) fn forget_visits(&mut self) {
        self.visits.take();
        self.arrivals.take();
    }

    /// Returns whether the graph has decisions of the best or worst play.
    pub fn decides(&self) -> bool {
        !self.decisions.is_empty()
    }

    /// Returns the bounds of the objective under the best play, or `None` if it was not enclosed.
    pub fn enclosure(&self) -> Option<&Enclosure> {
        self.enclosure.as_ref()
    }

    /// Returns whether a limit left a part unexplored.
    pub fn cut_short(&self) -> bool {
        self.ends.len() < self.nodes.len() || self.to.contains(&UNEXPLORED)
    }

    /// Returns whether a policy other than the followed one can be the best, because the unexplored part decides it. Results for
    /// single ends then hold only for the followed policy.
    pub fn provisional(&self) -> bool {
        self.decides() && self.cut_short() && self.enclosure.as_ref().is_none_or(|bounds| bounds.low() != bounds.high())
    }

    /// Returns the decision at a node, or `None` if no player searches there.
    pub(super) fn decision(&self, node: Node) -> Option<&Decision> {
        match self.nodes[node as usize] {
            Sort::Choice(_, decision) => self.decisions.get(decision as usize),
            Sort::Position(_) | Sort::Entry(..) | Sort::End(_) | Sort::Fault(_) => None,
        }
    }

    /// Returns the nodes with a decision, each with its state and the decision.
    pub(super) fn choices(&self) -> impl Iterator<Item = (Node, u32, &Decision)> {
        self.nodes.iter().zip(0..).filter_map(|(sort, node)| {
            let Sort::Choice(store, decision) = *sort else { return None };
            Some((node, store, self.decisions.get(decision as usize)?))
        })
    }

    /// Returns the edges of a node: an empty range for ends and unexplored nodes.
    pub(super) fn edges_of(&self, node: Node) -> std::ops::Range<usize> {
        let n = node as usize;
        if n >= self.ends.len() {
            return 0..0;
        }
        let from = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        from..self.ends[n] as usize
    }

    /// Returns the edges that are taken: for a decision only the chosen one.
    pub(super) fn taken(&self, node: Node) -> std::ops::Range<usize> {
        match self.policy.as_ref().map_or(NO_EDGE, |policy| policy[node as usize]) {
            NO_EDGE => self.edges_of(node),
            edge => edge as usize..edge as usize + 1,
        }
    }

    /// Returns whether nothing is missing after a node: it is an end, or it was expanded.
    pub(super) fn explored(&self, node: Node) -> bool {
        (node as usize) < self.ends.len() || matches!(self.nodes[node as usize], Sort::End(_) | Sort::Fault(_))
    }

    pub(super) fn weight(&self, edge: usize) -> Num {
        self.number(self.weights[edge])
    }

    /// Returns the sum of the weights of the edges of a node; for a decision 1.
    pub(super) fn whole(&self, node: Node) -> Num {
        self.number(self.wholes[node as usize])
    }

    fn number(&self, stored: u64) -> Num {
        match self.large.get((u64::MAX - stored) as usize) {
            Some(large) => large.clone(),
            None => Num::Narrow(stored),
        }
    }
}
