//! Draws distributions of values that are not numbers: a row for each value, with a bar for each series.

use super::super::markup::Markup;
use super::super::svg::px;
use super::number::{Axis, percent, rendered};
use super::plot::{self, Key};
use super::{Histogram, Number, figure, scroller, words};

/// Maximum number of rows in one picture.
const MOST_ROWS: usize = 60;
/// Height of the row of a bar, in pixels.
const HEIGHT: i64 = 18;

pub(super) fn draw(out: &mut Markup, d: &Histogram) {
    figure(out, "distribution", &d.caption);
    let mean = |n: usize| d.means.iter().find(|(of, _)| *of == n).map(|(_, mean)| ("mean", mean));
    plot::legend(out, d.series.iter().enumerate().map(|(n, name)| (Key::Fill, name.as_str(), mean(n))));
    let most = d.bars.iter().take(MOST_ROWS).flat_map(|b| &b.shares).flat_map(Number::reach).max().unwrap_or(0);
    let axis = Axis { low: 0, high: most.max(1), step: 1 };
    scroller(out, &d.caption);
    out.begin("table", &[("class", "rows".into())]);
    for bar in d.bars.iter().take(MOST_ROWS) {
        for (series, share) in bar.shares.iter().enumerate() {
            out.begin("tr", &[]);
            if series == 0 {
                out.begin("th", &[("scope", "rowgroup".into()), ("rowspan", bar.shares.len().to_string())]);
                out.content("bdi", &[], &bar.label);
                out.end();
            }
            out.begin("td", &[("class", "bars".into())]);
            let name = d.series.get(series).map_or("", String::as_str);
            one(out, axis, series, share, &format!("{name}, {}: {}", bar.label, share.line()));
            out.end();
            out.begin("td", &[("class", "number".into())]);
            share.tell(out);
            out.end();
            out.end();
        }
    }
    out.end();
    out.end();
    if let Some(rest) = d.bars.get(MOST_ROWS..).filter(|rest| !rest.is_empty()) {
        let sums = (0..d.series.len()).map(|series| {
            let sum: i64 = rest.iter().filter_map(|b| b.shares.get(series)?.at).sum();
            format!("{} {}%", d.series[series], rendered(sum, 10_000))
        });
        let sums: Vec<String> = sums.collect();
        words(out, "p", &format!("{} more values are not drawn; together {}.", rest.len(), sums.join(", ")));
    }
    out.end();
}

/// Draws a bar with its interval.
fn one(out: &mut Markup, axis: Axis, series: usize, share: &Number, says: &str) {
    plot::begin(out, "area", HEIGHT, says);
    let along = share.at.map_or(0, |at| axis.along(at));
    let place = [
        plot::class("bar", series),
        plot::fill(series),
        ("x", "0".into()),
        ("y", "2".into()),
        ("width", percent(along)),
        ("height", px((HEIGHT - 4) * 1000)),
    ];
    out.element("rect", &place);
    if let Some((low, high)) = share.ends {
        let middle = HEIGHT * 500;
        plot::line(out, ("class", "halo".into()), (axis.along(low), middle), (axis.along(high), middle));
        plot::line(out, ("class", "whisker".into()), (axis.along(low), middle), (axis.along(high), middle));
    }
    out.end();
}
