//! Inside `base/meter`.

use grognard::base::meter::*;

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
