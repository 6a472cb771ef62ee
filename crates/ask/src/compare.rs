//! Two versions of the rules on one scenario: exactly if both can be explored, otherwise from pairs of runs.

use super::Mode;
use grognard_base::{Budget, Effort};
use grognard_play::odds::NotExact;
use grognard_scenario::Scenario;
use grognard_stats::compare::{Question, compare_until, exactly, not_numbers, unfit};
use grognard_stats::{Compared as Found, Unfit, Watcher};

/// A comparison of two versions.
#[derive(Clone, Debug)]
pub struct Compare {
    /// Exact, from runs, or exact where possible.
    pub mode: Mode,
    /// The budget of the exact answer for each version.
    pub budget: Budget,
    /// Seed, maximum number of pairs, equivalence margin, and the other statistical settings.
    pub question: Question,
    /// Whether the user named the measures. If so, none is omitted, and a measure that cannot be compared is an error.
    pub named: bool,
}

/// The answer to a comparison.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The effect on each measure.
    pub found: Found,
    /// Why the answer is not exact, if an exact answer was tried.
    pub not_exact: Option<NotExact>,
}

/// The start of an answer, after an exact answer was tried.
#[derive(Clone, Debug)]
pub enum Begun {
    /// The exact answer.
    Exact(Box<Compared>),
    /// Runs answer the question. Contains why the answer is not exact, if an exact answer was tried.
    Runs(Option<NotExact>),
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Unanswered {
    /// A measure cannot be compared.
    Unfit(String),
    /// A measure has no bounds, so runs cannot answer. Exact odds were too expensive or were not requested.
    Unbounded(String),
    /// The exact answer is too large, and runs may not answer.
    Beyond(NotExact),
}

/// Finds the first measure that cannot be compared.
type Check = fn(&Scenario, &Scenario) -> Option<Unfit>;

impl Compare {
    /// Returns whether an exact answer is tried. Exact odds of two versions do not have the noise of unpaired runs, so
    /// they replace such runs only on request.
    pub fn explores(&self) -> bool {
        self.mode.explores() && !(self.mode == Mode::Auto && self.question.unpaired)
    }

    /// Removes measures that cannot be compared from all versions, as long as others remain, and passes the reason for
    /// each to `left_out`. `check` receives the first and the last version.
    pub(super) fn leave_out(&self, versions: &mut [&mut Scenario], check: Check, left_out: &mut dyn FnMut(&str)) {
        while let [a, .., b] = &*versions
            && let Some(Unfit { at, why }) = check(a, b)
        {
            if a.plan.report.len() == 1 || self.named {
                return;
            }
            for version in &mut *versions {
                version.plan.report.remove(at);
            }
            left_out(&why);
        }
    }

    /// Answers the question. A growing sample passes its current estimate to `partial` at each of `marks` and ends as
    /// soon as it is decided. Without marks, it plays until it is decided or all pairs are played.
    ///
    /// # Errors
    ///
    /// If a measure cannot be compared, or the exact answer is too large and runs may not answer.
    pub fn answer(
        &self,
        sides: &mut [Scenario; 2],
        watch: &Watcher<'_>,
        left_out: &mut dyn FnMut(&str),
        (marks, partial): (&[u64], &mut dyn FnMut(Compared)),
    ) -> Result<Compared, Unanswered> {
        let not_exact = match self.begin(sides, left_out)? {
            Begun::Exact(found) => return Ok(*found),
            Begun::Runs(not_exact) => not_exact,
        };
        let [a, b] = &*sides;
        let last = marks.last().copied().unwrap_or(self.question.runs);
        for mark in marks.iter().copied().filter(|mark| *mark < last).chain([last]) {
            let found = compare_until(a, b, self.question, watch, mark);
            let found = found.map_err(|unfit| Unanswered::Unfit(unfit.why))?;
            let done = found.pairs < mark || mark == last;
            let answer = Compared { found: Found::Sampled(found), not_exact: not_exact.clone() };
            if done || !answer.found.is_undecided(self.question.every) {
                return Ok(answer);
            }
            partial(answer);
        }
        Err(Unanswered::Unfit("no pairs were asked for".into()))
    }

    /// Removes measures that runs cannot compare, as [`begin`](Compare::begin) does, without an exact answer.
    pub fn fit(&self, sides: &mut [Scenario; 2]) {
        self.leave_out(&mut sides.each_mut(), not_numbers, &mut |_| ());
        self.leave_out(&mut sides.each_mut(), unfit, &mut |_| ());
    }

    /// Removes measures that cannot be compared, and tries an exact answer.
    ///
    /// # Errors
    ///
    /// If a measure cannot be compared, or the exact answer is too large and runs may not answer.
    pub fn begin(&self, sides: &mut [Scenario; 2], left_out: &mut dyn FnMut(&str)) -> Result<Begun, Unanswered> {
        self.leave_out(&mut sides.each_mut(), not_numbers, left_out);
        if let Some(unfit) = not_numbers(&sides[0], &sides[1]) {
            return Err(Unanswered::Unfit(unfit.why));
        }
        let unbounded = unfit(&sides[0], &sides[1]).filter(|_| self.named);
        let mut not_exact = None;
        if self.explores() {
            // if runs cannot take over, the default mode only tries a cheap exact answer
            let cheap = unbounded.is_some() && self.mode == Mode::Auto;
            let budget = if cheap { self.budget.least(Effort::Quick) } else { self.budget.clone() };
            match exactly(&sides[0], &sides[1], &self.question, budget) {
                Ok(found) => {
                    return Ok(Begun::Exact(Box::new(Compared { found: Found::Exact(found), not_exact: None })));
                }
                Err(why) if !self.mode.samples() => return Err(Unanswered::Beyond(why)),
                Err(why) => not_exact = Some(why),
            }
        }
        if let Some(unfit) = unbounded {
            return Err(Unanswered::Unbounded(unfit.why));
        }
        self.leave_out(&mut sides.each_mut(), unfit, left_out);
        Ok(Begun::Runs(not_exact))
    }
}
