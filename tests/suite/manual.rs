//! The docs as one book: its table of contents lists every page once, every link leads somewhere, pages of commands and
//! messages are the program's own, and files that pages quote are as they are quoted.

use crate::common::{Shelf, folder, out, output, root, text_of};
use crate::docs::pages_in;
use crate::paper::{fences, problems};
use grognard_base::Code;
use std::fmt::Write;

/// Compares a page with what the program makes of it, or writes it.
fn own(page: &str, wanted: &str, faults: &mut String) {
    let there = std::fs::read_to_string(root().join(page)).unwrap_or_default();
    if there == *wanted {
        return;
    }
    if std::env::var_os("GROGNARD_PIN").is_some() {
        std::fs::write(root().join(page), wanted).unwrap();
    } else {
        writeln!(faults, "{page} is not what the program makes of it: GROGNARD_PIN=1 writes it").unwrap();
    }
}

/// Returns the commands in the order of `help --all`.
fn commands() -> Vec<(String, String)> {
    let list = out(&output(&folder("manual", &[]), &["help", "--all"]));
    let row = |line: &str| {
        let (name, about) = line.strip_prefix("  ")?.split_once("  ")?;
        Some((name.to_string(), about.trim().to_string()))
    };
    list.lines().filter_map(row).collect()
}

#[test]
fn each_command_has_its_page() {
    let (mut faults, folder) = (String::new(), folder("manual-help", &[]));
    let all = commands();
    assert!(all.len() > 20);
    for (name, _) in &all {
        let help = out(&output(&folder, &[name, "--help"]));
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let text = lines.join("\n");
        let page = format!(
            "# grognard {name}\n\n```text\n{}\n```\n\nThe examples run in a project that `grognard new` created. [The commands](../commands.md) has an example of each \
             command.\n",
            text.trim_end()
        );
        own(&format!("docs/commands/{name}.md"), &page, &mut faults);
    }
    let mut pages: Vec<String> = all.iter().map(|(name, _)| format!("docs/commands/{name}.md")).collect();
    pages.sort();
    assert!(faults.is_empty(), "\n{faults}");
    assert_eq!(pages_in("docs/commands"), pages);
}

const GROUPS: [(&str, &str); 11] = [
    ("R01", "Text and grammar"),
    ("R02", "Files and names"),
    ("R03", "Types"),
    ("R04", "Effects"),
    ("R05", "Bands and cases"),
    ("R06", "Clauses"),
    ("R07", "Examples"),
    ("R08", "Scenarios"),
    ("R09", "While running"),
    ("R10", "Odds"),
    ("R11", "Results kept and made again"),
];

#[test]
fn messages_have_an_index() {
    let mut page = String::from(
        "# Messages\n\nEach message has a code, and each code a page: what it means, why it matters, and a bad and a good piece. \
         `grognard explain R0501` prints one. An error in the command line, such as an \
         unknown option or a missing file, has no code, and the exit code is 2. [Messages by text](language/messages.md) lists the same codes in \
         alphabetical order.\n",
    );
    for (group, title) in GROUPS {
        write!(page, "\n## {title}\n\n| code | what is wrong |\n|---|---|\n").unwrap();
        for code in Code::ALL.iter().filter(|code| code.id().starts_with(group)) {
            writeln!(page, "| [{code}](diagnostics/{code}.md) | {} |", code.title()).unwrap();
        }
    }
    let mut faults = String::new();
    own("docs/diagnostics.md", &page, &mut faults);
    assert!(faults.is_empty(), "\n{faults}");
    assert!(Code::ALL.iter().all(|code| page.contains(code.id())));
}

/// Messages are listed by their text too, without the article at the beginning.
#[test]
fn messages_have_an_index_by_text() {
    let key = |code: &Code| {
        let title = code.title().trim_start_matches('`').to_lowercase();
        let bare = ["a ", "an ", "the "].iter().find_map(|article| title.strip_prefix(article).map(str::to_string));
        (bare.unwrap_or(title), *code)
    };
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(key);
    let mut page = String::from(
        "# Messages by text\n\nThis page lists every message that has a code, in alphabetical order of its title. The words *a*, *an* and *the* \
         at the beginning of a title do not count. The page of a code explains the message and shows how to fix it. \
         [Messages](../diagnostics.md) lists the same codes by subject.\n\n| message | code |\n|---|---|\n",
    );
    for code in &codes {
        writeln!(page, "| {} | [{code}](../diagnostics/{code}.md) |", code.title()).unwrap();
    }
    let mut faults = String::new();
    own("docs/language/messages.md", &page, &mut faults);
    assert!(faults.is_empty(), "\n{faults}");
}

fn title(page: &str) -> String {
    text_of(page).lines().next().unwrap_or_default().trim_start_matches("# ").to_string()
}

/// Returns the pages of the reference below its overview, in the order in which the overview lists them.
fn pages_of_the_language() -> Vec<String> {
    let overview = text_of("docs/language.md");
    let lines = overview.lines().filter(|line| line.starts_with("* ["));
    lines.filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0.to_string())).collect()
}

/// The table of contents, from the pages that are there.
fn summary() -> String {
    let mut text = String::from("# Summary\n\n[Grognard](introduction.md)\n");
    let entry = |text: &mut String, deep: usize, page: &str| {
        writeln!(text, "{}- [{}]({page})", "  ".repeat(deep), title(&format!("docs/{page}"))).unwrap();
    };
    let below = |text: &mut String, deep: usize, folder: &str| {
        pages_in(&format!("docs/{folder}")).iter().for_each(|page| entry(text, deep, page.trim_start_matches("docs/")));
    };
    text += "\n# Tutorial\n\n";
    below(&mut text, 0, "tutorial");
    entry(&mut text, 0, "coming-from.md");
    text += "\n# How to\n\n";
    entry(&mut text, 0, "gallery.md");
    entry(&mut text, 0, "first-edits.md");
    below(&mut text, 1, "howto");
    entry(&mut text, 0, "cookbook.md");
    below(&mut text, 1, "cookbook");
    ["project.md", "holes.md", "gaming.md", "studio.md", "editors.md", "embedding.md", "scale.md"]
        .iter()
        .for_each(|page| entry(&mut text, 0, page));
    text += "\n# Reference\n\n";
    entry(&mut text, 0, "language.md");
    pages_of_the_language().iter().for_each(|page| entry(&mut text, 1, page));
    entry(&mut text, 0, "commands.md");
    below(&mut text, 1, "commands");
    entry(&mut text, 0, "diagnostics.md");
    below(&mut text, 1, "diagnostics");
    ["tables.md", "traces.md"].iter().for_each(|page| entry(&mut text, 0, page));
    text += "\n# Reports\n\n";
    entry(&mut text, 0, "editions.md");
    entry(&mut text, 0, "mutants-of-the-books.md");
    text += "\n# The program\n\n";
    ["architecture.md", "performance.md", "optimizations.md", "studio-engine.md", "glossary.md"]
        .iter()
        .for_each(|page| entry(&mut text, 0, page));
    below(&mut text, 0, "decisions");
    text
}

/// All pages below `docs`.
fn all_pages() -> Vec<String> {
    let mut folders = vec!["docs".to_string()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        pages.extend(pages_in(&folder));
        let inside = std::fs::read_dir(root().join(&folder)).unwrap().flatten().filter(|e| e.path().is_dir());
        folders.extend(inside.map(|e| format!("{folder}/{}", e.file_name().to_string_lossy())));
    }
    pages.sort();
    pages
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    let wanted = summary();
    let mut faults = String::new();
    own("docs/SUMMARY.md", &wanted, &mut faults);
    assert!(faults.is_empty(), "\n{faults}");
    for page in all_pages().iter().filter(|page| *page != "docs/SUMMARY.md") {
        let link = format!("]({})", page.trim_start_matches("docs/"));
        assert_eq!(wanted.matches(&link).count(), 1, "{page}: its line is missing in tests/suite/manual.rs");
    }
}

/// A heading as the part of a link behind `#`.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let mut faults = String::new();
    let mut links = 0;
    for page in all_pages().iter().map(String::as_str).chain(["README.md", "CONTRIBUTING.md", "rulesets/README.md"]) {
        let text = text_of(page);
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut inside = false;
        for line in text.lines() {
            inside ^= line.starts_with("```");
            let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            for link in prose.split("](").skip(1).filter(|_| !inside) {
                let link = link.split(')').next().unwrap_or_default();
                if link.contains("://") {
                    continue;
                }
                links += 1;
                let (path, at) = link.split_once('#').unwrap_or((link, ""));
                let file = if path.is_empty() { root().join(page) } else { root().join(folder).join(path) };
                if !file.exists() {
                    writeln!(faults, "{page}: {link}").unwrap();
                } else if !at.is_empty() {
                    let text = std::fs::read_to_string(&file).unwrap();
                    if !text.lines().any(|l| l.starts_with('#') && anchor(l) == at) {
                        writeln!(faults, "{page}: {link}: no such heading").unwrap();
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(links > 200, "{links}");
}

/// Behind a mark `<!-- file: PATH -->` stands the file as it is.
#[test]
fn pages_quote_files_as_they_are() {
    let mut quotes = 0;
    for page in all_pages() {
        let mut text = text_of(&page);
        let marks: Vec<String> =
            text.lines().filter_map(|l| Some(l.strip_prefix("<!-- file: ")?.strip_suffix(" -->")?.into())).collect();
        for path in marks {
            quotes += 1;
            let head = format!("<!-- file: {path} -->\n```");
            let (before, rest) = text.split_once(&head).unwrap_or_else(|| panic!("{page}: no block behind {path}"));
            let (tag, rest) = rest.split_once('\n').unwrap();
            let (block, after) = rest.split_once("```").unwrap();
            let file = text_of(&path);
            if block.trim_end() == file.trim_end() {
                continue;
            }
            assert!(
                std::env::var_os("GROGNARD_PIN").is_some(),
                "{page}: {path} says something else: GROGNARD_PIN=1 writes it"
            );
            text = format!("{before}{head}{tag}\n{}\n```{after}", file.trim_end());
            std::fs::write(root().join(&page), &text).unwrap();
        }
    }
    assert!(quotes >= 3);
}

/// Whole rulesets on pages that show how something is done load, and their examples hold.
#[test]
fn rules_of_pages_load() {
    let mut whole = 0;
    for page in pages_in("docs/howto") {
        let mut shelf = Shelf::default();
        for fence in fences(&text_of(&page)).iter().filter(|f| f.tag == "rules whole") {
            whole += 1;
            let path = shelf.put(&fence.text);
            let (found, rendered) = problems(&shelf, &path);
            assert!(!found.iter().any(|p| p.is_error()), "{page}:{}\n{rendered}", fence.line);
        }
    }
    assert!(whole > 1);
    // the rules and scenarios of the tutorial and the cookbook hold too
    let folders = ["first", "first-hole", "skirmish", "coming", "cookbook"].map(|folder| format!("docs/{folder}"));
    let args: Vec<&str> = ["test"].into_iter().chain(folders.iter().map(String::as_str)).collect();
    let run = output(root(), &args);
    assert!(run.status.success(), "{}", out(&run));
}
