//! Thousands of random edits: nothing panics, and what is known after them is what a fresh workspace finds.

use super::*;
use grognard_base::{FileId, Source, Sources};
use grognard_syntax::{Trees, classes_known, parse, parse_again};

/// Numbers that look random (SplitMix64, Steele and others 2014).
struct Rolls(u64);

impl Rolls {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.next(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

const PIECES: [&str; 28] = [
    "{",
    "}",
    "(",
    ")",
    "\"",
    "\n",
    "\n\n",
    " ",
    "#",
    "|",
    ".",
    "u.",
    ":",
    "=",
    "cite ",
    "let x = ",
    "°",
    "𝔘",
    "é",
    "\r\n",
    "\t",
    "override ",
    "rule X on ",
    "kind Unit { state a : 0..9 }\n",
    "1d6",
    "param p = 6\"\n",
    "change rule X {\n",
    ";",
];

/// One random edit: something goes, comes, or comes again elsewhere.
fn edit(rolls: &mut Rolls, text: &str) -> (usize, usize, String) {
    let start = rolls.boundary(text);
    let mut end = start;
    let longest = [1, 1, 3, 8, 60, 600][rolls.next(6)];
    for c in text[start..].chars().take(rolls.next(longest + 1)) {
        end += c.len_utf8();
    }
    let new = match rolls.next(4) {
        0 => String::new(),
        1 => {
            let from = rolls.boundary(text);
            text[from..].chars().take(rolls.next(80)).collect()
        }
        _ => PIECES[rolls.next(PIECES.len())].to_string(),
    };
    (start, end, new)
}

/// Rules that touch much of the language in few lines.
const SMALL: &str = include_str!("../../fixtures/games/duel.rules");

/// All that can be asked of a place, as text.
fn all_answers(space: &Workspace, path: &str, at: usize) -> String {
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        space.hover(path, at),
        space.definition(path, at),
        space.references(path, at, true),
        space.complete(path, at),
        space.outline(path),
        space.tokens(path),
    )
}

#[test]
fn random_edits_leave_what_a_fresh_start_finds() {
    let mut rolls = Rolls(7);
    let mut space = Workspace::new(Books::all());
    let path = "games/duel.rules";
    let mut text = SMALL.to_string();
    for n in 0..3000 {
        if n % 100 == 0 {
            text = SMALL.to_string();
        }
        let (start, end, new) = edit(&mut rolls, &text);
        text.replace_range(start..end, &new);
        space.set(path, &text);
        let at = rolls.boundary(&text);
        let found = all_answers(&space, path, at);
        if n % 7 == 0 {
            let mut fresh = Workspace::new(Books::all());
            fresh.set(path, &text);
            assert_eq!(space.problems(path, []), fresh.problems(path, []), "edit {n}:\n{text}");
            if fresh.analysis(path).sound {
                assert_eq!(found, all_answers(&fresh, path, at), "edit {n}:\n{text}");
            }
        }
        if n % 50 == 0 {
            let _ = (space.rename(path, at, "other"), space.fixes(path, 0, text.len()), space.format(path));
        }
        space.lenses(path);
    }
}

/// A text of which only the edited pieces are parsed has the tree and the findings of one that is parsed as a whole.
#[test]
fn a_text_that_was_edited_is_parsed_as_a_new_one() {
    let mut rolls = Rolls(13);
    let mut text = SMALL.to_string();
    let mut trees = Trees::default();
    for n in 0..3000 {
        if n % 100 == 0 {
            text = SMALL.to_string();
        }
        let (start, end, new) = edit(&mut rolls, &text);
        text.replace_range(start..end, &new);
        let source = Source::new("games/duel.rules", text.as_str());
        let (file, found, now) = parse_again(FileId(3), &source, &trees);
        let fresh = parse(FileId(3), &source);
        assert_eq!(format!("{:?}", (file, found)), format!("{fresh:?}"), "edit {n}:\n{text}");
        assert_eq!(classes_known(&text, &now), classes_known(&text, &Trees::default()), "edit {n}:\n{text}");
        trees = now;
    }
}

/// Rules that are being written may say anything: a status on a kind that nobody knows, and an example that speaks of it.
#[test]
fn an_example_of_a_status_on_an_unknown_kind_is_looked_at() {
    let mut space = Workspace::new(Books::all());
    let text = "ruleset games/odd\nkind Unit { state a : 0..9 }\nstatus Odd on Unt\nproc go(u: Unit) { set u.a += 1 }\n\
                example \"odd\" for go(u) with x has Odd, u.a = 1 { u.a = 2; x has Odd }\n";
    space.set("games/odd.rules", text);
    assert!(space.analysis("games/odd.rules").has_errors());
    let at = text.find("x has").unwrap();
    assert!(!all_answers(&space, "games/odd.rules", at).is_empty());
}

/// What stands on other files is kept as far as it holds: after edits anywhere in a chain of files all is as at a fresh start.
#[test]
fn edits_in_a_chain_of_files_leave_what_a_fresh_start_finds() {
    let mut rolls = Rolls(17);
    let chain = ["recoil/core.rules", "recoil/recoil.rules", "recoil/flight.rules", "recoil/results.rules"];
    let texts: Vec<String> = chain.iter().map(|path| text_of(&format!("rulesets/{path}"))).collect();
    let mut now = texts.clone();
    let mut space = Workspace::new(Books::all());
    let mut sound = 0;
    for n in 0..60 {
        let which = rolls.next(chain.len());
        let path = chain[which];
        // an edit in two is taken back by the next one, as one who types does
        if n % 2 == 1 {
            now = texts.clone();
        } else {
            let (start, end, new) = match n % 4 {
                0 => edit(&mut rolls, &now[which]),
                // another number, another comment: what is sound stays so
                _ => {
                    let digit =
                        |text: &str| text.starts_with("= ") && text[2..].starts_with(|c: char| c.is_ascii_digit());
                    let digits: Vec<usize> = now[which]
                        .match_indices("= ")
                        .map(|(at, _)| at)
                        .filter(|at| digit(&now[which][*at..]))
                        .collect();
                    let at = digits[rolls.next(digits.len())] + 2;
                    (at, at + 1, "3".to_string())
                }
            };
            now[which].replace_range(start..end, &new);
        }
        let mut fresh = Workspace::new(Books::all());
        for (path, text) in chain.iter().zip(&now) {
            space.set(path, text);
            fresh.set(path, text);
        }
        let at = rolls.boundary(&now[which]);
        for path in [path, chain[3]] {
            assert_eq!(space.problems(path, []), fresh.problems(path, []), "edit {n} of {path}");
            assert_eq!(space.tokens(path), fresh.tokens(path), "edit {n} of {path}");
            assert_eq!(space.outline(path), fresh.outline(path), "edit {n} of {path}");
            assert_eq!(space.lenses(path), fresh.lenses(path), "edit {n} of {path}");
        }
        if fresh.analysis(path).sound {
            sound += 1;
            assert_eq!(all_answers(&space, path, at), all_answers(&fresh, path, at), "edit {n} of {path}");
        }
    }
    assert!(sound > 20, "{sound}");
}

/// Findings are those that `check` prints, for every shipped file.
#[test]
fn findings_are_those_of_check() {
    let space = Workspace::new(Books::all());
    for path in shipped() {
        let found: Vec<_> = space.problems(&path, []).into_iter().map(|p| (p.found.code, p.found.message)).collect();
        let mut sources = Sources::default();
        let loaded = grognard_rules::load(&path, &*Books::all(), &mut sources);
        let own = |p: &&grognard_base::Diagnostic| {
            p.span.is_none_or(|s| sources.get(sources.author(s.file)).unwrap().name == path)
        };
        let mut checked: Vec<_> = loaded.problems.iter().filter(own).map(|p| (p.code, p.message.clone())).collect();
        checked.sort();
        let mut found = found;
        found.sort();
        assert_eq!(found, checked, "{path}");
    }
}

/// A variant is checked anew when the book below it changes.
#[test]
fn what_rests_on_a_text_is_checked_anew() {
    let mut space = Workspace::new(Books::all());
    let (core, variant) = ("warstrike/leadership.rules", "warstrike/salvo-threshold.rules");
    assert!(space.resting_on(core).contains(&variant.to_string()));
    assert!(space.problems(variant, []).iter().all(|p| !p.found.is_error()));
    let text = text_of(&format!("rulesets/{core}"));
    space.set(core, &text.replace("param salvo_threshold", "param salvo_limit"));
    assert!(space.problems(variant, []).iter().any(|p| p.found.is_error()) || !text.contains("param salvo_threshold"));
    space.set(core, &text);
    assert!(space.problems(variant, []).iter().all(|p| !p.found.is_error()));
}

/// Whatever an editor sends, there is an answer, and the server is there for the next.
#[test]
fn nothing_that_an_editor_sends_ends_the_server() {
    let mut rolls = Rolls(11);
    let mut session = Session::start();
    session.open("games/duel.rules", SMALL);
    let methods = [
        "textDocument/hover",
        "textDocument/definition",
        "textDocument/references",
        "textDocument/completion",
        "textDocument/rename",
        "textDocument/prepareRename",
        "textDocument/documentSymbol",
        "textDocument/formatting",
        "textDocument/codeAction",
        "textDocument/codeLens",
        "textDocument/semanticTokens/full",
        "codeLens/resolve",
        "workspace/executeCommand",
        "workspace/symbol",
        "textDocument/foldingRange",
        "no/such/method",
        "",
    ];
    for n in 0..600 {
        let text = session.texts["games/duel.rules"].1.clone();
        if n % 3 == 0 {
            let (start, end, new) = edit(&mut rolls, &text);
            session.edit("games/duel.rules", start, end, &new);
        }
        let line = [0, 3, 9, 100_000, u32::MAX][rolls.next(5)];
        let column = [0, 5, 200, u32::MAX][rolls.next(4)];
        let at = json!({ "line": line, "character": column });
        let uri =
            ["file:///no/such/place/games/duel.rules", "file:///nowhere", "untitled:1", "", "x%zz"][rolls.next(5)];
        let params = match rolls.next(4) {
            0 => Value::Null,
            1 => json!({ "textDocument": { "uri": uri } }),
            _ => json!({
                "textDocument": { "uri": uri }, "position": at, "newName": "x y", "query": "a", "command": "grognard.run",
                "range": { "start": at, "end": { "line": 0, "character": 0 } }, "context": { "includeDeclaration": true, "diagnostics": [] },
                "options": { "tabSize": 2, "insertSpaces": true }, "arguments": [{ "uri": uri, "sort": "odds", "name": "Duel" }],
            }),
        };
        let _ = session.ask(methods[rolls.next(methods.len())], params);
    }
    // an edit whose range makes no sense, an unknown document, a document that is opened again, one that is closed
    let nonsense = json!({ "start": { "line": 9999, "character": 0 }, "end": { "line": 0, "character": 9999 } });
    let document = json!({ "uri": "file:///no/such/place/games/duel.rules", "version": 9 });
    session.tell(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": [{ "range": nonsense, "text": "x" }] }),
    );
    let unknown = json!({ "uri": "file:///a/b/c.rules", "version": 9 });
    session.tell("textDocument/didChange", json!({ "textDocument": unknown, "contentChanges": [{ "text": "x" }] }));
    session.tell("textDocument/didClose", json!({ "textDocument": unknown }));
    session.tell("textDocument/didOpen", json!("nonsense"));
    session.open("games/duel.rules", SMALL);
    session.open("games/huge.rules", &"ruleset games/huge\nparam a = 1\n".repeat(100_000));
    session.settle();
    assert!(session.problems["games/huge.rules"][0]["code"] == "R0102");
    let duel = session.ask_at("textDocument/hover", "games/duel.rules", SMALL.find("kind ").unwrap() + 6, Value::Null);
    assert!(duel.unwrap()["contents"]["value"].is_string());
    session.end();
}

/// A request about a text that was edited since is refused, and the last one is answered.
#[test]
fn newer_edits_refuse_older_requests() {
    let mut session = Session::start();
    session.open("games/duel.rules", SMALL);
    let document = json!({ "textDocument": { "uri": Session::uri("games/duel.rules") } });
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(session.send("textDocument/semanticTokens/full", document.clone()));
        session.edit("games/duel.rules", 0, 0, "# more\n");
    }
    let last = session.send("textDocument/semanticTokens/full", document);
    let answers: Vec<_> = ids.into_iter().map(|id| session.wait(id)).collect();
    assert!(answers.iter().flat_map(|a| a.as_ref().err()).all(|(code, _)| *code == -32801));
    assert!(answers.iter().any(Result::is_err), "none of 40 was late");
    assert!(!session.wait(last).unwrap()["data"].as_array().unwrap().is_empty());
    session.end();
}
