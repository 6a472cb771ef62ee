//! The shipped rulesets on the workbench.

use super::bench::Bench;
use grognard_kit::Shipped;

fn squads(path: &str) -> Bench {
    let mut b = Bench::load(path, &Shipped::default());
    b.thing("Side", "red", None, &[]).thing("Side", "blue", None, &[]);
    b.thing("Unit", "laans", None, &[("side", 0), ("ld", 2), ("nv", 3), ("start", 2)]);
    b.thing("Unit", "raiders", None, &[("side", 1), ("ld", 2), ("nv", 3), ("start", 1)]);
    b.thing("Model", "l1", Some((10, 10)), &[("unit", 0)]);
    b.thing("Model", "l2", Some((11, 10)), &[("unit", 0)]);
    b.thing("Model", "r1", Some((12, 30)), &[("unit", 1)]);
    b
}

#[test]
fn markers_lower_nerve() {
    let mut b = squads("warstrike/action-phase");
    assert_eq!(b.value("laans.nerve"), "3");
    b.run("emit SuppressingAttack(laans, 5)").expect("pinned");
    assert_eq!(b.value("laans.markers"), "3");
    assert_eq!(b.value("laans.nerve"), "1");
    assert_eq!(b.value("laans.suppressed"), "yes");
    assert_eq!(b.value("size(laans.present)"), "2");
    assert_eq!(b.value("laans.strength"), "1");
}

#[test]
fn an_activation_under_fire() {
    let mut b = squads("warstrike/action-phase");
    b.run("emit SuppressingAttack(laans, 3)").expect("pinned");
    b.hand.faces = vec![5, 1];
    b.hand.picks = vec!["yes".into(), "GetDown".into(), "1".into()];
    b.run("run Activation(laans)").expect("activation");
    assert_eq!(b.value("laans.markers"), "1");
    assert_eq!(b.value("laans has GoneToGround"), "yes");
}
