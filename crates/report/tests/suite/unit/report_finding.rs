//! Inside `report/finding`.

use grognard_report::finding::*;
use grognard_report::page::*;
use serde_json::json;

/// A die and what is said of it.
fn die() -> Finding {
    let share = |text: &str, at| Number::new(text, Some(at), How::Exact);
    let bar = |n: i64, at_most: &str, at_least: &str| Bar {
        label: n.to_string(),
        at: Some(n * MILLION),
        shares: vec![share("1/3 = 33.33%", 33_333_333)],
        sums: Some([share(at_most, 0), share(at_least, 0)]),
    };
    let mut found = Finding::new("a die");
    found.head("d3");
    found.chance(IntervalRow::new("chance d3 > 1", share("2/3 = 66.67%", 66_666_667)));
    found.chance(IntervalRow::new("chance d3 > 3", share("0 = 0.00%", 0)));
    found.add(Histogram {
        caption: "Distribution".into(),
        series: vec!["d3".into()],
        bars: vec![
            bar(1, "1/3 = 33.33%", "1 = 100.00%"),
            bar(2, "2/3 = 66.67%", "2/3 = 66.67%"),
            bar(3, "1 = 100.00%", "1/3 = 33.33%"),
        ],
        means: vec![(0, Number::new("2", Some(2 * MILLION), How::Exact))],
        note: "deviation 0.8165".into(),
        ..Histogram::default()
    });
    found.item("a thing", vec!["said of it".into()]);
    found.list("names", vec!["one".into(), "two".into()]);
    let long = "a long sentence, that with all the others in its row is much wider than any line of a table may be";
    found.add(Table::new("short", &["what", "so"], [vec!["a".into(), "b".into()], vec!["longer".into(), "c".into()]]));
    found.add(Table::new("long", &["what", "says"], [vec!["a".into(), long.into()]]));
    found.draw(Block::Text("pages alone".into()));
    found.words(Block::Text("the text alone".into()));
    found.all_facts(json!({ "schema": 1, "sides": 3 }));
    found.columns = vec!["measure".into(), "estimate".into()];
    found.rows.push(grognard_report::table::row(json!({ "measure": "d3", "estimate": 2.0 })));
    found
}

#[test]
fn text_tells_what_pages_draw() {
    let text = "d3
chance d3 > 1: 2/3 = 66.67%  ################........  (exact)
chance d3 > 3: 0 = 0.00%  ........................  (exact)
mean d3: 2, deviation 0.8165  (exact)
  1  1/3  33.33%  100.00% or more  ########################
  2  1/3  33.33%   66.67% or more  ########################
  3  1/3  33.33%   33.33% or more  ########################
a thing
  said of it
names:
    one, two
short
  what    so
  a       b
  longer  c
long
  a
    says a long sentence, that with all the others in its row is much wider than any line of a table
    may be
the text alone
";
    assert_eq!(die().text(), text);
}

#[test]
fn programs_get_facts_and_rows() {
    assert_eq!(die().json(), json!({ "schema": 1, "sides": 3 }));
    assert_eq!(die().csv(), "measure,estimate\nd3,2.0\n");
    let all = listed("dice", 2, "dice", vec![die(), die()]);
    assert_eq!(all.json(), json!({ "schema": 2, "dice": [{ "schema": 1, "sides": 3 }, { "schema": 1, "sides": 3 }] }));
    assert_eq!(all.csv(), "measure,estimate\nd3,2.0\nd3,2.0\n");
}

#[test]
fn pages_have_what_is_for_them_alone() {
    let page = die().html();
    assert!(page.contains("pages alone") && page.contains("said of it") && page.contains("deviation 0.8165"));
    assert!(!page.contains("the text alone"));
}

/// What would move the cursor or turn the writing round does not get through, whoever made the text.
#[test]
fn no_control_character_gets_through() {
    let mut found = Finding::new("x");
    found.item("a\u{1b}[2Jb", vec!["c\u{202e}d".into()]);
    assert!(found.text().chars().all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}')), "{}", found.text());
}
