//! What stands on the full screen, and where: a picture of a model, which knows nothing of terminals.

use super::super::{Desk, Said};
use super::large_enough;
use grognard_play::map::Map;
use grognard_play::session::Pause;
use grognard_report::clean;
use grognard_report::plain_map::{map_key, plain_map};
use grognard_report::play::{self as told, EntryRow};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

/// Where the columns of a wide terminal begin.
const WIDE: u16 = 150;

/// Everything that is shown.
#[derive(Default)]
pub struct Shown {
    /// Lines of the trace.
    pub trace: Vec<String>,
    /// What the last command answered; it covers the trace until it is put away.
    pub answer: Vec<String>,
    /// A word about the last command.
    pub word: String,
    /// The table.
    pub map: Option<Map>,
    /// What the run waits for: its first line, and its entries.
    pub menu: Vec<String>,
    /// How many of these lines are entries that can be taken one by one.
    pub entries: usize,
    /// The entry that is chosen.
    pub at: usize,
    /// Odds of the entries, as far as they are known.
    pub odds: Vec<EntryRow>,
    /// More of them are being worked out.
    pub seeks: bool,
    /// How the odds are called.
    pub heads: Vec<String>,
    /// What was typed.
    pub input: String,
    /// A command is at work.
    pub busy: bool,
    /// The last command moved the run.
    pub moved: bool,
    /// Lines the trace is scrolled up.
    up: usize,
    /// The answer has not been shown yet.
    fresh: bool,
    /// Lines of the trace that fit.
    page: usize,
}

impl Shown {
    /// A session as it stands.
    pub fn of(desk: &Desk<'_>) -> Shown {
        let mut shown = Shown::default();
        shown.renew(desk, &Said { moved: true, ..Said::default() });
        shown
    }

    /// The same after a command.
    pub fn renew(&mut self, desk: &Desk<'_>, said: &Said) {
        let clean_all = |lines: Vec<String>| lines.iter().map(|line| clean(line)).collect::<Vec<String>>();
        self.busy = false;
        self.moved = said.moved;
        self.word.clear();
        self.answer.clear();
        match said.lines.as_slice() {
            [] => {}
            [one] => self.word = clean(one),
            all => self.answer = clean_all(all.to_vec()),
        }
        (self.up, self.fresh) = (0, true);
        self.trace = clean_all(desk.trace().lines().map(str::to_string).collect());
        self.menu = clean_all(told::pause(&desk.session));
        let single = |pause: &Pause| match pause {
            Pause::Decision(decision) if decision.question.several.is_none() => decision.question.entries.len(),
            _ => 0,
        };
        self.entries = desk.session.pause().map_or(0, single);
        if said.moved {
            self.map = desk.map();
            self.heads = desk.session.scenario().plan.report.iter().map(told::heading).collect();
            self.at = 0;
            self.odds.clear();
        }
    }

    /// The number of the chosen entry, if there is a menu.
    pub fn chosen(&self) -> Option<usize> {
        (self.entries > 0).then_some(self.at + 1)
    }

    /// Chooses another entry.
    pub fn select(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.entries.saturating_sub(1));
    }

    /// Scrolls the trace by a page.
    pub fn scroll(&mut self, pages: isize) {
        let by = pages.saturating_mul(self.page.max(1) as isize);
        self.up = self.up.saturating_add_signed(by.saturating_neg());
    }
}

/// Draws it.
pub fn draw(frame: &mut Frame<'_>, shown: &mut Shown) {
    let area = frame.area();
    if !large_enough((area.width, area.height)) {
        let word = "this terminal is too small; make it larger, or leave with Ctrl-C and come back with --plain";
        frame.render_widget(Paragraph::new(wrapped(word, area.width).join("\n")), area);
        return;
    }
    let [above, input, keys] =
        Layout::vertical([Constraint::Min(1), Constraint::Length(1), Constraint::Length(1)]).areas(area);
    let (trace, map, menu) = parts(above, shown.map.is_some());
    draw_trace(frame, trace, shown);
    if let (Some(area), Some(map)) = (map, &shown.map) {
        draw_map(frame, area, map);
    }
    draw_menu(frame, menu, shown);
    let word = if shown.busy { "working .. (Esc stops it)".to_string() } else { shown.word.clone() };
    let line = if shown.input.is_empty() && !word.is_empty() { word } else { format!("> {}", shown.input) };
    frame.render_widget(Paragraph::new(end_of(&line, area.width)), input);
    let hint = match (shown.entries > 0, shown.answer.is_empty()) {
        (_, false) => "Esc closes  PgUp PgDn scroll  Ctrl-C quits",
        (true, _) => "Enter takes  \u{2191}\u{2193} menu  \u{2190} back  PgUp PgDn scroll  F1 help  Ctrl-C quits",
        (false, _) => "Enter goes on  \u{2192} step  \u{2190} back  PgUp PgDn scroll  F1 help  Ctrl-C quits",
    };
    let dim = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Paragraph::new(Line::styled(hint, dim)), keys);
}

/// Where trace, map and menu stand.
fn parts(area: Rect, map: bool) -> (Rect, Option<Rect>, Rect) {
    if area.width >= WIDE {
        let [trace, right] = Layout::horizontal([Constraint::Length(104), Constraint::Min(40)]).areas(area);
        if !map {
            return (trace, None, right);
        }
        let [map, menu] = Layout::vertical([Constraint::Percentage(55), Constraint::Min(8)]).areas(right);
        return (trace, Some(map), menu);
    }
    let [trace, below] = Layout::vertical([Constraint::Percentage(48), Constraint::Min(8)]).areas(area);
    if !map {
        return (trace, None, below);
    }
    let [map, menu] = Layout::horizontal([Constraint::Percentage(38), Constraint::Min(30)]).areas(below);
    (trace, Some(map), menu)
}

fn draw_trace(frame: &mut Frame<'_>, area: Rect, shown: &mut Shown) {
    let answered = !shown.answer.is_empty();
    let block = Block::bordered().title(if answered { " answer " } else { " trace " });
    let inside = block.inner(area);
    let lines = if answered { &shown.answer } else { &shown.trace };
    let lines: Vec<String> = lines.iter().flat_map(|line| wrapped(line, inside.width)).collect();
    let page = usize::from(inside.height);
    shown.page = page.saturating_sub(1);
    let most = lines.len().saturating_sub(page);
    // an answer is read from its beginning, a trace from its end
    shown.up = if answered && shown.fresh { most } else { shown.up.min(most) };
    shown.fresh = false;
    let from = most - shown.up;
    let text: Vec<Line<'_>> = lines.into_iter().skip(from).take(page).map(Line::from).collect();
    frame.render_widget(Paragraph::new(text).block(block), area);
}

fn draw_map(frame: &mut Frame<'_>, area: Rect, map: &Map) {
    let block = Block::bordered().title(" map ");
    let inside = block.inner(area);
    let (columns, rows) = (usize::from(inside.width), usize::from(inside.height));
    // the key takes what the picture leaves
    let key = map_key(map);
    let picture = plain_map(map, columns, rows.saturating_sub(1 + key.len().min(rows / 3)).max(4));
    let lines = picture.iter().chain(&key).take(rows).map(|line| Line::from(end_cut(line, inside.width)));
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

fn draw_menu(frame: &mut Frame<'_>, area: Rect, shown: &Shown) {
    let block = Block::bordered().title(if shown.seeks { " menu, odds are being worked out " } else { " menu " });
    let inside = block.inner(area);
    let mut lines: Vec<(String, bool)> = Vec::new();
    for (n, line) in shown.menu.iter().enumerate() {
        // the first line says what is decided
        let entry = n.checked_sub(1).filter(|n| *n < shown.entries);
        let chosen = entry.is_some_and(|n| n == shown.at);
        lines.extend(wrapped(line, inside.width).into_iter().map(|line| (line, chosen)));
        if let Some(row) = entry.and_then(|n| shown.odds.get(n)) {
            for (head, cell) in shown.heads.iter().zip(&row.cells) {
                let told = format!("       {head} {cell} ({})", row.label);
                lines.extend(wrapped(&told, inside.width).into_iter().map(|line| (line, false)));
            }
        }
    }
    let rows = usize::from(inside.height);
    let chosen = lines.iter().rposition(|(_, chosen)| *chosen).unwrap_or(0);
    let from = (chosen + 3).saturating_sub(rows).min(lines.len().saturating_sub(rows));
    let styled = |(line, chosen): (String, bool)| {
        let style = if chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        Line::styled(line, style)
    };
    let text: Vec<Line<'_>> = lines.into_iter().skip(from).take(rows).map(styled).collect();
    frame.render_widget(Paragraph::new(text).block(block), area);
}

/// A line in pieces that fit, cut between words where there are any; pieces behind the first are indented as it is, and more.
fn wrapped(line: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(20));
    let line = line.trim_end();
    let indent = line.chars().take_while(|c| *c == ' ').count().min(width / 2);
    let mut out = Vec::new();
    let mut now = String::new();
    for word in line.split_inclusive(' ') {
        for piece in chunks(word, width.saturating_sub(indent + 4).max(8)) {
            if now.chars().count() + piece.trim_end().chars().count() > width && !now.trim().is_empty() {
                out.push(std::mem::replace(&mut now, " ".repeat(indent + 4)).trim_end().to_string());
                // blanks between columns are no use in front of a line
                if piece.trim().is_empty() {
                    continue;
                }
            }
            now.push_str(&piece);
        }
    }
    if !now.trim().is_empty() || out.is_empty() {
        out.push(now.trim_end().to_string());
    }
    out
}

/// A word in pieces of so many characters.
fn chunks(word: &str, width: usize) -> Vec<String> {
    let chars: Vec<char> = word.chars().collect();
    chars.chunks(width).map(|piece| piece.iter().collect()).collect()
}

/// The end of a line that is too long.
fn end_of(line: &str, width: u16) -> String {
    let over = line.chars().count().saturating_sub(usize::from(width));
    line.chars().skip(over).collect()
}

/// The beginning of a line that is too long.
fn end_cut(line: &str, width: u16) -> String {
    line.chars().take(usize::from(width)).collect()
}
