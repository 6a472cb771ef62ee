//! Sweeps: the same measures at every point of a grid of params and readings.

use super::estimate::Estimate;
use grognard_base::value::SettingId;
use grognard_odds::{Label, Limit};
use grognard_play::odds;
use grognard_scenario::{Prepared, Scenario};
use grognard_vm::Fault;

/// Maximum number of points of a sweep.
pub const MOST_POINTS: u64 = 100_000;

/// A grid of scenarios, each with its swept params and readings. Points are numbered scenario by scenario, and the last
/// name varies fastest.
#[derive(Clone, Debug)]
pub struct Grid {
    tables: Vec<Prepared>,
}

/// A point of a grid: a scenario, and a value for each swept param and reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The number of the point, from 0.
    pub number: u64,
    /// The index of the scenario.
    pub table: usize,
    /// The settings, each with its value in cells.
    pub settings: Vec<(SettingId, Vec<i64>)>,
}

impl Grid {
    /// Creates the grid of these scenarios. Returns `None` if it has more than [`MOST_POINTS`] points.
    pub fn new(tables: Vec<Prepared>) -> Option<Grid> {
        let sizes = tables.iter().map(size).try_fold(0u64, |all, one| all.checked_add(one?))?;
        (sizes <= MOST_POINTS).then_some(Grid { tables })
    }

    /// Returns the number of points.
    pub fn points(&self) -> u64 {
        self.tables.iter().filter_map(size).sum()
    }

    /// Returns the scenarios that the grid was created from.
    pub fn tables(&self) -> &[Prepared] {
        &self.tables
    }

    /// Returns the point with this number, or `None` beyond the last one.
    pub fn point(&self, number: u64) -> Option<Point> {
        let mut left = number;
        for (table, prepared) in self.tables.iter().enumerate() {
            let size = size(prepared)?;
            if left >= size {
                left -= size;
                continue;
            }
            let mut settings: Vec<(SettingId, Vec<i64>)> = Vec::new();
            for (id, values) in prepared.plan().sweep.over.iter().rev() {
                let count = values.len() as u64;
                settings.push((*id, values[usize::try_from(left % count).ok()?].clone()));
                left /= count;
            }
            settings.reverse();
            return Some(Point { number, table, settings });
        }
        None
    }

    /// Builds the scenario of a point.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics if the scenario cannot be set up with these values.
    pub fn set(&self, point: &Point) -> Result<Scenario, Vec<grognard_base::Diagnostic>> {
        self.tables[point.table].with(&point.settings)
    }
}

fn size(table: &Prepared) -> Option<u64> {
    let counts = table.plan().sweep.over.iter().map(|(_, values)| values.len() as u64);
    counts.into_iter().try_fold(1u64, u64::checked_mul)
}

/// The result at a point.
#[derive(Clone, Debug)]
pub struct MeasuredPoint {
    pub answer: PointAnswer,
    /// The limit that ended the exact answer early, if one was attempted and a limit ended it.
    pub ended_by: Option<Limit>,
}

/// The answer at a point, by method.
#[derive(Clone, Debug)]
pub enum PointAnswer {
    /// Estimates from runs.
    Sampled(Sampled),
    /// Exact answers, one for each measure, or the error that prevented it.
    Exact(Vec<Result<odds::OddsAnswer, Fault>>),
}

/// The estimates at a point.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The seed of the runs.
    pub seed: u64,
    /// Number of runs that ended in an error.
    pub faults: u64,
    /// The number of the first such run, and the error.
    pub first_fault: Option<(u64, Fault)>,
    /// The estimates, one for each measure.
    pub estimates: Vec<Estimate>,
}

impl MeasuredPoint {
    /// Returns whether every measure is known as a fraction or a proven interval. Another point whose scenario runs the same code then has the
    /// same answer.
    pub fn is_exact(&self) -> bool {
        match &self.answer {
            PointAnswer::Sampled(_) => false,
            PointAnswer::Exact(all) => all.iter().all(|a| a.as_ref().is_ok_and(|a| a.label != Label::Bounded)),
        }
    }
}
