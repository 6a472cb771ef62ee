//! Notes for the trace: values and conditions with their operands, and the readings that affected them.

use super::context::With;
use super::drive::{Leaned, MachineEvent, Worded};
use super::judging::{Cells, judge};
use super::{Fault, Game, State};
use grognard_base::value::plain::{Bit, Need, Words};
use grognard_program::{Fragment, Never, Note, NoteKind, Piece, Wording};
use std::cell::RefCell;

/// Reports a note to the trace.
pub(super) fn note(game: &Game, state: &mut State, with: &mut With<'_>, note: &Note) -> Result<(), Fault> {
    let base = state.base as usize;
    let value = match note.kind {
        NoteKind::Value { reg, .. } | NoteKind::Condition { reg, .. } | NoteKind::Guard { reg, .. } => {
            Some(state.stack[base + reg as usize])
        }
        NoteKind::Branch | NoteKind::Shared { .. } | NoteKind::Nothing { .. } => None,
    };
    let heap = state.heap.len();
    let mut rendered = worded(game, state, &note.wording, |state, fragment| judge(game, state, fragment, None));
    let leaned = leaned(game, state, note)?;
    let fails = matches!(note.kind, NoteKind::Guard { .. }) && value == Some(0);
    rendered.never = fails && never(game, state, &note.never, |state, fragment| judge(game, state, fragment, None));
    rendered.figure |= note.on_table;
    state.heap.truncate(heap);
    with.tell(game, state, &MachineEvent::Note { note, value, rendered: &RefCell::new(rendered), leaned: &leaned });
    Ok(())
}

/// Returns whether one of the parts fails, so that the whole can never hold. `judge` evaluates the parts.
pub(super) fn never(
    game: &Game,
    state: &mut State,
    parts: &[Never],
    judge: impl Fn(&mut State, Fragment) -> Result<Cells, Fault>,
) -> bool {
    let absent =
        |part: &Never| part.kinds.is_empty() || part.kinds.iter().any(|kind| game.layout.kinds[kind.at()].room == 0);
    parts.iter().any(|part| absent(part) && judge(state, part.fragment).is_ok_and(|cells| cells.first() == Some(&0)))
}

/// Returns the text with its values, which `judge` evaluates. Values that cannot be shown are omitted.
pub(super) fn worded(
    game: &Game,
    state: &mut State,
    wording: &Wording,
    judge: impl Fn(&mut State, Fragment) -> Result<Cells, Fault>,
) -> Worded {
    let mut rendered = Worded::default();
    let mut pieces = wording.pieces.iter();
    while let Some(piece) = pieces.next() {
        let skipped = match piece {
            Piece::Text(words) => {
                rendered.words.add(words);
                0
            }
            Piece::Value { fragment, ty } => {
                match judge(state, *fragment) {
                    Ok(cells) => {
                        rendered.figure |= ty.is_figure();
                        rendered.words.0.push(Bit::Value(game.value(state, ty, &cells)));
                    }
                    Err(_) => rendered.words.trim_end(),
                }
                0
            }
            Piece::Measure { fragment } => {
                rendered.measures.extend(judge(state, *fragment).ok().and_then(|cells| game.measure(state, &cells)));
                0
            }
            Piece::Need { fragment, ty, need } => {
                rendered.needs.extend(judge(state, *fragment).ok().map(|cells| Need {
                    roll: (&need.roll).into(),
                    of: need.of,
                    op: need.op.into(),
                    than: game.value(state, ty, &cells),
                    again: need.again,
                }));
                0
            }
            Piece::If { fragment, count } if judge(state, *fragment).is_ok_and(|cells| cells.first() == Some(&1)) => 0,
            Piece::If { count, .. } | Piece::Skip { count } => *count,
        };
        if let Some(last) = skipped.checked_sub(1) {
            pieces.nth(last);
        }
    }
    rendered
}

/// Returns the readings that affect the value, each with the values under its other alternatives.
fn leaned(game: &Game, state: &mut State, note: &Note) -> Result<Leaned, Fault> {
    let Some((fragment, ty)) = &note.again else { return Ok(Vec::new()) };
    if note.readings.is_empty() {
        return Ok(Vec::new());
    }
    let now = judge(game, state, *fragment, None)?;
    let now_told = game.value(state, ty, &now);
    let mut found = Vec::new();
    for reading in &note.readings {
        let setting = &game.program.schema.settings[reading.at()];
        let (at, width) = game.layout.settings[reading.at()];
        let current = state.cells[at..at + width].to_vec();
        let mut others = Vec::new();
        let mut differs = false;
        for (cells, name) in &setting.alternatives {
            if *cells == current {
                continue;
            }
            // settings are part of the state, so another reading is tried by writing it temporarily
            state.cells[at..at + width].copy_from_slice(cells);
            let judged = judge(game, state, *fragment, None);
            state.cells[at..at + width].copy_from_slice(&current);
            let Ok(cells) = judged else { continue };
            let rendered = game.value(state, ty, &cells);
            differs |= rendered != now_told;
            others.push((name.clone(), Words::default().value(rendered)));
        }
        if differs {
            found.push((*reading, others));
        }
    }
    Ok(found)
}
