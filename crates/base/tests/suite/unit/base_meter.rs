//! Inside `base/meter`.

use grognard_base::meter::*;

#[test]
fn each_limit_is_named() {
    let most = Budget { states: 2, bytes: 100, work: 10, watch: None };
    let meter = Meter::new(most);
    assert!(meter.position(40) && meter.position(40) && !meter.position(1));
    assert_eq!(meter.limit(), Some(Limit::States));
    assert!(meter.open() && meter.hold(20) && !meter.hold(1));
    meter.free(20);
    assert_eq!((meter.held(), meter.limit()), (80, Some(Limit::States)), "the first limit counts");

    let meter = Meter::new(most);
    assert!(!meter.hold(101) && meter.hold(100));
    assert_eq!(meter.limit(), Some(Limit::Memory));

    let meter = Meter::new(most);
    meter.work(10);
    assert!(meter.open());
    meter.words(Budget::WORDS);
    assert!(!meter.open());
    assert_eq!(meter.limit(), Some(Limit::Work));

    let meter = Meter::new(Budget { work: u64::MAX, watch: Some(|_| Some(Limit::Time)), ..most });
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
    assert!(few.work <= usual.work / 50 && few.bytes == usual.bytes, "{few:?}");
    assert_eq!((grognard_base::Effort::Given(usual.states).budget().work, many.work), (usual.work, 10 * usual.work));
    assert_eq!(
        (usual.least(grognard_base::Effort::Given(200)).work, usual.least(grognard_base::Effort::Given(200)).states),
        (few.work, 200)
    );
    assert_eq!(few.least(grognard_base::Effort::Given(usual.states)).work, few.work);
}
