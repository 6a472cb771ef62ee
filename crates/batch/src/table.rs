//! The cells of the table in all lanes. A cell has a row from its first write on; before, all lanes hold its start value.

use super::MOST_ROWS;
use super::cells::Row;
use super::uniform::Uniform;

/// The cells of the table.
pub(super) struct Cells {
    /// The start value of each cell.
    start: Vec<i32>,
    rows: Vec<Option<Box<Row>>>,
    /// The known value of each cell. A cell without a row is known everywhere.
    uniform: Vec<Uniform>,
    /// The cells with a row.
    written: Vec<u32>,
    /// Whether a row was refused.
    full: bool,
}

impl Cells {
    /// Creates cells without rows from their start values.
    pub fn new(start: Vec<i32>) -> Cells {
        let uniform = start.iter().map(|cell| Uniform::everywhere(*cell)).collect();
        Cells { rows: start.iter().map(|_| None).collect(), uniform, written: Vec::new(), start, full: false }
    }

    /// Returns whether there was no memory for a row.
    pub fn full(&self) -> bool {
        self.full
    }

    /// Returns the number of cells.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Sets all cells to their start values. Rows are kept for the next runs.
    #[inline(always)]
    pub fn start(&mut self) {
        for at in &self.written {
            let at = *at as usize;
            let cell = self.start[at];
            if let (Some(row), false) = (&mut self.rows[at], self.uniform[at].is_everywhere(cell)) {
                row.0.fill(cell);
                self.uniform[at] = Uniform::everywhere(cell);
            }
        }
    }

    /// Returns a cell in a lane.
    #[inline(always)]
    pub fn of(&self, at: usize, lane: usize) -> i32 {
        match &self.rows[at] {
            Some(row) => row.0[lane],
            None => self.start[at],
        }
    }

    /// Returns the known value of a cell.
    #[inline(always)]
    pub fn uniform(&self, at: usize) -> Uniform {
        self.uniform[at]
    }

    /// Returns the row of a cell, or `None` if the cell is known everywhere.
    #[inline(always)]
    pub fn row(&self, at: usize) -> Option<&Row> {
        self.rows[at].as_deref()
    }

    /// Returns the row of a cell and its known value for a write, or `None` if there is no memory for another row.
    #[inline(always)]
    pub fn row_mut(&mut self, at: usize) -> Option<(&mut Row, &mut Uniform)> {
        if self.rows[at].is_none() {
            self.add(at)?;
        }
        Some((self.rows[at].as_deref_mut()?, &mut self.uniform[at]))
    }

    #[cold]
    fn add(&mut self, at: usize) -> Option<()> {
        if self.written.len() >= MOST_ROWS / size_of::<Row>() {
            self.full = true;
            return None;
        }
        self.rows[at] = Some(Box::new(Row::all(self.start[at])));
        self.written.push(at as u32);
        Some(())
    }
}
