//! Inside `value/ratio`.

use grognard_base::value::ratio::*;
use proptest::prelude::*;

fn r(text: &str) -> Ratio {
    text.parse().unwrap()
}

#[test]
fn reads_and_prints() {
    assert_eq!(r("11/36").to_string(), "11/36");
    assert_eq!(r(" 10 / 4 ").to_string(), "5/2");
    assert_eq!(r("3/-6").to_string(), "-1/2");
    assert_eq!(r("-3").to_string(), "-3");
    assert_eq!(r("0.25").to_string(), "1/4");
    assert_eq!(r("-1.5").to_string(), "-3/2");
    assert_eq!(r("-0.5").to_string(), "-1/2");
    assert_eq!(r("0/7").to_string(), "0");
    for bad in ["", "/", "1/", "/2", "1/0", "a", "1.", ".5", "1.2.3", "1/2/3", "+1", "1 2", "9223372036854775808"] {
        assert_eq!(bad.parse::<Ratio>(), Err(NotARatio), "{bad}");
    }
}

#[test]
fn ends_of_the_range() {
    assert_eq!(Ratio::new(i64::MIN, i64::MIN), Some(Ratio::ONE));
    assert_eq!(Ratio::new(1, i64::MIN), None);
    assert_eq!(Ratio::new(i64::MIN, -1), None);
    assert_eq!(Ratio::new(i64::MIN, 2).unwrap().to_string(), "-4611686018427387904");
    assert_eq!(Ratio::whole(i64::MAX).checked_add(Ratio::ONE), None);
    assert_eq!(Ratio::whole(i64::MIN).checked_neg(), None);
    assert_eq!(Ratio::ONE.checked_div(Ratio::ZERO), None);
    let (low, high) = (Ratio::new(1, i64::MAX).unwrap(), Ratio::new(1, i64::MAX - 1).unwrap());
    assert!(low < high);
    assert_eq!(low.checked_add(high), None);
}

#[test]
fn rounds() {
    assert_eq!((r("5/2").floor(), r("5/2").ceil()), (2, 3));
    assert_eq!((r("-5/2").floor(), r("-5/2").ceil()), (-3, -2));
    assert_eq!((r("4").floor(), r("4").ceil()), (4, 4));
}

proptest! {
    #[test]
    fn arithmetic_agrees(a in -200i64..200, b in 1i64..60, c in -200i64..200, d in 1i64..60) {
        let (x, y) = (Ratio::new(a, b).unwrap(), Ratio::new(c, d).unwrap());
        prop_assert_eq!(x.checked_add(y), Ratio::new(a * d + c * b, b * d));
        prop_assert_eq!(x.checked_sub(y), Ratio::new(a * d - c * b, b * d));
        prop_assert_eq!(x.checked_mul(y), Ratio::new(a * c, b * d));
        prop_assert_eq!(x.checked_div(y), Ratio::new(a * d, b * c));
        prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
        prop_assert!(Ratio::whole(x.floor()) <= x && x < Ratio::whole(x.floor() + 1));
        prop_assert!(Ratio::whole(x.ceil()) >= x && x > Ratio::whole(x.ceil() - 1));
        prop_assert_eq!(x.to_string().parse::<Ratio>(), Ok(x));
    }

    #[test]
    fn nothing_panics(a: i64, b: i64, c: i64, d: i64, text in "[-0-9./ ]{0,24}") {
        if let (Some(x), Some(y)) = (Ratio::new(a, b), Ratio::new(c, d)) {
            let _ = (x.checked_add(y), x.checked_sub(y), x.checked_mul(y), x.checked_div(y), x.cmp(&y), x.floor(), x.ceil(), x.checked_neg());
        }
        let _ = text.parse::<Ratio>();
    }
}
