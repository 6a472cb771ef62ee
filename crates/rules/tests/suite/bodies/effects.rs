//! What may happen where: tests, ends of bodies, headers of actions, looking back.

use super::kit::{bad, good, helps};
use grognard_base::Code;

#[test]
fn tests_do_not_write() {
    bad(Code::TestWrites, "test T(u: Unit) { set u.hits = 1; pass when yes }", "sets something on the table");
    bad(Code::TestWrites, "test T(u: Unit) { do heal(u); pass when yes }", "calls a proc");
    bad(Code::TestWrites, "test T(u: Unit) { move u { at most 2\" }; pass when yes }", "moves a thing");
    good(
        "test T(u: Unit) { var x = 1; set x += 2; let t = test Nerve(u); choose m in u.models or none; pass when t.passed }",
    );
}

#[test]
fn every_path_ends_once() {
    bad(Code::NoResult, "test T(u: Unit) { if u.hits > 1 { pass when yes } }", "T can end without `pass`");
    bad(Code::NoResult, "test T(u: Unit) { pass when yes; pass when no }", "twice");
    bad(Code::NoResult, "test T(u: Unit) -> Mood { roll x = d6 }", "T can end without `grade`");
    bad(Code::TestPath, "test T(u: Unit) -> Mood { pass when yes }", "has both `pass` and `grade`");
    bad(Code::TestPath, "test T(u: Unit) { grade Wild }", "declares no grade");
    bad(Code::NoResult, "proc p(u: Unit) -> Flag { if u.hits > 1 { return yes } }", "`p` can end without a `return`");
    bad(Code::NoResult, "proc p(u: Unit) -> Flag { return }", "has no value");
    bad(Code::WrongType, "proc p(u: Unit) { return 3 }", "`p` does not return a value");
    good(
        "proc p(u: Unit) -> Flag { match u.cover {\n Bare => return yes\n else => { if u.hits > 1 { return no } else { return yes } }\n } }",
    );
    good(
        "test T(u: Unit) { match u.cover {\n Bare => pass when yes\n else => { if u.hits > 1 { pass when no } else { pass when yes } }\n } }",
    );
}

#[test]
fn nothing_to_leave() {
    bad(Code::Scope, "proc p(u: Unit) { stop }", "only in a `repeat` or an `each`");
    bad(Code::Scope, "proc p(u: Unit) { end Turn }", "is allowed only in Turn");
    bad(Code::Scope, "proc p(u: Unit) { cancel action }", "in a rule on the start of one");
    bad(Code::Scope, "proc p(u: Unit) { choose action }", "must be in a phase");
    bad(Code::Scope, "test T(u: Unit) { if u.hits > 1 { return }; pass when yes }", "not with `return`");
    bad(Code::Scope, "proc p(u: Unit) { pass when yes }", "result of a test");
    good("proc p(u: Unit) { each m in u.models { if m.hurt { stop } }; repeat { stop } }");
    good("action A in Turn { end Turn }\nrule R on end of Go as a { end Turn }");
}

#[test]
fn writes_go_to_what_changes() {
    bad(Code::NotAssignable, "proc p(u: Unit) { set u.nv = 1 }", "`nv` is a stat");
    bad(Code::NotAssignable, "proc p(u: Unit) { set u.leader = none }", "`leader` is derived");
    bad(Code::NotAssignable, "proc p(u: Unit) { let x = 1; set x = 2 }", "`x` is a `let`");
    bad(Code::NotAssignable, "proc p(u: Unit) { set u = u }", "`u` is a parameter");
    bad(Code::NotAssignable, "rule R on Hit as h { set h.amount = 1 }", "part of an event");
    bad(Code::TallyRead, "let f(u: Unit) = throws > 3", "can only be counted");
    good(
        "proc p(u: Unit) { set throws += 1; set turn += 1; set u.boss = none; set u.side.units += u; var xs: list of Unit = []; set xs += u; set xs += u.side.units }",
    );
    good("phase P(u: Unit) shares n: Int = 0 { set n += 1 }");
}

#[test]
fn looking_back() {
    bad(Code::Capture, "let f(u: Unit) = was u.hits > 1", "`was` is allowed only");
    bad(Code::Capture, "proc p(u: Unit) { if earlier == [] { do heal(u) } }", "`earlier` is allowed only");
    good("proc p(u: Unit, v: Unit) { move u { at most 2\" ; ends where dist(u, v) < was dist(u, v) } }");
    good(
        "proc p(u: Unit) { each m in u.models { move m { at most 2\"; ends within 1\" of earlier when earlier != [] } } }",
    );
}

#[test]
fn headers() {
    bad(
        Code::HeaderOnly,
        "action A in Turn by unit { choose unit in side.units; do heal(unit); needs unit.hits == 0 }",
        "header of an action",
    );
    bad(Code::HeaderOnly, "proc p(u: Unit) { needs u.hits > 1 }", "header of an action");
    bad(
        Code::Late,
        "action A in Turn { choose 1 .. of some_units in side.units; choose one in side.units; do heal(one) }",
        "single choice after",
    );
    bad(
        Code::Late,
        "action A in Turn { choose 1 .. of picked in side.units; needs size(picked) > 1; each p in picked { do heal(p) } }",
        "`picked`",
    );
    bad(Code::UnknownName, "action A in Turn { cost 1 lefd; end Turn }", "did you mean `left`?");
    good(
        "action A in Other { let reach = 2 * unit.mv; choose route in routes(unit, reach); needs route.goal within 3\" of unit; limit 1 per Turn for unit when unit.hits > 1; move unit { along route } }",
    );
}

#[test]
fn guards_bind_into_bodies() {
    good("rule R on Hit as h when h.target.boss is some b and b.hits > 0 { do heal(b) }");
    good(
        "proc p(u: Unit) { may rest when u.boss is some b { do heal(b) }; choose way { a when u.leader is some l => destroy l \"gone\"; b => { } } }",
    );
    good("let f(u: Unit) = sum v in u.side.units where v.leader is some l of l.rank");
    bad(Code::UnknownName, "proc p(u: Unit) { if u.boss is some b { }; do heal(b) }", "`b`");
}

#[test]
fn policies() {
    good("policy P { action = Go when unit.hits == 0, Rest when unit.nv > 1, stop }");
    good(
        "proc p(u: Unit) { choose lost in u.models or none; may run_off { }; choose way { left_way => { }; right_way => { } }; each m in u.models chosen as nxt { set m.hurt = yes } }\npolicy P { lost = most lost.rank, none; run_off = no when u.hits > 1, yes; way = right_way; nxt = least m.rank }",
    );
    bad(Code::UnknownName, "policy P { action = Goe }", "did you mean `Go`?");
    // only a rank is computed for each choice, so elsewhere the choice has no value
    for entry in ["lost = none when lost.rank > 1", "lost = lost"] {
        let policy = format!("proc p(u: Unit) {{ choose lost in u.models or none }}\npolicy P {{ {entry} }}");
        bad(Code::UnknownName, &policy, "`lost` is in scope only inside its { }");
    }
    bad(
        Code::WrongType,
        "proc p(u: Unit) { may run_off { } }\npolicy P { run_off = most u.hits }",
        "no values to rank",
    );
    bad(
        Code::UnknownName,
        "proc p(u: Unit) { choose way { left_way => { }; right_way => { } } }\npolicy P { way = rigth_way }",
        "did you mean `right_way`?",
    );
}

#[test]
fn moves_go_on_after_what_they_meet() {
    let put = |lines: &str, rows: &str| {
        format!("proc p(m: Model, d: Length) {{ move m {{ {lines}; stops on contact }} on meeting {{ {rows} }} }}")
    };
    good(&put("exactly d", "some Model(x) => destroy x\n else => stop"));
    good(&put(
        "at most d as left",
        "set m.unit.hits += 1\n some Model(x) => { if left > 1\" { set left -= 1\" } }\n else => stop",
    ));
    good(
        "proc p(m: Model) -> Length { let leg = move m { exactly 2\" as left; at most 3\" } on meeting { none => { if leg.covered == 0\" { stop } }\n else => return left }\n return left }",
    );
    good(
        "proc p(m: Model) { move m { exactly 1\" } on meeting { else => stop }; move m { exactly 2\" } on meeting { else => stop } }",
    );
    bad(Code::Gap, &put("exactly d", "some Model(x) => destroy x"), "none");
    // of what rows cover nothing is said where one of them is wrong
    bad(
        Code::UnknownType,
        &put("exactly d", "some Modle(x) => destroy x\n none => stop\n else => stop"),
        "there is no kind `Modle`; did you mean `Model`?",
    );
    bad(Code::UnknownType, &put("exactly d", "some Modle(x) => destroy x"), "there is no kind `Modle`");
    bad(Code::Scope, &put("toward m", "else => stop"), "needs a length that is counted down");
    bad(Code::Scope, &put("exactly d; at most 3\"", "else => stop"), "it is not clear which length is counted down");
    bad(
        Code::Scope,
        "proc p(m: Model) { move m { exactly 2\" as left } }",
        "`left` counts the remaining length for `on meeting`",
    );
    bad(
        Code::Scope,
        "proc p(m: Model) { move m { exactly 2\" } on meeting { else => stop } else destroy m }",
        "cannot be combined",
    );
    bad(Code::Units, &put("exactly 3", "else => stop"), "expected a length in inches");
    good("let f(a: Unit, b: Unit, c: Unit) = a nearer to b than to c and not b nearer to c than to a");
    bad(Code::WrongType, "let f(a: Unit) = a nearer to a than to 3", "expected Place");
}

/// What cannot wait for the end of `all at once` is refused.
#[test]
fn some_changes_cannot_wait() {
    let block = |line: &str| format!("proc p(u: Unit, v: Unit) {{ each w in Unit {{ all at once {{ {line} }} }} }}");
    for (line, what) in [
        ("do heal(u)", "`do` cannot wait"),
        ("let x = do heal(u)", "`do` cannot wait"),
        ("emit Hit(u, 1)", "`emit` cannot wait"),
        ("return", "`return` cannot wait"),
        ("merge u into v", "`merge` cannot wait"),
        ("stop", "only in a `repeat`"),
        ("set u.hits = 1 until end of Turn for v.side", "`for` cannot wait"),
        ("set u.side.units += [u]", "a list cannot wait"),
        ("all at once { set u.hits = 1 }", "already inside"),
    ] {
        bad(Code::Scope, &block(line), what);
    }
    bad(Code::Missing, &block("destroy u.boss"), "the thing to destroy can be missing");
    let block = |line: &str| format!("proc p(u: Unit, v: Unit) {{ all at once {{ {line} }} }}");
    good(&block("set u.hits += v.hits; set v.hits = 1; set u.boss = none; destroy v \"why\"; set turn += 1"));
    good(&block("let t = test Nerve(u); each m in u.models { if t.passed { stop }; destroy m }"));
    // the loop belongs into the block
    bad(Code::InTurn, "proc p() { each u in Unit { all at once { each v in Unit { destroy v } } } }", "loses its turn");
}

/// Who may have been destroyed by an earlier call does not act unless somebody asks whether it lives.
#[test]
fn the_fallen_do_not_shoot_back() {
    let shoot = "proc shoot(u: Unit, v: Unit) { roll aim = d6; if aim > 3 { destroy v } }\n";
    let volley = "proc volley(u: Unit, v: Unit) { do shoot(u, v) }\n";
    let duel = |lines: &str| format!("{shoot}{volley}proc duel(a: Unit, b: Unit) {{ {lines} }}");
    let message = "`b` may have been destroyed above";
    bad(Code::InTurn, &duel("do shoot(a, b); do shoot(b, a)"), message);
    bad(Code::InTurn, &duel("do volley(a, b); do volley(b, a)"), message);
    bad(Code::InTurn, &duel("do shoot(a, b); if a.hits > 1 { do shoot(b, a) }"), message);
    good(&duel("do shoot(a, b); if b.alive { do shoot(b, a) }"));
    good(&duel("do shoot(a, b); if not b.alive { return }; do shoot(b, a)"));
    good(&duel("do shoot(a, b); do shoot(a, b.boss otherwise a)"));
    good(&duel("if a.hits > 1 { do shoot(a, b) } else { do shoot(b, a) }"));
}

/// A thing that may be gone is not changed, whatever may have destroyed it.
#[test]
fn what_may_be_gone_is_not_changed() {
    let with = |lines: &str| {
        format!(
            "proc k(u: Unit) {{ roll aim = d6; if aim > 3 {{ destroy u }} }}\n\
             proc hit(u: Unit) {{ set u.hits += 1 }}\n\
             proc fight(u: Unit) {{ roll aim = d6; set turn += aim }}\n\
             proc p(a: Unit, b: Unit) {{ {lines} }}"
        )
    };
    let message = "`b` may have been destroyed above";
    for lines in [
        "if b.hits <= 0 { destroy b }; set b.hits = 1",
        "if b.hits <= 0 { destroy b }; do fight(b)",
        "if b.hits <= 0 { destroy b }; do hit(b)",
        "match b.cover {\n Bare => destroy b\n else => set turn += 1\n }; set b.hits = 1",
        "do k(b); set b.hits = 1",
        "if a.hits > 1 { do k(b) }; destroy b",
        "each m in a.models { if m.hurt { destroy b } }",
        "each m in a.models { set b.hits += 1; if m.hurt { destroy b } }",
        "if a.hits > 1 { destroy b } else if a.mood == Wild { return }; each m in a.models { set b.hits += 1 }",
    ] {
        bad(Code::InTurn, &with(lines), message);
    }
    bad(Code::InTurn, &with("each u in Unit { do k(u); set u.hits = 1 }"), "`u` may have been destroyed above");
    for lines in [
        "if b.hits <= 0 { destroy b } else { set b.hits = 1 }",
        "if b.hits <= 0 { destroy b; return }; set b.hits = 1",
        "if b.hits <= 0 { destroy b }; if b.hits > 0 { set b.hits = 1 }",
        "if b.hits <= 0 { destroy b }; if b.alive { do hit(b) }",
        "let x = a.hits > 1; if x { destroy b }; if not x { set b.hits = 1 }",
        "each m in a.models { set b.hits += 1; if m.hurt { destroy b; stop } }",
        "each u in Unit { set u.hits = 1; do k(u) }",
        "if turn == 1 { destroy b }; if turn == 2 { set b.hits = 1 }",
        "var safe = no; if turn == 1 { destroy b } else { set safe = yes }; if safe { set b.hits = 1 }",
        "do k(b); set a.hits = 1",
        "each m in a.models { if b.alive { set b.hits += 1; if m.hurt { destroy b } } }",
    ] {
        good(&with(lines));
    }
}

/// A test for death inside `all at once` looks at the table before the block.
#[test]
fn changes_of_a_block_are_not_seen_in_it() {
    let block = |lines: &str| {
        format!("let dead(u: Unit) : Flag = u.hits > 5\nproc p(u: Unit, v: Unit) {{ all at once {{ {lines} }} }}")
    };
    for lines in [
        "set v.hits += 3; if v.hits == 6 { destroy v }",
        "each w in Unit { set w.hits += 3; if w.hits == 6 { destroy w } }",
        "set v.hits += 3; let gone = v.hits == 6; if gone { destroy v }",
        "set v.hits += 3; set turn = if v.hits == 6 then 1 else 0",
        "set v.hits += 3; if dead(v) { destroy v }",
        "grant Slow to v; if v has Slow { set v.hits += 1 }",
        "destroy v; if not v.alive { set turn += 1 }",
        "set v.mood = Wild; match v.mood {\n Wild => destroy v\n else => set turn += 1\n }",
    ] {
        bad(Code::Whom, &block(lines), "this reads the table before the block");
    }
    for lines in [
        "set v.hits = u.hits; set u.hits = v.hits",
        "if v.hits == 3 { destroy v }; set v.hits += 3",
        "set v.hits += 3; if u.hits == 6 { destroy u }",
        "if u.hits == 2 { set v.hits += 3 } else { if v.hits == 6 { destroy v } }",
        "set v.hits += 3; if v has Slow { destroy v }",
    ] {
        good(&block(lines));
    }
    good(
        "proc p(u: Unit, v: Unit) { all at once { set u.hits += 3; set v.hits += 3 }; each w in [u, v] { if w.hits == 6 { destroy w } } }",
    );
}

/// What ends with the turn that runs is over before the other side has its own, also where a loop finds who bears it.
#[test]
fn an_effect_on_the_other_side_is_over_early() {
    let with =
        |line: &str| format!("let Unit.foes = all o in Unit where o.side != side\nphase T(s: Side) {{ {line} }}");
    for line in [
        "each u in s.units { each f in u.foes { grant Slow to f until end of T } }",
        "each f in Unit where f.side != s { grant Slow to f until end of T }",
        "each u in s.units { choose f in u.foes; grant Slow to f until end of T }",
    ] {
        helps(Code::Lasting, &with(line), "not the T of `f`", "`until end of T for f.side`");
    }
    good(&with("each f in Unit where f.side != s { grant Slow to f until end of T for f.side }"));
    good(&with("each u in s.units { each o in Unit where o != u and o.side == s { grant Slow to o until end of T } }"));
}
