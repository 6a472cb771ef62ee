//! How instructions use the order of the lists they read: not at all, as the order of another list, or otherwise.

use super::*;
use crate::instr::{Slot, Wants};

impl Flow<'_> {
    /// Separates reads of lists whose order is not read, or becomes that of another list, from all other reads.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all others read the order of their lists")]
    pub(super) fn order(&self, e: &mut Effect, pc: Pc) {
        let blind = e.dice.iter().filter(|(_, wants)| matches!(wants, Wants::Faces | Wants::Look(..)));
        for list in blind.map(|(list, _)| *list).collect::<SmallVec<[Reg; 4]>>() {
            e.takes_entries(list);
        }
        let code = &self.program.code;
        match code[pc as usize] {
            Instr::AddConst { dst, a, value } => e.counts_up = value >= 0 && dst == a,
            Instr::Push { list, .. } | Instr::Distinct { list, .. } => e.passes_on(list, list),
            Instr::Living { dst, list, .. } => e.passes_on(dst, list),
            Instr::Op { op: Op::Concat, dst, a, b, .. } => [a, b].into_iter().for_each(|from| e.passes_on(dst, from)),
            Instr::Op { op: Op::Without, dst, a, .. } => e.passes_on(dst, a),
            Instr::SetGlobal { id, src, .. } if self.is_bag(Slot::Global(id)) => e.takes_entries(src),
            Instr::SetField { id, src, .. } if self.is_bag(Slot::Field(id)) => e.takes_entries(src),
            // whether dice must be distinguished is decided at the execution
            Instr::Own { list } => e.takes_entries(list),
            Instr::Which { list, among, .. } => e.at_places(list, among),
            Instr::Entry { list, index, n, .. } => {
                e.entry = (n == 1).then_some((list, index));
                let gathers = self.program.gathers.binary_search_by_key(&pc, |(at, _)| *at);
                let gathered = gathers.ok().map(|n| self.program.gathers[n].1);
                if gathered.is_some() || self.program.orderless.binary_search(&pc).is_ok() {
                    e.at_places(list, index);
                    e.ordering.extend(gathered.map(|to| (to, list)));
                }
            }
            Instr::Call { func, args, .. } => {
                let params = self.program.funcs[func.at()].params;
                e.reads.clear();
                e.call = Some((func, args, params));
            }
            Instr::Ask { at } => self.order_of_question(e, &self.program.asks[at as usize]),
            _ => {}
        }
    }

    fn is_bag(&self, slot: Slot) -> bool {
        self.facts.bags.as_ref().is_some_and(|bags| bags.contains(&slot))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all others read the order of their lists")]
    fn order_of_question(&self, e: &mut Effect, ask: &Ask) {
        let any = self.menus && ask.is_of_values(&self.program.schema);
        match ask.kind {
            AskKind::Reroll { pool, which, list: true, many, .. } => {
                e.at_places(pool, which);
                match many {
                    // of unlike dice each place has its own
                    true => e.reads.push((pool, 1)),
                    false => e.ordering.push((pool, pool)),
                }
            }
            // if all weights are equal, the draws do not depend on the order of the candidates
            AskKind::Draw { from, weights: None, .. } => {
                e.takes_entries(from);
            }
            AskKind::Choose { from, .. } if any => e.takes_entries(from),
            AskKind::Subset { dst, from, .. } if any => e.passes_on(dst, from),
            _ => {}
        }
    }
}

impl Effect {
    /// Removes a list from those whose order is read.
    fn not_in_order(&mut self, list: Reg) {
        self.reads.retain(|read| *read != (list, 1));
        self.unordered.retain(|reg| *reg != list);
    }

    /// Records that the entries of a list are read in any order.
    fn takes_entries(&mut self, list: Reg) {
        self.not_in_order(list);
        self.unordered.push(list);
    }

    /// Records that the order of a list is read only if that of another list is.
    fn passes_on(&mut self, to: Reg, from: Reg) {
        self.not_in_order(from);
        self.ordering.push((to, from));
    }

    /// Records that a list is read at indices in a register.
    fn at_places(&mut self, list: Reg, places: Reg) {
        self.not_in_order(list);
        self.placed = Some((list, places));
    }
}
