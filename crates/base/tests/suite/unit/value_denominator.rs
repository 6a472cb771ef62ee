//! Inside `value/denominator`, against fractions that are reduced by their greatest common divisor.

use grognard_base::value::{Denominator, Fraction};
use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;

/// A product of powers of small primes, and of a number that may hold anything.
fn product(powers: &[u32], more: &[u32]) -> BigUint {
    let primes = [2u32, 3, 5, 7, 11, 31, 37];
    let small = primes.iter().zip(powers).map(|(prime, times)| BigUint::from(*prime).pow(*times));
    small.product::<BigUint>() * BigUint::from_slice(more)
}

proptest! {
    #[test]
    fn reduces_as_euclid_does(
        whole in vec(0..300u32, 7), part in vec(0..300u32, 7), rest in vec(1..u32::MAX, 0..4), more in vec(any::<u32>(), 0..30),
    ) {
        let whole = if rest.is_empty() { product(&whole, &[1]) } else { product(&whole, &rest) };
        let over = Denominator::new(&whole);
        for num in [product(&part, &more), product(&part, &rest), BigUint::from_slice(&more), whole.clone(), &whole * 3u32] {
            prop_assert_eq!(over.under(&num), Fraction::of(num, whole.clone()));
        }
    }
}

#[test]
fn of_short_numbers_and_of_nothing() {
    for whole in [0u32, 1, 6, 36, 97] {
        let whole = BigUint::from(whole);
        for num in 0..=40u32 {
            let num = BigUint::from(num);
            assert_eq!(Denominator::new(&whole).under(&num), Fraction::of(num, whole.clone()));
        }
    }
}
