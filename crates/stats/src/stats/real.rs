//! Logarithm and exponential computed only with `+ - * /`, because the library functions differ between platforms.

use std::f64::consts::{LN_2, SQRT_2};

/// Computes the natural logarithm to about 15 digits. Returns minus infinity for 0 and for subnormal numbers.
pub fn ln(x: f64) -> f64 {
    if x < f64::MIN_POSITIVE {
        return f64::NEG_INFINITY;
    }
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i32 - 1023;
    let mut part = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if part > SQRT_2 {
        part /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), and the argument is below 0.172
    let z = (part - 1.0) / (part + 1.0);
    let square = z * z;
    let series = (0..12).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    f64::from(exponent) * LN_2 + 2.0 * z * series
}

/// Computes the exponential of `x`.
pub fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    if x > 700.0 {
        return f64::INFINITY;
    }
    let halvings = (x / LN_2).round();
    let rest = x - halvings * LN_2;
    let series = (1..=15).rev().fold(1.0, |sum, k| 1.0 + sum * rest / f64::from(k));
    series * f64::from_bits(((halvings as i64 + 1023) as u64) << 52)
}
