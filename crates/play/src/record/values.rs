//! Names and values of a run in the form that events store.

use super::About;
use super::event::{Argument, Cut, Slot, What};
use grognard_base::value::plain::ShortText;
use grognard_base::value::*;
use grognard_program::constant;
use grognard_program::schema::{FieldSort, Stored};
use grognard_program::{AskKind, FuncSort, Program, Signature};
use grognard_syntax::tree::TraitSort;
use grognard_vm::{Die, Game, State, UNSET};

/// Returns the rolls whose dice are summed.
pub(super) fn sums(program: &Program) -> Vec<SiteId> {
    let sum = |kind: &AskKind| matches!(kind, AskKind::Roll { sum: true, .. });
    program.asks.iter().filter(|a| sum(&a.kind)).map(|a| a.site).collect()
}

/// Returns the first event of a trace.
pub(super) fn header(game: &Game, about: &About) -> What {
    let rules = &game.program.schema;
    let mut settings = Vec::new();
    for (n, setting) in rules.settings.iter().enumerate() {
        let value = game.setting(SettingId::from(n));
        if value != setting.value {
            let rendered = |cells: &[i64]| game.value(&game.start, &setting.ty, cells);
            settings.push(((&setting.name).into(), rendered(value), rendered(&setting.value)));
        }
    }
    let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(a, b)| (a.into(), b.into())).collect();
    let mut below: Vec<(ShortText, ShortText)> = pairs(&rules.chain);
    below.pop();
    below.reverse();
    What::Header {
        command: (&about.command).into(),
        ruleset: (&rules.path).into(),
        version: (&rules.version).into(),
        below,
        settings,
        dice: (&about.dice).into(),
        players: pairs(&about.players),
    }
}

/// Returns the name of the variant that changed an item: the last part of its path.
pub(super) fn variant(game: &Game, item: ItemId) -> ShortText {
    let rules = &game.program.schema;
    let from = rules.items.get(item.at()).map_or(0, |i| i.from);
    if !rules.variant || from == 0 || from + 1 != rules.chain.len() {
        return ShortText::default();
    }
    rules.path.rsplit('/').next().unwrap_or_default().into()
}

/// Returns the arguments of a function. For a rule, only its bearer.
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
    let mut rendered = Vec::new();
    for (name, ty) in names {
        let width = rules.width(&ty);
        let Some(cells) = args.get(at..at + width) else { break };
        at += width;
        rendered.push(Argument { name: name.into(), value: game.value(state, &ty, cells) });
    }
    rendered
}

/// Returns at most `most` parameters of a function of the ruleset.
fn locals(game: &Game, func: FuncId, most: usize) -> Vec<(String, Type)> {
    let Some(f) = game.program.functions.get(func.at()) else { return Vec::new() };
    f.locals.iter().take(f.params.min(most)).map(|l| (l.name.clone(), l.ty.clone())).collect()
}

/// Returns the verdict of a test or the result of a proc.
pub(super) fn result(game: &Game, state: &State, func: FuncId, result: &[i64]) -> Option<Value> {
    let rules = &game.program.schema;
    let function = game.program.functions.get(func.at())?;
    let Type::Record(id) = &function.result else {
        return (!result.is_empty()).then(|| game.value(state, &function.result, result));
    };
    let fields = &rules.records[id.at()].fields;
    match (fields.first(), result.first()) {
        (Some((name, _)), Some(&cell)) if name == "passed" => {
            Some(Value::Word(if cell != 0 { "passed" } else { "failed" }.into()))
        }
        (Some((name, ty)), Some(_)) if name == "grade" => {
            Some(game.value(state, ty, &result[..rules.width(ty).min(result.len())]))
        }
        _ => figures(game, state, function, fields, result),
    }
}

/// Returns the result of a test without a verdict: all its fields except its parameters.
fn figures(
    game: &Game,
    state: &State,
    function: &Signature,
    fields: &[(String, Type)],
    result: &[i64],
) -> Option<Value> {
    let given = &function.locals[..function.params.min(function.locals.len())];
    let mut rendered = Vec::new();
    let mut rest = result;
    for (name, ty) in fields {
        let (cells, after) = rest.split_at(game.program.schema.width(ty).min(rest.len()));
        rest = after;
        if !given.iter().any(|g| g.name == *name) {
            rendered.push((name.into(), game.value(state, ty, cells)));
        }
    }
    (!rendered.is_empty()).then_some(Value::Record(rendered))
}

/// Returns the name of a die.
pub(super) fn die(game: &Game, die: Die) -> ShortText {
    match die {
        Die::Sides(n) => ShortText::from(format_args!("d{n}")),
        Die::Faces(id) => (&game.program.schema.dice[id.at()].name).into(),
    }
}

pub(super) fn face(game: &Game, die: Die, face: i64) -> Value {
    match die {
        Die::Sides(_) => Value::Int(face),
        Die::Faces(id) => constant(&game.program.schema, &game.program.schema.dice[id.at()].of, face),
    }
}

/// Returns a slot: `laans.markers`, or `turn` of the game.
pub(super) fn slot(game: &Game, slot: Stored, thing: i64) -> Slot {
    let schema = &game.program.schema;
    let thing = match slot {
        Stored::Field(id) => Some(game.label(schema.fields[id.at()].kind, thing)),
        Stored::Global(_) => None,
    };
    let declared = schema.declared(slot);
    let (title, named) = (title(game, declared.item), named(game, declared.item));
    Slot { thing, field: declared.name.into(), title, named }
}

/// Returns the title of an item.
pub(super) fn title(game: &Game, item: ItemId) -> ShortText {
    game.program.schema.items.get(item.at()).map_or_else(ShortText::default, |item| (&item.title).into())
}

/// Returns whether the book names a state or a status: it has a title or a cite. If no state and no status of the rules
/// has one, the rules have no bookkeeping apart, and all are named.
pub(super) fn named(game: &Game, item: ItemId) -> bool {
    let rules = &game.program.schema;
    let told = |item: ItemId| rules.items.get(item.at()).is_some_and(|i| !i.title.is_empty() || !i.cites.is_empty());
    let states = rules.fields.iter().filter(|f| f.sort == FieldSort::State).map(|f| f.item);
    let globals = rules.globals.iter().map(|g| g.item);
    let statuses = rules.traits.iter().filter(|t| t.sort == TraitSort::Status).map(|t| t.item);
    told(item) || !states.chain(globals).chain(statuses).any(told)
}

/// Returns the slot of a variable that a phase shares.
pub(super) fn shared(name: &str) -> Slot {
    Slot { thing: None, field: name.into(), ..Slot::default() }
}

/// Returns the part of a value that a bound cut off.
pub(super) fn cut(
    game: &Game,
    ty: &Type,
    new: &[i64],
    wanted: &[i64],
    (low, high): (Option<FuncId>, Option<FuncId>),
) -> Option<Cut> {
    let (&new, &wanted) = (new.first()?, wanted.first()?);
    let plain = match ty.present() {
        Type::Int(_) => Value::Int,
        Type::Length => Value::Length,
        _ => return None,
    };
    if new == wanted || new == NONE || wanted == NONE {
        return None;
    }
    let by = if wanted > new { high } else { low };
    let by = by.map_or_else(ShortText::default, |f| bound_name(game, f).into());
    Some(Cut { lost: plain((wanted - new).abs()), bound: plain(new), by })
}

/// Returns the name of a bound that is a field, a param or another named value.
fn bound_name(game: &Game, func: FuncId) -> String {
    game.program.functions.get(func.at()).map_or(String::new(), |function| function.gives.clone())
}

/// Returns a stored value. If `entry` is greater than 0, a list is stored inline with entries of `entry` cells.
pub(super) fn stored(game: &Game, state: &State, ty: &Type, entry: usize, cells: &[i64]) -> Value {
    if cells.first() == Some(&UNSET) {
        return Value::None;
    }
    let (Type::List(inner), true) = (ty.present(), entry > 0) else { return game.value(state, ty, cells) };
    let count = cells.first().map_or(0, |n| (*n).max(0) as usize);
    let entries = cells.get(1..).unwrap_or_default();
    Value::List(game.values(state, inner, &entries[..(count * entry).min(entries.len())]))
}

/// Returns the data of a status.
pub(super) fn data(game: &Game, state: &State, id: TraitId, data: &[i64]) -> Option<Value> {
    let record = Type::Record(game.program.schema.traits[id.at()].data);
    (!data.is_empty()).then(|| game.value(state, &record, data))
}

/// Returns a point, or `Value::None` off the board.
pub(super) fn point(at: Option<(i64, i64)>) -> Value {
    at.map_or(Value::None, |(x, y)| Value::Point(x, y))
}
