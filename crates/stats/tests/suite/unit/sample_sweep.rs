//! Inside `sample/sweep`.

use grognard_stats::sweep::*;

#[test]
fn every_point_belongs_to_one_shard() {
    let shards = |of| (1..=of).map(move |number| Shard { number, of });
    for of in 1..8 {
        assert!((0..50).all(|point| shards(of).filter(|s| s.has(point)).count() == 1));
    }
    assert_eq!(Shard::read("2/3"), Some(Shard { number: 2, of: 3 }));
    assert!(["0/3", "4/3", "x/3", "3", "1/0", "-1/2"].iter().all(|text| Shard::read(text).is_none()));
}
