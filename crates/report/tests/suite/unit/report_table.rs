//! Inside `report/table`.

use grognard_base::value::Fraction;
use grognard_report::table::*;
use serde_json::json;

#[test]
fn ends_are_rounded_outward() {
    let mut told = Row::new();
    Known::Exact("1/3".parse().unwrap()).tell(&mut told);
    let [low, high] = ["low", "high"].map(|end| told[end].as_f64().unwrap());
    assert!(low < high && low.next_up() == high && told["fraction"] == "1/3", "{told:?}");
    Known::Exact(Fraction::whole(149)).tell(&mut told);
    assert_eq!([&told["low"], &told["high"], &told["fraction"]], [&json!(149.0), &json!(149.0), &json!("149/1")]);
}
