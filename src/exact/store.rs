//! A hash-consing table: positions as strings of bytes, each kept once.

use crate::machine::{Frame, Running, State, TagRow, UseRow, What};
use crate::value::*;

/// Kept positions: one string of bytes each, found again by their hash.
#[derive(Default)]
pub struct Store {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u32>,
    slots: Vec<u32>,
}

impl Store {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Bytes in use, the table of hashes included.
    pub fn size(&self) -> usize {
        self.bytes.len() + 4 * (self.ends.len() + self.hashes.len() + self.slots.len())
    }

    /// Whether there is no place for another string of so many bytes: places are told in 32 bits.
    pub fn full(&self, bytes: usize) -> bool {
        self.bytes.len() + bytes > u32::MAX as usize
    }

    /// The n-th.
    pub fn get(&self, n: usize) -> &[u8] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] as usize };
        &self.bytes[start..self.ends[n] as usize]
    }

    /// Where it is kept, if it is.
    pub fn find(&self, key: &[u8]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = hash(key);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            let n = self.slots[at] - 1;
            if self.hashes[n as usize] == hash && self.get(n as usize) == key {
                return Some(n);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// Keeps one that is not kept yet, or once more.
    pub fn add(&mut self, key: &[u8]) -> u32 {
        if self.slots.len() < 2 * (self.ends.len() + 1) {
            self.grow();
        }
        let n = self.ends.len() as u32;
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
        self.hashes.push(hash(key));
        self.place(n);
        n
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(size, 0);
        for n in 0..self.ends.len() as u32 {
            self.place(n);
        }
    }

    fn place(&mut self, n: u32) {
        let mask = self.slots.len() - 1;
        let mut at = self.hashes[n as usize] as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = n + 1;
    }
}

fn hash(key: &[u8]) -> u32 {
    let mut h = 0x9e37_79b9_7f4a_7c15u64 ^ key.len() as u64;
    let mut chunks = key.chunks_exact(8);
    for chunk in &mut chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        h = (h ^ u64::from_le_bytes(word)).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(31);
    }
    let mut word = [0; 8];
    word[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    h = (h ^ u64::from_le_bytes(word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (h ^ (h >> 32)) as u32
}

/// Writes numbers, small ones short.
pub struct Writer<'b>(pub &'b mut Vec<u8>);

impl Writer<'_> {
    /// One number.
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

    /// A list.
    pub fn all(&mut self, list: &[i64]) {
        self.put(list.len() as i64);
        for n in list {
            self.put(*n);
        }
    }

    /// A position, told from the one it began with.
    pub fn state(&mut self, state: &State, start: &State) {
        // runs of cells that did not change are skipped
        const RUN: usize = 16;
        let mut last = 0;
        for (n, (cells, olds)) in state.cells.chunks(RUN).zip(start.cells.chunks(RUN)).enumerate() {
            if cells == olds {
                continue;
            }
            for (at, (cell, _)) in cells.iter().zip(olds).enumerate().filter(|(_, (cell, old))| cell != old) {
                let at = n * RUN + at + 1;
                self.put((at - last) as i64);
                self.put(*cell);
                last = at;
            }
        }
        self.put(0);
        let rare =
            !(state.granted.is_empty() && state.tags.is_empty() && state.uses.is_empty() && state.cursors.is_empty());
        self.put(i64::from(rare));
        if rare {
            self.rare(state);
        }
        self.put(state.running.len() as i64);
        for r in &state.running {
            let (sort, id) = match r.what {
                What::Phase(id) => (0, id.0),
                What::Action(id) => (1, id.0),
            };
            let sort = sort | (i64::from(r.ending) << 1) | (i64::from(id) << 2);
            for n in [sort, i64::from(r.frame), i64::from(r.base), r.actor] {
                self.put(n);
            }
        }
        self.put(state.frames.len() as i64);
        for f in &state.frames {
            let base = if f.base == u32::MAX { -1 } else { i64::from(f.base) };
            let heap = if f.heap == u32::MAX { -1 } else { i64::from(f.heap) };
            for n in [i64::from(f.func.0), i64::from(f.back), base, i64::from(f.dst), heap] {
                self.put(n);
            }
        }
        // most registers were forgotten, and hold 0
        self.put(state.stack.len() as i64);
        let mut last = 0;
        for (at, cell) in state.stack.iter().enumerate().filter(|(_, cell)| **cell != 0) {
            self.put((at + 1 - last) as i64);
            self.put(*cell);
            last = at + 1;
        }
        self.put(0);
        self.all(&state.heap);
        self.put(i64::from(state.pc));
        self.put(i64::from(state.base));
    }

    /// What few positions have.
    fn rare(&mut self, state: &State) {
        self.all(&state.granted);
        self.put(state.tags.len() as i64);
        for row in &state.tags {
            self.put(i64::from(row.tag));
            self.put(row.thing);
            self.put(row.key);
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

/// Reads what a [`Writer`] wrote.
pub struct Reader<'b>(pub &'b [u8]);

impl Reader<'_> {
    /// One number.
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

    fn into(&mut self, list: &mut Vec<i64>) {
        list.clear();
        for _ in 0..self.take() {
            list.push(self.take());
        }
    }

    /// A list.
    pub fn all(&mut self) -> Vec<i64> {
        let mut list = Vec::new();
        self.into(&mut list);
        list
    }

    /// A position.
    pub fn state(&mut self, state: &mut State, start: &State) {
        state.cells.clone_from(&start.cells);
        // it was worked out from the cells that were here before
        state.crowd = Default::default();
        let mut at = 0;
        loop {
            let step = self.take();
            if step == 0 {
                break;
            }
            at += step as usize;
            state.cells[at - 1] = self.take();
        }
        let rare = self.take() != 0;
        state.granted.clear();
        state.tags.clear();
        state.uses.clear();
        state.cursors.clear();
        if rare {
            self.rare(state);
        }
        state.running.clear();
        for _ in 0..self.take() {
            let sort = self.take();
            let id = (sort >> 2) as u32;
            let what = if sort & 1 == 0 { What::Phase(PhaseId(id)) } else { What::Action(ActionId(id)) };
            let (frame, base, actor) = (self.take() as u32, self.take() as u32, self.take());
            state.running.push(Running { what, frame, base, actor, ending: sort & 2 != 0 });
        }
        state.frames.clear();
        for _ in 0..self.take() {
            let (func, back, base) = (FuncId(self.take() as u32), self.take() as u32, self.take() as u32);
            state.frames.push(Frame { func, back, base, dst: self.take() as u16, heap: self.take() as u32 });
        }
        state.stack.clear();
        state.stack.resize(self.take() as usize, 0);
        let mut at = 0;
        loop {
            let step = self.take();
            if step == 0 {
                break;
            }
            at += step as usize;
            state.stack[at - 1] = self.take();
        }
        self.into(&mut state.heap);
        state.pc = self.take() as u32;
        state.base = self.take() as u32;
        state.written_over();
    }

    fn rare(&mut self, state: &mut State) {
        self.into(&mut state.granted);
        for _ in 0..self.take() {
            let (tag, thing, key) = (self.take() as u32, self.take(), self.take());
            state.tags.push(TagRow { tag, thing, key, data: self.all() });
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
