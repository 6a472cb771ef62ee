//! Lowers blocks and statements.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;

impl Lower<'_> {
    /// Lowers the pair of `{ ... }` to a block.
    pub fn block(&self, pair: Pair) -> Low<Block> {
        let span = self.span(&pair);
        let stmts = pair.into_inner().map(|p| self.stmt(p)).collect::<Low<Vec<_>>>()?;
        Ok(Block { stmts, span })
    }

    /// Lowers the next child as a block.
    pub fn next_block(&self, kids: &mut Kids) -> Low<Block> {
        let pair = self.want(kids, Rule::block, "a block")?;
        self.block(pair)
    }

    /// Lowers a block, or a single statement as a block with the same span.
    fn block_or_stmt(&self, kids: &mut Kids) -> Low<Block> {
        if kids.peek() == Some(Rule::block) {
            return self.next_block(kids);
        }
        let pair = self.want(kids, Rule::stmt, "a block or a statement")?;
        let stmt = self.stmt(pair)?;
        let span = stmt.span;
        Ok(Block { stmts: vec![stmt], span })
    }

    /// Lowers the result of a row or an option.
    pub fn body(&self, pair: Pair) -> Low<Body> {
        let inner = self.inner(pair, "a result")?;
        Ok(match inner.as_rule() {
            Rule::block => Body::Block(self.block(inner)?),
            Rule::stmt => Body::Stmt(Box::new(self.stmt(inner)?)),
            Rule::if_b => {
                let span = self.span(&inner);
                let mut kids = Kids::of(inner);
                kids.skip(Rule::k_if);
                let condition = self.next_cond(&mut kids)?;
                if kids.peek() == Some(Rule::k_then) {
                    Body::Value(self.if_rest(condition, kids, span)?)
                } else {
                    let kind = self.if_blocks(condition, &mut kids)?;
                    Body::Stmt(Box::new(Stmt { cites: Vec::new(), kind, span }))
                }
            }
            _ => Body::Value(self.expr(inner)?),
        })
    }

    fn if_blocks(&self, first: Expr, kids: &mut Kids) -> Low<StmtKind> {
        let mut arms = vec![(first, self.next_block(kids)?)];
        let mut otherwise = None;
        while kids.skip(Rule::k_else) {
            if kids.skip(Rule::k_if) {
                arms.push((self.next_cond(kids)?, self.next_block(kids)?));
            } else {
                otherwise = Some(self.next_block(kids)?);
            }
        }
        Ok(StmtKind::If { arms, otherwise })
    }

    /// Lowers a `stmt` pair to a statement.
    pub fn stmt(&self, pair: Pair) -> Low<Stmt> {
        let end = pair.as_span().end();
        let mut kids = Kids::of(pair);
        let cites = self.above(&mut kids).unwrap_or_default();
        let inner = self.any(&mut kids, "a statement")?;
        let span = self.span_at(inner.as_span().start(), end);
        let kind = if inner.as_rule() == Rule::k_choose {
            let inner = self.any(&mut kids, "the choice")?;
            self.choose(inner)?
        } else {
            self.stmt_kind(inner)?
        };
        Ok(Stmt { cites, kind, span })
    }

    fn stmt_kind(&self, pair: Pair) -> Low<StmtKind> {
        let rule = pair.as_rule();
        match rule {
            Rule::match_e => return Ok(StmtKind::Match(self.match_of(pair)?)),
            Rule::do_e => return Ok(StmtKind::Do(self.call_of(pair)?)),
            Rule::test_e => return Ok(StmtKind::Test(self.call_of(pair)?)),
            Rule::run_s => return Ok(StmtKind::Run(self.call_of(pair)?)),
            Rule::emit_s => return Ok(StmtKind::Emit(self.call_of(pair)?)),
            _ => {}
        }
        let start = pair.as_span().start();
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        // the keyword of the statement; a move begins with its `move_e`
        let word = if rule == Rule::move_s { None } else { k.next().map(|p| p.as_rule()) };
        Ok(match rule {
            Rule::let_s => self.let_stmt(k)?,
            Rule::var_s => StmtKind::Var { name: self.name(k)?, ty: self.opt_type(k)?, value: self.next_expr(k)? },
            Rule::roll_s => self.roll(k)?,
            Rule::draw_s => self.draw(k)?,
            Rule::reroll_s => self.reroll(word == Some(Rule::k_explode), k)?,
            Rule::set_s => {
                let target = self.next_slot(k)?;
                let op = self.set_op(k)?;
                StmtKind::Set { target, op, value: self.next_expr(k)?, until: self.lasting(k)? }
            }
            Rule::grant_s => {
                let (status, args) = (self.tname(k)?, self.opt_args(k)?);
                k.skip(Rule::k_to);
                StmtKind::Grant { status, args, to: self.next_slot(k)?, until: self.lasting(k)? }
            }
            Rule::revoke_s => {
                let all = k.skip(Rule::k_all);
                let (status, args) = (self.tname(k)?, self.opt_args(k)?);
                k.skip(Rule::k_from);
                StmtKind::Revoke { status, all, args, from: self.next_slot(k)? }
            }
            Rule::if_s => {
                let condition = self.next_cond(k)?;
                self.if_blocks(condition, k)?
            }
            Rule::may_s => self.may(k)?,
            Rule::each_s => self.each(k)?,
            Rule::repeat_s => {
                let body = self.block_or_stmt(k)?;
                let condition = if k.skip(Rule::k_while) { Some(self.next_cond(k)?) } else { None };
                StmtKind::Repeat { body, condition }
            }
            Rule::at_once_s => StmtKind::AtOnce(self.next_block(k)?),
            Rule::move_s => {
                let motion = self.want(k, Rule::move_e, "a move")?;
                let motion = self.motion(motion)?;
                let otherwise = if k.skip(Rule::k_else) { Some(self.block_or_stmt(k)?) } else { None };
                StmtKind::Move { motion, otherwise }
            }
            Rule::place_s => {
                let thing = self.next_slot(k)?;
                k.skip(Rule::k_at);
                StmtKind::Place { thing, at: self.next_expr(k)? }
            }
            Rule::turn_s => {
                let thing = self.next_slot(k)?;
                let by = k.next().map(|p| p.as_rule()) == Some(Rule::k_by);
                StmtKind::Turn { thing, by, angle: self.next_expr(k)? }
            }
            Rule::destroy_s => {
                StmtKind::Destroy { thing: self.next_slot(k)?, reason: k.take(Rule::string).map(|p| self.text_of(&p)) }
            }
            Rule::spawn_s => self.spawn(k)?,
            Rule::merge_s => {
                let from = self.next_slot(k)?;
                k.skip(Rule::k_into);
                StmtKind::Merge { from, into: self.next_slot(k)? }
            }
            Rule::return_s => StmtKind::Return(if k.peek().is_some() { Some(self.next_expr(k)?) } else { None }),
            Rule::stop_s => StmtKind::Stop,
            Rule::end_s => StmtKind::End(self.tname(k)?),
            Rule::cancel_s => {
                k.skip(Rule::k_action);
                StmtKind::CancelAction { returned: k.skip(Rule::returned) }
            }
            Rule::pass_s => {
                k.skip(Rule::k_when);
                StmtKind::PassWhen(self.next_cond(k)?)
            }
            Rule::grade_s => StmtKind::Grade(self.next_expr(k)?),
            Rule::needs_s => {
                let condition = self.next_cond(k)?;
                let reason = if k.skip(Rule::k_else) { Some(self.string(k)?) } else { None };
                StmtKind::Needs { condition, reason }
            }
            Rule::limit_s => {
                let times = self.next_arith(k)?;
                k.skip(Rule::k_per);
                let per = self.tname(k)?;
                let key = if k.skip(Rule::k_for) { Some(self.next_arith(k)?) } else { None };
                StmtKind::Limit { times, per, key, when: self.opt_when(k)? }
            }
            Rule::cost_s => StmtKind::Cost { amount: self.next_arith(k)?, of: self.name(k)? },
            _ => return self.odd(start, "a statement"),
        })
    }

    /// Lowers the call in `do f(..)`, `test F(..)`, `run P(..)` or `emit E(..)`. Its span covers the name and
    /// arguments.
    pub fn call_of(&self, pair: Pair) -> Low<Call> {
        let mut kids = Kids::of(pair);
        if !matches!(kids.peek(), Some(Rule::name | Rule::tname)) {
            kids.next();
        }
        let name = self.any(&mut kids, "a name")?;
        let name = self.name_of(&name);
        let span = kids.head.as_ref().map_or(name.span, |args| name.span.to(self.span(args)));
        let args = self.opt_args(&mut kids)?;
        let mut with = Vec::new();
        if let Some(borrowed) = kids.take(Rule::borrowed) {
            let mut kids = Kids::of(borrowed);
            kids.skip(Rule::k_with);
            while kids.peek().is_some() {
                with.push((self.name(&mut kids)?, self.next_arith(&mut kids)?));
            }
        }
        Ok(Call { name, args, with, span })
    }

    pub fn set_op(&self, kids: &mut Kids) -> Low<SetOp> {
        let op = self.want(kids, Rule::set_op, "`=`")?;
        Ok(match op.as_str() {
            "+=" => SetOp::Add,
            "-=" => SetOp::Sub,
            _ => SetOp::Set,
        })
    }

    fn let_stmt(&self, k: &mut Kids) -> Low<StmtKind> {
        let names = match k.take(Rule::name_tuple) {
            Some(tuple) => tuple.into_inner().map(|p| self.name_of(&p)).collect(),
            None => vec![self.name(k)?],
        };
        Ok(StmtKind::Let { names, ty: self.opt_type(k)?, value: self.let_value(k)? })
    }

    fn let_value(&self, k: &mut Kids) -> Low<LetSource> {
        let value = self.any(k, "a value")?;
        Ok(if value.as_rule() == Rule::effect {
            let effect = self.inner(value, "a value")?;
            match effect.as_rule() {
                Rule::move_e => LetSource::Move(self.motion(effect)?),
                Rule::do_e => LetSource::Do(self.call_of(effect)?),
                _ => LetSource::Test(self.call_of(effect)?),
            }
        } else {
            LetSource::Value(self.expr(value)?)
        })
    }

    /// Lowers an expression about dice.
    pub fn asked(&self, k: &mut Kids) -> Low<Asked> {
        let mut asked = Asked { parts: Vec::new(), stand_ins: Vec::new() };
        while let Some(pair) = k.next() {
            let (rule, span) = (pair.as_rule(), self.span(&pair));
            let mut kids = Kids::of(pair);
            match rule {
                Rule::standin => asked.stand_ins.push((self.name(&mut kids)?, self.tname(&mut kids)?)),
                Rule::odds_part => {
                    let stmt = match kids.take(Rule::stmt) {
                        Some(stmt) => self.stmt(stmt)?,
                        None => {
                            let names = kids.take(Rule::name).map(|p| self.name_of(&p)).into_iter().collect();
                            let kind = StmtKind::Let { names, ty: None, value: self.let_value(&mut kids)? };
                            Stmt { cites: Vec::new(), kind, span }
                        }
                    };
                    asked.parts.push(AskedPart { throws: self.taken_throws(), stmt });
                }
                _ => {}
            }
        }
        Ok(asked)
    }

    fn roll(&self, k: &mut Kids) -> Low<StmtKind> {
        let name = self.name(k)?;
        let key = self.lasting_key(k)?;
        let by = self.opt_by(k)?;
        let first = self.next_arith(k)?;
        if k.skip(Rule::k_of) {
            let dice = self.next_arith(k)?;
            return Ok(StmtKind::Roll { name, key, by, count: Some(first), dice });
        }
        Ok(StmtKind::Roll { name, key, by, count: None, dice: first })
    }

    /// Lowers `as "key"` if it comes next.
    fn lasting_key(&self, k: &mut Kids) -> Low<Option<Text>> {
        if k.skip(Rule::k_as) { self.string(k).map(Some) } else { Ok(None) }
    }

    fn draw(&self, k: &mut Kids) -> Low<StmtKind> {
        let amount = self.amount(k)?;
        let name = self.name(k)?;
        let key = self.lasting_key(k)?;
        let by = self.opt_by(k)?;
        k.skip(Rule::k_in);
        let from = self.next_range(k)?;
        let filter = self.opt_filter(k)?;
        let or_none = k.skip(Rule::or_none);
        let weight = if k.skip(Rule::k_weight) { Some(self.next_arith(k)?) } else { None };
        Ok(StmtKind::Draw { name, key, amount, by, from, filter, or_none, weight })
    }

    fn reroll(&self, explode: bool, k: &mut Kids) -> Low<StmtKind> {
        let name = self.name(k)?;
        let within = if k.skip(Rule::k_in) { Some(self.name(k)?) } else { None };
        let filter = self.opt_filter(k)?;
        let at_most = if k.skip(Rule::k_at) {
            k.skip(Rule::k_most);
            Some(self.next_arith(k)?)
        } else {
            None
        };
        Ok(StmtKind::Reroll { explode, name, within, filter, at_most })
    }

    /// Lowers `1 .. of` if it comes next.
    fn amount(&self, k: &mut Kids) -> Low<Option<Range>> {
        let Some(pair) = k.take(Rule::amount) else {
            return Ok(None);
        };
        self.next_range(&mut Kids::of(pair)).map(Some)
    }

    /// Lowers `by x` if it comes next.
    fn opt_by(&self, k: &mut Kids) -> Low<Option<Expr>> {
        let Some(pair) = k.take(Rule::by) else {
            return Ok(None);
        };
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_by);
        let who = self.any(&mut kids, "who decides")?;
        Ok(Some(if who.as_rule() == Rule::slot { self.slot(who)? } else { self.tuple(who)? }))
    }

    /// Lowers `until end of P for k`, or a duration that a `match` determines, if it comes next.
    fn lasting(&self, k: &mut Kids) -> Low<Option<Lasting>> {
        let Some(pair) = k.take(Rule::until) else {
            return Ok(None);
        };
        let span = self.span(&pair);
        let mut k = Kids::of(pair);
        k.skip(Rule::k_until);
        if !k.skip(Rule::k_match) {
            return Ok(Some(Lasting::Edge(Until { span, ..self.mark(&mut k)? })));
        }
        let first = k.skip(Rule::k_first);
        let subject = Box::new(self.next_cond(&mut k)?);
        let mut rows = Vec::new();
        while let Some(row) = k.take(Rule::lasting) {
            let span = self.span(&row);
            let mut kids = Kids::of(row);
            let (patterns, when) = self.row_head(&mut kids)?;
            let edge = self.want(&mut kids, Rule::edge, "when it ends")?;
            let at = self.span(&edge);
            let mut parts = Kids::of(edge);
            let until =
                if parts.skip(Rule::k_none) { None } else { Some(Until { span: at, ..self.mark(&mut parts)? }) };
            rows.push(MatchRow { patterns, when, body: Body::Lasts(until, at), cites: self.cite(&mut kids), span });
        }
        Ok(Some(Lasting::Chosen(Match { first, subject, rows, span })))
    }

    /// Lowers `start of P for k` or `end of P` to an edge of a phase.
    pub fn mark(&self, k: &mut Kids) -> Low<Until> {
        let start = k.skip(Rule::k_start);
        if !start {
            k.skip(Rule::k_end);
        }
        k.skip(Rule::k_of);
        let phase = self.tname(k)?;
        let key = if k.skip(Rule::k_for) { Some(self.next_slot(k)?) } else { None };
        let span = self.span_at(0, self.text.len());
        Ok(Until { start, phase, key, span })
    }

    fn choose(&self, pair: Pair) -> Low<StmtKind> {
        let (rule, span) = (pair.as_rule(), self.span(&pair));
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        match rule {
            Rule::choose_action => {
                k.skip(Rule::k_action);
                let by = self.opt_by(k)?;
                let or_stop = k.skip(Rule::k_or) && k.skip(Rule::k_stop);
                Ok(StmtKind::ChooseAction { by, or_stop, stop_when: self.opt_when(k)?, span })
            }
            Rule::choose_opts => {
                let name = self.name(k)?;
                let by = self.opt_by(k)?;
                let mut options = Vec::new();
                while let Some(option) = k.take(Rule::option) {
                    options.push(self.option(option)?);
                }
                Ok(StmtKind::ChooseOption { name, by, options })
            }
            _ => {
                let amount = self.amount(k)?;
                let name = self.name(k)?;
                let by = self.opt_by(k)?;
                k.skip(Rule::k_in);
                let from = self.next_range(k)?;
                let filter = self.opt_filter(k)?;
                let or_none = k.skip(Rule::or_none);
                let prefer = k.take(Rule::prefer).map(|p| self.prefer(p)).transpose()?;
                Ok(StmtKind::Choose { name, amount, by, from, filter, or_none, prefer })
            }
        }
    }

    fn option(&self, pair: Pair) -> Low<ChoiceOption> {
        let span = self.span(&pair);
        let mut k = Kids::of(pair);
        let name = self.name(&mut k)?;
        let when = self.opt_when(&mut k)?;
        let prefer = if k.skip(Rule::k_prefer) { Some(self.opt_when(&mut k)?) } else { None };
        let body = self.want(&mut k, Rule::body, "a result")?;
        let body = self.body(body)?;
        let cites = self.cite(&mut k);
        Ok(ChoiceOption { name, when, prefer, body, cites, span })
    }

    fn prefer(&self, pair: Pair) -> Low<Prefer> {
        let mut k = Kids::of(pair);
        k.skip(Rule::k_prefer);
        if let Some(word) = k.take(Rule::extreme) {
            return Ok(Prefer::Extreme { most: word.as_str() == "most", by: self.next_arith(&mut k)? });
        }
        let which = if k.skip(Rule::k_none) {
            Preferred::Nobody
        } else if k.skip(Rule::every_one) {
            Preferred::Every
        } else {
            Preferred::First
        };
        k.skip(Rule::k_when);
        Ok(Prefer::When { which, condition: self.next_cond(&mut k)? })
    }

    fn may(&self, k: &mut Kids) -> Low<StmtKind> {
        let name = self.name(k)?;
        let by = self.opt_by(k)?;
        let when = self.opt_when(k)?;
        let prefer = match k.take(Rule::k_prefer) {
            Some(word) => Some(self.opt_when(k)?.unwrap_or(Expr { kind: ExprKind::Yes, span: self.span(&word) })),
            None => None,
        };
        Ok(StmtKind::May { name, by, when, prefer, body: self.next_block(k)? })
    }

    fn each(&self, k: &mut Kids) -> Low<StmtKind> {
        let name = self.name_in(k)?;
        let from = self.next_range(k)?;
        let filter = self.opt_filter(k)?;
        let order = if let Some(chosen) = k.take(Rule::chosen) {
            let mut inner = Kids::of(chosen);
            inner.skip(Rule::k_chosen);
            inner.skip(Rule::k_as);
            EachOrder::Chosen { name: self.name(&mut inner)?, by: self.opt_by(&mut inner)? }
        } else if k.skip(Rule::k_ordered) {
            k.skip(Rule::k_by);
            EachOrder::By(self.next_arith(k)?)
        } else {
            EachOrder::AsListed
        };
        Ok(StmtKind::Each { name, from, filter, order, body: self.block_or_stmt(k)? })
    }

    fn spawn(&self, k: &mut Kids) -> Low<StmtKind> {
        let name = self.name(k)?;
        let kind = self.tname(k)?;
        let mut fields = Vec::new();
        while let Some(init) = k.take(Rule::field_init) {
            let mut inner = Kids::of(init);
            fields.push((self.name(&mut inner)?, self.next_expr(&mut inner)?));
        }
        Ok(StmtKind::Spawn { name, kind, fields })
    }
}
