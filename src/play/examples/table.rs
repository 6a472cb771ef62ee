//! The table of one run of an example: what is given is checked and compiled, then worked out and put in place.

use super::answers::Choice;
use super::cast::Cast;
use super::claims::Check;
use super::maker::Maker;
use super::{After, Case, cells_of};
use crate::base::{Code, Diagnostic};
use crate::machine::{Fault, Game, Handle, Setup, State, ThingSpec, set_up};
use crate::program::{Built, Program, Ran, extend};
use crate::rules::checker::Checker;
use crate::rules::ruleset::{FieldSort, Ruleset, Schema};
use crate::scenario::counts::{self, Saturation};
use crate::syntax::tree::{self, TraitSort};
use crate::value::*;

/// Where things stand that no example puts anywhere: far from every edge.
const SPOT: i64 = crate::board::LIMIT / 2;

/// One thing that an example gives.
pub(super) enum Put<F> {
    /// A figure: thing, field, its keys, the value.
    Field {
        at: usize,
        field: FieldId,
        keys: Vec<F>,
        value: F,
    },
    At {
        at: usize,
        value: F,
    },
    Facing {
        at: usize,
        value: F,
    },
    /// A trait, or a status with its data.
    Has {
        at: usize,
        what: TraitId,
        data: Vec<F>,
    },
    Setting {
        id: SettingId,
        value: F,
    },
    Global {
        id: GlobalId,
        value: F,
    },
    /// A parameter of the call that is no thing.
    Value {
        at: usize,
        value: F,
    },
}

/// One run of an example, compiled.
pub(super) struct Bench {
    program: Program,
    ran: Ran,
    cast: Cast,
    puts: Vec<Put<FuncId>>,
    args: Vec<FuncId>,
    pub(super) answers: Vec<(String, Choice)>,
    pub(super) checks: Vec<Check>,
    /// True if claims see what the call gives, and not what it was given.
    pub(super) has_result: bool,
    /// True if something looks at a tally.
    pub(super) looks_at_tallies: bool,
    /// Counts from this one on give every chance and value that is asked for the same answer.
    pub(super) counts: Saturation,
    /// A function that gives yes.
    yes: FuncId,
}

/// The same with everything in place.
pub(super) struct Table {
    pub(super) game: Game,
    /// Cells of the parameters that are no things.
    pub(super) values: Vec<i64>,
}

impl Bench {
    /// Checks and compiles everything an example says for one of its runs.
    pub(super) fn prepare(
        built: &Built,
        example: &tree::Example,
        case: &Case<'_>,
        gives: Option<&[(String, Type)]>,
    ) -> Result<Bench, Vec<Diagnostic>> {
        let cast = Cast::of(&built.rules, example, &case.inputs);
        if !cast.problems.is_empty() {
            return Err(cast.problems);
        }
        let things = |name: &str| cast.find(name).map(|at| cast.id(at));
        let mut checker = Checker::new(Ruleset::clone(&built.rules), &things);
        let mut maker = Maker { checker: &mut checker, cast: &cast, functions: Vec::new() };
        let puts = maker.puts(example, case);
        let args = maker.args(example);
        let answers = maker.answers(example);
        let checks = maker.checks(&case.claims, gives);
        let yes = maker.yes(example.title.span);
        let functions = std::mem::take(&mut maker.functions);
        if checker.problems.iter().any(Diagnostic::is_error) {
            return Err(checker.problems);
        }
        let mut program = built.program.clone();
        let rise = counts::rise(&program);
        let asked = checks.iter().filter_map(|check| match check {
            Check::Odds { counted: Some(_), claimed: Some(_), .. } => None,
            Check::Odds { of, given, .. } => Some([Some(*of), *given]),
            _ => None,
        });
        let counts = asked.flatten().flatten().fold(Saturation::UNREAD, |mut all, f| {
            all.join(&Saturation::of(&functions[f.at()], rise));
            all
        });
        let compiled: Vec<FuncId> = functions.iter().map(|f| extend(&mut program, &built.rules, f).func).collect();
        // until here a function was known by its place in the list
        let id = |n: FuncId| compiled[n.at()];
        let puts = puts.into_iter().map(|p| p.map(&id)).collect();
        let args = args.into_iter().map(id).collect();
        let answers = answers.into_iter().map(|(name, choice)| (name, compiled_choice(choice, &id))).collect();
        let checks = checks.into_iter().map(|c| compiled_check(c, &id)).collect();
        let looks_at_tallies = !checker.uses.tallies.is_empty();
        drop(checker);
        let has_result = gives.is_some();
        let ran = built.ran.clone();
        Ok(Bench {
            program,
            ran,
            cast,
            puts,
            args,
            answers,
            checks,
            has_result,
            looks_at_tallies,
            counts,
            yes: id(yes),
        })
    }

    /// Works out what is given and puts the table together.
    pub(super) fn table(&self) -> Result<Table, Fault> {
        let bare = set_up(self.program.clone(), self.setup(None, &mut Vec::new())?)?;
        let mut values = Vec::new();
        let setup = self.setup(Some(&bare), &mut values)?;
        let game = set_up(self.program.clone(), setup)?;
        Ok(Table { game, values })
    }

    /// Who is there; with a table to work things out on, also what is given.
    fn setup(&self, on: Option<&Game>, values: &mut Vec<i64>) -> Result<Setup, Fault> {
        let rules = &self.program.schema;
        let mut things: Vec<ThingSpec> =
            self.cast.stands.iter().map(|s| ThingSpec::new(s.kind, s.name.clone())).collect();
        let placed = self.puts.iter().any(|p| matches!(p, Put::At { .. }));
        let spot = if placed { 0 } else { SPOT };
        for spec in &mut things {
            if rules.kinds[spec.kind.at()].on_board {
                spec.at = Some((spot, spot));
            }
        }
        let mut lists: Vec<(usize, FieldId, Vec<i64>)> = Vec::new();
        for (at, field, to) in &self.cast.links {
            let (_, number) = self.cast.id(*to);
            if matches!(rules.fields[field.at()].ty.present(), Type::List(_)) {
                match lists.iter_mut().find(|(a, f, _)| (a, f) == (at, field)) {
                    Some((_, _, entries)) => entries.push(number),
                    None => lists.push((*at, *field, vec![number])),
                }
            } else {
                things[*at].values.push((*field, 0, vec![number]));
            }
        }
        for (at, field, entries) in lists {
            things[at].values.push((field, 0, entries));
        }
        let mut setup = Setup { ran: self.ran.clone(), ..Setup::default() };
        if let Some(game) = on {
            for put in &self.puts {
                if let Put::Value { at, value } = put {
                    let mut state = game.start.clone();
                    let given = cells_of(game, &mut state, *value, &[])?;
                    let (name, ty) = &self.cast.values[*at];
                    within(rules, name, ty, &given)?;
                    values.extend(given);
                }
            }
            for put in &self.puts {
                self.put(game, put, &mut things, &mut setup, values)?;
            }
            self.group_places(&mut things);
        }
        setup.things = things;
        Ok(setup)
    }

    fn put(
        &self,
        game: &Game,
        put: &Put<FuncId>,
        things: &mut [ThingSpec],
        setup: &mut Setup,
        values: &[i64],
    ) -> Result<(), Fault> {
        let rules = &self.program.schema;
        let mut state = game.start.clone();
        let mut cells = |func: FuncId| cells_of(game, &mut state, func, values);
        match put {
            Put::Field { at, field, keys, value } => {
                let info = &rules.fields[field.at()];
                let mut figure = 0;
                for (key, (_, count)) in keys.iter().zip(&info.keys) {
                    figure = figure * count + cells(*key)?.first().copied().unwrap_or(0);
                }
                let given = cells(*value)?;
                // a bound that other figures make cuts a state; what no such figures allow is a slip
                if matches!(info.sort, FieldSort::Stat | FieldSort::State) {
                    within(rules, &format!("{}.{}", self.cast.stands[*at].name, info.name), &info.ty, &given)?;
                }
                let entries = match info.ty.present() {
                    Type::List(inner) => Some(entries(rules, inner, &state, &given)),
                    _ => None,
                };
                match (info.sort, entries) {
                    (FieldSort::BackLink(link), Some(entries)) => {
                        let kind = rules.fields[link.at()].kind;
                        let (_, number) = self.cast.id(*at);
                        for entry in entries {
                            if let Some(other) = self.cast.at(kind, entry) {
                                things[other].values.retain(|(f, _, _)| *f != link);
                                things[other].values.push((link, 0, vec![number]));
                            }
                        }
                    }
                    (_, Some(entries)) => things[*at].values.push((*field, figure, entries)),
                    (_, None) => things[*at].values.push((*field, figure, given)),
                }
            }
            Put::At { at, value } => {
                let given = cells(*value)?;
                let point = match given.as_slice() {
                    [THING, packed] => {
                        let (kind, number) = unpack_thing(*packed);
                        self.cast.at(kind, number).and_then(|other| things[other].at)
                    }
                    [NONE, ..] => None,
                    [x, y] => Some((*x, *y)),
                    _ => None,
                };
                things[*at].at = point;
            }
            Put::Facing { at, value } => things[*at].facing = cells(*value)?.first().copied().unwrap_or(0),
            Put::Has { at, what, data } => {
                if rules.traits[what.at()].sort == TraitSort::Trait {
                    things[*at].traits.push(*what);
                } else {
                    let mut all = Vec::new();
                    for part in data {
                        all.extend(cells(*part)?);
                    }
                    things[*at].statuses.push((*what, all));
                }
            }
            Put::Setting { id, value } => {
                let (info, given) = (&rules.settings[id.at()], cells(*value)?);
                within(rules, &info.name, &info.ty, &given)?;
                setup.settings.push((*id, given));
            }
            Put::Global { id, value } => setup.globals.push((*id, cells(*value)?)),
            Put::Value { .. } => {}
        }
        Ok(())
    }

    /// A group that is put somewhere takes those of its members along who are not put anywhere themselves.
    fn group_places(&self, things: &mut [ThingSpec]) {
        let rules = &self.program.schema;
        let own: Vec<usize> =
            self.puts.iter().filter_map(|p| if let Put::At { at, .. } = p { Some(*at) } else { None }).collect();
        for group in own.iter().copied() {
            let Some((field, member)) = rules.kinds[things[group].kind.at()].group else { continue };
            let (place, (_, number)) = (things[group].at.take(), self.cast.id(group));
            let listed: Vec<i64> =
                things[group].values.iter().filter(|(f, _, _)| *f == field).flat_map(|(_, _, e)| e.clone()).collect();
            for (other, thing) in things.iter_mut().enumerate() {
                if thing.kind != member || own.contains(&other) {
                    continue;
                }
                let in_group = match rules.fields[field.at()].sort {
                    FieldSort::BackLink(link) => {
                        thing.values.iter().any(|(f, _, v)| *f == link && v.first() == Some(&number))
                    }
                    _ => listed.contains(&self.cast.id(other).1),
                };
                if in_group {
                    thing.at = place;
                }
            }
        }
    }
}

/// A number that is given lies in the range of what it is given to.
fn within(rules: &Schema, name: &str, ty: &Type, given: &[i64]) -> Result<(), Fault> {
    match (ty, given) {
        (Type::Int(range), [n]) if !(range.low..=range.high).contains(n) => {
            let message = format!("`{name}` is {}; {n} is outside it", rules.type_name(ty));
            Err(Fault::new(Code::ExampleForm, message))
        }
        _ => Ok(()),
    }
}

/// Entries of a list, out of the heap.
fn entries(rules: &Schema, inner: &Type, state: &State, cells: &[i64]) -> Vec<i64> {
    let list = Handle::of(cells.first().copied().unwrap_or(0));
    let width = rules.width(inner).max(1);
    state.heap.get(list.at..list.at + list.len * width).unwrap_or_default().to_vec()
}

impl Table {
    /// A law that reads a figure which nobody gave cannot be judged on this table: from now on it is not. False if
    /// that is not why the run ended.
    pub(super) fn silence(&mut self, bench: &Bench, fault: &Fault) -> bool {
        if fault.code != Code::Unset {
            return false;
        }
        let program = &mut self.game.program;
        let Some(law) = program.schema.laws.iter().find(|l| fault.stack.contains(&l.name)) else { return false };
        let (law, yes) = (law.func, program.funcs[bench.yes.at()].clone());
        let silent = program.funcs[law.at()].entry == yes.entry;
        program.funcs[law.at()] = yes;
        !silent
    }

    /// What the call is given, one after the other; lists lie on the heap of the position.
    pub(super) fn arguments(&self, bench: &Bench, state: &mut State) -> Result<Vec<i64>, Fault> {
        let mut cells = Vec::new();
        for arg in &bench.args {
            cells.extend(cells_of(&self.game, state, *arg, &self.values)?);
        }
        Ok(cells)
    }

    /// A value after the call.
    pub(super) fn value(&self, bench: &Bench, after: &After, func: FuncId, ty: &Type) -> Result<Value, Fault> {
        let params = if bench.has_result { &after.result } else { &self.values };
        let (aside, found) = after.cells(&self.game, func, params)?;
        Ok(self.game.value(&aside, ty, &found))
    }
}

impl<F> Put<F> {
    fn map<G>(self, id: &impl Fn(F) -> G) -> Put<G> {
        let all = |list: Vec<F>| list.into_iter().map(id).collect();
        match self {
            Put::Field { at, field, keys, value } => Put::Field { at, field, keys: all(keys), value: id(value) },
            Put::At { at, value } => Put::At { at, value: id(value) },
            Put::Facing { at, value } => Put::Facing { at, value: id(value) },
            Put::Has { at, what, data } => Put::Has { at, what, data: all(data) },
            Put::Setting { id: setting, value } => Put::Setting { id: setting, value: id(value) },
            Put::Global { id: global, value } => Put::Global { id: global, value: id(value) },
            Put::Value { at, value } => Put::Value { at, value: id(value) },
        }
    }
}

fn compiled_choice(choice: Choice, id: &impl Fn(FuncId) -> FuncId) -> Choice {
    let all = |list: Vec<(SiteId, FuncId)>| list.into_iter().map(|(s, f)| (s, id(f))).collect();
    match choice {
        Choice::Stop => Choice::Stop,
        Choice::Value(values) => Choice::Value(all(values)),
        Choice::Rank { most, keys } => Choice::Rank { most, keys: all(keys) },
        Choice::Action { action, given } => {
            Choice::Action { action, given: given.into_iter().map(|(l, f)| (l, id(f))).collect() }
        }
    }
}

fn compiled_check(check: Check, id: &impl Fn(FuncId) -> FuncId) -> Check {
    match check {
        Check::Value { left, right, ty } => Check::Value { left: id(left), right: id(right), ty },
        Check::Condition { holds } => Check::Condition { holds: id(holds) },
        Check::Offered { not, action, wanted, value } => {
            let wanted = wanted.into_iter().map(|(n, t, f)| (n, t, id(f))).collect();
            Check::Offered { not, action, wanted, value: value.map(id) }
        }
        Check::Odds { of, ty, given, claimed, counted } => {
            Check::Odds { of: id(of), ty, given: given.map(id), claimed: claimed.map(id), counted }
        }
    }
}
