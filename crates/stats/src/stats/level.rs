//! Levels that intervals are given at.

use super::real::ln;

/// How often an interval of a method covers the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// As people write it, in percent: `95`, `99.9`.
    pub name: &'static str,
    /// How often it may miss.
    pub alpha: f64,
    /// What a normal variable exceeds, on either side, that often.
    pub z: f64,
}

/// Every level that can be asked for; the second is the usual one.
pub const LEVELS: [Level; 5] = [
    Level { name: "90", alpha: 0.1, z: 1.644_853_626_951_472_7 },
    Level { name: "95", alpha: 0.05, z: 1.959_963_984_540_054 },
    Level { name: "99", alpha: 0.01, z: 2.575_829_303_548_900_4 },
    Level { name: "99.9", alpha: 0.001, z: 3.290_526_731_491_926 },
    Level { name: "99.99", alpha: 0.000_1, z: 3.890_591_886_413_091 },
];

impl Level {
    /// The usual one, 95%.
    pub const USUAL: Level = LEVELS[1];

    /// The level of that name.
    pub fn of(name: &str) -> Option<Level> {
        LEVELS.into_iter().find(|l| l.name == name.trim_end_matches('%'))
    }

    /// What the logarithm of a wager on one side must reach before that side is given up, when each side may miss half
    /// as often as the interval.
    pub fn bar(self) -> f64 {
        ln(2.0 / self.alpha)
    }
}
