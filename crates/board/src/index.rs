//! A spatial index of bodies (bounding volume hierarchy): finds the bodies near a line, a box or a point without
//! visiting all of them.

use super::shape::cross;
use super::{Body, Point};

/// An axis-aligned box, given by its lower left and upper right corner.
pub type Bounds = (Point, Point);

/// Maximum number of bodies in a leaf.
const LEAF: usize = 4;

/// A tree of boxes over static bodies. A body is identified by its index in the list that the tree was built from.
#[derive(Clone, Debug, Default)]
pub struct Index {
    nodes: Vec<Node>,
    /// The boxes and indices of the bodies, in the order of the leaves.
    entries: Vec<(Bounds, usize)>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// The range of its entries.
    from: usize,
    to: usize,
    /// Its two children, or `None` for a leaf.
    halves: Option<(usize, usize)>,
}

/// Returns the bounding box of some bodies, or the origin for an empty list.
pub fn bounds_of(bodies: &[Body]) -> Bounds {
    bodies.iter().map(Body::bounds).reduce(around).unwrap_or_default()
}

fn around(a: Bounds, b: Bounds) -> Bounds {
    (Point { x: a.0.x.min(b.0.x), y: a.0.y.min(b.0.y) }, Point { x: a.1.x.max(b.1.x), y: a.1.y.max(b.1.y) })
}

/// Returns whether two boxes have a point in common.
pub fn meets(a: Bounds, b: Bounds) -> bool {
    a.0.x <= b.1.x && b.0.x <= a.1.x && a.0.y <= b.1.y && b.0.y <= a.1.y
}

/// Returns the box, extended by `by` on each side.
pub fn widened((low, high): Bounds, by: i64) -> Bounds {
    (low.shifted(-by, -by), high.shifted(by, by))
}

/// Returns whether the segment from `a` to `b` intersects the box.
pub fn line_meets(a: Point, b: Point, area: Bounds) -> bool {
    let (low, high) = (Point { x: a.x.min(b.x), y: a.y.min(b.y) }, Point { x: a.x.max(b.x), y: a.y.max(b.y) });
    if !meets((low, high), area) {
        return false;
    }
    let (low, high) = area;
    let corners = [low, Point { x: low.x, y: high.y }, high, Point { x: high.x, y: low.y }];
    let sides = corners.map(|c| cross(a.to(b), a.to(c)).signum());
    !(sides.iter().all(|s| *s > 0) || sides.iter().all(|s| *s < 0))
}

impl Index {
    /// Builds the index of a list of boxes.
    pub fn new(boxes: impl IntoIterator<Item = Bounds>) -> Index {
        let entries: Vec<(Bounds, usize)> = boxes.into_iter().enumerate().map(|(n, b)| (b, n)).collect();
        let mut index = Index { nodes: Vec::new(), entries };
        let count = index.entries.len();
        if count > 0 {
            index.build(0, count);
        }
        index
    }

    fn build(&mut self, from: usize, to: usize) -> usize {
        let part = &mut self.entries[from..to];
        let bounds = part.iter().map(|(b, _)| *b).reduce(around).unwrap_or_default();
        let at = self.nodes.len();
        if to - from > LEAF {
            let wide = bounds.1.x - bounds.0.x >= bounds.1.y - bounds.0.y;
            let half = (to - from) / 2;
            part.select_nth_unstable_by_key(half, |((low, high), n)| {
                (if wide { low.x + high.x } else { low.y + high.y }, *n)
            });
            self.nodes.push(Node { bounds, from, to, halves: None });
            let halves = (self.build(from, from + half), self.build(from + half, to));
            self.nodes[at].halves = Some(halves);
        } else {
            self.nodes.push(Node { bounds, from, to, halves: None });
        }
        at
    }

    /// Returns whether `found` holds for a body whose box satisfies `enter`. If `enter` holds for a box, it must hold
    /// for every box that contains it.
    pub fn any(&self, enter: impl Fn(Bounds) -> bool, mut found: impl FnMut(usize) -> bool) -> bool {
        let mut open: Vec<usize> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(n) = open.pop() {
            let node = &self.nodes[n];
            if !enter(node.bounds) {
                continue;
            }
            match node.halves {
                Some((a, b)) => open.extend([b, a]),
                None => {
                    let mut here = self.entries[node.from..node.to].iter();
                    if here.any(|(bounds, n)| enter(*bounds) && found(*n)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Returns the bodies whose boxes intersect a box, in the order of the list.
    pub fn within(&self, area: Bounds) -> Vec<usize> {
        let mut out = Vec::new();
        self.any(
            |b| meets(b, area),
            |n| {
                out.push(n);
                false
            },
        );
        out.sort_unstable();
        out
    }
}
