//! Compiles assignments: clamping, dependent bounds, law checks, durations.

use super::*;
use grognard_rules::code::{ExprKind, SetOp, StmtKind, Target, Until};
use grognard_rules::reads::Reads;
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::Stored;

/// State that a write may have changed.
#[derive(Clone, Default)]
pub(super) struct Touched {
    pub(super) stored: Vec<Stored>,
    pub(super) traits: Vec<TraitId>,
    /// Whether things were created, destroyed or moved.
    pub(super) table: bool,
    /// The only thing written, with its kind.
    pub(super) thing: Option<(Reg, KindId)>,
}

impl Compiler<'_> {
    pub(super) fn set(&mut self, target: &Target, op: SetOp, value: &Expr, one: bool, until: Option<&Until>) {
        match target {
            Target::Local(id) => {
                let dst = self.local(*id);
                let ty = self.local_type(*id);
                let name = self.local_name(*id);
                let shared = self.shared_local(*id);
                let old = if shared { self.note_before(dst, &ty) } else { None };
                self.update(dst, op, value, one, &ty);
                self.saturate(dst, op, value, &ty, &name);
                if shared {
                    self.note_shared(name, old, dst, &ty);
                }
            }
            Target::Ambient(id) => {
                let ty = self.rules.ambients[id.at()].ty.clone();
                let reg = self.take(self.width(&ty).max(1));
                self.emit(Instr::Ambient { dst: reg, id: *id });
                let old = self.note_before(reg, &ty);
                self.update(reg, op, value, one, &ty);
                let name = self.rules.ambients[id.at()].name.clone();
                self.saturate(reg, op, value, &ty, &name);
                self.emit(Instr::SetAmbient { id: *id, src: reg });
                self.note_shared(name, old, reg, &ty);
            }
            Target::Global(id) => {
                let global = self.rules.globals[id.at()].clone();
                let reg = self.take(self.width(&global.ty).max(1));
                if op != SetOp::Set {
                    self.emit(Instr::Global { dst: reg, id: *id });
                }
                match until {
                    Some(until) => self.layer(Stored::Global(*id), until, 0),
                    None if !self.program.links.layered.contains(&Stored::Global(*id)) => {}
                    None if op != SetOp::Set && is_number(&global.ty) => self.scoped(|c| {
                        let by = c.value(value);
                        c.emit(Instr::ShiftGlobal { id: *id, by, minus: op == SetOp::Sub });
                    }),
                    None if op != SetOp::Set && global.ty.entry().is_some() => self.scoped(|c| {
                        let (list, minus) = (c.entries(value, one, &global.ty), op == SetOp::Sub);
                        c.emit(Instr::ShiftListGlobal { id: *id, list, minus });
                    }),
                    None => drop(self.emit(Instr::UntagGlobal { id: *id })),
                }
                self.update(reg, op, value, one, &global.ty);
                let wanted = self.wanted(reg, 1);
                self.clamp((global.low, global.high), None, reg);
                let bounded = (global.low.is_some(), global.high.is_some());
                self.check_set(reg, op, value, &global.ty, bounded, &global.name);
                self.ran_item(global.item);
                self.emit(Instr::SetGlobal { id: *id, src: reg, wanted });
                self.after_until(until, &Touched { stored: vec![Stored::Global(*id)], ..Touched::default() });
                if let Some(until) = until {
                    self.tag(TagWhat::Stored(Stored::Global(*id)), until, 0, 0);
                }
            }
            Target::Tally(id) => {
                self.ran_item(self.rules.tallies[id.at()].item);
                let src = self.value(value);
                let name = self.rules.tallies[id.at()].name.clone();
                self.check_kept(src, value, &format!("`{name}`"));
                self.emit(Instr::Count { id: *id, src, minus: op == SetOp::Sub });
            }
            Target::Field { thing, field } => self.set_field(thing, *field, op, value, one, until),
        }
    }

    /// Keeps the value before its bounds are applied, because traces show the amount that was cut off.
    fn wanted(&mut self, src: Reg, width: Reg) -> Reg {
        if self.program.detail != Detail::Traced {
            return src;
        }
        let wanted = self.take(width.max(1));
        self.copy(wanted, src, width);
        wanted
    }

    /// Returns whether a variable is shared by a phase. Its declared bounds are enforced.
    fn shared_local(&self, id: LocalId) -> bool {
        self.rules.phases.iter().any(|p| p.func == self.frame.func && p.shares.iter().any(|(l, _)| *l == id))
    }

    fn update(&mut self, dst: Reg, op: SetOp, value: &Expr, one: bool, ty: &Type) {
        let width = self.width(ty);
        if op == SetOp::Set {
            if width == self.width(&value.ty) && written_last(value) {
                return self.value_to(value, dst);
            }
            // a value that is written in pieces may read the old value between two pieces: `set x = max(0, x - 1)`
            self.scoped(|c| {
                let src = c.value(value);
                c.copy(dst, src, width);
            });
            return;
        }
        if let (Some(n), Type::Int(_) | Type::Length) = (values::small_constant(value), ty) {
            self.emit(Instr::AddConst { dst, a: dst, value: if op == SetOp::Add { n } else { -n } });
            return;
        }
        self.scoped(|c| {
            let src = if ty.entry().is_some() { c.entry_value(value) } else { c.value(value) };
            if let Some(inner) = ty.entry() {
                let n = c.width(inner);
                if one {
                    c.emit(Instr::Push { list: dst, src, n });
                } else {
                    let op = if op == SetOp::Add { Op::Concat } else { Op::Without };
                    c.emit(Instr::Op { op, dst, a: dst, b: src, n });
                }
                return;
            }
            let add = op == SetOp::Add;
            let (op, n) = if *ty.present() == Type::Ratio {
                (if add { Op::AddRatio } else { Op::SubRatio }, 2)
            } else if *ty.present() == Type::Angle {
                (if add { Op::AddAngle } else { Op::SubAngle }, 1)
            } else {
                (if add { Op::Add } else { Op::Sub }, 1)
            };
            c.emit(Instr::Op { op, dst, a: dst, b: src, n });
        });
    }

    /// Clamps a variable that was set to the bounds of its type.
    fn saturate(&mut self, reg: Reg, set: SetOp, value: &Expr, ty: &Type, name: &str) {
        let Type::Int(range) = ty else { return };
        let bounded = (range.low > Range::ALL.low, range.high < Range::ALL.high);
        self.check_set(reg, set, value, ty, bounded, name);
        for (limit, op, open) in [(range.high, Op::Min, Range::ALL.high), (range.low, Op::Max, Range::ALL.low)] {
            if limit != open {
                self.scoped(|c| {
                    let b = c.take(1);
                    c.constant(b, limit);
                    c.emit(Instr::Op { op, dst: reg, a: reg, b, n: 1 });
                });
            }
        }
    }

    fn set_field(&mut self, thing: &Expr, field: FieldId, op: SetOp, value: &Expr, one: bool, until: Option<&Until>) {
        let info = self.rules.fields[field.at()].clone();
        let (thing_reg, kind) = self.thing(thing);
        let skip = self.skip_missing(thing, thing_reg);
        self.needs_play(thing_reg, kind);
        self.ran_field(field);
        if let grognard_rules::ruleset::FieldSort::BackLink(link) = info.sort {
            let mut list = self.value(value);
            if one {
                let wrapped = self.take(1);
                self.emit(Instr::NewList { dst: wrapped });
                self.emit(Instr::Push { list: wrapped, src: list, n: 1 });
                list = wrapped;
            }
            self.emit(Instr::SetBackLink { id: link, thing: thing_reg, list, add: op == SetOp::Add });
            self.after(&Touched { stored: [link, field].map(Stored::Field).into(), ..Touched::default() });
            self.aim_all(skip);
            return;
        }
        let width = self.width(&info.ty);
        let src = self.take(width.max(1));
        if op != SetOp::Set {
            // the stored value, without special rules
            self.emit(Instr::Field { dst: src, thing: thing_reg, id: field });
        }
        match until {
            Some(until) => self.layer(Stored::Field(field), until, thing_reg),
            None if !self.program.tagged[field.at()] => {}
            None if op != SetOp::Set && is_number(&info.ty) => self.scoped(|c| {
                let by = c.value(value);
                c.emit(Instr::Shift { id: field, thing: thing_reg, by, minus: op == SetOp::Sub });
            }),
            None if op != SetOp::Set && info.ty.entry().is_some() => self.scoped(|c| {
                let (list, minus) = (c.entries(value, one, &info.ty), op == SetOp::Sub);
                c.emit(Instr::ShiftList { id: field, thing: thing_reg, list, minus });
            }),
            None => drop(self.emit(Instr::Untag { id: field, thing: thing_reg })),
        }
        self.update(src, op, value, one, &info.ty);
        let wanted = self.wanted(src, width);
        self.clamp((info.low, info.high), Some(thing_reg), src);
        self.emit(Instr::SetField { id: field, thing: thing_reg, src, wanted });
        self.after_until(
            until,
            &Touched { stored: vec![Stored::Field(field)], thing: Some((thing_reg, kind)), ..Touched::default() },
        );
        if let Some(until) = until {
            self.tag(TagWhat::Stored(Stored::Field(field)), until, thing_reg, 0);
        }
        self.aim_all(skip);
    }

    /// Compiles a test with borrowed values. The values apply only to the test: no law is checked, no slot clamped.
    pub(super) fn borrowing(&mut self, thing: &Expr, figures: &[(FieldId, Expr)], call: &grognard_rules::code::Stmt) {
        let (thing, _) = self.thing(thing);
        let mut before = Vec::new();
        for (field, value) in figures {
            let (old, new) = (self.take(1), self.take(1));
            self.value_to(value, new);
            self.emit(Instr::Field { dst: old, thing, id: *field });
            before.push((*field, old, new));
        }
        for (id, _, src) in &before {
            self.emit(Instr::SetField { id: *id, thing, src: *src, wanted: *src });
        }
        self.block(std::slice::from_ref(call));
        for (id, src, _) in before {
            self.emit(Instr::SetField { id, thing, src, wanted: src });
        }
    }

    /// Skips an effect on a missing thing.
    pub(super) fn skip_missing(&mut self, thing: &Expr, reg: Reg) -> Vec<usize> {
        if !matches!(thing.ty, Type::Optional(_)) {
            return Vec::new();
        }
        let missing = self.emit(Instr::JumpNone { reg, to: 0 });
        let there = self.jump();
        self.aim(missing);
        self.note_nothing(thing);
        let skip = self.jump();
        self.aim(there);
        vec![skip]
    }

    // ---------------------------------------------------------------- consequences

    /// Compiles the consequences of a write: clamps slots whose bounds may have changed, then slots that have those as
    /// bounds, and then checks the laws that read any of them.
    pub(super) fn after(&mut self, touched: &Touched) {
        let mut touched = touched.clone();
        // fields that were clamped on every thing of their kind
        let mut everywhere: Vec<FieldId> = Vec::new();
        for slot in self.program.links.cut.clone() {
            let bounds = self.bounds_of(slot);
            if !bounds.iter().any(|b| self.hangs_on(*b, &touched)) {
                continue;
            }
            touched.stored.push(slot);
            let field = match slot {
                Stored::Global(id) => {
                    self.cut_for_a_time(slot, 0);
                    self.cut_global(id);
                    continue;
                }
                Stored::Field(field) => field,
            };
            let kind = self.rules.fields[field.at()].kind;
            let cutter = self.program.links.cutters[&field];
            let own = bounds.iter().all(|b| {
                let reads = &self.program.links.reads[b.at()];
                reads.fields == reads.fields_of_self
                    && reads.globals.is_empty()
                    && !reads.positions
                    && reads.counts.is_empty()
                    && !everywhere.iter().any(|f| reads.fields.contains(*f))
            });
            match touched.thing {
                Some((thing, of)) if own && of == kind => self.scoped(|c| {
                    let none = c.take(1);
                    c.cut_for_a_time(slot, thing);
                    c.call_with(cutter, &[(thing, 1)], none);
                }),
                _ => {
                    self.scoped(|c| {
                        let (bind, none) = (c.take(1), c.take(1));
                        let looped = c.begin_loop(&collections::Entries::Kind(kind), bind);
                        c.cut_for_a_time(slot, bind);
                        c.call_with(cutter, &[(bind, 1)], none);
                        c.end_loop(looped, Vec::new(), Vec::new());
                    });
                    everywhere.push(field);
                }
            }
        }
        for link in self.rules.kinds.iter().filter_map(|kind| kind.tree).collect::<Vec<_>>() {
            if touched.stored.contains(&Stored::Field(link)) {
                self.emit(Instr::Forest { link });
            }
        }
        for n in 0..self.rules.laws.len() {
            let func = self.rules.laws[n].func;
            if self.hangs_on(func, &touched) {
                self.scoped(|c| {
                    let cond = c.take(1);
                    c.call_with(func, &[], cond);
                    let holds = c.emit(Instr::JumpIf { cond, to: 0 });
                    c.emit(Instr::Fault { code: FaultCode::Law, at: n as u32 });
                    c.aim(holds);
                });
            }
        }
    }

    /// Clamps a state of the game whose bound changed, and writes it only if its value changes.
    fn cut_global(&mut self, id: GlobalId) {
        let global = self.rules.globals[id.at()].clone();
        self.scoped(|c| {
            let (old, new) = (c.take(1), c.take(1));
            c.emit(Instr::Global { dst: old, id });
            c.copy(new, old, 1);
            c.clamp((global.low, global.high), None, new);
            let same = c.emit(Instr::JumpCompare { op: Op::Eq, a: old, b: new, to: 0 });
            c.emit(Instr::SetGlobal { id, src: new, wanted: old });
            c.aim(same);
        });
    }

    fn hangs_on(&self, func: FuncId, touched: &Touched) -> bool {
        let Some(reads) = self.program.links.reads.get(func.at()) else { return true };
        touched.stored.iter().any(|slot| reads.has(*slot))
            || touched.traits.iter().any(|t| reads.traits.contains(*t))
            || touched.table && (reads.positions || !reads.counts.is_empty())
    }

    // ---------------------------------------------------------------- durations

    pub(super) fn tag(&mut self, what: TagWhat, until: &Until, thing: Reg, data: Reg) {
        self.scoped(|c| {
            let key = match &until.key {
                Some(key) => c.value(key),
                None => 0,
            };
            let at = c.program.tags.len() as u32;
            c.program.tags.push(Tag { what, start: until.start, phase: until.phase, keyed: until.key.is_some() });
            c.emit(Instr::Tag { at, thing, key, data });
        });
    }

    /// Compiles the value that is added to a list or removed from it, as a list.
    fn entries(&mut self, value: &Expr, one: bool, ty: &Type) -> Reg {
        let src = self.entry_value(value);
        if !one {
            return src;
        }
        let list = self.take(1);
        let n = ty.entry().map_or(1, |inner| self.width(inner));
        self.emit(Instr::NewList { dst: list });
        self.emit(Instr::Push { list, src, n });
        list
    }

    /// Keeps the part that a temporarily lower bound cuts off, so that it is restored with the bound.
    fn cut_for_a_time(&mut self, slot: Stored, thing: Reg) {
        match (self.until.clone(), slot) {
            (Some(until), _) => self.layer(slot, &until, thing),
            // the bound may already be temporarily lower
            (None, _) if !self.program.links.layered.contains(&slot) => {}
            (None, Stored::Field(id)) => drop(self.emit(Instr::KeepCut { id, thing })),
            (None, Stored::Global(id)) => drop(self.emit(Instr::KeepCutGlobal { id })),
        }
    }

    /// Compiles the consequences of a write like [`Compiler::after`] for a value with a duration.
    pub(super) fn after_until(&mut self, until: Option<&Until>, touched: &Touched) {
        self.until = until.cloned();
        self.after(touched);
        self.until = None;
    }

    /// Makes the next write to a slot a layer over its value.
    fn layer(&mut self, slot: Stored, until: &Until, thing: Reg) {
        self.scoped(|c| {
            let key = until.key.as_ref().map_or(0, |key| c.value(key));
            let at = c.program.tags.len() as u32;
            let (start, phase, keyed) = (until.start, until.phase, until.key.is_some());
            c.program.tags.push(Tag { what: TagWhat::Stored(slot), start, phase, keyed });
            c.emit(Instr::Layer { at, thing, key });
        });
    }

    /// Returns for each field whether it can have a layer over its permanent value.
    pub(super) fn find_tagged(&self) -> Vec<bool> {
        (0..self.rules.fields.len())
            .map(|n| self.program.links.layered.contains(&Stored::Field(FieldId::from(n))))
            .collect()
    }
}

/// Returns whether the registers of the result are written only after the value has read its operands.
#[expect(clippy::wildcard_enum_match_arm, reason = "a copy too many does no harm")]
fn written_last(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Const(_) | ExprKind::None | ExprKind::Local(_) | ExprKind::Setting(_) | ExprKind::Global(_) => true,
        ExprKind::Field { .. } | ExprKind::Part { .. } | ExprKind::Call { .. } => true,
        ExprKind::Op(op, _) => matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Concat | Op::Up | Op::Down),
        _ => false,
    }
}

/// Returns whether a type is a number of one cell.
fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Length | Type::Angle)
}

/// Returns the slots that can have a layer over their permanent value: those that a statement sets temporarily, and
/// those that a temporarily lower bound clamps.
pub(super) fn layered(rules: &Ruleset, reads: &[Reads]) -> Vec<Stored> {
    let (mut found, mut granted) = (Vec::new(), IdSet::<TraitId>::default());
    for function in rules.functions.iter() {
        walk_body(&function.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            if let StmtKind::Set { target, until: Some(_), .. } = &stmt.kind {
                match target {
                    Target::Global(id) => found.push(Stored::Global(*id)),
                    Target::Field { field, .. } => found.push(Stored::Field(*field)),
                    Target::Local(_) | Target::Ambient(_) | Target::Tally(_) => {}
                }
            } else if let StmtKind::Grant { status, until: Some(_), .. } = &stmt.kind {
                granted.insert(*status);
            }
        });
    }
    loop {
        let before = found.len();
        for slot in rules.all_stored() {
            let (low, high) = rules.declared(slot).bounds;
            let lowered = |bound: FuncId| {
                let reads = &reads[bound.at()];
                found.iter().any(|of| reads.has(*of)) || granted.iter().any(|status| reads.traits.contains(status))
            };
            if !found.contains(&slot) && low.into_iter().chain(high).any(lowered) {
                found.push(slot);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
