//! Lowers the header, and dispatches on the kind of item.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::tree::*;
use grognard_base::Span;
use std::sync::Arc;

/// The declaration of an item, and the cites at its end.
pub(super) type Declared = (ItemKind, Vec<ClauseRef>);

impl Lower<'_> {
    /// Lowers a `header` pair to the header of a file.
    pub fn header(&self, pair: Pair) -> Low<Header> {
        let head = self.inner(pair, "a header")?;
        let span = self.span(&head);
        let variant = head.as_rule() == Rule::variant_head;
        let mut paths = Vec::new();
        let mut version = None;
        for part in head.into_inner() {
            match part.as_rule() {
                Rule::path => paths.push(self.name_of(&part)),
                Rule::string => version = Some(self.text_of(&part)),
                _ => {}
            }
        }
        let mut paths = paths.into_iter();
        match paths.next() {
            Some(path) => Ok(Header { variant, path, base: paths.next(), version, span }),
            None => self.odd(0, "the path of the file"),
        }
    }

    /// Lowers an `item` pair to an item.
    pub fn item(&self, pair: Pair) -> Low<Item> {
        let (end, cited, borrowed) = (pair.as_span().end(), self.cited(&pair), self.borrowed(&pair));
        let mut kids = Kids::of(pair);
        let above = self.above(&mut kids);
        let mut inner = self.any(&mut kids, "an item")?;
        let span = self.span_at(inner.as_span().start(), end);
        let overrides = inner.as_rule() == Rule::override_d;
        if overrides {
            let mut kids = Kids::of(inner);
            kids.skip(Rule::k_override);
            inner = self.any(&mut kids, "an item after `override`")?;
        }
        let stand_in = inner.as_rule() == Rule::stand_in_d;
        if stand_in {
            let mut kids = Kids::of(inner);
            kids.skip(Rule::k_stand_in);
            inner = self.any(&mut kids, "an item after `stand-in`")?;
        }
        let (kind, mut behind) = self.declared(inner)?;
        let mut cites = above.unwrap_or_default();
        cites.append(&mut behind);
        // a paragraph states its clause and cites none
        let cited = if matches!(kind, ItemKind::Clause(_)) { Vec::new() } else { cited };
        Ok(Item { cites, cited, borrowed, overrides, stand_in, kind, span })
    }

    fn declared(&self, pair: Pair) -> Low<Declared> {
        let rule = pair.as_rule();
        match rule {
            Rule::extern_d | Rule::open_d => {
                let mut kids = Kids::of(pair);
                kids.next();
                let inner = self.any(&mut kids, "an item")?;
                return match inner.as_rule() {
                    Rule::event_d => {
                        let (name, fields, title) = self.fields_item(inner)?;
                        Ok((ItemKind::Event { name, fields, title, external: true }, Vec::new()))
                    }
                    _ => self.extern_or_open(inner),
                };
            }
            Rule::event_d => {
                let (name, fields, title) = self.fields_item(pair)?;
                return Ok((ItemKind::Event { name, fields, title, external: false }, Vec::new()));
            }
            Rule::record_d => {
                let (name, fields, title) = self.fields_item(pair)?;
                return Ok((ItemKind::Record { name, fields, title }, Vec::new()));
            }
            Rule::let_d => return Ok((ItemKind::Let(self.let_of(pair)?), Vec::new())),
            Rule::rule_d => return Ok((ItemKind::Rule(self.rule(pair)?), Vec::new())),
            Rule::game_d => {
                let mut kids = Kids::of(pair);
                let slot = self.want(&mut kids, Rule::state, "a state")?;
                return Ok((ItemKind::State(self.slot_decl(slot)?), self.cite(&mut kids)));
            }
            Rule::override_cell => return self.set_cell(pair),
            Rule::clause_d => return Ok((ItemKind::Clause(self.paragraph(pair)?), Vec::new())),
            _ => {}
        }
        let start = pair.as_span().start();
        let mut kids = Kids::of(pair);
        let k = &mut kids;
        let word = k.next();
        let kind = match rule {
            Rule::section => ItemKind::Section(self.string(k)?),
            Rule::param_d => ItemKind::Param(self.param(k)?),
            Rule::reading_d => ItemKind::Reading(self.reading(k)?),
            Rule::override_reading => {
                let (name, value) = (self.name(k)?, self.next_arith(k)?);
                let because = if k.skip(Rule::k_because) { Some(self.string(k)?) } else { None };
                ItemKind::SetReading { name, value, because }
            }
            Rule::enum_d => ItemKind::Enum(self.enum_of(k)?),
            Rule::chain_d => self.chain(k)?,
            Rule::die_d => self.die(k)?,
            Rule::tally_d => ItemKind::Tally { name: self.name(k)?, title: self.title(k) },
            Rule::kind_d => ItemKind::Kind(self.kind(k)?),
            Rule::extend_d => {
                k.skip(Rule::k_kind);
                ItemKind::ExtendKind { name: self.tname(k)?, members: self.members(k)? }
            }
            Rule::table_d => ItemKind::Table(self.table(k)?),
            Rule::trait_d => {
                let sort = match word.map(|w| w.as_rule()) {
                    Some(Rule::k_status) => TraitSort::Status,
                    Some(Rule::k_condition) => TraitSort::Condition,
                    _ => TraitSort::Trait,
                };
                ItemKind::Trait(self.trait_of(sort, k)?)
            }
            Rule::test_d => ItemKind::Test(self.test(k, false)?),
            Rule::proc_d => ItemKind::Proc(self.proc(k, false)?),
            Rule::phase_d => ItemKind::Phase(self.phase(k)?),
            Rule::action_d => ItemKind::Action(self.action(k)?),
            Rule::law_d => ItemKind::Law { name: self.tname(k)?, title: self.title(k), holds: self.next_expr(k)? },
            Rule::policy_d => self.policy(k)?,
            Rule::example_d => ItemKind::Example(Arc::new(self.example(k)?)),
            Rule::change_d => self.change(k)?,
            Rule::remove_d => self.remove(k)?,
            _ => return self.odd(start, "an item"),
        };
        Ok((kind, self.cite(k)))
    }

    fn paragraph(&self, pair: Pair) -> Low<Paragraph> {
        let mut kids = Kids::of(pair);
        let id = self.want(&mut kids, Rule::cid, "the id of a clause").map(|id| self.name_of(&id))?;
        let mut mark = kids.take(Rule::standing).map(Kids::of);
        let mut part = |rule| mark.as_mut().and_then(|mark| mark.take(rule)).map(|part| self.name_of(&part));
        let (status, mut decided) = (part(Rule::marked), part(Rule::decision));
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
        decided.iter_mut().for_each(|decided| decided.text = one_line(&decided.text));
        let mut says = self.want(&mut kids, Rule::says, "the text of a clause").map(|says| self.name_of(&says))?;
        says.text = one_line(&says.text);
        Ok(Paragraph { id, status, decided, says })
    }

    fn set_cell(&self, pair: Pair) -> Low<Declared> {
        let mut kids = Kids::of(pair);
        let table = self.name(&mut kids)?;
        let mut keys = Vec::new();
        let mut value = None;
        while let Some(next) = kids.next() {
            if let Some(key) = value.take() {
                keys.push(key);
            }
            value = Some(match next.as_rule() {
                Rule::k_none => self.primary(next)?,
                Rule::expr => self.expr(next)?,
                _ => break,
            });
        }
        match value {
            Some(value) => Ok((ItemKind::SetCell { table, keys, value }, Vec::new())),
            None => self.odd(0, "the new value"),
        }
    }

    fn change(&self, k: &mut Kids) -> Low<ItemKind> {
        let what = self.want(k, Rule::change_what, "the word of an item")?;
        let first = self.any(k, "a name")?;
        let (of, name) = match k.take(Rule::name) {
            Some(name) => (Some(self.name_of(&first)), name),
            None => (None, first),
        };
        let under = match k.take(Rule::change_under).map(Kids::of) {
            Some(mut under) => {
                under.skip(Rule::k_under);
                let (reading, answer) = (self.name(&mut under)?, self.any(&mut under, "an answer")?);
                Some((reading, self.name_of(&answer)))
            }
            None => None,
        };
        let mut lines = Vec::new();
        for line in self.want(k, Rule::change_body, "the lines of the change")?.into_inner() {
            let mut kids = Kids::of(line);
            let sort = match kids.take(Rule::change_sign).map(|sign| sign.as_str()) {
                Some("-") => ChangeSort::Goes,
                Some(_) => ChangeSort::Comes,
                None => ChangeSort::Stays,
            };
            let pair = self.want(&mut kids, Rule::change_text, "a line of the item")?;
            let text = pair.as_str().trim_end();
            let start = pair.as_span().start();
            let span = Span::new(self.file, self.base + start, self.base + start + text.len());
            lines.push(ChangeLine { sort, text: Name { text: text.to_string(), span } });
        }
        Ok(ItemKind::Change(Change { what: self.name_of(&what), of, name: self.name_of(&name), under, lines }))
    }

    fn remove(&self, k: &mut Kids) -> Low<ItemKind> {
        let what = match k.next().map(|p| p.as_rule()) {
            Some(Rule::k_action) => RemoveWhat::Action,
            Some(Rule::k_rule) => RemoveWhat::Rule,
            Some(Rule::k_law) => RemoveWhat::Law,
            Some(Rule::k_policy) => RemoveWhat::Policy,
            _ => RemoveWhat::Example,
        };
        let name = self.any(k, "the name of the item to remove")?;
        let name = if name.as_rule() == Rule::string { self.text_of(&name) } else { self.name_of(&name) };
        Ok(ItemKind::Remove { what, name })
    }

    fn policy(&self, k: &mut Kids) -> Low<ItemKind> {
        let (name, title) = (self.tname(k)?, self.title(k));
        let mut entries = Vec::new();
        while let Some(entry) = k.take(Rule::pentry) {
            let mut inner = Kids::of(entry);
            let choice = self.any(&mut inner, "the name of a choice")?;
            let choice = self.name_of(&choice);
            let mut prefs = Vec::new();
            while let Some(pref) = inner.take(Rule::pref) {
                prefs.push(self.preference(pref)?);
            }
            entries.push(PolicyEntry { choice, prefs });
        }
        Ok(ItemKind::Policy { name, title, entries })
    }

    fn preference(&self, pair: Pair) -> Low<Preference> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let answer = self.answer(&mut kids)?;
        Ok(Preference { answer, when: self.opt_when(&mut kids)?, span })
    }

    /// Lowers `most E`, `stop`, or a value.
    pub fn answer(&self, k: &mut Kids) -> Low<Answer> {
        if let Some(word) = k.take(Rule::extreme) {
            return Ok(Answer::Extreme { most: word.as_str() == "most", by: self.next_arith(k)? });
        }
        let value = self.any(k, "an answer")?;
        Ok(match value.as_rule() {
            Rule::k_stop => Answer::Stop(self.span(&value)),
            Rule::arith => Answer::Value(self.arith(value)?),
            Rule::expr => Answer::Value(self.expr(value)?),
            _ => Answer::Value(self.primary(value)?),
        })
    }
}
