//! Notes for traces: what a value was made of, why a condition held, which readings mattered.

use super::*;
use crate::settings;
use crate::telling::{self, Part};
use grognard_rules::code::ExprKind;
use grognard_rules::reads::walk::any_part;
use grognard_rules::wording;

impl Compiler<'_> {
    fn traced(&self) -> bool {
        self.program.detail == Detail::Traced
    }

    /// A derived value got a name.
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

    /// Jumps taken when a condition fails, with a note on why.
    pub(super) fn noted_unless(&mut self, condition: &Expr) -> Vec<usize> {
        if !self.traced() || binds(condition) {
            return self.unless(condition);
        }
        let reg = self.take(1);
        self.value_to(condition, reg);
        self.note_condition(condition, reg);
        vec![self.emit(Instr::JumpUnless { cond: reg, to: 0 })]
    }

    /// A condition was judged; `reg` holds what came of it.
    pub(super) fn note_condition(&mut self, condition: &Expr, reg: Reg) {
        if self.traced() {
            self.note(NoteKind::Condition { reg }, condition, true);
        }
    }

    /// A statement chooses between its rows by a value.
    pub(super) fn note_branch(&mut self, subject: &Expr) {
        if self.traced() {
            self.note(NoteKind::Branch, subject, true);
        }
    }

    /// An effect on something missing.
    pub(super) fn note_nothing(&mut self, thing: &Expr) {
        if self.traced() {
            let names = wording::names(self.locals_of(self.frame.func));
            let text = wording::words(self.rules, &names, thing);
            self.note_plain(NoteKind::Nothing { text });
        }
    }

    /// The value of a shared variable before it is set; none if nothing is told.
    pub(super) fn note_before(&mut self, reg: Reg, ty: &Type) -> Option<Reg> {
        if !self.traced() || matches!(ty.present(), Type::List(_) | Type::Record(_) | Type::Leg) {
            return None;
        }
        let width = self.width(ty).max(1);
        let old = self.take(width);
        self.copy(old, reg, width);
        Some(old)
    }

    /// A shared variable was set.
    pub(super) fn note_shared(&mut self, name: String, old: Option<Reg>, reg: Reg, ty: &Type) {
        if let Some(old) = old {
            self.note_plain(NoteKind::Shared { name, old, reg, ty: ty.clone() });
        }
    }

    /// A note without words.
    fn note_plain(&mut self, kind: NoteKind) {
        let at = self.program.notes.len() as u32;
        let (wording, readings, cites) = (Wording::default(), Vec::new(), Vec::new());
        let (on_table, never) = (false, Vec::new());
        self.program.notes.push(Note { kind, wording, readings, again: None, cites, on_table, never });
        self.emit(Instr::Note { at });
    }

    /// The guard of a rule: judged in its own function.
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
        let parts = match kind {
            NoteKind::Value { .. } => telling::explained(rules, locals, value, false),
            NoteKind::Condition { .. } => telling::explained(rules, locals, value, true),
            NoteKind::Branch | NoteKind::Guard { .. } | NoteKind::Shared { .. } | NoteKind::Nothing { .. } => {
                telling::parts(rules, locals, value)
            }
        };
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

    /// Compiles the values of a wording, which is filled in with them.
    pub(super) fn wording(&mut self, parts: Vec<Part>, of: WordingOf) {
        let shell = Fragment { entry: 0, result: 0, width: 0, top: 0 };
        for part in parts {
            let (piece, value) = match part {
                Part::Text(text) => (Piece::Text(text), None),
                Part::Value(e) => (Piece::Value { fragment: shell, ty: e.ty.clone() }, Some(e)),
                Part::Measure(e) => (Piece::Measure { fragment: shell }, Some(e)),
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

/// True if a condition itself asks for places or distances.
fn looks_at_table(e: &Expr) -> bool {
    any_part(e, |e| matches!(&e.kind, ExprKind::Op(op, _) if op.asks_board()))
}

/// Constants and plain copies explain themselves.
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

/// Conditions that bind a name are jumped on, not stored.
#[expect(clippy::wildcard_enum_match_arm, reason = "a name is bound by `is`, and lives on in what is joined with it")]
fn binds(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Is { .. } => true,
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(binds),
        _ => false,
    }
}
