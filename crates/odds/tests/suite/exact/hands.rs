//! Hands and chains of dice, against closed forms and against every fall of the dice.

use grognard_base::value::Fraction;
use grognard_kit::{All, Lab, rendered};
use grognard_odds::*;

/// The best score of five dice of which any may be kept, thrown again once: by every hand and every part of it.
#[test]
fn a_hand_under_best() {
    const SIDES: i64 = 3;
    let lab = Lab::of(
        "let same(hand: list of Int): Flag = any p in 1 .. 3 where (count x in hand where x == p) == 4
        let score(hand: list of Int): Int = if same(hand) then 50 else total(hand)
        let worth(x: Int): Int = x
        proc turn() -> Int {
          roll hand = 4 of d3
          choose 0 .. 4 of kept in hand
          roll more = (4 - size(kept)) of d3
          return score(kept + more)
        }",
    );
    let score = |hand: &[i64]| if hand.iter().all(|x| *x == hand[0]) { 50 } else { hand.iter().sum::<i64>() };
    let falls =
        |n: u32| (0..SIDES.pow(n)).map(move |k| (0..n).map(|i| k / SIDES.pow(i) % SIDES + 1).collect::<Vec<_>>());
    let mut sum = Fraction::zero();
    for hand in falls(4) {
        let best = (0..16u32).map(|set| {
            let kept: Vec<i64> = (0..4).filter(|n| set >> n & 1 == 1).map(|n| hand[n]).collect();
            let again = 4 - kept.len() as u32;
            let all: i64 = falls(again).map(|more| score(&[kept.clone(), more].concat())).sum();
            Fraction::new(all.into(), (SIDES.pow(again) as u64).into())
        });
        sum += &best.max().unwrap();
    }
    let worth = Query { func: lab.func("worth"), args: Args::Result };
    let mut graph = lab.graph_by("turn", &[], &mut All(Choice::Best(None)), ExploreOptions::default());
    graph.optimise(Target::Value(worth), None).unwrap();
    assert_eq!(graph.results().mean(), Some(&sum / &Fraction::whole(81)));
}

/// Ten thousand dice at once: their sum, a count and the best of them, each against a closed form.
#[test]
fn ten_thousand_dice() {
    let lab = Lab::of(
        "proc fit() -> Int { roll p = 2000 of d6\n return count p >= 5 }\n\n\
         proc best() -> Int { roll p = 2000 of d6\n return total(highest(3, p)) }\n\n\
         proc joined() -> Int { roll p = 8 of d6\n roll q = 8 of d6\n return total(p + q) }\n\n\
         proc sum() -> Int { roll p = 16 of d6\n return total(p) }",
    );
    let power = |n: u32, k: u32| num_bigint::BigUint::from(n).pow(k);
    let none = lab.graph("fit", &[], ExploreOptions::default()).results().chance(|c| c == [0]);
    assert_eq!(none, Fraction::of(power(2, 2000), power(3, 2000)));
    let ones = lab.graph("best", &[], ExploreOptions::default()).results().chance(|c| c == [3]);
    assert_eq!(ones, Fraction::of(power(1, 1), power(6, 2000)));
    let graph = lab.graph("joined", &[], ExploreOptions::default());
    assert!(graph.states() < 100, "{}", graph.states());
    assert_eq!(rendered(&graph.results()), lab.odds("sum", &[]));
}

/// A roll or a sum that is only compared is not told apart any further: each comparison, either side of it, in a value and
/// in a condition, against every fall of the dice.
#[test]
fn what_is_only_compared() {
    let mut text = String::new();
    let mut names = Vec::new();
    let rolls = "roll x = d3\n roll y = 2d2\n roll p = 2 of d2\n roll q = 2 of d3";
    for (n, op) in ["<", "<=", ">", ">=", "==", "!="].iter().enumerate() {
        let pairs = ["x", "y", "total(p)", "total(q)", "4", "x + 1"].map(|side| side.to_string());
        for (a, left) in pairs.iter().enumerate() {
            for (b, right) in pairs.iter().enumerate().filter(|(b, _)| *b != a) {
                for (form, last) in [
                    ("value", format!("return if {left} {op} {right} then 1 else 0")),
                    ("flag", format!("let held = {left} {op} {right}\n if held {{ return 7 }}\n return 3")),
                    // what is read afterwards is told apart
                    ("read", format!("if {left} {op} {right} {{ return x }}\n return 9")),
                ] {
                    names.push(format!("{form}_{n}_{a}_{b}"));
                    text += &format!("proc {form}_{n}_{a}_{b}() -> Int {{ {rolls}\n {last} }}\n");
                }
            }
        }
    }
    let lab = Lab::of(&text);
    for name in &names {
        let wanted = super::brute::brute_with(&lab, name, &[], 1 << 20).unwrap();
        let found = lab.graph(name, &[], ExploreOptions::default()).results();
        assert_eq!(super::random::as_map(&found), wanted, "{name}");
    }
    assert_eq!(names.len(), 540);
}

/// Two large dice, and two large sums: either is as likely to be the greater one.
#[test]
fn large_numbers_are_compared() {
    let lab = Lab::of(
        "proc dice() -> Flag { roll x = d10000\n roll y = d10000\n return x > y }
         proc more() -> Flag { roll p = 50 of d1000\n roll q = 50 of d1000\n return total(p) > total(q) }
         proc same() -> Flag { roll p = 50 of d1000\n roll q = 50 of d1000\n return total(p) == total(q) }
         proc three() -> Flag { roll x = 3d100\n roll y = 2d150\n return x >= y }",
    );
    let chance = |name| {
        let found = lab.graph(name, &[], ExploreOptions::default()).results();
        assert_eq!(found.label, Label::Exact, "{name}");
        found.chance(|cells| cells[0] == 1)
    };
    assert_eq!(chance("dice").to_string(), "9999/20000");
    let (more, same) = (chance("more"), chance("same"));
    assert_eq!(&(&more + &more) + &same, Fraction::one());
    // counted one sum after the other
    let ways = |dice: usize, sides: usize| {
        let mut sums = vec![1u64];
        for _ in 0..dice {
            let mut next = vec![0; sums.len() + sides];
            sums.iter().enumerate().for_each(|(n, w)| (1..=sides).for_each(|face| next[n + face] += w));
            sums = next;
        }
        sums
    };
    let (x, y) = (ways(3, 100), ways(2, 150));
    let held: u64 = x.iter().enumerate().map(|(n, w)| w * y.iter().take(n + 1).sum::<u64>()).sum();
    let wanted = Fraction::of(held.into(), (100u64.pow(3) * 150u64.pow(2)).into());
    assert_eq!(chance("three"), wanted);
}

/// A die that falls on top of others is of the kind of the one that exploded, whatever becomes of it; worked out by hand.
#[test]
fn unlike_dice_explode_into_their_own_kind() {
    let lab = Lab::of(
        "proc twice() -> Int { roll p = [d2, d1]\n explode x in p where x == 2 at most 2\n return total(p) }
         proc swapped() -> Int { roll p = [d1, d2]\n explode x in p where x == 2 at most 2\n return total(p) }
         proc then_all() -> Int {
           roll p = [d2, d3, d1]
           explode x in p where x == 2 at most 1
           reroll p
           return size(p) * 100 + total(p)
         }
         proc then_some() -> Int {
           roll p = [d2, d3]\n explode x in p where x == 2 at most 1\n reroll x in p where x == 1\n return total(p)
         }",
    );
    for name in ["twice", "swapped"] {
        assert_eq!(lab.odds(name, &[]), "2: 1/2, 4: 1/4, 6: 1/8, 7: 1/8", "{name}");
    }
    // two 2s bring a d2 and a d3: 2 + 3 + 1 + 2 + 3 at most
    let all = lab.graph("then_all", &[], ExploreOptions::default()).results();
    let most =
        all.outcomes.iter().filter_map(|o| if let Worth::Cells(cells) = &o.worth { cells.first() } else { None });
    assert_eq!(most.max(), Some(&511));
    let some = lab.graph("then_some", &[], ExploreOptions::default()).results();
    let chance = |total: i64| some.chance(|cells| cells == [total]).to_string();
    assert_eq!([chance(7), chance(10)], ["17/72", "0"]);
}

/// A loop that goes through a list in an order leaves the list as it was.
#[test]
fn an_order_is_that_of_its_loop_alone() {
    let lab = Lab::of(
        "proc first() -> Int {
           roll a = [d2, d6]
           var seen : Int = 0
           each x in a ordered by 0 - x { set seen += x }
           return nth(1, a) otherwise 0
         }
         proc again() -> Int {
           roll a = [d2, d6]
           var seen : Int = 0
           each x in a ordered by x { set seen += x }
           reroll x in a where x <= 2
           return total(a)
         }
         proc known() -> Int {
           let xs = [3, 1, 2]
           var told : Int = 0
           each i in xs ordered by i { set told = told * 10 + i }
           each i in xs { set told = told * 10 + i }
           return told
         }
         proc changing() -> Int {
           var xs : list of Int = [3, 1, 2]
           var told : Int = 0
           each i in xs ordered by i { set told = told * 10 + i }
           each i in xs { set told = told * 10 + i }
           return told
         }",
    );
    assert_eq!(lab.odds("first", &[]), "1: 1/2, 2: 1/2");
    assert_eq!([lab.odds("known", &[]), lab.odds("changing", &[])], ["123312: 1", "123312: 1"]);
    let again = lab.graph("again", &[], ExploreOptions::default()).results();
    let chance = |total: i64| again.chance(|cells| cells == [total]).to_string();
    assert_eq!([chance(8), chance(9), chance(12)], ["1/9", "0", "0"]);
}

/// Ways that do not fit into the memory are not made: they count as not explored.
#[test]
fn ways_take_memory() {
    let lab = Lab::of("proc faces() -> Int { roll p = 6 of d12\n return total(p - [3, 4]) }");
    let within = |bytes| {
        let budget = Budget { bytes, ..Budget::default() };
        lab.graph("faces", &[], ExploreOptions { budget, ..ExploreOptions::default() })
    };
    // 12376 hands of six dice, each of some hundred bytes while they are followed
    let (little, much) = (within(1 << 20), within(64 << 20));
    assert_eq!((little.limit(), little.results().unexplored()), (Some(Limit::Memory), Fraction::one()));
    assert_eq!((much.limit(), much.results().label), (None, Label::Exact));
    // a die with many faces at one place of a pool: each face is a way
    let lab = Lab::of("proc first() -> Int { roll p = 4 of d1000000\n return nth(1, p) otherwise 0 }");
    let budget = Budget { bytes: 64 << 20, ..Budget::default() };
    let graph = lab.graph("first", &[], ExploreOptions { budget, ..ExploreOptions::default() });
    assert_eq!((graph.limit(), graph.results().unexplored()), (Some(Limit::Memory), Fraction::one()));
}

/// Five dice, three throws, any kept: the best line of play for sixes, and for three and two alike, against what each hand
/// is worth counted back from the last throw.
#[test]
fn five_dice_are_thrown_three_times() {
    let lab = Lab::of(
        "proc sixes() -> Int {
           roll a = 5 of d6\n choose 0 .. 5 of first in a
           roll b = (5 - size(first)) of d6\n choose 0 .. 5 of second in first + b
           roll c = (5 - size(second)) of d6
           let last = second + c
           return 6 * (count last == 6)
         }
         proc house() -> Int {
           roll a = 5 of d6\n choose 0 .. 5 of first in a
           roll b = (5 - size(first)) of d6\n choose 0 .. 5 of second in first + b
           roll c = (5 - size(second)) of d6
           let last = second + c
           return if distinct(last) == 2 and (count last == (median(last))) == 3 then 25 else 0
         }
         let worth(x: Int): Int = x",
    );
    let sixes = |hand: [usize; 6]| 6 * hand[5] as u64;
    let house = |hand: [usize; 6]| if hand.contains(&3) && hand.contains(&2) { 25 } else { 0 };
    for (name, score) in [("sixes", &sixes as &dyn Fn([usize; 6]) -> u64), ("house", &house)] {
        let mut graph = lab.graph_by(name, &[], &mut All(Choice::Best(None)), ExploreOptions::default());
        graph.optimise(Target::Value(Query { func: lab.func("worth"), args: Args::Result }), None).unwrap();
        assert_eq!(graph.results().mean(), Some(best_of_throws(score)), "{name}");
        // 252 hands at each choice and 462 parts of a hand after it, whichever hand they were part of
        assert!(graph.states() <= 2 * (252 + 462) + 10, "{name}: {}", graph.states());
        assert!(graph.edges() < 40_000, "{name}: {}", graph.edges());
    }
}

/// What a hand of five dice, counted by their faces, is worth after three throws of which any dice are kept.
fn best_of_throws(score: &dyn Fn([usize; 6]) -> u64) -> Fraction {
    type Hand = [usize; 6];
    fn hands(dice: usize) -> Vec<Hand> {
        (0..6usize.pow(dice as u32))
            .fold(std::collections::BTreeSet::new(), |mut all, n| {
                let mut hand = [0; 6];
                (0..dice).for_each(|at| hand[n / 6usize.pow(at as u32) % 6] += 1);
                all.insert(hand);
                all
            })
            .into_iter()
            .collect()
    }
    let mut worth: std::collections::BTreeMap<Hand, Fraction> =
        hands(5).into_iter().map(|hand| (hand, Fraction::whole(score(hand) as i64))).collect();
    let kept: Vec<Hand> = (0..=5).rev().flat_map(hands).collect();
    for throw in 0..3 {
        // of dice that are kept: the mean of one more die
        let mut of_kept = worth.clone();
        for hand in kept.iter().filter(|hand| hand.iter().sum::<usize>() < 5) {
            let mut sum = Fraction::zero();
            for face in 0..6 {
                let mut more = *hand;
                more[face] += 1;
                sum += &of_kept[&more];
            }
            of_kept.insert(*hand, &sum / &Fraction::whole(6));
        }
        if throw == 2 {
            return of_kept[&[0; 6]].clone();
        }
        let fits = |part: &Hand, hand: &Hand| part.iter().zip(hand).all(|(a, b)| a <= b);
        worth = hands(5)
            .into_iter()
            .map(|hand| {
                (hand, kept.iter().filter(|part| fits(part, &hand)).map(|part| &of_kept[part]).max().unwrap().clone())
            })
            .collect();
    }
    unreachable!()
}

/// A die with those that it brings in is one chain, and chains add up: convolution of their distributions, by hand.
#[test]
fn dice_that_explode_are_chains() {
    type Odds = std::collections::BTreeMap<i64, Fraction>;
    fn chain(sides: i64, rounds: usize, again: &dyn Fn(i64) -> bool, worth: &dyn Fn(i64) -> i64) -> Odds {
        let mut odds = Odds::new();
        let mut open = Odds::from([(0, Fraction::one())]);
        for round in 0..=rounds {
            let mut next = Odds::new();
            for (sum, share) in &open {
                for face in 1..=sides {
                    let to = if again(face) && round < rounds { &mut next } else { &mut odds };
                    *to.entry(sum + worth(face)).or_insert(Fraction::zero()) += &(share / &Fraction::whole(sides));
                }
            }
            open = next;
        }
        odds
    }
    let known = |dice: usize, one: &Odds| {
        let mut all = Odds::from([(0, Fraction::one())]);
        for _ in 0..dice {
            let mut next = Odds::new();
            for (a, p) in &all {
                one.iter().for_each(|(b, q)| *next.entry(a + b).or_insert(Fraction::zero()) += &(p * q));
            }
            all = next;
        }
        all.iter().map(|(value, share)| format!("{value}: {share}")).collect::<Vec<String>>().join(", ")
    };
    let asked = |dice: usize, sides: i64, explodes: &str, rounds: usize, ask: &str| {
        let what = format!("explode x in a where {explodes} at most {rounds}");
        Lab::of(&format!("proc p(k: Int) -> Int {{ roll a = {dice} of d{sides}\n {what}\n return {ask} }}"))
    };
    type Face<'a> = &'a dyn Fn(i64) -> bool;
    let cases: &[(usize, i64, &str, Face, usize, &str, Face)] = &[
        (3, 6, "x == 6", &|x| x == 6, 3, "count a >= 5", &|x| x >= 5),
        (4, 6, "x >= 5", &|x| x >= 5, 4, "count a >= 4", &|x| x >= 4),
        (2, 6, "x == 3", &|x| x == 3, 5, "count a == 2", &|x| x == 2),
        (3, 6, "x != 3", &|x| x != 3, 3, "count a == 3", &|x| x == 3),
        (3, 8, "x >= k and x < 6", &|x| (3..6).contains(&x), 3, "count a >= 5", &|x| x >= 5),
        (3, 6, "x == 2 or x == 5", &|x| x == 2 || x == 5, 3, "count a >= 4", &|x| x >= 4),
        (5, 10, "x == 10", &|x| x == 10, 40, "count a >= 8", &|x| x >= 8),
    ];
    for (dice, sides, explodes, again, rounds, ask, counts) in cases {
        let one = chain(*sides, *rounds, again, &|face| i64::from(counts(face)));
        let lab = asked(*dice, *sides, explodes, *rounds, ask);
        assert_eq!(lab.odds("p", &[3]), known(*dice, &one), "{explodes}: {ask}");
        let one = chain(*sides, *rounds, again, &|face| face);
        let lab = asked(*dice, *sides, explodes, *rounds, "total(a)");
        assert_eq!(lab.odds("p", &[3]), known(*dice, &one), "{explodes}");
    }
    // whoever asks for both sees the same dice, and the order of dice is that in which they fell
    let lab = asked(2, 4, "x == 4", 2, "total(a) * 10 + size(a)");
    assert!(lab.odds("p", &[0]).starts_with("22: 1/16, 32: 1/8, 42: 3/16, 52: 1/8, 62: 1/16, 63: 1/32"));
    let lab = asked(1, 6, "x == 6", 2, "nth(2, a) otherwise 0");
    assert!(lab.odds("p", &[0]).starts_with("0: 5/6, 1: 1/36"));
    // more rounds are no more positions
    let states =
        |rounds| asked(4, 6, "x == 6", rounds, "count a >= 5").graph("p", &[0], ExploreOptions::default()).states();
    assert!(states(60) < 400, "{}", states(60));
}
