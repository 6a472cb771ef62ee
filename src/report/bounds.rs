//! Bounds as text: rounded outward, so that what lies between the printed ends holds the truth, and told with as many
//! digits as they need to lie apart.

use crate::value::{Fraction, Toward};

/// Most digits behind the point.
const MOST_DIGITS: u32 = 12;

/// A lower and an upper bound, each rounded away from the other to `least` digits behind the point, or to more if that
/// would hide how close they are.
pub fn bounds(low: &Fraction, high: &Fraction, least: u32) -> [String; 2] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_ends_hold_the_truth_and_lie_apart() {
        let f = |text: &str| text.parse::<Fraction>().unwrap();
        let truth = f("11/36");
        for tiny in ["1/3", "1/100", "1/10000", "1/1000000", "1/1000000000000", "1/10000000000000000000000"] {
            for (low, high) in [(&truth - &f(tiny), truth.clone()), (truth.clone(), &truth + &f(tiny))] {
                let printed = bounds(&low, &high, 2);
                let [from, to] = printed.each_ref().map(|end| end.replace('.', ""));
                let ten = f(&format!("1{}", "0".repeat(printed[0].rsplit('.').next().unwrap().len())));
                assert!(&f(&from) / &ten <= low && high <= &f(&to) / &ten, "{low} {high}: {printed:?}");
                assert_ne!(printed[0], printed[1]);
            }
        }
        assert_eq!(percents(&f("11/36"), &f("12/36")), ["30.55%", "33.34%"]);
        assert_eq!([at_most(&f("11/36")), at_most(&f("1/300000"))], ["30.56%", "0.0004%"]);
        assert_eq!(percents(&f("0"), &f("1")), ["0.00%", "100.00%"]);
        assert_eq!(percents(&f("1/2"), &f("500001/1000000")), ["50.0000%", "50.0001%"]);
    }
}
