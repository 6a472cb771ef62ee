//! Decisions of an example: what it chooses, else what the rules prefer.

use super::cells_of;
use super::claims::Slot;
use crate::base::Code;
use crate::machine::{Answer, Asked, Decide, Fault, Form, Game, State, places};
use crate::play::memory::take;
use crate::value::*;
use std::collections::BTreeMap;

/// One entry under `choosing`, compiled for every question of that name.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    Stop,
    /// A value of the site's type.
    Value(Vec<(SiteId, FuncId)>),
    /// The candidate with the most or least of a key.
    Rank {
        most: bool,
        keys: Vec<(SiteId, FuncId)>,
    },
    /// An action, with those choices of its header that are given.
    Action {
        action: ActionId,
        given: Vec<(LocalId, FuncId)>,
    },
}

/// Answers as an example says.
pub(super) struct Answers {
    /// By name: what it chooses, and how much of it was asked.
    choices: BTreeMap<String, (Vec<Choice>, usize)>,
    /// Set: stop at the action menu that claims of offers are about, and keep it here.
    menu: Option<Slot>,
}

impl Answers {
    pub(super) fn of(choices: &[(String, Choice)], menu: Option<Slot>) -> Answers {
        let mut by_name: BTreeMap<String, (Vec<Choice>, usize)> = BTreeMap::new();
        for (name, choice) in choices {
            by_name.entry(name.clone()).or_default().0.push(choice.clone());
        }
        let answers = Answers { choices: by_name, menu };
        answers.arm();
        answers
    }

    /// Claims of offers are about the first menu behind the last action that is picked.
    fn arm(&self) {
        let picks = |(list, asked): &(Vec<Choice>, usize)| {
            list.iter().skip(*asked).any(|choice| matches!(choice, Choice::Action { .. }))
        };
        if let Some(slot) = self.menu.as_ref().filter(|_| !self.choices.values().any(picks)) {
            slot.arm();
        }
    }

    /// Writes down how far it came.
    pub(super) fn remember(&self, to: &mut Vec<i64>) {
        to.extend(self.choices.values().map(|(_, asked)| *asked as i64));
    }

    /// Goes back to what was written down.
    pub(super) fn recall(&mut self, from: &mut &[i64]) {
        self.choices.values_mut().for_each(|(_, asked)| *asked = take(from) as usize);
    }
}

impl Decide for Answers {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let game = asked.game;
        if let (Some(slot), Form::Menu { menu, .. }) = (self.menu.as_ref().filter(|slot| slot.armed()), &asked.form) {
            let offered = menu.offered.iter().map(|i| game.instance(asked.state, i)).collect();
            slot.put(offered, game.tell_refused(asked.state, menu));
            return Ok((Answer::Wait, ""));
        }
        let site = asked.ask.site;
        let name = game.program.schema.sites[site.at()].name.clone();
        let Some(choice) = self.choices.get_mut(&name).and_then(|(choices, asked)| {
            let next = choices.get(*asked).cloned()?;
            *asked += 1;
            Some(next)
        }) else {
            return Ok((Answer::Prefer, "prefer"));
        };
        self.arm();
        let state = &*asked.state;
        let action = if let Choice::Action { action, .. } = &choice { Some(*action) } else { None };
        let answer = match choice {
            Choice::Stop => Some(Answer::Stop),
            Choice::Value(values) => match values.iter().find(|(s, _)| *s == site) {
                Some((_, func)) => value(game, state, site, *func, &asked.form)?,
                None => None,
            },
            Choice::Rank { most, keys } => match keys.iter().find(|(s, _)| *s == site) {
                Some((_, func)) => rank(game, state, most, *func, &asked.form)?,
                None => None,
            },
            Choice::Action { action, given } => pick(game, state, action, &given, &asked.form)?,
        };
        match answer {
            Some(answer) => Ok((answer, "example")),
            None => {
                let why = asked.why_refused(action.as_slice());
                let message = format!("what is chosen for `{name}` is not on its menu{why}");
                Err(Fault::new(Code::ExampleForm, message))
            }
        }
    }
}

/// The entry equal to a value.
fn value(game: &Game, state: &State, site: SiteId, func: FuncId, form: &Form<'_>) -> Result<Option<Answer>, Fault> {
    let mut aside = state.clone();
    let cells = cells_of(game, &mut aside, func, &[])?;
    let ty = &game.program.schema.sites[site.at()].ty;
    let Some(&first) = cells.first() else { return Ok(None) };
    let place = |candidates: &[i64], width: usize, cells: &[i64]| {
        let wanted = game.tell(&aside, ty, cells);
        candidates.chunks(width.max(1)).position(|c| c == cells || game.tell(&aside, ty, c) == wanted)
    };
    Ok(match form {
        Form::Choose { or_none: true, .. } if first == NONE => Some(Answer::None),
        Form::Choose { candidates, width, .. } | Form::Next { candidates, width } => {
            place(candidates, *width, &cells).map(Answer::Pick)
        }
        Form::Subset { candidates, width, .. } => {
            let list = crate::machine::Handle::of(first);
            let entries = aside.heap.get(list.at..list.at + list.len * *width).unwrap_or_default();
            let width = (*width).max(1);
            let told = |cells: &[i64]| game.tell(&aside, ty, cells);
            let menu: Vec<String> = candidates.chunks(width).map(told).collect();
            places(menu.iter(), entries.chunks(width).map(told).collect::<Vec<_>>().iter()).map(Answer::Several)
        }
        Form::Option { places } => places.iter().position(|p| *p == first).map(Answer::Pick),
        Form::May => Some(Answer::Pick(usize::from(first != 0))),
        Form::Move { .. } if first != THING && first != NONE => cells.get(1).map(|y| Answer::Point(first, *y)),
        Form::Move { .. } | Form::Menu { .. } => None,
    })
}

/// The best candidates; equals in their order.
fn rank(game: &Game, state: &State, most: bool, func: FuncId, form: &Form<'_>) -> Result<Option<Answer>, Fault> {
    let (candidates, width, size) = match form {
        Form::Choose { candidates, width, .. } | Form::Next { candidates, width } => {
            (*candidates, (*width).max(1), None)
        }
        Form::Subset { candidates, width, least, .. } => (*candidates, (*width).max(1), Some((*least).max(1))),
        _ => return Ok(None),
    };
    let mut ranked: Vec<(Option<Ratio>, usize)> = Vec::new();
    for (n, cells) in candidates.chunks(width).enumerate() {
        let mut aside = state.clone();
        let key = cells_of(game, &mut aside, func, cells)?;
        let key = match key.as_slice() {
            [] | [NONE, ..] => None,
            [one] => Ratio::new(*one, 1),
            [a, b, ..] => Ratio::new(*a, *b),
        };
        ranked.push((key, n));
    }
    ranked.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) if most => b.cmp(a),
        (Some(a), Some(b)) => a.cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    Ok(match size {
        Some(size) => Some(Answer::Several(ranked.iter().take(size).map(|(_, n)| *n).collect())),
        None => ranked.first().map(|(_, n)| Answer::Pick(*n)),
    })
}

/// The first instance of an action with these choices.
fn pick(
    game: &Game,
    state: &State,
    action: ActionId,
    given: &[(LocalId, FuncId)],
    form: &Form<'_>,
) -> Result<Option<Answer>, Fault> {
    let Form::Menu { menu, .. } = form else { return Ok(None) };
    let info = &game.program.actions[action.at()];
    let mut wanted = Vec::new();
    for (local, func) in given {
        let mut aside = state.clone();
        wanted.push((info.locals[local.at()] as usize, cells_of(game, &mut aside, *func, &[])?));
    }
    let fits =
        |cells: &[i64]| wanted.iter().all(|(at, value)| cells.get(*at..*at + value.len()) == Some(value.as_slice()));
    Ok(menu.offered.iter().position(|i| i.action == action && fits(&i.cells)).map(Answer::Pick))
}
