//! Inside `base/flat`.

use grognard_base::{OrdMap, OrdSet};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn they_hold_what_b_trees_hold() {
    let mut seed = 7u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let (mut map, mut tree) = (OrdMap::new(), BTreeMap::new());
    let (mut set, mut other) = (OrdSet::new(), BTreeSet::new());
    for n in 0..2_000 {
        let key = below(60);
        match below(5) {
            0 => assert_eq!(map.remove(&key), tree.remove(&key)),
            1 => assert_eq!(
                map.entry(key).and_modify(|v| *v += 1).or_insert(n),
                tree.entry(key).and_modify(|v| *v += 1).or_insert(n)
            ),
            2 => assert_eq!(set.remove(&key), other.remove(&key)),
            3 => assert_eq!(set.insert(key), other.insert(key)),
            _ => assert_eq!(map.insert(key, n), tree.insert(key, n)),
        }
        assert_eq!(map.get(&key), tree.get(&key));
        assert_eq!(map.up_to(&key), tree.range(..=key).next_back());
        assert_eq!(set.contains(&key), other.contains(&key));
        assert!(map.iter().eq(&tree) && set.iter().eq(&other));
    }
    // of entries with one key the last is kept
    let pairs: Vec<(u64, u64)> = (0..200).map(|n| (below(50), n)).collect();
    assert!(pairs.iter().copied().collect::<OrdMap<_, _>>().iter().eq(&pairs.into_iter().collect::<BTreeMap<_, _>>()));
}
