//! Formats an interactive session as text: the pending decision or roll, the odds of each entry, the position, and single things.

use super::bounds::percents;
use super::clean;
use super::odds::{number, numbers, place_of as place};
use super::sampled::{Unit, value_text};
use grognard_base::value::*;
use grognard_odds::{Label, Worth};
use grognard_play::odds::OddsAnswer;
use grognard_play::session::{AwaitedDecision, Entry, Found, Pause, Session};
use grognard_rules::ruleset::FieldSort;
use grognard_scenario::{Figure, FigureSort};
use grognard_stats::stats::{Level, wilson};
use grognard_vm::{Game, Pure, State, call_onward, granted};

/// Maximum number of refused entries that are listed below a menu.
const REFUSED: usize = 8;

/// Returns the lines about the current pause: the decision or roll, its numbered entries, and refused entries.
pub fn pause(session: &Session<'_>) -> Vec<String> {
    let lines = match session.pause() {
        None if session.outcome().is_some() => ended(session),
        None => vec![".. more events: `step` or `next` prints them".to_string()],
        Some(Pause::Decision(decision)) => menu(decision),
        Some(Pause::Roll(roll)) => {
            let dice: Vec<String> =
                roll.dice.iter().map(|(n, die)| if *n == 1 { die.clone() } else { format!("{n} of {die}") }).collect();
            let again = if roll.again { " again" } else { "" };
            vec![format!("the dice are next: {}{}, {}{again}", roll.name, of(&roll.of), dice.join(" + "))]
        }
        Some(Pause::Draw(draw)) => {
            vec![format!("a draw is next: {}{}, {} of {}", draw.name, of(&draw.of), draw.count, draw.among.join(", "))]
        }
    };
    lines.iter().map(|line| clean(line)).collect()
}

fn of(whose: &str) -> String {
    if whose.is_empty() { String::new() } else { format!(" of {whose}") }
}

fn menu(decision: &AwaitedDecision) -> Vec<String> {
    let question = &decision.question;
    let who = if question.player.is_empty() { "a player".to_string() } else { question.player.clone() };
    let how = match question.several {
        Some((least, most)) if least == most => format!(", {least} of these"),
        Some((least, most)) => format!(", {least} to {most} of these"),
        None if question.point => ", a point x y; `choose` without a point uses the default".to_string(),
        None => String::new(),
    };
    let mut lines = vec![format!("{who} decides `{}`{}{how}", question.name, of(&question.subject))];
    lines.extend(question.entries.iter().enumerate().map(|(n, entry)| format!("  {}  {entry}", n + 1)));
    let could: Vec<_> = decision.refused.iter().filter(|refused| !refused.never).collect();
    for refused in could.iter().take(REFUSED) {
        lines.push(format!("  -  {}: {}", refused.instance, refused.why));
    }
    if could.len() > REFUSED {
        lines.push(format!("  -  and {} more refused; `why not ACTION` explains each", could.len() - REFUSED));
    }
    if !decision.unable.is_empty() {
        lines.push(format!("no policy can answer it: {}", decision.unable));
    }
    lines
}

/// Returns the lines about the end of a run: its report and its failed expectations.
fn ended(session: &Session<'_>) -> Vec<String> {
    let Some(outcome) = session.outcome() else { return Vec::new() };
    let scenario = session.scenario();
    let mut lines = vec!["the run is over".to_string()];
    for (figure, cells) in scenario.plan.report.iter().zip(&outcome.figures) {
        let Some(cells) = cells else { continue };
        lines.push(format!("{} = {}", figure.text, value_text(&scenario.game, &figure.asked.ty, cells)));
    }
    lines.extend(outcome.problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message)));
    lines
}

// -------------------------------------------------------------------- odds

/// Returns whether a measure is shown as a share.
fn is_share(figure: &Figure) -> bool {
    figure.sort == FigureSort::Chance || figure.asked.ty == Type::Flag
}

/// Returns the heading of a measure, such as `chance b.gone` or `mean a.men`.
pub fn heading(figure: &Figure) -> String {
    let sort = match &figure.asked.ty {
        _ if is_share(figure) => "chance ",
        Type::Int(_) | Type::Length | Type::Ratio => "mean ",
        _ => "",
    };
    clean(&format!("{sort}{}", figure.text))
}

/// Formats an exact result in a few characters. Bounds are marked with `≥` and `≤`.
pub fn cell(game: &Game, figure: &Figure, answer: &OddsAnswer) -> String {
    let ty = &figure.asked.ty;
    let whole = answer.label != Label::Bounded;
    match (&answer.found, &answer.mean, &answer.between) {
        (Some(found), ..) if is_share(figure) => {
            let [low, high] = found.chance_between(|cells| cells.first() == Some(&1));
            if whole {
                let text = low.to_string();
                let fraction = if low != high || text.len() > 12 { String::new() } else { format!("{text} = ") };
                return format!("{fraction}{}", low.percent());
            }
            let [low, high] = percents(&low, &high);
            format!("\u{2265} {low}, \u{2264} {high}")
        }
        (_, Some(mean), _) if whole => number(ty, mean),
        (_, _, Some((low, _))) if whole => number(ty, low),
        (_, _, Some((low, high))) => {
            let [low, high] = numbers(ty, (low, high));
            format!("\u{2265} {low}, \u{2264} {high}")
        }
        (Some(found), ..) if whole => {
            let likeliest = found.outcomes.iter().max_by_key(|outcome| found.share(outcome));
            let Some(outcome) = likeliest else { return "-".to_string() };
            let words = match &outcome.worth {
                Worth::Cells(cells) => value_text(game, ty, cells),
                Worth::Fault(fault) => format!("error {}", fault.code),
                Worth::Never => "never ends".to_string(),
            };
            format!("{words} in {}", found.share(outcome).percent())
        }
        _ => "not known".to_string(),
    }
}

/// Formats a measure from sampled runs.
pub fn sampled_cell(game: &Game, figure: &Figure, cells: &[Option<Vec<i64>>]) -> String {
    let ty = &figure.asked.ty;
    let known: Vec<&Vec<i64>> = cells.iter().flatten().collect();
    if known.is_empty() {
        return "in no run".to_string();
    }
    let runs = known.len() as u64;
    if is_share(figure) {
        let held = known.iter().filter(|cells| cells.first() == Some(&1)).count() as u64;
        let share = &Fraction::whole(held as i64) / &Fraction::whole(runs as i64);
        let ends = wilson(held, runs, Level::USUAL);
        return Unit::Percent.rendered(Some(share.float()), ends, Level::USUAL.name);
    }
    let value = |cells: &Vec<i64>| match (ty, cells.as_slice()) {
        (Type::Int(_) | Type::Length, [n, ..]) if *n != NONE => Some(Fraction::whole(*n)),
        (Type::Ratio, [num, den, ..]) => Ratio::new(*num, *den).map(Fraction::from),
        _ => None,
    };
    let values: Option<Vec<Fraction>> = known.iter().map(|cells| value(cells)).collect();
    match values {
        Some(values) => {
            let sum = values.iter().fold(Fraction::zero(), |sum, value| &sum + value);
            format!("about {}", number(ty, &(&sum / &Fraction::whole(runs as i64))))
        }
        None => {
            let mut seen: Vec<(&Vec<i64>, usize)> = Vec::new();
            for cells in known {
                match seen.iter_mut().find(|(other, _)| *other == cells) {
                    Some((_, times)) => *times += 1,
                    None => seen.push((cells, 1)),
                }
            }
            let most = seen.iter().max_by_key(|(_, times)| *times);
            most.map_or(String::new(), |(cells, times)| format!("{} in {times} runs", value_text(game, ty, cells)))
        }
    }
}

/// The odds of one entry: a cell for each measure, and the method.
pub struct EntryRow {
    pub entry: Entry,
    /// The value of each measure.
    pub cells: Vec<String>,
    /// The method: `exact`, `proven`, `bounded`, or `sampled, 400 runs`.
    pub label: String,
}

/// Returns the row of one entry.
pub fn row(session: &Session<'_>, entry: &Entry, found: &Found) -> EntryRow {
    let scenario = session.scenario();
    let figures = scenario.plan.report.iter();
    let (cells, label): (Vec<String>, String) = match &found.shares {
        Some(shares) => {
            let cells = figures.zip(&shares.figures).map(|(figure, cells)| sampled_cell(&scenario.game, figure, cells));
            let faults = shares.faults;
            let faults = if faults > 0 { format!(", {faults} ended in an error") } else { String::new() };
            (cells.collect(), format!("sampled, {} runs{faults}", shares.runs))
        }
        None => {
            let cells = figures.zip(&found.answers).map(|(figure, answer)| match answer {
                Ok(answer) => cell(&scenario.game, figure, answer),
                Err(fault) => format!("{}: {}", fault.code, fault.message),
            });
            (cells.collect(), super::odds::label(found.label()).to_string())
        }
    };
    EntryRow { entry: entry.clone(), cells: cells.iter().map(|cell| clean(cell)).collect(), label }
}

/// Formats rows as the lines of a table.
pub fn table(session: &Session<'_>, rows: &[EntryRow]) -> Vec<String> {
    let heads: Vec<String> = session.scenario().plan.report.iter().map(heading).collect();
    let name = |n: usize, row: &EntryRow| match row.entry.words.as_str() {
        "" => "from here".to_string(),
        words => clean(&format!("{}  {words}", n + 1)),
    };
    let names: Vec<String> = rows.iter().enumerate().map(|(n, row)| name(n, row)).collect();
    let wide = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let first = wide(&mut names.iter().map(|name| name.chars().count()));
    let widths: Vec<usize> = (0..heads.len())
        .map(|n| wide(&mut rows.iter().map(|row| &row.cells[n]).chain([&heads[n]]).map(|text| text.chars().count())))
        .collect();
    let line = |name: &str, cells: &[String], label: &str| {
        let mut text = format!("  {name:first$}");
        for (cell, width) in cells.iter().zip(&widths) {
            text += &format!("  {cell:width$}");
        }
        format!("{text}  {label}").trim_end().to_string()
    };
    let head = line("", &heads, "");
    let body = names.iter().zip(rows).map(|(name, row)| line(name, &row.cells, &format!("({})", row.label)));
    std::iter::once(head).chain(body).collect()
}

// -------------------------------------------------------------------- the position

/// Returns the values that differ from the start.
pub fn position(game: &Game, state: &State) -> Vec<String> {
    let rendered: Vec<String> = place(game, state).iter().map(|(name, value)| format!("{name} {value}")).collect();
    if rendered.is_empty() { vec!["nothing has changed since the start".to_string()] } else { rendered }
}

/// Returns the lines about one thing: its position, fields and statuses. Returns `None` if no thing has this name.
pub fn thing(game: &Game, state: &State, name: &str) -> Option<Vec<String>> {
    let (kind, thing) = game.thing(name)?;
    let info = &game.program.schema.kinds[kind.at()];
    let mut lines = vec![format!("{} {name}", info.name)];
    if state.cells.get(game.layout.kinds[kind.at()].alive + thing as usize) == Some(&0) {
        lines.push("  is not in play".to_string());
    }
    if let Some(body) = game.body(state, kind, thing) {
        let facing = angle(body.facing);
        lines.push(format!("  at ({}, {}), faces {facing}", length(body.at.x), length(body.at.y)));
    }
    for (id, value) in figures(game, state, kind, thing) {
        lines.push(format!("  {} {value}", game.program.schema.fields[id.at()].name));
    }
    let statuses = granted(game, state).into_iter().filter(|(_, bearer)| bearer == name);
    lines.extend(statuses.map(|(status, _)| format!("  has {status}")));
    Some(lines.iter().map(|line| clean(line)).collect())
}

/// Returns the fields of a thing that have a printable value, as text.
pub fn figures(game: &Game, state: &State, kind: KindId, thing: i64) -> Vec<(FieldId, String)> {
    let fields = &game.program.schema.kinds[kind.at()].fields;
    fields.iter().filter_map(|id| Some((*id, figure(game, state, *id, thing)?))).collect()
}

/// Returns a field of a thing as text, or `None` if the field has keys or cannot be evaluated here.
fn figure(game: &Game, state: &State, id: FieldId, thing: i64) -> Option<String> {
    let field = &game.program.schema.fields[id.at()];
    let mut aside = state.clone();
    if let FieldSort::Let(func) = field.sort {
        let mut pure = Pure::pure(game);
        if !field.keys.is_empty() {
            return None;
        }
        call_onward(game, &mut aside, &mut pure, func, &[thing]).ok()?;
        let width = game.program.schema.width(&field.ty);
        let cells = aside.stack.get(..width)?.to_vec();
        return Some(game.tell(&aside, &field.ty, &cells));
    }
    let layout = game.layout.fields[id.at()];
    if !field.keys.is_empty() || layout.figures != 1 {
        return None;
    }
    let at = game.layout.field(id, thing, 0);
    Some(game.tell_stored(state, &field.ty, layout, at))
}
