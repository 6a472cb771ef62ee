//! The one writer: a closed pipe ends the work quietly, anything else that keeps output from being written is said.

use std::io::{self, BufWriter, ErrorKind, Stdout, Write};

/// Why a command ends early.
#[derive(Debug)]
pub enum Stop {
    /// Nobody reads any more.
    Quiet,
    /// The message for people; exit code 2.
    Failed(String),
}

impl Stop {
    /// Stops with a message.
    pub fn failed(message: impl Into<String>) -> Stop {
        Stop::Failed(message.into())
    }
}

/// Standard output.
pub struct Out {
    inner: BufWriter<Stdout>,
}

fn stop(fault: io::Error) -> Stop {
    match fault.kind() {
        ErrorKind::BrokenPipe => Stop::Quiet,
        _ => Stop::Failed(format!("the output cannot be written: {fault}")),
    }
}

impl Out {
    /// Standard output, written in large pieces.
    pub fn new() -> Out {
        Out { inner: BufWriter::with_capacity(1 << 16, io::stdout()) }
    }

    /// Writes a text as it is.
    pub fn text(&mut self, text: &str) -> Result<(), Stop> {
        self.inner.write_all(text.as_bytes()).map_err(stop)
    }

    /// Writes a text and ends the line.
    pub fn line(&mut self, text: &str) -> Result<(), Stop> {
        self.text(text)?;
        self.text("\n")
    }

    /// Everything that was written is out.
    pub fn finish(&mut self) -> Result<(), Stop> {
        self.inner.flush().map_err(stop)
    }
}

/// Says something on standard error; if that is closed too, nobody hears it.
pub fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {}", crate::report::clean(message));
}
