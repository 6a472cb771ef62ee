//! Rows of points that were worked out: fractions, and bounds where the budget was too small.

use super::super::odds::{ends, scaled, short};
use super::super::sampled::value_text;
use super::{Row, Value, clean, unit};
use crate::exact::{Distribution, Label, Worth};
use crate::machine::Fault;
use crate::play::odds::Answer;
use crate::scenario::{Figure, FigureSort, Scenario};
use crate::value::{Fraction, Type};
use serde_json::json;

/// What is told of every measure: a row, or one for each value of a histogram.
pub(super) fn parts(scenario: &Scenario, answers: &[Result<Answer, Fault>]) -> Vec<Row> {
    let figures = scenario.plan.report.iter().zip(answers);
    figures.flat_map(|(figure, answer)| one(scenario, figure, answer.as_ref())).collect()
}

fn one(scenario: &Scenario, figure: &Figure, answer: Result<&Answer, &Fault>) -> Vec<Row> {
    let ty = &figure.asked.ty;
    let sort = match figure.sort {
        FigureSort::Chance => "chance",
        FigureSort::Mean => "mean",
        FigureSort::Hist => "hist",
    };
    let plain = || {
        let object = json!({
            "measure": figure.text,
            "sort": sort,
            "unit": if *ty == Type::Length { "inches" } else { "" },
        });
        if let Value::Object(row) = object { row } else { Row::new() }
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err(fault) => {
            let mut row = plain();
            row.insert("error".into(), json!(format!("{}: {}", fault.code, fault.message)));
            return vec![row];
        }
    };
    let row = |value: Option<String>, found: Found| {
        let mut row = plain();
        row.insert("value".into(), json!(value));
        row.insert("first_fault".into(), json!(answer.found.as_ref().and_then(fault)));
        found.tell(&mut row);
        row
    };
    let exact = answer.label == Label::Exact;
    match (figure.sort, &answer.found) {
        (FigureSort::Chance, Some(found)) => {
            vec![row(None, Found::share(found.chance(|cells| cells.first() == Some(&1)), found, exact))]
        }
        (FigureSort::Hist, Some(found)) => {
            let outcomes = found.outcomes.iter().map(|o| {
                let value = match &o.worth {
                    Worth::Cells(cells) => value_text(&scenario.game, ty, cells),
                    Worth::Fault(fault) => format!("error {}", fault.code),
                    Worth::Never => "never ends".to_string(),
                };
                row(Some(value), Found::share(found.share(o), found, exact))
            });
            outcomes.collect()
        }
        _ => {
            let number = |value: &Fraction| scaled(ty, value);
            let found = match (&answer.mean, &answer.between) {
                (Some(mean), _) if exact => Found::Exact(number(mean)),
                (_, Some((low, high))) => Found::Between(number(low), number(high)),
                _ => Found::Nothing(exact),
            };
            vec![row(None, found)]
        }
    }
}

/// The error that runs end in, and how often.
fn fault(found: &Distribution) -> Option<String> {
    found.outcomes.iter().find_map(|o| match &o.worth {
        Worth::Fault(fault) => Some(format!("in {} of all cases: {}", short(&found.share(o)), fault.message)),
        _ => None,
    })
}

/// What is known of a number.
enum Found {
    Exact(Fraction),
    Between(Fraction, Fraction),
    /// Nothing; true if all was explored, and there is no such number.
    Nothing(bool),
}

impl Found {
    fn share(share: Fraction, of: &Distribution, exact: bool) -> Found {
        let high = &share + &of.unexplored();
        if exact { Found::Exact(share) } else { Found::Between(share, high) }
    }

    fn tell(self, row: &mut Row) {
        let label = |exact: bool| json!(if exact { "exact" } else { "bounded" });
        match self {
            Found::Exact(value) => {
                row.insert("label".into(), label(true));
                row.insert("estimate".into(), json!(value.float()));
                row.insert("fraction".into(), json!(value.to_string()));
            }
            Found::Between(low, high) => {
                row.insert("label".into(), label(false));
                let [low, high] = ends(&low, &high);
                row.insert("low".into(), json!(low));
                row.insert("high".into(), json!(high));
            }
            Found::Nothing(exact) => drop(row.insert("label".into(), label(exact))),
        }
    }
}

/// An exact number or its bounds, for people.
pub(super) fn told(row: &Row) -> String {
    let number = |name: &str| row.get(name).and_then(Value::as_f64);
    let words = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let (unit, label) = (unit(row), words("label"));
    let fault =
        if words("first_fault").is_empty() { String::new() } else { format!("; {}", clean(words("first_fault"))) };
    match (number("estimate"), number("low").zip(number("high"))) {
        (Some(value), _) => {
            let fraction = words("fraction").parse::<Fraction>().map_or(String::new(), |f| short(&f));
            let told = unit.plain(value);
            let told = if fraction == told { told } else { format!("{fraction} = {told}") };
            format!("{told}  ({label}){fault}")
        }
        (None, Some(ends)) => format!("from {}  ({label}){fault}", unit.ends(ends).join(" to ")),
        (None, None) if label == "exact" => format!("none  ({label}){fault}"),
        (None, None) => format!("not known, not everything was explored  ({label}){fault}"),
    }
}
