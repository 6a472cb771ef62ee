//! Queries for dice, draws and decisions, answered by the drivers of the run.

use super::context::With;
use super::dice::{MOST_DICE, die_of, draw, reroll};
use super::drive::*;
use super::fault::{empty_choice, not_on_menu};
use super::judging::judge;
use super::prefer::{preferred, preferred_option, preferred_or, subset};
use super::state::Handle;
use super::{Fault, Game, State};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_program::{Ask, AskKind};

/// Sends a query to its driver and stores the answer.
pub(super) fn ask(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask) -> Result<Flow, Fault> {
    let judged = match &ask.kind {
        AskKind::Roll { .. } | AskKind::Reroll { .. } | AskKind::Draw { .. } | AskKind::Move(_) => false,
        AskKind::Choose { .. } | AskKind::Subset { .. } | AskKind::Option { .. } => !with.exact,
        AskKind::May { .. } | AskKind::Next { .. } | AskKind::Menu { .. } => !with.exact,
    };
    if judged {
        super::memo::open(state);
    }
    let flow = put(game, state, with, ask);
    super::memo::close(state);
    flow
}

fn put(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask) -> Result<Flow, Fault> {
    let base = state.base as usize;
    match &ask.kind {
        AskKind::Roll { dst, count, dice, fixed, sort, list, sum } => {
            let subject = state.stack[base + ask.who.subject as usize];
            let mut each = Vec::new();
            let thrown = if *list {
                for die in state.list(state.stack[base + *dice as usize]) {
                    each.push(die_of(&game.program.schema, *sort, *die)?);
                }
                Thrown::Each(&each)
            } else {
                let die = die_of(&game.program.schema, *sort, fixed.unwrap_or(state.stack[base + *dice as usize]))?;
                let count = count.map(|r| super::dice::how_many(game, ask, state.stack[base + r as usize]));
                Thrown::Same(die, count.transpose()?.unwrap_or(1))
            };
            if thrown.len() > MOST_DICE {
                return Err(Fault::new(
                    Code::TooManyDice,
                    format!("{} dice in one roll; the maximum is {MOST_DICE}", thrown.len()),
                ));
            }
            let pool = count.is_some() && !*sum || *list;
            let throw = Throw { site: ask.site, subject, dice: thrown, pool, again: &[], explode: false };
            // the faces are appended at the end of the heap, where the pool is
            let at = state.heap.len();
            if with.drivers.dice().throw(game, &throw, &mut state.heap)? == Flow::Wait {
                state.heap.truncate(at);
                return Ok(Flow::Wait);
            }
            if with.traced {
                with.tell(game, state, &MachineEvent::Roll { throw: &throw, name: ask.site, faces: &state.heap[at..] });
            }
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
                0 => return Err(empty_choice(game, ask)),
                1 => Answer::Pick(0),
                _ => {
                    match decide(game, state, with, ask, Form::Choose { candidates: &cells, width, or_none: *or_none })?
                    {
                        None => return Ok(Flow::Wait),
                        Some(Answer::Prefer) => {
                            // `none` is the first entry of a menu that includes it
                            let first = if *or_none { Answer::None } else { Answer::Pick(0) };
                            let preferred = match prefer {
                                Some(prefer) => preferred(game, state, &cells, width, *or_none, *prefer, *entry)?,
                                None => {
                                    with.drivers.decide().undecided(ask.site);
                                    Some(first.clone())
                                }
                            };
                            preferred_or(game, state, with, ask, preferred, first)
                        }
                        Some(chosen) => chosen,
                    }
                }
            };
            let picked = pick.among(list.len);
            if picked.is_none() && !(*or_none && matches!(pick, Answer::None | Answer::Pick(_))) {
                return Err(not_on_menu(game, ask));
            }
            match picked {
                Some(n) => state.stack[dst..dst + width].copy_from_slice(&cells[n * width..(n + 1) * width]),
                None => state.none(dst, width),
            }
            if with.traced {
                record_choice(game, state, with, ask, entries == 1, &cells, *or_none, |menu| match picked {
                    Some(n) => menu.get(n + usize::from(*or_none)).cloned().unwrap_or(Value::None),
                    None => Value::None,
                });
            }
            Ok(Flow::Go)
        }
        AskKind::Subset { .. } => subset(game, state, with, ask),
        AskKind::Option { dst, from, prefer } => {
            let places = state.list(state.stack[base + *from as usize]).to_vec();
            let n = match places.len() {
                0 => return Err(empty_choice(game, ask)),
                1 => 0,
                count => match decide(game, state, with, ask, Form::Option { places: &places })? {
                    None => return Ok(Flow::Wait),
                    Some(Answer::Prefer) => {
                        let preferred = preferred_option(game, state, &places, prefer)?;
                        if prefer.is_empty() {
                            with.drivers.decide().undecided(ask.site);
                        }
                        preferred_or(game, state, with, ask, preferred, 0)
                    }
                    Some(chosen) => chosen.among(count).ok_or_else(|| not_on_menu(game, ask))?,
                },
            };
            state.stack[base + *dst as usize] = places[n];
            if with.traced {
                let site = &game.program.schema.sites[ask.site.at()];
                let menu: Vec<Value> =
                    places.iter().map(|p| Value::Word((&site.options[*p as usize]).into())).collect();
                if places.len() == 1 {
                    with.source = "";
                }
                record_decision(game, state, with, ask, &menu, &menu[n]);
            }
            Ok(Flow::Go)
        }
        AskKind::May { dst, prefer } => {
            let yes = match decide(game, state, with, ask, Form::May)? {
                None => return Ok(Flow::Wait),
                Some(Answer::Prefer) => match prefer {
                    Some(fragment) => judge(game, state, *fragment, None)?[0] != 0,
                    // without a decision, the optional action is not taken
                    None => {
                        with.drivers.decide().undecided(ask.site);
                        false
                    }
                },
                Some(chosen) => chosen.among(usize::MAX).ok_or_else(|| not_on_menu(game, ask))? == 1,
            };
            state.stack[base + *dst as usize] = i64::from(yes);
            if with.traced {
                record_decision(game, state, with, ask, &[true, false].map(Value::Flag), &Value::Flag(yes));
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
                    None => return Ok(Flow::Wait),
                    Some(Answer::Prefer) => {
                        with.drivers.decide().undecided(ask.site);
                        0
                    }
                    Some(chosen) => chosen.among(list.len).ok_or_else(|| not_on_menu(game, ask))?,
                }
            };
            state.stack[base + *dst as usize] = n as i64;
            if with.traced {
                record_choice(game, state, with, ask, list.len == 1, &cells, false, |menu| menu[n].clone());
            }
            Ok(Flow::Go)
        }
        AskKind::Menu { .. } => super::menu::choose_action(game, state, with, ask),
        AskKind::Move(code) => {
            // searches of exact odds count their own steps, and a move that waits is asked again and counts then
            let flow = super::motion::make_move(game, state, with, ask, code)?;
            if !with.exact && flow == Flow::Go {
                with.fuel = with.fuel.saturating_sub(FUEL_OF_A_MOVE);
            }
            Ok(flow)
        }
    }
}

/// Number of rounds that a move counts as. It requires a search, and loops that move in vain should end soon.
const FUEL_OF_A_MOVE: u64 = 100;

/// Returns subject and player of a query.
pub(super) fn who(state: &State, ask: &Ask) -> Who {
    let base = state.base as usize;
    Who { subject: state.stack[base + ask.who.subject as usize], player: state.stack[base + ask.who.player as usize] }
}

/// Sends a query to the decider. Returns `None` if the answer comes later.
pub(super) fn decide(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    ask: &Ask,
    form: Form<'_>,
) -> Result<Option<Answer>, Fault> {
    let who = who(state, ask);
    let mut asked = Asked { game, state, ask, who, form };
    let (answer, source) = with.drivers.decide().decide(&mut asked)?;
    with.source = source;
    Ok(Some(answer).filter(|answer| *answer != Answer::Wait))
}

/// Reports a decision among values to the trace. With `forced`, no decider was queried.
#[allow(clippy::too_many_arguments)] // the menu and the answer
pub(super) fn record_choice(
    game: &Game,
    state: &State,
    with: &mut With<'_>,
    ask: &Ask,
    forced: bool,
    cells: &[i64],
    or_none: bool,
    answer: impl FnOnce(&[Value]) -> Value,
) {
    let ty = &game.program.schema.sites[ask.site.at()].ty;
    let mut menu = game.values(state, ty, cells);
    if or_none {
        menu.insert(0, Value::None);
    }
    if forced {
        with.source = "";
    }
    let answer = answer(&menu);
    record_decision(game, state, with, ask, &menu, &answer);
}

pub(super) fn record_decision(
    game: &Game,
    state: &State,
    with: &mut With<'_>,
    ask: &Ask,
    menu: &[Value],
    answer: &Value,
) {
    let (who, source) = (who(state, ask), with.source);
    with.tell(game, state, &MachineEvent::Decided { site: ask.site, who, source, menu, answer, refused: &[] });
}
