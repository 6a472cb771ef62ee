//! Which files are read, and what is said when one cannot be.

use grognard_base::{Code, Sources};
use grognard_kit::Shelf;
use grognard_kit::checked::{bad, good, load_from, none};
use grognard_rules::{Library, load};

#[test]
fn a_chain_is_read_from_the_base_up() {
    let files = [
        ("g/a.rules", "ruleset g/a version \"1\"\n"),
        ("g/b.rules", "ruleset g/b version \"2\" extends g/a\n"),
        ("g/c.rules", "variant g/c of g/b version \"3\"\n"),
    ];
    let (loaded, sources) = load_from(&files, "g/c.rules");
    assert_eq!(sources.iter().count(), 3);
    let rs = good(loaded);
    assert_eq!(rs.path, "g/c");
    assert_eq!(rs.version, "3");
    assert!(rs.variant);
    let paths: Vec<&str> = rs.chain.iter().map(|c| c.0.as_str()).collect();
    assert_eq!(paths, ["g/a", "g/b", "g/c"]);
}

#[test]
fn a_text_read_twice_is_one_source() {
    let shelf = Shelf::of(&[("g/a.rules", "ruleset g/a\n")]);
    let mut sources = Sources::default();
    load("g/a", &shelf, &mut sources);
    load("g/a", &shelf, &mut sources);
    assert_eq!(sources.iter().count(), 1);
}

#[test]
fn a_circle_is_named() {
    let files = [("g/a.rules", "ruleset g/a extends g/b\n"), ("g/b.rules", "ruleset g/b extends g/a\n")];
    bad(load_from(&files, "g/a").0, Code::ExtendCycle, "g/a -> g/b -> g/a");
}

#[test]
fn a_chain_has_an_end() {
    let name = |n: usize| format!("g/r{n}");
    let texts: Vec<(String, String)> = (0..20)
        .map(|n| (format!("{}.rules", name(n)), format!("ruleset {} extends {}\n", name(n), name(n + 1))))
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    bad(load_from(&files, "g/r0").0, Code::TooLarge, "16");
}

#[test]
fn a_missing_base_has_a_near_miss() {
    let files = [("g/a.rules", "ruleset g/a extends g/corr\n"), ("g/core.rules", "ruleset g/core\n")];
    let found = bad(load_from(&files, "g/a").0, Code::NoBase, "did you mean `g/core`?");
    assert!(found.span.is_some());
}

#[test]
fn paths_stay_inside() {
    for path in ["../x", "/etc/x", "g//x", "g/.hidden", "g/a b", "", "g/../x"] {
        bad(load_from(&[], path).0, Code::Outside, path);
    }
}

#[test]
fn an_unreadable_file_says_why() {
    struct Broken;
    impl Library for Broken {
        fn read(&self, _: &str) -> Result<Option<String>, String> {
            Err("not plain text".into())
        }
    }
    bad(load("g/a", &Broken, &mut Sources::default()), Code::Unreadable, "not plain text");
}

#[test]
fn header_and_place_agree() {
    let loaded = load_from(&[("g/a.rules", "ruleset g/b\n")], "g/a").0;
    bad(loaded, Code::HeaderPath, "g/b");
    let loaded = load_from(&[("g/a.rules", "ruleset g/a\n")], "g/a").0;
    none(&loaded, Code::HeaderPath);
}

#[test]
fn faults_of_a_base_are_found_from_above() {
    let files = [("g/a.rules", "ruleset g/a extends g/b\n"), ("g/b.rules", "ruleset g/b\nparam k : Lenth = 1\n")];
    let found = bad(load_from(&files, "g/a").0, Code::UnknownType, "`Length`");
    assert_eq!(found.span.map(|s| s.file.0), Some(1));
}
