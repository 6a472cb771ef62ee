//! Formats exact results as rows: fractions, or bounds if the budget was too small.

use super::super::sampled::rendered_value;
use super::super::table::{self, KnownNumber, Row};
use super::{scaled, short};
use grognard_base::value::{Fraction, Type};
use grognard_odds::{Distribution, Label, Worth};
use grognard_play::odds::OddsAnswer;
use grognard_scenario::FigureSort;
use grognard_vm::{Fault, Game};
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
        let mut row = row(KnownNumber::between(share));
        row.insert("value".into(), json!(value));
        row.insert("number".into(), json!(number));
        row
    };
    match (sort, &answer.found) {
        (FigureSort::Chance, Some(found)) => {
            vec![row(KnownNumber::share(found.chance(|cells| cells.first() == Some(&1)), &found.unexplored()))]
        }
        (FigureSort::Hist, Some(found)) => {
            let over = found.denominator();
            found.outcomes.iter().map(|o| of(found, &o.worth, found.between(&over, &o.weight))).collect()
        }
        _ => {
            let exact = answer.label == Label::Exact;
            let known = match (&answer.mean, &answer.between) {
                (Some(mean), _) if super::mean_label(answer) == Label::Exact => KnownNumber::Exact(scaled(ty, mean)),
                (_, Some((low, high))) => KnownNumber::Between(scaled(ty, low), scaled(ty, high)),
                _ => KnownNumber::Nothing(exact),
            };
            vec![row(known)]
        }
    }
}

/// Returns a sentence about the first error in which runs end, and its probability.
fn fault(found: &Distribution) -> Option<String> {
    found.outcomes.iter().find_map(|o| match &o.worth {
        Worth::Fault(fault) => Some(format!("in {} of all cases: {}", short(&found.share(o)), fault.message)),
        _ => None,
    })
}
