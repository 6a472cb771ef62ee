//! Reports in a real browser: no error on its console, nothing fetched, nothing wider than the screen, words that do not
//! cover each other and stand out from their ground; on a phone and on a desk, in light, in dark and printed.
//!
//! `GROGNARD_BROWSER` names a Chromium; `.ci/browser` finds or fetches one. The pictures are kept in `target/tmp/browser/pages`.

use crate::page::samples;

use crate::common::{folder, root, said};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A browser that is told what to do over a pipe.
struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// What it told without being asked.
    rendered: Vec<Value>,
}

impl Browser {
    fn start(program: &str, folder: &Path) -> Browser {
        // the browser listens on its third descriptor and talks on its fourth; it is ended after five minutes
        let shell = "exec timeout 300 \"$0\" \"$@\" 3<&0 4>&1 1>&2";
        let mut child = Command::new("sh")
            .args(["-c", shell, program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"])
            .args(["--no-first-run", "--disable-background-networking", "--hide-scrollbars", "about:blank"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut browser = Browser { child, to, from, session: None, last: 0, rendered: Vec::new() };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.ask("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_string());
        for part in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{part}.enable"), json!({}));
        }
        browser
    }

    fn hear(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).unwrap();
        message.pop().expect("the browser ended");
        serde_json::from_slice(&message).unwrap()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer = self.hear();
            if answer["id"] == json!(self.last) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.rendered.push(answer);
        }
    }

    /// Opens a file and waits until all of it is there.
    fn open(&mut self, file: &Path) {
        self.rendered.clear();
        self.ask("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !self.rendered.iter().any(|m| m["method"] == json!("Page.loadEventFired")) {
            let rendered = self.hear();
            self.rendered.push(rendered);
        }
    }

    /// What a script says about the page.
    fn look(&mut self, script: &str) -> Value {
        let answer = self.ask("Runtime.evaluate", json!({ "expression": script, "returnByValue": true }));
        assert!(answer["exceptionDetails"].is_null(), "{answer}");
        answer["result"]["value"].clone()
    }

    /// A picture of the whole page.
    fn picture(&mut self, file: &Path) -> usize {
        let size = self.ask("Page.getLayoutMetrics", json!({}))["cssContentSize"].clone();
        let height = size["height"].as_f64().unwrap().min(8_000.0);
        let clip = json!({ "x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1 });
        let shot = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let shot = self.ask("Page.captureScreenshot", shot);
        let bytes = base64(shot["data"].as_str().unwrap());
        std::fs::write(file, &bytes).unwrap();
        bytes.len()
    }

    /// Errors on the console, and what was fetched besides the page.
    fn complaints(&mut self) -> Vec<String> {
        let bad = |m: &Value| match m["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => Some(m["params"].to_string()),
            "Page.javascriptDialogOpening" => Some("a dialog".to_string()),
            "Network.requestWillBeSent" if m["params"]["type"] != json!("Document") => {
                Some(format!("fetched {}", m["params"]["request"]["url"]))
            }
            _ => None,
        };
        self.rendered.drain(..).filter_map(|m| bad(&m)).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn base64(text: &str) -> Vec<u8> {
    let sign = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0u32, |bits, c| bits << 6 | u32::from(sign(*c))) << (6 * (4 - four.len()));
        out.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    out
}

/// How a page is looked at on a phone, and on a desk.
const PHONE: [(&str, &str); 2] = [("screen", "light"), ("screen", "dark")];
const DESK: [(&str, &str); 3] = [("screen", "light"), ("screen", "dark"), ("print", "light")];

/// The pages: those of the samples, and what the commands write about shipped scenarios.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (name, page) in samples::all() {
        files.push(folder.join(format!("{name}.html")));
        std::fs::write(files.last().unwrap(), page.html()).unwrap();
    }
    let fight = "rulesets/warstrike/scenarios/firefight.toml";
    let hedge = "rulesets/recoil/scenarios/hedge-odds.toml";
    for args in [
        &["simulate", fight, "--runs", "40"][..],
        &["compare", ":order_range=4", fight, "--runs", "40"],
        &["readings", fight, "--mode", "sampled", "--runs", "40"],
        &["compare", "warstrike/leadership", "warstrike/salvo-threshold:hit_on=5", fight, "--which", "--runs", "40"],
        &["odds", "total(10 of d6)"],
        &["odds", hedge, "--why", "--of", "one_4.alive and two_4.alive"],
        &["sweep", fight, "--over", "hit_on=3,4,5", "--over", "order_range=4,6", "--of", "laans.gone", "--runs", "20"],
    ] {
        let file = folder.join(format!("{}-{}.html", files.len(), args[0]));
        let (_, said) = said(root(), &[args, &["--report", file.to_str().unwrap()]].concat());
        assert!(file.exists(), "{said}");
        files.push(file);
    }
    // a rulebook: its first page, chapters with tables, odds and changes, the register and the index
    let book = folder.join("book");
    let (code, said) = said(root(), &["book", "warstrike/salvo-threshold", "-o", book.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let pages = ["index", "03-vocabulary", "16-what-a-salvo-does", "17-testing-leadership", "clauses", "names"];
    files.extend(pages.map(|page| book.join(format!("{page}.html"))));
    files
}

#[test]
#[ignore = "needs a browser; `.ci/run` gives it one"]
fn reports_in_a_browser() {
    let program = std::env::var("GROGNARD_BROWSER").expect("GROGNARD_BROWSER names a Chromium");
    let folder = folder("pages", &[]);
    let pages = pages(&folder);
    let mut browser = Browser::start(&program, &folder);
    let mut faults = Vec::new();
    for file in &pages {
        for (width, looks) in [(360, &PHONE[..]), (1200, &DESK[..])] {
            let screen = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width == 360 });
            browser.ask("Emulation.setDeviceMetricsOverride", screen);
            browser.open(file);
            for (media, scheme) in looks {
                let scheme_of = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
                browser.ask("Emulation.setEmulatedMedia", json!({ "media": media, "features": scheme_of }));
                let name = format!("{}-{width}-{media}-{scheme}", file.file_stem().unwrap().to_string_lossy());
                let looked = browser.look(include_str!("page/look.js"));
                let mut found: Vec<String> =
                    looked.as_array().unwrap().iter().map(|f| f.as_str().unwrap().to_string()).collect();
                // a page of a rulebook may be words alone
                found
                    .retain(|fault| fault != "nothing is drawn" || !file.parent().is_some_and(|f| f.ends_with("book")));
                let bytes = browser.picture(&folder.join(format!("{name}.png")));
                if bytes < 10_000 {
                    found.push(format!("the picture is empty, {bytes} bytes"));
                }
                found.append(&mut browser.complaints());
                faults.extend(found.into_iter().map(|f| format!("{name}: {f}")));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
