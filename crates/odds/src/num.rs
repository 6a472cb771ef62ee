//! Weights over common denominators: integers that widen on overflow.

use grognard_base::value::lehmer::gcd;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{CheckedSub, One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;

/// The narrowest representation of weights. A number that does not fit is widened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// 64 bits.
    #[default]
    Narrow,
    /// 128 bits.
    Wide,
    /// Arbitrary precision.
    Big,
}

/// A nonnegative integer weight.
#[derive(Debug)]
pub enum Num {
    Narrow(u64),
    Wide(u128),
    Big(BigUint),
}

/// Implemented by hand so that `clone_from` reuses the allocation of a large number.
impl Clone for Num {
    fn clone(&self) -> Num {
        match self {
            Num::Narrow(n) => Num::Narrow(*n),
            Num::Wide(n) => Num::Wide(*n),
            Num::Big(n) => Num::Big(n.clone()),
        }
    }

    fn clone_from(&mut self, from: &Num) {
        match (&mut *self, from) {
            (Num::Big(to), Num::Big(from)) => to.clone_from(from),
            _ => *self = from.clone(),
        }
    }
}

impl Num {
    /// Returns 1 in at least this width; products with it become as wide.
    pub fn one(width: Width) -> Num {
        match width {
            Width::Narrow => Num::Narrow(1),
            Width::Wide => Num::Wide(1),
            Width::Big => Num::Big(BigUint::one()),
        }
    }

    /// Returns the number in arbitrary precision.
    pub fn big(&self) -> BigUint {
        match self {
            Num::Narrow(n) => BigUint::from(*n),
            Num::Wide(n) => BigUint::from(*n),
            Num::Big(n) => n.clone(),
        }
    }

    /// Converts the number to arbitrary precision without a copy.
    pub fn into_big(self) -> BigUint {
        match self {
            Num::Big(n) => n,
            other @ (Num::Narrow(_) | Num::Wide(_)) => other.big(),
        }
    }

    /// Multiplies the number by a small one in place.
    pub fn times(&mut self, by: u64) {
        match self {
            Num::Big(n) => *n *= by,
            other @ (Num::Narrow(_) | Num::Wide(_)) => *other = other.mul(&Num::Narrow(by)),
        }
    }

    /// Divides the number in place by a small divisor of it.
    pub fn exact_div_small(&mut self, by: u64) {
        match self {
            Num::Big(n) => match u32::try_from(by) {
                Ok(by) => *n /= by,
                Err(_) => *n /= by,
            },
            other @ (Num::Narrow(_) | Num::Wide(_)) => *other = other.exact_div(&Num::Narrow(by)),
        }
    }

    fn wide(&self) -> Option<u128> {
        match self {
            Num::Narrow(n) => Some(u128::from(*n)),
            Num::Wide(n) => Some(*n),
            Num::Big(_) => None,
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Num>() + if let Num::Big(n) = self { n.bits() as usize / 8 } else { 0 }
    }

    /// Returns whether the number is 0.
    pub fn is_zero(&self) -> bool {
        match self {
            Num::Narrow(n) => *n == 0,
            Num::Wide(n) => *n == 0,
            Num::Big(n) => n.is_zero(),
        }
    }

    /// Returns whether the number is 1.
    pub fn is_one(&self) -> bool {
        match self {
            Num::Narrow(n) => *n == 1,
            Num::Wide(n) => *n == 1,
            Num::Big(n) => n.is_one(),
        }
    }

    /// Returns the product with another number.
    pub fn mul(&self, other: &Num) -> Num {
        match (self, other) {
            (Num::Narrow(1), other) | (other, Num::Narrow(1)) => return other.clone(),
            _ => {}
        }
        if let (Num::Narrow(a), Num::Narrow(b)) = (self, other) {
            return match a.checked_mul(*b) {
                Some(n) => Num::Narrow(n),
                None => Num::Wide(u128::from(*a) * u128::from(*b)),
            };
        }
        if let (Some(a), Some(b)) = (self.wide(), other.wide())
            && let Some(n) = a.checked_mul(b)
        {
            return Num::Wide(n);
        }
        match (self, other) {
            (Num::Big(a), Num::Narrow(b)) | (Num::Narrow(b), Num::Big(a)) => Num::Big(a * *b),
            (Num::Big(a), Num::Big(b)) => Num::Big(a * b),
            (Num::Big(a), other) | (other, Num::Big(a)) => Num::Big(a * other.big()),
            (a, b) => Num::Big(a.big() * b.big()),
        }
    }

    /// Adds a number in place.
    pub fn add(&mut self, other: &Num) {
        match (&mut *self, other) {
            (Num::Narrow(a), Num::Narrow(b)) => match a.checked_add(*b) {
                Some(n) => *a = n,
                None => *self = Num::Wide(u128::from(*a) + u128::from(*b)),
            },
            (Num::Big(a), Num::Big(b)) => *a += b,
            (Num::Big(a), Num::Narrow(b)) => *a += *b,
            (Num::Big(a), b) => *a += b.big(),
            (a, Num::Big(b)) => *a = Num::Big(a.big() + b),
            (a, b) => {
                let sum = a.wide().zip(b.wide()).and_then(|(x, y)| x.checked_add(y));
                *a = sum.map_or_else(|| Num::Big(a.big() + b.big()), Num::Wide);
            }
        }
    }

    /// Subtracts a number in place; the result is 0 if `other` is larger.
    pub fn saturating_sub(&mut self, other: &Num) {
        match (&mut *self, other) {
            (Num::Narrow(a), Num::Narrow(b)) => *a = a.saturating_sub(*b),
            (Num::Big(a), Num::Big(b)) if *b <= *a => *a -= b,
            // Numbers of different widths can have any order.
            (a, b) => match (a.wide(), b.wide()) {
                (Some(x), Some(y)) => *a = Num::Wide(x.saturating_sub(y)),
                _ => *a = Num::Big(a.big().checked_sub(&b.big()).unwrap_or_default()),
            },
        }
    }

    /// Returns the greatest common divisor.
    pub fn gcd(&self, other: &Num) -> Num {
        match (self, other) {
            (Num::Narrow(a), Num::Narrow(b)) => Num::Narrow(a.gcd(b)),
            (a, b) => match (a.wide(), b.wide()) {
                (Some(a), Some(b)) => Num::Wide(a.gcd(&b)),
                _ => Num::Big(gcd(&a.big(), &b.big())),
            },
        }
    }

    /// Returns the quotient by a divisor above 0.
    pub fn exact_div(&self, other: &Num) -> Num {
        match (self, other) {
            (Num::Narrow(a), Num::Narrow(b)) => Num::Narrow(a / b),
            (Num::Big(a), Num::Narrow(b)) => Num::Big(a / *b),
            (a, b) => match (a.wide(), b.wide()) {
                (Some(a), Some(b)) => Num::Wide(a / b),
                _ => Num::Big(a.big() / b.big()),
            },
        }
    }

    /// Returns the least common multiple, and the factor of each number to reach it.
    pub fn join(&self, other: &Num) -> (Num, Num, Num) {
        let one = Num::Narrow(1);
        // Mostly one number is a multiple of the other.
        match (self.goes_into(other), other.goes_into(self)) {
            (Some(times), _) => (other.clone(), times, one),
            (None, Some(times)) => (self.clone(), one, times),
            (None, None) => {
                let shared = self.gcd(other);
                let (own, more) = (self.exact_div(&shared), other.exact_div(&shared));
                (own.mul(other), more, own)
            }
        }
    }

    /// Returns the quotient of `other` by this number, or `None` if the division leaves a remainder.
    fn goes_into(&self, other: &Num) -> Option<Num> {
        match (self, other) {
            (Num::Narrow(a), Num::Narrow(b)) => (b % a == 0).then(|| Num::Narrow(b / a)),
            (Num::Big(a), Num::Big(b)) if a.bits() > b.bits() => None,
            (Num::Big(a), Num::Big(b)) => {
                let (times, rest) = b.div_rem(a);
                rest.is_zero().then(|| Num::Big(times).narrowed())
            }
            (a, b) => match (a.wide(), b.wide()) {
                (Some(a), Some(b)) => (b % a == 0).then(|| Num::Wide(b / a).narrowed()),
                (Some(a), None) => {
                    let (times, rest) = b.big().div_rem(&BigUint::from(a));
                    rest.is_zero().then(|| Num::Big(times).narrowed())
                }
                // A number in arbitrary precision is larger than one that is not.
                _ => None,
            },
        }
    }

    /// Returns the same number in 64 bits if it fits.
    fn narrowed(self) -> Num {
        match self {
            Num::Narrow(n) => Num::Narrow(n),
            Num::Wide(n) => u64::try_from(n).map_or(Num::Wide(n), Num::Narrow),
            Num::Big(n) => n.to_u64().map_or(Num::Big(n), Num::Narrow),
        }
    }

    /// Returns the ratio to `whole` in fixed point with `places` binary places, at most 63, rounded down.
    pub fn share(&self, whole: &Num, places: u32) -> u64 {
        let share = match (self, whole) {
            (Num::Narrow(a), Num::Narrow(b)) => ((u128::from(*a) << places) / u128::from(*b)) as u64,
            (a, b) => ((a.big() << places) / b.big()).to_u64().unwrap_or(u64::MAX),
        };
        share.min(1 << places)
    }

    /// Returns the power with exponent `n`.
    pub fn pow(&self, mut n: usize) -> Num {
        let (mut power, mut square) = (Num::one(Width::Narrow), self.clone());
        while n > 0 {
            if n & 1 == 1 {
                power = power.mul(&square);
            }
            n >>= 1;
            if n > 0 {
                square = square.mul(&square);
            }
        }
        power
    }
}

impl From<u64> for Num {
    fn from(n: u64) -> Num {
        Num::Narrow(n)
    }
}

impl PartialEq for Num {
    fn eq(&self, other: &Num) -> bool {
        match (self, other) {
            (Num::Narrow(a), Num::Narrow(b)) => a == b,
            (Num::Big(a), Num::Big(b)) => a == b,
            (a, b) => match (a.wide(), b.wide()) {
                (Some(a), Some(b)) => a == b,
                _ => a.big() == b.big(),
            },
        }
    }
}

/// Denominators that are brought to a common one.
#[derive(Default)]
pub struct Joint {
    wholes: Vec<Num>,
}

impl Joint {
    /// Returns the index of a denominator.
    pub fn number(&mut self, whole: &Num) -> u32 {
        let at = self.wholes.iter().rposition(|w| w == whole).unwrap_or_else(|| {
            self.wholes.push(whole.clone());
            self.wholes.len() - 1
        });
        at as u32
    }

    /// Returns the least common multiple and the factor of each denominator, and clears the list. The factors are empty if all
    /// denominators are equal.
    pub fn close(&mut self, width: Width) -> (Num, Vec<Num>) {
        if let (1, Width::Narrow) = (self.wholes.len(), width) {
            return (self.wholes.pop().unwrap_or(Num::Narrow(1)), Vec::new());
        }
        let mut whole = Num::one(width);
        for one in &self.wholes {
            whole = if whole == *one { whole } else { whole.join(one).0 };
        }
        let factors = self.wholes.iter().map(|w| whole.exact_div(w)).collect();
        self.wholes.clear();
        (whole, factors)
    }
}

/// Binomial coefficients, in cached rows.
#[derive(Default)]
pub struct Binomials {
    rows: FxHashMap<usize, Vec<Num>>,
}

impl Binomials {
    /// Returns the row of `n`: the binomial coefficients of `n` over `k`, for `k` from 0 to `n`.
    pub fn row(&mut self, n: usize) -> &[Num] {
        self.rows.entry(n).or_insert_with(|| {
            let mut row = Vec::with_capacity(n + 1);
            row.push(Num::Narrow(1));
            for k in 0..n {
                // Each coefficient follows from the one before, and the second half mirrors the first.
                let next = if 2 * (k + 1) > n {
                    row[n - k - 1].clone()
                } else {
                    row[k].mul(&Num::from((n - k) as u64)).exact_div(&Num::from(k as u64 + 1))
                };
                row.push(next);
            }
            row
        })
    }
}
