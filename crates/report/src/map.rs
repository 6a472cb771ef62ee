//! Draws maps of runs as SVG. One panel shows former positions as ghosts, moves as numbered arrows, and the final positions in
//! full. A column next to the table explains the signs and lists the moves.

#[doc(hidden)]
pub mod labels;
mod legend;
mod paint;

use super::clean;
use super::svg::{Svg, px};
use grognard_base::OrdSet;
use grognard_board::{Body, Point, Shape, direction};
use grognard_play::map::{Map, Piece, Range, Stand};
use labels::{Area, Labels};
use paint::Look;

/// Maximum size of the table, in pixels.
const WIDEST: i64 = 960;
const HIGHEST: i64 = 800;
/// Width of the margin around the table, and of the column next to it, in pixels.
const MARGIN: i64 = 36;
const COLUMN: i64 = 300;
/// Half the size of the sign for a thing without a base, in thousandths of a pixel.
const SIGN: i64 = 5_000;
/// Maximum number of ranges, and of names of things, in one picture.
const MOST_RANGES: usize = 24;
const MOST_NAMES: usize = 80;

/// The part of a run that a picture shows.
struct View<'m> {
    map: &'m Map,
    title: String,
    before: &'m [Stand],
    after: &'m [Stand],
    /// Indices of the moves that are drawn as arrows.
    moves: std::ops::Range<usize>,
    /// Indices of the pieces that left play before the end of the part that is shown.
    gone: OrdSet<usize>,
    ranges: Vec<&'m Range>,
    /// Number of measured ranges that are not drawn.
    left_out: usize,
    /// Classes of terrain.
    classes: Vec<&'m str>,
    /// The paint of each piece.
    paints: Vec<Option<usize>>,
    scale: Scale,
}

/// The transformation from the table to the picture.
struct Scale {
    low: Point,
    high: Point,
    /// Length of an inch, in thousandths of a pixel.
    inch: i64,
}

impl Scale {
    /// Returns the scale for the table, or for the bounding box of all positions if the table has no size.
    fn of(map: &Map) -> Scale {
        let (low, high) = match map.size {
            Some((w, h)) => (Point::new(0, 0), Point::new(w, h)),
            None => around(map),
        };
        let fit = |pixels: i64, length: i64| pixels * 1_000_000 / length.max(1);
        let inch = fit(WIDEST, high.x - low.x).min(fit(HIGHEST, high.y - low.y)).clamp(50, 48_000);
        Scale { low, high, inch: if inch > 1000 { inch / 1000 * 1000 } else { inch } }
    }

    fn length(&self, length: i64) -> i64 {
        length * self.inch / 1000
    }

    /// Returns the position of a point, in thousandths of a pixel.
    fn at(&self, p: Point) -> (i64, i64) {
        (MARGIN * 1000 + self.length(p.x - self.low.x), MARGIN * 1000 + self.length(self.high.y - p.y))
    }

    /// Returns the position of a point, in pixels.
    fn pixel(&self, p: Point) -> (i64, i64) {
        let (x, y) = self.at(p);
        (x / 1000, y / 1000)
    }

    fn size(&self) -> (i64, i64) {
        (self.length(self.high.x - self.low.x) / 1000, self.length(self.high.y - self.low.y) / 1000)
    }
}

/// Returns the bounding box of all positions in whole inches, with at least three inches added on each side.
fn around(map: &Map) -> (Point, Point) {
    let all = map.moves.iter().flat_map(|m| [&m.before, &m.after]).chain([&map.start, &map.end]);
    let mut boxes =
        all.flat_map(|places| places.iter().zip(&map.pieces)).filter_map(|(s, p)| Some(body(p, s)?.bounds()));
    let Some((mut low, mut high)) = boxes.next() else { return (Point::new(0, 0), Point::inches(12, 12)) };
    for (a, b) in boxes {
        low = Point { x: low.x.min(a.x), y: low.y.min(a.y) };
        high = Point { x: high.x.max(b.x), y: high.y.max(b.y) };
    }
    let whole = |v: i64| v.div_euclid(1000) * 1000;
    (Point::new(whole(low.x - 3000), whole(low.y - 3000)), Point::new(whole(high.x + 3999), whole(high.y + 3999)))
}

fn body(piece: &Piece, stand: &Stand) -> Option<Body> {
    Some(Body { at: stand.at?, facing: stand.facing, shape: piece.shape.clone() })
}

/// Draws the whole run in one picture.
pub fn map(map: &Map) -> String {
    let moves = 0..map.moves.len();
    let ranges: Vec<&Range> = map.ranges.iter().collect();
    let gone = map.gone.iter().map(|(piece, _)| *piece).collect();
    draw(&View::new(map, map.name.clone(), (&map.start, &map.end), moves, gone, ranges))
}

/// Draws a picture for each move, in order. It shows the move and the ranges that were measured since the previous move.
pub fn map_steps(map: &Map) -> Vec<String> {
    let step = |n: usize| {
        let moved = &map.moves[n];
        let title = format!("{}: move {} of {}", map.name, n + 1, map.moves.len());
        let ranges = map.ranges.iter().filter(|r| r.after == n).collect();
        let gone = map.gone.iter().filter(|(_, after)| *after <= n).map(|(piece, _)| *piece).collect();
        draw(&View::new(map, title, (&moved.before, &moved.after), n..n + 1, gone, ranges))
    };
    (0..map.moves.len()).map(step).collect()
}

impl<'m> View<'m> {
    fn new(
        map: &'m Map,
        title: String,
        (before, after): (&'m [Stand], &'m [Stand]),
        moves: std::ops::Range<usize>,
        gone: OrdSet<usize>,
        mut ranges: Vec<&'m Range>,
    ) -> View<'m> {
        let left_out = ranges.len().saturating_sub(MOST_RANGES);
        ranges.truncate(MOST_RANGES);
        let mut classes: Vec<&str> = Vec::new();
        for piece in map.pieces.iter().filter(|p| !p.fights) {
            if !classes.contains(&piece.class.as_str()) {
                classes.push(&piece.class);
            }
        }
        let of = paint::paints(&map.sides);
        let paints = map.pieces.iter().map(|p| p.side.map(|n| of[n])).collect();
        View { map, title, before, after, moves, gone, ranges, left_out, classes, paints, scale: Scale::of(map) }
    }

    fn class(&self, piece: &Piece) -> usize {
        self.classes.iter().position(|c| *c == piece.class).unwrap_or(0)
    }

    /// Returns the pieces on the table with their bodies: the fighters, or the terrain.
    fn standing(&self, places: &'m [Stand], fights: bool) -> impl Iterator<Item = (usize, &'m Piece, Body)> {
        let all = self.map.pieces.iter().zip(places).enumerate();
        all.filter(move |(_, (p, _))| p.fights == fights).filter_map(|(n, (p, s))| Some((n, p, body(p, s)?)))
    }

    /// Returns half the size of a piece's sign, in thousandths of a pixel.
    fn half(&self, body: &Body) -> i64 {
        self.scale.length(body.radius()).max(SIGN)
    }
}

fn draw(view: &View) -> String {
    let (w, h) = view.scale.size();
    let column = legend::lines(view);
    let height = (h + 2 * MARGIN + 18).max(legend::height(&column) + 2 * MARGIN);
    let left = MARGIN + w + MARGIN;
    let mut svg = Svg::new(left + COLUMN, height, &view.title, paint::STYLE);
    paint::definitions(&mut svg, view.classes.len());
    svg.element("rect", &[("width", "100%".into()), ("height", "100%".into()), ("fill", "#fdfdfb".into())]);
    grid(&mut svg, view);
    let mut labels = Labels::new(Area { left: 2, top: 2, right: left - 4, bottom: MARGIN + h + 16 });
    let features = terrain(&mut svg, view, &mut labels);
    ranges(&mut svg, view, &mut labels);
    ghosts(&mut svg, view, &mut labels);
    fighters(&mut svg, view, &mut labels);
    arrows(&mut svg, view, &mut labels);
    // Text is placed last, so that it avoids everything that is drawn.
    names(&mut svg, view, &mut labels);
    for (name, area) in features {
        let at = labels.beside(&name, area);
        label(&mut svg, "feature", at, &name);
    }
    for range in &view.ranges {
        let text = short(&range.label);
        let at = labels.along(&text, view.scale.pixel(range.from), view.scale.pixel(range.to));
        label(&mut svg, "far", at, &text);
    }
    legend::draw(&mut svg, &column, left);
    svg.finish()
}

/// Draws a line for each inch and a heavier one at regular distances. If inches would be too close, only the heavy lines are
/// drawn.
fn grid(svg: &mut Svg, view: &View) {
    let scale = &view.scale;
    let (low, high) = (scale.at(scale.low), scale.at(scale.high));
    let every = if scale.inch >= 8_000 { 1 } else { 6 };
    let strong = [6, 12, 24, 60, 120, 600].into_iter().find(|n| n * scale.inch >= 40_000).unwrap_or(6_000);
    let mut lines = |from: i64, to: i64, across: bool| {
        let first = from.div_euclid(1000);
        for n in first..=to.div_euclid(1000) {
            let heavy = n % strong == 0;
            if (!heavy && ((n - first) % every != 0 || every == 6)) || n * 1000 < from {
                continue;
            }
            let colour = if heavy { "#d5d5cf" } else { "#eeeeea" };
            let at = if across { scale.at(Point::new(n * 1000, 0)).0 } else { scale.at(Point::new(0, n * 1000)).1 };
            let ends = if across { [at, high.1, at, low.1] } else { [low.0, at, high.0, at] };
            line(svg, (ends[0], ends[1]), (ends[2], ends[3]), &[("stroke", colour.into())]);
            if heavy {
                let (x, y, anchor) =
                    if across { (at, low.1 + 13_000, "middle") } else { (low.0 - 5_000, at + 3_500, "end") };
                let place = [("class", "tick".into()), ("x", px(x)), ("y", px(y)), ("text-anchor", anchor.into())];
                svg.content("text", &place, &n.to_string());
            }
        }
    };
    lines(scale.low.x, scale.high.x, true);
    lines(scale.low.y, scale.high.y, false);
    let frame = [
        ("x", px(low.0)),
        ("y", px(high.1)),
        ("width", px(high.0 - low.0)),
        ("height", px(low.1 - high.1)),
        ("fill", "none".into()),
        ("stroke", "#999".into()),
    ];
    svg.element("rect", &frame);
}

fn line(svg: &mut Svg, from: (i64, i64), to: (i64, i64), more: &[(&str, String)]) {
    let mut attributes = vec![("x1", px(from.0)), ("y1", px(from.1)), ("x2", px(to.0)), ("y2", px(to.1))];
    attributes.extend_from_slice(more);
    svg.element("line", &attributes);
}

/// Draws areas, barriers and spots. Returns their names with the boxes that the names belong to.
fn terrain(svg: &mut Svg, view: &View, labels: &mut Labels) -> Vec<(String, Area)> {
    let mut names = Vec::new();
    for (_, piece, body) in view.standing(view.after, false) {
        let (colour, fill) = paint::ground(view.class(piece));
        let (low, high) = body.bounds();
        let ((left, bottom), (right, top)) = (view.scale.pixel(low), view.scale.pixel(high));
        let area = match &body.shape {
            Shape::Polygon(corners) if !corners.is_empty() => {
                let at = |o: &Point| view.scale.at(body.at.shifted(o.x, o.y));
                let points: Vec<String> = corners.iter().map(at).map(|(x, y)| format!("{},{}", px(x), px(y))).collect();
                let look = [("points", points.join(" ")), ("fill", fill), ("stroke", colour.to_string())];
                svg.element("polygon", &look);
                // The name of an area is inside the area.
                Area::around((left + right) / 2, (top + bottom) / 2, 0, -7)
            }
            Shape::Segment { length } => {
                let (sin, cos) = direction(body.facing);
                let half = |unit: i64| unit * *length / (2 * grognard_board::ONE);
                let ends = [(-half(cos), half(sin)), (half(cos), -half(sin))];
                let [a, b] = ends.map(|(x, y)| view.scale.at(body.at.shifted(x, y)));
                let (dash, round) = (paint::dashes(view.class(piece)), "round".to_string());
                line(
                    svg,
                    a,
                    b,
                    &[("stroke", "#4d3b1f".into()), ("stroke-width", "5".into()), ("stroke-linecap", round)],
                );
                if dash != "none" {
                    line(
                        svg,
                        a,
                        b,
                        &[("stroke", "#f0e442".into()), ("stroke-width", "2".into()), ("stroke-dasharray", dash)],
                    );
                }
                labels.keep_line((a.0 / 1000, a.1 / 1000), (b.0 / 1000, b.1 / 1000));
                Area::around((a.0 + b.0) / 2000, (a.1 + b.1) / 2000, 3, 3)
            }
            _ => {
                let (x, y) = view.scale.at(body.at);
                spot(svg, (x, y), view.half(&body), view.class(piece));
                let half = view.half(&body) / 1000 + 1;
                let area = Area::around(x / 1000, y / 1000, half, half);
                labels.keep(area);
                area
            }
        };
        names.push((short(&piece.name), area));
    }
    names
}

/// Draws terrain without an extent: a tilted cross in a square with the paint of its class.
fn spot(svg: &mut Svg, (x, y): (i64, i64), half: i64, class: usize) {
    let (colour, fill) = paint::ground(class);
    let side = [("x", px(x - half)), ("y", px(y - half)), ("width", px(2 * half)), ("height", px(2 * half))];
    let mut look = side.to_vec();
    look.extend([("fill", fill), ("stroke", colour.to_string())]);
    svg.element("rect", &look);
    for (a, b) in [((-half, -half), (half, half)), ((-half, half), (half, -half))] {
        line(svg, (x + a.0, y + a.1), (x + b.0, y + b.1), &[("stroke", colour.to_string())]);
    }
}

fn ranges(svg: &mut Svg, view: &View, labels: &mut Labels) {
    for range in &view.ranges {
        let (from, to) = (view.scale.at(range.from), view.scale.at(range.to));
        line(svg, from, to, &paint::asked());
        labels.keep_line(view.scale.pixel(range.from), view.scale.pixel(range.to));
    }
}

/// Draws the former positions of pieces that moved or left play.
fn ghosts(svg: &mut Svg, view: &View, labels: &mut Labels) {
    for (n, _, body) in view.standing(view.before, true) {
        if view.after[n].at == Some(body.at) && !view.gone.contains(&n) {
            continue;
        }
        let at = view.scale.at(body.at);
        base(svg, view, n, &body, Look::Ghost);
        paint::sign(svg, view.paints[n], at, SIGN, Look::Ghost);
        labels.keep(area_of(view, &body));
    }
}

/// Draws a base to scale, if it is larger than a sign.
fn base(svg: &mut Svg, view: &View, piece: usize, body: &Body, look: Look) {
    let radius = view.scale.length(body.radius());
    if radius <= SIGN {
        return;
    }
    let (x, y) = view.scale.at(body.at);
    let colour = paint::colour(view.paints[piece]).to_string();
    let mut attributes = vec![("cx", px(x)), ("cy", px(y)), ("r", px(radius)), ("stroke", colour.clone())];
    match look {
        Look::Whole => attributes.extend([("fill", colour), ("fill-opacity", "0.2".to_string())]),
        Look::Ghost => attributes.extend([("fill", "none".to_string()), ("stroke-dasharray", "3 3".to_string())]),
    }
    svg.element("circle", &attributes);
}

fn arrows(svg: &mut Svg, view: &View, labels: &mut Labels) {
    for n in view.moves.clone() {
        let moved = &view.map.moves[n];
        let mut first = true;
        for (piece, via) in moved.pieces.iter().zip(&moved.via) {
            let (Some(from), Some(to)) = (moved.before[*piece].at, moved.after[*piece].at) else { continue };
            if from == to && via.is_empty() {
                continue;
            }
            let way: Vec<Point> = [from].into_iter().chain(via.iter().copied()).chain([to]).collect();
            let mut drawn: Vec<(i64, i64)> = way.iter().map(|p| view.scale.at(*p)).collect();
            if let [.., before, end] = drawn.as_mut_slice() {
                *end = short_of(*before, *end, SIGN + 2_500);
            }
            let dash = if moved.covered.is_none() { "6 4" } else { "none" };
            let points: Vec<String> = drawn.iter().map(|(x, y)| format!("{},{}", px(*x), px(*y))).collect();
            let look = [
                ("points", points.join(" ")),
                ("fill", "none".to_string()),
                ("stroke", "#222".to_string()),
                ("stroke-width", "1.6".to_string()),
                ("stroke-dasharray", dash.to_string()),
                ("marker-end", "url(#arrow)".to_string()),
            ];
            svg.element("polyline", &look);
            for piece in way.windows(2) {
                labels.keep_line(view.scale.pixel(piece[0]), view.scale.pixel(piece[1]));
            }
            if first {
                let (x, y) = labels.number(view.scale.pixel(from), view.scale.pixel(way[1]));
                let round = [("cx", x.to_string()), ("cy", y.to_string()), ("r", "7".into()), ("fill", "#fff".into())];
                let mut look = round.to_vec();
                look.push(("stroke", "#222".to_string()));
                svg.element("circle", &look);
                label(svg, "number", (x, y), &(n + 1).to_string());
                first = false;
            }
        }
    }
}

/// Returns the point at distance `by` before `to` on the line from `from`, or the midpoint if the line is shorter than `2 * by`.
fn short_of(from: (i64, i64), to: (i64, i64), by: i64) -> (i64, i64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).isqrt().max(1);
    let by = by.min(length / 2);
    (to.0 - dx * by / length, to.1 - dy * by / length)
}

fn fighters(svg: &mut Svg, view: &View, labels: &mut Labels) {
    for (n, _, body) in view.standing(view.after, true) {
        let (x, y) = view.scale.at(body.at);
        let half = view.half(&body);
        if view.gone.contains(&n) {
            paint::sign(svg, view.paints[n], (x, y), SIGN, Look::Ghost);
            for (a, b) in [((-7_000, -7_000), (7_000, 7_000)), ((-7_000, 7_000), (7_000, -7_000))] {
                let cross = [("stroke", "#222".to_string()), ("stroke-width", "2".to_string())];
                line(svg, (x + a.0, y + a.1), (x + b.0, y + b.1), &cross);
            }
        } else {
            base(svg, view, n, &body, Look::Whole);
            if view.map.faces {
                let (sin, cos) = direction(body.facing);
                let out = |by: i64| (x + sin * by / grognard_board::ONE, y - cos * by / grognard_board::ONE);
                let look = [("stroke", paint::colour(view.paints[n]).to_string()), ("stroke-width", "3".to_string())];
                line(svg, out(half - 1_000), out(half + 6_000), &look);
            }
            paint::sign(svg, view.paints[n], (x, y), SIGN, Look::Whole);
        }
        labels.keep(Area::around(x / 1000, y / 1000, half / 1000 + 2, half / 1000 + 2));
    }
}

/// Draws the names of groups, and of things if there are not too many. A group with one member is named with its member.
fn names(svg: &mut Svg, view: &View, labels: &mut Labels) {
    let all: Vec<(usize, &Piece, Body)> = view.standing(view.after, true).collect();
    let size = |group: &str| view.map.pieces.iter().filter(|p| p.group.as_deref() == Some(group)).count();
    if all.len() <= MOST_NAMES {
        for (_, piece, body) in &all {
            let name = match &piece.group {
                Some(group) if size(group) == 1 => format!("{} ({})", short(&piece.name), short(group)),
                _ => short(&piece.name),
            };
            let at = labels.beside(&name, area_of(view, body));
            label(svg, "name", at, &name);
        }
    }
    let mut seen: OrdSet<&str> = OrdSet::new();
    for (_, piece, body) in &all {
        if let Some(group) = piece.group.as_deref()
            && (size(group) > 1 || all.len() > MOST_NAMES)
            && seen.insert(group)
        {
            let name = short(group);
            let at = labels.beside(&name, area_of(view, body));
            label(svg, "group", at, &name);
        }
    }
}

fn area_of(view: &View, body: &Body) -> Area {
    let ((x, y), half) = (view.scale.pixel(body.at), view.half(body) / 1000 + 2);
    Area::around(x, y, half, half)
}

fn label(svg: &mut Svg, class: &str, (x, y): (i64, i64), text: &str) {
    svg.content("text", &[("class", class.into()), ("x", x.to_string()), ("y", y.to_string())], text);
}

/// Returns a name, shortened to fit a map.
fn short(name: &str) -> String {
    const MOST: usize = 28;
    let name = clean(name);
    if name.chars().count() <= MOST {
        return name;
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}
