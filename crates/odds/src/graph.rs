//! The state space as a graph: positions, and weighted edges from one to the next.

use super::branches::Splitter;
use super::enclose::Enclosure;
use super::interner::{Interner, Shapes};
use super::num::Num;
use super::{ExploreOptions, Limit, Task};
use grognard_base::Reading;
use grognard_base::value::*;
use grognard_board::motion::Path;
use grognard_program::schema::Schema;
use grognard_vm::{Answer, Fault, Game, State, Who};
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A node of the graph by its number.
pub type Node = u32;

/// What lies beyond the budget.
pub const UNEXPLORED: Node = u32::MAX;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A kept position from which chance goes on.
    Position(u32),
    /// What comes of the n-th entry of a menu.
    Entry(Node, u32),
    /// A kept position at which the run is over.
    End(u32),
    /// An error that ended the run.
    Fault(u32),
}

/// A decision that is looked for. Positions at which the same is decided share one.
#[derive(Debug)]
pub struct Decision {
    /// True for the greatest objective, false for the least.
    pub best: bool,
    /// The choice.
    pub site: SiteId,
    /// Who is asked.
    pub who: Who,
    /// The entries of its menu.
    pub names: Vec<String>,
    /// What answers with them.
    pub answers: Vec<Answer>,
    /// The paths they stand for, if it is a move.
    pub ends: Option<Rc<[Path]>>,
}

impl Decision {
    /// True if another one can stand for it.
    pub fn is(&self, other: &Decision) -> bool {
        let of = |d: &Decision| (d.site, d.best, d.who);
        let moves = self.ends.is_some() || other.ends.is_some();
        of(self) == of(other) && !moves && self.answers == other.answers && self.names == other.names
    }
}

/// Everything that can happen, explored once.
pub struct Graph<'g> {
    pub(super) game: &'g Game,
    pub(super) task: Task<'g>,
    pub(super) options: ExploreOptions,
    pub(super) start: State,
    pub(super) splitter: Splitter<'g, 'g>,
    pub(super) store: Interner,
    pub(super) shapes: Shapes,
    pub(super) nodes: Vec<Sort>,
    /// Of each explored node, where its edges end; the others were beyond the budget.
    pub(super) ends: Vec<u32>,
    pub(super) to: Vec<Node>,
    pub(super) weights: Vec<u64>,
    /// What the edges of each explored node weigh together.
    pub(super) wholes: Vec<u64>,
    /// Weights that take more than 64 bits, from the highest number down.
    pub(super) large: Vec<Num>,
    /// By edge: sums counted on the way, times the weight of the way.
    pub(super) sums: BTreeMap<(u32, u32), BigInt>,
    /// By edge: the set of marks on the way.
    /// Sums that something on the way makes smaller.
    pub(super) falling: BTreeSet<u32>,
    pub(super) marks: Vec<u32>,
    pub(super) mark_sets: Vec<Vec<u64>>,
    pub(super) faults: Vec<Fault>,
    pub(super) decisions: FxHashMap<Node, Rc<Decision>>,
    /// The place of the roll, draw or choice at which a node stands.
    pub(super) sites: Vec<u32>,
    /// By node the edge that a decision takes, once it was looked for; [`NO_EDGE`] for what is no decision.
    pub(super) policy: Option<Vec<u32>>,
    /// What the start is worth under the best play, where that was enclosed.
    pub(super) enclosure: Option<Enclosure>,
    /// How often a region of code was met, and how often it was known.
    pub(super) regions: (u32, u32),
    /// How likely each end is, once that was asked: all questions go by it.
    pub(super) arrivals: OnceCell<Arrivals>,
}

/// How likely each end is, over one denominator.
pub(super) struct Arrivals {
    /// Ends that are reached, with their weights.
    pub ends: Vec<(Node, BigUint)>,
    /// The denominator of the weights.
    pub whole: BigUint,
    /// What goes round for ever.
    pub never: Fraction,
    /// What was not explored.
    pub unexplored: Fraction,
}

/// No edge.
pub const NO_EDGE: u32 = u32::MAX;

/// No site.
pub const NOWHERE: u32 = u32::MAX;

impl Graph<'_> {
    /// The rules.
    pub fn rules(&self) -> &Schema {
        &self.game.program.schema
    }

    /// How many positions there are, ends included.
    pub fn states(&self) -> usize {
        self.store.count()
    }

    /// Edges between them.
    pub fn edges(&self) -> usize {
        self.to.len()
    }

    /// Returns what it cost so far, answers included.
    pub fn reading(&self) -> Reading {
        self.splitter.meter.reading(self.states())
    }

    /// The limit that ended the exploration, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.splitter.meter.limit()
    }

    /// How often a position came to code that is worked out once for all, and how often that had been done before.
    pub fn regions(&self) -> (u32, u32) {
        self.regions
    }

    /// Errors that runs end in.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// True if somebody looks for the best or the worst.
    pub fn decides(&self) -> bool {
        !self.decisions.is_empty()
    }

    /// Between which values the objective lies under the best play, if it was enclosed and not worked out in fractions.
    pub fn enclosure(&self) -> Option<&Enclosure> {
        self.enclosure.as_ref()
    }

    /// True if the budget ran out.
    pub fn cut_short(&self) -> bool {
        self.ends.len() < self.nodes.len() || self.to.contains(&UNEXPLORED)
    }

    /// True if another line of play than the one that is followed may be the best: not everything was explored, and how the
    /// rest ends decides it. What is told of single ends then holds of this line alone.
    pub fn provisional(&self) -> bool {
        self.decides() && self.cut_short() && self.enclosure.as_ref().is_none_or(|bounds| bounds.low() != bounds.high())
    }

    /// The edges of a node: none for ends, and for what was not explored.
    pub(super) fn edges_of(&self, node: Node) -> std::ops::Range<usize> {
        let n = node as usize;
        if n >= self.ends.len() {
            return 0..0;
        }
        let from = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        from..self.ends[n] as usize
    }

    /// The edges that are taken: of a decision only the chosen one.
    pub(super) fn taken(&self, node: Node) -> std::ops::Range<usize> {
        match self.policy.as_ref().map_or(NO_EDGE, |policy| policy[node as usize]) {
            NO_EDGE => self.edges_of(node),
            edge => edge as usize..edge as usize + 1,
        }
    }

    pub(super) fn explored(&self, node: Node) -> bool {
        (node as usize) < self.ends.len()
    }

    pub(super) fn weight(&self, edge: usize) -> Num {
        self.number(self.weights[edge])
    }

    /// What the edges of a node weigh together; one if a decision takes one of them.
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
