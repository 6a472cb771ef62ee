//! Draws heat maps of sweeps over two params: a table in which larger numbers have darker cells.

use super::super::markup::Markup;
use super::number::Number;
use super::{figure, plot, scroller};

/// Number of shades of a sequential scale, and of a diverging scale around 0.
const SHADES: i64 = 8;
const BOTH_WAYS: i64 = 9;

/// A function of two variables.
#[derive(Clone, Debug, Default)]
pub struct Heat {
    pub caption: String,
    /// The variable of the columns.
    pub across: String,
    /// The variable of the rows.
    pub down: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the rows.
    pub rows: Vec<String>,
    /// The numbers, row by row. `None` if a combination has no number.
    pub cells: Vec<Vec<Option<Number>>>,
    /// Whether the numbers are effects, which use a diverging scale around 0.
    pub effects: bool,
    /// The numbers of other maps that share the scale.
    pub beside: Vec<Number>,
}

pub(super) fn draw(out: &mut Markup, h: &Heat) {
    figure(out, "heat", &h.caption);
    let numbers: Vec<&Number> = h.cells.iter().flatten().flatten().collect();
    let all = numbers.iter().copied().chain(&h.beside);
    let known: Vec<(i64, &str)> = all.filter_map(|n| Some((n.at?, n.text.as_str()))).collect();
    let (least, most) = (known.iter().min(), known.iter().max());
    let range = (least.map_or(0, |n| n.0), most.map_or(0, |n| n.0));
    scroller(out, &h.caption);
    out.begin("table", &[]);
    out.begin("thead", &[]);
    out.begin("tr", &[]);
    out.content("td", &[("rowspan", "2".into())], "");
    out.begin("th", &[("scope", "colgroup".into()), ("colspan", h.columns.len().max(1).to_string())]);
    out.content("bdi", &[], &h.across);
    out.end();
    out.end();
    out.begin("tr", &[]);
    for column in &h.columns {
        out.begin("th", &[("scope", "col".into())]);
        out.content("bdi", &[], column);
        out.end();
    }
    out.end();
    out.end();
    out.begin("tbody", &[]);
    for (name, cells) in h.rows.iter().zip(&h.cells) {
        out.begin("tr", &[]);
        out.begin("th", &[("scope", "row".into())]);
        out.content("bdi", &[], &format!("{} {name}", h.down));
        out.end();
        for cell in cells {
            match cell {
                Some(number) => one(out, number, range, h.effects),
                None => out.content("td", &[("class", "none".into())], "–"),
            }
        }
        out.end();
    }
    out.end();
    out.end();
    out.end();
    if let Some((least, most)) = least.zip(most) {
        scale(out, least.1, most.1, range, h.effects);
    }
    plot::signs(out, &numbers);
    out.end();
}

fn one(out: &mut Markup, number: &Number, range: (i64, i64), effects: bool) {
    let shade = number.at.map_or("none".into(), |at| shade(at, range, effects));
    out.begin("td", &[("class", shade), ("title", number.line())]);
    out.content("span", &[("class", "sign".into())], number.how.sign());
    out.content("b", &[], &number.text);
    out.end();
}

/// Returns the class of a cell.
fn shade(at: i64, (least, most): (i64, i64), effects: bool) -> String {
    let (low, high, shades, name) = if effects {
        let far = least.abs().max(most.abs());
        (-far, far, BOTH_WAYS, "both")
    } else {
        (least, most, SHADES, "shade")
    };
    let width = i128::from(high) - i128::from(low) + 1;
    let part = (i128::from(at) - i128::from(low)) * i128::from(shades) / width;
    format!("{name}{}", part.clamp(0, i128::from(shades - 1)))
}

/// Draws the legend: the shades that are used, from the smallest number to the largest.
fn scale(out: &mut Markup, least: &str, most: &str, range: (i64, i64), effects: bool) {
    out.begin("p", &[("class", "scale".into())]);
    out.content("span", &[], least);
    let shades = if effects { BOTH_WAYS } else { SHADES };
    let used: Vec<String> = (0..shades).map(|n| format!("{}{n}", if effects { "both" } else { "shade" })).collect();
    let [first, last] = [range.0, range.1].map(|at| shade(at, range, effects));
    let from = used.iter().position(|s| *s == first).unwrap_or(0);
    let to = used.iter().position(|s| *s == last).unwrap_or(0);
    for class in &used[from..=to.max(from)] {
        out.content("i", &[("class", class.clone())], "");
    }
    out.content("span", &[], most);
    out.end();
}
