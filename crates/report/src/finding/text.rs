//! Renders a finding as human-readable text. Plots are omitted, because sentences and tables contain the same data.

use super::super::clean;
use super::super::page::{Bar, Histogram, How, IntervalRow, Intervals, MILLION, Number, number::rendered};
use super::{Block, Cell, Table, WIDTH};
use grognard_base::order;
use std::fmt::Write;

/// Maximum width of a sentence, in characters.
const WIDEST: usize = 120;
/// Maximum number of lines of a distribution. More values are grouped into bands.
pub const MOST_LINES: usize = 24;
/// A hundredth of a percent.
const HUNDREDTH: i64 = MILLION / 100;
/// Length of the longest bar, in characters.
const BAR: usize = 24;

/// Renders all blocks in order.
pub(super) fn render(blocks: &[Block]) -> String {
    let mut out = String::new();
    blocks.iter().for_each(|block| one(&mut out, block));
    out
}

fn line(out: &mut String, blanks: usize, text: &str) {
    let text = format!("{:blanks$}{}", "", clean(text));
    let _ = writeln!(out, "{}", text.trim_end());
}

fn one(out: &mut String, block: &Block) {
    match block {
        Block::Heading(text) => {
            out.push_str(if out.is_empty() { "" } else { "\n" });
            wrap(text, WIDEST).iter().for_each(|text| line(out, 0, text));
        }
        Block::Text(text) | Block::Note(text) => wrap(text, WIDEST).iter().for_each(|text| line(out, 0, text)),
        Block::Item(head, lines) => {
            line(out, 0, head);
            lines.iter().for_each(|text| hanging(out, text));
        }
        Block::List(head, names) => {
            line(out, 0, &format!("{head}:"));
            wrap(&names.join(", "), WIDTH - 4).iter().for_each(|text| line(out, 4, text));
        }
        Block::Numbers(rows) => rows.iter().for_each(|row| line(out, 0, &number(row, ""))),
        Block::Table(t) => table(out, t),
        Block::Histogram(d) => distribution(out, d),
        Block::Intervals(i) => intervals(out, i),
        Block::Words(block) => one(out, block),
        Block::Curve(_) | Block::Heat(_) | Block::Receipt(_) | Block::Drawn(_) => {}
    }
}

/// Wraps a text at `width` columns, between words.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let options = textwrap::Options::new(width).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options.break_words(false)).into_iter().map(|line| line.into_owned()).collect()
}

/// Writes a line below an item. Continuation lines have a larger indent.
fn hanging(out: &mut String, text: &str) {
    let blanks = text.len() - text.trim_start().len() + 2;
    for (n, text) in wrap(text.trim_start(), WIDEST - blanks).iter().enumerate() {
        line(out, if n == 0 { blanks } else { blanks + 4 }, text);
    }
}

/// Formats a number in one line, such as `chance C: 1/6 = 16.67%  ####....................  (exact)`.
fn number(row: &IntervalRow, bar: &str) -> String {
    let verdict = if row.verdict.is_empty() { String::new() } else { format!("{}, ", row.verdict) };
    let note = if row.note.is_empty() { String::new() } else { format!(", {}", row.note) };
    let number = &row.number;
    format!("{}: {verdict}{}{bar}  ({}{note})", row.label, number.rendered(), number.how.word())
}

/// Writes a line for each row. Probabilities include a bar.
fn intervals(out: &mut String, i: &Intervals) {
    for row in &i.rows {
        let at = row.number.at.filter(|_| i.span == Some((0, 100 * MILLION)));
        let bar = at.map_or(String::new(), |at| format!("  {:.<BAR$}", bar(at, 100 * MILLION)));
        line(out, 0, &number(row, &bar));
    }
}

/// Returns a bar whose length is proportional to `at`.
fn bar(at: i64, longest: i64) -> String {
    let signs = (at.max(0) as i128 * BAR as i128 + i128::from(longest) / 2) / i128::from(longest.max(1));
    "#".repeat(usize::try_from(signs).unwrap_or(0).min(BAR))
}

/// Writes a line for each value of a distribution with one series. Distributions with several series are shown only on pages.
fn distribution(out: &mut String, d: &Histogram) {
    if d.series.len() != 1 {
        return;
    }
    headline(out, d);
    let ordered = d.bars.iter().all(|bar| bar.sums.is_some());
    let mut rows: Vec<[String; 4]> = Vec::new();
    let mut sizes: Vec<i64> = Vec::new();
    let mut note = String::new();
    let at_least = |bar: &Bar| bar.sums.as_ref().map_or(String::new(), |[_, least]| percents(least) + " or more");
    let bars: Vec<&Bar> = d.bars.iter().collect();
    let banded = ordered && bars.len() > MOST_LINES;
    let mut bands: Vec<&[&Bar]> = if banded { in_bands(&bars) } else { bars.chunks(1).collect() };
    if banded {
        note = format!("{} values, in bands; `--format json` has each", bars.len());
    } else if bands.len() > MOST_LINES {
        order::sort_by_key(&mut bands, |band| std::cmp::Reverse(place(band[0])));
        let rest = bands.split_off(MOST_LINES);
        note = format!("and {} more values: {}", rest.len(), together(rest.concat().as_slice()));
    }
    for band in bands {
        let (Some(first), Some(last)) = (band.first(), band.last()) else { continue };
        let size = band.iter().map(|bar| place(bar)).sum();
        sizes.push(size);
        let [fraction, share] = match first.shares.first() {
            Some(share) if band.len() == 1 => parted(share),
            _ => [String::new(), together(band)],
        };
        let label = if band.len() == 1 { first.label.clone() } else { format!("{} to {}", first.label, last.label) };
        rows.push([label, fraction, share, at_least(first)]);
    }
    let longest = sizes.iter().copied().max().unwrap_or(0);
    let wide = |n: usize| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0).min(1_000);
    let wides = [0, 1, 2, 3].map(wide);
    for (row, size) in rows.iter().zip(sizes) {
        let cells = row.iter().zip(wides).filter(|(_, wide)| *wide > 0).map(|(cell, wide)| format!("{cell:>wide$}"));
        let cells: Vec<String> = cells.chain([bar(size, longest)]).collect();
        line(out, 2, &cells.join("  "));
    }
    if !note.is_empty() {
        line(out, 2, &note);
    }
}

/// Groups adjacent values into bands, one for each line. The rare values at each end share a band, and the other bands have equal
/// numbers of values.
fn in_bands<'a, 'd>(bars: &'a [&'d Bar]) -> Vec<&'a [&'d Bar]> {
    fn rare<'b>(bars: impl Iterator<Item = &'b &'b Bar>) -> usize {
        let sums = bars.scan(0, |sum, bar| {
            *sum += place(bar);
            Some(*sum)
        });
        sums.take_while(|sum| *sum < HUNDREDTH / 2).count()
    }
    let below = rare(bars.iter());
    let (below, rest) = bars.split_at(below);
    let (most, above) = rest.split_at(rest.len() - rare(rest.iter().rev()));
    let lines = MOST_LINES - usize::from(!below.is_empty()) - usize::from(!above.is_empty());
    let ends = |end: &'a [&'d Bar]| Some(end).filter(|end| !end.is_empty());
    ends(below).into_iter().chain(most.chunks(most.len().div_ceil(lines).max(1))).chain(ends(above)).collect()
}

/// Returns the share of a value, or its lower bound.
fn place(bar: &Bar) -> i64 {
    bar.shares.first().map_or(0, |share| share.at.or(share.ends.map(|ends| ends.0)).unwrap_or(0))
}

/// Returns the total share of several values in percent. For bounded shares, returns bounds that are rounded outward.
fn together(bars: &[&Bar]) -> String {
    let (sum, count) = (bars.iter().map(|bar| place(bar)).sum::<i64>(), bars.len() as i64);
    let bounded = |bar: &&Bar| bar.shares.first().filter(|share| share.how == How::Bounded)?.ends;
    match bars.first().and_then(bounded) {
        Some((low, high)) => {
            let (least, most) = ((sum - count).max(0), (sum + count + high - low).min(100 * MILLION));
            format!("{}% to {}%", rendered(least, HUNDREDTH), rendered(most + HUNDREDTH - 1, HUNDREDTH))
        }
        None if sum < HUNDREDTH / 2 => "<0.01%".into(),
        // Almost 100%, but not all of it.
        None if (99 * MILLION + 99 * HUNDREDTH + HUNDREDTH / 2..100 * MILLION - count).contains(&sum) => {
            ">99.99%".into()
        }
        None => format!("{}%", rendered(sum + HUNDREDTH / 2, HUNDREDTH)),
    }
}

/// Writes a headline such as `mean x: 7/2 = 3.5, deviation 1.7078  (exact)`. Without a mean, it names only the measure.
fn headline(out: &mut String, d: &Histogram) {
    let how = d.bars.iter().flat_map(|bar| &bar.shares).map(|share| share.how.word()).next();
    // If nothing was explored, only bounds are known.
    let how = how.or(d.means.first().map(|(_, mean)| mean.how.word())).unwrap_or("bounded");
    match d.means.first() {
        Some((of, mean)) => {
            let name = format!("mean {}", d.series.get(*of).map_or("", String::as_str));
            let values = if mean.how.word() == how { String::new() } else { format!(", values  ({how})") };
            let note = if d.note.is_empty() { String::new() } else { format!(", {}", d.note) };
            line(out, 0, &(number(&IntervalRow::new(name, mean.clone()), &note) + &values));
        }
        None => {
            let caption = d.caption.to_lowercase();
            line(out, 0, &format!("{}: {caption}  ({how})", d.series.first().map_or("", String::as_str)));
        }
    }
}

/// Returns the fraction of a share, if it has one, and its percentage.
fn parted(share: &Number) -> [String; 2] {
    match share.text.split_once(" = ") {
        Some((fraction, percent)) => [fraction.into(), percent.into()],
        // Shares close to 0% or 100% have no `=` between the fraction and the percentage.
        None => match share.text.rsplit_once(' ') {
            Some((fraction, percent)) if share.how == How::Exact => [fraction.into(), percent.into()],
            _ => [String::new(), percents(share)],
        },
    }
}

/// Returns a share in percent, or its bounds.
fn percents(share: &Number) -> String {
    match share.how {
        How::Bounded if share.ends_text.is_empty() => share.text.clone(),
        How::Bounded => share.ends_text.replace(" and ", " to "),
        How::Proven => share.text.clone(),
        How::Exact => share.text.rsplit([' ']).next().unwrap_or_default().into(),
        How::Sampled | How::Drawn => share.rendered(),
    }
}

/// Writes a table with aligned columns. If the table is too wide, each row becomes a paragraph.
fn table(out: &mut String, t: &Table) {
    if !t.caption.is_empty() {
        line(out, 0, &t.caption);
    }
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => number.rendered(),
    };
    let rows: Vec<Vec<String>> = t.rows.iter().map(|row| row.iter().map(text).collect()).collect();
    let shown: Vec<usize> = (0..t.heads.len())
        .filter(|n| rows.iter().any(|row| row.get(*n).is_some_and(|cell| !cell.is_empty())))
        .collect();
    let all = || std::iter::once(&t.heads).chain(&rows);
    let wides: Vec<usize> = shown
        .iter()
        .map(|n| all().filter_map(|row| row.get(*n)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    if wides.iter().sum::<usize>() + 2 * wides.len() <= WIDTH {
        for row in all() {
            let cells =
                shown.iter().zip(&wides).map(|(n, wide)| format!("{:<wide$}", row.get(*n).map_or("", String::as_str)));
            line(out, 2, &cells.collect::<Vec<String>>().join("  "));
        }
        return;
    }
    for row in &rows {
        line(out, 2, row.first().map_or("", String::as_str));
        let cells =
            shown.iter().skip(1).filter_map(|n| Some((&t.heads[*n], row.get(*n).filter(|cell| !cell.is_empty())?)));
        let cells: Vec<String> = cells.map(|(head, cell)| format!("{head} {cell}").trim_start().to_string()).collect();
        wrap(&cells.join("; "), WIDTH - 4).iter().for_each(|text| line(out, 4, text));
    }
}
