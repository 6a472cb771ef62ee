//! Lines of moves that are judged again and again come to the same whether judgements are kept or each is worked out anew:
//! code that puts the point, or the mover's place, into a list looks at it, so of such code nothing is kept.

use super::bench::Bench;

const RULES: &str = r#"
kind Model on board { state hurt : Int = 0 }
kind Post on board { state hurt : Int = 0 }
state got : Length = 0"

let rate(q: Place, a: Post, b: Post): Int? =
  if dist(q, b) < 1.5" then none else if dist(q, a) < 3" then 3 else if dist(q, b) < 4" then 2 else 1
extern let toll(n: Int): Int default n
extern let charge(q: Place, a: Post): Int default if dist(q, a) < 5" then 2 else 1

proc kept(m: Model, goal: Post, a: Post, b: Post) {
  let leg = move m { at most 14"; costs q => rate(q, a, b); toward goal; never where dist(m, b) < 2" }
  set got = leg.covered
}
proc anew(m: Model, goal: Post, a: Post, b: Post) {
  let leg = move m {
    at most 14"
    costs q => sum r in [q] of (rate(r, a, b) otherwise 99)
    toward goal
    never where any r in [m.at] where dist(r, b) < 2"
  }
  set got = leg.covered
}
proc by_default(m: Model, goal: Post, a: Post, b: Post) {
  let leg = move m { at most 14"; costs q => toll(charge(q, a)); toward goal }
  set got = leg.covered
}
proc by_hand(m: Model, goal: Post, a: Post, b: Post) {
  let leg = move m { at most 14"; costs q => (if any r in [q] where dist(r, a) < 5" then 2 else 1); toward goal }
  set got = leg.covered
}
"#;

/// Where the mover ends, and what the way costs.
fn end(call: &str, from: (i64, i64)) -> (String, String) {
    let mut bench = Bench::of(RULES);
    bench.thing("Model", "m", Some(from), &[]);
    for (name, at) in [("goal", (20, 18)), ("a", (10, 9)), ("b", (15, 16))] {
        bench.thing("Post", name, Some(at), &[]);
    }
    bench.run(call).unwrap_or_else(|fault| panic!("{call}: {}", fault.message));
    (bench.value("m.at"), bench.value("got"))
}

#[test]
fn kept_judgements_are_those_that_are_worked_out_anew() {
    let mut ends = std::collections::BTreeSet::new();
    for from in [(2, 2), (4, 9), (9, 3), (18, 7)] {
        let kept = end("do kept(m, goal, a, b)", from);
        assert_eq!(kept, end("do anew(m, goal, a, b)", from), "from {from:?}");
        assert_eq!(end("do by_default(m, goal, a, b)", from), end("do by_hand(m, goal, a, b)", from), "from {from:?}");
        ends.insert(kept);
    }
    assert!(ends.len() > 3, "{ends:?}");
}
