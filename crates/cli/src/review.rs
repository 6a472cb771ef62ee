//! `grognard review`: accepts or rejects changed traces and odds (approval of golden files).

use super::cache::CacheArgs;
use super::check::{counted, is_scenario};
use super::files::{Collected, collect};
use super::mode::CostArgs;
use super::once::Once;
use super::out::{Out, Stop, complain, next};
use super::pins::{self, Pin};
use super::progress::threads;
use super::{FINE, FOUND, columns, parallel, project};
use grognard_report as report;
use grognard_report::beside::{beside, parted_in};
use std::io::BufRead;
use std::path::PathBuf;

/// The arguments of `grognard review`.
#[derive(clap::Args)]
pub struct ReviewArgs {
    /// Scenarios and folders [default: the project]
    #[arg(value_parser = super::named::parser())]
    paths: Vec<PathBuf>,
    /// Accept everything
    #[arg(long, conflicts_with = "list")]
    accept_all: bool,
    /// List pending changes only
    #[arg(long)]
    list: bool,
    /// Ask again about rejected changes
    ///
    /// By default, a rejected change is only listed until it changes again.
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    cache: CacheArgs,
}

/// A pending change.
struct Due {
    path: PathBuf,
    /// `trace`, `odds` or `sample`.
    sort: String,
    old: Option<Pin>,
    /// `None` if the scenario does not exist any more.
    new: Option<Pin>,
    /// Whether it was rejected before.
    rejected: bool,
}

/// The answer of the user.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReviewAnswer {
    Accept,
    Reject,
    Skip,
    /// Skips the rest.
    Quit,
}

/// Reviews the changes. The exit code is 1 if a change is not accepted.
pub fn run(args: &ReviewArgs, out: &mut Out) -> Result<u8, Stop> {
    if project::current().is_none() {
        return Err(Stop::failed("no grognard.toml found in this folder or above; `grognard new` creates a project"));
    }
    let (mut due, unread) = look(args, out)?;
    if args.paths.is_empty() {
        due.extend(gone()?);
    }
    if args.list {
        for due in &due {
            let sort = if due.sort.is_empty() { String::new() } else { format!(": {}", due.sort) };
            out.line(&format!("{}  {}{sort}", due.word(), report::clean(&due.path.display().to_string())))?;
        }
    }
    if due.is_empty() {
        out.line("nothing to review")?;
        return Ok(if unread > 0 { FOUND } else { FINE });
    }
    if args.list {
        return Ok(FOUND);
    }
    let (before, due): (Vec<Due>, Vec<Due>) = due.into_iter().partition(|due| due.rejected && !args.again);
    for due in &before {
        out.line(&format!("{}  {}: {}", due.word(), report::clean(&due.path.display().to_string()), due.sort))?;
    }
    if due.is_empty() {
        out.line("nothing else to review; `--again` asks about rejected changes")?;
        return Ok(FOUND);
    }
    let mut input = std::io::stdin().lock();
    let mut counts = [0; 4];
    let mut rejected = Vec::new();
    let all = due.len();
    let mut answer = ReviewAnswer::Skip;
    for (n, due) in due.iter().enumerate() {
        if answer != ReviewAnswer::Quit {
            due.tell(n + 1, all, out)?;
            answer = if args.accept_all { ReviewAnswer::Accept } else { ask(&mut input, out)? };
        }
        counts[answer as usize] += 1;
        match answer {
            ReviewAnswer::Accept => due.accept()?,
            ReviewAnswer::Reject => {
                due.reject()?;
                rejected.push(due.path.display().to_string());
            }
            ReviewAnswer::Skip | ReviewAnswer::Quit => {}
        }
    }
    let [accepted, turned_down, skipped, left] = counts;
    let skipped = skipped + left;
    out.line(&format!("{accepted} accepted, {turned_down} rejected, {skipped} skipped"))?;
    match rejected.first() {
        Some(first) => next(&format!("fix the rules, and check with `grognard run {first}`")),
        None if skipped == 0 => next("grognard test"),
        None => {}
    }
    Ok(if turned_down + skipped + before.len() > 0 || unread > 0 { FOUND } else { FINE })
}

/// Returns all changes, and the number of scenarios with errors.
fn look(args: &ReviewArgs, out: &mut Out) -> Result<(Vec<Due>, usize), Stop> {
    let Collected { files, problems, .. } = collect(&args.paths, &["toml"])?;
    problems.iter().for_each(|problem| complain(&problem.message));
    let scenarios: Vec<PathBuf> = files.into_iter().filter(|path| is_scenario(path, &args.paths)).collect();
    let mut due = Vec::new();
    let mut unread = problems.len();
    let mut once = Once::default();
    let cache = args.cache.open(args.cost.time);
    let work = |path: &PathBuf| Ok((path.clone(), pins::kept(path)?, pins::now(path, args.cost, &cache)));
    parallel::each(&scenarios, threads(None), work, |(path, old, new)| {
        match new {
            Err(Stop::Found(found, sources, _)) => {
                unread += 1;
                let rendered = once.fresh(found, &sources, out.human());
                out.text(&rendered)?;
            }
            Err(stop) => return Err(stop),
            Ok(Some(new)) if pins::place(&path).is_some() => {
                let sorts = old.clone().unwrap_or_default().moved(&new);
                let turned_down = pins::rejected(&path);
                let one = |sort: String| Due {
                    rejected: turned_down.contains(&pins::difference(&sort, old.as_ref(), Some(&new))),
                    path: path.clone(),
                    sort,
                    old: old.clone(),
                    new: Some(new.clone()),
                };
                due.extend(sorts.into_iter().map(one));
            }
            Ok(_) => {}
        }
        Ok(())
    })?;
    for line in once.rest() {
        out.line(&line)?;
    }
    Ok((due, unread))
}

/// Returns the pins of scenarios that do not exist any more.
fn gone() -> Result<Vec<Due>, Stop> {
    let Some(project) = project::current().filter(|project| project.pins().is_dir()) else { return Ok(Vec::new()) };
    let folder = project.pins();
    let files = collect(std::slice::from_ref(&folder), &["pin"])?.readable();
    let lost = files.into_iter().filter(|file| {
        let below = file.strip_prefix(&folder).unwrap_or(file).with_extension("toml");
        !project.folder.join(below).exists()
    });
    Ok(lost
        .map(|file| Due {
            path: PathBuf::from(pins::shown(&file)),
            sort: String::new(),
            old: None,
            new: None,
            rejected: false,
        })
        .collect())
}

impl Due {
    /// Returns the accepted text and the current one.
    fn texts(&self) -> [Option<&str>; 2] {
        [&self.old, &self.new].map(|pin| pin.as_ref().and_then(|pin| pin.part(&self.sort)))
    }

    fn word(&self) -> &'static str {
        match (self.texts(), &self.new) {
            _ if self.rejected => "rejected",
            (_, None) | ([_, None], _) => "gone ",
            ([None, _], _) => "new  ",
            _ => "moved",
        }
    }

    /// Shows the old and the new text side by side.
    fn tell(&self, n: usize, all: usize, out: &mut Out) -> Result<(), Stop> {
        let name = report::clean(&self.path.display().to_string());
        let sort = &self.sort;
        let width = columns().unwrap_or(100).clamp(60, 240);
        match self.texts() {
            [_, None] if self.new.is_none() => out.line(&format!(
                "\n{n} of {all}  {name}: the scenario does not exist any more; accept to delete this file"
            )),
            [None, new] => {
                out.line(&format!("\n{n} of {all}  {name}: new {sort}"))?;
                let lines: Vec<&str> = new.unwrap_or_default().lines().collect();
                for line in lines.iter().take(SHOWN) {
                    out.line(&report::clean(line))?;
                }
                match lines.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => out.line(&format!("... {}", counted(more, "more line"))),
                }
            }
            [Some(was), is] => {
                let is = is.unwrap_or_default();
                out.line(&format!("\n{n} of {all}  {name}: the {sort} changed"))?;
                let changed = self.old.as_ref().zip(self.new.as_ref()).map(|(old, new)| new.changed(old));
                if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
                    out.line(&report::clean(&format!("  changed since the last acceptance: {}", changed.join(", "))))?;
                }
                if let Some(rule) = parted_in(was, is).filter(|_| sort == "trace") {
                    out.line(&report::clean(&format!("  first difference in {rule}")))?;
                }
                out.line("")?;
                out.text(&beside(was, is, ["accepted", "now"], width))
            }
        }
    }

    fn accept(&self) -> Result<(), Stop> {
        let Some(new) = &self.new else {
            // with its rejected changes, if any
            let _ = std::fs::remove_file(self.path.with_extension("rejected"));
            return std::fs::remove_file(&self.path)
                .map_err(|why| Stop::failed(format!("{} cannot be removed: {why}", self.path.display())));
        };
        // parts that were accepted before count
        let mut pin = pins::kept(&self.path)?.unwrap_or_default();
        pin.take(new, &self.sort);
        pins::keep(&self.path, &pin)?;
        self.forget(None)
    }

    /// Saves that the change was rejected.
    fn reject(&self) -> Result<(), Stop> {
        if self.new.is_none() {
            return Ok(());
        }
        self.forget(Some(pins::difference(&self.sort, self.old.as_ref(), self.new.as_ref())))
    }

    /// Replaces the rejected change of the same kind, or deletes it.
    fn forget(&self, now: Option<String>) -> Result<(), Stop> {
        let before = pins::rejected(&self.path);
        let of_it = |line: &String| line.split_once(' ').is_some_and(|(sort, _)| sort == self.sort);
        let all: Vec<String> = before.iter().filter(|line| !of_it(line)).cloned().chain(now).collect();
        if all == before { Ok(()) } else { pins::reject(&self.path, &all) }
    }
}

/// Maximum number of lines of a new text that are shown.
const SHOWN: usize = 40;
/// Maximum length of an answer in bytes.
const MOST_ANSWER: u64 = 1000;

/// Asks until the user answers. The end of the input skips the rest.
fn ask(input: &mut impl BufRead, out: &mut Out) -> Result<ReviewAnswer, Stop> {
    loop {
        out.text("accept, reject or skip? (a / r / s, q skips the rest) ")?;
        out.finish()?;
        let mut line = String::new();
        let read = std::io::Read::take(&mut *input, MOST_ANSWER).read_line(&mut line);
        let read = read.map_err(|why| Stop::failed(format!("the answer cannot be read: {why}")))?;
        if read == 0 {
            out.line("")?;
            return Ok(ReviewAnswer::Quit);
        }
        match line.trim() {
            "a" | "accept" => return Ok(ReviewAnswer::Accept),
            "r" | "reject" => return Ok(ReviewAnswer::Reject),
            "s" | "skip" => return Ok(ReviewAnswer::Skip),
            "q" | "quit" => return Ok(ReviewAnswer::Quit),
            other => out.line(&format!("`{}` is not an answer", report::clean(other)))?,
        }
    }
}
