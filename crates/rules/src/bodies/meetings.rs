//! Desugars moves with reactions to obstacles: `move x { exactly D as left; .. } on meeting { rows }` becomes a loop
//! of moves, each with the remaining length of the previous one.

use super::super::code::Stmt as Checked;
use super::body::BodyChecker;
use grognard_base::{Code, Span};
use grognard_syntax::tree::{self, Constraint, Expr, ExprKind, LetSource, Move, Name, Stmt, StmtKind};

/// Names of the leg and the remaining length if the rules give none. A written name has no space.
const LEG: &str = "its leg";
const LEFT: &str = "the remaining length";

impl BodyChecker<'_, '_> {
    /// Checks a move with `on meeting` as its desugared statements. Returns `None` for any other statement. After the
    /// move, its remaining length is in scope only under a written name.
    pub fn repeated_move(&mut self, s: &Stmt) -> Option<Vec<Checked>> {
        let (motion, leg, otherwise) = match &s.kind {
            StmtKind::Move { motion, otherwise } => (motion, None, otherwise.as_ref()),
            StmtKind::Let { names, value: LetSource::Move(motion), .. } => (motion, names.first(), None),
            _ => return None,
        };
        let tree::Meeting { always, rows } = match &motion.meeting {
            Some(meeting) => meeting,
            None => {
                for name in motion.lines.iter().filter_map(|line| line.counted.as_ref()) {
                    let help = "add `on meeting { .. }` after the move, or subtract `leg.covered` from the length \
                                yourself";
                    let message = format!(
                        "`{}` counts the remaining length for `on meeting`, but there is no `on \
                                           meeting`",
                        name.text
                    );
                    self.say_help(Code::Scope, name.span, message, help);
                }
                return None;
            }
        };
        if let Some(otherwise) = otherwise {
            let help = "use a row: if there is no legal path, nothing was met: `none => ..`";
            self.say_help(Code::Scope, otherwise.span, "`else` and `on meeting` cannot be combined", help);
        }
        let counted = self.counted_line(motion)?;
        let line = &motion.lines[counted];
        let hidden = |text: &str| Name { text: text.into(), span: rows.subject.span };
        let left = line.counted.clone().unwrap_or_else(|| hidden(LEFT));
        let leg = leg.cloned().unwrap_or_else(|| hidden(LEG));
        let at = |kind| Stmt { cites: Vec::new(), kind, span: line.span };
        let length = tree::TypeExprKind::Named(Name { text: "Length".into(), span: line.span });
        let ty = Some(tree::TypeExpr { kind: length, optional: false, span: line.span });
        let start = at(StmtKind::Var { name: left.clone(), ty, value: line.parts[0].clone() });
        let mut body = vec![
            one_leg(motion, counted, &left, &leg, s.span),
            at(StmtKind::Set {
                target: named(&left),
                op: tree::SetOp::Sub,
                value: part_of(&leg, "covered"),
                until: None,
            }),
        ];
        body.extend(always.iter().cloned());
        let met = Box::new(Expr { span: rows.subject.span, ..part_of(&leg, "met") });
        let kind = StmtKind::Match(tree::Match { subject: met, ..rows.clone() });
        body.push(Stmt { cites: Vec::new(), kind, span: rows.span });
        let none = number(line.span);
        let more = ExprKind::Compare { left: Box::new(named(&left)), op: tree::CompareOp::Gt, right: Box::new(none) };
        let condition = Some(Expr { kind: more, span: line.span });
        let body = tree::Block { stmts: body, span: s.span };
        let again = Stmt { cites: s.cites.clone(), kind: StmtKind::Repeat { body, condition }, span: s.span };
        let mark = self.mark();
        let made = [start, again].iter().filter_map(|part| self.stmt(part)).collect();
        if line.counted.is_none() {
            self.leave(mark);
        }
        Some(made)
    }

    /// Returns the index of the line whose length is counted down: the one with `as`, or else the only one with a
    /// length.
    fn counted_line(&mut self, motion: &Move) -> Option<usize> {
        let lengths = |line: &tree::MoveLine| matches!(line.asks, Constraint::Exactly | Constraint::AtMost);
        let all: Vec<usize> = (0..motion.lines.len()).filter(|n| lengths(&motion.lines[*n])).collect();
        let named: Vec<usize> = all.iter().copied().filter(|n| motion.lines[*n].counted.is_some()).collect();
        let span = motion.meeting.as_ref().map_or(motion.span, |meeting| meeting.rows.subject.span);
        let (message, help) = match (named.as_slice(), all.as_slice()) {
            ([one], _) | ([], [one]) => return Some(*one),
            ([], []) => (
                "a move that continues after a meeting needs a length that is counted down",
                "add a line `exactly D` or `at most D`",
            ),
            _ => (
                "it is not clear which length is counted down",
                "write `as left` after one of them: `exactly D as left`",
            ),
        };
        self.wrong_help(Code::Scope, span, message, help)
    }
}

/// Returns the statement of one leg, with the remaining length in place of the full one.
fn one_leg(motion: &Move, counted: usize, left: &Name, leg: &Name, span: Span) -> Stmt {
    let mut motion = Move { meeting: None, ..motion.clone() };
    let line = &mut motion.lines[counted];
    line.counted = None;
    line.parts = vec![Expr { span: line.parts[0].span, ..named(left) }];
    Stmt {
        cites: Vec::new(),
        kind: StmtKind::Let { names: vec![leg.clone()], ty: None, value: LetSource::Move(motion) },
        span,
    }
}

fn named(name: &Name) -> Expr {
    Expr { kind: ExprKind::Name(name.text.clone()), span: name.span }
}

fn part_of(leg: &Name, part: &str) -> Expr {
    let part = Name { text: part.into(), span: leg.span };
    Expr { kind: ExprKind::Field(Box::new(named(leg)), part), span: leg.span }
}

fn number(span: Span) -> Expr {
    Expr { kind: ExprKind::Number(tree::Number { thousandths: 0, unit: tree::Unit::Inches }), span }
}
