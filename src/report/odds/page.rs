//! Odds as pages to look at: chances on one scale, distributions, and the line of play that was found.

use super::super::bounds::percents;
use super::super::page::{
    Bar, Block, Cell, Distribution as Drawn, Effect, How, Intervals, MILLION, Number, Page, Table,
};
use super::super::sampled::{place, value_label, value_text};
use super::{Decision, Odds, Told, from_to, number, numbers, scaled, scaled_root, short};
use crate::exact::{Distribution, Label, Worth};
use crate::scenario::FigureSort;
use crate::value::{Fraction, NONE, Type};

/// The page of what was asked, under a name; with the line of play, if somebody wants to see it.
pub fn page(name: &str, odds: &Odds<'_>, line: Option<&[Decision]>) -> Page {
    let mut page = Page::new(format!("odds of {name}"));
    let states = odds.states;
    page.add(Block::Text(format!("{states} position{} explored.", if states == 1 { "" } else { "s" })));
    let open = odds.told.iter().filter_map(|t| Some(t.answer.found.as_ref()?.unexplored())).max();
    if let Some(open) = open.filter(|open| !open.is_zero()) {
        let open = open.percent();
        page.add(Block::Note(format!(
            "{open} of all was not explored. A share lies between what is drawn of it and that much more."
        )));
    }
    let chances: Vec<&Told<'_>> = odds.told.iter().filter(|t| t.sort == FigureSort::Chance).collect();
    if !chances.is_empty() {
        let row = |told: &&Told<'_>| Effect {
            label: told.text.to_string(),
            verdict: String::new(),
            number: chance(told),
            within: None,
            series: 0,
        };
        page.add(Block::Intervals(Intervals {
            caption: "Chances".into(),
            unit: "%".into(),
            span: Some((0, 100 * MILLION)),
            zero: None,
            rows: chances.iter().map(row).collect(),
        }));
    }
    // a mean is told with the histogram of the same, if there is one
    let drawn_elsewhere = |told: &Told<'_>| {
        let hist = |other: &&Told<'_>| other.sort == FigureSort::Hist && other.text == told.text;
        told.sort == FigureSort::Mean && odds.told.iter().any(|other| hist(&other))
    };
    let numbers = odds.told.iter().filter(|t| t.sort != FigureSort::Chance && !drawn_elsewhere(t));
    let numbers: Vec<&Told<'_>> = numbers.collect();
    let means: Vec<Vec<Cell>> = numbers.iter().filter_map(|told| means(told)).collect();
    if !means.is_empty() {
        page.add(Block::Table(Table {
            caption: "Means".into(),
            heads: ["of", "mean", "deviation"].map(String::from).to_vec(),
            rows: means,
        }));
    }
    for told in odds.told.iter() {
        for note in ends(told) {
            page.add(Block::Note(note));
        }
    }
    for told in numbers {
        if let Some(found) = &told.answer.found {
            page.add(Block::Heading(told.text.to_string()));
            page.add(Block::Distribution(drawn(odds, told, found)));
        }
    }
    super::why::add(&mut page, odds);
    if let Some(line) = line {
        played(&mut page, line);
    }
    page
}

/// A fraction of so many units, in millionths.
pub(super) fn millionths(value: &Fraction, units: i64) -> Option<i64> {
    (value * &Fraction::whole(units.saturating_mul(MILLION))).decimal(0).parse().ok()
}

pub(super) fn how(label: Label) -> How {
    match label {
        Label::Exact => How::Exact,
        Label::Bounded => How::Bounded,
    }
}

/// A share of all, `more` of which is not known.
fn share(low: &Fraction, more: &Fraction, label: Label) -> Number {
    if more.is_zero() {
        let percent = low.percent();
        // what is next to nothing and next to all is told with its own sign
        let sign = if percent.starts_with(['<', '>']) { "" } else { "= " };
        let text = format!("{} {sign}{percent}", short(low));
        return Number::new(text, millionths(low, 100), how(label));
    }
    let high = low + more;
    let ends = (millionths(low, 100).unwrap_or(0), millionths(&high, 100).unwrap_or(0));
    Number::new("between", None, how(label)).within(ends, percents(low, &high).join(" and "))
}

fn chance(told: &Told<'_>) -> Number {
    let Some(found) = &told.answer.found else { return Number::new("not known", None, how(told.answer.label)) };
    share(&found.chance(|cells| cells.first() == Some(&1)), &found.unexplored(), told.answer.label)
}

/// A number with its fraction, if that is another text.
fn told_of(ty: &Type, value: &Fraction, label: Label) -> Number {
    let (exact, plain) = (scaled(ty, value), number(ty, value));
    let text = if exact.den() == &1u32.into() { plain } else { format!("{} = {plain}", short(&exact)) };
    Number::new(text, millionths(&exact, 1), how(label))
}

fn mean(told: &Told<'_>) -> Option<Number> {
    match (&told.answer.mean, &told.answer.between) {
        (Some(mean), _) => Some(told_of(told.ty, mean, told.answer.label)),
        (_, Some((low, high))) => {
            let ends = [low, high].map(|end| millionths(&scaled(told.ty, end), 1).unwrap_or(0));
            let text = numbers(told.ty, (low, high)).join(" and ");
            Some(Number::new("between", None, How::Bounded).within((ends[0], ends[1]), text))
        }
        _ => None,
    }
}

fn means(told: &Told<'_>) -> Option<Vec<Cell>> {
    let deviation = told.answer.variance.as_ref().map_or(String::new(), |v| scaled_root(told.ty, v));
    Some(vec![Cell::Text(told.text.to_string()), Cell::Number(mean(told)?), Cell::Text(deviation)])
}

/// Ends without a value, in words.
fn ends(told: &Told<'_>) -> Vec<String> {
    let Some(found) = &told.answer.found else { return Vec::new() };
    let open = found.unexplored();
    let end = |o: &crate::exact::Outcome| {
        let why = match &o.worth {
            Worth::Cells(_) => return None,
            Worth::Fault(fault) => format!("the run ends in an error: {}: {}", fault.code, fault.message),
            Worth::Never => "the run never ends".to_string(),
        };
        let share = found.share(o);
        let times = if open.is_zero() { share.percent() } else { from_to(&share, &open) };
        Some(format!("{}: in {times} of all cases {why}", told.text))
    };
    found.outcomes.iter().filter_map(end).collect()
}

fn drawn(odds: &Odds<'_>, told: &Told<'_>, found: &Distribution) -> Drawn {
    let open = found.unexplored();
    // what is this or less, and what is this or more
    let whole = found.outcomes.iter().fold(Fraction::zero(), |sum, o| &sum + &found.share(o));
    let valued = found.outcomes.iter().all(|o| matches!(&o.worth, Worth::Cells(cells) if cells.first() != Some(&NONE)));
    let mut most = Fraction::zero();
    let bar = |o: &crate::exact::Outcome| {
        let Worth::Cells(cells) = &o.worth else { return None };
        let own = found.share(o);
        let least = &whole - &most;
        most += &own;
        let part = |part: &Fraction| share(part, &open, told.answer.label);
        let sums = (valued && place(told.ty, cells).is_some()).then(|| [part(&most), part(&least)]);
        let at = if cells.first() == Some(&NONE) { None } else { place(told.ty, cells) };
        let word = || value_text(odds.game, told.ty, cells);
        let label = at.and_then(|_| value_label(told.ty, cells)).unwrap_or_else(word);
        Some(Bar { label, at, shares: vec![share(&own, &open, told.answer.label)], sums })
    };
    Drawn {
        caption: "How often each value comes".into(),
        series: vec![told.text.to_string()],
        unit: if *told.ty == Type::Length { "\"".into() } else { String::new() },
        bars: found.outcomes.iter().filter_map(bar).collect(),
        means: mean(told).filter(|m| m.at.is_some()).map(|mean| (0, mean)).into_iter().collect(),
    }
}

/// The line of play.
fn played(page: &mut Page, line: &[Decision]) {
    page.add(Block::Heading("Line of play".into()));
    if line.is_empty() {
        page.add(Block::Text("Nobody decides anything for the best or the worst.".into()));
        return;
    }
    let row = |d: &Decision| {
        vec![
            Cell::Text(d.place()),
            Cell::Text(format!("{} ({})", d.what(), d.aim)),
            Cell::Text(d.taken.clone()),
            Cell::Number(Number::new(d.worth(), None, if d.worth.0 == d.worth.1 { How::Exact } else { How::Bounded })),
            Cell::Number(share(&d.reached, &Fraction::zero(), Label::Exact)),
            Cell::Text(d.ties.join(", ")),
        ]
    };
    page.add(Block::Table(Table {
        caption: "Each decision that it reaches".into(),
        heads: ["where", "decides", "takes", "worth", "reached", "as good"].map(String::from).to_vec(),
        rows: line.iter().map(row).collect(),
    }));
}
