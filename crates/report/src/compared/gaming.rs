//! Reports how much best play gains over plain play under two versions, and at which decisions.

use super::super::finding::{Cell, Finding, Table, listed};
use super::super::page::{How, MILLION, Number};
use super::super::sampled::Unit;
use super::super::story::spoken;
use super::super::table::{self, KnownNumber};
use super::Names;
use super::exact::trimmed;
use grognard_base::order;
use grognard_base::value::{Fraction, Type};
use grognard_play::odds::{PlayDeparture, PlayGain};
use serde_json::{Value, json};

/// Number of digits after the decimal point.
const DIGITS: u32 = 3;

/// Maximum number of decisions in the text.
const MOST: usize = 8;

/// The question and its answers for both versions.
#[derive(Clone, Copy, Debug)]
pub struct Gamed<'g> {
    /// The player who plays best.
    pub player: &'g str,
    /// Whether the player minimizes the measure.
    pub least: bool,
    /// The text and the type of the measure.
    pub measure: (&'g str, &'g Type),
    /// The answer for each version.
    pub gains: [&'g PlayGain; 2],
}

impl Gamed<'_> {
    fn unit(&self) -> Unit {
        Unit::of(self.measure.1, *self.measure.1 == Type::Flag)
    }

    /// Formats the number of a value, a chance in percent.
    fn number(&self, value: &Fraction) -> String {
        let share = *self.measure.1 == Type::Flag;
        trimmed(&if share { value * &Fraction::whole(100) } else { value.clone() }, DIGITS)
    }

    /// Formats a value of the measure.
    fn value(&self, value: &Fraction) -> String {
        self.number(value) + self.unit().sign()
    }

    /// Formats the difference of two values.
    fn difference(&self, value: &Fraction) -> String {
        self.number(value) + self.unit().points()
    }

    /// Formats a gain with its sign.
    fn signed(&self, gain: &Fraction) -> String {
        if *gain <= Fraction::zero() { self.difference(gain) } else { format!("+{}", self.difference(gain)) }
    }
}

/// Combines the findings of several pairs.
pub fn gamings(all: Vec<Finding>) -> Finding {
    let title = all.first().map_or(String::new(), |first| first.title.clone());
    listed(title, 2, "gaming", all)
}

/// Returns a number cell with its text.
fn cell(text: String, value: &Fraction) -> Cell {
    Cell::Number(Number::new(text, (value * &Fraction::whole(MILLION)).decimal(0).parse().ok(), How::Exact))
}

/// Returns the gain of a version.
fn total(gain: &PlayGain) -> Fraction {
    &gain.best - &gain.plain
}

/// Formats a gain in percent of the plain value. The text is empty if that value is 0.
fn in_percent(gain: &PlayGain) -> String {
    if gain.plain.is_zero() {
        return String::new();
    }
    let share = &(&total(gain) * &Fraction::whole(100)) / &gain.plain;
    format!("{} %", share.decimal(0))
}

/// Renders a decision as text: the subject, the name, the best entry and the plain entry.
fn words(one: &PlayDeparture) -> String {
    let who = if one.of.is_empty() { String::new() } else { format!("{}, ", one.of) };
    let plain = one.plain.as_deref().map_or("its own choice".to_string(), spoken);
    format!("{who}{}: {} instead of {plain}", spoken(&one.choice), spoken(&one.best))
}

/// Returns whether two departures are the same decision.
fn same(a: &PlayDeparture, b: &PlayDeparture) -> bool {
    (&a.choice, &a.of, &a.plain, &a.best) == (&b.choice, &b.of, &b.plain, &b.best)
}

/// Reports the gains under both versions.
pub fn gaming(names: &Names<'_>, gamed: &Gamed<'_>) -> Finding {
    let mut finding = names.finding();
    let [a, b] = gamed.gains;
    let (text, _) = gamed.measure;
    let aim = if gamed.least { "as small as possible" } else { "as large as possible" };
    finding.say(format!("{} makes {text} {aim}: exact", gamed.player));
    let row = |name: &str, gain: &PlayGain| {
        let won = total(gain);
        vec![
            name.to_string().into(),
            cell(gamed.value(&gain.plain), &gain.plain),
            cell(gamed.value(&gain.best), &gain.best),
            cell(gamed.signed(&won), &won),
            in_percent(gain).into(),
        ]
    };
    let rows = [row(&format!("A {}", names.a), a), row(&format!("B {}", names.b), b)];
    finding.add(Table::new(text, &["version", "plain play", "best play", "gain", "of plain play"], rows));
    finding.say(verdict(gamed));
    let mut all: Vec<(&PlayDeparture, [Fraction; 2])> = Vec::new();
    for (n, gain) in gamed.gains.into_iter().enumerate() {
        for one in &gain.departures {
            let at = all.iter().position(|(other, _)| same(other, one)).unwrap_or_else(|| {
                all.push((one, [Fraction::zero(), Fraction::zero()]));
                all.len() - 1
            });
            all[at].1[n] = one.gain.clone();
        }
    }
    order::sort_by_key(&mut all, |(_, [a, b])| std::cmp::Reverse(&absolute(a) + &absolute(b)));
    if !all.is_empty() {
        let rows = all.iter().take(MOST).map(|(one, gains)| {
            let gain = |gain: &Fraction| cell(gamed.signed(gain), gain);
            vec![words(one).into(), gain(&gains[0]), gain(&gains[1])]
        });
        finding.add(Table::new(
            "Decisions where best play differs from plain play, and their gain",
            &["decision", "A", "B"],
            rows,
        ));
        if let Some(more) = all.len().checked_sub(MOST).filter(|more| *more > 0) {
            finding.say(format!("{more} more decisions with smaller gains; `--format json` lists all"));
        }
    }
    facts(&mut finding, names, gamed);
    finding
}

fn absolute(x: &Fraction) -> Fraction {
    if *x < Fraction::zero() { -x } else { x.clone() }
}

/// Returns a sentence that compares the gains of the two versions.
fn verdict(gamed: &Gamed<'_>) -> String {
    let [a, b] = gamed.gains.map(|gain| absolute(&total(gain)));
    if a.is_zero() && b.is_zero() {
        return "Plain play is best play in both versions.".into();
    }
    let difference = absolute(&(&a - &b));
    match a.cmp(&b) {
        std::cmp::Ordering::Equal => "Best play gains the same in both versions.".into(),
        std::cmp::Ordering::Less => format!("Best play gains {} more in B than in A.", gamed.difference(&difference)),
        std::cmp::Ordering::Greater => {
            format!("Best play gains {} less in B than in A.", gamed.difference(&difference))
        }
    }
}

/// Stores the values, gains and decisions of both versions as facts and rows.
fn facts(finding: &mut Finding, names: &Names<'_>, gamed: &Gamed<'_>) {
    let exact = |value: &Fraction| json!({ "fraction": table::fraction(value), "decimal": value.float() });
    let departure = |one: &PlayDeparture| {
        json!({
            "choice": one.choice,
            "of": one.of,
            "plain": one.plain,
            "best": one.best,
            "reached": exact(&one.reached),
            "gain": exact(&one.gain),
        })
    };
    let version = |gain: &PlayGain| {
        json!({
            "plain": exact(&gain.plain),
            "best": exact(&gain.best),
            "gain": exact(&total(gain)),
            "decisions": gain.departures.iter().map(departure).collect::<Vec<Value>>(),
        })
    };
    let [a, b] = gamed.gains;
    finding.all_facts(json!({
        "player": gamed.player,
        "aim": if gamed.least { "worst" } else { "best" },
        "measure": gamed.measure.0,
        "in_a": version(a),
        "in_b": version(b),
    }));
    for (name, of) in
        [("plain play", (&a.plain, &b.plain)), ("best play", (&a.best, &b.best)), ("gain", (&total(a), &total(b)))]
    {
        let (left, right) = of;
        let mut row = table::row(json!({
            "scenario": names.scenario, "a": names.a, "b": names.b, "what": name,
            "measure": gamed.measure.0, "sort": "difference", "unit": table::unit(gamed.measure.1, *gamed.measure.1 == Type::Flag),
            "in_a": left.float(), "in_b": right.float(),
            "fraction_a": table::fraction(left), "fraction_b": table::fraction(right),
        }));
        KnownNumber::Exact(right - left).tell(&mut row);
        finding.rows.push(row);
    }
}
