//! Compiles reads of fields with special rules applied, bounds, and queries of the board.

use super::*;
use grognard_base::order;
use grognard_rules::code::ExprKind;
use grognard_rules::ruleset::{Change, FieldSort, Stored};
use grognard_syntax::tree::{ModifyOp, Rounding, TraitSort};

impl Compiler<'_> {
    /// Reserves an accessor for each field that special rules change, and a cutter for each field with a variable
    /// bound.
    pub(super) fn prepare_fields(&mut self) {
        let mut changed: Vec<FieldId> =
            self.rules.traits.iter().flat_map(|t| t.changes.iter().map(|c| c.field)).collect();
        order::sort(&mut changed);
        changed.dedup();
        for field in changed {
            let item = self.rules.fields[field.at()].item;
            let id = self.own_function(FuncSort::Value, item);
            self.program.links.accessors.insert(field, id);
        }
        let derived: Vec<FieldId> =
            (0..self.rules.fields.len()).map(FieldId::from).filter(|f| self.moves(Stored::Field(*f))).collect();
        for field in derived {
            let item = self.rules.fields[field.at()].item;
            let id = self.own_function(FuncSort::Proc, item);
            self.program.links.cutters.insert(field, id);
        }
        let mut left: Vec<Stored> = self.rules.all_stored().filter(|slot| self.moves(*slot)).collect();
        // bounds have no cycle, so one of the remaining slots always depends on none of the others
        while !left.is_empty() {
            let waits = |slot: &Stored| left.iter().any(|other| other != slot && self.bounds(*slot, *other));
            let next = left.iter().position(|slot| !waits(slot)).unwrap_or(0);
            self.program.links.cut.push(left.remove(next));
        }
    }

    /// Returns the bounds of a slot.
    pub(super) fn bounds_of(&self, slot: Stored) -> Vec<FuncId> {
        let (low, high) = self.rules.declared(slot).bounds;
        low.into_iter().chain(high).collect()
    }

    /// Returns whether a bound of the first slot reads the second.
    fn bounds(&self, slot: Stored, other: Stored) -> bool {
        self.bounds_of(slot).iter().any(|f| self.program.links.reads[f.at()].has(other))
    }

    /// Returns whether a bound of a slot is variable, that is, reads anything. A state that can lack a value is clamped
    /// only where it is written.
    fn moves(&self, slot: Stored) -> bool {
        let kept = match slot {
            Stored::Field(id) => self.rules.fields[id.at()].sort == FieldSort::State,
            Stored::Global(id) => self.rules.globals[id.at()].default.is_some(),
        };
        kept && self.bounds_of(slot).iter().any(|f| {
            let reads = &self.program.links.reads[f.at()];
            !reads.fields.is_empty()
                || !reads.globals.is_empty()
                || !reads.traits.is_empty()
                || !reads.counts.is_empty()
        })
    }

    pub(super) fn field_functions(&mut self) {
        for (field, id) in self.program.links.accessors.clone() {
            self.accessor(field, id);
        }
        for (field, id) in self.program.links.cutters.clone() {
            self.cutter(field, id);
        }
    }

    /// Compiles a field of a thing in an expression.
    pub(super) fn field_value(&mut self, thing: &Expr, field: FieldId, keys: &[Expr], dst: Reg) {
        let (reg, _) = self.thing(thing);
        let keys: Vec<(Reg, Reg)> = keys.iter().map(|k| (self.value(k), self.width(&k.ty))).collect();
        self.field_of(reg, field, &keys, dst);
    }

    /// Compiles a field of a thing in a register.
    pub(super) fn field_of(&mut self, thing: Reg, field: FieldId, keys: &[(Reg, Reg)], dst: Reg) {
        if let Some(&accessor) = self.program.links.accessors.get(&field) {
            let mut args = vec![(thing, 1)];
            args.extend_from_slice(keys);
            self.call_with(accessor, &args, dst);
            return;
        }
        self.base_value(thing, field, keys, dst);
    }

    /// Compiles a field without special rules.
    fn base_value(&mut self, thing: Reg, id: FieldId, keys: &[(Reg, Reg)], dst: Reg) {
        let field = &self.rules.fields[id.at()];
        let sort = field.sort;
        let sizes: Vec<i64> = field.keys.iter().map(|(_, n)| *n).collect();
        self.ran_field(id);
        match sort {
            FieldSort::Let(func) => {
                let mut args = vec![(thing, 1)];
                args.extend_from_slice(keys);
                self.call_with(func, &args, dst);
            }
            FieldSort::BackLink(_) => {
                self.emit(Instr::BackLink { dst, thing, id });
            }
            FieldSort::Stat | FieldSort::State | FieldSort::Link if keys.is_empty() => {
                self.emit(Instr::Field { dst, thing, id });
            }
            FieldSort::Stat | FieldSort::State | FieldSort::Link => self.scoped(|c| {
                let key = c.key_place(keys, &sizes);
                c.emit(Instr::Keyed { dst, thing, id, key });
            }),
        }
    }

    /// Compiles several keys to one index in row-major order.
    pub(super) fn key_place(&mut self, keys: &[(Reg, Reg)], sizes: &[i64]) -> Reg {
        let place = self.take(1);
        self.constant(place, 0);
        for ((key, _), size) in keys.iter().zip(sizes) {
            let n = self.take(1);
            self.constant(n, *size);
            self.emit(Instr::Op { op: Op::Mul, dst: place, a: place, b: n, n: 1 });
            self.emit(Instr::Op { op: Op::Add, dst: place, a: place, b: *key, n: 1 });
        }
        place
    }

    /// Compiles whether a thing bears a trait or status, or a condition holds for it.
    pub(super) fn bears(&mut self, thing: Reg, what: TraitId, dst: Reg) {
        let tr = &self.rules.traits[what.at()];
        match (tr.sort, tr.when) {
            (TraitSort::Condition, Some(when)) => self.call_with(when, &[(thing, 1)], dst),
            (TraitSort::Condition, None) => self.constant(dst, 1),
            (TraitSort::Trait | TraitSort::Status, _) => {
                self.emit(Instr::Bears { dst, thing, id: what });
                if self.program.detail == Detail::Covered {
                    let item = self.rules.traits[what.at()].item;
                    let none = self.emit(Instr::JumpUnless { cond: dst, to: 0 });
                    self.ran_item(item);
                    self.aim(none);
                }
            }
        }
    }

    /// Returns jumps taken if a special rule does not currently apply to a thing.
    pub(super) fn unless_acting(&mut self, thing: Reg, what: TraitId) -> Vec<usize> {
        let tr = &self.rules.traits[what.at()];
        let extra = if tr.sort == TraitSort::Condition { None } else { tr.when };
        self.scoped(|c| {
            let cond = c.take(1);
            c.bears(thing, what, cond);
            let mut fails = vec![c.emit(Instr::JumpUnless { cond, to: 0 })];
            if let Some(when) = extra {
                c.call_with(when, &[(thing, 1)], cond);
                fails.push(c.emit(Instr::JumpUnless { cond, to: 0 }));
            }
            fails
        })
    }

    /// Compiles the accessor of a field: the `replace` that holds or the base, then factors, addends and limits, then
    /// its bounds.
    fn accessor(&mut self, field: FieldId, id: FuncId) {
        let changes: Vec<(TraitId, Change)> = self
            .rules
            .traits
            .iter()
            .enumerate()
            .flat_map(|(n, t)| {
                t.changes.iter().filter(|c| c.field == field).map(move |c| (TraitId::from(n), c.clone()))
            })
            .collect();
        let (lent, changes): (Vec<_>, Vec<_>) = changes.into_iter().partition(|(_, c)| c.alone);
        let info = self.rules.fields[field.at()].clone();
        let outer = std::mem::take(&mut self.frame);
        self.frame.func = FuncId(u32::MAX);
        let entry = self.here();
        let thing = self.take(1);
        let key_types: Vec<Type> = if let FieldSort::Let(func) = info.sort {
            let f = &self.rules.functions[func.at()];
            f.locals.iter().take(f.params).skip(1).map(|l| l.ty.clone()).collect()
        } else {
            info.keys.iter().map(|(t, _)| t.clone()).collect()
        };
        let widths: Vec<Reg> = key_types.iter().map(|t| self.width(t)).collect();
        let keys: Vec<(Reg, Reg)> = widths.into_iter().map(|w| (self.take(w), w)).collect();
        let params = self.frame.top;
        let width = self.width(&info.ty);
        let out = self.take(width);
        let args: Vec<(Reg, Reg)> = std::iter::once((thing, 1)).chain(keys.iter().copied()).collect();
        let mut over = Vec::new();
        for (tr, change) in &lent {
            let skip = self.unless_acting(thing, *tr);
            self.call_with(change.value, &args, out);
            over.push(self.jump());
            self.aim_all(skip);
        }
        self.base_value(thing, field, &keys, out);
        let (replaces, mut modifies): (Vec<_>, Vec<_>) = changes.into_iter().partition(|(_, c)| c.op.is_none());
        self.replaces(&replaces, thing, &args, out, width, field);
        order::sort_by_key(&mut modifies, |(_, c)| c.op.map(ModifyOp::rank));
        self.modifies(&modifies, thing, &args, out, &info.ty);
        self.aim_all(over);
        self.clamp((info.low, info.high), Some(thing), out);
        if info.low.is_none() || info.high.is_none() {
            self.check_changed(out, &info);
        }
        self.emit(Instr::Return { src: out, n: width });
        self.close(id, entry, params, &info.ty, outer);
    }

    fn unless_change(&mut self, change: &Change, args: &[(Reg, Reg)]) -> Vec<usize> {
        let Some(when) = change.when else { return Vec::new() };
        self.scoped(|c| {
            let cond = c.take(1);
            c.call_with(when, args, cond);
            vec![c.emit(Instr::JumpUnless { cond, to: 0 })]
        })
    }

    /// Compiles the modifiers of a field, in the order in which they apply.
    fn modifies(&mut self, list: &[(TraitId, Change)], thing: Reg, args: &[(Reg, Reg)], out: Reg, ty: &Type) {
        let width = self.width(ty);
        let flags =
            if list.iter().any(|(_, c)| c.over.is_some()) { self.acting(list, thing, args) } else { Vec::new() };
        for (n, (tr, change)) in list.iter().enumerate() {
            let Some(op) = change.op else { continue };
            let skip = match flags.get(n) {
                Some(flag) => vec![self.emit(Instr::JumpUnless { cond: *flag, to: 0 })],
                None => {
                    let mut skip = self.unless_acting(thing, *tr);
                    skip.extend(self.unless_change(change, args));
                    skip
                }
            };
            self.scoped(|c| {
                let factor = matches!(op, ModifyOp::Times(Some(_)));
                let by = c.take(if factor { 2 } else { width });
                c.ran(&change.cites);
                c.call_with(change.value, args, by);
                if let ModifyOp::Times(Some(to)) = op {
                    let product = c.take(2);
                    c.copy(product, out, 1);
                    c.constant(product + 1, 1);
                    c.emit(Instr::Op { op: Op::MulRatio, dst: product, a: product, b: by, n: 2 });
                    let round = match to {
                        Rounding::Down => Op::RoundDown,
                        Rounding::Up => Op::RoundUp,
                        Rounding::Nearest => Op::RoundNear,
                    };
                    c.emit(Instr::Op { op: round, dst: out, a: product, b: 0, n: 2 });
                } else {
                    c.emit(Instr::Op { op: operator(op, ty), dst: out, a: out, b: by, n: width });
                }
            });
            self.aim_all(skip);
        }
    }

    /// Compiles a flag for each change: whether it applies, and no other that applies names its trait in `over`.
    fn acting(&mut self, changes: &[(TraitId, Change)], thing: Reg, args: &[(Reg, Reg)]) -> Vec<Reg> {
        let flags: Vec<Reg> = changes.iter().map(|_| self.take(1)).collect();
        for ((tr, change), flag) in changes.iter().zip(&flags) {
            self.constant(*flag, 0);
            let mut skip = self.unless_acting(thing, *tr);
            skip.extend(self.unless_change(change, args));
            self.constant(*flag, 1);
            self.aim_all(skip);
        }
        for ((_, change), flag) in changes.iter().zip(&flags) {
            let Some(over) = change.over else { continue };
            let skip = self.emit(Instr::JumpUnless { cond: *flag, to: 0 });
            for ((tr, _), other) in changes.iter().zip(&flags) {
                if *tr == over {
                    self.constant(*other, 0);
                }
            }
            self.aim(skip);
        }
        flags
    }

    /// Compiles `replace` rules. Those named in the `over` of another are dropped; the others must agree.
    fn replaces(
        &mut self,
        replaces: &[(TraitId, Change)],
        thing: Reg,
        args: &[(Reg, Reg)],
        out: Reg,
        width: Reg,
        field: FieldId,
    ) {
        let flags = self.acting(replaces, thing, args);
        let found = self.take(1);
        self.constant(found, 0);
        for ((_, change), flag) in replaces.iter().zip(&flags) {
            let skip = self.emit(Instr::JumpUnless { cond: *flag, to: 0 });
            self.scoped(|c| {
                let value = c.take(width);
                c.ran(&change.cites);
                c.call_with(change.value, args, value);
                let first = c.emit(Instr::JumpUnless { cond: found, to: 0 });
                let same = c.take(1);
                c.emit(Instr::Op { op: Op::EqCells, dst: same, a: out, b: value, n: width });
                let agree = c.emit(Instr::JumpIf { cond: same, to: 0 });
                c.emit(Instr::Fault { code: FaultCode::Conflict, at: field.0 });
                c.aim(first);
                c.aim(agree);
                c.copy(out, value, width);
                c.constant(found, 1);
            });
            self.aim(skip);
        }
    }

    /// Clamps a value to bounds that are functions of the thing.
    pub(super) fn clamp(&mut self, (low, high): (Option<FuncId>, Option<FuncId>), thing: Option<Reg>, value: Reg) {
        for (bound, op) in [(high, Op::Min), (low, Op::Max)] {
            let Some(func) = bound else { continue };
            if self.clamp_constant(func, op, value) {
                continue;
            }
            let body = self.rules.functions.get(func.at()).map(|f| f.body.clone());
            self.scoped(|c| {
                let limit = c.take(1);
                match (body, thing) {
                    // a bound that is another figure of the same thing needs no call
                    (
                        Some(Body::Value(Expr { kind: ExprKind::Field { thing: own, field, keys }, .. })),
                        Some(thing),
                    ) if keys.is_empty() && matches!(own.kind, ExprKind::Local(LocalId(0))) => {
                        c.field_of(thing, field, &[], limit);
                    }
                    (_, Some(thing)) => c.call_with(func, &[(thing, 1)], limit),
                    (_, None) => c.call_with(func, &[], limit),
                }
                c.emit(Instr::Op { op, dst: value, a: value, b: limit, n: 1 });
            });
        }
    }

    /// Clamps a value to a constant bound. Returns `false` if the bound is not a constant.
    pub(super) fn clamp_constant(&mut self, bound: FuncId, op: Op, value: Reg) -> bool {
        let body = self.rules.functions.get(bound.at()).map(|f| &f.body);
        let Some(Body::Value(Expr { kind: ExprKind::Const(limit), .. })) = body else { return false };
        let Ok(limit) = i32::try_from(*limit) else { return false };
        let (dst, a) = (value, value);
        self.emit(if op == Op::Max {
            Instr::AtLeast { dst, a, value: limit }
        } else {
            Instr::AtMost { dst, a, value: limit }
        });
        true
    }

    /// Compiles a cutter: clamps a slot whose bound changed, and writes it only if its value changes.
    fn cutter(&mut self, field: FieldId, id: FuncId) {
        let info = self.rules.fields[field.at()].clone();
        let outer = std::mem::take(&mut self.frame);
        self.frame.func = FuncId(u32::MAX);
        let entry = self.here();
        let thing = self.take(1);
        let (old, new) = (self.take(1), self.take(1));
        self.emit(Instr::Field { dst: old, thing, id: field });
        self.copy(new, old, 1);
        self.clamp((info.low, info.high), Some(thing), new);
        let same = self.emit(Instr::JumpCompare { op: Op::Eq, a: old, b: new, to: 0 });
        self.emit(Instr::SetField { id: field, thing, src: new, wanted: old });
        self.aim(same);
        self.emit(Instr::Return { src: 0, n: 0 });
        self.close(id, entry, 1, &Type::Nothing, outer);
    }

    // ---------------------------------------------------------------- places

    /// Compiles a thing, or a missing thing, to a place of two cells.
    pub(super) fn place_of(&mut self, e: &Expr, dst: Reg) {
        if matches!(e.ty.present(), Type::Route | Type::Place) {
            return self.value_to(e, dst);
        }
        let kind = e.ty.kind().unwrap_or_default();
        self.scoped(|c| {
            let reg = c.value(e);
            let missing = matches!(e.ty, Type::Optional(_)).then(|| c.emit(Instr::JumpNone { reg, to: 0 }));
            c.pack_place(reg, kind, dst);
            if let Some(missing) = missing {
                let there = c.jump();
                c.aim(missing);
                c.constant(dst, NONE);
                c.constant(dst + 1, 0);
                c.aim(there);
            }
        });
    }

    pub(super) fn pack_place(&mut self, thing: Reg, kind: KindId, dst: Reg) {
        self.emit(Instr::Op { op: Op::Pack, dst: dst + 1, a: thing, b: thing, n: kind.0 as Reg });
        self.constant(dst, THING);
    }

    pub(super) fn board_operation(&mut self, op: Op, args: &[Expr], dst: Reg) {
        let mut regs = [0; 4];
        let mut kinds = [None; 4];
        for (n, arg) in args.iter().take(4).enumerate() {
            kinds[n] = arg.ty.kind();
            regs[n] = self.value(arg);
        }
        self.ask_board(op, regs, kinds, dst);
    }

    pub(super) fn ask_board(&mut self, op: Op, args: [Reg; 4], kinds: [Option<KindId>; 4], dst: Reg) {
        let at = self.program.board.len() as u32;
        self.program.board.push(BoardAsk { op, args, kinds });
        self.emit(Instr::Board { dst, at });
    }
}

/// Returns the operator of a modifier that does not round, for a value of type `ty`.
fn operator(op: ModifyOp, ty: &Type) -> Op {
    match (op, ty) {
        (ModifyOp::Times(_), Type::Angle) => Op::MulAngle,
        (ModifyOp::Times(_), Type::Ratio) => Op::MulRatio,
        (ModifyOp::Times(_), _) => Op::Mul,
        (ModifyOp::Add, Type::Angle) => Op::AddAngle,
        (ModifyOp::Add, Type::Ratio) => Op::AddRatio,
        (ModifyOp::Add, _) => Op::Add,
        (ModifyOp::Sub, Type::Angle) => Op::SubAngle,
        (ModifyOp::Sub, Type::Ratio) => Op::SubRatio,
        (ModifyOp::Sub, _) => Op::Sub,
        (ModifyOp::AtMost, Type::Ratio) => Op::MinRatio,
        (ModifyOp::AtMost, _) => Op::Min,
        (ModifyOp::AtLeast, Type::Ratio) => Op::MaxRatio,
        (ModifyOp::AtLeast, _) => Op::Max,
    }
}
