//! Comparisons that were worked out: fractions, and no interval and no p-value.

use super::super::clean;
use super::super::odds::short;
use super::super::sampled::Unit;
use super::super::table::{self, Known, Row};
use super::{Names, at_most, margin, verdict};
use crate::sample::{ExactEffect, Exactly, Judgement};
use crate::value::*;
use serde_json::{Value, json};
use std::fmt::Write;

/// Least and most digits behind the point.
const DIGITS: std::ops::RangeInclusive<u32> = 2..=6;

/// How a measure is written.
pub(super) fn unit(e: &ExactEffect) -> Unit {
    Unit::of(&e.ty, e.share)
}

/// A value of a measure in the numbers it is told in: conditions in percent.
pub(super) fn scaled(e: &ExactEffect, value: &Fraction) -> Fraction {
    if e.share { value * &Fraction::whole(100) } else { value.clone() }
}

/// Digits with which a number of this size is told to two places.
pub fn digits(x: &Fraction) -> u32 {
    let enough = |d: &u32| x.decimal(*d).bytes().filter(u8::is_ascii_digit).skip_while(|d| *d == b'0').count() > 1;
    DIGITS.clone().find(enough).unwrap_or(if x.is_zero() { *DIGITS.start() } else { *DIGITS.end() })
}

/// A number without needless digits; one that is rounded keeps all of them.
pub fn trimmed(x: &Fraction, digits: u32) -> String {
    let text = x.decimal(digits);
    let is_rounded = (x * &Fraction::whole(10i64.pow(digits))).den() != &1u32.into();
    if is_rounded { text } else { text.trim_end_matches('0').trim_end_matches('.').to_string() }
}

/// A number to two places at least, without needless digits.
pub(in crate::report) fn sensible(x: &Fraction) -> String {
    trimmed(x, digits(x))
}

/// What stands behind a difference.
pub(super) fn points(e: &ExactEffect) -> &'static str {
    if e.share { " points" } else { unit(e).sign() }
}

/// Digits with which the means of an effect and their difference are told.
pub(super) fn places(e: &ExactEffect) -> u32 {
    digits(&scaled(e, &e.difference()))
}

/// A mean as a fraction and as a decimal number: `1/3 = 33.33%`.
pub(super) fn mean(e: &ExactEffect, value: &Fraction) -> String {
    let told = trimmed(&scaled(e, value), places(e)) + unit(e).sign();
    if value.den() == &1u32.into() { told } else { format!("{} = {told}", short(value)) }
}

/// The size of a difference as a fraction and in the units of its measure: `1/6 = 16.67 points`.
pub(super) fn size(unit: Unit, difference: &Fraction) -> String {
    let size = if *difference < Fraction::zero() { -difference } else { difference.clone() };
    let share = matches!(unit, Unit::Percent);
    let told = if share { &size * &Fraction::whole(100) } else { size.clone() };
    let text = trimmed(&told, digits(&told));
    let sign = match share {
        true if text == "1" => " point",
        true => " points",
        false => unit.sign(),
    };
    if size.den() == &1u32.into() { text + sign } else { format!("{} = {text}{sign}", short(&size)) }
}

/// A difference in words: `1/6 = 16.67 points less`.
pub(super) fn more_or_less(unit: Unit, difference: &Fraction) -> String {
    match difference.cmp(&Fraction::zero()) {
        std::cmp::Ordering::Equal => "no difference".to_string(),
        std::cmp::Ordering::Less => size(unit, difference) + " less",
        std::cmp::Ordering::Greater => size(unit, difference) + " more",
    }
}

/// What is said of the effect on measure `n`.
pub(super) fn judged(found: &Exactly, n: usize, e: &ExactEffect) -> String {
    match (e.judgement, &found.within) {
        _ if e.difference().is_zero() => "no difference".into(),
        (Judgement::Same, Some(within)) if n == 0 => {
            let margin = trimmed(&scaled(e, within), *DIGITS.end());
            let unit = if e.share && margin == "1" { " point" } else { points(e) };
            format!("same within {margin}{unit}")
        }
        (judgement, _) => verdict(judgement, e.good, e.share).into(),
    }
}

/// Where the two spreads of values part most and how far they overlap, in words; empty if that says nothing new.
pub(super) fn spread(e: &ExactEffect) -> String {
    match (e.parting(), e.moved()) {
        (Some(parting), Some(moved)) if !e.share => {
            let [a, b] = parting.shares.each_ref().map(Fraction::percent);
            let told = at_most(&value(e, &parting.at), parting.least, &a, &b);
            format!("{told}; the two spreads overlap by {}", (&Fraction::one() - &moved).percent())
        }
        _ => String::new(),
    }
}

/// For people, below the line with the names.
pub(super) fn human(found: &Exactly) -> String {
    let [a, b] = found.positions;
    let mut text = format!("exact: {a} positions of A and {b} of B explored\n");
    if let (Some(first), Some(within)) = (found.effects.first(), &found.within) {
        text += &margin(unit(first), within.float(), found.range);
    }
    for (n, e) in found.effects.iter().enumerate() {
        let order = if n == 0 { "primary" } else { "also" };
        let _ = writeln!(text, "{order} {}: {}", clean(&e.text), judged(found, n, e));
        let difference = e.difference();
        let told = more_or_less(unit(e), &difference) + if difference.is_zero() { "" } else { " in B" };
        let _ = writeln!(text, "  A {}, B {}: {told}  (exact)", mean(e, &e.means[0]), mean(e, &e.means[1]));
        let spread = spread(e);
        if !spread.is_empty() {
            let _ = writeln!(text, "  {spread}");
        }
    }
    text
}

/// A value of a measure as it is told: lengths in inches, conditions as yes and no.
pub(super) fn value(e: &ExactEffect, cells: &[i64]) -> String {
    match (&e.ty, cells) {
        (Type::Flag, [n, ..]) => if *n == 1 { "yes" } else { "no" }.to_string(),
        (Type::Length, [n, ..]) => trimmed(&(&Fraction::whole(*n) / &Fraction::whole(1_000)), 3) + "\"",
        (Type::Ratio, [num, den, ..]) => Ratio::new(*num, *den).map_or(String::new(), |r| r.to_string()),
        (_, cells) => cells.first().map_or(String::new(), i64::to_string),
    }
}

/// As a JSON object, with the names that one from runs has.
pub(super) fn json(names: &Names<'_>, found: &Exactly) -> Value {
    let effects = found.effects.iter().enumerate().map(|(n, e)| {
        let [a, b] = &e.means;
        let values = e.both().map(|both| {
            let row = |(cells, [a, b]): (&[i64], [Fraction; 2])| {
                let [x, y] = [&a, &b].map(table::fraction);
                json!({ "value": value(e, cells), "in_a": a.float(), "in_b": b.float(), "fraction_a": x, "fraction_b": y })
            };
            both.into_iter().map(row).collect::<Vec<Value>>()
        });
        let mut row = table::row(json!({
            "measure": e.text,
            "primary": n == 0,
            "verdict": e.judgement.word(),
            "better": e.judgement.is_better(e.good),
            "in_a": a.float(),
            "in_b": b.float(),
            "fraction_a": table::fraction(a),
            "fraction_b": table::fraction(b),
            "moved": e.moved().map(|m| m.to_string()),
            "parting": e.parting().map(|p| {
                let [a, b] = p.shares.each_ref().map(Fraction::to_string);
                json!({ "at_most": value(e, &p.at), "in_a": a, "in_b": b })
            }),
            "unit": table::unit(&e.ty, e.share),
            "values": values,
        }));
        Known::Exact(e.difference()).tell(&mut row);
        Value::Object(row)
    });
    json!({
        "schema": 1,
        "scenario": names.scenario,
        "a": names.a,
        "b": names.b,
        "label": "exact",
        "within": found.within.as_ref().map(Fraction::float),
        "positions": found.positions,
        "effects": effects.collect::<Vec<Value>>(),
    })
}

/// As rows.
pub(super) fn rows(found: &Exactly) -> Vec<Row> {
    let row = |e: &ExactEffect| {
        let [a, b] = &e.means;
        let mut row = table::row(json!({
            "measure": e.text,
            "sort": "difference",
            "unit": table::unit(&e.ty, e.share),
            "verdict": e.judgement.word(),
            "in_a": a.float(),
            "in_b": b.float(),
            "fraction_a": table::fraction(a),
            "fraction_b": table::fraction(b),
            "within": found.within.as_ref().map(Fraction::float),
        }));
        Known::Exact(e.difference()).tell(&mut row);
        row
    };
    found.effects.iter().map(row).collect()
}
