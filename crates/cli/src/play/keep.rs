//! `save`: writes a session as a scenario, then runs that scenario and compares the traces.

use super::super::files::canonical;
use super::super::out::Stop;
use super::super::outputs::{put, replace};
use super::super::receipt::from;
use super::super::{scenes, shipped};
use super::Desk;
use grognard_base::Sources;
use grognard_play::record::{Event, What};
use grognard_play::session::{Done, Session, Settings, Start, playable, save as written};
use grognard_program::Detail;
use grognard_report as report;
use std::path::{Path, PathBuf};

/// Writes the session to a file, and returns messages about the result.
pub fn save(desk: &mut Desk<'_>, file: &Path, force: bool) -> Result<Vec<String>, Stop> {
    let shown = file.display();
    if file.extension().is_none_or(|ending| ending != "toml") {
        return Err(Stop::failed(format!("the name of a scenario must end with .toml: `{shown}`")));
    }
    if file.exists() && !force {
        return Err(Stop::failed(format!("{shown} exists; to replace it, use `save {shown} --force`")));
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::fs::canonicalize(folder)
        .map_err(|_| Stop::failed(format!("{shown} cannot be written: there is no folder {}", folder.display())))?;
    let full = folder.join(file.file_name().unwrap_or_default());
    let args = desk.args;
    let scene = canonical(&args.scenario)?;
    let base = match shipped::name_at(&scene) {
        Some(name) => name,
        None => from(&scene, &folder),
    };
    let rules = args.rules.as_ref().map(|_| desk.session.scenario().plan.rules.clone());
    let saved = written(&desk.session, &Settings { base, rules, set: args.set.clone(), title: None });
    // a session can replace its own files
    if desk.saved.contains(&full) {
        replace(file, &saved.text)?
    } else {
        put(file, &saved.text)?
    }
    let mut lines = vec![format!("saved as {shown}")];
    lines.extend(saved.notes.iter().map(|note| format!("note: {note}")));
    match compared(desk, file) {
        Ok(None) => lines.push(format!("grognard run {shown} has the same trace")),
        Ok(Some(why)) => lines.push(format!("note: the trace of grognard run {shown} differs: {why}")),
        Err(why) => {
            if !desk.saved.contains(&full) {
                let _ = std::fs::remove_file(&full);
            }
            return Err(Stop::failed(format!("{shown} is not saved: {why}")));
        }
    }
    remember(desk, full);
    Ok(lines)
}

fn remember(desk: &mut Desk<'_>, full: PathBuf) {
    if !desk.saved.contains(&full) {
        desk.saved.push(full);
    }
}

/// Runs the saved scenario, and returns the first difference of the trace, or `None` if it does not exist.
fn compared(desk: &Desk<'_>, file: &Path) -> Result<Option<String>, String> {
    let mut sources = Sources::default();
    let odds_options = scenes::Wanted::default();
    let scenario = scenes::load_as(file, odds_options, Detail::Traced, &mut sources).map_err(|stop| match stop {
        Stop::Found(found, sources, _) => {
            let text = report::render(&found, &sources, report::Format::Short);
            let first = text.lines().next().unwrap_or_default();
            format!("it cannot be read there ({first}); save it next to {}", desk.args.scenario.display())
        }
        stop => stop.to_string(),
    })?;
    // no further than the session, because a game can take long after the script
    let decisions = desk.session.done().iter().filter(|done| matches!(done, Done::Decision { .. })).count();
    let start = Start { seed: scenario.plan.seed, ..Start::default() };
    let scenario = playable(scenario);
    let mut again = Session::new(&scenario, &sources, start);
    // a run can be over at once
    let _ = again.auto(decisions as u64);
    Ok(difference(desk.session.events(), again.events()))
}

/// Returns the first event that differs between two runs. The header, the expectations and the end of a run do not count.
fn difference(was: &[Event], now: &[Event]) -> Option<String> {
    let rendered = |event: &&Event| {
        !matches!(event.what, What::Header { .. } | What::Expect { .. } | What::Summary { .. } | What::Fault { .. })
    };
    let mut now = now.iter().filter(rendered);
    for event in was.iter().filter(rendered) {
        let other = now.next();
        if other.is_none_or(|other| !same(&event.what, &other.what)) {
            let one =
                grognard_play::record::render(std::slice::from_ref(event), grognard_play::record::TraceDetail::Full);
            return Some(format!("first at `{}`", one.lines().next().unwrap_or_default().trim()));
        }
    }
    None
}

/// Returns whether two events are the same. A random decision can be in the script of the saved scenario.
fn same(was: &What, now: &What) -> bool {
    match (was, now) {
        (What::Decision { source, .. }, What::Decision { source: script, .. })
            if source == "random" && script == "script" =>
        {
            let mut now = now.clone();
            if let What::Decision { source: now, .. } = &mut now {
                now.clone_from(source);
            }
            *was == now
        }
        _ => was == now,
    }
}
