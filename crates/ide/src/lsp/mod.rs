//! The Language Server Protocol 3.17 without a transport: messages in, messages out. The command `grognard lsp` adds standard
//! input and output, files and a second thread. The page of the studio needs none of these.
//!
//! The service checks all waiting messages before it answers one. A request for a text that a later message edits is rejected as
//! outdated, and only the newest text is checked.

mod answers;
mod convert;
mod hints;
mod lenses;
mod protocol;
mod roots;
mod state;

pub use answers::abilities;
pub use convert::{Lines, number};
pub use lenses::budget;
pub use roots::relative;
pub use state::{Host, Server};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::Value;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A custom request that is answered after all diagnostics have been sent. Programs that replay a session wait for the response.
const SETTLE: &str = "grognard/settle";

/// The effect of handling the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The message was answered or processed.
    Done,
    /// A text was edited, and more edits are likely to follow.
    Edited,
    /// No message is waiting.
    Idle,
    /// The editor requested the exit.
    Exit,
}

/// A server with a queue of messages.
pub struct Service {
    /// The state of the server.
    pub server: Server,
    /// Messages that were received and not handled yet.
    waiting: VecDeque<Message>,
    /// Whether `shutdown` was received, after which only `exit` is valid.
    down: bool,
}

impl Service {
    /// Creates a service for one editor, without waiting messages.
    pub fn new(server: Server) -> Service {
        Service { server, waiting: VecDeque::new(), down: false }
    }

    /// Appends a message to the queue. A cancellation takes effect immediately.
    pub fn take(&mut self, message: Message) {
        if let Message::Notification(note) = &message
            && note.method == "$/cancelRequest"
        {
            let id = note.params.get("id");
            let id = id.and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
            let is = |m: &Message| matches!(m, Message::Request(r) if Some(&r.id) == id.as_ref());
            if let (Some(at), Some(id)) = (self.waiting.iter().position(is), &id) {
                self.waiting.remove(at);
                self.refuse(id.clone(), ErrorCode::RequestCanceled, "the editor cancelled it");
            } else if let Some(id) = id {
                self.server.cancel(&id);
            }
            return;
        }
        self.waiting.push_back(message);
    }

    /// Handles the next message in the queue.
    pub fn answer_next(&mut self) -> Next {
        let Some(message) = self.waiting.pop_front() else { return Next::Idle };
        match message {
            Message::Notification(note) if note.method == "exit" => return Next::Exit,
            Message::Request(request) if self.down => {
                self.refuse(request.id, ErrorCode::InvalidRequest, "the server was shut down");
            }
            _ if self.down => {}
            Message::Request(request) if request.method == "shutdown" => {
                self.down = true;
                self.server.reply(Response::new_ok(request.id, Value::Null));
            }
            // The work is done in steps, so that each diagnostic is sent immediately.
            Message::Request(request) if request.method == SETTLE => match self.server.work_ahead() {
                true => self.waiting.push_front(Message::Request(request)),
                false => self.server.reply(Response::new_ok(request.id, Value::Null)),
            },
            Message::Request(request) => self.answer(request),
            Message::Notification(note) => {
                let edited = note.method == "textDocument/didChange";
                self.hear(&note);
                if edited {
                    return Next::Edited;
                }
            }
            Message::Response(_) => {}
        }
        Next::Done
    }

    /// Returns whether `shutdown` was received, after which only `exit` is valid.
    pub fn is_down(&self) -> bool {
        self.down
    }

    fn refuse(&mut self, id: RequestId, code: ErrorCode, why: &str) {
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
        // A panic in one request must not affect other requests.
        match catch_unwind(AssertUnwindSafe(|| answers::answer(server, request))) {
            Ok(Some(response)) => self.server.reply(response),
            Ok(None) => {}
            Err(_) => self.refuse(id, ErrorCode::InternalError, "this answer failed; the others continue"),
        }
    }

    fn hear(&mut self, note: &Notification) {
        let server = &mut self.server;
        if catch_unwind(AssertUnwindSafe(|| server.hear(note))).is_err() {
            self.server.log(&format!("`{}` failed", note.method));
        }
    }
}

/// Returns the URI of the document that a message refers to.
fn document(params: &Value) -> Option<&str> {
    let of = params.get("textDocument").or_else(|| params.get("data"))?;
    of.get("uri")?.as_str()
}

/// Returns whether a message edits the document.
fn is_edit(message: &Message, uri: &str) -> bool {
    matches!(message, Message::Notification(note)
        if note.method == "textDocument/didChange" && document(&note.params) == Some(uri))
}
