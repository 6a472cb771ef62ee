//! The answers of the server to the requests of the page.

use super::engines::Engines;
use super::folder::{Base, Denied, Folder};
use super::http::{Request, Response, decoded};
use super::page;
use serde_json::json;
use std::path::PathBuf;

/// The header with the name that a page gives itself, so that each page has a separate engine.
const PAGE: &str = "x-grognard-page";

/// The served folder, its engines, and the data that a client must know.
pub struct StudioHost {
    token: String,
    port: u16,
    folder: Folder,
    engines: Engines,
}

impl StudioHost {
    /// Creates a host of a folder on a port, for clients that know the token.
    pub fn new(token: String, port: u16, root: PathBuf) -> StudioHost {
        StudioHost { token, port, folder: Folder::new(root), engines: Engines::default() }
    }

    /// Returns whether this is an address of this server.
    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Compares in constant time, so that the time does not reveal how many bytes match.
    fn is_token(&self, given: &str) -> bool {
        let differ = given.bytes().zip(self.token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == self.token.len() && differ == 0
    }

    /// Returns the answer to a request that is refused, or `None` if it is allowed.
    pub fn refuses(&self, request: &Request) -> Option<Response> {
        if !request.header("host").is_some_and(|host| self.is_own(host)) {
            return Some(Response::text(403, "this server is asked by another name than its own"));
        }
        let own = |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
        if request.header("origin").is_some_and(|origin| !own(origin)) {
            return Some(Response::text(403, "another page asks"));
        }
        let path = request.path.as_str();
        // scripts and styles contain no secret
        if path != "/" && page(path.trim_start_matches('/')).is_some() && path != "/index.html" {
            return None;
        }
        let bearer = request.header("authorization").and_then(|given| given.strip_prefix("Bearer "));
        let asked = request.query.split('&').find_map(|part| part.strip_prefix("token=")).filter(|_| path == "/");
        match bearer.or(asked) {
            Some(given) if self.is_token(given) => None,
            _ => Some(Response::text(401, "open the address that `grognard studio` printed")),
        }
    }

    /// Answers a request that is allowed.
    pub fn answer(&self, request: &Request, body: Vec<u8>) -> Response {
        match (request.path.as_str(), request.method.as_str()) {
            ("/", "GET") => self.index(),
            ("/rpc", "POST") => self.rpc(&page_name(request), body),
            ("/events", "GET") => self.events(&page_name(request)),
            ("/files", "GET") => self.list(),
            ("/" | "/events" | "/files", _) => wrong_method("GET"),
            ("/rpc", _) => wrong_method("POST"),
            (path, method) => match path.strip_prefix("/files/") {
                Some(file) => self.file(method, file, request, &body),
                None => part(method, path.trim_start_matches('/')),
            },
        }
    }

    /// Answers with the page, which contains the token.
    fn index(&self) -> Response {
        let Some(Ok(text)) = page("index.html").map(std::str::from_utf8) else {
            return Response::text(404, "this program was built without the page");
        };
        let (empty, full) = ("name=\"grognard-token\" content=\"", self.token.as_str());
        let text = text.replacen(empty, &format!("{empty}{full}"), 1);
        // the engine of this page is the program
        let early = "<script src=\"early.js\"></script>";
        let text = text.replacen(early, "<script src=\"studio.js\" defer></script>", 1);
        Response::of("text/html; charset=utf-8", text.into_bytes())
    }

    /// Sends a message to the engine of a page, and answers with the messages that it returns immediately.
    fn rpc(&self, page: &str, message: Vec<u8>) -> Response {
        let Ok(message) = String::from_utf8(message) else { return Response::text(400, "the message is not UTF-8") };
        match self.engines.send(page, message) {
            Some(messages) => Response::of("application/json", format!("[{}]", messages.join(",")).into_bytes()),
            None => Response::text(500, "the engine failed; the next message begins another"),
        }
    }

    /// Answers with all messages that the engine of a page sends later, as server-sent events.
    fn events(&self, page: &str) -> Response {
        self.engines.listen(page).map_or_else(|| Response::empty(503), Response::events)
    }

    fn list(&self) -> Response {
        match self.folder.list() {
            Ok(paths) => {
                let files: Vec<_> = paths.iter().map(|path| json!({ "path": path })).collect();
                Response::of("application/json", json!({ "files": files }).to_string().into_bytes())
            }
            Err(why) => refused(why),
        }
    }

    /// Reads, writes or removes a file of the folder.
    fn file(&self, method: &str, path: &str, request: &Request, text: &[u8]) -> Response {
        let path = match decoded(path) {
            Some(path) if path.is_empty() => return Response::empty(404),
            Some(path) => path,
            None => return undecoded(),
        };
        let marked = |answer: Response, revision: String| answer.with("etag", format!("\"{revision}\""));
        let base = base(request);
        let done = match method {
            "GET" => self
                .folder
                .read(&path)
                .map(|(text, revision)| marked(Response::of("text/plain; charset=utf-8", text.into_bytes()), revision)),
            "PUT" => {
                self.folder.write(&path, text, base.as_ref()).map(|revision| marked(Response::empty(204), revision))
            }
            "DELETE" => self.folder.remove(&path, base.as_ref()).map(|()| Response::empty(204)),
            _ => return wrong_method("GET, PUT, DELETE"),
        };
        done.unwrap_or_else(refused)
    }
}

/// Answers a request with a method that its path does not have.
fn wrong_method(allowed: &'static str) -> Response {
    Response::text(405, format!("this address allows {allowed}")).with("allow", allowed)
}

/// Answers a request whose path cannot be decoded.
fn undecoded() -> Response {
    Response::text(400, "the path has a `%` without two digits of base 16, or it is not UTF-8")
}

/// Answers with a file of the page other than the page itself.
fn part(method: &str, name: &str) -> Response {
    if name.contains('/') {
        return Response::empty(404);
    }
    if method != "GET" {
        return wrong_method("GET");
    }
    let Some(name) = decoded(name) else { return undecoded() };
    let media = match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" | "json" => "application/json",
        _ => "application/octet-stream",
    };
    // the page itself contains the token, and it has another path
    match page(&name).filter(|_| name != "index.html") {
        Some(bytes) => Response::of(media, bytes),
        None => Response::empty(404),
    }
}

fn page_name(request: &Request) -> String {
    request.header(PAGE).unwrap_or_default().chars().take(64).collect()
}

/// Returns the revision that the client read before this request, or `None` if the request does not name one.
fn base(request: &Request) -> Option<Base> {
    if request.header("if-none-match") == Some("*") {
        return Some(Base::New);
    }
    Some(Base::Of(request.header("if-match")?.trim_matches('"').to_string()))
}

fn refused(why: Denied) -> Response {
    match why {
        Denied::Missing => Response::text(404, "there is no such file"),
        Denied::Path(why) => Response::text(403, why),
        Denied::Text(why) => Response::text(400, why),
        Denied::Conflict => Response::text(409, "the file was changed since it was read"),
        Denied::Unsaid => Response::text(428, "say which text was read: If-Match"),
        Denied::Failed(why) => Response::text(500, why),
    }
}
