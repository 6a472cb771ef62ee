//! Optimistic value iteration (Hartmanns and Kaminski 2020): a proven enclosure of the value of best play in cycles and
//! unexplored parts. It uses fixed-point numbers, so results are the same on every machine.
//!
//! Lower bounds rise from the minimum by the Bellman operator, rounded down. An upper bound is guessed slightly above them. If
//! the Bellman operator, rounded up, does not raise the guess, it is a bound of the least fixed point (Park's induction). If no
//! guess is proven, upper bounds fall from the maximum. There are therefore bounds wherever the iteration stops. Only a count
//! along the way has no maximum to start from.

use super::components::Components;
use super::graph::*;
use grognard_base::value::Fraction;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Number of binary places of values and probabilities.
const PLACES: u32 = 60;
const ONE: u64 = 1 << PLACES;
/// Distance of the first guess of an upper bound above the lower bound.
const GUESS: u64 = 1 << 32;
/// The change in a sweep below which the bounds count as stable.
const STILL: u64 = 1 << 20;
/// Maximum number of sweeps over one component.
const SWEEPS: usize = 200_000;
/// Maximum number of sweeps to prove a guess, and between two checks of falling upper bounds.
const TRIES: usize = 64;
/// The value above all representable counts.
const BEYOND: u64 = u64::MAX;

/// Lower and upper bounds of the values of states under the best play.
#[derive(Clone, Debug)]
pub struct Enclosure {
    scale: Scale,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl Enclosure {
    /// Returns the lower bound of the value of the start.
    pub fn low(&self) -> Fraction {
        self.of(0).0
    }

    /// Returns the upper bound of the value of the start.
    pub fn high(&self) -> Fraction {
        self.of(0).1
    }

    /// Returns whether the start has an upper bound; a count can have none.
    pub(super) fn is_bounded(&self) -> bool {
        self.high[0] != BEYOND
    }

    /// Returns the bounds of the value of a node.
    pub(super) fn of(&self, node: Node) -> (Fraction, Fraction) {
        let [a, b] = [self.low[node as usize], self.high[node as usize]].map(|value| self.scale.back(value));
        if self.scale.turned { (b, a) } else { (a, b) }
    }
}

/// A linear map of values to parts of [`ONE`] between the minimum and the maximum.
#[derive(Clone, Debug)]
struct Scale {
    least: Fraction,
    span: Fraction,
    /// Whether the map is decreasing, because an infinite run has the maximum value.
    turned: bool,
}

impl Scale {
    /// Returns a value, rounded down and rounded up.
    fn of(&self, worth: &Fraction) -> (u64, u64) {
        if self.span.is_zero() {
            return (0, 0);
        }
        let part = &(worth - &self.least) / &self.span;
        let part = if self.turned { &Fraction::one() - &part } else { part };
        let whole = part.num().magnitude() * BigUint::from(ONE);
        let down = &whole / part.den();
        let exact = &down * part.den() == whole;
        let down = down.to_u64().unwrap_or(ONE);
        (down, if exact { down } else { down + 1 })
    }

    fn back(&self, value: u64) -> Fraction {
        let part = Fraction::of(BigUint::from(value), BigUint::from(ONE));
        let part = if self.turned { &Fraction::one() - &part } else { part };
        &self.least + &(&self.span * &part)
    }
}

/// The quantity to enclose.
#[derive(Clone, Copy)]
pub(super) enum Enclosed<'a> {
    /// The values of ends. An infinite run has the value `never`, and an unexplored part has a value within `open`.
    Worths { never: &'a Fraction, open: &'a (Fraction, Fraction) },
    /// The counts of nodes at each visit, with sums below two to the power of `places`; sums are negative if it `falls`.
    Counts { places: u32, falls: bool },
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Chance,
    Most,
    Least,
}

/// The equation of a node of a component: its value from edges out of the component, and its edges inside.
struct EquationRow {
    kind: Kind,
    /// For chance the sum, in parts of [`ONE`] squared; for a decision the best value.
    low: u128,
    high: u128,
    /// The best edge that leaves the component, or [`NO_EDGE`].
    edge: u32,
    inside: Range<usize>,
    /// The correction for rounded-down probabilities in upper bounds.
    slack: u64,
}

/// An edge inside a component: the row of its target, its number, and its probability rounded down.
struct Inside {
    to: u32,
    edge: u32,
    chance: u64,
}

/// The bounds of all nodes during the iteration.
struct Bounds<'a, 'g> {
    graph: &'a Graph<'g>,
    found: Enclosure,
    policy: Vec<u32>,
    unexplored: (u64, u64),
    /// The count of each node at each visit, if counts are enclosed.
    counts: Option<&'a FxHashMap<Node, Fraction>>,
    /// Whether an infinite run has the minimum value, or the count so far.
    rises: bool,
    /// The rows of the current component.
    rows: Vec<EquationRow>,
    inside: Vec<Inside>,
    /// The row of each node, or `u32::MAX`.
    place: Vec<u32>,
}

impl Graph<'_> {
    /// Encloses the values of all states under the best play, and selects a policy that reaches the lower bounds. `own` holds the
    /// values or counts of single nodes.
    pub(super) fn enclose(
        &mut self,
        parts: &Components,
        own: &FxHashMap<Node, Fraction>,
        what: Enclosed<'_>,
    ) -> Enclosure {
        // Errors have the value 0: no decision leads to one.
        let zero = Fraction::zero();
        let nothing = FxHashMap::default();
        let (scale, unexplored, ends, counts, rises) = match what {
            Enclosed::Worths { never, open } => {
                let worths = || own.values().chain([never, &zero, &open.0, &open.1]);
                let (least, most) = (worths().min().unwrap_or(&zero), worths().max().unwrap_or(&zero));
                let turned = never == most && least != most;
                let scale = Scale { least: least.clone(), span: most - least, turned };
                let (a, b) = (scale.of(&open.0), scale.of(&open.1));
                (scale, (a.0.min(b.0), a.1.max(b.1)), own, None, never == least || turned)
            }
            Enclosed::Counts { places, falls } => {
                let span = Fraction::whole(1 << places);
                let scale = Scale { least: if falls { -&span } else { zero.clone() }, span, turned: falls };
                (scale, (0, BEYOND), &nothing, Some(own), true)
            }
        };
        let count = self.nodes.len();
        let (low, high) = scale.of(&zero);
        let mut found = Enclosure { low: vec![low; count], high: vec![high; count], scale };
        for node in 0..count {
            let known = ends.get(&(node as Node)).map(|worth| found.scale.of(worth));
            let known = if self.explored(node as Node) { known } else { Some(unexplored) };
            (found.low[node], found.high[node]) = known.unwrap_or((found.low[node], found.high[node]));
        }
        let mut bounds = Bounds {
            found,
            policy: self.policy.take().unwrap_or_default(),
            unexplored,
            counts,
            rises,
            rows: Vec::new(),
            inside: Vec::new(),
            place: vec![u32::MAX; count],
            graph: self,
        };
        let mut done = 0;
        for part in parts.iter() {
            bounds.part(part);
            done += part.len();
            self.splitter.meter.doing(|| format!("{done} of {count} states weighed"));
        }
        let Bounds { found, policy, .. } = bounds;
        self.policy = Some(policy);
        found
    }
}

impl Bounds<'_, '_> {
    /// Builds the equations of a component: values from outside, and edges inside.
    fn lay_out(&mut self, part: &[Node]) {
        let graph = self.graph;
        self.rows.clear();
        self.inside.clear();
        part.iter().zip(0..).for_each(|(node, row)| self.place[*node as usize] = row);
        for node in part {
            let kind = match graph.decision(*node) {
                Some(decision) if decision.best != self.found.scale.turned => Kind::Most,
                Some(_) => Kind::Least,
                None => Kind::Chance,
            };
            let edges = graph.edges_of(*node);
            let (slack, whole) = (u64::from(edges.len() > 1), graph.whole(*node));
            let from = self.inside.len();
            let mut row = EquationRow { kind, low: 0, high: 0, edge: NO_EDGE, inside: from..from, slack };
            if let Some(own) = self.counts.and_then(|counts| counts.get(node)) {
                let (low, high) = self.found.scale.of(own);
                row.low = part_of(ONE, low.min(ONE));
                row.high = part_of(ONE, if high > ONE { BEYOND } else { high });
            }
            for edge in edges {
                let to = graph.to[edge];
                let chance = match kind {
                    Kind::Chance if slack > 0 => graph.weight(edge).share(&whole, PLACES),
                    Kind::Chance | Kind::Most | Kind::Least => ONE,
                };
                let (low, high) = match to {
                    UNEXPLORED => self.unexplored,
                    to if self.place[to as usize] != u32::MAX => {
                        self.inside.push(Inside { to: self.place[to as usize], edge: edge as u32, chance });
                        continue;
                    }
                    to => (self.found.low[to as usize], self.found.high[to as usize]),
                };
                row.leave(edge as u32, chance, (low, high));
            }
            row.inside.end = self.inside.len();
            self.rows.push(row);
        }
        part.iter().for_each(|node| self.place[*node as usize] = u32::MAX);
    }

    /// Returns the lower bound of a row (the upper bound if `up`) for these values of its component, and the edge of a decision.
    fn look(&self, row: &EquationRow, values: &[u64], up: bool) -> (u64, u32) {
        let (outside, slack) = if up { (row.high, row.slack) } else { (row.low, 0) };
        let inside = &self.inside[row.inside.clone()];
        if row.kind == Kind::Chance {
            // The chances add up to about one, so the sum fits.
            let (mut sum, mut beyond) = (0, false);
            for next in inside {
                let worth = values[next.to as usize];
                beyond |= worth == BEYOND;
                sum += u128::from(next.chance + slack) * u128::from(worth);
            }
            let sum = if beyond { u128::MAX } else { outside.saturating_add(sum) };
            let sum = if up { sum.saturating_add(u128::from(ONE - 1)) >> PLACES } else { sum >> PLACES };
            let most = if up { self.most() } else { ONE };
            return (if sum > u128::from(ONE) { most } else { sum as u64 }, NO_EDGE);
        }
        let mut best = (outside as u64, row.edge);
        for next in inside {
            let new = values[next.to as usize];
            if best.1 == NO_EDGE || row.kind.prefers(new, best.0) {
                best = (new, next.edge);
            }
        }
        best
    }

    /// Returns the maximum value of a node.
    fn most(&self) -> u64 {
        if self.counts.is_some() { BEYOND } else { ONE }
    }

    /// Computes the bounds of one component. Its successors already have bounds.
    fn part(&mut self, part: &[Node]) {
        if part.iter().all(|node| self.graph.edges_of(*node).is_empty()) {
            return;
        }
        self.lay_out(part);
        let mut low = vec![0; part.len()];
        let mut high = vec![self.most(); part.len()];
        let mut taken: Vec<u32> = part.iter().map(|node| self.policy[*node as usize]).collect();
        if self.inside.is_empty() {
            (low[0], taken[0]) = self.look(&self.rows[0], &[], false);
            high[0] = self.look(&self.rows[0], &[], true).0;
        } else {
            self.close_in(&mut low, &mut high, &mut taken);
        }
        for (n, node) in part.iter().enumerate() {
            let node = *node as usize;
            (self.found.low[node], self.found.high[node], self.policy[node]) = (low[n], high[n], taken[n]);
        }
    }

    /// Iterates the bounds of a component with a cycle.
    fn close_in(&self, low: &mut [u64], high: &mut [u64], taken: &mut [u32]) {
        let (mut still, mut guess, mut sweeps, mut proven) = (STILL, GUESS, 0, false);
        while !proven {
            let goes_on = self.rise(low, taken, still, &mut sweeps);
            if !goes_on || !self.rises {
                break;
            }
            let above = |low: u64| if low < ONE { (low + guess).min(ONE) } else { self.most() };
            high.iter_mut().zip(low.iter()).for_each(|(high, low)| *high = above(*low));
            proven = self.fall(high, false);
            if still == 0 {
                guess = guess.saturating_mul(4).min(ONE);
            }
            still /= 16;
        }
        if !proven {
            high.fill(self.most());
            for _ in 0..SWEEPS / TRIES {
                if !self.fall(high, true) {
                    break;
                }
            }
        }
        // A minimizing player takes the entry with the least final value.
        for (row, taken) in self.rows.iter().zip(taken).filter(|(row, _)| row.kind == Kind::Least) {
            *taken = self.look(row, low, false).1;
        }
    }

    /// Charges a sweep. Returns `false` if the budget is spent.
    fn sweep(&self) -> bool {
        self.graph.splitter.meter.words((self.rows.len() + self.inside.len()) as u64 / 4)
    }

    /// Raises the lower bounds until they are stable. Returns `false` if that takes too many sweeps.
    fn rise(&self, low: &mut [u64], taken: &mut [u32], still: u64, sweeps: &mut usize) -> bool {
        loop {
            *sweeps += 1;
            let goes_on = self.sweep() && *sweeps < SWEEPS;
            let mut moved = 0;
            for (n, row) in self.rows.iter().enumerate().rev() {
                let (new, edge) = self.look(row, low, false);
                if new > low[n] {
                    moved = moved.max(new - low[n]);
                    // An entry is taken only if it raises the value, so a policy never stays in a cycle without gain.
                    (low[n], taken[n]) = (new, edge);
                }
            }
            if moved <= still || !goes_on {
                return goes_on;
            }
        }
    }

    /// Lowers upper bounds until they are stable or the tries are used up. For a guess, returns whether it was proven to be a
    /// bound. For proven bounds, returns whether they still fall.
    fn fall(&self, high: &mut [u64], mut proven: bool) -> bool {
        let known = proven;
        for _ in 0..TRIES {
            let goes_on = self.sweep();
            let (mut rises, mut falls) = (false, 0);
            for (n, row) in self.rows.iter().enumerate().rev() {
                let (new, old) = (self.look(row, high, true).0, high[n]);
                rises |= new > old;
                // A proven bound only falls.
                falls = falls.max(old.saturating_sub(new));
                high[n] = if proven { new.min(old) } else { new };
            }
            proven |= !rises;
            if proven && falls <= STILL || !goes_on {
                return proven && !known;
            }
        }
        proven
    }
}

/// Returns the product of a probability and a value, in parts of [`ONE`] squared. [`BEYOND`] stays beyond for any probability.
fn part_of(chance: u64, worth: u64) -> u128 {
    if worth == BEYOND { u128::MAX } else { u128::from(chance) * u128::from(worth) }
}

impl Kind {
    fn prefers(self, new: u64, old: u64) -> bool {
        if self == Kind::Most { new > old } else { new < old }
    }
}

impl EquationRow {
    /// Adds an edge that leaves the component, to a target with these bounds.
    fn leave(&mut self, edge: u32, chance: u64, (low, high): (u64, u64)) {
        if self.kind == Kind::Chance {
            self.low += part_of(chance, low);
            self.high = self.high.saturating_add(part_of(chance + self.slack, high));
            return;
        }
        let first = self.edge == NO_EDGE;
        if first || self.kind.prefers(high, self.high as u64) {
            self.high = u128::from(high);
        }
        if first || self.kind.prefers(low, self.low as u64) {
            (self.low, self.edge) = (u128::from(low), edge);
        }
    }
}
