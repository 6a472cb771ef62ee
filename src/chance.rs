//! Exact fractions, and numbers that are known exactly or within bounds.

use grognard_base::value::{self, Toward};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A fraction of whole numbers of any size, in lowest terms.
///
/// ```
/// use grognard::Fraction;
///
/// let chance: Fraction = "1507/19683".parse().unwrap();
/// assert_eq!(chance.to_string(), "1507/19683");
/// assert_eq!(chance.decimal(4), "0.0766");
/// assert!(chance < Fraction::from(1));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fraction(pub(crate) value::Fraction);

impl Fraction {
    /// Returns the number as a decimal with `digits` digits after the point, rounded to the nearest one.
    pub fn decimal(&self, digits: u32) -> String {
        self.0.decimal(digits)
    }

    /// Returns the nearest floating point number.
    pub fn to_f64(&self) -> f64 {
        self.0.float()
    }

    /// Returns the numerator in decimal digits, with a sign if it is negative.
    pub fn numerator(&self) -> String {
        self.0.num().to_string()
    }

    /// Returns the numerator and the denominator in hexadecimal digits, which is fast for numbers of any size.
    pub fn to_hex(&self) -> [String; 2] {
        [format!("{:x}", self.0.num()), format!("{:x}", self.0.den())]
    }

    /// Returns the denominator in decimal digits. It is at least 1.
    pub fn denominator(&self) -> String {
        self.0.den().to_string()
    }
}

impl From<i64> for Fraction {
    fn from(n: i64) -> Fraction {
        Fraction(value::Fraction::whole(n))
    }
}

impl FromStr for Fraction {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Fraction, crate::Error> {
        let wrong = || crate::Error::input(format!("`{text}` is not a fraction"), "write it as `3/4` or `3`");
        text.trim().parse().map(Fraction).map_err(|_| wrong())
    }
}

/// A text such as `1507/19683`.
impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fraction, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number that is known exactly, or that lies between two fractions: a probability, a mean or a variance.
///
/// It is printed as its fraction, or as its two bounds: `1507/19683`, `1/6 to 1/4`. With `serde`, it has the fields `low`
/// and `high`.
///
/// ```
/// # use grognard::Rules;
/// let rules = Rules::from_text("ruleset game/core\n")?;
/// let odds = rules.call("d6 >= 5").compute()?;
/// let text = toml::to_string(&odds.first().chance()).unwrap();
/// assert_eq!(text, "low = \"1/3\"\nhigh = \"1/3\"\n");
/// # Ok::<(), grognard::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Chance {
    low: Fraction,
    high: Fraction,
}

impl Chance {
    /// Returns the number, or `None` if only bounds are known.
    pub fn exact(&self) -> Option<&Fraction> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Returns the bounds, both inclusive. They are equal if the number is known exactly.
    pub fn bounds(&self) -> (&Fraction, &Fraction) {
        (&self.low, &self.high)
    }

    /// Returns the nearest floating point number, or that of the middle between the bounds.
    pub fn to_f64(&self) -> f64 {
        let sum = &self.low.0 + &self.high.0;
        (&sum * &value::Fraction::new(1.into(), 2u32.into())).float()
    }

    /// Returns floating point numbers that enclose the number. The low one is rounded down, and the high one up.
    pub fn to_f64_bounds(&self) -> (f64, f64) {
        (self.low.0.float_toward(Toward::Below), self.high.0.float_toward(Toward::Above))
    }

    pub(crate) fn known(number: value::Fraction) -> Chance {
        Chance { low: Fraction(number.clone()), high: Fraction(number) }
    }

    pub(crate) fn between(low: value::Fraction, high: value::Fraction) -> Chance {
        Chance { low: Fraction(low), high: Fraction(high) }
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(number) => number.fmt(f),
            None => write!(f, "{} to {}", self.low, self.high),
        }
    }
}

/// How exact a result is, from the strongest to the weakest.
///
/// With `serde`, it is `exact`, `proven` or `bounded`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Label {
    /// Every number is a fraction.
    Exact,
    /// Every number is a proven interval, no wider than 10 to the power of -9.
    Proven,
    /// Some number is a gap between two bounds, mostly because not all states were explored.
    Bounded,
}

pub(crate) fn label(label: grognard_odds::Label) -> Label {
    match label {
        grognard_odds::Label::Exact => Label::Exact,
        grognard_odds::Label::Proven => Label::Proven,
        grognard_odds::Label::Bounded => Label::Bounded,
    }
}
