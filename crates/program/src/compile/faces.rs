//! Conditions on the faces of dice: they part a pool into classes of faces, whatever place a die lies at.

use super::*;
use grognard_rules::code::ExprKind;

/// What a condition asks of the faces of dice, and whatever else does not hang on a die.
pub(super) enum Asked<'a> {
    /// How a face compares with a value.
    Face(Op, &'a Expr),
    /// The same of all dice: that a condition holds, or not.
    Plain(&'a Expr, bool),
    All(Vec<Asked<'a>>),
    Any(Vec<Asked<'a>>),
}

/// What it asks that a condition holds, or that it does not; none if it reads more of a die than its face.
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
    /// Comparisons of the face that all have to hold, if they are the same whatever dice lie in `pool`. What is asked of
    /// nothing in it held for the dice that fit, and does so again.
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
    /// Leaves of the places in a register those of dice of a pool that fit. Nothing is worked out where no place is left.
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
