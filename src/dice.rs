//! Dice of the caller: physical dice, a script, a random generator.

use crate::Error;
use grognard_base::Code;
use grognard_base::value::SiteId;
use grognard_base::value::dice::{Site, Stream, name};
use grognard_play::{OutsideDice, session};
use grognard_vm::{Die, DrawAsk, Fault, Game, Throw};
use rand_core::{Rng, TryRng};
use serde::Serialize;
use std::convert::Infallible;

/// A roll that a run asks for. With `serde`, it has its public fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Roll {
    /// The name of the roll with the proc or test that it is in, such as `volley.aim`.
    pub name: String,
    /// The thing that rolls, or an empty text.
    pub of: String,
    /// The faces of each die.
    pub dice: Vec<Vec<i64>>,
    /// Whether these are rerolls, or dice that explode.
    pub again: bool,
}

impl Roll {
    /// Returns the number of dice.
    pub fn count(&self) -> usize {
        self.dice.len()
    }

    /// Checks that the dice can show these faces.
    pub(crate) fn checked(&self, faces: &[i64]) -> Result<(), Error> {
        let help = "give one face for each die, such as 1 to 6 for a d6";
        if faces.len() != self.count() {
            let message =
                format!("the roll `{}` has {} dice, and {} faces were given", self.name, self.count(), faces.len());
            return Err(Error::input(message, help));
        }
        match faces.iter().zip(&self.dice).find(|(face, die)| !die.contains(face)) {
            Some((face, _)) => Err(Error::input(format!("a die of the roll `{}` cannot show {face}", self.name), help)),
            None => Ok(()),
        }
    }

    pub(crate) fn of_pause(game: &Game, roll: &session::Roll) -> Roll {
        let dice = roll.each().iter().map(|die| faces(game, *die)).collect();
        Roll { name: roll.name.clone(), of: roll.of.clone(), dice, again: roll.again }
    }
}

/// A random draw that a run asks for. With `serde`, it has its public fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Draw {
    /// The name of the draw with the proc or test that it is in.
    pub name: String,
    /// The thing that draws, or an empty text.
    pub of: String,
    /// The entries that can be drawn.
    pub among: Vec<String>,
    /// The weight of each entry.
    pub weights: Vec<u32>,
    /// The number of entries to draw, without replacement.
    pub count: usize,
}

impl Draw {
    pub(crate) fn of_pause(draw: &session::Draw) -> Draw {
        let (among, weights) = (draw.among.clone(), draw.weights().to_vec());
        Draw { name: draw.name.clone(), of: draw.of.clone(), among, weights, count: draw.count }
    }
}

/// A source of dice for [`Run::dice`](crate::Run::dice). A function of a [`Roll`] is one.
///
/// A scenario can fix the faces of rolls. These dice are asked for all others.
///
/// ```
/// use grognard::{Folder, Roll, Scenario};
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// let mut all_sixes = |roll: &Roll| vec![6; roll.count()];
/// let played = scenario.run().dice(&mut all_sixes).play()?;
/// assert_eq!(played.thing("raiders").unwrap().get("men").unwrap().as_int(), Some(6)); // all saved
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Dice: Send {
    /// Returns one face for each die of the roll, or `None` to take the dice of the seed.
    ///
    /// # Errors
    ///
    /// An error ends the run. [`Error::stopped`] creates one.
    fn roll(&mut self, roll: &Roll) -> Result<Option<Vec<i64>>, Error>;

    /// Returns the indices of the drawn entries, or `None` to take the draw of the seed.
    ///
    /// # Errors
    ///
    /// An error ends the run. [`Error::stopped`] creates one.
    fn draw(&mut self, _draw: &Draw) -> Result<Option<Vec<usize>>, Error> {
        Ok(None)
    }
}

impl<F: FnMut(&Roll) -> Vec<i64> + Send> Dice for F {
    fn roll(&mut self, roll: &Roll) -> Result<Option<Vec<i64>>, Error> {
        Ok(Some(self(roll)))
    }
}

/// Dice and draws from a random generator of `rand_core` 0.10 that is `Send`, such as `StdRng` of the crate `rand`.
///
/// ```
/// use grognard::{Folder, RngDice, Scenario};
/// # use rand_core::SeedableRng;
///
/// let scenario = Scenario::load(Folder::new("docs")?, "first/volley.toml")?;
/// # let generator = scenario.rng(1, 0, "example", "");
/// let mut dice = RngDice::new(generator); // for example `StdRng::seed_from_u64(1)`
/// let played = scenario.run().dice(&mut dice).play()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RngDice<R>(R);

impl<R: Rng + Send> RngDice<R> {
    /// Creates dice from a generator.
    pub fn new(generator: R) -> RngDice<R> {
        RngDice(generator)
    }

    /// Returns a number below `count`, each with the same probability (Lemire 2019, with rejection).
    fn below(&mut self, count: u32) -> u32 {
        if count <= 1 {
            return 0;
        }
        let limit = count.wrapping_neg() % count;
        loop {
            let wide = u64::from(self.0.next_u32()) * u64::from(count);
            if wide as u32 >= limit {
                return (wide >> 32) as u32;
            }
        }
    }
}

impl<R: Rng + Send> Dice for RngDice<R> {
    fn roll(&mut self, roll: &Roll) -> Result<Option<Vec<i64>>, Error> {
        let face = |faces: &Vec<i64>| faces.get(self.below(faces.len() as u32) as usize).copied().unwrap_or(0);
        Ok(Some(roll.dice.iter().map(face).collect()))
    }

    fn draw(&mut self, draw: &Draw) -> Result<Option<Vec<usize>>, Error> {
        let mut left: Vec<(usize, u32)> = draw.weights.iter().copied().enumerate().collect();
        let mut picks = Vec::with_capacity(draw.count);
        for _ in 0..draw.count {
            let sum = left.iter().map(|(_, weight)| weight).sum();
            let mut at = self.below(sum);
            let drawn = left.iter().position(|(_, weight)| {
                let here = at < *weight;
                at = at.saturating_sub(*weight);
                here
            });
            picks.extend(drawn.map(|n| left.remove(n).0));
        }
        Ok(Some(picks))
    }
}

/// A random generator with the numbers of this library: a counter-based stream with a key.
///
/// Its numbers depend only on the seed, the run and the name. A player that is written in code stays reproducible with
/// it, whatever the dice of the rules do. [`Scenario::rng`](crate::Scenario::rng) creates one. It implements the traits
/// of `rand_core` 0.10.
#[derive(Clone, Debug)]
pub struct KeyedRng {
    stream: Stream,
    site: Site,
    next: u32,
}

impl KeyedRng {
    /// Creates the stream of a name, such as `policy`, for a thing, in a run of a seed.
    pub fn new(seed: u64, run: u64, purpose: &str, of: &str) -> KeyedRng {
        // a name of the caller is never that of a roll of the rules
        let site = Site::new(name(&format!("caller {purpose}")), name(of), 0);
        KeyedRng { stream: Stream::new(seed, run), site, next: 0 }
    }
}

impl TryRng for KeyedRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let word = self.stream.word(self.site, self.next, 0);
        self.next = self.next.wrapping_add(1);
        Ok(word)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let (low, high) = (self.try_next_u32()?, self.try_next_u32()?);
        Ok(u64::from(low) | u64::from(high) << 32)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(4) {
            let word = self.try_next_u32()?.to_le_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
        Ok(())
    }
}

/// The dice of a caller as the machine asks them. It keeps the error that ended a run.
pub(crate) struct Asked<'d> {
    pub dice: &'d mut dyn Dice,
    pub error: Option<Error>,
}

impl Asked<'_> {
    fn kept<T>(&mut self, answer: Result<Option<T>, Error>) -> Result<Option<T>, Fault> {
        answer.map_err(|error| {
            let fault = Fault::new(Code::Script, error.to_string());
            self.error = Some(error);
            fault
        })
    }
}

impl OutsideDice for Asked<'_> {
    fn roll(&mut self, game: &Game, throw: &Throw<'_>) -> Result<Option<Vec<i64>>, Fault> {
        let roll = Roll {
            name: qualified(game, throw.site),
            of: game.packed_name(throw.subject),
            dice: (0..throw.dice.len()).map(|n| faces(game, throw.dice.die(n))).collect(),
            again: !throw.again.is_empty(),
        };
        let answer = self.dice.roll(&roll).and_then(|faces| match faces {
            Some(faces) => roll.checked(&faces).map(|()| Some(faces)),
            None => Ok(None),
        });
        self.kept(answer)
    }

    fn draw(&mut self, game: &Game, draw: &DrawAsk<'_>) -> Result<Option<Vec<usize>>, Fault> {
        let draw = Draw {
            name: qualified(game, draw.site),
            of: game.packed_name(draw.subject),
            among: draw.names.to_vec(),
            weights: draw.weights.to_vec(),
            count: draw.count,
        };
        let answer = self.dice.draw(&draw);
        self.kept(answer)
    }
}

/// Returns the name of a roll or a draw with the function that it is in, or an empty text if it has no name.
fn qualified(game: &Game, site: SiteId) -> String {
    let named = game.program.schema.sites.get(site.at()).filter(|site| site.sort.is_chance());
    named.map_or(String::new(), |site| game.program.qualified(site))
}

/// Maximum number of faces of a die that are listed.
const MOST_FACES: u32 = 1_000_000;

fn faces(game: &Game, die: Die) -> Vec<i64> {
    match die {
        Die::Sides(sides) => (1..=i64::from(sides.min(MOST_FACES))).collect(),
        Die::Faces(id) => game.program.schema.dice[id.at()].faces.clone(),
    }
}
