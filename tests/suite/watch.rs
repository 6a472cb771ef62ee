//! The program and real files: what is written is waited for by what the program says of it.

use crate::common::{folder, grognard, said};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Nothing here takes a second; a machine that is very busy may take many.
const PATIENCE: Duration = Duration::from_secs(120);

struct Watch {
    child: Child,
    lines: Receiver<String>,
    folder: PathBuf,
}

impl Watch {
    #[track_caller]
    fn begin(name: &str) -> Watch {
        let place = folder(name, &[]);
        assert_eq!(said(&place, &["new", "game", "--template", "blank"]).0, 0);
        let folder = place.join("game");
        let args = ["watch", "--format", "json", "--poll", "10", "--settle", "20"];
        let mut child = grognard(&folder, &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Watch { child, lines, folder }
    }

    #[track_caller]
    fn next(&self) -> Value {
        serde_json::from_str(&self.lines.recv_timeout(PATIENCE).expect("a save is told")).unwrap()
    }

    /// Writes a file as editors do that put a new one in its place.
    fn write(&self, path: &str, text: &str) {
        let (file, beside) = (self.folder.join(path), self.folder.join(".being-written"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&beside, text).unwrap();
        std::fs::rename(&beside, &file).unwrap();
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.folder.join(path)).unwrap()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn files_that_are_replaced_deleted_and_made_anew_are_seen() {
    let watch = Watch::begin("replaced");
    let first = watch.next();
    assert_eq!((&first["save"], &first["ran"], &first["failing"]), (&0.into(), &4.into(), &0.into()));
    let rules = watch.text("rules/game.rules");
    watch.write("rules/game.rules", &rules.replace("hits on\" = 4", "hits on\" = 3"));
    let saved = watch.next();
    assert_eq!(saved["files"][0]["file"], "rules/game.rules");
    assert_eq!(saved["changed"][0], "param hit_on");
    assert!(saved["failing"].as_u64().unwrap() > 0, "{saved}");
    // written in place, the same length, at once; the file may be seen while it is empty
    std::fs::write(watch.folder.join("rules/game.rules"), rules.replace("hits on\" = 4", "hits on\" = 5")).unwrap();
    while !watch.next()["moved"].to_string().contains("raiders.men") {}
    std::fs::remove_file(watch.folder.join("rules/game.rules")).unwrap();
    let saved = watch.next();
    assert_eq!(saved["files"][0]["change"], "gone");
    assert!(saved["waiting"].as_u64().unwrap() > 0, "{saved}");
    watch.write("rules/game.rules", &rules);
    let saved = watch.next();
    assert_eq!((&saved["errors"], &saved["failing"]), (&0.into(), &0.into()));
    // a folder that was not there, with a scenario in it
    watch.write("more/scenarios/second.toml", &watch.text("scenarios/first.toml"));
    let saved = watch.next();
    assert_eq!(saved["files"][0]["change"], "new");
    assert_eq!((&saved["ran"], &saved["moved"][0]["new"]), (&1.into(), &true.into()));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_an_interrupt_ends_it_well() {
    let mut watch = Watch::begin("links");
    watch.next();
    let rules = watch.text("rules/game.rules");
    std::fs::rename(watch.folder.join("rules/game.rules"), watch.folder.join("rules/real.text")).unwrap();
    std::os::unix::fs::symlink("real.text", watch.folder.join("rules/.link")).unwrap();
    std::fs::rename(watch.folder.join("rules/.link"), watch.folder.join("rules/game.rules")).unwrap();
    watch.write("rules/real.text", &rules.replace("hits on\" = 4", "hits on\" = 3"));
    let mut saved = watch.next();
    while saved["failing"] == 0 {
        saved = watch.next();
    }
    let id = watch.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(watch.child.wait().unwrap().code(), Some(0));
}

#[test]
fn one_look_tells_how_everything_stands() {
    let place = folder("one_look", &[]);
    assert_eq!(said(&place, &["new", "game", "--template", "blank"]).0, 0);
    let game = place.join("game");
    assert_eq!(said(&game, &["watch", "--saves", "0"]), (0, "4 tests run; 4 hold, 0 fail\n".to_string()));
    // what was accepted and is no more is a claim that fell
    assert_eq!(said(&game, &["review", "--accept-all"]).0, 0);
    let pin = Path::new(&game).join("pins/scenarios/first.pin");
    let text = std::fs::read_to_string(&pin).unwrap();
    std::fs::write(&pin, text.replace("5 6 6 3", "5 6 6 2")).unwrap();
    let (code, text) = said(&game, &["watch", "--saves", "0", "--format", "json"]);
    assert!(code == 0 && text.contains("the trace is as accepted") && text.contains("\"failing\":1"), "{text}");
    // what it cannot look into is told
    std::fs::create_dir_all(game.join("rules/deep/".to_string() + &"d/".repeat(40))).unwrap();
    let (code, text) = said(&game, &["watch", "--saves", "0"]);
    assert!(code == 0 && text.contains("cannot be read: it is nested in more than 32 folders"), "{text}");
    let (code, text) = said(&game, &["watch", "no-such-folder"]);
    assert!(code == 2 && text.contains("no-such-folder"), "{text}");
}

#[test]
fn findings_come_before_the_tests_and_what_was_written_last_runs_first() {
    let rules = "ruleset game/core\nkind Squad { state men : 0..20 }\nparam spare \"Unused\" = 4\n\
        proc long() \"Long\" {\n  each i in 1 .. 1000 {\n    each j in 1 .. 20 {\n      roll a = 12 of d6\n      \
        each s in Squad { set s.men = count a >= 4 }\n    }\n  }\n}\n";
    let scene = "rules = \"game/core\"\nmode = \"sampled\"\nruns = 1000000\n[Squad]\nalpha = { men = 3 }\n\
        [[step]]\ndo = \"do long()\"\n[report]\nmean = [\"alpha.men\"]\n";
    let quick = "rules = \"game/core\"\n[Squad]\nalpha = { men = 3 }\n[[expect]]\nthat = \"alpha.men == 4\"\n";
    let place =
        folder("first", &[("game/core.rules", rules), ("scenarios/b.toml", quick), ("scenarios/c.toml", quick)]);
    let long = ["a", "d", "e", "f", "g", "h"].map(|name| format!("scenarios/{name}.toml"));
    for (n, name) in long.iter().map(String::as_str).chain(["scenarios/b.toml", "scenarios/c.toml"]).enumerate() {
        let text = if name.contains('b') || name.contains('c') { quick } else { scene };
        std::fs::write(place.join(name), text).unwrap();
        let file = std::fs::File::options().append(true).open(place.join(name)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(1_000 - n as u64)).unwrap();
    }
    let args = ["watch", "--saves", "0", "--threads", "1", "--no-cache", "--quiet"];
    let mut child = grognard(&place, &args).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut lines = lines.skip_while(|line| !line.starts_with("FAILED"));
    // the finding stands above; c was written after b, and both after the long ones, which would take hours
    assert_eq!(lines.next().unwrap(), "FAILED scenarios/c.toml");
    assert_eq!(lines.find(|line| line.starts_with("FAILED")).unwrap(), "FAILED scenarios/b.toml");
    assert!(child.try_wait().unwrap().is_none(), "the long tests run after these");
    child.kill().unwrap();
    child.wait().unwrap();
}
