//! Loads a ruleset from a path: reads the chain of files, then merges, declares, checks and audits it.

use super::checker::Checker;
use super::declare::{declare, lists_in_records};
use super::index::{Index, Noted};
use super::library::{Library, OUTSIDE};
use super::memo::{Parsed, Registered};
use super::merge::{Merged, merge};
use super::register::{self, Registers};
use super::ruleset::Ruleset;
use grognard_base::order;
use grognard_base::value::KindId;
use grognard_base::{Code, Diagnostic, FileId, OrdMap, Source, Sources, Span, did_you_mean};
use grognard_syntax::{self as syntax, Trees, tree};
use std::collections::HashSet;
use std::sync::Arc;

/// The result of loading a ruleset.
#[derive(Clone)]
pub struct Loaded {
    /// The ruleset, or `None` if there are errors.
    pub ruleset: Option<Ruleset>,
    /// All diagnostics (errors, warnings and infos), sorted by file and position.
    pub problems: Vec<Diagnostic>,
}

impl Loaded {
    /// Returns the ruleset.
    ///
    /// # Errors
    ///
    /// Returns the errors if there is no ruleset.
    pub fn sound(self) -> Result<Ruleset, Vec<Diagnostic>> {
        self.ruleset.ok_or_else(|| self.problems.into_iter().filter(Diagnostic::is_error).collect())
    }
}

/// Maximum length of a chain of files that extend each other.
pub const CHAIN_LIMIT: usize = 16;

/// Loads `path`, such as `warstrike/leadership` or `warstrike/leadership.rules`, and the files that it extends or
/// varies.
pub fn load(path: &str, library: &dyn Library, sources: &mut Sources) -> Loaded {
    load_with(path, library, sources, None)
}

/// Like [`load`], with an additional item at the end of the file.
pub fn load_with(path: &str, library: &dyn Library, sources: &mut Sources, more: Option<tree::Item>) -> Loaded {
    load_parsed(path, library, sources, more, &ParsedTexts::default())
}

/// Previously parsed texts, by file id. Loads of similar rulesets share one parse of each text.
#[derive(Clone, Default)]
pub struct ParsedTexts {
    files: OrdMap<FileId, Parsed>,
    trees: OrdMap<FileId, Arc<Trees>>,
    registers: OrdMap<FileId, Registered>,
}

impl ParsedTexts {
    /// Parses every rules file and every register among these texts.
    pub fn of(sources: &Sources) -> ParsedTexts {
        let mut known = ParsedTexts::default();
        sources.iter().for_each(|(id, source)| known.add(id, source));
        known
    }

    /// Parses a text if it is a rules file or a register.
    pub fn add(&mut self, id: FileId, source: &Source) {
        if source.name.ends_with(".rules") {
            // parses only the changed items of an edited text
            let before = self.trees.remove(&id).unwrap_or_default();
            let (file, found, trees) = syntax::parse_again(id, source, &before);
            self.files.insert(id, Arc::new((file, found)));
            self.trees.insert(id, Arc::new(trees));
        } else if source.name.rsplit('/').next() == Some("clauses.toml") {
            self.registers.insert(id, Arc::new(register::alone(id, &source.text)));
        }
    }

    /// Returns the parse trees of a rules file.
    pub fn trees(&self, id: FileId) -> Option<&Trees> {
        self.trees.get(&id).map(Arc::as_ref)
    }

    /// Returns the syntax tree of a rules file.
    pub fn file(&self, id: FileId) -> Option<&tree::File> {
        self.files.get(&id).map(|parsed| &parsed.0)
    }
}

/// Like [`load_with`], with previously parsed texts.
pub fn load_parsed(
    path: &str,
    library: &dyn Library,
    sources: &mut Sources,
    more: Option<tree::Item>,
    known: &ParsedTexts,
) -> Loaded {
    load_noting(path, library, sources, more, known, None)
}

/// Data for an editor in addition to the diagnostics.
#[derive(Default)]
pub struct EditorNames {
    /// Uses and declarations of names in the parts that can be checked.
    pub index: Index,
    /// The parts of the ruleset that can be checked, if it has errors.
    pub draft: Option<Ruleset>,
    /// Its merged items.
    pub items: Vec<Arc<tree::Item>>,
    /// Its files, base first.
    pub files: Vec<FileId>,
}

/// Like [`load_parsed`], with an index of all names.
pub fn load_indexed(
    path: &str,
    library: &dyn Library,
    sources: &mut Sources,
    known: &ParsedTexts,
) -> (Loaded, EditorNames) {
    let mut names = EditorNames::default();
    let loaded = load_noting(path, library, sources, None, known, Some(&mut names));
    (loaded, names)
}

fn load_noting(
    path: &str,
    library: &dyn Library,
    sources: &mut Sources,
    more: Option<tree::Item>,
    known: &ParsedTexts,
    mut names: Option<&mut EditorNames>,
) -> Loaded {
    let mut reader = FileReader::new(library, known, sources);
    let complete = reader.read_chain(path);
    let FileReader { mut problems, mut chain, mut read, .. } = reader;
    chain.iter_mut().rev().take(1).for_each(|top| top.file.items.extend(more.clone().map(Arc::new)));
    if let Some(names) = &mut names {
        names.files = chain.iter().map(|l| l.file.file).collect();
    }
    if !complete || chain.iter().any(|l| l.file.header.is_none()) {
        return finish(None, problems);
    }
    let (registers, found) = read_registers(&chain, library, sources, known, &mut read);
    if !problems.iter().any(Diagnostic::is_error) {
        problems.extend(found);
        let Some(memo) = library.memo().filter(|_| names.is_none() && more.is_none()) else {
            return check(chain, registers, sources, problems, names);
        };
        return memo.check(path, &read, sources, |sources| check(chain, registers, sources, problems, None));
    }
    // check the items that parse; skip errors that an unparsable item could resolve
    let faulty: Vec<Span> = chain.iter().flat_map(|l| l.file.faulty.iter().copied()).collect();
    let Loaded { problems: more, .. } = check(chain, registers, sources, found, names);
    let words = faulty_names(&faulty, sources);
    let settled = |found: &Diagnostic| found.span.is_some_and(|s| words.contains(sources.slice(s)));
    problems.extend(more.into_iter().filter(|p| p.is_error() && !(is_of_names(p.code) && settled(p))));
    finish(None, problems)
}

/// Returns the merged items of a ruleset without checking them.
pub fn merged(path: &str, library: &dyn Library, sources: &mut Sources) -> Vec<Arc<tree::Item>> {
    merged_parsed(path, library, sources, &ParsedTexts::default())
}

/// Like [`merged`], with previously parsed texts.
pub fn merged_parsed(
    path: &str,
    library: &dyn Library,
    sources: &mut Sources,
    known: &ParsedTexts,
) -> Vec<Arc<tree::Item>> {
    let mut reader = FileReader::new(library, known, sources);
    reader.read_chain(path);
    merge(reader.chain.into_iter().map(|l| l.file).collect(), sources).items
}

/// A version of a book that is parsed and merged but not checked.
pub struct Version {
    /// Its merged items.
    pub items: Vec<Arc<tree::Item>>,
    files: Vec<FileId>,
    registers: Registers,
    header: Ruleset,
}

/// Reads a version without reporting its errors. [`load`] reports them.
pub fn version(path: &str, library: &dyn Library, sources: &mut Sources) -> Version {
    let known = &ParsedTexts::default();
    let mut reader = FileReader::new(library, known, sources);
    reader.read_chain(path);
    let chain = reader.chain;
    let (registers, _) = read_registers(&chain, library, sources, known, &mut Vec::new());
    let mut header = Ruleset::default();
    header.register.clone_from(&registers.clauses);
    describe(&mut header, &chain);
    let files = chain.iter().map(|l| l.file.file).collect();
    let items = merge(chain.into_iter().map(|l| l.file).collect(), sources).items;
    Version { items, files, registers, header }
}

/// Checks a combination of items of two versions under the header of the newer one.
pub fn check_between(items: &[Arc<tree::Item>], old: &Version, new: &Version, sources: &Sources) -> Loaded {
    let only_old = old.files.iter().filter(|f| !new.files.contains(f));
    let files: Vec<FileId> = only_old.chain(&new.files).copied().collect();
    // the items of the older version cite its paragraphs
    let mut registers = new.registers.clone();
    registers.add_missing(&old.registers);
    let mut header = new.header.clone();
    header.register.clone_from(&registers.clauses);
    check_items(header, items, &files, &registers, sources, Vec::new(), None).0
}

/// One file of a chain.
pub struct ChainFile {
    /// Folder and file, without `.rules`.
    pub path: String,
    pub file: tree::File,
}

struct FileReader<'a> {
    files: &'a dyn Library,
    known: &'a ParsedTexts,
    sources: &'a mut Sources,
    problems: Vec<Diagnostic>,
    /// The top file first during reading; reversed at the end.
    chain: Vec<ChainFile>,
    /// The files that were read, with files of examples.
    read: Vec<FileId>,
}

impl<'a> FileReader<'a> {
    fn new(files: &'a dyn Library, known: &'a ParsedTexts, sources: &'a mut Sources) -> FileReader<'a> {
        FileReader { files, known, sources, problems: Vec::new(), chain: Vec::new(), read: Vec::new() }
    }

    /// Reads the file and everything below it. Returns `false` after an error.
    fn read_chain(&mut self, top: &str) -> bool {
        let top = top.strip_suffix(syntax::EXAMPLES).or(top.strip_suffix(".rules")).unwrap_or(top);
        let mut path = top.to_string();
        let mut asked: Option<Span> = None;
        loop {
            if let Some(why) = no_path(&path) {
                self.say(Code::Outside, asked, why);
                return false;
            }
            if let Some(first) = self.chain.iter().position(|l| l.path == path) {
                self.say_circle(first, &path, asked);
                return false;
            }
            if self.chain.len() == CHAIN_LIMIT {
                self.say(Code::TooLarge, asked, format!("a chain of more than {CHAIN_LIMIT} rulesets"));
                return false;
            }
            let Some(base) = self.read_file(&path, asked) else { return false };
            match base {
                Some(name) => {
                    path = name.text;
                    asked = Some(name.span);
                }
                None => break,
            }
        }
        self.chain.reverse();
        true
    }

    /// Reads and parses one file. Returns the name of the file that it extends.
    fn read_file(&mut self, path: &str, asked: Option<Span>) -> Option<Option<tree::Name>> {
        let name = format!("{path}.rules");
        let text = match self.files.read(&name) {
            Ok(Some(text)) => text,
            Ok(None) => {
                self.say_missing(path, asked);
                return None;
            }
            Err(why) => {
                let code = if why == OUTSIDE { Code::Outside } else { Code::Unreadable };
                let found = unreadable(format!("`{name}` cannot be read"), &why);
                self.say(code, asked, found.message);
                if let Some(said) = self.problems.last_mut().filter(|_| code == Code::Unreadable) {
                    said.help = found.help;
                }
                return None;
            }
        };
        let mut file = self.parsed(&name, text)?;
        let base = self.check_header(path, &file);
        self.read_examples(path, &mut file);
        self.chain.push(ChainFile { path: path.to_string(), file });
        Some(base)
    }

    fn parsed(&mut self, name: &str, text: String) -> Option<tree::File> {
        let id = add_source(self.sources, self.files, name, text);
        self.read.push(id);
        let source = self.sources.get(id)?;
        let (file, found) = match (self.known.files.get(&id), self.files.memo()) {
            (Some(parsed), _) => parsed.as_ref().clone(),
            (None, Some(memo)) => memo.parse(id, source).as_ref().clone(),
            (None, None) => syntax::parse(id, source),
        };
        self.problems.extend(found);
        Some(file)
    }

    /// Reads the file of examples of a rules file, if it exists.
    fn read_examples(&mut self, path: &str, of: &mut tree::File) {
        let name = format!("{path}{}", syntax::EXAMPLES);
        let text = match self.files.read(&name) {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(why) => return self.problems.push(unreadable(format!("`{name}` cannot be read"), &why)),
        };
        let Some(read) = self.parsed(&name, text) else { return };
        for item in &read.items {
            let fits = matches!(
                item.kind,
                tree::ItemKind::Example(_)
                    | tree::ItemKind::Section(_)
                    | tree::ItemKind::Remove { what: tree::RemoveWhat::Example, .. }
            );
            if !fits {
                let message = format!("a file of examples has only examples; this belongs in `{path}.rules`");
                self.problems.push(Diagnostic::new(Code::NotAnExample, item.span, message));
            }
        }
        of.items.extend(read.items);
        of.faulty.extend(read.faulty);
    }

    /// Compares the header with the path of the file. Returns the name of the file that it extends.
    fn check_header(&mut self, path: &str, file: &tree::File) -> Option<tree::Name> {
        let header = file.header.as_ref()?;
        if header.path.text != path {
            let message = format!("the header says `{}`, but the file is `{path}.rules`", header.path.text);
            self.say(Code::HeaderPath, Some(header.path.span), message);
        }
        header.base.clone()
    }

    fn say(&mut self, code: Code, span: Option<Span>, message: String) {
        self.problems.push(match span {
            Some(span) => Diagnostic::new(code, span, message),
            None => Diagnostic::general(code, message),
        });
    }

    fn say_missing(&mut self, path: &str, asked: Option<Span>) {
        let all = self.files.list();
        let own = all.iter().filter(|path| !path.ends_with(syntax::EXAMPLES));
        let names: Vec<&str> = own.filter_map(|p| p.strip_suffix(".rules")).collect();
        let near = did_you_mean(path, names.iter().copied());
        self.say(Code::NoBase, asked, format!("there is no ruleset `{path}`{near}"));
        if let (None, Some(problem)) = (asked, self.problems.last_mut()) {
            problem.help = "name folder and file without `.rules`, as in `game/edition`".into();
        }
    }

    fn say_circle(&mut self, first: usize, path: &str, asked: Option<Span>) {
        let mut names: Vec<&str> = self.chain[first..].iter().map(|l| l.path.as_str()).collect();
        names.push(path);
        let message = format!("these rulesets extend each other in a circle: {}", names.join(" -> "));
        self.say(Code::ExtendCycle, asked, message);
    }
}

/// Returns why a path does not name a file under the rules root, or `None` if it does. A valid path is relative. It
/// contains only letters, digits, `-`, `_` and `.`, and no part is empty or begins with a dot.
fn no_path(path: &str) -> Option<String> {
    let fine = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let odd = path.chars().find(|c| !fine(c) && *c != '\\').map(|c| match c {
        ' ' => "a blank".to_string(),
        c => format!("`{c}`"),
    });
    if let (Some(odd), Some((name, value))) = (&odd, path.split_once('=')) {
        let message = format!("`{path}` has {odd} in it: put a changed param or reading after a colon");
        return Some(format!("{message}, as in `:{name}={value}`"));
    }
    if let Some(odd) = odd {
        return Some(format!(
            "`{path}` has {odd} in it; names of folders and files can contain only letters a to z, digits, `-`, `_` \
             and `.`"
        ));
    }
    let inside = path.len() <= 255
        && path.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
    (!inside).then(|| format!("`{path}` does not name a folder and a file under the rules root"))
}

/// Returns the file id of a text. An identical text keeps its id, so its diagnostics compare equal.
fn add_source(sources: &mut Sources, files: &dyn Library, name: &str, text: String) -> FileId {
    let known = sources.iter().find(|(_, s)| s.name == name && s.text == text).map(|(id, _)| id);
    known.unwrap_or_else(|| sources.add(Source::new(name, text).shown_as(files.shown(name))))
}

/// Reads the clause register of each folder in the chain once, and adds them to `files`.
fn read_registers(
    chain: &[ChainFile],
    library: &dyn Library,
    sources: &mut Sources,
    known: &ParsedTexts,
    files: &mut Vec<FileId>,
) -> (Registers, Vec<Diagnostic>) {
    let mut registers = Registers::default();
    let mut problems = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for link in chain {
        let folder = link.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if seen.iter().any(|s| s == folder) {
            continue;
        }
        seen.push(folder.to_string());
        let name = if folder.is_empty() { "clauses.toml".to_string() } else { format!("{folder}/clauses.toml") };
        match library.read(&name) {
            Ok(Some(text)) => {
                let id = add_source(sources, library, &name, text);
                files.push(id);
                let text = sources.get(id).map_or("", |s| s.text.as_str());
                if registers.any {
                    problems.extend(register::read(id, text, &mut registers));
                    continue;
                }
                let read = match (known.registers.get(&id), library.memo()) {
                    (Some(read), _) => Arc::clone(read),
                    (None, Some(memo)) => memo.register(id, text),
                    (None, None) => Arc::new(register::alone(id, text)),
                };
                registers.clone_from(&read.0);
                problems.extend(read.1.iter().cloned());
            }
            Ok(None) => {}
            Err(why) => problems.push(unreadable(format!("`{name}` cannot be read"), &why)),
        }
    }
    problems.extend(chain.iter().flat_map(|link| registers.add_paragraphs(&link.file)));
    (registers, problems)
}

/// Returns whether a declaration elsewhere could resolve this diagnostic. Its span is the name.
fn is_of_names(code: Code) -> bool {
    use Code::*;
    matches!(code, UnknownName | UnknownType | UnknownField | NoOverride | NotCallable | NotACollection | OpenItem)
}

/// Returns all words of the items that cannot be parsed, because these items could declare them.
fn faulty_names<'s>(faulty: &[Span], sources: &'s Sources) -> HashSet<&'s str> {
    let texts = faulty.iter().map(|s| sources.slice(*s));
    texts.flat_map(|t| t.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')).collect()
}

/// Merges, declares, checks and audits a chain that was read.
fn check(
    chain: Vec<ChainFile>,
    registers: Registers,
    sources: &mut Sources,
    mut problems: Vec<Diagnostic>,
    names: Option<&mut EditorNames>,
) -> Loaded {
    let mut rs = Ruleset::default();
    rs.register.clone_from(&registers.clauses);
    describe(&mut rs, &chain);
    let files: Vec<FileId> = chain.iter().map(|l| l.file.file).collect();
    let Merged { items, problems: found, below, .. } = merge(chain.into_iter().map(|l| l.file).collect(), sources);
    problems.extend(found);
    let Some(names) = names else { return check_items(rs, &items, &files, &registers, sources, problems, None).0 };
    let noted = Some(Box::default());
    let (mut loaded, noted) = check_items(rs, &items, &files, &registers, sources, problems, noted);
    if let Some(rules) = &loaded.ruleset {
        names.index = Index::of(*noted.unwrap_or_default(), &below, rules, &items, sources);
    }
    let sound = !loaded.problems.iter().any(Diagnostic::is_error);
    names.draft = if sound { None } else { loaded.ruleset.take() };
    names.items = items;
    loaded
}

/// Declares, checks and audits merged items of these files, base first.
fn check_items(
    mut rs: Ruleset,
    items: &[Arc<tree::Item>],
    files: &[FileId],
    registers: &Registers,
    sources: &Sources,
    mut problems: Vec<Diagnostic>,
    noted: Option<Box<Noted>>,
) -> (Loaded, Option<Box<Noted>>) {
    let own = files.last().copied().unwrap_or_default();
    rs.cited = register::check_cites(items, registers, own, &mut problems).into();
    let nothing = |_: &str| -> Option<(KindId, i64)> { None };
    let mut checker = Checker::new(rs, &nothing);
    checker.problems = problems;
    let wanted = noted.is_some();
    checker.noted = noted;
    let checker = declare(checker, items, files, sources);
    let (rs, mut problems, noted) = (checker.rs, checker.problems, checker.noted);
    problems.extend(lists_in_records(&rs));
    if !problems.iter().any(Diagnostic::is_error) {
        // the audit of bands and the check of single comparisons can report the same line
        let said =
            |p: &Diagnostic| p.code == Code::Dead && problems.iter().any(|q| (q.code, q.span) == (p.code, p.span));
        let audited: Vec<_> = grognard_audit::audit(&rs, sources).into_iter().filter(|p| !said(p)).collect();
        problems.extend(audited);
    }
    let problems = sorted(problems);
    // an index of names also needs an erroneous ruleset
    let ruleset = Some(rs).filter(|_| wanted || !problems.iter().any(Diagnostic::is_error));
    (Loaded { ruleset, problems }, noted)
}

/// Fills in paths and versions from the headers.
fn describe(rs: &mut Ruleset, chain: &[ChainFile]) {
    for link in chain {
        let header = link.file.header.as_ref();
        let version = header.and_then(|h| h.version.as_ref()).map_or(String::new(), |v| v.text.clone());
        rs.path = link.path.clone();
        rs.version = version.clone();
        rs.variant = header.is_some_and(|h| h.variant);
        rs.chain.push((link.path.clone(), version));
    }
}

fn sorted(mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    order::sort_by_key(&mut problems, |p| (p.span, p.code));
    problems.dedup();
    // a constant comparison inside an erroneous span is a consequence of the error
    let wrong: Vec<Span> = problems.iter().filter(|p| p.is_error()).filter_map(|p| p.span).collect();
    let inside = |span: Span| wrong.iter().any(|w| w.file == span.file && w.start <= span.start && span.end <= w.end);
    problems.retain(|p| p.code != Code::Dead || !p.span.is_some_and(inside));
    problems
}

/// Sorts the diagnostics, removes duplicates, and drops a ruleset with errors.
fn finish(ruleset: Option<Ruleset>, problems: Vec<Diagnostic>) -> Loaded {
    let problems = sorted(problems);
    let sound = !problems.iter().any(Diagnostic::is_error);
    Loaded { ruleset: ruleset.filter(|_| sound), problems }
}

/// Creates the diagnostic for a file that cannot be read. The part of the reason after a `;` is the help line.
pub fn unreadable(what: String, why: &str) -> Diagnostic {
    let (why, help) = why.split_once("; ").map_or((why, None), |(why, help)| (why, Some(help)));
    let found = Diagnostic::general(Code::Unreadable, format!("{what}: {why}"));
    match help {
        Some(help) => found.help(help),
        None => found,
    }
}
