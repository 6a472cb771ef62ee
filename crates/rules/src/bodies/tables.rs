//! Checks tables: a head row if there are two keys, then rows of keys and values.

use super::super::code::{Body, Expr, ExprKind, Pat};
use super::body::{BodyChecker, expr, local};
use super::matches::faulty;
use crate::merge::head::short_text;
use grognard_base::Code;
use grognard_base::value::*;
use grognard_syntax::tree::{self, Cell, CellKind, ExprKind as Tree, Pattern, PatternKind};

/// Returns whether a cell contains only this name.
fn is_named(cell: &Cell, name: &str) -> bool {
    let named = |value: &tree::Expr| matches!(&value.kind, Tree::Name(written) if written == name);
    match &cell.kind {
        CellKind::Keys(keys) => matches!(&keys[..], [Pattern { kind: PatternKind::Value(value), .. }] if named(value)),
        CellKind::Value(value) => named(value),
        CellKind::Blank | CellKind::Dash => false,
    }
}

impl BodyChecker<'_, '_> {
    /// Checks the body of a table.
    pub fn table(mut self, table: &tree::Table) {
        let keys: Vec<Expr> = self
            .scope
            .params
            .iter()
            .enumerate()
            .map(|(at, (_, ty, span))| local(LocalId::from(at), ty.clone(), *span))
            .collect();
        let result = self.scope.result.clone().unwrap_or(Type::Unknown);
        let value = match keys.as_slice() {
            [one] => self.table_of_one(table, one.clone(), &result),
            [one, two, ..] => self.table_of_two(table, one.clone(), two.clone(), &result),
            [] => super::body::unknown(table.name.span),
        };
        self.finish(Body::Value(value), Some(result));
    }

    fn table_of_one(&mut self, table: &tree::Table, key: Expr, result: &Type) -> Expr {
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        for (n, row) in table.rows.iter().enumerate() {
            if n == 0 && row.cells.first().is_some_and(|cell| is_named(cell, &self.scope.params[0].0)) {
                let help = "remove that line: each row is a key and a value";
                self.say_help(Code::TableShape, row.span, "a table with one key cannot have a header row", help);
                continue;
            }
            let [head, value] = row.cells.as_slice() else {
                let message = format!("expected a key and a value, found {} cells in this row", row.cells.len());
                self.say(Code::TableShape, row.span, message);
                continue;
            };
            rows.push((self.key_cell(head, &key.ty), row.span));
            cells.push(vec![self.value_cell(value, result)]);
        }
        self.judge_keys(table, &key.ty, &rows, result);
        let rows = rows.into_iter().map(|(pats, _)| pats).collect();
        let kind = ExprKind::Table { keys: vec![key], rows, columns: vec![vec![Pat::Any]], cells };
        expr(kind, result.clone(), table.name.span)
    }

    fn table_of_two(&mut self, table: &tree::Table, down: Expr, across: Expr, result: &Type) -> Expr {
        let Some((head, body)) = table.rows.split_first() else { return super::body::unknown(table.name.span) };
        let wide = head.cells.len();
        match head.cells.first().map(|c| &c.kind) {
            Some(CellKind::Blank) => {}
            _ => self.say(
                Code::TableShape,
                head.span,
                "start a table of two keys with a header row whose first cell is blank",
            ),
        }
        let columns: Vec<_> = head.cells.iter().skip(1).map(|c| (self.key_cell(c, &across.ty), c.span)).collect();
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        for row in body {
            let Some((key, values)) = row.cells.split_first() else { continue };
            if row.cells.len() != wide {
                let message =
                    format!("expected {1} cells as in the header, found {0} in this row", row.cells.len(), wide);
                self.say(Code::TableShape, row.span, message);
            }
            rows.push((self.key_cell(key, &down.ty), row.span));
            let mut made: Vec<Expr> = values.iter().map(|v| self.value_cell(v, result)).collect();
            made.resize_with(columns.len(), || super::body::unknown(row.span));
            cells.push(made);
        }
        self.judge_keys(table, &down.ty, &rows, result);
        self.judge_keys(table, &across.ty, &columns, result);
        let rows = rows.into_iter().map(|(pats, _)| pats).collect();
        let columns = columns.into_iter().map(|(pats, _)| pats).collect();
        expr(ExprKind::Table { keys: vec![down, across], rows, columns, cells }, result.clone(), table.name.span)
    }

    /// Checks that rows or column heads cover every key exactly once. Only a table of `T?` can have gaps.
    fn judge_keys(&mut self, table: &tree::Table, ty: &Type, rows: &[(Vec<Pat>, grognard_base::Span)], result: &Type) {
        if *ty == Type::Unknown || rows.iter().any(|(pats, _)| pats.iter().any(faulty)) {
            return;
        }
        let judged = rows.iter().map(|(pats, span)| self.judged(pats, ty, false, false, *span)).collect();
        let domain = self.domain(ty);
        let whole = !matches!(result, Type::Optional(_));
        self.judge_rows(&domain, judged, false, whole, &table.name.text, table.name.span);
    }

    fn key_cell(&mut self, cell: &Cell, ty: &Type) -> Vec<Pat> {
        let patterns = match &cell.kind {
            CellKind::Keys(patterns) => patterns.clone(),
            CellKind::Value(value) => match as_pattern(value) {
                Some(kind) => vec![Pattern { kind, span: cell.span }],
                None => {
                    let message = "a key must be a case, a number or a band such as `1 to 3`";
                    match band_of(value) {
                        Some(band) => self.say_help(Code::BandForm, cell.span, message, format!("write `{band}`")),
                        None => self.say(Code::BandForm, cell.span, message),
                    }
                    // a pattern of unknown type disables the coverage check
                    return vec![Pat::Equal(expr(ExprKind::Const(0), Type::Unknown, cell.span))];
                }
            },
            CellKind::Blank | CellKind::Dash => {
                self.say(Code::TableShape, cell.span, "a key is missing here");
                return vec![Pat::Any];
            }
        };
        let subject = Expr { kind: ExprKind::Const(0), ty: ty.clone(), span: cell.span };
        patterns.iter().map(|p| self.pattern(p, &subject)).collect()
    }

    fn value_cell(&mut self, cell: &Cell, ty: &Type) -> Expr {
        match &cell.kind {
            CellKind::Value(value) => self.within(value, ty),
            CellKind::Keys(patterns) => match patterns.as_slice() {
                [one] if as_value(one).is_some() => {
                    let value = as_value(one).unwrap_or(tree::Expr { kind: Tree::None, span: cell.span });
                    self.within(&value, ty)
                }
                _ => self.wrong(Code::TableShape, cell.span, "a value is missing in this cell"),
            },
            CellKind::Dash if matches!(ty, Type::Optional(_)) => expr(ExprKind::None, ty.clone(), cell.span),
            CellKind::Dash => {
                let name = self.type_name(ty);
                let message = format!("`-` means none, but the table returns {name}");
                self.wrong_help(Code::WrongType, cell.span, message, format!("write `{name}?` after the keys"))
            }
            CellKind::Blank => self.wrong_help(
                Code::TableShape,
                cell.span,
                "this cell is empty",
                "write `-` for \
                                                                                                   `none`",
            ),
        }
    }
}

/// Returns a value as the pattern that it would be in a key cell.
fn as_pattern(value: &tree::Expr) -> Option<PatternKind> {
    let name = |text: &str, span| tree::Name { text: text.to_string(), span };
    Some(match &value.kind {
        Tree::Upper(case) => PatternKind::Case { of: None, case: name(case, value.span) },
        Tree::Field(base, case) => match &base.kind {
            Tree::Upper(of) | Tree::Name(of) if super::types::is_upper(&case.text) => {
                PatternKind::Case { of: Some(name(of, base.span)), case: case.clone() }
            }
            _ => PatternKind::Value(value.clone()),
        },
        Tree::Number(_) | Tree::Dice { .. } | Tree::Yes | Tree::No | Tree::Name(_) | Tree::Neg(_) => {
            PatternKind::Value(value.clone())
        }
        Tree::Paren(inner) => return as_pattern(inner),
        _ => return None,
    })
}

/// Returns the band that a difference such as `4-5` was probably meant to be.
fn band_of(value: &tree::Expr) -> Option<String> {
    let Tree::Arith { first, rest } = &value.kind else { return None };
    let [(tree::ArithOp::Sub, last)] = rest.as_slice() else { return None };
    Some(format!("{} to {}", short_text(first), short_text(last)))
}

/// Returns a pattern as the value that it would be in a value cell.
fn as_value(p: &Pattern) -> Option<tree::Expr> {
    let kind = match &p.kind {
        PatternKind::Value(value) => return Some(value.clone()),
        PatternKind::Case { of: None, case } => Tree::Upper(case.text.clone()),
        PatternKind::Case { of: Some(of), case } => {
            let base = if super::types::is_upper(&of.text) { Tree::Upper } else { Tree::Name };
            Tree::Field(Box::new(tree::Expr { kind: base(of.text.clone()), span: of.span }), case.clone())
        }
        PatternKind::None => Tree::None,
        _ => return None,
    };
    Some(tree::Expr { kind, span: p.span })
}
