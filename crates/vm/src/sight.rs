//! Line of sight: a line between two places that no thing blocks, or the things that block it.

use super::board::flag;
use super::bodies::{Bodies, body_of, members, place};
use super::fixed_index::near_things;
use super::{Game, State, moving_index};
use grognard_base::value::*;
use grognard_board::{self as board, Body, Bounds, Outline, Point, SightLine, bounds_of, line_meets};
use smallvec::smallvec;

/// Line of sight between two things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A clear line.
    Clear(Point, Point),
    /// All lines are blocked.
    Blocked {
        /// The direct line.
        line: (Point, Point),
        /// The point at which the line is blocked.
        stop: Point,
        /// The things that block it.
        by: Vec<(KindId, i64)>,
    },
}

/// Precision of the point at which a line is blocked: the line is divided into 2^`PARTS` parts.
const PARTS: u32 = 20;

/// Returns whether a line between the two groups is blocked by no thing other than the two groups.
pub(super) fn sees(game: &Game, state: &State, ends: [[i64; 2]; 2], from: &[Body], to: &[Body]) -> bool {
    clear_line(&mut Between::of(game, state, ends), from, to).is_some()
}

fn clear_line(between: &mut Between<'_>, from: &[Body], to: &[Body]) -> Option<(Point, Point)> {
    let seen = board::line_at_once(from, to, |p, q| !between.any(p, q, |_| true));
    if seen.is_some() || from.is_empty() || to.is_empty() {
        return seen;
    }
    board::line_past(from, to, &between.blockers(from, to))
}

/// The things that may block lines between two places.
struct Between<'g> {
    game: &'g Game,
    state: &'g State,
    ends: [[i64; 2]; 2],
    /// The lower of the two heights.
    low: i64,
    /// Whether a rule can move a thing that blocks sight.
    moving: bool,
    /// Results of earlier tests: packed thing, whether it blocks.
    asked: Vec<(i64, bool)>,
}

impl<'g> Between<'g> {
    fn of(game: &'g Game, state: &'g State, ends: [[i64; 2]; 2]) -> Between<'g> {
        let kinds = game.program.schema.kinds.iter().enumerate();
        let moving = kinds.clone().any(|(k, info)| info.blocks.is_some() && !game.ground.is_still(KindId::from(k)));
        let low = height(game, state, ends[0]).min(height(game, state, ends[1]));
        Between { game, state, ends, low, moving, asked: Vec::new() }
    }

    fn may_block(&self, kind: KindId) -> bool {
        self.game.program.schema.kinds[kind.at()].blocks.is_some()
    }

    /// Returns whether a thing blocks sight between these places.
    fn blocks(&mut self, packed: i64) -> bool {
        if let Some((_, known)) = self.asked.iter().find(|(p, _)| *p == packed) {
            return *known;
        }
        let (game, state) = (self.game, self.state);
        let (kind, thing) = unpack_thing(packed);
        let info = &game.program.schema.kinds[kind.at()];
        let in_play = state.cells[game.layout.kinds[kind.at()].alive + thing as usize] != 0;
        let own = self.ends.iter().any(|c| c[0] == THING && c[1] == packed);
        let tall = |f: FieldId| state.cells[game.layout.field(f, thing, 0)] >= self.low;
        let found =
            in_play && !own && info.height.is_none_or(tall) && info.blocks.is_some_and(|f| flag(game, state, f, thing));
        self.asked.push((packed, found));
        found
    }

    /// Returns whether a line crosses a blocking thing for which `wanted` is true.
    fn any(&mut self, p: Point, q: Point, mut wanted: impl FnMut(i64) -> bool) -> bool {
        let (game, state, moving) = (self.game, self.state, self.moving);
        let mut sight = SightLine::new(p, q);
        let still = game.ground.any_on(p, q, |packed, outline| {
            let may = self.may_block(unpack_thing(packed).0);
            may && sight.is_blocked_by(outline, || self.blocks(packed)) && wanted(packed)
        });
        let on_way = |b: Bounds| line_meets(p, q, b);
        still
            || moving
                && moving_index::any(game, state, on_way, |kind, n| {
                    let packed = pack_thing(kind, n);
                    let body = || body_of(game, state, kind, n).map(|b| Outline::of(&b));
                    self.may_block(kind)
                        && body().is_some_and(|b| sight.is_blocked_by(&b, || self.blocks(packed)))
                        && wanted(packed)
                })
    }

    /// Returns all blocking things in the bounding box of two groups.
    fn blockers(&mut self, from: &[Body], to: &[Body]) -> Vec<Body> {
        let (game, state) = (self.game, self.state);
        let (a, b) = (bounds_of(from), bounds_of(to));
        let corner = |f: fn(i64, i64) -> i64, a: Point, b: Point| Point { x: f(a.x, b.x), y: f(a.y, b.y) };
        let around = (corner(i64::min, a.0, b.0), corner(i64::max, a.1, b.1));
        let near = near_things(game, state, around).into_iter();
        let near = near.filter(|(kind, n)| self.may_block(*kind) && self.blocks(pack_thing(*kind, *n)));
        near.filter_map(|(kind, n)| body_of(game, state, kind, n)).collect()
    }

    /// Returns the things that block a line, sorted by kind and index.
    fn across(&mut self, p: Point, q: Point) -> Vec<(KindId, i64)> {
        let mut found = Vec::new();
        self.any(p, q, |packed| {
            found.push(unpack_thing(packed));
            false
        });
        found.sort_unstable_by_key(|(kind, n)| (kind.at(), *n));
        found.dedup();
        found
    }

    /// Returns the point at which a blocked line ends, by binary search.
    fn stop(&mut self, p: Point, q: Point) -> Point {
        let at = |part: i64| {
            let along = |from: i64, to: i64| from + (((to - from) * part) >> PARTS);
            Point::new(along(p.x, q.x), along(p.y, q.y))
        };
        let (mut clear, mut blocked) = (0, 1 << PARTS);
        while blocked - clear > 1 {
            let middle = (clear + blocked) / 2;
            let cut = self.any(p, at(middle), |_| true);
            *(if cut { &mut blocked } else { &mut clear }) = middle;
        }
        at(clear)
    }
}

impl Game {
    /// Returns whether the rules test lines of sight or define what blocks sight.
    pub fn has_sight(&self) -> bool {
        self.program.board.iter().any(|ask| ask.op == Op::Sees)
            || self.program.schema.kinds.iter().any(|info| info.blocks.is_some())
    }

    /// Returns the line of sight between two things in a state, as `sees` evaluates it. Returns `None` if one is off
    /// the board.
    pub fn sight(&self, state: &State, a: (KindId, i64), b: (KindId, i64)) -> Option<Sight> {
        let ends = [a, b].map(|(kind, thing)| [THING, pack_thing(kind, thing)]);
        let [from, to]: [Bodies; 2] = ends.map(|end| place(self, state, end));
        let mut between = Between::of(self, state, ends);
        if let Some((p, q)) = clear_line(&mut between, &from, &to) {
            return Some(Sight::Clear(p, q));
        }
        let pairs = from.iter().flat_map(|x| to.iter().map(move |y| (x.at, y.at)));
        let mut pairs: Vec<(Point, Point)> = pairs.collect();
        grognard_base::order::sort_by_key(&mut pairs, |(p, q)| p.squared_to(*q));
        // between places outside of their own shapes there may be no blocking thing
        let across = pairs.iter().map(|(p, q)| ((*p, *q), between.across(*p, *q))).find(|(_, by)| !by.is_empty());
        let (line, by) = across.or_else(|| Some((*pairs.first()?, Vec::new())))?;
        Some(Sight::Blocked { line, stop: between.stop(line.0, line.1), by })
    }
}

/// Returns the height of a place. It is 0 for a point and for things without a height; for a group, the maximum of its
/// members.
fn height(game: &Game, state: &State, place: [i64; 2]) -> i64 {
    if place[0] != THING {
        return 0;
    }
    let (kind, thing) = unpack_thing(place[1]);
    let info = &game.program.schema.kinds[kind.at()];
    let (kind, all) = match info.group {
        Some((field, member)) => (member, members(game, state, field, thing)),
        None => (kind, smallvec![thing]),
    };
    let Some(field) = game.program.schema.kinds[kind.at()].height else { return 0 };
    all.into_iter().map(|n| state.cells[game.layout.field(field, n, 0)]).max().unwrap_or(0).max(0)
}
