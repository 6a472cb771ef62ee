//! Distinguishes numbers of the same type with different meanings: counts and percentages, directions and turns.
//!
//! A percentage is a share of something. In a comparison with a whole number (`u.losses > 50%`) it would mean the
//! number one half, which no designer intends. The checker therefore rejects the combination. A share of a whole number
//! (`u.men * 50%`) is a number again. A direction wraps at 360 degrees: 350 is to the left of 10, so `<` between
//! directions has no meaning.

use super::super::code::{Body, Expr, ExprKind};
use super::body::BodyChecker;
use crate::merge::head::short_text;
use crate::ruleset::FieldSort;
use grognard_base::value::*;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, PatternKind};

/// Maximum depth of definitions that are followed to determine what a value measures.
const DEEPEST: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// A number of things, or a share of such a number.
    Number,
    /// A percentage.
    Share,
    /// Either of the two: a quotient, 0 or 1.
    Either,
}

impl Measure {
    /// Returns what a sum, a choice or a comparison of the two measures.
    fn with(self, other: Measure) -> Measure {
        if self == Measure::Either { other } else { self }
    }
}

impl BodyChecker<'_, '_> {
    /// Reports a whole number with a percentage, and returns whether it did. `done` names the operation, such as
    /// "compared".
    pub fn share_beside_number(&mut self, a: &Expr, b: &Expr, done: &str, span: Span) -> bool {
        let (x, y) = (self.measure(a, DEEPEST), self.measure(b, DEEPEST));
        let half = |e: &Expr| matches!(e.kind, ExprKind::ConstRatio(n, d) if 0 < n && n < d) && done == "compared";
        let (number, share) = match (x, y) {
            (Measure::Number, Measure::Share) => (a, b),
            (Measure::Share, Measure::Number) => (b, a),
            (Measure::Number, _) if half(b) => (a, b),
            (_, Measure::Number) if half(a) => (b, a),
            _ => return false,
        };
        let called = |e: &Expr| self.called(e).unwrap_or_else(|| self.as_written(e));
        let (name, percent) = (called(number), called(share));
        let whole = self.whole_of(number).unwrap_or_else(|| "u.men".into());
        let message = format!("`{name}` is a whole number and `{percent}` a share; they cannot be {done}");
        let plain = match &share.kind {
            ExprKind::ConstRatio(n, d) if 100 % d == 0 && self.percents.contains(&share.span) => {
                format!("; for the number {0} write `{0}`", n * (100 / d))
            }
            _ => String::new(),
        };
        let help = format!("write what it is a share of: a share of `{whole}` is `{whole} * {percent}`{plain}");
        self.say_help(Code::Units, span, message, help);
        true
    }

    /// Returns whether a value is a percentage as written, such as `50%`.
    pub fn is_percentage(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::ConstRatio(..)) && self.percents.contains(&e.span)
    }

    /// Reports a percentage in place of a whole number. It must be a share of something.
    pub fn lone_share(&mut self, share: &Expr) {
        let percent = self.as_written(share);
        let plain = match &share.kind {
            ExprKind::ConstRatio(n, d) if 100 % d == 0 => format!("; for the number {0} write `{0}`", n * (100 / d)),
            _ => String::new(),
        };
        let message = format!("expected a whole number, found `{percent}`, a share");
        let help = format!("write what it is a share of: `u.men * {percent} rounded down`{plain}");
        self.say_help(Code::Units, share.span, message, help);
    }

    /// Reports percentages in a row for a whole number, and returns whether there are any. It reports them once
    /// per match or table.
    pub fn shares_of_number(&mut self, p: &tree::Pattern, of: &Expr) -> bool {
        if !matches!(of.ty.present(), Type::Int(_)) {
            return false;
        }
        let bounds: &[&tree::Expr] = match &p.kind {
            PatternKind::Over(low, Some(high)) | PatternKind::To(low, high, _) => &[low, high],
            PatternKind::Over(one, None)
            | PatternKind::Under(one)
            | PatternKind::AtLeast(one)
            | PatternKind::AtMost(one)
            | PatternKind::Value(one) => &[one],
            _ => return false,
        };
        let percent = |e: &&&tree::Expr| matches!(&e.kind, tree::ExprKind::Number(n) if n.unit == tree::Unit::Percent);
        let Some(share) = bounds.iter().find(percent) else { return false };
        let percent = short_text(share);
        let key = matches!(of.kind, ExprKind::Const(_));
        let name = if key { None } else { self.called(of) };
        let subject = name.clone().map_or_else(|| "this".to_string(), |name| format!("`{name}`"));
        let message = format!("{subject} is a whole number, and `{percent}` is a share");
        let help = match (key, name) {
            (true, _) => {
                "use a key of the type `Ratio` for a table of shares, and call it with one: `t(u.losses / u.men)`"
                    .into()
            }
            (false, name) => {
                let number = self.number_text(of).or(name).unwrap_or_else(|| "n".into());
                let whole = self.whole_of(of).unwrap_or_else(|| "u.men".into());
                format!(
                    "write what it is a share of: `match {number} / {whole} {{` has rows of shares, such as `at least \
                     {percent}` of `{whole}`"
                )
            }
        };
        if self.told_shares.insert(if key { Span::default() } else { of.span }) {
            self.say_help(Code::Units, share.span, message, help);
        }
        true
    }

    /// Returns the text of a field with its thing, as in `u.losses`.
    fn number_text(&self, number: &Expr) -> Option<String> {
        let ExprKind::Field { thing, field, .. } = &without_widening(number).kind else { return None };
        Some(format!("{}.{}", self.called(thing)?, self.ck.rs.fields[field.at()].name))
    }

    /// Returns a percentage as written, or else the text for messages.
    fn as_written(&self, e: &Expr) -> String {
        match e.kind {
            ExprKind::ConstRatio(n, d) if d > 0 && 100 % d == 0 => format!("{}%", n * (100 / d)),
            _ => self.written(e),
        }
    }

    /// Returns the field that bounds a number from above, as in `state losses : 0..men`.
    fn whole_of(&self, number: &Expr) -> Option<String> {
        let ExprKind::Field { thing, field, .. } = &without_widening(number).kind else { return None };
        let high = self.ck.rs.fields[field.at()].high?;
        let Body::Value(Expr { kind: ExprKind::Field { field: bound, .. }, .. }) =
            &self.ck.rs.functions[high.at()].body
        else {
            return None;
        };
        let thing = self.called(thing).unwrap_or_else(|| "u".into());
        Some(format!("{thing}.{}", self.ck.rs.fields[bound.at()].name))
    }

    fn measure(&mut self, e: &Expr, deep: usize) -> Measure {
        if deep == 0 {
            return Measure::Either;
        }
        match (&e.kind, &e.ty) {
            (ExprKind::Const(0 | 1), _) | (ExprKind::ConstRatio(0 | 1, 1), _) => Measure::Either,
            (ExprKind::ConstRatio(..), _) if self.percents.contains(&e.span) => Measure::Share,
            (ExprKind::ConstRatio(_, 1), _) | (_, Type::Int(_)) => Measure::Number,
            (ExprKind::Setting(id), Type::Ratio) => match self.ck.rs.settings[id.at()].value[..] {
                [n, d] if 0 < n && n < d => Measure::Share,
                _ => Measure::Either,
            },
            (ExprKind::Local(id), Type::Ratio) => self
                .shares
                .get(id)
                .map_or(Measure::Either, |share| if *share { Measure::Share } else { Measure::Number }),
            (ExprKind::Field { field, .. }, Type::Ratio) => {
                let field = &self.ck.rs.fields[field.at()];
                let of = if let FieldSort::Let(func) = field.sort { Some(func) } else { field.default };
                of.map_or(Measure::Either, |func| self.measure_of(func, deep))
            }
            (ExprKind::Call { func, .. }, Type::Ratio) => self.measure_of(*func, deep),
            (ExprKind::If { arms, otherwise }, _) => {
                let last = self.measure(otherwise, deep - 1);
                arms.iter().fold(last, |all, (_, value)| all.with(self.measure(value, deep - 1)))
            }
            (ExprKind::Otherwise(a, b), _) => self.measure(a, deep - 1).with(self.measure(b, deep - 1)),
            (ExprKind::Op(op, args), _) => self.measure_of_op(*op, args, deep - 1),
            _ => Measure::Either,
        }
    }

    fn measure_of_op(&mut self, op: Op, args: &[Expr], deep: usize) -> Measure {
        let parts: Vec<Measure> = args.iter().map(|arg| self.measure(arg, deep)).collect();
        match (op, parts.as_slice()) {
            (Op::ToRatio | Op::NegRatio, [one]) => *one,
            (Op::AddRatio | Op::SubRatio | Op::MinRatio | Op::MaxRatio, all) => {
                all.iter().copied().fold(Measure::Either, Measure::with)
            }
            (Op::MulRatio, [a, b]) if a == b => *a,
            (Op::MulRatio, [Measure::Number, Measure::Share] | [Measure::Share, Measure::Number]) => Measure::Number,
            (Op::DivRatio, [Measure::Share, Measure::Number | Measure::Either]) => Measure::Share,
            (Op::DivRatio, [Measure::Number, Measure::Share]) => Measure::Number,
            _ => Measure::Either,
        }
    }

    /// Returns what the result of a function measures. A result that depends on local fractions is [`Measure::Either`].
    fn measure_of(&mut self, func: FuncId, deep: usize) -> Measure {
        if self.ck.is_doing(func) {
            return Measure::Either;
        }
        self.ck.ensure(func);
        let Some(Body::Value(value)) = self.ck.rs.functions.get(func.at()).map(|f| f.body.clone()) else {
            return Measure::Either;
        };
        if matches!(value.kind, ExprKind::ConstRatio(n, d) if 0 < n && n < d) {
            return Measure::Share;
        }
        if mentions_local(&value) { Measure::Either } else { self.measure(&value, deep - 1) }
    }

    /// Records whether a variable holds a percentage, a difference or a direction.
    pub fn note_measure(&mut self, local: LocalId, value: &Expr) {
        if self.is_signed_difference(value) {
            self.differences.insert(local);
        }
        if value.ty == Type::Angle && self.is_direction(value, DEEPEST) {
            self.directions.insert(local);
        }
        if value.ty == Type::Ratio {
            match self.measure(value, DEEPEST) {
                Measure::Share => self.shares.insert(local, true),
                Measure::Number => self.shares.insert(local, false),
                Measure::Either => None,
            };
        }
    }

    /// Reports a comparison of two angles if one is a direction or the difference of two. Returns whether it did.
    pub fn wraps(&mut self, a: &Expr, b: &Expr, span: Span) -> bool {
        let Some(direction) = [a, b].into_iter().find(|e| self.is_direction(e, DEEPEST)) else { return false };
        // an expectation can state the angles between which a thing faces
        if self.loose
            && [a, b].iter().any(|e| matches!(e.kind, ExprKind::Const(_)))
            && !matches!(direction.kind, ExprKind::Op(Op::SubAngle, _))
        {
            return false;
        }
        self.wrapped(direction, "`<` and `>` between directions are not meaningful", span);
        true
    }

    /// Reports a ranking by a direction or the difference of two, and returns whether it did. `rendered` is the reason for
    /// the message.
    pub fn wraps_in(&mut self, value: &Expr, rendered: &str, span: Span) -> bool {
        let found = *value.ty.present() == Type::Angle && !self.loose && self.is_direction(value, DEEPEST);
        if found {
            self.wrapped(value, rendered, span);
        }
        found
    }

    fn wrapped(&mut self, direction: &Expr, rendered: &str, span: Span) {
        let message = format!("directions wrap at 360°, so {rendered}");
        let help = match &direction.kind {
            ExprKind::Op(Op::SubAngle, args) => {
                let [x, y] = [0, 1].map(|at| args.get(at).map_or_else(|| "a".into(), |e| self.source(e)));
                format!("use `turn_between({x}, {y})` for the smaller turn between the two, 0° to 180°, to either side")
            }
            _ => "use `turn_between(a, b)` for the smaller turn between two directions, 0° to 180°; use `in_arc(m, o, \
                 45°)` for an arc to either side of a front"
                .into(),
        };
        self.say_help(Code::Units, span, message, help);
    }

    /// Returns whether the value is an angle that gives a bearing or a facing, or is computed from one.
    fn is_direction(&mut self, e: &Expr, deep: usize) -> bool {
        if deep == 0 {
            return false;
        }
        match &e.kind {
            ExprKind::Facing(_) | ExprKind::Op(Op::Bearing | Op::Ahead | Op::Rear | Op::SubAngle, _) => true,
            ExprKind::Op(Op::AddAngle, args) => args.iter().any(|arg| self.is_direction(arg, deep - 1)),
            ExprKind::If { arms, otherwise } => {
                self.is_direction(otherwise, deep - 1) || arms.iter().any(|(_, v)| self.is_direction(v, deep - 1))
            }
            ExprKind::Local(local) => self.directions.contains(local),
            ExprKind::Field { field, .. } => match self.ck.rs.fields[field.at()].sort {
                FieldSort::Let(func) if e.ty == Type::Angle => self.gives_direction(func, deep),
                _ => false,
            },
            ExprKind::Call { func, .. } if e.ty == Type::Angle => self.gives_direction(*func, deep),
            _ => false,
        }
    }

    fn gives_direction(&mut self, func: FuncId, deep: usize) -> bool {
        if self.ck.is_doing(func) {
            return false;
        }
        self.ck.ensure(func);
        let Some(Body::Value(value)) = self.ck.rs.functions.get(func.at()).map(|f| f.body.clone()) else {
            return false;
        };
        // local ids of that function are unrelated to those of this body
        let own = std::mem::take(&mut self.directions);
        let found = self.is_direction(&value, deep - 1);
        self.directions = own;
        found
    }

    /// Reports a negative difference of known angles.
    pub fn angle_below_zero(&mut self, a: &Expr, b: &Expr, span: Span) {
        let known = |e: &Expr| match e.kind {
            ExprKind::Const(n) => Some(n),
            ExprKind::Setting(id) => self.ck.rs.settings[id.at()].value.first().copied(),
            _ => None,
        };
        if let (Some(x), Some(y)) = (known(a), known(b))
            && x < y
        {
            let message = "this angle is below 0°, but an angle must be 0° to 360°";
            self.say_help(Code::Units, span, message, "turn by 315° to turn to the left by 45°");
        }
    }

    /// Returns the text of a value for a help line.
    fn source(&self, e: &Expr) -> String {
        self.called(e).unwrap_or_else(|| self.written(e))
    }
}

fn without_widening(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Op(Op::ToRatio, args) => args.first().unwrap_or(e),
        _ => e,
    }
}

/// Returns whether a value reads a variable of its own function.
fn mentions_local(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => e.ty == Type::Ratio,
        ExprKind::Op(_, args) => args.iter().any(mentions_local),
        ExprKind::If { arms, otherwise } => mentions_local(otherwise) || arms.iter().any(|(_, v)| mentions_local(v)),
        _ => false,
    }
}
