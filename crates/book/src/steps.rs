//! Renders statements as the steps of a procedure.

use super::tell::{Scope, Teller};
use super::words::{Step, Words, human};
use grognard_syntax::tree::{
    Block, Body, ChoiceOption, ClauseRef, Constraint, EachOrder, Expr, ExprKind, Lasting, LetSource, Match, Move,
    MoveLine, MovePart, Name, Prefer, Preferred, Quantifier, Range, SetOp, Stmt, StmtKind, Until,
};

fn step(words: Words) -> Step {
    Step { words, ..Step::default() }
}

fn over(words: Words, steps: Vec<Step>) -> Step {
    Step { words, steps, ..Step::default() }
}

fn cites(of: &[ClauseRef]) -> Vec<String> {
    of.iter().map(|c| c.text.clone()).collect()
}

impl Teller<'_> {
    /// Renders the statements of a block as steps.
    pub fn steps(&self, block: &Block, s: &Scope) -> Vec<Step> {
        self.all_steps(&block.stmts, s)
    }

    /// Renders a list of statements as steps.
    pub fn all_steps(&self, stmts: &[Stmt], s: &Scope) -> Vec<Step> {
        stmts.iter().flat_map(|stmt| self.stmt(stmt, s)).collect()
    }

    fn stmt(&self, stmt: &Stmt, s: &Scope) -> Vec<Step> {
        let mut all = self.kind_of_step(&stmt.kind, s);
        if let Some(first) = all.first_mut() {
            first.cites = cites(&stmt.cites);
        }
        all
    }

    fn body(&self, body: &Body, s: &Scope) -> Vec<Step> {
        match body {
            Body::Block(block) => self.steps(block, s),
            Body::Stmt(stmt) => self.stmt(stmt, s),
            Body::Value(value) => vec![step(self.value(value, s))],
            Body::Lasts(until, _) => vec![step(self.edge(until.as_ref(), s))],
        }
    }

    /// Renders a condition with its steps, such as `If C: ..`. A single short step stays on the same line.
    fn under(&self, words: Words, steps: Vec<Step>) -> Step {
        match steps.as_slice() {
            [] => step(words.then(": nothing happens")),
            [one] if one.steps.is_empty() && one.cites.is_empty() => {
                let short = words.plain().len() + one.words.plain().len() < 140;
                if short { step(words.then(": ").then(one.words.clone())) } else { over(words.then(":"), steps) }
            }
            _ => over(words.then(":"), steps),
        }
    }

    fn ifs<'t>(&self, arms: impl Iterator<Item = (&'t Expr, &'t Block)>, last: Option<&Block>, s: &Scope) -> Vec<Step> {
        let mut all = Vec::new();
        for (n, (condition, block)) in arms.enumerate() {
            let word = if n == 0 { "If " } else { "Otherwise, if " };
            all.push(self.under(Words::from(word).then(self.condition(condition, true, s)), self.steps(block, s)));
        }
        all.extend(last.map(|block| self.under("Otherwise".into(), self.steps(block, s))));
        all
    }

    fn matched(&self, found: &Match, s: &Scope) -> Step {
        let head = match &found.subject.kind {
            ExprKind::Tuple(parts) => Words::list(parts.iter().map(|part| self.value(part, s)), "and"),
            _ => self.value(&found.subject, s),
        };
        let rows = found.rows.iter().map(|row| {
            let head = self.row_head(row, s).capital();
            let head = if self.row_holds(found, row) { head.then(" (this holds)") } else { head };
            let mut one = self.under(head, self.body(&row.body, s));
            one.cites.extend(cites(&row.cites));
            one
        });
        over(Words::from("Depending on ").then(head).then(":"), rows.collect())
    }

    fn until(&self, until: Option<&Lasting>, s: &Scope) -> Words {
        match until {
            None => Words::default(),
            Some(Lasting::Edge(until)) => Words::from(", ").then(self.edge(Some(until), s)),
            Some(Lasting::Chosen(rows)) => Words::from(", ").then(self.inline_match(rows, &|e| self.value(e, s), s)),
        }
    }

    /// Renders the end of an effect, such as `until the end of P`, or `for good` if it has no end.
    pub fn edge(&self, until: Option<&Until>, s: &Scope) -> Words {
        let Some(until) = until else { return "for good".into() };
        let words = Words::from(if until.start { "until the start of " } else { "until the end of " });
        let words = words.then(self.named(&until.phase));
        match &until.key {
            Some(key) => words.then(" for ").then(self.value(key, s)),
            None => words,
        }
    }

    fn set(&self, target: &Expr, op: SetOp, value: &Expr, s: &Scope) -> Words {
        let slot = || self.value(target, s);
        match (op, &value.kind, &target.kind) {
            (SetOp::Set, ExprKind::Yes, _) => Words::from("Note that ").then(self.condition(target, true, s)),
            (SetOp::Set, ExprKind::No, _) => Words::from("Note that ").then(self.condition(target, false, s)),
            (SetOp::Set, ..) => slot().then(" becomes ").then(self.answer_to(value, s)).capital(),
            (SetOp::Add, ..) => Words::from("Add ").then(self.value(value, s)).then(" to ").then(slot()),
            (SetOp::Sub, ..) => Words::from("Take ").then(self.value(value, s)).then(" from ").then(slot()),
        }
    }

    fn dice(&self, count: Option<&Expr>, dice: &Expr, s: &Scope) -> Words {
        match count {
            Some(count) => match &count.kind {
                ExprKind::Number(_) => self.value(count, s).then(" × ").then(self.value(dice, s)),
                ExprKind::Paren(inner) => {
                    self.value(dice, s).then(", as many as ").then(self.value(inner, s)).then(",")
                }
                ExprKind::Name(_) | ExprKind::Field(..) => self.value(count, s).then(" × ").then(self.value(dice, s)),
                _ => self.value(dice, s).then(", as many as ").then(self.value(count, s)).then(","),
            },
            None => self.value(dice, s),
        }
    }

    fn of_amount(&self, amount: Option<&Range>, s: &Scope) -> Words {
        match amount {
            None => Words::default(),
            Some(Range { low, high: Some(high), .. }) => {
                self.value(low, s).then(" to ").then(self.value(high, s)).then(" ")
            }
            Some(Range { low, open: true, .. }) => self.value(low, s).then(" or more "),
            Some(Range { low, .. }) => self.value(low, s).then(" "),
        }
    }

    fn by(&self, by: Option<&Expr>, s: &Scope) -> Words {
        by.map_or(Words::default(), |by| Words::from(", the choice of ").then(self.value(by, s)))
    }

    fn preferred(&self, prefer: Option<&Prefer>, s: &Scope) -> Words {
        let Some(prefer) = prefer else { return Words::default() };
        match prefer {
            Prefer::Extreme { most, by } => {
                let word = if *most { "the most " } else { "the least " };
                Words::from("; as a rule the one with ").then(word).then(self.value(by, s))
            }
            Prefer::When { which, condition } => {
                let word = match which {
                    Preferred::First => "; as a rule the first for which ",
                    Preferred::Nobody => "; as a rule none if ",
                    Preferred::Every => "; as a rule all for which ",
                };
                Words::from(word).then(self.condition(condition, true, s))
            }
        }
    }

    fn option(&self, option: &ChoiceOption, s: &Scope) -> Step {
        let mut words = Words::from(super::words::capital(&human(&option.name.text)));
        if let Some(when) = &option.when {
            words = words.then(" (only if ").then(self.condition(when, true, s)).then(")");
        }
        match &option.prefer {
            Some(Some(when)) => words = words.then(", as a rule if ").then(self.condition(when, true, s)),
            Some(None) => words = words.then(", as a rule"),
            None => {}
        }
        let mut one = self.under(words, self.body(&option.body, s));
        one.cites.extend(cites(&option.cites));
        one
    }

    fn motion(&self, motion: &Move, otherwise: Option<&Block>, s: &Scope) -> Vec<Step> {
        let line = |line: &MoveLine| {
            let parts = line.asks.parts().zip(&line.parts);
            let parts = parts.map(|(part, e)| match part {
                MovePart::Condition | MovePart::LooksBack => self.condition(e, true, s),
                _ => self.value(e, s),
            });
            let mut parts: Vec<Words> = parts.collect();
            if parts.len() == 2 && parts[0] == parts[1] {
                parts.pop();
            }
            let words = line_words(line.asks, parts);
            let words = match &line.when {
                Some(when) => words.then(", if ").then(self.condition(when, true, s)),
                None => words,
            };
            Step { words, cites: cites(&line.cites), steps: Vec::new() }
        };
        let head = Words::from("Move ").then(self.value(&motion.thing, s)).then(", so that the move is or goes:");
        let mut all = vec![over(head, motion.lines.iter().map(line).collect())];
        if let Some(meeting) = &motion.meeting {
            let mut steps = self.all_steps(&meeting.always, s);
            steps.extend(meeting.rows.rows.iter().map(|row| {
                let mut one = self.under(self.row_head(row, s).capital(), self.body(&row.body, s));
                one.cites.extend(cites(&row.cites));
                one
            }));
            all.push(over("Whenever it meets something:".into(), steps));
        }
        all.extend(otherwise.map(|block| self.under("If there is no such move".into(), self.steps(block, s))));
        all
    }

    fn named_result(&self, words: Words, names: &[Name], s: &Scope) -> Words {
        let names = names.iter().map(|n| self.local(&n.text, s));
        words.then("; the result is ").then(Words::list(names, "and"))
    }

    fn kind_of_step(&self, kind: &StmtKind, s: &Scope) -> Vec<Step> {
        let rendered = self.rendered(kind, s).or_else(|| self.random(kind, s)).or_else(|| self.decided(kind, s));
        rendered.or_else(|| self.led(kind, s)).or_else(|| self.judged(kind, s)).unwrap_or_default()
    }

    /// Renders statements that define, change or call something.
    fn rendered(&self, kind: &StmtKind, s: &Scope) -> Option<Vec<Step>> {
        let v = |e: &Expr| self.value(e, s);
        let words = match kind {
            StmtKind::Let { names, value, .. } => match value {
                LetSource::Value(e) => {
                    let names = Words::list(names.iter().map(|n| self.local(&n.text, s)), "and");
                    if let ExprKind::Match(found) = &e.kind {
                        let mut one = self.matched(found, s);
                        one.words = names.capital().then(", depending on ").then(v(&found.subject)).then(":");
                        return Some(vec![one]);
                    }
                    match self.asks(e) {
                        true => names.then(": whether ").then(self.condition(e, true, s)),
                        false => names.then(" is ").then(v(e)),
                    }
                    .capital()
                }
                LetSource::Do(call) => self.named_result(Words::from("Do ").then(self.call(call, s)), names, s),
                LetSource::Test(call) => self.named_result(Words::from("Take ").then(self.call(call, s)), names, s),
                LetSource::Move(motion) => return Some(self.motion(motion, None, s)),
            },
            StmtKind::Var { name, value, .. } => {
                self.local(&name.text, s).then(" is ").then(self.answer_to(value, s)).then(" at first").capital()
            }
            StmtKind::Set { target, op, value, until } => {
                self.set(target, *op, value, s).then(self.until(until.as_ref(), s))
            }
            StmtKind::Grant { status, args, to, until } => {
                let data = Words::join(
                    args.iter().map(|arg| {
                        let name = arg.name.as_ref().map_or(String::new(), |n| format!("{}: ", human(&n.text)));
                        Words::from(name).then(v(&arg.value))
                    }),
                    ", ",
                );
                let data = if data.is_empty() { data } else { Words::from(" ").then(data.bracketed()) };
                let words = v(to).capital().then(" gains ").then(self.named(status)).then(data);
                words.then(self.until(until.as_ref(), s))
            }
            StmtKind::Revoke { status, all, args, from } => {
                let words =
                    v(from).capital().then(if *all { " loses every " } else { " loses " }).then(self.named(status));
                match args.is_empty() {
                    true => words,
                    false => words.then(" ").then(Words::list(args.iter().map(|arg| v(&arg.value)), ",").bracketed()),
                }
            }
            StmtKind::Place { thing, at } => Words::from("Put ").then(v(thing)).then(" at ").then(v(at)),
            StmtKind::Turn { thing, by, angle } => {
                Words::from("Turn ").then(v(thing)).then(if *by { " by " } else { " to " }).then(v(angle))
            }
            StmtKind::Destroy { thing, reason } => {
                let why = reason.as_ref().map_or(String::new(), |why| format!(" ({})", why.text));
                Words::from("Remove ").then(v(thing)).then(" from play").then(why)
            }
            StmtKind::Spawn { name, kind, fields } => {
                let fields = fields.iter().map(|(f, e)| self.named(f).then(" ").then(v(e)));
                let fields = Words::list(fields, "and");
                let words = Words::from("A new ").then(self.named(kind)).then(" appears (");
                let words = words.then(Words::var(&human(&name.text))).then(")");
                if fields.is_empty() { words } else { words.then(" with ").then(fields) }
            }
            StmtKind::Merge { from, into } => v(from).capital().then(" joins ").then(v(into)).then(", and is no more"),
            StmtKind::Do(call) => Words::from("Do ").then(self.call(call, s)),
            StmtKind::Test(call) => Words::from("Take ").then(self.call(call, s)),
            StmtKind::Run(call) => Words::from("Carry out ").then(self.call(call, s)),
            StmtKind::Emit(call) => Words::from("This counts as ").then(self.call(call, s)),
            _ => return None,
        };
        Some(vec![step(words)])
    }

    /// Renders rolls and draws of random values.
    fn random(&self, kind: &StmtKind, s: &Scope) -> Option<Vec<Step>> {
        let v = |e: &Expr| self.value(e, s);
        let words = match kind {
            StmtKind::Roll { name, by, count, dice, .. } => {
                let words = Words::from("Roll ").then(self.dice(count.as_ref(), dice, s));
                let words = words.then(" (").then(Words::var(&human(&name.text))).then(")");
                by.as_ref().map_or(words.clone(), |by| words.then(" for ").then(v(by)))
            }
            StmtKind::Draw { name, amount, from, filter, or_none, weight, .. } => {
                let word = format!("Draw {}", self.of_amount(amount.as_ref(), s).plain());
                let words = self.one_of(word.trim_end(), name, from, filter.as_ref(), s);
                let words = words.then(" at random").then(if *or_none { ", or none if the list is empty" } else { "" });
                weight.as_ref().map_or(words.clone(), |weight| words.then(", each weighing ").then(v(weight)))
            }
            StmtKind::Reroll { explode, name, within, filter, at_most } => {
                let of = within.as_ref().unwrap_or(name);
                let pool = Words::var(&human(&of.text));
                let words = match (explode, filter) {
                    (false, None) => Words::from("Roll ").then(pool).then(" again"),
                    (false, Some(filter)) => Words::from("Roll each die of ")
                        .then(pool)
                        .then(" again for which ")
                        .then(self.condition(filter, true, s)),
                    (true, Some(filter)) => Words::from("Add a die to ")
                        .then(pool)
                        .then(" for each for which ")
                        .then(self.condition(filter, true, s)),
                    (true, None) => Words::from("Add a die for each of ").then(pool),
                };
                at_most.as_ref().map_or(words.clone(), |most| words.then(", ").then(v(most)).then(" times at most"))
            }
            _ => return None,
        };
        Some(vec![step(words)])
    }

    /// Renders the decisions of players.
    fn decided(&self, kind: &StmtKind, s: &Scope) -> Option<Vec<Step>> {
        let words = match kind {
            StmtKind::ChooseAction { by, or_stop, stop_when, .. } => {
                let words = Words::from("Choose one of the actions").then(self.by(by.as_ref(), s));
                match stop_when {
                    Some(when) => words.then(", or stop if ").then(self.condition(when, true, s)),
                    None => words.then(if *or_stop { ", or stop" } else { "" }),
                }
            }
            StmtKind::ChooseOption { by, options, .. } => {
                let head = Words::from("Choose one").then(self.by(by.as_ref(), s)).then(":");
                return Some(vec![over(head, options.iter().map(|o| self.option(o, s)).collect())]);
            }
            StmtKind::Choose { name, amount, by, from, filter, or_none, prefer } => {
                let amount = self.of_amount(amount.as_ref(), s);
                let word = if amount.is_empty() { "Choose ".to_string() } else { format!("Choose {}", amount.plain()) };
                let one = if amount.is_empty() {
                    super::words::a(&self.local(&name.text, s).plain().replace("the ", ""))
                } else {
                    String::new()
                };
                let article = one.split(' ').next().unwrap_or_default();
                let words = self.one_of(format!("{word}{article}").trim_end(), name, from, filter.as_ref(), s);
                let words = words.then(if *or_none { ", or none" } else { "" });
                words.then(self.by(by.as_ref(), s)).then(self.preferred(prefer.as_ref(), s))
            }
            StmtKind::May { name, by, when, prefer, body } => {
                let mut words = Words::from("If wanted (").then(Words::var(&human(&name.text))).then(")");
                if let Some(when) = when {
                    words = words.then(", and only if ").then(self.condition(when, true, s));
                }
                words = words.then(self.by(by.as_ref(), s));
                if let Some(prefer) = prefer {
                    words = words.then("; as a rule if ").then(self.condition(prefer, true, s));
                }
                return Some(vec![self.under(words, self.steps(body, s))]);
            }
            _ => return None,
        };
        Some(vec![step(words)])
    }

    /// Renders control flow: conditions, loops, and statements that end a block.
    fn led(&self, kind: &StmtKind, s: &Scope) -> Option<Vec<Step>> {
        let v = |e: &Expr| self.value(e, s);
        let words = match kind {
            StmtKind::If { arms, otherwise } => {
                return Some(self.ifs(arms.iter().map(|(c, b)| (c, b)), otherwise.as_ref(), s));
            }
            StmtKind::Match(found) => return Some(vec![self.matched(found, s)]),
            StmtKind::Each { name, from, filter, order, body } => {
                let words = self.one_of("For each", name, from, filter.as_ref(), s);
                let words = match order {
                    EachOrder::AsListed => words,
                    EachOrder::Chosen { by, .. } => words.then(", in an order of choice").then(self.by(by.as_ref(), s)),
                    EachOrder::By(e) => words.then(", the least ").then(v(e)).then(" first"),
                };
                return Some(vec![self.under(words, self.steps(body, s))]);
            }
            StmtKind::Repeat { body, condition } => {
                let words = match condition {
                    Some(c) => Words::from("Again and again, as long as ").then(self.condition(c, true, s)),
                    None => Words::from("Again and again"),
                };
                return Some(vec![self.under(words, self.steps(body, s))]);
            }
            StmtKind::AtOnce(body) => {
                return Some(vec![self.under("All at the same moment".into(), self.steps(body, s))]);
            }
            StmtKind::Move { motion, otherwise } => return Some(self.motion(motion, otherwise.as_ref(), s)),
            StmtKind::Return(None) => "It ends here".into(),
            StmtKind::Return(Some(e)) => Words::from("The result is ").then(self.answer_to(e, s)),
            StmtKind::Stop => "Go no further".into(),
            StmtKind::End(phase) => Words::from("End ").then(self.named(phase)),
            StmtKind::CancelAction { returned } => {
                Words::from("The action is cancelled").then(if *returned { ", and its cost is refunded" } else { "" })
            }
            _ => return None,
        };
        Some(vec![step(words)])
    }

    /// Renders the verdicts of tests, and the heads of actions.
    fn judged(&self, kind: &StmtKind, s: &Scope) -> Option<Vec<Step>> {
        let v = |e: &Expr| self.value(e, s);
        let words = match kind {
            StmtKind::PassWhen(e) => Words::from("Passed if ").then(self.condition(e, true, s)),
            StmtKind::Grade(e) => match &e.kind {
                ExprKind::Match(found) => {
                    let mut one = self.matched(found, s);
                    one.words = Words::from("The grade, depending on ").then(v(&found.subject)).then(":");
                    return Some(vec![one]);
                }
                _ => Words::from("The grade is ").then(v(e)),
            },
            StmtKind::Needs { condition, reason } => {
                let words = Words::from("Only if ").then(self.condition(condition, true, s));
                match reason {
                    Some(reason) => words.then(format!(" (else: {})", reason.text)),
                    None => words,
                }
            }
            StmtKind::Limit { times, per, key, when } => {
                let times = match v(times).plain().as_str() {
                    "1" => Words::from("Once"),
                    _ => v(times).then(" times"),
                };
                let words = times.then(" at most in each ").then(self.named(per));
                let words = key.as_ref().map_or(words.clone(), |key| {
                    words.then(", for each ").then(v(key).plain().trim_start_matches("the "))
                });
                match when {
                    Some(when) => words.then(", if ").then(self.condition(when, true, s)),
                    None => words,
                }
            }
            StmtKind::Cost { amount, of } => {
                Words::from("It costs ").then(v(amount)).then(" of ").then(self.local(&of.text, s))
            }
            _ => return None,
        };
        Some(vec![step(words)])
    }
}

/// Renders a constraint of a move from its rendered parts.
fn line_words(asks: Constraint, parts: Vec<Words>) -> Words {
    // The template of the constraint, with markers for the parts.
    let marks = (0..parts.len()).map(|n| format!("\u{1}{n}\u{1}"));
    let rendered = asks.words(marks).replace("..", "to");
    let mut out = Words::default();
    for (n, piece) in rendered.split('\u{1}').enumerate() {
        let part = piece.parse::<usize>().ok().filter(|_| n % 2 == 1).and_then(|at| parts.get(at));
        out = match part {
            Some(part) => out.then(part.clone()),
            None => out.then(piece),
        };
    }
    out
}

/// Returns whether the form of an expression is that of a condition.
pub fn is_question(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Compare { .. } | ExprKind::Has { .. } | ExprKind::Is { .. } | ExprKind::In { .. } => true,
        ExprKind::Within { .. } | ExprKind::Sees { .. } | ExprKind::Nearer { .. } | ExprKind::Not(_) => true,
        ExprKind::And(_) | ExprKind::Or(_) => true,
        ExprKind::Query { what, .. } | ExprKind::PoolQuery { what, .. } => {
            matches!(what, Quantifier::Any | Quantifier::No | Quantifier::Every)
        }
        ExprKind::Paren(inner) => is_question(inner),
        _ => false,
    }
}
