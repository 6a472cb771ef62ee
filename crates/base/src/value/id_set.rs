//! A set of ids, as a bit set.

use fixedbitset::FixedBitSet;
use std::fmt;
use std::marker::PhantomData;

/// An ordered set of ids of one type. Sets of all id types share their code.
pub struct IdSet<I> {
    bits: FixedBitSet,
    ids: PhantomData<I>,
}

/// An id that is a small number, so that a bit set can hold it.
pub trait Id: Copy + From<usize> {
    /// Returns the id as an index.
    fn index(self) -> usize;
}

impl<I: Id> IdSet<I> {
    /// Inserts an id and returns whether it was new.
    pub fn insert(&mut self, id: I) -> bool {
        insert(&mut self.bits, id.index())
    }

    /// Removes an id and returns whether it was present.
    pub fn remove(&mut self, id: I) -> bool {
        let was = self.bits.contains(id.index());
        if was {
            self.bits.remove(id.index());
        }
        was
    }

    /// Returns whether the set contains the id.
    pub fn contains(&self, id: I) -> bool {
        self.bits.contains(id.index())
    }

    /// Returns the number of ids. O(n) in the size of the bit set.
    pub fn len(&self) -> usize {
        self.bits.count_ones(..)
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }

    /// Returns whether the sets have no common id.
    pub fn is_disjoint(&self, other: &IdSet<I>) -> bool {
        self.bits.is_disjoint(&other.bits)
    }

    /// Returns whether `other` contains every id of this set.
    pub fn is_subset(&self, other: &IdSet<I>) -> bool {
        self.bits.is_subset(&other.bits)
    }

    /// Inserts all ids of `other` and returns whether any was new.
    pub fn union_with(&mut self, other: &IdSet<I>) -> bool {
        union_with(&mut self.bits, &other.bits)
    }

    /// Returns the ids that are not in `other`.
    pub fn without(&self, other: &IdSet<I>) -> IdSet<I> {
        let mut bits = self.bits.clone();
        bits.difference_with(&other.bits);
        IdSet { bits, ids: PhantomData }
    }

    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// Returns the ids in order.
    pub fn iter(&self) -> Iter<'_, I> {
        Iter { bits: self.bits.ones(), ids: PhantomData }
    }
}

fn insert(bits: &mut FixedBitSet, at: usize) -> bool {
    bits.grow(at + 1);
    !bits.put(at)
}

fn union_with(bits: &mut FixedBitSet, other: &FixedBitSet) -> bool {
    let news = !other.is_subset(bits);
    if news {
        bits.union_with(other);
    }
    news
}

/// Iterator over the ids of a set, in order.
pub struct Iter<'a, I> {
    bits: fixedbitset::Ones<'a>,
    ids: PhantomData<I>,
}

impl<I: Id> Iterator for Iter<'_, I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        self.bits.next().map(I::from)
    }
}

impl<'a, I: Id> IntoIterator for &'a IdSet<I> {
    type Item = I;
    type IntoIter = Iter<'a, I>;

    fn into_iter(self) -> Iter<'a, I> {
        self.iter()
    }
}

impl<I: Id> Extend<I> for IdSet<I> {
    fn extend<T: IntoIterator<Item = I>>(&mut self, ids: T) {
        ids.into_iter().for_each(|id| {
            self.insert(id);
        });
    }
}

impl<I: Id> FromIterator<I> for IdSet<I> {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> IdSet<I> {
        let mut set = IdSet::default();
        set.extend(ids);
        set
    }
}

impl<I> Default for IdSet<I> {
    fn default() -> IdSet<I> {
        IdSet { bits: FixedBitSet::new(), ids: PhantomData }
    }
}

impl<I> Clone for IdSet<I> {
    fn clone(&self) -> IdSet<I> {
        IdSet { bits: self.bits.clone(), ids: PhantomData }
    }
}

impl<I> PartialEq for IdSet<I> {
    fn eq(&self, other: &IdSet<I>) -> bool {
        self.bits.is_subset(&other.bits) && other.bits.is_subset(&self.bits)
    }
}

impl<I> Eq for IdSet<I> {}

impl<I> fmt::Debug for IdSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.bits.ones()).finish()
    }
}
