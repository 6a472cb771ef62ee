//! Probabilities as fractions over common denominators, while they are cheap enough.

use super::Precision;
use super::cycles::MOST;
use super::graph::Graph;
use super::num::{Num, Width};
use super::solve::{Component, Flow};
use grognard_base::value::Fraction;
use grognard_base::{Limit, Meter};
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Maximum number of denominators that are searched linearly.
const FEW: usize = 8;

/// Size of a denominator in bytes up to which fractions are always cheap.
const SHORT: usize = 128;

/// Operations on 64-bit words after which fractions are not cheap any more.
const CHEAP: u64 = 1 << 22;

/// Interned denominators, with cached products and common multiples.
#[derive(Default)]
pub(super) struct Wholes {
    list: Vec<Num>,
    /// The indices of the denominators, once the list is long.
    known: FxHashMap<BigUint, u32>,
    /// The last product.
    last: Option<((u32, u64), u32)>,
    products: FxHashMap<(u32, u64), u32>,
    joins: FxHashMap<(u32, u32), (u32, Num, Num)>,
    /// Operations on 64-bit words that were not charged yet.
    cost: u64,
}

impl Wholes {
    fn number(&mut self, whole: Num) -> u32 {
        if self.list.len() < FEW {
            let known = self.list.iter().position(|known| *known == whole);
            return known.unwrap_or_else(|| {
                self.list.push(whole);
                self.list.len() - 1
            }) as u32;
        }
        if self.known.is_empty() {
            self.known = self.list.iter().map(Num::big).zip(0..).collect();
        }
        *self.known.entry(whole.big()).or_insert_with(|| {
            self.list.push(whole);
            self.list.len() as u32 - 1
        })
    }

    fn product(&mut self, a: u32, b: &Num) -> u32 {
        let Num::Narrow(small) = b else {
            let product = self.list[a as usize].mul(b);
            return self.number(product);
        };
        let factors = (a, *small);
        if let Some((known, n)) = self.last {
            if known == factors {
                return n;
            }
            self.products.insert(known, n);
        }
        let n = match self.products.get(&factors) {
            Some(known) => *known,
            None => {
                let product = self.list[a as usize].mul(b);
                self.number(product)
            }
        };
        self.last = Some((factors, n));
        n
    }

    /// Returns the least common multiple, and the factor of each side.
    fn join(&mut self, a: u32, b: u32) -> (u32, Num, Num) {
        if a == b {
            return (a, Num::Narrow(1), Num::Narrow(1));
        }
        if let Some(known) = self.joins.get(&(a, b)) {
            return known.clone();
        }
        let (x, y) = (self.list[a as usize].clone(), self.list[b as usize].clone());
        let (joint, first, second) = x.join(&y);
        // The division by a factor of one word is linear, and a common divisor is quadratic.
        let words = [&x, &y].map(|whole| 1 + whole.bytes() as u64 / 8);
        let short = matches!((&first, &second), (Num::Narrow(_), Num::Narrow(_)));
        self.cost += if short { words[0] + words[1] } else { words[0] * words[1] };
        let found = (self.number(joint), first, second);
        self.joins.insert((a, b), found.clone());
        found
    }

    pub fn fraction(&self, (num, whole): &(Num, u32)) -> Fraction {
        Fraction::of(num.big(), self.list[*whole as usize].big())
    }

    /// Returns the least common multiple of denominators.
    fn joint(&mut self, wholes: impl Iterator<Item = u32>) -> u32 {
        let one = self.number(Num::Narrow(1));
        wholes.fold(one, |joint, whole| self.join(joint, whole).0)
    }

    /// Returns the numerators of fractions over one denominator, and the denominator.
    pub fn over_one<'m>(&mut self, masses: impl Iterator<Item = &'m (Num, u32)> + Clone) -> (Vec<BigUint>, BigUint) {
        let whole = self.joint(masses.clone().map(|(_, own)| *own));
        let number = |(num, own): &(Num, u32)| {
            if *own == whole { num.big() } else { num.mul(&self.join(whole, *own).2).into_big() }
        };
        let numbers = masses.map(number).collect();
        (numbers, self.list[whole as usize].big())
    }

    /// Returns a sum of fractions, each times a number, divided by another.
    pub fn sum<'m>(&mut self, terms: impl Iterator<Item = (&'m (Num, u32), &'m BigInt, &'m Num)>) -> Fraction {
        let mut sums: FxHashMap<u32, BigInt> = FxHashMap::default();
        for ((num, whole), times, over) in terms {
            *sums.entry(self.product(*whole, over)).or_default() += BigInt::from(num.big()) * times;
        }
        let mut wholes: Vec<u32> = sums.keys().copied().collect();
        wholes.sort_unstable();
        let whole = self.joint(wholes.iter().copied());
        let sum: BigInt = wholes.iter().map(|own| &sums[own] * BigInt::from(self.join(whole, *own).2.into_big())).sum();
        Fraction::new(sum, self.list[whole as usize].big())
    }
}

/// Incoming probabilities of each node before its turn, mostly over one denominator.
pub(super) struct Exact {
    wholes: Wholes,
    waiting: Vec<Option<(u32, Num)>>,
    more: FxHashMap<usize, Vec<(u32, Num)>>,
    meter: Rc<Meter>,
    width: Width,
    /// Buffer for products.
    product: Num,
    /// Operations on words that are left before fractions are too expensive.
    left: u64,
    /// Memory that was charged.
    held: usize,
    precision: Precision,
}

impl Exact {
    pub fn new(graph: &Graph<'_>, precision: Precision) -> Exact {
        let left = match precision {
            // Fractions are not worth much for a policy that was found in bounds.
            _ if graph.enclosure.is_some() => 0,
            Precision::Fractions if !graph.cut_short() => u64::MAX,
            Precision::Fractions | Precision::Quick | Precision::Proven => CHEAP,
        };
        Exact {
            wholes: Wholes::default(),
            waiting: vec![None; graph.nodes.len() + 3],
            more: FxHashMap::default(),
            meter: Rc::clone(&graph.splitter.meter),
            width: graph.options.width,
            product: Num::Narrow(0),
            left,
            held: 0,
            precision,
        }
    }

    /// Returns the denominators at the end of the flow. Their memory stays charged.
    pub fn finish(mut self) -> Wholes {
        self.held = 0;
        std::mem::take(&mut self.wholes)
    }

    /// Adds a product. Large numbers use a common buffer instead of an allocation.
    fn add_product(&mut self, to: usize, whole: u32, num: &Num, weight: Num) {
        self.wholes.cost += 1 + num.bytes() as u64 / 8;
        if num.is_one() {
            return self.add_to(to, whole, weight);
        }
        match (&mut self.waiting[to], num, &weight) {
            (Some((known, Num::Big(sum))), Num::Big(_), Num::Narrow(by)) if *known == whole => {
                self.product.clone_from(num);
                self.product.times(*by);
                if let Num::Big(product) = &self.product {
                    *sum += product;
                }
            }
            _ => self.add_to(to, whole, num.mul(&weight)),
        }
    }

    fn add_to(&mut self, to: usize, whole: u32, num: Num) {
        match &mut self.waiting[to] {
            None => self.waiting[to] = Some((whole, num)),
            Some((known, sum)) if *known == whole => sum.add(&num),
            Some(_) => {
                let more = self.more.entry(to).or_default();
                match more.iter_mut().find(|(known, _)| *known == whole) {
                    Some((_, sum)) => sum.add(&num),
                    None => more.push((whole, num)),
                }
            }
        }
    }
}

impl Drop for Exact {
    fn drop(&mut self) {
        self.meter.free(self.held);
    }
}

impl Flow for Exact {
    type Mass = (Num, u32);
    type Parted = (Num, u32);

    fn zero(&mut self) -> (Num, u32) {
        (Num::Narrow(0), self.wholes.number(Num::Narrow(1)))
    }

    fn one(&mut self) -> (Num, u32) {
        (Num::one(self.width), self.wholes.number(Num::Narrow(1)))
    }

    fn is_zero((num, _): &(Num, u32)) -> bool {
        num.is_zero()
    }

    fn times(&mut self, (mass, whole): &(Num, u32), num: &Num, den: &Num) -> (Num, u32) {
        (mass.mul(num), self.wholes.product(*whole, den))
    }

    fn add(&mut self, to: usize, (num, whole): &(Num, u32)) {
        self.add_to(to, *whole, num.clone());
    }

    fn part(&mut self, (num, own): &(Num, u32), whole: &Num) -> (Num, u32) {
        (num.clone(), self.wholes.product(*own, whole))
    }

    fn send(&mut self, to: usize, (num, whole): &(Num, u32), weight: Num) {
        self.add_product(to, *whole, num, weight);
    }

    fn take(&mut self, node: usize) -> (Num, u32) {
        let Some((mut all, mut sum)) = self.waiting[node].take() else { return self.zero() };
        let more = if self.more.is_empty() { None } else { self.more.remove(&node) };
        for (whole, num) in more.into_iter().flatten() {
            let (joint, a, b) = self.wholes.join(all, whole);
            if !a.is_one() {
                sum = sum.mul(&a);
            }
            sum.add(&num.mul(&b));
            all = joint;
        }
        (sum, all)
    }

    fn affords(&mut self, (_, whole): &(Num, u32)) -> bool {
        let bytes = self.wholes.list[*whole as usize].bytes();
        let cost = std::mem::take(&mut self.wholes.cost);
        let goes_on = self.meter.words(cost);
        self.left = self.left.saturating_sub(cost);
        if bytes <= SHORT {
            return true;
        }
        // The number with its denominator, and the cached factors to common multiples.
        let room = self.meter.hold(4 * bytes);
        self.held += if room { 4 * bytes } else { 0 };
        if !(room && goes_on) && self.left > 0 && self.precision == Precision::Fractions {
            self.meter.note(Limit::Memory);
        }
        room && goes_on && self.left > 0
    }

    fn solve(&mut self, component: &Component<'_>, entered: Vec<(Num, u32)>) -> Option<Vec<(Num, u32)>> {
        if component.rows.len() > MOST {
            return None;
        }
        let ratio = |weight: &Num, whole: &Num| Fraction::of(weight.big(), whole.big());
        let solved = component.chain(ratio).solve(&self.meter, &mut self.left)?;
        let visits = solved.visits(entered.iter().map(|mass| self.wholes.fraction(mass)).collect());
        let visits = visits.iter().map(|visits| {
            let whole = self.wholes.number(Num::Big(visits.den().clone()));
            (Num::Big(visits.num().magnitude().clone()), whole)
        });
        let visits: Vec<(Num, u32)> = visits.collect();
        if !visits.iter().all(|visits| self.affords(visits)) {
            return None;
        }
        self.leave(component, &visits);
        Some(visits)
    }
}
