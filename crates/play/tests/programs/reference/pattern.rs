//! Matches the patterns of `match` and `is`.

use super::value::{Die, V};
use super::world::{Frame, Res, World};
use grognard_syntax::tree::*;
use std::cmp::Ordering;

impl World<'_> {
    /// Returns whether a value fits one of several patterns, and binds the names of that pattern.
    pub fn fits_any(&mut self, frame: &mut Frame, value: &V, patterns: &[Pattern]) -> Res<bool> {
        for pattern in patterns {
            if self.fits(frame, value, pattern)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn fits(&mut self, frame: &mut Frame, value: &V, pattern: &Pattern) -> Res<bool> {
        let bound = |frame: &mut Frame, name: &Name, value: V| {
            frame.env.push((name.text.clone(), value));
            true
        };
        let against = |world: &mut Self, frame: &mut Frame, bound: &Expr| -> Res<Ordering> {
            let bound = world.eval(frame, bound)?;
            Ok(value.order(&bound))
        };
        use Ordering::{Equal, Greater, Less};
        Ok(match &pattern.kind {
            PatternKind::Any | PatternKind::Else => true,
            PatternKind::None => *value == V::None,
            // a pattern that binds or compares does not fit a missing value
            PatternKind::SomeAny => *value != V::None,
            PatternKind::Some(name) => *value != V::None && bound(frame, name, value.clone()),
            _ if *value == V::None => false,
            PatternKind::SomeKind { kind, bound: name } => {
                let of_kind = matches!(value, V::Thing(n) if self.things[*n].kind == kind.text);
                of_kind && name.as_ref().is_none_or(|name| bound(frame, name, value.clone()))
            }
            PatternKind::Kind { kind, bound: name } => {
                matches!(value, V::Thing(n) if self.things[*n].kind == kind.text) && bound(frame, name, value.clone())
            }
            PatternKind::Past { top, bound: name } => {
                let V::Shifted(chain, at) = value else { return Ok(false) };
                let beyond = if *top { at - (self.book.chains[*chain].1.len() as i64 - 1) } else { -at };
                beyond > 0 && name.as_ref().is_none_or(|name| bound(frame, name, V::Int(beyond)))
            }
            PatternKind::Over(low, high) => {
                against(self, frame, low)? == Greater
                    && match high {
                        Some(high) => against(self, frame, high)? != Greater,
                        None => true,
                    }
            }
            PatternKind::Under(high) => against(self, frame, high)? == Less,
            PatternKind::AtLeast(low) => against(self, frame, low)? != Less,
            PatternKind::AtMost(high) => against(self, frame, high)? != Greater,
            PatternKind::To(low, high, under) => {
                against(self, frame, low)? != Less
                    && match against(self, frame, high)? {
                        Less => true,
                        Equal => !under,
                        Greater => false,
                    }
            }
            PatternKind::Value(wanted) => {
                let wanted = self.eval(frame, wanted)?;
                match (value, &wanted) {
                    (V::Die(_), V::Die(_)) => self.sides(value) == self.sides(&wanted),
                    (V::Shifted(chain, at), V::Die(_)) => self.book.chains[*chain]
                        .1
                        .get(*at as usize)
                        .is_some_and(|s| i64::from(*s) == self.sides(&wanted)),
                    _ => value.order(&wanted) == Equal,
                }
            }
            PatternKind::Case { case, .. } => {
                let (of, at) = self.book.case(&case.text).expect("a case");
                *value == V::Case(of, at)
            }
            PatternKind::Tuple(parts) => {
                let V::Tuple(values) = value else { panic!("{value:?} is no tuple") };
                for (value, patterns) in values.iter().zip(parts) {
                    if !self.fits_any(frame, value, patterns)? {
                        return Ok(false);
                    }
                }
                true
            }
        })
    }

    /// Returns the number of sides of a die.
    pub fn sides(&self, die: &V) -> i64 {
        match die {
            V::Die(Die::Sides(n)) => *n,
            V::Die(Die::Step { chain, at }) => i64::from(self.book.chains[*chain].1[*at as usize]),
            V::Die(Die::Own(n)) => self.book.dice[*n].1.iter().map(|s| i64::from(s.times)).sum(),
            other => panic!("{other:?} is no die"),
        }
    }
}
