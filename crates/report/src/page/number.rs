//! Numbers of a page: what is told of them, where they are drawn, how they were found.

use super::super::markup::Markup;

/// Positions are in millionths.
pub const MILLION: i64 = 1_000_000;
/// What lies further from 0 is drawn here.
pub const FAR: i64 = 1_000_000_000_000_000_000;

/// How a number was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By counting all that can happen.
    Exact,
    /// The truth lies between two exact bounds.
    Bounded,
    /// From runs.
    Sampled,
    /// From values that were drawn from exact odds.
    Drawn,
}

impl How {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            How::Exact => "exact",
            How::Bounded => "bounded",
            How::Sampled => "sampled",
            How::Drawn => "drawn",
        }
    }

    /// As a sign, for where a word has no room.
    pub fn sign(self) -> &'static str {
        match self {
            How::Exact => "=",
            How::Bounded => "≤",
            How::Sampled | How::Drawn => "≈",
        }
    }
}

/// A number.
#[derive(Clone, Debug)]
pub struct Number {
    /// What is told of it, with its unit.
    pub text: String,
    /// Where it is drawn, in millionths of its unit; none if it is not known.
    pub at: Option<i64>,
    /// The ends of its interval, in the same.
    pub ends: Option<(i64, i64)>,
    /// What is told of the interval, with its level; may be empty.
    pub ends_text: String,
    /// How it was found.
    pub how: How,
}

impl Number {
    /// A number without an interval.
    pub fn new(text: impl Into<String>, at: Option<i64>, how: How) -> Number {
        Number { text: text.into(), at, ends: None, ends_text: String::new(), how }
    }

    /// The number with an interval.
    pub fn within(mut self, ends: (i64, i64), text: impl Into<String>) -> Number {
        self.ends = Some(ends);
        self.ends_text = text.into();
        self
    }

    /// Writes the number with all that belongs to it.
    pub(super) fn tell(&self, out: &mut Markup) {
        out.content("b", &[("class", "value".into())], &self.text);
        if !self.ends_text.is_empty() {
            out.content("span", &[("class", "ends".into())], &self.ends_text);
        }
        self.tag(out);
    }

    /// Writes how the number was found.
    pub(super) fn tag(&self, out: &mut Markup) {
        let class = format!("how {}", self.how.word());
        out.content("span", &[("class", class)], &format!("{} {}", self.how.sign(), self.how.word()));
    }

    /// The number and its interval: `6.3%, 95% 4.0% to 9.7%`, `between 1/6 and 1/3`.
    pub fn told(&self) -> String {
        let comma = if self.ends_text.is_empty() {
            ""
        } else if self.how == How::Bounded {
            " "
        } else {
            ", "
        };
        format!("{}{comma}{}", self.text, self.ends_text)
    }

    /// All that is told of the number, in one line.
    pub(super) fn line(&self) -> String {
        format!("{} ({})", self.told(), self.how.word())
    }

    /// From where to where it is drawn.
    pub(super) fn reach(&self) -> impl Iterator<Item = i64> {
        self.at.into_iter().chain(self.ends.into_iter().flat_map(|(low, high)| [low, high]))
    }
}

/// A number in millionths, to the nearest.
#[allow(clippy::float_arithmetic)] // for drawing only; multiplying and rounding are the same everywhere
pub fn millionths(x: f64) -> i64 {
    near((x * 1e6).round() as i64)
}

/// A fraction in millionths, rounded down; none if nothing stands under the line.
pub fn ratio(num: i64, den: i64) -> Option<i64> {
    let whole = (i128::from(num) * i128::from(MILLION)).checked_div_euclid(i128::from(den))?;
    Some(whole.clamp(i128::from(-FAR), i128::from(FAR)) as i64)
}

/// A place that can be drawn.
pub fn near(at: i64) -> i64 {
    at.clamp(-FAR, FAR)
}

/// A scale with round ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Where it begins, in millionths.
    pub low: i64,
    /// Where it ends; more than `low`.
    pub high: i64,
    /// From tick to tick.
    pub step: i64,
}

impl Axis {
    /// From a tick at or below all values to one at or above them, with so many steps at most, roughly.
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

    /// The same with ticks at whole numbers only.
    pub(super) fn whole(self) -> Axis {
        let step = self.step.max(MILLION);
        Axis { low: self.low.div_euclid(step) * step, high: -(-self.high).div_euclid(step) * step, step }
    }

    /// The ticks: every multiple of the step.
    pub fn ticks(self) -> impl Iterator<Item = i64> {
        let first = -(-self.low).div_euclid(self.step);
        let last = self.high.div_euclid(self.step);
        (first..=last).map(move |n| n * self.step)
    }

    /// How far along a value lies, in thousandths of a percent.
    pub fn along(self, at: i64) -> i64 {
        let part = (i128::from(at) - i128::from(self.low)) * 100_000 / i128::from((self.high - self.low).max(1));
        part.clamp(0, 100_000) as i64
    }

    /// How high a value lies in a plot of so many pixels, counted from its top, in thousandths of a pixel.
    pub(super) fn down(self, at: i64, height: i64) -> i64 {
        height * (100_000 - self.along(at)) / 100
    }

    /// A tick in words, with as many digits as its step needs.
    pub fn tell(self, at: i64) -> String {
        told(at, self.step)
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below, which must not be more than five times what can be drawn.
pub fn nice(least: i64) -> i64 {
    let mut power = 1;
    loop {
        if let Some(step) = [power, 2 * power, 5 * power].into_iter().find(|step| *step >= least) {
            return step;
        }
        power *= 10;
    }
}

/// Millionths as a number with as many digits as multiples of `step` need.
pub fn told(at: i64, step: i64) -> String {
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

/// Thousandths of a percent as an attribute of an element.
pub fn percent(thousandths: i64) -> String {
    let (sign, n) = (if thousandths < 0 { "-" } else { "" }, thousandths.abs());
    match n % 1000 {
        0 => format!("{sign}{}%", n / 1000),
        rest => format!("{sign}{}.{rest:03}%", n / 1000),
    }
}
