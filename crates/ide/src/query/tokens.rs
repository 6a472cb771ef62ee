//! Semantic tokens: the class of each word, number and quoted text of a file, from the grammar and the meaning of names.

use super::Workspace;
use grognard_base::Span;
use grognard_base::order;
use grognard_rules::index::Means;
use grognard_rules::ruleset::Ruleset;
use grognard_syntax::{Class, Lexeme, Trees, classes_known, scan};

/// The classes of tokens, as the language server protocol names them. A token stores an index into this list.
pub const CLASSES: [&str; 12] = [
    "keyword", "variable", "property", "type", "enumMember", "function", "event", "class", "string", "number",
    "comment", "macro",
];

/// A token: its byte range, its class, and whether it is a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The start, in bytes.
    pub start: usize,
    /// The end, in bytes. Exclusive.
    pub end: usize,
    /// Index into [`CLASSES`].
    pub class: usize,
    /// Whether the token declares the name.
    pub declares: bool,
}

fn class(name: &str) -> usize {
    CLASSES.iter().position(|c| *c == name).unwrap_or(0)
}

impl Workspace {
    /// Returns the tokens of a file, in source order.
    pub fn tokens(&self, path: &str) -> Vec<Token> {
        let Some(text) = self.text(path) else { return Vec::new() };
        let analysis = self.analysis(path);
        let file = analysis.file(path).unwrap_or_default();
        let (index, shown) = (&analysis.names.index, analysis.in_examples(file));
        let mut all: Vec<Token> = scan(&text)
            .filter(|t| t.kind == Lexeme::Comment)
            .map(|t| Token {
                start: t.start,
                end: t.start + t.text(&text).trim_end().len(),
                class: class("comment"),
                declares: false,
            })
            .collect();
        let texts = self.texts.borrow();
        let nothing = Trees::default();
        let trees = texts.ids.get(path).and_then(|id| texts.known.trees(*id)).unwrap_or(&nothing);
        for (start, end, is) in classes_known(&text, trees) {
            let means = matches!(is, Class::Name | Class::Capital).then(|| {
                let span = Span::new(file, start, end);
                let declared = index.uses.get(&span).or_else(|| shown.uses.get(&span))?;
                let means = index.declared.get(declared).or_else(|| shown.declared.get(declared))?;
                Some((means, *declared == span))
            });
            let (name, declares) = match (is, means.flatten()) {
                (Class::Keyword, _) => ("keyword", false),
                (Class::Text, _) => ("string", false),
                (Class::Number | Class::Die, _) => ("number", false),
                (Class::Constant, _) => ("keyword", false),
                (Class::Clause, _) => ("macro", false),
                (Class::Path, _) => ("class", false),
                (_, Some((means, declares))) => (of(&analysis.rules, means), declares),
                (Class::Name, None) => ("variable", false),
                (Class::Capital, None) => ("type", false),
            };
            all.push(Token { start, end, class: class(name), declares });
        }
        order::sort_by_key(&mut all, |t| (t.start, t.end));
        // A token inside another token is dropped.
        let mut last = 0;
        all.retain(|t| {
            let apart = t.start >= last && t.end > t.start;
            last = if apart { t.end } else { last };
            apart
        });
        all
    }
}

/// Returns the class of a name from its meaning.
fn of(rules: &Ruleset, means: &Means) -> &'static str {
    match means {
        Means::Case(..) => "enumMember",
        Means::Part(..) => "property",
        Means::Item(id) => match rules.items.get(id.at()).map_or("", |i| i.word) {
            "stat" | "state" | "link" => "property",
            "let" if rules.items[id.at()].name.contains('.') => "property",
            "let" | "table" | "proc" | "test" => "function",
            "event" => "event",
            "enum" | "chain" | "die" | "kind" | "record" => "type",
            "trait" | "status" | "condition" | "phase" | "action" | "rule" | "law" | "policy" => "class",
            _ => "variable",
        },
        _ => "variable",
    }
}
