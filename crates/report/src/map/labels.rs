//! Places labels next to the things that they name, and away from everything that is drawn.

/// An axis-aligned box, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

impl Area {
    /// Returns the box with this center.
    pub fn around(x: i64, y: i64, half_width: i64, half_height: i64) -> Area {
        Area { left: x - half_width, top: y - half_height, right: x + half_width, bottom: y + half_height }
    }

    /// Returns the area of the intersection of two boxes.
    pub fn shared(&self, other: &Area) -> i64 {
        let wide = self.right.min(other.right) - self.left.max(other.left);
        let high = self.bottom.min(other.bottom) - self.top.max(other.top);
        wide.max(0) * high.max(0)
    }
}

/// The areas that are occupied. `numbers` holds those of the numbers of moves.
pub struct Labels {
    taken: Vec<Area>,
    numbers: Vec<Area>,
    bounds: Area,
}

/// Height of a line of text in pixels.
pub const HEIGHT: i64 = 14;

/// Returns the approximate width of a text, in pixels, at a font size of 12 pixels.
pub fn width(text: &str) -> i64 {
    text.chars().map(|c| if c.is_ascii() { 7 } else { 12 }).sum()
}

impl Labels {
    /// Creates a plan without occupied areas. Labels stay inside `bounds` if possible.
    pub fn new(bounds: Area) -> Labels {
        Labels { taken: Vec::new(), numbers: Vec::new(), bounds }
    }

    /// Keeps a box free of labels.
    pub fn keep(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Keeps the area of a line free of labels, by small boxes along it.
    pub(super) fn keep_line(&mut self, from: (i64, i64), to: (i64, i64)) {
        let length = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        let steps = (length / 8).clamp(1, 400);
        for n in 0..=steps {
            let (x, y) = (from.0 + (to.0 - from.0) * n / steps, from.1 + (to.1 - from.1) * n / steps);
            self.keep(Area::around(x, y, 2, 2));
        }
    }

    fn cost(&self, area: &Area) -> i64 {
        let size = (area.right - area.left) * (area.bottom - area.top);
        let outside = size - area.shared(&self.bounds);
        self.taken.iter().map(|t| t.shared(area)).sum::<i64>() + 4 * outside
    }

    /// Returns the center of a text next to a box: the first free position around it, or the one that covers the least area.
    pub fn beside(&mut self, text: &str, thing: Area) -> (i64, i64) {
        let (half, high) = (width(text) / 2 + 1, HEIGHT / 2);
        let (x, y) = ((thing.left + thing.right) / 2, (thing.top + thing.bottom) / 2);
        let (dx, dy) = ((thing.right - thing.left) / 2 + half + 2, (thing.bottom - thing.top) / 2 + high + 1);
        let mut tries = Vec::new();
        for out in [0, 10, 22, 36] {
            let (dx, dy) = (dx + out, dy + out);
            let sides = [(dx, 0), (0, -dy), (0, dy), (-dx, 0), (dx, -dy), (dx, dy), (-dx, -dy), (-dx, dy)];
            tries.extend(sides.map(|(dx, dy)| Area::around(x + dx, y + dy, half, high)));
        }
        self.best(&tries)
    }

    /// Returns the center of a text next to a line: near the midpoint of the line, or farther toward an end.
    pub(super) fn along(&mut self, text: &str, from: (i64, i64), to: (i64, i64)) -> (i64, i64) {
        let (half, high) = (width(text) / 2 + 1, HEIGHT / 2);
        let mut tries = Vec::new();
        for part in [50, 40, 60, 30, 70, 22, 78] {
            let (x, y) = (from.0 + (to.0 - from.0) * part / 100, from.1 + (to.1 - from.1) * part / 100);
            for out in [3, 17, 31] {
                let off = [(0, -high - out), (0, high + out), (half + out, 0), (-half - out, 0)];
                tries.extend(off.map(|(dx, dy)| Area::around(x + dx, y + dy, half, high)));
            }
        }
        self.best(&tries)
    }

    /// Returns the center of a move's number: on its arrow, and away from the numbers of other arrows.
    pub(super) fn number(&mut self, from: (i64, i64), to: (i64, i64)) -> (i64, i64) {
        let at = |part: i64| (from.0 + (to.0 - from.0) * part / 100, from.1 + (to.1 - from.1) * part / 100);
        let tries = [50, 40, 60, 30, 70, 20, 80].map(|part| Area::around(at(part).0, at(part).1, 8, 8));
        let cost = |t: &Area| self.numbers.iter().map(|n| n.shared(t)).sum::<i64>();
        let best = tries.into_iter().min_by_key(cost).unwrap_or(tries[0]);
        self.numbers.push(best);
        self.keep(best);
        (best.left + 8, best.top + 8)
    }

    fn best(&mut self, tries: &[Area]) -> (i64, i64) {
        let Some(best) = tries.iter().min_by_key(|t| self.cost(t)).copied() else { return (0, 0) };
        self.keep(best);
        ((best.left + best.right) / 2, (best.top + best.bottom) / 2)
    }
}
