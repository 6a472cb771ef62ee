//! Answers that are known by hand.

use grognard_base::value::{Fraction, Type};
use grognard_kit::{All, Lab, rendered};
use grognard_odds::*;
use grognard_vm::{Answer, Asked, Fault};

#[test]
fn one_die() {
    let lab = Lab::of("proc one() -> Int { roll x = d6\n return x * x }");
    assert_eq!(lab.odds("one", &[]), "1: 1/6, 4: 1/6, 9: 1/6, 16: 1/6, 25: 1/6, 36: 1/6");
}

/// The chance of k distinct faces among n dice of s sides: s falling k, times the Stirling number of n and k, of s to the power of n.
#[test]
fn distinct_faces_of_percentile_dice() {
    let (dice, sides) = (9usize, 100u128);
    let mut stirling = vec![0u128; dice + 1];
    stirling[0] = 1;
    for _ in 0..dice {
        for k in (1..=dice).rev() {
            stirling[k] = k as u128 * stirling[k] + stirling[k - 1];
        }
        stirling[0] = 0;
    }
    let lab = Lab::of("proc seen() -> Int { roll a = 9 of d100\n return distinct(a) }");
    let graph = lab.graph("seen", &[], ExploreOptions::default());
    assert!(graph.states() < 50, "{}", graph.states());
    let found = graph.results();
    for (k, ways) in stirling.iter().enumerate().skip(1) {
        let falling: u128 = (0..k as u128).map(|n| sides - n).product();
        let wanted = Fraction::of((ways * falling).into(), sides.pow(dice as u32).into());
        assert_eq!(found.chance(|cells| cells == [k as i64]), wanted, "{k}");
    }
}

#[test]
fn a_face_outside_of_a_range_is_an_error_of_its_own() {
    let rules = "table need(skill: 2..6): Int {\n | 2 | 6 |\n | 3 to 6 | 4 |\n}
                 let needed(skill: 2..6): Int = need(skill)
                 proc ask() -> Int { roll x = d6\n return needed(x) }
                 proc sum() -> 2..9 { roll x = 2d6\n return x }";
    let lab = Lab::of(rules);
    assert_eq!(
        lab.odds("ask", &[]),
        "OutOfBounds 1 is not within 2..6, the range of `skill` of `needed`: 1/6, 4: 2/3, 6: 1/6"
    );
    // whoever asks for an entry past the last row gets none of another table
    assert_eq!(lab.odds("need", &[3]), "4: 1");
    assert_eq!(lab.odds("need", &[7]), "Gap no case fits this value: 1");
    let beyond: usize = lab.graph("sum", &[], ExploreOptions::default()).faults().len();
    assert_eq!(beyond, 3);
    assert_eq!(lab.graph("sum", &[], ExploreOptions::default()).results().chance(|c| c == [9]).to_string(), "1/9");
}

/// How many dice are kept is never taken for none where it is negative, whether or not the dice were looked at.
#[test]
fn fewer_than_no_dice_are_an_error() {
    let body = |what: &str| format!("proc p(k: Int) -> Int {{ roll a = 3 of d6\n roll b = 2 of d6\n {what} }}");
    for what in [
        "return total(highest(k, a))",
        "return total(lowest(k, a))",
        "return size(highest(k, a))",
        "let best = lowest(k, a)\n return total(best)",
        "return count x in highest(k, a) against y in highest(2, b) where x > y",
        "return count x in highest(2, a) against y in lowest(k, b) where x > y",
        "return total(highest(k, a)) + total(a)",
    ] {
        let lab = Lab::of(&body(what));
        for k in [&[-3], &[-1]] {
            let rendered = lab.odds("p", k);
            assert!(
                rendered.starts_with("OutOfBounds the count of") && rendered.ends_with(": 1"),
                "{what}: {rendered}"
            );
        }
        assert!(!lab.odds("p", &[0]).contains("OutOfBounds"), "{what}");
    }
    let lab = Lab::of("proc p() -> Int { roll k = d6\n roll a = 2 of d6\n return total(highest(k - 3, a)) }");
    let rendered = lab.odds("p", &[]);
    assert!(
        rendered.contains("is -1, but cannot be negative: 1/6")
            && rendered.contains("is -2, but cannot be negative: 1/6"),
        "{rendered}"
    );
}

#[test]
fn errors_at_one_place_are_one_outcome() {
    let lab = Lab::of("proc sum() -> 2..9 { roll x = 2d6\n return x }");
    let found = lab.graph("sum", &[], ExploreOptions::default()).results().in_order(&grognard_base::value::Type::INT);
    let faults: Vec<_> = found.outcomes.iter().filter(|o| matches!(o.worth, grognard_odds::Worth::Fault(_))).collect();
    assert_eq!(faults.len(), 1);
    assert_eq!(found.share(faults[0]).to_string(), "1/6");
    let grognard_odds::Worth::Fault(fault) = &faults[0].worth else { panic!("{faults:?}") };
    assert!(fault.message.ends_with("; 2 more like it"), "{}", fault.message);
}

#[test]
fn a_pool_is_looked_at() {
    let lab = Lab::of("proc any2(n: Int) -> Flag { roll dice = n of d6\n return any dice <= 2 }");
    let graph = lab.graph("any2", &[10], ExploreOptions::default());
    assert_eq!(graph.results().chance(|c| c == [1]).to_string(), "58025/59049");
    assert!(graph.states() < 8, "{}", graph.states());
}

#[test]
fn the_highest_of_a_pool() {
    let lab = Lab::of("proc best() -> Int { roll dice = 10 of d6\n return total(highest(3, dice)) }");
    let found = lab.graph("best", &[], ExploreOptions::default()).results();
    assert_eq!(found.chance(|c| c == [18]).to_string(), "566299/2519424");
    assert_eq!(found.chance(|c| c == [3]).to_string(), "1/60466176");
    assert_eq!(found.outcomes.len(), 16);
}

#[test]
fn the_sum_of_many_dice() {
    let lab = Lab::of("proc sum() -> Int { roll dice = 100 of d6\n return total(dice) }");
    let found = lab.graph("sum", &[], ExploreOptions::default()).results();
    assert_eq!(found.outcomes.len(), 501);
    assert_eq!(found.mean(), Some(Fraction::whole(350)));
    assert_eq!(found.variance().unwrap().to_string(), "875/3");
    assert_eq!(found.chance(|c| c == [100]).to_string().len(), 80);
}

#[test]
fn until_a_six_shows() {
    let lab =
        Lab::of("proc hunt() -> Int { var x : Int = 0\n repeat { roll y = d6\n set x = y } while x < 5\n return x }");
    let graph = lab.graph("hunt", &[], ExploreOptions::default());
    assert_eq!(rendered(&graph.results()), "5: 1/2, 6: 1/2");
}

#[test]
fn a_test_of_a_thing() {
    let lab = Lab::of(
        "kind Unit { stat ld : 0..6 = 2; stat nv : 0..6 = 3 }
         test Steady(u: Unit, most: Int) { roll dice = u.nv of d6\n let good = count dice <= u.ld\n pass when good >= most }",
    );
    // the thing is its number; of the result only whether it passed is asked for
    let func = lab.func("Steady");
    let width = lab.game.program.funcs[func.at()].result as usize;
    let Type::Record(record) = &lab.game.program.functions[func.at()].result else { panic!() };
    let rules = &lab.game.program.schema;
    let fields = &rules.records[record.at()].fields;
    let passed = fields.iter().position(|(name, _)| name == "passed").unwrap();
    let at: usize = fields[..passed].iter().map(|(_, ty)| rules.width(ty)).sum();
    let keep: Vec<bool> = (0..width).map(|n| n == at).collect();
    let task = Task::Call { func, args: &[0, 2], keep: Some(&keep) };
    let graph = explore(&lab.game, &lab.game.start, task, &mut Prefer, ExploreOptions::default());
    assert_eq!(graph.results().chance(|cells| cells[at] == 1).to_string(), "7/27");
}

#[test]
fn craps() {
    let lab = Lab::of(
        "proc pass_line() -> Flag {
           roll first = 2d6
           if first == 7 or first == 11 { return yes }
           if first == 2 or first == 3 or first == 12 { return no }
           var last : Int = 0
           repeat { roll again = 2d6\n set last = again } while last != first and last != 7
           return last == first
         }",
    );
    assert_eq!(lab.odds("pass_line", &[]), "0: 251/495, 1: 244/495");
}

#[test]
fn three_dice_attack_two() {
    // J. A. Osborne, "Markov chains for the RISK board game revisited", Mathematics Magazine 76 (2003), table 2
    let lab = Lab::of(
        "proc armies_lost() -> Int {
           roll attack = 3 of d6
           roll defence = 2 of d6
           let a = highest(2, attack)
           let d = highest(2, defence)
           let first  = if (nth(1, a) otherwise 0) > (nth(1, d) otherwise 0) then 1 else 0
           let second = if (nth(2, a) otherwise 0) > (nth(2, d) otherwise 0) then 1 else 0
           return first + second
         }",
    );
    let found = lab.graph("armies_lost", &[], ExploreOptions::default()).results();
    let of_7776 = |n: i64| &Fraction::whole(n) / &Fraction::whole(7776);
    for (lost, ways) in [(0, 2275), (1, 2611), (2, 2890)] {
        assert_eq!(found.chance(|c| c == [lost]), of_7776(ways), "{lost}");
    }
}

/// The most points that a turn of Pig brings in the mean, if it may not go past a limit: by hand, from the limit down.
fn pig(held: i64, limit: i64) -> Fraction {
    let hold = Fraction::whole(held);
    if held >= limit {
        return hold;
    }
    let mut roll = Fraction::zero();
    (2..=6).for_each(|face| roll += &(&pig(held + face, limit) / &Fraction::whole(6)));
    roll.max(hold)
}

#[test]
fn a_turn_of_pig() {
    let lab = Lab::of(
        "proc turn() -> Int {
           var held : Int  = 0
           var over : Flag = no
           repeat {
             var goes : Flag = no
             may again { set goes = yes }
             if goes {
               roll die = d6
               if die == 1 { set held = 0 } else { set held += die }
               set over = die == 1 or held >= 26
             } else {
               set over = yes
             }
           } while not over
           return held
         }
         proc itself(n: Int) -> Int { return n }",
    );
    let mut graph = lab.graph_by("turn", &[], &mut All(Choice::Best(None)), ExploreOptions::default());
    let own = Query { func: lab.func("itself"), args: Args::Result };
    graph.optimise(Target::Value(own), None).unwrap();
    // who holds from 20 on never sees the limit
    assert_eq!(graph.results().mean(), Some(pig(0, 26)));
    let rows = graph.policy(Target::Value(own)).unwrap();
    assert!(rows.len() > 20);
    for row in rows {
        let held = row.variables.iter().map(|v| v.2[0]).max().unwrap();
        // at 20 points it is all the same, and the first entry is taken
        assert_eq!((row.menu[row.taken] == "no", row.ties.len() == 2), (held > 20, held == 20), "{held}");
    }
}

/// The first to throw wants the most, the second the least.
struct Sides;

impl Deciders for Sides {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault> {
        let first = asked.game.program.schema.sites[asked.ask.site.at()].name == "first";
        Ok(if first { Choice::Best(None) } else { Choice::Worst(None) })
    }
}

/// Pig for two to `goal` points with a die of four faces: whether the first to throw wins.
fn pig_for_two() -> Lab {
    Lab::of(
        "proc game(goal: Int) -> Int {
           var mine : Int = 0
           var yours : Int = 0
           var turn : Int = 0
           repeat {
             var held : Int = 0
             var over : Flag = no
             repeat {
               var goes : Flag = no
               if turn == 0 { may first { set goes = yes } } else { may second { set goes = yes } }
               if goes {
                 roll die = d4
                 if die == 1 { set held = 0 } else { set held += die }
                 set over = die == 1 or mine + held >= goal
               } else {
                 set over = yes
               }
             } while not over
             let score = mine + held
             set mine = yours
             set yours = score
             set turn = 1 - turn
           } while yours < goal
           return turn
         }
         proc itself(n: Int) -> Int { return n }",
    )
}

/// Under the best play it is worth the same by fractions and by bounds.
#[test]
fn the_best_play_is_enclosed() {
    let lab = pig_for_two();
    let own = Query { func: lab.func("itself"), args: Args::Result };
    let play = |precision| {
        let options = ExploreOptions { precision, ..ExploreOptions::default() };
        let mut graph = lab.graph_by("game", &[14], &mut Sides, options);
        graph.optimise(Target::Value(own), None).unwrap();
        (graph.enclosure().cloned(), graph.results())
    };
    let (none, exact) = play(Precision::Fractions);
    let (bounds, rounded) = play(Precision::Quick);
    let (bounds, mean) = (bounds.unwrap(), exact.mean().unwrap());
    assert!(none.is_none() && exact.label == Label::Exact && rounded.label == Label::Proven);
    let (low, high) = (bounds.low(), bounds.high());
    assert!(low <= mean && mean <= high, "{mean} {low} {high}");
    let narrow = |low: &Fraction, high: &Fraction| high - low < "1/1000000000".parse::<Fraction>().unwrap();
    assert!(narrow(&low, &high), "{low} {high}");
    let [least, most] = rounded.chance_between(|c| c == [1]);
    assert!(least <= mean && mean <= most && narrow(&least, &most));
}

/// Whatever ends the exploration, and whatever going on for ever is worth, the bounds hold what the best play is worth.
#[test]
fn part_of_the_positions_bounds_the_best_play() {
    let lab = pig_for_two();
    let own = Query { func: lab.func("itself"), args: Args::Result };
    let play = |budget: Budget, never: &str| {
        let options = ExploreOptions { budget, never: never.parse().unwrap(), ..ExploreOptions::default() };
        let mut graph = lab.graph_by("game", &[4], &mut Sides, options);
        graph.optimise(Target::Value(own), Some((Fraction::zero(), Fraction::one()))).unwrap();
        let bounds = graph.enclosure().map(|found| (found.low(), found.high()));
        (bounds, graph.results().mean(), graph.cut_short())
    };
    let mut cut = 0;
    for never in ["0", "1/2", "1"] {
        let (none, Some(worth), false) = play(Budget::default(), never) else { panic!() };
        assert!(none.is_none());
        let mut widths = Vec::new();
        let few = [1, 3, 10, 30, 100, 300].map(|states| Budget { states, ..Budget::default() });
        let little = [40, 400, 4000].map(|work| Budget { work, ..Budget::default() });
        for budget in few.into_iter().chain(little) {
            let (bounds, _, short) = play(budget.clone(), never);
            assert_eq!(bounds.is_some(), short, "{budget:?}");
            let Some((low, high)) = bounds else { continue };
            assert!(low <= worth && worth <= high && low < high, "{never}, {budget:?}: {low} {worth} {high}");
            widths.push(&high - &low);
            cut += 1;
        }
        assert!(widths.iter().min() < widths.iter().max());
    }
    assert!(cut > 10, "{cut}");
}

/// The gambler's ruin: with k of n coins and chances p and q = 1 - p of a coin more or less all n come with
/// (1 - (q/p)^k) / (1 - (q/p)^n).
#[test]
fn a_gambler_with_unequal_chances() {
    let lab = Lab::of(
        "proc ruin(k: Int, n: Int, wins: Int) -> Flag {
           var coins : Int = k
           repeat { roll luck = d20\n if luck <= wins { set coins += 1 } else { set coins -= 1 } } while coins > 0 and coins < n
           return coins == n
         }",
    );
    const CASES: [[i64; 3]; 5] = [[1, 2, 3], [3, 10, 9], [7, 12, 11], [20, 40, 13], [5, 9, 1]];
    for case in &CASES {
        let [k, n, wins] = *case;
        let ratio = Fraction::new((20 - wins).into(), (wins as u32).into());
        let power = |n: i64| (0..n).fold(Fraction::one(), |power, _| &power * &ratio);
        let wanted = &(&Fraction::one() - &power(k)) / &(&Fraction::one() - &power(n));
        let found = lab.graph("ruin", case, ExploreOptions::default()).results();
        assert_eq!((found.chance(|c| c == [1]), found.label), (wanted, Label::Exact), "{k} of {n}");
    }
}

/// The best dice of a pool of unlike ones are work too: a little budget ends it, a larger one does not.
#[test]
fn unlike_dice_are_work() {
    let lab = Lab::of(
        "proc mixed() -> Int { roll p = 5 of d12\n roll q = 5 of d10\n roll r = 5 of d8\n return total(highest(4, p + q + r)) }",
    );
    let play = |work| {
        let budget = Budget { work, ..Budget::default() };
        lab.graph("mixed", &[], ExploreOptions { budget, ..ExploreOptions::default() }).limit()
    };
    assert_eq!((play(1000), play(Budget::default().work)), (Some(Limit::Work), None));
}

/// Shots that missed with a 1 are rolled again: the same as a second roll of those, and no more work; each hits with 7/12.
#[test]
fn a_pool_is_counted_though_dice_fall_again() {
    let lab = Lab::of(
        "proc shots(n: Int) -> Int { roll aim = n of d6\n reroll x in aim where x == 1\n return count aim >= 4 }\n\n\
         proc first() -> Int { roll x = 3 of d6\n explode p in x where p == 6 at most 1\n return nth(1, x) otherwise 0 }\n\n\
         proc kept() -> Int { roll p = 2 of d3\n let old = p\n reroll x in p where x > 1\n return total(old) * 10 + total(p) }",
    );
    let graph = lab.graph("shots", &[40], ExploreOptions::default());
    assert!(graph.states() <= 50, "{}", graph.states());
    let hits = graph.results();
    let all: num_bigint::BigUint = num_bigint::BigUint::from(7u32).pow(40);
    assert_eq!(hits.chance(|c| c == [40]), Fraction::of(all, num_bigint::BigUint::from(12u32).pow(40)));
    assert_eq!(lab.odds("first", &[]), "1: 1/6, 2: 1/6, 3: 1/6, 4: 1/6, 5: 1/6, 6: 1/6");
    assert_eq!(
        lab.graph("kept", &[], ExploreOptions::default()).results().chance(|c| c == [22]),
        "1/9".parse().unwrap()
    );
}

/// Of a sum no die is known by itself: all of them are thrown again, and sums of one die are no other.
#[test]
fn a_sum_is_thrown_again_whole() {
    let lab = Lab::of(
        "proc again() -> Int { roll n = 2d3\n reroll n\n return n }
         proc low() -> Int { roll n = 2d6\n if n < 7 { reroll n }\n return n }
         proc held() -> Int { roll n = 2d2\n let old = n\n reroll n\n return old * 10 + n }",
    );
    assert_eq!(lab.odds("again", &[]), "2: 1/9, 3: 2/9, 4: 1/3, 5: 2/9, 6: 1/9");
    // ways of 36 for a first sum under 7: 15, and each sum comes again with its own ways
    let found = lab.graph("low", &[], ExploreOptions::default()).results();
    for n in 2..=12u32 {
        let ways = 6 - n.abs_diff(7);
        let wanted = Fraction::new((ways * 15 + if n < 7 { 0 } else { ways * 36 }).into(), 1296u32.into());
        assert_eq!(found.chance(|c| c == [i64::from(n)]), wanted, "{n}");
    }
    assert_eq!(
        lab.graph("held", &[], ExploreOptions::default()).results().chance(|c| c == [24]),
        "1/16".parse().unwrap()
    );
}

/// Lists of values are multisets: each entry is drawn, kept and weighed by itself.
#[test]
fn lists_of_values_are_multisets() {
    let lab = Lab::of(
        "kind Unit { state n : 0..9 = 0 }
        proc one() -> Int { draw got in [6, 6, 1]
          return got }
        proc two() -> Int { draw 2 of got in [6, 6, 1]
          return total(got) }
        proc first(a: Int) -> Int { draw 3 of got in [6, 6, 6, 1, 2]
          return nth(1, got) otherwise 0 }
        proc heavy() -> Int { draw got in [6, 6, 1] weight got
          return got }
        proc kept() -> Int { choose 2 of got in [6, 6]
          return total(got) }
        proc thing() -> Int { draw 0 .. 2 of got in (all u in Unit where yes) + (all u in Unit where yes)
          return size(got) }",
    );
    assert_eq!(lab.odds("one", &[]), "1: 1/3, 6: 2/3");
    assert_eq!(lab.odds("two", &[]), "7: 2/3, 12: 1/3");
    assert_eq!(lab.odds("first", &[0]), "1: 1/5, 2: 1/5, 6: 3/5");
    assert_eq!(lab.odds("heavy", &[]), "1: 1/13, 6: 12/13");
    assert_eq!(lab.odds("kept", &[]), "12: 1");
    assert_eq!(lab.odds("thing", &[]), "1: 1", "a thing is there once");
    // every fifth ball of a bag of a hundred, of which the order does not matter
    let lab = Lab::of(
        "proc bag() -> Int { let balls = copies(60, 1) + copies(40, 0)
          draw 5 of got in balls
          return total(got) }",
    );
    let choose = |n: u64, k: u64| (0..k).fold(1u64, |c, i| c * (n - i) / (i + 1));
    let found = lab.graph("bag", &[], ExploreOptions::default()).results();
    for n in 0..=5 {
        let wanted = Fraction::new((choose(60, n) * choose(40, 5 - n)).into(), choose(100, 5).into());
        assert_eq!(found.chance(|c| c == [n as i64]), wanted, "{n} of 5");
    }
}

/// Ten cards of a pack of forty: 10^15 orders, but their total asks for none of them. Where the order is asked for, each
/// order counts.
#[test]
fn hands_of_cards() {
    let lab = Lab::of(
        "proc hand() -> Int {
          let pack = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
          draw 10 of hand in pack + pack + pack + pack
          return total(hand) }
        proc last() -> Int {
          var pack = [1, 1, 2, 3]
          draw 3 of hand in pack
          set pack -= hand
          return 100 * total(pack) + 10 * (nth(3, hand) otherwise 0) + (count hand == 1) }",
    );
    // ways to so many cards with such a sum, a card after the other
    let mut ways = vec![vec![0u64; 101]; 11];
    ways[0][0] = 1;
    for card in (1..=10).flat_map(|card| [card; 4]) {
        for cards in (1..=10).rev() {
            for sum in (card..=100).rev() {
                ways[cards][sum] += ways[cards - 1][sum - card];
            }
        }
    }
    let found = lab.graph("hand", &[], ExploreOptions::default()).results();
    let whole: u64 = ways[10].iter().sum();
    assert_eq!(whole, 847_660_528, "40 over 10");
    for (sum, ways) in ways[10].iter().enumerate() {
        assert_eq!(found.chance(|c| c == [sum as i64]), Fraction::new((*ways).into(), whole.into()), "{sum}");
    }
    let orders = super::brute::brute(&lab, "last", 100).expect("few orders");
    let found = lab.graph("last", &[], ExploreOptions::default()).results();
    for (end, wanted) in orders {
        let end = end.expect("no faults");
        assert_eq!(found.chance(|c| c == end), wanted, "{end:?}");
    }
}

/// What seeds give of a bag with equal entries comes to what is exact.
#[test]
fn equal_entries_are_drawn_as_often_by_seeds() {
    use grognard_vm::{First, NoTrace, Run, call};
    let lab = Lab::of(
        "proc two() -> Int { draw 2 of got in [6, 6, 1, 2]\n return 10 * (nth(1, got) otherwise 0) + (nth(2, got) otherwise 0) }",
    );
    let runs = 20_000;
    let mut counts = std::collections::BTreeMap::new();
    let mut dice = grognard_vm::Seeded::new(&lab.game, 7, 0);
    for n in 0..runs {
        dice.start(7, n);
        let mut state = lab.game.start.clone();
        let mut run = Run::new(&lab.game, dice, First, NoTrace);
        call(&lab.game, &mut state, &mut run, lab.func("two"), &[]).unwrap();
        *counts.entry(state.stack[0]).or_insert(0i64) += 1;
        dice = run.drivers.dice;
    }
    for (value, of_twelve) in [(66, 2), (61, 2), (62, 2), (16, 2), (26, 2), (12, 1), (21, 1)] {
        let (found, wanted) = (counts.get(&value).copied().unwrap_or(0), runs as i64 * of_twelve / 12);
        assert!((found - wanted).abs() < 250, "{value}: {found} of {wanted}");
    }
}

/// The gain of best play over plain play is the sum of its parts, and both values are those of separate explorations.
#[test]
fn the_losses_of_plain_play_add_up_to_the_gain() {
    let lab = Lab::of(
        "proc turn() -> Int {
           var held : Int  = 0
           var over : Flag = no
           repeat {
             var goes : Flag = no
             may again { set goes = yes }
             if goes {
               roll die = d6
               choose keep in 0 .. 1
               if die == 1 { set held = 0 } else { set held += die - keep }
               set over = die == 1 or held >= 12
             } else {
               set over = yes
             }
           } while not over
           return held
         }
         proc itself(n: Int) -> Int { return n }",
    );
    let own = Target::Value(Query { func: lab.func("itself"), args: Args::Result });
    let value = |choice: Choice| {
        let mut graph = lab.graph_by("turn", &[], &mut All(choice), ExploreOptions::default());
        if graph.decides() {
            graph.optimise(own, None).unwrap();
        }
        graph.results().mean().unwrap()
    };
    // entry 0 of `again` is yes, and entry 1 of `keep` loses a point: both plain answers are bad ones at times
    for plain in [Answer::Pick(0), Answer::Pick(1)] {
        let compared = Choice::Best(Some(plain.clone()));
        let mut graph = lab.graph_by("turn", &[], &mut All(compared.clone()), ExploreOptions::default());
        graph.optimise(own, None).unwrap();
        let gain = graph.departures(own).unwrap();
        let sum = gain.departures.iter().fold(Fraction::zero(), |sum, one| &sum + &one.gain);
        assert_eq!(gain.best, value(Choice::Best(None)));
        assert_eq!(gain.plain, value(Choice::Answer(plain)));
        assert_eq!(&gain.best - &gain.plain, sum);
        assert!(gain.departures.iter().all(|one| one.plain.is_some() && one.gain > Fraction::zero()));
        // the graph follows best play again
        assert_eq!(graph.results().mean(), Some(gain.best));
    }
}
