//! The reader's pager for long output on a terminal: the command in `PAGER`, or else `less`.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// A running pager. Dropping it waits until the reader closes it.
pub struct Pager {
    child: Child,
    stdin: Option<ChildStdin>,
}

impl Pager {
    /// Starts the pager if standard input and output are a terminal and there is a pager.
    pub fn start() -> Option<Pager> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return None;
        }
        let words = command(std::env::var("PAGER").ok())?;
        let (program, args) = words.split_first()?;
        let mut command = Command::new(program);
        // a text that fits the screen is printed as it is, with its colors
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", OsString::from("FRX"));
        }
        let mut child = command.args(args).stdin(Stdio::piped()).spawn().ok()?;
        let stdin = child.stdin.take();
        Some(Pager { child, stdin })
    }
}

/// Returns the words of the pager's command. An empty command and `cat` mean no pager.
fn command(chosen: Option<String>) -> Option<Vec<String>> {
    let chosen = chosen.unwrap_or_else(|| if cfg!(windows) { String::new() } else { "less".into() });
    let words: Vec<String> = chosen.split_whitespace().map(String::from).collect();
    (!matches!(words.first().map(String::as_str), None | Some("cat"))).then_some(words)
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdin.as_mut().map_or(Ok(bytes.len()), |stdin| stdin.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdin.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        // the pager ends its input when this end closes
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
