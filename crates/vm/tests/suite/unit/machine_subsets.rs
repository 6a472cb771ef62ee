//! Inside `machine/subsets`.

use grognard_vm::subsets::*;
use std::collections::BTreeSet;

/// All of them by brute force: every set of places, told by its values.
fn brute(list: &[i64], least: usize, most: usize) -> BTreeSet<Vec<i64>> {
    let sets = (0u32..1 << list.len()).filter(|s| (least..=most).contains(&(s.count_ones() as usize)));
    sets.map(|s| {
        let mut bag: Vec<i64> = (0..list.len()).filter(|n| s >> n & 1 == 1).map(|n| list[n]).collect();
        bag.sort_unstable();
        bag
    })
    .collect()
}

#[test]
fn every_bag_has_one_number() {
    for list in [vec![], vec![6, 6], vec![6, 6, 1], vec![1, 2, 3, 4], vec![5, 1, 5, 1, 5, 2], vec![3; 9]] {
        for (least, most) in [(0, list.len()), (1, 2), (2, 2), (0, 1)] {
            let sets = Subsets::of(&list, 1, least, most);
            let count = sets.count(u64::MAX);
            let bags: BTreeSet<Vec<i64>> = (0..count)
                .map(|n| {
                    let mut bag: Vec<i64> = sets.nth(n).into_iter().map(|at| list[at]).collect();
                    bag.sort_unstable();
                    bag
                })
                .collect();
            assert_eq!(bags, brute(&list, least, most.min(list.len())), "{least} to {most} of {list:?}");
            assert_eq!(bags.len() as u64, count);
        }
    }
    let plain = Subsets::of(&[1, 2, 3, 4], 1, 1, 4);
    assert_eq!((plain.nth(0), plain.nth(4), plain.nth(14)), (vec![0], vec![0, 1], vec![0, 1, 2, 3]));
    assert!(Subsets::of(&(0..10_000).collect::<Vec<_>>(), 1, 5_000, 5_000).count(4096) > 4096);
    assert_eq!(Subsets::of(&vec![7; 10_000], 1, 9_000, 9_000).nth(0).len(), 9_000);
}
