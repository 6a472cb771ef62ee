//! Inside `value/dice/philox`.

use grognard_base::value::dice::philox::*;

#[test]
fn wide_is_the_same() {
    let key = [0xa409_3822, 0x299f_31d0];
    for last in [0, 7, u32::MAX - 1] {
        let wide = rounds_wide::<2>([1, 2, 3, last], &schedule(key));
        for (n, word) in wide.into_iter().enumerate() {
            for (at, found) in (0u32..).zip(word.numbers().as_flattened()) {
                assert_eq!(*found as u32, philox([1, 2, 3, last.wrapping_add(at)], key)[n]);
            }
        }
    }
}

#[test]
fn published_vectors() {
    let all = u32::MAX;
    assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    assert_eq!(philox([all; 4], [all; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    assert_eq!(
        philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
    );
}
