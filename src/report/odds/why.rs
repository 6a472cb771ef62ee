//! Where an answer is decided, as text for people and as JSON.

mod page;

pub(super) use page::add;

use super::{Odds, Told, bar, float, label, number, scaled, short};
use crate::exact::{Label, Lean, Swing, Swings};
use crate::machine::Game;
use crate::play::odds::Why;
use crate::report::bounds::percents;
use crate::report::clean;
use crate::report::coverage::wrap;
use crate::report::sampled::value_text;
use crate::rules::ruleset::SiteSort;
use crate::value::*;
use serde_json::{Value, json};
use std::fmt::Write;

/// Rolls that are told to people.
const ROLLS: usize = 12;
/// Signs of a line of ids.
const WIDTH: usize = 110;
/// Signs of what a clause says that are told to people.
const WORDS: usize = 64;

/// What is told of the place where a roll is made.
struct Place<'t> {
    /// Its name, or the dice as they are written.
    name: &'t str,
    sort: &'static str,
    /// Whose roll it is; maybe empty.
    of: String,
    /// The item it stands in, its title and the clauses it is made under; empty for dice of an expression.
    item: &'t str,
    title: &'t str,
    cites: &'t [String],
}

fn place<'t>(odds: &'t Odds<'_>, swing: &Swing) -> Place<'t> {
    let (rules, site) = (&odds.game.program.schema, swing.site);
    let of = odds.game.packed_name(swing.subject);
    let written = odds.rolls.iter().find(|(at, _)| *at == site);
    let (func, name, sort, cites): (usize, &str, _, &[String]) = match rules.sites.get(site.at()) {
        Some(info) => (info.func.at(), &info.name, word(info.sort), &info.cites),
        // what an extern gives by odds
        None => (site.at() - rules.sites.len(), "", "extern", &[]),
    };
    let item = odds.game.program.functions.get(func).map(|f| (f.name.as_str(), &rules.items[f.item.at()]));
    match (written, item) {
        (Some((_, text)), _) => Place { name: text, sort, of, item: "", title: "", cites: &[] },
        (None, Some((owner, item))) => {
            let cites = if cites.is_empty() { &item.cites } else { cites };
            let name = if name.is_empty() { owner } else { name };
            Place { name, sort, of, item: &item.name, title: &item.title, cites }
        }
        (None, None) => Place { name, sort, of, item: "", title: "", cites },
    }
}

fn word(sort: SiteSort) -> &'static str {
    match sort {
        SiteSort::Roll => "roll",
        SiteSort::Reroll => "reroll",
        SiteSort::Explode => "explode",
        SiteSort::Draw => "draw",
        _ => "choice",
    }
}

impl Place<'_> {
    /// `dice of laans`.
    fn named(&self) -> String {
        if self.of.is_empty() { self.name.to_string() } else { format!("{} of {}", self.name, self.of) }
    }

    /// `roll dice of laans in LeadershipTest "Leadership test" [WL-4]`.
    fn told(&self) -> String {
        let mut text = format!("{} {}", self.sort, self.named());
        if !self.item.is_empty() && self.item != self.name {
            let _ = write!(text, " in {}", self.item);
        }
        clean(&(text + &titled(self.title, self.cites)))
    }
}

/// ` "Title" [WL-4, WL-5]`.
fn titled(title: &str, cites: &[String]) -> String {
    let title = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
    let cites = if cites.is_empty() { String::new() } else { format!(" [{}]", cites.join(", ")) };
    title + &cites
}

/// Rolls from the one that moves the answer most.
fn ranked(swings: &Swings) -> Vec<&Swing> {
    let mut list: Vec<&Swing> = swings.list.iter().collect();
    list.sort_by(|a, b| b.change.cmp(&a.change));
    list
}

/// A value of the answer: of a chance in percent.
fn value(ty: &Type, value: &Fraction) -> String {
    if *ty == Type::Flag { value.percent() } else { number(ty, value) }
}

/// A value as a fraction too, if that says more.
fn both(ty: &Type, of: &Fraction) -> String {
    let (exact, told) = (short(&scaled(ty, of)), value(ty, of));
    if exact == told { told } else { format!("{exact} = {told}") }
}

/// What moves one answer, for people.
pub fn rolls(odds: &Odds<'_>, told: &Told<'_>) -> String {
    let Some(why) = told.why else { return String::new() };
    let name = clean(told.text);
    let Some(swings) = &why.swings else {
        return format!("where {name} is decided: it is no number; ask for the chance of a condition\n");
    };
    // what is beyond the budget may be decided quite otherwise: nothing told of the rest bounds it
    let open = !swings.unexplored.is_zero();
    let trust = if open { "of what was explored only, no bounds" } else { label(why.label) };
    let rest = &(&Fraction::one() - &swings.unexplored) - &swings.lost;
    let part = match rest == Fraction::one() {
        true => String::new(),
        false => format!(", among the {} that were found to end well", rest.percent()),
    };
    let mut text = format!("where {name} is decided{part}  ({trust})\n");
    let (moving, still): (Vec<&Swing>, Vec<&Swing>) = ranked(swings).into_iter().partition(|s| !s.change.is_zero());
    let between = |(least, greatest): &(Fraction, Fraction)| {
        format!(", to between {} and {}", value(told.ty, least), value(told.ty, greatest))
    };
    for swing in moving.iter().take(ROLLS) {
        let _ = writeln!(text, "  {}", place(odds, swing).told());
        let made = if swing.made == Fraction::one() {
            "made once".to_string()
        } else {
            format!("made {} times", number(&Type::Ratio, &swing.made))
        };
        let _ = writeln!(
            text,
            "    moves it by {}{}; {} of its spread; {made}",
            both(told.ty, &swing.change),
            swing.range.as_ref().map_or(String::new(), between),
            swing.share.percent(),
        );
    }
    if moving.len() > ROLLS {
        let (mut change, mut share) = (Fraction::zero(), Fraction::zero());
        for swing in &moving[ROLLS..] {
            change += &swing.change;
            share += &swing.share;
        }
        let rest = moving.len() - ROLLS;
        let (change, share) = (both(told.ty, &change), share.percent());
        let _ = writeln!(text, "  and {rest} more rolls, that move it by {change} together; {share} of its spread");
    }
    if swings.list.is_empty() {
        text += if open { "  no roll was seen to move it\n" } else { "  nothing is rolled\n" };
    }
    let still: Vec<String> = still.iter().map(|s| clean(&place(odds, s).named())).collect();
    if !still.is_empty() {
        let head = if open { "rolls that were not seen to move it" } else { "rolls that do not move it" };
        let lines = wrap(&format!("{head}: {}", still.join(", ")), WIDTH);
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

/// What runs lean on, for people.
pub fn leans(game: &Game, why: &Why) -> String {
    let rules = &game.program.schema;
    let mut text = String::new();
    let (always, rest): (Vec<_>, Vec<_>) = why.clauses.iter().partition(|(_, l)| l.chance == Fraction::one());
    let mut rest: Vec<&(usize, Lean)> = rest;
    rest.sort_by(|a, b| b.1.chance.cmp(&a.1.chance));
    if !why.clauses.is_empty() {
        let _ = writeln!(text, "clauses it leans on  ({})", label(why.label));
        if !always.is_empty() {
            let ids: Vec<&str> = always.iter().map(|(n, _)| rules.register[*n].id.as_str()).collect();
            let lines = wrap(&format!("always: {}", ids.join(", ")), WIDTH);
            lines.iter().for_each(|line| text += &format!("  {line}\n"));
        }
        for (n, lean) in rest {
            let clause = &rules.register[*n];
            let _ = writeln!(text, "  {}  {} {}", chance(lean), clause.id, cut(&clean(&clause.says)));
        }
    }
    let (read, unread): (Vec<_>, Vec<_>) = why.readings.iter().partition(|(_, l)| !l.chance.is_zero());
    if !read.is_empty() {
        let _ = writeln!(text, "readings it leans on  ({})", label(why.label));
        for (id, lean) in read {
            let setting = &rules.settings[id.at()];
            let item = &rules.items[setting.item.at()];
            let value = reading(game, *id);
            let titled = clean(&titled(&item.title, &item.cites));
            let _ = writeln!(text, "  {}  {} = {value}{titled}", chance(lean), setting.name);
        }
    }
    if !unread.is_empty() {
        let runs = if why.label == Label::Exact { "no run" } else { "no run that was explored" };
        let _ = writeln!(text, "  asked for in {runs}: {} of {} readings", unread.len(), why.readings.len());
    }
    text
}

/// The beginning of a text, if it is long.
fn cut(text: &str) -> String {
    match text.char_indices().nth(WORDS) {
        Some((at, _)) => format!("{}...", text[..at].rsplit_once(' ').map_or(&text[..at], |(start, _)| start)),
        None => text.to_string(),
    }
}

/// A chance with its bar.
fn chance(lean: &Lean) -> String {
    let told = match lean.chance == lean.most {
        true => lean.chance.percent(),
        false => percents(&lean.chance, &lean.most).join(" to "),
    };
    format!("{told:>8} {:<24}", bar(&lean.chance, &Fraction::one()))
}

/// How a reading stands on this table.
fn reading(game: &Game, id: SettingId) -> String {
    let (at, width) = game.layout.settings[id.at()];
    let (cells, setting) = (&game.start.cells[at..at + width], &game.program.schema.settings[id.at()]);
    let known = setting.alternatives.iter().find(|(own, _)| own == cells);
    clean(&known.map_or_else(|| value_text(game, &setting.ty, cells), |(_, text)| text.clone()))
}

/// All this for programs.
pub fn json(odds: &Odds<'_>, told: &Told<'_>, why: &Why) -> Value {
    let rules = &odds.game.program.schema;
    let text = |value: &Fraction| json!(scaled(told.ty, value).to_string());
    let roll = |swing: &Swing| {
        let place = place(odds, swing);
        json!({
            "sort": place.sort,
            "name": place.name,
            "of": place.of,
            "in": place.item,
            "title": place.title,
            "clauses": place.cites,
            "made": swing.made.to_string(),
            "moves": text(&swing.change),
            "decimal": float(&scaled(told.ty, &swing.change)),
            "least": swing.range.as_ref().map_or(Value::Null, |(least, _)| text(least)),
            "greatest": swing.range.as_ref().map_or(Value::Null, |(_, greatest)| text(greatest)),
            "share": swing.share.to_string(),
        })
    };
    let with_chance = |mut object: Value, lean: &Lean| {
        if let Some(object) = object.as_object_mut() {
            object.insert("probability".into(), json!(lean.chance.to_string()));
            object.insert("decimal".into(), float(&lean.chance));
            if lean.chance != lean.most {
                object.insert("at_most".into(), json!(lean.most.to_string()));
            }
        }
        object
    };
    let clause = |(n, lean): &(usize, Lean)| {
        let clause = &rules.register[*n];
        with_chance(json!({ "id": clause.id, "section": clause.section, "says": clause.says }), lean)
    };
    let reading = |(id, lean): &(SettingId, Lean)| {
        let setting = &rules.settings[id.at()];
        let item = &rules.items[setting.item.at()];
        let head = json!({
            "name": setting.name, "value": reading(odds.game, *id), "title": item.title, "clauses": item.cites
        });
        with_chance(head, lean)
    };
    let swings = why.swings.as_ref();
    let open = swings.is_some_and(|s| !s.unexplored.is_zero());
    json!({
        // mean and rolls of the explored part bound nothing
        "label": if open { "explored only" } else { label(why.label) },
        "mean": swings.map_or(Value::Null, |s| text(&s.mean)),
        "lost": swings.map_or(Value::Null, |s| json!(s.lost.to_string())),
        "unexplored": swings.map_or(Value::Null, |s| json!(s.unexplored.to_string())),
        "rolls": swings.map_or(Value::Null, |s| ranked(s).into_iter().map(roll).collect()),
        "clauses": why.clauses.iter().map(clause).collect::<Vec<Value>>(),
        "readings": why.readings.iter().map(reading).collect::<Vec<Value>>(),
    })
}
