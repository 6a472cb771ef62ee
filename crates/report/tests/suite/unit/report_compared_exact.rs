//! Inside `report/compared/exact`.

use grognard_base::value::*;
use grognard_report::compared::exact::*;

#[test]
fn differences_keep_two_places() {
    let f = |text: &str| text.parse::<Fraction>().unwrap();
    assert_eq!(["50/3", "1/3", "1/300", "1/700000", "0", "12"].map(|x| digits(&f(x))), [2, 2, 4, 6, 2, 2]);
    let rendered = [("1/2", 4), ("30", 2), ("-1/3", 2), ("2001/1000", 2)].map(|(x, digits)| trimmed(&f(x), digits));
    assert_eq!(rendered, ["0.5", "30", "-0.33", "2.00"]);
}
