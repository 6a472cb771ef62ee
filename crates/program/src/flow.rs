//! Control flow graph and dataflow analysis of compiled code: liveness of registers and the lists that they hold.
//!
//! Code that keeps states between two instructions can discard dead registers and unreferenced lists.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new instruction or operator

use super::instr::Wants;
use super::*;
use grognard_rules::ruleset::AmbientCase;
use rows::{Rows, join, put};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// Abstract value of a register. The order is that of the lattice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holds {
    /// A single cell: a number, a thing or a flag.
    #[default]
    Plain,
    /// A list of which only the number of entries is read.
    Counted,
    /// A list of single cells whose order is dead: a multiset.
    Bag,
    /// A list that is still empty.
    Empty,
    /// A list of single cells, read only from the index in the given register on.
    From(Reg),
    /// A list whose entries have the given number of cells.
    List(Reg),
    /// A saved size of the heap.
    Mark,
}

impl Holds {
    /// Returns whether this is a list with entries of one cell, such as dice.
    pub fn is_of_cells(self) -> bool {
        matches!(self, Holds::Bag | Holds::From(_) | Holds::List(1))
    }
}

/// Register effects and successors of one instruction.
#[derive(Clone, Debug, Default)]
struct Effect {
    /// Registers that it reads: first and count.
    reads: SmallVec<[(Reg, Reg); 4]>,
    /// Registers that it definitely writes, and their abstract value afterward: first, count, value.
    writes: SmallVec<[(Reg, Reg, Holds); 2]>,
    /// Copied registers: destination, source, count.
    copies: Option<(Reg, Reg, Reg)>,
    /// List of which it reads only the number of entries.
    counts: Option<Reg>,
    /// Lists whose entries it reads, each with the demand on dice.
    dice: SmallVec<[(Reg, Wants); 1]>,
    /// Lists whose entries it reads with a result that does not depend on their order.
    unordered: SmallVec<[Reg; 4]>,
    /// Lists whose order becomes part of the order of another list: destination, source.
    ordering: SmallVec<[(Reg, Reg); 2]>,
    /// A list and a register with indices into it. The list keeps its order as long as the indices are live.
    placed: Option<(Reg, Reg)>,
    /// A list of which it reads one entry of one cell, and the register with the index.
    entry: Option<(Reg, Reg)>,
    /// Whether its only effect is to increment a register.
    counts_up: bool,
    /// The called function and its parameters: first and count.
    call: Option<(FuncId, Reg, Reg)>,
    /// Successors in the same function.
    next: SmallVec<[Pc; 2]>,
    /// Registers of a result that the caller may read: first and count.
    result: Option<(Reg, Reg)>,
}

/// Reachable code of one function.
#[derive(Debug, Default)]
struct FuncCode {
    /// Reachable instructions in ascending order, with their effects.
    code: Vec<(Pc, Effect)>,
    /// Index in `code` of each program point, from the first reachable one on; `u32::MAX` if unreachable.
    numbers: Vec<u32>,
    /// Number of registers that the function can access.
    registers: usize,
    /// Registers that code of other functions may read at any time.
    always: Vec<Reg>,
    /// Abstract values of the variables, from register 0 on. They are the same at all program points.
    fixed: Vec<Holds>,
    /// Lists that are read at stored indices.
    placed: Vec<live::Placed>,
    /// Lists of which single entries are read, each with the register of the index.
    entries: Vec<(Reg, Reg)>,
}

impl FuncCode {
    /// Returns the index of a reachable instruction.
    fn number(&self, pc: Pc) -> usize {
        self.known(pc).unwrap_or_default()
    }

    /// Returns the index of the instruction at any program point, or `None` if it is unreachable.
    fn known(&self, pc: Pc) -> Option<usize> {
        let first = self.code.first()?.0;
        let number = *self.numbers.get(pc.checked_sub(first)? as usize)? as usize;
        self.code.get(number).is_some_and(|(own, _)| *own == pc).then_some(number)
    }

    /// Returns the indices of the successors.
    fn next<'b>(&'b self, effect: &'b Effect) -> impl Iterator<Item = usize> + Clone + 'b {
        effect.next.iter().map(|pc| self.number(*pc))
    }

    /// Returns the first instructions of the loops around `pc`, unless it is one itself.
    fn heads(&self, pc: Pc) -> Vec<Pc> {
        let around = self.code.iter().filter(|(last, _)| *last >= pc);
        let back = around.flat_map(|(last, effect)| effect.next.iter().filter(move |head| *head <= last));
        back.copied().filter(|head| *head < pc).collect()
    }

    /// Returns whether the code has a back edge.
    fn loops(&self) -> bool {
        self.code.iter().any(|(pc, effect)| effect.next.iter().any(|next| next <= pc))
    }
}

/// Abstract values of registers at each instruction of a function.
#[derive(Debug, Default)]
pub struct HoldsAt {
    /// Sorted registers that anywhere hold something other than a plain cell.
    registers: Vec<Reg>,
    /// Abstract value of each of these registers, instruction by instruction.
    rows: Vec<Holds>,
}

impl HoldsAt {
    /// Returns the abstract values before the instruction at index `n`.
    fn row(&self, n: usize) -> Held<'_> {
        let width = self.registers.len();
        Held { registers: &self.registers, holds: self.rows.get(n * width..(n + 1) * width).unwrap_or_default() }
    }
}

/// Abstract values of registers at one program point.
#[derive(Clone, Copy)]
pub struct Held<'h> {
    registers: &'h [Reg],
    holds: &'h [Holds],
}

impl Held<'_> {
    /// Returns the abstract value of a register.
    pub fn of(self, reg: Reg) -> Holds {
        let at = self.registers.binary_search(&reg).ok();
        at.and_then(|at| self.holds.get(at)).copied().unwrap_or_default()
    }
}
/// Lists whose dice an instruction reads, with its demands on them.
pub type Demands = Box<[(Reg, Wants)]>;

/// Returns the demands of each instruction of a program.
pub fn demands(program: &Program) -> Vec<Demands> {
    let flow = Flow::new(program);
    (0..program.code.len() as Pc).map(|pc| flow.own_effect(pc).dice.into_vec().into()).collect()
}

/// Dataflow analyses of a program. Results are cached.
pub struct Flow<'p> {
    program: &'p Program,
    /// Whether a choice between values does not depend on the order of the menu.
    menus: bool,
    facts: Taken<Facts>,
}

impl<'p> Flow<'p> {
    /// Creates the analyses of a program, with an empty cache.
    pub fn new(program: &'p Program) -> Self {
        Flow { program, menus: false, facts: Taken::default() }
    }

    /// Creates the analyses with the cached results in `facts`. New results return there on drop.
    pub fn knowing(program: &'p Program, facts: &Kept) -> Self {
        Flow { program, menus: false, facts: facts.take() }
    }

    /// Creates the analyses under the assumption that choices between values do not depend on the order of the menu.
    pub fn without_order_of_menus(program: &'p Program) -> Self {
        Flow { menus: true, ..Flow::new(program) }
    }

    /// Returns whether no list of the program contains another list. The analyses do not follow nested lists.
    pub fn lists_are_flat(&mut self) -> bool {
        let flat = self.facts.flat.unwrap_or_else(|| self.all_flat());
        self.facts.flat = Some(flat);
        flat
    }

    fn all_flat(&self) -> bool {
        let functions = &self.program.functions;
        let locals = functions.iter().flat_map(|f| f.locals.iter().map(|l| &l.ty));
        let results = functions.iter().map(|f| &f.result);
        locals.chain(results).all(|ty| self.flat(ty, false))
    }

    fn flat(&self, ty: &Type, inside: bool) -> bool {
        match ty {
            Type::List(inner) => !inside && self.flat(inner, true),
            Type::Leg => !inside,
            Type::Optional(inner) => self.flat(inner, inside),
            Type::Record(id) => self.program.schema.records[id.at()].fields.iter().all(|(_, t)| self.flat(t, inside)),
            Type::Tuple(parts) => parts.iter().all(|t| self.flat(t, inside)),
            Type::Int(_) | Type::Flag | Type::Length | Type::Angle | Type::Ratio | Type::Enum(_) | Type::Chain(_) => {
                true
            }
            Type::Die | Type::Shifted(_) | Type::Faces(_) | Type::Kind(_) | Type::Place | Type::Route => true,
            Type::Met | Type::Nothing | Type::Unknown => true,
        }
    }

    /// Returns whether a function reads its first parameter.
    pub fn reads_first(&mut self, func: FuncId) -> bool {
        let width = self.program.funcs[func.at()].result as usize;
        let entry = self.program.funcs[func.at()].entry;
        self.live(func, &vec![true; width], entry).iter().any(|(reg, _)| *reg == 0)
    }

    /// Returns for each cell of the parameters whether a function reads it.
    pub fn reads(&mut self, func: FuncId) -> Vec<bool> {
        let info = &self.program.funcs[func.at()];
        let (params, width, entry) = (info.params, info.result as usize, info.entry);
        let live = self.live(func, &vec![true; width], entry);
        (0..params).map(|n| live.iter().any(|(reg, _)| *reg == n)).collect()
    }

    /// Returns the reachable instructions of a function, without its callees.
    pub fn code_of(&mut self, func: FuncId) -> Vec<Pc> {
        self.body(func).code.iter().map(|(pc, _)| *pc).collect()
    }

    /// Returns the registers that an instruction writes: from the first to the last.
    pub fn writes(&self, pc: Pc) -> std::ops::Range<Reg> {
        let effect = self.own_effect(pc);
        let (first, last) = (effect.all_writes().min(), effect.all_writes().max());
        first.zip(last).map_or(0..0, |(first, last)| first..last + 1)
    }

    /// Returns whether the code of a function has a loop.
    pub fn loops(&mut self, func: FuncId) -> bool {
        self.body(func).loops()
    }

    /// Returns the abstract values when the function continues at `pc`. `given` are those of its parameters.
    pub fn holds(&mut self, func: FuncId, given: &[Holds], pc: Pc) -> Held<'_> {
        let known = |facts: &Facts| facts.holds.get(&func)?.iter().position(|(known, _)| known == given);
        let at = known(&self.facts).unwrap_or_else(|| {
            let found = self.holding(func, given);
            let all = self.facts.holds.entry(func).or_default();
            all.push((given.to_vec(), found));
            all.len() - 1
        });
        let number = self.body(func).known(pc).unwrap_or(usize::MAX / 2);
        self.facts.holds[&func][at].1.row(number)
    }

    fn body(&mut self, func: FuncId) -> &FuncCode {
        if !self.facts.bodies.contains_key(&func) {
            self.find_bags();
            let body = self.make(func);
            self.facts.bodies.insert(func, body);
        }
        &self.facts.bodies[&func]
    }

    fn make(&self, func: FuncId) -> FuncCode {
        let program = self.program;
        let mut body = FuncCode::default();
        // a function that is left early continues at the end of its phase or action
        let mut exits: Vec<Pc> = Vec::new();
        let mut own: Vec<(Reg, &Type)> = Vec::new();
        for (n, phase) in program.phases.iter().enumerate().filter(|(_, p)| p.func == func) {
            exits.extend([phase.end, phase.out]);
            body.always.extend((program.funcs[func.at()].params > 0).then_some(0));
            for ambient in &program.schema.ambients {
                for case in &ambient.cases {
                    if let AmbientCase::Phase(id, local) | AmbientCase::PhaseOfAction(_, id, local) = case
                        && id.at() == n
                    {
                        own.push((phase.locals[local.at()], &ambient.ty));
                    }
                }
            }
        }
        for (n, action) in program.actions.iter().enumerate().filter(|(_, a)| a.func == func) {
            exits.push(action.out);
            for ambient in &program.schema.ambients {
                for case in &ambient.cases {
                    if let AmbientCase::Action(id, local) = case
                        && id.at() == n
                    {
                        own.push((action.locals[local.at()], &ambient.ty));
                    }
                }
            }
        }
        for (reg, ty) in own {
            body.always.extend(reg..reg + self.width(ty).max(1));
        }
        if let Some(function) = program.functions.get(func.at())
            && program.funcs[func.at()].sort != FuncSort::Snippet
        {
            for local in &function.locals {
                let at = body.fixed.len();
                body.fixed.resize(at + usize::from(self.width(&local.ty)), Holds::Plain);
                for (cell, entry) in self.lists(&local.ty) {
                    body.fixed[at + usize::from(cell)] = Holds::List(entry);
                }
            }
        }
        let mut seen = Rows::new(1, program.code.len());
        let mut open = vec![program.funcs[func.at()].entry];
        while let Some(pc) = open.pop() {
            if rows::has(seen.row(0), pc as usize) {
                continue;
            }
            put(seen.row_mut(0), pc as usize, true);
            let mut effect = self.effect(pc);
            let calls = matches!(program.code[pc as usize], Instr::Call { .. } | Instr::CallExtern { .. });
            if calls || matches!(program.code[pc as usize], Instr::Ask { .. }) && !region::throws(program, pc) {
                effect.next.extend_from_slice(&exits);
            }
            open.extend_from_slice(&effect.next);
            body.code.push((pc, effect));
        }
        grognard_base::order::sort_by_key(&mut body.code, |(pc, _)| *pc);
        let (first, last) = (body.code[0].0, body.code[body.code.len() - 1].0);
        body.numbers.resize((last - first) as usize + 1, u32::MAX);
        for (n, (pc, _)) in body.code.iter().enumerate() {
            body.numbers[(pc - first) as usize] = n as u32;
        }
        let touched = body.code.iter().map(|(_, effect)| effect.registers()).max();
        let kept = body.always.iter().map(|reg| usize::from(*reg) + 1).max();
        body.registers = body.fixed.len().max(touched.unwrap_or(0)).max(kept.unwrap_or(0));
        body.placed = live::placed(&body.code);
        body.entries = body.code.iter().filter_map(|(_, effect)| effect.entry).collect();
        body
    }

    fn width(&self, ty: &Type) -> Reg {
        self.program.schema.width(ty) as Reg
    }

    /// Returns the cells of a value that hold lists, each with the width of an entry in cells.
    fn lists(&self, ty: &Type) -> Vec<(Reg, Reg)> {
        let mut found = Vec::new();
        super::compile::find_lists(&self.program.schema, ty, 0, &mut found);
        found
    }

    /// Forward analysis of abstract values, restricted to registers that anywhere hold more than a plain cell.
    fn holding(&mut self, func: FuncId, given: &[Holds]) -> HoldsAt {
        let entry = self.program.funcs[func.at()].entry;
        let body = self.body(func);
        let entry = body.number(entry);
        let rare = |list: &[Holds]| {
            let rare = list.iter().enumerate().filter(|(_, holds)| **holds != Holds::Plain);
            rare.map(|(reg, _)| reg as Reg).collect::<Vec<Reg>>()
        };
        let (mut registers, mut copied) = (rare(given), false);
        registers.extend(rare(&body.fixed));
        for (_, effect) in &body.code {
            let lists = effect.writes.iter().filter(|(.., holds)| *holds != Holds::Plain);
            lists.for_each(|(reg, n, _)| registers.extend(*reg..reg + n));
            copied |= effect.copies.is_some();
        }
        let mut known = 0;
        while copied && known < registers.len() {
            known = registers.len();
            for (to, from, n) in body.code.iter().filter_map(|(_, effect)| effect.copies) {
                let more = (0..n).filter(|k| registers.contains(&(from + k)) && !registers.contains(&(to + k)));
                let more: SmallVec<[Reg; 4]> = more.map(|k| to + k).collect();
                registers.extend(more);
            }
        }
        registers.sort_unstable();
        registers.dedup();
        let width = registers.len();
        let mut all = HoldsAt { rows: vec![Holds::Plain; body.code.len() * width], registers };
        if width == 0 {
            return all;
        }
        for (n, reg) in all.registers.iter().enumerate() {
            let of = |list: &[Holds]| list.get(usize::from(*reg)).copied().unwrap_or_default();
            all.rows[entry * width + n] = of(given).max(of(&body.fixed));
        }
        let mut at: SmallVec<[Holds; 16]> = SmallVec::new();
        loop {
            let mut new = false;
            for (n, (_, effect)) in body.code.iter().enumerate() {
                at.clear();
                at.extend_from_slice(all.row(n).holds);
                let mut set = |reg: Reg, holds: Holds| {
                    if let Ok(at_reg) = all.registers.binary_search(&reg) {
                        at[at_reg] = body.fixed.get(usize::from(reg)).copied().unwrap_or(holds);
                    }
                };
                for (reg, n, holds) in &effect.writes {
                    (*reg..reg + n).for_each(|reg| set(reg, *holds));
                }
                if let Some((to, from, count)) = effect.copies {
                    let row = all.row(n);
                    let kept: SmallVec<[Holds; 4]> = (from..from + count).map(|reg| row.of(reg)).collect();
                    kept.into_iter().zip(to..).for_each(|(holds, reg)| set(reg, holds));
                }
                for next in body.next(effect) {
                    for (old, holds) in all.rows[next * width..].iter_mut().zip(&at) {
                        new |= *holds > *old;
                        *old = (*old).max(*holds);
                    }
                }
            }
            if !new || !body.loops() {
                return all;
            }
        }
    }

    /// Returns what pure code reads of its frame: registers, and lists whose order it does not read.
    fn fragment_reads(&self, fragment: Fragment) -> (Vec<(Reg, Reg)>, Vec<Reg>) {
        let (mut code, mut open): (Vec<(Pc, Effect)>, _) = (Vec::new(), vec![fragment.entry]);
        while let Some(pc) = open.pop() {
            if code.iter().all(|(known, _)| *known != pc) && (pc as usize) < self.program.code.len() {
                let effect = self.effect(pc);
                open.extend_from_slice(&effect.next);
                code.push((pc, effect));
            }
        }
        grognard_base::order::sort_by_key(&mut code, |(pc, _)| *pc);
        // every read counts: registers that the fragment itself writes are above the frame and are filtered out
        let outside = |reg: Reg| reg < fragment.result;
        let (mut reads, mut unordered) = (Vec::new(), Vec::new());
        for (_, effect) in &code {
            reads.extend(effect.reads_in_order().filter(|(reg, _)| outside(*reg)));
            unordered.extend(effect.unordered.iter().copied().filter(|reg| outside(*reg)));
        }
        (reads, unordered)
    }
}

mod bags;
mod effect;
mod facts;
mod live;
mod order;
mod region;
mod rows;

use facts::Facts;
pub use facts::{Kept, LiveSet, Place, Places, Row, Taken};
pub use live::Reading;
pub use region::Region;
