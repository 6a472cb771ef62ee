//! Inside `sample/stats/shares`.

use grognard_stats::stats::level::Level;
use grognard_stats::stats::shares::*;

#[test]
fn the_published_figures() {
    let near = |(a, b): (f64, f64), c: f64, d: f64| (a - c).abs() < 5e-5 && (b - d).abs() < 5e-5;
    // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    assert!(near(wilson(81, 263, Level::USUAL), 0.2553, 0.3662));
    assert!(near(wilson(15, 148, Level::USUAL), 0.0624, 0.1605));
    assert!(near(wilson(0, 20, Level::USUAL), 0.0, 0.1611));
    assert!(near(wilson(1, 29, Level::USUAL), 0.0061, 0.1718));
    assert_eq!(wilson(0, 0, Level::USUAL), (0.0, 1.0));
    let (low, high) = wilson(1000, 1000, Level::USUAL);
    assert!(low < 0.9963 && low > 0.995 && high == 1.0);
}
