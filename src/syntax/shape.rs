//! Trees without their places: to compare two of them, and to show one.
//!
//! Works on what `Debug` writes, so that it needs no change when the tree gets a new field.

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
pub fn same<T: Debug + ?Sized>(a: &T, b: &T) -> bool {
    plain(a) == plain(b)
}

/// Two files say the same, comments included, up to places.
pub fn same_tree(a: &File, b: &File) -> bool {
    let comments = |f: &File| f.comments.iter().map(|c| c.text.clone()).collect::<Vec<_>>();
    same(&a.header, &b.header) && same(&a.items, &b.items) && comments(a) == comments(b)
}

/// A readable tree: a node on one line where it fits, else indented; places are left out.
pub fn dump(file: &File) -> String {
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
    parts.retain(|(_, part)| match part {
        Shape::Leaf(text) => text != "None" && text != "false" && !text.is_empty(),
        Shape::List(all) => !all.is_empty(),
        Shape::Node(..) => true,
    });
    let bare = matches!(word.as_str(), "Name" | "Some" | "Expr" | "Item" | "Stmt" | "Pattern" | "TypeExpr" | "Cell" | "");
    if bare && parts.len() == 1 {
        if let Some((_, only)) = parts.pop() {
            return only;
        }
    }
    if parts.is_empty() { Shape::Leaf(word) } else { Shape::Node(word, parts) }
}

const WIDTH: usize = 110;

fn inline(shape: &Shape, out: &mut String) {
    match shape {
        Shape::Leaf(text) => out.push_str(text),
        Shape::Node(word, parts) => {
            let _ = write!(out, "{word}(");
            for (n, (name, part)) in parts.iter().enumerate() {
                let _ = write!(out, "{}{name}{}", if n > 0 { ", " } else { "" }, if name.is_empty() { "" } else { ": " });
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
                show(part, depth + 2, name, out);
            }
        }
        Shape::List(all) => {
            out.push_str("[]\n");
            for part in all {
                show(part, depth + 2, "-", out);
            }
        }
    }
}
