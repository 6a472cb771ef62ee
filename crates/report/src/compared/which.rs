//! Reports which edits between two versions cause a difference.

#![allow(clippy::float_arithmetic)] // rounds numbers only for printing

use super::super::finding::{Finding, listed};
use super::super::page::{How, IntervalRow, Intervals, Number, millionths};
use super::super::sampled::{Unit, digits, level_number, level_of, rounded};
use super::super::table::{self, KnownNumber};
use super::Names;
use super::edits::{self, nothing};
use super::exact::more_or_less;
use grognard_base::order;
use grognard_base::value::{Fraction, Type};
use grognard_stats::stats::Seen;
use grognard_stats::{Basis, Contrasts, Size};
use serde_json::{Value, json};

/// A group of edits that can only be applied together.
#[derive(Clone, Debug)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// The edits, one on each line.
    pub edits: Vec<String>,
    /// The reasons why the edits cannot be applied separately. Empty for a single edit.
    pub why: Vec<String>,
}

/// A contrast that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureRow {
    /// B minus A.
    Whole,
    /// A with a group of edits, minus A.
    Alone(usize),
    /// B minus B without a group of edits.
    InB(usize),
    /// The interaction of two groups: their joint effect minus the sum of their separate effects.
    Both(usize, usize),
    /// The interaction of all groups: their joint effect minus the sum of their separate effects.
    Rest,
}

/// The decomposition of a difference into the effects of its edits.
#[derive(Clone, Debug)]
pub struct Which {
    /// The groups of edits.
    pub groups: Vec<Group>,
    /// The contrasts, in the order of `found`.
    pub rows: Vec<MeasureRow>,
    /// Number of items that differ only in titles and citations.
    pub in_words: usize,
    /// The measures and their types.
    pub measures: Vec<(String, Type)>,
    /// The size of each contrast in each measure.
    pub found: Contrasts,
}

impl Which {
    fn unit(&self, measure: usize) -> Unit {
        let ty = &self.measures[measure].1;
        Unit::of(ty, *ty == Type::Flag)
    }

    /// Returns the size of a contrast in one measure, or `None` if it was not measured.
    fn size(&self, row: MeasureRow, measure: usize) -> Option<&Size> {
        let at = self.rows.iter().position(|r| *r == row)?;
        self.found.sizes.get(at)?.get(measure)
    }

    /// Returns the groups, ordered by the size of their effect on the primary measure, largest first.
    fn ranked(&self) -> Vec<usize> {
        let far = |row| self.size(row, 0).and_then(|s| s.value).unwrap_or(0.0).abs();
        let weight = |n: &usize| far(MeasureRow::Alone(*n)).max(far(MeasureRow::InB(*n)));
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order::sort_by(&mut order, |x, y| weight(y).total_cmp(&weight(x)));
        order
    }

    /// Returns the label of a contrast, with the names of its groups.
    fn named(&self, row: MeasureRow) -> String {
        let name = |n: usize| self.groups[n].name.as_str();
        match row {
            MeasureRow::Whole => "all edits".into(),
            MeasureRow::Alone(n) => format!("{} in A", name(n)),
            MeasureRow::InB(n) => format!("{} in B", name(n)),
            MeasureRow::Both(n, m) => format!("{} with {}, interaction", name(n), name(m)),
            MeasureRow::Rest => "all edits, interaction".into(),
        }
    }

    /// Returns the label of a contrast, with the numbers of its groups in the printed list.
    fn label(&self, row: MeasureRow, order: &[usize]) -> String {
        let at = |n: usize| order.iter().position(|m| *m == n).unwrap_or(n) + 1;
        match row {
            MeasureRow::Whole => "B minus A".into(),
            MeasureRow::Alone(n) => format!("{} in A", at(n)),
            MeasureRow::InB(n) => format!("{} in B", at(n)),
            MeasureRow::Both(n, m) => format!("{} with {}, interaction", at(n).min(at(m)), at(n).max(at(m))),
            MeasureRow::Rest => "all edits, interaction".into(),
        }
    }
}

/// Formats a size, such as `16.67 points less`. A sampled size includes its interval.
fn rendered(unit: Unit, size: &Size) -> String {
    if let Some(exact) = &size.exact {
        return more_or_less(unit, exact);
    }
    let Some(value) = size.value else { return "not known".into() };
    unit.differs(value, size.interval, (size.alpha, unit.places(size.interval)), "") + verdict(size)
}

/// Returns the verdict that is written after the interval of a sampled size.
fn verdict(size: &Size) -> &'static str {
    match size.seen {
        Seen::More | Seen::Less => "",
        Seen::Same => ", same",
        Seen::Open => ", not shown",
    }
}

fn basis(names: &Names<'_>, which: &Which) -> String {
    match &which.found.basis {
        Basis::Exact { positions } => format!("exact: at most {positions} states explored for a version"),
        Basis::Sampled { runs, faults, stopped, .. } => {
            let stopped = if *stopped { "; interrupted before the result was clear" } else { "" };
            format!(
                "sampled: {runs} runs of every version, seed {}, same dice, {faults} ended in an error{stopped}",
                names.seed
            )
        }
    }
}

/// The explanation of the columns.
const MEANING: &str =
    "\"in A\" is the effect of applying the edit to A; \"in B\" is the opposite of the effect of removing it from B.";
/// The note on the joint confidence level of a sample.
const TOGETHER: &str = "In 95 of 100 such commands, all these intervals are right at once.";
/// The description of the statistical methods.
const METHOD: &str = "Method: intervals are betting confidence sequences (Waudby-Smith and Ramdas 2024), which hold at every \
                      interim analysis; all of them share 5% (Bonferroni).";

/// Returns the finding about the edits that cause the difference in one scenario.
pub fn which(names: &Names<'_>, which: &Which) -> Finding {
    let mut finding = names.finding();
    finding.say(basis(names, which));
    facts(&mut finding, names, which);
    let order = which.ranked();
    let count = which.groups.iter().map(|g| g.edits.len()).sum::<usize>();
    finding.say(counted(count, which.in_words));
    for (at, n) in order.iter().enumerate() {
        let Group { edits, why, .. } = &which.groups[*n];
        let mut edits = edits.iter();
        let head = edits.next().map_or("", String::as_str);
        let more = edits.map(|edit| format!("  {edit}")).chain(why.iter().map(|why| format!("    {why}")));
        finding.item(format!("{:>3} {head}", at + 1), more.collect());
    }
    for (n, (measure, _)) in which.measures.iter().enumerate() {
        let unit = which.unit(n);
        let row = |row| which.size(row, n).map(|size| rendered(unit, size)).unwrap_or_default();
        let word = if n == 0 { "primary" } else { "also" };
        let mut lines = Vec::new();
        if which.groups.len() > 1 {
            let each = order.iter().enumerate();
            lines.extend(each.map(|(at, n)| {
                format!("{} in A {}; in B {}", at + 1, row(MeasureRow::Alone(*n)), row(MeasureRow::InB(*n)))
            }));
            lines.extend(interplay(which, n, &order).into_iter().map(|line| format!("  {line}")));
        }
        finding.item(format!("{word} {measure}, all edits: {}", row(MeasureRow::Whole)), lines);
        finding.draw(effects(which, n, &order));
    }
    if which.groups.len() > 1 {
        finding.say(MEANING);
        if matches!(which.found.basis, Basis::Sampled { .. }) {
            finding.say(format!("{TOGETHER} Interactions of edits are listed only if the sample shows them."));
            if names.explain {
                finding.say(METHOD);
            }
        }
    }
    finding
}

/// Combines the findings of all scenarios of a command.
pub fn whiches(all: &[(Names<'_>, Option<&Which>)]) -> Finding {
    let title = all
        .first()
        .map_or(String::new(), |(first, _)| format!("effect of each edit between {} and {}", first.a, first.b));
    let each = |(names, found): &(Names<'_>, Option<&Which>)| {
        found.map_or_else(|| nothing(names), |found| which(names, found))
    };
    listed(title, 2, "which", all.iter().map(each).collect())
}

/// Returns the lines about interactions: first that of all groups, then those of pairs, the largest first. For a sample, only the
/// interactions that were shown are listed.
fn interplay(which: &Which, measure: usize, order: &[usize]) -> Vec<String> {
    let unit = which.unit(measure);
    let size = |row| which.size(row, measure);
    let shown = |size: &&Size| match &size.exact {
        Some(exact) => !exact.is_zero(),
        None => matches!(size.seen, Seen::More | Seen::Less),
    };
    let idle = |groups: &[usize]| groups.iter().all(|n| size(MeasureRow::Alone(*n)).is_some_and(|size| !shown(&size)));
    let exact = matches!(which.found.basis, Basis::Exact { .. });
    let neither = |groups: &[usize]| match (idle(groups), exact) {
        (false, _) => "",
        (true, true) => "; none of them changes it by itself",
        (true, false) => "; no edit is shown to change it by itself",
    };
    let mut lines = Vec::new();
    let mut pairs: Vec<(MeasureRow, &Size)> = which
        .rows
        .iter()
        .filter(|row| matches!(row, MeasureRow::Both(..)))
        .filter_map(|row| Some((*row, size(*row)?)))
        .collect();
    order::sort_by(&mut pairs, |(_, a), (_, b)| far(b).total_cmp(&far(a)));
    let all: Vec<usize> = (0..which.groups.len()).collect();
    let rest = size(MeasureRow::Rest).filter(shown);
    if let (Some(rest), Some(whole)) = (rest, size(MeasureRow::Whole)) {
        let alone = parts(unit, whole, &[rest], -1).unwrap_or_default();
        let rendered = rendered(unit, rest);
        lines.push(format!(
            "the separate effects add up to {alone}; interaction of all edits: {rendered}{}",
            neither(&all)
        ));
    }
    let seen: Vec<&(MeasureRow, &Size)> = pairs.iter().filter(|(_, size)| shown(size)).collect();
    for (row, size) in &seen {
        let MeasureRow::Both(n, m) = row else { continue };
        lines.push(format!("{}: {}{}", which.label(*row, order), rendered(unit, size), neither(&[*n, *m])));
    }
    // The interactions of pairs need not sum to the rest, because interactions of three or more groups are in no pair.
    if let (Some(rest), true) = (size(MeasureRow::Rest), !seen.is_empty()) {
        let sizes: Vec<&Size> = pairs.iter().map(|(_, size)| *size).collect();
        let left = parts(unit, rest, &sizes, -1).unwrap_or_default();
        lines.push(format!("interaction of three or more edits: {left}"));
    }
    lines
}

fn far(size: &Size) -> f64 {
    size.value.unwrap_or(0.0).abs()
}

/// Formats a size plus `times` times the sum of other sizes. For a sample, this is an estimate without an interval.
fn parts(unit: Unit, of: &Size, others: &[&Size], times: i64) -> Option<String> {
    if let Some(exact) = &of.exact {
        let add = |sum: Fraction, other: &&Size| Some(&sum + &(&Fraction::whole(times) * other.exact.as_ref()?));
        return Some(more_or_less(unit, &others.iter().try_fold(exact.clone(), add)?));
    }
    let sum = others.iter().try_fold(of.value?, |sum, other| Some(sum + times as f64 * other.value?))?;
    let points = unit.points();
    let places = digits(unit.scaled((of.interval.1 - of.interval.0) / 2.0));
    let bare = rounded(unit.scaled(sum).abs(), places, None);
    Some(format!("about {bare}{points} {}", if sum < 0.0 { "less" } else { "more" }))
}

fn counted(count: usize, in_words: usize) -> String {
    let edits = match count {
        0 => "no difference that affects a run".to_string(),
        1 => "1 edit".to_string(),
        n => format!("{n} edits"),
    };
    match in_words {
        0 => edits,
        n => format!("{edits}; {n} more in text only"),
    }
}

/// Returns the machine-readable name of a contrast, and its groups.
fn what(row: MeasureRow) -> (&'static str, Vec<usize>) {
    match row {
        MeasureRow::Whole => ("whole", vec![]),
        MeasureRow::Alone(n) => ("alone", vec![n]),
        MeasureRow::InB(n) => ("in_b", vec![n]),
        MeasureRow::Both(n, m) => ("interaction", vec![n, m]),
        MeasureRow::Rest => ("rest", vec![]),
    }
}

/// Returns the table row of a size in one measure.
fn found_row(which: &Which, row: MeasureRow, measure: usize, size: &Size) -> table::Row {
    let ty = &which.measures[measure].1;
    let mut found = table::row(json!({
        "measure": which.measures[measure].0,
        "sort": "difference",
        "what": what(row).0,
        "unit": table::unit(ty, *ty == Type::Flag),
        "verdict": seen_word(size.seen),
        "within": which.found.within.filter(|_| measure == 0),
    }));
    match (&size.exact, &which.found.basis) {
        (Some(exact), _) => KnownNumber::Exact(exact.clone()).tell(&mut found),
        (None, Basis::Sampled { runs, faults, .. }) => found.append(&mut table::row(json!({
            "label": "sampled",
            "n": runs - faults,
            "estimate": size.value,
            "low": size.interval.0,
            "high": size.interval.1,
            "level": level_number(&level_of(size.alpha)),
            "method": "betting",
            "faults": faults,
        }))),
        (None, Basis::Exact { .. }) => {}
    }
    found
}

fn seen_word(seen: Seen) -> &'static str {
    match seen {
        Seen::More => "more",
        Seen::Less => "less",
        Seen::Same => "same",
        Seen::Open => "not shown",
    }
}

/// Adds the machine-readable form: an entry and a row for each contrast and measure. Entries refer to groups by their index in
/// `edits`.
fn facts(finding: &mut Finding, names: &Names<'_>, which: &Which) {
    let groups = which.groups.iter().map(|g| json!({ "name": g.name, "edits": g.edits, "why": g.why }));
    let (runs, positions, faults) = match &which.found.basis {
        Basis::Exact { positions } => (None, Some(*positions), 0),
        Basis::Sampled { runs, faults, .. } => (Some(*runs), None, *faults),
    };
    let seed = runs.map(|_| names.seed);
    let mut effects: Vec<Value> = Vec::new();
    for (row, sizes) in which.rows.iter().zip(&which.found.sizes) {
        let groups = what(*row).1;
        let edits: Vec<&str> = groups.iter().map(|n| which.groups[*n].name.as_str()).collect();
        for (n, size) in sizes.iter().enumerate() {
            let mut found = found_row(which, *row, n, size);
            let entry = found.iter().map(|(name, value)| (name.clone(), value.clone()));
            let entry = entry.chain([("primary".to_string(), json!(n == 0)), ("edits".to_string(), json!(groups))]);
            effects.push(Value::Object(entry.collect()));
            found.insert("edits".into(), json!(edits.join("; ")));
            found.insert("seed".into(), json!(seed));
            finding.rows.push(found);
        }
    }
    finding.everywhere(names.row());
    names.not_exact().into_iter().for_each(|(name, value)| finding.fact(name, value));
    finding.all_facts(json!({
        "label": if positions.is_some() { "exact" } else { "sampled" },
        "seed": seed,
        "runs": runs,
        "faults": faults,
        "positions": positions,
        "within": which.found.within,
        "in_words_only": which.in_words,
        "not_in_force": edits::facts(names.edits),
        "edits": groups.collect::<Vec<Value>>(),
        "effects": effects,
    }));
}

/// Returns the contrasts of one measure on one scale.
fn effects(which: &Which, measure: usize, order: &[usize]) -> Intervals {
    let unit = which.unit(measure);
    let mut rows: Vec<MeasureRow> = vec![MeasureRow::Whole];
    rows.extend(order.iter().flat_map(|n| [MeasureRow::Alone(*n), MeasureRow::InB(*n)]));
    rows.extend(which.rows.iter().filter(|r| matches!(r, MeasureRow::Both(..) | MeasureRow::Rest)));
    let rows = rows.into_iter().filter_map(|row| {
        let size = which.size(row, measure)?;
        let place = |x: f64| millionths(unit.scaled(x));
        let how = if size.exact.is_some() { How::Exact } else { How::Sampled };
        let words = rendered(unit, size);
        let (text, ends) = words.split_once(", ").filter(|_| size.exact.is_none()).unwrap_or((&words, ""));
        let mut number = Number::new(text, size.value.map(place), how);
        if size.exact.is_none() {
            number = number.within((place(size.interval.0), place(size.interval.1)), ends);
        }
        let series = match row {
            MeasureRow::Whole => 0,
            MeasureRow::Alone(_) => 1,
            MeasureRow::InB(_) => 2,
            MeasureRow::Both(..) | MeasureRow::Rest => 3,
        };
        let within = which.found.within.filter(|_| measure == 0).map(place);
        let nothing = matches!(row, MeasureRow::Both(..)) && size.exact.as_ref().is_some_and(Fraction::is_zero);
        (!nothing).then(|| IntervalRow { within, series, ..IntervalRow::new(which.named(row), number) })
    });
    let percent = matches!(unit, Unit::Percent);
    Intervals::effects(&which.measures[measure].0, percent, unit.sign(), ["less", "more"], rows.collect())
}
