//! Renders data items without generated sentences: numbers, tables and readings, as a player reads them.
//!
//! Only constants, cases and ranges have a text. An item with any other expression has none, because its paragraph says
//! it better.

use super::model::Grid;
use super::player::Settled;
use super::tell::Teller;
use super::words::{Words, capital, human, phrase};
use grognard_base::value::Value;
use grognard_rules::wording::constant;
use grognard_syntax::tree::{
    Body, Cell, CellKind, DieFace, Expr, ExprKind, Item, ItemKind, Let, Match, MatchRow, Pattern, PatternKind, Table,
    Text,
};

impl Teller<'_> {
    /// Returns the text of a constant, or `None` for any other expression.
    pub fn plainly(&self, e: &Expr) -> Option<String> {
        Some(match &e.kind {
            ExprKind::Number(_) => grognard_rules::short_text(e).replace('"', "″"),
            ExprKind::Neg(inner) => format!("−{}", self.plainly(inner)?),
            ExprKind::Dice { sides, bare: true, .. } => format!("d{sides}"),
            ExprKind::Dice { count, sides, .. } => format!("{count}d{sides}"),
            ExprKind::Yes => "yes".into(),
            ExprKind::No => "no".into(),
            ExprKind::None => "–".into(),
            ExprKind::Upper(name) => case(name),
            ExprKind::Paren(inner) => self.plainly(inner)?,
            ExprKind::Name(name) => self.setting(name)?,
            _ => return None,
        })
    }

    /// Returns the value of a param or reading in this ruleset.
    fn setting(&self, name: &str) -> Option<String> {
        let setting = self.rules.settings.iter().find(|setting| setting.name == name)?;
        match setting.value.as_slice() {
            [cell] => Some(match constant(self.rules, &setting.ty, *cell) {
                Value::Word(name) => case(&name),
                value => value.to_string().replace('"', "″"),
            }),
            _ => None,
        }
    }

    /// Returns the title and the value of a number, a ladder of dice, or a die.
    pub fn number(&self, kind: &ItemKind) -> Option<(String, String)> {
        let named = |name: &str, title: &Option<Text>| {
            title.as_ref().map_or_else(|| capital(&phrase(name)), |title| capital(&title.text))
        };
        match kind {
            ItemKind::Param(p) => {
                let written = || human(&self.plain.line(p.value.span)).replace('"', "″");
                Some((named(&p.name.text, &p.title), self.setting(&p.name.text).unwrap_or_else(written)))
            }
            ItemKind::Chain { name, title, dice } => {
                let dice: Vec<String> = dice.iter().map(|(sides, _)| format!("d{sides}")).collect();
                Some((named(&name.text, title), dice.join(", ")))
            }
            ItemKind::Die { name, title, sides, .. } => {
                let face = |side: &grognard_syntax::tree::DieSide| match &side.face {
                    DieFace::Number(_) => self.plain.line(side.span),
                    DieFace::Case(name) if side.times > 1 => format!("{} × {}", side.times, case(&name.text)),
                    DieFace::Case(name) => case(&name.text),
                };
                Some((named(&name.text, title), sides.iter().map(face).collect::<Vec<_>>().join(", ")))
            }
            _ => None,
        }
    }

    /// Returns a table, or a `let` that is one: a match whose rows are constants.
    pub fn chart(&self, kind: &ItemKind) -> Option<Grid> {
        match kind {
            ItemKind::Table(table) => Some(self.table_of(table)),
            ItemKind::Let(Let { value: Some(Expr { kind: ExprKind::Match(found), .. }), title, name, .. }) => {
                let title = title.as_ref().map_or_else(|| phrase(&name.text), |title| title.text.clone());
                self.rows_of(found, &title)
            }
            _ => None,
        }
    }

    fn table_of(&self, table: &Table) -> Grid {
        // The rules can compute a cell. Its text is the best that a table can show.
        let value = |e: &Expr| self.plainly(e).unwrap_or_else(|| self.plain.line(e.span));
        let cell = |cell: &Cell| match &cell.kind {
            CellKind::Blank => Words::default(),
            CellKind::Dash => "–".into(),
            CellKind::Value(e) => value(e).into(),
            CellKind::Keys(keys) => match keys.iter().map(|key| self.keyed(key)).collect::<Option<Vec<_>>>() {
                Some(keys) => keys.join(", ").into(),
                None => cell.as_value().map_or(Words::default(), |e| value(&e).into()),
            },
        };
        let title = table.title.as_ref().map_or_else(|| phrase(&table.name.text), |title| title.text.clone());
        let keys: Vec<String> = table.keys.iter().map(|key| capital(&phrase(&key.name.text))).collect();
        let mut rows = table.rows.iter().map(|row| row.cells.iter().map(cell).collect::<Vec<Words>>());
        let (caption, heads) = match keys.as_slice() {
            [down, along] => {
                let head = rows.next().unwrap_or_default().into_iter().skip(1);
                (capital(&title), [Words::from(format!("{down} ↓ {along} →"))].into_iter().chain(head).collect())
            }
            _ => (String::new(), keys.into_iter().chain([capital(&title)]).map(Words::from).collect()),
        };
        let numbers = table.keys.len() == 2;
        Grid { caption, heads, rows: rows.map(|row| (String::new(), row)).collect(), numbers }
    }

    fn rows_of(&self, found: &Match, title: &str) -> Option<Grid> {
        let subjects = match &found.subject.kind {
            ExprKind::Tuple(all) => all.as_slice(),
            _ => std::slice::from_ref(&*found.subject),
        };
        let head = |e: &Expr| match &e.kind {
            ExprKind::Name(name) => Some(name.clone()),
            ExprKind::Field(_, name) => Some(name.text.clone()),
            _ => None,
        };
        // A match over a reading is not a table, as only one row applies.
        if subjects.iter().any(|e| self.plainly(e).is_some()) {
            return None;
        }
        let heads = subjects.iter().map(head).collect::<Option<Vec<String>>>()?;
        let list = |all: &[Pattern]| Some(all.iter().map(|p| self.keyed(p)).collect::<Option<Vec<_>>>()?.join(", "));
        let row = |row: &MatchRow| {
            let Body::Value(value) = &row.body else { return None };
            let mut cells = match row.patterns.as_slice() {
                [Pattern { kind: PatternKind::Tuple(parts), .. }] => {
                    parts.iter().map(|part| list(part)).collect::<Option<Vec<String>>>()?
                }
                all => vec![list(all)?],
            };
            cells.resize(subjects.len(), "any".into());
            cells.push(self.plainly(value)?);
            row.when.is_none().then(|| (String::new(), cells.into_iter().map(Words::from).collect()))
        };
        let rows = found.rows.iter().map(row).collect::<Option<Vec<_>>>()?;
        let heads = heads.iter().map(|head| capital(&phrase(head))).chain([capital(title)]);
        Some(Grid { heads: heads.map(Words::from).collect(), rows, ..Grid::default() })
    }

    /// Returns the text of a pattern over constants, or `None` for other patterns.
    fn keyed(&self, p: &Pattern) -> Option<String> {
        let v = |e: &Expr| self.plainly(e);
        Some(match &p.kind {
            PatternKind::Any => "any".into(),
            PatternKind::Else => "other".into(),
            PatternKind::None => "none".into(),
            PatternKind::SomeAny => "one".into(),
            PatternKind::Past { top: true, .. } => "past the top".into(),
            PatternKind::Past { top: false, .. } => "below the bottom".into(),
            PatternKind::Over(low, None) => format!("over {}", v(low)?),
            PatternKind::Over(low, Some(high)) => format!("over {} to {}", v(low)?, v(high)?),
            PatternKind::Under(high) => format!("under {}", v(high)?),
            PatternKind::AtLeast(low) => format!("{} or more", v(low)?),
            PatternKind::AtMost(high) => format!("{} or less", v(high)?),
            PatternKind::Value(e) => v(e)?,
            PatternKind::To(low, high, true) => format!("{} to under {}", v(low)?, v(high)?),
            PatternKind::To(low, high, false) => format!("{} to {}", v(low)?, v(high)?),
            PatternKind::Case { case: name, .. } => case(&name.text),
            PatternKind::SomeKind { kind, .. } | PatternKind::Kind { kind, .. } => case(&kind.text),
            PatternKind::Some(_) | PatternKind::Tuple(_) => return None,
        })
    }

    /// Returns a reading with the answer of this ruleset and the other answers.
    pub fn settled(&self, name: &str, title: Option<&Text>) -> Option<Settled> {
        let setting = self.rules.settings.iter().find(|setting| setting.name == name)?;
        let title = title.map_or_else(|| phrase(name), |title| title.text.clone());
        let mut settled =
            Settled { open: setting.because.clone(), reason: setting.default_because.clone(), ..Settled::default() };
        for ((cells, written), gloss) in setting.alternatives.iter().zip(&setting.glosses) {
            let answer = phrase(written).replace('"', "″");
            let answer = if gloss.is_empty() { answer } else { format!("{answer} ({gloss})") };
            if *cells == setting.value {
                settled.answer = format!("{}: {answer}", capital(&title));
            } else {
                settled.others.push(answer);
            }
        }
        Some(settled)
    }
}

/// Returns the name of a case as the entry of a table: `FullKit` becomes `Full kit`.
fn case(name: &str) -> String {
    capital(&phrase(name))
}

/// Returns the name of an item for a player, and its title if it says more. A title that only spells the name replaces it.
pub fn called(name: &str, title: &str) -> (String, String) {
    let name = capital(&phrase(name));
    let letters = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    match letters(title) == letters(&name) {
        true => (title.to_string(), String::new()),
        false => (name, title.to_string()),
    }
}

/// Returns the title of a number. A stand-in is marked, unless its title says so.
pub fn marked(title: String, item: &Item) -> String {
    if item.stand_in && !title.to_lowercase().contains("stand-in") { format!("{title} (stand-in)") } else { title }
}
