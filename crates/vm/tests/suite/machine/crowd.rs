//! Sight and the nearest among many that move, against a plain look at all of them.

use grognard_base::Sources;
use grognard_base::value::*;
use grognard_board::{Body, Shape, compare_distances};
use grognard_kit::{Shelf, sees};
use grognard_program::{Detail, compile};
use grognard_rules::load;
use grognard_vm::*;
use std::slice::from_ref;

const RULES: &str = "ruleset t/t

kind Model on board { state found : Model? = none; state wood : Wood? = none; state seen : 0..9999 = 0; stat blocks : Flag = yes }
kind Wood on board { stat blocks : Flag = yes }
proc put(m: Model, p: Place) { place m at p }
proc fall(m: Model) { destroy m }
proc find(m: Model) {
  set m.found = nearest e in Model to m where e != m
  set m.wood = nearest w in Wood to m
}
proc look(m: Model, e: Model) { if m sees e { set m.seen += 1 } }
";

const MODELS: i64 = 90;
const WOODS: i64 = 40;
const SIDE: i64 = 120_000;

struct Chance(u64);

impl Chance {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as i64) % n
    }
}

fn world(c: &mut Chance) -> Game {
    let files = Shelf::of(&[("t/t.rules", RULES)]);
    let rules = load("t/t", &files, &mut Sources::default()).ruleset.unwrap();
    let mut things = Vec::new();
    for n in 0..MODELS + WOODS {
        let mut spec = ThingSpec::new(KindId::from(usize::from(n >= MODELS)), format!("t{n}"));
        // on a coarse grid many are as near as others
        spec.at = Some((c.below(SIDE / 1000) * 1000, c.below(SIDE / 1000) * 1000));
        spec.shape =
            if n < MODELS { Shape::Disc { radius: 250 } } else { Shape::Segment { length: 1000 + c.below(5000) } };
        spec.facing = c.below(36_000);
        things.push(spec);
    }
    set_up(compile(&rules, Detail::Plain), Setup { things, size: Some((SIDE, SIDE)), ..Setup::default() }).unwrap()
}

fn run(game: &Game, state: &mut State, name: &str, args: &[i64]) {
    let func = FuncId::from(game.program.functions.iter().position(|f| f.name == name).unwrap());
    call(game, state, &mut Run::new(game, NoDice, First, NoTrace), func, args).unwrap();
}

/// The first of those that no other is nearer than.
fn nearest(game: &Game, state: &State, from: i64, kind: KindId, used: i64) -> i64 {
    let body = |kind, n| game.body(state, kind, n);
    let here: Vec<Body> = body(KindId(0), from).into_iter().collect();
    let alive = |n: &i64| state.cells[game.layout.kinds[kind.at()].alive + *n as usize] != 0;
    let others = (0..used).filter(|n| (kind != KindId(0) || *n != from) && alive(n));
    let mut best: Option<(i64, Vec<Body>)> = None;
    for n in others {
        let there: Vec<Body> = body(kind, n).into_iter().collect();
        if best.as_ref().is_none_or(|(_, b)| compare_distances(&there, &here, b, &here).is_lt()) {
            best = Some((n, there));
        }
    }
    best.map_or(NONE, |(n, _)| n)
}

#[test]
fn an_index_of_what_moves_answers_as_a_look_at_all() {
    let mut c = Chance(5);
    let game = world(&mut c);
    let mut state = game.start.clone();
    let field = |name: &str| {
        let fields = &game.program.schema.fields;
        FieldId::from(fields.iter().position(|f| f.kind == KindId(0) && f.name == name).unwrap())
    };
    let (found, wood, seen) = (field("found"), field("wood"), field("seen"));
    let (mut clear, mut hidden, mut fallen) = (0, 0, 0);
    for step in 0..4_000 {
        let (m, e) = (c.below(MODELS), c.below(MODELS));
        let alive = |state: &State, m: i64| state.cells[game.layout.kinds[0].alive + m as usize] != 0;
        if !alive(&state, m) || !alive(&state, e) {
            continue;
        }
        match c.below(40) {
            0 if fallen < MODELS / 3 => {
                run(&game, &mut state, "fall", &[m]);
                fallen += 1;
                continue;
            }
            1..=14 => run(&game, &mut state, "put", &[m, c.below(SIDE / 1000) * 1000, c.below(SIDE / 1000) * 1000]),
            _ => {}
        }
        run(&game, &mut state, "find", &[m]);
        let cell = |state: &State, f| state.cells[game.layout.field(f, m, 0)];
        assert_eq!(cell(&state, found), nearest(&game, &state, m, KindId(0), MODELS), "step {step}");
        assert_eq!(cell(&state, wood), nearest(&game, &state, m, KindId(1), WOODS), "step {step}");
        if m == e {
            continue;
        }
        let before = cell(&state, seen);
        run(&game, &mut state, "look", &[m, e]);
        let all = (0..MODELS).filter(|n| *n != m && *n != e).map(|n| (KindId(0), n));
        let all = all.chain((0..WOODS).map(|n| (KindId(1), n)));
        let blockers: Vec<Body> = all.filter_map(|(kind, n)| game.body(&state, kind, n)).collect();
        let (a, b) = (game.body(&state, KindId(0), m).unwrap(), game.body(&state, KindId(0), e).unwrap());
        let want = sees(from_ref(&a), from_ref(&b), &blockers);
        assert_eq!(cell(&state, seen) - before, i64::from(want), "step {step}");
        if want { clear += 1 } else { hidden += 1 }
    }
    assert!(clear > 200 && hidden > 200 && fallen > 10, "{clear} {hidden} {fallen}");
}
