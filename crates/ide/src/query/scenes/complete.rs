//! Completion in scenarios, project files and registers.

use super::super::complete::{Candidate, Sort};
use super::super::{Analysis, Workspace};
use super::TomlSort;
use super::walk::{Context, walk};
use grognard_base::value::ops::{Op, OpSort};
use grognard_base::value::*;
use grognard_base::{OrdMap, order};
use grognard_rules::ruleset::{Ruleset, TypeName, ValueName};
use grognard_rules::{CLAUSE_KEYS, STATUSES};
use grognard_scenario::Document;
use grognard_scenario::keys::{Key, KeyForm, SOURCES, TABLE, THING};
use grognard_scenario::manifest;
use std::rc::Rc;

struct TomlMaker {
    /// The rules, if the scenario names any.
    rules: Option<Rc<Analysis>>,
    /// The things of the scenario, with their kinds.
    things: Vec<(String, String)>,
    found: OrdMap<(String, Sort), Candidate>,
    /// Whether candidates are written in quotes.
    quotes: bool,
}

impl Workspace {
    /// Returns the candidates at a byte offset of a TOML file, and the start of the word that they replace.
    pub(in super::super) fn complete_toml(&self, path: &str, offset: usize) -> (usize, Vec<Candidate>) {
        let none = (offset, Vec::new());
        let Some(text) = self.text(path) else { return none };
        let Some(head) = text.get(..offset) else { return none };
        let context = walk(head).end;
        let sort = self.toml_sort(path);
        let mut maker = TomlMaker { rules: None, things: Vec::new(), found: OrdMap::new(), quotes: false };
        let start = match (&context, sort) {
            (Context::Nothing, _) | (_, TomlSort::Other) => return none,
            (_, TomlSort::Project) => maker.project(&context, head),
            (_, TomlSort::Register) => maker.register(&context, head),
            (_, TomlSort::Scene) => {
                let scene = self.last_scene(path);
                maker.rules = scene.rules.as_ref().map(|rules| self.last_good(&rules.path));
                maker.things = scene.document.as_ref().map(things).unwrap_or_default();
                maker.scene(&context, head, self, path)
            }
        };
        let mut all: Vec<Candidate> = maker.found.into_values().collect();
        order::sort_by(&mut all, |a, b| (a.sort, &a.label).cmp(&(b.sort, &b.label)));
        (start, all)
    }
}

/// Returns the names and kinds of the things of a document.
fn things(document: &Document) -> Vec<(String, String)> {
    let kinds = document.entries.iter().filter(|entry| entry.key.starts_with(|c: char| c.is_ascii_uppercase()));
    let own = kinds.flat_map(|entry| {
        entry.node.table().unwrap_or_default().iter().map(|thing| (thing.key.clone(), entry.key.clone()))
    });
    let lines = document.entries.iter().filter(|entry| entry.key == "line").flat_map(|entry| entry.node.all());
    let lines = lines.flat_map(|line| {
        let keys = line.table().unwrap_or_default();
        let kind = grognard_scenario::get(keys, "kind").and_then(|entry| entry.node.text()).unwrap_or_default();
        let ids = grognard_scenario::get(keys, "ids").map(|entry| entry.node.all()).unwrap_or_default();
        ids.iter().filter_map(|id| Some((id.text()?.to_string(), kind.to_string()))).collect::<Vec<_>>()
    });
    own.chain(lines).collect()
}

/// Returns the start of the word that a text ends with.
fn word_start(head: &str, from: usize) -> usize {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
    let tail = &head[from..];
    tail.rfind(|c| !part(c)).map_or(from, |at| from + at + tail[at..].chars().next().map_or(1, char::len_utf8))
}

impl TomlMaker {
    fn add(&mut self, sort: Sort, label: &str, detail: &str) {
        let label = if self.quotes { format!("\"{label}\"") } else { label.to_string() };
        let candidate = Candidate { label: label.clone(), sort, detail: detail.to_string(), snippet: None };
        self.found.entry((label, sort)).or_insert(candidate);
    }

    /// Adds a value that is written without quotes.
    fn plain(&mut self, label: &str, detail: &str) {
        let candidate =
            Candidate { label: label.to_string(), sort: Sort::Value, detail: detail.to_string(), snippet: None };
        self.found.entry((label.to_string(), Sort::Value)).or_insert(candidate);
    }

    fn project(&mut self, context: &Context, head: &str) -> usize {
        match context {
            Context::Key { above, start } | Context::Header { above, start } => {
                if above.is_empty() {
                    manifest::KEYS.iter().for_each(|key| self.add(Sort::Keyword, key.name, key.says));
                }
                *start
            }
            Context::Value { path, text } => {
                let start = self.value_start(head, *text);
                let key = manifest::KEYS.iter().find(|key| path.first().is_some_and(|name| name == key.name));
                match key.map(|key| key.sort) {
                    Some(manifest::Sort::Word(words)) => words.iter().for_each(|word| self.add(Sort::Value, word, "")),
                    Some(manifest::Sort::Players) if path.len() == 2 => self.sources(),
                    _ => {}
                }
                start
            }
            Context::Nothing => head.len(),
        }
    }

    fn register(&mut self, context: &Context, head: &str) -> usize {
        match context {
            Context::Header { start, .. } => {
                self.add(Sort::Keyword, "clause", "a clause of the book");
                *start
            }
            Context::Key { above, start } => {
                if above == &["clause"] {
                    CLAUSE_KEYS.iter().for_each(|(name, says)| self.add(Sort::Keyword, name, says));
                }
                *start
            }
            Context::Value { path, text } => {
                let start = self.value_start(head, *text);
                if path.last().is_some_and(|key| key == "status") {
                    STATUSES.iter().for_each(|(word, _)| self.add(Sort::Value, word, ""));
                }
                start
            }
            Context::Nothing => head.len(),
        }
    }

    /// Returns the start of the current word of a value. Outside of quotes, candidates are written with quotes.
    fn value_start(&mut self, head: &str, text: Option<usize>) -> usize {
        self.quotes = text.is_none();
        word_start(head, text.unwrap_or(0).min(head.len()))
    }

    fn scene(&mut self, context: &Context, head: &str, space: &Workspace, own: &str) -> usize {
        match context {
            Context::Header { above, start } => {
                if above.is_empty() {
                    let headed = |key: &&Key| {
                        let table = matches!(key.form, KeyForm::Table | KeyForm::Names | KeyForm::Tables);
                        table && !key.path.contains('.')
                    };
                    TABLE.iter().filter(headed).for_each(|key| self.add(Sort::Keyword, key.path, key.says));
                    self.kinds();
                } else {
                    self.keys(above);
                }
                *start
            }
            Context::Key { above, start } => {
                self.keys(above);
                *start
            }
            Context::Value { path, text } => {
                let start = self.value_start(head, *text);
                self.values(path, text.map(|from| &head[from..]), space, own);
                start
            }
            Context::Nothing => head.len(),
        }
    }

    fn kinds(&mut self) {
        let Some(analysis) = self.rules.clone() else { return };
        for kind in &analysis.rules.kinds {
            self.add(Sort::Type, &kind.name, title(&analysis.rules, kind.item));
        }
    }

    fn settings(&mut self, readings: Option<bool>) {
        let Some(analysis) = self.rules.clone() else { return };
        let fits =
            |one: &&grognard_rules::ruleset::Setting| readings.is_none_or(|is| one.alternatives.is_empty() != is);
        for one in analysis.rules.settings.iter().filter(fits) {
            self.add(Sort::Value, &one.name, title(&analysis.rules, one.item));
        }
    }

    /// Adds the keys of a table.
    fn keys(&mut self, above: &[String]) {
        let path: Vec<&str> = above.iter().map(String::as_str).collect();
        let whole = path.join(".");
        let inner = |key: &&Key| match key.path.rsplit_once('.') {
            Some((above, _)) => above == whole,
            None => whole.is_empty(),
        };
        for key in TABLE.iter().filter(inner) {
            self.add(Sort::Keyword, key.path.rsplit('.').next().unwrap_or_default(), key.says);
        }
        let Some(analysis) = self.rules.clone() else { return };
        let rules = &analysis.rules;
        match path.as_slice() {
            [] | ["reserve"] | ["line", "each"] => self.kinds(),
            ["params"] => self.settings(Some(false)),
            ["readings"] => self.settings(Some(true)),
            ["sweep", "values"] => self.settings(None),
            ["state"] => {
                rules.globals.iter().for_each(|one| self.add(Sort::Value, &one.name, &rules.type_name(&one.ty)));
            }
            ["extern"] => {
                let missing = rules.functions.iter().filter(|one| one.external);
                missing.for_each(|one| self.add(Sort::Function, &one.name, title(rules, one.item)));
            }
            ["players"] => {
                for (name, kind) in self.things.clone() {
                    let player = |of: &&grognard_rules::ruleset::Kind| of.name == kind && of.owner.is_none();
                    if rules.kinds.iter().any(|of| player(&of)) {
                        self.add(Sort::Variable, &name, &kind);
                    }
                }
            }
            ["line"] => {
                let all = self.things.iter().filter_map(|(_, kind)| kind_named(rules, kind)).collect::<Vec<_>>();
                THING.iter().for_each(|key| self.add(Sort::Keyword, key.path, key.says));
                all.into_iter().for_each(|kind| self.fields(rules, kind));
            }
            [kind, _] | ["line", "each", kind] => {
                if let Some(kind) = kind_named(rules, kind) {
                    THING.iter().for_each(|key| self.add(Sort::Keyword, key.path, key.says));
                    self.fields(rules, kind);
                }
            }
            [kind, _, field] => {
                let field = kind_named(rules, kind).and_then(|kind| rules.names.fields.get(&(kind, field.to_string())));
                let key = field.and_then(|id| rules.fields[id.at()].keys.first());
                if let Some((Type::Enum(id), _)) = key {
                    let of = &rules.enums[id.at()];
                    of.cases.iter().for_each(|case| self.add(Sort::Case, case, &of.name));
                }
            }
            _ => {}
        }
    }

    fn fields(&mut self, rules: &Ruleset, kind: KindId) {
        for id in rules.kinds.get(kind.at()).into_iter().flat_map(|kind| &kind.fields) {
            let field = &rules.fields[id.at()];
            self.add(Sort::Field, &field.name, &rules.type_name(&field.ty));
        }
    }

    fn sources(&mut self) {
        SOURCES.iter().for_each(|word| self.add(Sort::Keyword, word, ""));
        let Some(analysis) = self.rules.clone() else { return };
        for policy in &*analysis.rules.policies {
            self.add(Sort::Item, &format!("policy:{}", policy.name), title(&analysis.rules, policy.item));
        }
    }

    /// Adds the values of a key. `head` is the content of the quoted text before the cursor.
    fn values(&mut self, path: &[String], head: Option<&str>, space: &Workspace, own: &str) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let whole = path.join(".");
        match path.as_slice() {
            ["rules" | "against"] => {
                for file in space.rulesets() {
                    self.add(Sort::Item, file.trim_end_matches(".rules"), "");
                }
                return;
            }
            ["base"] => {
                let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
                let names = space.scenarios();
                let beside = names.iter().filter(|name| *name != own).filter_map(|name| {
                    let (above, file) = name.rsplit_once('/').unwrap_or(("", name));
                    (above == folder).then_some(file)
                });
                beside.for_each(|file| self.add(Sort::Item, file, ""));
                return;
            }
            ["players", _] => return self.sources(),
            _ => {}
        }
        let form = TABLE.iter().find(|key| key.path == whole).map(|key| key.form);
        if let Some(KeyForm::Word(words)) = form {
            return words.iter().for_each(|word| self.add(Sort::Keyword, word, ""));
        }
        let Some(analysis) = self.rules.clone() else { return };
        let rules = &analysis.rules;
        match path.as_slice() {
            ["params" | "readings", name] | ["sweep", "values", name] => {
                let Some(one) = rules.names.setting(name).map(|id| &rules.settings[id.at()]) else { return };
                for ((_, written), gloss) in one.alternatives.iter().zip(&one.glosses) {
                    self.typed(&one.ty, written, gloss);
                }
                if one.alternatives.is_empty() {
                    self.of_type(rules, &one.ty.clone());
                }
            }
            ["state", name] => {
                if let Some(ValueName::Global(id)) = rules.names.values.get(*name) {
                    self.of_type(rules, &rules.globals[id.at()].ty);
                }
            }
            ["sweep", "over"] => self.settings(None),
            ["line", "kind"] => self.kinds(),
            ["dice", "rolls", "roll"] => {
                for site in rules.sites.iter().filter(|site| site.sort.is_chance()) {
                    let owner = rules.functions.get(site.func.at()).map_or("", |of| of.name.as_str());
                    self.add(Sort::Item, &format!("{owner}.{}", site.name), "");
                }
            }
            ["decide", "choice"] => {
                let asked = rules.sites.iter().filter(|site| !site.sort.is_chance());
                asked.for_each(|site| self.add(Sort::Item, &site.name, ""));
            }
            ["report", "mean" | "chance" | "hist" | "of", ..] | ["sweep", "report", ..] => {
                self.expression(rules, head.unwrap_or_default());
            }
            [.., "of"] => self.all_things(None),
            ["name" | "about", ..] | ["expect", "trace"] => {}
            [kind, _, "traits"] => {
                let kind = kind_named(rules, kind);
                for of in rules.traits.iter().filter(|of| Some(of.on) == kind) {
                    self.add(Sort::Item, &of.name, title(rules, of.item));
                }
            }
            [kind, _, field, ..] | ["line", "each", kind, field] if kind_named(rules, kind).is_some() => {
                let field = kind_named(rules, kind).and_then(|kind| rules.names.fields.get(&(kind, field.to_string())));
                if let Some(id) = field {
                    self.of_type(rules, &rules.fields[id.at()].ty);
                }
            }
            _ if form.is_some() || path.len() > 1 => self.expression(rules, head.unwrap_or_default()),
            _ => {}
        }
    }

    /// Adds a value of a type as it is written in a scenario.
    fn typed(&mut self, ty: &Type, written: &str, detail: &str) {
        match ty.present() {
            Type::Enum(_) | Type::Chain(_) | Type::Die => self.add(Sort::Case, written, detail),
            Type::Flag => self.plain(if written == "yes" { "true" } else { "false" }, detail),
            _ => self.plain(written.trim_end_matches(['"', '°', '%']), detail),
        }
    }

    fn of_type(&mut self, rules: &Ruleset, ty: &Type) {
        match ty {
            Type::Optional(inner) => {
                self.add(Sort::Keyword, "none", "");
                self.of_type(rules, inner);
            }
            Type::List(inner) => self.of_type(rules, inner),
            Type::Flag => ["true", "false"].iter().for_each(|word| self.plain(word, "Flag")),
            Type::Enum(id) => {
                let of = &rules.enums[id.at()];
                of.cases.iter().for_each(|case| self.add(Sort::Case, case, &of.name));
            }
            Type::Kind(id) => self.all_things(rules.kinds.get(id.at()).map(|kind| kind.name.as_str())),
            _ => {}
        }
    }

    /// Adds the things of the scenario, or those of one kind.
    fn all_things(&mut self, kind: Option<&str>) {
        for (name, of) in self.things.clone() {
            if kind.is_none_or(|kind| kind == of) {
                self.add(Sort::Variable, &name, &of);
            }
        }
    }

    /// Adds the names that a string of the language can contain.
    fn expression(&mut self, rules: &Ruleset, head: &str) {
        if self.quotes {
            return;
        }
        let before = head[..word_start(head, 0)].trim_end();
        if let Some(base) = before.strip_suffix('.') {
            let base = &base[word_start(base, 0)..];
            if let Some(TypeName::Enum(id)) = rules.names.types.get(base) {
                let of = &rules.enums[id.at()];
                return of.cases.iter().for_each(|case| self.add(Sort::Case, case, &of.name));
            }
            let kind = self.things.iter().find(|(name, _)| name == base).and_then(|(_, kind)| kind_named(rules, kind));
            match kind {
                Some(kind) => self.fields(rules, kind),
                None => (0..rules.kinds.len()).for_each(|kind| self.fields(rules, KindId::from(kind))),
            }
            return;
        }
        let words = |word: &'static str| rules.items.iter().filter(move |item| item.word == word);
        match before.rsplit(' ').next().unwrap_or_default() {
            "do" => return words("proc").for_each(|item| self.add(Sort::Function, &item.name, &item.title)),
            "test" => return words("test").for_each(|item| self.add(Sort::Item, &item.name, &item.title)),
            "run" => return words("phase").for_each(|item| self.add(Sort::Item, &item.name, &item.title)),
            _ => {}
        }
        self.all_things(None);
        for (name, value) in &rules.names.values {
            let item = rules.item_of_value(*value).map_or("", |item| title(rules, item));
            let function = matches!(value, ValueName::Let(_) | ValueName::Proc(_));
            self.add(if function { Sort::Function } else { Sort::Value }, name, item);
        }
        words("phase").chain(words("test")).for_each(|item| self.add(Sort::Item, &item.name, &item.title));
        for (name, of) in &rules.names.cases {
            let owners: Vec<&str> = of.iter().map(|(id, _)| rules.enums[id.at()].name.as_str()).collect();
            self.add(Sort::Case, name, &owners.join(", "));
        }
        rules.names.types.keys().for_each(|name| self.add(Sort::Type, name, ""));
        let builtins = Op::ALL.iter().filter(|op| op.sort() == OpSort::Builtin);
        builtins.for_each(|op| self.add(Sort::Function, op.written(), op.signature()));
        ["do", "test", "run", "emit", "set"].iter().for_each(|word| self.add(Sort::Keyword, word, ""));
    }
}

fn kind_named(rules: &Ruleset, name: &str) -> Option<KindId> {
    match rules.names.types.get(name) {
        Some(TypeName::Kind(id)) => Some(*id),
        _ => None,
    }
}

fn title(rules: &Ruleset, item: ItemId) -> &str {
    rules.items.get(item.at()).map_or("", |item| item.title.as_str())
}
