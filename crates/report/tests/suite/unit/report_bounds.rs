//! Inside `report/bounds`.

use grognard_base::value::Fraction;
use grognard_report::bounds::*;

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

#[test]
fn bounds_that_agree_in_many_digits_are_one_number() {
    let f = |text: &str| text.parse::<Fraction>().unwrap();
    let near = |low: &str, more: &str| percents(&f(low), &(&f(low) + &f(more)));
    assert_eq!(agreed(&near("11/36", "1/10000000000000000")), Some(13));
    assert_eq!(agreed(&near("11/36", "1/10000000000")), None);
    assert_eq!(agreed(&near("11/36", "0")), None);
    // digits before the first other than 0 do not count
    assert_eq!(agreed(&near("1/30000000000000", "1/100000000000000000")), None);
}
