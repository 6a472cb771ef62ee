//! Draws numbers with their intervals on one scale: effects around a line for "no difference", or probabilities from 0 to 100%.

use super::super::markup::Markup;
use super::number::{Axis, MILLION, Number, percent};
use super::{figure, plot};

/// Height of a row, and of the axis below all rows, in pixels.
const HEIGHT: i64 = 22;
const BELOW: i64 = 24;

/// Numbers with their intervals on one scale.
#[derive(Clone, Debug, Default)]
pub struct Intervals {
    pub caption: String,
    /// The unit on the axis.
    pub unit: String,
    /// The range that the axis must include, in addition to the numbers.
    pub span: Option<(i64, i64)>,
    /// The labels of the zero line, for effects.
    pub zero: Option<Zero>,
    pub rows: Vec<IntervalRow>,
}

/// The line of no effect.
#[derive(Clone, Debug)]
pub struct Zero {
    /// The meaning of a number to the left of the line, such as "less in B".
    pub left: String,
    /// The meaning of a number to the right of the line.
    pub right: String,
}

/// A number with its label.
#[derive(Clone, Debug)]
pub struct IntervalRow {
    /// The name of the measure.
    pub label: String,
    /// The verdict, such as "B is better". Can be empty.
    pub verdict: String,
    pub number: Number,
    /// A note, such as the number of runs. Can be empty.
    pub note: String,
    /// The equivalence margin in millionths: a smaller effect in either direction is negligible.
    pub within: Option<i64>,
    /// The index of the series, which selects the style.
    pub series: usize,
}

impl IntervalRow {
    /// Creates a row without a verdict and a note.
    pub fn new(label: impl Into<String>, number: Number) -> IntervalRow {
        let (verdict, note) = (String::new(), String::new());
        IntervalRow { label: label.into(), verdict, number, note, within: None, series: 0 }
    }
}

impl Intervals {
    /// Creates a plot of probabilities, from 0 to 100%.
    pub fn chances(rows: Vec<IntervalRow>) -> Intervals {
        Intervals { caption: "Chances".into(), unit: "%".into(), span: Some((0, 100 * MILLION)), zero: None, rows }
    }

    /// Creates a plot of effects around zero, in points or in a unit. `sides` explains the left and the right side.
    pub fn effects(of: &str, points: bool, unit: &str, sides: [&str; 2], rows: Vec<IntervalRow>) -> Intervals {
        let [left, right] = sides.map(String::from);
        Intervals {
            caption: if points { format!("{of}, in points") } else { of.into() },
            unit: if points { String::new() } else { unit.into() },
            span: None,
            zero: Some(Zero { left, right }),
            rows,
        }
    }
}

pub(super) fn draw(out: &mut Markup, i: &Intervals) {
    figure(out, "intervals", &i.caption);
    let zero = i.zero.as_ref().map(|_| 0).into_iter();
    let span = i.span.into_iter().flat_map(|(low, high)| [low, high]);
    let within = i.rows.iter().filter_map(|r| r.within).flat_map(|within| [-within, within]);
    let values: Vec<i64> = i.rows.iter().flat_map(|r| r.number.reach()).chain(zero).chain(span).chain(within).collect();
    let axis = plot::fitting(values.iter().copied(), &i.unit);
    if let Some(zero) = &i.zero {
        out.begin("p", &[("class", "sides".into()), ("aria-hidden", "true".into())]);
        for side in [format!("← {}", zero.left), format!("{} →", zero.right)] {
            out.begin("span", &[]);
            out.content("bdi", &[], &side);
            out.end();
        }
        out.end();
    }
    out.begin("ol", &[]);
    for row in &i.rows {
        out.begin("li", &[]);
        out.begin("p", &[]);
        out.begin("span", &[]);
        out.content("bdi", &[], &row.label);
        if !row.verdict.is_empty() {
            out.content("em", &[], &row.verdict);
        }
        if !row.note.is_empty() {
            out.content("span", &[("class", "what".into())], &row.note);
        }
        out.end();
        out.begin("span", &[]);
        row.number.tell(out);
        out.end();
        out.end();
        one(out, axis, i, row);
        out.end();
    }
    out.end();
    plot::begin(out, "area", BELOW, "");
    let ticks: Vec<i64> = axis.ticks().collect();
    plot::across(out, axis, &ticks, 1, |tick| axis.tell(tick) + &i.unit);
    out.end();
    if i.rows.iter().any(|row| row.within.is_some()) {
        out.begin("p", &[("class", "key".into())]);
        out.begin("svg", &[("width", "32".into()), ("height", "14".into()), ("aria-hidden", "true".into())]);
        let all = [("width", "32".into()), ("height", "14".into())];
        out.element("rect", &[&[("class", "within".into())], &all[..]].concat());
        out.end();
        out.content("bdi", &[], "a difference that is too small to matter: the same");
        out.end();
    }
    out.end();
}

fn one(out: &mut Markup, axis: Axis, i: &Intervals, row: &IntervalRow) {
    let says = format!("{}: {}", row.label, row.number.line());
    plot::begin(out, "area", HEIGHT, &says);
    let (middle, foot) = (HEIGHT * 500, HEIGHT * 1000);
    if let Some(within) = row.within {
        let (low, high) = (axis.along(-within), axis.along(within));
        let place = [("x", percent(low)), ("width", percent(high - low)), ("height", HEIGHT.to_string())];
        out.element("rect", &[&[("class", "within".into())], &place[..]].concat());
    }
    if i.zero.is_some() {
        plot::line(out, ("class", "zero".into()), (axis.along(0), 0), (axis.along(0), foot));
    } else {
        plot::line(out, ("class", "grid".into()), (0, middle), (100_000, middle));
    }
    if let Some((low, high)) = row.number.ends {
        let ends = [axis.along(low), axis.along(high)];
        plot::line(out, plot::class("range", row.series), (ends[0], middle), (ends[1], middle));
        for end in ends {
            plot::line(out, plot::class("cap", row.series), (end, middle - 5_000), (end, middle + 5_000));
        }
    }
    if let Some(at) = row.number.at {
        plot::mark(out, row.series, (axis.along(at), middle), &says);
    }
    out.end();
}
