//! Inside `exact/num`.

use grognard_odds::num::*;

#[test]
fn all_widths_agree() {
    let ways = [Width::Narrow, Width::Wide, Width::Big].map(|width| {
        let mut n = Num::one(width);
        for k in 1..60u64 {
            n = n.mul(&Num::from(k));
            n.add(&Num::from(k));
        }
        n.saturating_sub(&Num::from(7));
        n
    });
    assert_eq!(ways[0], ways[1]);
    assert_eq!(ways[1], ways[2]);
    // a small number may be kept in any width
    for a in [Num::Narrow(9), Num::Wide(9), Num::Big(9u8.into())] {
        for b in [Num::Narrow(4), Num::Wide(4), Num::Big(4u8.into())] {
            let (mut more, mut less) = (a.clone(), b.clone());
            more.saturating_sub(&b);
            less.saturating_sub(&a);
            assert_eq!((more, less), (Num::from(5), Num::from(0)), "{a:?} and {b:?}");
        }
    }
    assert!(matches!(ways[0], Num::Big(_)));
    assert_eq!(Num::from(12).join(&Num::from(18)), (Num::from(36), Num::from(3), Num::from(2)));
    assert_eq!(Num::Wide(1 << 70).gcd(&Num::from(48)), Num::from(16));
    assert_eq!(Num::from(6).pow(30).exact_div(&Num::from(6).pow(29)), Num::from(6));
}

#[test]
fn ways_to_pick() {
    let mut ways = Binomials::default();
    assert_eq!(ways.row(10)[3], Num::from(120));
    assert_eq!(ways.row(100)[50].big().to_string(), "100891344545564193334812497256");
    assert_eq!(ways.row(0).len(), 1);
}
