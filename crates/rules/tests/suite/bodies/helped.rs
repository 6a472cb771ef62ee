//! Wrong lines, the form that the help says to write, and that this form has no finding.

use super::kit::{check, findings};
use grognard_base::Severity;

/// The help of the first error of `text`, of the parser or of the checker.
fn help(text: &str) -> String {
    let (loaded, _) = check(text);
    let wrong = |p: &&grognard_base::Diagnostic| p.code.severity() >= Severity::Warning;
    loaded.problems.iter().find(wrong).map(|p| p.help.clone()).unwrap_or_default()
}

/// The help for `around` with `wrong` in it says to write `right`, and `around` with `right` in it is good.
#[track_caller]
fn helped(around: &str, wrong: &str, right: &str) {
    let rendered = help(&around.replace("HERE", wrong));
    assert!(rendered.contains(&format!("`{right}`")), "{wrong}: {rendered}");
    clean(&around.replace("HERE", right));
}

/// The help for `wrong` names `write`, and `good` is made of it.
#[track_caller]
fn rendered(wrong: &str, write: &str, good: &str) {
    let help = help(wrong);
    assert!(help.contains(write), "{wrong}: {help}");
    clean(good);
}

#[track_caller]
fn clean(text: &str) {
    let found: Vec<_> = findings(text).into_iter().filter(|(c, ..)| c.severity() >= Severity::Warning).collect();
    assert!(found.is_empty(), "{text}\n{found:#?}");
}

#[test]
fn a_modifier_states_the_change() {
    let stat = "trait S on Unit { HERE }";
    helped(stat, "modify nv = 2 * nv", "modify nv *= 2");
    helped(stat, "modify nv = nv * 2", "modify nv *= 2");
    helped(stat, "modify nv = nv + 1", "modify nv += 1");
    helped(stat, "modify nv = nv - 1 when hits > 2", "modify nv -= 1");
    helped(stat, "modify nv = nv / 2", "modify nv *= 1/2 rounded down");
    helped(stat, "modify nv / 2", "modify nv *= 1/2 rounded down");
    helped(stat, "modify nv = max(nv, 3)", "modify nv at least 3");
    helped(stat, "modify nv = min(nv, 3)", "modify nv at most 3");
    helped(stat, "modify nv = 4", "replace nv = 4");
    helped(stat, "modify nv + 2", "modify nv += 2");
    helped(stat, "modify nv by 2", "modify nv += 2");
    helped(stat, "modify nv by -2", "modify nv -= 2");
    helped(stat, "modify self.nv += 1", "modify nv += 1");
    helped(stat, "replace u.nv = 1", "replace nv = 1");
    helped(stat, "nv += 1", "modify nv += 1");
    helped(stat, "set nv = 1", "replace nv = 1");
    helped(stat, "replace nv 5", "replace nv = 5");
    let proc = "proc p(u: Unit) { modify u.nv += 1 }";
    rendered(proc, "`set u.nv += 1`", "proc p(u: Unit) { set u.hits += 1 }");
    let status = "status Changed on Unit { modify nv += 1 }";
    rendered(proc, &format!("`{status}`"), &format!("{status}\nproc p(u: Unit) {{ grant Changed to u }}"));
}

#[test]
fn a_roll_is_a_statement_with_a_name() {
    let proc = "proc p(u: Unit) { HERE; set u.hits -= total(x) }";
    helped(proc, "let x = roll 3 of d6", "roll x = 3 of d6");
    helped(proc, "var x = roll u.nv of d6", "roll x = u.nv of d6");
    helped(proc, "roll x 3 of d6", "roll x = 3 of d6");
    helped(proc, "roll x = total(3 of d6)", "roll x = 3 of d6");
    helped(proc, "roll x = best 2 of 3d6", "roll x = 3 of d6");
    helped(proc, "roll x = 3d6 keep highest 2", "roll x = 3 of d6");
    helped(proc, "roll x = explode d6", "roll x = 1 of d6");
    let pool = "proc p(u: Unit) { roll dice = 3 of d6; HERE }";
    rendered(
        "proc p(u: Unit) { if (3 of d6) >= 5 { set u.hits -= 1 } }",
        "`any dice >= 5`",
        &pool.replace("HERE", "if any dice >= 5 { set u.hits -= 1 }"),
    );
    rendered(
        &pool.replace("HERE", "if 5 <= dice { set u.hits -= 1 }"),
        "`total(dice) >= 5`",
        &pool.replace("HERE", "if total(dice) >= 5 { set u.hits -= 1 }"),
    );
    rendered(
        &pool.replace("HERE", "set u.hits -= dice + 1"),
        "`total(dice)`",
        &pool.replace("HERE", "set u.hits -= total(dice) + 1"),
    );
    helped("proc p(u: Unit) { HERE; set u.hits -= x }", "let x = roll d6", "roll x = d6");
    helped("proc p(u: Unit) { HERE; set u.hits -= face }", "let face = -d6", "roll face = d6");
    let explode = "`explode x in dice where x == 6`";
    rendered("proc p(u: Unit) { explode d6 }", explode, &pool.replace("HERE", "explode x in dice where x == 6"));
    let most = "`total(highest(1, dice))`";
    let set = "set u.hits -= total(highest(1, dice))";
    rendered("proc p(u: Unit) { set u.hits -= max(4d6) }", most, &pool.replace("HERE", set));
    rendered("proc p(u: Unit) { roll dice = 4d6; set u.hits -= max(dice) }", most, &pool.replace("HERE", set));
}

#[test]
fn entries_of_a_list_are_found_by_nth() {
    let number = "proc p(u: Unit) { roll dice = 3 of d6; set u.hits -= HERE }";
    helped(number, "dice[0]", "(nth(1, dice) otherwise 0)");
    helped(number, "dice[2]", "(nth(3, dice) otherwise 0)");
    helped(number, "dice.first", "(nth(1, dice) otherwise 0)");
    helped("let f(s: Side): Int = HERE", "s.units[0].nv", "(nth(1, s.units).nv otherwise 0)");
    helped("proc p(s: Side) { HERE }", "set s.units[0].hits -= 1", "if nth(1, s.units) is some x { set x.hits -= 1 }");
    let table = "table t(n: 1..3): Int { | 1 to 3 | 0 | }\n";
    helped(&format!("{table}let f(n: 1..3): Int = HERE"), "t[3]", "t(3)");
}

#[test]
fn durations_end_with_a_phase() {
    let grant = "proc p(u: Unit) { grant Slow to u HERE }";
    for (wrong, right) in [
        ("until end of next Turn", "until end of Turn"),
        ("until end of this Turn", "until end of Turn"),
        ("until the end of Turn", "until end of Turn"),
        ("until end Turn", "until end of Turn"),
        ("until next Turn", "until start of Turn"),
        ("until Turn", "until start of Turn"),
        ("until end of Turn of u.side", "until end of Turn for u.side"),
        ("until end of Turn(u.side)", "until end of Turn for u.side"),
        ("for 2 rounds", "until end of Turn"),
        ("for 2 Turn", "until end of Turn"),
        ("during Turn", "until end of Turn"),
        ("until 2 rounds", "until end of Turn"),
    ] {
        helped(grant, wrong, right);
        let set = grant.replace("grant Slow to u", "set u.hits = 3");
        helped(&set, wrong, right);
    }
    helped("proc p(u: Unit) { HERE }", "grant u Slow", "grant Slow to u");
    helped("proc p(u: Unit) { HERE }", "grant Slow u", "grant Slow to u");
}

#[test]
fn rules_wait_for_what_is_announced() {
    let rule = "rule R HERE { set turn += 1 }";
    helped(rule, "on each Turn", "on start of Turn");
    helped(rule, "at end of Turn", "on end of Turn");
    helped(rule, "on begin of Turn", "on start of Turn");
    helped(rule, "on end Turn", "on end of Turn");
    helped("rule R HERE { if d.thing.nv > 2 { set turn += 1 } }", "on death of Unit as d", "on destroy of Unit as d");
    let good = "event Changed(u: Unit)\nproc p(u: Unit) { set u.hits -= 1; emit Changed(u) }\n\
                rule R on Changed as e when e.u.hits == 0 { set turn += 1 }";
    for wrong in ["set of hits", "change of Unit.hits", "hits == 0", "u.hits", "hits changes"] {
        rendered(&rule.replace("HERE", &format!("on {wrong} as e")), "`event Changed(u: Unit)`", good);
    }
}

#[test]
fn parts_of_numbers_are_products_and_quotients() {
    let whole = "let f(u: Unit): Int = HERE rounded down";
    helped(whole, "50% of u.nv", "u.nv * 50%");
    helped(whole, "half of u.nv", "u.nv / 2");
    helped(whole, "half u.nv", "u.nv / 2");
    helped(whole, "1/3 of u.nv", "u.nv / 3");
    helped(whole, "2/3 of u.nv", "2 * u.nv / 3");
    helped("let f(u: Unit): Flag = u.hits < HERE", "50% of u.nv", "u.nv * 50%");
    helped("let f(u: Unit): Int = HERE", "twice u.nv", "2 * u.nv");
    helped("let f(u: Unit): Int = HERE", "third(u.nv + 1)", "(u.nv + 1) / 3 rounded down");
    helped("let f(u: Unit): Int = HERE", "double(u.nv)", "2 * u.nv");
    helped("let f(u: Unit): Int = HERE", "clamp(u.nv, 2, 5)", "max(2, min(5, u.nv))");
    helped("let f(u: Unit): Int = HERE", "mod(u.nv, 2)", "remainder(u.nv, 2)");
    helped("let f(u: Unit): Int = HERE", "abs(u.nv - 3)", "max(u.nv - 3, -(u.nv - 3))");
    helped("let f(u: Unit): Int = HERE", "square(u.nv)", "u.nv * u.nv");
    helped("let f(a: Model, b: Model): Length = HERE", "distance(a, b)", "dist(a, b)");
    helped("param pct = 50\nlet f(u: Unit): Int = HERE * u.nv rounded down", "pct%", "pct / 100");
    helped("param share = HERE\nlet f(u: Unit): Int = share * u.nv rounded down", "0.25", "25%");
    helped("param share = HERE\nlet f(u: Unit): Int = share * u.nv rounded down", "0.125", "12.5%");
    helped("param reach = HERE\nlet f(u: Unit): Flag = u.mv > reach", "2.5", "2.5\"");
    helped("let f(u: Unit): Flag = u.hits / 6 > HERE", ".5", "50%");
}

#[test]
fn a_missing_sign_is_named() {
    helped("proc p(u: Unit) { HERE; set u.hits = x }", "let x 5", "let x = 5");
    helped("proc p(u: Unit) { HERE; set u.hits = x }", "var x be 5", "var x = 5");
    helped("proc p(u: Unit) { HERE; set u.hits = x }", "let x := 5", "let x = 5");
    for wrong in ["set u.hits 5", "set u.hits to 5", "set u.hits: 5"] {
        helped("proc p(u: Unit) { HERE }", wrong, "set u.hits = 5");
    }
    helped("proc p(u: Unit) { HERE }", "set u.hits by 2", "set u.hits += 2");
    for wrong in ["param goal 5", "param goal: 5", "param goal := 5"] {
        helped("HERE\nlet f = goal", wrong, "param goal = 5");
    }
    helped("HERE\nlet f = goal", "param goal \"Number\" 5", "param goal \"Number\" = 5");
    helped("HERE\nlet f = goal", "param goal : Int 5", "param goal : Int = 5");
    helped("extend kind Unit { HERE }", "state a : 0..3 2", "state a : 0..3 = 2");
    helped("HERE", "law L every u in Unit: u.hits < 6", "law L = every u in Unit: u.hits < 6");
}

#[test]
fn an_item_without_its_body_is_shown_with_one() {
    for (wrong, right) in [
        ("enum X", "enum X { First, Second }"),
        ("chain X", "chain X = d4 < d6 < d8"),
        ("die X", "die X of 1..3 = 1, 2, 2, 3"),
        ("kind X", "kind X { stat men : 0..20 = 10 \"Men\" }"),
        ("record X", "record X(u: Unit, n: Int)"),
        ("table x", "table x(n: 1..3): Int { | 1 to 3 | 0 | }"),
        ("reading x", "reading x = First or Second because \"what is open\""),
        ("state x", "state x : 0..9 = 0"),
        ("let x", "let x = 3"),
    ] {
        helped("HERE", wrong, right);
    }
    for (wrong, head, right) in [
        ("status X", "`status X on Unit {", "status X on Unit { modify nv += 1 }"),
        ("trait X { modify nv += 1 }", "`trait X on Unit {", "trait X on Unit { modify nv += 1 }"),
        ("condition X", "`condition X on Unit when", "condition X on Unit when hits > 2 { modify nv += 1 }"),
        ("event X", "`event X(u: Unit", "event X(u: Unit)\nrule R on X as e { set e.u.hits += 1 }"),
        ("phase X", "`phase X(side: Side) {", "phase X(side: Side) { if size(side.units) > 0 { set turn += 1 } }"),
        ("action X", "`action X in Turn {", "action X in Turn { set turn += 1 }"),
        ("rule X", "`rule X on end of Turn as t {", "rule X on end of Turn as t { set t.left += 1 }"),
        ("proc x", "`proc x(u: Unit) {", "proc x(u: Unit) { set u.hits = 0 }"),
    ] {
        rendered(wrong, head, right);
    }
}
