//! What the code of a scenario can come to, whatever its dice and players do: which params and readings it reads, and what
//! it writes and makes. A reachability analysis over the calls of a program.

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator is thought of everywhere

use super::flow::Flow;
use super::instr::{Operand, Slot};
use super::schema::Stored;
use super::{FuncSort, Instr, Pc, Program};
use grognard_base::value::*;

/// What code may do while a scenario runs, while its table is set, or while it is asked about.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Functions that it may come to.
    pub funcs: IdSet<FuncId>,
    /// Params and readings that it may read.
    pub settings: IdSet<SettingId>,
    /// Stored fields that it may write.
    pub written: IdSet<FieldId>,
    /// Kinds of which it may make things.
    pub spawned: IdSet<KindId>,
    /// It may merge one thing into another, which moves links of any kind.
    pub merges: bool,
}

/// Params and readings that may be read while the scenario runs whose pieces were added to a program, while its table is set,
/// or while it is asked about. One that is not among them changes nothing on this table: that is proven, and not only seen.
///
/// What is judged for players, such as a preference or a condition of a policy, counts as read wherever it stands.
pub fn settings_reached(program: &Program) -> IdSet<SettingId> {
    reached(program).settings
}

/// All that the code of a scenario can come to.
pub fn reached(program: &Program) -> Reached {
    reached_with(program, &[], &|_| true)
}

/// The same for a table that also calls these functions, and of which it is known what begins with its default: `begins` says so of a field of some thing on the
/// table, and of a state of the game. Things that are made later begin with the defaults of their kind.
pub fn reached_with(program: &Program, calls: &[FuncId], begins: &dyn Fn(Stored) -> bool) -> Reached {
    let mut reach = Reach { program, flow: Flow::new(program), open: Vec::new(), found: Reached::default() };
    let pieces = program.funcs.iter().enumerate().filter(|(_, f)| f.sort == FuncSort::Snippet);
    let rules = &program.schema;
    // what slots begin with, and within
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

    /// Things of a kind are made: they begin with its defaults.
    fn spawns(&mut self, kind: KindId) {
        if self.found.spawned.insert(kind) {
            let fields = self.program.schema.fields.iter().filter(|field| field.kind == kind);
            fields.filter_map(|field| field.default).for_each(|func| self.come_to(func));
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the table of instructions tells what is read, written and called"
    )]
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

    /// The actions that a phase offers.
    fn menus_of(&mut self, func: FuncId) {
        for phase in self.program.phases.iter().filter(|p| p.func == func) {
            for action in &phase.menu {
                let action = &self.program.actions[action.at()];
                self.come_to(action.header);
                self.come_to(action.func);
            }
        }
    }

    /// Code that belongs to no function: it judges candidates, preferences and policies.
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
