//! The odds of a call of the rules, or of an expression with dice.

use super::super::files::Root;
use super::super::out::{Out, Stop, game_facts, remark};
use super::{OddsArgs, finding, findings, remark_many, tell};
use grognard_ask::{CallQuestion, Unbound, dice_only};
use grognard_base::Sources;
use grognard_play::odds::OddsOptions;
use grognard_report::odds::Odds as ShownOdds;
use grognard_rules::Library;
use std::path::Path;

/// Computes the odds and prints them.
pub fn run(args: &OddsArgs, file: Option<&Path>, asked: &str, out: &mut Out) -> Result<u8, Stop> {
    if !args.decide.is_empty() || args.objective.is_some() || args.rules.is_some() || args.table || args.ends {
        return Err(Stop::failed("`--decide`, `--objective`, `--rules`, `--table` and `--ends` need a scenario"));
    }
    let mut sources = Sources::default();
    let root = file.map(Root::of_rules).transpose()?;
    let dice = dice_only();
    let (library, rules): (&dyn Library, &str) = match &root {
        Some((root, name)) => (root, name),
        None => (&dice.0, dice.1),
    };
    let question = CallQuestion {
        of: &args.of,
        given: args.given.as_deref(),
        with: &args.with,
        set: &args.set,
        rolling: &args.rolling,
        choosing: &args.choosing,
        detail: args.detail(),
        ..CallQuestion::new(library, rules, asked)
    };
    let mut call = match question.bind(&mut sources, &mut |said| remark(said)) {
        Ok(call) => call,
        Err(Unbound::Message(message)) => return Err(Stop::failed(message)),
        Err(Unbound::Found(found)) => return Err(findings(&sources)(found)),
    };
    let open = args.question()?;
    let (marks, precision) = (args.why, args.precision());
    let odds_options = OddsOptions { marks, precision, ..OddsOptions::plain(open.budget.clone()) };
    let outcome = call.answer(odds_options, &mut sources);
    drop(open);
    let mut answer = outcome.map_err(|found| findings(&sources)(found))?;
    remark_many(&answer, &sources);
    let problems = std::mem::take(&mut answer.problems);
    let odds = ShownOdds { rolls: call.rolls(), ..answer.rendered("", &call.scenario) };
    let rules = if file.is_some() { game_facts(&call.scenario.game).to_vec() } else { Vec::new() };
    let own = [("asked", asked.trim().into())].into_iter().chain(rules);
    out.note(own.chain(args.facts(&answer)));
    let found = finding(args.format, asked.trim(), &odds, None);
    let code = tell(args.format, &found, problems, &sources, out)?;
    args.page.put(out, || found)?;
    Ok(code)
}
