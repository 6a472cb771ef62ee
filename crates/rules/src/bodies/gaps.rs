//! Coverage check: translates checked rows to bands, and reports gaps and overlaps.

use super::super::code::{Expr, ExprKind, Pat};
use super::body::BodyChecker;
use crate::ruleset::FieldSort;
use crate::wording::exact_words;
use grognard_base::value::bands::{Bound, Domain, Edge, Row, Shape, Verdict, judge};
use grognard_base::value::*;
use grognard_base::{Code, Diagnostic, Span};

/// Number of cases of a Met before the kinds: `none` and the edge.
const MET: usize = 2;

/// A row as bands, with its span.
pub(super) struct Judged {
    pub row: Row,
    pub span: Span,
}

impl BodyChecker<'_, '_> {
    /// Translates a row of patterns to bands.
    pub fn judged(&self, patterns: &[Pat], ty: &Type, guarded: bool, is_else: bool, span: Span) -> Judged {
        let shapes = patterns.iter().flat_map(|p| self.shapes(p, ty)).collect();
        Judged { row: Row { shapes, guarded, is_else }, span }
    }

    /// Reports values without a row (if `gaps`) and values with two rows. `what` is the name of the subject.
    pub fn judge_rows(&mut self, domain: &Domain, rows: Vec<Judged>, first: bool, gaps: bool, what: &str, span: Span) {
        let spans: Vec<Span> = rows.iter().map(|r| r.span).collect();
        let rows: Vec<Row> = rows.into_iter().map(|r| r.row).collect();
        let verdict = judge(domain, &rows, first);
        if gaps {
            self.say_gaps(domain, &verdict, what, span);
        }
        for (one, two, witness) in &verdict.overlaps {
            let value = witness.describe(domain);
            let finding = Diagnostic::new(Code::Overlap, spans[*two], format!("two rows cover {value}"));
            let finding = finding.label("here").and(spans[*one], "and here");
            let table = "narrow one of the rows: rows and heads of a table are not ordered, and each key must be \
                         covered once";
            self.report(if what.is_empty() { finding } else { finding.help(table) });
        }
        for row in &verdict.dead {
            self.say(Code::Dead, spans[*row], "this row never applies: the rows above cover all its values");
        }
        if verdict.needs_first {
            let message = "these bounds are known only in play, so it cannot be checked that every value has one row";
            self.say(Code::NeedsFirst, span, message);
        }
    }

    fn say_gaps(&mut self, domain: &Domain, verdict: &Verdict, what: &str, span: Span) {
        if verdict.gaps.is_empty() {
            return;
        }
        let values: Vec<String> = verdict.gaps.iter().map(|g| g.describe(domain)).collect();
        let message = match (values.as_slice(), what) {
            ([one], "") => format!("no case covers {one}"),
            (_, "") => format!("no case covers {}", values.join(", nor ")),
            (_, table) => format!("table {table} has no {}", values.join(", nor ")),
        };
        self.say(Code::Gap, span, message);
    }

    /// Returns the set of values of a type.
    pub fn domain(&self, ty: &Type) -> Domain {
        let kept = |n: i64| Some(n).filter(|n| Range::ALL.low < *n && *n < Range::ALL.high);
        match ty {
            Type::Int(r) => Domain::Int { lo: kept(r.low), hi: kept(r.high) },
            Type::Die => Domain::Int { lo: Some(1), hi: None },
            Type::Flag => Domain::Flag,
            Type::Length => Domain::Length { lo: None, hi: None },
            Type::Angle => Domain::Angle,
            Type::Ratio => Domain::Ratio,
            Type::Enum(id) => Domain::Cases(self.ck.rs.enums[id.at()].cases.clone()),
            Type::Chain(id) => Domain::Dice(self.ck.rs.chains[id.at()].dice.clone()),
            Type::Shifted(id) => {
                Domain::Past { chain: self.ck.rs.chains[id.at()].dice.clone(), top: true, bottom: true }
            }
            Type::Optional(inner) => Domain::Optional(Box::new(self.domain(inner))),
            Type::Tuple(parts) => Domain::Tuple(parts.iter().map(|t| self.domain(t)).collect()),
            Type::Met => {
                let mut cases = vec!["none".to_string(), "the table edge".to_string()];
                cases.extend(self.ck.rs.kinds.iter().map(|k| format!("a {}", k.name)));
                Domain::Cases(cases)
            }
            Type::Faces(_) | Type::Kind(_) | Type::Record(_) | Type::Place | Type::Route => Domain::Opaque,
            Type::Leg | Type::List(_) | Type::Nothing | Type::Unknown => Domain::Opaque,
        }
    }

    /// Returns the set of values of the subject of a match. For a shifted die, it includes the ends that the die can
    /// pass.
    pub fn subject_domain(&self, subject: &Expr) -> Domain {
        match (&subject.ty, &subject.kind) {
            (Type::Shifted(id), _) => {
                let (top, bottom) = self.ends(subject, &[]);
                Domain::Past { chain: self.ck.rs.chains[id.at()].dice.clone(), top, bottom }
            }
            (_, ExprKind::Make(parts)) => Domain::Tuple(parts.iter().map(|p| self.subject_domain(p)).collect()),
            _ => self.domain(&subject.ty),
        }
    }

    /// Returns whether a die can be past the top and past the bottom. If the shift is unknown, it can be past both.
    /// `calls` are the functions whose bodies contain the value, innermost last.
    fn ends(&self, value: &Expr, calls: &[FuncId]) -> (bool, bool) {
        let both = |a: (bool, bool), b: (bool, bool)| (a.0 || b.0, a.1 || b.1);
        let on_chain = |ty: Option<&Type>| matches!(ty, Some(Type::Chain(_)));
        let functions = &self.ck.rs.functions;
        match &value.kind {
            _ if on_chain(Some(&value.ty)) => (false, false),
            ExprKind::Op(how @ (Op::Up | Op::Down), args) => {
                let [die, by] = args.as_slice() else { return (true, true) };
                let (more, less) = match by.ty {
                    Type::Int(r) => (r.high > 0, r.low < 0),
                    _ => (true, true),
                };
                both(self.ends(die, calls), if *how == Op::Up { (more, less) } else { (less, more) })
            }
            ExprKind::Const(_) | ExprKind::Setting(_) => (false, false),
            ExprKind::Local(id) => match calls.last() {
                None if on_chain(self.locals.get(id.at()).map(|l| &l.ty)) => (false, false),
                None => self.shifts.get(id).copied().unwrap_or((true, true)),
                Some(func) => {
                    let ty = functions.get(func.at()).and_then(|f| f.locals.get(id.at())).map(|l| &l.ty);
                    (!on_chain(ty), !on_chain(ty))
                }
            },
            ExprKind::If { arms, otherwise } => {
                arms.iter().fold(self.ends(otherwise, calls), |all, (_, v)| both(all, self.ends(v, calls)))
            }
            ExprKind::Match { rows, .. } => {
                rows.iter().fold((false, false), |all, row| both(all, self.ends(&row.value, calls)))
            }
            ExprKind::Call { func, .. } => self.ends_of(*func, calls),
            ExprKind::Field { field, .. } => match self.ck.rs.fields[field.at()].sort {
                FieldSort::Let(func) => self.ends_of(func, calls),
                _ => (false, false),
            },
            _ => (true, true),
        }
    }

    /// Like [`BodyChecker::ends`], for the result of a function. Its body is already checked, because the type of a
    /// shifted die is inferred from it.
    fn ends_of(&self, func: FuncId, calls: &[FuncId]) -> (bool, bool) {
        match self.ck.rs.functions.get(func.at()) {
            Some(f) if matches!(f.result, Type::Chain(_)) => (false, false),
            Some(f) if calls.len() < 8 => match &f.body {
                super::super::code::Body::Value(inner) => self.ends(inner, &[calls, &[func]].concat()),
                _ => (true, true),
            },
            _ => (true, true),
        }
    }

    /// Records the ends of the chain that the value of a variable can pass.
    pub fn note_ends(&mut self, to: LocalId, value: &Expr) {
        if matches!(value.ty, Type::Shifted(_)) {
            let ends = self.ends(value, &[]);
            self.shifts.insert(to, ends);
        }
    }

    /// Translates a pattern to bands. A die on its chain matches each of its dice.
    fn shapes(&self, p: &Pat, ty: &Type) -> Vec<Shape> {
        match (p, ty) {
            (Pat::OnChain(_), Type::Shifted(id)) => {
                (0..self.ck.rs.chains[id.at()].dice.len()).map(Shape::Case).collect()
            }
            _ => vec![self.shape(p, ty)],
        }
    }

    fn shape(&self, p: &Pat, ty: &Type) -> Shape {
        match p {
            Pat::Any => Shape::Any,
            Pat::None if *ty == Type::Met => Shape::Case(0),
            Pat::MetEdge => Shape::Case(1),
            Pat::MetKind(kind, _) => Shape::Case(MET + kind.at()),
            Pat::None => Shape::None,
            Pat::Some(_) if matches!(ty, Type::Optional(_)) => Shape::Some,
            Pat::Some(_) => Shape::Any,
            Pat::OnChain(_) => Shape::Some,
            Pat::Present(inner) => self.shape(inner, ty.present()),
            Pat::Past { top, .. } => Shape::Past { top: *top },
            Pat::Equal(value) => self.single(value, ty),
            Pat::Between { low, high } => Shape::Interval { lo: self.end(low, ty), hi: self.end(high, ty) },
            Pat::Tuple(rows) => {
                let types: &[Type] = match ty {
                    Type::Tuple(types) => types,
                    _ => &[],
                };
                let part = |at: usize, p: &Pat| self.shapes(p, types.get(at).unwrap_or(&Type::Unknown));
                Shape::Tuple(
                    rows.iter().enumerate().map(|(at, row)| row.iter().flat_map(|p| part(at, p)).collect()).collect(),
                )
            }
        }
    }

    fn single(&self, value: &Expr, ty: &Type) -> Shape {
        match (ty, &value.kind) {
            (Type::Flag | Type::Enum(_) | Type::Chain(_) | Type::Shifted(_), ExprKind::Const(n)) => {
                Shape::Case(usize::try_from(*n).unwrap_or(0))
            }
            (Type::Int(_) | Type::Length | Type::Angle | Type::Ratio | Type::Die, _) => {
                Shape::value(self.edge(value, ty))
            }
            _ => Shape::Unknown(self.written(value)),
        }
    }

    fn end(&self, bound: &Option<(Expr, bool)>, ty: &Type) -> Bound {
        match bound {
            None => Bound::Unbounded,
            Some((value, true)) => Bound::Included(self.edge(value, ty)),
            Some((value, false)) => Bound::Excluded(self.edge(value, ty)),
        }
    }

    fn edge(&self, value: &Expr, ty: &Type) -> Edge {
        match (&value.kind, ty) {
            (ExprKind::Const(step), Type::Chain(id) | Type::Shifted(id)) => {
                let sides = usize::try_from(*step).ok().and_then(|at| self.ck.rs.chains[id.at()].dice.get(at).copied());
                Edge::whole(i64::from(sides.unwrap_or(0)))
            }
            (ExprKind::Const(n), _) => Edge::whole(*n),
            (ExprKind::ConstRatio(n, d), _) => match Ratio::new(*n, *d) {
                Some(ratio) => Edge::At(ratio),
                None => Edge::Written(format!("{n}/{d}")),
            },
            _ => Edge::Written(self.written(value)),
        }
    }

    /// Returns the text of a value that is known only in play. Equal texts imply equal values.
    pub fn written(&self, value: &Expr) -> String {
        let name = |id: LocalId| match self.locals[id.at()].name.as_str() {
            "" => Some(format!("#{}", id.0)),
            name => Some(name.to_string()),
        };
        exact_words(&self.ck.rs, &name, value).unwrap_or_else(|| format!("{:?}", value.span))
    }
}
