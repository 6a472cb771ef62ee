//! A game that is played answer by answer is the run that is played at once.

use grognard::{Choice, Decision, Event, EventKind, Game, Pending, Played, Scenario, Thing};
use grognard_kit::Lots;

/// Scenarios without scripts, with decisions of several forms: menus, targets, sets, points.
const SCENARIOS: [&str; 6] = [
    "alternate/scenarios/attackers.toml",
    "edits/scenarios/across-the-road.toml",
    "recoil/scenarios/a-turn-of-the-skirmish.toml",
    "warstrike/scenarios/shoot-get-down-assault.toml",
    "warstrike/scenarios/cry-first-then-act.toml",
    "warstrike/scenarios/exchange-of-fire.toml",
];

fn pick(lots: &mut Lots, decision: &Decision) -> Choice {
    if decision.point {
        return Choice::Prefer;
    }
    let count = decision.entries.len() as u64;
    match (*decision.take.start(), *decision.take.end()) {
        (1, 1) => Choice::Entry(lots.below(count) as usize),
        (least, _) => Choice::Entries((0..least.max(1)).collect()),
    }
}

/// Returns the events with one source for all answers that are given from outside.
fn plain(events: &[Event]) -> Vec<Event> {
    let mut events = events.to_vec();
    for event in &mut events {
        if let EventKind::Decision { source, .. } = &mut event.what
            && ["prompt", "script"].contains(&source.as_str())
        {
            *source = "given".into();
        }
    }
    events
}

fn same(what: &str, game: &Game, whole: &Played, traced: bool) {
    let Pending::Over(played) = game.pending() else { panic!("{what}: not over") };
    assert_eq!(played.measures(), whole.measures(), "{what}");
    let fields = |thing: Thing<'_>| {
        let fields = thing.fields().map(|(name, value)| format!("{name} = {value}"));
        format!("{}: {}", thing.name(), fields.collect::<Vec<_>>().join(", "))
    };
    let end: Vec<String> = whole.things().map(fields).collect();
    assert_eq!(played.things().map(fields).collect::<Vec<_>>(), end, "{what}");
    assert_eq!(game.things().map(fields).collect::<Vec<_>>(), end, "{what}");
    let events = if traced { plain(whole.trace().events()) } else { Vec::new() };
    assert_eq!(plain(game.trace().events()), events, "{what}");
}

#[test]
fn a_game_is_the_run_with_the_same_answers() {
    let mut answers = 0;
    for path in SCENARIOS {
        let scenario = Scenario::shipped(path).unwrap();
        for number in 0..2 {
            let mut choices = Vec::new();
            let mut lots = Lots(number * 2 + 1);
            let mut decider = |decision: &Decision| {
                choices.push(pick(&mut lots, decision));
                choices[choices.len() - 1].clone()
            };
            let whole = scenario.run().seed(5).number(number).decider("*", &mut decider).play().unwrap();
            for traced in [true, false] {
                let game = if traced { scenario.start() } else { scenario.start_untraced() };
                let mut game = game.unwrap().seed(5).unwrap().number(number).unwrap();
                let mut lots = Lots(number + 50);
                while let Pending::Decision(decision) = game.pending() {
                    let other = pick(&mut lots, decision);
                    let mut copy = game.clone();
                    drop(copy.choose(other.clone()));
                    if lots.below(2) == 0 && game.choose(other).is_ok() {
                        assert!(game.undo().unwrap());
                    }
                    let choice = choices[game.answers()].clone();
                    game.choose(choice).unwrap();
                }
                assert_eq!(game.answers(), choices.len());
                same(&format!("{path} {number} {traced}"), &game, &whole, traced);
            }
            answers += choices.len();
        }
    }
    assert!(answers > 40, "only {answers} answers");
}

/// An expression of the report and any other have their values on the table as it is.
#[test]
fn a_game_tells_its_table() {
    let folder = grognard::Folder::new("docs").unwrap();
    let scenario = Scenario::load(folder, "first/volley.toml").unwrap();
    let mut game = scenario.start().unwrap().hold_rolls(true).unwrap();
    for (expression, value) in [("raiders.men", "6"), ("guards.men", "10"), ("raiders.men + guards.men", "16")] {
        assert_eq!(game.value(expression).unwrap().to_string(), value, "{expression}");
    }
    game.roll(&[6; 10]).unwrap();
    game.roll(&[1, 1, 6, 6, 6, 6, 6, 6, 6, 6]).unwrap();
    assert_eq!(game.value("raiders.men").unwrap().to_string(), "4");
    assert_eq!(game.value("guards.men - raiders.men").unwrap().to_string(), "6");
    assert_eq!(game.thing("raiders").unwrap().get("men").unwrap().as_int(), Some(4));
    assert!(game.undo().unwrap());
    assert_eq!(game.value("raiders.men").unwrap().to_string(), "6");
    assert!(game.value("raiders.mem").is_err());
    assert!(game.thing("nobody").is_none());
}
