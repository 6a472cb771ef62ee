//! Names and values of a run in words, as events hold them.

use super::About;
use super::event::{Argument, What};
use crate::machine::{Die, Game, State, Thrown};
use crate::program::wording::{constant, length};
use crate::program::{AskKind, FuncSort, Program, Signature};
use crate::value::*;

/// Sites whose dice are added up.
pub(super) fn sums(program: &Program) -> Vec<SiteId> {
    let sum = |kind: &AskKind| matches!(kind, AskKind::Roll { sum: true, .. });
    program.asks.iter().filter(|a| sum(&a.kind)).map(|a| a.site).collect()
}

/// The first event of a trace.
pub(super) fn header(game: &Game, about: &About) -> What {
    let rules = &game.program.schema;
    let mut settings = Vec::new();
    for (n, setting) in rules.settings.iter().enumerate() {
        let value = game.setting(SettingId::from(n));
        if value != setting.value {
            let told = |cells: &[i64]| game.tell(&game.start, &setting.ty, cells);
            settings.push((setting.name.clone(), told(value), told(&setting.value)));
        }
    }
    let mut below: Vec<(String, String)> = rules.chain.clone();
    below.pop();
    below.reverse();
    What::Header {
        command: about.command.clone(),
        ruleset: rules.path.clone(),
        version: rules.version.clone(),
        below,
        settings,
        dice: about.dice.clone(),
        players: about.players.clone(),
    }
}

/// The name of the variant that changed an item: the last part of its path.
pub(super) fn variant(game: &Game, item: ItemId) -> String {
    let rules = &game.program.schema;
    let from = rules.items.get(item.at()).map_or(0, |i| i.from);
    if !rules.variant || from == 0 || from + 1 != rules.chain.len() {
        return String::new();
    }
    rules.path.rsplit('/').next().unwrap_or_default().to_string()
}

/// The parameters of a function as they are told. Rules say only who bears them.
pub(super) fn arguments(game: &Game, state: &State, func: FuncId, args: &[i64]) -> Vec<Argument> {
    let program = &game.program;
    let rules = &program.schema;
    let info = &program.funcs[func.at()];
    let names: Vec<(String, Type)> = match info.sort {
        FuncSort::Event => match program.events.iter().position(|e| *e == func) {
            Some(n) => rules.records[rules.events[n].data.at()].fields.clone(),
            None => Vec::new(),
        },
        FuncSort::Rule => {
            let borne = rules.rules.iter().any(|r| r.func == func && r.of_trait.is_some());
            locals(game, func, usize::from(borne))
        }
        FuncSort::Action => Vec::new(),
        _ => locals(game, func, usize::MAX),
    };
    let mut at = 0;
    let mut told = Vec::new();
    for (name, ty) in names {
        let width = rules.width(&ty);
        let Some(cells) = args.get(at..at + width) else { break };
        at += width;
        told.push(Argument { name, value: game.tell(state, &ty, cells), thing: matches!(ty.present(), Type::Kind(_)) });
    }
    told
}

/// The first parameters of a function of the ruleset.
fn locals(game: &Game, func: FuncId, most: usize) -> Vec<(String, Type)> {
    let Some(f) = game.program.functions.get(func.at()) else { return Vec::new() };
    f.locals.iter().take(f.params.min(most)).map(|l| (l.name.clone(), l.ty.clone())).collect()
}

/// What a test came to, or what a proc gives.
pub(super) fn verdict(game: &Game, state: &State, func: FuncId, result: &[i64]) -> String {
    let rules = &game.program.schema;
    let Some(function) = game.program.functions.get(func.at()) else { return String::new() };
    let Type::Record(id) = &function.result else {
        return if result.is_empty() { String::new() } else { game.tell(state, &function.result, result) };
    };
    let fields = &rules.records[id.at()].fields;
    match (fields.first(), result.first()) {
        (Some((name, _)), Some(&cell)) if name == "passed" => if cell != 0 { "passed" } else { "failed" }.to_string(),
        (Some((name, ty)), Some(_)) if name == "grade" => {
            game.tell(state, ty, &result[..rules.width(ty).min(result.len())])
        }
        _ => figures(game, state, function, fields, result),
    }
}

/// What a test without a verdict came to: all it names but what it was given.
fn figures(game: &Game, state: &State, function: &Signature, fields: &[(String, Type)], result: &[i64]) -> String {
    let given = &function.locals[..function.params.min(function.locals.len())];
    let mut told = Vec::new();
    let mut rest = result;
    for (name, ty) in fields {
        let (cells, after) = rest.split_at(game.program.schema.width(ty).min(rest.len()));
        rest = after;
        if !given.iter().any(|g| g.name == *name) {
            told.push(format!("{name} {}", game.tell(state, ty, cells)));
        }
    }
    told.join(", ")
}

/// The dice of a throw, one word each.
pub(super) fn dice(game: &Game, thrown: &Thrown<'_>) -> Vec<String> {
    (0..thrown.len()).map(|n| die(game, thrown.die(n))).collect()
}

fn die(game: &Game, die: Die) -> String {
    match die {
        Die::Sides(n) => format!("d{n}"),
        Die::Faces(id) => game.program.schema.dice[id.at()].name.clone(),
    }
}

/// A face in words.
pub(super) fn face(game: &Game, die: Die, face: i64) -> String {
    match die {
        Die::Sides(_) => face.to_string(),
        Die::Faces(id) => constant(&game.program.schema, &game.program.schema.dice[id.at()].of, face),
    }
}

/// A slot of a thing: `laans.markers`, `laans.pace(Clear)`.
pub(super) fn slot(game: &Game, field: FieldId, thing: i64, key: Option<i64>) -> String {
    let rules = &game.program.schema;
    let info = &rules.fields[field.at()];
    let name = format!("{}.{}", game.name(info.kind, thing), info.name);
    let Some(mut place) = key else { return name };
    let mut keys = Vec::new();
    for (ty, count) in info.keys.iter().rev() {
        keys.push(constant(rules, ty, place % (*count).max(1)));
        place /= (*count).max(1);
    }
    keys.reverse();
    format!("{name}({})", keys.join(", "))
}

/// What a bound threw away of a value, and the bound in words.
pub(super) fn lost(
    game: &Game,
    ty: &Type,
    new: &[i64],
    wanted: &[i64],
    bounds: (Option<FuncId>, Option<FuncId>),
) -> (String, String) {
    let (Some(&new), Some(&wanted)) = (new.first(), wanted.first()) else { return Default::default() };
    if new == wanted || new == NONE || wanted == NONE || !matches!(ty.present(), Type::Int(_) | Type::Length) {
        return Default::default();
    }
    let bound = if wanted > new { bounds.1 } else { bounds.0 };
    let told = |v: i64| if matches!(ty.present(), Type::Length) { length(v) } else { v.to_string() };
    let name = bound.map_or(String::new(), |f| bound_name(game, f));
    let bound = if name.is_empty() { told(new) } else { format!("{name} {}", told(new)) };
    (told((wanted - new).abs()), bound)
}

/// The name of a bound that is a field, a param or another value with a name.
fn bound_name(game: &Game, func: FuncId) -> String {
    game.program.functions.get(func.at()).map_or(String::new(), |function| function.gives.clone())
}

/// A value as it lies with its thing: a list (of entries of so many cells) is told by its entries.
pub(super) fn stored(game: &Game, state: &State, ty: &Type, entry: usize, cells: &[i64]) -> String {
    if cells.first() == Some(&crate::machine::UNSET) {
        return "none".to_string();
    }
    let (Type::List(inner), true) = (ty.present(), entry > 0) else { return game.tell(state, ty, cells) };
    let count = cells.first().map_or(0, |n| (*n).max(0) as usize);
    let entries = cells.get(1..).unwrap_or_default().chunks(entry).take(count);
    let entries: Vec<String> = entries.map(|c| game.tell(state, inner, c)).collect();
    format!("[{}]", entries.join(", "))
}

/// A status with its data: `Ordered(officer voss)`.
pub(super) fn status(game: &Game, state: &State, id: TraitId, data: &[i64]) -> String {
    let info = &game.program.schema.traits[id.at()];
    let told = if data.is_empty() { String::new() } else { game.tell(state, &Type::Record(info.data), data) };
    if told.is_empty() { info.name.clone() } else { format!("{}({told})", info.name) }
}

/// A point, or nothing off the board.
pub(super) fn point(game: &Game, at: Option<(i64, i64)>) -> String {
    at.map_or(String::new(), |(x, y)| game.tell_point(x, y))
}
