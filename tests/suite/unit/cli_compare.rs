//! Inside `cli/compare`.

use grognard_cli::compare::*;

#[test]
fn margins_are_of_the_sort_of_the_measure() {
    assert!(margin("1%", true).is_ok_and(|d| d == 0.01) && margin("0.1", false).is_ok_and(|d| d == 0.1));
    assert!(margin("1", true).is_err() && margin("1%", false).is_err() && margin("-1", false).is_err());
}
