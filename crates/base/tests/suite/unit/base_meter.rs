//! Inside `base/meter`.

use grognard_base::meter::*;

#[test]
fn each_limit_is_named() {
    let most = Budget { states: 2, bytes: 100, work: 10, watch: None };
    let meter = Meter::new(most.clone());
    assert!(meter.position(40) && meter.position(40) && !meter.position(1));
    assert_eq!(meter.limit(), Some(Limit::States));
    assert!(meter.open() && meter.hold(20) && !meter.hold(1));
    meter.free(20);
    assert_eq!((meter.held(), meter.limit()), (80, Some(Limit::States)), "the first limit counts");

    let meter = Meter::new(most.clone());
    assert!(!meter.hold(101) && meter.hold(100));
    assert_eq!(meter.limit(), Some(Limit::Memory));

    let meter = Meter::new(most.clone());
    meter.work(10);
    assert!(meter.open());
    meter.words(Budget::WORDS);
    assert!(!meter.open());
    assert_eq!(meter.limit(), Some(Limit::Work));

    let meter = Meter::new(Budget { work: u64::MAX, watch: Some(Watch::new(|_| Some(Limit::Time))), ..most.clone() });
    assert!(!meter.work(LOOK));
    assert_eq!(meter.limit(), Some(Limit::Time));
}

#[test]
fn a_small_budget_is_little_work() {
    let (usual, few, many) = (
        Budget::default(),
        grognard_base::Effort::Given(200).budget(),
        grognard_base::Effort::Given(40_000_000).budget(),
    );
    assert!(few.work <= usual.work / 30 && few.bytes == usual.bytes, "{few:?}");
    assert_eq!((grognard_base::Effort::Given(usual.states).budget().work, many.work), (usual.work, 20 * usual.work));
    assert_eq!(
        (usual.least(grognard_base::Effort::Given(200)).work, usual.least(grognard_base::Effort::Given(200)).states),
        (few.work, 200)
    );
    assert_eq!(few.least(grognard_base::Effort::Given(usual.states)).work, few.work);
}

const EACH: Budget = Budget { states: 100, bytes: 1, work: 1000, watch: None };

#[test]
fn the_next_part_of_a_question_has_what_is_left_of_its_budget() {
    let after = |states, work| EACH.after(Reading { states, work, limit: None });
    assert_eq!((after(30, 100).states, after(30, 100).work), (70, 900));
    assert_eq!((after(100, 5000).states, after(100, 5000).work), (25, 250), "never less than a quarter");
}

#[test]
fn an_allowance_is_used_up_by_what_questions_cost() {
    let allowance = Allowance::of(EACH, 2);
    let mut budgets = Vec::new();
    while let Some(budget) = allowance.next() {
        budgets.push(budget.work);
        allowance.spend(Reading { work: 700, ..Reading::default() });
    }
    assert_eq!(budgets, [1000, 1000, 600]);
}

#[test]
fn answers_end_when_they_took_as_much_work_again() {
    let meter = Meter::new(EACH);
    let mut steps = 0;
    while !meter.stopped() {
        meter.work(1);
        steps += 1;
        assert!(steps < 10_000, "it never ends");
    }
    assert!((2000..=2003).contains(&steps), "{steps}");
    assert_eq!(meter.reading(7), Reading { states: 7, work: steps, limit: Some(Limit::Work) });
}
