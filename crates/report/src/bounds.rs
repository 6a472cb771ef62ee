//! Formats bounds as text. Bounds are rounded outward, so the printed interval contains the true value, and have as many digits
//! as are needed to distinguish them.

use grognard_base::value::{Fraction, Toward};

/// Maximum number of digits after the decimal point.
const MOST_DIGITS: u32 = 12;

/// Minimum number of equal digits of two bounds that are shown as one number.
const AGREED: usize = 12;

/// Denominators with more bits than this are rounded to `FINE` digits before the bounds are compared, because an exact
/// subtraction would be expensive. `FINE` is far more than the number of digits that are printed.
const LONG: u64 = 512;
const FINE: u32 = 40;

/// Returns a lower and an upper bound, each rounded outward to `least` digits after the decimal point. Uses more digits
/// if the rounding would hide how close the bounds are.
pub fn bounds(low: &Fraction, high: &Fraction, least: u32) -> [String; 2] {
    if low != high && low.den().bits().max(high.den().bits()) > LONG {
        return bounds(&low.cut(FINE, Toward::Below), &high.cut(FINE, Toward::Above), least);
    }
    let between = high - low;
    let fine = |digits: &u32| &between * &Fraction::whole(10i64.pow(*digits)) >= Fraction::one();
    let digits = if between.is_zero() { least } else { (least..MOST_DIGITS).find(fine).unwrap_or(MOST_DIGITS) };
    [low.rounded(digits, Toward::Below), high.rounded(digits, Toward::Above)]
}

/// Returns the bounds of a share in percent.
pub fn percents(low: &Fraction, high: &Fraction) -> [String; 2] {
    let hundred = Fraction::whole(100);
    bounds(&(low * &hundred), &(high * &hundred), 2).map(|end| end + "%")
}

/// Returns the number of digits in which two bounds agree, without leading zeros. Returns `None` if it is below 12.
pub fn agreed([low, high]: &[String; 2]) -> Option<usize> {
    let same = low.chars().zip(high.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a);
    let digits: String = same.filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0').len();
    (low != high && digits >= AGREED).then_some(digits)
}

/// Number of digits of a proven number.
const PROVEN: u32 = 12;
/// Maximum number of digits after the decimal point of a proven number.
const DEEPEST: u32 = 24;

/// Returns the number to which both bounds round, with at most 12 digits, and the count of its digits. Returns `None` if the bounds
/// do not share a digit, or if the first digit has too many zeros before it.
pub fn proven(low: &Fraction, high: &Fraction) -> Option<(String, usize)> {
    let digits = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.trim_start_matches('0').len()
    };
    let whole = digits(&high.rounded(0, Toward::Below)) as u32;
    let places = if whole > 0 {
        PROVEN.saturating_sub(whole)
    } else {
        let first = (1..=DEEPEST).find(|places| digits(&high.rounded(*places, Toward::Below)) > 0)?;
        (first - 1 + PROVEN).min(DEEPEST)
    };
    let mut texts = (0..=places).rev().map(|places| [low, high].map(|end| end.decimal(places)));
    let [text, _] = texts.find(|[low, high]| low == high)?;
    let count = digits(&text);
    (count > 0).then_some((text, count))
}

/// Returns the upper bound of a share in percent.
pub fn at_most(share: &Fraction) -> String {
    let [_, most] = percents(&Fraction::zero(), share);
    most
}
