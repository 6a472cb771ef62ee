//! Liveness: which registers are read later, and which parts of the lists in them.
//!
//! Backward dataflow analysis over the effects of instructions. For lists it distinguishes three levels: whether the
//! list is read at all, whether its entries are read, and whether their order is read. An instruction that creates a
//! list from another reads the order of the old list only if the order of the new list is read.

use super::rows::{has, ones};
use super::*;

/// Part of a register that is read. A register without a list is read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// Only the number of entries.
    Length,
    /// The entries in any order.
    Entries,
    /// The entries in their order.
    Order,
    /// The entries in their order, from the index in a register on.
    From(Reg),
}

/// Number of sets for each instruction.
const SORTS: usize = 4;

impl Reading {
    const SORTS: [Reading; SORTS - 1] = [Reading::Length, Reading::Entries, Reading::Order];
}

impl Flow<'_> {
    /// Returns the live registers when the function continues at `pc`, in ascending order, with the part of each that
    /// is read. `wanted` flags the cells of the result that the caller reads.
    pub fn live(&mut self, func: FuncId, wanted: &[bool], pc: Pc) -> Vec<(Reg, Reading)> {
        let (FuncCode { placed, entries: loops, .. }, Some(sets)) = self.live_sets(func, wanted, pc) else {
            return Vec::new();
        };
        let [any, entries, order, whole] = sets;
        // the only register with the index from which a list is read
        let place = |list: Reg| {
            let mut places = loops.iter().filter(|(own, place)| *own == list && has(any, *place));
            let first = places.next().map(|(_, place)| *place);
            first.filter(|first| !has(whole, list) && places.all(|(_, place)| place == first))
        };
        let reading = |reg: Reg| match has(entries, reg).then(|| place(reg)).flatten() {
            Some(place) => Reading::From(place),
            None if has(order, reg) || at_places(placed.iter(), reg, any) => Reading::Order,
            None if has(entries, reg) => Reading::Entries,
            None => Reading::Length,
        };
        ones(any).map(|n| (n as Reg, reading(n as Reg))).collect()
    }

    /// Returns whether the order of a list is live at `pc`, apart from reads at stored indices by the instruction
    /// there.
    pub fn reads_order(&mut self, func: FuncId, wanted: &[bool], pc: Pc, list: Reg) -> bool {
        let (body, Some([any, _, order, _])) = self.live_sets(func, wanted, pc) else { return false };
        has(order, list) || at_places(body.placed.iter().filter(|p| p.at != pc), list, any)
    }

    /// Returns the live registers at a program point for each level, or `None` if the point is unreachable.
    fn live_sets(&mut self, func: FuncId, wanted: &[bool], pc: Pc) -> (&FuncCode, Option<[&[u64]; SORTS]>) {
        let known = |(own, _): &(Vec<bool>, Rows)| own == wanted;
        let at = match self.facts.live.get(&func).and_then(|all| all.iter().position(known)) {
            Some(at) => at,
            None => {
                let rows = self.liveness(func, wanted);
                let all = self.facts.live.entry(func).or_default();
                all.push((wanted.to_vec(), rows));
                all.len() - 1
            }
        };
        let (body, rows) = (&self.facts.bodies[&func], &self.facts.live[&func][at].1);
        let row = |n: usize| std::array::from_fn(|sort| rows.row(n * SORTS + sort));
        (body, body.known(pc).map(row))
    }

    /// Returns the parameters that hold lists whose order a function reads; all parameters while the analysis is in
    /// progress.
    fn ordered(&mut self, func: FuncId) -> Vec<Reg> {
        if let Some(known) = self.facts.ordered.get(&func) {
            return known.clone();
        }
        let info = &self.program.funcs[func.at()];
        let (params, width, entry) = (info.params, info.result as usize, info.entry);
        self.facts.ordered.insert(func, (0..params).collect());
        let mut read = self.live(func, &vec![true; width], entry);
        read.retain(|(reg, reading)| *reg < params && *reading > Reading::Entries);
        let read: Vec<Reg> = read.into_iter().map(|(reg, _)| reg).collect();
        self.facts.ordered.insert(func, read.clone());
        read
    }

    /// Backward analysis: registers that are read at each level before they are written, with one row per instruction
    /// and level.
    ///
    /// The last level holds lists of which any entry may be read, in contrast to lists read only from an increasing
    /// index on.
    fn liveness(&mut self, func: FuncId, wanted: &[bool]) -> Rows {
        let calls: Vec<FuncId> = self.body(func).code.iter().filter_map(|(_, e)| Some(e.call?.0)).collect();
        let ordered: FxHashMap<FuncId, Vec<Reg>> =
            calls.into_iter().map(|callee| (callee, self.ordered(callee))).collect();
        let body = self.body(func);
        let mut live = Rows::new(body.code.len() * SORTS, body.registers);
        let (mut set, mut read) = (Rows::new(1, body.registers), Rows::new(1, body.registers));
        let (set, read) = (set.row_mut(0), read.row_mut(0));
        loop {
            let mut new = false;
            for (n, (_, effect)) in body.code.iter().enumerate().rev() {
                for sort in 0..SORTS {
                    set.fill(0);
                    for next in body.next(effect) {
                        join(set, live.row(next * SORTS + sort));
                    }
                    body.always.iter().for_each(|reg| put(set, *reg, true));
                    if let Some(reading) = Reading::SORTS.get(sort) {
                        effect.step_back(set, *reading, wanted);
                    } else {
                        read.fill(0);
                        for next in body.next(effect) {
                            join(read, live.row(next * SORTS + 1));
                        }
                        effect.step_back_whole(set, read, &body.entries, wanted);
                    }
                    if let Some((callee, args, n)) = effect.call {
                        match ordered.get(&callee).filter(|_| sort == 2) {
                            Some(params) => params.iter().for_each(|k| put(set, args + k, true)),
                            None => (args..args + n).for_each(|reg| put(set, reg, true)),
                        }
                    }
                    body.always.iter().for_each(|reg| put(set, *reg, true));
                    new |= join(live.row_mut(n * SORTS + sort), set);
                }
            }
            if !new || !body.loops() {
                return live;
            }
        }
    }
}

impl Effect {
    /// Steps backward for lists of which any entry may be read. `read` are the lists of which an entry is read
    /// afterward.
    fn step_back_whole(&self, set: &mut [u64], read: &[u64], entries: &[(Reg, Reg)], wanted: &[bool]) {
        // a newly written index can have any value, and uses of a list other than single reads count as reads of all of
        // it
        let anew = |place: &Reg| !self.counts_up && self.all_writes().any(|reg| reg == *place);
        let lists = entries.iter().filter(|(list, place)| anew(place) && has(read, *list));
        lists.for_each(|(list, _)| put(set, *list, true));
        let made = self.copies.into_iter().flat_map(|(to, _, n)| to..to + n);
        made.filter(|to| has(read, *to)).for_each(|to| put(set, to, true));
        match self.entry {
            // the index determines what it reads of its list
            Some((list, place)) => {
                let before = has(set, list);
                self.step_back(set, Reading::Entries, wanted);
                put(set, list, before && !self.all_writes().any(|reg| reg == list));
                put(set, place, true);
            }
            None => self.step_back(set, Reading::Entries, wanted),
        }
    }

    /// Computes the live registers before an instruction from those after it.
    fn step_back(&self, set: &mut [u64], reading: Reading, wanted: &[bool]) {
        // a copy's source is read only if the copy is, and likewise the order of a list that becomes part of another
        // list
        let copies = self.copies.into_iter().flat_map(|(to, from, n)| (0..n).map(move |k| (to + k, from + k)));
        let mut read: SmallVec<[Reg; 8]> = copies.filter(|(to, _)| has(set, *to)).map(|(_, from)| from).collect();
        let passes = self.ordering.iter().filter(|(to, _)| reading != Reading::Order || has(set, *to));
        read.extend(passes.map(|(_, from)| *from));
        self.all_writes().for_each(|reg| put(set, reg, false));
        self.reads.iter().flat_map(|(reg, n)| *reg..reg + n).for_each(|reg| put(set, reg, true));
        if reading != Reading::Order {
            read.extend(self.unordered.iter().copied().chain(self.placed.map(|(list, _)| list)));
        }
        if reading == Reading::Length {
            read.extend(self.counts);
        }
        if let Some((src, n)) = self.result {
            read.extend((0..n).filter(|k| wanted.get(usize::from(*k)).copied().unwrap_or(false)).map(|k| src + k));
        }
        read.into_iter().for_each(|reg| put(set, reg, true));
    }
}

/// A list that an instruction reads at stored indices, and a register with the indices or with their source before a
/// copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    list: Reg,
    places: Reg,
    at: Pc,
}

/// Returns the lists that code reads at stored indices.
pub(super) fn placed(code: &[(Pc, Effect)]) -> Vec<Placed> {
    let own = code.iter().filter_map(|(at, e)| e.placed.map(|(list, places)| Placed { list, places, at: *at }));
    let mut found: Vec<Placed> = own.collect();
    let mut n = 0;
    while let Some(Placed { list, places, at }) = found.get(n).copied() {
        let copies = code.iter().filter_map(|(_, e)| e.copies).filter(|(to, _, n)| (*to..to + n).contains(&places));
        let copies = copies.map(|(to, from, _)| from + (places - to));
        let parts = code.iter().flat_map(|(_, e)| &e.ordering).filter(|(to, _)| *to == places).map(|(_, from)| *from);
        for places in copies.chain(parts) {
            if !found.iter().any(|p| (p.list, p.places, p.at) == (list, places, at)) {
                found.push(Placed { list, places, at });
            }
        }
        n += 1;
    }
    found
}

/// Returns whether a register holds a list that is read at indices that are still live.
fn at_places<'p>(mut placed: impl Iterator<Item = &'p Placed>, list: Reg, live: &[u64]) -> bool {
    placed.any(|p| p.list == list && has(live, p.places))
}
