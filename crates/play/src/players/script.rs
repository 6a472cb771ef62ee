//! Scripted answers of a scenario.

use super::{Players, policy};
use grognard_base::Code;
use grognard_base::order;
use grognard_base::value::dice::name as hash_name;
use grognard_base::value::*;
use grognard_scenario::{Answerer, Decision, Pick, PickValue, evaluate};
use grognard_vm::{Answer, Asked, Fault, Form, places};

impl Players<'_> {
    /// Returns the scripted answer to a question, or `None` if the script has no entry for it.
    pub(super) fn script(&mut self, asked: &mut Asked<'_>) -> Result<Option<Answer>, Fault> {
        let plan = &self.scenario.plan;
        let (site, subject) = (asked.ask.site, asked.who.subject);
        let lists: [&[Decision]; 5] = [self.instead, self.step, &plan.decides, self.step_always, &plan.always];
        if lists.iter().all(|l| l.is_empty()) {
            return Ok(None);
        }
        let name = asked.game.program.schema.sites[site.at()].name.as_str();
        // the count stops after the last `nth` that the script uses
        let last = lists.iter().copied().flatten().filter(|d| d.name == name).filter_map(|d| d.nth).max();
        let times = last.map_or(0, |last| {
            let times = self.memory.uses.times.entry((hash_name(name), subject)).or_insert(0);
            *times = (*times + 1).min(last.saturating_add(1));
            *times
        });
        let fits = |d: &Decision| {
            d.name == name
                && (d.of == -1 || d.of == subject)
                && d.answers.iter().any(|a| a.iter().any(|(s, _)| *s == site))
        };
        if let Some(decision) = self.instead.iter().find(|d| fits(d)) {
            return self.answer(asked, decision).map(Some);
        }
        let uses = &mut self.memory.uses;
        let next =
            take(self.step, &mut uses.step, times, &fits).or_else(|| take(&plan.decides, &mut uses.run, times, &fits));
        if let Some(decision) = next {
            self.arm();
            return self.answer(asked, decision).map(Some);
        }
        for list in [self.step_always, plan.always.as_slice()] {
            if let Some(decision) = list.iter().find(|d| fits(d)) {
                return self.answer(asked, decision).map(Some);
            }
        }
        Ok(None)
    }

    /// Marks the scripted answer to a question as used, because another source answers it.
    pub(crate) fn pass(&mut self, asked: &mut Asked<'_>) {
        if self.sources(asked.who.player).contains(&Answerer::Script) {
            let late = self.memory.uses.late.clone();
            // an invalid scripted answer does not matter here
            let _ = self.script(asked);
            self.memory.uses.late = late;
        }
        self.memory.uses.late.retain(|(site, _)| *site != asked.ask.site);
    }

    /// Returns the first of a decision's answers that is on the menu.
    fn answer(&mut self, asked: &mut Asked<'_>, decision: &Decision) -> Result<Answer, Fault> {
        for alternative in &decision.answers {
            let Some((_, pick)) = alternative.iter().find(|(site, _)| *site == asked.ask.site) else { continue };
            if let Some(answer) = self.resolve(asked, pick)? {
                return Ok(answer);
            }
        }
        let picks = decision.answers.iter().flatten();
        let actions =
            picks.filter_map(|(_, pick)| if let Pick::Action(action, _) = pick { Some(*action) } else { None });
        let message = format!(
            "the {} answers `{}` with {}, which is not on its menu: {}{}",
            self.word(),
            decision.name,
            decision.text,
            menu(asked).join(", "),
            asked.why_refused(&actions.collect::<Vec<_>>())
        );
        Err(Fault::new(Code::Script, message))
    }

    /// Returns the word for the source of the decisions.
    fn word(&self) -> &'static str {
        if self.scenario.plan.alone.is_some() { "example" } else { "script" }
    }

    /// Converts a pick to an answer, or returns `None` if it is not on the menu.
    fn resolve(&mut self, asked: &mut Asked<'_>, pick: &Pick) -> Result<Option<Answer>, Fault> {
        Ok(match pick {
            Pick::Stop => matches!(asked.form, Form::Menu { or_stop: true, .. }).then_some(Answer::Stop),
            Pick::Value(value) => {
                let cells = self.cells(asked, value)?;
                place(&asked.form, &cells)
            }
            Pick::Extreme { most, by } => {
                let (candidates, width, count) = match &asked.form {
                    Form::Choose { candidates, width, .. } | Form::Next { candidates, width } => {
                        (*candidates, *width, 1)
                    }
                    Form::Subset { candidates, width, least, .. } => (*candidates, *width, (*least).max(1)),
                    _ => return Ok(None),
                };
                let mut state = asked.state.clone();
                let piece = &self.scenario.pieces[by.0];
                let mut keys = Vec::new();
                for candidate in candidates.chunks(width.max(1)) {
                    let cells = evaluate(asked.game, piece, &mut state, &[], candidate)?;
                    keys.push(policy::rank(&cells, *most));
                }
                let mut order: Vec<usize> = (0..keys.len()).collect();
                order::sort_by_key(&mut order, |n| (keys[*n].is_none(), keys[*n]));
                order.truncate(count);
                match (&asked.form, order.first()) {
                    (Form::Subset { .. }, _) => Some(Answer::Several(order)),
                    (_, Some(n)) => Some(Answer::Pick(*n)),
                    (_, None) => None,
                }
            }
            Pick::Action(action, given) => self.action(asked, *action, given)?,
        })
    }

    /// Returns the first instance of an action with the given choices. Late choices are kept until they are asked for.
    fn action(
        &mut self,
        asked: &mut Asked<'_>,
        action: ActionId,
        given: &[(LocalId, PickValue)],
    ) -> Result<Option<Answer>, Fault> {
        let program = &asked.game.program;
        let code = &program.actions[action.at()];
        let locals = &program.functions[code.func.at()].locals;
        let (mut wanted, mut late) = (Vec::new(), Vec::new());
        for (local, value) in given {
            let cells = self.cells(asked, value)?;
            let site = code.late.iter().find(|(asked, _)| asked == local).map(|(_, site)| *site);
            match site {
                Some(site) => late.push((site, cells)),
                None => {
                    let width = program.schema.width(&locals[local.at()].ty);
                    wanted.push((code.locals[local.at()] as usize, width, cells));
                }
            }
        }
        let Form::Menu { menu, .. } = &asked.form else { return Ok(None) };
        let fits =
            |cells: &[i64]| wanted.iter().all(|(at, width, value)| cells.get(*at..*at + *width) == value.get(..*width));
        let found = menu.offered.iter().position(|i| i.action == action && fits(&i.cells));
        if found.is_some() {
            self.memory.uses.late = late;
        }
        Ok(found.map(Answer::Pick))
    }

    /// Returns the answer to a late choice from the call of its action.
    pub(super) fn given_late(&mut self, asked: &mut Asked<'_>) -> Result<Option<Answer>, Fault> {
        let Some(at) = self.memory.uses.late.iter().position(|(site, _)| *site == asked.ask.site) else {
            return Ok(None);
        };
        let (_, cells) = self.memory.uses.late.remove(at);
        match place(&asked.form, &cells) {
            Some(answer) => Ok(Some(answer)),
            None => {
                let name = &asked.game.program.schema.sites[asked.ask.site.at()].name;
                let message = format!(
                    "the answer of the {} for `{name}` is not on its menu: {}",
                    self.word(),
                    menu(asked).join(", ")
                );
                Err(Fault::new(Code::Script, message))
            }
        }
    }

    /// Evaluates a scripted value in the current state.
    fn cells(&self, asked: &Asked<'_>, value: &PickValue) -> Result<Vec<i64>, Fault> {
        match value {
            PickValue::Cells(cells) => Ok(cells.clone()),
            PickValue::Piece(piece, _) => {
                evaluate(asked.game, &self.scenario.pieces[piece.0], &mut asked.state.clone(), &[], &[])
            }
        }
    }
}

/// Takes the unused entry for exactly this time, otherwise the first unused entry without a time.
fn take<'d>(
    list: &'d [Decision],
    used: &mut [bool],
    times: u32,
    fits: &dyn Fn(&Decision) -> bool,
) -> Option<&'d Decision> {
    let open = |n: usize, used: &[bool]| !used[n] && fits(&list[n]);
    let exact = (0..list.len()).find(|n| list[*n].nth == Some(times) && open(*n, used));
    let found = exact.or_else(|| (0..list.len()).find(|n| list[*n].nth.is_none() && open(*n, used)))?;
    used[found] = true;
    Some(&list[found])
}

/// Returns a value as an answer, or `None` if it is not on the menu.
pub(super) fn place(form: &Form<'_>, cells: &[i64]) -> Option<Answer> {
    match form {
        Form::Choose { or_none, .. } if cells.first() == Some(&NONE) => or_none.then_some(Answer::None),
        Form::Choose { candidates, width, .. } | Form::Next { candidates, width } => {
            candidates.chunks((*width).max(1)).position(|c| Some(c) == cells.get(..c.len())).map(Answer::Pick)
        }
        Form::Subset { candidates, width, least, most } => {
            let width = (*width).max(1);
            let picks = places(candidates.chunks(width), cells.chunks(width));
            picks.filter(|p| (*least..=*most).contains(&p.len())).map(Answer::Several)
        }
        Form::Option { places } => places.iter().position(|p| Some(p) == cells.first()).map(Answer::Pick),
        Form::May => cells.first().map(|c| Answer::Pick(usize::from(*c != 0))),
        Form::Move { .. } => match cells {
            [x, y] if *x != THING && *x != NONE => Some(Answer::Point(*x, *y)),
            _ => None,
        },
        Form::Menu { .. } => None,
    }
}

/// Returns the texts of all possible answers.
fn menu(asked: &Asked<'_>) -> Vec<String> {
    answers(asked).into_iter().map(String::from).collect()
}

/// Returns all possible answers as values.
pub(super) fn answers(asked: &Asked<'_>) -> Vec<Value> {
    let mut menu = asked.values();
    match &asked.form {
        Form::Choose { or_none: true, .. } => menu.insert(0, Value::None),
        Form::Menu { or_stop: true, .. } => menu.push(Value::Word("stop".into())),
        Form::May => menu.reverse(),
        Form::Move { .. } => menu.push(Value::Word("a point [x, y]".into())),
        Form::Choose { .. } | Form::Menu { .. } | Form::Subset { .. } | Form::Next { .. } | Form::Option { .. } => {}
    }
    menu
}

/// Returns the fault of a question that no source answers.
pub(super) fn unanswered(asked: &Asked<'_>) -> Fault {
    let name = &asked.game.program.schema.sites[asked.ask.site.at()].name;
    let subject = asked.game.packed_name(asked.who.subject);
    let of = if subject.is_empty() { String::new() } else { format!(" of {subject}") };
    let mut menu = menu(asked);
    let more = if menu.len() > 12 { ", .." } else { "" };
    menu.truncate(12);
    Fault::new(Code::Script, format!("the script does not answer `{name}`{of}; it could be {}{more}", menu.join(", ")))
}
