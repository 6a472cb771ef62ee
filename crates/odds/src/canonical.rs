//! Canonical form of a state: clears the cells that are not live, and compacts the heap by copying.

use super::lists::Lists;
use grognard_base::value::*;
use grognard_program::flow::{Flow, Holds, LiveSet, Place, Places, Reading, Region, Row, Taken};
use grognard_program::instr::Slot;
use grognard_program::{Instr, Pc, Reg};
use grognard_vm::{Game, Handle, State, is_unseen};
use std::ops::Range;
use std::sync::Arc;

/// Which parts of a state are cleared.
#[derive(Clone, Copy)]
pub struct Liveness {
    /// Cells that no code can read any more.
    pub unread: bool,
    /// The order of lists, where no code reads it.
    pub order: bool,
    /// The order of menus too. That is valid for players who choose any entry at random or compute the best.
    pub menus: bool,
}

/// Liveness of the registers at each program point, and the buffers to clear a state.
pub struct Canonical<'g> {
    game: &'g Game,
    flow: Flow<'g>,
    /// Whether cells that are not live are cleared.
    clears: bool,
    /// Whether lists whose order no code reads are sorted.
    sorts: bool,
    /// Known facts about program points. Facts that others can use go back to the program at the end.
    known: Taken<Places>,
    /// Lists on the table whose order no code reads: first cell, cells of a list, number of lists.
    bags: Vec<(usize, usize, usize)>,
    stack: Vec<i64>,
    lists: Lists,
}

/// A register that code can still read.
#[derive(Clone, Copy, Debug)]
pub struct LiveRegister {
    /// Its place among the registers of all running functions.
    pub at: u32,
    /// The first register of its function.
    pub base: u32,
    /// The kind of its contents.
    pub holds: Holds,
}

/// Maximum number of cached call stacks.
const ROWS: usize = 16;

impl<'g> Canonical<'g> {
    /// Creates the analysis for a game.
    pub fn new(game: &'g Game, liveness: Liveness) -> Self {
        // Facts that ignore the order of menus are not shared with other analyses.
        let mut flow = match liveness.menus {
            true => Flow::without_order_of_menus(&game.program),
            false => Flow::knowing(&game.program, game.facts()),
        };
        // Lists inside lists are not followed, so with them no cell moves.
        let clears = liveness.unread && flow.lists_are_flat();
        let shares = liveness.unread && liveness.order && !liveness.menus;
        let known = if shares { game.facts().take_places() } else { Taken::default() };
        let bags = if clears && liveness.order { bags(game, &mut flow) } else { Vec::new() };
        let (stack, lists) = (Vec::new(), Lists::default());
        Canonical { game, flow, clears, sorts: liveness.order, known, bags, stack, lists }
    }

    /// Sorts the lists on the table whose order no code reads.
    pub fn sort(&self, state: &mut State) {
        for (base, width, count) in &self.bags {
            for list in state.cells[*base..base + width * count].chunks_exact_mut(*width) {
                let entries = list[0].clamp(0, *width as i64 - 1) as usize;
                if !list[1..=entries].is_sorted() && !list.iter().any(|cell| is_unseen(*cell)) {
                    list[1..=entries].sort_unstable();
                }
            }
        }
    }

    /// Returns the numbers of the required result cells and of the contents of the parameters for a call from outside.
    pub fn root(&mut self, func: FuncId, keep: Option<&[bool]>) -> (u32, u32) {
        let info = &self.game.program.funcs[func.at()];
        let width = info.result as usize;
        let keep = keep.map_or(vec![true; width], |k| (0..width).map(|n| k.get(n).copied().unwrap_or(false)).collect());
        let mut given = Vec::new();
        for ty in &info.types {
            let at = given.len();
            given.resize(at + self.game.program.schema.width(ty), Holds::Plain);
            let mut lists = Vec::new();
            grognard_program::find_lists(&self.game.program.schema, ty, 0, &mut lists);
            lists.into_iter().for_each(|(cell, width)| given[at + cell as usize] = Holds::List(width));
        }
        (number(&mut self.known.wanted, keep), number(&mut self.known.given, given))
    }

    /// Returns the numbers for a call from outside without a result and without parameters.
    pub fn nothing(&mut self) -> (u32, u32) {
        (number(&mut self.known.wanted, Vec::new()), number(&mut self.known.given, Vec::new()))
    }

    /// Returns the numbers for a function whose parameters hold the result of the function `from`.
    pub fn root_of_result(&mut self, func: FuncId, from: FuncId) -> (u32, u32) {
        let (wanted, _) = self.root(func, None);
        let info = &self.game.program.funcs[from.at()];
        let mut given = vec![Holds::Plain; info.result as usize];
        info.lists.iter().for_each(|(cell, width)| given[*cell as usize] = Holds::List(*width));
        (wanted, number(&mut self.known.given, given))
    }

    /// Returns the live registers at a program point.
    pub fn live(&mut self, place: Place) -> Arc<LiveSet> {
        if let Some(known) = self.known.live.get(&place) {
            return Arc::clone(known);
        }
        let (func, wanted, given, pc) = place;
        let live = self.flow.live(func, &self.known.wanted[wanted as usize], pc);
        let holds = self.flow.holds(func, &self.known.given[given as usize], pc);
        let sorts = self.sorts;
        let held = |reg: Reg, reading| match (holds.of(reg), reading) {
            (Holds::List(_) | Holds::Empty, Reading::Length) => Holds::Counted,
            (Holds::List(1), Reading::Entries) if sorts => Holds::Bag,
            (Holds::List(1), Reading::From(place)) if sorts => Holds::From(place),
            (kept, Reading::Length | Reading::Entries | Reading::Order | Reading::From(_)) => kept,
        };
        let live: LiveSet = live.into_iter().map(|(reg, reading)| (reg, held(reg, reading))).collect();
        let live = Arc::new(live);
        self.known.live.insert(place, Arc::clone(&live));
        live
    }

    /// Returns the live registers of the running function at one of its program points.
    pub fn live_at(&mut self, state: &State, pc: Pc, root: (u32, u32)) -> Option<Arc<LiveSet>> {
        self.clears.then(|| self.shape(state, pc, root))?.live.last().map(|(live, _)| Arc::clone(live))
    }

    /// Calls `f` for each running function with its first register, its live registers, and the registers that its callee writes.
    /// The innermost function is examined `ahead` instructions later. Returns the numbers of the required result and of the
    /// parameters of that function.
    fn walk(
        &mut self,
        state: &State,
        ahead: Pc,
        root: (u32, u32),
        mut f: impl FnMut(&mut Self, usize, &LiveSet, Range<Reg>),
    ) -> (u32, u32) {
        let shape = self.shape(state, state.pc + ahead, root);
        for (n, (live, written)) in shape.live.iter().enumerate() {
            let base = state.frames.get(n + 1).map_or(state.base, |inner| inner.base);
            f(self, base as usize, live, written.clone());
        }
        shape.innermost
    }

    /// Returns the liveness of a call stack whose innermost function continues at `pc`.
    fn shape(&mut self, state: &State, pc: Pc, root: (u32, u32)) -> Arc<Row> {
        let frames = || state.frames.iter().map(|f| (f.func, f.back, f.dst));
        let same = |row: &Row| row.pc == pc && row.root == root && frames().eq(row.frames.iter().copied());
        if let Some(at) = self.known.rows.iter().position(|row| same(row)) {
            let known = Arc::clone(&self.known.rows[at]);
            self.known.rows.swap(at, at.saturating_sub(1));
            return known;
        }
        let (mut innermost, mut rows) = (root, Vec::new());
        for (n, frame) in state.frames.iter().enumerate() {
            let inner = state.frames.get(n + 1);
            let place = (frame.func, innermost.0, innermost.1, inner.map_or(pc, |i| i.back));
            let live = self.live(place);
            let written = inner.map_or(0..0, |i| i.dst..i.dst + self.game.program.funcs[i.func.at()].result);
            if let Some(inner) = inner {
                innermost = self.call(place, inner.func, inner.dst, &live);
            }
            rows.push((live, written));
        }
        let shape = Arc::new(Row { root, pc, frames: frames().collect(), live: rows, innermost });
        self.known.rows.truncate(ROWS - 1);
        self.known.rows.push(Arc::clone(&shape));
        shape
    }

    /// Returns the program point of the innermost function. Returns `None` if nothing is cleared, or if another running function
    /// holds unsampled dice, which may be the same dice.
    pub fn innermost(&mut self, state: &State, root: (u32, u32)) -> Option<Place> {
        let func = state.frames.last()?.func;
        let (mut shared, mut left) = (!self.clears, state.frames.len());
        let (wanted, given) = self.walk(state, 0, root, |_, base, live, written| {
            left -= 1;
            if left == 0 {
                return;
            }
            for (reg, _) in live.iter().filter(|(r, h)| !written.contains(r) && h.is_of_cells()) {
                let list = Handle::of(state.stack.get(base + *reg as usize).copied().unwrap_or(0));
                let cells = state.heap.get(list.at..list.at + list.len).unwrap_or_default();
                shared |= cells.iter().any(|c| is_unseen(*c));
            }
        });
        (!shared).then_some((func, wanted, given, state.pc))
    }

    /// Returns the region that begins at a program point, with its inputs. All lists whose entries are read later are inputs.
    pub fn region(&mut self, place: Place, rolls: bool) -> Option<(Region, LiveSet)> {
        let live = self.live(place);
        let lists = live.iter().filter(|(_, holds)| !matches!(holds, Holds::Plain | Holds::Counted));
        let known: Vec<Reg> = lists.map(|(reg, _)| *reg).collect();
        let region = self.flow.region(place.0, place.3, &known, rolls)?;
        let inputs = live.iter().filter(|(reg, _)| region.inputs.contains(reg)).copied().collect();
        Some((region, inputs))
    }

    fn call(&mut self, place: Place, func: FuncId, dst: Reg, live: &LiveSet) -> (u32, u32) {
        if let Some(known) = self.known.calls.get(&(place, func, dst)) {
            return *known;
        }
        let (outer, _, given, back) = place;
        let info = &self.game.program.funcs[func.at()];
        let (width, params) = (info.result, info.params);
        let wanted = (0..width).map(|n| live.iter().any(|(reg, _)| *reg == dst + n)).collect();
        let before = back.saturating_sub(1);
        let holds = if let Instr::Call { args, .. } | Instr::CallExtern { args, .. } =
            self.game.program.code[before as usize]
        {
            let holds = self.flow.holds(outer, &self.known.given[given as usize], before);
            (args..args + params).map(|r| holds.of(r)).collect()
        } else {
            // An action does not get arguments of its caller.
            Vec::new()
        };
        let found = (number(&mut self.known.wanted, wanted), number(&mut self.known.given, holds));
        self.known.calls.insert((place, func, dst), found);
        found
    }

    /// Returns the data flow analysis of the program.
    pub fn flow(&mut self) -> &mut Flow<'g> {
        &mut self.flow
    }

    /// Returns whether a running function has a loop, so that it can reach the same program point again.
    pub fn in_loop(&mut self, state: &State) -> bool {
        state.frames.iter().any(|frame| self.flow.loops(frame.func))
    }

    /// Clears the buffers for registers and lists.
    fn begin(&mut self) {
        self.stack.clear();
        self.lists.clear();
    }

    /// Swaps the buffers into the state; the old contents become the next buffers.
    fn hand_over(&mut self, state: &mut State) {
        std::mem::swap(&mut state.stack, &mut self.stack);
        self.lists.hand_over(self.game, &mut state.heap);
    }

    /// Returns the number of registers of all running functions, and those that code can still read. Returns `None` if nothing is
    /// cleared.
    pub fn live_registers(&mut self, state: &State, root: (u32, u32)) -> Option<(usize, Box<[LiveRegister]>)> {
        if !self.clears || state.frames.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        self.walk(state, 0, root, |_, base, live, written| {
            let regs = live.iter().filter(|(reg, _)| !written.contains(reg));
            let at = |reg: &Reg| base as u32 + u32::from(*reg);
            found.extend(regs.map(|(reg, holds)| LiveRegister { at: at(reg), base: base as u32, holds: *holds }));
        });
        Some((self.registers(state), found.into()))
    }

    /// Returns the number of registers of all running functions.
    fn registers(&self, state: &State) -> usize {
        let mut size = 0;
        for (n, frame) in state.frames.iter().enumerate() {
            let base = state.frames.get(n + 1).map_or(state.base, |inner| inner.base) as usize;
            size = size.max(base + self.game.program.funcs[frame.func.at()].frame as usize);
        }
        size
    }

    /// Clears the cells that are not live.
    pub fn clear(&mut self, state: &mut State, root: (u32, u32)) {
        state.frames.iter_mut().for_each(|f| f.heap = 0);
        if !self.clears {
            return;
        }
        self.begin();
        let mut stack = std::mem::take(&mut self.stack);
        let mut lists = std::mem::take(&mut self.lists);
        stack.resize(self.registers(state), 0);
        self.walk(state, 0, root, |_, base, live, written| {
            for (reg, holds) in live.iter().filter(|(reg, _)| !written.contains(reg)) {
                let at = base + *reg as usize;
                let Some(cell) = state.stack.get(at).copied() else { continue };
                stack[at] = lists.keep(cell, *holds, state, base);
            }
        });
        (self.stack, self.lists) = (stack, lists);
        self.hand_over(state);
    }

    /// Clears a state in which one function runs, given its live registers.
    pub fn clear_one(&mut self, state: &mut State, func: FuncId, live: &LiveSet) {
        self.begin();
        self.stack.resize(self.game.program.funcs[func.at()].frame as usize, 0);
        for (reg, holds) in live {
            let cell = state.stack[*reg as usize];
            self.stack[*reg as usize] = self.lists.keep(cell, *holds, state, 0);
        }
        self.hand_over(state);
    }

    /// Clears a state at the end of a call: only the required cells of the result stay.
    pub fn clear_result(&mut self, state: &mut State, func: FuncId, root: (u32, u32)) {
        let info = &self.game.program.funcs[func.at()];
        self.begin();
        for n in 0..info.result as usize {
            let wanted = self.known.wanted[root.0 as usize].get(n).copied().unwrap_or(true);
            self.stack.push(if wanted { state.stack.get(n).copied().unwrap_or(0) } else { 0 });
        }
        for (cell, width) in &info.lists {
            let at = *cell as usize;
            self.stack[at] = self.lists.keep(self.stack[at], Holds::List(*width), state, 0);
        }
        self.hand_over(state);
        state.frames.clear();
        (state.pc, state.base) = (0, 0);
    }

    /// Returns whether no live register holds `list` after the current instruction, which writes `dst`.
    pub fn forgotten(&mut self, state: &State, root: (u32, u32), list: Handle, dst: Reg) -> bool {
        if !self.clears {
            return false;
        }
        let mut held = false;
        let top = state.base as usize;
        self.walk(state, 1, root, |_, base, live, written| {
            for (reg, holds) in live.iter().filter(|(reg, _)| !written.contains(reg)) {
                if matches!(holds, Holds::Plain | Holds::Mark | Holds::Counted) || base == top && *reg == dst {
                    continue;
                }
                let Some(cell) = state.stack.get(base + *reg as usize).filter(|c| **c > 0) else { continue };
                held |= list.overlaps(Handle::of(*cell));
            }
        });
        !held
    }

    /// Returns whether no code reads the order of `list` from `at` on, a program point of the running function.
    pub fn is_bag_at(&mut self, state: &State, root: (u32, u32), list: Handle, at: Pc) -> bool {
        let mut bag = self.sorts && self.clears && at >= state.pc;
        let ahead = at.saturating_sub(state.pc);
        self.walk(state, ahead, root, |_, base, live, written| {
            for (reg, holds) in live.iter().filter(|(reg, _)| !written.contains(reg)) {
                let cell = state.stack.get(base + *reg as usize).copied().unwrap_or(0);
                let ordered = matches!(holds, Holds::List(_) | Holds::From(_) | Holds::Empty);
                bag &= !(ordered && list.overlaps(Handle::of(cell)));
            }
        });
        bag
    }

    /// Returns whether no code reads the order of the list that the current instruction writes into `dst`.
    pub fn makes_bag(&mut self, state: &State, root: (u32, u32), dst: Reg) -> bool {
        let (mut left, mut bag) = (state.frames.len(), self.sorts && self.clears);
        self.walk(state, 1, root, |_, _, live, _| {
            left -= 1;
            let ordered = |holds: &Holds| matches!(holds, Holds::List(_) | Holds::From(_) | Holds::Empty);
            bag &= left > 0 || !live.iter().any(|(reg, holds)| *reg == dst && ordered(holds));
        });
        bag
    }

    /// Returns whether no code reads the order of `list` from the current instruction on, apart from the places that this
    /// instruction reads itself.
    pub fn is_bag(&mut self, state: &State, root: (u32, u32), list: Handle) -> bool {
        let (mut bag, mut left) = (self.sorts && self.clears, state.frames.len());
        let mut own: Vec<Reg> = Vec::new();
        let (wanted, _) = self.walk(state, 0, root, |_, base, live, written| {
            left -= 1;
            for (reg, holds) in live.iter().filter(|(reg, _)| !written.contains(reg)) {
                let cell = state.stack.get(base + *reg as usize).copied().unwrap_or(0);
                match holds {
                    Holds::List(_) | Holds::From(_) | Holds::Empty if !list.overlaps(Handle::of(cell)) => {}
                    Holds::List(_) | Holds::From(_) if left == 0 => own.push(*reg),
                    Holds::List(_) | Holds::From(_) | Holds::Empty => bag = false,
                    Holds::Plain | Holds::Mark | Holds::Counted | Holds::Bag => {}
                }
            }
        });
        let (Some(frame), wanted) = (state.frames.last(), self.known.wanted[wanted as usize].clone()) else {
            return false;
        };
        bag && own.into_iter().all(|reg| !self.flow.reads_order(frame.func, &wanted, state.pc, reg))
    }

    /// Returns whether `reg` of the running function is dead `ahead` instructions later.
    pub fn dead(&mut self, state: &State, ahead: Pc, root: (u32, u32), reg: Reg) -> bool {
        let (mut left, mut dead) = (state.frames.len(), self.clears);
        self.walk(state, ahead, root, |_, _, live, _| {
            left -= 1;
            dead &= left > 0 || live.iter().all(|(other, _)| *other != reg);
        });
        dead
    }

    /// Returns the named variables that code can still read, from the outermost function in: the function, the index of the
    /// variable, and its cells.
    pub fn variables(&mut self, state: &State, root: (u32, u32)) -> Vec<(FuncId, LocalId, Vec<i64>)> {
        let rules = &self.game.program.schema;
        let mut frames = state.frames.iter();
        let mut found = Vec::new();
        self.walk(state, 0, root, |_, base, live, written| {
            let Some(func) = frames.next().map(|frame| frame.func) else { return };
            let Some(function) = self.game.program.functions.get(func.at()) else { return };
            let mut first = 0;
            for (n, local) in function.locals.iter().enumerate() {
                // Variables are in the order of their declarations.
                let own: Range<usize> = first..first + rules.width(&local.ty);
                first = own.end;
                let read = |(reg, _): &(Reg, Holds)| own.contains(&(*reg as usize)) && !written.contains(reg);
                let cells = state.stack.get(base + own.start..base + own.end);
                if let (false, true, Some(cells)) = (local.name.is_empty(), live.iter().any(read), cells) {
                    found.push((func, LocalId::from(n), cells.to_vec()));
                }
            }
        });
        found
    }

    /// Returns the lists that live registers hold.
    pub fn held(&mut self, state: &State, root: (u32, u32)) -> Vec<Handle> {
        let mut found = Vec::new();
        if !self.clears {
            // Without liveness any list may be held, so each unsampled die counts as a list.
            let unseen = (0..state.heap.len()).filter(|n| is_unseen(state.heap[*n]));
            return unseen.map(|at| Handle { at, len: 1 }).collect();
        }
        self.walk(state, 0, root, |_, base, live, written| {
            for (reg, _) in live.iter().filter(|(r, h)| !written.contains(r) && h.is_of_cells()) {
                let list = Handle::of(state.stack.get(base + *reg as usize).copied().unwrap_or(0));
                if list.len > 0 && list.at + list.len <= state.heap.len() && !found.contains(&list) {
                    found.push(list);
                }
            }
        });
        found
    }
}

/// Returns the lists on the table whose order no code reads: first cell, cells of a list, number of lists.
fn bags(game: &Game, flow: &mut Flow<'_>) -> Vec<(usize, usize, usize)> {
    let layout = &game.layout;
    let place = |slot: Slot| match slot {
        Slot::Global(id) => Some((layout.globals[id.at()], 1)),
        Slot::Field(id) => {
            let slots = layout.kinds[game.program.schema.fields[id.at()].kind.at()].slots;
            Some((layout.fields[id.at()], slots * layout.fields[id.at()].figures))
        }
        Slot::Setting(_) | Slot::Ambient(_) | Slot::Status(_) => None,
    };
    let lists = flow.bags().into_iter().filter_map(place);
    lists.map(|(layout, count)| (layout.base, layout.width, count)).filter(|(_, width, _)| *width > 1).collect()
}

/// Returns the index of an entry, which is appended if it is new.
fn number<T: PartialEq>(list: &mut Vec<T>, entry: T) -> u32 {
    let at = list.iter().position(|e| *e == entry).unwrap_or_else(|| {
        list.push(entry);
        list.len() - 1
    });
    at as u32
}
