//! Loading the WarStrike rulesets against pest's own time to pairs for the same text.

use grognard_base::{OrdMap, Sources};
use grognard_bench::{median, time};
use grognard_program::{Detail, compile};
use grognard_rules::load;
use pest::Parser;

#[derive(pest_derive::Parser)]
#[grammar = "../grammar/rules.pest"]
#[allow(missing_docs)]
struct Grammar;

/// Prints both times and their ratio for each WarStrike ruleset that runs.
pub fn print() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../rulesets/warstrike/");
    let mut files = OrdMap::new();
    for name in ["table.rules", "core.rules", "action-phase.rules", "leadership.rules", "salvo-threshold.rules"] {
        let text = std::fs::read_to_string(format!("{folder}{name}")).expect("a shipped file");
        files.insert(format!("warstrike/{name}"), text);
    }
    println!("loading: parse, check and compile against pest to pairs");
    let chains: [(&str, &[&str]); 3] = [
        ("action-phase", &["table", "core", "action-phase"]),
        ("leadership", &["table", "core", "leadership"]),
        ("salvo-threshold", &["table", "core", "leadership", "salvo-threshold"]),
    ];
    for (name, chain) in chains {
        let texts: Vec<&String> = chain.iter().map(|n| &files[&format!("warstrike/{n}.rules")]).collect();
        let bytes: usize = texts.iter().map(|t| t.len()).sum();
        let (mut pest, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..21 {
            pest.push(time(1, || {
                for text in &texts {
                    let pairs = Grammar::parse(Rule::file, text).expect("a shipped file parses");
                    std::hint::black_box(pairs.count());
                }
            }));
            ours.push(time(1, || {
                let mut sources = Sources::default();
                let rules =
                    load(&format!("warstrike/{name}"), &files, &mut sources).ruleset.expect("a shipped ruleset");
                std::hint::black_box(compile(&rules, Detail::Plain));
            }));
        }
        let (pest, ours) = (median(pest), median(ours));
        println!(
            "  {name:16} {bytes:6} bytes  pest {:6.2} ms  all {:6.2} ms  ratio {:5.2}",
            pest / 1e6,
            ours / 1e6,
            ours / pest
        );
    }
}
