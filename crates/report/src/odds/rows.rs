//! Formats exact results as rows: fractions, or bounds if the budget was too small.

use super::super::sampled::{place, rendered_value};
use super::super::table::{self, KnownNumber, Row};
use super::{scaled, short};
use grognard_base::value::{Fraction, NONE, Type};
use grognard_odds::{Distribution, Label, Outcome, Worth};
use grognard_play::odds::OddsAnswer;
use grognard_scenario::FigureSort;
use grognard_vm::{Fault, Game};
use num_bigint::BigUint;
use serde_json::json;

/// Returns the rows of a result: one row, or a row for each value of a histogram. `question` is the text, the kind of result and
/// the type of the measure.
pub fn answer_rows(game: &Game, question: (&str, FigureSort, &Type), answer: Result<&OddsAnswer, &Fault>) -> Vec<Row> {
    let (text, sort, ty) = question;
    let name = match sort {
        FigureSort::Chance => "chance",
        FigureSort::Mean => "mean",
        FigureSort::Hist => "hist",
    };
    let unit = table::unit(ty, sort != FigureSort::Mean);
    let plain = || table::row(json!({ "measure": text, "sort": name, "unit": unit }));
    let answer = match answer {
        Ok(answer) => answer,
        Err(fault) => {
            let mut row = plain();
            row.insert("error".into(), json!(format!("{}: {}", fault.code, fault.message)));
            return vec![row];
        }
    };
    let first = answer.found.as_ref().and_then(fault);
    let row = |known: KnownNumber| {
        let mut row = plain();
        row.insert("first_fault".into(), json!(first));
        known.tell(&mut row);
        row
    };
    let of = |found: &Distribution, worth: &Worth, share: [Fraction; 2]| {
        let (value, number) = match worth {
            Worth::Cells(cells) => rendered_value(game, ty, cells),
            Worth::Fault(fault) => (super::error_word(fault, found), None),
            Worth::Never => ("never ends".to_string(), None),
        };
        let mut row = row(KnownNumber::between(share, answer.label));
        row.insert("value".into(), json!(value));
        row.insert("number".into(), json!(number));
        row
    };
    let sums = answer.found.as_ref().map(|found| sums(ty, found)).unwrap_or_default();
    match (sort, &answer.found) {
        (FigureSort::Chance, Some(found)) => {
            vec![row(KnownNumber::between(found.chance_between(|cells| cells.first() == Some(&1)), answer.label))]
        }
        (FigureSort::Hist, Some(found)) => {
            let over = found.denominator();
            let row = |(n, o): (usize, &Outcome)| {
                let mut row = of(found, &o.worth, over.under_both(&found.bounds(o)));
                tell_sums(&mut row, sums.get(n));
                row
            };
            found.outcomes.iter().enumerate().map(row).collect()
        }
        _ => {
            let exact = answer.label == Label::Exact;
            let known = match (&answer.mean, &answer.between) {
                (Some(mean), _) if super::mean_label(answer) != Label::Bounded => KnownNumber::Exact(scaled(ty, mean)),
                (_, Some((low, high))) => KnownNumber::between([low, high].map(|end| scaled(ty, end)), answer.label),
                _ => KnownNumber::Nothing(exact),
            };
            vec![row(known)]
        }
    }
}

/// Returns the chance of each value or less, and of each value or more. Returns no chances if a value is not a number, or if not
/// everything was explored.
pub(super) fn sums(ty: &Type, found: &Distribution) -> Vec<[f64; 2]> {
    let is_number = |o: &Outcome| matches!(&o.worth, Worth::Cells(cells) if cells.first() != Some(&NONE) && place(ty, cells).is_some());
    if !found.unexplored().is_zero() || !found.outcomes.iter().all(is_number) {
        return Vec::new();
    }
    let over = found.denominator();
    // Twice the middle of the bounds.
    let middle = |[low, high]: &[BigUint; 2]| (&over.under(&(low + high)) / &Fraction::whole(2)).float();
    found.cumulated().iter().map(|sums| sums.each_ref().map(middle)).collect()
}

/// Stores the chances of a value or less, and of the value or more, in a row.
pub(in super::super) fn tell_sums(row: &mut Row, sums: Option<&[f64; 2]>) {
    if let Some([fewer, more]) = sums {
        row.insert("or_fewer".into(), json!(fewer));
        row.insert("or_more".into(), json!(more));
    }
}

/// Returns a sentence about the first error in which runs end, and its probability.
fn fault(found: &Distribution) -> Option<String> {
    found.outcomes.iter().find_map(|o| match &o.worth {
        Worth::Fault(fault) => Some(format!("in {} of all cases: {}", short(&found.share(o)), fault.message)),
        _ => None,
    })
}
