//! Queries of the board, and the instructions that put and turn things.

use super::bodies::{Question, facing_of, first_of, members, place, point_of, table};
use super::context::{Pure, With};
use super::drive::MachineEvent;
use super::fault::no_operation;
use super::fixed_index::others;
use super::state::Handle;
use super::{Fault, Game, State};
use grognard_base::value::*;
use grognard_board::{self as board, Body, Outline, Point};
use grognard_program::Instr;
use grognard_program::schema::FieldSort;

/// Maximum number of points in a list of routes or spots.
const MOST_SPOTS: usize = 10_000;

/// Executes `was` in a line of a move: puts the mover back to its start, and then to the saved position.
pub(super) fn look_back(game: &Game, state: &mut State, instr: Instr) {
    let base = state.base as usize;
    match (instr, state.judged) {
        (Instr::Home { at }, judged) => {
            let at = base + at as usize;
            let now = judged.and_then(|of| {
                let (kind, thing) = unpack_thing(of.mover);
                Some((point_of(game, state, kind, thing)?, facing_of(game, state, kind, thing)))
            });
            state.stack[at..at + 3].copy_from_slice(&now.map_or([NONE, 0, 0], |(p, facing)| [p.x, p.y, facing]));
            if let Some(of) = judged {
                let (kind, thing) = unpack_thing(of.mover);
                move_to(game, state, kind, thing, Some(of.start));
                face(game, state, kind, thing, of.facing);
            }
        }
        (Instr::Forth { at }, Some(of)) => {
            let (kind, thing) = unpack_thing(of.mover);
            let [x, y, facing] = [0, 1, 2].map(|n| state.stack[base + at as usize + n]);
            move_to(game, state, kind, thing, (x != NONE).then(|| Point::new(x, y)));
            face(game, state, kind, thing, facing);
        }
        (Instr::Before { place }, _) => {
            let cell = &mut state.stack[base + place as usize];
            if *cell == THING {
                *cell = THING_BEFORE;
            }
        }
        _ => {}
    }
}

/// Returns the value of a `Flag` field of a thing, stored or derived.
pub(super) fn flag(game: &Game, state: &State, field: FieldId, thing: i64) -> bool {
    if let FieldSort::Let(func) = game.program.schema.fields[field.at()].sort {
        let mut aside = State { cells: state.cells.clone(), granted: state.granted.clone(), ..State::default() };
        let mut pure = Pure::pure(game);
        super::run::call(game, &mut aside, &mut pure, func, &[thing]).is_ok() && aside.stack[0] != 0
    } else {
        state.cells[game.layout.field(field, thing, 0)] == 1
    }
}

/// Answers a query of the board with one or two cells.
pub(super) fn answer(game: &Game, state: &mut State, question: &Question) -> Result<(i64, Option<i64>), Fault> {
    let Question { op, kind, args } = *question;
    let at = |n: usize| place(game, state, args[n]);
    let one = |n: usize| first_of(game, state, args[n]);
    let number = |n: usize| args[n][0];
    let mut two = None;
    let value = match op {
        Op::Dist => board::dist(&at(0), &at(1)).unwrap_or(FAR).min(FAR),
        Op::Near => {
            let (found, looked) = super::fixed_index::near(game, state, kind, &at(1), number(2));
            two = Some(looked);
            state.new_list(&found, 1)
        }
        Op::Within => i64::from(board::within(&at(0), &at(2), number(1))),
        Op::Touches => i64::from(board::touches(&at(0), &at(1))),
        Op::DistTo => board::compare_distance(&at(0), &at(2), number(1)) as i64,
        Op::DistCmp => board::compare_distances(&at(0), &at(1), &at(2), &at(3)) as i64,
        Op::Ranks => {
            let list = Handle::of(number(0));
            let pairs: Vec<[[i64; 2]; 2]> =
                state.heap[list.at..list.at + 4 * list.len].chunks(4).map(|c| [[c[0], c[1]], [c[2], c[3]]]).collect();
            let bodies: Vec<_> = pairs.iter().map(|p| p.map(|c| place(game, state, c))).collect();
            let ranks = board::ranks(&bodies);
            state.new_list(&ranks, 1)
        }
        Op::InArc => pair(one(0), one(1), |a, b| i64::from(board::in_arc(a, b, number(2)))),
        Op::LengthIn => match (one(0), one(1), one(2)) {
            (Some(a), Some(b), Some(area)) => board::length_in(a.at, b.at, &area),
            _ => 0,
        },
        Op::ToEdge => at(0).iter().map(|b| table(game).to_edge(b)).min().unwrap_or(FAR),
        Op::Bearing => match (one(0), one(1)) {
            (Some(a), Some(b)) => board::bearing(a.at, b.at),
            _ => 0,
        },
        Op::Sees => {
            let (from, to) = (at(0), at(1));
            i64::from(
                !from.is_empty() && !to.is_empty() && super::sight::sees(game, state, [args[0], args[1]], &from, &to),
            )
        }
        Op::Inside => {
            let bodies = at(0);
            let all_in = |area: &Outline| i64::from(!bodies.is_empty() && bodies.iter().all(|b| area.holds(b)));
            match game.ground.outline(game, state, args[1]) {
                Some(area) => all_in(area),
                None => one(1).map_or(0, |area| all_in(&Outline::of(&area))),
            }
        }
        Op::Crosses => match (one(0), one(1), one(2)) {
            (Some(a), Some(b), Some(thing)) => i64::from(board::crosses(a.at, b.at, &thing)),
            _ => 0,
        },
        Op::Ahead => one(0).map_or(0, |b| board::ahead(&b)),
        Op::Rear => one(0).map_or(0, |b| board::rear(&b)),
        Op::InFront => pair(one(0), one(1), |a, b| i64::from(board::in_front(a, b))),
        Op::InRear => pair(one(0), one(1), |a, b| i64::from(board::in_rear(a, b))),
        Op::SameFacing => pair(one(0), one(1), |a, b| i64::from(board::same_facing(a, b))),
        Op::RoomBehind => match one(0) {
            Some(body) => {
                let others: Vec<Body> = others(game, state, &[args[0][1]], None).into_iter().map(|(_, b)| b).collect();
                board::room_behind(&body, &others, table(game))
            }
            None => 0,
        },
        Op::JustBehind | Op::JustBeyond => match (one(0), one(1)) {
            (Some(mover), Some(thing)) => {
                let p = if op == Op::JustBehind {
                    board::just_behind(&mover, &thing)
                } else {
                    board::just_beyond(&mover, &thing)
                };
                two = Some(p.y);
                p.x
            }
            _ => {
                two = Some(0);
                NONE
            }
        },
        Op::Routes | Op::SpotsNear => {
            let others: Vec<Body> = others(game, state, &[args[0][1]], None).into_iter().map(|(_, b)| b).collect();
            let spots = match one(0) {
                Some(body) => board::spots_near(&body, &body, number(1), &others, table(game), game.grid, MOST_SPOTS).0,
                None => Vec::new(),
            };
            let flat: Vec<i64> = spots.iter().flat_map(|p| [p.x, p.y]).collect();
            let start = state.heap.len();
            state.heap.extend_from_slice(&flat);
            Handle { at: start, len: spots.len() }.cell()
        }
        // these do not query the board: `operate` executes them
        Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::DivLength => return Err(no_operation(op)),
        Op::AddAngle | Op::SubAngle | Op::MulAngle | Op::Fraction => return Err(no_operation(op)),
        Op::ToRatio | Op::AddRatio | Op::SubRatio | Op::MulRatio => return Err(no_operation(op)),
        Op::DivRatio | Op::NegRatio | Op::RoundDown | Op::RoundUp => return Err(no_operation(op)),
        Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => return Err(no_operation(op)),
        Op::LtRatio | Op::LeRatio | Op::EqCells | Op::EqList | Op::Not => return Err(no_operation(op)),
        Op::Up | Op::Down | Op::Closed | Op::Open | Op::IsPast => return Err(no_operation(op)),
        Op::Next | Op::Faces | Op::DieOf | Op::ToDie | Op::Min | Op::Max => return Err(no_operation(op)),
        Op::MinRatio | Op::MaxRatio | Op::Size | Op::Nth | Op::Copies => return Err(no_operation(op)),
        Op::Concat | Op::Without | Op::Total | Op::Highest | Op::Lowest => return Err(no_operation(op)),
        Op::Median | Op::Mode | Op::Distinct | Op::InList | Op::Below => return Err(no_operation(op)),
        Op::Tiers | Op::Running | Op::Pack | Op::KindOf | Op::NumberOf => return Err(no_operation(op)),
        Op::PlaceOf | Op::Point | Op::RoundNear | Op::Remainder | Op::TurnBetween | Op::WithFallen => {
            return Err(no_operation(op));
        }
    };
    Ok((value, two))
}

fn pair(a: Option<Body>, b: Option<Body>, f: impl Fn(&Body, &Body) -> i64) -> i64 {
    match (a, b) {
        (Some(a), Some(b)) => f(&a, &b),
        _ => 0,
    }
}

/// Puts a thing at a position. For a group, the anchor goes there and the other members keep their offsets.
pub(super) fn put(game: &Game, state: &mut State, with: &mut With<'_>, kind: KindId, thing: i64, at: usize) {
    let cells = [state.stack[at], state.stack[at + 1]];
    let to = place(game, state, cells).first().map(|b| b.at);
    let from = point_of(game, state, kind, thing);
    move_to(game, state, kind, thing, to);
    if with.traced {
        let flat = |p: Option<Point>| p.map(|p| (p.x, p.y));
        with.tell(
            game,
            state,
            &MachineEvent::Moved { kind, thing, from: flat(from), via: &[], to: flat(to), covered: -1 },
        );
    }
}

/// Writes the positions of a thing or of the members of a group.
pub(super) fn move_to(game: &Game, state: &mut State, kind: KindId, thing: i64, to: Option<Point>) {
    if let Some((field, member)) = game.program.schema.kinds[kind.at()].group {
        let anchor = point_of(game, state, kind, thing);
        for m in members(game, state, field, thing) {
            let target = match (to, anchor, point_of(game, state, member, m)) {
                (Some(to), Some(from), Some(own)) => Some(Point::new(own.x + to.x - from.x, own.y + to.y - from.y)),
                (to, _, _) => to,
            };
            move_to(game, state, member, m, target);
        }
        return;
    }
    let layout = game.layout.kinds[kind.at()];
    if layout.place == 0 {
        return;
    }
    let at = layout.place + 3 * thing as usize;
    match to {
        Some(p) => {
            state.cells[at] = p.x;
            state.cells[at + 1] = p.y;
        }
        None => state.cells[at] = NONE,
    }
    super::moving_index::went(game, state, kind, thing);
}

/// Writes the facing of a thing or of the members of a group.
pub(super) fn face(game: &Game, state: &mut State, kind: KindId, thing: i64, facing: i64) {
    if let Some((field, member)) = game.program.schema.kinds[kind.at()].group {
        for m in members(game, state, field, thing) {
            face(game, state, member, m, facing);
        }
        return;
    }
    let layout = game.layout.kinds[kind.at()];
    if layout.place > 0 {
        state.cells[layout.place + 3 * thing as usize + 2] = board::normal(facing);
    }
}

/// Turns a thing by an angle or to an angle.
pub(super) fn turn(
    game: &Game,
    state: &mut State,
    with: &mut With<'_>,
    kind: KindId,
    thing: i64,
    by: bool,
    angle: i64,
) {
    let old = facing_of(game, state, kind, thing);
    let new = board::normal(if by { old + angle } else { angle });
    face(game, state, kind, thing, new);
    if with.traced {
        with.tell(game, state, &MachineEvent::Turned { kind, thing, old, new });
    }
}
