//! Inside `sample/tally`.

use grognard_base::value::Ratio;
use grognard_stats::tally::*;

#[test]
fn parts_add_up() {
    let values: Vec<i64> = (0..1_000).map(|n| n * n % 17).collect();
    let mut whole = Tally::default();
    values.iter().for_each(|v| whole.add(&[*v]));
    for parts in [1, 2, 3, 16] {
        let mut split = vec![Tally::default(); parts];
        values.iter().enumerate().for_each(|(n, v)| split[n * 7 % parts].add(&[*v]));
        let mut merged = Tally::default();
        split.iter().rev().for_each(|t| merged.merge(t));
        assert_eq!(merged, whole);
    }
    assert_eq!((whole.counted, whole.times(3), whole.times(0)), (1_000, 0, 59));
}

#[test]
fn too_many_values_are_too_many_in_any_parts() {
    let most = MOST_VALUES as i64;
    let (mut a, mut b) = (Tally::default(), Tally::default());
    (0..most).for_each(|n| a.add(&[n]));
    assert!(a.values().is_some());
    b.add(&[0]);
    b.merge(&a);
    assert!(b.values().is_some());
    b.add(&[most]);
    b.add(&[0]);
    assert!(b.values().is_none() && b.counted == MOST_VALUES as u64 + 3);
    a.merge(&b);
    assert!(a.values().is_none());
}

#[test]
fn means_are_exact() {
    let r = |n, d| Ratio::new(n, d).unwrap();
    assert_eq!(mean(&[(r(1, 2), 1), (r(1, 3), 1), (r(5, 1), 2)]), Some(r(65, 24)));
    assert_eq!(mean(&[]), None);
    assert_eq!(mean(&[(r(-7, 1), 100_000_000), (r(7, 1), 100_000_000)]), Some(Ratio::ZERO));
}
