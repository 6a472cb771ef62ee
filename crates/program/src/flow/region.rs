//! Pure single-entry regions: code after a demand for dice or a roll that depends only on the dice and a few inputs.
//!
//! The result of such code is equal for equal inputs, independent of the rest of the state.

use super::rows::{has, meet, ones};
use super::*;

/// A region of code of one function. It extends from the demand or the roll to the first instructions that read other state, have
/// side effects, or leave the function. It may read settings, which are the same in all states of a game.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Sorted registers that it may read before it writes them.
    pub inputs: Vec<Reg>,
    /// Sorted inputs that it never writes and of which it does not read the length.
    pub kept: Vec<Reg>,
    /// Sorted program points at which it ends.
    pub stops: Vec<Pc>,
}

impl Flow<'_> {
    /// Returns the region that begins at `from`, or `None` if its first instruction does not belong to it.
    ///
    /// `known` registers are always inputs, and so are constants. Another register becomes an input only if dice are
    /// compared with it or rolled by it. Any other read of such a register ends the region, because it would
    /// distinguish equivalent states. With `rolls`, the region continues through rolls.
    ///
    /// A region can also begin with a roll. It then ends where a loop that it is in begins again, so that it does not contain
    /// itself, and registers that are compared with known ones are inputs too.
    pub fn region(&mut self, func: FuncId, from: Pc, known: &[Reg], rolls: bool) -> Option<Region> {
        let program = self.program;
        let entry = program.funcs[func.at()].entry;
        let body = self.body(func);
        let begins_with_roll = throws(program, from);
        let heads = if begins_with_roll { body.heads(from) } else { Vec::new() };
        let passes =
            |pc: Pc| (program.code[pc as usize].pure() || rolls && throws(program, pc)) && !heads.contains(&pc);
        let from_number = body.known(from)?;
        let mut sets = Rows::new(2, body.registers);
        known.iter().for_each(|reg| put(sets.row_mut(0), *reg, true));
        constants(program, body, entry, from_number).iter().for_each(|reg| put(sets.row_mut(0), *reg, true));
        loop {
            let spread = Spread::of(body, from_number, sets.row(0), passes);
            let stops: Vec<usize> = spread.over(body, passes).collect();
            sets.row_mut(1).fill(0);
            let mut more = false;
            for (n, (pc, effect)) in stops.iter().map(|n| (*n, &body.code[*n])) {
                let known = spread.at.row(n);
                let compares = begins_with_roll && compares_known(program.code[*pc as usize], known);
                if passes(*pc) && (compares || on_dice(program, effect, *pc)) {
                    for reg in missing(effect, known).filter(|reg| !has(&spread.written, *reg)) {
                        put(sets.row_mut(1), reg, true);
                        more = true;
                    }
                }
            }
            if more {
                let new = sets.row(1).to_vec();
                join(sets.row_mut(0), &new);
                continue;
            }
            let inputs: Vec<Reg> = ones(sets.row(0)).map(|n| n as Reg).collect();
            let counted: Vec<Reg> = spread.met().filter_map(|n| body.code[n].1.counts).collect();
            let kept = inputs.iter().copied();
            let kept = kept.filter(|reg| !has(&spread.written, *reg) && !counted.contains(reg)).collect();
            let begins = !stops.contains(&from_number);
            let stops = stops.into_iter().map(|n| body.code[n].0).collect();
            return begins.then_some(Region { inputs, kept, stops });
        }
    }
}

/// Forward analysis from one program point: registers known on all paths, and all registers that are written.
struct Spread {
    at: Rows,
    met: Vec<bool>,
    written: Vec<u64>,
}

impl Spread {
    fn of(body: &FuncCode, from: usize, inputs: &[u64], passes: impl Fn(Pc) -> bool) -> Spread {
        let (at, met) = (Rows::new(body.code.len(), body.registers), vec![false; body.code.len()]);
        let mut spread = Spread { at, met, written: vec![0; inputs.len()] };
        spread.arrive(from, inputs);
        let (mut open, mut known) = (vec![from], inputs.to_vec());
        while let Some(n) = open.pop() {
            let (pc, effect) = &body.code[n];
            if !passes(*pc) || missing(effect, spread.at.row(n)).next().is_some() {
                continue;
            }
            known.copy_from_slice(spread.at.row(n));
            for reg in effect.all_writes() {
                put(&mut known, reg, true);
                put(&mut spread.written, reg, true);
            }
            open.extend(body.next(effect).filter(|next| spread.arrive(*next, &known)));
        }
        spread
    }

    /// Merges the known registers of two paths at a join point by intersection. Returns whether the set changed.
    fn arrive(&mut self, n: usize, known: &[u64]) -> bool {
        arrive(&mut self.at, &mut self.met, n, known)
    }

    /// Returns the instructions that are reached.
    fn met(&self) -> impl Iterator<Item = usize> {
        self.met.iter().enumerate().filter(|(_, met)| **met).map(|(n, _)| n)
    }

    /// Returns the instructions at which the region ends.
    fn over(&self, body: &FuncCode, passes: impl Fn(Pc) -> bool) -> impl Iterator<Item = usize> {
        self.met().filter(move |n| {
            let (pc, effect) = &body.code[*n];
            !passes(*pc) || missing(effect, self.at.row(*n)).next().is_some()
        })
    }
}

/// Returns the registers that hold the same constant or the same setting whenever the function reaches `from`.
fn constants(program: &Program, body: &FuncCode, entry: Pc, from: usize) -> Vec<Reg> {
    let constant = |pc: &Pc| {
        let instr = program.code[*pc as usize];
        if let Instr::Const { dst, .. } | Instr::Wide { dst, .. } | Instr::Setting { dst, .. } = instr {
            Some(dst)
        } else {
            None
        }
    };
    // instructions that load a constant into a register; a set has those whose constants are current
    let given: Vec<(usize, Reg)> =
        body.code.iter().enumerate().filter_map(|(n, (pc, _))| Some((n, constant(pc)?))).collect();
    if given.is_empty() {
        return Vec::new();
    }
    let (mut at, mut met) = (Rows::new(body.code.len(), given.len()), vec![false; body.code.len()]);
    let entry = body.number(entry);
    met[entry] = true;
    let mut open = vec![entry];
    let mut known = at.row(entry).to_vec();
    while let Some(n) = open.pop() {
        let effect = &body.code[n].1;
        known.copy_from_slice(at.row(n));
        for reg in effect.all_writes() {
            let same = given.iter().enumerate().filter(|(_, (_, own))| *own == reg);
            same.for_each(|(k, _)| put(&mut known, k, false));
        }
        if let Ok(k) = given.binary_search_by_key(&n, |(n, _)| *n) {
            put(&mut known, k, true);
        }
        open.extend(body.next(effect).filter(|next| arrive(&mut at, &mut met, *next, &known)));
    }
    ones(at.row(from)).filter_map(|k| given.get(k)).map(|(_, reg)| *reg).collect()
}

/// Merges the facts of two paths at a join point by intersection. Returns whether the set changed.
fn arrive(at: &mut Rows, met: &mut [bool], n: usize, known: &[u64]) -> bool {
    if !std::mem::replace(&mut met[n], true) {
        at.row_mut(n).copy_from_slice(known);
        return true;
    }
    meet(at.row_mut(n), known)
}

/// Returns the cells that an instruction reads and that are not known.
fn missing<'b>(effect: &'b Effect, known: &'b [u64]) -> impl Iterator<Item = usize> + 'b {
    let reads = effect.all_reads().flat_map(|(reg, n)| (reg..reg + n).map(usize::from));
    reads.filter(|reg| !has(known, *reg))
}

/// Returns whether an instruction compares a known register with another one.
fn compares_known(instr: Instr, known: &[u64]) -> bool {
    let (Instr::JumpCompare { a, b, .. } | Instr::Op { a, b, .. }) = instr else { return false };
    let known = [a, b].iter().any(|reg| has(known, usize::from(*reg)));
    known && !matches!(instr, Instr::Op { op, n, .. } if n > 1 || op.turned().is_none())
}

/// Returns whether an instruction rolls dice.
pub(super) fn throws(program: &Program, pc: Pc) -> bool {
    let Instr::Ask { at } = program.code[pc as usize] else { return false };
    matches!(program.asks[at as usize].kind, AskKind::Roll { .. } | AskKind::Reroll { .. })
}

/// Returns whether an instruction reads dice, rolls them, or determines their subject.
fn on_dice(program: &Program, effect: &Effect, pc: Pc) -> bool {
    let looks = effect.counts.is_some() || effect.dice.iter().any(|(_, wants)| *wants != Wants::Order);
    let owns = matches!(
        program.code[pc as usize],
        Instr::Own { .. } | Instr::Entry { .. } | Instr::Op { op: Op::Pack | Op::Nth, .. }
    );
    looks || owns || throws(program, pc)
}
