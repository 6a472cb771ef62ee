//! Decisions.

use super::builtins::how_many;
use super::expr::best;
use super::path::Step;
use super::value::V;
use super::world::{Decisions, Exit, Frame, Res, World};
use grognard_syntax::tree::*;

/// An expression that names who throws or decides; else the subject does.
type By<'e> = Option<&'e Expr>;

impl World<'_> {
    /// A destroyed thing throws no dice and makes no decision.
    pub fn acts(&mut self, frame: &mut Frame, by: By<'_>) -> Res<()> {
        let who = match by {
            Some(by) => match self.eval(frame, by)? {
                V::Thing(n) => Some(n),
                _ => None,
            },
            None => frame.subject,
        };
        if who.is_some_and(|n| !self.things[n].alive) { Err(Exit::Fault("R0916")) } else { Ok(()) }
    }

    /// What is drawn or chosen from: entries for which a condition holds, a thing once. Also those of equal values once.
    pub fn candidates(
        &mut self,
        frame: &mut Frame,
        name: &str,
        from: &Range,
        filter: Option<&Expr>,
    ) -> Res<(Vec<V>, Vec<V>)> {
        let (mut all, mut once) = (Vec::new(), Vec::new());
        for entry in self.collection(frame, from)? {
            frame.env.push((name.to_string(), entry.clone()));
            let fits = self.holds(frame, filter)?;
            frame.env.pop();
            let known = once.iter().any(|e| self.equal(e, &entry));
            if fits && !(known && matches!(entry, V::Thing(_))) {
                all.push(entry.clone());
                if !known {
                    once.push(entry);
                }
            }
        }
        Ok((all, once))
    }

    /// One of so many entries, all alike.
    fn any(&mut self, count: usize) -> usize {
        self.path.pick(&vec![1; count])
    }

    fn key(&mut self, frame: &mut Frame, name: &str, entry: &V, key: &Expr) -> Res<V> {
        frame.env.push((name.to_string(), entry.clone()));
        let key = self.eval(frame, key);
        frame.env.pop();
        key
    }

    #[allow(clippy::too_many_arguments)]
    pub fn choose(
        &mut self,
        frame: &mut Frame,
        name: &str,
        amount: Option<&Range>,
        by: By<'_>,
        (from, filter): (&Range, Option<&Expr>),
        or_none: bool,
        prefer: Option<&Prefer>,
    ) -> Res<V> {
        self.acts(frame, by)?;
        let (all, once) = self.candidates(frame, name, from, filter)?;
        let answer = match amount {
            None => self.one_of(frame, name, once, or_none, prefer)?,
            Some(amount) => self.several_of(frame, name, amount, &all, prefer)?,
        };
        self.log.push(format!("choose {}.{name} {}", frame.who, self.told(&answer)));
        Ok(answer)
    }

    fn one_of(
        &mut self,
        frame: &mut Frame,
        name: &str,
        entries: Vec<V>,
        or_none: bool,
        prefer: Option<&Prefer>,
    ) -> Res<V> {
        if entries.is_empty() {
            return if or_none { Ok(V::None) } else { Err(Exit::Fault("R0901")) };
        }
        if entries.len() == 1 && !or_none {
            return Ok(entries[0].clone());
        }
        if self.decisions == Decisions::Random {
            let pick = self.any(entries.len() + usize::from(or_none));
            let place = if or_none { pick.checked_sub(1) } else { Some(pick) };
            self.path.steps.push(place.map_or(Step::None, Step::Pick));
            return Ok(place.map_or(V::None, |at| entries[at].clone()));
        }
        self.path.steps.push(Step::Preferred);
        let plain = if or_none { V::None } else { entries[0].clone() };
        Ok(match prefer {
            None => plain,
            Some(Prefer::Extreme { most, by }) => {
                let mut keyed = Vec::new();
                if or_none {
                    keyed.push((V::None, self.key(frame, name, &V::None, by)?));
                }
                for entry in &entries {
                    keyed.push((entry.clone(), self.key(frame, name, entry, by)?));
                }
                best(keyed, *most)
            }
            Some(Prefer::When { which: Preferred::Nobody, condition }) => {
                if self.eval(frame, condition)?.flag() {
                    V::None
                } else {
                    entries[0].clone()
                }
            }
            Some(Prefer::When { condition, .. }) => {
                for entry in &entries {
                    if self.key(frame, name, entry, condition)?.flag() {
                        return Ok(entry.clone());
                    }
                }
                plain
            }
        })
    }

    fn several_of(
        &mut self,
        frame: &mut Frame,
        name: &str,
        amount: &Range,
        entries: &[V],
        prefer: Option<&Prefer>,
    ) -> Res<V> {
        let low = how_many(self.eval(frame, &amount.low)?)?;
        let high = match &amount.high {
            Some(high) => how_many(self.eval(frame, high)?)?.min(entries.len()),
            None if amount.open => entries.len(),
            None => low,
        };
        if entries.len() < low || high < low {
            return Err(Exit::Fault("R0901"));
        }
        let parts = self.parts(entries, low, high);
        let mut places: Vec<usize> = if parts.len() == 1 {
            parts[0].clone()
        } else if self.decisions == Decisions::Random {
            let pick = self.any(parts.len());
            self.path.steps.push(Step::Several(parts[pick].clone()));
            parts[pick].clone()
        } else {
            self.path.steps.push(Step::Preferred);
            match prefer {
                None => (0..low.max(1).min(high)).collect(),
                Some(Prefer::Extreme { most, by }) => {
                    let mut left: Vec<(V, V)> = Vec::new();
                    for (at, entry) in entries.iter().enumerate() {
                        left.push((V::Int(at as i64), self.key(frame, name, entry, by)?));
                    }
                    let mut taken = Vec::new();
                    for _ in 0..low {
                        let first = best(left.clone(), *most);
                        left.retain(|(at, _)| *at != first);
                        taken.push(first.int() as usize);
                    }
                    taken
                }
                Some(Prefer::When { condition, .. }) => {
                    let (mut fit, mut other) = (Vec::new(), Vec::new());
                    for (at, entry) in entries.iter().enumerate() {
                        let holds = self.key(frame, name, entry, condition)?.flag();
                        if holds { fit.push(at) } else { other.push(at) }
                    }
                    fit.truncate(high);
                    let missing = low.saturating_sub(fit.len());
                    fit.extend(other.into_iter().take(missing));
                    fit
                }
            }
        };
        places.sort_unstable();
        Ok(V::List(places.into_iter().map(|at| entries[at].clone()).collect()))
    }

    /// All parts of these sizes; parts with equal entries once, with the first places.
    fn parts(&self, entries: &[V], low: usize, high: usize) -> Vec<Vec<usize>> {
        let mut found: Vec<(Vec<V>, Vec<usize>)> = Vec::new();
        for set in 0u32..1 << entries.len() {
            let places: Vec<usize> = (0..entries.len()).filter(|n| set >> n & 1 == 1).collect();
            let mut values: Vec<V> = places.iter().map(|at| entries[*at].clone()).collect();
            values.sort();
            if (low..=high).contains(&places.len()) && !found.iter().any(|(v, _)| *v == values) {
                found.push((values, places));
            }
        }
        found.into_iter().map(|(_, places)| places).collect()
    }

    pub fn option(&mut self, frame: &mut Frame, name: &str, by: By<'_>, options: &[ChoiceOption]) -> Res<()> {
        self.acts(frame, by)?;
        let mut offered = Vec::new();
        for option in options {
            if self.holds(frame, option.when.as_ref())? {
                offered.push(option);
            }
        }
        if offered.is_empty() {
            return Err(Exit::Fault("R0901"));
        }
        let taken = if offered.len() == 1 {
            0
        } else if self.decisions == Decisions::Random {
            let pick = self.any(offered.len());
            self.path.steps.push(Step::Pick(pick));
            pick
        } else {
            self.path.steps.push(Step::Preferred);
            let mut taken = None;
            for (at, option) in offered.iter().enumerate() {
                if let Some(when) = &option.prefer
                    && taken.is_none()
                    && self.holds(frame, when.as_ref())?
                {
                    taken = Some(at);
                }
            }
            taken.or_else(|| offered.iter().position(|o| o.prefer.is_none())).unwrap_or(0)
        };
        self.log.push(format!("choose {}.{name} {}", frame.who, offered[taken].name.text));
        let before = frame.env.len();
        let done = self.body(frame, &offered[taken].body);
        frame.env.truncate(before);
        done
    }

    /// Whether something that may be done is done.
    pub fn may(&mut self, frame: &mut Frame, name: &str, by: By<'_>, prefer: Option<&Expr>) -> Res<bool> {
        self.acts(frame, by)?;
        let yes = if self.decisions == Decisions::Random {
            let yes = self.any(2) == 0;
            self.path.steps.push(Step::Pick(usize::from(yes)));
            yes
        } else {
            self.path.steps.push(Step::Preferred);
            match prefer {
                Some(condition) => self.eval(frame, condition)?.flag(),
                None => false,
            }
        };
        self.log.push(format!("choose {}.{name} {}", frame.who, if yes { "yes" } else { "no" }));
        Ok(yes)
    }

    /// Who is next.
    pub fn next_of(&mut self, frame: &mut Frame, name: &str, by: By<'_>, left: &[V]) -> Res<usize> {
        self.acts(frame, by)?;
        let pick = if left.len() == 1 {
            0
        } else if self.decisions == Decisions::Random {
            let pick = self.any(left.len());
            self.path.steps.push(Step::Pick(pick));
            pick
        } else {
            self.path.steps.push(Step::Preferred);
            0
        };
        self.log.push(format!("choose {}.{name} {}", frame.who, self.told(&left[pick])));
        Ok(pick)
    }

    pub fn told(&self, value: &V) -> String {
        match value {
            V::None => "none".into(),
            V::Int(n) => n.to_string(),
            V::Flag(yes) => if *yes { "yes" } else { "no" }.into(),
            V::Thing(n) => self.things[*n].name.clone(),
            V::Case(of, at) => self.book.enums[*of].cases[*at].text.clone(),
            V::List(list) => format!("[{}]", self.shown_all(list)),
            V::Die(_) => format!("d{}", self.sides(value)),
            other => format!("{other:?}"),
        }
    }

    pub fn shown_all(&self, values: &[V]) -> String {
        values.iter().map(|v| self.told(v)).collect::<Vec<_>>().join(" ")
    }
}
