//! Compiles loops over collections, queries and lists.

use super::*;
use grognard_rules::code::{Collection, ExprKind, Quantifier};
use grognard_rules::reads::walk::any_part;

/// A loop being compiled: the start of a round, and the jump that ends the loop.
pub(super) struct Loop {
    top: Pc,
    exit: usize,
    /// Register of the index, in loops over lists.
    pub(super) at: Reg,
}

/// The evaluated collection of a loop.
pub(super) enum Entries {
    Kind(KindId),
    Numbers { from: Reg, limit: Reg },
    List { list: Reg, width: Reg },
}

impl Compiler<'_> {
    /// Returns the type of an entry of a collection.
    pub(super) fn entry_type(&self, over: &Collection) -> Type {
        match over {
            Collection::List(e) => e.ty.entry().cloned().unwrap_or(Type::Unknown),
            Collection::Range(..) => Type::INT,
            Collection::Cases(ty, _) => ty.clone(),
            Collection::Kind(kind) => Type::Kind(*kind),
            Collection::Group(e) => {
                let group = e.ty.kind().and_then(|kind| self.rules.kinds[kind.at()].group);
                group.map_or(Type::Unknown, |(_, member)| Type::Kind(member))
            }
        }
    }

    /// Evaluates the collection of a loop.
    pub(super) fn source(&mut self, over: &Collection) -> Entries {
        match over {
            Collection::Kind(kind) => Entries::Kind(*kind),
            Collection::Range(low, high) => {
                let (from, limit) = (self.take(1), self.take(1));
                self.value_to(low, from);
                self.value_to(high, limit);
                self.check_ends(low, from, high, limit);
                Entries::Numbers { from, limit }
            }
            Collection::Cases(_, n) => {
                let (from, limit) = (self.take(1), self.take(1));
                self.constant(from, 0);
                self.constant(limit, n - 1);
                Entries::Numbers { from, limit }
            }
            Collection::List(_) | Collection::Group(_) => {
                let (list, width) = self.as_list(over);
                Entries::List { list, width }
            }
        }
    }

    /// Checks that the ends of a range are storable numbers.
    fn check_ends(&mut self, low: &Expr, from: Reg, high: &Expr, limit: Reg) {
        self.check_kept(from, low, "the first of a range");
        self.check_kept(limit, high, "the last of a range");
    }

    /// Begins a loop. The code that follows runs for each entry, which is in `bind`.
    pub(super) fn begin_loop(&mut self, entries: &Entries, bind: Reg) -> Loop {
        match *entries {
            Entries::Kind(kind) => {
                self.constant(bind, -1);
                let top = self.here();
                let exit = self.emit(Instr::NextThing { dst: bind, kind, to: 0 });
                Loop { top, exit, at: bind }
            }
            Entries::Numbers { from, limit } => {
                self.emit(Instr::AddConst { dst: bind, a: from, value: -1 });
                let top = self.here();
                self.emit(Instr::AddConst { dst: bind, a: bind, value: 1 });
                let exit = self.emit(Instr::JumpCompare { op: Op::Gt, a: bind, b: limit, to: 0 });
                Loop { top, exit, at: bind }
            }
            Entries::List { list, width } => {
                let (looped, at) = self.count_entries(&[list]);
                self.emit(Instr::Entry { dst: bind, list, index: at, n: width });
                looped
            }
        }
    }

    /// Begins a loop over the indices of one or more lists, up to the length of the shortest.
    fn count_entries(&mut self, lists: &[Reg]) -> (Loop, Reg) {
        let (at, length) = (self.take(1), self.take(1));
        for (n, list) in lists.iter().enumerate() {
            if n == 0 {
                self.emit(Instr::Length { dst: length, list: *list });
            } else {
                let other = self.take(1);
                self.emit(Instr::Length { dst: other, list: *list });
                self.emit(Instr::Op { op: Op::Min, dst: length, a: length, b: other, n: 1 });
            }
        }
        self.constant(at, -1);
        let top = self.here();
        self.emit(Instr::AddConst { dst: at, a: at, value: 1 });
        let exit = self.emit(Instr::JumpCompare { op: Op::Ge, a: at, b: length, to: 0 });
        (Loop { top, exit, at }, at)
    }

    /// Ends a loop. `next` are jumps to the next entry, `leave` are jumps out of the loop.
    pub(super) fn end_loop(&mut self, looped: Loop, next: Vec<usize>, leave: Vec<usize>) {
        for at in next {
            self.aim_at(at, looped.top);
        }
        self.emit(Instr::Jump { to: looped.top });
        self.aim(looped.exit);
        self.aim_all(leave);
    }

    /// Marks the loop at `top`: its result does not depend on the order of the entries.
    pub(super) fn orderless(&mut self, top: Pc) {
        if let (Some(Instr::Entry { n: 1, .. }), at) = (self.program.code.last(), self.here() - 1)
            && at >= top
        {
            self.program.orderless.push(at);
        }
    }

    /// Marks the loop whose entry was just taken: its only effect is to append to a list or not.
    pub(super) fn gathers(&mut self, list: Reg) {
        if let Some(Instr::Entry { n: 1, .. }) = self.program.code.last() {
            self.program.gathers.push((self.here() - 1, list));
        }
    }

    /// Compiles a collection to a list. Returns its register and the width of an entry in cells.
    pub(super) fn as_list(&mut self, over: &Collection) -> (Reg, Reg) {
        let width = self.width(&self.entry_type(over));
        match over {
            Collection::List(e) => {
                let list = self.value(e);
                (self.in_play(e, list), width)
            }
            Collection::Group(e) => {
                let (group, kind) = self.thing(e);
                let dst = self.take(1);
                self.members(group, kind, dst);
                (dst, width)
            }
            Collection::Range(low, high) => {
                let (from, limit) = (self.value(low), self.value(high));
                self.check_ends(low, from, high, limit);
                let dst = self.take(1);
                self.emit(Instr::Span { dst, low: from, high: limit });
                (dst, width)
            }
            Collection::Cases(_, n) => {
                let (low, high, dst) = (self.take(1), self.take(1), self.take(1));
                self.constant(low, 0);
                self.constant(high, n - 1);
                self.emit(Instr::Span { dst, low, high });
                (dst, width)
            }
            Collection::Kind(kind) => {
                let dst = self.take(1);
                self.emit(Instr::NewList { dst });
                self.scoped(|c| {
                    let bind = c.take(1);
                    let looped = c.begin_loop(&Entries::Kind(*kind), bind);
                    c.emit(Instr::Push { list: dst, src: bind, n: 1 });
                    c.end_loop(looped, Vec::new(), Vec::new());
                });
                (dst, width)
            }
        }
    }

    /// Compiles the living members of a group.
    pub(super) fn members(&mut self, group: Reg, kind: KindId, dst: Reg) {
        let Some((field, member)) = self.rules.kinds[kind.at()].group else {
            self.emit(Instr::NewList { dst });
            return;
        };
        self.field_of(group, field, &[], dst);
        self.emit(Instr::Living { dst, list: dst, kind: member });
    }

    /// Compiles `all x in XS where C`, `xs.f` and the like to a list of results.
    pub(super) fn map_value(&mut self, e: &Expr, dst: Reg) {
        let ExprKind::Map { over, local, filter, body, drop, flatten } = &e.kind else { return };
        let list = self.take(1);
        let bind = self.local(*local);
        let width = self.width(body.ty.present());
        let entries = self.source(over);
        self.emit(Instr::NewList { dst: list });
        let looped = self.begin_loop(&entries, bind);
        self.gathers(list);
        let scratch = filter.as_deref().is_some_and(allocates) && !*flatten;
        let mark = scratch.then(|| self.take(1));
        if let Some(dst) = mark {
            self.emit(Instr::Mark { dst });
        }
        let mut next = filter.as_deref().map_or(Vec::new(), |f| self.unless(f));
        if let Some(mark) = mark {
            self.emit(Instr::Release { mark });
        }
        self.scoped(|c| {
            let value = c.entry_value(body);
            if *drop {
                next.push(c.emit(Instr::JumpNone { reg: value, to: 0 }));
            }
            if *flatten {
                let inner = body.ty.entry().map_or(1, |inner| c.width(inner));
                c.emit(Instr::Op { op: Op::Concat, dst: list, a: list, b: value, n: inner });
            } else {
                c.emit(Instr::Push { list, src: value, n: width });
            }
        });
        self.end_loop(looped, next, Vec::new());
        self.copy(dst, list, 1);
    }

    pub(super) fn query_value(&mut self, e: &Expr, dst: Reg) {
        let ExprKind::Query { what, over, filter, body } = &e.kind else { return };
        if let Some(look) = look(self, *what, over, filter.as_deref(), body.as_deref()) {
            return self.look(*what, look, dst);
        }
        let out = self.take(self.width(&e.ty).max(1));
        match what {
            Quantifier::Any | Quantifier::Count | Quantifier::Sum | Quantifier::All => self.constant(out, 0),
            Quantifier::No | Quantifier::Every => self.constant(out, 1),
            Quantifier::Most | Quantifier::Least | Quantifier::Nearest | Quantifier::Farthest => {
                self.none(out, self.width(&e.ty))
            }
        }
        let by_distance = match what {
            Quantifier::Nearest | Quantifier::Farthest => true,
            Quantifier::Most | Quantifier::Least => body.as_deref().is_some_and(distances::is_distance),
            Quantifier::Any | Quantifier::No | Quantifier::All | Quantifier::Every => false,
            Quantifier::Count | Quantifier::Sum => false,
        };
        let key = match what {
            // two places and their distance
            _ if by_distance => 5,
            Quantifier::Most | Quantifier::Least => body.as_ref().map_or(1, |b| self.width(&b.ty)),
            Quantifier::Any | Quantifier::No | Quantifier::All | Quantifier::Every => 1,
            Quantifier::Count | Quantifier::Sum | Quantifier::Nearest | Quantifier::Farthest => 1,
        };
        let best = self.take(key);
        let place = self.query_place(*what, body.as_deref());
        let near = match over.as_slice() {
            [(local, Collection::Kind(kind))] if *what == Quantifier::Nearest => {
                let bind = self.local(*local);
                Some(self.begin_near(bind, *kind, place, out))
            }
            _ => None,
        };
        let top = self.here();
        let (looped, widen) = match near {
            Some((looped, widen)) => (looped, Some(widen)),
            None => (self.begin_query(over), None),
        };
        let same =
            matches!(what, Quantifier::Any | Quantifier::No | Quantifier::Every | Quantifier::Count | Quantifier::Sum);
        if same && over.len() == 1 {
            self.orderless(top);
        }
        let scratch = filter.as_deref().is_some_and(allocates) || body.as_deref().is_some_and(allocates);
        let mark = scratch.then(|| self.take(1));
        if let Some(dst) = mark {
            self.emit(Instr::Mark { dst });
        }
        let mut next = filter.as_deref().map_or(Vec::new(), |f| self.unless(f));
        let mut leave = Vec::new();
        self.scoped(|c| {
            let bind = over.first().map_or(0, |(local, _)| c.local(*local));
            match (what, body.as_deref()) {
                (Quantifier::Any, _) => {
                    c.constant(out, 1);
                    leave.push(c.jump());
                }
                (Quantifier::No, _) => {
                    c.constant(out, 0);
                    leave.push(c.jump());
                }
                (Quantifier::Every, Some(body)) => {
                    next.extend(c.when(body));
                    c.constant(out, 0);
                    leave.push(c.jump());
                }
                (Quantifier::Sum, Some(body)) => {
                    let addend = c.value(body);
                    c.emit(Instr::Op { op: Op::Add, dst: out, a: out, b: addend, n: 1 });
                }
                (_, Some(body)) if by_distance => {
                    let value = c.take(key);
                    match (what, over.first().map(|(_, from)| c.entry_type(from))) {
                        (Quantifier::Most | Quantifier::Least, _) => c.places_between(body, value),
                        (_, Some(Type::Kind(kind))) => c.pack_place(bind, kind, value),
                        _ => c.copy(value, bind, 2),
                    }
                    if matches!(what, Quantifier::Nearest | Quantifier::Farthest) {
                        c.copy(value + 2, place, 2);
                    }
                    let most = matches!(what, Quantifier::Most | Quantifier::Farthest);
                    next.extend(c.rank_distance(most, value, best, out));
                    let width = c.width(e.ty.present());
                    c.copy(out, bind, width);
                    c.copy(best, value, key);
                }
                (Quantifier::Most | Quantifier::Least, Some(body)) => {
                    let value = c.value(body);
                    next.extend(c.rank(*what == Quantifier::Most, value, best, out, &body.ty));
                    let width = c.width(e.ty.present());
                    c.copy(out, bind, width);
                    c.copy(best, value, key);
                }
                _ => {
                    c.emit(Instr::AddConst { dst: out, a: out, value: 1 });
                }
            }
        });
        if let Some(mark) = mark {
            let release = self.here();
            self.emit(Instr::Release { mark });
            for at in std::mem::take(&mut next) {
                self.aim_at(at, release);
            }
        }
        let first = looped.top;
        self.end_loop(looped, next, leave);
        if let Some(widen) = widen {
            self.end_near(widen, out, best);
        }
        if counts_pairs(self, e) {
            // after the lengths come their minimum and the first index
            self.program.pairs.push(first.saturating_sub(4));
        }
        let width = self.width(&e.ty);
        self.copy(dst, out, width);
    }

    /// Compiles a test of a pool to one `Look`: the number of entries for which a comparison with a threshold holds.
    fn look(&mut self, what: Quantifier, (pool, op, than): (&Expr, Op, &Expr), dst: Reg) {
        let list = self.value(pool);
        let than = self.value(than);
        // every entry satisfies the condition if none violates it
        let op = if what == Quantifier::Every { op.opposite().unwrap_or(op) } else { op };
        if what == Quantifier::Count {
            self.emit(Instr::Look { dst, list, op, than });
            return;
        }
        let out = self.take(1);
        self.emit(Instr::Look { dst: out, list, op, than });
        let zero = self.take(1);
        self.constant(zero, 0);
        let op = if what == Quantifier::Any { Op::Gt } else { Op::Eq };
        self.emit(Instr::Op { op, dst, a: out, b: zero, n: 1 });
    }

    fn query_place(&mut self, what: Quantifier, body: Option<&Expr>) -> Reg {
        match (what, body) {
            (Quantifier::Nearest | Quantifier::Farthest, Some(body)) => {
                let dst = self.take(2);
                self.value_to(body, dst);
                dst
            }
            _ => 0,
        }
    }

    fn begin_query(&mut self, over: &[(LocalId, Collection)]) -> Loop {
        if let [(local, only)] = over {
            let bind = self.local(*local);
            let entries = self.source(only);
            return self.begin_loop(&entries, bind);
        }
        let lists: Vec<(Reg, Reg, Reg)> = over
            .iter()
            .map(|(local, collection)| {
                let bind = self.local(*local);
                let (list, width) = self.as_list(collection);
                (bind, list, width)
            })
            .collect();
        let handles: Vec<Reg> = lists.iter().map(|(_, list, _)| *list).collect();
        let (looped, at) = self.count_entries(&handles);
        for (bind, list, width) in lists {
            self.emit(Instr::Entry { dst: bind, list, index: at, n: width });
        }
        looped
    }

    /// Returns jumps taken if a key is not better than the best so far. The first of equal keys wins; missing keys rank
    /// last.
    fn rank(&mut self, most: bool, key: Reg, best: Reg, out: Reg, ty: &Type) -> Vec<usize> {
        let mut worse = Vec::new();
        let first = self.emit(Instr::JumpNone { reg: out, to: 0 });
        let mut better = vec![first];
        if matches!(ty, Type::Optional(_)) {
            worse.push(self.emit(Instr::JumpNone { reg: key, to: 0 }));
            better.push(self.emit(Instr::JumpNone { reg: best, to: 0 }));
        }
        if self.width(ty) == 2 {
            let cond = self.take(1);
            let (a, b) = if most { (best, key) } else { (key, best) };
            self.emit(Instr::Op { op: Op::LtRatio, dst: cond, a, b, n: 2 });
            worse.push(self.emit(Instr::JumpUnless { cond, to: 0 }));
        } else {
            let op = if most { Op::Le } else { Op::Ge };
            worse.push(self.emit(Instr::JumpCompare { op, a: key, b: best, to: 0 }));
        }
        self.aim_all(better);
        worse
    }

    /// Compiles a value that is put into a list.
    pub(super) fn entry_value(&mut self, e: &Expr) -> Reg {
        let reg = self.value(e);
        self.check_kept(reg, e, "an entry of a list");
        reg
    }

    pub(super) fn list_value(&mut self, entries: &[Expr], ty: &Type, dst: Reg) {
        let width = ty.entry().map_or(1, |inner| self.width(inner));
        self.scoped(|c| {
            let values: Vec<(Reg, bool)> =
                entries.iter().map(|e| (c.entry_value(e), matches!(e.ty, Type::Optional(_)))).collect();
            let list = c.take(1);
            c.emit(Instr::NewList { dst: list });
            for (value, optional) in values {
                let skip = optional.then(|| c.emit(Instr::JumpNone { reg: value, to: 0 }));
                c.emit(Instr::Push { list, src: value, n: width });
                if let Some(at) = skip {
                    c.aim(at);
                }
            }
            c.copy(dst, list, 1);
        });
    }

    pub(super) fn size_of(&mut self, e: &Expr, dst: Reg) {
        let value = self.value(e);
        let Some(kind) = e.ty.kind() else {
            let list = self.in_play(e, value);
            self.emit(Instr::Length { dst, list });
            return;
        };
        let list = self.take(1);
        let mark = self.take(1);
        self.emit(Instr::Mark { dst: mark });
        self.members(value, kind, list);
        self.emit(Instr::Length { dst: list, list });
        self.emit(Instr::Release { mark });
        self.copy(dst, list, 1);
    }

    /// Compiles the things of a kind that a leg crossed.
    pub(super) fn crossed(&mut self, leg: &Expr, kind: KindId, dst: Reg) {
        let leg = self.value(leg);
        let list = self.take(1);
        let (bind, wanted) = (self.take(1), self.take(1));
        self.emit(Instr::NewList { dst: list });
        self.constant(wanted, i64::from(kind.0));
        let looped = self.begin_loop(&Entries::List { list: leg + 3, width: 1 }, bind);
        let of = self.take(1);
        self.emit(Instr::Op { op: Op::KindOf, dst: of, a: bind, b: bind, n: 1 });
        let other = self.emit(Instr::JumpCompare { op: Op::Ne, a: of, b: wanted, to: 0 });
        self.emit(Instr::Op { op: Op::NumberOf, dst: of, a: bind, b: bind, n: 1 });
        self.emit(Instr::Push { list, src: of, n: 1 });
        self.end_loop(looped, vec![other], Vec::new());
        self.copy(dst, list, 1);
    }
}

/// Returns whether a query counts how often an entry of a list compares with the entry at the same index of another
/// list.
///
/// Apart from the count, no value that the loop writes is read after it.
fn counts_pairs(c: &Compiler, e: &Expr) -> bool {
    let ExprKind::Query { what: Quantifier::Count, over, filter: Some(filter), body: None } = &e.kind else {
        return false;
    };
    let ([(first, _), (second, _)], ExprKind::Op(op, args)) = (over.as_slice(), &filter.kind) else { return false };
    op.compares() && matches!(args.as_slice(), [a, b] if is_cell(c, a, *first) && is_cell(c, b, *second))
}

/// Returns the pool, comparison and threshold of a query that compiles to a `Look` at a list of single cells.
fn look<'a>(
    c: &Compiler,
    what: Quantifier,
    over: &'a [(LocalId, Collection)],
    filter: Option<&'a Expr>,
    body: Option<&'a Expr>,
) -> Option<(&'a Expr, Op, &'a Expr)> {
    let [(local, Collection::List(pool))] = over else { return None };
    let condition = match (what, filter, body) {
        (Quantifier::Any | Quantifier::No | Quantifier::Count, Some(condition), None) => condition,
        (Quantifier::Every, None, Some(condition)) => condition,
        _ => return None,
    };
    compared(c, *local, condition).map(|(op, than)| (pool, op, than))
}

/// Returns the comparison of a variable of one cell with a value that does not depend on it.
pub(super) fn compared<'a>(c: &Compiler, local: LocalId, condition: &'a Expr) -> Option<(Op, &'a Expr)> {
    let ExprKind::Op(op, args) = &condition.kind else { return None };
    let [entry, than] = args.as_slice() else { return None };
    (op.compares() && is_cell(c, entry, local) && c.width(&than.ty) == 1 && !mentions(than, local))
        .then_some((*op, than))
}

/// Returns whether a value is a given variable of one cell.
pub(super) fn is_cell(c: &Compiler, e: &Expr, local: LocalId) -> bool {
    matches!(e.kind, ExprKind::Local(id) if id == local) && c.width(&e.ty) == 1
}

/// Returns whether a value mentions a variable.
pub(super) fn mentions(e: &Expr, local: LocalId) -> bool {
    any_part(e, |e| matches!(e.kind, ExprKind::Local(id) if id == local))
}

/// Returns whether the evaluation of a value may leave lists on the heap.
pub(super) fn allocates(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstRatio(..) | ExprKind::None | ExprKind::Local(_) => false,
        ExprKind::Setting(_) | ExprKind::Tally(_) | ExprKind::ActionName | ExprKind::Actor => false,
        ExprKind::Running(_) => false,
        ExprKind::Op(op, args) => {
            *op == Op::Size || op.facts().gives.entries(1).is_some() || args.iter().any(allocates)
        }
        ExprKind::Field { thing, keys, .. } => {
            matches!(e.ty, Type::List(_)) || allocates(thing) || keys.iter().any(allocates)
        }
        ExprKind::Call { args, .. } => {
            !matches!(e.ty.present(), Type::Flag | Type::Int(_) | Type::Length | Type::Kind(_))
                || args.iter().any(allocates)
        }
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(allocates),
        ExprKind::Is { value, .. } => allocates(value),
        ExprKind::Part { of, .. } => allocates(of),
        ExprKind::Alive(thing) | ExprKind::At(thing) | ExprKind::Facing(thing) | ExprKind::Has { thing, .. } => {
            allocates(thing)
        }
        ExprKind::Global(_) | ExprKind::Ambient(_) | ExprKind::Crossed { .. } | ExprKind::Tree { .. } => true,
        ExprKind::Otherwise(..) | ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Table { .. } => true,
        ExprKind::Instances { .. } | ExprKind::Then { .. } | ExprKind::Map { .. } | ExprKind::Query { .. } => true,
        ExprKind::List(_) | ExprKind::Make(_) | ExprKind::Was(_) => true,
    }
}
