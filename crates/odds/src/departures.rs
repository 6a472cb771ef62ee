//! Where best play departs from plain play, and what each departure gains.
//!
//! A player who plays `best` or `worst` can have a plain answer too (see [`Choice`](super::Choice)). The loss of a plain answer is
//! the value of the best entry less the value of the plain one, when best play follows both. The sum of the losses along
//! plain play is the whole gain (the performance difference lemma: Kakade and Langford, *Approximately Optimal Approximate
//! Reinforcement Learning*, 2002).

use super::Precision;
use super::graph::*;
use super::influence::Target;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_vm::{Fault, Who};

/// The value of best play and of plain play, and where they differ.
#[derive(Clone, Debug)]
pub struct Gain {
    /// The value of the objective if the player plays best.
    pub best: Fraction,
    /// The value of the objective if the player plays plainly.
    pub plain: Fraction,
    /// The decisions of plain play that lose something, in the order of discovery.
    pub departures: Vec<Departure>,
}

/// A decision at which the plain answer is not the best one.
#[derive(Clone, Debug)]
pub struct Departure {
    /// The site of the choice.
    pub site: SiteId,
    /// The subject and the player of the choice.
    pub who: Who,
    /// The entry of the plain answer, or `None` if no entry leads to the same states.
    pub plain: Option<String>,
    /// The best entry.
    pub best: String,
    /// Expected number of visits under plain play.
    pub reached: Fraction,
    /// The gain of all visits: their number times the difference of the two values. Negative for a player who plays `worst`.
    pub gain: Fraction,
}

impl Graph<'_> {
    /// Compares best play with plain play, after [`optimise`](Graph::optimise). The graph follows best play afterwards.
    ///
    /// # Errors
    ///
    /// Fails if best play is known only within bounds, or if the values exceed a limit.
    pub fn departures(&mut self, objective: Target<'_>) -> Result<Gain, Fault> {
        if self.enclosure.is_some() || self.cut_short() {
            let message =
                "the gain of best play cannot be computed exactly: the game has too many states, or they form cycles";
            return Err(Fault::new(Code::Budget, message));
        }
        let ends = self.own_worths(objective)?;
        let never = self.options.never.clone();
        let worths = self.worths(&ends, &never)?;
        let best_policy = self.policy.clone();
        let nodes = self.choices().filter(|(.., decision)| decision.has_plain()).map(|(node, ..)| node);
        let nodes: Vec<Node> = nodes.collect();
        let bests: Vec<usize> = nodes.iter().map(|node| self.taken(*node).start).collect();
        let plains: Vec<usize> = nodes.iter().map(|node| self.edges_of(*node).end - 1).collect();
        if let Some(policy) = &mut self.policy {
            nodes.iter().zip(&plains).for_each(|(node, plain)| policy[*node as usize] = *plain as u32);
        }
        self.forget_visits();
        let plain = self.worths(&ends, &never).map(|worths| worths.first().cloned().unwrap_or_else(Fraction::zero));
        let masses = self.masses(|_| true, false, Precision::Fractions);
        let worth = |edge: usize| worths.get(self.to[edge] as usize).cloned().unwrap_or_else(Fraction::zero);
        let mut departures = Vec::new();
        for ((node, best), plain) in nodes.into_iter().zip(bests).zip(plains) {
            let (Some(decision), first) = (self.decision(node), self.edges_of(node).start) else { continue };
            let (loss, reached) = (&worth(best) - &worth(plain), masses.of(node));
            if loss.is_zero() || reached.is_zero() {
                continue;
            }
            let alike = (first..plain).find(|edge| self.leads_alike(*edge, plain));
            departures.push(Departure {
                site: decision.site,
                who: decision.who,
                plain: alike.and_then(|edge| decision.names.get(edge - first).cloned()),
                best: decision.names.get(best - first).cloned().unwrap_or_default(),
                gain: &loss * &reached,
                reached,
            });
        }
        self.policy = best_policy;
        self.forget_visits();
        let best = worths.first().cloned().unwrap_or_else(Fraction::zero);
        Ok(Gain { best, plain: plain?, departures })
    }

    /// Returns whether two entries of a menu lead to the same states with the same probabilities.
    fn leads_alike(&self, a: usize, b: usize) -> bool {
        let next = |edge: usize| {
            let node = self.to[edge];
            self.edges_of(node).map(move |edge| (self.to[edge], self.chance_of(node, edge)))
        };
        self.to[a] == self.to[b] || next(a).eq(next(b))
    }
}
