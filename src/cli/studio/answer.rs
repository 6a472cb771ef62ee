//! What the server answers to which request.

use super::engines::Engines;
use super::folder::{Base, Folder, MOST_BYTES, Refused};
use super::page;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, HOST, IF_MATCH, IF_NONE_MATCH, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_stream::{Stream, StreamExt};

/// The name that a page gives itself, so that two of them have an engine each.
const PAGE: &str = "x-grognard-page";

/// What is served, and to whom.
pub struct Host {
    token: String,
    port: u16,
    folder: Folder,
    engines: Engines,
}

type Served = State<Arc<Host>>;

impl Host {
    pub fn new(token: String, port: u16, root: PathBuf) -> Host {
        Host { token, port, folder: Folder::new(root), engines: Engines::default() }
    }

    /// True for the addresses of this server.
    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Compares without telling by the time it takes how much of it is right.
    fn is_token(&self, given: &str) -> bool {
        let differ = given.bytes().zip(self.token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == self.token.len() && differ == 0
    }

    /// Why a request is refused, if it is.
    fn refuses(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let header = |name: HeaderName| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
        if !header(HOST).is_some_and(|host| self.is_own(host)) {
            return Some((StatusCode::FORBIDDEN, "this server is asked by another name than its own"));
        }
        let own = |origin: &str| origin.strip_prefix("http://").is_some_and(|host| self.is_own(host));
        if header(ORIGIN).is_some_and(|origin| !own(origin)) {
            return Some((StatusCode::FORBIDDEN, "another page asks"));
        }
        let path = request.uri().path();
        // scripts and styles tell nobody anything
        if path != "/" && page(path.trim_start_matches('/')).is_some() && path != "/index.html" {
            return None;
        }
        let bearer = header(AUTHORIZATION).and_then(|given| given.strip_prefix("Bearer "));
        let query = request.uri().query().unwrap_or_default();
        let asked = query.split('&').find_map(|part| part.strip_prefix("token=")).filter(|_| path == "/");
        match bearer.or(asked) {
            Some(given) if self.is_token(given) => None,
            _ => Some((StatusCode::UNAUTHORIZED, "open the address that `grognard studio` printed")),
        }
    }
}

/// What is answered.
pub fn routes(host: Arc<Host>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/rpc", post(rpc))
        .route("/events", get(events))
        .route("/files", get(list))
        .route("/files/{*path}", get(read).put(write).delete(remove))
        .route("/{name}", get(part))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(host.clone(), checked))
        .with_state(host)
}

/// Lets through what may ask.
async fn checked(State(host): Served, request: Request, next: Next) -> Response {
    let mut response = match host.refuses(&request) {
        Some((code, why)) => (code, why).into_response(),
        None => next.run(request).await,
    };
    let headers = [(CACHE_CONTROL, "no-store"), (X_CONTENT_TYPE_OPTIONS, "nosniff"), (REFERRER_POLICY, "no-referrer")];
    for (name, value) in headers {
        response.headers_mut().insert(name, axum::http::HeaderValue::from_static(value));
    }
    response
}

/// The page, which knows the token.
async fn index(State(host): Served) -> Response {
    let Some(Ok(text)) = page("index.html").map(std::str::from_utf8) else {
        return (StatusCode::NOT_FOUND, "this program was built without the page").into_response();
    };
    let (empty, full) = ("name=\"grognard-token\" content=\"", host.token.as_str());
    let text = text.replacen(empty, &format!("{empty}{full}"), 1);
    // the engine of this page is the program
    let wasm =
        "<link rel=\"preload\" href=\"engine.wasm\" as=\"fetch\" crossorigin>\n<script src=\"early.js\"></script>\n";
    let text = text.replacen(wasm, "", 1);
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

/// Another file of the page.
async fn part(Path(name): Path<String>) -> Response {
    let sort = match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" | "json" => "application/json",
        _ => "application/octet-stream",
    };
    // the page alone knows the token, and it is fetched by another path
    match page(&name).filter(|_| name != "index.html") {
        Some(bytes) => ([(CONTENT_TYPE, sort)], bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn page_name(headers: &HeaderMap) -> String {
    headers.get(PAGE).and_then(|name| name.to_str().ok()).unwrap_or_default().chars().take(64).collect()
}

/// One message to the engine of a page; what comes back at once.
async fn rpc(State(host): Served, headers: HeaderMap, message: String) -> Response {
    match host.engines.send(&page_name(&headers), message).await {
        Some(messages) => {
            let list = format!("[{}]", messages.join(","));
            ([(CONTENT_TYPE, "application/json")], list).into_response()
        }
        None => {
            (StatusCode::INTERNAL_SERVER_ERROR, "the engine failed; the next message begins another").into_response()
        }
    }
}

/// What comes later, as server-sent events.
async fn events(State(host): Served, headers: HeaderMap) -> Response {
    let Some(receive) = host.engines.listen(&page_name(&headers)) else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(told(receive))).into_response()
}

fn told(
    receive: tokio::sync::mpsc::UnboundedReceiver<String>,
) -> impl Stream<Item = Result<String, std::convert::Infallible>> {
    let events = tokio_stream::wrappers::UnboundedReceiverStream::new(receive);
    // the first words show that somebody is there
    tokio_stream::once(": ready\n\n".to_string()).chain(events.map(|message| format!("data: {message}\n\n"))).map(Ok)
}

async fn list(State(host): Served) -> Response {
    match host.folder.list() {
        Ok(paths) => {
            let files: Vec<_> = paths.iter().map(|path| json!({ "path": path })).collect();
            ([(CONTENT_TYPE, "application/json")], json!({ "files": files }).to_string()).into_response()
        }
        Err(why) => refused(why),
    }
}

async fn read(State(host): Served, Path(path): Path<String>) -> Response {
    match host.folder.read(&path) {
        Ok((text, revision)) => {
            let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8".to_string()), (ETAG, format!("\"{revision}\""))];
            (headers, text).into_response()
        }
        Err(why) => refused(why),
    }
}

/// Which text was read before this one is written.
fn base(headers: &HeaderMap) -> Option<Base> {
    let header = |name: HeaderName| headers.get(name)?.to_str().ok();
    if header(IF_NONE_MATCH) == Some("*") {
        return Some(Base::New);
    }
    Some(Base::Of(header(IF_MATCH)?.trim_matches('"').to_string()))
}

async fn write(State(host): Served, Path(path): Path<String>, headers: HeaderMap, text: Bytes) -> Response {
    match host.folder.write(&path, &text, base(&headers).as_ref()) {
        Ok(revision) => (StatusCode::NO_CONTENT, [(ETAG, format!("\"{revision}\""))]).into_response(),
        Err(why) => refused(why),
    }
}

async fn remove(State(host): Served, Path(path): Path<String>, headers: HeaderMap) -> Response {
    match host.folder.remove(&path, base(&headers).as_ref()) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => refused(why),
    }
}

fn refused(why: Refused) -> Response {
    match why {
        Refused::Missing => (StatusCode::NOT_FOUND, "there is no such file".to_string()),
        Refused::Path(why) => (StatusCode::FORBIDDEN, why),
        Refused::Conflict => (StatusCode::CONFLICT, "the file was changed since it was read".to_string()),
        Refused::Unsaid => (StatusCode::PRECONDITION_REQUIRED, "say which text was read: If-Match".to_string()),
        Refused::Failed(why) => (StatusCode::INTERNAL_SERVER_ERROR, why),
    }
    .into_response()
}
