//! Sessions of an editor with the language server, replayed in memory from plain text: files with marks in them, steps, and
//! what comes of each step. Tests and benches read the same format.
//!
//! A file begins with `=== game/file.rules`; `<1>` in it is mark 1 and no part of the text. A step is a line `--- request mark
//! arguments`, and the lines below it are what comes of it.

use grognard_cli::lsp::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::thread::JoinHandle;

/// The folder that the files of a session seem to lie in; there is none.
const ROOT: &str = "file:///no/such/place/";

/// An editor that talks to a server of its own.
pub struct Session {
    client: Option<Connection>,
    server: Option<JoinHandle<Result<(), String>>>,
    requests: i32,
    /// The texts as the editor has them, with their versions.
    pub texts: BTreeMap<String, (i32, String)>,
    /// Findings that were told last, by file.
    pub problems: BTreeMap<String, Value>,
    /// What was shown to the designer.
    pub shown: Vec<String>,
}

/// The line and the UTF-16 column of a byte.
pub fn position(text: &str, byte: usize) -> Value {
    let head = &text[..byte];
    let line = head.matches('\n').count();
    let column = head.rsplit('\n').next().unwrap_or("").encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// The byte of a position.
pub fn byte(text: &str, at: &Value) -> usize {
    let line = at["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut left = at["character"].as_u64().unwrap() as usize;
    let mut byte = start;
    for c in text[start..].chars() {
        if left == 0 {
            break;
        }
        left -= c.len_utf16();
        byte += c.len_utf8();
    }
    byte
}

impl Session {
    /// Starts a server and greets it.
    pub fn start() -> Session {
        let (server, client) = Connection::memory();
        let serve = move || serve(&server);
        let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(serve).unwrap();
        let mut session = Session {
            client: Some(client),
            server: Some(thread),
            requests: 0,
            texts: BTreeMap::new(),
            problems: BTreeMap::new(),
            shown: Vec::new(),
        };
        session.ask("initialize", json!({ "capabilities": {} })).unwrap();
        session.tell("initialized", json!({}));
        session
    }

    fn client(&self) -> &Connection {
        self.client.as_ref().unwrap()
    }

    /// Sends a notification.
    pub fn tell(&self, method: &str, params: Value) {
        let note = Notification { method: method.into(), params };
        self.client().sender.send(Message::Notification(note)).unwrap();
    }

    /// Sends a request, and gives its id.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.requests += 1;
        let request = Request { id: RequestId::from(self.requests), method: method.into(), params };
        self.client().sender.send(Message::Request(request)).unwrap();
        self.requests
    }

    /// Waits for the answer to a request; what comes before it is noted.
    pub fn wait(&mut self, id: i32) -> Result<Value, (i32, String)> {
        self.wait_and_see(id, &mut |_| {})
    }

    /// The same; each file whose findings come before it is shown.
    pub fn wait_and_see(&mut self, id: i32, rendered: &mut dyn FnMut(&str)) -> Result<Value, (i32, String)> {
        loop {
            match self.client().receiver.recv().unwrap() {
                Message::Response(response) if response.id == RequestId::from(id) => {
                    return response.response_result.map_err(|error| (error.code, error.message));
                }
                Message::Notification(note) if note.method == "textDocument/publishDiagnostics" => {
                    let uri = note.params["uri"].as_str().unwrap();
                    let path = uri.strip_prefix(ROOT).unwrap_or(uri).to_string();
                    rendered(&path);
                    self.problems.insert(path, note.params["diagnostics"].clone());
                }
                Message::Notification(note) if note.method == "window/showMessage" => {
                    self.shown.push(note.params["message"].as_str().unwrap().to_string());
                }
                _ => {}
            }
        }
    }

    /// Sends a request and waits for its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.send(method, params);
        self.wait(id)
    }

    /// The URI of a file.
    pub fn uri(path: &str) -> String {
        format!("{ROOT}{path}")
    }

    /// Opens a text.
    pub fn open(&mut self, path: &str, text: &str) {
        self.texts.insert(path.to_string(), (1, text.to_string()));
        let document = json!({ "uri": Session::uri(path), "languageId": "grognard", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Puts a text in the place of some bytes.
    pub fn edit(&mut self, path: &str, start: usize, end: usize, new: &str) {
        let (version, text) = self.texts.get_mut(path).unwrap();
        let range = json!({ "start": position(text, start), "end": position(text, end) });
        text.replace_range(start..end, new);
        *version += 1;
        let document = json!({ "uri": Session::uri(path), "version": version });
        let change = json!([{ "range": range, "text": new }]);
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": change }));
    }

    /// A request about a byte of a text, with more parameters.
    pub fn ask_at(&mut self, method: &str, path: &str, byte: usize, more: Value) -> Result<Value, (i32, String)> {
        let at = position(&self.texts[path].1, byte);
        let mut params = json!({ "textDocument": { "uri": Session::uri(path) }, "position": at });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.ask(method, params)
    }

    /// Waits until every finding was told.
    pub fn settle(&mut self) {
        self.ask("grognard/settle", Value::Null).unwrap();
    }

    /// Says good-bye; the server ends well.
    pub fn end(mut self) {
        self.ask("shutdown", Value::Null).unwrap();
        self.tell("exit", Value::Null);
        self.client = None;
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

/// A session as it is written.
pub struct Script {
    /// Files by path, without marks.
    pub files: Vec<(String, String)>,
    /// Marks: the file and the byte.
    pub marks: BTreeMap<String, (String, usize)>,
    /// What stands above the first step, as it is written.
    head: String,
    /// Steps, each with what comes of it.
    pub steps: Vec<(String, String)>,
}

impl Script {
    /// Reads a session.
    pub fn read(text: &str) -> Script {
        let (mut files, mut marks, mut steps) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut parts = text.split("\n--- ");
        let head = parts.next().unwrap().to_string();
        for file in head.split("=== ").skip(1) {
            let (path, body) = file.split_once('\n').unwrap();
            let (mut plain, mut left) = (String::new(), body);
            while let Some(at) = left.find('<') {
                let mark = left[at + 1..].split_once('>').map(|(mark, _)| mark);
                let mark = mark.filter(|m| !m.is_empty() && m.bytes().all(|b| b.is_ascii_digit()));
                plain += &left[..at];
                match mark {
                    Some(mark) => {
                        marks.insert(mark.to_string(), (path.to_string(), plain.len()));
                        left = &left[at + mark.len() + 2..];
                    }
                    None => {
                        plain.push('<');
                        left = &left[at + 1..];
                    }
                }
            }
            plain += left;
            files.push((path.to_string(), plain.trim_end().to_string() + "\n"));
        }
        for step in parts {
            let (line, answer) = step.split_once('\n').unwrap_or((step, ""));
            steps.push((line.trim().to_string(), answer.trim_end().to_string()));
        }
        Script { files, marks, head, steps }
    }

    /// Replays it, and gives the same text with what came of each step now.
    pub fn replay(&self) -> String {
        let mut session = Session::start();
        self.files.iter().for_each(|(path, text)| session.open(path, text));
        let mut out = self.head.trim_end().to_string() + "\n";
        let mut marks = self.marks.clone();
        for (step, _) in &self.steps {
            let answer = self.step(&mut session, step, &mut marks);
            let _ = write!(out, "\n--- {step}\n{}\n", answer.trim_end());
        }
        session.end();
        out.trim_end().to_string() + "\n"
    }

    fn step(&self, session: &mut Session, step: &str, marks: &mut BTreeMap<String, (String, usize)>) -> String {
        let (what, rest) = step.split_once(' ').unwrap_or((step, ""));
        let (mark, argument) = rest.split_once(' ').unwrap_or((rest, ""));
        let none = (mark.to_string(), 0);
        let (path, at) = &marks.get(mark).cloned().unwrap_or(none);
        let uri = json!({ "uri": Session::uri(path) });
        let answer = match what {
            // `type 1 text` and `back 1 5` write and take away before the mark, as at a cursor
            "type" | "back" => {
                let back = if what == "back" { argument.parse().unwrap() } else { 0 };
                let new = if what == "back" { String::new() } else { argument.replace("\\n", "\n") };
                session.edit(path, *at - back, *at, &new);
                for (_, other) in marks.values_mut().filter(|(file, other)| file == path && other >= at) {
                    *other = *other + new.len() - back;
                }
                return String::new();
            }
            "problems" => {
                session.settle();
                let found = session.problems.get(path).cloned().unwrap_or_default();
                let lines = found.as_array().into_iter().flatten().map(|d| {
                    let message = d["message"].as_str().unwrap().replace('\n', " / ");
                    format!("{} {} {message}", d["code"].as_str().unwrap(), span(&d["range"]))
                });
                return lines.collect::<Vec<_>>().join("\n");
            }
            "hover" => session.ask_at("textDocument/hover", path, *at, Value::Null),
            "definition" => session.ask_at("textDocument/definition", path, *at, Value::Null),
            "references" => {
                let context = json!({ "context": { "includeDeclaration": true } });
                session.ask_at("textDocument/references", path, *at, context)
            }
            "highlight" => session.ask_at("textDocument/documentHighlight", path, *at, Value::Null),
            "rename" => session.ask_at("textDocument/rename", path, *at, json!({ "newName": argument })),
            "complete" => session.ask_at("textDocument/completion", path, *at, Value::Null),
            "fixes" => {
                let here = position(&session.texts[path].1, *at);
                let range = json!({ "start": here, "end": here });
                let params = json!({ "textDocument": uri, "range": range, "context": { "diagnostics": [] } });
                session.ask("textDocument/codeAction", params)
            }
            "outline" => session.ask("textDocument/documentSymbol", json!({ "textDocument": uri })),
            "format" => {
                let params = json!({ "textDocument": uri, "options": { "tabSize": 2, "insertSpaces": true } });
                session.ask("textDocument/formatting", params)
            }
            "tokens" => session.ask("textDocument/semanticTokens/full", json!({ "textDocument": uri })),
            "lenses" => return self.lenses(session, path),
            other => panic!("there is no step `{other}`"),
        };
        match answer {
            Err((_, why)) => format!("refused: {why}"),
            Ok(answer) => rendered(session, what, path, argument, &answer),
        }
    }

    /// Every lens with its answer, and what the command behind it shows.
    fn lenses(&self, session: &mut Session, path: &str) -> String {
        let params = json!({ "textDocument": { "uri": Session::uri(path) } });
        let all = session.ask("textDocument/codeLens", params).unwrap();
        let mut out = String::new();
        for lens in all.as_array().unwrap().iter().filter(|lens| lens.get("command").is_none_or(Value::is_null)) {
            let answer = session.ask("codeLens/resolve", lens.clone()).unwrap();
            let _ = writeln!(out, "{} {}", span(&answer["range"]), answer["command"]["title"].as_str().unwrap());
            let arguments = &answer["command"]["arguments"];
            let params = json!({ "command": answer["command"]["command"], "arguments": arguments });
            let whole = session.ask("workspace/executeCommand", params).unwrap();
            for line in whole.as_str().unwrap().lines().filter(|l| !l.trim().is_empty()) {
                let _ = writeln!(out, "  {line}");
            }
        }
        out
    }
}

fn span(range: &Value) -> String {
    let at = |p: &Value| format!("{}:{}", p["line"].as_u64().unwrap() + 1, p["character"].as_u64().unwrap() + 1);
    format!("{}-{}", at(&range["start"]), at(&range["end"]))
}

fn place(location: &Value) -> String {
    let uri = location["uri"].as_str().unwrap();
    format!("{} {}", uri.strip_prefix(ROOT).unwrap_or(uri), span(&location["range"]))
}

/// An answer in a few lines.
fn rendered(session: &Session, what: &str, path: &str, argument: &str, answer: &Value) -> String {
    let all = || answer.as_array().into_iter().flatten();
    let lines: Vec<String> = match what {
        "hover" => match answer["contents"]["value"].as_str() {
            Some(text) => vec![span(&answer["range"]), text.replace("\n\n", "\n")],
            None => vec!["nothing".into()],
        },
        "definition" | "references" => all().map(place).collect(),
        "highlight" => all().map(|h| span(&h["range"])).collect(),
        "rename" => edits(answer),
        "fixes" => all()
            .flat_map(|a| std::iter::once(a["title"].as_str().unwrap().to_string()).chain(edits(&a["edit"])))
            .collect(),
        "complete" => {
            let label = |item: &Value| {
                let detail = item["detail"].as_str().map_or(String::new(), |d| format!(" ({d})"));
                format!("{}{detail}", item["label"].as_str().unwrap())
            };
            let found: Vec<String> = all().map(label).collect();
            match argument {
                "" => found,
                wanted => found.into_iter().filter(|l| l.starts_with(wanted)).collect(),
            }
        }
        "outline" => {
            let mut lines = Vec::new();
            all().for_each(|symbol| outline(symbol, 0, &mut lines));
            lines
        }
        "format" => {
            let text = &session.texts[path].1;
            let edit = |e: &Value| {
                let (a, b) = (byte(text, &e["range"]["start"]), byte(text, &e["range"]["end"]));
                format!("{:?} -> {:?}", &text[a..b], e["newText"].as_str().unwrap())
            };
            all().map(edit).collect()
        }
        "tokens" => tokens(&session.texts[path].1, &answer["data"]),
        _ => Vec::new(),
    };
    lines.join("\n")
}

fn edits(of: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for file in of["documentChanges"].as_array().into_iter().flatten() {
        let uri = file["textDocument"]["uri"].as_str().unwrap();
        for edit in file["edits"].as_array().unwrap() {
            let path = uri.strip_prefix(ROOT).unwrap_or(uri);
            lines.push(format!("{path} {} {:?}", span(&edit["range"]), edit["newText"].as_str().unwrap()));
        }
    }
    lines
}

fn outline(symbol: &Value, depth: usize, lines: &mut Vec<String>) {
    let (name, detail) = (symbol["name"].as_str().unwrap(), symbol["detail"].as_str().unwrap());
    lines.push(format!("{:depth$}{name}: {detail} {}", "", span(&symbol["selectionRange"])));
    symbol["children"].as_array().into_iter().flatten().for_each(|inner| outline(inner, depth + 2, lines));
}

/// Each token with its class.
fn tokens(text: &str, data: &Value) -> Vec<String> {
    let numbers: Vec<u64> = data.as_array().into_iter().flatten().map(|n| n.as_u64().unwrap()).collect();
    let (mut line, mut column) = (0, 0);
    let mut lines: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for token in numbers.chunks(5) {
        column = if token[0] > 0 { token[1] } else { column + token[1] };
        line += token[0];
        let at = |c: u64| byte(text, &json!({ "line": line, "character": c }));
        let class = grognard_ide::query::CLASSES[token[3] as usize];
        let declares = if token[4] > 0 { "!" } else { "" };
        lines.entry(line).or_default().push(format!("{}={class}{declares}", &text[at(column)..at(column + token[2])]));
    }
    lines.into_iter().map(|(line, tokens)| format!("{}: {}", line + 1, tokens.join("  "))).collect()
}
