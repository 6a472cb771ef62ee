//! Where answers are decided, as a part of a page: a tornado diagram (Howard 1988) of what each roll can make of the answer, and
//! tables of rolls, clauses and readings.

use super::super::page::{how, millionths};
use super::super::{Odds, Told, number, scaled};
use super::{both, place, ranked, reading, value};
use crate::exact::{Label, Lean, Swing, Swings};
use crate::machine::Game;
use crate::play::odds::Why;
use crate::report::bounds::percents;
use crate::report::page::{Block, Cell, Effect, Intervals, MILLION, Number, Page, Table};
use crate::value::*;

/// Adds all that `--why` found.
pub fn add(page: &mut Page, odds: &Odds<'_>) {
    // the mean and the histogram of the same are decided alike
    let first = |n: &usize| odds.told[..*n].iter().all(|other| other.text != odds.told[*n].text);
    let asked = (0..odds.told.len()).filter(first).filter_map(|n| Some((&odds.told[n], odds.told[n].why?)));
    let asked: Vec<(&Told<'_>, &Why)> = asked.collect();
    for (n, (told, why)) in asked.iter().enumerate() {
        page.add(Block::Heading(format!("Where {} is decided", told.text)));
        match &why.swings {
            None => page.add(Block::Text("It is no number; ask for the chance of a condition.".into())),
            Some(swings) => rolls(page, odds, told, swings),
        }
        // what several answers lean on alike is told once, behind the last of them
        if !asked.get(n + 1).is_some_and(|(_, next)| next.leans_alike(why)) {
            leans(page, odds.game, why);
        }
    }
}

/// A value of the answer where it is drawn.
fn at(ty: &Type, value: &Fraction) -> Option<i64> {
    let units = if *ty == Type::Flag { 100 } else { 1 };
    millionths(&scaled(ty, value), units)
}

fn rolls(page: &mut Page, odds: &Odds<'_>, told: &Told<'_>, swings: &Swings) {
    let ty = told.ty;
    // what is beyond the budget may be decided quite otherwise: nothing told of the rest bounds it
    let open = !swings.unexplored.is_zero();
    let rest = &(&Fraction::one() - &swings.unexplored) - &swings.lost;
    if open {
        page.add(Block::Note("Of what was explored only; this gives no bounds.".into()));
    }
    if rest != Fraction::one() {
        page.add(Block::Text(format!("Among the {} that were found to end well.", rest.percent())));
    }
    let (moving, still): (Vec<&Swing>, Vec<&Swing>) = ranked(swings).into_iter().partition(|s| !s.change.is_zero());
    if !open {
        drawn(page, odds, told, swings, &moving);
    }
    let row = |swing: &&Swing| {
        let place = place(odds, swing);
        let item = if place.item == place.name { "" } else { place.item };
        let title = [item, place.title].into_iter().filter(|word| !word.is_empty()).collect::<Vec<&str>>().join(": ");
        let ends = swing
            .range
            .as_ref()
            .map_or(String::new(), |(least, most)| format!("between {} and {}", value(ty, least), value(ty, most)));
        let made =
            if swing.made == Fraction::one() { "once".into() } else { number(&Type::Ratio, &swing.made) + " times" };
        let name = format!("{} {}", place.sort, place.named());
        [name, both(ty, &swing.change), ends, swing.share.percent(), made, title, place.cites.join(", ")]
            .map(Cell::Text)
            .to_vec()
    };
    if !moving.is_empty() {
        let heads = ["what", "moves it by", "to", "of its spread", "made", "in", "clauses"].map(String::from).to_vec();
        page.add(Block::Table(Table {
            caption: "What moves it".into(),
            heads,
            rows: moving.iter().map(row).collect(),
        }));
    }
    if swings.list.is_empty() {
        let nothing = if open { "No roll was seen to move it." } else { "Nothing is rolled." };
        page.add(Block::Text(nothing.into()));
    }
    let still: Vec<String> = still.iter().map(|s| place(odds, s).named()).collect();
    if !still.is_empty() {
        let head = if open { "Rolls that were not seen to move it" } else { "Rolls that do not move it" };
        page.add(Block::Text(format!("{head}: {}.", still.join(", "))));
    }
}

/// The range of the mean once each roll is known, around the mean of all.
fn drawn(page: &mut Page, odds: &Odds<'_>, told: &Told<'_>, swings: &Swings, moving: &[&Swing]) {
    let ty = told.ty;
    let row = |swing: &&Swing| {
        let (least, most) = swing.range.as_ref()?;
        let text = format!("moves it by {}", both(ty, &swing.change));
        let number = Number::new(text, at(ty, &swings.mean), how(Label::Exact));
        let ends = format!("to between {} and {}", value(ty, least), value(ty, most));
        let number = number.within((at(ty, least)?, at(ty, most)?), ends);
        let label = place(odds, swing).named();
        Some(Effect { label, verdict: String::new(), number, within: None, series: 0 })
    };
    let rows: Vec<Effect> = moving.iter().filter_map(row).collect();
    if rows.is_empty() {
        return;
    }
    let share = *ty == Type::Flag;
    let caption = format!("From {}, what it is on average once a roll is known", value(ty, &swings.mean));
    let unit = if share {
        "%"
    } else if *ty == Type::Length {
        "\""
    } else {
        ""
    };
    let span = share.then_some((0, 100 * MILLION));
    page.add(Block::Intervals(Intervals { caption, unit: unit.into(), span, zero: None, rows }));
}

/// What runs lean on.
fn leans(page: &mut Page, game: &Game, why: &Why) {
    let rules = &game.program.schema;
    let (always, mut clauses): (Vec<_>, Vec<_>) = why.clauses.iter().partition(|(_, l)| l.chance == Fraction::one());
    clauses.sort_by(|a, b| b.1.chance.cmp(&a.1.chance));
    let chance = |lean: &Lean| {
        let text = match lean.chance == lean.most {
            true => lean.chance.percent(),
            false => percents(&lean.chance, &lean.most).join(" to "),
        };
        Cell::Number(Number::new(text, millionths(&lean.chance, 100), how(why.label)))
    };
    let row = |(n, lean): &&(usize, Lean)| {
        let clause = &rules.register[*n];
        vec![Cell::Text(clause.id.clone()), chance(lean), Cell::Text(clause.says.clone())]
    };
    let table = |caption: &str, heads: &[&str], rows: Vec<Vec<Cell>>| {
        Block::Table(Table { caption: caption.into(), heads: heads.iter().map(|h| (*h).to_string()).collect(), rows })
    };
    if !always.is_empty() {
        let ids: Vec<&str> = always.iter().map(|(n, _)| rules.register[*n].id.as_str()).collect();
        page.add(Block::Text(format!("Every run leans on the clauses {}.", ids.join(", "))));
    }
    if !clauses.is_empty() {
        page.add(table(
            "Clauses it leans on",
            &["clause", "in so many runs", "says"],
            clauses.iter().map(row).collect(),
        ));
    }
    let (read, unread): (Vec<_>, Vec<_>) = why.readings.iter().partition(|(_, l)| !l.chance.is_zero());
    let row = |(id, lean): &&(SettingId, Lean)| {
        let setting = &rules.settings[id.at()];
        let item = &rules.items[setting.item.at()];
        let name = format!("{} = {}", setting.name, reading(game, *id));
        vec![Cell::Text(name), chance(lean), Cell::Text(item.title.clone()), Cell::Text(item.cites.join(", "))]
    };
    if !read.is_empty() {
        let heads = ["reading", "asked for in so many runs", "of", "clauses"];
        page.add(table("Readings it leans on", &heads, read.iter().map(row).collect()));
    }
    if !unread.is_empty() {
        let runs = if why.label == Label::Exact { "no run" } else { "no run that was explored" };
        page.add(Block::Text(format!("Asked for in {runs}: {} of {} readings.", unread.len(), why.readings.len())));
    }
}
