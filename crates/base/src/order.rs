//! Stable sorting without monomorphisation: places are sorted through one `dyn` comparison, and the list is permuted after them. The
//! standard library's sorts are some 3,000 lines of LLVM for each type and closure; where sorting takes time they are used.

use std::cmp::Ordering;

/// The places from 0 to `count` in the order of what lies there.
fn ranked(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| order(*a, *b));
    places
}

/// Sorts a list; what is equal stays in its order.
pub fn sort_by<T>(list: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    let places = ranked(list.len(), &mut |a, b| order(&list[a], &list[b]));
    for n in 0..places.len() {
        // what belongs here was swapped on if it lay before this place: its swaps are followed
        let mut from = places[n];
        while from < n {
            from = places[from];
        }
        list.swap(n, from);
    }
}

/// Sorts a list by a key.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list of what has an order of its own.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}
