//! Messages of the Language Server Protocol on standard input and output: a header with a length, then JSON.
//!
//! A message that is not JSON gets the error of JSON-RPC, and the server continues. A length over the maximum ends the server.

use lsp_server::{Connection, Message};
use serde_json::json;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::thread::{JoinHandle, spawn};

/// Maximum length of a message, in bytes.
const MOST: usize = 1 << 26;
/// The JSON-RPC error code for a message that is not JSON.
const NO_JSON: i32 = -32700;

/// The threads that read and write.
pub(super) struct StdioThreads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl StdioThreads {
    /// Waits until everything is written. Fails if reading or writing failed.
    pub fn join(self) -> io::Result<()> {
        let lost = |_| io::Error::other("a thread of the language server failed");
        let read = self.reader.join().map_err(lost)?;
        self.writer.join().map_err(lost)?.and(read)
    }
}

/// Creates a connection over standard input and output.
pub(super) fn connect() -> (Connection, StdioThreads) {
    let (ours, theirs) = Connection::memory();
    let (sender, receiver) = (theirs.sender, theirs.receiver);
    let reader = spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(body) = next(&mut input)? {
            match serde_json::from_slice::<Message>(&body) {
                Ok(message) => {
                    let exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                    if sender.send(message).is_err() || exit {
                        break;
                    }
                }
                Err(why) => {
                    let error = json!({ "code": NO_JSON, "message": why.to_string() });
                    write(&json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string())?;
                }
            }
        }
        Ok(())
    });
    let writer = spawn(move || receiver.into_iter().try_for_each(|message| message.write(&mut io::stdout().lock())));
    (ours, StdioThreads { reader, writer })
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// Returns the body of the next message, or `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let bad = |why: String| io::Error::new(ErrorKind::InvalidData, why);
    let (mut length, mut line): (Option<usize>, _) = (None, String::new());
    loop {
        line.clear();
        if input.by_ref().take(4096).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let header = line.trim_end();
        if header.is_empty() {
            break;
        }
        let Some((name, value)) = header.split_once(':') else {
            return Err(bad(format!("`{header}` is not a header of a message, such as `Content-Length: 20`")));
        };
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            let known = value.parse().ok().filter(|n| *n <= MOST);
            length = Some(known.ok_or_else(|| bad(format!("the length `{value}` is not a number up to {MOST}")))?);
        }
    }
    let length = length.ok_or_else(|| bad("a message without `Content-Length`".to_string()))?;
    // the buffer grows with the received bytes, not with the announced length
    let mut body = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut body)?;
    Ok((body.len() == length).then_some(body))
}
