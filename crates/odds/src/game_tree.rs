//! The graph as a game for other solvers: chance with exact weights, decisions, and values at the ends.

use super::answer::Query;
use super::graph::*;
use super::influence::Target;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_vm::{Fault, Who};

/// Maximum number of outcomes of a chance node.
const OUTCOMES: usize = 10_000;

/// One node of the game. Numbers of nodes are indices of [`Graph::game_tree`].
#[derive(Clone, Debug)]
pub enum GameNode {
    /// A split: each next node with its probability, whose sum is 1.
    Chance(Vec<(usize, Fraction)>),
    /// A decision of the best or worst play.
    Decision {
        /// The choice.
        site: SiteId,
        /// Subject and player.
        who: Who,
        /// Whether the objective is maximized; otherwise it is minimized.
        best: bool,
        /// Each entry of the menu with the next node.
        entries: Vec<(String, usize)>,
    },
    /// The end of the run, with the value of the objective.
    End(Fraction),
}

impl Graph<'_> {
    /// Returns the nodes of the game, the start first. A chance node is a split of the exploration: what the rules demand of
    /// dice, not their faces.
    ///
    /// # Errors
    ///
    /// Fails if the graph has an unexplored part, an error, a cycle or a split of more than 10,000 outcomes, or if the objective
    /// has no value at an end.
    pub fn game_tree(&mut self, objective: Query<'_>) -> Result<Vec<GameNode>, Fault> {
        // all entries are part of the game, whatever the policy takes
        let policy = self.policy.take();
        let found = self.tree_nodes(objective);
        self.policy = policy;
        found
    }

    fn tree_nodes(&self, objective: Query<'_>) -> Result<Vec<GameNode>, Fault> {
        let nodes = self.game_nodes(objective)?;
        if self.parts().iter().any(|part| !self.alone(part, |n| self.edges_of(n))) {
            return refused("the states of the game form a cycle, so it is not a tree");
        }
        if nodes.iter().any(|node| matches!(node, GameNode::Chance(list) if list.len() > OUTCOMES)) {
            return refused("a split of the game has more than 10,000 outcomes");
        }
        Ok(nodes)
    }

    /// Returns the same nodes as [`Graph::game_tree`], even if they form cycles.
    #[doc(hidden)]
    pub fn game_nodes(&self, objective: Query<'_>) -> Result<Vec<GameNode>, Fault> {
        if self.cut_short() {
            return refused("the game has more states than the limit");
        }
        if let Some(fault) = self.faults().first() {
            return Err(fault.clone());
        }
        let ends = self.own_worths(Target::Value(objective))?;
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() as Node {
            let to = |edge: usize| self.to[edge] as usize;
            let edges = self.edges_of(node);
            nodes.push(if let Some(decision) = self.decision(node) {
                let Decision { site, who, best, names, .. } = decision;
                let entries = names.iter().cloned().zip(edges.map(to)).collect();
                GameNode::Decision { site: *site, who: *who, best: *best, entries }
            } else if edges.is_empty() {
                GameNode::End(ends.get(&node).cloned().unwrap_or_else(Fraction::zero))
            } else {
                GameNode::Chance(edges.map(|edge| (to(edge), self.chance_of(node, edge))).collect())
            });
        }
        Ok(nodes)
    }
}

fn refused(message: &str) -> Result<Vec<GameNode>, Fault> {
    Err(Fault::new(Code::Budget, message.to_string()))
}
