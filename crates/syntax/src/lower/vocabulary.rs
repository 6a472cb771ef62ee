//! Lowers data items: params, readings, enums, dice, kinds, records, lets, tables, and written types.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;
use grognard_base::Code;

impl Lower<'_> {
    pub fn param(&self, k: &mut Kids) -> Low<Param> {
        let (name, ty, title, value) = (self.name(k)?, self.opt_type(k)?, self.title(k), self.next_expr(k)?);
        let sweep = k.take(Rule::sweep).map_or(Ok(Vec::new()), |p| {
            p.into_inner().filter(|p| p.as_rule() == Rule::range).map(|p| self.range(p)).collect::<Low<Vec<_>>>()
        })?;
        Ok(Param { name, ty, title, value, sweep })
    }

    pub fn reading(&self, k: &mut Kids) -> Low<Reading> {
        let (name, ty, title) = (self.name(k)?, self.opt_type(k)?, self.title(k));
        let mut alternatives = Vec::new();
        while let Some(alternative) = k.take(Rule::alt) {
            let mut inner = Kids::of(alternative);
            alternatives.push(Alternative { value: self.next_arith(&mut inner)?, gloss: self.title(&mut inner) });
            k.skip(Rule::k_or);
        }
        let mut why = |rule| {
            let mut inner = k.take(rule)?.into_inner();
            inner.find(|p| p.as_rule() == Rule::string).map(|p| self.text_of(&p))
        };
        let (because, default_because) = (why(Rule::open_why), why(Rule::default_why));
        Ok(Reading { name, ty, title, alternatives, because, default_because })
    }

    pub fn enum_of(&self, k: &mut Kids) -> Low<Enum> {
        let (name, title) = (self.tname(k)?, self.title(k));
        let mut cases = vec![self.tname(k)?];
        let mut less = 0;
        while let Some(next) = k.take(Rule::ord_lt).or_else(|| k.take(Rule::tname)) {
            if next.as_rule() == Rule::ord_lt {
                less += 1;
                cases.push(self.tname(k)?);
            } else {
                cases.push(self.name_of(&next));
            }
            if less > 0 && less + 1 != cases.len() {
                let mut found = grognard_base::Diagnostic::new(
                    Code::Syntax,
                    self.span(&next),
                    "an enum is joined by `<` throughout (its cases have an order) or by `,` throughout",
                );
                found.help = "write `enum Cover { Bare < Soft < Hard }` or `enum Arm { Foot, Horse }`".to_string();
                return Err(Box::new(found));
            }
        }
        Ok(Enum { name, title, cases, ordered: less > 0 })
    }

    pub fn chain(&self, k: &mut Kids) -> Low<ItemKind> {
        let (name, title) = (self.tname(k)?, self.title(k));
        let mut dice = Vec::new();
        while let Some(die) = k.take(Rule::die) {
            let (_, sides, bare) = self.dice(&die)?;
            if !bare {
                return self.fail(Code::Syntax, &die, format!("a chain must list single dice; write `d{sides}`"));
            }
            dice.push((sides, self.span(&die)));
        }
        Ok(ItemKind::Chain { name, title, dice })
    }

    pub fn die(&self, k: &mut Kids) -> Low<ItemKind> {
        let name = self.tname(k)?;
        k.skip(Rule::k_of);
        let of = self.next_type(k)?;
        let title = self.title(k);
        let mut sides = Vec::new();
        while let Some(side) = k.take(Rule::side) {
            sides.push(self.die_side(side)?);
        }
        Ok(ItemKind::Die { name, of, title, sides })
    }

    fn die_side(&self, pair: Pair) -> Low<DieSide> {
        let span = self.span(&pair);
        let whole = pair.clone();
        let mut kids = Kids::of(pair);
        let minus = kids.skip(Rule::minus);
        let number = kids.take(Rule::number).map(|p| self.number(&p)).transpose()?;
        let case = self.opt_tname(&mut kids);
        let (times, face) = match (number, case) {
            (None, Some(case)) => (1, DieFace::Case(case)),
            (Some(n), None) => {
                let thousandths = if minus { -n.thousandths } else { n.thousandths };
                (1, DieFace::Number(Number { thousandths, ..n }))
            }
            (Some(n), Some(case)) => {
                let times = u32::try_from(n.thousandths / 1000).unwrap_or(0);
                if n.unit != Unit::Plain || n.thousandths % 1000 != 0 || times == 0 {
                    return self.fail(
                        Code::BadNumber,
                        &whole,
                        "the number of times a face is on the die must be a whole number above 0",
                    );
                }
                (times, DieFace::Case(case))
            }
            (None, None) => return self.odd(whole.as_span().start(), "a face"),
        };
        Ok(DieSide { times, face, span })
    }

    pub fn kind(&self, k: &mut Kids) -> Low<Kind> {
        let (name, title) = (self.tname(k)?, self.title(k));
        let on_board = k.skip(Rule::on_board);
        let group: Vec<_> = k.take(Rule::group_of).map_or(Vec::new(), |group| group.into_inner().collect());
        let stays_empty = group.iter().any(|p| p.as_rule() == Rule::stays);
        let group_of = group.iter().find(|p| p.as_rule() == Rule::name).map(|p| self.name_of(p));
        Ok(Kind { name, title, on_board, group_of, stays_empty, members: self.members(k)? })
    }

    pub fn members(&self, k: &mut Kids) -> Low<Vec<Member>> {
        let pair = self.want(k, Rule::members, "the lines of the kind")?;
        pair.into_inner().map(|p| self.member(p)).collect()
    }

    fn member(&self, pair: Pair) -> Low<Member> {
        let (span, cited) = (self.span(&pair), self.cited(&pair));
        let mut kids = Kids::of(pair);
        let inner = self.any(&mut kids, "a line of the kind")?;
        let kind = match inner.as_rule() {
            Rule::stat => MemberKind::Stat(self.slot_decl(inner)?),
            Rule::state => MemberKind::State(self.slot_decl(inner)?),
            Rule::let_d => MemberKind::Let(self.let_of(inner)?),
            rule => {
                let mut k = Kids::of(inner);
                k.next();
                let name = self.name(&mut k)?;
                if rule == Rule::owner {
                    MemberKind::Owner(name)
                } else {
                    MemberKind::Link { name, ty: self.next_type(&mut k)?, tree: k.skip(Rule::k_tree) }
                }
            }
        };
        Ok(Member { cites: self.cite(&mut kids), cited, kind, span })
    }

    /// Lowers a `stat` or a `state`.
    pub fn slot_decl(&self, pair: Pair) -> Low<Slot> {
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        k.next();
        let name = self.name(k)?;
        let keys = self.opt_params(k)?.unwrap_or_default();
        let ty = self.next_type(k)?;
        Ok(Slot { name, keys, ty, default: self.opt_expr(k)?, title: self.title(k) })
    }

    pub fn opt_expr(&self, k: &mut Kids) -> Low<Option<Expr>> {
        k.take(Rule::expr).map(|p| self.expr(p)).transpose()
    }

    /// Lowers a type if it comes next.
    pub fn opt_type(&self, k: &mut Kids) -> Low<Option<TypeExpr>> {
        k.take(Rule::type_e).map(|p| self.type_of(p)).transpose()
    }

    pub fn next_type(&self, k: &mut Kids) -> Low<TypeExpr> {
        let pair = self.want(k, Rule::type_e, "a type")?;
        self.type_of(pair)
    }

    fn type_of(&self, pair: Pair) -> Low<TypeExpr> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let first = self.any(&mut kids, "a type")?;
        let start = first.as_span().start();
        let kind = match first.as_rule() {
            Rule::tname => TypeExprKind::Named(self.name_of(&first)),
            Rule::list_type => match first.into_inner().find(|p| p.as_rule() == Rule::tname) {
                Some(of) => TypeExprKind::List(self.name_of(&of)),
                None => return self.odd(start, "the type of the entries"),
            },
            _ => {
                let mut inner = Kids::of(first);
                let low = self.want(&mut inner, Rule::fixed, "a bound")?;
                let low = self.fixed(low)?;
                inner.skip(Rule::range_op);
                let high = inner.take(Rule::fixed).map(|p| self.fixed(p)).transpose()?;
                TypeExprKind::Bounded { low, high }
            }
        };
        Ok(TypeExpr { kind, optional: kids.skip(Rule::opt), span })
    }

    /// Lowers parameters in brackets if they come next.
    pub fn opt_params(&self, k: &mut Kids) -> Low<Option<Vec<Formal>>> {
        k.take(Rule::params).map(|p| self.formals(p)).transpose()
    }

    /// Lowers all `formal`s in a pair.
    pub fn formals(&self, pair: Pair) -> Low<Vec<Formal>> {
        let mut all = Vec::new();
        for formal in pair.into_inner().filter(|p| p.as_rule() == Rule::formal) {
            let mut kids = Kids::of(formal);
            let k = &mut kids;
            all.push(Formal { name: self.name(k)?, ty: self.opt_type(k)?, default: self.opt_expr(k)? });
        }
        Ok(all)
    }

    /// Lowers a `record` or an `event`.
    pub fn fields_item(&self, pair: Pair) -> Low<(Name, Vec<Formal>, Option<Text>)> {
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        k.next();
        Ok((self.tname(k)?, self.opt_params(k)?.unwrap_or_default(), self.title(k)))
    }

    /// Lowers a `let` of an item or a member, including the open and extern forms.
    pub fn let_of(&self, pair: Pair) -> Low<Let> {
        let external = pair.as_rule() == Rule::extern_let;
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        k.next();
        let of = self.opt_tname(k);
        let (name, params, ty, title) = (self.name(k)?, self.opt_params(k)?, self.opt_type(k)?, self.title(k));
        k.skip(Rule::k_default);
        Ok(Let { of, name, params, ty, title, value: self.opt_expr(k)?, external })
    }

    pub fn table(&self, k: &mut Kids) -> Low<Table> {
        let name = self.name(k)?;
        let keys = self.opt_params(k)?.unwrap_or_default();
        let (ty, title) = (self.next_type(k)?, self.title(k));
        let mut rows = Vec::new();
        while let Some(row) = k.take(Rule::trow) {
            let span = self.span(&row);
            let mut inner = Kids::of(row);
            let mut cells = Vec::new();
            while let Some(cell) = inner.take(Rule::cell) {
                cells.push(self.cell(cell)?);
            }
            rows.push(TableRow { cells, cites: self.cite(&mut inner), span });
        }
        Ok(Table { name, keys, ty, title, rows })
    }

    fn cell(&self, pair: Pair) -> Low<Cell> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let Some(first) = kids.next() else {
            return Ok(Cell { kind: CellKind::Blank, span });
        };
        let kind = match first.as_rule() {
            Rule::blank => CellKind::Blank,
            Rule::dash => CellKind::Dash,
            Rule::arith => CellKind::Value(self.arith(first)?),
            _ => {
                let mut all = vec![self.pattern_of(first)?];
                while let Some(next) = kids.next() {
                    all.push(self.pattern_of(next)?);
                }
                CellKind::Keys(all)
            }
        };
        Ok(Cell { kind, span })
    }
}
