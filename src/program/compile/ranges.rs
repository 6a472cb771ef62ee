//! Checks of ranges: a number stays within the range that is written for its place. Nothing is emitted where the checker
//! has proven it.

use super::*;

impl Compiler {
    /// Ends the run unless the value in a register lies within the range of a written type; `of` is whose range it is.
    pub(super) fn check_range(&mut self, src: Reg, value: &Expr, written: &Type, of: impl FnOnce(&Ruleset) -> String) {
        let (Type::Int(have), Type::Int(range)) = (value.ty.present(), written.present()) else { return };
        if range.holds(*have) {
            return;
        }
        let at = self.program.bounds.len() as u32;
        let of = of(self.rules());
        self.program.bounds.push(Bounds { range: *range, of });
        let missing = matches!(value.ty, Type::Optional(_)).then(|| self.emit(Instr::JumpNone { reg: src, to: 0 }));
        self.place(value.span);
        self.emit(Instr::Within { src, at });
        self.aim_all(missing.into_iter().collect());
    }

    /// The same for an argument and its parameter.
    pub(super) fn check_argument(&mut self, src: Reg, arg: &Expr, func: FuncId, param: usize) {
        let rules = self.rules();
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

    /// The same for what the function at work gives.
    pub(super) fn check_result(&mut self, src: Reg, value: &Expr, written: &Type) {
        let func = self.frame.func;
        self.check_range(src, value, written, |rules| match rules.functions.get(func.at()) {
            Some(f) if !f.name.is_empty() => format!("what `{}` gives", f.name),
            _ => "what is wanted here".to_string(),
        });
    }

    /// The same for the fields of a record that is made.
    pub(super) fn check_part(&mut self, src: Reg, part: &Expr, whole: &Type, index: usize) {
        let Type::Record(id) = whole else { return };
        let Some((_, written)) = self.rules().records[id.at()].fields.get(index).cloned() else { return };
        self.check_range(src, part, &written, |rules| {
            let record = &rules.records[id.at()];
            format!("`{}` of `{}`", record.fields[index].0, record.name)
        });
    }
}
