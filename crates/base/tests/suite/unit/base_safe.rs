//! Inside `base/safe`.

use grognard_base::safe::*;
use toml::Table;
use toml::Value;

const HOSTILE: &str =
    "\u{9b}2J\u{85}\r\n\t\u{202e}\u{2066}\u{200b}\u{200d}\u{feff}\u{e0061}\u{1b}[2J\u{1b}[1;31m<b>&'\"";

#[test]
fn each_destination_gets_what_it_can_bear() {
    assert!(!clean(HOSTILE).chars().any(is_unsafe) && clean(HOSTILE).chars().count() == HOSTILE.chars().count());
    let kept = |c: char| matches!(c, '\n' | '\t') || !is_unsafe(c);
    assert!(clean_output(HOSTILE, false).chars().all(kept));
    let coloured = clean_output(HOSTILE, true);
    assert_eq!(coloured.matches('\u{1b}').count(), 1);
    assert!(coloured.contains("\u{1b}[1;31m") && coloured.contains("\u{241b}[2J"));
    assert!(markup(HOSTILE).ends_with("&lt;b&gt;&amp;&#39;&quot;") && !markup(HOSTILE).chars().any(is_unsafe));
    let written = serde_json::to_string(HOSTILE).unwrap();
    assert!(!json(&written).chars().any(is_unsafe));
    assert_eq!(serde_json::from_str::<String>(&json(&written)).unwrap(), HOSTILE);
}

#[test]
fn a_table_is_read_back_as_it_was() {
    let row = |n: i64| Table::from_iter([("n".to_string(), n.into()), (HOSTILE.to_string(), HOSTILE.into())]);
    let mut inner = row(3);
    inner.insert("deep".into(), vec![Value::Table(row(4))].into());
    inner.insert("last".into(), true.into());
    let mut table = row(1);
    table.insert("one".into(), inner.into());
    table.insert("two".into(), vec![Value::Table(row(5)), Value::Table(row(6))].into());
    table.insert("words".into(), vec![HOSTILE, "a", "'\"\\"].into());
    table.insert("none".into(), Value::Array(Vec::new()));
    table.insert("share".into(), 0.5.into());
    let text = toml(&table);
    assert!(text.chars().all(|c| c == '\n' || !is_unsafe(c)), "{text:?}");
    let back: Table = text.parse().unwrap();
    assert_eq!(back, table, "{text}");
}

#[test]
fn no_field_is_a_formula_and_every_number_stays_one() {
    for formula in ["=cmd|x", "-a.m", "+1+cmd", "@SUM(1)", "-1/x", "-"] {
        assert_eq!(csv_field(formula), format!("'{formula}"));
    }
    for number in ["-3", "+0.5", "-1/2", "-1e-9", "-inf", "4"] {
        assert_eq!(csv_field(number), number);
    }
    assert_eq!(["a,b", "d\"e", "-3\"", "a\rb"].map(csv_field), ["\"a,b\"", "\"d\"\"e\"", "\"-3\"\"\"", "a\u{240d}b"]);
}
