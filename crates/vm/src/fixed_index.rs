//! A spatial index of the things that no rule moves, built once when the table is bound.

use super::bodies::body_of;
use super::{Game, State, moving_index};
use grognard_base::value::*;
use grognard_board::{Body, Bounds, FAR, Index, Outline, Point, Shape, bounds_of, line_meets, meets, widened};
use grognard_program::{AskKind, Instr, Program};

/// Spatial index of immovable things, and the reach of each thing from its position. It is derived from the table and
/// the program and is not part of the state.
#[derive(Clone, Debug, Default)]
pub struct FixedIndex {
    /// For each kind: whether no instruction of the program puts, turns or creates a thing of it.
    still: Vec<bool>,
    /// The immovable things on the board, packed, in the order of the index.
    things: Vec<i64>,
    /// Outlines for point queries, by kind and index; `None` for things outside the index.
    outlines: Vec<Vec<Option<Outline>>>,
    index: Index,
    /// Maximum distance of any point of a thing from its position, by kind and index.
    reach: Vec<Vec<i64>>,
}

impl FixedIndex {
    /// Builds the index of a table whose things are placed.
    pub fn of(game: &Game) -> FixedIndex {
        let still = still_kinds(&game.program);
        let (mut things, mut boxes) = (Vec::new(), Vec::new());
        let mut outlines = vec![Vec::new(); still.len()];
        for (k, used) in used(game, &game.start).filter(|(k, _)| still[k.at()]) {
            for n in 0..used {
                let body = body_of(game, &game.start, k, n);
                outlines[k.at()].push(body.as_ref().map(Outline::of));
                if let Some(body) = body {
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
        let index = Index::new(boxes);
        FixedIndex { still, things, outlines, index, reach }
    }

    /// Returns the outline of an immovable thing, living or not.
    fn still_outline(&self, packed: i64) -> Option<&Outline> {
        let (kind, thing) = unpack_thing(packed);
        self.outlines.get(kind.at())?.get(thing as usize)?.as_ref()
    }

    /// Returns the outline of a place, or `None` if it is not a living immovable thing.
    pub(super) fn outline(&self, game: &Game, state: &State, [sort, packed]: [i64; 2]) -> Option<&Outline> {
        let (kind, thing) = unpack_thing(packed);
        let outline = if sort == THING { self.still_outline(packed) } else { None };
        outline.filter(|_| state.cells[game.layout.kinds[kind.at()].alive + thing as usize] != 0)
    }

    /// Returns whether no rule moves things of a kind.
    pub(super) fn is_still(&self, kind: KindId) -> bool {
        self.still[kind.at()]
    }

    /// Returns whether a line crosses an immovable thing for which `wanted` is true.
    pub(super) fn any_on(&self, p: Point, q: Point, mut wanted: impl FnMut(i64, &Outline) -> bool) -> bool {
        let on_way = |b: Bounds| line_meets(p, q, b);
        self.index.any(on_way, |n| {
            let packed = self.things[n];
            self.still_outline(packed).is_some_and(|outline| wanted(packed, outline))
        })
    }

    /// Returns the maximum distance of any point of a thing from its position, along each axis.
    pub(super) fn reach(&self, kind: KindId, thing: i64) -> i64 {
        self.reach[kind.at()].get(thing as usize).copied().unwrap_or(0)
    }
}

/// Returns the number of things of each kind on the board.
pub(super) fn used<'a>(game: &'a Game, state: &'a State) -> impl Iterator<Item = (KindId, i64)> + 'a {
    let on_board = game.layout.kinds.iter().enumerate().filter(|(_, layout)| layout.place > 0);
    on_board.map(|(k, layout)| (KindId::from(k), state.cells[layout.used]))
}

/// Returns for each kind whether no instruction puts, turns or creates a thing of it.
fn still_kinds(program: &Program) -> Vec<bool> {
    let kinds = &program.schema.kinds;
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

/// Returns all bodies on the board except those in `but`, each with its packed thing, by kind and index. With `area`,
/// only bodies whose bounding box meets it.
pub(super) fn others(game: &Game, state: &State, but: &[i64], area: Option<Bounds>) -> Vec<(i64, Body)> {
    let found = match area {
        Some(area) => near_things(game, state, area),
        None => used(game, state).flat_map(|(kind, used)| (0..used).map(move |n| (kind, n))).collect(),
    };
    let mut out = Vec::with_capacity(found.len());
    let packed = found.into_iter().map(|(kind, n)| (pack_thing(kind, n), kind, n)).filter(|(p, ..)| !but.contains(p));
    let bodies = packed.filter_map(|(p, kind, n)| Some((p, body_of(game, state, kind, n)?)));
    out.extend(bodies.filter(|(_, body)| area.is_none_or(|area| meets(body.bounds(), area))));
    out
}

/// Returns the things that may be inside an area, by kind and index.
pub(super) fn near_things(game: &Game, state: &State, area: Bounds) -> Vec<(KindId, i64)> {
    let ground = &game.ground;
    let mut found: Vec<(KindId, i64)> =
        ground.index.within(area).into_iter().map(|n| unpack_thing(ground.things[n])).collect();
    moving_index::any(
        game,
        state,
        |b| meets(b, area),
        |kind, n| {
            found.push((kind, n));
            false
        },
    );
    found.sort_unstable_by_key(|(kind, n)| (kind.at(), *n));
    found.dedup();
    found
}

/// Radius of the first search for the nearest thing of a kind, in thousandths of an inch, and the growth factor of each
/// further search.
const LOOK: (i64, i64) = (8_000, 4);

/// With fewer things than this, all of them are checked.
const FEW: i64 = 32;

/// Returns the living things of a kind that may be within a distance of a place, by index, and that distance. All
/// others are farther away.
///
/// `looked` is the distance of the previous search, 0 for the first. The distance is [`FAR`] if all things are
/// returned.
pub(super) fn near(game: &Game, state: &State, kind: KindId, place: &[Body], looked: i64) -> (Vec<i64>, i64) {
    let layout = game.layout.kinds[kind.at()];
    let used = state.cells[layout.used];
    let alive = |n: &i64| state.cells[layout.alive + *n as usize] != 0;
    let reach = if looked == 0 { LOOK.0 } else { looked.saturating_mul(LOOK.1) };
    if layout.place == 0 || used < FEW || place.is_empty() || reach > game.size.0.max(game.size.1) {
        return ((0..used).filter(alive).collect(), FAR);
    }
    let found = near_things(game, state, widened(bounds_of(place), reach));
    (found.into_iter().filter(|(k, n)| *k == kind && alive(n)).map(|(_, n)| n).collect(), reach)
}
