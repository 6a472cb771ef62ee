//! What is said about rules without errors.

use grognard_base::Code;
use grognard_kit::checked::{bad, check, check_two, good, none};
use grognard_rules::reads::reads_of_all;

const U: &str = "kind U { stat nv: 0..6 = 1; state hits: 0..9 = 0; state doubts: 0..9 = 0 }\nlet U.limit \"L\" = 6\n";

fn with_u(text: &str) -> grognard_rules::Loaded {
    check(&format!("{U}{text}"))
}

#[test]
fn bounds_in_a_circle() {
    bad(check("kind K { state a: 0..b = 0; state b: 0..a = 0 }"), Code::Circle, "whose bound depends on");
    bad(check("kind K { state a: 0..c = 0 }\nlet K.c \"C\" = a + 1"), Code::Circle, "`K.a` itself");
    none(&check("kind K { state a: 0..b = 0; state b: 0..c = 0; stat c: 0..6 = 0 }"), Code::Circle);
}

#[test]
fn traits_in_a_circle() {
    bad(with_u("condition C on U when limit > 3 { replace limit = 1 }"), Code::Circle, "which `C` changes");
    bad(with_u("trait T on U { replace limit = limit + 1 }"), Code::Circle, "the change of `T` to `limit`");
    none(&with_u("condition C on U when hits > 3 { replace limit = nv }"), Code::Circle);
}

#[test]
fn two_replaces_conflict() {
    let found = bad(
        with_u("trait A on U { replace limit = 1 }\ntrait B on U { replace limit = 2 }"),
        Code::Conflict,
        "A and B",
    );
    assert_eq!(found.others.len(), 1);
    none(&with_u("trait A on U { replace limit = 1 }\ntrait B on U { replace limit = 2 over A }"), Code::Conflict);
    none(
        &with_u("trait A on U { replace limit = 1 }\ntrait B on U { replace limit = 2 when hits > 0 }"),
        Code::Conflict,
    );
    none(&with_u("trait A on U { replace limit = 1 }\ntrait B on U { modify limit += 2 }"), Code::Conflict);
}

#[test]
fn guards_look_early() {
    let two = |guard: &str| {
        with_u(&format!(
            "event E(u: U)\nrule A on E as e {{ set e.u.hits += 1 }}\nrule B on E as e when {guard} {{ set e.u.doubts += 1 }}"
        ))
    };
    bad(two("e.u.hits > 2"), Code::GuardOrder, "B reads `hits` from before A");
    none(&two("e.u.nv > 2"), Code::GuardOrder);
}

#[test]
fn limits_without_a_frame() {
    let text = |per: &str| {
        format!(
            "{U}phase Turn {{ }}\nphase P(u: U) {{ choose action }}\naction Go in P {{ limit 1 per {per}; set u.hits += 1 }}"
        )
    };
    bad(check(&text("Turn")), Code::ScopeMaybe, "Go is limited per Turn, but P can run without one");
    none(&check(&text("P")), Code::ScopeMaybe);
}

#[test]
fn loops_without_end() {
    let text = |line: &str, header: &str| {
        format!("{U}phase P(u: U) shares left: 0.. = 2 {{ {line} }}\naction Go in P {{ {header}\n set u.hits += 1 }}")
    };
    bad(check(&text("repeat choose action", "")), Code::EndlessLoop, "Go costs nothing");
    none(&check(&text("repeat choose action or stop", "")), Code::EndlessLoop);
    none(&check(&text("repeat choose action while left > 0", "")), Code::EndlessLoop);
    none(&check(&text("repeat choose action", "cost 1 left")), Code::EndlessLoop);
    none(&check(&text("repeat choose action", "limit 1 per P")), Code::EndlessLoop);
    none(&check(&text("choose action", "")), Code::EndlessLoop);
}

#[test]
fn dice_that_always_explode() {
    let text = |filter: &str| {
        format!("test T(n: Int) {{ roll dice = n of d6; explode x in dice{filter}; pass when any dice >= 4 }}")
    };
    bad(check(&text(" where x >= 1")), Code::ExplodeAll, "explode");
    none(&check(&text(" where x == 6")), Code::ExplodeAll);
}

#[test]
fn rules_that_never_apply() {
    bad(with_u("event E(u: U)\nrule A on E as e when no { set e.u.hits = 1 }"), Code::Dead, "A can never apply");
}

#[test]
fn unused_things() {
    for (text, words) in [
        ("param k = 1", "param `k` is never read"),
        ("reading r = A or B because \"x\"", "reading `r`"),
        ("let f(n: Int) = n", "let `f`"),
        ("table t(n: 1..2): Int {\n  | 1 | 1 |\n  | 2 | 2 |\n}", "table `t`"),
        ("state turn : 0..9 = 0", "state `turn`"),
    ] {
        bad(check(text), Code::Unused, words);
    }
    bad(check("kind K { stat x: Int = 0 }"), Code::Unused, "stat `K.x`");
    bad(check("kind K { state x: Int = 0 }"), Code::Unused, "state `K.x`");
    bad(check("kind K { link k: K? }\nstatus S on K"), Code::Unused, "status `S`");
}

#[test]
fn used_things() {
    none(&check("let f(n: Int) \"for the reader\" = n"), Code::Unused);
    none(&check("param k = 1\nlaw L = k > 0"), Code::Unused);
    // odds may ask what it gives
    none(&check("proc p(n: Int) { }"), Code::Unused);
    none(&check("let f(n: Int) = n\nexample \"x\" { f(1) = 1 }"), Code::Unused);
    // What a base leaves unused an extension may use; the base itself is judged alone.
    none(&check_two("param k = 1", ""), Code::Unused);
    none(&check("param k = 1\nopen proc p(n: Int)"), Code::Unused);
}

#[test]
fn reads_go_through_what_is_called() {
    let text = "kind U { link boss: U? tree; stat nv: 0..6 = 1; stat ld: 0..6 = 1; state hits: 0..9 = 0 }
param lowest = 1
let U.rank : Int \"R\" = if boss is some b then b.rank + nv else ld
let U.limit \"L\" = nv + lowest
trait Tough on U { replace limit = ld }
let over(u: U) \"O\" = u.hits > u.limit";
    let rs = good(check(text));
    let reads = reads_of_all(&rs);
    let named = |set: &grognard_base::value::IdSet<grognard_base::value::FieldId>| -> Vec<String> {
        set.iter().map(|f| rs.fields[f.at()].name.clone()).collect()
    };
    let of = |name: &str| {
        let at = rs.functions.iter().position(|f| f.name == name && rs.items[f.item.at()].word == "let");
        &reads[at.unwrap_or_else(|| panic!("no {name}"))]
    };
    let over = of("over");
    assert_eq!(named(&over.fields), ["nv", "ld", "hits", "limit"]);
    assert_eq!(named(&over.fields_of_self), ["nv", "ld", "hits", "limit"]);
    assert_eq!(over.settings.len(), 1);
    assert_eq!(over.traits.len(), 1);
    // Through the boss, the same fields are read of others too.
    assert_eq!(named(&of("U.rank").fields), ["boss", "nv", "ld", "rank"]);
    assert!(of("U.rank").fields_of_self.is_empty());
}

#[test]
fn a_policy_uses_what_it_looks_at() {
    let text = "param most = 3\nkind U { state m: 0..6 = 0; stat nv: 0..6 = 2 }\n\
        let U.brave = m > 4\nlet U.bold = m + nv\nlet wise(u: U) = u.m < most\n\
        phase P(u: U) { choose action; choose target in U; set target.m += 1 }\n\
        action Go in P { set u.m += 1 }\naction Stay in P { set u.m -= 1 }\n\
        policy Q { action = Go when u.brave, Stay when wise(u); target = most target.bold }";
    none(&check(text), Code::Unused);
    bad(check(&text.replace("Go when u.brave", "Go")), Code::Unused, "`U.brave`");
}
