//! Rules and scenarios from texts, for what is measured.

use grognard_base::Sources;
use grognard_base::value::FuncId;
use grognard_base::value::KindId;
use grognard_program::{Detail, compile};
use grognard_rules::ruleset::Ruleset;
use grognard_rules::{Library, load};
use grognard_scenario::{Scenario, build, read};
use grognard_vm::{Game, Setup, ThingSpec, set_up};

/// One text of rules, called as its first line says.
struct One<'t>(&'t str);

impl Library for One<'_> {
    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok((path.strip_suffix(".rules") == Some(name(self.0))).then(|| self.0.to_string()))
    }
}

fn name(rules: &str) -> &str {
    rules.lines().next().and_then(|head| head.split(' ').nth(1)).expect("a ruleset has a name")
}

/// The rules of a text, checked.
pub fn rules(text: &str) -> Ruleset {
    let loaded = load(name(text), &One(text), &mut Sources::default());
    loaded.ruleset.unwrap_or_else(|| panic!("{:?}", loaded.problems))
}

/// A scenario of these rules; `scene` leaves out what names them.
pub fn scenario(rules: &str, scene: &str) -> Scenario {
    prepared(rules, scene, Detail::Plain)
}

/// The same, with so much prepared for traces.
pub fn prepared(rules: &str, scene: &str, detail: Detail) -> Scenario {
    let (name, files) = (name(rules), One(rules));
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
