//! Two versions of the rules on one table: exact differences, and the same from runs.
//!
//! `cargo run --example ab`
#![allow(clippy::float_arithmetic, clippy::print_stdout)]
use grognard::{Effect, Folder, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
    let table = rules.table().thing("Squad", "guards").set("men", 10).thing("Squad", "raiders").set("men", 6);
    let a = table.call("volley", ["guards", "raiders"]).mean("raiders.men").chance("raiders.men == 0").build()?;
    let b = a.with("hit_on", 3)?;

    println!("B hits on 3 instead of 4");
    let exact = a.compare(&b).compute()?;
    exact.effects().iter().for_each(print);

    let sampled = a.compare(&b).sampled().within(0.05).seed(1).compute()?;
    println!("from {} pairs of runs on the same dice", sampled.pairs());
    sampled.effects().iter().for_each(print);
    Ok(())
}

fn print(effect: &Effect) {
    let Some([a, b]) = effect.means() else { return println!("  {}: no runs", effect.text()) };
    let between = effect.interval().map_or(String::new(), |(low, high)| format!(", between {low:.4} and {high:.4}"));
    let difference = b - a;
    println!("  {}: {a:.4} -> {b:.4} ({difference:+.4}{between}): {:?}", effect.text(), effect.verdict());
}
