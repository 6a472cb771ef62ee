//! `grognard restate`: writes examples anew that a change of the rules made wrong.

use super::check::counted;
use super::files::Root;
use super::fmt::difference;
use super::mode::{Cost, Mode};
use super::out::{Out, Stop, complain};
use super::outputs::replace;
use super::{FINE, FOUND, UNUSABLE};
use grognard_base::order;
use grognard_base::{Code, Diagnostic, OrdSet, Source, Sources, Span};
use grognard_play::examples::{self, ExampleResult, ExampleVerdict};
use grognard_program::{Built, Detail};
use grognard_report as report;
use grognard_rules::{self as rules, Library};
use grognard_syntax as syntax;
use std::path::PathBuf;

/// What to write anew.
#[derive(clap::Args)]
#[command(after_long_help = "\
  grognard restate house/tougher.rules            shows what would be written
  grognard restate house/tougher.rules --write

An example of a book below is written anew in the file that is named, as `override example`; one of the file itself is
changed where it stands. What cannot be said anew is taken away with `remove example`. Read every one: that a claim holds
does not mean that it is what you want. The exit code is 1 if anything is to be written, or fails still.")]
pub struct Args {
    /// Rules files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Writes the files; without it the changes are shown.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    cost: Cost,
}

/// Writes anew and tells.
pub fn run(args: &Args, out: &mut Out) -> Result<u8, Stop> {
    let mut code = FINE;
    for path in &args.paths {
        let name = report::clean(&path.display().to_string());
        let (root, file) = Root::of_rules(path)?;
        let old = match root.read(&file) {
            Ok(text) => text.unwrap_or_default(),
            Err(why) => {
                complain(&format!("{name} cannot be read: {why}"));
                code = UNUSABLE;
                continue;
            }
        };
        let mut book = Book { root, file, text: old.clone(), cost: args.cost, sources: Sources::default() };
        let failing = match book.failing(|_| true)? {
            Ok(failing) => failing,
            Err(found) => {
                code = code.max(FOUND);
                out.errors(&found, &book.sources)?;
                continue;
            }
        };
        let mut counts = [0; 3];
        let mut told = Vec::new();
        let mut titles = OrdSet::new();
        for found in failing.iter().filter(|found| titles.insert(&found.title)) {
            let done = book.restate(found)?;
            counts[done as usize] += 1;
            let why = found.problems.first().map_or("", |problem| problem.message.as_str());
            match done {
                RestateOutcome::Restated => {}
                RestateOutcome::Removed => told.push(format!("removed {why}")),
                RestateOutcome::Left => told.push(format!("FAILED  {why}")),
            }
        }
        // what is not laid out stays as its author wrote it
        if laid_out(&old) == old {
            book.text = laid_out(&book.text);
        }
        if book.text != old && args.write {
            replace(path, &book.text)?;
        } else if book.text != old {
            code = code.max(FOUND);
            out.text(&difference(&name, &old, &book.text))?;
        }
        let [again, gone, left] = counts;
        told.iter().try_for_each(|line| out.line(&report::clean(line)))?;
        let left_over = if left > 0 { format!(", {left} left as they are") } else { String::new() };
        out.line(&format!("{name}: {} restated, {gone} removed{left_over}", counted(again, "example")))?;
        if left > 0 {
            code = code.max(FOUND);
        }
    }
    Ok(code)
}

/// The outcome for an example that fails.
#[derive(Clone, Copy)]
enum RestateOutcome {
    Restated,
    Removed,
    Left,
}

/// A rules file whose examples are written anew.
struct Book {
    root: Root,
    file: String,
    text: String,
    cost: Cost,
    /// What the last look at the examples read.
    sources: Sources,
}

/// The project, with another text in place of one file.
struct With<'b>(&'b Book);

impl Library for With<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        if path == self.0.file { Ok(Some(self.0.text.clone())) } else { self.0.root.read(path) }
    }

    fn list(&self) -> Vec<String> {
        self.0.root.list()
    }

    fn shown(&self, path: &str) -> String {
        self.0.root.shown(path)
    }
}

impl Book {
    /// Runs those examples whose title is wanted, and gives those that fail; or the errors of the rules.
    fn failing(&mut self, wanted: impl Fn(&str) -> bool) -> Result<Result<Vec<ExampleResult>, Vec<Diagnostic>>, Stop> {
        let mut sources = Sources::default();
        let loaded = rules::load(&self.file, &With(self), &mut sources).sound();
        self.sources = sources;
        let built = match loaded {
            Ok(set) => Built::new(set, Detail::Plain),
            Err(found) => return Ok(Err(found)),
        };
        let mut failing = Vec::new();
        for example in built.rules.examples.iter().filter(|example| wanted(&example.tree.title.text)) {
            let question = self.cost.question(Mode::Exact)?;
            let result = examples::run_example(&built, example, &self.sources, question.budget);
            if result.verdict == ExampleVerdict::Fails {
                failing.push(result);
            }
        }
        Ok(Ok(failing))
    }

    /// Writes an example anew, or takes it away. What was not worked out to its end is not known to be wrong.
    fn restate(&mut self, found: &ExampleResult) -> Result<RestateOutcome, Stop> {
        if found.limit || found.problems.iter().any(|problem| problem.code == Code::Budget) {
            return Ok(RestateOutcome::Left);
        }
        let title = found.title.as_str();
        let mut done = RestateOutcome::Left;
        while let Ok(failing) = self.failing(|other| other == title)? {
            let Some(found) = failing.first() else { break };
            let old = self.text.clone();
            let mut better = None;
            for (text, how) in self.candidates(found) {
                self.text = text;
                if self.failing(|other| other == title)?.is_ok_and(|left| left.len() < failing.len()) {
                    better = Some(how);
                    break;
                }
            }
            match better {
                Some(how) => done = how,
                None => {
                    self.text = old;
                    return Ok(RestateOutcome::Left);
                }
            }
        }
        Ok(done)
    }

    /// What may be written in place of an example that fails, the best first.
    fn candidates(&self, found: &ExampleResult) -> Vec<(String, RestateOutcome)> {
        let own = self.sources.get(found.span.file).is_some_and(|source| source.name == self.file);
        let any = !found.fixes.is_empty();
        if own {
            return any.then(|| (edited(&self.text, 0, &found.fixes), RestateOutcome::Restated)).into_iter().collect();
        }
        let example = edited(self.sources.slice(found.span), found.span.start, &found.fixes);
        let example = example.strip_prefix("override ").unwrap_or(&example);
        let cites = if found.cites.is_empty() { String::new() } else { format!("cite {}\n", found.cites.join(", ")) };
        let again = any.then(|| (format!("{cites}override {example}"), RestateOutcome::Restated));
        let gone = (format!("remove example \"{}\"", found.title), RestateOutcome::Removed);
        let behind = |(text, done): (String, RestateOutcome)| {
            let text = laid_out(&format!("{HEADER}{text}\n"));
            (format!("{}{}", self.text.trim_end(), text.strip_prefix(HEADER.trim_end()).unwrap_or(&text)), done)
        };
        again.into_iter().chain([gone]).map(behind).collect()
    }
}

/// Makes a file of an item, to lay it out.
const HEADER: &str = "variant a/b of a/c version \"1\"\n\n";

/// A text that begins at a byte of its file, with edits in it.
fn edited(text: &str, from: u32, edits: &[(Span, String)]) -> String {
    let mut edits: Vec<&(Span, String)> = edits.iter().collect();
    order::sort_by_key(&mut edits, |(span, _)| std::cmp::Reverse(*span));
    let mut text = text.to_string();
    for (span, new) in edits {
        let at = span.start.saturating_sub(from) as usize..span.end.saturating_sub(from) as usize;
        if text.get(at.clone()).is_some() {
            text.replace_range(at, new);
        }
    }
    text
}

/// A rules text as `fmt` lays it out; as it is where it has errors.
fn laid_out(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("", text));
    let laid_out = sources.get(file).and_then(|source| syntax::format(file, source).ok());
    laid_out.unwrap_or_else(|| text.to_string())
}
