//! The odds of a scenario.

use super::super::mode::question;
use super::super::out::{Out, Stop, rendered as noted};
use super::super::scenes::{self, Wanted};
use super::super::simulate::ReportForm;
use super::{OddsArgs, finding, findings, judged, remark_many, tell};
use grognard_ask::Odds;
use grognard_base::Sources;
use grognard_play as play;
use grognard_play::odds::{OddsOptions, odds_options};
use grognard_scenario::Scenario;
use std::path::Path;

/// Computes the odds of a scenario and prints them.
pub fn run(args: &OddsArgs, file: &Path, out: &mut Out) -> Result<u8, Stop> {
    for (name, given) in [("--with", &args.with), ("--rolling", &args.rolling), ("--choosing", &args.choosing)] {
        if !given.is_empty() {
            return Err(Stop::failed(format!("`{name}` needs a call of the rules; set this in the scenario")));
        }
    }
    if args.given.is_some() && args.of.is_empty() {
        return Err(Stop::failed("`--given` requires `--of`"));
    }
    let mut sources = Sources::default();
    let given = |of: &String| args.given.as_ref().map_or(of.clone(), |given| format!("{of} given {given}"));
    let of: Vec<String> = args.of.iter().map(given).collect();
    let objective = args.objective.as_deref();
    let wanted = Wanted {
        rules: args.rules.as_deref(),
        set: &args.set,
        of: &of,
        decide: &args.decide,
        objective,
        ..Wanted::default()
    };
    let scenario = scenes::load_as(file, wanted, args.detail(), &mut sources).map_err(judged)?;
    if scenario.plan.report.is_empty() && !args.ends {
        return Err(Stop::failed(
            "the scenario has no `[report]`; name a measure with `--of EXPR`, or list the final states with `--ends`",
        ));
    }
    let question = args.question()?;
    let (marks, precision) = (args.why, args.precision());
    let odds_options = OddsOptions { marks, precision, ..odds_options(&scenario, question.budget.clone()) };
    let odds = Odds { odds_options, ends: args.ends, line: args.table, estimate: true };
    let answer = odds.answer(&scenario).map_err(|fault| findings(&sources)(vec![fault.diagnostic()]))?;
    drop(question);
    remark_many(&answer, &sources);
    out.note(noted(file, &scenario).into_iter().chain(args.facts(&answer)));
    let name = file.display().to_string().replace('\\', "/");
    let found = finding(args.format, &name, &answer.rendered(&name, &scenario), answer.line.as_deref());
    let code = tell(args.format, &found, answer.problems, &sources, out)?;
    args.page.put(out, || found)?;
    Ok(code)
}

/// Prints the report and the expectations of a scenario in exact mode.
pub fn all(file: &Path, scenario: &Scenario, sources: &Sources, form: ReportForm, out: &mut Out) -> Result<u8, Stop> {
    let question = question()?;
    let budget = question.budget;
    let mut checks = play::checked(&scenario.plan, &[]);
    let mut problems = play::odds::judge(scenario, budget.clone(), &mut checks);
    let (hold, looked) = play::count(&checks);
    if form == ReportForm::Human && looked > 0 {
        out.line(&format!("{hold} of {looked} expectations hold"))?;
    }
    let answer = Odds { estimate: true, ..Odds::plain(OddsOptions::plain(budget)) }.answer(scenario);
    let mut answer =
        answer.map_err(|fault| findings(sources)(problems.drain(..).chain([fault.diagnostic()]).collect()))?;
    problems.append(&mut answer.problems);
    let name = file.display().to_string().replace('\\', "/");
    let found = finding(form, &name, &answer.rendered(&name, scenario), None);
    tell(form, &found, problems, sources, out)
}
