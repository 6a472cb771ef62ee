//! Control flow graph and dataflow analysis of compiled code: liveness of registers, and which registers hold lists.
//!
//! Whoever keeps positions between two instructions can so forget what no code can read any more, and lists that
//! nobody holds.

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator is thought of everywhere

use super::instr::Wants;
use super::*;
use crate::rules::ruleset::AmbientCase;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a register holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holds {
    /// A number, a thing, a flag: a cell of its own.
    #[default]
    Plain,
    /// A list of which nobody reads more than how many entries it has.
    Counted,
    /// A list of entries of one cell of which nobody reads the order: a multiset.
    Bag,
    /// A list that nothing was put into yet.
    Empty,
    /// A list of entries of one cell, read only from the place on that another register holds.
    From(Reg),
    /// A list of entries of so many cells.
    List(Reg),
    /// How much of the heap was in use.
    Mark,
}

impl Holds {
    /// True for a list whose entries take one cell each, as dice do.
    pub fn is_of_cells(self) -> bool {
        matches!(self, Holds::Bag | Holds::From(_) | Holds::List(1))
    }
}

/// What one instruction does with registers, and where it leads.
#[derive(Clone, Debug, Default)]
struct Effect {
    /// Registers it reads: first and how many.
    reads: Vec<(Reg, Reg)>,
    /// Registers it surely writes, and what they hold then.
    writes: Vec<(Reg, Reg, Holds)>,
    /// Copies what registers hold: to, from, how many.
    copies: Option<(Reg, Reg, Reg)>,
    /// A list of which it reads only how many entries it has.
    counts: Option<Reg>,
    /// Lists of which it reads entries, and what it wants to know of dice among them.
    dice: Vec<(Reg, Wants)>,
    /// Lists whose entries it reads in whatever order: what comes of it is the same.
    unordered: Vec<Reg>,
    /// Lists whose order becomes part of the order of another: to, from.
    ordering: Vec<(Reg, Reg)>,
    /// A list that it reads at places which another register holds: the list keeps its order as long as those live.
    placed: Option<(Reg, Reg)>,
    /// A list of which it reads one entry of one cell, and the register that holds its place.
    entry: Option<(Reg, Reg)>,
    /// Whether all it does is to count a register up.
    counts_up: bool,
    /// A function that it calls, its parameters: first and how many.
    call: Option<(FuncId, Reg, Reg)>,
    /// Where it may lead in the same function.
    next: Vec<Pc>,
    /// A result that its caller may read.
    result: Option<(Reg, Reg)>,
}

/// Sets of registers, one bit each.
type Set = FixedBitSet;

fn put(set: &mut Set, reg: usize, on: bool) {
    if on {
        set.grow_and_insert(reg);
    } else if reg < set.len() {
        set.remove(reg);
    }
}

/// Adds; true if something was new.
fn join(to: &mut Set, from: &Set) -> bool {
    let new = !from.is_subset(to);
    if new {
        to.union_with(from);
    }
    new
}

/// The code of one function.
#[derive(Default)]
struct Body {
    /// Every instruction that can be reached, and what it does.
    code: BTreeMap<Pc, Effect>,
    /// Registers that code elsewhere may read at any time.
    always: Set,
    /// Registers of variables, which hold the same sort of value from beginning to end.
    fixed: BTreeMap<Reg, Holds>,
    /// Lists that are read at places.
    placed: Vec<live::Placed>,
    /// Lists of which single entries are read, and the registers that hold their places.
    entries: Vec<(Reg, Reg)>,
}

/// What registers hold at each place.
type HoldsAt = FxHashMap<Pc, Vec<Holds>>;

/// The lists whose dice an instruction reads, and what it wants of them.
pub type Demands = Box<[(Reg, Wants)]>;

/// The demands of each instruction of a program.
pub fn demands(program: &Program) -> Vec<Demands> {
    let flow = Flow::new(program);
    (0..program.code.len() as Pc).map(|pc| flow.own_effect(pc).dice.into()).collect()
}

/// Answers about the code of a program.
pub struct Flow<'p> {
    program: &'p Program,
    /// Whether players who choose between values take them alike in whatever order they stand.
    menus: bool,
    bodies: FxHashMap<FuncId, Body>,
    /// What registers hold at each place, and what was known of the parameters when it was worked out.
    holds: FxHashMap<FuncId, (Vec<Holds>, HoldsAt)>,
    /// Registers of which somebody may still read so much at each place, by what its caller wants of the result.
    live: FxHashMap<(FuncId, Vec<bool>), [At; 4]>,
    /// Parameters that hold lists whose order a function reads; of one at work all of them.
    ordered: FxHashMap<FuncId, Vec<Reg>>,
}

/// Registers at each place.
type At = FxHashMap<Pc, Set>;

impl<'p> Flow<'p> {
    /// For a program.
    pub fn new(program: &'p Program) -> Self {
        let (bodies, holds, live, ordered) = Default::default();
        Flow { program, menus: false, bodies, holds, live, ordered }
    }

    /// The same where players who choose between values take them alike in whatever order they stand.
    pub fn without_order_of_menus(program: &'p Program) -> Self {
        Flow { menus: true, ..Flow::new(program) }
    }

    /// True if every list of the program holds plain cells: lists inside lists are not followed.
    pub fn lists_are_flat(&self) -> bool {
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

    /// Whether a function reads its first parameter.
    pub fn reads_first(&mut self, func: FuncId) -> bool {
        let width = self.program.funcs[func.at()].result as usize;
        let entry = self.program.funcs[func.at()].entry;
        self.live(func, &vec![true; width], entry).iter().any(|(reg, _)| *reg == 0)
    }

    /// Which parameters of a function are read, cell by cell.
    pub fn reads(&mut self, func: FuncId) -> Vec<bool> {
        let info = &self.program.funcs[func.at()];
        let (params, width, entry) = (info.params, info.result as usize, info.entry);
        let live = self.live(func, &vec![true; width], entry);
        (0..params).map(|n| live.iter().any(|(reg, _)| *reg == n)).collect()
    }

    /// The instructions of a function that can be reached, without those of functions it calls.
    pub fn code_of(&mut self, func: FuncId) -> Vec<Pc> {
        self.body(func).code.keys().copied().collect()
    }

    /// What registers hold when the function goes on at `pc`; `given` is what its parameters hold.
    pub fn holds(&mut self, func: FuncId, given: &[Holds], pc: Pc) -> &[Holds] {
        let stale = self.holds.get(&func).is_none_or(|(known, _)| {
            given.iter().enumerate().any(|(n, h)| *h > known.get(n).copied().unwrap_or_default())
        });
        if stale {
            let mut known = self.holds.remove(&func).map_or(Vec::new(), |(known, _)| known);
            known.resize(known.len().max(given.len()), Holds::Plain);
            known.iter_mut().zip(given).for_each(|(k, g)| *k = (*k).max(*g));
            let found = self.holding(func, &known);
            self.holds.insert(func, (known, found));
        }
        self.holds.get(&func).and_then(|(_, all)| all.get(&pc)).map_or(&[], Vec::as_slice)
    }

    fn body(&mut self, func: FuncId) -> &Body {
        if !self.bodies.contains_key(&func) {
            let body = self.make(func);
            self.bodies.insert(func, body);
        }
        &self.bodies[&func]
    }

    fn make(&self, func: FuncId) -> Body {
        let program = self.program;
        let mut body = Body::default();
        // what is left early goes on at the end of its phase or action
        let mut exits: Vec<Pc> = Vec::new();
        let mut own: Vec<(Reg, &Type)> = Vec::new();
        for (n, phase) in program.phases.iter().enumerate().filter(|(_, p)| p.func == func) {
            exits.extend([phase.end, phase.out]);
            put(&mut body.always, 0, true);
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
            for n in 0..self.width(ty).max(1) {
                put(&mut body.always, usize::from(reg + n), true);
            }
        }
        if let Some(function) = program.functions.get(func.at())
            && program.funcs[func.at()].sort != FuncSort::Snippet
        {
            let mut at = 0;
            for local in &function.locals {
                let width = self.width(&local.ty);
                for n in 0..width {
                    body.fixed.insert(at + n, Holds::Plain);
                }
                for (cell, entry) in self.lists(&local.ty) {
                    body.fixed.insert(at + cell, Holds::List(entry));
                }
                at += width;
            }
        }
        let mut open = vec![program.funcs[func.at()].entry];
        while let Some(pc) = open.pop() {
            if body.code.contains_key(&pc) {
                continue;
            }
            let mut effect = self.effect(pc);
            let calls = matches!(program.code[pc as usize], Instr::Call { .. } | Instr::CallExtern { .. });
            if calls || matches!(program.code[pc as usize], Instr::Ask { .. }) && !region::throws(program, pc) {
                effect.next.extend(&exits);
            }
            open.extend(&effect.next);
            body.code.insert(pc, effect);
        }
        body.placed = live::placed(&body.code);
        body.entries = body.code.values().filter_map(|effect| effect.entry).collect();
        body
    }

    fn width(&self, ty: &Type) -> Reg {
        self.program.schema.width(ty) as Reg
    }

    /// Cells of a value that are lists, and how wide their entries are.
    fn lists(&self, ty: &Type) -> Vec<(Reg, Reg)> {
        let mut found = Vec::new();
        super::compile::find_lists(&self.program.schema, ty, 0, &mut found);
        found
    }

    /// Forward: what registers hold.
    fn holding(&mut self, func: FuncId, given: &[Holds]) -> HoldsAt {
        let info = &self.program.funcs[func.at()];
        let (entry, size) = (info.entry, usize::from(info.frame) + 64);
        let body = self.body(func);
        let mut first = vec![Holds::Plain; size];
        first.iter_mut().zip(given).for_each(|(f, g)| *f = *g);
        for (reg, holds) in &body.fixed {
            if let Some(f) = first.get_mut(usize::from(*reg)) {
                *f = (*f).max(*holds);
            }
        }
        let mut known: HoldsAt = FxHashMap::from_iter([(entry, first)]);
        let mut open = vec![entry];
        while let Some(pc) = open.pop() {
            let effect = &body.code[&pc];
            let mut at = known[&pc].clone();
            let set = |at: &mut Vec<Holds>, reg: usize, holds: Holds| {
                if at.len() <= reg {
                    at.resize(reg + 1, Holds::Plain);
                }
                at[reg] = body.fixed.get(&(reg as Reg)).copied().unwrap_or(holds);
            };
            for (reg, n, holds) in &effect.writes {
                (0..*n).for_each(|k| set(&mut at, usize::from(reg + k), *holds));
            }
            if let Some((to, from, n)) = effect.copies {
                let from = usize::from(from);
                let kept: Vec<Holds> =
                    (from..from + usize::from(n)).map(|r| at.get(r).copied().unwrap_or_default()).collect();
                kept.into_iter().enumerate().for_each(|(k, holds)| set(&mut at, usize::from(to) + k, holds));
            }
            for next in &effect.next {
                match known.get_mut(next) {
                    None => {
                        known.insert(*next, at.clone());
                        open.push(*next);
                    }
                    Some(old) => {
                        old.resize(old.len().max(at.len()), Holds::Plain);
                        let mut new = false;
                        for (o, h) in old.iter_mut().zip(&at) {
                            if *h > *o {
                                *o = *h;
                                new = true;
                            }
                        }
                        if new {
                            open.push(*next);
                        }
                    }
                }
            }
        }
        known
    }

    /// What pure code reads before it writes it: registers, and lists whose order it does not read.
    fn fragment_reads(&self, fragment: Fragment) -> (Vec<(Reg, Reg)>, Vec<Reg>) {
        let (mut code, mut open) = (BTreeMap::new(), vec![fragment.entry]);
        while let Some(pc) = open.pop() {
            if !code.contains_key(&pc) && (pc as usize) < self.program.code.len() {
                let effect = self.effect(pc);
                open.extend(&effect.next);
                code.insert(pc, effect);
            }
        }
        // every read counts, even of what the fragment wrote itself: those registers lie above its frame's own
        let outside = |reg: Reg| reg < fragment.result;
        let (mut reads, mut unordered) = (Vec::new(), Vec::new());
        for effect in code.values() {
            reads.extend(effect.reads_in_order().filter(|(reg, _)| outside(*reg)));
            unordered.extend(effect.unordered.iter().copied().filter(|reg| outside(*reg)));
        }
        (reads, unordered)
    }
}

mod effect;
mod live;
mod order;
mod region;

pub use live::Reading;
pub use region::Region;
