//! Inside `base/order`.

use grognard_base::order::*;

#[test]
fn sorts_as_the_standard_library_does() {
    let mut seed = 1u64;
    for count in 0..200 {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 40
        };
        let list: Vec<(u64, usize)> = (0..count).map(|n| (next() % 17, n)).collect();
        let (mut own, mut standard) = (list.clone(), list);
        sort_by_key(&mut own, |(key, _)| *key);
        standard.sort_by_key(|(key, _)| *key);
        assert_eq!(own, standard);
        sort_by(&mut own, |a, b| b.cmp(a));
        standard.sort_by(|a, b| b.cmp(a));
        assert_eq!(own, standard);
        sort(&mut own);
        standard.sort();
        assert_eq!(own, standard);
    }
}
