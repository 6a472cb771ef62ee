//! Did you mean: the nearest of some names.

/// The candidate nearest to `word`, if one is near enough to be a slip of the pen.
/// Looks at no more than 2,000 candidates of at most 64 bytes.
pub fn near_miss<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let allowed = match word.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        n => 1 + n / 4,
    };
    candidates
        .into_iter()
        .take(2000)
        .filter(|c| c.len() <= 64 && *c != word)
        .map(|c| (strsim::damerau_levenshtein(word, c), c))
        .filter(|(d, c)| *d <= allowed && *d < c.chars().count().max(2))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// `; did you mean `x`?`, or nothing if no candidate is near.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    near_miss(word, candidates).map_or(String::new(), |c| format!("; did you mean `{c}`?"))
}
