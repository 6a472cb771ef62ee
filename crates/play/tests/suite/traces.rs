//! Traces: what is told, in both forms, and that the schema describes it.

use grognard_base::Sources;
use grognard_base::value::plain::Measure;
use grognard_base::value::*;
use grognard_kit::{Schema, Shelf, Shipped, text_of};
use grognard_play::Watch;
use grognard_play::record::What;
use grognard_play::record::*;
use grognard_program::{Detail, Program, compile};
use grognard_rules::load;
use grognard_vm::*;

/// Dice and answers in order, by the words of the answer.
#[derive(Clone, Default)]
struct Hand {
    faces: Vec<i64>,
    picks: Vec<&'static str>,
}

impl Dice for Hand {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        for n in 0..throw.dice.len() {
            let side = if self.faces.is_empty() { 1 } else { self.faces.remove(0) };
            faces.push(throw.dice.die(n).face(game, side as u32));
        }
        Ok(Flow::Go)
    }
    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        picks.extend((0..draw.names.len()).rev().take(draw.count));
        Ok(Flow::Go)
    }
}

impl Decide for Hand {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        if self.picks.is_empty() {
            return Ok((Answer::Prefer, "prefer"));
        }
        let pick = self.picks.remove(0);
        let names = asked.entries();
        let answer = match pick {
            "none" => Answer::None,
            "stop" => Answer::Stop,
            "prefer" => Answer::Prefer,
            _ if matches!(asked.form, Form::Subset { .. }) => {
                Answer::Several((0..names.len()).filter(|n| pick.split(' ').any(|p| p == names[*n])).collect())
            }
            _ => Answer::Pick(
                names.iter().position(|n| n == pick).unwrap_or_else(|| panic!("{pick} is not among {names:?}")),
            ),
        };
        Ok((answer, "script"))
    }
}

const RULES: &str = r#"ruleset war/base version "1"

param reach "How far an order carries" = 6"
reading steady "Who steadies" = All "everyone" or Brave "only the brave" because "the book does not say"
reading counts "What counts as good" = AtMost or Under because "at or under, or under alone"

kind Side { link units : list of Unit }
kind Unit on board {
  owner side
  link side : Side
  stat nerve : 0..6
  state markers : 0..nerve = 0
  state acted : Flag = no
  state seen : list of Unit
  let suppressed = markers > 0
}
status Pinned(from: Unit) on Unit
trait Stoic on Unit {
  rule Shrug "The stoic shrug it off" on Hit as h when h.target == self and h.hits == 1 {
    set self.markers -= 1
  }
}
event Hit(target: Unit, from: Unit, hits: Int)
tally shots

rule Mark "Hits leave markers" on Hit as h {
  set h.target.markers += h.hits
}
rule Shake "Heavy fire pins" on Hit as h when h.hits >= 3 {
  grant Pinned(from: h.from) to h.target until end of Turn
}
extern test Salvo(u: Unit, t: Unit) "How many hit" gives hits: Int
  default { roll aim = 3 of d6; let hits = count aim >= 4 }

test Check(u: Unit) "Nerve is tested" {
  choose friend in Unit where friend != u and friend.side == u.side or none prefer most (if friend is some f then f.nerve else 0)
  roll dice = 2 of d6
  if any dice == 6 { reroll x in dice where x == 6 }
  let limit = u.nerve - u.markers
  let good = match counts { AtMost => count dice <= limit; Under => count dice < limit }
  pass when good > 0
}
phase Turn(side: Side) "A player's turn" shares left: 0..2 = 2 {
  repeat choose action or stop while left > 0
}
action Fire "Shoot at the enemy" in Turn by u {
  choose u in side.units where not u.acted
  choose t in Unit where t.side != side and t within 2 * reach of u
  cost 1 left
  set u.acted = yes until end of Turn
  let s = test Salvo(u, t)
  emit Hit(t, u, s.hits)
}
action Rally "Take heart" in Turn by u {
  choose u in side.units
  needs u.suppressed else "it is not suppressed"
  limit 1 per Turn
  cost 1 left
  let c = test Check(u)
  if c.passed and (steady == All or u.nerve > 3) {
    choose shed { one => set u.markers -= 1; all when u.nerve > 3 => set u.markers = 0 }
  }
}
phase Long(n: Int) {
  var i = 0
  repeat { set i += 1; each u in Unit { set u.markers += 1; set u.markers -= 1 } } while i < n
}
phase Row(n: Int) { match n { 0 when steady == All => { }; else => each u in Unit { set u.markers = 0 } } }
phase Taste(u: Unit, want: Int) {
  choose first in Unit prefer when first.nerve == want
  choose other in Unit or none prefer when other.nerve == want
  choose 1 .. 2 of few in Unit prefer when few.nerve == want
  choose 0 .. of each_one in Unit prefer all when each_one.nerve == want
  choose way { left prefer when u.nerve == want => { }; right => { } }
  choose plain in Unit
  choose nobody in Unit or none prefer none when u.nerve == want
  may wave prefer when u.nerve == want { turn u by 90° }
}
phase Gauge(u: Unit) {
  each foe in Unit where foe.side != u.side {
    if u within 2 * reach of foe.at or no near in Unit where near within 1" of u { turn u by 90° }
    let gap = dist(u, foe)
    let best = nearest other in Unit to u where other.nerve > 5
    let close = best is some b and b within 1" of u
  }
}
phase Luck(u: Unit) {
  draw chit in Unit
  roll sum = 2d6
  roll odd = [d4, d8]
  choose 1 .. 2 of pals in Unit
  each p in pals chosen as next { may wave { turn p by 90° } }
  destroy chit "bad luck"
  turn u to 180°
}
"#;

const VARIANT: &str = r#"variant war/light of war/base version "1-b"
param heavy "Hits that pin" = 4
override rule Shake "Heavy fire pins" on Hit as h when h.hits >= heavy {
  grant Pinned(from: h.from) to h.target until end of Turn
}
"#;

fn program(path: &str, detail: Detail) -> (Program, Sources) {
    let files = Shelf::of(&[("war/base.rules", RULES), ("war/light.rules", VARIANT)]);
    let mut sources = Sources::default();
    let loaded = load(path, &files, &mut sources);
    let Some(rules) = loaded.ruleset else {
        panic!("{}", grognard_base::render_lines(&loaded.problems, &sources));
    };
    (compile(&rules, detail), sources)
}

fn table(program: Program, settings: &[(&str, i64)]) -> Game {
    let rules = program.schema.clone();
    let kind = |name: &str| KindId::from(rules.kinds.iter().position(|k| k.name == name).expect("a kind"));
    let (side, unit) = (kind("Side"), kind("Unit"));
    let mut setup = Setup::default();
    for name in ["red", "blue"] {
        setup.things.push(ThingSpec::new(side, name));
    }
    for (name, side, nerve, markers, x) in [("laans", 0, 3, 2, 10), ("guard", 0, 5, 0, 14), ("raiders", 1, 4, 3, 20)] {
        let mut spec = ThingSpec::new(unit, name);
        spec.at = Some((x * 1000, 10_000));
        for (field, value) in [("side", side), ("nerve", nerve), ("markers", markers)] {
            let field = rules.fields.iter().position(|f| f.kind == unit && f.name == field).expect("a field");
            spec.values.push((FieldId::from(field), 0, vec![value]));
        }
        if name == "raiders" {
            spec.traits.push(TraitId::from(rules.traits.iter().position(|t| t.name == "Stoic").expect("a trait")));
        }
        setup.things.push(spec);
    }
    for (name, value) in settings {
        let id = rules.settings.iter().position(|s| s.name == *name).expect("a setting");
        setup.settings.push((SettingId::from(id), vec![*value]));
    }
    set_up(program, setup).expect("a table")
}

fn about() -> About {
    About {
        command: "run a-turn".to_string(),
        dice: "scripted".to_string(),
        players: vec![("red".to_string(), "script".to_string()), ("blue".to_string(), "prefer".to_string())],
    }
}

/// Runs a phase and gives the events.
fn watch<D: Dice, C: Decide>(
    game: &Game,
    sources: &Sources,
    phase: &str,
    args: &[i64],
    dice: D,
    decide: C,
) -> (Vec<Event>, D, C) {
    let mut recorder = Recorder::new(game, &about(), Some(sources));
    let mut run = Run::new(game, dice, decide, Some(&mut recorder as &mut dyn Watch));
    let mut state = game.start.clone();
    let func = game.program.schema.phases.iter().find(|p| p.name == phase).expect("a phase").func;
    let outcome = call(game, &mut state, &mut run, func, args);
    let (dice, decide) = (run.drivers.dice, run.drivers.decide);
    if let Err(fault) = &outcome {
        recorder.fault(fault);
    }
    recorder.expect("laans.acted == no", outcome.is_ok(), Vec::new());
    (recorder.finish(), dice, decide)
}

fn turn(path: &str, settings: &[(&str, i64)], phase: &str, faces: &[i64], picks: &[&'static str]) -> Vec<Event> {
    let (program, sources) = program(path, Detail::Traced);
    let game = table(program, settings);
    let hand = Hand { faces: faces.to_vec(), picks: picks.to_vec() };
    let (events, ..) = watch(&game, &sources, phase, &[0], hand.clone(), hand);
    described(&events);
    events
}

/// What holds of every trace: each line is as the schema describes it.
fn described(events: &[Event]) {
    let schema = Schema::parse(&text_of("docs/trace.schema.json"));
    for line in to_jsonl(events).lines() {
        let event = serde_json::from_str(line).expect("JSON");
        schema.check(&event).unwrap_or_else(|why| panic!("{why}\n{line}"));
    }
}

#[test]
fn a_turn_in_full() {
    let events = turn(
        "war/base",
        &[("reach", 5000)],
        "Turn",
        &[4, 5, 6, 6, 2, 1],
        &["Fire(u: laans, t: raiders)", "Rally(u: laans)", "guard", "one"],
    );
    insta::assert_snapshot!(render(&events, TraceDetail::Full));
}

#[test]
fn a_turn_in_brief_with_a_variant() {
    let events = turn("war/light", &[], "Turn", &[4, 5, 6, 6, 2, 1], &["Fire(u: laans, t: raiders)", "stop"]);
    insta::assert_snapshot!(render(&events, TraceDetail::Brief));
}

#[test]
fn readings_that_matter_are_told() {
    let events = turn("war/base", &[("counts", 1)], "Turn", &[1, 1, 2], &["Rally(u: laans)", "none", "stop"]);
    let text = render(&events, TraceDetail::Full);
    assert!(text.contains("depends on"), "{text}");
    insta::assert_snapshot!(text);
    // a row of a match is taken by its `when` as by an `if`
    let text = render(&turn("war/base", &[], "Row", &[], &[]), TraceDetail::Full);
    assert!(text.contains("! steady = All  not Brave") && text.contains("depends on  steady"), "{text}");
}

#[test]
fn draws_sums_moves_and_subsets() {
    let events = turn("war/base", &[], "Luck", &[3, 4, 2, 7], &["laans raiders", "raiders", "yes", "no"]);
    insta::assert_snapshot!(render(&events, TraceDetail::Full));
}

/// A `prefer` whose conditions fail is told; a choice that prefers nothing, and those that say both what is preferred
/// and what is not, are not.
#[test]
fn a_preference_that_fits_nothing_is_told() {
    let remarks = |want: i64| -> Vec<String> {
        let (program, sources) = program("war/base", Detail::Traced);
        let game = table(program, &[]);
        let (events, ..) = watch(&game, &sources, "Taste", &[0, want], Hand::default(), Hand::default());
        described(&events);
        let rendered = |e: Event| match e.what {
            What::Remark(Remark::Unpreferred { choice }) => Some(choice),
            _ => None,
        };
        events.into_iter().filter_map(rendered).collect()
    };
    assert_eq!(remarks(3), [""; 0]);
    assert_eq!(remarks(6), ["first", "other", "few", "each_one"]);
}

/// What is measured stands beside the words as values; what is asked of the entries of a query does not.
#[test]
fn distances_are_values() {
    let mut found = Vec::new();
    for event in turn("war/base", &[], "Gauge", &[], &[]) {
        if let What::Condition { measures, .. } | What::Value { measures, .. } = event.what {
            found.extend(measures);
        }
    }
    let (laans, raiders) = (Value::Thing("laans".into()), Value::Thing("raiders".into()));
    let within = Measure { from: laans.clone(), to: Value::Point(20_000, 10_000), within: Value::Length(12_000) };
    assert_eq!(found, [within, Measure { from: laans, to: raiders, within: Value::None }]);
}

#[test]
fn an_activation_of_a_shipped_ruleset() {
    let mut sources = Sources::default();
    let rules = load("warstrike/action-phase", &Shipped::default(), &mut sources).ruleset.expect("sound rules");
    let kind = |name: &str| KindId::from(rules.kinds.iter().position(|k| k.name == name).expect("a kind"));
    let field = |of: &str, name: &str| rules.names.fields[&(kind(of), name.to_string())];
    let mut setup = Setup::default();
    setup.things.push(ThingSpec::new(kind("Side"), "red"));
    setup.things.push(ThingSpec::new(kind("Side"), "blue"));
    for (name, side, markers) in [("laans", 0, 3), ("raiders", 1, 0)] {
        let mut unit = ThingSpec::new(kind("Unit"), name);
        for (of, value) in [("side", side), ("ld", 3), ("nv", 3), ("start", 1), ("markers", markers)] {
            unit.values.push((field("Unit", of), 0, vec![value]));
        }
        setup.things.push(unit);
        let mut model = ThingSpec::new(kind("Model"), format!("{name}_1"));
        model.values.push((field("Model", "unit"), 0, vec![side]));
        model.at = Some((20_000, 20_000 + side * 30_000));
        setup.things.push(model);
    }
    let game = set_up(compile(&rules, Detail::Traced), setup).expect("a table");
    let hand = Hand { faces: vec![5, 1, 6], picks: vec!["yes", "GetDown", "1"] };
    let (events, ..) = watch(&game, &sources, "Activation", &[0], hand.clone(), hand);
    described(&events);
    insta::assert_snapshot!(render(&events, TraceDetail::Full));
}

#[test]
fn the_schema_refuses_other_forms() {
    let schema = Schema::parse(&text_of("docs/trace.schema.json"));
    let fits = |form: &str| schema.check(&serde_json::from_str(form).expect("JSON")).is_ok();
    assert!(fits(r#"{ "v": 2, "seq": 0, "event": "roll", "name": "aim", "dice": ["d6"], "faces": [4] }"#));
    for other in [
        r#"{ "v": 1, "seq": 0, "event": "step", "statement": "" }"#,
        r#"{ "v": 2, "seq": -1, "event": "step", "statement": "" }"#,
        r#"{ "v": 2, "event": "step", "statement": "" }"#,
        r#"{ "v": 2, "seq": 0, "event": "step" }"#,
        r#"{ "v": 2, "seq": 0, "event": "step", "statement": "", "odd": 1 }"#,
        r#"{ "v": 2, "seq": 0, "event": "nothing", "statement": "" }"#,
        r#"{ "v": 2, "seq": 0, "event": "roll", "name": "aim", "dice": ["d6"], "faces": ["4"] }"#,
        r#"{ "v": 2, "seq": 0, "event": "roll", "name": "aim", "dice": ["d6"], "faces": [{ "length": 1, "angle": 1 }] }"#,
        r#"{ "v": 2, "seq": 0, "event": "roll", "name": "aim", "dice": ["d6"], "faces": [{ "point": [1] }] }"#,
    ] {
        assert!(!fits(other), "{other}");
    }
}

#[test]
fn json_lines() {
    let events = turn("war/light", &[("reach", 4000)], "Turn", &[4, 1, 1], &["Fire(u: guard, t: raiders)", "stop"]);
    insta::assert_snapshot!(to_jsonl(&events));
}

#[test]
fn a_fault_is_the_last_but_the_summary() {
    let (program, sources) = program("war/base", Detail::Traced);
    let mut game = table(program, &[]);
    game.fuel = 3;
    let hand = Hand { faces: Vec::new(), picks: vec!["Fire(u: laans, t: raiders)"] };
    let (events, ..) = watch(&game, &sources, "Turn", &[0], hand.clone(), hand);
    described(&events);
    let text = render(&events, TraceDetail::Full);
    assert!(text.contains("x R0911"), "{text}");
    assert!(text.contains("expect  fails: laans.acted == no\nexpect  0 of 1 holds\n"), "{text}");
}

#[test]
fn long_traces_are_cut() {
    let (program, sources) = program("war/base", Detail::Traced);
    let game = table(program, &[]);
    let (events, ..) = watch(&game, &sources, "Long", &[2000], Hand::default(), Hand::default());
    assert_eq!(events.len(), LIMIT + 2);
    let What::Truncated { count } = events[LIMIT].what else { panic!("{:?}", events[LIMIT]) };
    assert!(count > 1000, "{count}");
    assert!(render(&events, TraceDetail::Full).contains(&format!("{count} more events were not kept")));
    described(&events);
}
