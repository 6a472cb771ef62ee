//! Finds states that hold multisets: lists whose order no code reads.
//!
//! This is a greatest fixed point: all lists are assumed to be multisets first. A list loaded from one state can be
//! stored in another, whose order is then not read either, unless a read is found.

use super::*;
use crate::instr::{Operand, Slot};
use crate::schema::FieldSort;

/// Program point that loads a list: function, instruction, register.
type Load = (FuncId, Pc, Reg);

impl Flow<'_> {
    /// Finds the states that hold multisets. Effects of instructions depend on them, so this comes first.
    pub(super) fn find_bags(&mut self) {
        if self.facts.bags.is_some() {
            return;
        }
        let mut bags = self.stored();
        let places = if bags.is_empty() { Vec::new() } else { self.loads() };
        bags.retain(|slot| places.iter().all(|(known, place)| known != slot || place.is_some()));
        while !bags.is_empty() {
            let mut flow = Flow { program: self.program, menus: self.menus, facts: Taken::default() };
            flow.facts.bags = Some(bags.clone());
            let known = bags.len();
            for (slot, (func, pc, dst)) in places.iter().filter_map(|(slot, place)| Some((*slot, (*place)?))) {
                if bags.contains(&slot) && flow.reads_order_behind(func, pc, dst) {
                    bags.retain(|bag| *bag != slot);
                }
            }
            if bags.len() == known {
                break;
            }
        }
        self.facts.bags = Some(bags);
    }

    /// Returns the states that hold multisets of single cells.
    pub fn bags(&mut self) -> Vec<Slot> {
        self.find_bags();
        self.facts.bags.clone().unwrap_or_default()
    }

    /// Returns the states of things and of the game that hold lists of single cells and that some code writes.
    fn stored(&self) -> Vec<Slot> {
        let rules = &self.program.schema;
        let fields = rules.fields.iter().enumerate().filter(|(_, field)| field.sort == FieldSort::State);
        let fields = fields.map(|(n, _)| Slot::Field(FieldId::from(n)));
        let globals = (0..rules.globals.len()).map(|n| Slot::Global(GlobalId::from(n)));
        let mut found: Vec<Slot> = fields.chain(globals).filter(|slot| self.entry_of(*slot) == Some(1)).collect();
        let stores = |slot: &Slot| {
            let stores = |operand: &Operand| matches!(operand, Operand::Store(_, own) if own == slot);
            self.program.code.iter().any(|instr| instr.operands().iter().any(stores))
        };
        found.retain(stores);
        found
    }

    fn entry_of(&self, slot: Slot) -> Option<Reg> {
        if let Type::List(inner) = self.type_of(slot) { Some(self.width(&inner)) } else { None }
    }

    /// Returns the loads of lists. The load is `None` for code before all functions.
    fn loads(&self) -> Vec<(Slot, Option<Load>)> {
        let mut entries: Vec<(Pc, FuncId)> =
            self.program.funcs.iter().enumerate().map(|(n, info)| (info.entry, FuncId::from(n))).collect();
        entries.sort_unstable();
        let mut found = Vec::new();
        for (pc, instr) in self.program.code.iter().enumerate() {
            for operand in instr.operands() {
                let Operand::Load(dst, slot) = operand else { continue };
                if self.entry_of(slot).is_none() {
                    continue;
                }
                let own = entries.partition_point(|(entry, _)| *entry <= pc as Pc).checked_sub(1);
                found.push((slot, own.map(|own| (entries[own].1, pc as Pc, dst))));
            }
        }
        found
    }

    /// Returns whether the order of a loaded list is read later, or may be.
    fn reads_order_behind(&mut self, func: FuncId, pc: Pc, dst: Reg) -> bool {
        let wanted = vec![true; self.program.funcs[func.at()].result as usize];
        if self.body(func).known(pc).is_none() {
            return true;
        }
        let read = self.live(func, &wanted, pc + 1);
        read.iter().any(|(reg, reading)| *reg == dst && *reading > Reading::Entries)
    }
}
