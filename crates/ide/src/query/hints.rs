//! Hints inside a text: inferred types, the ranges of params, and the values of constant `let`s. Also links from a text to other files.

use super::{Analysis, Place, Workspace};
use grognard_base::Span;
use grognard_base::order;
use grognard_base::value::Type;
use grognard_syntax::tree::{self, ItemKind};
use grognard_syntax::{LexToken, Lexeme, scan};
use std::sync::Arc;

/// A text that an editor shows between the characters of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayText {
    /// The byte offset before which the text is shown.
    pub at: usize,
    /// The text, such as `: 0..6`.
    pub text: String,
}

/// A part of a text that leads to another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLink {
    /// The byte range of the link.
    pub at: (usize, usize),
    /// The place that it leads to.
    pub to: Place,
}

impl Workspace {
    /// Returns the hints that begin in a byte range, in source order.
    pub fn inlays(&self, path: &str, start: usize, end: usize) -> Vec<InlayText> {
        let Some(text) = self.text(path) else { return Vec::new() };
        let analysis = self.analysis(path);
        let quiet = |token: &LexToken| !matches!(token.kind, Lexeme::Newline | Lexeme::Comment);
        let tokens: Vec<LexToken> = scan(&text).filter(quiet).collect();
        let word = |n: usize| tokens.get(n).map_or("", |token| token.text(&text));
        let mut found = Vec::new();
        for (n, token) in tokens.iter().enumerate().filter(|(_, token)| start <= token.end && token.start <= end) {
            if token.kind != Lexeme::Word {
                continue;
            }
            let before = if n > 0 { word(n - 1) } else { "" };
            if before == "let" && word(n + 1) == "=" && !is_obvious(word(n + 2)) {
                found.extend(analysis.type_at(path, token).map(|ty| inlay(token.end, format!(": {ty}"))));
            } else if before == "param" && word(n + 1) != ":" {
                found.extend(analysis.range_of(word(n)).map(|ty| inlay(token.end, format!(": {ty}"))));
            }
        }
        found.extend(
            self.let_values(path, &analysis, &text).into_iter().filter(|hint| start <= hint.at && hint.at <= end),
        );
        order::sort_by_key(&mut found, |hint| hint.at);
        found
    }

    /// Returns the values of the constant `let`s of a file, except where the text is the value.
    fn let_values(&self, path: &str, analysis: &Analysis, text: &str) -> Vec<InlayText> {
        let Some(id) = self.id(path) else { return Vec::new() };
        let texts = self.texts.borrow();
        let items = texts.known.file(id).map_or(&[][..], |file| &file.items);
        let value = |item: &Arc<tree::Item>| {
            let ItemKind::Let(tree::Let { value: Some(written), .. }) = &item.kind else { return None };
            let span = written.span;
            let value = analysis.let_values().get(&span)?;
            let written = text.get(span.start as usize..span.end as usize).unwrap_or_default();
            let plain = written.split_whitespace().collect::<String>() == *value;
            (!plain).then(|| inlay(span.end as usize, format!(" = {value}")))
        };
        items.iter().filter_map(value).collect()
    }

    /// Returns the links of a file: the ruleset that it extends or varies, and its cited clauses. A scenario has links to its
    /// rules and its base.
    pub fn links(&self, path: &str) -> Vec<FileLink> {
        if path.ends_with(".toml") {
            return self.scene_links(path);
        }
        let (Some(text), Some(id)) = (self.text(path), self.id(path)) else { return Vec::new() };
        let base = {
            let texts = self.texts.borrow();
            texts.known.file(id).and_then(|file| file.header.as_ref()).and_then(|header| header.base.clone())
        };
        let mut found = Vec::new();
        if let Some(base) = base {
            let file = format!("{}.rules", base.text);
            let at = (base.span.start as usize, base.span.end as usize);
            if self.text(&file).is_some() && at.1 <= text.len() {
                found.push(FileLink { at, to: Place { file, start: 0, end: 0 } });
            }
        }
        let analysis = self.analysis(path);
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            let code = line.split('#').next().unwrap_or_default();
            if let Some(cite) = code.find("cite ") {
                let mut at = cite + "cite ".len();
                for part in code[at..].split([',', ' ', '\n']) {
                    let clause = analysis.rules.register.iter().find(|clause| clause.id == part);
                    let own = (from + at, from + at + part.len());
                    found.extend(clause.map(|clause| FileLink { at: own, to: analysis.place(clause.span) }));
                    at += part.len() + 1;
                }
            }
            from += line.len();
        }
        found
    }
}

fn inlay(at: usize, text: String) -> InlayText {
    InlayText { at, text }
}

/// Returns whether the first word of a value shows its type.
fn is_obvious(first: &str) -> bool {
    matches!(first, "yes" | "no" | "none") || first.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
}

impl Analysis {
    /// Returns the type of the variable that is declared at a token.
    fn type_at(&self, path: &str, token: &LexToken) -> Option<String> {
        let span = Span::new(self.file(path)?, token.start, token.end);
        let ty = self.variable(span).filter(|ty| *ty != Type::Unknown)?;
        Some(self.rules.type_name(&ty))
    }

    /// Returns the type of a param, with its range.
    fn range_of(&self, name: &str) -> Option<String> {
        let setting = self.rules.settings.iter().find(|s| s.name == name && s.alternatives.is_empty())?;
        Some(self.rules.type_name(&setting.ty))
    }
}
