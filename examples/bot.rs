//! A dice bot: answers one line of a chat with exact odds. Anybody can write to a chat, so each line is hostile.
//!
//! `printf '2d6 >= 9\ntotal(highest(3, 4 of d6))\n' | cargo run --example bot`
#![allow(clippy::float_arithmetic, clippy::print_stdout)]
use grognard::{Effort, ErrorKind, Odds, Rules};
use std::io::BufRead;

/// Maximum length of a question, and of an answer, in characters.
const LONGEST: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::from_text("ruleset bot/dice\n")?;
    for line in std::io::stdin().lock().split(b'\n') {
        println!("{}", answer(&rules, &String::from_utf8_lossy(&line?)));
    }
    Ok(())
}

/// Answers a question in one line.
fn answer(rules: &Rules, question: &str) -> String {
    let question = question.trim();
    if question.chars().count() > LONGEST {
        return format!("a question has at most {LONGEST} characters");
    }
    // the effort bounds the work of a question, so nobody can keep the bot busy
    let found = rules.call(question).effort(Effort::Quick).compute();
    let text = match found {
        Ok(odds) => rendered(&odds),
        Err(error) if error.kind() == ErrorKind::Limit => "that is too much for me".to_string(),
        Err(error) => {
            let first = &error.diagnostics()[0];
            let help = if first.help().is_empty() { String::new() } else { format!(" ({})", first.help()) };
            format!("{}{help}", first.message())
        }
    };
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(2 * LONGEST).collect()
}

fn rendered(odds: &Odds) -> String {
    let first = odds.first();
    let label = if odds.is_exact() { "" } else { " (bounds; not everything was explored)" };
    if first.outcomes().is_empty() {
        return "that has too many outcomes for me".to_string();
    }
    if let [(value, _), ..] = first.outcomes()
        && value.as_flag().is_some()
    {
        let chance = first.chance();
        return format!("{chance}, about {:.1}%{label}", 100.0 * chance.to_f64());
    }
    let mean = first.mean().map_or(String::new(), |mean| format!("mean {:.3}; ", mean.to_f64()));
    let values: Vec<String> =
        first.outcomes().iter().map(|(value, chance)| format!("{value}: {:.1}%", 100.0 * chance.to_f64())).collect();
    format!("{mean}{}{label}", values.join(", "))
}
