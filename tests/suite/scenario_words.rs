//! What is said about a scenario that does not fit: what is meant, and what to write.

use crate::common::{folder, said};

const RULES: &str = "ruleset k/talk version \"1\"\nkind Side { }\n\
    kind Unit { owner side; link side : Side; state men : 0..9 = 3 }\n\
    test Fire(u: Unit) { roll d = d6; pass when d > 3 }\n\
    test Flee(u: Unit) { roll e = d6; pass when e > 3 }\n\
    test Hide(u: Unit) { roll e = d6; pass when e > 3 }\n\
    phase Day(u: Unit) { repeat choose action or stop }\n\
    action Go in Day by u { choose who in Unit; needs u.men > 0; set u.men -= 1; choose more in Unit; set more.men -= 0 }\n";

/// What `run` says of a scenario, as one line.
fn run(name: &str, scene: &str) -> String {
    let folder = folder(name, &[("k/talk.rules", RULES), ("s.toml", &format!("rules = \"k/talk\"\n{scene}"))]);
    let (_, text) = said(&folder, &["run", "s.toml"]);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const TABLE: &str = "[Side.red]\n[Unit.u]\nside = \"red\"\n";

#[track_caller]
fn says(text: &str, wanted: &[&str]) {
    assert!(wanted.iter().all(|wanted| text.contains(wanted)), "{text}");
}

#[test]
fn a_thing_of_the_kind_is_proposed() {
    let near =
        run("kind-near", "start = \"Day(u)\"\n[Side.red]\n[Unit.rad]\nside = \"red\"\n[Unit.u]\nside = \"rd\"\n");
    says(&near, &["there is no `rd` on the table; did you mean `red`?"]);
    let other = run("kind-other", "start = \"Day(u)\"\n[Side.red]\n[Unit.u]\nside = \"y\"\n");
    says(&other, &["there is no `y` on the table", "expected a Side: red"]);
    assert!(!other.contains("did you mean"), "{other}");
    let none = run("kind-none", "start = \"Day(u)\"\n[Unit.u]\nside = \"red\"\n");
    says(&none, &["declare one with `[Side.red]`"]);
}

/// A thing that does not stand below its kind is one finding too, and a start or a step that is written as elsewhere is told how.
#[test]
fn what_stands_elsewhere_is_told_where() {
    let below = |header: &str| run("thing-bare", &format!("start = \"Day(u)\"\n{header}\n[Unit.u]\nside = \"red\"\n"));
    let (bare, kind) = (below("[red]"), below("[side.red]"));
    says(&bare, &["there is no key `red`", "put a thing under its kind, as in `[Side.red]`"]);
    says(&kind, &["there is no key `side`; did you mean `Side`?"]);
    let slip = below("[expct]\nthat = \"u.men == 3\"\n[Side.red]");
    says(&slip, &["there is no key `expct`; did you mean `expect`?"]);
    for text in [bare, kind, slip] {
        assert_eq!(text.matches("error[").count(), 1, "{text}");
    }
    let start = run("start-run", &format!("start = \"run Day(u)\"\n{TABLE}"));
    says(&start, &["`start` must name only the phase, without `run`", "write `start = \"Day(u)\"`"]);
    let test = run("start-test", &format!("start = \"test Fire(u)\"\n{TABLE}"));
    says(&test, &["`start` must name a phase, not an action for `test`", "`[[step]]` with `do = \"test Fire(u)\"`"]);
    let capital = run("start-capital", &format!("start = \"Day(U)\"\n{TABLE}"));
    says(&capital, &["unknown type or case `U`; did you mean `u`?"]);
    let step = run("step-bare", &format!("{TABLE}[[step]]\ndo = \"Day(u)\"\n"));
    says(&step, &["write `run Day(..)` if it is a phase, `test Day(..)` if it is a test"]);
}

#[test]
fn a_roll_is_proposed_by_its_own_name() {
    let given = |name: &str| {
        format!("{TABLE}[[step]]\ndo = \"test Fire(u)\"\n[dice]\nrolls = [{{ roll = \"{name}\", give = [5] }}]\n")
    };
    says(&run("roll-one", &given("d")), &["there is no roll `d`; did you mean `Fire.d`?"]);
    says(&run("roll-two", &given("e")), &["there is no roll `e`; the options are `Flee.e`, `Hide.e`"]);
    says(&run("roll-slip", &given("Fir.d")), &["did you mean `Fire.d`?"]);
}

/// A kind that the rules do not know is one finding, whatever leans on its things.
#[test]
fn an_unknown_kind_is_said_once() {
    let scene = "start = \"Day(v)\"\n[Side.red]\n[Unitt.v]\nside = \"red\"\n[[expect]]\nthat = \"v.men == 3\"\n\
                 [[decide]]\nchoice = \"action\"\nof = \"v\"\npick = \"Go(v)\"\n";
    let text = run("kind-unknown", scene);
    says(&text, &["there is no kind `Unitt`; did you mean `Unit`?"]);
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    // nor is what a thing would have been called, if nothing can be called that
    let text = run("kind-unknown", &scene.replace("Unitt.v", "Unit.V").replace("\"v", "\"V").replace("(v)", "(V)"));
    says(&text, &["`V` cannot be the name of a thing"]);
    assert_eq!(text.matches("error[").count(), 1, "{text}");
}

#[test]
fn a_key_tells_what_it_takes() {
    let set = |key: &str| run("keys", &format!("{key}\nstart = \"Day(u)\"\n{TABLE}"));
    says(&set("mode = 3"), &["`\"scripted\"` (the default), `\"sampled\"` and `\"exact\"`"]);
    says(&set("repeat = \"foo\""), &["`repeat = 3`, or `repeat = \"until"]);
    says(&set("stop = \"bla\""), &["`stop = \"end of Turn\"`"]);
    says(&set("board = { size = 3 }"), &["width and height in inches"]);
    for key in ["mode = 3", "repeat = true", "seed = \"x\"", "runs = 0", "stop = 3", "fuel = \"x\"", "name = 3"] {
        let text = set(key);
        assert!(!text.contains("see the declared type") && text.contains("error[R0804]"), "{key}: {text}");
    }
}

#[test]
fn what_is_left_of_a_script_says_why() {
    let play = |name: &str, players: &str, decides: &str| {
        run(name, &format!("start = \"Day(u)\"\n{TABLE}[players]\nred = {players}\n{decides}"))
    };
    let decide = |choice: &str, pick: &str| format!("[[decide]]\nchoice = \"{choice}\"\npick = \"{pick}\"\n");
    let go = decide("action", "Go(u)");
    let stop = decide("action", "stop");
    let twice = play("left-twice", "\"script\"", &format!("{go}{stop}{stop}"));
    says(&twice, &["`action` was asked 2 times, but got other answers, so stop is not used"]);
    let nth = play(
        "left-nth",
        "\"script\"",
        &format!("{go}{stop}[[decide]]\nchoice = \"action\"\nnth = 5\npick = \"stop\"\n"),
    );
    says(&nth, &["`action` was asked 2 times, so it has no decision 5"]);
    let deaf = play("left-deaf", "\"prefer\"", &go);
    says(&deaf, &["of a player who does not look at the script", "put `script` before"]);
    let single = play("left-single", "\"script\"", &format!("{go}{stop}{}", decide("more", "u")));
    says(&single, &["`more` was never put to a player", "its menu had one entry"]);
}

/// Where no key is near, those that may stand there are told; a condition with one `=` is one with two.
#[test]
fn what_may_stand_is_told() {
    let thing = run("keys-thing", "start = \"Day(u)\"\n[Side.red]\n[Unit.u]\nside = \"red\"\nwounds = 3\n");
    says(&thing, &["a Unit has no `wounds`", "use one of: `side`, `men`, `at`"]);
    let step = run("keys-step", &format!("{TABLE}[[step]]\ndo = \"test Fire(u)\"\nroll = 3\n"));
    says(&step, &["has no key `roll`", "use one of: `do`"]);
    let one = run("keys-one", &format!("start = \"Day(u)\"\n{TABLE}[[expect]]\nthat = \"u.men = 3\"\n"));
    says(&one, &["a comparison is written `==`"]);
    let figure = run("figure", &format!("start = \"Day(u)\"\nobjective = \"mean u.men\"\n{TABLE}"));
    says(&figure, &["expected only a value or a condition", "a number reports its mean, a condition its chance"]);
    let least = run("least", &format!("start = \"Day(u)\"\nobjective = \"minimize u.men\"\n{TABLE}"));
    says(&least, &["a player who is `worst` minimizes it"]);
    let until = run("until", &format!("start = \"Day(u)\"\nuntil = \"u.men == 0\"\n{TABLE}"));
    says(&until, &["no key `until`", "`repeat = \"until red.points >= 20\"`"]);
    let thing = run("a-thing", &format!("start = \"Day(u)\"\nobjective = \"u\"\n{TABLE}"));
    says(&thing, &["an objective must be a number or a condition, found Unit"]);
}

/// What stands on the board has its outline by keys of their own; elsewhere a field may be called as they are.
#[test]
fn fields_go_before_keys_of_the_same_name() {
    let rules = "ruleset k/talk version \"1\"\nkind U { stat base : 0..6 = 3; state status : 0..9 = 1; let length = 2 * base }\nproc p(u: U) { }\n";
    let scene = "rules = \"k/talk\"\n[U.x]\nbase = 4\nstatus = 7\n[[step]]\ndo = \"do p(x)\"\n[[expect]]\nthat = \"x.base == 4 and x.status == 7 and x.length == 8\"\n";
    let given = folder("own-keys", &[("k/talk.rules", rules), ("s.toml", scene)]);
    let (code, text) = said(&given, &["run", "s.toml"]);
    assert_eq!(code, 0, "{text}");
    let board = folder("own-outline", &[("k/talk.rules", &rules.replace("kind U", "kind U on board"))]);
    let (code, text) = said(&board, &["check", "k/talk.rules"]);
    assert_eq!(code, 1, "{text}");
    says(&text, &["`base` is how a scenario sets the round base", "choose another name"]);
}

/// What the help says to write has no finding, and a name in other letters is near.
#[test]
fn statuses_traits_and_params_are_written_so() {
    let rules = "ruleset k/talk version \"1\"\nparam hit_on = 4\nkind U { stat n : 0..6 = 3 }\nstatus Pinned on U\n\
        status Led(by_rank: Int) on U\ntrait Brave on U { modify n += 1 }\nproc p(u: U) { }\n";
    let check = |name: &str, params: &str, keys: &str| {
        let scene =
            format!("rules = \"k/talk\"\n[params]\n{params}\n[U]\nx = {{ {keys} }}\n[[step]]\ndo = \"do p(x)\"\n");
        let given = folder(name, &[("k/talk.rules", rules), ("s.toml", &scene)]);
        said(&given, &["check", "s.toml"])
    };
    for (n, (wrong, right)) in [
        ("status = [\"Pinned\"]", "{ Pinned = {} }"),
        ("status = [\"Led\"]", "{ Led = { by_rank = .. } }"),
        ("status = \"Pinned\"", "status = [{ Pinned = {} }]"),
        ("traits = \"Brave\"", "traits = [\"Brave\"]"),
    ]
    .into_iter()
    .enumerate()
    {
        let (code, text) = check(&format!("status-{n}"), "", wrong);
        assert_eq!(code, 1, "{text}");
        says(&text, &[&format!("write `{right}`")]);
    }
    let (_, text) = check("param-case", "HIT_ON = 3", "n = 2");
    says(&text, &["no param `HIT_ON`; did you mean `hit_on`?"]);
    let (code, text) = check(
        "status-good",
        "hit_on = 3",
        "status = [{ Pinned = {} }, { Led = { by_rank = 2 } }], traits = [\"Brave\"]",
    );
    assert_eq!(code, 0, "{text}");
}

/// A list of tables that is written as texts or with one bracket gets the right form, once.
#[test]
fn lists_of_tables_are_written_with_two_brackets() {
    let rules =
        "ruleset k/talk version \"1\"\nkind U { stat n : 0..6 = 3 }\nproc p(u: U) { }\nphase Go(u: U) { do p(u) }\n";
    for (n, (start, wrong, right)) in [
        (true, "expect = [\"x.n == 3\"]", "write `[[expect]]`, and under it `that = 'x.n == 3'`"),
        (true, "expect = \"x.n == 3\"", "write `[[expect]]`, and under it `that = 'x.n == 3'`"),
        (false, "step = [\"do p(x)\"]", "write `[[step]]`, and under it `do = 'do p(x)'`"),
        (true, "line = \"U\"", "write `[[line]]`, and under it `kind`, `ids` and the position"),
        (true, "decide = \"yes\"", "write `[[decide]]`, and under it `pick = 'yes'`"),
        (true, "[U.x]\n[expect]\nthat = \"x.n == 3\"", "write `[[expect]]`, with two brackets on each side"),
        (false, "[U.x]\n[step]\ndo = \"do p(x)\"", "write `[[step]]`, with two brackets on each side"),
    ]
    .into_iter()
    .enumerate()
    {
        let table = if wrong.contains("[U.x]") { "" } else { "[U.x]" };
        let start = if start { "start = \"Go(x)\"\n" } else { "" };
        let scene = format!("rules = \"k/talk\"\n{start}{wrong}\n{table}\n");
        let given = folder(&format!("tables-{n}"), &[("k/talk.rules", rules), ("s.toml", &scene)]);
        let (code, text) = said(&given, &["check", "s.toml"]);
        assert_eq!((code, text.matches("error[").count()), (1, 1), "{text}");
        says(&text, &[right]);
    }
}
