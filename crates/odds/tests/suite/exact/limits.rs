//! Bounds of answers that a limit ended.

use grognard_base::value::Fraction;
use grognard_kit::Lab;
use grognard_odds::*;

#[test]
fn too_much_is_bounded() {
    let lab = Lab::of(
        "proc faces() -> Int { roll a = 6 of d6\n var s : Int = 0\n each x in a { set s = s * 7 + x }\n return s }",
    );
    let budget = Budget { states: 1000, ..Budget::default() };
    let found = lab.graph("faces", &[], ExploreOptions { budget, ..ExploreOptions::default() }).results();
    assert_eq!(found.label, Label::Bounded);
    // each of the ends that were found is one fall of the dice
    let ends = found.outcomes.len() as i64;
    assert!((900..1000).contains(&ends), "{ends}");
    assert_eq!(&Fraction::one() - &found.unexplored(), &Fraction::whole(ends) / &Fraction::whole(46656));
}

/// Wherever the work ends, the outcomes that were found and the unexplored part are at most one, and the bounds contain the answer.
#[test]
fn what_was_found_and_the_rest_are_at_most_one() {
    // the unexplored part is an upper bound
    let most_of_all = &Fraction::one() + &(&Fraction::one() / &Fraction::whole(1_000_000_000));
    for (dice, then) in [
        (
            "1 of d6",
            "var s : Int = 0\n repeat { roll x = d6\n set s += x\n if x == 6 { return s } } while s < 60\n return 0",
        ),
        ("3 of d6", "explode x in a where x == 6\n return distinct(a)"),
        ("4 of d6", "explode x in a where x == 6 at most 9\n return distinct(a)"),
        ("4 of d6", "explode x in a where x == 6\n return total(highest(2, a))"),
        ("4 of d10", "explode x in a where x == 10 at most 7\n return total(highest(3, a))"),
        ("5 of d6", "reroll x in a where x == 1\n return mode(a) otherwise 0"),
        ("5 of d6", "roll b = 4 of d6\n return size(a - b) * 10 + (count b == 6)"),
        ("3 of d6", "each x in a { if x == 6 { roll y = 2 of d6\n return total(y) } }\n return total(a)"),
    ] {
        let lab = Lab::of(&format!("proc p() -> Int {{ roll a = {dice}\n {then} }}"));
        let whole = lab.graph("p", &[], ExploreOptions::default()).results();
        let works = (1..15).map(|n: u64| Budget { work: n * n * n * 200, ..Budget::default() });
        let states = (1..40).step_by(3).map(|states| Budget { states, ..Budget::default() });
        for budget in works.chain(states) {
            let limits = format!("{} states, {} work", budget.states, budget.work);
            let options = ExploreOptions { budget, precision: Precision::Proven, ..ExploreOptions::default() };
            let found = lab.graph("p", &[], options).results();
            let low = |outcome: &Outcome| found.share_between(outcome)[0].clone();
            let all = found.outcomes.iter().fold(found.unexplored(), |all, outcome| &all + &low(outcome));
            assert!(all <= most_of_all, "{dice} {then}, {limits}: {all}");
            for outcome in &whole.outcomes {
                let Worth::Cells(cells) = &outcome.worth else { continue };
                let [low, high] = found.chance_between(|found| found == cells);
                let [least, most] = whole.share_between(outcome);
                assert!(low <= most && least <= high, "{dice} {then}, {limits}: {cells:?}");
            }
        }
    }
}

#[test]
fn work_is_bounded_too() {
    let lab = Lab::of(
        "proc long() -> Int { var s : Int = 0\n repeat { roll a = d6\n set s += a } while s < 3000\n return s }",
    );
    let budget = Budget { work: 500, ..Budget::default() };
    let graph = lab.graph("long", &[], ExploreOptions { budget: budget.clone(), ..ExploreOptions::default() });
    assert_eq!(graph.limit(), Some(Limit::Work));
    let found = graph.results();
    assert_eq!((found.label, found.outcomes.len()), (Label::Bounded, 0));
    assert_eq!(found.unexplored(), Fraction::one());
    // the same work ends at the same place
    let again = lab.graph("long", &[], ExploreOptions { budget, ..ExploreOptions::default() });
    assert_eq!((graph.states(), graph.edges()), (again.states(), again.edges()));
    let whole = lab.graph("long", &[], ExploreOptions::default());
    assert_eq!((whole.limit(), whole.results().label), (None, Label::Exact));
    let few = Budget { states: 100, ..Budget::default() };
    assert_eq!(
        lab.graph("long", &[], ExploreOptions { budget: few, ..ExploreOptions::default() }).limit(),
        Some(Limit::States)
    );
}
