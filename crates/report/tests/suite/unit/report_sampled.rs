//! Inside `report/sampled`.

use grognard_report::sampled::*;

#[test]
fn numbers_are_as_long_as_they_are_sure() {
    assert_eq!([20.0, 1.0, 0.96, 0.012, 0.0].map(digits), [0, 1, 1, 3, 0]);
    assert_eq!(Unit::Percent.rendered(Some(0.5), (0.49123, 0.50866), "95"), "50.00%, 95% 49.12% to 50.87%");
    assert_eq!(Unit::Plain.rendered(Some(3.0), (1.26, 4.74), "95"), "3.0, 95% 1.2 to 4.8");
    assert_eq!(rounded(-0.0001, 2, Some(true)), "0.00");
    assert_eq!(between((0.41, 0.79), 0.6, 1), "0.4 to 0.8");
    assert_eq!(between((-0.79, -0.41), -0.6, 1), "0.4 to 0.8");
    assert_eq!(between((-0.79, 0.0), -0.6, 1), "0.0 to 0.8");
    assert_eq!(between((-0.79, 0.02), -0.6, 1), "0.8 less to 0.1 more");
    assert_eq!(between((0.0, 0.0), 0.0, 1), "0.0 to 0.0");
    // what was read off an interval is still to be read off its printed ends
    assert_eq!(
        [(0.03, 9.0), (-9.0, -0.003), (-1.0, 9.0), (0.0, 9.0)].map(|ends| clear(ends, |_, _| true)),
        [2, 3, 1, 1]
    );
    assert_eq!(clear((-1.97, 1.2), |least, most| least >= -1.98 && most <= 1.98), 2);
    assert_eq!((level_of(0.05), level_of(0.025), level_of(0.05 / 3.0)), ("95".into(), "97.5".into(), "98.33".into()));
}
