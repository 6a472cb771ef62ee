//! The sweep: visits the faces of all groups of dice in order, and folds expressions over the number of dice that show each face.
//!
//! The algorithm is that of icepool's multiset evaluator (A. J. Liu, *Icepool: Efficient Computation of Dice Pool Probabilities*,
//! AIIDE 2022). The state is what is left of the expressions: after each face, what the dice so far decide is replaced by its value,
//! and states with equal rests are merged.

use super::super::num::{Binomials, Num, Width};
use super::expr::{Exprs, FACE, Id, LAST, Node};
use super::sources::Chain;
use grognard_base::order;
use grognard_base::value::*;
use grognard_base::{Budget, Meter};
use grognard_program::Reg;
use grognard_vm::Die;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Word operations for each step, without its weights.
const STEP: u64 = 24;
/// Share of the budget of work that one sweep can take.
const SHARE: u64 = 8;
/// Maximum number of states after a step.
const MOST_STATES: usize = 1 << 18;

/// Like dice of one pool.
pub struct Group {
    /// The number of dice.
    pub dice: usize,
    /// The faces in ascending order, each with its weight.
    pub faces: Vec<(i64, Num)>,
    /// The kind of the dice, unless their faces are known.
    pub die: Option<Die>,
    /// If the dice explode, what follows them. `faces` are those of the first dice.
    pub chain: Option<Rc<Chain>>,
}

/// Values with their weights, and the sum of the weights.
pub type Results = (Vec<(Vec<i64>, Num)>, Num);

/// The numbers of dice left in each group, and after them the rests of the expressions.
type Key = SmallVec<[u32; 12]>;

/// The states after a step, with their weights.
#[derive(Default)]
struct States {
    list: Vec<(Key, Num)>,
    index: FxHashMap<Key, usize>,
}

impl States {
    /// Adds a state, or its weight to the equal one.
    fn add(&mut self, key: Key, weight: Num) {
        match self.index.entry(key) {
            Entry::Occupied(entry) => self.list[*entry.get()].1.add(&weight),
            Entry::Vacant(entry) => {
                self.list.push((entry.key().clone(), weight));
                entry.insert(self.list.len() - 1);
            }
        }
    }
}

/// Bounds of an expression.
pub type Range = (i64, i64);
pub const ANY: Range = (i64::MIN, i64::MAX);

/// The state at one place of the sweep, with caches for this place.
pub struct Sweep<'s> {
    pub exprs: &'s mut Exprs,
    groups: &'s [Group],
    /// The numbers of dice left in each group.
    left: Key,
    /// The remaining faces of each group, as indexes: from the first up to the second, exclusive.
    faces: Vec<(usize, usize)>,
    /// The face that dice of a group show: the group, the face, and the number of dice.
    now: Option<(u16, i64, i64)>,
    /// The ranges of the faces that enclosing sums visit, by depth.
    pub visited: [Range; FACE as usize + 1],
    /// The bounds of registers at the start of a round.
    pub old: Vec<(Reg, Range)>,
    /// The place in the sweep, as a number. What is stored with another number is void.
    time: u32,
    stepped: Vec<(u32, Id)>,
    ranges: Vec<(u32, Range)>,
    terms_of: Vec<Vec<(i64, Id)>>,
    /// The ranges of the terms of sums over the faces that are left.
    terms: FxHashMap<(Id, u16, usize, usize), Range>,
    /// Whether an expression cannot be folded in this order.
    stuck: bool,
}

impl<'s> Sweep<'s> {
    /// Begins a sweep: no face is visited yet.
    pub fn new(exprs: &'s mut Exprs, groups: &'s [Group]) -> Self {
        Sweep {
            exprs,
            groups,
            left: groups.iter().map(|group| group.dice as u32).collect(),
            faces: groups.iter().map(|group| (0, group.faces.len())).collect(),
            now: None,
            visited: [ANY; FACE as usize + 1],
            old: Vec::new(),
            time: 1,
            stepped: Vec::new(),
            ranges: Vec::new(),
            terms_of: Vec::new(),
            terms: FxHashMap::default(),
            stuck: false,
        }
    }

    /// Simplifies an expression by the bounds of the dice before the first face.
    pub fn simplified(&mut self, id: Id) -> Id {
        self.step(id)
    }

    /// Returns what is left of an expression after dice of a group show a face.
    fn step(&mut self, id: Id) -> Id {
        if self.exprs.contents(id).dice == 0 {
            return id;
        }
        if let Some((time, known)) = self.stepped.get(id as usize)
            && *time == self.time
        {
            return *known;
        }
        if let Node::Linear(sum, terms) = self.exprs.node(id) {
            let (sum, n) = (*sum, terms.len());
            let mut all = self.terms_of.pop().unwrap_or_default();
            for at in 0..n {
                let Node::Linear(_, terms) = self.exprs.node(id) else { break };
                let (factor, term) = terms[at];
                all.push((factor, self.step(term)));
            }
            let found = self.exprs.combined(sum, &mut all);
            self.terms_of.push(all);
            return self.store(id, found);
        }
        let found = match self.exprs.node(id).clone() {
            Node::Known(_) | Node::Bad | Node::Face(_) | Node::Old(_) | Node::Linear(..) => id,
            Node::Op(op, a, b) => {
                let (a, b) = (self.step(a), self.step(b));
                let found = self.exprs.op(op, a, b);
                self.decided(found)
            }
            Node::If(test, a, b) => {
                let test = self.step(test);
                match self.exprs.value(test) {
                    Some(0) => self.step(b),
                    Some(_) => self.step(a),
                    None => {
                        let (a, b) = (self.step(a), self.step(b));
                        self.exprs.choose(test, a, b)
                    }
                }
            }
            Node::Sum { group, depth, each } => self.step_sum(group, depth, each),
            Node::Rank { pool, nth, high } => self.step_rank(pool, nth, high),
        };
        self.store(id, found)
    }

    /// Keeps a result. What depends on the face that an enclosing sum visits is not kept.
    fn store(&mut self, id: Id, found: Id) -> Id {
        if self.exprs.contents(id).faces != 0 {
            return found;
        }
        if self.stepped.len() <= id as usize {
            self.stepped.resize(id as usize + 1, (0, 0));
        }
        self.stepped[id as usize] = (self.time, found);
        found
    }

    fn step_sum(&mut self, group: u16, depth: u8, each: Id) -> Id {
        let (from, to) = self.faces[group as usize];
        let remaining = &self.groups[group as usize].faces[from..to];
        let mut visits = match remaining {
            [first, .., last] | [first @ last] => (first.0, last.0),
            [] => (i64::MAX, i64::MIN),
        };
        if let Some((own, face, _)) = self.now
            && own == group
        {
            visits = (visits.0.min(face), visits.1.max(face));
        }
        let before = std::mem::replace(&mut self.visited[depth as usize], visits);
        let each = self.step(each);
        self.visited[depth as usize] = before;
        if self.groups[group as usize].chain.is_some() {
            return self.exprs.sum(group, depth, each);
        }
        let mut found = self.exprs.known(0);
        if let Some((own, face, dice)) = self.now
            && own == group
            && dice > 0
        {
            let face = self.exprs.known(face);
            let shown = self.exprs.replace(each, &[(Node::Face(depth), face)]);
            let shown = self.settled(shown);
            found = self.exprs.plus(found, dice, shown);
        }
        let left = i64::from(self.left[group as usize]);
        if left == 0 {
            return found;
        }
        let (low, high) = self.term(group, depth, each);
        let rest = if low == high { self.exprs.known(low) } else { self.exprs.sum(group, depth, each) };
        self.exprs.plus(found, if low == high { left } else { 1 }, rest)
    }

    fn step_rank(&mut self, pool: u32, nth: u32, high: bool) -> Id {
        let mut members = self.exprs.pool(pool).to_vec();
        let mut nth = i64::from(nth);
        let mut size = 0;
        for (group, filter) in &mut members {
            *filter = self.step(*filter);
            if let Some((own, face, dice)) = self.now
                && own == *group
                && dice > 0
            {
                let cell = self.exprs.known(face);
                let shown = self.exprs.replace(*filter, &[(Node::Face(FACE), cell)]);
                let Some(shown) = self.exprs.value(shown) else {
                    self.stuck = true;
                    return self.exprs.bad();
                };
                if shown != 0 {
                    if nth <= dice {
                        return self.exprs.known(face);
                    }
                    nth -= dice;
                }
            }
            size += i64::from(self.left[*group as usize]);
        }
        members.retain(|(group, _)| self.left[*group as usize] > 0);
        if size < nth {
            return self.exprs.known(NONE);
        }
        self.exprs.rank(&members, nth as u32, high)
    }

    /// Returns the result of a comparison that the bounds of its sides decide, or the comparison.
    fn decided(&mut self, id: Id) -> Id {
        match self.range(id) {
            (low, high) if low == high => self.exprs.known(low),
            _ => id,
        }
    }

    /// Decides comparisons with the faces that enclosing sums visit.
    fn settled(&mut self, id: Id) -> Id {
        if self.exprs.contents(id).faces == 0 {
            return id;
        }
        match self.exprs.node(id).clone() {
            Node::Op(..) => self.decided(id),
            Node::If(test, a, b) => {
                let test = self.settled(test);
                let (a, b) = (self.settled(a), self.settled(b));
                self.exprs.choose(test, a, b)
            }
            _ => id,
        }
    }

    /// Returns bounds of an expression over all that the remaining dice can show.
    pub fn range(&mut self, id: Id) -> Range {
        let own = self.exprs.contents(id);
        if let Some((time, known)) = self.ranges.get(id as usize)
            && *time == self.time
        {
            return *known;
        }
        let found = match self.exprs.node(id).clone() {
            Node::Known(value) => return (value, value),
            Node::Bad => ANY,
            Node::Old(reg) => self.old.iter().find(|(own, _)| *own == reg).map_or(ANY, |(_, range)| *range),
            Node::Face(depth) => self.visited[depth as usize],
            Node::Linear(sum, terms) => terms.iter().fold((sum, sum), |(low, high), (factor, term)| {
                let (from, to) = self.range(*term);
                if from == i64::MIN || to == i64::MAX {
                    return ANY;
                }
                let (from, to) = if *factor < 0 { (to, from) } else { (from, to) };
                let more = (from.saturating_mul(*factor), to.saturating_mul(*factor));
                (low.saturating_add(more.0), high.saturating_add(more.1))
            }),
            Node::Op(op, a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                match op {
                    Op::Lt if a.1 < b.0 => (1, 1),
                    Op::Lt if a.0 >= b.1 => (0, 0),
                    Op::Eq if a.1 < b.0 || a.0 > b.1 => (0, 0),
                    Op::Eq if a.0 == a.1 && a == b => (1, 1),
                    Op::Lt | Op::Eq => (0, 1),
                    Op::Min => (a.0.min(b.0), a.1.min(b.1)),
                    Op::Max => (a.0.max(b.0), a.1.max(b.1)),
                    _ => ANY,
                }
            }
            Node::If(test, a, b) => match self.range(test) {
                (0, 0) => self.range(b),
                (1, 1) => self.range(a),
                _ => {
                    let (a, b) = (self.range(a), self.range(b));
                    (a.0.min(b.0), a.1.max(b.1))
                }
            },
            Node::Sum { group, .. } if self.groups[group as usize].chain.is_some() => ANY,
            Node::Sum { group, depth, each } => {
                let (low, high) = self.term(group, depth, each);
                let left = i64::from(self.left[group as usize]);
                (low.saturating_mul(left), high.saturating_mul(left))
            }
            Node::Rank { pool, nth, .. } => self.rank_range(pool, nth),
        };
        if own.faces == 0 {
            if self.ranges.len() <= id as usize {
                self.ranges.resize(id as usize + 1, (0, ANY));
            }
            self.ranges[id as usize] = (self.time, found);
        }
        found
    }

    /// Returns the bounds of a term of a sum over the remaining faces of a group.
    fn term(&mut self, group: u16, depth: u8, each: Id) -> Range {
        let (from, to) = self.faces[group as usize];
        let faces = &self.groups[group as usize].faces[from..to];
        let (Some(first), Some(last)) = (faces.first(), faces.last()) else { return (0, 0) };
        let own = self.exprs.contents(each);
        if matches!(self.exprs.node(each), Node::Face(own) if *own == depth) {
            return (first.0, last.0);
        }
        if own.faces == 0 && own.dice == 0 {
            return self.range(each);
        }
        if own.dice != 0 || own.faces != 1 << depth {
            let before = std::mem::replace(&mut self.visited[depth as usize], (first.0, last.0));
            let range = self.range(each);
            self.visited[depth as usize] = before;
            return range;
        }
        let key = (each, group, from, to);
        if let Some(known) = self.terms.get(&key) {
            return *known;
        }
        let mut range: Option<Range> = None;
        for (face, _) in faces {
            let face = self.exprs.known(*face);
            let value = self.exprs.replace(each, &[(Node::Face(depth), face)]);
            range = match (self.exprs.value(value), range) {
                (Some(value), Some((low, high))) => Some((low.min(value), high.max(value))),
                (Some(value), None) => Some((value, value)),
                (None, _) => Some(ANY),
            };
        }
        let range = range.unwrap_or(ANY);
        self.terms.insert(key, range);
        range
    }

    fn rank_range(&mut self, pool: u32, nth: u32) -> Range {
        let (mut low, mut high, mut sure) = (i64::MAX, i64::MIN, 0);
        for (group, filter) in self.exprs.pool(pool) {
            let (from, to) = self.faces[*group as usize];
            let left = self.left[*group as usize];
            if let ([first, .., last] | [first @ last], true) =
                (&self.groups[*group as usize].faces[from..to], left > 0)
            {
                (low, high) = (low.min(first.0), high.max(last.0));
                sure += if self.exprs.value(*filter) == Some(1) { left } else { 0 };
            }
        }
        if sure >= nth { (low, high) } else { (NONE, high) }
    }

    /// Moves to a place of the sweep. What was computed for another place is forgotten.
    fn go(&mut self, left: &[u32], now: Option<(u16, i64, i64)>) {
        self.left.clear();
        self.left.extend_from_slice(left);
        self.now = now;
        self.time += 1;
    }

    /// Returns the distribution of expressions over all dice, or `None` if it takes too many steps or another order.
    pub fn fold(mut self, roots: &[Id], width: Width, ways: &mut Binomials, meter: &Meter) -> Option<Results> {
        let down = self.order(roots)?;
        let sorted = self.together(roots);
        let size = self.groups.len();
        let mut left: Key = self.groups.iter().map(|group| group.dice as u32).collect();
        let placed: Vec<Id> = roots.iter().map(|root| self.placed(*root, down)).collect();
        self.go(&left.clone(), None);
        let mut steps: Vec<(bool, i64, u16, usize)> = Vec::new();
        for (n, group) in self.groups.iter().enumerate() {
            for (at, (face, _)) in group.faces.iter().enumerate() {
                let order = match (sorted[n], down) {
                    (true, true) => face.checked_neg()?,
                    (true, false) => *face,
                    (false, _) => n as i64,
                };
                steps.push((!sorted[n], order, n as u16, at));
            }
        }
        order::sort_by_key(&mut steps, |(last, order, group, at)| {
            (*last, *order, *group, if down { usize::MAX - at } else { *at })
        });
        let most = meter.budget().work / SHARE * Budget::WORDS;
        let (mut spent, mut whole) = (0u64, Num::one(width));
        let mut start = left.clone();
        for root in placed {
            start.push(self.step(root));
        }
        // States without dice are done.
        let mut done = States::default();
        let start = self.state(start, Num::one(width));
        let mut states = vec![start];
        for (_, _, group, at) in steps {
            let n = group as usize;
            let (face, sides) = self.groups[n].faces[at].clone();
            let (from, to) = self.faces[n];
            self.faces[n] = if down { (from, to - 1) } else { (from + 1, to) };
            let mut powers = vec![Num::Narrow(1)];
            (0..self.groups[n].dice).for_each(|dice| powers.push(powers[dice].mul(&sides)));
            let mut next = States::default();
            let idle = |state: &mut (Key, Num)| state.0[n] == 0;
            states.extract_if(.., idle).for_each(|(key, weight)| next.add(key, weight));
            states.sort_by(|a, b| a.0[..size].cmp(&b.0[..size]));
            for same in states.chunk_by(|a, b| a.0[..size] == b.0[..size]) {
                left.clear();
                left.extend_from_slice(&same[0].0[..size]);
                let have = left[n];
                for dice in if to - from == 1 { have } else { 0 }..=have {
                    left[n] = have - dice;
                    self.go(&left, Some((group, face, i64::from(dice))));
                    let factor = ways.row(have as usize)[dice as usize].mul(&powers[dice as usize]);
                    for (key, weight) in same {
                        let mut to = left.clone();
                        key[size..].iter().for_each(|rest| to.push(self.step(*rest)));
                        let (key, weight) = self.state(to, weight.mul(&factor));
                        let words = STEP + 2 * weight.bytes() as u64 / 8;
                        spent += words;
                        if spent > most || !meter.words(words) || self.stuck || self.exprs.full() {
                            return None;
                        }
                        if key[..size].iter().all(|dice| *dice == 0) { &mut done } else { &mut next }.add(key, weight);
                    }
                }
            }
            if next.list.len() > MOST_STATES {
                return None;
            }
            states = next.list;
        }
        for group in self.groups {
            whole = whole.mul(&total(&group.faces).pow(group.dice));
        }
        let value = |id: &Id| self.exprs.value(*id);
        let mut list: Vec<(Vec<i64>, Num)> = Vec::with_capacity(states.len());
        for (key, weight) in states.into_iter().chain(done.list) {
            list.push((key[size..].iter().map(value).collect::<Option<_>>()?, weight));
        }
        order::sort_by(&mut list, |a, b| a.0.cmp(&b.0));
        Some((list, whole))
    }

    /// Returns a state without the dice that nothing reads any more: they can show any of their remaining faces.
    fn state(&self, mut key: Key, mut weight: Num) -> (Key, Num) {
        let (left, rests) = key.split_at_mut(self.groups.len());
        let read = rests.iter().fold(0, |all, rest| all | self.exprs.contents(*rest).dice);
        for (n, dice) in left.iter_mut().enumerate() {
            if *dice > 0 && read >> n.min(usize::from(LAST)) & 1 == 0 {
                let (from, to) = self.faces[n];
                weight = weight.mul(&total(&self.groups[n].faces[from..to]).pow(*dice as usize));
                *dice = 0;
            }
        }
        (key, weight)
    }

    /// Returns whether faces are visited from the highest down, or `None` if no order suits all places.
    fn order(&self, roots: &[Id]) -> Option<bool> {
        let (mut high, mut low) = (false, false);
        self.every(roots, &mut |sweep, id| {
            if let Node::Rank { pool, high: from_high, .. } = sweep.exprs.node(id)
                && sweep.size(*pool).is_none()
            {
                high |= from_high;
                low |= !from_high;
            }
        });
        (!(high && low)).then_some(!low)
    }

    /// Returns the number of dice of a pool without filters.
    fn size(&self, pool: u32) -> Option<u32> {
        let members = self.exprs.pool(pool).iter();
        members
            .map(|(group, filter)| {
                (self.exprs.value(*filter) == Some(1)).then(|| self.groups[*group as usize].dice as u32)
            })
            .sum()
    }

    /// Returns for each group whether its faces must be visited together with those of other groups.
    fn together(&self, roots: &[Id]) -> Vec<bool> {
        let mut found = vec![false; self.groups.len()];
        self.every(roots, &mut |sweep, id| {
            let all = sweep.exprs.contents(id).dice;
            let joins = match sweep.exprs.node(id) {
                Node::Rank { .. } => true,
                Node::Sum { each, .. } => sweep.exprs.contents(*each).dice != 0,
                _ => false,
            };
            let groups = found.iter_mut().enumerate().filter(|(n, _)| all >> n.min(&usize::from(LAST)) & 1 == 1);
            groups.for_each(|(_, together)| *together |= joins);
        });
        found
    }

    /// Calls `f` for every node that reads dice.
    fn every(&self, roots: &[Id], f: &mut dyn FnMut(&Self, Id)) {
        let (mut open, mut met) = (roots.to_vec(), rustc_hash::FxHashSet::default());
        while let Some(id) = open.pop() {
            if self.exprs.contents(id).dice == 0 || !met.insert(id) {
                continue;
            }
            f(self, id);
            self.exprs.parts(id, &mut open);
        }
    }

    /// Counts the places of all sorted pools from the end that is visited first.
    fn placed(&mut self, id: Id, down: bool) -> Id {
        let mut with: Vec<(Id, Id)> = Vec::new();
        let mut turned: Vec<(Id, u32, u32)> = Vec::new();
        self.every(&[id], &mut |sweep, id| {
            if let Node::Rank { pool, nth, high } = sweep.exprs.node(id)
                && *high != down
                && let Some(size) = sweep.size(*pool)
            {
                turned.push((id, *pool, (size + 1).saturating_sub(*nth)));
            }
        });
        for (id, pool, nth) in turned {
            let members = self.exprs.pool(pool).to_vec();
            let to = if nth == 0 { self.exprs.known(NONE) } else { self.exprs.rank(&members, nth, down) };
            with.push((id, to));
        }
        self.time += 1;
        self.now = None;
        for (id, to) in with {
            self.store(id, to);
        }
        self.step(id)
    }
}

/// Returns the sum of the weights of faces.
fn total(faces: &[(i64, Num)]) -> Num {
    let mut all = Num::Narrow(0);
    faces.iter().for_each(|(_, weight)| all.add(weight));
    all
}
