//! Claims of an example about chances and means: every way that the dice can fall which it does not give.

use super::answers::Answers;
use super::claims::Check;
use super::faces::Faces;
use super::table::{Bench, Table};
use super::{Callee, ExampleResult, Runner, cells_of};
use crate::base::Code;
use crate::exact::{Args, Choice, Deciders, Distribution, Graph, Label, Options, Query, Task, Worth, explore};
use crate::machine::{Asked, Decide, Dice, DrawAsk, Fault, Game, Throw};
use crate::play::odds::{Answer, refuted};
use crate::program::flow::Flow;
use crate::scenario::Claimed;
use crate::syntax::tree::ClaimKind;
use crate::value::*;

/// Dice and decisions of an example; what it does not give is left to chance.
pub(super) struct Given<'g> {
    game: &'g Game,
    faces: Faces,
    answers: Answers,
}

impl Given<'_> {
    fn gives(&self, site: SiteId) -> bool {
        self.game.program.schema.sites.get(site.at()).is_some_and(|s| self.faces.gives(&s.name))
    }
}

impl Deciders for Given<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault> {
        self.answers.decide(asked).map(|(answer, _)| Choice::Answer(answer))
    }

    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<bool, Fault> {
        let gives = self.gives(throw.site);
        if gives {
            self.faces.throw(game, throw, faces)?;
        }
        Ok(gives)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<bool, Fault> {
        let gives = self.gives(draw.site);
        if gives {
            self.faces.draw(game, draw, picks)?;
        }
        Ok(gives)
    }

    fn gives_dice(&self) -> bool {
        self.game.program.schema.sites.iter().any(|site| self.faces.gives(&site.name))
    }

    fn memory(&self, memory: &mut Vec<i64>) {
        let sites = &self.game.program.schema.sites;
        self.answers.remember(memory);
        self.faces.remember(|name| sites.iter().position(|s| s.name == name).map_or(-1, |n| n as i64), memory);
    }

    fn recall(&mut self, mut memory: &[i64]) {
        let sites = &self.game.program.schema.sites;
        self.answers.recall(&mut memory);
        self.faces.recall(|n| sites.get(usize::try_from(n).ok()?).map(|s| s.name.clone()), &mut memory);
    }
}

/// A claim about chances that was worked out: its place among the claims, what was found, and what is claimed.
pub(super) type Worked = (usize, Answer, Claimed);

impl Runner<'_> {
    /// Everything that can happen in the call, for as long as `look` looks at it.
    pub(super) fn explored<T>(
        &self,
        bench: &Bench,
        table: &Table,
        func: FuncId,
        keep: Option<&[bool]>,
        options: Options,
        look: impl FnOnce(&mut Graph<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let game = &table.game;
        let mut state = game.start.clone();
        let args = table.arguments(bench, &mut state)?;
        let mut given =
            Given { game, faces: Faces::of(&self.example.tree), answers: Answers::of(&bench.answers, None) };
        look(&mut explore(game, &state, Task::Call { func, args: &args, keep }, &mut given, options))
    }

    fn options(&self) -> Options {
        Options { budget: self.budget, ..Options::default() }
    }

    /// Which cells of the result the questions read; nothing if they do not see it.
    pub(super) fn read(&self, bench: &Bench, table: &Table) -> Option<Vec<bool>> {
        let mut flow = Flow::new(&table.game.program);
        let mut keep: Option<Vec<bool>> = bench.has_result.then(Vec::new);
        for check in &bench.checks {
            let Check::Odds { of, given, .. } = check else { continue };
            for func in [Some(*of), *given].into_iter().flatten() {
                let reads = flow.reads(func);
                let Some(keep) = &mut keep else { continue };
                keep.resize(keep.len().max(reads.len()), false);
                reads.iter().zip(keep).for_each(|(read, keep)| *keep |= read);
            }
        }
        keep
    }

    /// Works out all claims about chances and means. An error in any case is the error of the example.
    pub(super) fn odds(&self, bench: &Bench, table: &Table, callee: &Callee) -> Result<Vec<Worked>, Fault> {
        let Callee::Func(func, _) = callee else { return self.sure(bench, table) };
        let keep = self.read(bench, table);
        let counts = |check: &Check| matches!(check, Check::Odds { counted: Some(_), .. });
        let mut worked = Vec::new();
        if bench.checks.iter().any(counts) {
            worked = self.explored(bench, table, *func, keep.as_deref(), self.options(), |graph| {
                self.counted(bench, table, graph)
            })?;
        }
        if bench.checks.iter().all(|check| counts(check) || !matches!(check, Check::Odds { .. })) {
            return Ok(worked);
        }
        // what was counted belongs to a position if anybody asks for more than its mean
        let options = Options { history: bench.looks_at_tallies, counts: bench.counts.clone(), ..self.options() };
        worked.extend(self.explored(bench, table, *func, keep.as_deref(), options, |graph| {
            self.claims(bench, table, false, |of, given| {
                let query = |func| asked(bench, table, func);
                let found = graph.distribution(query(of), given.map(query));
                match found.outcomes.iter().find_map(|o| if let Worth::Fault(f) = &o.worth { Some(f) } else { None }) {
                    Some(fault) => Err(fault.clone()),
                    None => Ok(found),
                }
            })
        })?);
        Ok(worked)
    }

    /// Means of what is only counted on the way.
    fn counted(&self, bench: &Bench, table: &Table, graph: &Graph<'_>) -> Result<Vec<Worked>, Fault> {
        let mut worked = Vec::new();
        for (n, check) in bench.checks.iter().enumerate() {
            let Check::Odds { claimed: Some(claimed), counted: Some(tally), .. } = check else { continue };
            let mean = graph.mean_tally(*tally, None)?;
            let label = if mean.is_some() { Label::Exact } else { Label::Bounded };
            let answer = Answer { found: None, mean, variance: None, between: None, label };
            worked.push((n, answer, Claimed::Mean(self.fraction(table, *claimed)?.into())));
        }
        Ok(worked)
    }

    /// The fraction that is claimed.
    fn fraction(&self, table: &Table, claimed: FuncId) -> Result<Fraction, Fault> {
        let cells = cells_of(&table.game, &mut table.game.start.clone(), claimed, &[])?;
        Ok(match cells[..] {
            [n] => Fraction::whole(n),
            [num, den] => Ratio::new(num, den).map(Fraction::from).unwrap_or_default(),
            _ => Fraction::zero(),
        })
    }

    /// Without a call nothing happens, and all is sure.
    fn sure(&self, bench: &Bench, table: &Table) -> Result<Vec<Worked>, Fault> {
        self.claims(bench, table, true, |of, given| {
            let value = |func| cells_of(&table.game, &mut table.game.start.clone(), func, &table.values);
            let held = given.map_or(Ok(true), |g| value(g).map(|c| c.first() == Some(&1)))?;
            let one = num_bigint::BigUint::from(1u32);
            let outcome = crate::exact::Outcome { worth: Worth::Cells(value(of)?), weight: one.clone() };
            let outcomes = if held { vec![outcome] } else { Vec::new() };
            Ok(Distribution { outcomes, unexplored: 0u32.into(), whole: one, label: Label::Exact })
        })
    }

    /// Claims by what is found of each; of those about a tally's mean only if `all` are wanted.
    fn claims(
        &self,
        bench: &Bench,
        table: &Table,
        all: bool,
        find: impl Fn(FuncId, Option<FuncId>) -> Result<Distribution, Fault>,
    ) -> Result<Vec<Worked>, Fault> {
        let mut worked = Vec::new();
        for (n, check) in bench.checks.iter().enumerate() {
            let Check::Odds { of, ty, given, claimed: Some(claimed), counted } = check else { continue };
            if counted.is_some() && !all {
                continue;
            }
            let found = find(*of, *given)?;
            if found.outcomes.is_empty() && found.label == Label::Exact {
                return Err(Fault::new(Code::NeverGiven, "what is given holds at no end"));
            }
            let fraction = self.fraction(table, *claimed)?;
            let mean = matches!(self.case.claims[n].claimed.kind, ClaimKind::Mean(_));
            let claimed = if mean { Claimed::Mean(fraction.into()) } else { Claimed::Chance(fraction.into()) };
            worked.push((n, Answer::of(found, ty), claimed));
        }
        Ok(worked)
    }

    /// Compares what was found with what is claimed.
    pub(super) fn judge_odds(&self, result: &mut ExampleResult, found: Vec<Worked>) {
        for (n, answer, claimed) in found {
            result.judged += 1;
            match refuted(&claimed, &answer) {
                Some(None) => result.held += 1,
                Some(Some(found)) => self.differs(result, &self.case.claims[n], &found),
                None => {
                    let most = self.budget.states;
                    let message = format!("not everything was explored within {most} positions");
                    self.say(result, Code::Budget, self.case.span, message);
                }
            }
        }
    }
}

/// A function of the example as a question to the end of its call.
pub(super) fn asked<'q>(bench: &Bench, table: &'q Table, func: FuncId) -> Query<'q> {
    Query { func, args: if bench.has_result { Args::Result } else { Args::Given(&table.values) } }
}
