//! Inside `cli/seal`.

use grognard_cli::seal::*;

/// Every text that differs from `whole` in one bit and is still text; what is none is refused before.
fn flipped(whole: &str) -> impl Iterator<Item = String> {
    (0..whole.len() * 8).filter_map(|bit| {
        let mut bytes = whole.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        String::from_utf8(bytes).ok()
    })
}

#[test]
fn a_flipped_bit_and_a_missing_end_are_found() {
    let json = "{\"point\":3,\"rows\":[{\"need\":4,\"estimate\":1.0}]}";
    let sealed = line(json, "a");
    let sealed = sealed.trim_end();
    assert_eq!(unsealed(sealed, "a").as_deref(), Some(json));
    assert_eq!(unsealed(sealed, "b"), None);
    assert!(flipped(sealed).all(|bad| unsealed(&bad, "a").is_none()));
    assert!((0..sealed.len()).all(|cut| unsealed(&sealed[..cut], "a").is_none()));

    let sealed = text("receipt = 1\n\n[[file]]\npath = \"a\"\n");
    assert_eq!(seal(&sealed), Seal::Whole);
    assert!(flipped(&sealed).all(|bad| seal(&bad) != Seal::Whole));
    assert!((0..sealed.len()).all(|cut| seal(&sealed[..cut]) == Seal::Cut));
}
