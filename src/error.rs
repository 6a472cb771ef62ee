//! Errors and diagnostics with their places.

use crate::trace::Trace;
use grognard_base as base;
use grognard_base::{Limit, Sources, Span, most_severe};
use grognard_play::odds::NotExact;
use miette::{LabeledSpan, SourceCode};
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Severity {
    /// A remark that needs no action.
    Info,
    /// The rules run, but probably not as intended.
    Warning,
    /// The rules cannot run.
    Error,
}

/// A place in a text: file, line and column.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The name of the file, such as `game/core.rules`.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The range of bytes in the text of the file.
    pub bytes: Range<usize>,
}

/// A finding about rules, a scenario or a run: a code, a message, a place and a help line.
///
/// [`Display`](fmt::Display) prints one line. As a [`miette::Diagnostic`] it has its source text, so that `miette` can
/// show the place. With `serde`, it has the fields `code`, `severity`, `message`, `help`, `place` and `labels` (each a
/// `place` and its `text`).
#[derive(Clone, Serialize)]
pub struct Diagnostic {
    #[serde(serialize_with = "code_id")]
    code: Option<base::Code>,
    severity: Severity,
    message: String,
    help: String,
    place: Option<Place>,
    #[serde(serialize_with = "crate::json::labels")]
    labels: Vec<(Place, String)>,
    /// The text of the file of `place`.
    #[serde(skip)]
    source: Option<Arc<String>>,
}

fn code_id<S: Serializer>(code: &Option<base::Code>, to: S) -> Result<S::Ok, S::Error> {
    code.map(base::Code::id).serialize(to)
}

impl Diagnostic {
    /// Returns the code, such as `R0502`, or `None` for an error in the use of this library.
    pub fn code(&self) -> Option<&'static str> {
        self.code.map(base::Code::id)
    }

    /// Returns how serious the diagnostic is.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the message, which is one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns what to do about it. The text can be empty.
    pub fn help(&self) -> &str {
        &self.help
    }

    /// Returns the place, or `None` if the diagnostic is about a whole file or an argument.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Returns other relevant places with their texts, such as the first of two declarations.
    pub fn labels(&self) -> impl Iterator<Item = (&Place, &str)> {
        self.labels.iter().map(|(place, text)| (place, text.as_str()))
    }

    pub(crate) fn of(found: &base::Diagnostic, sources: &Sources) -> Diagnostic {
        let found = found.placed(sources);
        let place = |span: Span| {
            let source = sources.get(span.file)?;
            let (start, end) = source.within(span);
            let base::Place { line, column } = source.place(start as u32);
            Some(Place { file: source.shown.clone(), line, column, bytes: start..end })
        };
        let source = found.span.and_then(|span| sources.get(span.file));
        let own = found.span.and_then(place).filter(|_| !found.label.is_empty());
        let own = own.map(|place| (place, found.label.clone()));
        let others = found.others.iter().filter_map(|other| Some((place(other.span)?, other.text.clone())));
        Diagnostic {
            code: Some(found.code),
            severity: match found.severity {
                base::Severity::Info => Severity::Info,
                base::Severity::Warning => Severity::Warning,
                base::Severity::Error => Severity::Error,
            },
            message: found.message.clone(),
            help: help(&found),
            place: found.span.and_then(place),
            labels: own.into_iter().chain(others).collect(),
            source: source.map(|source| Arc::new(source.text.to_string())),
        }
    }

    pub(crate) fn all(found: &[base::Diagnostic], sources: &Sources) -> Vec<Diagnostic> {
        let (shown, rest) = most_severe(found);
        shown.into_iter().chain(rest).map(|one| Diagnostic::of(one, sources)).collect()
    }

    pub(crate) fn note(message: String) -> Diagnostic {
        Diagnostic { severity: Severity::Info, ..Diagnostic::general(message, "") }
    }

    fn general(message: String, help: &str) -> Diagnostic {
        let (labels, place, source) = (Vec::new(), None, None);
        let message = base::safe::short_quotes(message);
        Diagnostic { code: None, severity: Severity::Error, message, help: help.into(), place, labels, source }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { file, line, column, .. }) = &self.place {
            write!(f, "{}:{line}:{column}: ", base::safe::clean(file))?;
        }
        f.write_str(match self.severity {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })?;
        if let Some(code) = self.code() {
            write!(f, "[{code}]")?;
        }
        write!(f, ": {}", base::safe::clean(&self.message))
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Diagnostic {}

/// [`Display`](fmt::Display) has the code and the place already, so a report of `miette` gets neither a second time.
impl miette::Diagnostic for Diagnostic {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Info => miette::Severity::Advice,
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        if self.help.is_empty() { None } else { Some(Box::new(&self.help)) }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let own = self.place.as_ref()?;
        let here = self.labels.iter().filter(|(place, _)| place.file == own.file);
        let mut marks: Vec<LabeledSpan> = here
            .map(|(place, text)| LabeledSpan::new(Some(text.clone()), place.bytes.start, place.bytes.len()))
            .collect();
        if self.labels.iter().all(|(place, _)| place != own) {
            marks.insert(0, LabeledSpan::new(None, own.bytes.start, own.bytes.len()));
        }
        Some(Box::new(marks.into_iter()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_deref().map(|source| source as &dyn SourceCode)
    }
}

/// Returns what to do about a finding. Where the help of a code names commands and options, a program has functions.
fn help(found: &base::Diagnostic) -> String {
    let own = match found.code {
        base::Code::NeedsOdds => "ask for the `odds`, or give the player another source by `with_player`",
        base::Code::Budget => "raise the `effort`, ask for less, or take a `sample`",
        base::Code::NoObjective => "name an `objective` in the scenario or by `with_objective`, or measure with `of`",
        base::Code::Script => {
            "fix the answer or the dice that the scenario, the call, the `Decider` or the `Dice` gives"
        }
        _ => return found.help.clone(),
    };
    if found.help == found.code.help() { own.to_string() } else { found.help.clone() }
}

/// The subject of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The rules have errors, or do not exist.
    Rules,
    /// The scenario, or the table that was built, has errors.
    Scenario,
    /// An argument of a call of this library is wrong.
    Input,
    /// A run ended in an error of the rules.
    Run,
    /// The exact answer is too large for the effort.
    Limit,
    /// The caller stopped the work.
    Stopped,
}

/// The error of every function of this library: one or more [`Diagnostic`]s.
///
/// `{}` prints the first one on one line, and how many follow. `{:#}` and `{:?}` print all of them, with what to do about
/// each. As a [`miette::Diagnostic`] it has the source texts.
///
/// ```
/// use grognard::{ErrorKind, Rules};
///
/// let error = Rules::from_text("ruleset first/march\n\nproc march(s: Squad) { }\n").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Rules);
/// let first = &error.diagnostics()[0];
/// assert_eq!(first.code(), Some("R0202"));
/// assert_eq!(first.place().unwrap().line, 3);
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    diagnostics: Vec<Diagnostic>,
    trace: Option<Trace>,
    /// The findings as the engine found them, with their texts.
    #[cfg(feature = "report")]
    found: Option<Arc<(Vec<base::Diagnostic>, Sources)>>,
}

impl Error {
    /// Returns the error as `grognard check` prints it, with the lines of the rules, at most `width` columns wide.
    ///
    /// The lines of the rules need the feature `cli` of the crate `grognard-report`; without it, each finding is one line.
    #[cfg(feature = "report")]
    pub fn render(&self, width: usize) -> String {
        let form = grognard_report::Format::Human { colour: false, width };
        let found = self.0.found.as_ref();
        found.map_or_else(|| self.to_string(), |found| grognard_report::render(&found.0, &found.1, form))
    }

    /// Creates the error that a [`Dice`](crate::Dice) or a [`Decider`](crate::Decider) returns to stop a run.
    pub fn stopped(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Stopped, vec![Diagnostic::general(message.into(), "")])
    }

    /// Returns what the error is about.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the findings, errors first. There is at least one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// Returns the trace of the run that ended in this error, if the run was traced.
    pub fn trace(&self) -> Option<&Trace> {
        self.0.trace.as_ref()
    }

    fn new(kind: ErrorKind, diagnostics: Vec<Diagnostic>) -> Error {
        Error(Box::new(Inner {
            kind,
            diagnostics,
            trace: None,
            #[cfg(feature = "report")]
            found: None,
        }))
    }

    pub(crate) fn input(message: impl Into<String>, help: &str) -> Error {
        Error::new(ErrorKind::Input, vec![Diagnostic::general(message.into(), help)])
    }

    /// Creates the error of an exact answer that was demanded and is not known.
    pub(crate) fn not_exact(why: &NotExact) -> Error {
        let (kind, help) = match why.ended_by {
            Some(Limit::Stopped) => (ErrorKind::Stopped, "let it run longer"),
            Some(Limit::Ways) => (ErrorKind::Limit, "allow runs: no effort is enough"),
            Some(_) => (ErrorKind::Limit, "raise the effort, or allow runs"),
            None if why.faulty => {
                (ErrorKind::Run, "fix the rules, or allow runs: those that end in an error do not count")
            }
            None => (ErrorKind::Input, "allow runs, or change the scenario"),
        };
        Error::new(kind, vec![Diagnostic::general(why.to_string(), help)])
    }

    pub(crate) fn found(kind: ErrorKind, found: &[base::Diagnostic], sources: &Sources) -> Error {
        #[cfg_attr(not(feature = "report"), expect(unused_mut))]
        let mut error = Error::new(kind, Diagnostic::all(found, sources));
        #[cfg(feature = "report")]
        {
            error.0.found = Some(Arc::new((found.to_vec(), sources.clone())));
        }
        error
    }

    pub(crate) fn with_trace(mut self, trace: Option<Trace>) -> Error {
        self.0.trace = trace;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            let [first, rest @ ..] = self.0.diagnostics.as_slice() else { return Ok(()) };
            return match rest.len() {
                0 => write!(f, "{first}"),
                more => write!(f, "{first} (and {more} more)"),
            };
        }
        for (n, one) in self.0.diagnostics.iter().enumerate() {
            let line = if n > 0 { "\n" } else { "" };
            write!(f, "{line}{one}")?;
            if !one.help.is_empty() {
                write!(f, "\n  help: {}", base::safe::clean(&one.help))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self:#}", self.0.kind)
    }
}

impl std::error::Error for Error {}

impl miette::Diagnostic for Error {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        miette::Diagnostic::help(self.0.diagnostics.first()?)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        miette::Diagnostic::labels(self.0.diagnostics.first()?)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        miette::Diagnostic::source_code(self.0.diagnostics.first()?)
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        Some(Box::new(self.0.diagnostics.iter().skip(1).map(|one| one as &dyn miette::Diagnostic)))
    }
}
