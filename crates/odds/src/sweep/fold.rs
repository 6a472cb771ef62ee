//! The sweep: visits the faces of all groups of dice in order, and folds expressions over the number of dice that show each face.
//!
//! The algorithm is that of icepool's multiset evaluator (A. J. Liu, *Icepool: Efficient Computation of Dice Pool Probabilities*,
//! AIIDE 2022). The state is what is left of the expressions: after each face, what the dice so far decide is replaced by its value,
//! and states with equal rests are merged.

use super::super::num::{Binomials, Num, Width};
use super::expr::{Exprs, FACE, Id, LAST, Node};
use grognard_base::{Budget, Meter};
use grognard_base::value::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;

/// Word operations for each step, without its weights.
const STEP: u64 = 24;
/// Share of the budget of work that one sweep can take.
const SHARE: u64 = 4;
/// Maximum number of states after a step.
const MOST_STATES: usize = 1 << 18;

/// Like dice of one pool.
pub struct Group {
    /// The number of dice.
    pub dice: usize,
    /// The faces in ascending order, each with its number of sides.
    pub faces: Vec<(i64, u64)>,
}

/// Values with their weights, and the sum of the weights.
pub type Results = (Vec<(Vec<i64>, Num)>, Num);

/// The numbers of dice left in each group.
type Left = SmallVec<[u32; 8]>;
/// The rests of the expressions.
type Rests = SmallVec<[Id; 4]>;

/// A state of the sweep.
#[derive(Clone)]
struct State {
    left: Left,
    rests: Rests,
    weight: Num,
}

/// The states after a step.
#[derive(Default)]
struct States {
    list: Vec<State>,
    index: FxHashMap<(Left, Rests), usize>,
}

impl States {
    /// Adds a state, or its weight to the equal one.
    fn add(&mut self, state: State) {
        match self.index.entry((state.left.clone(), state.rests.clone())) {
            Entry::Occupied(entry) => self.list[*entry.get()].weight.add(&state.weight),
            Entry::Vacant(entry) => {
                entry.insert(self.list.len());
                self.list.push(state);
            }
        }
    }
}

/// Bounds of an expression.
type Range = (i64, i64);
const ANY: Range = (i64::MIN, i64::MAX);

/// What is known at a place of the sweep.
pub struct Sweep<'s> {
    pub exprs: &'s mut Exprs,
    groups: &'s [Group],
    /// The numbers of dice left in each group.
    left: Left,
    /// The remaining faces of each group, as indexes: from the first up to the second, exclusive.
    faces: Vec<(usize, usize)>,
    /// The face that dice of a group show: the group, the face, and the number of dice.
    now: Option<(u16, i64, i64)>,
    /// The ranges of the faces that enclosing sums visit, by depth.
    visited: [Range; FACE as usize + 1],
    stepped: FxHashMap<Id, Id>,
    ranges: FxHashMap<Id, Range>,
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
            stepped: FxHashMap::default(),
            ranges: FxHashMap::default(),
            terms: FxHashMap::default(),
            stuck: false,
        }
    }

    /// Simplifies an expression by what is known before the first face.
    pub fn simplified(&mut self, id: Id) -> Id {
        self.step(id)
    }

    /// Returns what is left of an expression after dice of a group show a face.
    fn step(&mut self, id: Id) -> Id {
        if self.exprs.contents(id).dice == 0 {
            return id;
        }
        if let Some(known) = self.stepped.get(&id) {
            return *known;
        }
        let found = match self.exprs.node(id).clone() {
            Node::Known(_) | Node::Bad | Node::Face(_) | Node::Old(_) => id,
            Node::Linear(sum, terms) => {
                let mut all = self.exprs.known(sum);
                for (factor, term) in terms {
                    let term = self.step(term);
                    all = self.exprs.plus(all, factor, term);
                }
                all
            }
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
        self.stepped.insert(id, found);
        found
    }

    fn step_sum(&mut self, group: u16, depth: u8, each: Id) -> Id {
        let each = self.step(each);
        let mut found = self.exprs.known(0);
        if let Some((own, face, dice)) = self.now
            && own == group
            && dice > 0
        {
            let face = self.exprs.known(face);
            let shown = self.exprs.replace(each, &[(Node::Face(depth), face)]);
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

    /// Returns bounds of an expression over all that the remaining dice can show.
    fn range(&mut self, id: Id) -> Range {
        let own = self.exprs.contents(id);
        if let Some(known) = self.ranges.get(&id) {
            return *known;
        }
        let found = match self.exprs.node(id).clone() {
            Node::Known(value) => (value, value),
            Node::Bad | Node::Old(_) => ANY,
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
            Node::If(_, a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Node::Sum { group, depth, each } => {
                let (low, high) = self.term(group, depth, each);
                let left = i64::from(self.left[group as usize]);
                (low.saturating_mul(left), high.saturating_mul(left))
            }
            Node::Rank { pool, nth, .. } => self.rank_range(pool, nth),
        };
        if own.faces == 0 {
            self.ranges.insert(id, found);
        }
        found
    }

    /// Returns the bounds of a term of a sum over the remaining faces of a group.
    fn term(&mut self, group: u16, depth: u8, each: Id) -> Range {
        let (from, to) = self.faces[group as usize];
        let faces = &self.groups[group as usize].faces[from..to];
        let (Some(first), Some(last)) = (faces.first(), faces.last()) else { return (0, 0) };
        let own = self.exprs.contents(each);
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
            if let ([first, .., last] | [first @ last], true) = (&self.groups[*group as usize].faces[from..to], left > 0) {
                (low, high) = (low.min(first.0), high.max(last.0));
                sure += if self.exprs.value(*filter) == Some(1) { left } else { 0 };
            }
        }
        if sure >= nth { (low, high) } else { (NONE, high) }
    }

    /// Moves to a place of the sweep. What was computed for another place is forgotten.
    fn go(&mut self, left: &Left, now: Option<(u16, i64, i64)>) {
        self.left.clone_from(left);
        self.now = now;
        self.stepped.clear();
        self.ranges.clear();
    }

    /// Returns the distribution of expressions over all dice, or `None` if it takes too many steps or another order.
    pub fn fold(mut self, roots: &[Id], width: Width, ways: &mut Binomials, meter: &Meter) -> Option<Results> {
        let down = self.order(roots)?;
        let sorted = self.together(roots);
        let mut left: Left = self.groups.iter().map(|group| group.dice as u32).collect();
        let roots: Rests = roots.iter().map(|root| self.placed(*root, down)).collect();
        self.faces = self.groups.iter().map(|group| (0, group.faces.len())).collect();
        self.go(&left.clone(), None);
        let roots: Rests = roots.iter().map(|root| self.step(*root)).collect();
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
        steps.sort_by_key(|(last, order, group, at)| (*last, *order, *group, if down { usize::MAX - at } else { *at }));
        let most = meter.budget().work / SHARE * Budget::WORDS;
        let (mut spent, mut whole) = (0u64, Num::one(width));
        let mut states = vec![self.state(left.clone(), roots, Num::one(width))];
        for (_, _, group, at) in steps {
            let n = group as usize;
            let (face, sides) = self.groups[n].faces[at];
            let (from, to) = self.faces[n];
            self.faces[n] = if down { (from, to - 1) } else { (from + 1, to) };
            let powers = std::iter::successors(Some(Num::Narrow(1)), |power| Some(power.mul(&Num::from(sides))));
            let powers: Vec<Num> = powers.take(self.groups[n].dice + 1).collect();
            states.sort_by(|a, b| a.left.cmp(&b.left));
            let mut next = States::default();
            for same in states.chunk_by(|a, b| a.left == b.left) {
                left.clone_from(&same[0].left);
                let have = left[n];
                if have == 0 {
                    same.iter().for_each(|state| next.add(state.clone()));
                    continue;
                }
                for dice in if to - from == 1 { have } else { 0 }..=have {
                    left[n] = have - dice;
                    self.go(&left, Some((group, face, i64::from(dice))));
                    let factor = ways.row(have as usize)[dice as usize].mul(&powers[dice as usize]);
                    for state in same {
                        let rests = state.rests.iter().map(|rest| self.step(*rest)).collect();
                        let state = self.state(left.clone(), rests, state.weight.mul(&factor));
                        let words = STEP + 2 * state.weight.bytes() as u64 / 8;
                        spent += words;
                        if spent > most || !meter.words(words) || self.stuck || self.exprs.full() {
                            return None;
                        }
                        next.add(state);
                    }
                }
            }
            if next.list.len() > MOST_STATES {
                return None;
            }
            states = next.list;
        }
        for group in self.groups {
            let sides: u64 = group.faces.iter().map(|(_, sides)| sides).sum();
            whole = whole.mul(&Num::from(sides).pow(group.dice));
        }
        let value = |id: &Id| self.exprs.value(*id);
        let mut list: Vec<(Vec<i64>, Num)> = Vec::with_capacity(states.len());
        for state in states {
            list.push((state.rests.iter().map(value).collect::<Option<_>>()?, state.weight));
        }
        list.sort_by(|a, b| a.0.cmp(&b.0));
        Some((list, whole))
    }

    /// Returns a state without the dice that nothing reads any more: they can show any of their remaining faces.
    fn state(&self, mut left: Left, rests: Rests, mut weight: Num) -> State {
        let read = rests.iter().fold(0, |all, rest| all | self.exprs.contents(*rest).dice);
        for (n, dice) in left.iter_mut().enumerate() {
            if *dice > 0 && read >> n.min(usize::from(LAST)) & 1 == 0 {
                let (from, to) = self.faces[n];
                let sides: u64 = self.groups[n].faces[from..to].iter().map(|(_, sides)| sides).sum();
                weight = weight.mul(&Num::from(sides).pow(*dice as usize));
                *dice = 0;
            }
        }
        State { left, rests, weight }
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
        members.map(|(group, filter)| {
            (self.exprs.value(*filter) == Some(1)).then(|| self.groups[*group as usize].dice as u32)
        }).sum()
    }

    /// Returns for each group whether its faces must be visited together with those of other groups.
    fn together(&self, roots: &[Id]) -> Vec<bool> {
        let mut found = vec![false; self.groups.len()];
        self.every(roots, &mut |sweep, id| match sweep.exprs.node(id) {
            Node::Rank { pool, .. } => sweep.exprs.pool(*pool).iter().for_each(|(group, _)| found[*group as usize] = true),
            Node::Sum { group, each, .. } if sweep.exprs.contents(*each).dice != 0 => found[*group as usize] = true,
            _ => {}
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
            match self.exprs.node(id) {
                Node::Known(_) | Node::Bad | Node::Face(_) | Node::Old(_) => {}
                Node::Linear(_, terms) => open.extend(terms.iter().map(|(_, id)| *id)),
                Node::Op(_, a, b) => open.extend([*a, *b]),
                Node::If(test, a, b) => open.extend([*test, *a, *b]),
                Node::Sum { each, .. } => open.push(*each),
                Node::Rank { pool, .. } => open.extend(self.exprs.pool(*pool).iter().map(|(_, filter)| *filter)),
            }
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
        self.stepped.clear();
        self.ranges.clear();
        self.now = None;
        self.stepped.extend(with);
        self.step(id)
    }
}
