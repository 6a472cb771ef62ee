//! Exact odds: runs the machine over all possible rolls, and answers in fractions.
//!
//! The input is a [`Game`] and a [`Task`]: one call, or all that a [`Scenario`] does. [`explore`] runs the task from
//! each state that can be reached, once, and returns the states as a [`Graph`]. The graph answers questions about its
//! ends: [`Graph::results`] returns the [`Distribution`] of the result of a call. `grognard-play` asks the questions of
//! a scenario (its report, its claims, the best play).
//!
//! # Example
//!
//! ```
//! use grognard_base::value::FuncId;
//! use grognard_kit::Shelf; // a library of texts in memory, for tests
//! use grognard_odds::{ExploreOptions, Prefer, Task, explore};
//! use grognard_program::{Detail, compile};
//! use grognard_vm::{Setup, set_up};
//!
//! let text = "ruleset first/best
//! proc best() -> Int {
//!   roll dice = 10 of d6
//!   return total(highest(3, dice))
//! }";
//! let (loaded, _) = Shelf::of(&[("first/best.rules", text)]).load("first/best");
//! let game = set_up(compile(&loaded.sound().unwrap(), Detail::Plain), Setup::default()).unwrap();
//!
//! let task = Task::Call { func: FuncId(0), args: &[], keep: None };
//! let graph = explore(&game, &game.start, task, &mut Prefer, ExploreOptions::default());
//! let found = graph.results();
//! assert_eq!(found.chance(|cells| cells[0] == 18).to_string(), "566299/2519424");
//! assert_eq!(found.mean().unwrap().to_string(), "243195197/15116544");
//! ```
//!
//! # How it works
//!
//! * **Unsampled dice.** A die has no face until an instruction demands one, and a state splits only where the demand
//!   requires it ([`grognard_vm::LazyDice`]). Counts, sums and the highest of a pool split by multinomial coefficients
//!   and convolution. Code after a demand or a roll that works only on the dice is run once for all states (pure regions).
//!   Code with several queries about pools is read symbolically and answered by one sweep over the faces (`sweep`).
//! * **States.** Equal states are one node: [`Canonical`] brings a state to one form, without the parts that no code
//!   can read any more, and [`Interner`] keeps each form once (hash consing). An [`Analysis`] caches facts about the
//!   code between explorations.
//! * **Loops.** States that form a cycle are strongly connected components (Tarjan 1972). They are solved as absorbing
//!   Markov chains by state elimination (Grassmann, Taksar and Heyman 1985).
//! * **Decisions.** A [`Deciders`] answers for the players. If it searches for the best play, the graph is a Markov
//!   decision process. It is solved in fractions by policy iteration (Howard 1960), and large cycles are enclosed in
//!   bounds by optimistic value iteration (Hartmanns and Kaminski 2020).
//! * **Budgets.** Work is charged to a [`Budget`]. If it is exceeded, the answer is a bound: see [`Label`] and
//!   [`Enclosure`].
//!
//! An error of the rules does not stop an exploration: it is an end of the graph with its own probability. It has no value,
//! so there is no best play where a decision can lead to an error.

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator must be handled in every match

mod answer;
mod astray;
mod departures;
mod distribution;
mod canonical;
#[doc(hidden)]
pub mod cycles;
mod draws;
mod explosions;
mod driver;
mod edge_sums;
mod enclose;
mod expand;
mod folds;
mod fractions;
mod game_tree;
mod graph;
#[doc(hidden)]
pub mod interval;
mod analysis;
mod lists;
mod menus;
#[doc(hidden)]
pub mod num;
mod open;
mod optimum;
mod outer;
mod components;
mod best;
mod branch;
mod branches;
mod pool;
mod proven;
mod solve;
#[doc(hidden)]
pub mod interner;
mod regions;
mod sums;
mod sweep;
mod throws;
mod truncation;
mod influence;

pub use analysis::Analysis;
pub use answer::{Args, Query};
pub use canonical::{Canonical, Liveness};
pub use departures::{Departure, Gain};
pub use distribution::{Distribution, Label, Outcome, Worth, number};
pub use driver::{Choice, Deciders, Prefer};
pub use enclose::Enclosure;
pub use game_tree::GameNode;
pub use graph::Graph;
pub use grognard_base::{Budget, Limit, Reading};
pub use influence::{Lean, Leans, Swing, Swings, Target};
pub use interner::{Interner, Reader, Shapes, Writer};
pub use num::Width;
pub use optimum::PolicyRow;
pub use outer::reads as reads_history;
pub use sweep::ManyBranches;

use grognard_base::value::{Fraction, FuncId};
use grognard_scenario::Scenario;
use grognard_scenario::counts::Saturation;
use grognard_vm::{Game, State};

/// The code that an exploration runs.
#[derive(Clone, Copy)]
pub enum Task<'a> {
    /// One call of a function on the state: a test, a value, a part of an example. Lists among the arguments are on the heap of
    /// the state.
    Call {
        /// The function to call.
        func: FuncId,
        /// Cells of its parameters.
        args: &'a [i64],
        /// For each cell of the result, whether a query reads it; the other cells are cleared. `None` keeps all cells.
        keep: Option<&'a [bool]>,
    },
    /// The start and all steps of a scenario.
    Plan(&'a Scenario),
}

/// How a rolled pool splits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pools {
    /// At the demand of an instruction, and only to the extent of the demand.
    #[default]
    Asked,
    /// By counts of faces without order, at the roll. The result of a roll is then known at that roll.
    Faces,
    /// Die by die, at the roll.
    Dice,
}

/// The numbers in which answers are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Fractions while they are cheap, otherwise proven intervals.
    #[default]
    Quick,
    /// Fractions while the budget allows them, even for the best play in large cycles.
    Fractions,
    /// Proven intervals.
    Proven,
}

/// Options of an exploration.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// Limits of work, memory and time.
    pub budget: Budget,
    /// How rolled pools split.
    pub pools: Pools,
    /// Whether equal states are merged into one node.
    pub merge: bool,
    /// Whether cells that no code can read any more are cleared.
    pub clear: bool,
    /// Whether lists whose order no code reads are sorted.
    pub sort: bool,
    /// Whether code that works only on the dice of a demand or a roll is run once for all states (pure regions).
    pub regions: bool,
    /// The narrowest representation of weights.
    pub width: Width,
    /// Whether each branch records the functions, settings and clauses that it uses, and its tallies. Each roll is then a
    /// separate state.
    pub marks: bool,
    /// Whether tallies and rounds are part of the state. Then any query can read them, and more states differ.
    pub history: bool,
    /// Saturation of tallies and rounds: no query distinguishes counts from this one on.
    pub counts: Saturation,
    /// The value of a run that does not terminate.
    pub never: Fraction,
    /// The numbers in which answers are computed.
    pub precision: Precision,
    /// Where the run starts, if it is under way; `None` starts the scenario from its beginning.
    pub from: Option<Midway>,
}

/// The part of the state of a run under way that is outside the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Midway {
    /// The current stage: 0 for the start of the scenario, then the number of the step.
    pub stage: u32,
    /// Number of runs of the start.
    pub rounds: i64,
    /// Values that `was` reads in the expectations of this step.
    pub kept: Vec<i64>,
    /// Counts of the tallies.
    pub tallies: Vec<i64>,
}

impl ExploreOptions {
    /// Returns whether a sum that is only compared splits only by the result of the comparison.
    fn folds(&self) -> bool {
        self.clear && self.pools == Pools::Asked && !self.marks
    }
}

impl Default for ExploreOptions {
    fn default() -> Self {
        ExploreOptions {
            budget: Budget::default(),
            pools: Pools::default(),
            merge: true,
            clear: true,
            sort: true,
            regions: true,
            width: Width::default(),
            marks: false,
            history: false,
            counts: Saturation::ALL,
            never: Fraction::zero(),
            precision: Precision::default(),
            from: None,
        }
    }
}

/// Explores every state that can be reached from `start`. Errors of the rules are ends of the graph.
pub fn explore<'g>(
    game: &'g Game,
    start: &State,
    task: Task<'g>,
    deciders: &mut dyn Deciders,
    options: ExploreOptions,
) -> Box<Graph<'g>> {
    Analysis::new(game).explore(start, task, deciders, options)
}
