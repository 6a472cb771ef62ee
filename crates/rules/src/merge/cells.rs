//! Applies `override table[key, key] = value`: finds the cell of a table and changes only that cell.

use grognard_base::value::Ratio;
use grognard_base::{Code, Span, did_you_mean};
use grognard_syntax::tree::{
    self, ArithOp, Cell, CellKind, ClauseRef, CompareOp, Expr, ExprKind, Item, ItemKind, Pattern, PatternKind, Table,
    TypeExprKind, Unit,
};

/// The cell to change. A key is `exact` if its row or column has only that value.
pub struct CellChange {
    row: usize,
    column: usize,
    exact: Vec<bool>,
}

type Fault = (Code, Option<Span>, String);
type CaseLookup<'a> = &'a dyn Fn(&str) -> Option<Vec<String>>;

/// Returns the cases of an enum or the dice of a chain (`d4`, `d6`), by name.
pub fn cases_of<'a>(items: impl Iterator<Item = &'a Item>, ty: &str) -> Option<Vec<String>> {
    for item in items {
        match &item.kind {
            ItemKind::Enum(e) if e.name.text == ty => return Some(e.cases.iter().map(|c| c.text.clone()).collect()),
            ItemKind::Chain { name, dice, .. } if name.text == ty => {
                return Some(dice.iter().map(|d| format!("d{}", d.0)).collect());
            }
            _ => {}
        }
    }
    None
}

/// Finds the cell for these keys.
pub fn find(table: &Table, keys: &[Expr], cases: CaseLookup) -> Result<CellChange, Fault> {
    if keys.len() != table.keys.len() {
        let message = format!("`{}` has {} keys, but {} are given here", table.name.text, table.keys.len(), keys.len());
        return Err((Code::Arity, None, message));
    }
    let mut values = Vec::new();
    for (key, formal) in keys.iter().zip(&table.keys) {
        let known = match formal.ty.as_ref().map(|t| &t.kind) {
            Some(TypeExprKind::Named(n)) => cases(&n.text),
            _ => None,
        };
        let found = ordinal(key, known.as_deref()).ok_or_else(|| unknown_key(table, key, known.as_deref()))?;
        values.push((found, known));
    }
    let (first, known) = &values[0];
    let skip = usize::from(values.len() == 2);
    let row = table
        .rows
        .iter()
        .enumerate()
        .skip(skip)
        .find_map(|(i, r)| covers(r.cells.first()?, *first, known.as_deref()).map(|exact| (i, exact)));
    let (row, exact_row) = row.ok_or_else(|| no_cell(table, &keys[0], "row"))?;
    if values.len() == 1 {
        return Ok(CellChange { row, column: 1, exact: vec![exact_row] });
    }
    let (second, known) = &values[1];
    let head = table.rows.first().map(|r| r.cells.as_slice()).unwrap_or_default();
    let column =
        head.iter().enumerate().skip(1).find_map(|(i, c)| covers(c, *second, known.as_deref()).map(|exact| (i, exact)));
    let (column, exact_column) = column.ok_or_else(|| no_cell(table, &keys[1], "column"))?;
    Ok(CellChange { row, column, exact: vec![exact_row, exact_column] })
}

fn unknown_key(table: &Table, key: &Expr, cases: Option<&[String]>) -> Fault {
    let message = match (&key.kind, cases) {
        (ExprKind::Upper(name), Some(all)) => {
            let near = did_you_mean(name, all.iter().map(String::as_str));
            format!("`{name}` is not a key of `{}`{near}", table.name.text)
        }
        _ => format!("this is not a key of `{}`; write a case or a number", table.name.text),
    };
    (Code::NoOverride, Some(key.span), message)
}

fn no_cell(table: &Table, key: &Expr, what: &str) -> Fault {
    (Code::NoOverride, Some(key.span), format!("`{}` has no {what} for this key", table.name.text))
}

/// Returns a key as a number: the index of a case, or the number as written, without its unit.
fn ordinal(e: &Expr, cases: Option<&[String]>) -> Option<Ratio> {
    let place = |name: &str| cases?.iter().position(|c| c == name).and_then(|n| Ratio::new(n as i64, 1));
    match &e.kind {
        ExprKind::Paren(x) => ordinal(x, cases),
        ExprKind::Number(n) if n.unit == Unit::Percent => Ratio::new(n.thousandths, 100_000),
        ExprKind::Number(n) => Ratio::new(n.thousandths, 1000),
        ExprKind::Neg(x) => ordinal(x, cases)?.checked_neg(),
        ExprKind::Arith { first, rest } => match rest.as_slice() {
            [(ArithOp::Div, under)] => ordinal(first, cases)?.checked_div(ordinal(under, cases)?),
            _ => None,
        },
        ExprKind::Yes => Some(Ratio::ONE),
        ExprKind::No => Some(Ratio::ZERO),
        ExprKind::Dice { sides, bare: true, .. } => place(&format!("d{sides}")),
        ExprKind::Upper(name) => place(name),
        ExprKind::Field(_, name) => place(&name.text),
        _ => None,
    }
}

/// Returns whether a key cell that covers the value covers only this value, or `None` if it does not cover it.
fn covers(cell: &Cell, value: Ratio, cases: Option<&[String]>) -> Option<bool> {
    match &cell.kind {
        CellKind::Keys(patterns) => {
            let fits = patterns.iter().any(|p| fits(p, value, cases));
            let single =
                patterns.len() == 1 && matches!(patterns[0].kind, PatternKind::Value(_) | PatternKind::Case { .. });
            fits.then_some(single)
        }
        CellKind::Value(e) => (ordinal(e, cases)? == value).then_some(true),
        CellKind::Blank | CellKind::Dash => None,
    }
}

fn fits(pattern: &Pattern, value: Ratio, cases: Option<&[String]>) -> bool {
    let num = |e: &Expr| ordinal(e, cases);
    let is = |found: Option<bool>| found.unwrap_or(false);
    match &pattern.kind {
        PatternKind::Any | PatternKind::Else => true,
        PatternKind::Value(e) => num(e) == Some(value),
        PatternKind::Case { case, .. } => {
            cases.is_some_and(|all| all.iter().position(|c| *c == case.text) == usize::try_from(value.floor()).ok())
        }
        PatternKind::Over(low, None) => is(num(low).map(|n| value > n)),
        PatternKind::Over(low, Some(high)) => is(num(low).map(|n| value > n)) && is(num(high).map(|n| value <= n)),
        PatternKind::Under(high) => is(num(high).map(|n| value < n)),
        PatternKind::AtLeast(low) => is(num(low).map(|n| value >= n)),
        PatternKind::AtMost(high) => is(num(high).map(|n| value <= n)),
        PatternKind::To(low, high, under) => {
            is(num(low).map(|n| value >= n)) && is(num(high).map(|n| if *under { value < n } else { value <= n }))
        }
        _ => false,
    }
}

/// Writes the value. If the row or column covers more values, the old value stays valid for the others.
pub fn apply(table: &mut Table, change: CellChange, keys: &[Expr], value: Expr, cites: &[ClauseRef]) {
    let inexact = keys.iter().zip(&table.keys).zip(&change.exact).filter(|(_, exact)| !**exact);
    let tests: Vec<Expr> = inexact.map(|((key, formal), _)| is_key(&formal.name, key)).collect();
    let Some(row) = table.rows.get_mut(change.row) else { return };
    row.cites.extend(cites.iter().cloned());
    let Some(cell) = row.cells.get_mut(change.column) else { return };
    let span = value.span;
    let new = if tests.is_empty() { value } else { guarded(tests, value, old_value(cell)) };
    let kind = if matches!(new.kind, ExprKind::None) { CellKind::Dash } else { CellKind::Value(new) };
    *cell = Cell { kind, span };
}

fn is_key(name: &tree::Name, key: &Expr) -> Expr {
    let left = Expr { kind: ExprKind::Name(name.text.clone()), span: key.span };
    let kind = ExprKind::Compare { left: Box::new(left), op: CompareOp::Eq, right: Box::new(key.clone()) };
    Expr { kind, span: key.span }
}

fn guarded(tests: Vec<Expr>, value: Expr, old: Expr) -> Expr {
    let span = value.span;
    let mut tests = tests;
    let condition = match tests.pop() {
        Some(only) if tests.is_empty() => only,
        last => Expr { kind: ExprKind::And(tests.into_iter().chain(last).collect()), span },
    };
    Expr { kind: ExprKind::If { arms: vec![(condition, value)], otherwise: Box::new(old) }, span }
}

/// Returns the old content of the cell as a value.
fn old_value(cell: &Cell) -> Expr {
    let kind = match &cell.kind {
        CellKind::Value(e) => return e.clone(),
        CellKind::Keys(patterns) => match patterns.first().map(|p| &p.kind) {
            Some(PatternKind::Value(e)) => return e.clone(),
            Some(PatternKind::Case { of: Some(of), case }) => {
                let of = Expr { kind: ExprKind::Upper(of.text.clone()), span: cell.span };
                ExprKind::Field(Box::new(of), case.clone())
            }
            Some(PatternKind::Case { of: None, case }) => ExprKind::Upper(case.text.clone()),
            _ => ExprKind::None,
        },
        CellKind::Blank | CellKind::Dash => ExprKind::None,
    };
    Expr { kind, span: cell.span }
}
