//! Trees without their places: to compare two of them, and to show one.
//!
//! Works on what `Debug` writes, so that it needs no change when the tree gets a new field.

use super::parse::with_stack;
use super::tree::File;
use std::fmt::{Debug, Write};

/// One value as `Debug` shows it.
#[derive(Debug, PartialEq, Eq)]
enum Shape {
    /// A number, a flag, a text, a case without content.
    Leaf(String),
    /// A name, fields with or without names.
    Node(String, Vec<(String, Shape)>),
    List(Vec<Shape>),
}

/// Two trees are the same up to places and the shape of their lines.
pub fn same<T: Debug + Sync + ?Sized>(a: &T, b: &T) -> bool {
    with_stack(|| plain(a) == plain(b), || false)
}

/// Two files say the same, comments included, up to places.
pub fn same_tree(a: &File, b: &File) -> bool {
    with_stack(|| same_here(a, b), || false)
}

/// The same, on the stack of the caller.
pub(super) fn same_here(a: &File, b: &File) -> bool {
    let comments = |f: &File| f.comments.iter().map(|c| c.text.clone()).collect::<Vec<_>>();
    let cites = |f: &File| f.items.iter().map(|i| plain(&i.cites)).collect::<Vec<_>>();
    let alike = |a: &File, b: &File| {
        a.items.iter().zip(&b.items).all(|(a, b)| plain(&a.kind) == plain(&b.kind) && a.overrides == b.overrides)
    };
    plain(&a.header) == plain(&b.header)
        && a.items.len() == b.items.len()
        && alike(a, b)
        && cites(a) == cites(b)
        && comments(a) == comments(b)
}

/// A readable tree: a node on one line where it fits, else indented; places are left out.
pub fn dump(file: &File) -> String {
    with_stack(|| dump_here(file), String::new)
}

fn dump_here(file: &File) -> String {
    let mut out = String::new();
    if let Some(header) = &file.header {
        show(&read(header), 0, "", &mut out);
    }
    for item in &file.items {
        show(&read(item), 0, "", &mut out);
    }
    out
}

/// What `Debug` writes, without places.
fn plain<T: Debug + ?Sized>(value: &T) -> String {
    let full = format!("{value:?}");
    let mut out = String::with_capacity(full.len());
    let mut rest = full.as_str();
    while let Some(at) = rest.find(':') {
        let head = rest[..at].trim_end_matches(|c: char| c.is_ascii_digit());
        let tail = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = tail.strip_prefix("..").map(|t| t.trim_start_matches(|c: char| c.is_ascii_digit()));
        match behind {
            Some(behind) if head.len() < at && tail.len() < rest.len() - at - 1 => {
                out.push_str(head);
                rest = behind;
            }
            _ => {
                out.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn read<T: Debug>(value: &T) -> Shape {
    let text = plain(value);
    let mut reader = Reader { text: &text, at: 0 };
    reader.shape()
}

struct Reader<'s> {
    text: &'s str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let fits = self.text[self.at..].starts_with(wanted);
        if fits {
            self.at += wanted.len();
        }
        fits
    }

    fn shape(&mut self) -> Shape {
        match self.peek() {
            b'"' => return Shape::Leaf(self.quoted()),
            b'[' => {
                self.at += 1;
                return Shape::List(self.parts(']').into_iter().map(|(_, shape)| shape).collect());
            }
            b'(' => {
                self.at += 1;
                return simple(String::new(), self.parts(')'));
            }
            _ => {}
        }
        let word = self.word();
        if self.eat(" { ") {
            return simple(word, self.parts('}'));
        }
        if self.eat("(") {
            return simple(word, self.parts(')'));
        }
        Shape::Leaf(word)
    }

    fn word(&mut self) -> String {
        let start = self.at;
        while !matches!(self.peek(), 0 | b' ' | b',' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b':') {
            self.at += 1;
        }
        self.text[start..self.at].to_string()
    }

    fn quoted(&mut self) -> String {
        let start = self.at;
        self.at += 1;
        while !matches!(self.peek(), 0 | b'"') {
            self.at += if self.peek() == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.text.len());
        self.text.get(start..self.at).unwrap_or("").to_string()
    }

    fn parts(&mut self, close: char) -> Vec<(String, Shape)> {
        let mut all = Vec::new();
        loop {
            while self.peek() == b' ' || self.peek() == b',' {
                self.at += 1;
            }
            if self.peek() == 0 || self.text[self.at..].starts_with(close) {
                self.at = (self.at + 1).min(self.text.len());
                return all;
            }
            let before = self.at;
            let word = self.word();
            if !word.is_empty() && self.eat(": ") {
                if !matches!(self.peek(), b',' | b' ' | b'}') {
                    all.push((word, self.shape()));
                }
            } else {
                self.at = before;
                let shape = self.shape();
                if self.at == before {
                    self.at += 1;
                } else {
                    all.push((String::new(), shape));
                }
            }
        }
    }
}

/// Leaves out what says nothing: missing parts, empty lists, the wrapping of names.
fn simple(word: String, mut parts: Vec<(String, Shape)>) -> Shape {
    parts.retain(|(name, part)| match part {
        // The value `none` is a kind of its own; elsewhere `None` is a part that was not written.
        Shape::Leaf(text) if name == "kind" && text == "None" => true,
        Shape::Leaf(text) => text != "None" && text != "false" && !text.is_empty(),
        Shape::List(all) => !all.is_empty(),
        Shape::Node(..) => true,
    });
    if word == "Number" && parts.len() == 2 {
        return Shape::Leaf(number(&parts));
    }
    let bare = matches!(
        word.as_str(),
        "Name" | "Some" | "Expr" | "Item" | "Stmt" | "Pattern" | "TypeExpr" | "Cell" | "Arg" | "Number" | "Value" | ""
    );
    if bare
        && parts.len() == 1
        && let Some((_, only)) = parts.pop()
    {
        return only;
    }
    // `Kind(Kind(..))`: the case and what it holds have one name.
    let doubled = matches!(parts.as_slice(), [(_, Shape::Node(inner, _))] if *inner == word || word == "Item");
    if doubled && let Some((_, only)) = parts.pop() {
        return only;
    }
    if parts.is_empty() { Shape::Leaf(word) } else { Shape::Node(word, parts) }
}

/// A number as it was written.
fn number(parts: &[(String, Shape)]) -> String {
    let mut out = String::new();
    for (_, part) in parts {
        let Shape::Leaf(text) = part else { continue };
        match (text.parse::<i64>(), text.as_str()) {
            (Ok(n), _) if n % 1000 == 0 => out = (n / 1000).to_string(),
            (Ok(n), _) => out = format!("{}.{:03}", n / 1000, n % 1000),
            (_, "Inches") => out.push('"'),
            (_, "Percent") => out.push('%'),
            (_, "Degrees") => out.push('°'),
            _ => {}
        }
    }
    out
}

const WIDTH: usize = 110;

fn inline(shape: &Shape, out: &mut String) {
    match shape {
        Shape::Leaf(text) => out.push_str(text),
        Shape::Node(word, parts) => {
            let _ = write!(out, "{word}(");
            for (n, (name, part)) in parts.iter().enumerate() {
                let _ =
                    write!(out, "{}{name}{}", if n > 0 { ", " } else { "" }, if name.is_empty() { "" } else { ": " });
                inline(part, out);
            }
            out.push(')');
        }
        Shape::List(all) => {
            out.push('[');
            for (n, part) in all.iter().enumerate() {
                out.push_str(if n > 0 { ", " } else { "" });
                inline(part, out);
            }
            out.push(']');
        }
    }
}

fn show(shape: &Shape, depth: usize, name: &str, out: &mut String) {
    let mut line = String::new();
    inline(shape, &mut line);
    let _ = write!(out, "{:depth$}{name}{}", "", if name.is_empty() { "" } else { ": " });
    if line.len() + depth + name.len() <= WIDTH {
        out.push_str(&line);
        out.push('\n');
        return;
    }
    match shape {
        Shape::Leaf(text) => {
            out.push_str(text);
            out.push('\n');
        }
        Shape::Node(word, parts) => {
            out.push_str(word);
            out.push('\n');
            for (name, part) in parts {
                match part {
                    Shape::List(all) if name.is_empty() => all.iter().for_each(|p| show(p, depth + 2, "-", out)),
                    _ => show(part, depth + 2, name, out),
                }
            }
        }
        Shape::List(all) => {
            let kept = out.trim_end_matches(' ').len();
            out.truncate(kept);
            out.push('\n');
            for part in all {
                show(part, depth + 2, "-", out);
            }
        }
    }
}
