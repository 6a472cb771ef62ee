//! Compiles matches, patterns and tables.

use super::*;
use grognard_rules::code::{ExprKind, Pat, ValueRow};

impl Compiler<'_> {
    pub(super) fn match_value(&mut self, subject: &Expr, rows: &[ValueRow], dst: Reg) {
        let mut done = Vec::new();
        let mut total = false;
        self.scoped(|c| {
            let reg = c.value(subject);
            for row in rows {
                let mut skip = c.row_patterns(&row.patterns, reg, &subject.ty);
                if let Some(when) = &row.when {
                    skip.extend(c.unless(when));
                }
                c.ran(&row.cites);
                c.value_to(&row.value, dst);
                total = skip.is_empty();
                if total {
                    break;
                }
                done.push(c.jump());
                c.aim_all(skip);
            }
        });
        self.no_case(total, subject.span);
        self.aim_all(done);
    }

    /// Compiles the end of a match: an error, unless the last row matches everything.
    pub(super) fn no_case(&mut self, total: bool, span: Span) {
        if !total {
            self.place(span);
            self.emit(Instr::Fault { code: FaultCode::NoCase, at: 0 });
        }
    }

    /// Returns jumps taken if none of the patterns matches.
    pub(super) fn row_patterns(&mut self, patterns: &[Pat], reg: Reg, ty: &Type) -> Vec<usize> {
        let mut fits = Vec::new();
        let mut skip = Vec::new();
        for (n, pat) in patterns.iter().enumerate() {
            self.aim_all(std::mem::take(&mut skip));
            if let (Pat::Equal(value), true) = (pat, n + 1 < patterns.len())
                && self.width(ty).max(self.width(&value.ty)) <= 1
            {
                fits.push(self.scoped(|c| c.compared_with(Op::Eq, reg, value)));
                continue;
            }
            skip = self.pattern(pat, reg, ty);
            if skip.is_empty() {
                break;
            }
            if n + 1 < patterns.len() {
                fits.push(self.jump());
            }
        }
        self.aim_all(fits);
        skip
    }

    /// Returns jumps taken if the pattern does not match. Bound values go to their locals.
    pub(super) fn pattern(&mut self, pat: &Pat, reg: Reg, ty: &Type) -> Vec<usize> {
        match pat {
            Pat::Any => Vec::new(),
            Pat::None => {
                let none = self.emit(Instr::JumpNone { reg, to: 0 });
                let some = self.jump();
                self.aim(none);
                vec![some]
            }
            Pat::Some(bound) => {
                let none = self.emit(Instr::JumpNone { reg, to: 0 });
                let width = self.width(ty.present());
                self.bind(*bound, reg, width);
                vec![none]
            }
            Pat::Present(inner) => {
                let mut fails = vec![self.emit(Instr::JumpNone { reg, to: 0 })];
                fails.extend(self.pattern(inner, reg, ty.present()));
                fails
            }
            Pat::Between { low, high } => {
                let mut fails = Vec::new();
                for (bound, over) in [(low, true), (high, false)] {
                    if let Some((value, included)) = bound {
                        fails.extend(self.outside(reg, value, *included, over, ty));
                    }
                }
                fails
            }
            Pat::Equal(value) => self.scoped(|c| {
                let n = c.width(ty).max(c.width(&value.ty));
                if n <= 1 {
                    return vec![c.compared_with(Op::Ne, reg, value)];
                }
                let b = c.value(value);
                let cond = c.take(1);
                c.emit(Instr::Op { op: Op::EqCells, dst: cond, a: reg, b, n });
                vec![c.emit(Instr::JumpUnless { cond, to: 0 })]
            }),
            Pat::OnChain(bound) => {
                let fails = self.past_flag(reg, ty, true);
                self.bind(*bound, reg, 1);
                fails
            }
            Pat::Past { top, local } => self.past(reg, ty, *top, *local),
            Pat::MetKind(kind, bound) => {
                let fails = self.unequal(reg, i64::from(kind.0));
                self.bind(*bound, reg + 1, 1);
                fails
            }
            Pat::MetEdge => self.unequal(reg, EDGE),
            Pat::Tuple(parts) => {
                let types: &[Type] = if let Type::Tuple(types) = ty { types } else { &[] };
                let mut at = reg;
                let mut fails = Vec::new();
                for (patterns, part) in parts.iter().zip(types) {
                    fails.extend(self.row_patterns(patterns, at, part));
                    at += self.width(part);
                }
                fails
            }
        }
    }

    fn bind(&mut self, local: Option<LocalId>, src: Reg, width: Reg) {
        if let Some(local) = local {
            let dst = self.local(local);
            self.copy(dst, src, width);
        }
    }

    fn unequal(&mut self, reg: Reg, value: i64) -> Vec<usize> {
        if let Ok(value @ -30_000..=30_000) = i16::try_from(value) {
            return vec![self.emit(Instr::JumpCompareConst { op: Op::Ne, a: reg, value, to: 0 })];
        }
        self.scoped(|c| {
            let b = c.take(1);
            c.constant(b, value);
            vec![c.emit(Instr::JumpCompare { op: Op::Ne, a: reg, b, to: 0 })]
        })
    }

    /// Returns jumps taken if the value is outside a bound. With `over`, the bound is a lower bound, otherwise an upper one.
    fn outside(&mut self, reg: Reg, bound: &Expr, included: bool, over: bool, ty: &Type) -> Vec<usize> {
        self.scoped(|c| {
            if c.width(ty) == 2 {
                let b = c.value(bound);
                let cond = c.take(1);
                let (op, a, b) = match (over, included) {
                    (true, true) => (Op::LeRatio, b, reg),
                    (true, false) => (Op::LtRatio, b, reg),
                    (false, true) => (Op::LeRatio, reg, b),
                    (false, false) => (Op::LtRatio, reg, b),
                };
                c.emit(Instr::Op { op, dst: cond, a, b, n: 2 });
                return vec![c.emit(Instr::JumpUnless { cond, to: 0 })];
            }
            let op = match (over, included) {
                (true, true) => Op::Lt,
                (true, false) => Op::Le,
                (false, true) => Op::Gt,
                (false, false) => Op::Ge,
            };
            vec![c.compared_with(op, reg, bound)]
        })
    }

    /// Returns jumps taken if a shifted die is past its chain (`fail_if` true) or on it.
    fn past_flag(&mut self, reg: Reg, ty: &Type, fail_if: bool) -> Vec<usize> {
        let n = self.chain_length(ty);
        self.scoped(|c| {
            let cond = c.take(1);
            c.emit(Instr::Op { op: Op::IsPast, dst: cond, a: reg, b: reg, n });
            if fail_if {
                vec![c.emit(Instr::JumpIf { cond, to: 0 })]
            } else {
                vec![c.emit(Instr::JumpUnless { cond, to: 0 })]
            }
        })
    }

    fn chain_length(&self, ty: &Type) -> Reg {
        let (Type::Chain(id) | Type::Shifted(id)) = ty.present() else { return 0 };
        self.rules.chains[id.at()].dice.len() as Reg
    }

    fn past(&mut self, reg: Reg, ty: &Type, top: bool, local: Option<LocalId>) -> Vec<usize> {
        let n = self.chain_length(ty);
        self.scoped(|c| {
            let edge = c.take(1);
            let fails = if top {
                c.constant(edge, i64::from(n));
                vec![c.emit(Instr::JumpCompare { op: Op::Lt, a: reg, b: edge, to: 0 })]
            } else {
                c.constant(edge, 0);
                vec![c.emit(Instr::JumpCompare { op: Op::Ge, a: reg, b: edge, to: 0 })]
            };
            if let Some(local) = local {
                let dst = c.local(local);
                if top {
                    c.emit(Instr::AddConst { dst, a: reg, value: 1 - n as i16 });
                } else {
                    c.emit(Instr::Op { op: Op::Neg, dst, a: reg, b: reg, n: 1 });
                }
            }
            fails
        })
    }

    /// Compiles a table. Row and column are found like cases; constant cells are in a table of the program.
    pub(super) fn table_value(
        &mut self,
        keys: &[Expr],
        rows: &[Vec<Pat>],
        columns: &[Vec<Pat>],
        cells: &[Vec<Expr>],
        result: &Type,
        dst: Reg,
    ) {
        let row = self.take(1);
        self.pick(&keys[0], rows, row);
        let column = self.take(1);
        match keys.get(1) {
            Some(key) => self.pick(key, columns, column),
            None => self.constant(column, 0),
        }
        let across = if keys.len() > 1 { columns.len() } else { 1 };
        let width = cells.first().and_then(|r| r.first()).map_or(1, |c| self.width(&c.ty)) as usize;
        let whole = !matches!(result, Type::Optional(_));
        let constants = constant_cells(cells, width).filter(|_| self.program.detail != Detail::Covered);
        if let Some(constants) = constants {
            let at = self.program.lookups.len() as u32;
            self.program.lookups.push(Lookup { columns: across, width, cells: constants, whole });
            self.emit(Instr::Lookup { dst, row, column, at });
            return;
        }
        let mut done = Vec::new();
        for (r, line) in cells.iter().enumerate() {
            for (c, cell) in line.iter().enumerate() {
                let mut skip = self.unequal(row, r as i64);
                skip.extend(self.unequal(column, c as i64));
                self.ran_cell(r, c);
                self.value_to(cell, dst);
                self.check_result(dst, cell, result);
                done.push(self.jump());
                self.aim_all(skip);
            }
        }
        if whole {
            self.no_case(false, keys[0].span);
        } else {
            self.none(dst, width as Reg);
        }
        self.aim_all(done);
    }

    /// Compiles the index of the first case that a key matches, or the number of cases if none matches.
    fn pick(&mut self, key: &Expr, cases: &[Vec<Pat>], dst: Reg) {
        let mut done = Vec::new();
        self.scoped(|c| {
            let reg = c.value(key);
            for (n, patterns) in cases.iter().enumerate() {
                let skip = c.row_patterns(patterns, reg, &key.ty);
                c.constant(dst, n as i64);
                done.push(c.jump());
                c.aim_all(skip);
            }
            c.constant(dst, cases.len() as i64);
        });
        self.aim_all(done);
    }
}

/// Returns the cells of a table if all of them are constants.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a constant")]
fn constant_cells(cells: &[Vec<Expr>], width: usize) -> Option<Vec<i64>> {
    let mut found = Vec::new();
    for cell in cells.iter().flatten() {
        let start = found.len();
        match &cell.kind {
            ExprKind::Const(v) => found.push(*v),
            ExprKind::ConstRatio(n, d) => found.extend([*n, *d]),
            ExprKind::None => found.push(NONE),
            _ => return None,
        }
        found.resize(start + width, 0);
    }
    Some(found)
}
