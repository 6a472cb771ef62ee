//! Did you mean: the nearest of some names by the distance of Damerau (1964) and Levenshtein (1966).

/// Candidates that are looked at, and those of them whose distance is worked out: the work for one word has a bound.
pub const LOOKED_AT: usize = 2000;
pub const MEASURED: usize = 32;
/// Longer names are no slips of the pen.
const LONGEST: usize = 64;

/// The candidate nearest to `word`, if one is near enough to be a slip of the pen.
pub fn near_miss<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest(word, &mut candidates.into_iter())
}

// built once: a hundred callers have a hundred sorts of candidates
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

/// Returns the distance of two words, whatever the case of their letters if that makes them nearer.
fn distance(word: &str, candidate: &str) -> usize {
    let written = strsim::damerau_levenshtein(word, candidate);
    let folded = strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase());
    written.min(folded)
}

/// The few candidates that may be within a distance, those first that have most letters in common.
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

/// How often each letter stands in a word; different signs may share a place.
pub fn letters(word: &str) -> [u8; 32] {
    let mut counts = [0; 32];
    // no name has more than 64 letters
    word.chars().for_each(|c| counts[c as usize % 32] += 1);
    counts
}

/// No fewer letters than this have to be put in, taken out or changed: the bag distance (Bartolini, Ciaccia, Patella 2002).
pub fn apart(a: &[u8; 32], b: &[u8; 32]) -> usize {
    let (mut more, mut less) = (0, 0);
    for (a, b) in a.iter().zip(b) {
        more += usize::from(a.saturating_sub(*b));
        less += usize::from(b.saturating_sub(*a));
    }
    more.max(less)
}

/// `; did you mean `x`?`, or nothing if no candidate is near.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    near_miss(word, candidates).map_or(String::new(), |c| format!("; did you mean `{c}`?"))
}
