//! Dice of an example: the faces it gives, by name or bare.

use crate::base::Code;
use crate::machine::{Dice, Die, DrawAsk, Fault, Flow, Game, Throw};
use crate::play::memory::take;
use crate::program::AskKind;
use crate::program::wording::constant;
use crate::syntax::tree::{self, ExprKind};
use crate::value::*;
use std::collections::BTreeMap;

/// Faces as written: numbers, cases or names of things.
type Thrown = Vec<String>;

/// Throws of one name, and how many of them were made.
#[derive(Default)]
struct Row {
    throws: Vec<Thrown>,
    made: usize,
}

impl Row {
    fn next(&mut self) -> Option<Thrown> {
        let next = self.throws.get(self.made).cloned()?;
        self.made += 1;
        Some(next)
    }

    fn left(&self) -> bool {
        self.made < self.throws.len()
    }
}

/// Throws what an example gives.
pub(super) struct Faces {
    named: BTreeMap<String, Row>,
    bare: Row,
    /// The roll the bare faces were given to.
    taken_by: Option<String>,
}

impl Faces {
    pub(super) fn of(example: &tree::Example) -> Faces {
        let mut faces = Faces { named: BTreeMap::new(), bare: Row::default(), taken_by: None };
        for throw in &example.rolling {
            let mut words = Vec::new();
            spell(&throw.faces, &mut words);
            match &throw.roll {
                Some(name) => faces.named.entry(name.text.clone()).or_default().throws.push(words),
                None => faces.bare.throws.push(words),
            }
        }
        faces
    }

    /// A roll that is given more than it was asked.
    pub(super) fn left(&self) -> Option<String> {
        let named = self.named.iter().find(|(_, row)| row.left()).map(|(name, _)| name.clone());
        named.or_else(|| self.bare.left().then(|| self.taken_by.clone().unwrap_or_else(|| "rolling".to_string())))
    }

    /// True if the example gives something for a roll or draw of this name.
    pub(super) fn gives(&self, name: &str) -> bool {
        let bare = || self.taken_by.as_ref().map_or(self.bare.left(), |first| first == name);
        self.named.contains_key(name) || bare()
    }

    /// Writes down how far it came; rolls by the number that `number` gives to their names.
    pub(super) fn remember(&self, number: impl Fn(&str) -> i64, to: &mut Vec<i64>) {
        to.extend(self.named.values().map(|row| row.made as i64));
        to.push(self.bare.made as i64);
        to.push(self.taken_by.as_ref().map_or(-1, |name| number(name)));
    }

    /// Goes back to what was written down.
    pub(super) fn recall(&mut self, name: impl Fn(i64) -> Option<String>, from: &mut &[i64]) {
        self.named.values_mut().for_each(|row| row.made = take(from) as usize);
        self.bare.made = take(from) as usize;
        self.taken_by = name(take(from));
    }

    fn next(&mut self, name: &str, of: &str) -> Result<Thrown, Fault> {
        if let Some(row) = self.named.get_mut(name) {
            return row.next().ok_or_else(|| {
                Fault::new(Code::ExampleRolls, format!("`{name}` is thrown once more than the example gives"))
            });
        }
        if let Some(first) = self.taken_by.as_ref().filter(|first| *first != name) {
            let message = format!("this example reaches two rolls; name them: `rolling {first} = .., {name} = ..`");
            return Err(Fault::new(Code::ExampleRolls, message));
        }
        let whose = if of.is_empty() { String::new() } else { format!(" of {of}") };
        let Some(thrown) = self.bare.next() else {
            let message = match self.taken_by {
                Some(_) => format!("`{name}` is thrown once more than the example gives"),
                None => format!("the roll `{name}`{whose} is reached, and the example gives no dice for it"),
            };
            return Err(Fault::new(Code::ExampleRolls, message));
        };
        self.taken_by = Some(name.to_string());
        Ok(thrown)
    }
}

/// The words of a written face or list of faces.
fn spell(e: &tree::Expr, words: &mut Thrown) {
    match &e.kind {
        ExprKind::List(entries) | ExprKind::Tuple(entries) => entries.iter().for_each(|e| spell(e, words)),
        ExprKind::Paren(inner) => spell(inner, words),
        ExprKind::Number(n) if n.thousandths % 1000 == 0 => words.push((n.thousandths / 1000).to_string()),
        ExprKind::Neg(inner) => {
            let mut of = Vec::new();
            spell(inner, &mut of);
            words.extend(of.into_iter().map(|w| format!("-{w}")));
        }
        ExprKind::Name(name) | ExprKind::Upper(name) => words.push(name.clone()),
        ExprKind::Field(_, case) => words.push(case.text.clone()),
        ExprKind::Yes => words.push("yes".into()),
        ExprKind::No => words.push("no".into()),
        _ => words.push("?".into()),
    }
}

impl Dice for Faces {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, out: &mut Vec<i64>) -> Result<Flow, Fault> {
        if throw.dice.is_empty() {
            return Ok(Flow::Go);
        }
        let name = game.program.schema.sites[throw.site.at()].name.clone();
        let given = self.next(&name, &game.packed_name(throw.subject))?;
        let wanted = throw.dice.len();
        if given.len() == 1 && wanted > 1 && throw.again.is_empty() && is_sum(game, throw.site) {
            return split(game, throw, &name, &given[0], out);
        }
        if given.len() != wanted {
            let dice = if wanted == 1 { "die" } else { "dice" };
            let mut message = format!("the roll `{name}` throws {wanted} {dice}, and is given {}", given.len());
            if wanted == 1 {
                message += &format!("; for several throws name it several times: `{name} = 1, {name} = 2`");
            }
            return Err(Fault::new(Code::ExampleForm, message));
        }
        for (n, word) in given.iter().enumerate() {
            match face(game, throw.dice.die(n), word) {
                Some(value) => out.push(value),
                None => {
                    let message = format!("the roll `{name}` cannot show {word}");
                    return Err(Fault::new(Code::ExampleForm, message));
                }
            }
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>, out: &mut Vec<usize>) -> Result<Flow, Fault> {
        let name = game.program.schema.sites.get(draw.site.at()).map_or(String::new(), |s| s.name.clone());
        let given = self.next(&name, &game.packed_name(draw.subject))?;
        if given.len() != draw.count {
            let message = format!("the draw `{name}` takes {}, and is given {}", draw.count, given.len());
            return Err(Fault::new(Code::ExampleForm, message));
        }
        for word in &given {
            match draw.names.iter().enumerate().position(|(n, c)| c == word && !out.contains(&n)) {
                Some(n) => out.push(n),
                None => return Err(Fault::new(Code::ExampleForm, format!("the draw `{name}` cannot give {word}"))),
            }
        }
        Ok(Flow::Go)
    }
}

fn is_sum(game: &Game, site: SiteId) -> bool {
    game.program.asks.iter().any(|a| a.site == site && matches!(a.kind, AskKind::Roll { sum: true, .. }))
}

fn face(game: &Game, die: Die, word: &str) -> Option<i64> {
    match die {
        Die::Sides(n) => word.parse::<i64>().ok().filter(|f| (1..=i64::from(n)).contains(f)),
        Die::Faces(id) => {
            let info = &game.program.schema.dice[id.at()];
            info.faces.iter().copied().find(|f| constant(&game.program.schema, &info.of, *f).to_string() == word)
        }
    }
}

/// A sum given as one number: faces that add up to it.
fn split(game: &Game, throw: &Throw<'_>, name: &str, word: &str, out: &mut Vec<i64>) -> Result<Flow, Fault> {
    let wrong = || Fault::new(Code::ExampleForm, format!("the roll `{name}` cannot come to {word}"));
    let mut left: i64 = word.parse().map_err(|_| wrong())?;
    let count = throw.dice.len();
    for n in 0..count {
        let rest = (count - n - 1) as i64;
        let sides = i64::from(throw.dice.die(n).sides(game));
        let value = (left - rest).clamp(1, sides.max(1));
        out.push(value);
        left -= value;
    }
    if left == 0 { Ok(Flow::Go) } else { Err(wrong()) }
}
