//! A hash-consing table: states as byte strings, each stored once.

use super::canonical::LiveRegister;
use super::lists::Lists;
use grognard_base::value::*;
use grognard_program::Pc;
use grognard_vm::{Frame, Game, Running, State, TagRow, UseRow, is_unseen};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A table of states: one byte string each, indexed by its hash.
#[derive(Default)]
pub struct Interner {
    strings: Strings,
    /// The indices of the strings, by hash.
    table: HashTable<u32>,
}

/// Initial capacity for the bytes of strings.
const FIRST: usize = 256;

/// Byte strings, one after the other.
#[derive(Default)]
struct Strings {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Strings {
    fn get(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        &self.bytes[start..self.ends[n] as usize]
    }
}

impl Interner {
    /// Returns the number of strings.
    pub fn count(&self) -> usize {
        self.strings.ends.len()
    }

    /// Returns the size in bytes, the hash table included.
    pub fn size(&self) -> usize {
        self.strings.bytes.len() + 4 * self.strings.ends.len() + self.table.allocation_size()
    }

    /// Returns whether another string of this length does not fit: offsets are 32-bit.
    pub fn full(&self, bytes: usize) -> bool {
        self.strings.bytes.len() + bytes > u32::MAX as usize
    }

    /// Returns the bytes of string `n`.
    pub fn get(&self, n: usize) -> &[u8] {
        self.strings.get(n)
    }

    /// Returns the index of a string, or `None` if it is not stored.
    pub fn find(&self, key: &[u8]) -> Option<u32> {
        self.table.find(hash(key), |n| self.get(*n as usize) == key).copied()
    }

    /// Stores a string without a check for duplicates, and returns its index.
    pub fn add(&mut self, key: &[u8]) -> u32 {
        let Interner { strings, table } = self;
        let n = strings.ends.len() as u32;
        if n == 0 {
            strings.bytes.reserve(FIRST);
        }
        strings.bytes.extend_from_slice(key);
        strings.ends.push(strings.bytes.len() as u32);
        table.insert_unique(hash(key), n, |n| hash(strings.get(*n as usize)));
        n
    }
}

fn hash(key: &[u8]) -> u64 {
    FxBuildHasher.hash_one(key)
}

/// The call stack of a state, which many states share.
#[derive(Debug)]
struct Shape {
    running: Vec<Running>,
    frames: Vec<Frame>,
    pc: Pc,
    base: u32,
    registers: usize,
    /// The registers that are written, if they are known; otherwise all are written.
    live: Option<Box<[LiveRegister]>>,
}

impl Shape {
    fn is(&self, state: &State) -> bool {
        (self.pc, self.base) == (state.pc, state.base)
            && (self.live.is_some() || self.registers == state.stack.len())
            && self.frames == state.frames
            && self.running == state.running
    }
}

/// Interned call stacks: a state stores the index.
#[derive(Default)]
pub struct Shapes {
    list: Vec<Shape>,
    known: HashTable<u32>,
    /// The most recent indices.
    last: [u32; 4],
    bytes: usize,
}

impl Shapes {
    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.bytes
    }

    /// Returns the index of the call stack of a state. `live` returns the number of its registers and those that are written, if
    /// not all are; it is called once for each call stack.
    fn number(&mut self, state: &State, live: impl FnOnce() -> Option<(usize, Box<[LiveRegister]>)>) -> u32 {
        let Shapes { list, known, last, bytes } = self;
        let near = |n: &&u32| list.get(**n as usize).is_some_and(|shape| shape.is(state));
        if let Some(n) = last.iter().find(near) {
            return *n;
        }
        let State { running, frames, pc, base, .. } = state;
        let hash = FxBuildHasher.hash_one((pc, base, frames, running));
        let n = match known.find(hash, |n| list[*n as usize].is(state)) {
            Some(known) => *known,
            None => {
                let n = list.len() as u32;
                let (registers, live) = live().map_or((state.stack.len(), None), |(count, live)| (count, Some(live)));
                *bytes += size_of_val(&**running) + size_of_val(&**frames);
                *bytes += live.as_ref().map_or(0, |live| size_of_val(&**live)) + size_of::<Shape>() + SHAPE;
                let (running, frames) = (running.clone(), frames.clone());
                list.push(Shape { running, frames, pc: *pc, base: *base, registers, live });
                let hashes = |n: &u32| {
                    let Shape { running, frames, pc, base, .. } = &list[*n as usize];
                    FxBuildHasher.hash_one((pc, base, frames, running))
                };
                known.insert_unique(hash, n, hashes);
                n
            }
        };
        last.rotate_right(1);
        last[0] = n;
        n
    }

    /// Restores a call stack, and returns the registers that were written, if they are known.
    fn restore(&self, n: usize, state: &mut State) -> Option<&[LiveRegister]> {
        let shape = self.list.get(n)?;
        state.running.clone_from(&shape.running);
        state.frames.clone_from(&shape.frames);
        state.stack.clear();
        state.stack.resize(shape.registers, 0);
        (state.pc, state.base) = (shape.pc, shape.base);
        shape.live.as_deref()
    }
}

/// Estimated size of the table entries of an interned value, in bytes.
const SHAPE: usize = 48;

/// Number of cells that are compared together.
const RUN: usize = 8;

/// Writes integers in a variable-length encoding (zigzag LEB128).
pub struct Writer<'b>(pub &'b mut Vec<u8>);

impl Writer<'_> {
    /// Writes a number in one to ten bytes.
    #[inline]
    pub fn put(&mut self, n: i64) {
        let bits = ((n << 1) ^ (n >> 63)) as u64;
        if bits < 0x80 {
            self.0.push(bits as u8);
            return;
        }
        self.wide(bits);
    }

    fn wide(&mut self, mut bits: u64) {
        while bits >= 0x80 {
            self.0.push(bits as u8 | 0x80);
            bits >>= 7;
        }
        self.0.push(bits as u8);
    }

    /// Writes a list with its length.
    pub fn all(&mut self, list: &[i64]) {
        self.put(list.len() as i64);
        for n in list {
            self.put(*n);
        }
    }

    /// Writes a state as its difference from the start state.
    pub fn state(&mut self, state: &State, start: &State, shapes: &mut Shapes) {
        self.table(state, start);
        self.put(i64::from(shapes.number(state, || None)));
        self.whole(state);
    }

    /// Writes a state of which code can read only some registers, and their lists. `live` returns the number of registers and
    /// those that are read, or `None` if all are.
    pub(super) fn live(
        &mut self,
        (state, start): (&State, &State),
        shapes: &mut Shapes,
        (lists, game): (&mut Lists, &Game),
        live: impl FnOnce() -> Option<(usize, Box<[LiveRegister]>)>,
    ) {
        self.table(state, start);
        let n = shapes.number(state, live);
        self.put(i64::from(n));
        let Some(live) = &shapes.list[n as usize].live else { return self.whole(state) };
        lists.clear();
        for LiveRegister { at, base, holds } in live {
            let cell = state.stack.get(*at as usize).copied().unwrap_or(0);
            self.put(lists.keep(cell, *holds, state, *base as usize));
        }
        self.entries(lists.finish(game));
    }

    /// Writes all registers and lists.
    fn whole(&mut self, state: &State) {
        // Cleared registers hold 0, and they are the majority.
        self.differing(&state.stack, |_| &[0; RUN], &[]);
        self.entries(&state.heap);
    }

    fn table(&mut self, state: &State, start: &State) {
        let (olds, rest) = start.cells.as_chunks::<RUN>();
        self.differing(&state.cells, |n| olds.get(n).unwrap_or(&[0; RUN]), rest);
        let rare =
            !(state.granted.is_empty() && state.tags.is_empty() && state.uses.is_empty() && state.cursors.is_empty());
        self.put(i64::from(rare));
        if rare {
            self.rare(state);
        }
    }

    /// Writes the cells that differ from the old ones: the distance from the last difference, and the cell.
    #[inline]
    fn differing<'o>(&mut self, cells: &[i64], olds: impl Fn(usize) -> &'o [i64; RUN], old_rest: &[i64]) {
        let mut last = 0;
        let (runs, rest) = cells.as_chunks::<RUN>();
        for (n, run) in runs.iter().enumerate() {
            let old = olds(n);
            // Unchanged runs are skipped.
            if run.iter().zip(old).fold(0, |all, (cell, old)| all | (cell ^ old)) == 0 {
                continue;
            }
            for (k, cell) in run.iter().enumerate().filter(|(k, cell)| **cell != old[*k]) {
                self.differs(n * RUN + k + 1, &mut last, *cell);
            }
        }
        let from = cells.len() - rest.len();
        for (k, cell) in rest.iter().enumerate() {
            if *cell != old_rest.get(k).copied().unwrap_or(0) {
                self.differs(from + k + 1, &mut last, *cell);
            }
        }
        self.put(0);
    }

    #[inline]
    fn differs(&mut self, at: usize, last: &mut usize, cell: i64) {
        self.put((at - *last) as i64);
        self.put(cell);
        *last = at;
    }

    /// Writes the entries of lists. Unsampled dice are large numbers and mostly equal, so they are run-length encoded.
    fn entries(&mut self, heap: &[i64]) {
        self.put(heap.len() as i64);
        let mut left = heap;
        while let Some((cell, rest)) = left.split_first() {
            self.put(*cell);
            left = rest;
            if is_unseen(*cell) {
                let alike = rest.iter().take_while(|other| *other == cell).count();
                self.put(alike as i64);
                left = &rest[alike..];
            }
        }
    }

    /// Writes the parts that only few states have.
    fn rare(&mut self, state: &State) {
        self.all(&state.granted);
        self.put(state.tags.len() as i64);
        for row in &state.tags {
            self.put(i64::from(row.tag));
            self.put(row.thing);
            self.put(row.key);
            self.put(i64::from(row.depth));
            self.all(&row.data);
        }
        self.put(state.uses.len() as i64);
        for row in &state.uses {
            for n in [i64::from(row.running), i64::from(row.action.0), i64::from(row.line), row.key, row.times] {
                self.put(n);
            }
        }
        self.put(state.cursors.len() as i64);
        for c in &state.cursors {
            self.put(i64::from(*c));
        }
    }
}

/// Reads the output of a [`Writer`].
pub struct Reader<'b>(pub &'b [u8]);

impl Reader<'_> {
    /// Reads a number of one to ten bytes.
    #[inline]
    pub fn take(&mut self) -> i64 {
        if let Some((byte, rest)) = self.0.split_first()
            && byte & 0x80 == 0
        {
            self.0 = rest;
            return i64::from(byte >> 1) ^ -i64::from(byte & 1);
        }
        self.wide()
    }

    fn wide(&mut self) -> i64 {
        let mut bits = 0u64;
        let mut shift = 0;
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            bits |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
        }
        (bits >> 1) as i64 ^ -((bits & 1) as i64)
    }

    /// Reads a list into a buffer.
    pub fn into(&mut self, list: &mut Vec<i64>) {
        list.clear();
        for _ in 0..self.take() {
            list.push(self.take());
        }
    }

    fn all(&mut self) -> Vec<i64> {
        let mut list = Vec::new();
        self.into(&mut list);
        list
    }

    /// Reads a state into an old one and reuses its buffers.
    pub fn state(&mut self, state: &mut State, start: &State, shapes: &Shapes) {
        state.cells.clone_from(&start.cells);
        self.differing(&mut state.cells);
        let rare = self.take() != 0;
        state.granted.clear();
        state.tags.clear();
        state.uses.clear();
        state.cursors.clear();
        if rare {
            self.rare(state);
        }
        match shapes.restore(self.take() as usize, state) {
            Some(live) => live.iter().for_each(|reg| state.stack[reg.at as usize] = self.take()),
            None => self.differing(&mut state.stack),
        }
        self.entries(&mut state.heap);
        state.written_over();
    }

    fn differing(&mut self, cells: &mut [i64]) {
        let mut at = 0;
        loop {
            let step = self.take();
            if step == 0 {
                break;
            }
            at += step as usize;
            cells[at - 1] = self.take();
        }
    }

    fn entries(&mut self, heap: &mut Vec<i64>) {
        heap.clear();
        let count = self.take() as usize;
        while heap.len() < count {
            let cell = self.take();
            let alike = if is_unseen(cell) { self.take() as usize } else { 0 };
            heap.resize(heap.len() + 1 + alike, cell);
        }
    }

    fn rare(&mut self, state: &mut State) {
        self.into(&mut state.granted);
        for _ in 0..self.take() {
            let (tag, thing, key, depth) = (self.take() as u32, self.take(), self.take(), self.take() as u32);
            state.tags.push(TagRow { tag, thing, key, depth, data: self.all() });
        }
        for _ in 0..self.take() {
            let (running, action, line) = (self.take() as u32, ActionId(self.take() as u32), self.take() as u16);
            state.uses.push(UseRow { running, action, line, key: self.take(), times: self.take() });
        }
        for _ in 0..self.take() {
            state.cursors.push(self.take() as u32);
        }
    }
}
