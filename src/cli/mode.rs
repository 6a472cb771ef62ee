//! Exact or sampled: the choice that several commands offer.

use super::out::Stop;
use super::progress::{Work, watch};
use super::project;
use clap::ValueEnum;
use grognard_base::{Budget, Effort};

/// How answers are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Exact where it can be worked out within the budget, sampled elsewhere.
    Auto,
    /// Exact or not at all.
    Exact,
    /// From runs.
    Sampled,
}

impl ModeArg {
    /// Returns the mode of the planner.
    pub fn asked(self) -> grognard_ask::Mode {
        match self {
            ModeArg::Auto => grognard_ask::Mode::Auto,
            ModeArg::Exact => grognard_ask::Mode::Exact,
            ModeArg::Sampled => grognard_ask::Mode::Sampled,
        }
    }

    /// Returns the name of the mode in plans and receipts.
    pub fn word(self) -> &'static str {
        self.asked().word()
    }

    /// Returns the mode with this name.
    pub fn of(word: &str) -> Option<ModeArg> {
        grognard_ask::Mode::of(word).map(ModeArg::from)
    }
}

impl From<grognard_ask::Mode> for ModeArg {
    fn from(mode: grognard_ask::Mode) -> ModeArg {
        match mode {
            grognard_ask::Mode::Auto => ModeArg::Auto,
            grognard_ask::Mode::Exact => ModeArg::Exact,
            grognard_ask::Mode::Sampled => ModeArg::Sampled,
        }
    }
}

/// The largest budget that can be given.
pub const MOST_STATES: u64 = Effort::MOST_STATES as u64;

/// The greatest seed: every program that reads a table or a scenario has whole numbers as great as this.
pub const MOST_SEED: u64 = i64::MAX as u64;

/// How much exact odds may cost: the same options wherever they are asked for.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct CostArgs {
    /// Most positions that are explored for an exact answer; memory and work grow with them. Without it 2000000, but
    /// 50000 where runs are taken instead, and with `--time` as many as fit into the memory.
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64).range(1..=MOST_STATES))]
    pub budget: Option<u64>,
    /// Works on for so many seconds for each exact answer, however much work that is; another machine may come further.
    /// Without it only counts end the work, so the answer is the same on every machine.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub time: Option<u64>,
}

impl CostArgs {
    /// Returns the number of states that may be explored.
    pub fn states(&self, mode: ModeArg) -> u64 {
        self.effort(mode).states() as u64
    }

    /// Returns the effort of an exact answer.
    pub fn effort(&self, mode: ModeArg) -> Effort {
        let given = self.budget.or(self.time.map(|_| MOST_STATES));
        given.map_or(mode.asked().effort(), |states| Effort::Given(usize::try_from(states).unwrap_or(usize::MAX)))
    }

    /// Begins a question. Counts end it, or Ctrl-C, or the clock if `--time` is given; it shows how far it is.
    pub fn question(&self, mode: ModeArg) -> Result<OpenQuestion, Stop> {
        let budget = self.effort(mode).budget();
        // the clock ends it, and the memory that usual questions have
        let work = if self.time.is_some() { u64::MAX } else { budget.work };
        let bytes = if self.budget.is_some() { budget.bytes } else { Budget::default().bytes };
        Ok(OpenQuestion { budget: Budget { work, bytes, watch: Some(watch), ..budget }, work: Work::begin(self.time)? })
    }
}

/// An exact question of a command without options for what it may cost.
pub fn question() -> Result<OpenQuestion, Stop> {
    CostArgs { budget: project::number("budget"), time: project::number("time") }.question(ModeArg::Exact)
}

/// An exact question that is being worked on, until this is dropped.
pub struct OpenQuestion {
    /// How much it may cost.
    pub budget: Budget,
    work: Work,
}

impl OpenQuestion {
    /// One more question that may cost as much: the clock begins anew.
    pub fn again(&self) {
        self.work.again();
    }
}
