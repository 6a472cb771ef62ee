//! Renders expressions in plain English (template-based surface realization, with a template for each form of the tree).

use super::words::{Words, a, human, plural};
use grognard_base::value::ops::{TemplatePart, pieces};
use grognard_base::value::*;
use grognard_base::{OrdMap, OrdSet, Sources, Span};
use grognard_rules::index::{Index, Means};
use grognard_rules::ruleset::{Ruleset, ValueName};
use grognard_rules::short_text;
use grognard_syntax::Plain;
use grognard_syntax::tree::{
    Answer, Arg, Body, Call, Expr, ExprKind, Match, MatchRow, Name, Pattern, PatternKind, Quantifier, Range, TypeExpr,
    TypeExprKind,
};

/// The explanation of a name.
#[derive(Clone, Debug)]
pub struct Target {
    /// The page and the anchor.
    pub href: String,
    /// The name in a sentence.
    pub called: String,
    /// The title of the item.
    pub title: String,
    /// The value, for params and readings.
    pub worth: Option<String>,
}

/// The names in scope in one item.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Things by their short names: `u` is `the unit`.
    pub called: OrdMap<String, String>,
    /// The name that a rule gives to its event.
    pub bound: Option<String>,
}

/// Renders the expressions of one ruleset.
pub struct Teller<'b> {
    /// The cross-reference table of names.
    pub index: &'b Index,
    pub rules: &'b Ruleset,
    /// The source texts.
    pub sources: &'b Sources,
    /// The formatter of source texts.
    pub plain: &'b Plain<'b>,
    /// The explanations of names, by the span of their declarations.
    pub targets: &'b OrdMap<Span, Target>,
    /// The declarations whose type is a flag.
    pub flags: &'b OrdSet<Span>,
}

impl Teller<'_> {
    /// Returns the declaration of the name at `at`.
    pub fn declared(&self, at: Span) -> Option<Span> {
        self.index.uses.get(&self.sources.origin(at)).copied()
    }

    pub fn target(&self, at: Span) -> Option<&Target> {
        self.targets.get(&self.declared(at)?)
    }

    /// Returns a link to the explanation of the name at `at`, with `words` as its text.
    pub fn link(&self, at: Span, words: &str) -> Words {
        match self.target(at) {
            Some(target) => linked(target, words),
            None => Words::from(words),
        }
    }

    /// Returns a name as a link, with the text that it has everywhere.
    pub fn named(&self, name: &Name) -> Words {
        self.named_at(name.span, &name.text)
    }

    fn named_at(&self, at: Span, text: &str) -> Words {
        let Some(target) = self.target(at) else { return Words::from(human(text)) };
        let words = linked(target, &target.called);
        match &target.worth {
            Some(worth) => words.then(" (").then(Words(vec![super::words::Bit::Value(worth.clone())])).then(")"),
            None => words,
        }
    }

    pub fn is_flag(&self, at: Span) -> bool {
        let Some(declared) = self.declared(at) else { return false };
        self.flags.contains(&declared)
            || self.index.types.get(&declared).is_some_and(|ty| *ty == Type::Flag)
            || match self.index.declared.get(&declared) {
                Some(Means::Part(record, name)) => self
                    .rules
                    .records
                    .get(record.at())
                    .is_some_and(|record| record.fields.iter().any(|(n, ty)| n == name && *ty == Type::Flag)),
                _ => false,
            }
    }

    /// Renders a type, such as `unit`, `number` or `0 to 6`.
    pub fn kind(&self, ty: &TypeExpr) -> Words {
        let words = match &ty.kind {
            TypeExprKind::Named(name) => match name.text.as_str() {
                "Int" => Words::from("number"),
                "Flag" => Words::from("yes or no"),
                "Length" => Words::from("length"),
                "Ratio" => Words::from("share"),
                "Angle" => Words::from("angle"),
                "Place" => Words::from("place"),
                "Die" => Words::from("die"),
                _ => self.link(name.span, &human(&name.text)),
            },
            TypeExprKind::List(name) => match name.text.as_str() {
                "Int" => Words::from("numbers"),
                _ => self.link(name.span, &plural(&human(&name.text))),
            },
            TypeExprKind::Bounded { low, high } => {
                let high = high.as_ref().map_or(Words::from(" or more"), |high| {
                    Words::from(" to ").then(self.value(high, &Scope::default()))
                });
                self.value(low, &Scope::default()).then(high)
            }
        };
        if ty.optional { words.then(", or none") } else { words }
    }

    /// Renders a name without qualification.
    fn name(&self, at: Span, text: &str, s: &Scope) -> Words {
        if text != "self" && self.target(at).is_some() {
            let field = matches!(self.declared(at).and_then(|d| self.index.declared.get(&d)), Some(Means::Item(id))
                if self.rules.items.get(id.at()).is_some_and(|i| i.name.contains('.')));
            return if field { Words::from("its ").then(self.named_at(at, text)) } else { self.named_at(at, text) };
        }
        // A thing of the phase of an action.
        let of_type = self.declared(at).and_then(|declared| self.index.types.get(&declared));
        if of_type.is_some_and(|ty| matches!(ty, Type::Kind(_))) && text.len() > 2 && !s.called.contains_key(text) {
            return Words::from(format!("the {}", human(text)));
        }
        self.local(text, s)
    }

    /// Renders a name that is local to this rule.
    pub fn local(&self, text: &str, s: &Scope) -> Words {
        match s.called.get(text) {
            _ if text == "self" => Words::from("it"),
            Some(called) => Words::from(called.as_str()),
            None => Words::var(&human(text)),
        }
    }

    fn owned(&self, of: &Expr, s: &Scope) -> Words {
        match &of.kind {
            ExprKind::Name(n) if n == "self" => Words::from("its "),
            _ => {
                let words = self.value(of, s);
                let end = if words.plain().ends_with('s') { "’ " } else { "’s " };
                words.then(end)
            }
        }
    }

    fn field(&self, of: &Expr, name: &Name, s: &Scope) -> Words {
        let own = match self.target(name.span) {
            Some(_) => self.named(name),
            None => Words::from(human(&name.text)),
        };
        match &of.kind {
            // A field of the event itself.
            ExprKind::Name(n) if s.bound.as_deref() == Some(n) => {
                if self.target(name.span).is_some() {
                    own
                } else {
                    Words::from("the ").then(own)
                }
            }
            _ => self.owned(of, s).then(own),
        }
    }

    fn args(&self, args: &[Arg], s: &Scope) -> Words {
        Words::join(
            args.iter().map(|arg| match &arg.name {
                Some(name) => Words::from(format!("{}: ", human(&name.text))).then(self.value(&arg.value, s)),
                None => self.value(&arg.value, s),
            }),
            ", ",
        )
    }

    /// Renders a call as a noun phrase: its name and its arguments.
    pub fn call(&self, call: &Call, s: &Scope) -> Words {
        let mut words = self.named(&call.name);
        if !call.args.is_empty() {
            words = words.then(" (").then(self.args(&call.args, s)).then(")");
        }
        if !call.with.is_empty() {
            let with = call.with.iter();
            let with = with.map(|(name, value)| self.named(name).then(" as ").then(self.value(value, s)));
            words = words.then(", with ").then(Words::list(with, "and"));
        }
        words
    }

    /// Returns a call of a builtin in English, or `None` if `name` is not one.
    pub fn builtin(&self, name: &str, args: &[Arg], s: &Scope) -> Option<Words> {
        Some(english(Op::builtin(name)?, &args.iter().map(|arg| self.value(&arg.value, s)).collect::<Vec<_>>()))
    }

    pub fn collection(&self, range: &Range, s: &Scope) -> Words {
        match (&range.high, &range.low.kind) {
            (Some(high), _) => self.value(&range.low, s).then(" to ").then(self.value(high, s)),
            (None, ExprKind::Upper(name)) => {
                Words::from("all ").then(self.link(range.low.span, &plural(&human(name).to_lowercase())))
            }
            _ => self.value(&range.low, s),
        }
    }

    /// Renders a binding such as `x of XS with C`, after the article `word`.
    pub fn one_of(&self, word: &str, name: &Name, from: &Range, filter: Option<&Expr>, s: &Scope) -> Words {
        let called = self.local(&name.text, s);
        let bare = called.plain().strip_prefix("the ").map(str::to_string);
        // `every unit among all units` would be redundant.
        let all = match &from.low.kind {
            ExprKind::Upper(kind) if from.high.is_none() => {
                bare.as_deref() == Some(human(kind).to_lowercase().as_str())
            }
            _ => false,
        };
        let words = Words::from(if word.is_empty() { String::new() } else { format!("{word} ") });
        let words = match (&bare, all) {
            (Some(kind), true) => {
                words.then(self.link(from.low.span, &if word.is_empty() { plural(kind) } else { kind.clone() }))
            }
            (Some(kind), false) => words.then(kind.as_str()),
            (None, _) => words.then(called),
        };
        let words = match (all, from.high.is_some()) {
            (true, _) => words,
            (false, true) => words.then(" from ").then(self.collection(from, s)),
            (false, false) => words.then(" among ").then(self.collection(from, s)),
        };
        match filter {
            Some(filter) => words.then(" for which ").then(self.condition(filter, true, s)),
            None => words,
        }
    }

    pub fn query(&self, what: Quantifier, binds: &[(Name, Range)], parts: [Option<&Expr>; 2], s: &Scope) -> Words {
        let [filter, body] = parts;
        let Some((name, from)) = binds.first() else { return Words::default() };
        let of = |word: &str| {
            let mut words = self.one_of(word, name, from, if binds.len() == 1 { filter } else { None }, s);
            for (name, from) in binds.iter().skip(1) {
                words = words.then(", side by side with ").then(self.one_of("", name, from, None, s));
            }
            match (binds.len(), filter) {
                (2.., Some(filter)) => words.then(", where ").then(self.condition(filter, true, s)),
                _ => words,
            }
        };
        let by = |how: &str| match body {
            Some(body) => of("the").then(format!(" with {how} ")).then(self.value(body, s)),
            None => of("the"),
        };
        match what {
            Quantifier::Any => Words::from("there is ").then(of("some")),
            Quantifier::No => Words::from("there is ").then(of("no")),
            Quantifier::All => of("every"),
            Quantifier::Count => Words::from("the number of ").then(of("")),
            Quantifier::Every => match body {
                Some(body) => Words::from("for ").then(of("every")).then(": ").then(self.condition(body, true, s)),
                None => of("every"),
            },
            Quantifier::Sum => match body {
                Some(body) => Words::from("the sum of ").then(self.value(body, s)).then(" over ").then(of("every")),
                None => of("the sum over every"),
            },
            Quantifier::Most => by("the most"),
            Quantifier::Least => by("the least"),
            Quantifier::Nearest | Quantifier::Farthest => {
                let near = what.word();
                let to = body.map_or(Words::default(), |body| Words::from(" to ").then(self.value(body, s)));
                of(&format!("the {near}")).then(to)
            }
        }
    }

    /// Renders an expression as a value.
    pub fn value(&self, e: &Expr, s: &Scope) -> Words {
        let v = |e: &Expr| self.value(e, s);
        match &e.kind {
            ExprKind::Number(_) => Words::from(short_text(e).replace('"', "″")),
            ExprKind::Dice { count, sides, bare } => match bare {
                true => Words::from(format!("d{sides}")),
                false => Words::from(format!("{count}d{sides}")),
            },
            ExprKind::Yes => "yes".into(),
            ExprKind::No => "no".into(),
            ExprKind::None => "none".into(),
            ExprKind::Name(name) => self.name(e.span, name, s),
            ExprKind::Upper(name) => match self.target(e.span) {
                Some(target) => linked(target, &human(name)),
                None => Words::from(human(name)),
            },
            ExprKind::Field(of, name) => self.field(of, name, s),
            ExprKind::Call(of, args) => match &of.kind {
                ExprKind::Name(name) if self.target(of.span).is_none() => self
                    .builtin(name, args, s)
                    .unwrap_or_else(|| Words::from(human(name)).then(" (").then(self.args(args, s)).then(")")),
                _ if args.is_empty() => v(of),
                _ => v(of).then(" (").then(self.args(args, s)).then(")"),
            },
            ExprKind::Tuple(all) => Words::join(all.iter().map(v), ", ").bracketed(),
            ExprKind::Paren(inner) => {
                let words = v(inner);
                if matches!(inner.kind, ExprKind::Name(_) | ExprKind::Number(_) | ExprKind::Field(..)) {
                    words
                } else {
                    words.bracketed()
                }
            }
            ExprKind::List(all) if all.is_empty() => "none".into(),
            ExprKind::List(all) => Words::list(all.iter().map(v), "and"),
            ExprKind::Neg(x) => english(Op::Neg, &[v(x)]),
            ExprKind::Was(x) => v(x).then(" (before)"),
            ExprKind::Arith { first, rest } => rest.iter().fold(v(first), |a, (how, b)| english(how.op(), &[a, v(b)])),
            ExprKind::Rounded { value, to } => english(to.op(), &[v(value)]),
            ExprKind::Shift { die, up, by } => english(if *up { Op::Up } else { Op::Down }, &[v(die), v(by)]),
            ExprKind::Otherwise(all) => Words::join(all.iter().map(v), ", or if it is missing "),
            ExprKind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(c, x)| v(x).then(" if ").then(self.condition(c, true, s)));
                Words::join(arms, ", ").then(", otherwise ").then(v(otherwise))
            }
            ExprKind::Match(found) => self.inline_match(found, &v, s),
            ExprKind::Query { what, binds, filter, body } => {
                self.query(*what, binds, [filter.as_deref(), body.as_deref()], s)
            }
            ExprKind::PoolQuery { what: Quantifier::Count, pool, op, than } => Words::from("the number of ")
                .then(v(pool))
                .then(" that show ")
                .then(super::conditions::at(*op, v(than))),
            // All other forms are conditions.
            _ => self.condition(e, true, s),
        }
    }

    /// Renders a match inside a sentence. For a match over a reading, renders only the row that applies.
    pub fn inline_match(&self, found: &Match, tell: &dyn Fn(&Expr) -> Words, s: &Scope) -> Words {
        let value = |row: &MatchRow| match &row.body {
            Body::Value(value) => tell(value),
            Body::Lasts(until, _) => self.edge(until.as_ref(), s),
            Body::Stmt(_) | Body::Block(_) => Words::default(),
        };
        if let Some(row) = found.rows.iter().find(|row| self.row_holds(found, row)) {
            return value(row).then(" [by ").then(self.value(&found.subject, s)).then("]");
        }
        let row = |row: &MatchRow| value(row).then(" for ").then(self.row_head(row, s));
        Words::join(found.rows.iter().map(row), "; ").then(", by ").then(self.value(&found.subject, s))
    }

    /// Returns whether a row of a match over a reading applies with the current value of the reading.
    pub fn row_holds(&self, found: &Match, row: &MatchRow) -> bool {
        let worth = match &found.subject.kind {
            ExprKind::Name(_) => self.target(found.subject.span).and_then(|t| t.worth.clone()),
            _ => None,
        };
        let Some(worth) = worth else { return false };
        let fits = |p: &Pattern| match &p.kind {
            PatternKind::Any | PatternKind::Else => true,
            PatternKind::Case { case, .. } => human(&case.text) == worth,
            PatternKind::Value(e) => {
                short_text(e) == worth
                    || matches!((&e.kind, worth.as_str()), (ExprKind::Yes, "yes") | (ExprKind::No, "no"))
            }
            _ => false,
        };
        row.when.is_none() && row.patterns.iter().any(fits)
    }

    /// Returns whether an expression is a condition.
    pub fn asks(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call(of, _) => self.is_flag(of.span),
            ExprKind::Name(_) => self.is_flag(e.span),
            ExprKind::Field(_, name) => self.is_flag(name.span) || ["alive", "passed"].contains(&name.text.as_str()),
            ExprKind::Paren(inner) => self.asks(inner),
            ExprKind::If { otherwise, .. } => self.asks(otherwise),
            _ => super::steps::is_question(e),
        }
    }

    /// Renders the patterns of a row, and its condition.
    pub fn row_head(&self, row: &MatchRow, s: &Scope) -> Words {
        let words = Words::list(row.patterns.iter().map(|p| self.pattern(p, s)), "or");
        match &row.when {
            Some(when) => words.then(", if ").then(self.condition(when, true, s)),
            None => words,
        }
    }

    /// Renders the values that a pattern matches.
    pub fn pattern(&self, p: &Pattern, s: &Scope) -> Words {
        let v = |e: &Expr| self.value(e, s);
        match &p.kind {
            PatternKind::Any => "anything".into(),
            PatternKind::Else => "anything else".into(),
            PatternKind::None => "none".into(),
            PatternKind::Some(name) => Words::from("one, called ").then(Words::var(&human(&name.text))),
            PatternKind::SomeAny => "one".into(),
            PatternKind::SomeKind { kind, .. } | PatternKind::Kind { kind, .. } => {
                let name = human(&kind.text).to_lowercase();
                self.link(kind.span, &a(&name))
            }
            PatternKind::Past { top, .. } => {
                Words::from(if *top { "past the top of the chain" } else { "below the bottom of the chain" })
            }
            PatternKind::Over(low, None) => Words::from("over ").then(v(low)),
            PatternKind::Over(low, Some(high)) => Words::from("over ").then(v(low)).then(", up to ").then(v(high)),
            PatternKind::Under(high) => Words::from("under ").then(v(high)),
            PatternKind::AtLeast(low) => v(low).then(" or more"),
            PatternKind::AtMost(high) => v(high).then(" or less"),
            PatternKind::Value(e) => v(e),
            PatternKind::To(low, high, true) => v(low).then(" to under ").then(v(high)),
            PatternKind::To(low, high, false) => v(low).then(" to ").then(v(high)),
            PatternKind::Case { case, .. } => self.link(case.span, &human(&case.text)),
            PatternKind::Tuple(parts) => {
                let part = |part: &Vec<Pattern>| Words::list(part.iter().map(|p| self.pattern(p, s)), "or");
                Words::join(parts.iter().map(part), "; ")
            }
        }
    }

    /// Renders the answer of a policy or script.
    pub fn answer(&self, answer: &Answer, s: &Scope) -> Words {
        match answer {
            Answer::Extreme { most, by } => {
                Words::from(if *most { "the one with the most " } else { "the one with the least " })
                    .then(self.value(by, s))
            }
            Answer::Value(e) => match &e.kind {
                ExprKind::Name(name) => Words::from(human(name)),
                _ => self.value(e, s),
            },
            Answer::Stop(_) => "stop".into(),
        }
    }

    /// Returns the scope of these functions. A thing is named by its kind if that is unambiguous.
    pub fn scope(&self, functions: impl Iterator<Item = FuncId>) -> Scope {
        let mut seen: OrdMap<String, (String, bool)> = OrdMap::new();
        for id in functions {
            let Some(function) = self.rules.functions.get(id.at()) else { continue };
            for (n, local) in function.locals.iter().enumerate().filter(|(_, l)| !l.name.is_empty()) {
                if let Type::Kind(kind) = local.ty.present() {
                    let kind = human(&self.rules.kinds[kind.at()].name).to_lowercase();
                    seen.entry(local.name.clone()).or_insert((kind, n < function.params));
                }
            }
        }
        let short = |name: &str| name.chars().count() <= 2;
        let mut called = OrdMap::new();
        for (name, (kind, param)) in &seen {
            let same = |params: bool| {
                let same = |(other, (k, p)): &(&String, &(String, bool))| short(other) && k == kind && (*p || !params);
                seen.iter().filter(same).count()
            };
            let taken = seen.contains_key(kind.as_str()) || name == "self";
            if !short(name) {
                called.insert(name.clone(), format!("the {}", human(name)));
            } else if !taken && if *param { same(true) == 1 } else { same(true) == 0 && same(false) == 1 } {
                called.insert(name.clone(), format!("the {kind}"));
            }
        }
        called.remove("self");
        Scope { called, bound: None }
    }

    /// Returns the function of the value, proc or test with this name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        match self.rules.names.values.get(name) {
            Some(ValueName::Let(id) | ValueName::Proc(id)) => Some(*id),
            _ => self.rules.names.tests.get(name).copied(),
        }
    }
}

/// Returns the English of an operator, from its row of the table of operators.
pub fn english(op: Op, operands: &[Words]) -> Words {
    fill(op.facts().english, operands)
}

/// Fills a template with its operands.
pub fn fill(template: &str, operands: &[Words]) -> Words {
    pieces(template).fold(Words::default(), |words, piece| match piece {
        TemplatePart::Text(text) => words.then(text),
        TemplatePart::Operand(n) => words.then(operands.get(n).cloned().unwrap_or_default()),
        TemplatePart::All => words.then(Words::list(operands.iter().cloned(), "and")),
    })
}

fn linked(target: &Target, words: &str) -> Words {
    Words(vec![super::words::Bit::Link(words.to_string(), target.href.clone(), target.title.clone())])
}
