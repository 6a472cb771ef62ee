//! Fairness, independence and the ways to the same word.

use grognard_base::value::dice::bulk::{LANES, Numbers, Streams};
use grognard_base::value::dice::*;
use proptest::prelude::*;

fn site(ordinal: u32) -> Site {
    Site::new(name("Volley.aim"), name("r1"), ordinal)
}

/// Chi-square of counts against equal shares.
fn chi_square(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    counts.iter().map(|c| (*c as f64 - expected).powi(2) / expected).sum()
}

/// A value that chi-square passes about once in a million (Wilson and Hilferty's approximation).
fn one_in_a_million(degrees: usize) -> f64 {
    let k = degrees as f64;
    let root = 1.0 - 2.0 / (9.0 * k) + 4.753 * (2.0 / (9.0 * k)).sqrt();
    k * root.powi(3)
}

#[test]
fn names_are_fnv() {
    assert_eq!(name(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(name("a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(name("foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn every_die_is_fair() {
    let mut faces = [0; 1000];
    for sides in 2..=100u32 {
        let mut counts = vec![0u64; sides as usize];
        for run in 0..20 * u64::from(sides) {
            Stream::new(u64::from(sides), run).pool(site(0), sides, &mut faces[..100]);
            faces[..100].iter().for_each(|f| counts[*f as usize - 1] += 1);
        }
        let chi = chi_square(&counts);
        assert!(chi < one_in_a_million(sides as usize - 1), "d{sides}: {chi}");
    }
}

#[test]
fn neighbours_are_independent() {
    // Pairs of faces that lie next to each other in one part of the key, in turn for each part.
    type Die = fn(u32) -> u32;
    let parts: [(&str, Die); 8] = [
        ("index", |n| Stream::new(1, 1).die(site(0), n, 0, 6)),
        ("run", |n| Stream::new(1, u64::from(n)).die(site(0), 0, 0, 6)),
        ("seed", |n| Stream::new(u64::from(n), 1).die(site(0), 0, 0, 6)),
        ("ordinal", |n| Stream::new(1, 1).die(site(n), 0, 0, 6)),
        ("large", |n| (Stream::new(1, 1).die(site(n / 4), n % 4, 0, 600) - 1) / 100 + 1),
        ("single", |n| Stream::new(1, 1).single_at(site(0).place(), n, 6, &mut KeptBlock::default())),
        ("throw", |n| Stream::new(1, 1).die(site(0), 0, n, 6)),
        ("subject", |n| Stream::new(1, 1).die(Site::new(name("A.b"), u64::from(n), 0), 0, 0, 6)),
    ];
    for (what, die) in parts {
        let mut counts = [0u64; 36];
        let faces: Vec<u32> = (0..72_001).map(die).collect();
        for pair in faces.windows(2) {
            counts[(6 * (pair[0] - 1) + pair[1] - 1) as usize] += 1;
        }
        let chi = chi_square(&counts);
        assert!(chi < one_in_a_million(35), "{what}: {chi}");
    }
}

#[test]
fn unfair_words_are_passed_over() {
    // With 3 * 2^30 sides every fourth word is passed over; each quarter of the faces still gets its share.
    let sides = 3 << 30;
    let mut counts = [0u64; 3];
    for run in 0..30_000 {
        let stream = Stream::new(5, run);
        let face = stream.die(site(0), 2, 0, sides);
        assert!((1..=sides).contains(&face));
        counts[((face - 1) >> 30) as usize] += 1;
        let mut pool = [0; 3];
        stream.pool(site(0), sides, &mut pool);
        assert_eq!(pool[2], face);
    }
    assert!(chi_square(&counts) < one_in_a_million(2), "{counts:?}");
}

/// With 241 sides three of a thousand half words are passed over; pools and dice alone agree on what falls instead.
#[test]
fn unfair_half_words_are_passed_over() {
    let sides = 241;
    let mut counts = vec![0u64; sides as usize];
    for run in 0..6_000 {
        let stream = Stream::new(5, run);
        let mut pool = [0; 40];
        stream.pool(site(run as u32 % 3), sides, &mut pool);
        for (index, face) in (0u32..).zip(pool) {
            assert_eq!(face, stream.die(site(run as u32 % 3), index, 0, sides), "{run} {index}");
            counts[face as usize - 1] += 1;
        }
        let single = stream.single_at(site(0).place(), 9, sides, &mut KeptBlock::default());
        assert!((1..=sides).contains(&single));
        counts[single as usize - 1] += 1;
    }
    assert!(chi_square(&counts) < one_in_a_million(240), "{counts:?}");
}

#[test]
fn shuffles_are_fair() {
    let mut counts = std::collections::BTreeMap::new();
    for run in 0..24_000 {
        let mut list = [0u8, 1, 2, 3];
        Stream::new(9, run).shuffle(site(0), &mut list);
        *counts.entry(list).or_insert(0u64) += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    assert_eq!(counts.len(), 24);
    assert!(chi_square(&counts) < one_in_a_million(23));
}

#[test]
fn draws_follow_their_weights() {
    let deck: Vec<(u64, u32)> = [("a", 1), ("b", 2), ("c", 0), ("d", 3)].map(|(n, w)| (name(n), w)).to_vec();
    let mut counts = [0u64; 6];
    for run in 0..60_000 {
        let drawn = Stream::new(3, run).draw(site(0), &deck, 1);
        match drawn[..] {
            [0] => counts[0] += 1,
            [1] => counts[1 + (run % 2) as usize] += 1,
            [3] => counts[3 + (run % 3) as usize] += 1,
            _ => panic!("{drawn:?}"),
        }
    }
    assert!(chi_square(&counts) < one_in_a_million(5), "{counts:?}");
    let all = Stream::new(3, 1).draw(site(0), &deck, 10);
    assert_eq!(all.len(), 3);
    assert!(Stream::new(3, 1).draw(site(0), &[], 1).is_empty());
}

#[test]
fn a_newcomer_changes_a_draw_only_by_being_drawn() {
    let old: Vec<(u64, u32)> = (0..5).map(|n| (name(&format!("Unit#{n}")), 1)).collect();
    let new = [old.clone(), vec![(name("Unit#new"), 1)]].concat();
    for run in 0..500 {
        let stream = Stream::new(8, run);
        let (before, after) = (stream.draw(site(0), &old, 5), stream.draw(site(0), &new, 6));
        let rest: Vec<usize> = after.into_iter().filter(|n| *n != 5).collect();
        assert_eq!(before, rest);
    }
}

proptest! {
    #[test]
    fn all_ways_give_the_same_word(
        seed: u64, run: u64, address: u64, subject: u64, ordinal: u32, index in 0u32..300, throw in 0u32..5, sides in 0u32..3_000_000_000,
    ) {
        let (stream, site) = (Stream::new(seed, run), Site::new(address, subject, ordinal));
        let word = stream.word(site, index, throw);
        prop_assert_eq!(stream.block(site, index / 4, throw)[(index % 4) as usize], word);
        let face = stream.die(site, index, throw, sides);
        prop_assert!((1..=sides.max(1)).contains(&face));
        let mut pool = vec![0; index as usize + 1];
        stream.pool(site, sides, &mut pool);
        prop_assert_eq!(pool[index as usize], stream.die(site, index, 0, sides));
    }
}

#[test]
fn lanes_draw_what_runs_draw() {
    let (mut streams, mut numbers) = (Streams::new(), Numbers::default());
    for (seed, first) in [(1, 0), (u64::MAX, 77), (3, u64::MAX - 100)] {
        streams.start(seed, first);
        // among small counts and large ones, those that reject many words
        for count in [1, 2, 6, 7, 200, 255, 256, 257, 1_000, 1 << 17, (1 << 31) + 1] {
            streams.below(site(0).place(), count, &mut numbers);
            for lane in 0..LANES {
                let stream = Stream::new(seed, first.wrapping_add(lane as u64));
                assert_eq!(numbers.below[lane], stream.below(site(0), 0, 0, count), "{count} in lane {lane}");
                let words = [1, 2].map(|index| u64::from(stream.word(site(0), index, 0)));
                assert_eq!(numbers.further(lane), words[0] << 32 | words[1], "{count} in lane {lane}");
            }
        }
    }
}
