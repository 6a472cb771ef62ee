//! Flat ordered maps and sets: sorted lists that are searched by halves. For what a text names, hundreds of entries that mostly come in
//! their order: a B-tree is compiled for each pair of types anew, some 5,000 lines of LLVM, a list is a tenth of that. What a
//! run or a question counts is kept in B-trees and hash tables.

use super::order;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

/// An ordered map.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrdMap<K, V>(Vec<(K, V)>);

/// An ordered set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrdSet<T>(Vec<T>);

/// Where a key is, or would be put in.
fn find<T, Q: Ord + ?Sized>(list: &[T], key: &Q, of: impl Fn(&T) -> &Q) -> Result<usize, usize> {
    match list.last() {
        // most come in their order
        Some(last) if of(last) < key => Err(list.len()),
        _ => list.binary_search_by(|each| of(each).cmp(key)),
    }
}

/// Sorts; of entries with one key the last is kept.
fn settle<T, Q: Ord + ?Sized>(list: &mut Vec<T>, of: impl Fn(&T) -> &Q) {
    order::sort_by(list, |a, b| of(a).cmp(of(b)));
    list.dedup_by(|later, earlier| {
        let same = of(later) == of(earlier);
        if same {
            std::mem::swap(later, earlier);
        }
        same
    });
}

/// A place in a map, with an entry or without.
pub struct Entry<'a, K, V> {
    map: &'a mut Vec<(K, V)>,
    key: K,
    at: Result<usize, usize>,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// Its value, made if there is none.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.at {
            Ok(at) => at,
            Err(at) => {
                self.map.insert(at, (self.key, make()));
                at
            }
        };
        &mut self.map[at].1
    }

    /// Its value, this one if there is none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Its value, the default if there is none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// Changes its value, if there is one.
    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Ok(at) = self.at {
            change(&mut self.map[at].1);
        }
        self
    }
}

impl<K: Ord, V> OrdMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        OrdMap(Vec::new())
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        find(&self.0, key, |(k, _)| k.borrow()).ok().map(|at| &self.0[at].1)
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        find(&self.0, key, |(k, _)| k.borrow()).ok().map(|at| &mut self.0[at].1)
    }

    /// True if the key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        find(&self.0, key, |(k, _)| k.borrow()).is_ok()
    }

    /// Gives a key a value; gives back the one it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match find(&self.0, &key, |(k, _)| k) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Takes a key and its value out.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        find(&self.0, key, |(k, _)| k.borrow()).ok().map(|at| self.0.remove(at).1)
    }

    /// The last entry whose key is not after this one.
    pub fn up_to(&self, key: &K) -> Option<(&K, &V)> {
        let count = find(&self.0, key, |(k, _)| k).map_or_else(|at| at, |at| at + 1);
        self.0[..count].last().map(|(k, v)| (k, v))
    }

    /// The place of a key.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let at = find(&self.0, &key, |(k, _)| k);
        Entry { map: &mut self.0, key, at }
    }
}

impl<K, V> OrdMap<K, V> {
    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keys with their values, in the order of the keys.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> + ExactSizeIterator + Clone {
        self.0.iter().map(|(k, v)| (k, v))
    }

    /// Keys with their values, which may be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.0.iter_mut().map(|(k, v)| (&*k, v))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|(k, _)| k)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, v)| v)
    }

    /// The values, which may be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, v)| v)
    }

    /// The keys alone.
    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.0.into_iter().map(|(k, _)| k)
    }

    /// The values alone.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, v)| v)
    }

    /// Takes the entry with the least key out.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Keeps what fits.
    pub fn retain(&mut self, mut fits: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(k, v)| fits(k, v));
    }
}

impl<T: Ord> OrdSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        OrdSet(Vec::new())
    }

    /// True if it is in the set.
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        find(&self.0, value, T::borrow).is_ok()
    }

    /// Puts it into the set; false if it was there.
    pub fn insert(&mut self, value: T) -> bool {
        let at = find(&self.0, &value, |v| v);
        if let Err(at) = at {
            self.0.insert(at, value);
        }
        at.is_err()
    }

    /// Takes it out; false if it was not there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        find(&self.0, value, T::borrow).map(|at| self.0.remove(at)).is_ok()
    }

    /// Takes the least out.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// What is in this set and not in the other.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.0.iter().filter(|each| !other.contains(*each))
    }

    /// What is in both.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> {
        self.0.iter().filter(|each| other.contains(*each))
    }

    /// True if nothing is in both.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.intersection(other).next().is_none()
    }

    /// True if all of it is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).next().is_none()
    }
}

impl<T> OrdSet<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// All in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The least.
    pub fn first(&self) -> Option<&T> {
        self.0.first()
    }

    /// The greatest.
    pub fn last(&self) -> Option<&T> {
        self.0.last()
    }

    /// Keeps what fits.
    pub fn retain(&mut self, fits: impl FnMut(&T) -> bool) {
        self.0.retain(fits);
    }
}

impl<K, V> Default for OrdMap<K, V> {
    fn default() -> Self {
        OrdMap(Vec::new())
    }
}

impl<T> Default for OrdSet<T> {
    fn default() -> Self {
        OrdSet(Vec::new())
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for OrdMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T: fmt::Debug> fmt::Debug for OrdSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0).finish()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for OrdMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> Self {
        let mut list: Vec<(K, V)> = all.into_iter().collect();
        settle(&mut list, |(k, _)| k);
        OrdMap(list)
    }
}

impl<T: Ord> FromIterator<T> for OrdSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut list: Vec<T> = all.into_iter().collect();
        settle(&mut list, |v| v);
        OrdSet(list)
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for OrdMap<K, V> {
    fn from(all: [(K, V); N]) -> Self {
        all.into_iter().collect()
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for OrdSet<T> {
    fn from(all: [T; N]) -> Self {
        all.into_iter().collect()
    }
}

impl<K: Ord, V> Extend<(K, V)> for OrdMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, all: I) {
        for (key, value) in all {
            self.insert(key, value);
        }
    }
}

impl<T: Ord> Extend<T> for OrdSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, all: I) {
        for value in all {
            self.insert(value);
        }
    }
}

impl<'a, T: Ord + Copy> Extend<&'a T> for OrdSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, all: I) {
        self.extend(all.into_iter().copied());
    }
}

impl<K, V> IntoIterator for OrdMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> IntoIterator for OrdSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a OrdMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(k, v)| (k, v))
    }
}

impl<'a, T> IntoIterator for &'a OrdSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for OrdMap<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("a key of the map")
    }
}

impl<K: Serialize, V: Serialize> Serialize for OrdMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for OrdMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<K, V>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
    type Value = OrdMap<K, V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
        let mut map = OrdMap::new();
        while let Some((key, value)) = from.next_entry()? {
            map.insert(key, value);
        }
        Ok(map)
    }
}

impl<T: Serialize> Serialize for OrdSet<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<'de, T: Deserialize<'de> + Ord> Deserialize<'de> for OrdSet<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(OrdSet::from_iter)
    }
}
