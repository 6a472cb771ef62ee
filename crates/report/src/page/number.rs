//! The numbers of a page: their text, position, interval and method, and the axes on which they are drawn.

use super::super::markup::Markup;

/// The number of units of a position in 1: positions are in millionths.
pub const MILLION: i64 = 1_000_000;
/// Maximum absolute value of a position. Larger values are drawn here.
pub const FAR: i64 = 1_000_000_000_000_000_000;

/// The method by which a number was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By enumerating all outcomes, as a fraction.
    Exact,
    /// By enumerating all outcomes, as a proven interval whose decimals are given.
    Proven,
    /// As two exact bounds on the true value.
    Bounded,
    /// By sampling runs.
    Sampled,
    /// By sampling values from exact odds.
    Drawn,
}

impl How {
    /// Returns the word for the method.
    pub fn word(self) -> &'static str {
        match self {
            How::Exact => "exact",
            How::Proven => "proven",
            How::Bounded => "bounded",
            How::Sampled => "sampled",
            How::Drawn => "drawn",
        }
    }

    /// Returns the sign of the method, for places that are too small for a word.
    pub fn sign(self) -> &'static str {
        match self {
            How::Exact | How::Proven => "=",
            How::Bounded => "≤",
            How::Sampled | How::Drawn => "≈",
        }
    }
}

/// A number with its position and its interval.
#[derive(Clone, Debug)]
pub struct Number {
    /// The text, with the unit.
    pub text: String,
    /// The position in millionths of the unit, or `None` if the number is not known.
    pub at: Option<i64>,
    /// The ends of the interval, in millionths of the unit.
    pub ends: Option<(i64, i64)>,
    /// The text of the interval, with its level. Can be empty.
    pub ends_text: String,
    /// The method by which the number was found.
    pub how: How,
}

impl Number {
    /// Creates a number without an interval.
    pub fn new(text: impl Into<String>, at: Option<i64>, how: How) -> Number {
        Number { text: text.into(), at, ends: None, ends_text: String::new(), how }
    }

    /// Returns the number with an interval.
    pub fn within(mut self, ends: (i64, i64), text: impl Into<String>) -> Number {
        self.ends = Some(ends);
        self.ends_text = text.into();
        self
    }

    /// Writes the number with its interval and its method.
    pub(super) fn tell(&self, out: &mut Markup) {
        out.content("b", &[("class", "value".into())], &self.text);
        if !self.ends_text.is_empty() {
            out.content("span", &[("class", "ends".into())], &self.ends_text);
        }
        self.tag(out);
    }

    /// Writes the method by which the number was found.
    pub(super) fn tag(&self, out: &mut Markup) {
        let class = format!("how {}", self.how.word());
        out.content("span", &[("class", class)], &format!("{} {}", self.how.sign(), self.how.word()));
    }

    /// Formats the number and its interval, such as `6.3%, 95% 4.0% to 9.7%` or `between 1/6 and 1/3`.
    pub fn rendered(&self) -> String {
        let comma = if self.ends_text.is_empty() {
            ""
        } else if self.how == How::Bounded {
            " "
        } else {
            ", "
        };
        format!("{}{comma}{}", self.text, self.ends_text)
    }

    /// Formats the number, its interval and its method in one line.
    pub(super) fn line(&self) -> String {
        format!("{} ({})", self.rendered(), self.how.word())
    }

    /// Returns all positions at which the number and its interval are drawn.
    pub(super) fn reach(&self) -> impl Iterator<Item = i64> {
        self.at.into_iter().chain(self.ends.into_iter().flat_map(|(low, high)| [low, high]))
    }
}

/// Converts a number to millionths, rounded to the nearest.
#[allow(clippy::float_arithmetic)] // for drawing only; multiplication and rounding are deterministic
pub fn millionths(x: f64) -> i64 {
    near((x * 1e6).round() as i64)
}

/// Converts a fraction to millionths, rounded down. Returns `None` if `den` is 0.
pub fn ratio(num: i64, den: i64) -> Option<i64> {
    let whole = (i128::from(num) * i128::from(MILLION)).checked_div_euclid(i128::from(den))?;
    Some(whole.clamp(i128::from(-FAR), i128::from(FAR)) as i64)
}

/// Clamps a position to the range that can be drawn.
pub fn near(at: i64) -> i64 {
    at.clamp(-FAR, FAR)
}

/// A scale with round ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The start, in millionths.
    pub low: i64,
    /// The end, in millionths. Greater than `low`.
    pub high: i64,
    /// The distance between ticks, in millionths.
    pub step: i64,
}

impl Axis {
    /// Creates an axis from a tick at or below all values to a tick at or above them, with about `most` steps at most.
    pub fn around(values: impl Iterator<Item = i64>, most: i64) -> Axis {
        let ends = values.map(near).fold(None, |ends: Option<(i64, i64)>, v| match ends {
            Some((low, high)) => Some((low.min(v), high.max(v))),
            None => Some((v, v)),
        });
        let (low, high) = match ends {
            Some((0, 0)) | None => (0, MILLION),
            Some((low, high)) if low == high => (low - MILLION, high + MILLION),
            Some(ends) => ends,
        };
        let step = nice((high - low) / most.max(1) + 1);
        let low = low.div_euclid(step) * step;
        let high = -(-high).div_euclid(step) * step;
        Axis { low, high, step }
    }

    /// Returns the axis with ticks only at whole numbers.
    pub(super) fn whole(self) -> Axis {
        let step = self.step.max(MILLION);
        Axis { low: self.low.div_euclid(step) * step, high: -(-self.high).div_euclid(step) * step, step }
    }

    /// Returns the ticks: every multiple of the step.
    pub fn ticks(self) -> impl Iterator<Item = i64> {
        let first = -(-self.low).div_euclid(self.step);
        let last = self.high.div_euclid(self.step);
        (first..=last).map(move |n| n * self.step)
    }

    /// Returns the relative position of a value, in thousandths of a percent.
    pub fn along(self, at: i64) -> i64 {
        let part = (i128::from(at) - i128::from(self.low)) * 100_000 / i128::from((self.high - self.low).max(1));
        part.clamp(0, 100_000) as i64
    }

    /// Returns the distance of a value from the top of a plot of `height` pixels, in thousandths of a pixel.
    pub(super) fn down(self, at: i64, height: i64) -> i64 {
        height * (100_000 - self.along(at)) / 100
    }

    /// Formats a tick with as many digits as the step needs.
    pub fn tell(self, at: i64) -> String {
        rendered(at, self.step)
    }
}

/// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `least`. `least` must be at most five times `FAR`, so
/// that the result does not overflow.
pub fn nice(least: i64) -> i64 {
    let mut power = 1;
    loop {
        if let Some(step) = [power, 2 * power, 5 * power].into_iter().find(|step| *step >= least) {
            return step;
        }
        power *= 10;
    }
}

/// Formats millionths as a number with as many digits as multiples of `step` need.
pub fn rendered(at: i64, step: i64) -> String {
    let mut digits = 6;
    let mut unit = step.max(1);
    while digits > 0 && unit % 10 == 0 {
        unit /= 10;
        digits -= 1;
    }
    let sign = if at < 0 { "-" } else { "" };
    let (whole, rest) = (at.unsigned_abs() / MILLION as u64, at.unsigned_abs() % MILLION as u64);
    match digits {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{}", &format!("{rest:06}")[..digits]),
    }
}

/// Formats thousandths of a percent as an attribute value.
pub fn percent(thousandths: i64) -> String {
    let (sign, n) = (if thousandths < 0 { "-" } else { "" }, thousandths.abs());
    match n % 1000 {
        0 => format!("{sign}{}%", n / 1000),
        rest => format!("{sign}{}.{rest:03}%", n / 1000),
    }
}
