//! Pure single-entry regions: code behind a demand for dice that works on nothing but what the dice gave.
//!
//! What comes of such code is the same wherever its few inputs are the same, whatever the rest of the position is.

use super::rows::{has, meet, ones};
use super::*;

/// A region of code of one function, from the instruction at which it was asked for to the first ones that read
/// something older, write what others see, or leave the function.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Registers it may read before it writes them, rising.
    pub inputs: Vec<Reg>,
    /// Inputs that it never writes, and of which it does not ask how many entries they have, rising.
    pub kept: Vec<Reg>,
    /// Where it is over, rising.
    pub stops: Vec<Pc>,
}

impl Flow<'_> {
    /// The region that begins at `from`, if its first instruction belongs to it. `known` are registers that are inputs
    /// anyhow, and so are constants. Other registers become inputs only where dice are compared with them or thrown by
    /// them; any other code that reads one ends the region, since it would tell apart what is alike. With `rolls` it
    /// goes on through throws.
    pub fn region(&mut self, func: FuncId, from: Pc, known: &[Reg], rolls: bool) -> Option<Region> {
        let program = self.program;
        let entry = program.funcs[func.at()].entry;
        let body = self.body(func);
        let passes = |pc: Pc| program.code[pc as usize].pure() || rolls && pc > from && throws(program, pc);
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
                if passes(*pc) && on_dice(program, effect, *pc) {
                    for reg in missing(effect, spread.at.row(n)).filter(|reg| !has(&spread.written, *reg)) {
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

/// Forward from one place: the registers that are known wherever it comes to, and all that it writes.
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

    /// Code comes to a place once more: only what is in both sets holds there from now on. True if that is new.
    fn arrive(&mut self, n: usize, known: &[u64]) -> bool {
        arrive(&mut self.at, &mut self.met, n, known)
    }

    /// The instructions it comes to.
    fn met(&self) -> impl Iterator<Item = usize> {
        self.met.iter().enumerate().filter(|(_, met)| **met).map(|(n, _)| n)
    }

    /// Those at which it is over.
    fn over(&self, body: &FuncCode, passes: impl Fn(Pc) -> bool) -> impl Iterator<Item = usize> {
        self.met().filter(move |n| {
            let (pc, effect) = &body.code[*n];
            !passes(*pc) || missing(effect, self.at.row(*n)).next().is_some()
        })
    }
}

/// Registers that hold the same constant whenever the function comes to `from`.
fn constants(program: &Program, body: &FuncCode, entry: Pc, from: usize) -> Vec<Reg> {
    let constant = |pc: &Pc| {
        let instr = program.code[*pc as usize];
        if let Instr::Const { dst, .. } | Instr::Wide { dst, .. } = instr { Some(dst) } else { None }
    };
    // which instructions give a register a constant: a set has those that gave the ones it has now
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

/// Code comes to a place once more: only what is in both sets holds there from now on. True if that is new.
fn arrive(at: &mut Rows, met: &mut [bool], n: usize, known: &[u64]) -> bool {
    if !std::mem::replace(&mut met[n], true) {
        at.row_mut(n).copy_from_slice(known);
        return true;
    }
    meet(at.row_mut(n), known)
}

/// Cells that an instruction reads and that are not known.
fn missing<'b>(effect: &'b Effect, known: &'b [u64]) -> impl Iterator<Item = usize> + 'b {
    let reads = effect.all_reads().flat_map(|(reg, n)| (reg..reg + n).map(usize::from));
    reads.filter(|reg| !has(known, *reg))
}

/// Whether an instruction throws dice.
pub(super) fn throws(program: &Program, pc: Pc) -> bool {
    let Instr::Ask { at } = program.code[pc as usize] else { return false };
    matches!(program.asks[at as usize].kind, AskKind::Roll { .. } | AskKind::Reroll { .. })
}

/// Whether an instruction looks at dice, throws them, or says whose they are.
fn on_dice(program: &Program, effect: &Effect, pc: Pc) -> bool {
    let looks = effect.counts.is_some() || effect.dice.iter().any(|(_, wants)| *wants != Wants::Order);
    let owns = matches!(
        program.code[pc as usize],
        Instr::Own { .. } | Instr::Entry { .. } | Instr::Op { op: Op::Pack | Op::Nth, .. }
    );
    looks || owns || throws(program, pc)
}
