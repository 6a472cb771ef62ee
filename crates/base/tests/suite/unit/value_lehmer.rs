//! Inside `value/lehmer`, against the binary algorithm of another library.

use grognard_base::value::lehmer::gcd;
use num_bigint::BigUint;
use num_integer::Integer;
use proptest::collection::vec;
use proptest::prelude::*;

/// Digits of which many are nothing or all ones.
fn number(most: usize) -> impl Strategy<Value = BigUint> {
    let digit = prop_oneof![4 => any::<u32>(), 1 => Just(0), 1 => Just(u32::MAX), 1 => 0..10u32];
    vec(digit, 0..most).prop_map(BigUint::new)
}

proptest! {
    #[test]
    fn is_what_stein_finds(a in number(40), b in number(40), both in number(20), more in number(8)) {
        prop_assert_eq!(gcd(&a, &b), a.gcd(&b));
        let (a, b) = (a * &both * more, b * both);
        prop_assert_eq!(gcd(&a, &b), a.gcd(&b));
        prop_assert_eq!(gcd(&b, &a), b.gcd(&a));
    }
}

#[test]
fn finds_it_where_all_quotients_are_one() {
    let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
    let shared = BigUint::from(6u32).pow(90);
    for _ in 0..1_000 {
        (a, b) = (&a + &b, a);
        assert_eq!(gcd(&(&a * &shared), &(&b * &shared)), shared);
    }
}

#[test]
fn of_nothing_and_a_number_that_number() {
    let large = BigUint::from(7u32).pow(100);
    assert_eq!(gcd(&BigUint::ZERO, &large), large);
    assert_eq!(gcd(&large, &BigUint::ZERO), large);
    assert_eq!(gcd(&BigUint::ZERO, &BigUint::ZERO), BigUint::ZERO);
    assert_eq!(gcd(&large, &large), large);
}
