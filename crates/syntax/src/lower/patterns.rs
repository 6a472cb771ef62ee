//! Lowers patterns and `match`.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;
use grognard_base::Code;

impl Lower<'_> {
    /// Lowers the pair of `match [first] subject { rows }` to a match.
    pub fn match_of(&self, pair: Pair) -> Low<Match> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_match);
        let first = kids.skip(Rule::k_first);
        let subject = Box::new(self.next_cond(&mut kids)?);
        let mut rows = Vec::new();
        while let Some(row) = kids.take(Rule::row) {
            rows.push(self.row(row)?);
        }
        Ok(Match { first, subject, rows, span })
    }

    pub fn row(&self, pair: Pair) -> Low<MatchRow> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let (patterns, when) = self.row_head(&mut kids)?;
        let body = self.want(&mut kids, Rule::body, "a result")?;
        let body = self.body(body)?;
        let cites = self.cite(&mut kids);
        Ok(MatchRow { patterns, when, body, cites, span })
    }

    /// Lowers the patterns and the guard of a row.
    pub(super) fn row_head(&self, kids: &mut Kids) -> Low<(Vec<Pattern>, Option<Expr>)> {
        let patterns = self.want(kids, Rule::pattern, "a pattern")?;
        Ok((self.patterns(patterns)?, self.opt_when(kids)?))
    }

    /// Lowers patterns joined by `|`.
    pub fn patterns(&self, pair: Pair) -> Low<Vec<Pattern>> {
        pair.into_inner().map(|p| self.pat(p)).collect()
    }

    /// Lowers a `pat` pair to a pattern.
    pub fn pat(&self, pair: Pair) -> Low<Pattern> {
        let inner = self.inner(pair, "a pattern")?;
        self.pattern_of(inner)
    }

    /// Lowers the content of a `pat` or of a key of a table.
    pub fn pattern_of(&self, pair: Pair) -> Low<Pattern> {
        let span = self.span(&pair);
        let start = pair.as_span().start();
        let kind = match pair.as_rule() {
            Rule::wild => PatternKind::Any,
            Rule::k_else => PatternKind::Else,
            Rule::p_none => PatternKind::None,
            Rule::p_band => self.band(pair)?,
            Rule::p_value => self.value_band(pair)?,
            Rule::p_tuple => PatternKind::Tuple(pair.into_inner().map(|p| self.patterns(p)).collect::<Low<Vec<_>>>()?),
            Rule::p_some => self.some(pair)?,
            Rule::p_past => {
                let mut kids = Kids::of(pair);
                kids.skip(Rule::k_past);
                let top = kids.skip(Rule::k_top);
                if !top {
                    kids.skip(Rule::k_bottom);
                }
                PatternKind::Past { top, bound: kids.take(Rule::name).map(|p| self.name_of(&p)) }
            }
            Rule::p_ctor => {
                let mut kids = Kids::of(pair);
                let case = self.tname(&mut kids)?;
                if let Some(second) = self.opt_tname(&mut kids) {
                    PatternKind::Case { of: Some(case), case: second }
                } else if let Some(bound) = kids.take(Rule::name) {
                    PatternKind::Kind { kind: case, bound: self.name_of(&bound) }
                } else {
                    PatternKind::Case { of: None, case }
                }
            }
            _ => return self.odd(start, "a pattern"),
        };
        Ok(Pattern { kind, span })
    }

    fn band(&self, pair: Pair) -> Low<PatternKind> {
        let mut kids = Kids::of(pair);
        let opening = self.any(&mut kids, "a band")?.as_rule();
        let least = kids.skip(Rule::k_least);
        let most = kids.skip(Rule::k_most);
        let value = self.next_arith(&mut kids)?;
        Ok(match opening {
            Rule::k_over => {
                let to = if kids.skip(Rule::k_to) { Some(self.next_arith(&mut kids)?) } else { None };
                PatternKind::Over(value, to)
            }
            Rule::k_under => PatternKind::Under(value),
            _ if least => PatternKind::AtLeast(value),
            _ if most => PatternKind::AtMost(value),
            _ => {
                return self.odd((value.span.start as usize).saturating_sub(self.base), "`least` or `most`");
            }
        })
    }

    fn value_band(&self, pair: Pair) -> Low<PatternKind> {
        let mut kids = Kids::of(pair);
        let low = self.want(&mut kids, Rule::fixed, "a number or a name")?;
        let low = self.fixed(low)?;
        if !kids.skip(Rule::k_to) {
            return Ok(PatternKind::Value(low));
        }
        let under = kids.skip(Rule::k_under);
        let high = self.want(&mut kids, Rule::fixed, "a number or a name")?;
        Ok(PatternKind::To(low, self.fixed(high)?, under))
    }

    fn some(&self, pair: Pair) -> Low<PatternKind> {
        let mut kids = Kids::of(pair);
        kids.skip(Rule::k_some);
        let inner = self.any(&mut kids, "a name")?;
        match inner.as_rule() {
            Rule::name => Ok(PatternKind::Some(self.name_of(&inner))),
            Rule::wild => Ok(PatternKind::SomeAny),
            _ => {
                let all = inner.clone();
                let mut kids = Kids::of(inner);
                let kind = self.tname(&mut kids)?;
                if kids.peek() == Some(Rule::tname) {
                    return self.fail(
                        Code::Syntax,
                        &all,
                        "expected a name after `some`, or a kind as in `some Figure(x)`",
                    );
                }
                let bound = kids.take(Rule::name).map(|p| self.name_of(&p));
                Ok(PatternKind::SomeKind { kind, bound })
            }
        }
    }

    /// Lowers a literal, or a name with at most one field.
    pub fn fixed(&self, pair: Pair) -> Low<Expr> {
        let span = self.span(&pair);
        let negative = pair.as_str().starts_with('-');
        let mut kids = Kids::of(pair);
        let first = self.any(&mut kids, "a number or a name")?;
        let mut value = self.primary(first)?;
        if let Some(word) = kids.take(Rule::word) {
            let name = self.name_of(&word);
            let span = value.span.to(name.span);
            value = Expr { kind: ExprKind::Field(Box::new(value), name), span };
        }
        if negative {
            value = Expr { kind: ExprKind::Neg(Box::new(value)), span };
        }
        if let Some(under) = kids.take(Rule::number) {
            let under = self.primary(under)?;
            value = Expr { kind: ExprKind::Arith { first: Box::new(value), rest: vec![(ArithOp::Div, under)] }, span };
        }
        Ok(value)
    }
}
