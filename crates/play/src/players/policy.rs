//! Answers of a policy: its first entry that is on the menu and whose condition holds.

use super::script;
use grognard_base::order;
use grognard_base::value::*;
use grognard_program::{Fragment, PolicyAnswerCode, Reg};
use grognard_vm::{Answer, Asked, Fault, Form, Handle, judge, judge_instance};

/// Returns the answer of a policy, or `None` if no entry applies.
///
/// # Errors
///
/// Returns the fault of a condition or key.
pub fn answer(policy: PolicyId, asked: &mut Asked<'_>) -> Result<Option<Answer>, Fault> {
    let game = asked.game;
    let heap = asked.state.heap.len();
    let menu = matches!(asked.form, Form::Menu { .. });
    let entries = game.program.policies.iter().filter(|e| e.policy == policy);
    for entry in entries.filter(|e| if menu { e.site.is_none() } else { e.site == Some(asked.ask.site) }) {
        let found = match entry.answer {
            PolicyAnswerCode::Action(action) => instance(asked, action, entry.when)?,
            answer => {
                let holds = match entry.when {
                    Some(when) => judge(game, asked.state, when, None)?[0] != 0,
                    None => true,
                };
                if holds { plain(asked, answer)? } else { None }
            }
        };
        asked.state.heap.truncate(heap);
        if found.is_some() {
            return Ok(found);
        }
    }
    // a policy that names actions takes only those actions
    let speaks = menu && game.program.policies.iter().any(|e| e.policy == policy && e.site.is_none());
    Ok((speaks && matches!(asked.form, Form::Menu { or_stop: true, .. })).then_some(Answer::Stop))
}

/// Returns the first instance of an action for which the condition holds.
fn instance(asked: &mut Asked<'_>, action: ActionId, when: Option<Fragment>) -> Result<Option<Answer>, Fault> {
    let Form::Menu { menu, .. } = &asked.form else { return Ok(None) };
    for (n, instance) in menu.offered.iter().enumerate().filter(|(_, i)| i.action == action) {
        let holds = match when {
            Some(when) => judge_instance(asked.game, asked.state, when, asked.ask.top, &instance.cells)?[0] != 0,
            None => true,
        };
        if holds {
            return Ok(Some(Answer::Pick(n)));
        }
    }
    Ok(None)
}

/// Returns an answer that is not an action, if it is on the menu.
fn plain(asked: &mut Asked<'_>, answer: PolicyAnswerCode) -> Result<Option<Answer>, Fault> {
    Ok(match (answer, &asked.form) {
        (PolicyAnswerCode::Stop, Form::Menu { or_stop: true, .. }) => Some(Answer::Stop),
        (PolicyAnswerCode::Flag(yes), Form::May) => Some(Answer::Pick(usize::from(yes))),
        (PolicyAnswerCode::None, Form::Choose { or_none: true, .. }) => Some(Answer::None),
        (PolicyAnswerCode::None, Form::Subset { least: 0, .. }) => Some(Answer::Several(Vec::new())),
        (PolicyAnswerCode::Option(n), Form::Option { places }) => {
            places.iter().position(|p| *p == n as i64).map(Answer::Pick)
        }
        (
            PolicyAnswerCode::Extreme { most, key, entry, .. },
            Form::Choose { candidates, width, .. } | Form::Next { candidates, width },
        ) => {
            let order = ranked(asked.game, asked.state, candidates, *width, most, key, entry)?;
            order.first().map(|n| Answer::Pick(*n))
        }
        (PolicyAnswerCode::Extreme { most, key, entry, .. }, Form::Subset { candidates, width, least, .. }) => {
            let order = ranked(asked.game, asked.state, candidates, *width, most, key, entry)?;
            Some(Answer::Several(order.into_iter().take(*least).collect()))
        }
        (PolicyAnswerCode::Value(value), form) => {
            let cells = judge(asked.game, asked.state, value, None)?;
            found(asked.state.heap.as_slice(), &cells, form)
        }
        _ => None,
    })
}

/// Sorts candidates by key, best first. The sort is stable, and candidates without a key come last.
fn ranked(
    game: &grognard_vm::Game,
    state: &mut grognard_vm::State,
    candidates: &[i64],
    width: usize,
    most: bool,
    key: Fragment,
    entry: Reg,
) -> Result<Vec<usize>, Fault> {
    let mut keys = Vec::new();
    for candidate in candidates.chunks(width.max(1)) {
        let cells = judge(game, state, key, Some((entry, candidate)))?;
        keys.push(rank(&cells, most));
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order::sort_by_key(&mut order, |n| (keys[*n].is_none(), keys[*n]));
    Ok(order)
}

/// Returns a sort key, smallest first.
pub fn rank(cells: &[i64], most: bool) -> Option<Ratio> {
    let key = match cells {
        [NONE, ..] | [] => None,
        [num, den] => Ratio::new(*num, *den),
        [n, ..] => Some(Ratio::whole(*n)),
    }?;
    if most { key.checked_neg() } else { Some(key) }
}

/// Returns a value as an answer, or `None` if it is not on the menu.
fn found(heap: &[i64], cells: &[i64], form: &Form<'_>) -> Option<Answer> {
    match form {
        Form::Subset { width, .. } => {
            let list = Handle::of(*cells.first()?);
            script::place(form, heap.get(list.at..list.at + list.len * width)?)
        }
        Form::Choose { .. } | Form::Next { .. } | Form::May => script::place(form, cells),
        Form::Option { .. } | Form::Menu { .. } | Form::Move { .. } => None,
    }
}
