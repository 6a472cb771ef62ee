//! Whole scenarios: who answers, what is given, what is asked at the end, on answers worked out by hand.

use grognard_base::Sources;
use grognard_base::value::*;
use grognard_kit::{Shelf, scenes};
use grognard_odds::*;
use grognard_play::Scripts;
use grognard_play::odds::{OddsOptions, odds_options, report};
use grognard_program::Detail;
use grognard_rules as rules;
use grognard_scenario::{self as scenario, Counted, Counts, Scenario};
use grognard_vm::Fault;

/// Two units strike at each other until one lies. Tame, each hits on 5 and 6; wild, both hit on 3 and more.
const RULES: &str = r#"ruleset t/bout version "1"
param tame "Tame blows hit on" = 5
kind Side { link units : list of Unit }
kind Unit { owner side; link side : Side; state life : 0..9 = 1 "Life" }
tally blows "Blows that hit"
phase Bout(a: Unit, b: Unit) "One exchange" {
  var on : Int = tame
  may wild by a prefer when no { set on = 3 }
  roll mine by a = d6
  roll theirs by b = d6
  if mine >= on { set b.life -= 1; set blows += 1 }
  if theirs >= on { set a.life -= 1; set blows += 1 }
}
policy Bold "At them" { wild = yes }
policy Meek "Stay whole" { wild = no }
"#;

const TABLE: &str = r#"rules = "t/bout"
start = "Bout(red_one, blue_one)"
repeat = "until red_one.life == 0 or blue_one.life == 0"
objective = "red_one.life"
[Side.red]
[Side.blue]
[Unit]
red_one  = { side = "red" }
blue_one = { side = "blue" }
[report]
chance = ["red_one.life > 0", "red_one.life > 0 or blue_one.life > 0"]
mean   = ["red_one.life"]
"#;

/// The table with more lines behind it.
fn table(more: &str) -> Scenario {
    bound(&format!("{TABLE}{more}"))
}

fn bound(text: &str) -> Scenario {
    bound_by("t/bout", RULES, text)
}

pub(super) fn bound_by(name: &str, rules: &str, text: &str) -> Scenario {
    let files = Shelf::of(&[(&format!("{name}.rules"), rules), ("t/bout.toml", text)]);
    let mut sources = Sources::default();
    let rendered = |problems: &[_], sources: &Sources| grognard_base::render_lines(problems, sources);
    let document = scenario::read("t/bout.toml", text.to_string(), &files, &mut sources)
        .unwrap_or_else(|p| panic!("{}", rendered(&p, &sources)));
    let loaded = rules::load(name, &files, &mut sources);
    let Some(rules) = loaded.ruleset else { panic!("{}", rendered(&loaded.problems, &sources)) };
    scenario::build(&document, rules, &[], &sources, Detail::Plain)
        .unwrap_or_else(|p| panic!("{}", rendered(&p, &sources)))
}

fn explored(scenario: &Scenario, options: ExploreOptions) -> Box<Graph<'_>> {
    explore(&scenario.game, &scenario.game.start, Task::Plan(scenario), &mut Scripts::new(scenario), options)
}

/// Places in the report, in the order in which it is written.
const LIFE: usize = 2;
const RED: usize = 0;
const ANYBODY: usize = 1;

/// The n-th figure of the report.
fn figure(scenario: &Scenario, n: usize) -> Query<'static> {
    Query { func: scenario.pieces[scenario.plan.report[n].asked.piece.0].func, args: Args::Rounds }
}

/// What whoever looks for the best looks at.
fn objective(scenario: &Scenario) -> Query<'static> {
    Query { func: scenario.pieces[scenario.plan.objective.as_ref().unwrap().1.piece.0].func, args: Args::Rounds }
}

/// The chance that red stands at the end.
fn red_stands(scenario: &Scenario) -> Result<String, Fault> {
    let mut graph = explored(scenario, ExploreOptions::default());
    if graph.decides() {
        graph.optimise(Target::Value(objective(scenario)), None)?;
    }
    let found = graph.distribution(figure(scenario, RED), None);
    assert_eq!(found.label, Label::Exact);
    Ok(found.chance(|c| c == [1]).to_string())
}

/// The number whose two bounds are the same.
fn fraction(bounds: Option<[Fraction; 2]>) -> Fraction {
    let [low, high] = bounds.unwrap();
    assert_eq!(low, high);
    low
}

#[test]
fn who_answers() {
    let players = |who: &str| table(&format!("[players]\nred = {who}\n"));
    for (who, chance) in [
        ("\"prefer\"", "2/5"),
        ("\"policy:Meek\"", "2/5"),
        ("\"policy:Bold\"", "1/4"),
        ("\"first\"", "1/4"),
        ("\"random\"", "4/13"),
        ("\"best\"", "2/5"),
        ("\"worst\"", "1/4"),
        ("[\"script\", \"prefer\"]", "2/5"),
    ] {
        assert_eq!(red_stands(&players(who)).unwrap(), chance, "{who}");
    }
}

#[test]
fn decisions_of_a_script_are_used_once() {
    let script = "[players]\nred = [\"script\", \"prefer\"]\n[[decide]]\nchoice = \"wild\"\npick = true\n";
    assert_eq!(red_stands(&table(script)).unwrap(), "4/15");
    // the second time: tame 2/9, then wild 2/9 of 4/9, then tame again for ever
    let second = script.replace("pick = true", "pick = true\nnth = 2");
    assert_eq!(red_stands(&table(&second)).unwrap(), "46/135");
    let always = "[players]\nred = [\"script\", \"prefer\"]\n[[decide]]\nalways = { wild = true }\n";
    assert_eq!(red_stands(&table(always)).unwrap(), "1/4");
}

#[test]
fn dice_that_are_given() {
    let dice = "[dice]\nrolls = [{ roll = \"Bout.mine\", of = \"red_one\", give = [6] }]\n";
    let given = |mode: &str, dice: &str| bound(&format!("mode = \"{mode}\"\n{TABLE}{dice}"));
    let second = dice.replace("give", "nth = 2, give");
    for mode in ["exact", "sampled"] {
        assert_eq!(red_stands(&given(mode, dice)).unwrap(), "2/3");
        assert_eq!(red_stands(&given(mode, &second)).unwrap(), "14/27");
    }
    // those of a script are for the one run that is played
    assert_eq!(red_stands(&given("scripted", dice)).unwrap(), red_stands(&table("")).unwrap());
}

#[test]
fn what_is_given() {
    let scenario = table("");
    let graph = explored(&scenario, ExploreOptions::default());
    // among the ends at which anybody stands
    let found = graph.distribution(figure(&scenario, RED), Some(figure(&scenario, ANYBODY)));
    assert_eq!(found.chance(|c| c == [1]).to_string(), "1/2");
    assert_eq!(graph.distribution(figure(&scenario, LIFE), None).mean().unwrap().to_string(), "2/5");
}

fn rounds() -> Counts {
    Counts::one(Counted::Rounds)
}

fn tally(n: usize) -> Counts {
    Counts::one(Counted::Tally(TallyId::from(n)))
}

#[test]
fn what_is_counted() {
    let scenario = table("");
    let graph = explored(&scenario, ExploreOptions::default());
    assert_eq!(fraction(graph.mean_counted(&rounds(), None).unwrap()).to_string(), "9/5");
    assert_eq!(fraction(graph.mean_counted(&tally(0), None).unwrap()).to_string(), "6/5");
    // where red stands, blue was hit once and nobody else
    assert_eq!(fraction(graph.mean_counted(&tally(0), Some(figure(&scenario, RED))).unwrap()), Fraction::one());
    assert!(graph.states() < 20, "{}", graph.states());
}

#[test]
fn what_is_left_over_is_told() {
    let scenario = table("");
    // with rounds in the position it never comes back, and the budget ends it
    let budget = Budget { states: 40, ..Budget::default() };
    let graph = explored(&scenario, ExploreOptions { history: true, budget, ..ExploreOptions::default() });
    let found = graph.distribution(figure(&scenario, RED), None);
    assert!(graph.cut_short());
    assert_eq!(found.label, Label::Bounded);
    assert_eq!(found.mean(), None);
    let (low, two_fifths): (Fraction, Fraction) = (found.chance(|c| c == [1]), "2/5".parse().unwrap());
    assert!(low < two_fifths && two_fifths < &low + &found.unexplored());
    let mut whole = found.unexplored();
    found.outcomes.iter().for_each(|o| whole += &found.share(o));
    assert_eq!(whole, Fraction::one());
}

#[test]
fn where_it_is_decided() {
    let once = "[[step]]\ndo = \"run Bout(red_one, blue_one)\"\nexpect = \"blue_one.life == 0\"\n";
    let head = TABLE
        .replace("start = \"Bout(red_one, blue_one)\"\n", "")
        .replace("repeat = \"until red_one.life == 0 or blue_one.life == 0\"\n", "");
    let scenario = bound(&format!("{head}{once}"));
    let graph = explored(&scenario, ExploreOptions { pools: Pools::Faces, marks: true, ..ExploreOptions::default() });
    // red stands unless blue hits: only that roll moves it, by 2/3 of 1/3 and 1/3 of 2/3
    let found = graph.swings(Target::Value(figure(&scenario, RED)), None).unwrap();
    assert!(graph.looks_at_once());
    assert_eq!((found.mean.to_string(), found.variance.to_string()), ("2/3".to_string(), "2/9".to_string()));
    let names: Vec<(String, String, String)> = found
        .list
        .into_iter()
        .map(|s| {
            let name = scenario.game.program.schema.sites[s.site.at()].name.clone();
            (name, s.made.to_string(), s.change.to_string())
        })
        .filter(|(_, _, change)| change != "0")
        .collect();
    assert_eq!(names, [("theirs".to_string(), "1".to_string(), "4/9".to_string())]);
    assert_eq!(fraction(graph.misses(0).unwrap()).to_string(), "2/3");
    assert_eq!(graph.leans(None).unwrap().setting(SettingId(0)).chance, Fraction::one());
}

#[test]
fn a_policy_as_a_table() {
    let scenario = table("[players]\nred = \"best\"\n");
    let mut graph = explored(&scenario, ExploreOptions::default());
    let objective = objective(&scenario);
    graph.optimise(Target::Value(objective), None).unwrap();
    let rows = graph.policy(Target::Value(objective)).unwrap();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!((row.menu.join("/"), row.taken, row.ties.len(), row.best), ("yes/no".to_string(), 1, 1, true));
    assert_eq!(
        (row.worth.0.to_string(), row.reached.as_ref().unwrap().to_string()),
        ("2/5".to_string(), "9/5".to_string())
    );
}

#[test]
fn shares_of_rolls_come_to_the_whole() {
    let scenario = table("");
    let graph = explored(&scenario, ExploreOptions { marks: true, ..ExploreOptions::default() });
    assert!(graph.looks_at_once());
    let red = figure(&scenario, RED);
    let found = graph.swings(Target::Value(red), None).unwrap();
    // the variance of a chance, and of it each roll has its own share
    assert_eq!(found.mean, graph.distribution(red, None).chance(|c| c == [1]));
    assert_eq!(found.variance, &found.mean * &(&Fraction::one() - &found.mean));
    let mut shares = Fraction::zero();
    found.list.iter().for_each(|swing| shares += &swing.share);
    assert_eq!(shares, Fraction::one());
    // counted on the way: each exchange is one round, and ends the fight with a chance of 5/9
    let found = graph.swings(Target::Counted(&rounds()), None).unwrap();
    assert_eq!(found.mean.to_string(), "9/5");
    // of a number of tries until the first success with chance p the variance is (1 - p) / p²
    assert_eq!(found.variance.to_string(), "36/25");
    assert_eq!(found.mean, fraction(graph.mean_counted(&rounds(), None).unwrap()));
    let blows = scenario.game.program.schema.tallies.iter().position(|t| t.name == "blows").unwrap();
    let found = graph.swings(Target::Counted(&tally(blows)), None).unwrap();
    assert_eq!(found.mean, fraction(graph.mean_counted(&tally(blows), None).unwrap()));
    // among fights that red survives only blue's blows are missing
    let given = graph.swings(Target::Counted(&rounds()), Some(red)).unwrap();
    assert_eq!(given.mean, fraction(graph.mean_counted(&rounds(), Some(red)).unwrap()));
}

#[test]
fn leaned_on_under_a_condition() {
    let scenario = table("");
    let graph = explored(&scenario, ExploreOptions { marks: true, ..ExploreOptions::default() });
    let bout = scenario.game.program.phases[0].func;
    assert_eq!(graph.leans(None).unwrap().call(bout).chance, Fraction::one());
    assert_eq!(graph.leans(Some(figure(&scenario, RED))).unwrap().call(bout).chance, Fraction::one());
    // of what nobody explored it is only known that it lies between nothing and all
    let budget = Budget { states: 3, ..Budget::default() };
    let graph = explored(&scenario, ExploreOptions { marks: true, budget, ..ExploreOptions::default() });
    let mut leans = graph.leans(None).unwrap();
    assert!(!leans.unexplored().is_zero());
    let lean = leans.setting(SettingId(0));
    assert_eq!(&lean.chance + leans.unexplored(), lean.most);
}

#[test]
fn what_is_known_is_told_when_no_work_is_left() {
    let scenario = table("");
    // the least work that finds an end
    let mut tries = (1..100).map(|n| {
        let budget = Budget { work: 10 * n, ..Budget::default() };
        let graph = explored(&scenario, ExploreOptions { history: true, budget, ..ExploreOptions::default() });
        (graph.limit(), graph.distribution(figure(&scenario, RED), None))
    });
    let (limit, found) = tries.find(|(_, found)| found.chance(|c| c == [1]) > Fraction::zero()).expect("an end");
    assert_eq!(limit, Some(Limit::Work));
    assert!(found.outcomes.iter().all(|o| matches!(o.worth, Worth::Cells(_))), "{:?}", found.outcomes);
    let (low, two_fifths): (Fraction, Fraction) = (found.chance(|c| c == [1]), "2/5".parse().unwrap());
    assert!(Fraction::zero() < low && low < two_fifths && two_fifths < &low + &found.unexplored());
}

#[test]
fn a_threshold_on_a_count_is_exact() {
    let report = "[report]\nchance = [\"rounds == 3\", \"rounds > 2\", \"blows >= 2\"]\n";
    let text = format!("{}{report}", TABLE.split("[report]").next().unwrap());
    let scenario = bound(&text);
    let found = grognard_play::odds::report(
        &scenario,
        &grognard_play::odds::OddsOptions::plain(grognard_base::Effort::Given(100).budget()),
    )
    .unwrap();
    let chances = found.answers.iter().map(|answer| {
        let found = answer.as_ref().unwrap().found.as_ref().unwrap();
        assert_eq!(found.label, Label::Exact);
        found.chance(|c| c == [1]).to_string()
    });
    // nobody is hit in a round with a chance of 4/9; only where both are hit there are two blows
    assert_eq!(chances.collect::<Vec<_>>(), ["80/729", "16/81", "1/5"]);
    assert!(found.graph().unwrap().graph.states() < 60);
}

#[test]
fn a_count_without_end_is_bounded() {
    let report = "[report]\nhist = [\"rounds\"]\n";
    let text = format!("{}{report}", TABLE.split("[report]").next().unwrap());
    let scenario = bound(&text);
    let options = ExploreOptions { history: true, ..ExploreOptions::default() };
    let graph = explored(&scenario, options);
    let found = graph.distribution(figure(&scenario, 0), None);
    assert_eq!((graph.limit(), found.label), (Some(Limit::Tail), Label::Bounded));
    let four_ninths = &Fraction::whole(4) / &Fraction::whole(9);
    let mut chance = &Fraction::whole(5) / &Fraction::whole(9);
    for rounds in 1..100 {
        let [low, high] = found.chance_between(|c| c == [rounds]);
        assert!(low <= chance && chance <= high, "{rounds}");
        assert!(&(&high - &low) * &Fraction::whole(1_000_000_000_000) < chance, "{rounds}");
        chance = &chance * &four_ninths;
    }
    assert!(found.unexplored() < "1/1000000000000000000000000000000".parse().unwrap());
}

#[test]
fn going_round_without_dice_never_ends() {
    let duel = |act: &str, until: &str| {
        let rules =
            format!("ruleset t/still version \"1\"\nkind S {{ state p : 0..9 = 0 }}\nphase G(a: S) {{ {act} }}\n");
        let text = format!(
            "rules = \"t/still\"\nstart = \"G(a)\"\nrepeat = \"until {until}\"\n[S.a]\n[report]\nmean = [\"a.p\"]\n"
        );
        let scenario = bound_by("t/still", &rules, &text);
        let options =
            ExploreOptions { budget: Budget { states: 1000, ..Budget::default() }, ..ExploreOptions::default() };
        let graph = explored(&scenario, options);
        let found = graph.distribution(figure(&scenario, 0), None);
        (found.outcomes.iter().map(|o| o.worth.clone()).collect::<Vec<_>>(), found.label, graph.cut_short())
    };
    let never = (vec![Worth::Never], Label::Exact, false);
    assert_eq!(duel("set a.p = 1", "a.p == 2"), never);
    assert_eq!(duel("set a.p = 1 - a.p", "a.p == 2"), never);
    assert_eq!(duel("let z = 1", "a.p == 2"), never);
    assert_eq!(
        duel("if a.p == 0 { roll d = d2; if d == 1 { set a.p = 2 } else { set a.p = 1 } }", "a.p == 2").1,
        Label::Exact
    );
    // what is never the same again is bounded, whether dice fall or not
    assert_eq!(duel("set a.p = 1", "a.p == 2 or rounds == 100000"), (vec![], Label::Bounded, true));
}

/// A free move of a random player: its ends are looked for once, not again for each of them, and the search is charged.
#[test]
fn the_search_for_a_move_is_work() {
    let rules = "ruleset t/walk version \"1\"\nkind Side { link units : list of Unit }\n\
                 kind Unit on board { owner side; link side : Side; state gone : 0..9 = 0 \"Gone\" }\n\
                 phase Go(u: Unit) {\n  move u {\n    at most 2\"\n    ends where u.gone == 0\n  }\n  set u.gone += 1\n}\n";
    let text = "rules = \"t/walk\"\nstart = \"Go(one)\"\n[board]\nsize = [48, 36]\ngrid = 0.25\n[Side.red]\n\
                [Unit]\none = { side = \"red\", at = [20, 20] }\n[players]\nred = \"random\"\n";
    let scenario = bound_by("t/walk", rules, text);
    let within = |work| {
        explored(
            &scenario,
            ExploreOptions { budget: Budget { work, ..Budget::default() }, ..ExploreOptions::default() },
        )
    };
    // a circle of 8 squares holds 197 corners; to look for all of them takes some 3,000 steps
    let whole = within(5_000);
    assert_eq!((whole.limit(), whole.faults().len()), (None, 0));
    let ends = whole.distribution_by(|state| state.cells.clone());
    assert!((190..=200).contains(&ends.outcomes.len()), "{}", ends.outcomes.len());
    let less = within(1_000);
    assert_eq!(less.limit(), Some(Limit::Work));
    assert_eq!(less.results().unexplored(), Fraction::one());

    // a condition that goes over many things is as much more work
    let crowd: String = (0..60).map(|n| format!("u{n} = {{ side = \"red\", at = [{}, 30] }}\n", n / 2 + 10)).collect();
    let crowd = text.replace("[players]", &format!("{crowd}[players]"));
    let near = rules.replace("u.gone == 0", "(count v in Unit where dist(u, v) < 1\") < 9");
    let crowded = bound_by("t/walk", &near, &crowd);
    let work = |work| {
        explored(&crowded, ExploreOptions { budget: Budget { work, ..Budget::default() }, ..ExploreOptions::default() })
    };
    assert_eq!((within(5_000).limit(), work(5_000).limit(), work(20_000).limit()), (None, Some(Limit::Work), None));

    let short = bound_by("t/walk", rules, &format!("fuel = 100\n{text}"));
    let found = explored(&short, ExploreOptions::default());
    assert!(found.faults().iter().any(|f| f.message.contains("takes more than 100 steps")), "{:?}", found.faults());
}

/// The value of a node of a game, as best and worst players reach it.
fn value(nodes: &[GameNode], node: usize) -> Fraction {
    match &nodes[node] {
        GameNode::End(value) => value.clone(),
        GameNode::Chance(edges) => {
            assert_eq!(edges.iter().fold(Fraction::zero(), |sum, (_, chance)| &sum + chance), Fraction::one());
            edges.iter().fold(Fraction::zero(), |sum, (to, chance)| &sum + &(&value(nodes, *to) * chance))
        }
        GameNode::Decision { best, entries, .. } => {
            let values = entries.iter().map(|(_, to)| value(nodes, *to));
            if *best { values.max() } else { values.min() }.unwrap()
        }
    }
}

#[test]
fn a_game_tree_has_the_value_of_best_play() {
    let thrice = TABLE.replace("\"until red_one.life == 0 or blue_one.life == 0\"", "3");
    for who in ["best", "worst"] {
        let scenario = bound(&format!("{thrice}[players]\nred = \"{who}\"\n"));
        let nodes = grognard_play::odds::game_tree(&scenario, Budget::default()).unwrap();
        let mut graph = explored(&scenario, ExploreOptions::default());
        graph.optimise(Target::Value(objective(&scenario)), None).unwrap();
        assert_eq!(Some(value(&nodes, 0)), graph.distribution(objective(&scenario), None).mean(), "{who}");
    }
    let cycle = grognard_play::odds::game_tree(&table("[players]\nred = \"best\"\n"), Budget::default());
    assert!(cycle.unwrap_err().message.contains("cycle"));
    let nobody = grognard_play::odds::game_tree(&bound(&thrice), Budget::default());
    assert!(nobody.unwrap_err().message.contains("no player"));
}

/// Each measure of each shipped scenario that has an exact result is also proven: the interval contains the fraction, and is
/// narrow.
#[test]
fn shipped_scenarios_are_proven_too() {
    let narrow = |[low, high]: [Fraction; 2], number: &Fraction, what: &str| {
        assert!(low <= *number && *number <= high, "{what}: {number} is not within {low} and {high}");
        assert_ne!(Label::of(&[low, high]), Label::Bounded, "{what}");
    };
    let mut compared = 0;
    for name in scenes::names() {
        let (scenario, _) = scenes::shipped(&name);
        let budget = Budget { states: 2_000, work: 40_000, ..Budget::default() };
        let found = [Precision::Fractions, Precision::Proven].map(|precision| {
            let options = OddsOptions { precision, ..odds_options(&scenario, budget.clone()) };
            report(&scenario, &options).map(|report| report.answers)
        });
        let [Ok(exact), Ok(proven)] = found else { continue };
        for ((exact, proven), figure) in exact.into_iter().zip(proven).zip(&scenario.plan.report) {
            let (Ok(exact), Ok(proven)) = (exact, proven) else { continue };
            if exact.label != Label::Exact {
                continue;
            }
            let what = format!("{name}: {}", figure.text);
            if let Some(number) = &exact.mean {
                let mean = proven.mean.clone().map(|mean| [mean.clone(), mean]);
                narrow(mean.or(proven.between.clone().map(Into::into)).expect(&what), number, &what);
            }
            if let (Some(exact), Some(proven)) = (&exact.variance, &proven.variance) {
                narrow(proven.clone(), &exact[0], &what);
            }
            for (a, b) in exact.found.iter().zip(&proven.found) {
                assert_eq!(a.outcomes.len(), b.outcomes.len(), "{what}");
                for (one, other) in a.outcomes.iter().zip(&b.outcomes) {
                    narrow(b.share_between(other), &a.share(one), &what);
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}
