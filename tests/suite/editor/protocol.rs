//! The JSON of messages: each result has the fields of the protocol, and what a client adds to its parameters does no harm.

use super::*;

const PATH: &str = "game/core.rules";
const TEXT: &str = "ruleset game/core\n\nparam reach = 6\"\nlet far(n: Length) = n > reech\n";

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

fn open(text: &str) -> (Session, Value) {
    let mut session = Session::start();
    session.open(PATH, text);
    session.settle();
    (session, json!({ "uri": Session::uri(PATH) }))
}

/// Kinds are integers, and a field without a value is left out.
#[test]
fn results_have_the_fields_of_the_protocol() {
    let (mut session, document) = open(TEXT);
    let uri = &document["uri"];
    let whole = json!({ "textDocument": document });

    let unknown = session.problems[PATH].as_array().unwrap().iter().find(|d| d["code"] == "R0201").unwrap().clone();
    let message = unknown["message"].clone();
    assert_eq!(
        unknown,
        json!({ "range": range(3, 25, 30), "severity": 1, "code": "R0201", "source": "grognard", "message": message })
    );

    let params = json!({ "textDocument": document, "range": range(3, 26, 26), "context": { "diagnostics": [] } });
    let changes = json!([{
        "textDocument": { "uri": uri, "version": 1 },
        "edits": [{ "range": range(3, 25, 30), "newText": "reach" }],
    }]);
    let action = json!({
        "title": "write `reach`", "kind": "quickfix", "diagnostics": [unknown], "isPreferred": true,
        "edit": { "documentChanges": changes },
    });
    assert_eq!(session.ask("textDocument/codeAction", params).unwrap(), json!([action]));

    let symbols = session.ask("textDocument/documentSymbol", whole.clone()).unwrap();
    let reach = json!({
        "name": "reach", "detail": "param", "kind": 14, "range": range(2, 0, 16), "selectionRange": range(2, 6, 11),
    });
    assert_eq!(symbols[0], reach);

    let found = session.ask("workspace/symbol", json!({ "query": "reach" })).unwrap();
    let location = json!({ "uri": uri, "range": range(2, 6, 11) });
    assert_eq!(found, json!([{ "name": "reach", "kind": 14, "location": location, "containerName": PATH }]));

    let declared = TEXT.find("reach").unwrap();
    assert_eq!(session.ask_at("textDocument/definition", PATH, declared, Value::Null).unwrap(), json!([location]));
    let highlights = session.ask_at("textDocument/documentHighlight", PATH, declared, Value::Null).unwrap();
    assert_eq!(highlights, json!([{ "range": range(2, 6, 11) }]));
    let hover = session.ask_at("textDocument/hover", PATH, declared, Value::Null).unwrap();
    assert_eq!((&hover["contents"]["kind"], &hover["range"]), (&json!("markdown"), &range(2, 6, 11)));

    let candidates = session.ask_at("textDocument/completion", PATH, TEXT.find("reech").unwrap() + 2, Value::Null);
    let candidates = candidates.unwrap();
    let at = candidates.as_array().unwrap().iter().position(|item| item["label"] == "reach").unwrap();
    let edit = json!({ "range": range(3, 25, 27), "newText": "reach" });
    let reach = json!({ "label": "reach", "kind": 21, "sortText": format!("{at:05}"), "textEdit": edit });
    assert_eq!(candidates[at], reach);

    let tokens = session.ask("textDocument/semanticTokens/full", whole).unwrap();
    assert_eq!(tokens["data"].as_array().unwrap()[..10], [0, 0, 7, 0, 0, 0, 8, 9, 7, 0].map(|n| json!(n)));
    session.end();
}

/// Fields and kinds that no version of the protocol has are ignored.
#[test]
fn unknown_fields_and_kinds_are_ignored() {
    let (mut session, document) = open(&TEXT.replace("reech", "reach"));
    let at = json!({ "line": 2, "character": 7, "unit": "byte" });
    let more = json!({ "workDoneToken": 1, "x": [{}], "context": { "triggerKind": 99, "includeDeclaration": true, "y": null } });
    let mut params =
        json!({ "textDocument": document, "position": at, "newName": "distance", "range": range(2, 0, 1) });
    params["textDocument"]["languageVersion"] = json!({ "major": 7 });
    for (key, value) in more.as_object().unwrap() {
        params[key] = value.clone();
    }
    params["context"]["diagnostics"] =
        json!([{ "range": range(0, 0, 1), "severity": 12, "tags": ["new"], "message": "" }]);
    params["context"]["only"] = json!(["source.unknown"]);
    let methods = [
        "hover", "definition", "references", "documentHighlight", "completion", "prepareRename", "rename", "codeAction",
    ];
    for method in methods {
        let answer = session.ask(&format!("textDocument/{method}"), params.clone());
        assert!(answer.as_ref().is_ok_and(|answer| !answer.is_null()), "{method}: {answer:?}");
    }
    session.tell("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": document["uri"], "type": 77 }] }));
    session.settle();
    session.end();
}

/// A document is served and named as the client writes its URI, even if the URI is none by RFC 3986.
#[test]
fn uris_are_kept_as_the_client_writes_them() {
    let uris = [
        "file:///no/such/game/core.rules",
        "FILE:///no/such/game/core.rules",
        "file:///c%3A/rules/game/core.rules",
        "file:///C:/rules/game/core.rules",
        "file://server/share/game/core.rules",
        "file:///no/a%20b/g%C3%A4me/core.rules",
        "file:///no/a b/gäme/core.rules",
        "file:///no/[a]/{b}/c.rules",
        "file:///%c3%28/%00/core.rules",
        "file:///no/such/%",
        "file://%zz",
        "C:\\rules\\game\\core.rules",
        "untitled:Untitled-1",
        "x%zz",
        "",
    ];
    let mut session = Session::start();
    for uri in uris {
        let document = json!({ "uri": uri, "languageId": "grognard", "version": 3, "text": TEXT });
        session.tell("textDocument/didOpen", json!({ "textDocument": document }));
        session.settle();
        assert!(!session.problems[uri].as_array().unwrap().is_empty(), "{uri}");
        let symbols = session.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })).unwrap();
        assert_eq!(symbols[0]["name"], "reach", "{uri}");
        session.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        session.settle();
        assert_eq!(session.problems[uri], json!([]), "{uri}");
    }
    session.end();
}
