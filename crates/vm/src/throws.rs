//! Dice as values and registers hold them, and superinstructions for rolls: one instruction that reads the operands and rolls.

use grognard_base::value::{DieId, KindId, SiteId};
use grognard_program::schema::Schema;
use grognard_program::{DiceSort, Reg};

/// Maximum number of sides of a die.
pub(super) const MOST_SIDES: i64 = 1_000_000;

/// A die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Die {
    /// A die with faces 1 to this number.
    Sides(u32),
    /// A declared die, whose faces are in the ruleset.
    Faces(DieId),
}

/// Returns the die that a register holds, or `None` if there is no such die.
#[inline(always)]
pub(super) fn known_die(schema: &Schema, sort: DiceSort, value: i64) -> Option<Die> {
    match sort {
        DiceSort::Chain(id) | DiceSort::Shifted(id) => {
            let dice = &schema.chains[id.at()].dice;
            let step = value.clamp(0, dice.len() as i64 - 1) as usize;
            Some(Die::Sides(dice[step]))
        }
        DiceSort::Faces(id) => Some(Die::Faces(id)),
        DiceSort::Sides if value < 0 => Some(Die::Faces(DieId((-1 - value) as u32))),
        DiceSort::Sides => (1..=MOST_SIDES).contains(&value).then_some(Die::Sides(value as u32)),
    }
}

/// Returns the number of sides of a die. `chain` is 0, or 1 more than the id of the chain that the die is a step of.
pub(super) fn sides(schema: &Schema, die: i64, chain: usize) -> i64 {
    if chain > 0 {
        return schema.chains[chain - 1].dice.get(die.max(0) as usize).map_or(1, |s| i64::from(*s));
    }
    if die < 0 { schema.dice.get((-1 - die) as usize).map_or(1, |d| d.faces.len() as i64) } else { die }
}

/// `Ask` for equal dice, fused with frequent preceding instructions: the subject, and the number or kind of dice.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThrowDice {
    pub site: SiteId,
    pub die: DieFrom,
    /// The thing to pack as the subject, and its kind. `None` if the register already holds the subject.
    pub pack: Option<(Reg, KindId)>,
    pub subject: Reg,
    /// A register that is written before the roll, and its value.
    pub before: Option<(Reg, Before)>,
    /// Register with the number of dice, or `None` for a single die.
    pub count: Option<Reg>,
    pub dst: Reg,
    /// Number of instructions that it replaces.
    pub length: u32,
}

/// Source of the die that is rolled.
#[derive(Clone, Copy, Debug)]
pub(super) enum DieFrom {
    /// A constant die.
    Known(Die),
    /// The die in a register.
    AtRunTime(Reg, DiceSort),
}

/// Source of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// A constant.
    Const(i32),
    /// The value of another register.
    Copy(Reg),
    /// A field of a thing.
    Figure { thing: Reg, column: u32 },
    /// `Const`, `Field` into another register, and the minimum of both.
    AtMost { most: i32, reg: Reg, thing: Reg, column: u32 },
}
