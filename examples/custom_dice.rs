//! Dice of the caller: a loaded die, a generator of the crate `rand`, and fixed faces of one roll.
//!
//! `cargo run --example custom_dice`
#![allow(clippy::print_stdout)]
use grognard::{Dice, Error, Folder, Played, RngDice, Roll, Rules};
use rand::SeedableRng;
use rand::rngs::StdRng;

/// A die that was dropped once too often: each third face is its highest one.
struct Loaded<D> {
    fair: D,
    thrown: u64,
}

impl<D: Dice> Dice for Loaded<D> {
    fn roll(&mut self, roll: &Roll) -> Result<Option<Vec<i64>>, Error> {
        let mut faces = self.fair.roll(roll)?.unwrap_or_default();
        for (face, die) in faces.iter_mut().zip(&roll.dice) {
            self.thrown += 1;
            if self.thrown.is_multiple_of(3) {
                *face = die.last().copied().unwrap_or(*face);
            }
        }
        Ok(Some(faces))
    }
}

fn left(played: &Played) -> String {
    played.thing("raiders").and_then(|raiders| raiders.get("men")).map_or("none".into(), |men| men.to_string())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
    let table = rules.table().thing("Squad", "guards").set("men", 10).thing("Squad", "raiders").set("men", 6);
    let table = table.call("volley", ["guards", "raiders"]);
    let volley = table.build()?;

    let mut fair = RngDice::new(StdRng::seed_from_u64(7));
    println!("fair dice leave {} raiders", left(&volley.run().dice(&mut fair).play()?));

    let mut loaded = Loaded { fair: RngDice::new(StdRng::seed_from_u64(7)), thrown: 0 };
    println!("loaded dice leave {} raiders", left(&volley.run().dice(&mut loaded).play()?));

    // a function is a source of dice too
    let mut ones = |roll: &Roll| vec![1; roll.count()];
    println!("ten ones leave {} raiders", left(&volley.run().dice(&mut ones).play()?));

    // the table can fix one roll; the generator rolls the others
    let scripted = table.roll("volley.aim", [6; 10]).build()?;
    let played = scripted.run().dice(&mut RngDice::new(StdRng::seed_from_u64(7))).play()?;
    println!("ten hits leave {} raiders", left(&played));

    // dice that do not fit the roll end the run with an error
    let mut wrong = |_: &Roll| vec![7];
    let error = volley.run().dice(&mut wrong).play().err().ok_or("seven is not a face of a d6")?;
    println!("{error:#}");
    Ok(())
}
