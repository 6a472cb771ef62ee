//! The execution context of a run: its drivers, and the counters and buffers that are not part of the state.

use super::bodies::Question;
use super::drive::{Decide, Dice, Drive, Drivers, MachineEvent, Menu, NoDice, NoTrace, Trace};
use super::{Game, State};
use fixedbitset::FixedBitSet;
use grognard_base::value::*;

/// The context of a run: its drivers and the data that are not part of the state.
///
/// Only the dispatch and the fast loop are compiled for each type of drivers. All other code takes a [`With`], which calls its drivers
/// through [`Drive`], and is compiled once.
pub struct Run<X: ?Sized> {
    /// Counts of the tallies.
    pub tallies: Vec<i64>,
    /// Loop rounds and calls that are left before the run ends in an error.
    pub fuel: u64,
    /// Steps that are left for counterfactual searches, which only traces need.
    pub hints: u64,
    /// Where the run ends early.
    pub halt: Option<Halt>,
    /// Instructions before which the machine stops. Only exact odds set them.
    pub stops: FixedBitSet,
    /// Queries of the board and their answers, if the caller records them.
    pub(super) asked: Option<Vec<(Question, [i64; 2])>>,
    pub(super) menu: Menu,
    pub(super) faces: Vec<i64>,
    pub(super) source: &'static str,
    /// Whether odds are computed: see [`Dice::exact`].
    pub(super) exact: bool,
    /// Whether the run is traced: see [`Trace::on`].
    pub(super) traced: bool,
    /// The drivers: dice, decisions, trace.
    pub drivers: X,
}

/// A run as code outside the dispatch and the fast loop sees it.
pub type With<'d> = Run<dyn Drive + 'd>;

impl With<'_> {
    /// Passes an event to the trace.
    pub(super) fn tell(&mut self, game: &Game, state: &State, what: &MachineEvent<'_>) {
        self.drivers.trace().happen(game, state, what);
    }
}

impl<D: Dice, C: Decide, T: Trace> Run<Drivers<D, C, T>> {
    /// Creates a run with full fuel and with tallies at 0.
    pub fn new(game: &Game, dice: D, decide: C, trace: T) -> Self {
        Run {
            tallies: vec![0; game.program.schema.tallies.len()],
            fuel: game.fuel,
            hints: game.fuel,
            halt: None,
            stops: FixedBitSet::new(),
            asked: None,
            menu: Menu::default(),
            faces: Vec::new(),
            source: "",
            exact: dice.exact(),
            traced: trace.on(),
            drivers: Drivers { dice, decide, trace },
        }
    }
}

/// A run of pure code, which rolls no dice, makes no decisions and is not traced.
pub type Pure = Run<Drivers<NoDice, NoDice, NoTrace>>;

impl Pure {
    /// Creates such a run with full fuel and with tallies at 0.
    pub fn pure(game: &Game) -> Pure {
        Run::new(game, NoDice, NoDice, NoTrace)
    }
}

/// The start or the end of a phase at which a run ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halt {
    /// The phase.
    pub phase: PhaseId,
    /// Whether the run ends at the start of the phase. Otherwise it ends at its end. Both are after its rules and expired durations.
    pub start: bool,
    /// Value that the first parameter of the phase must have, if any.
    pub key: Option<i64>,
}

impl Halt {
    /// Returns whether the run ends at this point. The frame of the phase begins at `base`.
    pub(super) fn here(&self, phase: PhaseId, start: bool, state: &State, base: usize) -> bool {
        self.phase == phase && self.start == start && self.key.is_none_or(|key| state.stack.get(base) == Some(&key))
    }
}
