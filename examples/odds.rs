//! Exact odds of one volley. `cargo run --example odds` prints 1507/19683.
#![allow(clippy::print_stdout)]
use grognard::{Folder, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::load(Folder::new("docs")?, "first/volley")?;
    let table = rules.table().thing("Squad", "guards").set("men", 10);
    let table = table.thing("Squad", "raiders").set("men", 6).call("volley", ["guards", "raiders"]);
    let odds = table.chance("raiders.men == 0").build()?.odds().compute()?;
    println!("{}", odds.first().chance());
    Ok(())
}
