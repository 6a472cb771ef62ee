//! A spatial index of the things that rules move, updated as they move.

use super::fixed_index::used;
use super::{Game, State};
use grognard_base::value::*;
use grognard_board::{Bounds, Index, Point, widened};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Slack of the index along each axis, in thousandths of an inch. A thing within it of its indexed position is found.
const HOME: i64 = 6_000;

/// With fewer things than this, all of them are checked.
const FEW: usize = 32;

/// Spatial index of movable things, and the things outside their slack. It is derived from the cells, so comparison and
/// hashing of states ignore it.
#[derive(Debug, Default)]
pub struct MovingIndex {
    buckets: Option<Arc<Buckets>>,
    /// Things outside their slack, packed, without duplicates.
    unindexed: Vec<i64>,
}

/// Implemented by hand so that `clone_from` reuses allocations.
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
    /// Packed things in the order of the index.
    things: Vec<i64>,
    /// Indexed positions by kind and index. `None` for kinds outside the index and for things off the board.
    at: Vec<Option<Vec<Option<Point>>>>,
}

/// Returns the position of a thing, or `None` off the board.
fn place(game: &Game, state: &State, kind: KindId, thing: i64) -> Option<Point> {
    let at = game.layout.kinds[kind.at()].place + 3 * thing as usize;
    (state.cells[at] != NONE).then(|| Point { x: state.cells[at], y: state.cells[at + 1] })
}

/// Returns a box around a thing at `at`, widened by `more`.
fn box_at(game: &Game, kind: KindId, thing: i64, at: Point, more: i64) -> Bounds {
    widened((at, at), game.ground.reach(kind, thing) + more)
}

impl MovingIndex {
    /// Builds the index of a state. It is empty if a scan of all things is as fast.
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

/// Updates the index after a thing was put.
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

/// Returns whether some movable thing satisfies `found`, among those whose box may satisfy `enter`.
///
/// If `enter` holds for a box, it must hold for every box around it. `found` may be called twice for one thing.
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
