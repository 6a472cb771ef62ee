//! Rules and scenarios from texts, for what is measured.

use grognard_base::value::FuncId;
use grognard_base::value::KindId;
use grognard_base::{OrdMap, Sources};
use grognard_program::{Detail, compile};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{Library, load};
use grognard_scenario::{Scenario, build, read};
use grognard_vm::{Game, Setup, ThingSpec, set_up};

/// The shipped rulesets.
pub struct Shipped;

impl Library for Shipped {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(std::fs::read_to_string(format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../rulesets/{}"), path)).ok())
    }
}

/// Returns a library of one text, under the name in its first line.
fn library(rules: &str) -> OrdMap<String, String> {
    OrdMap::from([(format!("{}.rules", name(rules)), rules.to_string())])
}

fn name(rules: &str) -> &str {
    rules.lines().next().and_then(|head| head.split(' ').nth(1)).expect("a ruleset has a name")
}

/// The rules of a text, checked.
pub fn rules(text: &str) -> Ruleset {
    let loaded = load(name(text), &library(text), &mut Sources::default());
    loaded.ruleset.unwrap_or_else(|| panic!("{:?}", loaded.problems))
}

/// A scenario of these rules; `scene` leaves out what names them.
pub fn scenario(rules: &str, scene: &str) -> Scenario {
    prepared(rules, scene, Detail::Plain)
}

/// The same, with so much prepared for traces.
pub fn prepared(rules: &str, scene: &str, detail: Detail) -> Scenario {
    let (name, files) = (name(rules), library(rules));
    let mut sources = Sources::default();
    let loaded = load(name, &files, &mut sources);
    let ruleset = loaded.ruleset.unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let file = format!("{}s.toml", name.rsplit_once('/').map_or("", |(folder, _)| folder));
    let document = read(&file, format!("rules = \"{name}\"\n{scene}"), &files, &mut sources);
    let document = document.unwrap_or_else(|e| panic!("{e:?}"));
    build(&document, ruleset, &[], &sources, detail).unwrap_or_else(|e| panic!("{e:?}"))
}

/// A game with one thing of the first kind, if there is a kind.
pub fn game(text: &str) -> Game {
    let rules = rules(text);
    let things = (!rules.kinds.is_empty()).then(|| ThingSpec::new(KindId(0), "squad"));
    let setup = Setup { things: things.into_iter().collect(), ..Setup::default() };
    set_up(compile(&rules, Detail::Plain), setup).expect("the table is sound")
}

/// A proc by its name.
pub fn proc(game: &Game, name: &str) -> FuncId {
    let found = game.program.functions.iter().position(|f| f.name == name);
    FuncId::from(found.unwrap_or_else(|| panic!("no proc {name}")))
}
