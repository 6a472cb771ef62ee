//! Compiles range checks: a number must be within the declared range of its location and within the storable range.
//!
//! No code is emitted if the checker has proven the range.

use super::*;
use grognard_rules::code::SetOp;
use grognard_rules::ruleset::{Field, FieldSort};

impl Compiler<'_> {
    /// Emits a check that the value in a register is within the range of a declared type. `of` names the owner of the
    /// range.
    pub(super) fn check_range(&mut self, src: Reg, value: &Expr, written: &Type, of: impl FnOnce(&Ruleset) -> String) {
        let (Type::Int(have), Type::Int(range)) = (value.ty.present(), written.present()) else { return };
        if range.holds(*have) {
            return;
        }
        let at = self.program.bounds.len() as u32;
        let of = of(self.rules);
        self.program.bounds.push(Bounds { range: *range, of });
        let missing = matches!(value.ty, Type::Optional(_)).then(|| self.emit(Instr::JumpNone { reg: src, to: 0 }));
        self.place(value.span);
        self.emit(Instr::Within { src, at });
        self.aim_all(missing.into_iter().collect());
    }

    /// Emits a check that a kept number is storable.
    pub(super) fn check_kept(&mut self, src: Reg, value: &Expr, of: &str) {
        self.check_range(src, value, &Type::INT, |_| of.to_string());
    }

    /// Emits a check for a variable, whose type may have a narrower range.
    pub(super) fn check_local(&mut self, src: Reg, value: &Expr, local: LocalId) {
        let name = self.local_name(local);
        let of = if name.is_empty() { "a value".to_string() } else { format!("`{name}`") };
        self.check_range(src, value, &self.local_type(local), |_| of);
    }

    /// Emits a check for a slot that was set. It is clamped at its bounded ends.
    pub(super) fn check_set(
        &mut self,
        src: Reg,
        op: SetOp,
        value: &Expr,
        old: &Type,
        bounded: (bool, bool),
        name: &str,
    ) {
        let (Type::Int(old), Type::Int(by)) = (old, &value.ty) else { return };
        let range = match op {
            SetOp::Set => *by,
            SetOp::Add => Range::new(old.low.saturating_add(by.low), old.high.saturating_add(by.high)),
            SetOp::Sub => Range::new(old.low.saturating_sub(by.high), old.high.saturating_sub(by.low)),
        };
        let low = if bounded.0 { Range::ALL.low } else { range.low };
        let high = if bounded.1 { Range::ALL.high } else { range.high };
        let set = Expr { ty: Type::Int(Range::new(low, high)), ..value.clone() };
        self.check_kept(src, &set, &format!("`{name}`"));
    }

    /// Emits a check for an argument of a parameter.
    pub(super) fn check_argument(&mut self, src: Reg, arg: &Expr, func: FuncId, param: usize) {
        let rules = self.rules;
        let event = || self.program.events.iter().position(|f| *f == func);
        let found = match rules.functions.get(func.at()) {
            Some(f) => f.locals.get(param).map(|l| (l.ty.clone(), &l.name, &f.name)),
            None => event().and_then(|at| {
                let record = &rules.records[rules.events[at].data.at()];
                record.fields.get(param).map(|(name, ty)| (ty.clone(), name, &record.name))
            }),
        };
        let Some((written, name, owner)) = found else { return };
        let of = format!("`{name}` of `{owner}`");
        self.check_range(src, arg, &written, |_| of);
    }

    /// Emits a check for the result of the current function. The result of an expression in a scenario is not kept.
    pub(super) fn check_result(&mut self, src: Reg, value: &Expr, written: &Type) {
        if self.frame.sort == Some(FuncSort::Snippet) && *written.present() == Type::INT {
            return;
        }
        let func = self.frame.func;
        self.check_range(src, value, written, |rules| match rules.functions.get(func.at()) {
            Some(f) if !f.name.is_empty() => format!("the result of `{}`", f.name),
            _ => "the value".to_string(),
        });
    }

    /// Emits a check for a value that special rules changed.
    pub(super) fn check_changed(&mut self, src: Reg, field: &Field) {
        let rules = self.rules;
        let written =
            if let FieldSort::Let(func) = field.sort { &rules.functions[func.at()].result } else { &field.ty };
        let Type::Int(range) = written else { return };
        let (range, of) = (*range, format!("`{}.{}`", rules.kinds[field.kind.at()].name, field.name));
        let span = rules.items.get(field.item.at()).map(|i| i.span).unwrap_or_default();
        let at = self.program.bounds.len() as u32;
        self.program.bounds.push(Bounds { range, of });
        self.place(span);
        self.emit(Instr::Within { src, at });
    }

    /// Emits a check for a part of a tuple or a field of a created record.
    pub(super) fn check_part(&mut self, src: Reg, part: &Expr, whole: &Type, index: usize) {
        let Type::Record(id) = whole.present() else { return self.check_kept(src, part, "a part of a value") };
        let record = &self.rules.records[id.at()];
        let Some((name, written)) = record.fields.get(index) else { return };
        self.check_range(src, part, written, |_| format!("`{name}` of `{}`", record.name));
    }
}
