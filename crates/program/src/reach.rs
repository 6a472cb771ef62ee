//! What the code of a scenario can come to, whatever its dice and players do: which params and readings it reads, and what
//! it writes and makes. A reachability analysis over the calls of a program.

#![deny(clippy::wildcard_enum_match_arm)] // a new instruction or operator is thought of everywhere

use super::flow::Flow;
use super::instr::{Operand, Slot};
use super::{FuncSort, Instr, Pc, Program};
use grognard_base::value::*;

/// What code may do while a scenario runs, while its table is set, or while it is asked about.
#[derive(Clone, Debug, Default)]
pub struct Reached {
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
    let mut reach = Reach {
        program,
        flow: Flow::new(program),
        seen: vec![false; program.funcs.len()],
        open: Vec::new(),
        found: Reached::default(),
    };
    let pieces = program.funcs.iter().enumerate().filter(|(_, f)| f.sort == FuncSort::Snippet);
    let rules = &program.schema;
    // what slots begin with, and within
    let fields = rules.fields.iter().flat_map(|f| [f.default, f.low, f.high]);
    let first = fields.chain(rules.globals.iter().flat_map(|g| [g.default, g.low, g.high])).flatten();
    for func in pieces.map(|(n, _)| FuncId::from(n)).chain(first) {
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
    seen: Vec<bool>,
    open: Vec<FuncId>,
    found: Reached,
}

impl Reach<'_> {
    fn come_to(&mut self, func: FuncId) {
        if let Some(seen) = self.seen.get_mut(func.at())
            && !std::mem::replace(seen, true)
        {
            self.open.push(func);
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
            Instr::Spawn { kind, .. } => drop(self.found.spawned.insert(*kind)),
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
