//! Growth as a drawing: one panel for each axis.

use super::Axis;
use std::fmt::Write as _;

/// A panel for each axis, both scales logarithmic, with a line of what grows as its pieces do.
pub fn picture(axes: &[Axis]) -> String {
    const WIDE: f64 = 300.0;
    const HIGH: f64 = 200.0;
    const COLUMNS: usize = 3;
    let rows = axes.len().div_ceil(COLUMNS);
    let (width, height) = (WIDE * COLUMNS as f64, HIGH * rows as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>How time grows with what a game has more of, both scales logarithmic; dashed: in proportion</title>\n\
         <style>text {{ font: 11px sans-serif; fill: #555; }} .head {{ fill: #111; }} .line {{ fill: none; stroke: #1f6f8b; stroke-width: 2; }} \
         .even {{ stroke: #999; stroke-dasharray: 4 4; }} circle {{ fill: #1f6f8b; }} .frame {{ fill: #fff; stroke: #ccc; }}</style>\n"
    );
    for (n, axis) in axes.iter().enumerate() {
        let (left, top) = ((n % COLUMNS) as f64 * WIDE, (n / COLUMNS) as f64 * HIGH);
        let ((first, low), (last, high)) = (axis.points[0], axis.points[axis.points.len() - 1]);
        let even = low * last as f64 / first as f64;
        let (bottom, most) = (low.min(high).ln(), high.max(even).ln());
        let along = |size: u64| {
            left + 50.0 + (WIDE - 70.0) * (size as f64 / first as f64).ln() / (last as f64 / first as f64).ln()
        };
        let up = |ns: f64| top + HIGH - 34.0 - (HIGH - 74.0) * (ns.ln() - bottom) / (most - bottom).max(0.1);
        let _ = writeln!(
            out,
            "<rect class=\"frame\" x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\"/>",
            left + 42.0,
            top + 32.0,
            WIDE - 54.0,
            HIGH - 58.0
        );
        let (head, rest) = axis.title.split_once(": ").unwrap_or((axis.title, ""));
        let _ = writeln!(out, "<text class=\"head\" x=\"{:.0}\" y=\"{:.0}\">{head}</text>", left + 42.0, top + 14.0);
        let _ = writeln!(out, "<text x=\"{:.0}\" y=\"{:.0}\">{rest}</text>", left + 42.0, top + 27.0);
        let _ = writeln!(
            out,
            "<line class=\"even\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            along(first),
            up(low),
            along(last),
            up(even)
        );
        let line: Vec<String> =
            axis.points.iter().map(|(size, ns)| format!("{:.1},{:.1}", along(*size), up(*ns))).collect();
        let _ = writeln!(out, "<polyline class=\"line\" points=\"{}\"/>", line.join(" "));
        for (size, ns) in &axis.points {
            let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", along(*size), up(*ns));
        }
        for (size, anchor) in [(first, "start"), (last, "end")] {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{size} {}</text>",
                along(size),
                top + HIGH - 12.0,
                axis.piece
            );
        }
        for ns in [low, high] {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left + 40.0,
                up(ns) + 4.0,
                short(ns)
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Nanoseconds in a unit that suits them.
fn short(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.0} us", ns / 1e3),
        ns if ns < 1e9 => format!("{:.0} ms", ns / 1e6),
        ns => format!("{:.1} s", ns / 1e9),
    }
}
