//! Inside `report/svg`.

use grognard_report::svg::*;

#[test]
fn numbers_are_rounded_to_tenths() {
    let shown: Vec<String> = [0, 49, 50, 1000, -1049, -1050, -1051, 12_340].map(px).to_vec();
    assert_eq!(shown, ["0", "0", "0.1", "1", "-1", "-1", "-1.1", "12.3"]);
}

#[test]
fn a_title_stays_a_title() {
    let text = Svg::new(1, 1, "</title><script>alert(1)</script>", "").finish();
    assert!(!text.contains("<script") && text.contains("&lt;/title&gt;&lt;script&gt;"));
}
