//! Questions: dice, draws and decisions, answered by the drivers of the run.

use super::drive::*;
use super::operate::full;
use super::run::{Run, judge};
use super::state::Handle;
use super::{Fault, Game, StandIn, State};
use crate::base::Code;
use crate::program::{Ask, AskKind, DiceSort, Fragment, PreferCode};
use crate::value::*;

/// Most dice in one throw.
const MOST_DICE: usize = 10_000;

/// Most sides of a die.
const MOST_SIDES: i64 = 1_000_000;

/// Puts a question and takes the answer in.
pub(super) fn ask<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
) -> Result<Flow, Fault> {
    let base = state.base as usize;
    match &ask.kind {
        AskKind::Roll { dst, count, dice, fixed, sort, list, sum } => {
            let subject = state.stack[base + ask.who.subject as usize];
            let mut each = Vec::new();
            let thrown = if *list {
                for die in state.list(state.stack[base + *dice as usize]) {
                    each.push(die_of(game, *sort, *die)?);
                }
                Thrown::Each(&each)
            } else {
                let die = die_of(game, *sort, fixed.unwrap_or(state.stack[base + *dice as usize]))?;
                let n = count.map_or(1, |r| state.stack[base + r as usize].max(0));
                Thrown::Same(die, n as usize)
            };
            if thrown.len() > MOST_DICE {
                return Err(Fault::new(
                    Code::TooManyDice,
                    format!("{} dice in one throw; {MOST_DICE} is the most", thrown.len()),
                ));
            }
            let throw = Throw { site: ask.site, subject, dice: thrown, again: &[], explode: false };
            // the faces fall where a pool lies anyway
            let at = state.heap.len();
            if with.dice.throw(game, &throw, &mut state.heap)? == Flow::Wait {
                state.heap.truncate(at);
                return Ok(Flow::Wait);
            }
            if T::ON {
                with.trace.happen(
                    game,
                    state,
                    &Happening::Roll { throw: &throw, name: ask.site, faces: &state.heap[at..] },
                );
            }
            let pool = count.is_some() && !*sum || *list;
            state.stack[base + *dst as usize] = if pool {
                Handle { at, len: state.heap.len() - at }.cell()
            } else {
                let total = state.heap[at..].iter().sum();
                state.heap.truncate(at);
                total
            };
            Ok(Flow::Go)
        }
        AskKind::Reroll { .. } => reroll(game, state, with, ask),
        AskKind::Draw { .. } => draw(game, state, with, ask),
        AskKind::Choose { dst, from, width, or_none, prefer, entry } => {
            let (dst, width) = (base + *dst as usize, *width as usize);
            let list = Handle::of(state.stack[base + *from as usize]);
            let cells = state.heap[list.at..list.at + list.len * width].to_vec();
            let entries = list.len + usize::from(*or_none);
            let pick = match entries {
                0 => return Err(empty(game, ask)),
                1 => Answer::Pick(0),
                _ => {
                    match decide(game, state, with, ask, Form::Choose { candidates: &cells, width, or_none: *or_none })?
                    {
                        Answer::Wait => return Ok(Flow::Wait),
                        Answer::Prefer => preferred(game, state, &cells, width, *or_none, *prefer, *entry)?,
                        other => other,
                    }
                }
            };
            let picked = match pick {
                Answer::Pick(n) if n < list.len => Some(n),
                Answer::None | Answer::Pick(_) if *or_none => None,
                _ => return Err(impossible(game, ask)),
            };
            match picked {
                Some(n) => state.stack[dst..dst + width].copy_from_slice(&cells[n * width..(n + 1) * width]),
                None => state.stack[dst] = NONE,
            }
            if T::ON {
                let answer = match picked {
                    Some(n) => game.tell(
                        state,
                        &game.program.rules.sites[ask.site.at()].ty,
                        &cells[n * width..(n + 1) * width],
                    ),
                    None => "none".to_string(),
                };
                told(game, state, with, ask, entries, &cells, width, *or_none, answer);
            }
            Ok(Flow::Go)
        }
        AskKind::Subset { .. } => subset(game, state, with, ask),
        AskKind::Option { dst, from, prefer } => {
            let places = state.list(state.stack[base + *from as usize]).to_vec();
            let n = match places.len() {
                0 => return Err(empty(game, ask)),
                1 => 0,
                _ => match decide(game, state, with, ask, Form::Option { places: &places })? {
                    Answer::Wait => return Ok(Flow::Wait),
                    Answer::Pick(n) if n < places.len() => n,
                    Answer::Prefer => preferred_option(game, state, &places, prefer)?,
                    _ => return Err(impossible(game, ask)),
                },
            };
            state.stack[base + *dst as usize] = places[n];
            if T::ON {
                let site = &game.program.rules.sites[ask.site.at()];
                let menu: Vec<String> = places.iter().map(|p| site.options[*p as usize].clone()).collect();
                tell_decision(game, state, with, ask, &menu, menu[n].clone());
            }
            Ok(Flow::Go)
        }
        AskKind::May { dst, prefer } => {
            let yes = match decide(game, state, with, ask, Form::May)? {
                Answer::Wait => return Ok(Flow::Wait),
                Answer::Pick(n) => n == 1,
                Answer::Prefer => match prefer {
                    Some(fragment) => judge(game, state, *fragment, None)?[0] != 0,
                    None => true,
                },
                _ => return Err(impossible(game, ask)),
            };
            state.stack[base + *dst as usize] = i64::from(yes);
            if T::ON {
                let menu = ["yes".to_string(), "no".to_string()];
                tell_decision(game, state, with, ask, &menu, if yes { "yes" } else { "no" }.to_string());
            }
            Ok(Flow::Go)
        }
        AskKind::Next { dst, from, width } => {
            let width = *width as usize;
            let list = Handle::of(state.stack[base + *from as usize]);
            let cells = state.heap[list.at..list.at + list.len * width].to_vec();
            let n = if list.len == 1 {
                0
            } else {
                match decide(game, state, with, ask, Form::Next { candidates: &cells, width })? {
                    Answer::Wait => return Ok(Flow::Wait),
                    Answer::Prefer => 0,
                    Answer::Pick(n) if n < list.len => n,
                    _ => return Err(impossible(game, ask)),
                }
            };
            state.stack[base + *dst as usize] = n as i64;
            if T::ON {
                let answer =
                    game.tell(state, &game.program.rules.sites[ask.site.at()].ty, &cells[n * width..(n + 1) * width]);
                told(game, state, with, ask, list.len, &cells, width, false, answer);
            }
            Ok(Flow::Go)
        }
        AskKind::Menu { .. } => super::menu::choose_action(game, state, with, ask),
        AskKind::Move(code) => super::motion::make_move(game, state, with, ask, code),
    }
}

/// Who is asked.
pub(super) fn who(state: &State, ask: &Ask) -> Who {
    let base = state.base as usize;
    Who { subject: state.stack[base + ask.who.subject as usize], player: state.stack[base + ask.who.player as usize] }
}

pub(super) fn decide<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
    form: Form<'_>,
) -> Result<Answer, Fault> {
    let who = who(state, ask);
    let mut asked = Asked { game, state, ask, who, form };
    let (answer, source) = with.decide.decide(&mut asked)?;
    with.source = source;
    Ok(answer)
}

/// Tells the watcher of a decision among values.
#[allow(clippy::too_many_arguments)] // what there was, and what was taken
fn told<D, C, T: Trace>(
    game: &Game,
    state: &State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
    entries: usize,
    cells: &[i64],
    width: usize,
    or_none: bool,
    answer: String,
) {
    let ty = &game.program.rules.sites[ask.site.at()].ty;
    let mut menu: Vec<String> = cells.chunks(width.max(1)).map(|c| game.tell(state, ty, c)).collect();
    if or_none {
        menu.insert(0, "none".into());
    }
    if entries == 1 {
        with.source = "";
    }
    tell_decision(game, state, with, ask, &menu, answer);
}

pub(super) fn tell_decision<D, C, T: Trace>(
    game: &Game,
    state: &State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
    menu: &[String],
    answer: String,
) {
    let source = if menu.len() == 1 { "" } else { with.source };
    with.trace.happen(
        game,
        state,
        &Happening::Decided { site: ask.site, who: who(state, ask), source, menu, answer, refused: &[] },
    );
}

fn site_name(game: &Game, ask: &Ask) -> String {
    game.program.rules.sites[ask.site.at()].name.clone()
}

fn empty(game: &Game, ask: &Ask) -> Fault {
    Fault::new(Code::EmptyMenu, format!("`{}` has nothing to choose from", site_name(game, ask)))
}

pub(super) fn impossible(game: &Game, ask: &Ask) -> Fault {
    Fault::new(Code::Script, format!("the answer to `{}` is not on its menu", site_name(game, ask)))
}

// -------------------------------------------------------------------- preferences

/// What the rules prefer among candidates.
fn preferred(
    game: &Game,
    state: &mut State,
    cells: &[i64],
    width: usize,
    or_none: bool,
    prefer: Option<PreferCode>,
    entry: u16,
) -> Result<Answer, Fault> {
    let count = cells.len() / width.max(1);
    match prefer {
        Some(PreferCode::Extreme { most, key, .. }) => {
            let mut best: Option<(Option<Ratio>, Answer)> = None;
            let none = [NONE];
            let entries = (0..count).map(|n| (&cells[n * width..(n + 1) * width], Answer::Pick(n)));
            // equal keys: the first entry wins, and none comes first on a menu that has it
            let all = or_none.then_some((&none[..], Answer::None)).into_iter().chain(entries);
            for (candidate, answer) in all {
                let key = key_of(game, state, key, entry, candidate)?;
                let better = match &best {
                    None => true,
                    Some((None, _)) => key.is_some(),
                    Some((Some(old), _)) => key.is_some_and(|k| if most { k > *old } else { k < *old }),
                };
                if better {
                    best = Some((key, answer));
                }
            }
            Ok(best.map_or(Answer::None, |(_, a)| a))
        }
        Some(PreferCode::When { none, condition }) => {
            if none {
                let holds = judge(game, state, condition, None)?[0] != 0;
                return Ok(if holds && or_none { Answer::None } else { Answer::Pick(0) });
            }
            for n in 0..count {
                if judge(game, state, condition, Some((entry, &cells[n * width..(n + 1) * width])))?[0] != 0 {
                    return Ok(Answer::Pick(n));
                }
            }
            Ok(if or_none { Answer::None } else { Answer::Pick(0) })
        }
        // none is the first entry of a menu that has it
        None => Ok(if or_none { Answer::None } else { Answer::Pick(0) }),
    }
}

/// A candidate's key; none ranks last.
pub(super) fn key_of(
    game: &Game,
    state: &mut State,
    key: Fragment,
    entry: u16,
    candidate: &[i64],
) -> Result<Option<Ratio>, Fault> {
    let cells = judge(game, state, key, Some((entry, candidate)))?;
    if cells[0] == NONE {
        return Ok(None);
    }
    Ok(if cells.len() == 2 { Ratio::new(cells[0], cells[1]) } else { Some(Ratio::whole(cells[0])) })
}

fn preferred_option(
    game: &Game,
    state: &mut State,
    places: &[i64],
    prefer: &[(usize, Option<Fragment>)],
) -> Result<usize, Fault> {
    for (option, when) in prefer {
        let Some(at) = places.iter().position(|p| *p == *option as i64) else { continue };
        let holds = match when {
            Some(fragment) => judge(game, state, *fragment, None)?[0] != 0,
            None => true,
        };
        if holds {
            return Ok(at);
        }
    }
    Ok(0)
}

fn subset<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
) -> Result<Flow, Fault> {
    let AskKind::Subset { dst, from, width, least, most, prefer, entry } = &ask.kind else { return Ok(Flow::Go) };
    let (base, width) = (state.base as usize, *width as usize);
    let list = Handle::of(state.stack[base + *from as usize]);
    let cells = state.heap[list.at..list.at + list.len * width].to_vec();
    let most = state.stack[base + *most as usize].clamp(0, list.len as i64) as usize;
    let least = state.stack[base + *least as usize].max(0) as usize;
    if least > most {
        return Err(empty(game, ask));
    }
    let only = if most == 0 {
        Some(Vec::new())
    } else if least == list.len {
        Some((0..list.len).collect())
    } else {
        None
    };
    let asked = only.is_none();
    let mut picks: Vec<usize> = match only {
        Some(picks) => picks,
        None => match decide(game, state, with, ask, Form::Subset { candidates: &cells, width, least, most })? {
            Answer::Wait => return Ok(Flow::Wait),
            Answer::Several(picks) => picks,
            Answer::Pick(n) => vec![n],
            Answer::None => Vec::new(),
            Answer::Prefer => preferred_subset(
                game,
                state,
                &cells,
                width,
                least.max(usize::from(prefer.is_none() && least == 0)),
                *prefer,
                *entry,
            )?,
            _ => return Err(impossible(game, ask)),
        },
    };
    picks.sort_unstable();
    picks.dedup();
    if picks.len() < least || picks.len() > most || picks.iter().any(|p| *p >= list.len) {
        return Err(impossible(game, ask));
    }
    let taken: Vec<i64> = picks.iter().flat_map(|p| cells[p * width..(p + 1) * width].iter().copied()).collect();
    state.stack[base + *dst as usize] = state.new_list(&taken, width);
    if T::ON {
        let ty = &game.program.rules.sites[ask.site.at()].ty;
        let names: Vec<String> = taken.chunks(width.max(1)).map(|c| game.tell(state, ty, c)).collect();
        if !asked {
            with.source = "";
        }
        told(game, state, with, ask, list.len, &cells, width, false, format!("[{}]", names.join(", ")));
    }
    Ok(Flow::Go)
}

/// Single candidates are ranked, and the best taken until the least size is reached.
fn preferred_subset(
    game: &Game,
    state: &mut State,
    cells: &[i64],
    width: usize,
    size: usize,
    prefer: Option<PreferCode>,
    entry: u16,
) -> Result<Vec<usize>, Fault> {
    let count = cells.len() / width.max(1);
    let mut order: Vec<(usize, Option<Ratio>)> = Vec::with_capacity(count);
    for n in 0..count {
        let candidate = &cells[n * width..(n + 1) * width];
        let key = match prefer {
            Some(PreferCode::Extreme { most, key, .. }) => {
                let key = key_of(game, state, key, entry, candidate)?;
                if most { key.and_then(Ratio::checked_neg) } else { key }
            }
            Some(PreferCode::When { condition, .. }) => {
                let holds = judge(game, state, condition, Some((entry, candidate)))?[0] != 0;
                Some(Ratio::from(i32::from(!holds)))
            }
            None => Some(Ratio::from(0)),
        };
        order.push((n, key));
    }
    order.sort_by(|a, b| match (a.1, b.1) {
        (Some(x), Some(y)) => x.cmp(&y),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        (None, None) => std::cmp::Ordering::Equal,
    });
    Ok(order.into_iter().take(size).map(|(n, _)| n).collect())
}

// -------------------------------------------------------------------- dice

fn die_of(game: &Game, sort: DiceSort, value: i64) -> Result<Die, Fault> {
    let chain = |id: ChainId, step: i64| {
        let dice = &game.program.rules.chains[id.at()].dice;
        let step = step.clamp(0, dice.len() as i64 - 1) as usize;
        Die::Sides(dice[step])
    };
    Ok(match sort {
        DiceSort::Chain(id) | DiceSort::Shifted(id) => chain(id, value),
        DiceSort::Faces(id) => Die::Faces(id),
        DiceSort::Sides if value < 0 => Die::Faces(DieId((-1 - value) as u32)),
        DiceSort::Sides if (1..=MOST_SIDES).contains(&value) => Die::Sides(value as u32),
        DiceSort::Sides => {
            return Err(Fault::new(
                Code::TooManyDice,
                format!("there is no die with {value} sides; 1 to {MOST_SIDES} is possible"),
            ));
        }
    })
}

fn reroll<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
) -> Result<Flow, Fault> {
    let AskKind::Reroll { pool, which, recipe, many, sort, explode, list, roll } = &ask.kind else {
        return Ok(Flow::Go);
    };
    let base = state.base as usize;
    let places = state.list(state.stack[base + *which as usize]).to_vec();
    let recipe = state.stack[base + *recipe as usize];
    let faces = if *list {
        state.list(state.stack[base + *pool as usize]).to_vec()
    } else {
        vec![state.stack[base + *pool as usize]]
    };
    let mut each = Vec::with_capacity(places.len());
    for place in &places {
        each.push(die_of(game, *sort, recipe_die(state, recipe, *many, *place))?);
    }
    full(faces.len() + if *explode { places.len() } else { 0 })?;
    with.faces.clear();
    let subject = state.stack[base + ask.who.subject as usize];
    let throw = Throw { site: *roll, subject, dice: Thrown::Each(&each), again: &places, explode: *explode };
    if with.dice.throw(game, &throw, &mut with.faces)? == Flow::Wait {
        return Ok(Flow::Wait);
    }
    if T::ON {
        with.trace.happen(game, state, &Happening::Roll { throw: &throw, name: ask.site, faces: &with.faces });
    }
    let mut new = faces;
    let mut fell: Vec<i64> = Vec::with_capacity(places.len());
    for (place, face) in places.iter().zip(&with.faces) {
        if *explode {
            fell.push(new.len() as i64);
            new.push(*face);
        } else {
            fell.push(*place);
            new[*place as usize] = *face;
        }
    }
    state.stack[base + *pool as usize] = if *list { state.new_list(&new, 1) } else { new.iter().sum() };
    state.stack[base + *which as usize] = state.new_list(&fell, 1);
    Ok(Flow::Go)
}

/// The die at a place of a pool: of a list of dice its own, else the one die of the pool. Dice that exploded are like
/// those they came from; in pools of unlike dice the last listed.
fn recipe_die(state: &State, recipe: i64, many: bool, place: i64) -> i64 {
    if !many {
        return recipe;
    }
    let dice = state.list(recipe);
    dice.get(place as usize).or(dice.last()).copied().unwrap_or(1)
}

fn draw<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    ask: &Ask,
) -> Result<Flow, Fault> {
    let AskKind::Draw { dst, from, width, weights, amount, or_none } = &ask.kind else { return Ok(Flow::Go) };
    let (base, width) = (state.base as usize, *width as usize);
    let list = Handle::of(state.stack[base + *from as usize]);
    let cells = state.heap[list.at..list.at + list.len * width].to_vec();
    let ty = &game.program.rules.sites[ask.site.at()].ty;
    let mut heavy = Vec::with_capacity(list.len);
    for n in 0..list.len {
        let weight = match weights {
            Some(w) => state.list(state.stack[base + *w as usize])[n],
            None => 1,
        };
        if !(0..=MOST_DICE as i64).contains(&weight) {
            return Err(Fault::new(Code::OutOfBounds, format!("a weight of {weight}; 0 to 10,000 is possible")));
        }
        heavy.push(weight as u32);
    }
    let able: Vec<usize> = (0..list.len).filter(|n| heavy[*n] > 0).collect();
    let names: Vec<String> = able.iter().map(|n| game.tell(state, ty, &cells[n * width..(n + 1) * width])).collect();
    let weights: Vec<u32> = able.iter().map(|n| heavy[*n]).collect();
    let count = match amount {
        Some((_, most)) => (state.stack[base + *most as usize].max(0) as usize).min(able.len()),
        None => 1.min(able.len()),
    };
    if amount.is_none() && able.is_empty() {
        if *or_none {
            state.stack[base + *dst as usize] = NONE;
            return Ok(Flow::Go);
        }
        return Err(empty(game, ask));
    }
    let subject = state.stack[base + ask.who.subject as usize];
    let query = DrawAsk { site: ask.site, subject, names: &names, weights: &weights, count };
    let mut picks = Vec::new();
    if count > 0 && with.dice.draw(game, &query, &mut picks)? == Flow::Wait {
        return Ok(Flow::Wait);
    }
    if T::ON {
        with.trace.happen(game, state, &Happening::Draw { draw: &query, picks: &picks });
    }
    let taken: Vec<i64> =
        picks.iter().flat_map(|p| cells[able[*p] * width..(able[*p] + 1) * width].iter().copied()).collect();
    let dst = base + *dst as usize;
    if amount.is_some() {
        state.stack[dst] = state.new_list(&taken, width);
    } else {
        state.stack[dst..dst + width].copy_from_slice(&taken[..width]);
    }
    Ok(Flow::Go)
}

// -------------------------------------------------------------------- stand-ins

/// What an extern's call becomes.
pub(super) enum Substitute {
    /// Answered: the result is in place.
    Done,
    /// The driver wants to answer later.
    Wait,
    /// A function runs: the default, or another body.
    Call(FuncId),
}

/// Answers for a chapter the book does not have.
pub(super) fn stand_in<D: Dice, C: Decide, T: Trace>(
    game: &Game,
    state: &mut State,
    with: &mut Run<D, C, T>,
    func: FuncId,
    args: usize,
    dst: usize,
) -> Result<Substitute, Fault> {
    let (cells, how): (Vec<i64>, &str) = match game.stand_ins.get(func.at()).and_then(Option::as_ref) {
        None => {
            if T::ON {
                with.trace.happen(game, state, &Happening::StandIn { func, how: "default", result: &[] });
            }
            return Ok(Substitute::Call(func));
        }
        Some(StandIn::Body(other)) => {
            if T::ON {
                with.trace.happen(game, state, &Happening::StandIn { func, how: "by the scenario", result: &[] });
            }
            return Ok(Substitute::Call(*other));
        }
        Some(StandIn::Value(cells)) => (cells.clone(), "fixed"),
        Some(StandIn::By(rows)) => match rows.iter().find(|(key, _)| *key == state.stack[args]) {
            Some((_, cells)) => (cells.clone(), "fixed"),
            None => return Ok(Substitute::Call(func)),
        },
        Some(StandIn::Script(answers)) => {
            let cursor = game.cursors[func.at()].unwrap_or(0);
            let at = state.cursors[cursor] as usize;
            let Some(cells) = answers.get(at) else {
                let name = &game.program.rules.functions[func.at()].name;
                return Err(Fault::new(
                    Code::Script,
                    format!("`{name}` is asked {} times, and the script has {} answers", at + 1, answers.len()),
                ));
            };
            state.cursors[cursor] += 1;
            (cells.clone(), "script")
        }
        Some(StandIn::Odds(rows)) => {
            let names: Vec<String> = (0..rows.len()).map(|n| n.to_string()).collect();
            let weights: Vec<u32> = rows.iter().map(|(w, _)| *w as u32).collect();
            let site = game.stand_in_site(func);
            let query = DrawAsk { site, subject: -1, names: &names, weights: &weights, count: 1 };
            let mut picks = Vec::new();
            if with.dice.draw(game, &query, &mut picks)? == Flow::Wait {
                return Ok(Substitute::Wait);
            }
            (rows[picks[0]].1.clone(), "by odds")
        }
    };
    state.stack[dst..dst + cells.len()].copy_from_slice(&cells);
    if T::ON {
        with.trace.happen(game, state, &Happening::StandIn { func, how, result: &cells });
    }
    Ok(Substitute::Done)
}
