//! Converts a cell of a table to the form that its column needs: a value or keys.

use super::tree::{Cell, CellKind, Expr, ExprKind, Pattern, PatternKind};

impl Cell {
    /// Returns the cell as a value. A `-` is the value `none`. Returns `None` for a blank cell or a band.
    pub fn as_value(&self) -> Option<Expr> {
        match &self.kind {
            CellKind::Value(value) => Some(value.clone()),
            CellKind::Dash => Some(Expr { kind: ExprKind::None, span: self.span }),
            CellKind::Keys(keys) => match keys.as_slice() {
                [only] => value_of(only),
                _ => None,
            },
            CellKind::Blank => None,
        }
    }

    /// Returns the cell as keys: cases, numbers and bands. Returns `None` for a value that cannot be a key.
    pub fn as_keys(&self) -> Option<&[Pattern]> {
        match &self.kind {
            CellKind::Keys(keys) => Some(keys),
            _ => None,
        }
    }
}

/// Returns a pattern as a value, if it is one: a literal, a name, or a case.
fn value_of(pattern: &Pattern) -> Option<Expr> {
    let span = pattern.span;
    match &pattern.kind {
        PatternKind::Value(value) => Some(value.clone()),
        PatternKind::Case { of: None, case } => Some(Expr { kind: ExprKind::Upper(case.text.clone()), span }),
        PatternKind::Case { of: Some(of), case } => {
            let of = Expr { kind: ExprKind::Upper(of.text.clone()), span: of.span };
            Some(Expr { kind: ExprKind::Field(Box::new(of), case.clone()), span })
        }
        _ => None,
    }
}
