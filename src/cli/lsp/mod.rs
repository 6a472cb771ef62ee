//! `grognard lsp`: a server of the Language Server Protocol 3.17 on standard input and output.
//!
//! One thread reads and answers. What came in is looked through before each answer: a request about a text that was
//! edited since is refused as out of date, and only the newest text is checked. Odds are worked out on a second thread.

mod answers;
mod convert;
mod disk;
mod lenses;
mod state;

use super::FINE;
use super::out::{Out, Stop};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use state::Server;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A request of our own: answered when every finding was told. Who replays a session waits for it.
const SETTLE: &str = "grognard/settle";

/// So long after an edit nothing is begun that nobody waits for.
const QUIET: Duration = Duration::from_millis(25);

/// The language server has no options: editors tell it all it has to know.
#[derive(clap::Args)]
pub struct Args {}

/// Serves until the editor says that it is done.
pub fn run(_: &Args, _: &mut Out) -> Result<u8, Stop> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    drop(connection);
    let joined = threads.join();
    served.map_err(Stop::failed)?;
    joined.map_err(|why| Stop::failed(why.to_string()))?;
    Ok(FINE)
}

/// Serves one editor.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let (id, params) = match connection.initialize_start() {
        Ok(started) => started,
        // nobody is there
        Err(why) if why.channel_is_disconnected() => return Ok(()),
        Err(why) => return Err(why.to_string()),
    };
    let info = json!({ "name": "grognard", "version": env!("CARGO_PKG_VERSION") });
    let answer = json!({ "capabilities": answers::abilities(), "serverInfo": info });
    connection.initialize_finish(id, answer).map_err(|why| why.to_string())?;
    let server = Server::new(connection.sender.clone(), &params);
    server.watch_files();
    Loop { connection, server, waiting: VecDeque::new(), edited: None }.run()
}

struct Loop<'c> {
    connection: &'c Connection,
    server: Server,
    /// What came in and was not answered yet.
    waiting: VecDeque<Message>,
    /// When a text was edited, if nothing was begun since that nobody waits for.
    edited: Option<Instant>,
}

impl Loop<'_> {
    fn run(mut self) -> Result<(), String> {
        loop {
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.take(message);
            }
            self.server.send_answers();
            let Some(message) = self.waiting.pop_front() else {
                // whoever types goes on in a moment, and would wait for what is begun now
                if let Some(left) = self.edited.and_then(|edited| QUIET.checked_sub(edited.elapsed()))
                    && let Ok(message) = self.connection.receiver.recv_timeout(left)
                {
                    self.take(message);
                    continue;
                }
                self.edited = None;
                // nobody waits: findings first, then what other rulesets and examples make of the newest texts
                if self.server.work_ahead() {
                    continue;
                }
                // answers of the second thread come in between
                let pause = std::time::Duration::from_millis(20);
                let next = match self.server.is_working() {
                    true => self.connection.receiver.recv_timeout(pause).map_err(|why| why.is_timeout()),
                    false => self.connection.receiver.recv().map_err(|_| false),
                };
                match next {
                    Ok(message) => self.take(message),
                    Err(true) => {}
                    // the editor is gone without a word
                    Err(false) => return Ok(()),
                }
                continue;
            };
            match message {
                Message::Request(request) if request.method == "shutdown" => {
                    self.server.reply(Response::new_ok(request.id, Value::Null));
                    return self.wait_for_exit();
                }
                Message::Request(request) if request.method == SETTLE => {
                    while self.server.work_ahead() {}
                    self.server.reply(Response::new_ok(request.id, Value::Null));
                }
                Message::Request(request) => self.answer(request),
                Message::Notification(note) if note.method == "exit" => return Ok(()),
                Message::Notification(note) => {
                    if note.method == "textDocument/didChange" {
                        self.edited = Some(Instant::now());
                    }
                    self.hear(note);
                }
                Message::Response(_) => {}
            }
        }
    }

    /// Puts a message behind those that wait; one that takes a request back is heard at once.
    fn take(&mut self, message: Message) {
        if let Message::Notification(note) = &message
            && note.method == "$/cancelRequest"
        {
            let id = note.params.get("id");
            let id = id.and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
            let is = |m: &Message| matches!(m, Message::Request(r) if Some(&r.id) == id.as_ref());
            if let (Some(at), Some(id)) = (self.waiting.iter().position(is), &id) {
                self.waiting.remove(at);
                self.refuse(id.clone(), ErrorCode::RequestCanceled, "the editor took it back");
            } else if let Some(id) = id {
                self.server.cancel(&id);
            }
            return;
        }
        self.waiting.push_back(message);
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.server.reply(Response::new_err(id, code as i32, why.to_string()));
    }

    fn answer(&mut self, request: Request) {
        if let Some(uri) = document(&request.params)
            && self.waiting.iter().any(|m| is_edit(m, uri))
        {
            return self.refuse(request.id, ErrorCode::ContentModified, "the text was edited since");
        }
        let id = request.id.clone();
        let server = &mut self.server;
        // a fault of one answer is not the end of the others
        match catch_unwind(AssertUnwindSafe(|| answers::answer(server, request))) {
            Ok(Some(response)) => self.server.reply(response),
            Ok(None) => {}
            Err(_) => self.refuse(id, ErrorCode::InternalError, "this answer failed; the others go on"),
        }
    }

    fn hear(&mut self, note: Notification) {
        let server = &mut self.server;
        if catch_unwind(AssertUnwindSafe(|| server.hear(&note))).is_err() {
            self.server.log(&format!("`{}` failed", note.method));
        }
    }

    /// After `shutdown` only `exit` is meant.
    fn wait_for_exit(self) -> Result<(), String> {
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Notification(note) if note.method == "exit" => break,
                Message::Request(request) => {
                    self.refuse(request.id, ErrorCode::InvalidRequest, "the server was shut down");
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The document that a message is about.
fn document(params: &Value) -> Option<&str> {
    let of = params.get("textDocument").or_else(|| params.get("data"))?;
    of.get("uri")?.as_str()
}

/// True for a message that changes a document.
fn is_edit(message: &Message, uri: &str) -> bool {
    matches!(message, Message::Notification(note)
        if note.method == "textDocument/didChange" && document(&note.params) == Some(uri))
}
