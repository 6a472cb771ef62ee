//! Inside `board/angle`.

use grognard_board::angle::*;

#[test]
fn quarters_halves_and_diagonals_are_exact() {
    for (v, b) in [
        ((0, 1), 0),
        ((1, 1), 4_500),
        ((1, 0), 9_000),
        ((7, -7), 13_500),
        ((0, -9), 18_000),
        ((-3, -3), 22_500),
        ((-1, 0), 27_000),
        ((-5, 5), 31_500),
        ((3, 4), 3_687),
        ((4, 3), 5_313),
        ((-1, 1_000_000), 0),
        ((-1, 1_000), 35_994),
    ] {
        assert_eq!(bearing_of(v), Some(b), "{v:?}");
    }
    assert_eq!(direction(0), (0, ONE));
    assert_eq!(direction(9_000), (ONE, 0));
    assert_eq!(direction(18_000), (0, -ONE));
    assert_eq!(direction(27_000), (-ONE, 0));
    assert_eq!(direction(3_000).0, ONE / 2);
    assert_eq!(direction(24_000).1, -ONE / 2);
    let (s, c) = direction(4_500);
    assert_eq!(s, c);
    assert_eq!(bearing_of((0, 0)), None);
}

#[test]
fn the_table_of_leans_tells_what_turns_tell() {
    let by_turns = |x, y| (lean_by_turns(x, y) + FINE / 2).div_euclid(FINE).clamp(0, 9_000);
    let mut n = 1u64;
    let mut next = |bits: u32| {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (n >> 33) as i64 >> (31 - bits)
    };
    for k in 0..200_000 {
        let (x, y) = (next(k % 31), next(k / 31 % 31));
        // and where two bearings part, to the last bit of the vector
        let angle = next(16) % 9_000;
        let ((sin, cos), (next_sin, next_cos)) = (direction(angle), direction(angle + 1));
        for (x, y) in [(x, y), (y, x), (sin + next_sin, cos + next_cos), (sin, cos + x % 3 - 1)] {
            if (x, y) != (0, 0) {
                assert_eq!(lean(x.abs(), y.abs()), by_turns(x.abs(), y.abs()), "{x} {y}");
            }
        }
    }
}

#[test]
fn a_direction_has_the_bearing_it_came_from() {
    for a in 0..CIRCLE {
        let v = direction(a);
        assert_eq!(bearing_of(v), Some(a));
        let n = i128::from(v.0).pow(2) + i128::from(v.1).pow(2);
        let one = i128::from(ONE);
        assert!((n - one * one).abs() <= 3 * one, "{a}");
    }
}
