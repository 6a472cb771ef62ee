//! Completion: keywords, names in scope, fields, cases and clauses that are valid at a position.

use super::{Analysis, Workspace, card};
use grognard_base::order;
use grognard_base::value::ops::{Op, OpSort};
use grognard_base::value::*;
use grognard_base::{FileId, OrdMap};
use grognard_rules::index::Means;
use grognard_rules::ruleset::{ClauseStatus, TypeName, ValueName};
use grognard_syntax::tree::TraitSort;
use grognard_syntax::{LexToken, Lexeme, leading, scan};

/// The built-in types of the language.
const TYPES: [&str; 9] = ["Int", "Flag", "Length", "Angle", "Ratio", "Place", "Route", "Die", "Leg"];
/// Keywords that can occur inside a line.
const BETWEEN: [&str; 24] = [
    "and", "or", "not", "if", "then", "else", "match", "otherwise", "where", "when", "in", "of", "is", "has", "within",
    "sees", "any", "every", "count", "sum", "most", "least", "nearest", "none",
];

/// A text that completion offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The inserted text.
    pub label: String,
    /// The category of the candidate.
    pub sort: Sort,
    /// The type, the title, or the content of a clause. Can be empty.
    pub detail: String,
    /// The snippet of a keyword that begins a line, if the rest of the line is empty.
    pub snippet: Option<String>,
}

/// The category of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Sort {
    Variable,
    Field,
    Case,
    Value,
    Function,
    Type,
    Item,
    Clause,
    Keyword,
}

/// The context of the cursor.
struct Cursor<'t> {
    text: &'t str,
    /// The tokens before the word at the cursor, in source order.
    before: Vec<LexToken>,
    /// The byte offset of the word at the cursor.
    start: usize,
}

impl Workspace {
    /// Returns the candidates at a byte offset, and the start of the word that they replace.
    pub fn complete(&self, path: &str, offset: usize) -> (usize, Vec<Candidate>) {
        if path.ends_with(".toml") {
            return self.complete_toml(path, offset);
        }
        let Some(text) = self.text(path) else { return (offset, Vec::new()) };
        let cursor = Cursor::at(&text, offset);
        let start = cursor.start;
        if cursor.is_text() {
            return (start, Vec::new());
        }
        let (now, good) = (self.analysis(path), self.last_good(path));
        // Names in a faulty ruleset can be missing, although the last sound version had them.
        let known = if now.sound || good.rules.items.len() <= now.rules.items.len() { now } else { good.clone() };
        let mut maker = Maker { known: &known, good: &good, cursor: &cursor, found: OrdMap::new() };
        maker.all();
        let mut all: Vec<Candidate> = maker.found.into_values().collect();
        order::sort_by(&mut all, |a, b| (a.sort, &a.label).cmp(&(b.sort, &b.label)));
        (start, all)
    }
}

impl<'t> Cursor<'t> {
    fn at(text: &'t str, offset: usize) -> Cursor<'t> {
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let head = text.get(..offset).unwrap_or("");
        let word = head.rfind(|c: char| !part(c)).map_or(0, |n| n + head[n..].chars().next().map_or(1, char::len_utf8));
        // A clause ID contains a dash, and so does a difference of two names.
        let clause = head[word..].starts_with(|c: char| c.is_ascii_uppercase());
        let start = match head[word..].rfind('-') {
            Some(dash) if !clause => word + dash + 1,
            _ => word,
        };
        let before = scan(text).take_while(|t| t.end <= start).collect();
        Cursor { text, before, start }
    }

    /// Returns whether the cursor is inside a comment or a quoted text.
    fn is_text(&self) -> bool {
        let line = self.text[..self.start].rfind('\n').map_or(0, |n| n + 1);
        let over = scan(self.text).take_while(|t| t.start < self.start).last();
        over.is_some_and(|t| {
            let inside =
                t.end > self.start || t.end == self.start && matches!(t.kind, Lexeme::Comment | Lexeme::OpenText);
            t.start >= line && inside && matches!(t.kind, Lexeme::Comment | Lexeme::Text | Lexeme::OpenText)
        })
    }

    /// Returns the text of the `n`th token before the word, without line ends and comments.
    fn back(&self, n: usize) -> &'t str {
        let words = self.before.iter().rev().filter(|t| !matches!(t.kind, Lexeme::Newline | Lexeme::Comment));
        words.clone().nth(n).map_or("", |t| t.text(self.text))
    }

    /// Returns whether the word is the first of its line.
    fn begins_line(&self) -> bool {
        self.before
            .last()
            .is_none_or(|t| matches!(t.kind, Lexeme::Newline | Lexeme::Comment) || t.text(self.text) == ";")
    }

    /// Returns whether only the word is left on its line.
    fn ends_line(&self) -> bool {
        let rest = self.text[self.start..].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        rest.lines().next().unwrap_or_default().trim().is_empty()
    }

    /// Returns the first words of the blocks around the cursor, the outermost first.
    fn around(&self) -> Vec<&'t str> {
        let (mut open, mut head): (Vec<&str>, &str) = (Vec::new(), "");
        let mut fresh = true;
        for token in &self.before {
            match token.kind {
                Lexeme::Newline => fresh = true,
                Lexeme::Open => open.push(head),
                Lexeme::Close => drop(open.pop()),
                Lexeme::Word if fresh => {
                    head = token.text(self.text);
                    // Modifiers before the keyword of an item do not determine its body.
                    fresh = matches!(head, "override" | "extend" | "extern" | "open" | "stand-in");
                }
                _ => {}
            }
        }
        open
    }

    /// Returns the start of the item that contains the cursor.
    fn item_start(&self) -> usize {
        let mut start = 0;
        let mut fresh = true;
        for token in &self.before {
            if token.kind == Lexeme::Newline {
                fresh = true;
            } else if fresh {
                let column0 = token.start == 0 || self.text[..token.start].ends_with('\n');
                if column0 && token.kind == Lexeme::Word && leading()[0].contains(&token.text(self.text)) {
                    start = token.start;
                }
                fresh = false;
            }
        }
        start
    }
}

struct Maker<'m> {
    known: &'m Analysis,
    good: &'m Analysis,
    cursor: &'m Cursor<'m>,
    found: OrdMap<(String, Sort), Candidate>,
}

impl Maker<'_> {
    fn add(&mut self, sort: Sort, label: &str, detail: &str) {
        let plain = label.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/'));
        if !label.is_empty() && plain {
            let candidate = Candidate { label: label.to_string(), sort, detail: detail.to_string(), snippet: None };
            self.found.entry((label.to_string(), sort)).or_insert(candidate);
        }
    }

    fn words(&mut self, words: &[&str]) {
        let alone = self.cursor.begins_line() && self.cursor.ends_line();
        let top = self.cursor.around().is_empty();
        for word in words {
            let known = card(word);
            self.add(Sort::Keyword, word, known.map_or("", |card| &card.says));
            let fits = known.filter(|card| alone && card.place.is_none() == top);
            if let Some(candidate) = self.found.get_mut(&(word.to_string(), Sort::Keyword)) {
                candidate.snippet = fits.and_then(|card| Some(card.snippet.as_deref()?.trim().to_string()));
            }
        }
    }

    fn all(&mut self) {
        let (last, before) = (self.cursor.back(0), self.cursor.back(1));
        let around = self.cursor.around();
        if last == "." && !self.cursor.begins_line() {
            return self.fields(before);
        }
        if last == "cite" || self.is_cited() {
            return self.clauses();
        }
        if self.cursor.begins_line() {
            let [items, statements, members, traits, moves] = leading();
            match around.last().copied() {
                None => return self.words(items),
                Some("kind") => return self.words(members),
                Some("trait" | "status" | "condition") => return self.words(traits),
                Some("move") => return self.words(moves),
                Some("enum" | "change") => return,
                Some(_) => self.words(statements),
            }
        }
        match last {
            "override" => return self.words(leading()[0]),
            "extend" => return self.words(&["kind"]),
            "stand-in" => return self.words(&["section", "test", "proc", "phase", "action", "rule"]),
            "extern" | "open" => return self.words(&["let", "test", "proc", "phase", "event"]),
            "do" => return self.values(|v| matches!(v, ValueName::Proc(_))),
            "test" => return self.named("test"),
            "run" | "end" => return self.named("phase"),
            "emit" => return self.named("event"),
            "has" | "grant" | "revoke" => return self.traits(last != "has"),
            ":" | "->" => return self.types(),
            "of" if matches!(before, "list" | "start" | "end") => {
                if before == "list" {
                    self.types()
                } else {
                    ["phase", "action"].iter().for_each(|w| self.named(w))
                }
                return;
            }
            "on" => ["event"].iter().for_each(|word| self.named(word)),
            "before" | "after" => return self.named("rule"),
            "spawn" => return,
            _ => {}
        }
        self.words(&BETWEEN);
        self.locals();
        self.values(|_| true);
        self.capitals();
        let builtins = Op::ALL.iter().filter(|op| op.sort() == OpSort::Builtin);
        builtins.for_each(|op| self.add(Sort::Function, op.written(), op.signature()));
    }

    /// Returns whether the cursor is in the list of clauses of a `cite`.
    fn is_cited(&self) -> bool {
        let line = self.cursor.text[..self.cursor.start].rfind('\n').map_or(0, |n| n + 1);
        let own = &self.cursor.text[line..self.cursor.start];
        let cited = own.rfind("cite ").map(|at| &own[at + 5..]);
        cited.is_some_and(|list| list.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ',' | ' ')))
    }

    fn clauses(&mut self) {
        for clause in self.known.rules.register.clone() {
            let hole = if clause.status == ClauseStatus::Hole { "left open: " } else { "" };
            self.add(Sort::Clause, &clause.id, &format!("{hole}{}", clause.says));
        }
    }

    /// Adds the items with this keyword.
    fn named(&mut self, word: &str) {
        let rules = self.known.rules.clone();
        rules.items.iter().filter(|i| i.word == word).for_each(|i| self.add(Sort::Item, &i.name, &i.title));
    }

    fn traits(&mut self, statuses: bool) {
        let rules = self.known.rules.clone();
        for t in rules.traits.iter().filter(|t| !statuses || t.sort == TraitSort::Status) {
            self.add(Sort::Item, &t.name, rules.items.get(t.item.at()).map_or("", |i| i.title.as_str()));
        }
    }

    fn types(&mut self) {
        TYPES.iter().for_each(|ty| self.add(Sort::Type, ty, ""));
        let rules = self.known.rules.clone();
        rules.names.types.keys().for_each(|name| self.add(Sort::Type, name, ""));
        self.words(&["list"]);
    }

    fn values(&mut self, which: impl Fn(&ValueName) -> bool) {
        let rules = self.known.rules.clone();
        for (name, value) in rules.names.values.iter().filter(|(_, value)| which(value)) {
            let item = rules.item_of_value(*value).and_then(|item| rules.items.get(item.at()));
            let sort =
                if matches!(value, ValueName::Let(_) | ValueName::Proc(_)) { Sort::Function } else { Sort::Value };
            self.add(sort, name, item.map_or("", |i| i.title.as_str()));
        }
    }

    /// Adds cases and types, whose names are capitalized.
    fn capitals(&mut self) {
        let rules = self.known.rules.clone();
        for (name, of) in &rules.names.cases {
            let owners: Vec<&str> = of.iter().map(|(id, _)| rules.enums[id.at()].name.as_str()).collect();
            self.add(Sort::Case, name, &owners.join(", "));
        }
        rules.names.types.keys().for_each(|name| self.add(Sort::Type, name, ""));
    }

    /// Adds the variables and parameters of the item, and the fields of its bearer.
    fn locals(&mut self) {
        let start = self.cursor.item_start();
        let text = &self.cursor.text[start..self.cursor.start];
        let tokens: Vec<LexToken> = scan(text).filter(|t| t.kind != Lexeme::Comment).collect();
        let word = |n: usize| tokens.get(n).map_or("", |t| t.text(text));
        let small = |word: &str| word.starts_with(|c: char| c.is_ascii_lowercase());
        for (n, token) in tokens.iter().enumerate() {
            let (name, next) = (word(n), word(n + 1));
            let before = n.checked_sub(1).map_or("", word);
            let bound = matches!(before, "let" | "var" | "roll" | "each" | "choose" | "spawn" | "some" | "as");
            let formal = next == ":" && matches!(before, "(" | ",");
            if token.kind == Lexeme::Word && small(name) && (bound || formal || next == "in" && before != "not") {
                self.add(Sort::Variable, name, if formal { word(n + 2) } else { "" });
            }
        }
        if let Some(kind) = self.bearer(text) {
            self.fields_of(kind, Sort::Field);
        }
    }

    /// Returns the kind whose fields can be used without qualification in an item.
    fn bearer(&self, item: &str) -> Option<KindId> {
        let words: Vec<&str> = scan(item).filter(|t| t.kind == Lexeme::Word).take(24).map(|t| t.text(item)).collect();
        let first = words.iter().find(|w| !matches!(**w, "override" | "extend" | "extern" | "open"))?;
        let name = match *first {
            "kind" => words.iter().skip_while(|w| **w != "kind").nth(1)?,
            "trait" | "status" | "condition" => words.iter().skip_while(|w| **w != "on").nth(1)?,
            "let" => words.iter().skip_while(|w| **w != "let").nth(1)?,
            _ => return None,
        };
        self.kind(name)
    }

    fn kind(&self, name: &str) -> Option<KindId> {
        match self.known.rules.names.types.get(name) {
            Some(TypeName::Kind(id)) => Some(*id),
            _ => None,
        }
    }

    fn fields_of(&mut self, kind: KindId, sort: Sort) {
        let rules = self.known.rules.clone();
        for field in rules.kinds.get(kind.at()).into_iter().flat_map(|k| &k.fields) {
            let field = &rules.fields[field.at()];
            self.add(sort, &field.name, &rules.type_name(&field.ty));
        }
        self.add(sort, "alive", "Flag");
        if rules.kinds.get(kind.at()).is_some_and(|k| k.on_board) {
            self.add(sort, "at", "Place");
            self.add(sort, "facing", "Angle");
        }
    }

    /// Adds the candidates after a dot: the fields of the value before it, or the fields of everything if its type is unknown.
    fn fields(&mut self, base: &str) {
        let rules = self.known.rules.clone();
        if let Some(TypeName::Enum(id)) = rules.names.types.get(base) {
            let of = &rules.enums[id.at()];
            of.cases.iter().for_each(|case| self.add(Sort::Case, case, &of.name));
            return;
        }
        match self.type_of(base).as_ref().map(core) {
            Some(Type::Kind(kind)) => self.fields_of(kind, Sort::Field),
            Some(Type::Record(record)) => {
                for (name, ty) in rules.records.get(record.at()).into_iter().flat_map(|r| &r.fields) {
                    self.add(Sort::Field, name, &rules.type_name(ty));
                }
            }
            _ => {
                (0..rules.kinds.len()).for_each(|kind| self.fields_of(KindId::from(kind), Sort::Field));
                for record in &rules.records {
                    record.fields.iter().for_each(|(name, ty)| self.add(Sort::Field, name, &rules.type_name(ty)));
                }
            }
        }
    }

    /// Returns the type of a name: the one written in the item, the one in the last sound version, or that of a field.
    fn type_of(&self, name: &str) -> Option<Type> {
        let rules = &self.known.rules;
        let start = self.cursor.item_start();
        let text = &self.cursor.text[start..self.cursor.start];
        let tokens: Vec<LexToken> = scan(text).collect();
        let word = |n: usize| tokens.get(n).map_or("", |t| t.text(text));
        for n in 0..tokens.len() {
            if word(n) == name && word(n + 1) == ":" {
                let at = if word(n + 2) == "list" { n + 4 } else { n + 2 };
                if let Some(found) = self.named_type(word(at)) {
                    return Some(found);
                }
            }
            // A binding such as `u in Unit` or `u in u.members`.
            if word(n) == name && word(n + 1) == "in" {
                let last = (n + 2..tokens.len())
                    .take_while(|at| {
                        word(*at) == "." || tokens[*at].kind == Lexeme::Word && (*at == n + 2 || word(*at - 1) == ".")
                    })
                    .last();
                let of = last.map_or("", word);
                if let Some(found) = self.named_type(of).or_else(|| self.field_type(of)) {
                    return Some(found);
                }
            }
        }
        if name == "self" {
            return self.bearer(text).map(Type::Kind);
        }
        self.local_type(name).or_else(|| self.field_type(name)).or_else(|| {
            let ValueName::Global(id) = rules.names.values.get(name)? else { return None };
            Some(rules.globals[id.at()].ty.clone())
        })
    }

    fn named_type(&self, name: &str) -> Option<Type> {
        match self.known.rules.names.types.get(name)? {
            TypeName::Kind(id) => Some(Type::Kind(*id)),
            TypeName::Record(id) => Some(Type::Record(*id)),
            _ => None,
        }
    }

    /// Returns the type of the fields with this name, or `None` if their types differ.
    fn field_type(&self, name: &str) -> Option<Type> {
        let rules = &self.known.rules;
        let mut types =
            rules.names.fields.iter().filter(|((_, n), _)| n == name).map(|(_, id)| &rules.fields[id.at()].ty);
        let first = types.next()?;
        types.all(|ty| ty == first).then(|| first.clone())
    }

    /// Returns the type of the nearest variable with this name in the last sound version.
    fn local_type(&self, name: &str) -> Option<Type> {
        let file: FileId = self.good.file(&self.good.path)?;
        let shown = self.good.in_examples(file);
        let all = self.good.names.index.declared.iter().chain(&shown.declared);
        let own = all.filter(|(span, means)| span.file == file && matches!(means, Means::Local(_)));
        let named = own.filter(|(span, _)| self.good.sources.slice(**span) == name);
        let near = named.min_by_key(|(span, _)| ((span.start as usize).abs_diff(self.cursor.start), **span))?;
        self.good.variable(*near.0)
    }
}

/// Returns the element type of a list or an optional value, recursively.
fn core(ty: &Type) -> Type {
    match ty {
        Type::List(inner) | Type::Optional(inner) => core(inner),
        other => other.clone(),
    }
}
