//! Proven intervals contain the fractions, and are narrow.

use super::random::{body, joined, laboratory_of, listed, thrown_again};
use grognard_base::value::Fraction;
use grognard_kit::Lab;
use grognard_odds::*;

fn results(lab: &Lab, name: &str, args: &[i64], precision: Precision) -> Distribution {
    let args = args.to_vec().leak();
    lab.graph(name, args, ExploreOptions { precision, ..ExploreOptions::default() }).results()
}

/// The distribution in fractions and in intervals.
fn both(lab: &Lab, name: &str, args: &[i64]) -> [Distribution; 2] {
    [Precision::Fractions, Precision::Proven].map(|precision| results(lab, name, args, precision))
}

/// Checks that bounds contain a number, and differ by at most 10 to the power of -9, or that part of the number.
fn holds([low, high]: &[Fraction; 2], number: &Fraction, what: &str) {
    assert!(low <= number && number <= high, "{what}: {number} is not within {low} and {high}");
    assert_ne!(Label::of(&[low.clone(), high.clone()]), Label::Bounded, "{what}: {low} {high}");
}

fn compare(lab: &Lab, name: &str, args: &[i64], what: &str) {
    let [exact, proven] = both(lab, name, args);
    assert_eq!(exact.label, Label::Exact, "{what}");
    assert_ne!(proven.label, Label::Bounded, "{what}");
    assert_eq!(exact.outcomes.len(), proven.outcomes.len(), "{what}");
    for (a, b) in exact.outcomes.iter().zip(&proven.outcomes) {
        assert_eq!(a.worth, b.worth, "{what}");
        holds(&proven.share_between(b), &exact.share(a), what);
    }
    for (a, b) in exact.cumulated().iter().zip(proven.cumulated()) {
        for ([number, _], ends) in a.iter().zip(b) {
            let share = |weight: num_bigint::BigUint, of: &Distribution| Fraction::of(weight, of.whole.clone());
            holds(&ends.map(|end| share(end, &proven)), &share(number.clone(), &exact), what);
        }
    }
    match (exact.moments(), proven.moments()) {
        (Some(exact), Some(proven)) => {
            exact.iter().zip(&proven).for_each(|([number, _], ends)| holds(ends, number, what));
        }
        (exact, proven) => assert_eq!(exact, proven, "{what}"),
    }
}

#[test]
fn small_rules_at_random() {
    for (seed, body) in [(101, body as fn(&mut _) -> String), (102, thrown_again), (103, joined), (104, listed)] {
        let (lab, bodies) = laboratory_of(seed, 150, body);
        bodies.iter().enumerate().for_each(|(n, body)| compare(&lab, &format!("f{n}"), &[], body));
    }
}

/// Walks between two ends, which come back many times, and a climb that begins again after each slip.
#[test]
fn cycles() {
    let lab = Lab::of(
        "proc ruin(k: Int, n: Int, wins: Int) -> Flag {
           var coins : Int = k
           repeat { roll luck = d20\n if luck <= wins { set coins += 1 } else { set coins -= 1 } } while coins > 0 and coins < n
           return coins == n
         }
         proc climb(n: Int, slips: Int) -> Int {
           var at : Int = 0
           var tops : Int = 0
           repeat {
             roll step = d6
             if step <= slips { set at = 0 } else { set at += step }
             if at >= n and step == 6 { set tops = 2 }
             if at >= n and step == 5 { set tops = 1 }
             if at >= n { set at = 0 }
           } while tops == 0
           return tops
         }
         proc ever(n: Int) -> Int {
           var at : Int = n
           repeat { roll a = d6\n if at > 0 and a == 1 { set at -= 1 } else { if at > 0 and a == 2 { set at = -1 } } } while at != 0
           return at
         }",
    );
    for args in [[1, 2, 3], [3, 10, 9], [7, 12, 11], [20, 40, 13], [5, 9, 1], [60, 200, 10], [1, 120, 11]] {
        compare(&lab, "ruin", &args, &format!("{args:?}"));
    }
    for args in [[1, 1], [6, 2], [20, 1], [24, 3]] {
        compare(&lab, "climb", &args, &format!("{args:?}"));
    }
    compare(&lab, "ever", &[3], "a run that may never end");
}

/// A chance far below the smallest part of a fixed-point number keeps its digits, and one below the smallest double has bounds.
#[test]
fn tiny_chances_keep_their_digits() {
    let lab = Lab::of("proc all(n: Int) -> Int { roll p = n of d100\n return (count p == 7) }");
    for n in [3, 40, 100, 170] {
        compare(&lab, "all", &[n], &format!("{n} dice"));
        let [exact, proven] = both(&lab, "all", &[n]);
        let [low, high] = proven.chance_between(|c| c == [n]);
        let number = exact.chance(|c| c == [n]);
        let narrow = Fraction::of(1_000_000_000u64.into(), 1u64.into());
        assert!(n > 150 || &(&high - &low) * &narrow < number, "{n}: {low} {high}");
    }
}

/// The default answers with a fraction while it is cheap, and with an interval where it is not.
#[test]
fn long_fractions_are_proven() {
    let lab = Lab::of(
        "proc battle(n: Int) -> Int {
           var a : Int = n
           var b : Int = n + 1
           repeat {
             roll mine = a of d100\n roll yours = b of d7
             let ours = count mine >= 87\n let theirs = count yours >= 7
             set b = max(0, b - ours)\n set a = max(0, a - theirs)
           } while a > 0 and b > 0
           return a - b
         }",
    );
    let label = |n, precision| results(&lab, "battle", &[n], precision).label;
    assert_eq!([3, 16].map(|n| label(n, Precision::Quick)), [Label::Exact, Label::Proven]);
    assert_eq!(label(16, Precision::Fractions), Label::Exact);
    compare(&lab, "battle", &[12], "a battle");
}
