//! The session on the full screen: trace, map, menu with odds, a line to type in. Keys are only short forms of commands.

#[doc(hidden)]
pub mod view;

use super::super::out::{self, Stop};
use super::super::progress::{self, Progress};
use super::super::{FINE, STACK};
use super::Desk;
use crossbeam_channel::{Receiver, Sender, unbounded};
use grognard_base::slices::at_once;
use grognard_base::{Budget, Limit};
use grognard_play::session::Session;
use grognard_report::play::{self as told, EntryRow};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope};
use std::time::Duration;
use view::{Shown, draw};

/// The least terminal that shows it.
const LEAST: (u16, u16) = (60, 16);
/// How often it is looked whether something came.
const TICK: Duration = Duration::from_millis(80);
const RUNS: u64 = 100;

/// True if the terminal can show it.
pub fn fits() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let size = ratatui::crossterm::terminal::size().unwrap_or((0, 0));
    !dumb && large_enough(size)
}

fn large_enough((columns, rows): (u16, u16)) -> bool {
    columns >= LEAST.0 && rows >= LEAST.1
}

/// Plays until somebody has enough. The terminal is put back however that comes.
pub fn run(desk: &mut Desk<'_>) -> Result<u8, Stop> {
    // what is said on the side would stand in the middle of it
    out::say_as_much(true, false);
    progress::listen()?;
    let _ = desk.session.go_on();
    let failed =
        |why: std::io::Error| Stop::failed(format!("the terminal cannot be used: {why}; `--plain` needs less"));
    let mut terminal = ratatui::try_init().map_err(failed)?;
    let outcome = std::thread::scope(|scope| shown(desk, &mut terminal, scope));
    ratatui::restore();
    outcome.map(|()| FINE)
}

/// A row of odds, and which position it is about; nothing behind the last.
type Told = (u64, Option<EntryRow>);

/// What is worked out beside the screen.
struct Beside {
    /// Which position it is about.
    about: u64,
    stop: Arc<AtomicBool>,
}

fn shown<'s, 'a: 's>(
    desk: &mut Desk<'a>,
    terminal: &mut DefaultTerminal,
    scope: &'s Scope<'s, '_>,
) -> Result<(), Stop> {
    let failed = |why: std::io::Error| Stop::failed(format!("the terminal cannot be used: {why}"));
    let (to, from): (Sender<Told>, Receiver<Told>) = unbounded();
    let mut shown = Shown::of(desk);
    let mut beside = Beside { about: 0, stop: Arc::default() };
    shown.seeks = odds_beside(desk, &mut beside, &to, scope);
    let outcome = loop {
        for (_, row) in from.try_iter().filter(|(about, _)| *about == beside.about) {
            shown.seeks = row.is_some();
            shown.odds.extend(row);
        }
        if let Err(why) = terminal.draw(|frame| draw(frame, &mut shown)) {
            break Err(failed(why));
        }
        if Progress::pressed() {
            break Ok(());
        }
        match event::poll(TICK).and_then(|came| if came { event::read().map(Some) } else { Ok(None) }) {
            Err(why) => break Err(failed(why)),
            Ok(Some(Event::Key(key))) if key.kind != KeyEventKind::Release => match pressed(&mut shown, key) {
                Pressed::Nothing => {}
                Pressed::Quit => break Ok(()),
                Pressed::Command(line) => {
                    match carried_out(desk, &line, terminal, &mut shown) {
                        Ok(true) => break Ok(()),
                        Ok(false) => {}
                        Err(stop) => break Err(stop),
                    }
                    if shown.moved {
                        shown.seeks = odds_beside(desk, &mut beside, &to, scope);
                    }
                }
            },
            Ok(_) => {}
        }
    };
    beside.stop.store(true, Ordering::Relaxed);
    outcome
}

/// What a key asks for.
enum Pressed {
    Nothing,
    Quit,
    Command(String),
}

fn pressed(shown: &mut Shown, key: KeyEvent) -> Pressed {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let typed = !shown.input.is_empty();
    match key.code {
        KeyCode::Char('c' | 'd') if control => return Pressed::Quit,
        KeyCode::Char('u') if control => shown.input.clear(),
        KeyCode::Char(c) if !control => shown.input.push(c),
        KeyCode::Backspace => drop(shown.input.pop()),
        KeyCode::Esc if typed => shown.input.clear(),
        KeyCode::Esc => shown.answer.clear(),
        KeyCode::Enter => {
            let line = std::mem::take(&mut shown.input);
            return Pressed::Command(match shown.chosen() {
                Some(entry) if line.trim().is_empty() => format!("choose {entry}"),
                _ => line,
            });
        }
        KeyCode::Up if !typed => shown.select(-1),
        KeyCode::Down if !typed => shown.select(1),
        KeyCode::Left if !typed => return Pressed::Command("back".into()),
        KeyCode::Right if !typed => return Pressed::Command("step".into()),
        KeyCode::PageUp => shown.scroll(-1),
        KeyCode::PageDown => shown.scroll(1),
        KeyCode::F(1) => return Pressed::Command("help".into()),
        _ => {}
    }
    Pressed::Nothing
}

/// Carries a command out beside the screen, so that it can be stopped; true if it was the last.
fn carried_out(
    desk: &mut Desk<'_>,
    line: &str,
    terminal: &mut DefaultTerminal,
    shown: &mut Shown,
) -> Result<bool, Stop> {
    let said = std::thread::scope(|scope| {
        let work = Builder::new().stack_size(STACK).spawn_scoped(scope, || desk.command(line));
        let work = work.map_err(|why| Stop::failed(format!("no thread can be started: {why}")))?;
        while !work.is_finished() {
            // what takes no time is not announced
            if !matches!(event::poll(TICK / 4), Ok(true)) {
                shown.busy = !work.is_finished();
                let _ = terminal.draw(|frame| draw(frame, shown));
                continue;
            }
            let stops = |key: &KeyEvent| {
                key.code == KeyCode::Esc
                    || key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL)
            };
            if let Ok(Event::Key(key)) = event::read()
                && stops(&key)
            {
                Progress::press();
            }
        }
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    Progress::forget();
    let said = said?;
    shown.renew(desk, &said);
    Ok(said.quit)
}

thread_local! {
    /// Whether the odds this thread works out are still wanted.
    static WANTED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Ends what is not wanted any more.
fn unwanted(_: &str) -> Option<Limit> {
    WANTED.with_borrow(|stop| stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)).then_some(Limit::Stopped))
}

/// Begins to work out the odds of the menu, row by row, if there are any; what was being worked out is given up.
fn odds_beside<'s, 'a: 's>(desk: &Desk<'a>, beside: &mut Beside, to: &Sender<Told>, scope: &'s Scope<'s, '_>) -> bool {
    beside.stop.store(true, Ordering::Relaxed);
    *beside = Beside { about: beside.about + 1, stop: Arc::default() };
    if desk.session.scenario().plan.report.is_empty() || desk.session.decision().is_none() {
        return false;
    }
    let (about, stop, to) = (beside.about, Arc::clone(&beside.stop), to.clone());
    let session = desk.session.again();
    let work = move || {
        WANTED.set(Some(Arc::clone(&stop)));
        for entry in session.entries().0 {
            let row = row(&session, &entry, &stop);
            let last = row.is_none() || stop.load(Ordering::Relaxed);
            if to.send((about, row)).is_err() || last {
                return;
            }
        }
        // whoever does not listen any more needs no end
        let _ = to.send((about, None));
    };
    // without a thread there are no odds unasked
    Builder::new().stack_size(STACK).spawn_scoped(scope, work).is_ok()
}

/// A row of the odds beside the menu; none if it cannot be told.
fn row(session: &Session<'_>, entry: &grognard_play::session::Entry, stop: &AtomicBool) -> Option<EntryRow> {
    let budget = Budget { watch: Some(unwanted), ..grognard_base::Effort::Quick.budget() };
    let more = &mut |runs| runs < RUNS && !stop.load(Ordering::Relaxed);
    Some(told::row(session, entry, &at_once(session.odds(entry, budget, more)).ok()?))
}
