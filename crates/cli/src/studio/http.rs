//! HTTP/1.1 on one connection: reads requests within limits of size and time, and writes answers. It reads no chunked
//! bodies, and a connection ends after an event stream.

use std::borrow::Cow;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The maximum size in bytes of a request line with its headers.
const MOST_HEAD: usize = 32 << 10;
/// The maximum number of headers of a request.
const MOST_HEADERS: usize = 100;
/// The maximum number of bytes that one read takes from the socket.
const PIECE: usize = 16 << 10;

/// The maximum time before the first request of a new client.
const FIRST: Duration = Duration::from_secs(10);
/// The time that a connection may be idle between two requests.
const IDLE: Duration = Duration::from_secs(60);
/// The time from the first byte of a request to the end of its headers.
const HEAD: Duration = Duration::from_secs(10);
/// The time that a body may take to arrive.
const BODY: Duration = Duration::from_secs(60);
/// The time that a client may take to read its answer.
const ANSWER: Duration = Duration::from_secs(60);
/// The time that a client may take to read one event. It is long, because a browser can pause a page.
const EVENTS: Duration = Duration::from_secs(600);
/// The time between two checks of an idle event stream, which find out whether the page was closed.
const CHECK: Duration = Duration::from_secs(5);
/// The time that such a check waits for the socket.
const GLANCE: Duration = Duration::from_millis(1);
/// The time in which a client closes its side of a connection after the last answer.
const CLOSE: Duration = Duration::from_secs(2);

/// The headers of every answer: no cache, no guessed media types, and no address with a token for other sites.
const ALWAYS: &str = "cache-control: no-store\r\nx-content-type-options: nosniff\r\nreferrer-policy: no-referrer\r\n";

/// A request without its body.
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The path of the target, without the query, percent-encoded.
    pub path: String,
    /// The text after the `?` of the target; empty if there is no `?`.
    pub query: String,
    /// The headers in the order of the request, with names in lower case.
    headers: Vec<(String, String)>,
    /// The size of the body in bytes.
    length: usize,
    /// Whether the connection ends after the answer.
    last: bool,
}

impl Request {
    /// Returns the first header with this name, which must be in lower case. A value with bytes outside of
    /// printable ASCII is `?`.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// An answer to a request.
pub struct Response {
    status: u16,
    headers: Vec<(&'static str, Cow<'static, str>)>,
    body: Body,
}

enum Body {
    Bytes(Cow<'static, [u8]>),
    /// Messages that arrive later, each of which becomes a server-sent event.
    Events(Receiver<String>),
}

impl Response {
    /// Creates an answer with a body of the given media type.
    pub fn of(media: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Response {
        let headers = vec![("content-type", media.into())];
        Response { status: 200, headers, body: Body::Bytes(body.into()) }
    }

    /// Creates an answer without a body.
    pub fn empty(status: u16) -> Response {
        Response { status, headers: Vec::new(), body: Body::Bytes(Cow::Borrowed(&[])) }
    }

    /// Creates an answer whose body is one sentence in plain text.
    pub fn text(status: u16, text: impl Into<String>) -> Response {
        Response { status, ..Response::of("text/plain; charset=utf-8", text.into().into_bytes()) }
    }

    /// Creates an event stream, which lasts until the sender of the messages is dropped or the client is gone.
    pub fn events(messages: Receiver<String>) -> Response {
        Response { body: Body::Events(messages), ..Response::of("text/event-stream", Vec::new()) }
    }

    /// Returns the answer with one more header.
    pub fn with(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Response {
        self.headers.push((name, value.into()));
        self
    }
}

/// The reason why a connection ends before the client closes it.
pub enum HttpFault {
    /// The client is gone, or it was too slow. It gets no answer.
    Gone,
    /// The request cannot be read. The client gets this answer, and the connection ends.
    Refused(Response),
}

impl HttpFault {
    fn refused(status: u16, why: impl Into<String>) -> HttpFault {
        HttpFault::Refused(Response::text(status, why))
    }
}

/// A connection to one client.
pub struct Connection {
    stream: TcpStream,
    /// The bytes that were received and not used yet.
    received: Vec<u8>,
    /// Whether the client sent a request before.
    used: bool,
}

impl Connection {
    /// Creates a connection on a socket.
    pub fn new(stream: TcpStream) -> Connection {
        // small answers and events leave at once
        let _ = stream.set_nodelay(true);
        Connection { stream, received: Vec::new(), used: false }
    }

    /// Receives more bytes and returns their number, which is 0 at the end of the stream. Returns `None` at the deadline.
    fn receive(&mut self, until: Instant) -> Result<Option<usize>, HttpFault> {
        let mut piece = [0; PIECE];
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.stream.set_read_timeout(Some(left)).map_err(|_| HttpFault::Gone)?;
            match self.stream.read(&mut piece) {
                Ok(read) => {
                    self.received.extend_from_slice(&piece[..read]);
                    return Ok(Some(read));
                }
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                Err(why) if matches!(why.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return Ok(None),
                Err(_) => return Err(HttpFault::Gone),
            }
        }
    }

    /// Reads the next request up to its body.
    pub fn request(&mut self) -> Result<Request, HttpFault> {
        if self.received.is_empty() {
            let pause = if self.used { IDLE } else { FIRST };
            if !matches!(self.receive(Instant::now() + pause)?, Some(1..)) {
                return Err(HttpFault::Gone);
            }
        }
        let until = Instant::now() + HEAD;
        loop {
            if let Some((request, size)) = parsed(&self.received)? {
                self.received.drain(..size);
                self.used = true;
                return Ok(request);
            }
            if self.received.len() >= MOST_HEAD {
                return Err(HttpFault::refused(431, "the headers of the request are too long"));
            }
            match self.receive(until)? {
                Some(0) => return Err(HttpFault::Gone),
                Some(_) => {}
                None => return Err(HttpFault::refused(408, "the request did not arrive in time")),
            }
        }
    }

    /// Reads the body of a request, which has at most `most` bytes.
    pub fn body(&mut self, request: &Request, most: usize) -> Result<Vec<u8>, HttpFault> {
        if request.length > most {
            return Err(HttpFault::refused(413, format!("the body has more than {most} bytes")));
        }
        let waits = request.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue"));
        if waits && self.received.len() < request.length {
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n", ANSWER)?;
        }
        let until = Instant::now() + BODY;
        while self.received.len() < request.length {
            match self.receive(until)? {
                Some(0) => return Err(HttpFault::Gone),
                Some(_) => {}
                None => return Err(HttpFault::refused(408, "the body did not arrive in time")),
            }
        }
        let next = self.received.split_off(request.length);
        Ok(std::mem::replace(&mut self.received, next))
    }

    /// Sends bytes, all of which the client must receive within a time.
    fn send(&mut self, mut bytes: &[u8], time: Duration) -> Result<(), HttpFault> {
        let until = Instant::now() + time;
        while !bytes.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(HttpFault::Gone);
            }
            self.stream.set_write_timeout(Some(left)).map_err(|_| HttpFault::Gone)?;
            match self.stream.write(bytes) {
                Ok(written) if written > 0 => bytes = bytes.get(written..).unwrap_or_default(),
                Err(why) if why.kind() == ErrorKind::Interrupted => {}
                _ => return Err(HttpFault::Gone),
            }
        }
        Ok(())
    }

    /// Sends the answer to a request whose body was read, and returns whether the client may send another request.
    pub fn answer(&mut self, request: &Request, answer: Response) -> Result<bool, HttpFault> {
        let more = !request.last && matches!(answer.body, Body::Bytes(_));
        self.write(answer, request.method == "HEAD", more)?;
        Ok(more)
    }

    /// Sends an answer after which the connection ends.
    pub fn refuse(&mut self, request: Option<&Request>, answer: Response) -> Result<(), HttpFault> {
        self.write(answer, request.is_some_and(|request| request.method == "HEAD"), false)
    }

    fn write(&mut self, answer: Response, bare: bool, more: bool) -> Result<(), HttpFault> {
        let mut head = format!("HTTP/1.1 {} \r\n{ALWAYS}", answer.status);
        for (name, value) in &answer.headers {
            // a line break in a value would begin another header
            head.extend([*name, ": "]);
            head.extend(value.chars().filter(|sign| !sign.is_control()));
            head.push_str("\r\n");
        }
        if !more {
            head.push_str("connection: close\r\n");
        }
        match answer.body {
            Body::Bytes(body) => {
                if answer.status != 204 {
                    head.push_str(&format!("content-length: {}\r\n", body.len()));
                }
                head.push_str("\r\n");
                self.send(head.as_bytes(), ANSWER)?;
                if bare { Ok(()) } else { self.send(&body, ANSWER) }
            }
            Body::Events(messages) => {
                head.push_str("\r\n");
                self.send(head.as_bytes(), ANSWER)?;
                self.stream_events(&messages)
            }
        }
    }

    /// Sends each message as soon as it arrives, until there are no more or the client is gone.
    fn stream_events(&mut self, messages: &Receiver<String>) -> Result<(), HttpFault> {
        // the first line shows the page that the stream is open
        self.send(b": ready\n\n", EVENTS)?;
        loop {
            match messages.recv_timeout(CHECK) {
                Ok(message) => self.send(format!("data: {message}\n\n").as_bytes(), EVENTS)?,
                Err(RecvTimeoutError::Timeout) => match self.receive(Instant::now() + GLANCE)? {
                    Some(0) => return Err(HttpFault::Gone),
                    // a request on the connection of a stream has no answer
                    _ => self.received.clear(),
                },
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Ends the connection. A socket that is closed with unread bytes resets the connection, and the client may lose
    /// the answer. The rest of the request is therefore read for a short time.
    pub fn close(mut self) {
        let _ = self.stream.shutdown(Shutdown::Write);
        let until = Instant::now() + CLOSE;
        while let Ok(Some(1..)) = self.receive(until) {
            self.received.clear();
        }
    }
}

/// Parses the bytes up to the body, and returns the request with their number, or `None` if more bytes are needed.
fn parsed(bytes: &[u8]) -> Result<Option<(Request, usize)>, HttpFault> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let size = match head.parse(bytes) {
        Ok(httparse::Status::Complete(size)) => size,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(HttpFault::refused(431, format!("the request has more than {MOST_HEADERS} headers")));
        }
        Err(why) => return Err(HttpFault::refused(400, format!("this is not an HTTP request: {why}"))),
    };
    let (Some(method), Some(target), Some(version)) = (head.method, head.path, head.version) else { return Ok(None) };
    if !target.starts_with('/') {
        return Err(HttpFault::refused(400, "the target of a request must start with `/`"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let printable = |value: &[u8]| value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let headers = head.headers.iter().map(|header| {
        let value = std::str::from_utf8(header.value).ok().filter(|_| printable(header.value)).unwrap_or("?");
        (header.name.to_ascii_lowercase(), value.to_string())
    });
    let mut request = Request {
        method: method.to_string(),
        path: path.to_string(),
        query: query.to_string(),
        headers: headers.collect(),
        length: 0,
        last: true,
    };
    for name in ["host", "content-length"] {
        if request.headers.iter().filter(|(own, _)| own == name).count() > 1 {
            return Err(HttpFault::refused(400, format!("the request has several headers `{name}`")));
        }
    }
    let closes = |value: &str| value.split(',').any(|word| word.trim().eq_ignore_ascii_case("close"));
    request.last = version == 0 || request.header("connection").is_some_and(closes);
    request.length = length(&request)?;
    Ok(Some((request, size)))
}

/// Returns the size of the body of a request.
fn length(request: &Request) -> Result<usize, HttpFault> {
    if request.header("transfer-encoding").is_some() {
        return Err(HttpFault::refused(411, "this server needs the length of a body: send a header `content-length`"));
    }
    let Some(length) = request.header("content-length") else { return Ok(0) };
    if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(HttpFault::refused(400, "the header `content-length` is not a number"));
    }
    // a number that does not fit is over any limit
    Ok(length.parse().unwrap_or(usize::MAX))
}

/// Decodes the percent-encoding of a part of a path. Returns `None` if a percent sign is not followed by two hexadecimal
/// digits, or if the result is not UTF-8.
pub fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
