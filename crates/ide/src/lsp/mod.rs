//! The Language Server Protocol 3.17 without a transport: messages in, messages out. Standard input and output, files and
//! the second thread are `grognard lsp`; the page of the studio has none of them.
//!
//! What came in is looked through before each answer: a request about a text that was edited since is refused as out of
//! date, and only the newest text is checked.

mod answers;
mod convert;
mod lenses;
mod protocol;
mod state;

pub use answers::abilities;
pub use convert::{Lines, number};
pub use lenses::budget;
pub use state::{Host, Server};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::Value;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A request of our own: answered when every finding was told. Who replays a session waits for it.
const SETTLE: &str = "grognard/settle";

/// What a service did with the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It was answered or taken in.
    Done,
    /// A text was edited: whoever types goes on in a moment.
    Edited,
    /// No message waits.
    Idle,
    /// The editor is done.
    Exit,
}

/// A server with the messages that wait for it.
pub struct Service {
    /// What it knows.
    pub server: Server,
    /// What came in and was not answered yet.
    waiting: VecDeque<Message>,
    /// After `shutdown` only `exit` is meant.
    down: bool,
}

impl Service {
    /// A service for one editor, which was greeted.
    pub fn new(server: Server) -> Service {
        Service { server, waiting: VecDeque::new(), down: false }
    }

    /// Puts a message behind those that wait; one that takes a request back is heard at once.
    pub fn take(&mut self, message: Message) {
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

    /// Answers the next message.
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
            // piece by piece, so that what is found is told at once
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

    /// True once only `exit` is waited for.
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
        // a fault of one answer is not the end of the others
        match catch_unwind(AssertUnwindSafe(|| answers::answer(server, request))) {
            Ok(Some(response)) => self.server.reply(response),
            Ok(None) => {}
            Err(_) => self.refuse(id, ErrorCode::InternalError, "this answer failed; the others go on"),
        }
    }

    fn hear(&mut self, note: &Notification) {
        let server = &mut self.server;
        if catch_unwind(AssertUnwindSafe(|| server.hear(note))).is_err() {
            self.server.log(&format!("`{}` failed", note.method));
        }
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
