//! The greatest common divisor of large numbers by D. H. Lehmer's algorithm (1938; Cohen, Algorithm 1.3.7). Steps of
//! Euclid's algorithm are computed on the leading bits only, and all steps that these bits decide are applied to the
//! digits in one pass.

use num_bigint::BigUint;
use num_integer::Integer;

/// Number of leading bits used. Factors have half as many, so their products with digits fit 64 bits.
const LEADING: u32 = 58;

/// Returns the greatest common divisor. If one number is 0, returns the other.
pub fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small.bits() <= 64 {
        return short(large, small);
    }
    let (mut a, mut b) = (large.to_u32_digits(), small.to_u32_digits());
    while b.len() > 2 {
        match factors(&a, &b) {
            Some(factors) => apply(factors, &mut a, &mut b),
            // the quotient is large: one plain step of Euclid's algorithm
            None => {
                let rest = BigUint::new(a) % BigUint::from_slice(&b);
                (a, b) = (b, rest.to_u32_digits());
            }
        }
    }
    short(&BigUint::new(a), &BigUint::new(b))
}

/// Computes the greatest common divisor if one number is short.
fn short(large: &BigUint, small: &BigUint) -> BigUint {
    match u64::try_from(small) {
        Ok(small) if small > 0 => {
            u64::try_from(large % small).map_or_else(|_| BigUint::ZERO, |rest| rest.gcd(&small).into())
        }
        _ => large.clone(),
    }
}

/// Returns the combined matrix of the steps that the leading bits of two numbers decide, where `a` is the greater one.
/// Returns `None` if the bits decide no step.
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
        // Jebelean's condition (1993): the step is correct for all values of the lower bits
        let (below, above) = if r_next < 0 { (r_next, s_next - s) } else { (s_next, r_next - r) };
        if rest < -below || y - rest < above {
            break;
        }
        ([p, r], [q, s], [x, y]) = next;
    }
    (q != 0).then_some([[p, q], [r, s]])
}

/// Replaces two numbers by linear combinations of them.
fn apply([[p, q], [r, s]]: [[i64; 2]; 2], a: &mut Vec<u32>, b: &mut Vec<u32>) {
    b.resize(a.len(), 0);
    let (mut first, mut second) = (0i64, 0i64);
    for (a, b) in a.iter_mut().zip(b.iter_mut()) {
        let (x, y) = (i64::from(*a), i64::from(*b));
        // these never overflow, and checked multiplication is slow in WebAssembly
        first = (first >> 32).wrapping_add(p.wrapping_mul(x)).wrapping_add(q.wrapping_mul(y));
        second = (second >> 32).wrapping_add(r.wrapping_mul(x)).wrapping_add(s.wrapping_mul(y));
        (*a, *b) = (first as u32, second as u32);
    }
    for digits in [a, b] {
        digits.truncate(digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1));
    }
}
