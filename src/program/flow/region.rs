//! Pure single-entry regions: code behind a demand for dice that works on nothing but what the dice gave.
//!
//! What comes of such code is the same wherever its few inputs are the same, whatever the rest of the position is.

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
        let mut inputs = Set::new();
        let constants = constants(program, body, entry, from);
        known.iter().chain(&constants).for_each(|reg| put(&mut inputs, usize::from(*reg), true));
        loop {
            let (at, written) = spread(body, from, &inputs, passes);
            let stops: Vec<Pc> =
                at.iter().filter(|(pc, known)| !passes(**pc) || lacks(body, **pc, known)).map(|(pc, _)| *pc).collect();
            let mut more = false;
            for pc in stops.iter().filter(|pc| passes(**pc) && on_dice(program, body, **pc)) {
                for reg in missing(body, *pc, &at[pc]).filter(|reg| !written.contains(*reg)) {
                    put(&mut inputs, reg, true);
                    more = true;
                }
            }
            if !more {
                let inputs: Vec<Reg> = inputs.ones().map(|n| n as Reg).collect();
                let counted: Vec<Reg> = at.keys().filter_map(|pc| body.code[pc].counts).collect();
                let kept = inputs.iter().copied();
                let kept = kept.filter(|reg| !written.contains(usize::from(*reg)) && !counted.contains(reg)).collect();
                return (!stops.contains(&from)).then_some(Region { inputs, kept, stops });
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
            arrive(&mut at, &mut open, *next, &known);
        }
    }
    (at, written)
}

/// Registers that hold the same constant whenever the function comes to `from`.
fn constants(program: &Program, body: &Body, entry: Pc, from: Pc) -> Vec<Reg> {
    let mut given: Vec<(Pc, Reg)> = Vec::new();
    for pc in body.code.keys() {
        if let Instr::Const { dst, .. } | Instr::Wide { dst, .. } = program.code[*pc as usize] {
            given.push((*pc, dst));
        }
    }
    // of each register which instructions give it a constant: a set has those that gave the ones it has now
    let mut of: FxHashMap<Reg, Vec<usize>> = FxHashMap::default();
    given.iter().enumerate().for_each(|(n, (_, reg))| of.entry(*reg).or_default().push(n));
    let mut at: BTreeMap<Pc, Set> = BTreeMap::from([(entry, Set::new())]);
    let mut open = vec![entry];
    while let Some(pc) = open.pop() {
        let effect = &body.code[&pc];
        let mut known = at[&pc].clone();
        effect.all_writes().filter_map(|reg| of.get(&reg)).flatten().for_each(|n| put(&mut known, *n, false));
        if let Ok(n) = given.binary_search_by_key(&pc, |(pc, _)| *pc) {
            put(&mut known, n, true);
        }
        for next in &effect.next {
            arrive(&mut at, &mut open, *next, &known);
        }
    }
    let known = at.remove(&from).unwrap_or_default();
    given.iter().enumerate().filter(|(n, _)| known.contains(*n)).map(|(_, (_, reg))| *reg).collect()
}

/// Code comes to a place once more: only what is in both sets holds there from now on.
fn arrive(at: &mut BTreeMap<Pc, Set>, open: &mut Vec<Pc>, place: Pc, set: &Set) {
    let Some(old) = at.get_mut(&place) else {
        at.insert(place, set.clone());
        open.push(place);
        return;
    };
    if !old.is_subset(set) {
        old.intersect_with(set);
        open.push(place);
    }
}

/// Cells that an instruction reads and that are not known.
fn missing<'b>(body: &'b Body, pc: Pc, known: &'b Set) -> impl Iterator<Item = usize> + 'b {
    let reads = body.code[&pc].all_reads().flat_map(|(reg, n)| (reg..reg + n).map(usize::from));
    reads.filter(|reg| !known.contains(*reg))
}

fn lacks(body: &Body, pc: Pc, known: &Set) -> bool {
    missing(body, pc, known).next().is_some()
}

/// Whether an instruction throws dice.
pub(super) fn throws(program: &Program, pc: Pc) -> bool {
    let Instr::Ask { at } = program.code[pc as usize] else { return false };
    matches!(program.asks[at as usize].kind, AskKind::Roll { .. } | AskKind::Reroll { .. })
}

/// Whether an instruction looks at dice, throws them, or says whose they are.
fn on_dice(program: &Program, body: &Body, pc: Pc) -> bool {
    let effect = &body.code[&pc];
    let looks = effect.counts.is_some() || effect.dice.iter().any(|(_, wants)| *wants != Wants::Order);
    let owns = matches!(
        program.code[pc as usize],
        Instr::Own { .. } | Instr::Entry { .. } | Instr::Op { op: Op::Pack | Op::Nth, .. }
    );
    looks || owns || throws(program, pc)
}
