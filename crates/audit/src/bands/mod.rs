//! Bands that are written as conditions: `if` after `else if`, rows above an `else`, options, rules on one event. The checker
//! asks of a `match` without `else` that its rows cover everything; of these it cannot, as most of them mean to let
//! something through. What is looked for is what nobody means: one number between two bands that neither of them takes.

mod cells;
mod find;
mod tests;

pub use cells::{Line, NumberCell, NumberTest};
pub use find::ladders;

use crate::code::Expr;
use grognard_base::Span;
use grognard_base::value::bands::Domain;
use grognard_base::value::{FuncId, ItemId, Ratio};

/// In what form bands are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `if` and `else if` without an `else`.
    Chain,
    /// Several `if`, one below the other.
    Apart,
    /// Rules that wait for the same.
    Rules,
    /// Rows or arms that end in `else`.
    Else,
    /// Options of a choice, each with a `when`.
    Options,
    /// Rows of a table that may give none.
    Table,
}

/// One band.
#[derive(Clone, Debug)]
pub struct LadderRow {
    /// Where it stands.
    pub span: Span,
    /// Which numbers may pass.
    pub test: NumberTest,
    /// These do, whatever else is so.
    pub sure: bool,
}

/// Bands of one figure.
#[derive(Clone, Debug)]
pub struct Ladder<'r> {
    /// How they are written.
    pub form: Form,
    /// The function they stand in; of rules the guard of the first.
    pub func: FuncId,
    /// Its item.
    pub item: ItemId,
    /// Where they begin.
    pub span: Span,
    /// The figure they look at.
    pub subject: &'r Expr,
    /// Another figure that it is compared with: then the bands are of their difference.
    pub against: Option<&'r Expr>,
    /// What it can be.
    pub domain: Domain,
    /// The bands.
    pub rows: Vec<LadderRow>,
    /// What a number without a band gives, where that is a value.
    pub otherwise: Option<&'r Expr>,
}

/// What is wrong with bands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No band takes these, and bands lie on both sides.
    Gap {
        /// Places of the bands below and above.
        between: (usize, usize),
    },
    /// Two bands that only touch both take it.
    Both(usize, usize),
    /// A band is never chosen: those above it take all it would.
    Shadowed(usize),
    /// A condition never holds, whatever the figure is.
    Never(usize),
}

/// A flaw, and the numbers that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is wrong.
    pub flaw: Flaw,
    /// The numbers.
    pub cell: Option<NumberCell>,
    /// The numbers in words.
    pub words: String,
}

impl Ladder<'_> {
    /// The figure as it is written, and the numbers in words.
    pub fn told(&self, found: &Found, written: impl Fn(Span) -> String) -> (String, String) {
        let words = match (self.against.map(|other| written(other.span)), &found.cell) {
            (Some(other), Some(cell)) if cell.number == Ratio::ZERO => format!("exactly {other}"),
            (Some(other), Some(cell)) if cell.number < Ratio::ZERO => format!("less than {other}"),
            (Some(other), Some(_)) => format!("more than {other}"),
            _ => found.words.clone(),
        };
        (written(self.subject.span), words)
    }

    /// All that is wrong with it.
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

    /// Numbers between two bands that no band takes.
    fn gaps(&self, line: &Line, passes: &[Vec<bool>]) -> Vec<Found> {
        let open: Vec<bool> = (0..line.cells.len()).map(|cell| passes.iter().all(|row| !row[cell])).collect();
        let runs = line.runs(&open);
        let found = |(first, last): (usize, usize), between| {
            let cell = line.join((first, last));
            Found { flaw: Flaw::Gap { between }, words: line.words(&cell), cell: Some(cell) }
        };
        let taker = |cell: usize| (0..passes.len()).find(|row| passes[*row][cell]);
        if self.form == Form::Options {
            // a menu with nothing on it ends the run, wherever the figure lies
            let rows = |run: &(usize, usize)| {
                let below = run.0.checked_sub(1).and_then(taker);
                let above = Some(run.1 + 1).filter(|cell| *cell < open.len()).and_then(taker);
                (below.or(above).unwrap_or(0), above.or(below).unwrap_or(0))
            };
            return runs.iter().map(|run| found(*run, rows(run))).collect();
        }
        // where one `else` takes one stretch, it is meant for that
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

    /// Where several rows may apply at once, only those that part the line are bands.
    fn is_of_bands(&self, passes: &[Vec<bool>]) -> bool {
        let apart = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && **b).count() <= 1;
        let pairs = || (0..passes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        !matches!(self.form, Form::Apart | Form::Rules) || pairs().all(|(a, b)| apart(&passes[a], &passes[b]))
    }

    /// Numbers that two bands take which have nothing else in common.
    fn touching(&self, line: &Line, passes: &[Vec<bool>]) -> Vec<Found> {
        if !self.is_of_bands(passes) {
            return Vec::new();
        }
        let pairs = (0..passes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let touch = pairs.filter_map(|(a, b)| {
            let both = |cell: &usize| passes[a][*cell] && passes[b][*cell];
            let cell = (0..line.cells.len()).find(both).filter(|cell| line.cells[*cell].single)?;
            // the one ends where the other begins
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
