//! The pages run: every block of rules in them loads, the table of operations is the program's own, and the README
//! and the report on two editions show what their commands print.

use crate::common::{Shelf, err, folder, out, output, root, text_of};
use crate::paper;
use grognard_base::value::ops::{Op, OpSort};
use paper::fences;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The page with the table of operations.
const OPERATIONS: &str = "docs/language/operators.md";

/// Maximum length of a page of the reference, in words.
const LONGEST: usize = 2_500;

/// Returns the pages of the reference, by path: the overview first.
pub fn reference() -> Vec<String> {
    let mut pages = vec!["docs/language.md".to_string()];
    pages.extend(pages_in("docs/language"));
    assert!(pages.len() > 20);
    pages
}

/// Puts the complete rulesets of all pages of the reference on one shelf.
fn shelf_of_the_reference() -> Shelf {
    let mut shelf = Shelf::default();
    for page in reference() {
        for fence in fences(&text_of(&page)).iter().filter(|f| f.tag == "rules") {
            shelf.put(&fence.text);
        }
    }
    shelf
}

/// The errors of a ruleset on the shelf; empty if it is fine.
fn errors(shelf: &Shelf, path: &str) -> String {
    let (problems, text) = paper::problems(shelf, path);
    if problems.iter().any(|p| p.is_error()) { text } else { String::new() }
}

#[test]
fn every_block_of_the_reference_loads() {
    let shelf = shelf_of_the_reference();
    let mut faults = String::new();
    let mut parts = 0;
    let all =
        reference().into_iter().flat_map(|page| fences(&text_of(&page)).into_iter().map(move |f| (page.clone(), f)));
    for (page, fence) in all {
        let found = match fence.tag.as_str() {
            "rules" => errors(&shelf, &shelf.clone().put(&fence.text)),
            "rules part" => {
                parts += 1;
                let mut shelf = shelf.clone();
                let path = shelf.put(&format!("ruleset doc/part extends doc/table\n{}", fence.text));
                errors(&shelf, &path)
            }
            "toml" => match paper::scenario_problems(&shelf, "doc/page.toml", &fence.text) {
                (problems, text) if problems.iter().any(|p| p.is_error()) => text,
                _ => String::new(),
            },
            "toml register" | "text" => String::new(),
            other => format!("a block may not be tagged `{other}`\n"),
        };
        if !found.is_empty() {
            writeln!(faults, "{page}:{}\n{found}", fence.line).unwrap();
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(parts > 10);
}

#[test]
fn no_page_of_the_reference_is_too_long() {
    for page in reference() {
        let words = text_of(&page).split_whitespace().count();
        assert!(words <= LONGEST, "{page} has {words} words, the limit is {LONGEST}: split it by subject");
    }
}

/// The cheat sheet has ten forms, each with an example of two to five lines that its own claims test, and a table of the rest.
#[test]
fn the_cheat_sheet_is_short() {
    let page = text_of("docs/language/cheat-sheet.md");
    let blocks = fences(&page);
    assert_eq!(blocks.len(), 10);
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings.len(), 11);
    assert_eq!(headings.last(), Some(&"## The rest in short"));
    for block in blocks {
        let lines = block.text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!((2..=5).contains(&lines) && block.text.contains("example \""), "{lines} lines:\n{}", block.text);
    }
}

/// Each word of the grammar occurs in a block of the reference that the test above loads.
#[test]
fn every_form_of_the_grammar_has_a_block_in_the_reference() {
    let fences = reference().into_iter().flat_map(|page| fences(&text_of(&page)));
    let blocks = fences.filter(|f| f.tag == "rules" || f.tag == "rules part");
    let shown: String = blocks.map(|fence| fence.text).collect();
    let word =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_string).collect::<Vec<_>>();
    let shown: BTreeSet<String> = word(&shown).into_iter().collect();
    let grammar = text_of("grammar/rules.pest");
    let quoted =
        grammar.split('"').skip(1).step_by(2).filter(|w| w.len() > 1 && w.bytes().all(|b| b.is_ascii_lowercase()));
    let missing: BTreeSet<&str> = quoted.filter(|word| !shown.contains(*word)).collect();
    assert!(missing.is_empty(), "no block of the reference has {missing:?}");
}

/// The table of operators and builtins, from the program's own.
fn operations() -> String {
    let mut rows: BTreeMap<(bool, usize), (String, Vec<&str>, &str)> = BTreeMap::new();
    for (n, op) in Op::ALL.iter().filter(|op| op.sort() != OpSort::Hidden).enumerate() {
        let builtin = op.sort() == OpSort::Builtin;
        let same = rows.iter_mut().find(|(key, row)| key.0 == builtin && row.0 == op.written() && row.2 == op.doc());
        match same {
            Some((_, row)) => row.1.push(op.signature()),
            None => drop(rows.insert((builtin, n), (op.written().to_string(), vec![op.signature()], op.doc()))),
        }
    }
    let mut text = String::from("| written | types | what it is |\n|---|---|---|\n");
    for (written, types, doc) in rows.values() {
        writeln!(text, "| `{written}` | {} | {doc} |", types.join(", ")).unwrap();
    }
    text
}

#[test]
fn the_table_of_operations_is_the_programs_own() {
    let page = text_of(OPERATIONS);
    let (before, rest) = page.split_once("<!-- table: operations -->\n").expect("the mark before the table");
    let (table, after) = rest.split_once("<!-- end -->").expect("the mark after the table");
    let wanted = operations();
    if table != wanted && std::env::var_os("GROGNARD_PIN").is_some() {
        let new = format!("{before}<!-- table: operations -->\n{wanted}<!-- end -->{after}");
        std::fs::write(root().join(OPERATIONS), new).unwrap();
        return;
    }
    assert_eq!(table, wanted, "GROGNARD_PIN=1 writes it");
}

#[test]
fn the_readme_shows_what_is_printed() {
    shows_what_is_printed("README.md");
}

#[test]
fn the_commands_show_what_is_printed() {
    shows_what_is_printed("docs/commands.md");
}

#[test]
fn the_page_on_traces_shows_what_is_printed() {
    shows_what_is_printed("docs/traces.md");
}

/// A mark `<!-- map: SCENARIO -->` stands above the picture that `run SCENARIO --map` draws.
#[test]
fn the_readme_shows_what_is_drawn() {
    let readme = text_of("README.md");
    let folder = folder("readme-map", &[]);
    let marks: Vec<_> = readme.split("<!-- map: ").skip(1).collect();
    assert!(!marks.is_empty());
    for mark in marks {
        let (scenario, rest) = mark.split_once(" -->").expect("the end of the mark");
        let shown = rest.split_once("](").and_then(|(_, r)| r.split_once(')')).expect("a picture behind the mark").0;
        let drawn = folder.join("map.svg");
        let run = output(root(), &["run", scenario, "--map", drawn.to_str().unwrap()]);
        assert!(run.status.success(), "{}", err(&run));
        let drawn = std::fs::read_to_string(drawn).unwrap();
        if std::env::var_os("GROGNARD_PIN").is_some() {
            std::fs::write(root().join(shown), &drawn).unwrap();
        }
        assert!(text_of(shown) == drawn, "{shown} is not what is drawn of {scenario}: GROGNARD_PIN=1 writes it");
    }
}

#[test]
fn the_report_on_two_editions_shows_what_is_printed() {
    shows_what_is_printed("docs/editions.md");
    shows_what_is_printed("docs/gaming.md");
    shows_what_is_printed("docs/gallery.md");
}

/// The words of a command: single quotes keep a word with spaces together.
fn words(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    parts.flat_map(|(n, part)| if n % 2 == 0 { part.split_whitespace().collect() } else { vec![part] }).collect()
}

/// Blocks behind a mark `<!-- output: command -->` are what the command prints.
fn shows_what_is_printed(page: &str) {
    let mut readme = text_of(page);
    let marks: Vec<String> = readme
        .lines()
        .filter_map(|l| l.strip_prefix("<!-- output: ")?.strip_suffix(" -->").map(str::to_string))
        .collect();
    assert!(!marks.is_empty());
    let mut faults = String::new();
    for mark in marks {
        let args = mark.strip_prefix("grognard ").expect("a command of ours");
        let (args, most) = args.split_once(" | first ").unwrap_or((args, ""));
        let run = output(root(), &words(args));
        let mut printed = out(&run);
        assert!(!printed.is_empty() || run.status.success(), "{mark} prints nothing: {}", err(&run));
        if let Ok(most) = most.parse::<usize>() {
            printed = printed.lines().take(most).chain(["..."]).collect::<Vec<_>>().join("\n");
        }
        let head = format!("<!-- output: {mark} -->\n```text\n");
        let (before, rest) = readme.split_once(&head).unwrap_or_else(|| panic!("no text block behind {mark}"));
        let (block, after) = rest.split_once("```").unwrap();
        let stub = run.status.success() && printed.is_empty();
        if stub || block.trim_end() == printed.trim_end() {
            continue;
        }
        if std::env::var_os("GROGNARD_PIN").is_some() {
            readme = format!("{before}{head}{}\n```{after}", printed.trim_end());
            std::fs::write(root().join(page), &readme).unwrap();
        } else {
            writeln!(faults, "{mark} prints\n{printed}{}", err(&run)).unwrap();
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// The pages of a folder of docs, by path.
pub fn pages_in(folder: &str) -> Vec<String> {
    let all = std::fs::read_dir(root().join(folder)).unwrap().flatten();
    let names = all.map(|e| format!("{folder}/{}", e.file_name().to_string_lossy()));
    let mut pages: Vec<String> = names.filter(|path| path.ends_with(".md")).collect();
    pages.sort();
    pages
}

/// The first edits stand in files as the pages show them, each in at most five lines and laid out, and their examples hold.
#[test]
fn the_first_edits_are_small_and_hold() {
    let pages = pages_in("docs/howto");
    let edits: Vec<_> = pages.iter().flat_map(|page| fences(&text_of(page))).filter(|f| f.tag == "rules").collect();
    let files: Vec<_> = std::fs::read_dir(root().join("rulesets/edits")).unwrap().flatten().map(|e| e.path()).collect();
    let files: Vec<_> = files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "rules")).collect();
    assert!(edits.len() == 6 && files.len() == 6);
    for edit in &edits {
        let lines = edit.text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 5, "an edit of {lines} lines:\n{}", edit.text);
    }
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let own = text.split("\noverride example").next().unwrap().split("\ncite ").next().unwrap();
        let body: Vec<&str> = own.lines().skip_while(|line| !line.starts_with('#')).skip(1).collect();
        let body = body.join("\n");
        assert!(edits.iter().any(|edit| edit.text.trim() == body.trim()), "{} is on no page", path.display());
        let run = output(root(), &["fmt", "--check", path.to_str().unwrap()]);
        assert!(run.status.success(), "{}", out(&run));
        let run = output(root(), &["test", path.to_str().unwrap()]);
        assert!(run.status.success(), "{}", out(&run));
    }
}

#[test]
fn the_first_edits_show_what_is_printed() {
    pages_in("docs/howto").iter().for_each(|page| shows_what_is_printed(page));
}

#[test]
fn the_tutorial_shows_what_is_printed() {
    pages_in("docs/tutorial").iter().for_each(|page| shows_what_is_printed(page));
}

#[test]
fn the_cookbook_shows_what_is_printed() {
    let pages = pages_in("docs/cookbook");
    assert_eq!(pages.len(), 5);
    pages.iter().for_each(|page| shows_what_is_printed(page));
}

#[test]
fn the_page_for_users_of_other_tools_shows_what_is_printed() {
    shows_what_is_printed("docs/coming-from.md");
}

/// In a row `| form of another tool | ours | value |`, `odds` computes this value, a mean or a chance, for our form.
#[test]
fn the_forms_of_other_tools_have_the_values_on_the_page() {
    let page = text_of("docs/coming-from.md");
    let (mut rows, mut faults) = (0, String::new());
    for line in page.lines().filter(|line| line.starts_with("| `") && line.ends_with("` |")) {
        let cells: Vec<String> = line.split(" | ").map(|cell| cell.replace("\\|", "|")).collect();
        let [_, ours, value] = cells.as_slice() else { continue };
        let (ours, value) = (ours.trim_matches('`'), value.trim_end_matches(" |").trim_matches('`'));
        rows += 1;
        let printed = out(&output(root(), &["odds", ours, "--quiet"]));
        let first = printed.lines().next().unwrap_or_default();
        if !first.contains(&format!(": {value} =")) && !first.contains(&format!(": {value},")) {
            writeln!(faults, "{ours}: {value} on the page, but {first}").unwrap();
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(rows >= 15, "{rows} rows");
}

/// Behind a mark `<!-- part: PATH -->` stand pieces of that file: each piece up to an empty line is in it.
#[test]
fn pages_quote_parts_of_files_as_they_are() {
    let (mut quotes, mut faults) = (0, String::new());
    for page in pages_in("docs/tutorial") {
        for mark in text_of(&page).split("<!-- part: ").skip(1) {
            let (path, rest) = mark.split_once(" -->\n").expect("the end of the mark");
            let block = fences(rest).into_iter().next().expect("a block behind the mark");
            let file = text_of(path);
            assert!(rest.starts_with("```rules\n"), "{page}: no block of rules behind {path}");
            quotes += 1;
            for piece in block.text.split("\n\n").filter(|piece| !file.contains(piece.trim())) {
                writeln!(faults, "{page}: {path} does not have\n{piece}").unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(quotes >= 5);
}

/// The piece of rules on the first screen of the README stands like that in the shipped rules.
#[test]
fn the_readme_quotes_real_rules() {
    let readme = text_of("README.md");
    let shipped = text_of("docs/first/volley.rules");
    let quotes: Vec<_> = fences(&readme).into_iter().filter(|f| f.tag == "rules").collect();
    assert!(!quotes.is_empty());
    for quote in quotes {
        for piece in quote.text.split("\n\n") {
            assert!(shipped.contains(piece.trim()), "README.md:{} is not in the shipped rules:\n{piece}", quote.line);
        }
    }
}
