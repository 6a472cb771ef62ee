//! Small rulesets, one thing each.

use super::bench::Bench;

#[test]
fn numbers_and_fractions() {
    let mut b = Bench::of("let half(n: Int) = n / 2 rounded down");
    assert_eq!(b.value("half(7)"), "3");
    assert_eq!(b.value("7 / 2"), "7/2");
    assert_eq!(b.value("7 / 2 rounded up"), "4");
    assert_eq!(b.value("2 + 3 * 4"), "14");
    assert_eq!(b.value("1 / 0 > 1"), "fault R0906: a division by zero");
}
