//! Values that are evaluated on the table before they are assigned, such as the givens of an example.

use super::prepared::Prepared;
use super::snippets::PieceId;
use super::things::polygon;
use super::{Snippet, evaluate_onward};
use grognard_base::Code;
use grognard_base::value::*;
use grognard_board::Shape;
use grognard_rules::ruleset::{FieldSort, Schema};
use grognard_syntax::tree::TraitSort;
use grognard_vm::{Fault, Game, Handle, Setup, State, ThingSpec, set_up};

/// An assignment. `at` is the index of a thing in the setup.
#[derive(Clone, Debug)]
pub enum Put {
    /// A field of a thing, with its keys and its value.
    Field { at: usize, field: FieldId, keys: Vec<PieceId>, value: PieceId },
    /// The place of a thing.
    At { at: usize, value: PieceId },
    /// The facing of a thing.
    Facing { at: usize, value: PieceId },
    /// Whether a thing is in play.
    Alive { at: usize, value: PieceId },
    /// The body of a thing: the radius of a disc or the length of a segment.
    Extent { at: usize, value: PieceId, shape: fn(i64) -> Shape },
    /// The corners of a thing.
    Corners { at: usize, value: PieceId },
    /// A trait, or a status with its data.
    Has { at: usize, what: TraitId, data: Vec<PieceId> },
    /// A param or a reading.
    Setting { id: SettingId, value: PieceId },
    /// A state of the game.
    Global { id: GlobalId, value: PieceId },
    /// A parameter that is not a thing, in the order of the parameters of pieces.
    Value { name: String, ty: Type, value: PieceId },
}

/// Evaluates assignments on the table without them.
struct Work<'w> {
    game: &'w Game,
    rules: &'w Schema,
    pieces: &'w [Snippet],
    values: Vec<i64>,
}

/// Returns the kind of a thing and its number within the kind.
fn id(things: &[ThingSpec], at: usize) -> (KindId, i64) {
    let kind = things[at].kind;
    (kind, things[..at].iter().filter(|thing| thing.kind == kind).count() as i64)
}

/// Returns the index of the thing with this number within its kind.
fn place(things: &[ThingSpec], kind: KindId, number: i64) -> Option<usize> {
    let mut of_kind = things.iter().enumerate().filter(|(_, thing)| thing.kind == kind);
    of_kind.nth(usize::try_from(number).ok()?).map(|(at, _)| at)
}

impl Prepared {
    /// Applies the assignments to the setup, and returns the cells of the parameters that are not things.
    pub(super) fn put(&mut self) -> Result<Vec<i64>, Fault> {
        if self.puts.is_empty() {
            return Ok(Vec::new());
        }
        let game = set_up(self.program.clone(), self.setup.clone())?;
        let mut work = Work { game: &game, rules: &game.program.schema, pieces: &self.pieces, values: Vec::new() };
        for put in &self.puts {
            if let Put::Value { name, ty, value } = put {
                let mut state = game.start.clone();
                let given = evaluate_onward(&game, &work.pieces[value.0], &mut state, &[], &[])?;
                within(work.rules, name, ty, &given)?;
                work.values.extend(given);
            }
        }
        for put in &self.puts {
            work.put(put, &mut self.setup)?;
        }
        let own = self.puts.iter().filter_map(|p| if let Put::At { at, .. } = p { Some(*at) } else { None });
        work.group_places(&own.collect::<Vec<_>>(), &mut self.setup.things);
        work.group_losses(&mut self.setup.things);
        Ok(work.values)
    }
}

impl Work<'_> {
    fn put(&self, put: &Put, setup: &mut Setup) -> Result<(), Fault> {
        let rules = self.rules;
        let mut state = self.game.start.clone();
        let mut cells =
            |piece: PieceId| evaluate_onward(self.game, &self.pieces[piece.0], &mut state, &[], &self.values);
        let things = &mut setup.things;
        match put {
            Put::Field { at, field, keys, value } => {
                let info = &rules.fields[field.at()];
                let mut figure = 0;
                for (key, (_, count)) in keys.iter().zip(&info.keys) {
                    figure = figure * count + cells(*key)?.first().copied().unwrap_or(0);
                }
                let given = cells(*value)?;
                // dependent bounds clamp a state, but a value outside the declared range is an error
                if matches!(info.sort, FieldSort::Stat | FieldSort::State) {
                    within(rules, &format!("{}.{}", things[*at].name, info.name), &info.ty, &given)?;
                }
                let entries = match info.ty.present() {
                    Type::List(inner) => Some(entries(rules, inner, &state, &given)),
                    _ => None,
                };
                match (info.sort, entries) {
                    (FieldSort::BackLink(link), Some(entries)) => {
                        let (_, number) = id(things, *at);
                        for entry in entries {
                            if let Some(other) = place(things, rules.fields[link.at()].kind, entry) {
                                things[other].values.retain(|(f, _, _)| *f != link);
                                things[other].values.push((link, 0, vec![number]));
                            }
                        }
                    }
                    (_, entries) => things[*at].values.push((*field, figure, entries.unwrap_or(given))),
                }
            }
            Put::At { at, value } => {
                things[*at].at = match cells(*value)?.as_slice() {
                    [THING, packed] => {
                        let (kind, number) = unpack_thing(*packed);
                        place(things, kind, number).and_then(|other| things[other].at)
                    }
                    [NONE, ..] => None,
                    [x, y] => Some((*x, *y)),
                    _ => None,
                };
            }
            Put::Facing { at, value } => things[*at].facing = cells(*value)?.first().copied().unwrap_or(0),
            Put::Alive { at, value } => things[*at].alive = cells(*value)? == [1],
            Put::Extent { at, value, shape } => {
                let length = cells(*value)?.first().copied().unwrap_or(0);
                if length < 0 {
                    let message = format!("the body of `{}` has a negative size", things[*at].name);
                    return Err(Fault::new(Code::ExampleForm, message));
                }
                things[*at].shape = shape(length);
                if things[*at].shape == (Shape::Segment { length: 0 }) {
                    let message = format!("`{}` is a straight piece of length 0", things[*at].name);
                    return Err(Fault::new(Code::ExampleForm, message));
                }
            }
            Put::Corners { at, value } => {
                let given = cells(*value)?;
                let corners: Vec<(i64, i64)> =
                    entries(rules, &Type::Place, &state, &given).chunks_exact(2).map(|at| (at[0], at[1])).collect();
                let (place, shape) =
                    polygon(&things[*at].name, &corners).map_err(|(_, why)| Fault::new(Code::ExampleForm, why))?;
                (things[*at].at, things[*at].shape) = (Some(place), shape);
            }
            Put::Has { at, what, .. } if rules.traits[what.at()].sort == TraitSort::Trait => {
                things[*at].traits.push(*what);
            }
            Put::Has { at, what, data } => {
                let mut all = Vec::new();
                for part in data {
                    all.extend(cells(*part)?);
                }
                things[*at].statuses.push((*what, all));
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

    /// Moves the members of a placed group to its place, except members that have a place of their own.
    fn group_places(&self, own: &[usize], things: &mut [ThingSpec]) {
        for group in own.iter().copied() {
            let Some(members) = self.members(group, things) else { continue };
            let spot = things[group].at.take();
            members.into_iter().filter(|other| !own.contains(other)).for_each(|other| things[other].at = spot);
        }
    }

    /// Takes a group out of play that has only members out of play, and the members of a group that is out of play.
    fn group_losses(&self, things: &mut [ThingSpec]) {
        for group in 0..things.len() {
            let Some(members) = self.members(group, things).filter(|members| !members.is_empty()) else { continue };
            if !things[group].alive {
                members.into_iter().for_each(|member| things[member].alive = false);
            } else if members.iter().all(|member| !things[*member].alive) {
                things[group].alive = false;
            }
        }
    }

    /// Returns the members of a group, or `None` for another thing.
    fn members(&self, group: usize, things: &[ThingSpec]) -> Option<Vec<usize>> {
        let rules = self.rules;
        let (field, member) = rules.kinds[things[group].kind.at()].group?;
        let (_, number) = id(things, group);
        let listed = things[group].values.iter().filter(|(f, _, _)| *f == field);
        let listed: Vec<i64> = listed.flat_map(|(_, _, entries)| entries.clone()).collect();
        let linked =
            |other: usize, link| things[other].values.iter().any(|(f, _, v)| *f == link && v.first() == Some(&number));
        let in_group = |other: &usize| match rules.fields[field.at()].sort {
            _ if things[*other].kind != member => false,
            FieldSort::BackLink(link) => linked(*other, link),
            _ => listed.contains(&id(things, *other).1),
        };
        Some((0..things.len()).filter(in_group).collect())
    }
}

/// Checks that a number is in the declared range.
fn within(rules: &Schema, name: &str, ty: &Type, given: &[i64]) -> Result<(), Fault> {
    match (ty, given) {
        (Type::Int(range), [n]) if !(range.low..=range.high).contains(n) => {
            let message = format!("`{name}` is {}; {n} is out of range", rules.type_name(ty));
            Err(Fault::new(Code::ExampleForm, message))
        }
        _ => Ok(()),
    }
}

/// Copies the entries of a list from the heap.
fn entries(rules: &Schema, inner: &Type, state: &State, cells: &[i64]) -> Vec<i64> {
    let list = Handle::of(cells.first().copied().unwrap_or(0));
    let width = rules.width(inner).max(1);
    state.heap.get(list.at..list.at + list.len * width).unwrap_or_default().to_vec()
}
