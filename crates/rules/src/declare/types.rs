//! Resolves written types, including the known ranges of bounds.

use super::names::BUILTIN_TYPES;
use super::{Declarer, ParamDecl};
use crate::index::Means;
use crate::ruleset::TypeName;
use grognard_base::value::*;
use grognard_base::{Code, did_you_mean};
use grognard_syntax::tree::{self, Expr, ExprKind, Formal, Name, TypeExpr, TypeExprKind, Unit};

/// Maximum number of bounds that a range is followed through.
const BOUND_DEPTH: usize = 8;

impl<'a> Declarer<'a, '_> {
    /// Resolves a written type. Its bounds can name fields of `kind`.
    pub fn resolve(&mut self, ty: &TypeExpr, kind: Option<KindId>) -> Type {
        let inner = match &ty.kind {
            TypeExprKind::Named(name) => self.resolve_name(name),
            TypeExprKind::List(name) => match self.resolve_name(name) {
                Type::Unknown => Type::Unknown,
                inner => inner.list(),
            },
            TypeExprKind::Bounded { low, high } => {
                if let (Some(a), Some(b)) = (literal(low), high.as_ref().and_then(literal))
                    && a > b
                {
                    self.say(Code::WrongType, ty.span, "these bounds are in the wrong order");
                }
                if is_length(low) || high.as_ref().is_some_and(is_length) {
                    Type::Length
                } else {
                    Type::Int(self.written_range(ty, kind, 0))
                }
            }
        };
        if ty.optional { inner.optional() } else { inner }
    }

    fn resolve_name(&mut self, name: &Name) -> Type {
        if let Some(plain) = Type::named(&name.text) {
            return plain;
        }
        if name.text == "Shifted" {
            return self.the_shifted(name);
        }
        let found = self.c.rs.names.types.get(&name.text).copied();
        if let Some(found) = found {
            self.c.means(name.span, || Means::Type(found));
        }
        match found {
            Some(TypeName::Enum(id)) => Type::Enum(id),
            Some(TypeName::Chain(id)) => Type::Chain(id),
            Some(TypeName::Die(id)) => Type::Faces(id),
            Some(TypeName::Record(id)) => Type::Record(id),
            Some(TypeName::Kind(id)) => Type::Kind(id),
            None => self.unknown_type(name),
        }
    }

    /// Resolves `Shifted`, which needs no chain name if there is exactly one chain.
    fn the_shifted(&mut self, name: &Name) -> Type {
        if self.c.rs.chains.len() == 1 {
            return Type::Shifted(ChainId(0));
        }
        self.say(Code::NeedType, name.span, "`Shifted` has no chain here; omit the type");
        Type::Unknown
    }

    fn unknown_type(&mut self, name: &Name) -> Type {
        let aliases = [
            ("int", "Int"),
            ("Integer", "Int"),
            ("Bool", "Flag"),
            ("Number", "Int"),
            ("Float", "Ratio"),
            ("Double", "Ratio"),
            ("Decimal", "Ratio"),
            ("Fraction", "Ratio"),
            ("Percent", "Ratio"),
            ("Boolean", "Flag"),
            ("Text", "a title"),
            ("String", "a title"),
        ];
        let hint = match aliases.iter().find(|(wrong, _)| *wrong == name.text) {
            Some((_, right)) => format!("; did you mean `{right}`?"),
            None => {
                let known = self.c.rs.names.types.keys().map(String::as_str);
                did_you_mean(&name.text, known.chain(BUILTIN_TYPES.iter().copied()))
            }
        };
        self.say(Code::UnknownType, name.span, format!("there is no type `{}`{hint}", name.text));
        Type::Unknown
    }

    /// Returns the range of a written type, followed through the fields that its bounds name.
    fn written_range(&self, ty: &TypeExpr, kind: Option<KindId>, depth: usize) -> Range {
        let TypeExprKind::Bounded { low, high } = &ty.kind else { return Range::ALL };
        let low = self.bound_range(low, kind, depth).map_or(Range::ALL.low, |r| r.low);
        let high = high.as_ref().and_then(|h| self.bound_range(h, kind, depth)).map_or(Range::ALL.high, |r| r.high);
        Range::new(low, high.max(low))
    }

    /// Returns the possible values of a bound, or `None` if they are unknown.
    fn bound_range(&self, bound: &Expr, kind: Option<KindId>, depth: usize) -> Option<Range> {
        if depth > BOUND_DEPTH {
            return None;
        }
        match &bound.kind {
            ExprKind::Number(n) => {
                let value = n.thousandths / 1000;
                Some(Range::new(value, value))
            }
            ExprKind::Neg(x) => self.bound_range(x, kind, depth).map(|r| Range::new(-r.high, -r.low)),
            ExprKind::Paren(x) => self.bound_range(x, kind, depth),
            ExprKind::Name(name) => {
                let ty = self.written.get(&(kind?, name.clone()))?;
                matches!(ty.kind, TypeExprKind::Bounded { .. }).then(|| self.written_range(ty, kind, depth + 1))
            }
            _ => None,
        }
    }

    /// Resolves the types of parameters or record fields. Each needs a type.
    pub fn formals(&mut self, formals: &'a [Formal], kind: Option<KindId>) -> Vec<ParamDecl> {
        let mut found: Vec<ParamDecl> = Vec::with_capacity(formals.len());
        for formal in formals {
            if let Some(first) = found.iter().find(|p| p.0 == formal.name.text) {
                let (message, at) = (format!("two of these have the name `{}`", formal.name.text), first.2);
                self.say_two(Code::Twice, formal.name.span, message, at, "first declared here");
            }
            if let Some(default) = &formal.default {
                let message = format!("a parameter cannot have a default value, and `{}` has one", formal.name.text);
                let help = "give the value in each call; a value that rarely changes can be a `param` of the rules";
                self.say_help(Code::Syntax, default.span, message, help.to_string());
            }
            let ty = self.formal_type(formal, kind);
            found.push((formal.name.text.clone(), ty, formal.name.span));
        }
        found
    }

    fn formal_type(&mut self, formal: &Formal, kind: Option<KindId>) -> Type {
        match &formal.ty {
            Some(ty) => self.resolve(ty, kind),
            None => {
                let message = format!("`{}` needs a type, as in `{}: Int`", formal.name.text, formal.name.text);
                self.say(Code::NeedType, formal.name.span, message);
                Type::Unknown
            }
        }
    }

    /// Resolves the fields of a record or event. Lists are not allowed.
    pub fn record_fields(&mut self, formals: &'a [Formal]) -> Vec<(String, Type)> {
        let params = self.formals(formals, None);
        for (name, ty, span) in &params {
            if matches!(ty.present(), Type::List(_)) {
                self.say(
                    Code::WrongType,
                    *span,
                    format!("`{name}` is a list; records and events cannot contain lists"),
                );
            }
        }
        params.into_iter().map(|(name, ty, _)| (name, ty)).collect()
    }

    /// Returns the number of cases of a key type, or `None` for another type.
    pub fn case_count(&self, ty: &Type) -> Option<i64> {
        match ty {
            Type::Enum(id) => Some(self.c.rs.enums[id.at()].cases.len() as i64),
            Type::Chain(id) => Some(self.c.rs.chains[id.at()].dice.len() as i64),
            _ => None,
        }
    }
}

/// Returns whether a bound is written in inches.
pub(crate) fn is_length(bound: &Expr) -> bool {
    match &bound.kind {
        ExprKind::Number(n) => n.unit == Unit::Inches,
        ExprKind::Neg(x) | ExprKind::Paren(x) => is_length(x),
        _ => false,
    }
}

/// Returns a literal bound in cell units, or `None` if it is not a literal.
pub(crate) fn literal(bound: &tree::Expr) -> Option<i64> {
    match &bound.kind {
        ExprKind::Number(n) if n.unit == Unit::Inches => Some(n.thousandths),
        ExprKind::Number(n) => Some(n.thousandths / 1000),
        ExprKind::Neg(x) => literal(x).map(|n| -n),
        ExprKind::Paren(x) => literal(x),
        _ => None,
    }
}
