//! Stretches: code behind a look at dice that works on nothing but what the dice gave.
//!
//! What comes of such code is the same wherever its few inputs are the same, whatever the rest of the position is.

use super::*;

/// A stretch of code of one function, from the instruction at which it was asked for to the first ones that read
/// something older, write what others see, or leave the function.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// Registers it may read before it writes them, rising.
    pub inputs: Vec<Reg>,
    /// Where it is over, rising.
    pub stops: Vec<Pc>,
}

impl Flow<'_> {
    /// The stretch that begins at `from`, if its first instruction belongs to it. `known` are registers that are inputs
    /// anyhow, and so are constants. Other registers become inputs only where dice are compared with them or thrown by
    /// them; any other code that reads one ends the stretch, since it would tell apart what is alike. With `rolls` it
    /// goes on through throws.
    pub fn stretch(&mut self, func: FuncId, from: Pc, known: &[Reg], rolls: bool) -> Option<Stretch> {
        let program = self.program;
        let entry = program.funcs[func.at()].entry;
        let body = self.body(func);
        let passes = |pc: Pc| stays_inside(program, pc) || rolls && pc > from && throws(program, pc);
        let mut inputs = Set::new();
        let constants = constants(program, body, entry, from);
        known.iter().chain(&constants).for_each(|reg| put(&mut inputs, usize::from(*reg), true));
        loop {
            let (at, written) = spread(body, from, &inputs, &passes);
            let stops: Vec<Pc> =
                at.iter().filter(|(pc, known)| !passes(**pc) || lacks(body, **pc, known)).map(|(pc, _)| *pc).collect();
            let mut more = false;
            for pc in stops.iter().filter(|pc| passes(**pc) && on_dice(program, **pc)) {
                for reg in missing(body, *pc, &at[pc]).filter(|reg| !has(&written, *reg)) {
                    put(&mut inputs, reg, true);
                    more = true;
                }
            }
            if !more {
                let inputs = (0..inputs.len() * 64).filter(|n| has(&inputs, *n)).map(|n| n as Reg).collect();
                return (!stops.contains(&from)).then_some(Stretch { inputs, stops });
            }
        }
    }
}

/// Forward from one place: the registers that are known wherever it comes to, and all that it writes.
fn spread(body: &Body, from: Pc, inputs: &Set, passes: impl Fn(Pc) -> bool) -> (BTreeMap<Pc, Set>, Set) {
    let mut at: BTreeMap<Pc, Set> = BTreeMap::from([(from, inputs.clone())]);
    let mut written = Set::new();
    let mut open = vec![from];
    while let Some(pc) = open.pop() {
        if !passes(pc) || lacks(body, pc, &at[&pc]) {
            continue;
        }
        let effect = &body.code[&pc];
        let mut known = at[&pc].clone();
        for reg in effect.all_writes() {
            put(&mut known, usize::from(reg), true);
            put(&mut written, usize::from(reg), true);
        }
        for next in &effect.next {
            match at.get_mut(next) {
                None => {
                    at.insert(*next, known.clone());
                    open.push(*next);
                }
                Some(old) => {
                    let mut less = false;
                    for (n, word) in old.iter_mut().enumerate() {
                        let both = *word & known.get(n).copied().unwrap_or(0);
                        less |= both != *word;
                        *word = both;
                    }
                    if less {
                        open.push(*next);
                    }
                }
            }
        }
    }
    (at, written)
}

/// Registers that hold the same constant whenever the function comes to `from`.
fn constants(program: &Program, body: &Body, entry: Pc, from: Pc) -> Vec<Reg> {
    // of each register the instruction that gave it its constant
    let mut at: BTreeMap<Pc, BTreeMap<Reg, Pc>> = BTreeMap::from([(entry, BTreeMap::new())]);
    let mut open = vec![entry];
    while let Some(pc) = open.pop() {
        let effect = &body.code[&pc];
        let mut known = at[&pc].clone();
        effect.all_writes().for_each(|reg| {
            known.remove(&reg);
        });
        if let Instr::Const { dst, .. } | Instr::Wide { dst, .. } = program.code[pc as usize] {
            known.insert(dst, pc);
        }
        for next in &effect.next {
            match at.get_mut(next) {
                None => {
                    at.insert(*next, known.clone());
                    open.push(*next);
                }
                Some(old) => {
                    let before = old.len();
                    old.retain(|reg, by| known.get(reg) == Some(by));
                    if old.len() < before {
                        open.push(*next);
                    }
                }
            }
        }
    }
    at.remove(&from).into_iter().flatten().map(|(reg, _)| reg).collect()
}

/// Cells that an instruction reads and that are not known.
fn missing<'b>(body: &'b Body, pc: Pc, known: &'b Set) -> impl Iterator<Item = usize> + 'b {
    let reads = body.code[&pc].all_reads().flat_map(|(reg, n)| (reg..reg + n).map(usize::from));
    reads.filter(|reg| !has(known, *reg))
}

fn lacks(body: &Body, pc: Pc, known: &Set) -> bool {
    missing(body, pc, known).next().is_some()
}

/// Whether an instruction reads and writes nothing but registers of its own frame and lists that they hold.
fn stays_inside(program: &Program, pc: Pc) -> bool {
    matches!(
        program.code[pc as usize],
        Instr::Const { .. }
            | Instr::Wide { .. }
            | Instr::Copy { .. }
            | Instr::CopyMany { .. }
            | Instr::Op { .. }
            | Instr::AddConst { .. }
            | Instr::AtLeast { .. }
            | Instr::AtMost { .. }
            | Instr::Jump { .. }
            | Instr::JumpIf { .. }
            | Instr::JumpUnless { .. }
            | Instr::JumpNone { .. }
            | Instr::JumpCompare { .. }
            | Instr::JumpCompareConst { .. }
            | Instr::NewList { .. }
            | Instr::Push { .. }
            | Instr::Entry { .. }
            | Instr::Length { .. }
            | Instr::Look { .. }
            | Instr::Distinct { .. }
            | Instr::TakeOut { .. }
            | Instr::Span { .. }
            | Instr::SortBy { .. }
            | Instr::Mark { .. }
            | Instr::Release { .. }
            | Instr::Lookup { .. }
            | Instr::Ran { .. }
            | Instr::Note { .. }
    )
}

/// Whether an instruction throws dice.
pub(super) fn throws(program: &Program, pc: Pc) -> bool {
    let Instr::Ask { at } = program.code[pc as usize] else { return false };
    matches!(program.asks[at as usize].kind, AskKind::Roll { .. } | AskKind::Reroll { .. })
}

/// Whether an instruction looks at dice, throws them, or says whose they are.
fn on_dice(program: &Program, pc: Pc) -> bool {
    match program.code[pc as usize] {
        Instr::Look { .. } | Instr::Entry { .. } | Instr::Op { op: Op::Pack, .. } => true,
        Instr::Op { op: Op::Total | Op::Highest | Op::Lowest | Op::InList | Op::Nth, .. } => true,
        _ => throws(program, pc),
    }
}
