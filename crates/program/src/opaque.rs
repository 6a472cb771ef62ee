//! Taint analysis (Denning 1976) of evaluated code: whether it reads a point only through the answers of the board.
//!
//! If the board gives the same answers, such code has the same result, so one evaluation serves for many points.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new instruction or operator

use super::instr::{Instr, Operand, Pc, Reg, Wants};
use super::{Fragment, Program};
use grognard_base::value::ops::Takes;
use grognard_base::value::*;
use rustc_hash::FxHashMap;

/// Maximum number of analyzed instructions.
const MOST: usize = 10_000;

/// Returns the functions that a scenario may replace among the callees of a fragment. Returns `None` if the fragment
/// reads the point other than through the board.
///
/// The point is in two registers from `point` on; without it, the positions of things are meant.
pub fn opaque(program: &Program, fragment: Fragment, point: Option<Reg>) -> Option<Vec<FuncId>> {
    let tainted: Vec<Reg> = point.iter().flat_map(|reg| [*reg, reg + 1]).collect();
    let begun = vec![(fragment.entry, tainted)];
    let mut walk = OpaqueWalk { program, fragment, point, begun, replaced: Vec::new(), left: MOST };
    let mut n = 0;
    while let Some((entry, tainted)) = walk.begun.get(n).cloned() {
        walk.follow(entry, tainted)?;
        n += 1;
    }
    Some(walk.replaced)
}

struct OpaqueWalk<'p> {
    program: &'p Program,
    fragment: Fragment,
    point: Option<Reg>,
    /// Entry points of analyzed code, with the registers that held the point there.
    begun: Vec<(Pc, Vec<Reg>)>,
    replaced: Vec<FuncId>,
    left: usize,
}

/// Registers that can hold the point.
struct Tainted(Vec<Reg>);

impl Tainted {
    fn any(&self, reg: Reg, n: Reg) -> bool {
        self.0.iter().any(|t| (reg..reg.saturating_add(n)).contains(t))
    }
}

impl OpaqueWalk<'_> {
    /// Analyzes the code of one function, or of the fragment.
    fn follow(&mut self, entry: Pc, tainted: Vec<Reg>) -> Option<()> {
        let mut known: FxHashMap<Pc, Vec<Reg>> = FxHashMap::default();
        let mut open = vec![(entry, tainted)];
        while let Some((pc, tainted)) = open.pop() {
            self.left = self.left.checked_sub(1)?;
            let at = known.get_mut(&pc);
            if at.as_ref().is_some_and(|at| tainted.iter().all(|reg| at.contains(reg))) {
                continue;
            }
            let at = match at {
                Some(at) => at,
                None => known.entry(pc).or_default(),
            };
            at.extend(tainted);
            at.sort_unstable();
            at.dedup();
            let before = Tainted(at.clone());
            let mut instr = *self.program.code.get(pc as usize)?;
            let after = self.step(instr, &before)?;
            let goes_on = !instr.operands().contains(&Operand::Stop);
            open.extend(instr.target().map(|to| (*to, after.clone())));
            open.extend(goes_on.then_some((pc + 1, after)));
        }
        Some(())
    }

    /// Returns the registers that can hold the point after an instruction, or `None` if it reads the point.
    fn step(&mut self, instr: Instr, before: &Tainted) -> Option<Vec<Reg>> {
        let looks = self.point.is_none()
            && matches!(
                instr,
                Instr::At { .. }
                    | Instr::Facing { .. }
                    | Instr::Home { .. }
                    | Instr::Forth { .. }
                    | Instr::Before { .. }
            );
        let rendered = matches!(instr, Instr::Done) && before.any(self.fragment.result, self.fragment.width);
        if looks || rendered {
            return None;
        }
        let mut after = before.0.clone();
        for operand in instr.operands() {
            let (mut read, mut written) = ((0, 0), (0, 0));
            match operand {
                // a point is never missing
                Operand::Read(..) if matches!(instr, Instr::JumpNone { .. }) => {}
                Operand::Read(reg, n) | Operand::Result(reg, n) => read = (reg, n),
                Operand::Phase(_) => read = (0, 1),
                Operand::Length(list) => read = (list, 1),
                Operand::Dice(list, wants) => {
                    let other = match wants {
                        Wants::Look(_, reg) | Wants::Place(reg, _) => before.any(reg, 1),
                        Wants::Faces | Wants::Order => false,
                    };
                    if other {
                        return None;
                    }
                    read = (list, 1);
                }
                Operand::Write(reg, n) => written = (reg, n),
                Operand::Handle(reg, _) | Operand::Load(reg, _) | Operand::Statuses(reg, _) => written = (reg, 1),
                Operand::Lookup(reg, _) => written = (reg, 1),
                Operand::Copy(to, from, n) => {
                    after.retain(|reg| !(to..to + n).contains(reg));
                    after.extend((0..n).filter(|k| before.any(from + k, 1)).map(|k| to + k));
                }
                Operand::Apply(op, dst, regs, n) => {
                    let facts = op.facts();
                    if facts.takes.iter().zip(regs).any(|(takes, reg)| before.any(reg, takes.width(n))) {
                        return None;
                    }
                    written = (dst, facts.gives.width(n));
                }
                Operand::Board(dst, at) => written = (dst, self.asked(at, before)?),
                Operand::Call(func, args, dst) => {
                    let info = &self.program.funcs[func.at()];
                    let given = before.0.iter().filter(|reg| (args..args + info.params).contains(reg));
                    let given: Vec<Reg> = given.map(|reg| reg - args).collect();
                    if matches!(instr, Instr::CallExtern { .. }) {
                        // its stand-in may read its first argument
                        if !given.is_empty() {
                            return None;
                        }
                        self.replaced.push(func);
                    }
                    if !self.begun.contains(&(info.entry, given.clone())) {
                        self.begun.push((info.entry, given));
                    }
                    written = (dst, info.result);
                }
                Operand::Store(..) | Operand::Ask(_) | Operand::Instance(_) | Operand::Tag(..) => return None,
                Operand::Stop => {}
            }
            if before.any(read.0, read.1) {
                return None;
            }
            after.retain(|reg| !(written.0..written.0 + written.1).contains(reg));
        }
        Some(after)
    }

    /// Returns the number of cells that a query of the board writes, or `None` if its use of the point cannot be
    /// repeated.
    fn asked(&self, at: u32, before: &Tainted) -> Option<Reg> {
        let ask = self.program.board.get(at as usize)?;
        let facts = ask.op.facts();
        let mut probed = self.point.is_none();
        for ((takes, reg), kind) in facts.takes.iter().zip(ask.args).zip(ask.kinds) {
            let place = *takes == Takes::Place && kind.is_none();
            let tainted = before.any(reg, if kind.is_some() { 1 } else { takes.width(1) });
            if tainted && !place {
                return None;
            }
            probed |= tainted;
        }
        let list = facts.gives.entries(1).is_some();
        (!(probed && list)).then(|| facts.gives.width(1))
    }
}
