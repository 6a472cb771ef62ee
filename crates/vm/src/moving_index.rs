//! A spatial index of what rules move: where such things last stood, kept true as they go.

use super::fixed_index::used;
use super::{Game, State};
use grognard_base::value::*;
use grognard_board::{Bounds, Index, Point, widened};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A thing that is no farther from its home than this, up or sideways, is found by the index (thousandths of an inch).
const HOME: i64 = 6_000;

/// Fewer than so many are looked through one by one.
const FEW: usize = 32;

/// The buckets of what moves, and what has left its home. It is worked out from the cells: two positions are the same if
/// their cells are, so it has no say in that.
#[derive(Debug, Default)]
pub struct MovingIndex {
    buckets: Option<Arc<Buckets>>,
    /// Packed; each once.
    unindexed: Vec<i64>,
}

/// Written out so that `clone_from` keeps what the old one had allocated.
impl Clone for MovingIndex {
    fn clone(&self) -> MovingIndex {
        MovingIndex { buckets: self.buckets.clone(), unindexed: self.unindexed.clone() }
    }

    fn clone_from(&mut self, from: &MovingIndex) {
        self.buckets.clone_from(&from.buckets);
        self.unindexed.clone_from(&from.unindexed);
    }
}

impl PartialEq for MovingIndex {
    fn eq(&self, _: &MovingIndex) -> bool {
        true
    }
}

impl Eq for MovingIndex {}

impl Hash for MovingIndex {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[derive(Debug)]
struct Buckets {
    index: Index,
    /// Packed, in the order of the index.
    things: Vec<i64>,
    /// By kind and number; none for a kind that is not in the index, and for what was off the board.
    at: Vec<Option<Vec<Option<Point>>>>,
}

/// Where a thing stands.
fn place(game: &Game, state: &State, kind: KindId, thing: i64) -> Option<Point> {
    let at = game.layout.kinds[kind.at()].place + 3 * thing as usize;
    (state.cells[at] != NONE).then(|| Point { x: state.cells[at], y: state.cells[at + 1] })
}

/// A box that no part of a thing at `at` leaves.
fn box_at(game: &Game, kind: KindId, thing: i64, at: Point, more: i64) -> Bounds {
    widened((at, at), game.ground.reach(kind, thing) + more)
}

impl MovingIndex {
    /// Of a position; empty where looking through all is as quick.
    pub(super) fn of(game: &Game, state: &State) -> MovingIndex {
        let moving = || used(game, state).filter(|(kind, _)| !game.ground.is_still(*kind));
        if moving().map(|(_, used)| used as usize).sum::<usize>() < FEW {
            return MovingIndex::default();
        }
        let mut at = vec![None; game.layout.kinds.len()];
        let (mut things, mut boxes) = (Vec::new(), Vec::new());
        for (kind, used) in moving() {
            let buckets: Vec<Option<Point>> = (0..used).map(|n| place(game, state, kind, n)).collect();
            for (n, home) in (0..).zip(&buckets) {
                if let Some(home) = home {
                    things.push(pack_thing(kind, n));
                    boxes.push(box_at(game, kind, n, *home, HOME));
                }
            }
            at[kind.at()] = Some(buckets);
        }
        MovingIndex { buckets: Some(Arc::new(Buckets { index: Index::new(boxes), things, at })), unindexed: Vec::new() }
    }
}

/// Takes note that a thing was put somewhere.
pub(super) fn went(game: &Game, state: &mut State, kind: KindId, thing: i64) {
    let Some(buckets) = &state.moving.buckets else { return };
    let Some(now) = place(game, state, kind, thing) else { return };
    let Some(at) = buckets.at.get(kind.at()).and_then(|at| at.as_ref()) else { return };
    let home = at.get(thing as usize).copied().flatten();
    if home.is_some_and(|h| (h.x - now.x).abs() <= HOME && (h.y - now.y).abs() <= HOME) {
        return;
    }
    let most = FEW + buckets.things.len() / 16;
    let packed = pack_thing(kind, thing);
    if !state.moving.unindexed.contains(&packed) {
        state.moving.unindexed.push(packed);
    }
    if state.moving.unindexed.len() > most {
        state.moving = MovingIndex::of(game, state);
    }
}

/// True if some moving thing that may come into what passes `enter` also passes `found`, which may be asked twice about
/// one; `enter` must hold for every box around one that it holds for.
pub(super) fn any(
    game: &Game,
    state: &State,
    enter: impl Fn(Bounds) -> bool,
    mut found: impl FnMut(KindId, i64) -> bool,
) -> bool {
    let mut near = |kind: KindId, thing: i64| {
        let at = place(game, state, kind, thing).filter(|_| {
            let alive = game.layout.kinds[kind.at()].alive;
            state.cells[alive + thing as usize] != 0
        });
        at.is_some_and(|at| enter(box_at(game, kind, thing, at, 0))) && found(kind, thing)
    };
    let buckets = state.moving.buckets.as_deref();
    let listed = |kind: KindId| buckets.is_some_and(|h| h.at.get(kind.at()).is_some_and(|at| at.is_some()));
    let mut moving = used(game, state).filter(|(kind, _)| !game.ground.is_still(*kind) && !listed(*kind));
    if moving.any(|(kind, used)| (0..used).any(|n| near(kind, n))) {
        return true;
    }
    let mut packed = |packed: i64| {
        let (kind, thing) = unpack_thing(packed);
        near(kind, thing)
    };
    buckets.is_some_and(|h| h.index.any(&enter, |n| packed(h.things[n])))
        || state.moving.unindexed.iter().any(|s| packed(*s))
}
