//! Writes the column next to a map: the meaning of the signs, the list of moves, and a scale.

use super::super::svg::{Svg, px};
use super::labels::width;
use super::paint::{self, Look};
use super::{COLUMN, MARGIN, View, line, spot};
use grognard_base::value::Value;
use grognard_board::Shape;

/// Maximum number of moves that are listed, and of constraints that are listed for one move.
const MOST_MOVES: usize = 30;
const MOST_KEPT: usize = 12;
/// Distance between lines, and between a sign and its text, in pixels.
const STEP: i64 = 18;
const WORDS: i64 = 30;

/// One line of the column.
pub(super) enum LegendLine {
    Title(String),
    Head(&'static str),
    Text(String),
    Side(Option<usize>, String),
    Area(usize, String),
    Barrier(usize, String),
    Spot(usize, String),
    Sign(Mark, &'static str),
    /// A length in inches, and in thousandths of a pixel.
    Scale(i64, i64),
}

/// The signs of events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Before,
    Moved,
    Put,
    Gone,
    Asked,
    Faces,
}

/// Returns the lines of the column.
pub(super) fn lines(view: &View) -> Vec<LegendLine> {
    let mut lines = wrapped(&view.title, COLUMN - 60, "").into_iter().map(LegendLine::Title).collect();
    sides(view, &mut lines);
    ground(view, &mut lines);
    marks(view, &mut lines);
    moves(view, &mut lines);
    let inches = [1, 2, 6, 12, 24, 60, 120, 600, 6_000].into_iter().find(|n| n * view.scale.inch >= 60_000);
    let inches = inches.unwrap_or(12_000);
    lines.push(LegendLine::Head("Scale"));
    lines.push(LegendLine::Scale(inches, inches * view.scale.inch));
    lines
}

fn sides(view: &View, lines: &mut Vec<LegendLine>) {
    let fighters = || view.map.pieces.iter().filter(|p| p.fights);
    if fighters().next().is_none() {
        return;
    }
    lines.push(LegendLine::Head("Sides"));
    for (paint, name) in paint::paints(&view.map.sides).into_iter().zip(&view.map.sides) {
        lines.push(LegendLine::Side(Some(paint), name.clone()));
    }
    if fighters().any(|p| p.side.is_none()) {
        lines.push(LegendLine::Side(None, "nobody's".to_string()));
    }
}

fn ground(view: &View, lines: &mut Vec<LegendLine>) {
    for (n, class) in view.classes.iter().enumerate() {
        if n == 0 {
            lines.push(LegendLine::Head("Terrain"));
        }
        let shape = view.map.pieces.iter().find(|p| p.class == **class).map(|p| &p.shape);
        lines.push(match shape {
            Some(Shape::Polygon(_)) => LegendLine::Area(n, class.to_string()),
            Some(Shape::Segment { .. }) => LegendLine::Barrier(n, class.to_string()),
            _ => LegendLine::Spot(n, class.to_string()),
        });
    }
}

fn marks(view: &View, lines: &mut Vec<LegendLine>) {
    let moved = || view.map.moves[view.moves.clone()].iter();
    let here = |put: bool| moved().any(|m| m.covered.is_none() == put);
    let left = view.gone.iter().any(|n| view.after[*n].at.is_some());
    let signs = [
        (moved().next().is_some() || left, Mark::Before, "position before"),
        (here(false), Mark::Moved, "moved, by number"),
        (here(true), Mark::Put, "placed elsewhere, by number"),
        (left, Mark::Gone, "left play here"),
        (!view.ranges.is_empty(), Mark::Asked, "measured distance"),
        (view.map.faces, Mark::Faces, "front points there"),
    ];
    lines.push(LegendLine::Head("Signs"));
    lines.extend(signs.into_iter().filter(|s| s.0).map(|(_, mark, words)| LegendLine::Sign(mark, words)));
    if view.left_out > 0 {
        lines.push(LegendLine::Text(format!("{} more distances are not drawn", view.left_out)));
    }
    if !signs.iter().any(|s| s.0) {
        lines.push(LegendLine::Text("nothing moved".to_string()));
    }
}

fn moves(view: &View, lines: &mut Vec<LegendLine>) {
    let single = view.moves.len() == 1 && view.map.moves.len() > 1;
    for n in view.moves.clone().take(MOST_MOVES) {
        if n == view.moves.start {
            lines.push(LegendLine::Head("Moves"));
        }
        let moved = &view.map.moves[n];
        let how = moved.covered.as_ref().map_or("placed elsewhere".to_string(), Value::to_string);
        let rule = if moved.rule.is_empty() { String::new() } else { format!(", {}", moved.rule) };
        lines.extend(
            wrapped(&format!("{}  {}: {how}{rule}", n + 1, moved.who), COLUMN - 20, "    ")
                .into_iter()
                .map(LegendLine::Text),
        );
        if !single {
            continue;
        }
        for (words, clauses) in moved.kept.iter().take(MOST_KEPT) {
            let cites = if clauses.is_empty() { String::new() } else { format!(" [{}]", clauses.join(" ")) };
            let kept = wrapped(&format!("    kept: {words}{cites}"), COLUMN - 20, "        ");
            lines.extend(kept.into_iter().map(LegendLine::Text));
        }
    }
    if view.moves.len() > MOST_MOVES {
        lines.push(LegendLine::Text(format!("and {} more", view.moves.len() - MOST_MOVES)));
    }
}

/// Wraps a text at `pixels` pixels. Continuation lines start with `hang`.
fn wrapped(text: &str, pixels: i64, hang: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let indent: String = text.chars().take_while(|c| *c == ' ').collect();
    for word in text.split_whitespace() {
        // A word that is longer than a line is cut.
        let word: String = word.chars().take((pixels / 8) as usize).collect();
        let last = lines.last().map_or(0, |l| width(l));
        if lines.last().is_some_and(|l| !l.trim().is_empty()) && last + 7 + width(&word) > pixels {
            lines.push(hang.to_string());
        }
        let only = lines.len() == 1;
        if let Some(line) = lines.last_mut() {
            if line.is_empty() {
                line.push_str(if only { &indent } else { "" });
            } else if !line.trim().is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
    }
    lines
}

/// Returns the height of the column, in pixels.
pub(super) fn height(lines: &[LegendLine]) -> i64 {
    lines.iter().map(step).sum()
}

fn step(line: &LegendLine) -> i64 {
    match line {
        LegendLine::Title(_) => 22,
        LegendLine::Head(_) => STEP + 8,
        LegendLine::Scale(..) => 30,
        _ => STEP,
    }
}

/// Draws the column at the horizontal position `left`.
pub(super) fn draw(svg: &mut Svg, lines: &[LegendLine], left: i64) {
    let mut y = MARGIN;
    for entry in lines {
        y += step(entry);
        let middle = ((left + 12) * 1000, (y - 4) * 1000);
        let ends = ((left * 1000, middle.1), ((left + 24) * 1000, middle.1));
        match entry {
            LegendLine::Title(text) => words(svg, "title", left, y, text),
            LegendLine::Head(text) => words(svg, "head", left, y, text),
            LegendLine::Text(text) => words(svg, "", left, y, text),
            LegendLine::Side(side, name) => {
                paint::sign(svg, *side, middle, super::SIGN, Look::Whole);
                words(svg, "", left + WORDS, y, name);
            }
            LegendLine::Area(class, name) => {
                let (colour, fill) = paint::ground(*class);
                let place = [("x", px(ends.0.0)), ("y", px(middle.1 - 6_000)), ("width", "24".into())];
                let mut look = place.to_vec();
                look.extend([("height", "12".into()), ("fill", fill), ("stroke", colour.to_string())]);
                svg.element("rect", &look);
                words(svg, "", left + WORDS, y, name);
            }
            LegendLine::Barrier(class, name) => {
                line(svg, ends.0, ends.1, &[("stroke", "#4d3b1f".into()), ("stroke-width", "5".into())]);
                let dash = paint::dashes(*class);
                if dash != "none" {
                    let look = [("stroke", "#f0e442".into()), ("stroke-width", "2".into()), ("stroke-dasharray", dash)];
                    line(svg, ends.0, ends.1, &look);
                }
                words(svg, "", left + WORDS, y, name);
            }
            LegendLine::Spot(class, name) => {
                spot(svg, middle, super::SIGN, *class);
                words(svg, "", left + WORDS, y, name);
            }
            LegendLine::Sign(mark, name) => {
                sign(svg, *mark, middle, ends);
                words(svg, "", left + WORDS, y, name);
            }
            LegendLine::Scale(inches, length) => {
                let (start, end) = (left * 1000, left * 1000 + length);
                let look = [("stroke", "#222".to_string()), ("stroke-width", "1.5".to_string())];
                line(svg, (start, middle.1), (end, middle.1), &look);
                for x in [start, end] {
                    line(svg, (x, middle.1 - 4_000), (x, middle.1 + 4_000), &look);
                }
                words(svg, "", left + length / 1000 + 8, y, &format!("{inches}\""));
            }
        }
    }
}

fn sign(svg: &mut Svg, mark: Mark, middle: (i64, i64), (from, to): ((i64, i64), (i64, i64))) {
    let dark = ("stroke", "#222".to_string());
    match mark {
        Mark::Before => paint::sign(svg, None, middle, super::SIGN, Look::Ghost),
        Mark::Moved | Mark::Put => {
            let dash = if mark == Mark::Put { "6 4" } else { "none" };
            let head = ("marker-end", "url(#arrow)".to_string());
            line(svg, from, to, &[dark, ("stroke-width", "1.6".into()), ("stroke-dasharray", dash.into()), head]);
        }
        Mark::Gone => {
            for (dx, dy) in [(6_000, 6_000), (6_000, -6_000)] {
                let (a, b) = ((middle.0 - dx, middle.1 - dy), (middle.0 + dx, middle.1 + dy));
                line(svg, a, b, &[dark.clone(), ("stroke-width", "2".into())]);
            }
        }
        Mark::Asked => line(svg, from, to, &paint::asked()),
        Mark::Faces => {
            let end = (middle.0, middle.1 - 10_000);
            line(svg, middle, end, &[("stroke", paint::colour(None).into()), ("stroke-width", "3".into())]);
            paint::sign(svg, None, middle, 3_500, Look::Whole);
        }
    }
}

/// Writes a text, cut to the width of the picture.
fn words(svg: &mut Svg, class: &str, x: i64, y: i64, text: &str) {
    let text: String = text.chars().take(48).collect();
    let mut place = vec![("x", x.to_string()), ("y", y.to_string()), ("xml:space", "preserve".to_string())];
    if !class.is_empty() {
        place.push(("class", class.to_string()));
    }
    svg.content("text", &place, &text);
}
