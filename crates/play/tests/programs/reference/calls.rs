//! Runs lets, tables, procs, tests and phases.

use super::value::V;
use super::world::{Exit, Frame, Res, Running, World};
use grognard_syntax::tree::*;

/// Maximum depth of nested phases and actions.
const DEEPEST: usize = 20;

impl<'b> World<'b> {
    /// Binds arguments, by position or by name, to parameters.
    pub fn bind(&mut self, frame: &mut Frame, formals: &[Formal], args: &[Arg]) -> Res<Vec<(String, V)>> {
        let mut values = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            let name = arg.name.as_ref().map_or(&formals[n].name.text, |name| &name.text);
            values.push((name.clone(), self.eval(frame, &arg.value)?));
        }
        let mut env = Vec::new();
        for formal in formals {
            let (name, value) = values.iter().find(|(n, _)| *n == formal.name.text).expect("an argument").clone();
            let value = match &formal.ty {
                Some(ty) => self.fit(ty, value),
                None => value,
            };
            self.promised(None, formal.ty.as_ref(), &value)?;
            env.push((name, value));
        }
        Ok(env)
    }

    pub fn call_let(&mut self, name: &str, env: Vec<(String, V)>) -> Res<V> {
        let of = self.book.lets.get(name).unwrap_or_else(|| panic!("{name} is not known"));
        let mut frame = Frame { env, ..Frame::default() };
        let value = self.eval(&mut frame, of.value.as_ref().expect("a value"))?;
        let value = of.ty.as_ref().map_or(value.clone(), |ty| self.fit(ty, value));
        self.promised(None, of.ty.as_ref(), &value)?;
        Ok(value)
    }

    /// Looks up a table: the first key selects the row, the second the column.
    pub fn look_up(&mut self, table: &Table, keys: Vec<(String, V)>) -> Res<V> {
        let mut frame = Frame::default();
        let fits = |world: &mut Self, frame: &mut Frame, cell: &Cell, key: &V| match &cell.kind {
            CellKind::Keys(patterns) => world.fits_any(frame, key, patterns),
            CellKind::Value(value) => {
                let value = world.eval(frame, value)?;
                Ok(world.equal(&value, key))
            }
            CellKind::Blank | CellKind::Dash => Ok(false),
        };
        let (mut column, mut rows) = (1, &table.rows[..]);
        if let Some((_, key)) = keys.get(1) {
            let head = &table.rows[0];
            rows = &table.rows[1..];
            for (at, cell) in head.cells.iter().enumerate().skip(1) {
                if fits(self, &mut frame, cell, key)? {
                    column = at;
                }
            }
        }
        for row in rows {
            if fits(self, &mut frame, &row.cells[0], &keys[0].1)? {
                let value = match &row.cells[column].kind {
                    CellKind::Value(value) => self.eval(&mut frame, value)?,
                    CellKind::Keys(patterns) => match &patterns[0].kind {
                        PatternKind::Value(value) => self.eval(&mut frame, value)?,
                        PatternKind::Case { case, .. } => {
                            let (of, at) = self.book.case(&case.text).expect("a case");
                            V::Case(of, at)
                        }
                        other => panic!("{other:?} is no value"),
                    },
                    _ => V::None,
                };
                return Ok(value);
            }
        }
        panic!("no row for {keys:?}")
    }

    /// Returns the frame of a body. Its subject is the first parameter, if that is a thing.
    pub fn body_of(&self, name: &str, env: Vec<(String, V)>) -> Frame {
        let subject = if let Some((_, V::Thing(first))) = env.first() { Some(*first) } else { None };
        Frame { env, subject, who: name.to_string(), ..Frame::default() }
    }

    pub fn call_proc(&mut self, frame: &mut Frame, call: &Call) -> Res<V> {
        let of = &self.book.procs[call.name.text.as_str()];
        let env = self.bind(frame, &of.params, &call.args)?;
        self.run_proc(&call.name.text, env)
    }

    pub fn run_proc(&mut self, name: &str, env: Vec<(String, V)>) -> Res<V> {
        let of = &self.book.procs[name];
        let mut frame = self.body_of(name, env);
        let value = match self.block(&mut frame, of.body.as_ref().expect("a body")) {
            Ok(()) | Err(Exit::Stop) => V::None,
            Err(Exit::Return(value)) => value,
            Err(other) => return Err(other),
        };
        let value = of.result.as_ref().map_or(value.clone(), |ty| self.fit(ty, value));
        self.promised(None, of.result.as_ref(), &value)?;
        Ok(value)
    }

    /// Runs a test. The result has the verdict and the names of the top level of the body. `with` replaces figures of the first
    /// parameter during the test.
    pub fn call_test(&mut self, frame: &mut Frame, call: &Call) -> Res<V> {
        let of = &self.book.tests[call.name.text.as_str()];
        let env = self.bind(frame, &of.params, &call.args)?;
        let mut lent = Vec::new();
        for (figure, value) in &call.with {
            lent.push((env[0].1.thing(), figure.text.clone(), self.eval(frame, value)?));
        }
        let before = self.borrowed.len();
        self.borrowed.extend(lent);
        let mut frame = self.body_of(&call.name.text, env);
        let done = self.statements(&mut frame, &of.body.stmts);
        self.borrowed.truncate(before);
        match done {
            Ok(()) | Err(Exit::Stop | Exit::Return(_)) => {}
            Err(other) => return Err(other),
        }
        let mut fields = frame.env;
        if let Some((word, verdict)) = frame.verdict {
            fields.push((word.to_string(), verdict));
        }
        Ok(V::Record(fields))
    }

    /// Runs a phase in this order: durations that wait for its start end, rules on its start, its block, rules on its end,
    /// durations that wait for its end end.
    pub fn run_phase(&mut self, frame: &mut Frame, call: &Call) -> Res<()> {
        let of: &'b Phase = &self.book.phases[call.name.text.as_str()];
        let name = call.name.text.clone();
        let mut vars = self.bind(frame, &of.params, &call.args)?;
        for share in &of.shares {
            let mut inner = Frame { env: vars.clone(), ..Frame::default() };
            let value = self.eval(&mut inner, share.default.as_ref().expect("a first value"))?;
            vars.push((share.name.text.clone(), value));
        }
        self.ids += 1;
        let running =
            Running { id: self.ids, name: name.clone(), action: false, ending: false, actor: None, vars: vars.clone() };
        if self.running.len() == DEEPEST {
            return Err(Exit::TooLong);
        }
        self.running.push(running);
        let at = self.running.len() - 1;
        self.expire(at, true)?;
        let mut frame = self.body_of(&name, vars);
        frame.env.clear();
        let body = of.body.as_ref().expect("a body");
        let started = self.fire(&|on| matches!(on, Trigger::StartOf(p) if p.text == name), &V::Running(at));
        let done = started.and_then(|()| self.block(&mut frame, body));
        match done {
            Ok(()) | Err(Exit::Stop | Exit::Return(_)) => {}
            Err(Exit::End(phase)) if phase == name => {}
            Err(other) => return Err(other),
        }
        self.running[at].ending = true;
        self.fire(&|on| matches!(on, Trigger::EndOf(p) if p.text == name), &V::Running(at))?;
        self.expire(at, false)?;
        self.running.pop();
        Ok(())
    }
}
