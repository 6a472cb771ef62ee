//! Checks patterns and their bindings.

use super::super::code::{Expr, ExprKind, Pat};
use super::body::{BodyChecker, unknown};
use crate::index::Means;
use crate::merge::head::short_text;
use crate::ruleset::TypeName;
use grognard_base::value::*;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{self, ExprKind as Tree, Name, PatternKind};

/// The rounding that the help suggests for a fractional bound: `UP` for `under` and `at least`, `DOWN` for `over` and
/// `at most`.
const UP: &str = "rounded up";
const DOWN: &str = "rounded down";

/// Type of the number of steps by which a shifted die is past its end.
const BEYOND: Type = Type::Int(Range { low: 1, high: Range::ALL.high });

impl BodyChecker<'_, '_> {
    /// Checks a pattern for a value. Its bindings are in scope afterwards.
    pub fn pattern(&mut self, p: &tree::Pattern, of: &Expr) -> Pat {
        if self.shares_of_number(p, of) {
            return self.pattern_blind(p);
        }
        let is_band = matches!(
            p.kind,
            PatternKind::Over(..)
                | PatternKind::Under(_)
                | PatternKind::AtLeast(_)
                | PatternKind::AtMost(_)
                | PatternKind::To(..)
        );
        if is_band && self.wraps_in(of, "bands of directions are not meaningful", p.span) {
            return self.pattern_blind(p);
        }
        let parts = match &of.kind {
            ExprKind::Make(parts) => parts.as_slice(),
            _ => &[],
        };
        let climbs = self.climbs(of);
        self.pattern_on(p, &of.ty, parts, climbs)
    }

    fn pattern_on(&mut self, p: &tree::Pattern, ty: &Type, parts: &[Expr], climbs: bool) -> Pat {
        match (&p.kind, ty) {
            (PatternKind::Any | PatternKind::Else, _) => Pat::Any,
            (_, Type::Unknown) => self.pattern_blind(p),
            (_, Type::Optional(inner)) => self.pattern_optional(p, inner, parts, climbs),
            (_, Type::Met) => self.pattern_met(p),
            (_, Type::Shifted(chain)) => self.pattern_shifted(p, *chain),
            (PatternKind::Tuple(rows), Type::Tuple(types)) => self.pattern_tuple(p, rows, types, parts),
            (PatternKind::None | PatternKind::Some(_) | PatternKind::SomeAny | PatternKind::SomeKind { .. }, _) => {
                let message = "this value is never missing; `none` and `some` are for values that can be missing";
                self.say(Code::WrongType, p.span, message);
                self.pattern_blind(p)
            }
            (PatternKind::Kind { kind, bound }, Type::Kind(k)) => {
                self.same_kind(kind, *k);
                Pat::Some(Some(self.bind(bound, ty.clone(), false)))
            }
            (PatternKind::Past { .. }, _) => {
                self.say(Code::WrongType, p.span, "only a die shifted along its chain can be past its top or bottom");
                self.pattern_blind(p)
            }
            _ => self.pattern_band(p, ty),
        }
    }

    /// Checks an erroneous pattern, or one for a value of unknown type. It binds the names and disables the coverage
    /// check.
    fn pattern_blind(&mut self, p: &tree::Pattern) -> Pat {
        match &p.kind {
            PatternKind::Some(name)
            | PatternKind::SomeKind { bound: Some(name), .. }
            | PatternKind::Past { bound: Some(name), .. }
            | PatternKind::Kind { bound: name, .. } => {
                self.bind(name, Type::Unknown, false);
            }
            PatternKind::Tuple(rows) => {
                for p in rows.iter().flatten() {
                    self.pattern_blind(p);
                }
            }
            _ => {}
        }
        Pat::Equal(unknown(p.span))
    }

    fn pattern_optional(&mut self, p: &tree::Pattern, inner: &Type, parts: &[Expr], climbs: bool) -> Pat {
        match &p.kind {
            PatternKind::None => Pat::None,
            PatternKind::SomeAny => Pat::Some(None),
            PatternKind::Some(name) => {
                let id = self.bind(name, inner.clone(), false);
                if climbs {
                    self.climbers.insert(id);
                }
                Pat::Some(Some(id))
            }
            PatternKind::SomeKind { kind, bound } => {
                match inner {
                    Type::Kind(k) => self.same_kind(kind, *k),
                    Type::Unknown => {}
                    ty => {
                        let ty = self.type_name(ty);
                        self.say(Code::WrongType, p.span, format!("this can be {ty}, but never a {}", kind.text));
                    }
                }
                let bound = bound.as_ref().map(|name| self.bind(name, inner.clone(), false));
                Pat::Some(bound)
            }
            _ => match self.pattern_on(p, inner, parts, climbs) {
                Pat::Any => Pat::Some(None),
                inner => Pat::Present(Box::new(inner)),
            },
        }
    }

    fn same_kind(&mut self, written: &Name, kind: KindId) {
        if self.kind_of(written).is_some_and(|k| k != kind) {
            let have = self.ck.rs.kinds[kind.at()].name.clone();
            self.say(Code::WrongType, written.span, format!("this is a {have}, and can never be a {}", written.text));
        }
    }

    fn kind_of(&mut self, name: &Name) -> Option<KindId> {
        if let Some(TypeName::Kind(id)) = self.ck.rs.names.types.get(&name.text).copied() {
            self.ck.means(name.span, || Means::Type(TypeName::Kind(id)));
            return Some(id);
        }
        let near = did_you_mean(&name.text, self.ck.rs.kinds.iter().map(|k| k.name.as_str()));
        self.wrong(Code::UnknownType, name.span, format!("there is no kind `{}`{near}", name.text))
    }

    fn pattern_met(&mut self, p: &tree::Pattern) -> Pat {
        match &p.kind {
            PatternKind::None => Pat::None,
            PatternKind::SomeAny => Pat::Some(None),
            PatternKind::SomeKind { kind, bound: None } if kind.text == "Edge" => Pat::MetEdge,
            PatternKind::Case { of: None, case } if case.text == "Edge" => Pat::MetEdge,
            PatternKind::SomeKind { kind, bound } => {
                let Some(id) = self.kind_of(kind) else { return self.pattern_blind(p) };
                let bound = bound.as_ref().map(|name| self.bind(name, Type::Kind(id), false));
                Pat::MetKind(id, bound)
            }
            PatternKind::Kind { kind, bound } => {
                let Some(id) = self.kind_of(kind) else { return self.pattern_blind(p) };
                Pat::MetKind(id, Some(self.bind(bound, Type::Kind(id), false)))
            }
            _ => {
                let message = "write `none`, `some Edge` or `some Kind(x)` for what a move met";
                self.say(Code::WrongType, p.span, message);
                self.pattern_blind(p)
            }
        }
    }

    fn pattern_shifted(&mut self, p: &tree::Pattern, chain: ChainId) -> Pat {
        match &p.kind {
            PatternKind::Past { top, bound } => {
                let local = bound.as_ref().map(|name| self.bind(name, BEYOND, false));
                Pat::Past { top: *top, local }
            }
            PatternKind::Some(name) => Pat::OnChain(Some(self.bind(name, Type::Chain(chain), false))),
            PatternKind::SomeAny => Pat::OnChain(None),
            _ => self.pattern_band(p, &Type::Chain(chain)),
        }
    }

    fn pattern_tuple(&mut self, p: &tree::Pattern, rows: &[Vec<tree::Pattern>], types: &[Type], parts: &[Expr]) -> Pat {
        if rows.len() != types.len() {
            self.say(
                Code::WrongType,
                p.span,
                format!("{} values are matched here, but the row has {}", types.len(), rows.len()),
            );
            return self.pattern_blind(p);
        }
        let mut made = Vec::new();
        for (at, (row, ty)) in rows.iter().zip(types).enumerate() {
            let climbs = parts.get(at).is_some_and(|part| self.climbs(part));
            made.push(row.iter().map(|p| self.pattern_on(p, ty, &[], climbs)).collect());
        }
        Pat::Tuple(made)
    }

    /// Checks a value, a case or a band.
    fn pattern_band(&mut self, p: &tree::Pattern, ty: &Type) -> Pat {
        match &p.kind {
            PatternKind::Over(low, high) => {
                let low = Some((self.bound(low, ty, DOWN), false));
                Pat::Between { low, high: high.as_ref().map(|h| (self.bound(h, ty, DOWN), true)) }
            }
            PatternKind::Under(high) => Pat::Between { low: None, high: Some((self.bound(high, ty, UP), false)) },
            PatternKind::AtLeast(low) => Pat::Between { low: Some((self.bound(low, ty, UP), true)), high: None },
            PatternKind::AtMost(high) => Pat::Between { low: None, high: Some((self.bound(high, ty, DOWN), true)) },
            PatternKind::To(low, high, under) => {
                let low = (self.bound(low, ty, UP), true);
                Pat::Between {
                    low: Some(low),
                    high: Some((self.bound(high, ty, if *under { UP } else { DOWN }), !under)),
                }
            }
            PatternKind::Value(value) => Pat::Equal(self.pattern_value(value, ty)),
            PatternKind::Case { of, case } => self.pattern_case(p.span, of.as_ref(), case, ty),
            PatternKind::Tuple(_) => {
                let ty = self.type_name(ty);
                self.say(
                    Code::WrongType,
                    p.span,
                    format!("{ty} is a single value; write `match (a, b) {{` to match several"),
                );
                self.pattern_blind(p)
            }
            PatternKind::Kind { .. } => {
                let ty = self.type_name(ty);
                self.say(Code::WrongType, p.span, format!("this is {ty}, not a thing of a kind"));
                self.pattern_blind(p)
            }
            PatternKind::Any | PatternKind::Else | PatternKind::None | PatternKind::Some(_) => Pat::Any,
            PatternKind::SomeAny | PatternKind::SomeKind { .. } | PatternKind::Past { .. } => Pat::Any,
        }
    }

    fn pattern_value(&mut self, value: &tree::Expr, ty: &Type) -> Expr {
        let value_made = self.expr(value, Some(ty));
        if value_made.ty == Type::Unknown {
            return value_made;
        }
        let made = self.fit(value_made, ty);
        if let (Type::Int(range), ExprKind::Const(n)) = (ty, &made.kind)
            && !(range.low..=range.high).contains(n)
        {
            self.say(
                Code::Dead,
                value.span,
                format!("{n} never occurs here; the values are from {} to {}", range.low, range.high),
            );
        }
        made
    }

    /// Checks the bound of a band. For a fractional bound of whole numbers, the help suggests `rounded`, which includes
    /// the same numbers.
    fn bound(&mut self, e: &tree::Expr, ty: &Type, rounded: &str) -> Expr {
        if !self.has_order(ty) {
            let name = self.type_name(ty);
            self.say(Code::NotOrdered, e.span, format!("values of {name} are not ordered, so they cannot have bands"));
        }
        if matches!(ty, Type::Int(_)) {
            let value = self.expr(e, Some(ty));
            if value.ty != Type::Ratio {
                return self.fit(value, ty);
            }
            let rendered = short_text(e);
            let message = format!("`{rendered}` can be a fraction, but the bands are whole numbers");
            let help =
                format!("write `({rendered}) {rounded}`: here it accepts the same whole numbers as the fraction");
            return self.wrong_help(Code::Fraction, e.span, message, help);
        }
        self.want(e, ty)
    }

    fn pattern_case(&mut self, span: Span, of: Option<&Name>, case: &Name, ty: &Type) -> Pat {
        let value = match of {
            Some(of) => {
                let kind = if super::types::is_upper(&of.text) { Tree::Upper } else { Tree::Name };
                let base = tree::Expr { kind: kind(of.text.clone()), span: of.span };
                let found = self.qualified(&base, case, span);
                let Some(found) = found else {
                    self.say(Code::UnknownType, of.span, format!("there is no enum or reading `{}`", of.text));
                    return Pat::Any;
                };
                found
            }
            None => self.upper(&case.text, Some(ty), span),
        };
        Pat::Equal(self.fit(value, ty))
    }
}
