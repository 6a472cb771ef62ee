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
//!   and convolution. Code after a demand that works only on the dice is run once for all states (pure regions).
//! * **States.** Equal states are one node: [`Canonical`] brings a state to one form, without the parts that no code
//!   can read any more, and [`Interner`] keeps each form once (hash consing). An [`Analysis`] keeps what is known about
//!   the code between explorations.
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

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator is thought of everywhere

mod answer;
mod astray;
mod canonical;
#[doc(hidden)]
pub mod cycles;
mod draws;
mod explosions;
mod driver;
mod enclose;
mod expand;
mod folds;
mod graph;
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
mod branches;
mod pool;
mod solve;
#[doc(hidden)]
pub mod interner;
mod regions;
mod sums;
mod throws;
mod truncation;
mod influence;

pub use analysis::Analysis;
pub use answer::{Args, Distribution, Label, Outcome, Query, Worth, number};
pub use canonical::{Canonical, Liveness};
pub use driver::{Choice, Deciders, Prefer};
pub use enclose::Enclosure;
pub use graph::Graph;
pub use grognard_base::{Budget, Limit, Reading};
pub use influence::{Lean, Leans, Swing, Swings, Target};
pub use interner::{Interner, Reader, Shapes, Writer};
pub use num::Width;
pub use optimum::PolicyRow;
pub use outer::reads as reads_history;

use grognard_base::value::{Fraction, FuncId};
use grognard_scenario::Scenario;
use grognard_scenario::counts::Saturation;
use grognard_vm::{Game, State};

/// What is run.
#[derive(Clone, Copy)]
pub enum Task<'a> {
    /// One call of a function on the position: a test, a value, a piece of an example. Lists among the arguments lie on
    /// the heap of the position.
    Call {
        /// The function.
        func: FuncId,
        /// Cells of its parameters.
        args: &'a [i64],
        /// Which cells of its result anybody will ask for; the others are forgotten. Nothing: all.
        keep: Option<&'a [bool]>,
    },
    /// All that a scenario does.
    Plan(&'a Scenario),
}

/// How a thrown pool is split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pools {
    /// As far as the rules ask, and when they ask.
    #[default]
    Asked,
    /// By faces without order, as soon as it falls: what a roll brings is then known at that roll.
    Faces,
    /// Die by die, as soon as it falls.
    Dice,
}

/// How the graph is explored.
#[derive(Clone, Debug)]
pub struct ExploreOptions {
    /// How much.
    pub budget: Budget,
    /// How pools are split.
    pub pools: Pools,
    /// Whether equal positions are one.
    pub merge: bool,
    /// Whether what no code can read any more is forgotten.
    pub clear: bool,
    /// Whether lists whose order no code reads are put in one order.
    pub sort: bool,
    /// Whether code that works only on what dice gave is worked out once for all positions.
    pub regions: bool,
    /// The narrowest numbers weights are kept in.
    pub width: Width,
    /// Whether it is kept which functions, settings and clauses a branch comes by, and what is counted on it; then each
    /// throw has a position of its own.
    pub marks: bool,
    /// Whether tallies and rounds belong to the position: then any query may read them, and more positions differ.
    pub history: bool,
    /// Counts from this one on are alike: whatever is asked tells them apart no more.
    pub counts: Saturation,
    /// What it counts if the end is never reached.
    pub never: Fraction,
    /// Whether the best play is looked for in fractions, however many positions come back to each other.
    pub fractions: bool,
    /// The run is under way where it begins; nothing: nothing was played.
    pub from: Option<Midway>,
}

/// What a run that is under way has behind it: the part of its position that lies outside the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Midway {
    /// What is being played: 0 for the start of the scenario, then its steps.
    pub stage: u32,
    /// How often the start was run.
    pub rounds: i64,
    /// What `was` looks back at in the expectations of this step.
    pub kept: Vec<i64>,
    /// Counts of tallies.
    pub tallies: Vec<i64>,
}

impl ExploreOptions {
    /// Whether a sum that is only compared is told apart by that alone.
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
            fractions: false,
            from: None,
        }
    }
}

/// Explores everything that can happen. Errors of the rules are ends of the graph.
pub fn explore<'g>(
    game: &'g Game,
    start: &State,
    task: Task<'g>,
    deciders: &mut dyn Deciders,
    options: ExploreOptions,
) -> Box<Graph<'g>> {
    Analysis::new(game).explore(start, task, deciders, options)
}
