//! Liveness: which registers somebody may still read, and how much of the lists in them.
//!
//! Backward dataflow over the effects of instructions. Of a list it is asked three times: whether anything of it is read,
//! whether its entries are, and whether their order is. An instruction that makes a list out of another reads the order
//! of the old one only where that of the new one is read.

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

impl Reading {
    const SORTS: [Reading; 3] = [Reading::Length, Reading::Entries, Reading::Order];
}

impl Flow<'_> {
    /// Registers that somebody may still read when the function goes on at `pc`, rising, and how much of each. `wanted`
    /// says which cells of its result its caller will read.
    pub fn live(&mut self, func: FuncId, wanted: &[bool], pc: Pc) -> Vec<(Reg, Reading)> {
        let sets = self.live_sets(func, wanted, pc);
        let Body { placed, entries: loops, .. } = self.body(func);
        // the one register that says from where on a list is read
        let place = |list: Reg| {
            let mut places = loops.iter().filter(|(own, place)| *own == list && sets[0].contains((*place).into()));
            let first = places.next().map(|(_, place)| *place);
            first.filter(|first| !sets[3].contains(list.into()) && places.all(|(_, place)| place == first))
        };
        let reading = |reg: Reg| match &sets {
            [_, entries, ..] if entries.contains(reg.into()) && place(reg).is_some() => {
                place(reg).map_or(Reading::Order, Reading::From)
            }
            [any, _, order, _] if order.contains(reg.into()) || at_places(placed, reg, any) => Reading::Order,
            [_, entries, ..] if entries.contains(reg.into()) => Reading::Entries,
            _ => Reading::Length,
        };
        let registers = sets[0].ones().map(|n| n as Reg);
        registers.map(|reg| (reg, reading(reg))).collect()
    }

    /// Whether the order of a list is read from `pc` on, apart from the places at which the instruction there reads it.
    pub fn reads_order(&mut self, func: FuncId, wanted: &[bool], pc: Pc, list: Reg) -> bool {
        let [any, _, order, _] = self.live_sets(func, wanted, pc);
        let elsewhere: Vec<Placed> = self.body(func).placed.iter().filter(|p| p.at != pc).copied().collect();
        order.contains(list.into()) || at_places(&elsewhere, list, &any)
    }

    /// Registers that are live at a place, for each sort of reading.
    fn live_sets(&mut self, func: FuncId, wanted: &[bool], pc: Pc) -> [Set; 4] {
        let key = (func, wanted.to_vec());
        if !self.live.contains_key(&key) {
            let [any, entries, order] = Reading::SORTS.map(|reading| self.liveness(func, wanted, reading, None));
            let whole = self.liveness(func, wanted, Reading::Entries, Some(&entries));
            self.live.insert(key.clone(), [any, entries, order, whole]);
        }
        self.live[&key].each_ref().map(|at| at.get(&pc).cloned().unwrap_or_default())
    }

    /// Parameters of a function that hold lists whose order it reads; all of them while that is worked out.
    fn ordered(&mut self, func: FuncId) -> Vec<Reg> {
        if let Some(known) = self.ordered.get(&func) {
            return known.clone();
        }
        let info = &self.program.funcs[func.at()];
        let (params, width, entry) = (info.params, info.result as usize, info.entry);
        self.ordered.insert(func, (0..params).collect());
        let mut read = self.live(func, &vec![true; width], entry);
        read.retain(|(reg, reading)| *reg < params && *reading > Reading::Entries);
        let read: Vec<Reg> = read.into_iter().map(|(reg, _)| reg).collect();
        self.ordered.insert(func, read.clone());
        read
    }

    /// Backward: registers of which so much is read later, and that are not written before. With what is known of the
    /// lists whose entries are read only those are told of which any entry may be read, and not only those from the place
    /// on that a register holds as it counts up.
    fn liveness(&mut self, func: FuncId, wanted: &[bool], reading: Reading, entries: Option<&At>) -> At {
        let code = &self.body(func).code;
        let calls: Vec<_> = code.iter().filter_map(|(pc, effect)| Some((*pc, effect.call?))).collect();
        let mut given: FxHashMap<Pc, Vec<Reg>> = FxHashMap::default();
        for (pc, (callee, args, n)) in calls {
            let params = if reading == Reading::Order { self.ordered(callee) } else { (0..n).collect() };
            given.insert(pc, params.into_iter().map(|n| args + n).collect());
        }
        let body = self.body(func);
        let mut before: FxHashMap<Pc, Vec<Pc>> = FxHashMap::default();
        for (pc, effect) in &body.code {
            effect.next.iter().for_each(|next| before.entry(*next).or_default().push(*pc));
        }
        let mut live: At = FxHashMap::default();
        let mut open: Vec<Pc> = body.code.keys().copied().collect();
        while let Some(pc) = open.pop() {
            let effect = &body.code[&pc];
            let mut set = body.always.clone();
            for after in effect.next.iter().filter_map(|next| live.get(next)) {
                join(&mut set, after);
            }
            match entries {
                None => effect.step_back(&mut set, reading, wanted),
                Some(entries) => {
                    let behind = effect.next.iter().filter_map(|next| entries.get(next));
                    let read = behind.fold(Set::new(), |mut all, more| {
                        join(&mut all, more);
                        all
                    });
                    effect.step_back_whole(&mut set, &read, &body.entries, wanted);
                }
            }
            given.get(&pc).into_iter().flatten().for_each(|reg| put(&mut set, (*reg).into(), true));
            join(&mut set, &body.always);
            if join(live.entry(pc).or_default(), &set) {
                open.extend(before.get(&pc).into_iter().flatten());
            }
        }
        live
    }
}

impl Effect {
    /// The same for lists of which any entry may be read; `read` are all of which an entry is read behind it.
    fn step_back_whole(&self, set: &mut Set, read: &Set, entries: &[(Reg, Reg)], wanted: &[bool]) {
        // a place that is written anew may be any, and whatever becomes of a list is taken for all of it
        let anew = |place: &Reg| !self.counts_up && self.all_writes().any(|reg| reg == *place);
        let lists = entries.iter().filter(|(list, place)| anew(place) && read.contains((*list).into()));
        lists.for_each(|(list, _)| put(set, (*list).into(), true));
        let made = self.copies.into_iter().flat_map(|(to, _, n)| to..to + n);
        made.filter(|to| read.contains((*to).into())).for_each(|to| put(set, to.into(), true));
        match self.entry {
            // what it reads of its list is told by the place
            Some((list, place)) => {
                let before = set.contains(list.into());
                self.step_back(set, Reading::Entries, wanted);
                put(set, list.into(), before && !self.all_writes().any(|reg| reg == list));
                put(set, place.into(), true);
            }
            None => self.step_back(set, Reading::Entries, wanted),
        }
    }

    /// From what is live behind an instruction to what is live before it.
    fn step_back(&self, set: &mut Set, reading: Reading, wanted: &[bool]) {
        // what is copied is read only where the copy is, and so is the order of what becomes part of another list
        let copies = self.copies.into_iter().flat_map(|(to, from, n)| (0..n).map(move |k| (to + k, from + k)));
        let passes = self.ordering.iter().copied();
        let mut read: Vec<Reg> = copies.filter(|(to, _)| set.contains((*to).into())).map(|(_, from)| from).collect();
        read.extend(
            passes.filter(|(to, _)| reading != Reading::Order || set.contains((*to).into())).map(|(_, from)| from),
        );
        self.all_writes().for_each(|reg| put(set, reg.into(), false));
        read.extend(self.reads.iter().flat_map(|(reg, n)| *reg..reg + n));
        if reading != Reading::Order {
            read.extend(self.unordered.iter().copied().chain(self.placed.map(|(list, _)| list)));
        }
        if reading == Reading::Length {
            read.extend(self.counts);
        }
        if let Some((src, n)) = self.result {
            read.extend((0..n).filter(|k| wanted.get(usize::from(*k)).copied().unwrap_or(false)).map(|k| src + k));
        }
        read.into_iter().for_each(|reg| put(set, reg.into(), true));
    }
}

/// A list that an instruction reads at places, and a register that holds those places, or some of them before they were
/// copied.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    list: Reg,
    places: Reg,
    at: Pc,
}

/// The lists that code reads at places.
pub(super) fn placed(code: &BTreeMap<Pc, Effect>) -> Vec<Placed> {
    let own = code.iter().filter_map(|(at, e)| e.placed.map(|(list, places)| Placed { list, places, at: *at }));
    let mut found: Vec<Placed> = own.collect();
    let mut n = 0;
    while let Some(Placed { list, places, at }) = found.get(n).copied() {
        let copies = code.values().filter_map(|e| e.copies).filter(|(to, _, n)| (*to..to + n).contains(&places));
        let copies = copies.map(|(to, from, _)| from + (places - to));
        let parts = code.values().flat_map(|e| &e.ordering).filter(|(to, _)| *to == places).map(|(_, from)| *from);
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
fn at_places(placed: &[Placed], list: Reg, live: &Set) -> bool {
    placed.iter().any(|p| p.list == list && live.contains(p.places.into()))
}
