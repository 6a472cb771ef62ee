//! Values, patterns and types to text.

use super::Out;
use crate::syntax::tree::*;

impl Out {
    pub(super) fn expr(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Number(n) => self.number(n),
            ExprKind::Dice { count, sides, bare } => {
                let text = if *bare { format!("d{sides}") } else { format!("{count}d{sides}") };
                self.put(&text);
            }
            ExprKind::Yes => {
                self.put("yes");
            }
            ExprKind::No => {
                self.put("no");
            }
            ExprKind::None => {
                self.put("none");
            }
            ExprKind::Name(name) | ExprKind::Upper(name) => {
                self.put(name);
            }
            ExprKind::Field(of, name) => {
                self.expr(of);
                self.put(".").name(name);
            }
            ExprKind::Call(of, args) => {
                self.expr(of);
                self.args(args);
            }
            ExprKind::Tuple(all) => self.bracketed("(", all, ")"),
            ExprKind::Paren(one) => self.bracketed("(", std::slice::from_ref(one.as_ref()), ")"),
            ExprKind::List(all) => self.bracketed("[", all, "]"),
            ExprKind::Neg(one) => self.word("-", one),
            ExprKind::Was(one) => self.word("was ", one),
            ExprKind::Not(one) => self.word("not ", one),
            ExprKind::Arith { first, rest } => {
                self.expr(first);
                for (op, next) in rest {
                    let sign = match op {
                        ArithOp::Add => " + ",
                        ArithOp::Sub => " - ",
                        ArithOp::Mul => " * ",
                        ArithOp::Div => " / ",
                    };
                    self.word(sign, next);
                }
            }
            ExprKind::Rounded { value, up } => {
                self.expr(value);
                self.put(if *up { " rounded up" } else { " rounded down" });
            }
            ExprKind::Shift { die, up, by } => {
                self.expr(die);
                self.word(if *up { " up " } else { " down " }, by);
            }
            ExprKind::And(all) => self.list(all, " and ", Out::expr),
            ExprKind::Or(all) => self.list(all, " or ", Out::expr),
            ExprKind::Otherwise(all) => self.list(all, " otherwise ", Out::expr),
            ExprKind::If { arms, otherwise } => self.if_value(arms, otherwise),
            ExprKind::Match(m) => self.match_of(m),
            ExprKind::Query { what, binds, filter, body } => {
                self.query(*what, binds, filter.as_deref(), body.as_deref())
            }
            ExprKind::PoolQuery { what, pool, op, than } => {
                self.put(what.word()).put(" ");
                self.expr(pool);
                self.put(compare(*op));
                self.expr(than);
            }
            _ => self.comparison(&value.kind),
        }
    }

    fn comparison(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Compare { left, op, right } => {
                self.expr(left);
                self.word(compare(*op), right);
            }
            ExprKind::Has { thing, no, name } => {
                self.expr(thing);
                self.put(if *no { " has no " } else { " has " }).name(name);
            }
            ExprKind::Is { value, not, pattern } => {
                self.expr(value);
                self.put(if *not { " is not " } else { " is " });
                self.pattern(pattern);
            }
            ExprKind::In { value, not, range } => {
                self.expr(value);
                self.put(if *not { " not in " } else { " in " });
                self.range(range);
            }
            ExprKind::Within { place, distance, of } => {
                self.expr(place);
                self.word(" within ", distance);
                self.word(" of ", of);
            }
            ExprKind::Sees { from, to } => {
                self.expr(from);
                self.word(" sees ", to);
            }
            _ => {}
        }
    }

    /// A word with its blanks, and the value behind it.
    pub(super) fn word(&mut self, word: &str, value: &Expr) {
        self.put(word);
        self.expr(value);
    }

    /// The same, if there is a value.
    pub(super) fn opt(&mut self, word: &str, value: Option<&Expr>) {
        if let Some(value) = value {
            self.word(word, value);
        }
    }

    fn bracketed(&mut self, open: &str, all: &[Expr], close: &str) {
        self.put(open);
        self.list(all, ", ", Out::expr);
        self.put(close);
    }

    pub(super) fn args(&mut self, args: &[Arg]) {
        self.put("(");
        self.list(args, ", ", |out, arg| {
            if let Some(name) = &arg.name {
                out.name(name).put(": ");
            }
            out.expr(&arg.value);
        });
        self.put(")");
    }

    pub(super) fn number(&mut self, n: &Number) {
        let (whole, part) = (n.thousandths / 1000, n.thousandths % 1000);
        self.put(&whole.to_string());
        if part != 0 {
            self.put(".").put(format!("{part:03}").trim_end_matches('0'));
        }
        self.put(match n.unit {
            Unit::Plain => "",
            Unit::Inches => "\"",
            Unit::Percent => "%",
            Unit::Degrees => "°",
        });
    }

    pub(super) fn range(&mut self, range: &Range) {
        self.expr(&range.low);
        if let Some(high) = &range.high {
            self.word(" .. ", high);
        } else if range.open {
            self.put(" ..");
        }
    }

    fn if_value(&mut self, arms: &[(Expr, Expr)], otherwise: &Expr) {
        for (n, (condition, value)) in arms.iter().enumerate() {
            self.word(if n == 0 { "if " } else { " else if " }, condition);
            self.word(" then ", value);
        }
        self.word(" else ", otherwise);
    }

    fn query(&mut self, what: Quantifier, binds: &[(Name, Range)], filter: Option<&Expr>, body: Option<&Expr>) {
        self.put(what.word()).put(" ");
        self.list(binds, " against ", |out, (name, range)| {
            out.name(name).put(" in ");
            out.range(range);
        });
        let late = matches!(what, Quantifier::Nearest | Quantifier::Farthest);
        if !late {
            self.opt(" where ", filter);
        }
        let word = match what {
            Quantifier::Every => ": ",
            Quantifier::Sum => " of ",
            Quantifier::Most | Quantifier::Least => " by ",
            _ => " to ",
        };
        self.opt(word, body);
        if late {
            self.opt(" where ", filter);
        }
    }

    pub(super) fn match_of(&mut self, m: &Match) {
        self.word(if m.first { "match first " } else { "match " }, &m.subject);
        self.put(" ");
        self.braces(&m.rows, |out, row| {
            out.patterns(&row.patterns);
            out.opt(" when ", row.when.as_ref());
            out.put(" => ");
            out.body(&row.body);
            out.cite_behind(&row.cites);
        });
    }

    pub(super) fn patterns(&mut self, all: &[Pattern]) {
        self.list(all, " | ", Out::pattern);
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Any => {
                self.put("_");
            }
            PatternKind::Else => {
                self.put("else");
            }
            PatternKind::None => {
                self.put("none");
            }
            PatternKind::Some(name) => {
                self.put("some ").name(name);
            }
            PatternKind::SomeAny => {
                self.put("some _");
            }
            PatternKind::SomeKind { kind, bound } => {
                self.put("some ").name(kind);
                if let Some(bound) = bound {
                    self.put("(").name(bound).put(")");
                }
            }
            PatternKind::Past { top, bound } => {
                self.put(if *top { "past top" } else { "past bottom" });
                if let Some(bound) = bound {
                    self.put(" ").name(bound);
                }
            }
            PatternKind::Over(low, high) => {
                self.word("over ", low);
                self.opt(" to ", high.as_ref());
            }
            PatternKind::Under(value) => self.word("under ", value),
            PatternKind::AtLeast(value) => self.word("at least ", value),
            PatternKind::AtMost(value) => self.word("at most ", value),
            PatternKind::Value(value) => self.expr(value),
            PatternKind::To(low, high, under) => {
                self.expr(low);
                self.word(if *under { " to under " } else { " to " }, high);
            }
            PatternKind::Case { of, case } => {
                if let Some(of) = of {
                    self.name(of).put(".");
                }
                self.name(case);
            }
            PatternKind::Kind { kind, bound } => {
                self.name(kind).put("(").name(bound).put(")");
            }
            PatternKind::Tuple(parts) => {
                self.put("(");
                self.list(parts, ", ", |out, part| out.patterns(part));
                self.put(")");
            }
        }
    }

    pub(super) fn ty(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeExprKind::Named(name) => {
                self.name(name);
            }
            TypeExprKind::List(name) => {
                self.put("list of ").name(name);
            }
            TypeExprKind::Bounded { low, high } => {
                self.expr(low);
                self.put("..");
                if let Some(high) = high {
                    self.expr(high);
                }
            }
        }
        if ty.optional {
            self.put("?");
        }
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => " == ",
        CompareOp::Ne => " != ",
        CompareOp::Lt => " < ",
        CompareOp::Le => " <= ",
        CompareOp::Gt => " > ",
        CompareOp::Ge => " >= ",
    }
}
