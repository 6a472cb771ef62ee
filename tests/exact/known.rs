//! Answers that are known by hand.

use super::lab::{Lab, told};
use grognard::exact::*;
use grognard::value::Fraction;

#[test]
fn one_die() {
    let lab = Lab::of("proc one() -> Int { roll x = d6\n return x * x }");
    assert_eq!(lab.odds("one", &[]), "1: 1/6, 4: 1/6, 9: 1/6, 16: 1/6, 25: 1/6, 36: 1/6");
}

#[test]
fn a_pool_is_looked_at() {
    let lab = Lab::of("proc any2(n: Int) -> Flag { roll dice = n of d6\n return any dice <= 2 }");
    let graph = lab.graph("any2", &[10], Options::default());
    assert_eq!(graph.results().chance(|c| c == [1]).to_string(), "58025/59049");
    assert!(graph.states() < 8, "{}", graph.states());
}

#[test]
fn the_highest_of_a_pool() {
    let lab = Lab::of("proc best() -> Int { roll dice = 10 of d6\n return total(highest(3, dice)) }");
    let found = lab.graph("best", &[], Options::default()).results();
    assert_eq!(found.chance(|c| c == [18]).to_string(), "566299/2519424");
    assert_eq!(found.chance(|c| c == [3]).to_string(), "1/60466176");
    assert_eq!(found.outcomes.len(), 16);
}

#[test]
fn the_sum_of_many_dice() {
    let lab = Lab::of("proc sum() -> Int { roll dice = 100 of d6\n return total(dice) }");
    let found = lab.graph("sum", &[], Options::default()).results();
    assert_eq!(found.outcomes.len(), 501);
    assert_eq!(found.mean(), Some(Fraction::whole(350)));
    assert_eq!(found.variance().unwrap().to_string(), "875/3");
    assert_eq!(found.chance(|c| c == [100]).to_string().len(), 80);
}

#[test]
fn until_a_six_shows() {
    let lab =
        Lab::of("proc hunt() -> Int { var x : Int = 0\n repeat { roll y = d6\n set x = y } while x < 5\n return x }");
    let graph = lab.graph("hunt", &[], Options::default());
    assert_eq!(told(&graph.results()), "5: 1/2, 6: 1/2");
}
