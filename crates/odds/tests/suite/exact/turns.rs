//! Turns at random: the same code on dice again and again, at positions that differ elsewhere.

use grognard_kit::Lab;
use grognard_kit::Lots;
use grognard_odds::*;
use std::fmt::Write;

/// What a turn does with dice, with `n` what comes of it: it may read the score `s`, the strength `k` and the turn `t`.
fn throw(lots: &mut Lots, n: usize) -> String {
    let (dice, x) = (lots.range(1, 3), lots.range(1, 5));
    let count = lots.of(&["k", "min(3, k)", "2", "max(1, min(2, s))", "guns"]);
    match lots.below(13) {
        0 => format!("roll p{n} = {count} of d6\n let v{n} = count p{n} <= {x}"),
        1 => format!("roll p{n} = {count} of d6\n let v{n} = count p{n} <= k"),
        2 => format!("roll p{n} = {dice} of d6\n roll q{n} = (count p{n} > {x}) of d4\n let v{n} = count q{n} > 1"),
        3 => format!(
            "roll p{n} = {count} of d4\n roll q{n} = min(2, k) of d6\n let v{n} = count a in highest(2, p{n}) against b in highest(2, q{n}) where a >= b"
        ),
        4 => format!("roll p{n} = {count} of d4\n let v{n} = total(highest(2, p{n}))"),
        5 => format!("roll p{n} = {count} of d4\n let v{n} = total(p{n}) - size(p{n})"),
        6 => format!("roll p{n} = {dice} of d4\n reroll z in p{n} where z <= 1\n let v{n} = count p{n} > 2"),
        7 => format!(
            "roll p{n} = {dice} of d4\n var w{n} : Int = 0\n each z in p{n} {{ if z > 2 {{ set w{n} += 1 }} }}\n let v{n} = w{n}"
        ),
        8 => format!("roll p{n} = {dice} of d4\n var v{n} : Int = k\n if any p{n} == {x} {{ set v{n} = 7 }}"),
        9 => format!("roll p{n} = {dice} of d6\n let v{n} = (count p{n} > 3) * 10 + (if t in p{n} then 1 else 0)"),
        10 => format!("roll p{n} = 2 of d4\n let v{n} = hits(p{n}) + size(p{n})"),
        11 => format!(
            "roll p{n} = (guns * 2) of d4\n roll q{n} = (count p{n} <= hit) of d6\n let v{n} = count q{n} > hit"
        ),
        _ => format!("let c{n} = test Check(k, {dice})\n let v{n} = (if c{n}.passed then 1 else 0) + size(c{n}.p)"),
    }
}

fn change(lots: &mut Lots, n: usize) -> String {
    let x = lots.range(0, 3);
    match lots.below(6) {
        0 => format!("set s += v{n}"),
        1 => format!("if v{n} > {x} {{ set s += 1 }} else {{ set k = min(3, k + 1) }}"),
        2 => format!("set k = max(1, k - min(1, v{n}))"),
        3 => format!("if s < 4 {{ set s += min(2, v{n}) }}"),
        4 => format!("set u = v{n} + {x}"),
        _ => format!("if v{n} == u {{ set s = 0 }}\n set u = min(v{n}, 2)"),
    }
}

#[test]
fn what_is_worked_out_once_changes_nothing() {
    let mut lots = Lots(0x0dd5_0dd5_1234_4321);
    let (mut met, mut known) = (0, 0);
    for _ in 0..6 {
        let mut text = String::from(
            "param guns = 1\n\nparam hit = 3\n\nlet hits(p: list of Int): Int = count p > 2\n\n\
             test Check(k: Int, n: Int) { roll p = n of d6\n pass when any p <= k }\n\n",
        );
        let mut bodies = Vec::new();
        for g in 0..40 {
            let steps: Vec<String> =
                (0..2).map(|n| format!("{}\n {}", throw(&mut lots, n), change(&mut lots, n))).collect();
            let body = format!("each t in 1 .. 3 {{ {} }}", steps.join("\n "));
            let head = "var s : Int = 0\n var k : Int = 3\n var u : Int = 0";
            writeln!(text, "proc g{g}() -> Int {{ {head}\n {body}\n return s * 100 + k * 10 + u }}\n").unwrap();
            bodies.push(body);
        }
        let lab = Lab::of(&text);
        let analysis = Analysis::new(&lab.game);
        for (g, body) in bodies.iter().enumerate() {
            let name = format!("g{g}");
            let graph = lab.graph(&name, &[], ExploreOptions::default());
            let plain = lab.graph(&name, &[], ExploreOptions { regions: false, ..ExploreOptions::default() });
            assert_eq!(grognard_kit::rendered(&graph.results()), grognard_kit::rendered(&plain.results()), "{body}");
            let uses = graph.regions();
            (met, known) = (met + uses.0, known + uses.1);
            assert_eq!(plain.regions(), (0, 0));
            // and whatever was asked before
            for _ in 0..2 {
                let task = Task::Call { func: lab.func(&name), args: &[], keep: None };
                let again = analysis.explore(&lab.game.start, task, &mut Prefer, ExploreOptions::default());
                assert_eq!(
                    grognard_kit::rendered(&again.results()),
                    grognard_kit::rendered(&graph.results()),
                    "{body}"
                );
                assert_eq!((again.states(), again.edges()), (graph.states(), graph.edges()), "{body}");
                assert_eq!(again.regions().0, uses.0, "{body}");
            }
        }
    }
    assert!(known > 1000 && 2 * known > met, "{known} of {met}");
}

/// A salvo on a strength that falls, with its numbers in place of `{guns}`, `{hit}` and `{save}`.
const SALVO: &str = "proc salvo() -> Int {
  var alive : Int = 20
  var pinned : Int = 0
  each t in 1 .. 3 {
    roll aim = ({guns} * 5) of d6
    let hits = count aim >= {hit}
    roll saves = hits of d6
    let failed = count saves < {save}
    if hits > 2 { set pinned += 1 }
    set alive = max(0, alive - failed)
  }
  return alive * 10 + pinned
}";

fn salvo(params: &str, numbers: [&str; 3]) -> Lab {
    let pairs = ["{guns}", "{hit}", "{save}"].into_iter().zip(numbers);
    Lab::of(&pairs.fold(format!("{params}\n\n{SALVO}"), |text, (name, number)| text.replace(name, number)))
}

#[test]
fn params_are_worked_out_once_like_numbers() {
    let numbers = salvo("", ["2", "4", "5"]);
    let params = salvo("param guns = 2\n\nparam hit = 4\n\nparam save = 5", ["guns", "hit", "save"]);
    fn graph(lab: &Lab, options: ExploreOptions) -> Box<Graph<'_>> {
        lab.graph("salvo", &[], options)
    }
    let [one, other] = [&numbers, &params].map(|lab| graph(lab, ExploreOptions::default()));
    assert!(one.regions().1 > 0, "{:?}", one.regions());
    assert_eq!((one.states(), one.regions()), (other.states(), other.regions()));
    assert_eq!(grognard_kit::rendered(&one.results()), grognard_kit::rendered(&other.results()));
    let plain = graph(&params, ExploreOptions { regions: false, ..ExploreOptions::default() });
    assert_eq!(grognard_kit::rendered(&plain.results()), grognard_kit::rendered(&other.results()));
    // where it is recorded which params are read, each read is seen
    let marked = graph(&params, ExploreOptions { marks: true, ..ExploreOptions::default() });
    assert_eq!(grognard_kit::rendered(&marked.results()), grognard_kit::rendered(&other.results()));
}

#[test]
fn a_region_that_ends_in_the_head_of_a_loop() {
    // the demand is in the first round of the loop over `p`, and each round changes a state
    let lab = Lab::of(
        "kind Unit { state mark: 0..9 = 0 }\n\nstate day: 0..6 = 0\n\n\
         proc play(b: Unit) -> Int {
           roll p = 2 of d4
           roll r = [d2, d3]
           each x in p {
             each u in Unit { set day += 1 }
             each y in r where every p < 1 { set b.mark = 1 }
           }
           set b.mark = 2
           return b.mark * 10 + day
         }",
    );
    assert_eq!(lab.odds("play", &[0]), "22: 1");
}

#[test]
fn a_roll_begins_a_region() {
    // neither the faces nor the rounds until they differ are states, and a number that is compared with a die is an input
    let lab = Lab::of(
        "proc play() -> Int {
           var won: Int = 0
           each t in 1 .. 4 {
             var lead: Int = 0
             repeat {
               roll a = d6
               roll b = d6
               set lead = a - b
             } while lead == 0
             let ahead = lead > 0
             let need = won + 2
             roll c = d6
             if ahead and c >= need { set won += 1 }
           }
           return won
         }",
    );
    let graph = lab.graph("play", &[], ExploreOptions::default());
    let plain = lab.graph("play", &[], ExploreOptions { regions: false, ..ExploreOptions::default() });
    assert_eq!(grognard_kit::rendered(&graph.results()), grognard_kit::rendered(&plain.results()));
    assert!(2 * graph.states() < plain.states(), "{} {}", graph.states(), plain.states());
}
