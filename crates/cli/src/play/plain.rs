//! The session as lines of text: reads commands from the options or from standard input, and prints the answers.

use super::super::out::{Out, Stop};
use super::super::progress;
use super::super::{FINE, FOUND};
use super::{Desk, Said};
use grognard_report::play as rendered;
use std::io::{BufRead, IsTerminal, Read};

/// Maximum length of a command in bytes.
const LONGEST: u64 = 1 << 16;

/// Reads and runs commands up to the end of the input.
pub fn run(desk: &mut Desk<'_>, out: &mut Out) -> Result<u8, Stop> {
    let mut printed = String::new();
    let _ = desk.session.go_on();
    tell(desk, &mut printed, out)?;
    let mut refused = false;
    for line in &desk.args.commands {
        out.line(&format!("play> {line}"))?;
        let said = answer(desk, line, &mut printed, out)?;
        refused |= said.refused;
        if said.quit {
            break;
        }
    }
    if !desk.args.commands.is_empty() {
        return Ok(if refused { FOUND } else { FINE });
    }
    let terminal = std::io::stdin().is_terminal();
    let mut input = std::io::stdin().lock();
    loop {
        if terminal {
            out.text("play> ")?;
        }
        out.finish()?;
        let mut line = Vec::new();
        progress::waits(true);
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        progress::waits(false);
        match read {
            Ok(0) => break,
            Ok(n) if n as u64 == LONGEST && line.last() != Some(&b'\n') => {
                return Err(Stop::failed(format!("a command has at most {LONGEST} bytes")));
            }
            Ok(_) => {}
            Err(why) => return Err(Stop::failed(format!("the input cannot be read: {why}"))),
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\n', '\r']);
        if !terminal {
            out.line(&format!("play> {line}"))?;
        }
        if answer(desk, line, &mut printed, out)?.quit {
            return Ok(FINE);
        }
    }
    if terminal {
        out.line("")?;
    }
    Ok(FINE)
}

/// Runs a command and prints its answer.
fn answer(desk: &mut Desk<'_>, line: &str, printed: &mut String, out: &mut Out) -> Result<Said, Stop> {
    let said = desk.command(line)?;
    for line in &said.lines {
        out.line(line)?;
    }
    if said.moved {
        tell(desk, printed, out)?;
    }
    Ok(said)
}

/// Prints the events since the last command, and what the run waits for.
fn tell(desk: &Desk<'_>, printed: &mut String, out: &mut Out) -> Result<(), Stop> {
    let trace = desk.trace();
    match trace.strip_prefix(printed.as_str()) {
        Some(more) => out.text(more)?,
        // a command was undone
        None => out.line(trace.lines().last().unwrap_or_default())?,
    }
    *printed = trace;
    for line in rendered::pause(&desk.session) {
        out.line(&line)?;
    }
    Ok(())
}
