//! Compiles statements.

use super::*;
use collections::Entries;
use grognard_rules::code::{Collection, EachOrder, Stmt, StmtKind, StmtRow, Target};
use grognard_rules::reads::walk::{Node, walk_stmts};
use grognard_rules::ruleset::Stored;
use writes::Touched;

impl Compiler<'_> {
    pub(super) fn block(&mut self, stmts: &[Stmt]) {
        let top = self.frame.top;
        for stmt in stmts {
            self.statement(stmt);
        }
        // the code that follows belongs to the enclosing statement, for example the back edge of a loop
        if let Some(around) = self.frame.span {
            self.place(around);
        }
        self.frame.top = top;
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.place(stmt.span);
        let cites = std::mem::replace(&mut self.frame.cites, stmt.cites.clone());
        let span = self.frame.span.replace(stmt.span);
        self.ran(&stmt.cites);
        // dice of a roll that can be rerolled stay in their registers until the end of the block
        if let StmtKind::Roll { site, local, count, dice, sum, by } = &stmt.kind {
            self.roll(*site, *local, count.as_ref(), dice, *sum, by.as_ref());
        } else {
            self.scoped(|c| c.plain_statement(stmt));
        }
        (self.frame.cites, self.frame.span) = (cites, span);
    }

    fn plain_statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { local, value } => {
                let dst = self.local(*local);
                self.value_to(value, dst);
                self.check_local(dst, value, *local);
                self.note_value(*local, value);
            }
            StmtKind::LetTuple { locals, value } => {
                let mut at = self.value(value);
                for local in locals {
                    let width = self.width(&self.local_type(*local));
                    let dst = self.local(*local);
                    self.copy(dst, at, width);
                    at += width;
                }
            }
            StmtKind::Set { target, op, value, one, until } => self.set(target, *op, value, *one, until.as_ref()),
            StmtKind::Roll { .. } => {}
            StmtKind::Draw { site, local, amount, entry, from, filter, or_none, weight, by } => {
                self.draw(
                    *site,
                    *local,
                    amount.as_ref(),
                    *entry,
                    from,
                    filter.as_ref(),
                    *or_none,
                    weight.as_ref(),
                    by.as_ref(),
                );
            }
            StmtKind::Reroll { site, roll, explode, pool, entry, filter, rounds } => {
                self.reroll(*site, *roll, *explode, *pool, *entry, filter.as_ref(), rounds.as_ref());
            }
            StmtKind::Grant { status, data, to, until } => self.grant(*status, data, to, until.as_ref()),
            StmtKind::Revoke { status, data, from } => {
                let (thing, kind) = self.thing(from);
                let skip = self.skip_missing(from, thing);
                self.needs_play(thing, kind);
                self.ran_item(self.rules.traits[status.at()].item);
                if data.is_empty() {
                    self.emit(Instr::Revoke { id: *status, thing });
                } else {
                    let data = self.status_data(*status, data);
                    self.emit(Instr::RevokeOne { id: *status, thing, data });
                }
                self.after(&Touched { traits: vec![*status], thing: Some((thing, kind)), ..Touched::default() });
                self.aim_all(skip);
            }
            StmtKind::If { arms, otherwise } => self.if_statement(arms, otherwise),
            StmtKind::Match { subject, rows } => self.match_statement(subject, rows),
            StmtKind::ChooseAction { site, by, or_stop, stop_when } => {
                self.choose_action(*site, by.as_ref(), *or_stop, stop_when.as_ref())
            }
            StmtKind::ChooseOption { site, by, options } => self.choose_option(*site, by.as_ref(), options),
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::May { site, by, when, prefer, body } => {
                self.may(*site, by.as_ref(), when.as_ref(), prefer.as_ref(), body)
            }
            StmtKind::Each { local, from, filter, order, earlier, body } => match order {
                EachOrder::AsListed => self.each(*local, from, filter.as_ref(), None, *earlier, body),
                EachOrder::By(key) => self.each(*local, from, filter.as_ref(), Some(key), *earlier, body),
                EachOrder::Chosen { site, by } => {
                    self.each_chosen(*site, by.as_ref(), *local, from, filter.as_ref(), *earlier, body)
                }
            },
            StmtKind::Repeat { body, condition } => self.repeat(body, condition.as_ref()),
            StmtKind::Move { motion, leg, otherwise } => self.motion(motion, *leg, otherwise.as_deref()),
            StmtKind::Place { thing, at } => {
                let (reg, kind) = self.thing(thing);
                let skip = self.skip_missing(thing, reg);
                self.needs_play(reg, kind);
                let place = self.take(2);
                self.place_of(at, place);
                self.emit(Instr::Put { kind, thing: reg, at: place });
                self.after(&Touched { table: true, thing: Some((reg, kind)), ..Touched::default() });
                self.aim_all(skip);
            }
            StmtKind::Turn { thing, by, angle } => {
                let (reg, kind) = self.thing(thing);
                let skip = self.skip_missing(thing, reg);
                self.needs_play(reg, kind);
                let angle = self.value(angle);
                self.emit(Instr::Turn { kind, thing: reg, by: *by, angle });
                self.aim_all(skip);
            }
            StmtKind::Destroy { thing, reason } => {
                let (reg, kind) = self.thing(thing);
                let skip = self.skip_missing(thing, reg);
                self.needs_play(reg, kind);
                self.announce_destruction(reg, kind);
                let why = self.text(reason);
                self.emit(Instr::Destroy { kind, thing: reg, why });
                self.after(&self.kind_touched(kind));
                self.aim_all(skip);
            }
            StmtKind::Spawn { local, kind, fields } => self.spawn(*local, *kind, fields),
            StmtKind::Merge { from, into } => {
                let (a, kind) = self.thing(from);
                let (b, _) = self.thing(into);
                let mut skip = self.skip_missing(from, a);
                skip.extend(self.skip_missing(into, b));
                self.needs_play(a, kind);
                self.needs_play(b, kind);
                self.emit(Instr::Merge { kind, from: a, into: b });
                self.after(&self.kind_touched(kind));
                self.aim_all(skip);
            }
            StmtKind::Call { func, args, into } => {
                let dst = match into {
                    Some(local) => self.local(*local),
                    None => {
                        let result = self.rules.functions[func.at()].result.clone();
                        self.take(self.width(&result).max(1))
                    }
                };
                self.call(*func, args, dst);
            }
            StmtKind::Borrowing { thing, figures, call } => self.borrowing(thing, figures, call),
            StmtKind::Run { phase, args } => {
                let func = self.rules.phases[phase.at()].func;
                let none = self.take(1);
                self.call(func, args, none);
            }
            StmtKind::Emit { event, args } => {
                self.ran_item(self.rules.events[event.at()].item);
                let func = self.program.events[event.at()];
                let none = self.take(1);
                self.call(func, args, none);
            }
            StmtKind::Return(value) => self.return_value(value.as_ref()),
            StmtKind::Stop => {
                let at = self.jump();
                self.leave_loop(at);
            }
            StmtKind::End(phase) => {
                self.emit(Instr::End { phase: *phase });
            }
            StmtKind::CancelAction(returned) => {
                for (condition, body) in returned {
                    let skip = if returned.len() > 1 { self.unless(condition) } else { Vec::new() };
                    self.block(body);
                    self.aim_all(skip);
                }
                self.emit(Instr::Cancel);
            }
            StmtKind::Pass(condition) => {
                if let Some(verdict) = self.frame.verdict {
                    self.value_to(condition, verdict);
                    self.note_condition(condition, verdict);
                }
            }
            StmtKind::Grade(grade) => {
                if let Some(verdict) = self.frame.verdict {
                    self.value_to(grade, verdict);
                }
            }
        }
    }

    /// Adds a jump out of the innermost loop of the body, or to the end of the body if there is no loop.
    pub(super) fn leave_loop(&mut self, at: usize) {
        match self.frame.loops.last_mut() {
            Some(exit) => exit.jumps.push(at),
            None => match &mut self.frame.exits {
                Some(exits) => exits.push(at),
                None => {
                    let end = self.emit(Instr::Return { src: 0, n: 0 });
                    self.aim_at(at, end as Pc);
                }
            },
        }
    }

    fn return_value(&mut self, value: Option<&Expr>) {
        if self.frame.exits.is_some() {
            let at = self.jump();
            if let Some(exits) = &mut self.frame.exits {
                exits.push(at);
            }
            return;
        }
        match value {
            Some(e) => {
                // the declared result may be wider than the value (an optional of it)
                let result = self.function_of(self.frame.func).map_or(e.ty.clone(), |f| f.result.clone());
                let n = self.width(&result);
                let src = self.take(n.max(1));
                self.value_to(e, src);
                self.check_result(src, e, &result);
                self.emit(Instr::Return { src, n });
            }
            None => {
                self.emit(Instr::Return { src: 0, n: 0 });
            }
        }
    }

    pub(super) fn text(&mut self, text: &str) -> u32 {
        if let Some(at) = self.program.texts.iter().position(|t| t == text) {
            return at as u32;
        }
        self.program.texts.push(text.to_string());
        self.program.texts.len() as u32 - 1
    }

    /// Returns what changes if things of a kind are created or destroyed: every field of theirs with a link can change.
    fn kind_touched(&self, kind: KindId) -> Touched {
        let fields = self.rules.fields.iter().enumerate().filter(|(_, f)| f.kind == kind);
        let stored = fields.map(|(n, _)| Stored::Field(FieldId::from(n))).collect();
        Touched { stored, table: true, ..Touched::default() }
    }

    fn if_statement(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) {
        let mut done = Vec::new();
        for (n, (condition, body)) in arms.iter().enumerate() {
            let skip = self.noted_unless(condition);
            self.block(body);
            if n + 1 < arms.len() || !otherwise.is_empty() {
                done.push(self.jump());
            }
            self.aim_all(skip);
        }
        self.block(otherwise);
        self.aim_all(done);
    }

    fn match_statement(&mut self, subject: &Expr, rows: &[StmtRow]) {
        self.note_branch(subject);
        let mut done = Vec::new();
        let mut total = false;
        let reg = self.value(subject);
        for row in rows {
            let mut skip = self.row_patterns(&row.patterns, reg, &subject.ty);
            if let Some(when) = &row.when {
                skip.extend(self.noted_unless(when));
            }
            self.ran(&row.cites);
            self.block(&row.body);
            total = skip.is_empty();
            if total {
                break;
            }
            done.push(self.jump());
            self.aim_all(skip);
        }
        self.no_case(total, subject.span);
        self.aim_all(done);
    }

    fn grant(&mut self, status: TraitId, data: &[Expr], to: &Expr, until: Option<&grognard_rules::code::Until>) {
        let (thing, kind) = self.thing(to);
        let skip = self.skip_missing(to, thing);
        self.needs_play(thing, kind);
        let base = self.status_data(status, data);
        self.ran_item(self.rules.traits[status.at()].item);
        self.emit(Instr::Grant { id: status, thing, data: base });
        self.after_until(until, &Touched { traits: vec![status], thing: Some((thing, kind)), ..Touched::default() });
        if let Some(until) = until {
            self.tag(TagWhat::Status(status), until, thing, base);
        }
        self.aim_all(skip);
    }

    /// Compiles the data of a status instance into registers.
    fn status_data(&mut self, status: TraitId, data: &[Expr]) -> Reg {
        let widths: Vec<Reg> = {
            let record = self.rules.traits[status.at()].data;
            let fields = self.rules.records[record.at()].fields.clone();
            fields.iter().map(|(_, t)| self.width(t)).collect()
        };
        let base = self.take(widths.iter().sum::<Reg>().max(1));
        let mut at = base;
        let whole = Type::Record(self.rules.traits[status.at()].data);
        for (index, (value, width)) in data.iter().zip(&widths).enumerate() {
            self.value_to(value, at);
            self.check_part(at, value, &whole, index);
            at += width;
        }
        base
    }

    fn spawn(&mut self, local: LocalId, kind: KindId, fields: &[(FieldId, Expr)]) {
        let dst = self.local(local);
        // values are computed before the thing exists
        let values: Vec<(FieldId, Reg, Type)> = fields
            .iter()
            .map(|(f, e)| {
                let width = self.width(&self.rules.fields[f.at()].ty.clone()).max(self.width(&e.ty)).max(1);
                let reg = self.take(width);
                self.value_to(e, reg);
                (*f, reg, e.ty.clone())
            })
            .collect();
        self.ran_type(&Type::Kind(kind));
        self.emit(Instr::Spawn { dst, kind });
        for (field, reg, _) in &values {
            let info = self.rules.fields[field.at()].clone();
            if let grognard_rules::ruleset::FieldSort::BackLink(link) = info.sort {
                self.emit(Instr::SetBackLink { id: link, thing: dst, list: *reg, add: false });
                continue;
            }
            let wanted = self.take(1);
            self.copy(wanted, *reg, 1);
            for (bound, op) in [(info.high, Op::Min), (info.low, Op::Max)] {
                bound.map(|bound| self.clamp_constant(bound, op, *reg));
            }
            self.emit(Instr::SetField { id: *field, thing: dst, src: *reg, wanted });
        }
        // a bound may read a value that a default provides, so clamping comes last
        self.spawn_defaults(dst, kind, fields);
        self.after(&self.kind_touched(kind));
    }

    /// Compiles the defaults of fields that the statement does not set. Defaults may read the other fields.
    fn spawn_defaults(&mut self, thing: Reg, kind: KindId, given: &[(FieldId, Expr)]) {
        let rest: Vec<(FieldId, FuncId, Type)> = self
            .rules
            .fields
            .iter()
            .enumerate()
            .filter(|(n, f)| f.kind == kind && f.keys.is_empty() && given.iter().all(|(g, _)| g.at() != *n))
            .filter_map(|(n, f)| f.default.map(|d| (FieldId::from(n), d, f.ty.clone())))
            .collect();
        for (field, default, ty) in rest {
            self.scoped(|c| {
                let reg = c.take(c.width(&ty).max(1));
                c.call_with(default, &[(thing, 1)], reg);
                c.emit(Instr::SetField { id: field, thing, src: reg, wanted: reg });
            });
        }
    }

    // ---------------------------------------------------------------- loops

    /// Compiles a loop body. It releases the heap that it used unless it fills lists that outlive a round.
    fn loop_body(&mut self, body: &[Stmt]) {
        let keep = self.program.keeps_heap || fills_lists(self, body);
        let mark = (!keep).then(|| self.take(1));
        if let Some(dst) = mark {
            self.emit(Instr::Mark { dst });
        }
        self.block(body);
        if let Some(mark) = mark {
            self.emit(Instr::Release { mark });
        }
    }

    fn repeat(&mut self, body: &[Stmt], condition: Option<&Expr>) {
        let top = self.here();
        self.frame.loops.push(LoopExit::default());
        let leave = condition.map_or(Vec::new(), |c| self.unless(c));
        self.loop_body(body);
        self.emit(Instr::Jump { to: top });
        self.aim_all(leave);
        self.end_exits();
    }

    fn end_exits(&mut self) {
        if let Some(exit) = self.frame.loops.pop() {
            self.aim_all(exit.jumps);
        }
    }

    fn each(
        &mut self,
        local: LocalId,
        from: &Collection,
        filter: Option<&Expr>,
        key: Option<&Expr>,
        earlier: Option<LocalId>,
        body: &[Stmt],
    ) {
        let bind = self.local(local);
        if let (Collection::Range(..) | Collection::Cases(..), None, None) = (from, key, earlier) {
            return self.each_number(bind, from, filter, body);
        }
        let (mut list, width) = self.as_list(from);
        let entry = self.entry_type(from);
        if let Some(key) = key {
            // the loop sorts a copy, so the original list is unchanged
            let own = self.take(1);
            self.copy(own, list, 1);
            list = own;
            self.order_by(list, width, bind, key);
        }
        let done = earlier.map(|_| self.take(1));
        if let Some(dst) = done {
            self.emit(Instr::NewList { dst });
        }
        let looped = self.begin_loop(&Entries::List { list, width }, bind);
        self.frame.loops.push(LoopExit::default());
        let fallen_too = matches!(from, Collection::List(e) if super::fallen::is_with_fallen(e));
        let mut next = if fallen_too { Vec::new() } else { self.skip_dead(bind, &entry) };
        next.extend(filter.map_or(Vec::new(), |f| self.unless(f)));
        self.earlier(earlier, done, &entry);
        if done.is_some() {
            self.block(body);
        } else {
            self.loop_body(body);
        }
        if let Some(list) = done {
            self.emit(Instr::Push { list, src: bind, n: width });
        }
        self.end_loop(looped, next, Vec::new());
        self.end_exits();
    }

    /// Compiles a loop over numbers, which needs no list.
    fn each_number(&mut self, bind: Reg, from: &Collection, filter: Option<&Expr>, body: &[Stmt]) {
        let entries = self.source(from);
        let looped = self.begin_loop(&entries, bind);
        self.frame.loops.push(LoopExit::default());
        let next = filter.map_or(Vec::new(), |f| self.unless(f));
        self.loop_body(body);
        self.end_loop(looped, next, Vec::new());
        self.end_exits();
    }

    fn order_by(&mut self, list: Reg, width: Reg, bind: Reg, key: &Expr) {
        let n = self.width(&key.ty);
        let keys = self.take(1);
        if distances::is_distance(key) {
            self.distance_keys(list, width, bind, key, keys);
            self.emit(Instr::SortBy { list, keys, width, n });
            return;
        }
        self.emit(Instr::NewList { dst: keys });
        self.scoped(|c| {
            let looped = c.begin_loop(&Entries::List { list, width }, bind);
            let value = c.entry_value(key);
            c.emit(Instr::Push { list: keys, src: value, n });
            c.end_loop(looped, Vec::new(), Vec::new());
        });
        self.emit(Instr::SortBy { list, keys, width, n });
    }

    fn skip_dead(&mut self, bind: Reg, entry: &Type) -> Vec<usize> {
        let Type::Kind(kind) = *entry else { return Vec::new() };
        self.scoped(|c| {
            let cond = c.take(1);
            c.emit(Instr::Alive { dst: cond, thing: bind, kind });
            vec![c.emit(Instr::JumpUnless { cond, to: 0 })]
        })
    }

    fn earlier(&mut self, earlier: Option<LocalId>, done: Option<Reg>, entry: &Type) {
        if let (Some(local), Some(done)) = (earlier, done) {
            let dst = self.local(local);
            if let Type::Kind(kind) = *entry {
                self.emit(Instr::Living { dst, list: done, kind });
            } else {
                self.copy(dst, done, 1);
            }
        }
    }

    /// Compiles a loop in which the decider picks the next entry among those that currently satisfy the filter.
    #[allow(clippy::too_many_arguments)] // the parts of one statement
    fn each_chosen(
        &mut self,
        site: SiteId,
        by: Option<&Expr>,
        local: LocalId,
        from: &Collection,
        filter: Option<&Expr>,
        earlier: Option<LocalId>,
        body: &[Stmt],
    ) {
        let bind = self.local(local);
        let (given, width) = self.as_list(from);
        let entry = self.entry_type(from);
        let left = self.take(1);
        self.copy(left, given, 1);
        let done = self.take(1);
        self.emit(Instr::NewList { dst: done });
        let (menu, at) = (self.take(1), self.take(1));
        let top = self.here();
        self.frame.loops.push(LoopExit::default());
        // the entries that may be next
        self.emit(Instr::NewList { dst: menu });
        self.scoped(|c| {
            let looped = c.begin_loop(&Entries::List { list: left, width }, bind);
            let mut next = c.skip_dead(bind, &entry);
            next.extend(filter.map_or(Vec::new(), |f| c.unless(f)));
            c.emit(Instr::Push { list: menu, src: bind, n: width });
            c.end_loop(looped, next, Vec::new());
        });
        let (length, none) = (self.take(1), self.take(1));
        self.emit(Instr::Length { dst: length, list: menu });
        self.constant(none, 0);
        let over = self.emit(Instr::JumpCompare { op: Op::Eq, a: length, b: none, to: 0 });
        self.ask(site, by, |_, _| AskKind::Next { dst: at, from: menu, width });
        self.emit(Instr::Entry { dst: bind, list: menu, index: at, n: width });
        self.without(left, bind, width);
        self.earlier(earlier, Some(done), &entry);
        self.block(body);
        self.emit(Instr::Push { list: done, src: bind, n: width });
        self.emit(Instr::Jump { to: top });
        self.aim(over);
        self.end_exits();
    }

    /// Removes the first entry equal to `entry` from a list.
    fn without(&mut self, list: Reg, entry: Reg, width: Reg) {
        self.scoped(|c| {
            let other = c.take(width.max(1));
            let looped = c.begin_loop(&Entries::List { list, width }, other);
            let same = c.take(1);
            c.emit(Instr::Op { op: Op::EqCells, dst: same, a: other, b: entry, n: width });
            let next = c.emit(Instr::JumpUnless { cond: same, to: 0 });
            let at = looped.at;
            c.emit(Instr::TakeOut { list, index: at, n: width });
            let leave = c.jump();
            c.end_loop(looped, vec![next], vec![leave]);
        });
    }
}

/// Returns whether the body of a loop writes lists that outlive a round.
fn fills_lists(c: &Compiler, body: &[Stmt]) -> bool {
    let mut found = false;
    walk_stmts(body, &mut |node| {
        let Node::Stmt(stmt) = node else { return };
        match &stmt.kind {
            StmtKind::Set { target: Target::Local(id), .. } => {
                found |= !c.list_cells(&c.local_type(*id)).is_empty();
            }
            StmtKind::Set { target: Target::Ambient(_), .. } | StmtKind::Reroll { .. } => found = true,
            StmtKind::Set { .. } | StmtKind::Let { .. } | StmtKind::LetTuple { .. } | StmtKind::Roll { .. } => {}
            StmtKind::Draw { .. } | StmtKind::Grant { .. } | StmtKind::Revoke { .. } | StmtKind::If { .. } => {}
            StmtKind::Match { .. } | StmtKind::ChooseAction { .. } | StmtKind::ChooseOption { .. } => {}
            StmtKind::Choose(_) | StmtKind::May { .. } | StmtKind::Each { .. } | StmtKind::Repeat { .. } => {}
            StmtKind::Move { .. } | StmtKind::Place { .. } | StmtKind::Turn { .. } | StmtKind::Destroy { .. } => {}
            StmtKind::Spawn { .. } | StmtKind::Merge { .. } | StmtKind::Call { .. } | StmtKind::Run { .. } => {}
            StmtKind::Emit { .. } | StmtKind::Return(_) | StmtKind::Stop | StmtKind::End(_) => {}
            StmtKind::Borrowing { .. } => {}
            StmtKind::CancelAction(_) | StmtKind::Pass(_) | StmtKind::Grade(_) => {}
        }
    });
    found
}
