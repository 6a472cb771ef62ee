//! How long an editor waits for an answer after an edit, on the largest shipped ruleset: p50, p95 and p99 of what a session
//! in memory takes, from the edit to the answer, and to the findings.

#[path = "../../tests/suite/common/session.rs"]
#[allow(dead_code)]
mod session;

use serde_json::{Value, json};
use session::{Session, position};
use std::collections::BTreeMap;
use std::time::Instant;

/// Edits of each sort of question.
const ROUNDS: usize = 200;

/// All shipped rules and registers, by path under their root.
fn shipped() -> BTreeMap<String, String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets");
    let mut all = BTreeMap::new();
    for folder in std::fs::read_dir(root).expect("the rulesets").flatten() {
        for file in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".rules") || name == "clauses.toml" {
                let path = format!("{}/{name}", folder.file_name().to_string_lossy());
                all.insert(path, std::fs::read_to_string(file.path()).expect("a shipped file"));
            }
        }
    }
    all
}

/// The files a ruleset is made of, itself first.
fn chain(files: &BTreeMap<String, String>, path: &str) -> Vec<String> {
    let mut all = vec![path.to_string()];
    while let Some(text) = all.last().and_then(|last| files.get(last)) {
        let head = text.lines().find(|l| l.starts_with("ruleset ") || l.starts_with("variant ")).unwrap_or("");
        let words: Vec<&str> = head.split_whitespace().collect();
        let below = words.iter().position(|w| matches!(*w, "of" | "extends")).and_then(|at| words.get(at + 1));
        match below {
            Some(below) => all.push(format!("{below}.rules")),
            None => break,
        }
    }
    all
}

/// Prints the times.
pub fn print() {
    let files = shipped();
    let size = |path: &str| chain(&files, path).iter().map(|p| files[p].len()).sum::<usize>();
    let top = files.keys().filter(|p| p.ends_with(".rules")).max_by_key(|p| size(p)).expect("a ruleset").clone();
    let all = chain(&files, &top);
    let mut session = Session::start();
    for path in all.iter().rev() {
        session.open(path, &files[path]);
        let register = format!("{}/clauses.toml", path.split('/').next().unwrap_or(""));
        if let Some(text) = files.get(&register).filter(|_| !session.texts.contains_key(&register)) {
            session.open(&register, text);
        }
    }
    session.settle();
    // what is edited is the largest of its files: nobody writes in a variant of a few lines
    let path = all.iter().max_by_key(|p| files[*p].len()).expect("a file").clone();
    println!(
        "lsp: {} bytes in {} files of {top}; edits in {path} ({} bytes)",
        size(&top),
        all.len(),
        files[&path].len()
    );
    println!("  {:26} {:>8} {:>8} {:>8}   milliseconds from an edit to the answer", "", "p50", "p95", "p99");
    let text = files[&path].clone();
    let spots: Vec<usize> = text.match_indices("\n  ").map(|(at, _)| at + 3).collect();
    let mut worst: f64 = 0.0;
    let sorts: [(&str, &str); 7] = [
        ("hover", "textDocument/hover"),
        ("definition", "textDocument/definition"),
        ("completion", "textDocument/completion"),
        ("outline", "textDocument/documentSymbol"),
        ("colours", "textDocument/semanticTokens/full"),
        ("lenses", "textDocument/codeLens"),
        ("findings, every ruleset", "grognard/settle"),
    ];
    for (name, method) in sorts {
        let mut times = Vec::new();
        for round in 0..ROUNDS {
            let at = spots[(round * 7919) % spots.len()];
            // a letter is typed, which may make a name unknown, and taken back
            let (start, end, new) = if round % 2 == 0 { (at, at, "x") } else { (at, at + 1, "") };
            let back = round % 2 == 1;
            let at = if back { spots[((round - 1) * 7919) % spots.len()] } else { start };
            let began = Instant::now();
            session.edit(&path, at, if back { at + 1 } else { end - start + at }, new);
            let params = json!({
                "textDocument": { "uri": Session::uri(&path) },
                "position": position(&session.texts[&path].1, at),
                "context": Value::Null,
            });
            let answer = session.ask(method, params);
            times.push(began.elapsed().as_secs_f64() * 1e3);
            assert!(answer.is_ok(), "{method}: {answer:?}");
            if method != "grognard/settle" {
                session.settle();
            }
        }
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
        println!("  {name:26} {:8.2} {:8.2} {:8.2}", at(50), at(95), at(99));
        if method != "grognard/settle" {
            worst = worst.max(at(95));
        }
    }
    session.end();
    println!("  the slowest p95 is {worst:.2} ms; wanted: under 50");
    assert!(worst < 50.0, "an answer takes too long");
}
