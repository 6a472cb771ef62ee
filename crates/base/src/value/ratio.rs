//! Exact fractions in 64 bits.

use num_integer::Integer;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// An exact fraction. Invariant: reduced, with a denominator above 0. Arithmetic returns `None` if the result does not
/// fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    num: i64,
    den: i64,
}

impl Ratio {
    /// The fraction 0.
    pub const ZERO: Ratio = Ratio { num: 0, den: 1 };
    /// The fraction 1/2.
    pub const HALF: Ratio = Ratio { num: 1, den: 2 };
    /// The fraction 1.
    pub const ONE: Ratio = Ratio { num: 1, den: 1 };

    /// Returns `num / den`, or `None` if `den` is 0 or the reduced fraction does not fit.
    pub fn new(num: i64, den: i64) -> Option<Ratio> {
        match u64::try_from(den) {
            // the divisor is at most the denominator, so it fits
            Ok(below @ 1..) => {
                let divisor = num.unsigned_abs().gcd(&below) as i64;
                Some(Ratio { num: num / divisor, den: den / divisor })
            }
            _ => Ratio::reduce(i128::from(num), i128::from(den)),
        }
    }

    pub const fn whole(n: i64) -> Ratio {
        Ratio { num: n, den: 1 }
    }

    pub fn num(self) -> i64 {
        self.num
    }

    /// Returns the denominator, at least 1.
    pub fn den(self) -> i64 {
        self.den
    }

    /// Returns whether the fraction is a whole number.
    pub fn is_whole(self) -> bool {
        self.den == 1
    }

    fn reduce(num: i128, den: i128) -> Option<Ratio> {
        if den == 0 {
            return None;
        }
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?;
        let sign = if den < 0 { -1 } else { 1 };
        let num = i64::try_from(sign * (num / divisor)).ok()?;
        let den = i64::try_from(sign * (den / divisor)).ok()?;
        Some(Ratio { num, den })
    }

    fn wide(self) -> (i128, i128) {
        (i128::from(self.num), i128::from(self.den))
    }

    /// Returns the sum, or `None` if it does not fit.
    pub fn checked_add(self, other: Ratio) -> Option<Ratio> {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        Ratio::reduce((a * d).checked_add(c * b)?, b * d)
    }

    /// Returns the difference, or `None` if it does not fit.
    pub fn checked_sub(self, other: Ratio) -> Option<Ratio> {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        Ratio::reduce((a * d).checked_sub(c * b)?, b * d)
    }

    /// Returns the product, or `None` if it does not fit.
    pub fn checked_mul(self, other: Ratio) -> Option<Ratio> {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        Ratio::reduce(a * c, b * d)
    }

    /// Returns the quotient, or `None` if `other` is 0 or the result does not fit.
    pub fn checked_div(self, other: Ratio) -> Option<Ratio> {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        Ratio::reduce(a * d, b * c)
    }

    /// Returns the negated fraction, or `None` if it does not fit.
    pub fn checked_neg(self) -> Option<Ratio> {
        Some(Ratio { num: self.num.checked_neg()?, den: self.den })
    }

    /// Returns the greatest whole number not above the fraction.
    pub fn floor(self) -> i64 {
        self.num.div_euclid(self.den)
    }

    /// Returns the smallest whole number not below the fraction.
    pub fn ceil(self) -> i64 {
        let down = self.floor();
        // a fraction that is not whole is below `i64::MAX`, so adding 1 does not overflow
        if self.den == 1 { down } else { down + 1 }
    }
}

/// Returns the greatest common divisor. If one number is 0, returns the other.
pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return a.gcd(&b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        (a * d).cmp(&(c * b))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i32> for Ratio {
    fn from(n: i32) -> Ratio {
        Ratio::whole(i64::from(n))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

/// The error for a text that is not a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotARatio;

impl fmt::Display for NotARatio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fraction is written `11/36`, `3` or `0.25`")
    }
}

impl std::error::Error for NotARatio {}

impl FromStr for Ratio {
    type Err = NotARatio;

    /// Parses `11/36`, `-3` and `0.25`. Spaces around either part are allowed.
    fn from_str(text: &str) -> Result<Ratio, NotARatio> {
        match text.split_once('/') {
            Some((num, den)) => Ratio::new(whole(num)?, whole(den)?),
            None => match text.trim().split_once('.') {
                None => Some(Ratio::whole(whole(text)?)),
                Some((head, tail)) => decimal(head, tail),
            },
        }
        .ok_or(NotARatio)
    }
}

fn whole(text: &str) -> Result<i64, NotARatio> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NotARatio);
    }
    text.parse().map_err(|_| NotARatio)
}

fn decimal(head: &str, tail: &str) -> Option<Ratio> {
    if tail.is_empty() || tail.len() > 17 || !tail.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let scale = 10i64.checked_pow(u32::try_from(tail.len()).ok()?)?;
    let part = Ratio::new(tail.parse().ok()?, scale)?;
    let units = Ratio::whole(whole(head).ok()?);
    if head.starts_with('-') { units.checked_sub(part) } else { units.checked_add(part) }
}
