//! `grognard studio`: requests that it refuses, clients that misbehave, and writes that must not be lost.

use crate::common::{folder, grognard};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

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

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    fn raw(&self, request: impl AsRef<[u8]>) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(request.as_ref()).unwrap();
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
        self.raw(format!("{head}\r\n{body}"))
    }

    /// Opens the event stream of a page, and reads up to its first line.
    fn events(&self, page: &str) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        let own = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n", self.port, self.token);
        write!(stream, "GET /events HTTP/1.1\r\n{own}x-grognard-page: {page}\r\n\r\n").unwrap();
        let mut stream = BufReader::new(stream);
        let head = until(&mut stream, ": ready");
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: text/event-stream"), "{head}");
        stream
    }

    fn revision(&self, path: &str) -> String {
        let (code, answer) = self.ask(&format!("GET /files/{path}"), &[], "");
        assert_eq!(code, 200, "{answer}");
        answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_string()
    }
}

/// Reads lines up to one that contains a text.
fn until(stream: &mut impl BufRead, text: &str) -> String {
    let mut read = String::new();
    while !read.contains(text) {
        assert!(stream.read_line(&mut read).unwrap() > 0, "the stream ended before {text}: {read}");
    }
    read
}

fn game(name: &str) -> PathBuf {
    folder(name, &[("g/x.rules", "ruleset g/x\n"), ("g/scenes/a.toml", "rules = \"g/x\"\n"), ("secret.txt", "s\n")])
}

#[test]
fn only_who_has_the_token_is_served() {
    let host = Host::of(&game("studio-token"));
    let (port, token) = (host.port, &host.token);
    let asked = |line: &str, head: &str| host.raw(format!("{line} HTTP/1.1\r\nConnection: close\r\n{head}\r\n")).0;
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
    let (_, page) = host.raw(format!("GET /?token={token} HTTP/1.1\r\nConnection: close\r\n{own}\r\n"));
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
    assert!(
        why.contains("such as `g/x`, are named from the folder above: run `grognard studio ")
            && ended.stdout.is_empty(),
        "{why}"
    );
}

#[test]
fn nothing_outside_of_the_folder_is_read_or_written() {
    let place = game("studio-outside");
    let host = Host::of(&place);
    let paths =
        ["..%2Fx.rules", "%2e%2e/x.rules", "g/..%2f..%2fx.rules", "%2Fetc%2Fx.toml", "secret.txt", ".git/x.rules"];
    let mut paths: Vec<&str> = paths
        .into_iter()
        .chain(["g/.x.rules", "g\\..\\x.rules", "C:x.rules", "g/%E2%80%AEx.rules", "g/x%0A.rules", "g/%E2%80%8Bx.toml"])
        .collect();
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
fn a_text_that_is_not_utf_8_is_not_written() {
    let place = game("studio-utf8");
    let host = Host::of(&place);
    let mut request =
        format!("PUT /files/g/y.rules HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", host.port);
    request += &format!("Authorization: Bearer {}\r\nIf-None-Match: *\r\nContent-Length: 3\r\n\r\n", host.token);
    let (code, answer) = host.raw([request.as_bytes(), b"a\xff\n"].concat());
    assert_eq!(code, 400, "{answer}");
    assert!(answer.ends_with("g/y.rules was not written, because the text is not UTF-8"), "{answer}");
    assert!(!place.join("g/y.rules").exists());
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

/// A question that takes long keeps nobody from being answered; an edit and a cancellation end it.
#[test]
fn a_long_question_is_interrupted_and_what_is_quick_goes_on() {
    let host = Host::of(&game("studio-long"));
    let mut stream = host.events("a");
    let send = |text: &str| {
        let (code, answer) = host.ask("POST /rpc", &["x-grognard-page: a", "content-type: application/json"], text);
        assert_eq!(code, 200, "{answer}");
        answer
    };
    let long = |id: u32| {
        let path = "warstrike/scenarios/firefight.toml";
        let params = format!("{{\"path\":\"{path}\",\"runs\":1000000}}");
        send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"grognard/outlook\",\"params\":{params}}}"));
    };
    // more of them than there are engines
    (1..=5).for_each(long);
    until(&mut stream, "grognard/progress");
    let books = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"grognard/books\",\"params\":{}}";
    assert!(send(books).contains("\"books\":["));
    send("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":4}}");
    let rendered = until(&mut stream, "\"id\":4,\"error\"");
    assert!(rendered.contains("-32800"), "{rendered}");
    let put = "{\"path\":\"g/x.rules\",\"text\":\"ruleset g/x\"}";
    send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"grognard/put\",\"params\":{put}}}"));
    for id in [1, 2, 3, 5] {
        let rendered = until(&mut stream, &format!("\"id\":{id},\"error\""));
        assert!(rendered.contains("-32801"), "{rendered}");
    }
    // the engines are free again, and know the text
    let odds = "{\"path\":\"g/x.rules\"}";
    send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"grognard/odds\",\"params\":{odds}}}"));
    let rendered = until(&mut stream, "\"id\":11,\"result\"");
    assert!(rendered.contains("\"lenses\":[]"), "{rendered}");
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

#[test]
fn requests_that_are_malformed_get_a_status_and_the_server_lives_on() {
    let host = Host::of(&game("studio-malformed"));
    let own = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n", host.port, host.token);
    let long = format!("GET /files HTTP/1.1\r\n{own}x-long: {}\r\n\r\n", "x".repeat(100_000));
    let many = format!("GET /files HTTP/1.1\r\n{own}{}\r\n", "x: y\r\n".repeat(200));
    let mut wrong: Vec<(u16, Vec<u8>)> = vec![
        (400, b"\x16\x03\x01\x02\x00\x01\x00".to_vec()),
        (400, b"\0\0\0\0\r\n\r\n".to_vec()),
        (431, long.into_bytes()),
        (431, many.into_bytes()),
    ];
    for line in [
        "nonsense",
        "GET",
        "GET /files",
        "GET  HTTP/1.1",
        "GET /files HTTP/9.9",
        "PRI * HTTP/2.0",
        "OPTIONS * HTTP/1.1",
    ] {
        wrong.push((400, format!("{line}\r\n{own}\r\n").into_bytes()));
    }
    wrong.push((400, format!("GET http://127.0.0.1:{}/files HTTP/1.1\r\n{own}\r\n", host.port).into_bytes()));
    let put = "PUT /files/g/y.rules HTTP/1.1\r\nIf-None-Match: *\r\n";
    for header in ["Content-Length: x", "Content-Length: -1", "Content-Length: +1", "Content-Length:", "no colon"] {
        wrong.push((400, format!("{put}{own}{header}\r\n\r\n").into_bytes()));
    }
    wrong.push((400, format!("{put}{own}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab").into_bytes()));
    wrong.push((400, format!("{put}{own}Host: evil.example\r\n\r\n").into_bytes()));
    wrong.push((411, format!("{put}{own}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n").into_bytes()));
    for (path, method, code) in [
        ("/files", "HEAD", 405),
        ("/files", "BREW", 405),
        ("/files", "POST", 405),
        ("/rpc", "GET", 405),
        ("/events", "PUT", 405),
        ("/studio.js", "POST", 405),
        ("/files/g/x.rules", "PATCH", 405),
        ("/files/", "GET", 404),
        ("/g/x", "GET", 404),
        ("//files", "GET", 404),
        ("/none.js", "GET", 404),
        ("/files/g/%", "GET", 400),
        ("/files/g/%zz.rules", "GET", 400),
        ("/files/g/%ff.rules", "GET", 400),
    ] {
        wrong.push((code, format!("{method} {path} HTTP/1.1\r\n{own}\r\n").into_bytes()));
    }
    for (code, request) in wrong {
        let shown = String::from_utf8_lossy(&request[..request.len().min(200)]).into_owned();
        let (found, answer) = host.raw(&request);
        assert_eq!(found, code, "{shown}: {answer}");
        for header in ["cache-control: no-store", "x-content-type-options: nosniff", "referrer-policy: no-referrer"] {
            assert!(answer.contains(header), "{shown}: {answer}");
        }
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(head.contains("\r\nallow: "), code == 405, "{answer}");
        assert!(!shown.starts_with("HEAD") || body.is_empty(), "{answer}");
        assert_eq!(host.ask("GET /files", &[], "").0, 200, "{shown}");
    }
}

#[test]
fn several_requests_share_a_connection() {
    let host = Host::of(&game("studio-kept"));
    let own = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n", host.port, host.token);
    let put =
        format!("PUT /files/g/y.rules HTTP/1.1\r\nIf-None-Match: *\r\nContent-Length: 12\r\n{own}\r\nruleset g/y\n");
    let get = format!("GET /files/g/y.rules HTTP/1.1\r\n{own}\r\n");
    let last = format!("GET /files HTTP/1.1\r\n{own}Connection: close\r\n\r\n");
    let (_, answers) = host.raw(format!("{put}{get}{last}"));
    assert_eq!(answers.matches("HTTP/1.1 20").count(), 3, "{answers}");
    assert!(answers.contains("\r\n\r\nruleset g/y\nHTTP/1.1 200 "), "{answers}");
    // each byte in its own packet
    let mut slow = host.connect();
    for byte in format!("{put}{last}").bytes() {
        slow.write_all(&[byte]).unwrap();
    }
    let mut answers = String::new();
    slow.read_to_string(&mut answers).unwrap();
    assert!(answers.starts_with("HTTP/1.1 409 ") && answers.contains("HTTP/1.1 200 "), "{answers}");
}

#[test]
fn a_body_over_the_limit_is_refused() {
    let place = game("studio-large");
    let host = Host::of(&place);
    let most = 4 << 20;
    let put = |size: usize| host.ask("PUT /files/g/y.rules", &["If-None-Match: *"], &"#".repeat(size));
    assert_eq!(put(most + 1).0, 413);
    assert!(!place.join("g/y.rules").exists());
    assert_eq!(put(most).0, 204);
    assert_eq!(host.ask("POST /rpc", &[], &" ".repeat(most + 1)).0, 413);
    let own = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n", host.port, host.token);
    // before the body is sent, also for a number that no integer holds
    for length in ["4194305", "99999999999999999999999999"] {
        let head = format!("POST /rpc HTTP/1.1\r\n{own}Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n");
        assert_eq!(host.raw(head).0, 413);
    }
    let mut stream = host.connect();
    write!(stream, "POST /rpc HTTP/1.1\r\n{own}Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut stream = BufReader::new(stream);
    assert_eq!(until(&mut stream, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    stream.get_mut().write_all(b"{}").unwrap();
    assert!(until(&mut stream, "\r\n").starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_client_that_sends_nothing_delays_no_other_and_is_disconnected() {
    let host = Host::of(&game("studio-silent"));
    let began = Instant::now();
    let mut silent: Vec<TcpStream> = (0..20).map(|_| host.connect()).collect();
    let mut half = host.connect();
    half.write_all(b"GET /files HTTP/1.1\r\nHost: 127").unwrap();
    assert_eq!(host.ask("GET /files", &[], "").0, 200);
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    for stream in &mut silent {
        assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    }
    let mut answer = String::new();
    half.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[test]
fn a_stream_gets_messages_while_other_requests_are_answered() {
    let host = Host::of(&game("studio-events"));
    let mut stream = host.events("a");
    for id in 1..4 {
        let text = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"grognard/odds\",\"params\":{{\"path\":\"edits/dig-in.rules\"}}}}"
        );
        assert_eq!(host.ask("POST /rpc", &["x-grognard-page: a"], &text).0, 200);
        assert_eq!(host.ask("GET /files", &[], "").0, 200);
        let rendered = until(&mut stream, &format!("\"id\":{id}"));
        assert!(rendered.contains("data: {") && rendered.ends_with("}\n"), "{rendered}");
    }
    // another stream of the same page takes the place of the first one, which ends
    let _second = host.events("a");
    let mut rest = String::new();
    stream.read_to_string(&mut rest).unwrap();
}

/// Counts the threads of the server that belong to connections.
#[cfg(target_os = "linux")]
fn connections(host: &Host) -> usize {
    let threads = std::fs::read_dir(format!("/proc/{}/task", host.child.id())).unwrap().flatten();
    let names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
    names.filter(|name| name.trim() == "connection").count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_that_is_closed_keeps_no_thread() {
    let host = Host::of(&game("studio-closed"));
    let streams = ["a", "b", "c"].map(|page| host.events(page));
    // threads of requests that were answered before may take a moment to end
    settles(&host, 3);
    drop(streams);
    settles(&host, 0);
}

/// Waits until the server has this number of connections.
#[cfg(target_os = "linux")]
fn settles(host: &Host, wanted: usize) {
    let until = Instant::now() + Duration::from_secs(60);
    while connections(host) != wanted && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(connections(host), wanted);
}
