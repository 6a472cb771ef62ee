//! The pinned words of the random contract: they may never change.

use grognard_base::value::dice::{RNG_CONTRACT, Site, Stream, name};
use std::fmt::Write;

const PINNED: &str = include_str!("../contract/rng_v2.txt");

/// The keys that are pinned: plain ones, ends of ranges, and a spread of others.
fn keys() -> Vec<(u64, u64, &'static str, &'static str, u32, u32, u32)> {
    let addresses = ["SuppressionCheck.dice", "Volley.aim", "extern.Salvo", "a", ""];
    let subjects = ["red-1", "Unit#3", "Grün", "r", ""];
    let mut keys = vec![
        (0, 0, "", "", 0, 0, 0),
        (u64::MAX, u64::MAX, "Volley.aim", "red-1", u32::MAX, u32::MAX, u32::MAX),
        (1, 0, "Volley.aim", "red-1", 0, 0, 0),
        (0, 1, "Volley.aim", "red-1", 0, 0, 0),
        (1 << 32, 0, "Volley.aim", "red-1", 0, 0, 0),
        (0, 1 << 32, "Volley.aim", "red-1", 0, 0, 0),
    ];
    for n in 0..400u64 {
        let pick = |list: [&'static str; 5], by: u64| list[(n / by % 5) as usize];
        keys.push((
            n / 40,
            n * n % 97,
            pick(addresses, 1),
            pick(subjects, 5),
            (n / 25 % 4) as u32,
            (n % 11) as u32,
            if n % 3 == 0 { (n / 3 % 4) as u32 } else { 0 },
        ));
    }
    keys
}

fn vectors() -> String {
    let mut text =
        String::from("# random contract 2: seed run address subject ordinal index throw -> word d6 d100 d1000000\n");
    for (seed, run, address, subject, ordinal, index, throw) in keys() {
        let (stream, site) = (Stream::new(seed, run), Site::new(name(address), name(subject), ordinal));
        let word = stream.word(site, index, throw);
        let die = |sides| stream.die(site, index, throw, sides);
        let (d6, d100, million) = (die(6), die(100), die(1_000_000));
        writeln!(
            text,
            "{seed} {run} {address:?} {subject:?} {ordinal} {index} {throw} -> {word:08x} {d6} {d100} {million}"
        )
        .unwrap();
    }
    text.push_str("# seed run -> shuffle of 0..9, drawn names of a..h with weights 1 to 8\n");
    let names: Vec<(u64, u32)> = ('a'..='h').zip(1..).map(|(c, w)| (name(&c.to_string()), w)).collect();
    for run in 0..60 {
        let (stream, site) = (Stream::new(run / 6, run), Site::new(name("Deck.card"), name("red"), 0));
        let mut list: Vec<u32> = (0..10).collect();
        stream.shuffle(site, &mut list);
        let list: String = list.iter().map(|n| n.to_string()).collect();
        let drawn: String = stream.draw(site, &names, 8).into_iter().map(|n| char::from(b'a' + n as u8)).collect();
        writeln!(text, "{} {run} -> {list} {drawn}", run / 6).unwrap();
    }
    text
}

#[test]
fn words_are_pinned() {
    assert_eq!(RNG_CONTRACT, 2);
    let now = vectors();
    if std::env::var_os("GROGNARD_PIN").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/contract/rng_v2.txt"), &now).unwrap();
        return;
    }
    for (n, (now, pinned)) in now.lines().zip(PINNED.lines()).enumerate() {
        assert_eq!(now, pinned, "line {}", n + 1);
    }
    assert_eq!(now.lines().count(), PINNED.lines().count());
}
