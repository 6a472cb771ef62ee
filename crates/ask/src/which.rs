//! Contrasts of several versions of the rules, which show the edit that makes the difference between two of them.

use super::{Compare, Unanswered};
use grognard_play::odds::NotExact;
use grognard_scenario::Scenario;
use grognard_stats::compare::{not_numbers, unfit};
use grognard_stats::{Contrast, Contrasts, Watcher, exact_contrasts, sampled_contrasts};

impl Compare {
    /// Computes contrasts of several versions, of which the first is A and the last is B: exactly if every version can
    /// be explored, otherwise from runs. `watch` receives 0 after each explored version.
    ///
    /// # Errors
    ///
    /// If a measure cannot be compared, or the exact answer is too large and runs may not answer.
    pub fn contrasts(
        &self,
        versions: &mut [&mut Scenario],
        contrasts: &[Contrast],
        watch: &Watcher<'_>,
        left_out: &mut dyn FnMut(&str),
    ) -> Result<(Contrasts, Option<NotExact>), Unanswered> {
        self.leave_out(versions, not_numbers, left_out);
        let mut not_exact = None;
        if self.explores() {
            match exact_contrasts(&shared(versions), contrasts, self.question, self.budget.clone(), watch) {
                Ok(found) => return Ok((found, None)),
                Err(why) if !self.mode.samples() => return Err(Unanswered::Beyond(why)),
                Err(why) => not_exact = Some(why),
            }
        }
        // runs cannot answer a measure without bounds
        self.leave_out(versions, unfit, left_out);
        let found = sampled_contrasts(&shared(versions), contrasts, self.question, watch);
        let found = found.map_err(|unfit| Unanswered::Unfit(unfit.why))?;
        Ok((found, not_exact))
    }
}

fn shared<'s>(versions: &'s [&mut Scenario]) -> Vec<&'s Scenario> {
    versions.iter().map(|version| &**version).collect()
}
