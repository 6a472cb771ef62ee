//! Bodies: reads the places and shapes of things from the cells of a state.
//!
//! The board knows points and shapes, the rules know things and groups of things. [`place`] turns an operand of a query into
//! bodies; [`Question`] is a query with its operands read.

use super::state::JudgedMove;
use super::{Game, State};
use grognard_base::value::*;
use grognard_board::{Body, Point, Shape, Table};
use grognard_program::BoardAsk;
use grognard_program::schema::FieldSort;
use smallvec::{SmallVec, smallvec};

/// Returns the position of a thing, the last one if it was destroyed, or `None` off the board. The position of a group
/// is that of its first living member.
pub(super) fn point_of(game: &Game, state: &State, kind: KindId, thing: i64) -> Option<Point> {
    if let Some((field, member)) = game.program.schema.kinds[kind.at()].group {
        return last_members(game, state, field, thing).into_iter().find_map(|m| point_of(game, state, member, m));
    }
    let layout = game.layout.kinds[kind.at()];
    if layout.place == 0 {
        return None;
    }
    let at = layout.place + 3 * thing as usize;
    (state.cells[at] != NONE).then(|| Point::new(state.cells[at], state.cells[at + 1]))
}

/// Returns the bearing that a thing faces.
pub(super) fn facing_of(game: &Game, state: &State, kind: KindId, thing: i64) -> i64 {
    if let Some((field, member)) = game.program.schema.kinds[kind.at()].group {
        return last_members(game, state, field, thing).first().map_or(0, |m| facing_of(game, state, member, *m));
    }
    let layout = game.layout.kinds[kind.at()];
    if layout.place == 0 { 0 } else { state.cells[layout.place + 3 * thing as usize + 2] }
}

/// Indices of the members of a group, usually few.
pub(super) type Members = SmallVec<[i64; 16]>;

/// Returns the living members of a group.
pub(super) fn members(game: &Game, state: &State, field: FieldId, group: i64) -> Members {
    members_that(game, state, field, group, false)
}

/// Returns the living members of a group, or if no member lives, all its former members.
fn last_members(game: &Game, state: &State, field: FieldId, group: i64) -> Members {
    let living = members(game, state, field, group);
    if living.is_empty() { members_that(game, state, field, group, true) } else { living }
}

fn members_that(game: &Game, state: &State, field: FieldId, group: i64, fallen_too: bool) -> Members {
    let info = &game.program.schema.fields[field.at()];
    let Type::List(inner) = info.ty.present() else { return Members::new() };
    let Type::Kind(member) = **inner else { return Members::new() };
    let kind = game.layout.kinds[member.at()];
    let alive = |m: &i64| fallen_too || state.cells[kind.alive + *m as usize] != 0;
    if let FieldSort::BackLink(link) = info.sort {
        let (first, next) = (game.layout.field(link, 0, 0), game.layout.field(link, 1, 0));
        let links = state.cells[first..].iter().step_by(next - first);
        let all = (0..state.cells[kind.used]).zip(links).filter(|(_, of)| **of == group);
        all.map(|(m, _)| m).filter(alive).collect()
    } else {
        let at = game.layout.field(field, group, 0);
        let len = state.cells[at].max(0) as usize;
        state.cells[at + 1..at + 1 + len].iter().copied().filter(alive).collect()
    }
}

/// Returns the body of a thing, or `None` if it is off the board or destroyed.
pub(super) fn body_of(game: &Game, state: &State, kind: KindId, thing: i64) -> Option<Body> {
    let alive = state.cells[game.layout.kinds[kind.at()].alive + thing as usize] != 0;
    if alive { last_body(game, state, kind, thing) } else { None }
}

/// Returns the body of a thing at its current or last position, or `None` if it is off the board.
fn last_body(game: &Game, state: &State, kind: KindId, thing: i64) -> Option<Body> {
    let layout = game.layout.kinds[kind.at()];
    if layout.place == 0 {
        return None;
    }
    let at = layout.place + 3 * thing as usize;
    if state.cells[at] == NONE {
        return None;
    }
    let shape = game.shapes[kind.at()].get(thing as usize).cloned().unwrap_or(Shape::Disc { radius: 0 });
    Some(Body { at: Point::new(state.cells[at], state.cells[at + 1]), facing: state.cells[at + 2], shape })
}

/// Bodies of a place: usually one, or a small group.
pub(super) type Bodies = SmallVec<[Body; 4]>;

/// Returns the bodies of a thing. For a group, they are those of its living members, or if no member lives, of all
/// former members.
fn bodies_of(game: &Game, state: &State, kind: KindId, thing: i64) -> Bodies {
    match game.program.schema.kinds[kind.at()].group {
        Some((field, member)) => {
            let last = last_members(game, state, field, thing);
            last.into_iter().filter_map(|m| last_body(game, state, member, m)).collect()
        }
        None => last_body(game, state, kind, thing).into_iter().collect(),
    }
}

impl Game {
    /// Returns the body of a thing in a state, or `None` if it is off the board or destroyed.
    pub fn body(&self, state: &State, kind: KindId, thing: i64) -> Option<Body> {
        body_of(self, state, kind, thing)
    }

    /// Returns the bearing that a thing faces in a state; for a group, that of its first member.
    pub fn facing(&self, state: &State, kind: KindId, thing: i64) -> i64 {
        facing_of(self, state, kind, thing)
    }

    /// Returns the living members of a group in a state, with their kind; empty if the thing is not a group.
    pub fn members(&self, state: &State, kind: KindId, thing: i64) -> Vec<(KindId, i64)> {
        let group = self.program.schema.kinds[kind.at()].group;
        group
            .map_or(Vec::new(), |(field, of)| members(self, state, field, thing).into_iter().map(|m| (of, m)).collect())
    }
}

/// Returns the bodies of a place of two cells: a point, a thing, or nowhere.
pub(super) fn place(game: &Game, state: &State, cells: [i64; 2]) -> Bodies {
    match cells[0] {
        NONE => Bodies::new(),
        THING => {
            let (kind, thing) = unpack_thing(cells[1]);
            bodies_of(game, state, kind, thing)
        }
        THING_BEFORE => {
            let (kind, thing) = unpack_thing(cells[1]);
            let (x, y) = gone(game, state, kind, thing);
            let mut bodies = bodies_of(game, state, kind, thing);
            bodies.iter_mut().for_each(|b| b.at = Point::new(b.at.x - x, b.at.y - y));
            bodies
        }
        THOUGHT => smallvec![Body::point(thought(cells[1]))],
        x => smallvec![Body::point(Point::new(x, cells[1]))],
    }
}

/// Returns the first body of a place.
pub(super) fn first_of(game: &Game, state: &State, cells: [i64; 2]) -> Option<Body> {
    if cells[0] == THING {
        let (kind, thing) = unpack_thing(cells[1]);
        if game.program.schema.kinds[kind.at()].group.is_none() {
            return last_body(game, state, kind, thing);
        }
    }
    place(game, state, cells).into_iter().next()
}

/// Returns the displacement of a thing by the evaluated move, or (0, 0) if it does not move.
fn gone(game: &Game, state: &State, kind: KindId, thing: i64) -> (i64, i64) {
    let Some(JudgedMove { mover: packed, start, .. }) = state.judged else { return (0, 0) };
    let (mover, number) = unpack_thing(packed);
    let moves = packed == pack_thing(kind, thing)
        || game.program.schema.kinds[mover.at()]
            .group
            .is_some_and(|(field, member)| member == kind && members(game, state, field, number).contains(&thing));
    let now = point_of(game, state, mover, number).filter(|_| moves);
    now.map_or((0, 0), |now| (now.x - start.x, now.y - start.y))
}

/// Returns the table as the board measures it.
pub(super) fn table(game: &Game) -> Table {
    Table { width: game.size.0, height: game.size.1 }
}

/// Packs a point of a path, at which a cost is evaluated, into the cell after [`THOUGHT`].
pub(super) fn think(at: Point) -> i64 {
    at.x << 32 | (at.y & 0xffff_ffff)
}

/// Unpacks a point that [`think`] packed.
fn thought(cell: i64) -> Point {
    Point::new(cell >> 32, i64::from(cell as i32))
}

/// A query of the board and its operands: a thing or a place as a place, a number in the first cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub op: Op,
    pub kind: KindId,
    pub args: [[i64; 2]; 4],
}

impl Question {
    /// Reads the operands of a query from the registers of the running function.
    pub fn of(state: &State, ask: &BoardAsk) -> Question {
        let frame = &state.stack[state.base as usize..];
        let operand = |n: usize| {
            let at = ask.args[n] as usize;
            match (ask.kinds[n], frame[at]) {
                (Some(_), NONE) => [NONE, 0],
                (Some(kind), thing) => [THING, pack_thing(kind, thing)],
                (None, cell) => [cell, frame.get(at + 1).copied().unwrap_or(0)],
            }
        };
        Question { op: ask.op, kind: ask.kinds[0].unwrap_or(KindId(0)), args: [0, 1, 2, 3].map(operand) }
    }
}
