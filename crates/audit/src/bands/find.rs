//! Finds bands in checked code.

use super::cells::NumberTest;
use super::tests::{Atom, Reader, domain};
use super::{Form, Ladder, LadderRow};
use crate::code::*;
use crate::reads::walk::{Node, walk_body, walk_stmts};
use crate::ruleset::{HeaderLine, Ruleset, Trigger};
use grognard_base::value::*;
use grognard_base::{OrdMap, Span};

/// Maximum number of rows of a ladder that are analyzed. Bounds the cost for generated files.
const MOST: usize = 200;

/// Returns all ladders of a ruleset: those in functions, in their order, then those of guards and of action headers.
pub fn ladders(rules: &Ruleset) -> Vec<Ladder<'_>> {
    let mut finder = Finder { reader: Reader { rules }, rules, func: FuncId(0), found: Vec::new() };
    for (n, function) in rules.functions.iter().enumerate() {
        finder.func = FuncId::from(n);
        walk_body(&function.body, &mut |node| finder.node(node));
        if let Body::Block(stmts) = &function.body {
            finder.apart(stmts);
        }
    }
    finder.guards();
    finder.headers();
    finder.found
}

struct Finder<'r> {
    reader: Reader<'r>,
    rules: &'r Ruleset,
    func: FuncId,
    found: Vec<Ladder<'r>>,
}

/// A row: its location, the tests of single values in its condition, and whether these are the whole condition.
type Read<'r> = (Span, Vec<Atom<'r>>, bool);

impl<'r> Finder<'r> {
    fn node(&mut self, node: Node<'r>) {
        match node {
            Node::Expr(e) => match &e.kind {
                ExprKind::If { arms, otherwise } => {
                    let rows = arms.iter().map(|(condition, _)| self.read(condition)).collect();
                    self.chain(Form::Else, e.span, rows, Some(otherwise));
                }
                ExprKind::Match { subject, rows } => {
                    let rows: Vec<_> = rows.iter().map(|row| (&row.patterns, row.when.is_some(), &row.value)).collect();
                    let spans = rows.iter().map(|row| row.2.span).collect::<Vec<Span>>();
                    let last = rows.last().map(|row| row.2);
                    let rows = rows.into_iter().map(|(patterns, when, _)| (patterns.as_slice(), when)).collect();
                    self.matched(e.span, subject, rows, &spans, last);
                }
                ExprKind::Table { keys, rows, .. } if keys.len() == 1 && matches!(e.ty, Type::Optional(_)) => {
                    self.table(e, &keys[0], rows);
                }
                _ => {}
            },
            Node::Stmt(s) => self.stmt(s),
        }
    }

    fn stmt(&mut self, s: &'r Stmt) {
        blocks(s).into_iter().for_each(|block| self.apart(block));
        match &s.kind {
            StmtKind::If { arms, otherwise } => {
                let rows = arms.iter().map(|(condition, _)| self.read(condition)).collect();
                let form = if otherwise.is_empty() { Form::Chain } else { Form::Else };
                self.chain(form, s.span, rows, None);
            }
            StmtKind::Match { subject, rows } => {
                let spans: Vec<Span> = rows.iter().map(|row| row.body.first().map_or(s.span, |b| b.span)).collect();
                let rows = rows.iter().map(|row| (row.patterns.as_slice(), row.when.is_some())).collect();
                self.matched(s.span, subject, rows, &spans, None);
            }
            StmtKind::ChooseOption { options, .. } => {
                let rows: Option<Vec<Read<'r>>> = options
                    .iter()
                    .map(|o| o.when.as_ref().map(|when| (o.span, self.reader.parts(when).0, false)))
                    .collect();
                if let Some(rows) = rows.filter(|rows| rows.len() > 1) {
                    self.chain(Form::Options, s.span, rows, None);
                }
            }
            StmtKind::May { when: Some(when), .. } => self.alone(when),
            _ => {}
        }
    }

    fn read(&self, condition: &'r Expr) -> Read<'r> {
        let (atoms, whole) = self.reader.parts(condition);
        (condition.span, atoms, whole)
    }

    /// Adds a condition as a ladder of one row, whose only possible flaw is [`super::Flaw::Never`].
    fn alone(&mut self, condition: &'r Expr) {
        let row = self.read(condition);
        self.chain(Form::Chain, condition.span, vec![row], None);
    }

    /// Adds a ladder for each value that all rows test. In chains, each test of a later row is also a ladder of one row.
    fn chain(&mut self, form: Form, span: Span, rows: Vec<Read<'r>>, otherwise: Option<&'r Expr>) {
        let Some((_, first, _)) = rows.first() else { return };
        for atom in first {
            let found: Option<Vec<LadderRow>> = rows
                .iter()
                .take(MOST)
                .map(|(span, atoms, whole)| {
                    let own = atoms.iter().find(|other| other.key == atom.key)?;
                    let sure = *whole && atoms.len() == 1;
                    Some(LadderRow { span: *span, test: own.test.clone(), sure })
                })
                .collect();
            if let Some(rows) = found {
                self.push(form, span, (atom.subject, atom.against), rows, otherwise);
            }
        }
        // an arm of a chain can contradict itself, regardless of the values that the other arms test
        for (span, atoms, _) in rows.into_iter().filter(|_| matches!(form, Form::Chain | Form::Else)).skip(1) {
            for atom in atoms {
                let row = LadderRow { span, test: atom.test, sure: false };
                self.push(Form::Chain, span, (atom.subject, atom.against), vec![row], None);
            }
        }
    }

    fn push(
        &mut self,
        form: Form,
        span: Span,
        (subject, against): (&'r Expr, Option<&'r Expr>),
        rows: Vec<LadderRow>,
        otherwise: Option<&'r Expr>,
    ) {
        let item = self.rules.functions[self.func.at()].item;
        // the difference of two values can be any number
        if let Some(domain) = against.map_or(domain(&subject.ty), |_| Some(bands::Domain::Ratio)) {
            self.found.push(Ladder { form, func: self.func, item, span, subject, against, domain, rows, otherwise });
        }
    }

    /// Adds the rows of a `match` above its last row, if that row is the `else`.
    fn matched(
        &mut self,
        span: Span,
        subject: &'r Expr,
        rows: Vec<(&'r [Pat], bool)>,
        spans: &[Span],
        last: Option<&'r Expr>,
    ) {
        let ends = rows.last().is_some_and(|(patterns, when)| matches!(patterns, [Pat::Any]) && !when);
        let Some((subject, _)) = self.reader.figure(subject).filter(|_| ends && rows.len() > 2) else { return };
        let rows = &rows[..rows.len() - 1];
        let rows = rows.iter().zip(spans).map(|((patterns, when), span)| {
            // a row with a bound that is known only in play may accept any number, but is not sure to accept one
            let tests = patterns.iter().map(|p| self.reader.pattern(p)).collect::<Option<Vec<NumberTest>>>();
            let sure = tests.is_some() && !when;
            LadderRow { span: *span, test: tests.map_or(NumberTest::Always, NumberTest::Any), sure }
        });
        let rows = rows.take(MOST).collect();
        // the checker reports rows that are never chosen
        self.push(Form::Else, span, (subject, None), rows, last);
    }

    fn table(&mut self, e: &'r Expr, key: &'r Expr, rows: &'r [Vec<Pat>]) {
        let read = |patterns: &Vec<Pat>| {
            Some(NumberTest::Any(patterns.iter().map(|p| self.reader.pattern(p)).collect::<Option<Vec<NumberTest>>>()?))
        };
        let rows: Option<Vec<LadderRow>> =
            rows.iter().take(MOST).map(|row| Some(LadderRow { span: e.span, test: read(row)?, sure: true })).collect();
        if let (Some(rows), Some((subject, _))) = (rows, self.reader.figure(key)) {
            self.push(Form::Table, e.span, (subject, None), rows, None);
        }
    }

    /// Adds the groups of consecutive `if` statements with one arm and no `else`.
    fn apart(&mut self, stmts: &'r [Stmt]) {
        for group in stmts.chunk_by(|a, b| single(a).is_some() && single(b).is_some()) {
            let arms: Vec<&(Expr, Vec<Stmt>)> = group.iter().filter_map(single).collect();
            if arms.len() > 1 {
                let rows = arms.iter().map(|(condition, _)| self.read(condition)).collect();
                let calm = arms.iter().all(|(_, body)| is_calm(body));
                let follows = group.as_ptr_range().end != stmts.as_ptr_range().end;
                let form = match arms.iter().all(|(_, body)| leaves(body)) {
                    // the statements after arms that return act as the `else`
                    true if follows => Form::Else,
                    _ if calm => Form::Rules,
                    _ => Form::Apart,
                };
                self.chain(form, group[0].span, rows, None);
            }
        }
    }

    /// Adds each guard by itself, and the guards of the rules on each event together.
    fn guards(&mut self) {
        let mut groups: OrdMap<u32, Vec<(Span, &'r Expr, FuncId)>> = OrdMap::new();
        for rule in &self.rules.rules {
            let Some(guard) = rule.guard else { continue };
            let Body::Value(condition) = &self.rules.functions[guard.at()].body else { continue };
            self.func = guard;
            self.alone(condition);
            if let (Trigger::Event(event), None) = (rule.on, rule.of_trait) {
                let span = self.rules.items[rule.item.at()].span;
                groups.entry(event.0).or_default().push((span, condition, guard));
            }
        }
        for group in groups.into_values().filter(|group| group.len() > 1) {
            self.func = group[0].2;
            let rows = group.iter().take(MOST).map(|(span, condition, _)| {
                let (_, atoms, whole) = self.read(condition);
                (*span, atoms, whole)
            });
            let rows: Vec<Read<'r>> = rows.collect();
            // rules on one event can test different values, so each value has a separate ladder
            let keys: Vec<String> = rows.iter().flat_map(|(_, atoms, _)| atoms.iter().map(|a| a.key.clone())).collect();
            let mut rendered: Vec<String> = Vec::new();
            for key in keys {
                let looks = |row: &&Read<'r>| row.1.iter().any(|atom| atom.key == key);
                let own: Vec<Read<'r>> = rows.iter().filter(looks).cloned().collect();
                if own.len() < 2 || rendered.contains(&key) {
                    continue;
                }
                let own = own.into_iter().map(|(span, atoms, whole)| {
                    let sure = whole && atoms.len() == 1;
                    (span, atoms.into_iter().filter(|atom| atom.key == key).collect(), sure)
                });
                self.chain(Form::Rules, group[0].0, own.collect(), None);
                rendered.push(key);
            }
        }
    }

    /// Adds the conditions of action headers. All conditions of a header must hold, so tests of one value are joined.
    fn headers(&mut self) {
        for action in &self.rules.actions {
            self.func = action.func;
            let mut all: Vec<Atom<'r>> = Vec::new();
            let mut span = self.rules.items[action.item.at()].span;
            for line in &action.header {
                let condition = match line {
                    HeaderLine::Needs { condition, .. } => condition,
                    HeaderLine::Choose { filter: Some(filter), .. } => filter,
                    _ => continue,
                };
                for atom in self.reader.parts(condition).0 {
                    match all.iter_mut().find(|known| known.key == atom.key) {
                        Some(known) => {
                            known.test = NumberTest::All(vec![known.test.clone(), atom.test]);
                            span = condition.span;
                        }
                        None => all.push(atom),
                    }
                }
            }
            for atom in all {
                let row = LadderRow { span, test: atom.test, sure: false };
                self.push(Form::Chain, span, (atom.subject, atom.against), vec![row], None);
            }
        }
    }
}

/// Returns the arm of an `if` with exactly one arm and no `else`.
fn single(s: &Stmt) -> Option<&(Expr, Vec<Stmt>)> {
    match &s.kind {
        StmtKind::If { arms, otherwise } if arms.len() == 1 && otherwise.is_empty() => arms.first(),
        _ => None,
    }
}

/// Returns whether the block ends with a statement that leaves the enclosing block.
fn leaves(block: &[Stmt]) -> bool {
    block.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_) | StmtKind::Stop | StmtKind::End(_)))
}

/// Returns the blocks directly inside a statement.
fn blocks(s: &Stmt) -> Vec<&[Stmt]> {
    match &s.kind {
        StmtKind::If { arms, otherwise } => {
            arms.iter().map(|(_, body)| body.as_slice()).chain([otherwise.as_slice()]).collect()
        }
        StmtKind::Match { rows, .. } => rows.iter().map(|row| row.body.as_slice()).collect(),
        StmtKind::ChooseOption { options, .. } => options.iter().map(|o| o.body.as_slice()).collect(),
        StmtKind::May { body, .. } | StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } => vec![body],
        StmtKind::Move { otherwise: Some(body), .. } => vec![body],
        _ => Vec::new(),
    }
}

/// Returns whether a body neither changes values that other conditions test nor prevents their evaluation.
fn is_calm(body: &[Stmt]) -> bool {
    let mut calm = true;
    walk_stmts(body, &mut |node| {
        if let Node::Stmt(s) = node {
            calm &= matches!(
                s.kind,
                StmtKind::Let { .. }
                    | StmtKind::LetTuple { .. }
                    | StmtKind::Roll { .. }
                    | StmtKind::If { .. }
                    | StmtKind::Match { .. }
                    | StmtKind::May { .. }
                    | StmtKind::Set { target: Target::Tally(_), .. }
            );
        }
    });
    calm
}
