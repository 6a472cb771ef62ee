//! Compiles notes for traces: the operands of values, the reasons of conditions, and the readings that affected them.

use super::*;
use crate::roll_needs;
use crate::settings;
use crate::trace_notes::{self, Part};
use grognard_rules::code::ExprKind;
use grognard_rules::reads::walk::any_part;
use grognard_rules::wording;

impl Compiler<'_> {
    fn traced(&self) -> bool {
        self.program.detail == Detail::Traced
    }

    /// Notes a derived value that is assigned to a name.
    pub(super) fn note_value(&mut self, local: LocalId, value: &Expr) {
        if !self.traced() || !worth_noting(value) || self.frame.sort.is_none_or(FuncSort::pure) {
            return;
        }
        let Some(info) = self.function_of(self.frame.func).and_then(|f| f.locals.get(local.at())) else {
            return;
        };
        if info.name.is_empty() {
            return;
        }
        let kind = NoteKind::Value { name: info.name.clone(), reg: self.local(local), ty: value.ty.clone() };
        self.note(kind, value, true);
    }

    /// Returns jumps taken if a condition fails, with a note on the reason.
    pub(super) fn noted_unless(&mut self, condition: &Expr) -> Vec<usize> {
        if !self.traced() || binds(condition) {
            return self.unless(condition);
        }
        let reg = self.take(1);
        self.value_to(condition, reg);
        self.note_condition(condition, reg);
        vec![self.emit(Instr::JumpUnless { cond: reg, to: 0 })]
    }

    /// Notes the evaluation of a condition; `reg` holds its result.
    pub(super) fn note_condition(&mut self, condition: &Expr, reg: Reg) {
        if self.traced() {
            let selects = asks_only_settings(condition);
            self.note(NoteKind::Condition { reg, selects }, condition, true);
        }
    }

    /// Notes a statement that selects a row by a value.
    pub(super) fn note_branch(&mut self, subject: &Expr) {
        if self.traced() {
            self.note(NoteKind::Branch, subject, true);
        }
    }

    /// Notes an effect on a missing thing.
    pub(super) fn note_nothing(&mut self, thing: &Expr) {
        if self.traced() {
            let names = wording::names(self.locals_of(self.frame.func));
            let text = wording::words(self.rules, &names, thing);
            self.note_plain(NoteKind::Nothing { text });
        }
    }

    /// Keeps the value of a shared variable before it is set. Returns `None` if no notes are compiled.
    pub(super) fn note_before(&mut self, reg: Reg, ty: &Type) -> Option<Reg> {
        if !self.traced() || matches!(ty.present(), Type::List(_) | Type::Record(_) | Type::Leg) {
            return None;
        }
        let width = self.width(ty).max(1);
        let old = self.take(width);
        self.copy(old, reg, width);
        Some(old)
    }

    /// Notes an assignment to a shared variable.
    pub(super) fn note_shared(&mut self, name: String, old: Option<Reg>, reg: Reg, ty: &Type) {
        if let Some(old) = old {
            self.note_plain(NoteKind::Shared { name, old, reg, ty: ty.clone() });
        }
    }

    /// Emits a note without text.
    fn note_plain(&mut self, kind: NoteKind) {
        let at = self.program.notes.len() as u32;
        let (wording, readings, cites) = (Wording::default(), Vec::new(), Vec::new());
        let (on_table, never) = (false, Vec::new());
        self.program.notes.push(Note { kind, wording, readings, again: None, cites, on_table, never });
        self.emit(Instr::Note { at });
    }

    /// Notes the guard of a rule, in the guard's function.
    pub(super) fn note_guard(&mut self, func: FuncId, value: &Expr, reg: Reg) {
        if !self.traced() {
            return;
        }
        let Some(n) = self.rules.rules.iter().position(|r| r.guard == Some(func)) else { return };
        self.note(NoteKind::Guard { rule: RuleId::from(n), reg }, value, true);
    }

    fn note(&mut self, kind: NoteKind, value: &Expr, again: bool) {
        let at = self.program.notes.len();
        let readings: Vec<SettingId> = settings::read(self.rules, &self.program.links.reads, value)
            .into_iter()
            .filter(|s| self.rules.settings[s.at()].alternatives.len() > 1)
            .collect();
        let (rules, locals) = (self.rules, self.locals_of(self.frame.func));
        let mut parts = match kind {
            NoteKind::Value { .. } => trace_notes::explained(rules, locals, value, false),
            NoteKind::Condition { .. } => trace_notes::explained(rules, locals, value, true),
            NoteKind::Branch | NoteKind::Guard { .. } | NoteKind::Shared { .. } | NoteKind::Nothing { .. } => {
                trace_notes::parts(rules, locals, value)
            }
        };
        if matches!(kind, NoteKind::Value { .. } | NoteKind::Condition { .. }) {
            parts.extend(roll_needs::need(rules, locals, value).map(|(than, need)| Part::Need(than, need)));
        }
        let cites = self.frame.cites.clone();
        let shell = Fragment { entry: 0, result: 0, width: 0, top: 0 };
        let again = (again && !readings.is_empty()).then(|| (shell, value.ty.clone()));
        let repeat = again.is_some();
        let guard = matches!(kind, NoteKind::Guard { .. });
        let (on_table, never) = (looks_at_table(value), Vec::new());
        self.program.notes.push(Note { kind, wording: Wording::default(), readings, again, cites, on_table, never });
        self.wording(parts, WordingOf::Note(at));
        if guard {
            self.note_never(value, WordingOf::Note(at));
        }
        if repeat {
            self.put_off(value.clone(), LaterSlot::Again { note: at });
        }
        self.emit(Instr::Note { at: at as u32 });
    }

    /// Compiles the values of a wording and adds them to it.
    pub(super) fn wording(&mut self, parts: Vec<Part>, of: WordingOf) {
        let shell = Fragment { entry: 0, result: 0, width: 0, top: 0 };
        for part in parts {
            let (piece, value) = match part {
                Part::Text(text) => (Piece::Text(text), None),
                Part::Value(e) => (Piece::Value { fragment: shell, ty: e.ty.clone() }, Some(e)),
                Part::Measure(e) => (Piece::Measure { fragment: shell }, Some(e)),
                Part::Need(e, need) => (Piece::Need { fragment: shell, ty: e.ty.clone(), need }, Some(e)),
                Part::If(e, count) => (Piece::If { fragment: shell, count }, Some(e)),
                Part::Skip(count) => (Piece::Skip { count }, None),
            };
            let pieces = &mut of.wording(&mut self.program).pieces;
            pieces.push(piece);
            let piece = pieces.len() - 1;
            if let Some(e) = value {
                self.put_off(e, LaterSlot::Piece { of, piece });
            }
        }
    }
}

/// Returns whether a condition itself queries the board.
fn looks_at_table(e: &Expr) -> bool {
    any_part(e, |e| matches!(&e.kind, ExprKind::Op(op, _) if op.asks_board()))
}

/// Returns whether a value depends on settings and on nothing else.
fn asks_only_settings(e: &Expr) -> bool {
    if let ExprKind::Op(_, args) = &e.kind {
        return args.iter().all(asks_only_settings);
    }
    matches!(e.kind, ExprKind::Setting(_) | ExprKind::Const(_))
}

/// Returns whether a value needs a note. Constants and plain copies explain themselves.
fn worth_noting(e: &Expr) -> bool {
    !matches!(
        e.kind,
        ExprKind::Const(_)
            | ExprKind::Local(_)
            | ExprKind::List(_)
            | ExprKind::None
            | ExprKind::Map { .. }
            | ExprKind::Instances { .. }
    ) && !matches!(e.ty, Type::List(_) | Type::Leg | Type::Record(_))
}

/// Returns whether a condition binds a name. Such conditions are compiled to jumps and not stored.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a name is bound by `is`, and the conditions joined with it can use it"
)]
fn binds(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Is { .. } => true,
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(binds),
        _ => false,
    }
}
