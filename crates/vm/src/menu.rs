//! Menus of actions: finds the offered and the refused instances, and begins the picked one.

use super::ask::{decide, who};
use super::context::{Pure, With};
use super::drive::*;
use super::fault::not_on_menu;
use super::judging::judge_instance;
use super::note::{never, worded};
use super::run::{enter, room, run};
use super::state::{UseRow, What};
use super::{Fault, Game, State};
use grognard_base::Code;
use grognard_base::value::plain::Words;
use grognard_base::value::*;
use grognard_program::{Ask, AskKind, Pc, Reg};

/// Puts an instance on the menu, or records its refusal. Called by header code.
pub(super) fn offer(game: &Game, state: &State, with: &mut With<'_>, action: ActionId, refused: Option<u16>) {
    let base = state.base as usize;
    let cells = state.stack[base..base + game.program.actions[action.at()].frame as usize].to_vec();
    match refused {
        None => with.menu.offered.push(Instance { action, cells }),
        Some(line) => {
            if with.menu.refused.len() < 1000 {
                with.menu.refused.push(Refused { action, line, cells });
            }
        }
    }
}

/// Returns all instances of the actions of the innermost running phase.
pub(super) fn build(game: &Game, state: &mut State, top: usize) -> Result<Menu, Fault> {
    let phase = state.running.iter().rev().find_map(|r| match r.what {
        What::Phase(id) => Some(id),
        What::Action(_) => None,
    });
    let Some(phase) = phase else {
        return Err(Fault::new(Code::Scope, "no phase with actions is running"));
    };
    let mut inner = Pure::pure(game);
    let (pc, base, heap) = (state.pc, state.base, state.heap.len());
    for action in &game.program.phases[phase.at()].menu {
        let header = game.program.actions[action.at()].header;
        let at = base as usize + top;
        let frame = game.program.funcs[header.at()].frame as usize;
        room(state, at + frame);
        state.stack[at..at + game.program.actions[action.at()].frame as usize].fill(0);
        enter(game, state, header, at, pc, 0, u32::MAX)?;
        let outcome = run(game, state, &mut inner);
        state.pc = pc;
        state.base = base;
        state.heap.truncate(heap);
        outcome?;
    }
    Ok(inner.menu)
}

/// Queries the decider for an action of the running phase and begins it.
pub(super) fn choose_action(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask) -> Result<Flow, Fault> {
    let AskKind::Menu { dst, stop } = &ask.kind else { return Ok(Flow::Go) };
    let base = state.base as usize;
    let or_stop = stop.is_some_and(|r| state.stack[base + r as usize] != 0);
    let menu = match with.drivers.decide().known_menu() {
        Some(menu) => menu,
        None => build(game, state, ask.top as usize)?,
    };
    let entries = menu.offered.len() + usize::from(or_stop);
    let answer = match entries {
        0 => return Err(empty(game, state, &menu)),
        1 => {
            with.source = "";
            if or_stop { Answer::Stop } else { Answer::Pick(0) }
        }
        _ => match decide(game, state, with, ask, Form::Menu { menu: &menu, or_stop })? {
            None => return Ok(Flow::Wait),
            Some(Answer::Prefer) => {
                with.drivers.decide().undecided(ask.site);
                if menu.offered.is_empty() { Answer::Stop } else { Answer::Pick(0) }
            }
            Some(chosen) => chosen,
        },
    };
    let picked = answer.among(menu.offered.len()).map(|n| &menu.offered[n]);
    if picked.is_none() && !(or_stop && answer == Answer::Stop) {
        return Err(not_on_menu(game, ask));
    }
    if with.traced {
        let value = |i: &Instance| game.instance(state, i);
        let mut names: Vec<Value> = menu.offered.iter().map(value).collect();
        let stop = Value::Word("stop".into());
        let answer = picked.map_or(stop.clone(), value);
        names.extend(or_stop.then_some(stop));
        let refused = game.tell_refused(state, &menu);
        let source = if entries == 1 { "" } else { with.source };
        with.tell(
            game,
            state,
            &MachineEvent::Decided {
                site: ask.site,
                who: who(state, ask),
                source,
                menu: &names,
                answer: &answer,
                refused: &refused,
            },
        );
    }
    state.stack[base + *dst as usize] = i64::from(picked.is_none());
    let Some(instance) = picked else { return Ok(Flow::Go) };
    begin(game, state, with, ask, instance)?;
    Ok(Flow::Go)
}

/// Calls the function of an action with the variables of the header in place.
fn begin(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask, instance: &Instance) -> Result<(), Fault> {
    let func = game.program.actions[instance.action.at()].func;
    let (base, back): (u32, Pc) = (state.base, state.pc);
    let at = base as usize + ask.top as usize;
    // an action has no result, so a dead register receives it
    enter(game, state, func, at, back, ask.top, base)?;
    state.stack[at..at + instance.cells.len()].copy_from_slice(&instance.cells);
    if with.traced {
        with.tell(game, state, &MachineEvent::Enter { func, args: &instance.cells });
    }
    Ok(())
}

fn empty(game: &Game, state: &State, menu: &Menu) -> Fault {
    let refused = game.tell_refused(state, menu);
    let mut message = "no action is available here".to_string();
    for NotOffered { instance, why, .. } in refused.iter().take(4) {
        message += &format!("; {instance}: {why}");
    }
    Fault::new(Code::EmptyMenu, message)
}

impl Game {
    /// Returns an instance as a value with all its choices.
    pub fn instance(&self, state: &State, instance: &Instance) -> Value {
        self.action(state, instance.action, &instance.cells, usize::MAX)
    }

    /// Returns an instance in the form that scripts use: `IssueOrder(officer: voss, target: laans)`.
    pub fn tell_instance(&self, state: &State, instance: &Instance) -> String {
        self.instance(state, instance).into()
    }

    /// Returns an action with at most `most` of its choices.
    fn action(&self, state: &State, action: ActionId, cells: &[i64], most: usize) -> Value {
        let code = &self.program.actions[action.at()];
        let locals = &self.program.functions[code.func.at()].locals;
        let part = |local: &LocalId| {
            let at = code.locals[local.at()] as usize;
            let local = &locals[local.at()];
            let width = self.program.schema.width(&local.ty);
            ((&local.name).into(), self.value(state, &local.ty, &cells[at..at + width]))
        };
        Value::Action { name: (&code.name).into(), with: code.shown.iter().take(most).map(part).collect() }
    }

    /// Returns the refused instances with reasons and clauses, without duplicates.
    pub fn tell_refused(&self, state: &State, menu: &Menu) -> Vec<NotOffered> {
        let mut record_choice: Vec<NotOffered> = Vec::new();
        let mut aside = state.clone();
        for refused in &menu.refused {
            let line =
                self.program.actions[refused.action.at()].lines.get(refused.line as usize).cloned().unwrap_or_default();
            let top = (state.stack.len() - state.base as usize) as Reg;
            let judge = |state: &mut State, fragment| judge_instance(self, state, fragment, top, &refused.cells);
            let figures = worded(self, &mut aside, &line.figures, judge).words;
            let never = never(self, &mut aside, &line.never, judge);
            let bare = figures.is_empty() || line.text.ends_with(' ');
            let mut why = Words::default().text(line.text);
            if !bare {
                why.add(" (");
            }
            why.append(figures);
            if !bare {
                why.add(")");
            }
            let instance = self.action(state, refused.action, &refused.cells, line.chosen);
            let row = NotOffered { instance, why, clauses: line.cites, never };
            if !record_choice.contains(&row) {
                record_choice.push(row);
            }
        }
        record_choice
    }
}

impl Asked<'_> {
    /// Returns what [`Answer::Pick`] picks with this number, or `None` if there is no such entry.
    pub fn value(&self, n: usize) -> Option<Value> {
        let site = &self.game.program.schema.sites[self.ask.site.at()];
        match &self.form {
            Form::Choose { candidates, width, .. }
            | Form::Next { candidates, width }
            | Form::Subset { candidates, width, .. } => {
                candidates.chunks((*width).max(1)).nth(n).map(|cells| self.game.value(self.state, &site.ty, cells))
            }
            Form::Option { places } => {
                places.get(n).and_then(|place| site.options.get(*place as usize)).map(|word| Value::Word(word.into()))
            }
            Form::May => [false, true].get(n).map(|yes| Value::Flag(*yes)),
            Form::Menu { menu, .. } => menu.offered.get(n).map(|i| self.game.instance(self.state, i)),
            Form::Move { .. } => None,
        }
    }

    /// Returns the text of what [`Answer::Pick`] picks with this number, or `None` if there is no such entry.
    pub fn entry(&self, n: usize) -> Option<String> {
        self.value(n).map(String::from)
    }

    /// Returns all entries, in the order of their numbers.
    pub fn values(&self) -> Vec<Value> {
        (0..).map_while(|n| self.value(n)).collect()
    }

    /// Returns the texts of all entries, in the order of their numbers.
    pub fn entries(&self) -> Vec<String> {
        self.values().into_iter().map(String::from).collect()
    }

    /// Returns the actions that are not on the menu, with reasons.
    pub fn refused(&self) -> Vec<NotOffered> {
        if let Form::Menu { menu, .. } = &self.form { self.game.tell_refused(self.state, menu) } else { Vec::new() }
    }

    /// Returns as text why these actions are not on the menu, or an empty text if no header gives a reason.
    pub fn why_refused(&self, actions: &[ActionId]) -> String {
        let Form::Menu { menu, .. } = &self.form else { return String::new() };
        let names: Vec<&str> = actions.iter().map(|a| self.game.program.actions[a.at()].name.as_str()).collect();
        let record_choice = self.game.tell_refused(self.state, menu);
        let named = |v: &Value| matches!(v, Value::Action { name, .. } if names.contains(&name.as_str()));
        let record_choice = record_choice.iter().filter(|not| named(&not.instance));
        record_choice.take(3).map(|not| format!("; {} is rejected: {}", not.instance, not.why)).collect()
    }
}

// -------------------------------------------------------------------- limits

/// Returns the scope of a count: the index of the innermost running phase of the limit, or `u32::MAX` for the whole
/// run.
fn counted_in(game: &Game, state: &State, action: ActionId, line: u16) -> u32 {
    let line = game.program.actions[action.at()].lines.get(line as usize);
    let Some((per, _)) = line.and_then(|line| line.limit.as_ref()) else { return u32::MAX };
    state.running.iter().rposition(|r| r.what == What::Phase(*per)).map_or(u32::MAX, |n| n as u32)
}

/// Returns the number of uses of a limited action for a key.
pub(super) fn used(game: &Game, state: &State, action: ActionId, line: u16, key: i64) -> i64 {
    let running = counted_in(game, state, action, line);
    state
        .uses
        .iter()
        .find(|u| u.running == running && u.action == action && u.line == line && u.key == key)
        .map_or(0, |u| u.times)
}

/// Increments the number of uses and returns it.
pub(super) fn count_use(game: &Game, state: &mut State, action: ActionId, line: u16, key: i64) -> i64 {
    let running = counted_in(game, state, action, line);
    if let Some(row) =
        state.uses.iter_mut().find(|u| u.running == running && u.action == action && u.line == line && u.key == key)
    {
        row.times += 1;
        return row.times;
    }
    state.uses.push(UseRow { running, action, line, key, times: 1 });
    1
}
