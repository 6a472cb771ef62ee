//! Compiles events and the rules that they trigger. All guards are evaluated before any rule runs.

use super::*;
use collections::Entries;
use grognard_rules::ruleset::{Rule, Trigger};

/// A rule with an evaluated guard: the register of the verdict, followed by the values of the names that the guard
/// binds.
enum Judged {
    /// A plain rule, with a flag.
    Plain { rule: RuleId, flag: Option<Reg> },
    /// A rule of a trait, with a list of bearers.
    Bearers { rule: RuleId, list: Reg },
}

impl Compiler<'_> {
    pub(super) fn prepare_events(&mut self) {
        for n in 0..self.rules.events.len() {
            let item = self.rules.events[n].item;
            let id = self.own_function(FuncSort::Event, item);
            self.program.events.push(id);
        }
    }

    pub(super) fn event_functions(&mut self) {
        for n in 0..self.rules.events.len() {
            let id = self.program.events[n];
            let record = self.rules.events[n].data;
            let fields: Vec<Type> = self.rules.records[record.at()].fields.iter().map(|(_, t)| t.clone()).collect();
            let outer = std::mem::take(&mut self.frame);
            self.frame.func = FuncId(u32::MAX);
            let entry = self.here();
            let args: Vec<(Reg, Reg)> = fields
                .iter()
                .map(|t| {
                    let width = self.width(t);
                    (self.take(width), width)
                })
                .collect();
            let params = self.frame.top;
            self.program.funcs[id.at()].types = fields;
            self.rule_set(&[Trigger::Event(EventId::from(n))], &args);
            self.emit(Instr::Return { src: 0, n: 0 });
            self.close(id, entry, params, &Type::Nothing, outer);
        }
    }

    /// Evaluates the guards of all rules on these triggers and then runs the rules whose guard held.
    pub(super) fn rule_set(&mut self, on: &[Trigger], args: &[(Reg, Reg)]) {
        let rules: Vec<(RuleId, Rule)> = self
            .rules
            .rules
            .iter()
            .enumerate()
            .filter(|(_, r)| on.contains(&r.on))
            .map(|(n, r)| (RuleId::from(n), r.clone()))
            .collect();
        let top = self.frame.top;
        let judged: Vec<Judged> = rules.iter().map(|(id, rule)| self.judge(*id, rule, args)).collect();
        for judged in judged {
            let (Judged::Plain { rule, .. } | Judged::Bearers { rule, .. }) = judged;
            let bound = self.bound_cells(self.rules.rules[rule.at()].guard);
            match judged {
                Judged::Plain { rule, flag } => {
                    let skip = flag.map(|cond| self.emit(Instr::JumpUnless { cond, to: 0 }));
                    let func = self.rules.rules[rule.at()].func;
                    let none = self.take(1);
                    let values = flag.map(|flag| (flag + 1, bound));
                    let all: Vec<(Reg, Reg)> = args.iter().copied().chain(values).collect();
                    self.call_with(func, &all, none);
                    if let Some(skip) = skip {
                        self.aim(skip);
                    }
                }
                Judged::Bearers { rule, list } => {
                    let func = self.rules.rules[rule.at()].func;
                    let (bearer, none) = (self.take(1 + bound), self.take(1));
                    let looped = self.begin_loop(&Entries::List { list, width: 1 + bound }, bearer);
                    let all: Vec<(Reg, Reg)> =
                        [(bearer, 1)].into_iter().chain(args.iter().copied()).chain([(bearer + 1, bound)]).collect();
                    self.call_with(func, &all, none);
                    self.end_loop(looped, Vec::new(), Vec::new());
                }
            }
        }
        self.frame.top = top;
    }

    fn judge(&mut self, id: RuleId, rule: &Rule, args: &[(Reg, Reg)]) -> Judged {
        // for an action of several phases, checks in which phase it was taken
        let phase = rule.on.phase_of_actions().filter(|_| self.frame.action.is_some_and(|a| self.of_several(a)));
        let bound = self.bound_cells(rule.guard);
        let Some(of) = rule.of_trait else {
            let flag = (rule.guard.is_some() || phase.is_some()).then(|| {
                let flag = self.take(1 + bound);
                let skip = phase.map(|phase| self.unless_innermost(phase, flag));
                rule.guard.iter().for_each(|guard| self.call_with(*guard, args, flag));
                skip.into_iter().for_each(|skip| self.aim(skip));
                flag
            });
            return Judged::Plain { rule: id, flag };
        };
        let list = self.take(1);
        self.emit(Instr::NewList { dst: list });
        let skip = phase.map(|phase| {
            let flag = self.take(1);
            self.unless_innermost(phase, flag)
        });
        let kind = self.rules.traits[of.at()].on;
        self.scoped(|c| {
            let bearer = c.take(1 + bound);
            let looped = c.begin_loop(&Entries::Kind(kind), bearer);
            let next = c.bears_and_holds(rule, of, bearer, args);
            c.emit(Instr::Push { list, src: bearer, n: 1 + bound });
            c.end_loop(looped, next, Vec::new());
            for fallen in c.fallen_named(rule, kind, args) {
                c.copy(bearer, fallen, 1);
                let cond = c.take(1);
                c.emit(Instr::Alive { dst: cond, thing: bearer, kind });
                let mut skip = vec![c.emit(Instr::JumpIf { cond, to: 0 })];
                skip.extend(c.bears_and_holds(rule, of, bearer, args));
                c.emit(Instr::Push { list, src: bearer, n: 1 + bound });
                c.aim_all(skip);
            }
        });
        skip.into_iter().for_each(|skip| self.aim(skip));
        Judged::Bearers { rule: id, list }
    }

    /// Returns jumps taken unless the bearer bears the trait and the guard of the rule holds for it. Names that the
    /// guard binds come after the bearer.
    fn bears_and_holds(&mut self, rule: &Rule, of: TraitId, bearer: Reg, args: &[(Reg, Reg)]) -> Vec<usize> {
        let mut fails = self.unless_acting(bearer, of);
        if let Some(guard) = rule.guard {
            let bound = self.bound_cells(Some(guard));
            let cond = self.take(1 + bound);
            let all: Vec<(Reg, Reg)> = std::iter::once((bearer, 1)).chain(args.iter().copied()).collect();
            self.call_with(guard, &all, cond);
            fails.push(self.emit(Instr::JumpUnless { cond, to: 0 }));
            self.copy(bearer + 1, cond + 1, bound);
        }
        fails
    }

    /// Returns the things of the bearers' kind in the event. A rule also runs for a destroyed bearer if the event
    /// refers to it.
    fn fallen_named(&mut self, rule: &Rule, kind: KindId, args: &[(Reg, Reg)]) -> Vec<Reg> {
        if !self.program.links.mortal.contains(kind) {
            return Vec::new();
        }
        match rule.on {
            Trigger::Event(event) => {
                let record = self.rules.events[event.at()].data;
                let types = self.rules.records[record.at()].fields.iter().map(|(_, ty)| ty);
                types.zip(args).filter(|(ty, _)| **ty == Type::Kind(kind)).map(|(_, (reg, _))| *reg).collect()
            }
            Trigger::ActionStart(action) | Trigger::ActionEnd(action) => {
                let actor = self.rules.actions[action.at()].actor.as_ref().and_then(|a| a.ty.kind());
                let actor = actor.filter(|actor| *actor == kind).map(|_| {
                    let reg = self.take(1);
                    self.emit(Instr::Actor { dst: reg });
                    reg
                });
                actor.into_iter().collect()
            }
            Trigger::PhaseStart(_) | Trigger::PhaseEnd(_) | Trigger::AnyActionStart | Trigger::AnyActionEnd => {
                Vec::new()
            }
            Trigger::PhaseActionStart(_) | Trigger::PhaseActionEnd(_) => Vec::new(),
        }
    }

    fn of_several(&self, action: ActionId) -> bool {
        self.rules.actions[action.at()].phases.len() > 1
    }

    /// Returns a jump taken unless the innermost phase is this one. `flag` receives the result.
    fn unless_innermost(&mut self, phase: PhaseId, flag: Reg) -> usize {
        self.emit(Instr::Innermost { dst: flag, phase });
        self.emit(Instr::JumpUnless { cond: flag, to: 0 })
    }
}
