//! Resource accounting: a budget limits the cost of a query, and a meter charges the actual cost against it.
//!
//! Limits are counts, so an answer is the same on every machine: states, bytes of states and numbers, and steps of
//! work. A watch can end the work earlier, at a deadline or by Ctrl-C. The meter records which limit was reached.

use super::Effort;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

/// Limits on the cost of a query.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Maximum number of states.
    pub states: usize,
    /// Maximum memory for states, transitions and numbers, in bytes.
    pub bytes: usize,
    /// Maximum number of steps of work. Following a branch or evaluating a query counts one step. Each step of the
    /// search for a move counts [`Budget::MOVE`]. Its conditions and costs count one step per [`Budget::ROUNDS`]
    /// rounds, and operations on large numbers one per [`Budget::WORDS`] words.
    pub work: u64,
    /// Receives the progress, and can end the work before a count does: a deadline, or Ctrl-C.
    pub watch: Option<Watch>,
}

/// A shared callback that is polled during the work and receives the progress. Returning a limit ends the work. It
/// changes only how far the work goes, not the values that are found.
#[derive(Clone)]
pub struct Watch(Arc<Look>);

type Look = dyn Fn(&str) -> Option<Limit> + Send + Sync;

impl Watch {
    /// Creates a watch from a function of the progress.
    pub fn new(look: impl Fn(&str) -> Option<Limit> + Send + Sync + 'static) -> Watch {
        Watch(Arc::new(look))
    }

    /// Passes the progress to the callback, and returns the limit that ends the work.
    pub fn look(&self, doing: &str) -> Option<Limit> {
        (self.0)(doing)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl Budget {
    /// Cost in steps of exploring one branch of a move, or of evaluating one of its conditions or costs.
    pub const MOVE: u64 = 8;
    /// Number of rounds and calls in a condition or cost of a move that count as one step. Each can measure a distance.
    pub const ROUNDS: u64 = 4;
    /// Number of operations on 64-bit words of large numbers that count as one step.
    pub const WORDS: u64 = 64;
    /// Minimum work limit for any number of states, because a single state can be expensive.
    const LEAST: u64 = 1 << 20;

    /// Returns the budget of an answer that may explore `states`, with memory and work in proportion.
    pub(crate) fn of(states: usize) -> Budget {
        let usual = Budget::default();
        let bytes = usual.bytes / usual.states;
        Budget { states, bytes: usual.bytes.max(states.saturating_mul(bytes)), work: Budget::work_of(states), ..usual }
    }

    /// Returns the work limit for a number of states: 20 steps for each, and at least `LEAST`.
    pub(crate) const fn work_of(states: usize) -> u64 {
        let work = (states as u64).saturating_mul(20);
        if work > Budget::LEAST { work } else { Budget::LEAST }
    }

    /// Returns the remaining budget for the next part of a query, at least a quarter of each limit.
    pub fn after(&self, spent: Reading) -> Budget {
        let states = self.states.saturating_sub(spent.states).max(self.states.div_ceil(4));
        let work = self.work.saturating_sub(spent.work).max(self.work / 4);
        Budget { states, work, ..self.clone() }
    }

    /// Returns the minimum of this budget and that of an effort, for states and for work.
    pub fn least(&self, effort: Effort) -> Budget {
        let few = effort.budget();
        Budget { states: self.states.min(few.states), work: self.work.min(few.work), ..self.clone() }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 2_000_000, bytes: 2 << 30, work: 40_000_000, watch: None }
    }
}

/// The limit that ended the work early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// The number of states.
    States,
    /// The memory of states and numbers.
    Memory,
    /// The steps of work.
    Work,
    /// The time for exploring. Another machine can get further.
    Time,
    /// The deadline, which also covers evaluating the answers.
    Deadline,
    /// The work was interrupted.
    Stopped,
    /// The remaining probability is negligible, but the state space is infinite.
    Tail,
    /// The cycles have too many states to solve exactly, so they were iterated in rounded numbers.
    Rounded,
    /// The answer requires too many branches of the dice for any budget.
    Ways,
}

impl Limit {
    /// Returns the name of the limit in tables, receipts and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Limit::States => "positions",
            Limit::Memory => "memory",
            Limit::Work => "work",
            Limit::Time => "time",
            Limit::Deadline => "deadline",
            Limit::Stopped => "stopped",
            Limit::Tail => "tail",
            Limit::Rounded => "rounding",
            Limit::Ways => "ways",
        }
    }
}

/// The reading of a meter: the cost of a query and the limit that ended it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Number of states.
    pub states: usize,
    /// Steps of work.
    pub work: u64,
    /// The limit that ended the query early, or `None` if it was completed.
    pub limit: Option<Limit>,
}

/// Work shared by several queries: each has its own budget until the total is used up.
#[derive(Clone, Debug)]
pub struct Allowance {
    each: Budget,
    left: Cell<u64>,
}

impl Allowance {
    /// Gives each query its budget, and all together the work of the given number of such queries.
    pub fn of(each: Budget, questions: u64) -> Allowance {
        let left = Cell::new(each.work.saturating_mul(questions));
        Allowance { each, left }
    }

    /// Returns the budget of the next query, or `None` if the total is used up.
    pub fn next(&self) -> Option<Budget> {
        let left = self.left.get();
        (left > 0).then(|| Budget { work: self.each.work.min(left), ..self.each.clone() })
    }

    /// Subtracts the cost of a query.
    pub fn spend(&self, cost: Reading) {
        self.left.set(self.left.get().saturating_sub(cost.work));
    }
}

/// Steps between two calls of the watch.
pub const LOOK: u64 = 1 << 10;

/// Charges the cost of a query against its budget.
#[derive(Debug)]
pub struct Meter {
    most: Budget,
    states: Cell<usize>,
    bytes: Cell<usize>,
    words: Cell<u64>,
    /// Words of work at which the limits are checked next.
    look: Cell<u64>,
    /// Whether the budget is used up.
    spent: Cell<bool>,
    limit: Cell<Option<Limit>>,
    /// Whether the evaluation of answers was ended.
    late: Cell<bool>,
    doing: RefCell<String>,
}

impl Meter {
    /// Creates a meter without any charges.
    pub fn new(most: Budget) -> Meter {
        Meter {
            most,
            states: Cell::new(0),
            bytes: Cell::new(0),
            words: Cell::new(0),
            look: Cell::new(LOOK * Budget::WORDS),
            spent: Cell::new(false),
            limit: Cell::new(None),
            late: Cell::new(false),
            doing: RefCell::default(),
        }
    }

    pub fn budget(&self) -> &Budget {
        &self.most
    }

    /// Charges steps of work. Returns whether the budget allows further steps.
    #[inline]
    pub fn work(&self, steps: u64) -> bool {
        self.words(steps.saturating_mul(Budget::WORDS))
    }

    /// Charges operations on 64-bit words of numbers. Returns whether the budget allows further steps.
    #[inline]
    pub fn words(&self, words: u64) -> bool {
        let sum = self.words.get().saturating_add(words);
        self.words.set(sum);
        if sum >= self.look.get() {
            self.look_up(sum);
        }
        !self.spent.get()
    }

    #[cold]
    fn look_up(&self, sum: u64) {
        self.look.set(sum.saturating_add(LOOK * Budget::WORDS));
        if sum / Budget::WORDS > self.most.work {
            self.end(Limit::Work);
        }
        if let Some(limit) = self.watched() {
            self.end(limit);
        }
    }

    /// Returns whether the evaluation of answers must end here. The rest of the answer then counts as unexplored.
    ///
    /// The evaluation has the same limit of work as the exploration. A limit that ended the exploration does not
    /// end it.
    pub fn stopped(&self) -> bool {
        if self.late.get() {
            return true;
        }
        if self.spent() / 2 > self.most.work {
            self.note(Limit::Work);
            self.late.set(true);
            return true;
        }
        let ends = |limit: &Limit| matches!(limit, Limit::Stopped | Limit::Deadline);
        if self.limit.get().as_ref().is_some_and(ends) {
            return false;
        }
        let ended = self.watched().filter(ends);
        if ended.is_some() {
            self.limit.set(ended);
            self.late.set(true);
        }
        ended.is_some()
    }

    fn watched(&self) -> Option<Limit> {
        self.most.watch.as_ref()?.look(&self.doing.borrow())
    }

    /// Returns the steps of work so far.
    fn spent(&self) -> u64 {
        self.words.get() / Budget::WORDS
    }

    /// Returns the charges so far, for a query with `states` states.
    pub fn reading(&self, states: usize) -> Reading {
        Reading { states, work: self.spent(), limit: self.limit() }
    }

    /// Sets the progress text that the watch receives.
    pub fn doing(&self, what: impl FnOnce() -> String) {
        if self.most.watch.is_some() {
            *self.doing.borrow_mut() = what();
        }
    }

    /// Returns whether the budget allows further steps. Checks the exact number of steps.
    pub fn open(&self) -> bool {
        if !self.spent.get() && self.spent() > self.most.work {
            self.end(Limit::Work);
        }
        !self.spent.get()
    }

    /// Charges a state of the given size. Returns false and charges nothing if it does not fit; work can continue with
    /// the known states.
    pub fn position(&self, bytes: usize) -> bool {
        if self.states.get() >= self.most.states {
            self.note(Limit::States);
            return false;
        }
        let kept = self.hold(bytes);
        self.states.set(self.states.get() + usize::from(kept));
        kept
    }

    /// Charges memory that stays in use. Returns false and charges nothing if it does not fit.
    pub fn hold(&self, bytes: usize) -> bool {
        let sum = self.bytes.get().saturating_add(bytes);
        if sum > self.most.bytes {
            self.note(Limit::Memory);
            return false;
        }
        self.bytes.set(sum);
        true
    }

    /// Returns whether `bytes` more bytes fit, for temporary use.
    pub fn fits(&self, bytes: usize) -> bool {
        self.bytes.get().saturating_add(bytes) <= self.most.bytes
    }

    /// Refunds memory that is no longer in use.
    pub fn free(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }

    /// Returns the number of bytes in use.
    pub fn held(&self) -> usize {
        self.bytes.get()
    }

    /// Records a limit that was reached. Only the first one is kept.
    pub fn note(&self, limit: Limit) {
        if self.limit.get().is_none() {
            self.limit.set(Some(limit));
        }
    }

    /// Records a limit and ends the work.
    pub fn end(&self, limit: Limit) {
        self.note(limit);
        self.spent.set(true);
    }

    /// Returns the first limit that was reached, or `None`.
    pub fn limit(&self) -> Option<Limit> {
        self.limit.get()
    }
}
