//! Inside `board/motion/sectors`.

use grognard_board::CIRCLE;
use grognard_board::Way;
use grognard_board::motion::bound::Limits;
use grognard_board::motion::sectors::*;
use grognard_board::motion::{Line, Problem, Thing};
use grognard_board::{Body, Point, Table};

#[test]
fn a_sector_allows_what_any_of_its_bearings_allows() {
    let mut seed = 5u64;
    let mut below = |n: i64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as i64 % n
    };
    let (mut open, mut shut) = (0, 0);
    for _ in 0..300 {
        let mut disc = || Body::disc(Point::new(below(24_000), below(24_000)), 250 + 250 * below(4));
        let (mover, friends) = (disc(), vec![disc(), disc()]);
        let foes: Vec<Vec<Body>> = (0..3).map(|_| vec![disc(), disc()]).collect();
        let things = (0..8).map(|n| Thing::new(n, disc())).collect();
        let target = vec![disc()];
        let least = 1_000 * below(5);
        let mut lines = vec![Line::AtLeast(least), Line::AtMost(least + 1_000 * below(6)), Line::NoNearerTo(foes)];
        match below(3) {
            0 => lines.push(Line::Toward(target)),
            1 => lines.push(Line::EndsWithin { distance: 2_000 + 1_000 * below(6), of: friends }),
            _ => {}
        }
        let problem = Problem {
            movers: vec![mover],
            table: Table { width: 24_000, height: 24_000 },
            things,
            lines: lines.into_iter().enumerate().collect(),
            grid: 1_000,
            judge: &mut |_, _| true,
        };
        let limits = Limits::of(&problem);
        let sectors = Sectors::of(|way, error| limits.longest_about(way, error));
        for bearing in (0..CIRCLE).step_by(7) {
            let Some(longest) = limits.longest(&Way::bearing(bearing)) else { continue };
            assert!(sectors.worth(bearing).is_some_and(|worth| worth >= longest), "{bearing} {:?}", problem.lines);
            assert!(sectors.open_about(bearing, 0) && sectors.open_about((bearing + 1_300) % CIRCLE, 1_300));
            open += 1;
        }
        shut += sectors.most.iter().filter(|most| most.is_none()).count();
    }
    assert!(open > 10_000 && shut > 3_000, "{open} {shut}");
}
