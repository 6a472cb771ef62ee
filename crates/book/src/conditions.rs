//! Renders conditions and their negations in plain English.

use super::tell::{Scope, Teller, english, fill};
use super::words::{Words, human};
use grognard_base::Span;
use grognard_base::value::Op;
use grognard_syntax::tree::{CompareOp, Expr, ExprKind, PatternKind, Quantifier};

/// Participles that form a sentence with `has`: `u acted` becomes `u has acted`.
const DONE: [&str; 14] = [
    "acted", "fired", "moved", "shot", "fled", "charged", "passed", "failed", "rallied", "activated", "attacked",
    "fallen", "lost", "won",
];
/// First words of flag names that are predicates by themselves.
const VERBS: [&str; 14] =
    ["fell", "has", "is", "can", "may", "must", "was", "did", "went", "ran", "came", "took", "began", "stood"];

impl Teller<'_> {
    /// Renders a condition, or its negation if `holds` is false.
    pub fn condition(&self, e: &Expr, holds: bool, s: &Scope) -> Words {
        let v = |e: &Expr| self.value(e, s);
        let not = if holds { "" } else { "not " };
        match &e.kind {
            ExprKind::Not(inner) => self.condition(inner, !holds, s),
            ExprKind::Paren(inner)
                if matches!(
                    inner.kind,
                    ExprKind::And(_) | ExprKind::Or(_) | ExprKind::If { .. } | ExprKind::Match(_)
                ) && holds =>
            {
                self.condition(inner, holds, s).bracketed()
            }
            ExprKind::Paren(inner) => self.condition(inner, holds, s),
            ExprKind::Match(found) if holds => self.inline_match(found, &|e| self.condition(e, true, s), s),
            ExprKind::If { arms, otherwise } if holds => {
                let arm =
                    |(c, x): &(Expr, Expr)| self.condition(x, true, s).then(" if ").then(self.condition(c, true, s));
                Words::join(arms.iter().map(arm), ", ").then(", otherwise ").then(self.condition(otherwise, true, s))
            }
            ExprKind::And(parts) if holds => self.joined(parts, "and", s),
            ExprKind::Or(parts) if holds => self.joined(parts, "or", s),
            ExprKind::Compare { left, op, right } => match (&left.kind, op, &right.kind) {
                (_, CompareOp::Eq, ExprKind::List(all)) if all.is_empty() => {
                    Words::from(if holds { "there are no " } else { "there are " }).then(v(left))
                }
                (_, CompareOp::Ne, ExprKind::List(all)) if all.is_empty() => {
                    Words::from(if holds { "there are " } else { "there are no " }).then(v(left))
                }
                _ => {
                    let (left, op) = (v(left), op.op());
                    let says = op.opposite().filter(|_| !holds).unwrap_or(op).facts().english;
                    let says = if are(&left) { says.replacen(" is", " are", 1) } else { says.to_string() };
                    fill(&says, &[left, v(right)])
                }
            },
            ExprKind::PoolQuery { what, pool, op, than } => {
                let word = match (what, holds) {
                    (Quantifier::Any, true) | (Quantifier::No, false) => "any of ",
                    (Quantifier::No, true) | (Quantifier::Any, false) => "none of ",
                    (Quantifier::Every, true) => "every one of ",
                    _ => "not every one of ",
                };
                Words::from(word).then(v(pool)).then(" shows ").then(at(*op, v(than)))
            }
            ExprKind::Has { thing, no, name } => {
                let has = if *no != holds { " has " } else { " does not have " };
                v(thing).then(has).then(self.named(name))
            }
            ExprKind::Is { value, not, pattern } => {
                let holds = *not != holds;
                match &pattern.kind {
                    PatternKind::None if holds => Words::from("there is no ").then(v(value)),
                    PatternKind::None => Words::from("there is ").then(v(value)),
                    PatternKind::Some(name) => {
                        let there = if holds { "there is " } else { "there is no " };
                        let called = self.local(&name.text, s);
                        Words::from(there).then(v(value)).then(", called ").then(called)
                    }
                    _ => v(value).then(if holds { " is " } else { " is not " }).then(self.pattern(pattern, s)),
                }
            }
            ExprKind::In { value, not, range } => {
                let holds = *not != holds;
                let all = match (&range.high, &range.low.kind) {
                    (None, ExprKind::List(all)) => Words::list(all.iter().map(v), "or"),
                    (None, _) => Words::from("one of ").then(self.collection(range, s)),
                    (Some(_), _) => Words::from("from ").then(self.collection(range, s)),
                };
                v(value).then(if holds { " is " } else { " is not " }).then(all)
            }
            ExprKind::Within { place, distance, of } => {
                let says = Op::Within.facts().english.replacen(" is ", &format!(" is {not}"), 1);
                fill(&says, &[v(place), v(distance), v(of)])
            }
            ExprKind::Sees { from, to } if holds => english(Op::Sees, &[v(from), v(to)]),
            ExprKind::Sees { from, to } => v(from).then(" does not see ").then(v(to)),
            ExprKind::Nearer { place, to, than } => {
                v(place).then(format!(" is {not}nearer to ")).then(v(to)).then(" than to ").then(v(than))
            }
            ExprKind::Field(of, name) if self.asks(e) => {
                let subject = match &of.kind {
                    ExprKind::Name(n) if s.bound.as_deref() == Some(n) => {
                        return Words::from("it is ").then(not).then(self.link(name.span, &human(&name.text)));
                    }
                    ExprKind::Name(n) if n == "self" => Words::from("it"),
                    _ => v(of),
                };
                self.flagged(subject, name.span, &name.text, holds)
            }
            ExprKind::Name(name) if name == "alive" => self.flagged(Words::from("it"), e.span, name, holds),
            ExprKind::Name(name) if self.is_flag(e.span) && self.target(e.span).is_some() => {
                match self.target(e.span).is_some_and(|t| t.worth.is_some()) {
                    true => v(e).then(if holds { " is set" } else { " is not set" }),
                    false => self.flagged(Words::from("it"), e.span, name, holds),
                }
            }
            ExprKind::Query { what, binds, filter, body } => match (what, holds) {
                (Quantifier::Any, false) => self.query(Quantifier::No, binds, [filter.as_deref(), None], s),
                (Quantifier::No, false) => self.query(Quantifier::Any, binds, [filter.as_deref(), None], s),
                (_, false) => Words::from("it is not so that ").then(self.query(
                    *what,
                    binds,
                    [filter.as_deref(), body.as_deref()],
                    s,
                )),
                _ => v(e),
            },
            ExprKind::Call(of, args) if args.len() == 1 && self.is_flag(of.span) => {
                let name = match &of.kind {
                    ExprKind::Name(name) => name.as_str(),
                    ExprKind::Field(_, name) => name.text.as_str(),
                    _ => "",
                };
                self.flagged(v(&args[0].value), of.span, name, holds)
            }
            ExprKind::Call(of, args) if holds => match &of.kind {
                ExprKind::Name(name) if self.target(of.span).is_none() => {
                    self.builtin(name, args, s).unwrap_or_else(|| v(e))
                }
                _ => v(e).then(" holds"),
            },
            ExprKind::Call(of, _) if self.target(of.span).is_some() => v(e).then(" does not hold"),
            ExprKind::Yes | ExprKind::No => {
                Words::from(if matches!(e.kind, ExprKind::Yes) == holds { "always" } else { "never" })
            }
            ExprKind::Name(_) if holds => v(e).then(" holds"),
            ExprKind::Name(_) => v(e).then(" does not hold"),
            _ if holds => v(e),
            ExprKind::And(_) | ExprKind::Or(_) => {
                Words::from("it is not so that ").then(self.condition(e, true, s).bracketed())
            }
            _ => Words::from("not (").then(v(e)).then(")"),
        }
    }

    fn flagged(&self, subject: Words, at: Span, name: &str, holds: bool) -> Words {
        let rendered = human(name);
        let first = rendered.split(' ').next().unwrap_or_default().to_string();
        let says = VERBS.contains(&first.as_str())
            || (first.ends_with('s') && !first.ends_with("ss") && rendered != first.trim_end_matches('s'));
        let copula = match (holds, DONE.contains(&first.as_str()), says) {
            (true, true, _) => " has ",
            (false, true, _) => " has not ",
            (true, _, true) => " ",
            (false, _, true) => ": not ",
            (true, ..) => " is ",
            (false, ..) => " is not ",
        };
        subject.then(copula).then(self.link(at, &rendered))
    }

    fn joined(&self, parts: &[Expr], word: &str, s: &Scope) -> Words {
        let part = |e: &Expr| {
            let words = self.condition(e, true, s);
            // `and` inside `or` is ambiguous without brackets.
            if matches!(e.kind, ExprKind::And(_)) && word == "or" { words.bracketed() } else { words }
        };
        Words::join(parts.iter().map(part), &format!(" {word} "))
    }
}

/// Returns whether a subject is plural.
fn are(words: &Words) -> bool {
    let plain = words.plain();
    let last = plain.rsplit(' ').next().unwrap_or_default();
    last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us") && !last.ends_with("is") && last.len() > 3
}

/// Renders the result that a die must show.
pub fn at(op: CompareOp, than: Words) -> Words {
    match op {
        CompareOp::Eq => than,
        CompareOp::Ne => Words::from("anything but ").then(than),
        CompareOp::Lt => Words::from("less than ").then(than),
        CompareOp::Le => than.then(" or less"),
        CompareOp::Gt => Words::from("more than ").then(than),
        CompareOp::Ge => than.then(" or more"),
    }
}
