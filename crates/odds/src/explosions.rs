//! Chains of exploding dice, computed without intermediate states: each die starts a chain whose length has a geometric
//! distribution, truncated at the last round.

use super::num::{Binomials, Num};
use super::pool::compositions;
use grognard_base::Meter;
use grognard_vm::{Game, LazyDice};

/// The cells of the following dice, their weight, and its denominator, which is the same for the same number of dice.
pub type Way = (Vec<i64>, Num, Num);

/// Maximum number of branches; larger splits are followed round by round.
const MOST_WAYS: usize = 1 << 16;

/// Returns the dice that follow `chains` exploding dice in at most `rounds` rounds. A die explodes if its face satisfies `fits`.
/// Returns `None` if there are more than `most` branches, if more than `room` dice can follow, or if the exploding faces are not
/// contiguous.
pub fn ways(
    game: &Game,
    die: LazyDice,
    (chains, rounds): (usize, usize),
    fits: impl Fn(i64) -> bool,
    (room, most): (usize, usize),
    ways: &mut Binomials,
    meter: &Meter,
) -> Option<Vec<Way>> {
    let longest = chains.checked_mul(rounds).filter(|dice| *dice <= room)?;
    let most = most.min(MOST_WAYS);
    let (explode, end): (Vec<_>, Vec<_>) = pieces(game, die, &fits).into_iter().partition(|piece| piece.2);
    let [(low, high, _)] = explode[..] else { return None };
    // The final dice split between the faces below and above the exploding ones: `dice + 1` compositions.
    let ended = |dice: usize| if end.len() == 2 { dice + 1 } else { 1 };
    if (0..=chains).map(|dice| (dice * (rounds - 1) + 1) * ended(dice)).sum::<usize>() > most {
        return None;
    }
    let part = |(low, high)| LazyDice { low, high, ..die }.cell();
    let sides = |(low, high)| die.sides(game, low, high);
    let end: Vec<(u32, u32)> = end.into_iter().map(|(low, high, _)| (low, high)).collect();
    let all = Num::from(sides((die.low, die.high)));
    let again = powers(&Num::from(sides((low, high))), longest);
    let each: Vec<Num> = end.iter().map(|piece| Num::from(sides(*piece))).collect();
    let alls = powers(&all, longest);
    let lengths = lengths(chains, rounds, meter)?;
    let mut list = Vec::new();
    // `ended` chains end with a die that does not explode, the others with the last round.
    for (ended, lengths) in lengths.iter().enumerate().filter(|(ended, _)| *ended == 0 || !end.is_empty()) {
        let lasts = compositions(ended, &each, ways, most)?;
        let cut = chains - ended;
        let choices = ways.row(chains)[ended].clone();
        for (more, count) in lengths.iter().enumerate() {
            let exploded = more + cut * rounds;
            let (weight, whole) = (choices.mul(count).mul(&again[exploded]), &alls[exploded + ended]);
            for (counts, factor) in &lasts {
                if list.len() == most || !meter.work(1) {
                    return None;
                }
                let mut cells = vec![part((low, high)); exploded];
                for (piece, dice) in end.iter().zip(counts) {
                    cells.extend(std::iter::repeat_n(part(*piece), *dice));
                }
                list.push((cells, weight.mul(factor), whole.clone()));
            }
        }
    }
    Some(list)
}

/// Returns the maximal runs of faces that all explode or all do not: first face, last face, and whether they explode.
fn pieces(game: &Game, die: LazyDice, fits: impl Fn(i64) -> bool) -> Vec<(u32, u32, bool)> {
    let mut found: Vec<(u32, u32, bool)> = Vec::new();
    for n in die.low..=die.high {
        let fits = fits(die.face(game, n));
        match found.last_mut() {
            Some((_, high, same)) if *same == fits => *high = n,
            _ => found.push((n, n, fits)),
        }
    }
    found
}

fn powers(of: &Num, most: usize) -> Vec<Num> {
    std::iter::successors(Some(Num::Narrow(1)), |last| Some(last.mul(of))).take(most + 1).collect()
}

/// Returns for 0 to `chains` chains the number of combinations with each total length, with fewer than `rounds` dice in each chain.
fn lengths(chains: usize, rounds: usize, meter: &Meter) -> Option<Vec<Vec<Num>>> {
    let mut all = vec![vec![Num::Narrow(1)]];
    for n in 0..chains {
        let last = &all[n];
        let (mut window, mut next) = (Num::Narrow(0), Vec::with_capacity(last.len() + rounds));
        for dice in 0..last.len() + rounds - 1 {
            if let Some(enters) = last.get(dice) {
                window.add(enters);
            }
            if let Some(leaves) = dice.checked_sub(rounds).and_then(|at| last.get(at)) {
                window.saturating_sub(leaves);
            }
            next.push(window.clone());
        }
        if !meter.work(next.len() as u64) {
            return None;
        }
        all.push(next);
    }
    Some(all)
}
