//! Compiles moves: operands of the lines go into registers, conditions are deferred.

use super::*;
use crate::settings;
use collections::Entries;
use grognard_base::OrdSet;
use grognard_rules::code::{Move, MoveLine, Stmt};
use grognard_rules::wording;
use writes::Touched;

impl Compiler<'_> {
    pub(super) fn motion(&mut self, motion: &Move, leg: Option<LocalId>, otherwise: Option<&[Stmt]>) {
        let (thing, kind) = self.thing(&motion.thing);
        let skip = self.skip_missing(&motion.thing, thing);
        self.needs_play(thing, kind);
        let subject = self.take(1);
        self.copy(subject, thing, 1);
        let lines: Vec<LineCode> = motion.lines.iter().map(|line| self.move_line(line)).collect();
        let leg = match leg {
            Some(local) => self.local(local),
            None => self.take(4),
        };
        let moved = self.take(1);
        let judged = |line: &MoveLine| {
            line.asks.parts().zip(&line.parts).find(|(sort, _)| sort.is_judged()).map(|(_, e)| e.clone())
        };
        let put_off: Vec<(usize, Expr)> =
            motion.lines.iter().enumerate().filter_map(|(n, line)| Some((n, judged(line)?))).collect();
        let who = self.take(2);
        let who = Who { subject: who, player: who + 1 };
        self.scoped(|c| c.who_of(subject, kind, who.subject, who.player));
        let at = self.ask_who(motion.site, who, |_, _| {
            AskKind::Move(MoveCode { kind, thing: subject, lines, leg, moved, again: None })
        });
        for (line, expr) in put_off {
            self.put_off(expr, LaterSlot::Line { ask: at, line });
        }
        self.move_again(motion, at);
        let legal = self.emit(Instr::JumpIf { cond: moved, to: 0 });
        if let Some(body) = otherwise {
            self.block(body);
        }
        let there = self.jump();
        self.aim(legal);
        self.after(&Touched { table: true, thing: Some((subject, kind)), ..Touched::default() });
        self.aim(there);
        self.aim_all(skip);
    }

    /// Defers a second copy of the lines if the program is compiled for traces and a line contains a reading.
    fn move_again(&mut self, motion: &Move, ask: usize) {
        if self.program.detail != Detail::Traced {
            return;
        }
        let readings = |e: &Expr| -> Vec<SettingId> {
            let found = settings::read(self.rules, &self.program.links.reads, e);
            found.into_iter().filter(|s| self.rules.settings[s.at()].alternatives.len() > 1).collect()
        };
        let (mut all, mut asked) = (OrdSet::new(), OrdSet::new());
        for line in &motion.lines {
            all.extend(line.when.iter().flat_map(readings));
            for (sort, e) in line.asks.parts().zip(&line.parts) {
                if sort.is_judged() { &mut asked } else { &mut all }.extend(readings(e));
            }
        }
        all.extend(asked.iter().copied());
        if all.is_empty() {
            return;
        }
        let (readings, asked) = (all.into_iter().collect(), asked.into_iter().collect());
        self.later.push(Later {
            work: Work::Lines(motion.lines.clone()),
            top: self.frame.top,
            slot: LaterSlot::MoveAgain { ask, readings, asked },
        });
    }

    pub(super) fn move_line(&mut self, line: &MoveLine) -> LineCode {
        let active = line.when.as_ref().map(|when| {
            let flag = self.take(1);
            self.value_to(when, flag);
            flag
        });
        let passed = match active {
            Some(cond) if !line.cites.is_empty() => vec![self.emit(Instr::JumpUnless { cond, to: 0 })],
            _ => Vec::new(),
        };
        self.ran(&line.cites);
        self.aim_all(passed);
        let parts = line.asks.parts().zip(&line.parts).map(|(sort, e)| match sort {
            MovePart::Length | MovePart::Angle => LinePart::Number(self.kept(e)),
            MovePart::Places | MovePart::Route | MovePart::Things => LinePart::Places(self.places(e)),
            MovePart::Condition | MovePart::LooksBack | MovePart::Cost => {
                LinePart::Judged(Fragment { entry: 0, result: 0, width: 1, top: 0 })
            }
        });
        let parts = parts.collect();
        let point = line.point.map(|point| self.local(point));
        let names = wording::names(self.locals_of(self.frame.func));
        let say = |e: &Expr| wording::words(self.rules, &names, e);
        let text = line.asks.words(line.parts.iter().map(say));
        LineCode { active, asks: line.asks, parts, point, cites: line.cites.clone(), text }
    }

    /// Compiles a value into a register that is not reused.
    fn kept(&mut self, e: &Expr) -> Reg {
        let dst = self.take(self.width(&e.ty).max(1));
        self.value_to(e, dst);
        dst
    }

    /// Compiles places to a list of two cells each: one place, a thing, or a list of them.
    fn places(&mut self, e: &Expr) -> Reg {
        let list = self.take(1);
        match e.ty.entry() {
            Some(inner) => {
                let from = self.value(e);
                let width = self.width(inner);
                self.emit(Instr::NewList { dst: list });
                self.scoped(|c| {
                    let (bind, place) = (c.take(width.max(1)), c.take(2));
                    let looped = c.begin_loop(&Entries::List { list: from, width }, bind);
                    match inner.kind() {
                        Some(kind) => c.pack_place(bind, kind, place),
                        None => c.copy(place, bind, 2),
                    }
                    c.emit(Instr::Push { list, src: place, n: 2 });
                    c.end_loop(looped, Vec::new(), Vec::new());
                });
            }
            None => self.scoped(|c| {
                let place = c.take(2);
                c.place_of(e, place);
                c.emit(Instr::NewList { dst: list });
                let missing = c.emit(Instr::JumpNone { reg: place, to: 0 });
                c.emit(Instr::Push { list, src: place, n: 2 });
                c.aim(missing);
            }),
        }
        list
    }
}
