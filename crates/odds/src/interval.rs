//! Nonnegative numbers between two floating-point bounds. Each operation rounds outward to the next number, so the bounds of a
//! result contain its value.
#![allow(clippy::float_arithmetic)] // sums, products and quotients of IEEE 754, which are the same on every machine

use super::cycles::Scalar;
use super::num::Num;
use grognard_base::value::Fraction;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::ops::{Add, Div, Mul};

/// A nonnegative number between two bounds. Its lower bound is finite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Integers up to this one are floating-point numbers.
const WHOLE: u64 = 1 << 53;

/// Returns a lower bound of a result that was rounded to the nearest number.
fn down(x: f64) -> f64 {
    x.next_down().max(0.0)
}

impl Interval {
    pub const ZERO: Interval = Interval { low: 0.0, high: 0.0 };
    pub const ONE: Interval = Interval { low: 1.0, high: 1.0 };

    fn whole(n: u64) -> Interval {
        let near = n as f64;
        if n <= WHOLE { Interval { low: near, high: near } } else { Interval { low: down(near), high: near.next_up() } }
    }

    /// Returns the quotient of two numbers. The divisor is above 0.
    pub fn ratio(num: &Num, den: &Num) -> Interval {
        match (num, den) {
            (Num::Narrow(a), Num::Narrow(b)) if a == b => Interval::ONE,
            (Num::Narrow(a), Num::Narrow(b)) => Interval::whole(*a) / Interval::whole(*b),
            _ => Interval::quotient(&num.big(), &den.big()),
        }
    }

    /// Returns the quotient of two numbers. The divisor is above 0.
    pub fn quotient(num: &BigUint, den: &BigUint) -> Interval {
        // The first 64 bits of a number, and the number of bits after them.
        let first = |n: &BigUint| {
            let rest = n.bits().saturating_sub(64);
            let first = (n >> rest).to_u64().unwrap_or(u64::MAX);
            let next = if rest == 0 { first } else { first.saturating_add(1) };
            (Interval { low: Interval::whole(first).low, high: Interval::whole(next).high }, rest as i64)
        };
        let ((a, more), (b, less)) = (first(num), first(den));
        let (mut found, mut places) = (a / b, more - less);
        while places != 0 && !found.is_zero() {
            let step = places.clamp(-512, 512);
            let power = f64::from_bits(((1023 + step) as u64) << 52);
            found = Interval { low: down(found.low * power), high: (found.high * power).next_up() };
            places -= step;
        }
        found
    }

    pub fn is_zero(self) -> bool {
        self.high == 0.0
    }

    /// Returns the bounds as fractions, or `None` if there is no upper bound.
    pub fn ends(self) -> Option<[Fraction; 2]> {
        self.high.is_finite().then(|| [self.low, self.high].map(Fraction::of_float))
    }

    /// Returns the same interval for a number that is at most 1.
    pub fn share(self) -> Interval {
        Interval { low: self.low, high: self.high.min(1.0) }
    }
}

impl Add for Interval {
    type Output = Interval;
    #[inline]
    fn add(self, other: Interval) -> Interval {
        match (self.is_zero(), other.is_zero()) {
            (true, _) => other,
            (_, true) => self,
            _ => Interval { low: down(self.low + other.low), high: (self.high + other.high).next_up() },
        }
    }
}

impl Mul for Interval {
    type Output = Interval;
    #[inline]
    fn mul(self, other: Interval) -> Interval {
        if self.is_zero() || other == Interval::ONE {
            return self;
        }
        if other.is_zero() || self == Interval::ONE {
            return other;
        }
        Interval { low: down(self.low * other.low), high: (self.high * other.high).next_up() }
    }
}

/// The divisor is above 0.
impl Div for Interval {
    type Output = Interval;
    #[inline]
    fn div(self, other: Interval) -> Interval {
        if self.is_zero() || other == Interval::ONE {
            return self;
        }
        Interval { low: down(self.low / other.high), high: (self.high / other.low).next_up() }
    }
}

/// Returns the numerators of numbers below two to the power of 64 over one denominator, and the denominator.
pub fn over_one(numbers: &[f64]) -> (Vec<BigUint>, BigUint) {
    // The digits of a number and its binary places.
    let parts = |x: f64| {
        let bits = x.to_bits();
        let (power, part) = ((bits >> 52) as i64, bits & (WHOLE / 2 - 1));
        let (digits, power) = if power == 0 { (part, 1) } else { (part | (WHOLE / 2), power) };
        (digits, 1075 - power)
    };
    let places = numbers.iter().filter(|x| **x > 0.0).map(|x| parts(*x).1).fold(0, i64::max);
    let number = |x: &f64| {
        let (digits, own) = parts(*x);
        if digits == 0 { BigUint::ZERO } else { BigUint::from(digits) << (places - own) }
    };
    (numbers.iter().map(number).collect(), BigUint::from(1u32) << places)
}

/// A number rounded to the nearest at each operation: a start for bounds that are proven afterwards.
impl Scalar for f64 {
    fn zero() -> f64 {
        0.0
    }

    fn one() -> f64 {
        1.0
    }

    fn add(&mut self, other: &f64) {
        *self += other;
    }

    fn mul(&self, other: &f64) -> f64 {
        self * other
    }

    fn div(&self, other: &f64) -> f64 {
        self / other
    }

    fn words(&self) -> u64 {
        1
    }
}
