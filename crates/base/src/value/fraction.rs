//! Exact fractions of unlimited size, for chances, means and similar values.

use super::Ratio;
use super::lehmer::gcd;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use std::str::FromStr;

/// An exact fraction of unlimited size. Invariant: reduced, with a denominator above 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    num: BigInt,
    den: BigUint,
}

/// Direction in which a number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// To the nearest; halves away from 0.
    Nearest,
    /// Down, so a lower bound remains one.
    Below,
    /// Up, so an upper bound remains one.
    Above,
}

impl Fraction {
    pub fn zero() -> Fraction {
        Fraction { num: BigInt::zero(), den: BigUint::one() }
    }

    pub fn one() -> Fraction {
        Fraction { num: BigInt::one(), den: BigUint::one() }
    }

    pub fn whole(n: i64) -> Fraction {
        Fraction { num: n.into(), den: BigUint::one() }
    }

    /// Returns `num / den`, reduced, or 0 if `den` is 0.
    pub fn new(num: BigInt, den: BigUint) -> Fraction {
        if den.is_zero() {
            return Fraction::zero();
        }
        if den.is_one() {
            return Fraction { num, den };
        }
        let divisor = gcd(num.magnitude(), &den);
        if divisor.is_one() {
            return Fraction { num, den };
        }
        Fraction { num: num / BigInt::from(divisor.clone()), den: den / divisor }
    }

    /// Returns the nonnegative fraction `num / den`, reduced.
    pub fn of(num: BigUint, den: BigUint) -> Fraction {
        Fraction::new(num.into(), den)
    }

    /// Returns a nonnegative fraction whose parts are already coprime.
    pub(super) fn reduced(num: BigUint, den: BigUint) -> Fraction {
        Fraction { num: num.into(), den }
    }

    pub fn num(&self) -> &BigInt {
        &self.num
    }

    /// Returns the denominator, at least 1.
    pub fn den(&self) -> &BigUint {
        &self.den
    }

    /// Returns whether the fraction is 0.
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// Formats the fraction with `digits` decimal places; halves are rounded away from 0: `0.3056`.
    pub fn decimal(&self, digits: u32) -> String {
        self.rounded(digits, Toward::Nearest)
    }

    /// Formats the fraction with `digits` decimal places, rounded in the given direction.
    pub fn rounded(&self, digits: u32, toward: Toward) -> String {
        written(&self.num, &self.den, digits, toward)
    }

    /// Rounds the fraction to `digits` decimal places in the given direction.
    pub fn cut(&self, digits: u32, toward: Toward) -> Fraction {
        let scale = BigUint::from(10u32).pow(digits);
        let units = units(&self.num, &self.den, &scale, toward);
        Fraction::new(BigInt::from_biguint(self.num.sign(), units), scale)
    }

    /// Returns `self * parts`, rounded with halves away from 0, or `None` if the result does not fit 64 bits.
    pub fn in_parts(&self, parts: i64) -> Option<i64> {
        written(&(&self.num * parts), &self.den, 0, Toward::Nearest).parse().ok()
    }

    /// Returns the square root, truncated after `digits` decimal places, or 0 if the fraction is negative.
    pub fn root(&self, digits: u32) -> Fraction {
        if self.num.sign() == Sign::Minus {
            return Fraction::zero();
        }
        let scale = BigUint::from(10u32).pow(digits);
        let scaled = self.num.magnitude() * &scale * &scale / &self.den;
        Fraction::of(scaled.sqrt(), scale)
    }

    /// Returns the nearest floating-point number, from 20 digits, for plots and other uses that do not need a
    /// fraction.
    pub fn float(&self) -> f64 {
        let shift = length(&self.den) - length(self.num.magnitude()) + 20;
        let ten = BigUint::from(10u32).pow(shift.unsigned_abs() as u32);
        let digits = match shift >= 0 {
            true => written(&(&self.num * BigInt::from(ten)), &self.den, 0, Toward::Nearest),
            false => written(&self.num, &(&self.den * ten), 0, Toward::Nearest),
        };
        format!("{digits}e{}", -shift).parse().unwrap_or(0.0)
    }

    /// Returns the greatest floating-point number at or below the fraction, or the smallest at or above it.
    pub fn float_toward(&self, toward: Toward) -> f64 {
        let near = self.float();
        match (toward, Fraction::of_float(near).cmp(self)) {
            (Toward::Below, Ordering::Greater) => near.next_down(),
            (Toward::Above, Ordering::Less) => near.next_up(),
            _ => near,
        }
    }

    /// Returns the exact value of a finite floating-point number.
    pub fn of_float(x: f64) -> Fraction {
        let bits = x.abs().to_bits();
        let (power, part) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
        // subnormal numbers have no implicit leading bit
        let (whole, power) = if power == 0 { (part, 1) } else { (part | 1 << 52, power) };
        let two = |n: i64| BigUint::one() << n.max(0);
        let size = Fraction::of(whole * two(power - 1075), two(1075 - power));
        if x.is_sign_negative() { -&size } else { size }
    }

    /// Formats the fraction in percent: `2.78%`. A value that is not exactly 0 or 1 is never printed as 0 or 100.
    pub fn percent(&self) -> String {
        let text = written(&(&self.num * 100u32), &self.den, 2, Toward::Nearest);
        match text.as_str() {
            "0.00" if !self.is_zero() => "<0.01%".to_string(),
            "100.00" if *self != Fraction::one() => ">99.99%".to_string(),
            _ => format!("{text}%"),
        }
    }

    /// Converts to a small fraction, or returns `None` if it does not fit.
    pub fn ratio(&self) -> Option<Ratio> {
        Ratio::new(i64::try_from(&self.num).ok()?, i64::try_from(&self.den).ok()?)
    }
}

/// Formats `num / den`, which can be unreduced, with `digits` decimal places.
fn written(num: &BigInt, den: &BigUint, digits: u32, toward: Toward) -> String {
    let scale = BigUint::from(10u32).pow(digits);
    let (whole, part) = units(num, den, &scale, toward).div_rem(&scale);
    let sign = if num.is_negative() && !(whole.is_zero() && part.is_zero()) { "-" } else { "" };
    if digits == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{:0>width$}", part.to_string(), width = digits as usize)
}

/// Returns the magnitude of `num / den` in units of `1 / scale`, rounded.
fn units(num: &BigInt, den: &BigUint, scale: &BigUint, toward: Toward) -> BigUint {
    let scaled = num.magnitude() * scale;
    let away = match toward {
        Toward::Nearest => None,
        Toward::Below => Some(num.is_negative()),
        Toward::Above => Some(!num.is_negative()),
    };
    match away {
        None => (scaled * 2u32 + den) / (den * 2u32),
        Some(true) => scaled.div_ceil(den),
        Some(false) => scaled / den,
    }
}

/// Returns the number of decimal digits; 0 for the number 0.
fn length(n: &BigUint) -> i64 {
    // a bit is a little more than 0.301 digits
    let least = n.bits().saturating_sub(1) * 301 / 1000;
    let (mut power, mut digits) = (BigUint::from(10u32).pow(least as u32), least as i64);
    while power <= *n {
        power *= 10u32;
        digits += 1;
    }
    digits
}

impl Default for Fraction {
    fn default() -> Fraction {
        Fraction::zero()
    }
}

impl From<Ratio> for Fraction {
    fn from(r: Ratio) -> Fraction {
        // a ratio is reduced and its denominator is above 0
        Fraction { num: r.num().into(), den: BigUint::from(r.den().unsigned_abs()) }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den.is_one() { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

/// Parses `11/36` and `-3`, of any size.
impl FromStr for Fraction {
    type Err = super::ratio::NotARatio;

    fn from_str(text: &str) -> Result<Fraction, Self::Err> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        let num: BigInt = num.trim().parse().map_err(|_| super::ratio::NotARatio)?;
        let den: BigUint = den.trim().parse().map_err(|_| super::ratio::NotARatio)?;
        if den.is_zero() { Err(super::ratio::NotARatio) } else { Ok(Fraction::new(num, den)) }
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.num * BigInt::from(other.den.clone())).cmp(&(&other.num * BigInt::from(self.den.clone())))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn signed(n: &BigUint) -> BigInt {
    BigInt::from_biguint(Sign::Plus, n.clone())
}

impl Add for &Fraction {
    type Output = Fraction;
    fn add(self, other: &Fraction) -> Fraction {
        if self.den == other.den {
            return Fraction::new(&self.num + &other.num, self.den.clone());
        }
        Fraction::new(&self.num * signed(&other.den) + &other.num * signed(&self.den), &self.den * &other.den)
    }
}

impl Sub for &Fraction {
    type Output = Fraction;
    fn sub(self, other: &Fraction) -> Fraction {
        self + &-other
    }
}

impl Mul for &Fraction {
    type Output = Fraction;
    fn mul(self, other: &Fraction) -> Fraction {
        if self.is_zero() || other.is_zero() {
            return Fraction::zero();
        }
        // two small divisors are found faster than that of the products (Knuth, The Art of Computer Programming, 4.5.1)
        let (a, b) =
            (Fraction::new(self.num.clone(), other.den.clone()), Fraction::new(other.num.clone(), self.den.clone()));
        Fraction { num: a.num * b.num, den: a.den * b.den }
    }
}

/// Division by 0 returns 0; callers check first.
impl Div for &Fraction {
    type Output = Fraction;
    fn div(self, other: &Fraction) -> Fraction {
        if other.is_zero() {
            return Fraction::zero();
        }
        let turned = BigInt::from_biguint(other.num.sign(), other.den.clone());
        self.mul(&Fraction { num: turned, den: other.num.magnitude().clone() })
    }
}

impl Neg for &Fraction {
    type Output = Fraction;
    fn neg(self) -> Fraction {
        Fraction { num: -&self.num, den: self.den.clone() }
    }
}

impl AddAssign<&Fraction> for Fraction {
    fn add_assign(&mut self, other: &Fraction) {
        *self = &*self + other;
    }
}
