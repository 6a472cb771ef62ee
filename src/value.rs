//! Values of the rules, converted from cells.

use grognard_base::value::Type;
use grognard_vm::{FieldLayout, Game, State, UNSET};

pub use grognard_base::value::plain::{ShortText, Value};

/// Converts the cells of a measure. A list has the cells of its entries.
pub(crate) fn of(game: &Game, ty: &Type, cells: &[i64]) -> Value {
    match ty {
        Type::List(inner) => Value::List(game.values(&game.start, inner, cells)),
        ty => game.value(&game.start, ty, cells),
    }
}

/// Converts the cells of a stored field. `at` is the first cell.
pub(crate) fn stored(game: &Game, state: &State, ty: &Type, layout: FieldLayout, at: usize) -> Value {
    let cells = state.cells.get(at..at + layout.width).unwrap_or_default();
    match (cells.first(), ty.present()) {
        (Some(&UNSET), _) => Value::None,
        (Some(&count), Type::List(inner)) if layout.entry > 0 => {
            let entries = usize::try_from(count).unwrap_or(0) * layout.entry;
            Value::List(game.values(state, inner, cells.get(1..1 + entries).unwrap_or_default()))
        }
        _ => game.value(state, ty, cells),
    }
}

/// Returns whether two expressions are the same apart from spaces.
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    let marks = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    marks(a) == marks(b)
}
