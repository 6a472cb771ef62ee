//! What follows from one cause is told once, and dice as other tools write them are read.

use crate::common::{err, folder, out, output, said};

const RULES: &str = "ruleset g/x version \"1\"\nkind Side { state pips : 0..9 = 0 }\nproc gain(s: Side) {\n  roll dice = d6\n  set s.pips += dice\n}\n";
const ABOVE: &str = "ruleset g/y version \"1\" extends g/x\nlet more(s: Side) = s.pips + 1\nexample \"one more\" for more(s) with s.pips = 1 { more(s) = 2 }\n";

/// Two rulesets, and three scenarios of the upper one.
fn game(name: &str, rules: &str) -> std::path::PathBuf {
    let scene = "rules = \"g/y\"\n[Side.red]\n[[step]]\ndo = \"do gain(red)\"\nexpect = [\"red.pips > 0\"]\n";
    let scenes = ["g/scenarios/a.toml", "g/scenarios/b.toml", "g/scenarios/c.toml"].map(|file| (file, scene));
    folder(name, &[&[("g/x.rules", rules), ("g/y.rules", ABOVE)][..], &scenes].concat())
}

#[test]
fn scenarios_of_rules_with_errors_are_one_line() {
    let folder = game("folded", &RULES.replace("s.pips += dice", "s.pips += dise"));
    let (code, rendered) = said(&folder, &["check", ".", "--format", "short"]);
    let lines: Vec<&str> = rendered.lines().collect();
    assert_eq!(code, 1, "{rendered}");
    assert!(lines[0].starts_with("g/x.rules:5:17: error[R0201]"), "{rendered}");
    assert_eq!(lines[1], "error[R0809]: g/x has errors: 3 scenarios that use it were not checked");
    assert!(lines[2].ends_with("3 scenarios, 1 error") && lines.len() == 3, "{rendered}");
    let (_, json) = said(&folder, &["check", ".", "--format", "json"]);
    assert_eq!(json.matches("\"code\"").count(), 2, "{json}");
    assert!(json.find("R0201") < json.find("R0809"), "{json}");
    // one scenario of them: the cause comes first
    let (_, one) = said(&folder, &["run", "g/scenarios/a.toml"]);
    assert!(one.find("R0201") < one.find("R0809") && one.contains("R0809"), "{one}");
    let (code, tested) = said(&folder, &["test", "."]);
    assert_eq!((code, tested.matches("R0201").count()), (1, 1), "{tested}");
    assert!(tested.contains("g/x has errors: 3 scenarios that use it were not checked\n"), "{tested}");
    assert!(tested.ends_with("2 rules files with errors; 3 scenarios, 0 passed, 3 failed\n"), "{tested}");
}

#[test]
fn good_rules_are_told_as_before() {
    let folder = game("unfolded", RULES);
    assert_eq!(said(&folder, &["check", "."]), (0, "2 rules files, 3 items, 3 scenarios, no problems\n".to_string()));
}

/// The register of a copied folder, and one that no rule cites.
#[test]
fn registers_are_told_once() {
    let clause = |n: usize| {
        format!("[[clause]]\nid = \"G-{n}\"\nsection = \"One\"\nsays = \"A rule.\"\nstatus = \"modelled\"\n")
    };
    let register: String = (1..9).map(clause).collect();
    let cited = RULES.replace("proc gain", "cite G-1, G-2, G-3, G-4\nproc gain");
    let folder = game("registers", &cited);
    std::fs::write(folder.join("g/clauses.toml"), register.replace("G-", "H-")).unwrap();
    let (code, rendered) = said(&folder, &["check", ".", "--format", "short"]);
    assert_eq!(code, 1, "{rendered}");
    assert!(rendered.contains("the register has none of the clauses that g/x.rules cites: 4 cites"), "{rendered}");
    assert_eq!(rendered.matches("R0601").count(), 1, "{rendered}");
    std::fs::write(folder.join("g/x.rules"), RULES).unwrap();
    let (code, rendered) = said(&folder, &["check", ".", "--format", "short"]);
    assert_eq!((code, rendered.matches("R0603").count()), (0, 1), "{rendered}");
    assert!(
        rendered.contains("the rules cite no clause of this register: 8 clauses are marked modelled"),
        "{rendered}"
    );
    std::fs::write(folder.join("g/x.rules"), &cited).unwrap();
    // a copy that still builds on the rules it was copied from
    std::fs::write(folder.join("g/clauses.toml"), &register).unwrap();
    let copy = folder.join("h");
    std::fs::create_dir_all(&copy).unwrap();
    std::fs::write(copy.join("clauses.toml"), &register).unwrap();
    std::fs::write(copy.join("y.rules"), ABOVE).unwrap();
    let (_, rendered) = said(&folder, &["check", "h", "--format", "short"]);
    assert!(rendered.contains("8 clauses of this register are in g/clauses.toml too"), "{rendered}");
    assert_eq!(rendered.matches("R0605").count(), 1, "{rendered}");
}

#[test]
fn dice_of_other_tools_are_read() {
    let folder = folder("notations", &[]);
    let first = |text: &str| said(&folder, &["odds", text]).1.lines().next().unwrap_or_default().to_string();
    let is = |text: &str, ours: &str| assert!(first(text).contains(&format!(" {ours}: ")), "{text}: {}", first(text));
    is("4d6kh3", "total(highest(3, 4 of d6))");
    is("4d6k3 + 2", "total(highest(3, 4 of d6)) + 2");
    is("4d6 kh3", "total(highest(3, 4 of d6))");
    is("2d20kl1", "total(lowest(1, 2 of d20))");
    is("4d6dl1", "total(highest(3, 4 of d6))");
    is("3d6!", "aim = 3 of d6; explode x in aim where x == 6; total(aim)");
    is("d%", "d100");
    is("2d6+1d8", "2d6+1d8");
    is("d20 + 5", "d20 + 5");
    for text in ["4d6r1", "4d6!>=5"] {
        let rendered = output(&folder, &["odds", text]);
        assert!(rendered.status.code() != Some(0) && out(&rendered).contains("write `aim = 4 of d6;"), "{text}");
    }
}

#[test]
fn dice_that_are_written_twice_are_told() {
    let folder = folder("twice", &[]);
    let note = |text: &str| err(&output(&folder, &["odds", text]));
    let rendered = |text: &str, words: &str| assert!(note(text).contains(words), "{text}: {}", note(text));
    rendered("d6 >= 3 and d6 <= 5", "for a single roll, write `a = d6; a >= 3 and a <= 5`");
    let pool = "for a single roll, write `a = 5 of d6; total(a) - total(lowest(2, a))`";
    rendered("total(5 of d6) - total(lowest(2, 5 of d6))", pool);
    rendered(
        "if d20 == 20 then 2 else if d20 >= 11 then 1 else 0",
        "`a = d20; if a == 20 then 2 else if a >= 11 then 1 else 0`",
    );
    rendered("d66", "`tens = d6; ones = d6; 10 * tens + ones`");
    rendered("5d6 >= 5", "write `count 5 of d6 >= 5`");
    for text in ["d6 >= 3 and d8 >= 3", "a = d6; a >= 3 and a <= 5", "d6 + d6", "2d6 >= 7", "d6 > d6"] {
        assert_eq!(note(text), "", "{text}");
    }
}

/// Both ways to change a head that runs over two lines.
#[test]
fn a_head_over_two_lines_is_changed() {
    let book = "ruleset g/x version \"1\"\nkind Unit { state hits : 0..9 = 0; state sore : Flag = no }\nevent Hit(target: Unit, hits: 0..9)\nrule Rattled on Hit as h\n  when h.hits > 0 and (h.target.sore\n    or h.hits > 2) {\n  set h.target.hits += h.hits\n}\n";
    let changed = |lines: &str| {
        let variant = format!("variant g/v of g/x version \"1\"\nchange rule Rattled {{\n{lines}}}\n");
        said(&folder("two-lines", &[("g/x.rules", book), ("g/v.rules", &variant)]), &["check", "g/v.rules"])
    };
    let whole = "  - when h.hits > 0 and (h.target.sore\n  - or h.hits > 2)\n  + when h.hits > 1\n";
    assert_eq!(changed(whole).0, 0, "{}", changed(whole).1);
    let part = "  - and (h.target.sore\n  - or h.hits > 2)\n";
    assert_eq!(changed(part).0, 0, "{}", changed(part).1);
    let half = changed("  - when h.hits > 0 and (h.target.sore\n    or h.hits > 2)\n  + when h.hits > 1\n");
    assert!(half.0 == 1 && half.1.contains("put a `-` before every line to remove"), "{}", half.1);
}

/// A decimal in an example is told with the fraction to write.
#[test]
fn a_decimal_chance_is_told() {
    let rules = "ruleset g/x version \"1\"\ntest T() {\n  roll d = d6\n  pass when d >= 3\n}\nexample \"x\" for T() { chance passed = CLAIM }\n";
    let rendered = |claim: &str| {
        said(&folder("decimal", &[("g/x.rules", &rules.replace("CLAIM", claim))]), &["test", "g/x.rules"])
    };
    for claim in ["0.72", "67%"] {
        let (code, text) = rendered(claim);
        assert!(code == 1 && text.contains("`chance passed = 2/3`"), "{text}");
    }
    assert_eq!(rendered("2/3").0, 0);
}

#[test]
fn brackets_and_texts_of_a_scenario_are_told() {
    let folder = game("scenes", RULES);
    let scene = std::fs::read_to_string(folder.join("g/scenarios/a.toml")).unwrap();
    let rendered = |text: String| {
        std::fs::write(folder.join("g/scenarios/a.toml"), text).unwrap();
        said(&folder, &["check", "g/scenarios/a.toml"]).1
    };
    let open = rendered(scene.replace("0\"]", "0\"") + "[report]\nmean = \"red.pips\"\n");
    assert!(open.contains("a.toml:5:10") && open.contains("this `[` has no `]`"), "{open}");
    let good = rendered(format!("{scene}[report]\nmean = \"red.pips\"\ngood = \"red.pips\"\n"));
    assert!(good.contains("write `good = { more = [\"red.pips\"] }`"), "{good}");
}
