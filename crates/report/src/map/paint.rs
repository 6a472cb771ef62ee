//! Defines colors, patterns and signs of maps. The colors are those of Okabe and Ito, which readers with any color vision can
//! distinguish. Each color also has a separate sign or pattern.

use super::super::svg::{Svg, px};

/// Colors of sides, with the side names that select them. A piece without a side is gray.
const SIDES: [(&str, &[&str]); 6] = [
    ("#0072b2", &["blue"]),
    ("#d55e00", &["red"]),
    ("#009e73", &["green"]),
    ("#cc79a7", &["purple", "pink", "violet"]),
    ("#e69f00", &["orange", "yellow", "gold"]),
    ("#56b4e9", &["sky", "cyan"]),
];
const NOBODY: &str = "#666666";

/// Colors of terrain, with their patterns.
const GROUND: [(&str, &str); 6] = [
    ("#009e73", "M0 8 L8 0"),
    ("#e69f00", "M0 0 L8 8"),
    ("#56b4e9", "M0 4 H8"),
    ("#cc79a7", "M4 0 V8"),
    ("#8a6d3b", "M0 4 H8 M4 0 V8"),
    ("#f0e442", "M2 2 h1.5 v1.5 h-1.5 z M6 6 h1.5 v1.5 h-1.5 z"),
];

/// Dash patterns of barriers.
const DASHES: [&str; 4] = ["none", "10 4", "3 3", "10 3 2 3"];

/// The style sheet of maps.
pub(super) const STYLE: &str = "text { font: 12px 'DejaVu Sans', Verdana, sans-serif; fill: #222; } \
.name, .group, .feature, .far { paint-order: stroke; stroke: #fdfdfb; stroke-width: 3px; stroke-linejoin: round; } \
.name, .group, .feature, .far { text-anchor: middle; dominant-baseline: central; } \
.group { font-weight: bold; } .feature { font-style: italic; fill: #555; } .far { font-size: 11px; fill: #555; } \
.tick { font-size: 10px; fill: #888; } .head { font-weight: bold; } .title { font-size: 16px; font-weight: bold; } \
.number { font-size: 10px; font-weight: bold; text-anchor: middle; dominant-baseline: central; }";

/// Returns a paint for each side: the color that its name selects, or otherwise the next free one.
pub(super) fn paints(sides: &[String]) -> Vec<usize> {
    let named = |side: &String| SIDES.iter().position(|(_, names)| names.contains(&side.to_lowercase().as_str()));
    let mut free: Vec<usize> = (0..SIDES.len()).filter(|n| !sides.iter().any(|s| named(s) == Some(*n))).collect();
    free.reverse();
    sides.iter().enumerate().map(|(n, side)| named(side).or_else(|| free.pop()).unwrap_or(n)).collect()
}

/// Returns the color of a paint.
pub(super) fn colour(paint: Option<usize>) -> &'static str {
    paint.map_or(NOBODY, |n| SIDES[n % SIDES.len()].0)
}

/// Returns the style of a measured range.
pub(super) fn asked() -> [(&'static str, String); 3] {
    [("stroke", "#777".into()), ("stroke-width", "1.2".into()), ("stroke-dasharray", "2 3".into())]
}

/// Defines the patterns of the terrain classes, and the head of an arrow.
pub(super) fn definitions(svg: &mut Svg, classes: usize) {
    svg.begin("defs", &[]);
    for (n, (colour, lines)) in GROUND.iter().enumerate().take(classes) {
        let size = [("width", "8".to_string()), ("height", "8".to_string())];
        let units = ("patternUnits", "userSpaceOnUse".to_string());
        svg.begin("pattern", &[("id", format!("ground-{n}")), size[0].clone(), size[1].clone(), units]);
        let back = [("fill", colour.to_string()), ("fill-opacity", "0.14".to_string())];
        svg.element("rect", &[size[0].clone(), size[1].clone(), back[0].clone(), back[1].clone()]);
        let line = [("stroke-opacity", "0.55".to_string()), ("fill", "none".to_string())];
        svg.element(
            "path",
            &[("d", lines.to_string()), ("stroke", colour.to_string()), line[0].clone(), line[1].clone()],
        );
        svg.end();
    }
    let head = ["id=arrow", "viewBox=0 0 10 10", "refX=9", "refY=5", "markerWidth=7", "markerHeight=7", "orient=auto"];
    let head: Vec<(&str, String)> =
        head.iter().filter_map(|a| a.split_once('=')).map(|(name, value)| (name, value.to_string())).collect();
    svg.begin("marker", &head);
    svg.element("path", &[("d", "M0 0 L10 5 L0 10 z".into()), ("fill", "#222".into())]);
    svg.end();
    svg.end();
}

/// Returns the color of a class of terrain, and its pattern as a fill.
pub(super) fn ground(class: usize) -> (&'static str, String) {
    let n = class % GROUND.len();
    (GROUND[n].0, format!("url(#ground-{n})"))
}

/// Returns the dash pattern of a class of barrier.
pub(super) fn dashes(class: usize) -> String {
    DASHES[class % DASHES.len()].to_string()
}

/// The style of a sign.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The final position.
    Whole,
    /// A former position.
    Ghost,
}

/// Draws the sign of a paint with its center at a point in thousandths of a pixel. Paints alternate between circle, square,
/// triangle and diamond.
pub(super) fn sign(svg: &mut Svg, of: Option<usize>, (x, y): (i64, i64), size: i64, look: Look) {
    let colour = colour(of).to_string();
    let mut attributes = vec![("stroke", colour.clone()), ("stroke-width", "1.5".to_string())];
    match look {
        Look::Whole => attributes.push(("fill", colour)),
        Look::Ghost => {
            attributes.extend([("fill", "#fdfdfb".to_string()), ("stroke-dasharray", "2 2".to_string())]);
        }
    }
    let at = |dx: i64, dy: i64| format!("{} {}", px(x + dx * size / 10), px(y + dy * size / 10));
    let corners = match of.map_or(0, |n| n % 4) {
        1 => [at(-9, -9), at(9, -9), at(9, 9), at(-9, 9)].join(" L"),
        2 => [at(0, -11), at(11, 9), at(-11, 9)].join(" L"),
        3 => [at(0, -13), at(11, 0), at(0, 13), at(-11, 0)].join(" L"),
        _ => {
            attributes.extend([("cx", px(x)), ("cy", px(y)), ("r", px(size))]);
            return svg.element("circle", &attributes);
        }
    };
    attributes.push(("d", format!("M{corners} z")));
    svg.element("path", &attributes);
}
