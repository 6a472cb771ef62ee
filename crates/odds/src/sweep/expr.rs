//! Expressions over the faces of unseen dice, in a shared normal form.
//!
//! Nodes are numbered and stored once, so equal expressions have equal numbers. Sums are linear forms. Conditions are decision
//! diagrams (Bryant 1986): an [`Node::If`] tests an atomic comparison, and tests are ordered by number along each path.

use grognard_base::order;
use grognard_base::value::*;
use grognard_program::Reg;
use grognard_vm::plain;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The number of an expression.
pub type Id = u32;

/// The variable for the face of a die in the filters and values of a pool.
pub const FACE: u8 = 7;

/// The bit that all groups from this number on share.
pub const LAST: u16 = 63;

/// Maximum number of nodes.
const MOST_NODES: usize = 1 << 20;

/// A node of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Known(i64),
    /// No value: an operation overflowed.
    Bad,
    /// The face of the die that the loop of this depth visits.
    Face(u8),
    /// The value of a register at the start of a round of a loop.
    Old(Reg),
    /// A constant plus multiples of other expressions.
    Linear(i64, Box<[(i64, Id)]>),
    Op(Op, Id, Id),
    /// The second expression if the condition holds, the third otherwise.
    If(Id, Id, Id),
    /// The sum of an expression over the faces of the remaining dice of a group.
    Sum {
        group: u16,
        depth: u8,
        each: Id,
    },
    /// The face at a place of the remaining dice of a pool, from 1, sorted from the highest or from the lowest; `none` if there are
    /// fewer dice.
    Rank {
        pool: u32,
        nth: u32,
        high: bool,
    },
}

/// Dice, faces and registers that an expression reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The groups of unseen dice that it reads, as bits; see [`LAST`].
    pub dice: u64,
    /// The depths of the faces in it, as bits.
    pub faces: u8,
    /// Whether it reads a register at the start of a round.
    pub old: bool,
}

/// Dice of one group that are in a pool if they satisfy a condition on [`FACE`].
pub type Member = (u16, Id);

/// A numbered set of expressions.
#[derive(Default)]
pub struct Exprs {
    nodes: Vec<Node>,
    contents: Vec<Contents>,
    index: FxHashMap<Node, Id>,
    pools: Vec<Box<[Member]>>,
    pool_index: FxHashMap<Box<[Member]>, u32>,
    choices: FxHashMap<(Id, Id, Id), Id>,
}

impl Exprs {
    /// Returns whether there are too many nodes to continue.
    pub fn full(&self) -> bool {
        self.nodes.len() > MOST_NODES
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn contents(&self, id: Id) -> Contents {
        self.contents[id as usize]
    }

    pub fn pool(&self, pool: u32) -> &[Member] {
        &self.pools[pool as usize]
    }

    fn add(&mut self, node: Node) -> Id {
        if let Some(id) = self.index.get(&node) {
            return *id;
        }
        let mut all = Contents::default();
        let mut join = |of: Contents| {
            all.dice |= of.dice;
            all.faces |= of.faces;
            all.old |= of.old;
        };
        let of = |id: &Id| self.contents[*id as usize];
        match &node {
            Node::Known(_) | Node::Bad => {}
            Node::Face(depth) => join(Contents { faces: 1 << depth, ..Contents::default() }),
            Node::Old(_) => join(Contents { old: true, ..Contents::default() }),
            Node::Linear(_, terms) => terms.iter().for_each(|(_, id)| join(of(id))),
            Node::Op(_, a, b) => [a, b].into_iter().for_each(|id| join(of(id))),
            Node::If(test, a, b) => [test, a, b].into_iter().for_each(|id| join(of(id))),
            Node::Sum { group, depth, each } => {
                let each = of(each);
                let dice = each.dice | 1 << (*group).min(LAST);
                join(Contents { dice, faces: each.faces & !(1 << depth), old: each.old });
            }
            Node::Rank { pool, .. } => {
                for (group, filter) in &self.pools[*pool as usize] {
                    let filter = of(filter);
                    let dice = filter.dice | 1 << (*group).min(LAST);
                    join(Contents { dice, faces: filter.faces & !(1 << FACE), ..filter });
                }
            }
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.contents.push(all);
        self.index.insert(node, id);
        id
    }

    pub fn known(&mut self, value: i64) -> Id {
        self.add(Node::Known(value))
    }

    pub fn flag(&mut self, holds: bool) -> Id {
        self.known(i64::from(holds))
    }

    pub fn bad(&mut self) -> Id {
        self.add(Node::Bad)
    }

    pub fn face(&mut self, depth: u8) -> Id {
        self.add(Node::Face(depth))
    }

    pub fn old(&mut self, reg: Reg) -> Id {
        self.add(Node::Old(reg))
    }

    /// Returns the value of a known expression.
    pub fn value(&self, id: Id) -> Option<i64> {
        match self.node(id) {
            Node::Known(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the sum over a group of dice.
    pub fn sum(&mut self, group: u16, depth: u8, each: Id) -> Id {
        match self.value(each) {
            Some(0) => each,
            _ => self.add(Node::Sum { group, depth, each }),
        }
    }

    pub fn rank(&mut self, members: &[Member], nth: u32, high: bool) -> Id {
        let pool = match self.pool_index.get(members) {
            Some(pool) => *pool,
            None => {
                let pool = self.pools.len() as u32;
                self.pools.push(members.into());
                self.pool_index.insert(members.into(), pool);
                pool
            }
        };
        self.add(Node::Rank { pool, nth, high })
    }

    /// Returns the sum of `a` and `times` multiplied by `b`.
    pub fn plus(&mut self, a: Id, times: i64, b: Id) -> Id {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return match y.checked_mul(times).and_then(|y| x.checked_add(y)) {
                Some(sum) => self.known(sum),
                None => self.bad(),
            };
        }
        if self.value(b) == Some(0) || times == 0 {
            return a;
        }
        let mut terms = vec![(1, a), (times, b)];
        self.combined(0, &mut terms)
    }

    /// Returns a constant plus multiples of expressions. Uses up the terms.
    pub fn combined(&mut self, mut sum: i64, terms: &mut Vec<(i64, Id)>) -> Id {
        let mut all: SmallVec<[(i64, Id); 16]> = SmallVec::new();
        for (times, id) in terms.drain(..) {
            let (known, more): (_, &[(i64, Id)]) = match self.node(id) {
                Node::Known(value) => (*value, &[]),
                Node::Bad => return self.bad(),
                Node::Linear(value, terms) => (*value, terms),
                _ => (0, &[(1, id)]),
            };
            let Some(next) = known.checked_mul(times).and_then(|known| sum.checked_add(known)) else {
                return self.bad();
            };
            sum = next;
            for (factor, id) in more {
                let Some(factor) = factor.checked_mul(times) else { return self.bad() };
                all.push((factor, *id));
            }
        }
        order::sort_by_key(&mut all, |(_, id)| *id);
        for (factor, id) in all {
            match terms.last_mut() {
                Some((both, last)) if *last == id => match both.checked_add(factor) {
                    Some(sum) => *both = sum,
                    None => return self.bad(),
                },
                _ => terms.push((factor, id)),
            }
        }
        terms.retain(|(factor, _)| *factor != 0);
        let found = self.linear(sum, terms);
        terms.clear();
        found
    }

    /// Returns a linear form with sorted terms.
    fn linear(&mut self, sum: i64, terms: &[(i64, Id)]) -> Id {
        match *terms {
            [] => self.known(sum),
            [(1, id)] if sum == 0 => id,
            _ => self.add(Node::Linear(sum, terms.into())),
        }
    }

    /// Returns whether an expression is 0 or 1.
    fn is_flag(&self, id: Id) -> bool {
        match self.node(id) {
            Node::Known(value) => matches!(value, 0 | 1),
            Node::Op(op, ..) => matches!(op, Op::Eq | Op::Lt),
            Node::If(_, a, b) => self.is_flag(*a) && self.is_flag(*b),
            _ => false,
        }
    }

    /// Returns whether a value of a flag holds, as a condition.
    pub fn test(&mut self, id: Id) -> Id {
        if self.is_flag(id) {
            return id;
        }
        let zero = self.known(0);
        let none = self.op(Op::Eq, id, zero);
        self.not(none)
    }

    pub fn not(&mut self, flag: Id) -> Id {
        let (no, yes) = (self.known(0), self.known(1));
        self.choose(flag, no, yes)
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        let no = self.known(0);
        self.choose(a, b, no)
    }

    pub fn or(&mut self, a: Id, b: Id) -> Id {
        let yes = self.known(1);
        self.choose(a, yes, b)
    }

    /// Returns the result of a plain operation on single cells.
    pub fn op(&mut self, op: Op, a: Id, b: Id) -> Id {
        if matches!(self.node(a), Node::Bad) || matches!(self.node(b), Node::Bad) {
            return self.bad();
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return match plain(op, x, y, 1) {
                Some(value) => self.known(value),
                None => self.bad(),
            };
        }
        match op {
            Op::Add => self.plus(a, 1, b),
            Op::Sub => self.plus(a, -1, b),
            Op::Not => {
                let yes = self.known(1);
                if self.is_flag(a) { self.not(a) } else { self.plus(yes, -1, a) }
            }
            Op::Ne | Op::Ge => {
                let opposite = self.op(if op == Op::Ne { Op::Eq } else { Op::Lt }, a, b);
                self.not(opposite)
            }
            Op::Gt => self.op(Op::Lt, b, a),
            Op::Le => {
                let greater = self.op(Op::Lt, b, a);
                self.not(greater)
            }
            Op::Eq | Op::Lt => self.compare(op, a, b),
            Op::Mul => match (self.value(a), self.value(b)) {
                (Some(times), _) => self.times(times, b),
                (_, Some(times)) => self.times(times, a),
                _ => self.add(Node::Op(op, a.min(b), a.max(b))),
            },
            Op::Remainder | Op::DivLength => self.add(Node::Op(op, a, b)),
            Op::Min | Op::Max if a == b => a,
            Op::Min | Op::Max => self.add(Node::Op(op, a.min(b), a.max(b))),
            _ => self.bad(),
        }
    }

    fn times(&mut self, times: i64, id: Id) -> Id {
        let none = self.known(0);
        self.plus(none, times, id)
    }

    /// Returns the comparison of two expressions that are not both known.
    fn compare(&mut self, op: Op, a: Id, b: Id) -> Id {
        if a == b {
            return self.flag(op == Op::Eq);
        }
        let (left, right) = (self.node(a).clone(), self.node(b).clone());
        match (&left, &right) {
            (Node::If(test, yes, no), Node::Known(_)) => {
                let (yes, no) = (self.op(op, *yes, b), self.op(op, *no, b));
                self.choose(*test, yes, no)
            }
            (Node::Known(_), Node::If(test, yes, no)) => {
                let (yes, no) = (self.op(op, a, *yes), self.op(op, a, *no));
                self.choose(*test, yes, no)
            }
            (Node::Op(Op::Min, x, y), Node::Known(_)) if op == Op::Lt => {
                let (x, y) = (self.op(op, *x, b), self.op(op, *y, b));
                self.or(x, y)
            }
            (Node::Known(_), Node::Op(Op::Min, x, y)) if op == Op::Lt => {
                let (x, y) = (self.op(op, a, *x), self.op(op, a, *y));
                self.and(x, y)
            }
            (Node::Op(Op::Max, x, y), Node::Known(_)) if op == Op::Lt => {
                let (x, y) = (self.op(op, *x, b), self.op(op, *y, b));
                self.and(x, y)
            }
            (Node::Known(_), Node::Op(Op::Max, x, y)) if op == Op::Lt => {
                let (x, y) = (self.op(op, a, *x), self.op(op, a, *y));
                self.or(x, y)
            }
            (Node::Linear(n, terms), Node::Known(than)) if *n != 0 => match than.checked_sub(*n) {
                Some(than) => {
                    let (sum, than) = (self.linear(0, terms), self.known(than));
                    self.compare(op, sum, than)
                }
                None => self.atom(op, a, b),
            },
            (Node::Known(than), Node::Linear(n, terms)) if *n != 0 => match than.checked_sub(*n) {
                Some(than) => {
                    let (sum, than) = (self.linear(0, terms), self.known(than));
                    self.compare(op, than, sum)
                }
                None => self.atom(op, a, b),
            },
            (Node::Linear(..), Node::Linear(..)) => {
                let (sum, none) = (self.plus(a, -1, b), self.known(0));
                self.op(op, sum, none)
            }
            _ => self.atom(op, a, b),
        }
    }

    fn atom(&mut self, op: Op, a: Id, b: Id) -> Id {
        let (a, b) = if op == Op::Eq { (a.min(b), a.max(b)) } else { (a, b) };
        self.add(Node::Op(op, a, b))
    }

    /// Returns the first test of an expression.
    fn first(&self, id: Id) -> Id {
        match self.node(id) {
            Node::If(test, ..) => *test,
            Node::Op(Op::Eq | Op::Lt, ..) => id,
            _ => Id::MAX,
        }
    }

    /// Returns an expression for a given outcome of a test.
    fn given(&mut self, id: Id, test: Id, holds: bool) -> Id {
        if id == test {
            return self.flag(holds);
        }
        match self.node(id) {
            Node::If(own, yes, no) if *own == test => {
                if holds {
                    *yes
                } else {
                    *no
                }
            }
            _ => id,
        }
    }

    /// Returns `a` if the condition holds, `b` otherwise.
    pub fn choose(&mut self, condition: Id, a: Id, b: Id) -> Id {
        if let Some(value) = self.value(condition) {
            return if value == 0 { b } else { a };
        }
        if a == b || matches!(self.node(condition), Node::Bad) {
            return if a == b { a } else { self.bad() };
        }
        if self.value(a) == Some(1) && self.value(b) == Some(0) {
            return condition;
        }
        if let Some(known) = self.choices.get(&(condition, a, b)) {
            return *known;
        }
        let test = self.first(condition).min(self.first(a)).min(self.first(b));
        if test == Id::MAX || self.full() {
            return self.bad();
        }
        let mut side = |holds| {
            let [condition, a, b] = [condition, a, b].map(|id| self.given(id, test, holds));
            self.choose(condition, a, b)
        };
        let (yes, no) = (side(true), side(false));
        let found = if yes == no {
            yes
        } else if self.value(yes) == Some(1) && self.value(no) == Some(0) {
            test
        } else {
            self.add(Node::If(test, yes, no))
        };
        self.choices.insert((condition, a, b), found);
        found
    }

    /// Returns `a` if the condition holds, `b` otherwise, for two values of a register. Values that differ by a constant are a sum.
    pub fn either(&mut self, condition: Id, a: Id, b: Id) -> Id {
        if self.value(a).is_none() && self.value(b).is_none() {
            let apart = self.plus(a, -1, b);
            if let Some(apart) = self.value(apart) {
                return self.plus(b, apart, condition);
            }
        }
        self.choose(condition, a, b)
    }

    /// Returns the sums over a group in some expressions.
    pub fn sums_of(&self, roots: &[Id], group: u16) -> Vec<Id> {
        let (mut open, mut met, mut found) = (roots.to_vec(), FxHashSet::default(), Vec::new());
        while let Some(id) = open.pop() {
            if self.contents(id).dice >> group.min(LAST) & 1 == 0 || !met.insert(id) {
                continue;
            }
            if matches!(self.node(id), Node::Sum { group: own, .. } if *own == group) {
                found.push(id);
            }
            self.parts(id, &mut open);
        }
        found
    }

    /// Adds the parts of an expression to a list.
    pub fn parts(&self, id: Id, to: &mut Vec<Id>) {
        match self.node(id) {
            Node::Known(_) | Node::Bad | Node::Face(_) | Node::Old(_) => {}
            Node::Linear(_, terms) => to.extend(terms.iter().map(|(_, id)| *id)),
            Node::Op(_, a, b) => to.extend([*a, *b]),
            Node::If(test, a, b) => to.extend([*test, *a, *b]),
            Node::Sum { each, .. } => to.push(*each),
            Node::Rank { pool, .. } => to.extend(self.pool(*pool).iter().map(|(_, filter)| *filter)),
        }
    }

    /// Replaces the nodes for which `with` returns another expression.
    pub fn replace(&mut self, id: Id, with: &[(Node, Id)]) -> Id {
        let mut done = FxHashMap::default();
        self.replaced(id, with, &mut done)
    }

    fn replaced(&mut self, id: Id, with: &[(Node, Id)], done: &mut FxHashMap<Id, Id>) -> Id {
        let own = self.contents(id);
        let touches = |(node, _): &(Node, Id)| match node {
            Node::Face(depth) => own.faces >> depth & 1 == 1,
            Node::Sum { group, .. } => own.dice >> group.min(&LAST) & 1 == 1,
            _ => own.old,
        };
        if !with.iter().any(touches) {
            return id;
        }
        if let Some((_, to)) = with.iter().find(|(node, _)| node == self.node(id)) {
            return *to;
        }
        if let Some(known) = done.get(&id) {
            return *known;
        }
        let found = match self.node(id).clone() {
            Node::Known(_) | Node::Bad | Node::Face(_) | Node::Old(_) => id,
            Node::Linear(sum, terms) => {
                let mut all = self.known(sum);
                for (factor, term) in terms {
                    let term = self.replaced(term, with, done);
                    all = self.plus(all, factor, term);
                }
                all
            }
            Node::Op(op, a, b) => {
                let (a, b) = (self.replaced(a, with, done), self.replaced(b, with, done));
                self.op(op, a, b)
            }
            Node::If(test, a, b) => {
                let test = self.replaced(test, with, done);
                match self.value(test) {
                    Some(0) => self.replaced(b, with, done),
                    Some(_) => self.replaced(a, with, done),
                    None => {
                        let (a, b) = (self.replaced(a, with, done), self.replaced(b, with, done));
                        self.choose(test, a, b)
                    }
                }
            }
            // The face of this sum must stay apart from those in the other expressions.
            Node::Sum { depth, .. } if with.iter().any(|(_, to)| self.contents(*to).faces >> depth & 1 == 1) => {
                self.bad()
            }
            Node::Sum { group, depth, each } => {
                let each = self.replaced(each, with, done);
                self.sum(group, depth, each)
            }
            Node::Rank { pool, nth, high } => {
                let members = self.pool(pool).to_vec();
                let members: Vec<Member> =
                    members.into_iter().map(|(group, filter)| (group, self.replaced(filter, with, done))).collect();
                self.rank(&members, nth, high)
            }
        };
        done.insert(id, found);
        found
    }
}
