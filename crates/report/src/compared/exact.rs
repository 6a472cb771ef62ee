//! Reports exact comparisons. Their results are fractions, without intervals and p-values.

use super::super::odds::short;
use super::super::page::{Bar, How, MILLION, Number};
use super::super::sampled::{Unit, place};
use super::super::table::{self, KnownNumber};
use super::{Difference, at_most, verdict, yes_or_no};
use grognard_base::value::*;
use grognard_stats::{ExactEffect, Exactly, Judgement};
use serde_json::{Value, json};

/// Minimum and maximum number of digits after the decimal point.
const DIGITS: std::ops::RangeInclusive<u32> = 2..=6;

/// Returns the unit of a measure.
fn unit(e: &ExactEffect) -> Unit {
    Unit::of(&e.ty, e.share)
}

/// Converts a value of a measure to the unit that is printed. Shares are in percent.
fn scaled(e: &ExactEffect, value: &Fraction) -> Fraction {
    if e.share { value * &Fraction::whole(100) } else { value.clone() }
}

/// Returns the number of digits after the decimal point that shows two significant digits of `x`.
pub fn digits(x: &Fraction) -> u32 {
    let enough = |d: &u32| x.decimal(*d).bytes().filter(u8::is_ascii_digit).skip_while(|d| *d == b'0').count() > 1;
    DIGITS.clone().find(enough).unwrap_or(if x.is_zero() { *DIGITS.start() } else { *DIGITS.end() })
}

/// Formats a number. Trailing zeros are removed unless the number is rounded.
pub fn trimmed(x: &Fraction, digits: u32) -> String {
    let text = x.decimal(digits);
    let is_rounded = (x * &Fraction::whole(10i64.pow(digits))).den() != &1u32.into();
    if is_rounded { text } else { text.trim_end_matches('0').trim_end_matches('.').to_string() }
}

/// Formats a number with at least two significant digits, or exactly if it needs fewer.
pub(crate) fn sensible(x: &Fraction) -> String {
    trimmed(x, digits(x))
}

/// Returns the unit that is written after a difference.
fn points(e: &ExactEffect) -> &'static str {
    if e.share { " points" } else { unit(e).sign() }
}

/// Returns the number of decimal places for the means of an effect and their difference.
fn places(e: &ExactEffect) -> u32 {
    digits(&scaled(e, &e.difference()))
}

/// Formats a mean as a fraction and as a decimal number, such as `1/3 = 33.33%`.
fn mean(e: &ExactEffect, value: &Fraction) -> String {
    let rendered = trimmed(&scaled(e, value), places(e)) + unit(e).sign();
    if value.den() == &1u32.into() { rendered } else { format!("{} = {rendered}", short(value)) }
}

/// Formats the size of a difference as a fraction and in the unit of its measure, such as `1/6 = 16.67 points`.
fn size(unit: Unit, difference: &Fraction) -> String {
    let size = if *difference < Fraction::zero() { -difference } else { difference.clone() };
    let share = matches!(unit, Unit::Percent);
    let rendered = if share { &size * &Fraction::whole(100) } else { size.clone() };
    let text = trimmed(&rendered, digits(&rendered));
    let sign = match share {
        true if text == "1" => " point",
        true => " points",
        false => unit.sign(),
    };
    if size.den() == &1u32.into() { text + sign } else { format!("{} = {text}{sign}", short(&size)) }
}

/// Formats a difference with its direction, such as `1/6 = 16.67 points less`.
pub(crate) fn more_or_less(unit: Unit, difference: &Fraction) -> String {
    match difference.cmp(&Fraction::zero()) {
        std::cmp::Ordering::Equal => "no difference".to_string(),
        std::cmp::Ordering::Less => size(unit, difference) + " less",
        std::cmp::Ordering::Greater => size(unit, difference) + " more",
    }
}

/// Returns the verdict on the effect on measure `n`.
fn judged(found: &Exactly, n: usize, e: &ExactEffect) -> String {
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

/// Returns a sentence about the threshold at which the two distributions differ most, and their overlap. Returns an empty text
/// for shares, where this adds no information.
fn spread(e: &ExactEffect) -> String {
    match (e.parting(), e.moved()) {
        (Some(parting), Some(moved)) if !e.share => {
            let [a, b] = parting.shares.each_ref().map(Fraction::percent);
            let rendered = at_most(&value(e, &parting.at), parting.least, &a, &b);
            format!("{rendered}; the distributions overlap by {}", (&Fraction::one() - &moved).percent())
        }
        _ => String::new(),
    }
}

/// Formats a value of a measure. Lengths are in inches, and conditions are yes or no.
fn value(e: &ExactEffect, cells: &[i64]) -> String {
    match (&e.ty, cells) {
        (Type::Flag, _) => yes_or_no(&e.ty, cells).unwrap_or_default(),
        (Type::Length, [n, ..]) => trimmed(&(&Fraction::whole(*n) / &Fraction::whole(1_000)), 3) + "\"",
        (Type::Ratio, [num, den, ..]) => Ratio::new(*num, *den).map_or(String::new(), |r| r.to_string()),
        (_, cells) => cells.first().map_or(String::new(), i64::to_string),
    }
}

/// Returns the difference with a sign.
fn signed(e: &ExactEffect) -> Number {
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

fn number(text: String, place: &Fraction) -> Number {
    Number::new(text, (place * &Fraction::whole(MILLION)).decimal(0).parse().ok(), How::Exact)
}

/// Returns the differences in all measures.
pub(super) fn differences(found: &Exactly) -> Vec<Difference> {
    found.effects.iter().enumerate().map(|(n, e)| difference(found, n, e)).collect()
}

fn difference(found: &Exactly, n: usize, e: &ExactEffect) -> Difference {
    let ([a, b], size) = (&e.means, e.difference());
    let rendered = more_or_less(unit(e), &size) + if size.is_zero() { "" } else { " in B" };
    let mut lines = vec![format!("A {}, B {}: {rendered}  (exact)", mean(e, a), mean(e, b))];
    lines.extend(Some(spread(e)).filter(|spread| !spread.is_empty()));
    let both = e.both().unwrap_or_default();
    let share = |share: &Fraction| number(share.percent(), &(share * &Fraction::whole(100)));
    let bar = |(cells, shares): &(&[i64], [Fraction; 2])| Bar {
        label: value(e, cells),
        at: place(&e.ty, cells),
        shares: shares.iter().map(share).collect(),
        sums: None,
    };
    let values = both.iter().map(|(cells, [a, b])| {
        let [x, y] = [a, b].map(table::fraction);
        json!({ "value": value(e, cells), "in_a": a.float(), "in_b": b.float(), "fraction_a": x, "fraction_b": y })
    });
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
    KnownNumber::Exact(size).tell(&mut row);
    Difference {
        text: e.text.clone(),
        judged: judged(found, n, e),
        unit: unit(e),
        lines,
        number: signed(e),
        values: both.iter().map(bar).collect(),
        means: (0..2).filter(|_| !e.share).map(|n| (n, number(mean(e, &e.means[n]), &e.means[n]))).collect(),
        row,
        more: json!({
            "better": e.judgement.is_better(e.good),
            "moved": e.moved().map(|m| m.to_string()),
            "parting": e.parting().map(|p| {
                let [a, b] = p.shares.each_ref().map(Fraction::to_string);
                json!({ "at_most": value(e, &p.at), "in_a": a, "in_b": b })
            }),
            "values": e.both().map(|_| values.collect::<Vec<Value>>()),
        }),
    }
}
