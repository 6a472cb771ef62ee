//! Suggestions for misspelled names: the nearest candidate by the edit distance of Damerau (1964) and Levenshtein
//! (1966).

/// Maximum number of candidates examined, and of those whose distance is computed. They bound the work for one word.
pub const LOOKED_AT: usize = 2000;
pub const MEASURED: usize = 32;
/// Longer names are not treated as misspellings.
const LONGEST: usize = 64;

/// Returns the candidate nearest to `word`, or `None` if none is near enough to be a misspelling.
pub fn near_miss<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(word, &mut candidates.into_iter())
}

// not generic: a hundred callers have a hundred types of candidate iterators
fn nearest<'a>(word: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let allowed = match word.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        n => 1 + n / 4,
    };
    likely(word, allowed, candidates)
        .into_iter()
        .map(|c| (distance(word, c), c))
        .filter(|(d, c)| *d <= allowed && *d < c.chars().count().max(2))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Returns the distance of two words. Differences in case do not count if ignoring them makes the distance smaller.
fn distance(word: &str, candidate: &str) -> usize {
    let written = strsim::damerau_levenshtein(word, candidate);
    let folded = strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase());
    written.min(folded)
}

/// Returns the candidates that can be within the distance `allowed`, sorted by the number of letters in which they
/// differ from `word`.
pub fn likely<'a>(word: &str, allowed: usize, candidates: &mut dyn Iterator<Item = &'a str>) -> Vec<&'a str> {
    let own = letters(word);
    let mut likely: Vec<(usize, &str)> = candidates
        .take(LOOKED_AT)
        .filter(|c| c.len() <= LONGEST && *c != word)
        .map(|c| (apart(&own, &letters(c)), c))
        .filter(|(least, _)| *least <= allowed)
        .collect();
    super::order::sort_by_key(&mut likely, |(least, _)| *least);
    likely.into_iter().map(|(_, c)| c).take(MEASURED).collect()
}

/// Counts the letters of a word. Different characters can share a counter.
pub fn letters(word: &str) -> [u8; 32] {
    let mut counts = [0; 32];
    // names have at most 64 letters, so a counter does not overflow
    word.chars().for_each(|c| counts[c as usize % 32] += 1);
    counts
}

/// Returns a lower bound of the edit distance: the bag distance (Bartolini, Ciaccia, Patella 2002).
pub fn apart(a: &[u8; 32], b: &[u8; 32]) -> usize {
    let (mut more, mut less) = (0, 0);
    for (a, b) in a.iter().zip(b) {
        more += usize::from(a.saturating_sub(*b));
        less += usize::from(b.saturating_sub(*a));
    }
    more.max(less)
}

/// Returns `; did you mean `x`?`, or an empty string if no candidate is near.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    near_miss(word, candidates).map_or(String::new(), |c| format!("; did you mean `{c}`?"))
}
