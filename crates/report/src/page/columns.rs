//! Draws distributions of numbers as columns along an axis. The second series is an outline over the first one.

use super::super::markup::Markup;
use super::super::svg::px;
use super::number::{Axis, near, nice, percent, rendered};
use super::plot::{self, Key};
use super::{Cell, Histogram, Number, Table, figure, words};

/// Height of the plot, and of the axis labels below it, in pixels.
const HEIGHT: i64 = 220;
const BELOW: i64 = 24;
/// Maximum number of columns that are distinguishable on a phone. More values are combined into wider columns.
const MOST_COLUMNS: i64 = 60;
/// Maximum number of columns for which intervals are drawn.
const MOST_WHISKERS: usize = 40;
/// Maximum number of rows of a table that is open by default.
const MOST_OPEN: usize = 24;
/// Maximum number of rows of the table below the plot.
const MOST_ROWS: usize = 200;

/// Adjacent columns of equal width.
struct Columns {
    low: i64,
    width: i64,
    /// Whether a column combines several values.
    together: bool,
    /// The shares of each column, by series.
    shares: Vec<Vec<i64>>,
    /// The tooltip of each column, by series.
    says: Vec<Vec<String>>,
}

impl Columns {
    fn of(d: &Histogram) -> Columns {
        let places = || d.bars.iter().filter_map(|b| b.at).map(near);
        let (least, most) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
        let apart = places().fold(0, |all, at| gcd(all, at - least)).max(1);
        let count = (most - least) / apart + 1;
        let (low, width, together) = if count <= MOST_COLUMNS {
            (least - apart / 2, apart, false)
        } else {
            let width = nice((most - least) / (MOST_COLUMNS - 10));
            (least.div_euclid(width) * width, width, true)
        };
        let count = usize::try_from((most - low) / width + 1).unwrap_or(1);
        let mut columns = Columns {
            low,
            width,
            together,
            shares: vec![vec![0; d.series.len()]; count],
            says: vec![vec![String::new(); d.series.len()]; count],
        };
        for (bar, at) in d.bars.iter().filter_map(|b| Some((b, near(b.at?)))) {
            let n = usize::try_from((at - low) / width).unwrap_or(0).min(count - 1);
            for (series, share) in bar.shares.iter().enumerate().take(d.series.len()) {
                columns.shares[n][series] += share.at.unwrap_or(0);
                columns.says[n][series] = if together {
                    let from = low + n as i64 * width;
                    let percent = rendered(columns.shares[n][series], 10_000);
                    let (from, to) = (rendered(from, width), rendered(from + width, width));
                    format!("{}, from {from} to below {to}: {percent}% ({})", d.series[series], share.how.word())
                } else {
                    format!("{}, {}: {}", d.series[series], bar.label, share.line())
                };
            }
        }
        columns
    }

    /// Returns the axis and its ticks: at round numbers, or below columns if no column is centered at round numbers.
    fn axis(&self, d: &Histogram) -> (Axis, Vec<i64>) {
        let high = self.low + self.width * self.shares.len() as i64;
        let mut axis = plot::fitting(d.bars.iter().filter_map(|b| b.at), &d.unit);
        let middle = self.low + self.width / 2;
        let mut first = -(-self.low).div_euclid(axis.step) * axis.step;
        let mut every = axis.step;
        if !self.together && (axis.step % self.width != 0 || middle % self.width != 0) {
            every = -(-axis.step).div_euclid(self.width) * self.width;
            first = middle;
            axis.step = gcd(every, first);
        }
        let ticks = (0..).map(|n| first + n * every).take_while(|tick| *tick <= high).collect();
        (Axis { low: self.low, high, ..axis }, ticks)
    }
}

pub(super) fn draw(out: &mut Markup, d: &Histogram) {
    figure(out, "distribution", &d.caption);
    let keys = d.series.iter().enumerate().map(|(n, name)| {
        let mean = d.means.iter().find(|(of, _)| *of == n).map(|(_, mean)| ("mean", mean));
        (if n == 0 { Key::Fill } else { Key::Outline }, name.as_str(), mean)
    });
    plot::legend(out, keys);
    if !d.note.is_empty() {
        words(out, "p", &d.note);
    }
    let columns = Columns::of(d);
    let whiskers = d.series.len() == 1 && !columns.together && d.bars.len() <= MOST_WHISKERS;
    let reach = d.bars.iter().flat_map(|b| &b.shares).filter(|_| whiskers).flat_map(Number::reach);
    let shares = Axis::around(columns.shares.iter().flatten().copied().chain(reach).chain([0]), 4);
    let (axis, ticks) = columns.axis(d);
    plot::beside(out, shares, "%", HEIGHT, BELOW, &format!("{}; the numbers are below", d.caption));
    for series in 0..d.series.len() {
        if series == 0 { bars(out, &columns, shares) } else { outline(out, &columns, shares, series) }
    }
    if whiskers {
        for bar in &d.bars {
            let ends = bar.shares.first().and_then(|s| s.ends);
            if let Some((along, (low, high))) = bar.at.map(|at| axis.along(at)).zip(ends) {
                let (low, high) = (shares.down(low, HEIGHT), shares.down(high, HEIGHT));
                plot::line(out, ("class", "whisker".into()), (along, low), (along, high));
            }
        }
    }
    for (n, (series, mean)) in d.means.iter().enumerate() {
        let Some(along) = mean.at.map(|at| axis.along(at)) else { continue };
        let y = 6_000 + 14_000 * n as i64;
        plot::line(out, plot::class("mean", *series), (along, y), (along, HEIGHT * 1000));
        if let Some((low, high)) = mean.ends {
            plot::line(out, plot::class("range", *series), (axis.along(low), y), (axis.along(high), y));
        }
        let name = d.series.get(*series).map_or("", String::as_str);
        plot::mark(out, *series, (along, y), &format!("mean of {name}: {}", mean.line()));
    }
    plot::across(out, axis, &ticks, HEIGHT, |tick| axis.tell(tick) + &d.unit);
    out.end();
    out.end();
    if columns.together {
        let width = rendered(columns.width, columns.width);
        words(out, "p", &format!("Each column holds the values of {width}{}.", d.unit));
    }
    numbers(out, d);
    out.end();
}

/// Returns the left edge of column `n`, in thousandths of a percent.
fn side(n: usize, columns: &Columns) -> i64 {
    n as i64 * 100_000 / columns.shares.len().max(1) as i64
}

fn bars(out: &mut Markup, columns: &Columns, shares: Axis) {
    for (n, share) in columns.shares.iter().enumerate().filter(|(_, share)| share[0] > 0) {
        let (x, next, y) = (side(n, columns), side(n + 1, columns), shares.down(share[0], HEIGHT));
        // A gap shows that no value is between two columns.
        let gap = if columns.together { 0 } else { (next - x) / 12 };
        let place = [
            plot::class("bar", 0),
            plot::fill(0),
            ("x", percent(x + gap)),
            ("y", px(y)),
            ("width", percent(next - x - 2 * gap)),
            ("height", px(HEIGHT * 1000 - y)),
        ];
        out.begin("rect", &place);
        out.content("title", &[], &columns.says[n][0]);
        out.end();
    }
}

/// Draws a line along the tops of all columns.
fn outline(out: &mut Markup, columns: &Columns, shares: Axis, series: usize) {
    let mut before = HEIGHT * 1000;
    let look = || plot::class("outline", series);
    for (n, share) in columns.shares.iter().enumerate() {
        let (x, next, y) = (side(n, columns), side(n + 1, columns), shares.down(share[series], HEIGHT));
        if before != y {
            plot::line(out, look(), (x, before), (x, y));
        }
        let place =
            [look(), plot::dashes(series), ("x1", percent(x)), ("y1", px(y)), ("x2", percent(next)), ("y2", px(y))];
        out.begin("line", &place);
        out.content("title", &[], &columns.says[n][series]);
        out.end();
        before = y;
    }
    plot::line(out, look(), (100_000, before), (100_000, HEIGHT * 1000));
}

/// Writes all shares as a table. The table is collapsed if it is long.
fn numbers(out: &mut Markup, d: &Histogram) {
    let summed = d.bars.iter().all(|bar| bar.sums.is_some());
    let open = [("open", String::new())];
    out.begin("details", if summed && d.bars.len() <= MOST_OPEN { &open } else { &[] });
    out.content("summary", &[], "The numbers");
    let row = |bar: &super::Bar| {
        let numbers = bar.shares.iter().chain(bar.sums.iter().flatten()).cloned().map(Cell::Number);
        [Cell::Text(bar.label.clone())].into_iter().chain(numbers).collect()
    };
    let heads = match summed {
        true => ["exactly", "at most", "at least"].map(String::from).to_vec(),
        false => d.series.clone(),
    };
    let table = Table {
        caption: String::new(),
        heads: ["value".to_string()].into_iter().chain(heads).collect(),
        rows: d.bars.iter().take(MOST_ROWS).map(row).collect(),
    };
    super::table(out, &table);
    if d.bars.len() > MOST_ROWS {
        words(out, "p", &format!("{} more values are not listed.", d.bars.len() - MOST_ROWS));
    }
    out.end();
}

fn gcd(a: i64, b: i64) -> i64 {
    let [a, b] = [a, b].map(|n| u128::from(n.unsigned_abs()));
    i64::try_from(grognard_base::value::ratio::gcd(a, b)).unwrap_or(i64::MAX)
}
