//! Conditions on the faces of dice. They divide a pool into classes of faces, independent of the index of a die.

use super::*;
use grognard_rules::code::ExprKind;

/// A condition on the face of a die, with parts that do not depend on a die.
pub(super) enum Asked<'a> {
    /// A comparison of the face with a value.
    Face(Op, &'a Expr),
    /// A condition, or its negation, that is the same for all dice.
    Plain(&'a Expr, bool),
    All(Vec<Asked<'a>>),
    Any(Vec<Asked<'a>>),
}

/// Translates a condition or its negation, or returns `None` if it reads more of a die than its face.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever is not joined is a comparison, or not asked of faces")]
pub(super) fn asked<'a>(c: &Compiler, die: LocalId, condition: &'a Expr, holds: bool) -> Option<Asked<'a>> {
    let parts = |parts: &'a [Expr]| parts.iter().map(|part| asked(c, die, part, holds)).collect::<Option<Vec<_>>>();
    let joined = |all: bool, parts| if all == holds { Asked::All(parts) } else { Asked::Any(parts) };
    match &condition.kind {
        _ if !collections::mentions(condition, die) => Some(Asked::Plain(condition, holds)),
        ExprKind::And(all) => parts(all).map(|parts| joined(true, parts)),
        ExprKind::Or(any) => parts(any).map(|parts| joined(false, parts)),
        ExprKind::Op(Op::Not, args) => asked(c, die, &args[0], !holds),
        ExprKind::Op(Op::InList, args) => {
            let [entry, Expr { kind: ExprKind::List(faces), .. }] = args.as_slice() else { return None };
            let fits = |face: &Expr| {
                !collections::mentions(face, die) && c.width(&face.ty) == 1 && face.ty == *face.ty.present()
            };
            let op = if holds { Op::Eq } else { Op::Ne };
            let each = faces.iter().map(|face| Asked::Face(op, face)).collect();
            (collections::is_cell(c, entry, die) && faces.iter().all(fits)).then(|| joined(false, each))
        }
        _ => {
            let (op, than) = collections::compared(c, die, condition)?;
            Some(Asked::Face(if holds { op } else { op.opposite()? }, than))
        }
    }
}

impl<'a> Asked<'a> {
    /// Returns comparisons of the face that must all hold, or `None` if they depend on the other dice in `pool`. Parts
    /// that do not depend on a die are omitted: they held for the matching dice and still hold.
    pub(super) fn by_face_alone(&self, pool: LocalId) -> Option<Vec<(Op, &'a Expr)>> {
        match self {
            Asked::Face(op, than) => (!collections::mentions(than, pool)).then(|| vec![(*op, *than)]),
            Asked::Plain(condition, _) => (!collections::mentions(condition, pool)).then(Vec::new),
            Asked::All(parts) => {
                let parts = parts.iter().map(|part| part.by_face_alone(pool)).collect::<Option<Vec<_>>>();
                parts.map(|parts| parts.concat())
            }
            Asked::Any(_) => None,
        }
    }

    fn opposite(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::opposite).collect();
        match self {
            Asked::Face(op, than) => Asked::Face(op.opposite().unwrap_or(*op), than),
            Asked::Plain(condition, holds) => Asked::Plain(condition, !holds),
            Asked::All(parts) => Asked::Any(all(parts)),
            Asked::Any(parts) => Asked::All(all(parts)),
        }
    }
}

impl Compiler<'_> {
    /// Reduces the indices in a register to those of matching dice of a pool. Evaluation stops if no index is left.
    pub(super) fn fitting(&mut self, asked: &Asked<'_>, pool: Reg, which: Reg) {
        match asked {
            Asked::All(parts) => parts.iter().for_each(|part| self.fitting(part, pool, which)),
            Asked::Any(parts) => self.scoped(|c| {
                let (rest, found, got) = (c.take(1), c.take(1), c.take(1));
                c.copy(rest, which, 1);
                c.emit(Instr::NewList { dst: found });
                for part in parts {
                    c.copy(got, rest, 1);
                    c.fitting(part, pool, got);
                    c.emit(Instr::Op { op: Op::Concat, dst: found, a: found, b: got, n: 1 });
                    c.fitting(&part.opposite(), pool, rest);
                }
                // dice fall in the order of their places
                c.emit(Instr::SortBy { list: found, keys: found, width: 1, n: 1 });
                c.copy(which, found, 1);
            }),
            Asked::Face(..) | Asked::Plain(..) => self.scoped(|c| {
                let length = c.take(1);
                c.emit(Instr::Length { dst: length, list: which });
                let none = c.emit(Instr::JumpCompareConst { op: Op::Eq, a: length, value: 0, to: 0 });
                match asked {
                    Asked::Face(op, than) => {
                        let than = c.value(than);
                        c.emit(Instr::Which { dst: which, list: pool, among: which, op: *op, than });
                    }
                    Asked::Plain(condition, holds) => {
                        let fits = if *holds { c.unless(condition) } else { c.when(condition) };
                        let all = c.jump();
                        c.aim_all(fits);
                        c.emit(Instr::NewList { dst: which });
                        c.aim(all);
                    }
                    Asked::All(_) | Asked::Any(_) => {}
                }
                c.aim(none);
            }),
        }
    }
}
