//! Memo functions (Michie 1968): results of derived values, kept until a cell that they read changes.
//!
//! A query to a player evaluates its menu, its preferences and the player's policy, which repeat the same derived
//! values. The state does not change during the query. Changes since the previous query are found by comparing the
//! cells, so it does not matter which code wrote them.

use super::Game;
use super::state::{Handle, State};
use fixedbitset::FixedBitSet;
use grognard_base::value::*;
use grognard_program::{Derived, Sources, derived};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Maximum number of cells of the arguments, and of the result, of a memoized call.
const MOST_CELLS: usize = 6;

/// Functions with fewer instructions are not memoized, because a lookup is not faster.
const CHEAP: usize = 24;

/// Number of cells compared in one step.
const CHUNK: usize = 16;

/// Maximum number of kept results.
const MOST_KEPT: usize = 1 << 13;

/// Maximum number of kept list entries.
const MOST_ENTRIES: usize = 1 << 16;

/// Functions that can be memoized on a table, with the cells that they depend on.
#[derive(Clone, Debug, Default)]
pub(super) struct Memoised {
    /// Dependencies of each function, or `None` if it cannot be memoized.
    functions: Vec<Option<Derived>>,
    /// For each cell of the state: the index of its source, or `None` for params and readings.
    sources: Vec<Option<usize>>,
    numbers: Option<Sources>,
    /// Unique id of the table.
    table: u64,
}

/// Counter for the ids of tables.
static TABLES: AtomicU64 = AtomicU64::new(1);

impl Memoised {
    /// Computes the functions that can be memoized on a table.
    pub fn of(game: &Game) -> Memoised {
        let program = &game.program;
        let worth = |(func, found): (usize, Option<Derived>)| {
            let info = &program.funcs[func];
            let fits = info.params as usize <= MOST_CELLS && info.result as usize <= MOST_CELLS && info.result > 0;
            found.filter(|f| fits && f.cost >= CHEAP && f.replaced.iter().all(|func| game.gives_the_same(*func)))
        };
        let functions = derived(program).into_iter().enumerate().map(worth).collect();
        let numbers = Sources::of(program);
        Memoised {
            functions,
            sources: sources(game, numbers),
            numbers: Some(numbers),
            table: TABLES.fetch_add(1, Relaxed),
        }
    }
}

/// Returns the source of each cell.
fn sources(game: &Game, numbers: Sources) -> Vec<Option<usize>> {
    let (layout, schema) = (&game.layout, &game.program.schema);
    let mut all = vec![None; layout.size];
    let mut put = |at: usize, cells: usize, source: usize| all[at..at + cells].fill(Some(source));
    for (n, kind) in layout.kinds.iter().enumerate() {
        put(kind.used, 1, numbers.kind(KindId::from(n)));
        put(kind.alive, kind.slots, numbers.kind(KindId::from(n)));
        if kind.place > 0 {
            put(kind.place, 3 * kind.slots, numbers.places());
        }
    }
    for (n, field) in layout.fields.iter().enumerate() {
        let slots = layout.kinds[schema.fields[n].kind.at()].slots;
        put(field.base, slots * field.width * field.figures, numbers.field(FieldId::from(n)));
    }
    for (n, global) in layout.globals.iter().enumerate() {
        put(global.base, global.width, numbers.global(GlobalId::from(n)));
    }
    for (n, at) in layout.bears.iter().enumerate() {
        let slots = layout.kinds[schema.traits[n].on.at()].slots;
        put(*at, slots, numbers.bearers(TraitId::from(n)));
    }
    all
}

/// Memoized results for the states of a run. They are derived from the cells, so comparison and hashing of states
/// ignore them. A clone of a state has no results.
#[derive(Debug, Default)]
pub struct Memo(Option<Box<Results>>);

impl PartialEq for Memo {
    fn eq(&self, _: &Memo) -> bool {
        true
    }
}

impl Eq for Memo {}

impl Hash for Memo {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[derive(Debug, Default)]
struct Results {
    /// Whether a query is in progress.
    open: bool,
    /// Id of the table that the results belong to.
    table: u64,
    /// Whether the state was compared with that of the previous query.
    compared: bool,
    /// Number of comparisons that found changes.
    time: u32,
    /// For each function: results from before this time are stale.
    since: Vec<u32>,
    /// The state at the last comparison.
    cells: Vec<i64>,
    granted: Vec<i64>,
    changed: FixedBitSet,
    kept: FxHashMap<Call, MemoEntry>,
    /// Entries of lists in kept results.
    entries: Vec<i64>,
    /// Calls in progress, innermost last.
    begun: Vec<Begun>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Call {
    func: FuncId,
    args: [i64; MOST_CELLS],
}

#[derive(Clone, Copy, Debug)]
struct MemoEntry {
    time: u32,
    /// Number of loop rounds and calls that the evaluation took.
    rounds: u64,
    cells: [i64; MOST_CELLS],
    /// Index in [`Results::entries`] of the entries of the lists of the result, one list after the other.
    entries: usize,
}

#[derive(Debug)]
struct Begun {
    call: Call,
    /// Call depth, including this function.
    depth: usize,
    fuel: u64,
}

/// Begins a query. Until [`close`], only registers and lists of the state change.
pub(super) fn open(state: &mut State) {
    let results = state.memo.0.get_or_insert_default();
    (results.open, results.compared) = (true, false);
    results.begun.clear();
}

pub(super) fn close(state: &mut State) {
    if let Some(results) = &mut state.memo.0 {
        results.open = false;
    }
}

impl Memo {
    /// Returns whether a query is in progress.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.0.as_ref().is_some_and(|results| results.open)
    }

    /// Discards the calls in progress after an error.
    pub(super) fn unwind(&mut self) {
        if let Some(results) = &mut self.0 {
            results.begun.clear();
        }
    }
}

/// Writes the result of a call if it is known, and returns the number of rounds that the call would take. Otherwise
/// begins the call and returns `None`.
pub(super) fn recall(game: &Game, state: &mut State, func: FuncId, args: usize, dst: usize, fuel: u64) -> Option<u64> {
    let memoised = game.memoised();
    let derived = memoised.functions.get(func.at())?.as_ref()?;
    let State { memo, stack, heap, cells, granted, frames, .. } = state;
    let results = memo.0.as_mut()?;
    if !results.compared {
        results.compare(memoised, cells, granted);
    }
    let info = &game.program.funcs[func.at()];
    let mut call = Call { func, args: [0; MOST_CELLS] };
    let params = info.params as usize;
    call.args[..params].copy_from_slice(&stack[args..args + params]);
    let depth = frames.len() + 1;
    let room = frames.len() + derived.depth <= game.depth;
    let known = results.kept.get(&call).filter(|k| k.time >= results.since[func.at()] && k.rounds <= fuel && room);
    let Some(known) = known else {
        while results.begun.last().is_some_and(|begun| begun.depth >= depth) {
            results.begun.pop();
        }
        results.begun.push(Begun { call, depth, fuel });
        return None;
    };
    let width = info.result as usize;
    stack[dst..dst + width].copy_from_slice(&known.cells[..width]);
    let mut entries = &results.entries[known.entries..];
    for (cell, of) in &info.lists {
        let at = dst + *cell as usize;
        if stack[at] > 0 {
            let len = Handle::of(stack[at]).len;
            let (own, rest) = entries.split_at(len * *of as usize);
            stack[at] = Handle { at: heap.len(), len }.cell();
            heap.extend_from_slice(own);
            entries = rest;
        }
    }
    Some(known.rounds)
}

/// Keeps the result of a finished call; it begins at register `src`.
pub(super) fn keep(game: &Game, state: &mut State, func: FuncId, src: usize, fuel: u64) {
    let State { memo, stack, heap, frames, .. } = state;
    let Some(results) = &mut memo.0 else { return };
    let depth = frames.len() + 1;
    let Some(Begun { call, fuel: before, .. }) =
        results.begun.pop_if(|begun| begun.depth == depth && begun.call.func == func)
    else {
        return;
    };
    let info = &game.program.funcs[func.at()];
    let mut cells = [0; MOST_CELLS];
    let width = info.result as usize;
    cells[..width].copy_from_slice(&stack[src..src + width]);
    if results.kept.len() >= MOST_KEPT || results.entries.len() >= MOST_ENTRIES {
        results.forget();
    }
    let start = results.entries.len();
    for (cell, of) in &info.lists {
        let list = Handle::of(cells[*cell as usize]);
        results.entries.extend_from_slice(&heap[list.at..list.at + list.len * *of as usize]);
    }
    results.kept.insert(call, MemoEntry { time: results.time, rounds: before - fuel, cells, entries: start });
}

impl Results {
    fn forget(&mut self) {
        self.kept.clear();
        self.entries.clear();
    }

    /// Finds the changed cells and marks results that depend on them as stale.
    fn compare(&mut self, memoised: &Memoised, cells: &[i64], granted: &[i64]) {
        self.compared = true;
        let Some(numbers) = memoised.numbers else { return };
        self.changed.clear();
        self.changed.grow(numbers.count());
        let mut all = self.table != memoised.table || self.cells.len() != cells.len();
        self.table = memoised.table;
        if all {
            self.cells.clear();
            self.cells.extend_from_slice(cells);
        } else {
            let chunks = self.cells.chunks_mut(CHUNK).zip(cells.chunks(CHUNK)).zip(memoised.sources.chunks(CHUNK));
            // word by word, because WebAssembly compares slices byte by byte
            let differs = |old: &[i64], new: &[i64]| old.iter().zip(new).fold(0, |all, (a, b)| all | (a ^ b)) != 0;
            for ((old, new), sources) in chunks.filter(|((old, new), _)| differs(old, new)) {
                for (_, source) in old.iter().zip(new).zip(sources).filter(|((old, new), _)| old != new) {
                    match source {
                        Some(source) => self.changed.insert(*source),
                        None => all = true,
                    }
                }
                old.copy_from_slice(new);
            }
        }
        if self.granted != granted {
            self.changed.insert_range(numbers.all_bearers());
            self.granted.clear();
            self.granted.extend_from_slice(granted);
        }
        if all {
            self.forget();
            self.since.clear();
            self.since.resize(memoised.functions.len(), self.time);
        } else if !self.changed.is_clear() {
            self.time += 1;
            for (since, derived) in self.since.iter_mut().zip(&memoised.functions) {
                if derived.as_ref().is_some_and(|d| !d.reads.is_disjoint(&self.changed)) {
                    *since = self.time;
                }
            }
        }
    }
}
