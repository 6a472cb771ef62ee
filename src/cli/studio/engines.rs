//! An engine on a thread of its own for each page that is open. It hears messages between the slices of its work.

use super::super::shipped;
use grognard_base::OrdMap;
use grognard_ide::studio::Engine;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// Bytes of the stack of an engine.
const STACK: usize = 16 << 20;
/// Pages that may be open.
const MOST: usize = 16;

/// What an engine hears.
enum Heard {
    /// A message, and where what comes back at once goes.
    Message(String, oneshot::Sender<Vec<String>>),
    /// Whoever listens to what comes later.
    Listener(mpsc::UnboundedSender<String>),
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

    /// What comes back at once of a message.
    pub async fn send(&self, page: &str, message: String) -> Option<Vec<String>> {
        let (send, receive) = oneshot::channel();
        self.tell(page, Heard::Message(message, send))?;
        receive.await.ok()
    }

    /// What comes later.
    pub fn listen(&self, page: &str) -> Option<mpsc::UnboundedReceiver<String>> {
        let (send, receive) = mpsc::unbounded_channel();
        self.tell(page, Heard::Listener(send))?;
        Some(receive)
    }
}

/// Works until nobody can say anything any more.
fn work(heard: &Receiver<Heard>) {
    let mut engine = Engine::new(shipped::all());
    let mut listener: Option<mpsc::UnboundedSender<String>> = None;
    // what nobody listened to yet
    let mut kept: Vec<String> = Vec::new();
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
            None => kept.append(&mut engine.work(1)),
        }
        if let Some(open) = &listener {
            let mut sent = true;
            for message in kept.drain(..) {
                sent &= open.send(message).is_ok();
            }
            if !sent || open.is_closed() {
                listener = None;
            }
        }
        // a page that does not listen wants nothing
        kept.truncate(1_000);
    }
}
