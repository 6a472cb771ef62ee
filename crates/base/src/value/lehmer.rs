//! The greatest common divisor of large numbers by D. H. Lehmer's algorithm (1938; Cohen, Algorithm 1.3.7): steps of Euclid's
//! are worked out on the leading bits alone, and as many as these decide are applied to all digits in one pass.

use num_bigint::BigUint;
use num_integer::Integer;

/// Leading bits that are looked at. Factors have half as many, so that their products with digits fit 64 bits.
const LEADING: u32 = 58;

/// The greatest number that goes into both; of 0 and a number that number.
pub fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small.bits() <= 64 {
        return short(large, small);
    }
    let (mut a, mut b) = (large.to_u32_digits(), small.to_u32_digits());
    while b.len() > 2 {
        match factors(&a, &b) {
            Some(factors) => apply(factors, &mut a, &mut b),
            // a large quotient: one step of Euclid's as it stands
            None => {
                let rest = BigUint::new(a) % BigUint::from_slice(&b);
                (a, b) = (b, rest.to_u32_digits());
            }
        }
    }
    short(&BigUint::new(a), &BigUint::new(b))
}

/// Where one of them is short.
fn short(large: &BigUint, small: &BigUint) -> BigUint {
    match u64::try_from(small) {
        Ok(small) if small > 0 => {
            u64::try_from(large % small).map_or_else(|_| BigUint::ZERO, |rest| rest.gcd(&small).into())
        }
        _ => large.clone(),
    }
}

/// What the steps come to that the leading bits of two numbers decide, the first the greater one: how often either of them is
/// in what they become. None if that is no step.
fn factors(a: &[u32], b: &[u32]) -> Option<[[i64; 2]; 2]> {
    let leading = |digits: &[u32]| {
        let digit = |at: usize| u128::from(digits.get(at).copied().unwrap_or(0));
        (a.len() - 3..a.len()).rev().fold(0, |all, at| all << 32 | digit(at))
    };
    let cut = u128::BITS - leading(a).leading_zeros() - LEADING;
    let (mut x, mut y) = ((leading(a) >> cut) as i64, (leading(b) >> cut) as i64);
    let ([mut p, mut q], [mut r, mut s]) = ([1, 0], [0, 1]);
    while y != 0 {
        let times = if x - y < y { 1 } else { x / y };
        let next = ([r, p - times * r], [s, q - times * s], [y, x - times * y]);
        let ([_, r_next], [_, s_next], [_, rest]) = next;
        // T. Jebelean's condition (1993): the step is right whatever the bits behind are
        let (below, above) = if r_next < 0 { (r_next, s_next - s) } else { (s_next, r_next - r) };
        if rest < -below || y - rest < above {
            break;
        }
        ([p, r], [q, s], [x, y]) = next;
    }
    (q != 0).then_some([[p, q], [r, s]])
}

/// Puts sums of both in the place of two numbers.
fn apply([[p, q], [r, s]]: [[i64; 2]; 2], a: &mut Vec<u32>, b: &mut Vec<u32>) {
    b.resize(a.len(), 0);
    let (mut first, mut second) = (0i64, 0i64);
    for (a, b) in a.iter_mut().zip(b.iter_mut()) {
        let (x, y) = (i64::from(*a), i64::from(*b));
        // nothing wraps; multiplication that is checked is slow in WebAssembly
        first = (first >> 32).wrapping_add(p.wrapping_mul(x)).wrapping_add(q.wrapping_mul(y));
        second = (second >> 32).wrapping_add(r.wrapping_mul(x)).wrapping_add(s.wrapping_mul(y));
        (*a, *b) = (first as u32, second as u32);
    }
    for digits in [a, b] {
        digits.truncate(digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1));
    }
}
