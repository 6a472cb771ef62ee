//! The odds of a scenario.

use super::super::mode::question;
use super::super::out::{Out, Stop, told as noted};
use super::super::scenes::{self, Wanted};
use super::super::simulate::Form;
use super::{Args, decided, findings, tell};
use crate::base::{Diagnostic, Sources};
use crate::exact::Budget;
use crate::play;
use crate::play::odds::{Explored, Report, Why, Wish, left_over, problems, report, whys, wish};
use crate::report::odds::{Odds, Told, decisions, finding};
use crate::scenario::Scenario;
use std::path::Path;

/// Asks a scenario and tells.
pub fn run(args: &Args, file: &Path, colour: bool, out: &mut Out) -> Result<u8, Stop> {
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
    let scenario = match scenes::load_as(file, wanted, args.detail(), &mut sources)? {
        Ok(scenario) => scenario,
        Err(found) => return findings(args.format, &found, &sources, colour, out),
    };
    if scenario.plan.report.is_empty() && !args.ends {
        return Err(Stop::failed("the scenario reports nothing; ask with `--of EXPR`, or how it ends with `--ends`"));
    }
    let question = args.question()?;
    let wish = Wish { marks: args.why, fractions: args.exact, ..wish(&scenario, question.budget) };
    let found = match report(&scenario, &wish) {
        Ok(found) => found,
        Err(fault) => {
            drop(question);
            return findings(args.format, &[fault.diagnostic()], &sources, colour, out);
        }
    };
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
    let line = match found.graph().filter(|_| args.table).map(decisions).transpose() {
        Ok(line) => line,
        Err(fault) => return findings(args.format, &[fault.diagnostic()], &sources, colour, out),
    };
    let found = finding(&name, &odds, line.as_deref());
    let code = tell(args.format, &found, problems, &sources, colour, out)?;
    args.page.put(out, || found)?;
    Ok(code)
}

/// The answers to what a scenario reports, and where they are decided if that was asked.
fn answers<'a>((name, scenario): (&'a str, &'a Scenario), found: &'a Report<'_>, whys: &'a [Option<Why>]) -> Odds<'a> {
    let figures = scenario.plan.report.iter().zip(&found.answers).enumerate();
    let told = figures.filter_map(|(n, (figure, answer))| {
        let (answer, why) = (answer.as_ref().ok()?, whys.get(n).and_then(Option::as_ref));
        Some(Told { text: &figure.text, ty: &figure.asked.ty, sort: figure.sort, answer, why })
    });
    let states = found.graph().map_or(0, |g| g.graph.states());
    Odds { scenario: name, game: &scenario.game, told: told.collect(), states, rolls: Vec::new(), ends: None }
}

/// A scenario in exact mode: what it reports, and what it expects.
pub fn all(
    file: &Path,
    scenario: &Scenario,
    sources: &Sources,
    form: Form,
    colour: bool,
    out: &mut Out,
) -> Result<u8, Stop> {
    let question = question()?;
    let budget = question.budget;
    let mut checks = play::checked(&scenario.plan, &[]);
    let mut problems = play::odds::judge(scenario, budget, &mut checks);
    let (hold, looked) = play::count(&checks);
    if form == Form::Human && looked > 0 {
        out.line(&format!("{hold} of {looked} expectations hold"))?;
    }
    let found = match report(scenario, &Wish::plain(budget)) {
        Ok(found) => found,
        Err(fault) => {
            problems.push(fault.diagnostic());
            return findings(form, &problems, sources, colour, out);
        }
    };
    problems.extend(play::odds::problems(scenario, &found));
    let name = file.display().to_string().replace('\\', "/");
    let found = finding(&name, &answers((&name, scenario), &found, &[]), None);
    tell(form, &found, problems, sources, colour, out)
}

/// What a scenario reports, for people, without how much work it was; nothing if it reports nothing, or if it is to be
/// `whole` and some of it lies beyond the budget.
pub fn plain(file: &Path, scenario: &Scenario, budget: Budget, whole: bool) -> Result<Option<String>, Diagnostic> {
    if scenario.plan.report.is_empty() {
        return Ok(None);
    }
    let found = report(scenario, &Wish::plain(budget)).map_err(|fault| fault.diagnostic())?;
    if whole && !problems(scenario, &found).is_empty() {
        return Ok(None);
    }
    let name = file.display().to_string().replace('\\', "/");
    let text = finding(&name, &answers((&name, scenario), &found, &[]), None).text();
    let lines = text.lines().filter(|line| !line.contains(" positions explored"));
    Ok(Some(lines.map(|line| format!("{line}\n")).collect()))
}
