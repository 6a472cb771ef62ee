//! The commands of `grognard play`. Each takes a line and returns lines.

use super::super::mode::ModeArg;
use super::super::out::Stop;
use super::super::progress::Progress;
use super::super::why::near;
use super::{PlayArgs, keep, load};
use grognard_ask::Menu;
use grognard_base::{Diagnostic, Sources, did_you_mean};
use grognard_play::map::Map;
use grognard_play::record::{TraceDetail, render};
use grognard_play::session::{Pause, Refused, Session};
use grognard_play::why::{Provenance, Tests, Wanted, menus};
use grognard_report::plain_map::{map_key, plain_map};
use grognard_report::play::{self as rendered, EntryRow};
use grognard_report::{self as report, why};
use std::path::PathBuf;

/// Every command: its name, its form, and its effect.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("next", "next", "continue to the next decision (or press Enter); with `hand on`, to the next roll"),
    ("step", "step", "print one more line of the trace"),
    ("back", "back [N]", "undo the last command that advanced the run, or the last N"),
    ("choose", "choose N | NAME", "choose an entry of the menu; several are `choose 1 3`, a point is `choose 4 6.5`"),
    ("auto", "auto [N | all]", "let the policies of the players make one decision, N, or all"),
    ("roll", "roll 3 5 6", "set the next dice or the next drawn card; without faces, roll them"),
    ("hand", "hand on | off", "stop before each roll, or not"),
    ("odds", "odds [EXPR]", "print the odds of the report, or of EXPR, for each entry of the menu"),
    ("why", "why VALUE | why not ACTION", "explain a value, or why an action is unavailable"),
    ("state", "state", "list what changed since the start"),
    ("show", "show THING", "print all values of one thing"),
    ("map", "map", "draw the table"),
    ("menu", "menu", "print again what the run waits for"),
    ("trace", "trace [full | brief]", "print the whole trace, and set its detail"),
    ("save", "save FILE [--force]", "save the run as a scenario with its script, for `grognard run` and `test`"),
    ("help", "help", "list the commands"),
    ("quit", "quit", "exit"),
];

/// The answer of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The lines to print.
    pub lines: Vec<String>,
    /// Whether the run advanced or went back.
    pub moved: bool,
    /// Whether the command was refused or not understood.
    pub refused: bool,
    /// Whether the session ends.
    pub quit: bool,
}

impl Said {
    fn of(lines: Vec<String>) -> Said {
        Said { lines, ..Said::default() }
    }

    fn no(line: impl Into<String>) -> Said {
        Said { lines: vec![line.into()], refused: true, ..Said::default() }
    }
}

/// A session with the settings of the command line.
pub struct Desk<'a> {
    pub session: Session<'a>,
    /// The detail of the trace.
    pub detail: TraceDetail,
    pub(super) args: &'a PlayArgs,
    /// Files that this session has written.
    pub(super) saved: Vec<PathBuf>,
}

impl<'a> Desk<'a> {
    /// Creates a session at its start.
    pub fn new(session: Session<'a>, args: &'a PlayArgs) -> Desk<'a> {
        Desk { session, detail: TraceDetail::Brief, args, saved: Vec::new() }
    }

    /// Returns the trace so far.
    pub fn trace(&self) -> String {
        render(self.session.events(), self.detail)
    }

    pub fn command(&mut self, line: &str) -> Result<Said, Stop> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        Ok(match name_of(word) {
            "" | "next" => self.moved(|desk| desk.session.go_on()),
            "step" => self.moved(Desk::step),
            "back" => self.back(rest),
            "choose" if rest.is_empty() && !self.wants_point() => self.menu(),
            "choose" => self.moved(|desk| desk.session.choose_line(rest)),
            "auto" => self.auto(rest),
            "roll" if rest.is_empty() => self.moved(|desk| desk.session.next_roll()),
            "roll" => {
                let faces = rest.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_string);
                let faces: Vec<String> = faces.collect();
                self.moved(|desk| desk.session.roll(&faces))
            }
            "hand" => self.hand(rest),
            "odds" => self.odds(rest)?,
            "why" => self.why(rest)?,
            "state" => Said::of(rendered::position(&self.session.scenario().game, &self.session.state())),
            "show" => self.show(rest),
            "map" => self.draw(),
            "menu" => self.menu(),
            "trace" => self.tell(rest),
            "save" => self.save(rest, false)?,
            "save!" => self.save(rest, true)?,
            "help" => help(),
            "quit" => Said { quit: true, ..Said::default() },
            other => {
                let near = did_you_mean(other, COMMANDS.iter().map(|(name, ..)| *name));
                let near = if near.is_empty() { "; `help` lists them".to_string() } else { near };
                Said::no(format!("`{other}` is not a command{near}"))
            }
        })
    }

    fn moved(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Refused>) -> Said {
        match work(self) {
            Ok(()) => Said { moved: true, ..Said::default() },
            Err(refused) => Said::no(words(&refused)),
        }
    }

    /// Advances by one line of the trace, or to the next stop.
    fn step(&mut self) -> Result<(), Refused> {
        let before = self.trace();
        self.session.step()?;
        while !self.session.caught_up() && self.trace() == before {
            self.session.step_on();
        }
        Ok(())
    }

    fn wants_point(&self) -> bool {
        self.session.decision().is_some_and(|decision| decision.question.point)
    }

    fn back(&mut self, rest: &str) -> Said {
        match if rest.is_empty() { Ok(1) } else { rest.parse() } {
            Ok(n) => self.moved(|desk| desk.session.back(n).map(|_| ())),
            Err(_) => Said::no(format!("`back` takes a number of commands, not `{rest}`")),
        }
    }

    fn auto(&mut self, rest: &str) -> Said {
        let decisions = match rest {
            "" => Ok(1),
            "all" => Ok(u64::MAX),
            number => number.parse().map_err(|_| ()),
        };
        match decisions {
            Ok(0) | Err(()) => Said::no(format!("`auto` takes a number of decisions or `all`, not `{rest}`")),
            Ok(decisions) => self.moved(|desk| desk.session.auto(decisions)),
        }
    }

    fn hand(&mut self, rest: &str) -> Said {
        match rest {
            "on" | "off" => self.session.by_hand = rest == "on",
            "" => {}
            other => return Said::no(format!("`hand` must be on or off, not `{other}`")),
        }
        let now = if self.session.by_hand { "before decisions and rolls" } else { "before decisions" };
        Said::of(vec![format!("the run stops {now}")])
    }

    fn menu(&self) -> Said {
        Said::of(rendered::pause(&self.session))
    }

    fn show(&self, name: &str) -> Said {
        let game = &self.session.scenario().game;
        match rendered::thing(game, &self.session.state(), name) {
            Some(lines) => Said::of(lines),
            None if name.is_empty() => Said::no("name a thing: `show THING`"),
            None => {
                let near = did_you_mean(name, game.names.iter().flatten().map(String::as_str));
                Said::no(format!("`{name}` is not on the table{near}"))
            }
        }
    }

    fn draw(&self) -> Said {
        let Some(mut map) = Map::of(self.session.scenario(), "") else {
            return Said::no("nothing in this scenario has a position on the table");
        };
        map.follow(self.session.events());
        let mut lines = plain_map(&map, 72, 30);
        lines.extend(map_key(&map));
        Said::of(lines)
    }

    fn tell(&mut self, rest: &str) -> Said {
        match rest {
            "full" => self.detail = TraceDetail::Full,
            "brief" => self.detail = TraceDetail::Brief,
            "" => {}
            other => return Said::no(format!("`trace` must be `full` or `brief`, not `{other}`")),
        }
        Said::of(self.trace().lines().map(str::to_string).collect())
    }

    /// Runs `work` with another report for the same run, or returns the errors of that report.
    fn asking<R>(&self, of: &str, work: impl FnOnce(&Session<'_>) -> R) -> Result<Result<R, Said>, Stop> {
        let mut sources = Sources::default();
        match load(self.args, &[of.to_string()], &mut sources) {
            Ok(scenario) => Ok(Ok(work(&self.session.asked(&scenario, &sources)))),
            Err(Stop::Found(found, sources, _)) => Ok(Err(wrong(&found, &sources))),
            Err(stop) => Err(stop),
        }
    }

    // ---------------------------------------------------------------- odds

    fn odds(&self, rest: &str) -> Result<Said, Stop> {
        if rest.is_empty() {
            return odds_of(&self.session, self.args);
        }
        self.asking(rest, |session| odds_of(session, self.args))?.unwrap_or_else(Ok)
    }

    // ---------------------------------------------------------------- why

    fn why(&self, rest: &str) -> Result<Said, Stop> {
        let (not, question) = match rest.strip_prefix("not ") {
            Some(question) => (true, question.trim()),
            None => (false, rest),
        };
        if question.is_empty() {
            return Ok(Said::no("name a value or an action: `why VALUE` or `why not ACTION`"));
        }
        if let Some(wanted) = Wanted::read(question) {
            return Ok(self.why_not(question, &wanted));
        }
        let rendered = self.asking(question, |session| {
            let found = session.provenance();
            near(session.scenario(), &found, question, not).map(|answer| why::human(&found, &answer, false))
        })?;
        Ok(match rendered {
            Ok(text) => Said::of(text?.lines().map(str::to_string).collect()),
            Err(said) => said,
        })
    }

    fn why_not(&self, question: &str, wanted: &Wanted) -> Said {
        if let Some(unknown) = wanted.unknown(self.session.scenario()) {
            return Said::no(unknown);
        }
        let mut lines = Vec::new();
        if let Some(decision) = self.session.decision() {
            let refused = decision.refused.iter().filter(|refused| wanted.fits(&refused.instance));
            lines.extend(refused.map(|refused| {
                let clauses = refused.clauses.join(" ");
                let clauses = if clauses.is_empty() { String::new() } else { format!("  [{clauses}]") };
                report::clean(&format!("now refused: {}: {}{clauses}", refused.instance, refused.why))
            }));
            let entries = decision.question.entries.iter().enumerate();
            let offered = entries.filter(|(_, entry)| entry.split('(').next() == Some(wanted.action.as_str()));
            lines.extend(offered.map(|(n, entry)| report::clean(&format!("now offered: {}  {entry}", n + 1))));
        }
        let events = self.session.events().to_vec();
        let phases = wanted.phases(self.session.scenario());
        let before = menus(&events, wanted, &phases);
        if lines.is_empty() || !before.is_empty() {
            let over = self.session.outcome().is_some();
            let found = Provenance { events, start: None, changes: Vec::new(), tests: Tests::default(), over };
            let answer = why::WhyAnswer::Action { text: question, menus: before, phases };
            lines.extend(why::human(&found, &answer, false).lines().map(str::to_string));
        }
        Said::of(lines)
    }

    // ---------------------------------------------------------------- save

    fn save(&mut self, rest: &str, force: bool) -> Result<Said, Stop> {
        let (file, force) = match rest.strip_suffix("--force").map(str::trim_end) {
            Some(file) => (file, true),
            None => (rest, force),
        };
        if file.is_empty() {
            return Ok(Said::no("name a file: `save FILE.toml`"));
        }
        match keep::save(self, &PathBuf::from(file), force) {
            Ok(lines) => Ok(Said::of(lines)),
            Err(Stop::Failed(why)) => Ok(Said::no(why)),
            Err(stop) => Err(stop),
        }
    }
}

/// Returns the command with this name, or with this unique prefix.
fn name_of(word: &str) -> &str {
    let short = [("n", "next"), ("s", "step"), ("b", "back"), ("c", "choose"), ("q", "quit"), ("?", "help")];
    if let Some((_, name)) = short.iter().find(|(key, _)| *key == word) {
        return name;
    }
    if COMMANDS.iter().any(|(name, ..)| *name == word) || word.is_empty() {
        return word;
    }
    let mut begins = COMMANDS.iter().filter(|(name, ..)| name.starts_with(word));
    match (begins.next(), begins.next()) {
        (Some((name, ..)), None) => name,
        _ => word,
    }
}

fn help() -> Said {
    let wide = COMMANDS.iter().map(|(_, form, _)| form.len()).max().unwrap_or(0);
    Said::of(COMMANDS.iter().map(|(_, form, what)| format!("{form:wide$}  {what}")).collect())
}

fn wrong(found: &[Diagnostic], sources: &Sources) -> Said {
    let text = report::render(found, sources, report::Format::Short);
    Said { lines: text.lines().map(str::to_string).collect(), refused: true, ..Said::default() }
}

fn words(refused: &Refused) -> String {
    match refused {
        Refused::Decides => "a decision is pending: use `choose N`, or `auto` for the policy of the player".into(),
        Refused::NoDecision => "no decision is pending; `next` continues to the next one".into(),
        Refused::NoRoll => "no roll is pending; use `hand on` to stop before each roll, and `next` to continue".into(),
        Refused::Over => "the run is over; `back` undoes the last command, `save FILE` saves the run".into(),
        Refused::NotOffered(line) => format!("`{line}` is not on the menu; `menu` shows it"),
        Refused::Several(line, first, last) => {
            format!("several entries begin with `{line}`, from {first} to {last}; write a number")
        }
        Refused::Rules(why) => report::clean(why),
        Refused::AtStart => "this is the start".into(),
    }
}

/// Returns the odds for each entry of the menu.
fn odds_of(session: &Session<'_>, args: &PlayArgs) -> Result<Said, Stop> {
    if session.scenario().plan.report.is_empty() {
        return Ok(Said::no("the scenario has no `[report]`; name a measure: `odds EXPR`"));
    }
    if !session.caught_up() {
        return Ok(Said::no("some events are not printed yet; `next` continues to the next stop"));
    }
    let (entries, more) = session.entries();
    if entries.is_empty() {
        return Ok(Said::of(rendered::pause(session)));
    }
    let question = args.cost.question(ModeArg::Auto)?;
    let mut rows: Vec<EntryRow> = Vec::new();
    let asked = Menu { budget: question.budget.clone() };
    let answered = asked.answer(session, &entries, &|| !Progress::pressed(), &mut |entry, found| {
        rows.push(rendered::row(session, entry, &found));
        question.again();
    });
    if let Err(fault) = answered {
        return Ok(Said::no(report::clean(&format!("{}: {}", fault.code, fault.message))));
    }
    drop(question);
    let left = more + entries.len() - rows.len();
    let mut lines = rendered::table(session, &rows);
    if left > 0 {
        lines.push(format!("  and {left} more entries, which were not evaluated"));
    }
    if Progress::pressed() {
        Progress::forget();
    }
    if let (Some(Pause::Decision(decision)), true) = (session.pause(), entries.iter().all(|e| e.answer.is_none())) {
        let what = if decision.question.point { "end points of a move" } else { "answers with several entries" };
        lines.push(format!(
            "  {what} are not evaluated separately: these are the odds if the player's own policy decides"
        ));
    }
    Ok(Said::of(lines))
}
