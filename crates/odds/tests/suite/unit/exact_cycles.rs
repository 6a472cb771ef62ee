//! Inside `exact/cycles`.

use grognard_base::Budget;
use grognard_base::Meter;
use grognard_base::value::Fraction;
use grognard_odds::cycles::*;
use std::collections::BTreeMap;

#[test]
fn a_walk_between_two_ends() {
    // three places in a row, one step left or right: from the middle one both ends are as likely
    let half: Fraction = "1/2".parse().unwrap();
    let rows = vec![
        BTreeMap::from([(1, half.clone())]),
        BTreeMap::from([(0, half.clone()), (2, half.clone())]),
        BTreeMap::from([(1, half.clone())]),
    ];
    let solved = Cycle { rows, out: vec![half.clone(), Fraction::zero(), half.clone()] };
    let solved = solved.solve(&Meter::new(Budget::default()), &mut { u64::MAX }).unwrap();
    let zero = Fraction::zero();
    let visits = solved.visits(vec![zero.clone(), Fraction::one(), zero.clone()]);
    assert_eq!(visits.iter().map(Fraction::to_string).collect::<Vec<_>>(), ["1", "2", "1"]);
    let worth = solved.worth(vec![half, zero.clone(), zero]);
    assert_eq!(worth.iter().map(Fraction::to_string).collect::<Vec<_>>(), ["3/4", "1/2", "1/4"]);
}
