//! A terminal game: the player decides for both sides, and rolls real dice or lets the program roll.
//!
//! `cargo run --example duel [SCENARIO]` plays a shipped scenario.
#![allow(clippy::print_stdout)]
use grognard::{Choice, Game, Pending, Scenario};
use std::io::{BufRead, Write};

const DEFAULT: &str = "warstrike/scenarios/orders-under-fire.toml";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or(DEFAULT.into());
    let mut game = Scenario::shipped(&path)?.start()?.hold_rolls(true)?;
    let mut shown = 0;
    loop {
        shown = show(&game, shown);
        let pending = game.pending().clone();
        match pending {
            Pending::Over(played) => {
                for (text, value) in played.measures() {
                    println!("{text} = {}", value.map_or("none".to_string(), |value| value.to_string()));
                }
                return Ok(());
            }
            Pending::Decision(decision) => {
                println!("\n{} decides `{}`", decision.player, decision.name);
                for (n, entry) in decision.entries.iter().enumerate() {
                    println!("  {}  {entry}", n + 1);
                }
                for refusal in &decision.refused {
                    println!("  -  {}: {}", refusal.entry, refusal.why);
                }
                let Some(line) = ask("number or name; nothing for the usual choice; `undo`; `quit`: ") else {
                    return Ok(());
                };
                match line.as_str() {
                    "quit" => return Ok(()),
                    "undo" => {
                        game.undo()?;
                        shown = 0;
                    }
                    "" => report(game.choose(Choice::Prefer).err()),
                    line => match decision.parse(line) {
                        Some(choice) => report(game.choose(choice).err()),
                        None => println!("that is not on the menu"),
                    },
                }
            }
            Pending::Roll(roll) => {
                let of = if roll.of.is_empty() { String::new() } else { format!(" of {}", roll.of) };
                let Some(line) = ask(&format!("{}{of}: faces of {} dice; nothing to roll: ", roll.name, roll.count()))
                else {
                    return Ok(());
                };
                let faces: Result<Vec<i64>, _> = line.split_whitespace().map(str::parse).collect();
                match faces {
                    Ok(faces) if faces.is_empty() => report(game.auto().err()),
                    Ok(faces) => report(game.roll(&faces).err()),
                    Err(_) => println!("write whole numbers, such as `4 1 6`"),
                }
            }
            _ => report(game.auto().err()),
        }
    }
}

/// Prints the new lines of the trace, and returns the number of lines so far.
fn show(game: &Game, shown: usize) -> usize {
    let text = game.trace().brief();
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().skip(shown).for_each(|line| println!("{line}"));
    lines.len()
}

fn report(error: Option<grognard::Error>) {
    if let Some(error) = error {
        println!("{error:#}");
    }
}

fn ask(prompt: &str) -> Option<String> {
    print!("{prompt}");
    std::io::stdout().flush().ok()?;
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line).ok()?;
    (read > 0).then(|| line.trim().to_string())
}
