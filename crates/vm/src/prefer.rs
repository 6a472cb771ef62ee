//! Defaults of choices: evaluates the preferences that the rules declare.

use super::ask::{decide, record_choice};
use super::context::With;
use super::drive::*;
use super::fault::{empty_choice, not_on_menu};
use super::judging::judge;
use super::state::Handle;
use super::subsets::{alike, places};
use super::{Fault, Game, State};
use grognard_base::value::*;
use grognard_program::Preferred;
use grognard_program::{Ask, AskKind, Fragment, PreferCode};

/// Returns the preferred answer. Without a preference, returns `first` and reports this to the decider and the trace.
pub(super) fn preferred_or<A>(
    game: &Game,
    state: &State,
    with: &mut With<'_>,
    ask: &Ask,
    preferred: Option<A>,
    first: A,
) -> A {
    preferred.unwrap_or_else(|| {
        with.drivers.decide().undecided(ask.site);
        if with.traced {
            let choice = game.program.schema.sites[ask.site.at()].name.clone();
            with.tell(game, state, &MachineEvent::Remark(&Remark::Unpreferred { choice }));
        }
        first
    })
}

/// Returns the candidate that the rules prefer, or `None` if they prefer none.
pub(super) fn preferred(
    game: &Game,
    state: &mut State,
    cells: &[i64],
    width: usize,
    or_none: bool,
    prefer: PreferCode,
    entry: u16,
) -> Result<Option<Answer>, Fault> {
    let count = cells.len() / width.max(1);
    match prefer {
        PreferCode::Extreme { most, key, .. } => {
            let mut best: Option<(Option<Ratio>, Answer)> = None;
            let none = [NONE];
            let entries = (0..count).map(|n| (&cells[n * width..(n + 1) * width], Answer::Pick(n)));
            // for equal keys the first entry wins, and `none` comes first on a menu that includes it
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
            Ok(best.map(|(_, answer)| answer))
        }
        PreferCode::When { which: Preferred::Nobody, condition } => {
            let holds = judge(game, state, condition, None)?[0] != 0;
            Ok(Some(if holds && or_none { Answer::None } else { Answer::Pick(0) }))
        }
        PreferCode::When { condition, .. } => {
            for n in 0..count {
                if judge(game, state, condition, Some((entry, &cells[n * width..(n + 1) * width])))?[0] != 0 {
                    return Ok(Some(Answer::Pick(n)));
                }
            }
            Ok(None)
        }
    }
}

/// Returns the key of a candidate, or `None`, which ranks last.
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

/// Returns the index of the first preferred option, or else that of the first option without a condition.
pub(super) fn preferred_option(
    game: &Game,
    state: &mut State,
    places: &[i64],
    prefer: &[(usize, Option<Fragment>)],
) -> Result<Option<usize>, Fault> {
    for (option, when) in prefer {
        let Some(at) = places.iter().position(|p| *p == *option as i64) else { continue };
        let holds = match when {
            Some(fragment) => judge(game, state, *fragment, None)?[0] != 0,
            None => true,
        };
        if holds {
            return Ok(Some(at));
        }
    }
    Ok(places.iter().position(|p| prefer.iter().all(|(option, _)| *p != *option as i64)))
}

pub(super) fn subset(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask) -> Result<Flow, Fault> {
    let AskKind::Subset { dst, from, width, least, most, prefer, entry } = &ask.kind else { return Ok(Flow::Go) };
    let (base, width) = (state.base as usize, *width as usize);
    let list = Handle::of(state.stack[base + *from as usize]);
    let cells = state.heap[list.at..list.at + list.len * width].to_vec();
    let most = super::dice::how_many(game, ask, state.stack[base + *most as usize])?.min(list.len);
    let least = super::dice::how_many(game, ask, state.stack[base + *least as usize])?;
    if least > most {
        return Err(empty_choice(game, ask));
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
            None => return Ok(Flow::Wait),
            Some(Answer::Several(picks)) => picks,
            Some(Answer::Pick(n)) => vec![n],
            Some(Answer::None) => Vec::new(),
            Some(Answer::Prefer) => {
                if prefer.is_none() {
                    with.drivers.decide().undecided(ask.site);
                }
                let preferred = preferred_subset(game, state, &cells, width, (least, most), *prefer, *entry)?;
                preferred_or(game, state, with, ask, preferred, (0..least).collect())
            }
            Some(_) => return Err(not_on_menu(game, ask)),
        },
    };
    picks.sort_unstable();
    picks.dedup();
    // of equal candidates, the first are taken, independent of the source of the answer
    let alike = alike(&cells, width);
    picks = places(alike.iter(), picks.iter().filter_map(|p| alike.get(*p))).unwrap_or_default();
    picks.sort_unstable();
    if picks.len() < least || picks.len() > most || picks.iter().any(|p| *p >= list.len) {
        return Err(not_on_menu(game, ask));
    }
    let taken: Vec<i64> = picks.iter().flat_map(|p| cells[p * width..(p + 1) * width].iter().copied()).collect();
    state.stack[base + *dst as usize] = state.new_list(&taken, width);
    if with.traced {
        record_choice(game, state, with, ask, !asked, &cells, false, |menu| {
            Value::List(picks.iter().map(|p| menu[*p].clone()).collect())
        });
    }
    Ok(Flow::Go)
}

/// Returns the default subset. Single candidates are ranked, and the best are taken.
///
/// With `prefer when`, the subset has as many as satisfy the condition, otherwise as few as possible. Without `prefer`,
/// it has at least one candidate.
fn preferred_subset(
    game: &Game,
    state: &mut State,
    cells: &[i64],
    width: usize,
    (least, most): (usize, usize),
    prefer: Option<PreferCode>,
    entry: u16,
) -> Result<Option<Vec<usize>>, Fault> {
    let count = cells.len() / width.max(1);
    let mut order: Vec<(usize, Option<Ratio>)> = Vec::with_capacity(count);
    let mut size = least.max(usize::from(prefer.is_none()));
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
    if let Some(PreferCode::When { .. }) = prefer {
        let hold = order.iter().filter(|(_, key)| *key == Some(Ratio::from(0))).count();
        if hold == 0 {
            return Ok(None);
        }
        size = hold.clamp(least, most);
    }
    order.sort_by(|a, b| match (a.1, b.1) {
        (Some(x), Some(y)) => x.cmp(&y),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        (None, None) => std::cmp::Ordering::Equal,
    });
    Ok(Some(order.into_iter().take(size).map(|(n, _)| n).collect()))
}
