//! Diagnostics of registers that depend on all rulesets of their folder.

use grognard_ide::query::Workspace;
use grognard_kit::Shelf;
use std::rc::Rc;

const REGISTER: &str = "game/clauses.toml";

fn entries(ids: &[&str]) -> String {
    let entry =
        |id: &&str| format!("[[clause]]\nid = \"{id}\"\nsection = \"Fire\"\nsays = \"So.\"\nstatus = \"modelled\"\n\n");
    ids.iter().map(entry).collect()
}

/// The messages of the register, after a check of the rulesets.
fn messages(space: &Workspace) -> Vec<String> {
    space.resting_on(REGISTER).iter().for_each(|path| drop(space.analysis(path)));
    space.problems(REGISTER, []).into_iter().map(|one| one.found.message).collect()
}

#[test]
fn a_clause_that_no_ruleset_of_the_folder_cites_is_reported() {
    let mut space = Workspace::new(Rc::new(Shelf::default()));
    let register = entries(&["A-1", "A-2", "A-3"]);
    space.set(REGISTER, &register);
    assert!(messages(&space).is_empty(), "no ruleset reads the register");
    space.set("game/core.rules", "ruleset game/core\n\nparam a = 1  cite A-1\n");
    space.set("game/more.rules", "ruleset game/more extends game/core\n\nparam b = 1  cite A-2\n");
    assert_eq!(messages(&space), ["no item implements A-3: nothing cites it"]);
    let place = &space.problems(REGISTER, [])[0].place;
    assert!(place.file == REGISTER && place.start >= register.find("A-2").unwrap(), "{place:?}");
    // one faulty ruleset can cite what the others omit
    space.set("game/more.rules", "ruleset game/more extends game/core\n\nparam b = = 1  cite A-3\n");
    assert!(messages(&space).is_empty());
    space.set("game/more.rules", "ruleset game/more extends game/core\n\nparam b = 1  cite A-2, A-3\n");
    assert!(messages(&space).is_empty());
}
