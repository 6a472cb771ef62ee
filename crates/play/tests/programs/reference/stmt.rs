//! Runs statements.

use super::dice::Draw;
use super::value::V;
use super::world::{Exit, Frame, Res, Wait, World};
use grognard_syntax::tree::*;

/// Maximum number of statements of a run.
const FUEL: usize = 20_000;

impl World<'_> {
    /// Runs a block and drops its names.
    pub fn block(&mut self, frame: &mut Frame, block: &Block) -> Res<()> {
        let before = frame.env.len();
        let done = self.statements(frame, &block.stmts);
        frame.env.truncate(before);
        done
    }

    pub fn statements(&mut self, frame: &mut Frame, stmts: &[Stmt]) -> Res<()> {
        for stmt in stmts {
            self.fuel += 1;
            if self.fuel > FUEL {
                return Err(Exit::TooLong);
            }
            self.statement(frame, stmt)?;
        }
        Ok(())
    }

    pub fn body(&mut self, frame: &mut Frame, body: &Body) -> Res<()> {
        match body {
            Body::Block(block) => self.block(frame, block),
            Body::Stmt(stmt) => self.statement(frame, stmt),
            Body::Value(_) | Body::Lasts(..) => panic!("no statement"),
        }
    }

    fn statement(&mut self, frame: &mut Frame, stmt: &Stmt) -> Res<()> {
        let name = |frame: &mut Frame, name: &Name, value: V| frame.env.push((name.text.clone(), value));
        match &stmt.kind {
            StmtKind::Let { names, ty, value } => {
                let value = match value {
                    LetSource::Value(value) => self.eval(frame, value)?,
                    LetSource::Do(call) => self.call_proc(frame, call)?,
                    LetSource::Test(call) => self.call_test(frame, call)?,
                    LetSource::Move(_) => panic!("the reference evaluator has no board"),
                };
                let value = ty.as_ref().map_or(value.clone(), |ty| self.fit(ty, value));
                self.promised(frame.me, ty.as_ref(), &value)?;
                match (&names[..], value) {
                    ([one], value) => name(frame, one, value),
                    (names, V::Tuple(parts)) => names.iter().zip(parts).for_each(|(n, part)| name(frame, n, part)),
                    (_, other) => panic!("{other:?} has no parts"),
                }
            }
            StmtKind::Var { name: of, ty, value } => {
                let value = self.eval(frame, value)?;
                self.promised(frame.me, ty.as_ref(), &value)?;
                if let Some(ty) = ty {
                    frame.types.push((of.text.clone(), ty.clone()));
                }
                name(frame, of, value);
            }
            StmtKind::Roll { name: of, by, count, dice, .. } => {
                self.acts(frame, by.as_ref())?;
                let value = self.roll(frame, &of.text, count.as_ref(), dice)?;
                name(frame, of, value);
            }
            StmtKind::Reroll { explode, name: of, within, filter, at_most } => match within {
                Some(pool) => {
                    self.acts(frame, None)?;
                    self.rounds(frame, (*explode, &of.text, &pool.text), filter.as_ref(), at_most.as_ref())?;
                }
                None => {
                    self.acts(frame, None)?;
                    let value = self.again(frame, &of.text)?;
                    let at = frame.env.iter().rposition(|(n, _)| *n == of.text).expect("a roll");
                    frame.env[at].1 = value;
                }
            },
            StmtKind::Draw { name: of, amount, by, from, filter, or_none, weight, .. } => {
                self.acts(frame, by.as_ref())?;
                let draw = Draw {
                    name: &of.text,
                    amount: amount.as_ref(),
                    from,
                    filter: filter.as_ref(),
                    or_none: *or_none,
                    weight: weight.as_ref(),
                };
                let value = self.draw(frame, &draw)?;
                name(frame, of, value);
            }
            StmtKind::Set { target, op, value, until } => {
                let value = self.eval(frame, value)?;
                let wait = self.lasting(frame, until.as_ref())?;
                self.set(frame, target, *op, value, wait)?;
            }
            StmtKind::Grant { status, args, to, until } => {
                let formals = self.book.trait_of(&status.text).expect("a status").params.clone();
                let data = self.bind(frame, &formals, args)?;
                let wait = self.lasting(frame, until.as_ref())?;
                if let V::Thing(n) = self.eval(frame, to)? {
                    self.grant(n, &status.text, data, wait)?;
                }
            }
            StmtKind::Revoke { status, all, args, from } => {
                let formals = self.book.trait_of(&status.text).expect("a status").params.clone();
                let data = if *all || formals.is_empty() { None } else { Some(self.bind(frame, &formals, args)?) };
                if let V::Thing(n) = self.eval(frame, from)? {
                    self.revoke(n, &status.text, data)?;
                }
            }
            StmtKind::If { arms, otherwise } => {
                let before = frame.env.len();
                for (condition, block) in arms {
                    if self.eval(frame, condition)?.flag() {
                        let done = self.block(frame, block);
                        frame.env.truncate(before);
                        return done;
                    }
                    frame.env.truncate(before);
                }
                if let Some(block) = otherwise {
                    self.block(frame, block)?;
                }
            }
            StmtKind::Match(of) => {
                let subject = self.eval(frame, &of.subject)?;
                let before = frame.env.len();
                for row in &of.rows {
                    let fits =
                        self.fits_any(frame, &subject, &row.patterns)? && self.holds(frame, row.when.as_ref())?;
                    let done = if fits { Some(self.body(frame, &row.body)) } else { None };
                    frame.env.truncate(before);
                    if let Some(done) = done {
                        return done;
                    }
                }
                panic!("no row fits {subject:?}");
            }
            StmtKind::ChooseAction { by, or_stop, stop_when, .. } => {
                let stops = *or_stop && self.holds(frame, stop_when.as_ref())?;
                self.choose_action(frame, by.as_ref(), stops)?;
            }
            StmtKind::ChooseOption { name, by, options } => self.option(frame, &name.text, by.as_ref(), options)?,
            StmtKind::Choose { name: of, amount, by, from, filter, or_none, prefer } => {
                let among = (from, filter.as_ref());
                let (amount, by, prefer) = (amount.as_ref(), by.as_ref(), prefer.as_ref());
                let value = self.choose(frame, &of.text, amount, by, among, *or_none, prefer)?;
                name(frame, of, value);
            }
            StmtKind::May { name, by, when, prefer, body } => {
                if self.holds(frame, when.as_ref())? && self.may(frame, &name.text, by.as_ref(), prefer.as_ref())? {
                    self.block(frame, body)?;
                }
            }
            StmtKind::Each { name, from, filter, order, body } => {
                self.each(frame, &name.text, from, filter.as_ref(), order, body)?;
            }
            StmtKind::Repeat { body, condition } => loop {
                self.fuel += 1;
                if self.fuel > FUEL {
                    return Err(Exit::TooLong);
                }
                if !self.holds(frame, condition.as_ref())? {
                    break;
                }
                match self.block(frame, body) {
                    Err(Exit::Stop) => break,
                    other => other?,
                }
            },
            StmtKind::Destroy { thing, .. } => {
                if let V::Thing(n) = self.eval(frame, thing)? {
                    self.destroy(n)?;
                }
            }
            StmtKind::Spawn { name: of, kind, fields } => {
                let mut values = Vec::new();
                for (field, value) in fields {
                    values.push((field.text.clone(), self.eval(frame, value)?));
                }
                let number = self.things.iter().filter(|t| t.kind == kind.text).count() + 1;
                let at = self.add(&kind.text, &format!("{}#{number}", kind.text), Vec::new());
                self.log.push(format!("spawn {}", self.things[at].name));
                for (field, value) in values {
                    // a bound that reads another figure cuts after all figures have a value
                    let value = self.at_least(at, &field, value)?;
                    self.things[at].fields.insert(field, super::world::Stored::lasts(value));
                }
                self.defaults(at)?;
                self.recut()?;
                self.judge()?;
                name(frame, of, V::Thing(at));
            }
            StmtKind::Do(call) => drop(self.call_proc(frame, call)?),
            StmtKind::Test(call) => drop(self.call_test(frame, call)?),
            StmtKind::Run(call) => self.run_phase(frame, call)?,
            StmtKind::Emit(call) => {
                let fields = &self.book.events[call.name.text.as_str()];
                let event = V::Record(self.bind(frame, fields, &call.args)?);
                self.log.push(format!("emit {}", call.name.text));
                self.fire(&|on| matches!(on, Trigger::Event(e) if e.text == call.name.text), &event)?;
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(frame, value)?,
                    None => V::None,
                };
                return Err(Exit::Return(value));
            }
            StmtKind::Stop => return Err(Exit::Stop),
            StmtKind::End(phase) => return Err(Exit::End(phase.text.clone())),
            StmtKind::CancelAction { returned } => {
                if *returned {
                    self.give_back();
                }
                return Err(Exit::Cancel);
            }
            StmtKind::PassWhen(condition) => {
                let passed = self.eval(frame, condition)?;
                frame.verdict = Some(("passed", passed));
            }
            StmtKind::Grade(grade) => {
                let grade = self.eval(frame, grade)?;
                frame.verdict = Some(("grade", grade));
            }
            StmtKind::Place { thing, at } => {
                let at = self.eval(frame, at)?;
                if let V::Thing(n) = self.eval(frame, thing)? {
                    self.place(n, &at)?;
                }
            }
            StmtKind::Move { .. } | StmtKind::Turn { .. } => {
                panic!("the reference evaluator has no board")
            }
            other => panic!("{other:?} is not known here"),
        }
        Ok(())
    }

    /// Returns when a write ends, or `None` if it lasts.
    fn lasting(&mut self, frame: &mut Frame, until: Option<&Lasting>) -> Res<Option<Wait>> {
        match until {
            None => Ok(None),
            Some(Lasting::Edge(until)) => self.wait(frame, until).map(Some),
            Some(Lasting::Chosen(of)) => {
                let subject = self.eval(frame, &of.subject)?;
                for row in &of.rows {
                    if self.fits_any(frame, &subject, &row.patterns)? {
                        let Body::Lasts(until, _) = &row.body else { panic!("no duration") };
                        return until.as_ref().map(|until| self.wait(frame, until)).transpose();
                    }
                }
                panic!("no row fits {subject:?}")
            }
        }
    }

    fn set(&mut self, frame: &mut Frame, target: &Expr, op: SetOp, value: V, wait: Option<Wait>) -> Res<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                if let Some(at) = frame.env.iter().rposition(|(n, _)| n == name) {
                    let new = self.combined(op, frame.env[at].1.clone(), value)?;
                    let ty = frame.types.iter().rev().find(|(n, _)| n == name).map(|(_, ty)| ty.clone());
                    let new = ty.map_or(Ok(new.clone()), |ty| self.cut(frame.me, &ty, new))?;
                    frame.env[at].1 = new;
                    return Ok(());
                }
                if let Some(me) = frame.me
                    && self.declared(&self.things[me].kind, name).is_some()
                {
                    return self.write(&(Some(me), name.clone()), op, value, wait);
                }
                if let Some(at) = self.running.iter().rposition(|r| r.vars.iter().any(|(n, _)| n == name)) {
                    return self.share(at, name, op, value);
                }
                if let Some(count) = self.tallies.get_mut(name) {
                    *count += if op == SetOp::Sub { -value.int() } else { value.int() };
                    return Ok(());
                }
                self.write(&(None, name.clone()), op, value, wait)
            }
            ExprKind::Field(of, name) => match self.eval(frame, of)? {
                V::Thing(n) => self.write(&(Some(n), name.text.clone()), op, value, wait),
                V::Running(at) => {
                    let holds = |r: &super::world::Running| r.vars.iter().any(|(n, _)| *n == name.text);
                    let at = self.running[..=at].iter().rposition(holds).expect("a shared variable");
                    self.share(at, &name.text, op, value)
                }
                _ => Ok(()),
            },
            other => panic!("{other:?} cannot be set"),
        }
    }

    fn combined(&mut self, op: SetOp, old: V, value: V) -> Res<V> {
        match (op, old, value) {
            (SetOp::Set, _, value) => Ok(value),
            (SetOp::Add, V::List(old), V::List(more)) => Ok(V::List([old, more].concat())),
            (SetOp::Add, V::List(old), one) => Ok(V::List([old, vec![one]].concat())),
            (SetOp::Sub, V::List(old), V::List(less)) => Ok(V::List(self.without(old, &less))),
            (SetOp::Sub, V::List(old), one) => Ok(V::List(self.without(old, &[one]))),
            (SetOp::Add, old, by) => self.arith(ArithOp::Add, old, by),
            (SetOp::Sub, old, by) => self.arith(ArithOp::Sub, old, by),
        }
    }

    /// Sets a shared variable of a running phase, cut to its written range.
    fn share(&mut self, at: usize, name: &str, op: SetOp, value: V) -> Res<()> {
        let place = self.running[at].vars.iter().position(|(n, _)| n == name).expect("a shared variable");
        let old = self.running[at].vars[place].1.clone();
        let new = self.combined(op, old, value)?;
        let phase = self.book.phases.get(self.running[at].name.as_str());
        let ty = phase.and_then(|p| p.shares.iter().find(|s| s.name.text == name)).and_then(|s| s.ty.as_ref());
        let new = ty.map_or(Ok(new.clone()), |ty| self.cut(None, ty, new))?;
        self.running[at].vars[place].1 = new;
        Ok(())
    }

    fn each(
        &mut self,
        frame: &mut Frame,
        name: &str,
        from: &Range,
        filter: Option<&Expr>,
        order: &EachOrder,
        body: &Block,
    ) -> Res<()> {
        let mut left = self.collection(frame, from)?;
        let before = frame.env.len();
        if let EachOrder::By(key) = order {
            let mut keyed = Vec::new();
            for entry in left {
                frame.env.push((name.to_string(), entry.clone()));
                keyed.push((self.eval(frame, key)?, entry));
                frame.env.truncate(before);
            }
            keyed.sort_by(|a, b| a.0.order(&b.0));
            left = keyed.into_iter().map(|(_, entry)| entry).collect();
        }
        let outer = std::mem::take(&mut frame.earlier);
        let done = self.turns(frame, name, left, filter, order, body);
        frame.earlier = outer;
        frame.env.truncate(before);
        done
    }

    fn turns(
        &mut self,
        frame: &mut Frame,
        name: &str,
        mut left: Vec<V>,
        filter: Option<&Expr>,
        order: &EachOrder,
        body: &Block,
    ) -> Res<()> {
        let before = frame.env.len();
        let fits = |world: &mut Self, frame: &mut Frame, entry: &V| {
            if matches!(entry, V::Thing(n) if !world.things[*n].alive && !world.fallen) {
                return Ok(false);
            }
            frame.env.push((name.to_string(), entry.clone()));
            let holds = world.holds(frame, filter);
            frame.env.truncate(before);
            holds
        };
        while !left.is_empty() {
            let entry = if let EachOrder::Chosen { name: site, by } = order {
                let mut here = Vec::new();
                for entry in &left {
                    if fits(self, frame, entry)? {
                        here.push(entry.clone());
                    }
                }
                if here.is_empty() {
                    break;
                }
                let pick = self.next_of(frame, &site.text, by.as_ref(), &here)?;
                let at = left.iter().position(|e| *e == here[pick]).expect("an entry");
                left.remove(at)
            } else {
                let entry = left.remove(0);
                if !fits(self, frame, &entry)? {
                    continue;
                }
                entry
            };
            frame.env.push((name.to_string(), entry.clone()));
            let done = self.block(frame, body);
            frame.env.truncate(before);
            if let V::Thing(n) = entry {
                frame.earlier.push(n);
            }
            match done {
                Err(Exit::Stop) => break,
                other => other?,
            }
        }
        Ok(())
    }
}
