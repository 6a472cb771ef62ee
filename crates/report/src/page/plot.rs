//! Shared parts of plots: styles of series, marks, legends and axes. Pictures are as wide as the screen. Horizontal positions are
//! percentages, and vertical positions and font sizes are pixels, so that text is readable on a phone.

use super::super::markup::Markup;
use super::super::svg::px;
use super::number::{Axis, How, MILLION, Number, percent};

/// Number of different series styles.
const LOOKS: usize = 6;

/// The hatch patterns of the series, on tiles of 8 by 8. The first pattern fills the tile.
const HATCHES: [&str; LOOKS] = [
    "M0 0 h8 v8 h-8 z",
    "M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6",
    "M2 2 h2 v2 h-2 z M6 6 h2 v2 h-2 z",
    "M0 4 H8",
    "M4 0 V8",
    "M0 4 H8 M4 0 V8",
];

/// The dash patterns of the series.
const DASHES: [&str; LOOKS] = ["none", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];

/// The marks of the series, centered at 0, 0.
const MARKS: [&str; LOOKS] = [
    "M-4.5 0 a4.5 4.5 0 1 0 9 0 a4.5 4.5 0 1 0 -9 0 z",
    "M-4 -4 h8 v8 h-8 z",
    "M0 -5.5 L5 4 L-5 4 z",
    "M0 -6 L5 0 L0 6 L-5 0 z",
    "M0 5.5 L5 -4 L-5 -4 z",
    "M-5 -2 h3 v-3 h4 v3 h3 v4 h-3 v3 h-4 v-3 h-3 z",
];

/// Returns the index of the style of a series.
pub(super) fn look(series: usize) -> usize {
    series % LOOKS
}

/// Returns the class attribute with the color of a series.
pub(super) fn class(what: &str, series: usize) -> (&'static str, String) {
    ("class", format!("{what} s{}", look(series)))
}

/// Returns the dash attribute of a series.
pub(super) fn dashes(series: usize) -> (&'static str, String) {
    ("stroke-dasharray", DASHES[look(series)].to_string())
}

/// Returns the fill attribute of a series.
pub(super) fn fill(series: usize) -> (&'static str, String) {
    ("fill", format!("url(#hatch{})", look(series)))
}

/// Defines the patterns and marks, once for the whole page.
pub(super) fn definitions(out: &mut Markup) {
    let hidden =
        [("class", "hidden".into()), ("width", "0".into()), ("height", "0".into()), ("aria-hidden", "true".into())];
    out.begin("svg", &hidden);
    out.begin("defs", &[]);
    for (n, lines) in HATCHES.iter().enumerate() {
        let tile = [
            ("id", format!("hatch{n}")),
            ("width", "8".into()),
            ("height", "8".into()),
            ("patternUnits", "userSpaceOnUse".into()),
        ];
        out.begin("pattern", &tile);
        out.element("rect", &[class("ground", n), ("width", "8".into()), ("height", "8".into())]);
        // The full tile and the dots are filled. The other patterns are lines.
        out.element("path", &[class(if matches!(n, 0 | 2) { "dot" } else { "hatch" }, n), ("d", lines.to_string())]);
        out.end();
    }
    for (n, shape) in MARKS.iter().enumerate() {
        out.element("path", &[("id", format!("mark{n}")), class("mark", n), ("d", shape.to_string())]);
    }
    out.end();
    out.end();
}

/// Begins a picture with the full width and a height of `height` pixels.
pub(super) fn begin(out: &mut Markup, kind: &str, height: i64, says: &str) {
    let mut attributes = vec![("class", kind.to_string()), ("width", "100%".into()), ("height", height.to_string())];
    if says.is_empty() {
        attributes.push(("aria-hidden", "true".into()));
    } else {
        attributes.extend([("role", "img".to_string()), ("aria-label", says.to_string())]);
    }
    out.begin("svg", &attributes);
}

/// Draws a line. Horizontal positions are thousandths of a percent, and vertical positions are thousandths of a pixel.
pub(super) fn line(out: &mut Markup, class: (&str, String), from: (i64, i64), to: (i64, i64)) {
    out.element("line", &[class, ("x1", percent(from.0)), ("y1", px(from.1)), ("x2", percent(to.0)), ("y2", px(to.1))]);
}

/// Draws the mark of a series with a tooltip.
pub(super) fn mark(out: &mut Markup, series: usize, at: (i64, i64), says: &str) {
    let place = [("href", format!("#mark{}", look(series))), ("x", percent(at.0)), ("y", px(at.1))];
    out.begin("use", &place);
    out.content("title", &[], says);
    out.end();
}

/// Writes a text at a horizontal position. Near the edges, the text is aligned so that it stays inside.
pub(super) fn below(out: &mut Markup, along: i64, y: i64, text: &str) {
    let anchor = match along {
        ..4_000 => "start",
        96_001.. => "end",
        _ => "middle",
    };
    let place = [("x", percent(along)), ("y", y.to_string()), ("text-anchor", anchor.to_string())];
    out.content("text", &place, text);
}

/// Draws the labels of a horizontal axis below a plot of `height` pixels.
pub(super) fn across(out: &mut Markup, axis: Axis, ticks: &[i64], height: i64, tell: impl Fn(i64) -> String) {
    line(out, ("class", "base".into()), (0, height * 1000), (100_000, height * 1000));
    for tick in ticks {
        let along = axis.along(*tick);
        line(out, ("class", "tick".into()), (along, height * 1000), (along, height * 1000 + 4_000));
        below(out, along, height + 17, &tell(*tick));
    }
}

/// Returns the maximum number of ticks that fit on a phone for labels of `longest` characters.
pub(super) fn most_ticks(longest: usize) -> i64 {
    const PHONE: usize = 270;
    i64::try_from(PHONE / (longest * 8 + 14)).unwrap_or(2).clamp(2, 7)
}

/// Returns a horizontal axis whose labels fit on a phone. If all values are whole numbers, so are the ticks.
pub(super) fn fitting(values: impl Iterator<Item = i64> + Clone, unit: &str) -> Axis {
    let whole = values.clone().all(|value| value % MILLION == 0);
    let around = |most| Axis::around(values.clone(), most);
    let tries = (2..=6).rev().map(|most| if whole { around(most).whole() } else { around(most) });
    let fits = |axis: &Axis| {
        let longest = axis.ticks().map(|t| axis.tell(t).chars().count()).max().unwrap_or(1) + unit.chars().count();
        axis.ticks().count() as i64 <= most_ticks(longest) + 1
    };
    let mut last = around(1);
    for axis in tries {
        last = axis;
        if fits(&axis) {
            break;
        }
    }
    last
}

/// Begins a plot with an axis at its left: the labels in a separate picture, then the plot. The caller draws the plot, and ends
/// two elements.
pub(super) fn beside(out: &mut Markup, axis: Axis, unit: &str, height: i64, below: i64, says: &str) {
    let words: Vec<(i64, String)> = axis.ticks().map(|t| (t, axis.tell(t) + unit)).collect();
    let longest = words.iter().map(|(_, w)| w.chars().count()).max().unwrap_or(1);
    out.begin("div", &[("class", "plot".into())]);
    let size = [
        ("class", "left".to_string()),
        ("width", (longest * 8 + 14).to_string()),
        ("height", (height + below).to_string()),
        ("aria-hidden", "true".into()),
    ];
    out.begin("svg", &size);
    for (tick, word) in &words {
        let y = px(axis.down(*tick, height) + 4_000);
        out.content(
            "text",
            &[("x", "100%".into()), ("y", y), ("dx", "-6".into()), ("text-anchor", "end".into())],
            word,
        );
    }
    out.end();
    begin(out, "area", height + below, says);
    for (tick, _) in &words {
        let y = axis.down(*tick, height);
        line(out, ("class", "grid".into()), (0, y), (100_000, y));
    }
}

/// The part of a series that a legend shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A filled bar.
    Fill,
    /// A line around a filled bar.
    Outline,
    /// A line with marks.
    Line,
}

/// Writes the legend, one line for each series: its style, its name, and an associated number.
pub(super) fn legend<'n>(
    out: &mut Markup,
    series: impl Iterator<Item = (Key, &'n str, Option<(&'n str, &'n Number)>)>,
) {
    out.begin("ul", &[("class", "legend".into())]);
    for (n, (key, name, number)) in series.enumerate() {
        out.begin("li", &[]);
        let size = [("width", "32".into()), ("height", "14".into()), ("aria-hidden", "true".into())];
        out.begin("svg", &size);
        let bar = [("x", "1".into()), ("y", "1".into()), ("width", "30".into()), ("height", "12".into())];
        match key {
            Key::Fill => out.element("rect", &[&[class("bar", n), fill(n)], &bar[..]].concat()),
            Key::Outline => out.element("path", &[class("outline", n), dashes(n), ("d", "M1 13 V3 H31 V13".into())]),
            Key::Line => {
                out.element("path", &[class("line", n), dashes(n), ("d", "M0 7 H32".into())]);
                out.element("use", &[("href", format!("#mark{}", look(n))), ("x", "16".into()), ("y", "7".into())]);
            }
        }
        out.end();
        out.begin("span", &[]);
        out.content("bdi", &[], name);
        if let Some((what, number)) = number {
            out.content("span", &[("class", "what".into())], what);
            number.tell(out);
        }
        out.end();
        out.end();
    }
    out.end();
}

/// Writes the legend of the method signs that `numbers` use.
pub(super) fn signs(out: &mut Markup, numbers: &[&Number]) {
    let words: Vec<String> = [How::Exact, How::Proven, How::Bounded, How::Sampled, How::Drawn]
        .into_iter()
        .filter(|how| numbers.iter().any(|n| n.how == *how))
        .map(|how| format!("{} {}", how.sign(), how.word()))
        .collect();
    out.content("p", &[("class", "signs".into())], &words.join(", "));
}
