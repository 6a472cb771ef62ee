//! Reports the causes of a result: the effect of each roll, and the clauses and readings that runs depend on.

use super::{Asked, Odds, float, how, label, millionths, number, scaled, short};
use crate::bounds::percents;
use crate::clean;
use crate::finding::{Cell, Finding, Table};
use crate::page::{How, IntervalRow, Intervals, MILLION, Number};
use crate::sampled::{Unit, value_text};
use grognard_base::order;
use grognard_base::value::*;
use grognard_odds::{Label, Lean, Swing, Swings};
use grognard_play::odds::Why;
use grognard_rules::ruleset::SiteSort;
use grognard_vm::Game;
use serde_json::{Value, json};
use std::fmt::Write;

/// Maximum number of rolls in human-readable output.
const ROLLS: usize = 12;
/// Maximum length of the text of a clause in human-readable output, in bytes.
const WORDS: usize = 64;

/// The origin of a roll.
struct RollPlace<'t> {
    /// The name of the roll, or the dice as written.
    name: &'t str,
    sort: &'static str,
    /// The thing that rolls, or an empty string.
    of: String,
    /// The item that contains the roll, its title and the clauses of the roll. Empty for dice of an expression.
    item: &'t str,
    title: &'t str,
    cites: &'t [String],
}

fn place<'t>(odds: &'t Odds<'_>, swing: &Swing) -> RollPlace<'t> {
    let (rules, site) = (&odds.game.program.schema, swing.site);
    let of = odds.game.packed_name(swing.subject);
    let written = odds.rolls.iter().find(|(at, _)| *at == site);
    let (func, name, sort, cites): (usize, &str, _, &[String]) = match rules.sites.get(site.at()) {
        Some(info) => (info.func.at(), &info.name, word(info.sort), &info.cites),
        // A roll for an extern that has odds.
        None => (site.at() - rules.sites.len(), "", "extern", &[]),
    };
    let item = odds.game.program.functions.get(func).map(|f| (f.name.as_str(), &rules.items[f.item.at()]));
    match (written, item) {
        (Some((_, text)), _) => RollPlace { name: text, sort, of, item: "", title: "", cites: &[] },
        (None, Some((owner, item))) => {
            let cites = if cites.is_empty() { &item.cites } else { cites };
            let name = if name.is_empty() { owner } else { name };
            RollPlace { name, sort, of, item: &item.name, title: &item.title, cites }
        }
        (None, None) => RollPlace { name, sort, of, item: "", title: "", cites },
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

impl RollPlace<'_> {
    /// Returns the name of the roll, such as `dice of laans`.
    fn named(&self) -> String {
        if self.of.is_empty() { self.name.to_string() } else { format!("{} of {}", self.name, self.of) }
    }

    /// Returns the description of the roll, such as `roll dice of laans in LeadershipTest "Leadership test" [WL-4]`.
    fn rendered(&self) -> String {
        let mut text = format!("{} {}", self.sort, self.named());
        if !self.item.is_empty() && self.item != self.name {
            let _ = write!(text, " in {}", self.item);
        }
        clean(&(text + &titled(self.title, self.cites)))
    }
}

/// Returns the title and the citations, such as ` "Title" [WL-4, WL-5]`.
fn titled(title: &str, cites: &[String]) -> String {
    let title = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
    let cites = if cites.is_empty() { String::new() } else { format!(" [{}]", cites.join(", ")) };
    title + &cites
}

/// Returns the rolls in descending order of their effect.
fn ranked(swings: &Swings) -> Vec<&Swing> {
    let mut list: Vec<&Swing> = swings.list.iter().collect();
    order::sort_by(&mut list, |a, b| b.change.cmp(&a.change));
    list
}

/// Formats a value of the result. A probability is in percent.
fn value(ty: &Type, value: &Fraction) -> String {
    if *ty == Type::Flag { value.percent() } else { number(ty, value) }
}

/// Formats a value as a fraction and as a decimal number, if they differ.
fn both(ty: &Type, of: &Fraction) -> String {
    let (exact, rendered) = (short(&scaled(ty, of)), value(ty, of));
    if exact == rendered { rendered } else { format!("{exact} = {rendered}") }
}

/// Adds the causes of all results.
pub(super) fn add(finding: &mut Finding, odds: &Odds<'_>) {
    // The mean and the histogram of the same expression have the same causes.
    let first = |n: &usize| odds.rendered[..*n].iter().all(|other| other.text != odds.rendered[*n].text);
    let asked = (0..odds.rendered.len()).filter(first).filter_map(|n| Some((&odds.rendered[n], odds.rendered[n].why?)));
    let asked: Vec<(&Asked<'_>, &Why)> = asked.collect();
    for (n, (rendered, why)) in asked.iter().enumerate() {
        match &why.swings {
            None => {
                finding.head(format!("causes of {}", rendered.text));
                finding.say("it is not a number; measure a condition instead");
            }
            Some(swings) => rolls(finding, odds, rendered, (swings, why.label)),
        }
        // If consecutive results depend on the same clauses and readings, these are listed once, after the last result.
        if !asked.get(n + 1).is_some_and(|(_, next)| next.leans_alike(why)) {
            leans(finding, odds.game, why);
        }
    }
}

/// Adds the rolls that affect one result.
fn rolls(finding: &mut Finding, odds: &Odds<'_>, rendered: &Asked<'_>, (swings, trust): (&Swings, Label)) {
    let ty = rendered.ty;
    // The unexplored part may depend on other rolls, so the effects in the explored part are not bounds.
    let open = trust == Label::Bounded || !swings.unexplored.is_zero();
    let trust = if open { "only for explored states, no bounds" } else { label(trust) };
    let rest = &(&Fraction::one() - &swings.unexplored) - &swings.lost;
    let part = match rest == Fraction::one() {
        true => String::new(),
        false => format!(", for the {} that end without an error", rest.percent()),
    };
    finding.head(format!("causes of {}{part}  ({trust})", rendered.text));
    let (moving, still): (Vec<&Swing>, Vec<&Swing>) = ranked(swings).into_iter().partition(|s| !s.change.is_zero());
    if !open {
        drawn(finding, odds, rendered, swings, &moving);
    }
    for swing in moving.iter().take(ROLLS) {
        let made = match swing.made == Fraction::one() {
            true => "once".to_string(),
            false => format!("{} times", number(&Type::Ratio, &swing.made)),
        };
        let ends = swing.range.as_ref().map_or(String::new(), |ends| format!(", {}", between(ty, ends)));
        let (change, share) = (both(ty, &swing.change), swing.share.percent());
        let line = format!("changes it by {change}{ends}; {share} of its variance; made {made}");
        finding.item(place(odds, swing).rendered(), vec![line]);
    }
    if moving.len() > ROLLS {
        let sum =
            |of: fn(&Swing) -> &Fraction| moving[ROLLS..].iter().fold(Fraction::zero(), |sum, swing| &sum + of(swing));
        let (change, share) = (both(ty, &sum(|s| &s.change)), sum(|s| &s.share).percent());
        let rest = moving.len() - ROLLS;
        finding.say(format!("and {rest} more rolls, which change it by {change} together; {share} of its variance"));
    }
    if swings.list.is_empty() {
        finding.say(if open { "no roll changes it in the explored part" } else { "no dice are rolled" });
    }
    let head = if open { "rolls without an observed effect" } else { "rolls without an effect" };
    finding.list(head, still.iter().map(|s| place(odds, s).named()).collect());
}

/// Formats a range, such as `to between 0 and 1`.
fn between(ty: &Type, (least, greatest): &(Fraction, Fraction)) -> String {
    format!("to between {} and {}", value(ty, least), value(ty, greatest))
}

/// Draws a tornado diagram (Howard 1988): the range of the conditional mean for each roll, around the overall mean.
fn drawn(finding: &mut Finding, odds: &Odds<'_>, rendered: &Asked<'_>, swings: &Swings, moving: &[&Swing]) {
    let (ty, share) = (rendered.ty, *rendered.ty == Type::Flag);
    let at = |value: &Fraction| millionths(&scaled(ty, value), if share { 100 } else { 1 });
    let row = |swing: &&Swing| {
        let ends = swing.range.as_ref()?;
        let text = format!("changes it by {}", both(ty, &swing.change));
        let number = Number::new(text, at(&swings.mean), How::Exact);
        let number = number.within((at(&ends.0)?, at(&ends.1)?), between(ty, ends));
        Some(IntervalRow::new(place(odds, swing).named(), number))
    };
    let rows: Vec<IntervalRow> = moving.iter().filter_map(row).collect();
    if !rows.is_empty() {
        let caption = format!("Mean {}, and its value once a roll is known", value(ty, &swings.mean));
        let span = share.then_some((0, 100 * MILLION));
        finding.draw(Intervals { caption, unit: Unit::of(ty, share).sign().into(), span, zero: None, rows });
    }
}

/// Adds the clauses and readings that runs depend on.
fn leans(finding: &mut Finding, game: &Game, why: &Why) {
    let rules = &game.program.schema;
    let (always, mut clauses): (Vec<_>, Vec<_>) = why.clauses.iter().partition(|(_, l)| l.chance == Fraction::one());
    order::sort_by(&mut clauses, |a, b| b.1.chance.cmp(&a.1.chance));
    let chance = |lean: &Lean| {
        let text = match lean.chance == lean.most {
            true => lean.chance.percent(),
            false => percents(&lean.chance, &lean.most).join(" to "),
        };
        Cell::Number(Number::new(text, millionths(&lean.chance, 100), how(why.label)))
    };
    finding.list("every run depends on", always.iter().map(|(n, _)| rules.register[*n].id.clone()).collect());
    if !clauses.is_empty() {
        let row = |(n, lean): &&(usize, Lean)| {
            let clause = &rules.register[*n];
            vec![clause.id.as_str().into(), chance(lean), cut(&clause.says).into()]
        };
        let caption = format!("clauses it depends on  ({})", label(why.label));
        finding.add(Table::new(&caption, &["clause", "runs", "says"], clauses.iter().map(row)));
    }
    let (read, unread): (Vec<_>, Vec<_>) = why.readings.iter().partition(|(_, l)| !l.chance.is_zero());
    if !read.is_empty() {
        let row = |(id, lean): &&(SettingId, Lean)| {
            let setting = &rules.settings[id.at()];
            let item = &rules.items[setting.item.at()];
            let name = format!("{} = {}", setting.name, reading(game, *id));
            vec![name.into(), chance(lean), item.title.as_str().into(), item.cites.join(", ").into()]
        };
        let caption = format!("readings it depends on  ({})", label(why.label));
        finding.add(Table::new(&caption, &["reading", "runs", "of", "clauses"], read.iter().map(row)));
    }
    if !unread.is_empty() {
        let runs = if why.label == Label::Exact { "no run" } else { "no run that was explored" };
        finding.say(format!("asked for in {runs}: {} of {} readings", unread.len(), why.readings.len()));
    }
}

/// Returns the beginning of a long text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(WORDS) {
        Some((at, _)) => format!("{}...", text[..at].rsplit_once(' ').map_or(&text[..at], |(start, _)| start)),
        None => text.to_string(),
    }
}

/// Returns the value of a reading in this game.
fn reading(game: &Game, id: SettingId) -> String {
    let (at, width) = game.layout.settings[id.at()];
    let (cells, setting) = (&game.start.cells[at..at + width], &game.program.schema.settings[id.at()]);
    let known = setting.alternatives.iter().find(|(own, _)| own == cells);
    clean(&known.map_or_else(|| value_text(game, &setting.ty, cells), |(_, text)| text.clone()))
}

/// Returns the causes as JSON.
pub fn json(odds: &Odds<'_>, rendered: &Asked<'_>, why: &Why) -> Value {
    let rules = &odds.game.program.schema;
    let text = |value: &Fraction| json!(scaled(rendered.ty, value).to_string());
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
            "decimal": float(&scaled(rendered.ty, &swing.change)),
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
        // The mean and the rolls of the explored part are not bounds.
        "label": if open { "explored only" } else { label(why.label) },
        "mean": swings.map_or(Value::Null, |s| text(&s.mean)),
        "lost": swings.map_or(Value::Null, |s| json!(s.lost.to_string())),
        "unexplored": swings.map_or(Value::Null, |s| json!(s.unexplored.to_string())),
        "rolls": swings.map_or(Value::Null, |s| ranked(s).into_iter().map(roll).collect()),
        "clauses": why.clauses.iter().map(clause).collect::<Vec<Value>>(),
        "readings": why.readings.iter().map(reading).collect::<Vec<Value>>(),
    })
}
