//! Samples and comparisons as pages to look at.

#![allow(clippy::float_arithmetic)] // numbers are rounded here for printing, and nowhere else

use super::super::compared::Names;
use super::super::page::{
    Bar, Block, Cell, Distribution, Effect as Row, How, Intervals, MILLION, Number, Page, Table, millionths, ratio,
};
use super::comparison::spread;
use super::{Unit, judged, level_of, made, places, rounded, trimmed, value_text};
use crate::sample::stats::{Level, wilson};
use crate::sample::{Comparison, Effect, End, Estimate, Point, Sample, Tally};
use crate::scenario::Scenario;
use crate::value::{Type, order};
use std::collections::BTreeMap;

/// A sample of a scenario, which is called by the name of its file.
pub fn sample_page(name: &str, scenario: &Scenario, sample: &Sample) -> Page {
    let settings = &sample.settings;
    let mut page = Page::new(format!("simulate {name}"));
    let (runs, seed, faults) = (sample.runs, settings.seed, sample.faults);
    page.add(Block::Text(match sample.drawn {
        true => format!("{}.", made(sample)),
        false => format!("{runs} runs, seed {seed}, {faults} ended in an error."),
    }));
    match sample.end {
        End::Done if settings.until.is_some() => {
            page.add(Block::Note("All runs are used up, and the intervals are wider than was asked for.".into()))
        }
        End::Done => {}
        End::Narrow => page.add(Block::Text("Stopped when the intervals were as narrow as was asked for.".into())),
        End::Stopped => {
            page.add(Block::Note(format!("Stopped by hand: these are the first {runs} of {} runs.", settings.runs)));
        }
        End::Gone => page.add(Block::Note("Stopped where the input ended.".into())),
    }
    let (hold, looked) = crate::play::count(&sample.checks);
    if looked > 0 {
        page.add(Block::Text(format!("{hold} of {looked} expectations hold in every run.")));
    }
    for problem in sample.problems(scenario) {
        page.add(Block::Note(problem.message));
    }
    let estimates = sample.estimates(scenario);
    let whole: Vec<(&Estimate, Number)> = estimates.iter().filter_map(|e| Some((e, whole(e)?))).collect();
    if !whole.is_empty() {
        page.add(Block::Heading("Estimates".into()));
        page.add(Block::Table(told(&whole)));
    }
    let chances = whole.iter().filter(|(e, _)| matches!(e.point, Point::Share { .. }));
    let rows: Vec<Row> = chances
        .map(|(e, number)| Row {
            label: e.text.clone(),
            verdict: String::new(),
            number: number.clone(),
            within: None,
            series: 0,
        })
        .collect();
    if !rows.is_empty() {
        let span = Some((0, 100 * MILLION));
        page.add(Block::Intervals(Intervals { caption: "Chances".into(), unit: "%".into(), span, zero: None, rows }));
    }
    for (e, tally) in estimates.iter().zip(&sample.tallies) {
        let mean_is_drawn = |other: &Estimate| matches!(other.point, Point::Mean(_)) && other.text == e.text;
        let again = matches!(e.point, Point::Values(_)) && estimates.iter().any(mean_is_drawn);
        if matches!(e.point, Point::Share { .. }) || tally.counted == 0 || again {
            continue;
        }
        let level = settings.until.is_none().then_some(e.level);
        let means = whole_mean(e).map(|mean| vec![(0, mean)]).unwrap_or_default();
        let label = |cells: &[i64]| label(&e.ty, cells).unwrap_or_else(|| value_text(&scenario.game, &e.ty, cells));
        page.add(Block::Heading(e.text.clone()));
        page.add(Block::Distribution(Distribution {
            caption: format!("How often each value came in {} runs", tally.counted),
            series: vec![e.text.clone()],
            unit: Unit::of(&e.ty, false).sign().into(),
            bars: bars(&e.ty, &[tally], level, label),
            means,
        }));
    }
    page
}

/// The share or the mean as a number of a page; none for values, and where no run counted.
fn whole(e: &Estimate) -> Option<Number> {
    match e.point {
        _ if e.counted == 0 => None,
        Point::Share { .. } => Some(estimated(Unit::Percent, e.value(), e.interval, e.level.name)),
        Point::Mean(_) => whole_mean(e),
        Point::Values(_) => None,
    }
}

fn whole_mean(e: &Estimate) -> Option<Number> {
    let mean = matches!(e.point, Point::Mean(_)) && e.counted > 0;
    mean.then(|| estimated(Unit::of(&e.ty, false), e.value(), e.interval, e.level.name))
}

/// A number of a sample, told as exactly as its interval allows.
pub(in super::super) fn estimated(unit: Unit, value: Option<f64>, interval: Option<(f64, f64)>, level: &str) -> Number {
    let at = value.map(|v| millionths(unit.scaled(v)));
    let Some(ends) = interval else {
        let text = value.map_or("not known".into(), |v| rounded(unit.scaled(v), 2, None) + unit.sign());
        return Number::new(text, at, How::Sampled);
    };
    let told = unit.told(value, ends, level);
    let (text, ends_text) = told.split_once(", ").unwrap_or((&told, ""));
    let ends = (millionths(unit.scaled(ends.0)), millionths(unit.scaled(ends.1)));
    Number::new(text, at, How::Sampled).within(ends, ends_text)
}

fn told(whole: &[(&Estimate, Number)]) -> Table {
    let row = |(e, number): &(&Estimate, Number)| {
        let sort = if matches!(e.point, Point::Share { .. }) { "chance" } else { "mean" };
        let method = if number.ends.is_some() { e.method.name() } else { "no interval, as nothing bounds it" };
        vec![
            Cell::Text(e.text.clone()),
            Cell::Text(sort.into()),
            Cell::Number(number.clone()),
            Cell::Text(e.counted.to_string()),
            Cell::Text(method.into()),
        ]
    };
    Table {
        caption: String::new(),
        heads: ["measure", "", "estimate", "runs that count", "interval by"].map(String::from).to_vec(),
        rows: whole.iter().map(row).collect(),
    }
}

/// A comparison, below its heading.
pub(in super::super) fn comparison_page(page: &mut Page, names: &Names<'_>, found: &Comparison) {
    let counted = found.pairs - found.faults;
    if let Some(why) = names.why {
        page.add(Block::Text(format!("Not exact: {why}.")));
    }
    let dice = if names.unpaired { "each with dice of its own" } else { "on the same dice" };
    page.add(Block::Text(format!(
        "A {}, B {}: {} pairs of runs, {dice}, seed {}, {} ended in an error.",
        names.a, names.b, found.pairs, names.seed, found.faults
    )));
    if found.stopped {
        page.add(Block::Note("Stopped by hand before it was decided.".into()));
    }
    // a scale for each unit
    let mut units: Vec<&str> = Vec::new();
    for e in &found.effects {
        let sign = Unit::of(&e.ty, e.share).sign();
        if !units.contains(&sign) {
            units.push(sign);
        }
    }
    for sign in units {
        let of = || found.effects.iter().enumerate().filter(|(_, e)| Unit::of(&e.ty, e.share).sign() == sign);
        let rows = of().map(|(n, e)| Row {
            label: named(n, e),
            verdict: judged(found, n, e),
            number: effect(found, e),
            within: (n == 0).then(|| millionths(Unit::of(&e.ty, e.share).scaled(found.within))),
            series: 0,
        });
        let sides = ["less in B", "more in B"];
        page.add(Block::Intervals(Intervals::effects("Effects", sign == "%", sign, sides, rows.collect())));
    }
    page.add(Block::Table(effects(found, counted)));
    for e in &found.effects {
        if let Some(both) = over_each_other(names, e) {
            page.add(both);
        }
    }
}

/// What a measure is called; the first is the primary one.
fn named(n: usize, e: &Effect) -> String {
    if n == 0 { format!("{} (primary)", e.text) } else { e.text.clone() }
}

/// The difference, with a sign in front, and its interval.
fn effect(found: &Comparison, e: &Effect) -> Number {
    let unit = Unit::of(&e.ty, e.share);
    let [low, high] = [e.interval.0, e.interval.1].map(|x| unit.scaled(x));
    let (places, sign) = (places(found, e), if e.share { " points" } else { unit.sign() });
    let signed = |x: f64, up| {
        let text = rounded(x, places, up);
        if text.starts_with('-') || x == 0.0 { text } else { format!("+{text}") }
    };
    let difference = e.means.map(|[_, _, difference]| unit.scaled(difference));
    let text = difference.map_or("not known".into(), |d| signed(d, None) + sign);
    let ends = format!("{}% {} to {}", level_of(e.alpha), signed(low, Some(false)), signed(high, Some(true)));
    Number::new(text, difference.map(millionths), How::Sampled).within((millionths(low), millionths(high)), ends)
}

fn effects(found: &Comparison, counted: u64) -> Table {
    let row = |(n, e): (usize, &Effect)| {
        let unit = Unit::of(&e.ty, e.share);
        let places = places(found, e);
        let mean = |which: usize| {
            let value = e.means.map(|means| unit.scaled(means[which]));
            let text = value.map_or("not known".into(), |v| rounded(v, places, None) + unit.sign());
            Cell::Number(Number::new(text, value.map(millionths), How::Sampled))
        };
        vec![
            Cell::Text(named(n, e)),
            mean(0),
            mean(1),
            Cell::Text(e.spread.as_ref().map_or(String::new(), |s| spread(unit, s))),
            Cell::Text(format!("{} of {counted}", e.discordant)),
        ]
    };
    let heads = ["measure", "A", "B", "values", "pairs that differ"];
    Table {
        caption: String::new(),
        heads: heads.map(String::from).to_vec(),
        rows: found.effects.iter().enumerate().map(row).collect(),
    }
}

/// The values of a measure in A and in B.
fn over_each_other(names: &Names<'_>, e: &Effect) -> Option<Block> {
    let [a, b] = &e.values;
    if a.counted == 0 || b.counted == 0 {
        return None;
    }
    let unit = Unit::of(&e.ty, false);
    let yes_or_no = |cells: &[i64]| if cells == [1] { "yes".to_string() } else { "no".to_string() };
    let label = |cells: &[i64]| label(&e.ty, cells).unwrap_or_else(|| yes_or_no(cells));
    let mean = |n: usize| {
        let value = e.means.map(|means| means[n]).filter(|_| !e.share)?;
        Some((n, Number::new(rounded(value, 2, None) + unit.sign(), Some(millionths(value)), How::Sampled)))
    };
    Some(Block::Distribution(Distribution {
        caption: format!("{}: how often each value came, in A and in B", e.text),
        series: vec![format!("A {}", names.a), format!("B {}", names.b)],
        unit: unit.sign().into(),
        bars: bars(&e.ty, &[a, b], None, label),
        means: (0..2).filter_map(mean).collect(),
    }))
}

/// A bar for each value that came in any of the tallies; with intervals at a level, if the number of runs was fixed
/// beforehand.
fn bars(ty: &Type, tallies: &[&Tally], level: Option<Level>, label: impl Fn(&[i64]) -> String) -> Vec<Bar> {
    let mut times: BTreeMap<&[i64], Vec<u64>> = BTreeMap::new();
    for (n, tally) in tallies.iter().enumerate() {
        for (cells, count) in tally.values().into_iter().flatten() {
            times.entry(cells).or_insert_with(|| vec![0; tallies.len()])[n] = count;
        }
    }
    let share = |(tally, times): (&&Tally, &u64)| {
        let share = Some(*times as f64 / tally.counted.max(1) as f64);
        match level {
            Some(level) => estimated(Unit::Percent, share, Some(wilson(*times, tally.counted, level)), level.name),
            None => estimated(Unit::Percent, share, None, ""),
        }
    };
    let mut below = 0;
    let bar = |(cells, times): (&&[i64], &Vec<u64>)| {
        let at = place(ty, cells);
        let sums = match (tallies, times.as_slice()) {
            ([tally], [own]) if at.is_some() => {
                below += own;
                Some([below, tally.counted + own - below].map(|times| share((tally, &times))))
            }
            _ => None,
        };
        Bar { label: label(cells), at, shares: tallies.iter().zip(times).map(share).collect(), sums }
    };
    let mut times: Vec<(&&[i64], &Vec<u64>)> = times.iter().collect();
    times.sort_by(|(a, _), (b, _)| order(ty, a, b));
    times.into_iter().map(bar).collect()
}

/// Where a value lies, if it is a number.
pub(in super::super) fn place(ty: &Type, cells: &[i64]) -> Option<i64> {
    match (ty, cells) {
        (Type::Int(_), [n, ..]) => ratio(*n, 1),
        (Type::Length, [n, ..]) => ratio(*n, 1_000),
        (Type::Ratio, [num, den, ..]) => ratio(*num, *den),
        _ => None,
    }
}

/// A number in words.
pub(in super::super) fn label(ty: &Type, cells: &[i64]) -> Option<String> {
    let at = place(ty, cells)?;
    Some(trimmed(at as f64 / MILLION as f64) + Unit::of(ty, false).sign())
}
