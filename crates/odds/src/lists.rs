//! Copies the live lists of a state to a new heap, without the entries that no code reads.

use grognard_base::Code;
use grognard_program::flow::Holds;
use grognard_vm::{Fault, Game, Handle, LazyDice, State, is_unseen};

/// The heap mark in canonical states: larger than any heap, so that the rest of the program frees nothing. It fits into 32 bits:
/// a mark that does not would free the whole heap on a 32-bit machine.
const NO_MARK: i64 = 0x7fff_ffff;

/// A new heap of live lists.
#[derive(Default)]
pub struct Lists {
    heap: Vec<i64>,
    moved: Vec<Moved>,
}

/// A copied list that several registers can hold, or of which only a part is read.
struct Moved {
    /// The old handle.
    old: i64,
    /// The new handle.
    new: i64,
    /// Whether no code reads its order.
    bag: bool,
    /// Number of its first entries that no code reads.
    past: usize,
}

impl Lists {
    /// Clears the new heap and its index.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.moved.clear();
    }

    /// Copies the list of a register to the end of the new heap, and returns the new cell. Unsampled dice stay shared between all
    /// registers that hold them. `base` is the first register of the function.
    #[inline]
    pub fn keep(&mut self, cell: i64, holds: Holds, state: &State, base: usize) -> i64 {
        if holds == Holds::Plain { cell } else { self.keep_list(cell, holds, state, base) }
    }

    fn keep_list(&mut self, cell: i64, holds: Holds, state: &State, base: usize) -> i64 {
        let mut past = 0;
        let (width, bag) = match holds {
            Holds::Plain => return cell,
            Holds::Mark => return NO_MARK,
            Holds::Counted if cell > 0 => return Handle { at: 0, ..Handle::of(cell) }.cell(),
            Holds::Counted => return cell,
            Holds::Empty => (1, false),
            Holds::Bag => (1, true),
            Holds::From(place) => {
                past = state.stack.get(base + usize::from(place)).map_or(0, |n| usize::try_from(*n).unwrap_or(0));
                (1, false)
            }
            Holds::List(width) => (usize::from(width), false),
        };
        let list = Handle::of(cell);
        if list.len == 0 {
            return cell;
        }
        // A handle beyond the heap is left over from another value.
        let Some(cells) = state.heap.get(list.at..list.at + list.len * width) else { return 0 };
        let unseen = cells.iter().any(|c| is_unseen(*c));
        if let Some(known) = self.moved.iter_mut().find(|m| unseen && m.old == cell) {
            (known.bag, known.past) = (known.bag && bag, known.past.min(past));
            return known.new;
        }
        let new = Handle { at: self.heap.len(), len: list.len }.cell();
        self.heap.extend_from_slice(cells);
        if unseen || bag || past > 0 {
            self.moved.push(Moved { old: cell, new, bag, past });
        }
        new
    }

    /// Completes the heap: sorts multisets.
    pub fn finish(&mut self, game: &Game) -> &[i64] {
        for moved in &self.moved {
            let list = Handle::of(moved.new);
            self.heap[list.at..list.at + list.len.min(moved.past)].fill(0);
        }
        for list in self.moved.iter().filter(|m| m.bag).map(|m| Handle::of(m.new)) {
            let cells = &mut self.heap[list.at..list.at + list.len];
            for cell in cells.iter_mut() {
                // The place of a die in a multiset does not matter, so its batch does not matter either.
                match LazyDice::of(*cell) {
                    Some(die) if die.known() => *cell = die.face(game, die.low),
                    Some(die) => *cell = LazyDice { batch: 0, ..die }.cell(),
                    None => {}
                }
            }
            cells.sort_unstable();
        }
        &self.heap
    }

    /// Completes the heap, and swaps it with the old one.
    pub fn hand_over(&mut self, game: &Game, heap: &mut Vec<i64>) {
        self.finish(game);
        std::mem::swap(heap, &mut self.heap);
    }
}

/// Checks the maximum length of lists.
///
/// # Errors
///
/// Fails for more than 10,000 entries.
pub fn fits(entries: usize) -> Result<(), Fault> {
    if entries > 10_000 { Err(Fault::new(Code::ListFull, "a list of more than 10,000 entries")) } else { Ok(()) }
}
