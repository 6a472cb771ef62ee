//! The writer of all output. A closed pipe ends the command quietly; other write errors are reported.

use super::Findings;
use super::pager::Pager;
use grognard_base::safe;
use grognard_base::{Diagnostic, Sources};
use grognard_report::{Format, render};
use grognard_scenario::Scenario;
use grognard_vm::Game;
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a command ends early.
#[derive(Debug)]
pub enum Stop {
    /// The reader of the output is gone.
    Quiet,
    /// A message; exit code 2.
    Failed(String),
    /// Findings, their texts, and the exit code.
    Found(Vec<Diagnostic>, Sources, u8),
}

impl Stop {
    /// Creates a [`Stop::Failed`] with a message.
    pub fn failed(message: impl Into<String>) -> Stop {
        Stop::Failed(message.into())
    }

    /// Returns this stop with the exit code that `code` returns for its findings.
    pub fn with_code(self, code: impl FnOnce(&[Diagnostic]) -> u8) -> Stop {
        match self {
            Stop::Found(found, sources, _) => {
                let code = code(&found);
                Stop::Found(found, sources, code)
            }
            stop => stop,
        }
    }

    /// Returns a function that stops with findings in these texts, and with this exit code.
    pub fn found(sources: &Sources, code: u8) -> impl Fn(Vec<Diagnostic>) -> Stop {
        move |found| Stop::Found(found, sources.clone(), code)
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Quiet => Ok(()),
            Stop::Failed(message) => f.write_str(message),
            Stop::Found(found, ..) => found.first().map_or(Ok(()), |first| f.write_str(&first.message)),
        }
    }
}

/// A text for a file or a program: formatted rules, a shell script. It is written byte for byte. It does not dereference to `str`,
/// so that the compiler refuses to print it as human-readable text.
#[derive(PartialEq, Eq)]
pub struct Product(String);

impl Product {
    /// Marks a text as a product.
    pub fn new(text: impl Into<String>) -> Product {
        Product(text.into())
    }

    /// Returns a unified diff from `old`.
    pub fn difference(&self, name: &str, old: &str) -> String {
        super::fmt::difference(name, old, &self.0)
    }

    /// Returns whether the product is this text.
    pub fn is(&self, text: &str) -> bool {
        self.0 == text
    }
}

impl AsRef<[u8]> for Product {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Where the output goes.
enum Sink {
    Stdout(Stdout),
    Pager(Pager),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Pager(pager) => pager.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Pager(pager) => pager.flush(),
        }
    }
}

/// Standard output, with its facts for a receipt.
pub struct Out {
    inner: BufWriter<Sink>,
    /// Whether long text may go through a pager.
    pages: bool,
    /// Whether the output has colors.
    colour: bool,
    /// Whether results are machine-readable.
    programs: bool,
    /// Whether a receipt of the output is kept.
    keeps: bool,
    bytes: u64,
    hash: Sha256,
    notes: Vec<toml::Table>,
}

fn stop(fault: io::Error) -> Stop {
    match fault.kind() {
        ErrorKind::BrokenPipe => Stop::Quiet,
        _ => Stop::Failed(format!("the output cannot be written: {fault}")),
    }
}

impl Out {
    /// Creates a buffered standard output, with or without colors and a pager.
    pub fn new(colour: bool, pages: bool) -> Out {
        let inner = BufWriter::with_capacity(1 << 16, Sink::Stdout(io::stdout()));
        Out { inner, pages, colour, programs: false, keeps: false, bytes: 0, hash: Sha256::new(), notes: Vec::new() }
    }

    /// Sends what follows through the reader's pager, if the output is a terminal.
    pub fn paged(&mut self) -> Result<(), Stop> {
        if self.pages && matches!(self.inner.get_ref(), Sink::Stdout(_)) {
            self.inner.flush().map_err(stop)?;
            if let Some(pager) = Pager::start() {
                *self.inner.get_mut() = Sink::Pager(pager);
            }
        }
        Ok(())
    }

    /// Returns whether the output has colors.
    pub fn colour(&self) -> bool {
        self.colour
    }

    /// Sets the format of results. With a machine-readable format, problems are written to standard error.
    pub fn is_for<F: PartialEq>(&mut self, form: F, people: F) {
        self.programs = form != people;
    }

    /// Returns the human-readable format of findings.
    pub fn human(&self) -> Format {
        Findings::Human.format(self.colour)
    }

    /// Writes problems: with the results, or to standard error if the results are machine-readable.
    pub fn errors(&mut self, found: &[Diagnostic], sources: &Sources) -> Result<(), Stop> {
        if self.programs {
            complain_of(found, sources);
            return Ok(());
        }
        self.text(&render(found, sources, self.human()))
    }

    /// Writes a message: with the results, or to standard error if the results are machine-readable.
    pub fn say(&mut self, text: &str) -> Result<(), Stop> {
        if self.programs {
            complain(text);
            return Ok(());
        }
        self.line(&grognard_report::clean(text))
    }

    /// Starts to keep a receipt.
    pub fn keep(&mut self) {
        self.keeps = true;
    }

    /// Fails if a receipt is requested for a command that cannot be repeated.
    pub fn once_only(&self, what: &str) -> Result<(), Stop> {
        if self.keeps { Err(Stop::failed(format!("{what}, so no receipt can be written"))) } else { Ok(()) }
    }

    /// Notes the settings of a result for the receipt.
    pub fn note<'s>(&mut self, settings: impl IntoIterator<Item = (&'s str, toml::Value)>) {
        self.notes.push(settings.into_iter().map(|(name, value)| (name.to_string(), value)).collect());
    }

    pub fn notes(&self) -> &[toml::Table] {
        &self.notes
    }

    /// Returns the number of bytes that were printed since a receipt is kept.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the hash of those bytes.
    pub fn hash(&self) -> String {
        super::files::hex(self.hash.clone().finalize().as_slice())
    }

    /// Writes human-readable text. Escapes characters that could move the cursor or reverse the text.
    pub fn text(&mut self, text: &str) -> Result<(), Stop> {
        let text = safe::clean_output(text, self.colour);
        self.bytes_of(text.as_bytes())
    }

    /// Writes a product byte for byte. On a terminal it is escaped as human-readable text is.
    pub fn product(&mut self, product: &Product) -> Result<(), Stop> {
        if io::stdout().is_terminal() { self.text(&product.0) } else { self.bytes_of(product.as_ref()) }
    }

    fn bytes_of(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        if self.keeps {
            self.bytes += bytes.len() as u64;
            self.hash.update(bytes);
        }
        self.inner.write_all(bytes).map_err(stop)
    }

    /// Writes a text and ends the line.
    pub fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.text(text)?;
        self.text("\n")
    }

    /// Writes JSON and ends the line.
    pub fn json(&mut self, value: &serde_json::Value) -> Result<(), Stop> {
        self.line(&safe::json(&value.to_string()))
    }

    /// Writes what is left, and waits until the reader has closed the pager.
    pub fn finish(&mut self) -> Result<(), Stop> {
        let ended = self.inner.flush().map_err(stop);
        *self.inner.get_mut() = Sink::Stdout(io::stdout());
        ended
    }
}

/// Writes an error message to standard error, if that is open.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {}", safe::clean(message));
}

/// Writes findings to standard error, a line each. Each names its severity itself.
pub fn complain_of(found: &[Diagnostic], sources: &Sources) {
    for line in render(found, sources, Format::Short).lines() {
        let _ = writeln!(io::stderr().lock(), "{}", safe::clean(line));
    }
}

/// The verbosity of messages on standard error: 0 none, 1 default, 2 more.
static SAYS: AtomicU8 = AtomicU8::new(1);

pub fn say_as_much(quiet: bool, verbose: bool) {
    SAYS.store(if quiet { 0 } else { 1 + u8::from(verbose) }, Ordering::Relaxed);
}

/// Returns whether `--quiet` is set.
pub fn quiet() -> bool {
    SAYS.load(Ordering::Relaxed) == 0
}

/// Returns whether `--verbose` is set.
pub fn verbose() -> bool {
    SAYS.load(Ordering::Relaxed) > 1
}

/// Writes a note to standard error. It does not affect the exit code.
pub fn remark(message: &str) {
    if quiet() {
        return;
    }
    let _ = writeln!(io::stderr().lock(), "note: {}", grognard_report::clean(message));
}

/// Returns a scenario and its rules with their versions, for a receipt.
pub fn rendered(path: &Path, scenario: &Scenario) -> [(&'static str, toml::Value); 3] {
    let [rules, set] = game_facts(&scenario.game);
    [("scenario", path.display().to_string().replace('\\', "/").into()), rules, set]
}

/// Returns the rules of a table with their versions, and the params and readings that differ from their defaults.
pub fn game_facts(game: &Game) -> [(&'static str, toml::Value); 2] {
    let rules = &game.program.schema;
    let chain = rules.chain.iter().map(|(path, version)| format!("{path} {version}").trim_end().into());
    let settings = rules.settings.iter().enumerate().filter_map(|(n, setting)| {
        let (at, width) = game.layout.settings[n];
        let cells = &game.start.cells[at..at + width];
        (cells != setting.value).then(|| (setting.name.clone(), game.tell(&game.start, &setting.ty, cells).into()))
    });
    [("rules", toml::Value::Array(chain.collect())), ("set", toml::Value::Table(settings.collect()))]
}

/// Returns a whole number for a receipt.
pub fn count(n: u64) -> toml::Value {
    i64::try_from(n).map_or_else(|_| n.to_string().into(), toml::Value::from)
}

/// Writes a text with its own layout to standard error.
pub fn aside(text: &str) {
    let _ = write!(io::stderr().lock(), "{}", safe::clean_output(text, true));
}

/// Suggests a next step, only if the output is a terminal.
pub fn next(step: &str) {
    if io::stderr().is_terminal() && io::stdout().is_terminal() && !quiet() {
        let _ = writeln!(io::stderr().lock(), "next: {}", grognard_report::clean(step));
    }
}
