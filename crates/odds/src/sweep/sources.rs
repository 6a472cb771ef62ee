//! Dice that are rerolled, or that explode, by their faces: each die has a separate distribution, so the steps can be in any order.
//!
//! A reroll changes the weights of the faces. Exploding dice are chains; a sum over the dice of `n` chains has the generating function
//! `C^n`, and `C` is a quotient of polynomials `N / D` with few terms. Then `H = C^n` solves `H' N D = n (N' D - N D') H`, so each
//! coefficient follows from as many earlier ones as `N D` has terms (Knuth, *The Art of Computer Programming* 2, 4.7).

use super::super::num::Num;
use super::expr::{Exprs, FACE, Id, Node};
use super::fold::Group;
use super::read::{Part, Path, Reader, Val};
use grognard_base::value::Op;
use grognard_base::value::dice::MOST_DICE;
use grognard_base::{Meter, order};
use grognard_program::{AskKind, Instr, Pc, Reg};
use grognard_vm::{LazyDice, holds};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum value of a die in a sum over chains.
const MOST_VALUE: i64 = 1 << 10;
/// Maximum number of values of a sum over chains.
const MOST_VALUES: usize = 1 << 16;
/// Maximum number of instructions between the start of a reroll and its roll.
const FAR: Pc = 64;

/// Faces with their weights.
type Faces = Vec<(i64, Num)>;

/// The places of the dice whose faces satisfy all comparisons of at least one list.
type Faced = Vec<Vec<(Op, i64)>>;

/// Dice that explode: each die that fits is followed by another one, which can fit too.
pub struct Chain {
    /// The faces of the following dice.
    next: Faces,
    /// The faces that explode.
    explodes: Vec<i64>,
    /// Maximum number of following dice.
    rounds: usize,
    /// The rerolls after the explosions.
    again: Vec<Again>,
}

/// A reroll of the dice that show some faces.
#[derive(Clone)]
struct Again {
    fits: Vec<i64>,
    rounds: usize,
    faces: Faces,
}

impl Again {
    /// Returns the faces after the reroll. The sum of the weights grows by a power of the number of sides.
    fn of(&self, faces: &Faces) -> Faces {
        let all = total(&self.faces);
        let mut now = faces.clone();
        for _ in 0..self.rounds {
            let (falls, stays): (Faces, Faces) = now.into_iter().partition(|(face, _)| self.fits.contains(face));
            let again = total(&falls);
            let mut next: BTreeMap<i64, Num> = BTreeMap::new();
            let mut add = |face: i64, weight: Num| match next.get_mut(&face) {
                Some(sum) => sum.add(&weight),
                None => drop(next.insert(face, weight)),
            };
            stays.iter().for_each(|(face, weight)| add(*face, weight.mul(&all)));
            self.faces.iter().filter(|_| !again.is_zero()).for_each(|(face, weight)| add(*face, weight.mul(&again)));
            now = next.into_iter().collect();
        }
        now
    }
}

fn total(faces: &Faces) -> Num {
    let mut all = Num::Narrow(0);
    faces.iter().for_each(|(_, weight)| all.add(weight));
    all
}

impl Reader<'_> {
    /// Reads a reroll or an explosion of a whole pool.
    pub fn falls_again(&mut self, path: &mut Path) -> Result<(), &'static str> {
        const OTHER: &str = "rolls dice again by more than comparisons of their faces";
        let (start, mut exit, mut length) = (path.pc, None, None);
        let mut sets: Vec<(Reg, Faced)> = Vec::new();
        let ask = loop {
            let instr = *self.game.program.code.get(path.pc as usize).ok_or("ends")?;
            let known = |reg: Reg| sets.iter().rev().find(|(own, _)| *own == reg).map(|(_, set)| set.clone());
            match instr {
                Instr::Ask { at } => break at,
                Instr::Span { dst, .. } => sets.push((dst, vec![Vec::new()])),
                Instr::NewList { dst } => sets.push((dst, Vec::new())),
                Instr::Which { dst, list, among, op, than } => {
                    let mut set = match known(among) {
                        Some(set) => set,
                        None => self.places(path, list, among)?,
                    };
                    let than = self.number(path, than)?;
                    set.iter_mut().for_each(|fits| fits.push((op, than)));
                    sets.push((dst, set));
                }
                Instr::Op { op: Op::Concat, dst, a, b, n: 1 } => {
                    let (mut set, more) = (known(a), known(b).ok_or(OTHER)?);
                    if set.is_none() && matches!(self.list(path, a)?, Val::List(none, _) if none.is_empty()) {
                        set = Some(Vec::new());
                    }
                    sets.push((dst, set.ok_or(OTHER)?.into_iter().chain(more).collect()));
                }
                Instr::Copy { dst, src } if known(src).is_some() => sets.extend(known(src).map(|set| (dst, set))),
                Instr::Copy { .. } | Instr::Const { .. } | Instr::Wide { .. } | Instr::Setting { .. } => {
                    self.step(path)?;
                    continue;
                }
                Instr::JumpCompare { to, .. } if exit.is_none_or(|exit| exit == to) => exit = Some(to),
                Instr::AddConst { dst, a, value: -1 } if dst == a => {}
                Instr::Length { dst, .. } => length = Some(dst),
                // An empty list of places stays empty, whatever is skipped.
                Instr::JumpCompareConst { op: Op::Eq, a, value: 0, .. } if length == Some(a) => {}
                Instr::Own { .. } | Instr::SortBy { .. } => {}
                _ => return Err(OTHER),
            }
            path.pc += 1;
            if path.pc > start + FAR {
                return Err(OTHER);
            }
        };
        let AskKind::Reroll { pool, which, explode, many: false, list: true, .. } =
            self.game.program.asks[ask as usize].kind
        else {
            return Err("rolls dice or asks a player");
        };
        let fits = sets.iter().rev().find(|(own, _)| *own == which).map(|(_, set)| set.clone()).ok_or(OTHER)?;
        let (exit, left) = (exit.ok_or("rolls dice")?, self.rounds(path.pc).ok_or("rolls dice")?);
        let rounds = usize::try_from(self.number(path, left)?)
            .map_err(|_| "rolls dice again for a negative number of rounds")?;
        let Val::Pool(parts) = self.list(path, pool)? else { return Err("rolls dice again whose faces are known") };
        let mut after = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            let group = self.falls(part, &fits, explode, rounds)?;
            self.spent |= 1 << part.group.min(super::expr::LAST);
            after.push(Part { group: self.groups.len() as u16, ..*part });
            self.groups.push(group);
        }
        for reg in self.written(start, exit) {
            self.set(path, reg, Val::Gone);
        }
        self.set(path, pool, Val::Pool(Rc::new(after)));
        path.pc = exit;
        Ok(())
    }

    /// Returns the set of a list of places of a pool that was made before: no place, or every one.
    fn places(&mut self, path: &Path, pool: Reg, among: Reg) -> Result<Faced, &'static str> {
        let Val::Pool(parts) = self.list(path, pool)? else { return Err("rolls dice again whose faces are known") };
        let dice: usize = parts.iter().map(|part| self.groups[part.group as usize].dice).sum();
        let again = Err("rolls dice again for the second time");
        let Val::List(places, _) = self.list(path, among)? else { return again };
        let whole = places.iter().enumerate().all(|(n, id)| self.exprs.value(*id) == Some(n as i64));
        if places.len() == dice && whole { Ok(vec![Vec::new()]) } else { again }
    }

    /// Returns the register of the rounds that are left, which the code after a roll counts down.
    fn rounds(&self, ask: Pc) -> Option<u16> {
        match self.game.program.code.get(ask as usize + 2)? {
            Instr::AddConst { dst, a, value: -1 } if dst == a => Some(*dst),
            _ => None,
        }
    }

    /// Returns the group that dice become when they are rolled again or explode.
    fn falls(&self, part: &Part, fits: &[Vec<(Op, i64)>], explode: bool, rounds: usize) -> Result<Group, &'static str> {
        let group = &self.groups[part.group as usize];
        let die = group.die.ok_or("rolls dice again whose faces are known")?;
        if self.exprs.value(part.filter) != Some(1) || !matches!(self.exprs.node(part.value), Node::Face(FACE)) {
            return Err("rolls a filtered pool again");
        }
        let fresh = LazyDice::new(self.game, die);
        let next: Faces = (fresh.low..=fresh.high)
            .map(|n| (fresh.face(self.game, n), Num::from(fresh.sides(self.game, n, n))))
            .collect();
        let chosen = |face: &i64| fits.iter().any(|all| all.iter().all(|(op, than)| holds(*op, *face, *than)));
        let fits: Vec<i64> = next.iter().map(|(face, _)| *face).filter(chosen).collect();
        let (dice, faces) = (group.dice, group.faces.clone());
        if !explode {
            let again = Again { fits, rounds, faces: next };
            return Ok(match &group.chain {
                None => Group { dice, faces: again.of(&faces), die: Some(die), chain: None },
                Some(chain) => {
                    let more = chain.again.iter().cloned().chain([again]).collect();
                    let (next, explodes) = (chain.next.clone(), chain.explodes.clone());
                    let chain = Chain { next, explodes, rounds: chain.rounds, again: more };
                    Group { dice, faces, die: Some(die), chain: Some(Rc::new(chain)) }
                }
            });
        }
        let most = rounds.checked_add(1).and_then(|rounds| rounds.checked_mul(dice));
        if group.chain.is_some() || rounds == 0 || most.is_none_or(|most| most > MOST_DICE) {
            return Err("lets dice explode twice, or into more than 10,000 dice");
        }
        let chain = Chain { next, explodes: fits, rounds, again: Vec::new() };
        Ok(Group { dice, faces, die: Some(die), chain: Some(Rc::new(chain)) })
    }
}

/// Replaces each group of chains by one die that shows the sums that the code asks of it. Returns `None` if the code asks more.
pub fn summed(exprs: &mut Exprs, groups: &mut [Group], roots: &mut [Id], meter: &Meter) -> Option<()> {
    for (n, group) in groups.iter_mut().enumerate() {
        let Some(chain) = group.chain.take() else { continue };
        let sums = exprs.sums_of(roots, n as u16);
        let mut values: BTreeMap<i64, usize> = BTreeMap::new();
        let mut replaced: Vec<(Node, Id)> = Vec::new();
        // Several sums are the digits of one: the unit of each is above all sums of those before it.
        let mut unit = 1usize;
        for (at, sum) in sums.iter().enumerate() {
            let Node::Sum { depth, each, .. } = *exprs.node(*sum) else { return None };
            let mut largest = 0;
            for (face, _) in group.faces.iter().chain(&chain.next) {
                let cell = exprs.known(*face);
                let value = exprs.replace(each, &[(Node::Face(depth), cell)]);
                let value = exprs.value(value).filter(|value| (0..=MOST_VALUE).contains(value))? as usize;
                let before = values.get(face).copied().unwrap_or_default() % unit;
                values.insert(*face, before + value * unit);
                largest = largest.max(value);
            }
            let next = (largest * group.dice).checked_mul(chain.rounds + 1)?.checked_add(1)?.checked_mul(unit)?;
            if at > 0 && next > MOST_VALUES {
                return None;
            }
            let (mut digit, [own, above]) = (exprs.face(depth), [unit, next].map(|unit| exprs.known(unit as i64)));
            if at + 1 < sums.len() {
                digit = exprs.op(Op::Remainder, digit, above);
            }
            if at > 0 {
                digit = exprs.op(Op::DivLength, digit, own);
            }
            replaced.push((exprs.node(*sum).clone(), exprs.sum(n as u16, depth, digit)));
            unit = next;
        }
        if sums.is_empty() {
            continue;
        }
        let faces = chain.sum(&group.faces, group.dice, &values, meter)?;
        *group = Group { dice: 1, faces, die: None, chain: None };
        for root in roots.iter_mut() {
            *root = exprs.replace(*root, &replaced);
        }
    }
    Some(())
}

/// A polynomial with few terms: coefficients by exponent.
type Sparse = BTreeMap<usize, BigInt>;

fn times(a: &Sparse, b: &Sparse) -> Sparse {
    let mut all = Sparse::new();
    for (n, x) in a {
        for (m, y) in b {
            *all.entry(n + m).or_default() += x * y;
        }
    }
    all.retain(|_, x| *x != BigInt::ZERO);
    all
}

fn plus(mut a: Sparse, factor: &BigInt, b: &Sparse) -> Sparse {
    for (n, x) in b {
        *a.entry(*n).or_default() += factor * x;
    }
    a.retain(|_, x| *x != BigInt::ZERO);
    a
}

fn constant(x: BigInt) -> Sparse {
    Sparse::from([(0, x)])
}

/// Divides a polynomial by the greatest common divisor of its coefficients.
fn primitive(mut a: Sparse) -> Sparse {
    let shared = a.values().fold(BigInt::ZERO, |shared, x| shared.gcd(x));
    if shared != BigInt::ZERO {
        a.values_mut().for_each(|x| *x /= &shared);
    }
    a
}

fn derived(a: &Sparse) -> Sparse {
    a.iter().filter(|(n, _)| **n > 0).map(|(n, x)| (n - 1, x * BigInt::from(*n))).collect()
}

fn power(a: &Sparse, n: usize) -> Option<Sparse> {
    match a.iter().next() {
        None => Some(if n == 0 { constant(1.into()) } else { Sparse::new() }),
        Some((k, x)) if a.len() == 1 => Some(Sparse::from([(k.checked_mul(n)?, x.pow(u32::try_from(n).ok()?))])),
        _ if n.saturating_mul(a.len() - 1) <= MOST_TERMS => {
            (0..n).try_fold(constant(1.into()), |all, _| Some(times(&all, a)))
        }
        _ => None,
    }
}

/// Number of bits from which a common divisor is taken out.
const LONG: u64 = 128;

/// Maximum number of terms of a power of a polynomial with consecutive exponents.
const MOST_TERMS: usize = 256;

impl Chain {
    /// Returns the distribution of the sum over `dice` chains, whose first dice show `first`.
    fn sum(&self, first: &Faces, dice: usize, values: &BTreeMap<i64, usize>, meter: &Meter) -> Option<Faces> {
        // The values of dice that show some faces, after what happens to them later.
        let of = |faces: &Faces, explode: bool| {
            let mut all = Sparse::new();
            for (face, weight) in faces.iter().filter(|(face, _)| self.explodes.contains(face) == explode) {
                let mut ends = vec![(*face, Num::Narrow(1))];
                self.again.iter().for_each(|again| ends = again.of(&ends));
                for (face, share) in ends {
                    let value = values.get(&face).copied().unwrap_or_default();
                    *all.entry(value).or_default() += BigInt::from(weight.mul(&share).into_big());
                }
            }
            all
        };
        let rerolls: usize = self.again.iter().map(|again| again.rounds).sum();
        let spread = BigInt::from(total(&self.next).pow(rerolls).into_big());
        let whole = BigInt::from(total(&self.next).into_big()) * &spread;
        let (first_explode, first_end) = (of(first, true), of(first, false));
        let (explode, end) = (of(&self.next, true), of(&self.next, false));
        let any = plus(explode.clone(), &1.into(), &end);
        // With u = E / Q the chain is (F1 + E1 (F / Q (1 - u^(R-1)) / (1 - u) + u^(R-1) T / Q)) over the first die.
        let rest = plus(constant(whole.clone()), &(-1).into(), &explode);
        let scale = whole.pow(u32::try_from(self.rounds).ok()?);
        let last = power(&explode, self.rounds - 1)?;
        let mut inner = plus(Sparse::new(), &scale, &end);
        inner = plus(inner, &-&whole, &times(&end, &last));
        inner = plus(inner, &1.into(), &times(&last, &times(&any, &rest)));
        let above = plus(times(&first_explode, &inner), &scale, &times(&first_end, &rest));
        let degree = |of: &Sparse| of.keys().next_back().copied().unwrap_or(0);
        let longest = degree(&first_explode) + degree(&explode) * (self.rounds - 1) + degree(&any);
        let low = above.keys().next().copied().unwrap_or(0);
        let most = longest.max(degree(&first_end)).checked_sub(low)?.checked_mul(dice)?;
        if most > MOST_VALUES {
            return None;
        }
        // Without common factors the quotient is still a polynomial (Gauss's lemma).
        let above = primitive(above.into_iter().map(|(n, x)| (n - low, x)).collect());
        let rest = primitive(rest);
        let terms = (above.len() * rest.len()) as u64;
        let each = above.values().map(BigInt::bits).max().unwrap_or(0) / 64 + 1;
        if !meter.words((most as u64 + 1).saturating_mul(terms).saturating_mul(each.saturating_mul(dice as u64 + 1))) {
            return None;
        }
        let coefficients = quotient_power(&above, &rest, dice, most);
        let found = coefficients.into_iter().enumerate().filter(|(_, x)| *x != BigUint::ZERO);
        Some(found.map(|(n, x)| ((low * dice + n) as i64, Num::Big(x))).collect())
    }
}

/// The part of a polynomial whose coefficients are not multiples of a large number, and the rest divided by that number.
struct Halves {
    large: Sparse,
    small: Sparse,
}

impl Halves {
    /// Divides the coefficients below an exponent by `by`.
    fn of(all: &Sparse, by: &BigInt, upto: usize) -> Halves {
        let (large, small): (Sparse, Sparse) = all.clone().into_iter().partition(|(n, _)| *n < upto);
        Halves { large: large.into_iter().map(|(n, x)| (n, x / by)).collect(), small }
    }
}

/// Returns the coefficients of `(above / below)^n` up to an exponent, by the recurrence of J. C. P. Miller (Knuth, *The Art of Computer
/// Programming* 2, 4.7). Both have a constant term.
///
/// A long chain has a large common divisor in all coefficients before the last round. Sums of their products are divided by it before
/// they are added, so most factors are short.
fn quotient_power(above: &Sparse, below: &Sparse, n: usize, most: usize) -> Vec<BigUint> {
    let both = times(above, below);
    let change = plus(times(&derived(above), below), &(-1).into(), &times(above, &derived(below)));
    let change = plus(Sparse::new(), &n.into(), &change);
    let (shared, upto) = split(&both, &change);
    let (both, change) = (Halves::of(&both, &shared, upto), Halves::of(&change, &shared, upto.saturating_sub(1)));
    let zero = BigInt::ZERO;
    let first = both.large.get(&0).unwrap_or(&zero);
    let start = above.get(&0).unwrap_or(&zero) / below.get(&0).unwrap_or(&1.into());
    let mut found: Vec<BigInt> = vec![start.pow(n as u32)];
    for k in 1..=most {
        let sum = |change: &Sparse, both: &Sparse| {
            let mut sum = BigInt::ZERO;
            change.range(..k).for_each(|(j, x)| sum += x * &found[k - 1 - j]);
            both.range(1..k).for_each(|(j, x)| sum -= &found[k - j] * (x * (k - j)));
            sum
        };
        let small = sum(&change.small, &both.small);
        let mut all = sum(&change.large, &both.large);
        if small != BigInt::ZERO {
            all += if shared == BigInt::from(1) { small } else { small / &shared };
        }
        found.push(all / (first * k));
    }
    found.into_iter().map(|x| x.to_biguint().unwrap_or_default()).collect()
}

/// Returns a common divisor of the first coefficients of `both`, and of those of its companion one place before, with the first exponent
/// that is not divided. The divisor is 1 if it is not worth a division.
fn split(both: &Sparse, change: &Sparse) -> (BigInt, usize) {
    let mut shared = BigInt::ZERO;
    let mut all: Vec<(usize, &BigInt)> = both.iter().map(|(n, x)| (*n, x)).collect();
    all.extend(change.iter().map(|(n, x)| (n + 1, x)));
    order::sort_by_key(&mut all, |(n, _)| *n);
    for (n, x) in all {
        let next = shared.gcd(x);
        if next.bits() < LONG {
            return if shared.bits() < LONG { (1.into(), usize::MAX) } else { (shared, n) };
        }
        shared = next;
    }
    (shared, usize::MAX)
}
