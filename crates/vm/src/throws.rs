//! Superinstructions for throws: a question for like dice with what stands before it.

use super::drive::Die;
use grognard_base::value::{KindId, SiteId};
use grognard_program::{DiceSort, Reg};

/// `Ask` for like dice, with what most often stands before it: the subject, and how many dice or which.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThrowDice {
    pub site: SiteId,
    pub die: DieFrom,
    /// The thing that is packed as the subject, and its kind; none if the register holds the subject already.
    pub pack: Option<(Reg, KindId)>,
    pub subject: Reg,
    /// What a register gets first that is asked for.
    pub before: Option<(Reg, Before)>,
    /// How many dice; none for a single one.
    pub count: Option<Reg>,
    pub dst: Reg,
    /// Instructions it stands for.
    pub length: u32,
}

/// Which die is thrown.
#[derive(Clone, Copy, Debug)]
pub(super) enum DieFrom {
    /// This.
    Known(Die),
    /// The one that a register tells.
    Told(Reg, DiceSort),
}

/// What a register gets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// A number.
    Const(i32),
    /// What another register holds.
    Copy(Reg),
    /// A figure of a thing.
    Figure { thing: Reg, column: u32 },
    /// `Const`, `Field` to another register, the lesser of them.
    AtMost { most: i32, reg: Reg, thing: Reg, column: u32 },
}
