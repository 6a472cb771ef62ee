//! Rerolls, draws, and checks of dice operands.

use super::context::With;
use super::drive::*;
use super::fault::{empty_choice, too_few};
use super::lazy_dice::Fallen;
use super::lists::full;
use super::state::Handle;
use super::subsets::alike;
use super::throws::{Die, MOST_SIDES, known_die};
use super::{Fault, Game, State};
use grognard_base::Code;
use grognard_program::schema::Schema;
use grognard_program::{Ask, AskKind, DiceSort};

pub(super) use grognard_base::value::dice::MOST_DICE;

pub(super) fn die_of(schema: &Schema, sort: DiceSort, value: i64) -> Result<Die, Fault> {
    known_die(schema, sort, value).ok_or_else(|| {
        Fault::new(
            Code::TooManyDice,
            format!(
                "there is no die with {value} sides; the number must be 1 to \
                                               {MOST_SIDES}"
            ),
        )
    })
}

/// Converts a number of dice, draws or choices to `usize`.
///
/// # Errors
///
/// Returns a fault if the number is negative.
pub(super) fn how_many(game: &Game, ask: &Ask, number: i64) -> Result<usize, Fault> {
    usize::try_from(number).map_err(|_| {
        let what = if matches!(ask.kind, AskKind::Roll { .. }) { "dice " } else { "" };
        too_few(number, what, &game.program.schema.sites[ask.site.at()].name)
    })
}

pub(super) fn reroll(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask) -> Result<Flow, Fault> {
    let AskKind::Reroll { pool, which, recipe, many, sort, explode, list, roll, .. } = &ask.kind else {
        return Ok(Flow::Go);
    };
    let base = state.base as usize;
    let places = state.list(state.stack[base + *which as usize]).to_vec();
    let recipe_reg = base + *recipe as usize;
    let recipe = state.stack[recipe_reg];
    let faces = if *list {
        state.list(state.stack[base + *pool as usize]).to_vec()
    } else {
        vec![state.stack[base + *pool as usize]]
    };
    let again: Vec<i64> = places.iter().map(|place| recipe_die(state, recipe, *many, *place)).collect();
    let each =
        again.iter().map(|die| die_of(&game.program.schema, *sort, *die)).collect::<Result<Vec<Die>, Fault>>()?;
    full(faces.len() + if *explode { places.len() } else { 0 })?;
    with.faces.clear();
    let subject = state.stack[base + ask.who.subject as usize];
    let throw =
        Throw { site: *roll, subject, dice: Thrown::Each(&each), pool: *list, again: &places, explode: *explode };
    if with.drivers.dice().throw(game, &throw, &mut with.faces)? == Flow::Wait {
        return Ok(Flow::Wait);
    }
    if with.traced {
        with.drivers.trace().happen(
            game,
            state,
            &MachineEvent::Roll { throw: &throw, name: ask.site, faces: &with.faces },
        );
    }
    let mut new = faces;
    let mut fell: Vec<i64> = Vec::with_capacity(places.len());
    let before = if with.exact { new.clone() } else { Vec::new() };
    let mut fallen = Fallen::into(&before);
    // exact odds may follow exploding dice to the last one; then the new dice are not read again
    let to_the_last = with.exact && with.faces.len() > places.len();
    for face in with.faces.iter().filter(|_| to_the_last) {
        new.push(fallen.cell(None, *face)?);
    }
    for (place, face) in places.iter().zip(&with.faces).filter(|_| !to_the_last) {
        let old = (!explode).then(|| new[*place as usize]);
        let face = if with.exact { fallen.cell(old, *face)? } else { *face };
        if *explode {
            fell.push(new.len() as i64);
            new.push(face);
        } else {
            fell.push(*place);
            new[*place as usize] = face;
        }
    }
    state.stack[base + *pool as usize] = if *list { state.new_list(&new, 1) } else { new.iter().sum() };
    state.stack[base + *which as usize] = state.new_list(&fell, 1);
    if *explode && *many {
        // additional dice are of the kind of the exploded dice
        let dice = [state.list(recipe), &again].concat();
        state.stack[recipe_reg] = state.new_list(&dice, 1);
    }
    Ok(Flow::Go)
}

/// Returns the die at an index of a pool: from a list of dice the die itself, otherwise the die of the whole pool.
fn recipe_die(state: &State, recipe: i64, many: bool, place: i64) -> i64 {
    if !many {
        return recipe;
    }
    state.list(recipe).get(place as usize).copied().unwrap_or(1)
}

pub(super) fn draw(game: &Game, state: &mut State, with: &mut With<'_>, ask: &Ask) -> Result<Flow, Fault> {
    let AskKind::Draw { dst, from, width, weights, amount, or_none } = &ask.kind else { return Ok(Flow::Go) };
    let (base, width) = (state.base as usize, *width as usize);
    let list = Handle::of(state.stack[base + *from as usize]);
    let cells = state.heap[list.at..list.at + list.len * width].to_vec();
    let ty = &game.program.schema.sites[ask.site.at()].ty;
    let mut heavy = Vec::with_capacity(list.len);
    for n in 0..list.len {
        let weight = match weights {
            Some(w) => state.list(state.stack[base + *w as usize])[n],
            None => 1,
        };
        if !(0..=MOST_DICE as i64).contains(&weight) {
            return Err(Fault::new(
                Code::OutOfBounds,
                format!(
                    "the weight {weight} is not allowed; it must be 0 to \
                                                              10,000"
                ),
            ));
        }
        heavy.push(weight as u32);
    }
    let able: Vec<usize> = (0..list.len).filter(|n| heavy[*n] > 0).collect();
    let names: Vec<String> = able.iter().map(|n| game.tell(state, ty, &cells[n * width..(n + 1) * width])).collect();
    let weights: Vec<u32> = able.iter().map(|n| heavy[*n]).collect();
    let open: Vec<i64> = able.iter().flat_map(|n| cells[n * width..(n + 1) * width].iter().copied()).collect();
    let alike = alike(&open, width);
    let count = match amount {
        Some((least, most)) => {
            let least = how_many(game, ask, state.stack[base + *least as usize])?;
            if least > able.len() {
                let message = format!("this draws {least}, but there are {}", able.len());
                return Err(Fault::new(Code::OutOfBounds, message));
            }
            how_many(game, ask, state.stack[base + *most as usize])?.min(able.len())
        }
        None => 1.min(able.len()),
    };
    if amount.is_none() && able.is_empty() && !or_none {
        return Err(empty_choice(game, ask));
    }
    let subject = state.stack[base + ask.who.subject as usize];
    let query = DrawAsk { site: ask.site, subject, names: &names, alike: &alike, weights: &weights, count };
    let mut picks = Vec::new();
    if count > 0 && with.drivers.dice().draw(game, &query, &mut picks)? == Flow::Wait {
        return Ok(Flow::Wait);
    }
    if with.traced {
        let among = game.values(state, ty, &open);
        with.tell(game, state, &MachineEvent::Draw { draw: &query, among: &among, picks: &picks });
    }
    let taken: Vec<i64> =
        picks.iter().flat_map(|p| cells[able[*p] * width..(able[*p] + 1) * width].iter().copied()).collect();
    let dst = base + *dst as usize;
    if amount.is_some() {
        state.stack[dst] = state.new_list(&taken, width);
    } else if taken.is_empty() {
        state.none(dst, width);
    } else {
        state.stack[dst..dst + width].copy_from_slice(&taken);
    }
    Ok(Flow::Go)
}
