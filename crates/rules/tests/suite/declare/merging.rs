//! `override`, `extend`, `remove`, filling what is open, and what a variant may do.

use grognard_base::Code;
use grognard_kit::checked::{bad, check, check_two, check_variant, good, none};
use grognard_rules::code::{Body, ExprKind};
use grognard_rules::ruleset::ValueName;

#[test]
fn a_name_stands_once() {
    let found = bad(check("param k = 1\nparam k = 2"), Code::Twice, "`k`");
    assert_eq!(found.others.len(), 1);
    bad(check("enum E { A, B, A }"), Code::Twice, "`A`");
    bad(check("kind K { stat x: Int = 0; stat x: Int = 1 }"), Code::Twice, "`K.x`");
    bad(check("kind K { stat x: Int = 0 }\nlet K.x = 1"), Code::Twice, "`K.x`");
    bad(check("kind K { stat alive: Flag = no }"), Code::Twice, "`alive`");
    bad(check("kind Place { stat x: Int = 0 }"), Code::Twice, "`Place`");
    bad(check("let f(a: Int, a: Int) = a"), Code::Twice, "`a`");
    // Values, rules and types have name spaces of their own.
    good(check("param k = 1\nenum K { A, B }\ntrait A on U\nkind U { stat z: Int = 0 }"));
}

#[test]
fn a_base_item_wants_override() {
    let found = bad(check_two("param k = 1", "param k = 2"), Code::MissingOverride, "`param k` already exists");
    assert_eq!(found.others.len(), 1);
    bad(check_two("kind K { let x = 1 }", "let K.x = 2"), Code::MissingOverride, "K.x");
    bad(check_two("kind K { let x = 1 }", "extend kind K { stat x: Int = 0 }"), Code::MissingOverride, "K.x");
    let rs = good(check_two("param k = 1", "override param k = 2"));
    assert_eq!(rs.settings[0].value, [2]);
}

#[test]
fn an_override_keeps_its_place() {
    let base = "param a = 1\nparam b = 2\nparam c = 3";
    let rs = good(check_two(base, "param d = 4\noverride param b \"B\" = 7"));
    let names: Vec<(&str, i64)> = rs.settings.iter().map(|s| (s.name.as_str(), s.value[0])).collect();
    assert_eq!(names, [("a", 1), ("b", 7), ("c", 3), ("d", 4)]);
    assert_eq!(rs.items[rs.settings[1].item.at()].from, 1);
}

#[test]
fn an_override_of_a_param_keeps_what_it_does_not_write() {
    let base = "cite A-1\nparam k \"Hits on\" = 4 sweep 3 .. 5";
    let of = |top: &str| {
        let rs = good(check_two(base, top));
        let (setting, item) = (rs.settings[0].clone(), rs.items[rs.settings[0].item.at()].clone());
        (setting.value, setting.sweep.len(), item.title, item.cites)
    };
    assert_eq!(of("override param k = 5"), (vec![5], 3, "Hits on".into(), vec!["A-1".to_string()]));
    let own = "cite A-2\noverride param k \"Own\" = 5 sweep 5, 6";
    assert_eq!(of(own), (vec![5], 2, "Own".into(), vec!["A-2".to_string()]));
}

#[test]
fn nothing_to_override() {
    let loaded =
        check_two("event E(n: Int)\nrule RattledByHits on E as e { }", "override rule RattledByHit on E as e { }");
    bad(loaded, Code::NoOverride, "did you mean `RattledByHits`?");
    bad(check("override param k = 2"), Code::NoOverride, "the rules below this file have no `param k`");
    bad(check("param k = 1\noverride param k = 2"), Code::NoOverride, "in this file");
    bad(check_two("param k = 1", "override reading k = No"), Code::NoOverride, "is a param");
    bad(check_two("param k = 1", "remove rule Kk"), Code::NoOverride, "Kk");
    let loaded = check_two("example \"one\" { 1 = 1 }", "remove example \"onn\"");
    bad(loaded, Code::NoOverride, "did you mean `one`?");
    let loaded = check_two("example \"one\" { 1 = 1 }", "override example \"onn\" { 1 = 1 }");
    bad(loaded, Code::NoOverride, "to override; did you mean `one`?");
}

#[test]
fn an_example_is_overridden_by_its_title() {
    let base = "param k = 1\nexample \"one\" { k = 1 }\nexample \"two\" { k = 1 }";
    let rs = good(check_two(base, "override param k = 2\noverride example \"two\" { k = 2 }"));
    let found: Vec<(&str, usize)> = rs.examples.iter().map(|e| (e.tree.title.text.as_str(), e.from)).collect();
    assert_eq!(found, [("one", 0), ("two", 1)]);
}

#[test]
fn remove_takes_out() {
    let base = "event E(n: Int)\nrule A on E as e { }\nlaw L = 1 == 1\nexample \"one\" { 1 = 1 }";
    let rs = good(check_two(base, "remove rule A\nremove law L\nremove example \"one\""));
    assert!(rs.rules.is_empty() && rs.laws.is_empty() && rs.examples.is_empty());
}

#[test]
fn a_head_is_kept() {
    let base = "proc f(a: Int) -> Int { return a }\nlet g(a: Int): Int = a\ntest T(a: Int) { pass when a > 0 }";
    let found = bad(
        check_two(base, "override proc f(b: Int) -> Int { return b }"),
        Code::Signature,
        "took (a: Int), but here it takes (b: Int)",
    );
    assert_eq!(found.others.len(), 1);
    bad(check_two(base, "override proc f(a: Int) { }"), Code::Signature, "return different types");
    bad(check_two(base, "override let g(a: Flag): Int = 1"), Code::Signature, "(a: Flag)");
    bad(check_two(base, "override let g(a: Int): Flag = yes"), Code::Signature, "was Int");
    bad(check_two(base, "override test T(a: 1..6) { pass when a > 0 }"), Code::Signature, "1..6");
    bad(check_two(base, "override proc g(a: Int) { }"), Code::Signature, "a let");
    let kinds = "kind K { stat s: Int = 0; let x = 1 }";
    bad(check_two(kinds, "override let K.s = 1"), Code::Signature, "not a `let`");
    bad(check_two(kinds, "override let K.x(n: Int) = n"), Code::Signature, "brackets");
    good(check_two(base, "override let g(a: Int) \"other\" = a + 1"));
    good(check_two(kinds, "override let K.x = 2"));
}

#[test]
fn open_items_are_filled() {
    let base = "kind U { stat nv: 0..6 = 1 }\nopen let U.nerve : Int \"Nerve\"\nopen proc go(u: U)\nopen phase P(u: U) \"One go\"";
    let rs = good(check(base));
    assert_eq!(rs.open.len(), 3);
    let fill = "let U.nerve = nv\nproc go(u: U) { }\nphase P(u: U) { do go(u) }";
    let rs = good(check_two(base, fill));
    assert!(rs.open.is_empty());
    let nerve = rs.items.iter().find(|i| i.name == "U.nerve");
    assert_eq!(nerve.map(|i| i.title.as_str()), Some("Nerve"));
    bad(check_two(base, "phase P(s: U) { }"), Code::Signature, "was opened with (u: U), but here it takes (s: U)");
    bad(check_two(base, "let U.nerve = yes"), Code::WrongType, "");
}

#[test]
fn variants_change_what_is_there() {
    let base = "kind U { stat nv: 0..6 = 1 }\nparam k = 1\nevent E(n: Int)";
    for (text, word) in [
        ("kind V { stat n: Int = 0 }", "kind"),
        ("extend kind U { stat n: Int = 0 }", "extend kind"),
        ("event F(n: Int)", "event"),
        ("state turn : 0..9 = 0", "state"),
        ("phase P { }", "phase"),
    ] {
        bad(check_variant(base, text), Code::NotInVariant, word);
    }
    let loaded =
        check_variant(base, "param m = 2\nrule R on E as e { }\noverride param k = m\nexample \"x\" { k = 2 }");
    none(&loaded, Code::NotInVariant);
    good(check_variant("phase P { choose action }\naction Go in P { }", "action Stay in P { }"));
    good(check_variant(base, "param m = 2\noverride param k = 3"));
}

#[test]
fn readings_are_set() {
    let base = "enum Duty { Stay, Go }\nreading a : Duty = Stay or Go because \"x\"\nreading b = One or Two because \"y\"\nreading n : Int = 0 or 2 because \"z\"";
    let rs = good(check_variant(base, "override reading a = Go\noverride reading b = Two\noverride reading n = 2"));
    let values: Vec<i64> = rs.settings.iter().map(|s| s.value[0]).collect();
    assert_eq!(values, [1, 1, 2]);
    // a reason goes with the alternative it speaks of
    let base = &base.replace("because \"y\"", "because \"y\" default because \"one is less\"");
    let why = |text| good(check_variant(base, text)).settings[1].default_because.clone();
    assert_eq!(why("override reading b = Two"), "");
    assert_eq!(why("override reading b = Two because \"we are many\""), "we are many");
    assert_eq!(why("override reading b = One"), "one is less");
    bad(check_variant(base, "override reading b = Twoo"), Code::UnknownType, "did you mean `Two`?");
    let found =
        bad(check_variant(base, "override reading b = Neither"), Code::UnknownType, "not an alternative of `b`");
    assert_eq!(found.help, "its alternatives are One or Two");
    bad(check_variant(base, "override reading n = 1"), Code::WrongType, "0 or 2");
}

#[test]
fn a_variant_may_leave_open_what_its_book_leaves_open() {
    let base = "kind U { state n: 0..6 = 1 }\nphase P(u: U) { set u.n += 1 }";
    let own =
        "reading gain = Slow or Fast because \"x\" default because \"y\"\nreading step : Int = 1 or 2 because \"z\"";
    let used = format!("{own}\noverride phase P(u: U) {{ set u.n += if gain == Slow then step else 3 }}");
    let rs = good(check_variant(base, &used));
    assert_eq!(rs.settings.iter().map(|s| s.alternatives.len()).collect::<Vec<_>>(), [2, 2]);
    bad(check_variant(&format!("{base}\nparam step = 1"), own), Code::MissingOverride, "step");
}

#[test]
fn cells_are_set() {
    let base = "enum E { A, B }\ntable t(e: E, n: 1..6): Int {\n  |   | 1 to 3 | 4, 5, 6 |\n  | A | 1 | 2 |\n  | B | 3 | 4 |\n}\ntable s(e: E): Int {\n  | A | 1 |\n  | B | 2 |\n}";
    let rs = good(check_variant(base, "override s[B] = 9"));
    let Some(ValueName::Let(func)) = rs.names.values.get("s").copied() else { panic!("no table") };
    let Body::Value(value) = &rs.functions[func.at()].body else { panic!("no value") };
    let ExprKind::Table { cells, .. } = &value.kind else { panic!("no table: {value:?}") };
    assert!(matches!(cells[1][0].kind, ExprKind::Const(9)));
    good(check_variant(base, "override t[A, 5] = 7"));
    bad(check_variant(base, "override s[C] = 9"), Code::NoOverride, "`C`");
    bad(check_variant(base, "override t[A] = 9"), Code::Arity, "2 keys");
    bad(check_variant(base, "override t[A, 7] = 9"), Code::NoOverride, "column");
    bad(check_variant(base, "override tt[A, 1] = 9"), Code::NoOverride, "tt");
}

#[test]
fn a_stand_in_is_overridden() {
    let base = "extern let f(a: Int): Int default a\nextern proc p(a: Int) default { }";
    let rs = good(check_two(base, "override let f(a: Int): Int = a + 1\noverride proc p(a: Int) { }"));
    assert!(rs.functions.iter().all(|f| !f.external));
}

#[test]
fn a_variant_may_bring_values() {
    let base = "kind U { state n: 0..6 = 0 }\nlet U.more \"More\" = n + 1\nphase P(u: U) { set u.n = u.more }";
    good(check_variant(base, "let twice(n: Int) = 2 * n\noverride let U.more \"More\" = twice(n)"));
    good(check_variant(base, "table t(n: 0..6): Int { | 0 to 6 | 3 | }\noverride let U.more \"More\" = t(n)"));
    good(check_variant(base, "tally seen\nrule R on end of P as p { set seen += 1 }"));
    good(check_variant(base, "proc twice(u: U) { set u.n += 2 }\noverride phase P(u: U) { do twice(u) }"));
    bad(check_variant(base, "let U.less \"Less\" = n - 1"), Code::NotInVariant, "cannot add a field to U");
}

#[test]
fn an_override_of_nothing_is_the_only_fault() {
    let base = "kind U { state n: 0..6 = 0 }\nlet U.more \"More\" = n + 1\nphase P(u: U) { set u.n = u.more }";
    let top = "override let U.moar = n + 2\nrule R on end of P as p { set p.u.n = p.u.moar }";
    bad(check_two(base, top), Code::NoOverride, "did you mean `U.more`?");
}

#[test]
fn a_broken_item_hides_no_other_and_is_not_missed() {
    let text = "param most = = 3\nkind U { state n: 0..9 = 0 }\nenum A { One, Two\nlet U.f = n + most\n\
                phase P(u: U) { let a = One; do z(u); set u.n = u.f + nope }\nproc z(u: U) { set u.n = }";
    let loaded = check(text);
    let codes: Vec<Code> = loaded.problems.iter().map(|p| p.code).collect();
    assert_eq!(codes, [Code::Syntax, Code::Unclosed, Code::UnknownName, Code::Syntax], "{:?}", loaded.problems);
    assert!(loaded.problems[2].message.contains("`nope`"));
}

#[test]
fn a_fraction_as_written_is_a_bound_and_a_key() {
    let table =
        "table t(r: Ratio): Int { | over 1/2 | 1 |\n | 1/2 | 2 |\n | 1/3 to under 50% | 3 |\n | under 1/3 | 4 | }";
    good(check(table));
    good(check_two(table, "override t[50%] = 7\noverride t[1/3] = 8"));
    bad(check(&table.replace("under 1/3", "under 1/4")), Code::Gap, "25% to under 1/3");
    bad(check(&table.replace("| 1/2 |", "| 2/4 to 3/4 |")), Code::Overlap, "two rows cover");
}

#[test]
fn an_empty_list_needs_a_type() {
    let found = |code: &str| check(&format!("kind U {{ state n: 0..6 = 0 }}\nphase P(u: U) {{ {code} }}"));
    bad(found("let xs = []; set u.n = size(xs)"), Code::NeedType, "`xs`");
    bad(found("var xs = []; set xs += u"), Code::NeedType, "`xs`");
    good(found("var xs: list of U = []; set xs += u; set u.n = size(xs)"));
    good(found("let xs = if u.n > 1 then [] else [u]; set u.n = size(xs)"));
    bad(check("let f(n: Int) \"F\" = []"), Code::NeedType, "type of this value");
}

#[test]
fn data_of_a_status_are_a_list_in_its_body() {
    let text = "kind U { stat nv: 0..6 = 3; state n: 0..nv = 0 }\nphase P(u: U) { grant S(w: 2) to u; set u.n += 1 }\n\
                status S(w: Int) on U { modify nv -= X }";
    good(check(&text.replace('X', "sum s in self.S of s.w")));
    let found = bad(check(&text.replace('X', "w")), Code::UnknownName, "data of S");
    assert!(found.help.contains("self.S"), "{found:?}");
}

#[test]
fn exceptions_are_whole_parts() {
    let base = "kind U { state n: 0..9 = 1 }\nreading r = A or B because \"x\"\nlet f(n: Int): Int = 2 * n + 1\nlet g(n: Int): Int = n + 3 * n\nproc p(u: U) { if u.n > 2 {\n  set u.n = 1\n} }";
    good(check(&format!("{base}\nchange let f under r = B {{\n  - 2 * n + 1\n  + 3 * n + 1\n}}")));
    // from another file too
    good(check_two(base, "change let f under r = B {\n  - 2 * n + 1\n  + n\n}"));
    let fails = |change: &str, code: Code, words: &str| bad(check(&format!("{base}\n{change}")), code, words);
    // half a block
    fails("change proc p under r = B {\n  - if u.n > 2 {\n}", Code::NoOverride, "cannot depend on a reading");
    fails("change let f under r = C {\n  - 2 * n + 1\n  + n\n}", Code::UnknownType, "r has no case `C`");
    fails("change let f under q = B {\n  - 2 * n + 1\n  + n\n}", Code::UnknownName, "`q`");
    // without `under`, a file cannot change its own items
    fails("change let f {\n  - 2 * n + 1\n  + n\n}", Code::NoOverride, "nothing to replace");
}
