//! `grognard studio`: a server of the page for this machine only. The page works on a folder: it reads and writes the
//! rules and scenarios in it, and nothing outside of it. The server checks the token, the host name and the origin of
//! each request, against other users, DNS rebinding and cross-site requests. The token is new at each start.

mod answer;
mod engines;
mod folder;
mod http;

use super::files::{canonical, read_text};
use super::out::{Out, Stop};
use super::{FINE, shipped};
use answer::StudioHost;
use folder::MOST_BYTES;
use grognard_base::order;
use grognard_ide::studio::Engine;
use http::{Connection, HttpFault, Response};
use std::io::BufRead;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The maximum number of open connections.
const CONNECTIONS: usize = 128;
/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The files of the page by name.
static PAGE: OnceLock<&[(&str, &[u8])]> = OnceLock::new();

/// Sets the files of the page.
pub fn put(files: &'static [(&'static str, &'static [u8])]) {
    let _ = PAGE.set(files);
}

/// Returns a file of the page.
fn page(name: &str) -> Option<&'static [u8]> {
    PAGE.get()?.iter().find(|(file, _)| *file == name).map(|(_, bytes)| *bytes)
}

/// The arguments of `grognard studio`.
#[derive(clap::Args)]
#[command(after_long_help = "\
The page opens in the browser, shows the folder and saves changes to it. The server listens only on 127.0.0.1, and \
only the printed address gives access.")]
pub struct StudioArgs {
    /// Folder with rules and scenarios [default: this folder]
    folder: Option<PathBuf>,
    /// Port [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Answer messages on standard input, one per line
    #[arg(long, hide = true)]
    messages: bool,
}

/// Serves until the program exits.
pub fn run(args: &StudioArgs, out: &mut Out) -> Result<u8, Stop> {
    if args.messages {
        return messages(out);
    }
    let folder = args.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let root = canonical(&folder)?;
    if !root.is_dir() {
        return Err(Stop::failed(format!("{} is not a folder", folder.display())));
    }
    if let Some(rules) = game_in(&root) {
        let above = root.parent().unwrap_or(&root).display();
        return Err(Stop::failed(format!(
            "{} is the folder of a single game. Its rules, such as `{rules}`, are named from the folder above: run \
             `grognard studio {above}`",
            folder.display(),
        )));
    }
    if page("index.html").is_none() {
        return Err(Stop::failed(
            "this program was built without the page; build it with `studio/build-engine` and `npm run build` in `studio`",
        ));
    }
    folder::Folder::new(root.clone()).clean();
    serve(args, root, out)
}

/// Returns the name of rules in a folder that are named from the folder above.
fn game_in(root: &Path) -> Option<String> {
    let folder = root.file_name()?.to_str()?;
    let mut files: Vec<PathBuf> = root.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    order::sort(&mut files);
    files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "rules")).find_map(|file| {
        let name = format!("{folder}/{}", file.file_stem()?.to_str()?);
        let text = read_text(&file).ok()?;
        let header = |line: &&str| line.starts_with("ruleset ") || line.starts_with("variant ");
        let own = text.lines().find(header)?.split_whitespace().nth(1)? == name;
        own.then_some(name)
    })
}

/// Binds the port, prints the address and serves until the program exits.
fn serve(args: &StudioArgs, root: PathBuf, out: &mut Out) -> Result<u8, Stop> {
    let failed = |why: std::io::Error| Stop::failed(format!("port {} is not available: {why}", args.port));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let token = token()?;
    let address = format!("http://127.0.0.1:{port}/?token={token}");
    out.line(&format!("studio for {}:", root.display()))?;
    out.line(&address)?;
    out.line("press Ctrl-C to exit")?;
    out.finish()?;
    if !args.no_open {
        open(&address);
    }
    accept(&listener, &Arc::new(StudioHost::new(token, port, root)))
}

/// Accepts connections, each on its own thread.
fn accept(listener: &TcpListener, host: &Arc<StudioHost>) -> ! {
    // each open connection has a clone
    let open = Arc::new(());
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // there can be too many open files until a connection ends
            std::thread::sleep(PAUSE);
            continue;
        };
        if Arc::strong_count(&open) > CONNECTIONS {
            let _ = Connection::new(stream).refuse(None, Response::text(503, "too many connections are open"));
            continue;
        }
        let (host, slot) = (Arc::clone(host), Arc::clone(&open));
        let work = move || {
            converse(&host, stream);
            drop(slot);
        };
        // without a thread the connection is closed
        drop(std::thread::Builder::new().name("connection".into()).spawn(work));
    }
}

/// Answers the requests of one connection until it ends.
fn converse(host: &StudioHost, stream: TcpStream) {
    let mut connection = Connection::new(stream);
    let ended = match answers(host, &mut connection) {
        Err(HttpFault::Refused(answer)) => connection.refuse(None, answer),
        ended => ended,
    };
    if ended.is_ok() {
        connection.close();
    }
}

fn answers(host: &StudioHost, connection: &mut Connection) -> Result<(), HttpFault> {
    loop {
        let request = connection.request()?;
        // the body of a request that is refused is not read
        if let Some(answer) = host.refuses(&request) {
            return connection.refuse(Some(&request), answer);
        }
        let body = connection.body(&request, MOST_BYTES)?;
        if !connection.answer(&request, host.answer(&request, body))? {
            return Ok(());
        }
    }
}

/// Returns a token that cannot be guessed.
fn token() -> Result<String, Stop> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|why| Stop::failed(format!("no token can be created: {why}")))?;
    Ok(super::files::hex(&bytes))
}

/// Shows an address in the browser, if there is one.
fn open(address: &str) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        "macos" => ("open", &[]),
        _ => ("xdg-open", &[]),
    };
    let quiet = std::process::Stdio::null;
    let command = std::process::Command::new(program).args(first).arg(address).stdout(quiet()).stderr(quiet()).spawn();
    // without a browser, the user can copy the printed address
    drop(command);
}

/// Runs the engine without a page, for comparisons with the messages in a browser.
fn messages(out: &mut Out) -> Result<u8, Stop> {
    let mut engine = Engine::new(shipped::all(), None);
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|why| Stop::failed(format!("the input cannot be read: {why}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let mut rendered = Vec::new();
        engine.send(&line, &mut |message| rendered.push(message));
        while engine.work(&mut |message| rendered.push(message)) {}
        for message in rendered {
            out.line(&message)?;
        }
        // a client that sends one question after another waits for each answer
        out.finish()?;
    }
    Ok(FINE)
}
