//! Long fractions are proven numbers in every output, and `--exact` prints the fraction.

use crate::common::{folder, said_apart};
use grognard_base::value::Fraction;
use serde_json::Value;
use std::path::Path;

const RULES: &str = include_str!("../../../benches/ratios/rules/battle.rules");

fn asked(folder: &Path, more: &[&str]) -> String {
    let (code, text, problems) = said_apart(folder, &[&["odds", "battle.toml"], more].concat());
    assert_eq!((code, problems.as_str()), (0, ""), "{text}");
    text
}

#[test]
fn a_long_battle_is_proven() {
    let table = "rules = \"battle/battle\"\nstart = \"Battle(a, b)\"\nrepeat = \"until a.men == 0 or b.men == 0\"\n\
                 [Side.a]\nmen = 16\n[Side.b]\nmen = 17\n[report]\nchance = \"a.men > 0\"\nmean = \"rounds\"\n";
    let folder = folder("proven", &[("battle/battle.rules", RULES), ("battle.toml", table)]);
    let text = asked(&folder, &[]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("chance a.men > 0: 34.8568001753%, ") && lines[0].contains("proven to 12 digits"),
        "{text}"
    );
    assert!(lines[1].starts_with("mean rounds: ") && lines[1].ends_with("digits  (proven)"), "{text}");
    let csv = asked(&folder, &["--format", "csv"]);
    assert_eq!(csv.matches(",proven,").count(), 2, "{csv}");
    let [proven, exact] = [&[][..], &["--exact"]].map(|more| {
        let text = asked(&folder, &[&["--format", "json"], more].concat());
        serde_json::from_str::<Value>(&text).unwrap()["answers"].clone()
    });
    assert_eq!((&proven[0]["label"], &exact[0]["label"]), (&"proven".into(), &"exact".into()));
    let outcomes = |answers: &Value| answers[0]["outcomes"].as_array().unwrap().clone();
    for (proven, exact) in outcomes(&proven).iter().zip(&outcomes(&exact)) {
        let number: Fraction = exact["fraction"].as_str().unwrap().parse().unwrap();
        let [low, high] = ["low", "high"].map(|end| Fraction::of_float(proven[end].as_f64().unwrap()));
        assert!(low <= number && number <= high && &high - &low < "1/1000000000000".parse().unwrap(), "{proven}");
    }
    let ends: Vec<Fraction> = proven[1]["mean_between"]
        .as_array()
        .unwrap()
        .iter()
        .map(|end| end.as_str().unwrap().parse().unwrap())
        .collect();
    let mean: Fraction = exact[1]["mean"].as_str().unwrap().parse().unwrap();
    assert!(ends[0] <= mean && mean <= ends[1], "{ends:?}");
}

/// A claim that names a fraction is judged by the fraction, and one that names a range by the interval.
#[test]
fn claims_on_a_long_battle_are_judged() {
    let table = "rules = \"battle/battle\"\nmode = \"exact\"\nstart = \"Battle(a, b)\"\n\
                 repeat = \"until a.men == 0 or b.men == 0\"\n[Side.a]\nmen = 10\n[Side.b]\nmen = 11\n\
                 [[expect]]\nchance = { \"a.men > 0\" = [\"0.3\", \"0.4\"] }\n[[expect]]\nchance = { \"a.men > 0\" = \"1/3\" }\n";
    let folder = folder("proven-claims", &[("battle/battle.rules", RULES), ("battle.toml", table)]);
    let (code, text, problems) = said_apart(&folder, &["run", "battle.toml"]);
    assert!(code != 0 && text.contains("1 of 2 expectations hold"), "{text}{problems}");
}
