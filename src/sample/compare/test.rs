//! The test of the primary measure, looked at again and again.

use super::super::stats::{FlagTest, Level, Seen, Sequence};
use super::super::tally::Tally;
use super::{BETA, discordant};
use crate::sample::estimate::shown_all;
use crate::value::Type;

/// Decides whether a measure differs: of a condition by a sequential test on the pairs that differ, of a number by a
/// betting confidence sequence of the mean difference. Each may be looked at as often as one likes.
#[derive(Clone, Debug)]
pub enum Test {
    /// For conditions.
    Flags(FlagTest),
    /// For numbers.
    Numbers {
        /// Bets on the mean difference.
        sequence: Sequence,
        /// The type of the measure.
        ty: Type,
        /// Differences smaller than this do not matter.
        within: f64,
        /// How often a difference may be found where there is none.
        level: Level,
    },
}

impl Test {
    /// A test for a measure of this type whose difference lies in `range`, with at most so many pairs, that finds a
    /// difference where there is none with a chance of `alpha` at most.
    pub fn new(ty: &Type, range: (f64, f64), within: f64, most: u64, alpha: f64) -> Test {
        match ty {
            Type::Flag => Test::Flags(FlagTest::new(within, alpha, BETA)),
            _ => Test::Numbers {
                sequence: Sequence::new(range.0, range.1, most),
                ty: ty.clone(),
                within,
                level: Level { alpha, ..Level::USUAL },
            },
        }
    }

    /// Pairs after which it is first looked at.
    pub fn pilot(&self) -> u64 {
        match self {
            Test::Flags(test) => test.pilot(),
            Test::Numbers { .. } => 1_000,
        }
    }

    /// Looks at all differences so far.
    pub fn look(&mut self, difference: &Tally) -> Seen {
        match self {
            Test::Flags(test) => test.look(discordant(difference)),
            Test::Numbers { sequence, ty, within, level } => {
                let numbers = difference.numbers(*ty == Type::Ratio);
                let Some(values) = numbers.and_then(|n| sequence.take(&shown_all(ty, &n))) else { return Seen::Open };
                let bar = level.bar();
                // "same" may be wrong as often as ever, however many comparisons share the rest
                let near = Level { alpha: BETA, ..*level }.bar();
                if sequence.above(&values, 0.0) >= bar {
                    Seen::More
                } else if sequence.below(&values, 0.0) >= bar {
                    Seen::Less
                } else if sequence.below(&values, *within) >= near && sequence.above(&values, -*within) >= near {
                    Seen::Same
                } else {
                    Seen::Open
                }
            }
        }
    }
}
