//! Finds changes of statements and moves.

use super::*;
use grognard_syntax::tree::LetSource;

impl Finder<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        let braces = self.slice(block.span).starts_with('{');
        block.stmts.iter().for_each(|stmt| self.statement(stmt, !braces));
        self.reordered(&block.stmts);
    }

    /// Removes all statements of a body, if there are at least two.
    pub(super) fn emptied(&mut self, whole: Span, stmts: &[Stmt]) {
        if let [first, .., last] = stmts {
            let gone = self.with_cite(first).to(last.span);
            self.replace(MutationSort::Rule, whole, gone, "");
        }
    }

    /// Returns the span of a statement with the citation above it.
    fn with_cite(&self, stmt: &Stmt) -> Span {
        let above = stmt.cites.iter().map(|c| c.span.start).min().filter(|at| *at < stmt.span.start);
        let cite = above.and_then(|at| self.text.get(..at as usize)?.rfind("cite"));
        cite.map_or(stmt.span, |at| self.span(at, stmt.span.end as usize))
    }

    /// Makes a temporary assignment permanent.
    fn lasting(&mut self, whole: Span, behind: Span, until: Option<&Lasting>) {
        match until {
            Some(Lasting::Edge(until)) => {
                let gone = self.span(behind.end as usize, until.span.end as usize);
                self.replace(MutationSort::Condition, whole, gone, "");
                self.outward(whole, &until.phase);
            }
            Some(Lasting::Chosen(rows)) => self.matching(rows),
            None => {}
        }
    }

    /// Removes a statement, or replaces it by an empty block where a statement is required.
    fn left_out(&mut self, stmt: &Stmt, alone: bool) {
        let (gone, new) = if alone { (stmt.span, "{ }") } else { (self.with_cite(stmt), "") };
        self.replace(MutationSort::Line, stmt.span, gone, new);
    }

    pub(super) fn statement(&mut self, stmt: &Stmt, alone: bool) {
        self.under(&stmt.cites, |f| {
            if can_go(&stmt.kind) {
                f.left_out(stmt, alone);
            }
            f.repeated(stmt, alone);
            f.other_subject(stmt);
            f.compulsory(stmt);
            f.without_field(stmt);
            f.parts(stmt);
        });
    }

    fn parts(&mut self, stmt: &Stmt) {
        let whole = stmt.span;
        match &stmt.kind {
            StmtKind::Let { ty, value, .. } => {
                ty.iter().for_each(|ty| self.ranged(ty));
                match value {
                    LetSource::Value(value) => self.expr(value),
                    LetSource::Do(call) | LetSource::Test(call) => {
                        self.exprs(call.args.iter().map(|a| &a.value).chain(call.with.iter().map(|w| &w.1)));
                    }
                    LetSource::Move(motion) => self.motion(motion),
                }
            }
            StmtKind::Var { ty, value, .. } => {
                ty.iter().for_each(|ty| self.cut_to(ty));
                self.expr(value);
            }
            StmtKind::Roll { count, dice, .. } => self.exprs(count.iter().chain([dice])),
            StmtKind::Draw { amount, from, filter, weight, .. } => {
                amount.iter().for_each(|amount| self.range(amount));
                self.range(from);
                self.clause(whole, "where", filter.as_ref());
                self.exprs(weight);
            }
            StmtKind::Reroll { filter, at_most, .. } => {
                self.clause(whole, "where", filter.as_ref());
                self.exprs(at_most);
            }
            StmtKind::Set { target, op, value, until } => {
                self.assign(whole, *op, (target.span.end, value.span.start));
                self.lasting(whole, value.span, until.as_ref());
                self.expr(value);
            }
            StmtKind::Grant { args, to, until, .. } => {
                self.lasting(whole, to.span, until.as_ref());
                self.exprs(args.iter().map(|a| &a.value));
            }
            StmtKind::If { arms, otherwise } => {
                for (condition, block) in arms {
                    let head = self.span(whole.start as usize, block.span.start as usize);
                    self.settled(head, condition);
                    self.expr(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StmtKind::Match(found) => self.matching(found),
            StmtKind::ChooseAction { stop_when, .. } => self.clause(whole, "when", stop_when.as_ref()),
            StmtKind::ChooseOption { options, .. } => {
                for option in options {
                    self.under(&option.cites, |f| {
                        f.clause(option.span, "when", option.when.as_ref());
                        if let Some(Some(prefer)) = &option.prefer {
                            f.clause(option.span, "when", Some(prefer));
                        }
                        f.body(&option.body);
                    });
                }
            }
            StmtKind::Choose { amount, from, filter, prefer, .. } => {
                amount.iter().for_each(|amount| self.range(amount));
                self.range(from);
                self.clause(whole, "where", filter.as_ref());
                match prefer {
                    Some(Prefer::Extreme { most, by }) => {
                        self.extreme(whole, *most, from.span.end, by);
                        self.expr(by);
                    }
                    Some(Prefer::When { condition, .. }) => self.expr(condition),
                    None => {}
                }
            }
            StmtKind::May { when, prefer, body, .. } => {
                let head = self.span(whole.start as usize, body.span.start as usize);
                self.clause(head, "when", when.as_ref());
                // `prefer` without a condition means `prefer when yes`
                let written = prefer.iter().filter(|prefer| self.slice(prefer.span) != "prefer");
                self.exprs(written.collect::<Vec<_>>());
                self.block(body);
            }
            StmtKind::Each { from, filter, order, body, .. } => {
                let head = self.span(whole.start as usize, body.span.start as usize);
                self.range(from);
                self.clause(head, "where", filter.as_ref());
                if let EachOrder::By(key) = order {
                    self.clause(head, "ordered by", Some(key));
                }
                self.block(body);
            }
            StmtKind::Repeat { body, condition } => {
                self.block(body);
                self.exprs(condition);
            }
            StmtKind::AtOnce(body) => self.block(body),
            StmtKind::Move { motion, otherwise } => {
                self.motion(motion);
                otherwise.iter().for_each(|block| self.block(block));
            }
            StmtKind::Place { at: value, .. } | StmtKind::Turn { angle: value, .. } => self.expr(value),
            StmtKind::Spawn { fields, .. } => self.exprs(fields.iter().map(|(_, e)| e)),
            StmtKind::Do(call) | StmtKind::Test(call) | StmtKind::Run(call) | StmtKind::Emit(call) => {
                self.exprs(call.args.iter().map(|a| &a.value).chain(call.with.iter().map(|w| &w.1)));
            }
            StmtKind::Return(value) => self.exprs(value),
            StmtKind::PassWhen(value) | StmtKind::Grade(value) => self.expr(value),
            StmtKind::Needs { condition, .. } => self.expr(condition),
            StmtKind::Limit { times, per, when, .. } => {
                self.outward(whole, per);
                self.expr(times);
                self.clause(whole, "when", when.as_ref());
            }
            StmtKind::Cost { amount, .. } => self.expr(amount),
            StmtKind::Revoke { .. } | StmtKind::Destroy { .. } | StmtKind::Merge { .. } | StmtKind::Stop => {}
            StmtKind::End(_) | StmtKind::CancelAction { .. } => {}
        }
    }

    /// Adds a change that swaps `+=` and `-=`.
    pub(super) fn assign(&mut self, whole: Span, op: SetOp, gap: (u32, u32)) {
        match op {
            SetOp::Set => {}
            SetOp::Add => self.swap_word(MutationSort::Word, whole, gap, ("+=", "-=")),
            SetOp::Sub => self.swap_word(MutationSort::Word, whole, gap, ("-=", "+=")),
        }
    }

    fn motion(&mut self, motion: &Move) {
        for line in &motion.lines {
            self.under(&line.cites, |f| f.line(line));
        }
        if let Some(meeting) = &motion.meeting {
            meeting.always.iter().for_each(|s| self.statement(s, false));
            self.matching(&meeting.rows);
        }
    }

    fn line(&mut self, line: &MoveLine) {
        let whole = line.span;
        let end = line.cites.first().and_then(|c| self.text.get(..c.span.start as usize)?.rfind("cite"));
        let end = end.filter(|at| *at > whole.start as usize && *at < whole.end as usize);
        let own = self.slice(self.span(whole.start as usize, end.unwrap_or(whole.end as usize)));
        self.never(whole, line.when.as_ref(), whole.start + own.trim_end().len() as u32);
        self.clause(whole, "when", line.when.as_ref());
        self.exprs(&line.parts);
    }
}

/// Returns whether a statement can be removed from a body. The parts of other statements are removed one by one.
fn can_go(kind: &StmtKind) -> bool {
    use StmtKind::*;
    matches!(
        kind,
        Reroll { .. }
            | Set { .. }
            | Grant { .. }
            | Revoke { .. }
            | ChooseAction { .. }
            | May { .. }
            | Move { .. }
            | Place { .. }
            | Turn { .. }
            | Destroy { .. }
            | Merge { .. }
            | Do(_)
            | Test(_)
            | Run(_)
            | Emit(_)
            | Return(None)
            | Stop
            | End(_)
            | CancelAction { .. }
            | Needs { .. }
            | Limit { .. }
            | Cost { .. }
    )
}
