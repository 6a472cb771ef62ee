//! `grognard compare --gaming`: what best play gains over plain play under two versions.

use super::super::out::{Out, Stop};
use super::super::simulate::{ReportForm, shown as written};
use super::super::{FINE, LIMIT};
use super::{CompareArgs, Pair, names};
use grognard_ask::{Gaming, NoGain};
use grognard_base::value::Type;
use grognard_report::compared::{self as shown, Gamed};
use grognard_report::finding::Finding;
use grognard_scenario::Scenario;

/// Parses `SIDE` or `SIDE=best|worst`. Returns the name and whether the player makes the objective small.
fn player(text: &str) -> Result<(String, bool), Stop> {
    match text.split_once('=') {
        None | Some((_, "best")) => Ok((text.trim_end_matches("=best").to_string(), false)),
        Some((name, "worst")) => Ok((name.to_string(), true)),
        Some((name, _)) => Err(Stop::failed(format!("write `--gaming {name}` or `--gaming {name}=worst`"))),
    }
}

/// Returns the text and the type of the objective.
fn measure(scenario: &Scenario) -> Option<(&str, &Type)> {
    let own = scenario.plan.objective.as_ref().map(|(text, asked)| (text.as_str(), &asked.ty));
    own.or_else(|| scenario.plan.report.first().map(|figure| (figure.text.as_str(), &figure.asked.ty)))
}

/// Answers the question for each pair, and returns the exit code.
pub fn gaming(args: &CompareArgs, side: &str, pairs: Vec<Pair>, out: &mut Out) -> Result<u8, Stop> {
    let (name, least) = player(side)?;
    let mut code = FINE;
    let mut all: Vec<Finding> = Vec::new();
    for mut pair in pairs {
        let question = args.cost.question(args.mode)?;
        let asked = Gaming { player: name.clone(), least, plain: args.plain.clone(), budget: question.budget.clone() };
        let mut gains = Vec::new();
        for scenario in &mut pair.scenarios {
            match asked.answer(scenario) {
                Ok(gain) => gains.push(gain),
                Err(NoGain::Asked(why)) => return Err(Stop::failed(why)),
                Err(NoGain::Fault(fault)) => {
                    out.errors(&[fault.diagnostic()], &pair.sources)?;
                    code = code.max(LIMIT);
                    break;
                }
            }
        }
        drop(question);
        let ([a, b], Some(measure)) = (gains.as_slice(), measure(&pair.scenarios[0])) else { continue };
        pair.note("exact", None, out);
        let rendered = pair.rendered((), None);
        let gamed = Gamed { player: &name, least, measure, gains: [a, b] };
        let found = shown::gaming(&names(&rendered, args, 1), &gamed);
        if args.format == ReportForm::Human {
            if !all.is_empty() {
                out.line("")?;
            }
            out.text(&found.text())?;
        }
        all.push(found);
    }
    if all.is_empty() {
        return Ok(code);
    }
    let found = shown::gamings(all);
    if args.format != ReportForm::Human {
        written(args.format, &found, out)?;
    }
    args.page.put(out, || found)?;
    Ok(code)
}
