//! Stand-ins: results for a chapter that the rules do not contain.

use super::context::With;
use super::drive::*;
use super::{Fault, Game, StandIn, State};
use grognard_base::Code;
use grognard_base::value::*;

/// Result of a call of an extern.
pub(super) enum Substitute {
    /// The result was written.
    Done,
    /// The driver will answer later.
    Wait,
    /// A function must run: the default, or another body.
    Call(FuncId),
}

/// Calls the stand-in of a missing chapter.
pub(super) fn stand_in(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    func: FuncId,
    args: usize,
    dst: usize,
) -> Result<Substitute, Fault> {
    // a body has separate dice and decisions, which are reported after this event
    let body = |state: &State, with: &mut With<'_>, how: &str, run: FuncId| {
        if with.traced {
            with.tell(game, state, &MachineEvent::StandIn { func, how, result: &[] });
        }
        Ok(Substitute::Call(run))
    };
    let (cells, how): (Vec<i64>, &str) = match game.stand_ins.get(func.at()).and_then(Option::as_ref) {
        None => return body(state, with, "default", func),
        Some(StandIn::Body(other)) => return body(state, with, "by the scenario", *other),
        Some(StandIn::Value(cells)) => (cells.clone(), "fixed"),
        Some(StandIn::By(rows)) => match rows.iter().find(|(key, _)| *key == state.stack[args]) {
            Some((_, cells)) => (cells.clone(), "fixed"),
            None => return body(state, with, "default", func),
        },
        Some(StandIn::Script(answers)) => {
            let cursor = game.cursors[func.at()].unwrap_or(0);
            let at = state.cursors[cursor] as usize;
            let Some(cells) = answers.get(at) else {
                let name = &game.program.functions[func.at()].name;
                return Err(Fault::new(
                    Code::Script,
                    format!("`{name}` is asked {} times, but the script has {} answers", at + 1, answers.len()),
                ));
            };
            state.cursors[cursor] += 1;
            (cells.clone(), "script")
        }
        Some(StandIn::Odds(rows)) => {
            let names: Vec<String> = (0..rows.len()).map(|n| n.to_string()).collect();
            let weights: Vec<u32> = rows.iter().map(|(w, _)| *w as u32).collect();
            let site = game.stand_in_site(func);
            let alike: Vec<usize> = (0..rows.len()).collect();
            let query = DrawAsk { site, subject: -1, names: &names, alike: &alike, weights: &weights, count: 1 };
            let mut picks = Vec::new();
            if with.drivers.dice().draw(game, &query, &mut picks)? == Flow::Wait {
                return Ok(Substitute::Wait);
            }
            (rows[picks[0]].1.clone(), "by odds")
        }
    };
    state.stack[dst..dst + cells.len()].copy_from_slice(&cells);
    if with.traced {
        with.tell(game, state, &MachineEvent::StandIn { func, how, result: &cells });
    }
    Ok(Substitute::Done)
}
