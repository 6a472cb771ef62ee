//! Results that are kept between commands: they save work, they change no output, and they never outlive a change.

use crate::common::{folder, grognard, out, said};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A project with rules that build on others, examples in a file of their own, a register, a scenario on a base, and its pin.
fn project(name: &str) -> PathBuf {
    let place = folder(
        name,
        &[
            ("grognard.toml", "rules = \".\"\nscenarios = [\"scenarios\"]\n"),
            ("game/core.rules", CORE),
            ("game/core.examples.rules", EXAMPLES),
            ("game/more.rules", "ruleset game/more extends game/core\nset hit_on = 3\n"),
            ("scenarios/base.toml", BASE),
            ("scenarios/volley.toml", "base = \"base.toml\"\n[setup.alpha]\nmen = 4\n"),
        ],
    );
    assert_eq!(said(&place, &["run", "scenarios/base.toml", "--trace", "full"]).0, 0);
    place
}

const CORE: &str = "ruleset game/core\nparam hit_on \"A shot hits on\" = 4\nkind Squad { state men : 0..20 }\n\
    proc volley(from: Squad) \"A volley\" {\n  roll aim = from.men of d6\n  let hits = count aim >= hit_on\n  \
    set from.men -= hits\n}\n";
const EXAMPLES: &str = "ruleset game/core\nexample \"A volley\" {\n  squad alpha: Squad { men = 3 }\n  \
    volley(alpha) rolling 1, 5, 6\n  expect alpha.men == 1\n}\n";
const BASE: &str = "rules = \"game/more\"\nmode = \"exact\"\n";

#[test]
fn a_project() {
    let place = project("a_project");
    println!("{:?}", said(&place, &["check"]));
    println!("{:?}", said(&place, &["test"]));
}
