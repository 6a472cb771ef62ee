//! `grognard review`: goes through traces and odds that moved, and accepts them or not (approval of golden files).

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

/// What to review.
#[derive(clap::Args)]
pub struct ReviewArgs {
    /// Scenarios and folders of them; the whole project if none is named.
    paths: Vec<PathBuf>,
    /// Accepts everything.
    #[arg(long, conflicts_with = "list")]
    accept_all: bool,
    /// Only lists what there is to review.
    #[arg(long)]
    list: bool,
    /// Asks again about what was rejected; without it that is only listed until it changes.
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    cost: CostArgs,
}

/// What there is to review.
struct Due {
    path: PathBuf,
    /// `trace`, `odds` or `sample`.
    sort: String,
    old: Option<Pin>,
    /// None if the scenario is gone.
    new: Option<Pin>,
    /// Somebody turned it down before.
    rejected: bool,
}

/// What a person says to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReviewAnswer {
    Accept,
    Reject,
    Skip,
    /// Skips the rest.
    Quit,
}

/// Reviews; 1 if something is left.
pub fn run(args: &ReviewArgs, out: &mut Out) -> Result<u8, Stop> {
    if project::current().is_none() {
        return Err(Stop::failed("there is no grognard.toml here or above; `grognard new` begins a project"));
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
        out.line("nothing else to review; `--again` asks about what was rejected")?;
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
        Some(first) => next(&format!("mend the rules, and see `grognard run {first}`")),
        None if skipped == 0 => next("grognard test"),
        None => {}
    }
    Ok(if turned_down + skipped + before.len() > 0 || unread > 0 { FOUND } else { FINE })
}

/// Everything that moved or is new, and how many scenarios have errors.
fn look(args: &ReviewArgs, out: &mut Out) -> Result<(Vec<Due>, usize), Stop> {
    let Collected { files, problems, .. } = collect(&args.paths, &["toml"])?;
    problems.iter().for_each(|problem| complain(&problem.message));
    let scenarios: Vec<PathBuf> = files.into_iter().filter(|path| is_scenario(path, &args.paths)).collect();
    let mut due = Vec::new();
    let mut unread = problems.len();
    let mut once = Once::default();
    let work = |path: &PathBuf| Ok((path.clone(), pins::kept(path)?, pins::now(path, args.cost)));
    parallel::each(&scenarios, threads(None), work, |(path, old, new)| {
        match new {
            Err(Stop::Found(found, sources, _)) => {
                unread += 1;
                let told = once.fresh(found, &sources, out.human());
                out.text(&told)?;
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

/// Pins of scenarios that are not there any more.
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
    /// What was accepted of it, and what is now.
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

    /// Shows it, old and new side by side.
    fn tell(&self, n: usize, all: usize, out: &mut Out) -> Result<(), Stop> {
        let name = report::clean(&self.path.display().to_string());
        let sort = &self.sort;
        let width = columns().unwrap_or(100).clamp(60, 240);
        match self.texts() {
            [_, None] if self.new.is_none() => {
                out.line(&format!("\n{n} of {all}  {name}: its scenario is gone; accepting takes it away"))
            }
            [None, new] => {
                out.line(&format!("\n{n} of {all}  {name}: nothing was accepted yet; its {sort}"))?;
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
                out.line(&format!("\n{n} of {all}  {name}: its {sort} moved"))?;
                let changed = self.old.as_ref().zip(self.new.as_ref()).map(|(old, new)| new.changed(old));
                if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
                    out.line(&report::clean(&format!("  changed since it was accepted: {}", changed.join(", "))))?;
                }
                if let Some(rule) = parted_in(was, is).filter(|_| sort == "trace") {
                    out.line(&report::clean(&format!("  it parts in {rule}")))?;
                }
                out.line("")?;
                out.text(&beside(was, is, ["accepted", "now"], width))
            }
        }
    }

    fn accept(&self) -> Result<(), Stop> {
        let Some(new) = &self.new else {
            // with what was turned down of it, if anything was
            let _ = std::fs::remove_file(self.path.with_extension("rejected"));
            return std::fs::remove_file(&self.path)
                .map_err(|why| Stop::failed(format!("{} cannot be removed: {why}", self.path.display())));
        };
        // what was accepted of it a moment ago counts
        let mut pin = pins::kept(&self.path)?.unwrap_or_default();
        pin.take(new, &self.sort);
        pins::keep(&self.path, &pin)?;
        self.forget(None)
    }

    /// Keeps in mind that it was turned down.
    fn reject(&self) -> Result<(), Stop> {
        if self.new.is_none() {
            return Ok(());
        }
        self.forget(Some(pins::difference(&self.sort, self.old.as_ref(), self.new.as_ref())))
    }

    /// What was turned down of its sort before is over; this is now, if anything is.
    fn forget(&self, now: Option<String>) -> Result<(), Stop> {
        let before = pins::rejected(&self.path);
        let of_it = |line: &String| line.split_once(' ').is_some_and(|(sort, _)| sort == self.sort);
        let all: Vec<String> = before.iter().filter(|line| !of_it(line)).cloned().chain(now).collect();
        if all == before { Ok(()) } else { pins::reject(&self.path, &all) }
    }
}

/// Lines of something new that are shown.
const SHOWN: usize = 40;
/// Bytes of an answer that are read.
const MOST_ANSWER: u64 = 1000;

/// Asks until somebody answers; the end of the input skips the rest.
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
            other => out.line(&format!("`{}` is no answer", report::clean(other)))?,
        }
    }
}
