//! The best play for what is counted on the way, against published figures and value iteration in floating numbers.

use super::plans::bound_by;
use grognard_base::value::Fraction;
use grognard_base::{Budget, Code};
use grognard_kit::Lots;
use grognard_play::odds::{OddsAnswer, OddsOptions, report};
use grognard_scenario::Scenario;
use grognard_vm::Fault;
use std::fmt::Write;

/// Pig by oneself: of a turn a 1 loses all, who holds keeps it.
const PIG: &str = "ruleset t/bout
param goal = 20
kind Side { state points : 0..110 = 0 }
tally rolls
phase Turn(p: Side) {
  var sum : Int = 0
  var over : Flag = no
  repeat {
    set rolls += 1
    roll die = d6
    if die == 1 {
      set sum = 0
      set over = yes
    } else {
      set sum += die
      set over = p.points + sum >= goal
      if not over { choose another {
        roll => { }
        hold => set over = yes } }
    }
  } while not over
  set p.points = min(goal, p.points + sum)
}
";

fn pig(goal: u32, aim: &str, objective: &str, figures: &str) -> Scenario {
    let text = format!(
        "rules = \"t/bout\"\nobjective = \"{objective}\"\nstart = \"Turn(red)\"\nrepeat = \"until red.points >= goal\"\n\
         [params]\ngoal = {goal}\n[players]\nred = \"{aim}\"\n[Side.red]\n[report]\nmean = [{figures}]\n"
    );
    bound_by("t/bout", PIG, &text)
}

fn answers(scenario: &Scenario) -> Result<Vec<OddsAnswer>, Fault> {
    let found = report(scenario, &OddsOptions::plain(Budget::default()))?;
    found.answers.into_iter().collect()
}

fn means(scenario: &Scenario) -> Vec<String> {
    answers(scenario).unwrap().iter().map(|a| a.mean.as_ref().map_or("?".into(), Fraction::to_string)).collect()
}

/// To 100 the fewest turns are 12.545 in the mean (T. W. Neller, C. G. M. Presser, "Pigtail: A Pig Addendum", 2005).
#[test]
fn the_fewest_turns_of_pig() {
    assert_eq!(means(&pig(2, "worst", "rounds", "'rounds'")), ["6/5"]);
    assert_eq!(means(&pig(5, "worst", "rounds", "'rounds'")), ["216/161"]);
    // whoever wants the most of what falls, and whoever multiplies, plays the same
    let figures = "'rounds', '20 - rounds', 'rolls', '2 * rolls - rounds'";
    let wanted = ["216/161", "3004/161", "330/161", "444/161"];
    for (aim, objective) in [("worst", "rounds"), ("best", "-rounds"), ("best", "20 - 3 * rounds")] {
        assert_eq!(means(&pig(5, aim, objective, figures)), wanted, "{objective}");
    }
    let [low, high] = between(&answers(&pig(100, "worst", "rounds", "'rounds'")).unwrap()[0]);
    assert!(12.545232 < low && low < high && high < 12.545233, "{low} {high}");
    let [low, high] = between(&answers(&pig(100, "best", "100 - rounds", "'100 - rounds'")).unwrap()[0]);
    assert!(87.454767 < low && low < high && high < 87.454768, "{low} {high}");
}

fn between(answer: &OddsAnswer) -> [f64; 2] {
    match (&answer.mean, &answer.between) {
        (Some(mean), _) => [mean.float(); 2],
        (None, Some((low, high))) => [low, high].map(|n: &Fraction| n.float()),
        (None, None) => panic!("nothing is known"),
    }
}

/// A place of a game: what is counted there, who goes on, and where to.
struct Place {
    count: u32,
    who: Who,
    to: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Who {
    Chance,
    Mine,
    Yours,
}

/// Counts that are wanted great by `mine` (or small, if `turned`), by value iteration from nothing; infinite from 100,000 on.
fn by_iteration(places: &[Place], turned: bool) -> f64 {
    let mut worths = vec![0.0f64; places.len() + 1];
    for _ in 0..1_000_000 {
        let mut moved = 0.0f64;
        for (n, place) in places.iter().enumerate() {
            let next = place.to.iter().map(|to| worths[*to]);
            let onward = match place.who {
                Who::Chance => next.sum::<f64>() / place.to.len() as f64,
                who if (who == Who::Mine) != turned => next.fold(0.0, f64::max),
                _ => next.fold(f64::INFINITY, f64::min),
            };
            let new = f64::from(place.count) + onward;
            moved = moved.max(new - worths[n + 1]);
            worths[n + 1] = if new > 1e5 { f64::INFINITY } else { new };
        }
        if moved < 1e-13 || moved.is_nan() {
            break;
        }
    }
    worths[1]
}

/// Place 0 is the end.
fn random_places(lots: &mut Lots) -> Vec<Place> {
    let count = lots.range(3, 9) as usize;
    let place = |lots: &mut Lots| Place {
        count: [0, 0, 1, 1, 3][lots.below(5) as usize],
        who: [Who::Chance, Who::Mine, Who::Yours][lots.below(3) as usize],
        to: (0..lots.range(1, 4)).map(|_| lots.below(count as u64 + 1) as usize).collect(),
    };
    (0..count).map(|_| place(lots)).collect()
}

fn in_rules(places: &[Place]) -> String {
    let mut text = String::from(
        "ruleset t/bout\nkind Side { state spot : 0..99 = 1 }\ntally steps\nphase Step(red: Side, blue: Side) {\n  \
         let here = red.spot\n",
    );
    for (n, Place { count, who, to }) in places.iter().enumerate() {
        writeln!(text, "  if here == {} {{\n    set steps += {count}", n + 1).unwrap();
        if *who == Who::Chance {
            writeln!(text, "    roll die{n} = d{}", to.len()).unwrap();
            for (face, to) in to.iter().enumerate() {
                writeln!(text, "    if die{n} == {} {{ set red.spot = {to} }}", face + 1).unwrap();
            }
        } else {
            writeln!(text, "    choose way{n} by {} {{", if *who == Who::Mine { "red" } else { "blue" }).unwrap();
            to.iter().enumerate().for_each(|(k, to)| writeln!(text, "      w{k} => set red.spot = {to}").unwrap());
            writeln!(text, "    }}").unwrap();
        }
        writeln!(text, "  }}").unwrap();
    }
    text + "}\n"
}

/// Also where going on for ever counts nothing more, where a side can have no end of it, and where it only seems so.
#[test]
fn counts_of_many_games() {
    let mut lots = Lots(0x0c0c_4321_9abc_def1);
    let (mut known, mut endless) = (0, 0);
    for _ in 0..150 {
        let places = random_places(&mut lots);
        let rules = in_rules(&places);
        for (turned, objective) in [(false, "steps"), (true, "7 - 2 * steps")] {
            let text = format!(
                "rules = \"t/bout\"\nobjective = \"{objective}\"\nstart = \"Step(red, blue)\"\nrepeat = \"until red.spot == 0\"\n\
                 [players]\nred = \"best\"\nblue = \"worst\"\n[Side.red]\n[Side.blue]\n[report]\nmean = ['{objective}']\n"
            );
            let wanted = by_iteration(&places, turned);
            match answers(&bound_by("t/bout", &rules, &text)) {
                Err(fault) => {
                    assert_eq!(fault.code, Code::NoEnd, "{fault:?}\n{rules}");
                    assert!(wanted.is_infinite(), "{objective}: {fault:?}, not {wanted}\n{rules}");
                    endless += 1;
                }
                Ok(found) => {
                    let wanted = if turned { 7.0 - 2.0 * wanted } else { wanted };
                    let [low, high] = between(&found[0]);
                    let near = 1e-9 * wanted.abs().max(1.0);
                    assert!(
                        low - near <= wanted && wanted <= high + near,
                        "{objective}: {low} {high}, not {wanted}\n{rules}"
                    );
                    known += 1;
                }
            }
        }
    }
    assert!(known > 150 && endless > 20, "{known} {endless}");
}

/// Who may go on for ever keeps what was counted: the line of play says so. A tally that something takes from is known at each
/// decision, since whoever knows it may wait for it. What cannot be told leaves the other answers as they are.
#[test]
fn what_goes_on_for_ever_counts_what_it_counted() {
    let rules = "ruleset t/bout\nkind Side { state stuck : Flag = no\n state done : Flag = no }\ntally gold\n\
                 phase Turn(s: Side) {\n  if not s.stuck { choose go by s {\n    trap => { set gold += 2\n set s.stuck = yes }\n    \
                 leave => { set gold += 1\n set s.done = yes }\n  } }\n}\n";
    let scene = |figures: &str| {
        let text = format!(
            "rules = \"t/bout\"\nobjective = \"gold\"\nstart = \"Turn(red)\"\nrepeat = \"until red.done\"\n[players]\n\
             red = \"best\"\n[Side.red]\n[report]\nmean = [{figures}]\n"
        );
        bound_by("t/bout", rules, &text)
    };
    assert_eq!(means(&scene("'gold'")), ["2"]);
    let scenario = scene("'gold', 'rounds'");
    let found = report(&scenario, &OddsOptions::plain(Budget::default())).unwrap();
    assert_eq!(found.answers[0].as_ref().unwrap().mean, Some(Fraction::whole(2)));
    assert_eq!(found.answers[1].as_ref().unwrap_err().code, Code::NoEnd);
    let explored = found.plain.as_ref().unwrap();
    let rows = explored.graph.policy(explored.objective.unwrap()).unwrap();
    assert_eq!((rows.len(), rows[0].menu[rows[0].taken].as_str(), &rows[0].worth.0), (1, "trap", &Fraction::whole(2)));
    let bets = "ruleset t/bout\nkind Side { state over : Flag = no }\ntally won\nphase Turn(s: Side) {\n  choose act by s {\n    \
                bet => { roll x = d2\n set won += 2 * x - 3 }\n    leave => { set s.over = yes }\n  }\n}\n";
    for aim in ["best", "worst"] {
        let text = format!(
            "rules = \"t/bout\"\nobjective = \"won\"\nstart = \"Turn(red)\"\nrepeat = \"until red.over or rounds == 4\"\n\
             [players]\nred = \"{aim}\"\n[Side.red]\n[report]\nmean = ['won']\n"
        );
        // nobody gains in the mean where the game has an end
        assert_eq!(means(&bound_by("t/bout", bets, &text)), ["0"], "{aim}");
        let endless = text.replace(" or rounds == 4", "");
        let scenario = bound_by("t/bout", bets, &endless);
        let few = OddsOptions::plain(Budget { states: 500, ..Budget::default() });
        assert_eq!(report(&scenario, &few).err().map(|fault| fault.code), Some(Code::Budget), "{aim}");
    }
}
