//! The odds of a scenario.

use super::super::mode::question;
use super::super::out::{Out, Stop, told as noted};
use super::super::scenes::{self, Wanted};
use super::super::simulate::Form;
use super::{Args, decided, finding, findings, judged, tell};
use grognard_base::Sources;
use grognard_play as play;
use grognard_play::odds::{Explored, Wish, left_over, problems, report, whys, wish};
use grognard_report::odds::{Odds, answers, decisions};
use grognard_scenario::Scenario;
use grognard_vm::Fault;
use std::path::Path;

/// Asks a scenario and tells.
pub fn run(args: &Args, file: &Path, out: &mut Out) -> Result<u8, Stop> {
    for (name, given) in [("--with", &args.with), ("--rolling", &args.rolling), ("--choosing", &args.choosing)] {
        if !given.is_empty() {
            return Err(Stop::failed(format!("`{name}` is for a call of the rules; a scenario says it itself")));
        }
    }
    if args.given.is_some() && args.of.is_empty() {
        return Err(Stop::failed("`--given` goes with `--of`"));
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
    let faulty = |fault: Fault| findings(&sources)(vec![fault.diagnostic()]);
    if scenario.plan.report.is_empty() && !args.ends {
        return Err(Stop::failed("the scenario reports nothing; ask with `--of EXPR`, or how it ends with `--ends`"));
    }
    let question = args.question()?;
    let wish = Wish { marks: args.why, fractions: args.exact, ..wish(&scenario, question.budget) };
    let found = report(&scenario, &wish).map_err(faulty)?;
    let mut problems = problems(&scenario, &found);
    let whys = if args.why { whys(&scenario, &wish, &found) } else { Vec::new() };
    let ends = found.plain.as_ref().or(found.history.as_ref()).filter(|_| args.ends).map(Explored::ends);
    drop(question);
    if let Some(left) = ends.iter().filter(|_| found.answers.is_empty()).find_map(|ends| left_over(&found, ends)) {
        problems.push(left);
    }
    let whys = decided(&whys, &mut problems);
    let name = file.display().to_string().replace('\\', "/");
    let odds = Odds { ends, ..answers((&name, &scenario), &found, &whys) };
    out.note(noted(file, &scenario).into_iter().chain(args.facts(&odds)));
    let line = found.graph().filter(|_| args.table).map(decisions).transpose().map_err(faulty)?;
    let found = finding(args.format, &name, &odds, line.as_deref());
    let code = tell(args.format, &found, problems, &sources, out)?;
    args.page.put(out, || found)?;
    Ok(code)
}

/// A scenario in exact mode: what it reports, and what it expects.
pub fn all(file: &Path, scenario: &Scenario, sources: &Sources, form: Form, out: &mut Out) -> Result<u8, Stop> {
    let question = question()?;
    let budget = question.budget;
    let mut checks = play::checked(&scenario.plan, &[]);
    let mut problems = play::odds::judge(scenario, budget, &mut checks);
    let (hold, looked) = play::count(&checks);
    if form == Form::Human && looked > 0 {
        out.line(&format!("{hold} of {looked} expectations hold"))?;
    }
    let found = report(scenario, &Wish::plain(budget));
    let found = found.map_err(|fault| findings(sources)(problems.drain(..).chain([fault.diagnostic()]).collect()))?;
    problems.extend(play::odds::problems(scenario, &found));
    let name = file.display().to_string().replace('\\', "/");
    let found = finding(form, &name, &answers((&name, scenario), &found, &[]), None);
    tell(form, &found, problems, sources, out)
}
