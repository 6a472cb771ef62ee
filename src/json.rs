//! Pairs as objects with two named parts, for JSON and other formats of `serde`.

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

struct Named<'p, A, B>(&'p (A, B), [&'static str; 2]);

impl<A: Serialize, B: Serialize> Serialize for Named<'_, A, B> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Named((first, second), [one, two]) = self;
        let mut pair = to.serialize_struct("Pair", 2)?;
        pair.serialize_field(one, first)?;
        pair.serialize_field(two, second)?;
        pair.end()
    }
}

/// Writes pairs as a list of objects.
fn list<A: Serialize, B: Serialize, S: Serializer>(
    pairs: &[(A, B)],
    names: [&'static str; 2],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(pairs.iter().map(|pair| Named(pair, names)))
}

/// Writes values with their probabilities.
pub(crate) fn outcomes<A: Serialize, B: Serialize, S: Serializer>(pairs: &[(A, B)], to: S) -> Result<S::Ok, S::Error> {
    list(pairs, ["value", "chance"], to)
}

/// Writes errors with their probabilities.
pub(crate) fn faults<A: Serialize, B: Serialize, S: Serializer>(pairs: &[(A, B)], to: S) -> Result<S::Ok, S::Error> {
    list(pairs, ["error", "chance"], to)
}

/// Writes values with the number of their runs.
pub(crate) fn values<A: Serialize, B: Serialize, S: Serializer>(pairs: &[(A, B)], to: S) -> Result<S::Ok, S::Error> {
    list(pairs, ["value", "runs"], to)
}

/// Writes places with their texts.
pub(crate) fn labels<A: Serialize, B: Serialize, S: Serializer>(pairs: &[(A, B)], to: S) -> Result<S::Ok, S::Error> {
    list(pairs, ["place", "text"], to)
}

/// Writes the number of a run with its error.
pub(crate) fn fault<A: Serialize, B: Serialize, S: Serializer>(
    pair: &Option<(A, B)>,
    to: S,
) -> Result<S::Ok, S::Error> {
    pair.as_ref().map(|pair| Named(pair, ["run", "error"])).serialize(to)
}
