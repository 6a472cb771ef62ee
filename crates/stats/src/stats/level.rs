//! Confidence levels of intervals.

use super::real::ln;

/// A confidence level: the probability that an interval contains the true value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The level in percent as text: `95`, `99.9`.
    pub name: &'static str,
    /// The error rate, which is 1 minus the level.
    pub alpha: f64,
    /// The two-sided quantile of the standard normal distribution at this error rate.
    pub z: f64,
}

/// All levels that can be requested. The second is the default.
pub const LEVELS: [Level; 5] = [
    Level { name: "90", alpha: 0.1, z: 1.644_853_626_951_472_7 },
    Level { name: "95", alpha: 0.05, z: 1.959_963_984_540_054 },
    Level { name: "99", alpha: 0.01, z: 2.575_829_303_548_900_4 },
    Level { name: "99.9", alpha: 0.001, z: 3.290_526_731_491_926 },
    Level { name: "99.99", alpha: 0.000_1, z: 3.890_591_886_413_091 },
];

impl Level {
    /// The default level, 95%.
    pub const USUAL: Level = LEVELS[1];

    /// Returns the level with this name, with or without a percent sign.
    pub fn of(name: &str) -> Option<Level> {
        LEVELS.into_iter().find(|l| l.name == name.trim_end_matches('%'))
    }

    /// Returns the logarithm of the stake at which one side of an interval rejects a mean. Each side has half the error
    /// rate.
    pub fn bar(self) -> f64 {
        ln(2.0 / self.alpha)
    }
}
