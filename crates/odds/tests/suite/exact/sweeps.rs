//! All that code asks of unseen pools, answered face by face, against every fall of the dice; and questions in several wordings.

use super::brute::brute;
use super::random::as_map;
use grognard_kit::{Lab, Lots, rendered};
use grognard_odds::*;
use std::fmt::Write;

/// Forms that the sweep reads: `{a}` and `{b}` are pools, `{k}` and `{m}` are numbers.
const FORMS: &[&str] = &[
    "size(all x in {a} where x > {k})",
    "(count x in {a} where x >= {k} and x != {m})",
    "(if any x in {a} where x == {k} then 1 else 0)",
    "(if no x in {a} where x > {k} then 1 else 0)",
    "(if (every x in {a}: x >= {k} or x == {m}) then 1 else 0)",
    "total({a})",
    "(sum x in {a} where x != {m} of x * {k} + min(x, {m}))",
    "(sum x in {a} of (if x == {m} then {k} else min(x, 2)))",
    "total(highest({k}, {a}))",
    "total(lowest({k}, {a}))",
    "(nth({k}, highest({m}, {a})) otherwise 0)",
    "(nth({k}, lowest({m}, {a})) otherwise 0)",
    "((most x in {a} by x) otherwise -1)",
    "((least x in {a} where x > {k} by x) otherwise -1)",
    "(median({a}) otherwise 0)",
    "(if {k} in {a} then 1 else 0)",
    "(count x in highest({k}, {a}) where x > {m})",
    "(count x in highest({k}, {a}) against y in highest({m}, {b}) where x > y)",
    "(count x in {a} where x > ((most y in {b} by y) otherwise {k}))",
    "(count x in {a} where (count y in {b} where y >= x) < {m})",
    "total({a} + {b})",
    "total(highest({k}, {a} + {b}))",
    "((least n in 1 .. 3 where nth(n, highest(3, {a})) != nth(n, highest(3, {b})) by n) otherwise 0)",
    "max({k}, total({a}) - total({b}))",
    "(if total({a}) > total({b}) then {k} else {m})",
    "distinct({a})",
    "(mode({a}) otherwise 0)",
    "(if size({a}) == distinct({a}) then {k} else {m})",
    "(count x in {a} where remainder(x, 2) == 0)",
    "(count n in 1 .. 4 where n in {a})",
    "(if any n in 1 .. 3 where n in {a} and n + 1 in {a} then 1 else 0)",
    "((most n in 1 .. 4 where n in {a} by (count x in {a} where x == n)) otherwise 0)",
    "((most n in 1 .. 3 where (any k in 1 .. 2 where (every j in k .. k + n - 1: j in {a})) by n) otherwise 0)",
];

/// Maximum number of ways in which both pools of a program fall.
const MOST_FALLS: usize = 1_500;

/// A pool, and in how many ways it falls.
fn pool(lots: &mut Lots) -> (String, usize) {
    let n = lots.range(1, 4);
    let (n, sides, die) = match lots.below(6) {
        0 => (n, 4, "Fate"),
        1 => return ("[d4, d6, d4]".into(), 96),
        2 => (n, 2, "d2"),
        3 => (n.min(3), 6, "d6"),
        _ => (n, 4, "d4"),
    };
    (format!("{n} of {die}"), usize::pow(sides, n as u32))
}

/// A form with its places filled in. Pools can be filtered first.
fn filled(lots: &mut Lots) -> String {
    let (k, m) = (lots.range(1, 4), lots.range(1, 4));
    let pool = |lots: &mut Lots| lots.of(&["a", "a", "b", "f", "g"]).to_string();
    let (a, b) = (pool(lots), pool(lots));
    let form = lots.of(FORMS);
    form.replace("{a}", &a).replace("{b}", &b).replace("{k}", &k.to_string()).replace("{m}", &m.to_string())
}

fn program(lots: &mut Lots) -> String {
    let (a, falls) = pool(lots);
    let (b, _) = std::iter::repeat_with(|| pool(lots)).find(|(_, more)| falls * more <= MOST_FALLS).unwrap();
    let (low, high) = (lots.range(0, 3), lots.range(1, 4));
    let (first, second) = (filled(lots), filled(lots));
    let pool = lots.of(&["a", "b", "f", "g"]);
    let ends = match lots.below(6) {
        0 => format!("return {first} * 100 + {second}"),
        1 => format!("return if {first} > {second} then 1 else 0"),
        2 => format!("let found = {first}\n if found > {high} {{ return found }}\n return {second}"),
        3 => format!(
            "var added : Int = 0\n each z in {pool} where z > {low} {{ set added += z }}\n return added * 10 + {first}"
        ),
        4 => format!("each z in {pool} {{ if z == {high} {{ return {first} }} }}\n return {second}"),
        _ => format!("return {first}"),
    };
    format!(
        "roll a = {a}\n roll b = {b}\n let f = all x in a where x > {low}\n let g = all y in b where y <= {high}\n {ends}"
    )
}

/// Random programs of the forms agree with every fall of the dice.
fn agree(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut lots = Lots(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let bodies: Vec<String> = (0..50).map(|_| program(&mut lots)).collect();
        let mut text = String::from("die Fate of -1..1 = -1, 0, 0, 1\n\n");
        bodies.iter().enumerate().for_each(|(n, body)| write!(text, "proc f{n}() -> Int {{ {body} }}\n\n").unwrap());
        let lab = Lab::of(&text);
        for (n, body) in bodies.iter().enumerate() {
            let name = format!("f{n}");
            let wanted = brute(&lab, &name, MOST_FALLS).unwrap();
            let graph = lab.graph(&name, &[], ExploreOptions::default());
            assert_eq!(as_map(&graph.results()), wanted, "seed {seed}, {n}: {body}");
        }
    }
}

#[test]
fn random_forms_agree_with_every_fall_1() {
    agree(1..51);
}

#[test]
fn random_forms_agree_with_every_fall_2() {
    agree(51..101);
}

/// A question in several wordings: each has the same odds, and few states.
fn wordings(dice: &str, texts: &[&str]) -> String {
    let procs: Vec<String> =
        texts.iter().enumerate().map(|(n, text)| format!("proc f{n}() -> Int {{ {dice}\n {text} }}")).collect();
    let helper = "let best(d: list of Int): Int = (most y in d where y <= 12 by y) otherwise 0
        let wins(a: list of Int, d: list of Int): Flag = any x in a where x <= 14 and x > best(d)";
    let lab = Lab::of(&format!("{helper}\n\n{}", procs.join("\n\n")));
    let (mut first, mut work) = (None, Vec::new());
    for (n, text) in texts.iter().enumerate() {
        let graph = lab.graph(&format!("f{n}"), &[], ExploreOptions::default());
        let found = graph.results();
        let (odds, ends) = (rendered(&found), found.outcomes.len());
        assert!(graph.states() <= ends + 1, "{} states: {text}", graph.states());
        assert_eq!(first.get_or_insert_with(|| odds.clone()), &odds, "{text}");
        work.push(graph.reading().work);
    }
    let (least, most) = (work.iter().min().unwrap(), work.iter().max().unwrap());
    assert!(*most <= 4 * least, "{work:?}");
    first.unwrap()
}

#[test]
fn the_wording_does_not_matter() {
    let odds = wordings(
        "roll a = 3 of d20\n roll d = 3 of d20",
        &[
            "let h = all x in d where x <= 12\n
             return if (count x in a where x <= 14 and x > (most y in h by y otherwise 0)) > 0 then 1 else 0",
            "let g = all x in a where x <= 14\n let h = all x in d where x <= 12\n
             return if (count x in g where x > (most y in h by y otherwise 0)) > 0 then 1 else 0",
            "let g = all x in a where x <= 14\n let h = all x in d where x <= 12\n
             return if (most x in g by x otherwise 0) > (most y in h by y otherwise 0) then 1 else 0",
            "return if any x in a where x <= 14 and no y in d where y <= 12 and y >= x then 1 else 0",
            "let h = all x in d where x <= 12\n
             return if any x in a where x <= 14 and x > total(highest(1, h)) then 1 else 0",
            "let h = all x in d where x <= 12\n let best = nth(1, highest(1, h)) otherwise 0\n
             if any x in a where x > best and x <= 14 { return 1 }\n return 0",
            "let g = all x in a where x <= 14\n
             return if any x in g where (every y in d: y < x or y > 12) then 1 else 0",
            "let g = all x in a where x <= 14\n let h = all x in d where x <= 12\n
             return min(1, count x in g where (count y in h where y >= x) == 0)",
            "let best = (most y in d where y <= 12 by y) otherwise 0\n
             return if (count x in a where x > best and x <= 14) > 0 then 1 else 0",
            "let best = (most y in d where y <= 12 by y) otherwise 0\n var hits : Int = 0\n
             each x in a where x <= 14 { if x > best { set hits += 1 } }\n return min(1, hits)",
            "let g = all x in a where x <= 14\n let h = all x in d where x <= 12\n
             return if total(highest(1, g)) > total(highest(1, h)) then 1 else 0",
            "return if wins(a, d) then 1 else 0",
        ],
    );
    assert_eq!(odds, "0: 12058911/32000000, 1: 19941089/32000000");
}

#[test]
fn sorted_pools_are_compared_die_by_die() {
    let odds = wordings(
        "roll a = 5 of d20\n roll d = 5 of d20",
        &[
            "return count x in highest(5, a) against y in highest(5, d) where x > y",
            "var n : Int = 0\n each k in 1 .. 5 {
               if (nth(k, highest(5, a)) otherwise 0) > (nth(k, highest(5, d)) otherwise 0) { set n += 1 } }\n return n",
        ],
    );
    assert_eq!(
        odds,
        "0: 430492237063/2048000000000, 1: 4595712723/25600000000, 2: 69466108221/409600000000, \
         3: 66215314887/409600000000, 4: 388464139/2560000000, 5: 260672318357/2048000000000"
    );
}

#[test]
fn the_first_place_that_differs() {
    let odds = wordings(
        "roll a = 4 of d20\n roll d = 4 of d20",
        &["return (least k in 1 .. 4 where nth(k, highest(4, a)) != nth(k, highest(4, d)) by k) otherwise 0"],
    );
    assert_eq!(
        odds,
        "0: 164807/1280000000, 1: 5670488763/6400000000, 2: 82297607/800000000, 3: 32183967/3200000000, \
         4: 1484603/1600000000"
    );
}

/// Rerolls and explosions by the faces of a die, in any order, against every fall of the dice.
#[test]
fn dice_that_fall_again() {
    let steps = [
        "reroll x in a where x == 1",
        "reroll x in a where x <= 2 at most 2",
        "reroll x in a where x >= 2 and x <= 3",
        "explode x in a where x == 4 at most 1",
        "explode x in a where x >= 3 at most 2",
        "reroll x in a where x == 1 or x == 3 at most 2",
        "explode x in a where x == 1 or x > 3 at most 1",
    ];
    let asked = [
        "return count x in a where x >= 3",
        "return total(a)",
        "return size(a)",
        "return if total(a) > 6 then 1 else 0",
        "return (count x in a where x == 1) * 100 + (count x in a where x == 4)",
        "return total(highest(2, a))",
        "roll b = 1 of d4\n return if total(a) > total(b) + 2 then 1 else 0",
        "return (sum x in a where x != 2 of x * x) + size(a)",
        "return total(a) * 10 + size(a)",
        "return if total(a) > 5 and (count x in a where x >= 3) == 2 then size(a) else -1",
    ];
    let mut bodies = Vec::new();
    for first in steps {
        for second in steps.iter().chain(&[""]) {
            for asked in asked {
                bodies.push(format!("roll a = 2 of d4\n {first}\n {second}\n {asked}"));
            }
        }
    }
    let procs: Vec<String> =
        bodies.iter().enumerate().map(|(n, body)| format!("proc f{n}() -> Int {{ {body} }}")).collect();
    let lab = Lab::of(&procs.join("\n\n"));
    for (n, body) in bodies.iter().enumerate() {
        let Some(wanted) = brute(&lab, &format!("f{n}"), 5_000) else { continue };
        let graph = lab.graph(&format!("f{n}"), &[], ExploreOptions::default());
        assert_eq!(as_map(&graph.results()), wanted, "{body}");
    }
}

/// Long chains in which faces of different values explode.
#[test]
fn different_faces_explode() {
    let lab = Lab::of(
        "proc one() -> Int { roll a = 1 of d3\n explode x in a where x >= 2 at most 10\n return total(a) }
         proc two() -> Int { roll a = 2 of d3\n explode x in a where x == 1 or x == 3 at most 4\n return total(a) }",
    );
    for name in ["one", "two"] {
        let graph = lab.graph(name, &[], ExploreOptions::default());
        let found = graph.results();
        assert_eq!(as_map(&found), brute(&lab, name, 50_000).unwrap(), "{name}");
        assert_eq!(graph.states(), found.outcomes.len() + 1, "{name}");
    }
}

/// Nine dice of named faces (Genesys): more successes than failures, and the advantages beside them.
#[test]
fn named_faces_are_added_up() {
    let lab = Lab::of(
        "enum Symbol { Blank, One, Two, Edge, OneEdge, TwoEdges, Top }
         die Ability of Symbol = Blank, One, One, Two, Edge, Edge, OneEdge, TwoEdges
         die Skill of Symbol = Blank, One, One, Two, Two, Edge, OneEdge, OneEdge, OneEdge, TwoEdges, TwoEdges, Top
         die Difficulty of Symbol = Blank, One, Two, Edge, Edge, Edge, TwoEdges, OneEdge
         die Challenge of Symbol = Blank, One, One, Two, Two, Edge, Edge, OneEdge, OneEdge, TwoEdges, TwoEdges, Top
         let wins(s: Symbol): Int = match s { Blank | Edge | TwoEdges => 0; One | OneEdge | Top => 1; Two => 2 }
         let edges(s: Symbol): Int = match s { Edge | OneEdge => 1; TwoEdges => 2; Blank | One | Two | Top => 0 }
         proc passed() -> Flag {
           roll a = 1 of Ability
           roll s = 3 of Skill
           roll d = 3 of Difficulty
           roll c = 2 of Challenge
           return (sum x in a + s of wins(x)) > (sum x in d + c of wins(x))
         }
         proc both() -> Flag {
           roll a = 1 of Ability
           roll s = 3 of Skill
           roll d = 3 of Difficulty
           roll c = 2 of Challenge
           let won = (sum x in a of wins(x)) + (sum x in s of wins(x)) - (sum x in d of wins(x)) - (sum x in c of wins(x))
           let ahead = (sum x in a + s of edges(x)) - (sum x in d + c of edges(x))
           return won > 0 and (ahead > 0 or any x in s where x == Top)
         }",
    );
    let passed = lab.graph("passed", &[], ExploreOptions::default());
    assert_eq!(rendered(&passed.results()), "0: 11959627/21233664, 1: 9274037/21233664");
    let both = lab.graph("both", &[], ExploreOptions::default());
    assert_eq!((passed.states(), both.states()), (3, 3));
    assert!(both.reading().work < 20_000, "{}", both.reading().work);
}

/// Forty dice rerolled and exploded, in either order.
#[test]
fn forty_dice_fall_again_in_either_order() {
    for steps in [
        "reroll x in a where x == 1\n explode x in a where x == 6",
        "explode x in a where x == 6\n reroll x in a where x == 1",
    ] {
        let lab =
            Lab::of(&format!("proc f() -> Int {{ roll a = 40 of d6\n {steps}\n return count x in a where x >= 4 }}"));
        let graph = lab.graph("f", &[], ExploreOptions::default());
        let (states, work) = (graph.states(), graph.reading().work);
        assert!(states <= 4042 && work < 210_000, "{states} {work}");
        assert_eq!((graph.limit(), graph.results().label), (None, Label::Exact), "{steps}");
    }
}

/// What a sweep does not answer is named, with the code that prevents it.
#[test]
fn code_that_distinguishes_dice_is_named() {
    let lab = Lab::of(
        "proc list() -> list of Int { roll a = 8 of d20\n return a }
         proc chosen() -> Int { roll a = 8 of d20\n choose 2 of keep in a\n return total(keep) }
         proc spread() -> Int { roll a = 8 of d20\n return total(a - [3, 4]) }
         proc swept() -> Int { roll a = 8 of d20\n return total(a) * 10 + count x in a where x > 3 }",
    );
    let reason = |name: &str| {
        let budget = Budget { states: 100, ..Budget::default() };
        let graph = lab.graph(name, &[], ExploreOptions { budget, ..ExploreOptions::default() });
        graph.many_branches().map(|many| many.reason)
    };
    assert_eq!(reason("spread"), Some("uses an operator that requires each face"));
    assert_eq!(reason("chosen"), Some("lets a player see the dice"));
    assert_eq!((reason("list"), reason("swept")), (None, None));
}
