//! The engines of the open pages. Each page has its own engine on a separate thread, which receives messages between the
//! slices of its work.

use super::super::shipped;
use grognard_base::OrdMap;
use grognard_ide::studio::Engine;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SendError, Sender, TryRecvError, channel};
use std::sync::{Mutex, PoisonError};

/// Bytes of the stack of an engine.
const STACK: usize = 16 << 20;
/// Pages that may be open.
const MOST: usize = 16;

/// A request to the thread of an engine.
enum Heard {
    /// A message, and the channel for the messages that the engine returns at once.
    Message(String, Sender<Vec<String>>),
    /// The channel for all messages that the engine sends later.
    Listener(Sender<String>),
}

/// The engines by the name that a page gave itself.
#[derive(Default)]
pub struct Engines(Mutex<OrdMap<String, Sender<Heard>>>);

impl Engines {
    /// The engine of a page; a new one if it has none. A page that went is forgotten when there are too many.
    fn of(&self, page: &str) -> Option<Sender<Heard>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(page) {
            return Some(known.clone());
        }
        if all.len() >= MOST {
            all.pop_first();
        }
        let (send, receive) = channel();
        std::thread::Builder::new().name("engine".into()).stack_size(STACK).spawn(move || work(&receive)).ok()?;
        all.insert(page.to_string(), send.clone());
        Some(send)
    }

    fn tell(&self, page: &str, heard: Heard) -> Option<()> {
        let sent = self.of(page)?.send(heard);
        if sent.is_err() {
            // its thread ended by a fault: the next message begins another one
            self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(page);
        }
        sent.ok()
    }

    /// Sends a message to the engine of a page, and returns the messages that come back at once.
    pub fn send(&self, page: &str, message: String) -> Option<Vec<String>> {
        let (send, receive) = channel();
        self.tell(page, Heard::Message(message, send))?;
        receive.recv().ok()
    }

    /// Returns the channel of all messages that the engine of a page sends later. It replaces an earlier channel.
    pub fn listen(&self, page: &str) -> Option<Receiver<String>> {
        let (send, receive) = channel();
        self.tell(page, Heard::Listener(send))?;
        Some(receive)
    }
}

/// Runs an engine until no request can arrive any more.
fn work(heard: &Receiver<Heard>) {
    let mut engine = Engine::new(shipped::all());
    let mut listener: Option<Sender<String>> = None;
    // messages that no listener received yet
    let mut kept: VecDeque<String> = VecDeque::new();
    loop {
        let next = match engine.busy() {
            true => match heard.try_recv() {
                Ok(next) => Some(next),
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => return,
            },
            false => match heard.recv() {
                Ok(next) => Some(next),
                Err(_) => return,
            },
        };
        match next {
            Some(Heard::Message(message, answer)) => drop(answer.send(engine.send(&message))),
            Some(Heard::Listener(other)) => listener = Some(other),
            None => kept.extend(engine.work(1)),
        }
        while let Some(open) = &listener
            && let Some(message) = kept.pop_front()
        {
            if let Err(SendError(unsent)) = open.send(message) {
                kept.push_front(unsent);
                listener = None;
            }
        }
        // a page that does not listen needs no messages
        kept.truncate(1_000);
    }
}
