//! Distances compared exactly: a distance as a number is cut to a thousandth, so comparisons ask the board instead.

use super::*;
use crate::rules::code::ExprKind;

impl Compiler {
    /// Registers for the two places of a distance.
    fn two_places(&mut self) -> Reg {
        self.take(4)
    }

    /// The two places that `dist(a, b)` measures between, two cells each.
    pub(super) fn places_between(&mut self, e: &Expr, dst: Reg) {
        let (measured, before) = match &e.kind {
            ExprKind::Was(inner) => (&**inner, true),
            _ => (e, false),
        };
        let ExprKind::Op(Op::Dist, args) = &measured.kind else { return };
        let at = self.take(2);
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

    /// The distance between the two places from a register on, cut to a thousandth.
    fn distance(&mut self, places: Reg, dst: Reg) {
        self.ask_board(Op::Dist, [places, places + 2, 0, 0], [None; 4], dst);
    }

    /// A comparison with a distance in it, if it takes more than the cut figure; false if the figure will do.
    pub(super) fn compared_exactly(&mut self, op: Op, args: &[Expr], dst: Reg) -> bool {
        // a length is less than a distance, or not more than it, just when that holds of the cut distance
        match (op, is_distance(&args[0]), is_distance(&args[1])) {
            (_, true, true) => self.scoped(|c| {
                let (a, b) = (c.two_places(), c.two_places());
                c.places_between(&args[0], a);
                c.places_between(&args[1], b);
                let (order, zero) = (c.take(1), c.take(1));
                c.ask_board(Op::DistCmp, [a, a + 2, b, b + 2], [None; 4], order);
                c.constant(zero, 0);
                c.emit(Instr::Op { op, dst, a: order, b: zero, n: 1 });
            }),
            (Op::Le, true, _) | (Op::Ge, _, true) => self.limited(args, dst),
            (Op::Gt, true, _) | (Op::Lt, _, true) => {
                self.limited(args, dst);
                self.emit(Instr::Op { op: Op::Not, dst, a: dst, b: dst, n: 1 });
            }
            (Op::Eq | Op::Ne, true, _) | (Op::Eq | Op::Ne, _, true) => {
                self.just(args, dst);
                if op == Op::Ne {
                    self.emit(Instr::Op { op: Op::Not, dst, a: dst, b: dst, n: 1 });
                }
            }
            _ => return false,
        }
        true
    }

    /// Whether a distance is no more than a length; one of the two is the distance.
    fn limited(&mut self, args: &[Expr], dst: Reg) {
        let (measured, limit) = if is_distance(&args[0]) { (&args[0], &args[1]) } else { (&args[1], &args[0]) };
        self.scoped(|c| {
            let places = c.two_places();
            c.places_between(measured, places);
            let limit = c.value(limit);
            c.ask_board(Op::Within, [places, limit, places + 2, 0], [None; 4], dst);
        });
    }

    /// Whether a distance is just so long.
    fn just(&mut self, args: &[Expr], dst: Reg) {
        let (measured, limit) = if is_distance(&args[0]) { (&args[0], &args[1]) } else { (&args[1], &args[0]) };
        self.scoped(|c| {
            let places = c.two_places();
            c.places_between(measured, places);
            let limit = c.value(limit);
            let (near, cut) = (c.take(1), c.take(1));
            c.ask_board(Op::Within, [places, limit, places + 2, 0], [None; 4], near);
            c.distance(places, cut);
            c.emit(Instr::Op { op: Op::Eq, dst, a: cut, b: limit, n: 1 });
            let fits = c.emit(Instr::JumpIf { cond: near, to: 0 });
            c.constant(dst, 0);
            c.aim(fits);
        });
    }

    /// Jumps taken when the distance between the places in `key` is no better than that of `best`; the figures behind
    /// the four cells of each are set here. The first of equals stays.
    pub(super) fn rank_distance(&mut self, most: bool, key: Reg, best: Reg, out: Reg) -> Vec<usize> {
        let (figure, old) = (key + 4, best + 4);
        self.distance(key, figure);
        let first = self.emit(Instr::JumpNone { reg: out, to: 0 });
        let (better, worse) = if most { (Op::Gt, Op::Lt) } else { (Op::Lt, Op::Gt) };
        let mut none = vec![self.emit(Instr::JumpCompare { op: worse, a: figure, b: old, to: 0 })];
        let clear = self.emit(Instr::JumpCompare { op: better, a: figure, b: old, to: 0 });
        self.scoped(|c| {
            let order = c.take(1);
            c.ask_board(Op::DistCmp, [key, key + 2, best, best + 2], [None; 4], order);
            let op = if most { Op::Le } else { Op::Ge };
            none.push(c.emit(Instr::JumpCompareConst { op, a: order, value: 0, to: 0 }));
        });
        self.aim_all(vec![first, clear]);
        none
    }

    /// A loop over the things of a kind that are near a place; [`Compiler::end_near`] widens it.
    pub(super) fn begin_near(&mut self, bind: Reg, kind: KindId, place: Reg, out: Reg) -> (collections::Loop, Widen) {
        // the things, and how far was looked for them
        let found = self.take(2);
        self.constant(found + 1, 0);
        let widen = Widen { top: self.here(), looked: found + 1 };
        self.constant(out, NONE);
        self.ask_board(Op::Near, [0, place, found + 1, 0], [Some(kind), None, None, None], found);
        let looped = self.begin_loop(&collections::Entries::List { list: found, width: 1 }, bind);
        (looped, widen)
    }

    /// Looks farther unless the best found is nearer than all that was not looked at, or nothing is left.
    pub(super) fn end_near(&mut self, widen: Widen, out: Reg, best: Reg) {
        let far = self.take(1);
        self.constant(far, FAR);
        let all = self.emit(Instr::JumpCompare { op: Op::Ge, a: widen.looked, b: far, to: 0 });
        let none = self.emit(Instr::JumpNone { reg: out, to: 0 });
        // the figure is cut, so it is below only if the distance is
        let farther = self.emit(Instr::JumpCompare { op: Op::Ge, a: best + 4, b: widen.looked, to: 0 });
        self.aim_at(none, widen.top);
        self.aim_at(farther, widen.top);
        self.aim(all);
    }

    /// Keys that put entries of a list in the order of a distance: how many are nearer.
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

/// A look for the nearest that may have to go farther: where it begins, and how far it has gone.
pub(super) struct Widen {
    top: Pc,
    looked: Reg,
}

/// True for `dist(a, b)` and `was dist(a, b)`.
pub(super) fn is_distance(e: &Expr) -> bool {
    let measured = match &e.kind {
        ExprKind::Was(inner) => &**inner,
        _ => e,
    };
    matches!(&measured.kind, ExprKind::Op(Op::Dist, args) if args.len() == 2)
}
