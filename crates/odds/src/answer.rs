//! Queries on a graph: distributions of the values at its ends, in exact fractions.

use super::Task;
use super::branches::{Branch, Splitter, Stopped};
use super::driver::{Chance, Shared, Table};
use super::graph::*;
use super::interner::Reader;
use super::num::{Binomials, Num};
use super::open::Open;
use super::outer::{Outer, Outside};
use super::pool;
use fixedbitset::FixedBitSet;
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Budget, Code, Meter};
use grognard_program::Wants;
use grognard_scenario::counts::Saturation;
use grognard_vm::{Fault, Handle, LazyDice, NoTrace, Run, State, is_unseen};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How exact an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The number is the answer.
    Exact,
    /// A lower bound: the answer is at most this number plus the unexplored share.
    Bounded,
}

/// A query at an end: a function and its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Query<'q> {
    /// The function: a part of a scenario or of an example.
    pub func: FuncId,
    /// The arguments of the function.
    pub args: Args<'q>,
}

/// Arguments of a query.
#[derive(Clone, Copy, Debug)]
pub enum Args<'q> {
    /// The number of rounds, as parts of a scenario expect it. It is known only if rounds belong to the state.
    Rounds,
    /// The result of the call.
    Result,
    /// The given cells.
    Given(&'q [i64]),
}

/// The value of an end.
#[derive(Clone, Debug, PartialEq)]
pub enum Worth {
    /// The cells of a value, or the entries of a list.
    Cells(Vec<i64>),
    /// The run or the query ends in an error.
    Fault(Fault),
    /// The run does not terminate.
    Never,
}

impl Worth {
    /// Returns the rank of the kind in the order of outcomes: errors, then values, then nontermination.
    fn rank(&self) -> u8 {
        match self {
            Worth::Fault(_) => 0,
            Worth::Cells(_) => 1,
            Worth::Never => 2,
        }
    }
}

/// One value with its share of [`Distribution::whole`].
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The value, the error, or nontermination.
    pub worth: Worth,
    /// The weight, as a part of [`Distribution::whole`].
    pub weight: BigUint,
}

/// The distribution of a query: errors first, then values in the order of their cells, then nontermination. See
/// [`Distribution::in_order`].
#[derive(Clone, Debug)]
pub struct Distribution {
    /// The outcomes, each value once.
    pub outcomes: Vec<Outcome>,
    /// The weight of the unexplored part.
    pub unexplored: BigUint,
    /// The sum of all weights.
    pub whole: BigUint,
    /// Whether the weights are exact or bounds.
    pub label: Label,
}

impl Distribution {
    /// Sorts the outcomes by the value of `ty`, ascending. The order of cells differs from it for fractions, which take two
    /// cells.
    pub fn in_order(mut self, ty: &Type) -> Self {
        self.merge_faults();
        order::sort_by(&mut self.outcomes, |a, b| match (&a.worth, &b.worth) {
            (Worth::Cells(a), Worth::Cells(b)) => order(ty, a, b),
            (a, b) => a.rank().cmp(&b.rank()),
        });
        self
    }

    /// Merges errors of one code at one place into one outcome, whatever their messages.
    fn merge_faults(&mut self) {
        let (faults, mut outcomes): (Vec<Outcome>, Vec<Outcome>) =
            std::mem::take(&mut self.outcomes).into_iter().partition(|o| matches!(o.worth, Worth::Fault(_)));
        let mut kept: Vec<(Outcome, usize)> = Vec::new();
        for outcome in faults {
            let same = |(other, _): &&mut (Outcome, usize)| match (&other.worth, &outcome.worth) {
                (Worth::Fault(a), Worth::Fault(b)) => (a.code, a.span, &a.stack) == (b.code, b.span, &b.stack),
                _ => false,
            };
            match kept.iter_mut().find(same) {
                Some((other, more)) => {
                    other.weight += outcome.weight;
                    *more += 1;
                }
                None => kept.push((outcome, 0)),
            }
        }
        outcomes.extend(kept.into_iter().map(|(mut outcome, more)| {
            if let (Worth::Fault(fault), 1..) = (&mut outcome.worth, more) {
                fault.message += &format!("; {more} more like it");
            }
            outcome
        }));
        self.outcomes = outcomes;
    }

    /// Returns the probability that the value satisfies `which`. It is a lower bound if [`Distribution::unexplored`] is above 0.
    pub fn chance(&self, which: impl Fn(&[i64]) -> bool) -> Fraction {
        let mut sum = BigUint::zero();
        for outcome in &self.outcomes {
            if matches!(&outcome.worth, Worth::Cells(cells) if which(cells)) {
                sum += &outcome.weight;
            }
        }
        Fraction::of(sum, self.whole.clone())
    }

    /// Returns the probability of an outcome.
    pub fn share(&self, outcome: &Outcome) -> Fraction {
        Fraction::of(outcome.weight.clone(), self.whole.clone())
    }

    /// Returns the common denominator of the weights, for callers that compute many shares.
    pub fn denominator(&self) -> Denominator<'_> {
        Denominator::new(&self.whole)
    }

    /// Returns the lower and the upper bound of the probability with this weight.
    pub fn between(&self, over: &Denominator<'_>, weight: &BigUint) -> [Fraction; 2] {
        [over.under(weight), over.under(&(weight + &self.unexplored))]
    }

    /// Discards all outcomes: the whole distribution is then unexplored.
    pub fn forget(&mut self) {
        self.outcomes.clear();
        self.unexplored = self.whole.clone();
        self.label = Label::Bounded;
    }

    /// Sets the bounds of a condition: the probability of yes is between `low` and `high`.
    pub fn enclose(&mut self, low: &Fraction, high: &Fraction) {
        self.outcomes.retain(|o| !matches!(&o.worth, Worth::Cells(_)));
        let zero = Fraction::zero();
        let ended = self.outcomes.iter().fold(Fraction::one(), |left, o| &left - &self.share(o));
        let no = (&ended - high).max(zero.clone());
        let open = (&(&ended - low) - &no).max(zero);
        let own = [low, &no, &open];
        let scale = own.iter().fold(BigUint::one(), |scale, share| num_integer::lcm(scale, share.den().clone()));
        let parts = |share: &Fraction| share.num().magnitude() * (&scale / share.den()) * &self.whole;
        let [yes, no, open] = own.map(parts);
        self.outcomes.iter_mut().for_each(|o| o.weight *= &scale);
        let rendered = [(0, no), (1, yes)].into_iter().filter(|(_, weight)| !weight.is_zero());
        self.outcomes.extend(rendered.map(|(cell, weight)| Outcome { worth: Worth::Cells(vec![cell]), weight }));
        order::sort_by_key(&mut self.outcomes, |o| o.worth.rank());
        self.whole = self.outcomes.iter().map(|o| &o.weight).sum::<BigUint>() + &open;
        self.unexplored = open;
        self.label = if self.unexplored.is_zero() { Label::Exact } else { Label::Bounded };
    }

    /// Returns the probability of the unexplored part.
    pub fn unexplored(&self) -> Fraction {
        Fraction::of(self.unexplored.clone(), self.whole.clone())
    }

    /// Returns the mean of the numbers, or of the fractions if the values have two cells. It excludes errors and runs that
    /// do not terminate. Returns `None` if a part is unexplored, a value is missing, or there is no value.
    pub fn mean(&self) -> Option<Fraction> {
        let [whole, sum, _] = self.moments()?;
        Some(&sum / &whole)
    }

    /// Returns the variance, under the conditions of [`Distribution::mean`].
    pub fn variance(&self) -> Option<Fraction> {
        let [whole, sum, squares] = self.moments()?;
        let [mean, square] = [sum, squares].map(|sum| &sum / &whole);
        Some(&square - &(&mean * &mean))
    }

    /// Returns the sums of the weights, the weighted numbers and the weighted squares, or `None` if there is no mean.
    fn moments(&self) -> Option<[Fraction; 3]> {
        if !self.unexplored.is_zero() {
            return None;
        }
        let mut sums = [(); 3].map(|()| Fraction::zero());
        for outcome in &self.outcomes {
            let Worth::Cells(cells) = &outcome.worth else { continue };
            let value = number(cells)?;
            let weight = Fraction::of(outcome.weight.clone(), BigUint::from(1u32));
            let once = &weight * &value;
            let twice = &once * &value;
            sums.iter_mut().zip([weight, once, twice]).for_each(|(sum, own)| *sum += &own);
        }
        (!sums[0].is_zero()).then_some(sums)
    }
}

/// Returns the number in cells: one cell, or the two cells of a fraction. Returns `None` if the value is missing.
pub fn number(cells: &[i64]) -> Option<Fraction> {
    match *cells {
        [NONE, ..] | [] => None,
        [num, den] => Ratio::new(num, den).map(Fraction::from),
        [n, ..] => Some(Fraction::whole(n)),
    }
}

/// Number of ends between two checks of the meter.
const GATHERED: usize = 1024;

/// Maximum number of branches in which one end answers a query, mostly orders of the dice of a list.
const MOST_PARTS: usize = 1 << 20;

/// Maximum number of lists for the unsampled dice of one end. Each order of faces is a separate value.
const MOST_LISTS: usize = 1 << 17;

fn too_many() -> Fault {
    Fault::new(
        Code::TooManyDice,
        "this question parts the dice in too many branches: ask for their sum, a count, or the highest of them",
    )
}

/// A value of an end with its weight and the sum of the weights: a query can split unsampled dice.
pub(super) type Part = (Result<Vec<i64>, Fault>, Num, Num);

/// A part, with the heap of the end after the query.
type Followed = (Result<Vec<i64>, Fault>, Num, Num, Vec<i64>);

impl Graph<'_> {
    /// Returns the ends, errors included.
    pub(super) fn end_nodes(&self) -> Vec<Node> {
        let end = |n: &Node| matches!(self.nodes[*n as usize], Sort::End(_) | Sort::Fault(_));
        (0..self.nodes.len() as Node).filter(end).collect()
    }

    /// Returns the state of an end: the machine, the part outside the machine, and the sums.
    pub(super) fn position(&self, store: u32) -> (State, Outer, Vec<i64>) {
        let mut branch = Branch::default();
        self.position_into(store, &mut branch);
        (branch.state, branch.outer, branch.sums)
    }

    /// Writes the state of an end into `branch` and reuses its buffers.
    pub(super) fn position_into(&self, store: u32, branch: &mut Branch) {
        let mut reader = Reader(self.store.get(store as usize));
        self.splitter.outside.read(&mut reader, &mut branch.outer, &mut branch.sums, &mut branch.memory);
        reader.state(&mut branch.state, &self.start, &self.shapes);
    }

    /// Returns the distribution of a query over all ends, or over the ends at which `given` holds.
    pub fn distribution(&self, of: Query<'_>, given: Option<Query<'_>>) -> Distribution {
        self.gather(given.is_none(), |store, parts| parts.extend(self.parts_of(store, of, given)))
    }

    /// Returns the distribution of `look` over all ends. Unsampled dice of the result split first.
    pub fn distribution_by(&self, look: impl Fn(&State) -> Vec<i64>) -> Distribution {
        let mut spare = Branch::default();
        self.gather(true, |store, parts| {
            self.position_into(store, &mut spare);
            let state = &spare.state;
            if !state.heap.iter().any(|c| is_unseen(*c)) {
                return parts.push((Ok(look(state)), Num::Narrow(1), Num::Narrow(1)));
            }
            match self.seen(state.clone()) {
                Some(all) => parts.extend(all.into_iter().map(|(state, part, whole)| (Ok(look(&state)), part, whole))),
                None => parts.push((Err(too_many()), Num::Narrow(1), Num::Narrow(1))),
            }
        })
    }

    /// Returns the distribution of the result of the call: its cells, or the entries of the list that it returns.
    pub fn results(&self) -> Distribution {
        let Task::Call { func, .. } = self.task else { return self.distribution_by(|_| Vec::new()) };
        let info = &self.game.program.funcs[func.at()];
        self.distribution_by(|state| match (info.lists.first(), info.result == 1) {
            (Some((cell, width)), true) => {
                let list = Handle::of(state.stack[*cell as usize]);
                state.heap.get(list.at..list.at + list.len * *width as usize).unwrap_or_default().to_vec()
            }
            _ => state.stack.clone(),
        })
    }

    /// Returns the probability of each end, computed once.
    fn arrivals(&self) -> &Arrivals {
        if let Some(known) = self.arrivals.get() {
            return known;
        }
        let mut masses = self.masses(|_| true, true);
        let mut ends = self.end_nodes();
        ends.retain(|n| !masses.is_zero(*n));
        let (weights, whole) = masses.take_over_one(&ends);
        let ends = ends.into_iter().zip(weights).collect();
        self.arrivals.get_or_init(|| Arrivals { ends, whole, never: masses.never, unexplored: masses.unexplored })
    }

    /// Adds up the parts of all ends. `every` is whether errors and nonterminating runs count too.
    fn gather(&self, every: bool, mut at: impl FnMut(u32, &mut Vec<Part>)) -> Distribution {
        let Arrivals { ends, whole, never, unexplored } = self.arrivals();
        let mut cells: BTreeMap<Vec<i64>, Fraction> = BTreeMap::new();
        let mut plain: Vec<(Vec<i64>, BigUint)> = Vec::new();
        let mut faults: Vec<(Fault, Fraction)> = Vec::new();
        let mut add_fault = |fault: Fault, share: Fraction| match faults.iter_mut().find(|(f, _)| *f == fault) {
            Some((_, sum)) => *sum += &share,
            None => faults.push((fault, share)),
        };
        let (mut stopped, mut left, mut parts) = (false, BigUint::zero(), Vec::new());
        for (n, (node, weight)) in ends.iter().enumerate() {
            if n % GATHERED == GATHERED - 1 && !stopped {
                let meter = &self.splitter.meter;
                meter.doing(|| format!("{n} of {} ends asked", ends.len()));
                stopped = meter.stopped();
            }
            if stopped {
                left += weight;
                continue;
            }
            match self.nodes[*node as usize] {
                Sort::Fault(n) if every => {
                    parts.push((Err(self.faults[n as usize].clone()), Num::Narrow(1), Num::Narrow(1)))
                }
                Sort::End(store) => at(store, &mut parts),
                Sort::Position(_) | Sort::Entry(..) | Sort::Fault(_) => {}
            }
            self.splitter.meter.words(parts.len() as u64 * (1 + weight.bits() / 64));
            for (value, part, of) in parts.drain(..) {
                match value {
                    Ok(value) if of.is_one() => plain.push((value, weight.clone())),
                    Ok(value) => {
                        let share = Fraction::of(weight * part.big(), of.big());
                        *cells.entry(value).or_insert_with(Fraction::zero) += &share;
                    }
                    Err(fault) => add_fault(fault, Fraction::of(weight * part.big(), of.big())),
                }
            }
        }
        // All shares get one common denominator.
        let part = |of: &Fraction| {
            if of.is_zero() { Fraction::zero() } else { of * &Fraction::of(whole.clone(), BigUint::from(1u32)) }
        };
        let never = if every { part(never) } else { Fraction::zero() };
        let unexplored = &part(unexplored) + &Fraction::of(left, BigUint::one());
        let mut den = BigUint::from(1u32);
        let shares = cells.values().chain(faults.iter().map(|(_, s)| s)).chain([&never, &unexplored]);
        for share in shares.filter(|share| !share.is_zero()) {
            den = num_integer::lcm(den, share.den().clone());
        }
        let number = |share: &Fraction| {
            if share.is_zero() { BigUint::zero() } else { share.num().magnitude() * (&den / share.den()) }
        };
        if !den.is_one() {
            plain.iter_mut().for_each(|(_, weight)| *weight *= &den);
        }
        plain.extend(cells.into_iter().map(|(value, share)| (value, number(&share))));
        order::sort_by(&mut plain, |(a, _), (b, _)| a.cmp(b));
        plain.dedup_by(|(value, weight), (first, sum)| {
            let same = value == first;
            if same {
                *sum += &*weight;
            }
            same
        });
        let mut outcomes: Vec<Outcome> = faults
            .iter()
            .map(|(fault, share)| Outcome { worth: Worth::Fault(fault.clone()), weight: number(share) })
            .collect();
        outcomes.extend(plain.into_iter().map(|(value, weight)| Outcome { worth: Worth::Cells(value), weight }));
        if !never.is_zero() {
            outcomes.push(Outcome { worth: Worth::Never, weight: number(&never) });
        }
        let unexplored = number(&unexplored);
        let whole = outcomes.iter().map(|o| &o.weight).sum::<BigUint>() + &unexplored;
        let label = if unexplored.is_zero() { Label::Exact } else { Label::Bounded };
        Distribution { outcomes, unexplored, whole, label }
    }

    /// Returns the parts of a query at one end, without those at which `given` does not hold.
    pub(super) fn parts_of(&self, store: u32, of: Query<'_>, given: Option<Query<'_>>) -> Vec<Part> {
        let (state, outer, sums) = self.position(store);
        let Some(given) = given else { return self.ask(state, &outer, &sums, of) };
        // The condition and the value read the same dice: the faces that the condition sampled hold for the value too.
        let mut parts = Vec::new();
        let open = self.follow(state.clone(), &outer, &sums, given, true);
        for (held, weight, whole, heap) in open {
            match held {
                Ok(cells) if cells.first() == Some(&1) => {
                    let state = State { heap, ..state.clone() };
                    for (value, part, of) in self.ask(state, &outer, &sums, of) {
                        parts.push((value, weight.mul(&part), whole.mul(&of)));
                    }
                }
                // An error that the query cannot decide is reported, not omitted.
                Err(fault) if matches!(fault.code, Code::TooManyDice | Code::NeedsOdds) => {
                    parts.push((Err(fault), weight, whole))
                }
                _ => {}
            }
        }
        parts
    }

    /// Returns the states in which every die of `state` is sampled, or `None` if there are more than [`MOST_LISTS`].
    fn seen(&self, state: State) -> Option<Vec<(State, Num, Num)>> {
        let mut open = vec![(state, Num::Narrow(1), Num::Narrow(1))];
        let mut done = Vec::new();
        let mut ways = Binomials::default();
        while let Some((state, weight, whole)) = open.pop() {
            if open.len() + done.len() > MOST_LISTS {
                return None;
            }
            if !state.heap.iter().any(|c| is_unseen(*c)) {
                done.push((state, weight, whole));
                continue;
            }
            let list =
                self.lists(&state).into_iter().find(|l| state.heap[l.at..l.at + l.len].iter().any(|c| is_unseen(*c)));
            let Some(list) = list else {
                done.push((state, weight, whole));
                continue;
            };
            let cells = &state.heap[list.at..list.at + list.len];
            match pool::part(self.game, cells, Wants::Order, 0, &mut ways, MOST_LISTS) {
                Ok(Some(parts)) => {
                    for (cells, share) in parts.list {
                        let mut state = state.clone();
                        state.heap[list.at..list.at + list.len].copy_from_slice(&cells);
                        open.push((state, weight.mul(&share), whole.mul(&parts.whole)));
                    }
                }
                Ok(None) => return None,
                Err(_) => done.push((state, weight, whole)),
            }
        }
        Some(done)
    }

    /// Returns the lists of single cells in the result of a call.
    fn lists(&self, state: &State) -> Vec<Handle> {
        let Task::Call { func, .. } = self.task else { return Vec::new() };
        let lists = self.game.program.funcs[func.at()].lists.iter().filter(|(_, width)| *width == 1);
        lists.map(|(cell, _)| Handle::of(state.stack.get(*cell as usize).copied().unwrap_or(0))).collect()
    }

    /// Evaluates a query at an end.
    pub(super) fn ask(&self, state: State, outer: &Outer, sums: &[i64], of: Query<'_>) -> Vec<Part> {
        let parts = self.follow(state, outer, sums, of, false);
        parts.into_iter().map(|(value, weight, whole, _)| (value, weight, whole)).collect()
    }

    /// Evaluates a query at an end. If `keeps` is set, each part has the heap of the end with the faces that the query sampled.
    fn follow(&self, state: State, outer: &Outer, sums: &[i64], of: Query<'_>, keeps: bool) -> Vec<Followed> {
        let lists = if keeps { state.heap.len() } else { 0 };
        let info = &self.game.program.funcs[of.func.at()];
        let mut canonical = self.splitter.canonical.borrow_mut();
        let (args, root) = match of.args {
            Args::Rounds => (vec![outer.round], canonical.root(of.func, None)),
            Args::Given(cells) => (cells.to_vec(), canonical.root(of.func, None)),
            Args::Result => {
                let root = match self.task {
                    Task::Call { func, .. } => canonical.root_of_result(of.func, func),
                    Task::Plan(_) => canonical.root(of.func, None),
                };
                (state.stack.clone(), root)
            }
        };
        drop(canonical);
        let task = Task::Call { func: of.func, args: &args, keep: None };
        // A query has a separate meter without a watch, so it is answered even after the exploration was stopped.
        let meter = Rc::new(Meter::new(Budget { watch: None, ..Budget::default() }));
        let mut splitter = Splitter {
            game: self.game,
            outside: Rc::new(Outside::new(self.game, task, false, &Saturation::UNREAD, &self.splitter.canonical)),
            canonical: Rc::clone(&self.splitter.canonical),
            root,
            pools: self.options.pools,
            width: self.options.width,
            meter: Rc::clone(&meter),
            ways: Binomials::default(),
            spare: Vec::new(),
            best: Vec::new(),
            totals: Vec::new(),
            stops: FixedBitSet::new(),
            unswept: Default::default(),
            whys: Vec::new(),
            many: None,
            sweeps: Vec::new(),
            folds: self.options.folds(),
            keeps,
        };
        let shared = RefCell::new(Shared::nobody(&meter));
        let mut machine = Run::new(self.game, Chance(&shared), Table(&shared), NoTrace);
        let branch = Branch::start(state, Outer::default(), sums.to_vec(), self.options.width);
        let mut open = Open::default();
        open.push(Box::new(branch));
        let mut found: Vec<Followed> = Vec::new();
        let too_many = || vec![(Err(too_many()), Num::Narrow(1), Num::Narrow(1), Vec::new())];
        while let Some(mut branch) = open.pop(&mut splitter.spare) {
            let stopped = splitter.go(&mut machine, &mut branch, 0);
            let (weight, whole) = (branch.weight.clone(), branch.whole.clone());
            let heap = |branch: &Branch| branch.state.heap[..lists.min(branch.state.heap.len())].to_vec();
            if found.len() + open.len() > MOST_PARTS {
                return too_many();
            }
            match stopped {
                Err(fault) => found.push((Err(fault), weight, whole, heap(&branch))),
                Ok(Stopped::Spent) => return too_many(),
                Ok(Stopped::Asks | Stopped::Border | Stopped::Round) => {
                    let fault = Fault::new(Code::NeedsOdds, "a question about the end cannot roll dice");
                    found.push((Err(fault), weight, whole, heap(&branch)));
                }
                Ok(Stopped::Looks) => match splitter.look(&mut branch, &mut open) {
                    Ok(true) => {}
                    Ok(false) => return too_many(),
                    Err(fault) => found.push((Err(fault), weight, whole, heap(&branch))),
                },
                Ok(Stopped::Over) => match (info.lists.first(), info.result == 1) {
                    (Some((cell, width)), true) => {
                        let list = Handle::of(branch.state.stack[*cell as usize]);
                        let cells = list.len * *width as usize;
                        let dice = branch.state.heap.get(list.at..list.at + cells).unwrap_or_default();
                        if !dice.iter().any(|c| is_unseen(*c)) {
                            found.push((Ok(dice.to_vec()), weight, whole, heap(&branch)));
                            continue;
                        }
                        if orders(dice).saturating_add(found.len() as u128) > MOST_LISTS as u128 {
                            return too_many();
                        }
                        match pool::part(self.game, dice, Wants::Order, 0, &mut splitter.ways, MOST_LISTS) {
                            Err(fault) => found.push((Err(fault), weight, whole, heap(&branch))),
                            Ok(None) => return too_many(),
                            Ok(Some(parts)) => {
                                for (cells, share) in parts.list {
                                    let mut branch = branch.clone();
                                    branch.state.heap[list.at..list.at + cells.len()].copy_from_slice(&cells);
                                    branch.weight = weight.mul(&share);
                                    branch.whole = whole.mul(&parts.whole);
                                    if cells.iter().any(|c| is_unseen(*c)) {
                                        branch.outer.stage = 1;
                                        open.push(branch);
                                    } else {
                                        found.push((
                                            Ok(cells),
                                            branch.weight.clone(),
                                            branch.whole.clone(),
                                            heap(&branch),
                                        ));
                                    }
                                }
                            }
                        }
                    }
                    _ => {
                        let cells = branch.state.stack[..info.result as usize].to_vec();
                        found.push((Ok(cells), weight, whole, heap(&branch)));
                    }
                },
            }
        }
        found
    }
}

/// Returns the number of lists that the unsampled dice of `dice` can become, die by die.
fn orders(dice: &[i64]) -> u128 {
    let faces = dice.iter().filter_map(|c| LazyDice::of(*c)).map(|u| u128::from(u.high - u.low) + 1);
    faces.fold(1, u128::saturating_mul)
}
