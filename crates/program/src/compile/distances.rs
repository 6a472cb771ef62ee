//! Compiles comparisons of distances to queries of the board. A distance as a number is rounded to a thousandth, which
//! is not exact enough for ties.

use super::*;
use grognard_rules::code::ExprKind;

impl Compiler<'_> {
    /// Allocates registers for the two places of a distance.
    fn two_places(&mut self) -> Reg {
        self.take(4)
    }

    /// Compiles the two places that `dist(a, b)` measures between, two cells each.
    pub(super) fn places_between(&mut self, e: &Expr, dst: Reg) {
        let (measured, before) = measured(e);
        let ExprKind::Op(Op::Dist, args) = &measured.kind else { return };
        let at = self.take(3);
        if before {
            self.emit(Instr::Home { at });
        }
        for (arg, place) in args.iter().zip([dst, dst + 2]) {
            self.place_of(arg, place);
            if before {
                self.emit(Instr::Before { place });
            }
        }
        if before {
            self.emit(Instr::Forth { at });
        }
    }

    /// Compiles the distance between the two places at `places`, rounded to a thousandth.
    fn distance(&mut self, places: Reg, dst: Reg) {
        self.ask_board(Op::Dist, [places, places + 2, 0, 0], [None; 4], dst);
    }

    /// Compiles a comparison of distances to a query of the board. Returns `false` if it contains no distance.
    pub(super) fn compared_on_board(&mut self, op: Op, args: &[Expr], dst: Reg) -> bool {
        let turned = match (is_distance(&args[0]), is_distance(&args[1])) {
            (false, false) => return false,
            (first, _) => !first,
        };
        self.scoped(|c| {
            let (order, zero) = (c.take(1), c.take(1));
            let a = c.two_places();
            c.places_between(&args[usize::from(turned)], a);
            let other = &args[usize::from(!turned)];
            if is_distance(other) {
                let b = c.two_places();
                c.places_between(other, b);
                c.ask_board(Op::DistCmp, [a, a + 2, b, b + 2], [None; 4], order);
            } else {
                let length = c.value(other);
                c.ask_board(Op::DistTo, [a, length, a + 2, 0], [None; 4], order);
            }
            c.constant(zero, 0);
            let (a, b) = if turned { (zero, order) } else { (order, zero) };
            c.emit(Instr::Op { op, dst, a, b, n: 1 });
        });
        true
    }

    /// Returns jumps taken if the distance between the places in `key` is not better than that of `best`. The first of
    /// equal distances wins. The rounded distances are written after the four cells of each.
    pub(super) fn rank_distance(&mut self, most: bool, key: Reg, best: Reg, out: Reg) -> Vec<usize> {
        let (figure, old) = (key + 4, best + 4);
        self.distance(key, figure);
        let first = self.emit(Instr::JumpNone { reg: out, to: 0 });
        // the numbers are rounded, so a number that is not better implies a distance that is not better
        let worse = if most { Op::Le } else { Op::Ge };
        let mut none = vec![self.emit(Instr::JumpCompare { op: worse, a: figure, b: old, to: 0 })];
        self.scoped(|c| {
            let order = c.take(1);
            c.ask_board(Op::DistCmp, [key, key + 2, best, best + 2], [None; 4], order);
            let op = if most { Op::Le } else { Op::Ge };
            none.push(c.emit(Instr::JumpCompareConst { op, a: order, value: 0, to: 0 }));
        });
        self.aim(first);
        none
    }

    /// Begins a loop over the things of a kind that are near a place. [`Compiler::end_near`] widens the search.
    pub(super) fn begin_near(&mut self, bind: Reg, kind: KindId, place: Reg, out: Reg) -> (collections::Loop, Widen) {
        // the things, and the distance of the search
        let found = self.take(2);
        self.constant(found + 1, 0);
        let widen = Widen { top: self.here(), looked: found + 1 };
        self.constant(out, NONE);
        self.ask_board(Op::Near, [0, place, found + 1, 0], [Some(kind), None, None, None], found);
        let looped = self.begin_loop(&collections::Entries::List { list: found, width: 1 }, bind);
        (looped, widen)
    }

    /// Widens the search unless the best thing is nearer than all things outside it, or no things are left.
    pub(super) fn end_near(&mut self, widen: Widen, out: Reg, best: Reg) {
        let far = self.take(1);
        self.constant(far, FAR);
        let all = self.emit(Instr::JumpCompare { op: Op::Ge, a: widen.looked, b: far, to: 0 });
        let none = self.emit(Instr::JumpNone { reg: out, to: 0 });
        // things outside the search are farther than its distance, and by more than the tolerance for equal distances
        let bound = self.take(1);
        self.constant(bound, grognard_board::CLEARLY);
        self.emit(Instr::Op { op: Op::Add, dst: bound, a: best + 4, b: bound, n: 1 });
        let farther = self.emit(Instr::JumpCompare { op: Op::Ge, a: bound, b: widen.looked, to: 0 });
        self.aim_at(none, widen.top);
        self.aim_at(farther, widen.top);
        self.aim(all);
    }

    /// Compiles sort keys for entries of a list by distance: the number of nearer entries.
    pub(super) fn distance_keys(&mut self, list: Reg, width: Reg, bind: Reg, key: &Expr, keys: Reg) {
        let pairs = self.take(1);
        self.emit(Instr::NewList { dst: pairs });
        self.scoped(|c| {
            let looped = c.begin_loop(&collections::Entries::List { list, width }, bind);
            let places = c.two_places();
            c.places_between(key, places);
            c.emit(Instr::Push { list: pairs, src: places, n: 4 });
            c.end_loop(looped, Vec::new(), Vec::new());
        });
        self.ask_board(Op::Ranks, [pairs, 0, 0, 0], [None; 4], keys);
    }
}

/// A search for the nearest thing that may need to be widened: its start, and the distance searched so far.
pub(super) struct Widen {
    top: Pc,
    looked: Reg,
}

/// Returns the measured expression without `was`, and whether there was a `was`.
fn measured(e: &Expr) -> (&Expr, bool) {
    if let ExprKind::Was(inner) = &e.kind { (inner, true) } else { (e, false) }
}

/// Returns whether a value is `dist(a, b)` or `was dist(a, b)`.
pub(super) fn is_distance(e: &Expr) -> bool {
    matches!(&measured(e).0.kind, ExprKind::Op(Op::Dist, args) if args.len() == 2)
}
