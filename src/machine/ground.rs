//! What stands still: an index of the things that no rule moves, made once when the table is bound.

use super::board::{body_of, flag};
use super::{Game, State};
use crate::board::{self, Body, Bounds, Index, Point, Shape, bounds_of, line_meets, meets, widened};
use crate::program::{AskKind, Instr, Program};
use crate::value::*;

/// Where things stand that no rule moves, and how far each thing reaches from its place. It is worked out from the table
/// and the program and is no part of the position.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// By kind: true if the program has no word that puts or turns one.
    still: Vec<bool>,
    /// The things of still kinds on the board, packed, in the order of the index.
    things: Vec<i64>,
    index: Index,
    /// By kind and number: no point of it is farther than this from its place.
    reach: Vec<Vec<i64>>,
}

impl Ground {
    /// Of a table whose things are placed.
    pub fn of(game: &Game) -> Ground {
        let still = still_kinds(&game.program);
        let (mut things, mut boxes) = (Vec::new(), Vec::new());
        for (k, used) in used(game, &game.start).filter(|(k, _)| still[k.at()]) {
            for n in 0..used {
                if let Some(body) = body_of(game, &game.start, k, n) {
                    things.push(pack_thing(k, n));
                    boxes.push(body.bounds());
                }
            }
        }
        let extent = |s: &Shape| match s {
            Shape::Disc { radius } => *radius,
            Shape::Segment { length } => length / 2 + 1,
            Shape::Polygon(corners) => corners.iter().map(|p| p.x.abs().max(p.y.abs())).max().unwrap_or(0),
        };
        let reach = game.shapes.iter().map(|all| all.iter().map(extent).collect()).collect();
        Ground { still, things, index: Index::new(boxes), reach }
    }

    /// True if a thing that may move cannot come into `area` where it stands now.
    fn misses(&self, game: &Game, state: &State, kind: KindId, thing: i64, area: Bounds) -> bool {
        let layout = game.layout.kinds[kind.at()];
        let at = layout.place + 3 * thing as usize;
        let (x, y) = (state.cells[at], state.cells[at + 1]);
        let reach = self.reach[kind.at()].get(thing as usize).copied().unwrap_or(0);
        x == NONE
            || state.cells[layout.alive + thing as usize] == 0
            || x + reach < area.0.x
            || x - reach > area.1.x
            || y + reach < area.0.y
            || y - reach > area.1.y
    }
}

/// How many things there are of each kind on the board.
fn used<'a>(game: &'a Game, state: &'a State) -> impl Iterator<Item = (KindId, i64)> + 'a {
    let on_board = game.layout.kinds.iter().enumerate().filter(|(_, layout)| layout.place > 0);
    on_board.map(|(k, layout)| (KindId::from(k), state.cells[layout.used]))
}

/// Kinds that no instruction puts somewhere, turns or makes.
fn still_kinds(program: &Program) -> Vec<bool> {
    let kinds = &program.rules.kinds;
    let mut still = vec![true; kinds.len()];
    let mut moves = |kind: KindId| {
        still[kind.at()] = false;
        if let Some((_, member)) = kinds[kind.at()].group {
            still[member.at()] = false;
        }
    };
    for instr in &program.code {
        if let Instr::Put { kind, .. } | Instr::Turn { kind, .. } | Instr::Spawn { kind, .. } = instr {
            moves(*kind);
        }
    }
    for ask in &program.asks {
        if let AskKind::Move(code) = &ask.kind {
            moves(code.kind);
        }
    }
    still
}

/// All bodies on the board but some, each with its packed thing, by kind and number; with `area` only those whose box
/// comes into it.
pub(super) fn others(game: &Game, state: &State, but: &[i64], area: Option<Bounds>) -> Vec<(i64, Body)> {
    let ground = &game.ground;
    let mut found: Vec<(KindId, i64)> = match area {
        Some(area) => ground.index.within(area).into_iter().map(|n| unpack_thing(ground.things[n])).collect(),
        None => ground.things.iter().map(|t| unpack_thing(*t)).collect(),
    };
    for (kind, used) in used(game, state).filter(|(k, _)| !ground.still[k.at()]) {
        let near = |n: &i64| area.is_none_or(|area| !ground.misses(game, state, kind, *n, area));
        found.extend((0..used).filter(near).map(|n| (kind, n)));
    }
    found.sort_unstable_by_key(|(kind, n)| (kind.at(), *n));
    let packed = found.into_iter().map(|(kind, n)| (pack_thing(kind, n), kind, n)).filter(|(p, ..)| !but.contains(p));
    let bodies = packed.filter_map(|(p, kind, n)| Some((p, body_of(game, state, kind, n)?)));
    bodies.filter(|(_, body)| area.is_none_or(|area| meets(body.bounds(), area))).collect()
}

/// True if some line between the two groups passes over nothing that blocks sight, but for the two themselves.
pub(super) fn sees(game: &Game, state: &State, [a, b]: [[i64; 2]; 2], from: &[Body], to: &[Body]) -> bool {
    let ground = &game.ground;
    let own = |packed: i64| [a, b].iter().any(|c| c[0] == THING && c[1] == packed);
    let low = height(game, state, a).min(height(game, state, b));
    let mut asked: Vec<(i64, bool)> = Vec::new();
    let mut blocks = |packed: i64| -> bool {
        if let Some((_, known)) = asked.iter().find(|(p, _)| *p == packed) {
            return *known;
        }
        let (kind, thing) = unpack_thing(packed);
        let info = &game.program.rules.kinds[kind.at()];
        let stands = state.cells[game.layout.kinds[kind.at()].alive + thing as usize] != 0;
        let tall = |f: FieldId| state.cells[game.layout.field(f, thing, 0)] >= low;
        let found = stands
            && !own(packed)
            && info.height.is_none_or(tall)
            && info.blocks.is_some_and(|f| flag(game, state, f, thing));
        asked.push((packed, found));
        found
    };
    let area = widened(bounds_of(&[from, to].concat()), 1);
    let mut moving: Vec<(i64, Body)> = Vec::new();
    for (kind, used) in used(game, state) {
        if !ground.still[kind.at()] && game.program.rules.kinds[kind.at()].blocks.is_some() {
            let near = (0..used).filter(|n| !ground.misses(game, state, kind, *n, area));
            moving.extend(near.filter_map(|n| Some((pack_thing(kind, n), body_of(game, state, kind, n)?))));
        }
    }
    board::sees_past(from, to, |p: Point, q: Point| {
        let crossed = |packed: i64, body: &Body, blocks: &mut dyn FnMut(i64) -> bool| {
            board::crosses(p, q, body) && blocks(packed)
        };
        let over = |n: usize, blocks: &mut dyn FnMut(i64) -> bool| {
            let (kind, thing) = unpack_thing(ground.things[n]);
            let may = game.program.rules.kinds[kind.at()].blocks.is_some();
            may && body_of(game, state, kind, thing).is_some_and(|b| crossed(ground.things[n], &b, blocks))
        };
        !moving.iter().any(|(packed, body)| crossed(*packed, body, &mut blocks))
            && !ground.index.any(|b| line_meets(p, q, b), |n| over(n, &mut blocks))
    })
}

/// How high a place is looked from: the height of a thing, 0 for a point and for what has none; of a group its highest.
fn height(game: &Game, state: &State, place: [i64; 2]) -> i64 {
    if place[0] != THING {
        return 0;
    }
    let (kind, thing) = unpack_thing(place[1]);
    let info = &game.program.rules.kinds[kind.at()];
    let (kind, all) = match info.group {
        Some((field, member)) => (member, super::board::members(game, state, field, thing)),
        None => (kind, vec![thing]),
    };
    let Some(field) = game.program.rules.kinds[kind.at()].height else { return 0 };
    all.into_iter().map(|n| state.cells[game.layout.field(field, n, 0)]).max().unwrap_or(0).max(0)
}
