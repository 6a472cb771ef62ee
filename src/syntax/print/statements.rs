//! Statements to text.

use super::Out;
use crate::syntax::tree::*;

impl Out {
    pub(super) fn block(&mut self, block: &Block) {
        self.braces(&block.stmts, |out, stmt| {
            out.cite_above(&stmt.cites);
            out.stmt(stmt);
        });
    }

    pub(super) fn body(&mut self, body: &Body) {
        match body {
            Body::Block(block) => self.block(block),
            Body::Stmt(stmt) => self.stmt(stmt),
            Body::Value(value) => self.expr(value),
        }
    }

    fn call(&mut self, word: &str, call: &Call) {
        self.put(word).name(&call.name);
        self.args(&call.args);
    }

    fn until(&mut self, until: Option<&Until>) {
        if let Some(until) = until {
            self.put(if until.start { " until start of " } else { " until end of " }).name(&until.phase);
            self.opt(" for ", until.key.as_ref());
        }
    }

    fn amount(&mut self, amount: Option<&Range>) {
        if let Some(amount) = amount {
            self.range(amount);
            self.put(" of ");
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { names, ty, value } => self.let_stmt(names, ty.as_ref(), value),
            StmtKind::Var { name, ty, value } => {
                self.put("var ").name(name);
                self.typed(ty.as_ref());
                self.word(" = ", value);
            }
            StmtKind::Set { target, op, value, until } => {
                self.word("set ", target);
                self.word(set_op(*op), value);
                self.until(until.as_ref());
            }
            StmtKind::Grant { status, args, to, until } => {
                self.put("grant ").name(status);
                if !args.is_empty() {
                    self.args(args);
                }
                self.word(" to ", to);
                self.until(until.as_ref());
            }
            StmtKind::Revoke { status, from } => {
                self.put("revoke ").name(status);
                self.word(" from ", from);
            }
            StmtKind::If { arms, otherwise } => {
                for (n, (condition, block)) in arms.iter().enumerate() {
                    self.word(if n == 0 { "if " } else { " else if " }, condition);
                    self.put(" ");
                    self.block(block);
                }
                self.else_block(otherwise.as_ref());
            }
            StmtKind::Match(m) => self.match_of(m),
            StmtKind::Move { motion, otherwise } => {
                self.motion(motion);
                self.else_block(otherwise.as_ref());
            }
            StmtKind::Place { thing, at } => {
                self.word("place ", thing);
                self.word(" at ", at);
            }
            StmtKind::Turn { thing, by, angle } => {
                self.word("turn ", thing);
                self.word(if *by { " by " } else { " to " }, angle);
            }
            StmtKind::Destroy { thing, reason } => {
                self.word("destroy ", thing);
                self.title(reason.as_ref());
            }
            StmtKind::Spawn { name, kind, fields } => {
                self.put("spawn ").name(name).put(": ").name(kind).put(" ");
                self.braces(fields, |out, (name, value)| {
                    out.name(name);
                    out.word(" = ", value);
                });
            }
            StmtKind::Merge { from, into } => {
                self.word("merge ", from);
                self.word(" into ", into);
            }
            StmtKind::Do(call) => self.call("do ", call),
            StmtKind::Test(call) => self.call("test ", call),
            StmtKind::Emit(call) => self.call("emit ", call),
            StmtKind::Run(call) => {
                self.put("run ").name(&call.name);
                if !call.args.is_empty() {
                    self.args(&call.args);
                }
            }
            StmtKind::Return(value) => {
                self.put("return");
                self.opt(" ", value.as_ref());
            }
            StmtKind::Stop => {
                self.put("stop");
            }
            StmtKind::End(phase) => {
                self.put("end ").name(phase);
            }
            StmtKind::CancelAction => {
                self.put("cancel action");
            }
            StmtKind::PassWhen(condition) => self.word("pass when ", condition),
            StmtKind::Grade(grade) => self.word("grade ", grade),
            StmtKind::Needs { condition, reason } => {
                self.word("needs ", condition);
                if reason.is_some() {
                    self.put(" else");
                }
                self.title(reason.as_ref());
            }
            StmtKind::Limit { times, per, key, when } => {
                self.word("limit ", times);
                self.put(" per ").name(per);
                self.opt(" for ", key.as_ref());
                self.opt(" when ", when.as_ref());
            }
            StmtKind::Cost { amount, of } => {
                self.word("cost ", amount);
                self.put(" ").name(of);
            }
            _ => self.chance_or_choice(&stmt.kind),
        }
    }

    fn chance_or_choice(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Roll { name, key, by, count, dice } => {
                self.put("roll ").name(name);
                if let Some(key) = key {
                    self.put(" as \"").name(key).put("\"");
                }
                self.opt(" by ", by.as_ref());
                self.put(" = ");
                if let Some(count) = count {
                    self.expr(count);
                    self.put(" of ");
                }
                self.expr(dice);
            }
            StmtKind::Draw { name, amount, by, from, filter, or_none, weight } => {
                self.put("draw ");
                self.menu(name, amount.as_ref(), by.as_ref(), from, filter.as_ref(), *or_none);
                self.opt(" weight ", weight.as_ref());
            }
            StmtKind::Reroll { explode, name, within, filter, at_most } => {
                self.put(if *explode { "explode " } else { "reroll " }).name(name);
                if let Some(within) = within {
                    self.put(" in ").name(within);
                }
                self.opt(" where ", filter.as_ref());
                self.opt(" at most ", at_most.as_ref());
            }
            StmtKind::ChooseAction { by, or_stop, stop_when, .. } => {
                self.put("choose action");
                self.opt(" by ", by.as_ref());
                if *or_stop {
                    self.put(" or stop");
                }
                self.opt(" when ", stop_when.as_ref());
            }
            StmtKind::ChooseOption { name, by, options } => {
                self.put("choose ").name(name);
                self.opt(" by ", by.as_ref());
                self.put(" ");
                self.braces(options, Out::option);
            }
            StmtKind::Choose { name, amount, by, from, filter, or_none, prefer } => {
                self.put("choose ");
                self.menu(name, amount.as_ref(), by.as_ref(), from, filter.as_ref(), *or_none);
                match prefer {
                    Some(Prefer::Extreme { most, by }) => {
                        self.word(if *most { " prefer most " } else { " prefer least " }, by)
                    }
                    Some(Prefer::When { which, condition }) => {
                        self.word(&format!(" prefer {}when ", which.word()), condition);
                    }
                    None => {}
                }
            }
            StmtKind::May { name, by, when, prefer, body } => {
                self.put("may ").name(name);
                self.opt(" by ", by.as_ref());
                self.opt(" when ", when.as_ref());
                self.opt(" prefer when ", prefer.as_ref());
                self.put(" ");
                self.block(body);
            }
            StmtKind::Each { name, from, filter, order, body } => {
                self.put("each ").name(name).put(" in ");
                self.range(from);
                self.opt(" where ", filter.as_ref());
                match order {
                    EachOrder::AsListed => {}
                    EachOrder::Chosen { name, by } => {
                        self.put(" chosen as ").name(name);
                        self.opt(" by ", by.as_ref());
                    }
                    EachOrder::By(key) => self.word(" ordered by ", key),
                }
                self.put(" ");
                self.block(body);
            }
            StmtKind::Repeat { body, condition } => {
                self.put("repeat ");
                self.block(body);
                self.opt(" while ", condition.as_ref());
            }
            _ => {}
        }
    }

    fn menu(
        &mut self,
        name: &Name,
        amount: Option<&Range>,
        by: Option<&Expr>,
        from: &Range,
        filter: Option<&Expr>,
        none: bool,
    ) {
        self.amount(amount);
        self.name(name);
        self.opt(" by ", by);
        self.put(" in ");
        self.range(from);
        self.opt(" where ", filter);
        if none {
            self.put(" or none");
        }
    }

    fn option(&mut self, option: &ChoiceOption) {
        self.name(&option.name);
        self.opt(" when ", option.when.as_ref());
        if let Some(prefer) = &option.prefer {
            self.put(" prefer");
            self.opt(" when ", prefer.as_ref());
        }
        self.put(" => ");
        self.body(&option.body);
        self.cite_behind(&option.cites);
    }

    fn else_block(&mut self, otherwise: Option<&Block>) {
        if let Some(block) = otherwise {
            self.put(" else ");
            self.block(block);
        }
    }

    fn let_stmt(&mut self, names: &[Name], ty: Option<&TypeExpr>, value: &Source) {
        self.put("let ");
        if let [name] = names {
            self.name(name);
        } else {
            self.put("(");
            self.list(names, ", ", |out, name| {
                out.name(name);
            });
            self.put(")");
        }
        self.typed(ty);
        self.put(" = ");
        match value {
            Source::Value(value) => self.expr(value),
            Source::Do(call) => self.call("do ", call),
            Source::Test(call) => self.call("test ", call),
            Source::Move(motion) => self.motion(motion),
        }
    }

    /// `: T`, if there is a type.
    pub(super) fn typed(&mut self, ty: Option<&TypeExpr>) {
        if let Some(ty) = ty {
            self.put(": ");
            self.ty(ty);
        }
    }

    fn motion(&mut self, motion: &Move) {
        self.word("move ", &motion.thing);
        self.put(" ");
        self.braces(&motion.lines, |out, line| {
            out.move_line(&line.kind);
            out.opt(" when ", line.when.as_ref());
            out.cite_behind(&line.cites);
        });
    }

    fn move_line(&mut self, line: &MoveLineKind) {
        match line {
            MoveLineKind::AtLeast(e) => self.word("at least ", e),
            MoveLineKind::AtMost(e) => self.word("at most ", e),
            MoveLineKind::Exactly(e) => self.word("exactly ", e),
            MoveLineKind::Toward(e) => self.word("toward ", e),
            MoveLineKind::AwayFrom(e) => self.word("away from ", e),
            MoveLineKind::NoNearerTo(e) => self.word("no nearer to ", e),
            MoveLineKind::EndsWithin { distance, of } => {
                self.word("ends within ", distance);
                self.word(" of ", of);
            }
            MoveLineKind::EndsWhere(e) => self.word("ends where ", e),
            MoveLineKind::NeverWhere(e) => self.word("never where ", e),
            MoveLineKind::Along(e) => self.word("along ", e),
            MoveLineKind::Heading(range) => {
                self.put("heading ");
                self.range(range);
            }
            MoveLineKind::StraightFor(e) => self.word("straight for ", e),
            MoveLineKind::KeepsFacing => {
                self.put("keeps facing");
            }
            MoveLineKind::BendsAtMost(e) => self.word("bends at most ", e),
            MoveLineKind::Avoids(e) => self.word("avoids ", e),
            MoveLineKind::Through(e) => self.word("through ", e),
            MoveLineKind::StopsOnContact(with) => {
                self.put("stops on contact");
                self.opt(" with ", with.as_ref());
            }
            MoveLineKind::StopsWhere(e) => self.word("stops where ", e),
            MoveLineKind::Costs { point, cost } => {
                self.put("costs ").name(point);
                self.word(" => ", cost);
            }
        }
    }
}

pub(super) fn set_op(op: SetOp) -> &'static str {
    match op {
        SetOp::Set => " = ",
        SetOp::Add => " += ",
        SetOp::Sub => " -= ",
    }
}
