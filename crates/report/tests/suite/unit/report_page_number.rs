//! Inside `report/page/number`.

use grognard_report::page::number::*;

#[test]
fn ticks_are_round_and_go_around() {
    let axis = Axis::around([130_000, 7_900_000].into_iter(), 5);
    assert_eq!(axis, Axis { low: 0, high: 8 * MILLION, step: 2 * MILLION });
    assert_eq!(axis.ticks().map(|t| axis.tell(t)).collect::<Vec<_>>(), ["0", "2", "4", "6", "8"]);
    let axis = Axis::around([-31_000, 12_000].into_iter(), 5);
    assert_eq!(
        axis.ticks().map(|t| axis.tell(t)).collect::<Vec<_>>(),
        ["-0.04", "-0.03", "-0.02", "-0.01", "0.00", "0.01", "0.02"]
    );
    assert_eq!((axis.along(-40_000), axis.along(20_000), axis.along(-10_000)), (0, 100_000, 50_000));
    for values in [vec![], vec![0], vec![i64::MIN, i64::MAX], vec![5, 6]] {
        let axis = Axis::around(values.iter().copied(), 5);
        assert!(axis.low < axis.high && (2..=12).contains(&axis.ticks().count()), "{values:?} {axis:?}");
        assert!(values.iter().all(|v| (axis.low..=axis.high).contains(&near(*v))));
    }
}

#[test]
fn numbers_are_told_without_floats() {
    assert_eq!([rendered(1_500_000, 500_000), rendered(-20_000, 10_000), rendered(7, 1)], ["1.5", "-0.02", "0.000007"]);
    assert_eq!([percent(0), percent(12_345), percent(-500), percent(100_000)], ["0%", "12.345%", "-0.500%", "100%"]);
    assert_eq!([millionths(0.5), millionths(f64::NAN), millionths(-1e300)], [500_000, 0, -FAR]);
    assert_eq!(
        [ratio(1, 3), ratio(-1, 3), ratio(i64::MAX, 1), ratio(1, 0)],
        [Some(333_333), Some(-333_334), Some(FAR), None]
    );
    assert_eq!([nice(1), nice(3), nice(21), nice(2 * FAR)], [1, 5, 50, 2 * FAR]);
}
