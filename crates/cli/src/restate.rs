//! `grognard restate`: updates examples that a change of the rules made wrong.

use super::check::counted;
use super::files::Root;
use super::fmt::difference;
use super::mode::{CostArgs, ModeArg};
use super::out::{Out, Stop, complain};
use super::outputs::replace;
use super::progress::{Progress, listen};
use super::{FINE, FOUND, UNUSABLE};
use grognard_base::order;
use grognard_base::{Code, Diagnostic, OrdMap, OrdSet, Source, Sources, Span};
use grognard_play::examples::{self, ExampleResult, ExampleVerdict};
use grognard_program::{Built, Detail};
use grognard_report as report;
use grognard_rules::{self as rules, Library, Overlay};
use grognard_syntax as syntax;
use std::path::PathBuf;

/// The arguments of `grognard restate`.
#[derive(clap::Args)]
#[command(after_long_help = "\
The command changes an example of the file in place. For an example of a book that the file extends, it adds an \
`override example` to the file. It deletes an example that cannot be updated with `remove example`. Review every \
change: the new value is what the rules do, and that can be wrong.

The exit code is 1 if a file would change, or if an example still fails.")]
pub struct RestateArgs {
    /// Rules files
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Write the files [default: show the changes]
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    cost: CostArgs,
}

/// Updates the examples and prints the changes.
pub fn run(args: &RestateArgs, out: &mut Out) -> Result<u8, Stop> {
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
        listen()?;
        let mut book = RestatedBook { root, file, text: old.clone(), cost: args.cost, sources: Sources::default() };
        let failing = match book.failing(|_| true)? {
            Ok(failing) => failing,
            Err(found) => {
                code = code.max(FOUND);
                out.errors(&found, &book.sources)?;
                continue;
            }
        };
        let mut counts = [0; 3];
        let mut rendered = Vec::new();
        for (found, done) in book.restate(failing)? {
            counts[done as usize] += 1;
            let why = found.problems.first().map_or("", |problem| problem.message.as_str());
            match done {
                RestateOutcome::Restated => {}
                RestateOutcome::Removed => rendered.push(format!("removed {why}")),
                RestateOutcome::Left => rendered.push(format!("FAILED  {why}")),
            }
        }
        // a file that was not formatted stays so
        if laid_out(&old) == old {
            book.text = laid_out(&book.text);
        }
        let stopped = Progress::pressed();
        if book.text != old && args.write && !stopped {
            replace(path, &book.text)?;
        } else if book.text != old {
            code = code.max(FOUND);
            out.text(&difference(&name, &old, &book.text))?;
        }
        let [again, gone, left] = counts;
        rendered.iter().try_for_each(|line| out.line(&report::clean(line)))?;
        let left_over = if left > 0 { format!(", {left} unchanged") } else { String::new() };
        out.line(&format!("{name}: {} updated, {gone} removed{left_over}", counted(again, "example")))?;
        if left > 0 {
            code = code.max(FOUND);
        }
        if stopped {
            complain(&format!("{name}: interrupted before every example was checked; the file is unchanged"));
            return Ok(UNUSABLE);
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

/// A rules file whose examples are updated.
struct RestatedBook {
    root: Root,
    file: String,
    text: String,
    cost: CostArgs,
    /// The texts that the last run of the examples read.
    sources: Sources,
}

impl RestatedBook {
    /// Runs the examples whose title is `wanted`, and returns those that fail, or the errors of the rules. Ctrl-C ends it.
    fn failing(&mut self, wanted: impl Fn(&str) -> bool) -> Result<Result<Vec<ExampleResult>, Vec<Diagnostic>>, Stop> {
        let mut sources = Sources::default();
        let texts = OrdMap::from([(self.file.clone(), self.text.clone())]);
        let loaded = rules::load(&self.file, &Overlay { under: &self.root, texts: &texts }, &mut sources).sound();
        self.sources = sources;
        let built = match loaded {
            Ok(set) => Built::new(set, Detail::Plain),
            Err(found) => return Ok(Err(found)),
        };
        let mut failing = Vec::new();
        for example in built.rules.examples.iter().filter(|example| wanted(&example.tree.title.text)) {
            let question = self.cost.question(ModeArg::Exact)?;
            let result = examples::run_example(&built, example, &self.sources, question.budget);
            if Progress::pressed() {
                break;
            }
            if result.verdict == ExampleVerdict::Fails {
                failing.push(result);
            }
        }
        Ok(Ok(failing))
    }

    /// Updates or removes examples that fail, and returns the outcome for each. All examples take each step together, so the
    /// rules are loaded a few times, not for each example.
    fn restate(&mut self, failing: Vec<ExampleResult>) -> Result<Vec<(ExampleResult, RestateOutcome)>, Stop> {
        let mut titles = OrdSet::new();
        let first = failing.iter().filter(|found| titles.insert(found.title.clone()));
        let mut all: Vec<Restated> = first.cloned().map(Restated::new).collect();
        let mut failing = failing;
        while !Progress::pressed() {
            // the next candidate of each example
            let mut tries: Vec<(usize, Candidate)> = Vec::new();
            for (n, restated) in all.iter_mut().enumerate().filter(|(_, restated)| restated.open) {
                let title = &restated.first.title;
                let Some(found) = failing.iter().find(|found| found.title == *title) else {
                    restated.open = false;
                    continue;
                };
                match self.candidates(found).into_iter().nth(restated.tried) {
                    Some(candidate) => tries.push((n, candidate)),
                    None => (restated.open, restated.done) = (false, RestateOutcome::Left),
                }
            }
            if tries.is_empty() {
                break;
            }
            let count = |failing: &[ExampleResult], title: &str| failing.iter().filter(|f| f.title == title).count();
            let better = self.better(&tries, &all, &|title| count(&failing, title))?;
            let mut kept: Vec<usize> = (0..tries.len()).filter(|at| better[*at]).collect();
            let open: OrdSet<String> = all.iter().filter(|r| r.open).map(|r| r.first.title.clone()).collect();
            let old = self.text.clone();
            failing = loop {
                self.text = with(&old, kept.iter().map(|at| &tries[*at].1));
                match self.failing(|title| open.contains(title))? {
                    Ok(failing) => break failing,
                    // candidates that work separately do not work together: the others are tried later
                    Err(_) if !kept.is_empty() => kept.truncate(kept.len() / 2),
                    Err(_) => break Vec::new(),
                }
            };
            for (at, (n, candidate)) in tries.iter().enumerate() {
                let restated = &mut all[*n];
                if kept.contains(&at) {
                    (restated.tried, restated.done) = (0, candidate.outcome);
                } else if kept.is_empty() || !better[at] {
                    restated.tried += 1;
                }
            }
        }
        Ok(all.into_iter().map(|restated| (restated.first, restated.done)).collect())
    }

    /// Returns for each candidate whether fewer examples of its title fail with it. If all of them together cause errors
    /// in the rules, each half is tried separately.
    fn better(
        &mut self,
        tries: &[(usize, Candidate)],
        all: &[Restated],
        before: &dyn Fn(&str) -> usize,
    ) -> Result<Vec<bool>, Stop> {
        let title = |n: usize| all[n].first.title.as_str();
        let wanted: OrdSet<&str> = tries.iter().map(|(n, _)| title(*n)).collect();
        let text = with(&self.text, tries.iter().map(|(_, candidate)| candidate));
        let old = std::mem::replace(&mut self.text, text);
        let found = self.failing(|title| wanted.contains(title));
        self.text = old;
        match found? {
            _ if Progress::pressed() => Ok(vec![false; tries.len()]),
            Ok(failing) => {
                let count = |title: &str| failing.iter().filter(|found| found.title == title).count();
                Ok(tries.iter().map(|(n, _)| count(title(*n)) < before(title(*n))).collect())
            }
            Err(_) if tries.len() == 1 => Ok(vec![false]),
            Err(_) => {
                let (a, b) = tries.split_at(tries.len() / 2);
                Ok([self.better(a, all, before)?, self.better(b, all, before)?].concat())
            }
        }
    }

    /// Returns the candidates that can replace an example that fails, the best first. An example that reached a limit is not known
    /// to be wrong.
    fn candidates(&self, found: &ExampleResult) -> Vec<Candidate> {
        if found.limit || found.problems.iter().any(|problem| problem.code == Code::Budget) {
            return Vec::new();
        }
        let own = self.sources.get(found.span.file).is_some_and(|source| source.name == self.file);
        let any = !found.fixes.is_empty();
        if own {
            let edits = found.fixes.clone();
            return any
                .then(|| Candidate { edits, item: String::new(), outcome: RestateOutcome::Restated })
                .into_iter()
                .collect();
        }
        let example = edited(self.sources.slice(found.span), found.span.start, &found.fixes);
        let example = example.strip_prefix("override ").unwrap_or(&example);
        let cites = if found.cites.is_empty() { String::new() } else { format!("cite {}\n", found.cites.join(", ")) };
        let again = any.then(|| (format!("{cites}override {example}"), RestateOutcome::Restated));
        let gone = (format!("remove example \"{}\"", found.title), RestateOutcome::Removed);
        let item = |(item, outcome): (String, RestateOutcome)| Candidate { edits: Vec::new(), item, outcome };
        again.into_iter().chain([gone]).map(item).collect()
    }
}

/// A replacement for an example that fails.
struct Candidate {
    /// Edits of the file itself.
    edits: Vec<(Span, String)>,
    /// An item to add at the end; can be empty.
    item: String,
    outcome: RestateOutcome,
}

/// The outcome for an example so far.
struct Restated {
    /// Its first failure.
    first: ExampleResult,
    /// Number of failed candidates since its last improvement.
    tried: usize,
    /// Whether it can still improve.
    open: bool,
    done: RestateOutcome,
}

impl Restated {
    fn new(first: ExampleResult) -> Restated {
        Restated { first, tried: 0, open: true, done: RestateOutcome::Left }
    }
}

/// Returns the text of a rules file with candidates in it.
fn with<'c>(text: &str, candidates: impl Iterator<Item = &'c Candidate>) -> String {
    let (mut edits, mut items) = (Vec::new(), String::new());
    for candidate in candidates {
        edits.extend(candidate.edits.iter().cloned());
        if !candidate.item.is_empty() {
            let item = laid_out(&format!("{HEADER}{}\n", candidate.item));
            items += item.strip_prefix(HEADER.trim_end()).unwrap_or(&item);
        }
    }
    let text = edited(text, 0, &edits);
    if items.is_empty() { text } else { format!("{}{items}", text.trim_end()) }
}

/// The header that makes a file of an item, for the formatter.
const HEADER: &str = "variant a/b of a/c version \"1\"\n\n";

/// Returns a text with edits. `from` is the byte of the file at which the text begins.
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

/// Returns a rules text as `fmt` formats it, or unchanged if it has errors.
fn laid_out(text: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("", text));
    let laid_out = sources.get(file).and_then(|source| syntax::format(file, source).ok());
    laid_out.unwrap_or_else(|| text.to_string())
}
