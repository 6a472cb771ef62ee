//! Answers that are known by hand.

use super::lab::{Lab, told};
use grognard::exact::*;
use grognard::value::{Fraction, Type};

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

#[test]
fn a_test_of_a_thing() {
    let lab = Lab::of(
        "kind Unit { stat ld : 0..6 = 2; stat nv : 0..6 = 3 }
         test Steady(u: Unit, most: Int) { roll dice = u.nv of d6\n let good = count dice <= u.ld\n pass when good >= most }",
    );
    // the thing is its number; of the result only whether it passed is asked for
    let func = lab.func("Steady");
    let width = lab.game.program.funcs[func.at()].result as usize;
    let Type::Record(record) = &lab.game.program.rules.functions[func.at()].result else { panic!() };
    let rules = &lab.game.program.rules;
    let fields = &rules.records[record.at()].fields;
    let passed = fields.iter().position(|(name, _)| name == "passed").unwrap();
    let at: usize = fields[..passed].iter().map(|(_, ty)| rules.width(ty)).sum();
    let keep: Vec<bool> = (0..width).map(|n| n == at).collect();
    let task = Task::Call { func, args: &[0, 2], keep: Some(&keep) };
    let graph = explore(&lab.game, &lab.game.start, task, &mut Prefer, Options::default());
    assert_eq!(graph.results().chance(|cells| cells[at] == 1).to_string(), "7/27");
}

#[test]
fn too_much_is_bounded() {
    let lab = Lab::of(
        "proc faces() -> Int { roll a = 6 of d6\n var s : Int = 0\n each x in a { set s = s * 7 + x }\n return s }",
    );
    let budget = Budget { states: 1000, ..Budget::default() };
    let found = lab.graph("faces", &[], Options { budget, ..Options::default() }).results();
    assert_eq!(found.label, Label::Bounded);
    // each of the ends that were found is one fall of the dice
    let ends = found.outcomes.len() as i64;
    assert!((900..1000).contains(&ends), "{ends}");
    assert_eq!(&Fraction::one() - &found.unexplored(), &Fraction::whole(ends) / &Fraction::whole(46656));
}

#[test]
fn work_is_bounded_too() {
    let lab = Lab::of(
        "proc long() -> Int { var s : Int = 0\n repeat { roll a = d6\n set s += a } while s < 3000\n return s }",
    );
    let budget = Budget { work: 500, ..Budget::default() };
    let graph = lab.graph("long", &[], Options { budget, ..Options::default() });
    assert_eq!(graph.limit(), Some(Limit::Work));
    let found = graph.results();
    assert_eq!((found.label, found.outcomes.len()), (Label::Bounded, 0));
    assert_eq!(found.unexplored(), Fraction::one());
    // the same work ends at the same place
    let again = lab.graph("long", &[], Options { budget, ..Options::default() });
    assert_eq!((graph.states(), graph.edges()), (again.states(), again.edges()));
    let whole = lab.graph("long", &[], Options::default());
    assert_eq!((whole.limit(), whole.results().label), (None, Label::Exact));
    let few = Budget { states: 100, ..Budget::default() };
    assert_eq!(lab.graph("long", &[], Options { budget: few, ..Options::default() }).limit(), Some(Limit::States));
}
