//! `grognard watch`: what a save changes, in memory.

use grognard_base::OrdSet;
use grognard_ide::query::watch::{
    Address, Change, ChangedFile, Claim, Cost, Moved, Plan, Saved, ScenarioPath, Watched,
};
use grognard_report::Format;
use grognard_rules::Library;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Texts that change.
#[derive(Default)]
struct Texts(RefCell<BTreeMap<String, String>>);

impl Library for Texts {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.0.borrow().get(path).cloned())
    }
}

/// Texts that are watched.
struct Desk {
    texts: Rc<Texts>,
    watched: Watched,
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Desk {
        let mut watched = Watched::new(Format::Short, cost());
        let texts = Rc::new(Texts::default());
        watched.root(texts.clone());
        let mut desk = Desk { texts, watched };
        let files: Vec<_> = files.iter().map(|(path, text)| (*path, Some(*text))).collect();
        let first = desk.save(&files);
        assert_eq!((first.save, first.errors, first.moved), (0, 0, Vec::new()), "{}", first.findings);
        desk
    }

    /// Texts are written, or taken away.
    fn save(&mut self, files: &[(&str, Option<&str>)]) -> Saved {
        let mut changed = Vec::new();
        for (path, text) in files {
            let mut texts = self.texts.0.borrow_mut();
            let was = match text {
                Some(text) => texts.insert(path.to_string(), text.to_string()),
                None => texts.remove(*path),
            };
            let change = match (was, text) {
                (_, None) => Change::Gone,
                (None, _) => Change::New,
                _ => Change::Changed,
            };
            changed.push(ChangedFile { address: (0, path.to_string()), shown: path.to_string(), change });
        }
        let all: Vec<String> = self.texts.0.borrow().keys().cloned().collect();
        let books: OrdSet<Address> = all.iter().filter(|p| p.ends_with(".rules")).map(|p| (0, p.clone())).collect();
        let scenes = all.iter().filter(|path| path.starts_with("scenes/"));
        let place = |path: &String| ScenarioPath { name: path.clone(), own: (0, path.clone()), root: 0 };
        self.watched.watch(books, scenes.map(place).collect());
        let Plan { jobs, mut saved } = self.watched.plan(changed);
        let none = |_: &str, _: &_, _: &[_], _: &_| (Vec::<Claim>::new(), Vec::new());
        for job in jobs {
            self.watched.ended(&mut saved, job.run(&none));
        }
        self.watched.done(&mut saved);
        saved
    }

    /// One place of a text is written otherwise.
    #[track_caller]
    fn edit(&mut self, path: &str, old: &str, new: &str) -> Saved {
        let text = self.texts.0.borrow()[path].clone();
        assert_eq!(text.matches(old).count(), 1, "{old}");
        let saved = self.save(&[(path, Some(&text.replace(old, new)))]);
        self.is_as_looked_at_anew();
        saved
    }

    /// What was run again and what was not is together what a first look finds: nothing was passed over that moved.
    #[track_caller]
    fn is_as_looked_at_anew(&self) {
        let texts = self.texts.0.borrow().clone();
        let files: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut fresh = Desk { texts: Rc::new(Texts::default()), watched: Watched::new(Format::Short, cost()) };
        fresh.watched.root(fresh.texts.clone());
        let files: Vec<_> = files.iter().map(|(path, text)| (*path, Some(*text))).collect();
        let saved = fresh.save(&files);
        if saved.errors == 0 {
            // places in texts are another matter: a finding below a line that is new stands further down
            let bare = |watched: &Watched| -> Vec<_> {
                let seen = watched.seen().iter();
                seen.map(|(name, s)| (name.clone(), s.claims.clone(), s.trace.clone(), s.odds.clone(), s.fails))
                    .collect()
            };
            assert_eq!(bare(&self.watched), bare(&fresh.watched));
        }
    }
}

/// What exact answers may cost here.
fn cost() -> Cost {
    Cost { claims: grognard_base::Effort::Given(10_000).budget(), odds: grognard_base::Effort::Given(10_000).budget() }
}

const GAME: &str = r#"ruleset game/core
param hit_on "A shot hits on" = 4
kind Squad {
  state men : 0..20
  state nerve : 0..9
}
event Shot(at: Squad, hits: Int)
event Calm(at: Squad)
proc volley(from: Squad, at: Squad) "A volley" {
  roll aim = from.men of d6
  let hits = count aim >= hit_on
  set at.men -= hits
  emit Shot(at, hits)
}
proc rest(who: Squad) "A rest" {
  set who.nerve += 1
  emit Calm(who)
}
rule Shaken "A squad that is shot at" on Shot as s { set s.at.nerve -= s.hits }
rule Quiet "A squad at rest" on Calm as c when c.at.men > 18 + 1 { set c.at.men += 5 }
example "a volley" for volley(a, b) with a.men = 2, b.men = 6, b.nerve = 9 rolling aim = [4, 3] {
  b.men = 5
  b.nerve = 8
}
example "a rest" for rest(a) with a.men = 1, a.nerve = 2 { a.nerve = 3 }
"#;
const FIRE: &str = r#"rules = "game/core"
[Squad]
red = { men = 2, nerve = 5 }
blue = { men = 9, nerve = 9 }
[[step]]
do = "do volley(red, blue)"
expect = ["blue.men == 8"]
[dice]
rolls = [{ roll = "volley.aim", give = [4, 2] }]
[report]
mean = ["blue.men"]
chance = ["blue.men == 7"]
"#;
const REST: &str = r#"rules = "game/core"
[Squad]
red = { men = 2, nerve = 5 }
[[step]]
do = "do rest(red)"
expect = ["red.nerve == 6", "red.men == 2"]
"#;

fn desk() -> Desk {
    Desk::new(&[("game/core.rules", GAME), ("scenes/fire.toml", FIRE), ("scenes/rest.toml", REST)])
}

/// The tests that moved.
fn names(saved: &Saved) -> Vec<&str> {
    saved.moved.iter().map(|moved| moved.name.as_str()).collect()
}

fn of<'s>(saved: &'s Saved, name: &str) -> &'s Moved {
    saved.moved.iter().find(|moved| moved.name == name).unwrap_or_else(|| panic!("{name}: {}", saved.text()))
}

#[test]
fn a_save_tells_what_moved_in_traces_expectations_and_odds() {
    let mut desk = desk();
    let saved = desk.edit("game/core.rules", "hits on\" = 4", "hits on\" = 2");
    assert_eq!(saved.changed, ["param hit_on".to_string()].into());
    assert_eq!((saved.ran, saved.untouched), (2, 2), "the rest is not reached: {}", saved.text());
    let fire = of(&saved, "scenes/fire.toml");
    let step = fire.trace.as_ref().unwrap();
    assert_eq!((step.line, step.was.as_str()), (4, "= hits        1: count aim >= hit_on"));
    assert_eq!(step.is, "= hits        2: count aim >= hit_on");
    assert!(step.rule.as_ref().unwrap().contains("volley"), "{step:?}");
    assert_eq!((fire.fell.as_slice(), fire.rose.len()), (["step 1: blue.men == 8".to_string()].as_slice(), 0));
    assert_eq!(of(&saved, "game/core: a volley").fails, (false, true));
    assert_eq!((saved.holding, saved.failing), (2, 2));
    let back = desk.edit("game/core.rules", "hits on\" = 2", "hits on\" = 4");
    let fire = of(&back, "scenes/fire.toml");
    assert_eq!((fire.rose.as_slice(), fire.fell.len()), (["step 1: blue.men == 8".to_string()].as_slice(), 0));
    assert_eq!(of(&back, "game/core: a volley").fails, (true, false));
    assert_eq!((back.holding, back.failing), (4, 0));
}

#[test]
fn odds_are_told_before_and_now_as_fractions() {
    let free = FIRE.split("[dice]").next().unwrap().replace("expect = [\"blue.men == 8\"]\n", "")
        + "[report]\nmean = [\"blue.men\"]\nchance = [\"blue.men == 7\"]\n";
    let mut desk = Desk::new(&[("game/core.rules", GAME), ("scenes/fire.toml", &free)]);
    let saved = desk.edit("game/core.rules", "hits on\" = 4", "hits on\" = 3");
    let odds = &of(&saved, "scenes/fire.toml").odds;
    // two dice: 1/2 and 2/3 each
    let chance = odds.iter().find(|(name, ..)| name == "chance blue.men == 7").unwrap();
    assert!(chance.1.starts_with("1/4 = 25.00%") && chance.2.starts_with("4/9 = 44.44%"), "{chance:?}");
    let mean = odds.iter().find(|(name, ..)| name == "mean blue.men").unwrap();
    assert!(mean.1.starts_with('8') && mean.2.starts_with("23/3 = 7.6667"), "{mean:?}");
    assert!(
        saved.text().contains("chance blue.men == 7: 1/4 = 25.00% (exact) -> 4/9 = 44.44% (exact)"),
        "{}",
        saved.text()
    );
}

#[test]
fn only_what_a_change_reaches_is_run_again() {
    let mut desk = desk();
    // layout and comments are nothing
    let saved = desk.edit("game/core.rules", "proc rest(who: Squad)", "# a word\n\nproc   rest(who: Squad)");
    assert_eq!((saved.ran, saved.untouched, saved.changed.len()), (0, 4, 0));
    // a body of one proc, an example, a scenario
    let saved = desk.edit("game/core.rules", "set who.nerve += 1", "set who.nerve += 2");
    assert_eq!((saved.ran, saved.untouched), (2, 2));
    assert_eq!(names(&saved), ["game/core: a rest", "scenes/rest.toml"]);
    let saved = desk.edit("game/core.rules", "{ a.nerve = 3 }", "{ a.nerve = 4 }");
    assert_eq!((saved.ran, names(&saved)), (1, vec!["game/core: a rest"]));
    let saved = desk.edit("scenes/rest.toml", "red.nerve == 6", "red.nerve == 7");
    assert_eq!((saved.ran, names(&saved), saved.failing), (1, vec!["scenes/rest.toml"], 0));
    // a guard that never held, of a rule on what happened
    let saved = desk.edit("game/core.rules", "men > 18 + 1", "men > 1");
    assert_eq!(names(&saved), ["scenes/rest.toml"]);
    // a rule that nothing ran may be run once it waits for something else
    let saved = desk.edit("game/core.rules", "on Calm as c when c.at.men > 1", "on Shot as c when c.at.men > 1");
    assert_eq!((saved.ran, saved.untouched), (4, 0));
    assert_eq!(names(&saved), ["game/core: a volley", "scenes/fire.toml", "scenes/rest.toml"]);
}

#[test]
fn a_new_field_a_new_rule_and_a_new_case_are_no_less_than_a_first_look() {
    let mut desk = desk();
    desk.edit("game/core.rules", "state nerve : 0..9", "state nerve : 0..9\n  state tired : 0..3");
    desk.edit(
        "game/core.rules",
        "example \"a rest\"",
        "rule Tired on Calm as c { set c.at.tired += 1 }\nexample \"a rest\"",
    );
    let saved = desk.edit("game/core.rules", "0..9\n  state tired", "0..8\n  state tired");
    assert_eq!(saved.ran, 4);
    desk.edit("game/core.rules", "set s.at.nerve -= s.hits", "set s.at.nerve -= 2 * s.hits");
    desk.edit("scenes/fire.toml", "men = 9", "men = 8");
}

#[test]
fn a_half_written_text_keeps_what_was_known_until_it_is_whole() {
    let mut desk = desk();
    let half = &GAME[..GAME.find("rule Shaken").unwrap() + 20];
    let saved = desk.save(&[("game/core.rules", Some(half))]);
    assert!(saved.errors > 0 && saved.findings.contains("game/core.rules:"), "{}", saved.text());
    assert_eq!((saved.ran, saved.waiting, saved.moved.len()), (0, 4, 0));
    assert_eq!((saved.holding, saved.failing), (4, 0), "the last good answers stand");
    let saved = desk.save(&[("game/core.rules", Some(""))]);
    assert!(saved.errors > 0 && saved.waiting == 4, "{}", saved.text());
    // what moved since it was whole last
    let saved = desk.save(&[("game/core.rules", Some(&GAME.replace("nerve += 1", "nerve += 3")))]);
    assert_eq!((saved.errors, saved.waiting), (0, 0));
    assert_eq!(names(&saved), ["game/core: a rest", "scenes/rest.toml"]);
    desk.is_as_looked_at_anew();
    // a scenario that is half written is told and holds nothing else up
    let saved = desk.save(&[("scenes/fire.toml", Some("rules = \"game/core\"\n[Squ"))]);
    assert_eq!((saved.ran, of(&saved, "scenes/fire.toml").fails), (1, (false, true)));
    assert!(saved.text().contains("scenes/fire.toml:2"), "{}", saved.text());
    let saved = desk.save(&[("scenes/fire.toml", Some(FIRE))]);
    assert_eq!(of(&saved, "scenes/fire.toml").fails, (true, false));
}

#[test]
fn what_is_deleted_and_comes_back_is_compared_with_what_it_was() {
    let mut desk = desk();
    let saved = desk.save(&[("game/core.rules", None)]);
    assert_eq!(saved.files[0].change, Change::Gone);
    assert!(saved.waiting >= 2 && saved.moved.is_empty(), "{}", saved.text());
    let saved = desk.save(&[("game/core.rules", Some(&GAME.replace("nerve += 1", "nerve += 4")))]);
    assert_eq!(names(&saved), ["game/core: a rest", "scenes/rest.toml"]);
    let saved = desk.save(&[("scenes/rest.toml", None)]);
    assert_eq!((saved.moved.len(), saved.holding + saved.failing), (0, 3));
    let saved = desk.save(&[("scenes/rest.toml", Some(REST))]);
    assert_eq!((saved.ran, saved.moved.len()), (1, 0), "it does what it did: {}", saved.text());
    assert_eq!(saved.holding + saved.failing, 4);
    desk.is_as_looked_at_anew();
}

#[test]
fn what_stands_on_a_file_is_looked_at_with_it() {
    let edition = "variant game/house of game/core\noverride proc rest(who: Squad) { set who.nerve += 3 }\n\
                   remove example \"a rest\"\n";
    let mut desk = Desk::new(&[
        ("game/core.rules", GAME),
        ("game/house.rules", edition),
        ("scenes/house.toml", &REST.replace("game/core", "game/house").replace("nerve == 6", "nerve == 8")),
        ("scenes/rest.toml", REST),
    ]);
    // what the variant replaces touches nothing of it
    let saved = desk.edit("game/core.rules", "set who.nerve += 1", "set who.nerve += 2");
    assert_eq!(names(&saved), ["game/core: a rest", "scenes/rest.toml"]);
    let saved = desk.edit("game/core.rules", "state men : 0..20", "state men : 0..2 0");
    assert!(saved.errors > 0 && saved.broken.len() == 2 && saved.waiting == 5, "{}", saved.text());
    let saved = desk.edit("game/core.rules", "state men : 0..2 0", "state men : 0..20");
    assert_eq!((saved.errors, saved.ran, saved.waiting), (0, 0, 0), "{}", saved.text());
    // a warning is told when it is new, and counted from then on
    let saved = desk.edit("game/house.rules", "remove example", "param spare = 3\nremove example");
    let again = desk.edit("game/house.rules", "set who.nerve += 3", "set who.nerve += 2 + 1");
    assert_eq!((saved.warnings, again.warnings), (1, 1), "{}", saved.text());
    assert!(!saved.findings.is_empty() && again.findings.is_empty(), "{}", again.text());
}

#[test]
fn a_save_is_one_object_for_programs() {
    let mut desk = desk();
    let saved = desk.edit("game/core.rules", "hits on\" = 4", "hits on\" = 2").json();
    assert_eq!(saved["schema"], 1);
    assert_eq!(saved["files"][0]["change"], "changed");
    assert_eq!((&saved["ran"], &saved["untouched"], &saved["failing"]), (&2.into(), &2.into(), &2.into()));
    let fire = saved["moved"].as_array().unwrap().iter().find(|moved| moved["test"] == "scenes/fire.toml").unwrap();
    assert_eq!(fire["fell"][0], "step 1: blue.men == 8");
    assert_eq!(fire["trace"]["line"], 4, "{fire}");
    let broken = desk.save(&[("game/core.rules", Some("ruleset game/core\nproc x( {\n"))]).json();
    assert_eq!(broken["findings"][0]["severity"], "error");
    assert_eq!(broken["findings"][0]["line"], 2);
}

#[test]
fn the_findings_are_known_before_a_test_runs() {
    let mut watched = Watched::new(Format::Short, cost());
    let texts = Rc::new(Texts::default());
    texts.0.borrow_mut().insert("game/core.rules".into(), format!("{GAME}\nparam spare \"Spare\" = 4\n"));
    texts.0.borrow_mut().insert("scenes/a.toml".into(), "rules = \"game/core\"\n".into());
    watched.root(texts);
    let scene = ScenarioPath { name: "scenes/a.toml".into(), own: (0, "scenes/a.toml".into()), root: 0 };
    watched.watch([(0, "game/core.rules".to_string())].into_iter().collect(), vec![scene]);
    let Plan { jobs, saved } = watched.plan(Vec::new());
    assert!(!jobs.is_empty() && saved.ran == 0 && saved.head().contains("spare"), "{}", saved.head());
    // a job names every text that its result depends on; a file that does not exist is empty
    let texts = |name: &str| -> Vec<&str> {
        let job = jobs.iter().find(|job| job.name == name).unwrap();
        job.texts().filter(|source| !source.text.is_empty()).map(|source| source.name.as_str()).collect()
    };
    assert_eq!(texts("scenes/a.toml"), ["game/core.rules", "scenes/a.toml"]);
}
