//! Inside `base/near`.

use grognard_base::near::*;

#[test]
fn few_candidates_are_measured_and_the_nearest_is_among_them() {
    let names: Vec<String> = (0..5_000).map(|n| format!("name{n}")).collect();
    let all = || names.iter().map(String::as_str);
    assert_eq!(likely("nmae77", 2, &mut all()).len(), MEASURED);
    assert_eq!(near_miss("nmae77", all()), Some("name77"));
    assert_eq!(near_miss("name1234x", all()), Some("name1234"));
    assert_eq!(near_miss("figure", all()), None);
}

#[test]
fn letters_are_never_farther_apart_than_words() {
    let words = ["strength", "strenght", "length", "Ärger", "arger", "", "aab", "baa", "x"];
    for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
        assert!(apart(&letters(a), &letters(b)) <= strsim::damerau_levenshtein(a, b), "{a} {b}");
    }
}
