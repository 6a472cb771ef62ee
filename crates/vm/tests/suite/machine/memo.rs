//! Derived figures that are kept from question to question come to what they come to when each is worked out anew, whatever
//! has changed in between: of code that is given a list nothing is kept.

use super::bench::Bench;

const RULES: &str = r#"
kind Team { stat flag : Int = 0 }
kind Unit on board {
  link  team  : Team?
  state hurt  : 0..99 = 0
  state won   : 0..99 = 0
  let   mates = all u in Unit where u.team == team and u != self
}
kind Post on board { stat flag : Int = 0 }
status Marked(weight: Int) on Unit
status Watched on Unit
state bonus  : 0..99 = 0
state looks  : 0..99 = 0
state agreed : 0..99 = 0

let near(u: Unit): Int = count p in Post where dist(p, u) < 4"
let watch(u: Unit): Int = if u has Watched then count v in Unit where not (v has Watched) else 0
let worth(u: Unit): Int =
  (sum m in u.mates of m.hurt) + 10 * near(u) + (sum w in u.Marked.weight of w) + watch(u) + bonus * (count v in u.mates where v.hurt > 2)

let anew(us: list of Unit): Int = sum u in us of (
  (sum m in Unit where m.team == u.team and m != u of m.hurt) + 10 * (count p in Post where dist(p, u) < 4") +
  (sum w in u.Marked.weight of w) + (if u has Watched then count v in Unit where not (v has Watched) else 0) +
  bonus * (count v in Unit where v.team == u.team and v != u and v.hurt > 2))

proc look() {
  set looks += 1
  choose best in Unit prefer most worth(best)
  choose other in Unit prefer most anew([other])
  set best.won += 1
  if best == other { set agreed += 1 }
}
proc story(a: Unit, b: Unit, c: Unit, d: Unit, red: Team, blue: Team, hill: Post, far: Post) {
  do look()
  set a.hurt = 30
  do look()
  set b.hurt = 60
  do look()
  grant Marked(weight: 90) to a
  do look()
  grant Marked(weight: 95) to d
  do look()
  revoke Marked from d
  do look()
  revoke Marked from a
  do look()
  set d.team = red
  do look()
  set c.team = blue
  do look()
  set bonus = 50
  do look()
  set d.hurt = 3
  do look()
  grant Watched to b
  do look()
  place hill at far.at
  do look()
  destroy a
  do look()
}
"#;

#[test]
fn what_is_kept_is_forgotten_when_something_that_it_reads_changes() {
    let mut bench = Bench::of(RULES);
    bench.thing("Team", "red", None, &[]).thing("Team", "blue", None, &[]);
    for (n, name) in ["a", "b", "c", "d"].iter().enumerate() {
        bench.thing("Unit", name, Some((10 * n as i64, 5)), &[("team", n as i64 % 2)]);
    }
    bench.thing("Post", "hill", Some((20, 8)), &[]).thing("Post", "far", Some((10, 6)), &[]);
    bench.run("do story(a, b, c, d, red, blue, hill, far)").unwrap_or_else(|fault| panic!("{}", fault.message));
    assert_eq!((bench.value("looks"), bench.value("agreed")), ("14".into(), "14".into()));
    let won = ["b", "c", "d"].map(|unit| bench.value(&format!("{unit}.won")));
    assert!(won.iter().all(|times| times != "0"), "{won:?}");
}
