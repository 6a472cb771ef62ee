//! The effect of each reading of a book on a scenario: exactly where possible, otherwise from pairs of runs.

use super::{Mode, Refused, Runs, asks_person};
use grognard_base::value::SettingId;
use grognard_base::{Budget, Diagnostic, did_you_mean};
use grognard_play::odds::NotExact;
use grognard_scenario::Prepared;
use grognard_stats::readings::{Misfit, ReadingSettings, Readings as Found, Teller, readings_until};
use grognard_stats::{Settings, Watcher};

/// A question about the readings of a scenario.
#[derive(Clone, Debug)]
pub struct Readings {
    /// Exact, from pairs of runs, or exact where possible.
    pub mode: Mode,
    /// The pairs of runs for each reading that is sampled.
    pub runs: Runs,
    /// The measures that the user named. Without any, every number and condition that the scenario reports.
    pub of: Vec<String>,
    /// The readings that the user named. Without any, all of them.
    pub only: Vec<String>,
}

/// The question together with its table.
pub struct ReadingsTable<'p, E> {
    question: Readings,
    prepare: &'p mut dyn FnMut(&[String]) -> Result<Prepared, E>,
    of: Vec<String>,
    table: Prepared,
    wanted: Vec<SettingId>,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum NoReadings<E> {
    /// The adapter cannot read the table.
    Unread(E),
    /// The question cannot be asked about this table.
    Refused(Refused),
    /// The rules have no reading with the given name; the error as a sentence.
    Unknown(String),
    /// The table cannot be built.
    Unset(Vec<Diagnostic>),
    /// A measure cannot be sampled.
    Unfit(String),
    /// The exact answer is too large, and runs may not answer.
    Beyond(NotExact),
}

impl Readings {
    /// Chooses the measures and the readings. `prepare` reads the table with the measures that it receives, or with the
    /// report of the scenario if it receives an empty list.
    ///
    /// # Errors
    ///
    /// If the table cannot be read, or the question cannot be asked about it.
    pub fn bind<E>(
        self,
        prepare: &mut dyn FnMut(&[String]) -> Result<Prepared, E>,
    ) -> Result<ReadingsTable<'_, E>, NoReadings<E>> {
        let mut of = self.of.clone();
        let mut table = prepare(&of).map_err(NoReadings::Unread)?;
        if of.is_empty() {
            for figure in table.plan().report.iter().filter(|figure| figure.asked.ty.has_mean()) {
                if !of.contains(&figure.text) {
                    of.push(figure.text.clone());
                }
            }
            if of.is_empty() {
                return Err(NoReadings::Refused(Refused::NoMean));
            }
            table = prepare(&of).map_err(NoReadings::Unread)?;
        }
        if asks_person(table.plan()) {
            return Err(NoReadings::Refused(Refused::Person));
        }
        if let Some(figure) = table.plan().report.iter().find(|figure| !figure.asked.ty.has_mean()) {
            return Err(NoReadings::Refused(Refused::Other(figure.text.clone())));
        }
        let wanted = self.wanted(&table).map_err(NoReadings::Unknown)?;
        Ok(ReadingsTable { question: self, prepare, of, table, wanted })
    }

    /// Returns the selected readings, or an error sentence about a name that is not a reading.
    fn wanted(&self, table: &Prepared) -> Result<Vec<SettingId>, String> {
        let settings = &table.rules().settings;
        let readings = settings.iter().enumerate().filter(|(_, setting)| setting.alternatives.len() > 1);
        let readings: Vec<(&str, SettingId)> =
            readings.map(|(n, setting)| (setting.name.as_str(), SettingId::from(n))).collect();
        if self.only.is_empty() {
            return Ok(readings.into_iter().map(|(_, id)| id).collect());
        }
        let mut found = Vec::new();
        for name in &self.only {
            match readings.iter().find(|(own, _)| own == name) {
                None => return Err(no_reading(name, readings.iter().map(|(own, _)| *own))),
                Some((_, id)) if !found.contains(id) => found.push(*id),
                Some(_) => {}
            }
        }
        Ok(found)
    }
}

impl<E> ReadingsTable<'_, E> {
    /// Returns the table with its measures.
    pub fn table(&self) -> &Prepared {
        &self.table
    }

    /// Returns the settings of a sample, or `None` if runs may not answer.
    pub fn settings(&self) -> Option<Settings> {
        self.question.mode.samples().then(|| self.question.runs.settings(self.table.plan()))
    }

    /// Answers the question. `within` is the equivalence margin of the first measure. A growing sample passes its
    /// current estimate to `partial` at each of `marks` except the last. Without marks, it plays all pairs at once.
    ///
    /// # Errors
    ///
    /// If the table cannot be answered with these measures. [`ReadingsTable::leave_out`] can remove one.
    pub fn answer(
        &self,
        budget: Budget,
        within: Option<f64>,
        watch: &Watcher<'_>,
        (marks, partial): (&[u64], Teller<'_>),
    ) -> Result<Found, Misfit> {
        let sampled = self.settings();
        let how = ReadingSettings { exact: self.question.mode.explores().then_some(budget), sampled, within };
        let all = [sampled.map_or(0, |sampled| sampled.runs)];
        let marks = if marks.is_empty() { &all } else { marks };
        readings_until(&self.table, &self.wanted, how, watch, (marks, partial))
    }

    /// Removes the measure that prevented an answer and returns the reason, so that the caller can ask again. A measure
    /// that the user named and the last remaining measure are not removed.
    ///
    /// # Errors
    ///
    /// If no measure can be omitted.
    pub fn leave_out(&mut self, misfit: Misfit) -> Result<String, NoReadings<E>> {
        match misfit {
            Misfit::Table(found) => Err(NoReadings::Unset(found)),
            Misfit::Beyond(why) => Err(NoReadings::Beyond(why)),
            Misfit::Measure(unfit) if self.question.of.is_empty() && self.of.len() > 1 => {
                self.of.remove(unfit.at);
                self.table = (self.prepare)(&self.of).map_err(NoReadings::Unread)?;
                Ok(unfit.why)
            }
            Misfit::Measure(unfit) => Err(NoReadings::Unfit(unfit.why)),
        }
    }
}

/// Returns the error sentence for an unknown reading.
pub fn no_reading<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    format!("the rules have no reading `{name}`{}", did_you_mean(name, names))
}
