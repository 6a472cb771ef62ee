//! Inside `report/map/labels`.

use grognard_report::map::labels::*;

#[test]
fn labels_keep_off_each_other() {
    let mut labels = Labels::new(Area { left: 0, top: 0, right: 400, bottom: 400 });
    let thing = Area::around(200, 200, 6, 6);
    labels.keep(thing);
    let mut boxes = vec![thing];
    for _ in 0..8 {
        let (x, y) = labels.beside("lancer", thing);
        let area = Area::around(x, y, width("lancer") / 2, HEIGHT / 2 - 1);
        assert!(boxes.iter().all(|b| b.shared(&area) == 0));
        boxes.push(area);
    }
}

#[test]
fn at_an_edge_they_go_inward() {
    let mut labels = Labels::new(Area { left: 0, top: 0, right: 400, bottom: 400 });
    let (x, _) = labels.beside("a long name", Area::around(396, 200, 4, 4));
    assert!(x + width("a long name") / 2 <= 400);
}
