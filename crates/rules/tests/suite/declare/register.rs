//! The clause register and the cites that name it.

use grognard_base::Code;
use grognard_kit::checked::{bad, good, load_from, none};
use grognard_rules::{Loaded, audit_register};

const GOOD: &str = "[[clause]]\nid = \"WA-1\"\nsection = \"One\"\nsays = \"It rains.\"\nstatus = \"modelled\"\n
[[clause]]\nid = \"WA-H1\"\nsection = \"One\"\nsays = \"How long?\"\nstatus = \"hole\"\n";

fn with(register: &str, rules: &str) -> Loaded {
    let rules = format!("ruleset g/x\n{rules}\n");
    load_from(&[("g/x.rules", &rules), ("g/clauses.toml", register)], "g/x").0
}

#[test]
fn a_register_is_read() {
    let rs = good(with(GOOD, "param k = 1  cite WA-1"));
    assert_eq!(rs.register.len(), 2);
    assert_eq!(rs.register[1].id, "WA-H1");
    assert!(rs.cited.contains_key("WA-1"));
}

#[test]
fn faults_of_a_register() {
    let fault = |text: &str, words: &str| bad(with(text, ""), Code::Register, words);
    fault("x = ", "not valid TOML");
    fault("clauses = 1", "did you mean `clause`?");
    fault("[[clause]]\nsection = \"a\"\nsays = \"b\"\nstatus = \"hole\"", "no `id`");
    fault("[[clause]]\nid = \"WA-1\"\nsays = \"b\"\nstatus = \"hole\"", "no `section`");
    fault(&GOOD.replace("\"modelled\"", "\"modeled\""), "did you mean `modelled`?");
    fault(
        &GOOD.replace("section = \"One\"\nsays = \"It", "sction = \"x\"\nsection = \"One\"\nsays = \"It"),
        "did you mean `section`?",
    );
    fault(&GOOD.replace("WA-H1", "WA-1"), "twice");
    fault(&GOOD.replace("WA-H1", "wa1"), "not a clause id");
    fault(&GOOD.replace("\"It rains.\"", "3"), "text in quotes");
    fault(&GOOD.replace("status = \"modelled\"", "status = \"modelled\"\ndecided = \"x\""), "not a hole");
}

#[test]
fn cites_are_looked_up() {
    bad(
        with(GOOD, "param k = 1  cite WA-2"),
        Code::UnknownClause,
        "there is no clause `WA-2` in the register; did you mean `WA-1`?",
    );
    let row = "enum E { A, B }\nlet f(e: E) \"F\" = match e {\n  A => 1  cite WA-1\n  B => 2  cite WA-77\n}";
    bad(with(GOOD, row), Code::UnknownClause, "WA-77");
    let stmt = "kind U { state n: 0..9 = 0 }\nproc p(u: U) {\n  cite WA-78\n  set u.n = 1\n}";
    bad(with(GOOD, stmt), Code::UnknownClause, "WA-78");
    // Without a register there is nothing to look up.
    let loaded = load_from(&[("g/x.rules", "ruleset g/x\nparam k = 1  cite WA-2\n")], "g/x").0;
    none(&loaded, Code::UnknownClause);
}

#[test]
fn items_cite() {
    bad(with(GOOD, "event E(n: Int)\nrule R on E as e { }"), Code::Uncited, "rule R cites no clause");
    none(&with(GOOD, "event E(n: Int)\ncite WA-1\nrule R on E as e { }"), Code::Uncited);
}

#[test]
fn clauses_are_covered() {
    let codes =
        |rules: &str| -> Vec<Code> { audit_register(&[good(with(GOOD, rules))]).iter().map(|p| p.code).collect() };
    assert_eq!(codes(""), [Code::Uncovered, Code::HoleOpen]);
    assert_eq!(codes("param k = 1  cite WA-1"), [Code::HoleOpen]);
    assert_eq!(codes("param k = 1  cite WA-1\nreading r = A or B because \"x\"  cite WA-H1"), []);
    let decided = GOOD.replace("status = \"hole\"", "status = \"hole\"\ndecided = \"as printed\"");
    let found = audit_register(&[good(with(&decided, "param k = 1  cite WA-1"))]);
    assert!(found.is_empty());
}

#[test]
fn one_edition_covers_for_another() {
    let a = good(with(GOOD, "param k = 1  cite WA-1"));
    let b = good(with(GOOD, "reading r = A or B because \"x\"  cite WA-H1"));
    assert!(audit_register(&[a, b]).is_empty());
}

const PARAGRAPHS: &str = "section \"Fire\"\n
WA-1  A shot hits on a \"four\", or (if it's dark)
      on a five.
WA-2  It is a d6.
param hit_on = 4
param night = 5  cite WA-3

WA-3 (commentary) The sixth is lucky.
WA-H1 (hole) Nobody says when it is dark.
reading dark = Never or Always because \"nothing is said\"

WA-H2 (decided: the owner rolls) Who rolls?
example \"a shot\" { hit_on = 4 }

section \"Morale\"
let steady = 7
";

#[test]
fn paragraphs_are_clauses_of_the_items_below() {
    let rs = good(with("", PARAGRAPHS));
    let clauses = rs.register.iter().map(|c| {
        let (section, id, status) = (&c.section, &c.id, c.status.word());
        format!("{section} {id} {status}: {} | {}", c.says, c.decided)
    });
    let wanted = [
        "Fire WA-1 modelled: A shot hits on a \"four\", or (if it's dark) on a five. | ",
        "Fire WA-2 modelled: It is a d6. | ",
        "Fire WA-3 commentary: The sixth is lucky. | ",
        "Fire WA-H1 hole: Nobody says when it is dark. | ",
        "Fire WA-H2 hole: Who rolls? | the owner rolls",
    ];
    assert_eq!(clauses.collect::<Vec<_>>(), wanted);
    let cited = |id: &str| rs.cited.get(id).map(|all| all.iter().map(|c| c.item.as_str()).collect::<Vec<_>>());
    assert_eq!(cited("WA-1").as_deref(), Some(["param hit_on", "param night"].as_slice()));
    assert_eq!(cited("WA-2").as_deref(), Some(["param hit_on", "param night"].as_slice()));
    // nothing implements a commentary because it stands below it
    assert_eq!(cited("WA-3").as_deref(), Some(["param night"].as_slice()));
    assert_eq!(cited("WA-H1").as_deref(), Some(["reading dark"].as_slice()));
    assert_eq!(cited("WA-H2"), None);
    // the section ends what the paragraphs above say
    bad(with("", PARAGRAPHS), Code::Uncited, "let steady cites no clause");
}

#[test]
fn faults_of_paragraphs() {
    let fault = |text: &str, words: &str| bad(with("", text), Code::Register, words);
    fault("WA-1  One.\nparam a = 1\nWA-1  Two.\nparam b = 1", "twice");
    fault("WA-1 (comentary) One.", "`comentary` is not a status; did you mean `commentary`?");
    for text in ["WA-1", "Wa-1  One.", "WA-1: One."] {
        bad(with("", text), Code::UnknownWord, "begins no paragraph");
    }
    fault("WA-1 (decided) One.", "has no decision");
    fault("WA-1 (external: why) One.", "only a hole is decided");
    bad(with(GOOD, "WA-1  One.\nparam a = 1"), Code::Register, "twice");
    // brackets with other words belong to the sentence
    good(with("", "WA-1 (see below) One.\nparam a = 1"));
    // a paragraph ends its item, also where a bracket is still open
    bad(with("", "proc p(n: Int) {\nWA-1  One.\nparam a = 1"), Code::Unclosed, "");
}

#[test]
fn an_exception_repeats_no_clause() {
    let text = "WA-1  One.\nreading r = A or B because \"x\"  cite WA-2\nlet f(n: Int): Int = n + 1\nchange let f under r = B {\n  - n + 1\n  + n\n}\nWA-2 (hole) Two.";
    let rs = good(with("", text));
    let item = rs.items.iter().find(|item| item.name == "f").map(|item| item.cites.clone());
    assert_eq!(item, Some(vec!["WA-1".to_string()]));
}
