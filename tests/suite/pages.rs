//! Every page in `docs/diagnostics` shows what it speaks of: its bad blocks earn the code, its good blocks do not.
//!
//! Blocks: `rules` puts a file on the shelf for the blocks below it; `toml register` puts a clause register beside the
//! rules; `rules bad` and `rules good` are checked; `toml bad` and `toml good` are scenarios for the rules above them.
//! `rules bad also=R0214` allows further codes. `toml file NAME` is a file, and `console bad` and `console good` are commands
//! that are given one after the other in a folder with these files and the rules: the last of a bad block earns the code,
//! those of a good one end well. `text` is for people.

use crate::common;
use crate::common::{Shelf, folder, root, said};
use crate::paper;
use grognard_base::{Code, Diagnostic};
use paper::{Fence, fences};
use std::fmt::Write;

/// What a run over pages found.
#[derive(Default)]
struct Findings {
    faults: String,
    shown: Vec<Code>,
}

#[test]
fn every_page_shows_its_code() {
    let mut all = Findings::default();
    for &code in Code::ALL {
        read_page(code, &mut all);
    }
    assert!(all.faults.is_empty(), "\n{}", all.faults);
    println!("{} codes have a block that earns them", all.shown.len());
}

#[test]
fn pages_and_codes_agree() {
    let mut pages: Vec<String> = std::fs::read_dir(root().join("docs/diagnostics"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let mut codes: Vec<String> = Code::ALL.iter().map(|c| format!("{c}.md")).collect();
    codes.sort();
    assert_eq!(pages, codes);
}

fn read_page(code: Code, all: &mut Findings) {
    let page = common::text_of(&format!("docs/diagnostics/{code}.md"));
    let head = format!("# {code}: {}", code.title());
    if page.lines().next() != Some(&head) {
        writeln!(all.faults, "{code}: the page should begin with `{head}`").unwrap();
    }
    let mut shelf = Shelf::default();
    let mut files: Vec<(String, String)> = Vec::new();
    for fence in fences(&page) {
        let words: Vec<&str> = fence.tag.split_whitespace().collect();
        match words.as_slice() {
            ["rules"] => drop(shelf.put(&fence.text)),
            ["toml", "register"] => drop(shelf.0.insert("page/clauses.toml".into(), fence.text)),
            ["rules", "bad", also @ ..] => bad_block(code, &shelf, &fence, also, all),
            ["rules", "good"] => good_block(code, &shelf, &fence, all),
            ["toml", sort @ ("bad" | "good"), also @ ..] => {
                scenario_block(code, &shelf, &fence, *sort == "bad", also, all)
            }
            ["toml", "file", name] => files.push(((*name).to_string(), fence.text.clone())),
            ["console", sort @ ("bad" | "good")] => console(code, &shelf, &files, &fence, *sort == "bad", all),
            ["text"] => {}
            _ => writeln!(all.faults, "{code}:{}: a block may not be tagged `{}`", fence.line, fence.tag).unwrap(),
        }
    }
}

/// Checks one block in the company of the shelf.
fn check(shelf: &Shelf, text: &str) -> (Vec<Diagnostic>, String) {
    let mut shelf = shelf.clone();
    let path = shelf.put(text);
    paper::problems(&shelf, &path)
}

fn bad_block(code: Code, shelf: &Shelf, fence: &Fence, also: &[&str], all: &mut Findings) {
    let (problems, text) = check(shelf, &fence.text);
    if problems.iter().any(|p| p.code == code) {
        all.shown.push(code);
    } else {
        writeln!(all.faults, "{code}:{}: the bad block does not earn it\n{text}", fence.line).unwrap();
    }
    let allowed = |p: &Diagnostic| p.code == code || also.iter().any(|a| *a == format!("also={}", p.code));
    if !problems.iter().all(allowed) {
        writeln!(all.faults, "{code}:{}: the bad block earns more\n{text}", fence.line).unwrap();
    }
}

fn scenario_block(code: Code, shelf: &Shelf, fence: &Fence, bad: bool, also: &[&str], all: &mut Findings) {
    let (problems, text) = paper::scenario_problems(shelf, "page/scenario.toml", &fence.text);
    let earned = problems.iter().any(|p| p.code == code);
    let allowed = |p: &Diagnostic| {
        bad && p.code == code || !p.is_error() || also.iter().any(|a| *a == format!("also={}", p.code))
    };
    if bad && earned {
        all.shown.push(code);
    }
    if bad != earned || !problems.iter().all(allowed) {
        let sort = if bad { "bad" } else { "good" };
        writeln!(all.faults, "{code}:{}: the {sort} scenario is not {sort}\n{text}", fence.line).unwrap();
    }
}

/// Gives the commands of a block, in a folder of its own.
fn console(code: Code, shelf: &Shelf, files: &[(String, String)], fence: &Fence, bad: bool, all: &mut Findings) {
    let on_shelf = shelf.0.iter().chain(files.iter().map(|(path, text)| (path, text)));
    let files: Vec<(&str, &str)> = on_shelf.map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let folder = folder(&format!("{code}-{}", fence.line), &files);
    let commands: Vec<&str> = fence.text.lines().filter_map(|line| line.strip_prefix("$ grognard ")).collect();
    assert_eq!(commands.len(), fence.text.lines().count(), "{code}:{}: a line is no command", fence.line);
    for (n, command) in commands.iter().enumerate() {
        let (exit, text) = said(&folder, &command.split_whitespace().collect::<Vec<_>>());
        let wrong = bad && n + 1 == commands.len();
        let earned = text.contains(&format!("[{code}]"));
        if wrong && earned {
            all.shown.push(code);
        }
        if wrong != earned || (exit == 0) == wrong {
            writeln!(all.faults, "{code}:{}: {command}\n{text}", fence.line).unwrap();
        }
    }
}

fn good_block(code: Code, shelf: &Shelf, fence: &Fence, all: &mut Findings) {
    let (problems, text) = check(shelf, &fence.text);
    if problems.iter().any(|p| p.code == code || p.is_error()) {
        writeln!(all.faults, "{code}:{}: the good block is not good\n{text}", fence.line).unwrap();
    }
}
