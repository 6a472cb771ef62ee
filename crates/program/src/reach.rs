//! Reachability analysis over the calls of a program: what the code of a scenario can read, write and create for any
//! dice and decisions.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new instruction or operator

use super::flow::Flow;
use super::instr::{Operand, Slot};
use super::schema::Stored;
use super::{FuncSort, Instr, Pc, Program};
use grognard_base::value::*;

/// Possible effects of code while a scenario runs, while its table is set up, or while it is queried.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Functions that can be called.
    pub funcs: IdSet<FuncId>,
    /// Params and readings that can be read.
    pub settings: IdSet<SettingId>,
    /// Stored fields that can be written.
    pub written: IdSet<FieldId>,
    /// Kinds of which things can be created.
    pub spawned: IdSet<KindId>,
    /// Whether things can be merged, which moves links of any kind.
    pub merges: bool,
}

/// Returns the params and readings that can be read while the scenario runs, while its table is set up, or while it is
/// queried. The snippets of the scenario must already be in the program.
///
/// The analysis is sound: a setting that is not in the result changes nothing on this table. Code that is evaluated for
/// players, such as a preference or a condition of a policy, always counts as read.
pub fn settings_reached(program: &Program) -> IdSet<SettingId> {
    reached(program).settings
}

/// Returns everything that the code of a scenario can reach.
pub fn reached(program: &Program) -> Reached {
    reached_with(program, &[], &|_| true)
}

/// Returns what a table reaches that also calls the functions `calls`. `begins` returns whether a field of some thing
/// on the table, or a state of the game, begins with its default. Things that are created later begin with the defaults
/// of their kind.
pub fn reached_with(program: &Program, calls: &[FuncId], begins: &dyn Fn(Stored) -> bool) -> Reached {
    let mut reach = Reach { program, flow: Flow::new(program), open: Vec::new(), found: Reached::default() };
    let pieces = program.funcs.iter().enumerate().filter(|(_, f)| f.sort == FuncSort::Snippet);
    let rules = &program.schema;
    // the defaults and bounds of slots
    let first = rules.all_stored().flat_map(|stored| {
        let declared = rules.declared(stored);
        [declared.default.filter(|_| begins(stored)), declared.bounds.0, declared.bounds.1]
    });
    for func in pieces.map(|(n, _)| FuncId::from(n)).chain(first.flatten()).chain(calls.iter().copied()) {
        reach.come_to(func);
    }
    reach.judged();
    while let Some(func) = reach.open.pop() {
        for pc in reach.flow.code_of(func) {
            reach.look(pc);
        }
        reach.menus_of(func);
    }
    reach.found
}

struct Reach<'p> {
    program: &'p Program,
    flow: Flow<'p>,
    open: Vec<FuncId>,
    found: Reached,
}

impl Reach<'_> {
    fn come_to(&mut self, func: FuncId) {
        if func.at() < self.program.funcs.len() && self.found.funcs.insert(func) {
            self.open.push(func);
        }
    }

    /// Adds the defaults of a kind whose things are created.
    fn spawns(&mut self, kind: KindId) {
        if self.found.spawned.insert(kind) {
            let fields = self.program.schema.fields.iter().filter(|field| field.kind == kind);
            fields.filter_map(|field| field.default).for_each(|func| self.come_to(func));
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the table of instructions lists the reads, writes and calls")]
    fn look(&mut self, pc: Pc) {
        let Some(instr) = self.program.code.get(pc as usize) else { return };
        match instr {
            Instr::SetBackLink { id, .. } => drop(self.found.written.insert(*id)),
            Instr::Spawn { kind, .. } => self.spawns(*kind),
            Instr::Merge { .. } => self.found.merges = true,
            _ => {}
        }
        for operand in instr.operands() {
            match operand {
                Operand::Load(_, Slot::Setting(id)) => drop(self.found.settings.insert(id)),
                Operand::Store(_, Slot::Field(id)) => drop(self.found.written.insert(id)),
                Operand::Call(func, ..) => self.come_to(func),
                _ => {}
            }
        }
    }

    /// Adds the actions that a phase offers.
    fn menus_of(&mut self, func: FuncId) {
        for phase in self.program.phases.iter().filter(|p| p.func == func) {
            for action in &phase.menu {
                let action = &self.program.actions[action.at()];
                self.come_to(action.header);
                self.come_to(action.func);
            }
        }
    }

    /// Adds code that belongs to no function: it evaluates candidates, preferences and policies.
    fn judged(&mut self) {
        let mut owned = vec![false; self.program.code.len()];
        for func in 0..self.program.funcs.len() {
            for pc in self.flow.code_of(FuncId::from(func)) {
                owned[pc as usize] = true;
            }
        }
        for pc in (0..owned.len()).filter(|pc| !owned[*pc]) {
            self.look(pc as Pc);
        }
    }
}
