//! Lowers examples: their head and their claims.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;
use grognard_base::{Code, Diagnostic};

impl Lower<'_> {
    /// Lowers an example after its keyword.
    pub fn example(&self, k: &mut Kids) -> Low<Example> {
        let title = self.string(k)?;
        let mut example = Example { title, ..Example::default() };
        let mut claims = Vec::new();
        let mut seen = Vec::new();
        while let Some(next) = k.next() {
            let rule = next.as_rule();
            if matches!(rule, Rule::ex_with | Rule::ex_under | Rule::ex_rolling | Rule::ex_choosing) {
                if seen.contains(&rule) {
                    return self.twice(next);
                }
                seen.push(rule);
            }
            match rule {
                Rule::ex_for => self.example_part(&mut Kids::of(next), &mut example)?,
                Rule::ex_with | Rule::ex_under | Rule::ex_rolling | Rule::ex_choosing => {
                    self.example_part(&mut Kids::of(next), &mut example)?;
                }
                Rule::ex_table => example.body = self.ex_table(next)?,
                Rule::claim => claims.push(self.claim(next)?),
                _ => return self.odd(next.as_span().start(), "a claim"),
            }
        }
        if !claims.is_empty() {
            example.body = ExampleBody::Claims(claims);
        }
        Ok(example)
    }

    fn twice<T>(&self, pair: Pair) -> Low<T> {
        let word = pair.clone().into_inner().next().map_or("with", |p| p.as_str());
        let message = format!("`{word}` appears twice in this example");
        let help = format!("put all of it after one `{word}`, with commas between");
        Err(Box::new(Diagnostic::new(Code::ExampleForm, self.span(&pair), message).help(help)))
    }

    /// Lowers the part after `for`, `with`, `under`, `rolling` or `choosing`.
    pub fn example_part(&self, k: &mut Kids, example: &mut Example) -> Low<()> {
        while let Some(part) = k.next() {
            match part.as_rule() {
                Rule::call => example.call = Some(self.call_of(part)?),
                Rule::standin => {
                    let mut kids = Kids::of(part);
                    example.stand_ins.push((self.name(&mut kids)?, self.tname(&mut kids)?));
                }
                Rule::given => example.with.push(self.given(part)?),
                Rule::name => example.under.push((self.name_of(&part), self.next_arith(k)?)),
                Rule::throw => example.rolling.push(self.throw(part)?),
                Rule::pick => example.choosing.push(self.pick(part)?),
                _ => {}
            }
        }
        Ok(())
    }

    fn given(&self, pair: Pair) -> Low<Given> {
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        let name = self.want(k, Rule::name, "a name")?;
        let name = self.primary(name)?;
        let target = self.suffixes(name, k)?;
        let kind = if k.skip(Rule::k_has) {
            GivenKind::Has { name: self.tname(k)?, args: self.opt_args(k)? }
        } else {
            GivenKind::Value(self.next_arith(k)?)
        };
        Ok(Given { target, kind })
    }

    fn throw(&self, pair: Pair) -> Low<Throw> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let first = self.any(&mut kids, "a face")?;
        let Some(second) = kids.next() else {
            return Ok(Throw { roll: None, faces: self.primary(first)?, span });
        };
        Ok(Throw { roll: Some(self.name_of(&first)), faces: self.primary(second)?, span })
    }

    fn pick(&self, pair: Pair) -> Low<Pick> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        Ok(Pick { choice: self.name(&mut kids)?, answer: self.answer(&mut kids)?, span })
    }

    fn claim(&self, pair: Pair) -> Low<Claim> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let claimed = self.claimed(&mut kids, span)?;
        Ok(Claim { claimed, value: self.opt_expr(&mut kids)?, span })
    }

    fn claimed(&self, k: &mut Kids, span: grognard_base::Span) -> Low<Claimed> {
        let kind = match k.peek() {
            Some(Rule::offered) => {
                let pair = self.want(k, Rule::offered, "an offer")?;
                let mut inner = Kids::of(pair);
                let not = inner.skip(Rule::k_not);
                inner.skip(Rule::k_offered);
                let action = self.tname(&mut inner)?;
                ClaimKind::Offered { not, action, args: self.opt_args(&mut inner)? }
            }
            Some(Rule::k_chance) => {
                k.skip(Rule::k_chance);
                ClaimKind::Chance(self.next_cond(k)?)
            }
            Some(Rule::k_mean) => {
                k.skip(Rule::k_mean);
                ClaimKind::Mean(self.next_cond(k)?)
            }
            _ => ClaimKind::Value(self.next_cond(k)?),
        };
        let given = if k.skip(Rule::k_given) { Some(self.next_cond(k)?) } else { None };
        Ok(Claimed { kind, given, span })
    }

    fn ex_table(&self, pair: Pair) -> Low<ExampleBody> {
        let mut kids = Kids::of(pair);
        let head = self.want(&mut kids, Rule::ehead, "the head of the table")?;
        let bar = self.bar(&head);
        let (mut inputs, mut claims) = (Vec::new(), Vec::new());
        for column in head.into_inner() {
            let (span, at) = (self.span(&column), column.as_span().start());
            let claimed = self.claimed(&mut Kids::of(column), span)?;
            if at > bar {
                claims.push(claimed);
                continue;
            }
            match claimed {
                Claimed { kind: ClaimKind::Value(input), given: None, .. } => inputs.push(input),
                _ => {
                    let message = "inputs go left of `||` and claims go right of it";
                    return Err(Box::new(Diagnostic::new(Code::ExampleForm, span, message)));
                }
            }
        }
        let mut rows = Vec::new();
        while let Some(row) = kids.take(Rule::erow) {
            let (span, bar) = (self.span(&row), self.bar(&row));
            let mut out = ExampleRow { inputs: Vec::new(), claims: Vec::new(), span };
            for value in row.into_inner() {
                let left = value.as_span().start() < bar;
                let value = self.arith(value)?;
                if left { out.inputs.push(value) } else { out.claims.push(value) }
            }
            if out.inputs.len() != inputs.len() || out.claims.len() != claims.len() {
                let message = format!(
                    "this row has {} and {} values, the head {} and {}",
                    out.inputs.len(),
                    out.claims.len(),
                    inputs.len(),
                    claims.len()
                );
                return Err(Box::new(Diagnostic::new(Code::ExampleForm, span, message)));
            }
            rows.push(out);
        }
        Ok(ExampleBody::Table { inputs, claims, rows })
    }

    /// Returns the offset of the `||` in a row. Such a row has no quoted text, so it is the first one.
    fn bar(&self, row: &Pair) -> usize {
        let span = row.as_span();
        span.start() + row.as_str().find("||").unwrap_or(row.as_str().len())
    }
}
