//! A list whose order nobody reads is one position however it lies.

use grognard_base::value::Fraction;
use grognard_kit::{All, Lab, rendered};
use grognard_odds::*;

/// A hand of dice of which some are kept, twice; `hand` says how it lies.
fn hand(dice: usize, sides: usize, hand: &str) -> Lab {
    Lab::of(&format!(
        "proc turn() -> Int {{
           roll first = {dice} of d{sides}
           var dice : list of Int = first
           var left : Int = 2
           repeat {{
             choose 0 .. {dice} of kept in dice
             roll more = ({dice} - size(kept)) of d{sides}
             set dice = {hand}
             set left -= 1
           }} while left > 0
           return if every dice == {sides} then 20 else (count dice == 1)
         }}
         proc itself(n: Int) -> Int {{ return n }}"
    ))
}

/// What it is worth under the best play, and how many positions it takes.
fn best(lab: &Lab, sort: bool) -> (String, usize) {
    let own = Query { func: lab.func("itself"), args: Args::Result };
    let mut graph =
        lab.graph_by("turn", &[], &mut All(Choice::Best(None)), ExploreOptions { sort, ..ExploreOptions::default() });
    graph.optimise(Target::Value(own), None).unwrap();
    (graph.results().mean().unwrap().to_string(), graph.states())
}

#[test]
fn a_hand_is_one_position_however_it_lies() {
    let (sorted, by_hand) = best(&hand(3, 4, "lowest(3, kept + more)"), false);
    for lies in ["kept + more", "more + kept", "all x in more + kept where x > 0"] {
        let lab = hand(3, 4, lies);
        let (once, positions) = best(&lab, true);
        let (twin, unsorted) = best(&lab, false);
        assert_eq!((&once, &twin), (&sorted, &sorted), "{lies}");
        assert!(positions <= by_hand && 5 * positions < 4 * unsorted, "{lies}: {positions} {by_hand} {unsorted}");
    }
}

/// What was thrown so far, of which only the sum and the greatest are asked at the end.
#[test]
fn a_list_that_grows_is_a_multiset() {
    let lab = |end: &str| {
        Lab::of(&format!(
            "proc turn() -> Int {{
               var seen : list of Int = []
               repeat {{ roll a = d4\n set seen = seen + [a] }} while size(seen) < 6
               return {end}
             }}"
        ))
    };
    let states = |end: &str, sort| {
        let lab = lab(end);
        let graph = lab.graph("turn", &[], ExploreOptions { sort, ..ExploreOptions::default() });
        (graph.states(), rendered(&graph.results()))
    };
    let end = "total(seen) * 10 + total(highest(1, seen))";
    let ((bags, found), (lists, twin)) = (states(end, true), states(end, false));
    assert_eq!(found, twin);
    // multisets of up to five of four faces are 126, lists 1365; the ends are the same
    assert!(lists > 1365 && bags < lists - 1200, "{bags} {lists}");
    let ((kept, found), (lists, twin)) =
        (states("nth(2, seen) otherwise 0", true), states("nth(2, seen) otherwise 0", false));
    assert_eq!((kept, found), (lists, twin));
}

/// Candidates from a pool are told apart by their faces alone.
#[test]
fn a_choice_from_a_large_pool() {
    let lab = Lab::of(
        "proc turn() -> Int { roll p = 12 of d6\n let high = all x in p where x >= 5\n draw 0 .. 2 of got in high\n return total(got) + size(high) * 100 }",
    );
    let graph = lab.graph("turn", &[], ExploreOptions::default());
    assert_eq!(graph.limit(), None);
    assert!(graph.states() < 1000, "{}", graph.states());
}

/// A filter parts a pool by the faces it tells apart, however it is written.
#[test]
fn a_filter_tells_faces_apart_and_no_places() {
    let states = |filter: &str| {
        let lab = Lab::of(&format!(
            "proc shots() -> Int {{ roll aim = 12 of d6\n reroll x in aim where {filter}\n return count aim >= 4 }}"
        ));
        let graph = lab.graph("shots", &[], ExploreOptions::default());
        (rendered(&graph.results()), graph.states())
    };
    let (wanted, plain) = states("x <= 2");
    assert!(plain < 20, "{plain}");
    for filter in
        ["x == 1 or x == 2", "x in [1, 2]", "not (x >= 3)", "not (x > 3 or x == 3)", "x < 3 and size(aim) == 12"]
    {
        let (found, positions) = states(filter);
        assert_eq!(found, wanted, "{filter}");
        assert!(positions <= 6 * plain, "{filter}: {positions} {plain}");
    }
}

/// Dice of one pool against those of another: what was compared is over.
#[test]
fn pools_against_each_other() {
    let lab = Lab::of(
        "proc duel() -> Int { roll a = 14 of d6\n roll b = 14 of d8\n return count x in a against y in b where x > y }
         proc score() -> Int { roll a = 9 of d4\n var s : Int = 0\n each x in a { if x > 2 { set s += x } else { set s = 0 } }\n return s }",
    );
    let graph = lab.graph("duel", &[], ExploreOptions::default());
    let found = graph.results();
    // of 48 pairs of faces 15 fit
    let (fits, all) = (Fraction::whole(15), Fraction::whole(48));
    let share = &fits / &all;
    let power = |base: &Fraction, n: i64| (0..n).fold(Fraction::one(), |product, _| &product * base);
    let mut ways = Fraction::one();
    for hits in 0..=14 {
        let chance = &(&ways * &power(&share, hits)) * &power(&(&Fraction::one() - &share), 14 - hits);
        assert_eq!(found.chance(|c| c == [hits]), chance, "{hits}");
        ways = &(&ways * &Fraction::whole(14 - hits)) / &Fraction::whole(hits + 1);
    }
    assert!(graph.states() < 2000, "{}", graph.states());
    let score =
        |sort| rendered(&lab.graph("score", &[], ExploreOptions { sort, ..ExploreOptions::default() }).results());
    assert_eq!(score(true), score(false));
}

/// A state holds a multiset if no rule reads the order of what it holds, or of what is made of it and stored.
#[test]
fn states_that_hold_multisets() {
    let lab = |end: &str| {
        Lab::of(&format!(
            "state deck : list of Int = [1, 1, 1, 2, 2, 3]
            state red : list of Int = []
            state blue : list of Int = []
            state shown : list of Int = []
            proc deal() {{
              each n in 1 .. 2 {{
                draw one in deck
                set deck -= one
                set red += one
              }}
              draw 2 of two in deck
              set deck -= two
              set blue = two + [9]
            }}
            proc trade() {{
              if size(red) > 0 {{
                draw got in red
                set red -= got
                set blue += got
                set shown = blue
              }}
            }}
            proc play() -> Int {{\n do deal()\n do trade()\n {end} }}"
        ))
    };
    let asked = |end: &str| {
        let lab = lab(end);
        let [sorted, plain] = [true, false].map(|sort| {
            let graph = lab.graph("play", &[], ExploreOptions { sort, ..ExploreOptions::default() });
            (graph.states(), graph.results())
        });
        let orders = super::brute::brute(&lab, "play", 100_000).expect("few enough");
        for (end, wanted) in orders {
            let end = end.expect("no faults");
            assert_eq!(sorted.1.chance(|c| c == end), wanted, "{end:?}");
            assert_eq!(plain.1.chance(|c| c == end), wanted, "{end:?}");
        }
        (sorted.0, plain.0)
    };
    for end in [
        "return total(red) * 100 + (count blue == 1) * 10 + size(deck)",
        "return total(highest(2, blue)) * 10 + (if 3 in red then 1 else 0)",
        "return size(red - blue) + 10 * total(shown)",
        "draw last in shown\n return last * 10 + distinct(blue)",
    ] {
        let (bags, lists) = asked(end);
        assert!(2 * bags < lists, "{bags} {lists} {end}");
    }
    for end in [
        "return (nth(2, red) otherwise 0) * 100 + (nth(1, blue) otherwise 0) * 10 + (nth(4, shown) otherwise 0)",
        "var sum : Int = 0\n each x in shown { set sum = sum * 10 + x }\n return sum",
        "return if shown == [1, 2, 9, 1] then 1 else 0",
        "draw last in blue weight last\n return (nth(1, red + [last]) otherwise 0) * 10 + last",
        "let first = all x in blue where x < 9\n return nth(1, first) otherwise 0",
    ] {
        asked(end);
    }
}
