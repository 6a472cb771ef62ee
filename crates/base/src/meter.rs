//! Resource accounting: a budget says how much a question may cost, a meter is charged with what it does cost.
//!
//! Counts decide, so that an answer is the same on every machine: positions, bytes of positions and of numbers, and
//! steps of work. Whoever watches may end the work earlier, at a deadline or by Ctrl-C; the meter says which limit it was.

use super::Effort;
use std::cell::{Cell, RefCell};

/// How much a question may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Most positions.
    pub states: usize,
    /// Most bytes of positions, of what leads from one to the other, and of numbers.
    pub bytes: usize,
    /// Most steps of work. A step is one branch that is followed, or one question that is put; each step of the
    /// search for a move counts [`Budget::MOVE`] and one for [`Budget::ROUNDS`] rounds of its conditions and costs, and
    /// work on large numbers one for [`Budget::WORDS`] words.
    pub work: u64,
    /// Who hears how far it is, and may end it before a count does: a deadline, or Ctrl-C.
    pub watch: Option<Watch>,
}

/// Is called from time to time while work goes on, and told how far it is; what it gives ends the work. It does not
/// change what is found, only how far that goes.
pub type Watch = fn(&str) -> Option<Limit>;

impl Budget {
    /// What it counts to look down one way of a move, or to ask for one condition or cost of it.
    pub const MOVE: u64 = 8;
    /// Rounds and calls in a condition or cost of a move that count as one step: each may measure a distance.
    pub const ROUNDS: u64 = 4;
    /// Operations on 64-bit words of large numbers that count as one step.
    pub const WORDS: u64 = 64;
    /// Work that any number of positions may take: one of them may be much work.
    const LEAST: u64 = 1 << 20;

    /// Returns the budget of an answer that may explore `states`, with memory and work in proportion.
    pub(crate) fn of(states: usize) -> Budget {
        let usual = Budget::default();
        let bytes = usual.bytes / usual.states;
        Budget { states, bytes: usual.bytes.max(states.saturating_mul(bytes)), work: Budget::work_of(states), ..usual }
    }

    /// Returns the steps of work for a number of states: 20 for each, and never fewer than `LEAST`.
    pub(crate) const fn work_of(states: usize) -> u64 {
        let work = (states as u64).saturating_mul(20);
        if work > Budget::LEAST { work } else { Budget::LEAST }
    }

    /// Returns what is left for the next part of a question, at least a quarter.
    pub fn after(self, spent: Reading) -> Budget {
        let states = self.states.saturating_sub(spent.states).max(self.states.div_ceil(4));
        let work = self.work.saturating_sub(spent.work).max(self.work / 4);
        Budget { states, work, ..self }
    }

    /// Returns the smaller of this and the budget of an effort, limit by limit.
    pub fn least(self, effort: Effort) -> Budget {
        let few = effort.budget();
        Budget { states: self.states.min(few.states), work: self.work.min(few.work), ..self }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 2_000_000, bytes: 2 << 30, work: 40_000_000, watch: None }
    }
}

/// What ended work before all of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The number of positions.
    States,
    /// The bytes that positions and numbers take.
    Memory,
    /// The steps of work.
    Work,
    /// The time for exploring is over: another machine may come further.
    Time,
    /// The deadline, also for putting answers together.
    Deadline,
    /// Somebody stopped it.
    Stopped,
    /// What is left is next to nothing, and there is no end to it.
    Tail,
    /// So many positions come back to each other that they were followed in rounded numbers.
    Rounded,
    /// The answer parts the dice in too many ways, whatever the budget.
    Ways,
}

impl Limit {
    /// Returns its name in tables, receipts and JSON.
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

/// The reading of a meter: what a question cost, and what ended it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Positions.
    pub states: usize,
    /// Steps of work.
    pub work: u64,
    /// The limit that ended the question early; none if it came to its end.
    pub limit: Option<Limit>,
}

/// Work that several questions share: each has a budget of its own until the total is used up.
#[derive(Clone, Debug)]
pub struct Allowance {
    each: Budget,
    left: Cell<u64>,
}

impl Allowance {
    /// Allows each question its budget, and all together as much work as so many such questions.
    pub fn of(each: Budget, questions: u64) -> Allowance {
        Allowance { each, left: Cell::new(each.work.saturating_mul(questions)) }
    }

    /// Returns the budget of the next question; none if the total is used up.
    pub fn next(&self) -> Option<Budget> {
        let left = self.left.get();
        (left > 0).then(|| Budget { work: self.each.work.min(left), ..self.each })
    }

    /// Takes away what a question cost.
    pub fn spend(&self, cost: Reading) {
        self.left.set(self.left.get().saturating_sub(cost.work));
    }
}

/// Steps between two looks of whoever watches.
pub const LOOK: u64 = 1 << 10;

/// Counts what a question costs against its budget.
#[derive(Debug)]
pub struct Meter {
    most: Budget,
    states: Cell<usize>,
    bytes: Cell<usize>,
    words: Cell<u64>,
    /// Words of work at which limits are looked at next.
    look: Cell<u64>,
    /// No more work may be done.
    spent: Cell<bool>,
    limit: Cell<Option<Limit>>,
    /// Answers were stopped while they were put together.
    late: Cell<bool>,
    doing: RefCell<String>,
}

impl Meter {
    /// A meter that was charged with nothing so far.
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

    /// What it counts against.
    pub fn budget(&self) -> Budget {
        self.most
    }

    /// Charges steps of work; false if no more may be done.
    #[inline]
    pub fn work(&self, steps: u64) -> bool {
        self.words(steps.saturating_mul(Budget::WORDS))
    }

    /// Charges operations on 64-bit words of numbers; false if no more may be done.
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
        if let Some(limit) = self.most.watch.and_then(|watch| watch(&self.doing.borrow())) {
            self.end(limit);
        }
    }

    /// Returns whether the answers to what was explored have to end here; the rest of them then counts as not explored.
    ///
    /// Answers may take as much work as the exploration was allowed. What ended the exploration does not end them.
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
        let ended = self.most.watch.and_then(|watch| watch(&self.doing.borrow())).filter(ends);
        if ended.is_some() {
            self.limit.set(ended);
            self.late.set(true);
        }
        ended.is_some()
    }

    /// Returns the steps of work so far.
    fn spent(&self) -> u64 {
        self.words.get() / Budget::WORDS
    }

    /// Returns what was charged so far, for a question with so many positions.
    pub fn reading(&self, states: usize) -> Reading {
        Reading { states, work: self.spent(), limit: self.limit() }
    }

    /// Says what is being done, for those who wait.
    pub fn doing(&self, what: impl FnOnce() -> String) {
        if self.most.watch.is_some() {
            *self.doing.borrow_mut() = what();
        }
    }

    /// True while more work may be done. The exact number of steps counts here.
    pub fn open(&self) -> bool {
        if !self.spent.get() && self.spent() > self.most.work {
            self.end(Limit::Work);
        }
        !self.spent.get()
    }

    /// Charges a position of so many bytes. False, and nothing is charged, if there is no room for it; work may go on
    /// with the positions that are known.
    pub fn position(&self, bytes: usize) -> bool {
        if self.states.get() >= self.most.states {
            self.note(Limit::States);
            return false;
        }
        let kept = self.hold(bytes);
        self.states.set(self.states.get() + usize::from(kept));
        kept
    }

    /// Charges bytes that stay in use. False, and nothing is charged, if there is no room for them.
    pub fn hold(&self, bytes: usize) -> bool {
        let sum = self.bytes.get().saturating_add(bytes);
        if sum > self.most.bytes {
            self.note(Limit::Memory);
            return false;
        }
        self.bytes.set(sum);
        true
    }

    /// Whether there is room for so many more bytes, which are in use for a while.
    pub fn fits(&self, bytes: usize) -> bool {
        self.bytes.get().saturating_add(bytes) <= self.most.bytes
    }

    /// Gives back bytes that are no longer in use.
    pub fn free(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }

    /// Bytes that are in use.
    pub fn held(&self) -> usize {
        self.bytes.get()
    }

    /// Notes what kept something from being done; the first counts.
    pub fn note(&self, limit: Limit) {
        if self.limit.get().is_none() {
            self.limit.set(Some(limit));
        }
    }

    /// Ends the work.
    pub fn end(&self, limit: Limit) {
        self.note(limit);
        self.spent.set(true);
    }

    /// What kept something from being done first, if anything did.
    pub fn limit(&self) -> Option<Limit> {
        self.limit.get()
    }
}
