//! Sweeps: the same measures at every point of a grid of params and readings.

use super::estimate::Estimate;
use grognard_base::value::SettingId;
use grognard_odds::{Label, Limit};
use grognard_play::odds;
use grognard_scenario::{Prepared, Scenario};
use grognard_vm::Fault;

/// Most points of a sweep.
pub const MOST_POINTS: u64 = 100_000;

/// Tables, each with the params and readings that are turned on it. Points are numbered table by table, and the last
/// name turns fastest.
#[derive(Clone, Debug)]
pub struct Grid {
    tables: Vec<Prepared>,
}

/// A point: a table, and a value for each param and reading that is turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its number, from 0.
    pub number: u64,
    /// Which of the tables.
    pub table: usize,
    /// Values in cells.
    pub settings: Vec<(SettingId, Vec<i64>)>,
}

impl Grid {
    /// All points of these tables; none if they are more than [`MOST_POINTS`].
    pub fn new(tables: Vec<Prepared>) -> Option<Grid> {
        let sizes = tables.iter().map(size).try_fold(0u64, |all, one| all.checked_add(one?))?;
        (sizes <= MOST_POINTS).then_some(Grid { tables })
    }

    /// How many points there are.
    pub fn points(&self) -> u64 {
        self.tables.iter().filter_map(size).sum()
    }

    /// The tables.
    pub fn tables(&self) -> &[Prepared] {
        &self.tables
    }

    /// The point of that number.
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

    /// The table of a point, set.
    pub fn set(&self, point: &Point) -> Result<Scenario, Vec<grognard_base::Diagnostic>> {
        self.tables[point.table].with(&point.settings)
    }
}

fn size(table: &Prepared) -> Option<u64> {
    let counts = table.plan().sweep.over.iter().map(|(_, values)| values.len() as u64);
    counts.into_iter().try_fold(1u64, u64::checked_mul)
}

/// What was found at a point.
#[derive(Clone, Debug)]
pub struct MeasuredPoint {
    /// The answer.
    pub answer: PointAnswer,
    /// The limit that ended the exact answer early, if one was tried and a limit did.
    pub ended_by: Option<Limit>,
}

/// The answer at a point, by how it was found.
#[derive(Clone, Debug)]
pub enum PointAnswer {
    /// From runs.
    Sampled(Sampled),
    /// By all that can happen: one for each measure, or why there is none.
    Exact(Vec<Result<odds::OddsAnswer, Fault>>),
}

/// What runs say.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The seed of the runs.
    pub seed: u64,
    /// Runs that ended in an error.
    pub faults: u64,
    /// The first of them, and its error.
    pub first_fault: Option<(u64, Fault)>,
    /// One for each measure.
    pub estimates: Vec<Estimate>,
}

impl MeasuredPoint {
    /// True if every measure is known exactly: another point whose table runs the same code has the same answer.
    pub fn is_exact(&self) -> bool {
        match &self.answer {
            PointAnswer::Sampled(_) => false,
            PointAnswer::Exact(all) => all.iter().all(|a| a.as_ref().is_ok_and(|a| a.label == Label::Exact)),
        }
    }
}

/// One of several parts of a sweep: every `of`-th point, beginning with the `number`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Reads `2/3`.
    pub fn read(text: &str) -> Option<Shard> {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (number.trim().parse().ok()?, of.trim().parse().ok()?);
        (1 <= number && number <= of && of <= MOST_POINTS).then_some(Shard { number, of })
    }

    /// True for points that belong to it.
    pub fn has(self, point: u64) -> bool {
        point % self.of == self.number - 1
    }
}
