//! Scenarios: what is read, what is refused, and what comes of playing them.

use grognard_base::value::Ratio;
use grognard_base::{Diagnostic, Sources};
use grognard_kit::{Shelf, Shipped};
use grognard_play::{self as play, Options, Outcome};
use grognard_program::Detail;
use grognard_rules::{self as rules, Library};
use grognard_scenario::{self as scenario, Scenario};
use grognard_stats::{CHUNK, Sample, Settings, Tally, sample, stats::Level};

fn load(path: &str, own: &[(&str, &str)]) -> Result<Scenario, (Vec<Diagnostic>, Sources)> {
    let files = Shipped(Shelf::of(own));
    let mut sources = Sources::default();
    let text = files.read(path).unwrap().unwrap_or_else(|| panic!("there is no {path}"));
    let document = match scenario::read(path, text, &files, &mut sources) {
        Ok(document) => document,
        Err(found) => return Err((found, sources)),
    };
    let names = match scenario::rulesets(&document) {
        Ok(names) => names,
        Err(found) => return Err((found, sources)),
    };
    let mut sets = Vec::new();
    for (name, _) in names {
        let loaded = rules::load(&name, &files, &mut sources);
        match loaded.ruleset {
            Some(set) => sets.push(set),
            None => return Err((loaded.problems, sources)),
        }
    }
    let first = sets.remove(0);
    scenario::build(&document, first, &sets, &sources, Detail::Plain).map_err(|found| (found, sources))
}

fn rendered(found: &[Diagnostic], sources: &Sources) -> String {
    grognard_base::render_lines(found, sources)
}

fn loaded(path: &str, own: &[(&str, &str)]) -> Scenario {
    load(path, own).unwrap_or_else(|(found, sources)| panic!("{}", rendered(&found, &sources)))
}

fn played(scenario: &Scenario) -> Outcome {
    play::play(scenario, Options::default())
}

fn words(outcome: &Outcome) -> String {
    outcome.problems.iter().map(|d| format!("{} {}\n", d.code, d.message)).collect()
}

fn holds(name: &str, count: usize) {
    let outcome = played(&loaded(&format!("warstrike/scenarios/{name}.toml"), &[]));
    assert!(outcome.sound(), "{}", words(&outcome));
    assert_eq!(outcome.count(), (count, count));
}

#[test]
fn orders_under_fire() {
    holds("orders-under-fire", 4);
}

#[test]
fn salvo_order() {
    holds("salvo-order", 25);
}

#[test]
fn shaken_or_steadfast() {
    holds("shaken-or-steadfast", 10);
}

#[test]
fn salvo_threshold_over_its_base() {
    holds("salvo-threshold", 2);
}

#[test]
fn refuge_too_near() {
    holds("refuge-too-near", 2);
}

#[test]
fn rout_from_one() {
    holds("rout-from-one", 2);
}

#[test]
fn what_is_claimed_of_all_outcomes_waits_for_its_odds() {
    let outcome = played(&loaded("warstrike/scenarios/shedding-markers.toml", &[]));
    assert_eq!(outcome.waiting(), 1);
    assert!(outcome.sound(), "{}", words(&outcome));
}

#[test]
fn a_firefight_is_sampled() {
    let scenario = loaded("warstrike/scenarios/firefight.toml", &[]);
    let sample = sampled(&scenario, 20);
    assert!(sample.problems(&scenario).is_empty());
    assert_eq!((sample.runs, sample.faults, sample.tallies.len()), (20, 0, 4));
    assert!(sample.tallies.iter().all(|t| t.counted == 20));
    assert_eq!(sample.tallies, sampled(&scenario, 20).tallies);
    // one of its runs by itself ends as the sample counted it
    let figures = |run| {
        let options = Options { run: Some(run), ..Options::default() };
        play::play(&scenario, options).figures
    };
    let mut tallies = vec![Tally::default(); 4];
    for run in 0..20 {
        tallies.iter_mut().zip(figures(run)).for_each(|(tally, cells)| tally.add(&cells.unwrap()));
    }
    assert_eq!(tallies, sample.tallies);
}

/// A sample on two threads.
fn sampled(scenario: &Scenario, runs: u64) -> Sample {
    let seed = scenario.plan.seed;
    let settings = Settings { seed, runs, threads: 2, chunk: CHUNK, level: Level::USUAL, until: None };
    sample(scenario, settings, None, &|_| true)
}

// -------------------------------------------------------------------- errors

const RULES: &str = "ruleset t/x version \"1\"

enum Cover { Bare < Soft < Hard }
chain Quality = d4 < d6 < d8
param reach \"Reach\" = 6\"
reading late \"When late\" = Early \"at once\" or Late \"later\" because \"the book does not say\"
state turn : 0..20 = 0 \"Turn\"
kind Side \"A side\" { link units : list of Unit }
kind Unit on board {
  link  side : Side
  owner side
  stat  nerve : 0..6 = 3
  stat  pace(c: Cover) : Length = 6\"
  stat  cover : Cover = Bare
  stat  quality : Quality = d6
  state hits : 0..9 = 0
}
trait Brave on Unit { modify nerve += 1 }
status Pinned(foe: Unit) on Unit
extern test Shot(u: Unit) \"A shot\" gives hits: Int default { roll dice = d6; let hits = dice }
extern proc look(u: Unit) \"Looks\" default { set u.hits += 1 }
test Luck(u: Unit) { roll pips = 2 of d6; pass when total(pips) > 7 }
proc fire(u: Unit) {
  let s = test Shot(u)
  choose extra in 0 .. 3
  set u.hits += s.hits + extra
}
proc gaze(u: Unit) { do look(u) }
proc luck(u: Unit) { let l = test Luck(u); if l.passed { set u.hits += 1 } }
phase Round(u: Unit) { do fire(u) }
policy Wild { extra = most extra }
";

const HEAD: &str = "rules = \"t/x\"\nstart = \"Round(a)\"\n[players]\nred = \"script\"\n[extern]\nShot = { hits = 2 }\n[Side.red]\n[Unit]\na = { side = \"red\", at = [1, 2.5] }\nb = { side = \"red\" }\n";

/// The codes and messages for a text put behind, or in the place of, a part of a good scenario.
fn refused(text: &str) -> String {
    match load("t/s.toml", &[("t/x.rules", RULES), ("t/s.toml", text)]) {
        Ok(_) => String::new(),
        Err((found, sources)) => rendered(&found, &sources),
    }
}

fn refuses(text: &str, code: &str, message: &str) {
    let found = refused(text);
    assert!(found.contains(code) && found.contains(message), "wanted {code} {message}, got:\n{found}\nfor:\n{text}");
    assert!(found.contains("t/s.toml:"), "no place: {found}");
}

fn good(text: &str) -> Outcome {
    let scenario = loaded_text(text);
    let outcome = played(&scenario);
    assert!(outcome.sound(), "{}", words(&outcome));
    outcome
}

fn loaded_text(text: &str) -> Scenario {
    loaded("t/s.toml", &[("t/x.rules", RULES), ("t/s.toml", text)])
}

fn with(more: &str) -> String {
    format!("{HEAD}{more}")
}

const PICK: &str = "[[decide]]\nchoice = \"extra\"\npick = 1\n";

#[test]
fn figures_begin_within_the_bounds_that_others_make() {
    let rules = "ruleset d/x
        kind Unit { stat save : 2..6; stat grit : save..9 = 3; state hp : 0..save = 5 }
        phase Day(u: Unit) { set u.hp = 1 until end of Day }";
    let text = |save: i64| format!("rules = \"d/x\"\nstart = \"Day(a)\"\n[Unit.a]\nsave = {save}\n");
    let with = |save: i64| load("d/s.toml", &[("d/x.rules", rules), ("d/s.toml", &text(save))]);
    let Err((found, sources)) = with(4) else { panic!("3 is not within 4..9") };
    assert!(rendered(&found, &sources).contains("`grit` of a is 3, but the least it can be is 4"));
    // the default of a state is cut, at the start and when a duration is over
    let scenario =
        loaded("d/s.toml", &[("d/x.rules", rules), ("d/s.toml", &(text(3) + "[[expect]]\nthat = \"a.hp == 3\""))]);
    assert!(played(&scenario).sound(), "{}", words(&played(&scenario)));
}

#[test]
fn faces_that_are_given_are_faces_of_the_dice() {
    let rules = "ruleset d/x
        die Odd of 1..5 = 1, 3, 5
        kind Unit { state hp : 0..9 = 5; stat sides : 1..20 = 6 }
        proc strike(u: Unit) { roll aim = 2 of d6; roll luck = Odd; roll far = 2d6; roll any_die = die(u.sides) }";
    let with = |roll: &str, give: &str| {
        let text = format!(
            "rules = \"d/x\"\n[Unit.a]\n[dice]\nrolls = [{{ roll = \"strike.{roll}\", give = {give} }}]\n\
             [[step]]\ndo = \"do strike(a)\"\n"
        );
        match load("d/s.toml", &[("d/x.rules", rules), ("d/s.toml", &text)]) {
            Ok(_) => String::new(),
            Err((found, sources)) => rendered(&found, &sources),
        }
    };
    for (roll, give, rendered) in [
        ("aim", "[1, 7]", "is 1..6; 7 is out of range"),
        ("aim", "[0, 2]", "is 1..6; 0 is out of range"),
        ("luck", "[7]", "is 1..5; 7 is out of range"),
        ("far", "[3, 9]", "is 1..6; 9 is out of range"),
    ] {
        let found = with(roll, give);
        assert!(found.contains("R0804") && found.contains(rendered), "{roll}: {found}");
    }
    for (roll, give) in [("aim", "[1, 6]"), ("luck", "[5]"), ("far", "[6, 6]"), ("any_die", "[20]")] {
        assert_eq!(with(roll, give), "", "{roll}");
    }
}

#[test]
fn keys_below_a_header_belong_to_its_table() {
    let rules = "ruleset d/x\nkind Unit { state hp : 0..9 = 5; stat brave : Flag = no }\n";
    let found = |text: &str| match load("d/s.toml", &[("d/x.rules", rules), ("d/s.toml", text)]) {
        Ok(_) => String::new(),
        Err((found, _)) => found.iter().map(|d| format!("{} {} {}\n", d.code.id(), d.message, d.help)).collect(),
    };
    let rendered = found("rules = \"d/x\"\n[Unit.a]\nbrave = yes\n");
    assert!(
        rendered.contains("R0801") && rendered.contains("write `true` or `false` for a flag here, not `yes`"),
        "{rendered}"
    );
    let rendered = found("[Unit.a]\nrules = \"d/x\"\n");
    assert!(rendered.contains("`rules` is a key of that table"), "{rendered}");
    let rendered = found("[[step]]\ndo = \"set a.hp = 3\"\nrules = \"d/x\"\n");
    assert!(rendered.contains("`rules` is a key of that table"), "{rendered}");
    let rendered = found("rules = \"d/x\"\n[Unit.a]\nstart = \"Go(a)\"\n[report]\nseed = 3\n");
    for key in ["start", "seed"] {
        assert!(rendered.contains(&format!("`{key}` must be above the first `[..]`")), "{rendered}");
    }
}

#[test]
fn keys_that_are_not_known() {
    refuses(&format!("strat = 1\n{}", with("")), "R0802", "did you mean `start`?");
    refuses(&with("[Untis]\nx = {}\n"), "R0802", "did you mean `Unit`?");
    refuses(&HEAD.replace("at = [1, 2.5]", "nerv = 2"), "R0802", "a Unit has no `nerv`; did you mean `nerve`?");
    refuses(&with("[params]\nreech = 1\n"), "R0802", "did you mean `reach`?");
    refuses(&with("[readings]\nreach = 1\n"), "R0804", "put it under `[params]`");
    refuses(&with("[state]\ntrun = 1\n"), "R0802", "did you mean `turn`?");
    refuses(&HEAD.replace("Shot =", "Shoot ="), "R0802", "did you mean `Shot`?");
    refuses(&with("[board]\nsiz = [1, 1]\n"), "R0802", "did you mean `size`?");
    refuses(&with("[[expect]]\nthta = \"yes\"\n"), "R0802", "did you mean `that`?");
}

#[test]
fn values_that_do_not_fit() {
    let unit = |keys: &str| HEAD.replace("at = [1, 2.5]", keys);
    refuses(&unit("nerve = 7"), "R0804", "0..6");
    refuses(&unit("nerve = 1.5"), "R0804", "whole number");
    refuses(&unit("cover = \"Hrad\""), "R0804", "did you mean `Hard`?");
    for die in ["d7", "d+6", "d006"] {
        refuses(&unit(&format!("quality = \"{die}\"")), "R0804", "d4, d6, d8");
    }
    refuses(&unit("pace = { Soft = '6\"' }"), "R0804", "plain number of inches");
    refuses(&unit("pace = { Sfot = 6 }"), "R0802", "did you mean `Soft`?");
    refuses(&unit("pace = { Soft = 1.2345 }"), "R0804", "3 after");
    refuses(&unit("pace = { Soft = 1e3 }"), "R0804", "3 after");
    refuses(&unit("traits = [\"Barve\"]"), "R0802", "did you mean `Brave`?");
    refuses(&unit("status = [{ Pinned = { foe = \"c\" } }]"), "R0803", "`c`");
    refuses(&HEAD.replace("a = { side = \"red\"", "a = { side = \"b\""), "R0804", "expected Side");
    refuses(&HEAD.replace("[Side.red]", "[Side.red]\nunits = [\"a\"]"), "R0804", "filled in");
    refuses(&with("[Side.b]\n"), "R0205", "two things have the name `b`");
    refuses(&with("[Side.when]\n"), "R0804", "`when` cannot be the name of a thing");
    refuses(&format!("base = [\"a\"]\n{}", with("")), "R0804", "`base` must be one scenario in quotes, not a list");
    refuses(&HEAD.replace("Round(a)", ""), "R0804", "`start` does not name a phase");
    refuses(&with("[readings]\nlate = \"Never\"\n"), "R0804", "Early, Late");
    refuses(&with("repeat = \"laans\"\n").replace("start =", "repeat = \"x\"\nstart ="), "R0", "");
    refuses("rules = \"t/x\"\nmode = \"sampeld\"\n", "R0804", "did you mean `sampled`?");
    let steps = |key: &str| format!("rules = \"t/x\"\n{key}\n[[step]]\ndo = \"stop\"\n");
    refuses(&steps("repeat = 3"), "R0804", "`repeat` refers to the phase in `start`");
    refuses(&steps("stop = \"end of Round\""), "R0804", "`stop` refers to the phase in `start`");
}

#[test]
fn an_expectation_expects_something() {
    for nothing in ["", "that = []\n", "chance = {}\n", "mean = {}\nmode = \"exact\"\n"] {
        refuses(&with(&format!("[[expect]]\n{nothing}")), "R0804", "this expectation is empty");
    }
    // one run is not asked again with other answers
    let instead = "where = { extra = 1 }\n";
    refuses(&with(&format!("[[expect]]\nthat = \"yes\"\n{instead}")), "R0804", "in a single run, use `decide`");
    loaded_text(&with(&format!("[[expect]]\nthat = \"yes\"\nmode = \"exact\"\n{instead}")));
    loaded_text(&with(&format!("[[expect]]\nchance = {{ \"yes\" = \"1\" }}\n{instead}")));
    refuses(&format!("stop = \"Round\"\n{}", with("")), "R0804", "`stop` must be \"end of Phase\"");
    loaded_text(&format!("stop = \"end of Round for a\"\n{}", with("")));
}

#[test]
fn answers_and_dice_that_cannot_be() {
    refuses(&with("[[decide]]\nchoice = \"extar\"\npick = 1\n"), "R0805", "did you mean `extra`?");
    refuses(&with("[[decide]]\nchoice = \"extra\"\npick = \"Hard\"\n"), "R0", "");
    refuses(&with("[dice]\nrolls = [{ roll = \"Luck.pisp\", give = [1, 2] }]\n"), "R0806", "did you mean `Luck.pips`?");
    refuses(&HEAD.replace("\"script\"", "\"policy:Wlid\""), "R0804", "did you mean `Wild`?");
    refuses(&HEAD.replace("\"script\"", "\"scirpt\""), "R0804", "did you mean `script`?");
    refuses(&HEAD.replace("red = \"script\"", "a = \"script\""), "R0804", "decides for it");
}

#[test]
fn strings_of_the_language_point_into_the_file() {
    let text = with("[[step]]\ndo = \"do fire(a)\"\nexpect = [\"a.hist == 1\"]\n");
    let line = text.lines().count();
    let found = refused(&text);
    assert!(found.contains(&format!("t/s.toml:{line}:14")) && found.contains("did you mean `hits`?"), "{found}");
    refuses(&with("[[step]]\ndo = \"do fire(a\"\n"), "R01", "");
    refuses(&HEAD.replace("Round(a)", "Rond(a)"), "R0", "did you mean `Round`?");
    refuses(&with("[[expect]]\nthat = \"was a.hits == 1\"\n"), "R0412", "was");
}

#[test]
fn a_scenario_wants_something_to_do() {
    refuses("rules = \"t/x\"\n", "R0808", "");
    refuses("rules = \"t/x\n", "R0801", "");
    refuses("start = \"x\"\n", "R0804", "rules");
}

#[test]
fn externs_in_every_form() {
    let text = |form: &str| format!("{}{PICK}[[expect]]\nthat = \"a.hits == 3\"\n", HEAD.replace("{ hits = 2 }", form));
    for form in [
        "{ hits = 2 }",
        "[{ hits = 2 }, { hits = 9 }]",
        "{ by = { a = { hits = 2 } } }",
        "{ odds = [[\"1/3\", { hits = 2 }], [\"2/3\", { hits = 2 }]] }",
    ] {
        assert_eq!(good(&text(form)).count(), (1, 1), "{form}");
    }
    refuses(&text("{ odds = [[\"1/2\", { hits = 2 }]] }"), "R0804", "add up to 1/2");
    refuses(&text("{ odds = [] }"), "R0804", "at least one row");
    let one = refused(&text("{ odds = [[1, { hits = 2 }]] }"));
    assert!(one.contains("a chance must be a fraction in a text") && one.matches("R0804").count() == 1, "{one}");
    refuses(&text("{ hits = \"x\" }"), "R0804", "`hits`");
    let body = "[[step]]\ndo = \"do gaze(a)\"\nexpect = [\"a.hits == 5\"]\n";
    let text = HEAD
        .replace("start = \"Round(a)\"\n", "")
        .replace("Shot = { hits = 2 }", "look = { do = [\"set u.hits += 2\", \"set u.hits += 3\"] }")
        + body;
    assert_eq!(good(&text).count(), (1, 1));
    let none = text.replace("[\"set u.hits += 2\", \"set u.hits += 3\"]", "[]").replace("== 5", "== 0");
    assert_eq!(good(&none).count(), (1, 1));
}

#[test]
fn left_over_and_impossible_answers() {
    let outcome = played(&loaded_text(&with(&format!("{PICK}{PICK}"))));
    assert!(words(&outcome).starts_with("R0805"), "{}", words(&outcome));
    let outcome = played(&loaded_text(&with("[[decide]]\nchoice = \"extra\"\npick = 4\n")));
    assert!(words(&outcome).contains("not on its menu: 0, 1, 2, 3"), "{}", words(&outcome));
    let outcome = played(&loaded_text(&with("")));
    assert!(words(&outcome).contains("the script does not answer `extra` of a"), "{}", words(&outcome));
    let dice = |give: &str| {
        let text = with("[[step]]\ndo = \"do luck(a)\"\n").replace("start = \"Round(a)\"\n", "");
        played(&loaded_text(&format!(
            "{text}[dice]\nrolls = [{{ roll = \"Luck.pips\", of = \"a\", give = {give} }}]\n"
        )))
    };
    assert!(dice("[6, 6]").sound());
    assert!(words(&dice("[6]")).contains("the roll `Luck.pips` rolls 2 dice, but 1 are given"));
    let text = with(&format!("{PICK}[dice]\nrolls = [{{ roll = \"Luck.pips\", of = \"b\", give = [1, 2] }}]\n"));
    assert!(words(&played(&loaded_text(&text))).starts_with("R0806"));
}

#[test]
fn players_of_every_sort() {
    let hits = |player: &str| {
        let scenario = loaded_text(&HEAD.replace("\"script\"", player));
        let outcome = played(&scenario);
        assert!(outcome.sound(), "{player}: {}", words(&outcome));
        let (_, a) = scenario.game.thing("a").unwrap();
        let field = scenario.rules.names.fields.iter().find(|((_, name), _)| name == "hits").unwrap().1;
        outcome.state.cells[scenario.game.layout.field(*field, a, 0)]
    };
    assert_eq!(hits("\"prefer\""), 2);
    assert_eq!(hits("\"first\""), 2);
    assert_eq!(hits("\"policy:Wild\""), 5);
    assert!((2..=5).contains(&hits("\"random\"")));
    assert_eq!(hits("[\"script\", \"policy:Wild\"]"), 5);
    let best = played(&loaded_text(&HEAD.replace("\"script\"", "\"best\"")));
    assert!(words(&best).starts_with("R0810"));
}

#[test]
fn a_person_is_asked_until_the_answer_fits() {
    let scenario = loaded_text(&HEAD.replace("\"script\"", "\"prompt\""));
    let mut shown = Vec::new();
    let mut person = play::Terminal::new(&b"9x\n4\n"[..], &mut shown);
    let options = Options { person: Some(&mut person), ..Options::default() };
    let outcome = play::play(&scenario, options);
    assert!(outcome.sound(), "{}", words(&outcome));
    drop(outcome);
    let shown = String::from_utf8(shown).unwrap();
    assert!(
        shown.contains("red: `extra` of a") && shown.contains("  4  3") && shown.contains("not on the menu"),
        "{shown}"
    );
    let mut person = play::Terminal::new(&b""[..], Vec::new());
    let options = Options { person: Some(&mut person), ..Options::default() };
    let outcome = play::play(&scenario, options);
    assert!(outcome.gone && words(&outcome).contains("the input ended"), "{}", words(&outcome));
}

#[test]
fn a_base_is_merged_at_every_depth() {
    let base = with(&format!("{PICK}[[expect]]\nthat = \"a.nerve == 3\"\n"));
    let own = "base = \"base.toml\"\n[Unit]\na = { hits = 1 }\n[[expect]]\nthat = \"a.hits == 4\"\n";
    let outcome = played(&loaded("t/s.toml", &[("t/x.rules", RULES), ("t/base.toml", &base), ("t/s.toml", own)]));
    assert!(outcome.sound(), "{}", words(&outcome));
    assert_eq!(outcome.count(), (2, 2));
    let own = "base = \"base.toml\"\nsteps = \"replace\"\n[players]\nred = \"prefer\"\n";
    let outcome = played(&loaded("t/s.toml", &[("t/x.rules", RULES), ("t/base.toml", &base), ("t/s.toml", own)]));
    assert!(outcome.sound(), "{}", words(&outcome));
    assert_eq!(outcome.count(), (0, 0));
    for (name, code) in [("s.toml", "R0211"), ("../../x.toml", "R0212"), ("gone.toml", "R0101")] {
        refuses(&format!("base = \"{name}\"\n"), code, "");
    }
}

#[test]
fn lines_make_many_things() {
    let text = with(&format!(
        "{PICK}[[line]]\nkind = \"Unit\"\nids = [\"x\", \"y\"]\nside = \"red\"\nat = [10, 10]\nstep = [1.5, 0]\n[[expect]]\nthat = [\"y.at == [11.5, 10]\", \"size(red.units) == 4\"]\n"
    ));
    assert_eq!(good(&text).count(), (2, 2));
    refuses(&with("[[line]]\nkind = \"Untt\"\nids = []\n"), "R0804", "did you mean `Unit`?");
}

#[test]
fn a_run_stops_at_a_mark_and_is_repeated() {
    let text = format!(
        "repeat = 3\n{}[[decide]]\nalways = {{ extra = 0 }}\n[[expect]]\nthat = [\"rounds == 3\", \"a.hits == 6\"]\n",
        with("")
    );
    assert_eq!(good(&text).count(), (2, 2));
    let text = format!(
        "repeat = \"until a.hits >= 4\"\n{}[[decide]]\nalways = {{ extra = 0 }}\n[[expect]]\nthat = \"rounds == 2\"\n",
        with("")
    );
    assert_eq!(good(&text).count(), (1, 1));
    let text = format!("stop = \"start of Round for a\"\n{}[[expect]]\nthat = \"a.hits == 0\"\n", with(""));
    assert_eq!(good(&text).count(), (1, 1));
    let never = format!("repeat = \"until a.hits < 0\"\n{}[[decide]]\nalways = {{ extra = 0 }}\n", with(""));
    assert!(words(&played(&loaded_text(&never))).starts_with("R0911"));
}

#[test]
fn samples_are_counted_in_whole_numbers() {
    let text = format!(
        "mode = \"sampled\"\nruns = 300\nseed = 7\n{}[report]\nmean = [\"a.hits\"]\nchance = [\"a.hits > 4\"]\nhist = \"a.hits\"\n",
        HEAD.replace("\"script\"", "\"random\"").replace("Shot = { hits = 2 }", "")
    );
    let scenario = loaded_text(&text);
    let sample = sampled(&scenario, scenario.plan.runs);
    assert_eq!((sample.runs, sample.tallies.len()), (300, 3));
    let mean = grognard_stats::mean(&sample.tallies[0].numbers(false).unwrap()).unwrap();
    let about = mean.num() * 100 / mean.den();
    assert!((450..550).contains(&about), "{mean}");
    assert_eq!(sample.tallies[2].values().unwrap().map(|(_, n)| n).sum::<u64>(), 300);
    let figures = &scenario.plan.report;
    assert!(figures.iter().all(|f| f.bounds.is_some_and(|(low, high)| low >= Ratio::ZERO && high <= Ratio::whole(9))));
}

#[test]
fn things_that_cannot_stand_so() {
    let unit = |keys: &str| HEAD.replace("at = [1, 2.5]", keys);
    let sized = |keys: &str| format!("{}[board]\nsize = [48, 36]\n", unit(keys));
    refuses(&sized("at = [50, 2.5]"), "R0811", "`a` is off the table");
    refuses(&sized("at = [-1, 2.5]"), "R0811", "`a` is off the table");
    refuses(&sized("at = [47.9, 2.5], base = 0.5"), "R0811", "`a` extends over the edge");
    refuses(&sized("at = [30, 35.6], length = 6, facing = 90"), "R0811", "`a` extends over the edge");
    let two = |a: &str, b: &str| unit(a).replace("b = { side = \"red\" }", &format!("b = {{ side = \"red\", {b} }}"));
    let base = |x: &str| format!("at = [{x}, 5], base = 0.5");
    refuses(&two(&base("5"), &base("5.99")), "R0812", "the bases of `a` and `b` overlap");
    refuses(&two(&base("5"), &base("5")), "R0812", "the bases of `a` and `b` overlap");
    refuses(
        &unit("shape = [[1, 1], [5, 5], [5, 1], [1, 5]]"),
        "R0813",
        "the side from corner 1 to corner 2 of `a` crosses",
    );
    refuses(&unit("shape = [[1, 1], [5, 1], [9, 1]]"), "R0813", "crosses");
    refuses(&unit("shape = [[1, 1], [1, 1], [9, 1], [9, 9]]"), "R0813", "crosses");
    refuses(&unit("shape = [[0, 0], [8, 0], [8, 8], [4, 0], [0, 8]]"), "R0813", "crosses");
    refuses(&unit("at = [1, 2.5], facing = 360.01"), "R0814", "must be from 0 to 360");
    refuses(&unit("at = [1, 2.5], facing = -1"), "R0814", "must be from 0 to 360");
    refuses(&unit("shape = [[1, 1], [5, 5]]"), "R0815", "the `shape` of `a` has 2 corners");
    refuses(&unit("shape = []"), "R0815", "has 0 corners");
    refuses(&unit("at = [1, 2.5], length = 0"), "R0816", "`a` is a straight piece of length 0");
    refuses(&sized("shape = [[60, 30], [70, 30], [70, 35]]"), "R0811", "`a` is off the table");
    let corners = "shape = [[1, 1], [5, 1], [5, 5]]";
    refuses(&unit(&format!("at = [3, 3], {corners}")), "R0817", "`a` has both an `at` and a `shape`");
    refuses(&unit(&format!("{corners}, base = 0.5")), "R0817", "`a` has both a `shape` and a `base`");
    refuses(&unit("at = [1, 2.5], base = 0.5, length = 2"), "R0817", "`a` has both a `base` and a `length`");
    let row = format!(
        "{}[[line]]\nkind = \"Unit\"\nids = [\"c\"]\nside = \"red\"\nat = [9, 9]\n{corners}\n",
        unit("at = [1, 1]")
    );
    refuses(&row, "R0817", "`c` has both an `at` and a `shape`");
    for fine in [
        sized("shape = [[60, 30], [60, 50], [40, 30]]"),
        sized("at = [47.5, 2.5], base = 0.5, facing = 360"),
        sized("shape = [[40, 30], [60, 30], [60, 50]]"),
        two(&base("5"), &base("6")),
        two("at = [5, 5]", "at = [5, 5]"),
        unit("shape = [[0, 0], [8, 0], [8, 8], [4, 1], [0, 8]]"),
        unit("at = [1, 2.5], length = 0.001, facing = 45"),
    ] {
        assert_eq!(refused(&fine), "", "{fine}");
    }
}

#[test]
fn near_misses_are_told_what_to_write() {
    let rules = "ruleset p/g\nkind Unit { state men : 0..20 = 5 }\nproc fire(a: Unit) {\n  roll aim = 5 of d6\n  set a.men -= count aim >= 4\n}\n";
    let own = |text: &str| format!("rules = \"p/g\"\n{text}");
    let asked = |text: &str, wanted: &str| {
        let text = own(text);
        let (found, sources) =
            load("p/s.toml", &[("p/g.rules", rules), ("p/s.toml", &text)]).err().unwrap_or_else(|| panic!("{text}"));
        let said: String = found.iter().map(|d| format!("{} {}\n", d.message, d.help)).collect();
        assert!(said.contains(wanted), "{said}{}", rendered(&found, &sources));
    };
    let things = "[Unit]\nraiders = {}\n";
    asked(&format!("start = \"fire(raiders)\"\n{things}"), "`[[step]]` with `do = \"do fire(raiders)\"`");
    let step = |line: &str| format!("{things}[[step]]\ndo = \"{line}\"\n");
    asked(&step("fire(raiders)"), "write `do fire(..)`");
    asked(&format!("{}[report]\nmean = [\"raider.men\"]\n", step("do fire(raiders)")), "did you mean `raiders`?");
    let given =
        own(&format!("{}[dice]\nrolls = [{{ roll = \"fire.aim\", give = [6, 1, 1, 1] }}]\n", step("do fire(raiders)")));
    let outcome = played(&loaded("p/s.toml", &[("p/g.rules", rules), ("p/s.toml", &given)]));
    let span = outcome.problems[0].span.unwrap();
    assert_eq!(
        given.get(span.start as usize..span.end as usize).map(|s| s.starts_with("{ roll")),
        Some(true),
        "{}",
        words(&outcome)
    );
}

#[test]
fn steps_that_replace_leave_nothing_of_any_scenario_below() {
    let rules = "ruleset p/g\nkind Unit { state men : 0..99 = 0 }\nproc add(a: Unit, n: Int) { set a.men += n }\n";
    let lowest = "rules = \"p/g\"\n[Unit.a]\n[[step]]\ndo = \"do add(a, 1)\"\n";
    let middle = "base = \"lowest.toml\"\n[[step]]\ndo = \"do add(a, 10)\"\n";
    let top = |steps: &str| {
        format!("base = \"middle.toml\"\n{steps}[[step]]\ndo = \"do add(a, 30)\"\n[report]\nmean = [\"a.men\"]\n")
    };
    let men = |middle: &str, top: &str| {
        let files = [("p/g.rules", rules), ("p/lowest.toml", lowest), ("p/middle.toml", middle), ("p/top.toml", top)];
        played(&loaded("p/top.toml", &files)).figures
    };
    let only = |n: i64| vec![Some(vec![n])];
    assert_eq!(men(middle, &top("")), only(41));
    assert_eq!(men(middle, &top("steps = \"replace\"\n")), only(30));
    let replaced = middle.replace("[[step]]", "steps = \"replace\"\n[[step]]");
    assert_eq!(men(&replaced, &top("")), only(40));
    assert_eq!(men(&replaced, &top("steps = \"replace\"\n")), only(30));
}
