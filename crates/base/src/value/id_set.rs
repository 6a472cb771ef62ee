//! A set of ids: one bit for each.

use fixedbitset::FixedBitSet;
use std::fmt;
use std::marker::PhantomData;

/// A set of ids of one sort, in their order. All sets share their code, whatever their ids are.
pub struct IdSet<I> {
    bits: FixedBitSet,
    ids: PhantomData<I>,
}

/// An id that is a small number, so that a set of them is a row of bits.
pub trait Id: Copy + From<usize> {
    /// The id as an index.
    fn index(self) -> usize;
}

impl<I: Id> IdSet<I> {
    /// Adds an id; true if it is new.
    pub fn insert(&mut self, id: I) -> bool {
        insert(&mut self.bits, id.index())
    }

    /// Takes an id out; true if it was there.
    pub fn remove(&mut self, id: I) -> bool {
        let was = self.bits.contains(id.index());
        if was {
            self.bits.remove(id.index());
        }
        was
    }

    /// True if the id is there.
    pub fn contains(&self, id: I) -> bool {
        self.bits.contains(id.index())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bits.count_ones(..)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }

    /// True if no id is in both.
    pub fn is_disjoint(&self, other: &IdSet<I>) -> bool {
        self.bits.is_disjoint(&other.bits)
    }

    /// True if all of these ids are in the other.
    pub fn is_subset(&self, other: &IdSet<I>) -> bool {
        self.bits.is_subset(&other.bits)
    }

    /// Adds all of the other; true if some are new.
    pub fn union_with(&mut self, other: &IdSet<I>) -> bool {
        union_with(&mut self.bits, &other.bits)
    }

    /// Those that are not in the other.
    pub fn without(&self, other: &IdSet<I>) -> IdSet<I> {
        let mut bits = self.bits.clone();
        bits.difference_with(&other.bits);
        IdSet { bits, ids: PhantomData }
    }

    /// Takes all out.
    pub fn clear(&mut self) {
        self.bits.clear();
    }

    /// The ids, in order.
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

/// The ids of a set, in order.
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
