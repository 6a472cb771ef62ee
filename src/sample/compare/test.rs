//! The test of the primary measure, looked at again and again.

use super::super::stats::{FlagTest, Level, Seen, Sequence};
use super::super::tally::Tally;
use super::{ALPHA, BETA, discordant};
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
    },
}

impl Test {
    /// A test for a measure of this type whose difference lies in `range`, with at most so many pairs.
    pub fn new(ty: &Type, range: (f64, f64), within: f64, most: u64) -> Test {
        match ty {
            Type::Flag => Test::Flags(FlagTest::new(within, ALPHA, BETA)),
            _ => Test::Numbers { sequence: Sequence::new(range.0, range.1, most), ty: ty.clone(), within },
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
            Test::Numbers { sequence, ty, within } => {
                let numbers = difference.numbers(*ty == Type::Ratio);
                let Some(values) = numbers.and_then(|n| sequence.take(&shown_all(ty, &n))) else { return Seen::Open };
                let bar = Level::USUAL.bar();
                if sequence.above(&values, 0.0) >= bar {
                    Seen::More
                } else if sequence.below(&values, 0.0) >= bar {
                    Seen::Less
                } else if sequence.below(&values, *within) >= bar && sequence.above(&values, -*within) >= bar {
                    Seen::Same
                } else {
                    Seen::Open
                }
            }
        }
    }
}
