//! Inside `sample/table`.

use grognard_stats::alias::*;
use num_bigint::BigUint;

/// What of all columns belongs to each value.
fn held(columns: &[(u64, u32)]) -> Vec<u64> {
    let mut held = vec![0; columns.len()];
    for (n, (own, other)) in columns.iter().enumerate() {
        held[n] += own;
        held[*other as usize] += COLUMN - own;
    }
    held
}

#[test]
fn columns_hold_what_they_were_given() {
    for weights in
        [vec![1u32], vec![1, 1], vec![1, 2, 5], vec![0, 7, 0, 1], vec![1, 1, 1, 1, 1, 1_000_000], vec![3; 40]]
    {
        let big: Vec<BigUint> = weights.iter().map(|w| BigUint::from(*w)).collect();
        let shares = shares(&big.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(shares.iter().map(|s| u128::from(*s)).sum::<u128>(), weights.len() as u128 * u128::from(COLUMN));
        assert_eq!(held(&columns(&shares)), shares, "{weights:?}");
        let whole: u128 = weights.iter().map(|w| u128::from(*w)).sum();
        for (weight, share) in weights.iter().zip(&shares) {
            let true_share = u128::from(*weight) * weights.len() as u128 * u128::from(COLUMN) / whole;
            assert!(u128::from(*share).abs_diff(true_share) <= weights.len() as u128, "{weights:?}");
        }
    }
}

#[test]
fn what_has_no_share_is_never_drawn() {
    let big = [0u32, 7, 0, 1].map(BigUint::from);
    let columns = columns(&shares(&big.iter().collect::<Vec<_>>()).unwrap());
    assert_eq!((columns[0].0, columns[2].0), (0, 0));
}
