//! Stable sorting with little monomorphization: indices are sorted through one `dyn` comparison, and the list is
//! permuted accordingly. The standard library's sorts are some 3,000 lines of LLVM IR for each type and closure. Code
//! in which sorting takes time uses those.

use std::cmp::Ordering;

/// Returns the indices `0..count`, sorted by the elements at these indices.
fn ranked(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| order(*a, *b));
    places
}

/// Sorts a list. Equal elements keep their order.
pub fn sort_by<T>(list: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    let places = ranked(list.len(), &mut |a, b| order(&list[a], &list[b]));
    for n in 0..places.len() {
        // an element from before this index was swapped onward; follow its swaps
        let mut from = places[n];
        while from < n {
            from = places[from];
        }
        list.swap(n, from);
    }
}

/// Sorts a list by a key. Equal elements keep their order.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list by the order of its type.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}
