//! The language server, by replayed sessions and by random edits; and the query layer below it.

use crate::common::session::{Script, Session, byte, position};
use crate::common::{Shipped, root, text_of};
use grognard_ide::query::Workspace;
use grognard_rules::Library;
use grognard_syntax::{Class, Trees, classes_known};
use serde_json::{Value, json};
use std::rc::Rc;

mod colours;
mod edits;
mod hints;
mod protocol;
mod scenes;

/// Every session in the folder comes out as it is written; `GROGNARD_PIN=1` writes it anew.
#[test]
fn sessions_are_as_written() {
    let mut wrong = String::new();
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("tests/fixtures/sessions")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let found = Script::read(&text).replay();
        if std::env::var_os("GROGNARD_PIN").is_some() {
            std::fs::write(&path, &found).unwrap();
        } else if found != text {
            let differs = found.lines().zip(text.lines()).find(|(a, b)| a != b);
            wrong += &format!("{}: {differs:?}\n", path.display());
        }
        seen += 1;
    }
    assert!(seen > 3);
    assert!(wrong.is_empty(), "left: now, right: as written\n{wrong}");
}

/// The shipped rules files, by path under their root.
pub fn shipped() -> Vec<String> {
    let mut all = Vec::new();
    for folder in std::fs::read_dir(root().join("rulesets")).unwrap() {
        let folder = folder.unwrap().path();
        for file in std::fs::read_dir(&folder).into_iter().flatten() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|e| e == "rules") {
                let (game, name) = (folder.file_name().unwrap(), file.file_name().unwrap());
                all.push(format!("{}/{}", game.to_str().unwrap(), name.to_str().unwrap()));
            }
        }
    }
    all.sort();
    assert!(all.len() > 15);
    all
}

/// The shipped rulesets, with a list of them.
pub struct Books(Vec<String>);

impl Books {
    pub fn all() -> Rc<Books> {
        Rc::new(Books(shipped()))
    }
}

impl Library for Books {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Shipped::default().read(path)
    }
    fn list(&self) -> Vec<String> {
        self.0.clone()
    }
}

/// Words of the language that the grammar takes for names, and what is declared by nobody.
const BUILT_IN: [&str; 17] = [
    "self", "alive", "at", "facing", "passed", "grade", "name", "actor", "earlier", "goal", "covered", "met",
    "crossed", "borrowed", "result", "action", "move",
];

/// Nearly every name in the shipped rules leads to where it is declared, and the declaration has that name.
#[test]
fn names_lead_to_their_declarations() {
    let space = Workspace::new(Books::all());
    let (mut known, mut lost) = (0, Vec::new());
    for path in shipped() {
        let text = text_of(&format!("rulesets/{path}"));
        for (start, end, class) in classes_known(&text, &Trees::default()) {
            let word = &text[start..end];
            if !matches!(class, Class::Name | Class::Capital) || BUILT_IN.contains(&word) {
                continue;
            }
            let builtin = grognard_base::value::ops::Op::builtin(word).is_some();
            let found = space.definition(&path, start);
            match found.first() {
                Some(place) => {
                    let declared = text_of(&format!("rulesets/{}", place.file));
                    assert_eq!(&declared[place.start..place.end], word, "{path}:{start}");
                    known += 1;
                }
                None if builtin
                    || ["Int", "Flag", "Length", "Angle", "Ratio", "Place", "Route", "Die", "Edge", "Shifted"]
                        .contains(&word) => {}
                None => {
                    let line = text[..start].matches('\n').count() + 1;
                    lost.push(format!("{path}:{line} {word}"));
                }
            }
        }
    }
    assert!(lost.len() * 100 < known, "{known} known, {} lost:\n{}", lost.len(), lost.join("\n"));
}

/// The program itself, over its standard streams: it greets, answers, and ends well; when the editor is gone it ends too.
#[test]
fn the_program_serves_over_its_standard_streams() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    };
    let framed = |message: Value| {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    let root = crate::common::folder("server", &[("game/core.rules", "ruleset game/core\n\nparam a = b\n")]);
    let uri = format!("file://{}", root.join("game/core.rules").display());
    let document = json!({ "uri": uri, "languageId": "grognard", "version": 1, "text": "ruleset game/core\n\nparam a = 1\nparam b = é\n" });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "grognard/settle" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
    ];
    let mut server = start();
    let mut to = server.stdin.take().unwrap();
    messages.into_iter().for_each(|message| to.write_all(framed(message).as_bytes()).unwrap());
    let mut said = String::new();
    server.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(server.wait().unwrap().success());
    assert!(said.contains("\"renameProvider\""), "{said}");
    assert!(said.contains("R0104") && said.contains("publishDiagnostics"), "{said}");
    // an editor that was closed leaves no server behind
    let mut left = start();
    drop(left.stdin.take());
    assert!(left.wait().unwrap().code().is_some());
}
