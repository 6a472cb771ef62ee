//! Compiles expressions.

use super::*;
use grognard_base::value::ops::{Lowering, Takes};
use grognard_rules::code::ExprKind;

impl Compiler<'_> {
    /// Compiles a value and returns its register: that of a variable, or a new one.
    pub(super) fn value(&mut self, e: &Expr) -> Reg {
        if let ExprKind::Local(id) = e.kind {
            return self.local(id);
        }
        if let ExprKind::Part { of, index } = &e.kind {
            let base = self.value(of);
            return base + self.part_offset(&of.ty, *index);
        }
        let width = self.width(&e.ty);
        let dst = self.take(width.max(1));
        self.value_to(e, dst);
        dst
    }

    /// Compiles a value into given registers.
    pub(super) fn value_to(&mut self, e: &Expr, dst: Reg) {
        let width = self.width(&e.ty);
        self.ran_type(&e.ty);
        match &e.kind {
            ExprKind::Const(value) => self.constant(dst, *value),
            ExprKind::ConstRatio(n, d) => {
                self.constant(dst, *n);
                self.constant(dst + 1, *d);
            }
            ExprKind::None => self.none(dst, width),
            ExprKind::Local(id) => {
                let src = self.local(*id);
                self.copy(dst, src, width);
            }
            ExprKind::Part { of, index } => self.scoped(|c| {
                let base = c.value(of);
                let offset = c.part_offset(&of.ty, *index);
                c.copy(dst, base + offset, width);
            }),
            ExprKind::Setting(id) => {
                self.ran_item(self.rules.settings[id.at()].item);
                self.emit(Instr::Setting { dst, id: *id });
            }
            ExprKind::Global(id) => {
                self.ran_item(self.rules.globals[id.at()].item);
                self.emit(Instr::Global { dst, id: *id });
            }
            ExprKind::Tally(id) => {
                self.emit(Instr::Tally { dst, id: *id });
            }
            ExprKind::Ambient(id) => {
                self.emit(Instr::Ambient { dst, id: *id });
            }
            ExprKind::ActionName => {
                self.emit(Instr::ActionName { dst });
            }
            ExprKind::Actor => {
                self.emit(Instr::Actor { dst });
            }
            ExprKind::Field { thing, field, keys } => self.scoped(|c| c.field_value(thing, *field, keys, dst)),
            ExprKind::Alive(thing) => self.scoped(|c| {
                let (reg, kind) = c.thing(thing);
                c.emit(Instr::Alive { dst, thing: reg, kind });
            }),
            ExprKind::At(thing) => self.scoped(|c| {
                let (reg, kind) = c.thing(thing);
                c.emit(Instr::At { dst, thing: reg, kind });
            }),
            ExprKind::Facing(thing) => self.scoped(|c| {
                let (reg, kind) = c.thing(thing);
                c.emit(Instr::Facing { dst, thing: reg, kind });
            }),
            ExprKind::Crossed { leg, kind } => self.scoped(|c| c.crossed(leg, *kind, dst)),
            ExprKind::Call { func, args } => self.call(*func, args, dst),
            ExprKind::Op(op, args) => self.scoped(|c| c.operation(*op, args, e.span, dst)),
            ExprKind::Running(phase) => {
                self.emit(Instr::Running { dst, phase: *phase });
            }
            ExprKind::Tree { op, link, args } => self.scoped(|c| {
                let a = c.value(&args[0]);
                let b = args.get(1).map_or(a, |arg| c.value(arg));
                c.emit(Instr::Tree { op: *op, dst, a, b, link: *link });
            }),
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Is { .. } => self.flag_value(e, dst),
            ExprKind::Otherwise(a, b) => {
                self.scoped(|c| {
                    let reg = c.value(a);
                    c.copy(dst, reg, width);
                });
                let missing = self.emit(Instr::JumpNone { reg: dst, to: 0 });
                let there = self.jump();
                self.aim(missing);
                self.value_to(b, dst);
                self.aim(there);
            }
            ExprKind::If { arms, otherwise } => self.if_value(arms, otherwise, dst),
            ExprKind::Match { subject, rows } => self.match_value(subject, rows, dst),
            ExprKind::Table { keys, rows, columns, cells } => {
                self.scoped(|c| c.table_value(keys, rows, columns, cells, &e.ty, dst))
            }
            ExprKind::Has { thing, what } => self.scoped(|c| {
                let (reg, _) = c.thing(thing);
                c.bears(reg, *what, dst);
            }),
            ExprKind::Instances { thing, status } => self.scoped(|c| {
                let (reg, _) = c.thing(thing);
                c.emit(Instr::Instances { dst, thing: reg, id: *status });
            }),
            ExprKind::Then { value, local, body } => {
                let bound = self.local(*local);
                self.value_to(value, bound);
                self.check_local(bound, value, *local);
                let missing = self.emit(Instr::JumpNone { reg: bound, to: 0 });
                self.value_to(body, dst);
                let there = self.jump();
                self.aim(missing);
                self.none(dst, width);
                self.aim(there);
            }
            ExprKind::Map { .. } => self.scoped(|c| c.map_value(e, dst)),
            ExprKind::Query { .. } => self.scoped(|c| c.query_value(e, dst)),
            ExprKind::List(entries) => self.list_value(entries, &e.ty, dst),
            ExprKind::Make(parts) => {
                let mut at = dst;
                for (index, part) in parts.iter().enumerate() {
                    self.value_to(part, at);
                    self.check_part(at, part, &e.ty, index);
                    at += self.width(&part.ty);
                }
            }
            ExprKind::Was(inner) => self.scoped(|c| {
                let at = c.take(3);
                c.emit(Instr::Home { at });
                c.value_to(inner, dst);
                c.emit(Instr::Forth { at });
            }),
        }
    }

    /// Returns the offset of a part of a record, tuple, leg or route.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else has a second part")]
    fn part_offset(&self, of: &Type, index: usize) -> Reg {
        match of.present() {
            Type::Record(id) => self.rules.records[id.at()].fields.iter().take(index).map(|(_, t)| self.width(t)).sum(),
            Type::Tuple(parts) => parts.iter().take(index).map(|t| self.width(t)).sum(),
            // a route is not divided into cells
            Type::Leg => index as Reg,
            _ => 0,
        }
    }

    /// Compiles a thing and returns its register and kind.
    pub(super) fn thing(&mut self, e: &Expr) -> (Reg, KindId) {
        let kind = e.ty.kind().unwrap_or_default();
        (self.value(e), kind)
    }

    /// Compiles a call, with the arguments at the start of the callee's frame.
    pub(super) fn call(&mut self, func: FuncId, args: &[Expr], dst: Reg) {
        let external = self.rules.functions.get(func.at()).is_some_and(|f| f.external);
        self.scoped(|c| {
            let widths: Vec<Reg> = args.iter().map(|a| c.width(&a.ty)).collect();
            let base = c.take(widths.iter().sum::<Reg>().max(1));
            let mut at = base;
            for (param, (arg, width)) in args.iter().zip(&widths).enumerate() {
                c.value_to(arg, at);
                c.check_argument(at, arg, func, param);
                at += width;
            }
            c.place_of_call(args);
            if external {
                c.ran_item(c.rules.functions[func.at()].item);
                c.emit(Instr::CallExtern { func, args: base, dst });
            } else {
                c.emit(Instr::Call { func, args: base, dst });
            }
        });
    }

    fn place_of_call(&mut self, args: &[Expr]) {
        if let Some(first) = args.first() {
            self.place(first.span);
        }
    }

    /// Compiles a call whose arguments are in registers.
    pub(super) fn call_with(&mut self, func: FuncId, args: &[(Reg, Reg)], dst: Reg) {
        self.scoped(|c| {
            let base = c.take(args.iter().map(|(_, n)| *n).sum::<Reg>().max(1));
            let mut at = base;
            for (src, n) in args {
                c.copy(at, *src, *n);
                at += n;
            }
            c.emit(Instr::Call { func, args: base, dst });
        });
    }

    fn operation(&mut self, op: Op, args: &[Expr], span: Span, dst: Reg) {
        if span != Span::default() {
            self.place(span);
        }
        if op.compares() && self.compared_on_board(op, args, dst) {
            return;
        }
        match op.facts().lowering {
            Lowering::Instr => self.instruction(op, args, dst),
            Lowering::Fold => self.fold(op, args, dst),
            Lowering::Board => self.board_operation(op, args, dst),
            Lowering::Place => self.place_of(&args[0], dst),
            Lowering::Point => {
                self.value_to(&args[0], dst);
                self.value_to(&args[1], dst + 1);
            }
            Lowering::Length => self.size_of(&args[0], dst),
            Lowering::Whole => {
                self.value_to(&args[0], dst);
                self.constant(dst + 1, 1);
            }
            Lowering::Fallen => self.with_fallen(&args[0], dst),
            // the checker has separate forms for these
            Lowering::Tree | Lowering::Phase => {}
        }
    }

    /// Compiles an operand. A list of things is reduced to those in play, except for operators that create lists from
    /// lists.
    fn operand(&mut self, op: Op, arg: &Expr) -> Reg {
        let value = self.value(arg);
        if matches!(op, Op::Concat | Op::Without | Op::EqList) { value } else { self.in_play(arg, value) }
    }

    fn instruction(&mut self, op: Op, args: &[Expr], dst: Reg) {
        if let (Op::Add | Op::Sub, Some(small)) = (op, args.get(1).and_then(small_constant)) {
            let a = self.value(&args[0]);
            let value = if op == Op::Add { small } else { -small };
            self.emit(Instr::AddConst { dst, a, value });
            return;
        }
        let n = self.operation_size(op, args);
        let a = self.operand(op, &args[0]);
        let b = match args.get(1) {
            Some(entry) if op == Op::Copies => self.entry_value(entry),
            Some(arg) => self.operand(op, arg),
            None => a,
        };
        self.emit(Instr::Op { op, dst, a, b, n });
        if op == Op::Open {
            let (second, n) = (dst + 1, self.operation_size(Op::Closed, &args[1..]));
            self.emit(Instr::Op { op: Op::Closed, dst: second, a: second, b: second, n });
        }
    }

    /// Returns the extra number of an operation: a width, or a property of a chain.
    fn operation_size(&self, op: Op, args: &[Expr]) -> Reg {
        let size = |(takes, arg): (&Takes, &Expr)| match (takes, arg.ty.present()) {
            (Takes::List(_) | Takes::Ordered(_), Type::List(inner)) => self.width(inner),
            (Takes::Value | Takes::List(_) | Takes::Ordered(_), ty) => self.width(ty),
            (Takes::Case, Type::Enum(id)) => self.rules.enums[id.at()].cases.len() as Reg,
            (Takes::Case, Type::Chain(id) | Type::Shifted(id)) => self.rules.chains[id.at()].dice.len() as Reg,
            (Takes::Chain, Type::Chain(id) | Type::Shifted(id)) => id.0 as Reg + 1,
            _ => 0,
        };
        op.facts().takes.iter().zip(args).map(size).max().unwrap_or(0)
    }

    /// Folds an operation over its operands from the left.
    fn fold(&mut self, op: Op, args: &[Expr], dst: Reg) {
        let width = self.width(&args[0].ty);
        self.value_to(&args[0], dst);
        for arg in &args[1..] {
            self.scoped(|c| {
                let b = c.value(arg);
                c.emit(Instr::Op { op, dst, a: dst, b, n: width });
            });
        }
    }

    fn if_value(&mut self, arms: &[(Expr, Expr)], otherwise: &Expr, dst: Reg) {
        let mut done = Vec::new();
        for (condition, value) in arms {
            let skip = self.unless(condition);
            self.value_to(value, dst);
            done.push(self.jump());
            self.aim_all(skip);
        }
        self.value_to(otherwise, dst);
        self.aim_all(done);
    }

    pub(super) fn aim_all(&mut self, jumps: Vec<usize>) {
        for at in jumps {
            self.aim(at);
        }
    }

    // ---------------------------------------------------------------- conditions

    /// Returns jumps taken if the condition fails.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is computed and tested")]
    pub(super) fn unless(&mut self, e: &Expr) -> Vec<usize> {
        match &e.kind {
            ExprKind::And(parts) => parts.iter().flat_map(|p| self.unless(p)).collect(),
            ExprKind::Or(parts) => {
                let Some((last, first)) = parts.split_last() else { return Vec::new() };
                let holds: Vec<usize> = first.iter().flat_map(|p| self.when(p)).collect();
                let fails = self.unless(last);
                self.aim_all(holds);
                fails
            }
            ExprKind::Op(Op::Not, args) => self.when(&args[0]),
            ExprKind::Is { value, pattern } => self.scoped(|c| {
                let reg = c.value(value);
                // the bindings of the pattern outlive the registers in between, so they are copied to their locals
                c.pattern(pattern, reg, &value.ty)
            }),
            _ => match self.comparison(e) {
                Some((_, opposite, args)) => self.compared(opposite, args),
                None => self.scoped(|c| {
                    let cond = c.value(e);
                    vec![c.emit(Instr::JumpUnless { cond, to: 0 })]
                }),
            },
        }
    }

    /// Returns jumps taken if the condition holds.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is computed and tested")]
    pub(super) fn when(&mut self, e: &Expr) -> Vec<usize> {
        match &e.kind {
            ExprKind::Or(parts) => parts.iter().flat_map(|p| self.when(p)).collect(),
            ExprKind::And(_) | ExprKind::Is { .. } => {
                let fails = self.unless(e);
                let holds = self.jump();
                self.aim_all(fails);
                vec![holds]
            }
            ExprKind::Op(Op::Not, args) => self.unless(&args[0]),
            _ => match self.comparison(e) {
                Some((op, _, args)) => self.compared(op, args),
                None => self.scoped(|c| {
                    let cond = c.value(e);
                    vec![c.emit(Instr::JumpIf { cond, to: 0 })]
                }),
            },
        }
    }

    /// Returns a comparison of single cells, its negation, and its operands.
    fn comparison<'e>(&self, e: &'e Expr) -> Option<(Op, Op, &'e [Expr])> {
        let ExprKind::Op(op, args) = &e.kind else { return None };
        let opposite = op.opposite()?;
        (self.width(&args.first()?.ty) <= 1).then_some((*op, opposite, args))
    }

    /// Returns a jump taken if a comparison of single cells holds.
    fn compared(&mut self, op: Op, args: &[Expr]) -> Vec<usize> {
        self.scoped(|c| {
            let flag = c.take(1);
            if c.compared_on_board(op, args, flag) {
                return vec![c.emit(Instr::JumpIf { cond: flag, to: 0 })];
            }
            let a = c.value(&args[0]);
            vec![c.compared_with(op, a, &args[1])]
        })
    }

    /// Returns a jump taken if a comparison of a register with a value holds.
    pub(super) fn compared_with(&mut self, op: Op, a: Reg, value: &Expr) -> usize {
        if let Some(value) = small_constant(value) {
            return self.emit(Instr::JumpCompareConst { op, a, value, to: 0 });
        }
        let b = self.value(value);
        self.emit(Instr::JumpCompare { op, a, b, to: 0 })
    }

    /// Compiles a condition to a cell.
    fn flag_value(&mut self, e: &Expr, dst: Reg) {
        let fails = self.unless(e);
        self.constant(dst, 1);
        let done = self.jump();
        self.aim_all(fails);
        self.constant(dst, 0);
        self.aim(done);
    }
}

/// Returns a constant that fits an instruction, or `None`.
pub(super) fn small_constant(e: &Expr) -> Option<i16> {
    if let ExprKind::Const(v) = e.kind { Some(v as i16).filter(|_| (-30_000..=30_000).contains(&v)) } else { None }
}
