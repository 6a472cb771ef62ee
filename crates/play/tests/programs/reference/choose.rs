//! Makes decisions.

use super::builtins::how_many;
use super::expr::best;
use super::path::Step;
use super::value::V;
use super::world::{Decisions, Exit, Frame, Res, World};
use grognard_syntax::tree::*;

/// Expression of who throws or decides; without it the subject does.
type By<'e> = Option<&'e Expr>;

impl<'b> World<'b> {
    /// Returns who acts, or the error R0916 if that thing is destroyed.
    pub fn acts(&mut self, frame: &mut Frame, by: By<'_>) -> Res<Option<usize>> {
        let who = match by {
            Some(by) => match self.eval(frame, by)? {
                V::Thing(n) => Some(n),
                _ => None,
            },
            None => frame.subject,
        };
        let needs_play = by.is_some() || !frame.of_rule;
        if needs_play && who.is_some_and(|n| !self.things[n].alive) { Err(Exit::Fault("R0916")) } else { Ok(who) }
    }

    /// Follows owners from who acts to a player, and returns how that player decides.
    pub fn decider(&mut self, frame: &mut Frame, by: By<'_>) -> Res<Decisions> {
        self.asked.clear();
        let Some(mut who) = self.acts(frame, by)? else { return Ok(Decisions::Preferred) };
        let owner = |kind: &Kind| {
            kind.members
                .iter()
                .find_map(|m| if let MemberKind::Owner(n) = &m.kind { Some(n.text.clone()) } else { None })
        };
        while let Some(owner) = self.book.kind(&self.things[who].kind).and_then(owner) {
            let V::Thing(next) = self.figure(who, &owner)? else { break };
            who = next;
        }
        self.asked = self.things[who].name.clone();
        let found = self.players.iter().find(|(player, _)| *player == self.asked);
        Ok(found.map_or(Decisions::Preferred, |(_, decisions)| decisions.clone()))
    }

    /// Returns the preferences of a policy for a decision whose conditions hold.
    pub fn advice(&mut self, frame: &mut Frame, policy: &str, choice: &str) -> Res<Vec<&'b Answer>> {
        let mut found = Vec::new();
        for entry in self.book.policies[policy].iter().filter(|e| e.choice.text == choice) {
            for preference in &entry.prefs {
                if self.holds(frame, preference.when.as_ref())? {
                    found.push(&preference.answer);
                }
            }
        }
        Ok(found)
    }

    /// Returns the candidates of a draw or a choice, things once each; and the candidates with equal values once each.
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

    /// Takes one of `count` equally likely entries.
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
        let decisions = self.decider(frame, by)?;
        let (all, once) = self.candidates(frame, name, from, filter)?;
        let answer = match amount {
            None => self.one_of(frame, name, &decisions, (once, or_none), prefer)?,
            Some(amount) => self.several_of(frame, name, &decisions, (amount, &all), prefer)?,
        };
        self.log.push(format!("choose {} {}.{name} {}", self.asked, frame.who, self.rendered(&answer)));
        Ok(answer)
    }

    fn one_of(
        &mut self,
        frame: &mut Frame,
        name: &str,
        decisions: &Decisions,
        (entries, or_none): (Vec<V>, bool),
        prefer: Option<&Prefer>,
    ) -> Res<V> {
        if entries.is_empty() {
            return if or_none { Ok(V::None) } else { Err(Exit::Fault("R0901")) };
        }
        if entries.len() == 1 && !or_none {
            return Ok(entries[0].clone());
        }
        if *decisions == Decisions::Random {
            let pick = self.any(entries.len() + usize::from(or_none));
            let place = if or_none { pick.checked_sub(1) } else { Some(pick) };
            self.path.steps.push(place.map_or(Step::None, Step::Pick));
            return Ok(place.map_or(V::None, |at| entries[at].clone()));
        }
        self.path.steps.push(Step::Preferred);
        let plain = if or_none { V::None } else { entries[0].clone() };
        if *decisions == Decisions::First {
            return Ok(plain);
        }
        if let Decisions::Policy(policy) = decisions {
            for advice in self.advice(frame, policy, name)? {
                match advice {
                    Answer::Extreme { most, by } => {
                        let mut keyed = Vec::new();
                        for entry in &entries {
                            keyed.push((entry.clone(), self.key(frame, name, entry, by)?));
                        }
                        return Ok(best(keyed, *most));
                    }
                    Answer::Value(value) => {
                        let value = self.eval(frame, value)?;
                        if value == V::None && or_none || entries.contains(&value) {
                            return Ok(value);
                        }
                    }
                    Answer::Stop(_) => {}
                }
            }
        }
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
        decisions: &Decisions,
        (amount, entries): (&Range, &[V]),
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
        } else if *decisions == Decisions::Random {
            let pick = self.any(parts.len());
            self.path.steps.push(Step::Several(parts[pick].clone()));
            parts[pick].clone()
        } else {
            self.path.steps.push(Step::Preferred);
            match self.advised(frame, name, decisions, low, entries)? {
                Some(places) => places,
                None => self.preferred(frame, name, (low, high), entries, prefer)?,
            }
        };
        places.sort_unstable();
        Ok(V::List(places.into_iter().map(|at| entries[at].clone()).collect()))
    }

    /// Returns the entries that a player with `first` or with a policy takes of several, or `None` for the preference of the rules.
    fn advised(
        &mut self,
        frame: &mut Frame,
        name: &str,
        decisions: &Decisions,
        low: usize,
        entries: &[V],
    ) -> Res<Option<Vec<usize>>> {
        match decisions {
            Decisions::First => Ok(Some((0..low).collect())),
            Decisions::Policy(policy) => {
                for advice in self.advice(frame, policy, name)? {
                    match advice {
                        Answer::Extreme { most, by } => {
                            return self.extreme(frame, name, (*most, by), low, entries).map(Some);
                        }
                        Answer::Value(value) if self.eval(frame, value)? == V::None && low == 0 => {
                            return Ok(Some(Vec::new()));
                        }
                        _ => {}
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Returns the best entries, as few as are allowed.
    fn extreme(
        &mut self,
        frame: &mut Frame,
        name: &str,
        (most, by): (bool, &Expr),
        low: usize,
        entries: &[V],
    ) -> Res<Vec<usize>> {
        let mut left: Vec<(V, V)> = Vec::new();
        for (at, entry) in entries.iter().enumerate() {
            left.push((V::Int(at as i64), self.key(frame, name, entry, by)?));
        }
        let mut taken = Vec::new();
        for _ in 0..low {
            let first = best(left.clone(), most);
            left.retain(|(at, _)| *at != first);
            taken.push(first.int() as usize);
        }
        Ok(taken)
    }

    fn preferred(
        &mut self,
        frame: &mut Frame,
        name: &str,
        (low, high): (usize, usize),
        entries: &[V],
        prefer: Option<&Prefer>,
    ) -> Res<Vec<usize>> {
        match prefer {
            None => Ok((0..low.max(1).min(high)).collect()),
            Some(Prefer::Extreme { most, by }) => self.extreme(frame, name, (*most, by), low, entries),
            Some(Prefer::When { condition, .. }) => {
                let (mut fit, mut other) = (Vec::new(), Vec::new());
                for (at, entry) in entries.iter().enumerate() {
                    let holds = self.key(frame, name, entry, condition)?.flag();
                    if holds { fit.push(at) } else { other.push(at) }
                }
                fit.truncate(high);
                let missing = low.saturating_sub(fit.len());
                fit.extend(other.into_iter().take(missing));
                Ok(fit)
            }
        }
    }

    /// Returns all subsets of these sizes. Of subsets with equal entries it returns the first.
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
        let decisions = self.decider(frame, by)?;
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
        } else if decisions == Decisions::Random {
            let pick = self.any(offered.len());
            self.path.steps.push(Step::Pick(pick));
            pick
        } else {
            self.path.steps.push(Step::Preferred);
            match self.option_of(frame, name, &decisions, &offered)? {
                Some(taken) => taken,
                None => self.option_preferred(frame, &offered)?,
            }
        };
        self.log.push(format!("choose {} {}.{name} {}", self.asked, frame.who, offered[taken].name.text));
        let before = frame.env.len();
        let done = self.body(frame, &offered[taken].body);
        frame.env.truncate(before);
        done
    }

    fn option_of(
        &mut self,
        frame: &mut Frame,
        name: &str,
        decisions: &Decisions,
        offered: &[&ChoiceOption],
    ) -> Res<Option<usize>> {
        match decisions {
            Decisions::First => Ok(Some(0)),
            Decisions::Policy(policy) => {
                let named = |advice: &&Answer| match advice {
                    Answer::Value(Expr { kind: ExprKind::Name(option), .. }) => {
                        offered.iter().position(|o| o.name.text == *option)
                    }
                    _ => None,
                };
                Ok(self.advice(frame, policy, name)?.iter().find_map(named))
            }
            _ => Ok(None),
        }
    }

    fn option_preferred(&mut self, frame: &mut Frame, offered: &[&ChoiceOption]) -> Res<usize> {
        for (at, option) in offered.iter().enumerate() {
            if let Some(when) = &option.prefer
                && self.holds(frame, when.as_ref())?
            {
                return Ok(at);
            }
        }
        Ok(offered.iter().position(|o| o.prefer.is_none()).unwrap_or(0))
    }

    /// Decides a `may`.
    pub fn may(&mut self, frame: &mut Frame, name: &str, by: By<'_>, prefer: Option<&Expr>) -> Res<bool> {
        let decisions = self.decider(frame, by)?;
        let yes = if decisions == Decisions::Random {
            let yes = self.any(2) == 0;
            self.path.steps.push(Step::Pick(usize::from(yes)));
            yes
        } else {
            self.path.steps.push(Step::Preferred);
            let mut advised = if decisions == Decisions::First { Some(true) } else { None };
            if let Decisions::Policy(policy) = &decisions {
                for advice in self.advice(frame, policy, name)? {
                    if let Answer::Value(value) = advice
                        && advised.is_none()
                    {
                        advised = Some(self.eval(frame, value)?.flag());
                    }
                }
            }
            match (advised, prefer) {
                (Some(yes), _) => yes,
                (None, Some(condition)) => self.eval(frame, condition)?.flag(),
                (None, None) => false,
            }
        };
        self.log.push(format!("choose {} {}.{name} {}", self.asked, frame.who, if yes { "yes" } else { "no" }));
        Ok(yes)
    }

    /// Decides who is next in `each .. chosen as`.
    pub fn next_of(&mut self, frame: &mut Frame, name: &str, by: By<'_>, left: &[V]) -> Res<usize> {
        let decisions = self.decider(frame, by)?;
        let pick = if left.len() == 1 {
            0
        } else if decisions == Decisions::Random {
            let pick = self.any(left.len());
            self.path.steps.push(Step::Pick(pick));
            pick
        } else {
            self.path.steps.push(Step::Preferred);
            0
        };
        self.log.push(format!("choose {} {}.{name} {}", self.asked, frame.who, self.rendered(&left[pick])));
        Ok(pick)
    }

    pub fn rendered(&self, value: &V) -> String {
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
        values.iter().map(|v| self.rendered(v)).collect::<Vec<_>>().join(" ")
    }
}
