//! Draws curves: a number as a function of a param, with a band for its interval.

use super::super::markup::Markup;
use super::super::svg::px;
use super::number::{Axis, Number};
use super::plot::{self, Key};
use super::{Cell, Table, figure};
use grognard_base::order;

/// Height of the plot, and of the axis labels below it, in pixels.
const HEIGHT: i64 = 260;
const BELOW: i64 = 24;

/// A function of one variable.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    pub caption: String,
    /// The title of the horizontal axis, such as the name of a param.
    pub across: String,
    /// The unit on the horizontal axis.
    pub across_unit: String,
    /// The unit on the vertical axis.
    pub unit: String,
    /// The range that the vertical axis must include, in addition to the curves.
    pub span: Option<(i64, i64)>,
    /// A marked position on the horizontal axis, with its explanation: the value in the rules.
    pub marked: Option<(i64, String)>,
    /// The curves.
    pub lines: Vec<Series>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name of the curve.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<CurvePoint>,
}

/// A point of a curve.
#[derive(Clone, Debug)]
pub struct CurvePoint {
    /// The horizontal position, in millionths.
    pub at: i64,
    /// The horizontal position as text.
    pub label: String,
    /// The number at this position.
    pub number: Number,
}

pub(super) fn draw(out: &mut Markup, c: &Curve) {
    figure(out, "curve", &c.caption);
    if c.lines.len() > 1 {
        plot::legend(out, c.lines.iter().map(|line| (Key::Line, line.name.as_str(), None)));
    }
    if let Some((_, says)) = &c.marked {
        out.begin("p", &[("class", "key".into())]);
        out.begin("svg", &[("width", "32".into()), ("height", "16".into()), ("aria-hidden", "true".into())]);
        plot::line(out, ("class", "marked".into()), (50_000, 0), (50_000, 16_000));
        out.end();
        out.content("bdi", &[], says);
        out.end();
    }
    let points = || c.lines.iter().flat_map(|line| &line.points);
    let span = c.span.into_iter().flat_map(|(low, high)| [low, high]);
    let up = Axis::around(points().flat_map(|p| p.number.reach()).chain(span), 5);
    let marked = c.marked.as_ref().map(|(at, _)| *at);
    let places = places(c);
    let few = few(&places, marked);
    let axis = few.unwrap_or_else(|| plot::fitting(points().map(|p| p.at).chain(marked), &c.across_unit));
    plot::beside(out, up, &c.unit, HEIGHT, BELOW, &format!("{}; the numbers are below", c.caption));
    if let Some(along) = marked.map(|at| axis.along(at)) {
        plot::line(out, ("class", "marked".into()), (along, 0), (along, HEIGHT * 1000));
    }
    for (series, line) in c.lines.iter().enumerate() {
        path(out, series, line, axis, up);
    }
    for (series, line) in c.lines.iter().enumerate() {
        for point in &line.points {
            let Some(at) = point.number.at else { continue };
            let says = format!("{}, {} {}: {}", line.name, c.across, point.label, point.number.line());
            plot::mark(out, series, (axis.along(point.at), up.down(at, HEIGHT)), &says);
        }
    }
    let ticks: Vec<i64> = match few {
        Some(_) => places.iter().map(|(at, _)| *at).collect(),
        None => axis.ticks().collect(),
    };
    let word = |tick: i64| places.iter().find(|(at, _)| few.is_some() && *at == tick).map(|(_, word)| word.to_string());
    plot::across(out, axis, &ticks, HEIGHT, |tick| word(tick).unwrap_or_else(|| axis.tell(tick)) + &c.across_unit);
    out.end();
    out.end();
    out.begin("p", &[("class", "across".into())]);
    out.content("bdi", &[], &c.across);
    out.end();
    numbers(out, c);
    out.end();
}

/// Draws the line and its band in a picture that is stretched to the plot. A percent of the width is a thousand units.
fn path(out: &mut Markup, series: usize, line: &Series, axis: Axis, up: Axis) {
    let stretched = [
        ("width", "100%".to_string()),
        ("height", HEIGHT.to_string()),
        ("viewBox", format!("0 0 100000 {HEIGHT}")),
        ("preserveAspectRatio", "none".into()),
    ];
    let place = |at: i64, y: i64| format!("{},{}", axis.along(at), px(up.down(y, HEIGHT)));
    out.begin("svg", &stretched);
    // The line has a gap where the number is not known.
    for part in line.points.split(|p| p.number.at.is_none()).filter(|part| !part.is_empty()) {
        let ends = |p: &CurvePoint| p.number.ends.or(p.number.at.map(|at| (at, at)));
        let there = part.iter().filter_map(|p| Some(place(p.at, ends(p)?.0)));
        let back = part.iter().rev().filter_map(|p| Some(place(p.at, ends(p)?.1)));
        if part.iter().any(|p| p.number.ends.is_some()) {
            let points: Vec<String> = there.chain(back).collect();
            out.element("polygon", &[plot::class("band", series), ("points", points.join(" "))]);
        }
        let points: Vec<String> = part.iter().filter_map(|p| Some(place(p.at, p.number.at?))).collect();
        out.element("polyline", &[plot::class("line", series), plot::dashes(series), ("points", points.join(" "))]);
    }
    out.end();
}

/// Returns the horizontal positions of all points, with their labels.
fn places(c: &Curve) -> Vec<(i64, &str)> {
    let mut places: Vec<(i64, &str)> =
        c.lines.iter().flat_map(|l| &l.points).map(|p| (p.at, p.label.as_str())).collect();
    order::sort(&mut places);
    places.dedup_by_key(|(at, _)| *at);
    places
}

/// Returns an axis with a tick for each position, or `None` if the labels do not fit on a phone.
fn few(places: &[(i64, &str)], marked: Option<i64>) -> Option<Axis> {
    let ((low, _), (high, _)) = (*places.first()?, *places.last()?);
    let far = i128::from(high) - i128::from(low);
    let longest = places.iter().map(|(_, word)| word.chars().count()).max()?;
    let room = far / i128::from(plot::most_ticks(longest));
    let apart = places.windows(2).all(|two| i128::from(two[1].0) - i128::from(two[0].0) >= room);
    let inside = marked.is_none_or(|at| (low..=high).contains(&at));
    (far > 0 && apart && inside).then_some(Axis { low, high, step: 1 })
}

/// Writes all points as a collapsed table, with a row for each horizontal position.
fn numbers(out: &mut Markup, c: &Curve) {
    let places = places(c);
    let row = |(at, label): &(i64, &str)| {
        let cell = |line: &Series| match line.points.iter().find(|p| p.at == *at) {
            Some(point) => Cell::Number(point.number.clone()),
            None => Cell::Text("–".into()),
        };
        [Cell::Text(label.to_string())].into_iter().chain(c.lines.iter().map(cell)).collect()
    };
    let table = Table {
        caption: String::new(),
        heads: [c.across.clone()].into_iter().chain(c.lines.iter().map(|l| l.name.clone())).collect(),
        rows: places.iter().map(row).collect(),
    };
    out.begin("details", &[]);
    out.content("summary", &[], "The numbers");
    super::table(out, &table);
    out.end();
}
