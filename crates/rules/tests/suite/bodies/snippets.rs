//! Strings of scenarios.

use super::kit::good;
use super::show;
use grognard_base::value::*;
use grognard_base::{Code, FileId, Source};
use grognard_rules::checker::{Checker, ScopeSort};
use grognard_rules::code::Function;
use grognard_rules::ruleset::Ruleset;
use grognard_syntax as syntax;

/// A unit called `laans`, a model called `voss`.
fn things(name: &str) -> Option<(KindId, i64)> {
    match name {
        "laans" => Some((KindId(1), 0)),
        "voss" => Some((KindId(2), 3)),
        _ => None,
    }
}

fn ask<T>(text: &str, how: impl Fn(&mut Checker<'_>, &grognard_syntax::tree::Expr) -> T) -> (Ruleset, T, Vec<Code>) {
    let rs = good("proc p(u: Unit) { choose lost in u.models or none; choose way { a_way => { }; b_way => { } } }");
    let source = Source::new("scenario", text);
    let tree = syntax::parse_expr(FileId(9), &source).expect("an expression");
    let mut checker = Checker::new(rs, &things);
    let made = how(&mut checker, &tree);
    let codes = checker.problems.iter().map(|p| p.code).collect();
    (checker.rs, made, codes)
}

fn expr(text: &str) -> (String, Vec<Code>) {
    let (rs, f, codes) = ask(text, |c, e| c.snippet_expr(Checker::bare_scope(ScopeSort::Snippet), e, None));
    (shown(&rs, &f), codes)
}

fn shown(rs: &Ruleset, f: &Function) -> String {
    show::function(rs, f).split_once(" = ").map(|(_, code)| code.to_string()).unwrap_or_default()
}

#[test]
fn things_places_and_inches() {
    assert_eq!(expr("laans.hits == 1").0, "Eq(Unit@0.hits, 1)");
    assert_eq!(expr("voss.at == [26, 20.5]").0, "EqCells(Model@3.at, Point(26000mil, 20500mil))");
    assert_eq!(expr("dist(laans, voss) <= 2").0, "Le(Dist(PlaceOf(Unit@0), PlaceOf(Model@3)), 2000mil)");
    assert_eq!(expr("voss.at != was voss.at").0, "Not(EqCells(Model@3.at, was Model@3.at))");
    assert_eq!(expr("throws > 2").0, "Gt(tally.throws, 2)");
    assert_eq!(expr("lans.hits == 1").1, [Code::UnknownName]);
}

#[test]
fn picks() {
    let lost =
        |c: &Checker<'_>, name: &str| SiteId::from(c.rs.sites.iter().position(|s| s.name == name).expect("a site"));
    let (rs, f, codes) = ask("voss", |c, e| c.snippet_pick(lost(c, "lost"), e));
    assert_eq!((shown(&rs, &f).as_str(), codes.len()), ("3", 0));
    let (_, _, codes) = ask("laans", |c, e| c.snippet_pick(lost(c, "lost"), e));
    assert_eq!(codes, [Code::WrongType]);
    let (rs, f, _) = ask("b_way", |c, e| c.snippet_pick(lost(c, "way"), e));
    assert_eq!(shown(&rs, &f), "1");
    let (rs, pick, codes) = ask("Go(unit: laans)", |c, e| c.snippet_menu(e).expect("a pick"));
    assert_eq!(codes, []);
    assert_eq!(rs.actions[pick.action.at()].name, "Go");
    assert_eq!(pick.given.len(), 1);
}
