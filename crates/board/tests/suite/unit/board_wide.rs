//! Inside `board/wide`.

use grognard_board::wide::*;

#[test]
fn products_and_differences_carry_over_words() {
    let big = Wide::of(i128::MAX);
    let square = big.times(big);
    assert!(square > big);
    assert!(big.minus(square).is_none());
    // (a - 1)(a + 1) = a^2 - 1
    let a = Wide::of((1 << 100) + 12345);
    let (below, above) = (Wide::of((1 << 100) + 12344), Wide::of((1 << 100) + 12346));
    assert!(a.times(a).minus(Wide::of(1)) == Some(below.times(above)));
}
