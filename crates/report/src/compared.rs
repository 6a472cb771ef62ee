//! Reports comparisons of two versions, both exact and sampled.

#[doc(hidden)]
pub mod exact;
pub(super) mod edits;
mod gaming;
mod sampled;
mod together;
mod which;

pub use edits::{NOTHING, not_in_force, nothing};
pub(super) use exact::{more_or_less, sensible};
pub use gaming::{Gamed, gaming, gamings};
pub use sampled::METHOD;
pub use which::{Group, MeasureRow, Which, which, whiches};

use super::finding::{Block, Finding, listed};
use super::page::{Bar, Histogram, IntervalRow, Intervals, Number};
use super::sampled::{Unit, trimmed};
use super::table;
use super::undecided;
use grognard_base::Limit;
use grognard_base::value::Type;
use grognard_lab::force::Standing;
use grognard_play::NoDecision;
use grognard_play::odds::NotExact;
use grognard_scenario::Good;
use grognard_stats::{Compared, Judgement};
use serde_json::{Value, json};

/// The names of the two versions and the settings of the comparison, for a report.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The name of version A.
    pub a: &'n str,
    /// The name of version B.
    pub b: &'n str,
    /// The file of the scenario.
    pub scenario: &'n str,
    /// The seed of the dice.
    pub seed: u64,
    /// Whether the two versions rolled independent dice.
    pub unpaired: bool,
    /// The reason why the comparison is not exact, or `None` if an exact answer was not attempted.
    pub why: Option<&'n NotExact>,
    /// Number of comparisons that share the error rate.
    pub family: u64,
    /// Whether the report explains its methods in its last section.
    pub explain: bool,
    /// The edits that lead from A to B, and whether the scenario lets each of them take effect.
    pub edits: &'n [Standing],
}

impl Names<'_> {
    /// Returns the machine-readable reason why the comparison is not exact.
    fn not_exact(&self) -> [(&'static str, Value); 2] {
        let ended_by = self.why.and_then(|why| why.ended_by).map(Limit::word);
        [("not_exact", json!(self.why.map(|why| &why.why))), ("ended_by", json!(ended_by))]
    }

    /// Creates a finding about the two versions on their scenario.
    fn finding(&self) -> Finding {
        let mut finding = Finding::new(format!("compare {} with {}", self.a, self.b));
        finding.head(format!("{}: A {}, B {}", self.scenario, self.a, self.b));
        if let Some(why) = self.why {
            finding.say(format!("not exact: {why}"));
        }
        for (name, value) in [("scenario", self.scenario), ("a", self.a), ("b", self.b)] {
            finding.fact(name, json!(value));
        }
        finding.columns = table::columns(&[&["scenario", "a", "b", "what", "edits"], &table::FOUND, &table::VERSIONS]);
        finding
    }

    /// Returns the cells at the start of every row.
    fn row(&self) -> Value {
        json!({ "scenario": self.scenario, "a": self.a, "b": self.b })
    }
}

/// The difference in one measure, exact or sampled.
struct Difference {
    text: String,
    /// The verdict.
    judged: String,
    unit: Unit,
    /// Sentences with A, B and their difference.
    lines: Vec<String>,
    /// B minus A, with a sign.
    number: Number,
    /// The distribution of the values in A and in B. `means` holds the two means.
    values: Vec<Bar>,
    means: Vec<(usize, Number)>,
    row: table::Row,
    /// Machine-readable facts in addition to the row.
    more: Value,
}

/// Returns the verdict on a difference: better or worse if the goal of the measure is known, otherwise more or less.
fn verdict(judgement: Judgement, good: Option<Good>, share: bool) -> &'static str {
    match (judgement.is_better(good), judgement, share) {
        (Some(true), ..) => "B is better",
        (Some(false), ..) => "B is worse",
        (None, Judgement::More, true) => "more often in B",
        (None, Judgement::More, false) => "more in B",
        (None, Judgement::Less, true) => "less often in B",
        (None, Judgement::Less, false) => "less in B",
        (None, Judgement::Same, _) => "the same",
        (None, Judgement::Undecided, _) => "no difference shown",
    }
}

/// Returns a line about the origin of the default margin, or `None` if the user set the margin.
fn margin(unit: Unit, within: f64, range: Option<(f64, f64)>) -> Option<String> {
    let (low, high) = range?;
    let margin = match unit {
        Unit::Percent => trimmed(unit.scaled(within)) + if within == 0.01 { " point" } else { " points" },
        _ => unit.plain(within),
    };
    let (low, high) = (unit.plain(low), unit.plain(high));
    Some(format!("margin {margin}: a hundredth of the range {low} to {high}; `--within` sets another"))
}

/// Returns a sentence on how often values are at or below a threshold.
fn at_most(value: &str, least: bool, a: &str, b: &str) -> String {
    let or_less = match value.ends_with('"') {
        _ if least => "",
        true => " or less",
        false => " or fewer",
    };
    format!("{a} of A's runs and {b} of B's end with {value}{or_less}")
}

/// Adds the choices that have no decider in A and in B.
fn nobody(finding: &mut Finding, [a, b]: &[Vec<NoDecision>; 2], runs: &str) {
    undecided::add(finding, &[(a, " of A"), (b, " of B")], runs);
    finding.fact("undecided", json!({ "a": undecided::facts(a), "b": undecided::facts(b) }));
}

/// Returns the finding of one comparison.
pub fn one(names: &Names<'_>, found: &Compared) -> Finding {
    let mut finding = names.finding();
    edits::tell(&mut finding, names.edits);
    finding.fact("schema", json!(1));
    let (label, differences, within, range) = match found {
        Compared::Exact(found) => {
            let [a, b] = found.positions;
            finding.say(format!("exact: {a} states of A and {b} of B explored"));
            finding.fact("positions", json!(found.positions));
            nobody(&mut finding, &found.undecided, "");
            ("exact", exact::differences(found), found.within.as_ref().map(|w| w.float()), found.range)
        }
        Compared::Sampled(found) => {
            let (undecided, runs) = &found.undecided;
            nobody(&mut finding, undecided, &format!(" in the first {}", super::counted(*runs as usize, "run")));
            ("sampled", sampled::differences(&mut finding, names, found), Some(found.within), found.range)
        }
    };
    finding.fact("label", json!(label));
    finding.fact("within", json!(within));
    let counts = !matches!(found, Compared::Sampled(found) if found.pairs == found.faults && found.pairs > 0);
    if let (Some(first), Some(within), true) = (differences.first(), within, counts) {
        margin(first.unit, within, range).into_iter().for_each(|line| finding.say(line));
    }
    for sign in units(&differences).into_iter().filter(|_| counts) {
        let of = differences.iter().enumerate().filter(|(_, d)| d.unit.sign() == sign);
        let rows = of.map(|(n, d)| IntervalRow {
            verdict: d.judged.clone(),
            within: within.filter(|_| n == 0).map(|within| super::page::millionths(d.unit.scaled(within))),
            ..IntervalRow::new(if n == 0 { format!("{} (primary)", d.text) } else { d.text.clone() }, d.number.clone())
        });
        let sides = ["less in B", "more in B"];
        finding.draw(Intervals::effects("Effects", sign == "%", sign, sides, rows.collect()));
    }
    for (n, d) in differences.iter().enumerate().filter(|_| counts) {
        let order = if n == 0 { "primary" } else { "also" };
        finding.item(format!("{order} {}: {}", d.text, d.judged), d.lines.clone());
    }
    let effects = differences.iter().enumerate().map(|(n, d)| {
        let mut effect = d.row.clone();
        effect.insert("primary".into(), json!(n == 0));
        effect.append(&mut table::row(d.more.clone()));
        Value::Object(effect)
    });
    finding.fact("effects", effects.collect());
    for d in differences {
        if !d.values.is_empty() {
            finding.draw(Histogram {
                caption: format!("{}: distribution in A and in B", d.text),
                series: vec![format!("A {}", names.a), format!("B {}", names.b)],
                unit: if d.unit.sign() == "%" { String::new() } else { d.unit.sign().into() },
                bars: d.values,
                means: d.means,
                note: String::new(),
            });
        }
        finding.rows.push(d.row);
    }
    finding.everywhere(json!({ "what": "whole" }));
    finding.everywhere(names.row());
    finding
}

/// Returns the units of the differences. Each unit has a separate scale.
fn units(differences: &[Difference]) -> Vec<&'static str> {
    let mut units: Vec<&str> = Vec::new();
    for sign in differences.iter().map(|d| d.unit.sign()) {
        if !units.contains(&sign) {
            units.push(sign);
        }
    }
    units
}

/// Returns the notes on all comparisons of a command, and the combined results of several scenarios. Adds no combined result for
/// a single scenario.
pub fn below(all: &[(Names<'_>, Option<&Compared>)]) -> Finding {
    let all: Vec<(Names<'_>, &Compared)> = all.iter().filter_map(|(names, found)| Some((*names, (*found)?))).collect();
    let mut finding = Finding::default();
    let notes = sampled::notes(&all);
    if !notes.is_empty() {
        finding.draw(Block::Heading("About what was sampled".into()));
        notes.into_iter().for_each(|note| finding.say(note));
    }
    let mut whole: Vec<Value> = Vec::new();
    for (names, found) in pairs(&all) {
        whole.extend(together::tell(&mut finding, &names, &found));
    }
    finding.fact("together", json!(whole));
    finding
}

/// Groups the comparisons by their pair of versions.
fn pairs<'n, 'c>(all: &[(Names<'n>, &'c Compared)]) -> Vec<(Names<'n>, Vec<&'c Compared>)> {
    let mut pairs: Vec<(Names<'n>, Vec<&'c Compared>)> = Vec::new();
    for (names, found) in all {
        match pairs.iter_mut().find(|(other, _)| (other.a, other.b) == (names.a, names.b)) {
            Some((_, list)) => list.push(found),
            None => pairs.push((*names, vec![found])),
        }
    }
    pairs
}

/// Returns all comparisons of a command as one finding.
pub fn all(all: &[(Names<'_>, Option<&Compared>)]) -> Finding {
    let title = all.first().map_or(String::new(), |(first, _)| format!("compare {} with {}", first.a, first.b));
    let each = |(names, found): &(Names<'_>, Option<&Compared>)| {
        found.map_or_else(|| nothing(names), |found| one(names, found))
    };
    let mut finding = listed(title, 2, "comparisons", all.iter().map(each).collect());
    let mut below = below(all);
    finding.facts.append(&mut below.facts);
    finding.append(below);
    finding
}

/// Returns the value of a condition as yes or no, or `None` for other types.
fn yes_or_no(ty: &Type, cells: &[i64]) -> Option<String> {
    (*ty == Type::Flag).then(|| if cells.first() == Some(&1) { "yes" } else { "no" }.to_string())
}
