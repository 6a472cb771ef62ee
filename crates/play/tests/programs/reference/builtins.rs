//! Evaluates calls in values, and builtins.

use super::value::{Die, V};
use super::world::{Exit, Frame, Res, World};
use grognard_syntax::tree::*;
use std::cmp::Ordering;

/// Returns a count, or the error R0905 if it is below 0.
pub fn how_many(value: V) -> Res<usize> {
    usize::try_from(value.int()).map_err(|_| Exit::Fault("R0905"))
}

impl World<'_> {
    /// Evaluates a call: a builtin, a `let`, a table or a record.
    pub fn call_value(&mut self, frame: &mut Frame, callee: &Expr, args: &[Arg]) -> Res<V> {
        match &callee.kind {
            ExprKind::Upper(record) => {
                let fields = self.book.records[record.as_str()].clone();
                self.bind(frame, &fields, args).map(V::Record)
            }
            ExprKind::Name(name) if self.book.lets.contains_key(name.as_str()) => {
                let formals = self.book.lets[name.as_str()].params.clone().unwrap_or_default();
                let env = self.bind(frame, &formals, args)?;
                self.call_let(name, env)
            }
            ExprKind::Name(name) if self.book.tables.contains_key(name.as_str()) => {
                let table = &self.book.tables[name.as_str()];
                let keys = self.bind(frame, &table.keys, args)?;
                self.look_up(table, keys)
            }
            ExprKind::Name(name) if name == "with_fallen" => {
                let before = std::mem::replace(&mut self.fallen, true);
                let list = self.eval(frame, &args[0].value);
                self.fallen = before;
                list
            }
            ExprKind::Name(name) if name == "running" => {
                let ExprKind::Upper(phase) = &args[0].value.kind else { panic!("running() asks about a phase") };
                Ok(V::Flag(self.running.iter().any(|r| r.name == *phase)))
            }
            ExprKind::Name(name) => {
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.eval(frame, &arg.value)?);
                }
                self.builtin(name, values)
            }
            other => panic!("{other:?} cannot be called here"),
        }
    }

    fn builtin(&mut self, name: &str, mut args: Vec<V>) -> Res<V> {
        let ordered = |mut list: Vec<V>, most: bool| {
            list.sort_by(|a, b| if most { b.order(a) } else { a.order(b) });
            list
        };
        if matches!(name, "min" | "max") {
            let wanted = if name == "min" { Ordering::Less } else { Ordering::Greater };
            let first = args.remove(0);
            return Ok(args.into_iter().fold(first, |a, b| if b.order(&a) == wanted { b } else { a }));
        }
        let second = if args.len() > 1 { Some(args.remove(1)) } else { None };
        let first = args.remove(0);
        Ok(match (name, first, second) {
            ("dist", a, Some(b)) => self.distance(&a, &b),
            ("remainder", V::Int(_), Some(V::Int(0))) => return Err(Exit::Fault("R0906")),
            ("remainder", V::Int(a), Some(V::Int(b))) => {
                V::Int(a - b * super::value::Frac::new(a.into(), b.into()).floor())
            }
            ("turn_between", V::Angle(a), Some(V::Angle(b))) => {
                let turn = (a - b).rem_euclid(36_000);
                V::Angle(turn.min(36_000 - turn))
            }
            ("closed", V::Shifted(chain, at), None) => {
                let last = self.book.chains[chain].1.len() as i64 - 1;
                V::Die(Die::Step { chain, at: at.clamp(0, last) })
            }
            ("open", V::Shifted(chain, at), Some(V::Die(Die::Step { chain: other, at: from }))) => {
                let ends = |chain: usize| self.book.chains[chain].1.len() as i64 - 1;
                let on = at.clamp(0, ends(chain));
                // the other die loses the steps beyond the top and gains those below the bottom
                let rest = (from - (at - on)).clamp(0, ends(other));
                V::Tuple(vec![V::Die(Die::Step { chain, at: on }), V::Die(Die::Step { chain: other, at: rest })])
            }
            ("is_past", V::Shifted(chain, at), None) => V::Flag(at < 0 || at >= self.book.chains[chain].1.len() as i64),
            ("next", V::Case(of, at), None) => V::Case(of, (at + 1).min(self.book.enums[of].cases.len() - 1)),
            ("next", V::Die(Die::Step { chain, at }), None) => {
                V::Die(Die::Step { chain, at: (at + 1).min(self.book.chains[chain].1.len() as i64 - 1) })
            }
            ("faces", die, None) => V::Int(self.sides(&die)),
            ("die", V::Int(n), None) if (1..=1_000_000).contains(&n) => V::Die(Die::Sides(n)),
            ("die", V::Int(_), None) => return Err(Exit::Fault("R0913")),
            ("size", V::Thing(group), None) => V::Int(self.members(group)?.len() as i64),
            ("size", list, None) => V::Int(list.list().len() as i64),
            ("nth", V::Int(n), Some(list)) => {
                let list = list.list();
                usize::try_from(n - 1).ok().and_then(|at| list.get(at).cloned()).unwrap_or(V::None)
            }
            ("copies", n, Some(value)) => V::List(vec![value; how_many(n)?]),
            ("total", list, None) => V::Int(list.list().iter().map(V::int).sum()),
            ("highest" | "lowest", n, Some(list)) => {
                let n = how_many(n)?;
                let mut list = ordered(list.list(), name == "highest");
                list.truncate(n);
                V::List(list)
            }
            ("median", list, None) => {
                let list = ordered(list.list(), false);
                if list.is_empty() { V::None } else { list[(list.len() - 1) / 2].clone() }
            }
            ("mode", list, None) => {
                let list = ordered(list.list(), true);
                let often = |v: &V| V::Int(list.iter().filter(|e| self.equal(e, v)).count() as i64);
                super::expr::best(list.iter().map(|v| (v.clone(), often(v))).collect(), true)
            }
            ("distinct", list, None) => {
                let mut seen: Vec<V> = Vec::new();
                for entry in list.list() {
                    if !seen.iter().any(|e| self.equal(e, &entry)) {
                        seen.push(entry);
                    }
                }
                V::Int(seen.len() as i64)
            }
            (name, first, _) => panic!("{name} of {first:?} is not known here"),
        })
    }
}
