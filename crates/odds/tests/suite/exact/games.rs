//! Decisions: the best and the worst that players can do, and chance at the table, against every line of play.

use grognard_base::Code;
use grognard_base::value::*;
use grognard_kit::Lots;
use grognard_kit::{All, Lab, rendered};
use grognard_odds::*;
use grognard_vm::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Who answers a question.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Chance,
    Mine,
    Yours,
}

/// Answers as many questions as it knows, then stops and tells who is asked, and of how many answers.
#[derive(Default)]
struct Line {
    answers: Vec<u32>,
    at: usize,
    asked: Option<(By, u32)>,
}

impl Line {
    fn next(&mut self, by: By, of: u32) -> Option<u32> {
        let found = self.answers.get(self.at).copied();
        self.at += 1;
        if found.is_none() && self.asked.is_none() {
            self.asked = Some((by, of));
        }
        found
    }
}

struct Hand<'l>(&'l RefCell<Line>);

impl Dice for Hand<'_> {
    fn throw(&mut self, game: &Game, throw: &Throw<'_>, faces: &mut Vec<i64>) -> Result<Flow, Fault> {
        for n in 0..throw.dice.len() {
            let die = throw.dice.die(n);
            let Some(side) = self.0.borrow_mut().next(By::Chance, die.sides(game)) else { return Ok(Flow::Wait) };
            faces.push(die.face(game, side + 1));
        }
        Ok(Flow::Go)
    }

    fn draw(&mut self, _: &Game, draw: &DrawAsk<'_>, picks: &mut Vec<usize>) -> Result<Flow, Fault> {
        // a ticket for each unit of weight of what was not drawn yet
        for _ in 0..draw.count {
            let tickets: Vec<usize> = (0..draw.weights.len())
                .filter(|n| !picks.contains(n))
                .flat_map(|n| std::iter::repeat_n(n, draw.weights[n] as usize))
                .collect();
            let Some(ticket) = self.0.borrow_mut().next(By::Chance, tickets.len() as u32) else {
                return Ok(Flow::Wait);
            };
            picks.push(tickets[ticket as usize]);
        }
        Ok(Flow::Go)
    }
}

/// Whose question it is: told by its name.
fn whose(asked: &Asked<'_>) -> By {
    if asked.game.program.schema.sites[asked.ask.site.at()].name.starts_with("mine") { By::Mine } else { By::Yours }
}

impl Decide for Hand<'_> {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<(Answer, &'static str), Fault> {
        let count = match &asked.form {
            Form::May => 2,
            Form::Option { places } => places.len(),
            Form::Choose { candidates, width, .. } => candidates.len() / width,
            Form::Subset { candidates, least, most, .. } => {
                let bags = bags(candidates, *least, *most);
                let answer = self.0.borrow_mut().next(whose(asked), bags.len() as u32);
                return Ok((answer.map_or(Answer::Wait, |n| Answer::Several(bags[n as usize].clone())), ""));
            }
            _ => panic!("no such question here"),
        };
        let answer = self.0.borrow_mut().next(whose(asked), count as u32);
        Ok((answer.map_or(Answer::Wait, |n| Answer::Pick(n as usize)), ""))
    }
}

/// Every set of places whose values no set before it has.
fn bags(list: &[i64], least: usize, most: usize) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
    for set in 0u32..1 << list.len() {
        let places: Vec<usize> = (0..list.len()).filter(|n| set >> n & 1 == 1).collect();
        let mut values: Vec<i64> = places.iter().map(|n| list[*n]).collect();
        values.sort_unstable();
        if (least..=most).contains(&places.len()) {
            found.insert(values, places);
        }
    }
    found.into_values().collect()
}

/// What a game is worth by trying every line of play to its end; `free` leaves all decisions to chance.
fn by_every_line(lab: &Lab, func: FuncId, answers: &mut Vec<u32>, free: bool) -> Fraction {
    let line = RefCell::new(Line { answers: answers.clone(), ..Line::default() });
    let mut state = lab.game.start.clone();
    let mut run = Run::new(&lab.game, Hand(&line), Hand(&line), NoTrace);
    call(&lab.game, &mut state, &mut run, func, &[]).unwrap();
    let asked = line.borrow().asked;
    let Some((by, of)) = asked else { return Fraction::whole(state.stack[0]) };
    let worths: Vec<Fraction> = (0..of)
        .map(|n| {
            answers.push(n);
            let worth = by_every_line(lab, func, answers, free);
            answers.pop();
            worth
        })
        .collect();
    match by {
        By::Mine if !free => worths.into_iter().max().unwrap(),
        By::Yours if !free => worths.into_iter().min().unwrap(),
        _ => {
            let mut sum = Fraction::zero();
            worths.iter().for_each(|w| sum += w);
            &sum / &Fraction::whole(i64::from(of))
        }
    }
}

/// Mine looks for the best, yours for the worst.
pub struct Sides;

impl Deciders for Sides {
    fn decide(&mut self, asked: &mut Asked<'_>) -> Result<Choice, Fault> {
        Ok(if whose(asked) == By::Mine { Choice::Best(None) } else { Choice::Worst(None) })
    }

    fn searches(&self) -> bool {
        true
    }
}

/// One step of a game with a score `s` and a last die `d`.
fn step(lots: &mut Lots, n: usize, decisions: &mut usize) -> String {
    let (k, die) = (lots.range(1, 4), lots.of(&["d2", "d3", "d4"]));
    let who = lots.of(&["mine", "yours"]);
    if *decisions > 0 && lots.below(3) > 0 {
        *decisions -= 1;
        return match lots.below(7) {
            0 => format!("may {who}{n} {{ roll a{n} = {die}\n set d = a{n} }}"),
            1 => format!("may {who}{n} when d < {k} {{ roll a{n} = {die}\n set s += a{n}\n set d = a{n} }}"),
            2 => {
                format!("choose {who}{n} {{ more => set s += d\n less => set s -= d\n nil when d > {k} => set s = 0 }}")
            }
            3 => {
                format!("choose {who}{n} in 1 .. {k}\n if {who}{n} == d {{ set s += 5 }} else {{ set s -= {who}{n} }}")
            }
            4 => format!("roll p{n} = 2 of d2\n may {who}{n} {{ set s += total(p{n}) }}"),
            5 => format!(
                "roll p{n} = 2 of d2\n choose 0 .. 2 of {who}{n} in p{n}\n roll q{n} = (2 - size({who}{n})) of d2\n set s += total({who}{n}) * d - total(q{n})"
            ),
            _ => format!("choose 1 .. 2 of {who}{n} in [2, d, 2]\n set s += total({who}{n}) * (2 - size({who}{n}))"),
        };
    }
    match lots.below(6) {
        4 => format!("draw a{n} in [d, 2, 2]\n set s += a{n}"),
        5 => format!("draw 2 of a{n} in [d, 2, s]\n set s += 2 * total(a{n})\n set d = nth(1, a{n}) otherwise 0"),
        0 => format!("roll a{n} = {die}\n set d = a{n}"),
        1 => format!("roll a{n} = {die}\n set s += a{n}"),
        2 => format!("if d > {k} {{ set s += {k} }} else {{ set d = {k} }}"),
        _ => format!("roll p{n} = 2 of d2\n set s += (count p{n} > 1)"),
    }
}

#[test]
fn the_best_and_the_worst_of_many_games() {
    let mut lots = Lots(0x5eed_1234_5678_9abd);
    let (mut games, mut choices) = (0, 0);
    for _ in 0..5 {
        let mut text = String::from("let worth(x: Int): Int = x\n\n");
        let mut bodies = Vec::new();
        for g in 0..50 {
            let mut decisions = 3;
            let steps: Vec<String> = (0..5).map(|n| step(&mut lots, n, &mut decisions)).collect();
            let body = steps.join("\n ");
            writeln!(text, "proc g{g}() -> Int {{ var s : Int = 0\n var d : Int = 2\n {body}\n return s * 10 + d }}\n")
                .unwrap();
            bodies.push(body);
        }
        let lab = Lab::of(&text);
        for (g, body) in bodies.iter().enumerate() {
            let name = format!("g{g}");
            let func = lab.func(&name);
            let mut graph = lab.graph_by(&name, &[], &mut Sides, ExploreOptions::default());
            graph.optimise(Target::Value(Query { func: lab.func("worth"), args: Args::Result }), None).unwrap();
            let found = graph.results();
            let wanted = by_every_line(&lab, func, &mut Vec::new(), false);
            assert_eq!(found.mean(), Some(wanted), "{body}");
            choices +=
                graph.policy(Target::Value(Query { func: lab.func("worth"), args: Args::Result })).unwrap().len();
            let found = lab.graph_by(&name, &[], &mut All(Choice::Random), ExploreOptions::default()).results();
            let wanted = by_every_line(&lab, func, &mut Vec::new(), true);
            assert_eq!(found.mean(), Some(wanted), "{body}");
            games += 1;
        }
    }
    assert!(games == 250 && choices > 500, "{games} {choices}");
}

/// Each round three in four survive; who has a face may keep it. To go on is worth exactly 3.
const PUSH: &str = "proc push() -> Int {
  repeat {
    roll bust = d4
    if bust == 1 { return 0 }
    roll face = d6
    may mine_stop { return face }
  } while yes
  return 0
}
let worth(x: Int): Int = x";

#[test]
fn when_to_stop() {
    let lab = Lab::of(PUSH);
    let worth = Target::Value(Query { func: lab.func("worth"), args: Args::Result });
    let mut graph = lab.graph_by("push", &[], &mut Sides, ExploreOptions::default());
    graph.optimise(worth, None).unwrap();
    assert_eq!(graph.results().mean(), Some(Fraction::whole(3)));
    let rows = graph.policy(worth).unwrap();
    assert_eq!(rows.len(), 6);
    let table: Vec<String> = rows
        .iter()
        .map(|r| {
            let ties: Vec<&str> = r.ties.iter().map(|n| r.menu[*n].as_str()).collect();
            format!("{} {} {}", r.worth.0, r.menu[r.taken], ties.join("/"))
        })
        .collect();
    let mut sorted = table.clone();
    sorted.sort();
    assert_eq!(sorted, ["3 no no", "3 no no", "3 yes yes/no", "4 yes yes", "5 yes yes", "6 yes yes"], "{table:?}");
}

#[test]
fn the_worst_is_to_wait_for_a_bust() {
    let lab = Lab::of(&PUSH.replace("mine_stop", "yours_stop"));
    let worth = Target::Value(Query { func: lab.func("worth"), args: Args::Result });
    let mut graph = lab.graph_by("push", &[], &mut Sides, ExploreOptions::default());
    graph.optimise(worth, None).unwrap();
    assert_eq!(rendered(&graph.results()), "0: 1");
}

#[test]
fn who_never_stops() {
    // the best of a die that may be thrown again for ever
    let lab = Lab::of(
        "proc again() -> Int { repeat { roll face = d6\n may mine_stop { return face } } while yes\n return 0 }\n
         let worth(x: Int): Int = x",
    );
    let worth = Target::Value(Query { func: lab.func("worth"), args: Args::Result });
    let mut graph = lab.graph_by("again", &[], &mut Sides, ExploreOptions::default());
    graph.optimise(worth, None).unwrap();
    assert_eq!(rendered(&graph.results()), "6: 1");
    // whoever wants the least that way never stops, and that counts what was said
    let lab = Lab::of(
        "proc again() -> Int { repeat { roll face = d6\n may yours_stop { return face } } while yes\n return 0 }\n
         let worth(x: Int): Int = x",
    );
    let worth = Target::Value(Query { func: lab.func("worth"), args: Args::Result });
    let mut graph = lab.graph_by("again", &[], &mut Sides, ExploreOptions::default());
    graph.optimise(worth, None).unwrap();
    assert_eq!(rendered(&graph.results()), "never: 1");
    let options = ExploreOptions { never: Fraction::whole(9), ..ExploreOptions::default() };
    let mut graph = lab.graph_by("again", &[], &mut Sides, options);
    graph.optimise(worth, None).unwrap();
    assert_eq!(rendered(&graph.results()), "1: 1");
}

#[test]
fn no_best_play_where_a_decision_leads_to_an_error() {
    let worth = |lab: &Lab| Target::Value(Query { func: lab.func("worth"), args: Args::Result });
    let found = |body: &str| {
        let lab = Lab::of(&format!("proc go() -> Int {{ {body} }}\nlet worth(x: Int): Int = x"));
        let mut graph = lab.graph_by("go", &[], &mut Sides, ExploreOptions::default());
        let found = graph.optimise(worth(&lab), None);
        found.map(|()| rendered(&graph.results())).map_err(|fault| (fault.code, fault.message))
    };
    let stuck = "roll k = d4\n let way = 4 / (k - 1) rounded down\n return way";
    let astray = |body: &str, entry: &str| {
        let (code, message) = found(body).unwrap_err();
        assert_eq!(code, Code::Astray, "{message}");
        assert!(message.starts_with(&format!("`{entry}` can lead to R0906: ")), "{message}");
    };
    // to avoid the error is no better play than to meet it
    astray(&format!("may mine_go {{ {stuck} }}\n return 9"), "mine_go = yes");
    astray(&format!("may yours_go {{ {stuck} }}\n return 0 - 9"), "yours_go = yes");
    // chance alone leads to it, before anybody decides or where nobody does
    let before = "roll k = d4\n let way = 4 / (k - 1) rounded down\n may mine_go { return 9 }\n return way";
    assert_eq!(found(before).unwrap(), "DivideByZero division by zero: 1/4, 9: 3/4");
}
