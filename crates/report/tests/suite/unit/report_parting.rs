//! Inside `report/parting`.

use grognard_report::parting::*;

#[test]
fn lines_are_broken_between_words() {
    assert_eq!(wrap("  + red.hit no -> yes", 12), ["  + red.hit", "      no ->", "      yes"]);
    assert_eq!(wrap("a-word-that-is-longer than all", 10), ["a-word-that-is-longer", "    than", "    all"]);
    assert_eq!(wrap("", 10), [""]);
}
