//! Inside `value/fraction`.

use grognard_base::value::Ratio;
use grognard_base::value::fraction::*;

fn f(text: &str) -> Fraction {
    text.parse().unwrap()
}

#[test]
fn reckons_and_prints() {
    assert_eq!((&f("1/3") + &f("1/6")).to_string(), "1/2");
    assert_eq!((&f("1/3") - &f("1/2")).to_string(), "-1/6");
    assert_eq!((&f("-2/3") * &f("3/4")).to_string(), "-1/2");
    assert_eq!((&f("1/3") / &f("-2/3")).to_string(), "-1/2");
    assert_eq!(f("6/3"), Fraction::whole(2));
    assert!(f("1/3") < f("1/2") && f("-1/2") < f("-1/3"));
    assert!(f("1").cmp(&Fraction::one()).is_eq());
    for bad in ["", "1/0", "a", "1/-2"] {
        assert!(bad.parse::<Fraction>().is_err(), "{bad}");
    }
}

#[test]
fn decimals_and_roots() {
    assert_eq!(f("11/36").decimal(4), "0.3056");
    assert_eq!(f("-1/2").decimal(0), "-1");
    assert_eq!(f("-1/1000").decimal(2), "0.00");
    assert_eq!(f("199/100").decimal(1), "2.0");
    assert_eq!(f("35/12").root(3).decimal(3), "1.707");
    assert_eq!(f("3/4").ratio(), Ratio::new(3, 4));
    let ends = |x: &str| [Toward::Below, Toward::Above].map(|toward| f(x).rounded(2, toward));
    assert_eq!(ends("11/36"), ["0.30", "0.31"]);
    assert_eq!(ends("-11/36"), ["-0.31", "-0.30"]);
    assert_eq!(ends("1/4"), ["0.25", "0.25"]);
    assert_eq!(
        ["1/36", "0", "1/100000", "99999/100000", "1"].map(|x| f(x).percent()),
        ["2.78%", "0.00%", "<0.01%", ">99.99%", "100.00%"]
    );
    for x in ["1/3", "-1/3", "1/4", "0", "1/10", "123456789123456789/7"] {
        let [low, high] = [Toward::Below, Toward::Above].map(|toward| f(x).float_toward(toward));
        assert!(Fraction::of_float(low) <= f(x) && f(x) <= Fraction::of_float(high), "{x}");
        assert_eq!(low == high, Fraction::of_float(low) == f(x), "{x}");
        assert!(high <= low.next_up(), "{x}");
    }
    assert_eq!(
        [f("1/3"), f("-1/8"), f("0"), f("12345678901234567890")].map(|x| x.float()),
        [1.0 / 3.0, -0.125, 0.0, 12345678901234567890.0]
    );
}

/// Products and quotients are reduced as they are made.
#[test]
fn products_are_reduced() {
    let parts = [-12i64, -7, -1, 0, 1, 2, 6, 35, 1 << 40];
    let all: Vec<Fraction> = parts
        .iter()
        .flat_map(|num| [1u32, 2, 9, 14, 1 << 20].map(|den| Fraction::new((*num).into(), den.into())))
        .collect();
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
        assert_eq!(a * b, Fraction::new(a.num() * b.num(), a.den() * b.den()));
        assert_eq!(&(a * b) / b, if b.is_zero() { Fraction::zero() } else { a.clone() }, "{a} {b}");
    }
    let cut = |x: &str, toward| f(x).cut(3, toward).to_string();
    assert_eq!([cut("1/3", Toward::Below), cut("1/3", Toward::Above)], ["333/1000", "167/500"]);
    assert_eq!([cut("-1/3", Toward::Below), cut("-1/3", Toward::Above)], ["-167/500", "-333/1000"]);
}
