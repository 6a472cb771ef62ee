//! Statistics of pools against every way their dice can fall, counted here.

use grognard_base::value::Fraction;
use grognard_kit::Lab;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Every way that so many dice fall.
fn falls(faces: &[i64], dice: usize) -> Vec<Vec<i64>> {
    (0..dice).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|fall| faces.iter().map(|face| [fall.as_slice(), &[*face]].concat())).collect()
    })
}

/// The odds of what each fall comes to, as the lab tells them.
fn counted(falls: &[Vec<i64>], of: impl Fn(&[i64]) -> i64) -> String {
    let mut ways: BTreeMap<i64, usize> = BTreeMap::new();
    falls.iter().for_each(|fall| *ways.entry(of(fall)).or_default() += 1);
    let share = |n: usize| Fraction::of(BigUint::from(n), BigUint::from(falls.len()));
    let rendered: Vec<String> = ways.into_iter().map(|(value, n)| format!("{value}: {}", share(n))).collect();
    rendered.join(", ")
}

#[test]
fn sums_of_the_best_and_compared_counts() {
    for (die, faces) in [("d4", vec![1, 2, 3, 4]), ("Odd", vec![-3, 0, 0, 5])] {
        for dice in 1..=4 {
            let falls = falls(&faces, dice);
            for k in 0..=dice + 1 {
                let rules = format!(
                    "die Odd of -3..5 = -3, 0, 0, 5\n
                     proc top() -> Int {{ roll p = {dice} of {die}\n return total(highest({k}, p)) }}\n
                     proc low() -> Int {{ roll p = {dice} of {die}\n return total(lowest({k}, p)) }}\n
                     proc many() -> Flag {{ roll p = {dice} of {die}\n return (count p > 0) >= {k} }}\n
                     proc any() -> Int {{ roll p = {dice} of {die}\n if any p == 3 {{ return {k} }}\n return -1 }}"
                );
                let lab = Lab::of(&rules);
                let best = |fall: &[i64], sign: i64| {
                    let mut sorted = fall.to_vec();
                    sorted.sort_by_key(|face| sign * face);
                    sorted.iter().take(k).sum::<i64>()
                };
                assert_eq!(lab.odds("top", &[]), counted(&falls, |fall| best(fall, -1)), "{rules}");
                assert_eq!(lab.odds("low", &[]), counted(&falls, |fall| best(fall, 1)), "{rules}");
                let many = |fall: &[i64]| i64::from(fall.iter().filter(|face| **face > 0).count() >= k);
                assert_eq!(lab.odds("many", &[]), counted(&falls, many), "{rules}");
                let any = |fall: &[i64]| if fall.contains(&3) { k as i64 } else { -1 };
                assert_eq!(lab.odds("any", &[]), counted(&falls, any), "{rules}");
            }
        }
    }
}
