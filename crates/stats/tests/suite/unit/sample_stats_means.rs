//! Inside `sample/stats/means`.

use grognard_stats::stats::level::Level;
use grognard_stats::stats::means::*;

#[test]
fn intervals_narrow_and_hold_the_mean_of_the_sample() {
    let sequence = Sequence::new(0.0, 6.0, 100_000);
    let mut last = 7.0;
    for n in [10, 100, 1_000, 10_000, 100_000] {
        let values: Vec<(f64, u64)> = (1..=6).map(|face| (f64::from(face), n)).collect();
        let (low, high) = sequence.interval(&sequence.take(&values).unwrap(), Level::USUAL);
        assert!(low < 3.5 && 3.5 < high && high - low < last, "{low} {high}");
        last = high - low;
    }
    // a normal interval of 600,000 throws is 0.0086 wide; this one may be looked at all the way
    assert!(last < 0.0086 * 2.2, "{last}");
}

#[test]
fn a_constant_a_certainty_and_nothing() {
    let sequence = Sequence::new(0.0, 1.0, 1_000);
    let (low, high) = sequence.interval(&sequence.take(&[(1.0, 1_000)]).unwrap(), Level::USUAL);
    assert!(low > 0.99 && low < 1.0 && high == 1.0, "{low} {high}");
    assert_eq!(sequence.interval(&sequence.take(&[]).unwrap(), Level::USUAL), (0.0, 1.0));
    assert!(sequence.take(&[(1.5, 1)]).is_none());
    let fixed = Sequence::new(4.0, 4.0, 1_000);
    let values = fixed.take(&[(4.0, 10)]).unwrap();
    assert_eq!(fixed.interval(&values, Level::USUAL), (4.0, 4.0));
    assert_eq!(fixed.above(&values, 3.0), f64::INFINITY);
    assert_eq!(fixed.above(&values, 4.0), 0.0);
}

#[test]
fn an_end_is_where_the_wager_reaches_the_bar() {
    let sequence = Sequence::new(-2.0, 8.0, 10_000);
    let values = sequence.take(&[(-1.0, 300), (0.0, 500), (5.0, 200)]).unwrap();
    let (low, high) = sequence.interval(&values, Level::USUAL);
    let bar = Level::USUAL.bar();
    assert!(sequence.above(&values, low - 1e-6) > bar && sequence.above(&values, low + 1e-6) < bar);
    assert!(sequence.below(&values, high + 1e-6) > bar && sequence.below(&values, high - 1e-6) < bar);
    assert!(sequence.chance(&values, 0.7) > 0.5 && sequence.chance(&values, 3.0) < 0.001);
}

#[test]
fn many_values_are_rounded_outward() {
    let sequence = Sequence::new(0.0, 9_999.0, 10_000);
    let values: Vec<(f64, u64)> = (0..10_000).map(|n| (f64::from(n), 1)).collect();
    let (low, high) = sequence.interval(&sequence.take(&values).unwrap(), Level::USUAL);
    assert!(low > 4_850.0 && low < 4_950.0 && high > 5_050.0 && high < 5_150.0, "{low} {high}");
}
