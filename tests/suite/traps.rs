//! Small rulesets, each with a line that reads otherwise than the language takes it. A trap is closed if `check -v` has a finding on
//! each line marked `# <-`, if its examples and expectations hold as a designer reads them, or if the run ends in an error there.

use crate::common::{root, said};
use std::collections::BTreeSet;
use std::path::Path;

/// What is asked besides `check` and `test`, and a part of the answer that closes the trap.
const ASKED: &[(&str, &[&str], &[&str])] = &[
    ("d11", &["odds", "t.toml", "--of", "a.alive"], &["3/4", "error[R09"]),
    ("u03", &["check", "x.rules"], &["losses / u.men", "a share of"]),
    ("p01", &["compare", "p01/x", "p01/hard", "t.toml"], &["the scenario sets"]),
    ("p02", &["compare", "p02/x", "p02/hard", "t.toml"], &["the scenario sets"]),
    ("p03", &["compare", "p03/x", "p03/hard", "t.toml"], &["never reached"]),
    ("p05", &["mutants", "."], &["held: t.toml sets save_on"]),
    ("p06", &["test", "."], &["held"]),
    // title, sweep and cites stay
    (
        "p07",
        &["diff", "x.rules", "hard.rules"],
        &["save_on  \"Armour saves on\"\n    value: 5 -> 4\n1 changed, 0 added"],
    ),
    ("m04", &["run", "t.toml", "--trace", "full"], &["copse"]),
    ("c07", &["odds", "t.toml", "--of", "p.v"], &["error[R1006]"]),
    ("c04", &["odds", "t.toml", "--of", "a.n"], &["2/1", "error["]),
];

/// Traps that are closed by a finding alone: what runs says nothing of them.
const SAID_ONLY: &[&str] = &["p04", "m06", "m07", "x01", "x02", "x03", "x04", "l02"];

/// Traps that are open.
const OPEN: &[&str] = &[];

#[test]
fn traps_are_closed_and_their_neighbours_stay_silent() {
    let folder = root().join("tests/traps");
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut open = Vec::new();
    for name in &names {
        let here = folder.join(name);
        let found = findings(&here);
        let tested = said(&here, &["test", "."]);
        if name.starts_with('k') {
            assert!(found.is_empty() && tested.0 == 0, "{name}: {found:?}\n{}", tested.1);
            continue;
        }
        let marks = marks(&here);
        let marked = !marks.is_empty() && marks.iter().all(|mark| found.contains(mark));
        if !marked && !is_closed(name, &here, &tested) {
            open.push(name.as_str());
        }
    }
    assert_eq!(open, OPEN);
}

fn is_closed(name: &str, here: &Path, tested: &(i32, String)) -> bool {
    if let Some((_, args, parts)) = ASKED.iter().find(|(of, ..)| *of == name) {
        let answer = said(here, args).1;
        return parts.iter().any(|part| answer.contains(part));
    }
    let faults = ["error[R0704]", "error[R09"];
    !SAID_ONLY.contains(&name) && (tested.0 == 0 || faults.iter().any(|fault| tested.1.contains(fault)))
}

/// The files and lines with findings.
fn findings(folder: &Path) -> BTreeSet<(String, usize)> {
    let rendered = said(folder, &["check", "-v", "--format", "short", "."]).1;
    let place = |line: &str| {
        let (file, rest) = line.split_once(':')?;
        let (line, rest) = rest.split_once(':')?;
        rest.contains("[R").then(|| Some((file.to_string(), line.parse().ok()?)))?
    };
    rendered.lines().filter_map(place).collect()
}

/// The lines that are marked in the files of a folder.
fn marks(folder: &Path) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains("# <-"));
        found.extend(lines.map(|(n, _)| (name.clone(), n + 1)));
    }
    found
}
