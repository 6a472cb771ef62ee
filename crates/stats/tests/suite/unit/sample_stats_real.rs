//! Inside `sample/stats/real`.

use grognard_stats::stats::real::*;

#[test]
fn they_are_those_of_the_library() {
    for n in 1..5000 {
        let x = f64::from(n) * f64::from(n) / 777.0;
        assert!((ln(x) - x.ln()).abs() < 1e-13, "{x}");
        assert!((ln(1.0 / x) + x.ln()).abs() < 1e-13, "{x}");
        let y = f64::from(n - 2500) / 4.0;
        assert!((exp(y) / y.exp() - 1.0).abs() < 1e-12, "{y}");
    }
    assert_eq!(ln(1.0), 0.0);
    assert_eq!(ln(0.0), f64::NEG_INFINITY);
    assert_eq!((exp(0.0), exp(-800.0)), (1.0, 0.0));
}
