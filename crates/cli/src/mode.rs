//! The choice between exact and sampled results, and the limits of exact results.

use super::out::Stop;
use super::progress::{Work, watch};
use super::project;
use clap::ValueEnum;
use grognard_base::{Budget, Effort, Watch};

/// How results are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// Exact within the limits, sampled otherwise
    Auto,
    /// Exact, or fail with exit code 3
    Exact,
    /// From runs
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

/// The largest seed. Every program that reads a table or a scenario can represent integers up to this one.
pub const MOST_SEED: u64 = i64::MAX as u64;

/// The limits of an exact result.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct CostArgs {
    /// State limit for exact answers
    ///
    /// The limit applies to each answer. Memory and work grow with the number of states. The default is 2000000 states and 40000000 steps. Where runs
    /// are an alternative, it is 50000 states. With `--time`, only the time and the memory limit the search.
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u64).range(1..=MOST_STATES))]
    pub budget: Option<u64>,
    /// Time limit for exact answers
    ///
    /// With a time limit, results can depend on the machine. By default, only the number of states and steps limits
    /// the search, so the result is the same on every machine.
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

    /// Begins an exact question with a progress display. Its limits, Ctrl-C or, with `--time`, the clock end it.
    pub fn question(&self, mode: ModeArg) -> Result<OpenQuestion, Stop> {
        let budget = self.effort(mode).budget();
        // the clock and the usual memory limit end it
        let work = if self.time.is_some() { u64::MAX } else { budget.work };
        let bytes = if self.budget.is_some() { budget.bytes } else { Budget::default().bytes };
        Ok(OpenQuestion {
            budget: Budget { work, bytes, watch: Some(Watch::new(watch)), ..budget },
            work: Work::begin(self.time)?,
        })
    }
}

/// Begins an exact question of a command that has no options for its limits.
pub fn question() -> Result<OpenQuestion, Stop> {
    CostArgs { budget: project::number("budget"), time: project::number("time") }.question(ModeArg::Exact)
}

/// An exact question in progress. It ends when this value is dropped.
pub struct OpenQuestion {
    /// The limits of the question.
    pub budget: Budget,
    work: Work,
}

impl OpenQuestion {
    /// Starts another question with the same limits: the clock restarts.
    pub fn again(&self) {
        self.work.again();
    }
}
