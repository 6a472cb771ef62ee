//! Lowers values: `otherwise`, comparisons, `if`, queries, names and literals.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;
use grognard_base::{Code, Span};

impl Lower<'_> {
    /// Lowers an `expr` pair to an expression.
    pub fn expr(&self, pair: Pair) -> Low<Expr> {
        let mut kids = Kids::of(pair);
        let first = self.any(&mut kids, "a value")?;
        match first.as_rule() {
            Rule::if_e => return self.if_value(first),
            Rule::match_e => {
                let m = self.match_of(first)?;
                let span = m.span;
                return Ok(Expr { kind: ExprKind::Match(m), span });
            }
            _ => {}
        }
        let first = self.cond(first)?;
        if kids.peek().is_none() {
            return Ok(first);
        }
        let mut span = first.span;
        let mut all = vec![first];
        while kids.skip(Rule::k_otherwise) {
            let next = self.any(&mut kids, "a value after `otherwise`")?;
            let next = self.cond(next)?;
            span = span.to(next.span);
            all.push(next);
        }
        Ok(Expr { kind: ExprKind::Otherwise(all), span })
    }

    /// Lowers the next child as an `expr`.
    pub fn next_expr(&self, kids: &mut Kids) -> Low<Expr> {
        let pair = self.want(kids, Rule::expr, "a value")?;
        self.expr(pair)
    }

    /// Lowers the next child as a `cond`.
    pub fn next_cond(&self, kids: &mut Kids) -> Low<Expr> {
        let pair = self.want(kids, Rule::cond, "a condition")?;
        self.cond(pair)
    }

    /// Lowers the next child as an `arith`.
    pub fn next_arith(&self, kids: &mut Kids) -> Low<Expr> {
        let pair = self.want(kids, Rule::arith, "a value")?;
        self.arith(pair)
    }

    /// Lowers the next child as a `range`.
    pub fn next_range(&self, kids: &mut Kids) -> Low<Range> {
        let pair = self.want(kids, Rule::range, "a list or a range")?;
        self.range(pair)
    }

    /// Lowers `when C` if it comes next.
    pub fn opt_when(&self, kids: &mut Kids) -> Low<Option<Expr>> {
        if kids.skip(Rule::k_when) { self.next_cond(kids).map(Some) } else { Ok(None) }
    }

    /// Lowers `where C` if it comes next.
    pub fn opt_filter(&self, kids: &mut Kids) -> Low<Option<Expr>> {
        let Some(pair) = kids.take(Rule::filter) else {
            return Ok(None);
        };
        let mut inner = Kids::of(pair);
        inner.skip(Rule::k_where);
        self.next_cond(&mut inner).map(Some)
    }

    /// Lowers a `cond`: `or` of `and` of comparisons.
    pub fn cond(&self, pair: Pair) -> Low<Expr> {
        let mut kids = Kids::of(pair);
        let first = self.comparison(&mut kids)?;
        if kids.peek().is_none() {
            return Ok(first);
        }
        let mut ors = Vec::new();
        let mut ands = vec![first];
        loop {
            if kids.skip(Rule::k_and) {
                ands.push(self.comparison(&mut kids)?);
            } else if kids.skip(Rule::k_or) {
                ors.push(joined(std::mem::take(&mut ands), ExprKind::And, || self.none_here())?);
                ands.push(self.comparison(&mut kids)?);
            } else {
                break;
            }
        }
        ors.push(joined(ands, ExprKind::And, || self.none_here())?);
        joined(ors, ExprKind::Or, || self.none_here())
    }

    fn none_here(&self) -> Low<Expr> {
        self.odd(0, "a condition")
    }

    /// Lowers one comparison with its `not`.
    fn comparison(&self, kids: &mut Kids) -> Low<Expr> {
        let not = kids.take(Rule::k_not).map(|p| self.span(&p));
        let compared = kids.head.clone().and_then(|left| left.into_inner().find(|p| p.as_rule() == Rule::pool_query));
        let left = self.next_arith(kids)?;
        let value = match kids.peek() {
            Some(
                Rule::t_cmp | Rule::t_has | Rule::t_is | Rule::t_in | Rule::t_within | Rule::t_sees | Rule::t_nearer,
            ) => {
                let tail = self.any(kids, "a comparison")?;
                if let Some(query) = compared.filter(|_| tail.as_rule() == Rule::t_cmp) {
                    return self.chained(&query, &tail);
                }
                self.tail(left, tail)?
            }
            _ => left,
        };
        Ok(match not {
            Some(span) => {
                let span = span.to(value.span);
                Expr { kind: ExprKind::Not(Box::new(value)), span }
            }
            None => value,
        })
    }

    /// Reports `count aim >= 4 > 2`. A query over dice ends with a comparison, so a second one after it is ambiguous.
    fn chained(&self, query: &Pair, tail: &Pair) -> Low<Expr> {
        let [query, more] = [query, tail].map(|p| p.as_str().split_whitespace().collect::<Vec<_>>().join(" "));
        let found = grognard_base::Diagnostic::new(Code::Syntax, self.span(tail), "comparisons do not chain");
        Err(Box::new(found.help(format!("put the query in brackets to compare its result: `({query}) {more}`"))))
    }

    fn tail(&self, left: Expr, pair: Pair) -> Low<Expr> {
        let rule = pair.as_rule();
        let start = left.span;
        let mut span = start.to(self.span(&pair));
        let mut kids = Kids::of(pair);
        let left = Box::new(left);
        let kind = match rule {
            Rule::t_cmp => {
                let op = self.want(&mut kids, Rule::cmp_op, "a comparison")?;
                let compared = op.as_str().to_string();
                let op = self.compare_op(&op)?;
                let query =
                    kids.head.clone().and_then(|right| right.into_inner().find(|p| p.as_rule() == Rule::pool_query));
                if let Some(query) = query {
                    let found =
                        grognard_base::Diagnostic::new(Code::Syntax, self.span(&query), "comparisons do not chain");
                    let query = query.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
                    let help = format!("put the query in brackets to compare its result: `.. {compared} ({query})`");
                    return Err(Box::new(found.help(help)));
                }
                let right = Box::new(self.next_arith(&mut kids)?);
                ExprKind::Compare { left, op, right }
            }
            Rule::t_has => {
                kids.skip(Rule::k_has);
                let no = kids.skip(Rule::k_no);
                ExprKind::Has { thing: left, no, name: self.tname(&mut kids)? }
            }
            Rule::t_is => {
                kids.skip(Rule::k_is);
                let not = kids.skip(Rule::k_not);
                let pat = self.want(&mut kids, Rule::pat, "a pattern")?;
                ExprKind::Is { value: left, not, pattern: Box::new(self.pat(pat)?) }
            }
            Rule::t_in => {
                let not = kids.skip(Rule::k_not);
                kids.skip(Rule::k_in);
                ExprKind::In { value: left, not, range: self.next_range(&mut kids)? }
            }
            Rule::t_within => {
                kids.skip(Rule::k_within);
                let distance = Box::new(self.next_arith(&mut kids)?);
                kids.skip(Rule::k_of);
                ExprKind::Within { place: left, distance, of: Box::new(self.next_arith(&mut kids)?) }
            }
            Rule::t_nearer => {
                kids.skip(Rule::k_nearer);
                kids.skip(Rule::k_to);
                let to = Box::new(self.next_arith(&mut kids)?);
                kids.skip(Rule::k_than);
                kids.skip(Rule::k_to);
                ExprKind::Nearer { place: left, to, than: Box::new(self.next_arith(&mut kids)?) }
            }
            _ => {
                kids.skip(Rule::k_sees);
                ExprKind::Sees { from: left, to: Box::new(self.next_arith(&mut kids)?) }
            }
        };
        span.start = start.start;
        Ok(Expr { kind, span })
    }

    pub fn compare_op(&self, pair: &Pair) -> Low<CompareOp> {
        let found = CompareOp::ALL.into_iter().find(|how| how.op().written() == pair.as_str());
        found.map_or_else(|| self.odd(pair.as_span().start(), "a comparison"), Ok)
    }

    /// Lowers `a`, `a .. b` or `a ..`.
    pub fn range(&self, pair: Pair) -> Low<Range> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let low = Box::new(self.next_arith(&mut kids)?);
        let dots = kids.skip(Rule::range_op);
        let high = if kids.peek().is_some() { Some(Box::new(self.next_arith(&mut kids)?)) } else { None };
        Ok(Range { low, open: dots && high.is_none(), high, span })
    }

    /// Lowers the pair of `(a)` or `(a, b)` to an expression.
    pub fn tuple(&self, pair: Pair) -> Low<Expr> {
        let span = self.span(&pair);
        let mut all = self.exprs(Kids::of(pair))?;
        let kind = match (all.pop(), all.is_empty()) {
            (Some(only), true) => ExprKind::Paren(Box::new(only)),
            (Some(last), false) => {
                all.push(last);
                ExprKind::Tuple(all)
            }
            (None, _) => return self.none_here(),
        };
        Ok(Expr { kind, span })
    }

    /// Lowers the pair of `[a, b]` to a list expression.
    pub fn list(&self, pair: Pair) -> Low<Expr> {
        let span = self.span(&pair);
        Ok(Expr { kind: ExprKind::List(self.exprs(Kids::of(pair))?), span })
    }

    fn exprs(&self, mut kids: Kids) -> Low<Vec<Expr>> {
        let mut all = Vec::new();
        while let Some(pair) = kids.take(Rule::expr) {
            all.push(self.expr(pair)?);
        }
        Ok(all)
    }

    /// Lowers the pair of `(a, name: b)` to arguments.
    pub fn args(&self, pair: Pair) -> Low<Vec<Arg>> {
        let mut all = Vec::new();
        for arg in pair.into_inner() {
            let mut kids = Kids::of(arg);
            let name = kids.take(Rule::name).map(|p| self.name_of(&p));
            all.push(Arg { name, value: self.next_expr(&mut kids)? });
        }
        Ok(all)
    }

    /// Lowers the arguments if they come next.
    pub fn opt_args(&self, kids: &mut Kids) -> Low<Vec<Arg>> {
        kids.take(Rule::args).map_or(Ok(Vec::new()), |p| self.args(p))
    }

    /// Lowers a name with its fields: a target of a write, or a thing that a statement acts on.
    pub fn slot(&self, pair: Pair) -> Low<Expr> {
        let mut kids = Kids::of(pair);
        let name = self.want(&mut kids, Rule::name, "a name")?;
        let first = self.leaf(&name, ExprKind::Name(name.as_str().to_string()));
        self.suffixes(first, &mut kids)
    }

    /// Lowers the next child as a `slot`.
    pub fn next_slot(&self, kids: &mut Kids) -> Low<Expr> {
        let pair = self.want(kids, Rule::slot, "a name with its fields")?;
        self.slot(pair)
    }

    pub fn leaf(&self, pair: &Pair, kind: ExprKind) -> Expr {
        let span = pair.as_span();
        Expr { kind, span: Span::new(self.file, self.base + span.start(), self.base + span.end()) }
    }

    /// Lowers all calls and fields that follow `value`.
    pub fn suffixes(&self, mut value: Expr, kids: &mut Kids) -> Low<Expr> {
        loop {
            match kids.peek() {
                Some(Rule::args) => {
                    let pair = self.want(kids, Rule::args, "arguments")?;
                    let span = value.span.to(self.span(&pair));
                    let mut args = self.args(pair)?;
                    if matches!(&value.kind, ExprKind::Name(name) if name == "faces") {
                        self.unrolled(&mut args);
                    }
                    value = Expr { kind: ExprKind::Call(Box::new(value), args), span };
                }
                Some(Rule::field) => {
                    let pair = self.want(kids, Rule::field, "a field")?;
                    let word = self.inner(pair, "a field")?;
                    let name = self.name_of(&word);
                    let span = value.span.to(name.span);
                    value = Expr { kind: ExprKind::Field(Box::new(value), name), span };
                }
                _ => return Ok(value),
            }
        }
    }

    /// Lowers a primary value: a name, a literal, brackets, or a query.
    pub fn primary(&self, pair: Pair) -> Low<Expr> {
        let kind = match pair.as_rule() {
            Rule::name => ExprKind::Name(pair.as_str().to_string()),
            Rule::tname if self.is_die(&pair) => return self.one_die(&pair).and_then(|die| self.thrown(None, die)),
            Rule::tname => ExprKind::Upper(pair.as_str().to_string()),
            Rule::number | Rule::digits => ExprKind::Number(self.number(&pair)?),
            Rule::die => return self.one_die(&pair).and_then(|die| self.thrown(None, die)),
            Rule::k_yes => ExprKind::Yes,
            Rule::k_no => ExprKind::No,
            Rule::k_none => ExprKind::None,
            Rule::tuple => return self.tuple(pair),
            Rule::list => return self.list(pair),
            Rule::query => return self.query(pair),
            Rule::pool_query => return self.pool_query(pair),
            _ => return self.odd(pair.as_span().start(), "a value"),
        };
        Ok(self.leaf(&pair, kind))
    }

    fn if_value(&self, pair: Pair) -> Low<Expr> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_if);
        let condition = self.next_cond(&mut kids)?;
        self.if_rest(condition, kids, span)
    }

    /// Lowers `then a else b` after the first condition.
    pub fn if_rest(&self, first: Expr, mut kids: Kids, span: Span) -> Low<Expr> {
        let mut arms = Vec::new();
        let mut condition = first;
        loop {
            if !kids.skip(Rule::k_then) {
                return self.odd((span.start as usize).saturating_sub(self.base), "`then`");
            }
            let value = self.next_expr(&mut kids)?;
            arms.push((condition, value));
            kids.skip(Rule::k_else);
            if !kids.skip(Rule::k_if) {
                break;
            }
            condition = self.next_cond(&mut kids)?;
        }
        let otherwise = Box::new(self.next_expr(&mut kids)?);
        Ok(Expr { kind: ExprKind::If { arms, otherwise }, span })
    }

    /// Lowers the word that begins a query.
    fn quantifier(&self, kids: &mut Kids) -> Low<Quantifier> {
        let word = self.any(kids, "a query")?;
        match Quantifier::of(word.as_str()) {
            Some(what) => Ok(what),
            None => self.fail(Code::Syntax, &word, format!("no query begins with `{}`", word.as_str())),
        }
    }

    fn query(&self, pair: Pair) -> Low<Expr> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let what = self.quantifier(&mut kids)?;
        let mut binds = vec![(self.name_in(&mut kids)?, self.next_range(&mut kids)?)];
        if kids.skip(Rule::k_against) {
            binds.push((self.name_in(&mut kids)?, self.next_range(&mut kids)?));
        }
        let mut filter = self.opt_filter(&mut kids)?;
        let mut body = None;
        while let Some(next) = kids.next() {
            match next.as_rule() {
                Rule::cond => body = Some(Box::new(self.cond(next)?)),
                Rule::arith => body = Some(Box::new(self.arith(next)?)),
                Rule::filter => {
                    let mut inner = Kids::of(next);
                    inner.skip(Rule::k_where);
                    filter = Some(self.next_cond(&mut inner)?);
                }
                _ => {}
            }
        }
        Ok(Expr { kind: ExprKind::Query { what, binds, filter: filter.map(Box::new), body }, span })
    }

    /// Lowers the name in `x in` and skips the `in`.
    pub fn name_in(&self, kids: &mut Kids) -> Low<Name> {
        let name = self.name(kids)?;
        kids.skip(Rule::k_in);
        Ok(name)
    }

    fn pool_query(&self, pair: Pair) -> Low<Expr> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let what = self.quantifier(&mut kids)?;
        let pool = Box::new(self.pooled(&mut kids)?);
        let op = self.want(&mut kids, Rule::cmp_op, "a comparison")?;
        let op = self.compare_op(&op)?;
        let than = Box::new(self.next_arith(&mut kids)?);
        Ok(Expr { kind: ExprKind::PoolQuery { what, pool, op, than }, span })
    }
}

/// Returns a single value unchanged, and combines several in a list.
fn joined(mut all: Vec<Expr>, kind: fn(Vec<Expr>) -> ExprKind, none: impl FnOnce() -> Low<Expr>) -> Low<Expr> {
    if all.len() < 2 {
        return all.pop().map_or_else(none, Ok);
    }
    let span = match (all.first(), all.last()) {
        (Some(a), Some(b)) => a.span.to(b.span),
        _ => return none(),
    };
    Ok(Expr { kind: kind(all), span })
}
