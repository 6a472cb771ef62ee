//! Calls of the library in an order, and with arguments, that bytes choose: a test and a fuzz target share them.

use grognard::{
    Answer, Choice, Decision, Effort, Error, Game, Pending, Roll, Rules, Scenario, Table, Texts, Trace, Value,
};

/// Rules with a roll, a draw, decisions of each form, a board, and an error.
const RULES: &str = "ruleset game/core
enum Order { Advance, Hold }
param hit_on = 4
param reach = 6\"
reading tie \"A tie goes to\" = High or Low because \"The book does not say.\"
state turn : 0..9 = 0
kind Side {}
kind Squad { link side : Side; stat nerve : 0..6 = 3; state men : 0..20 = 5; state order : Order = Hold }
test Nerve(s: Squad) {
  roll die = d6
  pass when die <= s.nerve
}
proc volley(a: Squad, b: Squad) {
  roll aim = a.men of d6
  set b.men -= count aim >= hit_on
}
proc broken(s: Squad) {
  set s.men = 6 / (s.nerve - s.nerve) rounded down
}
phase Turn(side: Side) {
  each s in Squad where s.side == side {
    choose target in Squad where target.side != side
    do volley(s, target)
  }
  set turn += 1
}
";

/// Names that fit the rules, and names that do not.
const NAMES: [&str; 24] = [
    "Squad", "Side", "guards", "raiders", "red", "blue", "men", "nerve", "order", "side", "hit_on", "tie", "turn",
    "volley", "broken", "Nerve", "Turn", "reach", "", "nobody", "a b", "\"", "[x]", "ä\u{0}",
];

const TEXTS: [&str; 18] = [
    "guards.men",
    "raiders.men == 0",
    "do volley(guards, raiders)",
    "do broken(guards)",
    "run Turn(red)",
    "Turn(red)",
    "test Nerve(guards)",
    "2d6 + 1",
    "total(highest(3, 4 of d6)) >= 12",
    "volley(a, b)",
    "Nerve(s)",
    "s.nerve = 4",
    "men",
    "((((",
    "",
    "policy:Bold",
    "until turn > 3",
    "\u{1b}[31m",
];

/// Hands out numbers from bytes, and zeros at the end.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        self.0.next().copied().unwrap_or(0).into()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.next() % all.len()]
    }

    fn value(&mut self) -> Value {
        match self.next() % 10 {
            0 => Value::from(self.next() as i64 - 100),
            1 => Value::from(i64::MAX),
            2 => Value::from(self.next().is_multiple_of(2)),
            3 => Value::Point(self.next() as i64 * 1_000, -5),
            4 => Value::Ratio(1, self.next() as i64),
            5 => Value::Length(self.next() as i64 * 250),
            6 => Value::None,
            7 => Value::from(vec![self.next() as i64, 3]),
            _ => Value::from(self.of(&NAMES)),
        }
    }
}

/// Calls the library as the bytes say. Results are ignored: only a panic counts.
pub fn call(bytes: &[u8]) {
    let mut bytes = Bytes(bytes.iter());
    let Ok(rules) = Rules::from_text(RULES) else { panic!("{}", Rules::from_text(RULES).unwrap_err()) };
    let mut table = rules.table().thing("Side", "red").thing("Side", "blue");
    for (name, side) in [("guards", "red"), ("raiders", "blue")] {
        table = table.thing("Squad", name).set("side", side);
    }
    let mut scenario: Option<Scenario> = None;
    let mut game: Option<Game> = None;
    for _ in 0..40 {
        if bytes.0.len() == 0 {
            break;
        }
        match bytes.next() % 16 {
            0..=5 => {
                let next = changed(table.clone(), &mut bytes);
                // most tables stay right, so that the other calls have a scenario
                if bytes.next().is_multiple_of(4) || next.build().is_ok() {
                    table = next;
                }
            }
            6 | 7 => scenario = table.build().ok().or(scenario),
            8 => drop(rules.call(bytes.of(&TEXTS)).with(bytes.of(&TEXTS)).effort(Effort::States(100)).compute()),
            9 => drop(Trace::from_jsonl(bytes.of(&TEXTS))),
            10 => drop(rules.table().open(bytes.of(&TEXTS)).build()),
            11 => drop(Rules::load(Texts::from([("game/core.rules", bytes.of(&TEXTS))]), bytes.of(&NAMES))),
            _ => {
                if let Some(one) = &scenario {
                    asked(one, &mut game, &mut bytes);
                }
            }
        }
    }
}

fn changed(table: Table, bytes: &mut Bytes<'_>) -> Table {
    match bytes.next() % 15 {
        0 => table.thing(bytes.of(&NAMES), bytes.of(&NAMES)),
        1 | 2 => table.set(bytes.of(&NAMES), bytes.value()),
        3 => table.param(bytes.of(&NAMES), bytes.value()),
        4 => table.state(bytes.of(&NAMES), bytes.value()),
        5 => table.step(bytes.of(&TEXTS)),
        6 | 7 => {
            let arguments = [bytes.value(), bytes.value()];
            table.call(bytes.of(&NAMES), arguments)
        }
        8 => table.start(bytes.of(&TEXTS)).repeat(bytes.next() as u32),
        9 => table.mean(bytes.of(&TEXTS)).chance(bytes.of(&TEXTS)),
        10 => table.player(bytes.of(&NAMES), bytes.of(&TEXTS)),
        11 => table.roll(bytes.of(&NAMES), [bytes.value()]),
        12 => table.decide(bytes.of(&NAMES), bytes.value()),
        13 => removed(table, bytes),
        _ => table.expect(bytes.of(&TEXTS)).at(bytes.next() as i64, i64::MIN),
    }
}

/// Removes what a path of up to three keys leads to.
fn removed(table: Table, bytes: &mut Bytes<'_>) -> Table {
    let mut path = String::new();
    for _ in 0..=bytes.next() % 3 {
        let keys = table.keys(&path);
        let Some(key) = keys.get(bytes.next() % keys.len().max(1)) else { break };
        path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        assert!(table.get(&path).is_some(), "{path} is a key");
    }
    if bytes.next().is_multiple_of(4) { table.remove(bytes.of(&NAMES)) } else { table.remove(&path) }
}

fn asked(scenario: &Scenario, game: &mut Option<Game>, bytes: &mut Bytes<'_>) {
    drop((scenario.param(bytes.of(&NAMES)), scenario.ruleset()));
    match bytes.next() % 8 {
        0 => {
            let seed = bytes.next();
            let mut dice = |roll: &Roll| vec![(seed % 8) as i64; roll.count() + seed / 200];
            let mut decider = |decision: &Decision| answer(decision, seed);
            let run =
                scenario.run().dice(&mut dice).decider(if seed.is_multiple_of(3) { "*" } else { "red" }, &mut decider);
            if let Ok(played) = run.play() {
                let text = played.trace().to_jsonl();
                assert_eq!(Trace::from_jsonl(&text).as_ref().ok(), Some(played.trace()));
                for thing in played.things() {
                    assert!(played.thing(&thing.name()).is_some());
                    thing.fields().for_each(drop);
                    drop(thing.get("at"));
                }
            }
        }
        1 => drop(scenario.run().number(bytes.next() as u64).untraced().play()),
        2 => drop(scenario.odds().of(bytes.of(&TEXTS)).effort(Effort::States(200)).compute()),
        3 => drop(scenario.sample(20).of(bytes.of(&TEXTS)).threads(bytes.next()).compute()),
        4 => {
            if let Ok(other) = scenario.with(bytes.of(&NAMES), bytes.value()) {
                drop(scenario.compare(&other).of(bytes.of(&TEXTS)).pairs(20).effort(Effort::States(200)).compute());
            }
        }
        5 => {
            let start = if bytes.next().is_multiple_of(2) { scenario.start_held() } else { scenario.start() };
            *game = start.and_then(|game| game.hold_rolls(bytes.next().is_multiple_of(2))).ok();
        }
        _ => {
            if let Some(game) = game {
                drop(moved(game, bytes));
            }
        }
    }
}

fn moved(game: &mut Game, bytes: &mut Bytes<'_>) -> Result<(), Error> {
    let before = (game.answers(), game.trace().clone());
    let pending = game.pending().clone();
    let moved = match (bytes.next() % 7, &pending) {
        (0, _) => game.choose(Choice::Entry(bytes.next())).map(|_| ()),
        (1, _) => game.roll(&[bytes.next() as i64; 3]).map(|_| ()),
        (2, _) => game.draw(&[bytes.next(); 2]).map(|_| ()),
        (3, _) => return game.undo().map(drop),
        (4, Pending::Roll(roll)) => game.answer(Answer::Roll(vec![1; roll.count()])).map(|_| ()),
        (_, Pending::Decision(decision)) => game.choose(answer(decision, bytes.next())).map(|_| ()),
        _ => game.auto().map(|_| ()),
    };
    assert_eq!(game.answered().count(), game.answers());
    if moved.is_err() {
        assert_eq!((game.answers(), game.trace()), (before.0, &before.1), "an error leaves the game unchanged");
    }
    moved
}

fn answer(decision: &Decision, seed: usize) -> Choice {
    match seed % 5 {
        0 => Choice::Prefer,
        1 => Choice::Entries(vec![seed, 0]),
        2 => Choice::Point(seed as i64, 0),
        _ => Choice::Entry(seed % decision.entries.len().max(1)),
    }
}
