//! Compiles rolls, draws and decisions.

use super::*;
use grognard_rules::code::{ChoiceOption, Choose, Collection, ExprKind, Prefer, Stmt, StmtKind};
use grognard_rules::reads::walk::{Node, walk_body};
use grognard_rules::ruleset::Trigger;

impl Compiler<'_> {
    /// Emits a query. `kind` creates its operands from the index of the query and the registers of its subject.
    pub(super) fn ask(
        &mut self,
        site: SiteId,
        by: Option<&Expr>,
        kind: impl FnOnce(&mut Self, usize) -> AskKind,
    ) -> usize {
        let who = self.who(by);
        self.ask_who(site, who, kind)
    }

    pub(super) fn ask_who(&mut self, site: SiteId, who: Who, kind: impl FnOnce(&mut Self, usize) -> AskKind) -> usize {
        let at = self.program.asks.len();
        self.program.asks.push(Ask { site, who, kind: AskKind::May { dst: 0, prefer: None }, top: 0 });
        let kind = kind(self, at);
        self.program.asks[at].kind = kind;
        self.program.asks[at].top = self.frame.top;
        if let Some(info) = self.rules.sites.get(site.at()) {
            let span = info.span;
            self.place(span);
        }
        self.emit(Instr::Ask { at: at as u32 });
        at
    }

    // ---------------------------------------------------------------- who

    /// Returns subject and player of a query: the thing after `by`, otherwise that of the declaration.
    pub(super) fn who(&mut self, by: Option<&Expr>) -> Who {
        let subject = self.take(1);
        let player = self.take(1);
        self.scoped(|c| match by {
            Some(e) => c.who_of_expr(e, subject, player),
            None => match c.own_subject() {
                Some((reg, kind)) => c.who_of(reg, kind, subject, player),
                None => match c.rule_actor() {
                    Some(kind) => {
                        let reg = c.take(1);
                        c.emit(Instr::Actor { dst: reg });
                        c.who_of(reg, kind, subject, player);
                    }
                    None => {
                        c.constant(subject, -1);
                        c.constant(player, -1);
                    }
                },
            },
        });
        Who { subject, player }
    }

    /// Returns the subject of a roll, which has no player.
    fn subject(&mut self, by: Option<&Expr>) -> Who {
        if by.is_none()
            && let Some((reg, kind)) = self.own_subject()
        {
            let subject = self.take(1);
            self.emit(Instr::Op { op: Op::Pack, dst: subject, a: reg, b: reg, n: kind.0 as Reg });
            return Who { subject, player: subject };
        }
        self.who(by)
    }

    fn who_of_expr(&mut self, e: &Expr, subject: Reg, player: Reg) {
        let reg = self.value(e);
        let nobody = |c: &mut Self| {
            c.constant(subject, -1);
            c.constant(player, -1);
        };
        let Some(kind) = e.ty.kind() else { return nobody(self) };
        let missing = matches!(e.ty, Type::Optional(_)).then(|| self.emit(Instr::JumpNone { reg, to: 0 }));
        self.needs_play(reg, kind);
        self.who_of(reg, kind, subject, player);
        if let Some(missing) = missing {
            let there = self.jump();
            self.aim(missing);
            nobody(self);
            self.aim(there);
        }
    }

    /// Follows the owner fields of a thing to an owner whose kind has none.
    pub(super) fn who_of(&mut self, thing: Reg, kind: KindId, subject: Reg, player: Reg) {
        self.emit(Instr::Op { op: Op::Pack, dst: subject, a: thing, b: thing, n: kind.0 as Reg });
        let (mut reg, mut of) = (thing, kind);
        let mut ends = Vec::new();
        self.copy(player, subject, 1);
        for _ in 0..16 {
            let Some(field) = self.rules.kinds[of.at()].owner else { break };
            let ty = self.rules.fields[field.at()].ty.clone();
            let Type::Kind(next) = *ty.present() else { break };
            let dst = self.take(1);
            self.field_of(reg, field, &[], dst);
            if matches!(ty, Type::Optional(_)) {
                ends.push(self.emit(Instr::JumpNone { reg: dst, to: 0 }));
            }
            self.emit(Instr::Op { op: Op::Pack, dst: player, a: dst, b: dst, n: next.0 as Reg });
            (reg, of) = (dst, next);
        }
        self.aim_all(ends);
    }

    /// Returns the first parameter of the current function if it is a thing; for an action, its actor.
    fn own_subject(&mut self) -> Option<(Reg, KindId)> {
        let (thing, kind) = self.first_thing()?;
        // a rule on an event may refer to a destroyed thing; procs, tests and actions are executed by a thing in play
        if !self.rules.rules.iter().any(|r| r.func == self.frame.func || r.guard == Some(self.frame.func)) {
            self.needs_play(thing, kind);
        }
        Some((thing, kind))
    }

    fn first_thing(&mut self) -> Option<(Reg, KindId)> {
        if let Some(action) = self.frame.action {
            let actor = self.rules.actions[action.at()].actor.clone()?;
            let Type::Kind(kind) = *actor.ty.present() else { return None };
            let reg = self.value(&actor);
            return Some((reg, kind));
        }
        let function = self.function_of(self.frame.func)?;
        if function.params == 0 {
            return None;
        }
        Some((self.frame.locals[0], function.locals.first()?.ty.kind()?))
    }

    /// Returns the kind of the acting thing in a rule on an action or phase, if all possible actors have the same kind.
    fn rule_actor(&self) -> Option<KindId> {
        let rs = self.rules;
        let rule = rs.rules.iter().find(|r| r.func == self.frame.func)?;
        let kinds: Vec<Option<KindId>> = match rule.on {
            Trigger::ActionStart(a) | Trigger::ActionEnd(a) => vec![actor_kind(rs, a)],
            Trigger::AnyActionStart | Trigger::AnyActionEnd => {
                (0..rs.actions.len()).map(|n| actor_kind(rs, ActionId::from(n))).collect()
            }
            Trigger::PhaseActionStart(phase) | Trigger::PhaseActionEnd(phase) => {
                rs.actions_in(phase).into_iter().map(|a| actor_kind(rs, a)).collect()
            }
            Trigger::Event(_) | Trigger::PhaseStart(_) | Trigger::PhaseEnd(_) => return None,
        };
        let first = kinds.first().copied().flatten()?;
        kinds.iter().all(|k| *k == Some(first)).then_some(first)
    }

    // ---------------------------------------------------------------- dice

    pub(super) fn roll(
        &mut self,
        site: SiteId,
        local: LocalId,
        count: Option<&Expr>,
        dice: &Expr,
        sum: bool,
        by: Option<&Expr>,
    ) {
        let dst = self.local(local);
        let who = self.subject(by);
        let pool = dice.ty.entry().filter(|_| matches!(dice.ty, Type::List(_)));
        let (list, sort) = (pool.is_some(), dice_sort(pool.unwrap_or(&dice.ty)));
        let rerolled = self.program.links.rerolled.contains(site);
        let fixed = if let ExprKind::Const(value) = dice.kind { Some(value).filter(|_| !rerolled) } else { None };
        let reg = self.take(1);
        match fixed {
            None => self.value_to(dice, reg),
            Some(_) => self.ran_type(&dice.ty),
        }
        let count = count.map(|e| {
            let dst = self.take(1);
            self.value_to(e, dst);
            dst
        });
        self.frame.recipes.insert(site, Recipe { dice: reg, sort, list, summed: sum.then_some(count) });
        self.ask_who(site, who, |_, _| AskKind::Roll { dst, count, dice: reg, fixed, sort, list, sum });
    }

    /// Returns the rolls that a `reroll` or `explode` refers to.
    pub(super) fn find_rerolled(&self) -> IdSet<SiteId> {
        let mut found = IdSet::default();
        for function in &self.rules.functions {
            walk_body(&function.body, &mut |node| {
                if let Node::Stmt(Stmt { kind: StmtKind::Reroll { roll, .. }, .. }) = node {
                    found.insert(*roll);
                }
            });
        }
        found
    }

    #[allow(clippy::too_many_arguments)] // the parts of one statement
    pub(super) fn reroll(
        &mut self,
        site: SiteId,
        roll: SiteId,
        explode: bool,
        pool: LocalId,
        entry: Option<LocalId>,
        filter: Option<&Expr>,
        rounds: Option<&Expr>,
    ) {
        let Some(Recipe { dice: recipe, sort, list: many, summed }) = self.frame.recipes.get(&roll).copied() else {
            return;
        };
        let pool_reg = self.local(pool);
        if let Some(count) = summed {
            // the individual dice of a sum are not known, so all dice are rolled again
            let (dst, dice) = (pool_reg, recipe);
            self.ask(site, None, |_, _| AskKind::Roll { dst, count, dice, fixed: None, sort, list: false, sum: true });
            return;
        }
        let list = matches!(self.local_type(pool), Type::List(_));
        let left = self.take(1);
        match rounds {
            Some(e) => {
                self.value_to(e, left);
                let rounds = Type::Int(Range::new(0, Range::ALL.high));
                let name = self.local_name(pool);
                self.check_range(left, e, &rounds, |_| format!("the rounds of `{name}`"));
            }
            None => self.constant(left, if explode { 100 } else { 1 }),
        }
        // the indices of the rerolled dice; later rounds consider only the dice of the round before
        let which = self.take(1);
        let zero = self.take(1);
        self.constant(zero, 0);
        let among = self.take(1);
        if list {
            self.emit(Instr::Own { list: pool_reg });
            let last = self.take(1);
            self.emit(Instr::Length { dst: last, list: pool_reg });
            self.emit(Instr::AddConst { dst: last, a: last, value: -1 });
            self.emit(Instr::Span { dst: among, low: zero, high: last });
        } else {
            self.emit(Instr::Span { dst: among, low: zero, high: zero });
        }
        let top = self.here();
        let over = self.emit(Instr::JumpCompare { op: Op::Le, a: left, b: zero, to: 0 });
        let asked = entry.zip(filter).filter(|_| list);
        let asked = asked.and_then(|(entry, filter)| faces::asked(self, entry, filter, true));
        let mut none = Vec::new();
        let length = self.take(1);
        if let Some(asked) = &asked {
            self.copy(which, among, 1);
            self.fitting(asked, pool_reg, which);
        } else {
            self.emit(Instr::NewList { dst: which });
        }
        self.scoped(|c| {
            if asked.is_some() {
                return;
            }
            let place = c.take(1);
            let looped = c.begin_loop(&collections::Entries::List { list: among, width: 1 }, place);
            let bind = entry.map(|e| c.local(e));
            if let Some(bind) = bind {
                c.emit(Instr::Entry { dst: bind, list: pool_reg, index: place, n: 1 });
                // dice of one kind are exchangeable, so the choice among them does not matter
                c.orderless(top);
            }
            let next = filter.map_or(Vec::new(), |f| c.unless(f));
            c.emit(Instr::Push { list: which, src: place, n: 1 });
            c.end_loop(looped, next, Vec::new());
        });
        self.emit(Instr::Length { dst: length, list: which });
        none.push(self.emit(Instr::JumpCompare { op: Op::Eq, a: length, b: zero, to: 0 }));
        let faces = asked.as_ref().and_then(|asked| asked.by_face_alone(pool)).filter(|_| explode && !many);
        let chains = faces.map(|faces| Chains {
            fits: faces.into_iter().map(|(op, than)| (op, self.value(than))).collect(),
            left,
            over: 0,
        });
        let asked = self.ask(site, None, |_, _| {
            let (pool, chains) = (pool_reg, chains);
            AskKind::Reroll { pool, which, recipe, many, sort, explode, list, roll, chains }
        });
        // the machine leaves the indices of the new dice in `which`
        self.copy(among, which, 1);
        self.emit(Instr::AddConst { dst: left, a: left, value: -1 });
        self.emit(Instr::Jump { to: top });
        self.aim(over);
        self.aim_all(none);
        let behind = self.here();
        if let AskKind::Reroll { chains: Some(chains), .. } = &mut self.program.asks[asked].kind {
            chains.over = behind;
        }
    }

    #[allow(clippy::too_many_arguments)] // the parts of one statement
    pub(super) fn draw(
        &mut self,
        site: SiteId,
        local: LocalId,
        amount: Option<&(Expr, Expr)>,
        entry: LocalId,
        from: &Collection,
        filter: Option<&Expr>,
        or_none: bool,
        weight: Option<&Expr>,
        by: Option<&Expr>,
    ) {
        let dst = self.local(local);
        let who = self.who(by);
        let amount = amount.map(|(least, most)| {
            let (a, b) = (self.take(1), self.take(1));
            self.value_to(least, a);
            self.value_to(most, b);
            (a, b)
        });
        let bind = self.local(entry);
        let (list, width) = self.candidates(from, bind, filter, false);
        let weights = weight.map(|w| {
            let weights = self.take(1);
            self.emit(Instr::NewList { dst: weights });
            self.scoped(|c| {
                let looped = c.begin_loop(&collections::Entries::List { list, width }, bind);
                let value = c.entry_value(w);
                c.emit(Instr::Push { list: weights, src: value, n: 1 });
                c.end_loop(looped, Vec::new(), Vec::new());
            });
            weights
        });
        self.ask_who(site, who, |_, _| AskKind::Draw { dst, from: list, width, weights, amount, or_none });
    }

    // ---------------------------------------------------------------- decisions

    /// Compiles the entries of a collection that satisfy a filter to a list.
    ///
    /// A thing occurs once. Equal values occur as often as in the collection. If only `one` value is chosen, equal
    /// values are the same answer.
    pub(super) fn candidates(&mut self, from: &Collection, bind: Reg, filter: Option<&Expr>, one: bool) -> (Reg, Reg) {
        let width = self.width(&self.entry_type(from));
        let list = self.take(1);
        let entries = self.source(from);
        self.emit(Instr::NewList { dst: list });
        self.scoped(|c| {
            let looped = c.begin_loop(&entries, bind);
            c.gathers(list);
            let mark = filter.is_some_and(collections::allocates).then(|| c.take(1));
            if let Some(dst) = mark {
                c.emit(Instr::Mark { dst });
            }
            let mut next = filter.map_or(Vec::new(), |f| c.unless(f));
            if let Some(mark) = mark {
                let skip = c.jump();
                let release = c.here();
                c.emit(Instr::Release { mark });
                for at in std::mem::take(&mut next) {
                    c.aim_at(at, release);
                }
                next.push(c.jump());
                c.aim(skip);
                c.emit(Instr::Release { mark });
            }
            c.emit(Instr::Push { list, src: bind, n: width });
            c.end_loop(looped, next, Vec::new());
        });
        let things = matches!(self.entry_type(from).present(), Type::Kind(_));
        if matches!(from, Collection::List(_)) && (one || things) {
            self.emit(Instr::Distinct { list, n: width });
        }
        (list, width)
    }

    pub(super) fn choose(&mut self, choose: &Choose) {
        let dst = self.local(choose.local);
        let entry = self.local(choose.entry);
        let who = self.who(choose.by.as_ref());
        let (list, width) = self.candidates(&choose.from, entry, choose.filter.as_ref(), choose.amount.is_none());
        let sizes = choose.amount.as_ref().map(|(least, most)| {
            let (a, b) = (self.take(1), self.take(1));
            self.value_to(least, a);
            match most {
                Some(most) => self.value_to(most, b),
                None => {
                    self.emit(Instr::Length { dst: b, list });
                }
            }
            (a, b)
        });
        let prefer = choose.prefer.clone();
        let or_none = choose.or_none;
        let at = self.ask_who(choose.site, who, |_, _| match sizes {
            Some((least, most)) => AskKind::Subset { dst, from: list, width, least, most, prefer: None, entry },
            None => AskKind::Choose { dst, from: list, width, or_none, prefer: None, entry },
        });
        if let Some(prefer) = prefer {
            let expr = match prefer {
                Prefer::Extreme { by, .. } => by,
                Prefer::When { condition, .. } => condition,
            };
            self.put_off(expr, LaterSlot::Prefer { ask: at });
            let shell = Fragment { entry: 0, result: 0, width: 0, top: 0 };
            let optional =
                matches!(&choose.prefer, Some(Prefer::Extreme { by, .. }) if matches!(by.ty, Type::Optional(_)));
            let code = match &choose.prefer {
                Some(Prefer::Extreme { most, .. }) => PreferCode::Extreme { most: *most, key: shell, optional },
                Some(Prefer::When { which, .. }) => PreferCode::When { which: *which, condition: shell },
                None => return,
            };
            if let AskKind::Choose { prefer, .. } | AskKind::Subset { prefer, .. } = &mut self.program.asks[at].kind {
                *prefer = Some(code);
            }
        }
    }

    pub(super) fn choose_option(&mut self, site: SiteId, by: Option<&Expr>, options: &[ChoiceOption]) {
        let who = self.who(by);
        let (menu, dst, place) = (self.take(1), self.take(1), self.take(1));
        self.emit(Instr::NewList { dst: menu });
        for (n, option) in options.iter().enumerate() {
            let skip = option.when.as_ref().map_or(Vec::new(), |w| self.unless(w));
            self.constant(place, n as i64);
            self.emit(Instr::Push { list: menu, src: place, n: 1 });
            self.aim_all(skip);
        }
        let at = self.ask_who(site, who, |_, _| AskKind::Option { dst, from: menu, prefer: Vec::new() });
        for (n, option) in options.iter().enumerate() {
            let Some(prefer) = &option.prefer else { continue };
            let shell = prefer.as_ref().map(|_| Fragment { entry: 0, result: 0, width: 0, top: 0 });
            if let AskKind::Option { prefer: list, .. } = &mut self.program.asks[at].kind {
                list.push((n, shell));
                let slot = list.len() - 1;
                if let Some(condition) = prefer.clone() {
                    self.put_off(condition, LaterSlot::OptionPrefer { ask: at, option: slot });
                }
            }
        }
        let mut done = Vec::new();
        for (n, option) in options.iter().enumerate() {
            self.constant(place, n as i64);
            let skip = self.emit(Instr::JumpCompare { op: Op::Ne, a: dst, b: place, to: 0 });
            self.ran(&option.cites);
            self.block(&option.body);
            done.push(self.jump());
            self.aim(skip);
        }
        self.aim_all(done);
    }

    pub(super) fn may(
        &mut self,
        site: SiteId,
        by: Option<&Expr>,
        when: Option<&Expr>,
        prefer: Option<&Expr>,
        body: &[Stmt],
    ) {
        let skip = when.map_or(Vec::new(), |w| self.noted_unless(w));
        let dst = self.take(1);
        let at = self.ask(site, by, |_, _| AskKind::May { dst, prefer: None });
        if let Some(prefer) = prefer {
            self.put_off(prefer.clone(), LaterSlot::May { ask: at });
        }
        let no = self.emit(Instr::JumpUnless { cond: dst, to: 0 });
        self.block(body);
        self.aim(no);
        self.aim_all(skip);
    }

    // ---------------------------------------------------------------- put off

    /// Defers pure code. It runs in this frame, above the registers in use now.
    pub(super) fn put_off(&mut self, expr: Expr, slot: LaterSlot) {
        let top = self.frame.top;
        self.later.push(Later { work: Work::Value(expr), top, slot });
    }

    /// Emits deferred code after the function.
    pub(super) fn emit_later(&mut self) {
        let mut at = 0;
        while at < self.later.len() {
            let Later { work, top, .. } = &self.later[at];
            let (work, top) = (work.clone(), *top);
            self.frame.top = top;
            let entry = self.here();
            let (result, width, lines) = match work {
                Work::Value(expr) => {
                    let width = self.width(&expr.ty);
                    let result = self.take(width.max(1));
                    self.value_to(&expr, result);
                    (result, width, Vec::new())
                }
                Work::Lines(lines) => (top, 0, lines.iter().map(|line| self.move_line(line)).collect()),
            };
            self.emit(Instr::Done);
            let fragment = Fragment { entry, result, width, top: self.frame.most.max(result + width) };
            self.settle(at, fragment, lines);
            at += 1;
        }
        self.later.clear();
    }

    fn settle(&mut self, at: usize, fragment: Fragment, lines: Vec<LineCode>) {
        let program = &mut self.program;
        match self.later[at].slot.clone() {
            LaterSlot::Prefer { ask } => {
                if let AskKind::Choose { prefer: Some(prefer), .. } | AskKind::Subset { prefer: Some(prefer), .. } =
                    &mut program.asks[ask].kind
                {
                    match prefer {
                        PreferCode::Extreme { key, .. } => *key = fragment,
                        PreferCode::When { condition, .. } => *condition = fragment,
                    }
                }
            }
            LaterSlot::OptionPrefer { ask, option } => {
                if let AskKind::Option { prefer, .. } = &mut program.asks[ask].kind {
                    prefer[option].1 = Some(fragment);
                }
            }
            LaterSlot::May { ask } => {
                if let AskKind::May { prefer, .. } = &mut program.asks[ask].kind {
                    *prefer = Some(fragment);
                }
            }
            LaterSlot::Line { ask, line } => {
                if let AskKind::Move(code) = &mut program.asks[ask].kind {
                    code.lines[line].parts = vec![LinePart::Judged(fragment)];
                }
            }
            LaterSlot::Policy { at, when } => {
                let policy = &mut program.policies[at];
                if when {
                    policy.when = Some(fragment);
                } else {
                    match &mut policy.answer {
                        PolicyAnswerCode::Extreme { key, .. } => *key = fragment,
                        PolicyAnswerCode::Value(value) => *value = fragment,
                        PolicyAnswerCode::Action(_) | PolicyAnswerCode::Stop | PolicyAnswerCode::Flag(_) => {}
                        PolicyAnswerCode::None | PolicyAnswerCode::Option(_) => {}
                    }
                }
            }
            LaterSlot::Piece { of, piece } => {
                let pieces = &mut of.wording(program).pieces;
                match pieces.get_mut(piece) {
                    Some(Piece::Value { fragment: slot, .. } | Piece::Measure { fragment: slot })
                    | Some(Piece::Need { fragment: slot, .. })
                    | Some(Piece::If { fragment: slot, .. }) => *slot = fragment,
                    Some(Piece::Text(_) | Piece::Skip { .. }) | None => {}
                }
            }
            LaterSlot::Never { of, at } => {
                if let Some(never) = of.never(program).get_mut(at) {
                    never.fragment = fragment;
                }
            }
            LaterSlot::MoveAgain { ask, readings, asked } => {
                if let AskKind::Move(code) = &mut program.asks[ask].kind {
                    code.again = Some(Box::new(MoveAgain { fragment, lines, readings, asked }));
                }
            }
            LaterSlot::Again { note } => {
                if let Some((slot, _)) = &mut program.notes[note].again {
                    *slot = fragment;
                }
            }
        }
    }
}

fn actor_kind(rs: &Ruleset, action: ActionId) -> Option<KindId> {
    rs.actions[action.at()].actor.as_ref()?.ty.kind()
}

/// Returns the kind of dice of a type.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other die is a number of sides")]
pub(super) fn dice_sort(ty: &Type) -> DiceSort {
    match ty.present() {
        Type::Chain(id) => DiceSort::Chain(*id),
        Type::Shifted(id) => DiceSort::Shifted(*id),
        Type::Faces(id) => DiceSort::Faces(*id),
        _ => DiceSort::Sides,
    }
}
