//! The points of a sweep: each one exactly, from runs, or from runs where the exact answer is too large.

use super::runs::asks_person;
use super::{Answer, Mode, Odds, OddsReport, Refused, Runs};
use grognard_base::value::{IdSet, SettingId};
use grognard_base::{Budget, OrdMap};
use grognard_odds::{Label, Limit};
use grognard_play::odds::odds_options;
use grognard_program::settings_reached;
use grognard_scenario::{Mode as Own, Plan, Scenario};
use grognard_stats::sweep::{MeasuredPoint, Point, PointAnswer, Sampled};
use grognard_stats::{End, Settings, Watcher, sample};
use grognard_vm::Fault;
use std::collections::BTreeMap;

/// A question about each point of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// Exact, from runs, or exact where possible; `None` for the mode of the scenario, or exact where possible.
    pub mode: Option<Mode>,
    /// The runs of a sampled answer.
    pub runs: Runs,
}

/// The answer at a point.
pub struct SweepPoint {
    /// The answer, or the error in which every outcome of an exact answer ends.
    pub found: Result<Answer, Fault>,
    /// The limit that ended the exact answer early, or `None`.
    pub ended_by: Option<Limit>,
}

impl Sweep {
    /// Checks whether a table can be swept.
    ///
    /// # Errors
    ///
    /// If the table reports nothing, or a human player answers in it.
    pub fn check(plan: &Plan) -> Result<(), Refused> {
        match () {
            () if plan.report.is_empty() => Err(Refused::Empty),
            () if asks_person(plan) => Err(Refused::Person),
            () => Ok(()),
        }
    }

    /// Returns the mode in which the points of a table are answered. A scenario of one run does not choose between exact
    /// answers and runs, so its points are exact where possible.
    pub fn mode(&self, plan: &Plan) -> Mode {
        self.mode.unwrap_or(match plan.mode {
            Own::Exact => Mode::Exact,
            Own::Sampled => Mode::Sampled,
            Own::Scripted => Mode::Auto,
        })
    }

    /// Returns the settings with which the points of a table are sampled.
    pub fn settings(&self, plan: &Plan) -> Settings {
        self.runs.settings(plan)
    }

    /// Answers the question at a point. Only a mode that explores uses the `budget`. Returns `None` if `watch` ends the
    /// runs, because a partial sample is not an answer.
    pub fn answer(&self, scenario: &Scenario, budget: Budget, watch: &Watcher<'_>) -> Option<SweepPoint> {
        let mode = self.mode(&scenario.plan);
        let mut ended_by = None;
        if mode.explores() {
            let found = Odds::plain(odds_options(scenario, budget)).answer(scenario);
            ended_by = found.as_ref().ok().and_then(|found| found.cost.limit);
            let label =
                |found: &OddsReport| found.answers.iter().all(|a| a.as_ref().is_ok_and(|a| a.label != Label::Bounded));
            if !mode.samples() || found.as_ref().is_ok_and(label) {
                return Some(SweepPoint { found: found.map(|found| Answer::Exact(Box::new(found))), ended_by });
            }
        }
        let sample = sample(scenario, self.settings(&scenario.plan), None, watch);
        let whole = !matches!(sample.end, End::Stopped | End::Gone);
        whole.then(|| SweepPoint { found: Ok(Answer::Sampled(Box::new(sample))), ended_by })
    }
}

impl SweepPoint {
    /// Returns the answer to each measure, as rows of a table show it.
    pub fn measured(self, scenario: &Scenario) -> MeasuredPoint {
        let answer = match self.found {
            Err(fault) => PointAnswer::Exact(vec![Err(fault); scenario.plan.report.len()]),
            Ok(Answer::Exact(found)) => PointAnswer::Exact(found.answers),
            Ok(Answer::Sampled(sample)) => {
                let estimates = sample.estimates(scenario);
                let (seed, faults, first_fault) = (sample.settings.seed, sample.faults, sample.first_fault);
                PointAnswer::Sampled(Sampled { seed, faults, first_fault, estimates })
            }
        };
        MeasuredPoint { answer, ended_by: self.ended_by }
    }
}

/// Exact answers that hold for several points: a setting that the code of a table never reads does not change them.
#[derive(Default)]
pub struct KnownAnswers {
    /// The settings that the code of a table reads, by table.
    reached: OrdMap<usize, IdSet<SettingId>>,
    answers: BTreeMap<PointKey, MeasuredPoint>,
}

/// A table, and the values of the settings that its code reads.
type PointKey = (usize, Vec<(SettingId, Vec<i64>)>);

impl KnownAnswers {
    /// Returns the answer at a point. It is asked for unless the exact answer at another point holds.
    ///
    /// # Errors
    ///
    /// If `ask` fails.
    pub fn find<E>(
        &mut self,
        point: &Point,
        scenario: &Scenario,
        ask: impl FnOnce() -> Result<Option<MeasuredPoint>, E>,
    ) -> Result<Option<MeasuredPoint>, E> {
        let reached = self.reached.entry(point.table).or_insert_with(|| settings_reached(&scenario.game.program));
        let read = point.settings.iter().filter(|(id, _)| reached.contains(*id)).cloned();
        let key = (point.table, read.collect());
        if let Some(answer) = self.answers.get(&key) {
            return Ok(Some(answer.clone()));
        }
        let answer = ask()?;
        if let Some(answer) = answer.as_ref().filter(|answer| answer.is_exact()) {
            self.answers.insert(key, answer.clone());
        }
        Ok(answer)
    }
}
