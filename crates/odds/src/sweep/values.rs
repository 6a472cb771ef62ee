//! Lists and operators of code that is read symbolically.

use super::super::num::Num;
use super::expr::{Exprs, FACE, Id, Node};
use super::fold::Group;
use super::read::{Event, MOST_DISTINCT, MOST_SORTED, Part, Path, Reader, Val};
use grognard_base::value::*;
use grognard_program::Reg;
use grognard_vm::{Handle, LazyDice, is_unseen};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Reader<'_> {
    /// Returns the list in a register.
    pub fn list(&mut self, path: &Path, reg: Reg) -> Result<Val, &'static str> {
        let id = match self.val(path, reg) {
            Val::Is(id) => id,
            Val::Gone => return Err("reads a list that depends on the order of dice"),
            list => return Ok(list),
        };
        let handle = Handle::of(self.exprs.value(id).ok_or("reads a list that depends on dice")?);
        let cells = self.state.heap.get(handle.at..handle.at + handle.len).ok_or("reads a list that is not known")?;
        if !cells.iter().any(|cell| is_unseen(*cell)) {
            let items: Vec<Id> = cells.iter().map(|cell| self.exprs.known(*cell)).collect();
            let len = self.exprs.known(handle.len as i64);
            self.lists.push(handle);
            return Ok(Val::List(Rc::new(items), len));
        }
        if let Some((_, parts)) = self.pools.iter().find(|(known, _)| *known == handle) {
            return Ok(Val::Pool(Rc::clone(parts)));
        }
        if self.pools.iter().any(|(known, _)| known.at < handle.at + handle.len && handle.at < known.at + known.len) {
            return Err("reads two pools that share dice");
        }
        let mut alike: BTreeMap<i64, usize> = BTreeMap::new();
        for cell in cells {
            let cell = LazyDice::of(*cell).map_or(*cell, |die| LazyDice { batch: 0, ..die }.cell());
            *alike.entry(cell).or_default() += 1;
        }
        let (filter, value) = (self.exprs.known(1), self.exprs.face(FACE));
        let mut parts = Vec::new();
        for (cell, dice) in alike {
            let group = self.groups.len() as u16;
            let faces = super::super::sums::faces(self.game, cell).into_iter();
            let faces = faces.map(|(face, sides)| (face, Num::from(sides))).collect();
            self.groups.push(Group { dice, faces, die: LazyDice::of(cell).map(|die| die.die), chain: None });
            parts.push(Part { group, filter, value });
        }
        let parts = Rc::new(parts);
        self.pools.push((handle, Rc::clone(&parts)));
        Ok(Val::Pool(parts))
    }

    /// Returns the sum of a function of the values of a pool.
    pub fn sum(&mut self, parts: &[Part], of: &mut dyn FnMut(&mut Exprs, Id) -> Id) -> Id {
        self.looked = true;
        let (depth, none) = (self.depth, self.exprs.known(0));
        let face = self.exprs.face(depth);
        let mut all = none;
        for part in parts {
            let [filter, value] =
                [part.filter, part.value].map(|id| self.exprs.replace(id, &[(Node::Face(FACE), face)]));
            let each = of(&mut self.exprs, value);
            let each = self.exprs.choose(filter, each, none);
            let sum = match self.exprs.value(each) {
                Some(value) if self.groups[part.group as usize].chain.is_none() => {
                    self.exprs.known(value.saturating_mul(self.groups[part.group as usize].dice as i64))
                }
                _ => self.exprs.sum(part.group, depth, each),
            };
            all = self.exprs.plus(all, 1, sum);
        }
        all
    }

    /// Returns the number of dice of a pool.
    pub fn size(&mut self, parts: &[Part]) -> Id {
        self.sum(parts, &mut |exprs, _| exprs.known(1))
    }

    /// Returns the face at a place of a sorted pool.
    pub fn rank(&mut self, parts: &[Part], nth: u32, high: bool) -> Result<Id, &'static str> {
        self.looked = true;
        let face = self.exprs.face(FACE);
        if parts.iter().any(|part| part.value != face) {
            return Err("takes the highest or lowest values of dice, not faces");
        }
        if parts.iter().any(|part| self.groups[part.group as usize].chain.is_some()) {
            return Err("takes the highest or lowest of dice that explode");
        }
        let members: Vec<_> = parts.iter().map(|part| (part.group, part.filter)).collect();
        Ok(self.exprs.rank(&members, nth, high))
    }

    /// Returns the values that the dice of a pool can have, in ascending order, each with the number of dice that have it.
    /// With more than `most` values, the code is not handled.
    fn shown(&mut self, path: &Path, list: Reg, most: usize) -> Result<Vec<(i64, Id)>, &'static str> {
        let Val::Pool(parts) = self.list(path, list)? else { return Err("uses an operator that requires each face") };
        let mut values = BTreeSet::new();
        for part in parts.iter() {
            let group = &self.groups[part.group as usize];
            if group.chain.is_some() {
                return Err("compares the faces of dice that explode");
            }
            for (face, _) in &group.faces {
                let face = self.exprs.known(*face);
                let value = self.exprs.replace(part.value, &[(Node::Face(FACE), face)]);
                values.insert(self.exprs.value(value).ok_or("uses an operator that requires each face")?);
            }
        }
        if values.len() > most {
            return Err("compares dice with too many faces");
        }
        let number = |value: i64| {
            let wanted = self.exprs.known(value);
            (value, self.sum(&parts, &mut |exprs, value| exprs.op(Op::Eq, value, wanted)))
        };
        Ok(values.into_iter().map(number).collect())
    }

    /// Returns the highest or lowest dice of a pool.
    fn best(&mut self, parts: &[Part], count: i64, high: bool) -> Result<Val, &'static str> {
        let count = usize::try_from(count).map_err(|_| "takes a negative number of dice")?;
        let dice: usize = parts.iter().map(|part| self.groups[part.group as usize].dice).sum();
        let places = count.min(dice);
        if places > MOST_SORTED {
            return Err("takes the highest or lowest 65 or more dice");
        }
        let items = (1..=places).map(|nth| self.rank(parts, nth as u32, high)).collect::<Result<Vec<_>, _>>()?;
        let (size, most) = (self.size(parts), self.exprs.known(places as i64));
        let len = self.exprs.op(Op::Min, size, most);
        Ok(Val::List(Rc::new(items), len))
    }

    /// Returns the sum of a function of the entries of a list with known places.
    fn each(&mut self, items: &[Id], len: Id, of: &mut dyn FnMut(&mut Exprs, Id) -> Id) -> Id {
        let none = self.exprs.known(0);
        let mut all = none;
        for (n, item) in items.iter().enumerate() {
            let at = self.exprs.known(n as i64);
            let there = self.exprs.op(Op::Lt, at, len);
            let each = of(&mut self.exprs, *item);
            let each = self.exprs.choose(there, each, none);
            all = self.exprs.plus(all, 1, each);
        }
        all
    }

    /// Returns the sum of a function of the entries of any list.
    pub fn total(
        &mut self,
        path: &Path,
        list: Reg,
        of: &mut dyn FnMut(&mut Exprs, Id) -> Id,
    ) -> Result<Id, &'static str> {
        match self.list(path, list)? {
            Val::Pool(parts) => Ok(self.sum(&parts, of)),
            Val::List(items, len) => Ok(self.each(&items, len, of)),
            Val::Is(_) | Val::Gone => Err("reads a list that is not known"),
        }
    }

    pub fn push(&mut self, path: &mut Path, list: Reg, src: Reg) -> Result<(), &'static str> {
        let (at, value) = (self.at(path, list), self.cell(path, src)?);
        match self.val(path, list) {
            Val::Is(id) if matches!(self.exprs.node(id), Node::Old(_)) => {
                self.events.push(Event::Push { list: at, taken: path.taken, value });
                Ok(())
            }
            _ => {
                let Val::List(items, len) = self.list(path, list)? else { return Err("adds an entry to a pool") };
                if self.exprs.value(len) != Some(items.len() as i64) {
                    return Err("adds an entry to a pool");
                }
                let items: Vec<Id> = items.iter().copied().chain([value]).collect();
                let len = self.exprs.known(items.len() as i64);
                self.set(path, list, Val::List(Rc::new(items), len));
                Ok(())
            }
        }
    }

    /// Returns the result of an operation.
    pub fn operate(&mut self, path: &Path, op: Op, (a, b): (Reg, Reg), n: Reg) -> Result<Val, &'static str> {
        match op {
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Remainder
            | Op::Min
            | Op::Max
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge
            | Op::Eq
            | Op::Ne
                if n <= 1 =>
            {
                let (a, b) = (self.cell(path, a)?, self.cell(path, b)?);
                Ok(Val::Is(self.exprs.op(op, a, b)))
            }
            Op::Not => {
                let a = self.cell(path, a)?;
                Ok(Val::Is(self.exprs.op(op, a, a)))
            }
            Op::Neg => {
                let (none, a) = (self.exprs.known(0), self.cell(path, a)?);
                Ok(Val::Is(self.exprs.plus(none, -1, a)))
            }
            Op::Distinct if n == 1 => {
                let (mut all, none) = (self.exprs.known(0), self.exprs.known(0));
                for (_, dice) in self.shown(path, a, MOST_DISTINCT)? {
                    let any = self.exprs.op(Op::Lt, none, dice);
                    all = self.exprs.plus(all, 1, any);
                }
                Ok(Val::Is(all))
            }
            Op::Mode if n == 1 => {
                let (mut best, mut most, one) = (self.exprs.known(NONE), self.exprs.known(0), self.exprs.known(1));
                for (value, dice) in self.shown(path, a, MOST_SORTED)? {
                    let at_least = self.exprs.op(Op::Max, most, one);
                    let better = self.exprs.op(Op::Ge, dice, at_least);
                    let value = self.exprs.known(value);
                    best = self.exprs.choose(better, value, best);
                    most = self.exprs.op(Op::Max, most, dice);
                }
                Ok(Val::Is(best))
            }
            Op::Total => Ok(Val::Is(self.total(path, a, &mut |_, value| value)?)),
            Op::InList if n <= 1 => {
                let wanted = self.cell(path, a)?;
                let found = self.total(path, b, &mut |exprs, value| exprs.op(Op::Eq, value, wanted))?;
                let none = self.exprs.known(0);
                Ok(Val::Is(self.exprs.op(Op::Lt, none, found)))
            }
            Op::Highest | Op::Lowest if n == 1 => {
                let count = self.number(path, a)?;
                let Val::Pool(parts) = self.list(path, b)? else {
                    return Err("takes the highest or lowest of a list that is not a pool");
                };
                self.best(&parts, count, op == Op::Highest)
            }
            Op::Median if n == 1 => {
                let Val::Pool(parts) = self.list(path, a)? else {
                    return Err("takes the highest or lowest of a list that is not a pool");
                };
                let size = self.size(&parts);
                let size = self.exprs.value(size).ok_or("takes the median of a filtered pool")?;
                Ok(Val::Is(self.rank(&parts, ((size - 1).max(0) / 2 + 1) as u32, false)?))
            }
            Op::Nth if n == 1 => {
                let at = self.number(path, a)?;
                let Val::List(items, _) = self.list(path, b)? else { return Err("reads a die by its place") };
                let item = usize::try_from(at).ok().and_then(|at| at.checked_sub(1)).and_then(|at| items.get(at));
                let none = self.exprs.known(NONE);
                Ok(Val::Is(item.copied().unwrap_or(none)))
            }
            Op::Concat if n == 1 => match (self.list(path, a)?, self.list(path, b)?) {
                (Val::Pool(a), Val::Pool(b)) => Ok(Val::Pool(Rc::new(a.iter().chain(b.iter()).copied().collect()))),
                (Val::Pool(pool), Val::List(none, _)) | (Val::List(none, _), Val::Pool(pool)) if none.is_empty() => {
                    Ok(Val::Pool(pool))
                }
                _ => Err("joins a pool with a list of known entries"),
            },
            _ if matches!(self.val(path, a), Val::Pool(_) | Val::List(..)) => {
                Err("uses an operator that requires each face")
            }
            _ => {
                let (x, y) = (self.number(path, a)?, self.number(path, b)?);
                let value = grognard_vm::plain(op, x, y, n).ok_or("uses an operator that requires each face")?;
                Ok(Val::Is(self.exprs.known(value)))
            }
        }
    }
}
