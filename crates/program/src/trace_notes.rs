//! Renders values with their operands: each number is followed by its value, and a derived number also by its operands.

#![deny(clippy::wildcard_enum_match_arm)] // forces every match to handle a new operator or kind of value

use super::RollNeed;
use grognard_base::order;
use grognard_base::value::ops::{Binding, TemplatePart, pieces};
use grognard_base::value::*;
use grognard_rules::code::{Body, Expr, ExprKind, Local, Pat};
use grognard_rules::reads::measures::{binds, measures};
use grognard_rules::reads::walk::parts_mut;
use grognard_rules::ruleset::{Change, FieldSort, Ruleset, Trait};
use grognard_rules::wording::{binding, bracketed, names, names_action, wanted, words};
use grognard_syntax::tree::{ModifyOp, TraitSort};
use std::collections::HashMap;

/// A piece of a wording before it is compiled.
pub(super) enum Part {
    /// Fixed text.
    Text(String),
    /// A value that is filled in when it is known.
    Value(Expr),
    /// A measured distance: two places and a length, or `none`.
    Measure(Expr),
    /// The value that a roll is compared with.
    Need(Expr, RollNeed),
    /// The given number of following parts are shown only if this holds.
    If(Expr, usize),
    /// The given number of following parts are skipped.
    Skip(usize),
}

/// Maximum depth to which derived values are expanded.
const DEEPEST: usize = 4;

/// Returns a condition or value as text, each leaf followed by its value: `markers 3 > 0`.
pub(super) fn parts(rs: &Ruleset, locals: &[Local], e: &Expr) -> Vec<Part> {
    let mut teller = Teller { rs, out: Vec::new(), open: 0, binds: binds(e) };
    teller.tell(&WordsFrame { locals, known: None, depth: 0 }, e);
    teller.out
}

/// Returns the operands of a value whose number is already shown: `nv 3 - strain 2 (markers 3 - free_markers 1)`. A
/// condition that consists of one name keeps the name.
pub(super) fn explained(rs: &Ruleset, locals: &[Local], e: &Expr, condition: bool) -> Vec<Part> {
    let mut teller = Teller { rs, out: Vec::new(), open: 1, binds: binds(e) };
    let frame = WordsFrame { locals, known: None, depth: 0 };
    if condition && is_leaf(e) {
        teller.said(&frame, e);
        teller.nested(&frame, e);
    } else {
        teller.whole(&frame, e);
    }
    teller.out
}

/// Locals of an expanded function, as values of the running function.
type KnownLocals = HashMap<LocalId, Expr>;

/// The function whose expression is rendered. In the running function all locals have values.
struct WordsFrame<'a> {
    locals: &'a [Local],
    known: Option<&'a KnownLocals>,
    depth: usize,
}

/// An expanded derived value: its function, its known locals, its body.
struct DerivedWords<'r> {
    locals: &'r [Local],
    known: KnownLocals,
    body: &'r Expr,
}

/// A case of a value: its condition, its value, and its known locals.
struct Arm<'r> {
    holds: Option<Expr>,
    value: &'r Expr,
    known: KnownLocals,
}

struct Teller<'r> {
    rs: &'r Ruleset,
    out: Vec<Part>,
    /// Depth of the current expansion of derived values.
    open: usize,
    /// Whether some names are bound only if a pattern matches, so that no distances are shown.
    binds: bool,
}

impl<'r> Teller<'r> {
    fn text(&mut self, text: impl Into<String>) {
        self.out.push(Part::Text(text.into()));
    }

    /// Renders a part of a value, in brackets if its operator binds less tightly than its place requires.
    fn part(&mut self, f: &WordsFrame<'_>, e: &Expr, wanted: Binding) {
        if binding(&names(f.locals), e) >= wanted {
            return self.tell(f, e);
        }
        if has_figures(e) {
            self.text("(");
            self.tell(f, e);
            self.text(")");
        } else {
            self.one(f, e, wanted);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is shown as a whole")]
    fn tell(&mut self, f: &WordsFrame<'_>, e: &Expr) {
        match &e.kind {
            ExprKind::And(list) => self.joined(f, list, " and ", Binding::Not),
            ExprKind::Or(list) => self.joined(f, list, " or ", Binding::Not),
            ExprKind::Op(op, args) if op.is_silent() => self.tell(f, &args[0]),
            ExprKind::Op(op, args) if takes_figures(*op, args) => {
                let [first, second] = wanted(*op);
                for piece in pieces(op.facts().text) {
                    match piece {
                        TemplatePart::Text(text) => self.text(text),
                        TemplatePart::Operand(0) => self.part(f, &args[0], first),
                        TemplatePart::Operand(n) => self.part(f, &args[n], second),
                        TemplatePart::All => self.joined(f, args, ", ", Binding::Loose),
                    }
                }
            }
            ExprKind::Const(_) | ExprKind::ConstRatio(..) | ExprKind::None => {
                self.text(words(self.rs, &names(f.locals), e))
            }
            _ => self.one(f, e, Binding::Loose),
        }
    }

    /// Renders a value that is not a chain of numbers, with its value.
    fn one(&mut self, f: &WordsFrame<'_>, e: &Expr, wanted: Binding) {
        self.in_words(f, e, wanted);
        if let Some(value) = known_in(f, e).filter(|_| is_leaf(e)) {
            self.text(" ");
            self.out.push(Part::Value(value));
            self.nested(f, e);
            self.changes(f, e);
        }
    }

    fn said(&mut self, f: &WordsFrame<'_>, e: &Expr) {
        self.in_words(f, e, Binding::Loose);
    }

    /// Renders a value as text, with the distances that it measures.
    fn in_words(&mut self, f: &WordsFrame<'_>, e: &Expr, wanted: Binding) {
        if !self.binds {
            self.out.extend(known_in(f, e).iter().flat_map(measures).map(Part::Measure));
        }
        self.text(bracketed(self.rs, &names(f.locals), e, wanted));
    }

    fn joined(&mut self, f: &WordsFrame<'_>, list: &[Expr], word: &str, wanted: Binding) {
        for (n, part) in list.iter().enumerate() {
            if n > 0 {
                self.text(word);
            }
            self.part(f, part, wanted);
        }
    }

    /// Renders the operands of a derived value in brackets after it.
    fn nested(&mut self, f: &WordsFrame<'_>, e: &Expr) {
        if self.open == 0 {
            return;
        }
        if let Some(DerivedWords { locals, known, body }) = self.derived(f, e)
            && has_figures(body)
        {
            self.open -= 1;
            self.text(" (");
            self.tell(&WordsFrame { locals, known: Some(&known), depth: f.depth + 1 }, body);
            self.text(")");
            self.open += 1;
        }
    }

    /// Renders a value whose number is already shown before it.
    fn whole(&mut self, f: &WordsFrame<'_>, e: &Expr) {
        match self.derived(f, e) {
            Some(DerivedWords { locals, known, body }) => {
                let inner = WordsFrame { locals, known: Some(&known), depth: f.depth + 1 };
                match self.arms(&known, body) {
                    Some(arms) => self.branches(&inner, arms),
                    None if matches!(body.kind, ExprKind::If { .. } | ExprKind::Match { .. }) => {
                        self.text(words(self.rs, &names(f.locals), e));
                    }
                    None if matches!(body.kind, ExprKind::Table { .. }) => self.looked_up(f, e),
                    None => self.whole(&inner, body),
                }
            }
            None if has_figures(e) => self.tell(f, e),
            None => {
                self.said(f, e);
                self.changes(f, e);
            }
        }
    }

    /// Renders the special rules that change a number, each that applies in brackets: `(Mighty * 2)`, `(Steadfast =
    /// 5)`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "special rules change fields only")]
    fn changes(&mut self, f: &WordsFrame<'_>, e: &Expr) {
        let rs = self.rs;
        let (thing, field, keys) = match &e.kind {
            ExprKind::Field { thing, field, keys } if shows_value(&e.ty) => (thing.as_ref(), *field, keys),
            _ => return,
        };
        let args: Option<Vec<Expr>> = std::iter::once(thing).chain(keys).map(|a| known_in(f, a)).collect();
        let Some(args) = args.filter(|_| f.depth < DEEPEST) else { return };
        let rendered = |(n, t): (usize, &'r Trait)| t.changes.iter().map(move |c| (TraitId::from(n), t, c));
        let mut changes: Vec<_> =
            rs.traits.iter().enumerate().flat_map(rendered).filter(|(.., c)| c.field == field).collect();
        order::sort_by_key(&mut changes, |(.., c)| c.op.map_or(0, |op| 1 + op.rank()));
        for (id, data, change) in changes.iter().filter(|(.., c)| !c.alone) {
            let mut holds = acts(rs, *id, change, &args);
            for (other, _, more) in &changes {
                let beats = more.alone || more.over == Some(*id) && more.op.is_none() == change.op.is_none();
                if beats {
                    let acts = flag(ExprKind::And(acts(rs, *other, more, &args)), e);
                    holds.push(flag(ExprKind::Op(Op::Not, vec![acts]), e));
                }
            }
            let value = call(rs, change.value, &args, e);
            let rounded = match change.op {
                Some(ModifyOp::Times(Some(to))) => format!(" {}", to.op().written()),
                _ => String::new(),
            };
            let sign = change.op.map_or("=", ModifyOp::written);
            self.out.push(Part::If(flag(ExprKind::And(holds), e), 3));
            self.text(format!(" ({} {sign} ", data.name));
            self.out.push(Part::Value(value));
            self.text(format!("{rounded})"));
        }
    }

    /// Renders a table by its name, with the numbers that are looked up in it.
    fn looked_up(&mut self, f: &WordsFrame<'_>, e: &Expr) {
        let ExprKind::Call { func, args } = &e.kind else { return self.text(words(self.rs, &names(f.locals), e)) };
        self.text(format!("{}(", self.rs.functions[func.at()].name));
        for (n, arg) in args.iter().enumerate() {
            if n > 0 {
                self.text(", ");
            }
            if matches!(arg.ty.present(), Type::Kind(_)) {
                self.text(words(self.rs, &names(f.locals), arg));
            } else {
                self.tell(f, arg);
            }
        }
        self.text(")");
    }

    /// Renders the case of a value that holds.
    fn branches(&mut self, f: &WordsFrame<'_>, arms: Vec<Arm<'_>>) {
        let mut skips = Vec::new();
        for Arm { holds, value, known } in arms {
            let at = self.out.len();
            let last = holds.is_none();
            self.out.extend(holds.map(|c| Part::If(c, 0)));
            let inner = WordsFrame { locals: f.locals, known: Some(&known), depth: f.depth };
            self.whole(&inner, value);
            if last {
                break;
            }
            skips.push(self.out.len());
            self.out.push(Part::Skip(0));
            let rendered = self.out.len() - at - 1;
            if let Part::If(_, n) = &mut self.out[at] {
                *n = rendered;
            }
        }
        let end = self.out.len();
        for at in skips {
            self.out[at] = Part::Skip(end - at - 1);
        }
    }

    /// Returns the cases of a value, if each can be evaluated from outside.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no other value has cases, and no other pattern leaves a value to others"
    )]
    fn arms(&self, known: &KnownLocals, body: &'r Expr) -> Option<Vec<Arm<'r>>> {
        let judged = |e: &Expr| put_in(known, e);
        match &body.kind {
            ExprKind::If { arms, otherwise } => {
                let mut all = Vec::new();
                for (condition, value) in arms {
                    all.push(Arm { holds: Some(judged(condition)?), value, known: known.clone() });
                }
                all.push(Arm { holds: None, value: otherwise, known: known.clone() });
                Some(all)
            }
            ExprKind::Match { subject, rows } => {
                let value = judged(subject)?;
                let mut all = Vec::new();
                for row in rows {
                    let ([pattern], None) = (row.patterns.as_slice(), &row.when) else { return None };
                    let mut inner = known.clone();
                    if let Pat::Some(Some(local)) | Pat::OnChain(Some(local)) = pattern {
                        inner.insert(*local, value.clone());
                    }
                    let holds = match pattern {
                        Pat::Any => None,
                        _ => {
                            let kind = ExprKind::Is { value: subject.clone(), pattern: Box::new(pattern.clone()) };
                            Some(judged(&Expr { kind, ty: Type::Flag, span: body.span })?)
                        }
                    };
                    all.push(Arm { holds, value: &row.value, known: inner });
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// Expands a call of a value, or a derived field that no special rule changes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is derived by a function")]
    fn derived(&self, f: &WordsFrame<'_>, e: &Expr) -> Option<DerivedWords<'r>> {
        let rs = self.rs;
        let (func, args): (FuncId, Vec<&Expr>) = match &e.kind {
            ExprKind::Call { func, args } => (*func, args.iter().collect()),
            ExprKind::Field { thing, field, keys } => {
                let FieldSort::Let(func) = rs.fields[field.at()].sort else { return None };
                if rs.traits.iter().any(|t| t.changes.iter().any(|c| c.field == *field)) {
                    return None;
                }
                (func, std::iter::once(thing.as_ref()).chain(keys).collect())
            }
            _ => return None,
        };
        let function = rs.functions.get(func.at())?;
        let Body::Value(body) = &function.body else { return None };
        if f.depth >= DEEPEST || function.external || function.params != args.len() {
            return None;
        }
        let args = args.into_iter().map(|a| known_in(f, a));
        let known = args.enumerate().map(|(n, a)| Some((LocalId::from(n), a?))).collect::<Option<KnownLocals>>()?;
        Some(DerivedWords { locals: &function.locals, known, body })
    }
}

/// Returns the conditions under which a change applies to a thing.
fn acts(rs: &Ruleset, id: TraitId, change: &Change, args: &[Expr]) -> Vec<Expr> {
    let thing = &args[0];
    let mut holds = vec![flag(ExprKind::Has { thing: Box::new(thing.clone()), what: id }, thing)];
    let data = &rs.traits[id.at()];
    holds.extend(data.when.filter(|_| data.sort != TraitSort::Condition).map(|w| call(rs, w, &args[..1], thing)));
    holds.extend(change.when.map(|when| call(rs, when, args, thing)));
    holds
}

fn call(rs: &Ruleset, func: FuncId, args: &[Expr], at: &Expr) -> Expr {
    let ty = rs.functions[func.at()].result.clone();
    Expr { kind: ExprKind::Call { func, args: args.to_vec() }, ty, span: at.span }
}

fn flag(kind: ExprKind, at: &Expr) -> Expr {
    Expr { kind, ty: Type::Flag, span: at.span }
}

/// Translates a value of a frame into one of the running function.
fn known_in(f: &WordsFrame<'_>, e: &Expr) -> Option<Expr> {
    match f.known {
        None => Some(e.clone()),
        Some(known) => put_in(known, e),
    }
}

/// Substitutes the known values for locals. Returns `None` if a local is not known or is inside a query.
fn put_in(known: &KnownLocals, e: &Expr) -> Option<Expr> {
    let mut put = e.clone();
    fill(known, &mut put).then_some(put)
}

fn fill(known: &KnownLocals, e: &mut Expr) -> bool {
    use ExprKind as K;
    let plain = match &mut e.kind {
        K::Local(id) => match known.get(id) {
            Some(value) => {
                e.kind = value.kind.clone();
                return true;
            }
            None => false,
        },
        K::Is { pattern, .. } => without_names(pattern),
        K::Const(_) | K::ConstRatio(..) | K::None | K::Setting(_) | K::Global(_) | K::Running(_) => true,
        K::Field { .. } | K::Alive(_) | K::Part { .. } | K::Has { .. } | K::Call { .. } | K::Op(..) => true,
        K::And(_) | K::Or(_) | K::Otherwise(..) => true,
        K::Tally(_) | K::Ambient(_) | K::ActionName | K::Actor | K::At(_) | K::Facing(_) | K::Crossed { .. } => false,
        K::Tree { .. } | K::If { .. } | K::Match { .. } | K::Table { .. } | K::Instances { .. } | K::Then { .. } => {
            false
        }
        K::Map { .. } | K::Query { .. } | K::List(_) | K::Make(_) | K::Was(_) => false,
    };
    let mut known_all = plain;
    parts_mut(e, &mut |part| known_all = known_all && fill(known, part));
    known_all
}

/// Makes a pattern bind no names and match the same values. Returns `false` if this is not possible.
fn without_names(pattern: &mut Pat) -> bool {
    match pattern {
        Pat::Some(local) | Pat::OnChain(local) | Pat::Past { local, .. } => *local = None,
        Pat::Present(inner) => return without_names(inner),
        Pat::Any | Pat::None | Pat::Equal(_) | Pat::Between { .. } => {}
        Pat::MetKind(..) | Pat::MetEdge | Pat::Tuple(_) => return false,
    }
    true
}

/// Returns whether a value is a single name, call or query, shown with its value.
fn is_leaf(e: &Expr) -> bool {
    // patterns that bind would run twice
    shows_value(&e.ty) && !has_figures(e) && !matches!(e.kind, ExprKind::Is { .. })
}

/// Returns whether a value has more than one number, joined by operators.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other value is shown as a whole")]
fn has_figures(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::And(_) | ExprKind::Or(_) => true,
        ExprKind::Op(op, args) if op.is_silent() => has_figures(&args[0]),
        ExprKind::Op(op, args) => takes_figures(*op, args),
        _ => false,
    }
}

/// Returns whether the operands of an operator are shown one by one, each with its value.
fn takes_figures(op: Op, args: &[Expr]) -> bool {
    use Op::{Add, AddRatio, DivLength, EqCells, Fraction, LeRatio, LtRatio, Mul, MulRatio, Sub, SubRatio};
    use Op::{Max, Min, Not, RoundDown, RoundNear, RoundUp};
    let shown = matches!(op, Add | Sub | Mul | Fraction | DivLength | LtRatio | LeRatio | EqCells)
        || matches!(op, AddRatio | SubRatio | MulRatio | Min | Max | Not | RoundDown | RoundUp | RoundNear);
    (shown || op.compares()) && !args.iter().any(names_action)
}

fn shows_value(ty: &Type) -> bool {
    !matches!(
        ty.present(),
        Type::Leg | Type::Record(_) | Type::Tuple(_) | Type::Nothing | Type::Unknown | Type::Place | Type::Route
    )
}
