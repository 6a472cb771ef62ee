//! Comparisons as a page to look at.

use super::super::page::{Bar, Block, Cell, Distribution, Effect as Row, How, Intervals, MILLION, Number, Page, Table};
use super::super::sampled::{self, comparison_page, estimated};
use super::exact::{judged, mean, points, scaled, size, spread, unit, value};
use super::{Names, pairs, together as whole};
use crate::sample::{Compared, ExactEffect, Exactly, Together, together};
use crate::value::*;

/// All comparisons of a command, one below the other, and at the end what several scenarios say together.
pub fn page(all: &[(Names<'_>, &Compared)]) -> Page {
    let Some((first, _)) = all.first() else { return Page::new("") };
    let mut page = Page::new(format!("compare {} with {}", first.a, first.b));
    page.add(Block::Text("A stands first, B second. An effect is what B has more than A.".into()));
    for (names, found) in all {
        page.add(Block::Heading(names.scenario.into()));
        match found {
            Compared::Exact(found) => one(&mut page, names, found),
            Compared::Sampled(found) => comparison_page(&mut page, names, found),
        }
    }
    for (names, found) in pairs(all) {
        let list = together(&found);
        if !list.is_empty() {
            page.add(Block::Heading(format!("{} scenarios together", found.len())));
            page.add(Block::Text(format!("A {}, B {}; every scenario counts alike.", names.a, names.b)));
            page.add(Block::Table(table_together(&list)));
        }
    }
    let notes = sampled::notes(all);
    if !notes.is_empty() {
        page.add(Block::Heading("About what was sampled".into()));
        notes.into_iter().for_each(|note| page.add(Block::Text(note)));
    }
    page
}

fn one(page: &mut Page, names: &Names<'_>, found: &Exactly) {
    let [a, b] = found.positions;
    page.add(Block::Text(format!(
        "A {}, B {}: both worked out, no run was played; {a} positions of A and {b} of B were explored.",
        names.a, names.b
    )));
    // a scale for each unit
    let mut units: Vec<&str> = Vec::new();
    for e in &found.effects {
        if !units.contains(&unit(e).sign()) {
            units.push(unit(e).sign());
        }
    }
    for sign in units {
        let of = found.effects.iter().enumerate().filter(|(_, e)| unit(e).sign() == sign);
        let rows = of.map(|(n, e)| Row {
            label: named(n, e),
            verdict: judged(found, n, e),
            number: effect(e),
            within: found.within.as_ref().filter(|_| n == 0).map(|w| at(&scaled(e, w))),
            series: 0,
        });
        let sides = ["less in B", "more in B"];
        page.add(Block::Intervals(Intervals::effects("Effects", sign == "%", sign, sides, rows.collect())));
    }
    let rows = found.effects.iter().enumerate().map(|(n, e)| {
        let mean = |n: usize| Cell::Number(number(mean(e, &e.means[n]), &scaled(e, &e.means[n])));
        vec![Cell::Text(named(n, e)), mean(0), mean(1), Cell::Text(spread(e))]
    });
    page.add(Block::Table(Table {
        caption: String::new(),
        heads: ["measure", "A", "B", "values"].map(String::from).to_vec(),
        rows: rows.collect(),
    }));
    for e in &found.effects {
        if let Some(both) = over_each_other(names, e) {
            page.add(both);
        }
    }
}

/// What a measure is called; the first is the primary one.
fn named(n: usize, e: &ExactEffect) -> String {
    if n == 0 { format!("{} (primary)", e.text) } else { e.text.clone() }
}

/// Where a number is drawn.
fn at(x: &Fraction) -> i64 {
    (x * &Fraction::whole(MILLION)).decimal(0).parse().unwrap_or(0)
}

fn number(text: String, place: &Fraction) -> Number {
    Number::new(text, Some(at(place)), How::Exact)
}

/// The difference, with a sign in front.
fn effect(e: &ExactEffect) -> Number {
    let difference = e.difference();
    let sign = match difference.cmp(&Fraction::zero()) {
        std::cmp::Ordering::Less => "-",
        std::cmp::Ordering::Equal => return number(format!("0{}", points(e)), &difference),
        std::cmp::Ordering::Greater => "+",
    };
    let size = size(unit(e), &difference);
    let size = size.split_once(" = ").map_or(format!("{sign}{size}"), |(f, d)| format!("{sign}{f} = {sign}{d}"));
    number(size, &scaled(e, &difference))
}

/// The values of a measure in A and in B.
fn over_each_other(names: &Names<'_>, e: &ExactEffect) -> Option<Block> {
    let share = |share: &Fraction| number(share.percent(), &(share * &Fraction::whole(100)));
    let bars = e.both()?.into_iter().map(|(cells, shares)| Bar {
        label: value(e, cells),
        at: sampled::place(&e.ty, cells),
        shares: shares.iter().map(share).collect(),
        sums: None,
    });
    let means = (0..2).filter(|_| !e.share).map(|n| (n, number(mean(e, &e.means[n]), &e.means[n])));
    Some(Block::Distribution(Distribution {
        caption: format!("{}: how often each value comes, in A and in B", e.text),
        series: vec![format!("A {}", names.a), format!("B {}", names.b)],
        unit: if e.share { String::new() } else { unit(e).sign().into() },
        bars: bars.collect(),
        means: means.collect(),
    }))
}

/// What scenarios say together.
fn table_together(list: &[Together]) -> Table {
    let row = |t: &Together| {
        let how = if t.exact.is_some() { How::Exact } else { How::Sampled };
        let place = estimated(sampled::Unit::of(&t.ty, t.share), t.difference, Some(t.interval), "").at;
        vec![
            Cell::Text(t.text.clone()),
            Cell::Text(whole::counts(t)),
            Cell::Number(Number::new(whole::told(t), place, how)),
        ]
    };
    Table {
        caption: String::new(),
        heads: ["measure", "verdicts", "mean difference"].map(String::from).to_vec(),
        rows: list.iter().map(row).collect(),
    }
}
