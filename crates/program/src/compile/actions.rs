//! Compiles phases, actions with their menus, and policies.

use super::*;
use crate::trace_notes::{self, Part};
use grognard_rules::code::{Choose, Collection, ExprKind};
use grognard_rules::ruleset::{Forbid, HeaderLine, PolicyAnswer, PolicySite, Trigger};

impl Compiler<'_> {
    pub(super) fn prepare_phases(&mut self) {
        let phases: Vec<PhaseCode> = (0..self.rules.phases.len())
            .map(|n| {
                let id = PhaseId::from(n);
                let on_menu = |a: &grognard_rules::ruleset::Action| a.phases.contains(&id);
                let menu = self
                    .rules
                    .actions
                    .iter()
                    .enumerate()
                    .filter(|(_, a)| on_menu(a))
                    .map(|(n, _)| ActionId::from(n))
                    .collect();
                PhaseCode { func: self.rules.phases[n].func, menu, ..PhaseCode::default() }
            })
            .collect();
        self.program.phases = phases;
        for n in 0..self.rules.actions.len() {
            let action = &self.rules.actions[n];
            let (func, item) = (action.func, action.item);
            let actor = action.actor.as_ref().and_then(|e| e.ty.kind());
            let (mut shown, mut late) = (Vec::new(), Vec::new());
            for line in &action.header {
                match line {
                    HeaderLine::Choose { local, .. } => shown.push(*local),
                    HeaderLine::Late(choose) => late.push((choose.local, choose.site)),
                    HeaderLine::Let { .. } | HeaderLine::Needs { .. } => {}
                    HeaderLine::Cost { .. } | HeaderLine::Limit { .. } => {}
                }
            }
            let name = action.name.clone();
            let header = self.own_function(FuncSort::Value, item);
            self.program.actions.push(ActionCode { name, header, func, actor, shown, late, ..ActionCode::default() });
        }
    }

    /// Compiles the function of a phase: shares, start rules, body, end rules.
    pub(super) fn phase_body(&mut self, func: FuncId, body: &Body) {
        let Some(n) = self.rules.phases.iter().position(|p| p.func == func) else { return };
        let phase = PhaseId::from(n);
        self.program.phases[n].locals = self.frame.locals.clone();
        let shares = self.rules.phases[n].shares.clone();
        let params = self.params_of(func);
        self.emit(Instr::Enter { phase });
        for (local, default) in shares {
            let dst = self.local(local);
            self.call_with(default, &params, dst);
        }
        self.rule_set(&[Trigger::PhaseStart(phase)], &[]);
        self.emit(Instr::Started { phase });
        self.happens(body);
        self.program.phases[n].end = self.here();
        self.emit(Instr::Ending { phase });
        self.rule_set(&[Trigger::PhaseEnd(phase)], &[]);
        self.program.phases[n].out = self.here();
        self.emit(Instr::Leave { phase });
        self.emit(Instr::Return { src: 0, n: 0 });
    }

    fn params_of(&self, func: FuncId) -> Vec<(Reg, Reg)> {
        let f = &self.rules.functions[func.at()];
        f.locals.iter().take(f.params).enumerate().map(|(n, l)| (self.frame.locals[n], self.width(&l.ty))).collect()
    }

    /// Compiles a body up to the point at which all exits from it continue.
    fn happens(&mut self, body: &Body) {
        self.frame.exits = Some(Vec::new());
        if let Body::Block(stmts) = body {
            self.block(stmts);
        }
        let exits = self.frame.exits.take().unwrap_or_default();
        self.aim_all(exits);
    }

    /// Compiles the function of a picked instance: late choices, costs, limits, start rules, body, end rules.
    pub(super) fn action_body(&mut self, func: FuncId, body: &Body) {
        let Some(n) = self.rules.actions.iter().position(|a| a.func == func) else { return };
        let id = ActionId::from(n);
        self.frame.action = Some(id);
        self.program.actions[n].locals = self.frame.locals.clone();
        self.program.actions[n].frame = self.frame.top;
        let header = self.rules.actions[n].header.clone();
        let mut late = false;
        for (at, line) in header.iter().enumerate() {
            match line {
                HeaderLine::Late(choose) => {
                    self.scoped(|c| c.choose(&with_needs(choose, &header[at + 1..])));
                    late = true;
                }
                // on the menu nothing was chosen yet
                HeaderLine::Let { local, value } if late => self.scoped(|c| {
                    let dst = c.local(*local);
                    c.value_to(value, dst);
                    c.check_local(dst, value, *local);
                }),
                HeaderLine::Let { .. } | HeaderLine::Choose { .. } | HeaderLine::Needs { .. } => {}
                HeaderLine::Cost { .. } | HeaderLine::Limit { .. } => {}
            }
        }
        for (at, line) in header.iter().enumerate() {
            match line {
                HeaderLine::Cost { amount, of, paid, .. } => self.scoped(|c| {
                    c.place(amount.span);
                    let amount = match paid.map(|local| (local, c.local(local))) {
                        Some((local, paid)) => {
                            c.value_to(amount, paid);
                            c.check_local(paid, amount, local);
                            paid
                        }
                        None => c.value(amount),
                    };
                    let left = c.take(1);
                    let ambient = c.rules.ambients[of.at()].clone();
                    c.emit(Instr::Ambient { dst: left, id: *of });
                    let old = c.note_before(left, &ambient.ty);
                    c.emit(Instr::Op { op: Op::Sub, dst: left, a: left, b: amount, n: 1 });
                    c.emit(Instr::SetAmbient { id: *of, src: left });
                    c.note_shared(ambient.name, old, left, &ambient.ty);
                }),
                HeaderLine::Limit { times, key, when, .. } => self.scoped(|c| {
                    let skip = when.as_ref().map_or(Vec::new(), |w| c.unless(w));
                    let (times, key) = c.limit_operands(id, times, key.as_ref());
                    c.emit(Instr::Use { action: id, line: at as u16, times, key });
                    c.aim_all(skip);
                }),
                HeaderLine::Let { .. } | HeaderLine::Choose { .. } => {}
                HeaderLine::Late(_) | HeaderLine::Needs { .. } => {}
            }
        }
        self.scoped(|c| {
            let actor = c.actor_cell(id);
            c.emit(Instr::Begin { action: id, actor });
        });
        self.rule_set(&self.rules.starts_of_action(id), &[]);
        self.happens(body);
        self.rule_set(&self.rules.ends_of_action(id), &[]);
        self.program.actions[n].out = self.here();
        self.emit(Instr::Finish { action: id });
        self.emit(Instr::Return { src: 0, n: 0 });
    }

    /// Compiles the index of the actor, or -1.
    fn actor_cell(&mut self, id: ActionId) -> Reg {
        let dst = self.take(1);
        match self.rules.actions[id.at()].actor.clone() {
            Some(actor) => self.value_to(&actor, dst),
            None => self.constant(dst, -1),
        }
        dst
    }

    fn limit_operands(&mut self, id: ActionId, times: &Expr, key: Option<&Expr>) -> (Reg, Reg) {
        let dst = self.take(1);
        self.value_to(times, dst);
        let of = self.take(1);
        match key {
            Some(key) => self.value_to(key, of),
            None => {
                let actor = self.actor_cell(id);
                self.copy(of, actor, 1);
            }
        }
        (dst, of)
    }

    // ---------------------------------------------------------------- menus

    pub(super) fn choose_action(&mut self, site: SiteId, by: Option<&Expr>, or_stop: bool, stop_when: Option<&Expr>) {
        let stop = or_stop.then(|| {
            let flag = self.take(1);
            match stop_when {
                Some(when) => self.value_to(when, flag),
                None => self.constant(flag, 1),
            }
            flag
        });
        let dst = self.take(1);
        self.ask(site, by, |_, _| AskKind::Menu { dst, stop });
        if or_stop && !self.frame.loops.is_empty() {
            let at = self.emit(Instr::JumpIf { cond: dst, to: 0 });
            self.leave_loop(at);
        }
    }

    /// Compiles the functions that put the instances of each action on the menu.
    pub(super) fn action_headers(&mut self) {
        for n in 0..self.rules.actions.len() {
            let id = ActionId::from(n);
            let action = self.rules.actions[n].clone();
            let header = self.program.actions[n].header;
            let outer = self.open(action.func);
            self.frame.action = Some(id);
            let entry = self.here();
            self.reached(action.item);
            self.header_lines(id, &action.header, 0, false);
            self.emit(Instr::Return { src: 0, n: 0 });
            self.close(header, entry, 0, &Type::Nothing, outer);
        }
    }

    fn header_lines(&mut self, id: ActionId, lines: &[HeaderLine], at: usize, late: bool) {
        self.refusal(id, lines, at);
        let Some(line) = lines.get(at) else { return self.offer(id, at) };
        match line {
            HeaderLine::Let { local, value } => {
                let dst = self.local(*local);
                self.value_to(value, dst);
                self.check_local(dst, value, *local);
                self.header_lines(id, lines, at + 1, late);
            }
            HeaderLine::Choose { local, from, filter, .. } => {
                let bind = self.local(*local);
                let entries = if let Collection::List(_) = from {
                    let (list, width) = self.as_list(from);
                    let own = self.take(1);
                    self.copy(own, list, 1);
                    self.emit(Instr::Distinct { list: own, n: width });
                    collections::Entries::List { list: own, width }
                } else {
                    self.source(from)
                };
                let looped = self.begin_loop(&entries, bind);
                let next = filter.as_ref().map_or(Vec::new(), |f| self.unless(f));
                self.header_lines(id, lines, at + 1, late);
                self.end_loop(looped, next, Vec::new());
            }
            HeaderLine::Late(choose) => {
                for line in &lines[at + 1..] {
                    if let HeaderLine::Needs { cites, .. } = line {
                        self.ran(cites);
                    }
                }
                let choose = with_needs(choose, &lines[at + 1..]);
                let fails = self.scoped(|c| c.unless_answerable(&choose));
                self.header_lines(id, lines, at + 1, true);
                self.refuse(id, at, fails);
            }
            // after a late choice they filter its candidates
            HeaderLine::Needs { .. } if late => self.header_lines(id, lines, at + 1, late),
            HeaderLine::Needs { condition, cites, .. } => {
                self.ran(cites);
                let fails = self.unless(condition);
                self.header_lines(id, lines, at + 1, late);
                self.refuse(id, at, fails);
            }
            HeaderLine::Cost { amount, of, .. } => {
                let fails = self.scoped(|c| {
                    let amount = c.value(amount);
                    let left = c.take(1);
                    c.emit(Instr::Ambient { dst: left, id: *of });
                    vec![c.emit(Instr::JumpCompare { op: Op::Lt, a: left, b: amount, to: 0 })]
                });
                self.header_lines(id, lines, at + 1, late);
                self.refuse(id, at, fails);
            }
            HeaderLine::Limit { times, key, when, .. } => {
                let fails = self.scoped(|c| {
                    let skip = when.as_ref().map_or(Vec::new(), |w| c.unless(w));
                    let (times, key) = c.limit_operands(id, times, key.as_ref());
                    let dst = c.take(1);
                    c.emit(Instr::Allowed { dst, action: id, line: at as u16, times, key });
                    let fails = vec![c.emit(Instr::JumpUnless { cond: dst, to: 0 })];
                    c.aim_all(skip);
                    fails
                });
                self.header_lines(id, lines, at + 1, late);
                self.refuse(id, at, fails);
            }
        }
    }

    /// Returns jumps taken if a late choice would have too few candidates.
    fn unless_answerable(&mut self, choose: &Choose) -> Vec<usize> {
        if choose.or_none {
            return Vec::new();
        }
        let entry = self.local(choose.entry);
        let (list, _) = self.candidates(&choose.from, entry, choose.filter.as_ref(), choose.amount.is_none());
        let length = self.take(1);
        self.emit(Instr::Length { dst: length, list });
        let least = self.take(1);
        match &choose.amount {
            Some((low, _)) => self.value_to(low, least),
            None => self.constant(least, 1),
        }
        vec![self.emit(Instr::JumpCompare { op: Op::Lt, a: length, b: least, to: 0 })]
    }

    /// Compiles the target of failed conditions: records the refusal and continues with the next instance.
    fn refuse(&mut self, action: ActionId, line: usize, fails: Vec<usize>) {
        let over = self.jump();
        self.aim_all(fails);
        self.emit(Instr::Refuse { action, line: line as u16 });
        self.aim(over);
    }

    /// Offers the instance unless a special rule of its actor forbids the action.
    fn offer(&mut self, id: ActionId, at: usize) {
        let forbidding: Vec<(TraitId, Forbid)> = self
            .rules
            .traits
            .iter()
            .enumerate()
            .flat_map(|(n, t)| t.forbids.iter().filter(|f| f.action == id).map(move |f| (TraitId::from(n), f.clone())))
            .collect();
        let kind = self.program.actions[id.at()].actor;
        let forbidding: Vec<_> =
            forbidding.into_iter().filter(|(t, _)| Some(self.rules.traits[t.at()].on) == kind).collect();
        if forbidding.is_empty() {
            self.emit(Instr::Offer { action: id });
            return;
        }
        let actor = self.actor_cell(id);
        let mut over = Vec::new();
        for (n, (tr, forbid)) in forbidding.iter().enumerate() {
            let mut free = self.unless_acting(actor, *tr);
            if let Some(when) = forbid.when {
                let cond = self.take(1);
                self.call_with(when, &[(actor, 1)], cond);
                free.push(self.emit(Instr::JumpUnless { cond, to: 0 }));
            }
            let line = (at + n) as u16;
            self.forbid_words(id, at + n, *tr, &forbid.cites);
            self.ran_item(self.rules.traits[tr.at()].item);
            self.ran(&forbid.cites);
            self.emit(Instr::Refuse { action: id, line });
            over.push(self.jump());
            self.aim_all(free);
        }
        self.emit(Instr::Offer { action: id });
        self.aim_all(over);
    }

    fn forbid_words(&mut self, id: ActionId, line: usize, tr: TraitId, own: &[String]) {
        let info = &self.rules.traits[tr.at()];
        let text = format!("forbidden by {} {}", info.sort.word(), info.name);
        let mut cites = self.rules.items[info.item.at()].cites.clone();
        cites.extend(own.iter().filter(|c| !cites.contains(c)).cloned().collect::<Vec<_>>());
        let chosen = self.program.actions[id.at()].shown.len();
        let lines = &mut self.program.actions[id.at()].lines;
        if lines.len() <= line {
            lines.resize(line + 1, HeaderCode::default());
        }
        lines[line] = HeaderCode { chosen, text, cites, ..HeaderCode::default() };
    }

    /// Sets the text for the refusal of a header line.
    fn refusal(&mut self, id: ActionId, lines: &[HeaderLine], at: usize) {
        let Some(line) = lines.get(at) else { return };
        let (text, cites) = match line {
            HeaderLine::Needs { text, reason, cites, .. } => {
                let words = if reason.is_empty() { format!("needs {text}") } else { reason.clone() };
                (words, cites.clone())
            }
            HeaderLine::Cost { name, .. } => (format!("not enough {name}"), Vec::new()),
            HeaderLine::Limit { per, .. } => {
                (format!("its limit per {} is used up", self.rules.phases[per.at()].name), Vec::new())
            }
            HeaderLine::Late(_) => ("too few to choose from".to_string(), Vec::new()),
            HeaderLine::Let { .. } | HeaderLine::Choose { .. } => (String::new(), Vec::new()),
        };
        let chosen = lines[..at].iter().filter(|l| matches!(l, HeaderLine::Choose { .. })).count();
        let limit = if let HeaderLine::Limit { per, key, .. } = line {
            Some((*per, key.as_ref().map(|key| key.ty.clone())))
        } else {
            None
        };
        let list = &mut self.program.actions[id.at()].lines;
        if list.len() <= at {
            list.resize(at + 1, HeaderCode::default());
        }
        list[at] = HeaderCode { chosen, limit, text, cites, ..HeaderCode::default() };
        if self.program.detail != Detail::Traced {
            return;
        }
        let figures = self.refused_figures(id, line);
        // without a reason, the numbers are the message
        let instead = match line {
            HeaderLine::Needs { reason, .. } if reason.is_empty() && !figures.is_empty() => Some("needs "),
            HeaderLine::Limit { .. } => Some("its limit of "),
            HeaderLine::Needs { .. } | HeaderLine::Cost { .. } => None,
            HeaderLine::Let { .. } | HeaderLine::Choose { .. } | HeaderLine::Late(_) => None,
        };
        if let Some(text) = instead {
            self.program.actions[id.at()].lines[at].text = text.to_string();
        }
        self.wording(figures, WordingOf::Refusal(id, at));
        if let HeaderLine::Needs { condition, .. } = line {
            self.note_never(condition, WordingOf::Refusal(id, at));
        }
    }

    /// Returns the numbers that failed, for a refusal.
    fn refused_figures(&self, id: ActionId, line: &HeaderLine) -> Vec<Part> {
        let text = |text: &str| Part::Text(text.to_string());
        match line {
            HeaderLine::Needs { condition, reason, .. } => {
                let locals = self.locals_of(self.rules.actions[id.at()].func);
                let rendered = trace_notes::explained(self.rules, locals, condition, reason.is_empty());
                if rendered.iter().any(|p| matches!(p, Part::Value(_))) { rendered } else { Vec::new() }
            }
            HeaderLine::Cost { amount, of, .. } => {
                let ty = self.rules.ambients[of.at()].ty.clone();
                let left = Expr { kind: ExprKind::Ambient(*of), ty, span: amount.span };
                vec![Part::Value(left), text(" left of "), Part::Value(amount.clone())]
            }
            HeaderLine::Limit { times, per, .. } => {
                let per = format!(" per {} is used up", self.rules.phases[per.at()].name);
                vec![Part::Value(times.clone()), Part::Text(per)]
            }
            HeaderLine::Let { .. } | HeaderLine::Choose { .. } | HeaderLine::Late(_) => Vec::new(),
        }
    }

    // ---------------------------------------------------------------- policies

    pub(super) fn policies(&mut self) {
        let shell = Fragment { entry: 0, result: 0, width: 0, top: 0 };
        for n in 0..self.rules.policies.len() {
            for entry in self.rules.policies[n].entries.clone() {
                let at = self.program.policies.len();
                let (func, top, site) = match (entry.site, &entry.answer) {
                    (PolicySite::Site(site), _) => {
                        (Some(self.rules.sites[site.at()].func), self.ask_top(site), Some(site))
                    }
                    (PolicySite::Menu, PolicyAnswer::Action(action)) => {
                        let func = self.rules.actions[action.at()].func;
                        (Some(func), self.program.actions[action.at()].frame, None)
                    }
                    (PolicySite::Menu, _) => (None, 0, None),
                };
                let mut put = Vec::new();
                let answer = match &entry.answer {
                    PolicyAnswer::Action(id) => PolicyAnswerCode::Action(*id),
                    PolicyAnswer::Stop => PolicyAnswerCode::Stop,
                    PolicyAnswer::Flag(yes) => PolicyAnswerCode::Flag(*yes),
                    PolicyAnswer::None => PolicyAnswerCode::None,
                    PolicyAnswer::Option(n) => PolicyAnswerCode::Option(*n),
                    PolicyAnswer::Extreme { most, by, .. } => {
                        put.push((by.clone(), false));
                        PolicyAnswerCode::Extreme {
                            most: *most,
                            key: shell,
                            optional: matches!(by.ty, Type::Optional(_)),
                            entry: 0,
                        }
                    }
                    PolicyAnswer::Value(value) => {
                        put.push((value.clone(), false));
                        PolicyAnswerCode::Value(shell)
                    }
                };
                if let Some(when) = &entry.when {
                    put.push((when.clone(), true));
                }
                let when = entry.when.as_ref().map(|_| shell);
                self.program.policies.push(PolicyCode { policy: PolicyId::from(n), site, answer, when });
                let Some(func) = func else { continue };
                let outer = self.open(func);
                self.frame.top = self.frame.top.max(top);
                if let (PolicyAnswerCode::Extreme { entry: reg, .. }, PolicyAnswer::Extreme { entry, .. }) =
                    (&mut self.program.policies[at].answer, &entry.answer)
                {
                    *reg = self.frame.locals.get(entry.at()).copied().unwrap_or(0);
                }
                for (expr, when) in put {
                    self.put_off(expr, LaterSlot::Policy { at, when });
                }
                self.emit_later();
                self.frame = outer;
            }
        }
    }

    /// Returns the first register that is free at every query of a site.
    fn ask_top(&self, site: SiteId) -> Reg {
        self.program.asks.iter().filter(|a| a.site == site).map(|a| a.top).max().unwrap_or(0)
    }
}

/// Returns a late choice with the `needs` after it as part of its filter.
fn with_needs(choose: &Choose, below: &[HeaderLine]) -> Choose {
    let mut choose = choose.clone();
    if choose.amount.is_some() {
        return choose;
    }
    let mut parts: Vec<Expr> = choose.filter.take().into_iter().collect();
    for line in below {
        if let HeaderLine::Needs { condition, .. } = line {
            parts.push(condition.clone());
        }
    }
    // the needs refer to the answer, the filter to the candidate: one register serves both
    choose.entry = choose.local;
    choose.filter = match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => {
            let span = parts[0].span;
            Some(Expr { kind: grognard_rules::code::ExprKind::And(parts), ty: Type::Flag, span })
        }
    };
    choose
}
