//! `grognard studio`: what it refuses, and that nothing that was written is lost.

use crate::common::{folder, grognard};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// A server that is ended with the test.
struct Host {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Host {
    /// Serves a folder.
    fn of(folder: &Path) -> Host {
        let mut child = grognard(folder, &["studio", ".", "--no-open"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find(|line| line.starts_with("http://"));
        let Some(address) = address else {
            let mut why = String::new();
            child.stderr.take().unwrap().read_to_string(&mut why).unwrap();
            child.wait().unwrap();
            panic!("{why}");
        };
        let (at, token) = address.split_once("/?token=").unwrap();
        let port = at.rsplit(':').next().unwrap().parse().unwrap();
        Host { child, port, token: token.to_string() }
    }

    fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    /// Asks as the page does, with more headers.
    fn ask(&self, line: &str, more: &[&str], body: &str) -> (u16, String) {
        let mut head = format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.port);
        head += &format!("Authorization: Bearer {}\r\nContent-Length: {}\r\n", self.token, body.len());
        more.iter().for_each(|header| head += &format!("{header}\r\n"));
        self.raw(&format!("{head}\r\n{body}"))
    }

    fn revision(&self, path: &str) -> String {
        let (code, answer) = self.ask(&format!("GET /files/{path}"), &[], "");
        assert_eq!(code, 200, "{answer}");
        answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_string()
    }
}

fn game(name: &str) -> PathBuf {
    folder(name, &[("g/x.rules", "ruleset g/x\n"), ("g/scenes/a.toml", "rules = \"g/x\"\n"), ("secret.txt", "s\n")])
}

#[test]
fn only_who_has_the_token_is_served() {
    let host = Host::of(&game("studio-token"));
    let (port, token) = (host.port, &host.token);
    let asked = |line: &str, head: &str| host.raw(&format!("{line} HTTP/1.1\r\nConnection: close\r\n{head}\r\n")).0;
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let bearer = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(asked("GET /", &own), 401);
    assert_eq!(asked("GET /?token=0", &own), 401);
    assert_eq!(asked(&format!("GET /?token={token}"), &own), 200);
    assert_eq!(asked("GET /index.html", &format!("{own}{bearer}")), 404);
    for line in ["GET /files", "GET /files/g/x.rules", "GET /events", "POST /rpc", "PUT /files/g/x.rules"] {
        assert_eq!(asked(line, &own), 401, "{line}");
        assert_eq!(asked(line, &format!("{own}Authorization: Bearer {}\r\n", "0".repeat(48))), 401, "{line}");
        assert_eq!(asked(line, &format!("Host: evil.example:{port}\r\n{bearer}")), 403, "{line}");
        assert_eq!(asked(line, &format!("{own}{bearer}Origin: http://evil.example\r\n")), 403, "{line}");
        assert_eq!(asked(line, &format!("{own}{bearer}Origin: null\r\n")), 403, "{line}");
    }
    assert_eq!(asked("GET /files", &format!("{own}{bearer}Origin: http://127.0.0.1:{port}\r\n")), 200);
    let (_, page) = host.raw(&format!("GET /?token={token} HTTP/1.1\r\nConnection: close\r\n{own}\r\n"));
    assert!(page.contains(&format!("content=\"{token}\"")));
    // the engine of this page is the program, so it fetches no other
    assert!(page.contains("studio.js") && !page.contains("engine.wasm") && !page.contains("early.js"));
}

/// Rules in the folder of one game are named from the one above, so none of them would be found.
#[test]
fn the_folder_of_one_game_is_not_served() {
    let place = game("studio-inside");
    let ended = grognard(&place, &["studio", "g", "--no-open"]).output().unwrap();
    let why = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(2), "{why}");
    assert!(why.contains("as `g/x` is: open that with `grognard studio ") && ended.stdout.is_empty(), "{why}");
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let place = game("studio-outside");
    let host = Host::of(&place);
    let paths =
        ["..%2Fx.rules", "%2e%2e/x.rules", "g/..%2f..%2fx.rules", "%2Fetc%2Fx.toml", "secret.txt", ".git/x.rules"];
    let mut paths: Vec<&str> = paths.into_iter().chain(["g/.x.rules", "g\\..\\x.rules", "C:x.rules"]).collect();
    #[cfg(unix)]
    {
        let outside = place.parent().unwrap().join("studio-elsewhere");
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("x.rules"), "ruleset o/x\n").unwrap();
        std::os::unix::fs::symlink(&outside, place.join("out")).unwrap();
        std::os::unix::fs::symlink(outside.join("x.rules"), place.join("g/link.rules")).unwrap();
        std::os::unix::fs::symlink(outside.join("new.rules"), place.join("g/dangling.rules")).unwrap();
        paths.extend(["out/x.rules", "out/new.rules", "g/link.rules", "g/dangling.rules"]);
    }
    for path in paths {
        let (code, answer) = host.ask(&format!("GET /files/{path}"), &[], "");
        assert_eq!(code, 403, "{path}: {answer}");
        let (code, answer) = host.ask(&format!("PUT /files/{path}"), &["If-None-Match: *"], "x");
        assert_eq!(code, 403, "{path}: {answer}");
        assert_eq!(host.ask(&format!("DELETE /files/{path}"), &["If-Match: \"0\""], "").0, 403, "{path}");
    }
    let (_, listed) = host.ask("GET /files", &[], "");
    assert!(listed.ends_with("{\"files\":[{\"path\":\"g/scenes/a.toml\"},{\"path\":\"g/x.rules\"}]}"), "{listed}");
}

#[test]
fn a_text_that_was_changed_meanwhile_is_a_conflict() {
    let place = game("studio-conflict");
    let host = Host::of(&place);
    let file = place.join("g/x.rules");
    let first = host.revision("g/x.rules");
    let with = |revision: &str| format!("If-Match: {revision}");
    assert_eq!(host.ask("PUT /files/g/x.rules", &[], "a").0, 428);
    assert_eq!(host.ask("PUT /files/g/x.rules", &[&with(&first)], "ruleset g/x\n\nlet a = 1\n").0, 204);
    // another tab has the text from before
    assert_eq!(host.ask("PUT /files/g/x.rules", &[&with(&first)], "lost").0, 409);
    let second = host.revision("g/x.rules");
    std::fs::write(&file, "ruleset g/x\n\nlet b = 2\n").unwrap();
    assert_eq!(host.ask("PUT /files/g/x.rules", &[&with(&second)], "lost").0, 409);
    assert_eq!(host.ask("DELETE /files/g/x.rules", &[&with(&second)], "").0, 409);
    assert_eq!(host.ask("PUT /files/g/x.rules", &["If-None-Match: *"], "lost").0, 409);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "ruleset g/x\n\nlet b = 2\n");
    assert_eq!(host.ask("PUT /files/g/new/y.rules", &["If-None-Match: *"], "ruleset g/y\n").0, 204);
    assert_eq!(std::fs::read_to_string(place.join("g/new/y.rules")).unwrap(), "ruleset g/y\n");
    assert_eq!(host.ask("DELETE /files/g/x.rules", &[&with(&host.revision("g/x.rules"))], "").0, 204);
    assert!(!file.exists());
    let left = std::fs::read_dir(place.join("g")).unwrap().flatten();
    assert!(left.map(|entry| entry.file_name().into_string().unwrap()).all(|name| !name.contains(".tmp")));
}

#[test]
fn the_engine_behind_it_answers_each_page_by_itself() {
    let host = Host::of(&game("studio-engine"));
    let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"grognard/put\",\"params\":{\"path\":\"g/x.rules\",\"text\":\"ruleset g/x\"}}";
    let (code, answer) = host.ask("POST /rpc", &["x-grognard-page: a", "content-type: application/json"], text);
    assert!(code == 200 && answer.contains("\"result\":{}"), "{answer}");
    let read = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"grognard/text\",\"params\":{\"path\":\"g/x.rules\"}}";
    let asked = |page: &str| host.ask("POST /rpc", &[page, "content-type: application/json"], read).1;
    assert!(asked("x-grognard-page: a").contains("\"text\":\"ruleset g/x\""));
    assert!(asked("x-grognard-page: b").contains("\"text\":null"));
}

#[test]
fn what_a_killed_program_left_behind_is_taken_away() {
    let folder = game("studio-left-behind");
    std::fs::create_dir_all(folder.join("new")).unwrap();
    let hour = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let left = |path: &str, old: bool| {
        let path = folder.join(path);
        let file = std::fs::File::create(&path).unwrap();
        if old {
            file.set_modified(hour).unwrap();
        }
        path
    };
    let gone = [left(".grognard-0123456789abcdef.tmp", true), left("new/.grognard-00000000000000ff.tmp", true)];
    let kept = [
        // somebody may be writing it
        left("g/.grognard-0123456789abcdef.tmp", false),
        left("g/.grognard-notes.tmp", true),
        left("g/.grognard-0123456789abcdef.tmp.rules", true),
        left("g/0123456789abcdef.tmp", true),
    ];
    let _host = Host::of(&folder);
    gone.iter().for_each(|path| assert!(!path.exists(), "{}", path.display()));
    kept.iter().for_each(|path| assert!(path.exists(), "{}", path.display()));
}
