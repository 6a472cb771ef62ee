//! Fractions over a common denominator, reduced by the valuations of its prime factors (the exponents of the primes in
//! a number). Dice produce denominators of small primes, few of which divide a numerator. One pass over the digits
//! finds them in linear time, whereas a greatest common divisor takes quadratic time.

use super::Fraction;
use super::lehmer::gcd;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// Primes that are handled separately. The remaining cofactor of a denominator is reduced by the greatest common
/// divisor.
const PRIMES: [u64; 11] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31];

/// Denominators with at most this many bits are not factored.
const SHORT: u64 = 256;

/// A denominator with its prime factors.
pub struct Denominator<'d> {
    whole: &'d BigUint,
    factors: Vec<Factor>,
    /// The cofactor without any of the primes.
    rest: BigUint,
}

/// A prime, its exponent in the denominator, and the greatest power of it that one pass tests.
struct Factor {
    prime: u64,
    times: u32,
    power: u64,
}

impl<'d> Denominator<'d> {
    /// Factors a number above 0. A short one is not factored.
    pub fn new(whole: &'d BigUint) -> Denominator<'d> {
        let mut rest = whole.clone();
        let mut factors = Vec::new();
        if whole.bits() > SHORT {
            for prime in PRIMES {
                let times = take_out(&mut rest, prime);
                if times > 0 {
                    factors.push(Factor { prime, times, power: prime });
                }
            }
            // the product of all powers fits the word that one pass divides by
            let mut room = u64::MAX / factors.iter().map(|factor| factor.prime).product::<u64>();
            while let Some(least) = factors.iter_mut().filter(|f| f.prime <= room).min_by_key(|f| f.power) {
                least.power *= least.prime;
                room /= least.prime;
            }
        }
        Denominator { whole, factors, rest }
    }

    /// Returns the reduced fractions of two bounds over this denominator, which are reduced once if they are equal.
    pub fn under_both(&self, [low, high]: &[BigUint; 2]) -> [Fraction; 2] {
        let least = self.under(low);
        let most = if low == high { least.clone() } else { self.under(high) };
        [least, most]
    }

    /// Returns the reduced fraction of a numerator over this denominator.
    pub fn under(&self, num: &BigUint) -> Fraction {
        if num.is_zero() || self.whole.is_zero() {
            return Fraction::zero();
        }
        let mut divisor = if self.rest.is_one() { BigUint::one() } else { gcd(num, &self.rest) };
        let pass: u64 = self.factors.iter().map(|factor| factor.power).product();
        let left = if self.factors.is_empty() { 1 } else { word(&(num % pass)) };
        for Factor { prime, times, power } in &self.factors {
            let own = match left % power {
                // the exponent can be greater than one pass shows
                0 => take_out(&mut num.clone(), *prime),
                left => (0..).find(|n| left % prime.pow(n + 1) != 0).unwrap_or(0),
            };
            divisor *= BigUint::from(*prime).pow(own.min(*times));
        }
        if divisor.is_one() {
            return Fraction::reduced(num.clone(), self.whole.clone());
        }
        Fraction::reduced(num / &divisor, self.whole / &divisor)
    }
}

/// Divides a number above 0 by a prime as often as possible and returns that valuation. Divides by powers with doubling
/// exponents (galloping search), then in descending order.
fn take_out(number: &mut BigUint, prime: u64) -> u32 {
    if prime == 2 {
        let times = number.trailing_zeros().unwrap_or(0);
        *number >>= times;
        return times as u32;
    }
    if !(&*number % prime).is_zero() {
        return 0;
    }
    let mut powers = vec![BigUint::from(prime)];
    let mut times = 0;
    let mut take = |number: &mut BigUint, power: &BigUint, worth: u32| {
        let (quotient, rest) = number.div_rem(power);
        let goes = rest.is_zero();
        if goes {
            *number = quotient;
            times += worth;
        }
        goes
    };
    for n in 0.. {
        if !take(number, &powers[n], 1 << n) || powers[n].bits() * 2 > number.bits() {
            break;
        }
        powers.push(&powers[n] * &powers[n]);
    }
    for (n, power) in powers.iter().enumerate().rev() {
        while take(number, power, 1 << n) {}
    }
    times
}

/// Converts a number that fits a word.
fn word(number: &BigUint) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
