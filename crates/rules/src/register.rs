//! The clause register: `clauses.toml` next to the rules, and the cites that name its clauses.

use super::merge::head::{Head, about, is_open, members, title, word};
use grognard_base::{Code, Diagnostic, FileId, Follows, OrdMap, Span, did_you_mean};
pub use grognard_model::clauses::{Citation, Clause, ClauseStatus};
use grognard_syntax::tree::{self, Item, ItemKind, Member, MemberKind};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The registers of all folders of a chain, merged.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    /// Every clause, in file order.
    pub clauses: Vec<Clause>,
    /// Whether any register exists.
    pub any: bool,
    places: HashMap<String, Span>,
}

/// The keys of a clause with their meanings. All except `decided` are required.
pub const CLAUSE_KEYS: &[(&str, &str)] = &[
    ("id", "the ID: the book, a dash and a number, such as `WA-14` or `WA-H1`"),
    ("section", "the heading in the book"),
    ("says", "the content of the clause in one sentence"),
    ("status", "modelled, external (another chapter), commentary, or hole (left open by the book)"),
    ("decided", "for a hole, the decision and its reason"),
];
/// The statuses of clauses, with the word for each.
pub const STATUSES: &[(&str, ClauseStatus)] = &[
    ("modelled", ClauseStatus::Modelled),
    ("external", ClauseStatus::External),
    ("commentary", ClauseStatus::Commentary),
    ("hole", ClauseStatus::Hole),
];

/// Parses one `clauses.toml` on its own.
pub fn alone(file: FileId, text: &str) -> (Registers, Vec<Diagnostic>) {
    let mut registers = Registers::default();
    let found = read(file, text, &mut registers);
    (registers, found)
}

/// Parses one `clauses.toml` and appends its clauses to `into`.
pub fn read(file: FileId, text: &str, into: &mut Registers) -> Vec<Diagnostic> {
    into.any = true;
    let mut reader = RegisterReader { file, into, problems: Vec::new() };
    match DeTable::parse(text) {
        Ok(table) => reader.file(table.get_ref()),
        Err(fault) => {
            let span = fault.span().map_or(Span::new(file, 0, 0), |r| Span::new(file, r.start, r.end));
            reader.say(span, format!("the register is not valid TOML: {}", fault.message()));
        }
    }
    reader.problems
}

struct RegisterReader<'a> {
    file: FileId,
    into: &'a mut Registers,
    problems: Vec<Diagnostic>,
}

impl RegisterReader<'_> {
    fn say(&mut self, span: Span, message: impl Into<String>) {
        self.problems.push(Diagnostic::new(Code::Register, span, message));
    }

    fn span<T>(&self, of: &Spanned<T>) -> Span {
        Span::new(self.file, of.span().start, of.span().end)
    }

    fn file(&mut self, table: &DeTable) {
        for (key, value) in table.iter() {
            if key.get_ref() != "clause" {
                let near = did_you_mean(key.get_ref(), ["clause"]);
                let message = format!("`{}` is not a key of a register{near}", key.get_ref());
                self.say(self.span(key), message);
                continue;
            }
            match value.get_ref() {
                DeValue::Array(entries) => entries.iter().for_each(|entry| self.clause(entry)),
                _ => self.say(self.span(value), "start a clause with `[[clause]]`"),
            }
        }
    }

    fn clause(&mut self, entry: &Spanned<DeValue>) {
        let whole = self.span(entry);
        let DeValue::Table(table) = entry.get_ref() else {
            return self.say(whole, "start a clause with `[[clause]]`");
        };
        let mut found: HashMap<&str, (String, Span)> = HashMap::new();
        for (key, value) in table.iter() {
            let Some(known) = CLAUSE_KEYS.iter().map(|(key, _)| key).find(|k| *k == key.get_ref()) else {
                let near = did_you_mean(key.get_ref(), CLAUSE_KEYS.iter().map(|(key, _)| *key));
                self.say(self.span(key), format!("`{}` is not a key of a clause{near}", key.get_ref()));
                continue;
            };
            match value.get_ref() {
                DeValue::String(text) => {
                    found.insert(known, (text.to_string(), self.span(value)));
                }
                _ => {
                    self.say(self.span(value), format!("`{known}` must be a text in quotes"));
                    found.insert(known, (String::new(), self.span(value)));
                }
            }
        }
        self.finish_clause(found, whole);
    }

    fn finish_clause(&mut self, mut found: HashMap<&str, (String, Span)>, whole: Span) {
        let missing: Vec<&str> =
            CLAUSE_KEYS[..4].iter().map(|(key, _)| *key).filter(|k| !found.contains_key(k)).collect();
        let Some((id, span)) = found.remove("id") else {
            return self.say(whole, "a clause has no `id`");
        };
        if !missing.is_empty() {
            self.say(span, format!("clause {id} has no `{}`", missing.join("`, `")));
        }
        if !is_clause_id(&id) {
            self.say(span, format!("`{id}` is not a clause id; write book, dash, number, as in `WA-14` or `WA-H1`"));
        }
        let mut take = |key: &str| found.remove(key).unwrap_or((String::new(), span));
        let (status, status_span) = take("status");
        let (section, says, decided) = (take("section").0, take("says").0, take("decided"));
        let known = STATUSES.iter().find(|(word, _)| *word == status).map(|(_, s)| *s);
        if known.is_none() && !missing.contains(&"status") {
            let near = did_you_mean(&status, STATUSES.iter().map(|s| s.0));
            self.say(
                status_span,
                format!("`{status}` is not a status; use modelled, external, commentary or hole{near}"),
            );
        }
        let status = known.unwrap_or(ClauseStatus::Commentary);
        if status != ClauseStatus::Hole && !decided.0.is_empty() {
            self.say(decided.1, format!("{id} is not a hole, so there is nothing to decide"));
        }
        self.problems.extend(self.into.add(Clause { id, section, says, status, decided: decided.0, span }));
    }
}

impl Registers {
    /// Adds a clause, unless it exists.
    fn add(&mut self, clause: Clause) -> Option<Diagnostic> {
        if let Some(first) = self.places.get(&clause.id) {
            let message = format!("clause {} is declared twice", clause.id);
            let copied = (first.file != clause.span.file).then_some(Follows::Copied(clause.span.file, first.file));
            let finding = Diagnostic::new(Code::Register, clause.span, message)
                .and(*first, "first declared here")
                .help("give each clause an id of its own");
            return Some(Diagnostic { follows: copied, ..finding });
        }
        self.places.insert(clause.id.clone(), clause.span);
        self.clauses.push(clause);
        None
    }

    /// Adds the clauses of another register that this one does not have.
    pub fn add_missing(&mut self, other: &Registers) {
        for clause in &other.clauses {
            drop(self.add(clause.clone()));
        }
        self.any |= other.any;
    }

    /// Adds the paragraphs of a rules file.
    pub fn add_paragraphs(&mut self, file: &tree::File) -> Vec<Diagnostic> {
        let (mut section, mut problems) = (String::new(), Vec::new());
        for item in &file.items {
            let paragraph = match &item.kind {
                ItemKind::Section(title) => {
                    if title.text.trim().is_empty() {
                        let found = Diagnostic::new(Code::Register, title.span, "a section has no title");
                        problems.push(found.help("write the heading of the book, as in `section \"Morale\"`"));
                    }
                    section.clone_from(&title.text);
                    continue;
                }
                ItemKind::Clause(paragraph) => paragraph,
                _ => continue,
            };
            self.any = true;
            let (status, found) = standing(paragraph);
            problems.extend(found);
            problems.extend(self.add(Clause {
                id: paragraph.id.text.clone(),
                section: section.clone(),
                says: paragraph.says.text.clone(),
                status,
                decided: paragraph.decided.as_ref().map_or(String::new(), |why| why.text.trim().to_string()),
                span: paragraph.id.span,
            }));
        }
        problems
    }
}

const DECIDED: &str = "write the decision after a colon, as in `(decided: the owner chooses)`";

/// Returns the status of a paragraph. A hole is `(hole)`, which a reading settles, or `(decided: ..)`.
fn standing(paragraph: &tree::Paragraph) -> (ClauseStatus, Option<Diagnostic>) {
    let say = |span, message: String, help: &str| Some(Diagnostic::new(Code::Register, span, message).help(help));
    let Some(word) = &paragraph.status else {
        // brackets with one word are a misspelt status
        let first = paragraph.says.text.strip_prefix('(').and_then(|rest| rest.split([')', ':']).next());
        if first == Some("decided") {
            let message = format!("{} has no decision", paragraph.id.text);
            return (ClauseStatus::Hole, say(paragraph.says.span, message, DECIDED));
        }
        let near = first.filter(|word| !word.contains(' ')).map(|word| did_you_mean(word, MARKS.iter().map(|m| m.0)));
        let message = |near: &String| format!("`{}` is not a status{near}", first.unwrap_or_default());
        let help = "write `(commentary)`, `(external)`, `(hole)` or `(decided: WHY)`, or no brackets";
        let found = near.as_ref().filter(|near| !near.is_empty()).map(message);
        return (ClauseStatus::Modelled, found.and_then(|message| say(paragraph.says.span, message, help)));
    };
    let status = MARKS.iter().find(|mark| mark.0 == word.text).map_or(ClauseStatus::Modelled, |mark| mark.1);
    let decided = paragraph.decided.as_ref().filter(|why| !why.text.trim().is_empty());
    let found = match (word.text.as_str(), decided) {
        ("decided", None) => {
            let message = format!("{} has no decision", paragraph.id.text);
            say(word.span, message, DECIDED)
        }
        ("decided", Some(_)) | (_, None) => None,
        (_, Some(why)) => {
            let message = format!("only a hole is decided, and {} is marked `{}`", paragraph.id.text, word.text);
            say(why.span, message, "write `(decided: WHY)`, or leave out the reason")
        }
    };
    (status, found)
}

/// The words in brackets after the id of a paragraph.
const MARKS: &[(&str, ClauseStatus)] = &[
    ("modelled", ClauseStatus::Modelled),
    ("external", ClauseStatus::External),
    ("commentary", ClauseStatus::Commentary),
    ("hole", ClauseStatus::Hole),
    ("decided", ClauseStatus::Hole),
];

/// Returns whether `id` has the form book, dash, number, as in `WA-14` and `WA-H1`.
fn is_clause_id(id: &str) -> bool {
    let Some((book, number)) = id.split_once('-') else { return false };
    let digits = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
    book.starts_with(|c: char| c.is_ascii_uppercase())
        && book.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
}

/// Looks up every cite of the items, including those inside bodies. Returns the clauses that items other than examples
/// cite, with their citations. Reports items of the file `own` that cite nothing.
pub fn check_cites(
    items: &[Arc<Item>],
    registers: &Registers,
    own: FileId,
    problems: &mut Vec<Diagnostic>,
) -> OrdMap<String, Vec<Citation>> {
    let mut cited: OrdMap<String, Vec<Citation>> = OrdMap::new();
    let (mut unknown, mut known) = (Vec::new(), HashSet::new());
    for item in items {
        let mut any = false;
        visit_cites(item, &mut |cite, member| {
            any = true;
            if registers.any && !registers.places.contains_key(&cite.text) {
                let near = did_you_mean(&cite.text, registers.clauses.iter().map(|c| c.id.as_str()));
                let message = format!("there is no clause `{}` in the register{near}", cite.text);
                unknown.push(Diagnostic::new(Code::UnknownClause, cite.span, message));
            } else {
                known.insert(cite.span.file);
            }
            // an example demonstrates a rule; it does not implement a clause
            if matches!(item.kind, ItemKind::Example(_)) {
                return;
            }
            let found = match member {
                Some(member) => in_member(item, member, cite),
                None => in_item(item, cite),
            };
            cited.entry(cite.text.clone()).or_default().push(found);
        });
        if registers.any && !any && item.span.file == own {
            problems.extend(uncited(item));
        }
    }
    problems.extend(unknown.into_iter().map(|one| match one.span.map(|span| span.file) {
        Some(file) if !known.contains(&file) => one.following(Follows::Cites(file)),
        _ => one,
    }));
    cited
}

/// Calls `show` for every cite of an item, including those inside its body, with the member of a kind that contains it.
fn visit_cites<'a>(item: &'a Item, show: &mut dyn FnMut(&'a tree::ClauseRef, Option<&'a Member>)) {
    let members = members(&item.kind);
    let of_members = members.into_iter().flatten().flat_map(|m| m.cited.iter().map(move |cite| (cite, Some(m))));
    let own = item.cites.iter().map(|cite| (cite, None));
    let inside =
        item.cited.iter().filter(|cite| members.is_none() && item.cites.iter().all(|own| own.span != cite.span));
    of_members.chain(own).chain(inside.map(|cite| (cite, None))).for_each(|(cite, member)| show(cite, member));
}

fn in_item(item: &Item, cite: &tree::ClauseRef) -> Citation {
    let (name, span) = about(&item.kind).unwrap_or_else(|| (String::new(), item.span));
    let title = title(&item.kind).map_or(String::new(), |t| t.text.clone());
    let own = item.cites.iter().any(|c| c.span == cite.span);
    Citation { item: format!("{} {name}", word(&item.kind)), title, span: if own { span } else { cite.span } }
}

fn in_member(item: &Item, member: &Member, cite: &tree::ClauseRef) -> Citation {
    let (word, name, title) = match &member.kind {
        MemberKind::Stat(s) => ("stat", &s.name, s.title.as_ref()),
        MemberKind::State(s) => ("state", &s.name, s.title.as_ref()),
        MemberKind::Link { name, .. } => ("link", name, None),
        MemberKind::Let(l) => ("let", &l.name, l.title.as_ref()),
        MemberKind::Owner(_) => return in_item(item, cite),
    };
    let kind = match &item.kind {
        ItemKind::Kind(k) => &k.name.text,
        ItemKind::ExtendKind { name, .. } => &name.text,
        _ => return in_item(item, cite),
    };
    let own = member.cites.iter().any(|c| c.span == cite.span);
    Citation {
        item: format!("{word} {kind}.{}", name.text),
        title: title.map_or(String::new(), |t| t.text.clone()),
        span: if own { name.span } else { cite.span },
    }
}

/// Reports an item that implements rules without a cite. Stand-ins, data helpers and open items are exempt.
fn uncited(item: &Item) -> Option<Diagnostic> {
    let carries = match &item.kind {
        ItemKind::Param(_) | ItemKind::Reading(_) | ItemKind::Table(_) => true,
        ItemKind::Phase(_) | ItemKind::Action(_) | ItemKind::Rule(_) => true,
        ItemKind::Let(l) => !l.external,
        ItemKind::Proc(p) => !p.external,
        ItemKind::Test(t) => !t.external,
        ItemKind::Trait(t) => t.sort == tree::TraitSort::Condition,
        _ => false,
    };
    if !carries || is_open(&item.kind) || title(&item.kind).is_some_and(|t| t.text.starts_with("Stand-in")) {
        return None;
    }
    let head = Head::of(&item.kind)?;
    let message = format!("{} {} cites no clause; put house rules in a variant", head.word, head.full_name());
    Some(Diagnostic::new(Code::Uncited, head.name.span, message))
}
