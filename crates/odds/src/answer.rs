//! Queries on a graph: distributions of the values at its ends.

use super::Task;
use super::branch::Branch;
use super::branches::{Splitter, Stopped};
use super::distribution::{Distribution, Label, Outcome, Worth};
use super::driver::{Chance, Shared, Table};
use super::graph::*;
use super::interner::Reader;
use super::num::{Binomials, Num};
use super::open::Open;
use super::outer::{Outer, Outside};
use super::pool;
use super::solve::Masses;
use fixedbitset::FixedBitSet;
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Budget, Code, Meter};
use grognard_program::Wants;
use grognard_scenario::counts::Saturation;
use grognard_vm::{Fault, Handle, LazyDice, NoTrace, Run, State, is_unseen};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

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

/// Number of ends between two checks of the meter.
const GATHERED: usize = 1024;

/// Maximum number of branches in which one end answers a query, mostly orders of the dice of a list.
const MOST_PARTS: usize = 1 << 20;

/// Maximum number of lists for the unsampled dice of one end. Each order of faces is a separate value.
const MOST_LISTS: usize = 1 << 17;

fn too_many() -> Fault {
    Fault::new(
        Code::TooManyDice,
        "this question distinguishes too many lists of dice: ask for their sum, a count, or the highest of them",
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

    /// Returns the visits of all nodes, computed once for all measures.
    pub(super) fn visits(&self) -> &Masses {
        self.visits.get_or_init(|| self.masses(|_| true, true, self.options.precision))
    }

    /// Returns the probability of each end, computed once.
    fn arrivals(&self) -> &Arrivals {
        self.arrivals.get_or_init(|| {
            let masses = self.visits();
            let mut ends = self.end_nodes();
            ends.retain(|n| !masses.is_zero(*n));
            let (weights, whole) = masses.over_one(&ends);
            Arrivals { ends: ends.into_iter().zip(weights).collect(), whole }
        })
    }

    /// Adds up the parts of all ends. `every` is whether errors and nonterminating runs count too.
    fn gather(&self, every: bool, mut at: impl FnMut(u32, &mut Vec<Part>)) -> Distribution {
        let Arrivals { ends, whole } = self.arrivals();
        let masses = self.visits();
        let mut cells: BTreeMap<Vec<i64>, [Fraction; 2]> = BTreeMap::new();
        let mut plain: Vec<(Vec<i64>, [BigUint; 2])> = Vec::new();
        let mut faults: Vec<(Fault, [Fraction; 2])> = Vec::new();
        let mut fault_index: FxHashMap<Fault, usize> = FxHashMap::default();
        let nothing = || [Fraction::zero(), Fraction::zero()];
        let add = |sum: &mut [Fraction; 2], share: &[Fraction; 2]| sum.iter_mut().zip(share).for_each(|(a, b)| *a += b);
        let (mut stopped, mut left, mut parts) = (false, BigUint::zero(), Vec::new());
        for (n, (node, weight)) in ends.iter().enumerate() {
            if n % GATHERED == GATHERED - 1 && !stopped {
                let meter = &self.splitter.meter;
                meter.doing(|| format!("{n} of {} ends asked", ends.len()));
                stopped = meter.stopped();
            }
            if stopped {
                left += &weight[0] + &weight[1];
                continue;
            }
            match self.nodes[*node as usize] {
                Sort::Fault(n) if every => {
                    parts.push((Err(self.faults[n as usize].clone()), Num::Narrow(1), Num::Narrow(1)))
                }
                Sort::End(store) => at(store, &mut parts),
                Sort::Position(_) | Sort::Choice(..) | Sort::Entry(..) | Sort::Fault(_) => {}
            }
            self.splitter.meter.words(parts.len() as u64 * (1 + weight[0].bits() / 64));
            for (value, part, of) in parts.drain(..) {
                let share = || weight.each_ref().map(|weight| Fraction::of(weight * part.big(), of.big()));
                match value {
                    Ok(value) if of.is_one() => plain.push((value, weight.clone())),
                    Ok(value) => add(cells.entry(value).or_insert_with(nothing), &share()),
                    Err(fault) => match fault_index.get(&fault) {
                        Some(n) => add(&mut faults[*n].1, &share()),
                        None => {
                            fault_index.insert(fault.clone(), faults.len());
                            faults.push((fault, share()));
                        }
                    },
                }
            }
        }
        // All shares get one common denominator.
        let part = |of: &Fraction| {
            if of.is_zero() { Fraction::zero() } else { of * &Fraction::of(whole.clone(), BigUint::from(1u32)) }
        };
        let [low, high] = &masses.never;
        let never = if every { [part(low), part(&(high - low))] } else { nothing() };
        let unexplored = [&part(&masses.beyond) + &Fraction::of(left, BigUint::one())];
        let mut den = BigUint::from(1u32);
        let shares = cells.values().chain(faults.iter().map(|(_, s)| s)).chain([&never]).flatten().chain(&unexplored);
        for share in shares.filter(|share| !share.is_zero()) {
            den = num_integer::lcm(den, share.den().clone());
        }
        let number = |share: &Fraction| {
            if share.is_zero() { BigUint::zero() } else { share.num().magnitude() * (&den / share.den()) }
        };
        if !den.is_one() {
            plain.iter_mut().flat_map(|(_, weight)| weight).for_each(|weight| *weight *= &den);
        }
        plain.extend(cells.into_iter().map(|(value, share)| (value, share.each_ref().map(number))));
        order::sort_by(&mut plain, |(a, _), (b, _)| a.cmp(b));
        plain.dedup_by(|(value, weight), (first, sum)| {
            let same = value == first;
            if same {
                sum.iter_mut().zip(weight).for_each(|(sum, weight)| *sum += &*weight);
            }
            same
        });
        let outcome = |worth, [weight, slack]: [BigUint; 2]| Outcome { worth, weight, slack };
        let faults = faults.into_iter().map(|(fault, share)| (Worth::Fault(fault), share.each_ref().map(number)));
        let never = [(Worth::Never, never.each_ref().map(number))]
            .into_iter()
            .filter(|(_, [low, slack])| !(low + slack).is_zero());
        let cells = plain.into_iter().map(|(value, weight)| (Worth::Cells(value), weight));
        let outcomes = faults.chain(cells).chain(never).map(|(worth, weight)| outcome(worth, weight)).collect();
        let [unexplored] = unexplored.each_ref().map(number);
        let mut found = Distribution { outcomes, unexplored, whole: whole * den, label: Label::Exact };
        if !every || found.outcomes.iter().all(|o| o.slack.is_zero()) {
            found.over_outcomes();
        }
        found.label = found.label_of_weights();
        found
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
            unshared: FixedBitSet::new(),
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
