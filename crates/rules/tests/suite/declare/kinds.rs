//! Kinds, their fields, and what traits do to them.

use grognard_base::Code;
use grognard_base::value::{FieldId, Range, Type};
use grognard_kit::checked::{bad, check, check_two, good};
use grognard_rules::ruleset::{FieldSort, Ruleset};

fn field(rs: &Ruleset, name: &str) -> FieldId {
    let at = rs.fields.iter().position(|f| rs.items[f.item.at()].name == name);
    at.map(FieldId::from).unwrap_or_else(|| panic!("no field {name}"))
}

const ARMY: &str = "kind Side { link units : list of Unit }
kind Unit group of models {
  owner side
  link side : Side
  link models : list of Model
  link over : Unit? tree
  stat nv : 0..6 = 1
  state markers : 0..nv = 0
  let present = all m in models where m.alive
}
kind Model on board { link unit : Unit; link friends : list of Model; stat blocks : Flag = no }";

#[test]
fn a_kind_has_its_parts() {
    let rs = good(check(ARMY));
    let unit = &rs.kinds[1];
    assert_eq!(unit.owner, Some(field(&rs, "Unit.side")));
    assert_eq!(unit.tree, Some(field(&rs, "Unit.over")));
    assert_eq!(unit.group, Some((field(&rs, "Unit.models"), grognard_base::value::KindId(2))));
    assert_eq!(rs.kinds[2].blocks, Some(field(&rs, "Model.blocks")));
    let sort = |name: &str| rs.fields[field(&rs, name).at()].sort;
    assert_eq!(sort("Side.units"), FieldSort::BackLink(field(&rs, "Unit.side")));
    assert_eq!(sort("Unit.models"), FieldSort::BackLink(field(&rs, "Model.unit")));
    assert_eq!(sort("Model.friends"), FieldSort::Link);
    let markers = &rs.fields[field(&rs, "Unit.markers").at()];
    assert_eq!(markers.ty, Type::Int(Range::new(0, 6)));
    assert!(markers.low.is_some() && markers.high.is_some() && markers.default.is_some());
    assert!(matches!(rs.fields[field(&rs, "Unit.present").at()].ty, Type::List(_)));
}

#[test]
fn an_extension_adds_fields() {
    let rs = good(check_two(ARMY, "extend kind Unit { state hits : 0.. = 0 }\nlet Unit.hurt = hits > 0"));
    let names: Vec<&str> = rs.kinds[1].fields.iter().map(|f| rs.fields[f.at()].name.as_str()).collect();
    assert_eq!(names[names.len() - 2..], ["hits", "hurt"]);
    assert_eq!(rs.fields[field(&rs, "Unit.hurt").at()].ty, Type::Flag);
}

#[test]
fn faults_of_kinds() {
    bad(check("extend kind Unti { stat x: Int = 0 }"), Code::UnknownType, "Unti");
    bad(check("kind K { owner boss }"), Code::UnknownField, "`boss`");
    bad(check("kind K group of xs { stat xs: Int = 0 }"), Code::WrongType, "list of things");
    bad(check("kind K group of xs { link xs: list of L }\nkind L { link k: K }"), Code::WrongType, "on board");
    bad(check("kind K { stat x: Ratio = 50% }"), Code::WrongType, "Ratio");
    bad(check("kind K { link x: Int }"), Code::WrongType, "Int");
    bad(check("kind K { link x: L tree }\nkind L { stat y: Int = 0 }"), Code::WrongType, "from K to K");
    bad(check("kind K { stat pace(n: Int): Length = 6\" }"), Code::WrongType, "`n`");
}

#[test]
fn keys_of_stats() {
    let rs = good(check("enum Going { Clear, Rough }\nkind K { stat pace(g: Going) : Length = 6\" }"));
    assert_eq!(rs.fields[0].keys.len(), 1);
    assert_eq!(rs.fields[0].keys[0].1, 2);
}

#[test]
fn traits_change_stats_and_lets() {
    let text =
        "kind U { stat nv: 0..6 = 1; state hits: 0..9 = 0 }\nlet U.limit = 6\nphase P(u: U) { }\naction Go in P { }
trait Tough on U { replace limit = 12; modify nv += 1; forbid Go when hits > 2 }
condition Hurt on U when hits > 0 { forbid Go }
status Tired(since: Int) on U";
    let rs = good(check(text));
    assert_eq!(rs.traits[0].changes.len(), 2);
    assert_eq!(rs.traits[0].forbids.len(), 1);
    assert!(rs.traits[1].when.is_some());
    assert_eq!(rs.records[rs.traits[2].data.at()].fields.len(), 1);
    let base = "kind U { stat nv: 0..6 = 1; state hits: 0..9 = 0; stat brave: Flag = no }\n";
    bad(check(&format!("{base}trait T on U {{ replace hits = 1 }}")), Code::NotAssignable, "`hits`");
    bad(check(&format!("{base}trait T on U {{ replace nvv = 1 }}")), Code::UnknownField, "did you mean `nv`?");
    bad(check(&format!("{base}trait T on U {{ modify brave += 1 }}")), Code::WrongType, "`brave`");
    bad(check(&format!("{base}trait T on U {{ forbid Runn }}")), Code::UnknownName, "Runn");
    bad(check(&format!("{base}trait T on U {{ replace nv = 1 over Tt }}")), Code::UnknownName, "Tt");
    bad(check(&format!("{base}trait T on V {{ replace nv = 1 }}")), Code::UnknownType, "V");
}

#[test]
fn a_trait_on_an_unknown_kind_is_one_fault() {
    for text in [
        "status S on V\nlet f(n: Int) = n has S has S",
        "status S on V\nlet f(n: Int) = n.S",
        "kind U { stat n: Int = 0 }\ntrait S on V\nlet f(u: U) = u has S and u.n has S",
        "kind U { stat n: Int = 0 }\nstatus S on V\nlet f(u: U) = size(u.S)\nproc p(u: U) { grant S to u; revoke S from u }",
        "kind U { stat n: Int = 0 }\nphase P(u: U) { }\naction A in P { }\nstatus S on V when self.n > 1 { forbid A; modify n += 1 }",
    ] {
        let problems = check(text).problems;
        let unknown = problems.iter().filter(|p| p.code == Code::UnknownType).count();
        assert_eq!((unknown, problems.iter().any(|p| p.message.contains("`S` is on"))), (1, false), "{text}");
    }
}

#[test]
fn actions_see_their_phases() {
    let text = "kind U { stat n: Int = 0 }\nphase P(u: U) shares left: 0.. = 2, a: Int = 0 { choose action }\nphase Q(u: U) shares left: 0.. = 1 { choose action }\naction Go in P, Q { cost 1 left }";
    let rs = good(check(text));
    let shared: Vec<&str> = rs.ambients.iter().map(|a| a.name.as_str()).collect();
    assert!(shared.contains(&"left") && shared.contains(&"u"));
    assert!(rs.ambients.iter().all(|a| a.cases.len() == 2));
}
