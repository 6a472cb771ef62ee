//! A cell of a table as what its place wants: a value or keys.

use super::tree::{Cell, CellKind, Expr, ExprKind, Pattern, PatternKind};

impl Cell {
    /// The cell as a value. A `-` is none; a blank cell and a band are no value.
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

    /// The cell as keys: cases, numbers and bands. A value that is no key gives none.
    pub fn as_keys(&self) -> Option<&[Pattern]> {
        match &self.kind {
            CellKind::Keys(keys) => Some(keys),
            _ => None,
        }
    }
}

/// A pattern that is also a value: a literal, a name, a case.
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
