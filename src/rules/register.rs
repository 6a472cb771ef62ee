//! The clause register: `clauses.toml` beside the rules, and the cites that name its clauses.

mod cites;

use super::merge::head::{Head, is_open};
use super::ruleset::{Clause, ClauseStatus};
use crate::base::{Code, Diagnostic, FileId, Span, did_you_mean};
use crate::syntax::tree::{self, Item, ItemKind};
use cites::visit_cites;
use std::collections::{BTreeSet, HashMap};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The registers of the folders a chain touches, as one.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    /// Every clause, in file order.
    pub clauses: Vec<Clause>,
    /// True if there is a register at all.
    pub any: bool,
    places: HashMap<String, Span>,
}

const KEYS: &[&str] = &["id", "section", "says", "status", "decided"];
const STATUSES: &[(&str, ClauseStatus)] = &[
    ("modelled", ClauseStatus::Modelled),
    ("external", ClauseStatus::External),
    ("commentary", ClauseStatus::Commentary),
    ("hole", ClauseStatus::Hole),
];

/// Reads one `clauses.toml`.
pub fn read(file: FileId, text: &str, into: &mut Registers) -> Vec<Diagnostic> {
    into.any = true;
    let mut reader = Reader { file, into, problems: Vec::new() };
    match DeTable::parse(text) {
        Ok(table) => reader.file(table.get_ref()),
        Err(fault) => {
            let span = fault.span().map_or(Span::new(file, 0, 0), |r| Span::new(file, r.start, r.end));
            reader.say(span, format!("the register is not valid TOML: {}", fault.message()));
        }
    }
    reader.problems
}

struct Reader<'a> {
    file: FileId,
    into: &'a mut Registers,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
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
                let message = format!("`{}` is no key of a register{near}", key.get_ref());
                self.say(self.span(key), message);
                continue;
            }
            match value.get_ref() {
                DeValue::Array(entries) => entries.iter().for_each(|entry| self.clause(entry)),
                _ => self.say(self.span(value), "a clause begins with `[[clause]]`"),
            }
        }
    }

    fn clause(&mut self, entry: &Spanned<DeValue>) {
        let whole = self.span(entry);
        let DeValue::Table(table) = entry.get_ref() else {
            return self.say(whole, "a clause begins with `[[clause]]`");
        };
        let mut found: HashMap<&str, (String, Span)> = HashMap::new();
        for (key, value) in table.iter() {
            let Some(known) = KEYS.iter().find(|k| *k == key.get_ref()) else {
                let near = did_you_mean(key.get_ref(), KEYS.iter().copied());
                self.say(self.span(key), format!("`{}` is no key of a clause{near}", key.get_ref()));
                continue;
            };
            match value.get_ref() {
                DeValue::String(text) => {
                    found.insert(known, (text.to_string(), self.span(value)));
                }
                _ => {
                    self.say(self.span(value), format!("`{known}` is a text in quotes"));
                    found.insert(known, (String::new(), self.span(value)));
                }
            }
        }
        self.finish_clause(found, whole);
    }

    fn finish_clause(&mut self, mut found: HashMap<&str, (String, Span)>, whole: Span) {
        let missing: Vec<&str> = KEYS[..4].iter().copied().filter(|k| !found.contains_key(k)).collect();
        let Some((id, span)) = found.remove("id") else {
            return self.say(whole, "a clause has no `id`");
        };
        if !missing.is_empty() {
            self.say(span, format!("clause {id} has no `{}`", missing.join("`, `")));
        }
        if !is_clause_id(&id) {
            self.say(span, format!("`{id}` is no clause id; write book, dash, number, as in `WA-14` or `WA-H1`"));
        }
        let mut take = |key: &str| found.remove(key).unwrap_or((String::new(), span));
        let (status, status_span) = take("status");
        let (section, says, decided) = (take("section").0, take("says").0, take("decided"));
        let known = STATUSES.iter().find(|(word, _)| *word == status).map(|(_, s)| *s);
        if known.is_none() && !missing.contains(&"status") {
            let near = did_you_mean(&status, STATUSES.iter().map(|s| s.0));
            self.say(
                status_span,
                format!("`{status}` is no status; it is modelled, external, commentary or hole{near}"),
            );
        }
        let status = known.unwrap_or(ClauseStatus::Commentary);
        if status != ClauseStatus::Hole && !decided.0.is_empty() {
            self.say(decided.1, format!("{id} is no hole, so nothing had to be decided"));
        }
        if let Some(first) = self.into.places.get(&id) {
            let finding = Diagnostic::new(Code::Register, span, format!("clause {id} stands in the register twice"));
            self.problems.push(finding.and(*first, "first here"));
            return;
        }
        self.into.places.insert(id.clone(), span);
        self.into.clauses.push(Clause { id, section, says, status, decided: decided.0, span });
    }
}

/// `WA-14`, `WA-H1`: book, dash, number.
fn is_clause_id(id: &str) -> bool {
    let Some((book, number)) = id.split_once('-') else { return false };
    let digits = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
    book.starts_with(|c: char| c.is_ascii_uppercase())
        && book.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
        && !digits.is_empty()
        && digits.chars().all(|c| c.is_ascii_digit())
}

/// Looks up every cite of the items, those inside bodies too; gives all that were cited. Items of the file `own` that
/// cite nothing are noted.
pub fn check_cites(
    items: &[Item],
    registers: &Registers,
    own: FileId,
    problems: &mut Vec<Diagnostic>,
) -> BTreeSet<String> {
    let mut cited = BTreeSet::new();
    for item in items {
        let mut any = false;
        visit_cites(item, &mut |cite| {
            any = true;
            if registers.any && !registers.places.contains_key(&cite.text) {
                let near = did_you_mean(&cite.text, registers.clauses.iter().map(|c| c.id.as_str()));
                let message = format!("no clause `{}` in the register{near}", cite.text);
                problems.push(Diagnostic::new(Code::UnknownClause, cite.span, message));
            }
            if !cited.contains(&cite.text) {
                cited.insert(cite.text.clone());
            }
        });
        if registers.any && !any && item.span.file == own {
            problems.extend(uncited(item));
        }
    }
    cited
}

/// Items that carry rules say which. Stand-ins, helpers of data and what is left open need not.
fn uncited(item: &Item) -> Option<Diagnostic> {
    let title = match &item.kind {
        ItemKind::Param(p) => p.title.as_ref(),
        ItemKind::Reading(r) => r.title.as_ref(),
        ItemKind::Let(l) if !l.external => l.title.as_ref(),
        ItemKind::Proc(p) if !p.external => p.title.as_ref(),
        ItemKind::Test(t) if !t.external => t.title.as_ref(),
        ItemKind::Table(t) => t.title.as_ref(),
        ItemKind::Phase(p) => p.title.as_ref(),
        ItemKind::Action(a) => a.title.as_ref(),
        ItemKind::Rule(r) => r.title.as_ref(),
        ItemKind::Trait(t) if t.sort == tree::TraitSort::Condition => t.title.as_ref(),
        _ => return None,
    };
    if is_open(&item.kind) || title.is_some_and(|t| t.text.starts_with("Stand-in")) {
        return None;
    }
    let head = Head::of(&item.kind)?;
    let message = format!("{} {} cites no clause; house rules go in a variant", head.word, head.full_name());
    Some(Diagnostic::new(Code::Uncited, head.name.span, message))
}
