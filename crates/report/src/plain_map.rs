//! Draws maps of a position as plain text: one character for each cell of a grid, and a key.

use super::clean;
use grognard_base::value::length;
use grognard_board::{Body, Point, Shape, within};
use grognard_play::map::Map;

/// Height of a row divided by the width of a column, as on most terminals.
const TALL: i64 = 2;
/// The signs of fighters, and of terrain.
const PLAYS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TERRAIN: &str = "#%~=:;+*&$!?";

/// The part of the table that is shown. `step` is the width of a character, in thousandths of an inch.
struct Frame {
    low: Point,
    step: i64,
    columns: i64,
    rows: i64,
}

impl Frame {
    /// Returns the column and the row of a point. The y axis of the table points up.
    fn cell(&self, at: Point) -> (i64, i64) {
        let x = (at.x - self.low.x).div_euclid(self.step).clamp(0, self.columns - 1);
        let y = (at.y - self.low.y).div_euclid(self.step * TALL).clamp(0, self.rows - 1);
        (x, self.rows - 1 - y)
    }

    /// Returns the center of a character.
    fn middle(&self, x: i64, row: i64) -> Point {
        let y = self.rows - 1 - row;
        Point::new(self.low.x + x * self.step + self.step / 2, self.low.y + (y * 2 + 1) * self.step * TALL / 2)
    }
}

/// Draws the end of a run as text with at most `columns` columns and `rows` rows, without the key.
pub fn plain_map(map: &Map, columns: usize, rows: usize) -> Vec<String> {
    let key = signs(map);
    let bodies: Vec<Option<Body>> = (0..map.pieces.len()).map(|n| body(map, n)).collect();
    let Some(frame) = frame(map, &bodies, columns, rows) else {
        return vec!["nothing is on the table".to_string()];
    };
    let mut grid = vec![vec!['.'; frame.columns as usize]; frame.rows as usize];
    // Draws terrain first, so that the signs of fighters replace it.
    for fights in [false, true] {
        for (n, body) in bodies.iter().enumerate().filter(|(n, _)| map.pieces[*n].fights == fights) {
            let Some(body) = body else { continue };
            if !fights {
                let area = std::slice::from_ref(body);
                for (row, line) in grid.iter_mut().enumerate() {
                    for (x, sign) in line.iter_mut().enumerate() {
                        let here = [Body::point(frame.middle(x as i64, row as i64))];
                        if within(&here, area, 0) {
                            *sign = key[n];
                        }
                    }
                }
            }
            let (x, row) = frame.cell(middle(body));
            grid[row as usize][x as usize] = key[n];
        }
    }
    let mut out: Vec<String> = grid.into_iter().map(|line| line.into_iter().collect()).collect();
    out.push(format!("{} a column, {} a row", length(frame.step), length(frame.step * TALL)));
    out
}

/// Returns the key of a map: each sign with a name and positions.
pub fn map_key(map: &Map) -> Vec<String> {
    let key = signs(map);
    let mut out: Vec<String> = Vec::new();
    let mut rendered: Vec<char> = Vec::new();
    for (n, piece) in map.pieces.iter().enumerate() {
        if rendered.contains(&key[n]) {
            continue;
        }
        rendered.push(key[n]);
        let same = (0..map.pieces.len()).filter(|m| key[*m] == key[n]);
        let here: Vec<String> = same.filter_map(|m| Some(place(body(map, m)?.at))).collect();
        let name = piece.group.as_ref().unwrap_or(&piece.name);
        let side = piece.side.and_then(|s| map.sides.get(s)).map_or(String::new(), |side| format!(", {side}"));
        let what = if piece.fights { String::new() } else { format!(", {}", piece.class) };
        let here = if here.is_empty() { "off the table".to_string() } else { here.join("; ") };
        out.push(clean(&format!("{}  {name}{side}{what}: {here}", key[n])));
    }
    out
}

fn place(at: Point) -> String {
    let inches = |n: i64| length(n).trim_end_matches('"').to_string();
    format!("({}, {})", inches(at.x), inches(at.y))
}

/// Returns the sign of each piece. All members of a group have the same sign.
fn signs(map: &Map) -> Vec<char> {
    let (mut plays, mut terrain) = (PLAYS.chars(), TERRAIN.chars());
    let mut known: Vec<(&str, char)> = Vec::new();
    let mut out = Vec::new();
    for piece in &map.pieces {
        let name = piece.group.as_deref().unwrap_or(&piece.name);
        let sign = match known.iter().find(|(known, _)| *known == name) {
            Some((_, sign)) => *sign,
            None => {
                let sign = if piece.fights { plays.next().unwrap_or('@') } else { terrain.next().unwrap_or('-') };
                known.push((name, sign));
                sign
            }
        };
        out.push(sign);
    }
    out
}

/// Returns the body of a piece at the end of the run, or `None` if it left play or is not on the table.
fn body(map: &Map, piece: usize) -> Option<Body> {
    if map.gone.iter().any(|(gone, _)| *gone == piece) {
        return None;
    }
    let stand = map.end[piece];
    Some(Body { at: stand.at?, facing: stand.facing, shape: map.pieces[piece].shape.clone() })
}

/// Returns the center of the area that a body covers, approximately.
fn middle(body: &Body) -> Point {
    match &body.shape {
        Shape::Polygon(_) => {
            let (low, high) = body.bounds();
            Point::new((low.x + high.x) / 2, (low.y + high.y) / 2)
        }
        _ => body.at,
    }
}

/// Returns the frame of the whole table. If the table has no size, the frame surrounds all bodies with a margin of an inch.
fn frame(map: &Map, bodies: &[Option<Body>], columns: usize, rows: usize) -> Option<Frame> {
    let (columns, rows) = (columns.clamp(8, 200) as i64, rows.clamp(4, 100) as i64);
    let bounds = bodies.iter().flatten().map(Body::bounds);
    let around = bounds
        .reduce(|(a, b), (c, d)| (Point::new(a.x.min(c.x), a.y.min(c.y)), Point::new(b.x.max(d.x), b.y.max(d.y))));
    let (low, high) = match (map.size, around) {
        (Some((w, h)), _) => (Point::new(0, 0), Point::new(w, h)),
        (None, Some((low, high))) => (low.shifted(-1000, -1000), high.shifted(1000, 1000)),
        (None, None) => return None,
    };
    let step = ((high.x - low.x) / columns + 1).max((high.y - low.y) / (rows * TALL) + 1);
    // Multiples of a tenth of an inch are easier to read.
    let step = (step + 99) / 100 * 100;
    let count = |wide: i64, step: i64| ((wide + step - 1) / step).max(1);
    Some(Frame { low, step, columns: count(high.x - low.x, step), rows: count(high.y - low.y, step * TALL) })
}
