//! Confidence intervals of shares.

use super::level::Level;

/// Computes Wilson's score interval of a share, for a number of runs that was fixed in advance. Source: E. B. Wilson,
/// "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
/// Association 22 (1927).
///
/// The interval is always within 0 to 1, and has a positive width even if a condition holds in every run or in none.
/// Without runs it is 0 to 1.
pub fn wilson(held: u64, runs: u64, level: Level) -> (f64, f64) {
    if runs == 0 {
        return (0.0, 1.0);
    }
    let (n, share, square) = (runs as f64, held as f64 / runs as f64, level.z * level.z);
    let middle = share + square / (2.0 * n);
    let half = level.z * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let scale = 1.0 + square / n;
    // rounding of the square root would miss the exact ends in these two cases
    let low = if held == 0 { 0.0 } else { ((middle - half) / scale).max(0.0) };
    let high = if held == runs { 1.0 } else { ((middle + half) / scale).min(1.0) };
    (low, high)
}
