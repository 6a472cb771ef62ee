//! Bounds as text: rounded outward, so that what lies between the printed ends holds the truth, and told with as many
//! digits as they need to lie apart.

use grognard_base::value::{Fraction, Toward};

/// Most digits behind the point.
const MOST_DIGITS: u32 = 12;

/// Bits of a denominator above which bounds are rounded before they are compared: what they differ by is dear to work out. To so
/// many digits, far more than are told.
const LONG: u64 = 512;
const FINE: u32 = 40;

/// A lower and an upper bound, each rounded away from the other to `least` digits behind the point, or to more if that
/// would hide how close they are.
pub fn bounds(low: &Fraction, high: &Fraction, least: u32) -> [String; 2] {
    if low != high && low.den().bits().max(high.den().bits()) > LONG {
        return bounds(&low.cut(FINE, Toward::Below), &high.cut(FINE, Toward::Above), least);
    }
    let between = high - low;
    let fine = |digits: &u32| &between * &Fraction::whole(10i64.pow(*digits)) >= Fraction::one();
    let digits = if between.is_zero() { least } else { (least..MOST_DIGITS).find(fine).unwrap_or(MOST_DIGITS) };
    [low.rounded(digits, Toward::Below), high.rounded(digits, Toward::Above)]
}

/// Bounds of a share in percent.
pub fn percents(low: &Fraction, high: &Fraction) -> [String; 2] {
    let hundred = Fraction::whole(100);
    bounds(&(low * &hundred), &(high * &hundred), 2).map(|end| end + "%")
}

/// A share as an upper bound in percent.
pub fn at_most(share: &Fraction) -> String {
    let [_, most] = percents(&Fraction::zero(), share);
    most
}
