//! Parses scenario text to a tree of nodes with source positions, and merges a scenario with its base.

use grognard_base::order;
use grognard_base::{Code, Diagnostic, FileId, Source, Sources, Span, did_you_mean};
use grognard_rules::Library;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value of a scenario with its span.
#[derive(Clone, Debug)]
pub struct Node {
    pub span: Span,
    pub value: Value,
}

/// The value of a node. Numbers keep their source text.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Value {
    /// A text, and the offset of its first character.
    Text(String, usize),
    Number(String),
    Flag(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// A date, which no key accepts.
    Date,
}

/// A key of a table with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name of the key.
    pub key: String,
    /// The span of the key.
    pub span: Span,
    /// The value of the key.
    pub node: Node,
}

impl Node {
    /// Returns the text, or `None` for another type.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// Returns the entries, or `None` if the node is not a table.
    pub fn table(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the entries of a list, or the node itself as the only entry.
    pub fn all(&self) -> &[Node] {
        match &self.value {
            Value::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns the type of the value as text.
    pub fn sort(&self) -> &'static str {
        match self.value {
            Value::Text(..) => "a text",
            Value::Number(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Date => "a date",
        }
    }
}

/// Returns the entry of a key.
pub fn get<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Entry> {
    entries.iter().find(|e| e.key == key)
}

/// A scenario with its bases merged in.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file of the scenario.
    pub file: FileId,
    /// The top-level keys with their values.
    pub entries: Vec<Entry>,
}

impl Document {
    /// Sets a param or reading as if the scenario had set it. `file` and `start` locate the text of the value.
    pub fn set(&mut self, reading: bool, name: &str, value: &str, file: FileId, start: usize) {
        let span = Span::new(file, start, start + value.len());
        let value = typed(value, start);
        let entry = Entry { key: name.to_string(), span, node: Node { span, value } };
        let section = if reading { "readings" } else { "params" };
        if let Some(Value::Table(entries)) =
            self.entries.iter_mut().find(|e| e.key == section).map(|e| &mut e.node.value)
        {
            entries.retain(|e| e.key != name);
            entries.push(entry);
            return;
        }
        let node = Node { span, value: Value::Table(vec![entry]) };
        self.entries.push(Entry { key: section.to_string(), span, node });
    }
}

/// A param or reading of a sweep: its name, and its values if they differ from the declared ones.
#[derive(Clone, Debug)]
pub struct Over {
    /// The name with its span.
    pub name: (String, Span),
    /// A list of values.
    pub values: Option<Node>,
}

impl Over {
    /// Parses `name` or `name=value,value`, which must be the whole text of a file.
    pub fn read(text: &str, file: FileId) -> Over {
        let (name, values) = text.split_once('=').map_or((text, None), |(name, values)| (name, Some(values)));
        let span = |start: usize, text: &str| Span::new(file, start, start + text.len());
        let mut at = name.len() + 1;
        let values = values.map(|all| {
            let each = all.split(',').map(|part| {
                let bare = part.trim();
                let start = at + (part.len() - part.trim_start().len());
                at += part.len() + 1;
                Node { span: span(start, bare), value: typed(bare, start) }
            });
            Node { value: Value::List(each.collect()), span: span(name.len() + 1, all) }
        });
        Over { name: (name.trim().to_string(), span(0, name)), values }
    }
}

/// Parses a value that was written outside a TOML file.
fn typed(text: &str, start: usize) -> Value {
    let is_digit = |c: char| c.is_ascii_digit();
    match text {
        "true" | "yes" => Value::Flag(true),
        "false" | "no" => Value::Flag(false),
        // includes numbers that are too large or too precise, which the reader of the value reports
        text if text.contains(is_digit) && text.chars().all(|c| is_digit(c) || matches!(c, '-' | '.')) => {
            Value::Number(text.to_string())
        }
        text => Value::Text(text.to_string(), start),
    }
}

impl Document {
    /// Replaces the params and readings of `[sweep]` by others, if any are given. The report of `[sweep]` becomes the
    /// report of the scenario.
    pub fn sweep(&mut self, over: &[Over]) {
        let whole = Span::new(self.file, 0, 0);
        let own = self.entries.iter().find(|e| e.key == "sweep").and_then(|e| e.node.table());
        if let Some(mut report) = own.and_then(|entries| get(entries, "report")).cloned() {
            let measures = report.node.all().iter().map(|node| self.by_caption(node.clone())).collect();
            report.node = Node { value: Value::List(measures), ..report.node };
            let of = Entry { key: "of".into(), ..report.clone() };
            self.entries.retain(|e| e.key != "report");
            let node = Node { span: report.span, value: Value::Table(vec![of]) };
            self.entries.push(Entry { key: "report".into(), span: report.span, node });
        }
        if over.is_empty() {
            return;
        }
        let text = |o: &Over| Node { span: o.name.1, value: Value::Text(o.name.0.clone(), o.name.1.start as usize) };
        let names = Value::List(over.iter().map(text).collect());
        let values =
            over.iter().filter_map(|o| Some(Entry { key: o.name.0.clone(), span: o.name.1, node: o.values.clone()? }));
        let values = Value::Table(values.collect());
        let entry = |key: &str, value| Entry { key: key.into(), span: whole, node: Node { span: whole, value } };
        self.entries.retain(|e| e.key != "sweep");
        self.entries.push(entry("sweep", Value::Table(vec![entry("over", names), entry("values", values)])));
    }

    /// Sets the source of the answers of a player, replacing any other. `file` contains only the source, from `start`.
    pub fn decide(&mut self, side: &str, source: &str, file: FileId, start: usize) {
        let whole = Span::new(file, 0, start + source.len());
        let value = Value::Text(source.to_string(), start);
        let node = Node { span: Span::new(file, start, start + source.len()), value };
        let entry = Entry { key: side.to_string(), span: whole, node };
        let players = self.entries.iter_mut().find(|e| e.key == "players").map(|e| &mut e.node.value);
        if let Some(Value::Table(entries)) = players {
            entries.retain(|e| e.key != side);
            entries.push(entry);
            return;
        }
        let node = Node { span: whole, value: Value::Table(vec![entry]) };
        self.entries.push(Entry { key: "players".into(), span: whole, node });
    }

    /// Sets the source of the answers of a thing for which the scenario sets none. It has no effect if there is no such
    /// thing.
    pub fn decide_else(&mut self, side: &str, source: &str, file: FileId, start: usize) {
        let has = |entry: &Entry| entry.node.table().is_some_and(|entries| get(entries, side).is_some());
        let said = get(&self.entries, "players").is_some_and(has);
        if !said && self.entries.iter().any(has) {
            self.decide(side, source, file, start);
        }
    }

    /// Replaces the objective of `best` and `worst` players.
    pub fn objective(&mut self, text: &str, file: FileId) {
        let span = Span::new(file, 0, text.len());
        let node = Node { span, value: Value::Text(text.to_string(), 0) };
        self.entries.retain(|e| e.key != "objective");
        self.entries.push(Entry { key: "objective".into(), span, node });
    }

    /// Replaces the measures of `[report]`: those whose type determines how they are reported, and those with all their
    /// values. Each is a text in a separate file.
    pub fn ask(&mut self, figures: &[(String, FileId)], hist: &[(String, FileId)]) {
        let node = |(text, file): &(String, FileId)| Node {
            span: Span::new(*file, 0, text.len()),
            value: Value::Text(text.clone(), 0),
        };
        let entry = |(key, figures): (&str, &[(String, FileId)])| {
            let nodes: Vec<Node> = figures.iter().map(|figure| self.by_caption(node(figure))).collect();
            let span = nodes.first()?.span;
            Some(Entry { key: key.into(), span, node: Node { span, value: Value::List(nodes) } })
        };
        let measures: Vec<Entry> = [("of", figures), ("hist", hist)].into_iter().filter_map(entry).collect();
        let span = measures.first().map_or(Span::new(self.file, 0, 0), |entry| entry.span);
        let old = get(&self.entries, "report").and_then(|report| get(report.node.table()?, "good")).cloned();
        let good = old.map(|entry| self.good_among(entry, figures));
        self.entries.retain(|e| e.key != "report");
        let value = Value::Table(measures.into_iter().chain(good).collect());
        self.entries.push(Entry { key: "report".into(), span, node: Node { span, value } });
    }

    /// Returns the measures of `[report]` with captions: the caption and its entry.
    fn captions(&self) -> impl Iterator<Item = &Entry> {
        let report = get(&self.entries, "report").and_then(|report| report.node.table()).unwrap_or_default();
        let lists = report.iter().filter(|entry| entry.key != "good").flat_map(|entry| entry.node.all());
        lists.filter_map(Node::table).flatten()
    }

    /// Returns a measure that is named by its caption in `[report]` as its captioned expression, and others unchanged.
    pub(super) fn by_caption(&self, node: Node) -> Node {
        let captioned = node.text().and_then(|text| self.captions().find(|entry| bare(&entry.key) == bare(text)));
        match captioned {
            Some(entry) => Node { value: Value::Table(vec![entry.clone()]), ..node },
            None => node,
        }
    }

    /// Restricts `good` to the requested measures, because the others need not be in the report. A measure that is requested by
    /// its expression, and named by its caption in `good`, gets its expression there.
    fn good_among(&self, mut entry: Entry, figures: &[(String, FileId)]) -> Entry {
        let asks = |text: &str| figures.iter().any(|(other, _)| bare(other) == bare(text));
        let asked = |node: &mut Node| {
            let Some(text) = node.text() else { return true };
            if asks(text) {
                return true;
            }
            let captioned = self.captions().find(|entry| bare(&entry.key) == bare(text));
            let expression = captioned.map(|entry| &entry.node).filter(|node| node.text().is_some_and(asks));
            expression.is_some_and(|expression| {
                *node = expression.clone();
                true
            })
        };
        if let Value::Table(ways) = &mut entry.node.value {
            for way in ways.iter_mut() {
                if let Value::List(list) = &mut way.node.value {
                    list.retain_mut(asked);
                }
            }
            ways.retain_mut(|way| asked(&mut way.node));
        }
        entry
    }
}

/// Returns a text without spaces.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Maximum length of a chain of bases.
const CHAIN_LIMIT: usize = 8;
/// Maximum size of a scenario, in bytes.
const MOST_BYTES: usize = 1 << 20;
/// Top-level lists whose entries are appended to those of the base.
const APPENDED: &[&str] = &["line", "decide", "step", "expect"];
/// Keys of the base that `steps = "replace"` removes.
const REPLACED: &[&str] = &["step", "decide", "dice", "expect"];

/// Parses a scenario and its bases, and merges them.
///
/// # Errors
///
/// Returns diagnostics if a file is unreadable or invalid, or if the bases are cyclic or too many.
pub fn read(
    path: &str,
    text: String,
    library: &dyn Library,
    sources: &mut Sources,
) -> Result<Document, Vec<Diagnostic>> {
    let mut seen = vec![path.to_string()];
    let mut document = one(path, text, library, sources)?;
    let mut below = base_of(&document.entries)?;
    while let Some((name, span)) = below {
        let fault = |code: Code, message: String| Diagnostic::new(code, span, message).help(BASE);
        let path =
            beside(seen.last().map_or(path, String::as_str), &name).filter(|_| !name.is_empty()).ok_or_else(|| {
                vec![fault(Code::Outside, format!("`{name}` does not name a scenario in the same folder"))]
            })?;
        if seen.contains(&path) {
            let circle = format!("scenarios are based on each other in a circle: {} -> {path}", seen.join(" -> "));
            return Err(vec![fault(Code::ExtendCycle, circle)]);
        }
        if seen.len() >= CHAIN_LIMIT {
            return Err(vec![Diagnostic::new(
                Code::TooLarge,
                span,
                format!("more than {CHAIN_LIMIT} scenarios are based on each other"),
            )]);
        }
        // relative to this scenario, otherwise relative to the rules root
        let (path, found) = match library.read(&path) {
            Ok(None) if name.contains('/') => match library.read(&name) {
                Ok(Some(text)) => (name, Ok(Some(text))),
                _ => (path, Ok(None)),
            },
            found => (path, found),
        };
        let text = match found {
            Ok(Some(text)) => text,
            Ok(None) => {
                let all = library.list();
                let near = did_you_mean(&path, all.iter().map(String::as_str).filter(|p| p.ends_with(".toml")));
                return Err(vec![fault(Code::Unreadable, format!("there is no scenario `{path}`{near}"))]);
            }
            Err(why) => {
                let found = grognard_rules::unreadable(format!("`{path}` cannot be read"), &why);
                return Err(vec![Diagnostic { span: Some(span), ..found }]);
            }
        };
        let base = one(&path, text, library, sources)?;
        below = base_of(&base.entries)?;
        document.entries = over(base.entries, document.entries)?;
        seen.push(path);
    }
    if seen.len() > 1 {
        document.entries.retain(|e| e.key != "steps");
    }
    Ok(document)
}

/// Help for an invalid `base`.
const BASE: &str = "write `base` as another scenario in the folder of this one, as in `base = \"first.toml\"`";

/// Returns the value of the `base` key of a file.
fn base_of(entries: &[Entry]) -> Result<Option<(String, Span)>, Vec<Diagnostic>> {
    let Some(entry) = get(entries, "base") else { return Ok(None) };
    match entry.node.text() {
        Some(text) => Ok(Some((text.to_string(), entry.node.span))),
        None => {
            let message = format!("`base` must be one scenario in quotes, not {}", entry.node.sort());
            Err(vec![Diagnostic::new(Code::BadValue, entry.node.span, message).help(BASE)])
        }
    }
}

/// Resolves a name relative to the folder of `path`. Returns `None` if it is outside the root.
pub fn beside(path: &str, name: &str) -> Option<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    if name.starts_with('/') || name.contains('\\') {
        return None;
    }
    for part in name.split('/') {
        match part {
            "." => {}
            "" => return None,
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Parses one file, without its bases.
fn one(path: &str, text: String, library: &dyn Library, sources: &mut Sources) -> Result<Document, Vec<Diagnostic>> {
    let name = path.to_string();
    if text.len() > MOST_BYTES {
        return Err(vec![Diagnostic::general(
            Code::TooLarge,
            format!("{name} has {} bytes; at most {MOST_BYTES} are read", text.len()),
        )]);
    }
    let file = sources.add(Source::new(name, text).shown_as(library.shown(path)));
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    match entries(file, text) {
        Ok(entries) => Ok(Document { file, entries }),
        Err((span, _)) if path.ends_with(".rules") => {
            let found = Diagnostic::new(Code::ScenarioForm, span, "expected a scenario, found a rules file");
            Err(vec![found.help(
                "use a file that ends in `.toml`; for a rules file, use `check`, `test` or `odds FILE 'Test(..)'`",
            )])
        }
        Err((span, why)) => {
            let found = Diagnostic::new(Code::ScenarioForm, span, format!("the scenario is {why}"));
            let sign = source_of(text, span).and_then(|sign| match sign {
                '[' => Some(']'),
                '{' => Some('}'),
                _ => None,
            });
            Err(vec![match sign {
                Some(close) if why.ends_with(NEXT) => {
                    found.help(format!("write a `{close}` after the last of its values"))
                }
                _ => found,
            }])
        }
    }
}

/// Parses TOML text to its keys in source order.
///
/// # Errors
///
/// Returns the span and a message if the text is not valid TOML.
pub fn entries(file: FileId, text: &str) -> Result<Vec<Entry>, (Span, String)> {
    match DeTable::parse(text) {
        Ok(table) => Ok(Reader { file, text }.table(table.get_ref())),
        Err(fault) => {
            let span = fault.span().map_or(Span::new(file, 0, 0), |r| Span::new(file, r.start, r.end));
            if let Some(open) = unclosed(text, fault.span().map_or(text.len(), |r| r.start)) {
                let (at, sign) = open;
                let close = if sign == '[' { ']' } else { '}' };
                let why = format!("not valid TOML: this `{sign}` has no `{close}`{NEXT}");
                return Err((Span::new(file, at, at + 1), why));
            }
            let why = fault.message().lines().next().unwrap_or_default();
            let word = fault.span().and_then(|r| text.get(r.start..)).unwrap_or_default();
            let word = word.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            let why = match word {
                "yes" => "write `true` or `false` for a flag here, not `yes`",
                "no" => "write `true` or `false` for a flag here, not `no`",
                _ => why,
            };
            Err((span, format!("not valid TOML: {why}")))
        }
    }
}

/// The end of the message about an unclosed bracket.
const NEXT: &str = " before the next entry begins";

/// Returns the character at a span.
fn source_of(text: &str, at: Span) -> Option<char> {
    text.get(at.start as usize..)?.chars().next()
}

/// Returns the bracket of a value that is not closed before a later line starts the next entry, or before the end of
/// the text.
fn unclosed(text: &str, fault: usize) -> Option<(usize, char)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let (mut start, mut whole) = (0, false);
    for line in text.split_inclusive('\n') {
        let plain = line.trim();
        let named = plain.split('=').next().is_some_and(|key| {
            let key = key.trim();
            plain.contains('=')
                && !key.is_empty()
                && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
        });
        let head =
            plain.starts_with('[') && plain.trim_start_matches('[').starts_with(|c: char| c.is_ascii_alphabetic());
        if let Some(first) = open.first().filter(|first| (named && first.1 == '[' || head) && fault > first.0) {
            return Some(*first);
        }
        if plain.starts_with("\"\"\"") || plain.contains("\"\"\"") || plain.contains("'''") {
            // multiline texts are not examined
            whole = true;
        }
        if !(head && open.is_empty()) {
            let mut quote = None;
            for (at, c) in line.char_indices() {
                match (quote, c) {
                    (Some(sign), _) => {
                        let escaped = sign == '"' && line[..at].ends_with('\\');
                        quote = if c == sign && !escaped { None } else { quote };
                    }
                    (None, '"' | '\'') => quote = Some(c),
                    (None, '#') => break,
                    (None, '[' | '{') => open.push((start + at, c)),
                    (None, ']' | '}') => drop(open.pop()),
                    _ => {}
                }
            }
        }
        start += line.len();
    }
    open.first().copied().filter(|first| !whole && fault > first.0)
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
}

impl Reader<'_> {
    fn span<T>(&self, of: &Spanned<T>) -> Span {
        Span::new(self.file, of.span().start, of.span().end)
    }

    /// Returns the entries in source order, whatever order the parser keeps.
    fn table(&self, table: &DeTable) -> Vec<Entry> {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry { key: key.get_ref().to_string(), span: self.span(key), node: self.node(value) })
            .collect();
        order::sort_by_key(&mut entries, |e| e.span.start);
        entries
    }

    fn node(&self, of: &Spanned<DeValue>) -> Node {
        let span = self.span(of);
        let value = match of.get_ref() {
            DeValue::String(text) => Value::Text(text.to_string(), self.inner(span)),
            DeValue::Integer(_) | DeValue::Float(_) => {
                Value::Number(self.text.get(of.span()).unwrap_or_default().to_string())
            }
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(entries) => Value::List(entries.iter().map(|e| self.node(e)).collect()),
            DeValue::Table(table) => Value::Table(self.table(table)),
        };
        Node { span, value }
    }

    /// Returns the offset of the first character of a quoted text.
    fn inner(&self, span: Span) -> usize {
        let start = span.start as usize;
        let rest = self.text.get(start..).unwrap_or_default();
        let quotes = if rest.starts_with("\"\"\"") || rest.starts_with("'''") { 3 } else { 1 };
        start + quotes
    }
}

/// Merges a scenario over its base.
fn over(mut base: Vec<Entry>, mut own: Vec<Entry>) -> Result<Vec<Entry>, Vec<Diagnostic>> {
    if let Some(at) = own.iter().position(|e| e.key == "steps") {
        let entry = own.remove(at);
        if entry.node.text() != Some("replace") {
            let message = "`steps` must be \"replace\", or be omitted";
            return Err(vec![Diagnostic::new(Code::BadValue, entry.node.span, message)]);
        }
        base.retain(|e| !REPLACED.contains(&e.key.as_str()));
        // the bases of the base are merged later and must be replaced too
        base.retain(|e| e.key != "steps");
        base.push(entry);
    }
    base.retain(|e| e.key != "base");
    for entry in own {
        match base.iter_mut().find(|e| e.key == entry.key) {
            Some(old) => {
                let appended = APPENDED.contains(&entry.key.as_str());
                lay(old, entry, appended, true);
            }
            None => base.push(entry),
        }
    }
    Ok(base)
}

/// Merges a key over that of the base: tables are merged, appended lists are joined, and other values are replaced.
fn lay(old: &mut Entry, new: Entry, appended: bool, top: bool) {
    let dice = top && new.key == "dice";
    match (&mut old.node.value, new.node.value) {
        (Value::List(list), Value::List(more)) if appended => list.extend(more),
        (Value::Table(table), Value::Table(more)) => {
            for entry in more {
                let rolls = dice && entry.key == "rolls";
                match table.iter_mut().find(|e| e.key == entry.key) {
                    Some(old) => lay(old, entry, rolls, false),
                    None => table.push(entry),
                }
            }
        }
        (value, new_value) => {
            *value = new_value;
            old.node.span = new.node.span;
            old.span = new.span;
        }
    }
}
