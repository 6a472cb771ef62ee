//! How long an editor waits for an answer after an edit, on the largest shipped ruleset: p50, p95 and p99 of what a session
//! in memory takes, from the edit to the answer, and to the findings.

#[path = "../../tests/suite/common/session.rs"]
#[allow(dead_code)]
mod session;

use cpu_time::ProcessTime;
use serde_json::{Value, json};
use session::{Session, position};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Edits of each sort of question, and of those for which all work is waited for; and how long they go on at most.
const ROUNDS: usize = 100;
const FEW: usize = 40;
const LONGEST: Duration = Duration::from_secs(8);

/// All shipped rules and registers, by path under their root.
fn shipped() -> BTreeMap<String, String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../rulesets");
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
    println!(
        "  {:28} {:>5} {:>8} {:>8} {:>8} {:>17}",
        "milliseconds", "edits", "p50", "p95", "p99", "p95 by the clock"
    );
    let mut typing = Typing { session, spots: spots(&files[&path]), path, round: 0 };
    let sorts = [
        ("hover", "textDocument/hover"),
        ("definition", "textDocument/definition"),
        ("completion", "textDocument/completion"),
        ("outline", "textDocument/documentSymbol"),
        ("colours", "textDocument/semanticTokens/full"),
        ("lenses", "textDocument/codeLens"),
    ];
    let mut worst: f64 = 0.0;
    for (name, method) in sorts {
        worst = worst.max(typing.measure(name, ROUNDS, |typing| Some(typing.answered(method))));
    }
    // what only the form of an example shows is found later, when nobody waits: it is the tail of these
    typing.measure("findings of the file", FEW, |typing| typing.rendered().0);
    typing.measure("findings of every ruleset", FEW, |typing| Some(typing.rendered().1));
    typing.session.end();
    println!("  the slowest p95 of a single answer is {worst:.2} ms of the processor; wanted: under 50");
    assert!(worst < 50.0, "an answer takes too long");
}

/// Where letters are typed: at the beginnings of lines that stand in something.
fn spots(text: &str) -> Vec<usize> {
    text.match_indices("\n  ").map(|(at, _)| at + 3).collect()
}

/// What an answer took: by the processor, which others that work on the machine change little, and by the clock.
#[derive(Clone, Copy)]
struct Took {
    processor: f64,
    clock: f64,
}

struct Watch(ProcessTime, Instant);

impl Watch {
    fn begin() -> Watch {
        Watch(ProcessTime::now(), Instant::now())
    }

    fn took(&self) -> Took {
        Took { processor: self.0.elapsed().as_secs_f64() * 1e3, clock: self.1.elapsed().as_secs_f64() * 1e3 }
    }
}

/// Somebody types letters and takes them back, without a pause: what the server does when nobody waits is in the way of the
/// next answer, as far as it cannot be put off.
struct Typing {
    session: Session,
    path: String,
    spots: Vec<usize>,
    round: usize,
}

impl Typing {
    /// The times of many edits, as they are printed; gives the p95.
    fn measure(&mut self, name: &str, rounds: usize, mut one: impl FnMut(&mut Typing) -> Option<Took>) -> f64 {
        let (began, mut times) = (Instant::now(), Vec::new());
        // one edit in two takes the letter of the other back
        while times.len() < rounds && (began.elapsed() < LONGEST || self.round % 2 == 1 || times.len() < 2) {
            times.extend(one(self));
        }
        let at = |share: usize, of: fn(&Took) -> f64| {
            let mut all: Vec<f64> = times.iter().map(of).collect();
            all.sort_by(f64::total_cmp);
            all[(all.len() * share / 100).min(all.len() - 1)]
        };
        let [p50, p95, p99] = [50, 95, 99].map(|share| at(share, |took| took.processor));
        println!("  {name:28} {:5} {p50:8.2} {p95:8.2} {p99:8.2} {:17.2}", times.len(), at(95, |took| took.clock));
        p95
    }

    /// A letter is typed or taken back; it may make a name unknown.
    fn letter(&mut self) -> usize {
        let at = self.spots[(self.round / 2 * 7919) % self.spots.len()];
        let (end, new) = if self.round.is_multiple_of(2) { (at, "x") } else { (at + 1, "") };
        self.session.edit(&self.path, at, end, new);
        self.round += 1;
        at
    }

    /// From an edit to an answer.
    fn answered(&mut self, method: &str) -> Took {
        let watch = Watch::begin();
        let at = self.letter();
        let params = json!({
            "textDocument": { "uri": Session::uri(&self.path) },
            "position": position(&self.session.texts[&self.path].1, at),
            "context": Value::Null,
        });
        let answer = self.session.ask(method, params);
        assert!(answer.is_ok(), "{method}: {answer:?}");
        watch.took()
    }

    /// From an edit to the findings of the file, if they are others than before, and to those of all that stands on it.
    fn rendered(&mut self) -> (Option<Took>, Took) {
        let watch = Watch::begin();
        self.letter();
        let (mut own, path) = (None, self.path.clone());
        let id = self.session.send("grognard/settle", json!({}));
        let answer = self.session.wait_and_see(id, &mut |rendered| {
            if rendered == path {
                own.get_or_insert_with(|| watch.took());
            }
        });
        assert!(answer.is_ok(), "{answer:?}");
        (own, watch.took())
    }
}
