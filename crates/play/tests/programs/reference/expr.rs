//! Evaluates expressions.

use super::value::{Die, Frac, V};
use super::world::{Exit, Frame, Res, World, negative};
use grognard_syntax::tree::*;
use std::cmp::Ordering;

impl World<'_> {
    /// Evaluates an expression. Every list leaves out destroyed things.
    pub fn eval(&mut self, frame: &mut Frame, expr: &Expr) -> Res<V> {
        let value = self.eval_all(frame, expr)?;
        Ok(match value {
            V::List(list) if !self.fallen && !with_fallen(expr) => {
                V::List(list.into_iter().filter(|v| self.in_play(v)).collect())
            }
            other => other,
        })
    }

    fn in_play(&self, value: &V) -> bool {
        !matches!(value, V::Thing(n) if !self.things[*n].alive)
    }

    fn eval_all(&mut self, frame: &mut Frame, expr: &Expr) -> Res<V> {
        Ok(match &expr.kind {
            ExprKind::Number(n) => number(*n),
            ExprKind::Dice { sides, .. } => V::Die(Die::Sides((*sides).into())),
            ExprKind::Yes => V::Flag(true),
            ExprKind::No => V::Flag(false),
            ExprKind::None => V::None,
            ExprKind::Name(name) => self.named(frame, name)?,
            ExprKind::Upper(name) => self.capital(name),
            ExprKind::Paren(inner) => self.eval(frame, inner)?,
            ExprKind::Field(of, name) => return self.field(frame, of, &name.text),
            ExprKind::Call(callee, args) => self.call_value(frame, callee, args)?,
            ExprKind::Tuple(parts) => V::Tuple(self.eval_each(frame, parts)?),
            ExprKind::List(parts) => {
                let values = self.eval_each(frame, parts)?;
                V::List(values.into_iter().filter(|v| *v != V::None).collect())
            }
            ExprKind::Neg(inner) => negative(self.eval(frame, inner)?),
            ExprKind::Arith { first, rest } => {
                let mut value = self.eval(frame, first)?;
                for (op, part) in rest {
                    let part = self.eval(frame, part)?;
                    value = self.arith(*op, value, part)?;
                }
                value
            }
            ExprKind::Rounded { value, to } => {
                let value = self.eval(frame, value)?;
                rounded(&value, *to)
            }
            ExprKind::Shift { die, up, by } => {
                let (die, by) = (self.eval(frame, die)?, self.eval(frame, by)?.int());
                let V::Die(Die::Step { chain, at }) = die else { panic!("{die:?} is on no chain") };
                V::Shifted(chain, if *up { at + by } else { at - by })
            }
            ExprKind::Compare { left, op, right } => {
                let (left, right) = (self.eval(frame, left)?, self.eval(frame, right)?);
                V::Flag(self.compare(*op, &left, &right))
            }
            ExprKind::Has { thing, no, name } => {
                let thing = self.eval(frame, thing)?.thing();
                let of = self.book.trait_of(&name.text).expect("a trait");
                V::Flag(self.bears(thing, of)? != *no)
            }
            ExprKind::Is { value, not, pattern } => {
                let value = self.eval(frame, value)?;
                V::Flag(self.fits(frame, &value, pattern)? != *not)
            }
            ExprKind::In { value, not, range } => {
                let value = self.eval(frame, value)?;
                let entries = self.collection(frame, range)?;
                V::Flag(entries.iter().any(|e| self.equal(e, &value)) != *not)
            }
            ExprKind::Not(inner) => V::Flag(!self.eval(frame, inner)?.flag()),
            ExprKind::And(parts) => {
                for part in parts {
                    if !self.eval(frame, part)?.flag() {
                        return Ok(V::Flag(false));
                    }
                }
                V::Flag(true)
            }
            ExprKind::Or(parts) => {
                for part in parts {
                    if self.eval(frame, part)?.flag() {
                        return Ok(V::Flag(true));
                    }
                }
                V::Flag(false)
            }
            ExprKind::Otherwise(parts) => {
                let mut value = V::None;
                for part in parts {
                    value = self.eval(frame, part)?;
                    if value != V::None {
                        break;
                    }
                }
                value
            }
            ExprKind::If { arms, otherwise } => {
                let before = frame.env.len();
                for (condition, then) in arms {
                    let holds = self.eval(frame, condition)?.flag();
                    let value = if holds { Some(self.eval(frame, then)?) } else { None };
                    frame.env.truncate(before);
                    if let Some(value) = value {
                        return Ok(value);
                    }
                }
                self.eval(frame, otherwise)?
            }
            ExprKind::Match(of) => {
                let subject = self.eval(frame, &of.subject)?;
                let before = frame.env.len();
                for row in &of.rows {
                    if self.fits_any(frame, &subject, &row.patterns)? && self.holds(frame, row.when.as_ref())? {
                        let Body::Value(value) = &row.body else { panic!("a row of a value has one") };
                        let value = self.eval(frame, value)?;
                        frame.env.truncate(before);
                        return Ok(value);
                    }
                    frame.env.truncate(before);
                }
                panic!("no row fits {subject:?}")
            }
            ExprKind::Query { what, binds, filter, body } => {
                self.query(frame, *what, binds, filter.as_deref(), body.as_deref())?
            }
            ExprKind::PoolQuery { what, pool, op, than } => {
                let pool = self.eval(frame, pool)?.list();
                let than = self.eval(frame, than)?;
                let fit = pool.iter().filter(|v| self.compare(*op, v, &than)).count();
                match what {
                    Quantifier::Any => V::Flag(fit > 0),
                    Quantifier::No => V::Flag(fit == 0),
                    Quantifier::Every => V::Flag(fit == pool.len()),
                    Quantifier::Count => V::Int(fit as i64),
                    other => panic!("{other:?} asks no pool"),
                }
            }
            ExprKind::Within { place, distance, of } => {
                let (place, distance, of) =
                    (self.eval(frame, place)?, self.eval(frame, distance)?.int(), self.eval(frame, of)?);
                V::Flag(self.square(&place, &of).is_some_and(|square| square <= distance * distance))
            }
            ExprKind::Was(_) | ExprKind::Sees { .. } | ExprKind::Nearer { .. } => {
                panic!("nothing moves or is seen here")
            }
        })
    }

    pub fn eval_each(&mut self, frame: &mut Frame, parts: &[Expr]) -> Res<Vec<V>> {
        parts.iter().map(|p| self.eval(frame, p)).collect()
    }

    fn named(&mut self, frame: &mut Frame, name: &str) -> Res<V> {
        if let Some((_, value)) = frame.env.iter().rev().find(|(n, _)| n == name) {
            return Ok(value.clone());
        }
        if let Some(me) = frame.me {
            if name == "self" {
                return Ok(V::Thing(me));
            }
            if name == "alive" || self.declared(&self.things[me].kind, name).is_some() {
                return self.figure(me, name);
            }
        }
        if name == "earlier" {
            return Ok(V::List(frame.earlier.iter().map(|n| V::Thing(*n)).collect()));
        }
        if let Some((_, value)) = self.running.iter().rev().flat_map(|r| r.vars.iter().rev()).find(|(n, _)| n == name) {
            return Ok(value.clone());
        }
        if let Some(stored) = self.states.get(name) {
            return Ok(stored.shown().clone());
        }
        if let Some(value) = self.params.get(name) {
            return Ok(value.clone());
        }
        if let Some(count) = self.tallies.get(name) {
            return Ok(V::Int(*count));
        }
        self.call_let(name, Vec::new())
    }

    fn capital(&self, name: &str) -> V {
        if let Some((of, at)) = self.book.case(name) {
            return V::Case(of, at);
        }
        let die = self.book.dice.iter().position(|(die, _)| die == name);
        V::Die(Die::Own(die.unwrap_or_else(|| panic!("{name} is not known"))))
    }

    fn field(&mut self, frame: &mut Frame, of: &Expr, name: &str) -> Res<V> {
        if let ExprKind::Upper(of) = &of.kind
            && self.book.enums.iter().any(|e| e.name.text == *of)
        {
            return Ok(self.capital(name));
        }
        let of = self.eval(frame, of)?;
        self.field_of(of, name)
    }

    fn field_of(&mut self, of: V, name: &str) -> Res<V> {
        match of {
            V::Thing(n) => {
                let value = self.figure(n, name)?;
                Ok(match value {
                    V::List(list) if !self.fallen => V::List(list.into_iter().filter(|v| self.in_play(v)).collect()),
                    other => other,
                })
            }
            V::None => Ok(V::None),
            V::Record(fields) => {
                let found = fields.into_iter().find(|(n, _)| n == name);
                Ok(found.unwrap_or_else(|| panic!("no field {name}")).1)
            }
            V::Running(at) => {
                let running = &self.running[at];
                if name == "actor" {
                    return Ok(running.actor.clone().expect("an actor"));
                }
                // an action also has the shared variables of its phase
                let vars = self.running[..=at].iter().rev().flat_map(|r| &r.vars);
                Ok(vars.into_iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no {name}")).1.clone())
            }
            V::List(entries) => {
                let mut all = Vec::new();
                for entry in entries {
                    match self.field_of(entry, name)? {
                        V::List(more) => all.extend(more),
                        V::None => {}
                        one => all.push(one),
                    }
                }
                Ok(V::List(all))
            }
            other => panic!("{other:?} has no field {name}"),
        }
    }

    /// Returns the entries of the list of a query, a loop, a draw or a choice.
    pub fn collection(&mut self, frame: &mut Frame, range: &Range) -> Res<Vec<V>> {
        if let Some(high) = &range.high {
            let (low, high) = (self.eval(frame, &range.low)?.int(), self.eval(frame, high)?.int());
            return Ok((low..=high).map(V::Int).collect());
        }
        if let ExprKind::Upper(name) = &range.low.kind {
            if self.book.kind(name).is_some() {
                return Ok(self.living(name));
            }
            if let Some(of) = self.book.enums.iter().position(|e| e.name.text == *name) {
                return Ok((0..self.book.enums[of].cases.len()).map(|at| V::Case(of, at)).collect());
            }
            if let Some(chain) = self.book.chains.iter().position(|(n, _)| n == name) {
                let steps = 0..self.book.chains[chain].1.len() as i64;
                return Ok(steps.map(|at| V::Die(Die::Step { chain, at })).collect());
            }
        }
        match self.eval(frame, &range.low)? {
            V::Thing(group) => self.members(group),
            list => Ok(list.list()),
        }
    }

    /// Returns the living members of a group.
    pub fn members(&mut self, group: usize) -> Res<Vec<V>> {
        let field = self.book.kind(&self.things[group].kind).and_then(|k| k.group_of.as_ref()).expect("a group");
        let field = field.text.clone();
        let list = self.figure(group, &field)?.list();
        Ok(list.into_iter().filter(|v| self.in_play(v)).collect())
    }

    fn query(
        &mut self,
        frame: &mut Frame,
        what: Quantifier,
        binds: &[(Name, Range)],
        filter: Option<&Expr>,
        body: Option<&Expr>,
    ) -> Res<V> {
        let mut lists = Vec::new();
        for (_, range) in binds {
            lists.push(self.collection(frame, range)?);
        }
        let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
        let before = frame.env.len();
        // entries for which the filter holds, with the value of the body
        let mut found: Vec<(V, V)> = Vec::new();
        for at in 0..shortest {
            for ((name, _), list) in binds.iter().zip(&lists) {
                frame.env.push((name.text.clone(), list[at].clone()));
            }
            if self.holds(frame, filter)? {
                let made = match body {
                    Some(body) => self.eval(frame, body)?,
                    None => V::None,
                };
                let done = match what {
                    Quantifier::Any | Quantifier::No => true,
                    Quantifier::Every => !made.flag(),
                    _ => false,
                };
                found.push((lists[0][at].clone(), made));
                if done {
                    frame.env.truncate(before);
                    break;
                }
            }
            frame.env.truncate(before);
        }
        Ok(match what {
            Quantifier::Any => V::Flag(!found.is_empty()),
            Quantifier::No => V::Flag(found.is_empty()),
            Quantifier::Every => V::Flag(found.iter().all(|(_, made)| made.flag())),
            Quantifier::All => V::List(found.into_iter().map(|(entry, _)| entry).collect()),
            Quantifier::Count => V::Int(found.len() as i64),
            Quantifier::Sum => {
                let mut sum = V::Int(0);
                for (_, made) in found {
                    sum = self.arith(ArithOp::Add, sum, made)?;
                }
                sum
            }
            Quantifier::Most | Quantifier::Least => best(found, what == Quantifier::Most),
            Quantifier::Nearest | Quantifier::Farthest => {
                let far = |square: Option<i64>| V::Int(square.unwrap_or(i64::MAX));
                let keyed = found.into_iter().map(|(entry, place)| (far(self.square(&entry, &place)), entry));
                best(keyed.map(|(key, entry)| (entry, key)).collect(), what == Quantifier::Farthest)
            }
        })
    }

    pub fn equal(&self, a: &V, b: &V) -> bool {
        match (a, b) {
            (V::Die(_), V::Die(_)) => self.sides(a) == self.sides(b),
            (V::List(a), V::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.equal(a, b)),
            _ => a.order(b) == Ordering::Equal,
        }
    }

    pub fn compare(&self, op: CompareOp, a: &V, b: &V) -> bool {
        let order = match (a, b) {
            (V::Die(_), V::Die(_)) => self.sides(a).cmp(&self.sides(b)),
            _ => a.order(b),
        };
        match op {
            CompareOp::Eq => self.equal(a, b),
            CompareOp::Ne => !self.equal(a, b),
            CompareOp::Lt => order == Ordering::Less,
            CompareOp::Le => order != Ordering::Greater,
            CompareOp::Gt => order == Ordering::Greater,
            CompareOp::Ge => order != Ordering::Less,
        }
    }

    pub fn arith(&mut self, op: ArithOp, a: V, b: V) -> Res<V> {
        use ArithOp::{Add, Div, Mul, Sub};
        Ok(match (op, a, b) {
            (Add, V::Int(a), V::Int(b)) => V::Int(a + b),
            (Sub, V::Int(a), V::Int(b)) => V::Int(a - b),
            (Mul, V::Int(a), V::Int(b)) => V::Int(a * b),
            (Add, V::Int(0), b @ V::Length(_)) => b,
            (Add, V::Length(a), V::Length(b)) => V::Length(a + b),
            (Sub, V::Length(a), V::Length(b)) => V::Length(a - b),
            (Mul, V::Int(a), V::Length(b)) | (Mul, V::Length(a), V::Int(b)) => V::Length(a * b),
            (Div, V::Length(_), V::Int(0)) => return Err(Exit::Fault("R0906")),
            (Div, V::Length(a), V::Int(b)) => V::Length(a / b),
            (Add, V::Angle(a), V::Angle(b)) => V::Angle((a + b).rem_euclid(36_000)),
            (Sub, V::Angle(a), V::Angle(b)) => V::Angle((a - b).rem_euclid(36_000)),
            (Mul, V::Int(a), V::Angle(b)) | (Mul, V::Angle(b), V::Int(a)) => V::Angle((a * b).rem_euclid(36_000)),
            (Add, V::List(mut a), V::List(b)) => {
                a.extend(b);
                V::List(a)
            }
            (Sub, V::List(a), V::List(b)) => V::List(self.without(a, &b)),
            (Div, a, b) => V::Ratio(a.frac().over(b.frac()).ok_or(Exit::Fault("R0906"))?),
            (Add, a, b) => V::Ratio(a.frac().plus(b.frac())),
            (Sub, a, b) => V::Ratio(a.frac().minus(b.frac())),
            (Mul, a, b) => V::Ratio(a.frac().times(b.frac())),
        })
    }

    /// Removes each entry of `less` once, of equal entries the first.
    pub fn without(&self, mut list: Vec<V>, less: &[V]) -> Vec<V> {
        for entry in less {
            if let Some(at) = list.iter().position(|e| self.equal(e, entry)) {
                list.remove(at);
            }
        }
        list
    }
}

/// Rounds a number; a half goes up.
pub fn rounded(value: &V, to: Rounding) -> V {
    let value = value.frac();
    V::Int(match to {
        Rounding::Down => value.floor(),
        Rounding::Up => -Frac::whole(0).minus(value).floor(),
        Rounding::Nearest => value.plus(Frac::new(1, 2)).floor(),
    })
}

/// Returns whether an expression asks for destroyed things too.
fn with_fallen(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => with_fallen(inner),
        ExprKind::Call(callee, _) => matches!(&callee.kind, ExprKind::Name(name) if name == "with_fallen"),
        _ => false,
    }
}

/// Returns the first entry with the greatest or least key. A missing key ranks last.
pub fn best(found: Vec<(V, V)>, most: bool) -> V {
    let mut best: Option<(V, V)> = None;
    for (entry, key) in found {
        let better = match &best {
            None => true,
            Some((_, V::None)) => key != V::None,
            Some((_, old)) => key != V::None && key.order(old) == if most { Ordering::Greater } else { Ordering::Less },
        };
        if better {
            best = Some((entry, key));
        }
    }
    best.map_or(V::None, |(entry, _)| entry)
}

fn number(n: Number) -> V {
    match n.unit {
        Unit::Plain => V::Int(n.thousandths / 1000),
        Unit::Inches => V::Length(n.thousandths),
        Unit::Percent => V::Ratio(Frac::new(n.thousandths.into(), 100_000)),
        Unit::Degrees => V::Angle(n.thousandths / 10 % 36_000),
    }
}
