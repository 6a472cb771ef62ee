//! Inside `sample/compare/exact`.

use grognard_base::value::*;
use grognard_stats::compare::exact::*;
use grognard_stats::stats::Seen;

#[test]
fn margins_are_what_was_written() {
    assert_eq!([0.01, 2.0, 0.125, 1e-7].map(|x| decimal(x).to_string()), ["1/100", "2", "1/8", "1/10000000"]);
}

#[test]
fn a_difference_as_great_as_the_margin_matters() {
    let f = |text: &str| text.parse::<Fraction>().unwrap();
    let margin = f("1/100");
    for (difference, wanted) in [
        ("0", Seen::Same),
        ("1/101", Seen::Same),
        ("-1/101", Seen::Same),
        ("1/100", Seen::More),
        ("-1/100", Seen::Less),
    ] {
        assert_eq!(seen(&f(difference), Some(&margin)), wanted, "{difference}");
    }
    assert_eq!(seen(&f("-1/1000000"), None), Seen::Less);
}
