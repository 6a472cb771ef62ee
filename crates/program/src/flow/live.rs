//! Liveness: which registers somebody may still read, and how much of the lists in them.
//!
//! Backward dataflow over the effects of instructions. Of a list it is asked three times: whether anything of it is read,
//! whether its entries are, and whether their order is. An instruction that makes a list out of another reads the order
//! of the old one only where that of the new one is read.

use super::rows::{has, ones};
use super::*;

/// How much of a register is read; if it holds no list, all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// Of a list, how many entries it has.
    Length,
    /// Its entries too, in whatever order.
    Entries,
    /// Its entries in order.
    Order,
    /// Its entries in order, from the place on that a register holds.
    From(Reg),
}

/// So many sets are kept for each instruction.
const SORTS: usize = 4;

impl Reading {
    const SORTS: [Reading; SORTS - 1] = [Reading::Length, Reading::Entries, Reading::Order];
}

impl Flow<'_> {
    /// Registers that somebody may still read when the function goes on at `pc`, rising, and how much of each. `wanted`
    /// says which cells of its result its caller will read.
    pub fn live(&mut self, func: FuncId, wanted: &[bool], pc: Pc) -> Vec<(Reg, Reading)> {
        let (FuncCode { placed, entries: loops, .. }, Some(sets)) = self.live_sets(func, wanted, pc) else {
            return Vec::new();
        };
        let [any, entries, order, whole] = sets;
        // the one register that says from where on a list is read
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

    /// Whether the order of a list is read from `pc` on, apart from the places at which the instruction there reads it.
    pub fn reads_order(&mut self, func: FuncId, wanted: &[bool], pc: Pc, list: Reg) -> bool {
        let (body, Some([any, _, order, _])) = self.live_sets(func, wanted, pc) else { return false };
        has(order, list) || at_places(body.placed.iter().filter(|p| p.at != pc), list, any)
    }

    /// Registers that are live at a place, for each sort of reading; nothing where the function never comes to.
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

    /// Parameters of a function that hold lists whose order it reads; all of them while that is worked out.
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

    /// Backward: registers of which so much is read later, and that are not written before; of each instruction a row for
    /// each sort of reading. The last one has of the lists whose entries are read only those of which any entry may be
    /// read, and not only those from the place on that a register holds as it counts up.
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
    /// The same for lists of which any entry may be read; `read` are all of which an entry is read behind it.
    fn step_back_whole(&self, set: &mut [u64], read: &[u64], entries: &[(Reg, Reg)], wanted: &[bool]) {
        // a place that is written anew may be any, and whatever becomes of a list is taken for all of it
        let anew = |place: &Reg| !self.counts_up && self.all_writes().any(|reg| reg == *place);
        let lists = entries.iter().filter(|(list, place)| anew(place) && has(read, *list));
        lists.for_each(|(list, _)| put(set, *list, true));
        let made = self.copies.into_iter().flat_map(|(to, _, n)| to..to + n);
        made.filter(|to| has(read, *to)).for_each(|to| put(set, to, true));
        match self.entry {
            // what it reads of its list is told by the place
            Some((list, place)) => {
                let before = has(set, list);
                self.step_back(set, Reading::Entries, wanted);
                put(set, list, before && !self.all_writes().any(|reg| reg == list));
                put(set, place, true);
            }
            None => self.step_back(set, Reading::Entries, wanted),
        }
    }

    /// From what is live behind an instruction to what is live before it.
    fn step_back(&self, set: &mut [u64], reading: Reading, wanted: &[bool]) {
        // what is copied is read only where the copy is, and so is the order of what becomes part of another list
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

/// A list that an instruction reads at places, and a register that holds those places, or some of them before they were
/// copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    list: Reg,
    places: Reg,
    at: Pc,
}

/// The lists that code reads at places.
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

/// True if a register holds a list that is read at places which live on.
fn at_places<'p>(mut placed: impl Iterator<Item = &'p Placed>, list: Reg, live: &[u64]) -> bool {
    placed.any(|p| p.list == list && has(live, p.places))
}
