//! `grognard lsp`: a server of the Language Server Protocol on standard input and output.
//!
//! One thread reads and answers messages. A second one computes odds.

mod disk;
mod odds;
mod stdio;

use super::FINE;
use super::files::peek;
use super::out::{Out, Stop};
use disk::Disk;
use grognard_ide::lsp::{Host, Next, Server, Service, abilities};
use grognard_ide::query::{LensAnswer, LensQuestion};
use grognard_rules::Library;
use lsp_server::{Connection, Message};
use odds::OddsThread;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The time after an edit in which no background work starts.
const QUIET: Duration = Duration::from_millis(25);
/// The time between two checks of the second thread.
const PAUSE: Duration = Duration::from_millis(20);

/// The language server has no options. The editor sends all settings.
#[derive(clap::Args)]
pub struct LspArgs {}

/// Serves until the editor exits.
pub fn run(_: &LspArgs, _: &mut Out) -> Result<u8, Stop> {
    let (connection, threads) = stdio::connect();
    let served = serve(&connection);
    drop(connection);
    let joined = threads.join();
    served.map_err(Stop::failed)?;
    joined.map_err(|why| Stop::failed(why.to_string()))?;
    Ok(FINE)
}

/// Serves one editor over a connection until it exits or is gone.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let (id, params) = match connection.initialize_start() {
        Ok(started) => started,
        // the editor is gone
        Err(why) if why.channel_is_disconnected() => return Ok(()),
        Err(why) => return Err(why.to_string()),
    };
    let info = json!({ "name": "grognard", "version": env!("CARGO_PKG_VERSION") });
    let answer = json!({ "capabilities": abilities(), "serverInfo": info });
    connection.initialize_finish(id, answer).map_err(|why| why.to_string())?;
    let mut server = Server::new(Box::new(WatchedFiles::default()), &params);
    server.watch_files();
    let mut serving = Loop { connection, service: Service::new(server), edited: None };
    serving.run();
    serving.send();
    Ok(())
}

/// The files of the disk and the second thread.
#[derive(Default)]
struct WatchedFiles {
    disks: Vec<Rc<Disk>>,
    odds: OddsThread,
}

impl Host for WatchedFiles {
    fn canonical(&self, path: PathBuf) -> PathBuf {
        std::fs::canonicalize(&path).unwrap_or(path)
    }

    fn text(&self, path: &Path) -> Option<String> {
        peek(path)
    }

    fn texts_below(&mut self, folder: &Path) -> Rc<dyn Library> {
        let disk = Disk::of(folder);
        self.disks.push(disk.clone());
        disk
    }

    fn forget(&mut self) {
        self.disks.iter().for_each(|disk| disk.forget());
    }

    fn begin(&mut self, question: LensQuestion, patient: bool) {
        self.odds.begin(question, patient);
    }

    fn finished(&mut self) -> Option<LensAnswer> {
        self.odds.finished()
    }

    fn stop(&mut self) {
        self.odds.stop();
    }
}

struct Loop<'c> {
    connection: &'c Connection,
    service: Service,
    /// The time of the last edit, if no background work started since.
    edited: Option<Instant>,
}

impl Loop<'_> {
    fn send(&mut self) {
        for message in self.service.server.take_messages() {
            // the read of the next message notices an editor that is gone
            let _ = self.connection.sender.send(message);
        }
    }

    fn run(&mut self) {
        loop {
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.service.take(message);
            }
            self.service.server.send_answers();
            let next = self.service.answer_next();
            self.send();
            match next {
                Next::Exit => return,
                Next::Done => {}
                Next::Edited => self.edited = Some(Instant::now()),
                Next::Idle => match self.wait() {
                    Ok(Some(message)) => self.service.take(message),
                    Ok(None) => {}
                    // the editor is gone
                    Err(()) => return,
                },
            }
        }
    }

    /// Does background work: first findings, then other rulesets and examples that depend on the newest texts.
    fn wait(&mut self) -> Result<Option<Message>, ()> {
        // a user who types continues soon, and would wait for the work that starts now
        if let Some(left) = self.edited.and_then(|edited| QUIET.checked_sub(edited.elapsed()))
            && let Ok(message) = self.connection.receiver.recv_timeout(left)
        {
            return Ok(Some(message));
        }
        self.edited = None;
        if !self.service.is_down() && self.service.server.work_ahead() {
            self.send();
            return Ok(None);
        }
        // answers of the second thread arrive in the meantime
        match self.service.server.is_working() {
            true => match self.connection.receiver.recv_timeout(PAUSE) {
                Err(why) if why.is_timeout() => Ok(None),
                other => other.map(Some).map_err(|_| ()),
            },
            false => self.connection.receiver.recv().map(Some).map_err(|_| ()),
        }
    }
}
