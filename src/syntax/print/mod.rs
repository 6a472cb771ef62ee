//! Single nodes of the tree back to canonical text, as traces and messages show them.
//!
//! The formatter does not use this: it keeps the lines and comments of the writer.

mod blocks;
mod expressions;
mod items;
mod statements;

use super::tree::{Expr, Item, Name, Pattern, Range, Stmt, TypeExpr};

/// Text being put together. Pieces of a block are parted by `; `, or stand on lines of their own.
pub(super) struct Out {
    text: String,
    lines: bool,
    depth: usize,
}

impl Out {
    fn new(lines: bool) -> Self {
        Out { text: String::new(), lines, depth: 0 }
    }

    fn put(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("  ");
        }
    }

    /// `{ a; b }`, or a line for each.
    fn braces<T>(&mut self, all: &[T], mut one: impl FnMut(&mut Self, &T)) {
        if all.is_empty() {
            self.put("{ }");
            return;
        }
        self.put("{");
        self.depth += 1;
        for (n, part) in all.iter().enumerate() {
            if self.lines {
                self.new_line();
            } else {
                self.put(if n == 0 { " " } else { "; " });
            }
            one(self, part);
        }
        self.depth -= 1;
        if self.lines {
            self.new_line();
        } else {
            self.put(" ");
        }
        self.put("}");
    }

    fn list<T>(&mut self, all: &[T], between: &str, mut one: impl FnMut(&mut Self, &T)) {
        for (n, part) in all.iter().enumerate() {
            if n > 0 {
                self.put(between);
            }
            one(self, part);
        }
    }

    fn name(&mut self, name: &Name) -> &mut Self {
        self.put(&name.text)
    }

    /// A text in its quotes, with a blank before it.
    fn title(&mut self, title: Option<&Name>) {
        if let Some(title) = title {
            self.put(" \"").put(&title.text).put("\"");
        }
    }

    fn cite(&mut self, cites: &[Name]) {
        self.put("cite ");
        self.list(cites, ", ", |out, clause| {
            out.name(clause);
        });
    }

    /// Cites on a line above; left out where all stands on one line.
    fn cite_above(&mut self, cites: &[Name]) {
        if self.lines && !cites.is_empty() {
            self.cite(cites);
            self.new_line();
        }
    }

    /// Cites at the end of a line.
    fn cite_behind(&mut self, cites: &[Name]) {
        if !cites.is_empty() {
            self.put("  ");
            self.cite(cites);
        }
    }
}

/// A value on one line.
pub fn print_expr(value: &Expr) -> String {
    let mut out = Out::new(false);
    out.expr(value);
    out.text
}

/// A pattern on one line.
pub fn print_pattern(pattern: &Pattern) -> String {
    let mut out = Out::new(false);
    out.pattern(pattern);
    out.text
}

/// A written type.
pub fn print_type(ty: &TypeExpr) -> String {
    let mut out = Out::new(false);
    out.ty(ty);
    out.text
}

/// A value or a range of values.
pub fn print_range(range: &Range) -> String {
    let mut out = Out::new(false);
    out.range(range);
    out.text
}

/// A statement on one line, without cites.
pub fn print_stmt(stmt: &Stmt) -> String {
    let mut out = Out::new(false);
    out.stmt(stmt);
    out.text
}

/// An item with its cites, a line for each part of its blocks.
pub fn print_item(item: &Item) -> String {
    let mut out = Out::new(true);
    out.item(item);
    out.text
}
