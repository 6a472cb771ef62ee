//! Inside `report/table`.

use grognard_base::value::Fraction;
use grognard_report::table::*;
use serde_json::json;

#[test]
fn ends_are_rounded_outward() {
    let mut rendered = Row::new();
    KnownNumber::Exact("1/3".parse().unwrap()).tell(&mut rendered);
    let [low, high] = ["low", "high"].map(|end| rendered[end].as_f64().unwrap());
    assert!(low < high && low.next_up() == high && rendered["fraction"] == "1/3", "{rendered:?}");
    KnownNumber::Exact(Fraction::whole(149)).tell(&mut rendered);
    assert_eq!(
        [&rendered["low"], &rendered["high"], &rendered["fraction"]],
        [&json!(149.0), &json!(149.0), &json!("149/1")]
    );
}
