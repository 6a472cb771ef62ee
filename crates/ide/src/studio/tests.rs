//! Checks the expectations of a scenario, as `grognard test` does. Pinned traces are checked by `grognard review`.

use super::requests::read;
use super::scenes::{Of, Unbound, place};
use super::{Asker, Engine, odds};
use grognard_base::Diagnostic;
use grognard_play::Verdict;
use grognard_program::Detail;
use grognard_stats::tested::tested;
use serde_json::{Value, json};

/// Returns the expectations of a scenario with their results.
pub fn test(engine: &mut Engine, params: Value, asker: &mut Asker<'_>) -> Result<Value, String> {
    let of: Of = read(params)?;
    let scene = Unbound::find(engine, of)?.bind(Detail::Plain)?;
    let mut tested = tested(&scene.scenario, 1);
    tested.judge(&scene.scenario, odds::budget(asker.watch.clone()));
    let why = |problem: &Diagnostic| problem.message.clone();
    let checks = tested.checks.iter().map(|check| {
        let mut row = json!({ "text": check.text, "step": check.step, "place": place(&scene.sources, check.span) });
        // An expectation that was not checked neither holds nor fails.
        match check.verdict {
            Verdict::Holds => row["holds"] = json!(true),
            Verdict::Fails(_) => row["holds"] = json!(false),
            Verdict::Unreached | Verdict::Waiting => {}
        }
        row["why"] = json!(tested.problems.iter().find(|problem| problem.span == Some(check.span)).map(why));
        row
    });
    let checks: Vec<Value> = checks.collect();
    let others = tested.problems.iter().filter(|problem| problem.is_error());
    let others = others.filter(|problem| tested.checks.iter().all(|check| Some(check.span) != problem.span));
    Ok(json!({ "checks": checks, "faults": others.map(why).collect::<Vec<_>>() }))
}
