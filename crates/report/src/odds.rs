//! Reports exact odds: exact results and bounds. Every number is labeled with its reliability.

mod ends;
mod policy;
mod rows;
mod why;

pub(super) use ends::place as place_of;
pub use rows::answer_rows;
pub(super) use rows::tell_sums;

use super::bounds::{self, agreed, at_most, percents};
use super::clean;
use super::finding::{Block, Finding, MOST_LINES};
use super::page::{Bar, Histogram, How, IntervalRow, MILLION, Number};
use super::sampled::{self, figure_columns, place, value_text};
use super::table::{self, KnownNumber};
use super::undecided;
use grognard_base::value::*;
use grognard_base::{Limit, Reading, Sources};
use grognard_odds::{Distribution, Label, ManyBranches, Outcome, Worth};
use grognard_play::NoDecision;
use grognard_play::odds::{Ends, OddsAnswer, PolicyDecision, Why};
use grognard_scenario::{FigureSort, Scenario};
use grognard_stats::Sample;
use grognard_vm::{Fault, Game};
use num_bigint::BigUint;
use serde_json::{Value, json};

/// Maximum length of a fraction in human-readable output, in characters.
const LONGEST: usize = 24;

/// Number of decimal places of a mean. A mean that is closer to a whole number has up to `MOST_PLACES`.
const PLACES: u32 = 4;
const MOST_PLACES: u32 = 40;

/// Fractions with more bits than this are not formatted to count their digits. The count is estimated instead.
const COUNTED: u64 = 1 << 12;

/// Number of leading bits of a fraction that usually decide its percentage.
const LEADING: u64 = 80;

/// One measure and its result.
pub struct Asked<'t> {
    /// The expression as written.
    pub text: &'t str,
    /// The type of the expression.
    pub ty: &'t Type,
    /// The kind of result: a probability, a mean or a distribution.
    pub sort: FigureSort,
    pub answer: &'t OddsAnswer,
    /// The rolls that decide the result, if `--why` asked for them.
    pub why: Option<&'t Why>,
}

/// All results of one query to the rules.
pub struct Odds<'t> {
    /// The file of the scenario, or an empty string without a scenario.
    pub scenario: &'t str,
    /// The game in which the measures are evaluated.
    pub game: &'t Game,
    /// The measures with their results.
    pub rendered: Vec<Asked<'t>>,
    /// The cost of the results, and the limit that ended them early.
    pub cost: Reading,
    /// The text of the dice of an expression, by the roll that each became.
    pub rolls: Vec<(SiteId, String)>,
    /// The states in which a scenario can end, if they were requested.
    pub ends: Option<&'t Ends>,
    /// A sample of the scenario, which is reported if bounds are wide.
    pub estimate: Option<(&'t Scenario, &'t Sample)>,
    /// Answers that neither a player nor the rules gave.
    pub undecided: Vec<NoDecision>,
}

/// Returns the word for the reliability of a result.
pub fn label(label: Label) -> &'static str {
    match label {
        Label::Exact => "exact",
        Label::Proven => "proven",
        Label::Bounded => "bounded",
    }
}

/// Returns a line about the code that distinguishes dice, or `None` if its location is unknown.
pub fn many_branches(many: &ManyBranches, sources: &Sources) -> Option<String> {
    let span = sources.origin(many.span?);
    let line = sources.get(span.file)?.place(span.start).line;
    let code = sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("line {line}: \"{code}\" {}", many.predicate()))
}

/// Returns a fraction as text, or only its number of digits if it is too long to read.
pub fn short(share: &Fraction) -> String {
    let bits = share.num().bits() + share.den().bits();
    if bits > COUNTED {
        // A bit is 0.30103 decimal digits.
        return format!("(some {} digits)", (bits * 30_103 / 1_000_000) * 10);
    }
    let text = share.to_string();
    if text.len() > LONGEST { format!("({} digits)", text.len() - 1) } else { text }
}

/// Returns a value in the unit of its type. Lengths are converted from thousandths of an inch to inches.
pub(super) fn scaled(ty: &Type, value: &Fraction) -> Fraction {
    if *ty == Type::Length { value / &Fraction::whole(1000) } else { value.clone() }
}

/// Returns a mean or a deviation with four decimal places, or as a whole number. One that is closer to a whole number has more
/// places: the first two digits of the distance, or `<` or `>` if that is too many.
pub(super) fn number(ty: &Type, value: &Fraction) -> String {
    let inch = if *ty == Type::Length { "\"" } else { "" };
    let value = scaled(ty, value);
    let whole = value.cut(0, Toward::Nearest);
    let distance = &value - &whole;
    if distance.is_zero() {
        return format!("{}{inch}", whole.decimal(0));
    }
    match (PLACES..MOST_PLACES).find(|digits| !distance.cut(*digits - 1, Toward::Nearest).is_zero()) {
        Some(digits) => format!("{}{inch}", trimmed(&value.decimal(digits))),
        None => format!("{}{}{inch}", if value < whole { "<" } else { ">" }, whole.decimal(0)),
    }
}

/// Returns the bounds of a mean as text, rounded outward.
pub(super) fn numbers(ty: &Type, (low, high): (&Fraction, &Fraction)) -> [String; 2] {
    let inch = if *ty == Type::Length { "\"" } else { "" };
    bounds::bounds(&scaled(ty, low), &scaled(ty, high), 4).map(|end| format!("{}{inch}", trimmed(&end)))
}

/// Removes trailing zeros after the decimal point.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Returns a fraction as a floating-point number, for programs that do not read fractions.
fn float(value: &Fraction) -> Value {
    json!(value.float())
}

/// Returns bounds as floating-point numbers, rounded outward.
pub(super) fn ends(low: &Fraction, high: &Fraction) -> [f64; 2] {
    [low.float_toward(Toward::Below), high.float_toward(Toward::Above)]
}

/// Returns the name of an error in a row: its code. If several errors have the same code, the name also includes the message.
fn error_word(fault: &Fault, found: &Distribution) -> String {
    let said = |fault: &Fault| {
        let first = fault.message.split([',', ';']).next().unwrap_or_default();
        format!("error {}: {}", fault.code, first.chars().take(60).collect::<String>())
    };
    let faults = found.outcomes.iter().filter_map(|o| match &o.worth {
        Worth::Fault(other) if other.code == fault.code => Some(other),
        _ => None,
    });
    let faults: Vec<&Fault> = faults.collect();
    let alike: Vec<&&Fault> = faults.iter().filter(|other| said(other) == said(fault)).collect();
    match (faults.len(), alike.len(), alike.iter().position(|other| **other == fault)) {
        (0 | 1, ..) => format!("error {}", fault.code),
        (_, 2.., Some(n)) => format!("{} ({})", said(fault), n + 1),
        _ => said(fault),
    }
}

/// Returns the finding of the results, and of the best line of play if `line` is given. The finding includes machine-readable
/// facts and rows.
pub fn finding(name: &str, odds: &Odds<'_>, line: Option<&[PolicyDecision]>) -> Finding {
    let mut finding = in_words(name, odds, line);
    facts(&mut finding, odds);
    finding
}

/// Returns the human-readable part of the finding. Long fractions are shown as their number of digits.
pub fn in_words(name: &str, odds: &Odds<'_>, line: Option<&[PolicyDecision]>) -> Finding {
    let mut finding = Finding::new(format!("odds of {name}"));
    for rendered in &odds.rendered {
        one(&mut finding, odds, rendered);
    }
    why::add(&mut finding, odds);
    if let Some(found) = odds.ends {
        ends::add(&mut finding, odds.game, found);
    }
    let opens = odds.rendered.iter().filter_map(|t| t.answer.found.as_ref()).map(|f| f.unexplored());
    let open = opens.chain(odds.ends.iter().map(|ends| ends.open.clone())).max();
    let explored = super::counted(odds.cost.states, "state") + " explored";
    match open.filter(|open| !open.is_zero()) {
        None => finding.say(explored),
        Some(open) => finding.warn(format!("{explored}, {} = {} unexplored", short(&open), open.percent())),
    }
    undecided::add(&mut finding, &[(&odds.undecided, "")], "");
    if let Some((scenario, sample)) = odds.estimate {
        finding.say("some bounds are wide; estimate from runs:");
        finding.blocks.extend(sampled::sample(name, scenario, sample).blocks);
        if let Some(first) = sampled::first_fault(sample.first_fault.as_ref()) {
            finding.words(Block::Note(format!("the first error: {first}")));
        }
    }
    if let Some(line) = line {
        policy::add(&mut finding, line);
    }
    finding
}

fn one(finding: &mut Finding, odds: &Odds<'_>, rendered: &Asked<'_>) {
    let found = rendered.answer.found.as_ref();
    match (rendered.sort, found) {
        (FigureSort::Chance, Some(found)) => {
            let ends = found.chance_between(|cells| cells.first() == Some(&1));
            let number = between(&ends, rendered.answer.label);
            finding.chance(IntervalRow::new(format!("chance {}", rendered.text), number));
        }
        (sort, Some(found)) => {
            // If there is a histogram of the same expression, the mean is shown with it.
            let hist = |other: &Asked<'_>| other.sort == FigureSort::Hist && other.text == rendered.text;
            if sort == FigureSort::Hist || !odds.rendered.iter().any(hist) {
                let open = found.unexplored();
                let any = found.outcomes.iter().any(|o| matches!(o.worth, Worth::Cells(_)));
                finding.draw(Block::Heading(rendered.text.to_string()));
                if any || !open.is_zero() {
                    finding.add(drawn(odds, rendered, found));
                }
                if !open.is_zero() {
                    finding.say(format!("other values: at most {}", at_most(&open)));
                }
            }
        }
        (_, None) => {
            let unknown =
                || Number::new("unknown, because not all states were explored", None, how(rendered.answer.label));
            finding.number(IntervalRow::new(format!("mean {}", rendered.text), mean(rendered).unwrap_or_else(unknown)));
        }
    }
    failed(rendered).into_iter().for_each(|note| finding.warn(note));
}

/// Returns a value, multiplied by `units`, in millionths.
fn millionths(value: &Fraction, units: i64) -> Option<i64> {
    value.in_parts(units.saturating_mul(MILLION))
}

fn how(label: Label) -> How {
    match label {
        Label::Exact => How::Exact,
        Label::Proven => How::Proven,
        Label::Bounded => How::Bounded,
    }
}

/// Returns the number for a probability with these bounds.
fn between([low, high]: &[Fraction; 2], label: Label) -> Number {
    if low == high {
        let percent = low.percent();
        // `percent` marks values close to 0% and 100% with `<` and `>`.
        let sign = if percent.starts_with(['<', '>']) { "" } else { "= " };
        let text = format!("{} {sign}{percent}", short(low));
        return Number::new(text, millionths(low, 100), how(label));
    }
    if label == Label::Proven {
        let hundred = Fraction::whole(100);
        return proven((&(low * &hundred), &(high * &hundred)), "%", low.percent());
    }
    let ends = (millionths(low, 100).unwrap_or(0), millionths(high, 100).unwrap_or(0));
    within([low.percent(), high.percent()], percents(low, high), ends)
}

/// Returns a proven number in its unit. `plain` is its text if it has no digits in common.
fn proven((low, high): (&Fraction, &Fraction), unit: &str, plain: String) -> Number {
    let (text, digits) = match bounds::proven(low, high) {
        Some((text, digits)) => (text + unit, format!("proven to {}", super::counted(digits, "digit"))),
        None => (plain, String::new()),
    };
    Number { ends_text: digits, ..Number::new(text, millionths(low, 1), How::Proven) }
}

/// Returns the number for two bounds, which is one number if the bounds agree in many digits. `low` and `high` are the
/// bounds with the usual digits, and `fine` with as many as distinguish them.
fn within([low, high]: [String; 2], fine: [String; 2], ends: (i64, i64)) -> Number {
    match agreed(&fine).filter(|_| low == high) {
        Some(digits) => Number::new(format!("{low} (to {digits} digits)"), Some(ends.0), How::Bounded).within(ends, ""),
        None => Number::new("between", None, How::Bounded).within(ends, fine.join(" and ")),
    }
}

/// Returns a number with its fraction. A whole number is shown without a fraction.
fn rendered_as(ty: &Type, value: &Fraction, label: Label) -> Number {
    let (exact, plain) = (scaled(ty, value), number(ty, value));
    let equals = if plain.starts_with(['<', '>']) { "" } else { "= " };
    let text = if exact.den() == &1u32.into() { plain } else { format!("{} {equals}{plain}", short(&exact)) };
    Number::new(text, millionths(&exact, 1), how(label))
}

/// Returns the label of a known mean. A mean without a variance was computed from counts and is exact, even if the distribution
/// is incomplete.
fn mean_label(answer: &OddsAnswer) -> Label {
    if answer.variance.is_none() && answer.mean.is_some() { Label::Exact } else { answer.label }
}

fn mean(rendered: &Asked<'_>) -> Option<Number> {
    match (&rendered.answer.mean, &rendered.answer.between) {
        (Some(mean), _) => Some(rendered_as(rendered.ty, mean, mean_label(rendered.answer))),
        (_, Some((low, high))) if rendered.answer.label == Label::Proven => {
            let inch = if *rendered.ty == Type::Length { "\"" } else { "" };
            let ends = [low, high].map(|end| scaled(rendered.ty, end));
            Some(proven((&ends[0], &ends[1]), inch, number(rendered.ty, low)))
        }
        (_, Some((low, high))) => {
            let ends = [low, high].map(|end| millionths(&scaled(rendered.ty, end), 1).unwrap_or(0));
            let short = [low, high].map(|end| number(rendered.ty, end));
            Some(within(short, numbers(rendered.ty, (low, high)), (ends[0], ends[1])))
        }
        _ => None,
    }
}

/// Returns sentences about runs that end without a value.
fn failed(rendered: &Asked<'_>) -> Vec<String> {
    let Some(found) = &rendered.answer.found else { return Vec::new() };
    let end = |o: &Outcome| {
        let why = match &o.worth {
            Worth::Cells(_) => return None,
            Worth::Fault(fault) => format!("the run ends in an error: {}: {}", fault.code, fault.message),
            Worth::Never => "the run never ends".to_string(),
        };
        let times = between(&found.share_between(o), rendered.answer.label).rendered();
        Some(format!("{}: in {times} of all cases {why}", rendered.text))
    };
    found.outcomes.iter().filter_map(end).collect()
}

fn drawn(odds: &Odds<'_>, rendered: &Asked<'_>, found: &Distribution) -> Histogram {
    let over = found.denominator();
    let cumulated = found.cumulated();
    let valued = found.outcomes.iter().all(|o| matches!(&o.worth, Worth::Cells(cells) if cells.first() != Some(&NONE)));
    let many = found.outcomes.len() > MOST_LINES && rendered.answer.label != Label::Bounded;
    let long = many && found.whole.bits() > COUNTED;
    let bar = |(o, sums): (&Outcome, &[[BigUint; 2]; 2])| {
        let Worth::Cells(cells) = &o.worth else { return None };
        let part = |ends: &[BigUint; 2]| {
            // Bands have no room for long fractions.
            if let Some(near) = Some(&ends[0]).filter(|_| long).and_then(|low| near(low, &found.whole)) {
                return Number::new(near.percent(), millionths(&near, 100), how(rendered.answer.label));
            }
            let ends = over.under_both(ends);
            match rendered.answer.label {
                // A table has room for few digits.
                Label::Proven => Number::new(ends[0].percent(), millionths(&ends[0], 100), How::Proven),
                label @ (Label::Exact | Label::Bounded) => between(&ends, label),
            }
        };
        let sums = (valued && place(rendered.ty, cells).is_some()).then(|| sums.each_ref().map(part));
        let at = if cells.first() == Some(&NONE) { None } else { place(rendered.ty, cells) };
        Some(Bar { label: value_text(odds.game, rendered.ty, cells), at, shares: vec![part(&found.bounds(o))], sums })
    };
    let deviation = |[low, high]: &[Fraction; 2]| {
        let middle = &(low + high) * &Fraction::of(1u32.into(), 2u32.into());
        format!("deviation {}", number(rendered.ty, &middle.root(6)))
    };
    Histogram {
        caption: "Distribution".into(),
        series: vec![rendered.text.to_string()],
        unit: if *rendered.ty == Type::Length { "\"".into() } else { String::new() },
        bars: found.outcomes.iter().zip(&cumulated).filter_map(bar).collect(),
        means: mean(rendered).map(|mean| (0, mean)).into_iter().collect(),
        note: rendered.answer.variance.as_ref().map_or(String::new(), deviation),
    }
}

/// Returns a short fraction that rounds like a long one, to a hundredth of a percent and to a millionth of it. Returns `None` if the
/// leading digits do not decide how that one rounds.
fn near(num: &BigUint, whole: &BigUint) -> Option<Fraction> {
    let past = whole.bits().checked_sub(LEADING).filter(|_| BigUint::ZERO < *num && num < whole)?;
    let [num, whole] = [num, whole].map(|number| u128::try_from(number >> past).unwrap_or(u128::MAX));
    let decided = |parts: u128| {
        let [low, high] =
            [(num, whole + 1), (num + 1, whole)].map(|(num, whole)| (2 * num * parts + whole) / (2 * whole));
        low == high
    };
    // The fraction is neither 0 nor 1.
    let inside = num.clamp(1, whole - 1);
    (decided(100 * 100) && decided(100 * MILLION as u128)).then(|| Fraction::of(inside.into(), whole.into()))
}

/// Returns a value as JSON: numbers and flags as such, lengths in inches, everything else as text.
fn value_json(game: &Game, ty: &Type, cells: &[i64]) -> Value {
    match (ty.present(), cells) {
        (_, [NONE, ..]) => Value::Null,
        (Type::Int(_), [n]) => json!(n),
        (Type::Flag, [n]) => json!(*n == 1),
        (length @ Type::Length, [n]) => float(&scaled(length, &Fraction::whole(*n))),
        _ => json!(clean(&value_text(game, ty, cells))),
    }
}

/// Returns a result as JSON.
fn answer(odds: &Odds<'_>, rendered: &Asked<'_>) -> Value {
    let ty = rendered.ty;
    let fraction = |value: Option<&Fraction>| value.map_or(Value::Null, |v| json!(table::fraction(v)));
    let found = rendered.answer.found.as_ref();
    let over = found.map(Distribution::denominator);
    let outcomes = found.zip(over.as_ref()).into_iter();
    let outcomes = outcomes.flat_map(|(f, over)| f.outcomes.iter().map(|o| (over.under_both(&f.bounds(o)), &o.worth)));
    let sums = found.map(|found| rows::sums(ty, found)).unwrap_or_default();
    let outcomes = outcomes.enumerate().map(|(n, (share, worth))| {
        let (value, end) = match worth {
            Worth::Cells(cells) => (value_json(odds.game, ty, cells), None),
            Worth::Fault(fault) => (Value::Null, Some(format!("{}: {}", fault.code, clean(&fault.message)))),
            Worth::Never => (Value::Null, Some("never ends".to_string())),
        };
        let mut object = table::row(json!({ "value": value }));
        KnownNumber::between(share, rendered.answer.label).tell(&mut object);
        // The result has these fields for all of its outcomes.
        ["level", "label"].iter().for_each(|of_all| drop(object.shift_remove(*of_all)));
        tell_sums(&mut object, sums.get(n));
        end.into_iter().for_each(|end| drop(object.insert("end".into(), json!(end))));
        Value::Object(object)
    });
    let mean = rendered.answer.mean.as_ref().map(|m| scaled(ty, m));
    let variance = rendered.answer.variance.as_ref().map(|v| v.each_ref().map(|end| scaled(ty, &scaled(ty, end))));
    let known = variance.as_ref().filter(|[low, high]| low == high).map(|[low, _]| low);
    let mut object = json!({
        "label": label(rendered.answer.label),
        "measure": rendered.text,
        "outcomes": outcomes.collect::<Vec<Value>>(),
        "mean": fraction(mean.as_ref()),
        "mean_label": (mean.is_some() || rendered.answer.label == Label::Proven).then(|| label(mean_label(rendered.answer))),
        "variance": fraction(known),
        "unexplored": found.map_or(Value::Null, |f| json!(table::fraction(&f.unexplored()))),
    });
    if let Some((low, high)) = &rendered.answer.between {
        object["mean_between"] = json!([low, high].map(|end| table::fraction(&scaled(ty, end))));
    }
    if let Some(ends) = variance.filter(|[low, high]| low != high) {
        object["variance_between"] = json!(ends.each_ref().map(table::fraction));
    }
    if let Some(why) = rendered.why {
        object["why"] = why::json(odds, rendered, why);
    }
    object
}

/// Adds the machine-readable form: an entry for each measure, a row for each probability and each mean, and a row for each value
/// of a distribution.
fn facts(finding: &mut Finding, odds: &Odds<'_>) {
    let rules = &odds.game.program.schema.path;
    finding.all_facts(json!({
        "schema": 2,
        "scenario": odds.scenario,
        "rules": rules,
        "states": odds.cost.states,
        "ended_by": odds.cost.limit.map(Limit::word),
        "undecided": undecided::facts(&odds.undecided),
        "answers": odds.rendered.iter().map(|rendered| answer(odds, rendered)).collect::<Vec<Value>>(),
    }));
    finding.columns = figure_columns();
    for rendered in &odds.rendered {
        let number = matches!(rendered.ty, Type::Int(_) | Type::Length | Type::Ratio);
        let sorts = match rendered.sort {
            FigureSort::Hist if number => vec![FigureSort::Mean, FigureSort::Hist],
            sort => vec![sort],
        };
        let of = |sort| answer_rows(odds.game, (rendered.text, sort, rendered.ty), Ok(rendered.answer));
        finding.rows.extend(sorts.into_iter().flat_map(of));
    }
    if let Some((scenario, sample)) = odds.estimate {
        let estimate = sampled::sample(odds.scenario, scenario, sample);
        finding.fact("estimate", estimate.json());
        finding.rows.extend(estimate.rows);
    }
    table::ended(&mut finding.rows, odds.cost.limit);
    finding.everywhere(json!({ "scenario": odds.scenario, "rules": rules }));
}
