//! Computes the verdict on rows: gaps, overlaps and dead rows, represented as boxes of classes.

use super::cut::{Class, Column, Layout, Set, columns, full, width, without};
use super::witness::stretches;
use super::{Domain, MOST_SHOWN, Row, Shape, Verdict, Witness};
use crate::{OrdMap, OrdSet};

/// Maximum number of orders tried for bounds known only during play.
const MOST_WORLDS: usize = 256;
/// Maximum number of steps of a search.
const MOST_STEPS: usize = 200_000;
/// Maximum number of boxes for the alternatives of one row, and of recorded pairs of overlapping rows.
const MOST_BOXES: usize = 4096;

/// A box: one set of classes for each column, representing all their combinations.
type Cells = Vec<Set>;

/// The values that a row matches in one world.
struct Reach {
    boxes: Vec<Cells>,
    /// Whether some alternative is known only during play.
    vague: bool,
}

/// All columns, with one order of their bounds.
struct World<'a> {
    columns: &'a [Column],
    layouts: Vec<&'a Layout>,
    classes: Vec<Vec<Class>>,
    too_many: bool,
}

/// The findings in one world.
#[derive(Default)]
struct Finding {
    gaps: Vec<Witness>,
    overlaps: OrdMap<(usize, usize), Witness>,
    dead: Vec<usize>,
    open: bool,
    too_many: bool,
}

/// Judges the rows of a match on `domain`. `first` is whether the first matching row applies.
pub fn judge(domain: &Domain, rows: &[Row], first: bool) -> Verdict {
    let mut columns = columns(domain);
    for shape in rows.iter().flat_map(|row| &row.shapes) {
        note(shape, domain, &mut columns);
    }
    let unsettled = |needs_first| Verdict { needs_first, too_many: !needs_first, ..Verdict::default() };
    let ends = rows.iter().any(|row| row.is_else && !row.guarded);
    let Some(choices) = columns.iter().map(|c| c.layouts(MOST_WORLDS)).collect::<Option<Vec<_>>>() else {
        return unsettled(!(first && ends));
    };
    let count = choices.iter().try_fold(1usize, |n, c| n.checked_mul(c.len()).filter(|n| *n <= MOST_WORLDS));
    let Some(count) = count.filter(|n| *n > 0) else { return unsettled(!(first && ends)) };
    let mut findings = Vec::with_capacity(count);
    for n in 0..count {
        let mut rest = n;
        let layouts: Vec<&Layout> = choices
            .iter()
            .map(|c| {
                let pick = &c[rest % c.len()];
                rest /= c.len();
                pick
            })
            .collect();
        let classes = columns.iter().zip(&layouts).map(|(c, l)| c.classes(l)).collect();
        let mut world = World { columns: &columns, layouts, classes, too_many: false };
        findings.push(world.judge(domain, rows, first));
    }
    settle(findings)
}

/// Merges the findings of all worlds. A finding of every world is settled; one of only some worlds is not.
fn settle(findings: Vec<Finding>) -> Verdict {
    let mut verdict = Verdict { too_many: findings.iter().any(|f| f.too_many), ..Verdict::default() };
    let Some(one) = findings.first() else { return Verdict { needs_first: true, ..verdict } };
    verdict.needs_first = findings.iter().any(|f| f.open);
    if findings.iter().all(|f| !f.gaps.is_empty()) {
        verdict.gaps.clone_from(&one.gaps);
    } else if findings.iter().any(|f| !f.gaps.is_empty()) {
        verdict.needs_first = true;
    }
    for finding in &findings {
        for (pair, witness) in &finding.overlaps {
            if findings.iter().any(|f| !f.overlaps.contains_key(pair)) {
                verdict.needs_first = true;
            } else if verdict.overlaps.len() < MOST_SHOWN && !verdict.overlaps.iter().any(|o| (o.0, o.1) == *pair) {
                verdict.overlaps.push((pair.0, pair.1, witness.clone()));
            }
        }
    }
    verdict.dead = one.dead.iter().copied().filter(|row| findings.iter().all(|f| f.dead.contains(row))).collect();
    verdict
}

/// Adds the bounds of a shape to the columns that it refers to.
fn note(shape: &Shape, domain: &Domain, columns: &mut [Column]) {
    match (shape, domain) {
        (Shape::Tuple(parts), Domain::Tuple(domains)) => {
            let mut rest = columns;
            for (shapes, domain) in parts.iter().zip(domains) {
                let (here, after) = rest.split_at_mut(width(domain).min(rest.len()));
                shapes.iter().for_each(|shape| note(shape, domain, here));
                rest = after;
            }
        }
        (_, Domain::Optional(inner)) => {
            let gate = usize::from(matches!(**inner, Domain::Tuple(_)));
            note(shape, inner, &mut columns[gate..]);
        }
        (_, Domain::Tuple(_)) => {}
        _ => {
            if let [column] = columns {
                column.note(shape);
            }
        }
    }
}

impl World<'_> {
    fn judge(&mut self, domain: &Domain, rows: &[Row], first: bool) -> Finding {
        let reaches: Vec<Reach> = rows.iter().map(|row| self.reach(&row.shapes, domain)).collect();
        let space: Cells = self.classes.iter().map(|c| full(c.len())).collect();
        let mut finding = Finding::default();
        // for gaps, only rows without a `when` count, and only their known values
        let counts = |n: usize| !rows[n].guarded && !rows[n].is_else;
        let plain: Vec<&Cells> = (0..rows.len()).filter(|n| counts(*n)).flat_map(|n| &reaches[n].boxes).collect();
        let left = self.uncovered(&space, &plain, MOST_SHOWN);
        let vague = (0..rows.len()).any(|n| counts(n) && reaches[n].vague);
        if !rows.iter().any(|row| row.is_else && !row.guarded) {
            if vague && !left.is_empty() {
                finding.open = true;
            } else {
                finding.gaps = self.witnesses(&left);
            }
        }
        if !first {
            self.overlaps(rows, &reaches, &mut finding);
        }
        let mut above: Vec<&Cells> = Vec::new();
        // in one column, all rows above form a single set
        let mut together = (space.len() == 1).then(Set::new);
        let mut closed = false;
        for (n, reach) in reaches.iter().enumerate() {
            let whole = [space.clone()];
            let own = if reach.vague { &whole[..] } else { &reach.boxes[..] };
            let dead = if first {
                closed
                    || own.iter().all(|cells| match &together {
                        Some(together) => cells[0].is_subset(together),
                        None => self.uncovered(cells, &above, 1).is_empty(),
                    })
            } else if rows[n].is_else {
                closed || left.is_empty()
            } else {
                own.iter().all(|cells| cells.iter().any(Set::is_clear))
            };
            if dead && !self.too_many {
                finding.dead.push(n);
            }
            if !rows[n].guarded {
                above.extend(&reach.boxes);
                if let Some(together) = &mut together {
                    reach.boxes.iter().for_each(|cells| together.union_with(&cells[0]));
                }
                closed |= rows[n].is_else;
            }
        }
        finding.too_many = self.too_many;
        finding
    }

    fn overlaps(&mut self, rows: &[Row], reaches: &[Reach], finding: &mut Finding) {
        let judged: Vec<usize> = (0..rows.len()).filter(|row| !rows[*row].is_else).collect();
        finding.open |= judged.len() > 1 && judged.iter().any(|row| reaches[*row].vague);
        // overlapping rows overlap in every column, so they share a class of the column with the most classes
        let longest = (0..self.classes.len()).max_by_key(|column| self.classes[*column].len()).unwrap_or(0);
        let mut having: Vec<Vec<usize>> = vec![Vec::new(); self.classes.get(longest).map_or(0, Vec::len)];
        for late in judged {
            let own: OrdSet<usize> =
                reaches[late].boxes.iter().filter_map(|cells| cells.get(longest)).flat_map(Set::ones).collect();
            let near: OrdSet<usize> = own.iter().flat_map(|class| &having[*class]).copied().collect();
            own.into_iter().for_each(|class| having[class].push(late));
            for early in near {
                let meet = reaches[early].boxes.iter().find_map(|a| {
                    let meets = |b: &&Cells| a.iter().zip(*b).all(|(a, b)| !a.is_disjoint(b));
                    reaches[late].boxes.iter().find(meets).map(|b| (a, b))
                });
                let Some((a, b)) = meet else { continue };
                if finding.overlaps.len() >= MOST_BOXES {
                    self.too_many = true;
                    return;
                }
                let both: Cells = a.iter().zip(b).map(|(a, b)| a & b).collect();
                if let Some(witness) = self.witnesses(&[both]).into_iter().next() {
                    finding.overlaps.insert((early, late), witness);
                }
            }
        }
    }

    /// Returns the values that the alternatives of a row match.
    fn reach(&mut self, shapes: &[Shape], domain: &Domain) -> Reach {
        let mut reach = Reach { boxes: Vec::new(), vague: false };
        reach.boxes = self.expand(shapes, domain, 0, &mut reach.vague);
        reach
    }

    /// Returns the boxes over the columns of `domain`, which begin at column `at`.
    fn expand(&mut self, shapes: &[Shape], domain: &Domain, at: usize, vague: &mut bool) -> Vec<Cells> {
        let mut boxes: Vec<Cells> = Vec::new();
        for shape in shapes {
            let new = self.expand_one(shape, domain, at, vague);
            if width(domain) == 1 && !boxes.is_empty() && !new.is_empty() {
                boxes[0][0].union_with(&new[0][0]);
            } else {
                boxes.extend(new);
            }
            if boxes.len() > MOST_BOXES {
                self.too_many = true;
                boxes.truncate(MOST_BOXES);
            }
        }
        boxes
    }

    fn expand_one(&mut self, shape: &Shape, domain: &Domain, at: usize, vague: &mut bool) -> Vec<Cells> {
        match domain {
            Domain::Tuple(domains) => match shape {
                Shape::Any | Shape::Some => vec![self.everything(at, width(domain))],
                Shape::Tuple(parts) if parts.len() == domains.len() => {
                    let mut boxes = vec![Vec::new()];
                    let mut place = at;
                    for (shapes, domain) in parts.iter().zip(domains) {
                        let tails = self.expand(shapes, domain, place, vague);
                        place += width(domain);
                        if boxes.len() * tails.len() > MOST_BOXES {
                            self.too_many = true;
                            return Vec::new();
                        }
                        let join = |head: &Cells| {
                            tails.iter().map(|tail| head.iter().chain(tail).cloned().collect()).collect::<Vec<Cells>>()
                        };
                        boxes = boxes.iter().flat_map(join).collect();
                    }
                    boxes
                }
                Shape::Unknown(_) => {
                    *vague = true;
                    Vec::new()
                }
                _ => Vec::new(),
            },
            Domain::Optional(inner) if matches!(**inner, Domain::Tuple(_)) => {
                let Some(gate) = self.columns[at].lets(shape, &self.classes[at], self.layouts[at]) else {
                    *vague = true;
                    return Vec::new();
                };
                let inside = match shape {
                    Shape::Tuple(_) => self.expand_one(shape, inner, at + 1, vague),
                    _ => vec![self.everything(at + 1, width(inner))],
                };
                inside.into_iter().map(|cells| std::iter::once(gate.clone()).chain(cells).collect()).collect()
            }
            Domain::Optional(inner) if matches!(**inner, Domain::Optional(_)) => {
                self.expand_one(shape, inner, at, vague)
            }
            _ => match self.columns[at].lets(shape, &self.classes[at], self.layouts[at]) {
                Some(set) => vec![vec![set]],
                None => {
                    *vague = true;
                    Vec::new()
                }
            },
        }
    }

    fn everything(&self, at: usize, width: usize) -> Cells {
        self.classes[at..at + width].iter().map(|c| full(c.len())).collect()
    }

    /// Returns at most `most` boxes of `space` that are disjoint from every box of `cover`.
    fn uncovered(&mut self, space: &Cells, cover: &[&Cells], most: usize) -> Vec<Cells> {
        if space.iter().any(Set::is_clear) {
            return Vec::new();
        }
        let mut search = Search { space, steps: 0, most, found: Vec::new(), chosen: Vec::new() };
        search.go(cover);
        self.too_many |= search.steps > MOST_STEPS;
        search.found
    }

    fn witnesses(&self, boxes: &[Cells]) -> Vec<Witness> {
        let mut out: Vec<Witness> = Vec::new();
        for cells in boxes {
            let mut partial = vec![Vec::new()];
            for (n, set) in cells.iter().enumerate() {
                let pieces = stretches(&self.columns[n], self.layouts[n], &self.classes[n], set);
                partial = partial
                    .iter()
                    .flat_map(|head: &Vec<_>| pieces.iter().map(|p| [&head[..], std::slice::from_ref(p)].concat()))
                    .take(MOST_SHOWN)
                    .collect();
            }
            out.extend(partial.into_iter().map(|pieces| Witness { pieces }));
        }
        out.truncate(MOST_SHOWN);
        out
    }
}

/// Depth-first search over the columns. Classes covered by the same boxes are searched together.
struct Search<'a> {
    space: &'a Cells,
    steps: usize,
    most: usize,
    found: Vec<Cells>,
    chosen: Vec<Set>,
}

impl Search<'_> {
    fn go(&mut self, cover: &[&Cells]) {
        self.steps += 1 + cover.len() / 64;
        if self.steps > MOST_STEPS || self.found.len() >= self.most {
            return;
        }
        let column = self.chosen.len();
        let rest = &self.space[column..];
        if cover.is_empty() {
            let found = self.chosen.iter().chain(rest).cloned().collect();
            self.found.push(found);
            return;
        }
        if cover.iter().any(|cells| cells[column..].iter().zip(rest).all(|(c, s)| s.is_subset(c))) {
            return;
        }
        if let [last] = rest {
            let left = cover.iter().fold(last.clone(), |left, cells| without(&left, &cells[column]));
            if !left.is_clear() {
                self.found.push(self.chosen.iter().cloned().chain([left]).collect());
            }
            return;
        }
        for (group, cover) in groups(&self.space[column], column, cover) {
            self.chosen.push(group);
            self.go(&cover);
            self.chosen.pop();
        }
    }
}

/// Groups the classes of `set` that the same boxes cover, each group with these boxes. Groups are ordered by their
/// first class.
fn groups<'a>(set: &Set, column: usize, cover: &[&'a Cells]) -> Vec<(Set, Vec<&'a Cells>)> {
    let len = set.len();
    let mut having: Vec<Vec<usize>> = vec![Vec::new(); len];
    for (n, cells) in cover.iter().enumerate() {
        cells[column].intersection(set).for_each(|class| having[class].push(n));
    }
    let mut index: OrdMap<&[usize], usize> = OrdMap::new();
    let mut groups: Vec<(Set, Vec<&Cells>)> = Vec::new();
    for class in set.ones() {
        let boxes = having[class].as_slice();
        match index.get(boxes) {
            Some(at) => groups[*at].0.grow_and_insert(class),
            None => {
                index.insert(boxes, groups.len());
                groups.push(([class].into_iter().collect(), boxes.iter().map(|n| cover[*n]).collect()));
            }
        }
    }
    groups
}
