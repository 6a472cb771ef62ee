//! Finds flaws in bands that are written as conditions: `if` and `else if`, rows above an `else`, options, rules on one
//! event.
//!
//! The checker requires that the rows of a `match` without `else` cover all values. It cannot require that of these forms,
//! because most of them omit values on purpose. This module reports flaws that are probably not intended, such as a single
//! number between two bands that neither band accepts.

mod cells;
mod find;
mod tests;

pub use cells::{Line, NumberCell, NumberTest};
pub use find::ladders;

use crate::code::Expr;
use grognard_base::Span;
use grognard_base::value::bands::Domain;
use grognard_base::value::{FuncId, ItemId, Ratio};

/// Form in which bands are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `if` and `else if` without an `else`.
    Chain,
    /// Consecutive `if` statements.
    Apart,
    /// Rules on the same event.
    Rules,
    /// Rows or arms that end in `else`.
    Else,
    /// Options of a choice, each with a `when`.
    Options,
    /// Rows of a table that may have no value for a key.
    Table,
}

/// A band: the numbers that one row accepts.
#[derive(Clone, Debug)]
pub struct LadderRow {
    /// Location of the row.
    pub span: Span,
    /// Test that accepts the numbers that can pass.
    pub test: NumberTest,
    /// Whether these numbers always pass, regardless of other conditions.
    pub sure: bool,
}

/// The bands of one value.
#[derive(Clone, Debug)]
pub struct Ladder<'r> {
    /// Form of the bands.
    pub form: Form,
    /// The function that contains them; for rules, the guard of the first.
    pub func: FuncId,
    /// Item of the function.
    pub item: ItemId,
    /// Start of the bands.
    pub span: Span,
    /// The tested value.
    pub subject: &'r Expr,
    /// Another value that it is compared with. The bands are then those of the difference.
    pub against: Option<&'r Expr>,
    /// Domain of the value, or of the difference.
    pub domain: Domain,
    pub rows: Vec<LadderRow>,
    /// Result for a number outside all bands, or `None` without one.
    pub otherwise: Option<&'r Expr>,
}

/// An error in bands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No band accepts these numbers, and there are bands on both sides.
    Gap {
        /// Indices of the bands below and above.
        between: (usize, usize),
    },
    /// Two bands that touch both accept the number.
    Both(usize, usize),
    /// A band is never chosen, because earlier bands accept all its numbers.
    Shadowed(usize),
    /// A condition never holds for any value.
    Never(usize),
}

/// A flaw with the numbers that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub flaw: Flaw,
    /// The numbers, or `None` if no numbers show it.
    pub cell: Option<NumberCell>,
    /// The numbers as text.
    pub words: String,
}

impl Ladder<'_> {
    /// Returns the value as written, and the numbers as text.
    pub fn rendered(&self, found: &Found, written: impl Fn(Span) -> String) -> (String, String) {
        let words = match (self.against.map(|other| written(other.span)), &found.cell) {
            (Some(other), Some(cell)) if cell.number == Ratio::ZERO => format!("exactly {other}"),
            (Some(other), Some(cell)) if cell.number < Ratio::ZERO => format!("less than {other}"),
            (Some(other), Some(_)) => format!("more than {other}"),
            _ => found.words.clone(),
        };
        (written(self.subject.span), words)
    }

    /// Returns all flaws of the bands.
    pub fn judge(&self) -> Vec<Found> {
        let Some(line) = Line::cut(&self.domain, self.rows.iter().map(|row| &row.test)) else { return Vec::new() };
        let passes: Vec<Vec<bool>> = self.rows.iter().map(|row| line.passes(&row.test)).collect();
        let mut found = Vec::new();
        for (at, own) in passes.iter().enumerate() {
            if !own.contains(&true) && line.cells.len() > 1 {
                found.push(Found { flaw: Flaw::Never(at), cell: None, words: String::new() });
            } else if matches!(self.form, Form::Chain | Form::Else) && self.is_shadowed(at, &passes) {
                found.push(Found { flaw: Flaw::Shadowed(at), cell: None, words: String::new() });
            }
        }
        found.extend(self.gaps(&line, &passes));
        if matches!(self.form, Form::Apart | Form::Rules) {
            found.extend(self.touching(&line, &passes));
        }
        found
    }

    fn is_shadowed(&self, at: usize, passes: &[Vec<bool>]) -> bool {
        let above = |cell: usize| (0..at).any(|row| self.rows[row].sure && passes[row][cell]);
        at > 0 && (0..passes[at].len()).filter(|cell| passes[at][*cell]).all(above)
    }

    /// Returns the numbers between two bands that no band accepts.
    fn gaps(&self, line: &Line, passes: &[Vec<bool>]) -> Vec<Found> {
        let open: Vec<bool> = (0..line.cells.len()).map(|cell| passes.iter().all(|row| !row[cell])).collect();
        let runs = line.runs(&open);
        let found = |(first, last): (usize, usize), between| {
            let cell = line.join((first, last));
            Found { flaw: Flaw::Gap { between }, words: line.words(&cell), cell: Some(cell) }
        };
        let taker = |cell: usize| (0..passes.len()).find(|row| passes[*row][cell]);
        if self.form == Form::Options {
            // an empty menu ends the run, independent of the value
            let rows = |run: &(usize, usize)| {
                let below = run.0.checked_sub(1).and_then(taker);
                let above = Some(run.1 + 1).filter(|cell| *cell < open.len()).and_then(taker);
                (below.or(above).unwrap_or(0), above.or(below).unwrap_or(0))
            };
            return runs.iter().map(|run| found(*run, rows(run))).collect();
        }
        // an `else` that covers only one stretch is intended for it
        if self.form == Form::Else && runs.len() < 2 || !self.is_of_bands(passes) {
            return Vec::new();
        }
        let many = self.rows.len() > 2 && self.rows.iter().all(|row| row.test.is_band());
        let inner = runs.iter().filter(|(first, last)| *first > 0 && last + 1 < open.len());
        let judged = inner.filter_map(|run| {
            let between = (taker(run.0 - 1)?, taker(run.1 + 1)?);
            let bands = [between.0, between.1].iter().all(|row| self.rows[*row].test.is_band());
            let small = line.join(*run).single;
            (between.0 != between.1 && bands && (small || many)).then(|| found(*run, between))
        });
        judged.collect()
    }

    /// Returns whether the rows are bands. Where several rows can apply at once, they must divide the line.
    fn is_of_bands(&self, passes: &[Vec<bool>]) -> bool {
        let apart = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && **b).count() <= 1;
        let pairs = || (0..passes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        !matches!(self.form, Form::Apart | Form::Rules) || pairs().all(|(a, b)| apart(&passes[a], &passes[b]))
    }

    /// Returns the numbers that two otherwise disjoint bands both accept.
    fn touching(&self, line: &Line, passes: &[Vec<bool>]) -> Vec<Found> {
        if !self.is_of_bands(passes) {
            return Vec::new();
        }
        let pairs = (0..passes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let touch = pairs.filter_map(|(a, b)| {
            let both = |cell: &usize| passes[a][*cell] && passes[b][*cell];
            let cell = (0..line.cells.len()).find(both).filter(|cell| line.cells[*cell].single)?;
            // one band ends where the other begins
            let ends = |row: &[bool]| cell == 0 || cell + 1 == row.len() || row[cell - 1] != row[cell + 1];
            let band = self.rows[a].test.is_band() && self.rows[b].test.is_band();
            (band && ends(&passes[a]) && ends(&passes[b])).then(|| {
                let cell = line.cells[cell].clone();
                Found { flaw: Flaw::Both(a, b), words: line.words(&cell), cell: Some(cell) }
            })
        });
        touch.collect()
    }
}
