//! Lowers dice that are written directly in an expression of a query. Each die or pool becomes a separate roll, and the
//! name of the roll replaces it.

use super::{Kids, Low, Lower, Pair};
use crate::grammar::Rule;
use crate::scan::Scan;
use crate::tree::{Arg, Expr, ExprKind, Name, Thrown};
use grognard_base::{Code, Diagnostic, Span};
use std::cell::RefCell;

/// Distinguishes the names of rolls with the same text. It has zero width and cannot occur in a written name.
pub const AGAIN: char = '\u{200b}';

/// Maximum number of rolls in an expression. More dice must be grouped in pools.
const MOST: usize = 250;

/// The rolls of an expression so far.
pub(in super::super) struct Throws<'s> {
    /// Dice that the rules declare.
    declared: &'s [&'s str],
    /// Names of all rolls, including those of earlier texts.
    written: RefCell<Vec<String>>,
    throws: RefCell<Vec<Thrown>>,
    /// Whether the expression can have preceding parts. A measured value cannot.
    parts: bool,
}

impl<'s> Lower<'s> {
    /// Lowers the same text as an expression with dice, or as a measured value of one with these dice.
    pub fn throwing<'t>(&self, declared: &'t [&'t str], figure_of: Option<&[String]>) -> Lower<'t>
    where
        's: 't,
    {
        let written = RefCell::new(figure_of.unwrap_or_default().to_vec());
        let throws = Throws { declared, written, throws: RefCell::default(), parts: figure_of.is_none() };
        Lower { throws: Some(throws), ..*self }
    }

    /// Returns the rolls since the last call.
    pub fn taken_throws(&self) -> Vec<Thrown> {
        self.throws.as_ref().map_or(Vec::new(), |throws| throws.throws.take())
    }

    /// Returns whether the name is a die that the rules declare, in an expression with dice.
    pub fn is_die(&self, pair: &Pair) -> bool {
        self.throws.as_ref().is_some_and(|throws| throws.declared.contains(&pair.as_str()))
    }

    /// Lowers a die without rolling it.
    pub fn one_die(&self, pair: &Pair) -> Low<Expr> {
        if pair.as_rule() == Rule::tname {
            return Ok(self.leaf(pair, ExprKind::Upper(pair.as_str().to_string())));
        }
        let (count, sides, bare) = self.dice(pair)?;
        Ok(self.leaf(pair, ExprKind::Dice { count, sides, bare }))
    }

    /// Lowers the next value with its calls and fields. In an expression with dice, an `of` with dice after it makes
    /// the value the size of a pool.
    pub fn pooled(&self, kids: &mut Kids) -> Low<Expr> {
        let fallen = || self.throws.as_ref().map_or(0, |throws| throws.throws.borrow().len());
        let before = fallen();
        let pair = self.any(kids, "a value")?;
        let value = self.primary(pair)?;
        let value = self.suffixes(value, kids)?;
        if !kids.skip(Rule::k_of) {
            return Ok(value);
        }
        let pair = self.any(kids, "a die")?;
        if pair.as_rule() == Rule::tname && !self.is_die(&pair) {
            let message = format!("no die is called `{}`", pair.as_str());
            let found = Diagnostic::new(Code::UnknownName, self.span(&pair), message);
            return Err(Box::new(found.help("write a die such as d6, or one that the rules declare by `die`")));
        }
        if fallen() > before {
            return self.dice_of_dice(value.span);
        }
        self.thrown(Some(value), self.one_die(&pair)?)
    }

    /// Returns the name of the roll of these dice in an expression with dice, or else the dice.
    pub fn thrown(&self, count: Option<Expr>, dice: Expr) -> Low<Expr> {
        let Some(throws) = &self.throws else { return Ok(dice) };
        let span = count.as_ref().map_or(dice.span, |count| count.span.to(dice.span));
        let mut text = self.written(span).to_string();
        let mut written = throws.written.borrow_mut();
        if written.len() == MOST {
            let message = "the expression has more dice than the engine can distinguish; roll them in pools";
            return Err(Box::new(Diagnostic::new(Code::TooLarge, span, message)));
        }
        let alike = written.iter().filter(|other| **other == text).count();
        written.push(text.clone());
        text.extend(std::iter::repeat_n(AGAIN, alike));
        let kind = ExprKind::Name(text.clone());
        throws.throws.borrow_mut().push(Thrown { name: Name { text, span }, count, dice });
        Ok(Expr { kind, span })
    }

    /// Undoes the roll of a single die in `faces(d6)`, which only inspects the die.
    pub fn unrolled(&self, args: &mut [Arg]) {
        let Some(throws) = &self.throws else { return };
        let single = |throw: &mut Thrown| throw.count.is_none();
        if let [Arg { value, .. }] = args
            && let Some(throw) =
                throws.throws.borrow_mut().pop_if(|throw| throw.name.span == value.span && single(throw))
        {
            throws.written.borrow_mut().pop();
            *value = throw.dice;
        }
    }

    fn written(&self, span: Span) -> &str {
        let place = |at: u32| (at as usize).saturating_sub(self.base);
        self.text.get(place(span.start)..place(span.end)).unwrap_or("")
    }

    /// Reports a number of dice that is itself rolled. The help moves that roll before the expression, under a name.
    fn dice_of_dice<T>(&self, count: Span) -> Low<T> {
        let message = "the number of dice cannot contain a die; roll it first, under a name";
        let found = Diagnostic::new(Code::Syntax, count, message);
        let throws = self.taken_throws();
        let (Some(inner), Some(Throws { parts: true, .. })) = (throws.last(), &self.throws) else {
            return Err(Box::new(found.help("write `k = d6; ..` in the expression, and ask by that name")));
        };
        let taken = |name: &str| Scan::new(self.text, 0, self.text.len()).any(|token| token.text(self.text) == name);
        let name = ["k", "n", "m", "number"].into_iter().find(|name| !taken(name)).unwrap_or("how_many");
        let place = |at: u32| (at as usize).saturating_sub(self.base);
        let before = self.text.get(..place(inner.name.span.start)).unwrap_or("");
        let behind = self.text.get(place(inner.name.span.end)..).unwrap_or("");
        // a single name in brackets needs no additional brackets
        let (before, behind) = match (before.strip_suffix('('), behind.strip_prefix(')')) {
            (Some(open), Some(close)) if !open.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') => {
                (open, close)
            }
            _ => (before, behind),
        };
        let die = self.written(inner.name.span);
        // a pool is not a number
        let die = if inner.count.is_some() { format!("total({die})") } else { die.to_string() };
        Err(Box::new(found.help(format!("write `{name} = {die}; {before}{name}{behind}`"))))
    }
}
