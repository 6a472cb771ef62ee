//! Links from a text to other files and to clauses.

use grognard_ide::query::{Place, Workspace};
use grognard_kit::Shelf;
use std::rc::Rc;

const REGISTER: &str = "[[clause]]\nid = \"A-1\"\nsection = \"Fire\"\nsays = \"One.\"\nstatus = \"modelled\"\n\n\
                        [[clause]]\nid = \"A-2\"\nsection = \"Fire\"\nsays = \"Two.\"\nstatus = \"modelled\"\n";

fn workspace(texts: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::new(Rc::new(Shelf::default()));
    texts.iter().for_each(|(path, text)| workspace.set(path, text));
    workspace
}

/// The links of a text, as the linked words and the places that they lead to.
fn links<'t>(space: &Workspace, path: &str, text: &'t str) -> Vec<(&'t str, Place)> {
    space.links(path).into_iter().map(|link| (&text[link.at.0..link.at.1], link.to)).collect()
}

fn start(file: &str) -> Place {
    Place { file: file.to_string(), start: 0, end: 0 }
}

#[test]
fn each_cited_clause_is_a_link_to_its_entry() {
    let text = "ruleset game/core\n\nparam a = 1  cite A-1, A-2\nparam b = 1  cite A-2  # cite A-1\n";
    let space = workspace(&[("game/core.rules", text), ("game/clauses.toml", REGISTER)]);
    let found = links(&space, "game/core.rules", text);
    let words: Vec<&str> = found.iter().map(|(word, _)| *word).collect();
    assert_eq!(words, ["A-1", "A-2", "A-2"]);
    for (word, place) in found {
        assert_eq!(place.file, "game/clauses.toml");
        let entry = &REGISTER[place.start..place.end];
        assert!(entry.contains(word), "{word}: {entry}");
    }
}

#[test]
fn a_scenario_links_to_its_rules_and_its_base() {
    let rules = "ruleset game/core\nkind Squad { state men : 0..9 = 3 }\n";
    let base = "rules = \"game/core\"\n[Squad.a]\n";
    let own = "# rules = \"no\"\nbase = 'base.toml'\nname = \"own\"\n";
    let far = "base = \"game/scenarios/base.toml\"\nrules = \"game/none\"\n";
    let space = workspace(&[
        ("game/core.rules", rules),
        ("game/scenarios/base.toml", base),
        ("game/scenarios/own.toml", own),
        ("other/scenarios/far.toml", far),
        ("game/broken/scenarios/broken.toml", "rules = \"game/core\"\n[Squad\n"),
    ]);
    assert_eq!(links(&space, "game/scenarios/base.toml", base), [("game/core", start("game/core.rules"))]);
    assert_eq!(links(&space, "game/scenarios/own.toml", own), [("base.toml", start("game/scenarios/base.toml"))]);
    // a base can be named from the rules root, and a file that does not exist has no link
    let found = links(&space, "other/scenarios/far.toml", far);
    assert_eq!(found, [("game/scenarios/base.toml", start("game/scenarios/base.toml"))]);
}
